/* The state of refreshing a table, which every file of the room works on, and what can be read of
 * it at any time. */
#ifndef CN_REFRESH_REFRESH_STATE_H
#define CN_REFRESH_REFRESH_STATE_H

#include "refresh/refresh_lanes.h"
#include "table/table.h"

/* A list that grows. */
typedef struct cn_list {
    void *items;
    size_t count;
    size_t capacity;
} cn_list;

/* A queue that grows; its capacity is a power of two. */
typedef struct cn_ring {
    uint64_t *items;
    size_t capacity;
    size_t head;
    size_t tail;
} cn_ring;

/* What is to be done for a row beyond the cells that wait for it. */
enum {
    CN_ROW_MOVED = 1,   /* landmarks were added whose entries are not 0 yet */
    CN_ROW_REBUILD = 2, /* nothing of it is worth repairing */
    CN_ROW_DIRTY = 4,   /* cells wait for it */
    CN_ROW_MEASURED = 8,/* nothing, but to be written: with CN_ROW_JOINED at most, and within a
                         * step */
    CN_ROW_JOINED = 16  /* components of it were joined: once earlier rows are exact, it may take
                         * another landmark there */
};

typedef enum cn_row_phase {
    CN_PHASE_NONE = 0,  /* no row is in work */
    CN_PHASE_CLEAR,     /* all entries are made unreachable, landmarks 0 */
    CN_PHASE_DROP,      /* entries that nothing supports are made unreachable */
    CN_PHASE_PULL,      /* entries are taken from what is left */
    CN_PHASE_FLOOD,     /* and spread */
    CN_PHASE_SETTLE     /* components without a landmark get one */
} cn_row_phase;

typedef struct cn_refresh {
    cn_mem mem;
    const cairn_map *map;       /* of the current call */
    cairn_table *table;
    cairn_refresh_counts counts;

    /* For rows measured anew. */
    cn_flooder *flooder;        /* follows the map from edit to edit; NULL until it is needed */
    uint64_t flooder_hash;      /* of the map that it knows */
    const cairn_map *flooder_map;
    cn_mem flooder_mem;
    unsigned flooder_bits;
    cn_runs runs;               /* runs of the map by components; empty until they are needed */
    uint64_t runs_hash;         /* of the map that they are of */
    const cn_components *components;  /* the map's, while landmarks of joined ones are seen to */
    bool may_lack;              /* components may be without a landmark: since all rows were exact
                                 * cells closed, or opened out of reach */
    bool may_join;              /* a row may have several landmarks in a component */
    cn_list moved;              /* cairn_node: where landmarks moved to in this note */
    cn_list joined;             /* cairn_node: landmarks that were removed, being one too many */
    cn_list outliers;           /* cairn_node: cells of the smaller parts that were joined since all
                                 * rows were exact */

    /* Rows that were measured in this step and wait to be written together. */
    uint32_t at_once;           /* as many */
    uint32_t measured_count;
    uint32_t measured[CN_PUT_MOST];
    cn_plane planes[CN_PUT_MOST];
    cn_plane_memory kept[CN_PUT_MOST - 1];  /* of all planes but the flooder's own */

    cn_list pending;            /* cairn_node: where steps changed since the oldest row in wait */
    size_t *row_start;          /* by row: the first of pending that it has not taken */
    uint8_t *row_work;          /* by row: CN_ROW_* */
    uint8_t *marks;             /* by node; all zero between uses */

    /* The row in work. */
    cn_row_phase phase;
    uint32_t row;
    cn_way way;                 /* of its costs */
    size_t round_end;           /* of pending, for this round */
    size_t cursor;
    bool is_rebuild;            /* measured, not repaired */
    cn_list stack;              /* cairn_node: entries to check */
    cn_list dropped;            /* cairn_node: entries that lost their support */
    cn_list seeds;              /* uint64_t: cost and node; sorted when the flood begins */
    cn_ring straight;
    cn_ring diagonal;
    uint64_t visited;           /* cells that were looked at for it */
    uint64_t settled;           /* cells of components that got a landmark */
    bool too_wide;              /* a cost did not fit 16 bits */
    bool wants_earlier;         /* it is to choose landmarks: earlier rows have to be exact first */

    cn_lanes lanes;             /* for rows side by side */

    uint64_t left;              /* cells that the current slice may still look at */
    uint64_t visit_limit;       /* a row is measured anew rather than looked at more often */
} cn_refresh;

/* An entry, also of a row that was measured and not written yet. */
cairn_cost cn_refresh_entry(const cn_refresh *self, uint32_t row, cairn_node node);

CN_ALWAYS_INLINE bool cn_list_reserve(cn_list *list, const cn_mem *mem, size_t more, size_t size)
{
    if (CN_LIKELY(list->count + more <= list->capacity))
        return true;
    return cn_grow(mem, &list->items, &list->capacity, list->count, list->count + more, size);
}

#endif
