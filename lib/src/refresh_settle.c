#include <string.h>

#include "refresh.h"

enum { MARK_SEEN = 8 };

size_t cn_refresh_find_landmark(const cairn_table *table, uint32_t row, cairn_node node)
{
    size_t low = table->landmark_start[row], end = table->landmark_start[row + 1], high = end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->landmarks[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && table->landmarks[low] == node ? low : SIZE_MAX;
}

cairn_status cn_refresh_add_landmark(cn_refresh *self, uint32_t row, cairn_node node)
{
    cairn_table *table = self->table;
    size_t count = table->landmark_start[table->row_count], at = table->landmark_start[row];
    cairn_node *longer = cn_array(&table->mem, count + 1, sizeof *longer);
    if (!longer)
        return CAIRN_E_MEMORY;

    while (at < table->landmark_start[row + 1] && table->landmarks[at] < node)
        at++;
    if (at)
        memcpy(longer, table->landmarks, at * sizeof *longer);
    longer[at] = node;
    if (count > at)
        memcpy(longer + at + 1, table->landmarks + at, (count - at) * sizeof *longer);
    cn_release(&table->mem, table->landmarks);
    table->landmarks = longer;
    for (uint32_t next = row + 1; next <= table->row_count; next++)
        table->landmark_start[next]++;
    return CAIRN_OK;
}

void cn_refresh_remove_landmark(cn_refresh *self, uint32_t row, size_t index)
{
    cairn_table *table = self->table;
    size_t count = table->landmark_start[table->row_count];

    memmove(table->landmarks + index, table->landmarks + index + 1,
            (count - index - 1) * sizeof *table->landmarks);
    for (uint32_t next = row + 1; next <= table->row_count; next++)
        table->landmark_start[next]--;
}

void cn_refresh_drop_closed(cn_refresh *self, uint32_t row)
{
    const cairn_table *table = self->table;
    for (size_t i = table->landmark_start[row + 1]; i > table->landmark_start[row]; i--) {
        if (!cn_grid_is_open(&self->map->grid, table->landmarks[i - 1])) {
            cn_refresh_remove_landmark(self, row, i - 1);
            self->row_work[row] |= CN_ROW_MOVED;
        }
    }
}

/* The cell farthest from the landmarks of all earlier rows, which are exact: the lowest among
 * equals. The first row, which has none before it, takes the lowest. Only cells at the ends of runs
 * are candidates, where what is farthest mostly lies; the others where all of those are such
 * landmarks. None where every cell is. */
typedef struct choice {
    cairn_node node;
    cairn_cost distance;
} choice;

CN_ALWAYS_INLINE void consider(const cn_refresh *self, uint32_t row, cairn_node node, choice *best)
{
    cairn_cost least = CAIRN_UNREACHABLE;

    for (uint32_t before = 0; before < row; before++) {
        cairn_cost cost = cn_table_entry(self->table, before, node);
        least = cost < least ? cost : least;
        if (least < best->distance)
            return;
    }
    if (least == 0 || (least == best->distance && node > best->node))
        return;
    best->node = node;
    best->distance = least;
}

static bool ends_run(const cn_grid *grid, cairn_node node)
{
    uint32_t x, y;
    cn_grid_xy(grid, node, &x, &y);
    return x == 0 || x + 1 == grid->width || !cn_grid_is_open(grid, node - 1) ||
           !cn_grid_is_open(grid, node + 1);
}

static cairn_node choose_landmark(const cn_refresh *self, const cairn_node *cells, size_t count)
{
    choice best = {CAIRN_NO_NODE, 0};
    for (size_t i = 0; i < count; i++) {
        if (ends_run(&self->map->grid, cells[i]))
            consider(self, self->row, cells[i], &best);
    }
    for (size_t i = 0; best.node == CAIRN_NO_NODE && i < count; i++)
        consider(self, self->row, cells[i], &best);
    return best.node;
}

/* --------------------------------------------------------- components known from the start -- */

/* As choose_landmark, among the cells of a component. */
static cairn_node choose_in(const cn_refresh *self, uint32_t row, uint32_t component)
{
    choice best = {CAIRN_NO_NODE, 0};

    for (uint32_t i = 0; i < self->runs.count; i++) {
        const cn_run *run = &self->runs.items[i];
        if (run->component != component)
            continue;
        consider(self, row, run->first, &best);
        consider(self, row, run->end - 1, &best);
    }
    return best.node;
}

static cairn_status settle_cell(cn_refresh *self, uint32_t row, cairn_node node, uint8_t *served)
{
    uint32_t component = cn_runs_component(&self->runs, node);

    if (component == CN_NO_COMPONENT || served[component])
        return CAIRN_OK;
    served[component] = 1;
    cairn_node landmark = choose_in(self, row, component);
    if (landmark == CAIRN_NO_NODE)
        return CAIRN_OK;
    self->counts.landmarks_added++;
    self->row_work[row] |= CN_ROW_MOVED;
    return cn_refresh_add_landmark(self, row, landmark);
}

cairn_status cn_refresh_settle_early(cn_refresh *self, uint32_t row)
{
    const cairn_table *table = self->table;
    cairn_status status = CAIRN_OK;
    uint8_t *served = cn_zeroed(&self->mem, self->runs.component_count + 1u, 1);

    if (!served)
        return CAIRN_E_MEMORY;
    for (size_t i = table->landmark_start[row]; i < table->landmark_start[row + 1]; i++) {
        uint32_t component = cn_runs_component(&self->runs, table->landmarks[i]);
        CN_ASSERT(component != CN_NO_COMPONENT);
        served[component] = 1;
    }
    for (size_t i = self->row_start[row]; status == CAIRN_OK && i < self->pending.count; i++)
        status = settle_cell(self, row, ((const cairn_node *)self->pending.items)[i], served);
    cn_release(&self->mem, served);
    return status;
}

/* ---------------------------------------------------- components found by what is unreached -- */

/* Adds an open cell that was not seen before to the list of a component. */
static cairn_status see(cn_refresh *self, cn_list *component, cairn_node node)
{
    if (self->marks[node] & MARK_SEEN)
        return CAIRN_OK;
    if (!cn_list_reserve(component, &self->mem, 1, sizeof node))
        return CAIRN_E_MEMORY;
    self->marks[node] |= MARK_SEEN;
    ((cairn_node *)component->items)[component->count++] = node;
    return CAIRN_OK;
}

/* Lists the component of a cell behind what is listed already. */
static cairn_status list_component(cn_refresh *self, cn_list *component, cairn_node start)
{
    const cn_grid *grid = &self->map->grid;
    size_t first = component->count;
    cairn_status status = see(self, component, start);

    for (size_t i = first; status == CAIRN_OK && i < component->count; i++) {
        cairn_node node = ((const cairn_node *)component->items)[i];
        for (unsigned steps = grid->moves[grid->around[node]];
             status == CAIRN_OK && steps; steps &= steps - 1)
            status = see(self, component,
                         node + (cairn_node)grid->offset[cn_lowest_bit(steps)]);
    }
    return status;
}

/* Settling that was cut short by a lack of memory begins anew. */
static bool has_landmark(const cn_refresh *self, const cairn_node *cells, size_t count)
{
    size_t i = 0;
    while (i < count && cn_table_entry(self->table, self->row, cells[i]) != 0)
        i++;
    return i < count;
}

static cairn_status give_landmark(cn_refresh *self, cn_list *seen, cairn_node start)
{
    size_t first = seen->count;

    cairn_status status = list_component(self, seen, start);
    if (status != CAIRN_OK)
        return status;
    const cairn_node *cells = (const cairn_node *)seen->items + first;
    size_t count = seen->count - first;
    self->counts.cells += count;
    self->settled += count;
    if (has_landmark(self, cells, count))
        return CAIRN_OK;
    cairn_node node = choose_landmark(self, cells, count);
    if (node == CAIRN_NO_NODE)
        return CAIRN_OK;
    if (!cn_list_reserve(&self->seeds, &self->mem, 1, sizeof(uint64_t)))
        return CAIRN_E_MEMORY;
    status = cn_refresh_add_landmark(self, self->row, node);
    if (status != CAIRN_OK)
        return status;
    cairn_table_set_cost(self->table, self->row, node, 0);
    ((uint64_t *)self->seeds.items)[self->seeds.count++] = (uint64_t)CN_NOWHERE << 28 | node;
    self->counts.landmarks_added++;
    return CAIRN_OK;
}

cairn_status cn_refresh_settle(cn_refresh *self)
{
    size_t start = self->row_start[self->row], dropped = self->dropped.count;
    size_t count = dropped + self->round_end - start;
    cn_list *seen = &self->stack;
    cairn_status status = CAIRN_OK;

    seen->count = 0;
    self->settled = 0;
    for (size_t i = 0; status == CAIRN_OK && i < count; i++) {
        const cairn_node *cells = i < dropped ? self->dropped.items : self->pending.items;
        cairn_node node = cells[i < dropped ? i : start + i - dropped];
        if (cn_table_entry(self->table, self->row, node) == CAIRN_UNREACHABLE &&
            cn_grid_is_open(&self->map->grid, node) && !(self->marks[node] & MARK_SEEN))
            status = give_landmark(self, seen, node);
    }
    for (size_t i = 0; i < seen->count; i++)
        self->marks[((const cairn_node *)seen->items)[i]] = 0;
    seen->count = 0;
    return status;
}
