/* Which members of a hunt may be near: their base heuristics, and their bounds by rows. */
#include "nearest/hunt.h"

static cairn_cost base_of_member(const cn_hunt *self, cairn_node member)
{
    const cairn_map *map = self->search->map;
    const cairn_heuristic best = cn_base_of(map, CAIRN_HEURISTIC_BEST);
    return self->are_starts ? cn_base_between(map, best, member, self->end)
                            : cn_base_between(map, best, self->end, member);
}

/* base_of_member on level grids at moderate costs, where x, y is the common end. */
CN_ALWAYS_INLINE cairn_cost level_base(const cn_query *query, bool is_hex, uint32_t x, uint32_t y,
                                       cairn_node member)
{
    uint32_t at_x, at_y;
    cn_grid_xy(query->grid, member, &at_x, &at_y);
    return is_hex ? query->metric.straight * cn_hex_steps(at_x, at_y, x, y)
                  : cn_octile(query->metric, at_x, at_y, x, y);
}

CN_ALWAYS_INLINE void list_level_bases(const cn_hunt *self, bool is_hex)
{
    const cn_query *query = &self->search->query;
    cairn_cost *bases = self->search->members.bases.items;
    uint32_t x, y;

    cn_grid_xy(query->grid, self->end, &x, &y);
    for (size_t i = 0; i < self->count; i++)
        bases[i] = level_base(query, is_hex, x, y, self->members[i]);
}

void cn_hunt_list_bases(cn_hunt *self)
{
    const cairn_search *search = self->search;
    if (search->is_general || search->map->grid.heights.cells) {
        for (size_t i = 0; i < self->count; i++)
            search->members.bases.items[i] = base_of_member(self, self->members[i]);
    } else if (search->map->grid.rules.rule == CAIRN_RULE_HEX) {
        list_level_bases(self, true);
    } else {
        list_level_bases(self, false);
    }
}

uint32_t cn_hunt_least_base(const cairn_cost *bases, size_t count)
{
    cairn_cost least = CAIRN_UNREACHABLE;
    uint32_t at = 0;
    for (size_t i = 0; i < count; i++)
        least = bases[i] < least ? bases[i] : least;
    while (bases[at] != least)
        at++;
    return at;
}

cairn_status cn_hunt_queue_members(cn_hunt *self, uint32_t tried)
{
    cn_open_list *queue = &self->search->members.queue;
    const cairn_cost *bases = self->search->members.bases.items, most = self->best.cost;
    for (size_t i = 0; i < self->count; i++) {
        if (CN_LIKELY(bases[i] >= most) || i == tried)
            continue;
        if (!cn_open_reserve(queue, 1))
            return CAIRN_E_MEMORY;
        cn_open_push(queue, CN_OPEN_HEAP, bases[i], (cn_open_item){.label = (uint32_t)i});
    }
    return CAIRN_OK;
}

/* Between a node and the goal that rows are prepared for. */
static cairn_cost bound_by_rows(cairn_search *search, cairn_node node)
{
    const cn_query *query = &search->query;
    uint32_t entries[CN_LANES_MAX];

    if (!query->entries)
        return 0;
    if (query->has_entries_by_node)
        return cn_query_rows(query, node);
    if (query->gate_view)
        return cn_gates_bound(query->gate_view, node);
    cn_search_corner_entries(search, node, entries);
    return query->rows(entries, query->above, query->below, query->lane_count);
}

cairn_status cn_hunt_bound(cn_hunt *self, cairn_cost base, uint32_t index, cairn_node goal,
                           cairn_cost *bound)
{
    cairn_search *search = self->search;
    const cairn_node member = self->members[index];

    *bound = CAIRN_UNREACHABLE;
    if (!cn_grid_is_open(&search->map->grid, member) ||
        cn_component_of(self->components, member) != self->component)
        return CAIRN_OK;
    cairn_status status = cn_search_follow(search);
    if (status != CAIRN_OK)
        return status;
    cn_search_aim(search, goal);
    *bound = cn_larger_cost(base, bound_by_rows(search, goal == member ? self->end : member));
    return CAIRN_OK;
}

cairn_status cn_hunt_refine(cn_hunt *self, cairn_cost base, uint32_t index)
{
    const bool is_reverse = !self->are_starts && cn_map_is_directed(self->search->map);
    cairn_cost bound;
    cairn_status status = cn_hunt_bound(self, base, index,
                                        is_reverse ? self->members[index] : self->end, &bound);
    if (status == CAIRN_OK && bound < self->best.cost)
        cn_open_push(&self->search->members.queue, CN_OPEN_HEAP, bound,
                     (cn_open_item){.label = index, .value = CN_HUNT_FINAL});
    return status;
}

bool cn_hunt_knows_nothing(const cn_hunt *self)
{
    const cairn_cost *bases = self->search->members.bases.items;
    size_t i = 0;

    if (self->count == 1 || self->search->query.entries)
        return false;
    while (i < self->count && bases[i] == 0)
        i++;
    return i == self->count;
}
