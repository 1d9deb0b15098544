/* The letters of a map, modelled: two bytes of width and height, then the coded letters. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "codec/map_letters.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const cn_mem mem;
    uint8_t letters[64 * 64], again[64 * 64];

    if (size < 2)
        return 0;
    uint32_t width = data[0] % 64 + 1u, height = data[1] % 64 + 1u;
    cairn_status status = cn_letters_unpack(data + 2, size - 2, width, height, &mem, NULL, letters);
    FUZZ_CHECK(status == CAIRN_OK || status == CAIRN_E_FORMAT);
    if (status != CAIRN_OK)
        return 0;

    cn_buffer packed = {.mem = &mem};
    cn_letters_pack(letters, width, height, &packed);
    FUZZ_CHECK(packed.status == CAIRN_OK);
    FUZZ_CHECK(cn_letters_unpack(packed.bytes, packed.size, width, height, &mem, NULL, again) ==
               CAIRN_OK);
    FUZZ_CHECK(memcmp(letters, again, (size_t)width * height) == 0);
    cn_buffer_free(&packed);
    return 0;
}
