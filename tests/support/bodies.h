/* Units of several cells, drawn cell by cell, and what the oracle knows of them. */
#ifndef SUPPORT_BODIES_H
#define SUPPORT_BODIES_H

#include "twin.h"

/* A unit, as the test sees it. */
typedef struct body {
    uint32_t cells[CAIRN_UNIT_SIZE_MAX * CAIRN_UNIT_SIZE_MAX];
    uint32_t count; /* 0: it reaches beyond the map */
} body;

/* The unit that stands at a node. */
body body_at(const twin *both, uint32_t anchor, uint32_t size, cairn_anchor of);

/* A letter with the largest factor below a unit; '@' where it does not fit. */
char body_letter(const twin *both, const body *unit);

/* Units on a map as if each were one cell, less what one of its cells may not do; `map` is the
 * library's for them. For bodies_free. */
twin bodies_twin(const twin *both, cairn_map *map, uint32_t size, cairn_anchor of);
void bodies_free(twin *units);

#endif
