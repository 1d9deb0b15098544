#include "kit/options.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "kit/map_words.h" /* of tools */

static bool read_maps(char *text, bench_options *options)
{
    options->map_count = 0;
    for (char *name = strtok(text, ","); name; name = strtok(NULL, ",")) {
        if (options->map_count == BENCH_MAPS_MAX)
            return false;
        options->maps[options->map_count++] = name;
    }
    return options->map_count > 0;
}

static bool read_data(char *text, bench_options *options)
{
    options->data = text;
    return true;
}

static bool read_repeat(char *text, bench_options *options)
{
    enum { DIGITS_MOST = 6 };
    const size_t digits = strspn(text, "0123456789");
    options->repeat = (unsigned)strtoul(text, NULL, 10);
    return text[digits] == '\0' && digits <= DIGITS_MOST && options->repeat > 0;
}

/* The number of a word in a list that ends with NULL; -1 if it is not there. */
static int number_of(const char *const *words, const char *word)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

static bool read_moves(char *text, bench_options *options)
{
    const int rule = number_of(kit_moves, text);
    options->rule = (cairn_rule)rule;
    return rule >= 0;
}

static bool read_terrain(char *text, bench_options *options)
{
    return cairn_alphabet_parse(text, strlen(text), &options->terrain, NULL) == CAIRN_OK;
}

static bool read_charge(char *text, bench_options *options)
{
    const int charge = number_of(kit_charges, text);
    options->charge = (cairn_charge)charge;
    return charge >= 0;
}

static bool read_resident(char *text, bench_options *options)
{
    const bool at_corners = strcmp(text, "corners") == 0;
    options->resident = at_corners ? CAIRN_RESIDENT_CORNERS : CAIRN_RESIDENT_CELLS;
    return at_corners || strcmp(text, "cells") == 0;
}

typedef struct option {
    const char *name;
    const char *value;                                /* NULL: the option has none */
    bool (*read)(char *text, bench_options *options); /* a value */
    size_t flag;                                      /* of bench_options, without a value */
    unsigned known;                                   /* its bit; 0: all subjects know it */
    const char *help;
} option;

#define FLAG(member) NULL, NULL, offsetof(bench_options, member)

static const option OPTIONS[] = {
    {"--maps", "SET/NAME,...", read_maps, 0, 0, "the maps, in place of those of the subject"},
    {"--data", "DIR", read_data, 0, 0,
     "SET/NAME is in DIR/movingai, roads/NAME in DIR/roads (default:\n"
     "CAIRN_TEST_DATA, else ../shared/data)"},
    {"--repeat", "N", read_repeat, 0, BENCH_REPEAT,
     "rounds, of which the median counts; of crowds and units the mean\n"
     "(default: 7)"},
    {"--json", FLAG(json), 0, "one document"},
    {"--moves", "4|8|8-one|8-any|hex", read_moves, 0, 0, "neighbours of a cell (default: 8)"},
    {"--terrain", "LETTER=FACTOR,...", read_terrain, 0, 0, "costs of letters"},
    {"--charge", "entered|average", read_charge, 0, 0, "what a step between letters costs"},
    {"--every-map", FLAG(every_map), BENCH_EVERY_MAP,
     "all maps of DIR; search then measures jump points only, with\n"
     "and without landmarks"},
    {"--every-engine", FLAG(every_engine), BENCH_EVERY_ENGINE,
     "not only the one that the library would choose"},
    {"--every-query", FLAG(every_query), BENCH_EVERY_QUERY,
     "all lines of scenarios, where otherwise one of 20 is asked"},
    {"--resident", "cells|corners", read_resident, 0, BENCH_RESIDENT,
     "where the rows of tables live (default: cells)"},
    {"--cold", FLAG(cold), BENCH_COLD, "64 MiB of other memory are read before every query"},
    {"--all-pairs", FLAG(all_pairs), BENCH_ALL_PAIRS,
     "goal bounding takes part, which floods from every cell (minutes)"}};
enum { OPTION_COUNT = sizeof OPTIONS / sizeof *OPTIONS };

static const option *find_option(const char *name)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (strcmp(OPTIONS[i].name, name) == 0)
            return &OPTIONS[i];
    return NULL;
}

/* What is wrong with an option before its value is read; NULL: nothing. */
static const char *wrong_with(const option *found, unsigned known, const char *next)
{
    if (!found)
        return "unknown option";
    if (found->known & ~known)
        return "not an option of this subject";
    return found->read && !next ? "expected a value, found the end of the line" : NULL;
}

bool bench_parse(const char *subject, unsigned known, char **words, bench_options *options)
{
    for (; *words; words++) {
        const char *name = *words;
        const option *found = find_option(name);
        const char *wrong = wrong_with(found, known, words[1]);
        if (!wrong && !found->read)
            *(bool *)((char *)options + found->flag) = true;
        else if (!wrong && !found->read(*++words, options))
            wrong = "no such value";
        if (wrong) {
            fprintf(stderr, "cairn-bench: %s: %s: %s (see cairn-bench --help)\n", subject, name,
                    wrong);
            return false;
        }
    }
    return true;
}

void bench_print_words(FILE *to, int length, int column, const char *words)
{
    while (*words) {
        const size_t line = strcspn(words, "\n");
        fprintf(to, "%*s%.*s\n", length < column ? column - length : 1, "", (int)line, words);
        words += words[line] ? line + 1 : line;
        length = 0;
    }
}

void bench_print_names(FILE *to, int column, unsigned known)
{
    fprintf(to, "%*s", column - 1, "");
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (OPTIONS[i].known & known)
            fprintf(to, " %s", OPTIONS[i].name);
    fputc('\n', to);
}

void bench_print_options(FILE *to)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const char *value = OPTIONS[i].value;
        int length = fprintf(to, "  %s%s%s", OPTIONS[i].name, value ? " " : "", value ? value : "");
        bench_print_words(to, length, 31, OPTIONS[i].help);
    }
}

static int in_order(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Adds the maps of one set, "set/NAME" each. */
static void add_maps_of(bench_options *options, const char *set)
{
    static const char ending[] = ".map";
    char path[4096];
    snprintf(path, sizeof path, "%s/movingai/%s", options->data, set);
    DIR *folder = set[0] == '.' ? NULL : opendir(path);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder)) && options->map_count < BENCH_MAPS_MAX;) {
        size_t length = strlen(entry->d_name), name = length - (sizeof ending - 1);
        if (length < sizeof ending || strcmp(entry->d_name + name, ending) != 0)
            continue;
        char *map = malloc(strlen(set) + name + 2);
        if (!map)
            break;
        sprintf(map, "%s/%.*s", set, (int)name, entry->d_name);
        options->maps[options->map_count++] = map;
    }
    closedir(folder);
}

void bench_take_every_map(bench_options *options)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/movingai", options->data);
    DIR *folder = opendir(path);
    options->map_count = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        add_maps_of(options, entry->d_name);
    if (folder)
        closedir(folder);
    qsort(options->maps, options->map_count, sizeof *options->maps, in_order);
}
