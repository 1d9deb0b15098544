/* Calls that take lists, with containers, arrays or items in braces in place of addresses and
 * counts. Part of cairn/cairn.hpp.
 *
 *     cairn::edit(map, {cairn_block(6, 2), cairn_terrain(3, 3, 'T')});
 *
 * Vectors that receive results get the size that these have. They alone take memory here, and may
 * throw std::bad_alloc. */
#ifndef CAIRN_CPP_CALLS_HPP
#define CAIRN_CPP_CALLS_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/cpp/ranges.hpp"

namespace cairn {

namespace detail {

/* What a map has against edits that were refused. */
inline void why_not(const cairn_map *of, range<cairn_edit> list, cairn_status status,
                    cairn_error *error)
{
    if (!error || (status != CAIRN_OK &&
                   cairn_map_check_edits(of, list.data(), list.size(), error) == status))
        return;
    *error = cairn_error();
    error->status = status;
}

} // namespace detail

/* Of edits that are refused, `error` says why, and which is the first: its `line`, from 1
 * (cairn_map_check_edits). */
inline cairn_status edit(ref<cairn_map> of, range<cairn_edit> list, cairn_error *error = nullptr)
{
    const cairn_status status = cairn_map_edit(of, list.data(), list.size());
    detail::why_not(of, list, status, error);
    if (error && status == CAIRN_E_ARGUMENT && !error->expected && cairn_map_unit_size(of) > 1)
        error->expected = "an edit of the map that a map for units follows";
    return status;
}

/* The draft of a world. */
inline cairn_status edit(ref<cairn_world> of, range<cairn_edit> list, cairn_error *error = nullptr)
{
    const cairn_status status = cairn_world_edit(of, list.data(), list.size());
    if (!error)
        return status;
    cairn_view published = cairn_world_acquire(of); /* accepts what the draft does */
    detail::why_not(published.map, list, status, error);
    cairn_world_release(of, &published);
    return status;
}

/* No extra costs: the nodes may not be entered. No nodes: ends avoiding. CAIRN_E_ARGUMENT also
 * where there are extra costs, but not one for each node. */
inline cairn_status avoid(ref<cairn_search> of, range<cairn_node> nodes,
                          range<cairn_cost> extra = {})
{
    if (!extra.empty() && extra.size() != nodes.size())
        return CAIRN_E_ARGUMENT;
    return cairn_search_avoid(of, nodes.data(), extra.data(), nodes.size());
}

inline cairn_status run_to_any(ref<cairn_search> of, cairn_node start, range<cairn_node> goals,
                               cairn_path &path)
{
    return cairn_search_run_to_any(of, start, goals.data(), goals.size(), &path);
}

inline cairn_status run_from_any(ref<cairn_search> of, range<cairn_node> starts, cairn_node goal,
                                 cairn_path &path)
{
    return cairn_search_run_from_any(of, starts.data(), starts.size(), goal, &path);
}

inline cairn_status begin_to_any(ref<cairn_search> of, cairn_node start, range<cairn_node> goals,
                                 cairn_path &path)
{
    return cairn_search_begin_to_any(of, start, goals.data(), goals.size(), &path);
}

inline cairn_status begin_from_any(ref<cairn_search> of, range<cairn_node> starts, cairn_node goal,
                                   cairn_path &path)
{
    return cairn_search_begin_from_any(of, starts.data(), starts.size(), goal, &path);
}

inline cairn_status path_cost(ref<const cairn_map> of, range<cairn_node> nodes, cairn_cost &cost,
                              std::size_t *broken = nullptr)
{
    return cairn_path_cost(of, nodes.data(), nodes.size(), &cost, broken);
}

namespace detail {

template <class Call, class Object>
cairn_status pull(Call call, const Object *of, const cairn_path &path,
                  std::vector<cairn_node> &waypoints, double *length)
{
    std::size_t count = path.corner_count;
    waypoints.resize(count);
    const cairn_status status = call(of, &path, waypoints.data(), &count, length);
    waypoints.resize(count);
    return status;
}

} // namespace detail

inline cairn_status pull(ref<const cairn_search> of, const cairn_path &path,
                         std::vector<cairn_node> &waypoints, double *length = nullptr)
{
    return detail::pull<decltype(&cairn_search_pull), cairn_search>(cairn_search_pull, of, path,
                                                                    waypoints, length);
}

inline cairn_status pull(ref<const cairn_map> of, const cairn_path &path,
                         std::vector<cairn_node> &waypoints, double *length = nullptr)
{
    return detail::pull<decltype(&cairn_path_pull), cairn_map>(cairn_path_pull, of, path, waypoints,
                                                               length);
}

/* A matrix, row by row: that from sources[i] to targets[j] is costs[i * targets.size() + j]. */
inline cairn_status distances(ref<const cairn_map> of, ref<const cairn_table> rows,
                              range<cairn_node> sources, range<cairn_node> targets,
                              std::vector<cairn_cost> &costs, std::uint32_t thread_count = 0)
{
    costs.resize(sources.size() * targets.size());
    return cairn_distances(of, rows, sources.data(), sources.size(), targets.data(), targets.size(),
                           thread_count, costs.data());
}

/* The number of each node's component. */
inline cairn_status components(ref<const cairn_map> of, std::vector<std::uint32_t> &numbers,
                               std::uint32_t *count = nullptr,
                               cairn_connection connection = CAIRN_CONNECTED)
{
    numbers.resize(cairn_map_node_count(of));
    return cairn_map_components(of, connection, numbers.data(), count);
}

inline cairn_status costs_from(ref<const cairn_map> of, range<cairn_node> sources,
                               std::vector<cairn_cost> &costs)
{
    costs.resize(cairn_map_node_count(of));
    return cairn_costs_from(of, sources.data(), sources.size(), costs.data());
}

inline cairn_status costs_to(ref<const cairn_map> of, range<cairn_node> targets,
                             std::vector<cairn_cost> &costs)
{
    costs.resize(cairn_map_node_count(of));
    return cairn_costs_to(of, targets.data(), targets.size(), costs.data());
}

} // namespace cairn

#endif
