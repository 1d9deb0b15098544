#include "refresh/refresh_corners.h"

#include <string.h>

typedef struct rebuilding {
    const cairn_table *table;
    const cairn_map *map;
    cn_runs runs;
    cairn_node *chosen; /* of one row, by component; CAIRN_NO_NODE: none yet */
    size_t *start;      /* [row_count + 1] into nodes */
    cairn_node *nodes;
} rebuilding;

static void choose(rebuilding *self, uint32_t component, cairn_node node)
{
    if (self->chosen[component] == CAIRN_NO_NODE)
        self->chosen[component] = node;
}

/* Runs are in the order of their cells, so what is listed along them ascends. */
static void list_row(rebuilding *self, uint32_t row)
{
    const cairn_node *landmarks;
    const size_t count = cairn_table_landmarks(self->table, row, &landmarks);
    size_t used = self->start[row];

    memset(self->chosen, 0xff, self->runs.component_count * sizeof *self->chosen);
    for (size_t i = 0; i < count; i++) {
        if (cairn_map_is_open(self->map, landmarks[i]))
            choose(self, cn_runs_component(&self->runs, landmarks[i]), landmarks[i]);
    }
    for (uint32_t i = 0; i < self->runs.count; i++) {
        const cn_run *run = &self->runs.items[i];
        choose(self, run->component, run->first);
    }
    for (uint32_t i = 0; i < self->runs.count; i++) {
        const cn_run *run = &self->runs.items[i];
        const cairn_node node = self->chosen[run->component];
        if (node >= run->first && node < run->end)
            self->nodes[used++] = node;
    }
    self->start[row + 1] = used;
}

static cairn_status list_landmarks(rebuilding *self)
{
    const cn_mem *mem = &self->table->mem;
    const uint32_t rows = self->table->row_count;

    cairn_status status = cn_runs_new(&self->map->grid, mem, &self->runs);
    if (status != CAIRN_OK)
        return status;
    self->chosen = cn_array(mem, self->runs.component_count, sizeof *self->chosen);
    self->start = cn_zeroed(mem, rows + 1u, sizeof *self->start);
    self->nodes = cn_array(mem, (size_t)rows * self->runs.component_count, sizeof *self->nodes);
    if (!self->chosen || !self->start || !self->nodes)
        return CAIRN_E_MEMORY;
    for (uint32_t row = 0; row < rows; row++)
        list_row(self, row);
    return CAIRN_OK;
}

/* In entries of 32 bits where a cost no longer fits 16. */
static cairn_status make_table(const rebuilding *self, cairn_table **made)
{
    cn_table_shape shape = {self->map, self->table->row_count, self->table->entry_bits, false};
    const cn_landmark_lists landmarks = {self->start, self->nodes};
    cairn_status status = cn_corner_rows_new(self->map, &self->table->mem, shape, landmarks, NULL,
                                             made);
    if (status != CAIRN_E_LIMIT || shape.entry_bits == 32)
        return status;
    shape.entry_bits = 32;
    return cn_corner_rows_new(self->map, &self->table->mem, shape, landmarks, NULL, made);
}

static void take_place(cairn_table *table, cairn_table *made)
{
    cairn_table old = *table;
    made->version = old.version + 1;
    *table = *made;
    *made = old;
    cairn_table_free(made);
}

cairn_status cn_refresh_corners(cairn_table *table, const cairn_map *map)
{
    rebuilding self = {.table = table, .map = map};
    const cn_mem mem = table->mem;
    cairn_table *made;

    if (table->width != map->grid.width || table->height != map->grid.height)
        return CAIRN_E_MISMATCH;
    if (!cn_corner_rows_suit(map))
        return CAIRN_E_RESIDENT;
    cairn_status status = list_landmarks(&self);
    if (status == CAIRN_OK)
        status = make_table(&self, &made);
    if (status == CAIRN_OK)
        take_place(table, made);
    cn_runs_free(&self.runs, &mem);
    cn_release(&mem, self.chosen);
    cn_release(&mem, self.start);
    cn_release(&mem, self.nodes);
    return status;
}
