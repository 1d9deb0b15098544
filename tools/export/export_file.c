#include "export/export_file.h"

#include "kit/exits.h"
#include "kit/output.h"
#include "kit/progress.h"
#include "kit/say.h"

int export_file(const char *path, export_writer *write, const void *what, uint64_t *size)
{
    kit_output output;

    kit_progress_begin("writing %s", kit_file_name(path));
    if (!kit_output_open(&output, path))
        return KIT_EXIT_IO;
    if (!write(what, output.file)) {
        kit_output_discard(&output);
        return kit_fail(path, CAIRN_E_MEMORY);
    }
    if (!kit_output_commit(&output))
        return KIT_EXIT_IO;
    *size = kit_file_size(path);
    kit_progress_end();
    return KIT_EXIT_OK;
}
