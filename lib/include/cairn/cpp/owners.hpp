/* Owners of what calls make, and the arguments of calls. Part of cairn/cairn.hpp. */
#ifndef CAIRN_CPP_OWNERS_HPP
#define CAIRN_CPP_OWNERS_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

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

/* An object as an argument of a call: its owner or its address, or nullptr. */
template <class T>
class ref {
public:
    ref(T *it) : it_(it) {}
    template <class Owner, class = typename std::enable_if<std::is_convertible<
                               decltype(std::declval<const Owner &>().get()), T *>::value>::type>
    ref(const Owner &owner) : it_(owner.get())
    {
    }
    operator T *() const { return it_; }

private:
    T *it_;
};

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
    using value_type = T;
    using size_type = std::size_t;
    using reference = T &;
    using iterator = T *;
    using const_iterator = const T *;

    explicit array(ref<const cairn_map> of) : map_(of) {}
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
    bool empty() const { return size_ == 0; }
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

} // namespace cairn

#endif
