/*
 * "Avoid" (Goldberg and Werneck, "Computing point-to-point shortest paths from external memory",
 * ALENEX 2005). From a random root, the weight of a cell is the difference between its cost and the
 * bound from the landmarks so far. Among the subtrees of the tree of shortest paths that contain no
 * landmark, take the heaviest, and walk down from its cell to the heaviest leaf: the landmark is
 * placed behind the cells whose bound is worst. Where none of these subtrees weighs anything, the
 * cell farthest from the landmarks so far is the next root and, if that is in vain, the landmark.
 * So no cell is a landmark twice while there are others.
 */
#include <string.h>

#include "base/watch.h"
#include "flood/flood.h"
#include "place/place_candidates.h"

typedef struct avoidance {
    cn_candidates *pool;
    const cairn_map *map;
    bool is_directed;
    cn_flooder *flooder;
    cn_rng rng;
    cairn_node *roots; /* by part */
    cairn_cost **rows; /* costs from the landmarks so far, by node; of a team each process has some
                        * of them, and NULL in place of the others */
    size_t row_count;
    cairn_cost *bounds; /* of each process, for some nodes; NULL without a team */
    cairn_node *parent; /* of each cell in the tree; CAIRN_NO_NODE at a root */
    uint32_t *children; /* how many children have not been added yet */
    uint8_t *barren;    /* whether the subtree contains a landmark */
    uint64_t *weight;   /* of the subtree */
    cairn_node *ready;  /* cells whose subtrees are complete, leaves first */
    size_t ready_count;
    cairn_cost *costs; /* from the roots, by node */
    cn_watch watch;
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

/* The bound between a cell and the root of its component, from the rows of this process. */
static cairn_cost own_bound(const avoidance *job, cairn_node root, cairn_node node)
{
    cairn_cost bound = 0;
    for (size_t row = 0; row < job->row_count; row++) {
        if (!job->rows[row])
            continue;
        cairn_cost a = job->rows[row][root], b = job->rows[row][node];
        cairn_cost difference = b > a ? b - a : job->is_directed ? 0 : a - b;
        bound = difference > bound ? difference : bound;
    }
    return bound;
}

/* By how much the bound is below the cost. */
static cairn_cost shortfall(const avoidance *job, cairn_node root, cairn_node node,
                            cairn_cost bound)
{
    const cairn_cost base = cn_place_base(job->map, root, node);
    bound = base > bound ? base : bound;
    return job->costs[node] != CAIRN_UNREACHABLE && job->costs[node] > bound
               ? job->costs[node] - bound
               : 0;
}

static uint32_t process_count(const avoidance *job)
{
    const cn_team *team = job->pool->sample->team;
    return team->processes ? team->processes->processes : 1;
}

enum { BOUNDS_AT_ONCE = 1 << 16 };

/* The bounds of the nodes from `first` on, which are in job->weight, become the largest of all
 * processes. */
static cairn_status share_bounds(avoidance *job, uint32_t first, uint32_t count)
{
    cn_team *team = job->pool->sample->team;
    const uint32_t processes = process_count(job);
    cairn_cost *own = job->bounds + (size_t)cn_team_rank(team) * count;

    for (uint32_t i = 0; i < count; i++)
        own[i] = (cairn_cost)job->weight[first + i];
    cairn_status status = cn_team_share(team, job->bounds, count * sizeof *own, processes);
    for (uint32_t k = 0; k < processes; k++) {
        for (uint32_t i = 0; i < count; i++) {
            const cairn_cost bound = job->bounds[(size_t)k * count + i];
            job->weight[first + i] = bound > job->weight[first + i] ? bound
                                                                    : job->weight[first + i];
        }
    }
    return status;
}

static cairn_status share_all_bounds(avoidance *job)
{
    const uint32_t node_count = cn_map_node_count(job->map);
    cairn_status status = CAIRN_OK;

    if (!job->bounds || job->row_count == 0)
        return CAIRN_OK;
    for (uint32_t first = 0; first < node_count && status == CAIRN_OK; first += BOUNDS_AT_ONCE) {
        const uint32_t left = node_count - first;
        status = share_bounds(job, first, left < BOUNDS_AT_ONCE ? left : BOUNDS_AT_ONCE);
    }
    return status;
}

/* The bound of every cell, as its weight. */
static cairn_status find_bounds(avoidance *job)
{
    const cn_sample *sample = job->pool->sample;
    const cn_sites *sites = sample->sites;

    for (uint32_t part = 0; part < sample->part_count; part++) {
        const uint32_t component = sample->parts[part];
        for (uint32_t i = sites->first[component]; i < sites->first[component + 1]; i++)
            job->weight[sites->cells[i]] = own_bound(job, job->roots[part], sites->cells[i]);
    }
    return share_all_bounds(job);
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
            job->weight[node] = shortfall(job, job->roots[part], node,
                                          (cairn_cost)job->weight[node]);
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

/* The leaf that the heaviest children lead to; CAIRN_NO_NODE where nothing weighs anything. A
 * subtree with a landmark has no weight, so the leaf is no landmark. */
static cairn_node walk_down(const avoidance *job, uint32_t component)
{
    const cn_sites *sites = job->pool->sample->sites;
    const cairn_node *cells = sites->cells + sites->first[component];
    cairn_node node = cells[0];

    for (uint32_t i = 1; i < sites->component_size[component]; i++) {
        if (job->weight[cells[i]] > job->weight[node])
            node = cells[i];
    }
    if (job->weight[node] == 0)
        return CAIRN_NO_NODE;
    for (cairn_node child; (child = heaviest_child(job, node)) != CAIRN_NO_NODE;)
        node = child;
    return node;
}

static cairn_status flood_from(avoidance *job, const cairn_node *nodes, size_t count,
                               cairn_cost *costs)
{
    cn_plane plane;
    cairn_status status = cn_flooder_run(job->flooder, nodes, count, &plane);
    if (status == CAIRN_OK)
        copy_plane(job->map, &plane, costs);
    return status;
}

static cairn_status flood_row(avoidance *job, const cairn_node *chosen, cairn_cost **row)
{
    *row = cn_array(&job->map->mem, cn_map_node_count(job->map), sizeof **row);
    return *row ? flood_from(job, chosen, job->pool->sample->part_count, *row) : CAIRN_E_MEMORY;
}

/* The processes take rows in turn, and all learn whether it went well. */
static cairn_status add_row(avoidance *job, const cairn_node *chosen)
{
    cn_team *team = job->pool->sample->team;
    const size_t index = job->row_count++;
    cairn_status status = CAIRN_OK;

    if (index % process_count(job) == cn_team_rank(team))
        status = flood_row(job, chosen, &job->rows[index]);
    if (status == CAIRN_OK && !cn_watch_advance(&job->watch, 0, cn_map_node_count(job->map)))
        status = CAIRN_E_CANCELLED;
    return cn_team_agree(team, status);
}

/* The cell of a component that costs most to reach; the first of several. */
static cairn_node farthest_in(const avoidance *job, uint32_t component)
{
    const cn_sites *sites = job->pool->sample->sites;
    const cairn_node *cells = sites->cells + sites->first[component];
    cairn_node node = cells[0];

    for (uint32_t i = 1; i < sites->component_size[component]; i++) {
        if (job->costs[cells[i]] > job->costs[node])
            node = cells[i];
    }
    return node;
}

/* Walks down the trees of the roots in the parts where nothing is chosen yet. */
static cairn_status try_roots(avoidance *job, cairn_node *chosen)
{
    const cn_sample *sample = job->pool->sample;

    cairn_status status = flood_from(job, job->roots, sample->part_count, job->costs);
    status = cn_team_agree(sample->team, status);
    if (status == CAIRN_OK)
        status = find_bounds(job);
    if (status != CAIRN_OK)
        return status;
    grow_trees(job);
    sum_trees(job);
    for (uint32_t part = 0; part < sample->part_count; part++) {
        if (chosen[part] == CAIRN_NO_NODE)
            chosen[part] = walk_down(job, sample->parts[part]);
    }
    return CAIRN_OK;
}

/* Where nothing is chosen yet, the root becomes the cell farthest from the landmarks of the rows so
 * far, which stand before `chosen`; for the first row the cell farthest from the root. */
static cairn_status move_roots(avoidance *job, const cairn_node *chosen)
{
    const cn_sample *sample = job->pool->sample;
    const size_t count = job->row_count * sample->part_count;
    const cairn_status status = count ? flood_from(job, chosen - count, count, job->costs)
                                      : CAIRN_OK;

    for (uint32_t part = 0; part < sample->part_count && status == CAIRN_OK; part++) {
        if (chosen[part] == CAIRN_NO_NODE)
            job->roots[part] = farthest_in(job, sample->parts[part]);
    }
    return status;
}

static bool has_chosen(const avoidance *job, const cairn_node *chosen)
{
    uint32_t part = 0;
    while (part < job->pool->sample->part_count && chosen[part] != CAIRN_NO_NODE)
        part++;
    return part == job->pool->sample->part_count;
}

/* Chooses from random roots and, where their trees have no weight, from the farthest ones; if these
 * have none either, they are the landmarks themselves. */
static cairn_status choose_landmarks(avoidance *job, cairn_node *chosen)
{
    const cn_sample *sample = job->pool->sample;

    for (uint32_t part = 0; part < sample->part_count; part++) {
        job->roots[part] = cn_sites_draw(sample->sites, sample->parts[part], &job->rng);
        chosen[part] = CAIRN_NO_NODE;
    }
    cairn_status status = try_roots(job, chosen);
    if (status != CAIRN_OK || has_chosen(job, chosen))
        return status;
    status = move_roots(job, chosen);
    if (status == CAIRN_OK)
        status = try_roots(job, chosen);
    for (uint32_t part = 0; part < sample->part_count; part++)
        chosen[part] = chosen[part] == CAIRN_NO_NODE ? job->roots[part] : chosen[part];
    return status;
}

static cairn_status add_landmarks(avoidance *job)
{
    cairn_node *chosen = cn_candidates_at(job->pool, job->pool->count);
    const cairn_status status = choose_landmarks(job, chosen);
    job->pool->count++;
    return status == CAIRN_OK ? add_row(job, chosen) : status;
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
    job->weight = cn_zeroed(mem, node_count, sizeof *job->weight);
    job->ready = cn_array(mem, node_count, sizeof *job->ready);
    job->costs = cn_array(mem, node_count, sizeof *job->costs);
    if (process_count(job) > 1) {
        job->bounds = cn_array(mem, (size_t)process_count(job) * BOUNDS_AT_ONCE,
                               sizeof *job->bounds);
        if (!job->bounds)
            return CAIRN_E_MEMORY;
    }
    if (!job->roots || !job->rows || !job->parent || !job->children || !job->barren ||
        !job->weight || !job->ready || !job->costs)
        return CAIRN_E_MEMORY;
    memset(job->parent, 0xff, node_count * sizeof *job->parent);
    return cn_flooder_new(job->map, 32, CN_FLOOD_MANY, &job->flooder);
}

static void close_avoidance(avoidance *job)
{
    const cn_mem *mem = &job->map->mem;
    for (size_t row = 0; row < job->row_count; row++)
        cn_release(mem, job->rows[row]);
    cn_flooder_free(job->flooder);
    cn_release(mem, job->bounds);
    cn_release(mem, job->roots);
    cn_release(mem, job->rows);
    cn_release(mem, job->parent);
    cn_release(mem, job->children);
    cn_release(mem, job->barren);
    cn_release(mem, job->weight);
    cn_release(mem, job->ready);
    cn_release(mem, job->costs);
}

cairn_status cn_place_avoid(cn_candidates *pool, size_t count, uint64_t seed,
                            const cairn_progress *progress)
{
    avoidance job = {.pool = pool,
                     .map = pool->sample->sites->map,
                     .is_directed = cn_map_is_directed(pool->sample->sites->map),
                     .rng = {seed ^ 0x61766f6964u}};

    CN_ASSERT(pool->count + count <= pool->capacity);
    cairn_status status = open_avoidance(&job, count);
    cn_watch_init(&job.watch, progress);
    (void)cn_watch_stage(&job.watch, "landmarks",
                         (uint64_t)count * cn_map_node_count(job.map)); /* rows ask */
    for (size_t i = 0; i < count && status == CAIRN_OK; i++)
        status = add_landmarks(&job);
    close_avoidance(&job);
    return status;
}
