/* A comparison as one page that needs nothing else. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "compare/compare.h"

/* Writes the page. False, with a complaint, when that fails. */
bool report_write(const comparison *work, const char *path);

#endif
