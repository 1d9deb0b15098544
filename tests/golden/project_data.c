/* The scenarios in data/: their lengths against the oracle, read by code of the test's own. */
#include <math.h>

#include "support/check.h"
#include "support/oracle.h"

/* Steps of 1 and sqrt(2) to nine digits, in whole numbers. */
static const oracle_steps fine_steps = {1000000000, 1414213562};

static const char *const names[] = {"cave",    "rooms", "maze", "corridors",
                                    "scatter", "town",  "field"};

typedef struct line {
    unsigned bucket;
    char map_name[64];
    uint32_t size[2];
    uint32_t start[2];
    uint32_t goal[2];
    double length;
} line;

static FILE *open_data(const char *folder, const char *name, const char *suffix)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/data/%s/%s%s", CAIRN_TEST_SOURCE_DIR, folder, name, suffix);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("cannot open %s", path);
    return file;
}

static picture read_map(const char *name)
{
    FILE *file = open_data("maps", name, ".map");
    uint32_t width;
    uint32_t height;
    assert_int_equal(fscanf(file, "type octile height %u width %u map ", &height, &width), 2);
    picture map = picture_filled(width, height, '@');
    char format[16];
    snprintf(format, sizeof format, "%%%uc ", width);
    for (uint32_t y = 0; y < height; y++)
        assert_int_equal(fscanf(file, format, map.letters + (size_t)y * width), 1);
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
    return map;
}

static bool read_line(FILE *file, line *next)
{
    int count = fscanf(file, "%u %63s %u %u %u %u %u %u %lf", &next->bucket, next->map_name,
                       &next->size[0], &next->size[1], &next->start[0], &next->start[1],
                       &next->goal[0], &next->goal[1], &next->length);
    assert_true(count == 9 || count == EOF);
    return count == 9;
}

static int by_start(const void *left, const void *right)
{
    return memcmp(((const line *)left)->start, ((const line *)right)->start,
                  sizeof((line *)NULL)->start);
}

static size_t read_scenario(const char *name, line *lines, size_t capacity)
{
    FILE *file = open_data("scen", name, ".map.scen");
    char version[32];
    assert_non_null(fgets(version, sizeof version, file));
    assert_string_equal(version, "version 1\n");
    size_t count = 0;
    while (count < capacity && read_line(file, &lines[count]))
        count++;
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
    return count;
}

static void check_line(const char *name, const picture *map, const uint64_t *costs,
                       const line *asked)
{
    uint64_t cost = costs[asked->goal[1] * map->width + asked->goal[0]];
    assert_true(cost != ORACLE_NEVER);
    assert_int_equal(asked->size[0], map->width);
    assert_int_equal(asked->size[1], map->height);
    assert_int_equal(asked->bucket, (unsigned)(asked->length / 4));
    assert_memory_equal(asked->map_name, name, strlen(name));
    if (fabs(asked->length - (double)cost / 1e9) > 2e-6)
        fail_msg("%s: %u,%u to %u,%u: published %.8f, shortest %.8f", name, asked->start[0],
                 asked->start[1], asked->goal[0], asked->goal[1], asked->length,
                 (double)cost / 1e9);
}

static void check_scenario(const char *name)
{
    enum { CAPACITY = 1000 };
    static line lines[CAPACITY];
    picture map = read_map(name);
    size_t count = read_scenario(name, lines, CAPACITY);
    assert_in_range(count, 100, CAPACITY - 1);
    qsort(lines, count, sizeof *lines, by_start);

    uint64_t *costs = NULL;
    for (size_t index = 0; index < count; index++) {
        if (index == 0 || by_start(&lines[index], &lines[index - 1]) != 0) {
            uint32_t start = lines[index].start[1] * map.width + lines[index].start[0];
            free(costs);
            costs = oracle_costs(&map, fine_steps, &start, 1);
        }
        check_line(name, &map, costs, &lines[index]);
    }
    free(costs);
    picture_free(&map);
}

static void every_length_in_the_projects_scenarios_is_that_of_a_shortest_path(void **state)
{
    (void)state;
    for (size_t index = 0; index < COUNT_OF(names); index++)
        check_scenario(names[index]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_in_the_projects_scenarios_is_that_of_a_shortest_path),
    };
    return cmocka_run_group_tests_name("project_data", tests, NULL, NULL);
}
