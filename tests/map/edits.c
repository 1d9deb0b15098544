/* Edits of every kind on maps of every kind, against what the tests themselves know of the map. */
#include "map/map.h"
#include "table/table.h"

#include "support/check.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/storm.h"

enum { SEEDS = 6, ROUNDS = 12, ROWS = 3 };

static void an_edited_map_equals_a_rebuilt_one(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(5 * SEEDS); seed++) {
        for (unsigned kind = 0; kind < STORM_KINDS; kind++) {
            if (is_left_out(seed * STORM_KINDS + kind))
                continue;
            twin both = storm_twin(kind, seed);
            dice luck = {seed * STORM_KINDS + kind + 1};
            for (unsigned round = 0; round < ROUNDS; round++) {
                storm_batch batch;
                storm_draw(&both, &luck, &batch);
                assert_int_equal(cairn_map_edit(both.map, batch.edits, batch.count), CAIRN_OK);
                assert_map_equals_a_rebuilt_one(&both);
                assert_true(cn_map_hash_is_right(both.map));
            }
            twin_free(&both);
        }
    }
}

static cairn_table *table_that(cairn_map *map, bool counts_steps, uint64_t seed)
{
    cairn_metric metric = cairn_map_metric(map);
    return table_built(
        map, (cairn_build_options){.landmark_count = ROWS,
                                   .thread_count = 1,
                                   .seed = seed,
                                   .step_metric = counts_steps ? metric : (cairn_metric){0, 0}});
}

/* In one batch after another, with a refresh, the proof, a file and searches behind each. */
static void live_through(twin *both, cairn_table *table, dice *luck)
{
    static const cairn_codec codecs[] = {CAIRN_CODEC_BEST, CAIRN_CODEC_RAW, CAIRN_CODEC_PREDICTOR,
                                         CAIRN_CODEC_SEEDS};
    for (unsigned round = 0; round < ROUNDS; round++) {
        storm_edit(both, luck);
        assert_int_equal(cairn_refresh_step(table, both->map, CAIRN_UNLIMITED), CAIRN_OK);
        assert_table_is_exact(both, table);
        assert_file_gives_back(both, table, codecs[round % COUNT_OF(codecs)]);
        if (round % 4 == 0)
            assert_search(both, table, luck);
    }
}

static void after_every_edit_the_file_gives_back_map_and_table(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(SEEDS); seed++) {
        for (unsigned kind = 0; kind < 2 * STORM_KINDS; kind++) {
            if (is_left_out(seed * 2 * STORM_KINDS + kind))
                continue;
            twin both = storm_twin(kind / 2, seed);
            dice luck = {seed * STORM_KINDS + kind + 1};
            cairn_table *table = table_that(both.map, kind % 2, seed);
            live_through(&both, table, &luck);
            cairn_table_free(table);
            twin_free(&both);
        }
    }
}

/* What was read goes on as what was written. */
static void maps_that_were_loaded_take_edits_as_others_do(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < seeds_to(SEEDS); seed++) {
        for (unsigned kind = 0; kind < STORM_KINDS; kind++) {
            if (is_left_out(seed * STORM_KINDS + kind))
                continue;
            twin both = storm_twin(kind, seed);
            dice luck = {seed * STORM_KINDS + kind + 1};
            cairn_table *table = table_that(both.map, false, seed);
            cairn_save_options save = {.size = sizeof save, .thread_count = 1};
            cairn_load_options load = {.size = sizeof load, .thread_count = 1};
            for (unsigned round = 0; round < ROUNDS / 2; round++) {
                cairn_map *map;
                uint8_t *bytes;
                size_t size;
                assert_int_equal(cairn_refresh_step(table, both.map, CAIRN_UNLIMITED), CAIRN_OK);
                assert_int_equal(cairn_save_bytes(both.map, table, &save, &bytes, &size), CAIRN_OK);
                cairn_table_free(table);
                assert_int_equal(cairn_load_bytes(bytes, size, &load, &map, &table, NULL),
                                 CAIRN_OK);
                cairn_bytes_free(both.map, bytes);
                cairn_map_free(both.map);
                both.map = map;
                storm_edit(&both, &luck);
                assert_map_equals_a_rebuilt_one(&both);
            }
            assert_int_equal(cairn_refresh_step(table, both.map, CAIRN_UNLIMITED), CAIRN_OK);
            assert_table_is_exact(&both, table);
            cairn_table_free(table);
            twin_free(&both);
        }
    }
}

/* -------------------------------------------------------- what cannot be loaded is not saved -- */

static cairn_status save(const cairn_map *map, const cairn_table *table, cairn_map_part part)
{
    cairn_save_options options = {.size = sizeof options, .map_part = part};
    uint8_t *bytes;
    size_t size;
    cairn_status status = cairn_save_bytes(map, table, &options, &bytes, &size);
    cairn_bytes_free(map, bytes);
    return status;
}

/* A graph that was directed by its costs, all of which are 1 now. Rows that count its steps are
 * symmetric, and do for the graph as it is, for a copy and for what a file makes of it. */
static void rows_that_count_steps_serve_a_graph_whose_costs_became_equal(void **state)
{
    static const cairn_arc arcs[] = {{0, 1, 1}, {1, 0, 7}, {1, 2, 1}, {2, 1, 1}};
    const cairn_edit edit = cairn_arc_cost(1, 0, 1);
    twin both = {.is_directed = true, .arcs = {.node_count = 3}};
    cairn_map *copy;
    (void)state;

    both.arcs.list = calloc(COUNT_OF(arcs), sizeof *both.arcs.list);
    assert_non_null(both.arcs.list);
    for (size_t i = 0; i < COUNT_OF(arcs); i++)
        both.arcs.list[both.arcs.count++] = (oracle_arc){arcs[i].from, arcs[i].to, 1};
    assert_int_equal(
        cairn_map_from_arcs(3, arcs, COUNT_OF(arcs), NULL, NULL, NULL, &both.map, NULL), CAIRN_OK);
    cairn_table *table = table_that(both.map, true, 1);
    assert_true(cairn_table_counts_steps(table));
    assert_int_equal(cairn_map_edit(both.map, &edit, 1), CAIRN_OK);
    assert_file_gives_back(&both, table, CAIRN_CODEC_BEST);
    assert_int_equal(cairn_map_clone(both.map, &copy), CAIRN_OK);
    cairn_map_free(both.map);
    both.map = copy;
    assert_int_equal(cairn_refresh_step(table, both.map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_file_gives_back(&both, table, CAIRN_CODEC_BEST);
    cairn_table_free(table);
    twin_free(&both);
}

/* Rows in pairs, and a graph with the same arcs that never was directed. */
static void pairs_of_rows_are_not_saved_with_a_map_that_has_none(void **state)
{
    static const cairn_arc arcs[] = {{0, 1, 5}, {1, 0, 7}}, equal[] = {{0, 1, 5}, {1, 0, 5}};
    const cairn_edit edit = cairn_arc_cost(1, 0, 5);
    cairn_map *map, *other;
    (void)state;

    assert_int_equal(cairn_map_from_arcs(2, arcs, 2, NULL, NULL, NULL, &map, NULL), CAIRN_OK);
    assert_int_equal(cairn_map_from_arcs(2, equal, 2, NULL, NULL, NULL, &other, NULL), CAIRN_OK);
    cairn_table *table = table_that(map, false, 1);
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_true(cairn_map_hash(map) == cairn_map_hash(other));
    assert_int_equal(save(map, table, CAIRN_MAP_LEFT_OUT), CAIRN_OK);
    assert_int_equal(save(other, table, CAIRN_MAP_LEFT_OUT), CAIRN_E_MISMATCH);
    assert_int_equal(save(other, table, CAIRN_MAP_INCLUDED), CAIRN_E_MISMATCH);
    assert_int_equal(save(map, table, CAIRN_MAP_INCLUDED), CAIRN_OK);
    cairn_table_free(table);
    cairn_map_free(other);
    cairn_map_free(map);
}

/* The entry of a landmark is wrong, so that nobody sees it close. */
static void a_landmark_in_a_blocked_cell_is_not_saved(void **state)
{
    picture drawn = PICTURE("......", "......");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(map, 1);
    const cairn_node *landmarks;
    (void)state;

    assert_int_equal(cairn_table_landmarks(table, 0, &landmarks), 1);
    cairn_edit edit = cairn_block(landmarks[0] % 6, landmarks[0] / 6);
    assert_int_equal(cairn_table_set_cost(table, 0, landmarks[0], 3), CAIRN_OK);
    assert_int_equal(save(map, table, CAIRN_MAP_INCLUDED), CAIRN_OK);
    assert_int_equal(cairn_map_edit(map, &edit, 1), CAIRN_OK);
    assert_int_equal(cairn_refresh_step(table, map, CAIRN_UNLIMITED), CAIRN_OK);
    assert_int_equal(save(map, table, CAIRN_MAP_INCLUDED), CAIRN_E_INEXACT);
    assert_int_equal(cairn_table_rebuild(table, map), CAIRN_OK);
    assert_int_equal(save(map, table, CAIRN_MAP_INCLUDED), CAIRN_OK);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void a_map_whose_hash_is_wrong_is_not_saved(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < STORM_KINDS; kind++) {
        twin both = storm_twin(kind, 5);
        cairn_table *table = table_that(both.map, false, 1);
        both.map->hash++;
        both.map->hash_is_kept = true;
        table->map_hash++;
        assert_int_equal(save(both.map, table, CAIRN_MAP_INCLUDED), CAIRN_E_MISMATCH);
        assert_int_equal(save(both.map, table, CAIRN_MAP_LEFT_OUT), CAIRN_E_MISMATCH);
        char *path = scratch_file("wrong.cairn");
        assert_int_equal(cairn_build_file(both.map, path, NULL, NULL, NULL), CAIRN_E_MISMATCH);
        scratch_remove(path);
        cairn_table_free(table);
        twin_free(&both);
    }
}

/* ------------------------------------------------------------------------ whatever happened -- */

/* A map and a table that anything may happen to. */
typedef struct life {
    twin both;
    cairn_table *table;
    dice luck;
    unsigned saved;
} life;

static void take_map(life *now, cairn_map *map)
{
    cairn_map_free(now->both.map);
    now->both.map = map;
}

static void take_table(life *now, cairn_table *table)
{
    cairn_table_free(now->table);
    now->table = table;
}

static cairn_save_options any_save(life *now)
{
    cairn_save_options options = {.size = sizeof options,
                                  .codec = (cairn_codec)dice_below(&now->luck, 4),
                                  .map_part = (cairn_map_part)dice_below(&now->luck, 2),
                                  .thread_count = 1};
    if (dice_below(&now->luck, 3) == 0)
        options.row_count = 2 * dice_below(&now->luck, cairn_table_row_count(now->table) / 2 + 1);
    return options;
}

/* What is saved is loaded, and goes on half of the times. */
static void save_and_load(life *now)
{
    cairn_save_options save = any_save(now);
    cairn_load_options load = {.size = sizeof load, .map = now->both.map, .thread_count = 1};
    cairn_map *map = NULL;
    cairn_table *table;
    uint8_t *bytes;
    size_t size;

    if (cairn_save_bytes(now->both.map, now->table, &save, &bytes, &size) != CAIRN_OK)
        return;
    now->saved++;
    const bool has_map = save.map_part == CAIRN_MAP_INCLUDED;
    assert_int_equal(cairn_load_bytes(bytes, size, &load, has_map ? &map : NULL, &table, NULL),
                     CAIRN_OK);
    cairn_bytes_free(now->both.map, bytes);
    if (dice_below(&now->luck, 2)) {
        take_table(now, table);
        if (map)
            take_map(now, map);
        return;
    }
    cairn_table_free(table);
    cairn_map_free(map);
}

static void spoil(life *now)
{
    cairn_table *table = now->table;
    const cairn_node *landmarks;
    uint32_t row = dice_below(&now->luck, cairn_table_row_count(table));
    size_t count = cairn_table_landmarks(table, row, &landmarks);
    cairn_node node = count && dice_below(&now->luck, 2)
                          ? landmarks[dice_below(&now->luck, (uint32_t)count)]
                          : dice_below(&now->luck, cairn_map_node_count(now->both.map));
    (void)cairn_table_set_cost(table, row, node, dice_below(&now->luck, 70));
}

static void change_metric(life *now)
{
    static const cairn_metric metrics[] = {{10, 14}, {1, 1}, {5, 7}};
    cairn_metric metric = metrics[dice_below(&now->luck, COUNT_OF(metrics))];
    if (now->both.drawn.letters)
        assert_int_equal(cairn_map_set_metric(now->both.map, metric), CAIRN_OK);
}

static void copy_map(life *now)
{
    cairn_map *copy;
    assert_int_equal(cairn_map_clone(now->both.map, &copy), CAIRN_OK);
    take_map(now, copy);
}

static void copy_table(life *now)
{
    cairn_table *copy;
    assert_int_equal(cairn_table_clone(now->table, &copy), CAIRN_OK);
    take_table(now, copy);
}

static void let_happen(life *now, bool may_spoil)
{
    storm_batch batch;
    switch (dice_below(&now->luck, 12)) {
    case 0: change_metric(now); break;
    case 1: copy_map(now); break;
    case 2: copy_table(now); break;
    case 3: (void)cairn_table_rebuild(now->table, now->both.map); break;
    case 4: take_table(now, table_that(now->both.map, dice_below(&now->luck, 2), 7)); break;
    case 5:
        if (may_spoil)
            spoil(now);
        break;
    case 6: take_map(now, twin_rebuilt(&now->both)); break;
    case 7:
    case 8:
        storm_draw(&now->both, &now->luck, &batch);
        assert_int_equal(cairn_map_edit(now->both.map, batch.edits, batch.count), CAIRN_OK);
        break;
    case 9:
        (void)step_now(now->table, now->both.map, CAIRN_CELLS(dice_below(&now->luck, 50)));
        break;
    default: (void)cairn_refresh_step(now->table, now->both.map, CAIRN_UNLIMITED);
    }
}

static void whatever_happened_what_is_saved_can_be_loaded(void **state)
{
    enum { LIVES = 8, MOMENTS = 60 };
    (void)state;
    for (uint64_t number = 0; number < seeds_to(LIVES * STORM_KINDS); number = seed_after(number)) {
        life now = {.both = storm_twin((unsigned)(number % STORM_KINDS), number / STORM_KINDS),
                    .luck = {number + 1}};
        now.table = table_that(now.both.map, false, number);
        for (unsigned moment = 0; moment < MOMENTS; moment++) {
            let_happen(&now, number % 2);
            save_and_load(&now);
        }
        assert_true(now.saved > MOMENTS / 6);
        assert_true(cn_map_hash_is_right(now.both.map));
        cairn_table_free(now.table);
        twin_free(&now.both);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edited_map_equals_a_rebuilt_one),
        cmocka_unit_test(after_every_edit_the_file_gives_back_map_and_table),
        cmocka_unit_test(maps_that_were_loaded_take_edits_as_others_do),
        cmocka_unit_test(rows_that_count_steps_serve_a_graph_whose_costs_became_equal),
        cmocka_unit_test(pairs_of_rows_are_not_saved_with_a_map_that_has_none),
        cmocka_unit_test(a_landmark_in_a_blocked_cell_is_not_saved),
        cmocka_unit_test(a_map_whose_hash_is_wrong_is_not_saved),
        cmocka_unit_test(whatever_happened_what_is_saved_can_be_loaded),
    };
    return cmocka_run_group_tests_name("edits", tests, NULL, NULL);
}
