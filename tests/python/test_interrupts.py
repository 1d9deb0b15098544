"""Signals whose handlers raise, as Ctrl-C does, leave nothing in use, nothing half done, and no
thread at work on memory that is gone."""
import concurrent.futures
import os
import random
import signal
import sys
import threading
import time

from support import cairn, open_grid, raises

# Not on Windows; and Python 3.8 may be interrupted between a `try` and its `finally`.
CAN_TEST = hasattr(signal, "setitimer") and sys.version_info >= (3, 9)


class Stop(Exception):
    pass


def interrupted(work, times, most_seconds):
    """Calls a function again and again until it is interrupted, so many times; what it raises else
    comes out. How often it was, without the interrupts that struck where Python frees something,
    which it tells nobody but the hook."""
    def stop(*_):
        raise Stop

    def note(unraisable):
        assert unraisable.exc_type is Stop, unraisable
        lost.append(None)

    def work_until_lost(known):
        signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-5, most_seconds))
        while len(lost) == known:
            work()

    before, hook, lost, struck = signal.signal(signal.SIGALRM, stop), sys.unraisablehook, [], 0
    sys.unraisablehook = note
    try:
        while struck + len(lost) < times:
            known = len(lost)
            try:
                work_until_lost(known)
            except Stop:
                struck += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        sys.unraisablehook = hook
    return struck


def test_interrupted_calls_leave_nothing_in_use():
    if not CAN_TEST:
        return
    grid = open_grid(64, 64)
    search, flood = grid.build(4).search(), grid.flood()
    calls = [lambda: search.run(0, 5), lambda: search.avoid([7]), lambda: flood.limit(5),
             lambda: grid.is_open(4), lambda: grid.edit(cairn.block(1, 1), cairn.open_cell(1, 1))]
    for call in calls:
        assert interrupted(call, 400, .0003) > 300
        for other in calls:
            other()


def interrupt_soon(seconds):
    def send():
        time.sleep(seconds)
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=send).start()


def test_an_interrupt_ends_a_search_that_calls_back():
    if not CAN_TEST:
        return
    grid = open_grid(60, 60)
    goal, ran = grid.node((59, 59)), []

    def wait(*_):
        ran.append(None)
        time.sleep(.002)
        return 0

    for named in (dict(bound=wait), dict(on_expand=wait), dict(cancel=wait)):
        search, missed = grid.search(space=cairn.Space.CELLS, ties=cairn.Ties.FIRST, **named), 0
        for _ in range(3):
            ran.clear()
            interrupt_soon(.03)
            try:
                while len(ran) < 200:
                    search.run(0, goal)
                missed += 1
            except KeyboardInterrupt:
                pass
        assert missed == 0, named
        assert grid.search().run(0, goal)


def test_an_interrupt_while_python_enters_a_callback_comes_out_of_the_call():
    if not CAN_TEST:
        return
    grid = open_grid(30, 30)
    searches = [grid.search(space=cairn.Space.CELLS, **named) for named in
                (dict(bound=lambda node: 0), dict(on_expand=lambda node: None),
                 dict(cancel=lambda: False))]
    for search in searches:
        assert interrupted(lambda: search.run(0, 899), 100, .002) > 75
        assert search.run(0, 899).cost == grid.search().run(0, 899).cost


# ---------------------------------------------------------------------------------- pools --

class Starting(concurrent.futures.Executor):
    """Starts a job some time later, and raises at once."""

    def __init__(self):
        self.threads = []

    def submit(self, job, *arguments):
        def late():
            time.sleep(.02)
            job(*arguments)
        self.threads.append(threading.Thread(target=late))
        self.threads[-1].start()
        raise RuntimeError("it was started all the same")


def cave():
    luck = random.Random(1)
    rows = ["".join(luck.choice("...@") for _ in range(200)) for _ in range(200)]
    return cairn.Map.from_rows(rows)


def test_jobs_of_an_executor_that_raises_end_before_the_call():
    grid, pool = cave(), Starting()
    wanted = grid.build(4).to_bytes()
    grid.use_pool(pool)
    for _ in range(5):
        raises(RuntimeError, grid.build, 16, threads=2)
    for thread in pool.threads:
        thread.join()
    grid.use_pool(None)
    assert grid.build(4).to_bytes() == wanted


def test_an_interrupted_call_waits_for_its_jobs():
    if not CAN_TEST:
        return
    grid = cave()
    wanted = grid.build(4).to_bytes()
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        grid.use_pool(pool)
        assert interrupted(lambda: grid.build(4, threads=2), 60, .01) > 45
        assert grid.build(4, threads=2).to_bytes() == wanted
