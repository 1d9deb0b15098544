/* Many tables and scenarios: each scenario with the table of its name, one summary over all. */
#ifndef COMPARE_MANY_H
#define COMPARE_MANY_H

#include "kit/args.h"
#include "kit/heuristic.h"

typedef struct many_options {
    const char *const *files; /* tables, and scenarios, which end in .scen or .p2p */
    size_t file_count;
    const char *list_path;    /* further ones, "TABLE SCEN" in each line; NULL: none */
    const char *results_path; /* a file to append to, and to resume from; NULL: none */
    const char *report_path;  /* NULL: none */
    char *const *words;       /* of the command line; ends with NULL */
    uint32_t every;
    const char *space; /* as it was asked for */
    unsigned spaces;   /* see comparison_add_searches */
    bool exact;
    kit_wish wish;
    const char *resident;
    bool json;
} many_options;

/* Whether a file is taken for a scenario. */
bool many_is_scenario(const char *path);

/* Goes on after a failure, and names the failures in the end. An exit code. */
int many_compare(const many_options *set);

#endif
