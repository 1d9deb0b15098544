/*
 * The proof that a row is exact. Let e be the entries of the row and d the true costs.
 *
 *  1. e(landmark) = 0, and e(b) <= e(a) + cost(a, b) for every step. So e <= d, along any path.
 *  2. Every other finite entry equals a neighbour's entry plus the step from it. Along such
 *     neighbours the entries fall until a landmark is reached, so a path of cost e exists: e >= d.
 *  3. A node with an unreachable entry has no reachable neighbour, so no path leads there.
 *
 * Each check needs only one node and its neighbours, so the proof is one pass over the map.
 */
#include "table/corner_rows.h"
#include "table/table_state.h"

#include "base/tasks.h"

typedef struct verification {
    const cairn_table *table;
    const cairn_map *map;
    cairn_fault *faults; /* the first of each row */
} verification;

/* A row with one entry changed. */
typedef struct change {
    cairn_node node; /* CAIRN_NO_NODE: none is changed */
    cairn_cost cost;
} change;

static const change no_change = {CAIRN_NO_NODE, 0};

static cairn_cost entry_with(const cairn_table *table, uint32_t row, cairn_node node,
                             change changed)
{
    return node == changed.node ? changed.cost : cn_table_entry(table, row, node);
}

/* What an entry has to be: 0 at a landmark, else the least cost that the entries of neighbours
 * give. In a row of costs from the landmarks these are the neighbours from which a step leads here,
 * in a row of costs to them those to which a step leads. */
static cairn_cost proven_cost(const verification *job, uint32_t row, cairn_node node,
                              change changed)
{
    cn_arc scratch[CN_ARCS_SCRATCH];
    cn_way back = cn_table_way(job->table, row) == CN_FORWARD ? CN_REVERSE : CN_FORWARD;
    cairn_cost least = CAIRN_UNREACHABLE;

    if (cn_table_find_landmark(job->table, row, node) != SIZE_MAX)
        return 0;
    cn_arc_span span = cn_map_arcs(job->map, node, back, scratch);
    for (size_t i = 0; i < span.count; i++) {
        cairn_cost cost = entry_with(job->table, row, span.arcs[i].to, changed);
        if (cost != CAIRN_UNREACHABLE && cost + span.arcs[i].cost < least)
            least = cost + span.arcs[i].cost;
    }
    return least;
}

static bool is_proven(const verification *job, uint32_t row, cairn_node node, change changed)
{
    return entry_with(job->table, row, node, changed) == proven_cost(job, row, node, changed);
}

/* Whether a single wrong entry explains the fault: with that entry corrected, it and its neighbours
 * pass the checks. */
static bool is_culprit(const verification *job, uint32_t row, cairn_node node)
{
    cn_arc scratch[CN_ARCS_SCRATCH];
    change changed = {node, proven_cost(job, row, node, no_change)};

    if (is_proven(job, row, node, no_change) || !is_proven(job, row, node, changed))
        return false;
    cn_arc_span span = cn_map_arcs(job->map, node, cn_table_way(job->table, row), scratch);
    for (size_t i = 0; i < span.count; i++) {
        if (!is_proven(job, row, span.arcs[i].to, changed))
            return false;
    }
    return true;
}

/* A wrong entry leaves its neighbours without support, and one of them may be found first. Returns
 * the wrong entry where correcting one is enough, else the one that was found first. */
static cairn_node blame(const verification *job, uint32_t row, cairn_node node)
{
    cn_arc scratch[CN_ARCS_SCRATCH];

    if (is_culprit(job, row, node))
        return node;
    for (unsigned way = CN_FORWARD; way <= CN_REVERSE; way++) {
        cn_arc_span span = cn_map_arcs(job->map, node, (cn_way)way, scratch);
        for (size_t i = 0; i < span.count; i++) {
            if (is_culprit(job, row, span.arcs[i].to))
                return span.arcs[i].to;
        }
    }
    return node;
}

static cairn_status verify_row(void *context, size_t row_, unsigned worker)
{
    verification *job = context;
    const cairn_table *table = job->table;
    uint32_t row = (uint32_t)row_;

    (void)worker;
    for (cairn_node node = 0; node < table->node_count; node++) {
        if (!cn_grid_is_open(&job->map->grid, node) || is_proven(job, row, node, no_change))
            continue;
        cairn_node wrong = blame(job, row, node);
        job->faults[row] = (cairn_fault){row, wrong, cn_table_entry(table, row, wrong),
                                         proven_cost(job, row, wrong, no_change)};
        return CAIRN_E_INEXACT;
    }
    return CAIRN_OK;
}

cairn_status cairn_table_verify(const cairn_table *table, const cairn_map *map,
                                uint32_t thread_count, cairn_fault *fault)
{
    cairn_fault faults[CAIRN_ROWS_MAX] = {{0}};

    if (fault)
        *fault = (cairn_fault){0};
    if (!table || !map)
        return CAIRN_E_ARGUMENT;
    const cairn_map *row_map;
    cairn_status status = cn_table_row_map(table, map, &row_map);
    if (status != CAIRN_OK)
        return status;
    if (!cn_table_fits(table, row_map))
        return cn_table_journal_lag(table, row_map) == CN_LAG_STRANGER ? CAIRN_E_MISMATCH
                                                                       : CAIRN_E_STALE;
    if (table->corners)
        return cn_corner_rows_verify(table, row_map, fault);
    verification job = {.table = table, .map = row_map, .faults = faults};
    const cn_crew crew = cn_tasks_crew(&map->pool, thread_count, table->row_count,
                                       (uint64_t)table->node_count * table->row_count);
    status = cn_tasks_run(crew, table->row_count, verify_row, &job);
    for (uint32_t row = 0; fault && status == CAIRN_E_INEXACT && row < table->row_count; row++) {
        if (faults[row].stored == faults[row].possible)
            continue;
        *fault = faults[row];
        break;
    }
    return status;
}
