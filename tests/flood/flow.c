/* Floods and flow fields as callers have them, against the oracle, on maps of every kind. */
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/storm.h"

enum { SEEDS = 3, ROUNDS = 3, TARGETS_MAX = 4, MANY_TARGETS = 200, DEGREE_MAX = 512 };

static const char *const vectors[] = {"off", "avx2", "avx512"};

/* What a step of each number does to column and row. */
static const int step_x[] = {1, -1, 0, 0, 1, -1, 1, -1};
static const int step_y[] = {0, 0, 1, -1, 1, 1, -1, -1};

/* The number by which the tests know a step of a grid or an arc of a graph. */
static unsigned number_of(const twin *both, cairn_node from, cairn_node to, uint32_t index)
{
    if (cairn_map_kind_of(both->map) == CAIRN_MAP_GRAPH)
        return index;
    uint32_t ax, ay, bx, by;
    cairn_node_xy(both->map, from, &ax, &ay);
    cairn_node_xy(both->map, to, &bx, &by);
    int dx = (int)bx - (int)ax, dy = (int)by - (int)ay;
    /* Odd rows of hexagons lie half a cell further east. */
    if (both->rule == ORACLE_HEX && dy != 0)
        dx = 2 * dx + 1 - 2 * (int)(ay % 2);
    for (unsigned step = 0; step < 8; step++) {
        if (step_x[step] == dx && step_y[step] == dy)
            return step;
    }
    fail_msg("a step from %u to %u", from, to);
    return CAIRN_FLOW_NONE;
}

/* The lowest number of a step whose cost is what the costs differ by. */
static unsigned expected_step(const twin *both, const uint64_t *costs, cairn_node node)
{
    static cairn_arc steps[DEGREE_MAX];
    unsigned least = CAIRN_FLOW_NONE;
    if (costs[node] == 0)
        return CAIRN_FLOW_TARGET;
    uint32_t count = cairn_steps(both->map, node, steps, DEGREE_MAX);
    for (uint32_t i = 0; i < count && costs[node] != ORACLE_NEVER; i++) {
        uint64_t there = costs[steps[i].to];
        uint64_t cost = oracle_arc_between(&both->arcs, node, steps[i].to);
        unsigned number = number_of(both, node, steps[i].to, i);
        if (there != ORACLE_NEVER && there + cost == costs[node] && number < least)
            least = number;
    }
    return least;
}

static void assert_flow(const twin *both, cairn_flood *flood, dice *luck)
{
    const cairn_node node_count = cairn_map_node_count(both->map);
    cairn_cost *costs = malloc(node_count * sizeof *costs);
    uint8_t *flow = malloc(node_count), *again = malloc(node_count);
    cairn_node targets[TARGETS_MAX];
    size_t count = twin_draw_nodes(both, luck, targets, TARGETS_MAX);
    uint64_t *expected = oracle_arc_costs(&both->arcs, ORACLE_TO, targets, count);

    assert_int_equal(cairn_flood_flow(flood, targets, count, flow, costs), CAIRN_OK);
    assert_int_equal(cairn_flood_flow(flood, targets, count, again, NULL), CAIRN_OK);
    assert_memory_equal(flow, again, node_count);
    for (cairn_node node = 0; node < node_count; node++) {
        assert_int_equal(costs[node], cost_of(expected[node]));
        assert_int_equal(flow[node], expected_step(both, expected, node));
        cairn_node next = cairn_flow_next(both->map, flow, node);
        if (flow[node] >= CAIRN_FLOW_TARGET)
            assert_int_equal(next, CAIRN_NO_NODE);
        else
            assert_int_equal(expected[next] + oracle_arc_between(&both->arcs, node, next),
                             expected[node]);
    }
    free(expected);
    free(again);
    free(flow);
    free(costs);
}

static void assert_costs(const twin *both, cairn_flood *flood, dice *luck)
{
    const cairn_node node_count = cairn_map_node_count(both->map);
    cairn_cost *costs = malloc(node_count * sizeof *costs);
    cairn_node sources[TARGETS_MAX];
    size_t count = twin_draw_nodes(both, luck, sources, TARGETS_MAX);
    uint64_t *from = oracle_arc_costs(&both->arcs, ORACLE_FROM, sources, count);
    uint64_t *to = oracle_arc_costs(&both->arcs, ORACLE_TO, sources, count);

    assert_int_equal(cairn_flood_from(flood, sources, count, costs), CAIRN_OK);
    for (cairn_node node = 0; node < node_count; node++)
        assert_int_equal(costs[node], cost_of(from[node]));
    assert_int_equal(cairn_flood_to(flood, sources, count, costs), CAIRN_OK);
    for (cairn_node node = 0; node < node_count; node++)
        assert_int_equal(costs[node], cost_of(to[node]));
    free(from);
    free(to);
    free(costs);
}

/* A field, and the map that it is for. */
typedef struct followed {
    cairn_node targets[MANY_TARGETS];
    size_t target_count;
    uint64_t hash;
    uint8_t *flow, *expected_flow;
    cairn_cost *costs, *expected_costs;
} followed;

static followed followed_room(cairn_node node_count)
{
    return (followed){.flow = malloc(node_count),
                      .expected_flow = malloc(node_count),
                      .costs = malloc(node_count * sizeof(cairn_cost)),
                      .expected_costs = malloc(node_count * sizeof(cairn_cost))};
}

static followed followed_new(const twin *both, cairn_flood *flood, dice *luck)
{
    followed field = followed_room(cairn_map_node_count(both->map));
    field.hash = cairn_map_hash(both->map);
    field.target_count = twin_draw_nodes(both, luck, field.targets,
                                         dice_below(luck, 3) ? TARGETS_MAX : MANY_TARGETS);
    assert_int_equal(
        cairn_flood_flow(flood, field.targets, field.target_count, field.flow, field.costs),
        CAIRN_OK);
    return field;
}

static void followed_free(followed *field)
{
    free(field->flow);
    free(field->expected_flow);
    free(field->costs);
    free(field->expected_costs);
}

/* Targets that are blocked now are left out, which is a new field. */
static void leave_out_blocked(followed *field, const twin *both, cairn_flood *flood)
{
    size_t left = 0;
    for (size_t i = 0; i < field->target_count; i++) {
        if (twin_is_open(both, field->targets[i]))
            field->targets[left++] = field->targets[i];
    }
    if (left == field->target_count)
        return;
    field->target_count = left;
    assert_int_equal(cairn_flood_flow(flood, field->targets, left, field->flow, field->costs),
                     CAIRN_OK);
    field->hash = cairn_map_hash(both->map);
}

static void assert_repaired(followed *field, const twin *both, cairn_flood *flood)
{
    const cairn_node node_count = cairn_map_node_count(both->map);
    leave_out_blocked(field, both, flood);
    assert_int_equal(cairn_flow_repair(flood, field->targets, field->target_count, field->hash,
                                       field->flow, field->costs),
                     CAIRN_OK);
    assert_int_equal(cairn_flood_flow(flood, field->targets, field->target_count,
                                      field->expected_flow, field->expected_costs),
                     CAIRN_OK);
    assert_memory_equal(field->costs, field->expected_costs, node_count * sizeof(cairn_cost));
    assert_memory_equal(field->flow, field->expected_flow, node_count);
    field->hash = cairn_map_hash(both->map);
}

/* Repaired after one edit or several; now and then from a hash that the map never had. */
static void fields_follow_edits(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        for (unsigned kind = 0; kind < STORM_KINDS; kind++) {
            twin both = storm_twin(kind, seed + 100);
            dice luck = {seed * STORM_KINDS + kind + 1};
            cairn_flood *flood;
            assert_int_equal(cairn_flood_new(both.map, &flood), CAIRN_OK);
            followed field = followed_new(&both, flood, &luck);
            for (unsigned round = 0; round < 8 * ROUNDS; round++) {
                storm_edit_often(&both, &luck, dice_below(&luck, 3));
                field.hash += dice_below(&luck, 10) == 0;
                assert_repaired(&field, &both, flood);
            }
            followed_free(&field);
            cairn_flood_free(flood);
            twin_free(&both);
        }
    }
}

/* Large enough that what edits of single cells change is less than a flood. */
static void small_edits_of_larger_maps_are_repaired(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TERRAIN_KINDS * ORACLE_RULES; i++) {
        twin both = twin_sized(i + 500, (oracle_rule)(i % ORACLE_RULES),
                               (terrain_kind)(i / ORACLE_RULES), CAIRN_METRIC_OCTILE, 90, 70);
        dice luck = {i + 1};
        cairn_flood *flood;
        assert_int_equal(cairn_flood_new(both.map, &flood), CAIRN_OK);
        followed field = followed_new(&both, flood, &luck);
        for (unsigned round = 0; round < 20; round++) {
            storm_edit_often(&both, &luck, 1);
            assert_repaired(&field, &both, flood);
        }
        followed_free(&field);
        cairn_flood_free(flood);
        twin_free(&both);
    }
}

static void draw_open_target(const cairn_map *map, dice *luck, followed *field)
{
    field->target_count = 1;
    do
        field->targets[0] = dice_below(luck, cairn_map_node_count(map));
    while (!cairn_map_is_open(map, field->targets[0]));
}

/* A field of `hash` is repaired, by an object that uses the map, to what a flood of the map gives
 * now. */
static void assert_repaired_by(cairn_flood *flood, followed *field, const cairn_map *map)
{
    const cairn_node node_count = cairn_map_node_count(map);
    cairn_flood *fresh;
    assert_int_equal(cairn_flood_new(map, &fresh), CAIRN_OK);
    if (!cairn_map_is_open(map, field->targets[0]))
        field->target_count = 0;
    assert_int_equal(cairn_flow_repair(flood, field->targets, field->target_count, field->hash,
                                       field->flow, field->costs),
                     CAIRN_OK);
    assert_int_equal(cairn_flood_flow(fresh, field->targets, field->target_count,
                                      field->expected_flow, field->expected_costs),
                     CAIRN_OK);
    assert_memory_equal(field->costs, field->expected_costs, node_count * sizeof(cairn_cost));
    assert_memory_equal(field->flow, field->expected_flow, node_count);
    field->hash = cairn_map_hash(map);
    cairn_flood_free(fresh);
}

/* The same by an object of its own, whatever made the field. */
static void assert_repaired_on(followed *field, const cairn_map *map)
{
    cairn_flood *flood;
    assert_int_equal(cairn_flood_new(map, &flood), CAIRN_OK);
    assert_repaired_by(flood, field, map);
    cairn_flood_free(flood);
}

/* Edits of the map below, which change openness, factors and directions of whole units. */
static void fields_on_unit_maps_follow_edits_of_the_map_below(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TERRAIN_KINDS * ORACLE_RULES; i++) {
        twin both = twin_sized(i + 900, (oracle_rule)(i % ORACLE_RULES),
                               (terrain_kind)(i / ORACLE_RULES), CAIRN_METRIC_OCTILE, 45, 40);
        dice luck = {i + 1};
        cairn_map *units;
        assert_int_equal(
            cairn_map_for_units(both.map, 2 + i % 2,
                                i % 4 < 2 ? CAIRN_ANCHOR_TOP_LEFT : CAIRN_ANCHOR_MIDDLE, &units),
            CAIRN_OK);
        if (cairn_map_open_count(units)) {
            followed field = followed_room(cairn_map_node_count(both.map));
            draw_open_target(units, &luck, &field);
            field.hash = 0; /* of no map: everything is computed */
            for (unsigned round = 0; round < 10; round++) {
                assert_repaired_on(&field, units);
                storm_edit_often(&both, &luck, 1 + round % 2);
            }
            followed_free(&field);
        }
        cairn_map_free(units);
        twin_free(&both);
    }
}

/* Readers have one copy after another, each with the edits that it missed, and so do fields. */
static void fields_follow_a_world_from_copy_to_copy(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < STORM_GRIDS; kind++) {
        twin both = storm_twin(kind, 300 + kind);
        dice luck = {kind + 1};
        cairn_map *map;
        cairn_world *world;
        if (cairn_map_open_count(both.map) == 0) {
            twin_free(&both);
            continue;
        }
        assert_int_equal(cairn_map_clone(both.map, &map), CAIRN_OK);
        followed field = followed_room(cairn_map_node_count(both.map));
        draw_open_target(map, &luck, &field);
        field.hash = 0;
        assert_repaired_on(&field, map);
        followed other = followed_room(cairn_map_node_count(both.map));
        draw_open_target(map, &luck, &other);
        other.hash = 0;
        cairn_flood *flood;
        assert_int_equal(cairn_flood_new(map, &flood), CAIRN_OK);
        assert_repaired_by(flood, &other, map);
        assert_int_equal(cairn_world_new(map, NULL, &world), CAIRN_OK);
        for (unsigned round = 0; round < 8; round++) {
            storm_batch batch;
            storm_draw(&both, &luck, &batch);
            assert_int_equal(cairn_world_edit(world, batch.edits, batch.count), CAIRN_OK);
            assert_int_equal(cairn_world_publish(world), CAIRN_OK);
            cairn_view view = cairn_world_acquire(world);
            assert_repaired_on(&field, view.map);
            assert_int_equal(cairn_flood_use(flood, view.map), CAIRN_OK);
            assert_repaired_by(flood, &other, view.map);
            cairn_world_release(world, &view);
        }
        cairn_flood_free(flood);
        followed_free(&other);
        followed_free(&field);
        cairn_world_free(world);
        twin_free(&both);
    }
}

static void a_blocked_target_leaves_a_field_as_it_is(void **state)
{
    (void)state;
    picture drawn = PICTURE("...");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_flood *flood;
    uint8_t flow[3];
    cairn_cost costs[3];
    const cairn_node target = 1;
    const uint64_t hash = cairn_map_hash(map);
    cairn_edit edit = cairn_block(1, 0);
    assert_int_equal(cairn_flood_new(map, &flood), CAIRN_OK);
    assert_int_equal(cairn_flood_flow(flood, &target, 1, flow, costs), CAIRN_OK);
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    assert_int_equal(cairn_flow_repair(flood, &target, 1, hash, flow, costs), CAIRN_E_ARGUMENT);
    assert_int_equal(costs[1], 0);
    assert_int_equal(flow[0], 0);
    assert_int_equal(cairn_flow_repair(NULL, &target, 1, hash, flow, costs), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_flow_repair(flood, NULL, 1, hash, flow, costs), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_flow_repair(flood, &target, 1, hash, NULL, costs), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_flow_repair(flood, &target, 1, hash, flow, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_flow_repair(flood, NULL, 0, hash, flow, costs), CAIRN_OK);
    assert_int_equal(costs[1], CAIRN_UNREACHABLE);
    cairn_flood_free(flood);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void one_flood_serves_a_map_through_its_edits(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        for (unsigned kind = 0; kind < STORM_KINDS; kind++) {
            twin both = storm_twin(kind, seed);
            dice luck = {seed * STORM_KINDS + kind + 1};
            cairn_flood *flood;
            setenv("CAIRN_SIMD", vectors[seed % COUNT_OF(vectors)], 1);
            assert_int_equal(cairn_flood_new(both.map, &flood), CAIRN_OK);
            for (unsigned round = 0; round < ROUNDS; round++) {
                assert_costs(&both, flood, &luck);
                assert_flow(&both, flood, &luck);
                storm_edit(&both, &luck);
            }
            cairn_flood_free(flood);
            twin_free(&both);
        }
    }
    unsetenv("CAIRN_SIMD");
}

/* Wider than vectors and tiles, so that all their parts take part. */
static void fields_of_larger_maps_are_the_same_with_all_vectors(void **state)
{
    (void)state;
    for (unsigned i = 0; i < COUNT_OF(vectors) * ORACLE_RULES * TERRAIN_KINDS; i++) {
        const terrain_kind kind = i / ORACLE_RULES % TERRAIN_KINDS;
        twin both = twin_sized(i + 1, (oracle_rule)(i % ORACLE_RULES), kind, CAIRN_METRIC_OCTILE,
                               67 + i % 15, 35);
        dice luck = {i + 1};
        cairn_flood *flood;
        setenv("CAIRN_SIMD", vectors[i / ORACLE_RULES / TERRAIN_KINDS], 1);
        assert_int_equal(cairn_flood_new(both.map, &flood), CAIRN_OK);
        assert_flow(&both, flood, &luck);
        cairn_flood_free(flood);
        twin_free(&both);
    }
    unsetenv("CAIRN_SIMD");
}

/* Metrics in which costs less one step can look like the cost of a blocked cell, or in which the
 * lower 16 bits of costs can fall by a step where the costs rise. */
static void fields_are_exact_in_small_and_in_large_metrics(void **state)
{
    (void)state;
    const cairn_metric metrics[] = {
        {1, 1},         {1, 2},         {2, 3},         {23169, 32767},
        {23170, 32768}, {32768, 65536}, {65536, 92682}, {1u << 24, 1u << 24}};
    for (unsigned i = 0; i < COUNT_OF(metrics) * ORACLE_RULES * TERRAIN_KINDS; i++) {
        const cairn_metric metric = metrics[i / ORACLE_RULES % COUNT_OF(metrics)];
        const terrain_kind kind = i / ORACLE_RULES / COUNT_OF(metrics);
        if (kind != TERRAIN_UNIFORM && metric.straight > 1u << 16)
            continue; /* times a factor this is too much */
        twin both = twin_sized(i + 50, (oracle_rule)(i % ORACLE_RULES), kind, metric, 21, 19);
        dice luck = {i + 1};
        cairn_flood *flood;
        setenv("CAIRN_SIMD", vectors[i % COUNT_OF(vectors)], 1);
        assert_int_equal(cairn_flood_new(both.map, &flood), CAIRN_OK);
        assert_flow(&both, flood, &luck);
        cairn_flood_free(flood);
        twin_free(&both);
    }
    unsetenv("CAIRN_SIMD");
}

static void a_step_that_an_edit_took_away_leads_nowhere(void **state)
{
    (void)state;
    picture drawn = PICTURE("...");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_flood *flood;
    uint8_t flow[3];
    cairn_edit edit = cairn_block(1, 0);
    assert_int_equal(cairn_flood_new(map, &flood), CAIRN_OK);
    assert_int_equal(cairn_flood_flow(flood, &(cairn_node){2}, 1, flow, NULL), CAIRN_OK);
    assert_int_equal(cairn_flow_next(map, flow, 0), 1);
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    assert_int_equal(cairn_flow_next(map, flow, 0), CAIRN_NO_NODE);
    assert_int_equal(cairn_flow_next(map, flow, 3), CAIRN_NO_NODE);
    cairn_flood_free(flood);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void a_graph_with_more_arcs_than_numbers_is_refused(void **state)
{
    (void)state;
    enum { ARCS = 255 };
    cairn_arc arcs[ARCS];
    for (uint32_t i = 0; i < ARCS; i++)
        arcs[i] = (cairn_arc){.from = 0, .to = i + 1, .cost = 1};
    for (uint32_t count = ARCS - 1; count <= ARCS; count++) {
        cairn_map *map;
        cairn_flood *flood;
        uint8_t flow[ARCS + 1];
        assert_int_equal(cairn_map_from_arcs(ARCS + 1, arcs, count, NULL, NULL, NULL, &map, NULL),
                         CAIRN_OK);
        assert_int_equal(cairn_flood_new(map, &flood), CAIRN_OK);
        assert_int_equal(cairn_flood_flow(flood, &(cairn_node){count}, 1, flow, NULL),
                         count == ARCS ? CAIRN_E_LIMIT : CAIRN_OK);
        if (count < ARCS)
            assert_int_equal(cairn_flow_next(map, flow, 0), count);
        cairn_flood_free(flood);
        cairn_map_free(map);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const char letters[] = "....@...";
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_map_options options = {.size = sizeof options, .allocator = &failing.allocator};
    cairn_map *map;
    cairn_flood *flood = NULL;
    uint8_t flow[8];
    assert_int_equal(cairn_map_from_letters(4, 2, letters, &options, &map, NULL), CAIRN_OK);
    bool struck = true;
    for (size_t n = 1; struck; n++) {
        failing_allocator_arm(&failing, n);
        cairn_status status = cairn_flood_new(map, &flood);
        if (status == CAIRN_OK)
            status = cairn_flood_flow(flood, &(cairn_node){0}, 1, flow, NULL);
        struck = failing_allocator_struck(&failing);
        assert_int_equal(status, struck ? CAIRN_E_MEMORY : CAIRN_OK);
        failing_allocator_arm(&failing, 0);
        if (flood)
            assert_int_equal(cairn_flood_flow(flood, &(cairn_node){0}, 1, flow, NULL), CAIRN_OK);
        cairn_flood_free(flood);
    }
    cairn_map_free(map);
    assert_int_equal(failing.outstanding, 0);
}

/* An allocator that writes to a node of the caller, as another thread may at any time: once it has
 * given a block, where nodes are copied to. */
typedef struct meddler {
    cairn_allocator allocator;
    cairn_node *node; /* NULL: to none */
    size_t blocks;
} meddler;

static void *allocate(void *context, size_t size)
{
    meddler *self = context;
    if (self->node && self->blocks++ > 0)
        *self->node = CAIRN_NO_NODE;
    return malloc(size);
}

static void release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

enum { MEDDLED_NODES = 8, MEDDLED_CALLS = 4 };

/* Costs and, as bytes, steps by one of the calls, the last one of which repairs them. */
static cairn_status flood_by(cairn_flood *flood, unsigned call, const cairn_node *node,
                             uint64_t hash, uint8_t *flow, cairn_cost *costs)
{
    switch (call) {
    case 0: return cairn_flood_from(flood, node, 1, costs);
    case 1: return cairn_flood_to(flood, node, 1, costs);
    case 2: return cairn_flood_flow(flood, node, 1, flow, costs);
    default: return cairn_flow_repair(flood, node, 1, hash, flow, costs);
    }
}

static void floods_go_by_copies_of_nodes(void **state)
{
    (void)state;
    const cairn_edit edit = cairn_block(2, 0);
    const cairn_node first = 0;
    meddler meddling = {.allocator = {allocate, release, &meddling}};
    for (unsigned call = 0; call < MEDDLED_CALLS; call++) {
        cairn_map_options options = {.size = sizeof options, .allocator = &meddling.allocator};
        cairn_map *map;
        cairn_flood *flood, *other;
        uint8_t flow[2][MEDDLED_NODES] = {{0}};
        cairn_cost costs[2][MEDDLED_NODES];
        cairn_node node = first;
        assert_int_equal(cairn_map_from_letters(4, 2, "....@...", &options, &map, NULL), CAIRN_OK);
        const uint64_t hash = cairn_map_hash(map);
        assert_int_equal(cairn_flood_new(map, &flood), CAIRN_OK);
        assert_int_equal(cairn_flood_new(map, &other), CAIRN_OK);
        for (unsigned i = 0; i < 2 && call == 3; i++)
            assert_int_equal(cairn_flood_flow(other, &first, 1, flow[i], costs[i]), CAIRN_OK);
        assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
        assert_int_equal(flood_by(other, call, &first, hash, flow[0], costs[0]), CAIRN_OK);
        meddling.node = &node;
        meddling.blocks = 0;
        assert_int_equal(flood_by(flood, call, &node, hash, flow[1], costs[1]), CAIRN_OK);
        meddling.node = NULL;
        assert_int_equal(node, CAIRN_NO_NODE);
        assert_memory_equal(flow[0], flow[1], sizeof flow[0]);
        assert_memory_equal(costs[0], costs[1], sizeof costs[0]);
        cairn_flood_free(other);
        cairn_flood_free(flood);
        cairn_map_free(map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_flood_serves_a_map_through_its_edits),
        cmocka_unit_test(fields_follow_edits),
        cmocka_unit_test(small_edits_of_larger_maps_are_repaired),
        cmocka_unit_test(fields_on_unit_maps_follow_edits_of_the_map_below),
        cmocka_unit_test(fields_follow_a_world_from_copy_to_copy),
        cmocka_unit_test(a_blocked_target_leaves_a_field_as_it_is),
        cmocka_unit_test(fields_of_larger_maps_are_the_same_with_all_vectors),
        cmocka_unit_test(fields_are_exact_in_small_and_in_large_metrics),
        cmocka_unit_test(a_step_that_an_edit_took_away_leads_nowhere),
        cmocka_unit_test(a_graph_with_more_arcs_than_numbers_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(floods_go_by_copies_of_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
