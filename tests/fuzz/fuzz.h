/*
 * What the fuzz harnesses share. Each fuzz_*.c takes one format: its LLVMFuzzerTestOneInput gets
 * any bytes, which must be refused with a sound error, or give an object that keeps its promises.
 * docs/FUZZING.md says which function each one takes and how to run them.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include "cairn/cairn.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed);

/* Given by libFuzzer. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* A claim that must hold for every input; ends the program where it does not. */
#define FUZZ_CHECK(claim) ((claim) ? (void)0 : fuzz_wrong(#claim, __FILE__, __LINE__))
_Noreturn void fuzz_wrong(const char *claim, const char *file, int line);

/* The map that scenarios and edits are for, and the one of tables without their map. */
cairn_map *fuzz_hall(void);

/* A number that depends on every byte: what a harness may vary is chosen by it, so that an input is
 * the whole test. */
uint32_t fuzz_pick(const uint8_t *data, size_t size);

/* The path of a file that holds these bytes, until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* What was refused tells why. Texts tell the line. */
void fuzz_check_refusal(cairn_status status, const cairn_error *error);
void fuzz_check_text_refusal(cairn_status status, const cairn_error *error, size_t size);

/* Costs and cells of a map hang together. */
void fuzz_check_map(const cairn_map *map);

/* Malloc that keeps count, and ends the program when more is asked for than was agreed. */
typedef struct fuzz_memory {
    cairn_allocator allocator;
    size_t most;
    size_t now;
} fuzz_memory;

void fuzz_memory_init(fuzz_memory *memory, size_t most);

/* Everything was given back. */
void fuzz_memory_check(const fuzz_memory *memory);

#endif
