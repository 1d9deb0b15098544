/* The choice of seeds, held to one that visits every cell in every pass of every round. */
#include "codec/seeds.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/twin.h"

enum { PASSES = 4, NEIGHBOURS = 9 };

/* A row of a table, cell by cell. */
typedef struct slow_row {
    uint32_t width, height;
    cairn_cost *costs;
    uint16_t *tight; /* by cell: bit 3 * (dy + 1) + dx + 1 for a tight step from there */
    uint8_t *given, *exact[PASSES], *roots;
    bool *chosen;
    size_t seed_count;
    uint32_t *stack;
} slow_row;

static void *bytes_of(const slow_row *row, size_t size)
{
    void *made = calloc((size_t)row->width * row->height * NEIGHBOURS, size);
    assert_non_null(made);
    return made;
}

static void add_tight_steps(slow_row *row, const cairn_map *map, cairn_node into, bool backwards)
{
    cairn_arc steps[8];
    const uint32_t count = (backwards ? cairn_steps : cairn_steps_to)(map, into, steps, 8);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t from = backwards ? steps[i].to : steps[i].from;
        const int dy = (int)(from / row->width) - (int)(into / row->width);
        const int dx = (int)(from % row->width) - (int)(into % row->width);
        if (row->costs[from] != CAIRN_UNREACHABLE && row->costs[into] != CAIRN_UNREACHABLE &&
            row->costs[from] + steps[i].cost == row->costs[into])
            row->tight[into] |= (uint16_t)(1u << (3 * (dy + 1) + dx + 1));
    }
}

static cairn_cost entry_of(const cairn_map *map, const cairn_table *table, uint32_t index,
                           cairn_node node)
{
    return cn_grid_is_open(&map->grid, node) ? cairn_table_cost(table, index, node)
                                             : CAIRN_UNREACHABLE;
}

static slow_row slow_row_of(const cairn_map *map, const cairn_table *table, uint32_t index)
{
    slow_row row = {.width = table->width, .height = table->height};
    row.costs = bytes_of(&row, sizeof *row.costs);
    row.tight = bytes_of(&row, sizeof *row.tight);
    row.given = bytes_of(&row, 1);
    row.roots = bytes_of(&row, 1);
    row.chosen = bytes_of(&row, sizeof *row.chosen);
    row.stack = bytes_of(&row, sizeof *row.stack);
    for (unsigned pass = 0; pass < PASSES; pass++)
        row.exact[pass] = bytes_of(&row, 1);
    for (uint32_t node = 0; node < row.width * row.height; node++)
        row.costs[node] = entry_of(map, table, index, node);
    for (uint32_t node = 0; node < row.width * row.height; node++)
        add_tight_steps(&row, map, node, cn_table_way(table, index) == CN_REVERSE);
    return row;
}

static void slow_row_free(slow_row *row)
{
    free(row->costs);
    free(row->tight);
    free(row->given);
    free(row->roots);
    free(row->chosen);
    free(row->stack);
    for (unsigned pass = 0; pass < PASSES; pass++)
        free(row->exact[pass]);
}

/* Whether a tight step leads to a cell from an exact one, from the rows dy in first .. last. */
static bool is_reached(const slow_row *row, const uint8_t *exact, uint32_t node, int first,
                       int last)
{
    for (int dy = first; dy <= last; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            if (row->tight[node] >> (3 * (dy + 1) + dx + 1) & 1 &&
                exact[(int64_t)node + dy * (int64_t)row->width + dx])
                return true;
        }
    }
    return false;
}

static void sweep_line(const slow_row *row, const uint8_t *before, uint8_t *exact, uint32_t y,
                       int from)
{
    const uint32_t first = y * row->width, end = first + row->width;
    for (uint32_t node = first; node < end; node++)
        exact[node] = before[node] || is_reached(row, exact, node, from, from);
    for (uint32_t node = first; node < end; node++)
        exact[node] = exact[node] || is_reached(row, exact, node, 0, 0);
    for (uint32_t node = end; node-- > first;)
        exact[node] = exact[node] || is_reached(row, exact, node, 0, 0);
}

static void sweep_all(slow_row *row, cn_sweep_plan plan)
{
    for (unsigned pass = 0; pass < plan.passes; pass++) {
        const bool down = plan.up_first == (pass & 1);
        const uint8_t *before = pass ? row->exact[pass - 1] : row->given;
        memset(row->exact[pass], 0, (size_t)row->width * row->height);
        for (uint32_t i = 0; i < row->height; i++)
            sweep_line(row, before, row->exact[pass], down ? i : row->height - 1 - i,
                       down ? -1 : 1);
    }
}

static bool find_all_roots(slow_row *row, unsigned passes)
{
    const uint8_t *exact = row->exact[passes - 1];
    bool any = false;
    for (uint32_t node = 0; node < row->width * row->height; node++) {
        row->roots[node] = !exact[node] && is_reached(row, exact, node, -1, 1);
        any |= row->roots[node];
    }
    return any;
}

static void stack_roots_around(slow_row *row, uint32_t node, size_t *count)
{
    const uint32_t x = node % row->width, y = node / row->width;
    for (uint32_t j = y ? y - 1 : 0; j <= y + 1 && j < row->height; j++) {
        for (uint32_t i = x ? x - 1 : 0; i <= x + 1 && i < row->width; i++) {
            if (row->roots[j * row->width + i])
                row->stack[(*count)++] = j * row->width + i;
            row->roots[j * row->width + i] = 0;
        }
    }
}

/* The cheapest root of each cluster becomes a seed. */
static void choose_from_clusters(slow_row *row)
{
    for (uint32_t start = 0; start < row->width * row->height; start++) {
        size_t count = 0;
        uint32_t best = start;
        if (!row->roots[start])
            continue;
        stack_roots_around(row, start, &count);
        while (count > 0) {
            const uint32_t node = row->stack[--count];
            best = row->costs[node] < row->costs[best] ? node : best;
            stack_roots_around(row, node, &count);
        }
        row->given[best] = 1;
        row->chosen[best] = true;
        row->seed_count++;
    }
}

static void choose_slowly(slow_row *row, const cairn_table *table, uint32_t index,
                          cn_sweep_plan plan)
{
    const cairn_node *nodes;
    const size_t count = cairn_table_landmarks(table, index, &nodes);

    for (size_t i = 0; i < count; i++)
        row->given[nodes[i]] = 1;
    for (sweep_all(row, plan); find_all_roots(row, plan.passes); sweep_all(row, plan))
        choose_from_clusters(row);
}

static bool is_all_exact(const slow_row *row, unsigned passes)
{
    for (uint32_t node = 0; node < row->width * row->height; node++) {
        if (row->costs[node] != CAIRN_UNREACHABLE && !row->exact[passes - 1][node])
            return false;
    }
    return true;
}

/* The seeds are those that were chosen slowly, and no pass is left that changes nothing. */
static void assert_choice(cn_seed_work *work, const slow_row *row, cn_sweep_plan plan, size_t count)
{
    cn_seed *seeds = malloc((count + 1) * sizeof *seeds);
    assert_non_null(seeds);
    assert_int_equal(count, row->seed_count);
    cn_seeds_list(work, seeds);
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || seeds[i].node > seeds[i - 1].node);
        assert_true(row->chosen[seeds[i].node]);
        assert_int_equal(seeds[i].cost, row->costs[seeds[i].node]);
    }
    assert_true(is_all_exact(row, plan.passes));
    assert_true(plan.passes == 1 || !is_all_exact(row, plan.passes - 1));
    free(seeds);
}

/* As the room packs it: rows of 32 bits, and unreachable cells that leave room for sums. */
static void *plane_of(const cn_codec_layout *layout, const cairn_table *table, uint32_t index)
{
    const cairn_map *map = layout->map;
    uint32_t *plane = cn_codec_plane_new(layout);
    assert_non_null(plane);
    for (uint32_t node = 0; node < table->node_count; node++) {
        const cairn_cost cost = entry_of(map, table, index, node);
        const size_t at = node / table->width * layout->stride + node % table->width;
        if (table->entry_bits == 16)
            ((uint16_t *)plane)[at] = (uint16_t)cost;
        else
            plane[at] = cost == CAIRN_UNREACHABLE ? 0x7fffffff : cost;
    }
    return plane;
}

static void assert_slow_row(const cairn_map *map, const cairn_table *table, uint32_t index,
                            cn_cpu cpu)
{
    const cn_mem mem = cn_mem_from(NULL);
    cn_codec_layout layout;
    cn_seed_work *work;
    assert_int_equal(cn_codec_layout_init(&layout, map, table->metric, table->entry_bits, &mem),
                     CAIRN_OK);
    layout.cpu = cpu < layout.cpu ? cpu : layout.cpu;
    assert_int_equal(cn_seed_work_new(&layout, &work), CAIRN_OK);
    void *costs = plane_of(&layout, table, index);
    const cn_plane plane = {.costs = costs,
                            .bits = table->entry_bits,
                            .most = cn_plane_most(table->entry_bits),
                            .lane_shift = 31,
                            .band = layout.stride,
                            .columns = 1};
    cn_unpacked_row unpacked = {.costs = &plane, .way = cn_table_way(table, index)};
    unpacked.landmarks.count = cairn_table_landmarks(table, index, &unpacked.landmarks.nodes);
    assert_int_equal(cn_seeds_examine(work, &unpacked), CAIRN_OK);
    for (cn_style style = 0; style < CN_STYLES; style++) {
        slow_row row = slow_row_of(map, table, index);
        cn_sweep_plan plan;
        size_t count;
        assert_int_equal(cn_seeds_choose(work, style, SIZE_MAX, &plan, &count), CAIRN_OK);
        choose_slowly(&row, table, index,
                      (cn_sweep_plan){cn_seed_styles[style].plan.passes, plan.up_first});
        assert_choice(work, &row, plan, count);
        slow_row_free(&row);
    }
    cn_seed_work_free(work);
    cn_codec_plane_free(&layout, costs);
    cn_codec_layout_free(&layout);
}

/* Wide, high, narrow, low: some with several tiles of 64 x 64 cells, some with several groups of
 * 8 x 8 tiles in either direction. */
static void seeds_are_those_of_whole_sweeps_over_every_cell(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{200, 200}, {600, 70}, {70, 600}, {64, 64},
                                        {1, 700},   {700, 1},  {130, 65}, {63, 130}};
    for (uint64_t seed = 0; seed < seeds_to(2 * ORACLE_RULES * TERRAIN_KINDS);
         seed = seed_after(seed)) {
        const uint32_t *size = sizes[seed % COUNT_OF(sizes)];
        twin both = twin_sized(seed, (oracle_rule)(seed % ORACLE_RULES),
                               (terrain_kind)(seed / ORACLE_RULES % TERRAIN_KINDS),
                               CAIRN_METRIC_OCTILE, size[0], size[1]);
        if (cairn_map_open_count(both.map) > 0) {
            cairn_table *table = table_with(both.map, 1 + (uint32_t)(seed % 3), 1, seed);
            assert_slow_row(both.map, table, table->row_count - 1, (cn_cpu)(seed % 3));
            cairn_table_free(table);
        }
        twin_free(&both);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeds_are_those_of_whole_sweeps_over_every_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
