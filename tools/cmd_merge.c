#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "kit/exits.h"
#include "kit/interrupt.h"
#include "kit/json.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"
#include "kit/source.h"

typedef struct settings {
    kit_words parts;
    const char *output_path;
    bool json;
} settings;

static const kit_option operands[] = {
    {.name = "PART...",
     .help = "all parts of a table, in any order: files of cairn build --part",
     .read = kit_read_words,
     .optional = true,
     .repeats = true,
     .offset = offsetof(settings, parts)},
    {0},
};

static const kit_option options[] = {
    KIT_OUTPUT(settings, output_path, "TABLE", "file to write"),
    KIT_JSON(settings),
    {0},
};

/* ------------------------------------------------------------------------------- refusals -- */

/* "part 2 is missing" or "parts 2, 3 and 5 are missing"; false without memory. */
static bool list_missing(const settings *set, char *text, size_t size, uint32_t *count)
{
    bool is_there[CAIRN_ROWS_MAX + 1] = {false};
    uint32_t missing = 0, listed = 0;
    size_t used = 0;

    *count = 0;
    for (size_t i = 0; i < set->parts.count; i++) {
        cairn_outline *outline = malloc(sizeof *outline);
        if (!outline)
            return false;
        if (cairn_outline_load(set->parts.words[i], outline, NULL) == CAIRN_OK) {
            is_there[outline->part.number] = true;
            *count = outline->part.count;
        }
        free(outline);
    }
    for (uint32_t part = 1; part <= *count; part++)
        missing += !is_there[part];
    used = (size_t)snprintf(text, size, "part%s", kit_plural(missing));
    for (uint32_t part = 1; part <= *count && used < size; part++) {
        if (is_there[part])
            continue;
        const char *between = listed == 0 ? " " : listed + 1 == missing ? " and " : ", ";
        used += (size_t)snprintf(text + used, size - used, "%s%u", between, part);
        listed++;
    }
    snprintf(text + used, size - used, missing == 1 ? " is missing" : " are missing");
    return true;
}

static int refuse_missing(const settings *set)
{
    char text[8 * CAIRN_ROWS_MAX];
    uint32_t count;
    if (!list_missing(set, text, sizeof text, &count))
        return kit_fail("merge", CAIRN_E_MEMORY);
    kit_complain("merge: of %u parts, %s", count, text);
    return KIT_EXIT_IO;
}

/* What is another than that of the first part, in words. */
static const char *in_words(const char *what)
{
    static const char *const words[][2] = {{"rows", "number of rows"},
                                           {"parts", "number of parts"},
                                           {"codec", "--codec"},
                                           {"landmarks", "list of landmarks"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(what, words[i][0]) == 0)
            return words[i][1];
    return what;
}

static int refuse(const settings *set, cairn_status status, const cairn_merge_fault *fault)
{
    const char *file = set->parts.words[fault->file], *other = set->parts.words[fault->other];

    if (fault->missing)
        return refuse_missing(set);
    if (fault->what && strcmp(fault->what, "part") == 0)
        kit_complain("%s: the same part as %s", file, other);
    else if (fault->what)
        kit_complain("%s: of another %s than %s", file, in_words(fault->what), other);
    else if (status == CAIRN_E_MISMATCH)
        kit_complain("%s: expected %s; cairn build --part makes parts", file,
                     fault->error.expected);
    else if (fault->error.status != CAIRN_OK)
        return kit_refuse_table(file, &fault->error);
    else
        return kit_fail(set->output_path, status);
    return KIT_EXIT_IO;
}

/* --------------------------------------------------------------------------------- merging -- */

static void print_report(const settings *set)
{
    const unsigned long long size = kit_file_size(set->output_path);
    kit_json json = {.file = stdout};

    if (!set->json) {
        printf("file    %s: %s bytes, of %zu part%s\n", set->output_path, kit_count(size).text,
               set->parts.count, kit_plural(set->parts.count));
        return;
    }
    kit_json_open(&json, NULL, '{');
    kit_json_text(&json, "table", set->output_path);
    kit_json_count(&json, "parts", set->parts.count);
    kit_json_size(&json, "file_bytes", size);
    kit_json_close(&json, '}');
}

static int merge(const settings *set)
{
    cairn_merge_fault fault;
    errno = 0;
    kit_progress_begin("merging %s", kit_file_name(set->output_path));
    cairn_status status = cairn_merge(set->parts.words, set->parts.count, set->output_path,
                                      &kit_progress_hook, &fault);
    int reason = errno;
    kit_interrupt_release();
    kit_progress_end();
    errno = reason;
    if (status != CAIRN_OK)
        return refuse(set, status, &fault);
    if (kit_reports(set->output_path, set->json))
        print_report(set);
    return KIT_EXIT_OK;
}

static bool overwrites_a_part(const settings *set)
{
    for (size_t i = 0; i < set->parts.count; i++) {
        const kit_input inputs[] = {{set->parts.words[i], "one of the parts"}, {NULL, NULL}};
        if (kit_overwrites("merge", "output", set->output_path, inputs))
            return true;
    }
    return false;
}

static int run(const kit_command *command, char **words)
{
    settings set = {.output_path = NULL};
    kit_parsed parsed = kit_parse(command, words, &set);
    int code = kit_parsed_exit(parsed);

    if (parsed == KIT_PARSED && (!set.output_path || set.parts.count == 0)) {
        kit_complain("merge: %s missing (see cairn merge --help)",
                     set.output_path ? "PART is" : "-o TABLE is");
        code = KIT_EXIT_USAGE;
    } else if (parsed == KIT_PARSED) {
        code = overwrites_a_part(&set)                   ? KIT_EXIT_USAGE
               : kit_output_is_possible(set.output_path) ? merge(&set)
                                                         : KIT_EXIT_IO;
    }
    kit_words_free(&set.parts);
    return code;
}

const kit_command merge_command = {
    .name = "merge",
    .summary = "put the parts of a table together, built on several machines",
    .about =
        "The file is that of the whole table, byte for byte. Nothing is unpacked or computed,\n"
        "so this takes as long as copying. Parts of another map, metric, seed or list of\n"
        "landmarks are refused by name; so are parts that are missing or there twice.",
    .example = "cairn merge town.*.part -o town.cairn",
    .usage = "PART... -o TABLE",
    .operands = operands,
    .options = options,
    .run = run,
};
