#include "json.h"

#include <inttypes.h>
#include <math.h>

/* The bytes of the letter in UTF-8 that a text begins with; 0 where these are none. */
static size_t letter_size(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t size = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    unsigned second_least = 0x80, second_most = 0xbf;

    if (at[0] == 0xe0 || at[0] == 0xf0)
        second_least = at[0] == 0xe0 ? 0xa0 : 0x90;
    if (at[0] == 0xed || at[0] == 0xf4)
        second_most = at[0] == 0xed ? 0x9f : 0x8f;
    if (at[0] > 0xf4 || (size > 1 && (at[1] < second_least || at[1] > second_most)))
        return 0;
    for (size_t i = 2; i < size; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return size;
}

/* Names of files may be any bytes, and JSON is UTF-8: a byte that is none becomes U+FFFD. */
static void put_quoted(FILE *file, const char *text)
{
    fputc('"', file);
    while (*text) {
        const unsigned char byte = (unsigned char)*text;
        const size_t size = letter_size(text);
        if (size == 0)
            fputs("\\ufffd", file);
        else if (byte == '"' || byte == '\\')
            fprintf(file, "\\%c", byte);
        else if (byte < ' ')
            fprintf(file, "\\u%04x", byte);
        else
            fwrite(text, 1, size, file);
        text += size ? size : 1;
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

void kit_json_size(kit_json *json, const char *name, uint64_t size)
{
    if (size > 0)
        kit_json_count(json, name, size);
    else
        kit_json_null(json, name);
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

void kit_json_interval(kit_json *json, const char *name, kit_interval value)
{
    kit_json_open(json, name, '{');
    kit_json_number(json, "estimate", value.estimate);
    kit_json_number(json, "low", value.low);
    kit_json_number(json, "high", value.high);
    kit_json_close(json, '}');
}

void kit_json_pair(kit_json *json, const char *name, uint32_t first, uint32_t second)
{
    begin(json, name);
    fprintf(json->file, "[%" PRIu32 ", %" PRIu32 "]", first, second);
}
