/* Gates against a list of arcs and Bellman and Ford: on every kind of map, through edits of every
 * kind and refreshes that are cut, no bound exceeds a cost nor falls by more than an arc costs, and
 * every path is a shortest one. */
#include "table/corner_rows.h"
#include "bound/gate_cheaper.h"
#include "bound/gate_shelf.h"

#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/storm.h"

enum { MAPS = 180, ROUNDS = 12, GOALS = 2, ROWS_MOST = 9, WIDTH = 60, HEIGHT = 44 };

/* How often gates were there, and what they were worth. */
typedef struct tally {
    unsigned made, usable, whole, merged, inside, niches, sharper, bounds, by_gates, runs,
        at_corners, parts, kept_parts;
} tally;

static cairn_table *behind_table(const twin *both, dice *luck)
{
    const bool at_corners = cn_corner_rows_suit(both->map) && dice_below(luck, 2);
    const bool counts_steps = !at_corners && dice_below(luck, 4) == 0;
    const cairn_metric own = both->drawn.letters ? (cairn_metric){5, 7} : (cairn_metric){1, 1};
    const cairn_metric steps = counts_steps ? own : (cairn_metric){0, 0};
    return table_built(both->map,
                       (cairn_build_options){.landmark_count = 1 + dice_below(luck, ROWS_MOST),
                                             .thread_count = 1,
                                             .seed = dice_below(luck, 1000),
                                             .step_metric = steps,
                                             .resident = at_corners ? CAIRN_RESIDENT_CORNERS
                                                                    : CAIRN_RESIDENT_CELLS});
}

static bool draw_open(const twin *both, dice *luck, uint32_t *node)
{
    *node = dice_below(luck, both->arcs.node_count);
    return twin_is_open(both, *node);
}

/* Bounds that are kept for the border are those that are not, and so are bounds with what the nodes
 * before showed. */
static cairn_cost bound_either_way(const cn_gate_view *view, cairn_node node)
{
    cn_gate_way ways[CN_PORTS_MAX + 1];
    cn_gate_view first = *view;

    first.inside = NULL;
    first.ways = ways;
    cn_gate_begin_ways(&first);
    const cairn_cost bound = cn_gates_bound(&first, node);
    assert_int_equal(cn_gates_bound(view, node), bound);
    return bound;
}

static void assert_bounds(const oracle_arcs *arcs, const twin *both, const cn_gates *gates,
                          uint32_t goal, tally *sum)
{
    uint64_t *costs = oracle_arc_costs(arcs, ORACLE_TO, &goal, 1);
    cairn_cost *bounds = calloc(arcs->node_count, sizeof *bounds);
    cairn_cost *inside = malloc((gates->rim_count + 1) * sizeof *inside);
    uint32_t room[CN_LANES_MAX];
    cn_gate_limits limits;
    cn_gate_aim aim;
    cn_gate_way ways[CN_PORTS_MAX + 1];
    const cn_gate_view view = {
        .gates = gates, .aim = &aim, .limits = &limits, .inside = inside, .ways = ways};

    assert_true(bounds && inside);
    memset(inside, 0xff, gates->rim_count * sizeof *inside);
    const void *entries = cn_gates_entries(gates, goal, room);
    cn_gates_limit(gates, goal, entries, &limits);
    cn_gates_aim(gates, goal, &limits, &aim);
    cn_gate_begin_ways(&view);
    sum->inside += aim.is_inside;
    sum->niches += aim.goal_gate != UINT32_MAX && !aim.is_inside;
    for (uint32_t node = 0; node < arcs->node_count; node++) {
        if (!twin_is_open(both, node))
            continue;
        bounds[node] = bound_either_way(&view, node);
        assert_true(bounds[node] <= costs[node]);
        assert_true(bounds[node] <= CAIRN_COST_MAX);
        sum->bounds++;
        sum->sharper += bounds[node] > 0;
    }
    for (size_t i = 0; i < arcs->count; i++)
        assert_true(bounds[arcs->list[i].from] <= bounds[arcs->list[i].to] + arcs->list[i].cost);
    free(costs);
    free(bounds);
    free(inside);
}

static void assert_same_members(const cn_corners *made, const cn_corners *kept)
{
    const size_t words = kept->height * kept->stride;
    assert_int_equal(kept->count, made->count);
    assert_memory_equal(kept->nodes, made->nodes, made->count * sizeof *made->nodes);
    assert_memory_equal(kept->marks, made->marks, words * sizeof *made->marks);
}

/* Makes gates from scratch; returns whether something that the table lacks may have made costs
 * fall. */
static bool make_gates(cn_gates *gates, const cairn_table *table, const cairn_map *row_map)
{
    cn_lacking lacking = {.is_known = false};
    cn_cheaper cheaper = {.is_known = false};
    assert_int_equal(cn_lacking_follow(&lacking, &table->mem, table, row_map), CAIRN_OK);
    assert_true(lacking.is_known || row_map->graph);
    cn_gates_prepare(gates, table, row_map);
    assert_int_equal(cn_cheaper_follow(&cheaper, NULL, gates, table, &lacking), CAIRN_OK);
    assert_int_equal(cn_gates_make(gates, table, &lacking, &cheaper, NULL), CAIRN_OK);
    const bool is_cheaper = cheaper.cells.count > 0;
    cn_cheaper_free(&cheaper, &table->mem);
    cn_lacking_free(&lacking, &table->mem);
    return is_cheaper || (table->corners && !cn_table_fits(table, row_map));
}

/* Gates that followed the edits are those that are made from scratch, but for entries of cells
 * beside corners, which a former state may know to be less, and for parts that have fallen apart
 * since. */
static void assert_same_gates(const cn_gates *gates, const cn_gates *kept)
{
    assert_int_equal(kept != NULL, gates->is_usable);
    if (!kept)
        return;
    assert_int_equal(kept->cell_count, gates->cell_count);
    assert_memory_equal(kept->cells, gates->cells, gates->cell_count * sizeof *gates->cells);
    assert_int_equal(kept->rim_count, gates->rim_count);
    assert_int_equal(kept->port_count, gates->port_count);
    assert_true(!kept->extension == !gates->extension);
    if (kept->extension) {
        assert_same_members(gates->extension->corners, kept->extension->corners);
        return;
    }
    if (!gates->parts.of_tile && !kept->parts.of_tile)
        assert_memory_equal(kept->across, gates->across, sizeof gates->across);
    assert_memory_equal(kept->use, gates->use, sizeof gates->use);
}

static void assert_gates(const twin *both, const cairn_table *table, dice *luck, tally *sum)
{
    const cairn_map *row_map;
    cn_gates gates = {.mem = table->mem};
    const cn_gates *kept;
    cn_trust trust;
    uint32_t goal;

    assert_int_equal(cn_table_row_map(table, both->map, &row_map), CAIRN_OK);
    const bool is_harmed = make_gates(&gates, table, row_map);
    assert_int_equal(cn_gates_of(table, row_map, &trust, &kept), CAIRN_OK);
    assert_int_equal(trust, cn_table_trust(table, is_harmed ? CN_LAG_HARMFUL : CN_LAG_HARMLESS));
    if (trust != CN_TRUST_ALL)
        assert_same_gates(&gates, kept);
    sum->made++;
    sum->usable += gates.is_usable;
    sum->at_corners += gates.is_usable && gates.extension;
    sum->whole += gates.is_usable && gates.has_whole;
    sum->merged += gates.port_count == CN_PORTS_MAX;
    sum->parts += gates.is_usable && gates.parts.of_tile;
    sum->kept_parts += kept && kept->parts.of_tile;
    oracle_arcs steps = twin_step_map_arcs(both, cairn_table_metric(table));
    for (unsigned i = 0; gates.is_usable && i < GOALS; i++) {
        const oracle_arcs *arcs = cairn_table_counts_steps(table) ? &steps : &both->arcs;
        if (!draw_open(both, luck, &goal))
            continue;
        assert_bounds(arcs, both, &gates, goal, sum);
        if (kept && (kept->parts.of_tile || gates.parts.of_tile))
            assert_bounds(arcs, both, kept, goal, sum);
    }
    oracle_arcs_free(&steps);
    cn_gates_free(&gates);
}

/* The least cost, or within the weight; where no path leads, one to another node may be asked
 * for. */
static void assert_cost(const cairn_path *path, uint64_t least, const cairn_search_options *options)
{
    const uint64_t weight = options->weight ? options->weight : 1000;
    if (least == ORACLE_NEVER) {
        assert_int_equal(path->outcome, options->nearest ? CAIRN_PATH_NEAREST : CAIRN_PATH_NONE);
        return;
    }
    assert_int_equal(path->outcome, CAIRN_PATH_FOUND);
    assert_int_equal(path->guarantee, weight);
    assert_true(path->cost >= least && (uint64_t)path->cost * 1000 <= least * weight);
}

static void assert_paths(const twin *both, cairn_search *search,
                         const cairn_search_options *options, dice *luck, tally *sum)
{
    uint32_t start, goal;
    cairn_path path;

    if (!draw_open(both, luck, &start) || !draw_open(both, luck, &goal))
        return;
    uint64_t *costs = oracle_arc_costs(&both->arcs, ORACLE_TO, &goal, 1);
    assert_int_equal(cairn_search_run(search, start, goal, &path), CAIRN_OK);
    while (path.outcome == CAIRN_PATH_PAUSED)
        assert_int_equal(cairn_search_resume(search, 5, &path), CAIRN_OK);
    assert_cost(&path, costs[start], options);
    if (path.node_count)
        assert_int_equal(oracle_arc_path(&both->arcs, path.nodes, path.node_count), path.cost);
    sum->runs++;
    sum->by_gates += path.row_count > 0 && path.state == CAIRN_ROW_WEAKER;
    free(costs);
}

static void edit_somehow(twin *both, dice *luck)
{
    static const char letters[] = "@.";
    const unsigned kind = dice_below(luck, 3);
    if (kind == 0 || both->kind != TERRAIN_UNIFORM || !both->drawn.letters) {
        storm_edit(both, luck);
        return;
    }
    /* Single cells, which mostly open. */
    for (unsigned i = 0; i < kind * kind; i++) {
        uint32_t node = dice_below(luck, both->arcs.node_count);
        cairn_edit edit = twin_set_letter(both, node, letters[dice_below(luck, 4) > 0]);
        assert_int_equal(cairn_map_edit(both->map, &edit, 1), CAIRN_OK);
    }
    twin_list_steps(both);
}

static void refresh_somehow(const twin *both, cairn_table **table, dice *luck)
{
    static const unsigned most[] = {1, 2, 60, 2000};
    cairn_table *copy;
    cairn_status status = step_now(*table, both->map,
                                   CAIRN_CELLS(dice_below(luck, most[luck->state % 4])));
    assert_true(status == CAIRN_OK || status == CAIRN_MORE);
    if (dice_below(luck, 8))
        return;
    assert_int_equal(cairn_table_clone(*table, &copy), CAIRN_OK);
    cairn_table_free(*table);
    *table = copy;
}

static void live_by_gates(twin *both, dice *luck, tally *sum)
{
    static const cairn_search_options options[] = {
        {.size = sizeof *options},
        {.size = sizeof *options, .space = CAIRN_SPACE_CELLS},
        {.size = sizeof *options, .ties = CAIRN_TIES_LARGER_G},
        {.size = sizeof *options, .weight = 1300},
        {.size = sizeof *options, .nearest = true},
        {.size = sizeof *options, .expansion_limit = 3}};
    cairn_table *table = behind_table(both, luck);
    cairn_search *searches[COUNT_OF(options)];
    const unsigned patience = dice_below(luck, 5); /* 0: it is never refreshed */

    for (size_t i = 0; i < COUNT_OF(options); i++)
        assert_int_equal(cairn_search_new(both->map, table, &options[i], &searches[i]), CAIRN_OK);
    for (unsigned round = 0; round < ROUNDS; round++) {
        edit_somehow(both, luck);
        if (patience && dice_below(luck, patience) == 0)
            refresh_somehow(both, &table, luck);
        assert_gates(both, table, luck, sum);
        if (round % 4 == 3)
            assert_search(both, table, luck);
        for (size_t i = 0; i < COUNT_OF(options); i++) {
            assert_int_equal(cairn_search_use(searches[i], both->map, table), CAIRN_OK);
            assert_paths(both, searches[i], &options[i], luck, sum);
            assert_paths(both, searches[i], &options[i], luck, sum);
        }
    }
    for (size_t i = 0; i < COUNT_OF(options); i++)
        cairn_search_free(searches[i]);
    cairn_table_free(table);
}

/* Corridors one below the other, each joined to the next at one end, left and right in turn. */
enum { CORRIDORS = 32, CORRIDOR = 40, DOOR_X = 10, HALL = 9 };

static twin winding(oracle_rule rule, terrain_kind kind)
{
    twin both = twin_sized(MAP_CAVE, rule, kind, (cairn_metric){70, 99}, CORRIDOR, 2 * CORRIDORS);
    for (uint32_t y = 0; y < 2 * CORRIDORS; y++) {
        for (uint32_t x = 0; x < CORRIDOR; x++) {
            const bool is_end = x == (y % 4 == 1 ? CORRIDOR - 1 : 0);
            both.drawn.letters[y * CORRIDOR + x] = y % 2 == 0 || is_end ? '.' : '@';
        }
    }
    cairn_map *map = twin_rebuilt(&both);
    cairn_map_free(both.map);
    both.map = map;
    twin_list_steps(&both);
    return both;
}

/* Doors between the corridors from one to before another, each of which saves a long way. */
static void set_doors(twin *both, uint32_t first, uint32_t end, char letter)
{
    for (uint32_t i = first; i < end; i++)
        twin_set_letter(both, (2 * i + 1) * CORRIDOR + DOOR_X + i % 2 * CORRIDOR / 2, letter);
}

static void open_doors(twin *both, uint32_t first, uint32_t end)
{
    set_doors(both, first, end, '.');
}

static void close_doors(twin *both, uint32_t first, uint32_t end)
{
    set_doors(both, first, end, '@');
}

/* Two ports for each door: up to 32 are kept, up to 40 are merged, and of more none are made. */
static void ports_are_merged_up_to_a_number(void **state)
{
    static const struct {
        uint32_t doors, ports;
        bool usable;
    } steps[] = {{3, 6, true},   {15, 30, true}, {16, 32, true}, {17, 32, true},
                 {19, 32, true}, {20, 32, true}, {21, 0, false}};
    (void)state;
    for (unsigned rule = 0; rule < ORACLE_RULES; rule++) {
        if (rule == ORACLE_HEX)
            continue; /* a corridor winds otherwise there */
        twin both = winding((oracle_rule)rule, TERRAIN_UNIFORM);
        cairn_table *table = table_of(both.map, 5);
        dice luck = {rule + 1};
        tally sum = {0};
        for (size_t i = 0; i < COUNT_OF(steps); i++) {
            cn_gates gates = {.mem = table->mem};
            open_doors(&both, i ? steps[i - 1].doors : 0, steps[i].doors);
            (void)make_gates(&gates, table, both.map);
            assert_int_equal(gates.is_usable, steps[i].usable);
            if (gates.is_usable)
                assert_int_equal(gates.port_count, steps[i].ports);
            cn_gates_free(&gates);
            assert_gates(&both, table, &luck, &sum);
        }
        assert_int_equal(sum.usable, COUNT_OF(steps) - 1);
        cairn_table_free(table);
        twin_free(&both);
    }
}

/* Where not all rows can be used for what they lack, those are that lack least. */
static void rows_that_lack_most_are_left_out(void **state)
{
    (void)state;
    twin both = winding(ORACLE_8, TERRAIN_UNIFORM);
    cairn_table *table = table_of(both.map, 6);
    dice luck = {5};
    tally sum = {0};

    open_doors(&both, 0, 18);
    do
        assert_int_equal(step_now(table, both.map, CAIRN_CELLS(50)), CAIRN_MORE);
    while (table->row_state[2] != CAIRN_ROW_FRESH);
    open_doors(&both, 18, 22);
    assert_int_equal(cairn_refresh_step(table, both.map, CAIRN_CELLS(0)), CAIRN_MORE);
    cn_gates gates = {.mem = table->mem};
    (void)make_gates(&gates, table, both.map);
    assert_true(gates.is_usable);
    assert_in_range(gates.row_count, 3, 4);
    assert_int_equal(gates.cell_count, 4);
    for (uint32_t row = 0; row < 3; row++)
        assert_true(gates.use[row] != CN_ROW_LEFT_OUT);
    for (uint32_t row = 4; row < 6; row++)
        assert_int_equal(gates.use[row], CN_ROW_LEFT_OUT);
    cn_gates_free(&gates);
    for (unsigned i = 0; i < 6; i++) {
        assert_gates(&both, table, &luck, &sum);
        open_doors(&both, 22 + i, 23 + i);
    }
    /* Rows that were left out serve again where fewer doors are open: by all that they lack. */
    close_doors(&both, 8, 28);
    assert_gates(&both, table, &luck, &sum);
    open_doors(&both, 8, 9);
    assert_gates(&both, table, &luck, &sum);
    assert_int_equal(sum.usable, 8);
    (void)make_gates(&gates, table, both.map);
    assert_in_range(gates.row_count, 5, 6);
    cn_gates_free(&gates);
    cairn_table_free(table);
    twin_free(&both);
}

/* A cell that a unit has left is no opening to rows that never took it for blocked. */
static void openings_that_break_no_row_are_not_listed(void **state)
{
    (void)state;
    twin both = winding(ORACLE_8, TERRAIN_UNIFORM);
    for (uint32_t i = 0; i < HALL * CORRIDOR; i++)
        twin_set_letter(&both, i, '.');
    cairn_table *table = table_of(both.map, 5);

    for (uint32_t i = 0; i < 40; i++) {
        const uint32_t cell = HALL / 2 * CORRIDOR + 5 + i / 2;
        twin_set_letter(&both, cell, i % 2 ? '.' : '@');
        assert_int_equal(cairn_refresh_step(table, both.map, CAIRN_CELLS(0)), CAIRN_MORE);
    }
    assert_int_equal(table->unsafe_count, 0);
    assert_true(!table->openings || table->openings->cells.count == 0);
    open_doors(&both, HALL, HALL + 1);
    twin_set_letter(&both, 1, '@');
    assert_int_equal(cairn_refresh_step(table, both.map, CAIRN_CELLS(0)), CAIRN_MORE);
    assert_int_equal(table->openings->cells.count, 1);
    dice luck = {3};
    tally sum = {0};
    for (unsigned i = 0; i < 10; i++)
        assert_gates(&both, table, &luck, &sum);
    assert_int_equal(sum.usable, 10);
    cairn_table_free(table);
    twin_free(&both);
}

/* Traffic: arcs that cost more than for the table, most of them more often than once, and some that
 * come down to what they were. They break no row, however many they are, so all rows serve. */
static void arcs_that_rose_are_no_gates(void **state)
{
    enum { NODES = 500, ARCS = 1500, ROSE = 5000, ROWS = 6 };
    (void)state;
    for (unsigned symmetric = 0; symmetric < 2; symmetric++) {
        twin both = twin_graph(7 + symmetric, NODES, ARCS, symmetric, true);
        cairn_table *table = table_of(both.map, ROWS);
        dice luck = {symmetric};
        tally sum = {0};
        cn_gates gates = {.mem = table->mem};
        for (unsigned i = 0; i < ROSE; i++) {
            const oracle_arc arc = both.arcs.list[dice_below(&luck, (uint32_t)both.arcs.count)];
            const cairn_cost least = (cairn_cost)arc.cost;
            const cairn_cost raised = least + 1 + dice_below(&luck, least);
            cairn_edit edit = cairn_arc_cost(arc.from, arc.to, raised);
            if (arc.from == arc.to)
                continue;
            assert_int_equal(cairn_map_edit(both.map, &edit, 1), CAIRN_OK);
            edit.arc.cost = i % 3 ? raised : least;
            assert_int_equal(cairn_map_edit(both.map, &edit, 1), CAIRN_OK);
            twin_set_arc(&both, arc.from, arc.to, edit.arc.cost);
        }
        (void)make_gates(&gates, table, both.map);
        assert_int_equal(gates.row_count, table->row_count);
        assert_int_equal(gates.cell_count, 0);
        cn_gates_free(&gates);
        for (unsigned i = 0; i < 5; i++)
            assert_gates(&both, table, &luck, &sum);
        cairn_table_free(table);
        twin_free(&both);
    }
}

/* More cells than lists of even maps hold become dearer at once, on terrain: all rows still serve,
 * also beside a few that open. */
static void terrain_that_rose_is_no_gate(void **state)
{
    enum {
        SIDE = 120,
        CELLS = SIDE * SIDE,
        ROSE = 9000,
        ROWS = 6,
        DOOR = SIDE / 2 * SIDE + SIDE / 2
    };
    (void)state;
    cairn_alphabet alphabet;
    const cairn_map_options options = {.size = sizeof options, .alphabet = &alphabet};
    char *letters = malloc(CELLS);
    cairn_edit *edits = malloc(ROSE * sizeof *edits);
    const cairn_edit door = cairn_terrain(DOOR % SIDE, DOOR / SIDE, '.');
    dice luck = {11};
    cairn_map *map;

    assert_true(letters && edits);
    cairn_alphabet_init(&alphabet);
    assert_int_equal(cairn_alphabet_parse("G=3 S=5", 7, &alphabet, NULL), CAIRN_OK);
    for (uint32_t i = 0; i < CELLS; i++)
        letters[i] = i % SIDE == SIDE / 2 && i / SIDE > 9 ? '@' : "..G"[dice_below(&luck, 3)];
    assert_int_equal(cairn_map_from_letters(SIDE, SIDE, letters, &options, &map, NULL), CAIRN_OK);
    cairn_table *table = table_of(map, ROWS);
    for (uint32_t i = 0; i < ROSE; i++) {
        uint32_t cell = dice_below(&luck, CELLS);
        while (letters[cell] == '@')
            cell = dice_below(&luck, CELLS);
        edits[i] = cairn_terrain(cell % SIDE, cell / SIDE, i % 4 ? 'S' : '@');
    }
    assert_int_equal(cairn_map_edit(map, edits, ROSE), CAIRN_OK);
    for (unsigned opened = 0; opened < 2; opened++) {
        cn_gates gates = {.mem = table->mem};
        assert_int_equal(make_gates(&gates, table, map), opened);
        assert_int_equal(gates.row_count, table->row_count);
        assert_int_equal(gates.cell_count, opened);
        assert_true(gates.is_usable);
        cn_gates_free(&gates);
        assert_int_equal(cairn_map_edit(map, &door, 1), CAIRN_OK);
    }
    cairn_table_free(table);
    cairn_map_free(map);
    free(edits);
    free(letters);
}

/* A cell that could be left in few directions is an ordinary one now. In 16 bits the entry of a
 * cell that no landmark reached differs from others by less than a step costs, and yet proves that
 * no path leads there. */
static void a_way_out_of_a_one_way_cell_is_found_in_16_bits(void **state)
{
    enum { TABLES = 20, WIDTH_OF_ALL = 4, LOWER = 4, UPPER = 0 };
    static const cairn_metric metric = {14006, 18000};
    (void)state;
    cairn_alphabet alphabet;
    const cairn_map_options options = {
        .size = sizeof options, .metric = metric, .alphabet = &alphabet};
    const cairn_edit edit = cairn_terrain(0, 1, '.');
    unsigned narrow = 0;
    cairn_alphabet_init(&alphabet);
    assert_int_equal(cairn_alphabet_parse("one-way", 7, &alphabet, NULL), CAIRN_OK);
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        const cairn_build_options wishes = {.size = sizeof wishes,
                                            .landmark_count = 1 + (uint32_t)seed % 3,
                                            .seed = seed,
                                            .thread_count = 1};
        cairn_map *map;
        cairn_table *table;
        cairn_search *search;
        cairn_path path;
        cairn_bound bound;
        assert_int_equal(cairn_map_from_letters(WIDTH_OF_ALL, 2,
                                                "..>."
                                                ">@..",
                                                &options, &map, NULL),
                         CAIRN_OK);
        assert_int_equal(cairn_table_build(map, &wishes, &table), CAIRN_OK);
        assert_int_equal(cairn_search_new(map, table, NULL, &search), CAIRN_OK);
        assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
        assert_int_equal(cairn_search_run(search, LOWER, UPPER, &path), CAIRN_OK);
        assert_int_equal(path.cost, metric.straight);
        assert_int_equal(cairn_bound_to(map, table, UPPER, &bound), CAIRN_OK);
        assert_true(cairn_bound_at(&bound, LOWER) <= metric.straight);
        narrow += cairn_table_entry_bits(table) == 16;
        cairn_search_free(search);
        cairn_table_free(table);
        cairn_map_free(map);
    }
    assert_true(narrow > 0);
}

/* The table of a graph whose arcs all cost the same both ways serves another one that costs the
 * same now, but may be edited one way. Both ends of an arc that fell must be found. */
static void a_table_without_pairs_serves_a_directed_graph(void **state)
{
    enum { NODES = 20, ARCS = 60, ROUNDS_OF_EACH = 30 };
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(60); seed = seed_after(seed)) {
        twin both = twin_graph(seed + 1, NODES, ARCS, true, false);
        dice luck = {seed + 1};
        cairn_table *table = table_of(both.map, 1 + (uint32_t)seed % 4);
        cairn_arc arcs[ARCS];
        uint32_t count = 0;
        for (cairn_node node = 0; node < NODES; node++)
            count += cairn_steps(both.map, node, arcs + count, ARCS - count);
        assert_true(count > 1);
        const cairn_edit even = cairn_arc_cost(arcs[0].from, arcs[0].to, arcs[0].cost);
        arcs[0].cost += arcs[0].cost > 1 ? UINT32_MAX : 1; /* one less at first, or more */
        cairn_map_free(both.map);
        both.is_directed = true;
        assert_int_equal(cairn_map_from_arcs(NODES, arcs, count, NULL, NULL, NULL, &both.map, NULL),
                         CAIRN_OK);
        assert_int_equal(cairn_map_edit(both.map, &even, 1), CAIRN_OK);
        tally sum = {0};
        for (unsigned round = 0; round < ROUNDS_OF_EACH; round++) {
            const size_t at = dice_below(&luck, count);
            const cairn_cost cost = 1 + dice_below(&luck, 2 * arcs[at].cost);
            const cairn_edit edit = cairn_arc_cost(arcs[at].from, arcs[at].to, cost);
            assert_int_equal(cairn_map_edit(both.map, &edit, 1), CAIRN_OK);
            twin_set_arc(&both, arcs[at].from, arcs[at].to, cost);
            assert_gates(&both, table, &luck, &sum);
        }
        cairn_table_free(table);
        twin_free(&both);
    }
}

/* Two halves with a wall between, and a door at the upper end of it. */
static cairn_map *halves(cairn_rule rule, const cairn_allocator *allocator, uint32_t *door)
{
    const cairn_map_options options = {
        .size = sizeof options, .rule = rule, .allocator = allocator};
    picture drawn = random_map(MAP_SPARSE, WIDTH, HEIGHT, 3);
    cairn_map *map;
    for (uint32_t y = 0; y < HEIGHT; y++)
        drawn.letters[y * WIDTH + WIDTH / 2] = '@';
    for (uint32_t x = WIDTH / 2 - 1; x <= WIDTH / 2 + 1; x += 2)
        drawn.letters[x] = '.';
    *door = WIDTH / 2;
    assert_int_equal(cairn_map_from_letters(WIDTH, HEIGHT, drawn.letters, &options, &map, NULL),
                     CAIRN_OK);
    picture_free(&drawn);
    return map;
}

/* What bounds are worth between cells at the lower end of the wall, in percent of the costs. */
static uint64_t worth_across(const cairn_map *map, const cairn_table *table, dice *luck)
{
    uint64_t bounds = 0, costs = 0;
    cairn_cost *all = malloc(cairn_map_node_count(map) * sizeof *all);
    assert_non_null(all);
    for (unsigned i = 0; i < 20; i++) {
        cairn_bound bound;
        const cairn_node goal = cairn_node_at(map, WIDTH / 2 + 2 + dice_below(luck, 20), 40);
        assert_int_equal(cairn_bound_to(map, table, goal, &bound), CAIRN_OK);
        if (!cairn_map_is_open(map, goal))
            continue;
        assert_int_equal(cairn_costs_to(map, &goal, 1, all), CAIRN_OK);
        for (uint32_t x = 5; x < WIDTH / 2 - 1; x++) {
            const cairn_node node = cairn_node_at(map, x, 42);
            if (all[node] == CAIRN_UNREACHABLE)
                continue;
            assert_true(cairn_bound_at(&bound, node) <= all[node]);
            bounds += cairn_bound_at(&bound, node);
            costs += all[node];
        }
    }
    free(all);
    assert_true(costs > 0);
    return 100 * bounds / costs;
}

static void assert_worth(const cairn_map *map, const cairn_table *table, dice *luck)
{
    assert_in_range(worth_across(map, table, luck), 85, 100);
}

static cairn_table *halved_table(cairn_map *map, cairn_resident resident, cairn_metric steps)
{
    return table_built(map, (cairn_build_options){.landmark_count = 9,
                                                  .thread_count = 1,
                                                  .resident = resident,
                                                  .step_metric = steps});
}

/* A door opens between halves that have landmarks of their own: bounds lead through it at once,
 * once the edit is applied, while rows are repaired, and when another edit follows. */
static void open_door(cairn_rule rule, cairn_resident resident, cairn_metric steps)
{
    dice luck = {rule + 1};
    uint32_t door;
    cairn_map *map = halves(rule, NULL, &door);
    cairn_table *table = halved_table(map, resident, steps), *copy;
    const cairn_edit opened = cairn_open(door, 0), other = cairn_block(2, 2);
    assert_int_equal(cairn_map_edit(map, &opened, 1), CAIRN_OK);
    assert_worth(map, table, &luck);
    assert_int_equal(step_now(table, map, CAIRN_CELLS(0)), CAIRN_MORE);
    assert_worth(map, table, &luck);
    assert_int_equal(cairn_table_clone(table, &copy), CAIRN_OK);
    assert_worth(map, copy, &luck);
    assert_int_equal(cairn_map_edit(map, &other, 1), CAIRN_OK);
    assert_worth(map, table, &luck);
    for (unsigned i = 0; i < 40; i++) {
        (void)step_now(table, map, CAIRN_CELLS(200));
        assert_worth(map, table, &luck);
    }
    cairn_table_free(copy);
    cairn_table_free(table);
    cairn_map_free(map);
}

static void bounds_lead_through_a_door_between_halves(void **state)
{
    const cairn_metric none = {0, 0};
    (void)state;
    for (unsigned rule = CAIRN_RULE_8; rule <= CAIRN_RULE_HEX; rule++) {
        open_door((cairn_rule)rule, CAIRN_RESIDENT_CELLS, none);
        open_door((cairn_rule)rule, CAIRN_RESIDENT_CELLS, (cairn_metric){5, 7});
    }
    open_door(CAIRN_RULE_8, CAIRN_RESIDENT_CORNERS, none);
}

/* Of two doors between halves one closes again, and is asked itself, like any cell of a map that is
 * drawn: its bound says nothing, as of other blocked cells. */
static void a_door_that_has_closed_again_may_be_asked(void **state)
{
    (void)state;
    for (unsigned resident = CAIRN_RESIDENT_CELLS; resident <= CAIRN_RESIDENT_CORNERS; resident++) {
        dice luck = {3};
        uint32_t door;
        cairn_map *map = halves(CAIRN_RULE_8, NULL, &door);
        cairn_table *table = halved_table(map, (cairn_resident)resident, (cairn_metric){0, 0});
        const cairn_edit opened[] = {cairn_open(door, 0), cairn_open(door, 10)};
        const cairn_edit closed = cairn_block(door, 10);
        const cairn_node goal = cairn_node_at(map, 2, 2), asked = cairn_node_at(map, door, 10);
        cairn_bound bound;
        assert_int_equal(cairn_map_edit(map, opened, 2), CAIRN_OK);
        assert_worth(map, table, &luck);
        assert_int_equal(cairn_map_edit(map, &closed, 1), CAIRN_OK);
        assert_int_equal(cairn_bound_to(map, table, goal, &bound), CAIRN_OK);
        for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
            assert_true(cairn_bound_at(&bound, node) < CAIRN_UNREACHABLE);
        assert_false(cairn_map_is_open(map, asked));
        assert_worth(map, table, &luck);
        cairn_table_free(table);
        cairn_map_free(map);
    }
}

/* Both sides of a world know what its rows have lost. */
static void bounds_lead_through_a_door_in_a_world(void **state)
{
    (void)state;
    for (unsigned resident = CAIRN_RESIDENT_CELLS; resident <= CAIRN_RESIDENT_CORNERS; resident++) {
        dice luck = {9};
        uint32_t door;
        cairn_map *map = halves(CAIRN_RULE_8, NULL, &door);
        cairn_table *table = halved_table(map, (cairn_resident)resident, (cairn_metric){0, 0});
        cairn_world *world;
        assert_int_equal(cairn_world_new(map, table, &world), CAIRN_OK);
        const cairn_edit opened = cairn_open(door, 0);
        assert_int_equal(cairn_world_edit(world, &opened, 1), CAIRN_OK);
        for (unsigned i = 0; i < 12; i++) {
            assert_int_equal(cairn_world_publish(world), CAIRN_OK);
            cairn_view view = cairn_world_acquire(world);
            assert_worth(view.map, view.table, &luck);
            cairn_world_release(world, &view);
            (void)world_step_now(world, CAIRN_CELLS(i < 2 ? 0 : 100));
        }
        cairn_world_free(world);
    }
}

/* Gates with parts take all that they need, or nothing stays of them; what they hold is told. */
static void parts_may_lack_memory(void **state)
{
    (void)state;
    failing_allocator counted;
    failing_allocator_init(&counted);
    uint32_t door;
    cairn_map *map = halves(CAIRN_RULE_8, &counted.allocator, &door);
    cairn_table *table = halved_table(map, CAIRN_RESIDENT_CELLS, (cairn_metric){0, 0});
    const cairn_edit opened = cairn_open(door, 0), other = cairn_block(2, 2);
    cairn_bound bound;
    assert_true(cairn_connected(map, 0, 0));
    assert_int_equal(cairn_map_edit(map, &opened, 1), CAIRN_OK);
    for (unsigned edits = 0; edits < 2; edits++) { /* parts are sought, and then taken */
        size_t n = 1;
        cairn_status status = CAIRN_E_MEMORY;
        for (; status == CAIRN_E_MEMORY; n++) {
            failing_allocator_arm(&counted, n);
            status = cairn_bound_to(map, table, 5, &bound);
            failing_allocator_arm(&counted, 0);
        }
        assert_int_equal(status, CAIRN_OK);
        assert_true(n > 8);
        assert_int_equal(atomic_load(&counted.held),
                         cairn_map_memory(map) + cairn_table_memory(table));
        assert_int_equal(cairn_map_edit(map, &other, 1), CAIRN_OK);
    }
    cairn_table_free(table);
    cairn_map_free(map);
    assert_int_equal(atomic_load(&counted.outstanding), 0);
}

static void no_bound_by_gates_is_too_high(void **state)
{
    (void)state;
    tally sum = {0};
    for (uint64_t seed = 0; seed < seeds_to(MAPS); seed = seed_after(seed)) {
        dice luck = {seed * 7919 + 1};
        const bool is_any = seed % 3 == 2; /* of the kinds of maps that are not like the others */
        const oracle_rule rule = (oracle_rule)(seed % ORACLE_RULES);
        const cairn_metric metric = fixture_metrics[seed / ORACLE_RULES % FIXTURE_METRICS];
        twin both = is_any     ? storm_twin((unsigned)(seed / 3) % STORM_KINDS, seed)
                    : seed % 2 ? twin_of(seed, rule, TERRAIN_UNIFORM, metric)
                               : twin_sized(seed, rule, TERRAIN_UNIFORM, metric, WIDTH, HEIGHT);
        live_by_gates(&both, &luck, &sum);
        twin_free(&both);
    }
    print_message(
        "made %u, usable %u, whole %u, merged %u, inside %u, in niches %u, at corners %u, "
        "with parts %u, kept %u, bounds %u of %u, paths %u of %u\n",
        sum.made, sum.usable, sum.whole, sum.merged, sum.inside, sum.niches, sum.at_corners,
        sum.parts, sum.kept_parts, sum.sharper, sum.bounds, sum.by_gates, sum.runs);
    assert_true(sum.usable * 10 > sum.made * 9);
    assert_true(sum.whole > 0 && sum.inside > 0 && sum.niches > 0 && sum.at_corners > 0);
    assert_true(sum.parts > 0 && sum.kept_parts > 0);
    assert_true(sum.sharper * 2 > sum.bounds);
    assert_true(sum.by_gates * 8 > sum.runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_lead_through_a_door_between_halves),
        cmocka_unit_test(a_door_that_has_closed_again_may_be_asked),
        cmocka_unit_test(bounds_lead_through_a_door_in_a_world),
        cmocka_unit_test(parts_may_lack_memory),
        cmocka_unit_test(no_bound_by_gates_is_too_high),
        cmocka_unit_test(ports_are_merged_up_to_a_number),
        cmocka_unit_test(rows_that_lack_most_are_left_out),
        cmocka_unit_test(openings_that_break_no_row_are_not_listed),
        cmocka_unit_test(arcs_that_rose_are_no_gates),
        cmocka_unit_test(terrain_that_rose_is_no_gate),
        cmocka_unit_test(a_way_out_of_a_one_way_cell_is_found_in_16_bits),
        cmocka_unit_test(a_table_without_pairs_serves_a_directed_graph),
    };
    return cmocka_run_group_tests_name("gates", tests, NULL, NULL);
}
