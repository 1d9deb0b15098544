/*
 * Nodes that a search avoids: those that its runs may not enter, and those where entering costs
 * more. The map stays as it is, so bounds and components hold: costs only rise.
 *
 * Along jump points the nodes and their neighbours become borders (map/jump_points.h) in planes of
 * the search's own, from which every legal step is taken. The planes are a copy of those of the
 * map, which follows its edits by the journal.
 */
#include "search/search.h"

#include <stdlib.h>
#include <string.h>

static void set_avoided(cn_avoidance *self, cairn_node node, bool value)
{
    const uint64_t bit = UINT64_C(1) << node % 64;
    self->bits[node / 64] = value ? self->bits[node / 64] | bit : self->bits[node / 64] & ~bit;
}

cairn_cost cn_avoidance_extra(const cn_avoidance *self, cairn_node node)
{
    size_t first = 0, end = self->count;
    if (CN_LIKELY(!(self->bits[node / 64] >> node % 64 & 1)))
        return 0;
    while (end - first > 1) {
        const size_t middle = first + (end - first) / 2;
        if (self->items[middle].node > node)
            end = middle;
        else
            first = middle;
    }
    return self->items[first].extra;
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

static void update_plane_at(cn_avoidance *self, const cairn_map *map, cairn_node node)
{
    uint32_t x, y;
    cn_grid_xy(&map->grid, node, &x, &y);
    cn_jump_update(self->jump, &map->grid, (cn_area){x, y, x, y});
}

/* Makes the planes those of a map that differs from the one they are of. */
static bool follow_journal(cn_avoidance *self, const cairn_map *map)
{
    const cairn_node *cells;
    size_t count;
    cn_changes changes = cn_map_changes(map, self->hash, self->frame, &cells, &count);

    if (changes != CN_CHANGES_NONE && changes != CN_CHANGES_KNOWN)
        return false;
    self->jump->map = map;
    for (size_t i = 0; changes == CN_CHANGES_KNOWN && i < count; i++)
        update_plane_at(self, map, cells[i]);
    return true;
}

static cairn_status follow_planes(cn_avoidance *self, const cairn_map *map, const cn_mem *mem)
{
    const cn_jump *planes;

    if (self->jump && self->jump->map == map && self->version == map->version &&
        self->hash == map->hash && self->frame == map->frame)
        return CAIRN_OK;
    if (!self->jump || !follow_journal(self, map)) {
        cn_jump_free(self->jump, mem);
        self->jump = NULL;
        cairn_status status = cn_map_jump(map, &planes);
        if (status == CAIRN_OK)
            status = cn_jump_copy(planes, mem, &self->jump);
        if (status != CAIRN_OK)
            return status;
        self->jump->avoided = self->bits;
        for (size_t i = 0; i < self->count; i++)
            update_plane_at(self, map, self->items[i].node);
    }
    self->version = map->version;
    self->hash = map->hash;
    self->frame = map->frame;
    return CAIRN_OK;
}

cairn_status cn_search_follow_avoidance(cairn_search *search)
{
    cn_avoidance *self = &search->avoidance;
    cn_query *query = &search->query;

    query->avoided = self->count ? self : NULL;
    if (search->space != CAIRN_SPACE_JUMP)
        return CAIRN_OK;
    if (!self->count)
        return cn_map_jump(search->map, &query->jump);
    cairn_status status = follow_planes(self, search->map, &search->mem);
    if (status == CAIRN_OK)
        query->jump = self->jump;
    return status;
}

/* -------------------------------------------------------------------------------------- list -- */

static int compare_avoided(const void *one, const void *other)
{
    const cn_avoided *a = one, *b = other;
    if (a->node != b->node)
        return a->node > b->node ? 1 : -1;
    return (a->extra < b->extra) - (a->extra > b->extra);
}

/* Ascending, each node once, with the most that is listed for it; nodes without extra are left
 * out. */
static size_t sort_avoided(cn_avoided *items, size_t count)
{
    size_t kept = 0;
    qsort(items, count, sizeof *items, compare_avoided);
    for (size_t i = 0; i < count; i++) {
        if (items[i].extra && (kept == 0 || items[kept - 1].node != items[i].node))
            items[kept++] = items[i];
    }
    return kept;
}

/* Writes the bits of nodes that are in only one of two lists, and updates the planes there. */
static void change_list(cairn_search *search, const cn_avoided *list, size_t count)
{
    cn_avoidance *self = &search->avoidance;
    size_t old = 0, now = 0;

    while (old < self->count || now < count) {
        const bool is_old = now == count ||
                            (old < self->count && self->items[old].node <= list[now].node);
        const bool is_new = old == self->count ||
                            (now < count && list[now].node <= self->items[old].node);
        const cairn_node node = is_old ? self->items[old].node : list[now].node;
        old += is_old;
        now += is_new;
        if (is_old && is_new)
            continue;
        set_avoided(self, node, is_new);
        if (self->jump)
            update_plane_at(self, search->map, node);
    }
}

/* Room for all arcs of a node. */
static cairn_status hold_arcs(cairn_search *search)
{
    const cn_graph *graph = search->map->graph;
    size_t most = 0;

    for (uint32_t node = 0; graph && node < graph->node_count; node++) {
        const size_t count = graph->out_start[node + 1] - graph->out_start[node];
        most = count > most ? count : most;
    }
    if (most <= CN_ARCS_SCRATCH)
        return CAIRN_OK;
    cn_arc *arcs = cn_array(&search->mem, most, sizeof *arcs);
    if (!arcs)
        return CAIRN_E_MEMORY;
    cn_release(&search->mem, search->scratch.arcs.items);
    search->scratch.arcs.items = arcs;
    search->scratch.arcs.capacity = most;
    return CAIRN_OK;
}

static cairn_status hold_bits(cairn_search *search)
{
    cn_avoidance *self = &search->avoidance;
    if (self->bits)
        return CAIRN_OK;
    cairn_status status = hold_arcs(search);
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

/* What is checked is what is kept, also where another thread writes to the arrays. */
static cairn_status take_list(const cairn_search *search, const cairn_node *nodes,
                              const cairn_cost *extra, size_t count, cn_avoided **items)
{
    *items = NULL;
    if (count == 0)
        return CAIRN_OK;
    cn_avoided *taken = cn_array(&search->mem, count, sizeof *taken);
    if (!taken)
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < count; i++)
        taken[i] = (cn_avoided){nodes[i], extra ? extra[i] : CAIRN_UNREACHABLE};
    if (!list_is_valid(search->map, taken, count)) {
        cn_release(&search->mem, taken);
        return CAIRN_E_ARGUMENT;
    }
    *items = taken;
    return CAIRN_OK;
}

static cairn_status make_room_to_avoid(cairn_search *search, size_t count)
{
    cn_avoidance *self = &search->avoidance;
    cairn_status status = self->jump ? follow_planes(self, search->map, &search->mem) : CAIRN_OK;
    return status == CAIRN_OK && count ? hold_bits(search) : status;
}

cairn_status cairn_search_avoid(cairn_search *search, const cairn_node *nodes,
                                const cairn_cost *extra, size_t count)
{
    if (!search || (count && !nodes))
        return CAIRN_E_ARGUMENT;
    cn_avoidance *self = &search->avoidance;
    cn_avoided *items;

    cairn_status status = take_list(search, nodes, extra, count, &items);
    if (status != CAIRN_OK)
        return status;
    status = make_room_to_avoid(search, count);
    if (status != CAIRN_OK) {
        cn_release(&search->mem, items);
        return status;
    }
    const size_t kept = count ? sort_avoided(items, count) : 0;
    change_list(search, items, kept);
    cn_release(&search->mem, self->items);
    *self = (cn_avoidance){.items = items,
                           .count = kept,
                           .capacity = count,
                           .bits = self->bits,
                           .jump = self->jump,
                           .version = self->version,
                           .hash = self->hash,
                           .frame = self->frame};
    search->followed.searcher = NULL;
    search->followed.map_version = 0;
    return CAIRN_OK;
}

void cn_avoidance_free(cn_avoidance *self, const cn_mem *mem)
{
    cn_jump_free(self->jump, mem);
    cn_release(mem, self->items);
    cn_release(mem, self->bits);
}

size_t cn_avoidance_memory(const cn_avoidance *self, const cairn_map *map)
{
    const size_t items = self->items ? cn_block_size(self->capacity, sizeof *self->items) : 0;
    const size_t words = cn_map_node_count(map) / 64 + 1;
    return items + (self->bits ? cn_block_size(words, sizeof *self->bits) : 0) +
           cn_jump_memory(self->jump, &map->grid);
}
