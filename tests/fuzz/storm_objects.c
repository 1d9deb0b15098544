/* Other maps and tables with which a life goes on: copies, what files give back, new ones. */
#include "storm.h"

#include "support/check.h"
#include "support/fixtures.h"

/* The life goes on with another map, or the same, and another table; so do its searches, or others
 * begin. */
static void go_on_with(storm_scene *here, cairn_map *map, cairn_table *table)
{
    const bool leads = dice_below(&here->luck, 2);
    storm_leave_flood(here);
    storm_leave_walk(here);
    for (unsigned i = 0; leads && i < STORM_VISITORS; i++)
        visitor_lead(&here->visitors[i], map, table);
    if (!leads)
        storm_leave_all(here);
    if (map != here->both.map)
        cairn_map_free(here->both.map);
    if (table != here->table)
        cairn_table_free(here->table);
    here->both.map = map;
    here->table = table;
    here->writes++;
    if (!leads)
        storm_enter_all(here);
}

void storm_clone(storm_scene *here)
{
    cairn_map *map = here->both.map;
    cairn_table *table = here->table;
    if (dice_below(&here->luck, 3))
        assert_int_equal(cairn_map_clone(here->both.map, &map), CAIRN_OK);
    if (table && dice_below(&here->luck, 3))
        assert_int_equal(cairn_table_clone(here->table, &table), CAIRN_OK);
    here->counts->clones++;
    go_on_with(here, map, table);
}

static bool is_fresh(const storm_scene *here)
{
    for (uint32_t row = 0; row < cairn_table_row_count(here->table); row++)
        if (cairn_table_row_state(here->table, here->both.map, row) != CAIRN_ROW_FRESH)
            return false;
    return true;
}

/* The first so many rows; pairs of rows stay together. */
static uint32_t any_rows(dice *luck, const cairn_table *table)
{
    uint32_t together = cairn_table_direction(table, 0) == CAIRN_DIRECTION_BOTH ? 1 : 2;
    return (1 + dice_below(luck, cairn_table_row_count(table) / together)) * together;
}

static cairn_save_options any_save(dice *luck, const cairn_table *table)
{
    cairn_save_options save = {.size = sizeof save,
                               .thread_count = 1,
                               .codec = (cairn_codec)dice_below(luck, CAIRN_CODEC_SEEDS + 1),
                               .map_part = (cairn_map_part)dice_below(luck, 2)};
    if (dice_below(luck, 6) == 0)
        save.row_count = any_rows(luck, table);
    return save;
}

/* Goes on with what a file gives back: all rows or the first ones, with its map or along ours. */
static void load(storm_scene *here, const uint8_t *bytes, size_t size, bool has_map)
{
    cairn_load_options options = {
        .size = sizeof options, .thread_count = 1, .map = has_map ? NULL : here->both.map};
    cairn_map *map = here->both.map;
    cairn_table *table;
    if (dice_below(&here->luck, 6) == 0)
        options.row_count = any_rows(&here->luck, here->table);
    assert_int_equal(cairn_load_bytes(bytes, size, &options, has_map ? &map : NULL, &table, NULL),
                     CAIRN_OK);
    go_on_with(here, map, table);
    storm_check_own_table(here);
}

/* A table that is behind is refused, and can be saved once it is not. */
void storm_save_and_load(storm_scene *here)
{
    uint8_t *bytes;
    size_t size;
    if (!here->table)
        return;
    cairn_save_options save = any_save(&here->luck, here->table);
    bool fresh = is_fresh(here);
    cairn_status status = cairn_save_bytes(here->both.map, here->table, &save, &bytes, &size);
    if (!fresh)
        assert_int_equal(status, CAIRN_E_STALE);
    if (status == CAIRN_E_STALE) {
        storm_refresh_all(here);
        status = cairn_save_bytes(here->both.map, here->table, &save, &bytes, &size);
    }
    assert_int_equal(status, CAIRN_OK);
    cairn_map *saved = here->both.map, *kept = NULL;
    assert_int_equal(cairn_map_clone(saved, &kept), CAIRN_OK);
    load(here, bytes, size, save.map_part == CAIRN_MAP_INCLUDED);
    cairn_bytes_free(kept, bytes);
    cairn_map_free(kept);
    here->counts->files++;
}

void storm_build_again(storm_scene *here)
{
    cairn_table *table = dice_below(&here->luck, 8) ? storm_any_table(here, here->both.map) : NULL;
    go_on_with(here, here->both.map, table);
}

/* Tables in another metric are of no use any more. */
void storm_change_metric(storm_scene *here)
{
    static const cairn_metric metrics[] = {{10, 14}, {1, 1}, {5, 7}, {99, 140}, {1000, 1414}};
    cairn_metric metric = metrics[dice_below(&here->luck, COUNT_OF(metrics))];
    if (!here->both.drawn.letters)
        return;
    storm_leave_all(here);
    assert_int_equal(cairn_map_set_metric(here->both.map, metric), CAIRN_OK);
    twin_list_steps(&here->both);
    cairn_table_free(here->table);
    here->table = storm_any_table(here, here->both.map);
    here->writes++;
    storm_enter_all(here);
}
