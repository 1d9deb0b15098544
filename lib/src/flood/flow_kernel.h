/*
 * Flow fields in vectors: a template of vector code (simd/template.h), included once for each
 * instruction set and width of entries.
 */
#include "simd/template.h"

/* The cells of a chunk, as bits, from which the cost falls by exactly the cost of a step in one
 * direction: where the neighbour's cost, from `there` on, equals the cell's own cost minus that of
 * the step, which is in `costs`. */
INSIDE uint64_t NAME(falls)(const VECTOR costs[CHUNK / LANES], const ENTRY *there)
{
    uint64_t falls = 0;
    for (unsigned part = 0; part < CHUNK / LANES; part++)
        falls |= (uint64_t)V(equal)(V(load_any)(there + part * LANES), costs[part]) << part * LANES;
    return falls;
}

/* By direction, a bit for each cell from which the cost falls by exactly the cost of a step.
 * Neighbours to which no step leads are compared as well. */
INSIDE void NAME(list_falls)(const cn_flow_chunk *chunk, uint64_t falls[CN_DIRECTIONS])
{
    const ENTRY *costs = chunk->costs;
    const VECTOR straight = V(all)((ENTRY)chunk->step[0]), diagonal = V(all)((ENTRY)chunk->step[1]);
    VECTOR by_straight[CHUNK / LANES], by_diagonal[CHUNK / LANES];
    for (unsigned part = 0; part < CHUNK / LANES; part++) {
        const VECTOR here = V(load_any)(costs + part * LANES);
        by_straight[part] = V(minus)(here, straight);
        by_diagonal[part] = V(minus)(here, diagonal);
    }
    for (unsigned direction = 0; direction < CN_SE; direction++)
        falls[direction] = NAME(falls)(by_straight, costs + chunk->offset[direction]);
    for (unsigned direction = CN_SE; direction < CN_DIRECTIONS; direction++)
        falls[direction] = NAME(falls)(by_diagonal, costs + chunk->offset[direction]);
}

/* The same where costs depend on the cells at the ends of steps. In 32 bits a neighbour may not
 * have been reached; it then costs more than any cell. */
INSIDE uint64_t NAME(uneven_falls)(const cn_flow_chunk *chunk, unsigned direction)
{
    const ptrdiff_t there = chunk->offset[direction];
    const ENTRY *costs = chunk->costs, *cells = chunk->cells[direction >= CN_STRAIGHT];
    const ENTRY *rising = chunk->rising, *falling = chunk->falling;
    uint64_t falls = 0;
    for (unsigned at = 0; at < CHUNK; at += LANES, costs += LANES, cells += LANES) {
        const VECTOR here = V(load_any)(costs), ahead = V(load_any)(costs + there);
        VECTOR step = V(load_any)(cells + there);
        if (chunk->pays_left)
            step = V(add)(step, V(load_any)(cells));
        if (rising) {
            step = V(add)(step,
                          V(above)(V(load_any)(rising + at + there), V(load_any)(rising + at)));
            step = V(add)(step,
                          V(above)(V(load_any)(falling + at), V(load_any)(falling + at + there)));
        }
        uint32_t found = V(equal)(ahead, V(minus)(here, step));
        if (BITS == 32)
            found &= V(less)(ahead, here);
        falls |= (uint64_t)found << at;
    }
    return falls;
}

INSIDE cn_flow_bits NAME(choose)(const cn_flow_chunk *chunk, const uint64_t falls[CN_DIRECTIONS])
{
    uint64_t taken[CN_DIRECTIONS], none = UINT64_MAX;
    for (unsigned direction = 0; direction < CN_DIRECTIONS; direction++) {
        taken[direction] = chunk->steps[direction] & falls[direction] & none;
        none ^= taken[direction];
    }
    return (cn_flow_bits){{taken[1] | taken[3] | taken[5] | taken[7],
                           taken[2] | taken[3] | taken[6] | taken[7],
                           taken[4] | taken[5] | taken[6] | taken[7]},
                          none};
}

INSIDE void NAME(write_flow)(const cn_flow_chunk *chunk, const uint64_t falls[CN_DIRECTIONS],
                             uint8_t flow[CHUNK])
{
    const cn_flow_bits bits = NAME(choose)(chunk, falls);
    uint8_t number[3][CHUNK], none[CHUNK];
    for (unsigned bit = 0; bit < 3; bit++)
        V(bytes)(number[bit], bits.number[bit]);
    V(bytes)(none, bits.none);
    for (unsigned i = 0; i < CHUNK; i++)
        flow[i] = (number[0][i] & 1) | (number[1][i] & 2) | (number[2][i] & 4) | none[i];
}

KERNEL static void NAME(follow)(const cn_flow_chunk *chunk, uint8_t flow[CHUNK])
{
    uint64_t falls[CN_DIRECTIONS];
    NAME(list_falls)(chunk, falls);
    NAME(write_flow)(chunk, falls, flow);
}

KERNEL static void NAME(follow_uneven)(const cn_flow_chunk *chunk, uint8_t flow[CHUNK])
{
    uint64_t falls[CN_DIRECTIONS];
    for (unsigned direction = 0; direction < CN_DIRECTIONS; direction++)
        falls[direction] = NAME(uneven_falls)(chunk, direction);
    NAME(write_flow)(chunk, falls, flow);
}

#include "simd/template_end.h"
