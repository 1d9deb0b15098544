/*
 * "Avoid" (Goldberg and Werneck, "Computing point-to-point shortest paths from external memory",
 * ALENEX 2005). From a random root, the weight of a cell is the difference between its cost and the
 * bound from the landmarks so far. Among the subtrees of the tree of shortest paths that contain no
 * landmark, take the heaviest, and walk down from its cell to the heaviest leaf: the landmark is
 * placed behind the cells whose bound is worst.
 */
#include <string.h>

#include "place/place_plan.h"

typedef struct avoidance {
    cn_candidates *pool;
    const cairn_map *map;
    bool is_directed;
    cn_flooder *flooder;
    cn_rng rng;
    cairn_node *roots; /* by part */
    cairn_cost **rows; /* costs from the landmarks so far, by node */
    size_t row_count;
    cairn_node *parent; /* of each cell in the tree; CAIRN_NO_NODE at a root */
    uint32_t *children; /* how many children have not been added yet */
    uint8_t *barren;    /* whether the subtree contains a landmark */
    uint64_t *weight;   /* of the subtree */
    cairn_node *ready;  /* cells whose subtrees are complete, leaves first */
    size_t ready_count;
    cairn_cost *costs; /* from the roots, by node */
} avoidance;

static void copy_plane(const cairn_map *map, const cn_plane *plane, cairn_cost *costs)
{
    for (uint32_t y = 0; y < map->grid.height; y++) {
        for (uint32_t x = 0; x < map->grid.width; x++)
            *costs++ = cn_plane_at(plane, x, y);
    }
}

/* The cell before this one on one shortest path from the root. */
static cairn_node parent_of(const avoidance *job, cairn_node node)
{
    cn_arc scratch[CN_ARCS_SCRATCH];
    if (job->costs[node] == 0 || job->costs[node] == CAIRN_UNREACHABLE)
        return CAIRN_NO_NODE;
    cn_arc_span span = cn_map_arcs(job->map, node, CN_REVERSE, scratch);
    for (size_t i = 0; i < span.count; i++) {
        cairn_cost before = job->costs[span.arcs[i].to];
        if (before < job->costs[node] && before + span.arcs[i].cost == job->costs[node])
            return span.arcs[i].to;
    }
    return CAIRN_NO_NODE;
}

/* By how much the bound between a cell and the root of its component is below the cost. */
static cairn_cost shortfall(const avoidance *job, cairn_node root, cairn_node node)
{
    cairn_cost bound = cn_place_base(job->map, root, node);
    if (job->costs[node] == CAIRN_UNREACHABLE)
        return 0;
    for (size_t row = 0; row < job->row_count; row++) {
        cairn_cost a = job->rows[row][root], b = job->rows[row][node];
        cairn_cost difference = b > a ? b - a : job->is_directed ? 0 : a - b;
        bound = difference > bound ? difference : bound;
    }
    return job->costs[node] > bound ? job->costs[node] - bound : 0;
}

static void grow_trees(avoidance *job)
{
    const cn_sample *sample = job->pool->sample;
    const cn_sites *sites = sample->sites;
    uint32_t node_count = cn_map_node_count(job->map);

    memset(job->children, 0, node_count * sizeof *job->children);
    memset(job->barren, 0, node_count);
    for (size_t row = 0; row < job->row_count; row++) {
        for (uint32_t part = 0; part < sample->part_count; part++)
            job->barren[cn_candidates_at(job->pool, job->pool->count - row - 1)[part]] = 1;
    }
    for (uint32_t part = 0; part < sample->part_count; part++) {
        uint32_t component = sample->parts[part];
        for (uint32_t i = sites->first[component]; i < sites->first[component + 1]; i++) {
            cairn_node node = sites->cells[i];
            job->weight[node] = shortfall(job, job->roots[part], node);
            job->parent[node] = parent_of(job, node);
            if (job->parent[node] != CAIRN_NO_NODE)
                job->children[job->parent[node]]++;
        }
    }
}

/* Adds the weight of every subtree to its parent, leaves first. */
static void sum_trees(avoidance *job)
{
    const cn_sample *sample = job->pool->sample;
    const cn_sites *sites = sample->sites;

    job->ready_count = 0;
    for (uint32_t part = 0; part < sample->part_count; part++) {
        uint32_t component = sample->parts[part];
        for (uint32_t i = sites->first[component]; i < sites->first[component + 1]; i++) {
            if (job->children[sites->cells[i]] == 0)
                job->ready[job->ready_count++] = sites->cells[i];
        }
    }
    for (size_t i = 0; i < job->ready_count; i++) {
        cairn_node node = job->ready[i];
        if (job->barren[node])
            job->weight[node] = 0;
        cairn_node parent = job->parent[node];
        if (parent == CAIRN_NO_NODE)
            continue;
        job->weight[parent] += job->weight[node];
        job->barren[parent] |= job->barren[node];
        if (--job->children[parent] == 0)
            job->ready[job->ready_count++] = parent;
    }
}

/* The child with the heaviest subtree; CAIRN_NO_NODE at a leaf. */
static cairn_node heaviest_child(const avoidance *job, cairn_node node)
{
    cn_arc scratch[CN_ARCS_SCRATCH];
    cn_arc_span span = cn_map_arcs(job->map, node, CN_FORWARD, scratch);
    cairn_node best = CAIRN_NO_NODE;
    for (size_t i = 0; i < span.count; i++) {
        cairn_node child = span.arcs[i].to;
        if (job->parent[child] == node &&
            (best == CAIRN_NO_NODE || job->weight[child] > job->weight[best]))
            best = child;
    }
    return best;
}

static cairn_node walk_down(const avoidance *job, uint32_t component)
{
    const cn_sites *sites = job->pool->sample->sites;
    const cairn_node *cells = sites->cells + sites->first[component];
    cairn_node node = cells[0];

    for (uint32_t i = 1; i < sites->component_size[component]; i++) {
        if (job->weight[cells[i]] > job->weight[node])
            node = cells[i];
    }
    for (cairn_node child; (child = heaviest_child(job, node)) != CAIRN_NO_NODE;)
        node = child;
    return node;
}

static cairn_status flood_from(avoidance *job, const cairn_node *nodes, cairn_cost *costs)
{
    cn_plane plane;
    cairn_status status = cn_flooder_run(job->flooder, nodes, job->pool->sample->part_count,
                                         &plane);
    if (status == CAIRN_OK)
        copy_plane(job->map, &plane, costs);
    return status;
}

static cairn_status add_landmarks(avoidance *job)
{
    const cn_sample *sample = job->pool->sample;

    for (uint32_t part = 0; part < sample->part_count; part++)
        job->roots[part] = cn_sites_draw(sample->sites, sample->parts[part], &job->rng);
    cairn_status status = flood_from(job, job->roots, job->costs);
    if (status != CAIRN_OK)
        return status;
    grow_trees(job);
    sum_trees(job);
    cairn_node *chosen = cn_candidates_at(job->pool, job->pool->count++);
    for (uint32_t part = 0; part < sample->part_count; part++)
        chosen[part] = walk_down(job, sample->parts[part]);

    cairn_cost *row = cn_array(&job->map->mem, cn_map_node_count(job->map), sizeof *row);
    if (!row)
        return CAIRN_E_MEMORY;
    job->rows[job->row_count++] = row;
    return flood_from(job, chosen, row);
}

static cairn_status open_avoidance(avoidance *job, size_t count)
{
    const cn_mem *mem = &job->map->mem;
    uint32_t node_count = cn_map_node_count(job->map);

    job->roots = cn_array(mem, job->pool->sample->part_count, sizeof *job->roots);
    job->rows = cn_zeroed(mem, count, sizeof *job->rows);
    job->parent = cn_array(mem, node_count, sizeof *job->parent);
    job->children = cn_array(mem, node_count, sizeof *job->children);
    job->barren = cn_array(mem, node_count, 1);
    job->weight = cn_array(mem, node_count, sizeof *job->weight);
    job->ready = cn_array(mem, node_count, sizeof *job->ready);
    job->costs = cn_array(mem, node_count, sizeof *job->costs);
    if (!job->roots || !job->rows || !job->parent || !job->children || !job->barren ||
        !job->weight || !job->ready || !job->costs)
        return CAIRN_E_MEMORY;
    memset(job->parent, 0xff, node_count * sizeof *job->parent);
    return cn_flooder_new(job->map, 32, &job->flooder);
}

static void close_avoidance(avoidance *job)
{
    const cn_mem *mem = &job->map->mem;
    for (size_t row = 0; row < job->row_count; row++)
        cn_release(mem, job->rows[row]);
    cn_flooder_free(job->flooder);
    cn_release(mem, job->roots);
    cn_release(mem, job->rows);
    cn_release(mem, job->parent);
    cn_release(mem, job->children);
    cn_release(mem, job->barren);
    cn_release(mem, job->weight);
    cn_release(mem, job->ready);
    cn_release(mem, job->costs);
}

cairn_status cn_place_avoid(cn_candidates *pool, size_t count, uint64_t seed)
{
    avoidance job = {.pool = pool,
                     .map = pool->sample->sites->map,
                     .is_directed = cn_map_is_directed(pool->sample->sites->map),
                     .rng = {seed ^ 0x61766f6964u}};

    CN_ASSERT(pool->count + count <= pool->capacity);
    cairn_status status = open_avoidance(&job, count);
    for (size_t i = 0; i < count && status == CAIRN_OK; i++)
        status = add_landmarks(&job);
    close_avoidance(&job);
    return status;
}
