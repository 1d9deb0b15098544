/*
 * Jump points as a space for the core, on grids. From a node minor runs lead to their first turns;
 * major runs lead to their first turns, and minor runs leave from the cells on the way
 * (map/jump_points.h). The ends of runs at turns become nodes; where no corner may be cut, and with
 * four neighbours, major runs turn at borders alone. A major run that many minor ones have left
 * pauses: the cell that it has come to becomes a node as well. Each shape of runs is compiled
 * separately, with borders and without.
 *
 * A node may be reached at the same cost from several directions, which may have different
 * successors; its record says which steps have been taken, so that each is searched once.
 */
#ifndef CN_SEARCH_JUMP_SPACE_H
#define CN_SEARCH_JUMP_SPACE_H

#include "search/query.h"

/* After so many minor runs a major one becomes a node: under rules that cut corners, where there
 * are borders and rows, and elsewhere. */
enum { CN_JUMP_MINORS_CUT = 8, CN_JUMP_MINORS_AT_BORDERS = 6, CN_JUMP_MINORS_MOST = 16 };

/* The arcs collected for one node. */
typedef struct cn_jump_arcs {
    const cn_query *query;
    const cn_visit *visit;
    cairn_node node;     /* that of the visit */
    bool has_borders;    /* a constant, so that branches on it disappear */
    unsigned most;       /* minor runs, after which a major run becomes a node */
    cairn_metric metric; /* the costs of steps from the node to cells like it */
    cn_arc *next;
    cairn_cost limit; /* nodes known to cost as much are left out; CAIRN_UNREACHABLE: there is no
                       * limit */
} cn_jump_arcs;

/* What the leg from a cell to the goal costs by a metric. */
CN_ALWAYS_INLINE cairn_cost cn_jump_leg_cost(const cn_query *query, cn_jump_shape shape,
                                             cairn_metric metric, uint32_t x, uint32_t y)
{
    return shape == CN_JUMP_HEX ? metric.straight * cn_hex_steps(x, y, query->goal_x, query->goal_y)
                                : cn_octile(metric, x, y, query->goal_x, query->goal_y);
}

/* The base heuristic from a cell, without slopes. */
CN_ALWAYS_INLINE cairn_cost cn_jump_base(const cn_query *query, cn_jump_shape shape, uint32_t x,
                                         uint32_t y)
{
    return cn_jump_leg_cost(query, shape, query->metric, x, y);
}

CN_ALWAYS_INLINE void cn_jump_add(cn_jump_arcs *out, cairn_node to, cairn_cost cost,
                                  unsigned direction)
{
    CN_PREFETCH(&out->visit->scratch->records[to]);
    if (out->query->entries)
        CN_PREFETCH(cn_reads_rows(out->query, to));
    *out->next++ = (cn_arc){.to = to, .cost = cost, .arrival = direction};
}

/* Where on its line a run stops: the column of a cell in a row, the row of one in a column. */
CN_ALWAYS_INLINE uint32_t cn_jump_stop(const cn_query *query, cn_jump_shape shape, uint32_t x,
                                       uint32_t y, unsigned direction)
{
    unsigned axis = cn_jump_axis(shape, direction);
    const cn_axis *lines = &query->jump->axes[axis];
    const size_t number = cn_jump_line(shape, axis, query->grid->height, x, y);
    const cn_stops *line = lines->stops + cn_jump_words(lines, shape, number);
    uint32_t from = axis == 0 ? x : y;
    return cn_jump_is_forward(direction) ? cn_jump_forward(line, from)
                                         : cn_jump_backward(line, from);
}

CN_ALWAYS_INLINE uint32_t cn_jump_length(uint32_t x, uint32_t y, unsigned direction, uint32_t stop)
{
    uint32_t from = cn_jump_is_row(direction) ? x : y;
    return cn_jump_is_forward(direction) ? stop - from : from - stop;
}

/* Adds the end of the minor run from a cell; `cost` is that of the way there. */
CN_ALWAYS_INLINE void cn_jump_minor(cn_jump_arcs *out, cn_jump_shape shape, uint32_t x, uint32_t y,
                                    cairn_cost cost, unsigned direction)
{
    const cn_query *query = out->query;
    uint32_t stop = cn_jump_stop(query, shape, x, y, direction);
    uint32_t length = cn_jump_length(x, y, direction, stop);
    uint32_t to_x = cn_jump_is_row(direction) ? stop : cn_jump_x(shape, x, y, direction, length);
    uint32_t to_y = cn_jump_is_row(direction) ? y : stop;

    cn_jump_add(out, to_y * query->grid->width + to_x, cost + length * out->metric.straight,
                direction);
}

/* Adds the ends of minor runs from a cell on a major run; `hits` are those of the cell. */
CN_ALWAYS_INLINE void cn_jump_minors(cn_jump_arcs *out, cn_jump_shape shape, uint32_t x, uint32_t y,
                                     cairn_cost cost, unsigned hits, unsigned one, unsigned other)
{
    if (hits >> one & 1)
        cn_jump_minor(out, shape, x, y, cost, one);
    if (hits >> other & 1)
        cn_jump_minor(out, shape, x, y, cost, other);
}

/* Whether a cell of a major run is too far from the goal. Only from the start and from borders is
 * it worth checking: elsewhere the direction of arrival excludes that. From borders with rows a run
 * pauses early, and is short. */
CN_ALWAYS_INLINE bool cn_jump_is_beyond(const cn_jump_arcs *out, cn_jump_shape shape, uint32_t x,
                                        uint32_t y, cairn_cost cost)
{
    return out->most != CN_JUMP_MINORS_AT_BORDERS && out->limit != CAIRN_UNREACHABLE &&
           (uint64_t)cost + cn_jump_base(out->query, shape, x, y) >= out->limit;
}

/* Whether a major run pauses here, since so many minor runs have left from it: what lies beyond is
 * followed only if the bound of the node allows. Among pillars hundreds of minor runs leave a
 * diagonal (docs/decisions/runs-that-break-off.md). From borders major runs lead far into other
 * terrain, and most of their minor runs to where no shortest path goes; bounds of rows are close
 * enough to tell earlier. */
CN_ALWAYS_INLINE bool cn_jump_breaks_off(const cn_jump_arcs *out, const cn_arc *first)
{
    return out->next - first >= (ptrdiff_t)out->most;
}

/* Whether a major run turns at a cell. */
CN_ALWAYS_INLINE bool cn_jump_turns(const cn_jump_arcs *out, cn_jump_shape shape, cairn_node node,
                                    unsigned direction)
{
    const cn_query *query = out->query;
    if (out->has_borders && cn_jump_is_border(query->jump, node))
        return true;
    return (shape == CN_JUMP_CUT || shape == CN_JUMP_HEX) &&
           query->jump->turns[query->grid->around[node]] >> direction & 1;
}

/* Follows a diagonal as far as it is legal. */
CN_ALWAYS_INLINE void cn_jump_diagonal(cn_jump_arcs *out, cn_jump_shape shape, uint32_t x,
                                       uint32_t y, unsigned direction)
{
    const cn_query *query = out->query;
    const cn_jump *jump = query->jump;
    bool is_east = direction == CN_SE || direction == CN_NE;
    bool is_south = direction == CN_SE || direction == CN_SW;
    unsigned horizontal = is_east ? CN_E : CN_W, vertical = is_south ? CN_S : CN_N;
    ptrdiff_t offset = query->grid->offset[direction];
    const cn_arc *first = out->next;
    cairn_node node = out->node;
    uint32_t length = 0;
    unsigned hits;

    do {
        node += (cairn_node)offset;
        hits = jump->hits[node];
        length++;
        bool turns = cn_jump_turns(out, shape, node, direction);
        if (!turns && !(hits & (1u << horizontal | 1u << vertical)))
            continue;
        turns |= cn_jump_breaks_off(out, first);
        uint32_t at_x = is_east ? x + length : x - length;
        uint32_t at_y = is_south ? y + length : y - length;
        cairn_cost cost = length * out->metric.diagonal;
        if (cn_jump_is_beyond(out, shape, at_x, at_y, cost))
            break;
        if (turns) {
            cn_jump_add(out, node, cost, direction);
            break;
        }
        cn_jump_minors(out, shape, at_x, at_y, cost, hits, horizontal, vertical);
    } while (hits >> direction & 1);
}

/* Follows the line of a major run from stop to stop. `one` and `other` are the directions beside
 * it. */
CN_ALWAYS_INLINE void cn_jump_major(cn_jump_arcs *out, cn_jump_shape shape, uint32_t x, uint32_t y,
                                    unsigned direction, unsigned one, unsigned other)
{
    const cn_query *query = out->query;
    const cn_jump *jump = query->jump;
    const cn_arc *first = out->next;
    uint32_t at_x = x, at_y = y, length = 0;
    cairn_node node = out->node;

    while (jump->hits[node] >> direction & 1) {
        uint32_t stop = cn_jump_stop(query, shape, at_x, at_y, direction);
        length = cn_jump_length(x, y, direction, stop);
        at_x = cn_jump_x(shape, x, y, direction, length);
        at_y = cn_jump_y(y, direction, length);
        bool is_on = cn_jump_is_row(direction) ? stop < query->grid->width
                                               : stop < query->grid->height;
        if (!is_on || at_x >= query->grid->width)
            break;
        node = at_y * query->grid->width + at_x;
        cairn_cost cost = length * out->metric.straight;
        if (cn_jump_is_beyond(out, shape, at_x, at_y, cost))
            break;
        if (cn_jump_turns(out, shape, node, direction) || cn_jump_breaks_off(out, first)) {
            cn_jump_add(out, node, cost, direction);
            break;
        }
        cn_jump_minors(out, shape, at_x, at_y, cost, jump->hits[node], one, other);
    }
}

/* Whether the `steps` cells after a cell on a line are open, and none of them is a border. */
static inline bool cn_jump_line_is_clear(const cn_query *query, uint32_t x, uint32_t y,
                                         unsigned direction, uint32_t steps)
{
    const cn_jump *jump = query->jump;
    unsigned axis = cn_jump_axis(jump->shape, direction);
    const cn_axis *lines = &jump->axes[axis];
    const size_t number = cn_jump_line(jump->shape, axis, query->grid->height, x, y);
    const uint64_t *line = lines->clear + cn_jump_words(lines, jump->shape, number);
    uint32_t at = axis == 0 ? x : y;

    if (!steps)
        return true;
    return cn_jump_is_forward(direction) ? cn_jump_is_clear(line, at + 1, at + steps)
                                         : cn_jump_is_clear(line, at - steps, at - 1);
}

/* Whether a diagonal of `length` steps is legal, and none of its first `inner` cells is a
 * border. */
CN_ALWAYS_INLINE bool cn_jump_diagonal_is_clear(const cn_query *query, bool has_borders,
                                                cairn_node node, unsigned direction,
                                                uint32_t length, uint32_t inner)
{
    const cn_jump *jump = query->jump;
    for (uint32_t i = 1; i <= length; i++) {
        if (!(jump->hits[node] >> direction & 1))
            return false;
        node += (cairn_node)query->grid->offset[direction];
        if (has_borders && i <= inner && cn_jump_is_border(jump, node))
            return false;
    }
    return true;
}

CN_ALWAYS_INLINE bool cn_jump_major_is_clear(const cn_query *query, bool has_borders,
                                             cairn_node node, uint32_t x, uint32_t y,
                                             const cn_leg *leg, uint32_t inner)
{
    const cn_jump_shape shape = query->jump->shape;
    return shape == CN_JUMP_CLASSIC || shape == CN_JUMP_CUT
               ? cn_jump_diagonal_is_clear(query, has_borders, node, leg->major, leg->majors, inner)
               : cn_jump_line_is_clear(query, x, y, leg->major, inner);
}

/* Whether the leg from a cell to the goal is legal, its first step one of `steps`, and none of the
 * cells between the two a border. */
CN_ALWAYS_INLINE bool cn_jump_sees_goal(const cn_query *query, bool has_borders, cairn_node node,
                                        uint32_t x, uint32_t y, unsigned steps)
{
    const cn_jump_shape shape = query->jump->shape;
    const cn_leg leg = cn_jump_leg(shape, x, y, query->goal_x, query->goal_y);
    uint32_t turn_x = cn_jump_x(shape, x, y, leg.major, leg.majors);
    uint32_t turn_y = cn_jump_y(y, leg.major, leg.majors);
    /* The goal may be a border; if not, it is examined like the cells before it. */
    bool is_border = has_borders && cn_jump_is_border(query->jump, query->goal);
    uint32_t minors = leg.minors - (is_border && leg.minors);
    uint32_t majors = leg.majors - (is_border && !leg.minors);

    return steps >> (leg.majors ? leg.major : leg.minor) & 1 &&
           cn_jump_line_is_clear(query, turn_x, turn_y, leg.minor, minors) &&
           cn_jump_major_is_clear(query, has_borders, node, x, y, &leg, majors);
}

CN_ALWAYS_INLINE void cn_jump_square_runs(cn_jump_arcs *out, cn_jump_shape shape, uint32_t x,
                                          uint32_t y, unsigned steps)
{
    unsigned runs = steps & out->query->jump->hits[out->node];
    if (runs & 1u << CN_E)
        cn_jump_minor(out, shape, x, y, 0, CN_E);
    if (runs & 1u << CN_W)
        cn_jump_minor(out, shape, x, y, 0, CN_W);
    if (runs & 1u << CN_S)
        cn_jump_minor(out, shape, x, y, 0, CN_S);
    if (runs & 1u << CN_N)
        cn_jump_minor(out, shape, x, y, 0, CN_N);
    if (steps & 1u << CN_SE)
        cn_jump_diagonal(out, shape, x, y, CN_SE);
    if (steps & 1u << CN_SW)
        cn_jump_diagonal(out, shape, x, y, CN_SW);
    if (steps & 1u << CN_NE)
        cn_jump_diagonal(out, shape, x, y, CN_NE);
    if (steps & 1u << CN_NW)
        cn_jump_diagonal(out, shape, x, y, CN_NW);
}

CN_ALWAYS_INLINE void cn_jump_cross_runs(cn_jump_arcs *out, uint32_t x, uint32_t y, unsigned steps)
{
    unsigned hits = out->query->jump->hits[out->node];
    cn_jump_minors(out, CN_JUMP_CROSS, x, y, 0, steps & hits, CN_E, CN_W);
    if (steps & 1u << CN_S)
        cn_jump_major(out, CN_JUMP_CROSS, x, y, CN_S, CN_E, CN_W);
    if (steps & 1u << CN_N)
        cn_jump_major(out, CN_JUMP_CROSS, x, y, CN_N, CN_E, CN_W);
}

CN_ALWAYS_INLINE void cn_jump_hex_runs(cn_jump_arcs *out, uint32_t x, uint32_t y, unsigned steps)
{
    unsigned hits = out->query->jump->hits[out->node];
    cn_jump_minors(out, CN_JUMP_HEX, x, y, 0, steps & hits, CN_W, CN_SE);
    if (steps & hits & 1u << CN_NE)
        cn_jump_minor(out, CN_JUMP_HEX, x, y, 0, CN_NE);
    if (steps & 1u << CN_E)
        cn_jump_major(out, CN_JUMP_HEX, x, y, CN_E, CN_SE, CN_NE);
    if (steps & 1u << CN_SW)
        cn_jump_major(out, CN_JUMP_HEX, x, y, CN_SW, CN_W, CN_SE);
    if (steps & 1u << CN_NW)
        cn_jump_major(out, CN_JUMP_HEX, x, y, CN_NW, CN_W, CN_NE);
}

CN_ALWAYS_INLINE void cn_jump_runs(cn_jump_arcs *out, cn_jump_shape shape, uint32_t x, uint32_t y,
                                   unsigned steps)
{
    if (shape == CN_JUMP_CROSS)
        cn_jump_cross_runs(out, x, y, steps);
    else if (shape == CN_JUMP_HEX)
        cn_jump_hex_runs(out, x, y, steps);
    else
        cn_jump_square_runs(out, shape, x, y, steps);
}

/* The one arc from a node that sees the goal, whose bound is then its cost. */
CN_ALWAYS_INLINE cn_leaving cn_jump_to_goal(const cn_query *query, const cn_visit *visit)
{
    cn_arc *arc = visit->scratch->arcs.items;
    const cairn_cost cost = cn_record_bound(visit->record);
    *arc = (cn_arc){.to = query->goal_number, .cost = cost, .arrival = CN_NOWHERE};
    return (cn_leaving){arc, 1, 0};
}

CN_ALWAYS_INLINE cn_leaving cn_jump_arcs_from(const cn_query *query, const cn_visit *visit,
                                              cn_jump_shape shape)
{
    cn_jump_arcs out = {.query = query,
                        .visit = visit,
                        .node = visit->node,
                        .most = shape == CN_JUMP_CUT ? CN_JUMP_MINORS_CUT : CN_JUMP_MINORS_MOST,
                        .metric = query->metric,
                        .next = visit->scratch->arcs.items,
                        .limit = visit->arrival == CN_NOWHERE ? visit->scratch->limit
                                                              : CAIRN_UNREACHABLE};
    const cairn_node node = visit->node;
    cn_record *record = visit->record;
    unsigned around = query->grid->around[node];
    unsigned steps = cn_record_take_steps(record, query->grid->canonical[visit->arrival][around]);
    uint32_t x, y;

    if (!steps)
        return (cn_leaving){NULL, 0, 0};
    cn_grid_xy(query->grid, node, &x, &y);
    if (cn_record_bound(record) == cn_jump_base(query, shape, x, y) &&
        cn_jump_sees_goal(query, false, node, x, y, steps))
        return cn_jump_to_goal(query, visit);
    cn_jump_runs(&out, shape, x, y, steps);
    return (cn_leaving){visit->scratch->arcs.items, (size_t)(out.next - visit->scratch->arcs.items),
                        0};
}

/* The cost from the node above which nothing matters. */
CN_ALWAYS_INLINE cairn_cost cn_jump_limit(const cn_visit *visit)
{
    cairn_cost limit = visit->scratch->limit;
    return limit == CAIRN_UNREACHABLE ? limit : limit - visit->record->g;
}

/* The costs of steps between a cell and cells like it. Without diagonal steps two others take the
 * place of one. */
CN_ALWAYS_INLINE cairn_metric cn_jump_metric(const cn_query *query, cn_jump_shape shape,
                                             cairn_node node)
{
    uint32_t factor = query->grid->rules.factor[query->grid->letters[node]];
    cairn_cost straight = cn_step_cost(query->map, CN_E, factor, factor);
    return (cairn_metric){straight, shape == CN_JUMP_CROSS
                                        ? 2 * straight
                                        : cn_step_cost(query->map, CN_SE, factor, factor)};
}

/* The steps from a border that a canonical path may take. */
CN_ALWAYS_INLINE unsigned cn_jump_border_steps(const cn_query *query, cairn_node border,
                                               unsigned arrival)
{
    return arrival == CN_NOWHERE || !query->jump->border_steps
               ? cn_grid_steps(query->grid, border)
               : query->jump->border_steps[(size_t)border * CN_DIRECTIONS + arrival];
}

/* Adds the steps from a border to other borders, which may cost more or less than other runs, if
 * they may be entered. Returns the rest. */
CN_ALWAYS_INLINE unsigned cn_jump_single_steps(cn_jump_arcs *out, unsigned steps)
{
    const cn_query *query = out->query;
    const int32_t *offset = cn_grid_offsets(query->grid, out->node);

    for (unsigned left = steps; left; left &= left - 1) {
        unsigned direction = cn_lowest_bit(left);
        cairn_node to = out->node + (cairn_node)offset[direction];
        if (!cn_jump_is_border(query->jump, to))
            continue;
        steps &= ~(1u << direction);
        const cairn_cost extra = query->avoided ? cn_avoidance_extra_if_met(query->avoided, to) : 0;
        if (extra == CAIRN_UNREACHABLE)
            continue;
        cn_jump_add(out, to, cn_grid_step_cost(query->map, out->node, to, direction) + extra,
                    direction);
        if (query->jump->border_steps)
            CN_PREFETCH(query->jump->border_steps + (size_t)to * CN_DIRECTIONS);
    }
    return steps;
}

/* Adds the runs from a node where there may be borders. One to the goal is not always the cheapest
 * path to it, so the others are followed as well. */
CN_ALWAYS_INLINE void cn_jump_runs_among_borders(cn_jump_arcs *out, cn_jump_shape shape,
                                                 unsigned steps, bool is_border)
{
    const cn_query *query = out->query;
    const cairn_cost least = cn_record_bound(out->visit->record);
    uint32_t x, y;

    if (is_border)
        steps = cn_jump_single_steps(out, steps);
    if (!steps)
        return;
    cn_grid_xy(query->grid, out->node, &x, &y);
    out->metric = cn_jump_metric(query, shape, out->node);
    cairn_cost cost = cn_jump_leg_cost(query, shape, out->metric, x, y);
    if (cost >= least && cost < out->limit &&
        cn_jump_sees_goal(query, true, out->node, x, y, steps)) {
        *out->next++ = (cn_arc){.to = query->goal, .cost = cost, .arrival = CN_NOWHERE};
        out->limit = cost;
        if (cost == least)
            return;
    }
    cn_jump_runs(out, shape, x, y, steps);
}

CN_ALWAYS_INLINE cn_leaving cn_jump_arcs_among_borders(const cn_query *query, const cn_visit *visit,
                                                       cn_jump_shape shape)
{
    const bool is_border = cn_jump_is_border(query->jump, visit->node);
    cn_jump_arcs out = {.query = query,
                        .visit = visit,
                        .node = visit->node,
                        .has_borders = true,
                        .most = query->entries ? CN_JUMP_MINORS_AT_BORDERS : CN_JUMP_MINORS_MOST,
                        .next = visit->scratch->arcs.items,
                        .limit = cn_jump_limit(visit)};
    unsigned around = query->grid->around[visit->node];
    unsigned steps = is_border ? cn_jump_border_steps(query, visit->node, visit->arrival)
                               : query->grid->canonical[visit->arrival][around];

    steps = cn_record_take_steps(visit->record, steps);
    cn_jump_runs_among_borders(&out, shape, steps, is_border);
    return (cn_leaving){visit->scratch->arcs.items, (size_t)(out.next - visit->scratch->arcs.items),
                        0};
}

CN_ALWAYS_INLINE cn_leaving cn_arcs_of_jumps(const void *context, const cn_visit *visit)
{
    return cn_jump_arcs_from(context, visit, CN_JUMP_CLASSIC);
}

CN_ALWAYS_INLINE cn_leaving cn_arcs_of_cut_jumps(const void *context, const cn_visit *visit)
{
    return cn_jump_arcs_from(context, visit, CN_JUMP_CUT);
}

CN_ALWAYS_INLINE cn_leaving cn_arcs_of_cross_jumps(const void *context, const cn_visit *visit)
{
    return cn_jump_arcs_from(context, visit, CN_JUMP_CROSS);
}

CN_ALWAYS_INLINE cn_leaving cn_arcs_of_hex_jumps(const void *context, const cn_visit *visit)
{
    return cn_jump_arcs_from(context, visit, CN_JUMP_HEX);
}

CN_ALWAYS_INLINE cn_leaving cn_arcs_of_jumps_among_borders(const void *context,
                                                           const cn_visit *visit)
{
    return cn_jump_arcs_among_borders(context, visit, CN_JUMP_CLASSIC);
}

CN_ALWAYS_INLINE cn_leaving cn_arcs_of_cut_jumps_among_borders(const void *context,
                                                               const cn_visit *visit)
{
    return cn_jump_arcs_among_borders(context, visit, CN_JUMP_CUT);
}

CN_ALWAYS_INLINE cn_leaving cn_arcs_of_cross_jumps_among_borders(const void *context,
                                                                 const cn_visit *visit)
{
    return cn_jump_arcs_among_borders(context, visit, CN_JUMP_CROSS);
}

CN_ALWAYS_INLINE cn_leaving cn_arcs_of_hex_jumps_among_borders(const void *context,
                                                               const cn_visit *visit)
{
    return cn_jump_arcs_among_borders(context, visit, CN_JUMP_HEX);
}

#endif
