/* What letters cost, as text. */
#include "fuzz.h"

static const char map_text[] = "type octile\nheight 3\nwidth 6\nmap\n.S>v<^\nGGTTWW\n@O.SGW\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cairn_alphabet alphabet;
    cairn_error error;

    cairn_alphabet_init(&alphabet);
    cairn_status status = cairn_alphabet_parse((const char *)data, size, &alphabet, &error);
    if (status != CAIRN_OK) {
        fuzz_check_text_refusal(status, &error, size);
        return 0;
    }
    uint32_t pick = fuzz_pick(data, size);
    cairn_map_options options = {.size = sizeof options,
                                 .rule = (cairn_rule)(pick % 5),
                                 .charge = (cairn_charge)(pick / 8 % 2),
                                 .alphabet = &alphabet};
    cairn_map *map;
    status = cairn_map_parse(map_text, sizeof map_text - 1, &options, &map, &error);
    if (status == CAIRN_OK)
        fuzz_check_map(map);
    else
        fuzz_check_refusal(status, &error);
    cairn_map_free(map);
    return 0;
}
