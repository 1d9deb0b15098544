/* The example of frames, with 10,000 requests and edits in every frame: each is answered, by a
 * shortest path of the map as it is in that frame, and no frame goes on after its time but for the
 * search that it was at. */
#include "support/check.h"
#include "support/oracle.h"

int example_main(int count, char **words);
#define main example_main
#include "../../examples/frames.c"
#undef main

enum { REQUESTS = 10000, BETWEEN_ORACLES = 100 };

typedef struct observer {
    game *game;
    cairn_flood *flood;
    cairn_cost *costs;
    uint64_t frame; /* the end of it */
    unsigned frames;
    unsigned answers_in_frame;
    unsigned late_frames;
    bool is_late; /* an answer of this frame came after its end */
} observer;

static void note_frame(observer *self)
{
    const planner *by = &self->game->planner;
    if (by->end != self->frame) {
        self->frame = by->end;
        self->frames++;
        self->is_late = false;
        self->answers_in_frame = 0;
    }
    assert_false(self->is_late);
    self->is_late = now() >= by->end;
    self->late_frames += self->is_late;
    self->answers_in_frame++;
}

/* The first answer of a frame may be that of a search that was begun in an earlier one. */
static void assert_most_urgent(const observer *self, const request *asked)
{
    for (priority i = SEEN; self->answers_in_frame > 1 && i < asked->how_urgent; i++)
        assert_null(self->game->planner.waiting[i].first);
}

static void assert_by_oracle(const cairn_map *map, const request *asked, const cairn_path *path)
{
    static char letters[WIDTH * HEIGHT];
    const picture drawn = {.width = WIDTH, .height = HEIGHT, .letters = letters};
    const cairn_metric metric = cairn_map_metric(map);
    for (cairn_node node = 0; node < WIDTH * HEIGHT; node++)
        letters[node] = cairn_map_is_open(map, node) ? '.' : '@';
    const oracle_steps steps = {metric.straight, metric.diagonal};
    uint64_t *costs = oracle_costs(&drawn, steps, &asked->goal, 1);
    assert_int_equal(path->cost,
                     costs[asked->start] == ORACLE_NEVER ? CAIRN_UNREACHABLE : costs[asked->start]);
    if (path->node_count)
        assert_int_equal(oracle_path_cost(&drawn, steps, path->nodes, path->node_count),
                         path->cost);
    free(costs);
}

static void observe(void *context, const request *asked, const cairn_path *path)
{
    observer *self = context;
    planner *by = &self->game->planner;
    const uint32_t number = self->game->answered;
    cairn_path whole = *path;

    note_frame(self);
    assert_most_urgent(self, asked);
    assert_int_equal(cairn_flood_to(self->flood, &asked->goal, 1, self->costs), CAIRN_OK);
    assert_int_equal(path->cost, self->costs[asked->start]);
    assert_int_equal(path->outcome == CAIRN_PATH_FOUND, path->cost != CAIRN_UNREACHABLE);
    assert_int_equal(path->guarantee, path->outcome == CAIRN_PATH_FOUND ? 1000 : 0);
    if (number % BETWEEN_ORACLES == 0) {
        assert_int_equal(cairn_search_cells(by->search, &whole), CAIRN_OK);
        assert_by_oracle(by->map, asked, &whole);
    }
    arrive(self->game, asked, path);
}

static void every_request_is_answered_in_the_time_that_frames_have(void **state)
{
    (void)state;
    static game playing = {.luck = 7};
    observer self = {.game = &playing, .costs = malloc(WIDTH * HEIGHT * sizeof *self.costs)};

    assert_int_equal(game_open(&playing), CAIRN_OK);
    assert_int_equal(cairn_flood_new(playing.planner.map, &self.flood), CAIRN_OK);
    playing.planner.answer = observe;
    playing.planner.game = &self;
    assert_int_equal(play(&playing, REQUESTS), CAIRN_OK);
    assert_int_equal(playing.answered, REQUESTS);
    assert_true(playing.unreachable < REQUESTS / 2);
    assert_true(self.frames >= REQUESTS / A_FRAME / 4);
    print_message("%u frames with answers, %u of them ended by one after their time, %u requests "
                  "without a path\n",
                  self.frames, self.late_frames, playing.unreachable);
    cairn_flood_free(self.flood);
    free(self.costs);
    planner_close(&playing.planner);
}

static void the_example_itself_answers_all(void **state)
{
    (void)state;
    char name[] = "frames", requests[] = "100";
    char *words[] = {name, requests, NULL};
    assert_int_equal(example_main(2, words), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_request_is_answered_in_the_time_that_frames_have),
        cmocka_unit_test(the_example_itself_answers_all),
    };
    return cmocka_run_group_tests_name("frames", tests, NULL, NULL);
}
