/* Where landmarks can be placed, by component (place/place_sites.h). */
#include <string.h>

#include "map/map_parts.h"
#include "place/place_sites.h"

/* Lists the cells by component; `group` has the component of each cell to be listed. */
static void group_cells(cn_sites *sites, const uint32_t *group)
{
    uint32_t *next = sites->first + 1;
    uint32_t node_count = cn_map_node_count(sites->map);

    /* first[c + 1] is used as the position in component c, and ends at the end of c. */
    sites->first[0] = 0;
    for (uint32_t i = 0, sum = 0; i < sites->component_count; i++) {
        next[i] = sum;
        sum += sites->component_size[i];
    }
    for (cairn_node node = 0; node < node_count; node++) {
        if (group[node] != CN_NO_COMPONENT)
            sites->cells[next[group[node]]++] = node;
    }
}

static cairn_status list_cells(cn_sites *sites)
{
    const cn_mem *mem = &sites->map->mem;
    size_t node_count = cn_map_node_count(sites->map);

    if (!cn_map_is_directed(sites->map)) {
        group_cells(sites, sites->component);
        return CAIRN_OK;
    }
    uint32_t *core = cn_array(mem, node_count, sizeof *core);
    if (!core)
        return CAIRN_E_MEMORY;
    memcpy(core, sites->component, node_count * sizeof *core);
    cairn_status status = cn_map_keep_cores(sites->map, mem, core, sites->component_size,
                                            sites->component_count);
    if (status == CAIRN_OK)
        group_cells(sites, core);
    cn_release(mem, core);
    return status;
}

cairn_status cn_sites_init(cn_sites *sites, const cairn_map *map, const cn_coordinates *coordinates)
{
    const cn_mem *mem = &map->mem;

    memset(sites, 0, sizeof *sites);
    sites->map = map;
    sites->coordinates = coordinates;
    sites->component = cn_array(mem, cn_map_node_count(map), sizeof *sites->component);
    if (!sites->component)
        return CAIRN_E_MEMORY;
    cairn_status status = cn_map_components(map, mem, sites->component, &sites->component_size,
                                            &sites->component_count);
    if (status == CAIRN_OK) {
        sites->cells = cn_array(mem, map->grid.open_count + 1u, sizeof *sites->cells);
        sites->first = cn_array(mem, sites->component_count + 1u, sizeof *sites->first);
        if (!sites->cells || !sites->first)
            status = CAIRN_E_MEMORY;
    }
    if (status == CAIRN_OK)
        status = list_cells(sites);
    if (status != CAIRN_OK)
        cn_sites_free(sites);
    return status;
}

void cn_sites_free(cn_sites *sites)
{
    if (!sites->map)
        return;
    const cn_mem *mem = &sites->map->mem;
    cn_release(mem, sites->component);
    cn_release(mem, sites->component_size);
    cn_release(mem, sites->cells);
    cn_release(mem, sites->first);
    memset(sites, 0, sizeof *sites);
}

cairn_node cn_sites_draw(const cn_sites *sites, uint32_t component, cn_rng *rng)
{
    return sites
        ->cells[sites->first[component] + cn_rng_below(rng, sites->component_size[component])];
}
