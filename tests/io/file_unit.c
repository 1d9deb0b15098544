#include "io/file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef _WIN32
#  include <sys/wait.h>
#endif

#include "support/check.h"
#include "support/failing_allocator.h"
#include "support/fixtures.h"

static void files_of_any_size_come_whole(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 31, 32, 33, 4096, 65535, 65536, 65537, 300000};
    cn_mem mem = cn_mem_from(NULL);
    char *path = scratch_file("any.bin");

    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        uint8_t *written = malloc(sizes[i] + 1), *bytes;
        size_t size;
        assert_non_null(written);
        for (size_t at = 0; at < sizes[i]; at++)
            written[at] = (uint8_t)(at * 7 + at / 256);
        write_file(path, written, sizes[i]);
        assert_int_equal(cn_file_read(path, &mem, &bytes, &size), CAIRN_OK);
        assert_int_equal(size, sizes[i]);
        assert_memory_equal(bytes, written, size);
        cn_release(&mem, bytes);
        free(written);
    }
    scratch_remove(path);
}

#ifndef _WIN32

static void a_pipe_is_read_to_its_end(void **state)
{
    (void)state;
    enum { SIZE = 200000 };
    cn_mem mem = cn_mem_from(NULL);
    char *path = scratch_file("pipe");
    uint8_t *bytes;
    size_t size;

    assert_int_equal(mkfifo(path, 0600), 0);
    pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        FILE *file = fopen(path, "wb");
        for (int i = 0; file && i < SIZE; i++)
            fputc(i & 0xff, file);
        _exit(!file || fclose(file) != 0);
    }
    assert_int_equal(cn_file_read(path, &mem, &bytes, &size), CAIRN_OK);
    assert_int_equal(size, SIZE);
    for (size_t i = 0; i < SIZE; i++)
        assert_int_equal(bytes[i], i & 0xff);
    cn_release(&mem, bytes);
    assert_int_equal(waitpid(writer, NULL, 0), writer);
    scratch_remove(path);
}

#endif

static void a_file_that_is_not_there_says_so_in_errno(void **state)
{
    (void)state;
    cn_mem mem = cn_mem_from(NULL);
    uint8_t *bytes = (uint8_t *)"";
    size_t size = 1;
    assert_int_equal(cn_file_read("/no/such/file", &mem, &bytes, &size), CAIRN_E_IO);
    assert_int_equal(errno, ENOENT);
    assert_null(bytes);
    assert_int_equal(size, 0);
}

static void a_folder_is_no_file(void **state)
{
    (void)state;
    cn_mem mem = cn_mem_from(NULL);
    uint8_t *bytes;
    size_t size;
    assert_int_equal(cn_file_read("/", &mem, &bytes, &size), CAIRN_E_IO);
    assert_int_equal(errno, EISDIR);
    assert_null(bytes);
}

static void reading_without_memory_leaves_nothing(void **state)
{
    (void)state;
    failing_allocator failing;
    failing_allocator_init(&failing);
    cn_mem mem = cn_mem_from(&failing.allocator);
    char *path = scratch_file("any.bin");
    uint8_t *bytes;
    size_t size;

    write_file(path, (const uint8_t *)"abc", 3);
    failing_allocator_arm(&failing, 1);
    assert_int_equal(cn_file_read(path, &mem, &bytes, &size), CAIRN_E_MEMORY);
    assert_null(bytes);
    assert_int_equal(atomic_load(&failing.outstanding), 0);
    scratch_remove(path);
}

static void a_file_beyond_the_limit_is_refused_before_memory_is_taken(void **state)
{
    (void)state;
    failing_allocator failing;
    failing_allocator_init(&failing);
    cn_mem mem = cn_mem_from(&failing.allocator);
    char *path = scratch_file("vast.bin");
    uint8_t *bytes;
    size_t size;

    write_file(path, (const uint8_t *)"abc", 3);
    if (truncate(path, (off_t)3 << 30) == 0) { /* no disk is used for it */
        failing_allocator_arm(&failing, 1);
        assert_int_equal(cn_file_read(path, &mem, &bytes, &size), CAIRN_E_LIMIT);
        assert_null(bytes);
    }
    scratch_remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_any_size_come_whole),
#ifndef _WIN32
        cmocka_unit_test(a_pipe_is_read_to_its_end),
#endif
        cmocka_unit_test(a_file_that_is_not_there_says_so_in_errno),
        cmocka_unit_test(a_folder_is_no_file),
        cmocka_unit_test(reading_without_memory_leaves_nothing),
        cmocka_unit_test(a_file_beyond_the_limit_is_refused_before_memory_is_taken),
    };
    return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
