/* Gates that a table keeps, for each of its maps those of its last state. They are made when
 * somebody asks first, and serve until map or table change. */
#include "bound/gates.h"
#include "table/table.h"

/* ------------------------------------------------------------------------------------- shelf -- */

/* Gates of a map. */
typedef struct cn_kept_gates {
    cn_gates gates;
    cn_lag lag;
    const cairn_map *map;
    uint64_t map_version;
    uint64_t map_hash;
    uint64_t map_frame;
    uint64_t table_version;
    struct cn_kept_gates *next;
} cn_kept_gates;

static cn_gate_shelf *shelf_of(const cairn_table *table)
{
    return (cn_gate_shelf *)&table->shelf;
}

/* The gates for map and table as they are; NULL: there are none. The shelf must be locked. */
static cn_kept_gates *find_on_shelf(const cairn_table *table, const cairn_map *map)
{
    cn_kept_gates *kept = shelf_of(table)->first;
    while (kept && (kept->map != map || kept->map_version != map->version ||
                    kept->map_hash != map->hash || kept->table_version != table->version))
        kept = kept->next;
    return kept;
}

static size_t kept_memory(const cn_kept_gates *kept)
{
    return cn_block_size(1, sizeof *kept) + cn_gates_memory(&kept->gates);
}

/* Takes the gates of a former state of the map, which nobody else uses any more, from a locked
 * shelf; NULL: there are none. */
static cn_kept_gates *take_from_shelf(const cairn_table *table, const cairn_map *map)
{
    cn_gate_shelf *shelf = shelf_of(table);
    cn_kept_gates **place = &shelf->first;

    while (*place && (*place)->map != map)
        place = &(*place)->next;
    cn_kept_gates *taken = *place;
    if (!taken)
        return NULL;
    *place = taken->next;
    taken->next = NULL;
    shelf->memory -= kept_memory(taken);
    return taken;
}

static void free_kept(cn_kept_gates *first)
{
    while (first) {
        cn_kept_gates *next = first->next;
        const cn_mem mem = first->gates.mem;
        cn_gates_free(&first->gates);
        cn_release(&mem, first);
        first = next;
    }
}

/* Adds gates to a locked shelf, and returns those that are no longer of use, to be freed when it is
 * unlocked: no search and no bound uses gates of a former state of the table, or of the map. */
static cn_kept_gates *put_on_shelf(const cairn_table *table, cn_kept_gates *kept)
{
    cn_gate_shelf *shelf = shelf_of(table);
    cn_kept_gates **place = &shelf->first, *gone = NULL;

    while (*place) {
        cn_kept_gates *other = *place;
        if (other->table_version == table->version && other->map != kept->map) {
            place = &other->next;
            continue;
        }
        *place = other->next;
        other->next = gone;
        gone = other;
        shelf->memory -= kept_memory(other);
    }
    kept->next = shelf->first;
    shelf->first = kept;
    shelf->free = free_kept;
    shelf->memory += kept_memory(kept);
    return gone;
}

/* ------------------------------------------------------------------------------------ making -- */

/* What the table lacks of its map. Where that was harmless for a former state, only what changed
 * since then is examined. */
static cn_lag find_lag(const cairn_table *table, const cairn_map *map, const cn_kept_gates *former)
{
    const cairn_node *cells;
    size_t count;

    if (former && former->lag == CN_LAG_HARMLESS && !cn_table_fits(table, map) &&
        cn_map_changes(map, former->map_hash, former->map_frame, &cells, &count) ==
            CN_CHANGES_KNOWN)
        return cn_table_any_cheaper(table, map, cells, count) ? CN_LAG_HARMFUL : CN_LAG_HARMLESS;
    return cn_table_lag(table, map);
}

static cairn_status make_kept(const cairn_table *table, const cairn_map *map,
                              const cn_kept_gates *former, cn_kept_gates **kept)
{
    cn_kept_gates *made = cn_zeroed(&table->mem, 1, sizeof *made);

    *kept = made;
    if (!made)
        return CAIRN_E_MEMORY;
    made->gates.mem = table->mem;
    made->map = map;
    made->map_version = map->version;
    made->map_hash = map->hash;
    made->map_frame = map->frame;
    made->table_version = table->version;
    made->lag = find_lag(table, map, former);
    if (made->lag == CN_LAG_STRANGER)
        return CAIRN_E_MISMATCH;
    if (cn_table_trust(table, made->lag) == CN_TRUST_ALL)
        return CAIRN_OK;
    const cn_gate_past past = {former ? &former->gates : NULL, former ? former->map_hash : 0,
                               former ? former->map_frame : 0};
    return cn_gates_make(&made->gates, table, map, former ? &past : NULL);
}

/* Puts gates on the shelf. Where another thread has done so meanwhile, those stay, and these are
 * freed. */
static const cn_kept_gates *keep_gates(const cairn_table *table, cn_kept_gates *made)
{
    cn_gate_shelf_lock(table);
    cn_kept_gates *there = find_on_shelf(table, made->map);
    cn_kept_gates *gone = there ? made : put_on_shelf(table, made);
    cn_gate_shelf_unlock(table);
    free_kept(gone);
    return there ? there : made;
}

/* Takes the gates of the map as it is from the shelf or, where there are none, makes them out of
 * those of a former state, which are freed. */
static cairn_status find_kept(const cairn_table *table, const cairn_map *map,
                              const cn_kept_gates **kept)
{
    cn_kept_gates *made;

    cn_gate_shelf_lock(table);
    *kept = find_on_shelf(table, map);
    cn_kept_gates *former = *kept ? NULL : take_from_shelf(table, map);
    cn_gate_shelf_unlock(table);
    if (*kept)
        return CAIRN_OK;
    const bool is_past = former && former->table_version == table->version;
    cairn_status status = make_kept(table, map, is_past ? former : NULL, &made);
    free_kept(former);
    if (status == CAIRN_OK)
        *kept = keep_gates(table, made);
    else
        free_kept(made);
    return status;
}

cairn_status cn_gates_of(const cairn_table *table, const cairn_map *row_map, cn_trust *trust,
                         const cn_gates **gates)
{
    const cn_kept_gates *kept;

    *gates = NULL;
    *trust = CN_TRUST_ALL;
    if (cn_table_fits(table, row_map) && table->unsafe_count == 0) {
        *trust = cn_table_trust(table, cn_table_lag(table, row_map));
        return *trust == CN_TRUST_STRANGER ? CAIRN_E_MISMATCH : CAIRN_OK;
    }
    cairn_status status = find_kept(table, row_map, &kept);
    if (status != CAIRN_OK)
        return status;
    *trust = cn_table_trust(table, kept->lag);
    if (kept->gates.is_usable)
        *gates = &kept->gates;
    return CAIRN_OK;
}
