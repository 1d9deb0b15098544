/* Maps without straight lines: caves, scattered cells, open fields. */
#include "generate/generate.h"

#include <string.h>

enum { CAVE_ROUNDS = 5, CAVE_LEAST = 40, FIELD_RADIUS = 5 };

static void scatter(canvas *map, kit_rng *rng, uint32_t percent)
{
    size_t count = (size_t)map->width * map->height;
    for (size_t cell = 0; cell < count; cell++)
        map->letters[cell] = kit_rng_percent(rng, percent) ? LETTER_WALL : LETTER_OPEN;
}

void draw_scatter(canvas *map, kit_rng *rng, const recipe *shape)
{
    scatter(map, rng, shape->fill);
}

/* ------------------------------------------------------------------------------- caves -- */

static void draw_frame(canvas *map)
{
    canvas_fill(map, (area){0, 0, map->width, 1}, LETTER_WALL);
    canvas_fill(map, (area){0, map->height - 1, map->width, map->height}, LETTER_WALL);
    for (uint32_t y = 0; y < map->height; y++) {
        *canvas_at(map, 0, y) = LETTER_WALL;
        *canvas_at(map, map->width - 1, y) = LETTER_WALL;
    }
}

/* Walls in the three cells above, at and below each column. */
static void count_columns(const canvas *map, uint32_t y, uint8_t *walls)
{
    const char *row = canvas_at(map, 0, y);
    for (uint32_t x = 0; x < map->width; x++)
        walls[x] = (uint8_t)((row[x - (ptrdiff_t)map->width] == LETTER_WALL) +
                             (row[x] == LETTER_WALL) + (row[x + map->width] == LETTER_WALL));
}

/* A cell becomes a wall when most of the nine cells around and in it are walls. */
static void smooth(canvas *map)
{
    char *to = (char *)map->work;
    uint8_t *walls = (uint8_t *)to + (size_t)map->width * map->height;
    memcpy(to, map->letters, (size_t)map->width * map->height);
    for (uint32_t y = 1; y + 1 < map->height; y++) {
        count_columns(map, y, walls);
        char *row = to + (size_t)y * map->width;
        for (uint32_t x = 1; x + 1 < map->width; x++)
            row[x] = walls[x - 1] + walls[x] + walls[x + 1] >= 5 ? LETTER_WALL : LETTER_OPEN;
    }
    memcpy(map->letters, to, (size_t)map->width * map->height);
}

void draw_cave(canvas *map, kit_rng *rng, const recipe *shape)
{
    scatter(map, rng, shape->fill);
    draw_frame(map);
    for (int round = 0; round < CAVE_ROUNDS; round++)
        smooth(map);
    canvas_drop_regions(map, CAVE_LEAST, LETTER_WALL);
}

/* ------------------------------------------------------------------------------ fields -- */

/* About as many discs as fill the asked share, if none overlapped: the mean of r * r + r for
 * radii from 1 to 5 is 14, times pi is 44. */
void draw_field(canvas *map, kit_rng *rng, const recipe *shape)
{
    enum { MEAN_DISC = 44 };
    canvas_fill(map, (area){0, 0, map->width, map->height}, LETTER_OPEN);
    uint64_t covered = (uint64_t)map->width * map->height * shape->fill / 100;
    for (uint64_t disc = 0; disc < covered / MEAN_DISC; disc++) {
        uint32_t x = kit_rng_below(rng, map->width);
        uint32_t y = kit_rng_below(rng, map->height);
        uint32_t radius = kit_rng_between(rng, 1, FIELD_RADIUS);
        canvas_disc(map, x, y, radius, kit_rng_percent(rng, 60) ? LETTER_TREE : LETTER_WATER);
    }
}
