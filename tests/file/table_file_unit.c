/* Files of maps and tables: what goes in comes out, in whole and in part, also within a limit of
 * memory, from streams, as an outline, and verified while it is loaded. */
#include "file/saved_file.h"

static void a_file_gives_back_map_and_table(void **state)
{
    (void)state;
    for (int codec = CAIRN_CODEC_BEST; codec <= CAIRN_CODEC_SEEDS; codec++) {
        saved file = save_halls(20, (cairn_codec)codec);
        cairn_map *map;
        cairn_table *table;
        cairn_error error;
        assert_int_equal(cairn_load_bytes(file.bytes, file.size, NULL, &map, &table, &error),
                         CAIRN_OK);
        assert_true(cairn_map_hash(map) == cairn_map_hash(file.map));
        for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
            assert_int_equal(cairn_map_letter(map, node), cairn_map_letter(file.map, node));
        assert_first_rows(table, file.table, map, 20);
        assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
        cairn_table_free(table);
        cairn_map_free(map);
        saved_free(&file);
    }
}

static void either_output_may_be_left_out(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    cairn_map *map;
    cairn_table *table;
    assert_int_equal(cairn_load_bytes(file.bytes, file.size, NULL, &map, NULL, NULL), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(file.bytes, file.size, NULL, NULL, &table, NULL), CAIRN_OK);
    assert_first_rows(table, file.table, map, 3);
    cairn_table_free(table);
    cairn_map_free(map);
    saved_free(&file);
}

/* The bytes of the rows behind the wanted ones are gone: nothing may ask for them. */
static void a_prefix_of_the_rows_needs_only_its_own_bytes(void **state)
{
    (void)state;
    saved file = save_halls(8, CAIRN_CODEC_RAW);
    size_t row_bytes = cairn_map_open_count(file.map) * (cairn_table_entry_bits(file.table) / 8u);
    cairn_load_options options = {.size = sizeof options};
    char *path = scratch_file("prefix.cairn");

    for (uint32_t rows = 1; rows < 8; rows++) {
        size_t enough = file.size - CN_SECTION_HEAD_SIZE - (8 - rows) * row_bytes;
        cairn_table *table;
        options.row_count = rows;
        assert_int_equal(cairn_load_bytes(file.bytes, file.size, &options, NULL, &table, NULL),
                         CAIRN_OK);
        assert_first_rows(table, file.table, file.map, rows);
        cairn_table_free(table);

        write_file(path, file.bytes, enough);
        assert_int_equal(cairn_load(path, &options, NULL, &table, NULL), CAIRN_OK);
        assert_first_rows(table, file.table, file.map, rows);
        cairn_table_free(table);
        assert_int_equal(cairn_load(path, NULL, NULL, &table, NULL), CAIRN_E_FORMAT);
        assert_null(table);
    }
    scratch_remove(path);
    saved_free(&file);
}

static void fewer_rows_may_be_written(void **state)
{
    (void)state;
    saved file = save_halls(6, CAIRN_CODEC_BEST);
    cairn_save_options options = {.size = sizeof options, .row_count = 2};
    uint8_t *bytes;
    size_t size;
    cairn_table *table;

    assert_int_equal(cairn_save_bytes(file.map, file.table, &options, &bytes, &size), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(bytes, size, NULL, NULL, &table, NULL), CAIRN_OK);
    assert_first_rows(table, file.table, file.map, 2);
    cairn_table_free(table);
    cairn_bytes_free(file.map, bytes);
    options.row_count = 7;
    assert_int_equal(cairn_save_bytes(file.map, file.table, &options, &bytes, &size),
                     CAIRN_E_ARGUMENT);
    assert_null(bytes);
    saved_free(&file);
}

static void the_bytes_are_the_same_at_any_thread_count(void **state)
{
    (void)state;
    saved file = save_halls(12, CAIRN_CODEC_BEST);
    for (uint32_t threads = 1; threads <= 8; threads++) {
        cairn_save_options options = {.size = sizeof options, .thread_count = threads};
        uint8_t *bytes;
        size_t size;
        assert_int_equal(cairn_save_bytes(file.map, file.table, &options, &bytes, &size), CAIRN_OK);
        assert_int_equal(size, file.size);
        assert_memory_equal(bytes, file.bytes, size);
        cairn_bytes_free(file.map, bytes);
    }
    saved_free(&file);
}

static void an_entry_that_is_not_the_true_cost_survives_the_file(void **state)
{
    (void)state;
    saved file = save_halls(2, CAIRN_CODEC_BEST);
    cairn_node landmark = 0;
    const cairn_node *landmarks;
    cairn_table_landmarks(file.table, 1, &landmarks);
    landmark = landmarks[0];

    for (cairn_node node = 0; node < cairn_map_node_count(file.map); node++) {
        if (!cairn_map_is_open(file.map, node))
            continue;
        cairn_cost cost = cairn_table_cost(file.table, 1, node);
        uint8_t *bytes;
        size_t size;
        cairn_map *map;
        cairn_table *table;
        cairn_fault fault;
        if (cost == CAIRN_UNREACHABLE)
            continue;
        assert_int_equal(cairn_table_set_cost(file.table, 1, node, cost + 1), CAIRN_OK);
        assert_int_equal(cairn_save_bytes(file.map, file.table, NULL, &bytes, &size), CAIRN_OK);
        assert_int_equal(cairn_load_bytes(bytes, size, NULL, &map, &table, NULL), CAIRN_OK);
        assert_int_equal(cairn_table_cost(table, 1, node), cost + 1);
        assert_int_equal(cairn_table_verify(table, map, 1, &fault), CAIRN_E_INEXACT);
        assert_int_equal(fault.row, 1);
        cairn_map_free(map);
        cairn_table_free(table);
        cairn_bytes_free(file.map, bytes);
        cairn_table_set_cost(file.table, 1, node, cost);
    }
    assert_int_equal(cairn_table_cost(file.table, 1, landmark), 0);
    saved_free(&file);
}

static void a_file_without_its_map_needs_that_map(void **state)
{
    (void)state;
    saved file = save_halls(5, CAIRN_CODEC_BEST);
    cairn_save_options save = {.size = sizeof save, .map_part = CAIRN_MAP_LEFT_OUT};
    cairn_load_options load = {.size = sizeof load};
    picture other_drawn = picture_filled(10, 6, '.');
    cairn_map *map, *other = map_of(&other_drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table;
    cairn_error error;
    uint8_t *bytes;
    size_t size;

    assert_int_equal(cairn_save_bytes(file.map, file.table, &save, &bytes, &size), CAIRN_OK);
    assert_true(size < file.size);
    assert_int_equal(cairn_load_bytes(bytes, size, &load, NULL, &table, &error), CAIRN_E_MISMATCH);
    assert_int_equal(error.status, CAIRN_E_MISMATCH);
    load.map = other;
    assert_int_equal(cairn_load_bytes(bytes, size, &load, NULL, &table, NULL), CAIRN_E_MISMATCH);
    load.map = file.map;
    assert_int_equal(cairn_load_bytes(bytes, size, &load, NULL, &table, NULL), CAIRN_OK);
    assert_first_rows(table, file.table, file.map, 5);
    cairn_table_free(table);
    assert_int_equal(cairn_load_bytes(bytes, size, &load, &map, &table, NULL), CAIRN_E_FORMAT);
    assert_null(map);
    assert_null(table);
    cairn_bytes_free(file.map, bytes);
    cairn_map_free(other);
    picture_free(&other_drawn);
    saved_free(&file);
}

/* The table alone would be one of a map that nobody has. */
static void a_file_with_its_map_is_not_taken_for_one_of_another(void **state)
{
    (void)state;
    saved file = save_halls(5, CAIRN_CODEC_BEST);
    picture other_drawn = picture_filled(10, 6, '.');
    cairn_map *map, *other = map_of(&other_drawn, CAIRN_METRIC_OCTILE);
    cairn_fault fault;
    cairn_load_options load = {.size = sizeof load, .map = other};
    cairn_table *table;
    cairn_error error;

    assert_int_equal(cairn_load_bytes(file.bytes, file.size, &load, NULL, &table, &error),
                     CAIRN_E_MISMATCH);
    assert_null(table);
    assert_non_null(strstr(error.expected, "the map that was given"));
    assert_int_equal(cairn_load_bytes(file.bytes, file.size, &load, NULL, NULL, NULL),
                     CAIRN_E_MISMATCH);
    assert_int_equal(cairn_load_bytes(file.bytes, file.size, &load, &map, &table, NULL), CAIRN_OK);
    assert_first_rows(table, file.table, map, 5);
    cairn_table_free(table);
    cairn_map_free(map);

    load.map = file.map;
    load.fault = &fault;
    assert_int_equal(cairn_load_bytes(file.bytes, file.size, &load, NULL, NULL, NULL), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(file.bytes, file.size, &load, NULL, &table, NULL), CAIRN_OK);
    assert_first_rows(table, file.table, file.map, 5);
    cairn_table_free(table);
    cairn_map_free(other);
    picture_free(&other_drawn);
    saved_free(&file);
}

static void a_limit_of_memory_loads_the_rows_that_fit(void **state)
{
    (void)state;
    saved file = save_halls(24, CAIRN_CODEC_BEST);
    cairn_load_options options = {.size = sizeof options};
    uint32_t before = 0;
    bool refused = false;
    for (options.memory_limit = 1; before < 24; options.memory_limit += 16) {
        cairn_map *map;
        cairn_table *table;
        cairn_error error;
        cairn_status status = cairn_load_bytes(file.bytes, file.size, &options, &map, &table,
                                               &error);
        if (before == 0 && status == CAIRN_E_LIMIT) {
            refused = true;
            assert_null(table);
            continue;
        }
        assert_int_equal(status, CAIRN_OK);
        uint32_t rows = cairn_table_row_count(table);
        assert_true(rows >= before);
        assert_in_range(cairn_map_memory(map) + cairn_table_memory(table), 1, options.memory_limit);
        assert_first_rows(table, file.table, file.map, rows);
        before = rows;
        cairn_table_free(table);
        cairn_map_free(map);
    }
    assert_true(refused);
    saved_free(&file);
}

static void a_limit_of_memory_holds_for_a_map_without_its_table(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    const size_t least = cairn_map_memory(file.map);
    cairn_load_options options = {.size = sizeof options};
    cairn_status status = CAIRN_E_LIMIT;
    cairn_map *map;
    for (options.memory_limit = 1; status == CAIRN_E_LIMIT; options.memory_limit += 16) {
        assert_true(options.memory_limit < 2 * least);
        status = cairn_load_bytes(file.bytes, file.size, &options, &map, NULL, NULL);
        if (status == CAIRN_OK)
            assert_in_range(cairn_map_memory(map), 1, options.memory_limit);
        else
            assert_null(map);
    }
    assert_int_equal(status, CAIRN_OK);
    cairn_map_free(map);
    saved_free(&file);
}

static void a_file_comes_from_a_stream_as_from_memory(void **state)
{
    (void)state;
    saved file = save_halls(5, CAIRN_CODEC_BEST);
    for (unsigned known = 0; known < 2; known++) {
        drip from = {file.bytes, file.size, SIZE_MAX};
        cairn_stream stream = {drip_read, &from, known ? file.size : 0};
        cairn_map *map;
        cairn_table *table;
        assert_int_equal(cairn_load_from(&stream, NULL, &map, &table, NULL), CAIRN_OK);
        assert_first_rows(table, file.table, map, 5);
        cairn_map_free(map);
        cairn_table_free(table);
        for (size_t size = 0; size < file.size; size += 3) {
            from = (drip){file.bytes, size, SIZE_MAX};
            assert_int_equal(cairn_load_from(&stream, NULL, &map, &table, NULL), CAIRN_E_FORMAT);
            if (size + CN_SECTION_HEAD_SIZE > file.size)
                break;
            from = (drip){file.bytes, file.size, file.size - size};
            assert_int_equal(cairn_load_from(&stream, NULL, &map, &table, NULL), CAIRN_E_IO);
            assert_null(map);
            assert_null(table);
        }
    }
    saved_free(&file);
}

/* Kinds of maps that differ in all that an outline tells of costs. */
static cairn_map *terrain_of_kind(unsigned kind, cairn_alphabet *alphabet)
{
    static const char letters[] = ".S^.@.";
    static const uint16_t cells[] = {1, 2, 3, 4, 5, 9};
    static const cairn_arc arcs[] = {{0, 1, 5}, {1, 0, 7}};
    const cairn_heights heights = {3, 2, cells, 500, kind == 3 ? 500 : 50};
    cairn_map_options options = {.size = sizeof options, .alphabet = alphabet};
    cairn_map *map = NULL;

    cairn_alphabet_init(alphabet);
    if (kind == 0) {
        assert_int_equal(cairn_map_from_arcs(2, arcs, 2, NULL, NULL, NULL, &map, NULL), CAIRN_OK);
        return map;
    }
    alphabet->cost['S'] = kind < 3 ? 7 : 1;
    alphabet->cost['^'] = kind == 4 ? 1 : CAIRN_TERRAIN_BLOCKED;
    options.charge = kind == 1 ? CAIRN_CHARGE_AVERAGE : CAIRN_CHARGE_ENTERED;
    options.rule = kind == 2 ? CAIRN_RULE_HEX : CAIRN_RULE_4;
    options.heights = kind == 3 || kind == 5 ? &heights : NULL;
    assert_int_equal(cairn_map_from_letters(3, 2, letters, &options, &map, NULL), CAIRN_OK);
    return map;
}

static void check_terrain(const cairn_map_outline *ground, const cairn_map *map,
                          const cairn_alphabet *alphabet, bool averages)
{
    cairn_metric metric = cairn_map_metric(map);
    cairn_heights heights;

    cairn_map_heights(map, &heights);
    assert_int_equal(ground->kind, cairn_map_kind_of(map));
    assert_int_equal(ground->width, cairn_map_width(map));
    assert_int_equal(ground->height, cairn_map_height(map));
    assert_memory_equal(&ground->metric, &metric, sizeof metric);
    assert_int_equal(ground->is_directed, cairn_map_is_directed(map));
    if (ground->kind == CAIRN_MAP_GRAPH)
        return;
    assert_int_equal(ground->rule, cairn_map_rule(map));
    assert_int_equal(ground->charge, averages ? CAIRN_CHARGE_AVERAGE : CAIRN_CHARGE_ENTERED);
    assert_memory_equal(ground->alphabet.cost, alphabet->cost, sizeof alphabet->cost);
    assert_int_equal(ground->climb, heights.climb);
    assert_int_equal(ground->descend, heights.descend);
}

static void an_outline_tells_what_decides_costs_and_what_the_table_takes(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 6; kind++) {
        cairn_alphabet alphabet;
        cairn_map *map = terrain_of_kind(kind, &alphabet);
        cairn_table *table = table_of(map, 2);
        const cairn_node *nodes;
        cairn_outline outline;
        uint8_t *bytes;
        size_t size, landmarks = 0;

        assert_int_equal(cairn_save_bytes(map, table, NULL, &bytes, &size), CAIRN_OK);
        assert_int_equal(cairn_outline_load_bytes(bytes, size, &outline, NULL), CAIRN_OK);
        check_terrain(&outline.map, map, &alphabet, kind == 1);
        for (uint32_t row = 0; row < cairn_table_row_count(table); row++)
            landmarks += cairn_table_landmarks(table, row, &nodes);
        assert_true(outline.landmark_count == landmarks);
        assert_true(outline.table_memory == cairn_table_memory(table));
        cairn_bytes_free(map, bytes);
        cairn_table_free(table);
        cairn_map_free(map);
    }
}

/* The outline is that of the map with its terrain, the metric that of the rows. */
static void an_outline_of_rows_that_count_steps_says_so(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 6; kind++) {
        cairn_alphabet alphabet;
        cairn_map *map = terrain_of_kind(kind, &alphabet);
        cairn_build_options build = {
            .size = sizeof build, .landmark_count = 2, .step_metric = {1, 1}};
        cairn_outline outline;
        cairn_table *table;
        uint8_t *bytes;
        size_t size;

        assert_int_equal(cairn_table_build(map, &build, &table), CAIRN_OK);
        assert_int_equal(cairn_save_bytes(map, table, NULL, &bytes, &size), CAIRN_OK);
        assert_int_equal(cairn_outline_load_bytes(bytes, size, &outline, NULL), CAIRN_OK);
        assert_true(outline.counts_steps);
        assert_int_equal(outline.metric.straight, 1);
        assert_int_equal(outline.metric.diagonal, 1);
        assert_int_equal(outline.row_count, cairn_table_row_count(table));
        assert_int_equal(outline.entry_bits, cairn_table_entry_bits(table));
        assert_int_equal(outline.is_directed,
                         cairn_table_direction(table, 0) != CAIRN_DIRECTION_BOTH);
        assert_true(outline.table_memory == cairn_table_memory(table));
        /* Only its arcs would tell whether costs of a graph are directed. */
        if (kind == 0)
            assert_false(outline.map.is_directed);
        else
            check_terrain(&outline.map, map, &alphabet, kind == 1);
        cairn_bytes_free(map, bytes);
        cairn_table_free(table);
        cairn_map_free(map);
    }
}

/* A file without a map is verified on the caller's, of which that leaves nothing behind. */
static void assert_loads_verified(const cairn_map *map, const cairn_table *table)
{
    const cairn_save_options saving = {.size = sizeof saving, .map_part = CAIRN_MAP_LEFT_OUT};
    cairn_fault fault;
    const cairn_load_options loading = {.size = sizeof loading, .map = map, .fault = &fault};
    const size_t before = cairn_map_memory(map);
    cairn_table *loaded;
    uint8_t *bytes;
    size_t size;

    assert_int_equal(cairn_save_bytes(map, table, &saving, &bytes, &size), CAIRN_OK);
    assert_int_equal(cairn_load_bytes(bytes, size, &loading, NULL, &loaded, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_memory(map), before);
    cairn_table_free(loaded);
    cairn_bytes_free(map, bytes);
}

static void verify_before_and_after_an_edit(cairn_map *edited, cairn_map *map)
{
    const cairn_build_options build = {
        .size = sizeof build, .landmark_count = 2, .step_metric = {1, 1}};
    const cairn_edit block = cairn_block(0, 0);
    cairn_table *table;

    assert_int_equal(cairn_table_build(map, &build, &table), CAIRN_OK);
    assert_loads_verified(map, table);
    if (cairn_map_kind_of(map) != CAIRN_MAP_GRAPH)
        assert_int_equal(cairn_map_edit(edited, &block, 1), CAIRN_OK);
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_loads_verified(map, table);
    cairn_table_free(table);
}

static void rows_that_count_steps_are_verified_while_they_are_loaded(void **state)
{
    static const char letters[] = "..>....<.@......";
    cairn_alphabet alphabet;
    cairn_map *map, *units;

    (void)state;
    for (unsigned kind = 0; kind < 6; kind++) {
        map = terrain_of_kind(kind, &alphabet);
        verify_before_and_after_an_edit(map, map);
        cairn_map_free(map);
    }
    const cairn_map_options options = {.size = sizeof options, .alphabet = &alphabet};
    cairn_alphabet_init(&alphabet);
    assert_int_equal(cairn_alphabet_parse("one-way", 7, &alphabet, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_from_letters(4, 4, letters, &options, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_for_units(map, 2, CAIRN_ANCHOR_TOP_LEFT, &units), CAIRN_OK);
    verify_before_and_after_an_edit(map, units);
    verify_before_and_after_an_edit(map, map);
    cairn_map_free(units);
    cairn_map_free(map);
}

static void an_outline_tells_codecs_and_sizes(void **state)
{
    (void)state;
    saved file = save_halls(4, CAIRN_CODEC_RAW);
    char *path = scratch_file("outline.cairn");
    cairn_outline outline;

    assert_int_equal(cairn_save(file.map, file.table, path,
                                &(cairn_save_options){.size = sizeof(cairn_save_options),
                                                      .codec = CAIRN_CODEC_RAW}),
                     CAIRN_OK);
    assert_int_equal(cairn_outline_load(path, &outline, NULL), CAIRN_OK);
    assert_int_equal(outline.row_count, 4);
    assert_int_equal(outline.node_count, cairn_map_node_count(file.map));
    assert_int_equal(outline.entry_bits, cairn_table_entry_bits(file.table));
    assert_true(outline.map_hash == cairn_map_hash(file.map));
    assert_true(outline.map_size > 0);
    for (uint32_t row = 0; row < 4; row++) {
        assert_int_equal(outline.rows[row].codec, CAIRN_CODEC_RAW);
        assert_int_equal(outline.rows[row].size,
                         cairn_map_open_count(file.map) * (outline.entry_bits / 8));
    }
    cairn_save_options save = {.size = sizeof save, .map_part = CAIRN_MAP_LEFT_OUT};
    assert_int_equal(cairn_save(file.map, file.table, path, &save), CAIRN_OK);
    assert_int_equal(cairn_outline_load(path, &outline, NULL), CAIRN_OK);
    assert_true(outline.map_size == 0);
    assert_int_equal(outline.rows[3].codec, CAIRN_CODEC_SEEDS);
    assert_int_equal(cairn_outline_load_bytes(file.bytes, file.size, &outline, NULL), CAIRN_OK);
    assert_int_equal(outline.row_count, 4);
    assert_true(outline.map_size > 0 && !outline.is_directed);
    assert_int_equal(cairn_outline_load_bytes(file.bytes, 20, &outline, NULL), CAIRN_E_FORMAT);
    assert_int_equal(outline.row_count, 0);
    scratch_remove(path);
    saved_free(&file);
}

static void a_table_behind_its_map_is_stale_and_no_table_of_another(void **state)
{
    (void)state;
    saved file = save_halls(2, CAIRN_CODEC_BEST);
    picture other = picture_filled(10, 6, '.');
    cairn_map *stranger = map_of(&other, CAIRN_METRIC_OCTILE);
    const cairn_edit edit = cairn_block(0, 0);
    uint8_t *bytes = NULL;
    size_t size;

    assert_int_equal(cairn_map_edit(file.map, &edit, 1), CAIRN_OK);
    assert_int_equal(cairn_save_bytes(file.map, file.table, NULL, &bytes, &size), CAIRN_E_STALE);
    assert_null(bytes);
    assert_int_equal(cairn_save_bytes(stranger, file.table, NULL, &bytes, &size), CAIRN_E_MISMATCH);
    assert_int_equal(cairn_refresh_step(file.table, file.map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(cairn_save_bytes(file.map, file.table, NULL, &bytes, &size), CAIRN_OK);
    cairn_bytes_free(file.map, bytes);
    cairn_map_free(stranger);
    picture_free(&other);
    saved_free(&file);
}

static void a_table_of_another_map_is_not_saved(void **state)
{
    (void)state;
    saved file = save_halls(2, CAIRN_CODEC_BEST);
    picture other = picture_filled(10, 6, '.');
    cairn_map *map = map_of(&other, CAIRN_METRIC_OCTILE);
    uint8_t *bytes;
    size_t size;
    assert_int_equal(cairn_save_bytes(map, file.table, NULL, &bytes, &size), CAIRN_E_MISMATCH);
    assert_int_equal(cairn_save_bytes(NULL, file.table, NULL, &bytes, &size), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_save_bytes(map, NULL, NULL, &bytes, &size), CAIRN_E_ARGUMENT);
    assert_int_equal(cairn_save(map, file.table, NULL, NULL), CAIRN_E_ARGUMENT);
    cairn_map_free(map);
    picture_free(&other);
    saved_free(&file);
}

static void every_allocation_of_a_load_may_fail(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_load_options options = {
        .size = sizeof options, .thread_count = 1, .allocator = &failing.allocator};

    for (size_t n = 1;; n++) {
        cairn_map *map;
        cairn_table *table;
        cairn_error error;
        failing_allocator_arm(&failing, n);
        cairn_status status = cairn_load_bytes(file.bytes, file.size, &options, &map, &table,
                                               &error);
        bool struck = failing_allocator_struck(&failing);
        assert_int_equal(status, struck ? CAIRN_E_MEMORY : CAIRN_OK);
        cairn_map_free(map);
        cairn_table_free(table);
        assert_int_equal(failing.outstanding, 0);
        if (!struck)
            break;
    }
    saved_free(&file);
}

static void every_allocation_of_a_save_may_fail(void **state)
{
    (void)state;
    picture drawn = two_halls();
    failing_allocator failing;
    failing_allocator_init(&failing);
    cairn_map *map = map_with(&drawn, CAIRN_METRIC_OCTILE, &failing.allocator);
    cairn_table *table = table_of(map, 3);
    size_t before = failing.outstanding;
    cairn_save_options options = {.size = sizeof options, .thread_count = 1};

    for (size_t n = 1;; n++) {
        uint8_t *bytes;
        size_t size;
        failing_allocator_arm(&failing, n);
        cairn_status status = cairn_save_bytes(map, table, &options, &bytes, &size);
        bool struck = failing_allocator_struck(&failing);
        assert_int_equal(status, struck ? CAIRN_E_MEMORY : CAIRN_OK);
        cairn_bytes_free(map, bytes);
        assert_int_equal(failing.outstanding, before);
        if (!struck)
            break;
    }
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_gives_back_map_and_table),
        cmocka_unit_test(either_output_may_be_left_out),
        cmocka_unit_test(a_prefix_of_the_rows_needs_only_its_own_bytes),
        cmocka_unit_test(fewer_rows_may_be_written),
        cmocka_unit_test(the_bytes_are_the_same_at_any_thread_count),
        cmocka_unit_test(an_entry_that_is_not_the_true_cost_survives_the_file),
        cmocka_unit_test(a_file_without_its_map_needs_that_map),
        cmocka_unit_test(a_file_with_its_map_is_not_taken_for_one_of_another),
        cmocka_unit_test(a_limit_of_memory_loads_the_rows_that_fit),
        cmocka_unit_test(a_limit_of_memory_holds_for_a_map_without_its_table),
        cmocka_unit_test(a_file_comes_from_a_stream_as_from_memory),
        cmocka_unit_test(an_outline_tells_what_decides_costs_and_what_the_table_takes),
        cmocka_unit_test(an_outline_tells_codecs_and_sizes),
        cmocka_unit_test(an_outline_of_rows_that_count_steps_says_so),
        cmocka_unit_test(rows_that_count_steps_are_verified_while_they_are_loaded),
        cmocka_unit_test(a_table_behind_its_map_is_stale_and_no_table_of_another),
        cmocka_unit_test(a_table_of_another_map_is_not_saved),
        cmocka_unit_test(every_allocation_of_a_load_may_fail),
        cmocka_unit_test(every_allocation_of_a_save_may_fail),
    };
    return cmocka_run_group_tests_name("table_file_unit", tests, NULL, NULL);
}
