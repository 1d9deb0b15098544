#include <inttypes.h>
#include <stdio.h>

#include "build/build.h"
#include "kit/fingerprint.h"

void build_visit_files(const build_settings *set, void (*visit)(void *context, const char *path),
                       void *context)
{
    const char *const paths[] = {set->map.terrain, set->map.places, set->map.heights,
                                 set->pairs_path, set->list};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (paths[i])
            visit(context, paths[i]);
}

/* Items and cells stand in the words themselves, or in a file of that name. */
static void add_file(void *context, const char *path)
{
    uint64_t *sum = context;
    *sum = kit_fingerprint_text(*sum, path);
    kit_fingerprint_file(path, sum);
}

/* Another version may place other landmarks, or pack rows better. */
uint64_t build_stamp_options(const build_settings *set)
{
    const kit_map_choice *map = &set->map;
    char text[512];
    snprintf(text, sizeof text,
             "cairn %s, rows %" PRIu32 ", placement %d, seed %" PRIu64 ", candidates %" PRIu32
             ", metric %d %" PRIu32 "/%" PRIu32 ", rows %" PRIu32 "/%" PRIu32 ", moves %" PRIu32
             ", charge %" PRIu32 ", climb %" PRIu32 ", descend %" PRIu32 ", unit %" PRIu32
             " %" PRIu32 ", codec %d",
             cairn_version(), set->landmark_count, set->placement, set->seed, set->candidate_count,
             (int)set->metric.choice, set->metric.pair.straight, set->metric.pair.diagonal,
             set->step_metric.straight, set->step_metric.diagonal, map->moves.number,
             map->charge.number, kit_climb(map), map->descend.number, map->unit_size.number,
             map->unit_anchor.number, set->codec);
    uint64_t sum = kit_fingerprint_text(0, text);
    build_visit_files(set, add_file, &sum);
    return sum;
}

uint64_t build_stamp(uint64_t options, const char *map_path)
{
    uint64_t sum = options;
    if (!kit_fingerprint_file(map_path, &sum))
        return 0;
    return sum ? sum : 1;
}
