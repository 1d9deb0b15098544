/* Maps in the Moving AI format, under every rule and with letters of several costs: from memory,
 * and from the disk, where the letters stay in the memory of the text. */
#include "fuzz.h"

#include <string.h>

static const char *const terrains[] = {"S=1", "S=3,G=7,x=65534", "one-way", "W=2,w=5,one-way"};

/* What a file gives is what its text gives. */
static void load(const char *text, size_t size, const cairn_map_options *options,
                 const cairn_map *same, const cairn_error *said)
{
    cairn_map *map;
    cairn_error error;
    cairn_status status = cairn_map_load(fuzz_file((const uint8_t *)text, size), options, &map,
                                         &error);

    FUZZ_CHECK((status == CAIRN_OK) == (same != NULL) && (map != NULL) == (same != NULL));
    if (!same) {
        FUZZ_CHECK(status == said->status && error.status == said->status);
        FUZZ_CHECK(error.line == said->line && error.offset == said->offset);
        FUZZ_CHECK(strcmp(error.found, said->found) == 0);
        return;
    }
    FUZZ_CHECK(cairn_map_hash(map) == cairn_map_hash(same));
    FUZZ_CHECK(cairn_map_node_count(map) == cairn_map_node_count(same));
    for (cairn_node node = 0; node < cairn_map_node_count(map); node++)
        FUZZ_CHECK(cairn_map_kind_of(map) == CAIRN_MAP_GRAPH ||
                   cairn_map_letter(map, node) == cairn_map_letter(same, node));
    fuzz_check_map(map);
    cairn_map_free(map);
}

static void take(const char *text, size_t size, const cairn_map_options *options)
{
    cairn_map *map;
    cairn_error error;
    cairn_status status = cairn_map_parse(text, size, options, &map, &error);

    load(text, size, options, map, &error);
    if (status != CAIRN_OK) {
        FUZZ_CHECK(!map);
        if (status == CAIRN_E_LIMIT && error.line == 0)
            FUZZ_CHECK(options); /* the dearest step may be too dear, whatever the text */
        else
            fuzz_check_text_refusal(status, &error, size);
        return;
    }
    fuzz_check_map(map);
    FUZZ_CHECK(cairn_map_kind_of(map) == CAIRN_MAP_GRAPH || cairn_map_node_count(map) <= size);
    cairn_map_free(map);
}

static void take_varied(const char *text, size_t size, uint32_t pick)
{
    fuzz_memory memory;
    cairn_alphabet alphabet;
    cairn_map_options options = {.size = sizeof options,
                                 .metric = pick & 1 ? (cairn_metric){5, 7} : CAIRN_METRIC_OCTILE,
                                 .rule = (cairn_rule)(pick / 2 % 5),
                                 .charge = (cairn_charge)(pick / 16 % 2),
                                 .alphabet = &alphabet,
                                 .allocator = &memory.allocator};
    const char *terrain = terrains[pick / 32 % 4];

    cairn_alphabet_init(&alphabet);
    FUZZ_CHECK(cairn_alphabet_parse(terrain, strlen(terrain), &alphabet, NULL) == CAIRN_OK);
    /* A graph takes memory for nodes that no line names, but never much. */
    fuzz_memory_init(&memory, ((size_t)8 << 20) + 64 * size);
    take(text, size, &options);
    fuzz_memory_check(&memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    take((const char *)data, size, NULL);
    take_varied((const char *)data, size, fuzz_pick(data, size));
    return 0;
}
