#include "seeds.h"

#include <stdlib.h>

#include "random_maps.h"

#ifndef CAIRN_USUAL_SEEDS
#  define CAIRN_USUAL_SEEDS 100
#endif

static uint64_t percent(void)
{
    const char *said = getenv("CAIRN_TEST_SEEDS");
    if (!said)
        said = getenv("CAIRN_USUAL_SEEDS");
    uint64_t wanted = said ? strtoull(said, NULL, 10) : 0;
    return wanted ? wanted : CAIRN_USUAL_SEEDS;
}

uint64_t seeds_to(uint64_t usual)
{
    uint64_t part = percent();
    return part > 100 ? usual * part / 100 : usual;
}

bool is_left_out(uint64_t number)
{
    /* Multiples of the golden ratio lie evenly in whatever is taken of them. */
    return number >= MAP_KINDS && (number * 0x9e3779b97f4a7c15u >> 32) * 100 >> 32 >= percent();
}

uint64_t seed_after(uint64_t seed)
{
    do
        seed++;
    while (is_left_out(seed));
    return seed;
}
