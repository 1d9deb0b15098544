/*
 * The repair of one row, in rounds. A round uses the pending cells of the row, and
 *
 *  drops  every entry that no neighbour supports any more (entry = neighbour's entry + step), as
 *         long as there are any: what is left is the cost of an existing path;
 *  pulls  entries for dropped cells, and for cells with changed steps, from their neighbours;
 *  floods from there, cheapest first, to the fixpoint: no step improves any entry;
 *  serves components that have no landmark, each of which gets one (refresh_landmarks.h).
 *
 * A row that is to be computed completely, cell by cell, is cleared first in place of dropping.
 *
 * Dropping and flooding make every entry exact. Edits may come at any point: the flood then ends on
 * the new map, where all entries but those next to the edits are again supported and final, and the
 * next round uses these.
 */
#include <string.h>

#include "base/heap.h"
#include "base/nodes.h"
#include "refresh/refresh.h"
#include "refresh/refresh_farthest.h"
#include "refresh/refresh_landmarks.h"

/* The functions below are compiled four times: for two widths and two kinds of map. */
typedef enum cn_kind {
    KIND_UNIFORM, /* cn_map_is_uniform: steps of two costs, the same in both directions */
    KIND_ANY      /* any arcs */
} cn_kind;

CN_ALWAYS_INLINE cairn_cost entry_at(const cn_refresh *self, cairn_node node, unsigned bits)
{
    size_t index = cn_table_index(self->table, node, self->repair.row);
    return cn_entry_get(self->table->entries, index, bits);
}

CN_ALWAYS_INLINE void set_entry(cn_refresh *self, cairn_node node, cairn_cost cost, unsigned bits)
{
    size_t index = cn_table_index(self->table, node, self->repair.row);
    cn_table_mark(self->table, node);
    cn_entry_put(self->table->entries, index, bits, cost);
}

CN_ALWAYS_INLINE cn_arc_span uniform_steps(const cn_refresh *self, cairn_node node, cn_arc *scratch)
{
    const cn_grid *grid = &self->map->grid;
    const cairn_metric metric = self->map->metric;
    size_t count = 0;

    for (unsigned steps = grid->moves[grid->around[node]]; steps; steps &= steps - 1) {
        unsigned direction = cn_lowest_bit(steps);
        scratch[count].to = node + (cairn_node)grid->offset[direction];
        scratch[count].cost = direction < CN_STRAIGHT ? metric.straight : metric.diagonal;
        count++;
    }
    return (cn_arc_span){scratch, count};
}

/* The nodes from which a node's entry may come, and those whose entries may come from it. */
CN_ALWAYS_INLINE cn_arc_span arcs_to(const cn_refresh *self, cairn_node node, cn_arc *scratch,
                                     cn_kind kind)
{
    if (kind == KIND_UNIFORM)
        return uniform_steps(self, node, scratch);
    return cn_map_arcs(self->map, node, self->repair.way == CN_FORWARD ? CN_REVERSE : CN_FORWARD,
                       scratch);
}

CN_ALWAYS_INLINE cn_arc_span arcs_from(const cn_refresh *self, cairn_node node, cn_arc *scratch,
                                       cn_kind kind)
{
    if (kind == KIND_UNIFORM)
        return uniform_steps(self, node, scratch);
    return cn_map_arcs(self->map, node, self->repair.way, scratch);
}

/* -------------------------------------------------------------------------- lists and queues -- */

static bool queue_reserve(cn_queue *queue, const cn_mem *mem, size_t more)
{
    size_t used = queue->tail - queue->head;
    if (CN_LIKELY(used + more <= queue->capacity))
        return true;
    size_t capacity = queue->capacity ? queue->capacity * 2 : 256;
    uint64_t *items = cn_array(mem, capacity, sizeof *items);
    if (!items)
        return false;
    for (size_t i = 0; i < used; i++)
        items[i] = queue->items[(queue->head + i) & (queue->capacity - 1)];
    cn_release(mem, queue->items);
    *queue = (cn_queue){.items = items, .capacity = capacity, .tail = used};
    return true;
}

static void insertion_sort(uint64_t *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint64_t item = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1] > item; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/* Sorts the seeds by cost. The order of equals does not matter, since entries depend only on
 * costs. */
static cairn_status sort_seeds(cn_refresh *self)
{
    enum { SMALL = 40 };
    const cn_seeds *seeds = &self->repair.seeds;

    if (seeds->count <= SMALL) {
        insertion_sort(seeds->items, seeds->count);
        return CAIRN_OK;
    }
    cn_placed_node *room = cn_array(&self->mem, seeds->count, sizeof *room);
    if (!room)
        return CAIRN_E_MEMORY;
    cn_sort_placed(seeds->items, room, seeds->count);
    cn_release(&self->mem, room);
    return CAIRN_OK;
}

/* -------------------------------------------------------------------------------- the phases -- */

static bool is_done_for_now(const cn_refresh *self)
{
    return self->visits_left == 0 || self->repair.too_wide;
}

/* A node that is not reached gets a cost of more than 16 bits. A cheaper one may follow. */
static void note_wide(cn_refresh *self, cairn_node node)
{
    if (!cn_refresh_add(self, &self->repair.wide, node))
        self->repair.too_wide = true;
}

/* No cost will change any more. */
static cairn_status end_flood(cn_refresh *self)
{
    cn_row_repair *repair = &self->repair;
    const cairn_node *wide = repair->wide.items;

    for (size_t i = 0; i < repair->wide.count; i++)
        repair->too_wide = repair->too_wide ||
                           cn_table_entry(self->table, repair->row, wide[i]) == CAIRN_UNREACHABLE;
    repair->wide.count = 0;
    if (repair->too_wide)
        return CAIRN_OK;
    repair->cursor = 0;
    repair->phase = CN_PHASE_SERVE;
    return CAIRN_OK;
}

/* Makes the next cells unreachable, for a row that is rebuilt here: where the budget is not enough
 * for a flood, and floods cannot pause or were lost to edits (cn_refresh_may_slice). */
CN_ALWAYS_INLINE cairn_status clear(cn_refresh *self, unsigned bits)
{
    cn_row_repair *repair = &self->repair;
    const cn_grid *grid = &self->map->grid;
    uint32_t node_count = cn_map_node_count(self->map);

    for (; repair->cursor < node_count; repair->cursor++) {
        if (self->visits_left == 0)
            return CAIRN_OK;
        self->visits_left--;
        cairn_node node = (cairn_node)repair->cursor;
        if (!cn_grid_is_open(grid, node))
            continue;
        if (!cn_refresh_add(self, &repair->unsettled, node))
            return CAIRN_E_MEMORY;
        set_entry(self, node, cn_entry_unreachable(bits), bits);
    }
    repair->cursor = cn_refresh_round_count(self);
    repair->phase = CN_PHASE_PULL;
    return CAIRN_OK;
}

/* Whether some neighbour's entry plus the step from there equals a node's entry. */
CN_ALWAYS_INLINE bool is_supported(const cn_refresh *self, cn_arc_span from, cairn_cost cost,
                                   unsigned bits)
{
    for (size_t i = 0; i < from.count; i++) {
        cairn_cost before_it = entry_at(self, from.arcs[i].to, bits);
        if (before_it < cost && before_it + from.arcs[i].cost == cost)
            return true;
    }
    return false;
}

/* Lists the nodes whose entries may have come from a node that had this cost. */
CN_ALWAYS_INLINE bool suspect(cn_refresh *self, cn_arc_span to, cairn_cost cost, unsigned bits)
{
    if (CN_UNLIKELY(!cn_refresh_reserve(self, &self->repair.stack, to.count)))
        return false;
    for (size_t i = 0; i < to.count; i++) {
        if (entry_at(self, to.arcs[i].to, bits) == cost + to.arcs[i].cost)
            cn_nodes_push(&self->repair.stack, to.arcs[i].to);
    }
    return true;
}

CN_ALWAYS_INLINE cairn_status drop(cn_refresh *self, unsigned bits, cn_kind kind)
{
    cn_row_repair *repair = &self->repair;
    cn_arc scratch[CN_ARCS_SCRATCH];

    while (repair->stack.count) {
        if (CN_UNLIKELY(is_done_for_now(self)))
            return CAIRN_OK;
        if (CN_UNLIKELY(!cn_refresh_reserve(self, &repair->unsettled, 1)))
            return CAIRN_E_MEMORY;
        cairn_node node = repair->stack.items[repair->stack.count - 1];
        cairn_cost cost = entry_at(self, node, bits);
        /* Landmarks and blocked cells are 0. */
        bool stays = cost == 0 || cost == cn_entry_unreachable(bits) ||
                     is_supported(self, arcs_to(self, node, scratch, kind), cost, bits);
        self->visits_left--;
        repair->stack.count--;
        if (stays)
            continue;
        if (CN_UNLIKELY(!suspect(self, arcs_from(self, node, scratch, kind), cost, bits))) {
            repair->stack.count++;
            return CAIRN_E_MEMORY;
        }
        set_entry(self, node, cn_entry_unreachable(bits), bits);
        cn_nodes_push(&repair->unsettled, node);
    }
    repair->cursor = 0;
    repair->phase = CN_PHASE_PULL;
    return CAIRN_OK;
}

CN_ALWAYS_INLINE void pull_cell(cn_refresh *self, cairn_node node, unsigned bits, cn_kind kind)
{
    cn_arc scratch[CN_ARCS_SCRATCH];
    cairn_cost least = UINT32_MAX, own = entry_at(self, node, bits);

    cn_arc_span from = arcs_to(self, node, scratch, kind);
    for (size_t i = 0; i < from.count; i++) {
        cairn_cost cost = entry_at(self, from.arcs[i].to, bits);
        if (cost != cn_entry_unreachable(bits) && cost + from.arcs[i].cost < least)
            least = cost + from.arcs[i].cost;
    }
    if (least >= own) {
        if (bits == 16 && own == UINT16_MAX && least != UINT32_MAX)
            note_wide(self, node);
        return;
    }
    set_entry(self, node, least, bits);
    cn_refresh_push_seed(self, least, node);
}

/* Landmarks that were added since the row was last flooded get the entry 0. */
CN_ALWAYS_INLINE cairn_status seed_landmarks(cn_refresh *self, unsigned bits)
{
    const cairn_table *table = self->table;
    uint32_t row = self->repair.row;

    if (!(self->row_work[row] & CN_WORK_MOVED))
        return CAIRN_OK;
    size_t first = table->landmark_start[row], end = table->landmark_start[row + 1];
    if (!cn_refresh_reserve_seeds(self, end - first))
        return CAIRN_E_MEMORY;
    for (size_t i = first; i < end; i++) {
        if (entry_at(self, table->landmarks[i], bits) == 0)
            continue;
        set_entry(self, table->landmarks[i], 0, bits);
        cn_refresh_push_seed(self, 0, table->landmarks[i]);
    }
    self->row_work[row] &= (uint8_t)~CN_WORK_MOVED;
    return CAIRN_OK;
}

/* Visits the dropped cells and the cells of the round. */
CN_ALWAYS_INLINE cairn_status pull(cn_refresh *self, unsigned bits, cn_kind kind)
{
    cn_row_repair *repair = &self->repair;
    const size_t end = cn_refresh_round_count(self);

    for (; repair->cursor < end; repair->cursor++) {
        if (CN_UNLIKELY(is_done_for_now(self)))
            return CAIRN_OK;
        if (!cn_refresh_reserve_seeds(self, 1))
            return CAIRN_E_MEMORY;
        self->visits_left--;
        const cairn_node node = cn_refresh_round_cell(self, repair->cursor);
        if (cn_grid_is_open(&self->map->grid, node))
            pull_cell(self, node, bits, kind);
    }
    cairn_status status = seed_landmarks(self, bits);
    if (status == CAIRN_OK)
        status = sort_seeds(self);
    if (status != CAIRN_OK)
        return status;
    repair->cursor = 0;
    repair->phase = CN_PHASE_FLOOD;
    return CAIRN_OK;
}

static const uint64_t *queue_head(const cn_queue *queue)
{
    return queue->head == queue->tail ? NULL : &queue->items[queue->head & (queue->capacity - 1)];
}

/* Removes the cheapest head of three sorted queues; false when all are empty. */
CN_ALWAYS_INLINE bool pop_cheapest(cn_refresh *self, uint64_t *item)
{
    cn_row_repair *repair = &self->repair;
    const uint64_t *straight = queue_head(&repair->straight),
                   *diagonal = queue_head(&repair->diagonal);
    const uint64_t *seed = repair->cursor < repair->seeds.count
                               ? repair->seeds.items + repair->cursor
                               : NULL;
    uint64_t least = UINT64_MAX;

    if (straight)
        least = *straight;
    if (diagonal && *diagonal < least)
        least = *diagonal;
    if (seed && *seed < least)
        least = *seed;
    if (least == UINT64_MAX)
        return false;
    if (seed && *seed == least)
        repair->cursor++;
    else if (straight && *straight == least)
        repair->straight.head++;
    else
        repair->diagonal.head++;
    *item = least;
    return true;
}

CN_ALWAYS_INLINE void relax(cn_refresh *self, cn_queue *queue, cairn_node next, cairn_cost cost,
                            unsigned direction, unsigned bits)
{
    if (cost >= entry_at(self, next, bits)) {
        if (bits == 16 && CN_UNLIKELY(cost >= UINT16_MAX) &&
            entry_at(self, next, bits) == UINT16_MAX)
            note_wide(self, next);
        return;
    }
    set_entry(self, next, cost, bits);
    queue->items[queue->tail++ & (queue->capacity - 1)] = (uint64_t)cost << 32 |
                                                          CN_LABEL_OF(next, direction);
}

CN_ALWAYS_INLINE cairn_status flood_uniform(cn_refresh *self, unsigned bits)
{
    cn_row_repair *repair = &self->repair;
    const cn_grid *grid = &self->map->grid;
    const bool is_classic = cn_map_is_classic(self->map);
    const cairn_metric metric = self->map->metric;
    uint64_t item;

    for (;;) {
        if (CN_UNLIKELY(is_done_for_now(self)))
            return CAIRN_OK;
        if (CN_UNLIKELY(!queue_reserve(&repair->straight, &self->mem, CN_STRAIGHT) ||
                        !queue_reserve(&repair->diagonal, &self->mem, CN_STRAIGHT)))
            return CAIRN_E_MEMORY;
        if (!pop_cheapest(self, &item))
            break;
        self->visits_left--;
        cairn_node node = CN_NODE_OF((uint32_t)item);
        cairn_cost cost = (cairn_cost)(item >> 32);
        if (cost != entry_at(self, node, bits))
            continue;
        if (CN_UNLIKELY(cost > CAIRN_COST_MAX))
            return CAIRN_E_LIMIT;
        unsigned arrival = is_classic ? CN_ARRIVAL_OF((uint32_t)item) : CN_NOWHERE;
        for (unsigned steps = grid->canonical[arrival][grid->around[node]]; steps;
             steps &= steps - 1) {
            unsigned direction = cn_lowest_bit(steps);
            cairn_node next = node + (cairn_node)grid->offset[direction];
            if (direction < CN_STRAIGHT)
                relax(self, &repair->straight, next, cost + metric.straight, direction, bits);
            else
                relax(self, &repair->diagonal, next, cost + metric.diagonal, direction, bits);
        }
    }
    repair->seeds.count = 0;
    return end_flood(self);
}

/* Where steps have many costs, the queue is a heap. The sorted seeds already are one. */
CN_ALWAYS_INLINE void relax_arcs(cn_refresh *self, cn_arc_span to, cairn_cost cost, unsigned bits)
{
    for (size_t i = 0; i < to.count; i++) {
        cairn_node next = to.arcs[i].to;
        cairn_cost there = cost + to.arcs[i].cost, known = entry_at(self, next, bits);
        if (there < known) {
            set_entry(self, next, there, bits);
            cn_heap_push(self->repair.seeds.items, &self->repair.seeds.count,
                         (uint64_t)there << 32 | next);
        } else if (bits == 16 && CN_UNLIKELY(there >= UINT16_MAX) && known == UINT16_MAX) {
            note_wide(self, next);
        }
    }
}

CN_ALWAYS_INLINE cairn_status flood_any(cn_refresh *self, unsigned bits)
{
    cn_row_repair *repair = &self->repair;
    cn_arc scratch[CN_ARCS_SCRATCH];

    for (;;) {
        if (CN_UNLIKELY(is_done_for_now(self)))
            return CAIRN_OK;
        if (repair->seeds.count == 0)
            break;
        uint64_t item = repair->seeds.items[0];
        cairn_node node = CN_NODE_OF((uint32_t)item);
        cairn_cost cost = (cairn_cost)(item >> 32);
        const bool is_stale = cost != entry_at(self, node, bits);
        if (CN_UNLIKELY(cost > CAIRN_COST_MAX && !is_stale))
            return CAIRN_E_LIMIT;
        cn_arc_span to = arcs_from(self, node, scratch, KIND_ANY);
        if (CN_UNLIKELY(!cn_refresh_reserve_seeds(self, to.count)))
            return CAIRN_E_MEMORY;
        self->visits_left--;
        cn_heap_pop(repair->seeds.items, &repair->seeds.count);
        if (!is_stale)
            relax_arcs(self, to, cost, bits);
    }
    return end_flood(self);
}

CN_ALWAYS_INLINE cairn_status run_phase(cn_refresh *self, unsigned bits, cn_kind kind)
{
    switch (self->repair.phase) {
    case CN_PHASE_CLEAR: return clear(self, bits);
    case CN_PHASE_DROP: return drop(self, bits, kind);
    case CN_PHASE_PULL: return pull(self, bits, kind);
    default: return kind == KIND_UNIFORM ? flood_uniform(self, bits) : flood_any(self, bits);
    }
}

#define DEFINE_RUN_PHASE(name, bits, kind)               \
  static CN_NOINLINE cairn_status name(cn_refresh *self) \
  {                                                      \
    return run_phase(self, bits, kind);                  \
  }

DEFINE_RUN_PHASE(run_uniform_16, 16, KIND_UNIFORM)
DEFINE_RUN_PHASE(run_uniform_32, 32, KIND_UNIFORM)
DEFINE_RUN_PHASE(run_any_16, 16, KIND_ANY)
DEFINE_RUN_PHASE(run_any_32, 32, KIND_ANY)

static cairn_status run_compiled_phase(cn_refresh *self)
{
    bool narrow = self->table->entry_bits == 16;
    if (cn_map_is_uniform(self->map))
        return narrow ? run_uniform_16(self) : run_uniform_32(self);
    return narrow ? run_any_16(self) : run_any_32(self);
}

/* ----------------------------------------------------------------------------------- the row -- */

/* If edits came during the round, cells without a landmark in reach are left for the next round. A
 * row that has seeds was out of memory when some components had got their landmarks, whose floods
 * would be forgotten. */
static cairn_status put_off(cn_refresh *self)
{
    cn_row_repair *repair = &self->repair;
    const size_t count = cn_refresh_round_count(self);

    cn_farthest_lose(self);
    if (repair->seeds.count) {
        cn_refresh_abort_row(self);
        return CAIRN_OK;
    }
    if (!cn_refresh_reserve(self, &self->pending, count))
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const cairn_node node = cn_refresh_round_cell(self, i);
        if (cn_grid_is_open(&self->map->grid, node) &&
            cn_table_entry(self->table, repair->row, node) == CAIRN_UNREACHABLE)
            cn_nodes_push(&self->pending, node);
    }
    self->row_start[repair->row] = repair->round_end;
    repair->phase = CN_PHASE_NONE;
    return CAIRN_OK;
}

void cn_refresh_finish_row(cn_refresh *self, uint32_t row, size_t end, bool is_rebuild)
{
    self->row_start[row] = end;
    self->row_work[row] &= CN_WORK_JOINED;
    self->row_lost[row] = 0;
    self->work_lost = 0;
    if (is_rebuild)
        self->counts.rows_rebuilt++;
    else
        self->counts.rows_repaired++;
    cn_table_set_state(self->table, row, self->row_work[row] ? CAIRN_ROW_WEAKER : CAIRN_ROW_FRESH);
}

/* What landmarks are chosen in is not counted as visits of the repair: the row would need them if
 * it were rebuilt, too. CAIRN_MORE when visits are spent. */
static cairn_status serve_after_repair(cn_refresh *self)
{
    cn_row_repair *repair = &self->repair;
    const uint64_t left = self->visits_left;
    if (self->map->graph || (self->table->is_directed && !self->may_be_unserved))
        return CAIRN_OK;
    const cairn_status status = cn_refresh_serve(self);
    repair->uncounted += left - self->visits_left;
    return status;
}

static cairn_status serve(cn_refresh *self)
{
    cn_row_repair *repair = &self->repair;
    if (repair->round_end != self->pending.count || (self->row_work[repair->row] & CN_WORK_MOVED))
        return put_off(self);
    const cairn_status status = serve_after_repair(self);
    if (status != CAIRN_OK || repair->wants_earlier)
        return status;
    repair->unsettled.count = 0;
    if (repair->seeds.count == 0) {
        repair->phase = CN_PHASE_NONE;
        cn_refresh_finish_row(self, repair->row, repair->round_end, repair->is_rebuild);
        return CAIRN_OK;
    }
    /* Cells of components that just got a landmark are done after its flood. */
    self->row_start[repair->row] = repair->round_end;
    if (repair->served_cells > repair->visit_limit) {
        cn_refresh_abort_row(self);
        return CAIRN_OK;
    }
    repair->phase = CN_PHASE_FLOOD;
    return sort_seeds(self);
}

static void begin(cn_refresh *self, uint32_t row)
{
    cn_row_repair *repair = &self->repair;
    repair->row = row;
    repair->way = cn_table_way(self->table, row);
    repair->round_end = self->pending.count;
    repair->cursor = 0;
    repair->visit_count = 0;
    repair->is_rebuild = self->row_work[row] & CN_WORK_REBUILD;
    self->row_work[row] &= (uint8_t)~CN_WORK_REBUILD;
    self->row_work[row] |= CN_WORK_PENDING;
    repair->stack.count = 0;
    repair->seeds.count = 0;
    repair->wide.count = 0;
    repair->straight.head = repair->straight.tail = 0;
    repair->diagonal.head = repair->diagonal.tail = 0;
}

void cn_refresh_begin_row(cn_refresh *self, uint32_t row)
{
    cn_row_repair *repair = &self->repair;
    begin(self, row);
    repair->unsettled.count = 0;
    repair->phase = repair->is_rebuild ? CN_PHASE_CLEAR : CN_PHASE_DROP;
    if (repair->is_rebuild)
        self->row_work[row] |= CN_WORK_MOVED;
}

void cn_refresh_begin_computed(cn_refresh *self, uint32_t row)
{
    begin(self, row);
    self->row_work[row] &= (uint8_t)~CN_WORK_MOVED;
    self->repair.phase = CN_PHASE_SERVE;
}

void cn_refresh_abort_row(cn_refresh *self)
{
    cn_row_repair *repair = &self->repair;
    if (repair->phase == CN_PHASE_NONE)
        return;
    if (repair->phase == CN_PHASE_SERVE)
        cn_farthest_lose(self);
    repair->phase = CN_PHASE_NONE;
    repair->wants_earlier = repair->too_wide = false;
    self->row_work[repair->row] |= CN_WORK_REBUILD | CN_WORK_PENDING | CN_WORK_SCATTERED;
    cn_table_set_state(self->table, repair->row, CAIRN_ROW_UNSAFE);
}

/* The cells of the round are checked first. */
static cairn_status fill_stack(cn_refresh *self)
{
    cn_row_repair *repair = &self->repair;
    size_t start = self->row_start[repair->row], count = repair->round_end - start;

    if (repair->cursor)
        return CAIRN_OK;
    if (!cn_refresh_reserve(self, &repair->stack, count))
        return CAIRN_E_MEMORY;
    if (count)
        memcpy(repair->stack.items, self->pending.items + start, count * sizeof(cairn_node));
    repair->stack.count = count;
    repair->cursor = 1;
    return CAIRN_OK;
}

cairn_status cn_refresh_work_row(cn_refresh *self)
{
    cn_row_repair *repair = &self->repair;
    cairn_status status = CAIRN_OK;

    while (status == CAIRN_OK && repair->phase != CN_PHASE_NONE && !repair->wants_earlier) {
        if (repair->phase == CN_PHASE_SERVE)
            status = serve(self);
        else if (is_done_for_now(self))
            break;
        else if (repair->phase == CN_PHASE_DROP && fill_stack(self) != CAIRN_OK)
            status = CAIRN_E_MEMORY;
        else
            status = run_compiled_phase(self);
    }
    return status == CAIRN_MORE ? CAIRN_OK : status;
}
