#include "text.h"

#include <string.h>

cn_lines cn_lines_of(const char *text, size_t size)
{
    return (cn_lines){.at = text, .end = text + size, .number = 0};
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

bool cn_span_number(cn_span span, uint64_t limit, uint64_t *number)
{
    uint64_t value = 0;
    if (span.size == 0)
        return false;
    for (size_t i = 0; i < span.size; i++) {
        unsigned digit = (unsigned char)span.start[i] - (unsigned)'0';
        if (digit > 9 || value > (limit - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *number = value;
    return value <= limit;
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
