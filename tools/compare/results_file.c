/* A file of results that grows by whole units, whatever ends the program. */
#include <errno.h>

#include "compare/results.h"
#include "kit/exits.h"
#include "kit/output.h"
#include "kit/say.h"
#include "kit/system.h"

static int need_regular(const char *path)
{
    if (!kit_is_pipe(path))
        return KIT_EXIT_OK;
    kit_complain("%s: expected a file to append results to", path);
    return KIT_EXIT_IO;
}

/* Two programs would each append what the other has compared already. */
static int lock(const results_file *to)
{
    if (kit_file_lock(to->file))
        return KIT_EXIT_OK;
    kit_complain("%s: another cairn compare appends to it", to->path);
    return KIT_EXIT_IO;
}

static int cut(const results_file *to)
{
    return kit_file_cut(to->file, to->size) ? KIT_EXIT_OK : kit_fail(to->path, CAIRN_E_IO);
}

int results_open(results_file *to, const char *path, results *list)
{
    enum { UNIT_MOST = 1 << 16 }; /* more than any unit has, so that it is one write */
    *to = (results_file){.path = path};
    int code = need_regular(path);
    if (code != KIT_EXIT_OK)
        return code;
    to->file = kit_file_open(path, "ab");
    if (!to->file)
        return kit_fail(path, CAIRN_E_IO);
    setvbuf(to->file, NULL, _IOFBF, UNIT_MOST);
    code = lock(to);
    if (code == KIT_EXIT_OK)
        code = results_read(path, list, &to->size);
    return code == KIT_EXIT_OK ? cut(to) : code;
}

void results_close(results_file *to)
{
    if (to->file)
        fclose(to->file);
    to->file = NULL;
}

/* Closing writes what is left in the buffer, or fails to; so it comes first. */
static void take_back(results_file *to)
{
    results_close(to);
    to->file = kit_file_open(to->path, "ab");
    if (to->file)
        kit_file_cut(to->file, to->size);
}

int results_append(results_file *to, const results *list, size_t first)
{
    kit_file_facts facts;
    results_put(to->file, list, first, to->size == 0);
    if (fflush(to->file) == 0 && kit_file_flush(to->file) && kit_file_look(to->path, &facts)) {
        to->size = facts.size;
        return KIT_EXIT_OK;
    }
    kit_fail(to->path, CAIRN_E_IO);
    take_back(to);
    return KIT_EXIT_IO;
}
