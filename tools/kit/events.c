#include "kit/events.h"

#include <stdlib.h>

cairn_status kit_apply_events(cairn_map *map, const cairn_event *events, size_t count,
                              size_t *edit_count)
{
    cairn_edit *edits = calloc(count ? count : 1, sizeof *edits);
    *edit_count = 0;
    if (!edits)
        return CAIRN_E_MEMORY;
    for (size_t i = 0; i < count; i++) {
        if (events[i].kind == CAIRN_EVENT_EDIT)
            edits[(*edit_count)++] = events[i].edit;
    }
    cairn_status status = cairn_map_edit(map, edits, *edit_count);
    free(edits);
    return status;
}
