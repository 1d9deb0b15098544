/* Files of a few bytes that mean a great deal: no file below 4 KiB makes the loader take more than
 * 256 MiB or 1,250 million steps unless the caller asked for more; four billion with
 * vectors shorter than 256 bits, since a step then does less. */
#include "base/cpu.h"
#include "base/mem.h"
#include "codec/map_letters.h"
#include "steps/count.h"
#include "steps/sections.h"
#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"

enum { SMALL_FILE = 4095 };

#define MEMORY_MOST ((size_t)256 << 20)

static uint64_t most_steps(void)
{
    const uint64_t million = 1000000;
    return cn_cpu_level() >= CN_CPU_AVX2 ? 1250 * million : 4000 * million;
}

/* The same filled up to that size, since larger files may ask for more. */
static sections filled(const sections *file)
{
    enum { HEADER = 16, SECTION_HEAD = 16 };
    sections made = sections_new(), nothing = {.bytes = calloc(SMALL_FILE, 1)};
    assert_true(file->size + SECTION_HEAD <= SMALL_FILE);
    nothing.size = SMALL_FILE - SECTION_HEAD - file->size;
    sections_add(&made, "void", 0, &nothing);
    sections_put(&made, file->bytes + HEADER, file->size - HEADER);
    assert_int_equal(made.size, SMALL_FILE);
    free(nothing.bytes);
    return made;
}

typedef struct cost {
    cairn_status status;
    uint64_t steps;
    size_t peak;
} cost;

static cost load(const sections *file, bool wants_table, uint64_t memory_limit)
{
    failing_allocator memory;
    failing_allocator_init(&memory);
    cairn_load_options options = {.size = sizeof options,
                                  .thread_count = 1,
                                  .allocator = &memory.allocator,
                                  .memory_limit = memory_limit};
    cairn_map *map;
    cairn_table *table = NULL;
    cost took;

    steps_taken();
    took.status = cairn_load_bytes(file->bytes, file->size, &options, &map,
                                   wants_table ? &table : NULL, NULL);
    took.steps = steps_taken();
    took.peak = memory.peak;
    cairn_table_free(table);
    cairn_map_free(map);
    assert_int_equal(memory.held, 0);
    return took;
}

static cairn_status check_cost(const sections *file, bool wants_table)
{
    sections whole = filled(file);
    cost took = load(&whole, wants_table, 0);
    free(whole.bytes);
    print_message("status %d, %.0f MiB, %.0f million steps\n", took.status,
                  (double)took.peak / (1 << 20), (double)took.steps / 1e6);
    assert_true(took.peak <= MEMORY_MOST);
    assert_true(took.steps <= most_steps());
    return took.status;
}

/* ---------------------------------------------------------------------------------- sections -- */

static void add_metric(sections *file, uint32_t straight, uint32_t diagonal)
{
    sections payload = {0};
    sections_put_number(&payload, straight, 4);
    sections_put_number(&payload, diagonal, 4);
    sections_add(file, "METR", 1, &payload);
    free(payload.bytes);
}

static sections map_head(unsigned kind, unsigned rule, unsigned coding, unsigned flags,
                         uint32_t width, uint32_t height)
{
    sections head = {0};
    sections_put_number(&head, kind, 1);
    sections_put_number(&head, rule, 1);
    sections_put_number(&head, coding, 1);
    sections_put_number(&head, flags, 1);
    sections_put_number(&head, width, 4);
    sections_put_number(&head, height, 4);
    return head;
}

/* Letters coded by `coded` bytes behind the colours. */
static void add_letters(sections *file, uint32_t width, uint32_t height, const char *colours,
                        const void *coded, size_t size)
{
    enum { MODELLED = 1 };
    sections payload = map_head(0, 0, MODELLED, 0, width, height);
    sections_put_number(&payload, strlen(colours), 1);
    sections_put(&payload, colours, strlen(colours));
    sections_put(&payload, coded, size);
    sections_add(file, "MAP ", 1, &payload);
    add_metric(file, 2378, 3363);
    free(payload.bytes);
}

typedef struct rows {
    uint32_t count;
    unsigned bits;
    unsigned codec;
    bool in_pairs;
    sections row;       /* the bytes of each */
    sections landmarks; /* the list of each */
} rows;

/* A table of the map that the file has so far, all of whose rows are the same bytes. */
static void add_table(sections *file, const rows *of)
{
    sections head = {0}, landmarks = {0}, lists = {0}, directory = {0}, bytes = {0};
    cairn_map *map;
    cairn_load_options all = {.size = sizeof all, .memory_limit = UINT64_MAX};
    assert_int_equal(cairn_load_bytes(file->bytes, file->size, &all, &map, NULL, NULL), CAIRN_OK);
    cairn_metric metric = cairn_map_metric(map);

    sections_put_number(&head, cairn_map_hash(map), 8);
    sections_put_number(&head, cairn_map_node_count(map), 4);
    sections_put_number(&head, of->count, 4);
    sections_put_number(&head, metric.straight, 4);
    sections_put_number(&head, metric.diagonal, 4);
    sections_put_number(&head, of->bits, 1);
    sections_put_number(&head, of->in_pairs, 1);
    sections_put_number(&head, 0, 2);
    for (uint32_t row = 0; row < of->count; row++) {
        sections_put(&lists, of->landmarks.bytes, of->landmarks.size);
        sections_put_varint(&directory, of->codec);
        sections_put_varint(&directory, of->row.size);
        sections_put_number(&directory, sections_crc(&of->row), 4);
        sections_put(&bytes, of->row.bytes, of->row.size);
    }
    sections_put_deflated(&landmarks, &lists);
    sections_add(file, "TABL", 1, &head);
    sections_add(file, "LAND", 1, &landmarks);
    sections_add(file, "RDIR", 1, &directory);
    sections_add(file, "ROWS", 3, &bytes);
    sections_add(file, "END ", 1, &(sections){0});
    free(head.bytes);
    free(lists.bytes);
    free(landmarks.bytes);
    free(directory.bytes);
    free(bytes.bytes);
    cairn_map_free(map);
}

/* ----------------------------------------------------------------------------------- letters -- */

static void letters_of_few_bytes_take_bounded_work(void **state)
{
    (void)state;
    static const char *const colours[] = {".@", "@.", ".GS@OTW", "WTO@SG."};
    static const uint8_t patterns[] = {0x00, 0x55, 0xff};
    uint8_t coded[3000];

    for (size_t i = 0; i < COUNT_OF(colours); i++) {
        for (size_t j = 0; j < COUNT_OF(patterns); j++) {
            sections file = sections_new();
            memset(coded, patterns[j], sizeof coded);
            coded[sizeof coded - 1] = 1;
            coded[7] = 1;
            add_letters(&file, 10000, 10000, colours[i], coded, i % 2 ? sizeof coded : 8);
            check_cost(&file, false);
            free(file.bytes);
        }
    }
}

/* Rows that break every stretch as soon as it begins, below rows that agree. */
static uint64_t steps_of_comb(uint32_t width, bool packs)
{
    cn_mem mem = cn_mem_from(NULL);
    uint32_t height = 6;
    uint8_t *letters = malloc((size_t)width * height), *back = malloc((size_t)width * height);
    cn_buffer out = {.mem = &mem};
    cn_letters_bounds bounds = {UINT64_MAX, NULL};

    memset(letters, '.', (size_t)width * height);
    for (uint32_t x = 2; x < width; x += 3)
        letters[2 * width + x] = letters[5 * width + x] = '@';
    steps_taken();
    cn_letters_pack(letters, width, height, &out);
    uint64_t steps = steps_taken();
    assert_int_equal(cn_letters_unpack(out.bytes, out.size, width, height, &mem, &bounds, back),
                     CAIRN_OK);
    steps = packs ? steps : steps_taken();
    assert_memory_equal(letters, back, (size_t)width * height);
    free(letters);
    free(back);
    cn_buffer_free(&out);
    return steps;
}

static void the_work_of_letters_grows_with_the_map_alone(void **state)
{
    (void)state;
    for (int packs = 0; packs < 2; packs++) {
        uint64_t narrow = steps_of_comb(8000, packs), wide = steps_of_comb(64000, packs);
        assert_true(wide <= 9 * narrow);
    }
}

/* -------------------------------------------------------------------------------------- rows -- */

/* All passes that there are, without a seed: as much sweeping as a row of one byte can ask for. */
static rows swept_rows(uint32_t count, bool up_first)
{
    enum { SEEDS = 2, ALL_PASSES = 7, UP_FIRST = 8 };
    rows made = {.count = count, .bits = 32, .codec = SEEDS};
    sections_put_number(&made.row, ALL_PASSES | (up_first ? UP_FIRST : 0), 1);
    sections_put_varint(&made.landmarks, 1);
    sections_put_varint(&made.landmarks, 0);
    return made;
}

static void rows_free(rows *what)
{
    free(what->row.bytes);
    free(what->landmarks.bytes);
}

static sections open_map(uint32_t side)
{
    sections file = sections_new();
    add_letters(&file, side, side, ".", NULL, 0);
    return file;
}

static void rows_of_one_byte_take_bounded_work(void **state)
{
    (void)state;
    /* The largest open maps that fit the limit with so many rows, and ones that do not. */
    static const struct {
        uint32_t side;
        uint32_t rows;
        cairn_status expected;
    } maps[] = {
        {3300, 4, CAIRN_OK},  {3500, 4, CAIRN_E_LIMIT},  {1700, 16, CAIRN_OK},
        {440, 256, CAIRN_OK}, {4096, 16, CAIRN_E_LIMIT},
    };
    for (size_t i = 0; i < COUNT_OF(maps); i++) {
        sections file = open_map(maps[i].side);
        rows of = swept_rows(maps[i].rows, i % 2);
        add_table(&file, &of);
        assert_int_equal(check_cost(&file, true), maps[i].expected);
        free(file.bytes);
        rows_free(&of);
    }
}

static void a_larger_limit_loads_what_is_refused_without_one(void **state)
{
    (void)state;
    enum { SIDE = 1500 };
    sections file = open_map(SIDE);
    rows of = swept_rows(16, false);
    add_table(&file, &of);
    uint64_t needed = (uint64_t)SIDE * SIDE * (2 + 16 * 4);
    assert_int_equal(load(&file, true, 0).status, CAIRN_E_LIMIT);
    assert_int_equal(load(&file, true, needed + (1 << 12)).status, CAIRN_OK);
    free(file.bytes);
    rows_free(&of);
}

/* Seeds without end: zeros follow behind the last byte. */
static void seeds_of_few_bytes_are_few(void **state)
{
    (void)state;
    static const uint8_t patterns[] = {0x00, 0x55, 0xaa, 0xff};
    for (size_t i = 0; i < COUNT_OF(patterns); i++) {
        sections file = open_map(1400);
        rows of = swept_rows(16, false);
        uint8_t coded[100];
        memset(coded, patterns[i], sizeof coded);
        coded[0] = 0xff;
        coded[sizeof coded - 1] = 1;
        sections_put(&of.row, coded, sizeof coded);
        add_table(&file, &of);
        check_cost(&file, true);
        free(file.bytes);
        rows_free(&of);
    }
}

static void landmarks_of_few_bytes_take_bounded_work(void **state)
{
    (void)state;
    enum { SIDE = 850, ROWS = 4 };
    sections file = open_map(SIDE);
    rows of = swept_rows(ROWS, false);
    of.landmarks.size = 0;
    sections_put_varint(&of.landmarks, SIDE * SIDE);
    sections_put_varint(&of.landmarks, 0);
    for (uint32_t i = 1; i < SIDE * SIDE; i++)
        sections_put_varint(&of.landmarks, 1);
    add_table(&file, &of);
    assert_int_equal(check_cost(&file, true), CAIRN_OK);
    free(file.bytes);
    rows_free(&of);
}

/* ------------------------------------------------------------------------------ kinds of map -- */

enum { GROUND = 1, GRAPH = 2, FACTORS = 512 };

/* What makes costs of steps differ: the flags of the file, and one of this test. */
enum { AVERAGE = 1, RAISED = 2, OTHER_EXITS = 4, ONE_WAY = 8 };

enum { EAST_AND_SOUTH = 1 | 4 };

/* A map of cells that are all one letter, under a rule. */
static sections ground_file(unsigned rule, unsigned flags, uint32_t width, uint32_t height)
{
    sections file = sections_new(), plain = {0};
    sections payload = map_head(GROUND, rule, 0, flags & (AVERAGE | RAISED | OTHER_EXITS), width,
                                height);
    for (unsigned letter = 0; letter < 256; letter++)
        sections_put_number(&plain,
                            letter == '.' || (flags & ONE_WAY && letter == 'v') ? 1
                            : letter == 'S' && flags & AVERAGE                  ? 3
                            : letter == '@'                                     ? 0xffff
                                                                                : 0,
                            2);
    for (unsigned letter = 0; flags & OTHER_EXITS && letter < 256; letter++)
        sections_put_number(&plain, EAST_AND_SOUTH, 1);
    for (uint32_t i = 0; i < width * height; i++)
        sections_put_number(&plain, flags & ONE_WAY ? 'v' : '.', 1);
    if (flags & RAISED)
        sections_put_number(&plain, (uint64_t)100 << 32 | 100, 8);
    for (uint32_t i = 0; flags & RAISED && i < 2 * width * height; i++)
        sections_put_number(&plain, i < width * height, 1);
    sections_put_deflated(&payload, &plain);
    sections_add(&file, "MAP ", 1, &payload);
    add_metric(&file, 2378, 3363);
    free(payload.bytes);
    free(plain.bytes);
    return file;
}

static void check_terrain(unsigned rule, bool raised, uint32_t width, uint32_t height)
{
    sections file = ground_file(rule, raised ? RAISED : 0, width, height);
    assert_int_equal(check_cost(&file, false), CAIRN_OK);
    free(file.bytes);
}

/* All passes that there are, where every step is priced by itself. */
static void rows_of_one_byte_on_any_ground_take_bounded_work(void **state)
{
    (void)state;
    static const struct {
        unsigned rule, flags;
        uint32_t side, rows;
    } grounds[] = {
        {3, 0, 1650, 16},
        {1, AVERAGE, 1900, 4},
        {4, ONE_WAY, 1600, 16},
        {0, OTHER_EXITS, 1600, 16},
        {3, OTHER_EXITS | AVERAGE, 1600, 16},
        {0, RAISED, 1080, 4},
    };
    enum { RULED_SEEDS = 3 };
    for (size_t i = 0; i < COUNT_OF(grounds); i++) {
        sections file = ground_file(grounds[i].rule, grounds[i].flags, grounds[i].side,
                                    grounds[i].side);
        rows of = swept_rows(grounds[i].rows, i % 2);
        of.codec = RULED_SEEDS;
        of.in_pairs = (grounds[i].flags & (ONE_WAY | OTHER_EXITS)) != 0;
        add_table(&file, &of);
        assert_int_equal(check_cost(&file, true), CAIRN_OK);
        free(file.bytes);
        rows_free(&of);
    }
}

static void ground_of_few_bytes_takes_bounded_work(void **state)
{
    (void)state;
    for (unsigned rule = 1; rule <= 4; rule++)
        check_terrain(rule, false, 2000, 1900);
    check_terrain(0, true, 1000, 1200);
}

static void put_zigzagged(sections *to, int64_t value)
{
    sections_put_varint(to, value < 0 ? (uint64_t)(-value * 2 - 1) : (uint64_t)value * 2);
}

/* Each node but the last ones has arcs to as many that follow it. */
static sections graph_file(uint32_t nodes, uint32_t degree, bool placed)
{
    sections file = sections_new(), plain = {0};
    sections payload = map_head(GRAPH, 0, 0, placed, nodes, 1);
    for (uint32_t node = 0; node < nodes; node++) {
        uint32_t count = node + degree < nodes ? degree : 0;
        sections_put_varint(&plain, count);
        for (uint32_t i = 0; i < count; i++) {
            put_zigzagged(&plain, 1);
            sections_put_varint(&plain, 1);
        }
    }
    for (uint32_t node = 0; placed && node < nodes; node++) {
        put_zigzagged(&plain, 1);
        put_zigzagged(&plain, 1);
    }
    sections_put_deflated(&payload, &plain);
    sections_add(&file, "MAP ", 1, &payload);
    add_metric(&file, 1, 1);
    free(payload.bytes);
    free(plain.bytes);
    return file;
}

static void graphs_of_few_bytes_take_bounded_work(void **state)
{
    (void)state;
    sections dense = graph_file(1500, 400, false), lone = graph_file(900000, 0, true);
    assert_int_equal(check_cost(&dense, false), CAIRN_OK);
    assert_int_equal(check_cost(&lone, false), CAIRN_OK);
    free(dense.bytes);
    free(lone.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_of_few_bytes_take_bounded_work),
        cmocka_unit_test(the_work_of_letters_grows_with_the_map_alone),
        cmocka_unit_test(rows_of_one_byte_take_bounded_work),
        cmocka_unit_test(a_larger_limit_loads_what_is_refused_without_one),
        cmocka_unit_test(seeds_of_few_bytes_are_few),
        cmocka_unit_test(landmarks_of_few_bytes_take_bounded_work),
        cmocka_unit_test(ground_of_few_bytes_takes_bounded_work),
        cmocka_unit_test(rows_of_one_byte_on_any_ground_take_bounded_work),
        cmocka_unit_test(graphs_of_few_bytes_take_bounded_work),
    };
    return cmocka_run_group_tests_name("files", tests, NULL, NULL);
}
