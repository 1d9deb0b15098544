/* A picture of a map: what to show on it, and a legend below. */
#ifndef RENDER_SCENE_H
#define RENDER_SCENE_H

#include "cairn/cairn.h"
#include "render/image.h"
#include "render/fields.h"

typedef enum field_style {
    FIELD_BANDS, /* costs: a contour every so many steps */
    FIELD_HEAT   /* gains and errors: nothing is the colour of paper */
} field_style;

/* Bits of explored[node]. */
enum { EXPLORED_BASE = 1, EXPLORED_LANDMARKS = 2 };

/* A part of a grid, by its upper left cell; of no cells: all of it. */
typedef struct scene_window {
    uint32_t x, y;
    uint32_t width, height;
} scene_window;

typedef struct scene {
    const cairn_map *map;
    const char *title;
    scene_window window;
    uint32_t most_width; /* of the map in the picture; 0: 1200 x 900 */
    uint32_t most_height;
    bool is_bare; /* the map alone, without title and legend */

    const field *values; /* NULL: none */
    field_style style;
    const char *values_name; /* "cost from row 3, in steps" */

    const uint8_t *explored; /* by node; NULL: none */
    uint64_t explored_base;  /* counts for the legend */
    uint64_t explored_landmarks;

    const cairn_node *path; /* from start to goal */
    size_t path_count;
    cairn_node start; /* CAIRN_NO_NODE: none */
    cairn_node goal;

    const cairn_table *table; /* its landmarks are shown; NULL: none */
    cairn_node landmark;      /* one more; CAIRN_NO_NODE: none */
    uint32_t left_out;        /* landmarks of small components, which would hide the map */
} scene;

/* The part of its map that a scene shows, in numbers. */
scene_window scene_part(const scene *of);

/* Whether a node lies in that part; false for CAIRN_NO_NODE. */
bool scene_shows(const scene *of, cairn_node node);

/* Whether a map can be drawn: grids, and graphs whose nodes have coordinates. */
bool scene_is_possible(const cairn_map *map);

/* A scene that shows the map alone. */
scene scene_of(const cairn_map *map, const char *title);

/* The colour of a value of its field, on the scale. */
colour scene_value_colour(const scene *of, double value);

/* Draws a new picture, and sets `left_out`. False when there is no memory. */
bool scene_draw(scene *of, image *on);

#endif
