"""No Python program brings the interpreter down: objects that are no longer what they were made
from, numbers that do not fit, callbacks that raise, threads and freeing in any order."""
import array
import concurrent.futures
import copy
import ctypes
import errno
import gc
import io
import os
import pickle
import random
import sys
import tempfile
import threading
import weakref

from support import cairn, open_grid, raises


def cairn_load_bytes_of(table, **options):
    return cairn.load_bytes(table.to_bytes(), **options)


# ---------------------------------------------------------------- what changed meanwhile --

def test_a_bound_is_refused_after_a_refresh():
    grid = open_grid(40, 40)
    table = grid.build(4, count_steps=None)
    bound, base = table.bound((39, 39)), grid.bound((39, 39))
    grid.edit(cairn.rectangle(20, 0, 1, 39, "@"))
    table.refresh()
    for old in (bound, base):
        raises(cairn.ChangedError, old, (0, 0))
        raises(cairn.ChangedError, old.of_all)
    assert table.bound((39, 39))((0, 0)) > 39 * 3363


def test_a_bound_is_refused_after_entries_became_wider():
    grid = cairn.Map.from_rows(["." * 60] * 60, metric=(250, 350))
    table = grid.build(2)
    assert table.entry_bits == 16
    bound = table.bound((59, 59))
    for x in range(2, 58, 4):
        grid.edit(cairn.rectangle(x, 0, 1, 59, "@"), cairn.rectangle(x + 2, 1, 1, 59, "@"))
    table.refresh()
    assert table.entry_bits == 32
    raises(cairn.ChangedError, bound.of_all)


def test_a_paused_search_is_refused_after_an_edit():
    grid = open_grid(40, 40)
    table = grid.build(4)
    search = table.search(space=cairn.Space.CELLS)
    for change in (cairn.block, cairn.open_cell):
        search.begin((0, 0), (39, 39))
        search.resume(5)
        grid.edit(change(20, 20))
        raises(cairn.ChangedError, search.resume, 5)
        assert search.node_info((0, 0)).state == cairn.NodeState.CLOSED
        assert search.run((0, 0), (39, 39))


def test_a_paused_search_goes_on_after_a_refresh():
    grid = open_grid(40, 40)
    table = grid.build(4)
    search = table.search(space=cairn.Space.CELLS)
    for change in (cairn.block, cairn.open_cell):
        grid.edit(change(20, 20))
        for renew in (table.refresh, table.rebuild):
            search.begin((0, 0), (39, 39))
            assert search.resume(5).outcome == cairn.Outcome.PAUSED
            renew()
            path = search.resume(100_000)
            assert path.cost == grid.search().run((0, 0), (39, 39)).cost


def test_a_paused_search_is_refused_after_a_refresh_of_a_table_of_corners():
    grid = cairn.Map.from_rows(["." * 40] * 19 + ["." * 20 + "@" * 20] + ["." * 40] * 20)
    table = grid.build(4, resident=cairn.Resident.CORNERS)
    search = table.search()
    grid.edit(cairn.block(10, 19))
    assert search.begin((39, 0), (39, 39)).outcome == cairn.Outcome.PAUSED
    table.refresh()
    raises(cairn.ChangedError, search.resume, 5)
    assert search.run((39, 0), (39, 39))


def test_a_search_goes_on_after_an_edit_that_changes_nothing():
    grid = open_grid(40, 40)
    search = grid.search(space=cairn.Space.CELLS)
    search.begin((0, 0), (39, 39))
    grid.edit(cairn.open_cell(5, 5))
    assert search.resume(5).outcome == cairn.Outcome.PAUSED


def test_what_a_world_took_and_released_is_refused():
    grid = open_grid()
    table = grid.build(2)
    search, bound = table.search(), table.bound((7, 7))
    world = cairn.World(grid, table)
    for call in (lambda: search.run(0, 5), lambda: bound(0), lambda: grid.costs_from(0),
                 lambda: len(table), lambda: grid.edit(cairn.block(0, 0)), table.refresh,
                 lambda: cairn.World(grid, table), table.to_bytes, grid.clone):
        raises(cairn.ChangedError, call)
    assert "world" in repr(grid) and "world" in repr(table)
    view = world.view()
    search, bound, map = view.search(), view.bound((7, 7)), view.map
    raises(cairn.ChangedError, map.edit, cairn.block(0, 0))
    raises(cairn.ChangedError, view.table.refresh)
    raises(cairn.ChangedError, map.build, 2, compact=True)
    view.release()
    view.release()
    for call in (lambda: search.run(0, 5), lambda: bound(0), lambda: map.costs_from(0),
                 lambda: view.search()):
        raises(cairn.ChangedError, call)
    world.edit(cairn.block(3, 3))
    draft = world.draft()
    world.publish()
    raises(cairn.ChangedError, draft.map.costs_from, 0)


def test_what_is_made_of_a_draft_ends_with_it_even_if_the_view_is_gone():
    grid = open_grid()
    world = cairn.World(grid, grid.build(2))
    view = world.draft()
    made = [view.search(), view.map, view.table.search(), view.map.flood(), view.bound((7, 7))]
    del view
    gc.collect()
    made[0].run(0, 63)
    world.edit(cairn.block(3, 3))
    for call in (lambda: made[0].run(0, 63), lambda: made[1].costs_from(0),
                 lambda: made[2].run(0, 63), lambda: made[3].costs_from(0), lambda: made[4](0)):
        raises(cairn.ChangedError, call)
    former, begun, go_on = world.draft().search(), threading.Event(), threading.Event()
    slow = world.draft().search(space=cairn.Space.CELLS,
                                on_expand=lambda _: begun.set() or go_on.wait(30) and None)
    raises(cairn.ChangedError, former.run, 0, 63)
    thread = threading.Thread(target=slow.run, args=(0, 63))
    thread.start()
    begun.wait(30)
    raises(cairn.BusyError, world.edit, cairn.block(4, 4))
    go_on.set()
    thread.join()
    world.edit(cairn.block(4, 4))


# ------------------------------------------------------------------- who outlives whom --

def test_what_is_made_outlives_the_names_of_its_owners():
    grid = open_grid()
    table = grid.build(2)
    search, bound, costs = table.search(), table.bound((7, 7)), grid.costs_from(0)
    path = search.run(0, 63)
    del grid, table
    gc.collect()
    assert search.run(0, 63).cost == bound(0) == costs[63] == path.cost
    nodes = path.node_array
    del search, bound, path
    gc.collect()
    assert nodes[-1] == 63
    world = cairn.World(open_grid())
    view = world.view()
    search = view.search()
    del world
    gc.collect()
    assert search.run(0, 63)
    del view
    gc.collect()
    assert search.run(0, 63)


def test_circles_are_freed_whatever_their_order():
    luck = random.Random(3)
    seen = []
    for _ in range(200):
        grid = open_grid(4, 4)
        table = grid.build(1, threads=1)
        circle = [grid, table, table.search(), grid.search(), table.bound(3)]
        if luck.random() < 0.5:
            circle.append(cairn.World(grid.clone()))
            circle.append(circle[-1].view())
            circle.append(circle[-1].search())
        luck.shuffle(circle)
        circle.append(circle)
        seen.append(weakref.ref(grid))
    del grid, table, circle
    gc.collect()
    assert all(reference() is None for reference in seen)


def test_finalizers_of_a_circle_may_use_what_is_in_it():
    seen = []

    class User:
        def __init__(self, call):
            self.itself, self.call = self, call

        def __del__(self):
            seen.append(self.call())

    for _ in range(20):
        grid = open_grid(300, 300)
        world = cairn.World(grid.clone(), None)
        table, view = grid.build(1, threads=1), world.view()
        for call in (lambda table=table: table.search().run(0, 89999).cost,
                     lambda search=table.search(): search.run(0, 89999).cost,
                     lambda view=view: view.search().run(0, 89999).cost,
                     lambda flood=grid.flood(): flood.costs_from(0)[89999]):
            User(call)
        del grid, world, table, view, call
        gc.collect()
    assert seen == [299 * 3363] * 80


def test_objects_are_not_copied_without_the_library():
    grid = open_grid()
    table = grid.build(1)
    for thing in (grid, table, table.search(), table.bound(0), cairn.World(grid.clone())):
        for call in (copy.copy, copy.deepcopy, pickle.dumps):
            raises(TypeError, call, thing)


def test_objects_are_not_made_from_numbers():
    for kind in (cairn.Map, cairn.Table, cairn.Search, cairn.Bound, cairn.Path, cairn.View,
                 cairn.World):
        raises(TypeError, kind, 4096)
        raises(TypeError, kind, 4096, 4096)
        raises((AttributeError, TypeError), lambda: repr(object.__new__(kind)))
    grid = open_grid()
    for name in ("map", "table"):
        raises(AttributeError, setattr, grid.search(), name, None)
    raises(AttributeError, setattr, grid.build(1), "map", 5)
    raises((TypeError, AttributeError), grid.search().use, 5)
    raises(TypeError, cairn.load_bytes, b"", map=5)


# -------------------------------------------------------------------- numbers that do not fit --

def test_numbers_beyond_their_width_are_refused():
    grid, huge = open_grid(), 2 ** 32 + 5
    table = grid.build(2)
    for number in (huge, -1, 2 ** 64, 10 ** 30):
        for call in (lambda: grid.build(number), lambda: grid.build(1, threads=number),
                     lambda: grid.build(1, candidates=number), lambda: grid.length(number),
                     lambda: grid.edit(cairn.block(number, 0)),
                     lambda: table.set_cost(0, 0, number),
                     lambda: grid.edit(cairn.rectangle(0, 0, number, 1, ".")),
                     lambda: cairn.Map.from_arcs(number, []),
                     lambda: cairn.Map.from_arcs(2, [(0, 1, number)]),
                     lambda: cairn.Map.from_arcs(2, [(0, number, 1)]),
                     lambda: cairn.Map.from_rows(["."], metric=(number, number)),
                     lambda: setattr(grid, "metric", (number, number)),
                     lambda: cairn_load_bytes_of(table, rows=number),
                     lambda: table.to_bytes(rows=number), lambda: table.verify(threads=number),
                     lambda: grid.search(weight=number),
                     lambda: grid.search_all([], threads=number)):
            raises(OverflowError, call)
        for call in (lambda: grid.node(number), lambda: grid.search().run(number, 0),
                     lambda: grid.node((number, 0)), lambda: table.cost(number, 0),
                     lambda: table.state(number), lambda: grid.costs_from(number),
                     lambda: grid.build(1, at=[number]), lambda: table.bound(0)(number)):
            raises(IndexError, call)
    for number in (-1, 2 ** 64):
        for call in (lambda: cairn_load_bytes_of(table, memory_limit=number),
                     lambda: grid.build(1, seed=number), lambda: table.refresh(cells=number),
                     lambda: grid.search(expansion_limit=number)):
            raises(OverflowError, call)
    search = grid.search(space=cairn.Space.CELLS)
    search.begin(0, 63)
    raises(OverflowError, search.resume, -1)
    raises(OverflowError, grid.search, weight=float("inf"))
    for weight in (.0004, .9996, 1000.0001, float("nan")):
        assert repr(weight) in str(raises(cairn.ArgumentError, grid.search, weight=weight))
    assert "'1.5'" in str(raises(TypeError, grid.search, weight="1.5"))
    for named in (dict(microseconds=2 ** 62), dict(cells=2 ** 62)):
        [(name, number)] = named.items()
        assert f"{name} is {number}" in str(raises(OverflowError, table.refresh, **named))
    raises(OverflowError, cairn.Map.from_arcs, 1, [], places=[(2 ** 31, 0)])


def test_nodes_that_are_not_on_the_map_are_refused():
    grid = open_grid()
    for place in (1000, 64, -1, (8, 0), (0, -1)):
        raises(IndexError, grid.cell, place)
    for place in ((0.5, 1), "ab", 1.0, None, (0,), (0, 0, 0)):
        raises((TypeError, ValueError), grid.node, place)
    raises(IndexError, grid.bound(0).of, [64])


def test_what_is_no_place_is_shown_with_what_a_place_is():
    grid = open_grid()
    for place in ([0], (0,), [1, 2], (1, 2, 3), None, array.array("I", [1, 2])):
        problem = raises((TypeError, ValueError), grid.search().run, 0, place)
        assert "a node, as its number or as its column and row" in str(problem)
        assert repr(place) in str(problem)
        assert ("tuple(...)" in str(problem)) == isinstance(place, (list, array.array))
    for place in ([[0]], [(0,)], None, object(), "a"):
        raises((TypeError, ValueError), grid.flood().costs_from, place)


def test_what_may_be_a_cell_or_two_nodes_is_refused():
    grid = open_grid()
    flood, search, bound = grid.flood(), grid.search(), grid.bound(0)
    mask, cells = memoryview(bytes(64)).cast("?"), memoryview(bytes(6)).cast("B", [2, 3])
    for call in (search.avoid, bound.of, lambda some: flood.limit(until=some),
                 lambda some: grid.build(at=some), lambda some: search.run_to_any(0, some),
                 lambda some: search.run_from_any(some, 0), lambda some: grid.distances(some, [0]),
                 lambda some: grid.distances([0], some)):
        for wrong, remedy in (((5, 7), "[(5, 7)] for the cell, [5, 7] for the nodes"),
                              (5, "[5]"), (mask, "flatnonzero"), (cells, "(cells, 2)")):
            assert remedy in str(raises(TypeError, call, wrong)), wrong
    for call in (grid.costs_from, flood.costs_to, flood.flow_to):
        for wrong in (mask, cells):
            raises(TypeError, call, wrong)


def test_lists_are_nodes_and_tuples_are_cells_wherever_nodes_are_given():
    grid = open_grid()
    flood, a, b = grid.flood(), grid.node((5, 7)), grid.node((2, 1))
    cells = memoryview(bytes([5, 7, 2, 1])).cast("B", [2, 2])
    several = ([a, b], [(5, 7), (2, 1)], [a, (2, 1)], ((5, 7), (2, 1)), cells, {a, b},
               array.array("H", [a, b]), array.array("I", [a, b]), array.array("q", [a, b]))
    for places in several:
        for measure in (grid.costs_from, grid.costs_to, flood.costs_from, flood.costs_to):
            assert measure(places) == grid.costs_from(a, b) == measure([], places, b)
        flow = flood.flow_to(places)
        assert flow == flood.flow_to(a, (2, 1))
        flood.repair_flow(*flow, places, hash=grid.hash)
        assert len(grid.build(at=places)) == 2
        flood.limit(until=places)
        flood.limit()
        assert sorted(grid.distances(places, [0])) == sorted(grid.distances([a, b], [0]))
    assert grid.costs_from((5, 7)) == grid.costs_from([(5, 7)]) == grid.costs_from([a])
    assert grid.costs_from([5, 7]) == grid.costs_from(5, 7) != grid.costs_from((5, 7))
    assert set(grid.costs_from([])) == {cairn.UNREACHABLE}


def test_what_is_no_map_or_table_is_named():
    world = cairn.World(open_grid())
    with world.view() as view:
        search, table = view.search(), open_grid().build(1)
        for map in (view, None, table):
            problem = raises(TypeError, search.use, map)
            assert str(problem) == f"expected a cairn.Map, found {type(map).__name__}"
        for other in (view, view.map, 1):
            problem = raises(TypeError, search.use, view.map, other)
            assert str(problem) == f"expected a cairn.Table, found {type(other).__name__}"
            raises(TypeError, view.map.distances, [0], [1], table=other)
        raises(TypeError, table.clone, view)


def test_data_of_another_size_are_refused():
    grid = open_grid()
    raises(ValueError, grid.edit, cairn.patch_bits(0, 0, 8, 8, b"1234567"))
    raises(ValueError, grid.edit, cairn.patch_letters(0, 0, 8, 8, "."))
    raises(ValueError, grid.edit, cairn.terrain(0, 0, "SS"))
    raises(TypeError, grid.edit, (0, 0))
    raises(ValueError, cairn.Map.from_rows, ["."], heights=cairn.Heights(9, 9, [0], 1, 1))
    raises(ValueError, cairn.Map.from_arcs, 2, array.array("I", [0, 1]))
    raises(ValueError, cairn.Map.load, "a\0b")


def other_order(count):
    """Numbers of 32 bits whose bytes are in the order of other machines."""
    return (getattr(ctypes.c_uint32, "__ctype_be__" if sys.byteorder == "little"
                    else "__ctype_le__") * count)()


def test_arrays_of_other_numbers_are_refused_or_taken_by_their_values():
    grid = open_grid()
    flood, bound = grid.flood(), grid.bound(9)
    for kind in "fib":
        raises(ValueError, flood.costs_from, 0, into=array.array(kind, [0] * 64))
    for kind in "fibBQ":
        raises(ValueError, flood.lend, array.array(kind, [0] * 64))
    for kind in "IH":
        flood.lend(array.array(kind, [0] * 64))
    flood.lend(None)
    raises(ValueError, flood.costs_from, 0, into=other_order(64))
    raises(ValueError, flood.costs_from, 0, bits=16, into=array.array("h", [0] * 64))
    raises(ValueError, flood.lend, array.array("f", [0] * 64))
    raises(TypeError, flood.costs_from, 0, into=memoryview(array.array("I", [0] * 128))[::2])
    raises(TypeError, flood.costs_from, 0, into=memoryview(bytes(256)).cast("I"))
    raises(ValueError, flood.costs_from, 0, into=memoryview(bytearray(260))[1:257].cast("I"))
    flow, costs = flood.flow_to(0)
    raises(ValueError, flood.repair_flow, flow, array.array("f", costs), 0, hash=0)
    own = (ctypes.c_uint32 * 64)()
    assert flood.costs_from(0, into=own)[1] == 2378
    asked = other_order(3)
    asked[:] = (1, 2, 3)
    assert bound.of(asked) == bound.of((ctypes.c_uint32 * 3)(1, 2, 3)) == bound.of([1, 2, 3])
    raises(TypeError, bound.of, array.array("f", [1, 2]))
    assert bound.of(memoryview(array.array("I", [1, 7, 2, 7]))[::2]) == bound.of([1, 2])


def test_arcs_of_another_shape_are_refused():
    pairs = memoryview(array.array("I", [0, 1, 2, 1, 0, 5])).cast("B").cast("I", [3, 2])
    raises(ValueError, cairn.Map.from_arcs, 6, pairs)
    assert cairn.Map.from_arcs(6, pairs.cast("B").cast("I", [2, 3])).arc_count == 2


# ----------------------------------------------------------------------------------- files --

def test_files_that_are_not_there_keep_their_errno():
    grid = open_grid()
    table = grid.build(1)
    for call in (lambda: cairn.load("nope"), lambda: cairn.Map.load("nope"),
                 lambda: grid.scenario("nope"), lambda: cairn.load_edits("nope"),
                 lambda: cairn.load_dynamic("nope"), lambda: cairn.outline("nope"),
                 lambda: table.save(os.path.join("nope", "nope"))):
        problem = raises(FileNotFoundError, call)
        assert isinstance(problem, cairn.Error) and problem.errno == errno.ENOENT
        assert problem.filename.endswith("nope") and "nope" in str(problem)
        assert problem.status == cairn.Status.IO
    raises(IsADirectoryError, cairn.load, "/")


def test_errors_name_the_file_that_is_at_fault():
    with tempfile.TemporaryDirectory() as folder:
        names = "r.gr", "r.co", "c.scen"
        roads, places, changing = (os.path.join(folder, name) for name in names)
        for name, text in ((roads, "p sp 2 1\na 1 2 3\n"),
                           (changing, "version 2\nheight 3\nwidth 5\n"
                            "cost 1 octile\npatch none.patch\n")):
            with open(name, "w") as file:
                file.write(text)
        missing = raises(FileNotFoundError, lambda: cairn.Map.load(roads, places=places))
        assert missing.filename == places
        with open(places, "w") as file:
            file.write("p aux sp co 2\nv 3 0 0\n")
        wrong = raises(cairn.FormatError, lambda: cairn.Map.load(roads, places=places))
        assert wrong.line == 2 and "r.co:2" in str(wrong)
        missing = raises(FileNotFoundError, cairn.load_dynamic, changing)
        assert missing.filename == os.path.join(folder, "none.patch")


# ------------------------------------------------------------------------------- callbacks --

class Broken(Exception):
    """What the callbacks of these tests raise."""


def breaks(*_):
    raise Broken


def ring(node):
    return [((node + 1) % 9, 2), ((node - 1) % 9, 2)]


def test_what_a_callback_raises_comes_out_of_the_call():
    grid = open_grid(40, 40)
    table = grid.build(2)
    graph = cairn.Map.from_callbacks(9, ring, breaks)
    for call in (lambda: graph.search().run(0, 4), lambda: graph.bound(4)(0),
                 lambda: graph.search_all([(0, 4)] * 40),
                 lambda: grid.search(bound=breaks).run(0, 5),
                 lambda: grid.search(on_expand=breaks).run(0, 5),
                 lambda: grid.build(2, threads=1, progress=breaks),
                 lambda: table.to_bytes(threads=1, progress=breaks),
                 lambda: cairn.load_bytes(table.to_bytes(), threads=1, progress=breaks),
                 lambda: cairn.Map.from_callbacks(9, breaks),
                 lambda: cairn.load_from(type("File", (), {"read": breaks})())):
        raises(Broken, call)
        assert table.search().run(0, 5)


def test_what_a_progress_of_merge_raises_comes_out_of_it():
    grid = open_grid()
    with tempfile.TemporaryDirectory() as folder:
        parts = [os.path.join(folder, f"{number}.part") for number in (1, 2)]
        for number, part in enumerate(parts, 1):
            grid.build_file(part, 2, part=(number, 2))
        raises(Broken, cairn.merge, parts, os.path.join(folder, "all.cairn"), progress=breaks)
        assert sorted(os.listdir(folder)) == ["1.part", "2.part"]
    assert grid.open_count == 64  # and nothing is raised later


def test_what_a_callback_answers_is_checked():
    graph = cairn.Map.from_callbacks(9, ring, lambda *_: 2 ** 32)
    raises(OverflowError, graph.search().run, 0, 4)
    for answer in ("many", None, 1.5, -1):
        raises((TypeError, OverflowError),
               open_grid().search(bound=lambda node: answer).run, 0, 5)
    raises(OverflowError, cairn.Map.from_callbacks, 2, lambda node: [(2 ** 32, 1)])
    greedy = type("File", (), {"read": lambda self, count: b"x" * (count + 1)})()
    raises(ValueError, cairn.load_from, greedy)


def test_callbacks_may_look_but_not_change():
    grid = open_grid()
    table = grid.build(2)
    other = table.search()
    tried = []

    def look(node):
        assert other.run(0, node)
        for change in (lambda: grid.edit(cairn.block(4, 4)), table.refresh,
                       lambda: search.run(0, 3), lambda: cairn.World(grid, table)):
            raises(cairn.BusyError, change)
        tried.append(node)

    search = table.search(on_expand=look)
    assert search.run(0, 63) and tried


# ----------------------------------------------------------------- what is odd about numbers --

class Wrapping(int):
    """A number of 16 bits whose products wrap, and that says it equals everything."""

    def __mul__(self, other):
        return Wrapping(int(self) * int(other) % 65536)

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __le__ = __lt__ = __ge__ = __gt__ = __eq__
    __hash__ = int.__hash__


def test_numbers_that_compare_in_their_own_way_are_taken_by_their_values():
    raises(ValueError, cairn.Map.from_rows, ["." * 4096] * 4096,
           heights=cairn.Heights(Wrapping(4096), Wrapping(4096), [], 1000, 0))
    high = cairn.Heights(Wrapping(300), Wrapping(300), array.array("H", [1]) * 90000, 1000, 0)
    assert cairn.Map.from_rows(["." * 300] * 300, heights=high).node_count == 90000
    columns = cairn.Columns(array.array("i", [1]), array.array("i", [1]))
    raises(ValueError, cairn.Map.from_arcs, Wrapping(50000), [], columns)
    grid = open_grid()
    raises(IndexError, grid.is_open, Wrapping(64))
    raises(IndexError, grid.build(2).cost, Wrapping(2), 0)


def test_queries_are_two_places_or_of_a_scenario():
    grid = open_grid()
    paths = grid.search_all([cairn.Query(0, 1, 1.0, 0), (0, (1, 0)), [0, 1],
                             cairn.QueryStruct(7, 0, 1, 1.5)])
    assert [path.cost for path in paths] == [2378] * 4
    many = grid.parse_scenario_array("version 1\n" + "".join(
        f"0 a.map 8 8 0 0 {x} 0 {x}\n" for x in range(8)))
    assert [path.length for path in grid.search_all(many[::3])] == [0, 3, 6]
    assert len(grid.search_all(many[:0])) == 0 and many[3].length == 3.0
    assert len(grid.build(2, pairs=many[1:])) == 2
    raises(IndexError, grid.search_all, [cairn.QueryStruct(0, 0, 64, 0)])
    for wrong in ([(1, 1, 4, 4)], [(0, 1, 2)], [(0,)], [7]):
        raises((TypeError, ValueError), grid.search_all, wrong)


# ------------------------------------------------------------------ what is let go, and when --

def test_a_search_that_changes_over_lets_go_of_what_it_had():
    grid = open_grid(16, 16)
    world = cairn.World(grid, grid.build(2))
    view = world.view()
    search, flood = view.search(), view.map.flood()
    for x in range(4):
        world.edit(cairn.block(x, 0))
        world.publish()
        view = world.view()  # the former one is dropped, not released
        search.use(view.map, view.table)
        flood.use(view.map)
        assert search.run((0, 5), (9, 9)) and len(set(map(id, search._record._parents))) == 1
        assert len(set(map(id, flood._record._parents))) == 1


def test_a_pool_that_is_given_up_is_let_go():
    grid = open_grid()
    pool = Counted(1)
    grid.use_pool(pool)
    gone = weakref.ref(pool)
    grid.use_pool(None)
    pool.shutdown()
    del pool
    gc.collect()
    assert gone() is None


# ------------------------------------------------------------------------- what belongs together --

def test_a_table_is_not_taken_for_one_of_another_map():
    grid, other = open_grid(), open_grid(9, 9)
    table = grid.build(2)
    raises(cairn.MismatchError, table.clone, other)
    raises(cairn.MismatchError, cairn_load_bytes_of, table, map=other)
    assert cairn_load_bytes_of(table, map=grid).search().run(0, 63)
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "t.cairn")
        table.save(name)
        raises(cairn.MismatchError, cairn.verify, name, map=other)
        cairn.verify(name, map=grid)


# ------------------------------------------------------------------------------ what is said --

def test_messages_tell_what_was_refused():
    grid = cairn.Map.from_rows([".@.", "..."])
    search, from_arcs, world = grid.search(), cairn.Map.from_arcs, cairn.World(grid.clone())
    carts = cairn.World(open_grid().for_units(2))
    for call, words in (
            (lambda: grid.costs_from(1), "found 1, which is blocked"),
            (lambda: grid.flood().flow_to(0, 1), "found 1, which is blocked"),
            (lambda: grid.build(at=[0, 1]), "at: expected open cells, found 1"),
            (lambda: grid.place_landmarks(at=[1]), "at: expected open cells, found 1"),
            (lambda: grid.build(count_steps=(0, 1)), "count_steps: expected"),
            (lambda: cairn.Map.from_rows(["."], metric=(3, 2)), "found 3 and 2"),
            (lambda: setattr(grid, "metric", (3, 7)), "metric: expected"),
            (lambda: grid.for_units(0), "size: expected 1 to 64, found 0"),
            (lambda: grid.for_units(65), "size: expected 1 to 64, found 65"),
            (lambda: open_grid(40, 1).flood().costs_from(0, bits=16), "costs are above 65534"),
            (search.resume, "no search is paused"),
            (lambda: search.resume(microseconds=5), "no search is paused"),
            (lambda: grid.pull(None), "expected the cairn.Path of a search, found NoneType"),
            (lambda: search.pull(7), "found int"),
            (lambda: search.run_to_any(0, []), "goals: expected at least one"),
            (lambda: search.run_from_any([], 0), "starts: expected at least one"),
            (lambda: from_arcs(2, [(0, 1, 5), (0, 2, 5)]), "arcs:2: expected nodes of the graph"),
            (lambda: from_arcs(2, [(0, 1, 0)]), "expected a cost from 1 to"),
            (lambda: from_arcs(2, [(0, 1, 2 ** 31)]), "found \"2147483648\""),
            (lambda: from_arcs(0, []), "at least one node"),
            (lambda: grid.search_all([(1, 1, 4, 4)]), "expected a start and a goal"),
            (lambda: grid.build(2).refresh(cells=-1), "cells is -1"),
            (lambda: world.edit(cairn.block(0, 0), cairn.block(9, 9)), "edits:2:"),
            (lambda: carts.edit(cairn.block(0, 0), cairn.block(9, 9)), "edits:2:")):
        assert words in str(raises(Exception, call)), words
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "t.cairn")
        refused = raises(cairn.LimitError, grid.build_file, name, 2, memory_limit=10)
        assert "more than memory_limit, 10" in str(refused) and not os.path.exists(name)


def test_a_map_for_a_table_and_a_table_for_a_map_are_refused_with_what_helps():
    grid = open_grid()
    with tempfile.TemporaryDirectory() as folder:
        text, table = os.path.join(folder, "t.map"), os.path.join(folder, "t.cairn")
        grid.save(text)
        grid.build(1).save(table)
        with open(text, "rb") as file:
            letters = file.read()
        for call in (lambda: cairn.load(text), lambda: cairn.load_bytes(letters),
                     lambda: cairn.verify(text), lambda: cairn.outline(text),
                     lambda: cairn.load_from(io.BytesIO(letters))):
            assert "; cairn.Map.load reads a map" in str(raises(cairn.FormatError, call))
        refused = raises(cairn.FormatError, cairn.Map.load, table)
        assert "; cairn.load reads a table" in str(refused) and str(refused).startswith(table)
        with open(table, "rb") as file:
            damaged = file.read()[:-9]
        for call in (lambda: cairn.load_bytes(damaged), lambda: cairn.Map.parse("type hex\n")):
            assert ";" not in str(raises(cairn.FormatError, call))


def test_options_of_maps_of_a_wrong_type_are_named():
    def of_rows(**named):
        return lambda: cairn.Map.from_rows(["..", ".S"], **named)

    cells = memoryview(bytes(8)).cast("B").cast("H", [2, 2])
    for call, words in (
            (of_rows(heights=cells), "heights: expected a cairn.Heights(width, height, cells"),
            (of_rows(heights=[[1, 2], [3, 4]]), "found list"),
            (of_rows(heights=cairn.Heights(2, 2, [.5] * 4, 1, 1)), "heights: expected cells of"),
            (of_rows(terrain=7), "terrain: expected a text such as"),
            (of_rows(terrain=[("S", 3)]), "found [('S', 3)]"),
            (of_rows(metric="compact"), "found 'compact': write build(compact=True)"),
            (of_rows(metric=5), "metric: expected what a straight and a diagonal step cost"),
            (of_rows(metric=(1, 2, 3)), "found (1, 2, 3)"),
            (lambda: open_grid().build(1, count_steps=5), "count_steps: expected what")):
        problem = raises(TypeError, call)
        assert words in str(problem) and "\n" not in str(problem), problem


def test_arcs_come_from_any_iterable():
    graph = cairn.Map.from_arcs(3, ((node, node + 1, 4) for node in range(2)))
    assert graph.arc_count == 2 and graph.costs_from(0).tolist() == [0, 4, 8]


def test_errors_of_files_are_pickled():
    refused = raises(FileNotFoundError, cairn.Map.load, "no/such.map")
    again = pickle.loads(pickle.dumps(refused))
    assert type(again) is type(refused) and again.args == refused.args
    assert (again.filename, again.status) == (refused.filename, refused.status)


# --------------------------------------------------------------------------------- threads --

class Counted(concurrent.futures.ThreadPoolExecutor):
    """Counts the jobs that it takes."""
    taken = 0

    def submit(self, *job):
        self.taken += 1
        return super().submit(*job)


def test_copies_of_a_map_keep_its_pool():
    grid, queries = open_grid(60, 60), [((0, 0), (59, y)) for y in range(60)]
    others = []

    def is_wrong():
        others.append(True)

    with Counted(2) as pool:
        grid.use_pool(pool)
        loaded = cairn_load_bytes_of(grid.build(1), pool=pool)
        copies = [grid.clone(), grid.for_units(2), loaded.map.clone()]
        del grid, loaded
        gc.collect()
        # Callbacks that would be called where those of the pool were, had these been freed.
        held = [open_grid().search(cancel=is_wrong) for _ in range(50)]
        for copy_of in copies:
            before = pool.taken
            assert len(copy_of.search_all(queries[:50], threads=3)) == 50
            assert pool.taken > before and not others
    assert held


def test_the_pool_of_a_world_is_not_changed_by_its_views():
    with Counted(2) as pool:
        view = cairn.World(open_grid()).view()
        raises(cairn.ChangedError, view.map.use_pool, pool)


def test_a_pool_without_a_free_thread_is_not_waited_for():
    grid = open_grid(40, 40)
    wanted = grid.build(4).to_bytes()
    with Counted(1) as pool:
        grid.use_pool(pool)
        within = pool.submit(lambda: grid.build(4, threads=3).to_bytes(threads=3))
        assert within.result(timeout=60) == wanted and pool.taken > 1


def test_threads_are_told_that_they_are_in_each_others_way():
    grid = open_grid(30, 30)
    table = grid.build(2)
    shared = table.search(on_expand=lambda node: None)
    outcomes = []

    def work(own):
        for turn in range(60):
            for call in (lambda: shared.run(0, 899), lambda: own.run(0, 899),
                         lambda: grid.edit(cairn.block(15, 15) if turn % 2 else
                                           cairn.open_cell(15, 15)), table.refresh):
                try:
                    call()
                    outcomes.append(True)
                except cairn.BusyError:
                    outcomes.append(False)

    threads = [threading.Thread(target=work, args=(table.search(),)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert True in outcomes and len(outcomes) == 3 * 60 * 4
    table.refresh()
    table.verify()
