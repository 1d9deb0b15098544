/*
 * What the page of the demo calls: one map, one table of it, and two searches over both, the first
 * by the base heuristic alone, the second with the table's rows. A status is a cairn_status. Arrays
 * go to the page as addresses in the memory of the module, with an entry a node unless their
 * comment says otherwise, valid until the next call.
 */
#ifndef WEB_BRIDGE_H
#define WEB_BRIDGE_H

#include "cairn/cairn.h"

#ifdef __wasm__
#  define EXPORT(name) __attribute__((export_name(#  name)))
#else
#  define EXPORT(name)
#endif

/* ----------------------------------------------------------------------------------- map -- */

/* Room for `size` bytes from the page: the text of a map, or nodes. NULL: there is no memory. */
EXPORT(room) void *demo_room(uint32_t size);

/* Opens the map whose text the page wrote. What letters cost is said by a text behind it, for
 * cairn_alphabet_parse. Without one the map is uniform and takes the fast engines. */
EXPORT(open_map) int demo_open_map(uint32_t size, uint32_t terrain_size, uint32_t rule);

/* What was wrong with the text of a map: strings end with a zero byte, and may be empty. */
EXPORT(error_line) uint32_t demo_error_line(void);
EXPORT(error_expected) const char *demo_error_expected(void);
EXPORT(error_found) const char *demo_error_found(void);
EXPORT(status_text) const char *demo_status_text(int status);

EXPORT(width) uint32_t demo_width(void);
EXPORT(height) uint32_t demo_height(void);
EXPORT(letters) const uint8_t *demo_letters(void);

/* What a straight step over ordinary terrain costs. */
EXPORT(straight_cost) uint32_t demo_straight_cost(void);

EXPORT(edit) int demo_edit(uint32_t x, uint32_t y, uint32_t width, uint32_t height, int letter);

/* --------------------------------------------------------------------------------- table -- */

/* A new table of so many rows, or none for 0; the first landmarks are the listed nodes that the
 * page wrote, one a row, the others are placed. */
EXPORT(build) int demo_build(uint32_t row_count, uint32_t listed_count);

EXPORT(row_count) uint32_t demo_row_count(void);

/* The landmarks of a row, an entry a component. */
EXPORT(landmarks) const cairn_node *demo_landmarks(uint32_t row);
EXPORT(landmark_count) uint32_t demo_landmark_count(uint32_t row);

/* A cairn_row_state. */
EXPORT(row_state) int demo_row_state(uint32_t row);
EXPORT(row_costs) const cairn_cost *demo_row_costs(uint32_t row);
EXPORT(row_cost) uint32_t demo_row_cost(uint32_t row, cairn_node node);

/* A step of so many cells; CAIRN_MORE while there is more to do. */
EXPORT(refresh) int demo_refresh(uint32_t cells);

/* Over the life of the table. */
EXPORT(refreshed_cells) double demo_refreshed_cells(void);

/* The bound of one kind of search on the cost to the goal, and that cost; NULL: there is none. */
EXPORT(bounds) const cairn_cost *demo_bounds(int kind, cairn_node goal);
EXPORT(exact_costs) const cairn_cost *demo_exact_costs(cairn_node goal);

/* ------------------------------------------------------------------------------ searches -- */

/* What searches do from now on: cairn_plain, thousandths, cairn_ties. */
EXPORT(choose) void demo_choose(int heuristic, uint32_t weight, int ties);
EXPORT(is_admissible) int demo_is_admissible(void);

/* A search in steps, whose nodes can be examined. `kind` is 0 or 1. */
EXPORT(begin) int demo_begin(int kind, cairn_node start, cairn_node goal);
EXPORT(resume) int demo_resume(int kind, uint32_t expansions);

/* How it stands: outcome, cost, length, nodes expanded, cells of the path, rows in use, their
 * cairn_row_state. */
EXPORT(report) const double *demo_report(int kind);
EXPORT(path_cells) const cairn_node *demo_path_cells(int kind);

/* A cairn_node_state each. */
EXPORT(states) const uint8_t *demo_states(int kind);

/* Of one node: state, parent, g, h, f. */
EXPORT(look) const double *demo_look(int kind, cairn_node node);

/* The library's default search, so many times, for a page that measures the time. Returns how many
 * nodes one expands; -1 after a failure. */
EXPORT(run_fast) double demo_run_fast(int kind, cairn_node start, cairn_node goal, uint32_t times);

/* --------------------------------------------------------------------------------- crowd -- */

/* Makes the flow field to a target. */
EXPORT(flow) int demo_flow(cairn_node target);

/* The node to which the field leads from another one; CAIRN_NO_NODE: it leads nowhere. */
EXPORT(flow_next) cairn_node demo_flow_next(cairn_node node);

#endif
