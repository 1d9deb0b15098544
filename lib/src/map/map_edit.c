/* Edits: applies a list of them to cells or arcs, notes in the journal what changed, and lets the
 * maps for units follow. */
#include <string.h>

#include "map/map.h"

/* Jump planes are filled for the whole map where that takes less time than to update them for one
 * edit after another. An edit updates those of the cells that it changes and of some beside them,
 * and walks along the runs that end there, which are long on open ground. Times are about
 * nanoseconds. */
enum {
    FILL_TIME = 80,    /* of a word of 64 cells in a row, however few of them are on the map */
    FILLED_BESIDE = 8, /* rows that could be filled in the time of writing the columns of words */
    BORDERS_TIME = 20, /* of filling a cell of a map with borders: 15, or 60 with heights */
    UPDATE_TIME = 20,  /* of a cell */
    UPDATED_BESIDE = 8,
    WALK_TIME = 2,         /* of a step along a run */
    UPRIGHT_WALK_TIME = 10 /* with four neighbours, where stops of other runs follow */
};

/* The letter that the edit puts into cell `i` of its rectangle, which holds `now`. */
static uint8_t wanted_letter(const cn_grid *grid, const cairn_edit *edit, size_t i, uint8_t now)
{
    if (edit->kind == CAIRN_EDIT_FILL)
        return (uint8_t)edit->letter;
    const uint8_t *data = edit->data;
    if (edit->kind == CAIRN_EDIT_LETTERS)
        return data[i];
    bool open = data[i / 8] >> i % 8 & 1;
    if (open == grid->open_letter[now])
        return now;
    return open ? '.' : '@';
}

/* Rectangles that hold the cells of an edit whose steps changed, and those that opened or closed.
 * Empty ones have no right column. */
typedef struct changed_areas {
    cn_area steps, openness;
} changed_areas;

static const cn_area NO_AREA = {UINT32_MAX, UINT32_MAX, 0, 0};

static bool is_no_area(const cn_area *area)
{
    return area->left > area->right;
}

static void extend_area(cn_area *area, uint32_t x, uint32_t y)
{
    area->left = x < area->left ? x : area->left;
    area->top = y < area->top ? y : area->top;
    area->right = x > area->right ? x : area->right;
    area->bottom = y > area->bottom ? y : area->bottom;
}

static void set_cell(cairn_map *map, uint32_t x, uint32_t y, uint8_t letter, changed_areas *changed)
{
    const cairn_node node = y * map->grid.width + x;
    const uint8_t now = map->grid.letters[node];
    uint64_t before = cn_map_cell_hash(map, node);
    bool opened_or_closed = cn_grid_set_letter(&map->grid, node, letter);
    uint64_t after = cn_map_cell_hash(map, node);
    if (before == after)
        return;
    map->hash += after - before;
    cn_journal_add(&map->journal, node, now);
    extend_area(&changed->steps, x, y);
    if (opened_or_closed)
        extend_area(&changed->openness, x, y);
}

/* What follows from the cells of an edit; jump planes only if they are not filled later. */
static void follow_cells(cairn_map *map, const changed_areas *changed, bool fills_planes)
{
    const cn_area *parted = map->grid.has_one_way ? &changed->steps : &changed->openness;
    if (!is_no_area(&changed->openness))
        cn_grid_update_around(&map->grid, changed->openness);
    if (map->components && !is_no_area(parted))
        cn_components_mark(map->components, *parted);
    if (map->jump && !fills_planes && !is_no_area(&changed->steps))
        cn_jump_update(map->jump, &map->grid, changed->steps);
}

static uint64_t arc_hash_change(const cairn_arc *arc, cairn_cost before)
{
    return cn_map_arc_hash(arc->from, arc->to, arc->cost) -
           cn_map_arc_hash(arc->from, arc->to, before);
}

/* Changes the cost of an arc, and records both of its ends in the journal. Where the graph is not
 * directed the reverse arc, which costs the same, changes as well. */
static void apply_to_arc(cairn_map *map, const cairn_arc *arc)
{
    const cairn_arc back = {arc->to, arc->from, arc->cost};
    const cairn_cost before = cn_graph_cost(map->graph, arc->from, arc->to);
    if (before == arc->cost)
        return;
    map->hash += arc_hash_change(arc, before);
    if (!map->graph->is_directed)
        map->hash += arc_hash_change(&back, before);
    cn_graph_set_cost(map->graph, arc->from, arc->to, arc->cost);
    cn_journal_add(&map->journal, arc->from, 0);
    cn_journal_add(&map->journal, arc->to, 0);
}

/* Costs that the same call has changed again decide nothing: where all change back, the map keeps
 * its version. */
static void take_costs(cairn_map *map, const cairn_edit *edits, size_t count)
{
    for (size_t i = 0; map->graph && i < count; i++)
        cn_graph_take_cost(map->graph, edits[i].arc.from, edits[i].arc.to);
}

static cn_area area_of(const cairn_edit *edit)
{
    return (cn_area){edit->x, edit->y, edit->x + edit->width - 1, edit->y + edit->height - 1};
}

static void apply(cairn_map *map, const cairn_edit *edit, bool fills_planes)
{
    const cn_grid *grid = &map->grid;
    changed_areas changed = {NO_AREA, NO_AREA};
    size_t i = 0;

    for (uint32_t y = edit->y; y < edit->y + edit->height; y++) {
        const uint8_t *letters = grid->letters + (size_t)y * grid->width;
        for (uint32_t x = edit->x; x < edit->x + edit->width; x++, i++) {
            uint8_t now = letters[x], wanted = wanted_letter(grid, edit, i, now);
            if (wanted != now)
                set_cell(map, x, y, wanted, &changed);
        }
    }
    follow_cells(map, &changed, fills_planes);
}

static void begin_edit(cairn_map *map)
{
    map->hash_is_kept = true;
    cn_journal_begin(&map->journal, map->hash);
}

static bool may_fill_planes(const cairn_map *map)
{
    return map->jump && cn_jump_goes_by_words(map->jump);
}

static uint64_t time_to_fill(const cairn_map *map)
{
    const uint64_t words = cn_grid_row_words(&map->grid);
    return map->jump->borders ? (uint64_t)cn_map_node_count(map) * BORDERS_TIME
                              : words * (map->grid.height + FILLED_BESIDE) * FILL_TIME;
}

/* The cells of a side of an edit and those beside it, on a map with a side of `most`. */
static size_t updated_along(uint32_t side, uint32_t most)
{
    return side + UPDATED_BESIDE < most ? side + UPDATED_BESIDE : most;
}

/* Whether so many cells change that jump planes are filled rather than updated. */
static bool planes_are_filled(const cairn_map *map, const cairn_edit *edits, size_t count)
{
    const cn_grid *grid = &map->grid;
    if (!may_fill_planes(map))
        return false;
    const uint64_t most = time_to_fill(map) / UPDATE_TIME;
    uint64_t updated = 0;
    for (size_t i = 0; i < count && updated <= most; i++)
        updated += updated_along(edits[i].width, grid->width) *
                   updated_along(edits[i].height, grid->height);
    return updated > most;
}

static uint64_t steps_walked(const cairn_map *map)
{
    return map->jump ? map->jump->walked : 0;
}

/* Whether planes are filled for the edits of a call that are left, after `done` of `count` have
 * walked along runs since `walked_before`: the others would take longer than that if they walk as
 * far, and it has been seen for long enough to be told from chance. */
static bool planes_had_better_be_filled(const cairn_map *map, uint64_t walked_before, size_t done,
                                        size_t count)
{
    if (!may_fill_planes(map) || map->jump->borders || !done)
        return false;
    const bool is_upright = map->jump->shape == CN_JUMP_CROSS;
    const uint64_t time = (steps_walked(map) - walked_before) *
                          (is_upright ? UPRIGHT_WALK_TIME : WALK_TIME);
    const uint64_t fill = time_to_fill(map);
    return time > fill / 2 && time / done > fill / (count - done);
}

static void fill_planes(cairn_map *map)
{
    const cn_grid *grid = &map->grid;
    cn_jump_update(map->jump, grid, (cn_area){0, 0, grid->width - 1, grid->height - 1});
}

static void apply_all(cairn_map *map, const cairn_edit *edits, size_t count)
{
    const uint64_t before = map->hash, walked = steps_walked(map);
    const bool fills_all = planes_are_filled(map, edits, count);
    bool fills_planes = fills_all;

    begin_edit(map);
    for (size_t i = 0; i < count; i++) {
        fills_planes = fills_planes || planes_had_better_be_filled(map, walked, i, count);
        if (map->graph)
            apply_to_arc(map, &edits[i].arc);
        else
            apply(map, &edits[i], fills_planes);
    }
    take_costs(map, edits, count);
    /* Planes that the first edits have updated are those of a state in the middle of the call, also
     * if the map is again what it was. */
    if (fills_planes && (map->hash != before || !fills_all))
        fill_planes(map);
    cn_map_reconnect(map);
    cn_journal_end(&map->journal);
}

/* The step maps that need to follow edits. Those of graphs do not: all their arcs cost 1 whatever
 * the arcs of the map cost. */
static cairn_map *step_maps_of(const cairn_map *map)
{
    return map->graph ? NULL : map->step_maps;
}

/* ------------------------------------------------------------------------------ unit maps -- */

/* The anchors whose letters may follow from the cells of an edit. */
static cn_area anchors_around(const cairn_map *units, const cairn_edit *edit)
{
    const cn_area area = area_of(edit);
    return cn_bodies_around(units->bodies, &units->grid, &area);
}

static size_t area_size(cn_area area)
{
    return (size_t)(area.right - area.left + 1) * (area.bottom - area.top + 1);
}

/* How many anchors edits may change, or `most` if there are more. */
static size_t count_anchors(const cairn_map *units, const cairn_edit *edits, size_t count,
                            size_t most)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const bool is_empty = edits[i].width == 0 || edits[i].height == 0;
        const size_t size = is_empty ? 0 : area_size(anchors_around(units, &edits[i]));
        sum = size > most - sum ? most : sum + size;
    }
    return sum;
}

/* Gives anchors in a row the letters that follow from the followed map. */
static void rewrite_some(cairn_map *map, const cairn_map *units, uint32_t x, uint32_t y,
                         uint32_t count, changed_areas *changed)
{
    const uint8_t *now = map->grid.letters + (size_t)y * map->grid.width + x;
    uint8_t wanted[CN_BODIES_AT_ONCE];

    cn_body_letters_from(units->bodies, &units->cells_map->grid, x, y, count, wanted);
    for (uint32_t i = 0; i < count; i++) {
        if (wanted[i] != now[i])
            set_cell(map, x + i, y, wanted[i], changed);
    }
}

/* The same with all anchors of an area. `map` is the unit map or a step map of it. */
static void rewrite(cairn_map *map, const cairn_map *units, cn_area area, bool fills_planes)
{
    changed_areas changed = {NO_AREA, NO_AREA};
    for (uint32_t y = area.top; y <= area.bottom; y++) {
        for (uint32_t x = area.left, count; x <= area.right; x += count) {
            count = area.right - x + 1;
            count = count > CN_BODIES_AT_ONCE ? CN_BODIES_AT_ONCE : count;
            rewrite_some(map, units, x, y, count, &changed);
        }
    }
    follow_cells(map, &changed, fills_planes);
}

static void rewrite_all(cairn_map *map, const cairn_map *units, const cairn_edit *edits,
                        size_t count)
{
    const uint64_t walked = steps_walked(map);
    bool fills_planes = false;

    begin_edit(map);
    for (size_t i = 0; i < count; i++) {
        if (edits[i].width == 0 || edits[i].height == 0)
            continue;
        fills_planes = fills_planes || planes_had_better_be_filled(map, walked, i, count);
        rewrite(map, units, anchors_around(units, &edits[i]), fills_planes);
    }
    if (fills_planes)
        fill_planes(map);
    cn_map_reconnect(map);
    cn_journal_end(&map->journal);
}

/* ---------------------------------------------------------------------------------- edits -- */

static bool reserve_journals(cairn_map *map, size_t area, size_t most)
{
    bool done = cn_journal_reserve(&map->journal, &map->mem, area, most);
    for (cairn_map *step_map = step_maps_of(map); step_map && done;
         step_map = step_map->next_step_map)
        done = cn_journal_reserve(&step_map->journal, &step_map->mem, area, most);
    return done;
}

/* What has changed with the hash, which was `before`. */
static void end_edit(cairn_map *map, uint64_t before)
{
    if (map->hash != before)
        cn_map_set_corners_aside(map, before);
    map->version += map->hash != before;
}

static void edit_one(cairn_map *map, const cairn_edit *edits, size_t count)
{
    const uint64_t before = map->hash;
    apply_all(map, edits, count);
    end_edit(map, before);
}

static void edit_map(cairn_map *map, const cairn_edit *edits, size_t count)
{
    edit_one(map, edits, count);
    for (cairn_map *step_map = step_maps_of(map); step_map; step_map = step_map->next_step_map)
        edit_one(step_map, edits, count);
}

/* `map` is that of the units, or one of its step maps. */
static void edit_one_of_units(cairn_map *map, const cairn_map *units, const cairn_edit *edits,
                              size_t count)
{
    const uint64_t before = map->hash;
    rewrite_all(map, units, edits, count);
    end_edit(map, before);
}

static void edit_units(cairn_map *units, const cairn_edit *edits, size_t count)
{
    edit_one_of_units(units, units, edits, count);
    for (cairn_map *step_map = units->step_maps; step_map; step_map = step_map->next_step_map)
        edit_one_of_units(step_map, units, edits, count);
}

/* The cells or ends of arcs in all edits, or `most` if there are more. */
static size_t area_of_edits(const cairn_map *map, const cairn_edit *edits, size_t count,
                            size_t most)
{
    size_t area = 0;

    for (size_t i = 0; i < count; i++) {
        const size_t size = map->graph ? 2 : (size_t)edits[i].width * edits[i].height;
        area = size > most - area ? most : area + size;
    }
    return area;
}

cairn_status cairn_map_edit(cairn_map *map, const cairn_edit *edits, size_t count)
{
    if (!map || (!edits && count) || map->cells_map)
        return CAIRN_E_ARGUMENT;
    cairn_status status = cairn_map_check_edits(map, edits, count, NULL);
    if (status != CAIRN_OK)
        return status;
    const size_t most = cn_map_node_count(map) / 2 + CN_JOURNAL_CELLS;
    bool reserved = reserve_journals(map, area_of_edits(map, edits, count, most), most);
    for (cairn_map *units = map->unit_maps; units && reserved; units = units->next_unit_map)
        reserved = reserve_journals(units, count_anchors(units, edits, count, most), most);
    if (!reserved)
        return CAIRN_E_MEMORY;

    edit_map(map, edits, count);
    for (cairn_map *units = map->unit_maps; units; units = units->next_unit_map)
        edit_units(units, edits, count);
    return CAIRN_OK;
}
