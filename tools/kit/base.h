/* What compilers have beyond C11 is named here and spelled nowhere else in the program. */
#ifndef KIT_BASE_H
#define KIT_BASE_H

/* Behind a function: the place of its format, as that of printf, and of the first value for it. */
#if defined(__MINGW_PRINTF_FORMAT)
#  define KIT_FORMAT(first, rest) __attribute__((format(__MINGW_PRINTF_FORMAT, first, rest)))
#elif defined(__GNUC__)
#  define KIT_FORMAT(first, rest) __attribute__((format(printf, first, rest)))
#else
#  define KIT_FORMAT(first, rest)
#endif

#endif
