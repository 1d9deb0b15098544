"""Long calls in parts, between which Python runs the handlers of signals, as that of Ctrl-C."""
import os
import time

from ._errors import sees_signals

_SECONDS = .05  # of a part
_LARGER = 4     # the next part at most, so many times
_QUERIES, _FLOODS_EACH = 64, 4

# Before its first query each thread takes memory for a search: a part takes so many times as long.
_TIMES_BEGINNING = 10


def whole_or(count, least):
    """Whether so many items go to the library in one call: few, or in a thread that no signal
    interrupts."""
    return count <= least or not sees_signals()


def _timed(work, first, end):
    begun = time.perf_counter()
    work(first, end)
    return time.perf_counter() - begun


def in_parts(work, count, first, part, least, seconds):
    """Calls work(first, end) for one part after another, each of about so many seconds."""
    while first < count:
        end = min(first + part, count)
        took = _timed(work, first, end)
        first, part = end, max(least, int(part * min(_LARGER, seconds / max(took, 1e-9))))


def queries_in_parts(work, count):
    """For many queries. The first one is for what the map keeps from then on, the second one shows
    what it takes to begin."""
    if whole_or(count, _QUERIES):
        return work(0, count)
    work(0, 1)
    seconds = max(_SECONDS, _TIMES_BEGINNING * _timed(work, 1, 2))
    in_parts(work, count, 2, _QUERIES, _QUERIES, seconds)


def floods_in_parts(work, count, threads):
    """For as many floods, or searches in their place, of which each thread is to have some."""
    least = _FLOODS_EACH * (threads or os.cpu_count() or 1)
    if whole_or(count, least):
        return work(0, count)
    in_parts(work, count, 0, least, least, _SECONDS)
