#include "oracle.h"

#include <math.h>
#include <stdlib.h>

static void *needed(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static int64_t column(const picture *map, uint32_t node)
{
    return node % map->width;
}

static int64_t row(const picture *map, uint32_t node)
{
    return node / map->width;
}

static inline bool may_step(const picture *map, int64_t x, int64_t y, int64_t dx, int64_t dy)
{
    if (dx < -1 || dx > 1 || dy < -1 || dy > 1 || (dx == 0 && dy == 0))
        return false;
    return picture_is_open(map, x, y) && picture_is_open(map, x + dx, y + dy) &&
           picture_is_open(map, x + dx, y) && picture_is_open(map, x, y + dy);
}

bool oracle_step_is_legal(const picture *map, uint32_t from, uint32_t to)
{
    int64_t x = column(map, from), y = row(map, from);
    return may_step(map, x, y, column(map, to) - x, row(map, to) - y);
}

static bool step_is_diagonal(const picture *map, uint32_t from, uint32_t to)
{
    return column(map, from) != column(map, to) && row(map, from) != row(map, to);
}

/* The cells that one step leads to. */
static size_t neighbours(const picture *map, uint32_t node, uint32_t found[8])
{
    int64_t x = column(map, node), y = row(map, node);
    size_t count = 0;
    for (int64_t dy = -1; dy <= 1; dy++) {
        for (int64_t dx = -1; dx <= 1; dx++) {
            if (may_step(map, x, y, dx, dy))
                found[count++] = (uint32_t)((y + dy) * map->width + x + dx);
        }
    }
    return count;
}

typedef struct waiting {
    uint64_t cost;
    uint32_t node;
} waiting;

/* It grows as it is needed: a node may wait once for each step that leads to it, but hardly any
 * does, and what sanitizers take for a block grows with it, used or not. */
typedef struct heap {
    waiting *items;
    size_t count, room;
} heap;

static void swap(waiting *a, waiting *b)
{
    waiting other = *a;
    *a = *b;
    *b = other;
}

static void push(heap *open, waiting item)
{
    if (open->count == open->room) {
        open->room = 2 * open->room + 100;
        open->items = needed(realloc(open->items, open->room * sizeof *open->items));
    }
    size_t at = open->count++;
    open->items[at] = item;
    while (at > 0 && open->items[at].cost < open->items[(at - 1) / 2].cost) {
        swap(&open->items[at], &open->items[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
}

static waiting pop(heap *open)
{
    waiting top = open->items[0];
    open->items[0] = open->items[--open->count];
    for (size_t at = 0;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < open->count; child++)
            if (open->items[child].cost < open->items[least].cost)
                least = child;
        if (least == at)
            return top;
        swap(&open->items[at], &open->items[least]);
        at = least;
    }
}

static void relax_neighbours(const picture *map, oracle_steps steps, waiting from, uint64_t *costs,
                             heap *open)
{
    const int64_t x = column(map, from.node), y = row(map, from.node);
    for (int64_t dy = -1; dy <= 1; dy++) {
        for (int64_t dx = -1; dx <= 1; dx++) {
            const uint64_t cost = from.cost + (dx && dy ? steps.diagonal : steps.straight);
            const uint32_t to = (uint32_t)((y + dy) * map->width + x + dx);
            if (picture_is_open(map, x + dx, y + dy) && cost < costs[to] &&
                may_step(map, x, y, dx, dy)) {
                costs[to] = cost;
                push(open, (waiting){cost, to});
            }
        }
    }
}

uint64_t *oracle_costs(const picture *map, oracle_steps steps, const uint32_t *sources,
                       size_t source_count)
{
    size_t size = picture_size(map);
    uint64_t *costs = needed(malloc((size + 1) * sizeof *costs));
    heap open = {0};

    for (size_t node = 0; node < size; node++)
        costs[node] = ORACLE_NEVER;
    for (size_t i = 0; i < source_count; i++) {
        costs[sources[i]] = 0;
        push(&open, (waiting){0, sources[i]});
    }
    while (open.count) {
        waiting next = pop(&open);
        if (next.cost == costs[next.node])
            relax_neighbours(map, steps, next, costs, &open);
    }
    free(open.items);
    return costs;
}

uint64_t oracle_path_cost(const picture *map, oracle_steps steps, const uint32_t *nodes,
                          size_t node_count)
{
    uint64_t cost = 0;
    for (size_t i = 1; i < node_count; i++) {
        if (!oracle_step_is_legal(map, nodes[i - 1], nodes[i]))
            return ORACLE_NEVER;
        cost += step_is_diagonal(map, nodes[i - 1], nodes[i]) ? steps.diagonal : steps.straight;
    }
    return cost;
}

double oracle_path_length(const picture *map, const uint32_t *nodes, size_t node_count)
{
    uint64_t straight = oracle_path_cost(map, (oracle_steps){1, 0}, nodes, node_count);
    uint64_t diagonal = oracle_path_cost(map, (oracle_steps){0, 1}, nodes, node_count);
    if (straight == ORACLE_NEVER)
        return -1.0;
    return (double)straight + sqrt(2.0) * (double)diagonal;
}

static void mark_component(const picture *map, uint32_t first, uint32_t name, uint32_t *label,
                           uint32_t *stack)
{
    size_t used = 0;
    label[first] = name;
    stack[used++] = first;
    while (used) {
        uint32_t found[8];
        size_t count = neighbours(map, stack[--used], found);
        for (size_t i = 0; i < count; i++) {
            if (label[found[i]] != UINT32_MAX)
                continue;
            label[found[i]] = name;
            stack[used++] = found[i];
        }
    }
}

uint32_t *oracle_components(const picture *map, uint32_t *count)
{
    uint32_t size = picture_size(map);
    uint32_t *label = needed(malloc((size + 1) * sizeof *label));
    uint32_t *stack = needed(malloc((size + 1) * sizeof *stack));

    *count = 0;
    for (uint32_t node = 0; node < size; node++)
        label[node] = UINT32_MAX;
    for (uint32_t node = 0; node < size; node++) {
        if (label[node] == UINT32_MAX && picture_is_open(map, column(map, node), row(map, node)))
            mark_component(map, node, (*count)++, label, stack);
    }
    free(stack);
    return label;
}
