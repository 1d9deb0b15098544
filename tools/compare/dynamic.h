/* Ways of keeping up with a map that changes between queries. */
#ifndef COMPARE_DYNAMIC_H
#define COMPARE_DYNAMIC_H

#include <stdbool.h>
#include <stdint.h>

/* Runs the .scen file of version 2 and reports; gives the exit code. */
int dynamic_compare(const char *path, uint32_t landmark_count, bool json);

#endif
