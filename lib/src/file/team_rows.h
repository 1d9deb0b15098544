/* Rows that were packed by several processes, for the one of them that writes the file. */
#ifndef CN_FILE_TEAM_ROWS_H
#define CN_FILE_TEAM_ROWS_H

#include "base/team.h"
#include "file/file_write.h"

/* After every process has packed its rows, of `sets` in which rows come together: afterwards rank 0
 * has all. */
cairn_status cn_writer_collect(cn_writer *out, cn_team *team, uint32_t sets);

#endif
