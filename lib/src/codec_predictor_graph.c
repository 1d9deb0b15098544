/* On a graph, nodes are taken breadth first, so that each has neighbours whose costs are known. An
 * arc to or from a neighbour bounds a cost, and mostly it is one of the bounds: the shortest path
 * comes by the neighbour, or the neighbour's comes by the node. */
#include "codec_parts.h"

/* The bounds that known neighbours give. */
typedef struct bounds {
    int64_t most;       /* a path by a neighbour; NONE without one */
    int64_t least;      /* no less, or the neighbour's own path could come by here */
    cairn_node first;   /* the neighbour known first; CAIRN_NO_NODE without one */
} bounds;

#define NONE (-1)

typedef struct graph_walk {
    const cn_codec_frame *frame;
    const void *plane;
    uint8_t *nearer;     /* by node: a neighbour behind it was found nearer than it */
    cn_way way;
    unsigned bits;
    uint32_t last;       /* the entry before */
} graph_walk;

static void look_at(const graph_walk *state, bounds *found, cairn_node node, cn_arc_span span,
                    bool comes)
{
    const uint32_t *position = state->frame->position;

    for (size_t i = 0; i < span.count; i++) {
        cairn_node next = span.arcs[i].to;
        if (position[next] >= position[node])
            continue;
        if (found->first == CAIRN_NO_NODE || position[next] < position[found->first])
            found->first = next;
        int64_t cost = cn_entry_stored(state->plane, next, state->bits);
        if (cost == cn_all_ones(state->bits))
            continue;
        if (comes && (found->most == NONE || cost + span.arcs[i].cost < found->most))
            found->most = cost + span.arcs[i].cost;
        if (!comes && cost - (int64_t)span.arcs[i].cost > found->least)
            found->least = cost - (int64_t)span.arcs[i].cost;
    }
}

static bounds bounds_of(const graph_walk *state, cairn_node node)
{
    const cn_roadmap *roads = state->frame->map->roads;
    bounds found = {NONE, NONE, CAIRN_NO_NODE};

    look_at(state, &found, node, cn_roadmap_in(roads, node), state->way == CN_FORWARD);
    look_at(state, &found, node, cn_roadmap_out(roads, node), state->way == CN_REVERSE);
    return found;
}

/* What an entry is likely to be, and what it is else; the same where there is one guess. */
typedef struct guess {
    uint32_t likely;
    uint32_t second;
} guess;

/* A path to the landmark goes on by one neighbour alone: once that is found, the others lie behind
 * the node. */
static guess guess_at(const graph_walk *state, const bounds *found)
{
    if (found->first == CAIRN_NO_NODE)
        return (guess){state->last, state->last};
    if (found->most == NONE)
        return (guess){cn_all_ones(state->bits), cn_all_ones(state->bits)};

    uint32_t most = (uint32_t)found->most;
    if (found->least == NONE)
        return (guess){most, most};
    uint32_t least = (uint32_t)found->least;
    return state->nearer[found->first] ? (guess){most, least} : (guess){least, most};
}

/* Tells the nodes that come later which way the landmark is. The landmark of a node that a known
 * neighbour reaches is behind, as is that of one whose own way on was found. */
static void note(graph_walk *state, cairn_node node, const bounds *found, uint32_t entry)
{
    if (found->first != CAIRN_NO_NODE && found->least != NONE && entry == (uint32_t)found->least)
        state->nearer[found->first] = 1;
    state->nearer[node] = found->most != NONE && entry == (uint32_t)found->most;
    state->last = entry;
}

static uint32_t mask_of(unsigned bits)
{
    return cn_all_ones(bits);
}

/* Small differences either way become small numbers. */
static uint32_t fold(uint32_t difference, unsigned bits)
{
    uint32_t negative = difference >> (bits - 1) & 1;
    return (difference << 1 ^ (0u - negative)) & mask_of(bits);
}

static uint32_t unfold(uint32_t folded, unsigned bits)
{
    return (folded >> 1 ^ (0u - (folded & 1))) & mask_of(bits);
}

/* 0 for the likely entry, 1 for the second, then the others in the order of their differences. */
static uint32_t to_symbol(const guess *by, uint32_t entry, unsigned bits)
{
    uint32_t folded = fold(entry - by->likely, bits);
    uint32_t second = fold(by->second - by->likely, bits);

    if (folded == second && second != 0)
        return 1;
    return folded != 0 && folded < second ? folded + 1 : folded;
}

static uint32_t from_symbol(const guess *by, uint32_t symbol, unsigned bits)
{
    uint32_t second = fold(by->second - by->likely, bits);
    uint32_t folded = symbol;

    if (second != 0 && symbol == 1)
        folded = second;
    else if (symbol != 0 && symbol <= second)
        folded = symbol - 1;
    return (by->likely + unfold(folded, bits)) & mask_of(bits);
}

static cairn_status begin(graph_walk *state, const cn_codec_frame *frame, const void *plane,
                          cn_way way)
{
    uint32_t count = frame->map->roads->node_count;
    *state = (graph_walk){.frame = frame, .plane = plane, .way = way, .bits = frame->bits};
    state->nearer = cn_zeroed(&frame->mem, count, 1);
    return state->nearer ? CAIRN_OK : CAIRN_E_MEMORY;
}

cairn_status cn_predictor_graph_symbols(const cn_codec_frame *frame, const void *plane, cn_way way,
                                        uint8_t *planes)
{
    uint32_t count = frame->map->roads->node_count;
    graph_walk state;
    cairn_status status = begin(&state, frame, plane, way);

    for (size_t at = 0; at < count && status == CAIRN_OK; at++) {
        cairn_node node = frame->order[at];
        bounds found = bounds_of(&state, node);
        guess by = guess_at(&state, &found);
        uint32_t entry = cn_entry_stored(plane, node, frame->bits);
        uint32_t symbol = to_symbol(&by, entry, frame->bits);
        for (unsigned byte = 0; byte < frame->bits / 8; byte++)
            planes[byte * (size_t)count + at] = (uint8_t)(symbol >> 8 * byte);
        note(&state, node, &found, entry);
    }
    cn_release(&frame->mem, state.nearer);
    return status;
}

cairn_status cn_predictor_graph_entries(const cn_codec_frame *frame, const uint8_t *planes,
                                        cn_way way, void *plane)
{
    uint32_t count = frame->map->roads->node_count;
    graph_walk state;
    cairn_status status = begin(&state, frame, plane, way);

    for (size_t at = 0; at < count && status == CAIRN_OK; at++) {
        cairn_node node = frame->order[at];
        bounds found = bounds_of(&state, node);
        guess by = guess_at(&state, &found);
        uint32_t symbol = 0;
        for (unsigned byte = 0; byte < frame->bits / 8; byte++)
            symbol |= (uint32_t)planes[byte * (size_t)count + at] << 8 * byte;
        uint32_t entry = from_symbol(&by, symbol, frame->bits);
        if (!cn_entry_is_possible(entry, frame->bits))
            status = CAIRN_E_FORMAT;
        cn_entry_put(plane, node, frame->bits, entry);
        note(&state, node, &found, entry);
    }
    cn_release(&frame->mem, state.nearer);
    return status;
}

/* --------------------------------------------------------------------------------- order -- */

/* Puts the neighbours of a node that have no place yet behind `*count` nodes. */
static void place_neighbours(cn_codec_frame *frame, cn_arc_span span, uint32_t *count)
{
    for (size_t i = 0; i < span.count; i++) {
        cairn_node next = span.arcs[i].to;
        if (frame->position[next] != UINT32_MAX)
            continue;
        frame->position[next] = *count;
        frame->order[(*count)++] = next;
    }
}

cairn_status cn_predictor_graph_order(cn_codec_frame *frame)
{
    const cn_roadmap *roads = frame->map->roads;
    uint32_t count = 0, next = 0;

    frame->order = cn_array(&frame->mem, roads->node_count, sizeof *frame->order);
    frame->position = cn_array(&frame->mem, roads->node_count, sizeof *frame->position);
    if (!frame->order || !frame->position)
        return CAIRN_E_MEMORY;
    for (cairn_node node = 0; node < roads->node_count; node++)
        frame->position[node] = UINT32_MAX;
    for (cairn_node node = 0; node < roads->node_count; node++) {
        if (frame->position[node] != UINT32_MAX)
            continue;
        frame->position[node] = count;
        frame->order[count++] = node;
        for (; next < count; next++) {
            place_neighbours(frame, cn_roadmap_out(roads, frame->order[next]), &count);
            place_neighbours(frame, cn_roadmap_in(roads, frame->order[next]), &count);
        }
    }
    return CAIRN_OK;
}
