/* The order in which the predictor codes the nodes of a graph, and the arcs between each node and
 * earlier ones. Computed once for all rows. */
#include "codec/codec_parts.h"

/* Appends the neighbours of a node that have no place yet to the `*count` nodes in the order. */
static void place_neighbours(cn_arc_span span, uint32_t *place, cairn_node *nodes, uint32_t *count)
{
    for (size_t i = 0; i < span.count; i++) {
        cairn_node next = span.arcs[i].to;
        if (place[next] != UINT32_MAX)
            continue;
        place[next] = *count;
        nodes[(*count)++] = next;
    }
}

static void find_places(const cn_graph *graph, uint32_t *place, cairn_node *nodes)
{
    uint32_t count = 0, next = 0;

    for (cairn_node node = 0; node < graph->node_count; node++)
        place[node] = UINT32_MAX;
    for (cairn_node node = 0; node < graph->node_count; node++) {
        if (place[node] != UINT32_MAX)
            continue;
        place[node] = count;
        nodes[count++] = node;
        for (; next < count; next++) {
            place_neighbours(cn_graph_out(graph, nodes[next]), place, nodes, &count);
            place_neighbours(cn_graph_in(graph, nodes[next]), place, nodes, &count);
        }
    }
}

/* Appends the links of the node at a place to `used` others; returns how many there are then. */
static uint32_t link_earlier(cn_arc_span span, const uint32_t *place, uint32_t at, uint32_t *first,
                             cn_graph_link *links, uint32_t used)
{
    for (size_t i = 0; i < span.count; i++) {
        uint32_t earlier = place[span.arcs[i].to];
        if (earlier >= at)
            continue;
        if (earlier < *first)
            *first = earlier;
        links[used++] = (cn_graph_link){earlier, span.arcs[i].cost};
    }
    return used;
}

static void find_links(const cn_graph *graph, const uint32_t *place, cn_graph_order *order)
{
    uint32_t in = 0, out = 0;

    for (uint32_t at = 0; at < graph->node_count; at++) {
        cairn_node node = order->nodes[at];
        order->first[at] = at;
        order->in.start[at] = in;
        order->out.start[at] = out;
        in = link_earlier(cn_graph_in(graph, node), place, at, &order->first[at], order->in.links,
                          in);
        out = link_earlier(cn_graph_out(graph, node), place, at, &order->first[at],
                           order->out.links, out);
    }
    order->in.start[graph->node_count] = in;
    order->out.start[graph->node_count] = out;
}

static bool links_init(cn_graph_links *links, uint32_t node_count, uint32_t arc_count,
                       const cn_mem *mem)
{
    links->start = cn_array(mem, node_count + 1u, sizeof *links->start);
    links->links = cn_array(mem, arc_count, sizeof *links->links);
    return links->start && links->links;
}

cairn_status cn_graph_order_new(cn_codec_layout *layout)
{
    const cn_graph *graph = layout->map->graph;
    const cn_mem *mem = &layout->mem;
    uint32_t count = graph->node_count;
    cairn_status status = CAIRN_E_MEMORY;

    cn_graph_order *order = layout->graph = cn_zeroed(mem, 1, sizeof *order);
    if (!order)
        return CAIRN_E_MEMORY;
    order->nodes = cn_array(mem, count, sizeof *order->nodes);
    order->first = cn_array(mem, count, sizeof *order->first);
    uint32_t *place = cn_array(mem, count, sizeof *place);
    bool has_in = links_init(&order->in, count, graph->arc_count, mem);
    bool has_out = links_init(&order->out, count, graph->arc_count, mem);
    if (order->nodes && order->first && place && has_in && has_out) {
        find_places(graph, place, order->nodes);
        find_links(graph, place, order);
        status = CAIRN_OK;
    }
    cn_release(mem, place);
    return status;
}

void cn_graph_order_free(cn_codec_layout *layout)
{
    cn_graph_order *order = layout->graph;
    if (!order)
        return;
    cn_release(&layout->mem, order->nodes);
    cn_release(&layout->mem, order->first);
    cn_release(&layout->mem, order->in.start);
    cn_release(&layout->mem, order->in.links);
    cn_release(&layout->mem, order->out.start);
    cn_release(&layout->mem, order->out.links);
    cn_release(&layout->mem, order);
    layout->graph = NULL;
}
