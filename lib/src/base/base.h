/* What every file of the library may use. */
#ifndef CN_BASE_BASE_H
#define CN_BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cairn/cairn.h"

/* Our own mistakes stop a debug build; data and callers never reach these. */
#ifdef NDEBUG
#  define CN_ASSERT(claim) ((void)0)
#else
#  include <assert.h>
#  define CN_ASSERT(claim) assert(claim)
#endif

#if defined(__GNUC__)
#  define CN_ALWAYS_INLINE static inline __attribute__((always_inline))
#  define CN_NOINLINE __attribute__((noinline))
#  define CN_LIKELY(claim) __builtin_expect(!!(claim), 1)
#  define CN_UNLIKELY(claim) __builtin_expect(!!(claim), 0)
#  define CN_PREFETCH(address) __builtin_prefetch(address)
#  define CN_PREFETCH_TO_WRITE(address) __builtin_prefetch(address, 1)
#else
#  define CN_ALWAYS_INLINE static inline
#  define CN_NOINLINE
#  define CN_LIKELY(claim) (claim)
#  define CN_UNLIKELY(claim) (claim)
#  define CN_PREFETCH(address) ((void)(address))
#  define CN_PREFETCH_TO_WRITE(address) ((void)(address))
#endif

/* Options structs may come from a caller that was compiled against an older header: take as many
 * bytes as both sides know, and leave the rest at its default. False for a size that is absurd. */
bool cn_options_copy(void *to, size_t to_size, const void *from);

/* Fills an error, which may be NULL, and returns its status. `found` may be NULL; it is cut to
 * fit and made printable. */
cairn_status cn_error_at_line(cairn_error *error, cairn_status status, uint64_t line,
                              const char *expected, const char *found, size_t found_size);
cairn_status cn_error_at_byte(cairn_error *error, cairn_status status, uint64_t offset,
                              const char *expected, const char *found, size_t found_size);

/* An error without a place: memory, files. */
cairn_status cn_error_anywhere(cairn_error *error, cairn_status status, const char *expected);

#endif
