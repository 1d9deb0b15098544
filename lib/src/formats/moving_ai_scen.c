/* The Moving AI .scen format, version 1: nine fields a line, separated by tabs or spaces. */
#include "formats/moving_ai_scen.h"
#include "base/text.h"
#include "formats/dimacs.h"

typedef struct reader {
    cn_text text;
    const cairn_map *map;
    cairn_query *queries;
    size_t count;
    size_t capacity;
} reader;

static cairn_status refuse(const reader *in, const char *expected, cn_span found)
{
    return cn_text_refuse(&in->text, CAIRN_E_FORMAT, expected, found);
}

static cairn_status refuse_end(const reader *in, const char *expected)
{
    static const char end[] = "the end of the line";
    return refuse(in, expected, (cn_span){end, sizeof end - 1});
}

static cairn_status read_number(const reader *in, cn_span *rest, const char *expected,
                                uint32_t *number)
{
    cn_span word;
    uint64_t value;

    if (!cn_span_word(rest, &word))
        return refuse_end(in, expected);
    if (!cn_span_number(word, UINT32_MAX, &value))
        return refuse(in, expected, word);
    *number = (uint32_t)value;
    return CAIRN_OK;
}

static cairn_status read_sides(const reader *in, cn_span *rest)
{
    cn_span sides, word, from = *rest;
    uint32_t width = 0, height = 0;

    cairn_status status = read_number(in, rest, "the width of the map", &width);
    if (status == CAIRN_OK)
        status = read_number(in, rest, "the height of the map", &height);
    if (status != CAIRN_OK)
        return status;
    if (width == in->map->grid.width && height == in->map->grid.height)
        return CAIRN_OK;
    cn_span_word(&from, &word);
    sides = (cn_span){word.start, (size_t)(rest->start - word.start)};
    return refuse(in, "the width and height of the map in use", sides);
}

static cairn_status read_cells(const reader *in, cn_span *rest, cairn_query *query)
{
    static const char *const names[4] = {"the column of the start", "the row of the start",
                                         "the column of the goal", "the row of the goal"};
    uint32_t numbers[4];

    for (unsigned i = 0; i < 4; i++) {
        cairn_status status = read_number(in, rest, names[i], &numbers[i]);
        if (status != CAIRN_OK)
            return status;
    }
    query->start = cairn_node_at(in->map, numbers[0], numbers[1]);
    query->goal = cairn_node_at(in->map, numbers[2], numbers[3]);
    if (query->start == CAIRN_NO_NODE)
        return cn_text_refuse_line(&in->text, "a start on the map");
    if (query->goal == CAIRN_NO_NODE)
        return cn_text_refuse_line(&in->text, "a goal on the map");
    return CAIRN_OK;
}

static cairn_status read_length(const reader *in, cn_span *rest, double *length)
{
    static const char expected[] = "the optimal length in steps, 0 or more (0: no path)";
    cn_span word;

    if (!cn_span_word(rest, &word))
        return refuse_end(in, expected);
    return cn_span_decimal(word, length) ? CAIRN_OK : refuse(in, expected, word);
}

static cairn_status read_query(const reader *in, cairn_query *query)
{
    cn_span rest = in->text.line, name, more;

    cairn_status status = read_number(in, &rest, "a bucket number", &query->bucket);
    if (status != CAIRN_OK)
        return status;
    if (!cn_span_word(&rest, &name))
        return cn_text_refuse_line(&in->text, "the name of the map");
    status = read_sides(in, &rest);
    if (status == CAIRN_OK)
        status = read_cells(in, &rest, query);
    if (status == CAIRN_OK)
        status = read_length(in, &rest, &query->length);
    if (status != CAIRN_OK)
        return status;
    if (cn_span_word(&rest, &more))
        return refuse(in, "nothing after the optimal length", more);
    return CAIRN_OK;
}

static cairn_status add_query(reader *in)
{
    cairn_query query;
    cairn_status status = read_query(in, &query);
    if (status != CAIRN_OK)
        return status;
    if (!CN_GROW(&in->map->mem, in->queries, &in->capacity, in->count, in->count + 1))
        return cn_error_general(in->text.error, CAIRN_E_MEMORY, NULL);
    in->queries[in->count++] = query;
    return CAIRN_OK;
}

/* The first line may be "version 1" or "version 1.0". */
static cairn_status read_line(reader *in)
{
    cn_span line = in->text.line, word;

    if (cn_span_is_blank(line))
        return CAIRN_OK;
    if (cn_text_is_dimacs(line.start, line.size))
        return cn_text_refuse_line(&in->text, "queries on a grid, as the map is one");
    if (in->text.lines.number > 1 || !cn_span_word(&line, &word) ||
        !cn_span_equals(word, "version"))
        return add_query(in);
    if (cn_span_says(in->text.line, "version 1") || cn_span_says(in->text.line, "version 1.0"))
        return CAIRN_OK;
    return cn_text_refuse_line(&in->text, "\"version 1\"");
}

cairn_status cn_moving_ai_parse_queries(const cairn_map *map, const char *text, size_t size,
                                        cairn_query **queries, size_t *count, cairn_error *error)
{
    reader in = {.text = cn_text_of(text, size, error), .map = map};
    cairn_status status = CAIRN_OK;

    while (status == CAIRN_OK && cn_text_next(&in.text))
        status = read_line(&in);
    if (status != CAIRN_OK)
        cn_release(&map->mem, in.queries);
    *queries = status == CAIRN_OK ? in.queries : NULL;
    *count = status == CAIRN_OK ? in.count : 0;
    return status;
}
