/* Tables of corners from a map. */
#ifndef CN_BUILD_BUILD_CORNERS_H
#define CN_BUILD_BUILD_CORNERS_H

#include "build/build_rows.h"

/* The table of the rows, which are pulled once; where very many landmarks are no corners, each row
 * is computed a second time. As the rows' own calls it may return CAIRN_E_LIMIT, after which they
 * can be restarted. CAIRN_E_RESIDENT for a map that corners do not serve for. */
cairn_status cn_build_corners(const cairn_map *map, cn_rows *rows, cairn_table **table);

#endif
