#include "codec.h"

const char *const kit_codecs[] = {"best", "raw", "predictor", "seeds", NULL};

const char *kit_codec_word(cairn_codec codec)
{
    return codec == CAIRN_CODEC_BEST ? "unknown" : kit_codecs[codec];
}
