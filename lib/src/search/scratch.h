/*
 * What a search works with, whatever it moves along: the open list, the records of the nodes that
 * it has discovered, and how far it may go before it pauses. The memory is kept from run to run.
 */
#ifndef CN_SEARCH_SCRATCH_H
#define CN_SEARCH_SCRATCH_H

#include "grid/directions.h"
#include "graph/graph.h"
#include "search/open_list.h"

/* How far a search may go before it pauses, and whom it asks whether to go on. */
typedef struct cn_slice {
    uint64_t expansions; /* pause when so many nodes have been expanded */
    uint64_t end;        /* pause at this time of the clock, in microseconds; 0: at no time */
    bool (*cancel)(void *context);
    void *cancel_context;
} cn_slice;

/* What a search knows of a node, in a quarter of a cache line. Records of earlier searches have
 * another stamp, so that they need not be cleared. All but g is read and written by the functions
 * below alone. */
typedef struct cn_record {
    cairn_cost g;    /* cost of the cheapest path found so far */
    cairn_cost h;    /* the bound, computed when the node was discovered */
    uint32_t mark;   /* stamp of the search; below it, the directions of arrival from 4 on at
                      * this cost; in the low byte, the steps that have been taken */
    uint32_t parent; /* a node; in the bits above, the directions of arrival below 4 at this
                      * cost */
} cn_record;

_Static_assert(sizeof(cn_record) == 16, "four records in a line of the cache");

enum { CN_STAMP_SHIFT = 12, CN_LATE_SHIFT = 8, CN_STEPS_MASK = 0xff };
#define CN_STAMP_MAX ((1u << (32 - CN_STAMP_SHIFT)) - 1)

/* ------------------------------------------------------------------------------- one record -- */

/* The record of the start of a path, which is its own parent. Here and below a stamp is at its
 * position in a mark. */
CN_ALWAYS_INLINE cn_record cn_record_of_start(uint32_t stamp, cairn_node start, cairn_cost bound)
{
    return (cn_record){.h = bound, .mark = stamp, .parent = start};
}

/* The record of a goal that a path of cost `g` has reached. */
CN_ALWAYS_INLINE cn_record cn_record_of_goal(uint32_t stamp, cairn_node parent, cairn_cost g)
{
    return (cn_record){.g = g, .mark = stamp, .parent = parent};
}

/* The record of a node that has a bound before a path reaches it, where a directory tells what is
 * known: it has no stamp. */
CN_ALWAYS_INLINE cn_record cn_record_before_arrival(cairn_cost bound)
{
    return (cn_record){.g = CAIRN_UNREACHABLE, .h = bound};
}

CN_ALWAYS_INLINE bool cn_record_has_stamp(const cn_record *record, uint32_t stamp)
{
    return record->mark >> CN_STAMP_SHIFT << CN_STAMP_SHIFT == stamp;
}

CN_ALWAYS_INLINE cairn_cost cn_record_bound(const cn_record *record)
{
    return record->h;
}

CN_ALWAYS_INLINE void cn_record_set_bound(cn_record *record, cairn_cost bound)
{
    record->h = bound;
}

CN_ALWAYS_INLINE cairn_node cn_record_parent(const cn_record *record)
{
    return CN_NODE_OF(record->parent);
}

/* Directions of arrival, a bit each, as they are in a parent and in a mark. */
CN_ALWAYS_INLINE uint32_t cn_record_arrivals_in_parent(unsigned arrivals)
{
    return (arrivals & 0xf) << CN_ARRIVAL_SHIFT;
}

CN_ALWAYS_INLINE uint32_t cn_record_arrivals_in_mark(unsigned arrivals)
{
    return (arrivals >> 4 & 0xf) << CN_LATE_SHIFT;
}

/* Notes the cheapest path so far, after which no step has been taken yet. */
CN_ALWAYS_INLINE void cn_record_reach(cn_record *record, uint32_t stamp, cairn_node parent,
                                      cairn_cost g, unsigned arrivals)
{
    record->g = g;
    record->mark = stamp | cn_record_arrivals_in_mark(arrivals);
    record->parent = parent | cn_record_arrivals_in_parent(arrivals);
}

/* Notes the directions in which another path of the same cost arrives; false where one of them was
 * noted before. */
CN_ALWAYS_INLINE bool cn_record_add_arrivals(cn_record *record, unsigned arrivals)
{
    const uint32_t in_parent = cn_record_arrivals_in_parent(arrivals);
    const uint32_t in_mark = cn_record_arrivals_in_mark(arrivals);
    if (record->parent & in_parent || record->mark & in_mark)
        return false;
    record->parent |= in_parent;
    record->mark |= in_mark;
    return true;
}

/* Of some steps, those that have not been taken. What is above the steps in a mark does not matter:
 * a set of steps has eight bits. */
CN_ALWAYS_INLINE unsigned cn_record_untaken_steps(const cn_record *record, unsigned steps)
{
    return steps & ~record->mark;
}

/* Marks steps as taken, and returns those that had not been before. */
CN_ALWAYS_INLINE unsigned cn_record_take_steps(cn_record *record, unsigned steps)
{
    const unsigned untaken = cn_record_untaken_steps(record, steps);
    record->mark |= steps;
    return untaken;
}

/* For spaces that take all steps at once. */
CN_ALWAYS_INLINE void cn_record_take_all_steps(cn_record *record)
{
    record->mark |= CN_STEPS_MASK;
}

/* Whether a step has been taken since a path last improved the node. */
CN_ALWAYS_INLINE bool cn_record_is_expanded(const cn_record *record)
{
    return record->mark & CN_STEPS_MASK;
}

/* A walk that needs no costs keeps its stack in the records: each has the node below its own in
 * place of the bound. */
CN_ALWAYS_INLINE void cn_record_put_on(cn_record *record, uint32_t stamp, cairn_node below)
{
    record->mark = stamp;
    record->h = below;
}

CN_ALWAYS_INLINE cairn_node cn_record_below(const cn_record *record)
{
    return record->h;
}

/* ----------------------------------------------------------------- what a search works with -- */

/* Where the records are in a space that has them only for nodes which a run discovers: most runs
 * discover few, and to tell where a record is takes a quarter of one. */
typedef struct cn_record_directory {
    /* By node: the index of its record, and in the bits above it the stamp of the search that gave
     * it this one. */
    uint32_t *items;
    size_t count;
    unsigned bits;  /* of an index */
    uint32_t stamp; /* stamp of this search, at its position in an item; never 0 */
    uint32_t used;  /* records of this search */
} cn_record_directory;

typedef struct cn_scratch {
    cn_open_list open;
    cn_record *records; /* by node, or as the directory tells */
    size_t record_count;
    cn_record_directory directory;
    cn_arc_list arcs; /* with room for all arcs that the space gives at once; a space by corner
                       * makes room itself */
    uint32_t stamp;   /* stamp of this search, at its position in a mark; never 0 */
    unsigned shift;   /* keys are f >> shift */
    cairn_cost limit; /* only paths of less cost matter: the cost of the goal once it has been
                       * reached, before that an upper bound, or CAIRN_UNREACHABLE */
    bool is_cut;      /* some path was not followed because it costs more than CAIRN_COST_MAX */
    uint64_t expanded;
    uint64_t generated;
    uint64_t reopened; /* nodes that were improved after they had been expanded */
    uint64_t followed; /* arcs that left expanded nodes; the fast searches do not count them */
    uint64_t check_at; /* when so many nodes have been expanded, see cn_scratch_check */
    cn_slice slice;
    bool keeps_closed;      /* nodes that have been expanded are not reopened */
    bool is_paused;         /* the loop was left before its end, and the next call continues it */
    cairn_cost first_limit; /* the limit as it was before the goal was reached: see
                             * cn_scratch_has_path */
} cn_scratch;

/* What one search has done, or several. */
typedef struct cn_counts {
    uint64_t expanded;
    uint64_t generated;
    uint64_t reopened;
    uint64_t open_peak;
} cn_counts;

/* Adds what the search for a path has done. */
void cn_counts_add(cn_counts *counts, const cairn_path *path);

/* Fills them in. */
static inline void cn_counts_report(const cn_counts *counts, cairn_path *path)
{
    path->expanded = counts->expanded;
    path->generated = counts->generated;
    path->reopened = counts->reopened;
    path->open_peak = counts->open_peak;
}

/* Of the search so far. */
static inline cn_counts cn_scratch_counts(const cn_scratch *scratch)
{
    return (cn_counts){.expanded = scratch->expanded,
                       .generated = scratch->generated,
                       .reopened = scratch->reopened,
                       .open_peak = scratch->open.peak};
}

/* What the search so far has taken, in expansions: where nodes have very many arcs, that is by
 * these. */
static inline uint64_t cn_scratch_work(const cn_scratch *scratch)
{
    enum { ARCS_OF_A_NODE = 8 };
    const uint64_t by_arcs = scratch->followed / ARCS_OF_A_NODE;
    return scratch->expanded > by_arcs ? scratch->expanded : by_arcs;
}

size_t cn_scratch_memory(const cn_scratch *scratch);
void cn_scratch_free(cn_scratch *scratch);

/* Whether a path to the goal has been found: only that lowers the limit below the first one. The
 * limit is then its cost. */
CN_ALWAYS_INLINE bool cn_scratch_has_path(const cn_scratch *s)
{
    return s->limit != s->first_limit;
}

/* Begins a slice: at most so many more expansions (UINT64_MAX: no limit), until about this time of
 * the clock (0: no limit). It ends as well when the callback of the options says so. */
void cn_scratch_slice(cn_scratch *scratch, const cairn_search_options *options, uint64_t expansions,
                      uint64_t end);

/* Called when `check_at` nodes have been expanded: pauses the search where its slice has ended, or
 * says when to check again. CAIRN_E_CANCELLED when the caller has cancelled it. */
cairn_status cn_scratch_check(cn_scratch *scratch);

/* ---------------------------------------------------------------------------------- records -- */

/* From now on no node is known. */
void cn_scratch_forget(cn_scratch *scratch);

/* Makes room in the directory for so many nodes. CAIRN_E_MEMORY. */
cairn_status cn_scratch_reserve_directory(cn_scratch *scratch, uint32_t count);

/* Whether the present run has discovered a node. */
CN_ALWAYS_INLINE bool cn_scratch_knows(const cn_scratch *s, bool by_directory, cairn_node node)
{
    if (by_directory)
        return s->directory.items[node] >> s->directory.bits ==
               s->directory.stamp >> s->directory.bits;
    return cn_record_has_stamp(&s->records[node], s->stamp);
}

/* The record of a node that it has discovered. */
CN_ALWAYS_INLINE cn_record *cn_scratch_record(const cn_scratch *s, bool by_directory,
                                              cairn_node node)
{
    if (by_directory)
        return &s->records[s->directory.items[node] & ((1u << s->directory.bits) - 1)];
    return &s->records[node];
}

/* The record for a node that it discovers; there must be room for it. */
CN_ALWAYS_INLINE cn_record *cn_scratch_new_record(cn_scratch *s, bool by_directory, cairn_node node)
{
    if (!by_directory)
        return &s->records[node];
    s->directory.items[node] = s->directory.stamp | s->directory.used;
    return &s->records[s->directory.used++];
}

bool cn_scratch_grow_records(cn_scratch *scratch, size_t more);

/* Makes room for so many records more; false when there is no memory. */
CN_ALWAYS_INLINE bool cn_scratch_reserve_records(cn_scratch *s, bool by_directory, size_t more)
{
    return !by_directory || CN_LIKELY(s->directory.used + more <= s->record_count) ||
           cn_scratch_grow_records(s, more);
}

/* The next call of the loop begins with what the caller has put on the open list, as if the loop
 * had been left. */
CN_ALWAYS_INLINE void cn_scratch_begin_prepared(cn_scratch *scratch)
{
    scratch->first_limit = scratch->limit;
    scratch->is_cut = false;
    scratch->is_paused = true;
}

/* A search that was left before its end is not continued. */
CN_ALWAYS_INLINE void cn_scratch_give_up(cn_scratch *scratch)
{
    scratch->is_paused = false;
}

#endif
