/* How many random cases a run takes: CAIRN_TEST_SEEDS in the environment, in percent; without it
 * CAIRN_USUAL_SEEDS, which the build sets for programs that are short under a sanitizer; without
 * both 100, under sanitizers 10. Below 100 tests leave some out, always the same ones; above, seeds
 * go on. */
#ifndef SUPPORT_SEEDS_H
#define SUPPORT_SEEDS_H

#include <stdbool.h>
#include <stdint.h>

/* Where seeds end that usually end at `usual`:
 *
 *     for (uint64_t seed = 0; seed < seeds_to(140); seed = seed_after(seed)) */
uint64_t seeds_to(uint64_t usual);

/* The next seed that is not left out. */
uint64_t seed_after(uint64_t seed);

/* Whether a case is left out, for tests that combine seeds with something else: by a number that
 * counts the combinations. The first MAP_KINDS never are. */
bool is_left_out(uint64_t number);

#endif
