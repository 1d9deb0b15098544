/* Reading lines of text that nobody vouches for. */
#ifndef CN_BASE_TEXT_H
#define CN_BASE_TEXT_H

#include "base/base.h"

typedef struct cn_lines {
    const char *at;    /* first byte after the current line */
    const char *end;
    uint64_t number;   /* of the current line, from 1 */
} cn_lines;

/* A line or a word: not terminated. */
typedef struct cn_span {
    const char *start;
    size_t size;
} cn_span;

/* A mark of byte order (UTF-8) before the first line is passed over, and so is the byte 0x1a with
 * which DOS ended texts. */
cn_lines cn_lines_of(const char *text, size_t size);

/* The next line without its LF or CRLF; false at the end. The last line may lack its LF. */
bool cn_lines_next(cn_lines *lines, cn_span *line);

/* Takes the next word (up to a space or tab) from the front of a line; false when none is left. */
bool cn_span_word(cn_span *line, cn_span *word);

bool cn_span_equals(cn_span span, const char *word);

/* Whether no word is left on a line. */
bool cn_span_is_blank(cn_span line);

/* Whether the words of a line are those of `words`, which stand between single spaces. */
bool cn_span_says(cn_span line, const char *words);

/* The whole span as a decimal number of at most `limit`; false for anything else. */
bool cn_span_number(cn_span span, uint64_t limit, uint64_t *number);

/* The whole span as a non-negative decimal fraction such as 96.28; no exponent; at most 1e15. */
bool cn_span_decimal(cn_span span, double *value);

/* The next words of a line as numbers of 32 bits; false where one is none. */
bool cn_span_numbers(cn_span *line, uint32_t *numbers, size_t count);

/* A text that is read line by line, and what is said where it is wrong. */
typedef struct cn_text {
    const char *start;
    cn_lines lines;
    cn_span line;        /* the current one; behind the last, words that say so */
    cairn_error *error;  /* may be NULL */
} cn_text;

cn_text cn_text_of(const char *text, size_t size, cairn_error *error);

/* Takes the next line; false behind the last one. */
bool cn_text_next(cn_text *text);

/* Fills the error with the current line and the place of what was found on it, and returns its
 * status. Found by itself: the whole line. */
cairn_status cn_text_refuse(const cn_text *text, cairn_status status, const char *expected,
                            cn_span found);
cairn_status cn_text_refuse_line(const cn_text *text, const char *expected);

#endif
