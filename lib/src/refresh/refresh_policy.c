/*
 * When to refresh: steps that wait for the map to settle and, where searches share their time with
 * refreshing, refreshing only as far as is worth it.
 *
 * The cost of stale rows is what searches expand beside their paths; the cost of repairs is the
 * cells that they visit. Both are counted, not timed, so that a program does the same in every run.
 *
 * It is not known how many queries will come before the next edit. So a refresh waits until
 * searches have lost as much since the last edit as it is expected to cost, and never spends more
 * than they have lost. This is the ski-rental problem, and the rule is 2-competitive: the total
 * cost is at most about twice that of the better of repairing at once and never repairing (Karlin
 * et al., "Competitive snoopy caching", Algorithmica 3, 1988). docs/decisions/refresh-as-it-pays.md
 * has the measurements behind the numbers below.
 */
#include "bound/gate_shelf.h"
#include "refresh/refresh.h"
#include "base/budget.h"

enum {
    VISITS_PER_EXPANSION = 2, /* cells that a repair visits in the time in which a search expands a
                               * node */
    VISITS_PER_CHANGE = 12,   /* cells that the repair of a row usually visits for each that
                               * changed; it cannot be known before */
    VISITS_WORTH_A_CALL = 64, /* less than that is not spent */
    GATES_SHARE = 8,          /* of what searches by gates expand beside their paths, one part in
                               * so many counts as lost: fresh rows would not save the rest */
    CHANGES_LEFT_MOST = 1024, /* a step that waits applies more changes: gates would hardly serve,
                               * and the list of changes gets long */
    QUIET_LEAST = 8,          /* steps without edits, after which one works */
    WAITS_MOST = 256
};

/* ------------------------------------------------------------------------- steps that wait -- */

/*
 * Where cells close and open in every frame, rows that follow each change are never done: what
 * closed for a moment has to be repaired twice, and rows that are behind need gates for whatever
 * opened meanwhile. Rows as they were before the edits still serve, by gates around the few cells
 * that have opened since. So a step with a budget leaves edits alone while the map changes from one
 * step to the next: docs/decisions/gates.md, "Steps that wait".
 *
 * It also does so in the first frames without edits: rows that are not done before the next ones
 * serve less than before. Where edits interrupt a step's work, twice as many frames as there were
 * have to be without edits before it goes on. Where gates do not serve most rows, a step works in
 * spite of edits; after each one that does not end twice as many wait.
 */

/* How many changed cells the table lacks; 0 also where that is not known. */
static size_t count_changes(const cairn_table *table, const cairn_map *row_map)
{
    const cn_lacking *lacking = cn_shelf_lacking(table, row_map);
    const cairn_node *cells;
    size_t count;

    if (lacking)
        return lacking->cells.count;
    return cn_table_changes(table, row_map, &cells, &count) == CN_CHANGES_KNOWN ? count : 0;
}

/* How many rows searches use. Keeps the list of what the table lacks up to date. Gates of tables of
 * corners are left to searches, for which they may not be worth it: where none have made them, all
 * rows count. */
static cairn_status follow_and_count_rows(const cairn_table *table, const cairn_map *row_map,
                                          uint32_t *count)
{
    const cn_gates *gates = NULL;
    cn_trust trust = CN_TRUST_NONE;
    bool are_made = true;
    cairn_status status = table->corners
                              ? cn_gates_if_made(table, row_map, &trust, &gates, &are_made)
                              : cn_gates_of(table, row_map, &trust, &gates);
    *count = status != CAIRN_OK                   ? 0
             : trust == CN_TRUST_ALL || !are_made ? table->row_count
             : gates                              ? gates->row_count
                                                  : 0;
    return status;
}

/* Whether edits that the table lacks are left alone while the map changes: there are some, and not
 * too many. */
static bool may_stay(const cairn_table *table, const cairn_map *row_map)
{
    const size_t changes = count_changes(table, row_map);
    return changes > 0 && changes <= CHANGES_LEFT_MOST;
}

/* Applies the edits, but repairs no row: one whose repair has begun serves no more. */
static cairn_status step_without_repair(cairn_table *table, const cairn_map *map)
{
    return cn_refresh_step(table, map, CAIRN_CELLS(0));
}

cairn_status cn_refresh_keep_up(cairn_table *table, const cairn_map *map)
{
    const cairn_map *row_map;
    uint32_t rows = 0;
    cairn_status status = cn_table_row_map(table, map, &row_map);
    if (status == CAIRN_OK)
        status = follow_and_count_rows(table, row_map, &rows);
    if (status != CAIRN_OK)
        return status;
    return rows == table->row_count && may_stay(table, row_map) ? CAIRN_MORE
                                                                : step_without_repair(table, map);
}

static uint32_t quiet_needed(const cn_pace *pace)
{
    return pace->quiet_needed ? pace->quiet_needed : QUIET_LEAST;
}

/* After edits that interrupted the work of steps, or that these were waiting for. */
static uint32_t quiet_after_interruption(const cn_pace *pace)
{
    const uint32_t twice = pace->quiet < WAITS_MOST / 2 ? 2 * pace->quiet : WAITS_MOST;
    return twice > quiet_needed(pace) ? twice : quiet_needed(pace);
}

/* Notes whether the map has changed since the last step, or since the table was made. */
static void note_change(cairn_table *table, uint64_t map_hash)
{
    cn_pace *pace = &table->pace;
    const uint64_t before = pace->map_hash ? pace->map_hash : table->map_hash;

    pace->map_hash = map_hash;
    if (before == map_hash) {
        pace->quiet += pace->quiet < WAITS_MOST;
        return;
    }
    if (pace->is_behind)
        pace->quiet_needed = quiet_after_interruption(pace);
    pace->quiet = 0;
}

/* Whether a step need not ask what edits will come: there have been none for some time, or it ends
 * before them, since the budget is enough and the map has not changed since the last step. */
static bool is_undisturbed(const cairn_table *table, const cairn_map *row_map, cairn_budget budget)
{
    const cn_pace *pace = &table->pace;

    return budget == CAIRN_UNLIMITED || pace->quiet >= quiet_needed(pace) ||
           (pace->quiet && cn_refresh_budget_covers(row_map, budget, table->row_count));
}

/* Whether a step leaves the table as it is because of edits that may come: where searches use most
 * rows, where the budget is not enough for a row, or after a step that did not end: then one of the
 * waits that are left is taken. */
static bool take_wait(cn_pace *pace, uint32_t rows, uint32_t row_count, bool may_rebuild)
{
    if (4 * rows >= 3 * row_count || !may_rebuild)
        return true;
    if (pace->waits_left == 0)
        return false;
    pace->waits_left--;
    return true;
}

static cairn_status step_and_set_pace(cairn_table *table, const cairn_map *map, cairn_budget budget,
                                      bool is_disturbed)
{
    cn_pace *pace = &table->pace;
    const uint64_t version = table->version;
    const cairn_status status = cn_refresh_step(table, map, budget);

    const bool is_done = status == CAIRN_OK || status == CAIRN_E_LIMIT;
    if (is_done && table->version != version) /* not where edits were undone */
        pace->waits = pace->quiet_needed = 0;
    else if (status == CAIRN_MORE && is_disturbed && pace->waits < WAITS_MOST)
        pace->waits = pace->waits ? 2 * pace->waits : 1;
    pace->waits_left = pace->waits;
    return status;
}

static cairn_status step_amid_edits(cairn_table *table, const cairn_map *map,
                                    const cairn_map *row_map, cairn_budget budget)
{
    uint32_t rows;

    if (cn_table_fits(table, row_map))
        return step_and_set_pace(table, map, budget, false);
    cairn_status status = follow_and_count_rows(table, row_map, &rows);
    if (status != CAIRN_OK)
        return status;
    if (!take_wait(&table->pace, rows, table->row_count,
                   cn_refresh_budget_covers(row_map, budget, 1)))
        return step_and_set_pace(table, map, budget, true);
    return may_stay(table, row_map) ? CAIRN_MORE : step_without_repair(table, map);
}

static cairn_status step_with_budget(cairn_table *table, const cairn_map *map,
                                     const cairn_map *row_map, cairn_budget budget)
{
    note_change(table, row_map->hash);
    const cairn_status status = is_undisturbed(table, row_map, budget)
                                    ? step_and_set_pace(table, map, budget, false)
                                    : step_amid_edits(table, map, row_map, budget);
    table->pace.is_behind = status == CAIRN_MORE;
    return status;
}

cairn_status cairn_refresh_step(cairn_table *table, const cairn_map *map, cairn_budget budget)
{
    const cairn_map *row_map;

    if (!table || !map || !cn_budget_is_valid(budget))
        return CAIRN_E_ARGUMENT;
    const cairn_status status = cn_table_row_map(table, map, &row_map);
    if (status != CAIRN_OK)
        return status;
    return cn_budget_count(budget) == 0 ? cn_refresh_step(table, map, budget)
                                        : step_with_budget(table, map, row_map, budget);
}

/* ----------------------------------------------------------------------- what is worth it -- */

/* The cost of rebuilding a row, in visits of a repair. */
static uint64_t visits_of_rebuild(const cairn_map *row_map)
{
    return row_map->grid.open_count / CN_NODES_REBUILT_PER_VISIT + 1;
}

/* How many nodes an exact heuristic would not have expanded. */
static uint64_t needless(const cairn_path *path)
{
    size_t needed = path->corner_count;
    if (path->space != CAIRN_SPACE_JUMP && path->node_count > needed)
        needed = path->node_count;
    return path->expanded > needed ? path->expanded - needed : 0;
}

/* A new account after an edit. */
static cairn_status open_account(cairn_table *table, const cairn_map *row_map)
{
    const cn_refresh *self = table->corners ? NULL : table->refresh;
    const cairn_node *cells;
    size_t changed, waiting = self ? self->pending.count : 0;
    cn_changes changes = cn_table_changes(table, row_map, &cells, &changed);
    if (changes == CN_CHANGES_STRANGER)
        return CAIRN_E_MISMATCH;

    uint64_t visits = VISITS_PER_CHANGE * ((uint64_t)changed + waiting);
    const uint64_t apply = VISITS_PER_CHANGE * (uint64_t)changed;
    if (changes == CN_CHANGES_FORGOTTEN || table->corners || visits > visits_of_rebuild(row_map))
        visits = visits_of_rebuild(row_map);
    table->account = (cn_account){
        .map_hash = row_map->hash,
        .row_cost = visits,
        .apply_cost = changes == CN_CHANGES_KNOWN ? apply : 0,
        .stale_rows = changes == CN_CHANGES_NONE ? cn_table_stale_rows(table) : table->row_count};
    return CAIRN_OK;
}

/* Whether searches use all rows by gates. What was edited is examined only where all are used. */
static bool judge_gates(cn_account *account, const cairn_table *table, const cairn_map *row_map,
                        const cairn_path *path)
{
    if (path->row_count != table->row_count)
        return false;
    if (!account->is_examined)
        account->is_applied = cn_shelf_lag(table, row_map) != CN_LAG_HARMFUL;
    account->is_examined = true;
    return !account->is_applied;
}

static uint64_t cost_so_far(const cairn_table *table, const cairn_map *row_map)
{
    cairn_refresh_counts counts = cairn_table_refresh_counts(table);
    return counts.cells + counts.rows_rebuilt * visits_of_rebuild(row_map);
}

static bool is_left_alone(unsigned work)
{
    return !work || work & CN_WORK_BEYOND;
}

/* The row that is being repaired, or else the next one. */
static uint32_t row_at_hand(const cn_refresh *self)
{
    uint32_t row = 0;
    if (self->repair.phase != CN_PHASE_NONE)
        return self->repair.row;
    while (row + 1 < self->table->row_count && is_left_alone(self->row_work[row]))
        row++;
    return row;
}

/* How many more cells the repair of this row may visit before it should be rebuilt instead. */
static uint64_t repair_left(const cn_refresh *self, const cairn_map *row_map)
{
    const cn_row_repair *repair = &self->repair;
    uint64_t visited = repair->phase == CN_PHASE_NONE ? 0 : repair->visit_count;
    bool is_rebuild = self->row_work[row_at_hand(self)] & CN_WORK_REBUILD;
    if (is_rebuild || repair->phase == CN_PHASE_CLEAR || visited >= visits_of_rebuild(row_map))
        return 0;
    return visits_of_rebuild(row_map) - visited;
}

static cairn_status rebuild_row(cairn_table *table, const cairn_map *map)
{
    cairn_status status = cn_refresh_one_row(table, map);
    cn_refresh_shrink_rebuild(table->refresh);
    return status;
}

/* Works on this row for at most what is left; does nothing where that is not enough. */
static cairn_status spend_some(cairn_table *table, const cairn_map *map, const cairn_map *row_map,
                               uint64_t left)
{
    uint64_t repair = repair_left(table->refresh, row_map);
    if (repair > 0)
        return cn_refresh_step(table, map, CAIRN_CELLS(left < repair ? left : repair));
    return left < visits_of_rebuild(row_map) ? CAIRN_MORE : rebuild_row(table, map);
}

/* Rows of tables of corners are worth it all at once, or not at all. */
static cairn_status spend_account(cairn_table *table, const cairn_map *map,
                                  const cairn_map *row_map)
{
    cn_account *account = &table->account;
    if (table->corners)
        return cn_refresh_step(table, map, CAIRN_UNLIMITED);
    cairn_status status = cn_refresh_step(table, map, CAIRN_CELLS(0));
    if (status != CAIRN_OK && status != CAIRN_MORE && status != CAIRN_E_LIMIT)
        return status;
    account->spent += account->apply_cost;
    account->apply_cost = 0;
    account->is_applied = account->is_examined = true;
    while (status == CAIRN_MORE && account->lost >= account->spent + VISITS_WORTH_A_CALL) {
        uint64_t before = cost_so_far(table, row_map);
        status = spend_some(table, map, row_map, account->lost - account->spent);
        uint64_t cost = cost_so_far(table, row_map) - before;
        if (cost == 0)
            break;
        account->spent += cost;
    }
    return status;
}

cairn_status cairn_refresh_as_it_pays(cairn_table *table, const cairn_map *map,
                                      const cairn_path *path)
{
    if (!table || !map || !path)
        return CAIRN_E_ARGUMENT;
    const cairn_map *row_map;
    cairn_status status = cn_table_row_map(table, map, &row_map);
    if (status != CAIRN_OK)
        return status;
    if (cn_table_is_fresh(table, row_map))
        return CAIRN_OK;
    cn_account *account = &table->account;
    if (account->map_hash != row_map->hash)
        status = open_account(table, row_map);
    if (status != CAIRN_OK)
        return status;

    const bool by_gates = judge_gates(account, table, row_map, path);
    account->lost += VISITS_PER_EXPANSION * needless(path) / (by_gates ? GATES_SHARE : 1);
    const uint64_t cost = account->apply_cost + account->row_cost * account->stale_rows;
    bool worth_it = account->spent > 0 || account->lost >= cost;
    return worth_it ? spend_account(table, map, row_map) : CAIRN_MORE;
}
