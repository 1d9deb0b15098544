#include <math.h>

#include "gppc/gppc.h"
#include "support/check.h"
#include "support/fixtures.h"

typedef struct bits {
    uint8_t *bytes;
    struct gppc_patch patch;
} bits;

static bits bits_of(const picture *drawn, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    bits made = {.bytes = calloc(width * height / 8 + 1, 1)};
    assert_non_null(made.bytes);
    for (uint32_t i = 0; i < width * height; i++)
        if (picture_is_open(drawn, x + i % width, y + i / width))
            made.bytes[i / 8] |= (uint8_t)(1u << i % 8);
    made.patch = (struct gppc_patch){
        made.bytes, (uint16_t)width, (uint16_t)height, {(uint16_t)x, (uint16_t)y}};
    return made;
}

static bits whole(const picture *drawn)
{
    return bits_of(drawn, 0, 0, drawn->width, drawn->height);
}

static int towards(int from, int to)
{
    return (to > from) - (to < from);
}

/* Every cell of a path of runs, checked by the oracle. */
static uint64_t path_cost(const picture *drawn, oracle_steps steps, const struct gppc_path *path)
{
    uint32_t *nodes = malloc(sizeof *nodes * (picture_size(drawn) + 1));
    size_t count = 0;
    int x = path->path[0].x, y = path->path[0].y;

    nodes[count++] = (uint32_t)y * drawn->width + (uint32_t)x;
    for (uint32_t i = 1; i < path->length; i++) {
        while (x != path->path[i].x || y != path->path[i].y) {
            x += towards(x, path->path[i].x);
            y += towards(y, path->path[i].y);
            assert_true(count < picture_size(drawn));
            nodes[count++] = (uint32_t)y * drawn->width + (uint32_t)x;
        }
    }
    uint64_t cost = oracle_path_cost(drawn, steps, nodes, count);
    free(nodes);
    return cost;
}

static void assert_path_right(const picture *drawn, void *data, dice *luck)
{
    const oracle_steps steps = steps_of(CAIRN_METRIC_OCTILE);
    uint32_t start = dice_open_cell(luck, drawn), goal = dice_open_cell(luck, drawn);
    uint64_t *costs = oracle_costs(drawn, steps, &goal, 1);
    struct gppc_point from = {(uint16_t)(start % drawn->width), (uint16_t)(start / drawn->width)};
    struct gppc_point to = {(uint16_t)(goal % drawn->width), (uint16_t)(goal / drawn->width)};
    struct gppc_path path = gppc_get_path(data, from, to);

    assert_int_equal(path.incomplete, 0);
    if (costs[start] == ORACLE_NEVER) {
        assert_int_equal(path.length, 0);
    } else {
        assert_true(path.length >= 2);
        assert_int_equal(path.path[0].x, from.x);
        assert_int_equal(path.path[path.length - 1].y, to.y);
        assert_int_equal(path_cost(drawn, steps, &path), costs[start]);
    }
    free(costs);
}

static void change_somewhere(picture *drawn, void *data, dice *luck)
{
    bits changes[3];
    struct gppc_patch patches[3];
    for (unsigned i = 0; i < 3; i++) {
        uint32_t x = dice_below(luck, drawn->width), y = dice_below(luck, drawn->height);
        uint32_t width = 1 + dice_below(luck, 9) % (drawn->width - x);
        uint32_t height = 1 + dice_below(luck, 9) % (drawn->height - y);
        for (uint32_t cell = 0; cell < width * height; cell++)
            drawn->letters[(y + cell / width) * drawn->width + x + cell % width] =
                dice_below(luck, 3) ? '.' : '@';
        drawn->letters[0] = '.';
        changes[i] = bits_of(drawn, x, y, width, height);
        patches[i] = changes[i].patch;
    }
    /* All three as they are when the last was drawn: patches may lie over one another. */
    for (unsigned i = 0; i < 3; i++) {
        bits again = bits_of(drawn, patches[i].pos.x, patches[i].pos.y, patches[i].width,
                             patches[i].height);
        memcpy(changes[i].bytes, again.bytes, (size_t)patches[i].width * patches[i].height / 8 + 1);
        free(again.bytes);
    }
    gppc_map_change(data, patches, 3);
    for (unsigned i = 0; i < 3; i++)
        free(changes[i].bytes);
}

static void paths_stay_shortest_while_the_map_changes(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        dice luck = {seed + 5};
        picture drawn = any_map(seed);
        drawn.letters[0] = '.';
        char *file = scratch_file("map.cairn");
        bits first = whole(&drawn);
        gppc_preprocess_init_map(first.patch, file);
        void *data = gppc_search_init(first.patch, file);
        assert_non_null(data);
        for (int round = 0; round < 15; round++) {
            for (int query = 0; query < 4; query++)
                assert_path_right(&drawn, data, &luck);
            change_somewhere(&drawn, data, &luck);
        }
        gppc_free_data(data);
        free(first.bytes);
        scratch_remove(file);
        picture_free(&drawn);
    }
}

enum { MANY = 10000, ASKED = 60 };

/* Single cells that open and close, each drawn on the picture at once. */
static void draw_many(picture *drawn, dice *luck, struct gppc_patch *patches, uint8_t *bytes)
{
    for (unsigned i = 0; i < MANY; i++) {
        uint32_t x = dice_below(luck, drawn->width), y = dice_below(luck, drawn->height);
        bytes[i] = (uint8_t)(dice_below(luck, 3) > 0 || (x == 0 && y == 0));
        drawn->letters[y * drawn->width + x] = bytes[i] ? '.' : '@';
        patches[i] = (struct gppc_patch){&bytes[i], 1, 1, {(uint16_t)x, (uint16_t)y}};
    }
}

static void ask_some(const picture *drawn, void *data, dice *luck)
{
    for (unsigned query = 0; query < ASKED; query++)
        assert_path_right(drawn, data, luck);
}

/* More changes than any journal remembers, in one call or in as many, with a query between them now
 * and then. */
static void make_many_changes(void *data, const struct gppc_patch *patches, unsigned at_once,
                              const struct gppc_point *ends)
{
    for (unsigned i = 0; i < MANY; i += at_once) {
        gppc_map_change(data, patches + i, at_once);
        if (ends && i % 700 == 0)
            (void)gppc_get_path(data, ends[0], ends[1]);
    }
}

static void ten_thousand_changes_leave_every_answer_right(void **state)
{
    static struct gppc_patch patches[MANY];
    static uint8_t bytes[MANY];
    const struct gppc_point ends[] = {{0, 0}, {47, 39}};
    (void)state;
    for (unsigned way = 0; way < 3; way++) {
        dice luck = {way + 11};
        picture drawn = random_map(MAP_CAVE, 48, 40, way);
        drawn.letters[0] = '.';
        bits first = whole(&drawn);
        void *data = gppc_search_init(first.patch, NULL);
        assert_non_null(data);
        ask_some(&drawn, data, &luck);
        for (unsigned round = 0; round < 2; round++) {
            draw_many(&drawn, &luck, patches, bytes);
            make_many_changes(data, patches, way == 0 ? MANY : 1, way == 2 ? ends : NULL);
            ask_some(&drawn, data, &luck);
        }
        gppc_free_data(data);
        free(first.bytes);
        picture_free(&drawn);
    }
}

static void a_file_of_another_map_is_not_used(void **state)
{
    (void)state;
    picture drawn = PICTURE("....", ".@@.", "...."), other = PICTURE("....", "....", "....");
    dice luck = {3};
    char *file = scratch_file("map.cairn");
    bits first = whole(&drawn), wrong = whole(&other);

    gppc_preprocess_init_map(wrong.patch, file);
    void *data = gppc_search_init(first.patch, file);
    assert_non_null(data);
    for (int query = 0; query < 30; query++)
        assert_path_right(&drawn, data, &luck);
    gppc_free_data(data);
    assert_string_equal(gppc_get_name(), "Cairn");
    free(first.bytes);
    free(wrong.bytes);
    scratch_remove(file);
    picture_free(&drawn);
    picture_free(&other);
}

/* A path has two ends: no points mean that there is none. */
static void a_path_from_a_cell_to_itself_is_that_cell_twice(void **state)
{
    (void)state;
    picture drawn = PICTURE("....", ".@@.", "....");
    bits first = whole(&drawn);
    void *data = gppc_search_init(first.patch, NULL);
    struct gppc_point open = {3, 1}, blocked = {2, 1};
    assert_non_null(data);

    struct gppc_path path = gppc_get_path(data, open, open);
    assert_int_equal(path.length, 2);
    assert_int_equal(path.incomplete, 0);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(path.path[i].x, open.x);
        assert_int_equal(path.path[i].y, open.y);
    }
    assert_int_equal(gppc_get_path(data, blocked, blocked).length, 0);
    gppc_free_data(data);
    free(first.bytes);
    picture_free(&drawn);
}

/* ------------------------------------------------------ the map and edits of a real scenario -- */

static double length_of(const struct gppc_path *path)
{
    double length = 0;
    for (uint32_t i = 1; i < path->length; i++) {
        int x = abs(path->path[i].x - path->path[i - 1].x);
        int y = abs(path->path[i].y - path->path[i - 1].y);
        length += x == y ? x * sqrt(2) : x + y;
        assert_true(x == y || x == 0 || y == 0);
    }
    return length;
}

static void assert_answer_right(void *data, const cairn_query *query, uint32_t width)
{
    struct gppc_point from = {(uint16_t)(query->start % width), (uint16_t)(query->start / width)};
    struct gppc_point to = {(uint16_t)(query->goal % width), (uint16_t)(query->goal / width)};
    struct gppc_path path = gppc_get_path(data, from, to);

    if (query->length == CAIRN_LENGTH_NONE) {
        assert_int_equal(path.length, 0);
        return;
    }
    assert_true(path.length >= 2);
    assert_true(fabs(length_of(&path) - query->length) < 1e-6 * (1 + query->length));
}

static void change(void *data, const cairn_edit *edit)
{
    size_t count = (size_t)edit->width * edit->height;
    const char *letters = edit->data;
    uint8_t *states = calloc(count / 8 + 1, 1);
    for (size_t i = 0; i < count; i++)
        states[i / 8] |= (uint8_t)((strchr(".GS", letters[i]) != NULL) << i % 8);
    struct gppc_patch patch = {states,
                               (uint16_t)edit->width,
                               (uint16_t)edit->height,
                               {(uint16_t)edit->x, (uint16_t)edit->y}};
    gppc_map_change(data, &patch, 1);
    free(states);
}

static void *open_data(const cairn_dynamic *dynamic)
{
    uint32_t width = cairn_dynamic_width(dynamic), height = cairn_dynamic_height(dynamic);
    uint8_t *open = malloc((size_t)width * height / 8 + 1);
    memset(open, 0xff, (size_t)width * height / 8 + 1);
    struct gppc_patch all = {open, (uint16_t)width, (uint16_t)height, {0, 0}};
    void *data = gppc_search_init(all, NULL);
    assert_non_null(data);
    free(open);
    return data;
}

static void play(const cairn_dynamic *dynamic, uint32_t *without_path)
{
    const cairn_event *events = cairn_dynamic_events(dynamic);
    void *data = open_data(dynamic);

    for (size_t i = 0; i < cairn_dynamic_count(dynamic); i++) {
        if (events[i].kind == CAIRN_EVENT_EDIT) {
            change(data, &events[i].edit);
            continue;
        }
        assert_answer_right(data, &events[i].query, cairn_dynamic_width(dynamic));
        *without_path += events[i].query.length == CAIRN_LENGTH_NONE;
    }
    gppc_free_data(data);
}

static void every_answer_on_a_real_changing_map_is_right(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t without_path;
    } scenarios[] = {{"dao_arena2", 0}, {"switch_arctic_war", 192}};

    for (size_t i = 0; i < COUNT_OF(scenarios); i++) {
        char path[4096 + 64];
        cairn_dynamic *dynamic;
        cairn_error error;
        uint32_t without_path = 0;
        if (!real_data()) {
            print_message("no real maps: set CAIRN_TEST_DATA\n");
            skip();
        }
        snprintf(path, sizeof path, "%s/movingai/dynamic/%s.scen", real_data(), scenarios[i].name);
        assert_int_equal(cairn_dynamic_load(path, &dynamic, &error), CAIRN_OK);
        play(dynamic, &without_path);
        assert_int_equal(without_path, scenarios[i].without_path);
        cairn_dynamic_free(dynamic);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_from_a_cell_to_itself_is_that_cell_twice),
        cmocka_unit_test(paths_stay_shortest_while_the_map_changes),
        cmocka_unit_test(ten_thousand_changes_leave_every_answer_right),
        cmocka_unit_test(a_file_of_another_map_is_not_used),
        cmocka_unit_test(every_answer_on_a_real_changing_map_is_right),
    };
    return cmocka_run_group_tests_name("gppc", tests, NULL, NULL);
}
