/* What the program's exit code means. */
#ifndef KIT_EXITS_H
#define KIT_EXITS_H

enum {
    KIT_EXIT_OK = 0,
    KIT_EXIT_NO = 1, /* a negative answer: no path, not exact, a wrong length */
    KIT_EXIT_USAGE = 2,
    KIT_EXIT_IO = 3 /* input or output, memory included */
};

#endif
