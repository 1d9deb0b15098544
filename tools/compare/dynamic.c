#include "compare/dynamic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cairn/cairn.h"
#include "compare/compare.h"
#include "kit/clock.h"
#include "kit/columns.h"
#include "kit/edits.h"
#include "kit/events.h"
#include "kit/exits.h"
#include "kit/json.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"
#include "kit/team.h"

typedef enum policy {
    POLICY_REPAIR,
    POLICY_REBUILD,
    POLICY_WORTH_IT, /* repaired after queries, as far as it is worth it */
    POLICY_NEVER,    /* edits are applied, and nothing is repaired */
    POLICY_BASE,     /* no landmarks */
    POLICIES
} policy;

static const char *const policy_names[POLICIES] = {"repair", "rebuild", "when worth it",
                                                   "never repaired", "base heuristic"};

/* What a way took. */
typedef struct way_sums {
    double edit_seconds;
    double refresh_seconds;
    double query_seconds;
    uint64_t expanded;
    uint64_t queries;
    uint64_t wrong;
    uint64_t first_wrong;      /* the number of the query, from 1; 0: none */
    double first_wrong_length; /* of its path; -1: none was found */
} way_sums;

static double seconds_of(const way_sums *sums)
{
    return sums->edit_seconds + sums->refresh_seconds + sums->query_seconds;
}

/* One way, with a map and a table of its own. */
typedef struct follower {
    policy policy;
    cairn_map *map;
    cairn_table *table;
    cairn_search *search;
    way_sums sums;
} follower;

static cairn_status open_map(const cairn_dynamic *dynamic, cairn_map **map)
{
    uint32_t width = cairn_dynamic_width(dynamic), height = cairn_dynamic_height(dynamic);
    char *letters = malloc((size_t)width * height);
    *map = NULL;
    if (!letters)
        return CAIRN_E_MEMORY;
    memset(letters, '.', (size_t)width * height);
    cairn_status status = cairn_map_from_letters(width, height, letters, NULL, map, NULL);
    free(letters);
    return status;
}

static cairn_status open_follower(follower *made, policy kind, const cairn_dynamic *dynamic,
                                  uint32_t landmark_count)
{
    cairn_build_options build = {.size = sizeof build, .landmark_count = landmark_count};
    cairn_search_options options = {.size = sizeof options, .form = CAIRN_FORM_CORNERS};

    *made = (follower){.policy = kind};
    cairn_status status = open_map(dynamic, &made->map);
    if (status == CAIRN_OK && kind != POLICY_BASE)
        status = cairn_table_build(made->map, &build, &made->table);
    if (status == CAIRN_OK)
        status = cairn_search_new(made->map, made->table, &options, &made->search);
    return status;
}

static void close_follower(follower *made)
{
    cairn_search_free(made->search);
    cairn_table_free(made->table);
    cairn_map_free(made->map);
}

static cairn_status refresh(follower *way)
{
    switch (way->policy) {
    case POLICY_REPAIR: return cairn_refresh_step(way->table, way->map, CAIRN_UNLIMITED);
    case POLICY_REBUILD: return cairn_table_rebuild(way->table, way->map);
    case POLICY_NEVER: break;
    default: return CAIRN_OK;
    }
    cairn_status status = cairn_refresh_step(way->table, way->map, CAIRN_CELLS(0));
    return status == CAIRN_MORE ? CAIRN_OK : status;
}

/* Edits that come without a query between them are one batch. */
static cairn_status apply(follower *way, const cairn_event *events, size_t count)
{
    size_t edit_count;
    const kit_watch started = kit_watch_start();
    cairn_status status = kit_apply_events(way->map, events, count, &edit_count);
    way->sums.edit_seconds += kit_watch_seconds(started);
    const kit_watch edited = kit_watch_start();
    if (status == CAIRN_OK)
        status = refresh(way);
    way->sums.refresh_seconds += kit_watch_seconds(edited);
    return status;
}

/* Lengths in the file are exact to many digits. Some writers say 0 instead of -1 for no path. */
static bool is_right(const cairn_query *query, const cairn_path *path)
{
    if (path->outcome != CAIRN_PATH_FOUND)
        return query->length == CAIRN_LENGTH_NONE ||
               (query->length == 0 && query->start != query->goal);
    return fabs(path->length - query->length) <= fmax(0.006, 1e-5 * query->length);
}

static void note_wrong(follower *way, const cairn_path *path)
{
    if (way->sums.wrong++ > 0)
        return;
    way->sums.first_wrong = way->sums.queries;
    way->sums.first_wrong_length = path->outcome == CAIRN_PATH_FOUND ? path->length : -1;
}

static cairn_status refresh_as_it_pays(follower *way, const cairn_path *path)
{
    cairn_status status = cairn_refresh_as_it_pays(way->table, way->map, path);
    return status == CAIRN_MORE ? CAIRN_OK : status;
}

static cairn_status ask(follower *way, const cairn_query *query)
{
    cairn_path path;
    const kit_watch started = kit_watch_start();
    cairn_status status = cairn_search_run(way->search, query->start, query->goal, &path);
    way->sums.query_seconds += kit_watch_seconds(started);
    const kit_watch found = kit_watch_start();
    if (status == CAIRN_OK && way->policy == POLICY_WORTH_IT)
        status = refresh_as_it_pays(way, &path);
    way->sums.refresh_seconds += kit_watch_seconds(found);
    way->sums.expanded += path.expanded;
    way->sums.queries++;
    if (status == CAIRN_OK && !is_right(query, &path))
        note_wrong(way, &path);
    return status;
}

static cairn_status follow(follower *way, const cairn_dynamic *dynamic)
{
    const cairn_event *events = cairn_dynamic_events(dynamic);
    size_t count = cairn_dynamic_count(dynamic);
    cairn_status status = CAIRN_OK;

    for (size_t i = 0; i < count && status == CAIRN_OK;) {
        kit_progress_step(policy_names[way->policy], i, count);
        if (events[i].kind == CAIRN_EVENT_QUERY) {
            status = ask(way, &events[i++].query);
            continue;
        }
        size_t end = i;
        while (end < count && events[end].kind == CAIRN_EVENT_EDIT)
            end++;
        status = apply(way, events + i, end - i);
        i = end;
    }
    return status;
}

static size_t count_of(const cairn_dynamic *dynamic, cairn_event_kind kind)
{
    const cairn_event *events = cairn_dynamic_events(dynamic);
    size_t count = 0;
    for (size_t i = 0; i < cairn_dynamic_count(dynamic); i++)
        count += events[i].kind == kind;
    return count;
}

static double published_length(const cairn_dynamic *dynamic, uint64_t number)
{
    const cairn_event *event = cairn_dynamic_events(dynamic);
    for (uint64_t i = 0;; event++) {
        i += event->kind == CAIRN_EVENT_QUERY;
        if (i == number)
            return event->query.length;
    }
}

static void print_first_wrong(const char *name, const cairn_dynamic *dynamic, const way_sums *way)
{
    if (way->wrong)
        printf("wrong first, %s: query %s, length %.10g in the file, %.10g found (-1: no path)\n",
               name, kit_count(way->first_wrong).text, published_length(dynamic, way->first_wrong),
               way->first_wrong_length);
}

static bool print_text(const char *path, const cairn_dynamic *dynamic, const way_sums *ways)
{
    static const char *const heads[] = {"",         "edits",    "refresh", "queries",
                                        "together", "expanded", "wrong"};
    kit_columns columns;

    printf("%s: %u x %u, %s patches, %s queries\n", path, cairn_dynamic_width(dynamic),
           cairn_dynamic_height(dynamic), kit_count(count_of(dynamic, CAIRN_EVENT_EDIT)).text,
           kit_count(count_of(dynamic, CAIRN_EVENT_QUERY)).text);
    kit_columns_heads(&columns, heads, sizeof heads / sizeof *heads);
    for (unsigned i = 0; i < POLICIES; i++) {
        const way_sums *way = &ways[i];
        kit_columns_add(&columns, policy_names[i]);
        kit_columns_add(&columns, kit_seconds(way->edit_seconds).text);
        kit_columns_add(&columns, kit_seconds(way->refresh_seconds).text);
        kit_columns_add(&columns, kit_seconds(way->query_seconds).text);
        kit_columns_add(&columns, kit_seconds(seconds_of(way)).text);
        kit_columns_add(&columns, kit_count(way->expanded).text);
        kit_columns_add(&columns, kit_count(way->wrong).text);
    }
    if (!kit_columns_print(&columns, stdout))
        return false;
    for (unsigned i = 0; i < POLICIES; i++)
        print_first_wrong(policy_names[i], dynamic, &ways[i]);
    return true;
}

static void print_json(const char *path, const cairn_dynamic *dynamic, const way_sums *ways)
{
    kit_json json = {.file = stdout};
    kit_json_open(&json, NULL, '{');
    kit_json_text(&json, "scenario", path);
    kit_json_count(&json, "patches", count_of(dynamic, CAIRN_EVENT_EDIT));
    kit_json_count(&json, "queries", count_of(dynamic, CAIRN_EVENT_QUERY));
    kit_json_open(&json, "ways", '[');
    for (unsigned i = 0; i < POLICIES; i++) {
        kit_json_open(&json, NULL, '{');
        kit_json_text(&json, "name", policy_names[i]);
        kit_json_number(&json, "edit_seconds", ways[i].edit_seconds);
        kit_json_number(&json, "refresh_seconds", ways[i].refresh_seconds);
        kit_json_number(&json, "query_seconds", ways[i].query_seconds);
        kit_json_count(&json, "expanded", ways[i].expanded);
        kit_json_count(&json, "wrong", ways[i].wrong);
        if (ways[i].wrong) {
            kit_json_count(&json, "first_wrong", ways[i].first_wrong);
            kit_json_number(&json, "first_wrong_length", ways[i].first_wrong_length);
        }
        kit_json_close(&json, '}');
    }
    kit_json_close(&json, ']');
    kit_json_close(&json, '}');
}

static int refuse(const char *path, const cairn_error *error)
{
    if (strcmp(error->found, "version 1") != 0)
        return kit_refuse_dynamic(path, error);
    kit_complain("%s: a scenario of version 1, whose map stays as it is, is for cairn compare "
                 "TABLE SCEN",
                 path);
    return KIT_EXIT_IO;
}

static cairn_status follow_once(policy kind, const cairn_dynamic *dynamic, uint32_t landmark_count,
                                way_sums *sums)
{
    follower way;
    cairn_status status = open_follower(&way, kind, dynamic, landmark_count);
    if (status == CAIRN_OK)
        status = follow(&way, dynamic);
    *sums = way.sums;
    close_follower(&way);
    return status;
}

/* The shortest of three times through the scenario, which other work on the machine disturbs least;
 * of one where that already takes long. */
static cairn_status follow_one(policy kind, const cairn_dynamic *dynamic, uint32_t landmark_count,
                               way_sums *sums)
{
    const double started = kit_now();
    cairn_status status = follow_once(kind, dynamic, landmark_count, sums);
    for (int pass = 1; pass < PASSES && status == CAIRN_OK; pass++) {
        way_sums again;
        if (kit_now() - started > LONG_PASS_SECONDS)
            break;
        status = follow_once(kind, dynamic, landmark_count, &again);
        if (seconds_of(&again) < seconds_of(sums))
            *sums = again;
    }
    return status;
}

static uint64_t add_word(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * UINT64_C(0x100000001b3);
}

static uint64_t add_patch(uint64_t hash, const cairn_edit *edit)
{
    const unsigned char *letters = edit->data;
    hash = add_word(add_word(hash, edit->x), edit->y);
    hash = add_word(add_word(hash, edit->width), edit->height);
    for (size_t i = 0; i < (size_t)edit->width * edit->height; i++)
        hash = add_word(hash, letters[i]);
    return hash;
}

/* Whether all processes of a team have read the same. */
static int check_team(const char *path, const cairn_dynamic *dynamic)
{
    const cairn_event *events = cairn_dynamic_events(dynamic);
    uint64_t hash = add_word(cairn_dynamic_width(dynamic), cairn_dynamic_height(dynamic));
    for (size_t i = 0; i < cairn_dynamic_count(dynamic); i++) {
        const cairn_query *query = &events[i].query;
        hash = events[i].kind == CAIRN_EVENT_QUERY
                   ? add_word(add_word(hash, query->start), query->goal)
                   : add_patch(hash, &events[i].edit);
    }
    return kit_team_same(path, hash);
}

/* The processes of a team divide the ways. */
static int follow_all(const char *path, const cairn_dynamic *dynamic, uint32_t landmark_count,
                      way_sums *ways)
{
    cairn_status status = CAIRN_OK;
    const int code = check_team(path, dynamic);
    if (code != KIT_EXIT_OK)
        return code;
    for (size_t i = kit_team_begin(POLICIES); i < kit_team_end(POLICIES) && status == CAIRN_OK; i++)
        status = follow_one((policy)i, dynamic, landmark_count, &ways[i]);
    kit_progress_end();
    return status == CAIRN_OK ? kit_team_share(ways, sizeof *ways, POLICIES)
                              : kit_fail(path, status);
}

static int report(const char *path, const cairn_dynamic *dynamic, const way_sums *ways, bool json)
{
    uint64_t wrong = 0;
    for (size_t i = 0; i < POLICIES; i++)
        wrong += ways[i].wrong;
    if (json)
        print_json(path, dynamic, ways);
    else if (!print_text(path, dynamic, ways))
        return kit_fail(path, CAIRN_E_MEMORY);
    if (count_of(dynamic, CAIRN_EVENT_QUERY) == 0)
        comparison_tell_of_no_queries(path);
    return wrong ? KIT_EXIT_NO : KIT_EXIT_OK;
}

int dynamic_compare(const char *path, uint32_t landmark_count, bool json)
{
    way_sums ways[POLICIES] = {{0}};
    cairn_dynamic *dynamic;
    cairn_error error;

    kit_progress_begin("comparing along %s", kit_file_name(path));
    if (cairn_dynamic_load(path, &dynamic, &error) != CAIRN_OK)
        return refuse(path, &error);
    int code = follow_all(path, dynamic, landmark_count, ways);
    if (code == KIT_EXIT_OK && kit_team_is_first())
        code = report(path, dynamic, ways, json);
    cairn_dynamic_free(dynamic);
    return code;
}
