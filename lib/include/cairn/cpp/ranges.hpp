/* Ranges over what calls list, steps of a node, and copies of paths. Part of cairn/cairn.hpp. */
#ifndef CAIRN_CPP_RANGES_HPP
#define CAIRN_CPP_RANGES_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>
#if __cplusplus >= 202002L
#  include <ranges>
#endif

#include "cairn/cpp/owners.hpp"

namespace cairn {

/* Items where they lie: what a call lists, or a list for a call, made of anything that has data()
 * and size(), of an array, or of items in braces (for the length of that call). */
template <class T>
struct range {
    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using reference = const T &;
    using const_reference = const T &;
    using iterator = const T *;
    using const_iterator = const T *;

    range() = default;
    range(const T *items, std::size_t size) : first(items), count(size) {}
    range(std::initializer_list<T> items) : range(items.begin(), items.size()) {}
    template <std::size_t size>
    range(const T (&items)[size]) : range(items, size)
    {
    }
    template <class List,
              class = typename std::enable_if<std::is_convertible<
                  decltype(std::declval<const List &>().data()), const T *>::value>::type>
    range(const List &list) : range(list.data(), list.size())
    {
    }

    const T *first = nullptr;
    std::size_t count = 0;
    const T *begin() const { return first; }
    const T *end() const { return first + count; }
    const T *data() const { return first; }
    const T &front() const { return first[0]; }
    const T &back() const { return first[count - 1]; }
    std::size_t size() const { return count; }
    bool empty() const { return count == 0; }
    const T &operator[](std::size_t index) const { return first[index]; }
};

inline range<cairn_node> nodes(const cairn_path &path)
{
    return {path.nodes, path.node_count};
}

inline range<cairn_node> corners(const cairn_path &path)
{
    return {path.corners, path.corner_count};
}

inline range<cairn_node> landmarks(ref<const cairn_table> of, std::uint32_t row)
{
    const cairn_node *first = nullptr;
    const std::size_t count = cairn_table_landmarks(of, row, &first);
    return {first, count};
}

inline range<cairn_query> queries(ref<const cairn_scenario> of)
{
    return {cairn_scenario_queries(of), cairn_scenario_count(of)};
}

inline range<cairn_edit> items(ref<const cairn_edits> of)
{
    return {cairn_edits_items(of), cairn_edits_count(of)};
}

inline range<cairn_event> events(ref<const cairn_dynamic> of)
{
    return {cairn_dynamic_events(of), cairn_dynamic_count(of)};
}

/* The paths of a batch, in the order of its queries. */
inline range<cairn_path> paths(ref<const cairn_batch> of)
{
    return {cairn_batch_paths(of), cairn_batch_count(of)};
}

/* The steps that leave a node, or lead to it, by value. Only a graph with more arcs than a cell has
 * steps takes memory for them. */
class step_list {
public:
    using value_type = cairn_arc;
    using size_type = std::size_t;
    using iterator = const cairn_arc *;
    using const_iterator = const cairn_arc *;

    const cairn_arc *begin() const { return data(); }
    const cairn_arc *end() const { return data() + size(); }
    const cairn_arc *data() const { return many_.empty() ? few_ : many_.data(); }
    std::size_t size() const { return many_.empty() ? few_count_ : many_.size(); }
    bool empty() const { return size() == 0; }
    const cairn_arc &operator[](std::size_t index) const { return data()[index]; }

private:
    using call = std::uint32_t(const cairn_map *, cairn_node, cairn_arc *, std::uint32_t);
    friend step_list steps(ref<const cairn_map> of, cairn_node node);
    friend step_list steps_to(ref<const cairn_map> of, cairn_node node);

    step_list(call &list, const cairn_map *of, cairn_node node)
    {
        const std::uint32_t count = list(of, node, few_, CAIRN_STEPS_MAX);
        if (count <= CAIRN_STEPS_MAX) {
            few_count_ = count;
        } else {
            many_.resize(count);
            list(of, node, many_.data(), count);
        }
    }

    cairn_arc few_[CAIRN_STEPS_MAX];
    std::size_t few_count_ = 0;
    std::vector<cairn_arc> many_;
};

inline step_list steps(ref<const cairn_map> of, cairn_node node)
{
    return step_list(cairn_steps, of, node);
}

inline step_list steps_to(ref<const cairn_map> of, cairn_node node)
{
    return step_list(cairn_steps_to, of, node);
}

/* A path that outlives the next run of its search. */
struct path_copy {
    path_copy() = default;
    explicit path_copy(const cairn_path &path) { assign(path); }
    /* Takes another path, in the memory that there is. */
    void assign(const cairn_path &path)
    {
        outcome = path.outcome;
        cost = path.cost;
        length = path.length;
        which = path.which;
        nodes.assign(path.nodes, path.nodes + path.node_count);
        corners.assign(path.corners, path.corners + path.corner_count);
    }

    cairn_outcome outcome = CAIRN_PATH_NONE;
    cairn_cost cost = CAIRN_UNREACHABLE;
    double length = 0;
    std::size_t which = 0;
    std::vector<cairn_node> nodes;
    std::vector<cairn_node> corners;
};

} // namespace cairn

#if __cplusplus >= 202002L
template <class T>
inline constexpr bool std::ranges::enable_borrowed_range<cairn::range<T>> = true;
template <class T>
inline constexpr bool std::ranges::enable_view<cairn::range<T>> = true;
#endif

#endif
