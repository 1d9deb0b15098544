/*
 * Bringing a table up to date with its edited map. See docs/ALGORITHMS.md for why it is
 * safe. In short:
 *
 *   refresh.c         the steps a caller takes; which row is next
 *   refresh_edits.c    a look at the changed cells in all rows at once: entries for cells that
 *                     opened, landmarks that moved, and what each row is still good for
 *   refresh_row.c     the repair of one row, stopped and resumed at any point
 *   refresh_lanes.c   the repair of rows side by side, in one go
 *   refresh_rebuild.c    the same by floods of whole rows, which are written some at a time
 *   refresh_landmarks.c  landmarks of a row: lists, and components that have none
 *   refresh_joins.c    landmarks that are one too many, since components were joined
 *   joined_parts.c     which parts were joined
 */
#ifndef CN_REFRESH_REFRESH_H
#define CN_REFRESH_REFRESH_H

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
    CN_ROW_TOUCHED = 4, /* cells wait for it */
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
    cn_runs runs;               /* components of the map; empty until they are needed */
    uint64_t runs_hash;         /* of the map that they are of */
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
    bool anew;                  /* measured, not repaired */
    cn_list stack;              /* cairn_node: entries to check */
    cn_list dropped;            /* cairn_node: entries that lost their support */
    cn_list seeds;              /* uint64_t: cost and node; sorted when the flood begins */
    cn_ring straight;
    cn_ring diagonal;
    uint64_t looked;            /* cells that were looked at for it */
    uint64_t settled;           /* cells of components that got a landmark */
    bool too_wide;              /* a cost did not fit 16 bits */
    bool wants_earlier;         /* it is to choose landmarks: earlier rows have to be exact first */

    cn_lanes lanes;             /* for rows side by side */

    uint64_t left;              /* cells that the current slice may still look at */
    uint64_t look_limit;        /* a row is measured anew rather than looked at more often */
} cn_refresh;

/* A step that ends with the first row that it makes exact, for those who time rows. Until it
 * returns something else than CAIRN_MORE the map must not change: what serves to measure rows anew
 * is kept. */
cairn_status cn_refresh_one_row(cairn_table *table, const cairn_map *map);

/* Takes the map's edits and measures a row anew by itself, for those who time that; on classic
 * maps, with no row in work. */
cairn_status cn_refresh_row_anew(cairn_table *table, const cairn_map *map, uint32_t row);

/* Takes the map's edits into the table. CAIRN_E_MISMATCH for a map that the table is not of. */
cairn_status cn_refresh_note(cn_refresh *self);

/* Drops all rows: they will be measured anew. Does what cn_refresh_note does, on any map of the
 * same size. */
cairn_status cn_refresh_note_all(cn_refresh *self);

/* Begins the repair of a row. */
void cn_refresh_begin_row(cn_refresh *self, uint32_t row);

/* A row is exact, but for the cells of `pending` from `end` on. */
void cn_refresh_finish_row(cn_refresh *self, uint32_t row, size_t end, bool anew);

/* Begins the end of a repair: all entries of the row were just measured; `dropped` lists the open
 * cells that are unreachable. */
void cn_refresh_begin_measured(cn_refresh *self, uint32_t row);

/* Goes on with it until it is done (phase CN_PHASE_NONE), `left` is spent, a cost is too wide, or
 * it wants earlier rows. */
cairn_status cn_refresh_work_row(cn_refresh *self);

/* Measures a row anew, on maps where no row is in work or that are classic. Components without a
 * landmark get one. On classic maps the row is then measured, and is written when `at_once` rows
 * are; on others the end of its repair begins. Costs too large for 16 bits make the table 32 bits
 * wide. */
cairn_status cn_refresh_measure_row(cn_refresh *self, uint32_t row);

/* Writes the rows that were measured: then they are exact. */
void cn_refresh_write_measured(cn_refresh *self);

/* An entry, also of a row that was measured and not written yet. */
cairn_cost cn_refresh_entry(const cn_refresh *self, uint32_t row, cairn_node node);

/* Makes the table 32 bits wide. */
cairn_status cn_refresh_widen(cn_refresh *self);

/* Repairs the rows that wait for it, side by side, as far as that is possible and pays: others are
 * left to wait, or to be measured anew. With no row in work. */
cairn_status cn_refresh_side_by_side(cn_refresh *self);
void cn_refresh_close_lanes(cn_refresh *self);

/* Gives back what is not worth keeping between steps, or all that measuring needs. */
void cn_refresh_rest_anew(cn_refresh *self);
void cn_refresh_close_anew(cn_refresh *self);

/* Forgets the row in work; its entries are in no defined state. */
void cn_refresh_abort_row(cn_refresh *self);

/* Gives landmarks to the components of unreachable cells among `dropped` and the cells of the
 * round; their entries become seeds. Does nothing where that wants earlier rows first. */
cairn_status cn_refresh_settle(cn_refresh *self);

/* Gives a landmark to every component that has none; entries are not touched. For maps on which
 * straight steps make the components; the components must be known. */
cairn_status cn_refresh_settle_early(cn_refresh *self, uint32_t row);

/* The components of the map as it is, into `runs`. */
cairn_status cn_refresh_ready_runs(cn_refresh *self);

/* Whether cells that were edited may join components; sure where it says that they do not. */
bool cn_refresh_may_join(cn_refresh *self, const cairn_node *cells, size_t count);

/* Leaves every row one landmark in a component: that of the largest of the parts that cells which
 * opened have joined; in one part one that did not move; of equals the lowest. The entries of those
 * that are removed, which were 0, become 1, which nothing supports and no step forbids; `joined` lists
 * the nodes. CAIRN_E_MEMORY changes nothing. */
typedef struct cn_opened {
    const cairn_node *cells;  /* that may have opened; they may be those that wait */
    size_t count;
    size_t changed;           /* cells, for which the caller wants room among those that wait */
} cn_opened;

cairn_status cn_refresh_drop_joined(cn_refresh *self, const cn_opened *opened);

/* Whether components of a row were joined and all earlier rows are exact. Then the row, or pair, takes
 * in each of them the cell that is farthest from the landmarks of all earlier rows, if in the smaller
 * parts there is one that is farther than its landmark. */
bool cn_refresh_may_spread(const cn_refresh *self, uint32_t row);
cairn_status cn_refresh_spread(cn_refresh *self, uint32_t row);

/* The cell farthest from the landmarks of all earlier rows, which are exact: the lowest among equals.
 * The first row, which has none before it, takes the lowest. */
typedef struct cn_choice {
    cairn_node node;    /* CAIRN_NO_NODE at first, and while all are such landmarks */
    cairn_cost distance;
    uint32_t near_row;  /* whose landmark was nearest to the last cell, and mostly is to the next */
} cn_choice;

void cn_refresh_consider(const cn_refresh *self, uint32_t row, cairn_node node, cn_choice *best);

/* Whether the cell before a cell in its row, or the one behind, is blocked or beyond the map. */
bool cn_refresh_ends_run(const cn_refresh *self, cairn_node node);

/* Adds a landmark to a row, removes one, or has another take its place. */
cairn_status cn_refresh_add_landmark(cn_refresh *self, uint32_t row, cairn_node node);
void cn_refresh_remove_landmark(cn_refresh *self, uint32_t row, size_t index);
void cn_refresh_replace_landmark(cn_refresh *self, uint32_t row, size_t index, cairn_node node);

/* Removes the landmarks of a row that are closed cells: those that nobody found when they closed,
 * since their entries, from a file that nobody verified, were not 0. Floods begin at open cells. */
void cn_refresh_drop_closed(cn_refresh *self, uint32_t row);

/* Position of a node among a row's landmarks (into table->landmarks); SIZE_MAX when it is none. */
size_t cn_refresh_find_landmark(const cairn_table *table, uint32_t row, cairn_node node);

CN_ALWAYS_INLINE bool cn_list_reserve(cn_list *list, const cn_mem *mem, size_t more, size_t size)
{
    if (CN_LIKELY(list->count + more <= list->capacity))
        return true;
    return cn_grow(mem, &list->items, &list->capacity, list->count, list->count + more, size);
}

#endif
