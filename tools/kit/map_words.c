#include "map_words.h"

#include <stddef.h>

const char *const kit_moves[] = {"8", "4", "8-one", "8-any", "hex", NULL};
const char *const kit_charges[] = {"entered", "average", NULL};
const char *const kit_anchors[] = {"top-left", "middle", NULL};
