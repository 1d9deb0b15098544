/* Level 4: where the landmarks go. */
#ifndef CN_PLACE_H
#define CN_PLACE_H

#include "flood.h"

/* Cells that are landmarks of given rows. Components for which it says nothing, and rows beyond
 * it, are left to farthest-first placement. */
typedef struct cn_planned {
    uint32_t row;
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

/* Farthest-first placement (Gonzalez, "Clustering to minimize the maximum intercluster distance",
 * 1985; for landmarks: Goldberg and Harrelson, 2005), in every component at once. */
typedef struct cn_placer {
    const cairn_map *map;
    const cn_plan *plan;     /* NULL: nothing is planned */
    size_t planned;          /* items of the plan that are used */
    uint32_t row;            /* of the landmarks below */
    uint32_t component_count;
    uint32_t *component_size;
    uint32_t *component;     /* of each node */
    cairn_cost *nearest;     /* cost to the nearest landmark so far, of each node */
    cairn_node *next;        /* by component: its next landmark, or CAIRN_NO_NODE */
    cairn_node *landmarks;   /* the current row's, ascending */
    size_t landmark_count;
} cn_placer;

/* Labels the components and takes one cell of each, by the seed, as the place to start from. The
 * plan, which may be NULL, must outlive the placer. */
cairn_status cn_placer_init(cn_placer *placer, const cairn_map *map, const cn_plan *plan,
                            uint64_t seed);
void cn_placer_free(cn_placer *placer);

/* Takes the costs from the starting cells: the first row's landmarks are the cells farthest from
 * them. The starting cells themselves are no landmarks. Returns the largest cost. */
cairn_cost cn_placer_start(cn_placer *placer, const cn_plane *plane);

/* Takes a row's costs: the next row's landmarks are the planned ones and, where there are none, the
 * cells farthest from all so far. A component whose every cell is a landmark gets no more. */
void cn_placer_add_row(cn_placer *placer, const cn_plane *plane);

#endif
