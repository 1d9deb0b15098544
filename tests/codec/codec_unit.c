#include "codec/codec.h"

#include <zlib.h>

#include "codec/seeds.h"
#include "io/range_coder.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"
#include "support/seeds.h"
#include "support/twin.h"

static const cairn_codec all_codecs[] = {CAIRN_CODEC_BEST, CAIRN_CODEC_RAW, CAIRN_CODEC_PREDICTOR,
                                         CAIRN_CODEC_SEEDS};
static const cn_cpu all_cpus[] = {CN_CPU_PORTABLE, CN_CPU_AVX2, CN_CPU_AVX512};

static cn_codec_layout frame_of(const cairn_map *map, const cairn_table *table, cn_cpu cpu)
{
    cn_mem mem = cn_mem_from(NULL);
    cn_codec_layout layout;
    assert_int_equal(cn_codec_layout_init(&layout, map, table->metric, table->entry_bits, &mem),
                     CAIRN_OK);
    if (cpu < layout.cpu)
        layout.cpu = cpu;
    return layout;
}

static cairn_table *empty_like(const cairn_map *map, const cairn_table *table)
{
    cn_mem mem = cn_mem_from(NULL);
    cairn_table *made;
    assert_int_equal(cn_table_new(map, &mem, table->row_count, table->entry_bits, &made), CAIRN_OK);
    return made;
}

/* Packs every row, unpacks them all into a new table. */
static cairn_table *round_trip(const cairn_map *map, const cairn_table *table, cairn_codec codec,
                               cn_cpu cpu, unsigned threads, uint32_t *codecs_seen)
{
    cn_codec_layout layout = frame_of(map, table, cpu);
    cn_packed packed[CAIRN_ROWS_MAX];
    cn_coded_row rows[CAIRN_ROWS_MAX];
    cn_packer *packer;
    cn_survey survey;

    assert_int_equal(cn_packer_new(&layout, table->row_count, &packer), CAIRN_OK);
    cn_survey_init(&survey, &layout, codec, table->row_count);
    for (uint32_t row = 0; row < survey.row_count; row++)
        assert_int_equal(cn_survey_table_row(&survey, packer, table, row), CAIRN_OK);
    cn_packing packing = cn_survey_decide(&survey, &layout);
    for (uint32_t row = 0; row < table->row_count; row++) {
        if (row < survey.row_count)
            packed[row] = cn_survey_take(&survey, row, packing);
        else
            assert_int_equal(cn_pack_table_row(packer, table, row, packing, &packed[row]),
                             CAIRN_OK);
        assert_true(cn_codec_is_plausible(&layout, packed[row].codec_id, packed[row].size));
        rows[row] = (cn_coded_row){
            .codec_id = packed[row].codec_id,
            .crc = (uint32_t)crc32_z(0, packed[row].bytes, packed[row].size),
            .bytes = packed[row].bytes,
            .size = packed[row].size,
        };
        rows[row].landmarks.count = cairn_table_landmarks(table, row, &rows[row].landmarks.nodes);
        *codecs_seen |= 1u << packed[row].codec_id;
    }
    cairn_table *back = empty_like(map, table);
    assert_int_equal(cn_codec_unpack_rows(&layout, back, rows, (cn_crew){.count = threads}),
                     CAIRN_OK);
    for (uint32_t row = 0; row < table->row_count; row++)
        cn_release(&layout.mem, packed[row].bytes);
    cn_survey_free(&survey, &layout.mem);
    cn_packer_free(packer);
    cn_codec_layout_free(&layout);
    return back;
}

/* Blocked cells and spare lanes included: both are zero. */
static void assert_same_entries(const cairn_table *one, const cairn_table *other)
{
    size_t size = (size_t)one->node_count * one->lane_count * (one->entry_bits / 8);
    assert_int_equal(one->lane_count, other->lane_count);
    assert_memory_equal(one->entries, other->entries, size);
}

static void every_codec_gives_back_exact_tables_on_every_processor(void **state)
{
    (void)state;
    uint32_t seen = 0;
    for (uint64_t seed = 0; seed < seeds_to(60); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, fixture_metrics[seed % FIXTURE_METRICS]);
        if (cairn_map_open_count(map) > 0) {
            cairn_table *table = table_with(map, 1 + (uint32_t)(seed * 7 % 33), 1, seed);
            for (unsigned i = 0; i < COUNT_OF(all_codecs) * COUNT_OF(all_cpus); i++) {
                cairn_table *back = round_trip(map, table, all_codecs[i / COUNT_OF(all_cpus)],
                                               all_cpus[i % COUNT_OF(all_cpus)],
                                               1 + (unsigned)seed % 5, &seen);
                assert_same_entries(back, table);
                cairn_table_free(back);
            }
            cairn_table_free(table);
        }
        cairn_map_free(map);
        picture_free(&drawn);
    }
    assert_int_equal(seen, 1u << CN_CODEC_RAW | 1u << CN_CODEC_PREDICTOR | 1u << CN_CODEC_SEEDS);
}

static cairn_map *map_under(const picture *drawn, cairn_metric metric, cairn_rule rule)
{
    cairn_map_options options = {.size = sizeof options, .metric = metric, .rule = rule};
    cairn_map *map;
    assert_int_equal(
        cairn_map_from_letters(drawn->width, drawn->height, drawn->letters, &options, &map, NULL),
        CAIRN_OK);
    return map;
}

static void assert_seeds(const twin *both, uint64_t seed, cn_cpu cpu)
{
    const bool is_classic = both->rule == ORACLE_8 && both->kind == TERRAIN_UNIFORM;
    cairn_table *table = table_with(both->map, 1 + (uint32_t)(seed * 7 % 11), 1, seed);
    uint32_t seen = 0;
    cairn_table *back = round_trip(both->map, table, CAIRN_CODEC_SEEDS, cpu, 1 + (unsigned)seed % 5,
                                   &seen);
    assert_same_entries(back, table);
    assert_int_equal(seen, 1u << (is_classic ? CN_CODEC_SEEDS : CN_CODEC_RULED_SEEDS));
    cairn_table_free(back);
    cairn_table_free(table);
}

/* Under every rule and with every terrain, heights and one-way cells, rows of exact costs have
 * seeds, in both directions; steps may cross from word to word of a row. */
static void every_kind_of_grid_has_seeds_on_every_processor(void **state)
{
    (void)state;
    static const cairn_metric coarse = {5, 7};
    for (uint64_t seed = 0; seed < seeds_to(5 * ORACLE_RULES * TERRAIN_KINDS);
         seed = seed_after(seed)) {
        twin both = twin_sized(seed, (oracle_rule)(seed % ORACLE_RULES),
                               (terrain_kind)(seed / ORACLE_RULES % TERRAIN_KINDS),
                               seed % 2 ? coarse : CAIRN_METRIC_OCTILE,
                               (uint32_t)(40 + seed * 13 % 160), (uint32_t)(5 + seed * 7 % 40));
        if (cairn_map_open_count(both.map) > 0)
            assert_seeds(&both, seed, all_cpus[seed % COUNT_OF(all_cpus)]);
        twin_free(&both);
    }
}

/* Exact cells are found in groups of 512 x 512 cells: here there are many side by side. */
static void maps_wider_than_4096_cells_have_seeds(void **state)
{
    (void)state;
    static const uint32_t widths[] = {4096, 4097, 9001};
    for (size_t i = 0; i < COUNT_OF(widths); i++) {
        uint32_t seen = 0;
        picture drawn = random_map(MAP_SPARSE, widths[i], 24, i);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_table *table = table_with(map, 3, 1, i);
        cairn_table *back = round_trip(map, table, CAIRN_CODEC_SEEDS, CN_CPU_AVX512, 2, &seen);
        assert_same_entries(back, table);
        assert_int_equal(seen, 1u << CN_CODEC_SEEDS);
        cairn_table_free(back);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* Any numbers at all, with whole stretches unreachable: a codec may not count on true costs. */
static void fill_with_anything(cairn_table *table, const cairn_map *map, dice *luck)
{
    for (uint32_t row = 0; row < table->row_count; row++) {
        uint32_t kind = dice_below(luck, 4);
        for (cairn_node node = 0; node < table->node_count; node++) {
            cairn_cost cost = dice_below(luck, 8) ? dice_below(luck, 60000) : CAIRN_UNREACHABLE;
            if (kind == 0)
                cost = CAIRN_UNREACHABLE;
            if (kind == 1)
                cost = node * 5 % 65535;
            if (cairn_map_is_open(map, node))
                assert_int_equal(cairn_table_set_cost(table, row, node, cost), CAIRN_OK);
        }
    }
}

static void every_codec_gives_back_tables_of_anything(void **state)
{
    (void)state;
    dice luck = {1};
    uint32_t seen = 0;
    for (uint64_t seed = 0; seed < seeds_to(30); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        cairn_map *map = map_of(&drawn, fixture_metrics[seed % FIXTURE_METRICS]);
        cn_mem mem = cn_mem_from(NULL);
        cairn_table *table;
        assert_int_equal(
            cn_table_new(map, &mem, 1 + dice_below(&luck, 20), seed & 1 ? 16 : 32, &table),
            CAIRN_OK);
        fill_with_anything(table, map, &luck);
        for (unsigned i = 0; i < COUNT_OF(all_codecs); i++) {
            cairn_table *back = round_trip(map, table, all_codecs[i], CN_CPU_AVX512, 2, &seen);
            assert_same_entries(back, table);
            cairn_table_free(back);
        }
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

/* A ring with chords, some of them one-way, and a part that nothing leads to. */
static cairn_map *random_roads(dice *luck, uint32_t nodes)
{
    cairn_arc arcs[400];
    size_t count = 0;
    cairn_map *map;
    for (uint32_t node = 0; node + 2 < nodes; node++)
        arcs[count++] = (cairn_arc){node, node + 1, 1 + dice_below(luck, 1000)};
    for (unsigned i = 0; i < 2 * nodes; i++) {
        cairn_node from = dice_below(luck, nodes - 1), to = dice_below(luck, nodes - 1);
        arcs[count++] = (cairn_arc){from, to, 1 + dice_below(luck, 3000)};
    }
    assert_true(count <= COUNT_OF(arcs));
    assert_int_equal(cairn_map_from_arcs(nodes, arcs, count, NULL, NULL, NULL, &map, NULL),
                     CAIRN_OK);
    return map;
}

static void roads_come_back_in_both_directions(void **state)
{
    (void)state;
    dice luck = {5};
    uint32_t seen = 0;
    for (uint64_t i = 0; i < seeds_to(30); i++) {
        cairn_map *map = random_roads(&luck, 3 + dice_below(&luck, 120));
        cairn_table *table = table_built(map, (cairn_build_options){.landmark_count = 3});
        for (unsigned change = 0; change < 3; change++) {
            for (unsigned codec = 0; codec < COUNT_OF(all_codecs); codec++) {
                cairn_table *back = round_trip(map, table, all_codecs[codec], CN_CPU_AVX512, 2,
                                               &seen);
                assert_same_entries(back, table);
                cairn_table_free(back);
            }
            if (change == 1)
                fill_with_anything(table, map, &luck);
            else
                cairn_table_set_cost(table, 0, dice_below(&luck, table->node_count), 4711);
        }
        cairn_table_free(table);
        cairn_map_free(map);
    }
    assert_true(seen & 1u << CN_CODEC_PREDICTOR);
    assert_false(seen & 1u << CN_CODEC_SEEDS);
}

static void terrain_comes_back(void **state)
{
    (void)state;
    cairn_alphabet alphabet;
    uint32_t seen = 0;
    cairn_alphabet_init(&alphabet);
    alphabet.cost['G'] = 3;
    alphabet.cost['S'] = 900;
    for (uint64_t seed = 0; seed < seeds_to(40); seed = seed_after(seed)) {
        picture drawn = any_map(seed);
        dice luck = {seed};
        for (uint32_t i = 0; i < picture_size(&drawn); i++) {
            if (drawn.letters[i] == '.')
                drawn.letters[i] = "...GGS"[dice_below(&luck, 6)];
        }
        cairn_map_options options = {
            .size = sizeof options,
            .metric = {5, 7},
            .rule = (cairn_rule)(seed % 5),
            .charge = (cairn_charge)(seed / 5 % 2),
            .alphabet = &alphabet,
        };
        cairn_map *map;
        cairn_table *table;
        assert_int_equal(
            cairn_map_from_letters(drawn.width, drawn.height, drawn.letters, &options, &map, NULL),
            CAIRN_OK);
        if (cairn_map_open_count(map) > 0) {
            table = table_of(map, 3);
            for (unsigned codec = 0; codec < COUNT_OF(all_codecs); codec++) {
                cairn_table *back = round_trip(map, table, all_codecs[codec], CN_CPU_AVX512, 2,
                                               &seen);
                assert_same_entries(back, table);
                cairn_table_free(back);
            }
            cairn_table_free(table);
        }
        cairn_map_free(map);
        picture_free(&drawn);
    }
    assert_true(seen & 1u << CN_CODEC_RULED_SEEDS);
    assert_false(seen & 1u << CN_CODEC_SEEDS);
}

static void one_wrong_entry_anywhere_is_not_made_right(void **state)
{
    (void)state;
    picture drawn = PICTURE("..@..@...", "@.@.....@", ".......@.", "@@@@.@@@@", ".........");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(map, 3);
    uint32_t seen = 0;
    for (cairn_node node = 0; node < table->node_count; node++) {
        cairn_cost cost = cairn_table_cost(table, 1, node);
        if (!cairn_map_is_open(map, node))
            continue;
        for (int change = -1; change <= 1; change += 2) {
            cairn_cost wrong = cost == CAIRN_UNREACHABLE ? 77 : cost + (cairn_cost)change;
            if (cost == 0 && change < 0)
                wrong = CAIRN_UNREACHABLE;
            cairn_table_set_cost(table, 1, node, wrong);
            cairn_table *back = round_trip(map, table, CAIRN_CODEC_SEEDS, CN_CPU_AVX512, 1, &seen);
            assert_same_entries(back, table);
            cairn_table_free(back);
        }
        cairn_table_set_cost(table, 1, node, cost);
    }
    assert_true(seen & 1u << CN_CODEC_SEEDS);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void rows_of_different_plans_are_swept_together(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CAVE, 67, 70, 5);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(map, CN_STYLES);
    for (unsigned cpu = 0; cpu < COUNT_OF(all_cpus); cpu++) {
        cn_codec_layout layout = frame_of(map, table, all_cpus[cpu]);
        cn_packer *packer;
        cn_packed packed[CN_STYLES];
        cn_coded_row rows[CN_STYLES];
        assert_int_equal(cn_packer_new(&layout, 0, &packer), CAIRN_OK);
        for (uint32_t row = 0; row < CN_STYLES; row++) {
            cn_packing packing = {CAIRN_CODEC_SEEDS, row};
            assert_int_equal(cn_pack_table_row(packer, table, row, packing, &packed[row]),
                             CAIRN_OK);
            assert_int_equal(packed[row].codec_id, CN_CODEC_SEEDS);
            rows[row] = (cn_coded_row){
                .codec_id = CN_CODEC_SEEDS,
                .crc = (uint32_t)crc32_z(0, packed[row].bytes, packed[row].size),
                .bytes = packed[row].bytes,
                .size = packed[row].size,
            };
            rows[row].landmarks.count = cairn_table_landmarks(table, row,
                                                              &rows[row].landmarks.nodes);
        }
        cairn_table *back = empty_like(map, table);
        assert_int_equal(cn_codec_unpack_rows(&layout, back, rows, (cn_crew){.count = 3}),
                         CAIRN_OK);
        assert_same_entries(back, table);
        cairn_table_free(back);
        for (uint32_t row = 0; row < CN_STYLES; row++)
            cn_release(&layout.mem, packed[row].bytes);
        cn_packer_free(packer);
        cn_codec_layout_free(&layout);
    }
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* Passes of row 0 when it begins with two, among so many rows. */
static unsigned passes_of(const cairn_map *map, const cairn_table *table, uint32_t rows_together)
{
    enum { PASSES_BITS = 7 };
    const cn_packing packing = {CAIRN_CODEC_SEEDS, CN_STYLE_TWO_DOWN};
    cn_codec_layout layout = frame_of(map, table, CN_CPU_AVX512);
    cn_packer *packer;
    cn_packed packed;
    assert_int_equal(cn_packer_new(&layout, rows_together, &packer), CAIRN_OK);
    assert_int_equal(cn_pack_table_row(packer, table, 0, packing, &packed), CAIRN_OK);
    assert_int_equal(packed.codec_id, CN_CODEC_SEEDS);
    unsigned passes = (packed.bytes[0] & PASSES_BITS) + 1u;
    cn_release(&layout.mem, packed.bytes);
    cn_packer_free(packer);
    cn_codec_layout_free(&layout);
    return passes;
}

static void a_row_takes_more_passes_where_that_is_worth_it_for_all_that_wait(void **state)
{
    (void)state;
    unsigned with_more = 0, rounds = 12;
    for (unsigned seed = 0; seed < rounds; seed++) {
        picture drawn = random_map(seed % 2 ? MAP_CAVE : MAP_MAZE, 65, 65, seed);
        cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
        cairn_table *table = table_of(map, 1);
        assert_in_range(passes_of(map, table, 0), 1, 2);
        with_more += passes_of(map, table, 1) > 2;
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
    assert_in_range(with_more, 1, rounds - 1);
}

static void passes_that_change_nothing_are_left_out(void **state)
{
    (void)state;
    const cairn_node corner = 0;
    cairn_build_options options = {.size = sizeof options,
                                   .placement = CAIRN_PLACE_LIST,
                                   .landmark_count = 1,
                                   .listed = &corner,
                                   .listed_count = 1};
    picture drawn = random_map(MAP_ALL_OPEN, 30, 20, 1);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table;
    uint32_t seen = 0;
    assert_int_equal(cairn_table_build(map, &options, &table), CAIRN_OK);
    assert_int_equal(passes_of(map, table, 0), 1);
    cairn_table *back = round_trip(map, table, CAIRN_CODEC_SEEDS, CN_CPU_AVX512, 1, &seen);
    assert_same_entries(back, table);
    cairn_table_free(back);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void a_maze_of_seeds_is_smaller_than_its_residuals(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_MAZE, 65, 65, 3);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cairn_table *table = table_of(map, 2);
    size_t sizes[2];
    for (unsigned i = 0; i < 2; i++) {
        cn_codec_layout layout = frame_of(map, table, CN_CPU_AVX512);
        cn_packer *packer;
        cn_packing packing = {i ? CAIRN_CODEC_SEEDS : CAIRN_CODEC_PREDICTOR, CN_STYLE_TWO_DOWN};
        cn_packed packed;
        assert_int_equal(cn_packer_new(&layout, 0, &packer), CAIRN_OK);
        assert_int_equal(cn_pack_table_row(packer, table, 0, packing, &packed), CAIRN_OK);
        sizes[i] = packed.size;
        cn_release(&layout.mem, packed.bytes);
        cn_packer_free(packer);
        cn_codec_layout_free(&layout);
    }
    assert_true(sizes[1] < sizes[0]);
    cairn_table_free(table);
    cairn_map_free(map);
    picture_free(&drawn);
}

/* What comes of one row of bytes. */
static cairn_status unpack_bytes(const cairn_map *map, uint32_t codec, const void *bytes,
                                 size_t size)
{
    cn_mem mem = cn_mem_from(NULL);
    cairn_table *table;
    assert_int_equal(cn_table_new(map, &mem, 1, 32, &table), CAIRN_OK);
    cn_codec_layout layout = frame_of(map, table, CN_CPU_AVX512);
    cn_coded_row row = {
        .codec_id = codec, .bytes = bytes, .size = size, .crc = (uint32_t)crc32_z(0, bytes, size)};
    cairn_status status = cn_codec_unpack_rows(&layout, table, &row, (cn_crew){.count = 1});
    assert_int_equal(status, row.status);
    cn_codec_layout_free(&layout);
    cairn_table_free(table);
    return status;
}

static void rows_that_cannot_be_are_refused(void **state)
{
    (void)state;
    picture drawn = PICTURE("....", "....");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    uint8_t bytes[64] = {0};

    assert_int_equal(unpack_bytes(map, CN_CODEC_RAW, bytes, 32), CAIRN_OK);
    assert_int_equal(unpack_bytes(map, CN_CODEC_RAW, bytes, 31), CAIRN_E_FORMAT);
    assert_int_equal(unpack_bytes(map, CN_CODEC_RAW, bytes, 33), CAIRN_E_FORMAT);
    memset(bytes, 0xff, 4);
    assert_int_equal(unpack_bytes(map, CN_CODEC_RAW, bytes, 32), CAIRN_OK);
    bytes[3] = 0x40;
    assert_int_equal(unpack_bytes(map, CN_CODEC_RAW, bytes, 32), CAIRN_E_FORMAT);
    memset(bytes, 0, sizeof bytes);
    assert_int_equal(unpack_bytes(map, CN_CODEC_PREDICTOR, bytes, 8), CAIRN_E_FORMAT);
    assert_int_equal(unpack_bytes(map, CN_CODEC_SEEDS, bytes, 0), CAIRN_E_FORMAT);
    assert_int_equal(unpack_bytes(map, CN_CODEC_SEEDS, "\x10", 1), CAIRN_E_FORMAT);
    assert_int_equal(unpack_bytes(map, CN_CODEC_SEEDS, "\x01\xff\xff\xff\xff", 5), CAIRN_E_FORMAT);
    assert_int_equal(unpack_bytes(map, CN_CODEC_SEEDS, "\0", 1), CAIRN_OK);
    assert_int_equal(unpack_bytes(map, CN_CODEC_RULED_SEEDS, "\0", 1), CAIRN_E_FORMAT);
    assert_int_equal(unpack_bytes(map, 99, bytes, 8), CAIRN_E_VERSION);
    cairn_map *ruled = map_under(&drawn, CAIRN_METRIC_OCTILE, CAIRN_RULE_HEX);
    assert_int_equal(unpack_bytes(ruled, CN_CODEC_SEEDS, "\0", 1), CAIRN_E_FORMAT);
    assert_int_equal(unpack_bytes(ruled, CN_CODEC_RULED_SEEDS, "\0", 1), CAIRN_OK);
    cairn_map_free(ruled);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void any_bytes_are_seeds_or_are_refused(void **state)
{
    (void)state;
    picture drawn = random_map(MAP_CAVE, 40, 30, 1);
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    dice luck = {9};
    unsigned taken = 0;
    for (unsigned i = 0; i < 20000; i++) {
        uint8_t bytes[24];
        size_t size = 1 + dice_below(&luck, sizeof bytes - 1);
        for (size_t j = 0; j < size; j++)
            bytes[j] = (uint8_t)dice_below(&luck, 256);
        bytes[0] &= 15;
        cairn_status status = unpack_bytes(map, CN_CODEC_SEEDS, bytes, size);
        assert_true(status == CAIRN_OK || status == CAIRN_E_FORMAT);
        taken += status == CAIRN_OK;
    }
    assert_true(taken > 0);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void a_cost_that_cannot_be_is_refused_by_every_codec(void **state)
{
    (void)state;
    picture drawn = PICTURE("....", "....");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    uint32_t last = CAIRN_COST_MAX;
    for (cn_chance chance = {0}; last != 0; last = last == CAIRN_COST_MAX ? last + 1 : 0) {
        uint8_t raw[32] = {0};
        cn_mem mem = cn_mem_from(NULL);
        cn_buffer seeds = {.mem = &mem};
        cn_range_encoder encoder;
        cn_chance chances[CN_GAMMA_CHANCES];
        cairn_status expected = last > CAIRN_COST_MAX ? CAIRN_E_FORMAT : CAIRN_OK;

        cn_put_u32(raw + 28, last);
        assert_int_equal(unpack_bytes(map, CN_CODEC_RAW, raw, 32), expected);

        cn_buffer_append(&seeds, "\1", 1);
        cn_range_begin(&encoder, &seeds);
        cn_chances_init(&chance, 1);
        for (uint32_t part = 0; part < 3; part++) {
            cn_chances_init(chances, CN_GAMMA_CHANCES);
            if (part == 2)
                cn_range_put(&encoder, &chance, 0);
            cn_range_put_gamma(&encoder, chances, part == 0 ? 2 : part == 1 ? 8 : last + 1);
        }
        cn_range_end(&encoder);
        assert_int_equal(unpack_bytes(map, CN_CODEC_SEEDS, seeds.bytes, seeds.size), expected);
        cn_buffer_free(&seeds);
    }
    cairn_map_free(map);
    picture_free(&drawn);
}

/* With islands whose cells are all landmarks, so that later rows do not reach them. */
static void exact_rows_of_either_width_have_seeds(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        picture drawn = random_map(seed % 2 ? MAP_BROKEN : MAP_ISLANDS, 150, 40, seed);
        cairn_metric metric = seed % 3 ? CAIRN_METRIC_OCTILE : (cairn_metric){12, 17};
        cairn_map *map = map_of(&drawn, metric);
        cairn_table *table = table_with(map, 9, 1, seed);
        uint32_t seen = 0;
        cairn_table_free(round_trip(map, table, CAIRN_CODEC_SEEDS, CN_CPU_AVX512, 1, &seen));
        assert_int_equal(seen, 1u << CN_CODEC_SEEDS);
        cairn_table_free(table);
        cairn_map_free(map);
        picture_free(&drawn);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_codec_gives_back_exact_tables_on_every_processor),
        cmocka_unit_test(every_kind_of_grid_has_seeds_on_every_processor),
        cmocka_unit_test(maps_wider_than_4096_cells_have_seeds),
        cmocka_unit_test(every_codec_gives_back_tables_of_anything),
        cmocka_unit_test(roads_come_back_in_both_directions),
        cmocka_unit_test(terrain_comes_back),
        cmocka_unit_test(one_wrong_entry_anywhere_is_not_made_right),
        cmocka_unit_test(rows_of_different_plans_are_swept_together),
        cmocka_unit_test(a_row_takes_more_passes_where_that_is_worth_it_for_all_that_wait),
        cmocka_unit_test(passes_that_change_nothing_are_left_out),
        cmocka_unit_test(a_maze_of_seeds_is_smaller_than_its_residuals),
        cmocka_unit_test(rows_that_cannot_be_are_refused),
        cmocka_unit_test(any_bytes_are_seeds_or_are_refused),
        cmocka_unit_test(exact_rows_of_either_width_have_seeds),
        cmocka_unit_test(a_cost_that_cannot_be_is_refused_by_every_codec),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
