/* Words for people: complaints on standard error, and numbers as they are read best. */
#ifndef KIT_SAY_H
#define KIT_SAY_H

#include <stdio.h>

#include "cairn/cairn.h"
#include "base.h"

/* One line "cairn: ..." on standard error. From any thread: lines stay whole. */
void kit_complain(const char *format, ...) KIT_FORMAT(1, 2);

/* From now on, the first complaint of this thread is also written into `text`, without the
 * program's name; NULL: no longer. `text` becomes empty, and stays the caller's. */
void kit_complaints_kept(char *text, size_t size);

/* From now on nothing is printed, and the first complaint is kept, until it is printed, behind what
 * names the program, or forgotten. For programs of one thread. */
void kit_complain_later(void);
void kit_complain_now(const char *program);
void kit_complain_forget(void);

/* The line for a file or a text that was refused; gives the exit code. */
int kit_refuse(const char *path, const cairn_error *error);

/* The same with advice behind the line. */
int kit_refuse_advising(const char *path, const cairn_error *error, const char *advice);

/* Says for which tables --resident corners is; returns the exit code. */
int kit_refuse_corners(const char *path);

/* The line for a call on `subject` that failed without a place; gives the exit code. */
int kit_fail(const char *subject, cairn_status status);

/* Short texts, by value. */
typedef struct kit_text {
    char text[40];
} kit_text;

kit_text kit_count(uint64_t count);            /* 12,978 */
kit_text kit_bytes(uint64_t bytes);            /* 1.4 MiB */
kit_text kit_seconds(double seconds);          /* 12.3 ms */
kit_text kit_ratio(double over, double under); /* 12.5 x; - of 0 or NAN */
kit_text kit_decimal(double value);            /* three digits or more: 1,234, 12.3, 1.23 */
kit_text kit_hash(uint64_t hash);              /* 16 hexadecimal digits */

/* "" for 1, "s" otherwise. */
const char *kit_plural(uint64_t count);

#endif
