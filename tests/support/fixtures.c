#include "fixtures.h"

#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

const cairn_metric fixture_metrics[FIXTURE_METRICS] = {
    {2378, 3363}, {5, 7}, {10, 14}, {12, 17}, {1, 1}, {1, 2},
};

oracle_steps steps_of(cairn_metric metric)
{
    return (oracle_steps){metric.straight, metric.diagonal};
}

cairn_cost cost_of(uint64_t oracle_cost)
{
    if (oracle_cost == ORACLE_NEVER)
        return CAIRN_UNREACHABLE;
    assert_true(oracle_cost <= CAIRN_COST_MAX);
    return (cairn_cost)oracle_cost;
}

cairn_map *map_with(const picture *drawn, cairn_metric metric, const cairn_allocator *allocator)
{
    cairn_map_options options = {.size = sizeof options, .metric = metric, .allocator = allocator};
    cairn_error error;
    cairn_map *map;
    assert_int_equal(
        cairn_map_from_letters(drawn->width, drawn->height, drawn->letters, &options, &map, &error),
        CAIRN_OK);
    assert_non_null(map);
    return map;
}

cairn_map *map_of(const picture *drawn, cairn_metric metric)
{
    return map_with(drawn, metric, NULL);
}

cairn_table *table_built(cairn_map *map, cairn_build_options options)
{
    cairn_table *table;
    options.size = sizeof options;
    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    assert_non_null(table);
    return table;
}

cairn_table *table_suiting(cairn_map *map, cairn_build_options options)
{
    cairn_table *table;
    options.size = sizeof options;
    const cairn_status status = cairn_table_build(map, &options, &table);
    if (status == CAIRN_OK)
        return table;
    assert_int_equal(status, CAIRN_E_RESIDENT);
    options.resident = CAIRN_RESIDENT_CELLS;
    return table_built(map, options);
}

cairn_table *table_with(cairn_map *map, uint32_t rows, uint32_t threads, uint64_t seed)
{
    return table_built(
        map, (cairn_build_options){.landmark_count = rows, .thread_count = threads, .seed = seed});
}

cairn_table *table_of(cairn_map *map, uint32_t rows)
{
    return table_with(map, rows, 1, 0);
}

cairn_search *search_with(const cairn_map *map, const cairn_table *table,
                          cairn_search_options options)
{
    cairn_search *search;
    options.size = sizeof options;
    assert_int_equal(cairn_search_new(map, table, &options, &search), CAIRN_OK);
    return search;
}

void edit_letter(cairn_map *map, picture *drawn, cairn_node node, char letter)
{
    const cairn_edit edit = cairn_terrain(node % drawn->width, node / drawn->width, letter);
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    drawn->letters[node] = letter;
}

void edit_any(cairn_map *map, picture *drawn, dice *luck)
{
    const cairn_node node = dice_below(luck, picture_size(drawn));
    edit_letter(map, drawn, node, dice_below(luck, 2) ? '.' : '@');
}

static bool applied(cairn_status status)
{
    return status == CAIRN_OK || status == CAIRN_MORE || status == CAIRN_E_LIMIT;
}

cairn_status step_now(cairn_table *table, const cairn_map *map, cairn_budget budget)
{
    cairn_status status = cairn_refresh_step(table, map, CAIRN_CELLS(0));
    return applied(status) ? cairn_refresh_step(table, map, budget) : status;
}

cairn_status world_step_now(cairn_world *world, cairn_budget budget)
{
    cairn_status status = cairn_world_refresh_step(world, CAIRN_CELLS(0));
    return applied(status) ? cairn_world_refresh_step(world, budget) : status;
}

uint64_t *oracle_row(const picture *drawn, const cairn_table *table, uint32_t row)
{
    const cairn_node *landmarks;
    size_t count = cairn_table_landmarks(table, row, &landmarks);
    return oracle_costs(drawn, steps_of(cairn_table_metric(table)), landmarks, count);
}

char *scratch_file(const char *name)
{
    const char *base = getenv("TMPDIR");
    char *path = malloc(4096);
    assert_non_null(path);
    snprintf(path, 2048, "%s/cairn-test.XXXXXX", base && *base ? base : "/tmp");
    assert_non_null(mkdtemp(path));
    strcat(path, "/");
    strcat(path, name);
    return path;
}

void scratch_remove(char *path)
{
    unlink(path);
    *strrchr(path, '/') = '\0';
    /* Fails, and the test with it, when anything else was left behind. */
    assert_int_equal(rmdir(path), 0);
    free(path);
}

held_file read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    held_file read = {0};
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    read.size = (size_t)ftell(file);
    rewind(file);
    read.data = malloc(read.size + 1);
    assert_non_null(read.data);
    assert_int_equal(fread(read.data, 1, read.size, file), read.size);
    fclose(file);
    return read;
}

void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void write_text(const char *path, const char *text)
{
    write_file(path, text, strlen(text));
}

const char *real_data(void)
{
    static char folder[4096];
    const char *chosen = getenv("CAIRN_TEST_DATA");
    if (chosen)
        snprintf(folder, sizeof folder, "%s", chosen);
    else
        snprintf(folder, sizeof folder, "%s/../shared/data", CAIRN_TEST_SOURCE_DIR);

    struct stat status;
    return stat(folder, &status) == 0 && S_ISDIR(status.st_mode) ? folder : NULL;
}
