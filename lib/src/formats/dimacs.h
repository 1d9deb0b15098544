/* The formats of the 9th DIMACS challenge: .gr for arcs, .co for coordinates, .p2p for queries. */
#ifndef CN_FORMATS_DIMACS_H
#define CN_FORMATS_DIMACS_H

#include "graph/graph.h"

/* A text has at most so many nodes, which take less than a megabyte, or, if it has more bytes, one
 * for each byte. Comments count. */
enum { CN_DIMACS_NODES_FREE = 1 << 16 };

/* Whether a text begins like one of these files. Its first line may be a comment or missing. */
bool cn_text_is_dimacs(const char *text, size_t size);

/* Reads the text of a DIMACS .gr file, and the text of a .co file that belongs to one. */
cairn_status cn_dimacs_parse(const cn_mem *mem, const char *text, size_t size, cn_graph **graph,
                             cairn_error *error);
cairn_status cn_dimacs_parse_places(cn_graph *graph, const cn_mem *mem, const char *text,
                                    size_t size, cairn_error *error);

/* Reads the text of a .p2p file for a graph with so many nodes. The queries are allocated by `mem`;
 * NULL after a failure. */
cairn_status cn_dimacs_parse_queries(const cn_mem *mem, uint32_t nodes, const char *text,
                                     size_t size, cairn_query **queries, size_t *count,
                                     cairn_error *error);

#endif
