/* Level 2: the Moving AI .scen format, version 1: nine fields a line, between tabs or spaces. */
#include <string.h>

#include "file.h"
#include "map.h"
#include "text.h"

struct cairn_scenario {
    cn_mem mem;
    cairn_query *queries;
    size_t count;
};

typedef struct reader {
    cn_lines lines;
    const cairn_map *map;
    cairn_error *error;
    void *queries;
    size_t count;
    size_t capacity;
} reader;

static cairn_status refuse(const reader *in, const char *expected, cn_span found)
{
    return cn_error_at_line(in->error, CAIRN_E_FORMAT, in->lines.number, expected, found.start,
                            found.size);
}

static cairn_status read_number(reader *in, cn_span *line, const char *expected, uint32_t *number)
{
    cn_span word;
    uint64_t value;

    if (!cn_span_word(line, &word))
        return refuse(in, expected, (cn_span){"the end of the line", 19});
    if (!cn_span_number(word, UINT32_MAX, &value))
        return refuse(in, expected, word);
    *number = (uint32_t)value;
    return CAIRN_OK;
}

/* The last numbers of a line: the size of its map, the two cells. */
static cairn_status read_numbers(reader *in, cn_span *line, uint32_t numbers[6])
{
    static const char *const names[6] = {
        "the width of the map", "the height of the map", "the column of the start",
        "the row of the start", "the column of the goal", "the row of the goal",
    };
    for (unsigned i = 0; i < 6; i++) {
        cairn_status status = read_number(in, line, names[i], &numbers[i]);
        if (status != CAIRN_OK)
            return status;
    }
    return CAIRN_OK;
}

static cairn_status read_cells(reader *in, cn_span line, const uint32_t numbers[6],
                               cairn_query *query)
{
    if (numbers[0] != in->map->grid.width || numbers[1] != in->map->grid.height)
        return refuse(in, "the width and height of the map in use", line);
    query->start = cairn_node_at(in->map, numbers[2], numbers[3]);
    query->goal = cairn_node_at(in->map, numbers[4], numbers[5]);
    if (query->start == CAIRN_NO_NODE || query->goal == CAIRN_NO_NODE)
        return refuse(in, "a start and a goal on the map", line);
    return CAIRN_OK;
}

static cairn_status read_query(reader *in, cn_span line, cairn_query *query)
{
    cn_span rest = line, name, length, more;
    uint32_t numbers[6];

    cairn_status status = read_number(in, &rest, "a bucket number", &query->bucket);
    if (status != CAIRN_OK)
        return status;
    if (!cn_span_word(&rest, &name))
        return refuse(in, "the name of the map", line);
    status = read_numbers(in, &rest, numbers);
    if (status == CAIRN_OK)
        status = read_cells(in, line, numbers, query);
    if (status != CAIRN_OK)
        return status;
    if (!cn_span_word(&rest, &length) || !cn_span_decimal(length, &query->length))
        return refuse(in, "the optimal length, as a number", line);
    if (cn_span_word(&rest, &more))
        return refuse(in, "nothing after the optimal length", more);
    return CAIRN_OK;
}

/* "version 1" or "version 1.0", which may be missing. */
static cairn_status read_version(reader *in, cn_span line, bool *is_version)
{
    cn_span word, version;
    cn_span rest = line;

    *is_version = cn_span_word(&rest, &word) && cn_span_equals(word, "version");
    if (!*is_version)
        return CAIRN_OK;
    if (!cn_span_word(&rest, &version) ||
        !(cn_span_equals(version, "1") || cn_span_equals(version, "1.0")))
        return refuse(in, "\"version 1\"", line);
    return CAIRN_OK;
}

static cairn_status add_query(reader *in, const cn_mem *mem, cn_span line)
{
    cairn_query query;
    cairn_status status = read_query(in, line, &query);
    if (status != CAIRN_OK)
        return status;
    if (!cn_grow(mem, &in->queries, &in->capacity, in->count, in->count + 1, sizeof query))
        return cn_error_plain(in->error, CAIRN_E_MEMORY, NULL);
    ((cairn_query *)in->queries)[in->count++] = query;
    return CAIRN_OK;
}

static cairn_status read_lines(reader *in, const cn_mem *mem)
{
    for (cn_span line, word; cn_lines_next(&in->lines, &line);) {
        bool is_version = false;
        cairn_status status = CAIRN_OK;
        cn_span rest = line;

        if (!cn_span_word(&rest, &word))
            continue;
        if (in->lines.number == 1)
            status = read_version(in, line, &is_version);
        if (status == CAIRN_OK && !is_version)
            status = add_query(in, mem, line);
        if (status != CAIRN_OK)
            return status;
    }
    return CAIRN_OK;
}

cairn_status cairn_scenario_parse(const char *text, size_t size, const cairn_map *map,
                                  cairn_scenario **scenario, cairn_error *error)
{
    if (!map || !scenario || (!text && size))
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    *scenario = NULL;

    const cn_mem *mem = &map->mem;
    cairn_scenario *made = cn_zeroed(mem, 1, sizeof *made);
    if (!made)
        return cn_error_plain(error, CAIRN_E_MEMORY, NULL);
    reader in = {.lines = cn_lines_of(text ? text : "", size), .map = map, .error = error};
    cairn_status status = read_lines(&in, mem);
    made->mem = *mem;
    made->queries = in.queries;
    made->count = in.count;
    if (status != CAIRN_OK) {
        cairn_scenario_free(made);
        return status;
    }
    *scenario = made;
    return CAIRN_OK;
}

cairn_status cairn_scenario_load(const char *path, const cairn_map *map,
                                 cairn_scenario **scenario, cairn_error *error)
{
    uint8_t *text;
    size_t size;

    if (!path || !map || !scenario)
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    *scenario = NULL;
    cairn_status status = cn_file_read(path, &map->mem, &text, &size);
    if (status != CAIRN_OK)
        return cn_error_plain(error, status, NULL);
    status = cairn_scenario_parse((const char *)text, size, map, scenario, error);
    cn_release(&map->mem, text);
    return status;
}

void cairn_scenario_free(cairn_scenario *scenario)
{
    if (!scenario)
        return;
    cn_mem mem = scenario->mem;
    cn_release(&mem, scenario->queries);
    cn_release(&mem, scenario);
}

const cairn_query *cairn_scenario_queries(const cairn_scenario *scenario)
{
    return scenario->queries;
}

size_t cairn_scenario_count(const cairn_scenario *scenario)
{
    return scenario->count;
}
