/* Edits as values: makes them, and finds the first of a list that a map refuses. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "map/map.h"

static cairn_edit fill(uint32_t x, uint32_t y, uint32_t width, uint32_t height, char letter)
{
    return (cairn_edit){.kind = CAIRN_EDIT_FILL,
                        .x = x,
                        .y = y,
                        .width = width,
                        .height = height,
                        .letter = letter};
}

cairn_edit cairn_block(uint32_t x, uint32_t y)
{
    return fill(x, y, 1, 1, '@');
}

cairn_edit cairn_open(uint32_t x, uint32_t y)
{
    return fill(x, y, 1, 1, '.');
}

cairn_edit cairn_terrain(uint32_t x, uint32_t y, char letter)
{
    return fill(x, y, 1, 1, letter);
}

cairn_edit cairn_rectangle(uint32_t x, uint32_t y, uint32_t width, uint32_t height, char letter)
{
    return fill(x, y, width, height, letter);
}

cairn_edit cairn_patch_bits(uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                            const uint8_t *bits)
{
    return (cairn_edit){
        .kind = CAIRN_EDIT_BITS, .x = x, .y = y, .width = width, .height = height, .data = bits};
}

cairn_edit cairn_patch_letters(uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                               const char *letters)
{
    return (cairn_edit){.kind = CAIRN_EDIT_LETTERS,
                        .x = x,
                        .y = y,
                        .width = width,
                        .height = height,
                        .data = letters};
}

cairn_edit cairn_arc_cost(cairn_node from, cairn_node to, cairn_cost cost)
{
    return (cairn_edit){.kind = CAIRN_EDIT_ARC, .arc = {from, to, cost}};
}

/* ------------------------------------------------------------------------------ checks -- */

static cairn_status refuse(cairn_error *error, cairn_status status, const char *expected,
                           const char *found)
{
    return cn_error_at_line(error, status, 0, expected, found, strlen(found));
}

static cairn_status refuse_arc(cairn_error *error, const cairn_arc *arc)
{
    char found[64];

    snprintf(found, sizeof found, "%" PRIu32 " to %" PRIu32, arc->from, arc->to);
    return refuse(error, CAIRN_E_ARGUMENT, "an arc that the graph has", found);
}

static cairn_status refuse_cost(cairn_error *error, cairn_status status, cairn_cost cost)
{
    char found[16];

    snprintf(found, sizeof found, "%" PRIu32, cost);
    return refuse(error, status, "a cost from 1 to " CN_ARC_COST_MAX_TEXT, found);
}

static cairn_status refuse_cells(cairn_error *error, const cn_grid *grid, const cairn_edit *edit)
{
    char found[100];

    snprintf(found, sizeof found,
             "%" PRIu32 " x %" PRIu32 " at %" PRIu32 ",%" PRIu32 " of %" PRIu32 " x %" PRIu32,
             edit->width, edit->height, edit->x, edit->y, grid->width, grid->height);
    return refuse(error, CAIRN_E_ARGUMENT, "cells of the map", found);
}

static cairn_status refuse_letter(cairn_error *error, uint8_t letter)
{
    return cn_error_at_line(error, CAIRN_E_FORMAT, 0, "a letter that this map knows",
                            (const char *)&letter, 1);
}

static cairn_status check_arc(const cairn_map *map, const cairn_arc *arc, cairn_error *error)
{
    if (!cn_graph_cost(map->graph, arc->from, arc->to))
        return refuse_arc(error, arc);
    if (arc->cost == 0)
        return refuse_cost(error, CAIRN_E_ARGUMENT, arc->cost);
    return arc->cost > CN_ARC_COST_MAX ? refuse_cost(error, CAIRN_E_LIMIT, arc->cost) : CAIRN_OK;
}

static cairn_status check_data(const cn_grid *grid, const cairn_edit *edit, cairn_error *error)
{
    const size_t count = (size_t)edit->width * edit->height;
    const uint8_t *letters = edit->data;

    if (!letters && count)
        return refuse(error, CAIRN_E_ARGUMENT, "bits or letters", "NULL");
    if (edit->kind == CAIRN_EDIT_BITS)
        return grid->open_letter['.'] && !grid->open_letter['@']
                   ? CAIRN_OK
                   : refuse(error, CAIRN_E_FORMAT, "a map where . is open and @ blocked", "bits");
    for (size_t i = 0; i < count; i++) {
        if (!grid->rules.factor[letters[i]])
            return refuse_letter(error, letters[i]);
    }
    return CAIRN_OK;
}

static cairn_status check_cells(const cn_grid *grid, const cairn_edit *edit, cairn_error *error)
{
    const uint8_t letter = (uint8_t)edit->letter;

    if (edit->x > grid->width || edit->width > grid->width - edit->x || edit->y > grid->height ||
        edit->height > grid->height - edit->y)
        return refuse_cells(error, grid, edit);
    switch (edit->kind) {
    case CAIRN_EDIT_FILL:
        return grid->rules.factor[letter] ? CAIRN_OK : refuse_letter(error, letter);
    case CAIRN_EDIT_BITS:
    case CAIRN_EDIT_LETTERS: return check_data(grid, edit, error);
    default: return refuse(error, CAIRN_E_ARGUMENT, "a kind of edit", "another number");
    }
}

static cairn_status check_edit(const cairn_map *map, const cairn_edit *edit, cairn_error *error)
{
    static const char *const WORDS[] = {"an edit of cells", "the cost of an arc"};
    const bool has_arcs = map->graph != NULL;

    if ((edit->kind == CAIRN_EDIT_ARC) != has_arcs)
        return refuse(error, CAIRN_E_ARGUMENT, WORDS[has_arcs], WORDS[!has_arcs]);
    return has_arcs ? check_arc(map, &edit->arc, error) : check_cells(&map->grid, edit, error);
}

cairn_status cairn_map_check_edits(const cairn_map *map, const cairn_edit *edits, size_t count,
                                   cairn_error *error)
{
    if (!map || (!edits && count))
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    const cairn_map *edited = map->cells_map ? map->cells_map : map;

    for (size_t i = 0; i < count; i++) {
        const cairn_status status = check_edit(edited, &edits[i], error);
        if (status != CAIRN_OK && error)
            error->line = i + 1;
        if (status != CAIRN_OK)
            return status;
    }
    return cn_error_general(error, CAIRN_OK, NULL);
}
