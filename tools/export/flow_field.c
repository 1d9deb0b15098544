#include "export/flow_field.h"

#include <stdlib.h>
#include <string.h>

#include "kit/exits.h"
#include "kit/metric.h"
#include "kit/output.h"
#include "kit/say.h"
#include "render/png_file.h"

/* A field with what is told of it. */
typedef struct flow_field {
    const flow_order *order;
    const cairn_map *map;
    uint8_t *steps;
    uint32_t led; /* nodes that are led to a target, without the targets */
} flow_field;

bool flow_read_targets(const kit_option *option, const char *text, void *to)
{
    static const char gaps[] = "; \t\r\n";
    flow_targets *targets = to;
    char word[32];
    int length;

    targets->count = 0;
    while (*(text += strspn(text, gaps))) {
        sscanf(text, "%31[^; \t\r\n]%n", word, &length);
        bool is_whole = strlen(word) + 1 < sizeof word;
        if (!is_whole || targets->count == FLOW_TARGETS_MAX ||
            !kit_read_node(option, word, &targets->cells[targets->count]))
            return false;
        targets->count++;
        text += length;
    }
    return targets->count > 0;
}

/* --------------------------------------------------------------------------------- the formats */

/* A colour for each direction, around the circle: opposite directions have opposite colours. */
static colour colour_of(const flow_field *field, cairn_node node)
{
    static const uint32_t colours[] = {0xd1495b, 0x2e9cca, 0x8ac926, 0x9b5de5,
                                       0xf4a261, 0x4361ee, 0xef476f, 0x2a9d8f};
    const uint8_t step = field->steps[node];
    if (step < sizeof colours / sizeof *colours)
        return COLOUR(colours[step]);
    if (step == CAIRN_FLOW_TARGET)
        return COLOUR(0xffffff);
    return cairn_map_is_open(field->map, node) ? COLOUR(0x808080) : COLOUR(0x202020);
}

static bool write_png(const flow_field *field, FILE *file)
{
    const uint32_t width = cairn_map_width(field->map), height = cairn_map_height(field->map);
    image picture;
    size_t size = 0;

    if (!image_init(&picture, width, height, COLOUR(0)))
        return false;
    for (cairn_node node = 0; node < width * height; node++)
        picture.pixels[node] = colour_of(field, node);
    uint8_t *bytes = png_encode(&picture, &size);
    if (bytes)
        fwrite(bytes, 1, size, file);
    free(bytes);
    image_free(&picture);
    return bytes != NULL;
}

static bool write_raw(const flow_field *field, FILE *file)
{
    fwrite(field->steps, 1, cairn_map_node_count(field->map), file);
    return true;
}

/* One line for each open cell or node; no step where there is none. */
static bool write_csv(const flow_field *field, FILE *file)
{
    const bool is_grid = cairn_map_kind_of(field->map) == CAIRN_MAP_GRID;

    fputs(is_grid ? "x,y,step\n" : "node,step\n", file);
    for (cairn_node node = 0; node < cairn_map_node_count(field->map); node++) {
        uint32_t x, y;
        if (!cairn_map_is_open(field->map, node) || !cairn_node_xy(field->map, node, &x, &y))
            continue;
        fprintf(file, is_grid ? "%u,%u," : "%u,", x, y);
        if (field->steps[node] == CAIRN_FLOW_TARGET)
            fputs("target", file);
        else if (field->steps[node] != CAIRN_FLOW_NONE)
            fprintf(file, "%u", field->steps[node]);
        fputc('\n', file);
    }
    return true;
}

static bool write_field(const void *what, FILE *file)
{
    static bool (*const writers[])(const flow_field *, FILE *) = {write_png, write_raw, write_csv};
    const flow_field *field = what;
    return writers[field->order->format](field, file);
}

/* ---------------------------------------------------------------------------------- the report */

static void print_text(const flow_field *field, uint64_t size)
{
    printf("%s: a flow field to %u target%s, %s, %s led there, %s bytes\n",
           field->order->output_path, field->order->targets->count,
           field->order->targets->count == 1 ? "" : "s", kit_map_size(field->map).text,
           kit_count(field->led).text, kit_count(size).text);
}

static void print_json(const flow_field *field, uint64_t size)
{
    kit_json json = {.file = stdout};
    kit_json_open(&json, NULL, '{');
    kit_json_text(&json, "file", field->order->output_path);
    kit_json_text(&json, "format", field->order->format_name);
    kit_json_count(&json, "targets", field->order->targets->count);
    kit_json_count(&json, "width", cairn_map_width(field->map));
    kit_json_count(&json, "height", cairn_map_height(field->map));
    kit_json_count(&json, "led", field->led);
    kit_json_size(&json, "file_bytes", size);
    kit_json_close(&json, '}');
}

/* ------------------------------------------------------------------------------------ the work */

static bool find_targets(const flow_order *order, const cairn_map *map,
                         cairn_node nodes[FLOW_TARGETS_MAX])
{
    for (uint32_t i = 0; i < order->targets->count; i++) {
        if (!kit_find_node("export: --flow", map, order->targets->cells[i], &nodes[i]))
            return false;
        if (!cairn_map_is_open(map, nodes[i])) {
            kit_complain("export: --flow: %s is blocked", kit_node_text(map, nodes[i]).text);
            return false;
        }
    }
    return true;
}

static cairn_status compute(flow_field *field, const cairn_node *targets, uint32_t count)
{
    const uint32_t node_count = cairn_map_node_count(field->map);
    cairn_flood *flood = NULL;

    field->steps = malloc(node_count + 1u);
    cairn_status status = field->steps ? cairn_flood_new(field->map, &flood) : CAIRN_E_MEMORY;
    if (status == CAIRN_OK)
        status = cairn_flood_flow(flood, targets, count, field->steps, NULL);
    for (cairn_node node = 0; status == CAIRN_OK && node < node_count; node++)
        field->led += field->steps[node] < CAIRN_FLOW_TARGET;
    cairn_flood_free(flood);
    return status;
}

int flow_export(const flow_order *order, const cairn_map *map)
{
    flow_field field = {.order = order, .map = map};
    cairn_node targets[FLOW_TARGETS_MAX];
    uint64_t size = 0;

    if (!find_targets(order, map, targets))
        return KIT_EXIT_USAGE;
    cairn_status status = compute(&field, targets, order->targets->count);
    int code = status == CAIRN_OK ? kit_output_write(order->output_path, write_field, &field, &size)
                                  : kit_fail_on_map(order->map_name, status, map, 0);
    if (code == KIT_EXIT_OK && order->json)
        print_json(&field, size);
    else if (code == KIT_EXIT_OK && size > 0)
        print_text(&field, size);
    free(field.steps);
    return code;
}
