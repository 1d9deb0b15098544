/*
 * Nodes that a search avoids: those that its runs may not enter, and those where entering costs
 * more. The map stays as it is, so bounds and components hold: costs only rise.
 *
 * For the same reason a shortest path on which none of them lies stays shortest. So runs along jump
 * points begin as if there were none, and begin once more with those that their path meets, and
 * with others near these, until it meets no more (docs/decisions/avoided-nodes.md). Those nodes and
 * their neighbours become borders (map/jump_points.h) in planes of the search's own, from which
 * every legal step is taken. The planes are a copy of those of the map, which follows its edits by
 * the journal.
 */
#include "search/search.h"

#include <string.h>

/* Which item is that of a node that is avoided. */
static size_t place_of(const cn_avoidance *self, cairn_node node)
{
    size_t first = 0, end = self->count;
    while (end - first > 1) {
        const size_t middle = first + (end - first) / 2;
        if (self->items[middle].node > node)
            end = middle;
        else
            first = middle;
    }
    return first;
}

cairn_cost cn_avoidance_extra(const cn_avoidance *self, cairn_node node)
{
    return CN_LIKELY(!cn_has_bit(self->bits, node)) ? 0 : self->items[place_of(self, node)].extra;
}

cairn_cost cn_avoidance_extra_if_met(const cn_avoidance *self, cairn_node node)
{
    if (CN_LIKELY(!cn_has_bit(self->bits, node)))
        return 0;
    const cn_avoided *item = &self->items[place_of(self, node)];
    return item->is_met ? item->extra : 0;
}

cn_arc_span cn_avoidance_arcs(const cn_avoidance *self, cn_arc_span span, cn_arc *scratch)
{
    size_t count = 0;
    for (size_t i = 0; i < span.count; i++) {
        const cn_arc arc = span.arcs[i];
        const cairn_cost extra = cn_avoidance_extra(self, arc.to);
        if (extra == CAIRN_UNREACHABLE)
            continue;
        scratch[count] = arc;
        scratch[count++].cost += extra;
    }
    return (cn_arc_span){scratch, count};
}

cn_arc_span cn_avoidance_arcs_to(const cn_avoidance *self, cairn_node node, cn_arc_span span,
                                 cn_arc *scratch)
{
    const cairn_cost extra = cn_avoidance_extra(self, node);
    if (extra == CAIRN_UNREACHABLE)
        span.count = 0;
    for (size_t i = 0; i < span.count; i++) {
        scratch[i] = span.arcs[i];
        scratch[i].cost += extra;
    }
    return (cn_arc_span){scratch, span.count};
}

/* ------------------------------------------------------------------------------------ planes -- */

static void update_plane_at(const cn_avoidance_planes *self, const cairn_map *map, cairn_node node)
{
    uint32_t x, y;
    cn_grid_xy(&map->grid, node, &x, &y);
    cn_jump_update(self->jump, &map->grid, (cn_area){x, y, x, y});
}

/* Makes the planes those of a map that differs from the one they are of. */
static bool follow_journal(cn_avoidance_planes *self, const cairn_map *map)
{
    const cairn_node *cells;
    size_t count;
    cn_changes changes = cn_map_changes(map, self->hash, self->fixed_hash, &cells, &count);

    if (changes != CN_CHANGES_NONE && changes != CN_CHANGES_KNOWN)
        return false;
    self->jump->map = map;
    for (size_t i = 0; changes == CN_CHANGES_KNOWN && i < count; i++)
        update_plane_at(self, map, cells[i]);
    return true;
}

/* Copies the planes of a map, without borders of their own. */
static cairn_status copy_planes(cn_avoidance_planes *self, const cairn_map *map, const cn_mem *mem)
{
    const size_t words = cn_map_node_count(map) / 64 + 1;
    const cn_jump *planes;

    cn_jump_free(self->jump, mem);
    self->jump = NULL;
    self->borders.count = 0;
    if (!self->bits)
        self->bits = cn_array(mem, words, sizeof *self->bits);
    if (!self->bits)
        return CAIRN_E_MEMORY;
    memset(self->bits, 0, words * sizeof *self->bits);
    cairn_status status = cn_map_jump(map, &planes);
    if (status == CAIRN_OK)
        status = cn_jump_copy(planes, mem, &self->jump);
    if (status == CAIRN_OK)
        self->jump->avoided = self->bits;
    return status;
}

static cairn_status follow_map(cn_avoidance_planes *self, const cairn_map *map, const cn_mem *mem)
{
    cairn_status status = CAIRN_OK;

    if (self->jump && self->jump->map == map && self->version == map->version &&
        self->hash == map->hash && self->fixed_hash == map->fixed_hash)
        return CAIRN_OK;
    if (!self->jump || !follow_journal(self, map))
        status = copy_planes(self, map, mem);
    self->version = map->version;
    self->hash = map->hash;
    self->fixed_hash = map->fixed_hash;
    return status;
}

/* To copy the planes of a map takes as long as to undo one border for so many cells, and to fill
 * them as long as to set one for so many. */
enum { CELLS_TO_UNDO = 1024, CELLS_TO_SET = 512 };

static void set_border(cn_avoidance_planes *self, const cairn_map *map, cairn_node node, bool value)
{
    cn_put_bit(self->bits, node, value);
    update_plane_at(self, map, node);
}

static bool is_met_still(const cn_avoidance *self, cairn_node node)
{
    return cn_has_bit(self->bits, node) && self->items[place_of(self, node)].is_met;
}

/* Takes away the borders that were not met. */
static cairn_status undo_borders(cn_avoidance *self, const cairn_map *map, const cn_mem *mem)
{
    cn_avoidance_planes *planes = &self->planes;
    size_t kept = 0;

    for (size_t i = 0; i < planes->borders.count; i++)
        kept += is_met_still(self, planes->borders.items[i]);
    if (planes->borders.count - kept > cn_map_node_count(map) / CELLS_TO_UNDO)
        return copy_planes(planes, map, mem);
    for (size_t i = 0; kept < planes->borders.count && i < planes->borders.count; i++) {
        if (!is_met_still(self, planes->borders.items[i]))
            set_border(planes, map, planes->borders.items[i], false);
    }
    planes->borders.count = kept; /* the nodes are listed when others are set */
    return CAIRN_OK;
}

/* Makes the nodes that were met the borders, in place of others. */
static cairn_status set_borders(cn_avoidance *self, const cairn_map *map, const cn_mem *mem)
{
    cn_avoidance_planes *planes = &self->planes;
    size_t count = 0;

    if (!cn_nodes_reserve(&planes->borders, mem, self->met_count))
        return CAIRN_E_MEMORY;
    cairn_status status = undo_borders(self, map, mem);
    if (status != CAIRN_OK)
        return status;
    const bool fills = self->met_count - planes->borders.count >
                       cn_map_node_count(map) / CELLS_TO_SET;
    for (size_t i = 0; i < self->count; i++) {
        const cairn_node node = self->items[i].node;
        if (!self->items[i].is_met)
            continue;
        if (fills)
            cn_set_bit(planes->bits, node);
        else if (!cn_has_bit(planes->bits, node))
            set_border(planes, map, node, true);
        planes->borders.items[count++] = node;
    }
    planes->borders.count = count;
    if (fills)
        cn_jump_update(planes->jump, &map->grid,
                       (cn_area){0, 0, map->grid.width - 1, map->grid.height - 1});
    return CAIRN_OK;
}

cairn_status cn_search_follow_avoidance(cairn_search *search)
{
    cn_avoidance *self = &search->avoidance;
    cn_query *query = &search->query;

    query->avoided = self->met_count ? self : NULL;
    search->followed.met_count = self->met_count;
    if (search->space != CAIRN_SPACE_JUMP)
        return CAIRN_OK;
    if (!self->met_count)
        return cn_map_jump(search->map, &query->jump);
    cairn_status status = follow_map(&self->planes, search->map, &search->mem);
    if (status == CAIRN_OK)
        status = set_borders(self, search->map, &search->mem);
    if (status == CAIRN_OK)
        query->jump = self->planes.jump;
    return status;
}

/* ------------------------------------------------------------------------------- what is met -- */

static void meet_all(cn_avoidance *self, bool value)
{
    const size_t met_count = value ? self->count : 0;
    self->rounds = 0;
    if (self->met_count == met_count)
        return;
    for (size_t i = 0; i < self->count; i++)
        self->items[i].is_met = value;
    self->met_count = met_count;
}

void cn_search_take_avoided(cairn_search *search)
{
    meet_all(&search->avoidance, true);
}

/* Of a list that covers much of the map nearly every path meets some. */
void cn_search_begin_avoidance(cairn_search *search)
{
    enum { CELLS_FOR_A_NODE = 16 };
    const bool is_long = search->avoidance.count >
                         cn_map_node_count(search->map) / CELLS_FOR_A_NODE;
    meet_all(&search->avoidance, search->space != CAIRN_SPACE_JUMP || is_long);
}

static void meet(cn_avoidance *self, cn_avoided *item)
{
    self->met_count += !item->is_met;
    item->is_met = true;
}

/* Meets the nodes that are not farther than so many columns and rows: they lie in order of rows. */
static void meet_around(cn_avoidance *self, const cn_grid *grid, cairn_node node, uint32_t reach)
{
    uint32_t x, y, at_x, at_y;

    cn_grid_xy(grid, node, &x, &y);
    const cairn_node first = y > reach ? (y - reach) * grid->width : 0;
    for (size_t i = place_of(self, first); i < self->count; i++) {
        cn_avoided *item = &self->items[i];
        cn_grid_xy(grid, item->node, &at_x, &at_y);
        if (at_y > y && at_y - y > reach)
            return;
        if ((at_y > y || y - at_y <= reach) && cn_apart_by(at_x, x) <= reach)
            meet(self, item);
    }
}

/* Meets the nodes that are borders already: that is done. */
static void meet_borders(cn_avoidance *self)
{
    for (size_t i = 0; i < self->planes.borders.count; i++) {
        const cairn_node node = self->planes.borders.items[i];
        if (cn_has_bit(self->bits, node))
            meet(self, &self->items[place_of(self, node)]);
    }
}

/* Meets the nodes along a path that were not met before, and those around them, at first near ones
 * alone. The start is not entered. */
static void meet_along(cn_avoidance *self, const cn_grid *grid, const cn_nodes *cells)
{
    enum { ROUNDS = 3 };
    const uint32_t reach = self->rounds < ROUNDS ? 2u << 2 * self->rounds : UINT32_MAX;
    const size_t before = self->met_count;

    for (size_t i = 1; i < cells->count; i++) {
        const cairn_node node = cells->items[i];
        if (cn_has_bit(self->bits, node) && !self->items[place_of(self, node)].is_met)
            meet_around(self, grid, node, reach);
    }
    if (self->met_count != before && self->rounds++ == 0)
        meet_borders(self);
}

cairn_status cn_search_meet_avoided(cairn_search *search, cairn_status status,
                                    const cairn_path *path, bool *must_repeat)
{
    cn_avoidance *self = &search->avoidance;
    const size_t before = self->met_count;
    const cn_nodes *cells;

    *must_repeat = false;
    if (before == self->count)
        return status;
    if (status == CAIRN_E_LIMIT) { /* avoided nodes may keep the path from the goal */
        cn_search_take_avoided(search);
        *must_repeat = true;
        return CAIRN_OK;
    }
    if (status != CAIRN_OK || search->scratch.is_paused || path->cost == CAIRN_UNREACHABLE)
        return status;
    status = cn_search_list_cells(search, &cells);
    if (status == CAIRN_OK)
        meet_along(self, &search->map->grid, cells);
    *must_repeat = self->met_count != before;
    return status;
}

/* -------------------------------------------------------------------------------------- list -- */

/* Room for all arcs of any node of a graph. */
static cairn_status reserve_arcs_of_graph(cairn_search *search)
{
    const cn_graph *graph = search->map->graph;
    size_t most = 0;

    for (uint32_t node = 0; graph && node < graph->node_count; node++) {
        const size_t count = graph->out_start[node + 1] - graph->out_start[node];
        most = count > most ? count : most;
    }
    if (most <= CN_ARCS_SCRATCH)
        return CAIRN_OK;
    search->scratch.arcs.count = 0;
    return cn_arc_list_reserve(&search->scratch.arcs, most) ? CAIRN_OK : CAIRN_E_MEMORY;
}

static cairn_status reserve_bits(cairn_search *search)
{
    cn_avoidance *self = &search->avoidance;
    if (self->bits)
        return CAIRN_OK;
    cairn_status status = reserve_arcs_of_graph(search);
    if (status == CAIRN_OK)
        self->bits = cn_zeroed(&search->mem, cn_map_node_count(search->map) / 64 + 1,
                               sizeof *self->bits);
    return self->bits || status != CAIRN_OK ? status : CAIRN_E_MEMORY;
}

static bool list_is_valid(const cairn_map *map, const cn_avoided *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (items[i].node >= cn_map_node_count(map))
            return false;
        if (items[i].extra > CAIRN_COST_MAX && items[i].extra != CAIRN_UNREACHABLE)
            return false;
    }
    return true;
}

/* Ascending, each node once, with the most that is listed for it; nodes without extra are left
 * out. `places` has room for all of them twice. Returns how many there are. */
static size_t sort_avoided(const cn_avoided *items, cn_placed_node *places, size_t count,
                           cn_avoided *sorted)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        places[i] = cn_place_node(items[i].node, i);
    cn_sort_placed(places, places + count, count);
    for (size_t i = 0; i < count; i++) {
        const cn_avoided *item = &items[cn_place_of(places[i])];
        if (!item->extra)
            continue;
        if (kept == 0 || sorted[kept - 1].node != item->node)
            sorted[kept++] = *item;
        else if (item->extra > sorted[kept - 1].extra)
            sorted[kept - 1].extra = item->extra;
    }
    return kept;
}

/* What is checked is what is kept, also where another thread writes to the arrays. */
static cairn_status sort_list(const cn_mem *mem, const cairn_map *map, cn_avoided *taken,
                              cn_avoided *sorted, size_t *count)
{
    if (!taken || !sorted)
        return CAIRN_E_MEMORY;
    if (!list_is_valid(map, taken, *count))
        return CAIRN_E_ARGUMENT;
    cn_placed_node *places = cn_array(mem, 2 * *count, sizeof *places);
    if (!places)
        return CAIRN_E_MEMORY;
    *count = sort_avoided(taken, places, *count, sorted);
    cn_release(mem, places);
    return CAIRN_OK;
}

/* Of *count nodes; this becomes how many are left. */
static cairn_status take_list(const cairn_search *search, const cairn_node *nodes,
                              const cairn_cost *extra, size_t *count, cn_avoided **items)
{
    const cn_mem *mem = &search->mem;

    *items = NULL;
    if (*count == 0)
        return CAIRN_OK;
    if (*count >= UINT32_MAX)
        return CAIRN_E_MEMORY;
    cn_avoided *taken = cn_array(mem, *count, sizeof *taken);
    cn_avoided *sorted = cn_array(mem, *count, sizeof *sorted);
    for (size_t i = 0; taken && i < *count; i++)
        taken[i] = (cn_avoided){nodes[i], extra ? extra[i] : CAIRN_UNREACHABLE, false};
    const cairn_status status = sort_list(mem, search->map, taken, sorted, count);
    cn_release(mem, taken);
    if (status == CAIRN_OK)
        *items = sorted;
    else
        cn_release(mem, sorted);
    return status;
}

static void set_bits(const cn_avoidance *self, bool value)
{
    for (size_t i = 0; i < self->count; i++)
        cn_put_bit(self->bits, self->items[i].node, value);
}

static size_t count_strips(const cn_avoided *items, size_t count)
{
    size_t strips = 0;
    for (size_t i = 0; i < count; i++)
        strips += i == 0 || items[i].node != items[i - 1].node + 1;
    return strips;
}

/* The faster space, where the caller leaves the choice. */
static cairn_status space_beside_avoided(cairn_search *search, size_t strips, cairn_space *space)
{
    bool are_many = false;

    *space = search->space;
    if (search->options.space != CAIRN_SPACE_AUTO || search->is_general ||
        !cn_map_is_classic(search->map))
        return CAIRN_OK;
    const cairn_status status = cn_worth_judge_if_strips_are_many(&search->worth, search->map,
                                                                  strips, &are_many);
    *space = are_many ? CAIRN_SPACE_CELLS : CAIRN_SPACE_JUMP;
    return status;
}

static void set_space(cairn_search *search, cairn_space space)
{
    if (space == search->space)
        return;
    search->space = space;
    search->query.jump = NULL;
    search->query.corners = NULL;
    search->open_choice.map_hash = 0;
}

cairn_status cairn_search_avoid(cairn_search *search, const cairn_node *nodes,
                                const cairn_cost *extra, size_t count)
{
    if (!search || (count && !nodes))
        return CAIRN_E_ARGUMENT;
    cn_avoidance *self = &search->avoidance;
    size_t kept = count, strips = 0;
    cn_avoided *items;
    cairn_space space;

    cairn_status status = take_list(search, nodes, extra, &kept, &items);
    if (status == CAIRN_OK && count)
        status = reserve_bits(search);
    if (status == CAIRN_OK) {
        strips = count_strips(items, kept);
        status = space_beside_avoided(search, strips, &space);
    }
    if (status != CAIRN_OK) {
        cn_release(&search->mem, items);
        return status;
    }
    set_bits(self, false);
    cn_release(&search->mem, self->items);
    self->items = items;
    self->count = kept;
    self->capacity = count;
    self->strips = strips;
    self->forbids_all = !extra;
    set_bits(self, true);
    self->met_count = 0;
    cn_search_unfollow(search);
    cn_scratch_forget(&search->scratch); /* records may be numbered otherwise now */
    set_space(search, space);
    return CAIRN_OK;
}

void cn_avoidance_free(cn_avoidance *self, const cn_mem *mem)
{
    cn_jump_free(self->planes.jump, mem);
    cn_release(mem, self->planes.borders.items);
    cn_release(mem, self->filling.blocks);
    cn_release(mem, self->enclosed.blocks);
    cn_release(mem, self->filling.queues[0].blocks);
    cn_release(mem, self->filling.queues[1].blocks);
    cn_release(mem, self->planes.bits);
    cn_release(mem, self->items);
    cn_release(mem, self->bits);
}

static size_t filling_memory(const cn_filling *self)
{
    const size_t count = self->capacity;
    return cn_held_size(self->blocks, count, sizeof *self->blocks) +
           cn_held_size(self->queues[0].blocks, count, sizeof(uint32_t)) +
           cn_held_size(self->queues[1].blocks, count, sizeof(uint32_t));
}

size_t cn_avoidance_memory(const cn_avoidance *self, const cairn_map *map)
{
    const cn_avoidance_planes *planes = &self->planes;
    const size_t words = cn_map_node_count(map) / 64 + 1;
    return cn_held_size(self->items, self->capacity, sizeof *self->items) +
           cn_held_size(self->bits, words, sizeof *self->bits) +
           cn_held_size(planes->borders.items, planes->borders.capacity,
                        sizeof *planes->borders.items) +
           cn_held_size(planes->bits, words, sizeof *planes->bits) +
           filling_memory(&self->filling) +
           cn_held_size(self->enclosed.blocks, self->enclosed.capacity,
                        sizeof *self->enclosed.blocks) +
           cn_jump_memory(planes->jump, &map->grid);
}
