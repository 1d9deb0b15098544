#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "build/build.h"
#include "kit/cells.h"
#include "kit/clock.h"
#include "kit/exits.h"
#include "kit/interrupt.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"
#include "kit/team.h"

/* Signals end the program again, before anything is said. */
static void end_writing(const build_job *job)
{
    if (job->is_one_of_many)
        return;
    kit_interrupt_release();
    kit_progress_end();
}

static int refuse(const build_settings *set, const build_job *job, const kit_cells *list,
                  cairn_status status)
{
    if (status == CAIRN_E_CANCELLED && job->is_one_of_many)
        return KIT_EXIT_IO;
    if (status == CAIRN_E_IO)
        return kit_fail(job->table_path, status);
    if (status == CAIRN_E_ARGUMENT && set->step_metric.straight)
        return kit_refuse_step_metric(job->map_path, set->step_metric);
    if (status == CAIRN_E_ARGUMENT && set->part.count) {
        kit_complain("build: --part %u/%u: there are fewer rows than parts", set->part.number,
                     set->part.count);
        return KIT_EXIT_USAGE;
    }
    if (status == CAIRN_E_LIMIT && job->table.memory > set->memory_limit) {
        kit_complain(
            "%s: building takes %s (%llu bytes) at least (--memory-limit SIZE allows more)",
            job->map_path, kit_bytes(job->table.memory).text,
            (unsigned long long)job->table.memory);
        return KIT_EXIT_IO;
    }
    const uint32_t listed = list->count < UINT32_MAX ? (uint32_t)list->count : UINT32_MAX;
    return kit_fail_on_map(job->map_path, status, job->map,
                           set->landmark_count ? set->landmark_count : listed);
}

static int call_build(const build_settings *set, build_job *job, const cairn_scenario *pairs,
                      const kit_cells *list)
{
    cairn_build_options build = {
        .size = sizeof build,
        .landmark_count = set->landmark_count,
        .thread_count = job->thread_count,
        .seed = set->seed,
        .placement = set->list ? CAIRN_PLACE_LIST : (cairn_placement)set->placement,
        .metric = set->metric.choice,
        .step_metric = set->step_metric,
        .progress = job->progress,
        .candidate_count = set->candidate_count,
        .pairs = pairs ? cairn_scenario_queries(pairs) : NULL,
        .pair_count = pairs ? cairn_scenario_count(pairs) : 0,
        .listed = list->nodes,
        .listed_count = list->count,
        .part = set->part.number,
        .part_count = set->part.count,
        .memory_limit = set->memory_limit,
        .team = kit_team(),
    };
    cairn_save_options save = {
        .size = sizeof save, .codec = (cairn_codec)set->codec, .stamp = job->stamp};
    errno = 0;
    kit_progress_begin("building %s", kit_file_name(job->table_path));
    cairn_status status =
        set->place_path
            ? cairn_landmarks_place(job->map, &build, &job->landmarks, &job->landmark_count)
            : cairn_build_file(job->map, job->table_path, &build, &save, &job->table);
    int reason = errno;
    end_writing(job);
    errno = reason;
    return status == CAIRN_OK ? KIT_EXIT_OK : refuse(set, job, list, status);
}

/* Refuses queries and candidates where landmarks are not chosen by any. */
static int check_placement(const build_settings *set, const cairn_map *map)
{
    const char *name = kit_placement_on(map, (cairn_placement)set->placement);
    const bool is_by_queries = !set->list && strcmp(name, "farthest") != 0;
    const bool has_candidates = !set->list &&
                                (strcmp(name, "greedy") == 0 || strcmp(name, "refined") == 0);
    const char *choice = set->list ? "--list" : "-p ", *word = set->list ? "" : name;
    if (set->pairs_path && !is_by_queries)
        kit_complain("build: --pairs: %s%s places none by queries; -p refined does, and others",
                     choice, word);
    else if (set->candidate_count && !has_candidates)
        kit_complain("build: --candidates: %s%s tries none; -p greedy and refined do", choice,
                     word);
    else
        return KIT_EXIT_OK;
    return KIT_EXIT_USAGE;
}

/* Without queries the landmarks would be placed for random ones, which nobody asked for. */
static int load_pairs(const build_settings *set, const cairn_map *map, cairn_scenario **pairs)
{
    int code = kit_load_scenario(set->pairs_path, map, pairs);
    if (code != KIT_EXIT_OK || cairn_scenario_count(*pairs) > 0)
        return code;
    kit_complain("%s: expected at least one query to place landmarks for, found none",
                 set->pairs_path);
    return KIT_EXIT_IO;
}

/* The most listed cells in one component. */
static cairn_status most_together(const cairn_map *map, const kit_cells *list, uint32_t *most)
{
    const uint32_t node_count = cairn_map_node_count(map);
    uint32_t *numbers = malloc(node_count * sizeof *numbers), count = 0;
    uint32_t *listed = calloc(node_count, sizeof *listed);
    cairn_status status = numbers && listed
                              ? cairn_map_components(map, CAIRN_CONNECTED, numbers, &count)
                              : CAIRN_E_MEMORY;

    *most = 0;
    for (size_t i = 0; status == CAIRN_OK && i < list->count; i++) {
        const uint32_t number = numbers[list->nodes[i]];
        if (number != CAIRN_NO_COMPONENT && ++listed[number] > *most)
            *most = listed[number];
    }
    free(numbers);
    free(listed);
    return status;
}

/* Refuses a list of more cells in one component than -k says: some would be left out. */
static int check_list(const build_settings *set, const cairn_map *map, const kit_cells *list)
{
    uint32_t most;
    if (set->landmark_count == 0 || list->count <= set->landmark_count)
        return KIT_EXIT_OK;
    const cairn_status status = most_together(map, list, &most);
    if (status != CAIRN_OK)
        return kit_fail(set->list, status);
    if (most <= set->landmark_count)
        return KIT_EXIT_OK;
    kit_complain("build: --list: expected at most %u landmarks in one component (-k), found %u",
                 set->landmark_count, most);
    return KIT_EXIT_USAGE;
}

static int build_table(const build_settings *set, build_job *job)
{
    cairn_scenario *pairs = NULL;
    kit_cells list = {0};
    int code = check_placement(set, job->map);

    if (code == KIT_EXIT_OK && set->list)
        code = kit_cells_read(&list, set->list, job->map);
    if (code == KIT_EXIT_OK)
        code = check_list(set, job->map, &list);
    if (code == KIT_EXIT_OK && set->pairs_path)
        code = load_pairs(set, job->map, &pairs);
    if (code == KIT_EXIT_OK)
        code = call_build(set, job, pairs, &list);
    cairn_scenario_free(pairs);
    kit_cells_free(&list);
    return code;
}

int build_one(const build_settings *set, build_job *job)
{
    kit_map_choice choice = set->map;
    double started = kit_now();

    choice.metric = set->metric;
    int code = kit_load_map(job->map_path, &choice, &job->map);
    if (code == KIT_EXIT_OK && set->metric.choice == CAIRN_METRIC_COMPACT)
        code = kit_need_grid("metric", job->map_path, job->map);
    if (code == KIT_EXIT_OK)
        code = kit_team_same(job->map_path, cairn_map_hash(job->map));
    double loaded = kit_now();
    if (code == KIT_EXIT_OK)
        code = build_table(set, job);
    if (code == KIT_EXIT_OK && set->place_path && kit_team_is_first())
        code = build_write_landmarks(job);
    if (code == KIT_EXIT_OK) {
        job->load_seconds = loaded - started;
        job->build_seconds = kit_now() - loaded;
        job->file_size = kit_file_size(job->table_path);
    }
    return code;
}
