/* Maps of many kinds for property tests: one seed, same map everywhere. */
#ifndef SUPPORT_RANDOM_MAPS_H
#define SUPPORT_RANDOM_MAPS_H

#include "picture.h"

typedef enum map_kind {
    MAP_ONE_CELL,
    MAP_ALL_BLOCKED,
    MAP_ALL_OPEN,
    MAP_ONE_ROW,
    MAP_ONE_COLUMN,
    MAP_SPARSE,     /* 10 % blocked */
    MAP_CLUTTERED,  /* 35 % */
    MAP_BROKEN,     /* 55 %: many components */
    MAP_DUST,       /* 85 %: single cells */
    MAP_CHESSBOARD, /* no step anywhere */
    MAP_CAVE,
    MAP_ROOMS,
    MAP_MAZE,    /* corridors of one cell */
    MAP_ISLANDS, /* several caves behind walls */
    MAP_PILLARS, /* single cells in rows and columns, as far as one sees */
    MAP_KINDS
} map_kind;

typedef struct dice {
    uint64_t state;
} dice;

/* A number from 0 to limit - 1. */
uint32_t dice_below(dice *luck, uint32_t limit);

/* An open cell; the picture must have one. */
uint32_t dice_open_cell(dice *luck, const picture *map);

/* A map of a kind and a size; one-cell, one-row and one-column maps cut the size down. */
picture random_map(map_kind kind, uint32_t width, uint32_t height, uint64_t seed);

/* A map of any kind, the seed deciding kind and size (sides at most 70, often next to a multiple
 * of 16). Seeds 0 .. MAP_KINDS-1 give every kind once. */
picture any_map(uint64_t seed);

#endif
