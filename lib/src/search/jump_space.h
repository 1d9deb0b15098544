/*
 * Jump points as a space for the core. Where corners cannot be cut, every jump point of a
 * diagonal run is a cell from which a straight run hits one: such cells are passed through, and
 * only the ends of straight runs become nodes. Part of grid_spaces.h.
 *
 * A node may be reached at the same cost from several directions, each asking for steps of its
 * own; the low byte of its mark says which have been taken, so that each is searched once.
 */
#ifndef CN_SEARCH_JUMP_SPACE_H
#define CN_SEARCH_JUMP_SPACE_H

#include "search/grid_spaces.h"

/* The arcs being put together for one node. */
typedef struct cn_jump_arcs {
    const cn_query *query;
    const cn_visit *visit;
    cairn_node node;            /* the cell of the visit */
    const cn_corners *corners;  /* as in the query; a constant, so that a branch on it is none */
    cn_arc *next;
    cairn_cost limit;  /* what is known to cost as much is left out; CAIRN_UNREACHABLE: nothing */
} cn_jump_arcs;

CN_ALWAYS_INLINE void cn_jump_add(cn_jump_arcs *out, cairn_node to, cairn_cost cost,
                                  unsigned direction)
{
    CN_PREFETCH(&out->visit->scratch->records[to]);
    if (out->query->entries)
        CN_PREFETCH(cn_reads_rows(out->query, to));
    *out->next++ = (cn_arc){.to = to, .cost = cost, .arrival = direction};
}

/* Adds where the run in a straight direction from a cell ends, `cost` lying behind it. */
CN_ALWAYS_INLINE void cn_jump_straight(cn_jump_arcs *out, uint32_t x, uint32_t y, cairn_cost cost,
                                       unsigned direction)
{
    const cn_query *query = out->query;
    const cn_jump *jump = query->jump;
    bool is_row = direction == CN_E || direction == CN_W;
    bool is_forward = direction == CN_E || direction == CN_S;
    const cn_stops *line = is_row ? jump->rows + y * jump->row_words
                                  : jump->columns + x * jump->column_words;
    uint32_t from = is_row ? x : y;
    uint32_t end = is_forward ? cn_jump_forward(line, from) : cn_jump_backward(line, from);
    uint32_t length = is_forward ? end - from : from - end;
    uint32_t to_x = is_row ? end : x, to_y = is_row ? y : end;
    uint32_t to = out->corners ? cn_corners_rank(out->corners, to_x, to_y)
                               : to_y * query->grid->width + to_x;

    cn_jump_add(out, to, cost + length * query->metric.straight, direction);
}

CN_ALWAYS_INLINE bool cn_jump_is_beyond(const cn_jump_arcs *out, uint32_t x, uint32_t y,
                                        cairn_cost cost)
{
    const cn_query *query = out->query;
    cairn_cost base = cn_octile(query->metric, x, y, query->goal_x, query->goal_y);
    return (uint64_t)cost + base >= out->limit;
}

/* Walks a diagonal as far as it is legal; straight runs leave from its cells. Only from the start
 * does it pay to look whether the diagonal leads too far from the goal: elsewhere the direction of
 * arrival has seen to that. */
CN_ALWAYS_INLINE void cn_jump_diagonal(cn_jump_arcs *out, uint32_t x, uint32_t y,
                                       unsigned direction)
{
    const cn_query *query = out->query;
    const uint8_t *hits = query->jump->hits;
    bool is_east = direction == CN_SE || direction == CN_NE;
    bool is_south = direction == CN_SE || direction == CN_SW;
    unsigned horizontal = is_east ? CN_E : CN_W, vertical = is_south ? CN_S : CN_N;
    ptrdiff_t offset = query->grid->offset[direction];
    const uint8_t *hit = hits + out->node;
    uint32_t length = 0;

    do {
        hit += offset;
        length++;
        if (!(*hit & (1u << horizontal | 1u << vertical)))
            continue;
        uint32_t at_x = is_east ? x + length : x - length;
        uint32_t at_y = is_south ? y + length : y - length;
        cairn_cost cost = length * query->metric.diagonal;
        if (out->limit != CAIRN_UNREACHABLE && cn_jump_is_beyond(out, at_x, at_y, cost))
            break;
        if (*hit >> horizontal & 1)
            cn_jump_straight(out, at_x, at_y, cost, horizontal);
        if (*hit >> vertical & 1)
            cn_jump_straight(out, at_x, at_y, cost, vertical);
    } while (*hit >> direction & 1);
}

static inline bool cn_jump_diagonal_is_open(const cn_query *query, cairn_node node,
                                            unsigned direction, uint32_t length)
{
    const uint8_t *hit = query->jump->hits + node;
    for (; length; length--, hit += query->grid->offset[direction]) {
        if (!(*hit >> direction & 1))
            return false;
    }
    return true;
}

/* Whether a diagonal and then a straight run lead from a cell to the goal, the first step being
 * one of `steps`. */
static inline bool cn_jump_sees_goal(const cn_query *query, cairn_node node, uint32_t x, uint32_t y,
                                     unsigned steps)
{
    const cn_jump *jump = query->jump;
    bool is_east = query->goal_x > x, is_south = query->goal_y > y;
    uint32_t across = is_east ? query->goal_x - x : x - query->goal_x;
    uint32_t down = is_south ? query->goal_y - y : y - query->goal_y;
    uint32_t diagonal = across < down ? across : down;
    unsigned direction = (is_south ? CN_SE : CN_NE) + (is_east ? 0u : 1u);
    uint32_t turn_x = is_east ? x + diagonal : x - diagonal;
    uint32_t turn_y = is_south ? y + diagonal : y - diagonal;

    if (!diagonal)
        direction = across ? (is_east ? CN_E : CN_W) : (is_south ? CN_S : CN_N);
    if (!(steps >> direction & 1))
        return false;
    if (across > down) {
        uint32_t first = is_east ? turn_x + 1 : query->goal_x;
        uint32_t last = is_east ? query->goal_x : turn_x - 1;
        if (!cn_jump_is_open(jump->open_rows + turn_y * jump->row_words, first, last))
            return false;
    } else if (down > across) {
        uint32_t first = is_south ? turn_y + 1 : query->goal_y;
        uint32_t last = is_south ? query->goal_y : turn_y - 1;
        if (!cn_jump_is_open(jump->open_columns + turn_x * jump->column_words, first, last))
            return false;
    }
    return cn_jump_diagonal_is_open(query, node, direction, diagonal);
}

CN_ALWAYS_INLINE cn_leaving cn_jump_arcs_from(const cn_query *query, const cn_visit *visit,
                                              cairn_node node, const cn_corners *corners)
{
    cn_jump_arcs out = {
        .query = query,
        .visit = visit,
        .node = node,
        .corners = corners,
        .next = visit->scratch->arcs,
        .limit = visit->arrival == CN_NOWHERE ? visit->scratch->limit : CAIRN_UNREACHABLE};
    cn_record *record = visit->record;
    unsigned around = query->grid->around[node];
    unsigned steps = query->grid->canonical[visit->arrival][around] & ~record->mark;
    uint32_t x, y;

    if (!steps)
        return (cn_leaving){NULL, 0, 0};
    record->mark |= steps;
    cn_grid_xy(query->grid, node, &x, &y);
    cairn_cost base = cn_octile(query->metric, x, y, query->goal_x, query->goal_y);
    if (record->h == base && cn_jump_sees_goal(query, node, x, y, steps)) {
        *out.next = (cn_arc){.to = query->goal_record, .cost = base, .arrival = CN_NOWHERE};
        return (cn_leaving){out.next, 1, 0};
    }

    unsigned runs = steps & query->jump->hits[node];
    if (runs & 1u << CN_E)
        cn_jump_straight(&out, x, y, 0, CN_E);
    if (runs & 1u << CN_W)
        cn_jump_straight(&out, x, y, 0, CN_W);
    if (runs & 1u << CN_S)
        cn_jump_straight(&out, x, y, 0, CN_S);
    if (runs & 1u << CN_N)
        cn_jump_straight(&out, x, y, 0, CN_N);
    if (steps & 1u << CN_SE)
        cn_jump_diagonal(&out, x, y, CN_SE);
    if (steps & 1u << CN_SW)
        cn_jump_diagonal(&out, x, y, CN_SW);
    if (steps & 1u << CN_NE)
        cn_jump_diagonal(&out, x, y, CN_NE);
    if (steps & 1u << CN_NW)
        cn_jump_diagonal(&out, x, y, CN_NW);
    return (cn_leaving){visit->scratch->arcs, (size_t)(out.next - visit->scratch->arcs), 0};
}

CN_ALWAYS_INLINE cn_leaving cn_arcs_of_jumps(const void *context, const cn_visit *visit)
{
    return cn_jump_arcs_from(context, visit, visit->node, NULL);
}

#endif
