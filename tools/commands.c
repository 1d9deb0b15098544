#include "commands.h"

const kit_command *const all_commands[] = {
    &build_command,         &info_command,   &verify_command,   &path_command,    &compare_command,
    &merge_results_command, &advise_command, &render_command,   &refresh_command, &merge_command,
    &convert_command,       &export_command, &generate_command, &queries_command, NULL,
};

const char exit_codes[] =
    "Exit codes: 0 success, 1 a negative answer (no path, not exact, wrong lengths),\n"
    "2 usage, 3 input or output.\n";
