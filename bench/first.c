/*
 * What a map takes when its first search is made, which finds where jump points are, under every
 * rule and on every kind of ground, beside one flood of the same map: nanoseconds for each cell.
 *
 * Ground is drawn on the open cells of a map: terrain in patches of 16 x 16 cells of four factors,
 * terrain of nine factors as noise, one-way cells, hills that rise over 64 cells, heights as noise.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "kit/kit.h"

enum {
    REPEATS_MAX = 101,
    SOURCES = 16, /* of a flood */
    PATCH = 16,
    FACTORS = 9,
    ONE_WAY_OF = 200, /* one cell of so many is one-way */
    HILL = 64,        /* cells from the foot to the top */
    NOISE_HEIGHT = 16
};

typedef enum ground { LEVEL, PATCHES, NOISE, ONE_WAY, HILLS, ROUGH, GROUNDS } ground;

static const char *const GROUND_NAMES[] = {"level",   "patches", "noise",
                                           "one-way", "hills",   "heights as noise"};

static const char ARROWS[] = "^v<>"; /* of one-way cells */

/* A map as letters and heights. */
typedef struct terrain {
    uint32_t width, height;
    char *letters;
    uint16_t *heights; /* NULL: level */
    cairn_alphabet alphabet;
    cairn_rule rule;
} terrain;

static char letter_at(ground kind, uint32_t x, uint32_t y, cn_rng *rng)
{
    if (kind == PATCHES)
        return (char)('0' + (x / PATCH * 7 + y / PATCH * 3) % 4);
    if (kind == NOISE)
        return (char)('0' + cn_rng_below(rng, FACTORS));
    return kind == ONE_WAY && cn_rng_below(rng, ONE_WAY_OF) == 0 ? ARROWS[cn_rng_below(rng, 4)]
                                                                 : '.';
}

static uint16_t height_at(ground kind, uint32_t x, uint32_t y, cn_rng *rng)
{
    const uint32_t right = x % (2 * HILL), down = y % (2 * HILL);
    if (kind == ROUGH)
        return (uint16_t)cn_rng_below(rng, NOISE_HEIGHT);
    return (uint16_t)((right < HILL ? right : 2 * HILL - right) +
                      (down < HILL ? down : 2 * HILL - down));
}

static bool draw(const cairn_map *map, ground kind, terrain *drawn)
{
    const uint32_t count = cairn_map_node_count(map);
    const bool is_level = kind != HILLS && kind != ROUGH;
    cn_rng rng = {5};

    drawn->width = cairn_map_width(map);
    drawn->height = cairn_map_height(map);
    drawn->letters = malloc(count);
    drawn->heights = is_level ? NULL : malloc(count * sizeof *drawn->heights);
    if (!drawn->letters || (!is_level && !drawn->heights))
        return false;
    for (uint32_t node = 0; node < count; node++) {
        const uint32_t x = node % drawn->width, y = node / drawn->width;
        drawn->letters[node] = cairn_map_is_open(map, node) ? letter_at(kind, x, y, &rng) : '@';
        if (!is_level)
            drawn->heights[node] = height_at(kind, x, y, &rng);
    }
    cairn_alphabet_init(&drawn->alphabet);
    for (unsigned i = 0; i < FACTORS && (kind == PATCHES || kind == NOISE); i++)
        drawn->alphabet.cost['0' + i] = (uint16_t)(1 + i);
    for (unsigned i = 0; i < 4 && kind == ONE_WAY; i++)
        drawn->alphabet.cost[(unsigned char)ARROWS[i]] = 1;
    return true;
}

static cairn_status make_map(const terrain *drawn, cairn_map **map)
{
    const cairn_heights heights = {.width = drawn->width,
                                   .height = drawn->height,
                                   .cells = drawn->heights,
                                   .climb = 100,
                                   .descend = 100};
    const cairn_map_options options = {.size = sizeof options,
                                       .rule = drawn->rule,
                                       .alphabet = &drawn->alphabet,
                                       .heights = drawn->heights ? &heights : NULL};
    return cairn_map_from_letters(drawn->width, drawn->height, drawn->letters, &options, map, NULL);
}

/* Open cells all over the map, so that a flood reaches most of it. */
static size_t choose_sources(const cairn_map *map, cairn_node *sources)
{
    const cairn_node count = cairn_map_node_count(map);
    size_t chosen = 0;
    for (cairn_node part = 0; part < SOURCES; part++) {
        cairn_node node = (cairn_node)((uint64_t)count * part / SOURCES);
        while (node < count && !cairn_map_is_open(map, node))
            node++;
        if (node < count && (chosen == 0 || sources[chosen - 1] != node))
            sources[chosen++] = node;
    }
    return chosen;
}

/* Processor seconds of the first search of a new map, and of a flood of it. */
static cairn_status measure(const terrain *drawn, double *first, double *flood)
{
    cairn_map *map = NULL;
    cairn_search *search = NULL;
    cairn_flood *floods = NULL;
    cairn_node sources[SOURCES];

    cairn_status status = make_map(drawn, &map);
    const double begin = bench_thread_now();
    if (status == CAIRN_OK)
        status = cairn_search_new(map, NULL, NULL, &search);
    *first = bench_thread_now() - begin;
    if (status == CAIRN_OK)
        status = cairn_flood_new(map, &floods);
    const size_t source_count = status == CAIRN_OK ? choose_sources(map, sources) : 0;
    const uint32_t count = status == CAIRN_OK ? cairn_map_node_count(map) : 0;
    cairn_cost *costs = malloc((count + 1u) * sizeof *costs);
    status = status == CAIRN_OK && !costs ? CAIRN_E_MEMORY : status;
    const double middle = bench_thread_now();
    if (status == CAIRN_OK)
        status = cairn_flood_from(floods, sources, source_count, costs);
    *flood = bench_thread_now() - middle;
    free(costs);
    cairn_flood_free(floods);
    cairn_search_free(search);
    cairn_map_free(map);
    return status;
}

static void print_row(const bench_options *options, const char *map, const char *rule,
                      const char *kind, double first, double flood, bool *is_first)
{
    if (options->json)
        printf("%s{\"map\": \"%s\", \"moves\": \"%s\", \"ground\": \"%s\", \"first_ns\": %.2f, "
               "\"flood_ns\": %.2f, \"ratio\": %.2f}",
               *is_first ? "" : ",\n", map, rule, kind, first, flood, first / flood);
    else
        printf("%-22s %-6s %-18s %9.2f %9.2f %7.2f\n", map, rule, kind, first, flood,
               first / flood);
    fflush(stdout);
    *is_first = false;
}

static cairn_status run_ground(const bench_options *options, const char *name, const cairn_map *map,
                               ground kind, bool *is_first)
{
    static const struct {
        cairn_rule rule;
        const char *name;
    } rules[] = {{CAIRN_RULE_8, "8"},
                 {CAIRN_RULE_4, "4"},
                 {CAIRN_RULE_8_ONE_SIDE, "8-one"},
                 {CAIRN_RULE_8_ANY, "8-any"},
                 {CAIRN_RULE_HEX, "hex"}};
    const double cells = cairn_map_node_count(map);
    double first[REPEATS_MAX], flood[REPEATS_MAX];
    terrain drawn = {0};
    cairn_status status = draw(map, kind, &drawn) ? CAIRN_OK : CAIRN_E_MEMORY;

    for (size_t i = 0; i < sizeof rules / sizeof *rules && status == CAIRN_OK; i++) {
        drawn.rule = rules[i].rule;
        for (unsigned round = 0; round < options->repeat && status == CAIRN_OK; round++)
            status = measure(&drawn, &first[round], &flood[round]);
        if (status == CAIRN_OK)
            print_row(options, name, rules[i].name, GROUND_NAMES[kind],
                      1e9 / cells * bench_median(first, options->repeat),
                      1e9 / cells * bench_median(flood, options->repeat), is_first);
    }
    free(drawn.letters);
    free(drawn.heights);
    return status;
}

static cairn_status run_map(const bench_options *options, const char *name, bool *is_first)
{
    cairn_map *map = bench_load_map(options, name, (cairn_metric){0, 0});
    cairn_status status = map ? CAIRN_OK : CAIRN_E_IO;

    for (unsigned kind = 0; kind < GROUNDS && status == CAIRN_OK; kind++)
        status = run_ground(options, name, map, (ground)kind, is_first);
    cairn_map_free(map);
    return status;
}

int bench_first(const bench_options *options)
{
    if (options->repeat > REPEATS_MAX)
        return bench_failed("--repeat", CAIRN_E_LIMIT);
    if (!options->json)
        printf("%-22s %-6s %-18s %9s %9s %7s\n", "map", "moves", "ground", "first ns", "flood ns",
               "ratio");
    return bench_run_maps(options, run_map);
}
