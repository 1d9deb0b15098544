/* Codecs of rows as people write and read them. */
#ifndef KIT_CODEC_H
#define KIT_CODEC_H

#include "args.h"
#include "cairn/cairn.h"

/* The words for codecs, in the order of the library's numbers; ends with NULL. */
extern const char *const kit_codecs[];

/* The word for the codec of a row in an outline, where CAIRN_CODEC_BEST means one that this build
 * does not have. */
const char *kit_codec_word(cairn_codec codec);

/* The option that every command that writes tables has. */
#define KIT_CODEC(settings)                                                        \
  {                                                                                \
    .name = "codec", .value = "CODEC", .read = kit_read_word, .words = kit_codecs, \
    .help = "of the rows: best (default), raw, predictor, seeds",                  \
    .offset = offsetof(settings, codec)                                            \
  }

#endif
