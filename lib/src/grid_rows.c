/* The components of a grid, from the runs of open cells in its rows. */
#include <string.h>

#include "grid.h"

typedef struct run {
    cairn_node first;
    cairn_node end;   /* the one behind it */
    uint32_t set;     /* a run of the same set, at most itself: names keep the order of the cells */
} run;

typedef struct runs {
    const cn_mem *mem;
    void *items;
    size_t capacity;
    uint32_t count;
} runs;

static uint32_t find(run *all, uint32_t at)
{
    while (all[at].set != at) {
        all[at].set = all[all[at].set].set;
        at = all[at].set;
    }
    return at;
}

static void join(run *all, uint32_t a, uint32_t b)
{
    a = find(all, a);
    b = find(all, b);
    if (a < b)
        all[b].set = a;
    else
        all[a].set = b;
}

/* The first column from x on that is open, or, with all ones in `flip`, blocked; else the width. */
static uint32_t next_column(const cn_grid *grid, const uint64_t *open, uint32_t x, uint64_t flip)
{
    while (x < grid->width) {
        uint64_t left = (open[x / 64] ^ flip) >> x % 64;
        if (left) {
            x += cn_lowest_bit(left);
            break;
        }
        x += 64 - x % 64;
    }
    return x < grid->width ? x : grid->width;
}

static bool list_runs(const cn_grid *grid, uint32_t y, runs *list)
{
    const uint64_t *open = cn_grid_open_row(grid, y);
    const cairn_node start = y * grid->width;

    if (!cn_grow(list->mem, &list->items, &list->capacity, list->count,
                 list->count + grid->width / 2 + 1, sizeof(run)))
        return false;
    run *all = list->items;
    for (uint32_t x = next_column(grid, open, 0, 0); x < grid->width;) {
        uint32_t end = next_column(grid, open, x, UINT64_MAX);
        all[list->count] = (run){start + x, start + end, list->count};
        list->count++;
        x = next_column(grid, open, end, 0);
    }
    return true;
}

/* Joins the runs of a row, from `own` on, to those of the row above, from `above` on. */
static void join_rows(const runs *list, uint32_t width, uint32_t above, uint32_t own)
{
    run *all = list->items;
    uint32_t end = own;

    while (above < end && own < list->count) {
        const run *higher = &all[above], *lower = &all[own];
        if (higher->first + width < lower->end && lower->first < higher->end + width)
            join(all, above, own);
        if (higher->end + width < lower->end)
            above++;
        else
            own++;
    }
}

static bool find_runs(const cn_grid *grid, runs *list)
{
    uint32_t above = 0;
    for (uint32_t y = 0; y < grid->height; y++) {
        uint32_t own = list->count;
        if (!list_runs(grid, y, list))
            return false;
        join_rows(list, grid->width, above, own);
        above = own;
    }
    return true;
}

/* Numbers the sets in order and makes every run say its number; returns how many there are. */
static uint32_t number_sets(const runs *list)
{
    run *all = list->items;
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++)
        all[i].set = all[i].set == i ? count++ : all[all[i].set].set;
    return count;
}

static void label_runs(const cn_grid *grid, const runs *list, uint32_t *label, uint32_t *sizes)
{
    const run *all = list->items;
    memset(label, 0xff, (size_t)grid->width * grid->height * sizeof *label);
    for (uint32_t i = 0; i < list->count; i++) {
        for (cairn_node node = all[i].first; node < all[i].end; node++)
            label[node] = all[i].set;
        sizes[all[i].set] += all[i].end - all[i].first;
    }
}

cairn_status cn_grid_components(const cn_grid *grid, const cn_mem *mem, uint32_t *label,
                                uint32_t **sizes, uint32_t *count)
{
    runs list = {.mem = mem};
    uint32_t found = 0;

    *sizes = NULL;
    *count = 0;
    if (find_runs(grid, &list)) {
        found = number_sets(&list);
        *sizes = cn_zeroed(mem, found, sizeof **sizes);
    }
    if (*sizes) {
        *count = found;
        label_runs(grid, &list, label, *sizes);
    }
    cn_release(mem, list.items);
    return *sizes ? CAIRN_OK : CAIRN_E_MEMORY;
}
