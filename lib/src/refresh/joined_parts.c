#include "refresh/joined_parts.h"

#include "base/sets.h"

#define NONE UINT32_MAX

/* Cells that are expanded of a search before it is the turn of the next, about; and that are
 * visited together at most, half of them to the left of the one that was met. */
enum { CELLS_AT_ONCE = 64, CELLS_OF_VISIT = 64 };

static uint32_t block_count(const cn_grid *grid)
{
    return grid->width * grid->height / CN_PARTS_BLOCK + 1;
}

/* --------------------------------------------------------------- which steps connect cells -- */

unsigned cn_parts_joining_steps(const cn_grid *grid, cairn_node node)
{
    unsigned steps = grid->moves[grid->around[node]];

    if (cn_rule_joins_straight(grid->rules.rule))
        steps &= (1u << CN_STRAIGHT) - 1;
    return grid->has_one_way ? cn_grid_joined_steps(grid, node, steps) : steps;
}

/* -------------------------------------------------------------------------------- searches -- */

static uint32_t part_of(const cn_parts *parts, uint32_t search)
{
    return cn_set_root(parts->parent, search);
}

static uint32_t component_of(const cn_parts *parts, uint32_t search)
{
    return cn_set_root(parts->component, search);
}

static cn_part_search *component_at(const cn_parts *parts, uint32_t search)
{
    return &parts->searches[component_of(parts, search)];
}

static uint32_t size_of(const cn_parts *parts, uint32_t part)
{
    return part == NONE ? 0 : parts->searches[part].size;
}

static void join_components(cn_parts *parts, uint32_t one, uint32_t other)
{
    one = component_of(parts, one);
    other = component_of(parts, other);
    cn_part_search *to = &parts->searches[one], *from = &parts->searches[other];
    if (one == other)
        return;
    parts->component[other] = one;
    if (size_of(parts, from->largest) > size_of(parts, to->largest))
        to->largest = from->largest;
}

static void join_parts(cn_parts *parts, uint32_t one, uint32_t other)
{
    join_components(parts, one, other);
    one = part_of(parts, one);
    other = part_of(parts, other);
    cn_part_search *to = &parts->searches[one], *from = &parts->searches[other];
    if (one == other)
        return;
    parts->parent[other] = one;
    to->size += from->size;
    if (from->first == NONE)
        return;
    if (to->first == NONE)
        to->first = from->first;
    else
        parts->visits[to->last].next = from->first;
    to->last = from->last;
}

static uint32_t new_search(cn_parts *parts)
{
    const uint32_t search = parts->search_count++;
    parts->searches[search] = (cn_part_search){.first = NONE, .last = NONE, .largest = NONE};
    parts->parent[search] = parts->component[search] = search;
    return search;
}

/* The cell as one of the visit that is numbered last. */
static cairn_status number_cell(cn_parts *parts, cairn_node node)
{
    uint32_t **block = &parts->visit_of[node / CN_PARTS_BLOCK];
    if (!*block)
        *block = cn_zeroed(&parts->mem, CN_PARTS_BLOCK, sizeof **block);
    if (!*block)
        return CAIRN_E_MEMORY;
    (*block)[node % CN_PARTS_BLOCK] = parts->visit_count;
    return CAIRN_OK;
}

static cairn_status visit(cn_parts *parts, cairn_node node, uint32_t count, uint32_t search)
{
    cn_part_visit *visits = cn_grown(&parts->mem, parts->visits, &parts->visit_capacity,
                                     parts->visit_count, parts->visit_count + (size_t)1,
                                     sizeof *visits);
    cairn_status status = visits ? CAIRN_OK : CAIRN_E_MEMORY;
    if (status != CAIRN_OK)
        return status;
    parts->visits = visits;
    parts->visits[parts->visit_count++] = (cn_part_visit){node, count, search, NONE};
    parts->visited += count;
    for (uint32_t i = 0; i < count && status == CAIRN_OK; i++)
        status = number_cell(parts, node + i);
    return status;
}

/* Whether a step joins a cell to the next one in its row, which has not been visited. */
static bool goes_on(const cn_parts *parts, cairn_node node, unsigned direction)
{
    const cairn_node next = direction == CN_E ? node + 1 : node - 1;
    return CN_HAS(cn_parts_joining_steps(parts->grid, node), direction) &&
           !cn_parts_visit_of(parts, next);
}

/* Marks cells in a row, of which this is one, as some of a part, to be expanded later. */
static cairn_status visit_part(cn_parts *parts, cairn_node node, uint32_t search)
{
    cairn_node first = node, last = node;
    while (last - first + 1 < CELLS_OF_VISIT / 2 && goes_on(parts, first, CN_W))
        first--;
    while (last - first + 1 < CELLS_OF_VISIT && goes_on(parts, last, CN_E))
        last++;
    const uint32_t count = last - first + 1;
    cairn_status status = visit(parts, first, count, search);
    if (status != CAIRN_OK)
        return status;
    const uint32_t place = parts->visit_count - 1;
    cn_part_search *part = &parts->searches[part_of(parts, search)];
    if (part->first == NONE)
        part->first = place;
    else
        parts->visits[part->last].next = place;
    part->last = place;
    part->size += count;
    return CAIRN_OK;
}

static cairn_status visit_by_itself(cn_parts *parts, cairn_node node, bool has_opened)
{
    const uint32_t search = new_search(parts);
    return has_opened ? visit(parts, node, 1, search) : visit_part(parts, node, search);
}

static uint32_t search_of(const cn_parts *parts, cairn_node node)
{
    return parts->visits[cn_parts_visit_of(parts, node) - 1].search;
}

static bool has_opened(const cn_parts *parts, uint32_t search)
{
    return parts->searches[part_of(parts, search)].size == 0;
}

/* An opened cell connects its neighbours, at which searches begin. */
static cairn_status begin_around(cn_parts *parts, cairn_node node)
{
    const int32_t *offset = cn_grid_offsets(parts->grid, node);
    cairn_status status = CAIRN_OK;

    for (unsigned steps = cn_parts_joining_steps(parts->grid, node); steps && status == CAIRN_OK;
         steps &= steps - 1) {
        cairn_node next = node + (cairn_node)offset[cn_lowest_bit(steps)];
        if (!cn_parts_visit_of(parts, next))
            status = visit_by_itself(parts, next, false);
        if (status == CAIRN_OK)
            join_components(parts, search_of(parts, node), search_of(parts, next));
    }
    return status;
}

/* Expands a cell of a search. */
static cairn_status expand_cell(cn_parts *parts, uint32_t search, cairn_node node)
{
    const int32_t *offset = cn_grid_offsets(parts->grid, node);
    cairn_status status = CAIRN_OK;

    for (unsigned steps = cn_parts_joining_steps(parts->grid, node); steps && status == CAIRN_OK;
         steps &= steps - 1) {
        cairn_node next = node + (cairn_node)offset[cn_lowest_bit(steps)];
        const uint32_t number = cn_parts_visit_of(parts, next);
        const uint32_t other = number ? parts->visits[number - 1].search : search;
        if (!number)
            status = visit_part(parts, next, search);
        else if (other != search && !has_opened(parts, other))
            join_parts(parts, search, other);
    }
    return status;
}

/* Keeps in `list` the searches that have not ended. */
static uint32_t keep_searching(cn_parts *parts, uint32_t *list, uint32_t count)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < count; i++)
        component_at(parts, list[i])->rivals = 0;
    for (uint32_t i = 0; i < count; i++) {
        const cn_part_search *part = &parts->searches[list[i]];
        if (part_of(parts, list[i]) != list[i])
            continue;
        cn_part_search *component = component_at(parts, list[i]);
        if (part->first != NONE) {
            component->rivals++;
            list[kept++] = list[i];
        } else if (part->size > size_of(parts, component->largest)) {
            component->largest = list[i];
        }
    }
    return kept;
}

/* Expands the cells of the next visit of a search. */
static cairn_status expand_visit(cn_parts *parts, uint32_t search, uint32_t *count)
{
    cn_part_search *part = &parts->searches[search];
    const cn_part_visit of = parts->visits[part->first];
    cairn_status status = CAIRN_OK;

    part->first = of.next;
    *count = of.count;
    for (uint32_t i = 0; i < of.count && status == CAIRN_OK; i++)
        status = expand_cell(parts, search, of.node + i);
    return status;
}

static cairn_status expand_some(cn_parts *parts, uint32_t search)
{
    cairn_status status = CAIRN_OK;
    uint32_t count = 0;
    for (uint32_t cells = 0; status == CAIRN_OK && cells < CELLS_AT_ONCE; cells += count) {
        if (parts->searches[search].first == NONE)
            break;
        status = expand_visit(parts, search, &count);
    }
    return status;
}

/* Expands some cells of each search in turn, until all searches have ended but those of the largest
 * parts. */
static cairn_status search_all(cn_parts *parts, uint32_t *list, uint32_t count)
{
    cairn_status status = CAIRN_OK;
    bool goes_on = true;

    while (status == CAIRN_OK && goes_on) {
        goes_on = false;
        count = keep_searching(parts, list, count);
        for (uint32_t i = 0; i < count && status == CAIRN_OK; i++) {
            const cn_part_search *part = &parts->searches[list[i]];
            const cn_part_search *component = component_at(parts, list[i]);
            if (part_of(parts, list[i]) != list[i] || part->first == NONE ||
                (component->rivals < 2 && part->size > size_of(parts, component->largest)))
                continue;
            goes_on = true;
            status = expand_some(parts, list[i]);
        }
    }
    return status;
}

/* A search may begin at each opened cell and at each of its neighbours. */
static cairn_status new_parts(cn_parts *parts, const cn_mem *mem, const cn_grid *grid,
                              size_t opened)
{
    const size_t most = (CN_DIRECTIONS + 1u) * opened;
    *parts = (cn_parts){.grid = grid, .mem = *mem};
    parts->visit_of = cn_zeroed(mem, block_count(grid), sizeof *parts->visit_of);
    parts->searches = cn_array(mem, most, sizeof *parts->searches);
    parts->parent = cn_array(mem, most, sizeof *parts->parent);
    parts->component = cn_array(mem, most, sizeof *parts->component);
    return parts->visit_of && parts->searches && parts->parent && parts->component ? CAIRN_OK
                                                                                   : CAIRN_E_MEMORY;
}

cairn_status cn_parts_find(cn_parts *parts, const cn_mem *mem, const cn_grid *grid,
                           const cairn_node *opened, size_t count)
{
    cairn_status status = new_parts(parts, mem, grid, count);
    for (size_t i = 0; i < count && status == CAIRN_OK; i++) {
        if (cn_grid_is_open(grid, opened[i]) && !cn_parts_visit_of(parts, opened[i]))
            status = visit_by_itself(parts, opened[i], true);
    }
    for (size_t i = 0; i < count && status == CAIRN_OK; i++) {
        if (cn_grid_is_open(grid, opened[i]))
            status = begin_around(parts, opened[i]);
    }
    uint32_t *list = cn_array(mem, parts->search_count, sizeof *list);
    if (!list)
        status = CAIRN_E_MEMORY;
    for (uint32_t i = 0; i < parts->search_count && status == CAIRN_OK; i++)
        list[i] = i;
    if (status == CAIRN_OK)
        status = search_all(parts, list, parts->search_count);
    cn_release(mem, list);
    if (status != CAIRN_OK)
        cn_parts_free(parts);
    return status;
}

void cn_parts_free(cn_parts *parts)
{
    const cn_mem mem = parts->mem;
    const uint32_t count = parts->visit_of ? block_count(parts->grid) : 0;
    for (uint32_t i = 0; i < count; i++)
        cn_release(&mem, parts->visit_of[i]);
    cn_release(&mem, parts->visit_of);
    cn_release(&mem, parts->visits);
    cn_release(&mem, parts->searches);
    cn_release(&mem, parts->parent);
    cn_release(&mem, parts->component);
    *parts = (cn_parts){.mem = mem};
}

/* --------------------------------------------------------------------------------- answers -- */

uint32_t cn_parts_size(const cn_parts *parts, cairn_node node)
{
    if (!cn_parts_visit_of(parts, node))
        return UINT32_MAX;
    const cn_part_search *part = &parts->searches[part_of(parts, search_of(parts, node))];
    return part->first == NONE ? part->size : UINT32_MAX;
}

bool cn_parts_is_outlying(const cn_parts *parts, cairn_node node)
{
    const uint32_t part = part_of(parts, search_of(parts, node));
    const cn_part_search *component = component_at(parts, part);
    if (parts->searches[part].first != NONE)
        return false;
    return component->rivals > 0 || component->largest != part;
}
