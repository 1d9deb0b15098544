/* Maps and tables from the command line, with complaints about those that are refused. */
#ifndef KIT_LOAD_H
#define KIT_LOAD_H

#include "args.h"
#include "cairn/cairn.h"
#include "map_words.h"
#include "metric.h"
#include "source.h"

/* Each gives an exit code: KIT_EXIT_OK, or what to leave with. Outputs are NULL after a failure;
 * what is there is the caller's. A table comes from standard input where its path is "-". *size is
 * how many bytes it was, unless `size` is NULL. */
int kit_load_table(const char *path, cairn_map **map, cairn_table **table, uint64_t *size);

/* What a map as text does not say of itself. All zero: nothing else than the default. */
typedef struct kit_map_choice {
    kit_metric metric;
    cairn_metric of_table; /* taken where `metric` says nothing; graphs have their own */
    kit_given moves;       /* cairn_rule */
    kit_given charge;      /* cairn_charge */
    const char *terrain;   /* items like S=3, or a file of them; NULL: Moving AI's letters */
    const char *places;    /* the .co file to a .gr file; NULL: none */
    const char *heights;   /* a picture of the heights of the cells; NULL: level */
    kit_given climb;       /* thousandths of a step for a unit up; not given: KIT_CLIMB */
    kit_given descend;     /* for a unit down */
    kit_given unit_size;   /* of units that cover several cells; not given: 1 */
    kit_given unit_anchor; /* cairn_anchor */
} kit_map_choice;

enum { KIT_CLIMB = 1000 };

uint32_t kit_climb(const kit_map_choice *choice);

/* The options that say it; `choice` is a kit_map_choice. */
#define KIT_MOVES(settings, choice)                                                \
  {                                                                                \
    .name = "moves", .value = "RULE", .read = kit_read_choice, .words = kit_moves, \
    .help = "8 (default), 4, 8-one, 8-any (corners may be cut), hex",              \
    .offset = offsetof(settings, choice.moves)                                     \
  }

#define KIT_COSTS "costs by letter: S=3,W=blocked,... and one-way, or a file"
#define KIT_TERRAIN(settings, choice, says)                                   \
  {                                                                           \
    .name = "terrain", .value = "ITEMS", .read = kit_read_text, .help = says, \
    .offset = offsetof(settings, choice.terrain)                              \
  }

#define KIT_UNITS(settings, choice)                                                        \
  {.name = "unit-size",                                                                    \
   .value = "N",                                                                           \
   .read = kit_read_given,                                                                 \
   .least = 1,                                                                             \
   .most = CAIRN_UNIT_SIZE_MAX,                                                            \
   .help = "for units of N x N cells: nodes are their anchors (default 1)",                \
   .offset = offsetof(settings, choice.unit_size)},                                        \
  {                                                                                        \
    .name = "unit-anchor", .value = "CELL", .read = kit_read_choice, .words = kit_anchors, \
    .help = "of a unit: top-left (default) or middle",                                     \
    .offset = offsetof(settings, choice.unit_anchor)                                       \
  }

/* The options that every command has which reads any map as text. */
#define KIT_MAP_CHOICE(settings, choice)                                     \
  KIT_MOVES(settings, choice), KIT_TERRAIN(settings, choice, KIT_COSTS),     \
      {.name = "charge",                                                     \
       .value = "HOW",                                                       \
       .read = kit_read_choice,                                              \
       .words = kit_charges,                                                 \
       .help = "terrain costs by entered cell (default) or average of both", \
       .offset = offsetof(settings, choice.charge)},                         \
      {.name = "places",                                                     \
       .value = "FILE",                                                      \
       .read = kit_read_text,                                                \
       .help = "coordinates of roads: the .co file to a .gr file",           \
       .offset = offsetof(settings, choice.places)},                         \
      {.name = "heights",                                                    \
       .value = "PGM",                                                       \
       .read = kit_read_text,                                                \
       .help = "heights of the cells: a grey picture as large as the map",   \
       .offset = offsetof(settings, choice.heights)},                        \
      {.name = "climb",                                                      \
       .value = "N",                                                         \
       .read = kit_read_given,                                               \
       .most = 1000000000,                                                   \
       .help = "cost of a unit up in thousandths of a step (default 1000)",  \
       .offset = offsetof(settings, choice.climb)},                          \
      {.name = "descend",                                                    \
       .value = "N",                                                         \
       .read = kit_read_given,                                               \
       .most = 1000000000,                                                   \
       .help = "cost of a unit down, the same (default 0)",                  \
       .offset = offsetof(settings, choice.descend)},                        \
      KIT_UNITS(settings, choice)

/* Complains of what is wrong whatever the map is; gives an exit code. */
int kit_map_choice_check(const kit_map_choice *choice);

int kit_load_map(const char *path, const kit_map_choice *choice, cairn_map **map);

/* Refuses terrain by which steps differ in cost. */
int kit_need_uniform_terrain(const kit_map_choice *choice);

/* Refuses a graph for an option of grids alone, which is named without its dashes. */
int kit_need_grid(const char *option, const char *path, const cairn_map *map);

/* Chooses the units of a table, where the command line says nothing of units. */
void kit_follow_units(kit_map_choice *choice, uint32_t size, cairn_anchor anchor);

/* A table that was written without its map, and that map, which is text: in the metric of the
 * table, unless that counts steps and knows none, and for units as large as its own, unless
 * `choice` names a size. `loading` says what else to heed; its map is set. With `matches`, which
 * may be NULL, another map than the table's is no mistake: *matches is then false, and *table
 * NULL. */
int kit_load_apart(const kit_source *source, const cairn_outline *outline, const char *map_path,
                   const kit_map_choice *choice, cairn_load_options *loading, cairn_map **map,
                   cairn_table **table, bool *matches);

/* A table, or a map as text: *table is then NULL. A table knows what its map is: with one, a choice
 * that says anything is a mistake. */
int kit_load_either(const char *path, const kit_map_choice *choice, cairn_map **map,
                    cairn_table **table);

/* Queries on a map. */
int kit_load_scenario(const char *path, const cairn_map *map, cairn_scenario **scenario);

/* The first option that says anything of the map, without its dashes; NULL: none does. */
const char *kit_map_chosen(const kit_map_choice *choice);

#endif
