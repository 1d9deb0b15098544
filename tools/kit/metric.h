/* Metrics as people write and read them. */
#ifndef KIT_METRIC_H
#define KIT_METRIC_H

#include "args.h"
#include "cairn/cairn.h"
#include "say.h"

typedef struct kit_metric {
    cairn_metric pair; /* {0, 0}: the default */
    cairn_metric_choice choice;
    bool is_given;
} kit_metric;

/* "octile", "compact" or "S/D", into a kit_metric. */
kit_reader kit_read_metric;
#define KIT_METRIC_EXPECTS "octile, compact, or S/D with 0 < S <= D <= 2 S and D <= 16777216"

/* What can be written in place of a pair, for completion in shells: for builds, and for commands
 * that take no compact metric. Both end with NULL. */
extern const char *const kit_build_metrics[];
extern const char *const kit_metrics[];

/* "S/D" alone, into a cairn_metric. */
kit_reader kit_read_pair;
#define KIT_PAIR_EXPECTS "S/D with 0 < S <= D <= 2 S and D <= 16777216"

/* Says that --table-metric is none for this map; gives the exit code. */
int kit_refuse_step_metric(const char *map_path, cairn_metric metric);

/* "2378/3363". */
kit_text kit_metric_text(cairn_metric metric);

/* What costs of the map are in: "metric S/D", or "halves of metric S/D" (cairn_map_unit). */
kit_text kit_cost_unit_text(const cairn_map *map);

/* Tells that work on a map failed, and of a limit which one: that of rows, of which each of the
 * landmarks has two where costs depend on the direction, or that of costs. `landmark_count` is 0
 * where no table was built. Returns the exit code. */
int kit_fail_on_map(const char *path, cairn_status status, const cairn_map *map,
                    uint32_t landmark_count);

/* One sentence about how far paths on a grid with uniform costs follow 1 and the square root of
 * 2. */
void kit_metric_risk(const cairn_map *map, char *sentence, size_t size);

#endif
