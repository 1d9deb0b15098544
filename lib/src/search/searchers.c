/*
 * The searches that are compiled once: those of any map with any option, those of grids without
 * rows or with rows that are not read as they are, and those among borders. The other searches with
 * rows are compiled for each set of vector instructions (search_portable.c, search_avx2.c). Which
 * of all these a query needs is chosen here.
 */
#include "search/search.h"

/* ----------------------------------------------------------------------------------- any map -- */

/* Over all steps, with a bound that is dispatched at run time. */
CN_ALWAYS_INLINE cn_leaving arcs_of_general(const void *context, const cn_visit *visit)
{
    const cn_query *query = context;
    cn_record_take_all_steps(visit->record);
    if (query->on_expand)
        query->on_expand(query->expand_context, visit->node);
    cn_arc_span span = cn_query_arcs(query, visit->node, visit->scratch->arcs.items);
    visit->scratch->followed += span.count;
    return (cn_leaving){span.arcs, span.count, 0};
}

static cairn_cost bare_bound(const cn_query *query, cairn_node node)
{
    if (query->own_bound) {
        const cairn_cost bound = query->own_bound(query->own_context, node);
        return bound == CAIRN_UNREACHABLE ? bound : cn_cost_capped(bound);
    }
    cairn_cost base = cn_base_between(query->map, query->heuristic, node, query->goal);
    return query->entries ? cn_larger_cost(base, cn_query_rows(query, node)) : base;
}

/* A weighted bound that would not fit is limited: with less weight the same guarantee holds. */
static cairn_cost bound_of_general(const void *context, cairn_node node)
{
    const cn_query *query = context;
    cairn_cost bound = bare_bound(query, node);
    if (query->weight == CN_WEIGHT_ONE || bound == CAIRN_UNREACHABLE)
        return bound;
    return cn_cost_capped((uint64_t)bound * query->weight / CN_WEIGHT_ONE);
}

static const void *reads_of_general(const void *context, cairn_node node)
{
    const cn_query *query = context;
    return query->entries ? cn_reads_rows(query, node) : query;
}

/* A search of a space that has these members. */
#define SEARCH_OF(name, ...)                                                                  \
  static CN_NOINLINE cairn_status name(const cn_query *query, cn_scratch *scratch,            \
                                       cairn_cost *cost)                                      \
  {                                                                                           \
    static const cn_space space = {__VA_ARGS__};                                              \
    return cn_astar_run(&space, query, scratch, query->start, CN_NOWHERE, query->goal, cost); \
  }

/* For bounds that are consistent. */
SEARCH_OF(search_general, .arcs = arcs_of_general, .bound = bound_of_general,
          .reads = reads_of_general, .open = CN_OPEN_BUCKETS)

/* For all bounds, with every order of equal keys. */
SEARCH_OF(search_general_ties, .arcs = arcs_of_general, .bound = bound_of_general,
          .reads = reads_of_general, .open = CN_OPEN_HEAP, .reopens = true)

/* ------------------------------------------------------------------------- rows at corners -- */

/* Beside a table of corners the rows speak at its members alone. So nodes hand their bounds on:
 * along a step the cost to the goal changes by no more than the step costs. */
CN_ALWAYS_INLINE cairn_cost fall_along(const void *context, cairn_cost cost)
{
    (void)context;
    return cost;
}

/* Times the weight, rounded up. */
CN_ALWAYS_INLINE cairn_cost fall_of_general(const void *context, cairn_cost cost)
{
    const cn_query *query = context;
    return cn_cost_capped(((uint64_t)cost * query->weight + CN_WEIGHT_ONE - 1) / CN_WEIGHT_ONE);
}

SEARCH_OF(general_at_corners, .arcs = arcs_of_general, .bound = bound_of_general,
          .fall = fall_of_general, .open = CN_OPEN_BUCKETS, .reopens = true)

SEARCH_OF(general_at_corners_ties, .arcs = arcs_of_general, .bound = bound_of_general,
          .fall = fall_of_general, .open = CN_OPEN_HEAP, .reopens = true)

/* ------------------------------------------------------------------------------------- grids -- */

#define ANY_TARGET
CN_DEFINE_SEARCHES(ANY_TARGET, base, cn_bound_of_base, cn_bound_of_hex_base, NULL)

/* The bound of rows that count steps: one for every processor and width, since special searches
 * would gain too little. */
static cairn_cost bound_of_scaled(const void *context, cairn_node node)
{
    return cn_larger_cost(cn_query_base(context, node), cn_query_rows(context, node));
}

static cairn_cost hex_bound_of_scaled(const void *context, cairn_node node)
{
    return cn_larger_cost(cn_query_hex_base(context, node), cn_query_rows(context, node));
}

CN_DEFINE_SEARCHES(ANY_TARGET, scaled, bound_of_scaled, hex_bound_of_scaled, cn_reads_rows)

SEARCH_OF(cells_at_corners, .arcs = cn_arcs_of_cell, .bound = bound_of_scaled, .fall = fall_along,
          .open = CN_OPEN_BUCKETS, .reopens = true)

/* Jump points among borders, with the base heuristic alone or with rows. Entering an avoided node
 * may cost so much that its key lies beyond the buckets: then it waits in the open list. */
CN_ALWAYS_INLINE cairn_cost base_among_borders(const void *context, cairn_node node)
{
    return cn_query_sloping_base(context, false, node);
}

CN_ALWAYS_INLINE cairn_cost hex_base_among_borders(const void *context, cairn_node node)
{
    return cn_query_sloping_base(context, true, node);
}

CN_ALWAYS_INLINE cairn_cost rows_among_borders(const void *context, cairn_node node)
{
    return cn_larger_cost(base_among_borders(context, node), cn_query_rows(context, node));
}

CN_ALWAYS_INLINE cairn_cost hex_rows_among_borders(const void *context, cairn_node node)
{
    return cn_larger_cost(hex_base_among_borders(context, node), cn_query_rows(context, node));
}

#define BORDER_SEARCHES(what, bound, reads)                                                        \
  CN_DEFINE_SEARCH(ANY_TARGET, jump_border_##what, cn_arcs_of_jumps_among_borders, bound, reads,   \
                   CN_MERGE_BY_ALL)                                                                \
  CN_DEFINE_SEARCH(ANY_TARGET, cut_border_##what, cn_arcs_of_cut_jumps_among_borders, bound,       \
                   reads, CN_MERGE_BY_ALL)                                                         \
  CN_DEFINE_SEARCH(ANY_TARGET, cross_border_##what, cn_arcs_of_cross_jumps_among_borders, bound,   \
                   reads, CN_MERGE_BY_ALL)                                                         \
  CN_DEFINE_SEARCH(ANY_TARGET, hex_border_##what, cn_arcs_of_hex_jumps_among_borders, hex_##bound, \
                   reads, CN_MERGE_BY_ALL)

BORDER_SEARCHES(base, base_among_borders, NULL)
BORDER_SEARCHES(rows, rows_among_borders, cn_reads_rows)

SEARCH_OF(jump_border_at_corners, .arcs = cn_arcs_of_jumps_among_borders,
          .bound = rows_among_borders, .is_fetched = true, .fall = fall_along,
          .open = CN_OPEN_BUCKETS, .merging = CN_MERGE_BY_ALL, .reopens = true)

/* -------------------------------------------------------------------------------- the choice -- */

static cn_searcher search_among_borders(const cn_query *query)
{
    static const cn_searcher base[CN_JUMP_SHAPES] = {jump_border_base, cut_border_base,
                                                     cross_border_base, hex_border_base};
    static const cn_searcher rows[CN_JUMP_SHAPES] = {jump_border_rows, cut_border_rows,
                                                     cross_border_rows, hex_border_rows};
    if (query->corner_table)
        return jump_border_at_corners;
    return (query->entries ? rows : base)[query->jump->shape];
}

const cn_searchers *cn_searchers_for(cn_cpu cpu)
{
#if CN_CPU_X86
    if (cpu >= CN_CPU_AVX2)
        return &cn_searchers_avx2;
#endif
    (void)cpu;
    return &cn_searchers_portable;
}

/* The kind of the compiled search. */
static unsigned kind_of(const cairn_search *search)
{
    if (search->query.corners)
        return CN_KIND_CORNERS;
    return search->space == CAIRN_SPACE_JUMP ? CN_KIND_JUMP + search->query.jump->shape
                                             : CN_KIND_CELLS;
}

static cn_searcher choose_general(const cairn_search *search)
{
    const bool at_corners = search->query.corner_table;
    if (search->scratch.open.bucket_count)
        return at_corners ? general_at_corners : search_general;
    return at_corners ? general_at_corners_ties : search_general_ties;
}

cn_searcher cn_search_choose_searcher(const cairn_search *search)
{
    static const cn_searcher base[CN_KINDS] = CN_LIST_SEARCHES(base, NULL);
    static const cn_searcher scaled[CN_KINDS] = CN_LIST_SEARCHES(scaled, NULL);
    const cn_searchers *searchers = search->searchers;

    if (search->is_general || (search->query.avoided && search->space == CAIRN_SPACE_CELLS))
        return choose_general(search);
    if (search->space == CAIRN_SPACE_JUMP && search->query.jump->borders)
        return search_among_borders(&search->query);
    const unsigned kind = kind_of(search);
    if (!search->query.entries)
        return kind == CN_KIND_CORNERS ? searchers->corners_base : base[kind];
    if (search->query.corner_table)
        return cells_at_corners;
    if (search->query.scale.factor)
        return scaled[kind];
    const bool is_narrow = search->table->entry_bits == 16;
    if (search->query.gate_view)
        return (is_narrow ? searchers->gates_16 : searchers->gates_32)[kind];
    return (is_narrow ? searchers->rows_16 : searchers->rows_32)[kind];
}
