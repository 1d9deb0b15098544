/* Lists of edits, and what they do to a map and its table. */
#include "fuzz.h"

#include <stdlib.h>

enum { EDITS_MOST = 100 };

/* The map as its letters say, made anew. */
static void check_cells(const cairn_map *map)
{
    uint32_t count = cairn_map_node_count(map);
    char *letters = malloc(count);
    cairn_map *anew;
    FUZZ_CHECK(letters);
    for (cairn_node node = 0; node < count; node++)
        letters[node] = cairn_map_letter(map, node);
    FUZZ_CHECK(cairn_map_from_letters(cairn_map_width(map), cairn_map_height(map), letters, NULL,
                                      &anew, NULL) == CAIRN_OK);
    FUZZ_CHECK(cairn_map_hash(anew) == cairn_map_hash(map));
    FUZZ_CHECK(cairn_map_open_count(anew) == cairn_map_open_count(map));
    cairn_map_free(anew);
    free(letters);
}

static void apply(const cairn_edits *edits)
{
    cairn_build_options options = {
        .size = sizeof options, .landmark_count = 2, .thread_count = 1};
    const cairn_edit *items = cairn_edits_items(edits);
    cairn_map *map = fuzz_hall();
    cairn_table *table;

    FUZZ_CHECK(cairn_table_build(map, &options, &table) == CAIRN_OK);
    for (size_t i = 0; i < cairn_edits_count(edits) && i < EDITS_MOST; i++) {
        cairn_status status = cairn_map_edit(map, &items[i], 1);
        FUZZ_CHECK(status == CAIRN_OK || status == CAIRN_E_ARGUMENT || status == CAIRN_E_FORMAT);
        if (i % 8 == 5)
            (void)cairn_refresh_step(table, map, CAIRN_CELLS(20));
    }
    check_cells(map);
    FUZZ_CHECK(cairn_refresh_step(table, map, CAIRN_UNLIMITED) == CAIRN_OK);
    FUZZ_CHECK(cairn_table_verify(table, map, 1, NULL) == CAIRN_OK);
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
    apply(edits);
    cairn_edits_free(edits);
    return 0;
}
