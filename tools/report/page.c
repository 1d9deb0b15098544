#include <stdlib.h>
#include <string.h>

#include "kit/metric.h"
#include "kit/nodes.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"
#include "kit/sha256.h"
#include "kit/source.h"
#include "render/explore.h"
#include "render/png_file.h"
#include "render/scene.h"
#include "report/chart.h"
#include "report/figures.h"
#include "report/frame.h"
#include "report/report.h"

typedef struct page {
    const comparison *work;
    FILE *file;
    unsigned done;       /* of PARTS */
    cairn_status status; /* the first failure */
} page;

enum { PARTS = 10 };

/* ------------------------------------------------------------------------------- parts -- */

static void step(page *on)
{
    on->done++;
    if (!kit_progress_step("report", on->done, PARTS) && on->status == CAIRN_OK)
        on->status = CAIRN_E_CANCELLED;
}

static void note(page *on, cairn_status status)
{
    if (on->status == CAIRN_OK)
        on->status = status;
}

static void open_figure(page *on, const char *title)
{
    fputs("<figure><h2>", on->file);
    html_text(on->file, title);
    fputs("</h2>\n", on->file);
}

static void close_figure(page *on, const char *caption)
{
    fputs("<figcaption>", on->file);
    html_text(on->file, caption);
    fputs("</figcaption></figure>\n", on->file);
    step(on);
}

static void write_head(page *on)
{
    frame_open(on->file, "What landmarks do", on->work->table_names[0]);
}

/* The search with a table along jump points; NULL: there is none. */
static const contender *along_jump_points(const comparison *work, const cairn_table *table)
{
    for (size_t i = 0; i < work->search_count; i++) {
        const contender *search = &work->searches[i];
        if (search->table == table && search->space == CAIRN_SPACE_JUMP && !search->is_asked)
            return search;
    }
    return NULL;
}

/* What a search saves beside the base heuristic along cells. */
static void write_gain(page *on, const contender *search, const char *before, const char *between)
{
    const comparison *work = on->work;
    totals base = comparison_totals(comparison_with(work, NULL), 0, work->query_count);
    totals with = comparison_totals(search, 0, work->query_count);

    fprintf(on->file, "%s<b>%s</b>%s<b>%s</b>", before,
            kit_ratio((double)base.expanded, (double)with.expanded).text, between,
            kit_ratio(base.time_us, with.time_us).text);
}

static void write_lead(page *on)
{
    const comparison *work = on->work;
    for (size_t table = 0; table < work->table_count; table++) {
        const unsigned rows = cairn_table_row_count(work->tables[table]);
        const contender *jump = along_jump_points(work, work->tables[table]);
        fputs("<p class=\"lead\">", on->file);
        html_text(on->file, work->table_names[table]);
        fprintf(on->file, ", %u row%s, %s queries: ", rows, kit_plural(rows),
                kit_count(work->query_count).text);
        write_gain(on, comparison_with(work, work->tables[table]), "expansion ratio ",
                   ", speed-up ");
        const char *place = kit_cells_word(work->map, 1);
        fprintf(on->file, " over the base heuristic, both from %s to %s", place, place);
        if (jump) {
            write_gain(on, jump, "; ", " and ");
            fputs(" along jump points, as the library searches", on->file);
        }
        fputs(".</p>\n", on->file);
    }
}

static void write_paired(page *on)
{
    const comparison *work = on->work;
    const contender *first = comparison_with(work, work->tables[0]);
    kit_interval ratio;
    for (size_t table = 1; table < work->table_count; table++) {
        const contender *search = comparison_with(work, work->tables[table]);
        if (!comparison_paired(work, search, first, &ratio)) {
            note(on, CAIRN_E_MEMORY);
            return;
        }
        fputs("<p>", on->file);
        html_text(on->file, search->name);
        fprintf(on->file, ": expansion ratio %.3f over ", ratio.estimate);
        html_text(on->file, first->name);
        fprintf(on->file, " (geometric mean over the queries%s), %s of the totals.</p>\n",
                kit_interval_remark(ratio).text, comparison_of_totals(work, search, first).text);
    }
}

static void row(page *on, const char *name, const char *value)
{
    frame_row(on->file, name, value);
}

static void write_bounds(page *on)
{
    const comparison *work = on->work;
    fputs("<details><summary>What the bounds promise</summary><table><tbody>\n", on->file);
    for (size_t i = 0; i < work->search_count; i++) {
        char text[400];
        if (work->searches[i].space != CAIRN_SPACE_CELLS)
            continue;
        comparison_bound_text(work, &work->searches[i], text, sizeof text);
        row(on, work->searches[i].name, text);
    }
    fputs("</tbody></table></details>\n", on->file);
}

static void write_wrong(page *on)
{
    const comparison *work = on->work;
    char other[OTHER_STEPS_ROOM];
    fprintf(on->file,
            "<p><b>%s lengths are not as published, %s costs not those of the base "
            "heuristic.</b></p>",
            kit_count(work->wrong_lengths).text, kit_count(work->wrong_costs).text);
    if (comparison_other_steps(work, other, sizeof other))
        fprintf(on->file, "<p>%s (%s).</p>", other, comparison_other_queries(work));
}

static void write_totals(page *on)
{
    const comparison *work = on->work;
    totals base = comparison_totals(comparison_with(work, NULL), 0, work->query_count);
    double count = work->query_count ? (double)work->query_count : 1;

    fputs("<section><h2>All queries</h2><div class=\"wide\"><table><thead><tr><th>search</th>"
          "<th>expansion ratio</th><th>speed-up</th><th>expanded</th><th>per query</th>"
          "<th>time</th><th>per query</th><th>generated</th><th>open list at most</th></tr></thead>"
          "<tbody>\n",
          on->file);
    for (size_t i = 0; i < work->search_count; i++) {
        totals sum = comparison_totals(&work->searches[i], 0, work->query_count);
        fputs("<tr><th>", on->file);
        html_name(on->file, work->searches[i].name);
        fprintf(on->file, "</th><td>%s</td><td>%s</td><td>%s</td><td>%s</td>",
                kit_ratio((double)base.expanded, (double)sum.expanded).text,
                kit_ratio(base.time_us, sum.time_us).text, kit_count(sum.expanded).text,
                kit_decimal((double)sum.expanded / count).text);
        fprintf(on->file, "<td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n",
                kit_seconds(1e-6 * sum.time_us).text, kit_seconds(1e-6 * sum.time_us / count).text,
                kit_count(sum.generated).text, kit_count(sum.open_peak).text);
    }
    fputs("</tbody></table></div>\n", on->file);
    write_paired(on);
    write_bounds(on);
    if (work->query_count == 0)
        fputs("<p><b>There is no query, so that nothing was compared.</b></p>", on->file);
    else if (work->wrong_lengths + work->wrong_costs == 0)
        fprintf(on->file, "<p class=\"dim\">%s on every cost%s.</p>",
                comparison_has_lengths(work)
                    ? "Every length is the published one, and all searches agree"
                    : "All searches agree",
                comparison_may_be_longer(work) ? " but those asked for" : "");
    else
        write_wrong(on);
    fputs("</section>\n", on->file);
}

/* ---------------------------------------------------------------------------- pictures -- */

static void write_base64(FILE *file, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                 "0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t word = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                        (left > 2 ? bytes[i + 2] : 0);
        fputc(digits[word >> 18], file);
        fputc(digits[word >> 12 & 63], file);
        fputc(left > 1 ? digits[word >> 6 & 63] : '=', file);
        fputc(left > 2 ? digits[word & 63] : '=', file);
    }
}

static bool has_pictures(const cairn_map *map)
{
    return png_is_built_in() && scene_is_possible(map);
}

static void add_sign(void *file, legend_sign sign, uint32_t rgb, const char *text)
{
    key_sign(file, sign, rgb, text);
}

/* With its legend as words of the page, which wrap, and keep their size where pictures shrink. */
static void write_picture(page *on, scene *of, const char *words)
{
    image drawn;
    size_t size;

    of->is_bare = true;
    of->most_width = 1100;
    of->most_height = 800;
    if (!has_pictures(of->map)) {
        fprintf(on->file, "<p class=\"dim\">%s</p>\n",
                png_is_built_in() ? "A graph without coordinates cannot be drawn."
                                  : "This build has no libpng, and so no pictures.");
        return;
    }
    if (!scene_draw(of, &drawn)) {
        note(on, CAIRN_E_MEMORY);
        return;
    }
    uint8_t *bytes = png_encode(&drawn, &size);
    if (bytes) {
        fprintf(on->file, "<div class=\"%s\"><img width=\"%u\" height=\"%u\" alt=\"",
                of->table ? "wide pan" : "wide", drawn.width, drawn.height);
        html_text(on->file, words);
        fputs("\" src=\"data:image/png;base64,", on->file);
        write_base64(on->file, bytes, size);
        fputs("\"></div>\n", on->file);
        key_open(on->file);
        legend_list(of, add_sign, on->file);
        key_close(on->file);
    } else {
        note(on, CAIRN_E_MEMORY);
    }
    free(bytes);
    image_free(&drawn);
}

static void write_map(page *on)
{
    const comparison *work = on->work;
    if (!scene_is_possible(work->map)) {
        step(on);
        return;
    }
    char caption[160];
    scene of = scene_of(work->map, "");
    of.table = work->tables[0];
    open_figure(on, "The map and its landmarks");
    write_picture(on, &of, "The map, with the landmarks numbered by their rows");
    snprintf(caption, sizeof caption, "%s. %s", kit_map_size(work->map).text,
             work->table_count > 1 ? "Landmarks of the first table."
                                   : "Rows are numbered from the best on.");
    close_figure(on, caption);
}

static void write_query(page *on, const char *name, size_t query)
{
    const comparison *work = on->work;
    const cairn_query *asked = &work->queries[query];
    const bool is_drawn = has_pictures(work->map);
    char title[120], words[240];
    exploration seen;

    snprintf(title, sizeof title, "Query %u: %s to %s", work->numbers[query],
             kit_node_text(work->map, asked->start).text,
             kit_node_text(work->map, asked->goal).text);
    cairn_status status = explore(work->map, work->tables[0], asked->start, asked->goal, &seen);
    note(on, status);
    if (status == CAIRN_OK) {
        snprintf(words, sizeof words, "%s; base heuristic expands %s %s, landmarks %s", title,
                 kit_count(seen.base_count).text, kit_cells_word(work->map, seen.base_count),
                 kit_count(seen.landmarks_count).text);
        scene of = scene_of(work->map, "");
        of.explored = seen.marks;
        of.explored_base = seen.base_count;
        of.explored_landmarks = seen.landmarks_count;
        of.path = seen.path;
        of.path_count = seen.path_count;
        of.start = asked->start;
        of.goal = asked->goal;
        open_figure(on, name);
        write_picture(on, &of, words);
        close_figure(on, is_drawn ? title : words);
    }
    exploration_free(&seen);
}

/* -------------------------------------------------------------------------- parameters -- */

static void row_of_file(page *on, const char *name, const char *path)
{
    kit_sha256 sum;
    char text[120] = "cannot be read";
    if (kit_is_stdin(path))
        snprintf(text, sizeof text, "standard input, which can be read once only");
    else if (kit_is_pipe(path))
        snprintf(text, sizeof text, "a pipe, which can be read once only");
    else if (kit_sha256_file(path, &sum))
        snprintf(text, sizeof text, "SHA-256 %s, %s bytes", sum.text,
                 kit_count(kit_file_size(path)).text);
    row(on, name, text);
}

static void row_of_table(page *on, size_t table)
{
    const cairn_table *of = on->work->tables[table];
    char text[160];
    snprintf(text, sizeof text, "%u rows of %u-bit entries, %s in memory, %s on disk",
             cairn_table_row_count(of), cairn_table_entry_bits(of),
             kit_bytes(cairn_table_memory(of)).text, kit_bytes(on->work->table_sizes[table]).text);
    row(on, on->work->table_names[table], text);
}

static kit_phrase queries_text(const comparison *work)
{
    const kit_text count = kit_count(work->query_count);
    kit_phrase words;
    if (work->every == 1)
        snprintf(words.text, sizeof words.text, "%s, every line of the scenario", count.text);
    else
        snprintf(words.text, sizeof words.text,
                 "%s, one line of %u of the scenario, from the first on", count.text, work->every);
    return words;
}

static void write_parameters(page *on)
{
    const comparison *work = on->work;
    char text[160];

    fputs("<section><h2>How this was made</h2><div class=\"wide\"><table><tbody>\n", on->file);
    frame_command(on->file, "compare", on->work->words);
    row(on, "version", cairn_version());
    snprintf(text, sizeof text, "%s, hash %s", kit_map_size(work->map).text,
             kit_hash(cairn_map_hash(work->map)).text);
    row(on, "map", text);
    row(on, "metric", kit_metric_text(cairn_map_metric(work->map)).text);
    row(on, "queries", queries_text(work).text);
    for (size_t table = 0; table < work->table_count; table++)
        row_of_table(on, table);
    for (size_t table = 0; table < work->table_count; table++)
        row_of_file(on, work->table_names[table], work->table_paths[table]);
    row_of_file(on, kit_file_name(work->scenario_path), work->scenario_path);
    if (work->edits_path) {
        comparison_edits_text(work, text, sizeof text);
        row(on, kit_file_name(work->edits_path), text);
    }
    fputs("</tbody></table></div>\n<p class=\"dim\">", on->file);
    if (cairn_map_kind_of(work->map) == CAIRN_MAP_GRID)
        fputs(
            "Pictures and charts of expansions are of searches along cells; \"jump\" searches run "
            "along jump points and expand only those. ",
            on->file);
    fputs("Times are wall-clock times of this machine, one query after the other.</p></section>\n",
          on->file);
}

/* -------------------------------------------------------------------------------- page -- */

static void figure(page *on, const char *title, const char *caption,
                   bool (*draw)(const comparison *, FILE *))
{
    open_figure(on, title);
    if (!draw(on->work, on->file))
        note(on, CAIRN_E_MEMORY);
    close_figure(on, caption);
}

static void write_charts(page *on)
{
    char times[160];
    fputs("<div class=\"grid2\">\n", on->file);
    figure(on, "Nodes expanded, query by query",
           "One point a query. The lines: expansion ratios of 1, 10 and 100.", figure_scatter);
    figure(on, "Gain by length of the path",
           on->work->table_count == 1
               ? "Median of the queries of similar length; the band holds eight of ten."
               : "Median of the queries of similar length.",
           figure_by_length);
    figure(on, "How many queries gain how much",
           "Expansions of the base heuristic over those with "
           "landmarks.",
           figure_histogram);
    figure_times_caption(on->work, times, sizeof times);
    figure(on, "Time of a query", times, figure_times);
    fputs("</div>\n", on->file);
}

static void write_queries(page *on, const picks *chosen)
{
    write_query(on, "The median query", chosen->median);
    fputs("<div class=\"grid2\">\n", on->file);
    open_figure(on, "Expanded nodes by cost, median query");
    note(on, figure_explored(on->work, chosen->median, on->file));
    close_figure(on, "How many expanded nodes are no dearer than so much from the start.");
    open_figure(on, "g, h and f along the path, median query");
    note(on, figure_along_path(on->work, chosen->median, on->file));
    close_figure(on, "g: cost so far; h: bound on the rest; f = g + h. The bound is exact where "
                     "f is the cost of the path.");
    write_query(on, "The query that gains most", chosen->best);
    write_query(on, "The query that gains least", chosen->worst);
    fputs("</div>\n<p class=\"dim\">Chosen among the harder half of the queries for the "
          "base heuristic.</p>\n",
          on->file);
}

static void write_page(page *on)
{
    picks chosen;
    write_head(on);
    write_lead(on);
    write_totals(on);
    write_map(on);
    if (figures_pick(on->work, &chosen)) {
        write_charts(on);
        write_queries(on, &chosen);
    }
    write_parameters(on);
    frame_close(on->file);
}

bool report_write(const comparison *work, const char *path)
{
    kit_output output;
    if (!kit_output_open(&output, path))
        return false;
    page on = {.work = work, .file = output.file};
    kit_progress_begin("writing %s", kit_file_name(path));
    write_page(&on);
    if (on.status == CAIRN_OK)
        return kit_output_commit(&output);
    kit_output_discard(&output);
    kit_fail(path, on.status);
    return false;
}
