#include "system.h"

#ifdef _WIN32

#  define WIN32_LEAN_AND_MEAN
#  include <windows.h>

#  include <shellapi.h>

#  include <direct.h>
#  include <errno.h>
#  include <fcntl.h>
#  include <io.h>
#  include <process.h>
#  include <signal.h>
#  include <stdlib.h>
#  include <string.h>
#  include <sys/stat.h>

#  include "clock.h"

const char kit_file_separators[] = "/\\";

enum { WIDE_MOST = 4096 };

/* A path as Windows has it; false when it is too long or not UTF-8. */
static bool widen(const char *path, wchar_t wide[WIDE_MOST])
{
    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, WIDE_MOST))
        return true;
    errno = GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : ENOENT;
    return false;
}

/* To be freed; NULL without memory. */
static char *narrow(const wchar_t *wide)
{
    int size = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = size > 0 ? malloc((size_t)size) : NULL;
    if (text)
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, size, NULL, NULL);
    return text;
}

/* Lasts as long as the program. The words that came are kept where memory does not suffice. */
static char **words_in_utf8(void)
{
    int count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **words = wide ? calloc((size_t)count + 1, sizeof *words) : NULL;
    for (int i = 0; words && i < count; i++) {
        words[i] = narrow(wide[i]);
        if (!words[i])
            return NULL;
    }
    LocalFree(wide);
    return words;
}

void kit_system_start(char ***words)
{
    char **found = words_in_utf8();
    if (found)
        *words = found;
    _fmode = _O_BINARY;
    for (int descriptor = 0; descriptor < 3; descriptor++)
        _setmode(descriptor, _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
}

static bool look_into(HANDLE file, kit_file_facts *facts)
{
    BY_HANDLE_FILE_INFORMATION found;
    *facts = (kit_file_facts){.device = 0};
    if (GetFileType(file) != FILE_TYPE_DISK || !GetFileInformationByHandle(file, &found))
        return true;
    facts->is_folder = found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY;
    facts->is_regular = !facts->is_folder;
    facts->size = (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow;
    facts->device = found.dwVolumeSerialNumber;
    facts->number = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow;
    return true;
}

static HANDLE open_to_ask(const wchar_t *path)
{
    return CreateFileW(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                       OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
}

bool kit_file_look(const char *path, kit_file_facts *facts)
{
    wchar_t wide[WIDE_MOST];
    if (!widen(path, wide))
        return false;
    HANDLE file = open_to_ask(wide);
    if (file == INVALID_HANDLE_VALUE) {
        errno = ENOENT;
        return false;
    }
    bool found = look_into(file, facts);
    CloseHandle(file);
    return found;
}

/* Windows takes a folder for a file without permission. */
FILE *kit_file_open(const char *path, const char *mode)
{
    wchar_t wide[WIDE_MOST], wide_mode[8];
    kit_file_facts facts;
    if (!widen(path, wide) || !MultiByteToWideChar(CP_UTF8, 0, mode, -1, wide_mode, 8))
        return NULL;
    FILE *file = _wfopen(wide, wide_mode);
    if (!file && errno == EACCES && kit_file_look(path, &facts))
        errno = facts.is_folder ? EISDIR : EACCES;
    return file;
}

int kit_file_descriptor(const char *path)
{
    (void)path;
    return -1;
}

FILE *kit_file_create(const char *path)
{
    wchar_t wide[WIDE_MOST];
    if (!widen(path, wide))
        return NULL;
    int descriptor = _wopen(wide, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY, _S_IREAD | _S_IWRITE);
    if (descriptor < 0)
        return NULL;
    FILE *file = _fdopen(descriptor, "wb");
    if (!file) {
        _close(descriptor);
        _wunlink(wide);
    }
    return file;
}

void kit_file_permit(FILE *file, const kit_file_facts *like)
{
    (void)file;
    (void)like;
}

bool kit_file_is_link(const char *path)
{
    wchar_t wide[WIDE_MOST];
    if (!widen(path, wide))
        return false;
    const DWORD kind = GetFileAttributesW(wide);
    return kind != INVALID_FILE_ATTRIBUTES && (kind & FILE_ATTRIBUTE_REPARSE_POINT);
}

char *kit_file_behind_links(const char *path)
{
    wchar_t wide[WIDE_MOST];
    if (!widen(path, wide))
        return NULL;
    HANDLE file = open_to_ask(wide);
    DWORD size = 0;
    if (file != INVALID_HANDLE_VALUE)
        size = GetFinalPathNameByHandleW(file, wide, WIDE_MOST, FILE_NAME_NORMALIZED);
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    errno = ENOENT;
    return size > 0 && size < WIDE_MOST ? narrow(wide) : NULL;
}

/* A byte that no file has: locks keep others from reading what they cover. */
bool kit_file_lock(FILE *file)
{
    OVERLAPPED place = {.Offset = MAXDWORD, .OffsetHigh = MAXLONG};
    return LockFileEx((HANDLE)_get_osfhandle(_fileno(file)),
                      LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place) ||
           GetLastError() != ERROR_LOCK_VIOLATION;
}

bool kit_file_cut(FILE *file, uint64_t size)
{
    errno_t reason = _chsize_s(_fileno(file), (__int64)size);
    errno = reason;
    return reason == 0;
}

bool kit_file_flush(FILE *file)
{
    return _commit(_fileno(file)) == 0;
}

bool kit_file_rename(const char *from, const char *to)
{
    wchar_t wide[WIDE_MOST], wide_to[WIDE_MOST];
    if (!widen(from, wide) || !widen(to, wide_to))
        return false;
    if (MoveFileExW(wide, wide_to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
        return true;
    errno = EACCES;
    return false;
}

void kit_file_remove(const char *path)
{
    wchar_t wide[WIDE_MOST];
    if (widen(path, wide))
        DeleteFileW(wide);
}

bool kit_folder_make(const char *path)
{
    wchar_t wide[WIDE_MOST];
    return widen(path, wide) && _wmkdir(wide) == 0;
}

void kit_folder_remove(const char *path)
{
    wchar_t wide[WIDE_MOST];
    if (widen(path, wide))
        _wrmdir(wide);
}

unsigned long kit_process_number(void)
{
    return GetCurrentProcessId();
}

/* One that understands what wipes a line. */
bool kit_terminal_is_there(void)
{
    const DWORD understands = 0x0004; /* ENABLE_VIRTUAL_TERMINAL_PROCESSING */
    HANDLE terminal = GetStdHandle(STD_ERROR_HANDLE);
    DWORD mode;
    return GetConsoleMode(terminal, &mode) && SetConsoleMode(terminal, mode | understands);
}

unsigned kit_terminal_columns(void)
{
    CONSOLE_SCREEN_BUFFER_INFO screen;
    HANDLE terminal = GetStdHandle(STD_ERROR_HANDLE);
    if (!GetConsoleScreenBufferInfo(terminal, &screen))
        return 0;
    return (unsigned)(screen.srWindow.Right - screen.srWindow.Left + 1);
}

void kit_terminal_write(const char *text, unsigned size)
{
    DWORD written;
    WriteFile(GetStdHandle(STD_ERROR_HANDLE), text, size, &written, NULL);
}

void kit_mutex_init(kit_mutex *mutex)
{
    *mutex = NULL;
}

void kit_mutex_free(kit_mutex *mutex)
{
    *mutex = NULL;
}

void kit_mutex_lock(kit_mutex *mutex)
{
    AcquireSRWLockExclusive((PSRWLOCK)mutex);
}

void kit_mutex_unlock(kit_mutex *mutex)
{
    ReleaseSRWLockExclusive((PSRWLOCK)mutex);
}

void kit_condition_init(kit_condition *condition)
{
    *condition = NULL;
}

void kit_condition_free(kit_condition *condition)
{
    *condition = NULL;
}

void kit_condition_wake(kit_condition *condition)
{
    WakeConditionVariable((PCONDITION_VARIABLE)condition);
}

void kit_condition_wait(kit_condition *condition, kit_mutex *mutex, double seconds)
{
    SleepConditionVariableSRW((PCONDITION_VARIABLE)condition, (PSRWLOCK)mutex,
                              (DWORD)(seconds * 1000), 0);
}

static unsigned __stdcall run_thread(void *argument)
{
    kit_thread *thread = argument;
    thread->run(thread->argument);
    return 0;
}

bool kit_thread_start(kit_thread *thread, void (*run)(void *argument), void *argument)
{
    *thread = (kit_thread){.run = run, .argument = argument};
    thread->system = (void *)_beginthreadex(NULL, 0, run_thread, thread, 0, NULL);
    return thread->system != NULL;
}

void kit_thread_join(kit_thread *thread)
{
    WaitForSingleObject(thread->system, INFINITE);
    CloseHandle(thread->system);
}

unsigned kit_processor_count(void)
{
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    return system.dwNumberOfProcessors ? system.dwNumberOfProcessors : 1;
}

void kit_sleep(double seconds)
{
    Sleep((DWORD)(seconds * 1000));
}

void kit_signals_catch(void (*handler)(int number))
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGBREAK};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (signal(numbers[i], handler) == SIG_IGN)
            signal(numbers[i], SIG_IGN);
}

double kit_now(void)
{
    LARGE_INTEGER now, a_second;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&a_second);
    return (double)now.QuadPart / (double)a_second.QuadPart;
}

double kit_thread_now(void)
{
    return kit_now();
}

#endif
