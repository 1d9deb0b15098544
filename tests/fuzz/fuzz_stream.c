/* Table files from streams that end early, fail or do not know their size, and from the disk: what
 * they give is what the same bytes give from memory. */
#include "table_use.h"

#include <string.h>

typedef struct source {
    const uint8_t *data;
    size_t size;
    size_t at;
    size_t fail_at; /* where reading fails; SIZE_MAX: never */
} source;

static size_t read_source(void *context, void *bytes, size_t size)
{
    source *from = context;
    if (from->at + size > from->fail_at)
        return SIZE_MAX;
    size_t count = size < from->size - from->at ? size : from->size - from->at;
    if (count)
        memcpy(bytes, from->data + from->at, count);
    from->at += count;
    return count;
}

typedef struct loaded {
    cairn_status status;
    cairn_error error;
    cairn_map *map;
    cairn_table *table;
} loaded;

static void loaded_free(loaded *what)
{
    FUZZ_CHECK((what->status == CAIRN_OK) == (what->table != NULL));
    if (what->status != CAIRN_OK)
        fuzz_check_refusal(what->status, &what->error);
    cairn_table_free(what->table);
    cairn_map_free(what->map);
}

static loaded load_stream(const cairn_load_options *options, source from, uint64_t announced)
{
    cairn_stream stream = {read_source, &from, announced};
    loaded what;
    what.status = cairn_load_from(&stream, options, &what.map, &what.table, &what.error);
    return what;
}

static void check_same(const loaded *a, const loaded *b)
{
    FUZZ_CHECK(a->status == b->status);
    if (a->status != CAIRN_OK)
        return;
    FUZZ_CHECK(cairn_map_hash(a->map) == cairn_map_hash(b->map));
    FUZZ_CHECK(cairn_table_row_count(a->table) == cairn_table_row_count(b->table));
    for (uint32_t row = 0; row < cairn_table_row_count(a->table); row++) {
        for (cairn_node node = 0; node < cairn_map_node_count(a->map); node++)
            FUZZ_CHECK(cairn_table_cost(a->table, row, node) ==
                       cairn_table_cost(b->table, row, node));
    }
}

static void load_disk(const uint8_t *data, size_t size, const cairn_load_options *options,
                      const loaded *same)
{
    static cairn_outline outline;
    const char *path = fuzz_file(data, size);
    loaded what;

    what.status = cairn_load(path, options, &what.map, &what.table, &what.error);
    check_same(&what, same);

    cairn_error error;
    cairn_status told = cairn_outline_load(path, &outline, &error);
    if (told != CAIRN_OK)
        fuzz_check_refusal(told, &error);
    if (what.status == CAIRN_OK) {
        FUZZ_CHECK(told == CAIRN_OK);
        FUZZ_CHECK(outline.node_count == cairn_map_node_count(what.map));
        FUZZ_CHECK(outline.row_count >= cairn_table_row_count(what.table));
    }
    loaded_free(&what);
}

static void load_streams(const uint8_t *data, size_t size, const cairn_load_options *options,
                         const loaded *same)
{
    source whole = {data, size, 0, SIZE_MAX};
    uint32_t pick = fuzz_pick(data, size);

    loaded known = load_stream(options, whole, size);
    check_same(&known, same);
    loaded_free(&known);
    loaded unknown = load_stream(options, whole, 0);
    check_same(&unknown, same);
    loaded_free(&unknown);

    source failing = {data, size, 0, pick % size};
    loaded broken = load_stream(options, failing, pick & 1 ? size : 0);
    FUZZ_CHECK(broken.status != CAIRN_OK);
    loaded_free(&broken);

    source cut = {data, pick % (size + 1), 0, SIZE_MAX};
    loaded early = load_stream(options, cut, pick & 2 ? size + pick % 3 : 0);
    FUZZ_CHECK(cut.size == size || early.status != CAIRN_OK || same->status != CAIRN_OK);
    loaded_free(&early);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_memory memory;
    cairn_load_options options = {.size = sizeof options,
                                  .thread_count = 1,
                                  .memory_limit = FUZZ_TABLE_LIMIT,
                                  .allocator = &memory.allocator};
    loaded same;

    if (size == 0)
        return 0;
    fuzz_memory_init(&memory, 2 * FUZZ_LOADING_LIMIT + 64 * size);
    same.status = cairn_load_bytes(data, size, &options, &same.map, &same.table, &same.error);
    load_streams(data, size, &options, &same);
    load_disk(data, size, &options, &same);
    loaded_free(&same);
    fuzz_memory_check(&memory);
    return 0;
}
