#include "refresh/refresh_lanes.h"

#include <string.h>

#include "refresh/refresh.h"

enum {
    LANES_MOST = 32,
    SLICE = 256, /* visits between two calls of `reckon` */

    /* As in refresh_choice.c, for rows side by side: a row is rebuilt after its repair has made one
     * visit for so many open cells, in about half the time of a rebuild; a visit that serves
     * several rows counts in part for each. */
    OPEN_PER_SHARED_VISIT = 12,
    SHARED_PER_DROPPED = 3, /* to drop the entry, to compute the new one, and to spread that */
    WHOLE = 1 << 10,        /* the cost of a visit, of which rows get shares */
    EVERY = 4               /* of so many visits one is examined, and counts for all of them */
};

/* A block's round: the pending cells from `start` to `end`. */
typedef struct cn_round {
    const cn_lanes_kernel *kernel;
    size_t start;
    size_t end;
    size_t changed;             /* visits, which come first: of dropped and of pending entries */
    uint64_t spent[LANES_MOST]; /* by lane */
    uint64_t limit;
} cn_round;

/* The kernel with the widest vectors that the entries of a node fill. */
static const cn_lanes_kernel *kernel_for(const cairn_table *table)
{
    for (unsigned level = table->cpu + 1u; level > 0; level--) {
        const cn_lanes_kernel *kernel = &cn_lanes_kernels[level - 1][table->entry_bits == 32];
        if (kernel->lane_count && table->lane_count % kernel->lane_count == 0)
            return kernel;
    }
    return NULL;
}

/* Whether a step added to any cost that fits cannot wrap around. */
static bool is_possible(const cn_refresh *self)
{
    return !self->map->graph &&
           cn_map_dearest(self->map) <= cn_entry_step_most(self->table->entry_bits);
}

/* Whether a path may cost more than CAIRN_COST_MAX. */
static bool may_exceed(const cairn_map *map)
{
    return !cn_map_is_even(map) || (uint64_t)map->grid.open_count * map->step[1] > CAIRN_COST_MAX;
}

static bool waits_for_repair(const cn_refresh *self, uint32_t row)
{
    const unsigned work = self->row_work[row] & ~(unsigned)CN_WORK_JOINED;
    return work && !(work & (CN_WORK_REBUILD | CN_WORK_COMPUTED));
}

static uint32_t rows_of_block(const cn_refresh *self, uint32_t first, uint32_t count)
{
    uint32_t lanes = 0;
    for (uint32_t row = first; row < first + count && row < self->table->row_count; row++)
        lanes |= (uint32_t)waits_for_repair(self, row) << (row - first);
    return lanes;
}

static void free_visits(cn_refresh *self)
{
    cn_release(&self->mem, self->lanes.visits);
    self->lanes.visits = NULL;
    self->lanes.visit_count = self->lanes.visit_capacity = 0;
}

void cn_refresh_close_lanes(cn_refresh *self)
{
    free_visits(self);
    cn_release(&self->mem, self->lanes.waits);
    cn_release(&self->mem, self->lanes.queue);
    self->lanes = (cn_lanes){.waits = NULL};
}

static cairn_status take_memory(cn_refresh *self)
{
    cn_lanes *lanes = &self->lanes;
    uint32_t node_count = cn_map_node_count(self->map), room = 1;

    if (lanes->waits)
        return CAIRN_OK;
    while (room < node_count)
        room *= 2;
    lanes->queue_mask = room - 1;
    lanes->waits = cn_zeroed(&self->mem, node_count, sizeof *lanes->waits);
    lanes->queue = cn_array(&self->mem, room, sizeof *lanes->queue);
    if (lanes->waits && lanes->queue)
        return CAIRN_OK;
    cn_refresh_close_lanes(self);
    return CAIRN_E_MEMORY;
}

/* -------------------------------------------------------------------------------- the phases -- */

static void empty_queue(cn_lanes *lanes)
{
    while (lanes->head != lanes->tail)
        lanes->waits[lanes->queue[lanes->head++ & lanes->queue_mask]] = 0;
}

/* Divides the cost of the latest visits, each of which costs as much as `visited` visits, among
 * their rows. Rows that have cost too much are no longer repaired. */
static void reckon(cn_lanes *lanes, cn_round *round, size_t first, uint64_t visited)
{
    for (size_t i = first; i < lanes->visit_count; i += EVERY) {
        uint32_t left = lanes->visits[i].lanes;
        uint64_t share = EVERY * WHOLE * visited / cn_count_bits(left);
        for (; left; left &= left - 1)
            round->spent[cn_lowest_bit(left)] += share;
    }
    for (uint32_t left = lanes->active; left; left &= left - 1) {
        unsigned lane = cn_lowest_bit(left);
        if (round->spent[lane] > round->limit)
            lanes->active &= ~(1u << lane);
    }
    lanes->active &= ~lanes->too_wide;
}

static cairn_status reserve_visits(cn_refresh *self, size_t more)
{
    cn_lanes *lanes = &self->lanes;
    if (!CN_GROW(&self->mem, lanes->visits, &lanes->visit_capacity, lanes->visit_count,
                 lanes->visit_count + more))
        return CAIRN_E_MEMORY;
    return CAIRN_OK;
}

/* Runs a phase until no node waits or no row is left. */
static cairn_status run_phase(cn_refresh *self, cn_round *round,
                              void (*phase)(cn_lanes *lanes, uint32_t most), uint64_t visited)
{
    cn_lanes *lanes = &self->lanes;
    cairn_status status = CAIRN_OK;

    while (lanes->active && lanes->head != lanes->tail) {
        size_t first = lanes->visit_count;
        status = reserve_visits(self, SLICE);
        if (status != CAIRN_OK)
            break;
        phase(lanes, SLICE);
        reckon(lanes, round, first, visited);
        if (phase == round->kernel->flood)
            lanes->visit_count = round->changed;
    }
    empty_queue(lanes);
    return status;
}

static bool is_open(const cn_refresh *self, size_t pending)
{
    return cn_grid_is_open(&self->map->grid, self->pending.items[pending]);
}

/* Keeps the visits that concern rows still in work. */
static void forget_given_up(cn_lanes *lanes)
{
    size_t kept = 0;
    for (size_t i = 0; i < lanes->visit_count; i++) {
        lanes->visits[kept] = lanes->visits[i];
        lanes->visits[kept].lanes &= lanes->active;
        kept += lanes->visits[kept].lanes != 0;
    }
    lanes->visit_count = kept;
}

/* Appends those of pending cells to the visits. */
static cairn_status visit_pending(cn_refresh *self, cn_round *round)
{
    cn_lanes *lanes = &self->lanes;
    const cairn_status status = reserve_visits(self, round->end - round->start);
    if (status != CAIRN_OK)
        return status;
    for (size_t i = round->start; i < round->end && lanes->active; i++) {
        if (is_open(self, i))
            lanes->visits[lanes->visit_count++] = (cn_lanes_visit){self->pending.items[i],
                                                                   lanes->active};
    }
    round->changed = lanes->visit_count;
    return CAIRN_OK;
}

static cairn_status drop_entries(cn_refresh *self, cn_round *round)
{
    cn_lanes *lanes = &self->lanes;
    for (size_t i = round->start; i < round->end; i++) {
        if (is_open(self, i))
            cn_lanes_wait(lanes, self->pending.items[i], lanes->active);
    }
    const cairn_status status = run_phase(self, round, round->kernel->drop, SHARED_PER_DROPPED);
    /* What spreading will take was charged ahead, and is counted now when it is done. */
    for (unsigned lane = 0; lane < LANES_MOST; lane++)
        round->spent[lane] -= round->spent[lane] / SHARED_PER_DROPPED;
    forget_given_up(lanes);
    return status == CAIRN_OK ? visit_pending(self, round) : status;
}

/* Landmarks that were added since the row was last flooded get the entry 0. */
static void seed_landmarks(cn_refresh *self)
{
    cn_lanes *lanes = &self->lanes;
    for (uint32_t left = lanes->active; left; left &= left - 1) {
        uint32_t lane = cn_lowest_bit(left), row = lanes->first_lane + lane;
        const cairn_node *landmarks;
        size_t count = cairn_table_landmarks(self->table, row, &landmarks);
        if (!(self->row_work[row] & CN_WORK_MOVED))
            continue;
        lanes->busy |= 1u << lane;
        for (size_t i = 0; i < count; i++) {
            if (cn_table_entry(self->table, row, landmarks[i]) == 0)
                continue;
            cairn_table_set_cost(self->table, row, landmarks[i], 0);
            cn_lanes_wait(lanes, landmarks[i], 1u << lane);
        }
    }
}

/* ---------------------------------------------------------------------------------- the rows -- */

/* Rows that were left out are rebuilt if some of their entries were written: that was at nodes that
 * have waited, most often all still in the ring, or beside such nodes. The others still need repair
 * as before. */
static void give_up(cn_refresh *self, uint32_t rows)
{
    const cn_lanes *lanes = &self->lanes;
    const uint32_t written = rows & lanes->busy;
    const bool has_all = lanes->tail - 1 <= lanes->queue_mask;

    if (written && has_all)
        cn_refresh_touch(self, lanes->queue, lanes->tail);
    for (uint32_t left = written; left; left &= left - 1) {
        uint32_t row = lanes->first_lane + cn_lowest_bit(left);
        self->row_work[row] |= CN_WORK_REBUILD | (has_all ? 0 : CN_WORK_SCATTERED);
        cn_table_set_state(self->table, row, CAIRN_ROW_UNSAFE);
    }
}

/* Appends nodes that are unreachable in some of the rows to `pending`; where costs are directed,
 * only if a component may lack a landmark. */
static cairn_status list_unreached(cn_refresh *self, const cn_round *round, uint32_t *rows)
{
    const cn_lanes *lanes = &self->lanes;

    *rows = 0;
    if (self->table->is_directed && !self->may_be_unserved)
        return CAIRN_OK;
    if (!cn_refresh_reserve(self, &self->pending, round->changed))
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < round->changed; i++) {
        const cairn_node node = lanes->visits[i].node;
        const uint32_t unreached = round->kernel->unreached(lanes, node) & lanes->active;
        *rows |= unreached;
        if (unreached)
            self->pending.items[self->pending.count++] = node;
    }
    return CAIRN_OK;
}

/* Rows are exact, except that cells which are not reached may need a landmark: such rows are
 * finished separately. */
static cairn_status end_rows(cn_refresh *self, const cn_round *round)
{
    size_t first = self->pending.count;
    uint32_t wanting;
    cairn_status status = list_unreached(self, round, &wanting);
    if (status != CAIRN_OK)
        return status;
    for (uint32_t left = self->lanes.active; left; left &= left - 1) {
        uint32_t lane = cn_lowest_bit(left), row = self->lanes.first_lane + lane;
        self->row_work[row] &= (uint8_t)~CN_WORK_MOVED;
        if (wanting >> lane & 1)
            self->row_start[row] = first;
        else
            cn_refresh_finish_row(self, row, self->pending.count, false);
    }
    return CAIRN_OK;
}

static void set_costs(cn_lanes *lanes, const cairn_map *map)
{
    lanes->map = map;
    lanes->grid = &map->grid;
    lanes->is_uneven = !cn_map_is_even(map);
    lanes->step[0] = map->step[0];
    lanes->step[1] = map->step[1];
}

static void begin_round(cn_refresh *self, uint32_t first_lane, cn_round *round)
{
    cn_lanes *lanes = &self->lanes;

    lanes->table = self->table;
    set_costs(lanes, self->map);
    lanes->may_exceed = may_exceed(self->map);
    lanes->first_lane = first_lane;
    lanes->active = rows_of_block(self, first_lane, round->kernel->lane_count);
    lanes->busy = lanes->too_wide = 0;
    lanes->head = lanes->tail = 0;
    lanes->visit_count = 0;
    lanes->visited = 0;
    round->start = round->end;
    round->changed = 0;
    round->limit = WHOLE * ((uint64_t)lanes->grid->open_count / OPEN_PER_SHARED_VISIT +
                            CN_REFRESH_VISITS_LEAST);
    for (uint32_t left = lanes->active; left; left &= left - 1) {
        size_t start = self->row_start[first_lane + cn_lowest_bit(left)];
        round->start = start < round->start ? start : round->start;
    }
}

static cairn_status repair_block(cn_refresh *self, uint32_t first_lane, size_t end,
                                 const cn_lanes_kernel *kernel)
{
    cn_lanes *lanes = &self->lanes;
    cn_round round = {.kernel = kernel, .end = end};

    begin_round(self, first_lane, &round);
    const uint32_t rows = lanes->active;
    cairn_status status = drop_entries(self, &round);
    if (status == CAIRN_OK) {
        kernel->pull(lanes, round.changed);
        lanes->active &= ~lanes->too_wide;
        seed_landmarks(self);
        status = run_phase(self, &round, kernel->flood, 1);
    }
    if (status == CAIRN_OK)
        status = end_rows(self, &round);
    give_up(self, status == CAIRN_OK ? rows & ~lanes->active : rows);
    self->counts.cells += lanes->visited;
    return status;
}

cairn_status cn_refresh_side_by_side(cn_refresh *self)
{
    const cn_lanes_kernel *kernel = kernel_for(self->table);
    const size_t end = self->pending.count; /* what blocks append concerns only their own rows */
    cairn_status status = CAIRN_OK;

    if (!kernel || !is_possible(self))
        return CAIRN_OK;
    for (uint32_t first = 0; status == CAIRN_OK && first < self->table->row_count;
         first += kernel->lane_count) {
        if (!rows_of_block(self, first, kernel->lane_count))
            continue;
        status = take_memory(self);
        if (status == CAIRN_OK)
            status = repair_block(self, first, end, kernel);
    }
    free_visits(self);
    return status;
}
