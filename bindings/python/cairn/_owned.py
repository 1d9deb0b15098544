"""Who owns what in the library, and who may use it at a time.

Nothing here is safe because users are careful. An object of the library is freed when neither a
Python object nor another object of the library needs it (Record). What is written is never read
meanwhile, whichever threads or callbacks the calls come from (Guard).
"""
import time
from ctypes import PYFUNCTYPE, c_void_p, py_object, pythonapi
from threading import get_ident

from ._errors import (BusyError, ChangedError, call_with_callbacks, callbacks, inside,
                      raise_what_was_raised, raised)


# Methods of C alone, which Python calls without running code of its own: no interrupt ends them.
_method = PYFUNCTYPE(py_object, py_object)(("PyInstanceMethod_New", pythonapi))
_untrack = PYFUNCTYPE(None, py_object)(("PyObject_GC_UnTrack", pythonapi))


def freeing_itself(kind, free):
    """The type of ctypes with `free`, a function of the library, as what frees its objects."""
    return type(kind.__name__, (kind,), {"__slots__": (), "__del__": _method(free)})


class Record(c_void_p):
    """The address of an object of the library, which a call fills in. The object is freed when
    nobody refers to the record any more, wherever an interrupt has struck.

    Records refer to what must outlive them, and to nothing else, so that they are in no circle.
    The garbage collector, which would end what it finds in any order it likes, knows none."""

    __slots__ = ("pool", "_parents")

    def __init__(self, *parents):
        super().__init__()
        self.pool = None  # on whose threads the library works for the object
        self.keep_only(parents)
        _untrack(self)

    def keep(self, parent):
        """Another object that is to outlive this one."""
        if parent not in self._parents:
            self._parents.append(parent)

    def keep_only(self, parents):
        """What this object needs from now on: others need not outlive it any more."""
        self._parents = list(parents)


class Claim:
    """Lets one call at a time use an object. Nobody waits, since a call may come from within
    another one: who is in the way gets BusyError.

    An interrupt may strike when any call has returned, before its result is known. So who uses the
    object is on a list by a mark of its own, which is taken off whether or not it was put there;
    and once more, since up to Python 3.10 interrupts may strike anywhere else as well."""

    __slots__ = ("callers", "_words")

    def __init__(self, words):
        self.callers, self._words = [], words

    def alone(self, function, *arguments):
        """Calls a function while nobody else uses the object."""
        caller, callers = (get_ident(), object()), self.callers
        try:
            callers.append(caller)
            if callers[0] is not caller:
                raise BusyError(self._words)
            return function(*arguments)
        finally:
            try:
                if caller in callers:
                    callers.remove(caller)
            finally:
                if caller in callers:
                    callers.remove(caller)


_CHANGING = "the map or its table is being changed"
_USING = "the map or its table is being used"
_PAUSES = .00005, .001  # the first and the longest, in seconds


def _pauses():
    """Sleeps at every step, first for a short time. No lock is waited for: signals are seen at
    once, and leave nothing locked."""
    pause, longest = _PAUSES
    while True:
        time.sleep(pause)
        yield
        pause = min(2 * pause, longest)


def _end_of(wait):
    """When a call that waits for so many seconds gives up, None: never."""
    if wait is None:
        return float("inf")
    if not wait >= 0:
        raise ValueError(f"wait: expected seconds from 0, or None; found {wait!r}")
    return time.monotonic() + wait


class Guard:
    """Lets any number of calls read, or one write. As in a Claim, nobody waits, and interrupts
    leave nothing behind; but who writes may say that it waits. It is on a list then, in the order
    in which they came. Readers that come later let those write first who were there before them,
    unless a writer may be waiting for the reader itself: nobody waits in a function that the
    library calls, nor in the handler of a signal that has interrupted another call."""

    __slots__ = ("_readers", "_writer", "_waiting", "closed")

    def __init__(self):
        self._readers, self._writer, self._waiting = [], Claim(_CHANGING), []
        self.closed = None  # why nobody may use it any more

    def read(self, function, *arguments):
        """Calls a function of the library that changes nothing."""
        caller, readers = (get_ident(), object()), self._readers
        try:
            # Before it looks, as who writes does: one of them sees the other.
            readers.append(caller)
            if self._writer.callers or self._waiting:
                self._give_way(caller)
            if self.closed:
                raise ChangedError(self.closed)
            if callbacks:
                return call_with_callbacks(function, *arguments)
            return function(*arguments)
        finally:
            try:
                if caller in readers:
                    readers.remove(caller)
            finally:
                if caller in readers:
                    readers.remove(caller)
            if raised:
                raise_what_was_raised()

    def _give_way(self, reader):
        """Waits until those have written who were waiting already, and where somebody else waits by
        then until nobody is writing. BusyError where somebody writes for whom nobody waits."""
        if self._waiting and self._may_wait(reader):
            self._let_pass(reader, list(self._waiting))
            pauses = _pauses()
            while self._writer.callers and self._waiting:
                next(pauses)
        if self._writer.callers:
            raise BusyError(_CHANGING)

    def _let_pass(self, reader, writers):
        pauses = _pauses()
        self._readers.remove(reader)
        while any(writer in self._waiting for writer in writers):
            next(pauses)
        self._readers.append(reader)

    def _may_wait(self, caller):
        """Whether no other call of the same thread is in the way of those for which it would
        wait."""
        thread = caller[0]
        return not any(
            mark[0] == thread and mark is not caller
            for marks in (inside, self._readers, self._waiting, self._writer.callers)
            for mark in list(marks))

    def write(self, function, *arguments, wait=0):
        """Calls a function of the library that changes a map or a table; for so many seconds again
        and again as long as that raises BusyError."""
        end, caller, waiting = _end_of(wait), (get_ident(), object()), self._waiting
        if wait == 0 or not self._may_wait(caller):
            return self._write_now(function, arguments)
        try:
            waiting.append(caller)
            return self._write_in_turn(caller, end, function, arguments)
        finally:
            try:
                if caller in waiting:
                    waiting.remove(caller)
            finally:
                if caller in waiting:
                    waiting.remove(caller)

    def _write_in_turn(self, caller, end, function, arguments):
        pauses = _pauses()
        while True:
            try:
                if self._waiting[0] is not caller:
                    raise BusyError(_CHANGING)
                return self._write_now(function, arguments)
            except BusyError:
                if time.monotonic() >= end:
                    raise
            next(pauses)

    def _write_now(self, function, arguments):
        if self._readers:  # asked before: who only looks whether it may write is in no reader's way
            raise BusyError(_USING)
        return self._writer.alone(self._write, function, arguments)

    def _write(self, function, arguments):
        try:
            if self._readers:
                raise BusyError(_USING)
            if self.closed:
                raise ChangedError(self.closed)
            return call_with_callbacks(function, *arguments)
        finally:
            if raised:
                raise_what_was_raised()

    def close(self, reason):
        """Nobody may use it from now on; BusyError while somebody does."""
        self.write(setattr, self, "closed", reason)


class Owned:
    """Something of the library's, given back when nobody refers to it any more."""

    __slots__ = ("_record", "_pointer", "__weakref__")

    _made_by = ""

    def __init__(self, *_, **__):
        makers = f"; they come from {self._made_by}" if self._made_by else ""
        raise TypeError(f"{type(self).__name__} objects are not made by calling their type{makers}")

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)

    def _own(self, record):
        """An object that is freed when nobody needs it any more, as its record says."""
        self._borrow(record.value, record)

    def _borrow(self, pointer, record):
        """An object that lives as long as the record."""
        self._pointer, self._record = pointer, record

    def __reduce_ex__(self, _):
        raise TypeError(f"{type(self).__name__} objects are neither copied nor pickled")


def check_kind(value, kind):
    """TypeError for what is no object of the class of that name. (The class itself lies in a module
    that imports those which ask.)"""
    if getattr(value, "_kind", None) != kind:
        raise TypeError(f"expected a cairn.{kind}, found {type(value).__name__}")


def pointer_of(owned):
    """The address of an object of the library, or of none."""
    return None if owned is None else owned._pointer
