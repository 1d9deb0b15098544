#include "codec_parts.h"
#include "deflate.h"

cn_codec_frame cn_codec_frame_of(const cairn_map *map, cairn_metric metric, unsigned bits)
{
    const cn_grid *grid = &map->grid;
    return (cn_codec_frame){
        .map = map,
        .metric = metric,
        .bits = bits,
        .stride = grid->width,
        .size = (size_t)grid->width * grid->height * (bits / 8),
    };
}

static cairn_status pack_with(const cn_codec_frame *frame, const void *plane, uint32_t codec,
                              const cn_mem *mem, cn_packed *packed)
{
    *packed = (cn_packed){.codec = codec};
    switch (codec) {
    case CN_CODEC_RAW: return cn_raw_pack(frame, plane, mem, packed);
    case CN_CODEC_PREDICTOR: return cn_predictor_pack(frame, plane, mem, packed);
    default: return CAIRN_E_ARGUMENT;
    }
}

static cairn_status pack_best(const cn_codec_frame *frame, const void *plane, const cn_mem *mem,
                              cn_packed *packed)
{
    cn_packed best = {0};
    cairn_status status = CAIRN_OK;

    for (uint32_t codec = 0; codec < CN_CODEC_COUNT && status == CAIRN_OK; codec++) {
        cn_packed tried;
        status = pack_with(frame, plane, codec, mem, &tried);
        if (status == CAIRN_OK && (!best.bytes || tried.size < best.size)) {
            cn_release(mem, best.bytes);
            best = tried;
        } else {
            cn_release(mem, tried.bytes);
        }
    }
    if (status != CAIRN_OK) {
        cn_release(mem, best.bytes);
        best = (cn_packed){0};
    }
    *packed = best;
    return status;
}

cairn_status cn_codec_pack(const cn_codec_frame *frame, const void *plane, cairn_codec wanted,
                           const cn_mem *mem, cn_packed *packed)
{
    switch (wanted) {
    case CAIRN_CODEC_BEST: return pack_best(frame, plane, mem, packed);
    case CAIRN_CODEC_RAW: return pack_with(frame, plane, CN_CODEC_RAW, mem, packed);
    case CAIRN_CODEC_PREDICTOR: return pack_with(frame, plane, CN_CODEC_PREDICTOR, mem, packed);
    }
    *packed = (cn_packed){0};
    return CAIRN_E_ARGUMENT;
}

cairn_status cn_codec_unpack(const cn_codec_frame *frame, uint32_t codec, const uint8_t *bytes,
                             size_t size, const cn_mem *mem, void *plane)
{
    switch (codec) {
    case CN_CODEC_RAW: return cn_raw_unpack(frame, bytes, size, plane);
    case CN_CODEC_PREDICTOR: return cn_predictor_unpack(frame, bytes, size, mem, plane);
    default: return CAIRN_E_VERSION;
    }
}

bool cn_codec_is_plausible(const cn_codec_frame *frame, uint32_t codec, uint64_t size)
{
    uint64_t entries = (uint64_t)frame->map->grid.open_count * (frame->bits / 8);
    switch (codec) {
    case CN_CODEC_RAW: return size == entries;
    case CN_CODEC_PREDICTOR: return entries <= cn_inflate_bound(size);
    default: return true;
    }
}
