#include "report/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kit/say.h"
#include "report/chart.h"
#include "report/frame.h"

/* Expansions and ratios of the queries that have a path, for the base heuristic and one table. */
typedef struct sample {
    size_t count;
    double *base;
    double *with;
    double *ratio;
    double *length;
    size_t *query;
} sample;

static void sample_free(sample *of)
{
    free(of->base);
    free(of->with);
    free(of->ratio);
    free(of->length);
    free(of->query);
    *of = (sample){0};
}

static bool sample_init(sample *of, size_t count)
{
    *of = (sample){0};
    of->base = calloc(count + 1, sizeof *of->base);
    of->with = calloc(count + 1, sizeof *of->with);
    of->ratio = calloc(count + 1, sizeof *of->ratio);
    of->length = calloc(count + 1, sizeof *of->length);
    of->query = calloc(count + 1, sizeof *of->query);
    if (of->base && of->with && of->ratio && of->length && of->query)
        return true;
    sample_free(of);
    return false;
}

/* Counts of nothing stand as one, so that ratios and logarithms exist. */
static double at_least_one(uint64_t count)
{
    return count ? (double)count : 1;
}

static bool sample_take(const comparison *work, size_t table, sample *of)
{
    const run_result *base = comparison_with(work, NULL)->results;
    const run_result *with = comparison_with(work, work->tables[table])->results;
    if (!sample_init(of, work->query_count))
        return false;
    for (size_t i = 0; i < work->query_count; i++) {
        if (base[i].outcome != CAIRN_PATH_FOUND)
            continue;
        of->base[of->count] = at_least_one(base[i].expanded);
        of->with[of->count] = at_least_one(with[i].expanded);
        of->ratio[of->count] = of->base[of->count] / of->with[of->count];
        of->length[of->count] = base[i].length;
        of->query[of->count++] = i;
    }
    return true;
}

static double largest(const double *values, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, values[i]);
    return most;
}

/* ----------------------------------------------------------------------------- picking -- */

typedef struct ranked {
    double ratio;
    size_t query;
} ranked;

static int by_ratio(const void *a_, const void *b_)
{
    const ranked *a = a_, *b = b_;
    if (a->ratio != b->ratio)
        return a->ratio < b->ratio ? -1 : 1;
    return (a->query > b->query) - (a->query < b->query);
}

bool figures_pick(const comparison *work, picks *chosen)
{
    sample of;
    if (!sample_take(work, 0, &of))
        return false;
    double *sorted = calloc(of.count + 1, sizeof *sorted);
    ranked *hard = calloc(of.count + 1, sizeof *hard);
    size_t count = 0;

    for (size_t i = 0; sorted && i < of.count; i++)
        sorted[i] = of.base[i];
    double middle = sorted ? kit_percentile(sorted, of.count, 0.5) : 0;
    for (size_t i = 0; hard && i < of.count; i++)
        if (of.base[i] >= middle)
            hard[count++] = (ranked){of.ratio[i], of.query[i]};
    if (count) {
        qsort(hard, count, sizeof *hard, by_ratio);
        *chosen = (picks){hard[count - 1].query, hard[count / 2].query, hard[0].query};
    }
    free(sorted);
    free(hard);
    sample_free(&of);
    return count > 0;
}

const char *figure_words(const comparison *work, const char *of_grid, const char *of_graph)
{
    return cairn_map_kind_of(work->map) == CAIRN_MAP_GRID ? of_grid : of_graph;
}

/* ------------------------------------------------------------------------------ tables -- */

static void open_row(FILE *file, const char *name)
{
    fputs("<tr><th>", file);
    html_name(file, name);
    fputs("</th>", file);
}

static void add_number(FILE *file, double value)
{
    fprintf(file, "<td>%s</td>", kit_decimal(value).text);
}

static void add_count(FILE *file, size_t count)
{
    fprintf(file, "<td>%s</td>", kit_count(count).text);
}

static void close_row(FILE *file)
{
    fputs("</tr>\n", file);
}

static void write_key(const comparison *work, bool with_base, FILE *file)
{
    key_open(file);
    if (with_base)
        key_add(file, 0, "", "base heuristic");
    for (size_t table = 0; table < work->table_count; table++)
        key_add(file, (unsigned)table + 1, "", comparison_with(work, work->tables[table])->name);
    key_close(file);
}

/* ----------------------------------------------------------------------------- scatter -- */

static void scatter_numbers(const sample *of, const char *name, FILE *file)
{
    double *ratios = calloc(of->count + 1, sizeof *ratios);
    if (!ratios)
        return;
    for (double low = 1; low <= largest(of->base, of->count); low *= 10) {
        size_t count = 0;
        char label[SEARCH_NAME_MAX + 64];
        for (size_t i = 0; i < of->count; i++)
            if (of->base[i] >= low && of->base[i] < 10 * low)
                ratios[count++] = of->ratio[i];
        if (count == 0)
            continue;
        snprintf(label, sizeof label, "%s: %s to %s", name, kit_count((uint64_t)low).text,
                 kit_count((uint64_t)(10 * low)).text);
        open_row(file, label);
        add_count(file, count);
        add_number(file, kit_percentile(ratios, count, 0.1));
        add_number(file, kit_percentile(ratios, count, 0.5));
        add_number(file, kit_percentile(ratios, count, 0.9));
        close_row(file);
    }
    free(ratios);
}

static bool add_scatter(const comparison *work, size_t table, chart *on)
{
    sample of;
    if (!sample_take(work, table, &of))
        return false;
    chart_points(on, (unsigned)table + 1, of.base, of.with, of.count);
    sample_free(&of);
    return true;
}

bool figure_scatter(const comparison *work, FILE *file)
{
    static const char *const heads[] = {
        "expanded by the base heuristic", "queries", "expansion ratio: 10 %", "50 %", "90 %", NULL};
    sample of;
    chart on;
    if (!sample_take(work, 0, &of))
        return false;
    axis x = axis_over("expanded by the base heuristic", 1, largest(of.base, of.count), true);
    axis y = axis_over("expanded with landmarks", 1, x.high, true);
    write_key(work, false, file);
    chart_open(&on, file, "Nodes expanded, query by query",
               "One point a query; the diagonals are expansion ratios of 1, 10 and 100.", x, y);
    for (double ratio = 1; ratio <= 100 && x.high / ratio >= 10; ratio *= 10) {
        char text[16];
        snprintf(text, sizeof text, "%g x", ratio);
        chart_guide(&on, ratio, 1, x.high, x.high / ratio, text);
    }
    bool whole = true;
    for (size_t table = 0; table < work->table_count; table++)
        whole &= add_scatter(work, table, &on);
    chart_close(&on);
    frame_open_numbers(file, heads);
    for (size_t table = 0; table < work->table_count; table++) {
        sample_free(&of);
        if (sample_take(work, table, &of))
            scatter_numbers(&of, comparison_with(work, work->tables[table])->name, file);
    }
    frame_close_numbers(file);
    sample_free(&of);
    return whole;
}

/* -------------------------------------------------------------------------- by length -- */

enum { BINS = 16 };

typedef struct lengths {
    size_t count; /* bins with queries */
    double middle[BINS];
    double low[BINS], median[BINS], high[BINS];
    size_t queries[BINS];
} lengths;

static bool bin_lengths(const sample *of, double longest, lengths *to)
{
    double *ratios = calloc(of->count + 1, sizeof *ratios);
    to->count = 0;
    for (int bin = 0; ratios && bin < BINS; bin++) {
        double from = longest * bin / BINS, until = longest * (bin + 1) / BINS;
        size_t count = 0, place = to->count;
        for (size_t i = 0; i < of->count; i++)
            if (of->length[i] >= from && (of->length[i] < until || bin + 1 == BINS))
                ratios[count++] = of->ratio[i];
        if (count == 0)
            continue;
        to->middle[place] = (from + until) / 2;
        to->queries[place] = count;
        to->low[place] = kit_percentile(ratios, count, 0.1);
        to->median[place] = kit_percentile(ratios, count, 0.5);
        to->high[place] = kit_percentile(ratios, count, 0.9);
        to->count++;
    }
    free(ratios);
    return ratios != NULL;
}

static bool take_lengths(const comparison *work, size_t table, double *longest, lengths *to)
{
    sample of;
    if (!sample_take(work, table, &of))
        return false;
    *longest = largest(of.length, of.count);
    bool whole = bin_lengths(&of, *longest, to);
    sample_free(&of);
    return whole;
}

static void draw_lengths(const comparison *work, const lengths *bins, double longest, FILE *file)
{
    double most = 1;
    chart on;
    for (size_t table = 0; table < work->table_count; table++)
        most = fmax(most, largest(bins[table].high, bins[table].count));
    write_key(work, false, file);
    chart_open(&on, file, "Expansion ratio, by length of the path",
               "The median of the queries of similar length; the band holds eight of ten.",
               axis_over(figure_words(work, "length of the path, in steps", "cost of the path"), 0,
                         longest, false),
               axis_over("expansion ratio", 1, most, true));
    for (size_t table = 0; table < work->table_count; table++) {
        const lengths *of = &bins[table];
        unsigned series = (unsigned)table + 1;
        if (work->table_count == 1)
            chart_band(&on, series, of->middle, of->low, of->high, of->count);
        chart_line(&on, series, "", of->middle, of->median, of->count);
    }
    chart_close(&on);
}

static void list_lengths(const comparison *work, const lengths *bins, FILE *file)
{
    const char *const heads[] = {figure_words(work, "about this many steps", "about this cost"),
                                 "queries",
                                 "expansion ratio: 10 %",
                                 "50 %",
                                 "90 %",
                                 NULL};
    frame_open_numbers(file, heads);
    for (size_t table = 0; table < work->table_count; table++) {
        const lengths *of = &bins[table];
        for (size_t i = 0; i < of->count; i++) {
            char label[SEARCH_NAME_MAX + 32];
            snprintf(label, sizeof label, "%s: %.0f",
                     comparison_with(work, work->tables[table])->name, of->middle[i]);
            open_row(file, label);
            add_count(file, of->queries[i]);
            add_number(file, of->low[i]);
            add_number(file, of->median[i]);
            add_number(file, of->high[i]);
            close_row(file);
        }
    }
    frame_close_numbers(file);
}

bool figure_by_length(const comparison *work, FILE *file)
{
    lengths *bins = calloc(work->table_count, sizeof *bins);
    double longest = 0;
    bool whole = bins != NULL;

    for (size_t table = 0; whole && table < work->table_count; table++)
        whole = take_lengths(work, table, &longest, &bins[table]);
    if (whole) {
        draw_lengths(work, bins, longest, file);
        list_lengths(work, bins, file);
    }
    free(bins);
    return whole;
}

/* -------------------------------------------------------------------------- histogram -- */

enum { COLUMNS = 40 };

static void count_columns(const sample *of, const axis *along, double counts[COLUMNS])
{
    double span = log(along->high / along->low);
    for (int i = 0; i < COLUMNS; i++)
        counts[i] = 0;
    for (size_t i = 0; i < of->count; i++) {
        double place = log(of->ratio[i] / along->low) / span * COLUMNS;
        int column = place < 0 ? 0 : place >= COLUMNS ? COLUMNS - 1 : (int)place;
        counts[column]++;
    }
}

static void draw_columns(chart *on, const comparison *work, size_t table,
                         const double counts[COLUMNS])
{
    double middles[COLUMNS];
    double step = pow(on->x.high / on->x.low, 1.0 / COLUMNS);
    for (int i = 0; i < COLUMNS; i++) {
        double left = on->x.low * pow(step, i);
        middles[i] = left * sqrt(step);
        if (work->table_count == 1 && counts[i] > 0)
            chart_bar(on, 1, left, left * step, counts[i]);
    }
    if (work->table_count > 1)
        chart_line(on, (unsigned)table + 1, "", middles, counts, COLUMNS);
}

static void histogram_numbers(sample *of, const char *name, FILE *file)
{
    static const double shares[] = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};
    open_row(file, name);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        add_number(file, kit_percentile(of->ratio, of->count, shares[i]));
    close_row(file);
}

static double smallest(const double *values, size_t count)
{
    double least = 1;
    for (size_t i = 0; i < count; i++)
        least = fmin(least, values[i]);
    return least;
}

bool figure_histogram(const comparison *work, FILE *file)
{
    static const char *const heads[] = {
        "expansion ratio", "1 %", "5 %", "25 %", "50 %", "75 %", "95 %", "99 %", NULL};
    sample *of = calloc(work->table_count, sizeof *of);
    double(*counts)[COLUMNS] = calloc(work->table_count, sizeof *counts);
    double most = 1, highest = 1, lowest = 1;
    bool whole = of && counts;
    chart on;

    for (size_t table = 0; whole && table < work->table_count; table++) {
        whole = sample_take(work, table, &of[table]);
        highest = fmax(highest, largest(of[table].ratio, of[table].count));
        lowest = fmin(lowest, smallest(of[table].ratio, of[table].count));
    }
    if (whole) {
        axis x = axis_over("expansion ratio over the base heuristic", lowest, highest, true);
        for (size_t table = 0; table < work->table_count; table++) {
            count_columns(&of[table], &x, counts[table]);
            most = fmax(most, largest(counts[table], COLUMNS));
        }
        write_key(work, false, file);
        chart_open(&on, file, "How many queries gain how much",
                   "Queries by the ratio of expansions, base heuristic to landmarks.", x,
                   axis_over("queries", 0, most, false));
        for (size_t table = 0; table < work->table_count; table++)
            draw_columns(&on, work, table, counts[table]);
        chart_close(&on);
        frame_open_numbers(file, heads);
        for (size_t table = 0; table < work->table_count; table++)
            histogram_numbers(&of[table], comparison_with(work, work->tables[table])->name, file);
        frame_close_numbers(file);
    }
    for (size_t table = 0; of && table < work->table_count; table++)
        sample_free(&of[table]);
    free(of);
    free(counts);
    return whole;
}

/* ------------------------------------------------------------------------------- times -- */

static const double time_shares[] = {0.05, 0.1, 0.2, 0.3,  0.4,  0.5, 0.6,
                                     0.7,  0.8, 0.9, 0.95, 0.99, 1};
enum { TIME_SHARES = sizeof time_shares / sizeof *time_shares };

static bool time_curve(const comparison *work, const contender *search, double curve[TIME_SHARES])
{
    double *times = calloc(work->query_count + 1, sizeof *times);
    for (size_t i = 0; times && i < work->query_count; i++)
        times[i] = search->results[i].time_us;
    for (size_t i = 0; times && i < TIME_SHARES; i++)
        curve[i] = kit_percentile(times, work->query_count, time_shares[i]);
    free(times);
    return times != NULL;
}

/* Dashed lines are searches along jump points, dotted ones know the exact costs to the goal. */
static const char *style_of(const contender *search)
{
    return search->goal_costs ? "dotted" : search->space == CAIRN_SPACE_CELLS ? "" : "dashed";
}

static bool has_style(const comparison *work, const char *style)
{
    for (size_t search = 0; search < work->search_count; search++)
        if (strcmp(style_of(&work->searches[search]), style) == 0)
            return true;
    return false;
}

void figure_times_caption(const comparison *work, char *text, size_t size)
{
    const bool dashed = has_style(work, "dashed"), dotted = has_style(work, "dotted");
    snprintf(text, size, "The percent of the queries that take at most so long.%s%s%s",
             dashed ? " Dashed: along jump points" : "",
             !dotted  ? ""
             : dashed ? "; dotted: exact heuristic"
                      : " Dotted: exact heuristic",
             dashed || dotted ? "." : "");
}

static unsigned series_of(const comparison *work, const contender *search)
{
    for (size_t table = 0; table < work->table_count; table++)
        if (search->table == work->tables[table])
            return (unsigned)table + 1;
    return 0;
}

static void draw_times(const comparison *work, double (*curves)[TIME_SHARES], FILE *file)
{
    double percents[TIME_SHARES], low = 1e9, high = 0;
    char caption[160];
    chart on;
    for (size_t i = 0; i < TIME_SHARES; i++)
        percents[i] = 100 * time_shares[i];
    for (size_t search = 0; search < work->search_count; search++) {
        low = fmin(low, curves[search][0]);
        high = fmax(high, curves[search][TIME_SHARES - 1]);
    }
    write_key(work, true, file);
    figure_times_caption(work, caption, sizeof caption);
    chart_open(&on, file, "Time of a query", caption,
               axis_over("percent of the queries", 0, 100, false),
               axis_over("microseconds", low, high, true));
    for (size_t search = 0; search < work->search_count; search++)
        chart_line(&on, series_of(work, &work->searches[search]), style_of(&work->searches[search]),
                   percents, curves[search], TIME_SHARES);
    chart_close(&on);
}

bool figure_times(const comparison *work, FILE *file)
{
    static const char *const heads[] = {"microseconds", "5 %",  "10 %", "20 %", "30 %",
                                        "40 %",         "50 %", "60 %", "70 %", "80 %",
                                        "90 %",         "95 %", "99 %", "most", NULL};
    double(*curves)[TIME_SHARES] = calloc(work->search_count, sizeof *curves);
    bool whole = curves != NULL;

    for (size_t search = 0; whole && search < work->search_count; search++)
        whole = time_curve(work, &work->searches[search], curves[search]);
    if (whole) {
        draw_times(work, curves, file);
        frame_open_numbers(file, heads);
        for (size_t search = 0; search < work->search_count; search++) {
            open_row(file, work->searches[search].name);
            for (size_t i = 0; i < TIME_SHARES; i++)
                add_number(file, curves[search][i]);
            close_row(file);
        }
        frame_close_numbers(file);
    }
    free(curves);
    return whole;
}
