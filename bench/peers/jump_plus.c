/* Jump points that are found beforehand, JPS+ (Harabor and Grastien, "Improving jump point search",
 * ICAPS 2014), and with a box around the goals of every first step (Rabin and Sturtevant,
 * "Combining bounding boxes and JPS to prune grid pathfinding", AAAI 2016). For squares with 8
 * neighbours whose corners are not cut. Costs are whole numbers inside. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cairn/cairn.h"
#include "peers/jump_plus_grid.h"
#include "peers/route.h"

typedef struct plus_record {
    uint32_t query; /* that wrote the record */
    uint32_t g;
    uint32_t parent;
    uint8_t arrived; /* direction; PLUS_DIRECTIONS: it is the start */
    bool closed;
} plus_record;

typedef struct plus_item {
    uint64_t key; /* f, and among equals the larger g first */
    uint32_t cell;
    uint32_t g;
} plus_item;

typedef struct plus_state {
    const bench_graph *graph;
    plus_grid grid;
    plus_box (*boxes)[PLUS_DIRECTIONS]; /* by cell; NULL: every direction may lead to any goal */
    plus_record *records;
    plus_item *heap;
    size_t heap_count;
    size_t heap_room;
    uint32_t query;
} plus_state;

static void destroy(void *argument)
{
    plus_state *state = argument;
    plus_grid_free(&state->grid);
    free(state->boxes);
    free(state->records);
    free(state->heap);
    free(state);
}

static void *create(const bench_graph *graph, const uint32_t *x, const uint32_t *y)
{
    (void)x, (void)y;
    plus_state *state = calloc(1, sizeof *state);
    if (!state)
        return NULL;
    state->graph = graph;
    state->heap_room = 1024;
    state->heap = malloc(state->heap_room * sizeof *state->heap);
    if (state->heap && plus_grid_init(&state->grid, graph->map))
        state->records = calloc(state->grid.cell_count, sizeof *state->records);
    if (state->records)
        return state;
    destroy(state);
    return NULL;
}

static void *create_bounded(const bench_graph *graph, const uint32_t *x, const uint32_t *y)
{
    plus_state *state = create(graph, x, y);
    if (!state)
        return NULL;
    state->boxes = plus_boxes(&state->grid);
    if (state->boxes)
        return state;
    destroy(state);
    return NULL;
}

static size_t bytes(const void *argument)
{
    const plus_state *state = argument;
    const size_t cells = state->grid.cell_count;
    return cells * sizeof *state->grid.jump + (state->boxes ? cells * sizeof *state->boxes : 0);
}

/* ---------------------------------------------------------------------------------- open -- */

static bool push(plus_state *state, plus_item item)
{
    if (state->heap_count == state->heap_room) {
        plus_item *larger = realloc(state->heap, 2 * state->heap_room * sizeof *larger);
        if (!larger)
            return false;
        state->heap = larger;
        state->heap_room *= 2;
    }
    size_t place = state->heap_count++;
    for (; place > 0 && state->heap[(place - 1) / 2].key > item.key; place = (place - 1) / 2)
        state->heap[place] = state->heap[(place - 1) / 2];
    state->heap[place] = item;
    return true;
}

static plus_item pop(plus_state *state)
{
    plus_item *heap = state->heap, top = heap[0], last = heap[--state->heap_count];
    size_t place = 0, child;
    while ((child = 2 * place + 1) < state->heap_count) {
        child += child + 1 < state->heap_count && heap[child + 1].key < heap[child].key;
        if (heap[child].key >= last.key)
            break;
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = last;
    return top;
}

/* -------------------------------------------------------------------------------- search -- */

static void reach(plus_state *state, uint32_t from, unsigned direction, int steps, uint32_t goal)
{
    const plus_grid *grid = &state->grid;
    const uint32_t cell = from + (uint32_t)(grid->offset[direction] * steps);
    const uint32_t g = state->records[from].g + (uint32_t)steps * PLUS_COST[direction % 2];
    plus_record *record = &state->records[cell];

    if (record->query == state->query && (record->closed || record->g <= g))
        return;
    *record = (plus_record){state->query, g, from, (uint8_t)direction, false};
    const uint64_t f = g + plus_distance(grid, cell, goal);
    if (!push(state, (plus_item){f << 32 | (UINT32_MAX - g), cell, g}))
        abort();
}

/* How far a search goes from a cell in a direction: to the goal, or where it may turn to it, or to
 * the next jump point; 0: nowhere. */
static int steps_to_take(const plus_grid *grid, uint32_t cell, unsigned direction, uint32_t goal)
{
    const int jump = grid->jump[cell][direction];
    const int free = jump > 0 ? jump : -jump;
    const int right = plus_column(grid, goal) - plus_column(grid, cell);
    const int down = plus_row(grid, goal) - plus_row(grid, cell);
    const int along = PLUS_RIGHT[direction] * right, below = PLUS_DOWN[direction] * down;
    int turn;

    if (direction % 2)
        turn = along > 0 && below > 0 ? (along < below ? along : below) : 0;
    else if (PLUS_RIGHT[direction])
        turn = down == 0 && along > 0 ? along : 0;
    else
        turn = right == 0 && below > 0 ? below : 0;
    if (turn > 0 && turn <= free)
        return turn;
    return jump > 0 ? jump : 0;
}

static bool may_lead(const plus_state *state, uint32_t cell, unsigned direction, uint32_t goal)
{
    if (!state->boxes)
        return true;
    const plus_box *box = &state->boxes[cell][direction];
    const int column = plus_column(&state->grid, goal), row = plus_row(&state->grid, goal);
    return column >= box->left && column <= box->right && row >= box->top && row <= box->bottom;
}

static void expand(plus_state *state, uint32_t cell, uint32_t goal)
{
    unsigned left = plus_successors(&state->grid, cell, state->records[cell].arrived);
    for (unsigned direction = 0; left; direction++, left >>= 1) {
        if (!(left & 1) || !may_lead(state, cell, direction, goal))
            continue;
        int steps = steps_to_take(&state->grid, cell, direction, goal);
        if (steps > 0)
            reach(state, cell, direction, steps, goal);
    }
}

static void read_path(const plus_state *state, uint32_t start, uint32_t goal, bench_route *route)
{
    const plus_record *records = state->records;
    uint32_t steps[2] = {0, 0};

    route->node_count = 1;
    for (uint32_t cell = goal; cell != start; cell = records[cell].parent) {
        const unsigned kind = records[cell].arrived % 2;
        steps[kind] += (records[cell].g - records[records[cell].parent].g) / PLUS_COST[kind];
        route->node_count++;
    }
    route->cost = steps[0] + steps[1] * sqrt(2.0);
}

static void run(void *argument, uint32_t start_node, uint32_t goal_node, bench_route *route)
{
    plus_state *state = argument;
    const plus_grid *grid = &state->grid;
    const uint32_t start = plus_cell(grid, state->graph->cell_of_node[start_node]);
    const uint32_t goal = plus_cell(grid, state->graph->cell_of_node[goal_node]);

    *route = (bench_route){.cost = HUGE_VAL};
    state->heap_count = 0;
    state->query++;
    state->records[start] = (plus_record){state->query, 0, start, PLUS_DIRECTIONS, false};
    state->heap[state->heap_count++] = (plus_item){0, start, 0};
    while (state->heap_count > 0) {
        const plus_item item = pop(state);
        plus_record *record = &state->records[item.cell];
        if (record->closed || record->g != item.g)
            continue;
        if (item.cell == goal) {
            read_path(state, start, goal, route);
            return;
        }
        record->closed = true;
        route->expanded++;
        expand(state, item.cell, goal);
    }
}

const bench_router bench_router_jump_plus = {"JPS+", create, run, destroy, bytes};
const bench_router bench_router_goal_bounding = {"JPS+, goal bounding", create_bounded, run,
                                                 destroy, bytes};
