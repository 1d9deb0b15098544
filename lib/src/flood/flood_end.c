#include "flood/flood_end.h"

cn_flood_end cn_flood_end_of(const cn_flood_task *task, const cairn_map *map, const cn_plane *plane)
{
    cn_flood_end end = {map, plane, task->most, task->until, task->until_count, task->until_count};
    for (size_t i = 0; i < task->until_count; i++) {
        if (!cn_grid_is_open(&map->grid, task->until[i]))
            end.until_count = 0; /* a blocked cell is never reached: no limit by these nodes */
    }
    return end;
}

bool cn_flood_may_end(cn_flood_end *end, uint64_t floor)
{
    if (floor > end->most)
        return true;
    if (end->until_count == 0)
        return false;
    while (end->waiting &&
           cn_plane_cost_of(end->plane, end->map, end->until[end->waiting - 1]) < floor)
        end->waiting--;
    return end->waiting == 0;
}
