#include "render/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/say.h"
#include "render/ramp.h"

enum {
    MOST_WIDTH = 1200,
    MOST_HEIGHT = 900,
    LEAST_WIDTH = 620,
    MARGIN = 12,
    LINE = 24,
    LETTERS = 2, /* pixels a dot */
    BANDS = 20,
    DASH = 12, /* of the path, in pixels */
    GAP = 12,
};

#define PAPER COLOUR(0xf6f3ec)
#define INK COLOUR(0x22262b)
#define ROCK COLOUR(0x3a3f47)
#define NOWHERE COLOUR(0xcfcbc2)
#define EXPLORED_LIGHT COLOUR(0xf4c98a)
#define EXPLORED_DARK COLOUR(0xb9501b)
#define PATH COLOUR(0x1d4f9f)
#define START COLOUR(0x2d8a4e)
#define GOAL COLOUR(0xc0243c)
#define LANDMARK COLOUR(0x7a1fa2)

/* Where the map lies in the picture. */
typedef struct view {
    const scene *of;
    image *on;
    double scale; /* pixels a cell */
    int x, y;     /* of its upper left corner */
    uint32_t width, height;
    uint8_t *taken; /* by pixel: a spot or a label lies there; NULL without memory */
} view;

scene scene_of(const cairn_map *map, const char *title)
{
    return (scene){.map = map,
                   .title = title,
                   .start = CAIRN_NO_NODE,
                   .goal = CAIRN_NO_NODE,
                   .landmark = CAIRN_NO_NODE};
}

/* ------------------------------------------------------------------------------ cells -- */

static colour terrain_colour(char letter, bool is_open)
{
    switch (letter) {
    case 'T': return COLOUR(0x4b6f52);
    case 'W': return COLOUR(0x5f8fbf);
    case 'S': return COLOUR(0xc9c08f);
    default: return is_open ? PAPER : ROCK;
    }
}

static double band_step(const field *values)
{
    return ramp_step(values->full, BANDS);
}

static int band_of(const field *values, cairn_node node)
{
    double value = values->values[node];
    return isnan(value) ? -1 : (int)(value / band_step(values));
}

/* Whether a contour runs between a cell and the one to its right or below. */
static bool on_contour(const scene *of, cairn_node node)
{
    uint32_t width = cairn_map_width(of->map), count = cairn_map_node_count(of->map);
    int band = band_of(of->values, node);
    int right = node % width + 1 < width ? band_of(of->values, node + 1) : -1;
    int below = node + width < count ? band_of(of->values, node + width) : -1;
    return (right >= 0 && right != band) || (below >= 0 && below != band);
}

static colour value_colour(const scene *of, cairn_node node)
{
    double value = of->values->values[node];
    double full = of->values->full > 0 ? of->values->full : 1;
    if (isnan(value))
        return NOWHERE;
    if (of->style == FIELD_HEAT)
        return ramp_heat(value / full);
    colour flat = ramp_bands((band_of(of->values, node) + 0.5) * band_step(of->values) / full);
    return on_contour(of, node) ? colour_mix(flat, INK, 0.45) : flat;
}

static colour cell_colour(const scene *of, cairn_node node)
{
    bool is_open = cairn_map_is_open(of->map, node);
    if (is_open && of->explored && of->explored[node])
        return of->explored[node] & EXPLORED_LANDMARKS ? EXPLORED_DARK : EXPLORED_LIGHT;
    if (is_open && of->values)
        return value_colour(of, node);
    return terrain_colour(cairn_map_letter(of->map, node), is_open);
}

static bool draw_cells(const view *to)
{
    const cairn_map *map = to->of->map;
    image cells;

    if (!image_init(&cells, cairn_map_width(map), cairn_map_height(map), PAPER))
        return false;
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
        cells.pixels[node] = cell_colour(to->of, node);
    image_paint(to->on, to->x, to->y, to->width, to->height, &cells);
    image_free(&cells);
    return true;
}

/* ------------------------------------------------------------------------- upon them -- */

static void centre_of(const view *to, cairn_node node, double *x, double *y)
{
    uint32_t column = 0, row = 0;
    cairn_node_xy(to->of->map, node, &column, &row);
    *x = to->x + (column + 0.5) * to->scale;
    *y = to->y + (row + 0.5) * to->scale;
}

static void draw_dash(image *on, double x0, double y0, double x1, double y1)
{
    image_line(on, x0, y0, x1, y1, 4.5, COLOUR(0xffffff));
    image_line(on, x0, y0, x1, y1, 2.5, PATH);
}

/* A straight piece of the path, which begins `done` pixels after the start of all. */
static void draw_stretch(image *on, const double from[2], const double until[2], double done)
{
    double length = hypot(until[0] - from[0], until[1] - from[1]);
    double dx = (until[0] - from[0]) / length, dy = (until[1] - from[1]) / length;
    for (double at = -fmod(done, DASH + GAP); at < length; at += DASH + GAP) {
        double begin = fmax(at, 0), end = fmin(at + DASH, length);
        if (begin < end)
            draw_dash(on, from[0] + begin * dx, from[1] + begin * dy, from[0] + end * dx,
                      from[1] + end * dy);
    }
}

/* Dashes, so that the cells below are seen between them where cells are as narrow as the line.
 * Pieces without a turn are one stretch. */
static void draw_path(const view *to)
{
    const cairn_node *path = to->of->path;
    double corner[2], here[2], done = 0;

    if (to->of->path_count > 0)
        centre_of(to, path[0], &corner[0], &corner[1]);
    for (size_t i = 1; i < to->of->path_count; i++) {
        bool is_last = i + 1 == to->of->path_count;
        if (!is_last && path[i + 1] - path[i] == path[i] - path[i - 1])
            continue;
        centre_of(to, path[i], &here[0], &here[1]);
        draw_stretch(to->on, corner, here, done);
        done += hypot(here[0] - corner[0], here[1] - corner[1]);
        memcpy(corner, here, sizeof corner);
    }
}

/* The open neighbours to the four sides, among which every way of eight directions can be made
 * where corners cannot be cut. */
static unsigned sides_of(const cairn_map *map, cairn_node node, cairn_node sides[4])
{
    uint32_t width = cairn_map_width(map), x = node % width;
    const cairn_node all[4] = {x > 0 ? node - 1 : CAIRN_NO_NODE,
                               x + 1 < width ? node + 1 : CAIRN_NO_NODE, node - width,
                               node + width};
    unsigned count = 0;
    for (unsigned i = 0; i < 4; i++)
        if (cairn_map_is_open(map, all[i]))
            sides[count++] = all[i];
    return count;
}

/* Marks a component and lists its cells. */
static uint32_t fill_component(const cairn_map *map, cairn_node from, uint32_t *sizes,
                               cairn_node *cells)
{
    uint32_t count = 1;
    cells[0] = from;
    sizes[from] = 1;
    for (uint32_t i = 0; i < count; i++) {
        cairn_node sides[4];
        unsigned side_count = sides_of(map, cells[i], sides);
        for (unsigned side = 0; side < side_count; side++) {
            if (sizes[sides[side]])
                continue;
            sizes[sides[side]] = 1;
            cells[count++] = sides[side];
        }
    }
    return count;
}

/* Makes an array that tells for each open node how many cells its component has; the caller frees
 * it. NULL without memory. */
static uint32_t *component_sizes(const cairn_map *map)
{
    uint32_t node_count = cairn_map_node_count(map);
    uint32_t *sizes = calloc(node_count + 1u, sizeof *sizes);
    cairn_node *cells = calloc(node_count + 1u, sizeof *cells);

    for (cairn_node node = 0; sizes && cells && node < node_count; node++) {
        if (!cairn_map_is_open(map, node) || sizes[node])
            continue;
        uint32_t count = fill_component(map, node, sizes, cells);
        for (uint32_t i = 0; i < count; i++)
            sizes[cells[i]] = count;
    }
    free(cells);
    return sizes;
}

static void draw_spot(image *on, double x, double y, double radius, colour fill)
{
    image_disc(on, x, y, radius + 2, COLOUR(0xffffff));
    image_disc(on, x, y, radius, fill);
}

static void draw_label(image *on, int x, int y, const char *text)
{
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            image_text(on, x + 2 * dx, y + 2 * dy, LETTERS, COLOUR(0xffffff), text);
    image_text(on, x, y, LETTERS, LANDMARK, text);
}

typedef struct rectangle {
    int x, y, width, height;
} rectangle;

static bool lies_on_map(const view *to, rectangle at)
{
    return at.x >= to->x && at.x + at.width <= to->x + (int)to->width && at.y >= to->y &&
           at.y + at.height <= to->y + (int)to->height;
}

/* A place that is larger than the map begins where the map does. */
static rectangle moved_onto_map(const view *to, rectangle at)
{
    const int most_x = to->x + (int)to->width - at.width;
    const int most_y = to->y + (int)to->height - at.height;

    at.x = at.x > most_x ? most_x : at.x;
    at.y = at.y > most_y ? most_y : at.y;
    at.x = at.x < to->x ? to->x : at.x;
    at.y = at.y < to->y ? to->y : at.y;
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
    enum { REACH = 7 };
    double x, y;
    if (node == CAIRN_NO_NODE)
        return;
    centre_of(to, node, &x, &y);
    take_place(to, (rectangle){(int)x - REACH, (int)y - REACH, 2 * REACH, 2 * REACH});
}

/* Beside, above or below its spot, where nothing else lies, in a corner of the map moved onto it;
 * else to the right or left of it. */
static void label_landmark(const view *to, cairn_node node, uint32_t row)
{
    enum { SIDES = 4 };
    char label[12];
    double centre_x, centre_y;

    centre_of(to, node, &centre_x, &centre_y);
    snprintf(label, sizeof label, "%u", row);
    const int x = (int)centre_x, y = (int)centre_y;
    const int width = image_text_width(label, LETTERS), height = 8 * LETTERS;
    rectangle places[2 * SIDES] = {{x + 9, y - 7, width, height},
                                   {x - 9 - width, y - 7, width, height},
                                   {x - width / 2, y - 9 - height, width, height},
                                   {x - width / 2, y + 9, width, height}};
    for (size_t i = 0; i < SIDES; i++)
        places[SIDES + i] = moved_onto_map(to, places[i]);
    rectangle at = places[SIDES + (lies_on_map(to, places[0]) ? 0 : 1)];
    for (size_t i = 2 * SIDES; i-- > 0;)
        if (is_free_place(to, places[i]))
            at = places[i];
    draw_label(to->on, at.x, at.y, label);
    take_place(to, at);
}

static void draw_landmark(const view *to, cairn_node node, bool is_minor)
{
    double x, y;
    centre_of(to, node, &x, &y);
    draw_spot(to->on, x, y, is_minor ? 1.5 : 5, LANDMARK);
    if (!is_minor)
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

static void pass_landmarks(const view *to, const uint32_t *sizes, landmark_pass pass)
{
    const cairn_table *table = to->of->table;
    const uint32_t small = cairn_map_open_count(to->of->map) / 100;

    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        const cairn_node *landmarks;
        size_t count = cairn_table_landmarks(table, row, &landmarks);
        for (size_t i = 0; i < count; i++) {
            bool is_minor = sizes && sizes[landmarks[i]] < small;
            if (is_minor != (pass == MINOR_SPOTS) ||
                repeats_row_before(table, row, i, landmarks[i]))
                continue;
            if (pass == LABELS)
                label_landmark(to, landmarks[i], row);
            else
                draw_landmark(to, landmarks[i], is_minor);
        }
    }
}

/* Landmarks of components too small to be seen come first, so that the others lie above them, and
 * numbers last, so that none lies on another or on a spot as long as there is room. */
static void draw_landmarks(view *to)
{
    uint32_t *sizes = component_sizes(to->of->map);
    to->taken = calloc((size_t)to->on->width * to->on->height, 1);

    take_spot(to, to->of->start);
    take_spot(to, to->of->goal);
    for (landmark_pass pass = MINOR_SPOTS; pass <= LABELS; pass++)
        pass_landmarks(to, sizes, pass);
    free(to->taken);
    to->taken = NULL;
    free(sizes);
}

static void draw_node(const view *to, cairn_node node, colour fill)
{
    double x, y;
    if (node == CAIRN_NO_NODE)
        return;
    centre_of(to, node, &x, &y);
    draw_spot(to->on, x, y, 6, fill);
}

/* ----------------------------------------------------------------------------- legend -- */

/* Where the next part of the legend goes; without a picture it is only measured. */
typedef struct cursor {
    image *on;
    int width;
    int x, y;
} cursor;

static void new_line(cursor *at)
{
    at->x = MARGIN;
    at->y += LINE;
}

/* Makes room for a part of this width and gives its place. */
static int place_part(cursor *at, int width)
{
    if (at->x > MARGIN && at->x + width > at->width - MARGIN)
        new_line(at);
    int x = at->x;
    at->x += width + 2 * MARGIN;
    return x;
}

typedef enum swatch { SWATCH_BOX, SWATCH_LINE, SWATCH_SPOT } swatch;

static void add_key(cursor *at, swatch kind, colour fill, const char *text)
{
    int x = place_part(at, 24 + image_text_width(text, LETTERS));
    if (!at->on)
        return;
    if (kind == SWATCH_BOX) {
        image_box(at->on, x, at->y, 16, 16, INK);
        image_box(at->on, x + 1, at->y + 1, 14, 14, fill);
    } else if (kind == SWATCH_LINE) {
        draw_dash(at->on, x + 2, at->y + 8, x + 16, at->y + 8);
    } else {
        draw_spot(at->on, x + 8, at->y + 8, 5, fill);
    }
    image_text(at->on, x + 24, at->y + 1, LETTERS, INK, text);
}

/* How many letters of a text go on one line: words as a whole where they fit. */
static size_t letters_that_fit(const cursor *at, const char *text)
{
    int advance = image_text_width("  ", LETTERS) - image_text_width(" ", LETTERS);
    size_t most = (size_t)((at->width - 2 * MARGIN) / advance);
    if (strlen(text) <= most)
        return strlen(text);
    for (size_t count = most; count > 0; count--)
        if (text[count] == ' ')
            return count;
    return most;
}

/* On lines of its own, as many as it needs. */
static void add_text(cursor *at, const char *text)
{
    while (*text) {
        char line[256];
        size_t count = letters_that_fit(at, text);
        snprintf(line, sizeof line, "%.*s", (int)count, text);
        if (at->on)
            image_text(at->on, MARGIN, at->y + 1, LETTERS, INK, line);
        new_line(at);
        text += count;
        text += *text == ' ';
    }
}

static void draw_bar(const cursor *at, const scene *of, int x, int width)
{
    double full = of->values->full > 0 ? of->values->full : 1;
    double step = band_step(of->values);
    for (int i = 0; i < width; i++) {
        double value = (i + 0.5) / width * full;
        colour fill = of->style == FIELD_HEAT
                          ? ramp_heat(value / full)
                          : ramp_bands((floor(value / step) + 0.5) * step / full);
        image_box(at->on, x + i, at->y, 1, 14, fill);
    }
    double mark = ramp_step(full, 4);
    for (double value = 0; value <= full * 1.0001; value += mark) {
        char label[24];
        snprintf(label, sizeof label, "%.6g", value);
        int place = x + (int)(value / full * width);
        image_box(at->on, place, at->y + 14, 2, 5, INK);
        image_text(at->on, place - image_text_width(label, LETTERS) / 2, at->y + 21, LETTERS, INK,
                   label);
    }
}

static void add_bar(cursor *at, const scene *of)
{
    enum { WIDTH = 400, INDENT = 24 };
    if (at->x > MARGIN)
        new_line(at);
    add_text(at, of->values_name);
    if (at->on)
        draw_bar(at, of, MARGIN + INDENT, WIDTH);
    at->y += 20;
    new_line(at);
}

/* A stretch of round length, at most as long as the map is wide. */
static void add_length(cursor *at, const cairn_map *map, double scale)
{
    char text[32];
    double cells = ramp_step(fmin(160 / scale, cairn_map_width(map) / 2.0), 1);
    int width = (int)(cells * scale + 0.5);
    snprintf(text, sizeof text, "%.6g cell%s", cells, cells > 1 ? "s" : "");
    int x = place_part(at, width + 10 + image_text_width(text, LETTERS));
    if (!at->on)
        return;
    image_box(at->on, x, at->y + 7, width, 2, INK);
    image_box(at->on, x, at->y + 3, 2, 10, INK);
    image_box(at->on, x + width - 2, at->y + 3, 2, 10, INK);
    image_text(at->on, x + width + 10, at->y + 1, LETTERS, INK, text);
}

static bool has_letter(const cairn_map *map, char letter)
{
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
        if (cairn_map_letter(map, node) == letter)
            return true;
    return false;
}

static void add_terrain(cursor *at, const cairn_map *map)
{
    static const struct {
        char letter;
        const char *name;
    } kinds[] = {{'T', "trees"}, {'W', "water"}, {'S', "swamp"}};
    add_key(at, SWATCH_BOX, ROCK, "blocked");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (has_letter(map, kinds[i].letter))
            add_key(at, SWATCH_BOX, terrain_colour(kinds[i].letter, false), kinds[i].name);
}

static void add_explored(cursor *at, const scene *of)
{
    char text[80];
    snprintf(text, sizeof text, "expanded with the base heuristic: %s",
             kit_count(of->explored_base).text);
    add_key(at, SWATCH_BOX, EXPLORED_LIGHT, text);
    snprintf(text, sizeof text, "with landmarks: %s", kit_count(of->explored_landmarks).text);
    add_key(at, SWATCH_BOX, EXPLORED_DARK, text);
}

static void add_legend(cursor *at, const scene *of, double scale)
{
    add_text(at, of->title);
    if (of->values)
        add_bar(at, of);
    if (of->explored)
        add_explored(at, of);
    if (of->path_count)
        add_key(at, SWATCH_LINE, PATH, "path");
    if (of->start != CAIRN_NO_NODE)
        add_key(at, SWATCH_SPOT, START, "start");
    if (of->goal != CAIRN_NO_NODE)
        add_key(at, SWATCH_SPOT, GOAL, "goal");
    if (of->table)
        add_key(at, SWATCH_SPOT, LANDMARK, "landmark, with its row");
    else if (of->landmark != CAIRN_NO_NODE)
        add_key(at, SWATCH_SPOT, LANDMARK, "landmark");
    add_terrain(at, of->map);
    add_length(at, of->map, scale);
    new_line(at);
}

/* ----------------------------------------------------------------------------- drawing -- */

/* Small maps grow by whole numbers, large ones shrink to what fits. */
static double scale_for(const scene *of)
{
    double most_width = of->most_width ? of->most_width : MOST_WIDTH;
    double most_height = of->most_height ? of->most_height : MOST_HEIGHT;
    double scale = fmin(most_width / cairn_map_width(of->map),
                        most_height / cairn_map_height(of->map));
    return scale >= 1 ? fmin(floor(scale), 16) : scale;
}

static uint32_t at_least_one(double pixels)
{
    return pixels < 1 ? 1 : (uint32_t)(pixels + 0.5);
}

static bool draw_upon(view *to, int map_bottom)
{
    const scene *of = to->of;
    if (!draw_cells(to))
        return false;
    draw_path(to);
    if (of->table)
        draw_landmarks(to);
    draw_node(to, of->landmark, LANDMARK);
    draw_node(to, of->start, START);
    draw_node(to, of->goal, GOAL);
    cursor at = {.on = to->on, .width = (int)to->on->width, .x = MARGIN, .y = map_bottom};
    add_legend(&at, of, to->scale);
    return true;
}

bool scene_draw(const scene *of, image *on)
{
    view to = {.of = of, .on = on, .scale = scale_for(of)};
    to.width = at_least_one(cairn_map_width(of->map) * to.scale);
    to.height = at_least_one(cairn_map_height(of->map) * to.scale);

    uint32_t width = to.width + 2 * MARGIN < LEAST_WIDTH ? LEAST_WIDTH : to.width + 2 * MARGIN;
    cursor measure = {.width = (int)width, .x = MARGIN};
    add_legend(&measure, of, to.scale);
    uint32_t height = (uint32_t)(2 * MARGIN + (int)to.height + measure.y + MARGIN);
    to.x = (int)(width - to.width) / 2;
    to.y = MARGIN;
    if (!image_init(on, width, height, COLOUR(0xffffff)))
        return false;
    if (draw_upon(&to, 2 * MARGIN + (int)to.height))
        return true;
    image_free(on);
    return false;
}
