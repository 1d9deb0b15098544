/* Runs a command whose files may not grow beyond a size, for cases about disks that are full and
 * writers that are ended:
 *
 *     limited BYTES fail COMMAND...     writing more fails, as on a full disk
 *     limited BYTES end COMMAND...      writing more ends the command on the spot */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

int main(int count, char **words)
{
    if (count < 4)
        return 2;
    rlim_t most = (rlim_t)strtoul(words[1], NULL, 10);
    struct rlimit limit = {most, most}, none = {0, 0};

    setrlimit(RLIMIT_CORE, &none);
    signal(SIGXFSZ, strcmp(words[2], "fail") == 0 ? SIG_IGN : SIG_DFL);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 2;
    execvp(words[3], words + 3);
    perror(words[3]);
    return 2;
}
