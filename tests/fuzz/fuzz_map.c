/* Maps in the Moving AI format, under every rule and with letters of several costs. */
#include "fuzz.h"

#include <stdlib.h>

static const char *const terrains[] = {"S=1", "S=3,G=7,x=65534", "one-way", "W=2,w=5,one-way"};

static void parse(const char *text, size_t size, const cairn_map_options *options)
{
    cairn_map *map;
    cairn_error error;
    cairn_status status = cairn_map_parse(text, size, options, &map, &error);

    if (status != CAIRN_OK) {
        FUZZ_CHECK(!map);
        if (status == CAIRN_E_LIMIT && error.line == 0)
            FUZZ_CHECK(options);  /* the dearest step may be too dear, whatever the text */
        else
            fuzz_check_text_refusal(status, &error, size);
        return;
    }
    fuzz_check_map(map);
    FUZZ_CHECK(cairn_map_kind_of(map) == CAIRN_MAP_GRAPH || cairn_map_node_count(map) <= size);
    cairn_map_free(map);
}

static void parse_varied(const char *text, size_t size, uint32_t pick)
{
    fuzz_memory memory;
    cairn_alphabet alphabet;
    cairn_map_options options = {.size = sizeof options,
                                 .metric = pick & 1 ? (cairn_metric){5, 7}
                                                    : CAIRN_METRIC_OCTILE,
                                 .rule = (cairn_rule)(pick / 2 % 5),
                                 .charge = (cairn_charge)(pick / 16 % 2),
                                 .alphabet = &alphabet,
                                 .allocator = &memory.allocator};
    const char *terrain = terrains[pick / 32 % 4];

    cairn_alphabet_init(&alphabet);
    size_t length = 0;
    while (terrain[length])
        length++;
    FUZZ_CHECK(cairn_alphabet_parse(terrain, length, &alphabet, NULL) == CAIRN_OK);
    /* A graph takes memory for nodes that no line names, but never much. */
    fuzz_memory_init(&memory, ((size_t)8 << 20) + 64 * size);
    parse(text, size, &options);
    fuzz_memory_check(&memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    parse((const char *)data, size, NULL);
    parse_varied((const char *)data, size, fuzz_pick(data, size));
    return 0;
}
