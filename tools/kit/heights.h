/* Heights from a grey picture. */
#ifndef KIT_HEIGHTS_H
#define KIT_HEIGHTS_H

#include "cairn/cairn.h"

/* Reads a portable graymap (PGM, as text "P2" or bytes "P5", values up to 65535): a value for each
 * cell is its height. Gives an exit code; heights->cells is for kit_heights_free. */
int kit_heights_read(const char *path, cairn_heights *heights);
void kit_heights_free(cairn_heights *heights);

#endif
