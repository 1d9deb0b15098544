#include "random_maps.h"

#include <stdlib.h>
#include <string.h>

/* xorshift64*, Vigna 2016: not the generator of the library. */
static uint64_t roll(dice *luck)
{
    uint64_t state = luck->state;
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    luck->state = state;
    return state * 0x2545f4914f6cdd1du;
}

static dice dice_from(uint64_t seed)
{
    dice luck = {seed * 0x9e3779b97f4a7c15u + 0x1234567u};
    for (int i = 0; i < 8; i++)
        roll(&luck);
    return luck;
}

uint32_t dice_below(dice *luck, uint32_t limit)
{
    return (uint32_t)((roll(luck) >> 33) % limit);
}

uint32_t dice_open_cell(dice *luck, const picture *map)
{
    for (;;) {
        uint32_t node = dice_below(luck, picture_size(map));
        if (picture_is_open(map, node % map->width, node / map->width))
            return node;
    }
}

static void set_cell(picture *map, uint32_t x, uint32_t y, char letter)
{
    map->letters[(size_t)y * map->width + x] = letter;
}

static char any_open_letter(dice *luck)
{
    return "....GS"[dice_below(luck, 6)];
}

static char any_blocked_letter(dice *luck)
{
    return "@@@OTW"[dice_below(luck, 6)];
}

static void scatter(picture *map, dice *luck, uint32_t blocked_percent)
{
    for (size_t node = 0; node < picture_size(map); node++)
        map->letters[node] = dice_below(luck, 100) < blocked_percent ? any_blocked_letter(luck)
                                                                     : any_open_letter(luck);
}

static unsigned open_around(const picture *map, int64_t x, int64_t y)
{
    unsigned count = 0;
    for (int64_t dy = -1; dy <= 1; dy++)
        for (int64_t dx = -1; dx <= 1; dx++)
            count += picture_is_open(map, x + dx, y + dy);
    return count;
}

static void smooth(picture *map)
{
    picture before = picture_filled(map->width, map->height, '@');
    memcpy(before.letters, map->letters, picture_size(map));
    for (uint32_t y = 0; y < map->height; y++)
        for (uint32_t x = 0; x < map->width; x++)
            set_cell(map, x, y, open_around(&before, x, y) >= 5 ? '.' : '@');
    picture_free(&before);
}

static void dig_cave(picture *map, dice *luck)
{
    scatter(map, luck, 40);
    for (int round = 0; round < 3; round++)
        smooth(map);
}

static void build_rooms(picture *map, dice *luck)
{
    for (uint32_t y = 0; y < map->height; y++)
        for (uint32_t x = 0; x < map->width; x++)
            set_cell(map, x, y, x % 6 == 5 || y % 6 == 5 ? '@' : '.');
    for (uint32_t top = 0; top < map->height; top += 6) {
        for (uint32_t left = 0; left < map->width; left += 6) {
            uint32_t door_y = top + dice_below(luck, 5), door_x = left + dice_below(luck, 5);
            if (left + 5 < map->width && door_y < map->height && dice_below(luck, 4))
                set_cell(map, left + 5, door_y, '.');
            if (top + 5 < map->height && door_x < map->width && dice_below(luck, 4))
                set_cell(map, door_x, top + 5, '.');
        }
    }
}

/* Every cell with even coordinates is a place; a wall goes down towards the north or the west. */
static void carve_maze(picture *map, dice *luck)
{
    memset(map->letters, 'T', picture_size(map));
    for (uint32_t y = 0; y < map->height; y += 2) {
        for (uint32_t x = 0; x < map->width; x += 2) {
            set_cell(map, x, y, '.');
            if (x > 0 && (y == 0 || dice_below(luck, 2)))
                set_cell(map, x - 1, y, '.');
            else if (y > 0)
                set_cell(map, x, y - 1, '.');
        }
    }
}

static void wall_in_islands(picture *map, dice *luck)
{
    dig_cave(map, luck);
    for (uint32_t y = 0; y < map->height; y++)
        for (uint32_t x = 0; x < map->width; x++)
            if (x % 13 == 7 || y % 9 == 8)
                set_cell(map, x, y, 'W');
}

static void paint_chessboard(picture *map)
{
    for (uint32_t y = 0; y < map->height; y++)
        for (uint32_t x = 0; x < map->width; x++)
            set_cell(map, x, y, (x + y) % 2 ? '@' : '.');
}

static void raise_pillars(picture *map, dice *luck)
{
    const uint32_t across = 2 + dice_below(luck, 4), down = 2 + dice_below(luck, 4);
    for (uint32_t y = 0; y < map->height; y += down) {
        for (uint32_t x = 0; x < map->width; x += across)
            map->letters[y * map->width + x] = '@';
    }
}

picture random_map(map_kind kind, uint32_t width, uint32_t height, uint64_t seed)
{
    dice luck = dice_from(seed);
    if (kind == MAP_ONE_CELL || kind == MAP_ONE_COLUMN)
        width = 1;
    if (kind == MAP_ONE_CELL || kind == MAP_ONE_ROW)
        height = 1;

    picture map = picture_filled(width, height, kind == MAP_ALL_BLOCKED ? '@' : '.');
    switch (kind) {
    case MAP_ONE_ROW:
    case MAP_ONE_COLUMN:
    case MAP_SPARSE: scatter(&map, &luck, 10); break;
    case MAP_CLUTTERED: scatter(&map, &luck, 35); break;
    case MAP_BROKEN: scatter(&map, &luck, 55); break;
    case MAP_DUST: scatter(&map, &luck, 85); break;
    case MAP_CHESSBOARD: paint_chessboard(&map); break;
    case MAP_CAVE: dig_cave(&map, &luck); break;
    case MAP_ROOMS: build_rooms(&map, &luck); break;
    case MAP_MAZE: carve_maze(&map, &luck); break;
    case MAP_ISLANDS: wall_in_islands(&map, &luck); break;
    case MAP_PILLARS: raise_pillars(&map, &luck); break;
    default: break;
    }
    return map;
}

picture any_map(uint64_t seed)
{
    static const uint32_t sides[] = {1, 2, 3, 5, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65};
    dice luck = dice_from(seed + 77);
    uint32_t width = sides[dice_below(&luck, sizeof sides / sizeof *sides)];
    uint32_t height = sides[dice_below(&luck, sizeof sides / sizeof *sides)];

    if (dice_below(&luck, 2))
        width = 1 + dice_below(&luck, 70);
    if (dice_below(&luck, 2))
        height = 1 + dice_below(&luck, 40);
    return random_map((map_kind)(seed % MAP_KINDS), width, height, seed);
}
