/* What the program takes from the operating system beyond standard C and the clocks of clock.h:
 * system_posix.c, or system_windows.c. Names of files are UTF-8 on Windows, elsewhere any bytes. A
 * call that fails has the reason in errno. */
#ifndef KIT_SYSTEM_H
#define KIT_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifndef _WIN32
#  include <pthread.h>
#endif

/* To be called first of all, with what main was given. On Windows the words become UTF-8, and what
 * is read and written keeps its bytes at the ends of lines. */
void kit_system_start(char ***words);

/* ---- files ---- */

typedef struct kit_file_facts {
    bool is_regular;
    bool is_folder;
    uint64_t size;
    uint64_t device; /* device and number together tell a file from all others, by whatever path */
    uint64_t number;
    uint32_t permissions; /* as the system counts them; 0 where it has none */
} kit_file_facts;

/* What is behind a path and its links; false where nothing is. */
bool kit_file_look(const char *path, kit_file_facts *facts);

/* The characters that end the name of a folder in a path. */
extern const char kit_file_separators[];

/* Where the path names a descriptor, and the mode is to write, a copy of that. */
FILE *kit_file_open(const char *path, const char *mode);

/* The descriptor that a path like /dev/stdout or /dev/fd/3 names, if it is open to write; else -1.
 * A regular file may be behind it, whose other bytes stay. */
int kit_file_descriptor(const char *path);

/* Makes a file, to be written. NULL, with EEXIST in errno, if there is one of that name. */
FILE *kit_file_create(const char *path);

/* Gives an open file the permissions of another one; where the system refuses that, it keeps its
 * own. */
void kit_file_permit(FILE *file, const kit_file_facts *like);

/* Whether a path is itself a link; and the path of the file that it leads to, to be freed. */
bool kit_file_is_link(const char *path);
char *kit_file_behind_links(const char *path);

/* Keeps other programs that do the same from a file that is open to be written, until it is closed;
 * false where another has it. On disks without locks always true. */
bool kit_file_lock(FILE *file);

/* Cuts an open file, whose buffer is empty, to that size. */
bool kit_file_cut(FILE *file, uint64_t size);

/* Flushes what was written to the disk. */
bool kit_file_flush(FILE *file);

/* Gives a file another name; a file that has this name is replaced. */
bool kit_file_rename(const char *from, const char *to);

/* Removes a file. A handler of signals may call it. */
void kit_file_remove(const char *path);

/* Makes a folder. False also if it exists already. */
bool kit_folder_make(const char *path);

/* Removes a folder if it is empty. */
void kit_folder_remove(const char *path);

unsigned long kit_process_number(void);

/* ---- the terminal of standard error ---- */

bool kit_terminal_is_there(void);

/* The width of the terminal in columns; 0 where it is not known. */
unsigned kit_terminal_columns(void);

/* Writes to the terminal without a buffer. A handler of signals may call it. */
void kit_terminal_write(const char *text, unsigned size);

/* ---- threads, signals ---- */

#ifdef _WIN32 /* SRWLOCK, CONDITION_VARIABLE and HANDLE, which are pointers */
#  define KIT_MUTEX_READY NULL
typedef void *kit_mutex, *kit_condition, *kit_system_thread;
#else
#  define KIT_MUTEX_READY PTHREAD_MUTEX_INITIALIZER
typedef pthread_mutex_t kit_mutex;
typedef pthread_cond_t kit_condition;
typedef pthread_t kit_system_thread;
#endif

/* A static mutex is ready by KIT_MUTEX_READY, and never freed. */
void kit_mutex_init(kit_mutex *mutex);
void kit_mutex_free(kit_mutex *mutex);
void kit_mutex_lock(kit_mutex *mutex);
void kit_mutex_unlock(kit_mutex *mutex);

void kit_condition_init(kit_condition *condition);
void kit_condition_free(kit_condition *condition);
void kit_condition_wake(kit_condition *condition);

/* Unlocks the mutex while it waits, at most so long; may return earlier. */
void kit_condition_wait(kit_condition *condition, kit_mutex *mutex, double seconds);

/* A thread that runs a function. It stays where it is until it has been joined, or for good. */
typedef struct kit_thread {
    void (*run)(void *argument);
    void *argument;
    kit_system_thread system;
} kit_thread;

/* Whether it could be started. */
bool kit_thread_start(kit_thread *thread, void (*run)(void *argument), void *argument);
void kit_thread_join(kit_thread *thread);

/* How many processors there are, at least 1. */
unsigned kit_processor_count(void);

void kit_sleep(double seconds);

/* Has what ends the program (^C, requests from outside, a closed pipe) call a handler, but for what
 * the parent had it ignore; and lets writes beyond the largest size of files fail. */
void kit_signals_catch(void (*handler)(int number));

#endif
