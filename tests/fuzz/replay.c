/* Gives the files of a corpus to a harness, one after the other, without libFuzzer:
 *
 *     fuzz_NAME [-v] [FILE or FOLDER...]     none: the corpus of that name
 *
 * -v names each input before it is taken. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

#ifndef FUZZ_CORPUS
#  define FUZZ_CORPUS "tests/fuzz/corpus"
#endif

static bool is_talkative;
static unsigned input_count;

static void give_up(const char *path)
{
    perror(path);
    exit(1);
}

/* From memory of just that size, so that a read beyond it is noticed. */
static void take_file(const char *path, FILE *file)
{
    if (fseek(file, 0, SEEK_END) != 0)
        give_up(path);
    size_t size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(size + !size);
    if (!bytes || fread(bytes, 1, size, file) != size)
        give_up(path);
    if (is_talkative) {
        printf("%s\n", path);
        fflush(stdout);
    }
    LLVMFuzzerTestOneInput(bytes, size);
    input_count++;
    free(bytes);
}

static void take(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder) {
        FILE *file = fopen(path, "rb");
        if (!file)
            give_up(path);
        take_file(path, file);
        fclose(file);
        return;
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char name[4096];
        const int length = snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (length < 0 || length >= (int)sizeof name)
            give_up(path);
        if (entry->d_name[0] != '.')
            take(name);
    }
    closedir(folder);
}

int main(int count, char **words)
{
    const char *slash = strrchr(words[0], '/');
    const char *name = slash ? slash + 1 : words[0];
    int first = count > 1 && strcmp(words[1], "-v") == 0 ? 2 : 1;

    is_talkative = first == 2;
    printf("[==========] %s: Running 1 test(s).\n", name);
    if (first == count)
        take(FUZZ_CORPUS);
    for (int i = first; i < count; i++)
        take(words[i]);
    if (input_count == 0) {
        printf("[  FAILED  ] 1 test(s), listed below:\n[  FAILED  ] no input\n");
        return 1;
    }
    printf("[       OK ] every_input_is_refused_or_sound (%u inputs)\n", input_count);
    return 0;
}
