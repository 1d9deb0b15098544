/* Maps drawn by chance: whole numbers only, so one seed gives the same map everywhere. */
#ifndef GENERATE_GENERATE_H
#define GENERATE_GENERATE_H

#include <stdio.h>

#include "cairn/cairn.h"
#include "kit/rng.h"

enum { LETTER_OPEN = '.', LETTER_WALL = '@', LETTER_TREE = 'T', LETTER_WATER = 'W' };

typedef struct canvas {
    uint32_t width;
    uint32_t height;
    char *letters;  /* width * height, in row order */
    uint32_t *work; /* as many numbers, for whoever draws */
} canvas;

/* What shapes a map; each kind knows some of these. */
typedef struct recipe {
    uint32_t fill;     /* share of blocked cells, in percent */
    uint32_t corridor; /* width of corridors, in cells */
    uint32_t room;     /* shortest side of a room, in cells */
    uint32_t loops;    /* how often a wall gets a second way through, in percent */
} recipe;

/* In a recipe: this kind does not know it. */
#define RECIPE_UNUSED UINT32_MAX

/* Half-open: from left and top to right and bottom, these two not included. */
typedef struct area {
    uint32_t left;
    uint32_t top;
    uint32_t right;
    uint32_t bottom;
} area;

static inline char *canvas_at(const canvas *map, uint32_t x, uint32_t y)
{
    return &map->letters[(size_t)y * map->width + x];
}

static inline area canvas_inside(const canvas *map)
{
    return (area){1, 1, map->width - 1, map->height - 1};
}

/* Writes it as a .map file. */
void canvas_write(const canvas *map, FILE *file);

void canvas_fill(canvas *map, area place, char letter);

/* A disc, cut off at the edge of the map. */
void canvas_disc(canvas *map, uint32_t x, uint32_t y, uint32_t radius, char letter);

/* Blocks every open region (by its straight steps) of fewer than `least` cells. */
void canvas_drop_regions(canvas *map, uint32_t least, char letter);

void draw_cave(canvas *map, kit_rng *rng, const recipe *shape);
void draw_rooms(canvas *map, kit_rng *rng, const recipe *shape);
void draw_maze(canvas *map, kit_rng *rng, const recipe *shape);
void draw_scatter(canvas *map, kit_rng *rng, const recipe *shape);
void draw_town(canvas *map, kit_rng *rng, const recipe *shape);
void draw_field(canvas *map, kit_rng *rng, const recipe *shape);

/* One line of a scenario. */
typedef struct drawn_query {
    uint32_t start[2]; /* of a graph, the node and 0 */
    uint32_t goal[2];
    double length;
    uint32_t number; /* in the order in which they were drawn */
} drawn_query;

/* `count` queries, each with the exact length of a shortest path: on a grid from short to long, on
 * a graph any two nodes with a path. CAIRN_E_ARGUMENT when the map has no path to ask for. */
cairn_status draw_queries(const cairn_map *map, const kit_rng *rng, uint32_t count,
                          drawn_query *queries);

/* A scenario to draw and to write. */
typedef struct scenario_plan {
    const char *path;     /* of the scenario */
    const char *map_path; /* whose name stands in it, if it is that of a grid */
    uint32_t query_count;
    kit_rng rng;
    /* Makes the map in a metric, for which there may be a second call; an exit code. */
    int (*make_map)(const void *context, cairn_metric metric, cairn_map **map);
    const void *context;
} scenario_plan;

/* Draws and writes it, or complains; an exit code. */
int make_scenario(const char *command, const scenario_plan *plan);

#endif
