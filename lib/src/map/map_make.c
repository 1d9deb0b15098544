#include "map/map.h"

#include <string.h>

cairn_status cn_map_read_options(const cairn_map_options *from, cairn_map_options *options,
                                 cn_rules *rules, cn_mem *mem)
{
    if (!cn_options_copy(options, sizeof *options, from))
        return CAIRN_E_ARGUMENT;
    options->size = sizeof *options;
    if ((options->metric.straight || options->metric.diagonal) &&
        !cn_metric_is_valid(options->metric))
        return CAIRN_E_ARGUMENT;
    if (!cn_rules_from(rules, options->rule, options->charge, options->alphabet))
        return CAIRN_E_ARGUMENT;
    *mem = cn_mem_from(options->allocator);
    return CAIRN_OK;
}

cairn_status cn_map_refuse_metric(cairn_status status, cairn_error *error)
{
    return cn_error_general(error, status, status == CAIRN_E_LIMIT ? CN_METRIC_FITS : NULL);
}

cairn_status cn_map_from_grid(cn_grid *grid, const cairn_map_options *options, const cn_mem *mem,
                              cairn_map **map)
{
    const cairn_heights *heights = options->heights;
    cairn_status status = CAIRN_OK;

    *map = NULL;
    if (heights &&
        (heights->width != grid->width || heights->height != grid->height || !heights->cells))
        status = CAIRN_E_ARGUMENT;
    else if (heights)
        status = cn_heights_init(&grid->heights, mem, heights, cn_grid_cell_count(grid));
    if (status != CAIRN_OK) {
        cn_grid_free(grid, mem);
        return status;
    }
    return cn_map_new(mem, options->metric, grid, map);
}

static cairn_status check_letters(const cn_rules *rules, uint32_t width, const char *letters,
                                  size_t count, cairn_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (rules->factor[(uint8_t)letters[i]])
            continue;
        cn_error_at_line(error, CAIRN_E_FORMAT, i / width + 1, cn_rules_letters(rules), letters + i,
                         1);
        if (error)
            error->offset = i;
        return CAIRN_E_FORMAT;
    }
    return CAIRN_OK;
}

cairn_status cairn_map_from_letters(uint32_t width, uint32_t height, const char *letters,
                                    const cairn_map_options *options, cairn_map **map,
                                    cairn_error *error)
{
    cairn_map_options known;
    cn_rules rules;
    cn_mem mem;
    cn_grid grid;

    if (!map)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    *map = NULL;
    cairn_status status = cn_map_read_options(options, &known, &rules, &mem);
    if (status != CAIRN_OK || !letters || width == 0 || height == 0)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    size_t count = (size_t)width * height;
    if (width > CAIRN_SIDE_MAX || height > CAIRN_SIDE_MAX || count > CAIRN_NODES_MAX)
        return cn_error_general(error, CAIRN_E_LIMIT, "at most 65535 x 65535 and 2^28 cells");
    uint8_t *copy = cn_array(&mem, count, 1);
    if (!copy)
        return cn_error_general(error, CAIRN_E_MEMORY, NULL);
    /* What is checked is what is kept, also where another thread writes to the letters. */
    memcpy(copy, letters, count);
    status = check_letters(&rules, width, (const char *)copy, count, error);
    if (status != CAIRN_OK) {
        cn_release(&mem, copy);
        return status;
    }
    status = cn_grid_init_ruled(&grid, &mem, width, height, copy, &rules);
    if (status == CAIRN_OK)
        status = cn_map_from_grid(&grid, &known, &mem, map);
    return status == CAIRN_OK ? status : cn_map_refuse_metric(status, error);
}
