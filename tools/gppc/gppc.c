#include "gppc.h"

#include <stdlib.h>
#include <string.h>

#include "cairn/cairn.h"

enum { LANDMARKS = 16 };

typedef struct entry {
    cairn_map *map;
    cairn_table *table;
    cairn_search *search;
    struct gppc_point *points;
    size_t capacity;
} entry;

static cairn_status map_of(struct gppc_patch patch, cairn_map **map)
{
    size_t count = (size_t)patch.width * patch.height;
    char *letters = malloc(count ? count : 1);
    *map = NULL;
    if (!letters)
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < count; i++)
        letters[i] = patch.bitarray[i / 8] >> i % 8 & 1 ? '.' : '@';
    cairn_status status = cairn_map_from_letters(patch.width, patch.height, letters, NULL, map,
                                                 NULL);
    free(letters);
    return status;
}

static cairn_status prepare(struct gppc_patch patch, cairn_map **map, cairn_table **table)
{
    cairn_build_options options = {.size = sizeof options, .landmark_count = LANDMARKS};
    *table = NULL;
    cairn_status status = map_of(patch, map);
    return status == CAIRN_OK ? cairn_table_build(*map, &options, table) : status;
}

void gppc_preprocess_init_map(struct gppc_patch init_map, const char *file)
{
    cairn_map *map;
    cairn_table *table;
    if (prepare(init_map, &map, &table) == CAIRN_OK)
        (void)cairn_save(map, table, file, NULL);
    cairn_table_free(table);
    cairn_map_free(map);
}

/* Whether what was loaded is the map that is asked for. */
static bool is_map(const cairn_map *map, struct gppc_patch patch)
{
    cairn_map *wanted;
    if (map_of(patch, &wanted) != CAIRN_OK)
        return false;
    bool same = cairn_map_hash(wanted) == cairn_map_hash(map);
    cairn_map_free(wanted);
    return same;
}

static cairn_status open_entry(entry *made, struct gppc_patch patch, const char *file)
{
    cairn_search_options options = {.size = sizeof options, .form = CAIRN_FORM_CORNERS};
    /* The file is one's own, and may be that of a vast open map. */
    cairn_load_options loading = {.size = sizeof loading, .memory_limit = UINT64_MAX};
    cairn_status status = CAIRN_OK;

    if (!file || cairn_load(file, &loading, &made->map, &made->table, NULL) != CAIRN_OK ||
        !is_map(made->map, patch)) {
        cairn_table_free(made->table);
        cairn_map_free(made->map);
        status = prepare(patch, &made->map, &made->table);
    }
    if (status == CAIRN_OK)
        status = cairn_search_new(made->map, made->table, &options, &made->search);
    return status;
}

void *gppc_search_init(struct gppc_patch init_map, const char *file)
{
    entry *made = calloc(1, sizeof *made);
    if (made && open_entry(made, init_map, file) != CAIRN_OK) {
        gppc_free_data(made);
        return NULL;
    }
    return made;
}

static cairn_edit edit_of(const struct gppc_patch *patch)
{
    return cairn_patch_bits(patch->pos.x, patch->pos.y, patch->width, patch->height,
                            patch->bitarray);
}

/* One call for all patches: the map remembers so many calls for its table. */
static bool edit_at_once(cairn_map *map, const struct gppc_patch *changes, uint32_t count)
{
    cairn_edit *edits = calloc(count ? count : 1, sizeof *edits);
    if (!edits)
        return false;
    for (uint32_t i = 0; i < count; i++)
        edits[i] = edit_of(&changes[i]);
    cairn_status status = cairn_map_edit(map, edits, count);
    free(edits);
    return status == CAIRN_OK;
}

/* Patches that are all refused since one is wrong, or for want of memory, are tried by themselves.
 */
void gppc_map_change(void *data, const struct gppc_patch *changes, uint32_t count)
{
    entry *self = data;
    if (edit_at_once(self->map, changes, count))
        return;
    for (uint32_t i = 0; i < count; i++) {
        cairn_edit edit = edit_of(&changes[i]);
        (void)cairn_map_edit(self->map, &edit, 1);
    }
}

static bool make_room(entry *self, size_t count)
{
    if (count <= self->capacity)
        return true;
    struct gppc_point *points = realloc(self->points, 2 * count * sizeof *points);
    if (!points)
        return false;
    self->points = points;
    self->capacity = 2 * count;
    return true;
}

static struct gppc_point point_of(const cairn_map *map, cairn_node node)
{
    uint32_t x = 0, y = 0;
    cairn_node_xy(map, node, &x, &y);
    return (struct gppc_point){(uint16_t)x, (uint16_t)y};
}

/* A path from a cell to itself is that point twice: the competition knows a path by its two ends,
 * and no points as none. */
static struct gppc_path find_path(entry *self, cairn_node start, cairn_node goal)
{
    struct gppc_path none = {0};
    cairn_path path;

    if (cairn_search_run(self->search, start, goal, &path) != CAIRN_OK)
        return none;
    /* What counts is refresh and queries together. */
    (void)cairn_refresh_as_it_pays(self->table, self->map, &path);
    if (path.outcome != CAIRN_PATH_FOUND)
        return none;
    size_t count = path.corner_count < 2 ? 2 : path.corner_count;
    if (!make_room(self, count))
        return none;
    for (size_t i = 0; i < count; i++)
        self->points[i] = point_of(self->map, path.corners[i % path.corner_count]);
    return (struct gppc_path){.path = self->points, .length = (uint32_t)count};
}

struct gppc_path gppc_get_path(void *data, struct gppc_point start, struct gppc_point goal)
{
    entry *self = data;
    return find_path(self, cairn_node_at(self->map, start.x, start.y),
                     cairn_node_at(self->map, goal.x, goal.y));
}

void gppc_free_data(void *data)
{
    entry *self = data;
    if (!self)
        return;
    cairn_search_free(self->search);
    cairn_table_free(self->table);
    cairn_map_free(self->map);
    free(self->points);
    free(self);
}

const char *gppc_get_name(void)
{
    return "Cairn";
}
