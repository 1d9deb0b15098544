/* Making gates: what the parts of it share. They go from the opened cells by ports and crossings to
 * the sums over ports; gates_make.c calls them one after another. */
#ifndef CN_BOUND_GATE_MAKER_H
#define CN_BOUND_GATE_MAKER_H

#include "bound/gate_cheaper.h"
#include "bound/gate_rows.h"

#define CN_NO_PORT UINT32_MAX

/* Of more ports of a grid so many are merged that searches by the base heuristic alone take less
 * time: docs/decisions/gates.md. */
enum { CN_PORTS_FOUND_MAX = 40 };

/* A cell of a gate: an opened one, or one of its rim. */
typedef struct cn_gate_cell {
    cairn_node node;
    uint32_t gate;
    uint32_t port;   /* of a rim cell */
    uint32_t number; /* among the opened cells of its gate, or those of its rim */
    bool is_opened;
} cn_gate_cell;

/* A way by new steps from one cell of a rim to another that costs less than entries at its ends
 * allow, or such an arc of a graph. */
typedef struct cn_gate_crossing {
    cairn_node from;
    cairn_node to;
    cairn_cost cost;
} cn_gate_crossing;

/* The gate that is being examined. */
typedef struct cn_gate_inside {
    uint32_t opened;
    uint32_t rim;
    cairn_cost *costs; /* by number: from each opened cell to all cells of the rim; NULL: the base
                        * heuristic tells them */
} cn_gate_inside;

typedef struct cn_gate_maker {
    cn_gates *gates;
    const cairn_table *table;
    const cairn_map *map;     /* whose costs the rows hold */
    const cn_gate_past *past; /* NULL: there is none */
    cn_gate_cell *places;     /* opened cells first */
    size_t place_count;
    uint32_t *slots;   /* by a hash of the node, or behind it: the number of its place plus 1; 0:
                        * free */
    size_t slot_count; /* a power of two, and more than there may be places */
    size_t *stack;
    uint32_t *merged; /* by port as it was found: the one that it belongs to */
    uint32_t found;
    bool is_crowded;  /* there are too many ports */
    bool has_steep;   /* cells whose entries differ much are of several ports, */
    bool joins_steep; /* or may be of one */
    uint32_t gate_count;
    uint32_t *by_gate;  /* the numbers of places, of one gate after another */
    size_t *gate_begin; /* by gate: where it begins there; and the end */
    bool *leads;        /* by gate: it has crossings, and so ports; the others are niches */
    bool *is_free;      /* by gate: it is crossed at no cost, since its rim is long */
    cn_gate_inside inside;
    cairn_cost *across_rim; /* there, from each cell of the rim to all others by new steps */
    size_t across_room;
    cn_gate_crossing *crossings; /* on a grid one for both directions if they cost the same */
    size_t crossing_count;
    size_t crossing_room;

    /* For merging ports, once there were too many. */
    bool is_measured;
    uint8_t *tops; /* by port: its greatest entries, 0 in rows that are left out */
    uint32_t widths[CN_PORTS_MAX + 1][CN_PORTS_MAX + 1]; /* of two if they were one */
} cn_gate_maker;

CN_ALWAYS_INLINE uint8_t *cn_gate_high_of(const cn_gates *gates, uint32_t port)
{
    return cn_gate_row(gates, gates->high, port);
}

CN_ALWAYS_INLINE uint8_t *cn_gate_low_of(const cn_gates *gates, uint32_t port)
{
    return cn_gate_row(gates, gates->low, port);
}

/* The least and the greatest entry of a port's cells in one lane. */
typedef struct cn_gate_interval {
    uint32_t low;
    uint32_t high;
} cn_gate_interval;

CN_ALWAYS_INLINE cn_gate_interval cn_gate_interval_of(const cn_gates *gates, uint32_t port,
                                                      uint32_t lane)
{
    return (cn_gate_interval){.low = cn_gate_lane(gates, cn_gate_low_of(gates, port), lane),
                              .high = cn_gate_lane(gates, cn_gate_high_of(gates, port), lane)};
}

/* Which rows may be used: safe ones, and those for which it is known which cells have opened since
 * they were safe. */
void cn_gate_choose_rows(cn_gates *gates, const cairn_table *table);

/* Leaves out the rows that have lacked openings for longest. False where there are none. */
bool cn_gate_leave_out_oldest(cn_gates *gates, const cairn_table *table);

/* Lists all opened cells; false where they are not known, or too many. */
bool cn_gate_take_opened(cn_gates *gates, const cairn_table *table, const cairn_map *map,
                         const cn_cheaper *cheaper);

/* Whether entries at the ends of a step differ by more than it costs, in some row that is used. */
bool cn_gate_step_breaks(const cn_gates *gates, cairn_node from, cairn_node to, cairn_cost cost);

/* The places of one gate after another. */
CN_ALWAYS_INLINE cn_gate_cell *cn_gate_place_at(const cn_gate_maker *self, size_t i)
{
    return &self->places[self->by_gate[i]];
}

/* The place of a node; NULL: it is none. */
cn_gate_cell *cn_gate_find_place(const cn_gate_maker *self, cairn_node node);

/* Of a grid: finds the places of all gates. There must be room for one for each opened cell and for
 * all of its neighbours. */
void cn_gate_find_places(cn_gate_maker *self);

/* Whether a step inside a gate may not have existed before the cells opened. */
bool cn_gate_is_new_step(const cn_gate_maker *self, const cn_gate_cell *from,
                         const cn_gate_cell *to);

/* Finds what ways inside a gate cost, for the calls below and for bounds of opened cells.
 * CAIRN_E_MEMORY. */
cairn_status cn_gate_look_inside(cn_gate_maker *self, uint32_t gate);

/* The least cost from one cell of the rim to another by new steps, or less; CAIRN_COST_MAX: there
 * is no such way. */
cairn_cost cn_gate_cost_across(const cn_gate_maker *self, const cn_gate_cell *from,
                               const cn_gate_cell *to);

/* Of a grid: lists the crossings, which tells which gates lead on, until those are too many.
 * CAIRN_E_MEMORY. */
cairn_status cn_gate_list_crossings(cn_gate_maker *self);

/* Of a grid: finds the ports of the gates that lead on, until they are too many. Cells whose
 * entries differ much are of several, unless those are too many. */
void cn_gate_find_ports(cn_gate_maker *self);

/* Of a graph: lists the arcs that are crossings; both ends of an arc that an edit changed are
 * listed cells. CAIRN_E_MEMORY. */
cairn_status cn_gate_list_arcs(cn_gate_maker *self);

/* Of a graph: makes a node a port of its own, unless it is one. */
void cn_gate_add_port(cn_gate_maker *self, cairn_node node);

/* Finds what crossings cost between ports; and, of a grid, the rims of gates, after that. */
void cn_gate_cross(cn_gate_maker *self);
void cn_gate_list_rims(cn_gate_maker *self);

/* Adds the crossings from one part to another, of which entries tell nothing. */
void cn_gate_cross_parts(const cn_gate_maker *self);

/* Finds the costs between ports, by any number of crossings. */
void cn_gate_sum_up(cn_gates *gates);

#endif
