/* Maps of nodes and arcs that the caller gives as a list or by callbacks. */
#include "map/map.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

cairn_status cn_map_read_graph_options(const cairn_map_options *from, cn_mem *mem)
{
    cairn_map_options options;
    if (!cn_options_copy(&options, sizeof options, from))
        return CAIRN_E_ARGUMENT;
    *mem = cn_mem_from(options.allocator);
    return CAIRN_OK;
}

static cairn_status refuse_ends(const cairn_arc *arc, uint64_t number, cairn_error *error)
{
    char found[32];
    const int size = snprintf(found, sizeof found, "%" PRIu32 " to %" PRIu32, arc->from, arc->to);
    return cn_error_at_line(error, CAIRN_E_ARGUMENT, number, "nodes of the graph", found,
                            (size_t)size);
}

static cairn_status refuse_cost(cairn_cost cost, uint64_t number, cairn_error *error)
{
    char found[16];
    const int size = snprintf(found, sizeof found, "%" PRIu32, cost);
    return cn_error_at_line(error, cost ? CAIRN_E_LIMIT : CAIRN_E_ARGUMENT, number,
                            "a cost from 1 to " CN_ARC_COST_MAX_TEXT, found, (size_t)size);
}

static cairn_status check_arcs(uint32_t node_count, const cairn_arc *arcs, size_t arc_count,
                               cairn_error *error)
{
    for (size_t i = 0; i < arc_count; i++) {
        if (arcs[i].from >= node_count || arcs[i].to >= node_count)
            return refuse_ends(&arcs[i], i + 1, error);
        if (arcs[i].cost == 0 || arcs[i].cost > CN_ARC_COST_MAX)
            return refuse_cost(arcs[i].cost, i + 1, error);
    }
    return CAIRN_OK;
}

/* The array means nothing afterwards. */
static cairn_status from_own_arcs(const cn_mem *mem, uint32_t node_count, cairn_arc *arcs,
                                  size_t arc_count, const int32_t *x, const int32_t *y,
                                  cairn_map **map, cairn_error *error)
{
    cn_graph *graph;
    cairn_status status = check_arcs(node_count, arcs, arc_count, error);
    if (status != CAIRN_OK)
        return status;
    status = cn_graph_new(mem, node_count, arcs, arc_count, &graph);
    if (status != CAIRN_OK)
        return cn_error_general(error, status, NULL);
    if (x)
        status = cn_graph_place(graph, mem, x, y);
    if (status != CAIRN_OK) {
        cn_graph_free(graph, mem);
        return cn_error_general(error, status, NULL);
    }
    return cn_error_general(error, cn_map_new_graph(mem, graph, map), NULL);
}

static cairn_status check_size(uint32_t node_count, size_t arc_count, cairn_error *error)
{
    if (node_count == 0)
        return cn_error_at_line(error, CAIRN_E_ARGUMENT, 0, "at least one node", "0", 1);
    if (node_count > CAIRN_NODES_MAX)
        return cn_error_general(error, CAIRN_E_LIMIT, "at most 2^28 nodes");
    if (arc_count > CAIRN_ARCS_MAX)
        return cn_error_general(error, CAIRN_E_LIMIT, "at most 2^30 arcs");
    return CAIRN_OK;
}

/* What is checked is what is kept, also where another thread writes to the arcs. */
cairn_status cairn_map_from_arcs(uint32_t node_count, const cairn_arc *arcs, size_t arc_count,
                                 const int32_t *x, const int32_t *y,
                                 const cairn_map_options *options, cairn_map **map,
                                 cairn_error *error)
{
    cn_mem mem;

    if (!map)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    *map = NULL;
    if ((!arcs && arc_count) || !x != !y || cn_map_read_graph_options(options, &mem) != CAIRN_OK)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    cairn_status status = check_size(node_count, arc_count, error);
    if (status != CAIRN_OK)
        return status;
    cairn_arc *own = cn_array(&mem, arc_count, sizeof *own);
    if (!own)
        return cn_error_general(error, CAIRN_E_MEMORY, NULL);
    if (arc_count)
        memcpy(own, arcs, arc_count * sizeof *own);
    status = from_own_arcs(&mem, node_count, own, arc_count, x, y, map, error);
    cn_release(&mem, own);
    return status;
}

/* The arcs of all nodes so far. */
typedef struct asked {
    cairn_arc *arcs;
    size_t count;
    size_t capacity;
} asked;

static bool make_room(asked *all, const cn_mem *mem, cairn_node node, uint32_t room)
{
    if (!CN_GROW(mem, all->arcs, &all->capacity, all->count, all->count + room))
        return false;
    for (uint32_t i = 0; i < room; i++)
        all->arcs[all->count + i] = (cairn_arc){.from = node};
    return true;
}

/* Appends the arcs of one node. A callback may return no more than one above the room although it
 * has more arcs, so each call has at least twice the room of the one before. From the second call
 * on a count above the room must not exceed node_count; so the calls come to an end. */
static cairn_status ask(const cairn_callback_graph *graph, const cn_mem *mem, cairn_node node,
                        asked *all)
{
    enum { FIRST_ROOM = 64 };

    for (uint32_t room = FIRST_ROOM, count;; room = count > 2 * room ? count : 2 * room) {
        if (!make_room(all, mem, node, room))
            return CAIRN_E_MEMORY;
        count = graph->arcs(graph->context, node, all->arcs + all->count, room);
        if (count > CAIRN_ARCS_MAX - all->count)
            return CAIRN_E_LIMIT;
        if (count <= room) {
            for (uint32_t i = 0; i < count; i++)
                all->arcs[all->count++].from = node;
            return CAIRN_OK;
        }
        if (room > FIRST_ROOM && count > graph->node_count)
            return CAIRN_E_ARGUMENT;
    }
}

cairn_status cairn_map_from_callbacks(const cairn_callback_graph *graph,
                                      const cairn_map_options *options, cairn_map **map)
{
    cairn_callback_graph known;
    cn_mem mem;
    asked all = {.count = 0};

    if (!map)
        return CAIRN_E_ARGUMENT;
    *map = NULL;
    if (!graph || !cn_options_copy(&known, sizeof known, graph) || !known.arcs ||
        cn_map_read_graph_options(options, &mem) != CAIRN_OK)
        return CAIRN_E_ARGUMENT;
    if (known.node_count > CAIRN_NODES_MAX)
        return CAIRN_E_LIMIT;
    cairn_status status = CAIRN_OK;
    for (cairn_node node = 0; status == CAIRN_OK && node < known.node_count; node++)
        status = ask(&known, &mem, node, &all);
    if (status == CAIRN_OK)
        status = known.node_count ? from_own_arcs(&mem, known.node_count, all.arcs, all.count, NULL,
                                                  NULL, map, NULL)
                                  : CAIRN_E_ARGUMENT;
    if (status == CAIRN_OK) {
        (*map)->graph->bound = known.bound;
        (*map)->graph->bound_context = known.context;
    }
    cn_release(&mem, all.arcs);
    return status;
}
