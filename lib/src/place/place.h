/* Where the landmarks go. */
#ifndef CN_PLACE_PLACE_H
#define CN_PLACE_PLACE_H

#include "base/cpu.h"
#include "flood/flood.h"

/* Cells that are landmarks of given rows. Components for which it says nothing, and rows beyond
 * it, are left to farthest-first placement. */
typedef struct cn_planned {
    uint32_t row;
    uint32_t component;  /* of the node, arcs seen as joining both ways */
    cairn_node node;
} cn_planned;

typedef struct cn_plan {
    const cairn_map *map;    /* NULL: not made yet */
    void *items;             /* cn_planned, by row */
    size_t count;
    size_t capacity;
} cn_plan;

/* Decides what can be decided before any row is known: everything but CAIRN_PLACE_FARTHEST, whose
 * plan is empty. `options` are complete. A plan that was made before is kept. */
cairn_status cn_plan_make(cn_plan *plan, const cairn_map *map, const cairn_build_options *options);
void cn_plan_free(cn_plan *plan);

typedef enum cn_placer_stage {
    CN_PLACER_AT_START = 0,  /* the landmarks are the starting cells */
    CN_PLACER_HAS_FIRST,     /* they are those of row 0 */
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
    const cn_plan *plan;     /* NULL: nothing is planned */
    uint64_t seed;
    size_t planned;          /* items of the plan that are used */
    uint32_t row;            /* of the landmarks below */
    cn_cpu level;
    cn_placer_stage stage;
    cn_runs runs;            /* components; on directed maps, of them what a row may serve */
    uint32_t largest;        /* the component with the most cells */
    uint32_t *component_size;
    cn_plane frame;          /* the planes that come: `nearest` is laid out like them */
    void *nearest;           /* costs to the nearest landmark so far, of the largest component; 0
                              * for all other cells */
    size_t chunk_count;      /* pieces of a plane: a tile, or a map row where there are none */
    cairn_cost *chunk_farthest;  /* the largest entry of `nearest`; 0: nothing to look at */
    cn_minor *minor;    /* the cells of all other components */
    size_t minor_count;
    cairn_cost *farthest;    /* by component: largest cost to the nearest landmark */
    cairn_node *next;        /* by component: its next landmark, or CAIRN_NO_NODE */
    cairn_node *landmarks;   /* the current row's, ascending */
    size_t landmark_count;
} cn_placer;

/* Labels the components and takes one cell of each, by the seed, as the place to start from. The
 * plan, which may be NULL, must outlive the placer. */
cairn_status cn_placer_init(cn_placer *placer, const cairn_map *map, const cn_plan *plan,
                            uint64_t seed);
void cn_placer_free(cn_placer *placer);

/* Back to the starting cells, for instance after the metric changed. */
void cn_placer_restart(cn_placer *placer);

/* Takes the costs from the starting cells, of 32 bits: the first row's landmarks are the cells
 * farthest from them. The starting cells themselves are no landmarks. Returns the largest cost. */
cairn_cost cn_placer_start(cn_placer *placer, const cn_plane *plane);

/* Takes a row's costs: the next row's landmarks are the planned ones and, where there are none, the
 * cells farthest from all so far. A component whose every cell is a landmark gets no more. */
cairn_status cn_placer_add_row(cn_placer *placer, const cn_plane *plane);

#endif
