/* The nodes of a graph are coded in breadth-first order, so that each has neighbours whose costs
 * are known. An arc from or to a neighbour gives a bound on the cost, and usually the cost equals
 * one of the bounds, because the node's shortest path passes through the neighbour, or the
 * neighbour's through the node. */
#include "codec/codec_parts.h"

/* The bounds from neighbours whose costs are known. */
typedef struct bounds {
    int64_t most;  /* the cost of a path through a neighbour; NONE without one */
    int64_t least; /* with less, the neighbour's own cost would be less */
} bounds;

#define NONE (-1)

/* Nodes between two reports of progress. */
enum { AT_ONCE = 1 << 10 };

/* Everything is indexed by place, the number of a node in the order. */
typedef struct graph_walk {
    const cn_graph_order *order;
    const cn_graph_links *comes; /* arcs in the direction of the costs, and the reverse ones */
    const cn_graph_links *goes;
    uint32_t count;
    uint32_t *entries; /* of all earlier places */
    uint8_t *nearer;   /* a later neighbour turned out to be nearer to the landmark */
    unsigned bits;
    cn_watch *watch;
} graph_walk;

CN_ALWAYS_INLINE bounds bounds_at(const graph_walk *state, uint32_t at)
{
    const cn_graph_links *comes = state->comes, *goes = state->goes;
    const uint32_t never = cn_entry_unreachable(state->bits);
    bounds found = {NONE, NONE};

    for (uint32_t i = comes->start[at]; i < comes->start[at + 1]; i++) {
        int64_t cost = state->entries[comes->links[i].place], by_it = cost + comes->links[i].cost;
        if (cost != never && (found.most == NONE || by_it < found.most))
            found.most = by_it;
    }
    for (uint32_t i = goes->start[at]; i < goes->start[at + 1]; i++) {
        int64_t cost = state->entries[goes->links[i].place];
        int64_t left = cost - (int64_t)goes->links[i].cost;
        if (cost != never && left > found.least)
            found.least = left;
    }
    return found;
}

/* The most likely entry and the second most likely one; both the same if there is one guess. */
typedef struct guess {
    uint32_t likely;
    uint32_t second;
} guess;

/* A node's shortest path to the landmark continues through a single neighbour: once that is known,
 * the other neighbours are likely to be farther away. */
CN_ALWAYS_INLINE guess guess_at(const graph_walk *state, uint32_t at, const bounds *found)
{
    uint32_t first = state->order->first[at];
    if (first == at) {
        uint32_t last = at ? state->entries[at - 1] : 0;
        return (guess){last, last};
    }
    if (found->most == NONE)
        return (guess){cn_entry_unreachable(state->bits), cn_entry_unreachable(state->bits)};

    uint32_t most = (uint32_t)found->most;
    if (found->least == NONE)
        return (guess){most, most};
    uint32_t least = (uint32_t)found->least;
    return state->nearer[first] ? (guess){most, least} : (guess){least, most};
}

/* Records for later nodes on which side the landmark is: this node is marked if its shortest path
 * passes through a known neighbour, and a neighbour if its shortest path passes through this
 * node. */
CN_ALWAYS_INLINE void note(graph_walk *state, uint32_t at, const bounds *found, uint32_t entry)
{
    uint32_t first = state->order->first[at];
    if (first != at && found->least != NONE && entry == (uint32_t)found->least)
        state->nearer[first] = 1;
    state->nearer[at] = found->most != NONE && entry == (uint32_t)found->most;
    state->entries[at] = entry;
}

/* 0 for the likely entry, 1 for the second, then the others in the order of their differences. */
CN_ALWAYS_INLINE uint32_t to_symbol(const guess *by, uint32_t entry, unsigned bits)
{
    uint32_t zigzagged = cn_zigzag(entry - by->likely, bits);
    uint32_t second = cn_zigzag(by->second - by->likely, bits);

    if (zigzagged == second && second != 0)
        return 1;
    return zigzagged != 0 && zigzagged < second ? zigzagged + 1 : zigzagged;
}

CN_ALWAYS_INLINE uint32_t from_symbol(const guess *by, uint32_t symbol, unsigned bits)
{
    uint32_t second = cn_zigzag(by->second - by->likely, bits);
    uint32_t zigzagged = symbol;

    if (second != 0 && symbol == 1)
        zigzagged = second;
    else if (symbol != 0 && symbol <= second)
        zigzagged = symbol - 1;
    return (by->likely + cn_zigzag_inverse(zigzagged, bits)) & cn_entry_unreachable(bits);
}

static cairn_status begin(graph_walk *state, const cn_codec_layout *layout, cn_way way)
{
    const cn_graph_order *order = layout->graph;
    uint32_t count = layout->map->graph->node_count;

    *state =
        (graph_walk){.order = order, .count = count, .bits = layout->bits, .watch = layout->watch};
    state->comes = way == CN_FORWARD ? &order->in : &order->out;
    state->goes = way == CN_FORWARD ? &order->out : &order->in;
    state->entries = cn_array(&layout->mem, count, sizeof *state->entries);
    state->nearer = cn_zeroed(&layout->mem, count, 1);
    return state->entries && state->nearer ? CAIRN_OK : CAIRN_E_MEMORY;
}

static void end(const graph_walk *state, const cn_codec_layout *layout)
{
    cn_release(&layout->mem, state->entries);
    cn_release(&layout->mem, state->nearer);
}

CN_ALWAYS_INLINE void write_symbols(graph_walk *state, const void *plane, unsigned bits,
                                    uint8_t *planes)
{
    const size_t count = state->count;
    state->bits = bits;

    for (uint32_t at = 0; at < count; at++) {
        bounds found = bounds_at(state, at);
        guess by = guess_at(state, at, &found);
        uint32_t entry = cn_entry_stored(plane, state->order->nodes[at], bits);
        uint32_t symbol = to_symbol(&by, entry, bits);
        for (unsigned byte = 0; byte < bits / 8; byte++)
            planes[byte * count + at] = (uint8_t)(symbol >> 8 * byte);
        note(state, at, &found, entry);
    }
}

CN_ALWAYS_INLINE cairn_status read_symbols(graph_walk *state, const uint8_t *planes, unsigned bits,
                                           unsigned worker, void *plane)
{
    const size_t count = state->count;
    state->bits = bits;

    for (uint32_t at = 0; at < count; at++) {
        bounds found = bounds_at(state, at);
        guess by = guess_at(state, at, &found);
        uint32_t symbol = 0;
        for (unsigned byte = 0; byte < bits / 8; byte++)
            symbol |= (uint32_t)planes[byte * count + at] << 8 * byte;
        uint32_t entry = from_symbol(&by, symbol, bits);
        if (!cn_entry_is_possible(entry, bits))
            return CAIRN_E_FORMAT;
        cn_entry_put(plane, state->order->nodes[at], bits, entry);
        note(state, at, &found, entry);
        if (at % AT_ONCE == AT_ONCE - 1 && !cn_watch_advance(state->watch, worker, AT_ONCE))
            return CAIRN_E_CANCELLED;
    }
    return CAIRN_OK;
}

/* Two calls in each, so that the width of an entry is a constant. */
cairn_status cn_predictor_graph_symbols(const cn_codec_layout *layout, const void *plane,
                                        cn_way way, uint8_t *planes)
{
    graph_walk state;
    cairn_status status = begin(&state, layout, way);

    if (status == CAIRN_OK && layout->bits == 16)
        write_symbols(&state, plane, 16, planes);
    else if (status == CAIRN_OK)
        write_symbols(&state, plane, 32, planes);
    end(&state, layout);
    return status;
}

cairn_status cn_predictor_graph_entries(const cn_codec_layout *layout, const uint8_t *planes,
                                        cn_way way, unsigned worker, void *plane)
{
    graph_walk state;
    cairn_status status = begin(&state, layout, way);

    if (status == CAIRN_OK)
        status = layout->bits == 16 ? read_symbols(&state, planes, 16, worker, plane)
                                    : read_symbols(&state, planes, 32, worker, plane);
    end(&state, layout);
    return status;
}
