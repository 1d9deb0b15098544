#include "render/explore.h"

#include <stdlib.h>
#include <string.h>

#include "render/scene.h"

typedef struct marker {
    uint8_t *marks;
    uint8_t bit;
} marker;

static void mark(void *context, cairn_node node)
{
    const marker *by = context;
    by->marks[node] |= by->bit;
}

static cairn_status keep_path(const cairn_path *path, exploration *to)
{
    free(to->path);
    to->path_count = 0;
    to->path = malloc((path->node_count + 1) * sizeof *to->path);
    if (!to->path)
        return CAIRN_E_MEMORY;
    if (path->node_count)
        memcpy(to->path, path->nodes, path->node_count * sizeof *to->path);
    to->path_count = path->node_count;
    return CAIRN_OK;
}

static cairn_status run_search(const cairn_map *map, const cairn_table *table, cairn_node start,
                               cairn_node goal, uint8_t bit, exploration *to, uint64_t *count)
{
    marker by = {to->marks, bit};
    cairn_search_options options = {
        .size = sizeof options, .on_expand = mark, .expand_context = &by};
    cairn_search *search;
    cairn_path path;

    cairn_status status = cairn_search_new(map, table, &options, &search);
    if (status == CAIRN_OK)
        status = cairn_search_run(search, start, goal, &path);
    if (status == CAIRN_OK) {
        *count = path.expanded;
        status = keep_path(&path, to);
    }
    cairn_search_free(search);
    return status;
}

cairn_status explore(const cairn_map *map, const cairn_table *table, cairn_node start,
                     cairn_node goal, exploration *to)
{
    *to = (exploration){.marks = calloc(cairn_map_node_count(map) + 1u, 1)};
    if (!to->marks)
        return CAIRN_E_MEMORY;
    cairn_status status = run_search(map, NULL, start, goal, EXPLORED_BASE, to, &to->base_count);
    if (status == CAIRN_OK && table)
        status = run_search(map, table, start, goal, EXPLORED_LANDMARKS, to, &to->landmarks_count);
    return status;
}

void exploration_free(exploration *of)
{
    free(of->marks);
    free(of->path);
    *of = (exploration){0};
}
