/*
 * A table of corners that shares set and entries with another one of the same thread, for the two
 * sides of a world. Each gets its own when it is changed.
 */
#ifndef CN_TABLE_TABLE_TWIN_H
#define CN_TABLE_TABLE_TWIN_H

#include "table/table.h"

/* CAIRN_E_MEMORY. */
cairn_status cn_table_twin(cairn_table *table, cairn_table **twin);

/* Makes `to` equal to `from` again, by sharing. CAIRN_E_MEMORY: only another call makes `to`
 * valid. */
cairn_status cn_table_follow_twin(cairn_table *to, cairn_table *from);

#endif
