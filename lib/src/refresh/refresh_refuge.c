/* Landmarks whose cells closed move to the nearest open cell. */
#include "refresh/refresh.h"
#include "refresh/refresh_landmarks.h"

/* How many blocked cells a search for another cell for a landmark crosses where it may cross
 * all. */
enum { CROSSED_MOST = 4096 };

typedef struct walk {
    cn_refresh *self;
    bool everywhere; /* all blocked cells may be crossed, not only those that closed now */
    cairn_node landmark;
    cairn_node nearest;
    uint64_t distance;
} walk;

static void consider(walk *search, cairn_node node)
{
    const cairn_map *map = search->self->map;
    uint32_t ax, ay, bx, by;
    cn_grid_xy(&map->grid, node, &ax, &ay);
    cn_grid_xy(&map->grid, search->landmark, &bx, &by);
    const uint64_t distance = cn_octile_wide(map->metric, ax, ay, bx, by);
    if (distance > search->distance || (distance == search->distance && node > search->nearest))
        return;
    search->distance = distance;
    search->nearest = node;
}

static cairn_status walk_from(walk *search, cairn_node node)
{
    const cn_grid *grid = &search->self->map->grid;
    uint8_t *marks = search->self->marks;
    cn_nodes *visited = &search->self->visited;
    uint32_t x, y;

    cn_grid_xy(grid, node, &x, &y);
    const bool inside[CN_STRAIGHT] = {x + 1 < grid->width, x > 0, y + 1 < grid->height, y > 0};
    for (unsigned direction = 0; direction < CN_STRAIGHT; direction++) {
        cairn_node next = node + (cairn_node)grid->offset[direction];
        if (!inside[direction] || (marks[next] & CN_MARK_WALKED))
            continue;
        if (cn_grid_is_open(grid, next)) {
            consider(search, next);
            continue;
        }
        if (!search->everywhere && !(marks[next] & CN_MARK_CHANGED))
            continue;
        if (!cn_refresh_add(search->self, visited, next))
            return CAIRN_E_MEMORY;
        marks[next] |= CN_MARK_WALKED;
    }
    return CAIRN_OK;
}

/* The open cell to which a closed landmark moves: among those next to closed cells that can be
 * reached from it in straight steps, the nearest by octile distance, of equals the one with the
 * lowest number. Where all blocked cells may be crossed, the first CROSSED_MOST are. CAIRN_NO_NODE
 * where there is none. */
static cairn_status find_refuge(cn_refresh *self, cairn_node landmark, bool everywhere,
                                cairn_node *refuge)
{
    cn_nodes *visited = &self->visited;
    walk search = {.self = self,
                   .everywhere = everywhere,
                   .landmark = landmark,
                   .nearest = CAIRN_NO_NODE,
                   .distance = UINT64_MAX};
    cairn_status status = CAIRN_E_MEMORY;

    if (cn_refresh_add(self, visited, landmark)) {
        status = CAIRN_OK;
        self->marks[landmark] |= CN_MARK_WALKED;
    }
    const size_t most = everywhere ? CROSSED_MOST : SIZE_MAX;
    for (size_t i = 0; status == CAIRN_OK && i < visited->count && i < most; i++)
        status = walk_from(&search, visited->items[i]);
    for (size_t i = 0; i < visited->count; i++)
        self->marks[visited->items[i]] &= (uint8_t)~CN_MARK_WALKED;
    visited->count = 0;
    *refuge = search.nearest;
    return status;
}

/* A landmark without a refuge goes, and so does one whose refuge the row has already. */
static cairn_status move_landmark(cn_refresh *self, uint32_t row, size_t index, bool everywhere)
{
    const cairn_table *table = self->table;
    cairn_node refuge;
    cairn_status status = find_refuge(self, table->landmarks[index], everywhere, &refuge);

    if (status != CAIRN_OK)
        return status;
    if (!cn_refresh_reserve(self, &self->joins.moved, 1))
        return CAIRN_E_MEMORY;
    if (refuge == CAIRN_NO_NODE || cn_table_find_landmark(table, row, refuge) != SIZE_MAX) {
        cn_refresh_remove_landmark(self, row, index);
    } else {
        cn_refresh_replace_landmark(self, row, index, refuge);
        self->joins.moved.items[self->joins.moved.count++] = refuge;
    }
    self->row_work[row] |= CN_WORK_MOVED;
    self->joins.may_join = true;
    self->counts.landmarks_moved++;
    return CAIRN_OK;
}

/* Where an entry is 0, the cell was a landmark of that row. Entries of landmarks whose row has not
 * been flooded since they were added or cleared are not 0 yet. */
cairn_status cn_refresh_move_landmarks_from(cn_refresh *self, cairn_node node)
{
    const cairn_table *table = self->table;
    for (uint32_t row = 0; row < table->row_count; row++) {
        if (cn_table_entry(table, row, node) != 0 && cn_refresh_has_its_landmarks(self, row))
            continue;
        size_t index = cn_table_find_landmark(table, row, node);
        if (index == SIZE_MAX)
            continue;
        cairn_status status = move_landmark(self, row, index, false);
        if (status != CAIRN_OK)
            return status;
    }
    return CAIRN_OK;
}

static size_t count_closed_landmarks(const cn_refresh *self, uint32_t row)
{
    const cairn_table *table = self->table;
    size_t count = 0;
    for (size_t i = table->landmark_start[row]; i < table->landmark_start[row + 1]; i++)
        count += !cn_grid_is_open(&self->map->grid, table->landmarks[i]);
    return count;
}

/* Closed landmarks of a row for which the cells nearest to them are sought: that may go through all
 * blocked cells for each. */
enum { MOVED_MOST = 4 };

/* Moves the landmarks of a row that are in blocked cells now; where they are many, components that
 * lack one get others later. */
static cairn_status move_closed_landmarks(cn_refresh *self, uint32_t row)
{
    const cairn_table *table = self->table;
    cairn_status status = CAIRN_OK;

    if (count_closed_landmarks(self, row) > MOVED_MOST) {
        cn_refresh_drop_closed(self, row);
        return CAIRN_OK;
    }
    for (size_t i = table->landmark_start[row];
         status == CAIRN_OK && i < table->landmark_start[row + 1];) {
        const cairn_node landmark = table->landmarks[i];
        if (cn_grid_is_open(&self->map->grid, landmark)) {
            i++;
            continue;
        }
        status = move_landmark(self, row, i, true);
        /* The list is ascending, and what was added is open. */
        i = table->landmark_start[row];
        while (i < table->landmark_start[row + 1] && table->landmarks[i] < landmark)
            i++;
    }
    return status;
}

cairn_status cn_refresh_move_closed_landmarks(cn_refresh *self)
{
    cairn_status status = CAIRN_OK;

    for (uint32_t row = 0; row < self->table->row_count && status == CAIRN_OK; row++)
        status = move_closed_landmarks(self, row);
    return status;
}
