/*
 * Several readers and one writer. A world has two sides, each a map and a table. One is published:
 * readers acquire and release it, and nobody writes it. The other is the writer's draft. Publishing
 * swaps them. The new draft then lacks the latest changes: once its last reader has released it,
 * the edits of the published side are applied to it, and what was written into the published table
 * is copied.
 *
 * A reader acquires a view by one addition to a word that contains the published side and the
 * number of its readers, so that the exchange which publishes the other side also tells how many
 * readers the old one has had. A reader releases a view by one addition to a word of its side.
 * docs/decisions/readers.md has the reasons.
 */
#include <stdalign.h>
#include <stdatomic.h>
#include <string.h>

#include "bound/gate_shelf.h"
#include "refresh/refresh.h"
#include "base/budget.h"
#include "table/table_replica.h"
#include "table/table_state.h"
#include "table/table_twin.h"

enum {
    NO_SIDE = 2,                         /* of a view of the draft, which only the writer has */
    EDITS_UNSEEN = CN_JOURNAL_MARKS / 4, /* edits of which the table has not been told, until
                                          * keep_up does */
    CELLS_UNSEEN = CN_JOURNAL_CELLS / 8, /* and cells that these have changed */
    BLOCKS_AT_ONCE = 64,                 /* copied between two reads of the clock */
    CELLS_PER_BLOCK = 8 /* the cost of copying one, in visits of cells by a repair */
};

/* The word by which readers acquire a view: the side in the lowest bit, and above it the number of
 * readers modulo 2^31. */
enum { SIDE_BIT = 1, ONE_READER = 2, COUNT_MASK = 0x7fffffff };

/* One call of cairn_world_edit, in one block with the data of its edits. */
typedef struct batch {
    struct batch *next;
    size_t count;
    cairn_edit edits[];
} batch;

typedef struct batches {
    batch *first;
    batch *last;
} batches;

typedef struct world_side {
    cairn_map *map;
    cairn_map *edited; /* the map itself, or the map of cells that it follows */
    cairn_table *table;
    uint64_t version;
    uint32_t acquired; /* how many readers acquired it while it was published, modulo 2^31 */
    alignas(CN_CACHE_LINE) atomic_uint released; /* how many of them have released it */
} world_side;

struct cairn_world {
    cn_mem mem;
    world_side sides[2];
    unsigned draft;        /* the side of the writer; it may still have readers */
    batches made;          /* edits of the draft since the last publication */
    batches owed;          /* edits of the published side that have not been applied to the draft */
    bool is_behind;        /* the draft's table lacks changes of the published one */
    bool is_changed;       /* the draft has changes that are not published */
    bool is_stale;         /* the draft's table may not be exact */
    uint64_t version;      /* of the published side */
    unsigned unseen;       /* calls with edits since the newest table was last told of them */
    uint64_t unseen_cells; /* and how many cells these have changed */
    cn_pace pace;          /* of steps, whichever side they are for */
    cn_dirty dirty;        /* what was written into the published table since the draft's was equal,
                            * and, when that has been copied, into the draft's */
    cn_replica replica;
    void *refresh; /* of the draft's table, while that lacks changes */
    void (*free_refresh)(void *refresh);
    alignas(CN_CACHE_LINE) atomic_uint acquire_word; /* see SIDE_BIT */
};

static world_side *draft_of(cairn_world *world)
{
    return &world->sides[world->draft];
}

static const world_side *published_of(const cairn_world *world)
{
    return &world->sides[!world->draft];
}

/* ---------------------------------------------------------------------------------- readers -- */

cairn_view cairn_world_acquire(cairn_world *world)
{
    if (!world)
        return (cairn_view){0};
    uint32_t number = atomic_fetch_add_explicit(&world->acquire_word, ONE_READER,
                                                memory_order_acquire) &
                      SIDE_BIT;
    const world_side *here = &world->sides[number];
    return (cairn_view){here->map, here->table, here->version, number};
}

void cairn_world_release(cairn_world *world, cairn_view *view)
{
    if (!world || !view || !view->map)
        return;
    if (view->side != NO_SIDE)
        atomic_fetch_add_explicit(&world->sides[view->side].released, 1, memory_order_release);
    *view = (cairn_view){0};
}

static bool has_readers(cairn_world *world)
{
    world_side *here = draft_of(world);
    uint32_t released = atomic_load_explicit(&here->released, memory_order_acquire);
    return (released & COUNT_MASK) != here->acquired;
}

/* ------------------------------------------------------------------------------------ edits -- */

static size_t data_size(const cairn_edit *edit)
{
    size_t cells = (size_t)edit->width * edit->height;
    switch (edit->kind) {
    case CAIRN_EDIT_BITS: return (cells + 7) / 8;
    case CAIRN_EDIT_LETTERS: return cells;
    default: return 0;
    }
}

/* The size of all data of the edits, which have been checked. SIZE_MAX where that is too large for
 * any memory. */
static size_t all_data(const cairn_edit *edits, size_t count)
{
    const size_t head = sizeof(batch) + count * sizeof *edits;
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        if (data_size(&edits[i]) > SIZE_MAX - head - size)
            return SIZE_MAX;
        size += data_size(&edits[i]);
    }
    return size;
}

/* A copy of edits that have been checked, and of their data. NULL: there is no memory. An edit that
 * has changed since, so that there is no room for its data, lacks them, which a check finds. */
static batch *new_batch(const cn_mem *mem, const cairn_edit *edits, size_t count)
{
    size_t size = all_data(edits, count);
    batch *made = size < SIZE_MAX ? cn_array(mem, sizeof *made + count * sizeof *edits + size, 1)
                                  : NULL;
    if (!made)
        return NULL;

    uint8_t *data = (uint8_t *)&made->edits[count];
    *made = (batch){.count = count};
    for (size_t i = 0; i < count; i++) {
        cairn_edit *edit = &made->edits[i];
        *edit = edits[i];
        const size_t bytes = edit->data ? data_size(edit) : 0;
        const bool fits = bytes <= size;
        edit->data = bytes && fits ? memcpy(data, edit->data, bytes) : NULL;
        data += fits ? bytes : 0;
        size -= fits ? bytes : 0;
    }
    return made;
}

static void append(batches *list, batch *made)
{
    if (list->last)
        list->last->next = made;
    else
        list->first = made;
    list->last = made;
}

static void drop_first(batches *list, const cn_mem *mem)
{
    batch *first = list->first;
    list->first = first->next;
    if (!list->first)
        list->last = NULL;
    cn_release(mem, first);
}

/* ----------------------------------------------------------- bringing the draft up to date -- */

/* Applies the edits of the published map to the draft's. */
static cairn_status ready_map(cairn_world *world)
{
    if (has_readers(world))
        return CAIRN_BUSY;
    while (world->owed.first) {
        const batch *next = world->owed.first;
        cairn_status status = cairn_map_edit(draft_of(world)->edited, next->edits, next->count);
        if (status != CAIRN_OK)
            return status;
        drop_first(&world->owed, &world->mem);
    }
    return CAIRN_OK;
}

/* Copies blocks within a budget, which is reduced accordingly; true when all have been copied. At
 * least some blocks are copied, so that repeated calls come to an end. */
static bool copy_blocks(cairn_world *world, const cairn_map *row_map, cairn_budget *budget)
{
    cn_allowance allowance = cn_allow(0, *budget);

    while (!cn_replica_copy_blocks(&world->replica, row_map, BLOCKS_AT_ONCE)) {
        cn_allowance_spend(&allowance, BLOCKS_AT_ONCE * CELLS_PER_BLOCK);
        if (cn_allowance_slice(&allowance) == 0)
            return false;
    }
    *budget = cn_allowance_rest(&allowance);
    return true;
}

static void take_refresh(cairn_world *world, cairn_table *table)
{
    world->refresh = table->refresh;
    world->free_refresh = table->free_refresh;
    table->refresh = NULL;
}

static void return_refresh(cairn_world *world, cairn_table *table)
{
    table->refresh = world->refresh;
    table->free_refresh = world->free_refresh;
    world->refresh = NULL;
    world->is_behind = false;
}

/* What ends bringing the draft's table up to date. What the published table lacks of its map is
 * known from there, since the journal of the draft's map may not reach back so far. */
static cairn_status finish_table(cairn_world *world, cairn_table *table)
{
    const world_side *published = published_of(world);
    const cairn_map *from, *to;
    cairn_status status = cn_table_row_map(published->table, published->map, &from);
    if (status == CAIRN_OK)
        status = cn_table_row_map(table, draft_of(world)->map, &to);
    if (status == CAIRN_OK)
        status = cn_shelf_hand_on(published->table, from, table, to);
    if (status == CAIRN_OK)
        return_refresh(world, table);
    return status;
}

/* The draft's table shares corners and entries with the published one, and copies the rest. */
static cairn_status ready_corners(cairn_world *world)
{
    cairn_table *table = draft_of(world)->table;
    cairn_status status = cn_table_follow_twin(table, published_of(world)->table);
    return status == CAIRN_OK ? finish_table(world, table) : status;
}

/* Copies what changed in the published table to the draft's; CAIRN_MORE when the budget is spent
 * first. */
static cairn_status ready_table(cairn_world *world, cairn_budget *budget)
{
    const world_side *published = published_of(world);
    cairn_table *table = draft_of(world)->table;
    const cairn_map *row_map;

    if (!world->is_behind)
        return CAIRN_OK;
    if (table->corners)
        return ready_corners(world);
    cairn_status status = cn_table_row_map(published->table, published->map, &row_map);
    if (status == CAIRN_OK && !world->replica.has_rest)
        status = cn_replica_copy_rest(&world->replica);
    if (status != CAIRN_OK)
        return status;
    if (!copy_blocks(world, row_map, budget))
        return CAIRN_MORE;
    table->dirty = &world->dirty;
    return finish_table(world, table);
}

/* Whether a step, or cn_refresh_keep_up, did not fail. The edits need not have been applied: a step
 * that waits returns CAIRN_MORE, too. Rows may be left whose costs are too large. */
static bool has_not_failed(cairn_status status)
{
    return status == CAIRN_OK || status == CAIRN_MORE || status == CAIRN_E_LIMIT;
}

/* Whether the table has taken over all edits of its map. */
static bool has_all_edits(const world_side *side)
{
    const cairn_map *row_map;
    return cn_table_row_map(side->table, side->map, &row_map) == CAIRN_OK &&
           cn_table_fits(side->table, row_map);
}

/* Notes whether the table of the draft has been written; `version` is that from before. */
static void note_change(cairn_world *world, uint64_t version)
{
    world->is_changed = world->is_changed || draft_of(world)->table->version != version;
}

static void told(cairn_world *world)
{
    world->unseen = 0;
    world->unseen_cells = 0;
}

/* The journal of a map holds only so many edits. So a table that is never refreshed is told of them
 * in time, so that its rows stay in use and can be repaired. */
static cairn_status keep_up(cairn_world *world)
{
    const world_side *draft = draft_of(world);
    cairn_budget all = CAIRN_UNLIMITED;

    if (!draft->table || (world->unseen < EDITS_UNSEEN && world->unseen_cells < CELLS_UNSEEN))
        return CAIRN_OK;
    cairn_status status = ready_table(world, &all);
    if (status != CAIRN_OK)
        return status;
    const uint64_t version = draft->table->version;
    status = cn_refresh_keep_up(draft->table, draft->map);
    note_change(world, version);
    if (!has_not_failed(status))
        return status;
    told(world);
    return CAIRN_OK;
}

/* Jump planes and components that readers have made the published map compute are computed for the
 * draft as well, before readers acquire it. */
static cairn_status ready_planes(cairn_world *world)
{
    const cairn_map *published = published_of(world)->map;
    const cairn_map *draft = draft_of(world)->map;
    const cn_jump *jump;
    const cn_components *components;
    cairn_status status = CAIRN_OK;

    if (atomic_load_explicit(&published->jump, memory_order_acquire))
        status = cn_map_jump(draft, &jump);
    if (status == CAIRN_OK && atomic_load_explicit(&published->components, memory_order_acquire))
        status = cn_map_connect(draft, &components);
    return status;
}

/* -------------------------------------------------------------------------------- the writer -- */

/* How many changes of cells a journal has had. */
static uint64_t cells_changed(const cairn_map *map)
{
    return map->journal.forgotten + map->journal.cells.count;
}

/* Both sides get the same copy of the edits: the caller's may change while they are read. */
cairn_status cairn_world_edit(cairn_world *world, const cairn_edit *edits, size_t count)
{
    if (!world || (!edits && count))
        return CAIRN_E_ARGUMENT;
    cairn_status status = ready_map(world);
    if (status == CAIRN_OK)
        status = cairn_map_check_edits(draft_of(world)->edited, edits, count, NULL);
    if (status == CAIRN_OK)
        status = keep_up(world);
    if (status != CAIRN_OK || count == 0)
        return status;
    batch *made = new_batch(&world->mem, edits, count);
    if (!made)
        return CAIRN_E_MEMORY;
    const uint64_t changed = cells_changed(draft_of(world)->map);
    status = cairn_map_edit(draft_of(world)->edited, made->edits, count);
    if (status != CAIRN_OK) {
        cn_release(&world->mem, made);
        return status;
    }
    append(&world->made, made);
    world->unseen++;
    world->unseen_cells += cells_changed(draft_of(world)->map) - changed;
    world->is_changed = true;
    world->is_stale = true;
    return CAIRN_OK;
}

cairn_status cairn_world_refresh_step(cairn_world *world, cairn_budget budget)
{
    if (!world || !cn_budget_is_valid(budget))
        return CAIRN_E_ARGUMENT;
    const world_side *draft = draft_of(world);
    cairn_status status = ready_map(world);
    if (status == CAIRN_OK && draft->table)
        status = ready_table(world, &budget);
    if (status != CAIRN_OK || !draft->table || !world->is_stale)
        return status;
    const uint64_t version = draft->table->version;
    draft->table->pace = world->pace;
    status = cairn_refresh_step(draft->table, draft->map, budget);
    world->pace = draft->table->pace;
    note_change(world, version);
    if (has_not_failed(status) && has_all_edits(draft))
        told(world);
    world->is_stale = status != CAIRN_OK;
    return status;
}

/* Publishes the draft and makes the other side the draft. Cannot fail, nor can what follows it. */
static void swap_sides(cairn_world *world)
{
    const unsigned old = !world->draft, new = world->draft;
    world_side *next = &world->sides[new];

    next->version = ++world->version;
    atomic_store_explicit(&next->released, 0, memory_order_relaxed);
    uint32_t word = atomic_exchange_explicit(&world->acquire_word, new, memory_order_acq_rel);
    world->sides[old].acquired = word / ONE_READER;
    world->draft = old;
}

cairn_status cairn_world_publish(cairn_world *world)
{
    if (!world)
        return CAIRN_E_ARGUMENT;
    if (!world->is_changed)
        return CAIRN_OK;
    world_side *draft = draft_of(world);
    cairn_budget all = CAIRN_UNLIMITED;
    cairn_status status = draft->table ? ready_table(world, &all) : CAIRN_OK;
    if (status == CAIRN_OK)
        status = ready_planes(world);
    if (status != CAIRN_OK)
        return status;

    if (draft->table) {
        take_refresh(world, draft->table);
        draft->table->dirty = NULL; /* nothing is written into it while it is published */
        world->replica = (cn_replica){
            .from = draft->table, .to = published_of(world)->table, .dirty = &world->dirty};
        world->is_behind = true;
    }
    swap_sides(world);
    world->owed = world->made;
    world->made = (batches){0};
    world->is_changed = false;
    return CAIRN_OK;
}

cairn_status cairn_world_draft(cairn_world *world, cairn_view *view)
{
    if (!view)
        return CAIRN_E_ARGUMENT;
    *view = (cairn_view){0};
    if (!world)
        return CAIRN_E_ARGUMENT;
    const world_side *draft = draft_of(world);
    cairn_budget all = CAIRN_UNLIMITED;
    cairn_status status = ready_map(world);
    if (status == CAIRN_OK && draft->table)
        status = ready_table(world, &all);
    if (status == CAIRN_OK)
        *view = (cairn_view){draft->map, draft->table, world->version + 1, NO_SIDE};
    return status;
}

/* ------------------------------------------------------------------------ making and freeing -- */

static void free_batches(batches *list, const cn_mem *mem)
{
    while (list->first)
        drop_first(list, mem);
}

/* The map of cells of a side that has a map for units: a copy, since the caller's goes on without
 * the world. Nothing follows it yet. */
static cairn_status copy_cells(const cairn_map *units, world_side *side)
{
    side->edited = side->map;
    return units->cells_map ? cairn_map_clone(units->cells_map, &side->edited) : CAIRN_OK;
}

/* From now on edits of the cells of a side are edits of its map for units. */
static void attach_units(world_side *side)
{
    if (side->edited == side->map)
        return;
    cn_units_detach(side->map);
    cn_units_attach(side->map, side->edited);
}

static void free_cells(world_side *side)
{
    if (side->edited != side->map)
        cairn_map_free(side->edited);
}

static void free_side(world_side *side)
{
    free_cells(side);
    cairn_table_free(side->table);
    cairn_map_free(side->map);
}

/* Makes the second side a copy of the first. Tables of corners share what is alike. */
static cairn_status copy_side(const world_side *from, world_side *to)
{
    cairn_status status = cairn_map_clone(from->map, &to->map);
    if (status == CAIRN_OK)
        status = copy_cells(from->map, to);
    if (status == CAIRN_OK && from->table)
        status = from->table->corners ? cn_table_twin(from->table, &to->table)
                                      : cairn_table_clone(from->table, &to->table);
    return status;
}

/* Components get the same numbers on both sides, with which a refresh goes on from side to side.
 * The caller's map comes last: nothing fails after that. */
static cairn_status connect_sides(cairn_world *world)
{
    const cairn_status status = cn_map_renumber_components(world->sides[1].map);
    return status == CAIRN_OK ? cn_map_renumber_components(world->sides[0].map) : status;
}

/* Frees what was made in addition to the caller's map and table. */
static void free_copies(cairn_world *world)
{
    cn_mem mem = world->mem;
    free_side(&world->sides[1]);
    cn_dirty_free(&world->dirty, &mem);
    cn_release(&mem, world);
}

cairn_status cairn_world_new(cairn_map *map, cairn_table *table, cairn_world **world)
{
    if (!world)
        return CAIRN_E_ARGUMENT;
    *world = NULL;
    if (!map || map->unit_maps)
        return CAIRN_E_ARGUMENT;
    /* This also makes the step map of a table that counts steps, so that both sides have it from
     * the beginning. */
    cairn_status status = table ? cn_table_check_map(table, map) : CAIRN_OK;
    if (status != CAIRN_OK)
        return status;
    cairn_world *made = cn_zeroed(&map->mem, 1, sizeof *made);
    if (!made)
        return CAIRN_E_MEMORY;
    made->mem = map->mem;
    made->sides[0] = (world_side){.map = map, .table = table};
    status = copy_cells(map, &made->sides[0]);
    if (status == CAIRN_OK)
        status = copy_side(&made->sides[0], &made->sides[1]);
    if (status == CAIRN_OK && table && !table->corners)
        status = cn_dirty_init(&made->dirty, &made->mem, table);
    if (status == CAIRN_OK)
        status = connect_sides(made);
    if (status != CAIRN_OK) {
        free_cells(&made->sides[0]);
        free_copies(made);
        return status;
    }
    attach_units(&made->sides[0]);
    attach_units(&made->sides[1]);
    made->draft = 1;
    made->is_stale = true;
    if (table) {
        take_refresh(made, table);
        table->dirty = NULL;
        made->sides[1].table->dirty = table->corners ? NULL : &made->dirty;
        return_refresh(made, made->sides[1].table);
    }
    *world = made;
    return CAIRN_OK;
}

void cairn_world_free(cairn_world *world)
{
    if (!world)
        return;
    if (world->refresh)
        world->free_refresh(world->refresh);
    free_batches(&world->made, &world->mem);
    free_batches(&world->owed, &world->mem);
    free_side(&world->sides[0]);
    free_copies(world);
}
