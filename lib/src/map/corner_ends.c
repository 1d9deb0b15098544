#include "map/corner_ends.h"

/* Straight runs leave from so many cells at most before their ends are found. */
enum { TURNS_AT_ONCE = 64, RUNS_OF_TURNS = 2 * TURNS_AT_ONCE + CN_STRAIGHT };

/* A cell from which straight runs lead to corners. */
typedef struct turning_cell {
    cn_xy xy;
    cairn_cost cost;
    unsigned runs; /* bit d: one in direction d */
} turning_cell;

typedef struct end_finder {
    const cn_run_field *field;
    cn_arc *next;
    size_t count;
    turning_cell cells[TURNS_AT_ONCE + 1];
} end_finder;

/* The end of a straight run from a cell. Nobody could foretell its direction, so nothing branches
 * on that. */
CN_ALWAYS_INLINE cn_arc end_of_run(const cn_run_field *field, const turning_cell *cell,
                                   unsigned direction)
{
    const bool is_row = cn_jump_is_row(direction), is_forward = cn_jump_is_forward(direction);
    const uint32_t x = CN_X_OF(cell->xy), y = CN_Y_OF(cell->xy);
    const cn_axis *lines = &field->jump->axes[!is_row];
    const cn_stops *line = lines->stops + (is_row ? y : x) * lines->words;
    const uint32_t from = is_row ? x : y, first = is_forward ? from + 1 : from - 1;
    const uint64_t ahead = is_forward ? ~UINT64_C(0) << first % 64
                                      : ~UINT64_C(0) >> (63 - first % 64);
    const cn_stops *at = line + first / 64;
    uint64_t bits = (is_forward ? at->forward : at->backward) & ahead;

    while (CN_UNLIKELY(!bits)) {
        at += is_forward ? 1 : -1;
        bits = is_forward ? at->forward : at->backward;
    }
    const uint32_t stop = (uint32_t)(at - line) * 64 +
                          (is_forward ? cn_lowest_bit(bits) : cn_highest_bit(bits));
    const uint32_t length = is_forward ? stop - from : from - stop;
    const uint32_t to_x = is_row ? stop : x, to_y = is_row ? y : stop;
    const uint32_t number = cn_corners_find(field->corners, to_x, to_y);
    return (cn_arc){.to = number | direction << CN_CORNER_ARRIVAL_SHIFT,
                    .cost = cell->cost + length * field->metric.straight,
                    .arrival = CN_XY_OF(to_x, to_y)};
}

/* Finds the ends of the runs from all cells. */
static void find_ends(end_finder *self)
{
    uint16_t runs[RUNS_OF_TURNS + 1];
    size_t count = 0;

    for (size_t i = 0; i < self->count; i++) {
        for (unsigned direction = 0; direction < CN_STRAIGHT; direction++) {
            runs[count] = (uint16_t)(i * CN_STRAIGHT + direction);
            count += self->cells[i].runs >> direction & 1;
        }
    }
    for (size_t i = 0; i < count; i++)
        *self->next++ = end_of_run(self->field, &self->cells[runs[i] / CN_STRAIGHT],
                                   runs[i] % CN_STRAIGHT);
    self->count = 0;
}

CN_ALWAYS_INLINE void add_cell(end_finder *self, cn_xy xy, cairn_cost cost, unsigned runs)
{
    self->cells[self->count] = (turning_cell){xy, cost, runs};
    self->count += runs != 0;
    if (CN_UNLIKELY(self->count == TURNS_AT_ONCE))
        find_ends(self);
}

/* Follows a diagonal as far as it is legal; returns its length. */
CN_ALWAYS_INLINE uint32_t follow_diagonal(end_finder *self, cairn_node node, cn_xy xy,
                                          unsigned direction)
{
    const cn_run_field *field = self->field;
    const uint8_t *hits = field->jump->hits;
    const ptrdiff_t offset = field->grid->offset[direction];
    const bool is_east = direction == CN_SE || direction == CN_NE;
    const bool is_south = direction == CN_SE || direction == CN_SW;
    const unsigned beside = 1u << (is_east ? CN_E : CN_W) | 1u << (is_south ? CN_S : CN_N);
    uint32_t length = 0;

    while (hits[node] >> direction & 1) {
        node += (cairn_node)offset;
        xy += (is_east ? CN_XY_OF(1u, 0u) : 0 - CN_XY_OF(1u, 0u)) +
              (is_south ? CN_XY_OF(0u, 1u) : 0 - CN_XY_OF(0u, 1u));
        length++;
        add_cell(self, xy, length * field->metric.diagonal, hits[node] & beside);
    }
    return length;
}

size_t cn_corner_ends(const cn_run_field *field, cn_xy xy, unsigned directions, cn_arc *arcs,
                      uint32_t reach[CN_DIRECTIONS - CN_STRAIGHT])
{
    const cairn_node node = CN_Y_OF(xy) * field->grid->width + CN_X_OF(xy);
    end_finder self;

    self.field = field;
    self.next = arcs;
    self.count = 0;
    add_cell(&self, xy, 0, directions & field->jump->hits[node] & ((1u << CN_STRAIGHT) - 1));
    if (directions >> CN_SE & 1)
        reach[CN_SE - CN_STRAIGHT] = follow_diagonal(&self, node, xy, CN_SE);
    if (directions >> CN_SW & 1)
        reach[CN_SW - CN_STRAIGHT] = follow_diagonal(&self, node, xy, CN_SW);
    if (directions >> CN_NE & 1)
        reach[CN_NE - CN_STRAIGHT] = follow_diagonal(&self, node, xy, CN_NE);
    if (directions >> CN_NW & 1)
        reach[CN_NW - CN_STRAIGHT] = follow_diagonal(&self, node, xy, CN_NW);
    find_ends(&self);
    return (size_t)(self.next - arcs);
}

bool cn_cell_sees_beyond(const cn_run_field *field, cn_xy from, cn_xy to)
{
    const uint32_t x = CN_X_OF(to), y = CN_Y_OF(to);
    const cn_leg leg = cn_jump_leg(CN_JUMP_CLASSIC, CN_X_OF(from), CN_Y_OF(from), x, y);
    const bool is_row = cn_jump_is_row(leg.minor);
    const cn_axis *lines = &field->jump->axes[!is_row];
    const uint64_t *line = lines->clear + (is_row ? y : x) * lines->words;
    const uint32_t at = is_row ? x : y;

    if (!leg.minors)
        return true;
    return cn_jump_is_forward(leg.minor) ? cn_jump_is_clear(line, at - leg.minors + 1, at)
                                         : cn_jump_is_clear(line, at, at + leg.minors - 1);
}
