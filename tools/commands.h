/* The subcommands, one file each, and all of them. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "kit/args.h"

/* In the order of the help; ends with NULL. */
extern const kit_command *const all_commands[];

/* What the help says of the exit codes of all commands. */
extern const char exit_codes[];

extern const kit_command build_command;
extern const kit_command info_command;
extern const kit_command verify_command;
extern const kit_command path_command;
extern const kit_command compare_command;
extern const kit_command merge_results_command;
extern const kit_command advise_command;
extern const kit_command render_command;
extern const kit_command refresh_command;
extern const kit_command convert_command;
extern const kit_command export_command;
extern const kit_command generate_command;
extern const kit_command queries_command;
extern const kit_command merge_command;

#endif
