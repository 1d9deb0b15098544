/* Reads maps from text of any supported format. */
#include "formats/dimacs.h"
#include "formats/moving_ai_map.h"
#include "io/file.h"
#include "map/map.h"

static cairn_status parse_roads(const cn_mem *mem, const char *text, size_t size,
                                const char *places, size_t places_size, cairn_map **map,
                                cairn_error *error)
{
    cn_graph *graph;
    cairn_status status = cn_dimacs_parse(mem, text, size, &graph, error);
    if (status == CAIRN_OK && places)
        status = cn_dimacs_parse_places(graph, mem, places, places_size, error);
    if (status != CAIRN_OK) {
        cn_graph_free(graph, mem);
        return status;
    }
    status = cn_map_new_graph(mem, graph, map);
    return status == CAIRN_OK ? status : cn_error_general(error, status, NULL);
}

/* For `memory` see cn_moving_ai_parse. */
static cairn_status parse_map(const char *text, size_t size, uint8_t **memory,
                              const cairn_map_options *options, const cn_rules *rules,
                              const cn_mem *mem, cairn_map **map, cairn_error *error)
{
    cn_grid grid;
    if (cn_text_is_dimacs(text, size))
        return parse_roads(mem, text, size, NULL, 0, map, error);
    cairn_status status = cn_moving_ai_parse(mem, text, size, memory, rules, &grid, error);
    if (status != CAIRN_OK)
        return status;
    status = cn_map_from_grid(&grid, options, mem, map);
    return status == CAIRN_OK ? status : cn_map_refuse_metric(status, error);
}

cairn_status cairn_map_parse(const char *text, size_t size, const cairn_map_options *options,
                             cairn_map **map, cairn_error *error)
{
    cairn_map_options known;
    cn_rules rules;
    cn_mem mem;

    if (!map)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    *map = NULL;
    if (!text && size)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    cairn_status status = cn_map_read_options(options, &known, &rules, &mem);
    if (status != CAIRN_OK)
        return cn_error_general(error, status, NULL);
    return parse_map(text ? text : "", size, NULL, &known, &rules, &mem, map, error);
}

cairn_status cairn_map_load(const char *path, const cairn_map_options *options, cairn_map **map,
                            cairn_error *error)
{
    cairn_map_options known;
    cn_rules rules;
    cn_mem mem;
    uint8_t *text;
    size_t size;

    if (!map)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    *map = NULL;
    if (!path)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    cairn_status status = cn_map_read_options(options, &known, &rules, &mem);
    if (status == CAIRN_OK)
        status = cn_file_read(path, &mem, &text, &size);
    if (status != CAIRN_OK)
        return cn_error_general(error, status, NULL);

    status = parse_map((const char *)text, size, &text, &known, &rules, &mem, map, error);
    cn_release(&mem, text);
    return status;
}

cairn_status cairn_roads_parse(const char *text, size_t size, const char *places,
                               size_t places_size, const cairn_map_options *options,
                               cairn_map **map, cairn_error *error)
{
    cn_mem mem;

    if (!map)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    *map = NULL;
    if ((!text && size) || (!places && places_size) ||
        cn_map_read_graph_options(options, &mem) != CAIRN_OK)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    return parse_roads(&mem, text ? text : "", size, places, places_size, map, error);
}

cairn_status cairn_roads_load(const char *path, const char *places_path,
                              const cairn_map_options *options, cairn_map **map, cairn_error *error)
{
    cn_mem mem;
    uint8_t *text = NULL, *places = NULL;
    size_t size = 0, places_size = 0;

    if (!map)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    *map = NULL;
    if (!path || cn_map_read_graph_options(options, &mem) != CAIRN_OK)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    cairn_status status = cn_file_read(path, &mem, &text, &size);
    if (status != CAIRN_OK)
        return cn_error_general(error, status, NULL);
    if (places_path)
        status = cn_file_read(places_path, &mem, &places, &places_size);
    if (status == CAIRN_OK)
        status = parse_roads(&mem, (const char *)text, size, (const char *)places, places_size, map,
                             error);
    else
        cn_error_general(error, status, status == CAIRN_E_IO ? "the file of places" : NULL);
    cn_release(&mem, text);
    cn_release(&mem, places);
    return status;
}
