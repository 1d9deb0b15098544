#include "weak_maps.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random_maps.h"

enum { WILD = 120 };

/* Cells whose factors differ widely, at random. */
static cairn_map *wild_map(cairn_charge charge, const char *letters, uint64_t seed)
{
    static const char terrain[] = "a=1,b=3,c=20,d=90,e=200,one-way";
    picture drawn = picture_filled(WILD, WILD, 'a');
    cairn_map_options options = {.size = sizeof options, .charge = charge};
    cairn_alphabet alphabet;
    dice luck = {seed};
    cairn_map *map;

    cairn_alphabet_init(&alphabet);
    assert_int_equal(cairn_alphabet_parse(terrain, strlen(terrain), &alphabet, NULL), CAIRN_OK);
    options.alphabet = &alphabet;
    for (size_t i = 0; i < picture_size(&drawn); i++)
        drawn.letters[i] = letters[dice_below(&luck, (uint32_t)strlen(letters))];
    assert_int_equal(cairn_map_from_letters(WILD, WILD, drawn.letters, &options, &map, NULL),
                     CAIRN_OK);
    picture_free(&drawn);
    return map;
}

static cairn_map *wild_entered(uint64_t seed)
{
    return wild_map(CAIRN_CHARGE_ENTERED, "abcde", seed);
}

static cairn_map *wild_average(uint64_t seed)
{
    return wild_map(CAIRN_CHARGE_AVERAGE, "abcde", seed);
}

static cairn_map *wild_one_way(uint64_t seed)
{
    return wild_map(CAIRN_CHARGE_ENTERED, "abcde^v<>@", seed);
}

/* Storeys above one another, at the same coordinates, with few stairs. Arcs that differ in cost by
 * their direction, if costs are at random. */
static cairn_map *storeys(bool at_random, uint64_t seed)
{
    enum { FLOORS = 12, WIDE = 36, FLOOR = WIDE * WIDE, NODES = FLOORS * FLOOR, STAIRS = 400 };
    cairn_arc *arcs = malloc(6 * NODES * sizeof *arcs);
    int32_t *x = malloc(NODES * sizeof *x), *y = malloc(NODES * sizeof *y);
    dice luck = {seed};
    size_t count = 0;
    cairn_map *map;

    assert_true(arcs && x && y);
    for (uint32_t node = 0; node < NODES; node++) {
        const bool has[] = {node % WIDE + 1 < WIDE, node % FLOOR + WIDE < FLOOR,
                            node + FLOOR < NODES && dice_below(&luck, STAIRS) == 0};
        const uint32_t to[] = {node + 1, node + WIDE, node + FLOOR};
        x[node] = (int32_t)(node % WIDE * 10);
        y[node] = (int32_t)(node % FLOOR / WIDE * 10);
        for (unsigned i = 0; i < 3; i++) {
            if (!has[i])
                continue;
            arcs[count++] = (cairn_arc){node, to[i], at_random ? 10 + dice_below(&luck, 900) : 10};
            arcs[count++] = (cairn_arc){to[i], node, at_random ? 10 + dice_below(&luck, 900) : 10};
        }
    }
    assert_int_equal(cairn_map_from_arcs(NODES, arcs, count, x, y, NULL, &map, NULL), CAIRN_OK);
    free(arcs);
    free(x);
    free(y);
    return map;
}

static cairn_map *building(uint64_t seed)
{
    return storeys(false, seed);
}

static cairn_map *directed_building(uint64_t seed)
{
    return storeys(true, seed);
}

const weak_map_maker WEAK_MAPS[WEAK_KINDS] = {wild_entered, wild_average, wild_one_way, building,
                                              directed_building};
