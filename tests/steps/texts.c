/* Every parser of a text takes time that grows with the text, whatever is in it. */
#include "steps/count.h"
#include "support/check.h"
#include "support/fixtures.h"

/* A text that grows as it is written. */
typedef struct page {
    char *text;
    size_t size;
    size_t capacity;
} page;

static void put(page *to, const char *words)
{
    size_t size = strlen(words);
    if (to->size + size > to->capacity) {
        to->capacity = 2 * (to->size + size);
        to->text = realloc(to->text, to->capacity);
        assert_non_null(to->text);
    }
    memcpy(to->text + to->size, words, size);
    to->size += size;
}

static void put_numbers(page *to, const char *format, unsigned a, unsigned b)
{
    char line[128];
    snprintf(line, sizeof line, format, a, b);
    put(to, line);
}

static void put_times(page *to, const char *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        put(to, words);
}

/* What takes a text, and what writes one of about `size` times some bytes. */
typedef void taker(const page *from);
typedef void writer(page *to, unsigned size);

static uint64_t steps_for(taker *take, writer *write, unsigned size, size_t *bytes)
{
    page made = {0};
    write(&made, size);
    steps_taken();
    take(&made);
    uint64_t steps = steps_taken();
    *bytes = made.size;
    free(made.text);
    return steps;
}

enum {
    SMALL = 3000,
    LARGE = 4 * SMALL,
    STEPS_A_BYTE = 200,
    STEPS_AT_ONCE = 4000000 /* a road network of a few bytes may have 2^16 nodes */
};

/* Four times the text takes at most so much more than four times the steps; and no text takes many
 * steps for each of its bytes. */
static void check_linear(taker *take, writer *write)
{
    size_t small_size, large_size;
    uint64_t small = steps_for(take, write, SMALL, &small_size);
    uint64_t large = steps_for(take, write, LARGE, &large_size);

    assert_true(small > 0);
    assert_true((double)large / (double)small <=
                1.2 * (double)large_size / (double)small_size + 0.2);
    assert_true(large <= STEPS_AT_ONCE + (uint64_t)STEPS_A_BYTE * large_size);
}

static void check_all(taker *take, writer *const *writers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        check_linear(take, writers[i]);
}

/* -------------------------------------------------------------------- what any text may have -- */

static void empty_lines(page *to, unsigned size)
{
    put_times(to, "\n", 20 * size);
}
static void blank_lines(page *to, unsigned size)
{
    put_times(to, "  \t \r\n", 4 * size);
}
static void one_word(page *to, unsigned size)
{
    put_times(to, "word", 5 * size);
}
static void one_line(page *to, unsigned size)
{
    put_times(to, "1 ", 10 * size);
}
static void short_lines(page *to, unsigned size)
{
    put_times(to, "1 2\n", 5 * size);
}
static void zeros(page *to, unsigned size)
{
    put_times(to, "0000000000", 2 * size);
}
static void comments(page *to, unsigned size)
{
    put_times(to, "c of roads\n# of edits\n", size);
}

static writer *const any_text[] = {empty_lines, blank_lines, one_word, one_line,
                                   short_lines, zeros,       comments};

/* -------------------------------------------------------------------------------------- maps -- */

static void take_map(const page *from, const cairn_map_options *options)
{
    cairn_map *map;
    (void)cairn_map_parse(from->text, from->size, options, &map, NULL);
    cairn_map_free(map);
}

static void take_uniform_map(const page *from)
{
    take_map(from, NULL);
}

static void take_hexagons(const page *from)
{
    cairn_map_options options = {.size = sizeof options, .rule = CAIRN_RULE_HEX};
    take_map(from, &options);
}

static void take_terrain(const page *from)
{
    cairn_map_options options = {.size = sizeof options, .rule = CAIRN_RULE_4};
    cairn_alphabet alphabet;
    cairn_alphabet_init(&alphabet);
    for (unsigned letter = '0'; letter <= '9'; letter++)
        alphabet.cost[letter] = (uint16_t)(1 + letter);
    options.alphabet = &alphabet;
    take_map(from, &options);
}

static void put_map(page *to, unsigned width, unsigned height, const char *row_end)
{
    put_numbers(to, "type octile\nheight %u\nwidth %u\nmap\n", height, width);
    for (unsigned y = 0; y < height; y++) {
        for (unsigned x = 0; x < width; x++)
            put(to, (x ^ y) % 5 ? "." : "@");
        put(to, row_end);
    }
}

static void one_column(page *to, unsigned size)
{
    put_map(to, 1, 4 * size, "\n");
}
static void one_row(page *to, unsigned size)
{
    put_map(to, 4 * size, 1, "\n");
}
static void square(page *to, unsigned size)
{
    put_map(to, size / 30, 300, "\n");
}
static void ends_in_blanks(page *to, unsigned size)
{
    put_map(to, 2, size, "        \r\n");
}

static void a_header_without_end(page *to, unsigned size)
{
    put(to, "type octile\n");
    put_times(to, "height 2\n", 2 * size);
}

static void lines_behind(page *to, unsigned size)
{
    put_map(to, 3, 3, "\n");
    put_times(to, "  \n", 5 * size);
}

static void maps_take_time_that_grows_with_their_text(void **state)
{
    (void)state;
    writer *const own[] = {one_column,           one_row,     square, ends_in_blanks,
                           a_header_without_end, lines_behind};
    taker *const takers[] = {take_uniform_map, take_hexagons, take_terrain};
    for (size_t i = 0; i < COUNT_OF(takers); i++) {
        check_all(takers[i], own, COUNT_OF(own));
        check_all(takers[i], any_text, COUNT_OF(any_text));
    }
}

/* ------------------------------------------------------------------------------------- roads -- */

static void take_roads(const page *from)
{
    cairn_map *map;
    (void)cairn_roads_parse(from->text, from->size, NULL, 0, NULL, &map, NULL);
    cairn_map_free(map);
}

/* The line of coordinates begins the second file. */
static void take_places(const page *from)
{
    static const char head[] = "p aux sp co";
    size_t at = 0;
    while (at + sizeof head <= from->size && memcmp(from->text + at, head, sizeof head - 1) != 0)
        at++;
    cairn_map *map;
    (void)cairn_roads_parse(from->text, at, from->text + at, from->size - at, NULL, &map, NULL);
    cairn_map_free(map);
}

static void parallel_arcs(page *to, unsigned size)
{
    put_numbers(to, "p sp 2 %u\n", size, 0);
    for (unsigned i = 0; i < size; i++)
        put_numbers(to, "a 1 2 %u\n", 1 + i * 7919 % 1000, 0);
}

static void a_star(page *to, unsigned size)
{
    put_numbers(to, "p sp %u %u\n", size, size - 1);
    for (unsigned i = 2; i <= size; i++)
        put_numbers(to, i % 2 ? "a 1 %u 5\n" : "a %u 1 5\n", i, 0);
}

static void arcs_backwards(page *to, unsigned size)
{
    put_numbers(to, "p sp %u %u\n", size, size - 1);
    for (unsigned i = size; i > 1; i--)
        put_numbers(to, "a %u %u 5\n", i, i - 1);
}

static void comments_between(page *to, unsigned size)
{
    put_numbers(to, "p sp %u %u\n", size, size - 1);
    for (unsigned i = 1; i < size; i++) {
        put_numbers(to, "a %u %u 1\n", i, i + 1);
        put(to, "c\n\n");
    }
}

static void put_places(page *to, unsigned nodes, unsigned step)
{
    put_numbers(to, "p aux sp co %u\n", nodes, 0);
    for (unsigned i = 1; i <= nodes; i++)
        put_numbers(to, "v %u %u 17\n", i, i * step);
}

static void in_a_line(page *to, unsigned size)
{
    arcs_backwards(to, size);
    put_places(to, size, 3);
}

static void all_at_one_place(page *to, unsigned size)
{
    a_star(to, size);
    put_places(to, size, 0);
}

static void roads_take_time_that_grows_with_their_text(void **state)
{
    (void)state;
    writer *const own[] = {parallel_arcs, a_star, arcs_backwards, comments_between};
    writer *const placed[] = {in_a_line, all_at_one_place};
    check_all(take_roads, own, COUNT_OF(own));
    check_all(take_roads, any_text, COUNT_OF(any_text));
    check_all(take_places, placed, COUNT_OF(placed));
}

/* ----------------------------------------------------------------------- scenarios and edits -- */

static void take_scenario(const page *from)
{
    picture drawn = picture_filled(9, 9, '.');
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_scenario *scenario;
    steps_taken();
    (void)cairn_scenario_parse(from->text, from->size, map, &scenario, NULL);
    cairn_scenario_free(scenario);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void queries(page *to, unsigned size)
{
    put(to, "version 1\n");
    for (unsigned i = 0; i < size; i++)
        put_numbers(to, "%u\tmap\t9\t9\t%u\t2\t3\t4\t5.5\n", i, i % 9);
}

static void queries_with_long_names(page *to, unsigned size)
{
    for (unsigned i = 0; i < size / 100; i++) {
        put_numbers(to, "%u ", i, 0);
        put_times(to, "a_long_name_", 100);
        put(to, " 9 9 1 2 3 4 5.5\n");
    }
}

static void take_road_queries(const page *from)
{
    static const char roads[] = "p sp 9 0\n";
    cairn_map *map;
    cairn_scenario *scenario;
    assert_int_equal(cairn_map_parse(roads, sizeof roads - 1, NULL, &map, NULL), CAIRN_OK);
    steps_taken();
    (void)cairn_scenario_parse(from->text, from->size, map, &scenario, NULL);
    cairn_scenario_free(scenario);
    cairn_map_free(map);
}

static void road_queries(page *to, unsigned size)
{
    put_numbers(to, "p aux sp p2p %u\n", size, 0);
    for (unsigned i = 0; i < size; i++)
        put_numbers(to, "c\n\nq %u %u\n", 1 + i % 9, 9 - i % 9);
}

static void scenarios_take_time_that_grows_with_their_text(void **state)
{
    (void)state;
    writer *const own[] = {queries, queries_with_long_names};
    check_all(take_scenario, own, COUNT_OF(own));
    check_all(take_scenario, any_text, COUNT_OF(any_text));
    check_all(take_road_queries, &(writer *const){road_queries}, 1);
    check_all(take_road_queries, any_text, COUNT_OF(any_text));
}

static void take_edits(const page *from)
{
    cairn_edits *edits;
    (void)cairn_edits_parse(from->text, from->size, &edits, NULL);
    cairn_edits_free(edits);
}

static void every_edit(page *to, unsigned size)
{
    for (unsigned i = 0; i < size; i++) {
        put_numbers(to, "block %u %u\n", i, i);
        put_numbers(to, "rect %u %u 65535 65535 @\n", i, i);
        put_numbers(to, "cost %u %u 9\n", i, i);
    }
}

static void edits_take_time_that_grows_with_their_text(void **state)
{
    (void)state;
    writer *const own[] = {every_edit};
    check_all(take_edits, own, COUNT_OF(own));
    check_all(take_edits, any_text, COUNT_OF(any_text));
}

/* -------------------------------------------------------------------------- maps that change -- */

/* The line that begins the patch file parts the two. */
static void take_dynamic(const page *from)
{
    static const char head[] = "type patch";
    size_t at = 0;
    while (at + sizeof head <= from->size && memcmp(from->text + at, head, sizeof head - 1) != 0)
        at++;
    cairn_dynamic *dynamic;
    (void)cairn_dynamic_parse(from->text, at, from->text + at, from->size - at, &dynamic, NULL);
    cairn_dynamic_free(dynamic);
}

#define CHANGING "version 2\nheight 60000\nwidth 4000\ncost 1 octile\npatch p\ncommands\n"

static void many_patches(page *to, unsigned size)
{
    put(to, CHANGING);
    put_numbers(to, "type patch\npatches %u\n", size, 0);
    for (unsigned i = 0; i < size; i++)
        put_numbers(to, "patch %u\nheight 1\nwidth 1\nmap\n@\n", i, 0);
}

/* Each use of a patch is a few bytes, but the patch is large. */
static void one_patch_many_times(page *to, unsigned size)
{
    put(to, CHANGING);
    for (unsigned i = 0; i < size; i++)
        put_numbers(to, "P %u 0 0 %u\nQ 1 0 0 1 1 -1\n", i, i % 100);
    put_numbers(to, "type patch\npatches 1\npatch 0\nheight %u\nwidth 10\nmap\n", size, 0);
    put_times(to, "..........\n", size);
}

static void a_count_without_patches(page *to, unsigned size)
{
    put(to, CHANGING);
    put_numbers(to, "type patch\npatches %u\n", size, 0);
    put_times(to, " \n", 5 * size);
}

static void maps_that_change_take_time_that_grows_with_their_text(void **state)
{
    (void)state;
    writer *const own[] = {many_patches, one_patch_many_times, a_count_without_patches};
    check_all(take_dynamic, own, COUNT_OF(own));
    check_all(take_dynamic, any_text, COUNT_OF(any_text));
}

/* --------------------------------------------------------------------------------- alphabets -- */

static void take_alphabet(const page *from)
{
    cairn_alphabet alphabet;
    cairn_alphabet_init(&alphabet);
    (void)cairn_alphabet_parse(from->text, from->size, &alphabet, NULL);
}

static void items(page *to, unsigned size)
{
    put_times(to, "a=1,b=blocked one-way\n", size);
}
static void commas(page *to, unsigned size)
{
    put_times(to, ",,,, ,\n", 3 * size);
}

static void alphabets_take_time_that_grows_with_their_text(void **state)
{
    (void)state;
    writer *const own[] = {items, commas};
    check_all(take_alphabet, own, COUNT_OF(own));
    check_all(take_alphabet, any_text, COUNT_OF(any_text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_take_time_that_grows_with_their_text),
        cmocka_unit_test(roads_take_time_that_grows_with_their_text),
        cmocka_unit_test(scenarios_take_time_that_grows_with_their_text),
        cmocka_unit_test(edits_take_time_that_grows_with_their_text),
        cmocka_unit_test(maps_that_change_take_time_that_grows_with_their_text),
        cmocka_unit_test(alphabets_take_time_that_grows_with_their_text),
    };
    return cmocka_run_group_tests_name("texts", tests, NULL, NULL);
}
