/* Which maps there are, and how their tables are called. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build/build.h"
#include "kit/exits.h"
#include "kit/output.h"
#include "kit/say.h"
#include "kit/source.h"
#include "kit/system.h"

/* ------------------------------------------------------------------------------- names -- */

static int fail_memory(void)
{
    return kit_fail("build", CAIRN_E_MEMORY);
}

/* Whether a part of a path is "..": below the folder of tables it would lead out of it. */
static bool climbs(const char *path)
{
    for (const char *at = path;; at++) {
        const size_t size = strcspn(at, kit_file_separators);
        if (size == 2 && memcmp(at, "..", 2) == 0)
            return true;
        at += size;
        if (*at == '\0')
            return false;
    }
}

/* What a map is called below the folder of tables; NULL, with a complaint, when it has no place. */
static const char *name_below(const build_settings *set, const char *map_path)
{
    if (!set->keeps_folders)
        return kit_file_name(map_path);
    if (climbs(map_path)) {
        kit_complain("build: --parents: %s leads out of the folder of tables", map_path);
        return NULL;
    }
    while (map_path[0] == '/' || strncmp(map_path, "./", 2) == 0)
        map_path += map_path[0] == '/' ? 1 : 2;
    return map_path;
}

static int choose_path(const build_settings *set, build_task *task)
{
    const char *name = set->output_path ? name_below(set, task->map_path) : task->map_path;
    if (!name)
        return KIT_EXIT_USAGE;
    char *suffixed = kit_with_suffix(name, ".map", ".cairn");
    if (!suffixed || !set->output_path) {
        task->table_path = suffixed;
        return suffixed ? KIT_EXIT_OK : fail_memory();
    }
    size_t size = strlen(set->output_path);
    const char *slash = set->output_path[size - 1] == '/' ? "" : "/";
    size += strlen(suffixed) + 2;
    task->table_path = malloc(size);
    if (task->table_path)
        snprintf(task->table_path, size, "%s%s%s", set->output_path, slash, suffixed);
    free(suffixed);
    return task->table_path ? KIT_EXIT_OK : fail_memory();
}

static int name_table(const build_settings *set, build_task *task)
{
    int code = choose_path(set, task);
    if (code == KIT_EXIT_OK)
        task->folder = kit_folder_of(task->table_path);
    return code;
}

/* -------------------------------------------------------------------------------- list -- */

static bool grow(build_list *list)
{
    if (list->count < list->room)
        return true;
    size_t room = 2 * list->room + 64;
    build_task *grown = realloc(list->tasks, room * sizeof *grown);
    if (!grown)
        return false;
    list->tasks = grown;
    list->room = room;
    return true;
}

/* A map that is not there fails later, alone. */
static int add(build_list *list, const build_settings *set, const char *map_path)
{
    kit_file_facts facts;
    if (kit_is_stdin(map_path)) {
        kit_complain("build: a map from standard input is built alone, with -o FILE");
        return KIT_EXIT_USAGE;
    }
    if (!grow(list))
        return fail_memory();
    build_task *task = &list->tasks[list->count++];
    *task = (build_task){.map_path = strdup(map_path)};
    if (!task->map_path)
        return fail_memory();
    if (kit_file_look(map_path, &facts) && facts.is_regular)
        task->weight = facts.size;
    return name_table(set, task);
}

/* One name a line: empty lines, and the ends of lines of other systems, count for nothing. */
static int add_lines(build_list *list, const build_settings *set, char *text)
{
    int code = KIT_EXIT_OK;
    for (char *line = text, *end; line && code == KIT_EXIT_OK; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end++ = '\0';
        size_t size = strlen(line);
        if (size && line[size - 1] == '\r')
            line[--size] = '\0';
        if (size)
            code = add(list, set, line);
    }
    return code;
}

static int add_list(build_list *list, const build_settings *set)
{
    kit_source source;
    int code = kit_source_open_text(&source, set->maps_path);
    if (code == KIT_EXIT_OK)
        code = add_lines(list, set, kit_source_text(&source));
    if (code == KIT_EXIT_OK && list->count == 0) {
        kit_complain("%s: expected the names of maps, one a line, found none", source.name);
        code = KIT_EXIT_IO;
    }
    kit_source_close(&source);
    return code;
}

static void free_task(build_task *task)
{
    free(task->map_path);
    free(task->table_path);
}

void build_list_free(build_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free_task(&list->tasks[i]);
    free(list->tasks);
    for (size_t i = 0; i < list->folder_count; i++)
        free(list->folders[i]);
    free(list->folders);
    *list = (build_list){0};
}

/* -------------------------------------------------------------------- each table once -- */

/* Where a part of a path begins, behind separators and parts that are "." */
static const char *next_part(const char *at)
{
    for (;;) {
        const size_t separators = strspn(at, kit_file_separators);
        const size_t size = strcspn(at + separators, kit_file_separators);
        at += separators;
        if (size != 1 || *at != '.')
            return at;
        at++;
    }
}

static bool begins_at_root(const char *path)
{
    return *path && strchr(kit_file_separators, *path);
}

/* Part by part. */
static int compare_paths(const char *one, const char *other)
{
    if (begins_at_root(one) != begins_at_root(other))
        return begins_at_root(one) ? -1 : 1;
    for (;;) {
        one = next_part(one);
        other = next_part(other);
        const size_t size = strcspn(one, kit_file_separators);
        const size_t other_size = strcspn(other, kit_file_separators);
        const int order = memcmp(one, other, size < other_size ? size : other_size);
        if (order || size != other_size)
            return order ? order : size < other_size ? -1 : 1;
        if (size == 0)
            return 0;
        one += size;
        other += size;
    }
}

/* Where folders are there already they are told by what they are, not by how they are called. */
static int by_table(const void *left, const void *right)
{
    const build_task *a = *(const build_task *const *)left, *b = *(const build_task *const *)right;
    const kit_folder *one = &a->folder, *other = &b->folder;
    int order = (one->device > other->device) - (one->device < other->device);
    if (order == 0)
        order = (one->number > other->number) - (one->number < other->number);
    if (order == 0)
        order = one->is_there ? strcmp(kit_file_name(a->table_path), kit_file_name(b->table_path))
                              : compare_paths(a->table_path, b->table_path);
    return order;
}

static int by_table_and_place(const void *left, const void *right)
{
    const build_task *const *a = left, *const *b = right;
    const int order = by_table(left, right);
    return order ? order : (*a > *b) - (*a < *b);
}

/* The tasks in the order of `compare`, to be freed; NULL without memory. */
static build_task **sorted(const build_list *list, int (*compare)(const void *, const void *))
{
    build_task **order = calloc(list->count, sizeof *order);
    for (size_t i = 0; order && i < list->count; i++)
        order[i] = &list->tasks[i];
    if (order)
        qsort(order, list->count, sizeof *order, compare);
    return order;
}

/* Whether the second map, which has the table of the first, is another one; complains. */
static bool clashes(const build_settings *set, const build_task *task, const build_task *other)
{
    if (kit_same_file(task->map_path, other->map_path))
        return false;
    kit_complain("build: %s and %s would both become %s%s", task->map_path, other->map_path,
                 task->table_path,
                 set->output_path && !set->keeps_folders ? "; --parents keeps their folders" : "");
    return true;
}

static void drop_doubles(build_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->tasks[i].is_double)
            free_task(&list->tasks[i]);
        else
            list->tasks[kept++] = list->tasks[i];
    }
    list->count = kept;
}

/* A map that is named twice is built once; two maps never write one table. */
static int settle_names(build_list *list, const build_settings *set)
{
    build_task **order = sorted(list, by_table_and_place);
    int code = order ? KIT_EXIT_OK : fail_memory();
    size_t first = 0;
    for (size_t i = 1; i < list->count && code == KIT_EXIT_OK; i++) {
        if (by_table(&order[i], &order[first]) != 0) {
            first = i;
            continue;
        }
        if (clashes(set, order[first], order[i]))
            code = KIT_EXIT_USAGE;
        order[i]->is_double = true;
    }
    free(order);
    drop_doubles(list);
    return code;
}

/* -------------------------------------------------------------- what is not overwritten -- */

typedef struct identity {
    uint64_t device;
    uint64_t number;
    const char *path;
} identity;

static int by_identity(const void *left, const void *right)
{
    const identity *a = left, *b = right;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static bool identify(const char *path, identity *to)
{
    kit_file_facts facts;
    if (!path || !kit_file_look(path, &facts) || !facts.is_regular)
        return false;
    *to = (identity){facts.device, facts.number, path};
    return true;
}

/* Room for all maps and for the files of the options. */
static size_t identify_inputs(const build_list *list, const build_settings *set, identity *inputs)
{
    const char *const paths[] = {set->maps_path,   set->map.terrain, set->map.places,
                                 set->map.heights, set->pairs_path,  set->list};
    size_t count = 0;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        count += identify(paths[i], &inputs[count]);
    for (size_t i = 0; i < list->count; i++)
        count += identify(list->tasks[i].map_path, &inputs[count]);
    qsort(inputs, count, sizeof *inputs, by_identity);
    return count;
}

static bool is_input(const char *path, const identity *inputs, size_t count)
{
    identity own;
    if (!identify(path, &own))
        return false;
    const identity *found = bsearch(&own, inputs, count, sizeof own, by_identity);
    if (found)
        kit_complain("build: %s would be overwritten, and it is one of the files to read", path);
    return found;
}

/* Whether an output would overwrite what is read, or the depfile a table; complains. */
static int check_outputs(const build_list *list, const build_settings *set)
{
    enum { OPTIONS = 6 };
    identity *inputs = calloc(list->count + OPTIONS, sizeof *inputs);
    if (!inputs)
        return fail_memory();
    size_t count = identify_inputs(list, set, inputs);
    bool is_wrong = set->depfile_path && is_input(set->depfile_path, inputs, count);
    for (size_t i = 0; i < list->count && !is_wrong; i++) {
        const kit_input table[] = {{list->tasks[i].table_path, "one of the tables"}, {NULL, NULL}};
        is_wrong = is_input(list->tasks[i].table_path, inputs, count) ||
                   kit_overwrites("build", "depfile", set->depfile_path, table);
    }
    free(inputs);
    return is_wrong ? KIT_EXIT_USAGE : KIT_EXIT_OK;
}

/* ------------------------------------------------------------------------------ folders -- */

/* Without memory a folder is forgotten, and stays. */
static void keep_folder(build_list *list, const char *path)
{
    char **more = realloc(list->folders, (list->folder_count + 1) * sizeof *more);
    if (!more)
        return;
    list->folders = more;
    char *copy = malloc(strlen(path) + 1);
    if (copy)
        list->folders[list->folder_count++] = strcpy(copy, path);
}

void build_list_remove_folders(const build_list *list)
{
    for (size_t i = list->folder_count; i-- > 0;)
        kit_folder_remove(list->folders[i]);
}

static int make_folder(build_list *list, const char *path)
{
    kit_file_facts facts;
    bool is_there = kit_file_look(path, &facts);
    if (is_there && !facts.is_folder) {
        kit_complain("build: %s is a file; expected a folder for tables", path);
        return KIT_EXIT_USAGE;
    }
    if (is_there)
        return KIT_EXIT_OK;
    if (kit_folder_make(path)) {
        keep_folder(list, path);
        return KIT_EXIT_OK;
    }
    return errno == EEXIST ? KIT_EXIT_OK : kit_fail(path, CAIRN_E_IO);
}

static char *next_separator(char *path)
{
    return path + strcspn(path, kit_file_separators);
}

/* Makes the folder of a path, and those above it. */
static int make_folders(build_list *list, char *path)
{
    for (char *end = next_separator(path + 1); *end; end = next_separator(end + 1)) {
        const char separator = *end;
        *end = '\0';
        int code = make_folder(list, path);
        *end = separator;
        if (code != KIT_EXIT_OK)
            return code;
    }
    return KIT_EXIT_OK;
}

/* Maps of one folder follow one another as a rule. */
static int make_all_folders(build_list *list)
{
    const char *last = "";
    size_t last_size = 0;
    for (size_t i = 0; i < list->count; i++) {
        char *path = list->tasks[i].table_path;
        size_t size = (size_t)(kit_file_name(path) - path);
        if (size == last_size && memcmp(path, last, size) == 0)
            continue;
        int code = make_folders(list, path);
        if (code != KIT_EXIT_OK)
            return code;
        last = path;
        last_size = size;
    }
    return KIT_EXIT_OK;
}

int build_list_take(build_list *list, const build_settings *set)
{
    int code = KIT_EXIT_OK;

    *list = (build_list){0};
    if (set->maps_path)
        code = add_list(list, set);
    for (size_t i = 0; i < set->maps.count && code == KIT_EXIT_OK; i++)
        code = add(list, set, set->maps.words[i]);
    if (code == KIT_EXIT_OK)
        code = settle_names(list, set);
    if (code == KIT_EXIT_OK)
        code = check_outputs(list, set);
    if (code == KIT_EXIT_OK && set->output_path)
        code = make_all_folders(list);
    return code;
}
