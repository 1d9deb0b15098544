/* What tests take from POSIX and Windows lacks. The compiler includes it before every source of the
 * tests there (tests/CMakeLists.txt); threads of tests are those of winpthreads. */
#ifndef SUPPORT_WINDOWS_H
#define SUPPORT_WINDOWS_H

#include <direct.h>
#include <io.h>
#include <stdlib.h>
#include <unistd.h>

#define truncate truncate64

static inline int setenv(const char *name, const char *value, int overwrite)
{
    return overwrite || !getenv(name) ? _putenv_s(name, value) : 0;
}

static inline int unsetenv(const char *name)
{
    return _putenv_s(name, "");
}

static inline char *mkdtemp(char *name)
{
    return _mktemp(name) && _mkdir(name) == 0 ? name : NULL;
}

#endif
