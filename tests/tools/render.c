/* The pictures of `cairn render`: what is drawn, pixel by pixel, and on which scale. */
#include <math.h>
#include <string.h>

#include "render/legend.h"
#include "render/palette.h"
#include "render/scene.h"
#include "support/check.h"
#include "support/fixtures.h"

enum { MARGIN = 12 };

static const colour white = {255, 255, 255};
static const colour ink = {0x22, 0x26, 0x2b};
static const colour violet = {0x7a, 0x1f, 0xa2};
static const colour dark = {0xb9, 0x50, 0x1b}; /* cells expanded with landmarks */

typedef struct town {
    cairn_map *map;
    cairn_table *table;
} town;

static town town_with(uint32_t landmark_count)
{
    town made = {NULL, NULL};
    cairn_build_options options = {.size = sizeof options, .landmark_count = landmark_count};
    assert_int_equal(
        cairn_map_load(CAIRN_TEST_SOURCE_DIR "/data/maps/town.map", NULL, &made.map, NULL),
        CAIRN_OK);
    assert_int_equal(cairn_table_build(made.map, &options, &made.table), CAIRN_OK);
    return made;
}

static void town_free(town *of)
{
    cairn_table_free(of->table);
    cairn_map_free(of->map);
}

static bool is(const image *in, uint32_t x, uint32_t y, colour wanted)
{
    return memcmp(&in->pixels[(size_t)y * in->width + x], &wanted, sizeof wanted) == 0;
}

/* Draws and asserts that nothing lies in the margin to the right. */
static image drawn_within_margins(scene *of)
{
    image on;
    assert_true(scene_draw(of, &on));
    for (uint32_t y = on.height - 6 * MARGIN; y < on.height; y++)
        for (uint32_t x = on.width - MARGIN; x < on.width; x++)
            assert_true(is(&on, x, y, white));
    return on;
}

static void captions_of_any_length_fit(void **state)
{
    char title[161];
    town of = town_with(1);
    scene small = scene_of(of.map, title);
    (void)state;

    small.most_width = small.most_height = 64;
    uint32_t height = 0;
    for (size_t length = 1; length < sizeof title; length++) {
        memset(title, length % 2 ? 'm' : '_', length);
        title[length] = 0;
        if (length > 20)
            title[length / 3] = ' ';
        image on = drawn_within_margins(&small);
        assert_true(on.height >= height); /* a longer title takes more lines */
        height = on.height;
        image_free(&on);
    }
    town_free(&of);
}

static uint32_t longest_run(const image *in, uint32_t from_row)
{
    uint32_t longest = 0;
    for (uint32_t y = from_row; y < in->height; y++) {
        for (uint32_t x = 0, run = 0; x < in->width; x++) {
            run = is(in, x, y, ink) ? run + 1 : 0;
            longest = run > longest ? run : longest;
        }
    }
    return longest;
}

static void the_length_in_the_legend_is_no_longer_than_the_map(void **state)
{
    town of = town_with(1);
    (void)state;
    for (uint32_t size = 64; size <= 512; size *= 2) {
        image on;
        scene shown = scene_of(of.map, "town");
        shown.most_width = shown.most_height = size;
        assert_true(scene_draw(&shown, &on));
        uint32_t run = longest_run(&on, size + MARGIN);
        assert_in_range(run, 17, size); /* 16: the edge of a swatch */
        image_free(&on);
    }
    town_free(&of);
}

/* Draws a map of `wide` x `wide` cells with a landmark in each corner, and asserts that their
 * numbers do not reach into the margins above and beside it. */
static void draw_corners_enlarged(scene *of, uint32_t wide, uint32_t scale)
{
    enum { SPOT = 4 }; /* how far a landmark in a corner reaches into the margin */
    const uint32_t end = MARGIN + wide * scale + SPOT;
    image on;
    assert_true(scene_draw(of, &on));
    assert_true(is(&on, MARGIN + scale / 2, MARGIN + scale / 2, violet)); /* the enlargement */
    for (uint32_t i = 0; i < end; i++)
        for (uint32_t j = 0; j < MARGIN - SPOT; j++) {
            assert_true(is(&on, i, j, white) && is(&on, j, i, white));
            assert_true(is(&on, end + j, i, white));
        }
    image_free(&on);
}

static void numbers_of_landmarks_in_corners_lie_on_the_map(void **state)
{
    enum { WIDE = 110, CORNERS = 4 }; /* a picture as wide as its map */
    picture open = picture_filled(WIDE, WIDE, '.');
    (void)state;
    cairn_map *map = map_of(&open, CAIRN_METRIC_OCTILE);
    cairn_table *table;
    const cairn_node listed[CORNERS] = {0, WIDE - 1, WIDE * (WIDE - 1), WIDE * WIDE - 1};
    cairn_build_options options = {.size = sizeof options,
                                   .placement = CAIRN_PLACE_LIST,
                                   .listed = listed,
                                   .listed_count = CORNERS};
    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    scene of = scene_of(map, "corners");
    of.table = table;
    for (uint32_t scale = 6; scale <= 16; scale++) {
        of.most_width = of.most_height = WIDE * scale;
        draw_corners_enlarged(&of, WIDE, scale);
    }
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&open);
}

/* Maps of a few cells take the room that there is, and numbers of landmarks stay in their cells. */
static void small_maps_are_enlarged_to_the_size(void **state)
{
    enum { CELL = 180, WIDE = 5 };
    picture open = picture_filled(WIDE, WIDE, '.');
    (void)state;
    cairn_map *map = map_of(&open, CAIRN_METRIC_OCTILE);
    cairn_table *table;
    const cairn_node listed[] = {2 * WIDE + 2};
    cairn_build_options options = {
        .size = sizeof options, .placement = CAIRN_PLACE_LIST, .listed = listed, .listed_count = 1};
    image plain, marked;
    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    scene of = scene_of(map, "small");
    of.is_bare = true;
    assert_true(scene_draw(&of, &plain));
    of.table = table;
    assert_true(scene_draw(&of, &marked));
    assert_int_equal(marked.width, WIDE * CELL + 2 * MARGIN);
    assert_int_equal(marked.height, WIDE * CELL + 2 * MARGIN);
    assert_true(is(&marked, marked.width / 2, marked.height / 2, violet));
    for (uint32_t i = 0; i < marked.width * marked.height; i++) {
        const uint32_t x = (i % marked.width - MARGIN) / CELL;
        const uint32_t y = (i / marked.width - MARGIN) / CELL;
        if (x != 2 || y != 2)
            assert_memory_equal(&marked.pixels[i], &plain.pixels[i], sizeof(colour));
    }
    image_free(&plain);
    image_free(&marked);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&open);
}

/* Of the cells under a path, how much of their explored colour is still seen. */
static double seen_below_a_path(const cairn_map *map, uint32_t most_width)
{
    enum { CELLS = 120 };
    cairn_node path[CELLS];
    uint8_t *marks = calloc(cairn_map_node_count(map), 1);
    image on;

    assert_non_null(marks);
    for (uint32_t i = 0; i < CELLS; i++) {
        path[i] = cairn_node_at(map, i < CELLS / 2 ? i : CELLS - i,
                                cairn_map_height(map) - 1 - i / 2);
        marks[path[i]] = 2;
    }
    scene of = scene_of(map, "a path");
    of.explored = marks;
    of.most_width = of.most_height = most_width;
    size_t without = 0, with = 0;
    for (int pass = 0; pass < 2; pass++) {
        assert_true(scene_draw(&of, &on));
        for (uint32_t y = 0; y < on.height - 6 * MARGIN; y++)
            for (uint32_t x = 0; x < on.width; x++)
                *(pass ? &with : &without) += is(&on, x, y, dark);
        image_free(&on);
        of.path = path;
        of.path_count = CELLS;
    }
    free(marks);
    return (double)with / (double)without;
}

static void a_path_does_not_hide_the_cells_that_it_lies_on(void **state)
{
    picture open = picture_filled(240, 200, '.');
    (void)state;
    cairn_map *map = map_of(&open, CAIRN_METRIC_OCTILE);
    assert_true(seen_below_a_path(map, 240) > 0.25);
    assert_true(seen_below_a_path(map, 480) > 0.25);
    assert_true(seen_below_a_path(map, 1200) > 0.25);
    cairn_map_free(map);
    picture_free(&open);
}

static double highest(const field *of, const cairn_map *map)
{
    double found = 0;
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
        if (!isnan(of->values[node]))
            found = fmax(found, of->values[node]);
    return found;
}

static void all_rows_of_a_table_have_one_scale(void **state)
{
    town of = town_with(5);
    double full = 0, most = 0;
    (void)state;
    for (uint32_t row = 0; row < 5; row++) {
        field costs;
        assert_int_equal(field_of_row(of.map, of.table, row, &costs), CAIRN_OK);
        assert_true(row == 0 || costs.full == full);
        full = costs.full;
        most = fmax(most, highest(&costs, of.map));
        field_free(&costs);
    }
    assert_true(full == most);
    town_free(&of);
}

/* Errors of good and of poor tables, and gains: all on what the base heuristic lacks. */
static void errors_and_gains_are_on_the_scale_of_the_map_and_its_goal(void **state)
{
    town good = town_with(16), poor = town_with(1);
    cairn_node goal = cairn_node_at(good.map, 250, 215);
    const cairn_node *landmarks;
    field none, few, many, gain;
    (void)state;

    cairn_table_landmarks(good.table, 0, &landmarks);
    assert_int_equal(field_of_error(good.map, NULL, goal, &none), CAIRN_OK);
    assert_int_equal(field_of_error(poor.map, poor.table, goal, &few), CAIRN_OK);
    assert_int_equal(field_of_error(good.map, good.table, goal, &many), CAIRN_OK);
    assert_int_equal(field_of_gain(good.map, landmarks[0], goal, &gain), CAIRN_OK);
    assert_true(highest(&none, good.map) == none.full);
    assert_true(few.full == none.full && many.full == none.full && gain.full == none.full);
    assert_true(highest(&many, good.map) < 0.2 * many.full);
    assert_true(highest(&few, good.map) <= few.full && highest(&gain, good.map) <= gain.full);
    field_fit(&many, good.map);
    field_fit(&gain, good.map);
    assert_true(many.full > 0 && many.full == highest(&many, good.map));
    assert_true(gain.full > 0 && gain.full == highest(&gain, good.map));
    field_free(&none);
    field_free(&few);
    field_free(&many);
    field_free(&gain);
    town_free(&good);
    town_free(&poor);
}

static void no_site_gains_more_than_the_scale_of_sites_holds(void **state)
{
    town of = town_with(1);
    field sites;
    (void)state;
    assert_int_equal(field_of_sites(of.map, 20, 7, &sites), CAIRN_OK);
    assert_true(highest(&sites, of.map) > 0);
    assert_true(highest(&sites, of.map) <= sites.full);
    field_free(&sites);
    town_free(&of);
}

static void clearance_is_shown_on_open_cells(void **state)
{
    picture drawn = PICTURE("....", "...@", "....");
    static const double sizes[] = {3, 2, 1, 1, 2, 2, 1, NAN, 1, 1, 1, 1};
    (void)state;
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    field found;
    assert_int_equal(field_of_clearance(map, &found), CAIRN_OK);
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
        assert_true(isnan(sizes[node]) ? isnan(found.values[node])
                                       : found.values[node] == sizes[node]);
    assert_true(found.full == 3);
    field_free(&found);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Some swamp, which costs more to enter than to leave, and a cell that only leads east. */
static cairn_map *directed_map(void)
{
    static const char letters[] = "..S..S.."
                                  ".SS.@@S."
                                  "S..>.S.S"
                                  ".S.@S..."
                                  "..SS..S.";
    static const char meaning[] = "S=9,one-way";
    cairn_alphabet alphabet;
    const cairn_map_options options = {.size = sizeof options, .alphabet = &alphabet};
    cairn_map *map;

    cairn_alphabet_init(&alphabet);
    assert_int_equal(cairn_alphabet_parse(meaning, sizeof meaning - 1, &alphabet, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_from_letters(8, 5, letters, &options, &map, NULL), CAIRN_OK);
    assert_true(cairn_map_is_directed(map));
    return map;
}

/* Against costs towards the goal, cell by cell: no error is negative, and what a landmark gains is
 * what a table of it alone makes bounds higher. */
static void fields_of_directed_maps_are_towards_the_goal(void **state)
{
    cairn_map *map = directed_map();
    cairn_build_options options = {.size = sizeof options, .landmark_count = 1};
    const uint32_t count = cairn_map_node_count(map);
    const cairn_node *landmark, goal = cairn_node_at(map, 6, 4);
    cairn_cost *costs = calloc(count, sizeof *costs);
    cairn_table *table;
    cairn_bound base, bound;
    field error, gain;
    (void)state;

    assert_non_null(costs);
    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    assert_int_equal(cairn_table_landmarks(table, 0, &landmark), 1);
    assert_int_equal(cairn_costs_to(map, &goal, 1, costs), CAIRN_OK);
    assert_int_equal(cairn_bound_to(map, NULL, goal, &base), CAIRN_OK);
    assert_int_equal(cairn_bound_to(map, table, goal, &bound), CAIRN_OK);
    assert_int_equal(field_of_error(map, table, goal, &error), CAIRN_OK);
    assert_int_equal(field_of_gain(map, landmark[0], goal, &gain), CAIRN_OK);
    for (cairn_node node = 0; node < count; node++) {
        if (costs[node] == CAIRN_UNREACHABLE)
            continue;
        const cairn_cost known = cairn_bound_at(&base, node);
        const cairn_cost by_rows = cairn_bound_at(&bound, node);
        assert_true(error.values[node] == cairn_length(map, costs[node] - by_rows));
        assert_true(gain.values[node] == cairn_length(map, by_rows - known));
        assert_true(error.values[node] <= error.full && gain.values[node] <= gain.full);
    }
    assert_true(highest(&gain, map) > 0);
    field_free(&error);
    field_free(&gain);
    free(costs);
    cairn_table_free(table);
    cairn_map_free(map);
}

static void sites_of_directed_maps_gain_no_more_than_their_scale(void **state)
{
    cairn_map *map = directed_map();
    field sites;
    (void)state;
    assert_int_equal(field_of_sites(map, 200, 3, &sites), CAIRN_OK);
    assert_true(highest(&sites, map) > 0 && highest(&sites, map) <= sites.full);
    field_free(&sites);
    cairn_map_free(map);
}

/* Cell by cell what the picture of the whole has there; the path goes on at the edges, and what
 * lies outside is not drawn. */
static void a_window_is_a_part_of_the_picture(void **state)
{
    enum { CELL = 6, X = 40, Y = 30, WIDE = 50, HIGH = 20 };
    town of = town_with(5);
    cairn_node path[80];
    image whole, part;
    (void)state;
    for (uint32_t i = 0; i < 80; i++)
        path[i] = cairn_node_at(of.map, X - 10 + i, Y + 10);
    scene shown = scene_of(of.map, "town");
    shown.is_bare = true;
    shown.path = path;
    shown.path_count = 80;
    shown.most_width = CELL * cairn_map_width(of.map);
    shown.most_height = CELL * cairn_map_height(of.map);
    assert_true(scene_draw(&shown, &whole));
    shown.window = (scene_window){X, Y, WIDE, HIGH};
    shown.most_width = CELL * WIDE;
    shown.most_height = CELL * HIGH;
    shown.start = path[0];
    shown.goal = path[79];
    assert_true(scene_draw(&shown, &part));
    assert_int_equal(part.width, CELL * WIDE + 2 * MARGIN);
    assert_int_equal(part.height, CELL * HIGH + 2 * MARGIN);
    for (uint32_t y = 0; y < CELL * HIGH; y++)
        for (uint32_t x = CELL; x < CELL * (WIDE - 1); x++) {
            const size_t at = (size_t)(MARGIN + Y * CELL + y) * whole.width + MARGIN + X * CELL + x;
            const bool is_path = y / CELL >= 9 && y / CELL <= 11; /* dashes begin elsewhere */
            assert_true(is_path || is(&part, MARGIN + x, MARGIN + y, whole.pixels[at]));
        }
    for (uint32_t y = 0; y < part.height; y++)
        assert_true(is(&part, MARGIN - 4, y, white) &&
                    is(&part, part.width - MARGIN + 4, y, white));
    image_free(&whole);
    image_free(&part);
    town_free(&of);
}

static void count_sign(void *context, legend_sign sign, uint32_t rgb, const char *text)
{
    size_t *counts = context; /* of trees, water, no value, blocked */
    (void)sign, (void)rgb;
    counts[0] += strcmp(text, "trees") == 0;
    counts[1] += strcmp(text, "water") == 0;
    counts[2] += strcmp(text, "no value") == 0;
    counts[3] += strcmp(text, "blocked") == 0;
}

/* Beside values all that is blocked looks alike. */
static void a_legend_lists_what_the_picture_shows(void **state)
{
    picture drawn = PICTURE("TT..WW", "TT..WW", "......");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    double values[] = {0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, NAN, 1, 1, 1, 1};
    const field shown = {.values = values, .full = 1};
    size_t all[4] = {0}, right[4] = {0}, blocked[4] = {0}, unknown[4] = {0};
    (void)state;
    scene of = scene_of(map, "signs");
    legend_list(&of, count_sign, all);
    of.window = (scene_window){2, 0, 4, 3};
    legend_list(&of, count_sign, right);
    of.values = &shown;
    legend_list(&of, count_sign, blocked);
    of.window = (scene_window){0, 2, 2, 1};
    legend_list(&of, count_sign, unknown);
    assert_memory_equal(all, ((const size_t[]){1, 1, 0, 0}), sizeof all);
    assert_memory_equal(right, ((const size_t[]){0, 1, 0, 0}), sizeof right);
    assert_memory_equal(blocked, ((const size_t[]){0, 0, 0, 1}), sizeof blocked);
    assert_memory_equal(unknown, ((const size_t[]){0, 0, 1, 0}), sizeof unknown);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void assert_number(double value, double full, const char *wanted)
{
    char text[24];
    legend_number(value, full, text, sizeof text);
    assert_string_equal(text, wanted);
}

static void numbers_of_a_scale_have_one_unit(void **state)
{
    (void)state;
    assert_number(0, 558214, "0");
    assert_number(50000, 558214, "50k");
    assert_number(558214, 558214, "558k");
    assert_number(0, 2, "0");
    assert_number(0.25, 2, "0.25");
    assert_number(20000, 99999, "20000");
    assert_number(500000, 1234567, "0.5M");
    assert_number(1234567, 1234567, "1.235M");
}

static void count_mark(void *context, legend_sign sign, uint32_t rgb, const char *text)
{
    size_t *counts = context; /* of path, start, goal, landmark */
    (void)sign, (void)rgb;
    counts[0] += strcmp(text, "path") == 0;
    counts[1] += strcmp(text, "start") == 0;
    counts[2] += strcmp(text, "goal") == 0;
    counts[3] += strncmp(text, "landmark", 8) == 0;
}

static void assert_marks(const scene *of, size_t path, size_t start, size_t goal, size_t landmark)
{
    size_t counts[4] = {0};
    legend_list(of, count_mark, counts);
    assert_memory_equal(counts, ((const size_t[]){path, start, goal, landmark}), sizeof counts);
}

static void a_legend_names_no_mark_outside_of_the_window(void **state)
{
    picture drawn = picture_filled(40, 1, '.');
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    const cairn_node own[] = {30}, path[] = {10, 11, 12, 13};
    cairn_build_options options = {.placement = CAIRN_PLACE_LIST, .listed = own, .listed_count = 1};
    cairn_table *table = table_built(map, options);
    scene of = scene_of(map, "marks");
    (void)state;
    of.table = table;
    of.path = path;
    of.path_count = 4;
    of.start = 10;
    of.goal = 13;
    assert_marks(&of, 1, 1, 1, 1);
    of.window = (scene_window){9, 0, 3, 1};
    assert_marks(&of, 1, 1, 0, 0);
    of.window = (scene_window){13, 0, 1, 1};
    assert_marks(&of, 0, 0, 1, 0);
    of.window = (scene_window){25, 0, 10, 1};
    assert_marks(&of, 0, 0, 0, 1);
    of.table = NULL;
    of.landmark = 2;
    assert_marks(&of, 0, 0, 0, 0);
    of.window = (scene_window){0, 0, 5, 1};
    assert_marks(&of, 0, 0, 0, 1);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Contours are as green as trees, and some costs as blue as water. */
static void beside_values_whatever_is_blocked_has_one_colour(void **state)
{
    enum { CELL = 20 };
    picture drawn = PICTURE("TW@.");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    double values[] = {0, 0, 0, 1};
    const field shown = {.values = values, .full = 1};
    image on;
    (void)state;
    scene of = scene_of(map, "signs");
    of.most_width = 4 * CELL;
    of.most_height = CELL;
    of.is_bare = true;
    for (int style = FIELD_BANDS; style <= FIELD_HEAT; style++) {
        of.values = &shown;
        of.style = (field_style)style;
        assert_true(scene_draw(&of, &on));
        for (uint32_t cell = 0; cell < 3; cell++)
            assert_true(is(&on, MARGIN + cell * CELL + CELL / 2, MARGIN + CELL / 2,
                           COLOUR(PALETTE_BLOCKED)));
        image_free(&on);
    }
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Cells that lead nowhere, each with a landmark in each row. */
static void landmarks_that_would_hide_the_map_are_left_out(void **state)
{
    enum { WIDE = 120 };
    picture drawn = picture_filled(WIDE, WIDE, '@');
    cairn_build_options options = {.size = sizeof options, .landmark_count = 4};
    cairn_table *table;
    image on;
    (void)state;
    for (size_t i = 0; i < WIDE * WIDE; i += 2)
        drawn.letters[i] = i / WIDE % 2 ? '@' : '.';
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    scene of = scene_of(map, "cells");
    of.table = table;
    of.is_bare = true;
    assert_true(scene_draw(&of, &on));
    assert_true(of.left_out > WIDE);
    for (size_t i = 0; i < (size_t)on.width * on.height; i++)
        assert_memory_not_equal(&on.pixels[i], &violet, sizeof violet);
    image_free(&on);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Node 0 in the north, 1 in the south, 2 east of that, two degrees apart at 60 degrees of
 * latitude, where meridians are half as far from each other as at the equator. */
static cairn_map *roads_of_the_north(void)
{
    static const int32_t x[] = {0, 0, 2000000}, y[] = {61000000, 59000000, 59000000};
    static const cairn_arc arcs[] = {{0, 1, 5}, {1, 0, 5}, {1, 2, 5}};
    cairn_map *map;
    assert_int_equal(cairn_map_from_arcs(3, arcs, 3, x, y, NULL, &map, NULL), CAIRN_OK);
    return map;
}

/* Orange is what the base heuristic expands, grey what it does not; edges are mixed with white. */
static bool is_orange(const image *in, uint32_t x, uint32_t y)
{
    const colour at = in->pixels[(size_t)y * in->width + x];
    return at.red > at.blue + 50;
}

static void roads_are_drawn_north_up_and_as_wide_as_they_are(void **state)
{
    enum { HIGH = 400 };
    cairn_map *map = roads_of_the_north();
    const uint8_t marks[] = {EXPLORED_BASE, 0, 0};
    const uint32_t south = MARGIN + HIGH, middle = MARGIN + HIGH / 4;
    image on;
    (void)state;
    scene of = scene_of(map, "roads");
    of.is_bare = true;
    of.explored = marks;
    of.most_width = of.most_height = HIGH;
    assert_true(scene_draw(&of, &on));
    assert_int_equal(on.height, HIGH + 2 * MARGIN);
    assert_in_range(on.width, HIGH / 2 - 1 + 2 * MARGIN, HIGH / 2 + 1 + 2 * MARGIN);
    for (uint32_t away = 2; away < HIGH / 2 - 2; away++) {
        assert_true(is_orange(&on, MARGIN, MARGIN + away));
        assert_false(is_orange(&on, MARGIN, south - away) || is(&on, MARGIN, south - away, white));
    }
    assert_false(is(&on, middle, south, white)); /* half of the one-way road is of its end */
    assert_false(is(&on, MARGIN + HIGH / 2 - 4, south, white));
    assert_true(is(&on, middle, MARGIN + HIGH / 2, white));
    image_free(&on);
    cairn_map_free(map);
}

static void graphs_without_coordinates_are_not_drawn(void **state)
{
    static const cairn_arc arc = {0, 1, 5};
    cairn_map *map, *north = roads_of_the_north();
    (void)state;
    assert_int_equal(cairn_map_from_arcs(2, &arc, 1, NULL, NULL, NULL, &map, NULL), CAIRN_OK);
    assert_false(scene_is_possible(map));
    assert_true(scene_is_possible(north));
    cairn_map_free(map);
    cairn_map_free(north);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captions_of_any_length_fit),
        cmocka_unit_test(the_length_in_the_legend_is_no_longer_than_the_map),
        cmocka_unit_test(numbers_of_landmarks_in_corners_lie_on_the_map),
        cmocka_unit_test(small_maps_are_enlarged_to_the_size),
        cmocka_unit_test(a_path_does_not_hide_the_cells_that_it_lies_on),
        cmocka_unit_test(a_window_is_a_part_of_the_picture),
        cmocka_unit_test(a_legend_lists_what_the_picture_shows),
        cmocka_unit_test(numbers_of_a_scale_have_one_unit),
        cmocka_unit_test(a_legend_names_no_mark_outside_of_the_window),
        cmocka_unit_test(beside_values_whatever_is_blocked_has_one_colour),
        cmocka_unit_test(landmarks_that_would_hide_the_map_are_left_out),
        cmocka_unit_test(roads_are_drawn_north_up_and_as_wide_as_they_are),
        cmocka_unit_test(graphs_without_coordinates_are_not_drawn),
        cmocka_unit_test(all_rows_of_a_table_have_one_scale),
        cmocka_unit_test(errors_and_gains_are_on_the_scale_of_the_map_and_its_goal),
        cmocka_unit_test(no_site_gains_more_than_the_scale_of_sites_holds),
        cmocka_unit_test(clearance_is_shown_on_open_cells),
        cmocka_unit_test(fields_of_directed_maps_are_towards_the_goal),
        cmocka_unit_test(sites_of_directed_maps_gain_no_more_than_their_scale),
    };
    return cmocka_run_group_tests_name("render", tests, NULL, NULL);
}
