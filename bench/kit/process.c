#include "kit/process.h"

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

bool bench_in_child(bool (*work)(void *context, void *result), void *context, void *result,
                    size_t result_size)
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        memset(result, 0, result_size);
        bool worked = work(context, result) && write_all(ends[1], result, result_size);
        _exit(worked ? 0 : 1);
    }

    close(ends[1]);
    bool done = child > 0 && read_all(ends[0], result, result_size);
    close(ends[0]);
    int status = 1;
    if (child > 0 && waitpid(child, &status, 0) != child)
        done = false;
    return done && status == 0;
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
