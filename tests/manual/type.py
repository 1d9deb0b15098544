"""Types into a shell in a terminal and prints what the terminal shows:

    python3 type.py SETUP TEXT EXPECTED SHELL...       TEXT may hold \\t for Tab

SETUP is a line of the shell that runs first. The terminal is read until it shows what is expected,
or the shell has been silent for long.
"""
import os
import pty
import re
import select
import sys
import time

PATIENCE = 20  # seconds


def read_until(terminal, expected):
    """What the terminal shows until that is there, or nothing has come for long."""
    read, shown, last = b"", "", time.monotonic()
    while time.monotonic() - last < PATIENCE and expected not in shown:
        if select.select([terminal], [], [], 0.05)[0]:
            read, last = read + os.read(terminal, 65536), time.monotonic()
            shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\x07]", "", read.decode(errors="replace"))
    return shown


def main():
    setup, text, expected, shell = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(shell[0], shell, {**os.environ, "TERM": "dumb", "PS1": "$ ", "COLUMNS": "200"})
    # What is typed shows as well: only the shell itself puts the two halves together.
    os.write(terminal, f"{setup}; echo re''ady\n".encode())
    read_until(terminal, "\nready")
    os.write(terminal, text.replace("\\t", "\t").encode())
    shown = read_until(terminal, expected)
    os.kill(child, 9)
    os.waitpid(child, 0)
    print(shown)


main()
