/* Maps that change over time: a .scen file of version 2 and the patch file that it names. */
#include <string.h>

#include "file.h"
#include "map.h"
#include "text.h"

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
    cairn_event *events;
    size_t event_count;
    size_t event_capacity;
};

/* A file being read. */
typedef struct reader {
    cairn_dynamic *dynamic;
    cairn_error *error;
    cn_lines lines;
    cn_span line;
} reader;

static cairn_status refuse(reader *in, const char *expected)
{
    return cn_error_at_line(in->error, CAIRN_E_FORMAT, in->lines.number, expected, in->line.start,
                            in->line.size);
}

static bool next_line(reader *in)
{
    if (cn_lines_next(&in->lines, &in->line))
        return true;
    in->line = (cn_span){in->lines.end, 0};
    return false;
}

/* "KEY NUMBER" */
static bool read_field(reader *in, const char *key, uint64_t most, uint32_t *number)
{
    cn_span rest, word;
    uint64_t value;

    if (!next_line(in))
        return false;
    rest = in->line;
    if (!cn_span_word(&rest, &word) || !cn_span_equals(word, key) || !cn_span_word(&rest, &word) ||
        !cn_span_number(word, most, &value))
        return false;
    *number = (uint32_t)value;
    return true;
}

static bool read_rows(reader *in, patch *made)
{
    for (uint32_t y = 0; y < made->height; y++) {
        if (!next_line(in) || in->line.size != made->width)
            return false;
        for (uint32_t x = 0; x < made->width; x++) {
            uint8_t letter = (uint8_t)in->line.start[x];
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
    patch *made = &dynamic->patches[number];
    uint32_t stated;

    if (!read_field(in, "patch", UINT32_MAX, &stated) || stated != number)
        return refuse(in, "patch N, counted from 0");
    if (!read_field(in, "height", CAIRN_SIDE_MAX, &made->height) || made->height == 0)
        return refuse(in, "height N");
    if (!read_field(in, "width", CAIRN_SIDE_MAX, &made->width) || made->width == 0)
        return refuse(in, "width N");
    if (!next_line(in) || !cn_span_equals(in->line, "map"))
        return refuse(in, "map");
    /* Letters are taken from the file: it must be long enough for them. */
    size_t size = (size_t)made->width * made->height;
    if (size > (size_t)(in->lines.end - in->lines.at))
        return refuse(in, "as many letters as width and height say");
    made->letters = cn_array(&dynamic->mem, size, 1);
    if (!made->letters)
        return cn_error_plain(in->error, CAIRN_E_MEMORY, NULL);
    return read_rows(in, made) ? CAIRN_OK
                               : refuse(in, "a row of terrain letters as wide as the patch");
}

static cairn_status read_patches(reader *in)
{
    cairn_dynamic *dynamic = in->dynamic;
    uint32_t count;

    if (!next_line(in) || !cn_span_equals(in->line, "type patch"))
        return refuse(in, "type patch");
    if (!read_field(in, "patches", UINT32_MAX, &count) ||
        count > (size_t)(in->lines.end - in->lines.at))
        return refuse(in, "patches N");
    dynamic->patches = cn_zeroed(&dynamic->mem, count + 1u, sizeof *dynamic->patches);
    if (!dynamic->patches)
        return cn_error_plain(in->error, CAIRN_E_MEMORY, NULL);
    dynamic->patch_count = count;
    for (uint32_t number = 0; number < count; number++) {
        cairn_status status = read_patch(in, number);
        if (status != CAIRN_OK)
            return status;
    }
    return CAIRN_OK;
}

static bool read_numbers(cn_span *line, uint32_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cn_span word;
        uint64_t number;
        if (!cn_span_word(line, &word) || !cn_span_number(word, UINT32_MAX, &number))
            return false;
        numbers[i] = (uint32_t)number;
    }
    return true;
}

/* "P TIME PATCH X Y", behind the letter */
static bool read_patch_event(const cairn_dynamic *dynamic, cn_span *line, cairn_event *event)
{
    uint32_t of[4];

    if (!read_numbers(line, of, 4) || of[1] >= dynamic->patch_count)
        return false;
    const patch *used = &dynamic->patches[of[1]];
    if (of[2] > dynamic->width || used->width > dynamic->width - of[2] ||
        of[3] > dynamic->height || used->height > dynamic->height - of[3])
        return false;
    *event = (cairn_event){.kind = CAIRN_EVENT_EDIT, .time = of[0],
                           .edit = cairn_patch_letters(of[2], of[3], used->width, used->height,
                                                       (const char *)used->letters)};
    return true;
}

/* "Q TIME X Y X Y LENGTH", behind the letter */
static bool read_query_event(const cairn_dynamic *dynamic, cn_span *line, cairn_event *event)
{
    uint32_t of[5];
    cn_span word;
    double length;

    if (!read_numbers(line, of, 5) || !cn_span_word(line, &word) ||
        !cn_span_decimal(word, &length) || of[1] >= dynamic->width || of[2] >= dynamic->height ||
        of[3] >= dynamic->width || of[4] >= dynamic->height)
        return false;
    *event = (cairn_event){.kind = CAIRN_EVENT_QUERY, .time = of[0],
                           .query = {.bucket = of[0], .length = length,
                                     .start = of[2] * dynamic->width + of[1],
                                     .goal = of[4] * dynamic->width + of[3]}};
    return true;
}

static cairn_status read_event(reader *in)
{
    cairn_dynamic *dynamic = in->dynamic;
    cn_span rest = in->line, word;
    cairn_event event;
    bool fits = false;

    if (!cn_span_word(&rest, &word))
        return CAIRN_OK;
    if (cn_span_equals(word, "P"))
        fits = read_patch_event(dynamic, &rest, &event);
    else if (cn_span_equals(word, "Q"))
        fits = read_query_event(dynamic, &rest, &event);
    if (!fits || cn_span_word(&rest, &word))
        return refuse(in, "P TIME PATCH X Y or Q TIME X Y X Y LENGTH, on the map");
    void *events = dynamic->events;
    if (!cn_grow(&dynamic->mem, &events, &dynamic->event_capacity, dynamic->event_count,
                 dynamic->event_count + 1, sizeof event))
        return cn_error_plain(in->error, CAIRN_E_MEMORY, NULL);
    dynamic->events = events;
    dynamic->events[dynamic->event_count++] = event;
    return CAIRN_OK;
}

/* The file that `name` names beside `path`; from `mem`. */
static char *beside(const cn_mem *mem, const char *path, cn_span name)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    char *made = cn_array(mem, folder + name.size + 1, 1);
    if (!made)
        return NULL;
    memcpy(made, path, folder);
    memcpy(made + folder, name.start, name.size);
    made[folder + name.size] = '\0';
    return made;
}

static cairn_status load_patches(cairn_dynamic *dynamic, const char *path, cn_span name,
                                 cairn_error *error)
{
    uint8_t *text;
    size_t size;
    char *patch_path = beside(&dynamic->mem, path, name);
    if (!patch_path)
        return cn_error_plain(error, CAIRN_E_MEMORY, NULL);

    cairn_status status = cn_file_read(patch_path, &dynamic->mem, &text, &size);
    cn_release(&dynamic->mem, patch_path);
    if (status != CAIRN_OK)
        return cn_error_plain(error, status, "the patch file that the scenario names");
    reader in = {.dynamic = dynamic, .error = error,
                 .lines = cn_lines_of((const char *)text, size)};
    status = read_patches(&in);
    cn_release(&dynamic->mem, text);
    return status;
}

static cairn_status read_scenario(reader *in, const char *path)
{
    cairn_dynamic *dynamic = in->dynamic;
    cn_span rest, word;

    if (!next_line(in) || !cn_span_equals(in->line, "version 2"))
        return refuse(in, "version 2");
    if (!read_field(in, "height", CAIRN_SIDE_MAX, &dynamic->height) || dynamic->height == 0)
        return refuse(in, "height N");
    if (!read_field(in, "width", CAIRN_SIDE_MAX, &dynamic->width) || dynamic->width == 0)
        return refuse(in, "width N");
    if ((uint64_t)dynamic->width * dynamic->height > CAIRN_NODES_MAX)
        return cn_error_plain(in->error, CAIRN_E_LIMIT, "at most 2^28 cells");
    if (!next_line(in) || !cn_span_equals(in->line, "cost 1 octile"))
        return refuse(in, "cost 1 octile");
    if (!next_line(in) || (rest = in->line, !cn_span_word(&rest, &word)) ||
        !cn_span_equals(word, "patch") || !cn_span_word(&rest, &word))
        return refuse(in, "patch FILE");
    cairn_status status = load_patches(dynamic, path, word, in->error);
    if (status != CAIRN_OK)
        return status;
    if (!next_line(in) || !cn_span_equals(in->line, "commands"))
        return refuse(in, "commands");
    while (status == CAIRN_OK && next_line(in))
        status = read_event(in);
    return status;
}

cairn_status cairn_dynamic_load(const char *path, cairn_dynamic **dynamic, cairn_error *error)
{
    uint8_t *text = NULL;
    size_t size = 0;

    if (!path || !dynamic)
        return cn_error_plain(error, CAIRN_E_ARGUMENT, NULL);
    *dynamic = NULL;
    cn_mem mem = cn_mem_from(NULL);
    cairn_dynamic *made = cn_zeroed(&mem, 1, sizeof *made);
    if (!made)
        return cn_error_plain(error, CAIRN_E_MEMORY, NULL);
    made->mem = mem;
    cairn_status status = cn_file_read(path, &mem, &text, &size);
    if (status != CAIRN_OK) {
        cn_error_plain(error, status, NULL);
    } else {
        reader in = {.dynamic = made, .error = error,
                     .lines = cn_lines_of((const char *)text, size)};
        status = read_scenario(&in, path);
        cn_release(&mem, text);
    }
    if (status != CAIRN_OK) {
        cairn_dynamic_free(made);
        return status;
    }
    *dynamic = made;
    return CAIRN_OK;
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
