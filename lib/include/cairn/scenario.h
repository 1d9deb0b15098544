/* Lists of queries, and maps that change between queries. Part of cairn/cairn.h, which has the
 * conventions of all calls. */
#ifndef CAIRN_SCENARIO_H
#define CAIRN_SCENARIO_H

#include "cairn/edit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A question for a path: a line of a scenario. */
typedef struct cairn_query {
    uint32_t bucket; /* queries of like length share a number, in .scen files length / 4 */
    cairn_node start;
    cairn_node goal;
    double length; /* the published optimal length, in steps. 0 between two different cells, or
                    * CAIRN_LENGTH_NONE in a cairn_dynamic: there is no path. CAIRN_LENGTH_NONE on a
                    * graph: no length is published */
} cairn_query;

#define CAIRN_LENGTH_NONE (-1.0)

typedef struct cairn_scenario cairn_scenario;

/* Reads queries on a map. For a grid they are a Moving AI .scen file (of version 1, or without a
 * version) for a map of the same size, whose name in the file is ignored. For a graph they are a
 * .p2p file of the 9th DIMACS challenge: lines "c ...", "p aux sp p2p QUERIES" and "q START GOAL",
 * nodes counted from 1 (node 1 becomes node 0); each gets the bucket 0 and CAIRN_LENGTH_NONE. Cells
 * and nodes outside the map are refused with the line. CAIRN_E_IO, CAIRN_E_FORMAT, CAIRN_E_LIMIT
 * for a file above 2 GiB, CAIRN_E_MEMORY. Memory comes from the map's allocator; the caller frees
 * *scenario with cairn_scenario_free, before the map. */
CAIRN_API cairn_status cairn_scenario_load(const char *path, const cairn_map *map,
                                           cairn_scenario **scenario, cairn_error *error);
CAIRN_API cairn_status cairn_scenario_parse(const char *text, size_t size, const cairn_map *map,
                                            cairn_scenario **scenario, cairn_error *error);
CAIRN_API void cairn_scenario_free(cairn_scenario *scenario);

/* The queries in file order, and how many; valid until the scenario is freed. */
CAIRN_API const cairn_query *cairn_scenario_queries(const cairn_scenario *scenario);
CAIRN_API size_t cairn_scenario_count(const cairn_scenario *scenario);

/* A map that changes between queries: a .scen file of version 2, as in the dynamic track of the
 * Grid-Based Path Planning Competition, with the patch file that it names, which is read from the
 * same folder. The grid starts with every cell open; edits and queries follow in file order. */
typedef struct cairn_dynamic cairn_dynamic;

typedef enum cairn_event_kind { CAIRN_EVENT_EDIT = 0, CAIRN_EVENT_QUERY } cairn_event_kind;

typedef struct cairn_event {
    cairn_event_kind kind;
    uint32_t time;     /* of a query also its bucket; what it counts is up to the file */
    cairn_edit edit;   /* a patch; its data are valid until the cairn_dynamic is freed */
    cairn_query query; /* its length is that on the map after all earlier edits */
} cairn_event;

/* Reads both files. CAIRN_E_IO, CAIRN_E_FORMAT, CAIRN_E_MEMORY, CAIRN_E_LIMIT for a map that is too
 * large and for files above 2 GiB. Memory comes from malloc; the caller frees *dynamic, and with it
 * its events, with cairn_dynamic_free. */
CAIRN_API cairn_status cairn_dynamic_load(const char *path, cairn_dynamic **dynamic,
                                          cairn_error *error);

/* Like cairn_dynamic_load, from memory, with the text of the patch file; the file name in the
 * scenario is ignored. The line of an error counts in the text that is wrong. */
CAIRN_API cairn_status cairn_dynamic_parse(const char *text, size_t size, const char *patches,
                                           size_t patches_size, cairn_dynamic **dynamic,
                                           cairn_error *error);
CAIRN_API void cairn_dynamic_free(cairn_dynamic *dynamic);

/* The size of the grid in cells. */
CAIRN_API uint32_t cairn_dynamic_width(const cairn_dynamic *dynamic);
CAIRN_API uint32_t cairn_dynamic_height(const cairn_dynamic *dynamic);

/* The events in file order, and how many; valid until the cairn_dynamic is freed. */
CAIRN_API const cairn_event *cairn_dynamic_events(const cairn_dynamic *dynamic);
CAIRN_API size_t cairn_dynamic_count(const cairn_dynamic *dynamic);

#ifdef __cplusplus
}
#endif

#endif
