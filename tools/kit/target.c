#include "target.h"

#include "exits.h"
#include "output.h"
#include "say.h"
#include "source.h"

int kit_target_settle(kit_target *target, const kit_command *command, const char *table_path)
{
    if (target->in_place && target->path) {
        kit_complain("%s: --output and --in-place exclude each other", command->name);
        return KIT_EXIT_USAGE;
    }
    if (!target->in_place && !target->path) {
        kit_complain("%s: expected either -o FILE or --in-place (see cairn %s --help)",
                     command->name, command->name);
        return KIT_EXIT_USAGE;
    }
    if (target->in_place && (kit_is_stdin(table_path) || kit_is_pipe(table_path))) {
        kit_complain("%s: --in-place: a table from standard input or a pipe has no file to replace",
                     command->name);
        return KIT_EXIT_USAGE;
    }
    const kit_input table[] = {{table_path, "the table itself (see --in-place)"}, {NULL, NULL}};
    if (target->in_place)
        target->path = table_path;
    else if (!kit_is_stdin(table_path) &&
             kit_overwrites(command->name, "output", target->path, table))
        return KIT_EXIT_USAGE;
    return kit_output_is_possible(target->path) ? KIT_EXIT_OK : KIT_EXIT_IO;
}
