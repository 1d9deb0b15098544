#include "base/text.h"

#include <stdio.h>
#include <string.h>

cn_lines cn_lines_of(const char *text, size_t size)
{
    static const char mark[] = "\xef\xbb\xbf";
    static const char dos_end = 0x1a;
    size_t skipped = size >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    size_t dropped = size > skipped && text[size - 1] == dos_end;
    return (cn_lines){.at = text + skipped, .end = text + size - dropped, .number = 0};
}

bool cn_lines_next(cn_lines *lines, cn_span *line)
{
    if (lines->at == lines->end)
        return false;

    size_t left = (size_t)(lines->end - lines->at);
    const char *newline = memchr(lines->at, '\n', left);
    line->start = lines->at;
    line->size = newline ? (size_t)(newline - lines->at) : left;
    lines->at = newline ? newline + 1 : lines->end;
    lines->number++;
    if (line->size && line->start[line->size - 1] == '\r')
        line->size--;
    return true;
}

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t';
}

bool cn_span_word(cn_span *line, cn_span *word)
{
    while (line->size && is_blank(*line->start)) {
        line->start++;
        line->size--;
    }
    word->start = line->start;
    word->size = 0;
    while (line->size && !is_blank(*line->start)) {
        word->size++;
        line->start++;
        line->size--;
    }
    return word->size > 0;
}

bool cn_span_equals(cn_span span, const char *word)
{
    return span.size == strlen(word) && memcmp(span.start, word, span.size) == 0;
}

bool cn_span_is_blank(cn_span line)
{
    cn_span word;
    return !cn_span_word(&line, &word);
}

bool cn_span_says(cn_span line, const char *words)
{
    cn_span wanted = {words, strlen(words)}, word, next;
    while (cn_span_word(&wanted, &word)) {
        if (!cn_span_word(&line, &next) || next.size != word.size ||
            memcmp(next.start, word.start, word.size) != 0)
            return false;
    }
    return cn_span_is_blank(line);
}

bool cn_span_number(cn_span span, uint64_t limit, uint64_t *number)
{
    uint64_t value = 0;
    if (span.size == 0)
        return false;
    for (size_t i = 0; i < span.size; i++) {
        unsigned digit = (unsigned char)span.start[i] - (unsigned)'0';
        if (digit > 9 || digit > limit || value > (limit - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *number = value;
    return true;
}

bool cn_span_numbers(cn_span *line, uint32_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cn_span word;
        uint64_t number;
        if (!cn_span_word(line, &word) || !cn_span_number(word, UINT32_MAX, &number))
            return false;
        numbers[i] = (uint32_t)number;
    }
    return true;
}

bool cn_span_decimal(cn_span span, double *value)
{
    double whole = 0, scale = 1;
    size_t digits = 0;
    bool point = false;

    for (size_t i = 0; i < span.size; i++) {
        char letter = span.start[i];
        if (letter == '.' && !point) {
            point = true;
            continue;
        }
        if (letter < '0' || letter > '9')
            return false;
        if (digits < 18) {
            whole = whole * 10 + (letter - '0');
            scale *= point ? 10 : 1;
        } else if (!point) {
            return false;
        }
        digits += digits > 0 || letter != '0';
    }
    *value = whole / scale;
    return span.size > (point ? 1u : 0u) && *value <= 1e15;
}

cn_text cn_text_of(const char *text, size_t size, cairn_error *error)
{
    return (cn_text){.start = text, .lines = cn_lines_of(text, size), .error = error};
}

bool cn_text_next(cn_text *text)
{
    static const char end[] = "the end of the file";

    if (cn_lines_next(&text->lines, &text->line))
        return true;
    text->lines.number++;
    text->line = (cn_span){end, sizeof end - 1};
    return false;
}

/* A span outside the text stands for the end of the text. */
static uint64_t offset_of(const cn_text *text, cn_span found)
{
    uintptr_t start = (uintptr_t)text->start, end = (uintptr_t)text->lines.end;
    uintptr_t at = (uintptr_t)found.start;
    return at >= start && at <= end ? at - start : (uintptr_t)text->lines.at - start;
}

cairn_status cn_text_refuse(const cn_text *text, cairn_status status, const char *expected,
                            cn_span found)
{
    cn_error_at_line(text->error, status, text->lines.number, expected, found.start, found.size);
    if (text->error)
        text->error->offset = offset_of(text, found);
    return status;
}

cairn_status cn_text_refuse_line(const cn_text *text, const char *expected)
{
    return cn_text_refuse(text, CAIRN_E_FORMAT, expected, text->line);
}

cairn_status cn_text_refuse_sides(const cn_text *text, uint32_t width, uint32_t height)
{
    char sides[32];
    const int size = snprintf(sides, sizeof sides, "%u x %u", width, height);

    cn_error_at_line(text->error, CAIRN_E_LIMIT, text->lines.number, "at most 2^28 cells", sides,
                     (size_t)size);
    if (text->error)
        text->error->offset = offset_of(text, text->line);
    return CAIRN_E_LIMIT;
}
