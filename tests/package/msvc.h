/* Before a source that is to compile without what only GCC and Clang have, as it does for
 * Microsoft's compiler: clang reads the headers of mingw-w64 for that target as soon as they leave
 * attributes alone. */
#include <_mingw.h>
#undef __attribute__
#undef __MINGW_ATTRIB_NORETURN
#define __MINGW_ATTRIB_NORETURN __attribute__((__noreturn__))
#undef __MINGW_ATTRIB_DEPRECATED
#define __MINGW_ATTRIB_DEPRECATED
