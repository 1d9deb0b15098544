#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "kit/exits.h"
#include "kit/load.h"
#include "kit/nodes.h"
#include "kit/metric.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"
#include "kit/source.h"
#include "render/explore.h"
#include "render/numbers.h"
#include "render/png_file.h"
#include "render/scene.h"

static const uint32_t unset = UINT32_MAX;

typedef enum shown {
    SHOW_MAP,
    SHOW_ROW,
    SHOW_EXPLORED,
    SHOW_GAIN,
    SHOW_SITES,
    SHOW_ERROR,
    SHOW_CLEARANCE
} shown;

/* Where the colours of values end: at the largest shown, or at the same for all of a map. */
typedef enum scale_end { SCALE_UNSET = -1, SCALE_PICTURE, SCALE_MAP } scale_end;

typedef struct settings {
    const char *source_path;
    const char *output_path;
    int show;
    int scale;
    kit_cell start;
    kit_cell goal;
    kit_cell landmark;
    uint32_t row;
    uint32_t pair_count;
    uint64_t seed;
    kit_extent extent;
    scene_window window;
    uint64_t memory_limit;
    bool hide_landmarks;
    kit_map_choice map;
    bool is_csv; /* by the name of the output */
} settings;

static const char *const shows[] = {"map",   "row",   "explored",  "gain",
                                    "sites", "error", "clearance", NULL};
static const char *const scales[] = {"picture", "map", NULL};

static const kit_option operands[] = {
    {.name = "TABLE|MAP",
     .help = "a table, or a map for what needs no landmarks",
     .read = kit_read_text,
     .offset = offsetof(settings, source_path)},
    {0},
};

static bool read_window(const kit_option *option, const char *text, void *to)
{
    const char *comma = strrchr(text, ',');
    char corner_text[32];
    kit_cell corner;
    kit_extent extent;

    if (!comma || (size_t)(comma - text) >= sizeof corner_text)
        return false;
    snprintf(corner_text, sizeof corner_text, "%.*s", (int)(comma - text), text);
    if (!kit_read_cell(option, corner_text, &corner) ||
        !kit_read_extent(option, comma + 1, &extent))
        return false;
    *(scene_window *)to = (scene_window){corner.x, corner.y, extent.width, extent.height};
    return true;
}

static const kit_option options[] = {
    KIT_OUTPUT(settings, output_path, "FILE",
               "picture to write, .png (default: TABLE with .png), or its numbers, .csv"),
    {.name = "show",
     .value = "WHAT",
     .read = kit_read_word,
     .words = shows,
     .help = "map (default), row, explored, gain, sites, error or clearance: see below",
     .offset = offsetof(settings, show)},
    {.name = "scale",
     .value = "END",
     .read = kit_read_word,
     .words = scales,
     .help = "colours end at the largest value in the picture (default), or map: see below",
     .offset = offsetof(settings, scale)},
    {.name = "row",
     .value = "N",
     .read = kit_read_number,
     .most = CAIRN_ROWS_MAX - 1,
     .help = "the row to show, or whose landmark to take (default 0)",
     .offset = offsetof(settings, row)},
    {.name = "start",
     .value = "X,Y",
     .read = kit_read_node,
     .help = "an open cell, or a node; with --goal: draw the path",
     .offset = offsetof(settings, start)},
    {.name = "goal",
     .value = "X,Y",
     .read = kit_read_node,
     .help = "an open cell, or a node; of path, gain and error",
     .offset = offsetof(settings, goal)},
    {.name = "landmark",
     .value = "X,Y",
     .read = kit_read_node,
     .help = "an open cell, or a node, of the gain (default: that of the row)",
     .offset = offsetof(settings, landmark)},
    {.name = "pairs",
     .value = "N",
     .read = kit_read_number,
     .least = 1,
     .most = 1000000,
     .help = "starts and goals for sites (default 200)",
     .offset = offsetof(settings, pair_count)},
    KIT_MEMORY_LIMIT(settings),
    KIT_SEED(settings, "of those pairs (default 0)"),
    {.name = "size",
     .value = "WxH",
     .read = kit_read_extent,
     .least = 16,
     .most = 16384,
     .help = "most pixels of the map (default 1200x900)",
     .offset = offsetof(settings, extent)},
    {.name = "window",
     .value = "X,Y,WxH",
     .read = read_window,
     .expects = "X,Y,WIDTHxHEIGHT in cells",
     .least = 1,
     .most = UINT16_MAX,
     .help = "draw these cells of a grid alone",
     .offset = offsetof(settings, window)},
    {.name = "no-landmarks",
     .help = "leave the landmarks out",
     .offset = offsetof(settings, hide_landmarks)},
    KIT_MAP_CHOICE(settings, map),
    {0},
};

typedef struct rendering {
    const settings *set;
    const cairn_map *map;
    const cairn_table *table; /* NULL for a map */
    scene picture;
    field values;
    exploration explored;
    char title[160];
    char values_name[120];
} rendering;

static bool is_graph(const rendering *work)
{
    return cairn_map_kind_of(work->map) == CAIRN_MAP_GRAPH;
}

/* ----------------------------------------------------------------------------- wishes -- */

static bool is_set(kit_cell cell)
{
    return cell.x != unset;
}

static bool find_cell(const rendering *work, kit_cell cell, const char *name, cairn_node *node)
{
    char option[32];
    *node = CAIRN_NO_NODE;
    if (!is_set(cell))
        return true;
    snprintf(option, sizeof option, "render: --%s", name);
    if (!kit_find_node(option, work->map, cell, node))
        return false;
    if (cairn_map_is_open(work->map, *node))
        return true;
    kit_complain("%s: %u,%u is no open cell of the map", option, cell.x, cell.y);
    return false;
}

static bool ends_in(const char *path, const char *small, const char *large)
{
    const char *name = path ? kit_file_name(path) : "", *dot = strrchr(name, '.');
    return dot && dot != name && (strcmp(dot, small) == 0 || strcmp(dot, large) == 0);
}

/* Whether the name of the output ends as that of another format; complains. */
static bool is_of_another_format(const settings *set)
{
    const char *path = set->output_path, *name = path ? kit_file_name(path) : "";
    const char *dot = strrchr(name, '.');
    if (!dot || dot == name || ends_in(path, ".png", ".PNG") || set->is_csv || kit_is_pipe(path))
        return false;
    kit_complain("render: --output: expected a name that ends in .png or .csv, found \"%s\"", path);
    return true;
}

static bool goes_with(const char *option, const char *what)
{
    kit_complain("render: --%s goes with --show %s", option, what);
    return true;
}

/* Whether an option is there that the picture does not show; complains. */
static bool is_out_of_place(const settings *set)
{
    const bool is_gain = set->show == SHOW_GAIN, has_row = set->row != unset;

    if (set->scale != SCALE_UNSET && (set->show == SHOW_MAP || set->show == SHOW_EXPLORED))
        return goes_with("scale", "row, gain, sites, error or clearance");
    if (set->is_csv && set->show == SHOW_MAP) {
        kit_complain("render: --show map has no numbers to write as CSV");
        return true;
    }
    if (has_row && !is_gain && set->show != SHOW_ROW)
        return goes_with("row", "row or gain");
    if (is_set(set->landmark) && !is_gain)
        return goes_with("landmark", "gain");
    if ((set->pair_count || set->seed) && set->show != SHOW_SITES)
        return goes_with(set->pair_count ? "pairs" : "seed", "sites");
    if (has_row && is_set(set->landmark))
        kit_complain("render: --row and --landmark exclude each other");
    return has_row && is_set(set->landmark);
}

static void take_defaults(settings *set)
{
    if (set->row == unset)
        set->row = 0;
    if (set->pair_count == 0)
        set->pair_count = 200;
}

static bool needs(bool is_there, const char *show, const char *what)
{
    if (!is_there)
        kit_complain("render: --show %s needs %s", show, what);
    return is_there;
}

/* Of start and goal, what is not given though it is needed; NULL: nothing. */
static const char *missing_ends(const settings *set)
{
    bool from_start = set->show == SHOW_EXPLORED;
    bool to_goal = from_start || set->show == SHOW_GAIN || set->show == SHOW_ERROR;
    bool lacks_start = from_start && !is_set(set->start);
    bool lacks_goal = to_goal && !is_set(set->goal);

    if (lacks_start && lacks_goal)
        return "--start and --goal";
    return lacks_start ? "--start" : lacks_goal ? "--goal" : NULL;
}

static bool has_what_it_needs(const rendering *work)
{
    const settings *set = work->set;
    const char *show = shows[set->show];
    bool by_table = set->show == SHOW_ROW || set->show == SHOW_EXPLORED ||
                    set->show == SHOW_ERROR || (set->show == SHOW_GAIN && !is_set(set->landmark));
    const char *ends = missing_ends(set);

    if (by_table && !needs(work->table != NULL, show, "a table"))
        return false;
    if (work->table && set->row >= cairn_table_row_count(work->table)) {
        kit_complain("render: --row: the table has rows 0 to %u",
                     cairn_table_row_count(work->table) - 1);
        return false;
    }
    if (set->show == SHOW_CLEARANCE && !needs(!is_graph(work), show, "a grid"))
        return false;
    if (set->show == SHOW_CLEARANCE &&
        !needs(cairn_map_unit_size(work->map) == 1, show, "a map for units of one cell"))
        return false;
    return needs(ends == NULL, show, ends);
}

/* Whether a path may lead from one node to another, as far as components and table tell. */
static bool may_lead(const rendering *work, cairn_node from, cairn_node to)
{
    cairn_bound bound;
    return cairn_connected(work->map, from, to) &&
           cairn_bound_to(work->map, work->table, to, &bound) == CAIRN_OK &&
           cairn_bound_at(&bound, from) != CAIRN_UNREACHABLE;
}

/* The landmark of the row that a path connects with the goal. */
static cairn_node landmark_for(const rendering *work, cairn_node goal)
{
    const cairn_node *landmarks;
    size_t count = cairn_table_landmarks(work->table, work->set->row, &landmarks);
    cairn_cost wanted = cairn_table_cost(work->table, work->set->row, goal);
    for (size_t i = 0; i < count && wanted != CAIRN_UNREACHABLE; i++) {
        if (may_lead(work, goal, landmarks[i]) || may_lead(work, landmarks[i], goal))
            return landmarks[i];
    }
    return CAIRN_NO_NODE;
}

/* The landmark whose gain is shown. */
static bool choose_landmark(rendering *work)
{
    const settings *set = work->set;
    scene *picture = &work->picture;

    if (set->show != SHOW_GAIN)
        return true;
    if (picture->landmark != CAIRN_NO_NODE) {
        const bool are_joined = cairn_connected(work->map, picture->landmark, picture->goal);
        if (!are_joined)
            kit_complain("render: no path connects --landmark %s with --goal %s",
                         kit_node_text(work->map, picture->landmark).text,
                         kit_node_text(work->map, picture->goal).text);
        return are_joined;
    }
    picture->landmark = landmark_for(work, picture->goal);
    if (picture->landmark == CAIRN_NO_NODE)
        kit_complain("render: row %u has no landmark that a path connects with --goal %s", set->row,
                     kit_node_text(work->map, picture->goal).text);
    return picture->landmark != CAIRN_NO_NODE;
}

/* ---------------------------------------------------------------------------- filling -- */

static const char *unit_of(const rendering *work)
{
    return is_graph(work) ? "units of cost" : "steps";
}

static cairn_status fill_gain(rendering *work)
{
    scene *picture = &work->picture;
    picture->table = NULL;
    snprintf(work->values_name, sizeof work->values_name,
             "what the landmark adds to the bound towards the goal, in %s", unit_of(work));
    return field_of_gain(work->map, picture->landmark, picture->goal, &work->values);
}

static cairn_status fill_values(rendering *work)
{
    const settings *set = work->set;
    char *name = work->values_name;
    size_t size = sizeof work->values_name;

    switch (set->show) {
    case SHOW_ROW:
        snprintf(name, size, "cost %s the landmarks of row %u, in %s",
                 cairn_table_direction(work->table, set->row) == CAIRN_DIRECTION_TO ? "to" : "from",
                 set->row, unit_of(work));
        return field_of_row(work->map, work->table, set->row, &work->values);
    case SHOW_GAIN: return fill_gain(work);
    case SHOW_SITES:
        snprintf(name, size, "what a landmark here adds to the bound, mean of %u pairs, in %s",
                 set->pair_count, unit_of(work));
        return field_of_sites(work->map, set->pair_count, set->seed, &work->values);
    case SHOW_ERROR:
        snprintf(name, size, "how far the bound is below the cost to the goal, in %s",
                 unit_of(work));
        return field_of_error(work->map, work->table, work->picture.goal, &work->values);
    case SHOW_CLEARANCE:
        snprintf(name, size,
                 "the largest unit that can stand with its top left cell here, in cells");
        return field_of_clearance(work->map, &work->values);
    default: return CAIRN_OK;
    }
}

static cairn_status fill_path(rendering *work)
{
    scene *picture = &work->picture;
    if (picture->start == CAIRN_NO_NODE || picture->goal == CAIRN_NO_NODE)
        return CAIRN_OK;
    cairn_status status = explore(work->map, work->table, picture->start, picture->goal,
                                  &work->explored);
    picture->path = work->explored.path;
    picture->path_count = work->explored.path_count;
    if (work->set->show == SHOW_EXPLORED) {
        picture->explored = work->explored.marks;
        picture->explored_base = work->explored.base_count;
        picture->explored_landmarks = work->explored.landmarks_count;
    }
    return status;
}

static cairn_status fill(rendering *work)
{
    scene *picture = &work->picture;
    cairn_status status = fill_values(work);
    if (status == CAIRN_OK)
        status = fill_path(work);
    if (work->values.values) {
        if (work->set->scale != SCALE_MAP)
            field_fit(&work->values, work->map);
        picture->values = &work->values;
        picture->values_name = work->values_name;
        picture->style = work->set->show == SHOW_ROW ? FIELD_BANDS : FIELD_HEAT;
    }
    return status;
}

/* ---------------------------------------------------------------------------- writing -- */

static bool encode_picture(const void *what, FILE *file)
{
    size_t size;
    uint8_t *bytes = png_encode(what, &size);
    if (bytes)
        fwrite(bytes, 1, size, file);
    free(bytes);
    return bytes != NULL;
}

static int write_picture(rendering *work)
{
    const char *path = work->set->output_path;
    uint64_t size = 0;
    image drawn;

    if (!scene_draw(&work->picture, &drawn))
        return kit_fail(work->set->source_path, CAIRN_E_MEMORY);
    int code = kit_output_write(path, encode_picture, &drawn, &size);
    kit_progress_end();
    if (code == KIT_EXIT_OK && kit_reports(path, false))
        printf("%s: %u x %u pixels, %s bytes\n", path, drawn.width, drawn.height,
               kit_count(size).text);
    image_free(&drawn);
    return code;
}

/* Says why a picture that was written has no path, where one was asked for. */
static void tell_of_no_path(const rendering *work)
{
    const settings *set = work->set;
    bool is_asked = is_set(set->start) && is_set(set->goal);
    if (is_asked && work->picture.path_count == 0)
        kit_complain("%s: no path leads from %s to %s", set->source_path,
                     kit_node_text(work->map, work->picture.start).text,
                     kit_node_text(work->map, work->picture.goal).text);
}

static int draw(rendering *work)
{
    kit_progress_begin("drawing %s", kit_file_name(work->set->output_path));
    cairn_status status = fill(work);
    if (status != CAIRN_OK)
        return kit_fail_on_map(work->set->source_path, status, work->map, 0);
    int code = work->set->is_csv
                   ? numbers_write(&work->picture, shows[work->set->show], work->set->output_path)
                   : write_picture(work);
    if (code == KIT_EXIT_OK)
        tell_of_no_path(work);
    return code;
}

static bool window_is_on_map(const rendering *work)
{
    const scene_window *part = &work->set->window;
    const uint64_t right = (uint64_t)part->x + part->width;
    const uint64_t bottom = (uint64_t)part->y + part->height;

    if (part->width == 0)
        return true;
    if (is_graph(work)) {
        kit_complain("render: --window is for grids");
        return false;
    }
    if (right <= cairn_map_width(work->map) && bottom <= cairn_map_height(work->map))
        return true;
    kit_complain("render: --window: %u,%u,%ux%u is not within the map of %u x %u cells", part->x,
                 part->y, part->width, part->height, cairn_map_width(work->map),
                 cairn_map_height(work->map));
    return false;
}

static void add_window_to_title(rendering *work)
{
    const scene_window *part = &work->set->window;
    const size_t used = strlen(work->title);
    snprintf(work->title + used, sizeof work->title - used, "; from %u,%u to %u,%u", part->x,
             part->y, part->x + part->width - 1, part->y + part->height - 1);
}

static int render(rendering *work)
{
    const settings *set = work->set;
    scene *picture = &work->picture;

    if (!set->is_csv && !scene_is_possible(work->map)) {
        kit_complain(
            "render: %s: graphs are drawn if built with coordinates (cairn build --places)",
            set->source_path);
        return KIT_EXIT_USAGE;
    }
    if (!has_what_it_needs(work) || !window_is_on_map(work))
        return KIT_EXIT_USAGE;
    snprintf(work->title, sizeof work->title, "%.60s: %s", kit_file_name(set->source_path),
             kit_map_size(work->map).text);
    *picture = scene_of(work->map, work->title);
    if (set->window.width > 0)
        add_window_to_title(work);
    picture->window = set->window;
    picture->most_width = set->extent.width;
    picture->most_height = set->extent.height;
    picture->table = set->hide_landmarks ? NULL : work->table;
    if (!find_cell(work, set->start, "start", &picture->start) ||
        !find_cell(work, set->goal, "goal", &picture->goal) ||
        !find_cell(work, set->landmark, "landmark", &picture->landmark) || !choose_landmark(work))
        return KIT_EXIT_USAGE;

    int code = draw(work);
    field_free(&work->values);
    exploration_free(&work->explored);
    return code;
}

static int load_and_render(const settings *set)
{
    cairn_map *map = NULL;
    cairn_table *table = NULL;
    int code = kit_load_either(set->source_path, &set->map, &map, &table);
    if (code == KIT_EXIT_OK)
        code = render(&(rendering){.set = set, .map = map, .table = table});
    cairn_table_free(table);
    cairn_map_free(map);
    return code;
}

static int run(const kit_command *command, char **words)
{
    const kit_cell nowhere = {.x = unset, .y = unset};
    settings set = {
        .scale = SCALE_UNSET, .start = nowhere, .goal = nowhere, .landmark = nowhere, .row = unset};
    kit_parsed parsed = kit_parse(command, words, &set);
    if (parsed != KIT_PARSED)
        return kit_parsed_exit(parsed);
    set.is_csv = ends_in(set.output_path, ".csv", ".CSV");
    if (is_out_of_place(&set) || is_of_another_format(&set))
        return KIT_EXIT_USAGE;
    take_defaults(&set);
    kit_source_limit(set.memory_limit);
    if (!set.is_csv && !png_is_built_in()) {
        kit_complain("render: this build has no libpng, and so no pictures");
        return KIT_EXIT_IO;
    }
    const kit_input inputs[] = {{set.source_path, "what to draw"},
                                {set.map.heights, "the file of --heights"},
                                {set.map.terrain, "the file of --terrain"},
                                {NULL, NULL}};
    if (kit_overwrites("render", "output", set.output_path, inputs))
        return KIT_EXIT_USAGE;
    if (!set.output_path && kit_has_no_folder("render", set.source_path))
        return KIT_EXIT_USAGE;
    char *default_path = kit_with_suffix(set.source_path, ".cairn", ".png");
    if (!default_path)
        return kit_fail(set.source_path, CAIRN_E_MEMORY);
    if (!set.output_path)
        set.output_path = default_path;
    int code = kit_output_is_possible(set.output_path) ? load_and_render(&set) : KIT_EXIT_IO;
    free(default_path);
    return code;
}

const kit_command render_command = {
    .name = "render",
    .summary = "a picture of map, landmarks, costs, explored cells or gains, or its numbers",
    .about = "  map       the map and its landmarks\n"
             "  row       costs from the landmarks of one row, with contours\n"
             "  explored  cells that A* expands from --start to --goal: light with the base\n"
             "            heuristic, dark with landmarks\n"
             "  gain      what one landmark adds to the bound of every cell towards --goal\n"
             "  sites     what a landmark at each cell would add for random starts and goals\n"
             "  error     how far the bound of every cell is below its cost to --goal\n"
             "  clearance the size of the largest unit at every cell, by its top left cell\n"
             "Pictures of one map can be compared with --scale map: gain and error then end where\n"
             "the base heuristic is farthest below the cost, rows at the largest cost of all.\n"
             "The path is drawn on any of them when --start and --goal are given.\n"
             "\n"
             "Graphs are drawn where their nodes have coordinates; of --start, --goal and\n"
             "--landmark, their numbers are then given. A name that ends in .csv gets the numbers\n"
             "behind the colours instead: x,y and a value for each open cell (or node and value).",
    .example = "cairn render town.cairn --show explored --start 3,4 --goal 180,120 -o town.png",
    .operands = operands,
    .options = options,
    .run = run,
};
