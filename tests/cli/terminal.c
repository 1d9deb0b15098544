/* Runs a command whose standard error is a terminal, and prints what it shows there:
 *
 *     terminal COMMAND...
 *
 * The status is that of the command; 77 where there are no terminals to be had. */
#define _XOPEN_SOURCE 700

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int run(int terminal, char **words)
{
    if (dup2(terminal, STDERR_FILENO) < 0)
        return 77;
    close(terminal);
    execvp(words[0], words);
    return 127;
}

/* Until nobody has the terminal open any more, which some systems call an error. */
static void show(int control)
{
    char bytes[4096];
    ssize_t count;
    while ((count = read(control, bytes, sizeof bytes)) > 0)
        fwrite(bytes, 1, (size_t)count, stdout);
}

int main(int count, char **words)
{
    int status;

    if (count < 2)
        return 2;
    int control = posix_openpt(O_RDWR | O_NOCTTY);
    if (control < 0 || grantpt(control) != 0 || unlockpt(control) != 0)
        return 77;
    int terminal = open(ptsname(control), O_RDWR | O_NOCTTY);
    if (terminal < 0)
        return 77;
    pid_t child = fork();
    if (child == 0)
        _exit(run(terminal, words + 1));
    close(terminal);
    show(control);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 77;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
