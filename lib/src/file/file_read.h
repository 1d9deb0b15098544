/* What the files of the reader share. */
#ifndef CN_FILE_FILE_READ_H
#define CN_FILE_FILE_READ_H

#include "codec/codec.h"
#include "file/file_facts.h"
#include "file/file_sections.h"

/* One row of the directory. */
typedef struct cn_row_entry {
    uint32_t codec_id;
    uint32_t crc;
    uint64_t size;
    uint64_t offset; /* in the file */
} cn_row_entry;

/* How much a reader reads. */
typedef enum cn_read_what {
    CN_READ_OUTLINE, /* everything but the map and the rows, whose contents are skipped */
    CN_READ_PACKED, /* that, with the bytes of the map and of the rows, whose checksums are right */
    CN_READ_MAP,
    CN_READ_ALL
} cn_read_what;

typedef struct cn_reader {
    cn_sections sections;
    cn_read_what wants;
    cn_mem mem;
    cairn_load_options options;
    cn_watch watch;

    cairn_map *own_map;       /* the map in the file */
    const cairn_map *map;     /* that map or the caller's */
    const cairn_map *row_map; /* whose costs the rows hold: that map or its step map */
    cairn_table *table;
    bool keeps_map;
    bool keeps_table; /* false: rows are verified and dropped, or not read at all */

    cn_marks marks;
    uint64_t map_size;             /* of its section; 0: there is none */
    cairn_map_outline map_outline; /* where the outline is wanted */
    cn_table_facts facts;
    uint32_t row_count; /* in the file */
    uint32_t rows_wanted;
    uint32_t rows_together; /* rows in memory at the same time: all that are wanted, or a few of
                             * them where they are only verified */
    size_t *landmark_start; /* [row_count + 1] */
    cairn_node *landmarks;
    cn_row_entry *rows;    /* [row_count] */
    uint32_t corner_count; /* where rows are to live at corners */

    cn_codec_layout layout;

    cn_chunk packed_map; /* where packed bytes are wanted: the payload of its section */
    cn_chunk packed_rows;
} cn_reader;

/* Reads a file as it is packed, and closes it. `reader` must be all zeros but for the error, which
 * may be NULL; to be freed also after a failure. `mem` must last as long. */
cairn_status cn_reader_take_packed(cn_reader *reader, const char *path, const cn_mem *mem);
void cn_reader_free(cn_reader *reader);

/* Whether the map is left packed. */
CN_ALWAYS_INLINE bool cn_reader_wants_no_map(const cn_reader *in)
{
    return in->wants == CN_READ_OUTLINE || in->wants == CN_READ_PACKED;
}

/* Limits (read_limits.c). How many bytes map and table may take, and separately what they need
 * temporarily while they are unpacked: the caller's limit, or one that follows from the size of the
 * file. */
uint64_t cn_reader_memory_limit(const cn_reader *in);

/* How many steps unpacking may take where a few bytes can require many: as many as there are bytes
 * in that limit, or in the limit that follows from the file if that is larger. */
uint64_t cn_reader_work_limit(const cn_reader *in);

/* Refuses a file that would take so many bytes or, for cn_reader_too_much, steps; the expectation
 * mentions memory_limit. */
cairn_status cn_reader_too_large(cn_reader *in, uint64_t offset, const char *expected,
                                 uint64_t bytes);
cairn_status cn_reader_too_much(cn_reader *in, uint64_t offset, const char *expected,
                                uint64_t steps);

/* Reads the stamp, which part of a table the file is, and what units it is for, if there are such
 * sections (file_read_marks.c). */
cairn_status cn_reader_take_marks(cn_reader *in);

/* Reads the map and its metric, if the file has any (file_read_map.c). */
cairn_status cn_reader_take_map(cn_reader *in);

/* Reads what the file says of its table, up to the rows; the map is known, unless it is not wanted
 * (file_read_table.c). */
cairn_status cn_reader_take_table(cn_reader *in);

/* Refuses rows that would take more memory or work than the limits allow. The work is that of
 * graphs, of which every row visits every arc. */
cairn_status cn_reader_check_rows_fit(cn_reader *in, uint64_t offset);

/* Reads the rows as they are wanted, and the end of the file unless some rows are left out
 * (file_read_rows.c). */
cairn_status cn_reader_take_rows(cn_reader *in);

/* Verifies the rows of the table, which are `first` and those after it in the file. */
cairn_status cn_reader_verify(cn_reader *in, uint32_t first);

#endif
