/*
 * Gates: how rows give bounds although cells have opened since they were exact.
 *
 * An entry of such a row still differs between the ends of a step by no more than the step costs,
 * unless the step is new: unless it enters or leaves an opened cell, or is a diagonal beside one. A
 * *gate* is a connected group of opened cells; its *border* are the cells from which a step leads
 * into it; a *port* is a part of the border that hangs together by steps that are not new. A
 * *crossing* leads from one border cell of a gate to another by new steps alone. Those whose ends
 * differ by no more than they cost change nothing; the others are kept as the least cost from port
 * to port. docs/ALGORITHMS.md has the bound, and its proof.
 *
 * For tables with entries at every cell whose rows hold costs of a grid of even, symmetric costs.
 */
#ifndef CN_TABLE_GATES_H
#define CN_TABLE_GATES_H

#include "table/bound_rows.h"
#include "table/table.h"

enum {
    CN_PORTS_MAX = 32, /* of more ports the nearest are merged */
    CN_GATE_LANES = CAIRN_ROWS_MAX + 16,
    CN_SEEN_WORDS = 64
};

/* A cell by column and row. */
typedef struct cn_gate_xy {
    uint32_t x;
    uint32_t y;
} cn_gate_xy;

/* How a row may be used. */
typedef enum cn_row_use {
    CN_ROW_LEFT_OUT,
    CN_ROW_BY_GATES,
    CN_ROW_WHOLE /* no crossing changes its entries: it also holds without gates */
} cn_row_use;

typedef struct cn_gates {
    cn_mem mem;
    const cairn_map *map; /* whose costs the rows hold */
    bool is_hex;
    bool is_usable;     /* some rows may be used by gates */
    uint32_t row_count; /* how many */
    uint32_t lane_count;
    uint32_t entry_bits;
    cn_rows_kernel rows;
    uint8_t use[CN_GATE_LANES]; /* cn_row_use, by lane */
    bool has_whole;

    cairn_node *cells;    /* the opened cells, ascending */
    uint32_t *cell_ports; /* by cell: the ports of its gate, a bit each */
    size_t cell_count;
    uint64_t seen[CN_SEEN_WORDS]; /* a bit by a hash of each opened cell */

    uint32_t port_count;
    uint8_t *high; /* by port: the greatest and the least entry of each lane; rows of lane_size */
    uint8_t *low;
    size_t lane_size;
    cn_gate_xy centre[CN_PORTS_MAX + 1]; /* by port: a cell, and the greatest base heuristic from it
                                        * to another one */
    cairn_cost radius[CN_PORTS_MAX + 1];
    cairn_cost across[CN_PORTS_MAX][CN_PORTS_MAX];  /* from a cell of one port to one of another,
                                                     * by crossings, of which one comes first and
                                                     * one last; CAIRN_COST_MAX: none */
    cairn_cost between[CN_PORTS_MAX][CN_PORTS_MAX]; /* by old steps */
} cn_gates;

/* The gates for one goal. */
typedef struct cn_gate_aim {
    const cn_gates *gates;
    uint32_t goal_ports; /* of the gate in which the goal lies */
    bool is_inside;      /* it lies in one */
    uint32_t count;      /* of ports that lead on */
    uint8_t port[CN_PORTS_MAX];
    cairn_cost rest[CN_PORTS_MAX];    /* from port[i] to the goal, by a crossing first; ascending */
    cairn_cost crossed[CN_PORTS_MAX]; /* the same by port; CAIRN_COST_MAX: it does not lead on */
    cairn_cost direct[CN_PORTS_MAX];  /* by port: to the goal by old steps, or to its gate */
    uint32_t above[CN_GATE_LANES];    /* the goal's row, as wide as entries (bound_rows.h) */
    uint32_t below[CN_GATE_LANES];
    uint32_t whole_above[CN_GATE_LANES];
    uint32_t whole_below[CN_GATE_LANES];
} cn_gate_aim;

/* Whether gates can serve a table on a map whose costs it holds. */
bool cn_gates_suit(const cairn_table *table, const cairn_map *row_map);

/* Makes the gates of a table on its map as it is now, in place of former ones. They are not usable
 * where it is not known which cells opened, where too many did, or where no row is left.
 * CAIRN_E_MEMORY. */
cairn_status cn_gates_make(cn_gates *gates, const cairn_table *table, const cairn_map *row_map);
void cn_gates_free(cn_gates *gates);

/* The bytes that they have taken from their allocator. */
size_t cn_gates_memory(const cn_gates *gates);

/* Prepares a goal, whose entries are given. */
void cn_gates_aim(const cn_gates *gates, cn_gate_aim *aim, cairn_node goal, const void *entries);

/* A lower bound on the cost from a node with the given entries to the goal, in costs of the rows;
 * at most CAIRN_COST_MAX. */
cairn_cost cn_gates_bound(const cn_gate_aim *aim, cairn_node node, const void *entries);

#endif
