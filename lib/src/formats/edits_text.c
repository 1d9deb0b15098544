/* Lists of edits in text form. */
#include "base/text.h"
#include "graph/graph.h"
#include "io/file.h"

struct cairn_edits {
    cn_mem mem;
    cairn_edit *items;
    uint64_t *lines; /* the line of each item */
    size_t count;
    size_t capacity;
    size_t line_capacity;
};

/* The letter of an edit of cells whose line tells it, and of an edit of an arc. */
enum { LETTER_FOLLOWS = 1, NO_LETTER = 0 };

/* What a line may begin with, and the form of the line. */
typedef struct edit_form {
    const char *verb;
    const char *line;
    unsigned number_count;
    char letter;
} edit_form;

static const edit_form forms[] = {
    {"block", "block X Y", 2, '@'},
    {"open", "open X Y", 2, '.'},
    {"terrain", "terrain X Y LETTER", 2, LETTER_FOLLOWS},
    {"rect", "rect X Y WIDTH HEIGHT LETTER", 4, LETTER_FOLLOWS},
    {"cost", "cost FROM TO COST, with a COST from 1 to " CN_ARC_COST_MAX_TEXT, 3, NO_LETTER},
};

static const char NO_FORM[] = "block X Y, open X Y, terrain X Y LETTER, rect X Y WIDTH HEIGHT "
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

static const edit_form *find_form(cn_span verb)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (cn_span_equals(verb, forms[i].verb))
            return &forms[i];
    }
    return NULL;
}

/* Reads what follows the first word of a line. */
static bool read_edit(const edit_form *form, cn_span *line, cairn_edit *edit)
{
    uint32_t at[4] = {0, 0, 1, 1};
    char letter = form->letter;

    if (!cn_span_numbers(line, at, form->number_count) ||
        (letter == LETTER_FOLLOWS && !read_letter(line, &letter)))
        return false;
    if (form->letter == NO_LETTER)
        *edit = cairn_arc_cost(at[0], at[1], at[2]);
    else
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
        const edit_form *form = find_form(verb);
        if (!form || !read_edit(form, &rest, &edits->items[edits->count]))
            return cn_text_refuse_line(text, form ? form->line : NO_FORM);
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
