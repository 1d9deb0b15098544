/* cairn_manual FOLDER: writes cairn.1, cairn-COMMAND.1, cairn-mpi.1, cairn.bash, _cairn and
 * cairn.fish there. */
#include <string.h>

#include "kit/exits.h"
#include "manual.h"

manual_value manual_value_of(const kit_option *option, bool is_operand)
{
    if (!option->value && !is_operand)
        return MANUAL_NOTHING;
    if (option->words)
        return MANUAL_WORDS;
    return option->read == kit_read_text || option->read == kit_read_words ||
                   option->read == kit_read_output
               ? MANUAL_FILE
               : MANUAL_OTHER;
}

bool manual_takes_files(const kit_command *command)
{
    return manual_value_of(command->operands, true) == MANUAL_FILE;
}

void manual_words(FILE *file, const char *const *words)
{
    for (; *words; words++)
        fprintf(file, " %s", *words);
}

static FILE *open_file(const char *folder, const char *name, const char *suffix)
{
    char path[4096];
    int size = snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
    FILE *file = size < (int)sizeof path ? fopen(path, "w") : NULL;
    if (!file)
        fprintf(stderr, "cairn_manual: cannot write %s\n", path);
    return file;
}

static bool close_file(FILE *file)
{
    bool is_written = !ferror(file);
    return fclose(file) == 0 && is_written;
}

static bool write_file(const char *folder, const char *name, void (*write)(FILE *file))
{
    FILE *file = open_file(folder, name, "");
    if (!file)
        return false;
    write(file);
    return close_file(file);
}

static bool write_commands(const char *folder)
{
    for (const kit_command *const *command = all_commands; *command; command++) {
        char name[64];
        snprintf(name, sizeof name, "cairn-%s", (*command)->name);
        FILE *file = open_file(folder, name, ".1");
        if (!file)
            return false;
        manual_page_of_command(file, *command);
        if (!close_file(file))
            return false;
    }
    return true;
}

int main(int count, char **words)
{
    if (count != 2) {
        fprintf(stderr, "usage: cairn_manual FOLDER\n");
        return KIT_EXIT_USAGE;
    }
    bool is_written = write_file(words[1], "cairn.1", manual_page_of_program) &&
                      write_commands(words[1]) &&
                      write_file(words[1], "cairn-mpi.1", manual_page_of_mpi) &&
                      write_file(words[1], "cairn.bash", manual_bash) &&
                      write_file(words[1], "_cairn", manual_zsh) &&
                      write_file(words[1], "cairn.fish", manual_fish);
    return is_written ? KIT_EXIT_OK : KIT_EXIT_IO;
}
