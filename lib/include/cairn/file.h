/* Files: map and table as one file, saved and loaded. Part of cairn/cairn.h, which says what
 * holds for all of them. */
#ifndef CAIRN_FILE_H
#define CAIRN_FILE_H

#include "cairn/table.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cairn_codec {
    CAIRN_CODEC_BEST = 0,   /* the smallest that this build has */
    CAIRN_CODEC_RAW,        /* plain little-endian entries */
    CAIRN_CODEC_PREDICTOR,  /* prediction from decoded neighbours, deflated */
    CAIRN_CODEC_SEEDS       /* a few exact cells, and sweeps over the map that fill the rest */
} cairn_codec;

/* Whether a file holds its map. Without it, it is smaller, and the game has to bring the map. */
typedef enum cairn_map_part {
    CAIRN_MAP_INCLUDED = 0,
    CAIRN_MAP_LEFT_OUT
} cairn_map_part;

typedef struct cairn_save_options {
    size_t size;                     /* sizeof(cairn_save_options) */
    cairn_codec codec;
    uint32_t row_count;              /* write only the first rows; 0: all */
    uint32_t thread_count;           /* 0: one per processor */
    const cairn_progress *progress;  /* NULL: none */
    cairn_map_part map_part;
} cairn_save_options;

typedef struct cairn_load_options {
    size_t size;                       /* sizeof(cairn_load_options) */
    uint32_t row_count;                /* load only the first rows; 0: all */
    uint32_t thread_count;             /* 0: one per processor */
    const cairn_allocator *allocator;  /* copied; NULL: malloc */

    /* Bytes that map and table may take: as many rows are loaded as fit, and CAIRN_E_LIMIT when
     * not even one does. 0: all rows, but CAIRN_E_LIMIT when they take more than 96 MiB and 24,576
     * times the size of the file. Maps that are larger and all but empty need a limit that allows
     * them: 4096 x 4096 open cells and 16 rows, 1 GiB, are a file of 354 bytes. */
    uint64_t memory_limit;

    /* The map of a file that was written without it: CAIRN_E_MISMATCH for any other, and without
     * one. Not looked at when the file has a map. Must be there during the call alone. */
    const cairn_map *map;

    /* Called many times a second, also while the file is read and its map unpacked: returning
     * false stops with CAIRN_E_CANCELLED. NULL: none. */
    const cairn_progress *progress;
} cairn_load_options;

/* Bytes that come in order, from wherever a program keeps them. */
typedef struct cairn_stream {
    /* Writes the next bytes and returns how many: fewer than `size` at the end alone, SIZE_MAX
     * after a failure. */
    size_t (*read)(void *context, void *bytes, size_t size);
    void *context;
    uint64_t size;  /* of the whole, when known; 0: not known */
} cairn_stream;

/* Writes map and table into one file: to a temporary name beside it, flushed to the disk, then
 * renamed, so that the file is the old one or the new one, whole, whatever happens. A process that
 * is killed on the way leaves the temporary, PATH.*.tmp, which nothing reads. Where the path is a
 * link, the file that it leads to is replaced; pipes and devices are written to as they are.
 * Returns CAIRN_E_MISMATCH for a table of another map, CAIRN_E_STALE for one behind its map,
 * CAIRN_E_INEXACT where a landmark lies in a blocked cell (only a table with wrong entries comes to
 * that; cairn_table_rebuild moves it), CAIRN_E_IO (errno tells why), and CAIRN_E_MEMORY: what is
 * written can be loaded. `options` may be NULL. */
CAIRN_API cairn_status cairn_save(const cairn_map *map, const cairn_table *table,
                                  const char *path, const cairn_save_options *options);

/* What cairn_build_file made. */
typedef struct cairn_build_summary {
    uint32_t row_count;
    uint32_t entry_bits;   /* 16 or 32 */
    size_t table_memory;   /* bytes that the table will take when it is loaded */
} cairn_build_summary;

/* Builds and saves in one go. The file is the one that cairn_table_build and cairn_save would give,
 * byte for byte, but the table is never in memory as a whole, and rows are packed while later ones
 * are measured. Threads and progress are those of `build`; either of the options may be NULL, and
 * so may `summary`. Returns what those two would. */
CAIRN_API cairn_status cairn_build_file(cairn_map *map, const cairn_build_options *build,
                                        const cairn_save_options *save, const char *path,
                                        cairn_build_summary *summary);

/* The same into memory; *bytes is the caller's, for cairn_bytes_free. */
CAIRN_API cairn_status cairn_save_bytes(const cairn_map *map, const cairn_table *table,
                                        const cairn_save_options *options, uint8_t **bytes,
                                        size_t *size);
CAIRN_API void cairn_bytes_free(const cairn_map *map, uint8_t *bytes);

/* Reads what cairn_save wrote. Nothing in the file is trusted: sizes are checked before memory
 * is taken, checksums and structure before anything is used. `map` or `table` may be NULL when
 * it is not wanted. `error` may be NULL; its offset is the byte in the file. */
CAIRN_API cairn_status cairn_load(const char *path, const cairn_load_options *options,
                                  cairn_map **map, cairn_table **table, cairn_error *error);
CAIRN_API cairn_status cairn_load_bytes(const uint8_t *bytes, size_t size,
                                        const cairn_load_options *options, cairn_map **map,
                                        cairn_table **table, cairn_error *error);
CAIRN_API cairn_status cairn_load_from(const cairn_stream *stream,
                                       const cairn_load_options *options, cairn_map **map,
                                       cairn_table **table, cairn_error *error);

/* What decides costs on the map of a file. All 0 where the map was left out. */
typedef struct cairn_ground {
    cairn_map_kind kind;
    uint32_t width;             /* of a graph: the number of its nodes, and 1 */
    uint32_t height;
    cairn_metric metric;
    cairn_rule rule;
    cairn_charge charge;
    cairn_alphabet alphabet;    /* of a grid */
    uint32_t climb;             /* of heights: see cairn_heights; 0 and 0 where there are none */
    uint32_t descend;
    bool is_directed;           /* a step may cost other than the step back; of a graph whose table
                                 * counts steps: false, since its arcs alone could tell */
} cairn_ground;

/* What a file holds, told without unpacking map or rows: neither is checked, as cairn_load and
 * cairn_table_verify do. */
typedef struct cairn_outline {
    uint64_t map_size;   /* bytes of the map; 0: it was left out */
    uint64_t map_hash;
    cairn_metric metric;  /* of the rows */
    bool is_flat;         /* the table counts steps: see cairn_build_options.flat_metric */
    uint32_t node_count;
    uint32_t entry_bits;
    uint32_t row_count;
    bool is_directed;    /* rows come in pairs: see cairn_way */
    uint64_t landmark_count;  /* of all rows together */
    uint64_t table_memory;    /* bytes that the table takes when it is loaded */
    cairn_ground ground;
    struct {
        cairn_codec codec;  /* CAIRN_CODEC_BEST for one that this build does not have */
        uint64_t size;      /* bytes */
    } rows[CAIRN_ROWS_MAX];
} cairn_outline;

CAIRN_API cairn_status cairn_outline_load(const char *path, cairn_outline *outline,
                                          cairn_error *error);
CAIRN_API cairn_status cairn_outline_load_bytes(const uint8_t *bytes, size_t size,
                                                cairn_outline *outline, cairn_error *error);

#ifdef __cplusplus
}
#endif

#endif
