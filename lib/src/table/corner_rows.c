#include "table/corner_rows.h"

#include <string.h>

#include "table/corner_spread.h"
#include "table/table_state.h"

bool cn_corner_rows_suit(const cairn_map *map)
{
    return cn_map_is_classic(map);
}

/* -------------------------------------------------------------------------------- floods -- */

static void put_entry(cairn_table *table, uint32_t row, uint32_t corner, cairn_cost cost)
{
    cn_entry_put(table->entries, cn_table_index(table, corner, row), table->entry_bits, cost);
}

void cn_corner_rows_put_some(cairn_table *table, uint32_t row, const cn_plane *plane,
                             cn_corner_copy *copy, uint32_t count)
{
    for (const uint32_t end = copy->next + count; copy->next < end; copy->next++) {
        const cn_xy xy = cn_corner_walk_to(&copy->walk, table->width,
                                           table->corners->nodes[copy->next]);
        put_entry(table, row, copy->next, cn_plane_at(plane, CN_X_OF(xy), CN_Y_OF(xy)));
    }
}

void cn_corner_rows_put(cairn_table *table, uint32_t row, const cn_plane *plane)
{
    cn_corner_copy copy = {0};
    cn_corner_rows_put_some(table, row, plane, &copy, table->corners->count);
}

cairn_status cn_corner_rows_flood(const cairn_table *table, cn_flooder *flooder, uint32_t row,
                                  cn_plane *plane)
{
    const cairn_node *landmarks;
    size_t count = cairn_table_landmarks(table, row, &landmarks);
    return cn_flooder_run(flooder, landmarks, count, plane);
}

static cairn_status fill_by_floods(cairn_table *table, const cairn_map *map, cn_watch *watch)
{
    cn_flooder *flooder;
    cn_plane plane;
    cairn_status status = cn_flooder_new(map, table->entry_bits, CN_FLOOD_MANY, &flooder);

    for (uint32_t row = 0; row < table->row_count && status == CAIRN_OK; row++) {
        status = cn_corner_rows_flood(table, flooder, row, &plane);
        if (status == CAIRN_OK)
            cn_corner_rows_put(table, row, &plane);
        if (status == CAIRN_OK && !cn_watch_advance(watch, 0, table->node_count))
            status = CAIRN_E_CANCELLED;
    }
    cn_flooder_free(flooder);
    return status;
}

static cairn_status fill(cairn_table *table, const cairn_map *map, cn_watch *watch)
{
    bool is_done = false;
    cairn_status status = CAIRN_OK;

    if (cn_corner_spread_is_faster(table, map, table->row_count))
        status = cn_corner_spread(table, map, table->entries, watch, &is_done);
    return status != CAIRN_OK || is_done ? status : fill_by_floods(table, map, watch);
}

static cairn_status open_table(const cairn_map *map, const cn_mem *mem, cn_table_shape shape,
                               cn_landmark_lists landmarks, cairn_table **table)
{
    cn_corners *corners;
    cairn_status status = cn_corners_new(&map->grid, mem, landmarks.nodes,
                                         landmarks.start[shape.row_count], &corners);
    if (status == CAIRN_OK)
        status = cn_table_new_at(map, mem, shape.row_count, shape.entry_bits, corners, table);
    return status == CAIRN_OK ? cn_table_set_landmarks(*table, landmarks.start, landmarks.nodes)
                              : status;
}

cairn_status cn_corner_rows_open(const cairn_map *map, const cn_mem *mem, cn_table_shape shape,
                                 cairn_table **table)
{
    cn_corners *corners;
    cairn_status status = cn_corners_new(&map->grid, mem, NULL, 0, &corners);
    *table = NULL;
    return status == CAIRN_OK
               ? cn_table_new_at(map, mem, shape.row_count, shape.entry_bits, corners, table)
               : status;
}

/* The table, or none after a failure. */
static cairn_status hand_over(cairn_table **table, cairn_status status)
{
    if (status != CAIRN_OK) {
        cairn_table_free(*table);
        *table = NULL;
    }
    return status;
}

cairn_status cn_corner_rows_new(const cairn_map *map, const cn_mem *mem, cn_table_shape shape,
                                cn_landmark_lists landmarks, cn_watch *watch, cairn_table **table)
{
    *table = NULL;
    if (!cn_corner_rows_suit(map))
        return CAIRN_E_RESIDENT;
    cairn_status status = open_table(map, mem, shape, landmarks, table);
    if (status == CAIRN_OK)
        status = fill(*table, map, watch);
    return hand_over(table, status);
}

cairn_status cn_corner_rows_empty(const cairn_map *map, const cn_mem *mem, cn_table_shape shape,
                                  cn_landmark_lists landmarks, cairn_table **table)
{
    *table = NULL;
    return hand_over(table, open_table(map, mem, shape, landmarks, table));
}

/* --------------------------------------------------------------------- entries of any cell -- */

void cn_corner_rows_at(const cairn_table *table, const cairn_map *map, cairn_node node,
                       void *entries)
{
    const cn_corner_view view = cn_corner_view_of(table, map);
    cn_corner_view_at(&view, node, entries);
}

/* ------------------------------------------------------------------------------------ arcs -- */

cairn_status cn_corner_rows_arcs(const cairn_table *table, const cairn_map *map,
                                 cn_corner_arcs **arcs)
{
    *arcs = atomic_load_explicit(&table->corners->arcs, memory_order_acquire);
    return *arcs || !cn_table_fits(table, map)
               ? CAIRN_OK
               : cn_corner_arcs_of(table->corners, map->hash, &table->mem, arcs);
}

/* ----------------------------------------------------------------------------- another set -- */

void cn_corner_draft_free(cn_corner_draft *draft, const cn_mem *mem)
{
    cn_corners_free(draft->corners, mem);
    cn_release(mem, draft->entries);
    *draft = (cn_corner_draft){NULL, NULL};
}

void cn_corner_draft_adopt(cn_corner_draft *draft, cairn_table *table)
{
    cn_corners_free(table->corners, &table->mem);
    table->corners = draft->corners;
    cn_table_set_entries(table, draft->entries);
    *draft = (cn_corner_draft){NULL, NULL};
}

/* The corners and some more cells, without entries. */
static cairn_status open_draft(const cairn_table *table, const cn_grid *grid,
                               const cairn_node *more, size_t more_count, cn_corner_draft *draft)
{
    *draft = (cn_corner_draft){NULL, NULL};
    cairn_status status = cn_corners_new(grid, &table->mem, more, more_count, &draft->corners);
    if (status != CAIRN_OK)
        return status;
    draft->entries = cn_table_entries_for(table, draft->corners->count);
    if (draft->entries)
        return CAIRN_OK;
    cn_corner_draft_free(draft, &table->mem);
    return CAIRN_E_MEMORY;
}

static cn_corner_view view_of_draft(const cairn_table *table, const cairn_map *map,
                                    const cn_corner_draft *draft)
{
    cn_corner_view view = cn_corner_view_of(table, map);
    view.corners = draft->corners;
    view.entries = draft->entries;
    return view;
}

/* Entries that another set knows, or of which they follow. Where its grid is blocked they are
 * unreachable. */
static void take_entries(const cn_corner_view *to, const cn_corner_view *known)
{
    const size_t size = to->lane_count * (to->bits / 8);

    for (uint32_t i = 0; i < to->corners->count; i++) {
        const cairn_node node = to->corners->nodes[i];
        const uint32_t corner = cn_corners_find_node(known->corners, node);
        if (corner != CN_NO_CORNER)
            memcpy(cn_corner_view_row(to, i), cn_corner_view_row(known, corner), size);
        else if (cn_grid_shows(known->grid, node))
            cn_corner_view_at(known, node, cn_corner_view_row(to, i));
        else
            cn_corner_view_clear(to, i);
    }
}

bool cn_corner_rows_has_arcs(const cairn_table *table)
{
    return atomic_load_explicit(&table->corners->arcs, memory_order_acquire);
}

cairn_status cn_corner_rows_take_arcs(const cairn_table *table, const cairn_map *map,
                                      const cn_corners *extension, cn_corners *corners,
                                      cn_corner_copy *copy, uint32_t count)
{
    const cn_corner_arcs *own = atomic_load_explicit(&table->corners->arcs, memory_order_acquire);
    const bool is_current = own && own->hash == map->hash;

    if (!is_current && !(extension && extension->former_arcs)) {
        cn_corner_arcs_free(corners->arcs); /* some may have been there before a pause */
        corners->arcs = NULL;
        copy->next = corners->count;
        return CAIRN_OK;
    }
    if (!corners->arcs)
        corners->arcs = cn_corner_arcs_for_copies(corners, map->hash, &table->mem);
    cn_corner_arcs *arcs = corners->arcs;
    if (!arcs)
        return CAIRN_E_MEMORY;
    if (is_current)
        cn_corner_arcs_copy(arcs, corners, table->corners, own, NULL, copy, count);
    else
        cn_corner_arcs_copy(arcs, corners, extension, extension->former_arcs, extension->expired,
                            copy, count);
    return CAIRN_OK;
}

cairn_status cn_corner_draft_make(const cairn_table *table, const cairn_map *map,
                                  cn_landmark_lists landmarks, const cn_corner_view *known,
                                  cn_corner_draft *draft)
{
    const size_t own = landmarks.start[table->row_count];
    const uint32_t late_from = known ? known->corners->late_from : 0;
    const size_t late = known ? known->corners->count - late_from : 0;
    cairn_node *more = cn_array(&table->mem, own + late, sizeof *more);

    if (!more)
        return CAIRN_E_MEMORY;
    if (own)
        memcpy(more, landmarks.nodes, own * sizeof *more);
    if (late)
        memcpy(more + own, known->corners->nodes + late_from, late * sizeof *more);
    cairn_status status = open_draft(table, &map->grid, more, own + late, draft);
    cn_release(&table->mem, more);
    if (status == CAIRN_OK && known) {
        const cn_corner_view view = view_of_draft(table, map, draft);
        cn_corner_copy copy = {0};
        take_entries(&view, known);
        status = cn_corner_rows_take_arcs(table, map, known->corners, draft->corners, &copy,
                                          draft->corners->count);
        if (status != CAIRN_OK)
            cn_corner_draft_free(draft, &table->mem);
    }
    return status;
}

/* New members are settled one after the other, repeatedly where they lead to one another. A build
 * may visit one member for each so many entries that floods would compute instead. */
enum { ENTRIES_PER_VISIT = 256 };

/* Copies the entries of corners, and lists the members that are none; returns how many. */
static size_t take_corners(const cn_corner_view *to, const cn_corner_view *corners, uint32_t *added)
{
    const size_t size = to->lane_count * (to->bits / 8);
    size_t count = 0;

    for (uint32_t i = 0; i < to->corners->count; i++) {
        const uint32_t corner = cn_corners_find_node(corners->corners, to->corners->nodes[i]);
        if (corner != CN_NO_CORNER) {
            memcpy(cn_corner_view_row(to, i), cn_corner_view_row(corners, corner), size);
            continue;
        }
        cn_corner_view_clear(to, i);
        added[count++] = i;
    }
    return count;
}

/* The entry of a landmark in its own row. */
static void put_landmarks(const cn_corner_view *view, cn_landmark_lists landmarks)
{
    const size_t size = view->bits / 8;

    for (uint32_t row = 0; row < view->row_count; row++) {
        for (size_t i = landmarks.start[row]; i < landmarks.start[row + 1]; i++) {
            const uint32_t corner = cn_corners_find_node(view->corners, landmarks.nodes[i]);
            memset(cn_corner_view_row(view, corner) + row * size, 0, size);
        }
    }
}

static cairn_status add_landmarks(const cairn_table *table, const cairn_map *map,
                                  cn_landmark_lists landmarks, const cn_corner_draft *draft,
                                  bool *is_complete)
{
    const uint64_t entries = (uint64_t)table->node_count * table->row_count;
    const cn_corner_view view = view_of_draft(table, map, draft);
    const cn_corner_view old = cn_corner_view_of(table, map);
    uint32_t *added = cn_array(&table->mem, draft->corners->count, sizeof *added);

    if (!added)
        return CAIRN_E_MEMORY;
    const size_t count = take_corners(&view, &old, added);
    put_landmarks(&view, landmarks);
    *is_complete = cn_corner_view_settle(&view, added, count,
                                         (size_t)(entries / ENTRIES_PER_VISIT));
    cn_release(&table->mem, added);
    return CAIRN_OK;
}

cairn_status cn_corner_rows_close(cairn_table *table, const cairn_map *map,
                                  cn_landmark_lists landmarks, bool *is_complete)
{
    cn_corner_draft draft;

    cairn_status status = open_draft(table, &map->grid, landmarks.nodes,
                                     landmarks.start[table->row_count], &draft);
    if (status != CAIRN_OK)
        return status;
    status = add_landmarks(table, map, landmarks, &draft, is_complete);
    if (status != CAIRN_OK) {
        cn_corner_draft_free(&draft, &table->mem);
        return status;
    }
    cn_corner_draft_adopt(&draft, table);
    return cn_table_set_landmarks(table, landmarks.start, landmarks.nodes);
}

/* ----------------------------------------------------------------------------------- proven -- */

static cairn_status compare_row(const cairn_table *table, uint32_t row, const cn_plane *plane,
                                cairn_fault *fault)
{
    const cn_corners *corners = table->corners;

    for (uint32_t i = 0; i < corners->count; i++) {
        cairn_node node = corners->nodes[i];
        cairn_cost right = cn_plane_at(plane, node % table->width, node / table->width);
        cairn_cost stored = cairn_table_cost(table, row, node);
        if (stored == right)
            continue;
        if (fault)
            *fault = (cairn_fault){row, node, stored, right};
        return CAIRN_E_INEXACT;
    }
    return CAIRN_OK;
}

cairn_status cn_corner_rows_verify(const cairn_table *table, const cairn_map *map,
                                   cairn_fault *fault)
{
    cn_flooder *flooder;
    cn_plane plane;
    cairn_status status = cn_flooder_new(map, 32, CN_FLOOD_MANY, &flooder);

    for (uint32_t row = 0; row < table->row_count && status == CAIRN_OK; row++) {
        status = cn_corner_rows_flood(table, flooder, row, &plane);
        if (status == CAIRN_OK)
            status = compare_row(table, row, &plane, fault);
    }
    cn_flooder_free(flooder);
    return status;
}
