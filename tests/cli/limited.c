/* Runs a command whose files may not grow beyond a size, for cases about disks that are full and
 * writers that are ended:
 *
 *     limited BYTES fail COMMAND...     writing more fails, as on a full disk
 *     limited BYTES kill COMMAND...     the write that would go beyond ends the command on the spot
 *     limited BYTES term COMMAND...     then the command gets that signal; also hup and int
 *
 * The status is that of the command, or 128 and the signal that ended it; 77 where processes cannot
 * be traced, which all but the first need. */
#define _GNU_SOURCE

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
    const char *name;
    int number;
} endings[] = {{"fail", 0}, {"kill", SIGKILL}, {"term", SIGTERM}, {"hup", SIGHUP}, {"int", SIGINT}};

enum { ENDINGS = sizeof endings / sizeof *endings };

static int run(char **words, rlim_t most)
{
    struct rlimit limit = {most, most}, none = {0, 0};

    setrlimit(RLIMIT_CORE, &none);
    signal(SIGXFSZ, SIG_DFL);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 2;
    execvp(words[0], words);
    perror(words[0]);
    return 2;
}

static int result_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#ifdef __linux__

/* What a stopped thread gets instead of the signal that stopped it. */
static int replaced(int status, int ending)
{
    int signal_number = WSTOPSIG(status);
    if (signal_number == SIGTRAP || signal_number == SIGSTOP)
        return 0;
    return signal_number == SIGXFSZ ? ending : signal_number;
}

/* Every thread stops at every signal, also at those that the command ignores. */
static int trace(pid_t child, int ending)
{
    const long wanted = PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_EXITKILL;
    int status;

    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
        return 77;
    if (ptrace(PTRACE_SETOPTIONS, child, NULL, wanted) != 0)
        return 77;
    for (pid_t stopped = child; stopped > 0; stopped = waitpid(-1, &status, __WALL)) {
        if (!WIFSTOPPED(status) && stopped == child)
            return result_of(status);
        int signal_number = WIFSTOPPED(status) ? replaced(status, ending) : 0;
        if (signal_number == SIGKILL)
            kill(child, SIGKILL);
        else if (WIFSTOPPED(status))
            ptrace(PTRACE_CONT, stopped, NULL, (long)signal_number);
    }
    return 77;
}

static int run_traced(char **words, rlim_t most)
{
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        return 77;
    /* What runs in the background may have been told to ignore some, which its children inherit. */
    for (int i = 0; i < ENDINGS; i++)
        signal(endings[i].number, SIG_DFL);
    raise(SIGSTOP);
    return run(words, most);
}

#else

static int trace(pid_t child, int ending)
{
    int status;
    (void)ending;
    waitpid(child, &status, 0);
    return 77;
}

static int run_traced(char **words, rlim_t most)
{
    (void)words;
    (void)most;
    return 77;
}

#endif

int main(int count, char **words)
{
    int ending = 0;

    if (count < 4)
        return 2;
    rlim_t most = (rlim_t)strtoul(words[1], NULL, 10);
    while (ending < ENDINGS && strcmp(words[2], endings[ending].name) != 0)
        ending++;
    if (ending == ENDINGS)
        return 2;
    if (ending == 0)
        return run(words + 3, most);
    pid_t child = fork();
    if (child < 0)
        return 77;
    if (child == 0)
        _exit(run_traced(words + 3, most));
    return trace(child, endings[ending].number);
}
