/* Placement of landmarks: what can be planned before any row is computed (place_plan.c), and the
 * placer, which chooses the landmarks of each row by the plan or from earlier rows (placer.c). */
#ifndef CN_PLACE_PLACE_H
#define CN_PLACE_PLACE_H

#include "base/cpu.h"
#include "base/team.h"
#include "flood/flood.h"

/* -------------------------------------------------------------------------------- the plan -- */

/* Cells that are to be landmarks of given rows. Other components and later rows get farthest-first
 * landmarks. */
typedef struct cn_planned {
    uint32_t row;
    uint32_t component; /* of the node, where arcs count in both directions */
    cairn_node node;
} cn_planned;

typedef struct cn_plan {
    const cairn_map *map; /* NULL: not made yet */
    uint32_t row_count;   /* of landmarks that the table is to have */
    cn_planned *items;    /* by row */
    size_t count;
    size_t capacity;
} cn_plan;

/* Chooses the landmarks that can be chosen before any row is computed: those of every placement
 * except CAIRN_PLACE_FARTHEST, whose plan is empty. `coordinates` are those of the nodes of a
 * graph, also of one whose step map is planned; NULL: there are none. `options` must be complete. A
 * plan that exists already is kept. All processes of the team make the same plan together. */
cairn_status cn_plan_make(cn_plan *plan, const cairn_map *map, const cn_coordinates *coordinates,
                          const cairn_build_options *options, cn_team *team);
void cn_plan_free(cn_plan *plan);

/* The most bytes that a plan takes beside arrays with an item for each node, and beside floods:
 * once, and for each thread. `options` must be complete. */
typedef struct cn_plan_needs {
    uint64_t shared;
    uint64_t each_thread;
} cn_plan_needs;
cn_plan_needs cn_plan_needs_of(const cairn_map *map, const cairn_build_options *options);

/* ------------------------------------------------------------------------------- the placer -- */

typedef enum cn_placer_stage {
    CN_PLACER_AT_START = 0, /* the landmarks are the starting cells */
    CN_PLACER_HAS_FIRST,    /* the landmarks are those of row 0 */
    CN_PLACER_HAS_ROWS
} cn_placer_stage;

/* A cell outside the largest component. */
typedef struct cn_minor {
    cairn_node node;
    uint32_t component;
    cairn_cost nearest;
} cn_minor;

/* Farthest-first placement (Gonzalez, "Clustering to minimize the maximum intercluster distance",
 * 1985; for landmarks: Goldberg and Harrelson, 2005), in every component at once. */
typedef struct cn_placer {
    const cairn_map *map;
    const cn_plan *plan; /* NULL: there is no plan */
    uint64_t seed;
    bool is_planned; /* the plan holds all landmarks of all rows: no costs are needed for them */
    size_t planned;  /* number of items of the plan that have been used */
    uint32_t row;    /* the row of the landmarks below */
    cn_cpu level;
    cn_placer_stage stage;
    cn_runs runs;     /* components; on directed maps only their strongly connected parts */
    uint32_t largest; /* the component with the most cells */
    uint32_t *component_size;
    cn_plane frame;     /* the layout of the planes that are added, and of `nearest` */
    void *nearest;      /* costs to the nearest landmark so far, for the largest component; 0
                         * for all other cells */
    size_t chunk_count; /* pieces of a plane: a tile or, without tiles, a map row */
    cairn_cost *chunk_farthest; /* the largest entry of `nearest`; 0: the chunk can be skipped */
    cn_minor *minor;            /* the cells of all other components */
    size_t minor_count;
    cairn_cost *farthest;  /* by component: the largest cost to the nearest landmark */
    cairn_node *next;      /* by component: its next landmark, or CAIRN_NO_NODE */
    cairn_node *landmarks; /* those of the current row, ascending */
    size_t landmark_count;
} cn_placer;

/* Labels the components and chooses a starting cell in each by the seed. The plan, which may be
 * NULL, must outlive the placer. */
cairn_status cn_placer_init(cn_placer *placer, const cairn_map *map, const cn_plan *plan,
                            uint64_t seed);
void cn_placer_free(cn_placer *placer);

/* Goes back to the starting cells, for example after a change of the metric. */
void cn_placer_restart(cn_placer *placer);

/* Uses the costs from the starting cells: the landmarks of the first row are the cells farthest
 * from them. The starting cells are not landmarks. Returns the largest cost, of the components in
 * which all cells are reached: others get landmarks from which it need not cost as much. */
cairn_cost cn_placer_start(cn_placer *placer, const cn_plane *plane);

/* Starts without costs, where `is_planned`. */
void cn_placer_start_planned(cn_placer *placer);

/* Uses the costs of a row: the landmarks of the next row are the planned ones and, where there are
 * none, the cells farthest from all landmarks so far. A component in which every cell is a landmark
 * gets no more. `plane` may be NULL where `is_planned`. */
cairn_status cn_placer_add_row(cn_placer *placer, const cn_plane *plane);

#endif
