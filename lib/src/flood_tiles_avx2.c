#include "flood_tiles.h"
const cn_tile_kernel cn_tile_kernels_avx2[2] = {{0}};
