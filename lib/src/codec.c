#include <string.h>

#include "codec_parts.h"
#include "deflate.h"

enum { FRONT = 64 };  /* bytes before and after a plane */

/* ------------------------------------------------------------------------------- frames -- */

/* All comparisons of a word at once let the compiler use vectors. */
static void find_open(const cn_grid *grid, const uint8_t *letters, uint64_t *open)
{
    for (uint32_t x = 0; x < grid->width; x += 64) {
        uint32_t count = grid->width - x < 64 ? grid->width - x : 64;
        uint64_t word = 0;
        for (uint32_t i = 0; i < count; i++)
            word |= (uint64_t)grid->open_letter[letters[x + i]] << i;
        open[x / 64] = word;
    }
}

cairn_status cn_codec_frame_init(cn_codec_frame *frame, const cairn_map *map, cairn_metric metric,
                                 unsigned bits, const cn_mem *mem)
{
    const cn_grid *grid = &map->grid;
    size_t lanes = 512 / bits;
    size_t words = (grid->width + 63u) / 64;

    *frame = (cn_codec_frame){
        .mem = *mem,
        .map = map,
        .metric = metric,
        .bits = bits,
        .cpu = cn_cpu_level(),
        .stride = (grid->width + lanes - 1) / lanes * lanes,
        .open_stride = words + 2,
    };
    frame->open_memory = cn_zeroed(mem, (grid->height + 2u) * frame->open_stride,
                                   sizeof(uint64_t));
    if (!frame->open_memory)
        return CAIRN_E_MEMORY;
    frame->open = frame->open_memory + frame->open_stride + 1;
    for (uint32_t y = 0; y < grid->height; y++)
        find_open(grid, grid->letters + (size_t)y * grid->width,
                  frame->open + y * frame->open_stride);
    return CAIRN_OK;
}

void cn_codec_frame_free(cn_codec_frame *frame)
{
    cn_release(&frame->mem, frame->open_memory);
    frame->open_memory = NULL;
    frame->open = NULL;
}

/* The rows beside the map are read, though what is read never counts: it had better be there. */
void *cn_codec_plane_new(const cn_codec_frame *frame)
{
    size_t row = frame->stride * (frame->bits / 8), height = frame->map->grid.height;
    uint8_t *block = cn_array(&frame->mem, (height + 2) * row + 2 * FRONT, 1);
    if (!block)
        return NULL;
    memset(block, 0xff, FRONT + row);
    memset(block + FRONT + (height + 1) * row, 0xff, row + FRONT);
    return block + FRONT + row;
}

void cn_codec_plane_free(const cn_codec_frame *frame, void *plane)
{
    if (plane)
        cn_release(&frame->mem, (uint8_t *)plane - FRONT - frame->stride * (frame->bits / 8));
}

/* ------------------------------------------------------------------------------- packing -- */

static cairn_status pack_with(const cn_codec_frame *frame, const void *plane,
                              cn_row_landmarks landmarks, uint32_t codec, cn_packed *packed)
{
    *packed = (cn_packed){.codec = codec};
    switch (codec) {
    case CN_CODEC_RAW: return cn_raw_pack(frame, plane, packed);
    case CN_CODEC_PREDICTOR: return cn_predictor_pack(frame, plane, packed);
    case CN_CODEC_SEEDS: return cn_seeds_pack(frame, plane, landmarks, packed);
    default: return CAIRN_E_ARGUMENT;
    }
}

/* Seeds are always the smallest where they exist: fewer seeds than cells have residuals. */
static cairn_status pack_seeds_or_residuals(const cn_codec_frame *frame, const void *plane,
                                            cn_row_landmarks landmarks, cn_packed *packed)
{
    cairn_status status = pack_with(frame, plane, landmarks, CN_CODEC_SEEDS, packed);
    if (status == CAIRN_E_INEXACT)
        status = pack_with(frame, plane, landmarks, CN_CODEC_PREDICTOR, packed);
    return status;
}

static cairn_status pack_best(const cn_codec_frame *frame, const void *plane,
                              cn_row_landmarks landmarks, cn_packed *packed)
{
    size_t raw_size = (size_t)frame->map->grid.open_count * (frame->bits / 8);
    cairn_status status = pack_seeds_or_residuals(frame, plane, landmarks, packed);
    if (status != CAIRN_OK || packed->size < raw_size)
        return status;
    cn_release(&frame->mem, packed->bytes);
    return pack_with(frame, plane, landmarks, CN_CODEC_RAW, packed);
}

cairn_status cn_codec_pack(const cn_codec_frame *frame, const void *plane,
                           cn_row_landmarks landmarks, cairn_codec wanted, cn_packed *packed)
{
    switch (wanted) {
    case CAIRN_CODEC_BEST: return pack_best(frame, plane, landmarks, packed);
    case CAIRN_CODEC_RAW: return pack_with(frame, plane, landmarks, CN_CODEC_RAW, packed);
    case CAIRN_CODEC_PREDICTOR:
        return pack_with(frame, plane, landmarks, CN_CODEC_PREDICTOR, packed);
    case CAIRN_CODEC_SEEDS: return pack_seeds_or_residuals(frame, plane, landmarks, packed);
    }
    *packed = (cn_packed){0};
    return CAIRN_E_ARGUMENT;
}

/* ------------------------------------------------------------------------------ unpacking -- */

bool cn_codec_is_plausible(const cn_codec_frame *frame, uint32_t codec, uint64_t size)
{
    uint64_t entries = (uint64_t)frame->map->grid.open_count * (frame->bits / 8);
    switch (codec) {
    case CN_CODEC_RAW: return size == entries;
    case CN_CODEC_PREDICTOR: return entries <= cn_inflate_bound(size);
    default: return true;
    }
}

cairn_status cn_codec_unpack(const cn_codec_frame *frame, uint32_t codec, const uint8_t *bytes,
                             size_t size, cn_row_landmarks landmarks, void *plane)
{
    switch (codec) {
    case CN_CODEC_RAW: return cn_raw_unpack(frame, bytes, size, plane);
    case CN_CODEC_PREDICTOR: return cn_predictor_unpack(frame, bytes, size, plane);
    case CN_CODEC_SEEDS: return cn_seeds_unpack(frame, bytes, size, landmarks, plane);
    default: return CAIRN_E_VERSION;
    }
}
