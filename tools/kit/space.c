#include "space.h"

const char *const kit_space_words[] = {"auto", "cells", "jump", NULL};
