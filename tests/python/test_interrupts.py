"""Signals whose handlers raise, as Ctrl-C does, leave nothing in use, nothing half done, and no
thread at work on memory that is gone."""
import array
import concurrent.futures
import ctypes
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


def test_interrupted_waits_hold_nobody_back():
    if not CAN_TEST:
        return
    grid, over = open_grid(64, 64), threading.Event()
    search, own = grid.build(4).search(), grid.search()

    def read():
        while not over.is_set():
            search.run(0, 4095)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for call in (lambda: grid.edit(cairn.block(1, 1), cairn.open_cell(1, 1), wait=None),
                     lambda: own.run(0, 5)):
            assert interrupted(call, 300, .003) > 200
            assert not grid._guard._waiting
    finally:
        over.set()
        reader.join()
    grid.edit(cairn.block(1, 1))


def test_no_view_stays_in_use_where_an_interrupt_strikes():
    if not CAN_TEST:
        return
    world, struck = cairn.World(open_grid(8, 8)), 0

    def look():
        with world.view():
            pass

    def look_and_drop():
        world.view()

    for turn in range(600):
        struck += interrupted((look, look_and_drop)[turn % 2], 1, .0002)
        world.edit(cairn.open_cell(3, 3) if turn % 2 else cairn.block(3, 3))
        world.publish()
    assert struck > 400


def test_what_a_call_has_made_is_freed_where_an_interrupt_follows_it():
    grid, freed = open_grid(), []
    world = cairn.World(grid.clone())
    makers = [(cairn._searches, "_SearchRecord", "search_free", grid.search),
              (cairn._floods, "_Record", "flood_free", grid.flood),
              (cairn._maps, "MapRecord", "map_free", grid.clone),
              (cairn._maps, "TableRecord", "table_free", lambda: grid.build(1))]

    def interrupt(*_):
        raise Stop

    for module, record, free, make in makers:
        def count(pointer):
            freed.append(free)
            getattr(cairn._native.lib, free)(pointer)

        counting = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(count)
        before = {name: getattr(module, name) for name in (record, "check")}
        try:
            setattr(module, record, cairn._owned.freeing_itself(cairn._owned.Record, counting))
            module.check = interrupt
            raises(Stop, make)
        finally:
            for name, kept in before.items():
                setattr(module, name, kept)
        assert freed.pop() == free and not freed
    world._acquire(world._pointer)  # and lost
    world.edit(cairn.block(1, 1))
    world.publish()
    world.edit(cairn.block(2, 1))


def interrupt_soon(seconds):
    """So many seconds after it has returned, however long it takes to start a thread."""
    has_begun = threading.Event()

    def send():
        has_begun.wait()
        time.sleep(seconds)
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=send).start()
    has_begun.set()


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
            try:
                interrupt_soon(.03)
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


def caves_and_queries(count):
    grid, luck = cave(), random.Random(2)
    nodes = [node for node in range(grid.node_count) if grid.is_open(node)]
    return grid, [(luck.choice(nodes), luck.choice(nodes)) for _ in range(count)]


def in_another_thread(call):
    """What a call returns where no signal interrupts it: there it is not done in parts."""
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        return pool.submit(call).result()


def test_parts_give_the_same_as_the_whole():
    grid, queries = caves_and_queries(700)
    starts, goals = [query[0] for query in queries[:40]], [query[1] for query in queries[:23]]
    before, cairn._slices._SECONDS = cairn._slices._SECONDS, 0
    try:
        for threads in (1, 2):
            calls = (lambda: grid.search_all(queries, threads=threads),
                     lambda: grid.distances(starts, goals, threads=threads),
                     lambda: grid.distances(goals, starts, threads=threads))
            for call in calls:
                parts, whole = call(), in_another_thread(call)
                if isinstance(whole, cairn.Paths):
                    assert len(parts._batches) > 3 and len(whole._batches) == 1
                    assert parts.costs == whole.costs and parts.expanded == whole.expanded
                    parts, whole = ([path.nodes for path in paths] for paths in (parts, whole))
                assert parts == whole
        raises(IndexError, grid.search_all, queries + [(0, grid.node_count)])
        raises(IndexError, grid.distances, starts + [grid.node_count], goals)
    finally:
        cairn._slices._SECONDS = before


def test_an_interrupt_ends_many_queries_and_builds_without_callbacks():
    if not CAN_TEST:
        return
    grid, queries = caves_and_queries(200)
    big, vast = open_grid(900, 900), open_grid(1600, 1600)
    nodes = array.array("I", range(0, 810000, 300))
    calls = [lambda: grid.search_all(queries * 400),
             lambda: big.distances(nodes[:2000], nodes),
             lambda: big.distances(nodes, nodes[:2000]),
             lambda: vast.place_landmarks(256, threads=1)]
    for call in calls:
        interrupt_soon(.1)
        begun = time.process_time()
        raises(KeyboardInterrupt, call)
        assert time.process_time() - begun < 1.2  # uninterrupted, each takes twice as long
        grid.edit(cairn.open_cell(0, 0))
        big.edit(cairn.open_cell(0, 0))


def test_nobody_changes_a_map_between_the_parts_of_a_call():
    if not CAN_TEST:
        return
    grid, queries = caves_and_queries(20000)
    refused = []

    def change(*_):
        if grid._guard._readers:  # the call has begun
            refused.append(raises(cairn.BusyError, grid.edit, cairn.block(1, 1), wait=None))

    before = signal.signal(signal.SIGALRM, change)
    try:
        signal.setitimer(signal.ITIMER_REAL, .05, .05)
        grid.search_all(queries)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert refused


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
