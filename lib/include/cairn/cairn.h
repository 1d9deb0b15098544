/*
 * Cairn: exact landmark tables for pathfinding on maps.
 *
 * A build computes the cost from a few chosen cells ("landmarks") to every cell of a map. The table
 * of those costs gives a lower bound on the cost from any cell a to any cell z,
 *
 *     h(a, z) = max(base(a, z), |cost(L1, z) - cost(L1, a)|, |cost(L2, z) - cost(L2, a)|, ...)
 *
 * where base(a, z) is the *base heuristic*, what is known without a table: octile distance on most
 * grids. An unchanged A* uses h in place of octile distance (Goldberg and Harrelson, "Computing the
 * shortest path: A* search meets graph theory", SODA 2005; Sturtevant et al., "Memory-based
 * heuristics for explicit state spaces", IJCAI 2009).
 *
 * Conventions
 *   Status   Every call that can fail returns a cairn_status: CAIRN_E_ARGUMENT for NULL where an
 *            object is needed and for options that make no sense, CAIRN_E_MEMORY when an
 *            allocation fails, and those in its own comment. (NULL with a size of 0 is an empty
 *            text or file.) After a failure outputs are NULL or zero, a cairn_path has no path, and
 *            arrays that were to be filled mean nothing, unless the comment of the call says more.
 *            "No path" is an answer, not a failure. Calls that return a value instead of a status
 *            must not be given NULL for an object.
 *   Costs    Unsigned integers in the metric of the map. Tables and searches count in the same
 *            units and never round.
 *   Nodes    On a grid, the node of the cell in column x and row y is y * width + x.
 *   Order    The object that a call works on comes first, then inputs, options, and last outputs;
 *            an array that is filled has its room or size behind it.
 *            A cairn_error may be NULL; after a success its contents mean nothing.
 *   Options  Structs that start with `size`, their own size: a program that was compiled with an
 *            older or later header works with this library. NULL, or a struct in which only `size`
 *            is set and all else is zero, means the defaults:
 *            cairn_search_options options = {.size = sizeof options};
 *            Members that the library does not know are ignored; a size below sizeof(size_t) or
 *            above 4096 is CAIRN_E_ARGUMENT. Structs without `size` do not change within a major
 *            version.
 *   Threads  A cairn_map and a cairn_table may be read by any number of threads while none
 *            changes them; a cairn_world lets them read while one changes them. A cairn_search or
 *            cairn_flood belongs to one thread at a time. Several threads may use copies of a
 *            cairn_bound, or one that none of them changes. At most 64 threads work on a call,
 *            whatever its `thread_count`.
 *   Memory   Comes from the cairn_allocator of the map (or of the call), and is freed by the
 *            matching cairn_*_free, which accepts NULL.
 *   Context  Callbacks and their `context` are copied, not what it points to: that must live as
 *            long as the call or the object that got it. They return to where they were called
 *            from: none may throw or jump out (other threads may be at work on the caller's stack).
 *            They may read maps and tables, but neither change nor free what the call works with,
 *            nor use the search, flood or world in whose call they are.
 *            An allocator must outlive everything that comes from it, thus also tables that outlive
 *            their map.
 *   Vectors  Vector instructions are chosen at run time, and change no result, but, where costs are
 *            not uniform, which of several shortest paths leads to the nearest of many goals, and
 *            what later runs of that search count. The environment
 *            variable CAIRN_SIMD limits them, to compare: `off`, `avx2` or `avx512`.
 *   Files    Names of files are UTF-8 on Windows; elsewhere any bytes that the system takes.
 *   Quiet    The library never prints, exits or aborts, and has no mutable global state.
 */
#ifndef CAIRN_CAIRN_H
#define CAIRN_CAIRN_H

/* In reading order. Each part includes what it needs, so that a program may include one alone. */
#include "cairn/base.h"
#include "cairn/map.h"
#include "cairn/nodes.h"
#include "cairn/edit.h"
#include "cairn/units.h"
#include "cairn/flood.h"
#include "cairn/scenario.h"
#include "cairn/table.h"
#include "cairn/bound.h"
#include "cairn/search.h"
#include "cairn/nearest.h"
#include "cairn/batch.h"
#include "cairn/ways.h"
#include "cairn/refresh.h"
#include "cairn/world.h"
#include "cairn/file.h"

#endif
