/* Tables from maps: what cairn build was asked for, one table, and many. */
#ifndef BUILD_BUILD_H
#define BUILD_BUILD_H

#include "cairn/cairn.h"
#include "kit/args.h"
#include "kit/json.h"
#include "kit/load.h"
#include "kit/metric.h"
#include "kit/output.h"

/* Which part of a table to build; {0, 0}: all of it. */
typedef struct build_part {
    uint32_t number; /* from 1 */
    uint32_t count;
} build_part;

typedef struct build_settings {
    kit_words maps;
    const char *maps_path;   /* a list of further maps; NULL: none */
    const char *output_path; /* a table, or the folder of many; NULL: beside the maps */
    const char
        *place_path; /* landmarks alone are placed, and written here; NULL: tables are built */
    const char *depfile_path;
    bool keeps_folders;
    bool is_forced;
    uint32_t landmark_count;
    uint32_t thread_count;
    uint64_t seed;
    int placement;
    uint32_t candidate_count;
    uint64_t memory_limit; /* of each build; 0: none */
    const char *pairs_path;
    const char *list;
    build_part part;
    kit_metric metric;
    cairn_metric step_metric;
    kit_map_choice map;
    int codec;
    bool json;
} build_settings;

/* A table to build, and what building it showed. */
typedef struct build_job {
    const char *map_path;
    const char *table_path;
    uint64_t stamp; /* which the file keeps; 0: none */
    uint32_t thread_count;
    const cairn_progress *progress;
    bool is_one_of_many;
    cairn_map *map;        /* to be freed, also after a failure */
    cairn_node *landmarks; /* of --place; of the map */
    size_t landmark_count;
    cairn_build_summary table;
    double load_seconds;
    double build_seconds;
    unsigned long long file_size;
} build_job;

/* Reads I/N into a build_part. */
kit_reader build_read_part;

/* The file of a table, or of the part that was asked for, where no other is named; to be freed.
 * NULL without memory. */
char *build_default_path(const build_settings *set, const char *map_path);

/* Builds one table. An exit code: KIT_EXIT_OK, or after a complaint, except of one of many whose
 * progress stopped it. */
int build_one(const build_settings *set, build_job *job);

/* Writes the list of --place, and reports on it. */
int build_write_landmarks(const build_job *job);
void build_print_landmarks(const build_settings *set, const build_job *job);

/* The report of one table. */
void build_print_text(const build_settings *set, const build_job *job);
void build_print_json(const build_settings *set, const build_job *job);

/* Its members, within an object. */
void build_json_members(kit_json *json, const build_settings *set, const build_job *job);

typedef enum build_state {
    BUILD_WAITS,
    BUILD_FRESH, /* its file is up to date */
    BUILD_DONE,
    BUILD_FAILED
} build_state;

/* One of many tables. */
typedef struct build_task {
    char *map_path;
    char *table_path;
    kit_folder folder; /* of the table */
    bool is_double;    /* another task has its table */
    uint64_t weight;   /* about how much work it is: bytes of the map */
    uint64_t stamp;    /* of the map file and all that shapes the table; 0: not known */
    build_state state;
    unsigned long long file_size;
} build_task;

typedef struct build_list {
    build_task *tasks;
    size_t count;
    size_t room;
    uint64_t options; /* the fingerprint of all options that shape tables */
    char **folders;   /* those that were made for tables, outer ones first */
    size_t folder_count;
} build_list;

/* Takes the maps of the command line and of the list of maps, each once, and names their tables.
 * Makes the folders of tables. An exit code; the list is to be freed in any case. */
int build_list_take(build_list *list, const build_settings *set);
void build_list_free(build_list *list);

/* Removes the folders that were made for tables and have stayed empty. */
void build_list_remove_folders(const build_list *list);

/* Calls `visit` for each file that shapes all tables beside their maps. */
void build_visit_files(const build_settings *set, void (*visit)(void *context, const char *path),
                       void *context);

/* The fingerprint of all that shapes a table beside its map, and of that and the map, never 0; 0
 * where the file cannot be read. */
uint64_t build_stamp_options(const build_settings *set);
uint64_t build_stamp(uint64_t options, const char *map_path);

/* Builds all that are not up to date, goes on after failures, and reports. An exit code. */
int build_many(const build_settings *set);

/* Writes which tables are made of which files, as rules for make and ninja; tables that failed are
 * left out. An exit code. */
int build_write_depfile(const build_settings *set, const build_list *list);

#endif
