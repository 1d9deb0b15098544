#include "file/build_memory.h"

#include "base/cpu.h"
#include "codec/seeds.h"
#include "flood/flood_engine.h"
#include "place/place.h"

enum {
    /* Bytes that are counted for one of each: */
    SOME = 1 << 19,        /* all that does not grow with the map */
    PACKING = 9 << 15,     /* a row that is packed: the window and the lists of zlib, 262 kB */
    FOR_A_COST = 4,        /* a cost: the first flood has costs of 32 bits in any case */
    FOR_A_LIST = 24,       /* a cell, in the lists of engines that go from cell to cell */
    FOR_A_RING = 25 << 14, /* two rings of buckets, in a flood from node to node */
    FOR_A_RUN = 3 * 12,    /* a run of open cells, while the list of runs grows */
    FOR_A_PART = 5 * 4,    /* a component of the map */
    FOR_A_MINOR = 12,      /* a cell outside the largest component */
    FOR_A_NODE = 64,       /* a node of a graph: its place in the order, and symbols of rows */
    FOR_AN_ARC = 24,       /* an arc of a graph, in the links of that order */
    FOR_A_SAMPLE = 40,     /* a node, in placements that examine queries */
    FOR_A_CANDIDATE = 4    /* a node of each row, in placements by trees */
};

typedef struct sizes {
    uint64_t nodes;
    uint64_t padded; /* cells of whole tiles, or with padding around the map; of graphs, nodes */
    uint64_t open;
} sizes;

static sizes sizes_of(const cairn_map *map)
{
    const uint64_t width = map->grid.width, height = map->grid.height, nodes = width * height;
    const uint64_t padded = ((width + 31) / 32 * 32 + 2) * ((height + 31) / 32 * 32 + 2);
    return (sizes){
        .nodes = nodes, .padded = map->graph ? nodes : padded, .open = map->grid.open_count};
}

/* Beside the costs, for each cell: masks of tiles, and what steps between cells cost; or lists. */
static uint64_t flood_bytes(const cairn_map *map)
{
    static const uint64_t masks[] = {[CN_CPU_PORTABLE] = 4, [CN_CPU_AVX2] = 2, [CN_CPU_AVX512] = 1};
    if (!cn_flood_goes_by_tiles(map, 32) || !cn_flood_goes_by_tiles(map, 16))
        return FOR_A_LIST;
    const uint64_t mask = masks[cn_cpu_level()], exits = 2 * mask;
    return mask + (cn_map_is_even(map) ? 0 : 2 * FOR_A_COST) +
           (map->grid.heights.cells ? 2 * FOR_A_COST : 0) + (map->grid.has_one_way ? exits : 0);
}

/* Components, and the cells outside the largest. */
static cairn_status placement_bytes(const cairn_map *map, uint64_t *bytes)
{
    cn_runs runs;
    if (map->graph || !cn_map_leads_back(map)) {
        *bytes = sizes_of(map).nodes * (FOR_A_RUN + FOR_A_PART + FOR_A_MINOR);
        return CAIRN_OK;
    }
    cairn_status status = cn_runs_new(&map->grid, &map->mem, &runs);
    if (status != CAIRN_OK)
        return status;
    uint32_t *cells = cn_zeroed(&map->mem, runs.component_count + 1u, sizeof *cells), most = 0;
    for (uint32_t i = 0; cells && i < runs.count; i++) {
        uint32_t *own = &cells[runs.items[i].component];
        *own += runs.items[i].end - runs.items[i].first;
        most = *own > most ? *own : most;
    }
    *bytes = (uint64_t)runs.count * FOR_A_RUN + (uint64_t)runs.component_count * FOR_A_PART +
             (uint64_t)(map->grid.open_count - most) * FOR_A_MINOR;
    status = cells ? CAIRN_OK : CAIRN_E_MEMORY;
    cn_release(&map->mem, cells);
    cn_runs_free(&runs, &map->mem);
    return status;
}

/* The options as they are used; what is too large is refused later. */
static cairn_build_options options_on(const cairn_map *map, const cairn_build_options *build)
{
    cairn_build_options used = *build;
    cn_rows_complete(map, &used);
    if (used.landmark_count > CAIRN_ROWS_MAX)
        used.landmark_count = CAIRN_ROWS_MAX;
    if (used.candidate_count > CAIRN_CANDIDATES_MAX)
        used.candidate_count = CAIRN_CANDIDATES_MAX;
    return used;
}

/* The processes of a team divide the rows by which they place others. */
static uint64_t rows_of_process(uint64_t rows, const cairn_build_options *build)
{
    const uint64_t processes = build->team ? build->team->processes : 1;
    return (rows + processes - 1) / processes;
}

static bool has_seeds(const cairn_map *map, const cairn_save_options *save)
{
    return !map->graph && (save->codec == CAIRN_CODEC_BEST || save->codec == CAIRN_CODEC_SEEDS);
}

/* The memory that packing a row takes: to choose its seeds; or for the row as a plane, as symbols
 * and packed. */
static uint64_t packer_bytes(const cairn_map *map, const cairn_save_options *save)
{
    const uint64_t whole = sizes_of(map).padded * 4 * FOR_A_COST;
    return has_seeds(map, save) ? cn_seed_work_memory(map) + sizes_of(map).open / 2 : whole;
}

/* What a plan of landmarks takes. Rows are computed when it has been made, so that a thread needs
 * memory for one or the other. */
static void add_plan(const cairn_map *map, const cairn_build_options *build, uint64_t rows,
                     cn_build_needs *needs)
{
    const sizes of = sizes_of(map);
    const cn_plan_needs plan = cn_plan_needs_of(map, build);
    const uint64_t each_thread = plan.each_thread + of.padded * (FOR_A_COST + flood_bytes(map)) +
                                 FOR_A_RING;

    if (build->placement == CAIRN_PLACE_FARTHEST)
        return;
    needs->shared += plan.shared +
                     of.nodes * (FOR_A_SAMPLE + rows_of_process(rows, build) * FOR_A_CANDIDATE);
    if (needs->each_row < each_thread)
        needs->each_row = each_thread;
}

/* A table that counts steps has a map of its own, which is kept. */
static uint64_t step_map_bytes(const cairn_map *map, const cairn_build_options *build)
{
    return build->step_metric.straight ? cairn_map_memory(map) + sizes_of(map).nodes : 0;
}

cairn_status cn_build_needs_of(const cairn_map *map, const cairn_build_options *build,
                               const cairn_save_options *save, cn_build_needs *needs)
{
    const sizes of = sizes_of(map);
    const cairn_build_options used = options_on(map, build);
    const uint64_t rows = used.landmark_count * (cn_map_is_directed(map) ? UINT64_C(2) : 1);
    uint64_t placement = 0;
    cairn_status status = placement_bytes(map, &placement);

    needs->each_row = of.padded * FOR_A_COST + packer_bytes(map, save) + PACKING;
    needs->shared = cairn_map_memory(map) + step_map_bytes(map, build) + placement + SOME +
                    of.padded * (FOR_A_COST + flood_bytes(map)) + of.open / 2 +
                    rows * (has_seeds(map, save) ? of.open / 8 : of.open * FOR_A_COST);
    if (map->graph)
        needs->shared += of.nodes * FOR_A_NODE + (uint64_t)cairn_map_arc_count(map) * FOR_AN_ARC;
    add_plan(map, &used, rows, needs);
    return status;
}
