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

/* Rows in one task. ROWS_AT_LEAST take hardly longer than one, so that there are no more threads
 * than groups of these. */
enum { ROWS_TOGETHER = 16, ROWS_AT_LEAST = 2 };

typedef struct verification {
    const cairn_table *table;
    const cairn_map *map;
    cairn_fault *faults;    /* the first of each row that is examined as far */
    uint32_t rows_together; /* in one task */
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
    cn_way reverse = cn_table_way(job->table, row) == CN_FORWARD ? CN_REVERSE : CN_FORWARD;
    cairn_cost least = CAIRN_UNREACHABLE;

    if (cn_table_find_landmark(job->table, row, node) != SIZE_MAX)
        return 0;
    cn_arc_span span = cn_map_arcs(job->map, node, reverse, scratch);
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

/* ---------------------------------------------------------------------------- rows together -- */

/* Rows that one task verifies, by one pass over the map: entries of a node lie side by side. */
typedef struct row_group {
    uint32_t first;
    uint32_t count; /* those that are examined still: none above the lowest one with a fault */
    cairn_cost least[ROWS_TOGETHER];          /* by the arcs of the present node */
    cairn_node wrong_landmark[ROWS_TOGETHER]; /* the lowest whose entry is not 0; CAIRN_NO_NODE */
} row_group;

static cairn_node find_wrong_landmark(const cairn_table *table, uint32_t row)
{
    for (size_t i = table->landmark_start[row]; i < table->landmark_start[row + 1]; i++) {
        if (cn_table_entry(table, row, table->landmarks[i]) != 0)
            return table->landmarks[i];
    }
    return CAIRN_NO_NODE;
}

/* Lowers the least costs of every `step`-th row, from `lane` on, by entries that arcs lead to. */
CN_ALWAYS_INLINE void lower_by_arcs(row_group *group, const cairn_table *table, cn_arc_span span,
                                    uint32_t lane, uint32_t step, unsigned bits)
{
    const uint32_t count = group->count;
    for (size_t i = 0; i < span.count; i++) {
        const size_t at = cn_table_index(table, span.arcs[i].to, group->first);
        const cairn_cost cost = span.arcs[i].cost;
        for (uint32_t k = lane; k < count; k += step) {
            const cairn_cost entry = cn_entry_cost(table->entries, at + k, bits);
            const cairn_cost sum = entry == CAIRN_UNREACHABLE ? entry : entry + cost;
            group->least[k] = sum < group->least[k] ? sum : group->least[k];
        }
    }
}

/* What the entries of neighbours give for a node: proven_cost of all rows but at landmarks. */
CN_ALWAYS_INLINE void find_least(const verification *job, row_group *group, cairn_node node,
                                 unsigned bits)
{
    cn_arc scratch[CN_ARCS_SCRATCH];
    const cairn_table *table = job->table;

    for (uint32_t k = 0; k < group->count; k++)
        group->least[k] = CAIRN_UNREACHABLE;
    if (!table->is_directed) {
        lower_by_arcs(group, table, cn_map_arcs(job->map, node, CN_REVERSE, scratch), 0, 1, bits);
        return;
    }
    for (uint32_t lane = 0; lane < 2 && lane < group->count; lane++) {
        const bool is_forward = cn_table_way(table, group->first + lane) == CN_FORWARD;
        const cn_way reverse = is_forward ? CN_REVERSE : CN_FORWARD;
        lower_by_arcs(group, table, cn_map_arcs(job->map, node, reverse, scratch), lane, 2, bits);
    }
}

/* The lowest row of the group whose entry at a node is wrong; count where none is. */
CN_ALWAYS_INLINE uint32_t find_wrong(const verification *job, const row_group *group,
                                     cairn_node node, unsigned bits)
{
    const cairn_table *table = job->table;
    const size_t at = cn_table_index(table, node, group->first);
    bool any_differs = false;

    for (uint32_t k = 0; k < group->count; k++)
        any_differs |= cn_entry_cost(table->entries, at + k, bits) != group->least[k] ||
                       group->wrong_landmark[k] == node;
    for (uint32_t k = 0; any_differs && k < group->count; k++) {
        if (!is_proven(job, group->first + k, node, no_change))
            return k;
    }
    return group->count;
}

CN_ALWAYS_INLINE cairn_status verify_group(const verification *job, row_group *group, unsigned bits)
{
    const cairn_table *table = job->table;
    const uint32_t count = group->count;

    for (cairn_node node = 0; group->count && node < table->node_count; node++) {
        if (!cn_grid_is_open(&job->map->grid, node))
            continue;
        find_least(job, group, node, bits);
        const uint32_t k = find_wrong(job, group, node, bits), row = group->first + k;
        if (k == group->count)
            continue;
        const cairn_node wrong = blame(job, row, node);
        job->faults[row] = (cairn_fault){row, wrong, cn_table_entry(table, row, wrong),
                                         proven_cost(job, row, wrong, no_change)};
        group->count = k;
    }
    return group->count == count ? CAIRN_OK : CAIRN_E_INEXACT;
}

static cairn_status verify_rows(void *context, size_t task, unsigned worker)
{
    const verification *job = context;
    const cairn_table *table = job->table;
    row_group group = {.first = (uint32_t)task * job->rows_together};

    (void)worker;
    const uint32_t left = table->row_count - group.first;
    group.count = left < job->rows_together ? left : job->rows_together;
    for (uint32_t k = 0; k < group.count; k++)
        group.wrong_landmark[k] = find_wrong_landmark(table, group.first + k);
    return table->entry_bits == 16 ? verify_group(job, &group, 16) : verify_group(job, &group, 32);
}

static uint32_t in_groups_of(uint32_t size, uint32_t count)
{
    return (count + size - 1) / size;
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
    const cn_crew crew = cn_tasks_crew(&map->pool, thread_count,
                                       in_groups_of(ROWS_AT_LEAST, table->row_count),
                                       (uint64_t)table->node_count * table->row_count);
    const uint32_t share = in_groups_of(crew.count, table->row_count);
    job.rows_together = share < ROWS_TOGETHER ? share : ROWS_TOGETHER;
    status = cn_tasks_run(crew, in_groups_of(job.rows_together, table->row_count), verify_rows,
                          &job);
    for (uint32_t row = 0; fault && status == CAIRN_E_INEXACT && row < table->row_count; row++) {
        if (faults[row].stored == faults[row].possible)
            continue;
        *fault = faults[row];
        break;
    }
    return status;
}
