/*
 * Dijkstra's algorithm from the common end of a run with many members to the nearest of them: what
 * is quickest where bounds say little. It grows a ball in slices, beside the searches for single
 * members, which then need not expand many times as much (nearest.c).
 *
 * The loop is that of A*, with a bound that only tells members from other nodes: from these a path
 * to a member costs at least 1. Members have their records, at infinite cost, before it begins.
 * Records are by directory, so that a small ball takes little memory, most of it near by.
 */
#include "nearest/ball.h"

enum { BOUND_OF_MEMBERS = 0, BOUND_OF_OTHERS = 1 };

static cn_arc_span arcs_at(const cn_ball *ball, cairn_node node, cn_arc_list *room)
{
    cn_arc_span span = cn_map_arcs(ball->map, node, ball->way, room->items);
    if (!ball->avoided)
        return span;
    if (!cn_arc_list_reserve(room, span.count))
        return (cn_arc_span){NULL, CN_NO_ROOM};
    return ball->way == CN_FORWARD ? cn_avoidance_arcs(ball->avoided, span, room->items)
                                   : cn_avoidance_arcs_to(ball->avoided, node, span, room->items);
}

/* From a member nothing leaves: only paths that cost less matter from here on. */
static cn_leaving arcs_of_ball(const void *context, const cn_visit *visit)
{
    if (cn_record_bound(visit->record) == BOUND_OF_MEMBERS) {
        visit->scratch->limit = visit->record->g;
        return (cn_leaving){0};
    }
    const cn_arc_span span = arcs_at(context, visit->node, &visit->scratch->arcs);
    return (cn_leaving){span.arcs, span.count, 0};
}

static cn_xy no_xy(const void *context, cairn_node node)
{
    (void)context;
    (void)node;
    return 0;
}

static cairn_cost bound_of_others(const void *context, cairn_node node, cn_xy xy)
{
    (void)context;
    (void)node;
    (void)xy;
    return BOUND_OF_OTHERS;
}

/* Nodes have records as corners do elsewhere, at no direction of arrival. */
static cairn_status run_ball(cn_ball *ball, cairn_cost *cost)
{
    static const cn_space space = {.arcs = arcs_of_ball,
                                   .xy = no_xy,
                                   .bound_at = bound_of_others,
                                   .is_fetched = true,
                                   .open = CN_OPEN_BUCKETS};
    return cn_astar_run(&space, ball, &ball->scratch, ball->center, 0, CAIRN_NO_NODE, cost);
}

/* Keys are as coarse as the least arc, so that no node is expanded again. */
static cairn_status reserve_buckets(cn_ball *ball)
{
    cn_scratch *scratch = &ball->scratch;
    scratch->shift = cn_highest_bit(cn_map_cheapest(ball->map));
    const uint32_t rise = cn_map_dearest(ball->map) >> scratch->shift;
    const uint32_t serving = cn_open_buckets_for((uint64_t)rise + 2);
    const uint32_t count = serving ? serving : CN_BUCKETS_MAX;

    if (count == scratch->open.bucket_count)
        return CAIRN_OK;
    cn_open_free(&scratch->open);
    return cn_open_init(&scratch->open, scratch->arcs.mem, count);
}

/* Gives members their records. */
static bool place_members(cn_scratch *scratch, const cairn_node *members, size_t count)
{
    if (!cn_scratch_reserve_records(scratch, true, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (cn_scratch_knows(scratch, true, members[i]))
            continue;
        cn_record *record = cn_scratch_new_record(scratch, true, members[i]);
        *record = cn_record_before_arrival(BOUND_OF_MEMBERS);
    }
    return true;
}

cairn_status cn_ball_begin(cairn_search *search, cairn_node center, cn_way way,
                           const cairn_node *members, size_t count)
{
    cn_ball *ball = &search->ball;
    cn_scratch *scratch = &ball->scratch;

    ball->map = search->map;
    ball->center = center;
    ball->avoided = search->avoidance.count ? &search->avoidance : NULL;
    ball->way = way;
    cairn_status status = cn_scratch_reserve_directory(scratch, cn_map_node_count(ball->map));
    if (status == CAIRN_OK)
        status = reserve_buckets(ball);
    if (status != CAIRN_OK)
        return status;
    cn_scratch_forget(scratch);
    scratch->limit = scratch->first_limit = CAIRN_UNREACHABLE;
    scratch->is_paused = false;
    scratch->expanded = 0;
    return cn_arc_list_reserve(&scratch->arcs, CN_ARCS_SCRATCH) &&
                   place_members(scratch, members, count)
               ? CAIRN_OK
               : CAIRN_E_MEMORY;
}

cairn_status cn_ball_grow(cairn_search *search, uint64_t expansions, uint64_t end,
                          cairn_cost ceiling, cairn_cost *cost)
{
    cn_ball *ball = &search->ball;
    cn_scratch *scratch = &ball->scratch;

    if (!cn_scratch_has_path(scratch) && ceiling < scratch->limit)
        scratch->limit = scratch->first_limit = ceiling;
    cn_scratch_slice(scratch, &search->options, expansions, end);
    return run_ball(ball, cost);
}

uint32_t cn_ball_member_at(const cn_ball *ball, const cairn_node *members, cairn_cost cost)
{
    uint32_t index = 0;
    while (cn_scratch_record(&ball->scratch, true, members[index])->g != cost)
        index++;
    return index;
}

uint64_t cn_ball_size_at(const cn_ball *ball, cairn_cost cost)
{
    enum { SHIFT = 8, TIMES_MOST = 1 << 16 };
    const cn_scratch *scratch = &ball->scratch;
    const uint64_t reached = ((uint64_t)scratch->open.current << scratch->shift) + 1;
    const uint64_t times = ((uint64_t)cost << SHIFT) / reached;
    const uint64_t all = cairn_map_open_count(ball->map);
    if (times > TIMES_MOST)
        return all;
    const uint64_t size = (scratch->expanded * times >> SHIFT) * times >> SHIFT;
    return size < all ? size : all;
}
