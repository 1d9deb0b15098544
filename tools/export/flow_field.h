/* Flow fields as files: for every cell the step towards the nearest of some targets. */
#ifndef EXPORT_FLOW_FIELD_H
#define EXPORT_FLOW_FIELD_H

#include "export/formats.h"
#include "kit/args.h"
#include "kit/nodes.h"

enum { FLOW_TARGETS_MAX = 64 };

typedef struct flow_targets {
    kit_cell cells[FLOW_TARGETS_MAX];
    uint32_t count; /* 0: none were given */
} flow_targets;

/* Cells, or numbers of nodes, with blanks or semicolons between them. */
kit_reader flow_read_targets;

typedef struct flow_order {
    const char *map_name;
    const char *output_path;
    const char *format_name;
    int format;
    bool json;
    const flow_targets *targets;
} flow_order;

/* Computes the field and writes it; returns the exit code. */
int flow_export(const flow_order *order, const cairn_map *map);

#endif
