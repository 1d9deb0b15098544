#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exits.h"
#include "output.h"
#include "say.h"

bool kit_is_stdin(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* All of standard input, and room for one byte more, so that the bytes are never NULL. */
static cairn_status read_stdin(kit_source *source)
{
    size_t capacity = 0;

    errno = 0;
    do {
        capacity = 2 * capacity + (1 << 16);
        uint8_t *grown = realloc(source->bytes, capacity);
        if (!grown)
            return CAIRN_E_MEMORY;
        source->bytes = grown;
        source->size += fread(grown + source->size, 1, capacity - source->size, stdin);
    } while (source->size == capacity);
    return ferror(stdin) ? CAIRN_E_IO : CAIRN_OK;
}

int kit_source_open(kit_source *source, const char *path)
{
    *source = (kit_source){.path = path, .name = path};
    if (!kit_is_stdin(path))
        return KIT_EXIT_OK;
    source->name = "standard input";
    cairn_status status = read_stdin(source);
    return status == CAIRN_OK ? KIT_EXIT_OK : kit_fail(source->name, status);
}

int kit_source_outline(const kit_source *source, cairn_outline *outline)
{
    cairn_error error;
    cairn_status status =
        source->bytes ? cairn_outline_load_bytes(source->bytes, source->size, outline, &error)
                      : cairn_outline_load(source->path, outline, &error);
    return status == CAIRN_OK ? KIT_EXIT_OK : kit_refuse(source->name, &error);
}

int kit_source_load(const kit_source *source, const cairn_load_options *options, cairn_map **map,
                    cairn_table **table)
{
    cairn_error error;
    cairn_status status =
        source->bytes
            ? cairn_load_bytes(source->bytes, source->size, options, map, table, &error)
            : cairn_load(source->path, options, map, table, &error);
    return status == CAIRN_OK ? KIT_EXIT_OK : kit_refuse(source->name, &error);
}

uint64_t kit_source_size(const kit_source *source)
{
    return source->bytes ? source->size : kit_file_size(source->path);
}

void kit_source_close(kit_source *source)
{
    free(source->bytes);
    *source = (kit_source){0};
}
