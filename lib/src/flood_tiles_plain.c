#include "flood_tiles.h"
const cn_tile_kernel cn_tile_kernels_plain[2] = {{0}};
