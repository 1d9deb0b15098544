#include "components/joined_parts.h"

#include <string.h>

#include "base/sets.h"

#define NONE UINT32_MAX

/* Cells that are expanded of a search before it is the turn of the next, about. */
enum { CELLS_AT_ONCE = 16 };

/* ---------------------------------------------------------------------------------- places -- */

static cn_part_tile *tile_of(const cn_parts *parts, cn_part_place place)
{
    return &parts->tiles[cn_region_tile(place)];
}

/* The place of an open cell. */
static cn_part_place place_of(const cn_parts *parts, cairn_node node)
{
    uint32_t x, y;
    cn_grid_xy(parts->regions->grid, node, &x, &y);
    const uint32_t tile = cn_regions_tile_at(parts->regions, x, y);
    if (!parts->tiles[tile].is_by_cells)
        return cn_region_at(parts->regions, x, y);
    return cn_region_of(tile, y % CN_TILE_SIDE * CN_TILE_SIDE + x % CN_TILE_SIDE);
}

static bool is_open_in(const cn_grid *grid, uint32_t x, uint32_t y)
{
    return x < grid->width && y < grid->height && cn_grid_is_open(grid, y * grid->width + x);
}

/* A cell of a tile. */
static cairn_node node_in(const cn_regions *regions, uint32_t tile, uint32_t cell)
{
    uint32_t x, y;
    cn_regions_corner(regions, tile, &x, &y);
    return (y + cell / CN_TILE_SIDE) * regions->grid->width + x + cell % CN_TILE_SIDE;
}

static uint32_t cells_of(const cn_parts *parts, cn_part_place place)
{
    return tile_of(parts, place)->is_by_cells ? 1 : cn_region_size(parts->regions, place);
}

/* The number of the visit of a place, from 1; 0: it was not visited. */
static uint32_t visit_of(const cn_parts *parts, cn_part_place place)
{
    const uint32_t numbers = tile_of(parts, place)->numbers;
    return numbers ? parts->numbers[numbers - 1 + cn_region_number(place)] : 0;
}

/* Makes room for the numbers of the places of a tile. */
static cairn_status number_tile(cn_parts *parts, uint32_t at)
{
    cn_part_tile *tile = &parts->tiles[at];
    const uint32_t count = tile->is_by_cells ? CN_TILE_CELLS : parts->regions->tiles[at].count;
    if (!CN_GROW(&parts->mem, parts->numbers, &parts->number_capacity, parts->number_count,
                 (size_t)parts->number_count + count))
        return CAIRN_E_MEMORY;
    if (!cn_nodes_add(&parts->visited, &parts->mem, at))
        return CAIRN_E_MEMORY;
    memset(parts->numbers + parts->number_count, 0, count * sizeof *parts->numbers);
    tile->numbers = parts->number_count + 1;
    parts->number_count += count;
    return CAIRN_OK;
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

static cairn_status visit(cn_parts *parts, cn_part_place place, uint32_t search)
{
    if (!CN_GROW(&parts->mem, parts->visits, &parts->visit_capacity, parts->visit_count,
                 parts->visit_count + (size_t)1))
        return CAIRN_E_MEMORY;
    cairn_status status = CAIRN_OK;
    parts->visits[parts->visit_count++] = (cn_part_visit){place, search, NONE};
    const cn_part_tile *tile = tile_of(parts, place);
    if (!tile->numbers)
        status = number_tile(parts, cn_region_tile(place));
    if (status == CAIRN_OK)
        parts->numbers[tile->numbers - 1 + cn_region_number(place)] = parts->visit_count;
    return status;
}

/* Marks a place as one of a part, to be expanded later. */
static cairn_status visit_part(cn_parts *parts, cn_part_place place, uint32_t search)
{
    cairn_status status = visit(parts, place, search);
    if (status != CAIRN_OK)
        return status;
    const uint32_t at = parts->visit_count - 1;
    cn_part_search *part = &parts->searches[part_of(parts, search)];
    if (part->first == NONE)
        part->first = at;
    else
        parts->visits[part->last].next = at;
    part->last = at;
    part->size += cells_of(parts, place);
    return CAIRN_OK;
}

static uint32_t search_of(const cn_parts *parts, cn_part_place place)
{
    return parts->visits[visit_of(parts, place) - 1].search;
}

/* ----------------------------------------------------------------------------------- steps -- */

/* The directions in which steps of the map as it is connect a cell to others, there or back. */
static unsigned steps_now(const cn_grid *grid, cairn_node node)
{
    return cn_grid_joined_steps(grid, node, grid->moves[grid->around[node]]);
}

static bool is_opened(const cn_parts *parts, cairn_node node)
{
    const uint32_t number = visit_of(parts, place_of(parts, node));
    return number && number <= parts->opened_count;
}

/* The same as if opened cells were blocked, which also stood in the way of diagonal steps. */
static unsigned steps_before(const cn_parts *parts, cairn_node node)
{
    const cn_grid *grid = parts->regions->grid;
    const int32_t *offset = cn_grid_offsets(grid, node);
    unsigned around = grid->around[node];

    for (unsigned left = around; left; left &= left - 1) {
        const unsigned direction = cn_lowest_bit(left);
        if (is_opened(parts, node + (cairn_node)offset[direction]))
            around &= ~(1u << direction);
    }
    return cn_grid_joined_steps(grid, node, grid->moves[around]);
}

/* Begins a search at a cell, if it has steps that there were not before. */
static cairn_status begin_at(cn_parts *parts, cairn_node node)
{
    const cn_part_place place = place_of(parts, node);
    if (visit_of(parts, place) ||
        !(steps_now(parts->regions->grid, node) & ~steps_before(parts, node)))
        return CAIRN_OK;
    return visit_part(parts, place, new_search(parts));
}

/* An opened cell connects cells around it: with itself, and where it stood in the way. */
static cairn_status begin_around(cn_parts *parts, cairn_node opened)
{
    const cn_grid *grid = parts->regions->grid;
    const int32_t *offset = cn_grid_offsets(grid, opened);
    cairn_status status = CAIRN_OK;

    for (unsigned left = grid->around[opened]; left && status == CAIRN_OK; left &= left - 1)
        status = begin_at(parts, opened + (cairn_node)offset[cn_lowest_bit(left)]);
    return status;
}

/* Joins the components of cells that a cell has new steps to; all of these are visited. */
static void join_new_steps(cn_parts *parts, cairn_node node)
{
    const cn_grid *grid = parts->regions->grid;
    const int32_t *offset = cn_grid_offsets(grid, node);
    unsigned steps = steps_now(grid, node) & ~steps_before(parts, node);

    for (; steps; steps &= steps - 1) {
        const cairn_node next = node + (cairn_node)offset[cn_lowest_bit(steps)];
        join_components(parts, search_of(parts, place_of(parts, node)),
                        search_of(parts, place_of(parts, next)));
    }
}

static void join_around(cn_parts *parts, cairn_node opened)
{
    const cn_grid *grid = parts->regions->grid;
    const int32_t *offset = cn_grid_offsets(grid, opened);
    for (unsigned left = grid->around[opened]; left; left &= left - 1)
        join_new_steps(parts, opened + (cairn_node)offset[cn_lowest_bit(left)]);
}

/* A step of a search leads to a place. */
static cairn_status reach(cn_parts *parts, uint32_t search, cn_part_place place)
{
    const uint32_t number = visit_of(parts, place);
    if (!number)
        return visit_part(parts, place, search);
    join_parts(parts, search, parts->visits[number - 1].search);
    return CAIRN_OK;
}

static cairn_status expand_cell(cn_parts *parts, uint32_t search, cairn_node node)
{
    const int32_t *offset = cn_grid_offsets(parts->regions->grid, node);
    cairn_status status = CAIRN_OK;

    for (unsigned steps = steps_before(parts, node); steps && status == CAIRN_OK;
         steps &= steps - 1) {
        const cairn_node next = node + (cairn_node)offset[cn_lowest_bit(steps)];
        status = reach(parts, search, place_of(parts, next));
    }
    return status;
}

/* Expands the cells of a region at the rim of its tile. */
static cairn_status expand_rim(cn_parts *parts, uint32_t search, cn_region region)
{
    const cn_regions *regions = parts->regions;
    const uint32_t tile = cn_region_tile(region);
    cairn_status status = CAIRN_OK;
    uint32_t left, top;

    cn_regions_corner(regions, tile, &left, &top);
    for (uint32_t cell = 0; cell < CN_TILE_CELLS && status == CAIRN_OK; cell++) {
        const uint32_t x = cell % CN_TILE_SIDE, y = cell / CN_TILE_SIDE;
        const bool is_rim = x == 0 || y == 0 || x == CN_TILE_SIDE - 1 || y == CN_TILE_SIDE - 1;
        if (is_rim && is_open_in(regions->grid, left + x, top + y) &&
            cn_region_at(regions, left + x, top + y) == region)
            status = expand_cell(parts, search, node_in(regions, tile, cell));
    }
    return status;
}

static bool is_beside_cells(const cn_parts *parts, uint32_t tile)
{
    const uint32_t across = parts->regions->tiles_across;
    const uint32_t down = parts->regions->tile_count / across;
    const uint32_t x = tile % across, y = tile / across;

    for (uint32_t row = y - (y > 0); row <= y + 1 && row < down; row++) {
        for (uint32_t column = x - (x > 0); column <= x + 1 && column < across; column++) {
            if (parts->tiles[row * across + column].is_by_cells)
                return true;
        }
    }
    return false;
}

static cairn_status expand_region(cn_parts *parts, uint32_t search, cn_region region)
{
    cn_region neighbours[CN_REGION_NEIGHBOURS];
    cairn_status status = CAIRN_OK;

    if (is_beside_cells(parts, cn_region_tile(region)))
        return expand_rim(parts, search, region);
    const unsigned count = cn_region_neighbours(parts->regions, region, neighbours);
    for (unsigned i = 0; i < count && status == CAIRN_OK; i++)
        status = reach(parts, search, neighbours[i]);
    return status;
}

/* -------------------------------------------------------------------------- all the searches -- */

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

/* Expands the next place of a search. */
static cairn_status expand_next(cn_parts *parts, uint32_t search)
{
    cn_part_search *part = &parts->searches[search];
    const cn_part_visit next = parts->visits[part->first];

    part->first = next.next;
    if (!tile_of(parts, next.place)->is_by_cells)
        return expand_region(parts, search, next.place);
    return expand_cell(
        parts, search,
        node_in(parts->regions, cn_region_tile(next.place), cn_region_number(next.place)));
}

static cairn_status expand_some(cn_parts *parts, uint32_t search)
{
    const cn_part_search *part = &parts->searches[search];
    cairn_status status = CAIRN_OK;
    uint32_t cells = 0;

    while (status == CAIRN_OK && cells < CELLS_AT_ONCE && part->first != NONE) {
        cells += cells_of(parts, parts->visits[part->first].place);
        status = expand_next(parts, search);
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

/* Whether a part is not the largest of its component. */
static bool is_outlying(const cn_parts *parts, uint32_t part)
{
    const cn_part_search *component = component_at(parts, part);
    return parts->searches[part].first == NONE &&
           (component->rivals > 0 || component->largest != part);
}

/* The first searches are those of opened cells. */
static void label_searches(cn_parts *parts)
{
    for (uint32_t i = 0; i < parts->opened_count; i++)
        parts->searches[i].label = CN_PART_OPENED;
    for (uint32_t i = parts->opened_count; i < parts->search_count; i++) {
        if (part_of(parts, i) == i && is_outlying(parts, i))
            parts->searches[i].label = ++parts->part_count;
    }
    for (uint32_t i = parts->opened_count; i < parts->search_count; i++)
        parts->searches[i].label = parts->searches[part_of(parts, i)].label;
}

/* A search may begin at each opened cell and at each of its neighbours. */
static cairn_status new_parts(cn_parts *parts, const cn_mem *mem, const cn_regions *regions,
                              size_t opened)
{
    const size_t most = (CN_DIRECTIONS + 1u) * opened;
    *parts = (cn_parts){.regions = regions, .mem = *mem};
    parts->tiles = cn_zeroed(mem, regions->tile_count, sizeof *parts->tiles);
    parts->searches = cn_array(mem, most, sizeof *parts->searches);
    parts->parent = cn_array(mem, most, sizeof *parts->parent);
    parts->component = cn_array(mem, most, sizeof *parts->component);
    return parts->tiles && parts->searches && parts->parent && parts->component ? CAIRN_OK
                                                                                : CAIRN_E_MEMORY;
}

/* Each opened cell as a search of its own. */
static cairn_status visit_opened(cn_parts *parts, const cairn_node *opened, size_t count)
{
    const cn_grid *grid = parts->regions->grid;
    cairn_status status = CAIRN_OK;

    for (size_t i = 0; i < count; i++) {
        uint32_t x, y;
        cn_grid_xy(grid, opened[i], &x, &y);
        if (cn_grid_is_open(grid, opened[i]))
            parts->tiles[cn_regions_tile_at(parts->regions, x, y)].is_by_cells = true;
    }
    for (size_t i = 0; i < count && status == CAIRN_OK; i++) {
        if (cn_grid_is_open(grid, opened[i]) && !visit_of(parts, place_of(parts, opened[i])))
            status = visit(parts, place_of(parts, opened[i]), new_search(parts));
    }
    parts->opened_count = parts->visit_count;
    return status;
}

cairn_status cn_parts_find(cn_parts *parts, const cn_mem *mem, const cn_regions *regions,
                           const cairn_node *opened, size_t count)
{
    cairn_status status = new_parts(parts, mem, regions, count);
    if (status == CAIRN_OK)
        status = visit_opened(parts, opened, count);
    for (size_t i = 0; i < count && status == CAIRN_OK; i++) {
        if (cn_grid_is_open(regions->grid, opened[i]))
            status = begin_around(parts, opened[i]);
    }
    for (size_t i = 0; i < count && status == CAIRN_OK; i++) {
        if (cn_grid_is_open(regions->grid, opened[i]))
            join_around(parts, opened[i]);
    }
    uint32_t *list = cn_array(mem, parts->search_count, sizeof *list);
    if (!list)
        status = CAIRN_E_MEMORY;
    for (uint32_t i = 0; i < parts->search_count && status == CAIRN_OK; i++)
        list[i] = i;
    if (status == CAIRN_OK)
        status = search_all(parts, list, parts->search_count);
    cn_release(mem, list);
    if (status == CAIRN_OK)
        label_searches(parts);
    if (status != CAIRN_OK)
        cn_parts_free(parts);
    return status;
}

void cn_parts_free(cn_parts *parts)
{
    const cn_mem mem = parts->mem;
    cn_release(&mem, parts->tiles);
    cn_release(&mem, parts->visited.items);
    cn_release(&mem, parts->numbers);
    cn_release(&mem, parts->visits);
    cn_release(&mem, parts->searches);
    cn_release(&mem, parts->parent);
    cn_release(&mem, parts->component);
    *parts = (cn_parts){.mem = mem};
}

/* --------------------------------------------------------------------------------- answers -- */

uint32_t cn_parts_size(const cn_parts *parts, cairn_node node)
{
    if (!parts->visit_count || !cn_grid_is_open(parts->regions->grid, node))
        return UINT32_MAX;
    const cn_part_place place = place_of(parts, node);
    if (!visit_of(parts, place))
        return UINT32_MAX;
    const cn_part_search *part = &parts->searches[part_of(parts, search_of(parts, place))];
    return part->first == NONE ? part->size : UINT32_MAX;
}

static uint32_t label_of(const cn_parts *parts, cn_part_place place)
{
    return visit_of(parts, place) ? parts->searches[search_of(parts, place)].label : 0;
}

bool cn_parts_label(const cn_parts *parts, uint32_t tile, uint32_t labels[CN_TILE_CELLS])
{
    const uint8_t *region = parts->regions->labels + (size_t)tile * CN_TILE_CELLS;
    const bool is_by_cells = parts->tiles[tile].is_by_cells;
    const uint32_t regions = parts->regions->tiles[tile].count;
    const uint32_t count = is_by_cells ? CN_TILE_CELLS : regions;
    uint32_t of_region[CN_TILE_CELLS];
    uint32_t *of_place = is_by_cells ? labels : of_region;
    bool any = false;

    for (uint32_t i = 0; i < count; i++) {
        of_place[i] = label_of(parts, cn_region_of(tile, i));
        any |= of_place[i] != 0;
    }
    for (uint32_t cell = 0; cell < CN_TILE_CELLS && !is_by_cells; cell++) {
        const uint32_t own = regions > 1 ? region[cell] : 0;
        labels[cell] = own < count ? of_region[own] : 0;
    }
    return any;
}

uint32_t cn_parts_of_tile(const cn_parts *parts, uint32_t tile)
{
    const uint32_t regions = parts->regions->tiles[tile].count;
    const uint32_t first = label_of(parts, cn_region_of(tile, 0));
    uint32_t i = 1;

    if (parts->tiles[tile].is_by_cells)
        return CN_PART_SEVERAL;
    while (i < regions && label_of(parts, cn_region_of(tile, i)) == first)
        i++;
    return i < regions ? CN_PART_SEVERAL : first;
}
