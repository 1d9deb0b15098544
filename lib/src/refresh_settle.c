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

/* How far a cell is from the landmarks of the rows before this one, which are exact. */
static cairn_cost distance_before(const cn_refresh *self, cairn_node node)
{
    cairn_cost least = CAIRN_UNREACHABLE;
    for (uint32_t row = 0; row < self->row; row++) {
        cairn_cost cost = cn_table_entry(self->table, row, node);
        if (cost < least)
            least = cost;
    }
    return least;
}

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

/* The cell farthest from the landmarks of all earlier rows, the lowest among equals; none where
 * every cell is such a landmark. The first row, which has none before it, takes the lowest. */
static cairn_node choose_landmark(const cn_refresh *self, const cairn_node *cells, size_t count)
{
    cairn_node best = CAIRN_NO_NODE;
    cairn_cost most = 0;

    for (size_t i = 0; i < count; i++) {
        cairn_cost distance = distance_before(self, cells[i]);
        if (distance < most || distance == 0 || (distance == most && cells[i] > best))
            continue;
        most = distance;
        best = cells[i];
    }
    return best;
}

static cairn_status give_landmark(cn_refresh *self, cn_list *seen, cairn_node start)
{
    size_t first = seen->count;

    cairn_status status = list_component(self, seen, start);
    if (status != CAIRN_OK)
        return status;
    self->counts.cells += seen->count - first;
    self->settled += seen->count - first;
    cairn_node node = choose_landmark(self, (const cairn_node *)seen->items + first,
                                      seen->count - first);
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
