/* What happens in a scenario with patches. */
#ifndef KIT_EVENTS_H
#define KIT_EVENTS_H

#include "cairn/cairn.h"

/* Applies the edits among so many events in one call of cairn_map_edit, whose results it returns;
 * *edit_count becomes their number. */
cairn_status kit_apply_events(cairn_map *map, const cairn_event *events, size_t count,
                              size_t *edit_count);

#endif
