/* Runs a command whose standard error is a terminal, and prints what it shows there:
 *
 *     terminal COMMAND...
 *     terminal --once TEXT SIGNAL COMMAND...    SIGNAL (a number) is sent once TEXT was shown
 *
 * The status is that of the command, or 128 and the signal that ended it; 77 where there are no
 * terminals to be had. */
#define _XOPEN_SOURCE 700

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct wish {
    const char *text; /* NULL: none */
    int signal_number;
} wish;

/* What runs in the background may have been told to ignore ^C, which its children inherit. */
static int run(int terminal, int signal_number, char **words)
{
    if (signal_number)
        signal(signal_number, SIG_DFL);
    if (dup2(terminal, STDERR_FILENO) < 0)
        return 77;
    close(terminal);
    execvp(words[0], words);
    return 127;
}

/* Until nobody has the terminal open any more, which some systems call an error. */
static void show(int control, pid_t child, wish once)
{
    enum { KEPT = 1 << 12 };
    char seen[2 * KEPT + 1];
    size_t used = 0;
    ssize_t count;

    while ((count = read(control, seen + used, KEPT)) > 0) {
        fwrite(seen + used, 1, (size_t)count, stdout);
        used += (size_t)count;
        seen[used] = 0;
        if (once.text && strstr(seen, once.text)) {
            kill(child, once.signal_number);
            once.text = NULL;
        }
        /* The text may lie across what is read now and then. */
        size_t kept = used < KEPT ? used : KEPT;
        memmove(seen, seen + used - kept, kept);
        used = kept;
    }
}

int main(int count, char **words)
{
    wish once = {NULL, 0};
    int status;

    if (count > 4 && strcmp(words[1], "--once") == 0) {
        once = (wish){words[2], atoi(words[3])};
        words += 3;
    } else if (count < 2) {
        return 2;
    }
    int control = posix_openpt(O_RDWR | O_NOCTTY);
    if (control < 0 || grantpt(control) != 0 || unlockpt(control) != 0)
        return 77;
    int terminal = open(ptsname(control), O_RDWR | O_NOCTTY);
    if (terminal < 0)
        return 77;
    pid_t child = fork();
    if (child == 0)
        _exit(run(terminal, once.signal_number, words + 1));
    close(terminal);
    show(control, child, once);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 77;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
