#include "row_worlds.h"

#include <string.h>

static const char roads[] =
    "p sp 9 14\na 1 2 5\na 2 1 5\na 2 3 7\na 3 2 8\na 3 4 1\na 4 5 9\na 5 4 3\na 5 1 40\n"
    "a 1 5 12\na 3 1 2\na 6 7 1\na 7 8 1\na 8 6 1\na 5 6 100000\n";

static row_world worlds[ROW_WORLDS];

/* The hall under a rule; terrain may be "". */
static cairn_map *marsh(cairn_rule rule, const char *terrain)
{
    cairn_map *usual = fuzz_hall(), *map;
    char letters[20 * 12];
    cairn_alphabet alphabet;
    cairn_map_options options = {
        .size = sizeof options, .metric = {5, 7}, .rule = rule, .alphabet = &alphabet};

    cairn_alphabet_init(&alphabet);
    FUZZ_CHECK(cairn_alphabet_parse(terrain, strlen(terrain), &alphabet, NULL) == CAIRN_OK);
    for (cairn_node node = 0; node < sizeof letters; node++)
        letters[node] = cairn_map_letter(usual, node);
    cairn_map_free(usual);
    FUZZ_CHECK(cairn_map_from_letters(20, 12, letters, &options, &map, NULL) == CAIRN_OK);
    return map;
}

static void make_world(row_world *made, cairn_map *map, unsigned bits)
{
    static const cn_mem mem;
    made->map = map;
    while (!cairn_map_is_open(map, made->landmark))
        made->landmark++;
    made->row_count = cairn_map_is_directed(map) ? 2 : 1;
    FUZZ_CHECK(cn_codec_layout_init(&made->layout, map, cairn_map_metric(map), bits, &mem) ==
               CAIRN_OK);
}

static void make_worlds(void)
{
    cairn_map *coarse = fuzz_hall(), *graph;
    FUZZ_CHECK(cairn_map_set_metric(coarse, (cairn_metric){5, 7}) == CAIRN_OK);
    FUZZ_CHECK(cairn_roads_parse(roads, sizeof roads - 1, NULL, 0, NULL, &graph, NULL) == CAIRN_OK);
    make_world(&worlds[0], coarse, 16);
    make_world(&worlds[1], fuzz_hall(), 32);
    make_world(&worlds[2], marsh(CAIRN_RULE_8, "S=3,G=7"), 32);
    make_world(&worlds[3], marsh(CAIRN_RULE_HEX, "S=3,G=7"), 16);
    make_world(&worlds[4], graph, 32);
    make_world(&worlds[5], marsh(CAIRN_RULE_4, "S=3,G=7"), 16);
    make_world(&worlds[6], marsh(CAIRN_RULE_HEX, ""), 16);
    make_world(&worlds[7], marsh(CAIRN_RULE_8_ANY, ""), 32);
}

const row_world *row_world_of(uint32_t number)
{
    if (!worlds[0].map)
        make_worlds();
    return &worlds[number % ROW_WORLDS];
}
