/* The letters of a map, modelled: two bytes of width and height, then the coded letters. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "codec/map_letters.h"

enum { CELLS_MOST = 4096 * 8 };

static cairn_status unpack(const uint8_t *bytes, size_t size, uint32_t width, uint32_t height,
                           uint64_t decisions_most, uint8_t *letters)
{
    static const cn_mem mem;
    cn_letters_bounds bounds = {decisions_most, NULL};
    return cn_letters_unpack(bytes, size, width, height, &mem, &bounds, letters);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const cn_mem mem;
    static uint8_t letters[CELLS_MOST], again[CELLS_MOST];

    if (size < 2)
        return 0;
    bool is_wide = data[0] >= 128;
    uint32_t width = is_wide ? (data[0] - 127u) * 32 : data[0] % 64 + 1u;
    uint32_t height = data[1] % (is_wide ? 8u : 64u) + 1u;
    cairn_status status = unpack(data + 2, size - 2, width, height, UINT64_MAX, letters);
    FUZZ_CHECK(status == CAIRN_OK || status == CAIRN_E_FORMAT);
    if (status != CAIRN_OK)
        return 0;
    status = unpack(data + 2, size - 2, width, height, fuzz_pick(data, size) % 1000, again);
    FUZZ_CHECK(status == CAIRN_OK || status == CAIRN_E_LIMIT);
    if (status == CAIRN_OK)
        FUZZ_CHECK(memcmp(letters, again, (size_t)width * height) == 0);

    cn_buffer packed = {.mem = &mem};
    cn_letters_pack(letters, width, height, &packed);
    FUZZ_CHECK(packed.status == CAIRN_OK);
    FUZZ_CHECK(unpack(packed.bytes, packed.size, width, height, UINT64_MAX, again) == CAIRN_OK);
    FUZZ_CHECK(memcmp(letters, again, (size_t)width * height) == 0);
    cn_buffer_free(&packed);
    return 0;
}
