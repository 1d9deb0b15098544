/* The colours of pictures and reports. The demo (tools/web/draw.js) has those of searches and marks
 * too; tests/web/run.sh compares them. */
#ifndef RENDER_PALETTE_H
#define RENDER_PALETTE_H

/* Cells that a search expands, with the base heuristic alone and with landmarks. */
#define PALETTE_BASE 0xf4c98a
#define PALETTE_LANDMARKS 0xb9501b

/* What lies on the map. */
#define PALETTE_PATH 0x1d4f9f
#define PALETTE_START 0x2d8a4e
#define PALETTE_GOAL 0xc0243c
#define PALETTE_LANDMARK 0x7a1fa2

/* The map. */
#define PALETTE_FLOOR 0xf6f3ec
#define PALETTE_BLOCKED 0x3a3f47
#define PALETTE_TREES 0x4b6f52
#define PALETTE_WATER 0x5f8fbf
#define PALETTE_SWAMP 0xc9c08f
#define PALETTE_NOWHERE 0xcfcbc2 /* a cell without a value */
#define PALETTE_ROAD 0xa9a69e

/* Words and thin lines. */
#define PALETTE_INK 0x22262b

#endif
