/* A file of rows that are packed already: the sections around them, and the bytes as a whole. */
#ifndef CN_FILE_FILE_COMPOSE_H
#define CN_FILE_FILE_COMPOSE_H

#include "codec/codec.h"
#include "file/file_facts.h"
#include "io/atomic_file.h"
#include "io/buffer.h"

typedef struct cn_composition {
    cn_marks marks;
    const cn_buffer *map;    /* its section; NULL: it is left out */
    cairn_metric map_metric; /* where the map is not left out */
    cn_table_facts facts;
    cn_landmark_lists landmarks; /* of the rows of the file */
    const cn_packed *rows;       /* [row_count] */
    uint32_t row_count;

    cn_buffer head; /* everything before the packed rows: made by cn_compose */
    cn_buffer tail; /* everything after them */
} cn_composition;

/* A section whose payload is in memory. */
void cn_put_section(cn_buffer *buffer, uint32_t type, const void *payload, size_t size);

/* A section whose payload is written behind its head by the caller: begin makes room for the head
 * and returns where it starts, end fills it in. */
size_t cn_begin_section(cn_buffer *buffer);
void cn_end_section(cn_buffer *buffer, size_t start, uint32_t type);

/* Makes head and tail, whose allocators must be set, of all that is above them. */
cairn_status cn_compose(cn_composition *file);
void cn_composition_free(cn_composition *file);

/* The bytes of the file in order, in at most CN_PIECES_MAX pieces; returns how many. */
enum { CN_PIECES_MAX = CAIRN_ROWS_MAX + 2 };
size_t cn_composition_pieces(const cn_composition *file, cn_piece pieces[CN_PIECES_MAX]);

/* Writes the file; see cairn_save. */
cairn_status cn_composition_write(const cn_composition *file, const char *path,
                                  const cairn_progress *progress);

/* A hash of the landmarks of so many rows, as docs/FORMAT.md defines it. */
uint64_t cn_landmarks_hash(cn_landmark_lists landmarks, uint32_t row_count);

#endif
