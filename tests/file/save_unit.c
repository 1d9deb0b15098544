/* Files are replaced as a whole or not at all, whatever stops the writer. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef _WIN32
#  include <sys/resource.h>
#  include <sys/wait.h>
#endif

#include "file/saved_file.h"

static void assert_file_holds(const char *path, const void *bytes, size_t size)
{
    char *found = malloc(size + 1);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(found, 1, size + 1, file), size);
    fclose(file);
    assert_memory_equal(found, bytes, size);
    free(found);
}

/* Number of files beside `path`, itself included. */
static unsigned files_beside(const char *path)
{
    char folder[4096];
    unsigned count = 0;
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    DIR *names = opendir(folder);
    assert_non_null(names);
    for (const struct dirent *name = readdir(names); name; name = readdir(names))
        count += strcmp(name->d_name, ".") != 0 && strcmp(name->d_name, "..") != 0;
    closedir(names);
    return count;
}

static void a_saved_file_replaces_the_old_one_and_leaves_nothing_else(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    char *path = scratch_file("table.cairn");
    struct stat fresh, ordinary;

    write_text(path, "old");
    assert_int_equal(stat(path, &ordinary), 0);
    assert_int_equal(cairn_save(file.map, file.table, path, NULL), CAIRN_OK);
    assert_file_holds(path, file.bytes, file.size);
    assert_int_equal(stat(path, &fresh), 0);
    assert_int_equal(fresh.st_mode, ordinary.st_mode);
    assert_int_equal(files_beside(path), 1);
    scratch_remove(path);
    saved_free(&file);
}

#ifndef _WIN32

static void a_private_file_stays_private(void **state)
{
    (void)state;
    saved file = save_halls(1, CAIRN_CODEC_BEST);
    char *path = scratch_file("table.cairn");
    struct stat fresh;

    write_text(path, "old");
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(cairn_save(file.map, file.table, path, NULL), CAIRN_OK);
    assert_int_equal(stat(path, &fresh), 0);
    assert_int_equal(fresh.st_mode & 0777, 0600);
    scratch_remove(path);
    saved_free(&file);
}

#endif

/* Stops a save that has told for the so-many-th time that it writes. */
typedef struct stopper {
    const char *path;
    unsigned stop_at;    /* from 1 */
    unsigned told;       /* the stage "write" */
    unsigned most_files; /* beside the path, at the last of them */
} stopper;

static bool stop_writing(void *context, const char *stage, uint64_t done, uint64_t total)
{
    stopper *by = context;
    assert_true(done <= total);
    if (strcmp(stage, "write") != 0)
        return true;
    by->told++;
    by->most_files = files_beside(by->path);
    return by->told != by->stop_at;
}

static void a_save_that_is_stopped_leaves_the_old_file_and_no_other(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    char *path = scratch_file("table.cairn");
    unsigned told = 0;

    for (unsigned stop_at = 1; told + 1 == stop_at; stop_at++) {
        stopper by = {.path = path, .stop_at = stop_at};
        cairn_progress progress = {stop_writing, &by};
        cairn_save_options options = {.size = sizeof options, .progress = &progress};
        write_text(path, "old");
        cairn_status status = cairn_save(file.map, file.table, path, &options);
        told = by.told;
        assert_int_equal(status, told == stop_at ? CAIRN_E_CANCELLED : CAIRN_OK);
        /* The first time, nothing is there yet: who is told may get ready. */
        assert_int_equal(by.most_files, stop_at == 1 ? 1 : 2);
        assert_int_equal(files_beside(path), 1);
        if (told == stop_at)
            assert_file_holds(path, "old", 3);
        else
            assert_file_holds(path, file.bytes, file.size);
    }
    assert_true(told > 2);
    scratch_remove(path);
    saved_free(&file);
}

static void a_build_that_is_stopped_as_it_writes_leaves_no_file(void **state)
{
    (void)state;
    saved file = save_halls(1, CAIRN_CODEC_BEST);
    char *path = scratch_file("table.cairn");
    stopper by = {.path = path, .stop_at = 2};
    cairn_progress progress = {stop_writing, &by};
    cairn_build_options options = {
        .size = sizeof options, .landmark_count = 3, .progress = &progress};

    assert_int_equal(cairn_build_file(file.map, path, &options, NULL, NULL), CAIRN_E_CANCELLED);
    assert_int_equal(by.told, 2);
    assert_int_equal(by.most_files, 1);
    assert_int_equal(files_beside(path), 0);
    scratch_remove(path);
    saved_free(&file);
}

static void progress_without_a_callback_is_none(void **state)
{
    (void)state;
    saved file = save_halls(1, CAIRN_CODEC_BEST);
    cairn_progress nobody = {NULL, NULL};
    cairn_save_options options = {.size = sizeof options, .progress = &nobody};
    uint8_t *bytes;
    size_t size;

    assert_int_equal(cairn_save_bytes(file.map, file.table, &options, &bytes, &size), CAIRN_OK);
    assert_int_equal(size, file.size);
    cairn_bytes_free(file.map, bytes);
    saved_free(&file);
}

#ifndef _WIN32

/* What killed writers leave behind. */
static void remove_unfinished(const char *path)
{
    char command[512];
    snprintf(command, sizeof command, "rm -f '%s'.*.tmp", path);
    assert_int_equal(system(command), 0);
}

/* In a child whose files may not grow beyond `limit`: as on a full disk when the signal is
 * ignored, as killed in the middle of a write when it is not. */
static int save_in_child(const saved *file, const char *path, rlim_t limit, void (*on_limit)(int))
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rlimit smallest = {limit, limit};
        cairn_save_options options = {.size = sizeof options, .thread_count = 1};
        signal(SIGXFSZ, on_limit);
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        setrlimit(RLIMIT_FSIZE, &smallest);
        cairn_status status = cairn_save(file->map, file->table, path, &options);
        _exit(status == CAIRN_E_IO && errno == EFBIG ? 41 : (int)status);
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    return ended;
}

static void a_full_disk_leaves_the_old_file_and_no_other(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    char *path = scratch_file("table.cairn");

    write_text(path, "old");
    for (size_t limit = 0; limit < file.size; limit += 1 + limit / 8) {
        int ended = save_in_child(&file, path, limit, SIG_IGN);
        assert_true(WIFEXITED(ended));
        assert_int_equal(WEXITSTATUS(ended), 41);
        assert_file_holds(path, "old", 3);
        assert_int_equal(files_beside(path), 1);
    }
    assert_int_equal(save_in_child(&file, path, file.size, SIG_IGN), 0);
    assert_file_holds(path, file.bytes, file.size);
    scratch_remove(path);
    saved_free(&file);
}

static void a_killed_writer_leaves_the_old_file_whole(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    char *path = scratch_file("table.cairn");
    unsigned kills = 0;

    write_text(path, "old");
    for (size_t limit = 0; limit < file.size; limit += 1 + limit / 8) {
        int ended = save_in_child(&file, path, limit, SIG_DFL);
        assert_true(WIFSIGNALED(ended));
        assert_file_holds(path, "old", 3);
        kills++;
    }
    assert_true(kills > 10);
    assert_int_equal(cairn_save(file.map, file.table, path, NULL), CAIRN_OK);
    assert_file_holds(path, file.bytes, file.size);
    remove_unfinished(path);
    assert_int_equal(files_beside(path), 1);
    scratch_remove(path);
    saved_free(&file);
}

#endif

static void places_that_cannot_be_written_or_read_are_input_and_output_errors(void **state)
{
    (void)state;
    saved file = save_halls(1, CAIRN_CODEC_BEST);
    cairn_map *map;
    cairn_table *table;
    cairn_error error;

    assert_int_equal(cairn_save(file.map, file.table, "/nonexistent/a.cairn", NULL), CAIRN_E_IO);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(cairn_save(file.map, file.table, "/", NULL), CAIRN_E_IO);
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(cairn_save(file.map, file.table, "/dev/full", NULL), CAIRN_E_IO);
        assert_int_equal(errno, ENOSPC);
    }
    assert_int_equal(cairn_load("/nonexistent/a.cairn", NULL, &map, &table, &error), CAIRN_E_IO);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(error.status, CAIRN_E_IO);
    assert_int_equal(cairn_load("/", NULL, &map, &table, &error), CAIRN_E_IO);
    assert_int_equal(errno, EISDIR);
    assert_null(map);
    assert_null(table);
    saved_free(&file);
}

#ifndef _WIN32

static void a_pipe_can_be_read(void **state)
{
    (void)state;
    saved file = save_halls(3, CAIRN_CODEC_BEST);
    char *path = scratch_file("pipe.cairn");
    cairn_table *table;

    assert_int_equal(mkfifo(path, 0600), 0);
    pid_t child = fork();
    if (child == 0)
        _exit((int)cairn_save(file.map, file.table, path, NULL));
    assert_int_equal(cairn_load(path, NULL, NULL, &table, NULL), CAIRN_OK);
    assert_first_rows(table, file.table, file.map, 3);
    int ended;
    waitpid(child, &ended, 0);
    assert_int_equal(ended, 0);
    cairn_table_free(table);
    scratch_remove(path);
    saved_free(&file);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_saved_file_replaces_the_old_one_and_leaves_nothing_else),
        cmocka_unit_test(a_save_that_is_stopped_leaves_the_old_file_and_no_other),
        cmocka_unit_test(a_build_that_is_stopped_as_it_writes_leaves_no_file),
        cmocka_unit_test(progress_without_a_callback_is_none),
        cmocka_unit_test(places_that_cannot_be_written_or_read_are_input_and_output_errors),
#ifndef _WIN32
        cmocka_unit_test(a_private_file_stays_private),
        cmocka_unit_test(a_full_disk_leaves_the_old_file_and_no_other),
        cmocka_unit_test(a_killed_writer_leaves_the_old_file_whole),
        cmocka_unit_test(a_pipe_can_be_read),
#endif
    };
    return cmocka_run_group_tests_name("save_unit", tests, NULL, NULL);
}
