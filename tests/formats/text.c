/* Maps and queries as text: whatever was done to them, they are refused with their line or give
 * something sound. */
#include "cairn/cairn.h"

#include "support/check.h"
#include "support/random_maps.h"

enum { ROUNDS = 20000, LARGEST = 512 };

static const char map_text[] =
    "type octile\nheight 4\nwidth 6\nmap\n......\n.@@...\r\n.@TSW.\n....@.\n";
static const char scenario_text[] =
    "version 1\n0\tm.map\t6\t4\t0\t0\t5\t3\t6.82842712\n1 maps/m 6 4 5 0 0 3 7\r\n"
    "4294967295\tm\t6\t4\t0\t0\t0\t0\t0\n";

static const char roads_text[] = "p sp 6 2\na 1 2 3\na 2 6 1\n";
static const char road_queries_text[] = "c from here\np aux sp p2p 3\nq 1 6\nq 6 1\r\nc\n\nq 2 2\n";

static const char words[] = " \t\r\n.@GSOTW0123456789-+eE\"\\x\0\xff";

/* Bytes overwritten, left out, doubled or moved. */
static size_t mangle(dice *luck, const char *from, size_t size, char *to)
{
    memcpy(to, from, size);
    for (uint32_t times = 1 + dice_below(luck, 4); times; times--) {
        size_t at = dice_below(luck, (uint32_t)size), run = 1 + dice_below(luck, 9);
        if (run > size - at)
            run = size - at;
        switch (dice_below(luck, 4)) {
        case 0: to[at] = words[dice_below(luck, sizeof words)]; break;
        case 1:
            memmove(to + at, to + at + run, size - at - run);
            size -= size > run ? run : 0;
            break;
        case 2:
            if (size + run <= LARGEST) {
                memmove(to + at + run, to + at, size - at);
                size += run;
            }
            break;
        default: size = dice_below(luck, 8) ? size : at + 1;
        }
    }
    return size;
}

/* The text in memory of its own, so that a byte read behind its end is seen by a sanitizer. */
static char *alone(const char *text, size_t size)
{
    char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    return copy;
}

static void assert_refused(cairn_status status, const cairn_error *error)
{
    assert_true(status == CAIRN_E_FORMAT || status == CAIRN_E_LIMIT);
    assert_int_equal(error->status, status);
    assert_true(error->line > 0);
    assert_non_null(error->expected);
    assert_non_null(memchr(error->found, '\0', sizeof error->found));
}

static void mangled_maps_are_refused_with_their_line_or_sound(void **state)
{
    (void)state;
    dice luck = {31};
    char text[LARGEST + 16];
    int sound = 0;

    for (int round = 0; round < ROUNDS; round++) {
        size_t size = mangle(&luck, map_text, sizeof map_text - 1, text);
        char *copy = alone(text, size);
        cairn_map *map;
        cairn_error error;
        cairn_status status = cairn_map_parse(copy, size, NULL, &map, &error);
        free(copy);
        if (status != CAIRN_OK) {
            assert_null(map);
            assert_refused(status, &error);
            continue;
        }
        uint32_t open = 0;
        assert_true((size_t)cairn_map_width(map) * cairn_map_height(map) <= size);
        for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
            open += cairn_map_is_open(map, node);
        assert_int_equal(open, cairn_map_open_count(map));
        cairn_map_free(map);
        sound++;
    }
    assert_in_range(sound, 100, ROUNDS - 100);
}

/* How many of the mangled texts were read. */
static int mangle_queries(const char *map_of, const char *from, dice *luck)
{
    char text[LARGEST + 16];
    cairn_map *map;
    int sound = 0;

    assert_int_equal(cairn_map_parse(map_of, strlen(map_of), NULL, &map, NULL), CAIRN_OK);
    for (int round = 0; round < ROUNDS; round++) {
        size_t size = mangle(luck, from, strlen(from), text);
        char *copy = alone(text, size);
        cairn_scenario *scenario;
        cairn_error error;
        cairn_status status = cairn_scenario_parse(copy, size, map, &scenario, &error);
        free(copy);
        if (status != CAIRN_OK) {
            assert_null(scenario);
            assert_refused(status, &error);
            continue;
        }
        const bool has_lengths = cairn_map_kind_of(map) == CAIRN_MAP_GRID;
        const cairn_query *queries = cairn_scenario_queries(scenario);
        for (size_t i = 0; i < cairn_scenario_count(scenario); i++) {
            assert_true(queries[i].start < cairn_map_node_count(map));
            assert_true(queries[i].goal < cairn_map_node_count(map));
            assert_true(queries[i].length <= 1e15 &&
                        queries[i].length >= (has_lengths ? 0 : CAIRN_LENGTH_NONE));
        }
        cairn_scenario_free(scenario);
        sound++;
    }
    cairn_map_free(map);
    return sound;
}

static void mangled_queries_are_refused_with_their_line_or_sound(void **state)
{
    (void)state;
    dice luck = {37};
    assert_in_range(mangle_queries(map_text, scenario_text, &luck), 100, ROUNDS - 100);
    assert_in_range(mangle_queries(roads_text, road_queries_text, &luck), 100, ROUNDS - 100);
}

/* A side that is said to be vast takes no memory for that. */
static void sizes_beyond_the_text_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "type octile\nheight 65535\nwidth 65535\nmap\n.\n",
        "type octile\nheight 4096\nwidth 65535\nmap\n.\n",
        "type octile\nheight 4294967297\nwidth 1\nmap\n.\n",
        "type octile\nheight 18446744073709551617\nwidth 1\nmap\n.\n",
        "type octile\nheight -1\nwidth 1\nmap\n.\n",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        cairn_map *map;
        cairn_error error;
        cairn_status status = cairn_map_parse(texts[i], strlen(texts[i]), NULL, &map, &error);
        assert_refused(status, &error);
        assert_null(map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mangled_maps_are_refused_with_their_line_or_sound),
        cmocka_unit_test(mangled_queries_are_refused_with_their_line_or_sound),
        cmocka_unit_test(sizes_beyond_the_text_are_refused),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
