/* Reading lines of untrusted text. */
#ifndef CN_BASE_TEXT_H
#define CN_BASE_TEXT_H

#include "base/base.h"

typedef struct cn_lines {
    const char *at; /* first byte after the current line */
    const char *end;
    uint64_t number; /* of the current line, from 1 */
} cn_lines;

/* A line or a word; it is not terminated by a zero. */
typedef struct cn_span {
    const char *start;
    size_t size;
} cn_span;

/* Starts before the first line. A byte order mark (UTF-8) at the beginning and a DOS end-of-file
 * byte (0x1a) at the end are skipped. */
cn_lines cn_lines_of(const char *text, size_t size);

/* The next line without its LF or CRLF; false at the end. The last line may lack its LF. */
bool cn_lines_next(cn_lines *lines, cn_span *line);

/* Removes the next word (up to a space or tab) from the front of a line; false when none is
 * left. */
bool cn_span_word(cn_span *line, cn_span *word);

bool cn_span_equals(cn_span span, const char *word);

/* Whether no word is left on a line. */
bool cn_span_is_blank(cn_span line);

/* Whether a line has exactly the words of `words`, which are separated by single spaces. */
bool cn_span_says(cn_span line, const char *words);

/* The whole span as a decimal number of at most `limit`; false for anything else. */
bool cn_span_number(cn_span span, uint64_t limit, uint64_t *number);

/* The whole span as a non-negative decimal fraction such as 96.28; no exponent; at most 1e15. */
bool cn_span_decimal(cn_span span, double *value);

/* The next words of a line as 32-bit numbers; false where a word is missing or no number. */
bool cn_span_numbers(cn_span *line, uint32_t *numbers, size_t count);

/* A text that is read line by line, and where its errors are reported. */
typedef struct cn_text {
    const char *start;
    cn_lines lines;
    cn_span line;       /* the current one; after the last line, words that say so */
    cairn_error *error; /* may be NULL */
} cn_text;

cn_text cn_text_of(const char *text, size_t size, cairn_error *error);

/* Reads the next line; false after the last one. */
bool cn_text_next(cn_text *text);

/* Fills the error with the number of the current line, the position of `found`, which lies on it,
 * and its text. Returns the status. cn_text_refuse_line is for the line as a whole. */
cairn_status cn_text_refuse(const cn_text *text, cairn_status status, const char *expected,
                            cn_span found);
cairn_status cn_text_refuse_line(const cn_text *text, const char *expected);

/* Refuses a map of too many cells, whose sides have been read. */
cairn_status cn_text_refuse_sides(const cn_text *text, uint32_t width, uint32_t height);

#endif
