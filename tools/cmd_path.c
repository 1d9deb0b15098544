#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "kit/exits.h"
#include "kit/json.h"
#include "kit/load.h"
#include "kit/metric.h"
#include "kit/nodes.h"
#include "kit/heuristic.h"
#include "kit/progress.h"
#include "kit/say.h"
#include "kit/space.h"

typedef struct settings {
    const char *source_path;
    kit_cell start;
    kit_cell goal;
    bool no_landmarks;
    bool cells;
    bool pull;
    uint32_t near; /* steps from a blocked end to the cell that stands in for it */
    int space;     /* a cairn_space */
    kit_wish wish;
    bool nearest;
    kit_map_choice map;
    uint64_t memory_limit;
    int resident; /* a cairn_resident */
    bool json;
} settings;

static const kit_option operands[] = {
    {.name = "TABLE|MAP",
     .help = "a table (-: from standard input), or a map without landmarks",
     .read = kit_read_text,
     .offset = offsetof(settings, source_path)},
    {.name = "START",
     .help = "a cell as X,Y; of a graph, a node from 0",
     .read = kit_read_node,
     .offset = offsetof(settings, start)},
    {.name = "GOAL", .help = "the same", .read = kit_read_node, .offset = offsetof(settings, goal)},
    {0},
};

static const kit_option options[] = {
    {.name = "no-landmarks",
     .help = "the base heuristic alone, without the landmarks of the table",
     .offset = offsetof(settings, no_landmarks)},
    {.name = "cells",
     .help = "every cell of the path, not just its corners",
     .offset = offsetof(settings, cells)},
    {.name = "near",
     .value = "N",
     .read = kit_read_number,
     .most = CAIRN_SIDE_MAX,
     .help = "for a blocked START or GOAL take the open cell nearest to it within N steps",
     .offset = offsetof(settings, near)},
    {.name = "pull",
     .help = "cells that straight lines join, instead of the corners of the path",
     .offset = offsetof(settings, pull)},
    KIT_WISH(settings, wish),
    {.name = "nearest",
     .help = "without a path, one to the reachable cell nearest to the goal",
     .offset = offsetof(settings, nearest)},
    KIT_SPACE(settings),
    {.name = "metric",
     .value = "METRIC",
     .read = kit_read_metric,
     .words = kit_metrics,
     .help = "of a map: octile (default) or S/D",
     .expects = KIT_METRIC_EXPECTS,
     .offset = offsetof(settings, map.metric)},
    KIT_MAP_CHOICE(settings, map),
    KIT_MEMORY_LIMIT(settings),
    KIT_RESIDENT(settings),
    KIT_JSON(settings),
    {0},
};

typedef struct answer {
    const settings *set;
    const cairn_map *map;
    const cairn_table *table; /* NULL: base heuristic */
    cairn_node asked_start, asked_goal;
    cairn_node start, goal; /* those that are searched for: --near may have moved them */
    cairn_path path;
    cairn_node *waypoints; /* of the pulled path; NULL where it is not wanted */
    size_t waypoint_count;
    double pulled_length;
} answer;

static const char *outcome_word(cairn_outcome outcome)
{
    switch (outcome) {
    case CAIRN_PATH_FOUND: return "found";
    case CAIRN_PATH_NONE: return "none";
    case CAIRN_PATH_START_BLOCKED: return "start blocked";
    case CAIRN_PATH_GOAL_BLOCKED: return "goal blocked";
    case CAIRN_PATH_NEAREST: return "nearest";
    case CAIRN_PATH_PAUSED: return "paused";
    }
    return "unknown";
}

/* The nodes to show: corners, every cell, or those of the pulled path. */
static size_t shown_nodes(const answer *found, const cairn_node **nodes)
{
    const cairn_path *path = &found->path;
    if (found->waypoints) {
        *nodes = found->waypoints;
        return found->waypoint_count;
    }
    *nodes = found->set->cells ? path->nodes : path->corners;
    return found->set->cells ? path->node_count : path->corner_count;
}

static void print_cells(const answer *found)
{
    const cairn_node *nodes;
    size_t count = shown_nodes(found, &nodes);
    for (size_t index = 0; index < count; index++)
        printf("%s\n", kit_node_text(found->map, nodes[index]).text);
}

static void print_no_path(const answer *found)
{
    kit_text start = kit_node_text(found->map, found->start);
    kit_text goal = kit_node_text(found->map, found->goal);
    switch (found->path.outcome) {
    case CAIRN_PATH_START_BLOCKED: printf("no path: the start %s is blocked\n", start.text); break;
    case CAIRN_PATH_GOAL_BLOCKED: printf("no path: the goal %s is blocked\n", goal.text); break;
    case CAIRN_PATH_PAUSED:
        printf("no path within %u expansion%s\n", found->set->wish.limit,
               kit_plural(found->set->wish.limit));
        break;
    default: printf("no path leads from %s to %s\n", start.text, goal.text);
    }
}

static const char *space_text(const answer *found)
{
    switch (found->path.space) {
    case CAIRN_SPACE_JUMP: return "jump points";
    default: return kit_cells_word(found->map, 0);
    }
}

/* A graph has no steps to measure a length in. */
static void print_cost(const answer *found)
{
    const cairn_path *path = &found->path;
    printf("cost %s", kit_count(path->cost).text);
    if (cairn_map_kind_of(found->map) == CAIRN_MAP_GRID)
        printf(" in %s, length %.3f steps", kit_cost_unit_text(found->map).text, path->length);
    printf(", %s %s\n", kit_count(path->node_count).text,
           kit_cells_word(found->map, path->node_count));
}

/* Shortest paths go without saying. */
static void print_guarantee(const cairn_path *path)
{
    if (path->outcome == CAIRN_PATH_FOUND && path->guarantee > 1000)
        printf("at most %.3f times as long as the shortest path\n", path->guarantee / 1000.0);
}

/* Of an end that --near has put elsewhere. */
static void print_moved(const char *end, const answer *found, cairn_node node, cairn_node asked)
{
    if (node != asked)
        printf("%s %s, in place of %s\n", end, kit_node_text(found->map, node).text,
               kit_node_text(found->map, asked).text);
}

static void print_text(const answer *found)
{
    const cairn_path *path = &found->path;
    print_moved("start", found, found->start, found->asked_start);
    print_moved("goal", found, found->goal, found->asked_goal);
    if (path->outcome == CAIRN_PATH_NEAREST)
        printf("no path; to the reachable cell nearest to the goal:\n");
    else if (path->outcome != CAIRN_PATH_FOUND) {
        print_no_path(found);
        return;
    }
    print_guarantee(path);
    print_cost(found);
    printf("expanded %s, generated %s, open list at most %s, by %s over %s\n",
           kit_count(path->expanded).text, kit_count(path->generated).text,
           kit_count(path->open_peak).text, found->table ? "landmarks" : "the base heuristic",
           space_text(found));
    if (found->waypoints)
        printf("pulled straight: length %.3f, %s %s\n", found->pulled_length,
               kit_count(found->waypoint_count - 1).text,
               found->waypoint_count == 2 ? "line" : "lines");
    print_cells(found);
}

static void json_cells(kit_json *json, const answer *found)
{
    const cairn_node *nodes;
    size_t count = shown_nodes(found, &nodes);
    const char *name = found->set->cells ? "cells" : "corners";
    if (found->waypoints)
        kit_json_number(json, "pulled_length", found->pulled_length);
    kit_json_open(json, found->waypoints ? "waypoints" : name, '[');
    for (size_t index = 0; index < count; index++)
        kit_json_node(json, NULL, found->map, nodes[index]);
    kit_json_close(json, ']');
}

static void print_json(const answer *found)
{
    const cairn_path *path = &found->path;
    kit_json json = {.file = stdout};
    kit_json_open(&json, NULL, '{');
    kit_json_text(&json, "outcome", outcome_word(path->outcome));
    kit_json_node(&json, "start", found->map, found->start);
    kit_json_node(&json, "goal", found->map, found->goal);
    kit_json_text(&json, "metric", kit_metric_text(cairn_map_metric(found->map)).text);
    kit_json_count(&json, "unit", cairn_map_unit(found->map));
    kit_json_text(&json, "bound", found->table ? "landmarks" : "base");
    kit_json_text(&json, "space", kit_space_words[path->space]);
    if (path->node_count) {
        kit_json_count(&json, "cost", path->cost);
        kit_json_number(&json, "length", path->length);
        kit_json_count(&json, "guarantee", path->guarantee);
        kit_json_count(&json, "cell_count", path->node_count);
    }
    kit_json_count(&json, "expanded", path->expanded);
    kit_json_count(&json, "generated", path->generated);
    kit_json_count(&json, "open_peak", path->open_peak);
    if (path->node_count)
        json_cells(&json, found);
    kit_json_close(&json, '}');
}

/* The cells of the path in straight lines, where they are wanted. */
static cairn_status pull(answer *found)
{
    if (!found->set->pull || !found->path.corner_count)
        return CAIRN_OK;
    found->waypoints = malloc(found->path.corner_count * sizeof *found->waypoints);
    if (!found->waypoints)
        return CAIRN_E_MEMORY;
    return cairn_path_pull(found->map, &found->path, found->waypoints, &found->waypoint_count,
                           &found->pulled_length);
}

/* Puts an open cell in the place of a blocked end, one that is connected with the other end where
 * that is open. False where there is none. */
static bool move_end(const answer *found, cairn_node *end, cairn_node other)
{
    if (cairn_map_is_open(found->map, *end))
        return true;
    const cairn_node with = cairn_map_is_open(found->map, other) ? other : CAIRN_NO_NODE;
    const cairn_node near = cairn_nearest_open(found->map, *end, found->set->near, with);
    if (near != CAIRN_NO_NODE)
        *end = near;
    return near != CAIRN_NO_NODE;
}

/* Puts open cells in the place of blocked ends: the start first, or the goal where no cell near it
 * is connected with the start's. Ends that have none stay where they are. */
static void move_ends(answer *found)
{
    cairn_node start = found->start, goal = found->goal;

    if (!move_end(found, &start, goal) || !move_end(found, &goal, start)) {
        start = found->start;
        move_end(found, &goal, start);
        move_end(found, &start, goal);
    }
    found->start = start;
    found->goal = goal;
}

/* Refuses jump points where a search moves along cells whatever is asked for, and straight lines
 * where there is no ground between nodes. */
static bool fits_space(const answer *found)
{
    const kit_wish *wish = &found->set->wish;
    const char *option = wish->heuristic ? "heuristic" : wish->ties ? "ties" : NULL;
    if (found->set->pull && cairn_map_kind_of(found->map) == CAIRN_MAP_GRAPH) {
        kit_complain("path: --pull is for grids; %s is a graph", found->set->source_path);
        return false;
    }
    if (found->set->space != CAIRN_SPACE_JUMP)
        return true;
    if (!option && wish->weight > 1000)
        option = "weight";
    if (option)
        kit_complain("path: --space jump does not go with --%s, which searches along cells",
                     option);
    else if (cairn_map_kind_of(found->map) == CAIRN_MAP_GRAPH)
        kit_complain("path: --space jump is for grids; %s is a graph", found->set->source_path);
    else
        return true;
    return false;
}

static int search(answer *found)
{
    const settings *set = found->set;
    if (!kit_find_node("path: START", found->map, set->start, &found->start) ||
        !kit_find_node("path: GOAL", found->map, set->goal, &found->goal))
        return KIT_EXIT_USAGE;

    if (!kit_heuristic_is_there("path", found->map, set->wish.heuristic) || !fits_space(found))
        return KIT_EXIT_USAGE;

    found->asked_start = found->start;
    found->asked_goal = found->goal;
    if (set->near)
        move_ends(found);
    int code = KIT_EXIT_IO;
    cairn_search *search = NULL;
    cairn_search_options search_options = {
        .size = sizeof search_options, .space = (cairn_space)set->space, .nearest = set->nearest};
    kit_wish_put(&set->wish, &search_options);
    kit_progress_begin("searching");
    cairn_status status = cairn_search_new(found->map, found->table, &search_options, &search);
    if (status == CAIRN_OK)
        status = cairn_search_run(search, found->start, found->goal, &found->path);
    if (status == CAIRN_OK)
        status = pull(found);
    if (status == CAIRN_OK) {
        kit_progress_end();
        (set->json ? print_json : print_text)(found);
        code = found->path.outcome == CAIRN_PATH_FOUND ? KIT_EXIT_OK : KIT_EXIT_NO;
    } else {
        kit_fail_on_map(set->source_path, status, found->map, 0);
    }
    free(found->waypoints);
    cairn_search_free(search);
    return code;
}

static int run(const kit_command *command, char **words)
{
    settings set = {0};
    kit_parsed parsed = kit_parse(command, words, &set);
    if (parsed != KIT_PARSED)
        return kit_parsed_exit(parsed);
    kit_source_limit(set.memory_limit);
    kit_source_resident(set.resident);

    if (set.cells && set.pull) {
        kit_complain("path: --cells and --pull: one of them");
        return KIT_EXIT_USAGE;
    }
    if (set.map.metric.choice == CAIRN_METRIC_COMPACT) {
        kit_complain("path: compact is a metric of tables; expected octile or S/D");
        return KIT_EXIT_USAGE;
    }

    cairn_map *map = NULL;
    cairn_table *table = NULL;
    int code = kit_load_either(set.source_path, &set.map, &map, &table);
    if (code == KIT_EXIT_OK)
        code = search(&(answer){.set = &set, .map = map, .table = set.no_landmarks ? NULL : table});
    cairn_table_free(table);
    cairn_map_free(map);
    return code;
}

const kit_command path_command = {
    .name = "path",
    .summary = "one shortest path, and the work of finding it",
    .about = "Prints the corners of the path, one X,Y a line; of a graph, its nodes, counted\n"
             "from 0 (node 1 of a .gr file is 0). No path is exit code 1.\n" KIT_WISH_ABOUT,
    .example = "cairn path town.cairn 3,4 180,120",
    .operands = operands,
    .options = options,
    .run = run,
};
