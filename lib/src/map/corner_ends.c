#include "map/corner_ends.h"

/* The ends that were found and not handed over yet. */
typedef struct finder {
    const cn_corners *corners;
    cn_viewpoint *viewpoint;
    cairn_metric metric;
    cn_corner_taker *take;
    void *context;
    size_t count;
    cn_seen_corner found[CN_SEEN_MOST];
} finder;

static void hand_over_ends(finder *self)
{
    if (self->count)
        self->take(self->context, self->found, self->count);
    self->count = 0;
}

/* Adds the end of the straight run from a cell; `cost` is that of the way there. */
CN_ALWAYS_INLINE void add_end(finder *self, uint32_t x, uint32_t y, cairn_cost cost,
                              unsigned direction)
{
    const bool is_row = cn_jump_is_row(direction);
    const cn_axis *lines = &self->viewpoint->jump->axes[!is_row];
    const cn_stops *line = lines->stops + (is_row ? y : x) * lines->words;
    const uint32_t from = is_row ? x : y;
    const bool is_forward = cn_jump_is_forward(direction);
    const uint32_t stop = is_forward ? cn_jump_forward(line, from) : cn_jump_backward(line, from);
    const uint32_t length = is_forward ? stop - from : from - stop;

    if (CN_UNLIKELY(self->count == CN_SEEN_MOST))
        hand_over_ends(self);
    self->found[self->count++] =
        (cn_seen_corner){cn_corners_find(self->corners, is_row ? stop : x, is_row ? y : stop),
                         cost + length * self->metric.straight};
}

/* Adds the ends of straight runs that leave from a diagonal one. */
CN_ALWAYS_INLINE void follow_diagonal(finder *self, cairn_node node, unsigned direction)
{
    cn_viewpoint *viewpoint = self->viewpoint;
    const uint8_t *hits = viewpoint->jump->hits;
    const ptrdiff_t offset = viewpoint->grid->offset[direction];
    const bool is_east = direction == CN_SE || direction == CN_NE;
    const bool is_south = direction == CN_SE || direction == CN_SW;
    const unsigned across = is_east ? CN_E : CN_W, down = is_south ? CN_S : CN_N;
    uint32_t length = 0;

    while (hits[node] >> direction & 1) {
        node += (cairn_node)offset;
        length++;
        if (!(hits[node] & (1u << across | 1u << down)))
            continue;
        const uint32_t x = is_east ? viewpoint->x + length : viewpoint->x - length;
        const uint32_t y = is_south ? viewpoint->y + length : viewpoint->y - length;
        const cairn_cost cost = length * self->metric.diagonal;
        if (hits[node] >> across & 1)
            add_end(self, x, y, cost, across);
        if (hits[node] >> down & 1)
            add_end(self, x, y, cost, down);
    }
    viewpoint->reach[is_south][is_east] = length;
}

void cn_corner_ends(const cn_corners *corners, const cn_grid *grid, const cn_jump *jump,
                    cairn_metric metric, cairn_node node, cn_corner_taker *take, void *context,
                    cn_viewpoint *viewpoint)
{
    finder self = {corners, viewpoint, metric, take, context, 0, {{0, 0}}};

    viewpoint->grid = grid;
    viewpoint->jump = jump;
    cn_grid_xy(grid, node, &viewpoint->x, &viewpoint->y);
    for (unsigned direction = 0; direction < CN_STRAIGHT; direction++) {
        if (jump->hits[node] >> direction & 1)
            add_end(&self, viewpoint->x, viewpoint->y, 0, direction);
    }
    follow_diagonal(&self, node, CN_SE);
    follow_diagonal(&self, node, CN_SW);
    follow_diagonal(&self, node, CN_NE);
    follow_diagonal(&self, node, CN_NW);
    hand_over_ends(&self);
}

bool cn_viewpoint_sees_beyond(const cn_viewpoint *viewpoint, uint32_t x, uint32_t y)
{
    const cn_leg leg = cn_jump_leg(CN_JUMP_CLASSIC, viewpoint->x, viewpoint->y, x, y);
    const bool is_row = cn_jump_is_row(leg.minor);
    const cn_axis *lines = &viewpoint->jump->axes[!is_row];
    const uint64_t *line = lines->clear + (is_row ? y : x) * lines->words;
    const uint32_t to = is_row ? x : y;

    if (!leg.minors)
        return true;
    return cn_jump_is_forward(leg.minor) ? cn_jump_is_clear(line, to - leg.minors + 1, to)
                                         : cn_jump_is_clear(line, to, to + leg.minors - 1);
}
