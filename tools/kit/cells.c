#include "cells.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "exits.h"
#include "nodes.h"
#include "say.h"
#include "source.h"

const char *const kit_placements[] = {
    [CAIRN_PLACE_AUTO] = "auto",       [CAIRN_PLACE_FARTHEST] = "farthest",
    [CAIRN_PLACE_RANDOM] = "random",   [CAIRN_PLACE_BORDER] = "border",
    [CAIRN_PLACE_AVOID] = "avoid",     [CAIRN_PLACE_GREEDY] = "greedy",
    [CAIRN_PLACE_REFINED] = "refined", [CAIRN_PLACE_LIST] = NULL,
};
_Static_assert(sizeof kit_placements / sizeof *kit_placements == CAIRN_PLACE_LIST + 1,
               "the words end where --list stands: a placement behind it needs another end");

const char *kit_placement_on(const cairn_map *map, cairn_placement placement)
{
    if (placement != CAIRN_PLACE_AUTO)
        return kit_placements[placement];
    return kit_placements[cairn_map_kind_of(map) == CAIRN_MAP_GRAPH ? CAIRN_PLACE_REFINED
                                                                    : CAIRN_PLACE_FARTHEST];
}

static bool take_number(const char **at, uint32_t *number)
{
    uint64_t value = 0;
    const bool is_read = kit_digits(*at, at, UINT32_MAX, &value);
    *number = (uint32_t)value;
    return is_read;
}

static int take_cell(kit_cells *cells, const char **at, const char *name, const cairn_map *map)
{
    const char *start = *at;
    bool is_graph = cairn_map_kind_of(map) == CAIRN_MAP_GRAPH;
    kit_cell cell = {.is_number = is_graph};
    cairn_node node;
    bool is_read = take_number(at, &cell.x);
    if (is_graph)
        is_read = is_read && **at != ',';
    else
        is_read = is_read && *(*at)++ == ',' && take_number(at, &cell.y);
    if (!is_read) {
        const char *expected = is_graph ? "the number of a node, since the map is a graph"
                                        : "a cell as X,Y";
        size_t length = strcspn(start, "; \t\r\n");
        kit_complain("%s: expected %s, found \"%.*s\"", name, expected,
                     (int)(length < 20 ? length : 20), start);
        return KIT_EXIT_USAGE;
    }
    if (!kit_find_node(name, map, cell, &node))
        return KIT_EXIT_USAGE;
    if (!cairn_map_is_open(map, node)) {
        kit_complain("%s: the cell %s is blocked", name, kit_node_text(map, node).text);
        return KIT_EXIT_USAGE;
    }
    cells->nodes[cells->count++] = node;
    return KIT_EXIT_OK;
}

static const char *skip_gaps(const char *at)
{
    while (*at == ';' || isspace((unsigned char)*at))
        at++;
    return at;
}

/* Where a complaint points to: the line of the file, or the option. */
static void place_of(const char *file, unsigned line, char *place, size_t size)
{
    if (file)
        snprintf(place, size, "%s:%u", file, line);
    else
        snprintf(place, size, "%s: --list", kit_command_name());
}

static unsigned lines_between(const char *from, const char *to)
{
    unsigned lines = 0;
    for (; from < to; from++)
        lines += *from == '\n';
    return lines;
}

/* The file is NULL where the option itself has the cells. */
static int take_cells(kit_cells *cells, const char *text, const char *file, const cairn_map *map)
{
    char place[FILENAME_MAX];
    cells->nodes = calloc(strlen(text) / 2 + 1, sizeof *cells->nodes);
    if (!cells->nodes)
        return kit_fail("list of cells", CAIRN_E_MEMORY);
    int code = KIT_EXIT_OK;
    const char *counted = text;
    unsigned line = 1;
    for (const char *at = skip_gaps(text); *at && code == KIT_EXIT_OK; at = skip_gaps(at)) {
        line += lines_between(counted, at);
        counted = at;
        place_of(file, line, place, sizeof place);
        code = take_cell(cells, &at, place, map);
    }
    if (code == KIT_EXIT_OK && cells->count == 0) {
        place_of(file, line, place, sizeof place);
        kit_complain("%s: expected cells as X,Y;X,Y;..., found none", place);
        code = KIT_EXIT_USAGE;
    }
    return code;
}

int kit_cells_read(kit_cells *cells, const char *text, const cairn_map *map)
{
    *cells = (kit_cells){0};
    if (strspn(text, "0123456789,; ") == strlen(text))
        return take_cells(cells, text, NULL, map);
    kit_source source;
    const int code = kit_source_open_text(&source, text);
    const int taken = code == KIT_EXIT_OK
                          ? take_cells(cells, kit_source_text(&source), source.name, map)
                          : code;
    kit_source_close(&source);
    /* The file is wrong, not the line. */
    return code == KIT_EXIT_OK && taken == KIT_EXIT_USAGE ? KIT_EXIT_IO : taken;
}

void kit_cells_free(kit_cells *cells)
{
    free(cells->nodes);
    *cells = (kit_cells){0};
}
