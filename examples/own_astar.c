/*
 * Your own A*, which asks Cairn for its heuristic: that is the only line that changes. It counts in
 * the costs of the map's metric, as the table does, so every path is a shortest one, on grids of
 * every rule, over terrain and heights, and on graphs.
 *
 *     own_astar town.cairn 3 3 250 215
 *     own_astar roads.cairn 17 2041       nodes of a graph
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cairn/cairn.h"

typedef struct entry {
    uint64_t key; /* f, and among equal f the smaller h */
    cairn_node node;
} entry;

/* A binary heap that keeps stale entries: at most one for each step of the map. */
typedef struct astar {
    const cairn_map *map;
    cairn_bound bound;
    cairn_cost *g;
    bool *closed;
    cairn_arc *steps; /* that leave a node */
    uint32_t most_steps;
    entry *heap;
    size_t heap_count;
    unsigned expanded;
} astar;

static void push(astar *self, uint64_t key, cairn_node node)
{
    size_t at = self->heap_count++;
    for (; at && self->heap[(at - 1) / 2].key > key; at = (at - 1) / 2)
        self->heap[at] = self->heap[(at - 1) / 2];
    self->heap[at] = (entry){key, node};
}

static cairn_node pop(astar *self)
{
    cairn_node best = self->heap[0].node;
    entry last = self->heap[--self->heap_count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < self->heap_count; at = child) {
        if (child + 1 < self->heap_count && self->heap[child + 1].key < self->heap[child].key)
            child++;
        if (self->heap[child].key >= last.key)
            break;
        self->heap[at] = self->heap[child];
    }
    self->heap[at] = last;
    return best;
}

static void discover(astar *self, cairn_node node, cairn_cost g)
{
    if (g >= self->g[node])
        return;
    self->g[node] = g;
    cairn_cost h = cairn_bound_at(&self->bound, node); /* the line that changes */
    if (h != CAIRN_UNREACHABLE)
        push(self, (uint64_t)(g + h) << 32 | h, node);
}

static void expand(astar *self, cairn_node node)
{
    uint32_t count = cairn_steps(self->map, node, self->steps, self->most_steps);

    for (uint32_t i = 0; i < count; i++)
        discover(self, self->steps[i].to, self->g[node] + self->steps[i].cost);
}

/* The least cost; CAIRN_UNREACHABLE without a path. Where nothing joins start and goal, A* would
 * expand all that can be reached: the map knows that at once. */
static cairn_cost search(astar *self, cairn_node start, cairn_node goal)
{
    uint32_t node_count = cairn_map_node_count(self->map);

    if (!cairn_connected(self->map, start, goal))
        return CAIRN_UNREACHABLE;
    memset(self->g, 0xff, node_count * sizeof *self->g);
    memset(self->closed, 0, node_count * sizeof *self->closed);
    self->heap_count = 0;
    discover(self, start, 0);
    while (self->heap_count) {
        cairn_node node = pop(self);
        if (node == goal)
            return self->g[goal];
        if (self->closed[node])
            continue;
        self->closed[node] = true;
        self->expanded++;
        expand(self, node);
    }
    return CAIRN_UNREACHABLE;
}

static void report(astar *self, const char *name, cairn_node start, cairn_node goal)
{
    self->expanded = 0;
    cairn_cost cost = search(self, start, goal);
    if (cost == CAIRN_UNREACHABLE)
        printf("%s: no path, %u nodes expanded\n", name, self->expanded);
    else
        printf("%s: cost %u, %u nodes expanded\n", name, cost, self->expanded);
}

/* How many steps the map has, and the most that leave a node. */
static size_t count_steps(const cairn_map *map, uint32_t *most)
{
    size_t all = 0;
    *most = 0;
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++) {
        uint32_t count = cairn_steps(map, node, NULL, 0);
        all += count;
        *most = count > *most ? count : *most;
    }
    return all;
}

static int compare(const cairn_map *map, const cairn_table *table, cairn_node start,
                   cairn_node goal)
{
    uint32_t node_count = cairn_map_node_count(map);
    astar self = {.map = map,
                  .g = malloc(node_count * sizeof *self.g),
                  .closed = malloc(node_count * sizeof *self.closed)};
    self.heap = malloc((count_steps(map, &self.most_steps) + 1) * sizeof *self.heap);
    self.steps = malloc((self.most_steps + 1) * sizeof *self.steps);
    bool ready = self.g && self.closed && self.heap && self.steps;

    if (ready && cairn_bound_to(map, NULL, goal, &self.bound) == CAIRN_OK)
        report(&self, "base heuristic", start, goal);
    if (ready && cairn_bound_to(map, table, goal, &self.bound) == CAIRN_OK)
        report(&self, "landmarks", start, goal);
    free(self.g);
    free(self.closed);
    free(self.heap);
    free(self.steps);
    return ready ? 0 : 1;
}

/* The next cell or node among the words. */
static cairn_node next_node(const cairn_map *map, char ***words)
{
    uint32_t x = (uint32_t)atoi(*(*words)++);
    if (cairn_map_kind_of(map) == CAIRN_MAP_GRAPH)
        return x;
    return cairn_node_at(map, x, (uint32_t)atoi(*(*words)++));
}

int main(int count, char **words)
{
    if (count != 4 && count != 6) {
        fprintf(stderr, "usage: own_astar TABLE X Y X Y, or of a graph START GOAL\n");
        return 2;
    }
    const char *table_path = words[1];
    cairn_map *map;
    cairn_table *table;
    cairn_error error;

    if (cairn_load(table_path, NULL, &map, &table, &error) != CAIRN_OK) {
        char line[400];
        cairn_error_text(&error, table_path, line, sizeof line);
        fprintf(stderr, "%s\n", line);
        return 1;
    }
    int code = 1;
    if ((count == 4) != (cairn_map_kind_of(map) == CAIRN_MAP_GRAPH)) {
        fprintf(stderr, "expected two cells of a grid, or two nodes of a graph\n");
    } else {
        char **next = words + 2;
        cairn_node start = next_node(map, &next), goal = next_node(map, &next);
        if (cairn_map_is_open(map, start) && cairn_map_is_open(map, goal))
            code = compare(map, table, start, goal);
        else
            fprintf(stderr, "both must be open, and on the map\n");
    }
    cairn_table_free(table);
    cairn_map_free(map);
    return code;
}
