#include "kit/edits.h"

#include <stdio.h>
#include <string.h>

#include "kit/events.h"
#include "kit/exits.h"
#include "kit/nodes.h"
#include "kit/output.h"
#include "kit/say.h"
#include "kit/source.h"
#include "kit/system.h"

/* The line for the first of the edits that the map refuses. */
static int refuse_edit(const char *name, const cairn_edits *edits, const cairn_map *map)
{
    cairn_error error;

    cairn_map_check_edits(map, cairn_edits_items(edits), cairn_edits_count(edits), &error);
    error.line = cairn_edits_line(edits, (size_t)error.line - 1);
    return kit_refuse(name, &error);
}

static cairn_status read_list(const kit_source *source, cairn_edits **edits, cairn_error *error)
{
    return source->bytes
               ? cairn_edits_parse((const char *)source->bytes, source->size, edits, error)
               : cairn_edits_load(source->path, edits, error);
}

static int apply_edit_list(const kit_source *source, cairn_map *map, size_t *count)
{
    cairn_edits *edits;
    cairn_error error;
    if (read_list(source, &edits, &error) != CAIRN_OK)
        return kit_refuse(source->name, &error);

    int code = KIT_EXIT_OK;
    *count = cairn_edits_count(edits);
    cairn_status status = cairn_map_edit(map, cairn_edits_items(edits), cairn_edits_count(edits));
    if (status == CAIRN_E_MEMORY)
        code = kit_fail(source->name, status);
    else if (status != CAIRN_OK)
        code = refuse_edit(source->name, edits, map);
    cairn_edits_free(edits);
    return code;
}

static int check_size(const char *name, const cairn_dynamic *dynamic, const cairn_map *map)
{
    const uint32_t width = cairn_dynamic_width(dynamic), height = cairn_dynamic_height(dynamic);
    if (cairn_map_kind_of(map) == CAIRN_MAP_GRID && width == cairn_map_width(map) &&
        height == cairn_map_height(map))
        return KIT_EXIT_OK;
    kit_complain("%s: expected patches of %s, found a map of %u x %u cells", name,
                 kit_map_size(map).text, width, height);
    return KIT_EXIT_IO;
}

/* All patches of the file, whatever their time. They lie in a file beside it. */
static int apply_patches(const kit_source *source, cairn_map *map, size_t *count)
{
    cairn_dynamic *dynamic;
    cairn_error error;
    cairn_status status = CAIRN_OK;

    if (source->bytes) {
        kit_complain("%s: a scenario with patches has to be a file, with its patch file beside it",
                     source->name);
        return KIT_EXIT_IO;
    }
    if (cairn_dynamic_load(source->path, &dynamic, &error) != CAIRN_OK)
        return kit_refuse_dynamic(source->name, &error);
    int code = check_size(source->name, dynamic, map);
    if (code == KIT_EXIT_OK)
        status = kit_apply_events(map, cairn_dynamic_events(dynamic), cairn_dynamic_count(dynamic),
                                  count);
    if (status != CAIRN_OK)
        code = kit_fail(source->name, status);
    cairn_dynamic_free(dynamic);
    return code;
}

static const char scenario_start[] = "version";
enum { SCENARIO_START = sizeof scenario_start - 1 };

/* Whether a text, behind a byte order mark where it has one, begins as scenarios do. */
static bool begins_scenario(const void *bytes, size_t size)
{
    static const char mark[] = "\xef\xbb\xbf";
    const char *text = bytes;
    const size_t skipped = size >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    return size - skipped >= SCENARIO_START &&
           memcmp(text + skipped, scenario_start, SCENARIO_START) == 0;
}

/* A file that cannot be read is left to the reader of lists to complain about. */
static bool is_scenario(const kit_source *source)
{
    char start[SCENARIO_START + 3];
    if (source->bytes)
        return begins_scenario(source->bytes, source->size);
    FILE *file = kit_file_open(source->path, "rb");
    if (!file)
        return false;
    const size_t size = fread(start, 1, sizeof start, file);
    fclose(file);
    return begins_scenario(start, size);
}

/* The line `patch FILE` names a file of the same folder. */
bool kit_edits_patches(const char *path, char *patches, size_t size)
{
    enum { HEAD = 4096 };
    char head[HEAD + 1];
    kit_file_facts facts;
    /* What a pipe gives can be read once. */
    if (kit_is_stdin(path) || !kit_file_look(path, &facts) || !facts.is_regular)
        return false;
    FILE *file = kit_file_open(path, "rb");
    if (!file)
        return false;
    const size_t count = fread(head, 1, HEAD, file);
    fclose(file);
    head[count] = '\0';
    const char *name = begins_scenario(head, count) ? strstr(head, "\npatch") : NULL;
    if (!name)
        return false;
    name += strlen("\npatch");
    name += strspn(name, " \t");
    const int folder = (int)(kit_file_name(path) - path), length = (int)strcspn(name, " \t\r\n");
    return length > 0 &&
           (size_t)snprintf(patches, size, "%.*s%.*s", folder, path, length, name) < size;
}

int kit_refuse_dynamic(const char *path, const cairn_error *error)
{
    static const char start[] = "in the patch file: ";
    char patches[FILENAME_MAX];
    cairn_error own = *error;
    if (!own.expected || strncmp(own.expected, start, strlen(start)) != 0 ||
        !kit_edits_patches(path, patches, sizeof patches))
        return kit_refuse(path, error);
    own.expected += strlen(start);
    return kit_refuse(patches, &own);
}

int kit_apply_edits(const char *path, cairn_map *map, size_t *count)
{
    kit_source source;
    int code = kit_source_open(&source, path);
    if (code == KIT_EXIT_OK)
        code = is_scenario(&source) ? apply_patches(&source, map, count)
                                    : apply_edit_list(&source, map, count);
    kit_source_close(&source);
    return code;
}
