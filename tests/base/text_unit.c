#include "base/text.h"

#include "support/check.h"

static cn_span span_of(const char *text)
{
    return (cn_span){text, strlen(text)};
}

static void assert_span(cn_span span, const char *expected)
{
    assert_int_equal(span.size, strlen(expected));
    assert_memory_equal(span.start, expected, span.size);
}

static void lines_end_in_lf_or_crlf_and_the_last_may_end_in_nothing(void **state)
{
    (void)state;
    static const char text[] = "one\ntwo\r\n\n\r\nlast";
    static const char *const expected[] = {"one", "two", "", "", "last"};
    cn_lines lines = cn_lines_of(text, sizeof text - 1);
    cn_span line;

    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        assert_true(cn_lines_next(&lines, &line));
        assert_int_equal(lines.number, i + 1);
        assert_span(line, expected[i]);
    }
    assert_false(cn_lines_next(&lines, &line));
    assert_false(cn_lines_next(&lines, &line));
}

static void a_final_line_end_makes_no_empty_line(void **state)
{
    (void)state;
    cn_lines lines = cn_lines_of("a\n", 2);
    cn_span line;
    assert_true(cn_lines_next(&lines, &line));
    assert_false(cn_lines_next(&lines, &line));
    lines = cn_lines_of("", 0);
    assert_false(cn_lines_next(&lines, &line));
}

static void a_nul_byte_is_part_of_its_line(void **state)
{
    (void)state;
    cn_lines lines = cn_lines_of("a\0b\nc", 5);
    cn_span line;
    assert_true(cn_lines_next(&lines, &line));
    assert_int_equal(line.size, 3);
}

static void words_lie_between_spaces_and_tabs(void **state)
{
    (void)state;
    cn_span line = span_of(" \tone  two\tthree \t");
    cn_span word;
    assert_true(cn_span_word(&line, &word));
    assert_span(word, "one");
    assert_true(cn_span_equals(word, "one"));
    assert_false(cn_span_equals(word, "on"));
    assert_false(cn_span_equals(word, "ones"));
    assert_true(cn_span_word(&line, &word));
    assert_span(word, "two");
    assert_true(cn_span_word(&line, &word));
    assert_span(word, "three");
    assert_false(cn_span_word(&line, &word));
}

static void numbers_are_digits_up_to_the_limit(void **state)
{
    (void)state;
    uint64_t number;
    assert_true(cn_span_number(span_of("0"), 10, &number));
    assert_true(number == 0);
    assert_true(cn_span_number(span_of("007"), 10, &number));
    assert_true(number == 7);
    assert_true(cn_span_number(span_of("4294967295"), UINT32_MAX, &number));
    assert_true(number == UINT32_MAX);
    assert_true(cn_span_number(span_of("18446744073709551615"), UINT64_MAX, &number));
    assert_true(number == UINT64_MAX);

    assert_false(cn_span_number(span_of("4294967296"), UINT32_MAX, &number));
    assert_false(cn_span_number(span_of("18446744073709551616"), UINT64_MAX, &number));
    assert_false(cn_span_number(span_of("99999999999999999999999"), UINT64_MAX, &number));
}

static void anything_but_digits_is_no_number(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "-1", "+1", "1.0", "1e3", "0x10", " 1", "1 ", "one"};
    uint64_t number;
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_false(cn_span_number(span_of(wrong[i]), UINT64_MAX, &number));
    assert_false(cn_span_number((cn_span){"1\0", 2}, UINT64_MAX, &number));
}

static void decimals_are_read_as_strtod_reads_them(void **state)
{
    (void)state;
    static const char *const right[] = {"0",
                                        "1",
                                        "0.5",
                                        ".5",
                                        "5.",
                                        "96.28427124",
                                        "1.41421356",
                                        "000012.25",
                                        "0.00000001",
                                        "123456789012345",
                                        "3.14159265358979323846264338",
                                        "0.0"};
    for (size_t i = 0; i < COUNT_OF(right); i++) {
        double value, expected = strtod(right[i], NULL);
        assert_true(cn_span_decimal(span_of(right[i]), &value));
        double difference = value > expected ? value - expected : expected - value;
        assert_true(difference <= expected * 1e-14);
    }
}

static void anything_but_digits_and_one_point_is_no_decimal(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",    ".",   "-1",  "1.2.3", "1e5",
                                        "nan", "inf", "1,5", "1 ",    "9999999999999999999999"};
    double value;
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_false(cn_span_decimal(span_of(wrong[i]), &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_in_lf_or_crlf_and_the_last_may_end_in_nothing),
        cmocka_unit_test(a_final_line_end_makes_no_empty_line),
        cmocka_unit_test(a_nul_byte_is_part_of_its_line),
        cmocka_unit_test(words_lie_between_spaces_and_tabs),
        cmocka_unit_test(numbers_are_digits_up_to_the_limit),
        cmocka_unit_test(anything_but_digits_is_no_number),
        cmocka_unit_test(decimals_are_read_as_strtod_reads_them),
        cmocka_unit_test(anything_but_digits_and_one_point_is_no_decimal),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
