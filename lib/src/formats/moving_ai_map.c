/* The Moving AI .map format: four header lines, then one line of letters per row. */
#include <string.h>

#include "formats/moving_ai_map.h"
#include "base/text.h"

typedef struct header {
    uint32_t width;
    uint32_t height;
} header;

typedef struct reader {
    cn_text text;
    const cn_rules *rules;
} reader;

/* Reads "width NUMBER" or "height NUMBER" into that side. */
static cairn_status read_side(const cn_text *text, header *sides)
{
    static const char expected[] = "\"height N\", \"width N\" or \"map\"";
    cn_span name, value, rest = text->line;
    uint64_t number;

    if (!cn_span_word(&rest, &name))
        return cn_text_refuse_line(text, expected);
    uint32_t *side = cn_span_equals(name, "width")    ? &sides->width
                     : cn_span_equals(name, "height") ? &sides->height
                                                      : NULL;
    if (!side)
        return cn_text_refuse_line(text, expected);
    if (*side)
        return cn_text_refuse_line(text, "each of height and width once");
    if (!cn_span_word(&rest, &value) || !cn_span_is_blank(rest) ||
        !cn_span_number(value, UINT64_MAX, &number) || number == 0)
        return cn_text_refuse_line(text, "a whole number from 1 to 65535");
    if (number > CAIRN_SIDE_MAX)
        return cn_text_refuse(text, CAIRN_E_LIMIT, "a whole number from 1 to 65535", text->line);
    *side = (uint32_t)number;
    return CAIRN_OK;
}

/* The first line. Maps of other types have other letters, rows or steps, and are refused. */
static cairn_status read_type(cn_text *text)
{
    cn_span word, rest;

    if (!cn_text_next(text) ||
        (rest = text->line, !cn_span_word(&rest, &word) || !cn_span_equals(word, "type")))
        return cn_text_refuse_line(text,
                                   "\"type octile\" of a grid or \"p sp NODES ARCS\" of roads");
    if (cn_span_says(text->line, "type octile"))
        return CAIRN_OK;
    if (!cn_span_word(&rest, &word) || cn_span_equals(word, "octile"))
        word = text->line;
    return cn_text_refuse(text, CAIRN_E_FORMAT, "\"type octile\", the only type that is read",
                          word);
}

static cairn_status read_header(cn_text *text, header *sides)
{
    cn_span word, rest;

    cairn_status status = read_type(text);
    if (status != CAIRN_OK)
        return status;
    while (cn_text_next(text)) {
        rest = text->line;
        if (cn_span_word(&rest, &word) && cn_span_equals(word, "map")) {
            if (!sides->width || !sides->height)
                return cn_text_refuse_line(text, "height and width before \"map\"");
            return cn_span_word(&rest, &word) ? cn_text_refuse_line(text, "\"map\" and no more")
                                              : CAIRN_OK;
        }
        status = read_side(text, sides);
        if (status != CAIRN_OK)
            return status;
    }
    return cn_text_refuse_line(text, "\"map\"");
}

/* Whether a row that is too long is so only because of blanks at its end. */
static bool ends_in_blanks(cn_span line, uint32_t width)
{
    return line.size > width && cn_span_is_blank((cn_span){line.start + width, line.size - width});
}

/* Checks a row, and copies its letters unless `letters` is NULL. */
static cairn_status read_row(reader *in, const header *sides, uint8_t *letters)
{
    const cn_text *text = &in->text;
    cn_span line;

    if (!cn_text_next(&in->text))
        return cn_text_refuse_line(text, "another row of the map");
    line = text->line;
    if (line.size != sides->width && !ends_in_blanks(line, sides->width))
        return cn_text_refuse_line(text, line.size < sides->width
                                             ? "a row as long as the width (this one is shorter)"
                                             : "a row as long as the width (this one is longer)");
    for (uint32_t x = 0; x < sides->width; x++) {
        if (!in->rules->factor[(uint8_t)line.start[x]])
            return cn_text_refuse(text, CAIRN_E_FORMAT, cn_rules_letters(in->rules),
                                  (cn_span){line.start + x, 1});
    }
    if (letters)
        memmove(letters, line.start, sides->width);
    return CAIRN_OK;
}

static cairn_status read_rows(reader *in, const header *sides, uint8_t *letters)
{
    for (uint32_t y = 0; y < sides->height; y++) {
        uint8_t *row = letters ? letters + (size_t)y * sides->width : NULL;
        cairn_status status = read_row(in, sides, row);
        if (status != CAIRN_OK)
            return status;
    }
    while (cn_text_next(&in->text)) {
        if (!cn_span_is_blank(in->text.line))
            return cn_text_refuse_line(&in->text, "nothing after the last row");
    }
    return CAIRN_OK;
}

/* The rows of letters may overwrite the text: no letter is written behind the position where it was
 * read. */
cairn_status cn_moving_ai_parse(const cn_mem *mem, const char *text, size_t size, uint8_t **memory,
                                const cn_rules *rules, cn_grid *grid, cairn_error *error)
{
    reader in = {.text = cn_text_of(text, size, error), .rules = rules};
    header sides = {0};

    cairn_status status = read_header(&in.text, &sides);
    if (status != CAIRN_OK)
        return status;
    uint64_t cells = (uint64_t)sides.width * sides.height;
    if (cells > CAIRN_NODES_MAX)
        return cn_text_refuse_sides(&in.text, sides.width, sides.height);
    /* Each cell is a byte of the file, so a short text cannot make it allocate much memory: the row
     * that is missing or too short is found without any. */
    if (cells > size)
        return read_rows(&in, &sides, NULL);

    uint8_t *letters = memory ? *memory : cn_array(mem, (size_t)cells, 1);
    if (!letters)
        return cn_error_general(error, CAIRN_E_MEMORY, NULL);
    status = read_rows(&in, &sides, letters);
    if (status != CAIRN_OK) {
        if (!memory)
            cn_release(mem, letters);
        return status;
    }
    if (memory)
        *memory = NULL;
    status = cn_grid_init_ruled(grid, mem, sides.width, sides.height, letters, rules);
    return status == CAIRN_OK ? status : cn_error_general(error, status, NULL);
}
