"""What the library refuses, as exceptions of Python."""
import ctypes
import os
import sys
import threading
import weakref

from ._enums import Choice
from ._native import lib


class Status(Choice):
    """The results of calls of the library, by their names in the header."""
    (OK, ARGUMENT, MEMORY, IO, FORMAT, VERSION, LIMIT, MISMATCH, INEXACT, CANCELLED, MORE, BUSY,
     CHANGED, STALE, RESIDENT) = range(15)


class Error(Exception):
    """What the library refuses, with its reason.

    `status` is the Status, `line` the line of a text or 0, `offset` the byte that was refused."""

    def __init__(self, message, status=None, line=0, offset=0):
        super().__init__(message)
        self.status, self.line, self.offset = status, line, offset


class ArgumentError(Error, ValueError):
    """Arguments that make no sense, alone or together."""


class OutOfMemory(Error, MemoryError):
    """There is no memory left."""


class FormatError(Error, ValueError):
    """A file or a text is not what its format asks for, or is of a later version."""


class LimitError(Error):
    """Something is larger than the documented limits."""


class MismatchError(Error):
    """A table and a map do not belong together."""


class InexactError(Error):
    """An entry of a table is not the exact cost."""


class CancelledError(Error):
    """A progress function returned False."""


class BusyError(Error):
    """Another thread, or a function that the library called, is using what would change, or is
    changing what would be used; or readers hold what a world would write. Calls that write wait for
    that as long as their `wait` says."""


class ChangedError(Error):
    """A map, a table or a view changed, or was given away, since an object was made from it."""


class StaleError(Error):
    """A table is behind its map, where every row has to be fresh: refresh it first."""


class ResidentError(Error):
    """Rows live at corners, which do not serve for this."""


class FileError(Error, OSError):
    """A file was not read or written; it is also the OSError that Python has for the reason, such
    as FileNotFoundError, with `errno`, `strerror` and `filename`."""

    def __init__(self, number, filename, status=Status.IO):
        OSError.__init__(self, number, os.strerror(number), filename)
        self.status, self.line, self.offset = status, 0, 0

    def __reduce__(self):
        return _file_error, (self.errno, self.filename)


_KINDS = {Status.ARGUMENT: ArgumentError, Status.MEMORY: OutOfMemory, Status.FORMAT: FormatError,
          Status.VERSION: FormatError, Status.LIMIT: LimitError, Status.MISMATCH: MismatchError,
          Status.INEXACT: InexactError, Status.CANCELLED: CancelledError, Status.BUSY: BusyError,
          Status.CHANGED: ChangedError, Status.STALE: StaleError,
          Status.RESIDENT: ResidentError}
_FILE_KINDS = {OSError: FileError}


def _file_error(number, filename):
    kind = type(OSError(number, ""))
    if kind not in _FILE_KINDS:
        _FILE_KINDS[kind] = type(kind.__name__, (FileError, kind), {"__module__": "cairn"})
    return _FILE_KINDS[kind](number, filename)


def _message(status, where, error):
    if not error or not error.expected:
        words = lib.status_text(status).decode()
        return f"{where}: {words}" if where else words
    name = str(where).encode(errors="replace") if where else None
    line = ctypes.create_string_buffer(lib.error_text(ctypes.byref(error), name, None, 0) + 1)
    lib.error_text(ctypes.byref(error), name, line, len(line))
    return line.value.decode(errors="replace") + _advice(error)


def _advice(error):
    """What helps where a map is taken for a table, or a table for a map."""
    if error.expected == b"the first bytes of a cairn file":
        return "; cairn.Map.load reads a map, whose build makes a table"
    if error.line == 1 and br"\x89CARN" in error.found:
        return "; cairn.load reads a table, and its map with it: table.map"
    return ""


def _file_at_fault(where, error):
    """The file itself, or the one beside it whose name is in the error."""
    other = error.found.decode().rpartition(": ")[0] if error and error.expected else ""
    return os.path.join(os.path.dirname(os.fsdecode(where)), other) if other else where


def check(status, where=None, error=None):
    """Raises what a status says; `where` is a file or what else is to be named. Returns whether
    everything is done: False where work is left."""
    if status == Status.OK:
        return True
    if status == Status.MORE:
        return False
    if status == Status.IO and ctypes.get_errno():
        raise _file_error(ctypes.get_errno(), _file_at_fault(where, error))
    kind = _KINDS.get(status, Error)
    line, offset = (error.line, error.offset) if error else (0, 0)
    raise kind(_message(status, where, error), Status(status), line, offset)


# ---------------------------------------------------------------------------- callbacks --

# What functions of the user's raised while the library called them, by the thread it was in: the
# call that led there raises it on its return.
raised = {}

# Weak references to those functions, as long as there are any.
callbacks = set()

# A mark with the thread for each of them that runs.
inside = []


def guarded(function, otherwise, caller=None):
    """The function for the library to call: once it has raised, it is not called again, and its
    result is `otherwise`. It is raised in the thread `caller`; None: in the one that called it."""
    def cairn_calls(_, *arguments):
        mark = threading.get_ident(), object()
        thread = caller or mark[0]
        if thread not in raised:
            try:
                inside.append(mark)
                return function(*arguments)
            except BaseException as problem:
                raised[thread] = problem
            finally:
                try:
                    if mark in inside:
                        inside.remove(mark)
                finally:  # up to Python 3.10 interrupts may strike here, too
                    if mark in inside:
                        inside.remove(mark)
        return otherwise
    callbacks.add(weakref.ref(cairn_calls, callbacks.discard))
    return cairn_calls


def _noting_interrupts(otherwise):
    """A sys.unraisablehook for what is raised in a guarded function before its first line."""
    def note(unraisable):
        named = getattr(unraisable.object, "__name__", None), unraisable.err_msg or ""
        if named[0] == "cairn_calls" or "cairn_calls" in named[1]:  # which, depends on the version
            raised.setdefault(threading.get_ident(), unraisable.exc_value or unraisable.exc_type())
        else:
            otherwise(unraisable)
    return note


def sees_signals():
    """Whether this thread is the one in which Python runs the handlers of signals."""
    return threading.get_ident() == threading.main_thread().ident


def call_with_callbacks(function, *arguments):
    """Calls a function of the library that may call others. Where Python enters one of these, it
    runs the handlers of signals first: what they raise, as Ctrl-C does, reaches the hook alone."""
    if not callbacks or not sees_signals():
        return function(*arguments)
    hook = sys.unraisablehook
    try:
        sys.unraisablehook = _noting_interrupts(hook)
        return function(*arguments)
    finally:
        sys.unraisablehook = hook


def raise_what_was_raised():
    """Where there is something in `raised`: it may be another thread's."""
    problem = raised.pop(threading.get_ident(), None)
    if problem is not None:
        raise problem
