// Boost Graph: Dijkstra and breadth-first search over a compressed sparse row graph, as its manual
// shows them.
#include "peers/peer.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>
#include <vector>

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>

namespace {

struct step {
    double cost;
};

using graph_type = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, step,
                                                      boost::no_property>;

graph_type *convert(const bench_graph &from)
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
    return new graph_type(boost::edges_are_sorted, arcs.begin(), arcs.end(), steps.begin(),
                          from.node_count);
}

void *create(const bench_graph *graph)
{
    try {
        return convert(*graph);
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

void run(void *state, std::uint32_t source, double *costs)
{
    graph_type &graph = *static_cast<graph_type *>(state);
    boost::dijkstra_shortest_paths(graph, source,
                                   boost::weight_map(boost::get(&step::cost, graph))
                                       .distance_map(boost::make_iterator_property_map(
                                           costs, boost::get(boost::vertex_index, graph)))
                                       .distance_inf(HUGE_VAL));
}

void run_with_predecessors(void *state, std::uint32_t source, double *costs)
{
    graph_type &graph = *static_cast<graph_type *>(state);
    const auto index = boost::get(boost::vertex_index, graph);
    std::vector<boost::graph_traits<graph_type>::vertex_descriptor> from(
        boost::num_vertices(graph));
    boost::dijkstra_shortest_paths(
        graph, source,
        boost::weight_map(boost::get(&step::cost, graph))
            .distance_map(boost::make_iterator_property_map(costs, index))
            .predecessor_map(boost::make_iterator_property_map(from.begin(), index))
            .distance_inf(HUGE_VAL));
}

void run_breadth(void *state, std::uint32_t source, double *costs)
{
    graph_type &graph = *static_cast<graph_type *>(state);
    std::fill(costs, costs + boost::num_vertices(graph), HUGE_VAL);
    costs[source] = 0;
    auto distances = boost::make_iterator_property_map(costs,
                                                       boost::get(boost::vertex_index, graph));
    boost::breadth_first_search(graph, source,
                                boost::visitor(boost::make_bfs_visitor(
                                    boost::record_distances(distances, boost::on_tree_edge()))));
}

void destroy(void *state)
{
    delete static_cast<graph_type *>(state);
}

} // namespace

extern "C" const bench_peer bench_peer_boost = {"Boost Dijkstra", create, run, destroy};
extern "C" const bench_peer bench_peer_boost_predecessors = {"Boost Dijkstra, predecessors", create,
                                                             run_with_predecessors, destroy};
extern "C" const bench_peer bench_peer_boost_breadth = {"Boost breadth-first", create, run_breadth,
                                                        destroy};
