#include "cairn/cairn.h"
#include "support/check.h"
#include "support/fixtures.h"

static cairn_status parse(const char *text, cairn_edits **edits, cairn_error *error)
{
    return cairn_edits_parse(text, strlen(text), edits, error);
}

static void every_kind_of_line_becomes_an_edit(void **state)
{
    (void)state;
    static const char text[] = "# doors\r\n\nblock 3 4\n  open 5 6\nterrain 1 2 T\n"
                               "rect 7 8 9 10 open\nrect 0 0 1 2 W";
    cairn_edits *edits;
    cairn_error error;
    assert_int_equal(parse(text, &edits, &error), CAIRN_OK);
    assert_int_equal(cairn_edits_count(edits), 5);
    const cairn_edit *items = cairn_edits_items(edits);
    static const struct {
        uint32_t x, y, width, height;
        char letter;
    } expected[] = {{3, 4, 1, 1, '@'},
                    {5, 6, 1, 1, '.'},
                    {1, 2, 1, 1, 'T'},
                    {7, 8, 9, 10, '.'},
                    {0, 0, 1, 2, 'W'}};
    static const uint64_t lines[] = {3, 4, 5, 6, 7};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        assert_int_equal(items[i].kind, CAIRN_EDIT_FILL);
        assert_int_equal(items[i].x, expected[i].x);
        assert_int_equal(items[i].y, expected[i].y);
        assert_int_equal(items[i].width, expected[i].width);
        assert_int_equal(items[i].height, expected[i].height);
        assert_int_equal(items[i].letter, expected[i].letter);
        assert_int_equal(cairn_edits_line(edits, i), lines[i]);
    }
    cairn_edits_free(edits);
}

static void an_empty_list_is_a_list(void **state)
{
    (void)state;
    cairn_edits *edits;
    assert_int_equal(cairn_edits_parse(NULL, 0, &edits, NULL), CAIRN_OK);
    assert_int_equal(cairn_edits_count(edits), 0);
    cairn_edits_free(edits);
    cairn_edits_free(NULL);
}

static void other_lines_are_refused_with_their_number(void **state)
{
    (void)state;
    static const char cost[] = "cost FROM TO COST, with a COST from 1 to 268435455";
    static const char rectangle[] = "rect X Y WIDTH HEIGHT LETTER";
    static const char any[] = "block X Y, open X Y, terrain X Y LETTER, rect X Y WIDTH HEIGHT "
                              "LETTER or cost FROM TO COST";
    static const struct {
        const char *line;
        const char *expected;
    } wrong[] = {{"block 1", "block X Y"},
                 {"block 1 2 3", "block X Y"},
                 {"block 1 99999999999", "block X Y"},
                 {"open x 2", "open X Y"},
                 {"open -1 2", "open X Y"},
                 {"terrain 1 2", "terrain X Y LETTER"},
                 {"terrain 1 2 TT", "terrain X Y LETTER"},
                 {"rect 1 2 3 open", rectangle},
                 {"rect 1 2 3 4", rectangle},
                 {"rect 3 3 0 2 block", "a rectangle of at least one cell"},
                 {"rect 3 3 2 0 open", "a rectangle of at least one cell"},
                 {"cost 1 2", cost},
                 {"cost 1 2 3 4", cost},
                 {"cost 1 2 -3", cost},
                 {"cost 1 2 4294967296", cost},
                 {"close 1 2", any}};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        char text[64];
        cairn_edits *edits = (cairn_edits *)"";
        cairn_error error;
        snprintf(text, sizeof text, "open 1 1\n%s\n", wrong[i].line);
        assert_int_equal(parse(text, &edits, &error), CAIRN_E_FORMAT);
        assert_int_equal(error.line, 2);
        assert_string_equal(error.expected, wrong[i].expected);
        assert_null(edits);
    }
    assert_int_equal(cairn_edits_parse("", 0, NULL, NULL), CAIRN_E_ARGUMENT);
}

static void a_list_is_read_from_a_file(void **state)
{
    (void)state;
    char *path = scratch_file("door.edits");
    cairn_edits *edits;
    cairn_error error;
    write_text(path, "open 5 9\nrect 5 5 1 8 block\n");
    assert_int_equal(cairn_edits_load(path, &edits, &error), CAIRN_OK);
    assert_int_equal(cairn_edits_count(edits), 2);
    assert_int_equal(cairn_edits_items(edits)[1].height, 8);
    cairn_edits_free(edits);
    write_text(path, "open 5 9\nshut 5 5\n");
    assert_int_equal(cairn_edits_load(path, &edits, &error), CAIRN_E_FORMAT);
    assert_int_equal(error.line, 2);
    assert_null(edits);
    scratch_remove(path);
}

static const char patches[] = "type patch\npatches 2\npatch 0\nheight 1\nwidth 3\nmap\n@.@\n"
                              "patch 1\nheight 1\nwidth 1\nmap\n.\n";
#define HEAD "version 2\nheight 3\nwidth 5\ncost 1 octile\npatch map.patch\ncommands\n"

static cairn_status load_dynamic(const char *scenario, const char *patch_text,
                                 cairn_dynamic **dynamic, cairn_error *error)
{
    /* The name of the patch file is the shorter one. */
    char *path = scratch_file("changing.scen"), *patch_path = strdup(path);
    strcpy(strrchr(patch_path, '/'), "/map.patch");
    write_text(path, scenario);
    if (patch_text)
        write_text(patch_path, patch_text);
    cairn_status status = cairn_dynamic_load(path, dynamic, error);
    remove(patch_path);
    scratch_remove(path);
    free(patch_path);
    return status;
}

static void a_map_that_changes_is_read_with_its_patches(void **state)
{
    (void)state;
    cairn_dynamic *dynamic;
    cairn_error error;
    assert_int_equal(load_dynamic(HEAD "Q 0 0 0 4 2 5.5\nP 1 0 2 1\nQ 1 4 2 0 0 -1\n"
                                       "Q 1 4 2 4 2 0\nQ 2 4 2 0 0 -1.00\n",
                                  patches, &dynamic, &error),
                     CAIRN_OK);
    assert_int_equal(cairn_dynamic_width(dynamic), 5);
    assert_int_equal(cairn_dynamic_height(dynamic), 3);
    assert_int_equal(cairn_dynamic_count(dynamic), 5);
    const cairn_event *events = cairn_dynamic_events(dynamic);
    assert_int_equal(events[0].kind, CAIRN_EVENT_QUERY);
    assert_int_equal(events[0].query.goal, 14);
    assert_true(events[0].query.length == 5.5);
    assert_int_equal(events[1].kind, CAIRN_EVENT_EDIT);
    assert_int_equal(events[1].edit.x, 2);
    assert_int_equal(events[1].edit.width, 3);
    assert_memory_equal(events[1].edit.data, "@.@", 3);
    assert_int_equal(events[2].time, 1);
    assert_true(events[2].query.length == CAIRN_LENGTH_NONE);
    assert_true(events[3].query.length == 0);
    assert_true(events[4].query.length == CAIRN_LENGTH_NONE);
    cairn_dynamic_free(dynamic);
}

static void broken_files_of_changing_maps_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *scenario;
        const char *patch_text;
        uint64_t line;
    } wrong[] = {
        {"version 1\n", patches, 1},
        {"version 2\nheight 0\n", patches, 2},
        {HEAD "Q 0 0 0 5 2 5.5\n", patches, 7},
        {HEAD "P 0 2 0 0\n", patches, 7},
        {HEAD "P 0 0 3 0\n", patches, 7},
        {HEAD "Q 0 0 0 1 1\n", patches, 7},
        {HEAD "X\n", patches, 7},
        {"", patches, 1},
        {"version 2\nheight 3\nwidth 5\ncost 1 octile\npatch ../map.patch\n", patches, 5},
        {"version 2\nheight 16385\nwidth 16384\n", patches, 3},
        {HEAD, "", 1},
        {HEAD, "type patch\npatches 9999\n", 2},
        {HEAD, "type patch\npatches 1\npatch 1\n", 3},
        {HEAD, "type patch\npatches 1\npatch 0\nheight 9\nwidth 9\nmap\n@@@\n", 6},
        {HEAD, "type patch\npatches 1\npatch 0\nheight 1\nwidth 2\nmap\n@x\n", 7},
        {HEAD, "type patch\npatches 1\npatch 0\nheight 1\nwidth 2\nmap\n@@\n\npatch 1\n", 9},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        cairn_dynamic *dynamic = (cairn_dynamic *)"";
        cairn_error error;
        cairn_status status = load_dynamic(wrong[i].scenario, wrong[i].patch_text, &dynamic,
                                           &error);
        assert_true(status == CAIRN_E_FORMAT || status == CAIRN_E_LIMIT);
        assert_int_equal(error.line, wrong[i].line);
        assert_null(dynamic);
        assert_int_equal(cairn_dynamic_parse(wrong[i].scenario, strlen(wrong[i].scenario),
                                             wrong[i].patch_text, strlen(wrong[i].patch_text),
                                             &dynamic, &error),
                         status);
        assert_int_equal(error.line, wrong[i].line);
    }
    cairn_dynamic *dynamic;
    cairn_error error;
    assert_int_equal(load_dynamic(HEAD, NULL, &dynamic, &error), CAIRN_E_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_line_becomes_an_edit),
        cmocka_unit_test(an_empty_list_is_a_list),
        cmocka_unit_test(other_lines_are_refused_with_their_number),
        cmocka_unit_test(a_list_is_read_from_a_file),
        cmocka_unit_test(a_map_that_changes_is_read_with_its_patches),
        cmocka_unit_test(broken_files_of_changing_maps_are_refused),
    };
    return cmocka_run_group_tests_name("edits_text", tests, NULL, NULL);
}
