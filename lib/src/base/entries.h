/* Entries of tables, rows and planes, of 16 or 32 bits. Where `bits` is a constant, nothing is left
 * of the choice. */
#ifndef CN_BASE_ENTRIES_H
#define CN_BASE_ENTRIES_H

#include "base/base.h"

CN_ALWAYS_INLINE uint32_t cn_entry_get(const void *entries, size_t index, unsigned bits)
{
    return bits == 16 ? ((const uint16_t *)entries)[index] : ((const uint32_t *)entries)[index];
}

CN_ALWAYS_INLINE void cn_entry_put(void *entries, size_t index, unsigned bits, uint32_t entry)
{
    if (bits == 16)
        ((uint16_t *)entries)[index] = (uint16_t)entry;
    else
        ((uint32_t *)entries)[index] = entry;
}

/* The cost that an entry of a table means: all ones are no cost. */
CN_ALWAYS_INLINE cairn_cost cn_entry_cost(const void *entries, size_t index, unsigned bits)
{
    const uint32_t entry = cn_entry_get(entries, index, bits);
    return bits == 16 && entry == UINT16_MAX ? CAIRN_UNREACHABLE : entry;
}

/* The greatest cost that an entry holds. */
CN_ALWAYS_INLINE cairn_cost cn_entry_most(unsigned bits)
{
    return bits == 16 ? UINT16_MAX - 1 : CAIRN_COST_MAX;
}

/* Vectors add costs of steps to entries of 32 bits, which wrap around: so much cannot make any of
 * them small, nor can the sum of all steps across a tile. Entries of 16 bits saturate. */
#define CN_STEP_MAX_32 (UINT32_C(1) << 24)

/* The greatest cost of a step that vectors may add to an entry. */
CN_ALWAYS_INLINE cairn_cost cn_entry_step_most(unsigned bits)
{
    return bits == 16 ? UINT16_MAX - 1 : CN_STEP_MAX_32;
}

/* The entry of an unreachable cell in a table. */
CN_ALWAYS_INLINE uint32_t cn_entry_unreachable(unsigned bits)
{
    return bits == 16 ? UINT16_MAX : UINT32_MAX;
}

#endif
