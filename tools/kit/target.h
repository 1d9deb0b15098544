/* Where a command that changes a table writes it: to a new file, or over the old one. */
#ifndef KIT_TARGET_H
#define KIT_TARGET_H

#include "args.h"

typedef struct kit_target {
    const char *path;
    bool in_place;
} kit_target;

/* The options for it; `target` is the member of the settings. */
#define KIT_TARGET(settings, target)                                             \
  KIT_OUTPUT(settings, target.path, "FILE", "write the new table here"),         \
  {                                                                              \
    .name = "in-place", .help = "replace TABLE, always the old or the new file", \
    .offset = offsetof(settings, target.in_place)                                \
  }

/* Finds the path from what was asked for. An exit code: KIT_EXIT_OK, or after a complaint. */
int kit_target_settle(kit_target *target, const kit_command *command, const char *table_path);

#endif
