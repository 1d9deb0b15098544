/*
 * Cairn from C++ (11 and later): the calls of cairn.h, and owners of the objects that they make.
 *
 *     cairn::map map;
 *     cairn::table table;
 *     if (cairn_load(path, nullptr, cairn::out(map), cairn::out(table), &error) != CAIRN_OK)
 *         return complain(cairn::text(error, path));
 *     cairn::search search;
 *     cairn_search_new(map.get(), table.get(), nullptr, cairn::out(search));
 *
 * Nothing but this header. It throws nothing, and no callback may throw: return false, 0 or NULL
 * instead, and rethrow when the call has returned.
 *
 * Owners are std::unique_ptr: declare the map before the searches, batches, floods and scenarios of
 * it, so that it goes last. `out` frees what the owner had, also where the call fails. So a map
 * that searches use is replaced by way of another owner:
 *
 *     cairn::map next;
 *     cairn_map_load(path, nullptr, cairn::out(next), &error);
 *     if (cairn_search_use(search.get(), next.get(), nullptr) == CAIRN_OK)
 *         map = std::move(next);
 */
#ifndef CAIRN_CAIRN_HPP
#define CAIRN_CAIRN_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#if __cplusplus >= 202002L
#  include <ranges>
#endif

#include "cairn/cairn.h"

namespace cairn {

struct deleter {
    void operator()(cairn_map *it) const { cairn_map_free(it); }
    void operator()(cairn_table *it) const { cairn_table_free(it); }
    void operator()(cairn_flood *it) const { cairn_flood_free(it); }
    void operator()(cairn_search *it) const { cairn_search_free(it); }
    void operator()(cairn_batch *it) const { cairn_batch_free(it); }
    void operator()(cairn_world *it) const { cairn_world_free(it); }
    void operator()(cairn_scenario *it) const { cairn_scenario_free(it); }
    void operator()(cairn_edits *it) const { cairn_edits_free(it); }
    void operator()(cairn_dynamic *it) const { cairn_dynamic_free(it); }
};

using map = std::unique_ptr<cairn_map, deleter>;
using table = std::unique_ptr<cairn_table, deleter>;
using flood = std::unique_ptr<cairn_flood, deleter>;
using search = std::unique_ptr<cairn_search, deleter>;
using batch = std::unique_ptr<cairn_batch, deleter>;
using world = std::unique_ptr<cairn_world, deleter>; /* see new_world */
using scenario = std::unique_ptr<cairn_scenario, deleter>;
using edits = std::unique_ptr<cairn_edits, deleter>;
using dynamic = std::unique_ptr<cairn_dynamic, deleter>;

/* The line of cairn_error_text. */
inline std::string text(const cairn_error &error, const char *name = nullptr)
{
    std::string line(cairn_error_text(&error, name, nullptr, 0) + 1, '\0');
    cairn_error_text(&error, name, &line[0], line.size());
    line.pop_back();
    return line;
}

/* The output argument of a call: at the end of the full expression the owner frees the object that
 * it had and takes the new one. What follows in the same expression, after an `||` too, sees the
 * owner as it was before. */
template <class T>
class out_pointer {
public:
    explicit out_pointer(std::unique_ptr<T, deleter> &owner) : owner_(&owner) {}
    out_pointer(out_pointer &&other) noexcept : owner_(other.owner_), made_(other.made_)
    {
        other.owner_ = nullptr;
    }
    out_pointer &operator=(out_pointer &&) = delete;
    ~out_pointer()
    {
        if (owner_)
            owner_->reset(made_);
    }
    operator T **() { return &made_; }

private:
    std::unique_ptr<T, deleter> *owner_;
    T *made_ = nullptr;
};

template <class T>
out_pointer<T> out(std::unique_ptr<T, deleter> &owner)
{
    return out_pointer<T>(owner);
}

/* The bytes of cairn_save_bytes, or the nodes of cairn_landmarks_place. The map that it is made of,
 * from whose memory they come, must be there already, and outlive them.
 *
 *     cairn::array<std::uint8_t> file(map);
 *     cairn_save_bytes(map.get(), table.get(), nullptr, file.out(), file.out_size());
 */
template <class T>
class array {
public:
    explicit array(const map &of) : map_(of.get()) {}
    explicit array(const cairn_map *of) : map_(of) {}
    array(array &&other) noexcept : map_(other.map_) { swap(other); }
    array &operator=(array &&other) noexcept
    {
        array taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~array() { give_back(items_); }
    void swap(array &other) noexcept
    {
        std::swap(map_, other.map_);
        std::swap(items_, other.items_);
        std::swap(size_, other.size_);
    }
    /* The output arguments of a call. What the array had is freed. */
    T **out()
    {
        give_back(items_);
        items_ = nullptr;
        size_ = 0;
        return &items_;
    }
    std::size_t *out_size() { return &size_; }
    T *data() const { return items_; }
    std::size_t size() const { return size_; }
    T *begin() const { return items_; }
    T *end() const { return items_ + size_; }
    T &operator[](std::size_t index) const { return items_[index]; }

private:
    void give_back(std::uint8_t *bytes) { cairn_bytes_free(map_, bytes); }
    void give_back(cairn_node *nodes) { cairn_nodes_free(map_, nodes); }

    const cairn_map *map_ = nullptr;
    T *items_ = nullptr;
    std::size_t size_ = 0;
};

/* cairn_world_new with owners: the world takes what `of` and `rows` own, unless it fails; then all
 * three keep what they had. An array of bytes or nodes that was made with the map must go before
 * the world does. */
inline cairn_status new_world(map &of, table &rows, world &made)
{
    world fresh;
    const cairn_status status = cairn_world_new(of.get(), rows.get(), out(fresh));
    if (status == CAIRN_OK) {
        static_cast<void>(of.release());
        static_cast<void>(rows.release());
        made = std::move(fresh);
    }
    return status;
}

/* A reader's view of a world, released at the end of the block. */
class view {
public:
    explicit view(const world &from) : world_(from.get()), view_(cairn_world_acquire(world_)) {}
    view(const view &) = delete;
    view &operator=(const view &) = delete;
    ~view() { cairn_world_release(world_, &view_); }
    const cairn_view *operator->() const & { return &view_; }
    const cairn_view *operator->() const && = delete; /* it would be released at once */

private:
    cairn_world *world_;
    cairn_view view_;
};

/* Options at their defaults: auto choice = cairn::options<cairn_build_options>(); */
template <class Options>
Options options()
{
    static_assert(!std::is_same<Options, cairn_stream>::value,
                  "its size is that of what is read: cairn_stream stream{}");
    Options made{};
    made.size = sizeof made;
    return made;
}

/* The nodes of a path or a list of landmarks, where they lie. */
template <class T>
struct range {
    using value_type = T;
    const T *first;
    std::size_t count;
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

inline range<cairn_node> landmarks(const cairn_table *of, uint32_t row)
{
    const cairn_node *first = nullptr;
    std::size_t count = cairn_table_landmarks(of, row, &first);
    return {first, count};
}

} // namespace cairn

#if __cplusplus >= 202002L
template <class T>
inline constexpr bool std::ranges::enable_borrowed_range<cairn::range<T>> = true;
#endif

#endif
