/* The spaces that a search moves along, as words. */
#ifndef KIT_SPACE_H
#define KIT_SPACE_H

#include "args.h"
#include "cairn/cairn.h"

/* The words for values of cairn_space, in their order, for kit_read_word; ends with NULL. */
extern const char *const kit_space_words[];

#define KIT_SPACE(settings)                                                             \
  {                                                                                     \
    .name = "space", .value = "SPACE", .read = kit_read_word, .words = kit_space_words, \
    .help = "what to search along: auto (the fastest), cells or jump",                  \
    .offset = offsetof(settings, space)                                                 \
  }

#endif
