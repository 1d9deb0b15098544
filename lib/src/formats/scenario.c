/* Queries on any map, from text. */
#include "formats/dimacs.h"
#include "formats/moving_ai_scen.h"
#include "io/file.h"

struct cairn_scenario {
    cn_mem mem;
    cairn_query *queries;
    size_t count;
};

static cairn_status parse_queries(cairn_scenario *scenario, const cairn_map *map, const char *text,
                                  size_t size, cairn_error *error)
{
    if (cairn_map_kind_of(map) == CAIRN_MAP_GRID)
        return cn_moving_ai_parse_queries(map, text, size, &scenario->queries, &scenario->count,
                                          error);
    return cn_dimacs_parse_queries(&map->mem, cairn_map_node_count(map), text, size,
                                   &scenario->queries, &scenario->count, error);
}

cairn_status cairn_scenario_parse(const char *text, size_t size, const cairn_map *map,
                                  cairn_scenario **scenario, cairn_error *error)
{
    if (!scenario)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    *scenario = NULL;
    if (!map || (!text && size))
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);

    cairn_scenario *made = cn_zeroed(&map->mem, 1, sizeof *made);
    if (!made)
        return cn_error_general(error, CAIRN_E_MEMORY, NULL);
    made->mem = map->mem;
    cairn_status status = parse_queries(made, map, text ? text : "", size, error);
    if (status != CAIRN_OK) {
        cairn_scenario_free(made);
        return status;
    }
    *scenario = made;
    return CAIRN_OK;
}

cairn_status cairn_scenario_load(const char *path, const cairn_map *map, cairn_scenario **scenario,
                                 cairn_error *error)
{
    uint8_t *text;
    size_t size;

    if (!scenario)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    *scenario = NULL;
    if (!path || !map)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    cairn_status status = cn_file_read(path, &map->mem, &text, &size);
    if (status != CAIRN_OK)
        return cn_error_general(error, status, NULL);
    status = cairn_scenario_parse((const char *)text, size, map, scenario, error);
    cn_release(&map->mem, text);
    return status;
}

void cairn_scenario_free(cairn_scenario *scenario)
{
    if (!scenario)
        return;
    cn_mem mem = scenario->mem;
    cn_release(&mem, scenario->queries);
    cn_release(&mem, scenario);
}

const cairn_query *cairn_scenario_queries(const cairn_scenario *scenario)
{
    return scenario->queries;
}

size_t cairn_scenario_count(const cairn_scenario *scenario)
{
    return scenario->count;
}
