#include "export/map_text.h"

#include <errno.h>
#include <stdio.h>

#include "kit/exits.h"
#include "kit/interrupt.h"
#include "kit/json.h"
#include "kit/nodes.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"

static void print_json(const cairn_map *map, const char *path)
{
    kit_json json = {.file = stdout};
    kit_json_open(&json, NULL, '{');
    kit_json_text(&json, "file", path);
    kit_json_count(&json, "width", cairn_map_width(map));
    kit_json_count(&json, "height", cairn_map_height(map));
    kit_json_size(&json, "file_bytes", kit_file_size(path));
    kit_json_close(&json, '}');
}

int map_text_export(const cairn_map *map, const char *name, const char *path, bool json)
{
    kit_progress_begin("writing %s", kit_file_name(path));
    errno = 0;
    const cairn_status status = cairn_map_save(map, path, &kit_progress_hook);
    kit_interrupt_release();
    kit_progress_end();
    if (status == CAIRN_E_ARGUMENT) {
        kit_complain("%s: no text can hold this map: it has units that stand on one-way cells, or "
                     "letters below the blank",
                     name);
        return KIT_EXIT_NO;
    }
    if (status != CAIRN_OK)
        return kit_fail(path, status);
    if (json)
        print_json(map, path);
    else if (kit_reports(path, json))
        printf("%s: the map of %s, %s, %s bytes\n", path, kit_file_name(name),
               kit_map_size(map).text, kit_count(kit_file_size(path)).text);
    return KIT_EXIT_OK;
}
