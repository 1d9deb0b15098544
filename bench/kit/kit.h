/* What the subjects of the benchmark share: options, clocks, medians, output. */
#ifndef BENCH_KIT_H
#define BENCH_KIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cairn/cairn.h"

typedef struct bench_options {
    const char *data;  /* folder with movingai/<set>/NAME.map */
    const char **maps; /* "set/NAME", as many as map_count */
    size_t map_count;
    unsigned repeat; /* rounds; 0: the subject has none */
    cairn_rule rule; /* of maps that are loaded, as are the next two */
    cairn_charge charge;
    cairn_alphabet terrain;
    bool json;
    bool every_engine;       /* measure engines that the library would not choose, too */
    cairn_resident resident; /* where rows live, of tables that searches go along */
    bool every_map;          /* maps are all that there are: fewer entrants, for a table of maps */
    bool every_query;        /* of scenarios, in place of some of them */
    bool cold;               /* other memory is read between queries */
    bool all_pairs;          /* peers that flood from every cell take part */
} bench_options;

/* One subject: 0 for success, else the exit code. */
typedef int bench_subject(const bench_options *options);
bench_subject bench_flood;
bench_subject bench_build;
bench_subject bench_search;
bench_subject bench_bound;
bench_subject bench_first;
bench_subject bench_slices;
bench_subject bench_memory;
bench_subject bench_refresh;
bench_subject bench_openings;
bench_subject bench_halves;
bench_subject bench_frames;
bench_subject bench_storm;
bench_subject bench_dynamic;
bench_subject bench_goals;
bench_subject bench_crowds;
bench_subject bench_units;
bench_subject bench_distances;
bench_subject bench_publish;
bench_subject bench_graphs;
bench_subject bench_roads;
bench_subject bench_traffic;
bench_subject bench_file;
bench_subject bench_scale;
bench_subject bench_ranks;

/* Seconds on a clock that never goes back. */
double bench_now(void);

/* Seconds that this thread has had a processor: others on the machine do not count. */
double bench_thread_now(void);

/* Sorts values, the least first. */
void bench_sort(double *values, size_t count);

/* The middle of the values, which it sorts; the mean of the middle two for an even count. */
double bench_median(double *values, size_t count);

/* Reads 64 MiB that nothing else uses, as the rest of a game's frame may: caches hold these
 * afterwards. False without memory. */
bool bench_read_other_memory(void);

/* Whether a name is that of a road network, "roads/NAME". */
bool bench_is_roads(const char *name);

/* Loads "set/NAME" in a metric ({0, 0}: the default). NULL, with a line on stderr, when it cannot
 * be read. */
cairn_map *bench_load_map(const bench_options *options, const char *name, cairn_metric metric);

/* Loads "roads/NAME-t", which has its coordinates in NAME.co. */
cairn_status bench_load_roads(const bench_options *options, const char *name, cairn_map **map);

/* Loads a road network like that, or a grid as a graph of its cells with their columns and rows as
 * coordinates. */
cairn_status bench_load_graph(const bench_options *options, const char *name, cairn_map **map);

/* Loads the scenario of "set/NAME", on whose map the queries are. */
cairn_status bench_load_scenario(const bench_options *options, const char *name,
                                 const cairn_map *map, cairn_scenario **scenario);

/* Makes an empty temporary file, which the caller removes; false when it cannot be made. */
bool bench_temporary_file(char *path, size_t size);

/* Measures one map; *is_first: nothing was printed yet, of any map. */
typedef cairn_status bench_map_run(const bench_options *options, const char *name, bool *is_first);

/* Measures all maps, up to the first that fails; returns the exit code. */
int bench_run_maps(const bench_options *options, bench_map_run *run);

/* Opens and closes the whole output: machine, compiler, flags. */
void bench_begin(const bench_options *options, const char *subject);
void bench_end(const bench_options *options);

/* Says on stderr what failed, and how; returns the exit code for it. */
int bench_failed(const char *what, cairn_status status);

#endif
