#include "render/legend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kit/say.h"
#include "render/ground.h"
#include "render/palette.h"
#include "render/ramp.h"

enum { MARGIN = 12, LINE = 24, LETTERS = 2 /* pixels a dot */ };

/* Behind the signs of the ground, and what is none of them. */
enum { NO_VALUE = GROUND_SIGNS + 1 };

#define INK COLOUR(PALETTE_INK)

/* ------------------------------------------------------------------------------- signs -- */

/* What a node shows of the ground; values lie above open cells. */
static size_t seen_at(const scene *of, cairn_node node)
{
    if (!of->values || !cairn_map_is_open(of->map, node))
        return ground_sign_of(of, node);
    return isnan(of->values->values[node]) ? NO_VALUE : GROUND_SIGNS;
}

static void list_ground(const scene *of, legend_entry *add, void *context)
{
    bool is_seen[NO_VALUE + 1] = {false};
    for (cairn_node node = 0; node < cairn_map_node_count(of->map); node++)
        if (scene_shows(of, node))
            is_seen[seen_at(of, node)] = true;
    if (is_seen[NO_VALUE])
        add(context, SIGN_BOX, PALETTE_NOWHERE, "no value");
    for (size_t i = 0; i < GROUND_SIGNS; i++)
        if (is_seen[i])
            add(context, SIGN_BOX, ground_signs[i].rgb, ground_signs[i].name);
}

static void list_explored(const scene *of, legend_entry *add, void *context)
{
    char text[80];
    snprintf(text, sizeof text, "expanded with the base heuristic: %s",
             kit_count(of->explored_base).text);
    add(context, SIGN_BOX, PALETTE_BASE, text);
    snprintf(text, sizeof text, "with landmarks: %s", kit_count(of->explored_landmarks).text);
    add(context, SIGN_BOX, PALETTE_LANDMARKS, text);
}

static void list_left_out(const scene *of, legend_entry *add, void *context)
{
    char text[80];
    snprintf(text, sizeof text, "not drawn, of small parts: %s", kit_count(of->left_out).text);
    add(context, SIGN_SPOT, PALETTE_LANDMARK, text);
}

static bool shows_path(const scene *of)
{
    for (size_t i = 1; i < of->path_count; i++)
        if (scene_shows(of, of->path[i - 1]) && scene_shows(of, of->path[i]))
            return true;
    return false;
}

static bool shows_landmarks(const scene *of)
{
    for (uint32_t row = 0; row < cairn_table_row_count(of->table); row++) {
        const cairn_node *nodes;
        const size_t count = cairn_table_landmarks(of->table, row, &nodes);
        for (size_t i = 0; i < count; i++)
            if (scene_shows(of, nodes[i]))
                return true;
    }
    return false;
}

void legend_list(const scene *of, legend_entry *add, void *context)
{
    if (of->explored)
        list_explored(of, add, context);
    if (shows_path(of))
        add(context, SIGN_LINE, PALETTE_PATH, "path");
    if (scene_shows(of, of->start))
        add(context, SIGN_SPOT, PALETTE_START, "start");
    if (scene_shows(of, of->goal))
        add(context, SIGN_SPOT, PALETTE_GOAL, "goal");
    if (of->table && shows_landmarks(of))
        add(context, SIGN_SPOT, PALETTE_LANDMARK, "landmark, with its row");
    else if (scene_shows(of, of->landmark))
        add(context, SIGN_SPOT, PALETTE_LANDMARK, "landmark");
    if (of->left_out)
        list_left_out(of, add, context);
    list_ground(of, add, context);
}

/* ------------------------------------------------------------------------------- lines -- */

/* Where the next part of the legend goes; without a picture it is only measured. */
typedef struct cursor {
    image *on;
    int width;
    int x, y;
} cursor;

static void new_line(cursor *at)
{
    at->x = MARGIN;
    at->y += LINE;
}

/* Makes room for a part of this width and gives its place. */
static int place_part(cursor *at, int width)
{
    if (at->x > MARGIN && at->x + width > at->width - MARGIN)
        new_line(at);
    int x = at->x;
    at->x += width + 2 * MARGIN;
    return x;
}

static void add_sign(void *context, legend_sign sign, uint32_t rgb, const char *text)
{
    cursor *at = context;
    const colour fill = COLOUR(rgb);
    int x = place_part(at, 24 + image_text_width(text, LETTERS));
    if (!at->on)
        return;
    if (sign == SIGN_BOX) {
        image_box(at->on, x, at->y, 16, 16, INK);
        image_box(at->on, x + 1, at->y + 1, 14, 14, fill);
    } else if (sign == SIGN_LINE) {
        image_dash(at->on, x + 2, at->y + 8, x + 16, at->y + 8, 2.5, fill);
    } else {
        image_spot(at->on, x + 8, at->y + 8, 5, fill);
    }
    image_text(at->on, x + 24, at->y + 1, LETTERS, INK, text);
}

/* How many letters of a text go on one line: words as a whole where they fit. */
static size_t letters_that_fit(const cursor *at, const char *text)
{
    int advance = image_text_width("  ", LETTERS) - image_text_width(" ", LETTERS);
    size_t most = (size_t)((at->width - 2 * MARGIN) / advance);
    if (strlen(text) <= most)
        return strlen(text);
    for (size_t count = most; count > 0; count--)
        if (text[count] == ' ')
            return count;
    return most;
}

/* On lines of its own, as many as it needs. */
static void add_text(cursor *at, const char *text)
{
    while (*text) {
        char line[256];
        size_t count = letters_that_fit(at, text);
        snprintf(line, sizeof line, "%.*s", (int)count, text);
        if (at->on)
            image_text(at->on, MARGIN, at->y + 1, LETTERS, INK, line);
        new_line(at);
        text += count;
        text += *text == ' ';
    }
}

/* ------------------------------------------------------------------------------- scale -- */

/* A value below its place on the bar, which ends at `full`. */
typedef struct tick {
    char text[24];
    int middle;
    int width;
} tick;

void legend_number(double value, double full, char *text, size_t size)
{
    if (value == 0)
        snprintf(text, size, "0");
    else if (full >= 1e6)
        snprintf(text, size, "%.4gM", value / 1e6);
    else if (full >= 1e5)
        snprintf(text, size, "%.0fk", value / 1e3);
    else
        snprintf(text, size, value < 1000 ? "%.3g" : "%.0f", value);
}

static tick tick_at(double value, double full, int x, int width)
{
    tick made = {.middle = x + (int)(value / full * width)};
    legend_number(value, full, made.text, sizeof made.text);
    made.width = image_text_width(made.text, LETTERS);
    return made;
}

static void draw_tick(const cursor *at, const tick *of)
{
    image_box(at->on, of->middle, at->y + 14, 2, 5, INK);
    image_text(at->on, of->middle - of->width / 2, at->y + 21, LETTERS, INK, of->text);
}

/* At round values, as far as there is room, and where the scale ends. */
static void draw_ticks(const cursor *at, double full, int x, int width)
{
    enum { GAP = 12 };
    const tick end = tick_at(full, full, x, width);
    const double mark = ramp_step(full, 4);
    for (double value = 0; value < full; value += mark) {
        const tick round = tick_at(value, full, x, width);
        if (round.middle + round.width / 2 + GAP < end.middle - end.width / 2)
            draw_tick(at, &round);
    }
    draw_tick(at, &end);
}

static void draw_bar(const cursor *at, const scene *of, int x, int width)
{
    const double full = of->values->full > 0 ? of->values->full : 1;
    for (int i = 0; i < width; i++)
        image_box(at->on, x + i, at->y, 1, 14, scene_value_colour(of, (i + 0.5) / width * full));
    draw_ticks(at, full, x, width);
}

static void add_bar(cursor *at, const scene *of)
{
    enum { WIDTH = 400, INDENT = 24 };
    if (at->x > MARGIN)
        new_line(at);
    add_text(at, of->values_name);
    if (at->on)
        draw_bar(at, of, MARGIN + INDENT, WIDTH);
    at->y += 20;
    new_line(at);
}

/* A stretch of round length, at most as long as the map is wide. */
static void add_length(cursor *at, const scene *of, double scale)
{
    char text[32];
    double cells = ramp_step(fmin(160 / scale, scene_part(of).width / 2.0), 1);
    int width = (int)(cells * scale + 0.5);
    snprintf(text, sizeof text, "%.6g cell%s", cells, cells > 1 ? "s" : "");
    int x = place_part(at, width + 10 + image_text_width(text, LETTERS));
    if (!at->on)
        return;
    image_box(at->on, x, at->y + 7, width, 2, INK);
    image_box(at->on, x, at->y + 3, 2, 10, INK);
    image_box(at->on, x + width - 2, at->y + 3, 2, 10, INK);
    image_text(at->on, x + width + 10, at->y + 1, LETTERS, INK, text);
}

/* -------------------------------------------------------------------------------- whole -- */

static void add_legend(cursor *at, const scene *of, double scale)
{
    add_text(at, of->title);
    if (of->values)
        add_bar(at, of);
    legend_list(of, add_sign, at);
    if (scale > 0)
        add_length(at, of, scale);
    new_line(at);
}

int legend_height(const scene *of, double scale, int width)
{
    cursor measured = {.width = width, .x = MARGIN};
    add_legend(&measured, of, scale);
    return measured.y;
}

void legend_draw(const scene *of, double scale, image *on, int top)
{
    cursor at = {.on = on, .width = (int)on->width, .x = MARGIN, .y = top};
    add_legend(&at, of, scale);
}
