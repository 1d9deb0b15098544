/* Floods and flow fields that end early, in costs of 16 and 32 bits, into arrays that are lent and
 * others, against the oracle, on maps of every kind. */
#include "flood/flood_engine.h"

#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/storm.h"

enum { SEEDS = 3, ROUNDS = 6, NODES_MAX = 3 };

static const char *const vectors[] = {"off", "avx2", "avx512"};

/* Arrays that outlive the floods into them; one of the first two is lent. */
typedef struct arrays {
    cairn_node count;
    cairn_cost *wide;
    uint16_t *narrow;
    uint8_t *flow;
} arrays;

static arrays arrays_for(const cairn_map *map)
{
    const cairn_node count = cairn_map_node_count(map);
    return (arrays){count, malloc(count * sizeof(cairn_cost)), malloc(count * sizeof(uint16_t)),
                    malloc(count)};
}

static void arrays_free(arrays *all)
{
    free(all->wide);
    free(all->narrow);
    free(all->flow);
}

/* How far floods go, and costs as the oracle has them. */
typedef struct ending {
    cairn_cost most;
    cairn_node until[NODES_MAX];
    size_t until_count;
} ending;

static uint64_t ends_at(const ending *end, const uint64_t *costs)
{
    uint64_t dearest = 0;
    for (size_t i = 0; i < end->until_count; i++)
        dearest = costs[end->until[i]] > dearest ? costs[end->until[i]] : dearest;
    return end->until_count && dearest < end->most ? dearest : end->most;
}

static ending draw_ending(const twin *both, dice *luck, const uint64_t *costs)
{
    ending end = {.most = CAIRN_UNREACHABLE};
    if (dice_below(luck, 2))
        end.until_count = twin_draw_nodes(both, luck, end.until, NODES_MAX);
    const uint64_t cost = costs[dice_below(luck, both->arcs.node_count)];
    if (dice_below(luck, 2) && cost < CAIRN_COST_MAX)
        end.most = (cairn_cost)cost;
    /* The next cost may be beyond the limit, or too high for 16 bits and within it. */
    else if (dice_below(luck, 2))
        end.most = UINT16_MAX - 1 + dice_below(luck, 2000);
    /* A blocked node is never reached. */
    if (end.until_count && dice_below(luck, 6) == 0)
        end.until[0] = dice_below(luck, both->arcs.node_count);
    return end;
}

static void assert_wide(const arrays *all, const uint64_t *costs, uint64_t most)
{
    for (cairn_node node = 0; node < all->count; node++)
        assert_int_equal(all->wide[node],
                         costs[node] <= most ? cost_of(costs[node]) : CAIRN_UNREACHABLE);
}

static void assert_narrow(const arrays *all, cairn_status status, const uint64_t *costs,
                          uint64_t most)
{
    bool fits = true;
    for (cairn_node node = 0; node < all->count; node++)
        if (costs[node] != ORACLE_NEVER && costs[node] <= most)
            fits = fits && costs[node] < UINT16_MAX;
    assert_int_equal(status, fits ? CAIRN_OK : CAIRN_E_LIMIT);
    for (cairn_node node = 0; node < all->count && fits; node++)
        assert_int_equal(all->narrow[node], costs[node] <= most && costs[node] < UINT16_MAX
                                                ? costs[node]
                                                : CAIRN_UNREACHABLE_16);
}

/* A field with a limit is the whole one where costs are within it. */
static void assert_flow(const twin *both, cairn_flood *flood, arrays *all, const ending *end,
                        const cairn_node *nodes, size_t count, const uint64_t *costs)
{
    const uint64_t most = ends_at(end, costs);
    uint8_t *whole = malloc(all->count);
    assert_int_equal(cairn_flood_limit(flood, CAIRN_UNREACHABLE, NULL, 0), CAIRN_OK);
    assert_int_equal(cairn_flood_flow(flood, nodes, count, whole, NULL), CAIRN_OK);
    assert_int_equal(cairn_flood_limit(flood, end->most, end->until, end->until_count), CAIRN_OK);
    assert_int_equal(cairn_flood_flow(flood, nodes, count, all->flow, all->wide), CAIRN_OK);
    assert_wide(all, costs, most);
    for (cairn_node node = 0; node < all->count; node++)
        assert_int_equal(all->flow[node], costs[node] <= most ? whole[node] : CAIRN_FLOW_NONE);
    /* A repair with a limit is a new field. */
    memset(all->flow, 0, all->count);
    const uint64_t before = cairn_map_hash(both->map) + 1;
    assert_int_equal(cairn_flow_repair(flood, nodes, count, before, all->flow, all->wide),
                     CAIRN_OK);
    for (cairn_node node = 0; node < all->count; node++)
        assert_int_equal(all->flow[node], costs[node] <= most ? whole[node] : CAIRN_FLOW_NONE);
    free(whole);
}

static void assert_ending(const twin *both, cairn_flood *flood, arrays *all, dice *luck)
{
    cairn_node nodes[NODES_MAX];
    const size_t count = twin_draw_nodes(both, luck, nodes, NODES_MAX);
    uint64_t *from = oracle_arc_costs(&both->arcs, ORACLE_FROM, nodes, count);
    uint64_t *to = oracle_arc_costs(&both->arcs, ORACLE_TO, nodes, count);
    const ending end = draw_ending(both, luck, from);

    assert_int_equal(cairn_flood_limit(flood, end.most, end.until, end.until_count), CAIRN_OK);
    assert_int_equal(cairn_flood_from(flood, nodes, count, all->wide), CAIRN_OK);
    assert_wide(all, from, ends_at(&end, from));
    assert_int_equal(cairn_flood_to(flood, nodes, count, all->wide), CAIRN_OK);
    assert_wide(all, to, ends_at(&end, to));
    cairn_status status = cairn_flood_from_16(flood, nodes, count, all->narrow);
    assert_narrow(all, status, from, ends_at(&end, from));
    status = cairn_flood_to_16(flood, nodes, count, all->narrow);
    assert_narrow(all, status, to, ends_at(&end, to));
    if (dice_below(luck, 2))
        assert_flow(both, flood, all, &end, nodes, count, to);
    free(from);
    free(to);
}

/* What was noted of an array must stay true through edits and floods of every reach. */
static void assert_floods_end(twin *both, dice *luck, unsigned rounds)
{
    arrays all = arrays_for(both->map);
    cairn_flood *flood;
    assert_int_equal(cairn_flood_new(both->map, &flood), CAIRN_OK);
    for (unsigned round = 0; round < rounds; round++) {
        if (round % 3 == 0)
            assert_int_equal(
                cairn_flood_lend(flood, round % 2 ? (void *)all.narrow : (void *)all.wide),
                CAIRN_OK);
        assert_ending(both, flood, &all, luck);
        if (dice_below(luck, 3) == 0)
            storm_edit(both, luck);
    }
    cairn_flood_free(flood);
    arrays_free(&all);
}

static void floods_end_where_their_limits_are(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        setenv("CAIRN_SIMD", vectors[seed % COUNT_OF(vectors)], 1);
        for (unsigned kind = 0; kind < STORM_KINDS; kind++) {
            twin both = storm_twin(kind, seed + 7);
            dice luck = {seed * STORM_KINDS + kind + 1};
            assert_floods_end(&both, &luck, ROUNDS);
            twin_free(&both);
        }
    }
    unsetenv("CAIRN_SIMD");
}

/* Several tiles each way, and a width that no tile divides. */
static void larger_floods_end_there_with_all_vectors(void **state)
{
    (void)state;
    for (unsigned i = 0; i < COUNT_OF(vectors) * ORACLE_RULES * TERRAIN_KINDS; i++) {
        setenv("CAIRN_SIMD", vectors[i / ORACLE_RULES / TERRAIN_KINDS], 1);
        const terrain_kind kind = i / ORACLE_RULES % TERRAIN_KINDS;
        twin both = twin_sized(i + 1, (oracle_rule)(i % ORACLE_RULES), kind, (cairn_metric){5, 7},
                               101 + i % 15, 83);
        dice luck = {i + 1};
        assert_floods_end(&both, &luck, ROUNDS);
        twin_free(&both);
    }
    unsetenv("CAIRN_SIMD");
}

/* Readers have one copy after another; an array stays the caller's. */
static void floods_end_on_copies_of_a_world(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < STORM_KINDS; kind++) {
        twin both = storm_twin(kind, 80 + kind);
        dice luck = {kind + 1};
        cairn_map *map;
        cairn_world *world;
        arrays all = arrays_for(both.map);
        assert_int_equal(cairn_map_clone(both.map, &map), CAIRN_OK);
        assert_int_equal(cairn_world_new(map, NULL, &world), CAIRN_OK);
        for (unsigned round = 0; round < ROUNDS; round++) {
            storm_batch batch;
            cairn_flood *flood;
            storm_draw(&both, &luck, &batch);
            if (both.drawn.letters)
                twin_list_steps(&both);
            assert_int_equal(cairn_world_edit(world, batch.edits, batch.count), CAIRN_OK);
            assert_int_equal(cairn_world_publish(world), CAIRN_OK);
            cairn_view view = cairn_world_acquire(world);
            assert_int_equal(cairn_flood_new(view.map, &flood), CAIRN_OK);
            assert_int_equal(cairn_flood_lend(flood, all.wide), CAIRN_OK);
            assert_ending(&both, flood, &all, &luck);
            assert_ending(&both, flood, &all, &luck);
            cairn_flood_free(flood);
            cairn_world_release(world, &view);
        }
        cairn_world_free(world);
        arrays_free(&all);
        twin_free(&both);
    }
}

/* After the first flood of a width another one, also after edits, needs no memory. */
static void edits_are_followed_in_the_same_memory(void **state)
{
    (void)state;
    for (unsigned i = 0; i < COUNT_OF(vectors) * 2; i++) {
        failing_allocator failing;
        failing_allocator_init(&failing);
        setenv("CAIRN_SIMD", vectors[i / 2], 1);
        picture drawn = i % 2 ? random_map(MAP_CAVE, 70, 66, i) : picture_filled(70, 66, '.');
        cairn_map *map = map_with(&drawn, (cairn_metric){5, 7}, &failing.allocator);
        cairn_flood *flood;
        cairn_cost *costs = malloc(picture_size(&drawn) * sizeof *costs);
        assert_int_equal(cairn_flood_new(map, &flood), CAIRN_OK);
        dice luck = {i + 1};
        for (unsigned round = 0; round < 20; round++) {
            const uint32_t x = dice_below(&luck, 70), y = dice_below(&luck, 66);
            const cairn_node node = cairn_node_at(map, x, y);
            const cairn_edit edit = cairn_map_is_open(map, node) ? cairn_block(x, y)
                                                                 : cairn_open(x, y);
            drawn.letters[node] = edit.letter;
            assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
            failing_allocator_arm(&failing, 0);
            const cairn_node from = cairn_node_at(map, 40, 30);
            const size_t count = cairn_map_is_open(map, from);
            assert_int_equal(cairn_flood_from(flood, &from, count, costs), CAIRN_OK);
            assert_true(round == 0 || failing.calls == 0);
            uint64_t *expected = oracle_costs(&drawn, (oracle_steps){5, 7}, &from, count);
            for (cairn_node at = 0; at < picture_size(&drawn); at++)
                assert_int_equal(costs[at], cost_of(expected[at]));
            free(expected);
        }
        cairn_flood_free(flood);
        free(costs);
        cairn_map_free(map);
        picture_free(&drawn);
        assert_int_equal(failing.outstanding, 0);
    }
    unsetenv("CAIRN_SIMD");
}

/* A lent array is written where floods reach, and reached before: other parts of it are written
 * once, also after an edit there. */
static void assert_written_where_floods_reach(cairn_map *map)
{
    enum { STEPS = 5 };
    const cairn_node source = 0, far = cairn_map_node_count(map) - 1, until = STEPS;
    cairn_cost *costs = malloc((far + 1) * sizeof *costs);
    cairn_flood *flood;
    assert_int_equal(cairn_flood_new(map, &flood), CAIRN_OK);
    assert_int_equal(cairn_flood_limit(flood, CAIRN_UNREACHABLE, &until, 1), CAIRN_OK);
    assert_int_equal(cairn_flood_lend(flood, costs), CAIRN_OK);
    assert_int_equal(cairn_flood_from(flood, &source, 1, costs), CAIRN_OK);
    const cairn_cost cost = costs[STEPS];
    assert_int_equal(costs[far], CAIRN_UNREACHABLE);
    costs[far] = 77; /* against the promise: shows what is written */
    assert_int_equal(cairn_flood_from(flood, &source, 1, costs), CAIRN_OK);
    assert_int_equal(costs[STEPS], cost);
    assert_int_equal(costs[STEPS + 1], CAIRN_UNREACHABLE);
    assert_int_equal(cairn_flood_limit(flood, 0, NULL, 0), CAIRN_OK);
    assert_int_equal(cairn_flood_from(flood, &until, 1, costs), CAIRN_OK);
    assert_int_equal(costs[STEPS], 0);
    assert_int_equal(costs[source], CAIRN_UNREACHABLE);
    assert_int_equal(costs[far], 77);
    assert_int_equal(cairn_flood_lend(flood, costs), CAIRN_OK);
    assert_int_equal(cairn_flood_from(flood, &source, 1, costs), CAIRN_OK);
    assert_int_equal(costs[far], CAIRN_UNREACHABLE);
    cairn_flood_free(flood);
    free(costs);
    cairn_map_free(map);
}

/* A chain as a graph; its arcs cost up to `most`. */
static cairn_map *chain_of(cairn_node nodes, cairn_cost most)
{
    cairn_arc *arcs = malloc(nodes * sizeof *arcs);
    cairn_map *map;
    for (cairn_node i = 0; i + 1 < nodes; i++)
        arcs[i] = (cairn_arc){i, i + 1, 1 + i % most};
    assert_int_equal(cairn_map_from_arcs(nodes, arcs, nodes - 1, NULL, NULL, NULL, &map, NULL),
                     CAIRN_OK);
    free(arcs);
    return map;
}

static void a_lent_array_is_written_where_floods_reach(void **state)
{
    (void)state;
    enum { NODES = 16384 };
    static const uint32_t heights[] = {64, 1}; /* an open map, and a corridor without loops */
    for (unsigned i = 0; i < COUNT_OF(heights) * ORACLE_RULES * COUNT_OF(vectors); i++) {
        const uint32_t height = heights[i % COUNT_OF(heights)];
        const oracle_rule rule = (oracle_rule)(i / COUNT_OF(heights) % ORACLE_RULES);
        setenv("CAIRN_SIMD", vectors[i / COUNT_OF(heights) / ORACLE_RULES], 1);
        twin both = twin_sized(MAP_ALL_OPEN, rule, TERRAIN_UNIFORM, (cairn_metric){5, 7},
                               NODES / height, height);
        const cairn_edit open = cairn_rectangle(0, 0, NODES / height, height, '.');
        assert_int_equal(cairn_map_edit(both.map, &open, 1), CAIRN_OK);
        cairn_map *map = both.map;
        both.map = NULL;
        twin_free(&both);
        assert_written_where_floods_reach(map);
    }
    unsetenv("CAIRN_SIMD");
    assert_written_where_floods_reach(chain_of(NODES, 1));
    assert_written_where_floods_reach(chain_of(NODES, 9));
}

static void what_is_no_limit_is_refused(void **state)
{
    (void)state;
    picture drawn = PICTURE("..@.");
    cairn_map *map = map_of(&drawn, (cairn_metric){30000, 30000});
    cairn_flood *flood;
    cairn_cost wide[4];
    uint16_t narrow[4];
    const cairn_node zero = 0, beyond = 4, blocked = 2;
    assert_int_equal(cairn_flood_new(map, &flood), CAIRN_OK);
    assert_int_equal(cairn_flood_limit(flood, 0, NULL, 0), CAIRN_OK);
    assert_int_equal(cairn_flood_limit(flood, 1, &beyond, 1), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_flood_limit(flood, 1, NULL, 1), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_flood_limit(NULL, 1, NULL, 0), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_flood_lend(NULL, wide), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_flood_from_16(flood, &blocked, 1, narrow), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_flood_from_16(flood, &zero, 1, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_flood_to_16(NULL, &zero, 1, narrow), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_flood_from(flood, &zero, 1, wide), CAIRN_OK);
    assert_int_equal(wide[0], 0); /* and the limit is the first one still */
    assert_int_equal(wide[1], CAIRN_UNREACHABLE);
    assert_int_equal(cairn_flood_limit(flood, CAIRN_UNREACHABLE, &blocked, 1), CAIRN_OK);
    assert_int_equal(cairn_flood_from(flood, &zero, 1, wide), CAIRN_OK);
    assert_int_equal(wide[1], 30000);
    cairn_flood_free(flood);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* 3 steps of 30,000 do not fit; where they are beyond a limit they are left out instead. */
static void sixteen_bits_refuse_or_end(void **state)
{
    (void)state;
    picture drawn = PICTURE("....");
    cairn_map *map = map_of(&drawn, (cairn_metric){30000, 30000});
    const cairn_cost limits[] = {89999, 65535, 65534, 60000};
    const cairn_node zero = 0;
    cairn_flood *flood;
    uint16_t costs[4];
    assert_int_equal(cairn_flood_new(map, &flood), CAIRN_OK);
    assert_int_equal(cairn_flood_from_16(flood, &zero, 1, costs), CAIRN_E_LIMIT);
    assert_int_equal(cairn_flood_limit(flood, 90000, NULL, 0), CAIRN_OK);
    assert_int_equal(cairn_flood_from_16(flood, &zero, 1, costs), CAIRN_E_LIMIT);
    for (size_t i = 0; i < COUNT_OF(limits); i++) {
        assert_int_equal(cairn_flood_limit(flood, limits[i], NULL, 0), CAIRN_OK);
        assert_int_equal(cairn_flood_from_16(flood, &zero, 1, costs), CAIRN_OK);
        assert_memory_equal(costs, ((const uint16_t[]){0, 30000, 60000, CAIRN_UNREACHABLE_16}),
                            sizeof costs);
    }
    assert_int_equal(cairn_flood_limit(flood, CAIRN_UNREACHABLE, &(cairn_node){1}, 1), CAIRN_OK);
    assert_int_equal(cairn_flood_to_16(flood, &zero, 1, costs), CAIRN_OK);
    assert_memory_equal(costs,
                        ((const uint16_t[]){0, 30000, CAIRN_UNREACHABLE_16, CAIRN_UNREACHABLE_16}),
                        sizeof costs);
    cairn_flood_free(flood);
    cairn_map_free(map);
    picture_free(&drawn);
}

static cairn_status flood_with_limits(cairn_flood *flood, uint16_t *costs)
{
    const cairn_node zero = 0;
    cairn_status status = cairn_flood_limit(flood, 20000, &zero, 1);
    if (status == CAIRN_OK)
        status = cairn_flood_lend(flood, costs);
    return status == CAIRN_OK ? cairn_flood_from_16(flood, &zero, 1, costs) : status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_map_options options = {.size = sizeof options, .allocator = &failing.allocator};
    cairn_map *map;
    uint16_t costs[8];
    assert_int_equal(cairn_map_from_letters(4, 2, "....@...", &options, &map, NULL), CAIRN_OK);
    bool struck = true;
    for (size_t n = 1; struck; n++) {
        cairn_flood *flood;
        assert_int_equal(cairn_flood_new(map, &flood), CAIRN_OK);
        failing_allocator_arm(&failing, n);
        const cairn_status status = flood_with_limits(flood, costs);
        struck = failing_allocator_struck(&failing);
        assert_true(struck || n > 6);
        assert_int_equal(status, struck ? CAIRN_E_MEMORY : CAIRN_OK);
        failing_allocator_arm(&failing, 0);
        assert_int_equal(flood_with_limits(flood, costs), CAIRN_OK);
        cairn_flood_free(flood);
    }
    cairn_map_free(map);
    assert_int_equal(failing.outstanding, 0);
}

/* ------------------------------------------------------------------------ one map or another -- */

/* One object goes from copy to copy, which go ways of their own; what it floods is the map that it
 * uses, within its limit, into the array that is lent. */
static void assert_floods_of(cairn_flood *flood, const cairn_map *map, cairn_cost most,
                             cairn_node source, arrays *all, arrays *expected)
{
    const size_t size = all->count * sizeof(cairn_cost);
    cairn_flood *fresh;
    assert_int_equal(cairn_flood_new(map, &fresh), CAIRN_OK);
    assert_int_equal(cairn_flood_limit(fresh, most, NULL, 0), CAIRN_OK);
    const size_t count = cairn_map_is_open(map, source);
    const cairn_status status = cairn_flood_from(fresh, &source, count, expected->wide);
    assert_int_equal(cairn_flood_from(flood, &source, count, all->wide), status);
    if (status == CAIRN_OK)
        assert_memory_equal(all->wide, expected->wide, size);
    const cairn_status narrow = cairn_flood_to_16(fresh, &source, count, expected->narrow);
    assert_int_equal(cairn_flood_to_16(flood, &source, count, all->narrow), narrow);
    if (narrow == CAIRN_OK)
        assert_memory_equal(all->narrow, expected->narrow, size / 2);
    const cairn_status flow = cairn_flood_flow(fresh, &source, count, expected->flow, NULL);
    assert_int_equal(cairn_flood_flow(flood, &source, count, all->flow, NULL), flow);
    if (flow == CAIRN_OK)
        assert_memory_equal(all->flow, expected->flow, all->count);
    cairn_flood_free(fresh);
}

static void floods_go_from_copy_to_copy(void **state)
{
    enum { COPIES = 3, TURNS = 12 };
    (void)state;
    for (unsigned kind = 0; kind < STORM_KINDS; kind++) {
        twin both = storm_twin(kind, 500 + kind);
        dice luck = {kind + 1};
        cairn_map *copies[COPIES];
        cairn_flood *flood;
        arrays all = arrays_for(both.map), expected = arrays_for(both.map);
        for (unsigned i = 0; i < COPIES; i++)
            assert_int_equal(cairn_map_clone(both.map, &copies[i]), CAIRN_OK);
        setenv("CAIRN_SIMD", vectors[kind % COUNT_OF(vectors)], 1);
        assert_int_equal(cairn_flood_new(copies[0], &flood), CAIRN_OK);
        assert_int_equal(cairn_flood_lend(flood, all.wide), CAIRN_OK);
        for (unsigned turn = 0; turn < TURNS; turn++) {
            cairn_map *map = copies[dice_below(&luck, COPIES)];
            const cairn_cost most = turn % 3 ? CAIRN_UNREACHABLE : 20000;
            storm_batch batch;
            storm_draw(&both, &luck, &batch);
            assert_int_equal(cairn_map_edit(map, batch.edits, batch.count), CAIRN_OK);
            map = copies[dice_below(&luck, COPIES)];
            assert_int_equal(cairn_flood_use(flood, map), CAIRN_OK);
            assert_int_equal(cairn_flood_limit(flood, most, NULL, 0), CAIRN_OK);
            assert_floods_of(flood, map, most, dice_below(&luck, all.count), &all, &expected);
        }
        unsetenv("CAIRN_SIMD");
        cairn_flood_free(flood);
        for (unsigned i = 0; i < COPIES; i++)
            cairn_map_free(copies[i]);
        arrays_free(&all);
        arrays_free(&expected);
        twin_free(&both);
    }
}

static void a_flood_keeps_to_maps_of_its_kind(void **state)
{
    (void)state;
    picture drawn = PICTURE("..", ".@"), larger = PICTURE("...", ".@.");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE), *copy;
    cairn_map *others[] = {map_of(&larger, CAIRN_METRIC_OCTILE),
                           map_of(&drawn, (cairn_metric){10, 14})};
    const cairn_node source = 0;
    cairn_cost costs[4];
    cairn_flood *flood;
    assert_int_equal(cairn_flood_new(map, &flood), CAIRN_OK);
    assert_int_equal(cairn_map_clone(map, &copy), CAIRN_OK);
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        assert_int_equal(cairn_flood_use(flood, others[i]), CAIRN_E_MISMATCH);
        assert_int_equal(cairn_flood_from(flood, &source, 1, costs), CAIRN_OK);
        assert_int_equal(costs[1], 2378);
        cairn_map_free(others[i]);
    }
    assert_int_equal(cairn_flood_use(flood, NULL), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_flood_use(flood, copy), CAIRN_OK);
    cairn_map_free(map); /* the copy is the one that is needed now */
    assert_int_equal(cairn_flood_from(flood, &source, 1, costs), CAIRN_OK);
    assert_int_equal(costs[2], 2378);
    cairn_flood_free(flood);
    cairn_map_free(copy);
    picture_free(&larger);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floods_end_where_their_limits_are),
        cmocka_unit_test(larger_floods_end_there_with_all_vectors),
        cmocka_unit_test(floods_end_on_copies_of_a_world),
        cmocka_unit_test(edits_are_followed_in_the_same_memory),
        cmocka_unit_test(a_lent_array_is_written_where_floods_reach),
        cmocka_unit_test(what_is_no_limit_is_refused),
        cmocka_unit_test(sixteen_bits_refuse_or_end),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(floods_go_from_copy_to_copy),
        cmocka_unit_test(a_flood_keeps_to_maps_of_its_kind),
    };
    return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
