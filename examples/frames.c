/*
 * Many units ask for paths, and every frame has a millisecond for them: requests wait in queues by
 * priority, a search that does not fit into a frame continues in the next one, and doors open and
 * close between frames.
 *
 *     frames [REQUESTS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cairn/cairn.h"

enum { WIDTH = 160, HEIGHT = 96, ROOM = 8, UNITS = 200, A_FRAME = 40, BUDGET = 1000 };

/* Requests of units that are on the screen are answered first. */
typedef enum priority { SEEN, NEAR, FAR, PRIORITIES } priority;

typedef struct request {
    cairn_node start;
    cairn_node goal;
    uint32_t unit;
    priority how_urgent;
    bool is_begun; /* in an earlier frame */
    struct request *next;
} request;

typedef struct queue {
    request *first;
    request *last;
} queue;

typedef struct planner {
    cairn_map *map;
    cairn_table *table;
    cairn_search *search;
    queue waiting[PRIORITIES];
    request *current; /* whose search continues in the next frame; NULL: none */
    uint64_t end;     /* of the frame */
    void (*answer)(void *game, const request *asked, const cairn_path *path);
    void *game;
} planner;

/* Microseconds of a clock. */
static uint64_t now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

static uint64_t time_left(const planner *self)
{
    const uint64_t time = now();
    return time < self->end ? self->end - time : 0;
}

/* ------------------------------------------------------------------------------- the queues -- */

static cairn_status ask(planner *self, request wanted)
{
    queue *line = &self->waiting[wanted.how_urgent];
    request *added = malloc(sizeof *added);
    if (!added)
        return CAIRN_E_MEMORY;
    *added = wanted;
    added->next = NULL;
    if (line->first)
        line->last->next = added;
    else
        line->first = added;
    line->last = added;
    return CAIRN_OK;
}

/* A search that was begun is finished first, then the most urgent request. */
static request *next_request(planner *self)
{
    for (int i = SEEN; !self->current && i < PRIORITIES; i++) {
        self->current = self->waiting[i].first;
        if (self->current)
            self->waiting[i].first = self->current->next;
    }
    return self->current;
}

/* --------------------------------------------------------------------------------- searches -- */

/* Begins a search, and runs it for the rest of the frame. */
static cairn_status begin(planner *self, const request *asked, cairn_path *path)
{
    cairn_status status;

    status = cairn_search_begin(self->search, asked->start, asked->goal, path);
    if (status == CAIRN_OK && path->outcome == CAIRN_PATH_PAUSED)
        status = cairn_search_resume_for(self->search, time_left(self), path);
    return status;
}

/* Continues a search of an earlier frame. If the map has changed since, the search has to begin
 * again. It then runs to its end, so that edits in every frame cannot keep it from ending. */
static cairn_status go_on(planner *self, const request *asked, cairn_path *path)
{
    cairn_status status = cairn_search_resume_for(self->search, time_left(self), path);
    return status == CAIRN_E_CHANGED
               ? cairn_search_run(self->search, asked->start, asked->goal, path)
               : status;
}

static cairn_status work_on(planner *self, request *asked)
{
    cairn_path path;
    cairn_status status = asked->is_begun ? go_on(self, asked, &path) : begin(self, asked, &path);

    asked->is_begun = true;
    if (status != CAIRN_OK || path.outcome == CAIRN_PATH_PAUSED)
        return status;
    self->answer(self->game, asked, &path);
    self->current = NULL;
    free(asked);
    return CAIRN_OK;
}

/* One frame: edits, a tenth of the time for the table, the rest for requests. */
static cairn_status plan(planner *self, const cairn_edit *edits, size_t edit_count)
{
    request *asked;

    self->end = now() + BUDGET;
    cairn_status status = cairn_map_edit(self->map, edits, edit_count);
    if (status == CAIRN_OK)
        status = cairn_refresh_step(self->table, self->map, CAIRN_MICROSECONDS(BUDGET / 10));
    if (status == CAIRN_MORE)
        status = CAIRN_OK;
    while (status == CAIRN_OK && time_left(self) && (asked = next_request(self)))
        status = work_on(self, asked);
    return status;
}

static cairn_status planner_open(planner *self, const char *letters)
{
    const cairn_search_options options = {.size = sizeof options, .form = CAIRN_FORM_CORNERS};

    cairn_status status = cairn_map_from_letters(WIDTH, HEIGHT, letters, NULL, &self->map, NULL);
    if (status == CAIRN_OK)
        status = cairn_table_build(self->map, NULL, &self->table);
    if (status == CAIRN_OK)
        status = cairn_search_new(self->map, self->table, &options, &self->search);
    return status;
}

static void planner_close(planner *self)
{
    while (next_request(self)) {
        free(self->current);
        self->current = NULL;
    }
    cairn_search_free(self->search);
    cairn_table_free(self->table);
    cairn_map_free(self->map);
}

/* --------------------------------------------------------------------------------- the game -- */

typedef struct game {
    planner planner;
    char letters[WIDTH * HEIGHT];
    cairn_node unit[UNITS]; /* where each one is, or will arrive */
    uint32_t asked;
    uint32_t answered;
    uint32_t unreachable;
    uint32_t luck;
} game;

static uint32_t dice(game *self, uint32_t sides)
{
    self->luck = self->luck * 1664525 + 1013904223;
    return (self->luck >> 8) % sides;
}

/* Rooms with a door in each wall. */
static void draw(char *letters)
{
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        const uint32_t x = i % WIDTH % ROOM, y = i / WIDTH % ROOM;
        const bool is_wall = x == 0 || y == 0, is_door = (x == 0) != (y == 0) && x + y == ROOM / 2;
        letters[i] = is_wall && !is_door ? '@' : '.';
    }
}

/* A door that opens or closes, or a hole in a wall. */
static cairn_edit change(game *self)
{
    const uint32_t x = dice(self, WIDTH / ROOM) * ROOM, y = dice(self, HEIGHT / ROOM) * ROOM;
    const bool is_across = dice(self, 2);
    const uint32_t at_x = is_across ? x : x + ROOM / 2, at_y = is_across ? y + ROOM / 2 : y;
    return dice(self, 3) ? cairn_open(at_x, at_y) : cairn_block(at_x, at_y);
}

static cairn_node any_open_cell(game *self)
{
    for (;;) {
        const uint32_t x = dice(self, WIDTH / ROOM) * ROOM, y = dice(self, HEIGHT / ROOM) * ROOM;
        if (x + ROOM <= WIDTH && y + ROOM <= HEIGHT)
            return cairn_node_at(self->planner.map, x + 1 + dice(self, ROOM - 1),
                                 y + 1 + dice(self, ROOM - 1));
    }
}

static void arrive(void *context, const request *asked, const cairn_path *path)
{
    game *self = context;
    self->answered++;
    if (path->outcome == CAIRN_PATH_FOUND)
        self->unit[asked->unit] = asked->goal;
    else
        self->unreachable++;
}

static cairn_status ask_some(game *self, uint32_t total)
{
    cairn_status status = CAIRN_OK;
    for (uint32_t i = 0; status == CAIRN_OK && i < A_FRAME && self->asked < total; i++) {
        const uint32_t unit = self->asked++ % UNITS;
        const priority how_urgent = (priority)(unit % PRIORITIES);
        status = ask(&self->planner, (request){.start = self->unit[unit],
                                               .goal = any_open_cell(self),
                                               .unit = unit,
                                               .how_urgent = how_urgent});
    }
    return status;
}

static cairn_status game_open(game *self)
{
    draw(self->letters);
    self->planner.answer = arrive;
    self->planner.game = self;
    cairn_status status = planner_open(&self->planner, self->letters);
    for (uint32_t i = 0; status == CAIRN_OK && i < UNITS; i++)
        self->unit[i] = any_open_cell(self);
    return status;
}

/* Runs frames until every request has an answer. */
static cairn_status play(game *self, uint32_t total)
{
    cairn_status status = CAIRN_OK;
    while (status == CAIRN_OK && self->answered < total) {
        const cairn_edit edits[] = {change(self), change(self)};
        status = ask_some(self, total);
        if (status == CAIRN_OK)
            status = plan(&self->planner, edits, 2);
    }
    return status;
}

int main(int count, char **words)
{
    static game self = {.luck = 1};
    const uint32_t total = count > 1 ? (uint32_t)strtoul(words[1], NULL, 10) : 1000;

    cairn_status status = game_open(&self);
    if (status == CAIRN_OK)
        status = play(&self, total);
    if (status == CAIRN_OK)
        printf("%u requests, %u answered%s\n", total, self.answered,
               self.unreachable < total / 2 ? ", most of them with a path" : "");
    else
        fprintf(stderr, "%s\n", cairn_status_text(status));
    planner_close(&self.planner);
    return status == CAIRN_OK ? 0 : 1;
}
