/* Level 1: reading lines of text that nobody vouches for. */
#ifndef CN_TEXT_H
#define CN_TEXT_H

#include "base.h"

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

cn_lines cn_lines_of(const char *text, size_t size);

/* The next line without its LF or CRLF; false at the end. The last line may lack its LF. */
bool cn_lines_next(cn_lines *lines, cn_span *line);

/* Takes the next word (up to a space or tab) from the front of a line; false when none is left. */
bool cn_span_word(cn_span *line, cn_span *word);

bool cn_span_equals(cn_span span, const char *word);

/* The whole span as a decimal number of at most `limit`; false for anything else. */
bool cn_span_number(cn_span span, uint64_t limit, uint64_t *number);

/* The whole span as a non-negative decimal fraction such as 96.28; no exponent; at most 1e15. */
bool cn_span_decimal(cn_span span, double *value);

#endif
