#include "storm.h"

#include "check.h"
#include "fixtures.h"

static const cairn_metric metrics[] = {{10, 14}, {1, 1}, {5, 7}, {2378, 3363}, {1000, 1414}};

static twin graph_twin(storm_graph kind, uint64_t seed)
{
    uint32_t nodes = 2 + (uint32_t)(seed * 7 % 60);
    uint32_t arcs = (uint32_t)(nodes * (1 + seed % 4)) / 2 * 2;
    bool symmetric = kind % 2;
    if (kind >= STORM_OWN)
        return twin_callback_graph(seed, nodes, arcs, symmetric);
    return twin_graph(seed, nodes, arcs, symmetric, kind >= STORM_PLACED);
}

/* Where steps cost the mean of two factors, these are all alike on some maps. */
twin storm_twin(unsigned kind, uint64_t seed)
{
    if (kind >= STORM_GRIDS)
        return graph_twin((storm_graph)(kind - STORM_GRIDS), seed);
    terrain_kind terrain = (terrain_kind)(kind / ORACLE_RULES);
    if (terrain == TERRAIN_AVERAGE && seed % 4 == 3)
        terrain = TERRAIN_ALIKE;
    return twin_of(seed, (oracle_rule)(kind % ORACLE_RULES), terrain,
                   metrics[(seed + kind) % COUNT_OF(metrics)]);
}

cairn_table *storm_table(cairn_map *map, dice *luck, bool may_be_at_corners)
{
    cairn_build_options options = {.landmark_count = 1 + dice_below(luck, 6), .thread_count = 1};

    if (dice_below(luck, 4) == 0)
        return NULL;
    if (may_be_at_corners && dice_below(luck, 2))
        options.resident = CAIRN_RESIDENT_CORNERS;
    return table_suiting(map, options);
}

/* ------------------------------------------------------------------------------------ edits -- */

/* Closing as often as opening, so that maps neither fill up nor empty. */
static char any_letter(const twin *both, dice *luck)
{
    static const char letters[] = "@@.S@GK@^v<>";
    static const unsigned known[] = {
        [TERRAIN_UNIFORM] = 3, [TERRAIN_ENTERED] = 8, [TERRAIN_AVERAGE] = 8, [TERRAIN_ONE_WAY] = 12,
        [TERRAIN_HILLS] = 8,   [TERRAIN_SLOPES] = 8,  [TERRAIN_ALIKE] = 8};
    return letters[dice_below(luck, known[both->kind])];
}

/* Bits write '.' and '@', but only where they change whether a cell is open. */
static char letter_of_bit(char now, bool open)
{
    const bool is_open = strchr(".SGK^v<>", now) != NULL;
    if (open == is_open)
        return now;
    return open ? '.' : '@';
}

/* What the edit makes of one cell of its rectangle, the i-th. */
static char draw_cell(const twin *both, dice *luck, const cairn_edit *edit, uint8_t *data, size_t i,
                      char now)
{
    if (edit->kind == CAIRN_EDIT_FILL)
        return edit->letter;
    if (edit->kind == CAIRN_EDIT_LETTERS)
        return (char)(data[i] = (uint8_t)any_letter(both, luck));
    bool open = dice_below(luck, 2);
    data[i / 8] |= (uint8_t)(open << i % 8);
    return letter_of_bit(now, open);
}

static cairn_edit draw_cells(twin *both, dice *luck, uint8_t *data)
{
    static const cairn_edit_kind kinds[] = {CAIRN_EDIT_FILL, CAIRN_EDIT_FILL, CAIRN_EDIT_BITS,
                                            CAIRN_EDIT_LETTERS};
    const picture *drawn = &both->drawn;
    const uint32_t most = dice_below(luck, 3) ? 1 : STORM_SIDE;
    uint32_t x = dice_below(luck, drawn->width), y = dice_below(luck, drawn->height);
    uint32_t width = dice_below(luck, most) + 1, height = dice_below(luck, most) + 1;
    cairn_edit edit = {.kind = kinds[dice_below(luck, COUNT_OF(kinds))],
                       .x = x,
                       .y = y,
                       .letter = any_letter(both, luck),
                       .data = data};

    edit.width = width < drawn->width - x ? width : drawn->width - x;
    edit.height = height < drawn->height - y ? height : drawn->height - y;
    if (dice_below(luck, 30) == 0)
        edit.width = 0;
    for (uint32_t i = 0; i < edit.width * edit.height; i++) {
        char *cell = &drawn->letters[(y + i / edit.width) * drawn->width + x + i % edit.width];
        *cell = draw_cell(both, luck, &edit, data, i, *cell);
    }
    return edit;
}

/* An arc that joins two nodes; false where there is none. Mostly another cost, often that of the
 * reverse, so that directed graphs become symmetric and fall apart again. */
static bool draw_arc(twin *both, dice *luck, cairn_edit *edit)
{
    static const uint32_t scales[] = {1, 5, 1000, 70000};
    const oracle_arcs *arcs = &both->arcs;
    if (arcs->count == 0)
        return false;
    const oracle_arc *arc = &arcs->list[dice_below(luck, (uint32_t)arcs->count)];
    uint64_t back = oracle_arc_between(arcs, arc->to, arc->from);
    uint32_t cost = 1 + dice_below(luck, scales[dice_below(luck, COUNT_OF(scales))]);
    if (arc->from == arc->to)
        return false;
    if (back != ORACLE_NEVER && dice_below(luck, 4) == 0)
        cost = (uint32_t)back;
    *edit = cairn_arc_cost(arc->from, arc->to, cost);
    twin_set_arc(both, edit->arc.from, edit->arc.to, cost);
    return true;
}

void storm_draw(twin *both, dice *luck, storm_batch *batch)
{
    const unsigned wanted = 1 + dice_below(luck, dice_below(luck, 2) ? 1 : STORM_EDITS);

    memset(batch, 0, sizeof *batch);
    for (unsigned i = 0; i < wanted; i++) {
        cairn_edit *edit = &batch->edits[batch->count];
        if (both->drawn.letters)
            *edit = draw_cells(both, luck, batch->data[batch->count]);
        else if (!draw_arc(both, luck, edit))
            continue;
        batch->count++;
    }
}

void storm_edit_often(twin *both, dice *luck, unsigned calls)
{
    storm_batch batch;
    for (unsigned i = 0; i < calls; i++) {
        storm_draw(both, luck, &batch);
        assert_int_equal(cairn_map_edit(both->map, batch.edits, batch.count), CAIRN_OK);
    }
    if (both->drawn.letters)
        twin_list_steps(both);
}

void storm_edit(twin *both, dice *luck)
{
    storm_edit_often(both, luck, 1);
}

/* ----------------------------------------------------------------------------------- checks -- */

static void assert_same_letters(const cairn_map *map, const cairn_map *other)
{
    assert_int_equal(cairn_map_node_count(map), cairn_map_node_count(other));
    assert_int_equal(cairn_map_open_count(map), cairn_map_open_count(other));
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
        assert_int_equal(cairn_map_letter(map, node), cairn_map_letter(other, node));
}

static void assert_same_map(const cairn_map *map, const cairn_map *other)
{
    assert_true(cairn_map_hash(map) == cairn_map_hash(other));
    assert_int_equal(cairn_map_kind_of(map), cairn_map_kind_of(other));
    assert_int_equal(cairn_map_arc_count(map), cairn_map_arc_count(other));
    assert_same_letters(map, other);
}

void assert_map_equals_a_rebuilt_one(const twin *both)
{
    cairn_map *rebuilt = twin_rebuilt(both);
    assert_same_map(both->map, rebuilt);
    cairn_map_free(rebuilt);
}

void assert_table_is_exact(const twin *both, const cairn_table *table)
{
    const bool counts_steps = cairn_table_counts_steps(table);
    oracle_arcs steps = {0};
    if (counts_steps)
        steps = twin_step_map_arcs(both, cairn_table_metric(table));
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        assert_int_equal(cairn_table_row_state(table, both->map, row), CAIRN_ROW_FRESH);
        assert_row(counts_steps ? &steps : &both->arcs, both->map, table, row);
    }
    oracle_arcs_free(&steps);
}

static void assert_same_rows_by_cells(const cairn_table *table, const cairn_table *other,
                                      const cairn_map *map)
{
    const cairn_node *landmarks, *same;
    assert_int_equal(cairn_table_row_count(table), cairn_table_row_count(other));
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        size_t count = cairn_table_landmarks(table, row, &landmarks);
        assert_int_equal(cairn_table_landmarks(other, row, &same), count);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(landmarks[i], same[i]);
        for (cairn_node node = 0; node < cairn_map_node_count(map); node++) {
            if (cairn_map_is_open(map, node))
                assert_int_equal(cairn_table_cost(table, row, node),
                                 cairn_table_cost(other, row, node));
        }
    }
}

static void assert_file_with(const twin *both, const cairn_table *table, cairn_codec codec,
                             cairn_map_part part)
{
    const bool is_included = part == CAIRN_MAP_INCLUDED;
    cairn_save_options save = {
        .size = sizeof save, .codec = codec, .map_part = part, .thread_count = 1};
    cairn_load_options load = {
        .size = sizeof load, .map = is_included ? NULL : both->map, .thread_count = 1};
    cairn_map *map = NULL;
    cairn_table *again;
    uint8_t *bytes;
    size_t size;

    assert_int_equal(cairn_save_bytes(both->map, table, &save, &bytes, &size), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(bytes, size, &load, is_included ? &map : NULL, &again, NULL),
                     CAIRN_OK);
    cairn_bytes_free(both->map, bytes);
    if (is_included)
        assert_same_map(map, both->map);
    assert_same_rows_by_cells(again, table, both->map);
    assert_int_equal(cairn_table_verify(again, is_included ? map : both->map, 1, NULL), CAIRN_OK);
    cairn_table_free(again);
    cairn_map_free(map);
}

void assert_file_gives_back(const twin *both, const cairn_table *table, cairn_codec codec)
{
    assert_file_with(both, table, codec, CAIRN_MAP_INCLUDED);
    assert_file_with(both, table, codec, CAIRN_MAP_LEFT_OUT);
}
