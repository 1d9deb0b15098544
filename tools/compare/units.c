#include "compare/units.h"

#include <stdlib.h>
#include <string.h>

#include "kit/exits.h"
#include "kit/output.h"
#include "kit/say.h"
#include "kit/source.h"

static int fail_memory(void)
{
    return kit_fail("compare", CAIRN_E_MEMORY);
}

static bool ends_in(const char *path, size_t size, const char *suffix)
{
    size_t suffix_size = strlen(suffix);
    return size > suffix_size && memcmp(path + size - suffix_size, suffix, suffix_size) == 0;
}

/* The length of a name without the suffix that it ends in, if it is one of these. */
static size_t without_suffix(const char *name, size_t size, const char *const *suffixes)
{
    for (; *suffixes; suffixes++)
        if (ends_in(name, size, *suffixes))
            return size - strlen(*suffixes);
    return size;
}

bool many_is_scenario(const char *path)
{
    const size_t size = strlen(path);
    return ends_in(path, size, ".scen") || ends_in(path, size, ".p2p");
}

/* The length of a name without its suffixes: "town" of town.cairn and of town.map.scen, "city" of
 * city.gr.cairn and of city.p2p. */
static size_t stem_of(const char *name)
{
    static const char *const kinds[] = {".scen", ".p2p", ".cairn", NULL};
    static const char *const maps[] = {".map", ".gr", NULL};
    return without_suffix(name, without_suffix(name, strlen(name), kinds), maps);
}

static bool go_together(const char *table, const char *scenario)
{
    const char *one = kit_file_name(table), *other = kit_file_name(scenario);
    size_t size = stem_of(one);
    return size == stem_of(other) && memcmp(one, other, size) == 0;
}

static char *copy_of(const char *text, bool *whole)
{
    char *copy = text ? strdup(text) : NULL;
    *whole = *whole && (copy || !text);
    return copy;
}

static int add(units *list, const char *table, const char *scenario, const char *problem)
{
    bool whole = true;
    if (list->count == list->room) {
        size_t room = 2 * list->room + 64;
        unit *grown = realloc(list->all, room * sizeof *grown);
        if (!grown)
            return fail_memory();
        list->all = grown;
        list->room = room;
    }
    list->all[list->count] = (unit){
        .table = copy_of(table, &whole), .scenario = copy_of(scenario, &whole), .problem = problem};
    list->count++;
    return whole ? KIT_EXIT_OK : fail_memory();
}

/* ----------------------------------------------------------------------------- by names */

static const char *only_scenario(const many_options *set)
{
    const char *found = NULL;
    for (size_t i = 0; i < set->file_count; i++) {
        if (!many_is_scenario(set->files[i]))
            continue;
        if (found)
            return NULL;
        found = set->files[i];
    }
    return found;
}

/* A table with each of its scenarios. */
static int add_table(units *list, const many_options *set, const char *table, const char *only)
{
    int code = KIT_EXIT_OK;
    size_t before = list->count;
    for (size_t i = 0; i < set->file_count && code == KIT_EXIT_OK; i++) {
        const char *scenario = set->files[i];
        if (many_is_scenario(scenario) && (only || go_together(table, scenario)))
            code = add(list, table, scenario, NULL);
    }
    if (code == KIT_EXIT_OK && list->count == before)
        code = add(list, table, NULL, "no scenario has its name");
    return code;
}

static bool has_table(const units *list, const char *scenario)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->all[i].scenario && strcmp(list->all[i].scenario, scenario) == 0)
            return true;
    return false;
}

static int add_files(units *list, const many_options *set)
{
    const char *only = only_scenario(set);
    int code = KIT_EXIT_OK;
    for (size_t i = 0; i < set->file_count && code == KIT_EXIT_OK; i++)
        if (!many_is_scenario(set->files[i]))
            code = add_table(list, set, set->files[i], only);
    for (size_t i = 0; i < set->file_count && code == KIT_EXIT_OK; i++)
        if (many_is_scenario(set->files[i]) && !has_table(list, set->files[i]))
            code = add(list, NULL, set->files[i], "no table has its name");
    return code;
}

/* -------------------------------------------------------------------------- from a list */

/* "TABLE SCEN", apart by a tabulator or, where there is none, by the last blank. */
static int add_line(units *list, const kit_source *source, unsigned number, char *line)
{
    char *gap = strchr(line, '\t');
    if (!gap)
        gap = strrchr(line, ' ');
    if (!gap || gap == line || !gap[1]) {
        kit_complain("%s:%u: expected TABLE SCEN, found \"%s\"", source->name, number, line);
        return KIT_EXIT_IO;
    }
    *gap = '\0';
    return add(list, line, gap + 1, NULL);
}

static int add_lines(units *list, const kit_source *source)
{
    int code = KIT_EXIT_OK;
    unsigned number = 0;
    for (char *line = kit_source_text(source), *end; line && code == KIT_EXIT_OK; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end++ = '\0';
        number++;
        size_t size = strlen(line);
        if (size && line[size - 1] == '\r')
            line[--size] = '\0';
        if (size)
            code = add_line(list, source, number, line);
    }
    return code;
}

static int add_list(units *list, const char *path)
{
    kit_source source;
    int code = kit_source_open_text(&source, path);
    if (code == KIT_EXIT_OK)
        code = add_lines(list, &source);
    if (code == KIT_EXIT_OK && list->count == 0) {
        kit_complain("%s: expected TABLE SCEN, one pair a line, found none", source.name);
        code = KIT_EXIT_IO;
    }
    kit_source_close(&source);
    return code;
}

/* -------------------------------------------------------------------------------- all */

static int compare_texts(const char *one, const char *other)
{
    if (!one || !other)
        return (one != NULL) - (other != NULL);
    return strcmp(one, other);
}

static int by_files(const void *left, const void *right)
{
    const unit *const *a = left, *const *b = right;
    int order = compare_texts((*a)->table, (*b)->table);
    if (order == 0)
        order = compare_texts((*a)->scenario, (*b)->scenario);
    return order ? order : (*a > *b) - (*a < *b);
}

static void free_unit(unit *of)
{
    free(of->table);
    free(of->scenario);
    *of = (unit){0};
}

static void close_gaps(units *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->all[i].table || list->all[i].scenario)
            list->all[kept++] = list->all[i];
    list->count = kept;
}

/* What is named twice is compared once. */
static int drop_doubles(units *list)
{
    unit **order = calloc(list->count + 1, sizeof *order);
    if (!order)
        return fail_memory();
    for (size_t i = 0; i < list->count; i++)
        order[i] = &list->all[i];
    qsort(order, list->count, sizeof *order, by_files);
    for (size_t i = 1, first = 0; i < list->count; i++) {
        if (compare_texts(order[i]->table, order[first]->table) == 0 &&
            compare_texts(order[i]->scenario, order[first]->scenario) == 0)
            free_unit(order[i]);
        else
            first = i;
    }
    free(order);
    close_gaps(list);
    return KIT_EXIT_OK;
}

int units_take(units *list, const many_options *set)
{
    *list = (units){0};
    int code = add_files(list, set);
    if (code == KIT_EXIT_OK && set->list_path)
        code = add_list(list, set->list_path);
    return code == KIT_EXIT_OK ? drop_doubles(list) : code;
}

void units_free(units *list)
{
    for (size_t i = 0; i < list->count; i++)
        free_unit(&list->all[i]);
    free(list->all);
    *list = (units){0};
}
