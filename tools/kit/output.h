/* Files that appear whole or not at all. */
#ifndef KIT_OUTPUT_H
#define KIT_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct kit_output {
    FILE *file;
    const char *path; /* the caller's */
    char *target;     /* where the path is a link: the file that it leads to */
    char *temporary;  /* NULL where the path is no regular file and is written directly */
} kit_output;

/* Opens a temporary file beside `path`, with the permissions of the file that is there. False, with
 * a complaint, when that fails. */
bool kit_output_open(kit_output *output, const char *path);

/* Flushes to the disk and renames to `path`. False, with a complaint and nothing left behind,
 * when any byte could not be written. */
bool kit_output_commit(kit_output *output);

/* Writes the bytes of a file; false without memory. */
typedef bool kit_writer(const void *what, FILE *file);

/* Writes a file as a whole or not at all, with progress; returns the exit code, after a complaint
 * where that is not 0. *size becomes that of the file; a pipe has none, and gets no report. */
int kit_output_write(const char *path, kit_writer *write, const void *what, uint64_t *size);

/* Whether a file can be made there, which is tried; for NULL, pipes and devices, true. To be asked
 * before long work. False with a complaint. */
bool kit_output_is_possible(const char *path);

/* Drops what was written. */
void kit_output_discard(kit_output *output);

/* `path` with its last suffix ".from", if it has one, replaced by `to`; NULL without memory. */
char *kit_with_suffix(const char *path, const char *from, const char *to);

/* The part of a path behind its last slash. */
const char *kit_file_name(const char *path);

/* The folder in which a path is or will be. */
typedef struct kit_folder {
    bool is_there;
    uint64_t device; /* both 0 where it is not there; else as in kit_file_facts */
    uint64_t number;
} kit_folder;

kit_folder kit_folder_of(const char *path);

/* Whether two paths lead to one file, or will when it is written. */
bool kit_same_file(const char *path, const char *other);

/* A file that must not be overwritten by accident. */
typedef struct kit_input {
    const char *path; /* NULL: none was named */
    const char *what; /* what it is to the command; NULL ends a list */
} kit_input;

/* Whether a path to write, which may be NULL, is one of them: then with a complaint. */
bool kit_overwrites(const char *command, const char *option, const char *path,
                    const kit_input *inputs);

/* Whether a path leads to a pipe or a device, which may give its bytes only once, or names a
 * descriptor to write to, whatever is behind it. */
bool kit_is_pipe(const char *path);

/* Whether to report a file that was written: not behind one that may be standard output, unless the
 * report is asked for as JSON. */
bool kit_reports(const char *path, bool json);

/* Size of a file in bytes; 0 when there is none. */
unsigned long long kit_file_size(const char *path);

/* Flushes standard output; false, with a complaint, when something could not be written. */
bool kit_stdout_finish(void);

#endif
