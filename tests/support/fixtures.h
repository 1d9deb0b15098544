/* From pictures to objects of the library. Each call fails the test when the library does. */
#ifndef SUPPORT_FIXTURES_H
#define SUPPORT_FIXTURES_H

#include "cairn/cairn.h"
#include "oracle.h"
#include "random_maps.h"

/* Metrics that property tests go through: fine, common, coarse, degenerate. */
enum { FIXTURE_METRICS = 6 };
extern const cairn_metric fixture_metrics[FIXTURE_METRICS];

oracle_steps steps_of(cairn_metric metric);

/* An oracle cost in the library's type. */
cairn_cost cost_of(uint64_t oracle_cost);

cairn_map *map_of(const picture *drawn, cairn_metric metric);
cairn_map *map_with(const picture *drawn, cairn_metric metric, const cairn_allocator *allocator);
cairn_table *table_of(cairn_map *map, uint32_t rows);
cairn_table *table_with(cairn_map *map, uint32_t rows, uint32_t threads, uint64_t seed);

/* The size of options need not be set. `table_suiting` has rows at every cell where the map has no
 * tables of corners. */
cairn_table *table_built(cairn_map *map, cairn_build_options options);
cairn_table *table_suiting(cairn_map *map, cairn_build_options options);
cairn_search *search_with(const cairn_map *map, const cairn_table *table,
                          cairn_search_options options);

/* Gives a cell a letter, on the map and in the picture. */
void edit_letter(cairn_map *map, picture *drawn, cairn_node node, char letter);

/* Opens or closes any cell, which may be so already. */
void edit_any(cairn_map *map, picture *drawn, dice *luck);

/* A step of a refresh that never waits for the map to settle: edits are applied first. */
cairn_status step_now(cairn_table *table, const cairn_map *map, cairn_budget budget);
cairn_status world_step_now(cairn_world *world, cairn_budget budget);

/* Oracle costs to the landmarks of a row; for free. */
uint64_t *oracle_row(const picture *drawn, const cairn_table *table, uint32_t row);

/* A file name in a new place of its own; the folder goes with scratch_remove. */
char *scratch_file(const char *name);
void scratch_remove(char *path);

/* What a file holds; `data` is to be freed. */
typedef struct held_file {
    uint8_t *data;
    size_t size;
} held_file;

held_file read_file(const char *path);

/* Writes a file, or overwrites it, so that it holds these bytes and no others. */
void write_file(const char *path, const void *bytes, size_t size);
void write_text(const char *path, const char *text);

/* Where maps that are not part of the project lie; NULL when they are absent. */
const char *real_data(void);

#endif
