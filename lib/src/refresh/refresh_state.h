/* The state of refreshing a table, on which all files of the room work, and what is asked of it or
 * changed in it at any time. */
#ifndef CN_REFRESH_REFRESH_STATE_H
#define CN_REFRESH_REFRESH_STATE_H

#include "base/budget.h"
#include "base/nodes.h"
#include "flood/flood.h"
#include "refresh/refresh_lanes.h"
#include "table/interleave.h"
#include "table/table_state.h"

/* The most searches and floods of rows that edits interrupt and let begin again; after these,
 * searches do not pause and repairs go on, which edits do not end, until a row is exact. */
enum { CN_LOST_MOST = 3 };

/* A queue that grows; its capacity is a power of two. */
typedef struct cn_queue {
    uint64_t *items;
    size_t capacity;
    size_t head;
    size_t tail;
} cn_queue;

/* A list of what the flood of a repair begins at: cost << 32 | direction of arrival <<
 * CN_ARRIVAL_SHIFT | node. */
typedef struct cn_seeds {
    uint64_t *items;
    size_t count;
    size_t capacity;
} cn_seeds;

/* Cells of a tile (components/components.h) to which the landmark of a component may move. */
typedef struct cn_outlier {
    uint32_t tile;
    cairn_cost most;              /* they are no farther from the landmarks of earlier rows */
    uint16_t cells[CN_TILE_SIDE]; /* by row of the tile, the first one the lowest bit */
} cn_outlier;

/* Cells of the smaller parts that were joined since all rows were exact. */
typedef struct cn_outliers {
    cn_outlier *items;
    size_t count;
    size_t capacity;
    bool are_stale; /* nothing but their cells is known since edits were applied */
} cn_outliers;

/* What a row needs before it is exact, and what is known of it. */
enum {
    CN_WORK_MOVED = 1,    /* its landmarks are no longer those that its entries have */
    CN_WORK_REBUILD = 2,  /* the row has to be rebuilt */
    CN_WORK_PENDING = 4,  /* there are pending cells for it */
    CN_WORK_COMPUTED = 8, /* the row was computed again and waits to be written, within a step; of
                           * the others only CN_WORK_JOINED may be set beside it */
    CN_WORK_JOINED = 16, /* components were joined: once earlier rows are exact, it may take another
                          * landmark there */

    CN_WORK_BEYOND = 32, /* with CN_WORK_REBUILD: some of its costs are above CAIRN_COST_MAX, or
                          * it needs an earlier row that is so; it waits for other edits or
                          * landmarks */

    /* Of a row that is to be rebuilt, and still while that is done by a repair of all cells: */
    CN_WORK_ANYWHERE = 64,  /* the cells that changed are not known */
    CN_WORK_SCATTERED = 128 /* entries may have been written outside of the tiles of `touched` */
};

/* Marks of nodes, which are gone when the call that made them is over: while edits are applied,
 * while parts that they join are examined, and while components get landmarks. */
enum {
    CN_MARK_CHANGED = 1, /* one of the edits changed it */
    CN_MARK_CHECKED = 2, /* its entries have been compared with those that its neighbours give */
    CN_MARK_WALKED = 4,  /* a search for another cell for a landmark has been here */
    CN_MARK_HIGH = 8,    /* a neighbour gives it less than its entry in some row */
    CN_MARK_LATER = 16,  /* it is open, but was not when the cells before it in the list opened, or
                          * is opened by a later edit of the same list */
    CN_MARK_SEEN = 32,   /* its component has been examined */
    CN_MARK_SERVED = 64, /* and has a landmark */
    CN_MARK_TILE = 128   /* of a tile of components, at the node with its number: some of its cells
                          * have changed */
};

typedef enum cn_row_phase {
    CN_PHASE_NONE = 0, /* no row is being repaired */
    CN_PHASE_CLEAR,    /* all entries are made unreachable, landmarks 0 */
    CN_PHASE_DROP,     /* entries that nothing supports are made unreachable */
    CN_PHASE_PULL,     /* entries are computed from those of neighbours */
    CN_PHASE_FLOOD,    /* and spread */
    CN_PHASE_SERVE     /* components without a landmark get one */
} cn_row_phase;

/* The cell farthest from the landmarks of all earlier rows, which are exact; of equals the lowest.
 * For the first row, which has no earlier rows, the lowest cell. */
typedef struct cn_choice {
    cairn_node node; /* CAIRN_NO_NODE at first, and while all cells are such landmarks */
    cairn_cost distance;
    uint32_t near_row; /* the row whose landmark was nearest to the last cell; it usually is to the
                        * next one */
} cn_choice;

/* What is known of a component while landmarks are chosen. */
typedef struct cn_component_choice {
    cn_choice best;
    cairn_node landmark; /* which the best cell replaces; CAIRN_NO_NODE: none */
    bool is_sought;      /* cells of the tiles are considered */
    bool is_served;      /* it was examined, and needs no other landmark */
} cn_component_choice;

typedef enum cn_farthest_user {
    CN_FARTHEST_NOBODY = 0,   /* no search is under way */
    CN_FARTHEST_SERVES,       /* components without a landmark, after a flood or a repair */
    CN_FARTHEST_SERVES_EARLY, /* and before a flood */
    CN_FARTHEST_MOVES         /* landmarks of components that were joined */
} cn_farthest_user;

typedef enum cn_farthest_stage {
    CN_FARTHEST_LISTS,   /* the user considers cells that it has listed */
    CN_FARTHEST_AT_ENDS, /* cells of all tiles at the ends of runs */
    CN_FARTHEST_BETWEEN  /* and those between */
} cn_farthest_stage;

/* A search for landmarks (refresh_farthest.h). */
typedef struct cn_farthest {
    cn_farthest_user user;
    cn_farthest_stage stage;
    uint32_t row;
    uint64_t history;             /* of the components of the map that is searched */
    size_t next;                  /* what follows in the list, or the next tile */
    cn_component_choice *choices; /* by number of a component; NULL: nothing is known of any */
    uint32_t sought;              /* in so many components a cell is sought */
    uint64_t cells;               /* of components that get a landmark after a repair */
    cn_nodes chosen;              /* landmarks for small components */
} cn_farthest;

/* The repair of one row, which can stop and continue at any point. */
typedef struct cn_row_repair {
    cn_row_phase phase;
    uint32_t row;
    cn_way way;       /* direction of its costs */
    size_t round_end; /* end of this round's part of `pending` */
    size_t cursor;
    bool is_rebuild;    /* the row is computed completely instead of repaired */
    cn_nodes stack;     /* entries to check */
    cn_nodes unsettled; /* entries that lost their support, or that a flood has not reached */
    cn_nodes wide;      /* not reached but at a cost that does not fit the entries */
    cn_seeds seeds;     /* sorted when the flood begins */
    cn_queue straight;
    cn_queue diagonal;
    uint64_t visit_count;  /* visits of cells so far */
    uint64_t uncounted;    /* visits of this slice that are not among them */
    uint64_t visit_limit;  /* after more visits the row is rebuilt instead */
    uint64_t served_cells; /* cells of components that get a landmark */
    bool too_wide;         /* a cost did not fit 16 bits */
    bool wants_earlier;    /* it has to choose landmarks, for which earlier rows have to be
                            * exact */
} cn_row_repair;

typedef enum cn_sliced_phase {
    CN_SLICES_NONE = 0, /* no row is begun */
    CN_SLICES_CHOOSE,   /* components without a landmark get one */
    CN_SLICES_FLOOD,
    CN_SLICES_WRITE
} cn_sliced_phase;

/* A row that is rebuilt in slices. */
typedef struct cn_sliced_row {
    cn_sliced_phase phase;
    uint32_t row;
    uint64_t map_hash; /* of the map that is flooded */
    cn_priced_run run;
    cn_plane plane;
    uint32_t written; /* rows of the map */
} cn_sliced_row;

/* Rows that were computed in this step and wait to be written together. */
typedef struct cn_computed_rows {
    uint32_t at_once; /* how many are written together */
    uint32_t count;
    uint32_t rows[CN_PUT_MOST];
    cn_plane planes[CN_PUT_MOST];
    cn_plane_memory kept[CN_PUT_MOST - 1]; /* memory of all planes except the flooder's own */
    cn_put_tiles touched;                  /* of grids: where repairs that were given up have
                                            * written since all rows were exact, and around that */
    size_t pending_touched;                /* so many of `pending` are among them */
    bool is_scattered;                     /* rows that wait may differ from the table anywhere */
} cn_computed_rows;

/* Landmarks in components that edits have joined. */
typedef struct cn_joins {
    bool may_join; /* a row may have several landmarks in a component */

    cn_nodes moved;  /* where landmarks moved to in this call of cn_refresh_apply_edits */
    cn_nodes joined; /* landmarks that were removed because their components were joined */
    cn_outliers outliers;
} cn_joins;

typedef struct cn_refresh {
    cn_mem mem;
    const cairn_map *map; /* of the current call */
    cairn_table *table;
    cairn_refresh_counts counts;
    uint64_t visits_left; /* in the current slice of a step */

    cn_nodes pending;     /* cells whose steps changed since the oldest row that needs repair was
                           * exact */
    size_t *row_start;    /* by row: the index of the first of `pending` not applied to it */
    uint8_t *row_work;    /* by row: CN_WORK_* */
    uint32_t *row_lost;   /* by row: cells of joined parts whose landmark it has lost since it was
                           * exact, as far as they were counted */
    uint8_t *marks;       /* by node: CN_MARK_*; all zero between uses */
    cn_nodes visited;     /* what a search for cells has marked; empty between uses */
    bool may_be_unserved; /* components may lack a landmark: since all rows were exact, cells
                           * closed, or opened without being reachable */
    bool to_the_end;      /* this step repairs all rows, so that none will need gates */

    cn_row_repair repair; /* of the row that is being repaired */
    cn_lanes lanes;       /* for rows side by side */
    cn_joins joins;
    cn_farthest farthest;
    const cn_components *components; /* the map's, while landmarks are examined */

    /* For rebuilding rows. */
    cn_kept_flooder flooder;
    cn_mem flooder_mem;
    cn_computed_rows computed;
    cn_sliced_row sliced;
    unsigned work_lost; /* floods and searches for landmarks that were begun and dropped since a
                         * row became exact, or none was left */
    bool never_pauses;  /* the flooder does not */
    cn_budget_kind budget_kind; /* of the current step */
} cn_refresh;

/* Whether landmarks can be chosen for all components of the map before a row is flooded, which then
 * is exact: on grids where each step has a reverse. */
CN_ALWAYS_INLINE bool cn_refresh_chooses_early(const cn_refresh *self)
{
    return !self->map->graph && cn_map_leads_back(self->map);
}

/* Whether a row needs more than to be written. */
CN_ALWAYS_INLINE bool cn_refresh_needs_work(const cn_refresh *self, uint32_t row)
{
    return self->row_work[row] & ~(unsigned)CN_WORK_COMPUTED;
}

/* The first of the rows before `end` that needs more than to be written; `end`: none does. */
CN_ALWAYS_INLINE uint32_t cn_refresh_first_inexact(const cn_refresh *self, uint32_t end)
{
    uint32_t row = 0;
    while (row < end && !cn_refresh_needs_work(self, row))
        row++;
    return row;
}

/* Whether a row is the one that is being repaired. */
CN_ALWAYS_INLINE bool cn_refresh_is_repairing(const cn_refresh *self, uint32_t row)
{
    return self->repair.phase != CN_PHASE_NONE && self->repair.row == row;
}

/* The first of the rows that have the same landmarks as a given one. */
CN_ALWAYS_INLINE uint32_t cn_refresh_first_of_pair(const cn_refresh *self, uint32_t row)
{
    return self->table->is_directed ? row & ~1u : row;
}

/* An entry, also in a row that was computed but not written yet. */
CN_ALWAYS_INLINE cairn_cost cn_refresh_entry(const cn_refresh *self, uint32_t row, cairn_node node)
{
    uint32_t x, y;

    if (CN_LIKELY(!(self->row_work[row] & CN_WORK_COMPUTED)))
        return cn_table_entry(self->table, row, node);
    size_t i = 0;
    while (self->computed.rows[i] != row)
        i++;
    cn_grid_xy(&self->map->grid, node, &x, &y);
    return cn_plane_at(&self->computed.planes[i], x, y);
}

/* How many cells a round is about: those that were dropped, then those that were pending. */
CN_ALWAYS_INLINE size_t cn_refresh_round_count(const cn_refresh *self)
{
    const cn_row_repair *repair = &self->repair;
    return repair->unsettled.count + repair->round_end - self->row_start[repair->row];
}

CN_ALWAYS_INLINE cairn_node cn_refresh_round_cell(const cn_refresh *self, size_t i)
{
    const cn_row_repair *repair = &self->repair;
    const size_t dropped = repair->unsettled.count;
    return i < dropped ? repair->unsettled.items[i]
                       : self->pending.items[self->row_start[repair->row] + i - dropped];
}

/* Takes visits from those that are left to the step. */
CN_ALWAYS_INLINE void cn_refresh_spend(cn_refresh *self, uint64_t visits)
{
    cn_spend(&self->visits_left, visits);
}

/* Makes room for so many more nodes, or seeds; false when there is no memory. */
CN_ALWAYS_INLINE bool cn_refresh_reserve(const cn_refresh *self, cn_nodes *list, size_t more)
{
    return cn_nodes_reserve(list, &self->mem, list->count + more);
}

CN_ALWAYS_INLINE bool cn_refresh_reserve_seeds(cn_refresh *self, size_t more)
{
    cn_seeds *seeds = &self->repair.seeds;
    if (CN_LIKELY(seeds->count + more <= seeds->capacity))
        return true;
    return CN_GROW(&self->mem, seeds->items, &seeds->capacity, seeds->count, seeds->count + more);
}

/* Appends a seed, for which there is room. */
CN_ALWAYS_INLINE void cn_refresh_push_seed(cn_refresh *self, cairn_cost cost, cairn_node node)
{
    cn_seeds *seeds = &self->repair.seeds;
    seeds->items[seeds->count++] = (uint64_t)cost << 32 | CN_LABEL_OF(node, CN_NOWHERE);
}

/* Appends a node; false when there is no memory. */
CN_ALWAYS_INLINE bool cn_refresh_add(const cn_refresh *self, cn_nodes *list, cairn_node node)
{
    return cn_nodes_add(list, &self->mem, node);
}

/* Whether the landmarks of a row are those that its entries have. */
CN_ALWAYS_INLINE bool cn_refresh_has_its_landmarks(const cn_refresh *self, uint32_t row)
{
    return !(self->row_work[row] & (CN_WORK_MOVED | CN_WORK_REBUILD));
}

/* Lets rows with costs above the limit be tried again: edits or landmarks have changed. */
CN_ALWAYS_INLINE void cn_refresh_try_again(cn_refresh *self)
{
    for (uint32_t row = 0; row < self->table->row_count; row++)
        self->row_work[row] &= (uint8_t)~CN_WORK_BEYOND;
}

/* Drops a row whose flood was begun if its landmarks change. */
CN_ALWAYS_INLINE void cn_refresh_drop_slices(cn_refresh *self, uint32_t row)
{
    if (self->sliced.phase >= CN_SLICES_FLOOD && self->sliced.row == row) {
        self->sliced.phase = CN_SLICES_NONE;
        self->work_lost++;
    }
}

#endif
