/* Nodes, costs, statuses, allocators, progress and metrics, which all other headers use. Part of
 * cairn/cairn.h, which has the conventions of all calls. */
#ifndef CAIRN_BASE_H
#define CAIRN_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAIRN_VERSION_MAJOR 0
#define CAIRN_VERSION_MINOR 2
#define CAIRN_VERSION_PATCH 0

#if defined(CAIRN_SHARED) && defined(_WIN32)
#  ifdef CAIRN_BUILDING
#    define CAIRN_API __declspec(dllexport)
#  else
#    define CAIRN_API __declspec(dllimport)
#  endif
#elif defined(__GNUC__)
#  define CAIRN_API __attribute__((visibility("default")))
#else
#  define CAIRN_API
#endif

/* Of a type: where a result of it is ignored, C++17 and clang++ warn. C does not: a program that
 * defines it as nothing before it includes the headers is not warned either. */
#ifndef CAIRN_NODISCARD
#  if defined(__cplusplus) && defined(__clang__)
#    define CAIRN_NODISCARD __attribute__((warn_unused_result))
#  elif defined(__cplusplus) && __cplusplus >= 201703L
#    define CAIRN_NODISCARD [[nodiscard]]
#  elif defined(_MSVC_LANG) && _MSVC_LANG >= 201703L
#    define CAIRN_NODISCARD [[nodiscard]]
#  else
#    define CAIRN_NODISCARD
#  endif
#endif

/* Of a call that does nothing but return a value: GCC and clang warn where that is ignored. */
#ifndef CAIRN_MUST_USE
#  if defined(__GNUC__) || defined(__clang__)
#    define CAIRN_MUST_USE __attribute__((warn_unused_result))
#  else
#    define CAIRN_MUST_USE
#  endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that is linked, as "major.minor.patch". Static; never freed. */
CAIRN_API const char *cairn_version(void);

/* A node: a cell of a grid or a node of a graph. */
typedef uint32_t cairn_node;

/* No node: the result of a lookup outside the map. */
#define CAIRN_NO_NODE UINT32_MAX

/* A cost in the metric of the map. */
typedef uint32_t cairn_cost;

/* No finite cost: there is no path. */
#define CAIRN_UNREACHABLE UINT32_MAX

/* The largest finite cost. Where a cost would be larger the call fails with CAIRN_E_LIMIT instead
 * of returning a wrong cost; a coarser metric then helps. */
#define CAIRN_COST_MAX UINT32_C(0x3ffffffe)

/* The most rows that one table holds. */
#define CAIRN_ROWS_MAX 256

/* The most candidates for landmarks that one build evaluates. */
#define CAIRN_CANDIDATES_MAX 65536

/* The largest width or height of a grid, and the most nodes of any map. */
#define CAIRN_SIDE_MAX 65535
#define CAIRN_NODES_MAX (UINT32_C(1) << 28)

typedef enum CAIRN_NODISCARD cairn_status {
    CAIRN_OK = 0,
    CAIRN_E_ARGUMENT,  /* the caller broke the contract of the call */
    CAIRN_E_MEMORY,    /* the allocator returned NULL */
    CAIRN_E_IO,        /* a file could not be opened, read or written; errno tells why */
    CAIRN_E_FORMAT,    /* bytes that the format does not allow */
    CAIRN_E_VERSION,   /* a later version of the format, or a feature this build lacks */
    CAIRN_E_LIMIT,     /* larger than the documented limits, or than a memory_limit */
    CAIRN_E_MISMATCH,  /* a table and a map that do not belong together */
    CAIRN_E_INEXACT,   /* a table entry that is not the exact cost */
    CAIRN_E_CANCELLED, /* a callback asked to stop: `progress`, or `cancel` of a search */
    CAIRN_MORE,        /* no failure: refreshing has work left */
    CAIRN_BUSY,        /* no failure: readers still use the copy that a cairn_world would write */
    CAIRN_E_CHANGED,   /* the map or the table changed between two calls that belong together */
    CAIRN_E_STALE,     /* a table that lacks edits of its map, where every row must be exact */
    CAIRN_E_RESIDENT   /* rows live where the call cannot use them: see cairn_resident */
} cairn_status;

/* A few words for a status, e.g. "out of memory". Static; never NULL. */
CAIRN_API const char *cairn_status_text(cairn_status status);

/* Where and why a file or a text was refused. All strings are constant or stored inside. */
typedef struct cairn_error {
    cairn_status status;
    uint64_t line;        /* 1-based line of a text format; 0 where lines mean nothing */
    uint64_t offset;      /* of what was found, in bytes from the start of the file or text */
    const char *expected; /* what should have been there; constant; NULL when not known */
    char found[64];       /* what was there, unprintable bytes as in \x00; of CAIRN_E_IO, why the
                           * file could not be read, behind its name where another file names it.
                           * May be empty */
} cairn_error;

/* Writes an error as a line for people, without the end of the line, such as
 *     town.map:7: expected another row of the map, found "the end of the file"
 * `name` is the name of what was read; NULL leaves it out. If the error says no more than its
 * status, the line has the text of the status. If the line and its final zero do not fit `size`
 * bytes, its beginning is written; `text` may be NULL where `size` is 0. Returns the length of the
 * whole line. */
CAIRN_API size_t cairn_error_text(const cairn_error *error, const char *name, char *text,
                                  size_t size);

/* Where memory comes from. `allocate` returns NULL when there is none; it need not align its
 * blocks, and is never asked for 0 bytes. `release` never gets NULL. Both may be called from
 * several threads at once. NULL instead of a struct: malloc and free. */
typedef struct cairn_allocator {
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *memory);
    void *context;
} cairn_allocator;

/* Called repeatedly during long work, for maps of many millions of cells at intervals of seconds,
 * from the thread that made the call (see cairn_pool). `stage` is a constant word, and `done` of
 * `total` units of the work of that stage are done; each stage has units of its own. Which stages
 * there are may change with each version, but from before a save creates its temporary file until
 * it has renamed or removed it, the word is "write". Returning false stops the work with
 * CAIRN_E_CANCELLED; no outputs remain. */
typedef struct cairn_progress {
    bool (*report)(void *context, const char *stage, uint64_t done, uint64_t total);
    void *context;
} cairn_progress;

/* Threads of the caller, on which parallel work runs instead of threads that the library starts
 * (cairn_map_use_pool, cairn_load_options). `run` calls job(argument) up to `count` times, on any
 * threads, in any order, at the same time or one after another, and returns when every call that it
 * began has returned. It may make fewer calls, or none: the thread that called the library does
 * what is left. A job that has begun may wait for others that have begun, never for one that has
 * not, and must keep its thread until it returns. Results do not depend on any of this. Progress is
 * then reported by one of the pool's threads, always the same one during a `run`. Libraries without
 * threads (CAIRN_NO_THREADS, WebAssembly) do all work in the calling thread. */
typedef struct cairn_pool {
    void (*run)(void *context, uint32_t count, void (*job)(void *argument), void *argument);
    void *context;
} cairn_pool;

/* The largest cost of a step in a metric. */
#define CAIRN_METRIC_MAX (UINT32_C(1) << 24)

/* The cost of one straight and of one diagonal step on a grid; straight <= diagonal <= 2 *
 * straight, straight > 0, and diagonal <= CAIRN_METRIC_MAX. All costs are sums of these, so the
 * ratio of the two decides how closely costs follow the lengths 1 and sqrt(2). */
typedef struct cairn_metric {
    uint32_t straight;
    uint32_t diagonal;
} cairn_metric;

/* The default: 2378/3363. It orders two paths as their true lengths do whenever their numbers of
 * diagonal steps differ by fewer than 2,378. */
#ifdef __cplusplus
#  define CAIRN_METRIC_OCTILE (cairn_metric{2378, 3363})
#else
#  define CAIRN_METRIC_OCTILE ((cairn_metric){2378, 3363})
#endif

#ifdef __cplusplus
}
#endif

#endif
