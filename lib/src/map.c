#include "map.h"

#include <string.h>

#include "file.h"

/* Everything but the cells. docs/FORMAT.md gives the definition. */
static uint64_t frame_hash(const cairn_map *map)
{
    uint64_t size = (uint64_t)map->grid.height << 32 | map->grid.width;
    uint64_t metric = (uint64_t)map->metric.diagonal << 32 | map->metric.straight;
    return cn_map_mix(cn_map_mix(size) ^ metric);
}

static uint64_t map_hash(const cairn_map *map)
{
    uint32_t node_count = cn_map_node_count(map);
    uint64_t hash = frame_hash(map);

    for (cairn_node node = 0; node < node_count; node++) {
        if (cn_grid_is_open(&map->grid, node))
            hash += cn_map_cell_hash(node);
    }
    return hash;
}

cairn_status cn_map_new(const cn_mem *mem, cairn_metric metric, cn_grid *grid, cairn_map **map)
{
    *map = NULL;
    if (metric.straight == 0 && metric.diagonal == 0)
        metric = CAIRN_METRIC_OCTILE;
    cairn_map *made = cn_metric_is_valid(metric) ? cn_zeroed(mem, 1, sizeof *made) : NULL;
    if (!made) {
        cn_grid_free(grid, mem);
        return cn_metric_is_valid(metric) ? CAIRN_E_MEMORY : CAIRN_E_ARGUMENT;
    }

    made->mem = *mem;
    made->metric = metric;
    made->grid = *grid;
    made->hash = map_hash(made);
    *map = made;
    return CAIRN_OK;
}

static cairn_status read_options(const cairn_map_options *from, cairn_map_options *options,
                                 cn_mem *mem)
{
    if (!cn_options_copy(options, sizeof *options, from))
        return CAIRN_E_ARGUMENT;
    if ((options->metric.straight || options->metric.diagonal) &&
        !cn_metric_is_valid(options->metric))
        return CAIRN_E_ARGUMENT;
    *mem = cn_mem_from(options->allocator);
    return CAIRN_OK;
}

static cairn_status parse(const char *text, size_t size, const cairn_map_options *options,
                          const cn_mem *mem, cairn_map **map, cairn_error *error)
{
    cn_grid grid;
    cairn_status status = cn_grid_parse(mem, text, size, &grid, error);
    if (status != CAIRN_OK)
        return status;
    status = cn_map_new(mem, options->metric, &grid, map);
    return status == CAIRN_OK ? status : cn_error_plain(error, status, NULL);
}

cairn_status cairn_map_parse(const char *text, size_t size, const cairn_map_options *options,
                             cairn_map **map, cairn_error *error)
{
    cairn_map_options known;
    cn_mem mem;

    if (!map || (!text && size))
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    *map = NULL;
    cairn_status status = read_options(options, &known, &mem);
    if (status != CAIRN_OK)
        return cn_error_plain(error, status, NULL);
    return parse(text ? text : "", size, &known, &mem, map, error);
}

cairn_status cairn_map_load(const char *path, const cairn_map_options *options, cairn_map **map,
                            cairn_error *error)
{
    cairn_map_options known;
    cn_mem mem;
    uint8_t *text;
    size_t size;

    if (!path || !map)
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    *map = NULL;
    cairn_status status = read_options(options, &known, &mem);
    if (status == CAIRN_OK)
        status = cn_file_read(path, &mem, &text, &size);
    if (status != CAIRN_OK)
        return cn_error_plain(error, status, NULL);

    status = parse((const char *)text, size, &known, &mem, map, error);
    cn_release(&mem, text);
    return status;
}

static cairn_status check_letters(uint32_t width, const char *letters, size_t count,
                                  cairn_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!cn_letter_is_known((uint8_t)letters[i]))
            return cn_error_at_line(error, CAIRN_E_FORMAT, i / width + 1,
                                    "one of the terrain letters . G S @ O T W", letters + i, 1);
    }
    return CAIRN_OK;
}

cairn_status cairn_map_from_letters(uint32_t width, uint32_t height, const char *letters,
                                    const cairn_map_options *options, cairn_map **map,
                                    cairn_error *error)
{
    cairn_map_options known;
    cn_mem mem;
    cn_grid grid;

    if (!map)
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    *map = NULL;
    cairn_status status = read_options(options, &known, &mem);
    if (status != CAIRN_OK || !letters || width == 0 || height == 0)
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    size_t count = (size_t)width * height;
    if (width > CAIRN_SIDE_MAX || height > CAIRN_SIDE_MAX || count > CAIRN_NODES_MAX)
        return cn_error_plain(error, CAIRN_E_LIMIT, "at most 65535 x 65535 and 2^28 cells");
    status = check_letters(width, letters, count, error);
    if (status != CAIRN_OK)
        return status;

    uint8_t *copy = cn_array(&mem, count, 1);
    if (!copy)
        return cn_error_plain(error, CAIRN_E_MEMORY, NULL);
    memcpy(copy, letters, count);
    status = cn_grid_init(&grid, &mem, width, height, copy);
    if (status == CAIRN_OK)
        status = cn_map_new(&mem, known.metric, &grid, map);
    return status == CAIRN_OK ? status : cn_error_plain(error, status, NULL);
}

cairn_status cairn_map_clone(const cairn_map *map, cairn_map **copy)
{
    cn_grid grid;

    if (!map || !copy)
        return CAIRN_E_ARGUMENT;
    *copy = NULL;
    size_t count = cn_map_node_count(map);
    uint8_t *letters = cn_array(&map->mem, count, 1);
    if (!letters)
        return CAIRN_E_MEMORY;
    memcpy(letters, map->grid.letters, count);
    cairn_status status = cn_grid_init(&grid, &map->mem, map->grid.width, map->grid.height,
                                       letters);
    return status == CAIRN_OK ? cn_map_new(&map->mem, map->metric, &grid, copy) : status;
}

void cairn_map_free(cairn_map *map)
{
    if (!map)
        return;
    cn_mem mem = map->mem;
    cn_journal_free(&map->journal, &mem);
    cn_jump_free(map->jump, &mem);
    cn_grid_free(&map->grid, &mem);
    cn_release(&mem, map);
}

/* The planes follow from the grid, so a map that gets them late is still the same map. Of two
 * threads that make them at once, one gives way. */
cairn_status cn_map_jump(const cairn_map *map, const cn_jump **jump)
{
    _Atomic(cn_jump *) *place = (_Atomic(cn_jump *) *)&map->jump;
    cn_jump *there = atomic_load_explicit(place, memory_order_acquire);
    cn_jump *made;

    *jump = there;
    if (there)
        return CAIRN_OK;
    cairn_status status = cn_jump_new(&map->grid, &map->mem, &made);
    if (status != CAIRN_OK)
        return status;
    if (atomic_compare_exchange_strong(place, &there, made))
        there = made;
    else
        cn_jump_free(made, &map->mem);
    *jump = there;
    return CAIRN_OK;
}

uint32_t cairn_map_width(const cairn_map *map)
{
    return map->grid.width;
}

uint32_t cairn_map_height(const cairn_map *map)
{
    return map->grid.height;
}

uint32_t cairn_map_node_count(const cairn_map *map)
{
    return cn_map_node_count(map);
}

uint32_t cairn_map_open_count(const cairn_map *map)
{
    return map->grid.open_count;
}

char cairn_map_letter(const cairn_map *map, cairn_node node)
{
    return node < cn_map_node_count(map) ? (char)map->grid.letters[node] : '\0';
}

bool cairn_map_is_open(const cairn_map *map, cairn_node node)
{
    return node < cn_map_node_count(map) && cn_grid_is_open(&map->grid, node);
}

cairn_node cairn_node_at(const cairn_map *map, uint32_t x, uint32_t y)
{
    if (x >= map->grid.width || y >= map->grid.height)
        return CAIRN_NO_NODE;
    return y * map->grid.width + x;
}

bool cairn_node_xy(const cairn_map *map, cairn_node node, uint32_t *x, uint32_t *y)
{
    if (node >= cn_map_node_count(map))
        return false;
    cn_grid_xy(&map->grid, node, x, y);
    return true;
}

cairn_metric cairn_map_metric(const cairn_map *map)
{
    return map->metric;
}

cairn_status cairn_map_set_metric(cairn_map *map, cairn_metric metric)
{
    if (!map || !cn_metric_is_valid(metric))
        return CAIRN_E_ARGUMENT;
    cn_journal_free(&map->journal, &map->mem);
    map->metric = metric;
    map->hash = map_hash(map);
    return CAIRN_OK;
}

uint64_t cairn_map_hash(const cairn_map *map)
{
    return map->hash;
}

double cairn_length(const cairn_map *map, cairn_cost cost)
{
    return (double)cost / map->metric.straight;
}
