/* Pictures as PNG, where this build has libpng. */
#ifndef RENDER_PNG_FILE_H
#define RENDER_PNG_FILE_H

#include "render/image.h"

bool png_is_built_in(void);

/* The bytes of a PNG file, for free; NULL without libpng or memory. */
uint8_t *png_encode(const image *picture, size_t *size);

/* The bytes of a PNG file of grey values, row by row, of which 65535 is white; else as above. */
uint8_t *png_encode_grey(const uint16_t *pixels, uint32_t width, uint32_t height, size_t *size);

#endif
