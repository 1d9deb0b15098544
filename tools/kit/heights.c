#include "heights.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "exits.h"
#include "output.h"
#include "progress.h"
#include "say.h"
#include "system.h"

typedef struct reader {
    const char *path;
    FILE *file;
    bool is_text;    /* P2 */
    uint32_t most;   /* the largest value */
    char values[40]; /* what is expected of them */
} reader;

/* A letter; or a byte that is none, with those that follow it. */
static void put_bytes(const reader *in, int first, char *text, size_t size)
{
    enum { BYTES = 4, ROOM = sizeof "\\x00" };
    if (first >= ' ' && first <= '~') {
        snprintf(text, size, "%c", first);
        return;
    }
    size_t used = 0;
    for (int i = 0; i < BYTES && first != EOF && used + ROOM <= size; i++) {
        const bool is_letter = first >= ' ' && first <= '~';
        used += (size_t)snprintf(text + used, size - used, is_letter ? "%c" : "\\x%02x",
                                 (unsigned)first);
        first = fgetc(in->file);
    }
}

static int refuse(const reader *in, const char *expected, int found)
{
    cairn_error error = {.status = CAIRN_E_FORMAT, .expected = expected};
    if (ferror(in->file))
        return kit_fail(in->path, CAIRN_E_IO);
    long offset = ftell(in->file);
    error.offset = offset > 0 ? (uint64_t)offset - (found != EOF) : 0;
    if (found == EOF)
        snprintf(error.found, sizeof error.found, "the end of the file");
    else
        put_bytes(in, found, error.found, sizeof error.found);
    return kit_refuse(in->path, &error);
}

/* A number that is too large, which begins at a byte. */
static int refuse_number(const reader *in, const char *expected, long offset, const char *digits)
{
    cairn_error error = {.status = CAIRN_E_FORMAT, .expected = expected};
    error.offset = offset > 0 ? (uint64_t)offset : 0;
    snprintf(error.found, sizeof error.found, "%s", digits);
    return kit_refuse(in->path, &error);
}

static bool is_space(int letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n';
}

/* More bytes of spaces and comments, or of digits, do not follow one another: what a pipe or device
 * gives may have no end. */
enum { BYTES_MOST = 1 << 20 };

/* The first letter that is neither space nor comment; '#' where too many of these follow. */
static int next_letter(reader *in)
{
    bool is_comment = false;
    for (unsigned count = 0; count < BYTES_MOST; count++) {
        const int letter = fgetc(in->file);
        is_comment = letter != '\n' && (is_comment || letter == '#');
        if (letter == EOF || (!is_comment && !is_space(letter)))
            return letter;
    }
    return '#';
}

/* The next number, and the one letter after it. */
static int take_number(reader *in, uint32_t most, const char *expected, uint32_t *number)
{
    int letter = next_letter(in);
    if (letter < '0' || letter > '9')
        return refuse(in, expected, letter);
    const long start = ftell(in->file) - 1;
    char digits[32] = "";
    uint64_t value = 0;
    for (size_t count = 0; letter >= '0' && letter <= '9' && count < BYTES_MOST; count++) {
        if (count + 1 < sizeof digits)
            digits[count] = (char)letter;
        if (value <= most)
            value = value * 10 + (uint64_t)(letter - '0');
        letter = fgetc(in->file);
    }
    if (value > most)
        return refuse_number(in, expected, start, digits);
    if (!is_space(letter) && letter != EOF)
        return refuse(in, expected, letter);
    *number = (uint32_t)value;
    return KIT_EXIT_OK;
}

static int take_head(reader *in, cairn_heights *heights)
{
    int first = fgetc(in->file);
    if (first != 'P')
        return refuse(in, "P2 or P5, a portable graymap", first);
    int second = fgetc(in->file);
    if (second != '2' && second != '5')
        return refuse(in, "P2 or P5, a portable graymap", second);
    in->is_text = second == '2';
    const int third = fgetc(in->file);
    if (!is_space(third) && third != '#')
        return refuse(in, "a blank after P2 or P5", third);
    ungetc(third, in->file);
    int code = take_number(in, CAIRN_SIDE_MAX, "a width up to 65535", &heights->width);
    if (code == KIT_EXIT_OK)
        code = take_number(in, CAIRN_SIDE_MAX, "a height up to 65535", &heights->height);
    if (code == KIT_EXIT_OK)
        code = take_number(in, 65535, "the largest value, up to 65535", &in->most);
    if (code == KIT_EXIT_OK && (uint64_t)heights->width * heights->height > CAIRN_NODES_MAX) {
        char found[32];
        snprintf(found, sizeof found, "%" PRIu32 " x %" PRIu32, heights->width, heights->height);
        code = refuse_number(in, "at most 2^28 values", ftell(in->file), found);
    }
    snprintf(in->values, sizeof in->values, "a value up to the largest, %" PRIu32, in->most);
    return code;
}

static int take_value(reader *in, uint32_t *value)
{
    if (in->is_text)
        return take_number(in, in->most, in->values, value);
    int high = in->most > 255 ? fgetc(in->file) : 0;
    int low = fgetc(in->file);
    if (high == EOF || low == EOF)
        return refuse(in, "a value for every cell", EOF);
    *value = (uint32_t)high << 8 | (uint32_t)low;
    if (*value <= in->most)
        return KIT_EXIT_OK;
    char digits[16];
    snprintf(digits, sizeof digits, "%" PRIu32, *value);
    return refuse_number(in, in->values, ftell(in->file) - (in->most > 255 ? 2 : 1), digits);
}

static int take_values(reader *in, cairn_heights *heights)
{
    size_t count = (size_t)heights->width * heights->height;
    uint16_t *cells = malloc((count + 1) * sizeof *cells);
    int code = cells ? KIT_EXIT_OK : kit_fail(in->path, CAIRN_E_MEMORY);

    heights->cells = cells;
    for (size_t i = 0; i < count && code == KIT_EXIT_OK; i++) {
        uint32_t value = 0;
        code = take_value(in, &value);
        cells[i] = (uint16_t)value;
    }
    return code;
}

/* What follows the values would be values of cells that the map does not have. */
static int take_end(reader *in)
{
    const int letter = next_letter(in);
    return letter == EOF && !ferror(in->file) ? KIT_EXIT_OK
                                              : refuse(in, "the end after the last value", letter);
}

int kit_heights_read(const char *path, cairn_heights *heights)
{
    reader in = {.path = path, .file = kit_file_open(path, "rb")};

    *heights = (cairn_heights){0};
    kit_progress_begin("reading %s", kit_file_name(path));
    if (!in.file)
        return kit_fail(path, CAIRN_E_IO);
    int code = take_head(&in, heights);
    if (code == KIT_EXIT_OK)
        code = take_values(&in, heights);
    if (code == KIT_EXIT_OK)
        code = take_end(&in);
    fclose(in.file);
    if (code != KIT_EXIT_OK)
        kit_heights_free(heights);
    return code;
}

void kit_heights_free(cairn_heights *heights)
{
    free((void *)heights->cells);
    heights->cells = NULL;
}
