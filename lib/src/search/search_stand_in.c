/*
 * The node that stands in for an unreachable goal: of all nodes that can be reached from the start,
 * the nearest to the goal by the base heuristic. On a grid the tiles around the goal are searched
 * outwards, ring by ring, but only tiles with cells of the start's component.
 *
 * Among one-way steps and avoided nodes, what can be reached is less than the component. Then the
 * nearest node of the component is a guess: where a path leads to it, no other node is nearer.
 * Where avoided nodes enclose it, as others that crowd around the goal, no node beside it there is
 * guessed next; where they enclose the start, only nodes there are.
 */
#include "search/search.h"

/* ----------------------------------------------------------------- walking over everything -- */

bool cn_search_walk(cairn_search *search, cairn_node node)
{
    cn_scratch *scratch = &search->scratch;
    cn_record *records = scratch->records;
    cairn_node top = search->query.start;

    cn_search_reset(search, 0, CAIRN_UNREACHABLE);
    cn_record_put_on(&records[top], scratch->stamp, CAIRN_NO_NODE);
    while (top != CAIRN_NO_NODE) {
        cn_arc_span span = cn_query_arcs(&search->query, top, scratch->arcs.items);
        top = cn_record_below(&records[top]);
        for (size_t i = 0; i < span.count; i++) {
            cn_record *record = &records[span.arcs[i].to];
            if (span.arcs[i].to == node)
                return true;
            if (cn_scratch_knows(scratch, false, span.arcs[i].to))
                continue;
            cn_record_put_on(record, scratch->stamp, top);
            top = span.arcs[i].to;
        }
    }
    return false;
}

/* ----------------------------------------------------------------------------- the stand-in -- */

/* Which nodes may stand in for the goal: those of the start's component that may be entered, or
 * those that can be reached, which takes a visit of each. */
typedef enum candidates { CONNECTED_NODES, REACHED_NODES } candidates;

typedef struct stand_in_choice {
    const cairn_search *search;
    const cairn_map *map;
    const cn_components *components;
    uint32_t component; /* of the start */
    cairn_heuristic heuristic;
    candidates among;
    uint32_t goal_x; /* of the caller's goal */
    uint32_t goal_y;
    cairn_node best;
    cairn_cost distance;   /* from the best node to the goal */
    cairn_cost from_start; /* from the start to the best node */
} stand_in_choice;

/* Whether a node is where paths may lead, as far as is known. */
static bool may_be_reached(const stand_in_choice *self, cairn_node node)
{
    const cn_enclosed *enclosed = &self->search->avoidance.enclosed;
    uint32_t x, y;
    if (!enclosed->count)
        return true;
    cn_grid_xy(&self->map->grid, node, &x, &y);
    return cn_enclosed_has(enclosed, x, y) == enclosed->is_around_start;
}

/* Whether the node may stand in for the goal. */
static bool is_candidate(const stand_in_choice *self, cairn_node node)
{
    const cn_avoidance *avoided = &self->search->avoidance;

    if (cn_component_of(self->components, node) != self->component)
        return false;
    if (self->among == REACHED_NODES)
        return cn_scratch_knows(&self->search->scratch, false, node);
    return !avoided->count ||
           (cn_avoidance_extra(avoided, node) != CAIRN_UNREACHABLE && may_be_reached(self, node));
}

/* Of nodes with the same distance to the goal the one nearest to the start is chosen, then the
 * lowest. */
static void consider(stand_in_choice *self, cairn_node node)
{
    const cn_query *query = &self->search->query;

    if (!is_candidate(self, node))
        return;
    cairn_cost distance = cn_base_between(self->map, self->heuristic, node,
                                          self->search->run.asked);
    if (distance > self->distance)
        return;
    cairn_cost from_start = cn_base_between(self->map, self->heuristic, query->start, node);
    bool is_tie = distance == self->distance;
    if (is_tie && (from_start > self->from_start || self->best == query->start))
        return;
    if (is_tie && from_start == self->from_start && node > self->best)
        return;
    self->best = node;
    self->distance = distance;
    self->from_start = from_start;
}

/* Whether a tile has cells of the start's component. */
static bool has_component(const stand_in_choice *self, uint32_t tile)
{
    const cn_regions *regions = &self->components->regions;
    for (unsigned i = 0; i < regions->tiles[tile].count; i++) {
        if (*cn_region_value(regions, cn_region_of(tile, i)) == self->component)
            return true;
    }
    return false;
}

static uint32_t gap(uint32_t at, uint32_t first)
{
    if (at < first)
        return first - at;
    return at < first + CN_TILE_SIDE ? 0 : at - (first + CN_TILE_SIDE - 1);
}

/* The least cost of `steps` steps in one direction: a step goes at most one column and one row
 * further. */
static cairn_cost least_cost(const stand_in_choice *self, uint64_t steps)
{
    return cn_cost_capped(steps * self->map->base_metric.straight);
}

static void search_tile(stand_in_choice *self, uint32_t tile_x, uint32_t tile_y)
{
    const cn_grid *grid = &self->map->grid;
    const uint32_t left = tile_x * CN_TILE_SIDE, top = tile_y * CN_TILE_SIDE;
    const uint32_t across = gap(self->goal_x, left), down = gap(self->goal_y, top);

    if (least_cost(self, across > down ? across : down) > self->distance ||
        !has_component(self, cn_regions_tile_at(&self->components->regions, left, top)))
        return;
    for (uint32_t y = top; y < top + CN_TILE_SIDE && y < grid->height; y++) {
        for (uint32_t x = left; x < left + CN_TILE_SIDE && x < grid->width; x++)
            consider(self, y * grid->width + x);
    }
}

/* The tiles `first` to `last` of a row of tiles, as far as there are `across` of them. */
static void search_tiles(stand_in_choice *self, uint32_t row, uint32_t first, uint32_t last,
                         uint32_t across)
{
    for (uint32_t i = first; i <= last && i < across; i++)
        search_tile(self, i, row);
}

/* The tiles that are `ring` tiles away from the goal: two rows of them, and what lies between these
 * in two columns. Rows and columns outside the map take no time. */
static void search_ring(stand_in_choice *self, uint32_t ring)
{
    const cn_regions *regions = &self->components->regions;
    const uint32_t across = regions->tiles_across, down = regions->tile_count / across;
    const uint32_t x = self->goal_x / CN_TILE_SIDE, y = self->goal_y / CN_TILE_SIDE;
    const uint32_t left = x > ring ? x - ring : 0, top = y >= ring ? y - ring + 1 : 0;
    const bool has_left = ring && x >= ring, has_right = ring && x + ring < across;

    if (y >= ring)
        search_tiles(self, y - ring, left, x + ring, across);
    for (uint32_t row = top; (has_left || has_right) && row < y + ring && row < down; row++) {
        if (has_left)
            search_tile(self, x - ring, row);
        if (has_right)
            search_tile(self, x + ring, row);
    }
    if (ring && y + ring < down)
        search_tiles(self, y + ring, left, x + ring, across);
}

static void search_grid(stand_in_choice *self)
{
    const cn_regions *regions = &self->components->regions;
    const uint32_t down = regions->tile_count / regions->tiles_across;
    const uint32_t rings = regions->tiles_across > down ? regions->tiles_across : down;

    search_ring(self, 0);
    for (uint32_t ring = 1; ring < rings; ring++) {
        uint64_t steps = (uint64_t)(ring - 1) * CN_TILE_SIDE + 1;
        if (least_cost(self, steps) > self->distance)
            return;
        search_ring(self, ring);
    }
}

/* All that can be reached from the start. */
static void search_around_start(stand_in_choice *self)
{
    const cn_enclosed *enclosed = &self->search->avoidance.enclosed;
    const cn_grid *grid = &self->map->grid;

    for (size_t i = 0; i < enclosed->count; i++) {
        const cn_block_cells *block = &enclosed->blocks[i];
        for (uint32_t row = 0; row < CN_BLOCK_SIDE; row++) {
            const size_t y = (size_t)block->row * CN_BLOCK_SIDE + row;
            const size_t first = y * grid->width + (size_t)block->column * CN_BLOCK_SIDE;
            for (uint64_t left = block->cells[row]; left; left &= left - 1)
                consider(self, (cairn_node)(first + cn_lowest_bit(left)));
        }
    }
}

/* A choice among some nodes, of which the start is one. */
static cairn_status begin_choice(const cairn_search *search, candidates among,
                                 stand_in_choice *choice)
{
    const cairn_map *map = search->map;
    *choice = (stand_in_choice){.search = search,
                                .map = map,
                                .heuristic = cn_base_of(map, CAIRN_HEURISTIC_BEST),
                                .among = among,
                                .best = search->query.start};

    const cairn_status status = cn_map_connect(map, &choice->components);
    if (status == CAIRN_OK)
        choice->component = cn_component_of(choice->components, choice->best);
    return status;
}

static cairn_status find_nearest(const cairn_search *search, candidates among, cairn_node *nearest)
{
    const cairn_map *map = search->map;
    stand_in_choice self;

    const cairn_status status = begin_choice(search, among, &self);
    if (status != CAIRN_OK)
        return status;
    self.distance = cn_base_between(map, self.heuristic, self.best, search->run.asked);
    if (!map->graph) {
        cn_grid_xy(&map->grid, search->run.asked, &self.goal_x, &self.goal_y);
        if (among == CONNECTED_NODES && search->avoidance.enclosed.is_around_start)
            search_around_start(&self);
        else
            search_grid(&self);
    }
    for (cairn_node node = 0; map->graph && node < cn_map_node_count(map); node++)
        consider(&self, node);
    *nearest = self.best;
    return CAIRN_OK;
}

/* Visits all that can be reached, keeping off all avoided nodes. */
static cairn_status walk_to_all(cairn_search *search)
{
    cn_search_take_avoided(search);
    const cairn_status status = cn_search_follow(search);
    if (status == CAIRN_OK)
        cn_search_walk(search, CAIRN_NO_NODE);
    return status;
}

/* Whether it is known why no path leads to the goal of the last search: it is no candidate, or is
 * enclosed, as the start may be. */
static cairn_status explain_failure(cairn_search *search, bool *is_explained)
{
    stand_in_choice self;

    cairn_status status = begin_choice(search, CONNECTED_NODES, &self);
    *is_explained = status == CAIRN_OK && !is_candidate(&self, search->query.goal);
    if (status == CAIRN_OK && !*is_explained && search->avoidance.count && !search->map->graph)
        status = cn_search_learn_enclosed(search, is_explained);
    return status;
}

static void forget_enclosed(cn_enclosed *self)
{
    self->count = 0;
    self->is_around_start = false;
}

/* Whether what was filled around the start is what can be reached. */
static bool knows_reached(const cairn_search *search)
{
    return search->avoidance.enclosed.is_around_start && cn_map_leads_back(search->map) &&
           search->map->grid.rules.rule != CAIRN_RULE_HEX;
}

/* Where the nearest node of the start's component may be out of reach, a search to it decides. What
 * can be reached is found by a walk only where nobody knows why such a search has failed, or one to
 * the goal, or where many have. */
cairn_status cn_search_stand_in(cairn_search *search, cairn_node *node)
{
    enum { GUESSES_MOST = 16 };
    const bool is_certain = cn_map_leads_back(search->map) && !search->avoidance.count;
    bool is_explained = true;
    cairn_status status = CAIRN_OK;

    if (!search->run.is_guess)
        forget_enclosed(&search->avoidance.enclosed);
    if (!is_certain)
        status = explain_failure(search, &is_explained);
    is_explained &= search->run.guesses++ < GUESSES_MOST;
    search->run.is_guess = is_explained && !is_certain && !knows_reached(search);
    if (status == CAIRN_OK && !is_explained)
        status = walk_to_all(search);
    return status == CAIRN_OK
               ? find_nearest(search, is_explained ? CONNECTED_NODES : REACHED_NODES, node)
               : status;
}
