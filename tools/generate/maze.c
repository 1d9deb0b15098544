/* A maze: corridors of one width between walls of one cell, by depth-first wandering. */
#include "generate/generate.h"

typedef struct maze {
    canvas *map;
    kit_rng *rng;
    uint32_t corridor;
    uint32_t columns; /* of crossings */
    uint32_t rows;
} maze;

typedef struct crossing {
    uint32_t column;
    uint32_t row;
} crossing;

enum way { RIGHT, LEFT, DOWN, UP, WAYS };

static area cells_of(const maze *work, crossing place)
{
    uint32_t left = 1 + place.column * (work->corridor + 1);
    uint32_t top = 1 + place.row * (work->corridor + 1);
    return (area){left, top, left + work->corridor, top + work->corridor};
}

static bool is_carved(const maze *work, crossing place)
{
    area cells = cells_of(work, place);
    return *canvas_at(work->map, cells.left, cells.top) == LETTER_OPEN;
}

/* The crossing behind the wall on one side; false when the maze ends there. */
static bool neighbour(const maze *work, crossing from, enum way way, crossing *to)
{
    *to = from;
    switch (way) {
    case RIGHT: return ++to->column < work->columns;
    case LEFT: return to->column-- > 0;
    case DOWN: return ++to->row < work->rows;
    case UP: return to->row-- > 0;
    case WAYS: break;
    }
    return false;
}

/* Opens two neighbours and the wall between them. */
static void carve(const maze *work, crossing from, crossing to)
{
    area here = cells_of(work, from);
    area there = cells_of(work, to);
    area both = {
        here.left < there.left ? here.left : there.left,
        here.top < there.top ? here.top : there.top,
        here.right > there.right ? here.right : there.right,
        here.bottom > there.bottom ? here.bottom : there.bottom,
    };
    canvas_fill(work->map, both, LETTER_OPEN);
}

/* A neighbour that nobody has been to; false when there is none. */
static bool choose_next(const maze *work, crossing from, crossing *next)
{
    crossing open[WAYS];
    uint32_t count = 0;
    for (enum way way = RIGHT; way < WAYS; way++) {
        crossing to;
        if (neighbour(work, from, way, &to) && !is_carved(work, to))
            open[count++] = to;
    }
    if (count > 0)
        *next = open[kit_rng_below(work->rng, count)];
    return count > 0;
}

static void wander(const maze *work)
{
    uint32_t *trail = work->map->work;
    size_t depth = 0;
    canvas_fill(work->map, cells_of(work, (crossing){0, 0}), LETTER_OPEN);
    trail[depth++] = 0;
    while (depth > 0) {
        uint32_t last = trail[depth - 1];
        crossing here = {last % work->columns, last / work->columns};
        crossing next;
        if (!choose_next(work, here, &next)) {
            depth--;
            continue;
        }
        carve(work, here, next);
        trail[depth++] = next.row * work->columns + next.column;
    }
}

/* Opens some of the walls that are left. */
static void open_loops(const maze *work, uint32_t percent)
{
    crossing here;
    crossing next;
    for (here.row = 0; here.row < work->rows; here.row++)
        for (here.column = 0; here.column < work->columns; here.column++)
            for (enum way way = RIGHT; way < WAYS; way += DOWN - RIGHT)
                if (neighbour(work, here, way, &next) && kit_rng_percent(work->rng, percent))
                    carve(work, here, next);
}

void draw_maze(canvas *map, kit_rng *rng, const recipe *shape)
{
    maze work = {
        .map = map,
        .rng = rng,
        .corridor = shape->corridor,
        .columns = (map->width - 1) / (shape->corridor + 1),
        .rows = (map->height - 1) / (shape->corridor + 1),
    };
    canvas_fill(map, (area){0, 0, map->width, map->height}, LETTER_WALL);
    wander(&work);
    open_loops(&work, shape->loops);
}
