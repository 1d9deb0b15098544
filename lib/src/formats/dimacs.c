/* The formats of the 9th DIMACS implementation challenge: .gr (arcs), .co (coordinates) and .p2p
 * (queries). */
#include "formats/dimacs.h"
#include "base/text.h"

/* Reads lines, without comments and empty lines. */
typedef struct reader {
    cn_text text;
    cn_span word; /* the first word of the line */
    cn_span rest; /* what follows it */
} reader;

static reader reader_of(const char *text, size_t size, cairn_error *error)
{
    return (reader){.text = cn_text_of(text, size, error)};
}

static cairn_status refuse(const reader *in, const char *expected)
{
    return cn_text_refuse_line(&in->text, expected);
}

static cairn_status refuse_limit(const reader *in, const char *expected)
{
    return cn_text_refuse(&in->text, CAIRN_E_LIMIT, expected, in->text.line);
}

/* The next line that is neither empty nor a comment. */
static bool next_line(reader *in)
{
    while (cn_text_next(&in->text)) {
        in->rest = in->text.line;
        if (cn_span_word(&in->rest, &in->word) && !cn_span_equals(in->word, "c"))
            return true;
    }
    return false;
}

static bool take_word(cn_span *rest, const char *expected)
{
    cn_span word;
    return cn_span_word(rest, &word) && cn_span_equals(word, expected);
}

static bool take_number(cn_span *rest, uint64_t limit, uint64_t *number)
{
    cn_span word;
    return cn_span_word(rest, &word) && cn_span_number(word, limit, number);
}

static bool take_signed(cn_span *rest, int32_t *value)
{
    cn_span word;
    uint64_t number;
    if (!cn_span_word(rest, &word))
        return false;
    bool negative = word.start[0] == '-';
    word.start += negative;
    word.size -= negative;
    if (!cn_span_number(word, (uint64_t)INT32_MAX + negative, &number))
        return false;
    *value = (int32_t)(negative ? -(int64_t)number : (int64_t)number);
    return true;
}

static cairn_status read_problem(reader *in, uint32_t *nodes, uint64_t *arcs)
{
    static const char expected[] = "\"p sp NODES ARCS\"";
    uint64_t node_count;

    if (!next_line(in) || !cn_span_equals(in->word, "p") || !take_word(&in->rest, "sp") ||
        !take_number(&in->rest, UINT64_MAX, &node_count) ||
        !take_number(&in->rest, UINT64_MAX, arcs) || !cn_span_is_blank(in->rest))
        return refuse(in, expected);
    if (node_count == 0)
        return refuse(in, "at least one node");
    if (node_count > CAIRN_NODES_MAX || *arcs > CAIRN_ARCS_MAX)
        return refuse_limit(in, "at most 2^28 nodes and 2^30 arcs");
    *nodes = (uint32_t)node_count;
    return CAIRN_OK;
}

static cairn_status read_arc(reader *in, uint32_t nodes, cairn_arc *arc)
{
    uint64_t from, to, cost;

    if (!next_line(in))
        return refuse(in, "another arc");
    if (!cn_span_equals(in->word, "a") || !take_number(&in->rest, UINT64_MAX, &from) ||
        !take_number(&in->rest, UINT64_MAX, &to) || !take_number(&in->rest, UINT64_MAX, &cost) ||
        !cn_span_is_blank(in->rest))
        return refuse(in, "\"a FROM TO COST\", whole numbers from 1");
    if (from == 0 || from > nodes || to == 0 || to > nodes)
        return refuse(in, "nodes from 1 to their number");
    if (cost == 0)
        return refuse(in, "a cost above 0");
    if (cost > CN_ARC_COST_MAX)
        return refuse_limit(in, "a cost of at most " CN_ARC_COST_MAX_TEXT);
    *arc = (cairn_arc){(cairn_node)(from - 1), (cairn_node)(to - 1), (cairn_cost)cost};
    return CAIRN_OK;
}

static cairn_status read_arcs(reader *in, uint32_t nodes, cairn_arc *arcs, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        cairn_status status = read_arc(in, nodes, &arcs[i]);
        if (status != CAIRN_OK)
            return status;
    }
    return next_line(in) ? refuse(in, "nothing after the last arc") : CAIRN_OK;
}

bool cn_text_is_dimacs(const char *text, size_t size)
{
    cn_lines lines = cn_lines_of(text, size);
    cn_span line, word;
    while (cn_lines_next(&lines, &line)) {
        if (cn_span_word(&line, &word))
            return cn_span_equals(word, "c") || cn_span_equals(word, "p") ||
                   cn_span_equals(word, "a");
    }
    return false;
}

cairn_status cn_dimacs_parse(const cn_mem *mem, const char *text, size_t size, cn_graph **graph,
                             cairn_error *error)
{
    enum { SHORTEST_ARC = 7 /* a 1 2 3 */ };
    reader in = reader_of(text, size, error);
    uint32_t nodes = 0;
    uint64_t count = 0;

    *graph = NULL;
    cairn_status status = read_problem(&in, &nodes, &count);
    if (status != CAIRN_OK)
        return status;
    if (nodes > CN_DIMACS_NODES_FREE && nodes > size)
        return refuse(&in, "at most 65536 nodes, or a byte of text, comments too, for each node");
    if (count > size / SHORTEST_ARC)
        return refuse(&in, "as many lines of arcs as announced");
    cairn_arc *arcs = cn_array(mem, (size_t)count, sizeof *arcs);
    if (!arcs)
        return cn_error_general(error, CAIRN_E_MEMORY, NULL);
    status = read_arcs(&in, nodes, arcs, count);
    if (status == CAIRN_OK) {
        status = cn_graph_new(mem, nodes, arcs, (size_t)count, graph);
        if (status != CAIRN_OK)
            cn_error_general(error, status, NULL);
    }
    cn_release(mem, arcs);
    return status;
}

/* ---------------------------------------------------------------------------- coordinates -- */

#define OF_PLACES "in the file of places: "

static cairn_status read_places_problem(reader *in, uint32_t nodes)
{
    uint64_t count;

    if (!next_line(in) || !cn_span_equals(in->word, "p") || !take_word(&in->rest, "aux") ||
        !take_word(&in->rest, "sp") || !take_word(&in->rest, "co") ||
        !take_number(&in->rest, UINT64_MAX, &count) || !cn_span_is_blank(in->rest) ||
        count != nodes)
        return refuse(in, OF_PLACES "\"p aux sp co NODES\", as many as in the arcs");
    return CAIRN_OK;
}

/* `seen` has a byte per node, set for those that have coordinates already. */
static cairn_status read_place(reader *in, uint32_t nodes, int32_t *x, int32_t *y, uint8_t *seen)
{
    uint64_t node;
    int32_t at_x, at_y;

    if (!next_line(in))
        return refuse(in, OF_PLACES "coordinates of another node");
    if (!cn_span_equals(in->word, "v") || !take_number(&in->rest, UINT64_MAX, &node) ||
        !take_signed(&in->rest, &at_x) || !take_signed(&in->rest, &at_y) ||
        !cn_span_is_blank(in->rest))
        return refuse(in, OF_PLACES "\"v NODE X Y\"");
    if (node == 0 || node > nodes)
        return refuse(in, OF_PLACES "nodes from 1 to their number");
    if (seen[node - 1]++)
        return refuse(in, OF_PLACES "each node once");
    x[node - 1] = at_x;
    y[node - 1] = at_y;
    return CAIRN_OK;
}

static cairn_status read_places(reader *in, uint32_t nodes, int32_t *x, int32_t *y, uint8_t *seen)
{
    for (uint32_t i = 0; i < nodes; i++) {
        cairn_status status = read_place(in, nodes, x, y, seen);
        if (status != CAIRN_OK)
            return status;
    }
    return next_line(in) ? refuse(in, OF_PLACES "nothing after the last node") : CAIRN_OK;
}

cairn_status cn_dimacs_parse_places(cn_graph *graph, const cn_mem *mem, const char *text,
                                    size_t size, cairn_error *error)
{
    uint32_t nodes = graph->node_count;
    reader in = reader_of(text, size, error);
    cairn_status status = read_places_problem(&in, nodes);
    if (status != CAIRN_OK)
        return status;

    int32_t *x = cn_array(mem, nodes, sizeof *x);
    int32_t *y = cn_array(mem, nodes, sizeof *y);
    uint8_t *seen = cn_zeroed(mem, nodes, 1);
    if (!x || !y || !seen) {
        status = cn_error_general(error, CAIRN_E_MEMORY, NULL);
    } else {
        status = read_places(&in, nodes, x, y, seen);
        if (status == CAIRN_OK && cn_graph_place(graph, mem, x, y) != CAIRN_OK)
            status = cn_error_general(error, CAIRN_E_MEMORY, NULL);
    }
    cn_release(mem, x);
    cn_release(mem, y);
    cn_release(mem, seen);
    return status;
}

/* -------------------------------------------------------------------------------- queries -- */

static cairn_status read_queries_problem(reader *in, uint64_t *count)
{
    if (!next_line(in) || !cn_span_equals(in->word, "p") || !take_word(&in->rest, "aux") ||
        !take_word(&in->rest, "sp") || !take_word(&in->rest, "p2p") ||
        !take_number(&in->rest, UINT64_MAX, count) || !cn_span_is_blank(in->rest))
        return refuse(in, "\"p aux sp p2p QUERIES\", as the map is a graph");
    return CAIRN_OK;
}

static cairn_status read_query(reader *in, uint32_t nodes, cairn_query *query)
{
    uint64_t start, goal;

    if (!next_line(in))
        return refuse(in, "another query");
    if (!cn_span_equals(in->word, "q") || !take_number(&in->rest, UINT64_MAX, &start) ||
        !take_number(&in->rest, UINT64_MAX, &goal) || !cn_span_is_blank(in->rest))
        return refuse(in, "\"q START GOAL\"");
    if (start == 0 || start > nodes || goal == 0 || goal > nodes)
        return refuse(in, "nodes from 1 to their number");
    *query = (cairn_query){.start = (cairn_node)(start - 1),
                           .goal = (cairn_node)(goal - 1),
                           .length = CAIRN_LENGTH_NONE};
    return CAIRN_OK;
}

static cairn_status read_queries(reader *in, uint32_t nodes, cairn_query *queries, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        cairn_status status = read_query(in, nodes, &queries[i]);
        if (status != CAIRN_OK)
            return status;
    }
    return next_line(in) ? refuse(in, "nothing after the last query") : CAIRN_OK;
}

cairn_status cn_dimacs_parse_queries(const cn_mem *mem, uint32_t nodes, const char *text,
                                     size_t size, cairn_query **queries, size_t *count,
                                     cairn_error *error)
{
    enum { SHORTEST_QUERY = 5 /* q 1 2 */ };
    reader in = reader_of(text, size, error);
    uint64_t announced;

    *queries = NULL;
    *count = 0;
    cairn_status status = read_queries_problem(&in, &announced);
    if (status != CAIRN_OK)
        return status;
    if (announced > size / SHORTEST_QUERY)
        return refuse(&in, "as many lines of queries as announced");
    cairn_query *made = cn_array(mem, (size_t)announced, sizeof *made);
    if (!made)
        return cn_error_general(error, CAIRN_E_MEMORY, NULL);
    status = read_queries(&in, nodes, made, announced);
    if (status != CAIRN_OK) {
        cn_release(mem, made);
        return status;
    }
    *queries = made;
    *count = (size_t)announced;
    return CAIRN_OK;
}
