"""Executors on whose threads the library works."""
import _thread
import concurrent.futures
import ctypes
import queue
import threading

from . import _native
from ._errors import guarded, inside


class _Work:
    """A job that the library asks for: it runs on some threads at once, and has to have ended on
    all of them before the library goes on, since it uses memory of the call.

    The thread that asks may be interrupted between any two lines, and a `submit` that raises may
    have started something. So nothing depends on what they have come to know: each part says itself
    that it runs, and none begins once the work is closed."""

    def __init__(self, job, argument):
        self._job, self._argument = job, argument
        self._running, self._changes = [], queue.SimpleQueue()
        self._is_submitted = self._is_closed = False
        self.problem = None  # what `submit` has raised

    def _part(self):
        """On a thread of the Executor, which may be free too late."""
        own = object()
        try:
            self._running.append(own)  # before it looks: either this is seen, or what it looks for
            if not self._is_closed:
                self._job(self._argument)
        finally:
            if own in self._running:
                self._running.remove(own)
            self._changes.put(None)

    def _submit(self, pool, count):
        mark = threading.get_ident(), object()
        try:
            inside.append(mark)  # as the function of the library's that it is a part of
            while count and not self._is_closed:
                count -= 1
                pool.submit(self._part)
        except BaseException as problem:
            self.problem = problem
        finally:
            if mark in inside:
                inside.remove(mark)
            self._is_submitted = True
            self._changes.put(None)

    def begin(self, pool, count):
        """The thread that asks works too, so that parts for which the Executor has no thread are
        left out, not awaited. What is interrupted in `submit` may leave the Executor locked, so the
        main thread, which alone is interrupted, lets another one call it."""
        if threading.get_ident() == threading.main_thread().ident:
            _thread.start_new_thread(self._submit, (pool, count - 1))
        else:
            self._submit(pool, count - 1)
        self._job(self._argument)
        while not self._is_submitted:
            self._wait()

    def end(self):
        """Waits until no part runs."""
        self._is_closed = True
        while self._running:
            self._wait()

    def _wait(self):
        try:
            self._changes.get(timeout=1)
        except queue.Empty:
            pass


_INTERRUPTS_OUTLASTED = 8


def _run(work, pool, count, interrupts):
    """Begins the work and waits for its end, and waits again in the frame around each one that is
    interrupted."""
    try:
        if interrupts:
            _run(work, pool, count, interrupts - 1)
        else:
            work.begin(pool, count)
    finally:
        work.end()


def pool_pointer(pool):
    """For the library; None: it works on threads of its own."""
    if pool is None:
        return None
    if not isinstance(pool, concurrent.futures.Executor):
        raise TypeError("a pool is a concurrent.futures.Executor")

    def run(count, job, argument):
        work = _Work(job, argument)
        _run(work, pool, count, _INTERRUPTS_OUTLASTED)
        if work.problem is not None:
            raise work.problem

    return ctypes.pointer(_native.Pool(run=_native.RUN(guarded(run, None))))
