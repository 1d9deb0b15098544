/*
 * Threads that search while another one edits: a gate closes and opens, and every path is a
 * shortest one in the state that its thread had acquired.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "cairn/cairn.h"

enum { WIDTH = 12, HEIGHT = 7, READERS = 2, MOVES = 40 };

static const char level[] = "......@....."
                            "......@....."
                            "............"
                            "......@....."
                            "......@....."
                            "......@....."
                            "............";

typedef struct game {
    cairn_world *world;
    atomic_bool over;
    atomic_uint wrong;
} game;

/* What a thread asks with, in whatever state it has acquired. */
typedef struct reader {
    cairn_search *search;
    cairn_flood *flood;
} reader;

/* In even versions the gate is open, and the path has 9 straight steps; in odd ones it leads around
 * the wall, in 3 straight steps and 7 diagonal ones. */
static bool answer_is_right(const cairn_view *view, const cairn_path *path)
{
    return path->cost == (view->version % 2 == 0 ? 9 * 2378 : 3 * 2378 + 7 * 3363);
}

static cairn_status ask(game *all, reader *own)
{
    cairn_search *search = own->search;
    cairn_cost costs[WIDTH * HEIGHT];
    cairn_path path;
    cairn_view view = cairn_world_acquire(all->world);
    const cairn_node start = cairn_node_at(view.map, 1, 2), goal = cairn_node_at(view.map, 10, 2);
    cairn_status status = cairn_search_use(search, view.map, view.table);
    if (status == CAIRN_OK)
        status = cairn_search_run(search, start, goal, &path);
    if (status == CAIRN_OK)
        status = cairn_flood_use(own->flood, view.map);
    if (status == CAIRN_OK)
        status = cairn_flood_to(own->flood, &goal, 1, costs);
    if (status == CAIRN_OK && (!answer_is_right(&view, &path) || costs[start] != path.cost))
        atomic_fetch_add(&all->wrong, 1);
    cairn_world_release(all->world, &view);
    return status;
}

static void *read_along(void *game_)
{
    game *all = game_;
    reader own = {NULL, NULL};

    cairn_view view = cairn_world_acquire(all->world);
    cairn_status status = cairn_search_new(view.map, view.table, NULL, &own.search);
    if (status == CAIRN_OK)
        status = cairn_flood_new(view.map, &own.flood);
    cairn_world_release(all->world, &view);
    while (status == CAIRN_OK && !atomic_load(&all->over))
        status = ask(all, &own);
    cairn_flood_free(own.flood);
    cairn_search_free(own.search);
    if (status != CAIRN_OK)
        atomic_fetch_add(&all->wrong, 1);
    return NULL;
}

/* The writer may read its draft before it publishes it: here, to see that the table is exact. */
static bool draft_is_exact(cairn_world *world)
{
    cairn_view draft;
    return cairn_world_draft(world, &draft) == CAIRN_OK &&
           cairn_table_row_state(draft.table, draft.map, 0) == CAIRN_ROW_FRESH;
}

/* A frame that finds its readers busy does nothing, and the next one tries again. */
static cairn_status move_the_gate(cairn_world *world, unsigned move)
{
    cairn_edit edit = move % 2 ? cairn_open(6, 2) : cairn_block(6, 2);
    cairn_status status;

    do
        status = cairn_world_edit(world, &edit, 1);
    while (status == CAIRN_BUSY);
    while (status == CAIRN_OK || status == CAIRN_MORE) {
        status = cairn_world_refresh_step(world, CAIRN_MICROSECONDS(200));
        if (status == CAIRN_OK)
            return draft_is_exact(world) ? cairn_world_publish(world) : CAIRN_E_INEXACT;
    }
    return status;
}

static cairn_status play(game *all)
{
    pthread_t threads[READERS];
    unsigned started = 0;
    cairn_status status = CAIRN_OK;

    while (started < READERS && pthread_create(&threads[started], NULL, read_along, all) == 0)
        started++;
    for (unsigned move = 0; status == CAIRN_OK && move < MOVES; move++)
        status = move_the_gate(all->world, move);
    atomic_store(&all->over, true);
    while (started > 0)
        pthread_join(threads[--started], NULL);
    return status;
}

int main(void)
{
    cairn_build_options options = {.size = sizeof options, .landmark_count = 4};
    cairn_map *map = NULL;
    cairn_table *table = NULL;
    game all = {.world = NULL};

    cairn_status status = cairn_map_from_letters(WIDTH, HEIGHT, level, NULL, &map, NULL);
    if (status == CAIRN_OK)
        status = cairn_table_build(map, &options, &table);
    if (status == CAIRN_OK)
        status = cairn_world_new(map, table, &all.world);
    if (status != CAIRN_OK) {
        fprintf(stderr, "%s\n", cairn_status_text(status));
        cairn_table_free(table);
        cairn_map_free(map);
        return 1;
    }
    status = play(&all);
    cairn_view last = cairn_world_acquire(all.world);
    printf("%u states published, %u wrong answers\n", (unsigned)last.version,
           atomic_load(&all.wrong));
    cairn_world_release(all.world, &last);
    cairn_world_free(all.world);
    return status == CAIRN_OK && atomic_load(&all.wrong) == 0 ? 0 : 1;
}
