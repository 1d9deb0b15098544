/* The A* core on spaces of five nodes: it needs no grid and no table. */
#include "search/astar_core.h"

#include "support/check.h"
#include "support/failing_allocator.h"

enum { NODES = 5 };

/* Directed arcs by node. The cheapest way from 0 to 4 is 0, 1, 2, 3, 4 at cost 2 + 1 + 3 + 1. */
static const cn_arc leaving[NODES][3] = {
    {{.to = 1, .cost = 2, .arrival = 1},
     {.to = 2, .cost = 4, .arrival = 2},
     {.to = 3, .cost = 9, .arrival = 3}},
    {{.to = 2, .cost = 1, .arrival = 4}, {.to = 3, .cost = 7, .arrival = 5}},
    {{.to = 3, .cost = 3, .arrival = 6}},
    {{.to = 4, .cost = 1, .arrival = 15}},
    {{0}},
};
static const size_t leaving_count[NODES] = {3, 2, 1, 1, 0};

typedef struct toy_graph {
    const cn_arc (*arcs)[3];
    const size_t *counts;
    unsigned *arrivals; /* of each node, as the core passed it on; NULL: not wanted */
} toy_graph;

typedef struct toy_context {
    const toy_graph *graph;
    const cairn_cost *bounds;
} toy_context;

/* In memory of the graph's own: the scratch stays unused. */
static cn_leaving arcs_in_place(const void *context, const cn_visit *visit)
{
    const toy_graph *graph = ((const toy_context *)context)->graph;
    if (graph->arrivals)
        graph->arrivals[visit->node] = visit->arrival;
    return (cn_leaving){graph->arcs[visit->node], graph->counts[visit->node], 0};
}

static cn_leaving arcs_in_scratch(const void *context, const cn_visit *visit)
{
    const toy_graph *graph = ((const toy_context *)context)->graph;
    cn_arc *arcs = visit->scratch->arcs.items;
    memcpy(arcs, graph->arcs[visit->node], sizeof graph->arcs[visit->node]);
    return (cn_leaving){arcs, graph->counts[visit->node], 0};
}

static cairn_cost table_bound(const void *context, cairn_node node)
{
    return ((const toy_context *)context)->bounds[node];
}

#define DEFINE_TOY(name, arcs_of, kind)                                                     \
  static cairn_status name(const toy_graph *graph, const cairn_cost *bounds, cn_scratch *s, \
                           cairn_node start, cairn_node goal, cairn_cost *cost)             \
  {                                                                                         \
    static const cn_space space = {.arcs = arcs_of, .bound = table_bound, .open = kind};    \
    const toy_context context = {graph, bounds};                                            \
    return cn_astar_run(&space, &context, s, start, 9, goal, cost);                         \
  }

DEFINE_TOY(search_heap, arcs_in_place, CN_OPEN_HEAP)
DEFINE_TOY(search_buckets, arcs_in_scratch, CN_OPEN_BUCKETS)

/* One list for all nodes of a line: one or two nodes on. */
static cn_leaving arcs_along_a_line(const void *context, const cn_visit *visit)
{
    static const cn_arc ahead[] = {{.to = 1, .cost = 2}, {.to = 2, .cost = 3}};
    (void)context;
    return (cn_leaving){ahead, visit->node + 2 < NODES ? 2 : visit->node + 1 < NODES, visit->node};
}

DEFINE_TOY(search_line, arcs_along_a_line, CN_OPEN_BUCKETS)

static const toy_graph toy = {leaving, leaving_count, NULL};
static const cairn_cost no_bounds[NODES] = {0};
static const cairn_cost perfect_bounds[NODES] = {7, 5, 4, 1, 0};

/* What a caller does before each search. */
static void prepare(cn_scratch *s)
{
    s->stamp += 1u << CN_STAMP_SHIFT;
    s->limit = CAIRN_UNREACHABLE;
}

static cn_scratch new_scratch(const cn_mem *mem, cn_record *records, uint32_t bucket_count)
{
    static cn_arc arcs[3];
    cn_scratch s = {
        .records = records, .arcs = {.items = arcs, .capacity = 3}, .check_at = UINT64_MAX};
    prepare(&s);
    memset(records, 0, NODES * sizeof *records);
    assert_int_equal(cn_open_init(&s.open, mem, bucket_count), CAIRN_OK);
    return s;
}

static void assert_way(const cn_scratch *s, const cairn_node *nodes, size_t count)
{
    cairn_node node = nodes[count - 1];
    for (size_t i = count; i-- > 0; node = cn_record_parent(&s->records[node]))
        assert_int_equal(node, nodes[i]);
    assert_int_equal(node, nodes[0]);
}

static void the_cheapest_way_is_found_with_either_open_list(void **state)
{
    (void)state;
    static const cairn_node way[] = {0, 1, 2, 3, 4};
    const cn_mem mem = {{0}};
    cn_record records[NODES];
    cairn_cost cost;

    cn_scratch s = new_scratch(&mem, records, 0);
    assert_int_equal(search_heap(&toy, no_bounds, &s, 0, 4, &cost), CAIRN_OK);
    assert_int_equal(cost, 7);
    assert_way(&s, way, 5);
    cn_open_free(&s.open);

    s = new_scratch(&mem, records, 64);
    assert_int_equal(search_buckets(&toy, no_bounds, &s, 0, 4, &cost), CAIRN_OK);
    assert_int_equal(cost, 7);
    assert_way(&s, way, 5);
    cn_open_free(&s.open);
}

static void arcs_have_a_direction(void **state)
{
    (void)state;
    const cn_mem mem = {{0}};
    cn_record records[NODES];
    cn_scratch s = new_scratch(&mem, records, 0);
    cairn_cost cost;
    assert_int_equal(search_heap(&toy, no_bounds, &s, 4, 0, &cost), CAIRN_OK);
    assert_int_equal(cost, CAIRN_UNREACHABLE);
    assert_int_equal(s.expanded, 1);
    cn_open_free(&s.open);
}

static void a_perfect_bound_expands_only_the_way_itself(void **state)
{
    (void)state;
    const cn_mem mem = {{0}};
    cn_record records[NODES];
    cn_scratch s = new_scratch(&mem, records, 0);
    cairn_cost cost;
    assert_int_equal(search_heap(&toy, perfect_bounds, &s, 0, 4, &cost), CAIRN_OK);
    assert_int_equal(cost, 7);
    assert_int_equal(s.expanded, 4);
    cn_open_free(&s.open);
}

static void the_start_may_be_the_goal(void **state)
{
    (void)state;
    const cn_mem mem = {{0}};
    cn_record records[NODES];
    cn_scratch s = new_scratch(&mem, records, 0);
    cairn_cost cost;
    assert_int_equal(search_heap(&toy, no_bounds, &s, 2, 2, &cost), CAIRN_OK);
    assert_int_equal(cost, 0);
    assert_int_equal(s.expanded, 0);
    assert_way(&s, (cairn_node[]){2}, 1);
    cn_open_free(&s.open);
}

/* Node 2 is closed at 4, by the way that seems better, before the way through 1 gives it at 3. */
static void a_bound_that_is_not_consistent_costs_time_and_not_the_result(void **state)
{
    (void)state;
    static const cairn_cost odd_bounds[NODES] = {0, 5, 0, 1, 0};
    const cn_mem mem = {{0}};
    cn_record records[NODES];
    cn_scratch s = new_scratch(&mem, records, 0);
    cairn_cost cost;
    assert_int_equal(search_heap(&toy, odd_bounds, &s, 0, 4, &cost), CAIRN_OK);
    assert_int_equal(cost, 7);
    assert_way(&s, (cairn_node[]){0, 1, 2, 3, 4}, 5);
    assert_true(s.expanded > 4);
    cn_open_free(&s.open);
}

static void what_the_bound_excludes_is_never_expanded(void **state)
{
    (void)state;
    static const cairn_cost without_2[NODES] = {0, 0, CAIRN_UNREACHABLE, 0, 0};
    const cn_mem mem = {{0}};
    cn_record records[NODES];
    cn_scratch s = new_scratch(&mem, records, 0);
    cairn_cost cost;
    assert_int_equal(search_heap(&toy, without_2, &s, 0, 4, &cost), CAIRN_OK);
    assert_int_equal(cost, 10);
    assert_int_equal(cn_record_parent(&records[4]), 3);
    assert_int_not_equal(cn_record_parent(&records[3]), 2);
    cn_open_free(&s.open);
}

static void a_node_learns_how_it_was_arrived_at(void **state)
{
    (void)state;
    unsigned arrivals[NODES] = {0};
    toy_graph listening = {leaving, leaving_count, arrivals};
    const cn_mem mem = {{0}};
    cn_record records[NODES];
    cn_scratch s = new_scratch(&mem, records, 0);
    cairn_cost cost;
    assert_int_equal(search_heap(&listening, no_bounds, &s, 0, 3, &cost), CAIRN_OK);
    assert_int_equal(arrivals[0], 9);
    assert_int_equal(arrivals[1], 1);
    assert_int_equal(arrivals[2], 4);
    cn_open_free(&s.open);
}

static void arcs_count_from_their_origin(void **state)
{
    (void)state;
    static const cairn_cost costs[NODES] = {0, 2, 3, 5, 6};
    const cn_mem mem = {{0}};
    cn_record records[NODES];
    for (cairn_node goal = 0; goal < NODES; goal++) {
        cn_scratch s = new_scratch(&mem, records, 64);
        cairn_cost cost;
        assert_int_equal(search_line(&toy, no_bounds, &s, 0, goal, &cost), CAIRN_OK);
        assert_int_equal(cost, costs[goal]);
        cn_open_free(&s.open);
    }
}

static void one_scratch_serves_search_after_search(void **state)
{
    (void)state;
    static const cairn_cost costs[NODES] = {7, 5, 4, 1, 0};
    const cn_mem mem = {{0}};
    cn_record records[NODES];
    cn_scratch s = new_scratch(&mem, records, 64);
    for (uint32_t run = 0; run < 100; run++) {
        cairn_node start = run * 3 % NODES;
        cairn_cost cost;
        prepare(&s);
        assert_int_equal(search_buckets(&toy, no_bounds, &s, start, 4, &cost), CAIRN_OK);
        assert_int_equal(cost, costs[start]);
    }
    cn_open_free(&s.open);
}

static void a_cost_above_the_limit_is_refused(void **state)
{
    (void)state;
    static const cn_arc dear[NODES][3] = {
        {{.to = 1, .cost = CAIRN_COST_MAX}},
        {{.to = 2, .cost = CAIRN_COST_MAX}},
        {{.to = 3, .cost = CAIRN_COST_MAX}},
        {{.to = 4, .cost = CAIRN_COST_MAX}},
    };
    static const size_t counts[NODES] = {1, 1, 1, 1, 0};
    toy_graph graph = {dear, counts, NULL};
    const cn_mem mem = {{0}};
    cn_record records[NODES];
    cn_scratch s = new_scratch(&mem, records, 0);
    cairn_cost cost;
    assert_int_equal(search_heap(&graph, no_bounds, &s, 0, 4, &cost), CAIRN_E_LIMIT);
    assert_int_equal(cost, CAIRN_UNREACHABLE);
    prepare(&s);
    assert_int_equal(search_heap(&graph, no_bounds, &s, 3, 4, &cost), CAIRN_OK);
    assert_int_equal(cost, CAIRN_COST_MAX);
    cn_open_free(&s.open);
}

static void without_memory_the_search_says_so(void **state)
{
    (void)state;
    failing_allocator failing;
    failing_allocator_init(&failing);
    cn_mem mem = cn_mem_from(&failing.allocator);
    cn_record records[NODES];
    cn_scratch s = new_scratch(&mem, records, 0);
    cairn_cost cost;

    failing_allocator_arm(&failing, 1);
    assert_int_equal(search_heap(&toy, no_bounds, &s, 0, 4, &cost), CAIRN_E_MEMORY);
    assert_int_equal(cost, CAIRN_UNREACHABLE);
    failing_allocator_arm(&failing, 0);
    prepare(&s);
    assert_int_equal(search_heap(&toy, no_bounds, &s, 0, 4, &cost), CAIRN_OK);
    assert_int_equal(cost, 7);
    cn_open_free(&s.open);
    assert_int_equal(atomic_load(&failing.outstanding), 0);
}

static void a_limit_hides_every_way_that_is_not_below_it(void **state)
{
    (void)state;
    const cn_mem mem = {{0}};
    cn_record records[NODES];
    cairn_cost cost;
    for (cairn_cost limit = 1; limit < 20; limit++) {
        cn_scratch s = new_scratch(&mem, records, 64);
        s.limit = limit;
        assert_int_equal(search_buckets(&toy, no_bounds, &s, 0, 4, &cost), CAIRN_OK);
        assert_int_equal(cost, limit > 7 ? 7 : CAIRN_UNREACHABLE);
        cn_open_free(&s.open);
    }
}

static void coarse_keys_cost_time_and_not_the_result(void **state)
{
    (void)state;
    const cn_mem mem = {{0}};
    cn_record records[NODES];
    cairn_cost cost;
    for (unsigned shift = 0; shift < 8; shift++) {
        cn_scratch s = new_scratch(&mem, records, 64);
        s.shift = shift;
        assert_int_equal(search_buckets(&toy, no_bounds, &s, 0, 4, &cost), CAIRN_OK);
        assert_int_equal(cost, 7);
        assert_way(&s, (cairn_node[]){0, 1, 2, 3, 4}, 5);
        cn_open_free(&s.open);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cheapest_way_is_found_with_either_open_list),
        cmocka_unit_test(arcs_have_a_direction),
        cmocka_unit_test(a_perfect_bound_expands_only_the_way_itself),
        cmocka_unit_test(the_start_may_be_the_goal),
        cmocka_unit_test(a_bound_that_is_not_consistent_costs_time_and_not_the_result),
        cmocka_unit_test(what_the_bound_excludes_is_never_expanded),
        cmocka_unit_test(a_node_learns_how_it_was_arrived_at),
        cmocka_unit_test(arcs_count_from_their_origin),
        cmocka_unit_test(one_scratch_serves_search_after_search),
        cmocka_unit_test(a_cost_above_the_limit_is_refused),
        cmocka_unit_test(without_memory_the_search_says_so),
        cmocka_unit_test(a_limit_hides_every_way_that_is_not_below_it),
        cmocka_unit_test(coarse_keys_cost_time_and_not_the_result),
    };
    return cmocka_run_group_tests_name("search_core", tests, NULL, NULL);
}
