#define _XOPEN_SOURCE 700 /* realpath */

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interrupt.h"
#include "say.h"

static bool complain(const char *path)
{
    kit_fail(path, CAIRN_E_IO);
    return false;
}

/* A new file beside `path`. What a process that was killed left under the same name stays. */
static FILE *open_beside(const char *path, char **name)
{
    enum { ATTEMPTS = 1000 };
    size_t size = strlen(path) + 48;
    int descriptor = -1;

    *name = malloc(size);
    for (int attempt = 0; *name && attempt < ATTEMPTS; attempt++) {
        snprintf(*name, size, "%s.%lx-%x.tmp", path, (unsigned long)getpid(), (unsigned)attempt);
        kit_interrupt_removes(*name);
        descriptor = open(*name, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (descriptor >= 0 || errno != EEXIST)
            break;
    }
    if (descriptor < 0)
        return NULL;
    FILE *file = fdopen(descriptor, "w");
    if (!file)
        close(descriptor);
    return file;
}

static void forget(kit_output *output)
{
    kit_interrupt_removes(NULL);
    free(output->temporary);
    free(output->target);
    *output = (kit_output){0};
}

bool kit_output_open(kit_output *output, const char *path)
{
    *output = (kit_output){.path = path};

    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        output->file = fopen(path, "w");
        return output->file || complain(path);
    }

    /* The file that a link leads to is replaced, not the link. */
    if (lstat(path, &status) == 0 && S_ISLNK(status.st_mode)) {
        output->target = realpath(path, NULL);
        if (!output->target)
            return complain(path);
    }
    output->file = open_beside(output->target ? output->target : path, &output->temporary);
    if (output->file)
        return true;

    complain(path);
    forget(output);
    return false;
}

void kit_output_discard(kit_output *output)
{
    int saved = errno;
    if (output->file)
        fclose(output->file);
    if (output->temporary)
        unlink(output->temporary);
    forget(output);
    errno = saved;
}

static bool flush_to_disk(const kit_output *output)
{
    if (fflush(output->file) != 0 || ferror(output->file))
        return false;
    return !output->temporary || fsync(fileno(output->file)) == 0;
}

bool kit_output_commit(kit_output *output)
{
    const char *path = output->path;
    bool whole = flush_to_disk(output);
    if (fclose(output->file) != 0)
        whole = false;
    output->file = NULL;
    if (whole && output->temporary)
        whole = rename(output->temporary, output->target ? output->target : path) == 0;
    if (!whole) {
        kit_output_discard(output);
        return complain(path);
    }
    forget(output);
    return true;
}

char *kit_with_suffix(const char *path, const char *from, const char *to)
{
    size_t size = strlen(path);
    size_t from_size = strlen(from);
    if (size > from_size && strcmp(path + size - from_size, from) == 0)
        size -= from_size;

    char *name = malloc(size + strlen(to) + 1);
    if (!name)
        return NULL;
    memcpy(name, path, size);
    strcpy(name + size, to);
    return name;
}

const char *kit_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_one(const struct stat *one, const struct stat *two)
{
    return one->st_dev == two->st_dev && one->st_ino == two->st_ino;
}

/* The folder of a path that is to be written. */
static bool find_folder(const char *path, struct stat *status)
{
    char folder[FILENAME_MAX];
    int size = (int)(kit_file_name(path) - path);
    snprintf(folder, sizeof folder, "%.*s", size, path);
    return stat(size ? folder : ".", status) == 0;
}

bool kit_same_file(const char *path, const char *other)
{
    struct stat one, two;
    if (strcmp(path, other) == 0)
        return true;
    bool is_there = stat(path, &one) == 0, other_is_there = stat(other, &two) == 0;
    if (is_there && other_is_there)
        return S_ISREG(one.st_mode) && is_one(&one, &two);
    return !is_there && !other_is_there && strcmp(kit_file_name(path), kit_file_name(other)) == 0 &&
           find_folder(path, &one) && find_folder(other, &two) && is_one(&one, &two);
}

bool kit_overwrites(const char *command, const char *option, const char *path,
                    const kit_input *inputs)
{
    for (; path && inputs->what; inputs++) {
        if (inputs->path && kit_same_file(path, inputs->path)) {
            kit_complain("%s: --%s: %s is %s", command, option, path, inputs->what);
            return true;
        }
    }
    return false;
}

bool kit_is_pipe(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

unsigned long long kit_file_size(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? (unsigned long long)status.st_size : 0;
}

bool kit_stdout_finish(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    return complain("standard output");
}
