/* The writer of files of tables, for code that has the rows. */
#ifndef CN_FILE_FILE_WRITE_H
#define CN_FILE_FILE_WRITE_H

#include <stdatomic.h>

#include "io/buffer.h"
#include "codec/codec.h"
#include "base/tasks.h"
#include "file/file_compose.h"

typedef struct cn_writer {
    const cairn_map *map;
    cn_table_shape shape;
    const cn_mem *mem;
    cairn_save_options options;
    uint32_t row_count; /* of the table: the first ones of the shape */
    uint32_t first_row; /* of the file: all of the table unless it is a part */
    uint32_t end_row;
    cn_crew crew;
    cn_codec_layout layout;
    cn_packing packing;
    cn_survey survey;
    cn_packer *packers[CN_THREADS_MAX]; /* by worker; NULL until it is needed */
    cn_packed *rows;                    /* by row; whoever packs a row stores it here */
    cn_buffer own_map;                  /* its section, where the caller has none */
    cn_composition file;
    atomic_uint rows_done;
} cn_writer;

/* Opens a writer for rows of that shape. It has to be closed, also after a failure. */
cairn_status cn_writer_open(cn_writer *out, const cairn_map *map, cn_table_shape shape,
                            const cairn_save_options *options, uint32_t thread_count);
void cn_writer_close(cn_writer *out);

/* The packer of a thread. */
cairn_status cn_writer_packer(cn_writer *out, unsigned worker, cn_packer **packer);
void cn_writer_drop_packer(cn_writer *out, unsigned worker);

/* After the survey: sets `packing`, and the surveyed rows. */
void cn_writer_decide(cn_writer *out);

/* Appends the section of the map. Needs no writer, and does not depend on the metric; a failure is
 * kept in the buffer. */
void cn_writer_pack_map(const cairn_map *map, cn_buffer *buffer);

/* After all rows of the file have been packed: makes the sections around them. `map_section` may be
 * NULL. */
cairn_status cn_writer_compose(cn_writer *out, cn_landmark_lists landmarks,
                               const cn_buffer *map_section);

/* Writes the file; see cairn_save. */
cairn_status cn_writer_replace(const cn_writer *out, const char *path);

#endif
