#include "support/check.h"
#include "support/fixtures.h"

/* A text, which may hold NUL bytes, and what is to be said about it. */
typedef struct broken {
    const char *text;
    size_t size;
    cairn_status status;
    uint64_t line;
    const char *found;
} broken;

#define BROKEN(text, status, line, found)       \
  {                                             \
    text, sizeof(text) - 1, status, line, found \
  }
#define HEAD "type octile\nheight 2\nwidth 3\nmap\n"

static void assert_refused(const broken *example)
{
    cairn_error error;
    cairn_map *map = (cairn_map *)"";
    cairn_status status = cairn_map_parse(example->text, example->size, NULL, &map, &error);
    if (status != example->status || error.line != example->line)
        print_error("status %d, line %d for: %s\n", (int)status, (int)error.line, example->text);
    assert_int_equal(status, example->status);
    assert_int_equal(error.status, example->status);
    assert_int_equal(error.line, example->line);
    assert_non_null(error.expected);
    assert_true(strlen(error.expected) > 0);
    assert_string_equal(error.found, example->found);
    assert_null(map);
    assert_int_equal(cairn_map_parse(example->text, example->size, NULL, &map, NULL), status);
    assert_null(map);
}

static void assert_all_refused(const broken *examples, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_refused(&examples[i]);
}

static void a_wrong_header_is_refused_with_its_line(void **state)
{
    (void)state;
    static const broken examples[] = {
        BROKEN("", CAIRN_E_FORMAT, 1, "the end of the file"),
        BROKEN("\n", CAIRN_E_FORMAT, 1, ""),
        BROKEN("typo octile\n", CAIRN_E_FORMAT, 1, "typo octile"),
        BROKEN("type octile", CAIRN_E_FORMAT, 2, "the end of the file"),
        BROKEN("type octile\nheight 2\n", CAIRN_E_FORMAT, 3, "the end of the file"),
        BROKEN("type octile\nheight\nwidth 3\nmap\n", CAIRN_E_FORMAT, 2, "height"),
        BROKEN("type octile\nheight two\n", CAIRN_E_FORMAT, 2, "height two"),
        BROKEN("type octile\nheight 2 3\n", CAIRN_E_FORMAT, 2, "height 2 3"),
        BROKEN("type octile\nheight 2\nheight 2\n", CAIRN_E_FORMAT, 3, "height 2"),
        BROKEN("type octile\nheight 2\ndepth 2\n", CAIRN_E_FORMAT, 3, "depth 2"),
        BROKEN("type octile\nheight 2\nmap\n...\n", CAIRN_E_FORMAT, 3, "map"),
        BROKEN("type octile\nheight 2\nwidth 3\n...\n...\n", CAIRN_E_FORMAT, 4, "..."),
    };
    assert_all_refused(examples, COUNT_OF(examples));
}

static void a_size_that_cannot_be_is_refused(void **state)
{
    (void)state;
    static const broken examples[] = {
        BROKEN("type octile\nheight 0\nwidth 3\nmap\n", CAIRN_E_FORMAT, 2, "height 0"),
        BROKEN("type octile\nheight -2\nwidth 3\nmap\n", CAIRN_E_FORMAT, 2, "height -2"),
        BROKEN("type octile\nheight 2.5\nwidth 3\nmap\n", CAIRN_E_FORMAT, 2, "height 2.5"),
        BROKEN("type octile\nheight 2\nwidth 65536\nmap\n", CAIRN_E_LIMIT, 3, "width 65536"),
        BROKEN("type octile\nheight 4294967298\nwidth 3\nmap\n...\n...\n", CAIRN_E_LIMIT, 2,
               "height 4294967298"),
        BROKEN("type octile\nheight 18446744073709551618\nwidth 3\nmap\n...\n...\n", CAIRN_E_FORMAT,
               2, "height 18446744073709551618"),
    };
    assert_all_refused(examples, COUNT_OF(examples));
}

static void a_huge_map_in_a_small_file_takes_no_memory(void **state)
{
    (void)state;
    static const broken examples[] = {
        BROKEN("type octile\nheight 65535\nwidth 65535\nmap\n...\n", CAIRN_E_LIMIT, 4,
               "65535 x 65535"),
        BROKEN("type octile\nheight 16384\nwidth 16384\nmap\n...\n", CAIRN_E_FORMAT, 5, "..."),
    };
    assert_all_refused(examples, COUNT_OF(examples));
}

static void rows_of_a_wrong_length_are_refused_with_their_line(void **state)
{
    (void)state;
    static const broken examples[] = {
        BROKEN(HEAD "..\n...\n", CAIRN_E_FORMAT, 5, ".."),
        BROKEN(HEAD "...\n....\n", CAIRN_E_FORMAT, 6, "...."),
        BROKEN(HEAD "\n...\n", CAIRN_E_FORMAT, 5, ""),
        BROKEN(HEAD "...\n..", CAIRN_E_FORMAT, 6, ".."),
        BROKEN(HEAD "... .\n...\n", CAIRN_E_FORMAT, 5, "... ."),
    };
    assert_all_refused(examples, COUNT_OF(examples));
}

static void too_few_and_too_many_rows_are_refused(void **state)
{
    (void)state;
    static const broken examples[] = {
        BROKEN(HEAD "...\n", CAIRN_E_FORMAT, 6, "the end of the file"),
        BROKEN(HEAD "...", CAIRN_E_FORMAT, 6, "the end of the file"),
        BROKEN(HEAD "...\n...\n...\n", CAIRN_E_FORMAT, 7, "..."),
        BROKEN(HEAD "...\n...\n\n@\n", CAIRN_E_FORMAT, 8, "@"),
    };
    assert_all_refused(examples, COUNT_OF(examples));
}

static void unknown_letters_are_refused_and_named(void **state)
{
    (void)state;
    static const broken examples[] = {
        BROKEN(HEAD ".x.\n...\n", CAIRN_E_FORMAT, 5, "x"),
        BROKEN(HEAD "...\n..#\n", CAIRN_E_FORMAT, 6, "#"),
        BROKEN(HEAD ".\0.\n...\n", CAIRN_E_FORMAT, 5, "\\x00"),
        BROKEN(HEAD ".\xff.\n...\n", CAIRN_E_FORMAT, 5, "\\xff"),
        BROKEN(HEAD ". .\n...\n", CAIRN_E_FORMAT, 5, " "),
        BROKEN(HEAD ".s.\n...\n", CAIRN_E_FORMAT, 5, "s"),
    };
    assert_all_refused(examples, COUNT_OF(examples));
}

static void assert_same_map(const char *text, size_t size, const picture *expected)
{
    cairn_error error;
    cairn_map *map;
    assert_int_equal(cairn_map_parse(text, size, NULL, &map, &error), CAIRN_OK);
    assert_int_equal(cairn_map_width(map), expected->width);
    assert_int_equal(cairn_map_height(map), expected->height);
    for (uint32_t node = 0; node < picture_size(expected); node++)
        assert_int_equal(cairn_map_letter(map, node), expected->letters[node]);
    cairn_map_free(map);
}

static void line_ends_and_blank_tails_do_not_matter(void **state)
{
    (void)state;
    static const char *const same[] = {
        HEAD ".@G\nTSO\n",
        HEAD ".@G\nTSO",
        HEAD ".@G\nTSO\n\n",
        HEAD ".@G\nTSO\n \t\n\n",
        "type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n.@G\r\nTSO\r\n",
        "type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n.@G\r\nTSO",
        "type octile\nwidth 3\nheight 2\nmap\n.@G\nTSO\n",
        "type octile \nheight  2 \nwidth\t3\nmap \n.@G\r\nTSO\n",
    };
    picture expected = PICTURE(".@G", "TSO");
    for (size_t i = 0; i < COUNT_OF(same); i++)
        assert_same_map(same[i], strlen(same[i]), &expected);
    picture_free(&expected);
}

static void what_is_written_is_read_back(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 2 * MAP_KINDS; seed++) {
        picture map = any_map(seed);
        size_t size;
        char *text = picture_text(&map, seed % 2 ? "\r\n" : "\n", &size);
        assert_same_map(text, size, &map);
        free(text);
        picture_free(&map);
    }
}

static void every_truncation_is_refused_but_that_of_the_last_line_end(void **state)
{
    (void)state;
    static const char text[] = HEAD ".@.\n...\n";
    for (size_t size = 0; size < sizeof text - 2; size++) {
        cairn_map *map;
        cairn_error error;
        /* In a copy of just that size, so that a read beyond it is noticed. */
        char *part = malloc(size + !size);
        assert_non_null(part);
        memcpy(part, text, size);
        assert_int_equal(cairn_map_parse(part, size, NULL, &map, &error), CAIRN_E_FORMAT);
        assert_null(map);
        assert_true(error.line >= 1 && error.line <= 6);
        free(part);
    }
}

static void every_changed_byte_gives_a_map_or_an_error(void **state)
{
    (void)state;
    static const char text[] = HEAD ".@.\n...\n";
    for (size_t at = 0; at < sizeof text - 1; at++) {
        for (unsigned value = 0; value < 256; value++) {
            char changed[sizeof text];
            cairn_map *map;
            cairn_error error;
            memcpy(changed, text, sizeof text);
            changed[at] = (char)value;
            cairn_status status = cairn_map_parse(changed, sizeof text - 1, NULL, &map, &error);
            assert_int_equal(map != NULL, status == CAIRN_OK);
            if (status != CAIRN_OK)
                assert_true(error.line >= 1 && error.line <= 7);
            cairn_map_free(map);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_header_is_refused_with_its_line),
        cmocka_unit_test(a_size_that_cannot_be_is_refused),
        cmocka_unit_test(a_huge_map_in_a_small_file_takes_no_memory),
        cmocka_unit_test(rows_of_a_wrong_length_are_refused_with_their_line),
        cmocka_unit_test(too_few_and_too_many_rows_are_refused),
        cmocka_unit_test(unknown_letters_are_refused_and_named),
        cmocka_unit_test(line_ends_and_blank_tails_do_not_matter),
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(every_truncation_is_refused_but_that_of_the_last_line_end),
        cmocka_unit_test(every_changed_byte_gives_a_map_or_an_error),
    };
    return cmocka_run_group_tests_name("grid_text", tests, NULL, NULL);
}
