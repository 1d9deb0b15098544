#include "peers/jump_plus_grid.h"

#include <stdlib.h>

const int PLUS_RIGHT[PLUS_DIRECTIONS] = {1, 1, 0, -1, -1, -1, 0, 1};
const int PLUS_DOWN[PLUS_DIRECTIONS] = {0, 1, 1, 1, 0, -1, -1, -1};
const uint32_t PLUS_COST[2] = {2378, 3363};

/* A direction so many eighths of a turn further. */
static unsigned turned(unsigned direction, unsigned eighths)
{
    return (direction + eighths) % PLUS_DIRECTIONS;
}

static uint32_t beside(const plus_grid *grid, uint32_t cell, unsigned direction)
{
    return cell + (uint32_t)grid->offset[direction];
}

static bool may_step(const plus_grid *grid, uint32_t cell, unsigned direction)
{
    if (!grid->open[beside(grid, cell, direction)])
        return false;
    return direction % 2 == 0 || (grid->open[beside(grid, cell, turned(direction, 1))] &&
                                  grid->open[beside(grid, cell, turned(direction, 7))]);
}

/* Whether a straight step has passed a corner of what is blocked, so that the next one may lead
 * round it on the side that lies a quarter of a turn further. */
static bool has_passed(const plus_grid *grid, uint32_t cell, unsigned direction, unsigned side)
{
    const uint32_t last = cell - (uint32_t)grid->offset[direction];
    return grid->open[beside(grid, cell, side)] && !grid->open[beside(grid, last, side)];
}

unsigned plus_successors(const plus_grid *grid, uint32_t cell, unsigned arrived)
{
    if (arrived == PLUS_DIRECTIONS)
        return 0xFF;
    if (arrived % 2)
        return 1u << arrived | 1u << turned(arrived, 1) | 1u << turned(arrived, 7);
    unsigned steps = 1u << arrived;
    if (has_passed(grid, cell, arrived, turned(arrived, 2)))
        steps |= 1u << turned(arrived, 1) | 1u << turned(arrived, 2);
    if (has_passed(grid, cell, arrived, turned(arrived, 6)))
        steps |= 1u << turned(arrived, 7) | 1u << turned(arrived, 6);
    return steps;
}

/* ---------------------------------------------------------------------------------- jumps -- */

static bool is_jump_point(const plus_grid *grid, uint32_t cell, unsigned direction)
{
    if (direction % 2)
        return grid->jump[cell][turned(direction, 1)] > 0 ||
               grid->jump[cell][turned(direction, 7)] > 0;
    return has_passed(grid, cell, direction, turned(direction, 2)) ||
           has_passed(grid, cell, direction, turned(direction, 6));
}

/* From the jump of the next cell in the direction. */
static void find_jump(plus_grid *grid, uint32_t cell, unsigned direction)
{
    if (!grid->open[cell] || !may_step(grid, cell, direction))
        return;
    const uint32_t next = beside(grid, cell, direction);
    const int16_t further = grid->jump[next][direction];
    if (is_jump_point(grid, next, direction))
        grid->jump[cell][direction] = 1;
    else
        grid->jump[cell][direction] = (int16_t)(further > 0 ? further + 1 : further - 1);
}

static void find_jumps(plus_grid *grid, unsigned direction)
{
    const uint32_t first = grid->stride + 1, last = grid->cell_count - grid->stride - 2;
    if (grid->offset[direction] < 0) {
        for (uint32_t cell = first; cell <= last; cell++)
            find_jump(grid, cell, direction);
        return;
    }
    for (uint32_t cell = last; cell >= first; cell--)
        find_jump(grid, cell, direction);
}

bool plus_grid_init(plus_grid *grid, const cairn_map *map)
{
    const uint32_t width = cairn_map_width(map), height = cairn_map_height(map);
    if (width > PLUS_MAP_CELLS_MAX || height > PLUS_MAP_CELLS_MAX)
        return false;
    *grid = (plus_grid){.width = width, .stride = width + 2};
    grid->cell_count = grid->stride * (height + 2);
    grid->open = calloc(grid->cell_count, sizeof *grid->open);
    grid->jump = calloc(grid->cell_count, sizeof *grid->jump);
    if (!grid->open || !grid->jump)
        return false;
    for (unsigned i = 0; i < PLUS_DIRECTIONS; i++)
        grid->offset[i] = PLUS_RIGHT[i] + PLUS_DOWN[i] * (int32_t)grid->stride;
    for (cairn_node node = 0; node < width * height; node++)
        grid->open[plus_cell(grid, node)] = cairn_map_is_open(map, node);
    for (unsigned direction = 0; direction < PLUS_DIRECTIONS; direction += 2)
        find_jumps(grid, direction);
    for (unsigned direction = 1; direction < PLUS_DIRECTIONS; direction += 2)
        find_jumps(grid, direction);
    return true;
}

void plus_grid_free(plus_grid *grid)
{
    free(grid->open);
    free(grid->jump);
}

/* ---------------------------------------------------------------------------------- boxes -- */

typedef struct plus_label {
    uint32_t g;      /* UINT32_MAX: not reached */
    uint8_t arrived; /* a bit for each direction of a last step */
    uint8_t first;   /* and for each of a first one */
    bool closed;
} plus_label;

/* Steps have two costs, so what steps of one cost reach comes in the order of its costs: two queues
 * are as good as a heap. */
typedef struct plus_flood {
    const plus_grid *grid;
    plus_label *labels;
    uint32_t *queue[2];
    size_t head[2], tail[2];
} plus_flood;

static bool flood_init(plus_flood *flood, const plus_grid *grid)
{
    *flood = (plus_flood){.grid = grid};
    flood->labels = malloc(grid->cell_count * sizeof *flood->labels);
    for (unsigned i = 0; i < 2; i++)
        flood->queue[i] = malloc((size_t)grid->cell_count * 4 * sizeof *flood->queue[i]);
    return flood->labels && flood->queue[0] && flood->queue[1];
}

static void flood_free(plus_flood *flood)
{
    free(flood->labels);
    free(flood->queue[0]);
    free(flood->queue[1]);
}

static void flood_step(plus_flood *flood, uint32_t cell, unsigned direction)
{
    const plus_label *from = &flood->labels[cell];
    const uint32_t next = beside(flood->grid, cell, direction);
    const uint32_t g = from->g + PLUS_COST[direction % 2];
    plus_label *label = &flood->labels[next];

    if (g > label->g)
        return;
    if (g < label->g) {
        *label = (plus_label){.g = g};
        flood->queue[direction % 2][flood->tail[direction % 2]++] = next;
    }
    label->arrived |= (uint8_t)(1u << direction);
    label->first |= from->g == 0 ? (uint8_t)(1u << direction) : from->first;
}

/* The cell that is nearest and still to be left, or UINT32_MAX. */
static uint32_t flood_next(plus_flood *flood)
{
    uint32_t nearest = UINT32_MAX, least = UINT32_MAX;
    for (unsigned i = 0; i < 2; i++) {
        while (flood->head[i] < flood->tail[i] &&
               flood->labels[flood->queue[i][flood->head[i]]].closed)
            flood->head[i]++;
        if (flood->head[i] == flood->tail[i])
            continue;
        const uint32_t cell = flood->queue[i][flood->head[i]];
        if (flood->labels[cell].g < least) {
            least = flood->labels[cell].g;
            nearest = cell;
        }
    }
    return nearest;
}

static void leave(plus_flood *flood, uint32_t cell, unsigned steps)
{
    flood->labels[cell].closed = true;
    for (unsigned direction = 0; steps; direction++, steps >>= 1) {
        if (steps & 1 && may_step(flood->grid, cell, direction))
            flood_step(flood, cell, direction);
    }
}

/* Along canonical paths alone: all of them, where several are shortest. */
static void flood_from(plus_flood *flood, uint32_t source)
{
    for (uint32_t cell = 0; cell < flood->grid->cell_count; cell++)
        flood->labels[cell] = (plus_label){.g = UINT32_MAX};
    for (unsigned i = 0; i < 2; i++)
        flood->head[i] = flood->tail[i] = 0;
    flood->labels[source].g = 0;
    leave(flood, source, 0xFF);
    for (uint32_t cell; (cell = flood_next(flood)) != UINT32_MAX;) {
        unsigned steps = 0;
        for (unsigned direction = 0; direction < PLUS_DIRECTIONS; direction++) {
            if (flood->labels[cell].arrived >> direction & 1)
                steps |= plus_successors(flood->grid, cell, direction);
        }
        leave(flood, cell, steps);
    }
}

static void grow(plus_box *box, int column, int row)
{
    box->left = column < box->left ? (uint16_t)column : box->left;
    box->right = column > box->right ? (uint16_t)column : box->right;
    box->top = row < box->top ? (uint16_t)row : box->top;
    box->bottom = row > box->bottom ? (uint16_t)row : box->bottom;
}

static void bound(const plus_flood *flood, plus_box boxes[PLUS_DIRECTIONS])
{
    const plus_grid *grid = flood->grid;
    for (unsigned direction = 0; direction < PLUS_DIRECTIONS; direction++)
        boxes[direction] = (plus_box){UINT16_MAX, UINT16_MAX, 0, 0};
    for (uint32_t cell = 0; cell < grid->cell_count; cell++) {
        const unsigned first = flood->labels[cell].first;
        for (unsigned direction = 0; first >> direction; direction++) {
            if (first >> direction & 1)
                grow(&boxes[direction], plus_column(grid, cell), plus_row(grid, cell));
        }
    }
}

plus_box (*plus_boxes(const plus_grid *grid))[PLUS_DIRECTIONS]
{
    plus_box(*boxes)[PLUS_DIRECTIONS] = calloc(grid->cell_count, sizeof *boxes);
    plus_flood flood;

    if (!flood_init(&flood, grid) || !boxes) {
        flood_free(&flood);
        free(boxes);
        return NULL;
    }
    for (uint32_t cell = 0; cell < grid->cell_count; cell++) {
        if (!grid->open[cell])
            continue;
        flood_from(&flood, cell);
        bound(&flood, boxes[cell]);
    }
    flood_free(&flood);
    return boxes;
}
