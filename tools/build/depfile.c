#include <stdio.h>
#include <string.h>

#include "build/build.h"
#include "kit/exits.h"
#include "kit/output.h"
#include "kit/say.h"
#include "kit/system.h"

/* As make reads names, and ninja: a blank, # and : stand behind a backslash, which is doubled there
 * if it was there before, and $ is doubled. */
static void put_path(FILE *file, const char *path)
{
    size_t backslashes = 0;
    for (; *path; path++) {
        if (*path == '$')
            fputc('$', file);
        if (strchr(" \t#:", *path))
            for (size_t i = 0; i <= backslashes; i++)
                fputc('\\', file);
        fputc(*path, file);
        backslashes = *path == '\\' ? backslashes + 1 : 0;
    }
}

/* Options such as --terrain may hold what they say themselves. */
static bool is_file(const char *path)
{
    kit_file_facts facts;
    return kit_file_look(path, &facts) && facts.is_regular;
}

static void put_input(void *context, const char *path)
{
    FILE *file = context;
    if (!is_file(path))
        return;
    fputs(" \\\n ", file);
    put_path(file, path);
}

/* A rule without a recipe for each file, so that make does not stop where one is gone. */
static void put_empty_rule(void *context, const char *path)
{
    FILE *file = context;
    if (!is_file(path))
        return;
    put_path(file, path);
    fputs(":\n", file);
}

static void put_rule(FILE *file, const build_settings *set, const build_task *task)
{
    put_path(file, task->table_path);
    fputc(':', file);
    put_input(file, task->map_path);
    build_visit_files(set, put_input, file);
    fputc('\n', file);
}

/* A rule ends with its line; complains. */
static bool breaks_lines(const char *path)
{
    if (!strpbrk(path, "\n\r"))
        return false;
    kit_complain("build: --depfile: a name that holds the end of a line has no place in a rule: %s",
                 path);
    return true;
}

static void look_for_breaks(void *context, const char *path)
{
    bool *found = context;
    *found = *found || (is_file(path) && breaks_lines(path));
}

static bool can_be_written(const build_settings *set, const build_list *list)
{
    bool found = false;
    build_visit_files(set, look_for_breaks, &found);
    for (size_t i = 0; i < list->count && !found; i++)
        found = breaks_lines(list->tasks[i].map_path) || breaks_lines(list->tasks[i].table_path);
    return !found;
}

int build_write_depfile(const build_settings *set, const build_list *list)
{
    kit_output output;
    if (!can_be_written(set, list))
        return KIT_EXIT_USAGE;
    if (!kit_output_open(&output, set->depfile_path))
        return KIT_EXIT_IO;
    for (size_t i = 0; i < list->count; i++)
        if (list->tasks[i].state == BUILD_DONE || list->tasks[i].state == BUILD_FRESH)
            put_rule(output.file, set, &list->tasks[i]);
    for (size_t i = 0; i < list->count; i++)
        put_empty_rule(output.file, list->tasks[i].map_path);
    build_visit_files(set, put_empty_rule, output.file);
    return kit_output_commit(&output) ? KIT_EXIT_OK : KIT_EXIT_IO;
}
