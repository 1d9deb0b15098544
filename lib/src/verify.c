/*
 * The certificate that a row is exact. Let e be the entries of a row and d the true costs.
 *
 *   e(landmark) = 0, and e(b) <= e(a) + cost(a, b) for every step: then e <= d, along any path.
 *   Every other finite entry equals a neighbour's entry plus the step from it: following such
 *   neighbours, entries fall until a landmark is reached, so a path of cost e exists: e >= d.
 *   An unreachable entry has no reachable neighbour: no path leads there.
 *
 * All three look at one node and its neighbours, so the proof is one pass over the map.
 */
#include "table.h"

#include "tasks.h"

typedef struct verification {
    const cairn_table *table;
    const cairn_map *map;
    cairn_fault *faults;  /* the first of each row */
} verification;

static bool is_landmark(const cairn_table *table, uint32_t row, cairn_node node)
{
    size_t low = table->landmark_start[row], high = table->landmark_start[row + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->landmarks[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < table->landmark_start[row + 1] && table->landmarks[low] == node;
}

/* The least cost that the neighbours' entries give a node: of a row of costs from the landmarks,
 * the nodes that lead here; of a row of costs to them, those that this one leads to. */
static cairn_cost supported_cost(const cairn_table *table, const cairn_map *map, uint32_t row,
                                 cairn_node node)
{
    cn_arc scratch[CN_ARCS_SCRATCH];
    cn_way back = cn_table_way(table, row) == CN_FORWARD ? CN_REVERSE : CN_FORWARD;
    cn_arc_span span = cn_map_arcs(map, node, back, scratch);
    cairn_cost least = CAIRN_UNREACHABLE;

    for (size_t i = 0; i < span.count; i++) {
        cairn_cost cost = cn_table_entry(table, row, span.arcs[i].to);
        if (cost != CAIRN_UNREACHABLE && cost + span.arcs[i].cost < least)
            least = cost + span.arcs[i].cost;
    }
    return least;
}

static cairn_status verify_row(void *context, size_t row_, unsigned worker)
{
    verification *job = context;
    const cairn_table *table = job->table;
    uint32_t row = (uint32_t)row_;

    (void)worker;
    for (cairn_node node = 0; node < table->node_count; node++) {
        if (!cn_grid_is_open(&job->map->grid, node))
            continue;
        cairn_cost stored = cn_table_entry(table, row, node);
        cairn_cost possible = is_landmark(table, row, node)
                                  ? 0
                                  : supported_cost(table, job->map, row, node);
        if (stored == possible)
            continue;
        job->faults[row] = (cairn_fault){row, node, stored, possible};
        return CAIRN_E_INEXACT;
    }
    return CAIRN_OK;
}

cairn_status cairn_table_verify(const cairn_table *table, const cairn_map *map,
                                uint32_t thread_count, cairn_fault *fault)
{
    cairn_fault faults[CAIRN_ROWS_MAX] = {{0}};

    if (!table || !map)
        return CAIRN_E_ARGUMENT;
    if (fault)
        *fault = (cairn_fault){0};
    if (!cn_table_fits(table, map))
        return CAIRN_E_MISMATCH;
    verification job = {.table = table, .map = map, .faults = faults};
    unsigned threads = cn_tasks_threads(thread_count, table->row_count);
    cairn_status status = cn_tasks_run(threads, table->row_count, verify_row, &job);
    for (uint32_t row = 0; fault && status == CAIRN_E_INEXACT && row < table->row_count; row++) {
        if (faults[row].stored == faults[row].possible)
            continue;
        *fault = faults[row];
        break;
    }
    return status;
}
