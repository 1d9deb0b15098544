#include "render/numbers.h"

#include <math.h>

#include "kit/exits.h"
#include "kit/nodes.h"
#include "kit/output.h"
#include "kit/say.h"

typedef struct numbers {
    const scene *of;
    const char *name;
} numbers;

static bool has_line(const scene *of, cairn_node node)
{
    return cairn_map_is_open(of->map, node) && scene_shows(of, node);
}

static void write_line(const scene *of, cairn_node node, FILE *file)
{
    fprintf(file, "%s,", kit_node_text(of->map, node).text);
    if (of->explored)
        fprintf(file, "%d,%d", (of->explored[node] & EXPLORED_BASE) != 0,
                (of->explored[node] & EXPLORED_LANDMARKS) != 0);
    else if (!isnan(of->values->values[node]))
        fprintf(file, "%.9g", of->values->values[node]);
    fputc('\n', file);
}

static bool write_lines(const void *what, FILE *file)
{
    const numbers *work = what;
    const scene *of = work->of;

    fprintf(file, "%s,%s\n", cairn_map_kind_of(of->map) == CAIRN_MAP_GRAPH ? "node" : "x,y",
            of->explored ? "base,landmarks" : work->name);
    for (cairn_node node = 0; node < cairn_map_node_count(of->map); node++)
        if (has_line(of, node))
            write_line(of, node, file);
    return true;
}

static uint64_t count_lines(const scene *of)
{
    uint64_t count = 0;
    for (cairn_node node = 0; node < cairn_map_node_count(of->map); node++)
        count += has_line(of, node);
    return count;
}

int numbers_write(const scene *of, const char *name, const char *path)
{
    const uint64_t count = count_lines(of);
    uint64_t size = 0;
    int code = kit_output_write(path, write_lines, &(numbers){of, name}, &size);
    if (code == KIT_EXIT_OK && kit_reports(path, false))
        printf("%s: %s %s, %s bytes\n", path, kit_count(count).text, kit_cells_word(of->map, count),
               kit_count(size).text);
    return code;
}
