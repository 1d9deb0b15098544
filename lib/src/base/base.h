/* Types and macros for every file of the library. */
#ifndef CN_BASE_BASE_H
#define CN_BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cairn/cairn.h"

/* Checks for mistakes of the library itself, which stop a debug build. No input and no caller can
 * make one fail. */
#ifdef NDEBUG
#  define CN_ASSERT(claim) ((void)0)
#else
#  include <assert.h>
#  define CN_ASSERT(claim) assert(claim)
#endif

/* What compilers have beyond C11 is named here and spelled nowhere else. Without it the library is
 * slower, with the same results. */
#if defined(__GNUC__)
/* Under sanitizers and without optimisation, what would be inlined into every search and flood is
 * compiled once a file: it takes a quarter of the time. */
#  if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
#    define CN_ALWAYS_INLINE static inline
#  else
#    define CN_ALWAYS_INLINE static inline __attribute__((always_inline))
#  endif
#  define CN_NOINLINE __attribute__((noinline))
#  define CN_LIKELY(claim) __builtin_expect(!!(claim), 1)
#  define CN_UNLIKELY(claim) __builtin_expect(!!(claim), 0)
#  define CN_PREFETCH(address) __builtin_prefetch(address)
#  define CN_PREFETCH_TO_WRITE(address) __builtin_prefetch(address, 1)
#  define CN_TRAILING_ZEROS(bits) ((unsigned)__builtin_ctzll(bits))
#  define CN_LEADING_ZEROS(bits) ((unsigned)__builtin_clzll(bits))
/* Before a function: instructions that it may use; and whether the processor has them. GCC for
 * Windows does not align the stack as vectors of 32 bytes ask for: there they need
 * CAIRN_UNALIGNED_MOVES, which says that the assembler turns moves into those that ask for nothing
 * (lib/CMakeLists.txt). */
#  if !defined(_WIN32) || defined(__clang__) || defined(CAIRN_UNALIGNED_MOVES)
#    define CN_COMPILER_HAS_TARGETS 1
#  else
#    define CN_COMPILER_HAS_TARGETS 0
#  endif
#  define CN_TARGET(features) __attribute__((target(features)))
#  define CN_PROCESSOR_HAS(feature) (__builtin_cpu_init(), __builtin_cpu_supports(feature))
/* Makes the compiler hold a value in a general register at this place. */
#  define CN_IN_REGISTER(value) __asm__("" : "+r"(value))
#else
#  define CN_ALWAYS_INLINE static inline
#  define CN_NOINLINE
#  define CN_LIKELY(claim) (claim)
#  define CN_UNLIKELY(claim) (claim)
#  define CN_PREFETCH(address) ((void)(address))
#  define CN_PREFETCH_TO_WRITE(address) ((void)(address))
#  define CN_COMPILER_HAS_TARGETS 0
#endif

/* Tells the processor that this thread only waits. */
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#  define CN_PAUSE() __builtin_ia32_pause()
#elif defined(__GNUC__) && defined(__aarch64__)
#  define CN_PAUSE() __asm__ volatile("yield")
#else
#  define CN_PAUSE() ((void)0)
#endif

/* The most entries that a node has: those of its rows, rounded up to whole vectors, of which the
 * longest that a number of rows is rounded up to have 16 entries. */
enum { CN_LANES_MAX = CAIRN_ROWS_MAX };

_Static_assert(CAIRN_ROWS_MAX % 16 == 0, "the most rows fill whole vectors");

/* The largest cost of an arc or a step, so that sums of a few fit 32 bits; and as errors say it. */
enum { CN_ARC_COST_MAX = CAIRN_COST_MAX / 4 };
#define CN_ARC_COST_MAX_TEXT "268435455"

_Static_assert(CN_ARC_COST_MAX == 268435455, "the largest cost of an arc, as errors say it");

/* A sum of costs, or CAIRN_COST_MAX where that is less. */
CN_ALWAYS_INLINE cairn_cost cn_cost_capped(uint64_t cost)
{
    return cost > CAIRN_COST_MAX ? CAIRN_COST_MAX : (cairn_cost)cost;
}

/* How far two numbers are from one another. */
CN_ALWAYS_INLINE uint32_t cn_apart_by(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* Bytes that processors fetch together. */
enum { CN_CACHE_LINE = 64 };

/* Copies options. A caller may have been compiled against an older or newer header, so that its
 * struct has another size: the bytes that both sides know are copied, the other options keep their
 * defaults. False for an impossible size. */
bool cn_options_copy(void *to, size_t to_size, const void *from);

/* Fills an error, which may be NULL, and returns its status. `found` may be NULL; it is shortened
 * to fit, and bytes that cannot be printed are escaped. */
cairn_status cn_error_at_line(cairn_error *error, cairn_status status, uint64_t line,
                              const char *expected, const char *found, size_t found_size);
cairn_status cn_error_at_byte(cairn_error *error, cairn_status status, uint64_t offset,
                              const char *expected, const char *found, size_t found_size);

/* An error without a position in a text or file, for example of memory. */
cairn_status cn_error_general(cairn_error *error, cairn_status status, const char *expected);

/* The same, of a file that could not be read and that another one names. */
cairn_status cn_error_of_named(cairn_error *error, cairn_status status, const char *expected,
                               const char *name, size_t name_size);

#endif
