/* Maps that change over time: a .scen file of version 2 and the patch file that it names. */
#include <string.h>

#include "io/file.h"
#include "grid/grid.h"
#include "base/text.h"
#include "system/files.h"

typedef struct patch {
    uint32_t width;
    uint32_t height;
    uint8_t *letters;
} patch;

struct cairn_dynamic {
    cn_mem mem;
    uint32_t width;
    uint32_t height;
    patch *patches;
    size_t patch_count;
    size_t patch_capacity;
    cairn_event *events;
    size_t event_count;
    size_t event_capacity;
};

/* A file being read. */
typedef struct reader {
    cairn_dynamic *dynamic;
    cn_text text;
} reader;

static cairn_status refuse(const reader *in, const char *expected)
{
    return cn_text_refuse_line(&in->text, expected);
}

static bool next_line_says(reader *in, const char *words)
{
    return cn_text_next(&in->text) && cn_span_says(in->text.line, words);
}

/* "KEY NUMBER" */
static bool read_field(reader *in, const char *key, uint64_t most, uint32_t *number)
{
    cn_span rest, word;
    uint64_t value;

    if (!cn_text_next(&in->text))
        return false;
    rest = in->text.line;
    if (!cn_span_word(&rest, &word) || !cn_span_equals(word, key) || !cn_span_word(&rest, &word) ||
        !cn_span_number(word, most, &value) || !cn_span_is_blank(rest))
        return false;
    *number = (uint32_t)value;
    return true;
}

/* "height N" and "width N", both above 0 */
static bool read_sides(reader *in, uint32_t *width, uint32_t *height)
{
    return read_field(in, "height", CAIRN_SIDE_MAX, height) && *height > 0 &&
           read_field(in, "width", CAIRN_SIDE_MAX, width) && *width > 0;
}

static bool read_rows(reader *in, patch *made)
{
    for (uint32_t y = 0; y < made->height; y++) {
        if (!cn_text_next(&in->text) || in->text.line.size < made->width)
            return false;
        cn_span line = in->text.line, more = {line.start + made->width, line.size - made->width};
        if (!cn_span_is_blank(more))
            return false;
        for (uint32_t x = 0; x < made->width; x++) {
            uint8_t letter = (uint8_t)line.start[x];
            if (!cn_letter_is_known(letter))
                return false;
            made->letters[(size_t)y * made->width + x] = letter;
        }
    }
    return true;
}

static cairn_status read_patch(reader *in, uint32_t number)
{
    cairn_dynamic *dynamic = in->dynamic;
    uint32_t stated;

    if (!CN_GROW(&dynamic->mem, dynamic->patches, &dynamic->patch_capacity, number, number + 1u))
        return cn_error_general(in->text.error, CAIRN_E_MEMORY, NULL);
    patch *made = &dynamic->patches[number];
    *made = (patch){0};
    dynamic->patch_count = number + 1u;

    if (!read_field(in, "patch", UINT32_MAX, &stated) || stated != number)
        return refuse(in, "in the patch file: patch N, counted from 0");
    if (!read_sides(in, &made->width, &made->height))
        return refuse(in, "in the patch file: height N, then width N, from 1 to 65535");
    if (!next_line_says(in, "map"))
        return refuse(in, "in the patch file: map");
    /* The letters follow in the text, so it must be long enough for them. */
    size_t size = (size_t)made->width * made->height;
    if (size > (size_t)(in->text.lines.end - in->text.lines.at))
        return refuse(in, "in the patch file: as many letters as width and height say");
    made->letters = cn_array(&dynamic->mem, size, 1);
    if (!made->letters)
        return cn_error_general(in->text.error, CAIRN_E_MEMORY, NULL);
    if (!read_rows(in, made))
        return refuse(in, "in the patch file: terrain letters, as many as it is wide");
    return CAIRN_OK;
}

static cairn_status read_patches(reader *in)
{
    uint32_t count;

    if (!next_line_says(in, "type patch"))
        return refuse(in, "in the patch file: type patch");
    if (!read_field(in, "patches", UINT32_MAX, &count) ||
        count > (size_t)(in->text.lines.end - in->text.lines.at))
        return refuse(in, "in the patch file: patches N, as many as follow");
    for (uint32_t number = 0; number < count; number++) {
        cairn_status status = read_patch(in, number);
        if (status != CAIRN_OK)
            return status;
    }
    while (cn_text_next(&in->text)) {
        if (!cn_span_is_blank(in->text.line))
            return refuse(in, "in the patch file: nothing after the last patch");
    }
    return CAIRN_OK;
}

/* "P TIME PATCH X Y", after the letter P. */
static bool read_patch_event(const cairn_dynamic *dynamic, cn_span *line, cairn_event *event)
{
    uint32_t of[4];

    if (!cn_span_numbers(line, of, 4) || of[1] >= dynamic->patch_count)
        return false;
    const patch *used = &dynamic->patches[of[1]];
    if (of[2] > dynamic->width || used->width > dynamic->width - of[2] || of[3] > dynamic->height ||
        used->height > dynamic->height - of[3])
        return false;
    *event = (cairn_event){.kind = CAIRN_EVENT_EDIT,
                           .time = of[0],
                           .edit = cairn_patch_letters(of[2], of[3], used->width, used->height,
                                                       (const char *)used->letters)};
    return true;
}

/* The length of a shortest path; -1 means that there is none. */
static bool read_length(cn_span word, double *length)
{
    bool negative = word.size > 0 && *word.start == '-';
    cn_span digits = {word.start + negative, word.size - negative};

    if (!cn_span_decimal(digits, length) || (negative && *length != 1))
        return false;
    if (negative)
        *length = CAIRN_LENGTH_NONE;
    return true;
}

/* "Q TIME X Y X Y LENGTH", after the letter Q. */
static bool read_query_event(const cairn_dynamic *dynamic, cn_span *line, cairn_event *event)
{
    uint32_t of[5];
    cn_span word;
    double length;

    if (!cn_span_numbers(line, of, 5) || !cn_span_word(line, &word) ||
        !read_length(word, &length) || of[1] >= dynamic->width || of[2] >= dynamic->height ||
        of[3] >= dynamic->width || of[4] >= dynamic->height)
        return false;
    *event = (cairn_event){.kind = CAIRN_EVENT_QUERY,
                           .time = of[0],
                           .query = {.bucket = of[0],
                                     .length = length,
                                     .start = of[2] * dynamic->width + of[1],
                                     .goal = of[4] * dynamic->width + of[3]}};
    return true;
}

static cairn_status read_event(reader *in)
{
    cairn_dynamic *dynamic = in->dynamic;
    cn_span rest = in->text.line, word;
    cairn_event event;
    bool fits = false;

    if (!cn_span_word(&rest, &word))
        return CAIRN_OK;
    if (cn_span_equals(word, "P"))
        fits = read_patch_event(dynamic, &rest, &event);
    else if (cn_span_equals(word, "Q"))
        fits = read_query_event(dynamic, &rest, &event);
    if (!fits || cn_span_word(&rest, &word))
        return refuse(in, "P TIME PATCH X Y or Q TIME X Y X Y LENGTH (-1: no path), on the map");
    if (!CN_GROW(&dynamic->mem, dynamic->events, &dynamic->event_capacity, dynamic->event_count,
                 dynamic->event_count + 1))
        return cn_error_general(in->text.error, CAIRN_E_MEMORY, NULL);
    dynamic->events[dynamic->event_count++] = event;
    return CAIRN_OK;
}

/* The lines before the commands; `name` becomes that of the patch file. */
static cairn_status read_head(reader *in, cn_span *name)
{
    cairn_dynamic *dynamic = in->dynamic;
    cn_span rest, word;

    if (!next_line_says(in, "version 2"))
        return refuse(in, "version 2: a scenario whose map changes");
    if (!read_sides(in, &dynamic->width, &dynamic->height))
        return refuse(in, "height N, then width N, from 1 to 65535");
    if ((uint64_t)dynamic->width * dynamic->height > CAIRN_NODES_MAX)
        return cn_text_refuse_sides(&in->text, dynamic->width, dynamic->height);
    if (!next_line_says(in, "cost 1 octile"))
        return refuse(in, "cost 1 octile");
    if (!cn_text_next(&in->text) || (rest = in->text.line, !cn_span_word(&rest, &word)) ||
        !cn_span_equals(word, "patch") || !cn_span_word(&rest, name) || !cn_span_is_blank(rest))
        return refuse(in, "patch FILE");
    /* The patch file must be in the same folder, so that a scenario from anywhere cannot make the
     * library open other files. */
    for (size_t i = 0; i < name->size; i++) {
        if (name->start[i] == '\0' || strchr(cn_folder_ends, name->start[i]))
            return refuse(in, "the name of a patch file in the same folder");
    }
    return CAIRN_OK;
}

static cairn_status read_commands(reader *in)
{
    cairn_status status = CAIRN_OK;

    if (!next_line_says(in, "commands"))
        return refuse(in, "commands");
    while (status == CAIRN_OK && cn_text_next(&in->text))
        status = read_event(in);
    return status;
}

/* The path of the file `name` in the folder of `path`; from `mem`. */
static char *beside(const cn_mem *mem, const char *path, cn_span name)
{
    size_t folder = strlen(path);
    while (folder > 0 && !strchr(cn_folder_ends, path[folder - 1]))
        folder--;
    char *made = cn_array(mem, folder + name.size + 1, 1);
    if (!made)
        return NULL;
    memcpy(made, path, folder);
    memcpy(made + folder, name.start, name.size);
    made[folder + name.size] = '\0';
    return made;
}

/* The text of the patch file: given by the caller, or else read from the folder of the scenario. */
typedef struct patch_text {
    const char *text;
    size_t size;
    const char *scenario_path;
} patch_text;

static cairn_status take_patches(const reader *scenario, const patch_text *from, cn_span name)
{
    cairn_dynamic *dynamic = scenario->dynamic;
    cairn_error *error = scenario->text.error;
    uint8_t *text = NULL;
    size_t size = from->size;

    if (from->scenario_path) {
        char *path = beside(&dynamic->mem, from->scenario_path, name);
        if (!path)
            return cn_error_general(error, CAIRN_E_MEMORY, NULL);
        cairn_status status = cn_file_read(path, &dynamic->mem, &text, &size);
        cn_release(&dynamic->mem, path);
        if (status != CAIRN_OK)
            return cn_error_of_named(error, status, "the patch file that the scenario names",
                                     name.start, name.size);
    }
    reader in = {
        .dynamic = dynamic,
        .text = cn_text_of(from->scenario_path ? (const char *)text : from->text, size, error)};
    cairn_status status = read_patches(&in);
    cn_release(&dynamic->mem, text);
    return status;
}

static cairn_status parse(const char *text, size_t size, const patch_text *patches,
                          cairn_dynamic **dynamic, cairn_error *error)
{
    cn_mem mem = cn_mem_from(NULL);
    cn_span name;
    cairn_dynamic *made = cn_zeroed(&mem, 1, sizeof *made);

    if (!made)
        return cn_error_general(error, CAIRN_E_MEMORY, NULL);
    made->mem = mem;
    reader in = {.dynamic = made, .text = cn_text_of(text, size, error)};
    cairn_status status = read_head(&in, &name);
    if (status == CAIRN_OK)
        status = take_patches(&in, patches, name);
    if (status == CAIRN_OK)
        status = read_commands(&in);
    if (status != CAIRN_OK) {
        cairn_dynamic_free(made);
        return status;
    }
    *dynamic = made;
    return CAIRN_OK;
}

cairn_status cairn_dynamic_parse(const char *text, size_t size, const char *patches,
                                 size_t patches_size, cairn_dynamic **dynamic, cairn_error *error)
{
    if (!dynamic)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    *dynamic = NULL;
    if ((!text && size) || (!patches && patches_size))
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    patch_text from = {.text = patches ? patches : "", .size = patches_size};
    return parse(text ? text : "", size, &from, dynamic, error);
}

cairn_status cairn_dynamic_load(const char *path, cairn_dynamic **dynamic, cairn_error *error)
{
    uint8_t *text = NULL;
    size_t size = 0;
    cn_mem mem = cn_mem_from(NULL);

    if (!dynamic)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    *dynamic = NULL;
    if (!path)
        return cn_error_general(error, CAIRN_E_ARGUMENT, NULL);
    cairn_status status = cn_file_read(path, &mem, &text, &size);
    if (status != CAIRN_OK)
        return cn_error_general(error, status, NULL);
    patch_text from = {.scenario_path = path};
    status = parse((const char *)text, size, &from, dynamic, error);
    cn_release(&mem, text);
    return status;
}

void cairn_dynamic_free(cairn_dynamic *dynamic)
{
    if (!dynamic)
        return;
    cn_mem mem = dynamic->mem;
    for (size_t i = 0; i < dynamic->patch_count; i++)
        cn_release(&mem, dynamic->patches[i].letters);
    cn_release(&mem, dynamic->patches);
    cn_release(&mem, dynamic->events);
    cn_release(&mem, dynamic);
}

uint32_t cairn_dynamic_width(const cairn_dynamic *dynamic)
{
    return dynamic->width;
}

uint32_t cairn_dynamic_height(const cairn_dynamic *dynamic)
{
    return dynamic->height;
}

const cairn_event *cairn_dynamic_events(const cairn_dynamic *dynamic)
{
    return dynamic->events;
}

size_t cairn_dynamic_count(const cairn_dynamic *dynamic)
{
    return dynamic->event_count;
}
