/* The figures about a single query. */
#include <math.h>
#include <stdlib.h>

#include "kit/say.h"
#include "render/explore.h"
#include "render/scene.h"
#include "report/chart.h"
#include "report/figures.h"
#include "report/frame.h"

enum { POINTS = 60, SHOWN = 10 };

static void add_cell(FILE *file, const char *tag, const char *text)
{
    fprintf(file, "<%s>", tag);
    html_text(file, text);
    fprintf(file, "</%s>", tag);
}

/* ---------------------------------------------------------------------------- explored -- */

typedef struct growth {
    double cost[POINTS];                     /* of a grid, in steps */
    double expanded[TABLES_MAX + 1][POINTS]; /* up to that cost: base heuristic, then tables */
} growth;

/* How many of the marked cells lie within each cost. */
static void count_within(const comparison *work, const cairn_cost *costs, const uint8_t *marks,
                         uint8_t bit, const growth *by, double *counts)
{
    for (cairn_node node = 0; node < cairn_map_node_count(work->map); node++) {
        if (!(marks[node] & bit) || costs[node] == CAIRN_UNREACHABLE)
            continue;
        double cost = cairn_length(work->map, costs[node]);
        for (int i = POINTS - 1; i >= 0 && by->cost[i] >= cost; i--)
            counts[i]++;
    }
}

static cairn_status measure_growth(const comparison *work, size_t query, growth *to)
{
    const cairn_query *asked = &work->queries[query];
    cairn_cost *costs = calloc(cairn_map_node_count(work->map) + 1u, sizeof *costs);
    if (!costs)
        return CAIRN_E_MEMORY;
    cairn_status status = cairn_costs_from(work->map, &asked->start, 1, costs);
    double longest = cairn_length(work->map, costs[asked->goal]);
    for (int i = 0; i < POINTS; i++)
        to->cost[i] = longest * i / (POINTS - 1);
    for (size_t table = 0; table < work->table_count && status == CAIRN_OK; table++) {
        exploration seen;
        status = explore(work->map, work->tables[table], asked->start, asked->goal, &seen);
        if (status == CAIRN_OK && table == 0)
            count_within(work, costs, seen.marks, EXPLORED_BASE, to, to->expanded[0]);
        if (status == CAIRN_OK)
            count_within(work, costs, seen.marks, EXPLORED_LANDMARKS, to, to->expanded[table + 1]);
        exploration_free(&seen);
    }
    free(costs);
    return status;
}

static void growth_numbers(const comparison *work, const growth *of, FILE *file)
{
    const char *heads[TABLES_MAX + 3] = {
        figure_words(work, "cost from the start, in steps", "cost from the start"),
        "base heuristic"};
    for (size_t table = 0; table < work->table_count; table++)
        heads[table + 2] = comparison_with(work, work->tables[table])->name;
    frame_open_numbers(file, heads);
    for (int i = 0; i < POINTS; i += POINTS / SHOWN) {
        fputs("<tr>", file);
        add_cell(file, "th", kit_decimal(of->cost[i]).text);
        for (size_t search = 0; search <= work->table_count; search++)
            add_cell(file, "td", kit_count((uint64_t)of->expanded[search][i]).text);
        fputs("</tr>\n", file);
    }
    frame_close_numbers(file);
}

static void growth_key(const comparison *work, FILE *file)
{
    key_open(file);
    key_add(file, 0, "", "base heuristic");
    for (size_t table = 0; table < work->table_count; table++)
        key_add(file, (unsigned)table + 1, "", comparison_with(work, work->tables[table])->name);
    key_close(file);
}

cairn_status figure_explored(const comparison *work, size_t query, FILE *file)
{
    growth *of = calloc(1, sizeof *of);
    chart on;
    if (!of)
        return CAIRN_E_MEMORY;
    cairn_status status = measure_growth(work, query, of);
    if (status == CAIRN_OK) {
        growth_key(work, file);
        const char *cost = figure_words(work, "cost from the start (g), in steps",
                                        "cost from the start (g)");
        chart_open(&on, file, "Nodes expanded up to each cost",
                   "How many of the expanded nodes are no dearer than so much from the start.",
                   axis_over(cost, 0, of->cost[POINTS - 1], false),
                   axis_over("nodes expanded", 0, of->expanded[0][POINTS - 1], false));
        for (size_t search = 0; search <= work->table_count; search++)
            chart_line(&on, (unsigned)search, "", of->cost, of->expanded[search], POINTS);
        chart_close(&on);
        growth_numbers(work, of, file);
    }
    free(of);
    return status;
}

/* -------------------------------------------------------------------------- along path -- */

/* Costs and bounds at some nodes of a path, of a grid in steps. */
typedef struct profile {
    size_t count;
    double along[POINTS];
    double g[POINTS];
    double h_base[POINTS], h_with[POINTS];
    double f_base[POINTS], f_with[POINTS];
} profile;

static cairn_status fill_profile(const comparison *work, const cairn_query *asked,
                                 const exploration *seen, const cairn_cost *costs, profile *to)
{
    const cairn_map *map = work->map;
    cairn_bound base, with;
    cairn_status status = cairn_bound_to(map, NULL, asked->goal, &base);
    if (status == CAIRN_OK)
        status = cairn_bound_to(map, work->tables[0], asked->goal, &with);
    to->count = seen->path_count < POINTS ? seen->path_count : POINTS;
    for (size_t i = 0; i < to->count && status == CAIRN_OK; i++) {
        size_t place = to->count > 1 ? i * (seen->path_count - 1) / (to->count - 1) : 0;
        cairn_node node = seen->path[place];
        to->along[i] = (double)place;
        to->g[i] = cairn_length(map, costs[node]);
        to->h_base[i] = cairn_length(map, cairn_bound_at(&base, node));
        to->h_with[i] = cairn_length(map, cairn_bound_at(&with, node));
        to->f_base[i] = to->g[i] + to->h_base[i];
        to->f_with[i] = to->g[i] + to->h_with[i];
    }
    return status;
}

static cairn_status measure_profile(const comparison *work, size_t query, profile *to)
{
    const cairn_query *asked = &work->queries[query];
    exploration seen = {0};
    cairn_cost *costs = calloc(cairn_map_node_count(work->map) + 1u, sizeof *costs);
    if (!costs)
        return CAIRN_E_MEMORY;
    cairn_status status = cairn_costs_from(work->map, &asked->start, 1, costs);
    if (status == CAIRN_OK)
        status = explore(work->map, work->tables[0], asked->start, asked->goal, &seen);
    if (status == CAIRN_OK)
        status = fill_profile(work, asked, &seen, costs, to);
    exploration_free(&seen);
    free(costs);
    return status;
}

static void profile_key(FILE *file)
{
    key_open(file);
    key_add(file, 6, "", "g");
    key_add(file, 0, "dashed", "h base");
    key_add(file, 1, "dashed", "h landmarks");
    key_add(file, 0, "", "f base");
    key_add(file, 1, "", "f landmarks");
    key_close(file);
}

static void draw_profile(const comparison *work, const profile *of, FILE *file)
{
    double length = of->g[of->count - 1];
    chart on;
    profile_key(file);
    chart_open(&on, file, "g, h and f along the path",
               "g is the cost from the start, h the bound on the rest, f their sum. Where f is "
               "the cost of the path, the bound is exact: the closer, the fewer other nodes are "
               "expanded.",
               axis_over("steps along the path", 0, of->along[of->count - 1], false),
               axis_over(figure_words(work, "cost, in steps", "cost"), 0, 1.08 * length, false));
    if (length > 0)
        chart_guide(&on, 0, length, of->along[of->count - 1], length, "cost of the path");
    chart_line(&on, 6, "", of->along, of->g, of->count);
    chart_line(&on, 0, "dashed", of->along, of->h_base, of->count);
    chart_line(&on, 1, "dashed", of->along, of->h_with, of->count);
    chart_line(&on, 0, "", of->along, of->f_base, of->count);
    chart_line(&on, 1, "", of->along, of->f_with, of->count);
    chart_close(&on);
}

static void profile_numbers(const profile *of, FILE *file)
{
    static const char *const heads[] = {"step",   "g",           "h base", "h landmarks",
                                        "f base", "f landmarks", NULL};
    size_t stride = of->count / SHOWN + 1;
    frame_open_numbers(file, heads);
    for (size_t i = 0; i < of->count; i += stride) {
        fputs("<tr>", file);
        add_cell(file, "th", kit_count((uint64_t)of->along[i]).text);
        add_cell(file, "td", kit_decimal(of->g[i]).text);
        add_cell(file, "td", kit_decimal(of->h_base[i]).text);
        add_cell(file, "td", kit_decimal(of->h_with[i]).text);
        add_cell(file, "td", kit_decimal(of->f_base[i]).text);
        add_cell(file, "td", kit_decimal(of->f_with[i]).text);
        fputs("</tr>\n", file);
    }
    frame_close_numbers(file);
}

cairn_status figure_along_path(const comparison *work, size_t query, FILE *file)
{
    profile *of = calloc(1, sizeof *of);
    if (!of)
        return CAIRN_E_MEMORY;
    cairn_status status = measure_profile(work, query, of);
    if (status == CAIRN_OK && of->count) {
        draw_profile(work, of, file);
        profile_numbers(of, file);
    }
    free(of);
    return status;
}
