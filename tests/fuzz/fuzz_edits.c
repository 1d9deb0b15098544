/* Lists of edits, and what they do to maps and their tables: a grid, a graph that costs the same
 * both ways, and one that does not. */
#include "fuzz.h"

#include <stdlib.h>

enum { EDITS_MOST = 100 };

static cairn_map *graph(bool is_directed)
{
    static const cairn_arc arcs[] = {{0, 1, 5}, {1, 0, 5}, {1, 2, 4}, {2, 1, 4}, {2, 3, 9},
                                     {3, 2, 9}, {3, 0, 1}, {0, 3, 1}, {1, 3, 7}};
    cairn_map *map;
    FUZZ_CHECK(cairn_map_from_arcs(5, arcs, is_directed ? 9 : 8, NULL, NULL, NULL, &map, NULL) ==
               CAIRN_OK);
    FUZZ_CHECK(cairn_map_is_directed(map) == is_directed);
    return map;
}

/* The map made again from its letters. */
static void check_cells(const cairn_map *map)
{
    uint32_t count = cairn_map_node_count(map);
    char *letters = malloc(count);
    cairn_map *again;
    FUZZ_CHECK(letters);
    for (cairn_node node = 0; node < count; node++)
        letters[node] = cairn_map_letter(map, node);
    FUZZ_CHECK(cairn_map_from_letters(cairn_map_width(map), cairn_map_height(map), letters, NULL,
                                      &again, NULL) == CAIRN_OK);
    FUZZ_CHECK(cairn_map_hash(again) == cairn_map_hash(map));
    FUZZ_CHECK(cairn_map_open_count(again) == cairn_map_open_count(map));
    cairn_map_free(again);
    free(letters);
}

static cairn_table *table_of(cairn_map *map)
{
    cairn_build_options options = {.size = sizeof options, .landmark_count = 2, .thread_count = 1};
    cairn_table *table;
    FUZZ_CHECK(cairn_table_build(map, &options, &table) == CAIRN_OK);
    return table;
}

/* What is exact can be saved, and what was saved can be loaded. */
static void check_file(const cairn_map *map, const cairn_table *table)
{
    cairn_map *again_map;
    cairn_table *again;
    uint8_t *bytes;
    size_t size;
    FUZZ_CHECK(cairn_table_verify(table, map, 1, NULL) == CAIRN_OK);
    FUZZ_CHECK(cairn_save_bytes(map, table, NULL, &bytes, &size) == CAIRN_OK);
    FUZZ_CHECK(cairn_load_bytes(bytes, size, NULL, &again_map, &again, NULL) == CAIRN_OK);
    FUZZ_CHECK(cairn_map_hash(again_map) == cairn_map_hash(map));
    FUZZ_CHECK(cairn_table_verify(again, again_map, 1, NULL) == CAIRN_OK);
    cairn_bytes_free(map, bytes);
    cairn_table_free(again);
    cairn_map_free(again_map);
}

/* Takes the map. */
static void apply(const cairn_edits *edits, cairn_map *map)
{
    const cairn_edit *items = cairn_edits_items(edits);
    cairn_table *table = table_of(map);

    for (size_t i = 0; i < cairn_edits_count(edits) && i < EDITS_MOST; i++) {
        cairn_status status = cairn_map_edit(map, &items[i], 1);
        FUZZ_CHECK(status == CAIRN_OK || status == CAIRN_E_ARGUMENT || status == CAIRN_E_FORMAT ||
                   status == CAIRN_E_LIMIT);
        if (i % 8 == 5)
            (void)cairn_refresh_step(table, map, CAIRN_CELLS(20));
    }
    if (cairn_map_kind_of(map) == CAIRN_MAP_GRID)
        check_cells(map);
    FUZZ_CHECK(cairn_refresh_step(table, map, CAIRN_UNLIMITED) == CAIRN_OK);
    check_file(map, table);
    cairn_table_free(table);
    cairn_map_free(map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_edits *edits;
    cairn_error error;
    cairn_status status = cairn_edits_parse((const char *)data, size, &edits, &error);

    if (status != CAIRN_OK) {
        FUZZ_CHECK(!edits);
        fuzz_check_text_refusal(status, &error, size);
        return 0;
    }
    apply(edits, fuzz_hall());
    apply(edits, graph(false));
    apply(edits, graph(true));
    cairn_edits_free(edits);
    return 0;
}
