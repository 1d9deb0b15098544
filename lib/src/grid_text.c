/* The Moving AI .map format: four header lines, then one line of letters per row. */
#include <string.h>

#include "grid.h"
#include "text.h"

typedef struct header {
    uint32_t width;
    uint32_t height;
} header;

typedef struct reader {
    cn_lines lines;
    const cn_rules *rules;
    cairn_error *error;
} reader;

static cairn_status refuse(const reader *in, cairn_status status, const char *expected,
                           cn_span found)
{
    return cn_error_at_line(in->error, status, in->lines.number, expected, found.start,
                            found.size);
}

static cairn_status refuse_end(const reader *in, const char *expected)
{
    static const char end[] = "the end of the file";
    return cn_error_at_line(in->error, CAIRN_E_FORMAT, in->lines.number + 1, expected, end,
                            sizeof end - 1);
}

/* Reads "NAME NUMBER" into the side that NAME says. */
static cairn_status read_side(reader *in, cn_span line, header *sides)
{
    cn_span name, value, more, rest = line;
    uint64_t number;

    if (!cn_span_word(&rest, &name))
        return refuse(in, CAIRN_E_FORMAT, "\"height N\", \"width N\" or \"map\"", line);
    uint32_t *side = cn_span_equals(name, "width")    ? &sides->width
                     : cn_span_equals(name, "height") ? &sides->height
                                                      : NULL;
    if (!side)
        return refuse(in, CAIRN_E_FORMAT, "\"height N\", \"width N\" or \"map\"", line);
    if (*side)
        return refuse(in, CAIRN_E_FORMAT, "each of height and width once", line);
    if (!cn_span_word(&rest, &value) || cn_span_word(&rest, &more) ||
        !cn_span_number(value, UINT64_MAX, &number) || number == 0)
        return refuse(in, CAIRN_E_FORMAT, "a whole number above 0", line);
    if (number > CAIRN_SIDE_MAX)
        return refuse(in, CAIRN_E_LIMIT, "at most 65535", line);
    *side = (uint32_t)number;
    return CAIRN_OK;
}

static cairn_status read_header(reader *in, header *sides)
{
    cn_span line, word, rest;

    if (!cn_lines_next(&in->lines, &line))
        return refuse_end(in, "\"type octile\"");
    rest = line;
    if (!cn_span_word(&rest, &word) || !cn_span_equals(word, "type"))
        return refuse(in, CAIRN_E_FORMAT, "\"type octile\"", line);

    while (cn_lines_next(&in->lines, &line)) {
        rest = line;
        if (cn_span_word(&rest, &word) && cn_span_equals(word, "map")) {
            if (!sides->width || !sides->height)
                return refuse(in, CAIRN_E_FORMAT, "height and width before \"map\"", line);
            return CAIRN_OK;
        }
        cairn_status status = read_side(in, line, sides);
        if (status != CAIRN_OK)
            return status;
    }
    return refuse_end(in, "\"map\"");
}

static cairn_status read_row(reader *in, const header *sides, uint8_t *letters)
{
    cn_span line;

    if (!cn_lines_next(&in->lines, &line))
        return refuse_end(in, "another row of the map");
    if (line.size != sides->width)
        return refuse(in, CAIRN_E_FORMAT,
                      line.size < sides->width ? "a row as long as the width (this one is shorter)"
                                               : "a row as long as the width (this one is longer)",
                      line);
    for (uint32_t x = 0; x < sides->width; x++) {
        if (!in->rules->factor[(uint8_t)line.start[x]])
            return refuse(in, CAIRN_E_FORMAT, cn_rules_letters(in->rules),
                          (cn_span){line.start + x, 1});
    }
    memcpy(letters, line.start, sides->width);
    return CAIRN_OK;
}

static cairn_status read_rows(reader *in, const header *sides, uint8_t *letters)
{
    for (uint32_t y = 0; y < sides->height; y++) {
        cairn_status status = read_row(in, sides, letters + (size_t)y * sides->width);
        if (status != CAIRN_OK)
            return status;
    }
    for (cn_span line, word; cn_lines_next(&in->lines, &line);) {
        cn_span rest = line;
        if (cn_span_word(&rest, &word))
            return refuse(in, CAIRN_E_FORMAT, "nothing after the last row", line);
    }
    return CAIRN_OK;
}

cairn_status cn_grid_parse(const cn_mem *mem, const char *text, size_t size,
                           const cn_rules *rules, cn_grid *grid, cairn_error *error)
{
    reader in = {.lines = cn_lines_of(text, size), .rules = rules, .error = error};
    header sides = {0};

    cairn_status status = read_header(&in, &sides);
    if (status != CAIRN_OK)
        return status;
    uint64_t cells = (uint64_t)sides.width * sides.height;
    if (cells > CAIRN_NODES_MAX)
        return cn_error_at_line(error, CAIRN_E_LIMIT, in.lines.number, "at most 2^28 cells", NULL,
                                0);
    /* Each cell is a byte of the file: a header alone takes no memory. */
    if (cells > size)
        return cn_error_at_line(error, CAIRN_E_FORMAT, in.lines.number,
                                "width x height letters after \"map\"", NULL, 0);

    uint8_t *letters = cn_array(mem, cells, 1);
    if (!letters)
        return cn_error_plain(error, CAIRN_E_MEMORY, NULL);
    status = read_rows(&in, &sides, letters);
    if (status != CAIRN_OK) {
        cn_release(mem, letters);
        return status;
    }
    status = cn_grid_init_ruled(grid, mem, sides.width, sides.height, letters, rules);
    return status == CAIRN_OK ? status : cn_error_plain(error, status, NULL);
}
