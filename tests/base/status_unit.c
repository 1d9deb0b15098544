#include "base/base.h"

#include "support/check.h"

static void every_status_has_words_of_its_own(void **state)
{
    (void)state;
    for (int a = CAIRN_OK; a <= CAIRN_E_RESIDENT; a++) {
        const char *words = cairn_status_text((cairn_status)a);
        assert_non_null(words);
        assert_true(strlen(words) > 0);
        assert_string_not_equal(words, cairn_status_text((cairn_status)9999));
        for (int b = CAIRN_OK; b < a; b++)
            assert_string_not_equal(words, cairn_status_text((cairn_status)b));
    }
}

static void the_version_is_that_of_the_header(void **state)
{
    (void)state;
    char expected[64];
    snprintf(expected, sizeof expected, "%d.%d.%d", CAIRN_VERSION_MAJOR, CAIRN_VERSION_MINOR,
             CAIRN_VERSION_PATCH);
    assert_string_equal(cairn_version(), expected);
}

typedef struct options {
    size_t size;
    uint32_t first;
    uint32_t second;
} options;

static void options_of_an_older_caller_leave_the_rest_at_its_default(void **state)
{
    (void)state;
    options from = {offsetof(options, second), 1, 2};
    options to = {9, 9, 9};
    assert_true(cn_options_copy(&to, sizeof to, &from));
    assert_int_equal(to.first, 1);
    assert_int_equal(to.second, 0);
}

static void options_of_a_newer_caller_are_cut(void **state)
{
    (void)state;
    struct {
        options known;
        uint64_t unknown;
    } from = {{sizeof from, 1, 2}, 3};
    struct {
        options known;
        uint64_t guard;
    } to = {{0}, 77};
    assert_true(cn_options_copy(&to.known, sizeof to.known, &from));
    assert_int_equal(to.known.first, 1);
    assert_int_equal(to.known.second, 2);
    assert_int_equal(to.guard, 77);
}

static void options_that_are_not_there_are_all_zero(void **state)
{
    (void)state;
    options to = {9, 9, 9};
    assert_true(cn_options_copy(&to, sizeof to, NULL));
    assert_int_equal(to.first, 0);
    assert_int_equal(to.second, 0);
}

static void options_with_an_absurd_size_are_refused(void **state)
{
    (void)state;
    static const size_t absurd[] = {0, 1, sizeof(size_t) - 1, 5000, SIZE_MAX};
    for (size_t i = 0; i < COUNT_OF(absurd); i++) {
        options from = {absurd[i], 1, 2};
        options to;
        assert_false(cn_options_copy(&to, sizeof to, &from));
    }
}

static void what_was_found_is_cut_to_fit_and_made_printable(void **state)
{
    (void)state;
    char found[200];
    memset(found, 'x', sizeof found);
    memcpy(found, "a\n\0\x80~", 5);

    cairn_error error;
    assert_int_equal(cn_error_at_line(&error, CAIRN_E_FORMAT, 7, "a word", found, sizeof found),
                     CAIRN_E_FORMAT);
    assert_int_equal(error.line, 7);
    assert_int_equal(error.offset, 0);
    assert_string_equal(error.expected, "a word");
    assert_int_equal(strlen(error.found), sizeof error.found - 1);
    assert_memory_equal(error.found, "a\\x0a\\x00\\x80~x", 15);

    cn_error_at_byte(&error, CAIRN_E_VERSION, 99, "less", "12", 2);
    assert_int_equal(error.line, 0);
    assert_int_equal(error.offset, 99);
    assert_string_equal(error.found, "12");
}

static void an_error_may_be_unwanted(void **state)
{
    (void)state;
    assert_int_equal(cn_error_at_line(NULL, CAIRN_E_FORMAT, 1, "x", "y", 1), CAIRN_E_FORMAT);
    assert_int_equal(cn_error_at_byte(NULL, CAIRN_E_LIMIT, 1, "x", "y", 1), CAIRN_E_LIMIT);
    assert_int_equal(cn_error_general(NULL, CAIRN_E_MEMORY, NULL), CAIRN_E_MEMORY);
}

static void an_error_of_a_file_says_why(void **state)
{
    (void)state;
    cairn_map *map;
    cairn_table *table;
    cairn_error error;
    char text[80];

    assert_int_equal(cairn_map_load("missing.map", NULL, &map, &error), CAIRN_E_IO);
    cairn_error_text(&error, "missing.map", text, sizeof text);
    assert_string_equal(text, "missing.map: no such file or folder");
    assert_int_equal(cairn_load(".", NULL, &map, &table, &error), CAIRN_E_IO);
    cairn_error_text(&error, NULL, text, sizeof text);
    assert_string_equal(text, "it is a folder");
}

static size_t failed_read(void *context, void *bytes, size_t size)
{
    (void)context, (void)bytes, (void)size;
    return SIZE_MAX;
}

static void an_error_of_a_stream_gives_no_reason_of_another_file(void **state)
{
    (void)state;
    const cairn_stream stream = {.read = failed_read};
    cairn_map *map;
    cairn_table *table;
    cairn_error error;

    assert_int_equal(cairn_map_load("missing.map", NULL, &map, &error), CAIRN_E_IO);
    assert_int_equal(cairn_load_from(&stream, NULL, &map, &table, &error), CAIRN_E_IO);
    assert_string_equal(error.found, "");
}

static void an_error_is_a_line_for_people(void **state)
{
    (void)state;
    static const struct {
        cairn_error error;
        const char *name, *line;
    } cases[] = {
        {{CAIRN_E_FORMAT, 7, 90, "a row", "x"}, "a.map", "a.map:7: expected a row, found \"x\""},
        {{CAIRN_E_FORMAT, 7, 90, "a row", ""}, "a.map", "a.map:7: expected a row"},
        {{CAIRN_E_FORMAT, 7, 90, "a row", "x"}, NULL, "line 7: expected a row, found \"x\""},
        {{CAIRN_E_LIMIT, 2, 9, "less", "9"}, "m", "m:2: expected less, found \"9\""},
        {{CAIRN_E_FORMAT, 0, 90, "END", "x"}, "a", "a: byte 90: expected END, found \"x\""},
        {{CAIRN_E_VERSION, 0, 0, "1.0", ""}, NULL, "byte 0: expected 1.0"},
        {{CAIRN_E_MISMATCH, 0, 5, "a map", ""}, "a", "a: expected a map"},
        {{CAIRN_E_LIMIT, 0, 5, "less", "9 bytes"}, NULL, "expected less, found \"9 bytes\""},
        {{CAIRN_E_FORMAT, 0, 0, NULL, ""}, "a", "a: malformed input"},
        {{CAIRN_E_IO, 0, 0, "a.patch", ""}, "a", "a: a.patch: input or output failed"},
        {{CAIRN_E_IO, 0, 0, "a.patch", "gone"}, NULL, "a.patch: gone"},
        {{CAIRN_E_IO, 0, 0, NULL, "gone"}, "a", "a: gone"},
        {{CAIRN_E_IO, 0, 0, NULL, ""}, NULL, "input or output failed"},
        {{CAIRN_E_MEMORY, 0, 0, NULL, ""}, NULL, "out of memory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t length = strlen(cases[i].line);
        for (size_t size = 0; size <= length + 2; size++) {
            char text[80];
            memset(text, '#', sizeof text);
            assert_int_equal(cairn_error_text(&cases[i].error, cases[i].name, text, size), length);
            const size_t kept = size > length ? length : size > 0 ? size - 1 : 0;
            assert_memory_equal(text, cases[i].line, kept);
            assert_int_equal(text[kept], size > 0 ? '\0' : '#');
            assert_int_equal(text[size], '#');
        }
        assert_int_equal(cairn_error_text(&cases[i].error, cases[i].name, NULL, 0), length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_words_of_its_own),
        cmocka_unit_test(the_version_is_that_of_the_header),
        cmocka_unit_test(options_of_an_older_caller_leave_the_rest_at_its_default),
        cmocka_unit_test(options_of_a_newer_caller_are_cut),
        cmocka_unit_test(options_that_are_not_there_are_all_zero),
        cmocka_unit_test(options_with_an_absurd_size_are_refused),
        cmocka_unit_test(what_was_found_is_cut_to_fit_and_made_printable),
        cmocka_unit_test(an_error_may_be_unwanted),
        cmocka_unit_test(an_error_of_a_file_says_why),
        cmocka_unit_test(an_error_of_a_stream_gives_no_reason_of_another_file),
        cmocka_unit_test(an_error_is_a_line_for_people),
    };
    return cmocka_run_group_tests_name("status", tests, NULL, NULL);
}
