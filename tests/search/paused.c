/* Searches that pause while their map is edited, their table repaired and their world published, on
 * every kind of map with every option: an answer is right for the map as it was when the search
 * began, or the search is refused. */
#include "cairn/cairn.h"

#include "search/search.h"
#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/visitor.h"

enum { VISITORS = 4, ROUNDS = 120, MAPS = 3 * MAP_KINDS, GRAPHS = 200 };

typedef struct scene {
    dice luck;
    twin both;
    cairn_table *table;
    cairn_world *world;    /* NULL: visitors are on the twin's map and the table */
    oracle_arcs published; /* of the world */
    uint64_t writes;       /* calls that may have changed map or table */
    visitor visitors[VISITORS];
} scene;

/* ----------------------------------------------------------------------- a map and its table -- */

/* What a file gives back of a table, for the same map. */
static cairn_table *loaded_again(const cairn_map *map, cairn_table *table)
{
    cairn_load_options options = {.size = sizeof options, .map = map};
    cairn_table *loaded;
    uint8_t *bytes;
    size_t size;

    assert_int_equal(cairn_save_bytes(map, table, NULL, &bytes, &size), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(bytes, size, &options, NULL, &loaded, NULL), CAIRN_OK);
    cairn_bytes_free(map, bytes);
    cairn_table_free(table);
    return loaded;
}

static cairn_table *any_table(cairn_map *map, uint64_t seed, bool may_be_at_corners)
{
    cairn_build_options build = {
        .landmark_count = seed % 7 ? 3 : 40, .thread_count = 1, .seed = seed};
    if (seed % 6 == 5)
        return NULL;
    if (seed % 4 == 3)
        build.step_metric = (cairn_metric){1, 1};
    if (may_be_at_corners && seed % 5 == 2)
        build.resident = CAIRN_RESIDENT_CORNERS;
    cairn_table *table = table_suiting(map, build);
    return seed % 3 == 1 ? loaded_again(map, table) : table;
}

/* What is there already. */
static void edit_nothing(scene *here)
{
    const twin *both = &here->both;
    cairn_edit edit;

    if (both->drawn.letters) {
        uint32_t node = dice_below(&here->luck, picture_size(&both->drawn));
        edit = cairn_terrain(node % both->drawn.width, node / both->drawn.width,
                             both->drawn.letters[node]);
    } else if (both->arcs.count == 0 || both->arcs.list[0].from == both->arcs.list[0].to) {
        return;
    } else {
        const oracle_arc *arc = &both->arcs.list[0];
        uint64_t cost = oracle_arc_between(&both->arcs, arc->from, arc->to);
        edit = cairn_arc_cost(arc->from, arc->to, (cairn_cost)cost);
    }
    assert_int_equal(cairn_map_edit(both->map, &edit, 1), CAIRN_OK);
}

static void refresh(scene *here, cairn_budget budget)
{
    if (!here->table)
        return;
    here->writes++;
    cairn_status status = step_now(here->table, here->both.map, budget);
    if (status == CAIRN_E_RESIDENT)
        status = cairn_table_rebuild(here->table, here->both.map);
    assert_true(status == CAIRN_OK || status == CAIRN_MORE);
}

static void change_something(scene *here)
{
    switch (dice_below(&here->luck, 9)) {
    case 0:
    case 1:
        here->writes++;
        twin_edit(&here->both, &here->luck);
        return;
    case 2:
    case 3: refresh(here, CAIRN_CELLS(dice_below(&here->luck, 8))); return;
    case 4: refresh(here, CAIRN_CELLS(dice_below(&here->luck, 60))); return;
    case 5: refresh(here, CAIRN_UNLIMITED); return;
    case 6: edit_nothing(here); return;
    case 7:
        here->writes++;
        if (here->table)
            assert_int_equal(cairn_table_rebuild(here->table, here->both.map), CAIRN_OK);
        return;
    default: return;
    }
}

static void live_on_a_map(twin both, uint64_t seed)
{
    scene here = {.luck = {seed}, .both = both};
    here.table = any_table(both.map, seed, true);
    for (unsigned i = 0; i < VISITORS; i++)
        visitor_enter(&here.visitors[i], visitor_options(&here.luck), both.map, here.table);

    for (unsigned round = 0; round < ROUNDS; round++) {
        visitor *self = &here.visitors[dice_below(&here.luck, VISITORS)];
        switch (dice_below(&here.luck, 6)) {
        case 0: change_something(&here); break;
        case 1: visitor_ask(self, &here.luck, &here.both.arcs, here.writes); break;
        default:
            if (self->is_paused && dice_below(&here.luck, 6))
                visitor_resume(self, &here.luck, &here.both.arcs, here.writes);
            else
                visitor_ask(self, &here.luck, &here.both.arcs, here.writes);
        }
    }
    for (unsigned i = 0; i < VISITORS; i++)
        visitor_leave(&here.visitors[i]);
    cairn_table_free(here.table);
    twin_free(&here.both);
}

static twin grid_of(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    static const cairn_metric metrics[] = {{10, 14}, {1, 1}, {5, 7}, {2378, 3363}};
    return twin_of(seed, rule, kind, metrics[(seed + rule + kind) % COUNT_OF(metrics)]);
}

static void live_on_a_grid(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    live_on_a_map(grid_of(seed, rule, kind), seed * 31 + 7 * rule + kind);
}

static void paused_searches_are_right_or_refused_on_every_kind_of_grid(void **state)
{
    (void)state;
    for_every_kind(seeds_to(MAPS), live_on_a_grid);
}

static void paused_searches_are_right_or_refused_on_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(GRAPHS); seed = seed_after(seed))
        live_on_a_map(twin_any_graph(seed), seed);
}

/* ------------------------------------------------------------------------- beside refreshes -- */

enum { LARGE_MAPS = 5 * ORACLE_RULES, LARGE_EDITS = 30, LARGE_QUERIES = 12, TIMES = 10 };

typedef struct tally {
    unsigned by_corner, by_node, by_gates, ended; /* searches beside which the table changed */
} tally;

static cairn_cost cost_without_table(const cairn_map *map, cairn_node start, cairn_node goal)
{
    cairn_search *search = search_with(map, NULL, (cairn_search_options){0});
    cairn_path path;
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    cairn_search_free(search);
    return path.cost;
}

/* A search that pauses at every expansion, while a step of a refresh is taken now and then. */
static void search_beside_refresh(tally *sum, dice *luck, const cairn_map *map, cairn_table *table,
                                  cairn_search *search)
{
    const cairn_node start = visitor_node(map, luck), goal = visitor_node(map, luck);
    cairn_path path;
    assert_int_equal(cairn_search_begin(search, start, goal, &path), CAIRN_OK);
    const uint64_t version = cairn_table_version(table);
    const bool by_gates = path.state == CAIRN_ROW_WEAKER;
    const bool by_corner = search->query.corners != NULL;

    while (path.outcome == CAIRN_PATH_PAUSED) {
        if (dice_below(luck, 3) == 0)
            step_now(table, map, CAIRN_CELLS(dice_below(luck, 2000)));
        assert_int_equal(cairn_search_resume(search, 1 + dice_below(luck, 3), &path), CAIRN_OK);
        assert_true(by_corner == (search->query.corners != NULL));
    }
    assert_int_equal(path.cost, cost_without_table(map, start, goal));
    if (version == cairn_table_version(table))
        return;
    sum->by_corner += by_corner;
    sum->by_node += !by_corner;
    sum->by_gates += by_gates;
    sum->ended += cairn_refresh_step(table, map, CAIRN_CELLS(0)) == CAIRN_OK;
}

static void edit_anything(cairn_map *map, uint32_t width, uint32_t height, dice *luck)
{
    cairn_edit edits[LARGE_EDITS];
    const uint32_t left = dice_below(luck, width), top = dice_below(luck, height);
    for (unsigned i = 0; i < LARGE_EDITS; i++) {
        const uint32_t x = (left + dice_below(luck, TIMES)) % width;
        const uint32_t y = (top + dice_below(luck, TIMES)) % height;
        edits[i] = dice_below(luck, 3) ? cairn_open(x, y) : cairn_block(x, y);
    }
    assert_int_equal(cairn_map_edit(map, edits, LARGE_EDITS), CAIRN_OK);
}

/* Records are by the corners of the map or by cell. */
static void searches_go_on_beside_refreshes_of_large_maps(void **state)
{
    (void)state;
    tally sum = {0};
    for (uint64_t seed = 0; seed < seeds_to(LARGE_MAPS); seed = seed_after(seed)) {
        dice luck = {seed};
        twin both = twin_sized(seed, (oracle_rule)(seed % ORACLE_RULES), TERRAIN_UNIFORM,
                               (cairn_metric){5, 7}, 13, 9);
        both.drawn = picture_magnified(both.drawn, TIMES);
        cairn_map *map = twin_rebuilt(&both);
        cairn_table *table = table_of(map, 4);
        for (unsigned i = 0; i < LARGE_QUERIES; i++) {
            if (i % 3 == 0)
                edit_anything(map, both.drawn.width, both.drawn.height, &luck);
            cairn_search *search = search_with(map, table, (cairn_search_options){0});
            search_beside_refresh(&sum, &luck, map, table, search);
            cairn_search_free(search);
        }
        cairn_table_free(table);
        cairn_map_free(map);
        twin_free(&both);
    }
    print_message("by corner %u, by cell %u, by gates %u, refreshed in the end %u\n", sum.by_corner,
                  sum.by_node, sum.by_gates, sum.ended);
    assert_true(sum.by_corner > 0 && sum.by_node > 0 && sum.by_gates > 0 && sum.ended > 0);
}

/* -------------------------------------------------------------------------------- guarantees -- */

enum { CHANGES = 6, QUERIES = 12 };

/* Edits that the table has noted, so that some rows may be in use by gates, or that it has not. */
static void assert_guarantees(twin both, uint64_t seed)
{
    scene here = {.luck = {seed}, .both = both};
    here.table = any_table(both.map, seed, true);

    for (unsigned i = 0; i < VISITORS; i++) {
        visitor *self = &here.visitors[i];
        visitor_enter(self, visitor_options(&here.luck), both.map, here.table);
        for (unsigned change = 0; change < CHANGES; change++) {
            twin_edit(&here.both, &here.luck);
            if (change % 3 < 2)
                refresh(&here, CAIRN_CELLS(dice_below(&here.luck, 3)));
            for (unsigned query = 0; query < QUERIES; query++)
                visitor_ask(self, &here.luck, &here.both.arcs, here.writes);
        }
        refresh(&here, CAIRN_UNLIMITED);
        visitor_leave(self);
    }
    cairn_table_free(here.table);
    twin_free(&here.both);
}

static void assert_guarantees_on_a_grid(uint64_t seed, oracle_rule rule, terrain_kind kind)
{
    assert_guarantees(grid_of(seed, rule, kind), seed * 37 + 5 * rule + kind);
}

static void guarantees_are_true_on_every_kind_of_map(void **state)
{
    (void)state;
    for_every_kind(seeds_to(MAP_KINDS), assert_guarantees_on_a_grid);
    for (uint64_t seed = 0; seed < seeds_to(GRAPHS); seed = seed_after(seed))
        assert_guarantees(twin_any_graph(seed), seed);
}

/* ------------------------------------------------------------------------------------ worlds -- */

static void lead(scene *here, visitor *self)
{
    bool to_draft = dice_below(&here->luck, 4) == 0;
    here->writes += to_draft;
    if (!visitor_lead_to(self, here->world, to_draft))
        return;
    if (!self->is_paused || dice_below(&here->luck, 2))
        visitor_ask(self, &here->luck, to_draft ? &here->both.arcs : &here->published,
                    here->writes);
}

/* The world applies its edits where no reader is in the way. */
static void edit_world(scene *here)
{
    cairn_status status = cairn_world_edit(here->world, NULL, 0);
    here->writes++;
    if (status == CAIRN_BUSY)
        return;
    assert_int_equal(status, CAIRN_OK);
    cairn_edit edit = twin_edit(&here->both, &here->luck);
    if (edit.kind != CAIRN_EDIT_ARC || edit.arc.cost > 0)
        assert_int_equal(cairn_world_edit(here->world, &edit, 1), CAIRN_OK);
}

static void write_world(scene *here)
{
    cairn_budget budget = dice_below(&here->luck, 3) ? CAIRN_CELLS(dice_below(&here->luck, 40))
                                                     : CAIRN_UNLIMITED;
    switch (dice_below(&here->luck, 4)) {
    case 0:
        here->writes++;
        twin_publish(&here->both, here->world, &here->published);
        return;
    case 1: {
        here->writes++;
        cairn_status status = world_step_now(here->world, budget);
        assert_true(status == CAIRN_OK || status == CAIRN_MORE || status == CAIRN_BUSY);
        return;
    }
    default: edit_world(here);
    }
}

static void live_in_a_world(twin both, uint64_t seed)
{
    scene here = {.luck = {seed}, .both = both, .published = oracle_arcs_copy(&both.arcs)};
    cairn_map *map;

    assert_int_equal(cairn_map_clone(both.map, &map), CAIRN_OK);
    here.table = any_table(map, seed, false);
    assert_int_equal(cairn_world_new(map, here.table, &here.world), CAIRN_OK);
    for (unsigned i = 0; i < VISITORS; i++)
        visitor_enter(&here.visitors[i], visitor_options(&here.luck), map, here.table);
    for (unsigned i = 0; i < VISITORS; i++)
        lead(&here, &here.visitors[i]);
    for (unsigned round = 0; round < ROUNDS; round++) {
        visitor *self = &here.visitors[dice_below(&here.luck, VISITORS)];
        switch (dice_below(&here.luck, 8)) {
        case 0:
        case 1: write_world(&here); break;
        case 2: lead(&here, self); break;
        case 3: visitor_let_go(self, here.world); break;
        default: visitor_resume(self, &here.luck, NULL, here.writes);
        }
    }
    for (unsigned i = 0; i < VISITORS; i++) {
        visitor_let_go(&here.visitors[i], here.world);
        visitor_leave(&here.visitors[i]);
    }
    cairn_world_free(here.world);
    oracle_arcs_free(&here.published);
    twin_free(&here.both);
}

static void paused_searches_are_right_or_refused_in_worlds(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed++) {
        for (oracle_rule rule = 0; rule < ORACLE_RULES; rule++) {
            const terrain_kind kind = (terrain_kind)((seed + rule) % TERRAIN_KINDS);
            if (!is_left_out(seed * ORACLE_RULES + rule))
                live_in_a_world(grid_of(seed, rule, kind), seed * 31 + rule);
        }
    }
    for (uint64_t seed = 0; seed < seeds_to(GRAPHS / 2); seed = seed_after(seed))
        live_in_a_world(twin_any_graph(seed), seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paused_searches_are_right_or_refused_on_every_kind_of_grid),
        cmocka_unit_test(paused_searches_are_right_or_refused_on_graphs),
        cmocka_unit_test(paused_searches_are_right_or_refused_in_worlds),
        cmocka_unit_test(searches_go_on_beside_refreshes_of_large_maps),
        cmocka_unit_test(guarantees_are_true_on_every_kind_of_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
