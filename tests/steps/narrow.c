/* How much work it is to find the nearest node to a goal that is far from all that can be reached,
 * on maps of few columns or few rows: in proportion to their length. */
#include <stdlib.h>

#include "cairn/cairn.h"
#include "steps/count.h"
#include "support/check.h"

enum { FEW = 3 };

/* Open ground at one end of a map is all that can be reached; the goal lies at the other end. */
static cairn_map *map_of_an_end(uint32_t width, uint32_t height)
{
    const uint32_t length = width < height ? height : width;
    char *letters = malloc((size_t)width * height);
    cairn_map *map;
    assert_non_null(letters);
    for (uint32_t y = 0, i = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++, i++)
            letters[i] = x + y < length - 100 ? '@' : '.';
    }
    assert_int_equal(cairn_map_from_letters(width, height, letters, NULL, &map, NULL), CAIRN_OK);
    free(letters);
    return map;
}

static uint64_t steps_to_the_nearest(uint32_t width, uint32_t height)
{
    const cairn_search_options options = {.size = sizeof options, .nearest = true};
    cairn_map *map = map_of_an_end(width, height);
    const cairn_node start = cairn_map_node_count(map) - 1;
    cairn_search *search;
    cairn_path path;
    assert_int_equal(cairn_search_new(map, NULL, &options, &search), CAIRN_OK);
    assert_int_equal(cairn_search_run(search, start, 0, &path), CAIRN_OK);
    steps_taken();
    assert_int_equal(cairn_search_run(search, start, 0, &path), CAIRN_OK);
    const uint64_t steps = steps_taken();
    assert_int_equal(path.outcome, CAIRN_PATH_NEAREST);
    cairn_search_free(search);
    cairn_map_free(map);
    return steps;
}

static void the_nearest_node_takes_work_that_grows_with_the_length_of_a_map(void **state)
{
    (void)state;
    for (uint32_t length = 1000; length <= 32000; length *= 2) {
        const uint64_t tall = steps_to_the_nearest(FEW, length);
        const uint64_t wide = steps_to_the_nearest(length, FEW);
        print_message("%u cells: %llu steps down, %llu across\n", length, (unsigned long long)tall,
                      (unsigned long long)wide);
        assert_in_range(tall, 1, 5 * length);
        assert_in_range(wide, 1, 5 * length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_node_takes_work_that_grows_with_the_length_of_a_map),
    };
    return cmocka_run_group_tests_name("narrow", tests, NULL, NULL);
}
