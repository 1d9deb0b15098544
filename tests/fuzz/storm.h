/* A storm: maps of every kind live through edits, refreshes, searches, copies and files in any
 * order, and every answer is compared with an oracle that shares no code with the library. */
#ifndef FUZZ_STORM_H
#define FUZZ_STORM_H

#include "support/storm.h"
#include "support/visitor.h"

#include "storm_walk.h"

enum { STORM_VISITORS = 4 };

/* What has been done, to be told at the end. */
typedef struct storm_counts {
    uint64_t maps;
    uint64_t dense;   /* of them */
    uint64_t worlds;  /* of them */
    uint64_t edits;   /* single ones */
    uint64_t queries; /* searches that were run or begun, their answers checked */
    uint64_t resumes;
    uint64_t lists;     /* of avoided nodes */
    uint64_t walks;     /* searches of the storm's own, by the library's bounds */
    uint64_t refreshes; /* calls, most of them cut by a small budget */
    uint64_t tables;    /* compared as a whole */
    uint64_t files;
    uint64_t clones;
    uint64_t floods;
} storm_counts;

/* A map on which much happens. */
typedef struct storm_scene {
    dice luck;
    twin both;
    cairn_table *table;
    cairn_flood *flood;    /* of the twin's map; NULL until one is asked for */
    cairn_world *world;    /* NULL: visitors are on the twin's map and the table */
    oracle_arcs published; /* of the world */
    uint64_t writes;       /* calls that may have changed map or table */
    bool is_dense;         /* on a tiny map much happens close together */
    bool is_mild;          /* costs of arcs stay near those of before, but where it is undone */
    unsigned without;      /* by bit what a life does without */
    storm_walk walk;
    visitor visitors[STORM_VISITORS];
    storm_counts *counts;
} storm_scene;

/* Makes a map, and decides what its life is like. Returns for how many rounds it lasts. */
unsigned storm_any_twin(storm_scene *here, uint64_t seed);

/* So many things are done to a map, or to a world around a copy of it. */
void storm_live_on_a_map(storm_scene *here, unsigned rounds);
void storm_live_in_a_world(storm_scene *here, unsigned rounds);

/* Edits of the twin's map, and of the world, unless a reader is in the way; and those that others
 * undo, which gives the map its former hash. */
void storm_change(storm_scene *here);
void storm_undo(storm_scene *here);

/* The visitors, and what else is kept for the map. */
void storm_enter_all(storm_scene *here);
void storm_leave_all(storm_scene *here);

/* Costs from or to some cells, in the memory of the floods before; what keeps that is freed with
 * the map. */
void storm_flood(storm_scene *here);
void storm_leave_flood(storm_scene *here);

/* An A* of the storm's own by a bound of the library, in slices: begins it, or goes on. */
void storm_walk_on(storm_scene *here);
void storm_leave_walk(storm_scene *here);

/* The life goes on with other objects, or in another metric. */
void storm_clone(storm_scene *here);
void storm_save_and_load(storm_scene *here);
void storm_build_again(storm_scene *here);
void storm_change_metric(storm_scene *here);

/* What the map tells; tables of corners, and units on the map, through some edits. */
void storm_check_map(storm_scene *here);
void storm_check_bounds(storm_scene *here);
void storm_try_corners(storm_scene *here);
void storm_try_units(storm_scene *here);

/* The scene's own table: all of its rows are exact after the first. */
void storm_refresh_all(storm_scene *here);
void storm_check_own_table(storm_scene *here);

/* Whether a map can have tables of corners. */
bool storm_has_corners(const twin *both);

/* For both: a table with options of all kinds, a search half of which go through the fast spaces,
 * a budget. */
cairn_table *storm_any_table(storm_scene *here, cairn_map *map);
cairn_search_options storm_any_options(dice *luck);

/* By node the number of its component, whatever the direction of arcs; for free. */
uint32_t *storm_parts(const oracle_arcs *arcs);

/* Every row is exact. Rows of a pair have the same landmarks. Where steps lead both ways every
 * component has one landmark in row 0, and at most one in each other row. */
void storm_check_table(storm_scene *here, const twin *both, const cairn_table *table);
cairn_budget storm_any_budget(dice *luck);

#endif
