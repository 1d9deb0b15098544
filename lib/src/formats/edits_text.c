/* Lists of edits in text form. */
#include "io/file.h"
#include "base/text.h"

struct cairn_edits {
    cn_mem mem;
    cairn_edit *items;
    uint64_t *lines; /* the line of each item */
    size_t count;
    size_t capacity;
    size_t line_capacity;
};

static const char BAD_LINE[] = "block X Y, open X Y, terrain X Y LETTER, rect X Y WIDTH HEIGHT "
                               "LETTER or cost FROM TO COST";

static bool read_letter(cn_span *line, char *letter)
{
    cn_span word;
    if (!cn_span_word(line, &word))
        return false;
    if (cn_span_equals(word, "block") || cn_span_equals(word, "open")) {
        *letter = *word.start == 'b' ? '@' : '.';
        return true;
    }
    *letter = *word.start;
    return word.size == 1;
}

/* Reads what follows the first word of a line, `verb`. */
static bool read_edit(cn_span verb, cn_span *line, cairn_edit *edit)
{
    uint32_t at[4] = {0, 0, 1, 1};
    char letter = '@';

    if (cn_span_equals(verb, "cost")) {
        if (!cn_span_numbers(line, at, 3))
            return false;
        *edit = cairn_arc_cost(at[0], at[1], at[2]);
        return cn_span_is_blank(*line);
    }
    if (cn_span_equals(verb, "rect")) {
        if (!cn_span_numbers(line, at, 4) || !read_letter(line, &letter))
            return false;
    } else {
        if (!cn_span_numbers(line, at, 2))
            return false;
        if (cn_span_equals(verb, "open"))
            letter = '.';
        else if (cn_span_equals(verb, "terrain") ? !read_letter(line, &letter)
                                                 : !cn_span_equals(verb, "block"))
            return false;
    }
    *edit = cairn_rectangle(at[0], at[1], at[2], at[3], letter);
    return cn_span_is_blank(*line);
}

/* A rectangle that was written and holds no cell is a mistake. */
static bool is_empty(const cairn_edit *edit)
{
    return edit->kind == CAIRN_EDIT_FILL && (edit->width == 0 || edit->height == 0);
}

static bool grow(cairn_edits *edits)
{
    const bool items_fit = CN_GROW(&edits->mem, edits->items, &edits->capacity, edits->count,
                                   edits->count + 1);
    const bool lines_fit = CN_GROW(&edits->mem, edits->lines, &edits->line_capacity, edits->count,
                                   edits->count + 1);
    return items_fit && lines_fit;
}

static cairn_status parse_lines(cairn_edits *edits, cn_text *text)
{
    cn_span rest, verb;
    while (cn_text_next(text)) {
        rest = text->line;
        if (!cn_span_word(&rest, &verb) || *verb.start == '#')
            continue;
        if (!grow(edits))
            return cn_error_general(text->error, CAIRN_E_MEMORY, NULL);
        edits->lines[edits->count] = text->lines.number;
        if (!read_edit(verb, &rest, &edits->items[edits->count]))
            return cn_text_refuse_line(text, BAD_LINE);
        if (is_empty(&edits->items[edits->count]))
            return cn_text_refuse_line(text, "a rectangle of at least one cell");
        edits->count++;
    }
    return CAIRN_OK;
}

cairn_status cairn_edits_parse(const char *text, size_t size, cairn_edits **edits,
                               cairn_error *error)
{
    if (!edits)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    *edits = NULL;
    if (!text && size)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    cn_mem mem = cn_mem_from(NULL);
    cairn_edits *made = cn_zeroed(&mem, 1, sizeof *made);
    if (!made)
        return cn_error_general(error, CAIRN_E_MEMORY, NULL);
    made->mem = mem;
    cn_text lines = cn_text_of(text ? text : "", size, error);
    cairn_status status = parse_lines(made, &lines);
    if (status != CAIRN_OK) {
        cairn_edits_free(made);
        return status;
    }
    *edits = made;
    return CAIRN_OK;
}

cairn_status cairn_edits_load(const char *path, cairn_edits **edits, cairn_error *error)
{
    uint8_t *text;
    size_t size;

    if (!edits)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    *edits = NULL;
    if (!path)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    cn_mem mem = cn_mem_from(NULL);
    cairn_status status = cn_file_read(path, &mem, &text, &size);
    if (status != CAIRN_OK)
        return cn_error_general(error, status, NULL);
    status = cairn_edits_parse((const char *)text, size, edits, error);
    cn_release(&mem, text);
    return status;
}

void cairn_edits_free(cairn_edits *edits)
{
    if (!edits)
        return;
    cn_mem mem = edits->mem;
    cn_release(&mem, edits->items);
    cn_release(&mem, edits->lines);
    cn_release(&mem, edits);
}

const cairn_edit *cairn_edits_items(const cairn_edits *edits)
{
    return edits->items;
}

size_t cairn_edits_count(const cairn_edits *edits)
{
    return edits->count;
}

uint64_t cairn_edits_line(const cairn_edits *edits, size_t index)
{
    return edits->lines[index];
}
