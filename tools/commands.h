/* The subcommands, one file each. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "kit/args.h"

extern const kit_command build_command;
extern const kit_command info_command;
extern const kit_command verify_command;
extern const kit_command path_command;
extern const kit_command compare_command;
extern const kit_command advise_command;
extern const kit_command render_command;
extern const kit_command refresh_command;
extern const kit_command convert_command;
extern const kit_command export_command;
extern const kit_command generate_command;

#endif
