#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "exits.h"
#include "interrupt.h"
#include "progress.h"
#include "say.h"
#include "system.h"

static bool complain(const char *path)
{
    kit_fail(path, CAIRN_E_IO);
    return false;
}

/* The same of a file that was not made: what is missing may be its folder. */
static bool complain_of_folder(const char *path)
{
    const int folder = (int)(kit_file_name(path) - path);
    if (errno != ENOENT || folder == 0)
        return complain(path);
    kit_complain("%s: %s %.*s", path,
                 kit_folder_of(path).is_there ? "no file can be created in the folder"
                                              : "there is no folder",
                 folder > 1 ? folder - 1 : folder, path);
    return false;
}

/* How much of a path begins a name that ends in so many bytes more: all of it, unless a folder
 * takes the last part of the path and not such a name. Characters stay whole. */
static int kept_of(const char *path, int added)
{
    enum { NAME_MOST = 255 };
    const int size = (int)strlen(path), first = (int)(kit_file_name(path) - path);
    int kept = size;

    if (size - first > NAME_MOST || size - first + added <= NAME_MOST)
        return size;
    for (kept = first + NAME_MOST - added;
         kept > first && ((unsigned char)path[kept] & 0xc0) == 0x80;)
        kept--;
    return kept;
}

/* A new file beside `path`. What a process that was killed left under the same name stays. */
static FILE *open_beside(const char *path, char **name)
{
    enum { ATTEMPTS = 1000 };
    size_t size = strlen(path) + 48;
    FILE *file = NULL;

    *name = malloc(size);
    for (unsigned attempt = 0; *name && attempt < ATTEMPTS; attempt++) {
        char end[48];
        const int added = snprintf(end, sizeof end, ".%lx-%x.tmp", kit_process_number(), attempt);
        snprintf(*name, size, "%.*s%s", kept_of(path, added), path, end);
        kit_interrupt_removes(*name);
        file = kit_file_create(*name);
        if (file || errno != EEXIST)
            break;
    }
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

    kit_file_facts facts;
    const bool exists = kit_file_look(path, &facts);
    if (exists && (!facts.is_regular || kit_is_pipe(path))) {
        output->file = kit_file_open(path, "w");
        return output->file || complain(path);
    }

    /* The file that a link leads to is replaced, not the link. */
    if (kit_file_is_link(path)) {
        output->target = kit_file_behind_links(path);
        if (!output->target)
            return complain(path);
    }
    output->file = open_beside(output->target ? output->target : path, &output->temporary);
    if (output->file && exists)
        kit_file_permit(output->file, &facts);
    if (output->file)
        return true;

    complain_of_folder(output->target ? output->target : path);
    forget(output);
    return false;
}

int kit_output_write(const char *path, kit_writer *write, const void *what, uint64_t *size)
{
    kit_output output;

    kit_progress_begin("writing %s", kit_file_name(path));
    if (!kit_output_open(&output, path))
        return KIT_EXIT_IO;
    if (!write(what, output.file)) {
        kit_output_discard(&output);
        return kit_fail(path, CAIRN_E_MEMORY);
    }
    if (!kit_output_commit(&output))
        return KIT_EXIT_IO;
    *size = kit_file_size(path);
    kit_progress_end();
    return KIT_EXIT_OK;
}

bool kit_output_is_possible(const char *path)
{
    kit_output output;
    if (!path || kit_is_pipe(path))
        return true;
    if (!kit_output_open(&output, path))
        return false;
    kit_output_discard(&output);
    return true;
}

void kit_output_discard(kit_output *output)
{
    int saved = errno;
    if (output->file)
        fclose(output->file);
    if (output->temporary)
        kit_file_remove(output->temporary);
    forget(output);
    errno = saved;
}

static bool flush_to_disk(const kit_output *output)
{
    if (fflush(output->file) != 0 || ferror(output->file))
        return false;
    return !output->temporary || kit_file_flush(output->file);
}

bool kit_output_commit(kit_output *output)
{
    const char *path = output->path;
    bool whole = flush_to_disk(output);
    if (fclose(output->file) != 0)
        whole = false;
    output->file = NULL;
    if (whole && output->temporary)
        whole = kit_file_rename(output->temporary, output->target ? output->target : path);
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
    for (size_t at = strlen(path); at > 0; at--)
        if (strchr(kit_file_separators, path[at - 1]))
            return path + at;
    return path;
}

static bool is_one(const kit_file_facts *one, const kit_file_facts *two)
{
    return one->device == two->device && one->number == two->number;
}

kit_folder kit_folder_of(const char *path)
{
    char folder[FILENAME_MAX];
    kit_file_facts facts;
    const int size = (int)(kit_file_name(path) - path);

    snprintf(folder, sizeof folder, "%.*s", size, path);
    if (!kit_file_look(size ? folder : ".", &facts))
        return (kit_folder){false, 0, 0};
    return (kit_folder){true, facts.device, facts.number};
}

static bool share_a_folder(const char *path, const char *other)
{
    const kit_folder one = kit_folder_of(path), two = kit_folder_of(other);
    return one.is_there && two.is_there && one.device == two.device && one.number == two.number;
}

bool kit_same_file(const char *path, const char *other)
{
    kit_file_facts one, two;
    if (strcmp(path, other) == 0)
        return true;
    bool is_there = kit_file_look(path, &one), other_is_there = kit_file_look(other, &two);
    if (is_there && other_is_there)
        return one.is_regular && is_one(&one, &two);
    return !is_there && !other_is_there && strcmp(kit_file_name(path), kit_file_name(other)) == 0 &&
           share_a_folder(path, other);
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
    kit_file_facts facts;
    if (kit_file_descriptor(path) >= 0)
        return true;
    return kit_file_look(path, &facts) && !facts.is_regular && !facts.is_folder;
}

bool kit_reports(const char *path, bool json)
{
    return json || !kit_is_pipe(path);
}

unsigned long long kit_file_size(const char *path)
{
    kit_file_facts facts;
    return !kit_is_pipe(path) && kit_file_look(path, &facts) ? facts.size : 0;
}

bool kit_stdout_finish(void)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    return complain("standard output");
}
