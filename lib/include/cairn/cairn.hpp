/*
 * Cairn from C++ (11 and later): the calls of cairn.h, and what makes them shorter.
 *
 *     cairn::map map;
 *     cairn::table table;
 *     cairn::search search;
 *     if (cairn::load(path, map, table, &error) != CAIRN_OK ||
 *         cairn::new_search(map, table, search) != CAIRN_OK)
 *         return complain(cairn::text(error, path));
 *     cairn_search_run(search.get(), start, goal, &path);
 *
 * Nothing but headers. They throw nothing but what containers throw when memory is short, and in
 * cairn::check; and no callback may throw: return false, 0 or NULL instead, and rethrow when the
 * call has returned.
 *
 * Owners are std::unique_ptr: declare the map before the searches, batches, floods and scenarios of
 * it, so that it goes last. A map that searches use is replaced by way of another owner:
 *
 *     cairn::map next;
 *     cairn::load_map(path, next);
 *     if (cairn_search_use(search.get(), next.get(), nullptr) == CAIRN_OK)
 *         map = std::move(next);
 */
#ifndef CAIRN_CAIRN_HPP
#define CAIRN_CAIRN_HPP

/* In reading order. Each part includes what it needs, so that a program may include one alone. */
#include "cairn/cairn.h"
#include "cairn/cpp/owners.hpp"
#include "cairn/cpp/errors.hpp"
#include "cairn/cpp/ranges.hpp"
#include "cairn/cpp/makers.hpp"
#include "cairn/cpp/calls.hpp"
#include "cairn/cpp/worlds.hpp"
#include "cairn/cpp/callbacks.hpp"
#include "cairn/cpp/flow_field.hpp"

#endif
