/* The landmarks of tables of corners after edits. */
#ifndef CN_CORNER_REFRESH_CORNER_LANDMARKS_H
#define CN_CORNER_REFRESH_CORNER_LANDMARKS_H

#include "table/table.h"

typedef struct cn_corner_landmarks {
    size_t *start;     /* [row_count + 1] into nodes */
    cairn_node *nodes; /* by row, ascending */
} cn_corner_landmarks;

/* Lists the landmarks of all rows on the map as it is: of the open ones of a row each component
 * keeps the one farthest from those of earlier rows, of equals the first. A component without one
 * gets the end of a run of open cells that is farthest, by the base heuristic, from its landmarks
 * in earlier rows; none where these are all such ends. Of components with very many runs only some
 * of these are tried. CAIRN_E_MEMORY. */
cairn_status cn_corner_landmarks_list(const cairn_table *table, const cairn_map *map,
                                      cn_corner_landmarks *lists);
void cn_corner_landmarks_free(cn_corner_landmarks *lists, const cn_mem *mem);

CN_ALWAYS_INLINE cn_landmark_lists cn_corner_landmark_lists(const cn_corner_landmarks *lists)
{
    return (cn_landmark_lists){lists->start, lists->nodes};
}

/* How the lists of a table differ from others of as many rows, in landmarks. */
typedef struct cn_landmark_changes {
    uint64_t added;
    uint64_t dropped;
} cn_landmark_changes;

cn_landmark_changes cn_corner_landmarks_compare(const cairn_table *table,
                                                const cn_corner_landmarks *lists);

#endif
