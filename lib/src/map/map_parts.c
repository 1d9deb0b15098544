#include "map/map_parts.h"

#include <string.h>

#include "base/nodes.h"
#include "map/map_steps.h"

/* --------------------------------------------------------------- strongly connected parts -- */

/* Tarjan, "Depth-first search and linear graph algorithms", 1972, without recursion. */
#define UNSEEN UINT32_MAX

/* A node on the path of the depth-first search, and which of its arcs comes next. */
typedef struct frame {
    cairn_node node;
    uint32_t next;
} frame;

typedef struct descent {
    const cairn_map *map;
    uint32_t *order;  /* when a node was first visited; UNSEEN */
    uint32_t *lowest; /* the earliest node that it leads back to */
    uint32_t *part;   /* the root of its strongly connected part, once known; UNSEEN */
    frame *frames;
    cairn_node *open; /* nodes whose part is not known yet */
    size_t depth;
    size_t open_count;
    uint32_t seen;
} descent;

static void enter(descent *walk, cairn_node node)
{
    walk->order[node] = walk->lowest[node] = walk->seen++;
    walk->open[walk->open_count++] = node;
    walk->frames[walk->depth++] = (frame){node, 0};
}

/* All arcs of the node on top have been followed. */
static void leave(descent *walk)
{
    cairn_node node = walk->frames[--walk->depth].node;
    if (walk->depth) {
        cairn_node above = walk->frames[walk->depth - 1].node;
        if (walk->lowest[node] < walk->lowest[above])
            walk->lowest[above] = walk->lowest[node];
    }
    if (walk->lowest[node] != walk->order[node])
        return;
    cairn_node member;
    do {
        member = walk->open[--walk->open_count];
        walk->part[member] = node;
    } while (member != node);
}

static void descend_from(descent *walk, cairn_node start)
{
    cn_arc scratch[CN_ARCS_SCRATCH];

    enter(walk, start);
    while (walk->depth) {
        frame *top = &walk->frames[walk->depth - 1];
        cn_arc_span span = cn_map_arcs(walk->map, top->node, CN_FORWARD, scratch);
        if (top->next == span.count) {
            leave(walk);
            continue;
        }
        cairn_node to = span.arcs[top->next++].to;
        if (walk->order[to] == UNSEEN)
            enter(walk, to);
        else if (walk->part[to] == UNSEEN && walk->order[to] < walk->lowest[top->node])
            walk->lowest[top->node] = walk->order[to];
    }
}

/* `walk->order` becomes the size of each part at its root, and `best` the root of the largest part
 * of each component. */
static void choose_largest(descent *walk, const uint32_t *label, uint32_t *best, uint32_t count)
{
    uint32_t node_count = cn_map_node_count(walk->map);
    uint32_t *part_size = walk->order;

    memset(part_size, 0, node_count * sizeof *part_size);
    memset(best, 0xff, count * sizeof *best);
    for (cairn_node node = 0; node < node_count; node++) {
        if (label[node] != CN_NO_COMPONENT)
            part_size[walk->part[node]]++;
    }
    for (cairn_node node = 0; node < node_count; node++) {
        uint32_t component = label[node];
        if (component == CN_NO_COMPONENT)
            continue;
        if (best[component] == UNSEEN || part_size[node] > part_size[best[component]])
            best[component] = node;
    }
}

static void keep_largest(const descent *walk, uint32_t *label, uint32_t *sizes,
                         const uint32_t *best)
{
    uint32_t node_count = cn_map_node_count(walk->map);
    const uint32_t *part_size = walk->order;

    for (cairn_node node = 0; node < node_count; node++) {
        uint32_t component = label[node];
        if (component == CN_NO_COMPONENT || part_size[best[component]] < 2)
            continue;
        sizes[component] = part_size[best[component]];
        if (walk->part[node] != best[component])
            label[node] = CN_NO_COMPONENT;
    }
}

static void close_walk(descent *walk, const cn_mem *mem)
{
    cn_release(mem, walk->order);
    cn_release(mem, walk->lowest);
    cn_release(mem, walk->part);
    cn_release(mem, walk->frames);
    cn_release(mem, walk->open);
}

/* Finds the strongly connected parts of all open nodes. Without memory nothing is left to close. */
static cairn_status find_parts(const cairn_map *map, const cn_mem *mem, descent *walk)
{
    const uint32_t node_count = cn_map_node_count(map);
    *walk = (descent){
        .map = map,
        .order = cn_array(mem, node_count, sizeof *walk->order),
        .lowest = cn_array(mem, node_count, sizeof *walk->lowest),
        .part = cn_array(mem, node_count, sizeof *walk->part),
        .frames = cn_array(mem, node_count, sizeof *walk->frames),
        .open = cn_array(mem, node_count, sizeof *walk->open),
    };
    if (!walk->order || !walk->lowest || !walk->part || !walk->frames || !walk->open) {
        close_walk(walk, mem);
        return CAIRN_E_MEMORY;
    }
    memset(walk->order, 0xff, node_count * sizeof *walk->order);
    memset(walk->part, 0xff, node_count * sizeof *walk->part);
    for (cairn_node node = 0; node < node_count; node++) {
        if (walk->order[node] == UNSEEN && cn_grid_is_open(&map->grid, node))
            descend_from(walk, node);
    }
    return CAIRN_OK;
}

cairn_status cn_map_keep_cores(const cairn_map *map, const cn_mem *mem, uint32_t *label,
                               uint32_t *sizes, uint32_t count)
{
    descent walk;
    uint32_t *best = cn_array(mem, count, sizeof *best);
    cairn_status status = best ? find_parts(map, mem, &walk) : CAIRN_E_MEMORY;

    if (status == CAIRN_OK) {
        choose_largest(&walk, label, best, count);
        keep_largest(&walk, label, sizes, best);
        close_walk(&walk, mem);
    }
    cn_release(mem, best);
    return status;
}

/* ----------------------------------------------------------------------------- components -- */

/* Labels one component and returns its size. `stack` holds each open node at most once. */
static uint32_t label_from(const cairn_map *map, cairn_node start, uint32_t name, uint32_t *label,
                           cairn_node *stack)
{
    cn_arc scratch[CN_ARCS_SCRATCH];
    uint32_t size = 0;
    size_t waiting = 0;

    label[start] = name;
    stack[waiting++] = start;
    while (waiting) {
        cairn_node node = stack[--waiting];
        size++;
        for (unsigned way = CN_FORWARD; way <= CN_REVERSE; way++) {
            cn_arc_span span = cn_map_arcs(map, node, (cn_way)way, scratch);
            for (size_t i = 0; i < span.count; i++) {
                cairn_node next = span.arcs[i].to;
                if (label[next] != CN_NO_COMPONENT)
                    continue;
                label[next] = name;
                stack[waiting++] = next;
            }
        }
    }
    return size;
}

static cairn_status label_all(const cairn_map *map, const cn_mem *mem, cairn_node *stack,
                              uint32_t *label, uint32_t **sizes, uint32_t *count)
{
    uint32_t node_count = cn_map_node_count(map);
    size_t capacity = 0;

    memset(label, 0xff, (size_t)node_count * sizeof *label);
    for (cairn_node node = 0; node < node_count; node++) {
        if (label[node] != CN_NO_COMPONENT || !cn_grid_is_open(&map->grid, node))
            continue;
        if (!CN_GROW(mem, *sizes, &capacity, *count, *count + 1u))
            return CAIRN_E_MEMORY;
        (*sizes)[*count] = label_from(map, node, *count, label, stack);
        (*count)++;
    }
    return CAIRN_OK;
}

cairn_status cn_map_components(const cairn_map *map, const cn_mem *mem, uint32_t *label,
                               uint32_t **sizes, uint32_t *count)
{
    if (!map->graph && cn_map_leads_back(map))
        return cn_grid_components(&map->grid, mem, label, sizes, count);
    *sizes = NULL;
    *count = 0;
    cairn_node *stack = cn_array(mem, map->grid.open_count + 1u, sizeof *stack);
    if (!stack)
        return CAIRN_E_MEMORY;
    cairn_status status = label_all(map, mem, stack, label, sizes, count);
    cn_release(mem, stack);
    if (status != CAIRN_OK) {
        cn_release(mem, *sizes);
        *sizes = NULL;
        *count = 0;
    }
    return status;
}

/* -------------------------------------------------------------------------- for callers -- */

/* Like cn_map_components, of strongly connected parts. */
static cairn_status find_strong_components(const cairn_map *map, uint32_t *label, uint32_t **sizes,
                                           uint32_t *count)
{
    const uint32_t node_count = cn_map_node_count(map);
    descent walk;
    cairn_status status = find_parts(map, &map->mem, &walk);

    *sizes = NULL;
    *count = 0;
    if (status != CAIRN_OK)
        return status;
    uint32_t *of_root = walk.order, *found = walk.lowest; /* which are not needed any more */
    memset(of_root, 0xff, node_count * sizeof *of_root);
    for (cairn_node node = 0; node < node_count; node++) {
        label[node] = CN_NO_COMPONENT;
        if (walk.part[node] == UNSEEN)
            continue;
        uint32_t *number = &of_root[walk.part[node]];
        if (*number == CN_NO_COMPONENT) {
            found[*count] = 0;
            *number = (*count)++;
        }
        label[node] = *number;
        found[*number]++;
    }
    walk.lowest = NULL;
    *sizes = found;
    close_walk(&walk, &map->mem);
    return CAIRN_OK;
}

/* Numbers components, which are numbered by their first nodes, in the order of their sizes. */
static cairn_status number_by_size(const cairn_map *map, uint32_t *label, uint32_t *sizes,
                                   uint32_t count)
{
    uint32_t *number = sizes; /* once they are in order */
    cn_placed_node *order = cn_array(&map->mem, count, 2 * sizeof *order);
    if (!order)
        return CAIRN_E_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        order[i] = cn_place_node(UINT32_MAX - sizes[i], i);
    cn_sort_placed(order, order + count, count);
    for (uint32_t i = 0; i < count; i++)
        number[cn_place_of(order[i])] = i;
    for (cairn_node node = 0; node < cn_map_node_count(map); node++) {
        if (label[node] != CN_NO_COMPONENT)
            label[node] = number[label[node]];
    }
    cn_release(&map->mem, order);
    return CAIRN_OK;
}

cairn_status cairn_map_components(const cairn_map *map, cairn_connection connection,
                                  uint32_t *components, uint32_t *count)
{
    if (!map || !components || (unsigned)connection > CAIRN_STRONGLY_CONNECTED)
        return CAIRN_E_ARGUMENT;
    const bool is_strong = connection == CAIRN_STRONGLY_CONNECTED && !cn_map_leads_back(map);
    uint32_t *sizes, found;
    cairn_status status = is_strong ? find_strong_components(map, components, &sizes, &found)
                                    : cn_map_components(map, &map->mem, components, &sizes, &found);
    if (status != CAIRN_OK)
        return status;
    status = number_by_size(map, components, sizes, found);
    cn_release(&map->mem, sizes);
    if (status == CAIRN_OK && count)
        *count = found;
    return status;
}
