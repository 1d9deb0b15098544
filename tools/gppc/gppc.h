/*
 * The C interface of the dynamic track of the Grid-Based Path Planning Competition, answered by
 * Cairn. Cells are numbered in row order; bit i of a patch is bitarray[i / 8] >> (i % 8) & 1, and 1
 * means open. Steps lead to the 8 neighbours without cutting corners.
 */
#ifndef GPPC_H
#define GPPC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gppc_point {
    uint16_t x, y;
};

/* Points whose consecutive pairs are straight or diagonal runs, at least two: from a cell to
 * itself, that cell twice. None when there is no path. */
struct gppc_path {
    const struct gppc_point *path;
    uint32_t length;
    uint8_t incomplete;
};

/* The state of a rectangle of cells. */
struct gppc_patch {
    const uint8_t *bitarray;
    uint16_t width, height;
    struct gppc_point pos;
};

/* Prepares a map and writes what is learned about it to a file. */
void gppc_preprocess_init_map(struct gppc_patch init_map, const char *file);

/* Loads the file, or prepares the map again where the file does not fit it. NULL without memory. */
void *gppc_search_init(struct gppc_patch init_map, const char *file);

/* Cells take the state that the patches give them. */
void gppc_map_change(void *data, const struct gppc_patch *changes, uint32_t count);

/* A shortest path; its points are valid until the next call. */
struct gppc_path gppc_get_path(void *data, struct gppc_point start, struct gppc_point goal);

void gppc_free_data(void *data);
const char *gppc_get_name(void);

#ifdef __cplusplus
}
#endif

#endif
