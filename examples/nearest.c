/*
 * The nearest of several places, by the way that leads there:
 *
 *     nearest [MAP]        without MAP: data/maps/town.map
 *
 * A builder goes to the nearest depot that is in the open, and, once a soldier stands in the way
 * there, to the one that is nearest then. A fire is answered by the nearest of the crews. Who is
 * nearest to a tower is found in slices, a few steps in each frame.
 */
#include <stdio.h>

#include "cairn/cairn.h"

enum { DEPOTS = 4, CREWS = 3 };

static void say(const char *who, const char *what, const cairn_path *path)
{
    printf("%s: %s %zu, length %.2f\n", who, what, path->which + 1, path->length);
}

/* Goes on with what was begun, a few steps in each frame. */
static cairn_status go_on(cairn_search *search, cairn_path *path, unsigned *frames)
{
    enum { EXPANSIONS_IN_A_FRAME = 4 };
    cairn_status status = CAIRN_OK;

    for (*frames = 1; status == CAIRN_OK && path->outcome == CAIRN_PATH_PAUSED; ++*frames)
        status = cairn_search_resume(search, EXPANSIONS_IN_A_FRAME, path);
    return status;
}

/* The same in slices: from a tower to the nearest depot, and to it from the nearest crew. */
static cairn_status ask_in_frames(cairn_search *search, cairn_node tower, const cairn_node *depots,
                                  const cairn_node *crews)
{
    unsigned frames, frames_back;
    cairn_path path;

    cairn_status status = cairn_search_begin_to_any(search, tower, depots, DEPOTS, &path);
    if (status == CAIRN_OK)
        status = go_on(search, &path, &frames);
    if (status != CAIRN_OK || path.outcome != CAIRN_PATH_FOUND)
        return status;
    say("tower", "depot", &path);
    status = cairn_search_begin_from_any(search, crews, CREWS, tower, &path);
    if (status == CAIRN_OK)
        status = go_on(search, &path, &frames_back);
    if (status == CAIRN_OK && path.outcome == CAIRN_PATH_FOUND) {
        say("tower", "crew", &path);
        printf("tower: %u and %u frames\n", frames, frames_back);
    }
    return status;
}

static cairn_status ask(const cairn_map *map, cairn_search *search)
{
    const cairn_node depots[DEPOTS] = {cairn_node_at(map, 250, 215), cairn_node_at(map, 24, 30),
                                       cairn_node_at(map, 60, 40), cairn_node_at(map, 10, 200)};
    const cairn_node crews[CREWS] = {cairn_node_at(map, 250, 10), cairn_node_at(map, 120, 100),
                                     cairn_node_at(map, 3, 215)};
    const cairn_node builder = cairn_node_at(map, 3, 3), fire = cairn_node_at(map, 200, 60);
    cairn_path path;

    cairn_status status = cairn_search_run_to_any(search, builder, depots, DEPOTS, &path);
    if (status != CAIRN_OK || path.outcome != CAIRN_PATH_FOUND)
        return status;
    say("builder", "depot", &path);
    const cairn_node soldier = depots[path.which];
    status = cairn_search_avoid(search, &soldier, NULL, 1);
    if (status == CAIRN_OK)
        status = cairn_search_run_to_any(search, builder, depots, DEPOTS, &path);
    if (status == CAIRN_OK && path.outcome == CAIRN_PATH_FOUND)
        say("builder, a soldier in that one", "depot", &path);
    if (status == CAIRN_OK)
        status = cairn_search_avoid(search, NULL, NULL, 0);
    if (status == CAIRN_OK)
        status = cairn_search_run_from_any(search, crews, CREWS, fire, &path);
    if (status == CAIRN_OK && path.outcome == CAIRN_PATH_FOUND)
        say("fire", "crew", &path);
    if (status == CAIRN_OK)
        status = ask_in_frames(search, cairn_node_at(map, 150, 150), depots, crews);
    return status;
}

int main(int count, char **words)
{
    const char *name = count > 1 ? words[1] : "data/maps/town.map";
    cairn_map *map = NULL;
    cairn_table *table = NULL;
    cairn_search *search = NULL;

    cairn_status status = cairn_map_load(name, NULL, &map, NULL);
    if (status == CAIRN_OK)
        status = cairn_table_build(map, NULL, &table);
    if (status == CAIRN_OK)
        status = cairn_search_new(map, table, NULL, &search);
    if (status == CAIRN_OK)
        status = ask(map, search);
    if (status != CAIRN_OK)
        fprintf(stderr, "nearest: %s: %s\n", name, cairn_status_text(status));
    cairn_search_free(search);
    cairn_table_free(table);
    cairn_map_free(map);
    return status == CAIRN_OK ? 0 : 1;
}
