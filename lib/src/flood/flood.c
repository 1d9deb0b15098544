#include "flood/flood.h"

#include "base/cpu.h"
#include "flood/flood_engine.h"

struct cn_flooder {
    cn_mem mem;
    const cairn_map *map;
    const cn_flood_engine *engine;
    void *state;
};

cairn_status cn_flooder_open(const cairn_map *map, unsigned bits, const cn_flood_engine *engine,
                             cn_flooder **flooder)
{
    *flooder = NULL;
    cn_flooder *made = cn_zeroed(&map->mem, 1, sizeof *made);
    if (!made)
        return CAIRN_E_MEMORY;

    made->mem = map->mem;
    made->map = map;
    made->engine = engine;
    cairn_status status = made->engine->open(map, bits, &made->state);
    if (status != CAIRN_OK) {
        cn_release(&map->mem, made);
        return status;
    }
    *flooder = made;
    return CAIRN_OK;
}

/* The mean number of moves of an open cell, times 100, over some of the rows. */
static unsigned mean_moves(const cn_grid *grid)
{
    enum { ROWS = 64 };
    const uint32_t step = grid->height / ROWS + 1;
    uint64_t moves = 0, cells = 0;

    for (uint32_t y = 0; y < grid->height; y += step) {
        cairn_node node = y * grid->width;
        for (uint32_t x = 0; x < grid->width; x++, node++) {
            if (!cn_grid_is_open(grid, node))
                continue;
            moves += cn_count_bits(grid->moves[grid->around[node]]);
            cells++;
        }
    }
    return cells ? (unsigned)(moves * 100 / cells) : 0;
}

/* The engine for maps on which neither tiles nor trees are used. */
static const cn_flood_engine *choose_cell_engine(const cairn_map *map)
{
    if (cn_map_is_classic(map))
        return &cn_flood_lists;
    return cn_flood_breadth_serves(map) ? &cn_flood_breadth : &cn_flood_bucket;
}

/* How many of a hundred neighbours must be open for tiles to be faster than another engine, by
 * processor: on cluttered maps too few lanes of a vector hold open cells. */
typedef struct tiles_gain {
    unsigned portable, avx2, avx512;
} tiles_gain;

enum { ALWAYS = 0, NEVER = 101 };

/* docs/benchmarks/floods.md has measurements. */
static const tiles_gain BESIDE_ALL_STEPS = {50, ALWAYS, ALWAYS}; /* no canonical ones alone */
static const tiles_gain BESIDE_UNEVEN_BUCKETS = {NEVER, 50, ALWAYS};
static const tiles_gain BESIDE_BUCKETS = {ALWAYS, ALWAYS, ALWAYS};
static const tiles_gain BESIDE_BREADTH = {NEVER, 92, 80};
static const tiles_gain BESIDE_LISTS = {NEVER, 62, 37};

static const tiles_gain *gain_beside(const cairn_map *map, const cn_flood_engine *other)
{
    return !cn_map_ends_tell_costs(map) ? &BESIDE_ALL_STEPS
           : !cn_map_is_even(map)       ? &BESIDE_UNEVEN_BUCKETS
           : other == &cn_flood_bucket  ? &BESIDE_BUCKETS
           : other == &cn_flood_breadth ? &BESIDE_BREADTH
                                        : &BESIDE_LISTS;
}

static unsigned tiles_gain_from(const cairn_map *map, const cn_flood_engine *other)
{
    const tiles_gain *gain = gain_beside(map, other);
    switch (cn_cpu_level()) {
    case CN_CPU_PORTABLE: return gain->portable;
    case CN_CPU_AVX2: return gain->avx2;
    default: return gain->avx512;
    }
}

enum { CORRIDORS = 220 }; /* moves, in hundredths, below which cells may lie in corridors */

/* Trees are worth it from the second run on: to put the cells in order takes longer than a run of
 * another engine. */
static const cn_flood_engine *choose_engine(const cairn_map *map, unsigned bits, cn_flood_use use)
{
    const cn_flood_engine *other = choose_cell_engine(map);
    if (!cn_flood_tiles_serve(map, bits))
        return other;
    unsigned moves = mean_moves(&map->grid);
    if (moves < CORRIDORS && use != CN_FLOOD_ONE && cn_flood_trees_may_serve(map))
        return &cn_flood_trees;
    return cn_flood_tiles_exist(bits) &&
                   moves / cn_count_bits(cn_rule_directions(map->grid.rules.rule)) >=
                       tiles_gain_from(map, other)
               ? &cn_flood_tiles
               : other;
}

bool cn_flood_goes_by_tiles(const cairn_map *map, unsigned bits)
{
    return choose_engine(map, bits, CN_FLOOD_MANY) == &cn_flood_tiles;
}

uint64_t cn_flood_in_expansions(const cairn_map *map)
{
    const bool is_fast = cn_map_is_even(map) || cn_flood_goes_by_tiles(map, 32);
    return map->grid.open_count / (is_fast ? CN_CELLS_PER_EXPANSION : CN_NODES_PER_EXPANSION);
}

cairn_status cn_flooder_new(const cairn_map *map, unsigned bits, cn_flood_use use,
                            cn_flooder **flooder)
{
    const cn_flood_engine *engine = choose_engine(map, bits, use);
    if (use == CN_FLOOD_PAUSES && !engine->resume)
        engine = choose_cell_engine(map);
    cairn_status status = cn_flooder_open(map, bits, engine, flooder);
    /* Corridors that run in circles are no trees. */
    if (status == CAIRN_E_ARGUMENT && engine == &cn_flood_trees)
        status = cn_flooder_open(map, bits, choose_cell_engine(map), flooder);
    return status;
}

const char *cn_flooder_engine(const cn_flooder *flooder)
{
    return flooder->engine->name;
}

bool cn_flooder_update(cn_flooder *flooder, const cairn_map *map, const cairn_node *cells,
                       size_t cell_count)
{
    const cn_flood_engine *engine = flooder->engine;
    flooder->map = map;
    return cn_mem_is_same(&flooder->mem, &map->mem) && engine->update &&
           engine->update(flooder->state, map, cells, cell_count);
}

/* Adapts the flooder to the edits of its map since that had a given hash. False as of
 * cn_flooder_update, and where the edits are not known or are so many that another flooder is made
 * as fast. */
static bool follow(cn_flooder *flooder, const cairn_map *map, uint64_t hash)
{
    enum { NODES_PER_CHANGE = 16 };
    const cairn_node *cells;
    size_t count;
    switch (cn_map_changes(map, hash, map->fixed_hash, &cells, &count)) {
    case CN_CHANGES_NONE:
    case CN_CHANGES_KNOWN:
        return count <= cn_map_node_count(map) / NODES_PER_CHANGE &&
               cn_flooder_update(flooder, map, cells, count);
    default: return false;
    }
}

void cn_flooder_free(cn_flooder *flooder)
{
    if (!flooder)
        return;
    cn_mem mem = flooder->mem;
    flooder->engine->close(flooder->state, &mem);
    cn_release(&mem, flooder);
}

/* ---------------------------------------------------------------------------------- kept -- */

bool cn_kept_flooder_adapt(cn_kept_flooder *kept, const cairn_map *map, unsigned bits)
{
    if (!kept->flooder || kept->bits != bits || kept->fixed_hash != map->fixed_hash)
        return false;
    if (kept->map == map && kept->hash == map->hash) /* or another map at the same place */
        return cn_mem_is_same(&kept->flooder->mem, &map->mem);
    if (!follow(kept->flooder, map, kept->hash))
        return false;
    kept->map = map;
    kept->hash = map->hash;
    return true;
}

cairn_status cn_kept_flooder_ready(cn_kept_flooder *kept, const cairn_map *map, unsigned bits,
                                   cn_flood_use use)
{
    if (cn_kept_flooder_adapt(kept, map, bits))
        return CAIRN_OK;
    cn_kept_flooder_free(kept);
    kept->map = map;
    kept->hash = map->hash;
    kept->fixed_hash = map->fixed_hash;
    kept->bits = bits;
    return cn_flooder_new(map, bits, use, &kept->flooder);
}

void cn_kept_flooder_free(cn_kept_flooder *kept)
{
    cn_flooder_free(kept->flooder);
    kept->flooder = NULL;
}

/* ---------------------------------------------------------------------------------- runs -- */

/* The greatest cost that is needed of those in the plane. */
static cairn_cost most_needed(const cn_flood_task *task, const cairn_map *map,
                              const cn_plane *plane)
{
    cairn_cost most = 0;
    for (size_t i = 0; i < task->until_count; i++) {
        const cairn_cost cost = cn_plane_cost_of(plane, map, task->until[i]);
        most = cost > most ? cost : most;
    }
    return task->until_count && most < task->most ? most : task->most;
}

/* Whether a plane that was computed has all costs that are needed. */
static cairn_status finish(const cn_flooder *flooder, const cn_flood_task *task, cn_plane *plane)
{
    const cairn_map *map = flooder->map;
    const cairn_cost needed = most_needed(task, map, plane);
    if (needed <= plane->most)
        plane->most = needed;
    else if (plane->may_be_cut && cn_plane_is_cut(plane, map, task->way, needed))
        return CAIRN_E_LIMIT;
    return CAIRN_OK;
}

/* After a part of a run, or all of it. */
static cairn_status end_part(cn_flooder *flooder, const cn_flood_task *task, cn_plane *plane,
                             cairn_status status)
{
    cn_plane_memory *memory = flooder->state;
    if (status == CAIRN_OK)
        return finish(flooder, task, plane);
    if (status != CAIRN_MORE)
        memory->held_count = CN_HELD_ALL; /* where it was, and where not, is not known */
    return status;
}

cairn_status cn_flooder_run_task(cn_flooder *flooder, const cn_flood_task *task, cn_plane *plane)
{
    return end_part(flooder, task, plane, flooder->engine->run(flooder->state, task, plane));
}

bool cn_flooder_may_pause(const cn_flooder *flooder)
{
    return flooder->engine->resume != NULL;
}

void cn_flooder_begin(cn_flooder *flooder, cn_way way, const cairn_node *sources,
                      size_t source_count)
{
    const cn_flood_task task = {
        .way = way, .sources = sources, .source_count = source_count, .most = CAIRN_UNREACHABLE};
    flooder->engine->begin(flooder->state, &task);
}

cairn_status cn_flooder_resume(cn_flooder *flooder, cn_way way, uint64_t *cells, cn_plane *plane)
{
    const cn_flood_task task = {.way = way, .most = CAIRN_UNREACHABLE};
    return end_part(flooder, &task, plane,
                    flooder->engine->resume(flooder->state, &task, cells, plane));
}

static cairn_status run_whole(cn_flooder *flooder, cn_way way, const cairn_node *sources,
                              size_t source_count, cn_plane *plane)
{
    const cn_flood_task task = {
        .way = way, .sources = sources, .source_count = source_count, .most = CAIRN_UNREACHABLE};
    return cn_flooder_run_task(flooder, &task, plane);
}

cairn_status cn_flooder_run(cn_flooder *flooder, const cairn_node *sources, size_t source_count,
                            cn_plane *plane)
{
    return run_whole(flooder, CN_FORWARD, sources, source_count, plane);
}

cairn_status cn_flooder_run_back(cn_flooder *flooder, const cairn_node *targets,
                                 size_t target_count, cn_plane *plane)
{
    return run_whole(flooder, CN_REVERSE, targets, target_count, plane);
}

cairn_status cn_flooder_trade(cn_flooder *flooder, cn_plane_memory *memory)
{
    cn_plane_memory *own = flooder->state, kept = *own;
    cairn_status status = CAIRN_OK;
    if (!memory->costs)
        status = cn_plane_memory_like(&flooder->mem, own, memory);
    if (status != CAIRN_OK)
        return status;
    *own = *memory;
    own->held_count = CN_HELD_ALL; /* cells may have opened or closed meanwhile */
    *memory = kept;
    return CAIRN_OK;
}

/* --------------------------------------------------------------------------------- paced -- */

enum {
    PAID_PER_CELL = 2, /* open cells of the map */
    RUN_PER_PAID = 2   /* cells. Tiles visit an open cell 1.1 to 2.7 times on eleven maps of six
                        * sets, and 4.3 among 38 % of single blocked ones */
};

void cn_priced_run_begin(cn_priced_run *self, cn_flooder *flooder, const cn_flood_task *task)
{
    *self = (cn_priced_run){.price = (uint64_t)flooder->map->grid.open_count * PAID_PER_CELL,
                            .status = CAIRN_MORE};
    if (cn_flooder_may_pause(flooder))
        cn_flooder_begin(flooder, task->way, task->sources, task->source_count);
}

static cairn_status resume_for(cn_priced_run *self, cn_flooder *flooder, cn_way way,
                               uint64_t *cells, cn_plane *plane)
{
    if (self->status == CAIRN_MORE && cn_flooder_may_pause(flooder))
        self->status = cn_flooder_resume(flooder, way, cells, plane);
    return self->status;
}

/* Also where an engine cannot pause. */
static cairn_status resume_to_the_end(cn_priced_run *self, cn_flooder *flooder,
                                      const cn_flood_task *task, cn_plane *plane)
{
    uint64_t all = UINT64_MAX;
    if (!cn_flooder_may_pause(flooder))
        return cn_flooder_run_task(flooder, task, plane);
    return resume_for(self, flooder, task->way, &all, plane);
}

cairn_status cn_priced_run_resume(cn_priced_run *self, cn_flooder *flooder,
                                  const cn_flood_task *task, cn_budget_kind kind, uint64_t *cells,
                                  cn_plane *plane)
{
    const uint64_t paid = *cells < self->price ? *cells : self->price;
    uint64_t most = paid * RUN_PER_PAID;

    if (kind == CN_BUDGET_UNLIMITED)
        return resume_to_the_end(self, flooder, task, plane);
    if (kind == CN_BUDGET_TIMED)
        return cn_flooder_may_pause(flooder) ? resume_for(self, flooder, task->way, cells, plane)
                                             : resume_to_the_end(self, flooder, task, plane);
    *cells -= paid;
    self->price -= paid;
    if (self->price == 0)
        return resume_to_the_end(self, flooder, task, plane);
    return resume_for(self, flooder, task->way, &most, plane) == CAIRN_E_MEMORY ? CAIRN_E_MEMORY
                                                                                : CAIRN_MORE;
}
