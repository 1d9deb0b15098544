/* Files: map and table as one file, saved and loaded. Part of cairn/cairn.h, which has the
 * conventions of all calls. */
#ifndef CAIRN_FILE_H
#define CAIRN_FILE_H

#include "cairn/table.h"
#include "cairn/units.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cairn_codec {
    CAIRN_CODEC_BEST = 0,  /* the smallest that this build has */
    CAIRN_CODEC_RAW,       /* uncompressed little-endian entries */
    CAIRN_CODEC_PREDICTOR, /* predictions from decoded neighbours; the differences are deflated */
    CAIRN_CODEC_SEEDS      /* entries of a few cells, from which sweeps over the map give the
                            * rest */
} cairn_codec;

/* Whether a file includes its map. Without it the file is smaller, and the program that loads it
 * has to supply the map. */
typedef enum cairn_map_part { CAIRN_MAP_INCLUDED = 0, CAIRN_MAP_LEFT_OUT } cairn_map_part;

typedef struct cairn_save_options {
    size_t size; /* sizeof(cairn_save_options) */
    cairn_codec codec;
    uint32_t row_count;             /* write only the first rows; 0: all. CAIRN_E_ARGUMENT if that
                                     * would separate a pair of rows, or for more than there are */
    uint32_t thread_count;          /* 0: by processors and work */
    const cairn_progress *progress; /* NULL: none */
    cairn_map_part map_part;
    uint64_t stamp; /* a number of the caller's, such as a hash of what the table was built from,
                     * which the file keeps and cairn_outline_load gives back. 0: none */
} cairn_save_options;

typedef struct cairn_load_options {
    size_t size;                      /* sizeof(cairn_load_options) */
    uint32_t row_count;               /* load only the first rows, of a pair both; 0, or more than
                                       * there are: all */
    uint32_t thread_count;            /* 0: by processors and work */
    const cairn_allocator *allocator; /* copied; NULL: malloc */
    const cairn_pool *pool;           /* copied: rows are unpacked on its threads, and the map that
                                       * is loaded uses it. NULL: threads of the library */

    /* Bytes that map and table may take: as many rows are loaded as fit, and the result is
     * CAIRN_E_LIMIT if not even one does. 0: all rows, but CAIRN_E_LIMIT if they take more than 96
     * MiB plus 24,576 times the size of the file (for a stream, of the bytes that have arrived when
     * memory is allocated), which protects from files made to exhaust memory. Large maps that are
     * almost empty exceed this, and need a limit of their own: the file of 4096 x 4096 open cells
     * and 16 rows, which take 1 GiB, has 354 bytes; that of an arena of 1400 x 1400 with ten
     * pillars, which take 124 MiB, 808. */
    uint64_t memory_limit;

    /* The map of a file that was written without it: CAIRN_E_MISMATCH for another map and for NULL;
     * if the map is for units of another size, the error says so. When the file includes a map,
     * that is loaded; where it is not wanted, CAIRN_E_MISMATCH unless it equals this one. Needs to
     * exist only during the call. */
    const cairn_map *map;

    /* Called many times a second, of very large tables every second or so, also while the file is
     * read and its map decompressed: returning false stops the load with CAIRN_E_CANCELLED.
     * NULL: none. */
    const cairn_progress *progress;

    /* Where the rows of the table live. For corners they are computed from the landmarks of the
     * file, in one thread; checksums are still verified. Meanwhile this takes up to 4 bytes for
     * each cell or, where corners are very many, memory for one row of every cell (two without
     * AVX2, three in mazes). The map gets what it needs to follow runs of jump points, as for a
     * first search. */
    cairn_resident resident;

    /* Not NULL: every entry is verified as by cairn_table_verify. Where one is wrong, *fault says
     * which, and the result is CAIRN_E_INEXACT, though map and table are loaded. Without a table to
     * load (NULL) rows are read, verified and dropped again a few at a time: as many as fit
     * memory_limit or, without one, the limit for the file and 1 GiB, and at least those with 16
     * bytes of entries for a node, or the result is CAIRN_E_LIMIT. So even tables that do not fit
     * into memory can be verified. */
    cairn_fault *fault;
} cairn_load_options;

/* A source of bytes, for example in an archive or on a network. */
typedef struct cairn_stream {
    /* Writes the next bytes and returns how many: fewer than `size` only at the end, SIZE_MAX after
     * a failure. */
    size_t (*read)(void *context, void *bytes, size_t size);
    void *context;
    uint64_t size; /* of the whole source, when known; 0: not known. More bytes are never read, and
                    * memory is taken as they arrive, not as they are announced */
} cairn_stream;

/* Writes map and table, of which neither may be NULL, into one file: first into a temporary file in
 * the same folder, which is flushed to the disk and then renamed, so that at any time the path
 * holds either the old or the new file, complete. A process that is killed meanwhile leaves the
 * temporary file, PATH.*.tmp, which nothing reads. Where the path is a symbolic link, the file that
 * it leads to is replaced; pipes, devices and what is open already (/dev/stdout, /dev/fd/3) are
 * written to directly.
 *
 * Returns CAIRN_E_MISMATCH for a table of another map, or of one that is directed where this is not
 * (cairn_map_is_directed), CAIRN_E_STALE for one that is not completely refreshed after edits of
 * its map, CAIRN_E_INEXACT where a landmark lies in a blocked cell or two rows of a pair have
 * different ones (which happens only to a table with wrong entries; cairn_table_rebuild moves the
 * landmark), CAIRN_E_LIMIT for a graph whose arcs take 2 GiB before they are packed, CAIRN_E_IO
 * (errno tells why; if only the folder could not be flushed, the new file is there, complete), and
 * CAIRN_E_MEMORY. So every file that is written can be loaded, if need be with a memory_limit
 * (cairn_load_options). `options` may be NULL. */
CAIRN_API cairn_status cairn_save(const cairn_map *map, const cairn_table *table, const char *path,
                                  const cairn_save_options *options);

/* Writes a map alone, as text that cairn_map_load reads: a grid in the Moving AI .map format, a
 * graph in the DIMACS .gr format; as it is after edits, and as cairn_save does, complete or not at
 * all. Rules, costs, the meaning of letters, heights and coordinates are not in the text: whoever
 * reads it has to give the same options again. For a map for units these are the options of the map
 * that it follows, whose alphabet then needs a blocked letter: if it has none, block `@` or, where
 * that is open, the first letter from `!` on without a meaning. CAIRN_E_ARGUMENT also for a grid
 * with letters below the blank, and for units that stand on one-way cells, which no text can tell;
 * CAIRN_E_IO (errno tells why), CAIRN_E_CANCELLED, CAIRN_E_MEMORY. `progress` may be NULL. */
CAIRN_API cairn_status cairn_map_save(const cairn_map *map, const char *path,
                                      const cairn_progress *progress);

/* What cairn_build_file made. */
typedef struct cairn_build_summary {
    uint32_t row_count;
    uint32_t entry_bits; /* 16 or 32 */
    size_t table_memory; /* bytes that the table will take when it is loaded */
    uint64_t memory;     /* with a memory_limit: bytes that were counted for the build and its map;
                          * of a build that was refused, those that it needs at least; else 0 */
    bool counts_steps;   /* the table counts steps: see cairn_build_options.step_metric */
} cairn_build_summary;

/* Builds a table and saves it. The file equals the one that cairn_table_build and cairn_save would
 * write, byte for byte, but the table is never in memory as a whole, and rows are packed while
 * later ones are computed. Threads and progress are those of `build`. The options and `summary` may
 * be NULL. Returns what those two calls would. */
CAIRN_API cairn_status cairn_build_file(cairn_map *map, const char *path,
                                        const cairn_build_options *build,
                                        const cairn_save_options *save,
                                        cairn_build_summary *summary);

/* Why cairn_merge refused. `what` names the difference between two files: "map", "metric", "rows"
 * (how many the table has), "parts" (how many there are), "seed", "codec", "landmarks" or "stamp";
 * "part" where both are the same part. Constant; NULL where it is none of these. */
typedef struct cairn_merge_fault {
    size_t file;  /* the index of the file that was refused */
    size_t other; /* that of the file which it does not go with; `file` where there is none */
    const char *what;
    uint32_t missing;  /* the number of the first missing part; 0: none is missing */
    cairn_error error; /* what is wrong with the file, where something is */
} cairn_merge_fault;

/* Puts a table together from its parts, which are files of cairn_build_file in any order, and
 * writes it to `path` as cairn_save does. The file equals that of the whole table, byte for byte.
 * Maps and rows stay packed: this takes the memory and time of copying the files. Checksums are
 * verified, and hashes tell whether all parts are of one map and one set of landmarks.
 *
 * CAIRN_E_MISMATCH with *fault if parts do not go together, or one is given twice or is missing;
 * CAIRN_E_ARGUMENT, CAIRN_E_IO (of `path` where fault->error.status is CAIRN_OK; errno tells why),
 * CAIRN_E_FORMAT, CAIRN_E_VERSION, CAIRN_E_LIMIT, CAIRN_E_CANCELLED, CAIRN_E_MEMORY. `progress` and
 * `fault` may be NULL. */
CAIRN_API cairn_status cairn_merge(const char *const *parts, size_t part_count, const char *path,
                                   const cairn_progress *progress, cairn_merge_fault *fault);

/* Like cairn_save, into memory. The caller frees *bytes with cairn_bytes_free, which gets the same
 * map, before that is freed. */
CAIRN_API cairn_status cairn_save_bytes(const cairn_map *map, const cairn_table *table,
                                        const cairn_save_options *options, uint8_t **bytes,
                                        size_t *size);
CAIRN_API void cairn_bytes_free(const cairn_map *map, uint8_t *bytes);

/* Reads what cairn_save wrote, from a file, from memory or from a stream. The content is not
 * trusted: sizes are checked before memory is allocated, checksums and structure before anything is
 * used. `map` or `table` may be NULL when it is not wanted; without a table, and without a `fault`
 * of the options, rows are not checked. `map` must be NULL for a file that was written without its
 * map, else the result is CAIRN_E_FORMAT. What is loaded is no part any more (cairn_part), and
 * neither is what cairn_save writes. `error` may be NULL; its offset is counted in bytes from the
 * start of the file.
 *
 * Returns CAIRN_OK, CAIRN_E_IO, CAIRN_E_FORMAT, CAIRN_E_VERSION, CAIRN_E_LIMIT, CAIRN_E_MISMATCH,
 * CAIRN_E_INEXACT (only with options->fault), CAIRN_E_RESIDENT (only with options->resident),
 * CAIRN_E_CANCELLED, CAIRN_E_MEMORY. The caller frees *map and *table. */
CAIRN_API cairn_status cairn_load(const char *path, const cairn_load_options *options,
                                  cairn_map **map, cairn_table **table, cairn_error *error);
CAIRN_API cairn_status cairn_load_bytes(const uint8_t *bytes, size_t size,
                                        const cairn_load_options *options, cairn_map **map,
                                        cairn_table **table, cairn_error *error);
CAIRN_API cairn_status cairn_load_from(const cairn_stream *stream,
                                       const cairn_load_options *options, cairn_map **map,
                                       cairn_table **table, cairn_error *error);

/* The size of the map of a file, and what decides its costs beside cells and arcs. All zero where
 * the map was left out. */
typedef struct cairn_map_outline {
    cairn_map_kind kind;
    uint32_t width; /* of a graph: the number of its nodes; its height is 1 */
    uint32_t height;
    cairn_metric metric;
    cairn_rule rule;
    cairn_charge charge;
    cairn_alphabet alphabet; /* of a grid */
    uint32_t climb;          /* see cairn_heights; climb and descend are 0 without heights */
    uint32_t descend;
    bool is_directed; /* a step and its reverse may cost differently; of a graph whose table
                       * counts steps only whether an arc has no reverse arc, since only the
                       * arcs would tell the rest */
} cairn_map_outline;

/* Which part of a table a file is, if it is one: see `part` of cairn_build_options. */
typedef struct cairn_part {
    uint32_t number;    /* from 1; 0: the file is a whole table, and all of this is 0 */
    uint32_t count;     /* of parts */
    uint32_t first_row; /* the row of the table that is the first one here */
    uint32_t row_count; /* of the whole table */
    uint64_t seed;
    uint64_t landmarks; /* a hash of the landmarks of all rows */
    cairn_codec codec;  /* that was asked for */
} cairn_part;

/* What a file contains, as far as can be told without decompressing map and rows. The file must be
 * complete, but map and rows are not checked: cairn_load and cairn_table_verify do that. */
typedef struct cairn_outline {
    uint64_t stamp;      /* see cairn_save_options; 0: none */
    uint64_t map_size;   /* bytes of the map; 0: it was left out */
    uint64_t map_hash;   /* that of cairn_table_map_hash */
    cairn_metric metric; /* of the rows */
    bool counts_steps;   /* the table counts steps: see cairn_build_options.step_metric */
    uint32_t node_count;
    uint32_t entry_bits;
    uint32_t row_count;
    bool is_directed;        /* rows come in pairs: see cairn_direction */
    uint64_t landmark_count; /* of all rows together */
    uint64_t table_memory;   /* bytes that the table takes when it is loaded */
    cairn_map_outline map;
    cairn_part part; /* which rows these are */

    /* The units that the map is for: see cairn_map_for_units. 1 and CAIRN_ANCHOR_TOP_LEFT for other
     * maps, and for files of versions of Cairn that did not store this. For units of size 1 and 2,
     * whose middle is their top left cell, always CAIRN_ANCHOR_TOP_LEFT. */
    uint32_t unit_size;
    cairn_anchor unit_anchor;
    struct {
        cairn_codec codec; /* CAIRN_CODEC_BEST for one that this build does not have */
        uint64_t size;     /* bytes */
    } rows[CAIRN_ROWS_MAX];
} cairn_outline;

/* Reads the outline of a file, or of its bytes, and passes over map and rows. CAIRN_E_IO,
 * CAIRN_E_FORMAT, CAIRN_E_VERSION, CAIRN_E_LIMIT, CAIRN_E_MEMORY. */
CAIRN_API cairn_status cairn_outline_load(const char *path, cairn_outline *outline,
                                          cairn_error *error);
CAIRN_API cairn_status cairn_outline_load_bytes(const uint8_t *bytes, size_t size,
                                                cairn_outline *outline, cairn_error *error);

#ifdef __cplusplus
}
#endif

#endif
