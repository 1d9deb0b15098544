#include "compare/many.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "compare/results.h"
#include "compare/units.h"
#include "kit/exits.h"
#include "kit/fingerprint.h"
#include "kit/load.h"
#include "kit/metric.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"
#include "kit/system.h"
#include "kit/team.h"
#include "report/many_page.h"

enum { SETTINGS_MAX = 240 };

typedef struct work {
    const many_options *set;
    char settings[SETTINGS_MAX];
    units list;
    results known;  /* of the file, and what was compared since */
    size_t *chosen; /* the first lines of the units of this call */
    size_t chosen_count;
    size_t known_count; /* of these, those that the file had */
    results_file file;
} work;

/* What decides the counts beside the files. Another version may search in another order. */
static void describe_settings(const many_options *set, char text[SETTINGS_MAX])
{
    snprintf(text, SETTINGS_MAX,
             "cairn %s; every %" PRIu32 "; space %s; exact %s; heuristic %s; weight %" PRIu32
             "; ties %s; limit %" PRIu32 "; reopening %s; resident %s",
             cairn_version(), set->every, set->space, set->exact ? "yes" : "no",
             kit_heuristic_words[set->wish.heuristic], set->wish.weight ? set->wish.weight : 1000,
             kit_ties_words[set->wish.ties], set->wish.limit, set->wish.no_reopening ? "no" : "yes",
             set->resident);
}

/* ------------------------------------------------------------------------------ one unit */

static void add_query(result *line, const run_result *base, const run_result *with, uint32_t number)
{
    double expanded = fmax(1, (double)with->expanded);
    double ratio = fmax(1, (double)base->expanded) / expanded;
    if (with->time_us > line->slowest_us) {
        line->slowest_us = with->time_us;
        line->slowest_query = number;
    }
    if (with->outcome != CAIRN_PATH_FOUND || base->outcome != CAIRN_PATH_FOUND)
        return;
    if (line->paths == 0 || ratio < line->least_ratio) {
        line->least_ratio = ratio;
        line->least_query = number;
    }
    line->paths++;
    line->expansion_ratio += log(ratio);
    if (with->time_us > 0 && base->time_us > 0)
        line->speed_up += log(base->time_us / with->time_us);
}

/* The numbers of a search; the ratios are sums of logarithms until the last query. */
static void measure_search(const comparison *of, size_t index, result *line)
{
    const contender *search = &of->searches[index];
    totals sum = comparison_totals(search, 0, of->query_count);
    line->expanded = sum.expanded;
    line->generated = sum.generated;
    line->open_peak = sum.open_peak;
    line->time_us = sum.time_us;
    for (size_t i = 0; i < of->query_count; i++)
        add_query(line, &of->searches[0].results[i], &search->results[i], of->numbers[i]);
    if (line->paths == 0)
        return;
    line->expansion_ratio = exp(line->expansion_ratio / (double)line->paths);
    line->speed_up = exp(line->speed_up / (double)line->paths);
}

/* Lines of one comparison, behind the known ones. */
static int add_lines(work *on, const comparison *of, const result *like)
{
    const size_t before = on->known.count;
    for (size_t index = 0; index < of->search_count; index++) {
        result line = {.table = strdup(like->table),
                       .scenario = strdup(like->scenario),
                       .settings = strdup(like->settings),
                       .search = strdup(of->searches[index].name),
                       .input = like->input,
                       .map_hash = cairn_map_hash(of->map),
                       .nodes = cairn_map_open_count(of->map),
                       .rows = cairn_table_row_count(of->tables[0]),
                       .table_bytes = of->table_sizes[0],
                       .queries = of->query_count,
                       .wrong_lengths = of->wrong_lengths,
                       .wrong_costs = of->wrong_costs,
                       .searches = of->search_count};
        measure_search(of, index, &line);
        if (!results_add(&on->known, &line) || !line.table || !line.scenario || !line.settings ||
            !line.search) {
            results_cut(&on->known, before);
            return kit_fail("compare", CAIRN_E_MEMORY);
        }
    }
    return KIT_EXIT_OK;
}

static int run(work *on, comparison *of, const cairn_scenario *scenario, const result *like)
{
    cairn_status status = comparison_take(of, scenario);
    if (status == CAIRN_OK)
        status = comparison_add_searches(of, on->set->exact, on->set->spaces);
    if (status == CAIRN_OK)
        status = comparison_run(of);
    return status == CAIRN_OK ? add_lines(on, of, like)
                              : kit_fail_on_map(like->scenario, status, of->map, 0);
}

static int compare_unit(work *on, const result *like)
{
    comparison of = {.table_paths = {like->table},
                     .table_count = 1,
                     .scenario_path = like->scenario,
                     .every = on->set->every,
                     .asked = on->set->wish};
    cairn_scenario *scenario = NULL;
    cairn_map *map;
    cairn_table *table;

    int code = kit_load_table(like->table, &map, &table, &of.table_sizes[0]);
    if (code != KIT_EXIT_OK)
        return code;
    of.map = map;
    of.tables[0] = table;
    if (!kit_heuristic_is_there("compare", map, on->set->wish.heuristic))
        code = KIT_EXIT_USAGE;
    if (code == KIT_EXIT_OK)
        code = kit_load_scenario(like->scenario, map, &scenario);
    if (code == KIT_EXIT_OK)
        code = run(on, &of, scenario, like);
    comparison_free(&of);
    cairn_scenario_free(scenario);
    cairn_table_free(table);
    cairn_map_free(map);
    return code;
}

/* ------------------------------------------------------------------------------ all units */

/* Whether the file of a unit without a partner is there; complains. */
static bool is_there(const unit *of)
{
    const char *path = of->table ? of->table : of->scenario;
    kit_file_facts facts;
    errno = 0;
    if (kit_file_look(path, &facts))
        return true;
    kit_fail(path, CAIRN_E_IO);
    return false;
}

static int refuse_alone(const unit *of)
{
    if (is_there(of))
        kit_complain("%s: %s", of->table ? of->table : of->scenario, of->problem);
    return KIT_EXIT_IO;
}

/* The files of a unit, which are to be the same in all processes of a team. */
static int identify(const unit *of, result *like)
{
    const char *const paths[] = {like->table, like->scenario};
    if (of->problem)
        return refuse_alone(of);
    for (size_t i = 0; i < 2; i++) {
        if (strchr(paths[i], '\n')) {
            kit_complain("%s: a name that holds the end of a line has no place in results",
                         paths[i]);
            return KIT_EXIT_USAGE;
        }
        errno = 0;
        if (!kit_fingerprint_file(paths[i], &like->input))
            return kit_fail(paths[i], CAIRN_E_IO);
    }
    return kit_team_same(like->table, like->input);
}

/* Compares a unit unless its results are known: of a team, to the first process, which alone
 * reports them. *first becomes the first of their lines. */
static int find_or_compare(work *on, const unit *of, size_t *first, bool *is_new)
{
    result like = {.table = of->table, .scenario = of->scenario, .settings = on->settings};
    int code = identify(of, &like);
    if (code != KIT_EXIT_OK)
        return code;
    const result *found = results_find(&on->known, &like);
    *first = found ? (size_t)(found - on->known.lines) : on->known.count;
    uint64_t is_known = found != NULL;
    code = kit_team_hear_first(&is_known);
    *is_new = !is_known;
    return code == KIT_EXIT_OK && *is_new ? compare_unit(on, &like) : code;
}

/* The first process writes new results, and says whether it could. */
static int keep(work *on, size_t first, bool *is_full)
{
    int code = KIT_EXIT_OK;
    if (on->set->results_path && kit_team_is_first())
        code = results_append(&on->file, &on->known, first);
    uint64_t fails = code != KIT_EXIT_OK;
    const int heard = kit_team_hear_first(&fails);
    *is_full = fails;
    return kit_team_end_step(code == KIT_EXIT_OK ? heard : code);
}

static int take_unit(work *on, const unit *of, bool *is_full)
{
    const size_t before = on->known.count;
    size_t first = before;
    bool is_new = false;
    int code = kit_team_end_step(find_or_compare(on, of, &first, &is_new));
    if (code != KIT_EXIT_OK)
        results_cut(&on->known, before); /* another process may have failed behind this one's */
    else if (is_new)
        code = keep(on, first, is_full);
    else
        on->known_count++;
    if (code == KIT_EXIT_OK)
        on->chosen[on->chosen_count++] = first;
    return code;
}

/* The number of units that failed; *is_full where no results can be written any longer. */
static size_t take_units(work *on, bool *is_full)
{
    size_t failed = 0;
    for (size_t i = 0; i < on->list.count && !*is_full; i++) {
        unit *of = &on->list.all[i];
        const char *path = of->scenario ? of->scenario : of->table;
        kit_progress_begin("comparison %s of %s, %s", kit_count(i + 1).text,
                           kit_count(on->list.count).text, kit_file_name(path));
        if (take_unit(on, of, is_full) == KIT_EXIT_OK)
            continue;
        failed++;
        of->problem = path;
    }
    kit_progress_end();
    return failed;
}

/* ---------------------------------------------------------------------------- the reports */

/* The lines of this call; their texts belong to the known ones. */
static bool choose(const work *on, results *chosen)
{
    *chosen = (results){0};
    for (size_t i = 0; i < on->chosen_count; i++) {
        const result *first = &on->known.lines[on->chosen[i]];
        for (size_t line = 0; line < first->searches; line++)
            if (!results_add(chosen, &first[line]))
                return false;
    }
    return true;
}

static int report(const work *on)
{
    results chosen;
    summary made = {0};
    int code = KIT_EXIT_OK;
    bool whole = choose(on, &chosen) && summary_make(&made, &chosen);

    if (whole && on->set->report_path &&
        !many_page_write(&made, on->set->words, "compare", on->set->report_path))
        code = KIT_EXIT_IO;
    if (whole && code == KIT_EXIT_OK) {
        if (on->set->json)
            summary_print_json(&made);
        else
            whole = summary_print_text(&made);
    }
    if (whole && code == KIT_EXIT_OK && made.wrong_lengths + made.wrong_costs > 0)
        code = KIT_EXIT_NO;
    summary_free(&made);
    free(chosen.lines);
    return whole ? code : kit_fail("compare", CAIRN_E_MEMORY);
}

/* Names each scenario of this call that holds no queries, with however many tables. */
static void name_empty_scenarios(const work *on)
{
    for (size_t i = 0; i < on->chosen_count; i++) {
        const result *line = &on->known.lines[on->chosen[i]];
        bool is_told = line->queries > 0;
        for (size_t k = 0; k < i && !is_told; k++)
            is_told = strcmp(on->known.lines[on->chosen[k]].scenario, line->scenario) == 0;
        if (!is_told)
            comparison_tell_of_no_queries(line->scenario);
    }
}

static void name_failures(const work *on, size_t failed)
{
    kit_complain("compare: no results of %s of %s comparison%s:", kit_count(failed).text,
                 kit_count(on->list.count).text, kit_plural(on->list.count));
    kit_team_tell();
    for (size_t i = 0; i < on->list.count; i++) {
        const unit *of = &on->list.all[i];
        if (of->problem && of->table && of->scenario)
            kit_complain("  %s on %s", of->table, of->scenario);
        else if (of->problem)
            kit_complain("  %s", of->table ? of->table : of->scenario);
        kit_team_tell();
    }
}

/* In a team only the first process does this. */
static int report_all(const work *on, size_t failed)
{
    int code = report(on);
    if (on->known_count > 0 && !on->set->json)
        printf("%s of them %s in %s already.\n", kit_count(on->known_count).text,
               on->known_count == 1 ? "was" : "were", on->set->results_path);
    name_empty_scenarios(on);
    if (failed == 0)
        return code;
    kit_team_tell();
    name_failures(on, failed);
    return KIT_EXIT_IO;
}

static int work_all(work *on)
{
    bool is_full = false;
    on->chosen = calloc(on->list.count + 1, sizeof *on->chosen);
    if (!on->chosen)
        return kit_fail("compare", CAIRN_E_MEMORY);
    size_t failed = take_units(on, &is_full);
    if (is_full)
        return KIT_EXIT_IO;
    return kit_team_is_first() ? report_all(on, failed) : KIT_EXIT_OK;
}

/* Of a team, all processes are to compare the same: a list may be another file in some. */
static int check_list(const work *on)
{
    uint64_t word = 0;
    for (size_t i = 0; i < on->list.count; i++) {
        const char *const paths[] = {on->list.all[i].table, on->list.all[i].scenario};
        for (size_t k = 0; k < 2; k++)
            for (const char *at = paths[k]; at && *at; at++)
                word = 31 * word + (unsigned char)*at;
        word = 31 * word + 1;
    }
    return kit_team_same(on->set->list_path ? on->set->list_path : "compare", word);
}

/* Refuses files of which no two go together: what is not there is named, and nothing else. */
static int check_pairs(const units *list)
{
    bool are_there = true;
    for (size_t i = 0; i < list->count; i++)
        if (!list->all[i].problem)
            return KIT_EXIT_OK;
    for (size_t i = 0; i < list->count; i++)
        are_there = is_there(&list->all[i]) && are_there;
    if (are_there)
        kit_complain("compare: no table goes with a scenario by its name, as a.cairn with "
                     "a.map.scen");
    return KIT_EXIT_IO;
}

static bool overwrite(const many_options *set, const kit_input *inputs)
{
    return kit_overwrites("compare", "results", set->results_path, inputs) ||
           kit_overwrites("compare", "report", set->report_path, inputs);
}

/* Whether results or report would overwrite what is read, or each other; complains. */
static bool overwrites_any(const many_options *set, const units *list)
{
    static const char read[] = "one of the files to read";
    const kit_input report[] = {{set->report_path, "the file of --report too"}, {NULL, NULL}};
    const kit_input names[] = {{set->list_path, read}, {NULL, NULL}};
    bool found = kit_overwrites("compare", "results", set->results_path, report) ||
                 overwrite(set, names);
    for (size_t i = 0; i < list->count && !found; i++) {
        const unit *of = &list->all[i];
        const kit_input inputs[] = {{of->table, read}, {of->scenario, read}, {NULL, NULL}};
        found = overwrite(set, inputs);
    }
    return found;
}

int many_compare(const many_options *set)
{
    work on = {.set = set};
    describe_settings(set, on.settings);
    int code = units_take(&on.list, set);
    if (code == KIT_EXIT_OK)
        code = check_list(&on);
    if (code == KIT_EXIT_OK && on.list.count == 0) {
        kit_complain("compare: expected tables and scenarios, found none");
        code = KIT_EXIT_USAGE;
    }
    if (code == KIT_EXIT_OK && overwrites_any(set, &on.list))
        code = KIT_EXIT_USAGE;
    if (code == KIT_EXIT_OK && kit_team_is_first() && !kit_output_is_possible(set->report_path))
        code = KIT_EXIT_IO;
    if (code == KIT_EXIT_OK)
        code = check_pairs(&on.list);
    if (code == KIT_EXIT_OK && set->results_path && kit_team_is_first())
        code = results_open(&on.file, set->results_path, &on.known);
    if (code == KIT_EXIT_OK)
        code = work_all(&on);
    results_close(&on.file);
    results_free(&on.known);
    free(on.chosen);
    units_free(&on.list);
    return code;
}
