/* Roads whose arcs cost less than when their table was built, and tables that count the steps of
 * roads: every path is a shortest one, and rows that save little beside what they cost at each node
 * are left out of a query. */
#include "support/check.h"
#include "support/fixtures.h"
#include "support/twin.h"

enum { SIDE = 40, NODES = SIDE * SIDE, FAST_EVERY = 10, ROWS = 16, QUERIES = 3 };

/* Blocks of these lengths, one after the other. */
static uint32_t block_length(uint32_t place)
{
    static const uint32_t lengths[] = {1, 2, 7, 4};
    return lengths[place % COUNT_OF(lengths)];
}

static void add_road(twin *made, cairn_arc *arcs, uint32_t from, uint32_t to, bool is_fast,
                     dice *luck)
{
    const uint32_t place = from < to ? from : to;
    const bool is_across = from / SIDE == to / SIDE;
    const uint32_t length = block_length(is_across ? place % SIDE : place / SIDE);
    const cairn_cost least = is_fast ? 40 : 100;
    const cairn_cost cost = length * (least + dice_below(luck, least));
    arcs[made->arcs.count] = (cairn_arc){from, to, cost};
    made->arcs.list[made->arcs.count++] = (oracle_arc){from, to, cost};
}

/* A town of blocks, with coordinates, in which some streets are fast. Each arc has a cost of its
 * own. */
static twin town(dice *luck)
{
    twin made = {.arcs = {.node_count = NODES}, .is_directed = true};
    cairn_arc *arcs = calloc(4 * NODES, sizeof *arcs);
    made.arcs.list = calloc(4 * NODES, sizeof *made.arcs.list);
    made.x = calloc(NODES, sizeof *made.x);
    made.y = calloc(NODES, sizeof *made.y);
    assert_true(arcs && made.arcs.list && made.x && made.y);
    for (uint32_t node = 0; node < NODES; node++) {
        const uint32_t x = node % SIDE, y = node / SIDE;
        made.x[node] = x ? made.x[node - 1] + 1000 * (int32_t)block_length(x - 1) : 0;
        made.y[node] = y ? made.y[node - SIDE] + 1000 * (int32_t)block_length(y - 1) : 0;
        for (unsigned back = 0; back < 2; back++) {
            if (x + 1 < SIDE)
                add_road(&made, arcs, node + back, node + 1 - back, y % FAST_EVERY == 0, luck);
            if (y + 1 < SIDE)
                add_road(&made, arcs, node + back * SIDE, node + SIDE - back * SIDE,
                         x % FAST_EVERY == 0, luck);
        }
    }
    assert_int_equal(
        cairn_map_from_arcs(NODES, arcs, made.arcs.count, made.x, made.y, NULL, &made.map, NULL),
        CAIRN_OK);
    free(arcs);
    return made;
}

/* One arc takes a share of its cost, in percent. */
static void fall(twin *both, dice *luck, uint32_t percent)
{
    const oracle_arc *arc = &both->arcs.list[dice_below(luck, (uint32_t)both->arcs.count)];
    const uint32_t cost = (uint32_t)arc->cost * percent / 100;
    const cairn_edit edit = cairn_arc_cost(arc->from, arc->to, cost ? cost : 1);
    assert_int_equal(cairn_map_edit(both->map, &edit, 1), CAIRN_OK);
    twin_set_arc(both, arc->from, arc->to, edit.arc.cost);
}

/* What queries expanded, along the table and without it. */
typedef struct tally {
    uint64_t with, without;
    unsigned queries, fresh; /* for so many of these the rows were said to be fresh */
} tally;

static void count_path(tally *sum, const cairn_path *with, const cairn_path *without)
{
    sum->with += with->expanded;
    sum->without += without->expanded;
    sum->queries++;
    sum->fresh += with->state == CAIRN_ROW_FRESH;
}

static void assert_path(const twin *both, const cairn_path *path, uint64_t cost)
{
    assert_int_equal(path->outcome, CAIRN_PATH_FOUND);
    assert_int_equal(path->cost, cost);
    assert_int_equal(oracle_arc_path(&both->arcs, path->nodes, path->node_count), cost);
}

/* Asks some queries of both searches; adds those for which rows were used, and the others. */
static void ask(const twin *both, cairn_search *along, cairn_search *bare, dice *luck, tally *used,
                tally *left_out)
{
    const cairn_node goal = dice_below(luck, NODES);
    uint64_t *costs = oracle_arc_costs(&both->arcs, ORACLE_TO, &goal, 1);
    for (unsigned i = 0; i < QUERIES; i++) {
        const cairn_node start = dice_below(luck, NODES);
        cairn_path with, without;
        assert_int_equal(cairn_search_run(along, start, goal, &with), CAIRN_OK);
        assert_path(both, &with, costs[start]);
        assert_int_equal(cairn_search_run(bare, start, goal, &without), CAIRN_OK);
        assert_path(both, &without, costs[start]);
        count_path(with.row_count ? used : left_out, &with, &without);
    }
    free(costs);
}

static cairn_table *rows_on(cairn_map *map, bool counts_steps)
{
    const cairn_metric steps = {counts_steps, counts_steps};
    return table_built(map, (cairn_build_options){.landmark_count = ROWS,
                                                  .thread_count = 1,
                                                  .placement = CAIRN_PLACE_FARTHEST,
                                                  .step_metric = steps});
}

/* Gates cost about as much at each node as the rest of an expansion, and where many arcs fell they
 * leave little of what rows say. Of queries that use rows all the same, much is saved. */
static void rows_by_gates_save_much_or_are_left_out(void **state)
{
    enum { ROUNDS = 60, FALLS = 2, SAVED = 4 };
    static const uint32_t percents[] = {66, 30, 10};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(percents); i++) {
        dice luck = {i + 1};
        twin both = town(&luck);
        cairn_table *table = rows_on(both.map, false);
        cairn_search *along = search_with(both.map, table, (cairn_search_options){0});
        cairn_search *bare = search_with(both.map, NULL, (cairn_search_options){0});
        tally used = {0}, left_out = {0};
        for (unsigned round = 0; round < ROUNDS; round++) {
            for (unsigned k = 0; k < FALLS; k++)
                fall(&both, &luck, percents[i]);
            ask(&both, along, bare, &luck, &used, &left_out);
        }
        assert_true(used.queries > ROUNDS * QUERIES / 4);
        assert_true(left_out.queries > 0 && left_out.fresh * 10 < left_out.queries);
        assert_true(used.with * SAVED < used.without);
        assert_int_equal(left_out.with, left_out.without);
        cairn_search_free(along);
        cairn_search_free(bare);
        cairn_table_free(table);
        twin_free(&both);
    }
}

/* Where most arcs cost many times as much as the cheapest, what they count tells less than
 * coordinates do. */
static void rows_that_count_steps_of_roads_expand_no_more_than_none(void **state)
{
    (void)state;
    dice luck = {5};
    twin both = town(&luck);
    cairn_table *table = rows_on(both.map, true);
    cairn_search *along = search_with(both.map, table, (cairn_search_options){0});
    cairn_search *bare = search_with(both.map, NULL, (cairn_search_options){0});
    for (unsigned round = 0; round < 20; round++) {
        tally all = {0};
        ask(&both, along, bare, &luck, &all, &all);
        assert_true(all.with <= all.without);
    }
    cairn_search_free(along);
    cairn_search_free(bare);
    cairn_table_free(table);
    twin_free(&both);
}

/* Rows that are left out of one query serve the next, in slices too, and while the table is
 * refreshed between them. */
static void rows_come_and_go_between_slices_and_refreshes(void **state)
{
    enum { ROUNDS = 40 };
    (void)state;
    dice luck = {9};
    twin both = town(&luck);
    cairn_table *table = rows_on(both.map, false);
    cairn_search *search = search_with(both.map, table,
                                       (cairn_search_options){.expansion_limit = 40});
    for (unsigned round = 0; round < ROUNDS; round++) {
        const cairn_node start = dice_below(&luck, NODES), goal = dice_below(&luck, NODES);
        uint64_t *costs = NULL;
        cairn_path path;
        for (unsigned i = 0; i < 3; i++)
            fall(&both, &luck, 20 + dice_below(&luck, 70));
        costs = oracle_arc_costs(&both.arcs, ORACLE_TO, &goal, 1);
        assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
        while (path.outcome == CAIRN_PATH_PAUSED) {
            if (dice_below(&luck, 4) == 0)
                (void)step_now(table, both.map, CAIRN_CELLS(dice_below(&luck, 500)));
            assert_int_equal(cairn_search_resume(search, 40, &path), CAIRN_OK);
        }
        assert_path(&both, &path, costs[start]);
        free(costs);
    }
    cairn_search_free(search);
    cairn_table_free(table);
    twin_free(&both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_by_gates_save_much_or_are_left_out),
        cmocka_unit_test(rows_that_count_steps_of_roads_expand_no_more_than_none),
        cmocka_unit_test(rows_come_and_go_between_slices_and_refreshes),
    };
    return cmocka_run_group_tests_name("fallen_arcs", tests, NULL, NULL);
}
