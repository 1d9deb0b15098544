/* Callbacks of the library as functions of the host: `context` is the number of a function that
 * JavaScript keeps. What these return are addresses for the members of structs. */
#include "cairn/cairn.h"

#define IMPORT(name) __attribute__((import_module("host"), import_name(#name)))
#define EXPORT(name) __attribute__((export_name(#name)))

IMPORT(report) int host_report(void *context, const char *stage, double done, double total);
IMPORT(bound) cairn_cost host_bound(void *context, cairn_node node, cairn_node goal);
IMPORT(expand) void host_expand(void *context, cairn_node node);
IMPORT(cancel) int host_cancel(void *context);
IMPORT(arcs) uint32_t host_arcs(void *context, cairn_node node, cairn_arc *arcs, uint32_t room);

static bool report(void *context, const char *stage, uint64_t done, uint64_t total)
{
    return host_report(context, stage, (double)done, (double)total) != 0;
}

static bool cancel(void *context)
{
    return host_cancel(context) != 0;
}

static cairn_cost bound(void *context, cairn_node node)
{
    return host_bound(context, node, CAIRN_NO_NODE);
}

EXPORT(glue_report) void *glue_report(void)
{
    return (void *)report;
}

EXPORT(glue_bound) void *glue_bound(void)
{
    return (void *)bound;
}

EXPORT(glue_own_bound) void *glue_own_bound(void)
{
    return (void *)host_bound;
}

EXPORT(glue_expand) void *glue_expand(void)
{
    return (void *)host_expand;
}

EXPORT(glue_cancel) void *glue_cancel(void)
{
    return (void *)cancel;
}

EXPORT(glue_arcs) void *glue_arcs(void)
{
    return (void *)host_arcs;
}
