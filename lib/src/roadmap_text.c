/* The formats of the 9th DIMACS implementation challenge: .gr (arcs) and .co (coordinates). */
#include "roadmap.h"
#include "text.h"

typedef struct reader {
    cn_lines lines;
    cairn_error *error;
} reader;

static cairn_status refuse(const reader *in, cairn_status status, const char *expected,
                           cn_span found)
{
    return cn_error_at_line(in->error, status, in->lines.number, expected, found.start,
                            found.size);
}

static cairn_status refuse_end(const reader *in, const char *expected)
{
    static const char end[] = "the end of the file";
    return cn_error_at_line(in->error, CAIRN_E_FORMAT, in->lines.number + 1, expected, end,
                            sizeof end - 1);
}

/* The next line that is neither empty nor a comment, without its first word. */
static bool next_line(reader *in, cn_span *line, cn_span *word, cn_span *rest)
{
    while (cn_lines_next(&in->lines, line)) {
        *rest = *line;
        if (cn_span_word(rest, word) && !cn_span_equals(*word, "c"))
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
    if (!cn_span_number(word, INT32_MAX, &number))
        return false;
    *value = negative ? -(int32_t)number : (int32_t)number;
    return true;
}

static bool is_done(cn_span rest)
{
    cn_span word;
    return !cn_span_word(&rest, &word);
}

static cairn_status read_problem(reader *in, uint32_t *nodes, uint64_t *arcs)
{
    static const char expected[] = "\"p sp NODES ARCS\"";
    cn_span line, word, rest;
    uint64_t node_count;

    if (!next_line(in, &line, &word, &rest))
        return refuse_end(in, expected);
    if (!cn_span_equals(word, "p") || !take_word(&rest, "sp") ||
        !take_number(&rest, UINT64_MAX, &node_count) || !take_number(&rest, UINT64_MAX, arcs) ||
        !is_done(rest) || node_count == 0)
        return refuse(in, CAIRN_E_FORMAT, expected, line);
    if (node_count > CAIRN_NODES_MAX || *arcs > CAIRN_ARCS_MAX)
        return refuse(in, CAIRN_E_LIMIT, "at most 2^28 nodes and 2^30 arcs", line);
    *nodes = (uint32_t)node_count;
    return CAIRN_OK;
}

static cairn_status read_arc(const reader *in, cn_span line, cn_span word, cn_span rest,
                             uint32_t nodes, cairn_arc *arc)
{
    uint64_t from, to, cost;

    if (!cn_span_equals(word, "a") || !take_number(&rest, UINT64_MAX, &from) ||
        !take_number(&rest, UINT64_MAX, &to) || !take_number(&rest, UINT64_MAX, &cost) ||
        !is_done(rest))
        return refuse(in, CAIRN_E_FORMAT, "\"a FROM TO COST\"", line);
    if (from == 0 || from > nodes || to == 0 || to > nodes)
        return refuse(in, CAIRN_E_FORMAT, "nodes from 1 to their number", line);
    if (cost == 0)
        return refuse(in, CAIRN_E_FORMAT, "a cost above 0", line);
    if (cost > CAIRN_COST_MAX / 4)
        return refuse(in, CAIRN_E_LIMIT, "a cost of at most 268435455", line);
    *arc = (cairn_arc){(cairn_node)(from - 1), (cairn_node)(to - 1), (cairn_cost)cost};
    return CAIRN_OK;
}

static cairn_status read_arcs(reader *in, uint32_t nodes, cairn_arc *arcs, uint64_t count)
{
    cn_span line, word, rest;

    for (uint64_t i = 0; i < count; i++) {
        if (!next_line(in, &line, &word, &rest))
            return refuse_end(in, "another arc");
        cairn_status status = read_arc(in, line, word, rest, nodes, &arcs[i]);
        if (status != CAIRN_OK)
            return status;
    }
    if (next_line(in, &line, &word, &rest))
        return refuse(in, CAIRN_E_FORMAT, "nothing after the last arc", line);
    return CAIRN_OK;
}

bool cn_text_is_roadmap(const char *text, size_t size)
{
    cn_lines lines = cn_lines_of(text, size);
    cn_span line, word;
    while (cn_lines_next(&lines, &line)) {
        if (cn_span_word(&line, &word))
            return cn_span_equals(word, "c") || cn_span_equals(word, "p");
    }
    return false;
}

cairn_status cn_roadmap_parse(const cn_mem *mem, const char *text, size_t size,
                              cn_roadmap **roadmap, cairn_error *error)
{
    enum { SHORTEST_ARC = 7 /* a 1 2 3 */, NODES_FREE = 1 << 16 };
    reader in = {.lines = cn_lines_of(text, size), .error = error};
    uint32_t nodes = 0;
    uint64_t count = 0;

    *roadmap = NULL;
    cairn_status status = read_problem(&in, &nodes, &count);
    if (status != CAIRN_OK)
        return status;
    /* A few bytes that announce a huge graph take no memory for it. */
    if (nodes > NODES_FREE && nodes > size)
        return cn_error_at_line(error, CAIRN_E_FORMAT, in.lines.number,
                                "no more nodes than the text could name", NULL, 0);
    if (count > size / SHORTEST_ARC)
        return cn_error_at_line(error, CAIRN_E_FORMAT, in.lines.number,
                                "as many lines of arcs as announced", NULL, 0);
    cairn_arc *arcs = cn_array(mem, count, sizeof *arcs);
    if (!arcs)
        return cn_error_plain(error, CAIRN_E_MEMORY, NULL);
    status = read_arcs(&in, nodes, arcs, count);
    if (status == CAIRN_OK) {
        status = cn_roadmap_new(mem, nodes, arcs, count, roadmap);
        if (status != CAIRN_OK)
            cn_error_plain(error, status, NULL);
    }
    cn_release(mem, arcs);
    return status;
}

/* ---------------------------------------------------------------------------- coordinates -- */

static cairn_status read_places_problem(reader *in, uint32_t nodes)
{
    static const char expected[] = "\"p aux sp co NODES\", as many as in the arcs";
    cn_span line, word, rest;
    uint64_t count;

    if (!next_line(in, &line, &word, &rest))
        return refuse_end(in, expected);
    if (!cn_span_equals(word, "p") || !take_word(&rest, "aux") || !take_word(&rest, "sp") ||
        !take_word(&rest, "co") || !take_number(&rest, UINT64_MAX, &count) || !is_done(rest) ||
        count != nodes)
        return refuse(in, CAIRN_E_FORMAT, expected, line);
    return CAIRN_OK;
}

/* `seen` has a byte per node. */
static cairn_status read_places(reader *in, uint32_t nodes, int32_t *x, int32_t *y, uint8_t *seen)
{
    cn_span line, word, rest;
    uint64_t node;

    for (uint32_t i = 0; i < nodes; i++) {
        int32_t at_x, at_y;
        if (!next_line(in, &line, &word, &rest))
            return refuse_end(in, "coordinates of another node");
        if (!cn_span_equals(word, "v") || !take_number(&rest, nodes, &node) || node == 0 ||
            !take_signed(&rest, &at_x) || !take_signed(&rest, &at_y) || !is_done(rest))
            return refuse(in, CAIRN_E_FORMAT, "\"v NODE X Y\"", line);
        if (seen[node - 1]++)
            return refuse(in, CAIRN_E_FORMAT, "each node once", line);
        x[node - 1] = at_x;
        y[node - 1] = at_y;
    }
    if (next_line(in, &line, &word, &rest))
        return refuse(in, CAIRN_E_FORMAT, "nothing after the last node", line);
    return CAIRN_OK;
}

cairn_status cn_roadmap_parse_places(cn_roadmap *roadmap, const cn_mem *mem, const char *text,
                                     size_t size, cairn_error *error)
{
    uint32_t nodes = roadmap->node_count;
    reader in = {.lines = cn_lines_of(text, size), .error = error};
    cairn_status status = read_places_problem(&in, nodes);
    if (status != CAIRN_OK)
        return status;

    int32_t *x = cn_array(mem, nodes, sizeof *x);
    int32_t *y = cn_array(mem, nodes, sizeof *y);
    uint8_t *seen = cn_zeroed(mem, nodes, 1);
    if (!x || !y || !seen) {
        status = cn_error_plain(error, CAIRN_E_MEMORY, NULL);
    } else {
        status = read_places(&in, nodes, x, y, seen);
        if (status == CAIRN_OK && cn_roadmap_place(roadmap, mem, x, y) != CAIRN_OK)
            status = cn_error_plain(error, CAIRN_E_MEMORY, NULL);
    }
    cn_release(mem, x);
    cn_release(mem, y);
    cn_release(mem, seen);
    return status;
}
