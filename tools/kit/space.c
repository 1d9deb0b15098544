#include "space.h"

const char *const kit_space_words[] = {
    [CAIRN_SPACE_AUTO] = "auto",
    [CAIRN_SPACE_CELLS] = "cells",
    [CAIRN_SPACE_JUMP] = "jump",
    NULL,
};
