#include "json.h"

#include <inttypes.h>
#include <math.h>

static void put_quoted(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            fprintf(file, "\\%c", byte);
        else if (byte < ' ')
            fprintf(file, "\\u%04x", byte);
        else
            fputc(byte, file);
    }
    fputc('"', file);
}

static void new_line(const kit_json *json)
{
    if (!json->is_line)
        fprintf(json->file, "\n%*s", (int)(2 * json->depth), "");
    else if (json->filled)
        fputc(' ', json->file);
}

/* What stands before every value. */
static void begin(kit_json *json, const char *name)
{
    if (json->filled)
        fputc(',', json->file);
    if (json->depth > 0)
        new_line(json);
    if (name) {
        put_quoted(json->file, name);
        fputs(": ", json->file);
    }
    json->filled = true;
}

void kit_json_open(kit_json *json, const char *name, char bracket)
{
    begin(json, name);
    fputc(bracket, json->file);
    json->depth++;
    json->filled = false;
}

void kit_json_close(kit_json *json, char bracket)
{
    json->depth--;
    if (json->filled && !json->is_line)
        new_line(json);
    fputc(bracket, json->file);
    if (json->depth == 0)
        fputc('\n', json->file);
    json->filled = true;
}

void kit_json_text(kit_json *json, const char *name, const char *value)
{
    begin(json, name);
    put_quoted(json->file, value);
}

void kit_json_count(kit_json *json, const char *name, uint64_t value)
{
    begin(json, name);
    fprintf(json->file, "%" PRIu64, value);
}

void kit_json_number(kit_json *json, const char *name, double value)
{
    begin(json, name);
    if (isfinite(value))
        fprintf(json->file, "%.10g", value);
    else
        fputs("null", json->file);
}

void kit_json_rounded(kit_json *json, const char *name, double value, int places)
{
    begin(json, name);
    if (isfinite(value))
        fprintf(json->file, "%.*f", places, value);
    else
        fputs("null", json->file);
}

void kit_json_bool(kit_json *json, const char *name, bool value)
{
    begin(json, name);
    fputs(value ? "true" : "false", json->file);
}

void kit_json_null(kit_json *json, const char *name)
{
    begin(json, name);
    fputs("null", json->file);
}

void kit_json_pair(kit_json *json, const char *name, uint32_t first, uint32_t second)
{
    begin(json, name);
    fprintf(json->file, "[%" PRIu32 ", %" PRIu32 "]", first, second);
}
