#include "codec.h"

const char *const kit_codecs[] = {
    [CAIRN_CODEC_BEST] = "best",
    [CAIRN_CODEC_RAW] = "raw",
    [CAIRN_CODEC_PREDICTOR] = "predictor",
    [CAIRN_CODEC_SEEDS] = "seeds",
    NULL,
};

const char *kit_codec_word(cairn_codec codec)
{
    return codec == CAIRN_CODEC_BEST ? "unknown" : kit_codecs[codec];
}
