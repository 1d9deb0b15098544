#ifdef __linux__
#  define _GNU_SOURCE /* sched_setaffinity */
#endif

#include "kit/process.h"

#ifdef __linux__
#  include <sched.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __GLIBC__
#  include <malloc.h>
#endif

static bool write_all(int file, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(file, bytes, size);
        if (written <= 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

static bool read_all(int file, char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t got = read(file, bytes, size);
        if (got <= 0)
            return false;
        bytes += got;
        size -= (size_t)got;
    }
    return true;
}

/* This process, to the processor of that rank among those it may use. */
static void move_to(unsigned rank)
{
#ifdef __linux__
    cpu_set_t all, one;
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    for (size_t processor = 0; processor < CPU_SETSIZE; processor++) {
        if (!CPU_ISSET(processor, &all) || rank-- > 0)
            continue;
        CPU_ZERO(&one);
        CPU_SET(processor, &one);
        (void)sched_setaffinity(0, sizeof one, &one);
        return;
    }
#else
    (void)rank;
#endif
}

typedef struct child {
    pid_t process;
    int results; /* where they come from */
} child;

/* It begins when the other end of `gate` is closed, where there is one. */
static bool start_child(child *made, bool (*work)(void *context, void *result), void *context,
                        void *result, size_t result_size, const int *gate, unsigned processor)
{
    int ends[2];
    char nothing;
    *made = (child){-1, -1};
    if (pipe(ends) != 0)
        return false;
    fflush(NULL);
    made->process = fork();
    if (made->process == 0) {
        memset(result, 0, result_size);
        if (gate) {
            close(gate[1]);
            move_to(processor);
            (void)read_all(gate[0], &nothing, 1);
        }
        bool worked = work(context, result) && write_all(ends[1], result, result_size);
        _exit(worked ? 0 : 1);
    }
    close(ends[1]);
    made->results = ends[0];
    return made->process > 0;
}

static bool finish_child(child *made, void *result, size_t result_size)
{
    int status = 1;
    bool done = made->process > 0 && read_all(made->results, result, result_size);
    if (made->results >= 0)
        close(made->results);
    if (made->process > 0 && waitpid(made->process, &status, 0) != made->process)
        done = false;
    return done && status == 0;
}

bool bench_in_child(bool (*work)(void *context, void *result), void *context, void *result,
                    size_t result_size)
{
    child only;
    start_child(&only, work, context, result, result_size, NULL, 0);
    return finish_child(&only, result, result_size);
}

bool bench_in_two_children(bool (*work)(void *context, void *result), void *context, void *results,
                           size_t result_size)
{
    char *result = results;
    child both[2];
    int gate[2];
    bool done = true;

    if (pipe(gate) != 0)
        return false;
    for (unsigned i = 0; i < 2; i++)
        done &= start_child(&both[i], work, context, result + i * result_size, result_size, gate,
                            i);
    close(gate[0]);
    close(gate[1]);
    for (unsigned i = 0; i < 2; i++)
        done &= finish_child(&both[i], result + i * result_size, result_size);
    return done;
}

static size_t status_line(const char *label)
{
    FILE *file = fopen("/proc/self/status", "r");
    if (!file)
        return 0;

    size_t kilobytes = 0;
    char line[256];
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, label, strlen(label)) == 0)
            kilobytes = strtoul(line + strlen(label), NULL, 10);
    }
    fclose(file);
    return kilobytes * 1024;
}

size_t bench_resident(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
    return status_line("VmRSS:");
}

size_t bench_peak(void)
{
    return status_line("VmHWM:");
}

void bench_forget_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (!file)
        return;
    fputs("5", file);
    fclose(file);
}
