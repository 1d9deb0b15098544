/* Flow fields that keep what they need to follow edits. Part of cairn/cairn.hpp. */
#ifndef CAIRN_CPP_FLOW_FIELD_HPP
#define CAIRN_CPP_FLOW_FIELD_HPP

#include <cstdint>
#include <utility>
#include <vector>

#include "cairn/cpp/makers.hpp"

namespace cairn {

/* A flow field with its targets, its costs and the state of the map that it is for:
 *
 *     cairn::flow_field field;
 *     if (field.aim(map, exits) == CAIRN_OK)
 *         node = field.next(node);
 *     ...                                  edits of the map
 *     field.update();                      in time for the nodes whose costs change
 *
 * The map must outlive it. `next` and `update` read the map: that of a view of a world only until
 * the view is released, since the writer changes it afterwards. So hold a view, and update the
 * field to it, while units take steps. Several threads may ask for steps and costs while none
 * changes it. It takes the memory of a cairn_flood: programs with very many fields make one of
 * these for all, and call cairn_flood_flow and cairn_flow_repair. */
class flow_field {
public:
    flow_field() = default;

    /* The other field is none afterwards. */
    flow_field(flow_field &&other) noexcept { swap(other); }
    flow_field &operator=(flow_field &&other) noexcept
    {
        flow_field taken(std::move(other));
        swap(taken);
        return *this;
    }

    void swap(flow_field &other) noexcept
    {
        std::swap(map_, other.map_);
        std::swap(flood_, other.flood_);
        std::swap(hash_, other.hash_);
        std::swap(is_made_, other.is_made_);
        targets_.swap(other.targets_);
        flow_.swap(other.flow_);
        costs_.swap(other.costs_);
    }

    /* Computes the field of a map to the nearest of `targets`, which are copied; the results are
     * those of cairn_flood_flow. A former map must still exist. */
    cairn_status aim(ref<const cairn_map> of, range<cairn_node> targets)
    {
        std::vector<cairn_node> copy(targets.begin(), targets.end());
        is_made_ = false; /* until it is: there may be no memory on the way */
        if (!flood_ || cairn_flood_use(flood_.get(), of) != CAIRN_OK) {
            const cairn_status status = new_flood(of, flood_);
            if (status != CAIRN_OK)
                return status;
        }
        map_ = of;
        targets_ = std::move(copy);
        return make();
    }

    /* Makes the field follow edits of its map, with the results of cairn_flow_repair; no work where
     * nothing has changed. After CAIRN_E_ARGUMENT, as for a target that is blocked now, it stays as
     * it was; after other failures it is not made, and the next call computes all of it. */
    cairn_status update()
    {
        if (!is_made_)
            return make();
        const std::uint64_t now = cairn_map_hash(map_);
        if (now == hash_)
            return CAIRN_OK;
        const cairn_status status = cairn_flow_repair(
            flood_.get(), targets_.data(), targets_.size(), hash_, flow_.data(), costs_.data());
        is_made_ = status == CAIRN_OK || status == CAIRN_E_ARGUMENT;
        if (status == CAIRN_OK)
            hash_ = now;
        return status;
    }

    /* The same on another state of the map, as in a view of a world: see cairn_flood_use. */
    cairn_status update(ref<const cairn_map> of)
    {
        const cairn_status status = cairn_flood_use(flood_.get(), of);
        if (status != CAIRN_OK)
            return status;
        map_ = of;
        return update();
    }

    /* Where a unit goes from a node: see cairn_flow_next. CAIRN_NO_NODE where there is no field. */
    cairn_node next(cairn_node node) const
    {
        return is_made_ ? cairn_flow_next(map_, flow_.data(), node) : CAIRN_NO_NODE;
    }

    /* The cost from a node to the nearest target. */
    cairn_cost cost(cairn_node node) const
    {
        return is_made_ && node < costs_.size() ? costs_[node] : CAIRN_UNREACHABLE;
    }

    explicit operator bool() const { return is_made_; }
    range<std::uint8_t> steps() const { return flow_; }
    range<cairn_cost> costs() const { return costs_; }
    range<cairn_node> targets() const { return targets_; }

private:
    cairn_status make()
    {
        if (!flood_)
            return CAIRN_E_ARGUMENT;
        flow_.resize(cairn_map_node_count(map_));
        costs_.resize(flow_.size());
        const cairn_status status = cairn_flood_flow(flood_.get(), targets_.data(), targets_.size(),
                                                     flow_.data(), costs_.data());
        is_made_ = status == CAIRN_OK;
        hash_ = cairn_map_hash(map_);
        return status;
    }

    const cairn_map *map_ = nullptr;
    flood flood_;
    std::uint64_t hash_ = 0;
    bool is_made_ = false;
    std::vector<cairn_node> targets_;
    std::vector<std::uint8_t> flow_;
    std::vector<cairn_cost> costs_;
};

} // namespace cairn

#endif
