#include "flood.h"

#include "flood_engine.h"

struct cn_flooder {
    cn_mem mem;
    const cn_flood_engine *engine;
    void *state;
};

cairn_status cn_flooder_open(const cairn_map *map, unsigned bits, const cn_flood_engine *engine,
                             cn_flooder **flooder)
{
    *flooder = NULL;
    cn_flooder *made = cn_zeroed(&map->mem, 1, sizeof *made);
    if (!made)
        return CAIRN_E_MEMORY;

    made->mem = map->mem;
    made->engine = engine;
    cairn_status status = made->engine->open(map, bits, &made->state);
    if (status != CAIRN_OK) {
        cn_release(&map->mem, made);
        return status;
    }
    *flooder = made;
    return CAIRN_OK;
}

static const cn_flood_engine *choose_engine(const cairn_map *map, unsigned bits)
{
    if (!cn_map_is_classic(map))
        return &cn_flood_bucket;
    return cn_flood_tiles_exist(bits) ? &cn_flood_tiles : &cn_flood_lists;
}

cairn_status cn_flooder_new(const cairn_map *map, unsigned bits, cn_flooder **flooder)
{
    return cn_flooder_open(map, bits, choose_engine(map, bits), flooder);
}

const char *cn_flooder_engine(const cn_flooder *flooder)
{
    return flooder->engine->name;
}

void cn_flooder_free(cn_flooder *flooder)
{
    if (!flooder)
        return;
    cn_mem mem = flooder->mem;
    flooder->engine->close(flooder->state);
    cn_release(&mem, flooder);
}

cairn_status cn_flooder_run(cn_flooder *flooder, const cairn_node *sources, size_t source_count,
                            cn_plane *plane)
{
    return flooder->engine->run(flooder->state, sources, source_count, plane);
}

cairn_status cn_flooder_run_back(cn_flooder *flooder, const cairn_node *targets,
                                 size_t target_count, cn_plane *plane)
{
    const cn_flood_engine *engine = flooder->engine;
    return (engine->run_back ? engine->run_back : engine->run)(flooder->state, targets,
                                                               target_count, plane);
}

static void copy_out(const cairn_map *map, const cn_plane *plane, cairn_cost *costs)
{
    cairn_node node = 0;
    for (uint32_t y = 0; y < map->grid.height; y++) {
        for (uint32_t x = 0; x < map->grid.width; x++, node++)
            costs[node] = cn_grid_is_open(&map->grid, node) ? cn_plane_at(plane, x, y)
                                                            : CAIRN_UNREACHABLE;
    }
}

static cairn_status measure(const cairn_map *map, cn_way way, const cairn_node *nodes,
                            size_t node_count, cairn_cost *costs)
{
    cn_flooder *flooder;
    cn_plane plane;

    if (!map || !costs || (!nodes && node_count))
        return CAIRN_E_ARGUMENT;
    for (size_t i = 0; i < node_count; i++) {
        if (!cairn_map_is_open(map, nodes[i]))
            return CAIRN_E_ARGUMENT;
    }
    cairn_status status = cn_flooder_new(map, 32, &flooder);
    if (status != CAIRN_OK)
        return status;
    status = way == CN_FORWARD ? cn_flooder_run(flooder, nodes, node_count, &plane)
                               : cn_flooder_run_back(flooder, nodes, node_count, &plane);
    if (status == CAIRN_OK)
        copy_out(map, &plane, costs);
    cn_flooder_free(flooder);
    return status;
}

cairn_status cairn_costs_from(const cairn_map *map, const cairn_node *sources,
                              size_t source_count, cairn_cost *costs)
{
    return measure(map, CN_FORWARD, sources, source_count, costs);
}

cairn_status cairn_costs_to(const cairn_map *map, const cairn_node *targets, size_t target_count,
                            cairn_cost *costs)
{
    return measure(map, CN_REVERSE, targets, target_count, costs);
}
