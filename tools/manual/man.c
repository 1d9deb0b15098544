/* Manual pages, in the macros of man(7). */
#include <ctype.h>
#include <string.h>

#include "cairn/cairn.h"
#include "manual.h"
#include "mpi/help.h"

/* Text as it is: no character of it means anything to the formatter. */
static void put_text(FILE *file, const char *text, size_t size)
{
    bool is_code = false;
    for (size_t index = 0; index < size; index++) {
        char letter = text[index];
        if (letter == '`') {
            is_code = !is_code;
            fputs(is_code ? "\\fB" : "\\fR", file);
        } else if (letter == '-') {
            fputs("\\-", file);
        } else if (letter == '\\') {
            fputs("\\e", file);
        } else if ((letter == '.' || letter == '\'') && index == 0) {
            fprintf(file, "\\&%c", letter);
        } else {
            fputc(letter, file);
        }
    }
}

static void put_line(FILE *file, const char *text)
{
    put_text(file, text, strlen(text));
    fputc('\n', file);
}

/* Lines that begin with blanks are a table, and stay lines; others are paragraphs. */
static void put_paragraphs(FILE *file, const char *text)
{
    bool is_table = false;
    while (*text) {
        size_t size = strcspn(text, "\n");
        if ((*text == ' ') != is_table) {
            is_table = !is_table;
            fputs(is_table ? ".PP\n.nf\n" : ".fi\n.PP\n", file);
        }
        put_text(file, text, size);
        fputc('\n', file);
        text += size + (text[size] == '\n');
    }
    if (is_table)
        fputs(".fi\n", file);
}

static void put_heading(FILE *file, const char *name, const char *summary)
{
    fputs(".TH ", file);
    for (const char *at = name; *at; at++)
        fputc(toupper((unsigned char)*at), file);
    fprintf(file, " 1 \"\" \"cairn %s\" \"Cairn\"\n.SH NAME\n", cairn_version());
    put_text(file, name, strlen(name));
    fputs(" \\- ", file);
    put_line(file, summary);
}

static void put_choice(FILE *file, const kit_option *option)
{
    if (!option->words || option->expects)
        return;
    fputs("\nOne of\n", file);
    for (const char *const *word = option->words; *word; word++) {
        fputs("\\fB", file);
        put_text(file, *word, strlen(*word));
        fputs(word[1] ? "\\fR,\n" : "\\fR.\n", file);
    }
}

static void put_operand(FILE *file, const kit_option *operand)
{
    fprintf(file, ".TP\n\\fI%s\\fR\n", operand->name);
    put_line(file, operand->help);
    put_choice(file, operand);
}

static void put_option(FILE *file, const kit_option *option)
{
    fputs(".TP\n", file);
    if (option->letter)
        fprintf(file, "\\fB\\-%c\\fR, ", option->letter);
    fputs("\\fB\\-\\-", file);
    put_text(file, option->name, strlen(option->name));
    fputs("\\fR", file);
    if (option->value)
        fprintf(file, " \\fI%s\\fR", option->value);
    fputc('\n', file);
    put_line(file, option->help);
    if (option->read == kit_read_number || option->read == kit_read_given)
        fprintf(file, "\nA number from %u to %u.\n", option->least, option->most);
    put_choice(file, option);
}

static void put_synopsis(FILE *file, const kit_command *command)
{
    fprintf(file, ".SH SYNOPSIS\n\\fBcairn %s\\fR", command->name);
    if (command->usage)
        fprintf(file, " \\fI%s\\fR", command->usage);
    for (const kit_option *operand = command->operands; !command->usage && operand->name; operand++)
        fprintf(file, operand->optional ? " [\\fI%s\\fR]" : " \\fI%s\\fR", operand->name);
    fputs(" [\\fIoptions\\fR]\n", file);
}

static void put_exit_codes(FILE *file)
{
    fputs(".SH EXIT STATUS\n", file);
    put_paragraphs(file, exit_codes);
}

void manual_page_of_command(FILE *file, const kit_command *command)
{
    char name[64];
    snprintf(name, sizeof name, "cairn-%s", command->name);
    put_heading(file, name, command->summary);
    put_synopsis(file, command);
    fputs(".SH DESCRIPTION\n", file);
    if (command->about)
        put_paragraphs(file, command->about);
    for (const kit_option *operand = command->operands; operand->name; operand++)
        put_operand(file, operand);
    fputs(".SH OPTIONS\n", file);
    for (const kit_option *option = command->options; option->name; option++)
        put_option(file, option);
    put_option(file, &(kit_option){.name = "help", .letter = 'h', .help = "print the help"});
    fputs(".SH EXAMPLE\n.nf\n", file);
    put_line(file, command->example);
    fputs(".fi\n", file);
    put_exit_codes(file);
    fputs(".SH SEE ALSO\n.BR cairn (1),\n.BR cairn (3)\n", file);
}

void manual_page_of_program(FILE *file)
{
    put_heading(file, "cairn", "exact landmark tables for pathfinding on maps");
    fputs(".SH SYNOPSIS\n\\fBcairn\\fR \\fICOMMAND\\fR ...\n"
          ".br\n\\fBcairn help\\fR [\\fICOMMAND\\fR]\n"
          ".br\n\\fBcairn \\-\\-version\\fR\n.SH COMMANDS\n",
          file);
    for (const kit_command *const *command = all_commands; *command; command++) {
        fprintf(file, ".TP\n.BR cairn\\-%s (1)\n", (*command)->name);
        put_line(file, (*command)->summary);
    }
    fputs(".SH EXAMPLES\n.nf\n", file);
    for (const kit_command *const *command = all_commands; *command; command++)
        put_line(file, (*command)->example);
    fputs(".fi\n", file);
    put_exit_codes(file);
    fputs(".SH SEE ALSO\n.BR cairn (3)\n", file);
}

/* What the two commands have, which leave out nothing of their own here. */
static void put_shared_options(FILE *file, const kit_command *command)
{
    char heading[64];
    snprintf(heading, sizeof heading, ".SH OPTIONS OF %s\n", command->name);
    for (char *at = heading; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    fputs(heading, file);
    for (const kit_option *option = command->options; option->name; option++)
        put_option(file, option);
}

void manual_page_of_mpi(FILE *file)
{
    put_heading(file, "cairn-mpi", mpi_summary);
    fputs(".SH SYNOPSIS\n", file);
    for (const kit_command *const *command = mpi_commands; *command; command++)
        fprintf(
            file,
            "%s\\fBmpirun \\-n\\fR \\fIN\\fR \\fBcairn\\-mpi %s\\fR \\fI%s\\fR [\\fIoptions\\fR]\n",
            command == mpi_commands ? "" : ".br\n", (*command)->name, (*command)->usage);
    fputs(".SH DESCRIPTION\n", file);
    put_paragraphs(file, mpi_about);
    for (const kit_command *const *command = mpi_commands; *command; command++)
        put_shared_options(file, *command);
    fputs(".SH EXAMPLE\n.nf\n", file);
    put_line(file, mpi_example);
    fputs(".fi\n", file);
    put_exit_codes(file);
    fputs(".SH SEE ALSO\n.BR cairn (1),\n.BR cairn\\-build (1),\n.BR cairn\\-compare (1),\n"
          ".BR cairn\\-merge (1)\n",
          file);
}
