/* A file of results that grows by whole units, whatever ends the program. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compare/results.h"
#include "kit/exits.h"
#include "kit/say.h"

/* Two programs would each append what the other has compared already. */
static int lock(const results_file *file)
{
    struct flock wish = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(file->descriptor, F_SETLK, &wish) == 0)
        return KIT_EXIT_OK;
    if (errno != EACCES && errno != EAGAIN)
        return KIT_EXIT_OK; /* a disk without locks */
    kit_complain("%s: another cairn compare appends to it", file->path);
    return KIT_EXIT_IO;
}

static int need_regular(const results_file *file)
{
    struct stat status;
    if (fstat(file->descriptor, &status) == 0 && S_ISREG(status.st_mode))
        return KIT_EXIT_OK;
    kit_complain("%s: expected a file to append results to", file->path);
    return KIT_EXIT_IO;
}

static int cut_off(const results_file *file)
{
    return ftruncate(file->descriptor, (off_t)file->size) == 0 ? KIT_EXIT_OK
                                                               : kit_fail(file->path, CAIRN_E_IO);
}

int results_open(results_file *file, const char *path, results *list)
{
    *file = (results_file){.path = path, .descriptor = open(path, O_RDWR | O_CREAT, 0666)};
    int code = file->descriptor < 0 ? kit_fail(path, CAIRN_E_IO) : need_regular(file);
    if (code == KIT_EXIT_OK)
        code = lock(file);
    if (code == KIT_EXIT_OK)
        code = results_read(path, list, &file->size);
    return code == KIT_EXIT_OK ? cut_off(file) : code;
}

void results_close(results_file *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    file->descriptor = -1;
}

static bool write_at(const results_file *file, const char *text, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t count = pwrite(file->descriptor, text + done, size - done,
                               (off_t)(file->size + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        done += (size_t)count;
    }
    return fsync(file->descriptor) == 0;
}

int results_append(results_file *file, const results *list, size_t first)
{
    char *text = NULL;
    size_t size = 0;
    FILE *lines = open_memstream(&text, &size);
    if (!lines)
        return kit_fail(file->path, CAIRN_E_MEMORY);
    results_put(lines, list, first, file->size == 0);
    int code = fclose(lines) == 0 ? KIT_EXIT_OK : kit_fail(file->path, CAIRN_E_MEMORY);
    if (code == KIT_EXIT_OK && !write_at(file, text, size)) {
        code = kit_fail(file->path, CAIRN_E_IO);
        cut_off(file);
    } else if (code == KIT_EXIT_OK) {
        file->size += size;
    }
    free(text);
    return code;
}
