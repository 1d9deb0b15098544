/* Makes the inputs of the corpora that nobody can write by hand:
 *
 *     make_corpus FOLDER       tests/fuzz/corpus, of which it fills table, letters and row
 *
 * One seed, same inputs, as long as the format of the file stays as it is. */
#include <stdio.h>
#include <string.h>

#include "codec/map_letters.h"
#include "row_worlds.h"
#include "support/check.h"
#include "support/fixtures.h"

static const char *target;

static void write_input(const char *corpus, const char *name, const uint8_t *front,
                        size_t front_size, const uint8_t *bytes, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/%s", target, corpus, name);
    FILE *file = fopen(path, "wb");
    bool ok = file && fwrite(front, 1, front_size, file) == front_size &&
              fwrite(bytes, 1, size, file) == size;
    if (!file || fclose(file) != 0 || !ok) {
        perror(path);
        exit(1);
    }
}

/* ---------------------------------------------------------------------------------- tables -- */

static void write_table(cairn_map *map, uint32_t rows, const char *name,
                        const cairn_save_options *options)
{
    cairn_table *table = table_of(map, rows);
    uint8_t *bytes;
    size_t size;
    assert_int_equal(cairn_save_bytes(map, table, options, &bytes, &size), CAIRN_OK);
    write_input("table", name, NULL, 0, bytes, size);
    cairn_bytes_free(map, bytes);
    cairn_table_free(table);
}

static void write_every_codec(cairn_map *map, uint32_t rows, const char *name)
{
    static const char *const codecs[] = {"best", "raw", "predictor"};
    for (unsigned codec = 0; codec < COUNT_OF(codecs); codec++) {
        cairn_save_options options = {
            .size = sizeof options, .codec = (cairn_codec)codec, .thread_count = 1};
        char full[128];
        snprintf(full, sizeof full, "%s_%s", name, codecs[codec]);
        write_table(map, rows, full, &options);
    }
    cairn_map_free(map);
}

static void write_pictures(void)
{
    static const struct {
        const char *name;
        map_kind kind;
        uint32_t width;
        uint32_t height;
        cairn_metric metric;
        uint32_t rows;
    } all[] = {
        {"one_cell", MAP_ONE_CELL, 1, 1, {5, 7}, 1},
        {"one_row", MAP_ONE_ROW, 90, 1, {5, 7}, 2},
        {"one_column", MAP_ONE_COLUMN, 1, 70, {2378, 3363}, 2},
        {"all_blocked", MAP_ALL_BLOCKED, 7, 5, {5, 7}, 1},
        {"chessboard", MAP_CHESSBOARD, 9, 8, {5, 7}, 3},
        {"cave", MAP_CAVE, 40, 33, {5, 7}, 3},
        {"rooms", MAP_ROOMS, 33, 17, {2378, 3363}, 4},
        {"maze", MAP_MAZE, 31, 21, {1, 2}, 2},
        {"islands", MAP_ISLANDS, 48, 20, {10, 14}, 2},
        {"dust", MAP_DUST, 40, 20, {1, 1}, 1},
    };
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        picture drawn = random_map(all[i].kind, all[i].width, all[i].height, i);
        write_every_codec(map_of(&drawn, all[i].metric), all[i].rows, all[i].name);
        picture_free(&drawn);
    }
}

static void write_rules(void)
{
    static const char *const names[] = {"8", "4", "8_one", "8_any", "hex"};
    static const char terrain[] = "S=3,G=7,one-way";
    picture drawn = PICTURE("..SS@....", ".SSGG@...", ".>>.G....", "^@@..<@@.", "....vv...",
                            "GG.@SS.GG");
    cairn_alphabet alphabet;

    cairn_alphabet_init(&alphabet);
    assert_int_equal(cairn_alphabet_parse(terrain, strlen(terrain), &alphabet, NULL), CAIRN_OK);
    for (unsigned i = 0; i < 2 * COUNT_OF(names); i++) {
        cairn_map_options options = {.size = sizeof options,
                                     .metric = {5, 7},
                                     .rule = (cairn_rule)(i / 2),
                                     .charge = (cairn_charge)(i % 2),
                                     .alphabet = &alphabet};
        cairn_save_options save = {.size = sizeof save,
                                   .thread_count = 1,
                                   .codec = i % 3 ? CAIRN_CODEC_PREDICTOR : CAIRN_CODEC_RAW};
        cairn_map *map;
        char name[64];
        assert_int_equal(
            cairn_map_from_letters(drawn.width, drawn.height, drawn.letters, &options, &map, NULL),
            CAIRN_OK);
        snprintf(name, sizeof name, "terrain_%s_%s", names[i / 2], i % 2 ? "average" : "entered");
        write_table(map, 2, name, &save);
        cairn_map_free(map);
    }
    picture_free(&drawn);
}

static void write_units_on(cairn_map *map, uint32_t size, const char *name)
{
    const cairn_save_options save = {.size = sizeof save, .thread_count = 1};
    cairn_map *units;
    assert_int_equal(cairn_map_for_units(map, size, CAIRN_ANCHOR_TOP_LEFT, &units), CAIRN_OK);
    write_table(units, 2, name, &save);
    cairn_map_free(units);
    cairn_map_free(map);
}

/* Where one-way cells lie below a unit, its map has letters that no other file has. */
static void write_units(void)
{
    static const char terrain[] = "S=3,one-way";
    picture drawn = PICTURE("...SS....", "..SSS....", ".>>......", "^.....<..", "....vv...",
                            "SS..SS.SS");
    cairn_alphabet alphabet;
    cairn_map *map;
    cairn_alphabet_init(&alphabet);
    assert_int_equal(cairn_alphabet_parse(terrain, strlen(terrain), &alphabet, NULL), CAIRN_OK);
    const cairn_map_options options = {
        .size = sizeof options, .metric = {5, 7}, .alphabet = &alphabet};
    assert_int_equal(
        cairn_map_from_letters(drawn.width, drawn.height, drawn.letters, &options, &map, NULL),
        CAIRN_OK);
    write_units_on(map, 2, "units_2_terrain");
    picture_free(&drawn);
    drawn = random_map(MAP_CAVE, 40, 33, 5);
    write_units_on(map_of(&drawn, (cairn_metric){5, 7}), 3, "units_3");
    picture_free(&drawn);
}

static void write_graphs(void)
{
    static const char roads[] =
        "p sp 9 14\na 1 2 5\na 2 1 5\na 2 3 7\na 3 2 8\na 3 4 1\na 4 5 9\na 5 4 3\na 5 1 40\n"
        "a 1 5 12\na 3 1 2\na 6 7 1\na 7 8 1\na 8 6 1\na 5 6 100000\n";
    static const char places[] =
        "p aux sp co 9\nv 1 0 0\nv 2 3 4\nv 3 9 -2\nv 4 8 -2\nv 5 -20 7\nv 6 100 100\n"
        "v 7 101 100\nv 8 100 101\nv 9 2147483647 -2147483647\n";
    for (unsigned with = 0; with < 2; with++) {
        cairn_map *map;
        assert_int_equal(cairn_roads_parse(roads, sizeof roads - 1, with ? places : NULL,
                                           with ? sizeof places - 1 : 0, NULL, &map, NULL),
                         CAIRN_OK);
        write_every_codec(map, 2, with ? "graph_places" : "graph");
    }
}

static void write_without_map(void)
{
    cairn_save_options options = {
        .size = sizeof options, .thread_count = 1, .map_part = CAIRN_MAP_LEFT_OUT};
    cairn_map *hall = fuzz_hall();
    write_table(hall, 3, "without_map", &options);
    cairn_map_free(hall);
}

/* ------------------------------------------------------------------------- letters and rows -- */

static void write_letters(void)
{
    for (uint32_t kind = 0; kind < MAP_KINDS; kind++) {
        picture drawn = random_map((map_kind)kind, 30, 20, 3);
        cn_mem mem = cn_mem_from(NULL);
        cn_buffer packed = {.mem = &mem};
        uint8_t front[2] = {(uint8_t)(drawn.width - 1), (uint8_t)(drawn.height - 1)};
        char name[32];

        cn_letters_pack((const uint8_t *)drawn.letters, drawn.width, drawn.height, &packed);
        assert_int_equal(packed.status, CAIRN_OK);
        snprintf(name, sizeof name, "kind_%u", kind);
        write_input("letters", name, front, sizeof front, packed.bytes, packed.size);
        cn_buffer_free(&packed);
        picture_free(&drawn);
    }
}

static void write_row(uint32_t number, cairn_codec codec)
{
    const row_world *world = row_world_of(number);
    cairn_build_options options = {.size = sizeof options,
                                   .thread_count = 1,
                                   .placement = CAIRN_PLACE_LIST,
                                   .landmark_count = 1,
                                   .listed = &world->landmark,
                                   .listed_count = 1};
    cairn_table *table;
    cn_packed packed;
    char name[64];

    assert_int_equal(cairn_table_build(world->map, &options, &table), CAIRN_OK);
    if (cairn_table_entry_bits(table) != world->layout.bits)
        assert_int_equal(cn_table_widen(table), CAIRN_OK);
    cn_packer *packer;
    assert_int_equal(cn_packer_new(&world->layout, 0, &packer), CAIRN_OK);
    cn_packing packing = {codec, CN_STYLE_TWO_DOWN};
    assert_int_equal(cn_pack_table_row(packer, table, 0, packing, &packed), CAIRN_OK);
    uint8_t front = (uint8_t)(number + ROW_WORLDS * packed.codec_id);
    snprintf(name, sizeof name, "world_%u_codec_%u", number, packed.codec_id);
    write_input("row", name, &front, 1, packed.bytes, packed.size);
    cn_release(&world->layout.mem, packed.bytes);
    cn_packer_free(packer);
    cairn_table_free(table);
}

int main(int count, char **words)
{
    if (count != 2) {
        fprintf(stderr, "usage: make_corpus FOLDER\n");
        return 2;
    }
    target = words[1];
    write_pictures();
    write_rules();
    write_units();
    write_graphs();
    write_without_map();
    write_letters();
    for (uint32_t world = 0; world < ROW_WORLDS; world++) {
        for (cairn_codec codec = CAIRN_CODEC_BEST; codec <= CAIRN_CODEC_PREDICTOR; codec++)
            write_row(world, codec);
    }
    return 0;
}
