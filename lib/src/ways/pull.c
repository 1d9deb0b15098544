/*
 * Paths pulled straight. From each waypoint the farthest corner of the path in sight is taken, and
 * then, by bisection, the farthest cell in sight on the run behind it. A corner in sight may follow
 * some that are not, so a few more are examined. In the end waypoints are left out whose neighbours
 * see each other. Each line replaces a part of the path between its own ends, so none is longer.
 */
#include "base/bits.h"
#include "search/search.h"
#include "ways/sight.h"
#include "ways/step_run.h"

enum { BEYOND = 8 }; /* after so many corners in a row that are out of sight no other is tried */

typedef struct puller {
    cn_sight sight;
    const cairn_node *corners;
    size_t corner_count;
    size_t run; /* the last waypoint lies on the run from this corner to the next */
    cairn_node *waypoints;
    size_t count;
} puller;

static bool sees(puller *self, cairn_node from, cairn_node to)
{
    self->sight.like = from;
    return cn_sight_is_free(&self->sight, from, to);
}

static cairn_node cell_on(const cn_grid *grid, const cn_step_run *run, int64_t step)
{
    return (cairn_node)((run->y + step * run->step_y) * grid->width + run->x + step * run->step_x);
}

/* Which way a step leads: halves of columns, since rows of hexagons are shifted, and rows. */
static void way_of_step(const cn_grid *grid, cairn_node from, cairn_node to, int64_t way[2])
{
    uint32_t x, y, to_x, to_y;
    cn_grid_xy(grid, from, &x, &y);
    cn_grid_xy(grid, to, &to_x, &to_y);
    way[0] = 2 * ((int64_t)to_x - x) + (int64_t)(to_y & 1) - (y & 1);
    way[1] = (int64_t)to_y - y;
}

/* The corner at which the run from a corner ends. Paths over hexagons have every node as a corner:
 * there a run is as long as steps lead the same way. */
static size_t end_of_run(const puller *self, size_t from)
{
    const cn_grid *grid = &self->sight.map->grid;
    size_t end = from + 1;
    int64_t way[2], next[2];
    if (grid->rules.rule != CAIRN_RULE_HEX)
        return end;
    way_of_step(grid, self->corners[from], self->corners[end], way);
    for (; end + 1 < self->corner_count; end++) {
        way_of_step(grid, self->corners[end], self->corners[end + 1], next);
        if (way[0] != next[0] || way[1] != next[1])
            break;
    }
    return end;
}

/* The corner so many runs behind another one, or the last. */
static size_t corner_behind(const puller *self, size_t corner, size_t runs)
{
    for (; runs && corner + 1 < self->corner_count; runs--)
        corner = end_of_run(self, corner);
    return corner;
}

/* The last corner in sight of a cell at which a run ends, or the next one, to which steps of the
 * path lead. Each line takes time by its length, and hundreds of corners may be in sight: so long
 * as they are, leaps from one to another become longer. */
static size_t farthest_corner(puller *self, cairn_node from)
{
    size_t farthest = end_of_run(self, self->run), tried = farthest, leap = 1;
    unsigned unseen = 0;
    while (unseen < BEYOND && tried + 1 < self->corner_count) {
        const size_t next = corner_behind(self, tried, leap);
        if (sees(self, from, self->corners[next])) {
            farthest = tried = next;
            unseen = 0;
            leap *= 2;
        } else if (leap > 1) {
            leap = 1;
        } else {
            tried = next;
            unseen++;
        }
    }
    return farthest;
}

/* The last cell in sight on the run behind a corner, as bisection finds it. */
static cairn_node farthest_cell(puller *self, cairn_node from, size_t corner)
{
    const cn_grid *grid = &self->sight.map->grid;
    const bool is_hex = grid->rules.rule == CAIRN_RULE_HEX;
    const cairn_node *corners = self->corners + corner;
    const cn_step_run run = cn_run_between(grid, corners[0], corners[1]);
    int64_t seen = 0, unseen = is_hex ? (int64_t)(end_of_run(self, corner) - corner) : run.steps;
    while (unseen - seen > 1) {
        const int64_t middle = (seen + unseen) / 2;
        if (sees(self, from, is_hex ? corners[middle] : cell_on(grid, &run, middle)))
            seen = middle;
        else
            unseen = middle;
    }
    return is_hex ? corners[seen] : cell_on(grid, &run, seen);
}

static void add_waypoints(puller *self)
{
    while (self->run + 1 < self->corner_count) {
        const cairn_node from = self->waypoints[self->count - 1];
        const size_t corner = farthest_corner(self, from);
        const bool is_last = corner + 1 == self->corner_count;
        self->waypoints[self->count++] = is_last ? self->corners[corner]
                                                 : farthest_cell(self, from, corner);
        self->run = corner;
    }
}

static void leave_out_waypoints(puller *self)
{
    size_t kept = 1;
    for (size_t i = 1; i < self->count; i++) {
        if (i + 1 < self->count && sees(self, self->waypoints[kept - 1], self->waypoints[i + 1]))
            continue;
        self->waypoints[kept++] = self->waypoints[i];
    }
    self->count = kept;
}

/* The lengths of lines along steps are counted as those of paths are. */
static double length_of(const puller *self)
{
    const cn_grid *grid = &self->sight.map->grid;
    const bool is_hex = grid->rules.rule == CAIRN_RULE_HEX;
    uint64_t straight = 0, diagonal = 0;
    double others = 0;

    for (size_t i = 1; i < self->count; i++) {
        const cairn_node from = self->waypoints[i - 1], to = self->waypoints[i];
        const cn_step_run run = cn_run_between(grid, from, to);
        uint32_t x, y;
        cn_grid_xy(grid, to, &x, &y);
        const int64_t across = 2 * (x - run.x) + (is_hex ? (y & 1) - (run.y & 1) : 0);
        const int64_t down = y - run.y, square = across * across + (is_hex ? 3 : 4) * down * down;
        if (run.steps < 0)
            others += cn_near_root((double)square) / 2;
        else if (!is_hex && run.step_x && run.step_y)
            diagonal += (uint64_t)run.steps;
        else
            straight += (uint64_t)run.steps;
    }
    return (double)straight + CN_ROOT_2 * (double)diagonal + others;
}

static bool is_made_of_runs(const cairn_map *map, const cairn_path *path)
{
    for (size_t i = 0; i < path->corner_count; i++) {
        if (path->corners[i] >= cn_map_node_count(map))
            return false;
        if (i > 0 && !map->graph &&
            cn_run_between(&map->grid, path->corners[i - 1], path->corners[i]).steps < 1)
            return false;
    }
    return true;
}

static void pull_on_grid(const cairn_map *map, const cn_avoidance *avoided, const cairn_path *path,
                         cairn_node *waypoints, size_t *count, double *length)
{
    puller self = {.sight = {.map = map, .is_even = cn_map_is_even(map), .avoided = avoided},
                   .corners = path->corners,
                   .corner_count = path->corner_count,
                   .waypoints = waypoints,
                   .count = 1};
    waypoints[0] = path->corners[0];
    add_waypoints(&self);
    leave_out_waypoints(&self);
    const double pulled = length_of(&self);
    *count = self.count;
    *length = pulled < path->length ? pulled : path->length;
}

static cairn_status pull(const cairn_map *map, const cn_avoidance *avoided, const cairn_path *path,
                         cairn_node *waypoints, size_t *count, double *length)
{
    double unused;
    if (count)
        *count = 0;
    length = length ? length : &unused;
    *length = 0;
    if (!map || !path || !count || (path->corner_count && !(waypoints && path->corners)) ||
        !is_made_of_runs(map, path))
        return CAIRN_E_ARGUMENT;
    *length = path->length;
    if (map->graph) {
        for (; *count < path->corner_count; (*count)++)
            waypoints[*count] = path->corners[*count];
    } else if (path->corner_count) {
        pull_on_grid(map, avoided, path, waypoints, count, length);
    }
    return CAIRN_OK;
}

cairn_status cairn_path_pull(const cairn_map *map, const cairn_path *path, cairn_node *waypoints,
                             size_t *count, double *length)
{
    return pull(map, NULL, path, waypoints, count, length);
}

cairn_status cairn_search_pull(const cairn_search *search, const cairn_path *path,
                               cairn_node *waypoints, size_t *count, double *length)
{
    const cn_avoidance *avoided = search && search->avoidance.count ? &search->avoidance : NULL;
    return pull(search ? search->map : NULL, avoided, path, waypoints, count, length);
}
