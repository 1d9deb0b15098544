"""Types into a shell in a terminal and prints what the terminal shows:

    python3 type.py SETUP TEXT SHELL...       TEXT may hold \\t for Tab

SETUP is a line of the shell that runs first. The terminal is read until the shell is silent.
"""
import os
import pty
import re
import select
import sys
import time

SILENCE, PATIENCE = 0.4, 20  # seconds


def read_until(terminal, is_enough):
    """What the terminal shows until it is enough, or nothing has come for long."""
    shown, last = b"", time.monotonic()
    while time.monotonic() - last < PATIENCE and not is_enough(shown, time.monotonic() - last):
        if select.select([terminal], [], [], 0.05)[0]:
            shown, last = shown + os.read(terminal, 65536), time.monotonic()
    return shown


def main():
    setup, text, shell = sys.argv[1], sys.argv[2].replace("\\t", "\t"), sys.argv[3:]
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(shell[0], shell, {**os.environ, "TERM": "dumb", "PS1": "$ ", "COLUMNS": "200"})
    # What is typed shows as well: only the shell itself puts the two halves together.
    os.write(terminal, f"{setup}; echo re''ady\n".encode())
    read_until(terminal, lambda shown, _: b"\nready" in shown)
    os.write(terminal, text.encode())
    shown = read_until(terminal, lambda shown, silent: shown and silent > SILENCE)
    os.kill(child, 9)
    os.waitpid(child, 0)
    print(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\x07]", "", shown.decode(errors="replace")))


main()
