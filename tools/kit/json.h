/* A JSON document written piece by piece, indented or on one line. */
#ifndef KIT_JSON_H
#define KIT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "stats.h"

typedef struct kit_json {
    FILE *file;
    unsigned depth;
    bool filled;  /* something stands in the current object or list */
    bool is_line; /* all of it on one line */
} kit_json;

/* `name` is the key inside an object, NULL inside a list and for the whole document. */
void kit_json_open(kit_json *json, const char *name, char bracket);
void kit_json_close(kit_json *json, char bracket);

void kit_json_text(kit_json *json, const char *name, const char *value);
void kit_json_count(kit_json *json, const char *name, uint64_t value);

/* Of a file that was written; null for 0, as a pipe or device does not tell. */
void kit_json_size(kit_json *json, const char *name, uint64_t size);
void kit_json_number(kit_json *json, const char *name, double value);

/* A measured value, with so many decimal places; null when it is not finite. */
void kit_json_rounded(kit_json *json, const char *name, double value, int places);

void kit_json_bool(kit_json *json, const char *name, bool value);
void kit_json_null(kit_json *json, const char *name);

/* An object of the estimate and its ends. */
void kit_json_interval(kit_json *json, const char *name, kit_interval value);

/* A short list of two numbers on one line: a cell. */
void kit_json_pair(kit_json *json, const char *name, uint32_t first, uint32_t second);

#endif
