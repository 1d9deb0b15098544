/* Sweeps in portable C that compilers can vectorise; the other sweeps must give the same
 * results. */
#include <string.h>

#include "codec/codec_bits.h"
#include "codec/sweep.h"

#define DEFINE_CELL(name, entry, lanes, most)                                            \
    typedef struct name {                                                                \
        entry lane[lanes];                                                               \
    } name;                                                                              \
    CN_ALWAYS_INLINE name name##_load(const uint8_t *from)                               \
    {                                                                                    \
        name v;                                                                          \
        memcpy(&v, from, sizeof v);                                                      \
        return v;                                                                        \
    }                                                                                    \
    CN_ALWAYS_INLINE void name##_store(uint8_t *to, name v)                              \
    {                                                                                    \
        memcpy(to, &v, sizeof v);                                                        \
    }                                                                                    \
    CN_ALWAYS_INLINE name name##_min(name a, name b)                                     \
    {                                                                                    \
        for (unsigned i = 0; i < lanes; i++)                                             \
            a.lane[i] = a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i];                   \
        return a;                                                                        \
    }                                                                                    \
    CN_ALWAYS_INLINE name name##_max(name a, name b)                                     \
    {                                                                                    \
        for (unsigned i = 0; i < lanes; i++)                                             \
            a.lane[i] = a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i];                   \
        return a;                                                                        \
    }                                                                                    \
    CN_ALWAYS_INLINE name name##_add(name a, name b)                                     \
    {                                                                                    \
        for (unsigned i = 0; i < lanes; i++) {                                           \
            uint32_t sum = (uint32_t)a.lane[i] + b.lane[i];                              \
            a.lane[i] = (entry)(sum > most ? most : sum);                                \
        }                                                                                \
        return a;                                                                        \
    }
DEFINE_CELL(cell_16_16, uint16_t, 8, UINT16_MAX)
DEFINE_CELL(cell_16_32, uint16_t, 16, UINT16_MAX)
DEFINE_CELL(cell_16_64, uint16_t, 32, UINT16_MAX)
DEFINE_CELL(cell_32_16, uint32_t, 4, UINT32_MAX)
DEFINE_CELL(cell_32_32, uint32_t, 8, UINT32_MAX)
DEFINE_CELL(cell_32_64, uint32_t, 16, UINT32_MAX)
#undef DEFINE_CELL

#define CELL cell_16_16
#define LOAD(p) cell_16_16_load(p)
#define STORE(p, v) cell_16_16_store(p, v)
#define ADD(a, b) cell_16_16_add(a, b)
#define MIN(a, b) cell_16_16_min(a, b)
#define MAX(a, b) cell_16_16_max(a, b)
#define TARGET
#define NAME sweep_16_16
#include "codec/sweep_lanes.h"

#define CELL cell_16_32
#define LOAD(p) cell_16_32_load(p)
#define STORE(p, v) cell_16_32_store(p, v)
#define ADD(a, b) cell_16_32_add(a, b)
#define MIN(a, b) cell_16_32_min(a, b)
#define MAX(a, b) cell_16_32_max(a, b)
#define TARGET
#define NAME sweep_16_32
#include "codec/sweep_lanes.h"

#define CELL cell_16_64
#define LOAD(p) cell_16_64_load(p)
#define STORE(p, v) cell_16_64_store(p, v)
#define ADD(a, b) cell_16_64_add(a, b)
#define MIN(a, b) cell_16_64_min(a, b)
#define MAX(a, b) cell_16_64_max(a, b)
#define TARGET
#define NAME sweep_16_64
#include "codec/sweep_lanes.h"

#define CELL cell_32_16
#define LOAD(p) cell_32_16_load(p)
#define STORE(p, v) cell_32_16_store(p, v)
#define ADD(a, b) cell_32_16_add(a, b)
#define MIN(a, b) cell_32_16_min(a, b)
#define MAX(a, b) cell_32_16_max(a, b)
#define TARGET
#define NAME sweep_32_16
#include "codec/sweep_lanes.h"

#define CELL cell_32_32
#define LOAD(p) cell_32_32_load(p)
#define STORE(p, v) cell_32_32_store(p, v)
#define ADD(a, b) cell_32_32_add(a, b)
#define MIN(a, b) cell_32_32_min(a, b)
#define MAX(a, b) cell_32_32_max(a, b)
#define TARGET
#define NAME sweep_32_32
#include "codec/sweep_lanes.h"

#define CELL cell_32_64
#define LOAD(p) cell_32_64_load(p)
#define STORE(p, v) cell_32_64_store(p, v)
#define ADD(a, b) cell_32_64_add(a, b)
#define MIN(a, b) cell_32_64_min(a, b)
#define MAX(a, b) cell_32_64_max(a, b)
#define TARGET
#define NAME sweep_32_64
#include "codec/sweep_lanes.h"

const cn_sweep_engine cn_sweep_portable = {{
    {sweep_16_16, sweep_16_32, sweep_16_64},
    {sweep_32_16, sweep_32_32, sweep_32_64},
}};
