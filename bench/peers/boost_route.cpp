// Boost Graph: A* over a compressed sparse row graph, as its manual shows it.
#include "peers/route.h"

#include <cmath>
#include <new>
#include <utility>
#include <vector>

#include <boost/graph/astar_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>

namespace {

struct step {
    double cost;
};

using graph_type = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, step>;
using vertex = boost::graph_traits<graph_type>::vertex_descriptor;

struct router {
    graph_type graph;
    const std::uint32_t *x;
    const std::uint32_t *y;
    bool is_hex;
    std::vector<vertex> parent;
    std::vector<double> cost;
};

struct found {};

class distance_to : public boost::astar_heuristic<graph_type, double> {
public:
    distance_to(const router &state, vertex goal)
        : state_(state), goal_{state.x[goal], state.y[goal]}
    {
    }

    double operator()(vertex node) const
    {
        const std::uint32_t here[2] = {state_.x[node], state_.y[node]};
        return bench_distance(state_.is_hex, here, goal_);
    }

private:
    const router &state_;
    std::uint32_t goal_[2];
};

class stop_at : public boost::default_astar_visitor {
public:
    stop_at(vertex goal, std::uint64_t &expanded) : goal_(goal), expanded_(expanded) {}

    void examine_vertex(vertex node, const graph_type &)
    {
        if (node == goal_)
            throw found();
        expanded_++;
    }

private:
    vertex goal_;
    std::uint64_t &expanded_;
};

graph_type convert(const bench_graph &from)
{
    std::vector<std::pair<std::size_t, std::size_t>> arcs;
    std::vector<step> steps;
    arcs.reserve(from.arc_count);
    steps.reserve(from.arc_count);
    for (std::uint32_t node = 0; node < from.node_count; node++) {
        for (std::uint32_t arc = from.arc_start[node]; arc < from.arc_start[node + 1]; arc++) {
            arcs.emplace_back(node, from.arc_target[arc]);
            steps.push_back({from.arc_cost[arc]});
        }
    }
    return graph_type(boost::edges_are_sorted, arcs.begin(), arcs.end(), steps.begin(),
                      from.node_count);
}

void *create(const bench_graph *graph, const std::uint32_t *x, const std::uint32_t *y)
{
    try {
        return new router{convert(*graph),
                          x,
                          y,
                          graph->is_hex,
                          std::vector<vertex>(graph->node_count),
                          std::vector<double>(graph->node_count)};
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

void run(void *argument, std::uint32_t start, std::uint32_t goal, bench_route *route)
{
    router &state = *static_cast<router *>(argument);
    auto index = boost::get(boost::vertex_index, state.graph);
    *route = bench_route{HUGE_VAL, 0, 0};
    try {
        boost::astar_search(
            state.graph, vertex(start), distance_to(state, goal),
            boost::weight_map(boost::get(&step::cost, state.graph))
                .predecessor_map(boost::make_iterator_property_map(state.parent.begin(), index))
                .distance_map(boost::make_iterator_property_map(state.cost.begin(), index))
                .distance_inf(HUGE_VAL)
                .visitor(stop_at(goal, route->expanded)));
    } catch (const found &) {
        route->cost = state.cost[goal];
        route->node_count = 1;
        for (vertex node = goal; node != start; node = state.parent[node])
            route->node_count++;
    }
}

void destroy(void *argument)
{
    delete static_cast<router *>(argument);
}

} // namespace

extern "C" const bench_router bench_router_boost = {"Boost A*", create, run, destroy, nullptr};
