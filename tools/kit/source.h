/* A file by its name, or from standard input by the name "-". Pipes and devices, which can be read
 * once only, are taken into memory like standard input. */
#ifndef KIT_SOURCE_H
#define KIT_SOURCE_H

#include "args.h"
#include "cairn/cairn.h"

typedef struct kit_source {
    const char *path;
    const char *name; /* what complaints call it */
    uint8_t *bytes;   /* all of standard input or a pipe; NULL for a file */
    size_t size;
} kit_source;

/* Sets how many bytes each table of this run may take with its map. 0, as at first: as many as the
 * size of its file allows. */
void kit_source_limit(uint64_t memory_limit);

/* Sets where the rows of each table of this run live, a cairn_resident. */
void kit_source_resident(int resident);

/* Whether a name stands for standard input. */
bool kit_is_stdin(const char *path);

/* What reports call a file: its name, or "standard input". */
const char *kit_source_label(const char *path);

/* Whether a regular file begins as tables do, by KIT_TABLE_START. */
enum { KIT_TABLE_START = 0x89 };
bool kit_is_table(const char *path);

/* Whether there is no folder to write a file beside it; then with a complaint of the command. */
bool kit_has_no_folder(const char *command, const char *path);

/* These give an exit code: KIT_EXIT_OK, or, after a complaint, what to leave with. The path must
 * last as long as the source. */
int kit_source_open(kit_source *source, const char *path);
int kit_source_outline(const kit_source *source, cairn_outline *outline);
/* A wrong entry that options->fault reports does not count as a failure. */
int kit_source_load(const kit_source *source, const cairn_load_options *options, cairn_map **map,
                    cairn_table **table);

/* Loads without a complaint. Never fewer rows than were asked for: CAIRN_E_LIMIT. */
cairn_status kit_source_try(const kit_source *source, const cairn_load_options *options,
                            cairn_map **map, cairn_table **table, cairn_error *error);

/* Reads the source into memory, also if it is a file. */
cairn_status kit_source_hold(kit_source *source);

/* Opens a file of text and takes it into memory, with a byte 0 behind it and none in it. Returns an
 * exit code, after a complaint. */
int kit_source_open_text(kit_source *source, const char *path);

/* The text that kit_source_open_text has read, without the byte order mark (UTF-8) that it may
 * begin with. */
char *kit_source_text(const kit_source *source);

/* The line for a table that was refused, with what helps; gives the exit code. */
int kit_refuse_table(const char *path, const cairn_error *error);

/* The size of the source in bytes. */
uint64_t kit_source_size(const kit_source *source);
void kit_source_close(kit_source *source);

/* The option of the commands that load tables, for kit_source_limit. */
#define KIT_MEMORY_LIMIT(settings)                                  \
  {                                                                 \
    .name = "memory-limit", .value = "SIZE", .read = kit_read_size, \
    .help = "bytes that a table may take (default: by its file)",   \
    .offset = offsetof(settings, memory_limit)                      \
  }

/* The option of tables alone that was given by either call, without its dashes; NULL: none. */
const char *kit_source_option(void);

/* The words for values of cairn_resident, in their order, for kit_read_word; ends with NULL. */
extern const char *const kit_resident_words[];

/* The option of the commands that search along tables, for kit_source_resident. */
#define KIT_RESIDENT(settings)                                                                \
  {                                                                                           \
    .name = "resident", .value = "WHERE", .read = kit_read_word, .words = kit_resident_words, \
    .help = "where rows live: cells (default), or corners, in little memory",                 \
    .offset = offsetof(settings, resident)                                                    \
  }

/* The operand of the commands that take a table. */
#define KIT_TABLE(settings, member)                                                    \
  {                                                                                    \
    .name = "TABLE", .help = "a file written by cairn build, or - for standard input", \
    .read = kit_read_text, .offset = offsetof(settings, member)                        \
  }

#endif
