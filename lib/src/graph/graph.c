#include "graph/graph.h"

#include <string.h>

#include "base/bits.h"

bool cn_arc_list_grow(cn_arc_list *list, size_t needed)
{
    return CN_GROW(list->mem, list->items, &list->capacity, list->count, needed);
}

/* By which end arcs are sorted. */
typedef enum side { FROM, TO } side;

static cairn_node end_of(const cairn_arc *arc, side which)
{
    return which == FROM ? arc->from : arc->to;
}

/* start[n] becomes the index of the first arc whose end `which` is n. */
static void count_starts(const cairn_arc *arcs, size_t count, side which, uint32_t node_count,
                         uint32_t *start)
{
    memset(start, 0, (node_count + 1u) * sizeof *start);
    for (size_t i = 0; i < count; i++)
        start[end_of(&arcs[i], which) + 1]++;
    for (uint32_t node = 0; node < node_count; node++)
        start[node + 1] += start[node];
}

/* A stable counting sort by one end. Afterwards start[n] is the index after n's arcs. */
static void sort_by(const cairn_arc *arcs, size_t count, side which, uint32_t node_count,
                    uint32_t *start, cairn_arc *sorted)
{
    count_starts(arcs, count, which, node_count, start);
    for (size_t i = 0; i < count; i++)
        sorted[start[end_of(&arcs[i], which)]++] = arcs[i];
}

/* Removes loops and, of parallel arcs, which lie next to each other, all but the cheapest. */
static size_t drop_useless(cairn_arc *arcs, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (arcs[i].from == arcs[i].to)
            continue;
        cairn_arc *last = kept ? &arcs[kept - 1] : NULL;
        if (!last || last->from != arcs[i].from || last->to != arcs[i].to)
            arcs[kept++] = arcs[i];
        else if (arcs[i].cost < last->cost)
            last->cost = arcs[i].cost;
    }
    return kept;
}

/* Makes the compressed rows of one side from arcs sorted by it. */
static void fill_side(const cairn_arc *arcs, size_t count, side which, uint32_t node_count,
                      uint32_t *start, cn_arc *out)
{
    count_starts(arcs, count, which, node_count, start);
    for (size_t i = 0; i < count; i++)
        out[i] = (cn_arc){end_of(&arcs[i], which == FROM ? TO : FROM), arcs[i].cost, 0};
}

bool cn_graph_is_symmetric(const cn_graph *graph)
{
    return memcmp(graph->out_start, graph->in_start,
                  (graph->node_count + 1u) * sizeof *graph->out_start) == 0 &&
           memcmp(graph->out, graph->in, graph->arc_count * sizeof *graph->out) == 0;
}

static void find_range(cn_graph *graph)
{
    graph->least = graph->arc_count ? UINT32_MAX : 1;
    graph->most = 1;
    for (uint32_t i = 0; i < graph->arc_count; i++) {
        cairn_cost cost = graph->out[i].cost;
        graph->least = cost < graph->least ? cost : graph->least;
        graph->most = cost > graph->most ? cost : graph->most;
    }
}

static cairn_status fill(cn_graph *graph, const cn_mem *mem, cairn_arc *arcs, size_t count,
                         cairn_arc *other)
{
    uint32_t nodes = graph->node_count;

    sort_by(arcs, count, TO, nodes, graph->in_start, other);
    sort_by(other, count, FROM, nodes, graph->out_start, arcs);
    count = drop_useless(arcs, count);
    graph->arc_count = (uint32_t)count;
    graph->out = cn_array(mem, count, sizeof *graph->out);
    graph->in = cn_array(mem, count, sizeof *graph->in);
    if (!graph->out || !graph->in)
        return CAIRN_E_MEMORY;
    fill_side(arcs, count, FROM, nodes, graph->out_start, graph->out);
    sort_by(arcs, count, TO, nodes, graph->in_start, other);
    fill_side(other, count, TO, nodes, graph->in_start, graph->in);

    graph->is_directed = !cn_graph_is_symmetric(graph);
    if (!graph->is_directed) {
        cn_release(mem, graph->in);
        cn_release(mem, graph->in_start);
        graph->in = graph->out;
        graph->in_start = graph->out_start;
    }
    find_range(graph);
    return CAIRN_OK;
}

cairn_status cn_graph_new(const cn_mem *mem, uint32_t node_count, cairn_arc *arcs, size_t arc_count,
                          cn_graph **graph)
{
    *graph = NULL;
    cn_graph *made = cn_zeroed(mem, 1, sizeof *made);
    if (!made)
        return CAIRN_E_MEMORY;
    made->node_count = node_count;
    made->out_start = cn_array(mem, node_count + 1u, sizeof *made->out_start);
    made->in_start = cn_array(mem, node_count + 1u, sizeof *made->in_start);
    cairn_arc *other = cn_array(mem, arc_count, sizeof *other);

    cairn_status status = CAIRN_E_MEMORY;
    if (made->out_start && made->in_start && other)
        status = fill(made, mem, arcs, arc_count, other);
    cn_release(mem, other);
    if (status != CAIRN_OK) {
        cn_graph_free(made, mem);
        return status;
    }
    *graph = made;
    return CAIRN_OK;
}

static void free_coordinates(cn_coordinates *coordinates, const cn_mem *mem)
{
    cn_release(mem, coordinates->x);
    cn_release(mem, coordinates->y);
    cn_release(mem, coordinates->plane_x);
    cn_release(mem, coordinates->plane_y);
    *coordinates = (cn_coordinates){0};
}

void cn_graph_free(cn_graph *graph, const cn_mem *mem)
{
    if (!graph)
        return;
    if (graph->in != graph->out)
        cn_release(mem, graph->in);
    if (graph->in_start != graph->out_start)
        cn_release(mem, graph->in_start);
    cn_release(mem, graph->out);
    cn_release(mem, graph->out_start);
    free_coordinates(&graph->coordinates, mem);
    cn_release(mem, graph);
}

size_t cn_graph_memory(const cn_graph *graph)
{
    if (!graph)
        return 0;
    const cn_coordinates *coordinates = &graph->coordinates;
    const size_t nodes = graph->node_count, sides = graph->in == graph->out ? 1 : 2;
    return cn_held_size(graph, 1, sizeof *graph) +
           sides * (cn_held_size(graph->out, graph->arc_count, sizeof *graph->out) +
                    cn_held_size(graph->out_start, nodes + 1, sizeof *graph->out_start)) +
           2 * cn_held_size(coordinates->x, nodes, sizeof *coordinates->x) +
           2 * cn_held_size(coordinates->plane_x, nodes, sizeof *coordinates->plane_x);
}

/* ---------------------------------------------------------------------------- coordinates -- */

/* The largest width and height of the plane, so that squares of distances fit 64 bits. */
enum { PLANE_SIDE = 1 << 30 };

/* By how many sixteenths x is stretched relative to y: coordinates may be degrees, and a degree of
 * longitude is shorter than one of latitude. The bound is admissible for any stretch; the one that
 * makes it strongest is used. */
enum { STRETCH_ONE = 16, STRETCH_MIN = 4, STRETCH_MAX = 32, SAMPLE_MAX = 1 << 15 };

typedef struct extent {
    int32_t low_x, low_y;
    uint32_t width, height;
} extent;

static extent extent_of(const int32_t *x, const int32_t *y, uint32_t count)
{
    int32_t low_x = x[0], low_y = y[0], high_x = x[0], high_y = y[0];
    for (uint32_t node = 1; node < count; node++) {
        low_x = x[node] < low_x ? x[node] : low_x;
        low_y = y[node] < low_y ? y[node] : low_y;
        high_x = x[node] > high_x ? x[node] : high_x;
        high_y = y[node] > high_y ? y[node] : high_y;
    }
    return (extent){low_x, low_y, (uint32_t)((int64_t)high_x - low_x),
                    (uint32_t)((int64_t)high_y - low_y)};
}

static uint64_t square_between(const cn_coordinates *coordinates, cairn_node a, cairn_node b)
{
    int64_t x = (int64_t)coordinates->plane_x[a] - coordinates->plane_x[b];
    int64_t y = (int64_t)coordinates->plane_y[a] - coordinates->plane_y[b];
    return (uint64_t)(x * x) + (uint64_t)(y * y);
}

static void set_plane(cn_coordinates *coordinates, uint32_t count, extent all, unsigned stretch)
{
    double x_unit = (double)stretch / STRETCH_ONE;
    double longer = all.width * x_unit > all.height ? all.width * x_unit : all.height;
    double scale = longer > 0 ? (PLANE_SIDE - 1) / longer : 1;
    scale = scale > 256 ? 256 : scale;
    for (uint32_t node = 0; node < count; node++) {
        coordinates->plane_x[node] =
            (uint32_t)(((double)coordinates->x[node] - all.low_x) * x_unit * scale);
        coordinates->plane_y[node] = (uint32_t)(((double)coordinates->y[node] - all.low_y) * scale);
    }
}

/* Lowers cost / distance to that of an arc, if that is lower. Returns the arc's distance, rounded
 * up. */
static uint32_t lower_ratio(cn_coordinates *coordinates, cairn_node from, cairn_node to,
                            cairn_cost cost)
{
    uint64_t square = square_between(coordinates, from, to);
    uint32_t distance = cn_root(square);

    distance += (uint64_t)distance * distance < square;
    if (distance && (!coordinates->cost || (uint64_t)cost * coordinates->distance <
                                               (uint64_t)coordinates->cost * distance)) {
        coordinates->cost = cost;
        coordinates->distance = distance;
    }
    return distance;
}

/* Sets cost / distance to the least ratio of every `step`-th arc, with distances rounded up.
 * Returns which share of the costs the bound explains. */
static double find_ratio(cn_graph *graph, uint32_t step)
{
    cn_coordinates *coordinates = &graph->coordinates;
    double costs = 0, distances = 0;

    coordinates->cost = 0;
    coordinates->distance = 1;
    for (cairn_node node = 0; node < graph->node_count; node++) {
        for (uint32_t i = graph->out_start[node]; i < graph->out_start[node + 1]; i++) {
            if (i % step)
                continue;
            costs += graph->out[i].cost;
            distances += lower_ratio(coordinates, node, graph->out[i].to, graph->out[i].cost);
        }
    }
    return costs > 0 ? distances * coordinates->cost / coordinates->distance / costs : 0;
}

static void choose_plane(cn_graph *graph)
{
    cn_coordinates *coordinates = &graph->coordinates;
    extent all = extent_of(coordinates->x, coordinates->y, graph->node_count);
    unsigned best_stretch = STRETCH_ONE;
    double best = -1;

    for (unsigned stretch = STRETCH_MIN; stretch <= STRETCH_MAX; stretch++) {
        set_plane(coordinates, graph->node_count, all, stretch);
        double explained = find_ratio(graph, graph->arc_count / SAMPLE_MAX + 1);
        if (explained <= best)
            continue;
        best = explained;
        best_stretch = stretch;
    }
    set_plane(coordinates, graph->node_count, all, best_stretch);
    find_ratio(graph, 1);
}

cairn_status cn_graph_place(cn_graph *graph, const cn_mem *mem, const int32_t *x, const int32_t *y)
{
    uint32_t count = graph->node_count;
    cn_coordinates coordinates = {
        .x = cn_array(mem, count, sizeof(int32_t)),
        .y = cn_array(mem, count, sizeof(int32_t)),
        .plane_x = cn_array(mem, count, sizeof(uint32_t)),
        .plane_y = cn_array(mem, count, sizeof(uint32_t)),
    };
    if (!coordinates.x || !coordinates.y || !coordinates.plane_x || !coordinates.plane_y) {
        free_coordinates(&coordinates, mem);
        return CAIRN_E_MEMORY;
    }
    memcpy(coordinates.x, x, count * sizeof *x);
    memcpy(coordinates.y, y, count * sizeof *y);
    free_coordinates(&graph->coordinates, mem);
    graph->coordinates = coordinates;
    choose_plane(graph);
    return CAIRN_OK;
}

/* With D the distance rounded down and C the arc's rounded up, D(u, t) <= C(u, v) + D(v, t); and
 * cost(u, v) * distance >= C(u, v) * cost by the choice of the ratio. All numbers are integers. */
cairn_cost cn_graph_bound(const cn_graph *graph, cairn_node node, cairn_node goal)
{
    const cn_coordinates *coordinates = &graph->coordinates;
    if (graph->bound)
        return cn_cost_capped(graph->bound(graph->bound_context, node, goal));
    if (!coordinates->x || !coordinates->cost)
        return 0;
    uint64_t distance = cn_root(square_between(coordinates, node, goal));
    uint64_t bound = distance * coordinates->cost / coordinates->distance;
    return cn_cost_capped(bound);
}

/* ----------------------------------------------------------------------------------- edits -- */

/* Finds the arc to a node in the row of another; arcs in a row are sorted by the node they lead
 * to. */
static cn_arc *find_arc(cn_arc *arcs, uint32_t first, uint32_t end, cairn_node to)
{
    const uint32_t behind = end;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (arcs[middle].to < to)
            first = middle + 1;
        else
            end = middle;
    }
    return first < behind && arcs[first].to == to ? &arcs[first] : NULL;
}

static cn_arc *arc_out(const cn_graph *graph, cairn_node from, cairn_node to)
{
    if (from >= graph->node_count)
        return NULL;
    return find_arc(graph->out, graph->out_start[from], graph->out_start[from + 1], to);
}

cairn_cost cn_graph_cost(const cn_graph *graph, cairn_node from, cairn_node to)
{
    const cn_arc *arc = arc_out(graph, from, to);
    return arc ? arc->cost : 0;
}

bool cn_graph_set_cost(cn_graph *graph, cairn_node from, cairn_node to, cairn_cost cost)
{
    cn_arc *arc = arc_out(graph, from, to);

    if (!arc)
        return false;
    arc->cost = cost;
    find_arc(graph->in, graph->in_start[to], graph->in_start[to + 1], from)->cost = cost;
    return true;
}

void cn_graph_take_cost(cn_graph *graph, cairn_node from, cairn_node to)
{
    const cairn_cost cost = cn_graph_cost(graph, from, to);

    graph->least = cost < graph->least ? cost : graph->least;
    graph->most = cost > graph->most ? cost : graph->most;
    if (graph->coordinates.x)
        lower_ratio(&graph->coordinates, from, to, cost);
}

cairn_status cn_graph_direct(cn_graph *graph, const cn_mem *mem)
{
    if (graph->is_directed)
        return CAIRN_OK;
    cn_arc *in = cn_copy(mem, graph->out, graph->arc_count, sizeof *in);
    uint32_t *start = cn_copy(mem, graph->out_start, graph->node_count + 1u, sizeof *start);
    if (!in || !start) {
        cn_release(mem, in);
        cn_release(mem, start);
        return CAIRN_E_MEMORY;
    }
    graph->in = in;
    graph->in_start = start;
    graph->is_directed = true;
    return CAIRN_OK;
}

static cairn_arc *list_arcs(const cn_graph *graph, const cn_mem *mem)
{
    cairn_arc *arcs = cn_array(mem, graph->arc_count, sizeof *arcs);
    size_t count = 0;

    for (cairn_node node = 0; arcs && node < graph->node_count; node++) {
        cn_arc_span span = cn_graph_out(graph, node);
        for (size_t i = 0; i < span.count; i++)
            arcs[count++] = (cairn_arc){node, span.arcs[i].to, span.arcs[i].cost};
    }
    return arcs;
}

cairn_status cn_graph_clone_steps(const cn_graph *graph, const cn_mem *mem, cn_graph **copy)
{
    *copy = NULL;
    cairn_arc *arcs = list_arcs(graph, mem);
    if (!arcs)
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < graph->arc_count; i++)
        arcs[i].cost = 1;
    cairn_status status = cn_graph_new(mem, graph->node_count, arcs, graph->arc_count, copy);
    cn_release(mem, arcs);
    return status;
}

/* The same plane and ratio, whatever arcs cost by now: so both give the same base heuristic. */
static cairn_status copy_coordinates(cn_graph *copy, const cn_mem *mem, const cn_coordinates *from)
{
    const size_t count = copy->node_count;
    cn_coordinates *coordinates = &copy->coordinates;

    *coordinates = *from;
    coordinates->x = cn_copy(mem, from->x, count, sizeof *from->x);
    coordinates->y = cn_copy(mem, from->y, count, sizeof *from->y);
    coordinates->plane_x = cn_copy(mem, from->plane_x, count, sizeof *from->plane_x);
    coordinates->plane_y = cn_copy(mem, from->plane_y, count, sizeof *from->plane_y);
    return coordinates->x && coordinates->y && coordinates->plane_x && coordinates->plane_y
               ? CAIRN_OK
               : CAIRN_E_MEMORY;
}

cairn_status cn_graph_clone(const cn_graph *graph, const cn_mem *mem, cn_graph **copy)
{
    *copy = NULL;
    cairn_arc *arcs = list_arcs(graph, mem);
    if (!arcs)
        return CAIRN_E_MEMORY;
    cairn_status status = cn_graph_new(mem, graph->node_count, arcs, graph->arc_count, copy);
    cn_release(mem, arcs);
    if (status == CAIRN_OK && graph->is_directed)
        status = cn_graph_direct(*copy, mem);
    if (status == CAIRN_OK && graph->coordinates.x)
        status = copy_coordinates(*copy, mem, &graph->coordinates);
    if (status != CAIRN_OK) {
        cn_graph_free(*copy, mem);
        *copy = NULL;
        return status;
    }
    /* Edits never narrow the range of costs, which tells whether all arcs cost the same. */
    (*copy)->least = graph->least;
    (*copy)->most = graph->most;
    (*copy)->bound = graph->bound;
    (*copy)->bound_context = graph->bound_context;
    return CAIRN_OK;
}
