/* What landmarks would buy on a map: measured for several counts, and weighed. */
#ifndef ADVISE_ADVISE_H
#define ADVISE_ADVISE_H

#include "cairn/cairn.h"
#include "kit/stats.h"

enum { ADVICE_COUNTS_MAX = 9 }; /* 1, 2, 4 ... 256, or up to what lies between */

/* Queries are timed in so many groups at most, one after the other as they are asked. */
enum { ADVICE_GROUPS_MAX = 40 };

/* What one table did for all queries. */
typedef struct trial {
    uint32_t landmark_count; /* 0: the base heuristic alone */
    cairn_space space;       /* that the search moved along */
    double *expanded;        /* by query */
    double time_us[ADVICE_GROUPS_MAX];
    double mean_expanded;
    double mean_us;
    kit_interval ratio;   /* expansions without landmarks divided by those with them */
    kit_interval speedup; /* the same for the time */
    size_t memory;        /* after the queries, which add to tables of corners */
    cairn_resident resident;
    size_t file_size;
    double build_seconds;
    double breaks_even_after; /* queries until the build is worth it; negative: never */
} trial;

typedef struct advice {
    const char *map_path;
    const char *scenario_path; /* NULL: sampled pairs */
    cairn_map *map;
    uint32_t every;
    uint32_t query_limit; /* 0: all of the scenario */
    uint32_t most;        /* landmarks */
    uint32_t thread_count;
    uint64_t seed;
    cairn_placement placement;
    cairn_metric step_metric; /* of tables that count steps; {0, 0}: they hold the map's costs */
    cairn_resident resident;  /* of the tables in memory, where the map allows corners */
    uint64_t budget;          /* bytes; 0: any */
    double speedup;           /* wanted; 0: what is sensible */

    cairn_query *queries;
    size_t query_count;
    trial base;
    trial trials[ADVICE_COUNTS_MAX];
    size_t trial_count;
    cairn_status stopped; /* why there are no more trials; CAIRN_OK: there are all */

    const trial *choice; /* NULL: do not bother */
    char sentence[640];
} advice;

/* Takes queries from a scenario, or draws them: the start among all open cells, the goal among
 * those that can be reached from it. */
cairn_status advice_take(advice *work, const cairn_scenario *scenario);
cairn_status advice_draw(advice *work);

/* Builds and measures. */
cairn_status advice_measure(advice *work);

/* Picks a trial and says so in a sentence. */
void advice_choose(advice *work);

bool advice_print_text(const advice *work);
void advice_print_json(const advice *work);

void advice_free(advice *work);

#endif
