#include "render/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/ground.h"
#include "render/legend.h"
#include "render/palette.h"

enum { MOST_WIDTH = 1200, MOST_HEIGHT = 900, LEAST_WIDTH = 620, MARGIN = 12 };

/* A picture that is being drawn, and how large things upon the map are, in pixels. */
typedef struct view {
    const scene *of;
    image *on;
    ground below;
    double spot;     /* the radius of a landmark */
    double line;     /* the width of the path */
    int dot;         /* of the letters of numbers */
    uint32_t *sizes; /* by node, of its component; NULL without landmarks or memory */
    uint8_t *taken;  /* by pixel: a spot or a label lies there; NULL without memory */
} view;

bool scene_is_possible(const cairn_map *map)
{
    int32_t x, y;
    return cairn_map_kind_of(map) == CAIRN_MAP_GRID || cairn_node_place(map, 0, &x, &y);
}

scene_window scene_part(const scene *of)
{
    if (of->window.width > 0)
        return of->window;
    return (scene_window){0, 0, cairn_map_width(of->map), cairn_map_height(of->map)};
}

bool scene_shows(const scene *of, cairn_node node)
{
    const scene_window part = scene_part(of);
    uint32_t x, y;
    if (!cairn_node_xy(of->map, node, &x, &y))
        return false;
    return cairn_map_kind_of(of->map) == CAIRN_MAP_GRAPH ||
           (x >= part.x && x - part.x < part.width && y >= part.y && y - part.y < part.height);
}

scene scene_of(const cairn_map *map, const char *title)
{
    return (scene){.map = map,
                   .title = title,
                   .start = CAIRN_NO_NODE,
                   .goal = CAIRN_NO_NODE,
                   .landmark = CAIRN_NO_NODE};
}

/* ------------------------------------------------------------------------- upon them -- */

/* Of a line that is seen on any ground: the edges of all its pieces lie below all of it. */
typedef enum line_pass { LINE_EDGES, LINE_ITSELF } line_pass;

/* A straight piece of the path, which begins `done` pixels after the start of all. */
static void draw_stretch(const view *to, const double from[2], const double until[2], double done,
                         line_pass pass)
{
    const double width = pass == LINE_EDGES ? to->line + 2 : to->line;
    const colour stroke = COLOUR(pass == LINE_EDGES ? 0xffffff : PALETTE_PATH);
    const double dash = 4.8 * to->line;
    double length = hypot(until[0] - from[0], until[1] - from[1]);
    double dx = (until[0] - from[0]) / length, dy = (until[1] - from[1]) / length;
    for (double at = -fmod(done, 2 * dash); at < length; at += 2 * dash) {
        double begin = fmax(at, 0), end = fmin(at + dash, length);
        if (begin < end)
            image_line(to->on, from[0] + begin * dx, from[1] + begin * dy, from[0] + end * dx,
                       from[1] + end * dy, width, stroke);
    }
}

/* Whether the step to a node of a path and that from it are one line. */
static bool goes_straight_on(const cairn_map *map, const cairn_node *at)
{
    return cairn_map_kind_of(map) == CAIRN_MAP_GRID && at[1] - at[0] == at[0] - at[-1];
}

/* Dashes, so that the cells below are seen between them where cells are as narrow as the line.
 * Pieces without a turn are one stretch. */
static void draw_path(const view *to, line_pass pass)
{
    const ground *below = &to->below;
    const cairn_node *path = to->of->path;
    double corner[2], here[2], done = 0;

    if (to->of->path_count > 0)
        ground_place(below, path[0], &corner[0], &corner[1]);
    for (size_t i = 1; i < to->of->path_count; i++) {
        const bool is_last = i + 1 == to->of->path_count;
        const bool is_shown = scene_shows(to->of, path[i - 1]) && scene_shows(to->of, path[i]);
        if (is_shown && !is_last && scene_shows(to->of, path[i + 1]) &&
            goes_straight_on(to->of->map, &path[i]))
            continue;
        ground_place(below, path[i], &here[0], &here[1]);
        if (is_shown)
            draw_stretch(to, corner, here, done, pass);
        done += hypot(here[0] - corner[0], here[1] - corner[1]);
        memcpy(corner, here, sizeof corner);
    }
}

/* By number of a component, how many nodes it has; by node, the same of its component, 0 for a
 * blocked one. */
static void spread_sizes(uint32_t *components, uint32_t *sizes, uint32_t node_count)
{
    for (cairn_node node = 0; node < node_count; node++) {
        if (components[node] != CAIRN_NO_COMPONENT)
            sizes[components[node]]++;
    }
    for (cairn_node node = 0; node < node_count; node++)
        components[node] = components[node] == CAIRN_NO_COMPONENT ? 0 : sizes[components[node]];
}

/* Makes an array that tells for each node how many its component has; the caller frees it. NULL
 * without memory. */
static uint32_t *component_sizes(const cairn_map *map)
{
    const uint32_t node_count = cairn_map_node_count(map);
    uint32_t *of = malloc(node_count * sizeof *of), *sizes = calloc(node_count, sizeof *sizes);
    const bool are_known = of && sizes &&
                           cairn_map_components(map, CAIRN_CONNECTED, of, NULL) == CAIRN_OK;

    if (are_known)
        spread_sizes(of, sizes, node_count);
    free(sizes);
    if (are_known)
        return of;
    free(of);
    return NULL;
}

static void draw_label(const view *to, int x, int y, const char *text)
{
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            image_text(to->on, x + 2 * dx, y + 2 * dy, to->dot, COLOUR(0xffffff), text);
    image_text(to->on, x, y, to->dot, COLOUR(PALETTE_LANDMARK), text);
}

typedef struct rectangle {
    int x, y, width, height;
} rectangle;

static bool lies_on_map(const view *to, rectangle at)
{
    return at.x >= to->below.x && at.x + at.width <= to->below.x + (int)to->below.width &&
           at.y >= to->below.y && at.y + at.height <= to->below.y + (int)to->below.height;
}

/* A place that is larger than the map begins where the map does. */
static rectangle moved_onto_map(const view *to, rectangle at)
{
    const int most_x = to->below.x + (int)to->below.width - at.width;
    const int most_y = to->below.y + (int)to->below.height - at.height;

    at.x = at.x > most_x ? most_x : at.x;
    at.y = at.y > most_y ? most_y : at.y;
    at.x = at.x < to->below.x ? to->below.x : at.x;
    at.y = at.y < to->below.y ? to->below.y : at.y;
    return at;
}

static void take_place(const view *to, rectangle at)
{
    for (int y = at.y; to->taken && y < at.y + at.height; y++)
        for (int x = at.x; x < at.x + at.width; x++)
            if (x >= 0 && x < (int)to->on->width && y >= 0 && y < (int)to->on->height)
                to->taken[(size_t)y * to->on->width + (size_t)x] = 1;
}

static bool is_free_place(const view *to, rectangle at)
{
    if (!lies_on_map(to, at))
        return false;
    for (int y = at.y; to->taken && y < at.y + at.height; y++)
        if (memchr(to->taken + (size_t)y * to->on->width + (size_t)at.x, 1, (size_t)at.width))
            return false;
    return true;
}

static void take_spot(const view *to, cairn_node node)
{
    const int reach = (int)to->spot + 2;
    double x, y;
    if (!scene_shows(to->of, node))
        return;
    ground_place(&to->below, node, &x, &y);
    take_place(to, (rectangle){(int)x - reach, (int)y - reach, 2 * reach, 2 * reach});
}

/* Beside, above or below its spot, where nothing else lies, in a corner of the map moved onto it;
 * else to the right or left of it. */
static void label_landmark(const view *to, cairn_node node, uint32_t row)
{
    enum { SIDES = 4 };
    char label[12];
    double centre_x, centre_y;

    ground_place(&to->below, node, &centre_x, &centre_y);
    snprintf(label, sizeof label, "%u", row);
    const int x = (int)centre_x, y = (int)centre_y;
    const int width = image_text_width(label, to->dot), height = 8 * to->dot;
    const int away = (int)to->spot + 4, up = height / 2 - 1;
    rectangle places[2 * SIDES] = {{x + away, y - up, width, height},
                                   {x - away - width, y - up, width, height},
                                   {x - width / 2, y - away - height, width, height},
                                   {x - width / 2, y + away, width, height}};
    for (size_t i = 0; i < SIDES; i++)
        places[SIDES + i] = moved_onto_map(to, places[i]);
    rectangle at = places[SIDES + (lies_on_map(to, places[0]) ? 0 : 1)];
    for (size_t i = 2 * SIDES; i-- > 0;)
        if (is_free_place(to, places[i]))
            at = places[i];
    draw_label(to, at.x, at.y, label);
    take_place(to, at);
}

static void draw_landmark(const view *to, cairn_node node, bool minor)
{
    double x, y;
    ground_place(&to->below, node, &x, &y);
    image_spot(to->on, x, y, minor ? 1.5 : to->spot, COLOUR(PALETTE_LANDMARK));
    if (!minor)
        take_spot(to, node);
}

/* Tables of directed maps have two rows for each set of landmarks, to and from. */
static bool repeats_row_before(const cairn_table *table, uint32_t row, size_t index,
                               cairn_node landmark)
{
    const cairn_node *before;
    return row > 0 && index < cairn_table_landmarks(table, row - 1, &before) &&
           before[index] == landmark;
}

typedef enum landmark_pass { MINOR_SPOTS, SPOTS, LABELS } landmark_pass;

/* Whether a landmark is of a component too small to be seen. */
static bool is_minor(const view *to, cairn_node landmark)
{
    return to->sizes && to->sizes[landmark] < cairn_map_open_count(to->of->map) / 100;
}

static uint32_t count_minor(const view *to)
{
    uint32_t minor = 0;
    for (uint32_t row = 0; row < cairn_table_row_count(to->of->table); row++) {
        const cairn_node *landmarks;
        size_t count = cairn_table_landmarks(to->of->table, row, &landmarks);
        for (size_t i = 0; i < count; i++)
            minor += scene_shows(to->of, landmarks[i]) && is_minor(to, landmarks[i]) &&
                     !repeats_row_before(to->of->table, row, i, landmarks[i]);
    }
    return minor;
}

/* How many landmarks would hide the map: those of small components, where their spots cover more
 * than a part of it. */
static uint32_t count_left_out(const view *to)
{
    static const double pixels_of_spot = 38, most_covered = 0.02;
    const uint32_t minor = count_minor(to);
    const double pixels = (double)to->below.width * to->below.height;
    return minor * pixels_of_spot > most_covered * pixels ? minor : 0;
}

static void pass_landmarks(const view *to, landmark_pass pass)
{
    const cairn_table *table = to->of->table;

    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        const cairn_node *landmarks;
        size_t count = cairn_table_landmarks(table, row, &landmarks);
        for (size_t i = 0; i < count; i++) {
            bool minor = is_minor(to, landmarks[i]);
            if (!scene_shows(to->of, landmarks[i]) || minor != (pass == MINOR_SPOTS) ||
                (minor && to->of->left_out) || repeats_row_before(table, row, i, landmarks[i]))
                continue;
            if (pass == LABELS)
                label_landmark(to, landmarks[i], row);
            else
                draw_landmark(to, landmarks[i], minor);
        }
    }
}

/* Landmarks of small components come first, so that the others lie above them, and numbers last, so
 * that none lies on another or on a spot as long as there is room. */
static void draw_landmarks(view *to)
{
    to->taken = calloc((size_t)to->on->width * to->on->height, 1);

    take_spot(to, to->of->start);
    take_spot(to, to->of->goal);
    for (landmark_pass pass = MINOR_SPOTS; pass <= LABELS; pass++)
        pass_landmarks(to, pass);
    free(to->taken);
    to->taken = NULL;
}

static void draw_node(const view *to, cairn_node node, colour fill)
{
    double x, y;
    if (!scene_shows(to->of, node))
        return;
    ground_place(&to->below, node, &x, &y);
    image_spot(to->on, x, y, to->spot + 1, fill);
}

/* ----------------------------------------------------------------------------- drawing -- */

static double within(double value, double least, double most)
{
    return fmin(fmax(value, least), most);
}

static view view_of(const scene *of, image *on)
{
    const ground below = ground_of(of, of->most_width ? of->most_width : MOST_WIDTH,
                                   of->most_height ? of->most_height : MOST_HEIGHT);
    return (view){.of = of,
                  .on = on,
                  .below = below,
                  .spot = within(below.cell / 8, 5, 16),
                  .line = within(below.cell / 16, 2.5, 6),
                  .dot = below.cell < 48 ? 2 : 3};
}

static bool draw_upon(view *to)
{
    const scene *of = to->of;
    if (!ground_draw(&to->below, to->on))
        return false;
    draw_path(to, LINE_EDGES);
    draw_path(to, LINE_ITSELF);
    if (of->table)
        draw_landmarks(to);
    draw_node(to, of->landmark, COLOUR(PALETTE_LANDMARK));
    draw_node(to, of->start, COLOUR(PALETTE_START));
    draw_node(to, of->goal, COLOUR(PALETTE_GOAL));
    if (!of->is_bare)
        legend_draw(of, to->below.cell, to->on, 2 * MARGIN + (int)to->below.height);
    return true;
}

static bool draw(view *to)
{
    const scene *of = to->of;
    ground *below = &to->below;
    uint32_t width = below->width + 2 * MARGIN, height = below->height + 2 * MARGIN;

    if (!of->is_bare) {
        width = width < LEAST_WIDTH ? LEAST_WIDTH : width;
        height += (uint32_t)legend_height(of, below->cell, (int)width) + MARGIN;
    }
    below->x = (int)(width - below->width) / 2;
    below->y = MARGIN;
    if (!image_init(to->on, width, height, COLOUR(0xffffff)))
        return false;
    if (draw_upon(to))
        return true;
    image_free(to->on);
    return false;
}

bool scene_draw(scene *of, image *on)
{
    view to = view_of(of, on);
    if (of->table) {
        to.sizes = component_sizes(of->map);
        of->left_out = count_left_out(&to);
    }
    const bool is_drawn = draw(&to);
    free(to.sizes);
    return is_drawn;
}
