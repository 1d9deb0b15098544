/* Maps as text, as cairn_map_load reads them: grids in the Moving AI .map format, graphs in the
 * DIMACS .gr format. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/dimacs.h"
#include "io/atomic_file.h"
#include "io/buffer.h"
#include "map/map.h"

enum { LINE_MOST = 80 };

/* Not letters that would end a line, or could not be told in one, nor those of units that stand on
 * one-way cells, whose meaning no alphabet can tell. */
static bool letters_are_text(const cairn_map *map)
{
    const size_t count = cn_map_node_count(map);
    bool can_write[256], are_text = true;
    for (unsigned letter = 0; letter < 256; letter++)
        can_write[letter] = letter >= ' ' && cn_rules_letter_is_usual(&map->grid.rules, letter);
    for (size_t i = 0; i < count; i++)
        are_text &= can_write[map->grid.letters[i]];
    return are_text;
}

static cairn_status write_grid(const cairn_map *map, cn_buffer *text)
{
    const uint32_t width = map->grid.width, height = map->grid.height;
    char head[LINE_MOST];

    if (!letters_are_text(map))
        return CAIRN_E_ARGUMENT;
    const int size = snprintf(head, sizeof head,
                              "type octile\nheight %" PRIu32 "\nwidth %" PRIu32 "\nmap\n", height,
                              width);
    cn_buffer_append(text, head, (size_t)size);
    uint8_t *rows = cn_buffer_extend(text, ((size_t)width + 1) * height);
    for (uint32_t y = 0; rows && y < height; y++, rows += width + 1) {
        memcpy(rows, map->grid.letters + (size_t)y * width, width);
        rows[width] = '\n';
    }
    return text->status;
}

/* Comments, until the text has a byte for each of many nodes. */
static void lengthen(cn_buffer *text, uint32_t node_count)
{
    static const char comment[] = "c so long that the text has a byte for each node\n";

    while (node_count > CN_DIMACS_NODES_FREE && text->size < node_count && !text->status)
        cn_buffer_append(text, comment, sizeof comment - 1);
}

static cairn_status write_graph(const cairn_map *map, cn_buffer *text)
{
    const cn_graph *graph = map->graph;
    char line[LINE_MOST];

    int size = snprintf(line, sizeof line, "p sp %" PRIu32 " %" PRIu32 "\n", graph->node_count,
                        graph->out_start[graph->node_count]);
    cn_buffer_append(text, line, (size_t)size);
    for (uint32_t node = 0; node < graph->node_count; node++) {
        for (uint32_t i = graph->out_start[node]; i < graph->out_start[node + 1]; i++) {
            size = snprintf(line, sizeof line, "a %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", node + 1,
                            graph->out[i].to + 1, graph->out[i].cost);
            cn_buffer_append(text, line, (size_t)size);
        }
    }
    lengthen(text, graph->node_count);
    return text->status;
}

cairn_status cairn_map_save(const cairn_map *map, const char *path, const cairn_progress *progress)
{
    if (!map || !path)
        return CAIRN_E_ARGUMENT;
    cn_buffer text = {.mem = &map->mem};
    cairn_status status = map->graph ? write_graph(map, &text) : write_grid(map, &text);
    const cn_piece piece = {text.bytes, text.size};
    if (status == CAIRN_OK)
        status = cn_file_replace(path, &piece, 1, progress);
    cn_buffer_free(&text);
    return status;
}
