/* The components of a grid, found by union-find over the runs of open cells in its rows. */
#include <string.h>

#include "grid/grid.h"

/* While runs are joined, `component` is the index of a run in the same set, not above the run's
 * own. So the root of a set is its first run in the order of cells. (base/sets.h would need an
 * array beside the runs, which grows with them.) */
static uint32_t find(cn_run *all, uint32_t at)
{
    while (all[at].component != at) {
        all[at].component = all[all[at].component].component;
        at = all[at].component;
    }
    return at;
}

static void join(cn_run *all, uint32_t a, uint32_t b)
{
    a = find(all, a);
    b = find(all, b);
    if (a < b)
        all[b].component = a;
    else
        all[a].component = b;
}

/* The first column from x on that is open or, if all bits of `flip` are set, blocked; else the
 * width. */
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

bool cn_runs_add(cn_runs *runs, const cn_mem *mem, size_t *capacity, const cn_grid *grid,
                 uint32_t y, uint32_t from, uint32_t end)
{
    const uint64_t *open = cn_grid_open_row(grid, y);
    const cairn_node start = y * grid->width;

    if (!CN_GROW(mem, runs->items, capacity, runs->count, runs->count + (end - from) / 2 + 1))
        return false;
    for (uint32_t x = next_column(grid, open, from, 0); x < end;) {
        const uint32_t behind = next_column(grid, open, x, UINT64_MAX);
        runs->items[runs->count] = (cn_run){start + x, start + behind, runs->count};
        runs->count++;
        x = next_column(grid, open, behind, 0);
    }
    return true;
}

/* Joins the runs of a row, which begin at index `own`, with those of the row above, which begin at
 * `above`. */
static void join_rows(const cn_runs *list, uint32_t width, cn_row_reach reach, uint32_t above,
                      uint32_t own)
{
    cn_run *all = list->items;
    uint32_t end = own;

    while (above < end && own < list->count) {
        const cn_run *higher = &all[above], *lower = &all[own];
        if (higher->first + width < lower->end + reach.right &&
            lower->first < higher->end + width + reach.left)
            join(all, above, own);
        if (higher->end + width < lower->end)
            above++;
        else
            own++;
    }
}

static bool find_runs(const cn_grid *grid, const cn_mem *mem, cn_runs *list)
{
    size_t capacity = 0;
    uint32_t above = 0;
    for (uint32_t y = 0; y < grid->height; y++) {
        uint32_t own = list->count;
        if (!cn_runs_add(list, mem, &capacity, grid, y, 0, grid->width))
            return false;
        join_rows(list, grid->width, cn_rule_reach_above(grid->rules.rule, y), above, own);
        above = own;
    }
    return true;
}

/* Numbers the sets in order, and stores its number in every run. */
static void number_sets(cn_runs *list)
{
    cn_run *all = list->items;
    for (uint32_t i = 0; i < list->count; i++)
        all[i].component = all[i].component == i ? list->component_count++
                                                 : all[all[i].component].component;
}

cairn_status cn_runs_new(const cn_grid *grid, const cn_mem *mem, cn_runs *runs)
{
    *runs = (cn_runs){0};
    if (!find_runs(grid, mem, runs)) {
        cn_runs_free(runs, mem);
        return CAIRN_E_MEMORY;
    }
    number_sets(runs);
    return CAIRN_OK;
}

void cn_runs_free(cn_runs *runs, const cn_mem *mem)
{
    cn_release(mem, runs->items);
    *runs = (cn_runs){0};
}

uint32_t cn_runs_component(const cn_runs *runs, cairn_node node)
{
    uint32_t low = 0, high = runs->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (runs->items[middle].end <= node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < runs->count && runs->items[low].first <= node ? runs->items[low].component
                                                               : CN_NO_COMPONENT;
}

static bool labels_to_runs(const cn_grid *grid, const cn_mem *mem, const uint32_t *label,
                           cn_runs *list)
{
    const size_t node_count = cn_grid_cell_count(grid);
    size_t capacity = 0;

    for (cairn_node node = 0; node < node_count; node++) {
        cn_run *last = list->count ? &list->items[list->count - 1] : NULL;
        if (label[node] == CN_NO_COMPONENT)
            continue;
        if (last && last->end == node && last->component == label[node] && node % grid->width) {
            last->end++;
            continue;
        }
        if (!CN_GROW(mem, list->items, &capacity, list->count, list->count + 1u))
            return false;
        list->items[list->count++] = (cn_run){node, node + 1, label[node]};
    }
    return true;
}

cairn_status cn_runs_from(const cn_grid *grid, const cn_mem *mem, const uint32_t *label,
                          uint32_t component_count, cn_runs *runs)
{
    *runs = (cn_runs){.component_count = component_count};
    if (labels_to_runs(grid, mem, label, runs))
        return CAIRN_OK;
    cn_runs_free(runs, mem);
    return CAIRN_E_MEMORY;
}

static void label_runs(const cn_grid *grid, const cn_runs *list, uint32_t *label, uint32_t *sizes)
{
    const cn_run *all = list->items;
    memset(label, 0xff, cn_grid_cell_count(grid) * sizeof *label);
    for (uint32_t i = 0; i < list->count; i++) {
        for (cairn_node node = all[i].first; node < all[i].end; node++)
            label[node] = all[i].component;
        sizes[all[i].component] += all[i].end - all[i].first;
    }
}

cairn_status cn_grid_components(const cn_grid *grid, const cn_mem *mem, uint32_t *label,
                                uint32_t **sizes, uint32_t *count)
{
    cn_runs list;

    *sizes = NULL;
    *count = 0;
    cairn_status status = cn_runs_new(grid, mem, &list);
    if (status != CAIRN_OK)
        return status;
    *sizes = cn_zeroed(mem, list.component_count, sizeof **sizes);
    if (*sizes) {
        *count = list.component_count;
        label_runs(grid, &list, label, *sizes);
    }
    cn_runs_free(&list, mem);
    return *sizes ? CAIRN_OK : CAIRN_E_MEMORY;
}
