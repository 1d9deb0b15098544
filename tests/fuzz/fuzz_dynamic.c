/* Maps that change over time: a scenario of version 2 and, from the line "type patch" on, the patch
 * file that it names. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS_MOST = 1 << 14, EVENTS_MOST = 500 };

static size_t patches_start(const char *text, size_t size)
{
    static const char line[] = "\ntype patch";
    for (size_t at = 0; at + sizeof line - 1 <= size; at++) {
        if (memcmp(text + at, line, sizeof line - 1) == 0)
            return at + 1;
    }
    return size;
}

static cairn_map *open_map(const cairn_dynamic *dynamic)
{
    uint32_t width = cairn_dynamic_width(dynamic), height = cairn_dynamic_height(dynamic);
    char *letters = malloc((size_t)width * height);
    cairn_map *map;
    FUZZ_CHECK(letters);
    memset(letters, '.', (size_t)width * height);
    FUZZ_CHECK(cairn_map_from_letters(width, height, letters, NULL, &map, NULL) == CAIRN_OK);
    free(letters);
    return map;
}

/* Every event fits the map. */
static void play(const cairn_dynamic *dynamic)
{
    const cairn_event *events = cairn_dynamic_events(dynamic);
    size_t count = cairn_dynamic_count(dynamic);
    cairn_map *map = open_map(dynamic);

    for (size_t i = 0; i < count && i < EVENTS_MOST; i++) {
        if (events[i].kind == CAIRN_EVENT_EDIT) {
            FUZZ_CHECK(cairn_map_edit(map, &events[i].edit, 1) == CAIRN_OK);
            continue;
        }
        FUZZ_CHECK(events[i].query.start < cairn_map_node_count(map));
        FUZZ_CHECK(events[i].query.goal < cairn_map_node_count(map));
    }
    fuzz_check_map(map);
    cairn_map_free(map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    size_t start = patches_start(text, size);
    cairn_dynamic *dynamic;
    cairn_error error;
    cairn_status status = cairn_dynamic_parse(text, start, text + start, size - start, &dynamic,
                                              &error);
    if (status != CAIRN_OK) {
        FUZZ_CHECK(!dynamic);
        fuzz_check_text_refusal(status, &error, size);
        return 0;
    }
    if ((uint64_t)cairn_dynamic_width(dynamic) * cairn_dynamic_height(dynamic) <= CELLS_MOST)
        play(dynamic);
    cairn_dynamic_free(dynamic);
    return 0;
}
