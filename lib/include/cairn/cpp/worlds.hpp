/* Worlds and views of them. Part of cairn/cairn.hpp. */
#ifndef CAIRN_CPP_WORLDS_HPP
#define CAIRN_CPP_WORLDS_HPP

#include <utility>

#include "cairn/cpp/owners.hpp"

namespace cairn {

/* cairn_world_new with owners: the world takes what `of` and `rows` own, unless it fails; then all
 * three keep what they had. An array of bytes or nodes that was made with the map must go before
 * the world does. */
inline cairn_status new_world(map &of, table &rows, world &made)
{
    cairn_world *fresh = nullptr;
    const cairn_status status = cairn_world_new(of.get(), rows.get(), &fresh);
    if (status == CAIRN_OK) {
        static_cast<void>(of.release());
        static_cast<void>(rows.release());
        made.reset(fresh);
    }
    return status;
}

/* The same without a table. */
inline cairn_status new_world(map &of, world &made)
{
    table none;
    return new_world(of, none, made);
}

/* A reader's view of a world, released at the end of the block, by reset() or when another view is
 * moved into it. It may lie in a container or another object: both must go before the world. */
class view {
public:
    view() = default;
    explicit view(ref<cairn_world> from) : world_(from), view_(cairn_world_acquire(world_)) {}
    view(view &&other) noexcept : world_(other.world_), view_(other.view_)
    {
        other.view_ = cairn_view();
    }
    view &operator=(view &&other) noexcept
    {
        view taken(std::move(other));
        std::swap(world_, taken.world_);
        std::swap(view_, taken.view_);
        return *this;
    }
    ~view() { reset(); }
    /* Releases it: it is empty then. */
    void reset() { cairn_world_release(world_, &view_); }
    explicit operator bool() const { return view_.map != nullptr; }
    const cairn_view *operator->() const & { return &view_; }
    const cairn_view *operator->() const && = delete; /* it would be released at once */

private:
    cairn_world *world_ = nullptr;
    cairn_view view_ = cairn_view();
};

} // namespace cairn

#endif
