/* Lambdas, and any other objects that are called, as callbacks. Part of cairn/cairn.hpp.
 *
 *     auto report = [&](const char *stage, std::uint64_t done, std::uint64_t total) {
 *         bar.show(stage, done, total);
 *         return !bar.is_cancelled();
 *     };
 *     const cairn_progress progress = cairn::progress(report);
 *     options.progress = &progress;
 *
 * The library keeps the address of the object: it must live as long as what got it, which each
 * comment says. So temporary ones are refused. None may throw: that ends the program. */
#ifndef CAIRN_CPP_CALLBACKS_HPP
#define CAIRN_CPP_CALLBACKS_HPP

#include <cstdint>
#include <memory>

#include "cairn/cairn.h"

namespace cairn {

namespace detail {

template <class F>
void *context_of(F &call)
{
    return const_cast<void *>(static_cast<const void *>(std::addressof(call)));
}

} // namespace detail

/* bool report(const char *stage, uint64_t done, uint64_t total); for as long as the call. */
template <class F>
cairn_progress progress(F &report)
{
    cairn_progress made;
    made.report = [](void *context, const char *stage, std::uint64_t done,
                     std::uint64_t total) noexcept -> bool {
        return (*static_cast<F *>(context))(stage, done, total);
    };
    made.context = detail::context_of(report);
    return made;
}

/* A job of cairn_pool.run, to be called by any thread; a value. */
struct job {
    void operator()() const { run(argument); }
    void (*run)(void *argument);
    void *argument;
};

/* void run(uint32_t count, cairn::job job); for as long as maps use it. */
template <class F>
cairn_pool pool(F &run)
{
    cairn_pool made;
    made.run = [](void *context, std::uint32_t count, void (*call)(void *),
                  void *argument) noexcept {
        (*static_cast<F *>(context))(count, job{call, argument});
    };
    made.context = detail::context_of(run);
    return made;
}

/* Set options of a search, for as long as the searches and batches that are made with them.
 *
 * bool stop(): whether to end the search. */
template <class F>
void cancel(cairn_search_options &options, F &stop)
{
    options.cancel = [](void *context) noexcept -> bool { return (*static_cast<F *>(context))(); };
    options.cancel_context = detail::context_of(stop);
}

/* void see(cairn_node node) */
template <class F>
void on_expand(cairn_search_options &options, F &see)
{
    options.on_expand = [](void *context, cairn_node node) noexcept {
        (*static_cast<F *>(context))(node);
    };
    options.expand_context = detail::context_of(see);
}

/* cairn_cost heuristic(cairn_node node) */
template <class F>
void bound(cairn_search_options &options, F &heuristic)
{
    options.bound = [](void *context, cairn_node node) noexcept -> cairn_cost {
        return (*static_cast<F *>(context))(node);
    };
    options.bound_context = detail::context_of(heuristic);
}

} // namespace cairn

#endif
