#include "build/build_rows.h"

#include "place/place.h"
#include "support/check.h"
#include "support/fixtures.h"

static cn_team alone;

static cairn_status try_build(const picture *drawn, cairn_build_options options,
                              cairn_table **table)
{
    cairn_map *map = map_of(drawn, CAIRN_METRIC_OCTILE);
    cairn_status status = cairn_table_build(map, &options, table);
    cairn_map_free(map);
    return status;
}

static void without_options_there_are_sixteen_rows(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CAVE, 30, 20, 2);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table;
    assert_int_equal(cairn_table_build(map, NULL, &table), CAIRN_OK);
    assert_int_equal(cairn_table_row_count(table), 16);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void misuse_is_answered_with_a_status(void **state)
{
    (void)state;
    picture drawn = PICTURE("..");
    cairn_table *table = (cairn_table *)"";
    cairn_build_options options = {.size = sizeof options};

    options.landmark_count = CAIRN_ROWS_MAX + 1;
    assert_int_equal(try_build(&drawn, options, &table), CAIRN_E_LIMIT);
    assert_null(table);
    options.landmark_count = 1;
    options.candidate_count = CAIRN_CANDIDATES_MAX + 1;
    for (unsigned placement = CAIRN_PLACE_AUTO; placement <= CAIRN_PLACE_REFINED; placement++) {
        options.placement = (cairn_placement)placement;
        assert_int_equal(try_build(&drawn, options, &table), CAIRN_E_LIMIT);
        assert_null(table);
    }
    options.candidate_count = CAIRN_CANDIDATES_MAX;
    assert_int_equal(try_build(&drawn, options, &table), CAIRN_OK);
    cairn_table_free(table);
    options.candidate_count = 0;
    options.placement = (cairn_placement)99;
    assert_int_equal(try_build(&drawn, options, &table), CAIRN_E_ARGUMENT);
    options.placement = CAIRN_PLACE_FARTHEST;
    options.metric = (cairn_metric_choice)99;
    assert_int_equal(try_build(&drawn, options, &table), CAIRN_E_ARGUMENT);
    options.metric = CAIRN_METRIC_OF_MAP;
    options.size = 1;
    assert_int_equal(try_build(&drawn, options, &table), CAIRN_E_ARGUMENT);
    assert_null(table);
    assert_int_equal(cairn_table_build(NULL, NULL, &table), CAIRN_E_ARGUMENT);
    picture_free(&drawn);
}

static void the_most_rows_can_be_built_where_there_are_fewer_cells(void **state)
{
    (void)state;
    picture drawn = PICTURE(".@.", "...", "@@@", "..@");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(map, CAIRN_ROWS_MAX);
    const cairn_node *landmarks;

    assert_int_equal(cairn_table_landmarks(table, 0, &landmarks), 2);
    assert_int_equal(cairn_table_landmarks(table, 1, &landmarks), 2);
    assert_int_equal(cairn_table_landmarks(table, 2, &landmarks), 1);
    assert_int_equal(cairn_table_landmarks(table, 4, &landmarks), 1);
    assert_int_equal(cairn_table_landmarks(table, 5, &landmarks), 0);
    assert_int_equal(cairn_table_landmarks(table, CAIRN_ROWS_MAX - 1, &landmarks), 0);
    assert_int_equal(cairn_table_verify(table, map, 0, NULL), CAIRN_OK);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void a_map_without_an_open_cell_has_an_empty_table(void **state)
{
    (void)state;
    picture drawn = PICTURE("@@", "TO");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(map, 3);
    const cairn_node *landmarks;
    assert_int_equal(cairn_table_landmarks(table, 0, &landmarks), 0);
    assert_int_equal(cairn_table_verify(table, map, 0, NULL), CAIRN_OK);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void the_ends_of_a_corridor_are_its_first_landmarks(void **state)
{
    (void)state;
    picture drawn = PICTURE(".........");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    for (uint64_t seed = 0; seed < 10; seed++) {
        cairn_table *table = table_with(map, 3, 1, seed);
        const cairn_node *first, *second, *third;
        cairn_table_landmarks(table, 0, &first);
        cairn_table_landmarks(table, 1, &second);
        cairn_table_landmarks(table, 2, &third);
        assert_int_equal(*first + *second, 8);
        assert_true(*first == 0 || *first == 8);
        assert_int_equal(*third, 4);
        cairn_table_free(table);
    }
    cairn_map_free(map);
    picture_free(&drawn);
}

/* A snake: about half of all its cells is the longest way. */
static picture snake(uint32_t width, uint32_t height)
{
    picture drawn = picture_filled(width, height, '.');
    for (uint32_t y = 1; y < height; y += 2)
        for (uint32_t x = 0; x < width; x++)
            if (x != (y % 4 == 1 ? width - 1 : 0))
                drawn.letters[y * width + x] = '@';
    return drawn;
}

static void compact_takes_the_finest_metric_that_fits(void **state)
{
    (void)state;
    static const struct {
        uint32_t side;
        uint32_t straight;
    } examples[] = {{3, 2378}, {5, 2378}, {15, 408}, {25, 70}, {65, 29},
                    {75, 17},  {81, 17},  {99, 12},  {151, 5}};
    for (size_t i = 0; i < COUNT_OF(examples); i++) {
        picture drawn = snake(examples[i].side, examples[i].side);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_table *table = table_built(
            map, (cairn_build_options){.landmark_count = 2, .metric = CAIRN_METRIC_COMPACT});
        uint64_t longest = 0;
        uint64_t *costs = oracle_row(&drawn, table, 0);
        for (uint32_t node = 0; node < picture_size(&drawn); node++)
            if (costs[node] != ORACLE_NEVER && costs[node] > longest)
                longest = costs[node];
        free(costs);
        if (cairn_map_metric(map).straight != examples[i].straight)
            print_error("side %u: straight %u, longest %llu\n", examples[i].side,
                        cairn_map_metric(map).straight, (unsigned long long)longest);
        assert_true(longest < UINT16_MAX);
        assert_int_equal(cairn_table_entry_bits(table), 16);
        assert_int_equal(cairn_map_metric(map).straight, examples[i].straight);
        assert_int_equal(cairn_table_metric(table).straight, examples[i].straight);
        assert_int_equal(cairn_table_verify(table, map, 0, NULL), CAIRN_OK);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* Two cells in the default metric already cost more than any path may. */
static void compact_plans_in_a_metric_that_can_hold_the_costs(void **state)
{
    static const cairn_placement placements[] = {
        CAIRN_PLACE_AUTO,  CAIRN_PLACE_FARTHEST, CAIRN_PLACE_RANDOM,  CAIRN_PLACE_BORDER,
        CAIRN_PLACE_AVOID, CAIRN_PLACE_GREEDY,   CAIRN_PLACE_REFINED,
    };
    (void)state;
    for (unsigned i = 0; i < COUNT_OF(placements); i++) {
        cairn_alphabet alphabet;
        cairn_map_options dear = {.size = sizeof dear, .alphabet = &alphabet};
        cairn_build_options options = {.size = sizeof options,
                                       .landmark_count = 2,
                                       .candidate_count = 4,
                                       .placement = placements[i]};
        cairn_map *map;
        cairn_table *table;

        cairn_alphabet_init(&alphabet);
        alphabet.cost['.'] = 60000;
        assert_int_equal(
            cairn_map_from_letters(12, 2, "........................", &dear, &map, NULL), CAIRN_OK);
        assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_E_LIMIT);
        options.metric = CAIRN_METRIC_COMPACT;
        assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
        assert_int_equal(cairn_table_metric(table).straight, 5);
        assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
        cairn_table_free(table);
        cairn_map_free(map);
    }
}

static void where_no_compact_metric_fits_the_coarsest_gets_32_bits(void **state)
{
    (void)state;
    picture drawn = snake(201, 201);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_built(
        map, (cairn_build_options){.landmark_count = 1, .metric = CAIRN_METRIC_COMPACT});
    assert_int_equal(cairn_table_entry_bits(table), 32);
    assert_int_equal(cairn_map_metric(map).straight, 5);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void a_cost_above_the_limit_is_refused_and_the_map_kept(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_ALL_OPEN, 2100, 1, 0);
    cairn_map *map = map_of(&drawn, (cairn_metric){1 << 20, 1 << 20});
    cairn_table *table = (cairn_table *)"";
    assert_int_equal(cairn_table_build(map, NULL, &table), CAIRN_E_LIMIT);
    assert_null(table);
    assert_int_equal(cairn_map_metric(map).straight, 1 << 20);
    cairn_map_free(map);
    picture_free(&drawn);
}

typedef struct listener {
    uint64_t calls;
    uint64_t last_done;
    uint64_t total;
    uint64_t stop_at;
    bool fell;
    bool was_empty; /* a stage had no work */
} listener;

static bool listen(void *context, const char *stage, uint64_t done, uint64_t total)
{
    listener *heard = context;
    (void)stage;
    heard->calls++;
    heard->fell = heard->fell || done < heard->last_done;
    heard->was_empty = heard->was_empty || total == 0;
    heard->last_done = done;
    heard->total = total;
    return heard->calls != heard->stop_at;
}

static void progress_is_reported_to_its_end(void **state)
{
    (void)state;
    picture drawn = PICTURE("....", "....");
    listener heard = {0};
    cairn_progress progress = {listen, &heard};
    cairn_build_options options = {
        .size = sizeof options, .landmark_count = 5, .progress = &progress};
    cairn_table *table;
    assert_int_equal(try_build(&drawn, options, &table), CAIRN_OK);
    assert_true(heard.calls >= 1);
    assert_int_equal(heard.last_done, heard.total);
    assert_false(heard.fell);
    cairn_table_free(table);
    picture_free(&drawn);
}

static void a_build_can_be_cancelled_and_leaves_the_map_as_it_was(void **state)
{
    (void)state;
    picture drawn = PICTURE("....", "....");
    for (uint64_t call = 1; call <= 3; call++) {
        listener heard = {.stop_at = call};
        cairn_progress progress = {listen, &heard};
        cairn_map *map = map_of(&drawn, (cairn_metric){10, 14});
        cairn_build_options options = {.size = sizeof options,
                                       .landmark_count = 5,
                                       .metric = CAIRN_METRIC_COMPACT,
                                       .progress = &progress};
        cairn_table *table = (cairn_table *)"";
        assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_E_CANCELLED);
        assert_null(table);
        assert_int_equal(heard.calls, call);
        assert_int_equal(cairn_map_metric(map).straight, 10);
        cairn_map_free(map);
    }
    picture_free(&drawn);
}

/* However landmarks are chosen, a build reports often, from its beginning on, and stops where it is
 * told to. */
static void every_placement_reports_and_can_be_cancelled(void **state)
{
    enum { SIDE = 260, REPORTS_LEAST = 200 };
    (void)state;
    picture drawn = random_map(MAP_CAVE, SIDE, SIDE, 1);
    for (int placement = 0; placement < CAIRN_PLACE_LIST; placement++) {
        listener whole = {0};
        cairn_progress progress = {listen, &whole};
        cairn_build_options options = {.size = sizeof options,
                                       .landmark_count = 4,
                                       .thread_count = 1,
                                       .placement = (cairn_placement)placement,
                                       .candidate_count = 8,
                                       .progress = &progress};
        cairn_table *table;
        assert_int_equal(try_build(&drawn, options, &table), CAIRN_OK);
        cairn_table_free(table);
        assert_true(whole.calls >= (placement <= CAIRN_PLACE_FARTHEST ? 4 : REPORTS_LEAST));
        for (uint64_t of = 0; of < 5; of++) {
            listener heard = {.stop_at = 1 + (whole.calls - 1) * of / 4};
            progress.context = &heard;
            assert_int_equal(try_build(&drawn, options, &table), CAIRN_E_CANCELLED);
            assert_null(table);
            assert_int_equal(heard.calls, heard.stop_at);
        }
    }
    picture_free(&drawn);
}

/* Nor is there a stage without work. */
static void builds_of_blocked_maps_report_no_empty_stage(void **state)
{
    (void)state;
    picture drawn = PICTURE("@@@", "@@@");
    for (int placement = 0; placement < CAIRN_PLACE_LIST; placement++) {
        listener heard = {0};
        cairn_progress progress = {listen, &heard};
        cairn_build_options options = {.size = sizeof options,
                                       .landmark_count = 2,
                                       .placement = (cairn_placement)placement,
                                       .progress = &progress};
        cairn_table *table;
        assert_int_equal(try_build(&drawn, options, &table), CAIRN_OK);
        assert_false(heard.was_empty);
        cairn_table_free(table);
    }
    picture_free(&drawn);
}

static void assert_row(const cairn_map *map, const cairn_table *table, const cn_built_row *row)
{
    const cairn_node *landmarks;
    size_t count = cairn_table_landmarks(table, row->index, &landmarks);
    assert_int_equal(row->landmark_count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(row->landmarks[i], landmarks[i]);
    for (cairn_node node = 0; node < cn_map_node_count(map); node++) {
        uint32_t x, y;
        cn_grid_xy(&map->grid, node, &x, &y);
        if (cn_grid_is_open(&map->grid, node))
            assert_int_equal(cn_plane_at(&row->plane, x, y),
                             cairn_table_cost(table, row->index, node));
    }
}

static void rows_pulled_one_by_one_are_those_of_the_table(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3 * MAP_KINDS; seed++) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_build_options options = {.size = sizeof options, .landmark_count = 5, .seed = seed};
        cairn_table *table = table_with(map, 5, 1, seed);
        cn_rows *rows;
        cn_built_row row;
        assert_int_equal(cn_rows_open(map, &options, &alone, &rows), CAIRN_OK);
        while (cn_rows_are_left(rows)) {
            cairn_status status = cn_rows_next(rows, &row);
            if (cn_rows_restart(rows, &status))
                continue;
            assert_int_equal(status, CAIRN_OK);
            assert_row(map, table, &row);
        }
        assert_int_equal(cn_rows_shape(rows).entry_bits, cairn_table_entry_bits(table));
        cn_rows_close(rows, CAIRN_OK);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

static void assert_bits(cairn_map *map, cairn_build_options *options, uint32_t bits)
{
    for (options->seed = 0; options->seed < 12; options->seed++) {
        cairn_table *table;
        assert_int_equal(cairn_table_build(map, options, &table), CAIRN_OK);
        assert_int_equal(cairn_table_entry_bits(table), bits);
        assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
        cairn_table_free(table);
    }
}

static cairn_cost largest_entry(const cairn_table *table)
{
    cairn_cost largest = 0;
    for (uint32_t row = 0; row < cairn_table_row_count(table); row++) {
        for (cairn_node node = 0; node < table->node_count; node++) {
            const cairn_cost cost = cairn_table_cost(table, row, node);
            largest = cost != CAIRN_UNREACHABLE && cost > largest ? cost : largest;
        }
    }
    return largest;
}

/* From the middle no cell is as far as one end is from the other, where the seed may start. */
static void listed_landmarks_with_small_costs_get_16_bits_for_every_seed(void **state)
{
    static const cairn_node middle = 20, end = 0;
    (void)state;
    picture drawn = random_map(MAP_ALL_OPEN, 41, 1, 0);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_build_options options = {.size = sizeof options,
                                   .landmark_count = 1,
                                   .placement = CAIRN_PLACE_LIST,
                                   .listed = &middle,
                                   .listed_count = 1};
    assert_bits(map, &options, 16);
    options.listed = &end;
    assert_bits(map, &options, 32);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* The same line, and one whose costs fit in the coarsest metric alone. */
static void listed_landmarks_get_the_finest_metric_that_fits_for_every_seed(void **state)
{
    static const struct {
        uint32_t width;
        cairn_node middle;
        uint32_t straight;
    } lines[] = {{41, 20, 2378}, {20001, 10000, 5}};
    (void)state;
    for (unsigned i = 0; i < COUNT_OF(lines); i++) {
        picture drawn = random_map(MAP_ALL_OPEN, lines[i].width, 1, 0);
        cairn_build_options options = {.size = sizeof options,
                                       .landmark_count = 1,
                                       .metric = CAIRN_METRIC_COMPACT,
                                       .placement = CAIRN_PLACE_LIST,
                                       .listed = &lines[i].middle,
                                       .listed_count = 1};
        for (options.seed = 0; options.seed < 12; options.seed++) {
            cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
            cairn_table *table;
            assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
            assert_int_equal(cairn_table_entry_bits(table), 16);
            assert_int_equal(cairn_map_metric(map).straight, lines[i].straight);
            assert_int_equal(cairn_table_verify(table, map, 1, NULL), CAIRN_OK);
            cairn_table_free(table);
            cairn_map_free(map);
        }
        picture_free(&drawn);
    }
}

/* A road of nine nodes: costs from its middle are below CAIRN_COST_MAX, those from its ends not. */
static void listed_landmarks_are_taken_wherever_the_seed_starts(void **state)
{
    enum { NODES = 9, MIDDLE = 4, ARC = 200000000 };
    static const cairn_node middle = MIDDLE;
    (void)state;
    cairn_arc arcs[2 * (NODES - 1)];
    cairn_build_options options = {.size = sizeof options,
                                   .landmark_count = 1,
                                   .placement = CAIRN_PLACE_LIST,
                                   .listed = &middle,
                                   .listed_count = 1};
    cairn_map *map;
    for (cairn_node node = 0; node + 1 < NODES; node++) {
        arcs[2 * node] = (cairn_arc){node, node + 1, ARC};
        arcs[2 * node + 1] = (cairn_arc){node + 1, node, ARC};
    }
    assert_int_equal(cairn_map_from_arcs(NODES, arcs, COUNT_OF(arcs), NULL, NULL, NULL, &map, NULL),
                     CAIRN_OK);
    for (options.seed = 0; options.seed < 12; options.seed++) {
        cairn_node *placed;
        size_t count;
        assert_int_equal(cairn_landmarks_place(map, &options, &placed, &count), CAIRN_OK);
        assert_int_equal(count, 1);
        assert_int_equal(placed[0], MIDDLE);
        cairn_nodes_free(map, placed);
    }
    assert_bits(map, &options, 32);
    cairn_map_free(map);
}

/* One way leads from the first cells to the others, which have no landmarks and may be far from
 * where the seed starts. */
static void costs_beyond_a_one_way_street_do_not_coarsen_the_metric(void **state)
{
    (void)state;
    cairn_alphabet alphabet;
    cairn_map_options one_way = {.size = sizeof one_way, .alphabet = &alphabet};
    cairn_build_options options = {
        .size = sizeof options, .landmark_count = 1, .metric = CAIRN_METRIC_COMPACT};
    cairn_alphabet_init(&alphabet);
    alphabet.cost['>'] = 1;
    unsigned coarser = 0;
    for (options.seed = 0; options.seed < 24; options.seed++) {
        cairn_map *map;
        cairn_table *table;
        assert_int_equal(cairn_map_from_letters(35, 1, "....................>>>>>>>>>>>>>>>",
                                                &one_way, &map, NULL),
                         CAIRN_OK);
        assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
        const uint32_t straight = cairn_map_metric(map).straight;
        coarser += straight < 2378;
        assert_int_equal(cairn_table_entry_bits(table), 16);
        assert_true(straight == 2378 || largest_entry(table) / straight * 2378 >= UINT16_MAX);
        cairn_table_free(table);
        cairn_map_free(map);
    }
    assert_in_range(coarser, 1, 23);
}

/* Of three nodes two lead to the third, at a large cost and a small one. */
static void entries_are_wide_only_where_one_of_them_is_large(void **state)
{
    (void)state;
    const cairn_arc arcs[] = {{0, 2, 100000}, {1, 2, 1}};
    cairn_build_options options = {
        .size = sizeof options, .landmark_count = 1, .placement = CAIRN_PLACE_FARTHEST};
    unsigned narrow = 0;
    cairn_map *map;
    assert_int_equal(cairn_map_from_arcs(3, arcs, COUNT_OF(arcs), NULL, NULL, NULL, &map, NULL),
                     CAIRN_OK);
    for (options.seed = 0; options.seed < 24; options.seed++) {
        cairn_table *table;
        assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
        narrow += cairn_table_entry_bits(table) == 16;
        assert_int_equal(cairn_table_entry_bits(table),
                         largest_entry(table) < UINT16_MAX ? 16 : 32);
        cairn_table_free(table);
    }
    assert_in_range(narrow, 1, 23);
    cairn_map_free(map);
}

/* The last two cells are a component in which no cell reaches back to the other. */
static void cells_that_nothing_reaches_do_not_widen_entries(void **state)
{
    (void)state;
    cairn_alphabet alphabet;
    cairn_map_options one_way = {.size = sizeof one_way, .alphabet = &alphabet};
    cairn_build_options options = {.size = sizeof options, .landmark_count = 3};
    cairn_map *map;
    cairn_alphabet_init(&alphabet);
    alphabet.cost['>'] = 1;
    alphabet.cost['<'] = 1;
    assert_int_equal(cairn_map_from_letters(7, 1, "....@><", &one_way, &map, NULL), CAIRN_OK);
    assert_bits(map, &options, 16);
    cairn_map_free(map);
    assert_int_equal(cairn_map_from_letters(7, 1, "....@>@", &one_way, &map, NULL), CAIRN_OK);
    assert_bits(map, &options, 16);
    cairn_map_free(map);
    assert_int_equal(cairn_map_from_letters(8, 1, "....@>>>", &one_way, &map, NULL), CAIRN_OK);
    assert_bits(map, &options, 16);
    cairn_map_free(map);
}

/* The starting cells are nearer than 2^16 to everything, for some seeds the farthest cells are not:
 * the rows come again, from the first one on, in 32 bits. */
static void rows_that_do_not_fit_come_again_in_wider_entries(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_ALL_OPEN, 71, 1, 0);
    unsigned restarts = 0;
    for (uint64_t seed = 0; seed < 12; seed++) {
        cairn_map *map = map_of(&drawn, (cairn_metric){1300, 1900});
        cairn_build_options options = {.size = sizeof options, .landmark_count = 3, .seed = seed};
        cn_rows *rows;
        cn_built_row row;
        cairn_table *table = table_with(map, 3, 1, seed);
        assert_int_equal(cn_rows_open(map, &options, &alone, &rows), CAIRN_OK);
        uint32_t first_bits = cn_rows_shape(rows).entry_bits;
        cairn_status status = cn_rows_next(rows, &row);
        if (status == CAIRN_E_LIMIT) {
            restarts++;
            assert_int_equal(first_bits, 16);
            assert_true(cn_rows_restart(rows, &status));
            assert_int_equal(status, CAIRN_OK);
            assert_int_equal(cn_rows_shape(rows).entry_bits, 32);
            assert_int_equal(cn_rows_next(rows, &row), CAIRN_OK);
        }
        assert_int_equal(row.index, 0);
        assert_row(map, table, &row);
        status = CAIRN_E_LIMIT;
        if (cn_rows_shape(rows).entry_bits == 32)
            assert_false(cn_rows_restart(rows, &status));
        assert_int_equal(status, CAIRN_E_LIMIT);
        cn_rows_close(rows, CAIRN_OK);
        cairn_table_free(table);
        cairn_map_free(map);
    }
    assert_true(restarts > 0);
    picture_free(&drawn);
}

/* At any row: what was pulled so far is dropped, and a compact metric with it. */
static void rows_may_be_closed_before_all_were_pulled(void **state)
{
    (void)state;
    picture drawn = snake(25, 25);
    for (unsigned pulled = 0; pulled <= 4; pulled++) {
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_build_options options = {
            .size = sizeof options, .landmark_count = 4, .metric = CAIRN_METRIC_COMPACT};
        cn_rows *rows;
        cn_built_row row;
        assert_int_equal(cn_rows_open(map, &options, &alone, &rows), CAIRN_OK);
        assert_int_equal(cairn_map_metric(map).straight, 70);
        for (unsigned i = 0; i < pulled; i++)
            assert_int_equal(cn_rows_next(rows, &row), CAIRN_OK);
        assert_int_equal(cn_rows_are_left(rows), pulled < 4);
        cn_rows_close(rows, pulled < 4 ? CAIRN_E_CANCELLED : CAIRN_OK);
        assert_int_equal(cairn_map_metric(map).straight, pulled < 4 ? 2378 : 70);
        cairn_map_free(map);
    }
    picture_free(&drawn);
}

static bool list_is_whole(const cairn_map *map, const cairn_node *listed, size_t count)
{
    cairn_build_options options = {.placement = CAIRN_PLACE_LIST,
                                   .landmark_count = 3,
                                   .listed = listed,
                                   .listed_count = count};
    cn_plan plan = {.map = NULL};
    cn_placer placer;
    assert_int_equal(cn_plan_make(&plan, map, NULL, &options, &alone), CAIRN_OK);
    assert_int_equal(cn_placer_init(&placer, map, &plan, 0), CAIRN_OK);
    bool is_whole = placer.is_planned;
    cn_placer_free(&placer);
    cn_plan_free(&plan);
    return is_whole;
}

/* It has, in each component, a landmark for every row, or all cells. */
static void a_whole_list_needs_no_costs(void **state)
{
    (void)state;
    static const cairn_node whole[] = {0, 8, 11, 2, 9, 1}, longer[] = {0, 8, 11, 2, 9, 1, 9, 2},
                            twice[] = {0, 8, 11, 2, 8, 1}, less[] = {0, 8, 11, 2, 9};
    picture drawn = PICTURE("...@", "@@@@", "..@.");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    assert_true(list_is_whole(map, whole, COUNT_OF(whole)));
    assert_true(list_is_whole(map, longer, COUNT_OF(longer)));
    assert_false(list_is_whole(map, twice, COUNT_OF(twice)));
    assert_false(list_is_whole(map, less, COUNT_OF(less)));
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_options_there_are_sixteen_rows),
        cmocka_unit_test(misuse_is_answered_with_a_status),
        cmocka_unit_test(the_most_rows_can_be_built_where_there_are_fewer_cells),
        cmocka_unit_test(a_map_without_an_open_cell_has_an_empty_table),
        cmocka_unit_test(the_ends_of_a_corridor_are_its_first_landmarks),
        cmocka_unit_test(compact_takes_the_finest_metric_that_fits),
        cmocka_unit_test(compact_plans_in_a_metric_that_can_hold_the_costs),
        cmocka_unit_test(where_no_compact_metric_fits_the_coarsest_gets_32_bits),
        cmocka_unit_test(a_cost_above_the_limit_is_refused_and_the_map_kept),
        cmocka_unit_test(progress_is_reported_to_its_end),
        cmocka_unit_test(a_build_can_be_cancelled_and_leaves_the_map_as_it_was),
        cmocka_unit_test(every_placement_reports_and_can_be_cancelled),
        cmocka_unit_test(builds_of_blocked_maps_report_no_empty_stage),
        cmocka_unit_test(rows_pulled_one_by_one_are_those_of_the_table),
        cmocka_unit_test(listed_landmarks_with_small_costs_get_16_bits_for_every_seed),
        cmocka_unit_test(listed_landmarks_get_the_finest_metric_that_fits_for_every_seed),
        cmocka_unit_test(listed_landmarks_are_taken_wherever_the_seed_starts),
        cmocka_unit_test(costs_beyond_a_one_way_street_do_not_coarsen_the_metric),
        cmocka_unit_test(entries_are_wide_only_where_one_of_them_is_large),
        cmocka_unit_test(cells_that_nothing_reaches_do_not_widen_entries),
        cmocka_unit_test(rows_that_do_not_fit_come_again_in_wider_entries),
        cmocka_unit_test(rows_may_be_closed_before_all_were_pulled),
        cmocka_unit_test(a_whole_list_needs_no_costs),
    };
    return cmocka_run_group_tests_name("build", tests, NULL, NULL);
}
