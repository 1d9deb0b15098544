#include "bound/gate_shelf.h"

#include "bound/gate_cheaper.h"
#include "map/dependents.h"
#include "table/table.h"

/* ------------------------------------------------------------------------------------- shelf -- */

#define NO_VERSION UINT64_MAX /* which no table has */

/* Gates of a map. */
typedef struct cn_shelved {
    cn_dependent as_dependent; /* of the map, while they are on the shelf */
    const cairn_table *table;
    cn_gates gates;
    cn_lacking lacking; /* what the table lacked, of the same state of the map or of another one */
    cn_cheaper cheaper; /* what of it needs gates */
    cn_lag lag;
    bool is_settled; /* gates were made, or none are needed; else there are only the lists */
    const cairn_map *map;
    uint64_t map_version;
    uint64_t map_hash;
    uint64_t map_fixed_hash;
    uint64_t table_version;
    uint32_t readers; /* threads that make gates of a later state from these */
    bool is_gone;     /* from the shelf; the last reader frees them */
    struct cn_shelved *next;
} cn_shelved;

static cn_gate_shelf *shelf_of(const cairn_table *table)
{
    return &((cairn_table *)(uintptr_t)table)->shelf;
}

static void lock_shelf(const cairn_table *table)
{
    cn_spin_take(&shelf_of(table)->lock);
}

static void unlock_shelf(const cairn_table *table)
{
    cn_spin_leave(&shelf_of(table)->lock);
}

/* The gates for map and table as they are; NULL: there are none. The shelf must be locked. */
static cn_shelved *find_on_shelf(const cairn_table *table, const cairn_map *map)
{
    cn_shelved *kept = shelf_of(table)->first;
    while (kept && (kept->map != map || kept->map_version != map->version ||
                    kept->map_hash != map->hash || kept->table_version != table->version))
        kept = kept->next;
    return kept;
}

static size_t kept_memory(const cn_shelved *kept)
{
    return cn_block_size(1, sizeof *kept) + cn_gates_memory(&kept->gates) +
           cn_lacking_memory(&kept->lacking) + cn_cheaper_memory(&kept->cheaper);
}

/* The gates of the last state of the map, from a locked shelf; NULL: there are none. */
static cn_shelved *former_on_shelf(const cairn_table *table, const cairn_map *map)
{
    cn_shelved *kept = shelf_of(table)->first;
    while (kept && kept->map != map)
        kept = kept->next;
    return kept;
}

/* Gates of the last state of the map or, where there are none, of another one whose copy it may be:
 * the list of what the table lacks goes by hashes. */
static cn_shelved *any_former_on_shelf(const cairn_table *table, const cairn_map *map)
{
    cn_shelved *own = former_on_shelf(table, map);
    return own ? own : shelf_of(table)->first;
}

static void free_lists(cn_shelved *kept, const cn_mem *mem)
{
    cn_lacking_free(&kept->lacking, mem);
    cn_cheaper_free(&kept->cheaper, mem);
}

static void free_one(cn_shelved *kept)
{
    const cn_mem mem = kept->gates.mem;
    cn_gates_free(&kept->gates);
    free_lists(kept, &mem);
    cn_release(&mem, kept);
}

static void free_kept(cn_shelved *first)
{
    while (first) {
        cn_shelved *next = first->next;
        free_one(first);
        first = next;
    }
}

/* Takes gates from a locked shelf, but not from their map. Whether nobody reads them any more: else
 * the last reader frees them. */
static bool take_off(cn_shelved *kept)
{
    cn_gate_shelf *shelf = shelf_of(kept->table);
    cn_shelved **place = &shelf->first;

    while (*place != kept)
        place = &(*place)->next;
    *place = kept->next;
    kept->next = NULL;
    kept->is_gone = true;
    shelf->memory -= kept_memory(kept);
    return kept->readers == 0;
}

/* The map of some gates goes. */
static bool end_with_map(cn_dependent *self)
{
    cn_shelved *kept = (cn_shelved *)self;
    const cairn_table *table = kept->table;

    if (!cn_spin_try(&shelf_of(table)->lock))
        return false;
    cn_dependent_drop(self);
    const bool is_unread = take_off(kept);
    unlock_shelf(table);
    if (is_unread)
        free_one(kept);
    return true;
}

/* Takes gates from a locked shelf that are no longer of use once there are some for a map: no
 * search and no bound uses those of a former state of the table, or of the map. Returns them, to be
 * freed when the shelf is unlocked. NULL for the map: all of them. */
static cn_shelved *clear_shelf_for(const cairn_table *table, const cairn_map *map)
{
    cn_shelved *gone = NULL, *next;

    for (cn_shelved *kept = shelf_of(table)->first; kept; kept = next) {
        next = kept->next;
        if (map && kept->table_version == table->version && kept->map != map)
            continue;
        cn_dependent_end(kept->map, &kept->as_dependent);
        if (!take_off(kept))
            continue;
        kept->next = gone;
        gone = kept;
    }
    return gone;
}

static void clear_shelf(const cairn_table *table)
{
    lock_shelf(table);
    cn_shelved *gone = clear_shelf_for(table, NULL);
    unlock_shelf(table);
    free_kept(gone);
}

/* Adds gates to a locked shelf, and returns those that are no longer of use, as above. */
static cn_shelved *put_on_shelf(const cairn_table *table, cn_shelved *kept)
{
    cn_gate_shelf *shelf = shelf_of(table);
    cn_shelved *gone = clear_shelf_for(table, kept->map);

    kept->next = shelf->first;
    shelf->first = kept;
    shelf->clear = clear_shelf;
    shelf->memory += kept_memory(kept);
    kept->as_dependent.end = end_with_map;
    cn_dependent_begin(kept->map, &kept->as_dependent);
    return gone;
}

/* ------------------------------------------------------------------------------------ making -- */

/* Where no step costs less than entries allow, nor leads where some entry says that no path does,
 * entries are too low at most, whatever has changed. Where it is not known what the table lacks,
 * all that changed is examined; if no cost had fallen before, what changed since then. */
static cn_lag lag_of(const cn_cheaper *cheaper, const cairn_table *table, const cairn_map *map,
                     const cn_shelved *past)
{
    const cairn_node *cells;
    size_t count;

    if (cheaper->is_known && !table->corners && !cn_table_fits(table, map))
        return cheaper->cells.count ? CN_LAG_HARMFUL : CN_LAG_HARMLESS;
    if (past && past->lag == CN_LAG_HARMLESS && !cn_table_fits(table, map) &&
        cn_map_changes(map, past->map_hash, past->map_fixed_hash, &cells, &count) ==
            CN_CHANGES_KNOWN)
        return cn_table_any_cheaper(table, map, cells, count) ? CN_LAG_HARMFUL : CN_LAG_HARMLESS;
    return cn_table_journal_lag(table, map);
}

/* The past of a map and of a table in the state that it is in. */
static const cn_shelved *past_of(const cairn_table *table, const cairn_map *map,
                                 const cn_shelved *former)
{
    const bool is_past = former && former->is_settled && former->map == map &&
                         former->table_version == table->version;
    return is_past ? former : NULL;
}

/* The list of what the table lacks, from that of a former state, of which there may be none. */
static cairn_status follow_former(cn_lacking *lacking, const cairn_table *table,
                                  const cairn_map *map, const cn_shelved *former)
{
    cairn_status status = former ? cn_lacking_copy(lacking, &table->mem, &former->lacking)
                                 : CAIRN_OK;
    return status == CAIRN_OK ? cn_lacking_follow(lacking, &table->mem, table, map) : status;
}

/* The lists, and how the table lags. */
static cairn_status make_lists(const cairn_table *table, const cairn_map *map,
                               const cn_shelved *former, cn_shelved **kept)
{
    cn_shelved *made = cn_zeroed(&table->mem, 1, sizeof *made);

    *kept = made;
    if (!made)
        return CAIRN_E_MEMORY;
    made->gates.mem = table->mem;
    made->table = table;
    made->map = map;
    made->map_version = map->version;
    made->map_hash = map->hash;
    made->map_fixed_hash = map->fixed_hash;
    made->table_version = table->version;
    cn_gates_prepare(&made->gates, table, map);
    cairn_status status = follow_former(&made->lacking, table, map, former);
    if (status == CAIRN_OK)
        status = cn_cheaper_follow(&made->cheaper, former ? &former->cheaper : NULL, &made->gates,
                                   table, &made->lacking);
    if (status != CAIRN_OK)
        return status;
    made->lag = lag_of(&made->cheaper, table, map, past_of(table, map, former));
    made->is_settled = cn_table_trust(table, made->lag) == CN_TRUST_ALL;
    return made->lag == CN_LAG_STRANGER ? CAIRN_E_MISMATCH : CAIRN_OK;
}

static cairn_status make_kept(const cairn_table *table, const cairn_map *map,
                              const cn_shelved *former, bool wants_gates, cn_shelved **kept)
{
    const cn_shelved *past = past_of(table, map, former);
    cairn_status status = make_lists(table, map, former, kept);

    if (status != CAIRN_OK || (*kept)->is_settled || !wants_gates)
        return status;
    const cn_gate_past gates_past = {past ? &past->gates : NULL, past ? past->map_hash : 0,
                                     past ? past->map_fixed_hash : 0};
    (*kept)->is_settled = true;
    return cn_gates_make(&(*kept)->gates, table, &(*kept)->lacking, &(*kept)->cheaper,
                         past ? &gates_past : NULL);
}

/* What there is on a shelf. Lists alone may be gone once it is unlocked, when another thread puts
 * gates in their place. */
typedef struct found {
    cn_lag lag;
    bool is_settled;       /* gates were made, or none are needed */
    const cn_gates *gates; /* NULL: none that can be used */
} found;

static found found_in(const cn_shelved *kept)
{
    const bool are_usable = kept->is_settled && kept->gates.is_usable;
    return (found){kept->lag, kept->is_settled, are_usable ? &kept->gates : NULL};
}

/* Puts gates or lists on the shelf. Where another thread has done so meanwhile, those stay, and
 * these are freed; but gates take the place of lists. */
static found keep(const cairn_table *table, cn_shelved *made)
{
    lock_shelf(table);
    cn_shelved *there = find_on_shelf(table, made->map);
    const bool is_late = there && (there->is_settled || !made->is_settled);
    const found what = found_in(is_late ? there : made);
    cn_shelved *gone = is_late ? made : put_on_shelf(table, made);
    unlock_shelf(table);
    free_kept(gone);
    return what;
}

static bool find_kept(const cairn_table *table, const cairn_map *map, bool wants_gates, found *what)
{
    lock_shelf(table);
    const cn_shelved *kept = find_on_shelf(table, map);
    const bool is_there = kept && (kept->is_settled || !wants_gates);
    if (is_there)
        *what = found_in(kept);
    unlock_shelf(table);
    return is_there;
}

/* Gates of a former state, which stay until stop_reading; NULL: there are none. */
static cn_shelved *read_former(const cairn_table *table, const cairn_map *map)
{
    lock_shelf(table);
    cn_shelved *former = any_former_on_shelf(table, map);
    if (former)
        former->readers++;
    unlock_shelf(table);
    return former;
}

static void stop_reading(const cairn_table *table, cn_shelved *former)
{
    lock_shelf(table);
    former->readers--;
    const bool is_last = former->is_gone && former->readers == 0;
    unlock_shelf(table);
    if (is_last)
        free_one(former);
}

/* Takes what is wanted for the map as it is from the shelf or, where it is not there, makes it out
 * of that of a former state. */
static cairn_status find_or_make(const cairn_table *table, const cairn_map *map, bool wants_gates,
                                 found *what)
{
    cn_shelved *made;

    if (find_kept(table, map, wants_gates, what))
        return CAIRN_OK;
    cn_shelved *former = read_former(table, map);
    cairn_status status = make_kept(table, map, former, wants_gates, &made);
    if (status == CAIRN_OK)
        *what = keep(table, made);
    else
        free_kept(made);
    if (former)
        stop_reading(table, former);
    return status;
}

/* How far the rows may be trusted, and what is on the shelf for them; nothing where they need no
 * gates. */
static cairn_status find_trust(const cairn_table *table, const cairn_map *row_map, bool wants_gates,
                               cn_trust *trust, found *what)
{
    *what = (found){.is_settled = true};
    *trust = CN_TRUST_ALL;
    if (cn_table_fits(table, row_map) && table->unsafe_count == 0)
        return CAIRN_OK;
    cairn_status status = find_or_make(table, row_map, wants_gates, what);
    if (status == CAIRN_OK)
        *trust = cn_table_trust(table, what->lag);
    return status;
}

cairn_status cn_gates_of(const cairn_table *table, const cairn_map *row_map, cn_trust *trust,
                         const cn_gates **gates)
{
    found what;
    const cairn_status status = find_trust(table, row_map, true, trust, &what);
    *gates = status == CAIRN_OK ? what.gates : NULL;
    return status;
}

cairn_status cn_gates_if_made(const cairn_table *table, const cairn_map *row_map, cn_trust *trust,
                              const cn_gates **gates, bool *are_made)
{
    found what;
    const cairn_status status = find_trust(table, row_map, false, trust, &what);
    *gates = status == CAIRN_OK ? what.gates : NULL;
    *are_made = status != CAIRN_OK || what.is_settled;
    return status;
}

size_t cn_shelf_lacking_before(const cairn_table *table, const cairn_map *row_map)
{
    lock_shelf(table);
    const cn_shelved *former = any_former_on_shelf(table, row_map);
    const size_t count = former && former->lacking.is_known ? former->lacking.cells.count : 0;
    unlock_shelf(table);
    return count;
}

cn_lag cn_shelf_lag(const cairn_table *table, const cairn_map *row_map)
{
    found what;
    const cn_lag lag = cn_table_journal_lag(table, row_map);
    if (lag != CN_LAG_HARMFUL || find_or_make(table, row_map, true, &what) != CAIRN_OK)
        return lag;
    return what.lag;
}

cairn_row_state cairn_table_row_state(const cairn_table *table, const cairn_map *map, uint32_t row)
{
    const cairn_map *row_map;
    if (row >= table->row_count || table->row_state[row] == CAIRN_ROW_UNSAFE ||
        cn_table_row_map(table, map, &row_map) != CAIRN_OK)
        return CAIRN_ROW_UNSAFE;
    const cn_lag lag = cn_shelf_lag(table, row_map);
    if (lag == CN_LAG_HARMFUL || lag == CN_LAG_STRANGER)
        return CAIRN_ROW_UNSAFE;
    return cn_table_fits(table, row_map) ? (cairn_row_state)table->row_state[row]
                                         : CAIRN_ROW_WEAKER;
}

/* The gates of the last state of a map, which stay where they are as long as the map does, and
 * nobody else uses the table; NULL: there are none. */
static cn_shelved *former_of(const cairn_table *table, const cairn_map *map)
{
    lock_shelf(table);
    cn_shelved *former = former_on_shelf(table, map);
    unlock_shelf(table);
    return former;
}

/* Some gates on the shelf take `now` bytes where they took `before`. */
static void add_memory(const cairn_table *table, size_t now, size_t before)
{
    lock_shelf(table);
    shelf_of(table)->memory += now - before;
    unlock_shelf(table);
}

cairn_status cn_shelf_follow(cairn_table *table, const cairn_map *row_map)
{
    cn_shelved *kept = former_of(table, row_map);
    if (!kept)
        return CAIRN_OK;
    const size_t before = cn_lacking_memory(&kept->lacking);
    cairn_status status = cn_lacking_follow(&kept->lacking, &table->mem, table, row_map);
    add_memory(table, cn_lacking_memory(&kept->lacking), before);
    return status;
}

const cn_lacking *cn_shelf_lacking(const cairn_table *table, const cairn_map *row_map)
{
    const cn_shelved *kept = former_of(table, row_map);
    return kept && cn_lacking_fits(&kept->lacking, table, row_map) ? &kept->lacking : NULL;
}

/* The gates of a map, or if there are none a new place for them, on the shelf of a table that
 * nobody else uses. */
static cn_shelved *place_on_shelf(cairn_table *table, const cairn_map *map)
{
    cn_shelved *place = former_of(table, map);
    if (place)
        return place;
    place = cn_zeroed(&table->mem, 1, sizeof *place);
    if (!place)
        return NULL;
    place->gates.mem = table->mem;
    place->table = table;
    place->map = map;
    place->table_version = NO_VERSION;
    lock_shelf(table);
    cn_shelved *gone = put_on_shelf(table, place);
    unlock_shelf(table);
    free_kept(gone);
    return place;
}

/* Copies the lists of a former state of a table for one with the same entries. */
static cairn_status copy_lists(cn_shelved *to, const cn_mem *mem, const cn_shelved *from,
                               const cairn_table *from_table, const cairn_table *to_table)
{
    cairn_status status = cn_lacking_copy(&to->lacking, mem, &from->lacking);
    if (status == CAIRN_OK && from->cheaper.table_version == from_table->version)
        status = cn_cheaper_copy(&to->cheaper, mem, &from->cheaper, to_table);
    return status;
}

cairn_status cn_shelf_hand_on(const cairn_table *from, const cairn_map *from_map, cairn_table *to,
                              const cairn_map *to_map)
{
    cn_shelved lists = {.map = NULL};

    cn_shelved *kept = read_former(from, from_map);
    if (!kept)
        return CAIRN_OK;
    cairn_status status = copy_lists(&lists, &to->mem, kept, from, to);
    stop_reading(from, kept);
    cn_shelved *place = status == CAIRN_OK ? place_on_shelf(to, to_map) : NULL;
    if (!place) {
        free_lists(&lists, &to->mem);
        return CAIRN_E_MEMORY;
    }
    const size_t before = kept_memory(place);
    free_lists(place, &to->mem);
    place->lacking = lists.lacking;
    place->cheaper = lists.cheaper;
    add_memory(to, kept_memory(place), before);
    return CAIRN_OK;
}
