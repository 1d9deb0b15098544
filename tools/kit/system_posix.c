#define _DEFAULT_SOURCE /* the size of a terminal, realpath, SIGXCPU */

#include "system.h"

#ifndef _WIN32

#  include <errno.h>
#  include <fcntl.h>
#  include <signal.h>
#  include <stdlib.h>
#  include <string.h>
#  include <sys/file.h>
#  include <sys/ioctl.h>
#  include <sys/stat.h>
#  include <time.h>
#  include <unistd.h>

#  include "clock.h"

const char kit_file_separators[] = "/";

void kit_system_start(char ***words)
{
    (void)words;
}

bool kit_file_look(const char *path, kit_file_facts *facts)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return false;
    *facts = (kit_file_facts){.is_regular = S_ISREG(status.st_mode),
                              .is_folder = S_ISDIR(status.st_mode),
                              .size = (uint64_t)status.st_size,
                              .device = (uint64_t)status.st_dev,
                              .number = (uint64_t)status.st_ino,
                              .permissions = status.st_mode & 0777};
    return true;
}

/* The library takes the same names, where a call of its own writes the file. */
int kit_file_descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    int number = strcmp(path, "/dev/stdout") == 0 ? 1 : strcmp(path, "/dev/stderr") == 0 ? 2 : -1;
    for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
        const size_t size = strlen(folders[i]);
        if (strncmp(path, folders[i], size) != 0)
            continue;
        const size_t digits = strspn(path + size, "0123456789");
        if (digits && digits < 8 && !path[size + digits])
            number = atoi(path + size);
    }
    const int flags = number < 0 ? -1 : fcntl(number, F_GETFL);
    return flags != -1 && (flags & O_ACCMODE) != O_RDONLY ? number : -1;
}

FILE *kit_file_open(const char *path, const char *mode)
{
    const int named = *mode == 'w' ? kit_file_descriptor(path) : -1;
    if (named < 0)
        return fopen(path, mode);
    const int copy = fcntl(named, F_DUPFD_CLOEXEC, 0);
    FILE *file = copy < 0 ? NULL : fdopen(copy, mode);
    if (!file && copy >= 0)
        close(copy);
    return file;
}

FILE *kit_file_create(const char *path)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (descriptor < 0)
        return NULL;
    FILE *file = fdopen(descriptor, "w");
    if (!file) {
        close(descriptor);
        unlink(path);
    }
    return file;
}

void kit_file_permit(FILE *file, const kit_file_facts *like)
{
    if (fchmod(fileno(file), (mode_t)like->permissions) != 0)
        errno = 0; /* some file systems have none to give */
}

bool kit_file_is_link(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

char *kit_file_behind_links(const char *path)
{
    return realpath(path, NULL);
}

bool kit_file_lock(FILE *file)
{
    return flock(fileno(file), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

bool kit_file_cut(FILE *file, uint64_t size)
{
    return ftruncate(fileno(file), (off_t)size) == 0;
}

bool kit_file_flush(FILE *file)
{
    return fsync(fileno(file)) == 0;
}

bool kit_file_rename(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

void kit_file_remove(const char *path)
{
    unlink(path);
}

bool kit_folder_make(const char *path)
{
    return mkdir(path, 0777) == 0;
}

void kit_folder_remove(const char *path)
{
    rmdir(path);
}

unsigned long kit_process_number(void)
{
    return (unsigned long)getpid();
}

bool kit_terminal_is_there(void)
{
    return isatty(STDERR_FILENO) == 1;
}

unsigned kit_terminal_columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void kit_terminal_write(const char *text, unsigned size)
{
    if (write(STDERR_FILENO, text, size) < 0)
        return; /* there is nobody to tell */
}

void kit_mutex_init(kit_mutex *mutex)
{
    pthread_mutex_init(mutex, NULL);
}

void kit_mutex_free(kit_mutex *mutex)
{
    pthread_mutex_destroy(mutex);
}

void kit_mutex_lock(kit_mutex *mutex)
{
    pthread_mutex_lock(mutex);
}

void kit_mutex_unlock(kit_mutex *mutex)
{
    pthread_mutex_unlock(mutex);
}

void kit_condition_init(kit_condition *condition)
{
    pthread_cond_init(condition, NULL);
}

void kit_condition_free(kit_condition *condition)
{
    pthread_cond_destroy(condition);
}

void kit_condition_wake(kit_condition *condition)
{
    pthread_cond_signal(condition);
}

static struct timespec from_now(double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(seconds * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return until;
}

void kit_condition_wait(kit_condition *condition, kit_mutex *mutex, double seconds)
{
    const struct timespec until = from_now(seconds);
    pthread_cond_timedwait(condition, mutex, &until);
}

static void *run_thread(void *argument)
{
    kit_thread *thread = argument;
    thread->run(thread->argument);
    return NULL;
}

bool kit_thread_start(kit_thread *thread, void (*run)(void *argument), void *argument)
{
    *thread = (kit_thread){.run = run, .argument = argument};
    return pthread_create(&thread->system, NULL, run_thread, thread) == 0;
}

void kit_thread_join(kit_thread *thread)
{
    pthread_join(thread->system, NULL);
}

unsigned kit_processor_count(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

void kit_sleep(double seconds)
{
    struct timespec pause = {.tv_sec = (time_t)seconds};
    pause.tv_nsec = (long)((seconds - (double)pause.tv_sec) * 1e9);
    nanosleep(&pause, NULL);
}

/* A signal that the parent had ignored stays ignored. */
static void catch_one(int number, void (*handler)(int number))
{
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_IGN)
        return;
    action = (struct sigaction){.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void kit_signals_catch(void (*handler)(int number))
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGPIPE};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        catch_one(numbers[i], handler);
    signal(SIGXFSZ, SIG_IGN);
}

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    if (clock_gettime(clock, &now) != 0)
        return -1;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double kit_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

/* POSIX leaves such a clock to the system. */
double kit_thread_now(void)
{
#  ifdef CLOCK_THREAD_CPUTIME_ID
    double now = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    if (now >= 0)
        return now;
#  endif
    return kit_now();
}

#endif
