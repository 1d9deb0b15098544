/* The components of a whole map, and the tiles that edits make dirty. */
#include "base/sets.h"
#include "components/components.h"

cairn_status cn_components_new(const cn_mem *mem, const cn_grid *grid, cn_components **components)
{
    *components = NULL;
    cn_components *made = cn_zeroed(mem, 1, sizeof *made);
    if (!made)
        return CAIRN_E_MEMORY;
    made->unused = CN_NO_COMPONENT;
    cairn_status status = cn_regions_init(&made->regions, mem, grid);
    if (status == CAIRN_OK) {
        made->dirty = cn_array(mem, made->regions.tile_count, sizeof *made->dirty);
        status = made->dirty ? CAIRN_OK : CAIRN_E_MEMORY;
    }
    if (status == CAIRN_OK) {
        for (uint32_t tile = 0; tile < made->regions.tile_count; tile++)
            made->dirty[made->dirty_count++] = tile;
        status = cn_components_repair(made, mem) ? CAIRN_OK : CAIRN_E_MEMORY;
    }
    if (status != CAIRN_OK) {
        cn_components_free(made, mem);
        return status;
    }
    *components = made;
    return CAIRN_OK;
}

void cn_components_free(cn_components *components, const cn_mem *mem)
{
    if (!components)
        return;
    cn_regions_free(&components->regions, mem);
    cn_release(mem, components->label);
    cn_release(mem, components->items);
    cn_release(mem, components->dirty);
    cn_release(mem, components);
}

size_t cn_components_memory(const cn_components *components, uint32_t node_count)
{
    if (!components)
        return 0;
    return cn_held_size(components, 1, sizeof *components) +
           cn_regions_memory(&components->regions) +
           cn_held_size(components->label, node_count, sizeof *components->label) +
           cn_held_size(components->items, components->capacity, sizeof *components->items) +
           cn_held_size(components->dirty, components->regions.tile_count,
                        sizeof *components->dirty);
}

uint64_t cn_components_memory_of(const cn_grid *grid, uint64_t count)
{
    enum { A_FEW_ITEMS = 16, BLOCKS = 5 };
    const uint64_t tiles = (((uint64_t)grid->width + CN_TILE_SIDE - 1) / CN_TILE_SIDE) *
                           (((uint64_t)grid->height + CN_TILE_SIDE - 1) / CN_TILE_SIDE);
    const uint64_t for_a_tile = sizeof(cn_tile) + CN_TILE_CELLS + sizeof(uint32_t);
    return sizeof(cn_components) + tiles * for_a_tile +
           (2 * count + A_FEW_ITEMS) * sizeof(cn_component) + BLOCKS * cn_block_size(0, 1);
}

static void mark_tile(cn_components *components, uint32_t at)
{
    cn_tile *tile = &components->regions.tiles[at];
    if (tile->is_dirty)
        return;
    tile->is_dirty = true;
    components->dirty[components->dirty_count++] = at;
}

/* The regions of a tile follow from its own cells. A step between cells of two other tiles changes
 * with these cells only if it is diagonal, and open cells beside it connect the same unless letters
 * are one-way. */
void cn_components_mark(cn_components *components, cn_area area)
{
    const cn_grid *grid = components->regions.grid;
    const cn_area grown = grid->has_one_way ? cn_grid_grown(grid, area) : area;
    for (uint32_t y = grown.top / CN_TILE_SIDE; y <= grown.bottom / CN_TILE_SIDE; y++) {
        for (uint32_t x = grown.left / CN_TILE_SIDE; x <= grown.right / CN_TILE_SIDE; x++)
            mark_tile(components, y * components->regions.tiles_across + x);
    }
}

/* -------------------------------------------------------------------------------- of a graph -- */

/* The root of a set is its lowest node. */
static void join_arcs(const cn_graph *graph, uint32_t *parent)
{
    for (cairn_node node = 0; node < graph->node_count; node++)
        parent[node] = node;
    for (cairn_node node = 0; node < graph->node_count; node++) {
        cn_arc_span span = cn_graph_out(graph, node);
        for (size_t i = 0; i < span.count; i++)
            cn_sets_join(parent, node, span.arcs[i].to);
    }
}

static bool add_component(cn_components *components, const cn_mem *mem)
{
    if (!CN_GROW(mem, components->items, &components->capacity, components->count,
                 components->count + 1u))
        return false;
    components->items[components->count++] = (cn_component){.regions = 1};
    return true;
}

/* Numbers the roots first, then the sets, since the parent of a node is always lower than the
 * node. */
static bool number_sets(cn_components *components, const cn_mem *mem, uint32_t node_count)
{
    uint32_t *label = components->label;
    for (cairn_node node = 0; node < node_count; node++) {
        const bool is_root = label[node] == node;
        if (is_root && !add_component(components, mem))
            return false;
        label[node] = is_root ? components->count - 1 : label[label[node]];
        components->items[label[node]].size++;
    }
    components->limit = components->count;
    return true;
}

cairn_status cn_components_of_graph(const cn_mem *mem, const cn_graph *graph,
                                    cn_components **components)
{
    *components = NULL;
    cn_components *made = cn_zeroed(mem, 1, sizeof *made);
    if (!made)
        return CAIRN_E_MEMORY;
    made->label = cn_array(mem, graph->node_count, sizeof *made->label);
    if (made->label)
        join_arcs(graph, made->label);
    if (!made->label || !number_sets(made, mem, graph->node_count)) {
        cn_components_free(made, mem);
        return CAIRN_E_MEMORY;
    }
    if (made->count == 1) {
        cn_release(mem, made->label);
        made->label = NULL;
    }
    *components = made;
    return CAIRN_OK;
}
