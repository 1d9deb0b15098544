/* What is worth it: to keep the runs from corners, to make gates for a table of corners, to free
 * records that are not needed. Each takes as long as expanding a certain number of nodes, so the
 * nodes that were expanded tell when it is. And what is not, beside very many runs from corners:
 * rows at corners, and nodes to avoid as borders of jump points. */
#include "bound/gate_shelf.h"
#include "search/search.h"

/* Finding the corners of a map and the runs from them takes about as long as they save in one
 * expansion for every few cells. */
enum { CELLS_FOR_AN_EXPANSION = 16 };

/* Without rows so many times as many nodes are expanded, about. */
enum { ROWS_SAVE = 4 };

void cn_worth_begin(cn_worth *worth, const cairn_map *map)
{
    *worth = (cn_worth){.spent_before = UINT64_MAX,
                        .spent_version = map->version,
                        .bare_before = UINT64_MAX,
                        .gates_due = UINT64_MAX,
                        .trim_due = UINT64_MAX};
}

void cn_worth_add(cn_worth *worth, uint64_t expanded, bool by_rows)
{
    worth->spent += expanded;
    worth->bare += expanded * (by_rows ? ROWS_SAVE : 1);
}

void cn_worth_count_from_change(cn_worth *worth, const cairn_map *map)
{
    if (worth->spent_version == map->version)
        return;
    worth->spent_before = worth->spent_version ? worth->spent : 0;
    worth->bare_before = worth->bare;
    worth->spent = worth->bare = 0;
    worth->trim_due = UINT64_MAX;
    worth->spent_version = map->version;
}

/* Whether the map keeps runs already, for another search. */
static bool has_runs(const cairn_map *map)
{
    const cn_corners *corners = atomic_load_explicit(&map->corners, memory_order_acquire);
    return corners && atomic_load_explicit(&corners->arcs, memory_order_acquire);
}

/* At once where it was worth it before the last change, since as much is likely to follow. */
bool cn_worth_judge_if_runs_are_due(cn_worth *worth, const cairn_map *map)
{
    const uint64_t due = cn_map_node_count(map) / CELLS_FOR_AN_EXPANSION;
    const bool are_due = worth->spent_before >= due || worth->spent >= due || has_runs(map);
    worth->corner_runs_due = are_due ? UINT64_MAX : due;
    return are_due;
}

bool cn_worth_judge_if_trim_is_due(cn_worth *worth, const cairn_map *map)
{
    if (worth->trim_due == UINT64_MAX)
        worth->trim_due = worth->spent + cn_map_node_count(map) / CELLS_FOR_AN_EXPANSION;
    return worth->spent >= worth->trim_due;
}

/* Whether what was found of another version of the map is to be found again: only after some
 * changes, since a few of them do not make halls of rooms, and it takes as long as some
 * searches. */
static bool is_to_be_judged(uint64_t *version, const cairn_map *map)
{
    enum { CHANGES = 64 };
    if (*version && map->version - *version < CHANGES)
        return false;
    *version = map->version;
    return true;
}

/* How many runs a corner has in the mean. */
static uint32_t runs_of_a_corner(cn_worth *worth, const cairn_map *map, const cn_jump *jump,
                                 const cn_corners *corners)
{
    if (is_to_be_judged(&worth->judged_version, map))
        worth->runs_of_a_corner = cn_corner_runs_mean(corners, &map->grid, jump);
    return worth->runs_of_a_corner;
}

bool cn_worth_judge_if_runs_are_many(cn_worth *worth, const cairn_map *map, const cn_jump *jump,
                                     const cn_corners *corners)
{
    enum { MANY = 24 };
    return runs_of_a_corner(worth, map, jump, corners) > MANY;
}

/* With so many runs each expansion bounds hundreds of their ends, where a search without rows
 * follows those alone that its bound allows. */
cairn_status cn_worth_judge_if_rows_are_crowded(cn_worth *worth, const cairn_map *map,
                                                const cn_corners *corners, bool *are_crowded)
{
    enum { CROWDED = 112 };
    const cn_jump *jump;
    const cairn_status status = cn_map_jump(map, &jump);
    if (status == CAIRN_OK)
        *are_crowded = runs_of_a_corner(worth, map, jump, corners) > CROWDED;
    return status;
}

/* Each strip adds corners, and each of these runs, the more of them the farther corners see: on
 * ground with hardly any corner they see very far. The runs of the map's corners need not be known
 * where any number would decide the same. */
cairn_status cn_worth_judge_if_strips_are_many(cn_worth *worth, const cairn_map *map, size_t strips,
                                               bool *are_many)
{
    enum { WEIGHT = 6, FEWEST = 3, MOST = 40, CELLS_WITHOUT_A_CORNER = 2500 };
    const uint64_t cells = map->grid.open_count, weighted = (uint64_t)strips * WEIGHT;
    const cn_jump *jump;
    const cn_corners *corners;

    *are_many = weighted * FEWEST > cells;
    if (*are_many || weighted * MOST <= cells)
        return CAIRN_OK;
    cairn_status status = cn_map_jump(map, &jump);
    if (status == CAIRN_OK)
        status = cn_map_corners(map, &corners);
    if (status != CAIRN_OK)
        return status;
    const bool is_open = (uint64_t)corners->count * CELLS_WITHOUT_A_CORNER <= cells;
    *are_many = weighted * (is_open ? MOST : runs_of_a_corner(worth, map, jump, corners)) > cells;
    return CAIRN_OK;
}

/* How many open cells there are from a cell on in a straight direction. */
static uint64_t open_ahead(const cn_grid *grid, uint32_t x, uint32_t y, int across, int down)
{
    uint64_t count = 0;
    while (x < grid->width && y < grid->height && cn_grid_open_from(grid, x, y) & 1) {
        x += (uint32_t)across;
        y += (uint32_t)down;
        count++;
    }
    return count;
}

/* About how many cells one of several sample cells sees: as many as its row and its column span; 0:
 * it is blocked. */
static uint64_t cells_in_sight_of(const cn_grid *grid, uint64_t sample)
{
    const uint64_t cell = sample * 2654435769u % ((uint64_t)grid->width * grid->height);
    const uint32_t x = (uint32_t)(cell % grid->width), y = (uint32_t)(cell / grid->width);
    return (open_ahead(grid, x, y, 1, 0) + open_ahead(grid, x, y, -1, 0)) *
           (open_ahead(grid, x, y, 0, 1) + open_ahead(grid, x, y, 0, -1));
}

/* The mean of some. */
static uint64_t cells_in_sight(const cn_grid *grid)
{
    enum { SAMPLES = 16 };
    uint64_t all = 0;

    for (uint64_t i = 1; i <= SAMPLES; i++)
        all += cells_in_sight_of(grid, i);
    return all / SAMPLES;
}

/* Whether the mean of open ones is large. It ends as soon as that is decided, so that the longer
 * rows are, the fewer samples it takes. */
static bool sees_far(const cn_grid *grid)
{
    enum { SAMPLES = 256, SEEN_FAR = 8192 };
    uint64_t all = 0, open = 0;

    for (uint64_t i = 1; i <= SAMPLES && all <= SAMPLES * SEEN_FAR; i++) {
        const uint64_t seen = cells_in_sight_of(grid, i);
        open += seen > 0;
        all += seen;
    }
    return all > open * SEEN_FAR;
}

bool cn_worth_judge_if_sight_is_far(cn_worth *worth, const cairn_map *map)
{
    if (is_to_be_judged(&worth->far_version, map))
        worth->sees_far = sees_far(&map->grid);
    return worth->sees_far;
}

/* What sees a cell is looked for in as much of the map as the cell sees, which takes as long as so
 * many expansions. That is found again only after some changes. */
static uint64_t expansions_for_sight(cn_worth *worth, const cairn_map *map)
{
    enum { CELLS_SEEN_FOR_AN_EXPANSION = 1024 };
    if (is_to_be_judged(&worth->sight_version, map))
        worth->cells_in_sight = cells_in_sight(&map->grid);
    return worth->cells_in_sight / CELLS_SEEN_FOR_AN_EXPANSION;
}

/* How many expansions take as long as putting together entries for the cells that are corners for
 * what has changed. Where the table lacked nothing before, so that gates may serve for long, only
 * what sees those cells counts. */
static uint64_t expansions_for_gates(cn_worth *worth, const cairn_table *table,
                                     const cairn_map *map)
{
    enum { EXPANSIONS_FOR_A_CELL = 800 };
    const size_t lacking = cn_shelf_lacking_before(table, map);
    const uint64_t sight = expansions_for_sight(worth, map);

    if (worth->gates_version != map->version) {
        worth->gates_version = map->version;
        worth->lacked_nothing = lacking == 0;
    }
    const uint64_t cells = worth->lacked_nothing ? 0 : EXPANSIONS_FOR_A_CELL * (uint64_t)lacking;
    return cells > sight ? cells : sight;
}

/* At once where as much was expanded between the last two changes. */
bool cn_worth_judge_if_gates_are_due(cn_worth *worth, const cairn_table *table,
                                     const cairn_map *row_map)
{
    if (!table->corners)
        return true;
    const uint64_t due = expansions_for_gates(worth, table, row_map);
    if (worth->bare >= due || worth->bare_before >= due)
        return true;
    worth->gates_due = due;
    return false;
}
