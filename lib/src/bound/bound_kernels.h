/* The kernels of bound_rows.h, to be inlined where they are called in loops. */
#ifndef CN_BOUND_BOUND_KERNELS_H
#define CN_BOUND_BOUND_KERNELS_H

#include "simd/vec128.h"
#include "bound/bound_rows.h"

#define VEC v128
#define BITS 16
#include "bound/bound_rows_kernel.h"

#define VEC v128
#define BITS 32
#include "bound/bound_rows_kernel.h"

#if CN_CPU_X86

#  include "simd/vec512.h"

#  define VEC x128
#  define BITS 16
#  include "bound/bound_rows_kernel.h"

#  define VEC x128
#  define BITS 32
#  include "bound/bound_rows_kernel.h"

#  define VEC v256
#  define BITS 16
#  define NARROWER x128
#  include "bound/bound_rows_kernel.h"

#  define VEC v256
#  define BITS 32
#  define NARROWER x128
#  include "bound/bound_rows_kernel.h"

/* Wider vectors are worth it from 64 bytes on. */
#  define VEC v512
#  define BITS 16
#  define NARROWER v256
#  include "bound/bound_rows_kernel.h"

#  define VEC v512
#  define BITS 32
#  define NARROWER v256
#  include "bound/bound_rows_kernel.h"

#endif

enum { CN_ROWS_AHEAD = 24 };

/* Prefetches the `size` bytes of a node's entries. */
CN_ALWAYS_INLINE void cn_rows_fetch(const cn_rows_view *view, cairn_node node, size_t size)
{
    const uint8_t *entries = view->entries + node * size;
    for (size_t at = 0; at < size; at += CN_CACHE_LINE)
        CN_PREFETCH(entries + at);
}

#endif
