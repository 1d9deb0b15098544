/* The public calls that make maps of nodes and arcs. */
#include "io/file.h"
#include "map/map.h"

static cairn_status read_options(const cairn_map_options *from, cn_mem *mem)
{
    cairn_map_options options;
    if (!cn_options_copy(&options, sizeof options, from))
        return CAIRN_E_ARGUMENT;
    *mem = cn_mem_from(options.allocator);
    return CAIRN_OK;
}

static cairn_status check_arcs(uint32_t node_count, const cairn_arc *arcs, size_t arc_count)
{
    for (size_t i = 0; i < arc_count; i++) {
        if (arcs[i].from >= node_count || arcs[i].to >= node_count || arcs[i].cost == 0)
            return CAIRN_E_ARGUMENT;
        if (arcs[i].cost > CAIRN_COST_MAX / 4)
            return CAIRN_E_LIMIT;
    }
    return CAIRN_OK;
}

cairn_status cairn_map_from_arcs(uint32_t node_count, const cairn_arc *arcs, size_t arc_count,
                                 const int32_t *x, const int32_t *y,
                                 const cairn_map_options *options, cairn_map **map)
{
    cn_mem mem;
    cn_roadmap *roads;

    if (!map)
        return CAIRN_E_ARGUMENT;
    *map = NULL;
    if (node_count == 0 || (!arcs && arc_count) || !x != !y ||
        read_options(options, &mem) != CAIRN_OK)
        return CAIRN_E_ARGUMENT;
    if (node_count > CAIRN_NODES_MAX || arc_count > CAIRN_ARCS_MAX)
        return CAIRN_E_LIMIT;
    cairn_status status = check_arcs(node_count, arcs, arc_count);
    if (status == CAIRN_OK)
        status = cn_roadmap_new(&mem, node_count, arcs, arc_count, &roads);
    if (status != CAIRN_OK)
        return status;
    if (x)
        status = cn_roadmap_place(roads, &mem, x, y);
    if (status != CAIRN_OK) {
        cn_roadmap_free(roads, &mem);
        return status;
    }
    return cn_map_new_roads(&mem, roads, map);
}

static bool make_room(const cn_mem *mem, cairn_node node, uint32_t room, void **arcs,
                      size_t *capacity, size_t used)
{
    if (!cn_grow(mem, arcs, capacity, used, used + room, sizeof(cairn_arc)))
        return false;
    for (uint32_t i = 0; i < room; i++)
        ((cairn_arc *)*arcs)[used + i] = (cairn_arc){.from = node};
    return true;
}

/* Appends the arcs of one node. A callback that counts no further than one behind the room is asked
 * again with twice as much, but not without end: a count that grew must be below that of nodes. */
static cairn_status ask(const cairn_own_graph *graph, const cn_mem *mem, cairn_node node,
                        void **arcs, size_t *capacity, size_t *used)
{
    enum { FIRST_ROOM = 64 };

    for (uint32_t room = FIRST_ROOM, count;; room = count > 2 * room ? count : 2 * room) {
        if (!make_room(mem, node, room, arcs, capacity, *used))
            return CAIRN_E_MEMORY;
        count = graph->arcs(graph->context, node, (cairn_arc *)*arcs + *used, room);
        if (count > CAIRN_ARCS_MAX - *used)
            return CAIRN_E_LIMIT;
        if (count <= room) {
            *used += count;
            return CAIRN_OK;
        }
        if (room > FIRST_ROOM && count > graph->node_count)
            return CAIRN_E_ARGUMENT;
    }
}

cairn_status cairn_map_from_own(const cairn_own_graph *graph, const cairn_map_options *options,
                                cairn_map **map)
{
    cairn_own_graph known;
    cn_mem mem;
    void *arcs = NULL;
    size_t capacity = 0, used = 0;

    if (!map)
        return CAIRN_E_ARGUMENT;
    *map = NULL;
    if (!graph || !cn_options_copy(&known, sizeof known, graph) || !known.arcs ||
        read_options(options, &mem) != CAIRN_OK)
        return CAIRN_E_ARGUMENT;
    if (known.node_count > CAIRN_NODES_MAX)
        return CAIRN_E_LIMIT;
    cairn_status status = CAIRN_OK;
    for (cairn_node node = 0; status == CAIRN_OK && node < known.node_count; node++)
        status = ask(&known, &mem, node, &arcs, &capacity, &used);
    if (status == CAIRN_OK)
        status = cairn_map_from_arcs(known.node_count, arcs, used, NULL, NULL, options, map);
    if (status == CAIRN_OK) {
        (*map)->roads->bound = known.bound;
        (*map)->roads->bound_context = known.context;
    }
    cn_release(&mem, arcs);
    return status;
}

static cairn_status parse(const cn_mem *mem, const char *text, size_t size, const char *places,
                          size_t places_size, cairn_map **map, cairn_error *error)
{
    cn_roadmap *roads;
    cairn_status status = cn_roadmap_parse(mem, text, size, &roads, error);
    if (status == CAIRN_OK && places)
        status = cn_roadmap_parse_places(roads, mem, places, places_size, error);
    if (status != CAIRN_OK) {
        cn_roadmap_free(roads, mem);
        return status;
    }
    status = cn_map_new_roads(mem, roads, map);
    return status == CAIRN_OK ? status : cn_error_plain(error, status, NULL);
}

cairn_status cairn_roads_parse(const char *text, size_t size, const char *places,
                               size_t places_size, const cairn_map_options *options,
                               cairn_map **map, cairn_error *error)
{
    cn_mem mem;

    if (!map)
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    *map = NULL;
    if ((!text && size) || (!places && places_size) || read_options(options, &mem) != CAIRN_OK)
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    return parse(&mem, text ? text : "", size, places, places_size, map, error);
}

cairn_status cairn_roads_load(const char *path, const char *places_path,
                              const cairn_map_options *options, cairn_map **map,
                              cairn_error *error)
{
    cn_mem mem;
    uint8_t *text = NULL, *places = NULL;
    size_t size = 0, places_size = 0;

    if (!map)
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    *map = NULL;
    if (!path || read_options(options, &mem) != CAIRN_OK)
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    cairn_status status = cn_file_read(path, &mem, &text, &size);
    if (status == CAIRN_OK && places_path)
        status = cn_file_read(places_path, &mem, &places, &places_size);
    if (status == CAIRN_OK)
        status = parse(&mem, (const char *)text, size, (const char *)places, places_size, map,
                       error);
    else
        cn_error_plain(error, status, NULL);
    cn_release(&mem, text);
    cn_release(&mem, places);
    return status;
}

cairn_map_kind cairn_map_kind_of(const cairn_map *map)
{
    return map->roads ? CAIRN_MAP_GRAPH : CAIRN_MAP_GRID;
}

uint32_t cairn_map_arc_count(const cairn_map *map)
{
    return map->roads ? map->roads->arc_count : 0;
}

bool cairn_node_place(const cairn_map *map, cairn_node node, int32_t *x, int32_t *y)
{
    if (!map->roads || !map->roads->places.x || node >= map->roads->node_count)
        return false;
    *x = map->roads->places.x[node];
    *y = map->roads->places.y[node];
    return true;
}
