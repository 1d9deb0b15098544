"""Threads that read and write at once: who waits, for whom, and for how long."""
import os
import signal
import threading
import time

from support import cairn, open_grid, raises


class Readers:
    """Threads that use a map all the time, while the block runs."""

    def __init__(self, *reads):
        self.reads, self.over, self.problems, self.turns = reads, threading.Event(), [], 0
        self.threads = [threading.Thread(target=self.work, args=(read,)) for read in reads]

    def work(self, read):
        while not self.over.is_set():
            try:
                read()
                self.turns += 1
            except Exception as problem:
                self.problems.append(problem)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        time.sleep(.02)
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join()


def searching(grid, table):
    search, end = table.search(space=cairn.Space.CELLS), grid.node_count - 1
    return lambda: search.run(0, end)


def test_who_waits_writes_however_busy_the_readers_are():
    grid = open_grid(60, 60)
    table = grid.build(2)
    with Readers(*(searching(grid, table) for _ in range(3))) as readers:
        for turn in range(40):
            grid.edit(cairn.block(30, 30) if turn % 2 else cairn.open_cell(30, 30), wait=30)
            table.refresh(wait=None)
            table.rebuild(wait=30)
        known = readers.turns
        while readers.turns < known + 100:  # they go on
            time.sleep(.001)
    assert readers.problems == []
    table.verify()


def test_writers_that_wait_all_get_their_turn_and_leave_some_to_readers():
    grid, done = open_grid(20, 20), {1: 0, 2: 0}
    search = grid.search()

    def write(x):
        grid.edit(cairn.block(x, 5), cairn.open_cell(x, 5), wait=None)
        done[x] += 1

    with Readers(lambda: write(1), lambda: write(2), lambda: search.run(0, 399)) as all_three:
        end = time.monotonic() + 20
        while min(*done.values(), all_three.turns - sum(done.values())) < 50:
            assert time.monotonic() < end, (done, all_three.turns)
            time.sleep(.001)
    assert all_three.problems == []


def test_a_writer_waits_no_longer_than_it_says():
    grid, go_on = open_grid(), threading.Event()
    long = grid.search(space=cairn.Space.CELLS, on_expand=lambda node: go_on.wait(30) and None)
    with Readers(lambda: long.run(0, 63)):
        raises(cairn.BusyError, grid.edit, cairn.block(1, 1))
        before = time.monotonic()
        raises(cairn.BusyError, grid.edit, cairn.block(1, 1), wait=.1)
        assert .1 <= time.monotonic() - before < 5
        assert grid.is_open((1, 1))  # nobody is held back any more
        for wrong in (-1, float("nan")):
            raises(ValueError, grid.edit, wait=wrong)
        raises(TypeError, grid.edit, wait="long")
        go_on.set()
        grid.edit(cairn.block(1, 1), wait=30)
    assert not grid.is_open((1, 1))


def test_functions_that_the_library_calls_do_not_wait_for_themselves():
    grid, waiting = open_grid(), threading.Event()
    table, asked = grid.build(2), []
    other = table.search()

    def look(node):
        waiting.wait(30)
        asked.append((other.run(0, node).cost, grid.is_open(node)))
        raises(cairn.BusyError, grid.edit, cairn.block(4, 4), wait=None)
        raises(cairn.BusyError, table.refresh, wait=None)

    search = table.search(space=cairn.Space.CELLS, on_expand=look)
    writer = threading.Thread(target=lambda: grid.edit(cairn.block(5, 5), wait=None))
    with Readers(lambda: asked or search.run(0, 63)) as readers:
        writer.start()
        while not grid._guard._waiting:
            time.sleep(.001)
        waiting.set()
        writer.join(30)
    assert not writer.is_alive() and readers.problems == [] and asked
    assert not grid.is_open((5, 5))


def test_an_interrupt_ends_the_wait_of_a_writer():
    if not hasattr(signal, "setitimer"):
        return
    grid, go_on = open_grid(), threading.Event()
    long = grid.search(space=cairn.Space.CELLS, on_expand=lambda node: go_on.wait(30) and None)
    with Readers(lambda: long.run(0, 63)):
        threading.Timer(.05, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        before = time.monotonic()
        raises(KeyboardInterrupt, grid.edit, cairn.block(1, 1), wait=None)
        assert time.monotonic() - before < 5
        assert grid.is_open((1, 1)) and not grid._guard._waiting
        go_on.set()
    grid.edit(cairn.block(1, 1))


def test_a_world_waits_until_readers_let_go_of_the_former_state():
    grid = open_grid()
    world = cairn.World(grid, grid.build(1))
    held = world.view()
    world.edit(cairn.block(1, 1))
    world.publish()
    raises(cairn.BusyError, world.edit, cairn.block(2, 2))
    raises(cairn.BusyError, world.edit, cairn.block(2, 2), wait=.02)
    threading.Timer(.05, held.release).start()
    world.edit(cairn.block(2, 2), wait=30)
    assert world.refresh(wait=30)
    world.publish(wait=30)
    with world.view() as view:
        assert not view.map.is_open((2, 2))
