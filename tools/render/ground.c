#include "render/ground.h"

#include <math.h>
#include <stdlib.h>

#include "render/palette.h"
#include "render/ramp.h"

static bool is_grid(const cairn_map *map)
{
    return cairn_map_kind_of(map) == CAIRN_MAP_GRID;
}

/* ----------------------------------------------------------------------------- places -- */

/* The corners of a plane. */
typedef struct extent {
    double left, top, right, bottom;
} extent;

/* Meridians meet at the poles: coordinates in millionths of a degree, as roads have them, are
 * narrower by the cosine of their latitude. That of small numbers is nearly 1. */
static double narrowing(const extent *of)
{
    static const double degree = 1e6;
    const double latitude = (of->top + of->bottom) / 2 / degree;
    if (fabs(latitude) >= 90 || fabs(of->left) > 180 * degree || fabs(of->right) > 180 * degree)
        return 1;
    return cos(latitude * acos(-1.0) / 180);
}

/* Of the coordinates of a graph. */
static extent extent_of_places(const cairn_map *map)
{
    extent of = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++) {
        int32_t x, y;
        if (!cairn_node_place(map, node, &x, &y))
            continue;
        of.left = fmin(of.left, x);
        of.right = fmax(of.right, x);
        of.top = fmin(of.top, y);
        of.bottom = fmax(of.bottom, y);
    }
    return of.left <= of.right ? of : (extent){0, 0, 0, 0};
}

static uint32_t at_least_one(double pixels)
{
    return pixels < 1 ? 1 : (uint32_t)(pixels + 0.5);
}

/* Small maps grow by whole numbers, large ones shrink to what fits. */
static ground ground_of_cells(const scene *of, double most_width, double most_height)
{
    const scene_window part = scene_part(of);
    const double scale = fmin(most_width / part.width, most_height / part.height);
    const double cell = scale >= 1 ? floor(scale) : scale;
    return (ground){.of = of,
                    .cell = cell,
                    .left = part.x,
                    .top = part.y,
                    .scale_x = cell,
                    .scale_y = cell,
                    .width = at_least_one(part.width * cell),
                    .height = at_least_one(part.height * cell)};
}

/* A graph fills the picture; its coordinates go upwards. */
static ground ground_of_roads(const scene *of, double most_width, double most_height)
{
    const extent at = extent_of_places(of->map);
    const double narrow = narrowing(&at);
    const double wide = (at.right - at.left) * narrow, high = at.bottom - at.top;
    const double fits = fmin(wide > 0 ? most_width / wide : INFINITY,
                             high > 0 ? most_height / high : INFINITY);
    const double scale = isinf(fits) ? 1 : fits;
    return (ground){.of = of,
                    .left = at.left,
                    .top = at.bottom,
                    .scale_x = scale * narrow,
                    .scale_y = -scale,
                    .width = at_least_one(wide * scale),
                    .height = at_least_one(high * scale)};
}

ground ground_of(const scene *of, uint32_t most_width, uint32_t most_height)
{
    return is_grid(of->map) ? ground_of_cells(of, most_width, most_height)
                            : ground_of_roads(of, most_width, most_height);
}

void ground_place(const ground *of, cairn_node node, double *x, double *y)
{
    uint32_t column = 0, row = 0;
    int32_t right = 0, up = 0;
    double from_left = 0, from_top = 0;

    if (is_grid(of->of->map) && cairn_node_xy(of->of->map, node, &column, &row)) {
        from_left = column + 0.5 - of->left;
        from_top = row + 0.5 - of->top;
    } else if (cairn_node_place(of->of->map, node, &right, &up)) {
        from_left = right - of->left;
        from_top = up - of->top;
    }
    *x = of->x + from_left * of->scale_x;
    *y = of->y + from_top * of->scale_y;
}

/* ------------------------------------------------------------------------------ cells -- */

const ground_sign ground_signs[GROUND_SIGNS] = {{0, PALETTE_BLOCKED, "blocked"},
                                                {'T', PALETTE_TREES, "trees"},
                                                {'W', PALETTE_WATER, "water"},
                                                {'S', PALETTE_SWAMP, "swamp"}};

/* Beside values green and blue would be taken for some of them. */
size_t ground_sign_of(const scene *of, cairn_node node)
{
    const cairn_map *map = of->map;
    const char letter = cairn_map_letter(map, node);
    size_t sign = 1;
    if (of->values)
        return cairn_map_is_open(map, node) ? GROUND_SIGNS : 0;
    while (sign < GROUND_SIGNS && ground_signs[sign].letter != letter)
        sign++;
    return sign < GROUND_SIGNS || cairn_map_is_open(map, node) ? sign : 0;
}

static colour terrain_colour(const scene *of, cairn_node node)
{
    const size_t sign = ground_sign_of(of, node);
    return COLOUR(sign < GROUND_SIGNS ? ground_signs[sign].rgb : PALETTE_FLOOR);
}

static int band_of(const field *values, cairn_node node)
{
    double value = values->values[node];
    return isnan(value) ? -1 : (int)(value / field_band(values));
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

colour scene_value_colour(const scene *of, double value)
{
    const double full = of->values->full > 0 ? of->values->full : 1;
    const double band = field_band(of->values);
    /* On white, lines of the colour of paper would not be seen. */
    const double nothing = of->style == FIELD_HEAT && !is_grid(of->map) ? 0.15 : 0;
    return of->style == FIELD_HEAT ? ramp_heat(nothing + (1 - nothing) * value / full)
                                   : ramp_bands((floor(value / band) + 0.5) * band / full);
}

static colour value_colour(const scene *of, cairn_node node)
{
    double value = of->values->values[node];
    if (isnan(value))
        return COLOUR(PALETTE_NOWHERE);
    colour flat = scene_value_colour(of, value);
    return of->style == FIELD_BANDS && is_grid(of->map) && on_contour(of, node)
               ? colour_mix(flat, COLOUR(PALETTE_INK), 0.45)
               : flat;
}

static colour cell_colour(const scene *of, cairn_node node)
{
    bool is_open = cairn_map_is_open(of->map, node);
    if (is_open && of->explored && of->explored[node])
        return COLOUR(of->explored[node] & EXPLORED_LANDMARKS ? PALETTE_LANDMARKS : PALETTE_BASE);
    if (is_open && of->values)
        return value_colour(of, node);
    return terrain_colour(of, node);
}

static bool draw_cells(const ground *below, image *on)
{
    const scene_window part = scene_part(below->of);
    image cells;

    if (!image_init(&cells, part.width, part.height, COLOUR(PALETTE_FLOOR)))
        return false;
    for (size_t i = 0; i < (size_t)part.width * part.height; i++) {
        const uint32_t x = part.x + (uint32_t)(i % part.width);
        const uint32_t y = part.y + (uint32_t)(i / part.width);
        cells.pixels[i] = cell_colour(below->of, cairn_node_at(below->of->map, x, y));
    }
    image_paint(on, below->x, below->y, below->width, below->height, &cells);
    image_free(&cells);
    return true;
}

/* ------------------------------------------------------------------------------ roads -- */

static const double ROAD = 1, MARKED_ROAD = 1.8; /* pixels */

static colour road_colour(const scene *of, cairn_node node)
{
    if (of->explored && of->explored[node])
        return COLOUR(of->explored[node] & EXPLORED_LANDMARKS ? PALETTE_LANDMARKS : PALETTE_BASE);
    return of->values ? value_colour(of, node) : COLOUR(PALETTE_ROAD);
}

static bool is_marked(const scene *of, cairn_node node)
{
    return of->values || (of->explored && of->explored[node]);
}

/* The half of each arc that is nearer to the node. */
static void draw_halves(const ground *below, image *on, const cairn_arc *arcs, uint32_t count,
                        cairn_node node)
{
    const colour stroke = road_colour(below->of, node);
    const double width = is_marked(below->of, node) ? MARKED_ROAD : ROAD;
    double x, y, end_x, end_y;

    ground_place(below, node, &x, &y);
    image_disc(on, x, y, width / 2, stroke);
    for (uint32_t i = 0; i < count; i++) {
        ground_place(below, arcs[i].to == node ? arcs[i].from : arcs[i].to, &end_x, &end_y);
        image_line(on, x, y, (x + end_x) / 2, (y + end_y) / 2, width, stroke);
    }
}

static uint32_t most_arcs(const cairn_map *map)
{
    uint32_t most = 0;
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++) {
        const uint32_t from = cairn_steps(map, node, NULL, 0);
        const uint32_t to = cairn_steps_to(map, node, NULL, 0);
        most = from > most ? from : most;
        most = to > most ? to : most;
    }
    return most;
}

/* What is marked lies above what is not. */
static bool draw_roads(const ground *below, image *on)
{
    const cairn_map *map = below->of->map;
    const uint32_t room = most_arcs(map);
    cairn_arc *arcs = malloc((room + (size_t)1) * sizeof *arcs);

    for (int marked = 0; arcs && marked < 2; marked++) {
        for (cairn_node node = 0; node < cairn_map_node_count(map); node++) {
            if (is_marked(below->of, node) != marked)
                continue;
            draw_halves(below, on, arcs, cairn_steps(map, node, arcs, room), node);
            draw_halves(below, on, arcs, cairn_steps_to(map, node, arcs, room), node);
        }
    }
    free(arcs);
    return arcs != NULL;
}

bool ground_draw(const ground *below, image *on)
{
    return is_grid(below->of->map) ? draw_cells(below, on) : draw_roads(below, on);
}
