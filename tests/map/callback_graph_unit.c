/* Graphs that callbacks tell: how their arcs are asked for. */
#include "support/check.h"
#include "support/fixtures.h"

enum { NODES = 300 };

/* Every node has `degree` arcs to the nodes behind it, around and around. */
typedef struct wheel {
    uint32_t nodes;
    uint32_t degree;
    bool is_lazy;     /* counts no further than one behind the room */
    bool is_rash;     /* writes another node that the arcs leave */
    uint32_t growing; /* from 1 on: each answer is the room and so much more */
    uint64_t asked;
} wheel;

static uint32_t arcs_of(void *context, cairn_node node, cairn_arc *arcs, uint32_t room)
{
    wheel *self = context;
    self->asked++;
    for (uint32_t i = 0; i < room && i < self->degree; i++) {
        assert_int_equal(arcs[i].from, node);
        arcs[i].to = (node + 1 + i) % self->nodes;
        arcs[i].cost = 1 + i % 7;
        if (self->is_rash)
            arcs[i].from = UINT32_MAX - node;
    }
    if (self->growing)
        return room + self->growing;
    return self->is_lazy && self->degree > room ? room + 1 : self->degree;
}

static cairn_status map_of_wheel(wheel *from, cairn_map **map)
{
    cairn_callback_graph graph = {
        .size = sizeof graph, .node_count = from->nodes, .arcs = arcs_of, .context = from};
    return cairn_map_from_callbacks(&graph, NULL, map);
}

static void a_node_that_always_tells_of_more_arcs_is_refused(void **state)
{
    (void)state;
    for (uint32_t growing = 1; growing < 1000; growing *= 3) {
        wheel endless = {.nodes = NODES, .growing = growing};
        cairn_map *map;
        assert_int_equal(map_of_wheel(&endless, &map), CAIRN_E_ARGUMENT);
        assert_null(map);
        assert_true(endless.asked <= 5); /* rooms of 64, 128, 256 and 512 */
    }
    wheel vast = {.nodes = NODES, .growing = UINT32_MAX - 64};
    cairn_map *map;
    assert_int_equal(map_of_wheel(&vast, &map), CAIRN_E_LIMIT);
    assert_null(map);
}

static void parallel_arcs_may_be_more_than_nodes(void **state)
{
    (void)state;
    wheel few = {.nodes = 3, .degree = 5000};
    cairn_map *map;
    assert_int_equal(map_of_wheel(&few, &map), CAIRN_OK);
    assert_int_equal(few.asked, 6);
    assert_int_equal(cairn_map_arc_count(map), 6); /* loops do not count */
    cairn_map_free(map);
}

static void a_callback_that_counts_only_as_far_as_it_writes_gives_the_same_graph(void **state)
{
    (void)state;
    for (uint32_t degree = 1; degree < NODES; degree += 37) {
        wheel exact = {.nodes = NODES, .degree = degree}, lazy = exact;
        cairn_map *first, *second;
        lazy.is_lazy = true;
        assert_int_equal(map_of_wheel(&exact, &first), CAIRN_OK);
        assert_int_equal(map_of_wheel(&lazy, &second), CAIRN_OK);
        assert_int_equal(cairn_map_hash(first), cairn_map_hash(second));
        assert_int_equal(cairn_map_arc_count(first), NODES * degree);
        cairn_map_free(first);
        cairn_map_free(second);
    }
}

static void what_a_callback_writes_as_the_node_that_arcs_leave_does_not_count(void **state)
{
    (void)state;
    wheel plain = {.nodes = NODES, .degree = 5}, rash = plain;
    cairn_map *first, *second;
    rash.is_rash = true;
    assert_int_equal(map_of_wheel(&plain, &first), CAIRN_OK);
    assert_int_equal(map_of_wheel(&rash, &second), CAIRN_OK);
    assert_int_equal(cairn_map_hash(first), cairn_map_hash(second));
    cairn_map_free(first);
    cairn_map_free(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_that_always_tells_of_more_arcs_is_refused),
        cmocka_unit_test(what_a_callback_writes_as_the_node_that_arcs_leave_does_not_count),
        cmocka_unit_test(parallel_arcs_may_be_more_than_nodes),
        cmocka_unit_test(a_callback_that_counts_only_as_far_as_it_writes_gives_the_same_graph),
    };
    return cmocka_run_group_tests_name("callback_graph", tests, NULL, NULL);
}
