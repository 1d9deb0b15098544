/* Grids seen as rows of bits and runs of open cells: what goes over every cell of a map. */
#include <string.h>

#include "grid.h"

cairn_status cn_grid_open_rows(const cn_grid *grid, const cn_mem *mem, uint32_t **rows,
                               uint32_t *words)
{
    *words = (grid->width - 1) / 32 + 1;
    *rows = cn_array(mem, (size_t)*words * grid->height, sizeof **rows);
    if (!*rows)
        return CAIRN_E_MEMORY;

    const uint8_t *letters = grid->letters;
    uint32_t *out = *rows;
    for (uint32_t y = 0; y < grid->height; y++) {
        for (uint32_t x = 0; x < grid->width; x += 32, out++) {
            uint32_t count = grid->width - x < 32 ? grid->width - x : 32, bits = 0;
            for (uint32_t i = 0; i < count; i++)
                bits |= (uint32_t)grid->open_letter[letters[i]] << i;
            *out = bits;
            letters += count;
        }
    }
    return CAIRN_OK;
}

/* --------------------------------------------------------------------------- components -- */

/* Runs of open cells, joined where they touch the runs of the row above. A set is named by its
 * first run, so that names keep the order of the cells. */
typedef struct runs {
    const cn_mem *mem;
    void *sets;        /* [run]: a run of the same set, at most itself */
    size_t capacity;
    size_t count;
} runs;

static uint32_t find(uint32_t *sets, uint32_t run)
{
    while (sets[run] != run) {
        sets[run] = sets[sets[run]];
        run = sets[run];
    }
    return run;
}

static void join(uint32_t *sets, uint32_t a, uint32_t b)
{
    a = find(sets, a);
    b = find(sets, b);
    if (a < b)
        sets[b] = a;
    else
        sets[a] = b;
}

/* Labels a map row with its runs. */
static bool label_row(const cn_grid *grid, uint32_t y, uint32_t *label, runs *all)
{
    const uint8_t *letters = grid->letters + (size_t)y * grid->width;
    uint32_t *own = label + (size_t)y * grid->width;
    const uint32_t *above = y > 0 ? own - grid->width : NULL;
    uint32_t left = CN_NO_COMPONENT, joined = CN_NO_COMPONENT;

    if (!cn_grow(all->mem, &all->sets, &all->capacity, all->count,
                 all->count + grid->width / 2 + 1, sizeof(uint32_t)))
        return false;
    uint32_t *sets = all->sets;
    for (uint32_t x = 0; x < grid->width; x++) {
        if (!grid->open_letter[letters[x]]) {
            own[x] = left = CN_NO_COMPONENT;
            continue;
        }
        if (left == CN_NO_COMPONENT) {
            left = (uint32_t)all->count++;
            sets[left] = left;
            joined = CN_NO_COMPONENT;
        }
        own[x] = left;
        /* One look at each pair of runs. */
        if (above && above[x] != joined && above[x] != CN_NO_COMPONENT) {
            joined = above[x];
            join(sets, left, joined);
        }
    }
    return true;
}

/* Numbers the sets in order and makes every run say its number; returns how many there are. */
static uint32_t number_sets(runs *all)
{
    uint32_t *sets = all->sets;
    uint32_t count = 0;
    for (uint32_t run = 0; run < all->count; run++)
        sets[run] = sets[run] == run ? count++ : sets[sets[run]];
    return count;
}

cairn_status cn_grid_components(const cn_grid *grid, const cn_mem *mem, uint32_t *label,
                                uint32_t **sizes, uint32_t *count)
{
    const size_t cells = (size_t)grid->width * grid->height;
    runs all = {.mem = mem};
    cairn_status status = CAIRN_OK;

    *sizes = NULL;
    *count = 0;
    for (uint32_t y = 0; y < grid->height && status == CAIRN_OK; y++) {
        if (!label_row(grid, y, label, &all))
            status = CAIRN_E_MEMORY;
    }
    if (status == CAIRN_OK) {
        *count = number_sets(&all);
        *sizes = cn_zeroed(mem, *count, sizeof **sizes);
        if (!*sizes) {
            *count = 0;
            status = CAIRN_E_MEMORY;
        }
    }
    const uint32_t *sets = all.sets;
    for (size_t node = 0; node < cells && status == CAIRN_OK; node++) {
        if (label[node] == CN_NO_COMPONENT)
            continue;
        label[node] = sets[label[node]];
        (*sizes)[label[node]]++;
    }
    cn_release(mem, all.sets);
    return status;
}
