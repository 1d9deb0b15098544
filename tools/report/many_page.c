#include "report/many_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cairn/cairn.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"
#include "report/chart.h"
#include "report/frame.h"

enum { SERIES = 8, WORST = 10 };

typedef struct page {
    const summary *of;
    FILE *file;
    double *x, *y; /* room for a value of each result */
    const result **order;
} page;

/* ----------------------------------------------------------------------------- the means */

static void write_line(const page *on, const summary_line *line)
{
    char name[SUMMARY_NAME_MAX];
    summary_name(on->of, line, name, sizeof name);
    fputs("<tr><th>", on->file);
    html_name(on->file, name);
    fputs("</th>", on->file);
    fprintf(on->file, "<td>%s</td><td>%s</td><td>%s</td><td>%s</td>",
            kit_ratio(line->expansion_ratio.estimate, 1).text,
            kit_ratio(line->speed_up.estimate, 1).text,
            kit_interval_range(line->expansion_ratio).text,
            kit_interval_range(line->speed_up).text);
    fprintf(on->file, "<td>%s</td><td>%s</td><td>%s</td></tr>\n",
            kit_decimal(line->queries ? (double)line->expanded / (double)line->queries : 0).text,
            kit_seconds(line->queries ? 1e-6 * line->time_us / (double)line->queries : 0).text,
            kit_count(line->scenario_count).text);
}

static void write_pairs(const page *on)
{
    for (size_t i = 0; i < on->of->pair_count; i++) {
        const summary_pair *pair = &on->of->pairs[i];
        char first[SUMMARY_NAME_MAX], second[SUMMARY_NAME_MAX];
        summary_name(on->of, pair->first, first, sizeof first);
        summary_name(on->of, pair->second, second, sizeof second);
        fputs("<p>", on->file);
        html_text(on->file, second);
        fprintf(on->file, ": expansion ratio %.3f over ", pair->expansion_ratio.estimate);
        html_text(on->file, first);
        fprintf(on->file, " (geometric mean of %s scenario%s%s).</p>\n",
                kit_count(pair->scenario_count).text, kit_plural(pair->scenario_count),
                kit_interval_remark(pair->expansion_ratio).text);
    }
}

static void write_verdict(const page *on)
{
    const summary *of = on->of;
    if (of->queries == 0)
        fputs("<p><b>There is no query, so that nothing was compared.</b></p>", on->file);
    else if (of->wrong_lengths + of->wrong_costs == 0)
        fprintf(on->file,
                "<p class=\"dim\">Every published length was found, and all searches agree %s.</p>",
                summary_agreement(of));
    else
        fprintf(on->file,
                "<p><b>%s lengths are not as published, %s costs not those of the base "
                "heuristic.</b></p>",
                kit_count(of->wrong_lengths).text, kit_count(of->wrong_costs).text);
}

static void write_means(const page *on)
{
    fputs("<section><h2>Geometric means over the scenarios</h2><div class=\"wide\"><table><thead>"
          "<tr><th>search</th><th>expansion ratio</th><th>speed-up</th>"
          "<th>95 % of the ratio</th><th>95 % of the speed-up</th>"
          "<th>expanded per query</th><th>time per query</th><th>scenarios</th></tr></thead>"
          "<tbody>\n",
          on->file);
    for (size_t i = 0; i < on->of->line_count; i++)
        if (!summary_repeats(on->of, &on->of->lines[i]))
            write_line(on, &on->of->lines[i]);
    fputs("</tbody></table></div>\n", on->file);
    write_pairs(on);
    write_verdict(on);
    fputs("</section>\n", on->file);
}

/* ------------------------------------------------------------------------------ figures */

static bool is_of(const summary_line *line, const result *of)
{
    size_t size = (size_t)(kit_file_name(of->table) - of->table);
    return of->paths > 0 && size == line->folder_size &&
           memcmp(of->table, line->folder, size) == 0 && strcmp(of->search, line->search) == 0;
}

/* Lines that use landmarks along cells, and along jump points. */
static bool is_shown(const summary_line *line, bool jump)
{
    return strcmp(line->search, jump ? "jump landmarks" : "landmarks") == 0;
}

static unsigned series_of(const summary_line *line)
{
    return 1 + (unsigned)(line->set % (SERIES - 1));
}

static void write_key(const page *on, bool with_jump)
{
    key_open(on->file);
    for (size_t i = 0; i < on->of->line_count; i++) {
        const summary_line *line = &on->of->lines[i];
        char name[SUMMARY_NAME_MAX];
        if (!is_shown(line, false) && !(with_jump && is_shown(line, true)))
            continue;
        summary_name(on->of, line, name, sizeof name);
        key_add(on->file, series_of(line), is_shown(line, true) ? "dashed" : "", name);
    }
    key_close(on->file);
}

/* The unit's first line, which is that of the base heuristic. */
static const result *base_of(const page *on, const result *of)
{
    while (of > on->of->from->lines && of[-1].input == of->input && results_are_alike(of - 1, of))
        of--;
    return of;
}

static size_t take_points(page *on, const summary_line *line)
{
    size_t count = 0;
    for (size_t i = 0; i < on->of->from->count; i++) {
        const result *of = &on->of->from->lines[i];
        if (!is_of(line, of))
            continue;
        on->x[count] = (double)base_of(on, of)->expanded / (double)of->queries;
        on->y[count++] = (double)of->expanded / (double)of->queries;
    }
    return count;
}

static double most_expanded(const page *on)
{
    double most = 10;
    for (size_t i = 0; i < on->of->from->count; i++) {
        const result *of = &on->of->from->lines[i];
        if (of->queries)
            most = fmax(most, (double)of->expanded / (double)of->queries);
    }
    return most;
}

static void write_scatter(page *on)
{
    double most = most_expanded(on);
    chart to;
    fputs("<figure><h2>Nodes expanded, scenario by scenario</h2>\n", on->file);
    write_key(on, false);
    chart_open(&to, on->file, "Nodes expanded, scenario by scenario",
               "One point a scenario; the diagonals are expansion ratios of 1, 10 and 100.",
               axis_over("expanded per query by the base heuristic", 1, most, true),
               axis_over("expanded per query with landmarks", 1, most, true));
    for (double ratio = 1; ratio <= 100 && to.x.high / ratio >= 10; ratio *= 10) {
        char text[16];
        snprintf(text, sizeof text, "%g x", ratio);
        chart_guide(&to, ratio, 1, to.x.high, to.x.high / ratio, text);
    }
    for (size_t i = 0; i < on->of->line_count; i++)
        if (is_shown(&on->of->lines[i], false))
            chart_points(&to, series_of(&on->of->lines[i]), on->x, on->y,
                         take_points(on, &on->of->lines[i]));
    chart_close(&to);
    fputs("<figcaption>One point a scenario, along cells. The lines: expansion ratios of 1, 10 and "
          "100.</figcaption></figure>\n",
          on->file);
}

static int by_value(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The speed-ups of a line in order, over the percent of the scenarios. */
static size_t take_curve(page *on, const summary_line *line)
{
    size_t count = 0;
    for (size_t i = 0; i < on->of->from->count; i++)
        if (is_of(line, &on->of->from->lines[i]))
            on->y[count++] = on->of->from->lines[i].speed_up;
    qsort(on->y, count, sizeof *on->y, by_value);
    for (size_t i = 0; i < count; i++)
        on->x[i] = count > 1 ? 100.0 * (double)i / (double)(count - 1) : 50;
    return count;
}

static void write_gains(page *on)
{
    double low = 1, high = 1;
    chart to;
    for (size_t i = 0; i < on->of->from->count; i++) {
        const result *of = &on->of->from->lines[i];
        if (of->paths == 0 || !strstr(of->search, "landmarks"))
            continue;
        low = fmin(low, of->speed_up);
        high = fmax(high, of->speed_up);
    }
    fputs("<figure><h2>How many scenarios gain how much</h2>\n", on->file);
    write_key(on, true);
    chart_open(&to, on->file, "How many scenarios gain how much",
               "Speed-ups over the base heuristic along cells, the least first.",
               axis_over("percent of the scenarios", 0, 100, false),
               axis_over("speed-up is at most", low, high, true));
    for (size_t i = 0; i < on->of->line_count; i++) {
        const summary_line *line = &on->of->lines[i];
        if (!is_shown(line, false) && !is_shown(line, true))
            continue;
        size_t count = take_curve(on, line);
        if (count > 1)
            chart_line(&to, series_of(line), is_shown(line, true) ? "dashed" : "", on->x, on->y,
                       count);
        else
            chart_points(&to, series_of(line), on->x, on->y, count);
    }
    chart_close(&to);
    fputs("<figcaption>Geometric means over the queries of a scenario, against the base heuristic "
          "along cells. Dashed: along jump points.</figcaption></figure>\n",
          on->file);
}

/* ------------------------------------------------------------------------------- tables */

/* The table of a line, which may be long, is read from the left. */
static void open_table(const page *on, const char *const *heads)
{
    fputs("<div class=\"wide\"><table class=\"named\"><thead><tr>", on->file);
    for (; *heads; heads++)
        fprintf(on->file, "<th%s>%s</th>", strcmp(*heads, "table") == 0 ? " class=\"text\"" : "",
                *heads);
    fputs("</tr></thead><tbody>\n", on->file);
}

static void close_table(const page *on)
{
    fputs("</tbody></table></div>\n", on->file);
}

/* The smaller value first, of equal ones the earlier result. */
static int in_order(double value, double other_value, const result *of, const result *other)
{
    if (value != other_value)
        return value < other_value ? -1 : 1;
    return (of > other) - (of < other);
}

static int by_least_query(const void *left, const void *right)
{
    const result *a = *(const result *const *)left, *b = *(const result *const *)right;
    return in_order(a->least_ratio, b->least_ratio, a, b);
}

static int by_gain(const void *left, const void *right)
{
    const result *a = *(const result *const *)left, *b = *(const result *const *)right;
    return in_order(a->expansion_ratio, b->expansion_ratio, a, b);
}

static int by_slowest(const void *left, const void *right)
{
    const result *a = *(const result *const *)left, *b = *(const result *const *)right;
    return in_order(-a->slowest_us, -b->slowest_us, a, b);
}

/* The results of searches of that name, or of all that use landmarks, in order. */
static size_t sort_results(page *on, const char *search, int (*compare)(const void *, const void *))
{
    size_t count = 0;
    for (size_t i = 0; i < on->of->from->count; i++) {
        const result *of = &on->of->from->lines[i];
        if (of->paths > 0 &&
            (search ? strcmp(of->search, search) == 0 : strstr(of->search, "landmarks") != NULL))
            on->order[count++] = of;
    }
    qsort(on->order, count, sizeof *on->order, compare);
    return count;
}

static void open_row(const page *on, const result *of)
{
    fputs("<tr><th>", on->file);
    html_text(on->file, result_scenario(of));
    fputs("</th>", on->file);
}

static void add_table(const page *on, const result *of)
{
    fputs("<td class=\"text\">", on->file);
    html_text(on->file, of->table);
    fputs("</td>", on->file);
}

static void write_least(page *on)
{
    static const char *const heads[] = {"gain least in expansions", "expansion ratio", "query",
                                        "table", NULL};
    const size_t count = sort_results(on, "landmarks", by_least_query);
    open_table(on, heads);
    for (size_t i = 0; i < count && i < WORST; i++) {
        const result *of = on->order[i];
        open_row(on, of);
        fprintf(on->file, "<td>%s</td><td>%s</td>", kit_ratio(of->least_ratio, 1).text,
                kit_count(of->least_query).text);
        add_table(on, of);
        fputs("</tr>\n", on->file);
    }
    close_table(on);
}

static void write_slowest(page *on)
{
    static const char *const heads[] = {
        "slowest with landmarks", "time", "query", "search", "table", NULL};
    const size_t count = sort_results(on, NULL, by_slowest);
    open_table(on, heads);
    for (size_t i = 0; i < count && i < WORST; i++) {
        const result *of = on->order[i];
        open_row(on, of);
        fprintf(on->file, "<td>%s</td><td>%s</td><td>", kit_seconds(1e-6 * of->slowest_us).text,
                kit_count(of->slowest_query).text);
        html_text(on->file, of->search);
        fputs("</td>", on->file);
        add_table(on, of);
        fputs("</tr>\n", on->file);
    }
    close_table(on);
}

static void write_worst(page *on)
{
    fputs("<section><h2>The worst queries</h2><div class=\"grid2\">\n", on->file);
    write_least(on);
    write_slowest(on);
    fputs("</div></section>\n", on->file);
}

static void write_scenarios(page *on)
{
    static const char *const heads[] = {
        "scenario",       "expansion ratio", "speed-up", "least of a query",
        "time per query", "queries",         "wrong",    "nodes",
        "rows",           "table",           NULL};
    size_t count = sort_results(on, "landmarks", by_gain);
    fputs("<section><h2>All scenarios</h2><p class=\"dim\">With landmarks, along cells; those that "
          "gain least first.</p>\n",
          on->file);
    open_table(on, heads);
    for (size_t i = 0; i < count; i++) {
        const result *of = on->order[i];
        open_row(on, of);
        fprintf(on->file, "<td>%s</td><td>%s</td><td>%s</td><td>%s</td>",
                kit_ratio(of->expansion_ratio, 1).text, kit_ratio(of->speed_up, 1).text,
                kit_ratio(of->least_ratio, 1).text,
                kit_seconds(1e-6 * of->time_us / (double)of->queries).text);
        fprintf(on->file, "<td>%s</td><td>%s</td><td>%s</td><td>%s</td>",
                kit_count(of->queries).text, kit_count(of->wrong_lengths + of->wrong_costs).text,
                kit_count(of->nodes).text, kit_count(of->rows).text);
        add_table(on, of);
        fputs("</tr>\n", on->file);
    }
    close_table(on);
    fputs("</section>\n", on->file);
}

static void write_parameters(const page *on, const char *command, char *const *words)
{
    fputs("<section><h2>How this was made</h2><div class=\"wide\"><table><tbody>\n", on->file);
    frame_command(on->file, command, words);
    frame_row(on->file, "version", cairn_version());
    if (on->of->from->count > 0)
        frame_row(on->file, "settings", on->of->from->lines[0].settings);
    fputs("</tbody></table></div>\n<p class=\"dim\">Ratios are geometric means, over the queries "
          "of a scenario and then over the scenarios, each of one weight. The intervals are those "
          "of Student's t distribution over the scenarios. Times are wall-clock times of the "
          "machine that measured, one query after the other.</p></section>\n",
          on->file);
}

/* --------------------------------------------------------------------------------- page */

static void write_page(page *on, const char *command, char *const *words)
{
    char name[80];
    snprintf(name, sizeof name, "%s comparison%s", kit_count(on->of->unit_count).text,
             kit_plural(on->of->unit_count));
    frame_open(on->file, "What landmarks do", name);
    fputs("<style>svg .dots{stroke-width:5;stroke-opacity:.75}"
          ".named thead .text{text-align:left}.named thead th{min-width:3.5em}"
          ".named th:first-child{min-width:10em}"
          ".named td.text{min-width:8em}</style>\n",
          on->file);
    fprintf(on->file, "<p class=\"lead\">%s quer%s, %s set%s of tables.</p>\n",
            kit_count(on->of->queries).text, on->of->queries == 1 ? "y" : "ies",
            kit_count(on->of->set_count).text, kit_plural(on->of->set_count));
    if (on->of->queries == 0) {
        write_verdict(on);
    } else {
        write_means(on);
        fputs("<div class=\"grid2\">\n", on->file);
        write_scatter(on);
        write_gains(on);
        fputs("</div>\n", on->file);
        write_worst(on);
        write_scenarios(on);
    }
    write_parameters(on, command, words);
    frame_close(on->file);
}

bool many_page_write(const summary *of, char *const *words, const char *command, const char *path)
{
    size_t room = of->from->count + 1;
    page on = {.of = of,
               .x = calloc(room, sizeof *on.x),
               .y = calloc(room, sizeof *on.y),
               .order = calloc(room, sizeof *on.order)};
    kit_output output;
    bool whole = on.x && on.y && on.order;

    kit_progress_begin("writing %s", kit_file_name(path));
    if (!whole)
        kit_fail(path, CAIRN_E_MEMORY);
    whole = whole && kit_output_open(&output, path);
    if (whole) {
        on.file = output.file;
        write_page(&on, command, words);
        whole = kit_output_commit(&output);
    }
    kit_progress_end();
    free(on.x);
    free(on.y);
    free(on.order);
    return whole;
}
