#include "codec.h"

#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"

static const cairn_codec all_codecs[] = {CAIRN_CODEC_BEST, CAIRN_CODEC_RAW,
                                         CAIRN_CODEC_PREDICTOR};

/* Any numbers at all, with whole stretches unreachable: a codec may not count on true costs. */
static void fill_plane(void *plane, size_t count, unsigned bits, unsigned salt)
{
    uint32_t number = salt * 2654435761u + 1;
    for (size_t i = 0; i < count; i++) {
        number = number * 1664525u + 1013904223u;
        uint32_t entry = number >> 29 == 0 ? UINT32_MAX : number >> 3;
        if (number >> 20 & 1)
            entry = (uint32_t)i * 2378;
        if (bits == 16)
            ((uint16_t *)plane)[i] = (uint16_t)entry;
        else
            ((uint32_t *)plane)[i] = entry > CAIRN_COST_MAX ? UINT32_MAX : entry;
    }
}

static uint32_t entry_of(const void *plane, size_t i, unsigned bits)
{
    return bits == 16 ? ((const uint16_t *)plane)[i] : ((const uint32_t *)plane)[i];
}

static void check_round_trip(const cairn_map *map, unsigned bits, cairn_codec codec, unsigned salt)
{
    cn_codec_frame frame = cn_codec_frame_of(map, cairn_map_metric(map), bits);
    cn_mem mem = cn_mem_from(NULL);
    size_t count = frame.size / (bits / 8);
    void *plane = malloc(frame.size), *back = malloc(frame.size);
    cn_packed packed;

    fill_plane(plane, count, bits, salt);
    memset(back, 0x5a, frame.size);
    assert_int_equal(cn_codec_pack(&frame, plane, codec, &mem, &packed), CAIRN_OK);
    assert_true(cn_codec_is_plausible(&frame, packed.codec, packed.size));
    assert_int_equal(cn_codec_unpack(&frame, packed.codec, packed.bytes, packed.size, &mem, back),
                     CAIRN_OK);
    for (uint32_t y = 0; y < cairn_map_height(map); y++) {
        for (uint32_t x = 0; x < cairn_map_width(map); x++) {
            if (cairn_map_is_open(map, cairn_node_at(map, x, y)))
                assert_int_equal(entry_of(plane, y * frame.stride + x, bits),
                                 entry_of(back, y * frame.stride + x, bits));
        }
    }
    cn_release(&mem, packed.bytes);
    free(plane);
    free(back);
}

static void every_codec_gives_back_any_entries(void **state)
{
    (void)state;
    picture drawn = PICTURE("..@..@...", "@.@.....@", ".......@.", "@@@@@@@@@", ".........");
    for (unsigned metric = 0; metric < FIXTURE_METRICS; metric++) {
        cairn_map *map = map_of(&drawn, fixture_metrics[metric]);
        for (unsigned codec = 0; codec < COUNT_OF(all_codecs); codec++) {
            for (unsigned salt = 0; salt < 40; salt++) {
                check_round_trip(map, 16, all_codecs[codec], salt);
                check_round_trip(map, 32, all_codecs[codec], salt);
            }
        }
        cairn_map_free(map);
    }
    picture_free(&drawn);
}

static void a_map_without_an_open_cell_packs_to_next_to_nothing(void **state)
{
    (void)state;
    picture drawn = PICTURE("@@", "@@");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    for (unsigned codec = 0; codec < COUNT_OF(all_codecs); codec++)
        check_round_trip(map, 32, all_codecs[codec], 1);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void the_raw_codec_is_the_open_cells_little_endian(void **state)
{
    (void)state;
    picture drawn = PICTURE(".@", "..");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cn_mem mem = cn_mem_from(NULL);
    cn_codec_frame frame = cn_codec_frame_of(map, cairn_map_metric(map), 16);
    uint16_t plane[4] = {0};
    static const uint8_t expected[] = {0x34, 0x12, 0xff, 0xff, 0x02, 0x01};
    cn_packed packed;

    assert_true(frame.size <= sizeof plane);
    plane[0] = 0x1234;
    plane[frame.stride] = 0xffff;
    plane[frame.stride + 1] = 0x0102;
    assert_int_equal(cn_codec_pack(&frame, plane, CAIRN_CODEC_RAW, &mem, &packed), CAIRN_OK);
    assert_int_equal(packed.codec, CN_CODEC_RAW);
    assert_int_equal(packed.size, sizeof expected);
    assert_memory_equal(packed.bytes, expected, sizeof expected);
    cn_release(&mem, packed.bytes);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void the_predictor_shrinks_real_costs(void **state)
{
    (void)state;
    picture drawn = picture_filled(200, 200, '.');
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cn_mem mem = cn_mem_from(NULL);
    cn_codec_frame frame = cn_codec_frame_of(map, cairn_map_metric(map), 32);
    uint32_t *plane = malloc(frame.size);
    cn_packed packed;

    cairn_node corner = 0;
    assert_int_equal(cairn_costs_from(map, &corner, 1, plane), CAIRN_OK);
    assert_int_equal(cn_codec_pack(&frame, plane, CAIRN_CODEC_PREDICTOR, &mem, &packed),
                     CAIRN_OK);
    assert_true(packed.size * 50 < frame.size);
    cn_release(&mem, packed.bytes);
    free(plane);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void rows_that_cannot_be_are_refused(void **state)
{
    (void)state;
    picture drawn = PICTURE("....", "....");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cn_mem mem = cn_mem_from(NULL);
    cn_codec_frame frame = cn_codec_frame_of(map, cairn_map_metric(map), 32);
    uint8_t bytes[64] = {0};
    uint32_t plane[8];

    assert_int_equal(cn_codec_unpack(&frame, CN_CODEC_RAW, bytes, 32, &mem, plane), CAIRN_OK);
    assert_int_equal(cn_codec_unpack(&frame, CN_CODEC_RAW, bytes, 31, &mem, plane),
                     CAIRN_E_FORMAT);
    assert_int_equal(cn_codec_unpack(&frame, CN_CODEC_RAW, bytes, 33, &mem, plane),
                     CAIRN_E_FORMAT);
    memset(bytes, 0xff, 4);
    assert_int_equal(cn_codec_unpack(&frame, CN_CODEC_RAW, bytes, 32, &mem, plane), CAIRN_OK);
    bytes[3] = 0x40;
    assert_int_equal(cn_codec_unpack(&frame, CN_CODEC_RAW, bytes, 32, &mem, plane),
                     CAIRN_E_FORMAT);
    memset(bytes, 0, sizeof bytes);
    assert_int_equal(cn_codec_unpack(&frame, CN_CODEC_PREDICTOR, bytes, 8, &mem, plane),
                     CAIRN_E_FORMAT);
    assert_int_equal(cn_codec_unpack(&frame, 99, bytes, 8, &mem, plane), CAIRN_E_VERSION);
    cairn_map_free(map);
    picture_free(&drawn);
}

static void a_cost_that_cannot_be_is_refused_by_every_codec(void **state)
{
    (void)state;
    static const uint32_t impossible[] = {CAIRN_COST_MAX + 1, 0x40000000, 0x80000000, 0xfffffffe};
    static const cairn_codec codecs[] = {CAIRN_CODEC_RAW, CAIRN_CODEC_PREDICTOR};
    picture drawn = PICTURE("....", "....");
    cairn_map *map = map_of(&drawn, CAIRN_METRIC_OCTILE);
    cn_mem mem = cn_mem_from(NULL);
    cn_codec_frame frame = cn_codec_frame_of(map, cairn_map_metric(map), 32);
    cn_packed packed;

    for (size_t i = 0; i < COUNT_OF(codecs) * COUNT_OF(impossible) * 8; i++) {
        uint32_t plane[8] = {0, 5, 10, 15, 5, 7, 12, 17};
        plane[i % 8] = impossible[i / 8 % COUNT_OF(impossible)];
        cairn_codec codec = codecs[i / 8 / COUNT_OF(impossible)];
        assert_int_equal(cn_codec_pack(&frame, plane, codec, &mem, &packed), CAIRN_OK);
        assert_int_equal(cn_codec_unpack(&frame, packed.codec, packed.bytes, packed.size, &mem,
                                         plane), CAIRN_E_FORMAT);
        cn_release(&mem, packed.bytes);
    }
    cairn_map_free(map);
    picture_free(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_codec_gives_back_any_entries),
        cmocka_unit_test(a_map_without_an_open_cell_packs_to_next_to_nothing),
        cmocka_unit_test(the_raw_codec_is_the_open_cells_little_endian),
        cmocka_unit_test(the_predictor_shrinks_real_costs),
        cmocka_unit_test(rows_that_cannot_be_are_refused),
        cmocka_unit_test(a_cost_that_cannot_be_is_refused_by_every_codec),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
