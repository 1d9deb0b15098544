/* One page over many comparisons. */
#ifndef REPORT_MANY_PAGE_H
#define REPORT_MANY_PAGE_H

#include "compare/results.h"

/* `words` are those of the command line behind `command`; they end with NULL. False, with a
 * complaint, when that fails. */
bool many_page_write(const summary *of, char *const *words, const char *command, const char *path);

#endif
