#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "compare/results.h"
#include "kit/exits.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"
#include "report/many_page.h"

typedef struct settings {
    kit_words files;
    const char *output_path;
    const char *report_path;
    bool json;
} settings;

static const kit_option operands[] = {
    {.name = "FILE...",
     .help = "results of cairn compare --results",
     .read = kit_read_words,
     .optional = true,
     .repeats = true,
     .offset = offsetof(settings, files)},
    {0},
};

static const kit_option options[] = {
    KIT_OUTPUT(settings, output_path, "FILE", "write all results as one file"),
    {.name = "report",
     .value = "HTML",
     .read = kit_read_output,
     .help = "write a self-contained page over all results",
     .offset = offsetof(settings, report_path)},
    KIT_JSON(settings),
    {0},
};

/* A unit among all, and where it came from. */
typedef struct place {
    const result *unit;
    size_t order;
    bool is_dropped;
} place;

static int compare_units(const result *one, const result *other)
{
    int order = strcmp(one->table, other->table);
    if (order == 0)
        order = strcmp(one->scenario, other->scenario);
    return order ? order : strcmp(one->settings, other->settings);
}

static int by_unit(const void *left, const void *right)
{
    const place *a = left, *b = right;
    int order = compare_units(a->unit, b->unit);
    return order ? order : (a->order > b->order) - (a->order < b->order);
}

static int by_order(const void *left, const void *right)
{
    const place *a = left, *b = right;
    return (a->order > b->order) - (a->order < b->order);
}

/* Times differ from run to run; what was counted on the same files does not. */
static bool agree(const result *one, const result *other)
{
    if (one->searches != other->searches)
        return false;
    for (size_t i = 0; i < one->searches; i++)
        if (strcmp(one[i].search, other[i].search) != 0 || one[i].expanded != other[i].expanded ||
            one[i].queries != other[i].queries || one[i].paths != other[i].paths)
            return false;
    return true;
}

/* Of units that were compared more than once, the last counts; *dropped is how many did not. */
static int drop_doubles(place *places, size_t count, size_t *dropped)
{
    qsort(places, count, sizeof *places, by_unit);
    for (size_t i = 1; i < count; i++) {
        const result *one = places[i - 1].unit, *other = places[i].unit;
        if (compare_units(one, other) != 0)
            continue;
        if (one->input == other->input && !agree(one, other)) {
            kit_complain("%s on %s: expected the same counts of the same files, found others",
                         other->table, other->scenario);
            return KIT_EXIT_IO;
        }
        places[i - 1].is_dropped = true;
        ++*dropped;
    }
    qsort(places, count, sizeof *places, by_order);
    return KIT_EXIT_OK;
}

enum { DIFFERENCE_MAX = 240 };

/* Whether a setting is among others, which are separated by "; ". */
static bool is_among(const char *others, const char *setting, size_t size)
{
    for (const char *at = others; at; at = strchr(at, ';')) {
        at += strspn(at, "; ");
        if (strncmp(at, setting, size) == 0 && (at[size] == ';' || at[size] == '\0'))
            return true;
    }
    return false;
}

/* Those of the settings of a line that another line has not. */
static void list_difference(const result *of, const result *other, char text[DIFFERENCE_MAX])
{
    size_t used = 0, size;
    text[0] = '\0';
    for (const char *at = of->settings; *at && used < DIFFERENCE_MAX; at += strspn(at, "; ")) {
        size = strcspn(at, ";");
        if (!is_among(other->settings, at, size))
            used += (size_t)snprintf(text + used, DIFFERENCE_MAX - used, "%s%.*s", used ? "; " : "",
                                     (int)size, at);
        at += size;
    }
}

static void refuse_settings(const result *line, const result *first)
{
    char expected[DIFFERENCE_MAX], found[DIFFERENCE_MAX];
    list_difference(first, line, expected);
    list_difference(line, first, found);
    kit_complain("%s:%" PRIu64 ": expected \"%s\" as in %s:%" PRIu64 ", found \"%s\"; "
                 "merge results of the same settings",
                 line->file, line->line_number, expected, first->file, first->line_number, found);
}

/* Results of other settings have no mean in common; complains. */
static int check_settings(const results *all)
{
    for (size_t i = 1; i < all->count; i++) {
        if (strcmp(all->lines[i].settings, all->lines[0].settings) == 0)
            continue;
        refuse_settings(&all->lines[i], &all->lines[0]);
        return KIT_EXIT_IO;
    }
    return KIT_EXIT_OK;
}

/* Each unit once; the texts stay those of `all`. */
static int choose(const results *all, results *chosen, size_t *dropped)
{
    place *places = calloc(all->count + 1, sizeof *places);
    size_t count = 0;
    if (!places)
        return kit_fail("merge-results", CAIRN_E_MEMORY);
    for (size_t i = 0; i < all->count; i += all->lines[i].searches, count++)
        places[count] = (place){.unit = &all->lines[i], .order = count};
    int code = drop_doubles(places, count, dropped);
    for (size_t i = 0; i < count && code == KIT_EXIT_OK; i++)
        for (size_t line = 0; line < places[i].unit->searches && !places[i].is_dropped; line++)
            if (!results_add(chosen, &places[i].unit[line]))
                code = kit_fail("merge-results", CAIRN_E_MEMORY);
    free(places);
    return code;
}

static int print(const settings *set, const summary *made, size_t dropped)
{
    if (set->json)
        summary_print_json(made);
    else if (!summary_print_text(made))
        return kit_fail("merge-results", CAIRN_E_MEMORY);
    else if (dropped)
        printf("%s more, of the same tables and scenarios, were replaced by later ones.\n",
               kit_count(dropped).text);
    return made->wrong_lengths + made->wrong_costs > 0 ? KIT_EXIT_NO : KIT_EXIT_OK;
}

static int report(const settings *set, const results *chosen, size_t dropped, char **words)
{
    summary made;
    int code = KIT_EXIT_OK;
    if (!summary_make(&made, chosen))
        code = kit_fail("merge-results", CAIRN_E_MEMORY);
    if (code == KIT_EXIT_OK && set->output_path)
        code = results_write(set->output_path, chosen);
    if (code == KIT_EXIT_OK && set->report_path &&
        !many_page_write(&made, words, "merge-results", set->report_path))
        code = KIT_EXIT_IO;
    if (code == KIT_EXIT_OK)
        code = print(set, &made, dropped);
    summary_free(&made);
    return code;
}

/* A file that should have results, and may have been lost, is not taken for one without any. */
static int read_file(const char *path, results *all)
{
    const size_t before = all->count;
    uint64_t whole;
    int code = results_read(path, all, &whole);
    if (code != KIT_EXIT_OK || all->count > before)
        return code;
    kit_complain("%s: expected results of cairn compare --results, found none that are whole",
                 path);
    return KIT_EXIT_IO;
}

static int merge(const settings *set, char **words)
{
    results all = {0}, chosen = {0};
    size_t dropped = 0;
    int code = KIT_EXIT_OK;

    for (size_t i = 0; i < set->files.count && code == KIT_EXIT_OK; i++)
        code = read_file(set->files.words[i], &all);
    kit_progress_end();
    if (code == KIT_EXIT_OK)
        code = choose(&all, &chosen, &dropped);
    if (code == KIT_EXIT_OK)
        code = check_settings(&chosen);
    if (code == KIT_EXIT_OK)
        code = report(set, &chosen, dropped, words);
    free(chosen.lines);
    results_free(&all);
    return code;
}

static bool overwrites(const settings *set)
{
    const kit_input report[] = {{set->report_path, "the file of --report too"}, {NULL, NULL}};
    bool found = kit_overwrites("merge-results", "output", set->output_path, report);
    for (size_t i = 0; i < set->files.count && !found; i++) {
        const kit_input inputs[] = {{set->files.words[i], "one of the files to read"},
                                    {NULL, NULL}};
        found = kit_overwrites("merge-results", "output", set->output_path, inputs) ||
                kit_overwrites("merge-results", "report", set->report_path, inputs);
    }
    return found;
}

static int run(const kit_command *command, char **words)
{
    settings set = {0};
    kit_parsed parsed = kit_parse(command, words, &set);
    int code = kit_parsed_exit(parsed);
    if (parsed == KIT_PARSED && set.files.count == 0) {
        kit_complain("merge-results: FILE is missing (see cairn merge-results --help)");
        code = KIT_EXIT_USAGE;
    } else if (parsed == KIT_PARSED) {
        code = overwrites(&set) ? KIT_EXIT_USAGE : merge(&set, words);
    }
    kit_words_free(&set.files);
    return code;
}

const kit_command merge_results_command = {
    .name = "merge-results",
    .summary = "one summary of the results of several compare --results",
    .about = "Each table and scenario counts once, by its last results; results of the same files\n"
             "have to agree in what they counted. Results of other settings are refused.",
    .example = "cairn merge-results one.csv two.csv -o all.csv --report all.html",
    .usage = "FILE...",
    .operands = operands,
    .options = options,
    .run = run,
};
