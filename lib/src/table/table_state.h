/* The states of rows, and what a table lacks of its map: which rows are exact, how the map has
 * changed since then, and which cells have opened. */
#ifndef CN_TABLE_TABLE_STATE_H
#define CN_TABLE_TABLE_STATE_H

#include "base/nodes.h"
#include "table/table.h"

/* Cells that opened since the oldest of the rows that do not hold this yet was exact; where steps
 * differ in what they cost, and on graphs, all that changed. */
typedef struct cn_openings {
    cn_nodes cells;                 /* in the order in which the edits were applied */
    uint32_t since[CAIRN_ROWS_MAX]; /* by row, while it is CAIRN_ROW_UNSAFE: the first of `cells`
                                     * that it does not hold; or CN_SINCE_UNKNOWN */
} cn_openings;

#define CN_SINCE_UNKNOWN UINT32_MAX

/* What happened to a map since its edits were last applied to the table. */
typedef enum cn_lag {
    CN_LAG_NONE,
    CN_LAG_HARMLESS, /* no cost fell: entries are exact or too low */
    CN_LAG_HARMFUL,  /* some cost may have fallen: entries may be too high */
    CN_LAG_STRANGER  /* the table is not of this map */
} cn_lag;

/* Which rows a bound may use on a map. */
typedef enum cn_trust {
    CN_TRUST_ALL,
    CN_TRUST_SOME, /* those that are not CAIRN_ROW_UNSAFE */
    CN_TRUST_NONE
} cn_trust;

/* The map whose costs the rows of the table hold: the given map or its step map. The functions
 * below need that one. CAIRN_E_MISMATCH for a map of another size or kind, CAIRN_E_MEMORY. */
cairn_status cn_table_row_map(const cairn_table *table, const cairn_map *map,
                              const cairn_map **row_map);

/* The changes of the map since its edits were last applied to the table: see cn_map_changes. */
cn_changes cn_table_changes(const cairn_table *table, const cairn_map *map,
                            const cairn_node **cells, size_t *count);

/* Makes the table one of the map as it is now. */
CN_ALWAYS_INLINE void cn_table_set_map(cairn_table *table, const cairn_map *map)
{
    table->metric = map->metric;
    table->map_hash = map->hash;
    table->map_fixed_hash = map->fixed_hash;
}

/* Whether the table was made for this map and has all its edits. */
bool cn_table_fits(const cairn_table *table, const cairn_map *map);

/* Examines every cell that was edited. The result stays the same until one of the two hashes
 * changes. */
cn_lag cn_table_journal_lag(const cairn_table *table, const cairn_map *map);

/* CAIRN_E_MISMATCH for the table of another map. `map` is the map itself, not the one whose costs
 * the rows hold: of a table that counts steps this makes the step map. CAIRN_E_MEMORY. */
cairn_status cn_table_check_map(const cairn_table *table, const cairn_map *map);

/* Whether any of these cells may be cheaper to enter than entries tell. */
bool cn_table_any_cheaper(const cairn_table *table, const cairn_map *map, const cairn_node *cells,
                          size_t count);

/* Which rows may be used with that lag. */
cn_trust cn_table_trust(const cairn_table *table, cn_lag lag);

/* How many rows are not exact for the map that the table has followed. */
uint32_t cn_table_stale_rows(const cairn_table *table);

/* Whether every entry is exact for this map. */
bool cn_table_is_fresh(const cairn_table *table, const cairn_map *map);

/* Sets the state of a row. Of an unsafe one it is then not known which openings it lacks: see
 * cn_table_fall_behind. */
void cn_table_set_state(cairn_table *table, uint32_t row, cairn_row_state state);

/* Makes a row unsafe because of the openings from `since` on, if it is not unsafe yet. Apart from
 * opened cells and new steps beside them, its entries differ by no more than steps cost. It is not
 * known which it lacks where none are listed from `since` on, as for CN_SINCE_UNKNOWN. */
void cn_table_fall_behind(cairn_table *table, uint32_t row, uint32_t since);

/* The first opening that an unsafe row does not hold; CN_SINCE_UNKNOWN. */
uint32_t cn_table_since(const cairn_table *table, uint32_t row);

/* Adds opened cells to the list of openings; *since is where they begin. If it gets too long, all
 * are forgotten, and with them what unsafe rows lack; *since is CN_SINCE_UNKNOWN if these are among
 * them, or none. CAIRN_E_MEMORY. */
cairn_status cn_table_add_openings(cairn_table *table, const cairn_node *cells, size_t count,
                                   uint32_t *since);

/* Makes the openings of a table those of another one of the same rows. CAIRN_E_MEMORY. */
cairn_status cn_table_copy_openings(cairn_table *to, const cairn_table *from);

/* Copies what tells, beside entries and landmarks, for which state of the map they are and which
 * rows serve. The tables have entries of one width. */
void cn_table_copy_states(cairn_table *to, const cairn_table *from);

#endif
