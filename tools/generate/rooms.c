/* Rooms behind one another: an area is split by a wall with a door in it, again and again. */
#include "generate/generate.h"

enum { SPLIT_TRIES = 8 };

typedef struct rooms {
    canvas *map;
    kit_rng *rng;
    const recipe *shape;
} rooms;

static bool is_wall(const canvas *map, uint32_t x, uint32_t y)
{
    return *canvas_at(map, x, y) == LETTER_WALL;
}

/* A wall must not end at a door of another one: that would close it. */
static bool may_stand(const rooms *work, area place, bool upright, uint32_t at)
{
    const canvas *map = work->map;
    if (upright)
        return is_wall(map, at, place.top - 1) && is_wall(map, at, place.bottom);
    return is_wall(map, place.left - 1, at) && is_wall(map, place.right, at);
}

static void cut_door(const rooms *work, area wall)
{
    uint32_t x = kit_rng_between(work->rng, wall.left, wall.right - 1);
    uint32_t y = kit_rng_between(work->rng, wall.top, wall.bottom - 1);
    *canvas_at(work->map, x, y) = LETTER_OPEN;
}

static void raise_wall(const rooms *work, area wall)
{
    canvas_fill(work->map, wall, LETTER_WALL);
    cut_door(work, wall);
    if (kit_rng_percent(work->rng, work->shape->loops))
        cut_door(work, wall);
}

/* Where the wall goes: near the middle, so that the depth of the splits stays small. */
static bool find_wall(const rooms *work, area place, bool upright, uint32_t *at)
{
    uint32_t low = upright ? place.left : place.top;
    uint32_t high = upright ? place.right : place.bottom;
    uint32_t room = work->shape->room;
    if (high - low < 2 * room + 1)
        return false;

    uint32_t margin = (high - low) / 3;
    if (margin < room)
        margin = room;
    for (int attempt = 0; attempt < SPLIT_TRIES; attempt++) {
        *at = kit_rng_between(work->rng, low + margin, high - margin - 1);
        if (may_stand(work, place, upright, *at))
            return true;
    }
    return false;
}

static void split(const rooms *work, area place)
{
    bool upright = place.right - place.left > place.bottom - place.top;
    uint32_t at;
    if (!find_wall(work, place, upright, &at))
        return;

    area wall = place;
    area first = place;
    area second = place;
    if (upright) {
        wall.left = first.right = at;
        wall.right = second.left = at + 1;
    } else {
        wall.top = first.bottom = at;
        wall.bottom = second.top = at + 1;
    }
    raise_wall(work, wall);
    split(work, first);
    split(work, second);
}

void draw_rooms(canvas *map, kit_rng *rng, const recipe *shape)
{
    canvas_fill(map, (area){0, 0, map->width, map->height}, LETTER_WALL);
    canvas_fill(map, canvas_inside(map), LETTER_OPEN);
    split(&(rooms){map, rng, shape}, canvas_inside(map));
}
