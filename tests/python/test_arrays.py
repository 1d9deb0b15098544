"""Arrays go in and come out without a copy, and do no harm whoever writes to them meanwhile."""
import array
import ctypes
import gc
import pickle
import random
import threading

from support import ROOT, cairn, most_memory, open_grid, raises

TOWN = ROOT / "data/maps/town.map"


def test_letters_and_heights_and_bytes_go_in_without_a_copy():
    side = 400
    room = bytearray(b"." * side * side)
    room[3 * side:4 * side - 1] = b"@" * (side - 1)
    letters = memoryview(room).cast("B", (side, side))
    grid, most = most_memory(cairn.Map.from_array, letters)
    assert most < side * side // 10 and not grid.is_open((5, 3))
    read_only = memoryview(bytes(room)).cast("B", (side, side))
    copy, most = most_memory(cairn.Map.from_array, read_only)
    assert most < side * side // 10 and copy.hash == grid.hash
    room[:] = b"@" * len(room)
    assert grid.open_count == side * side - side + 1
    room[7] = 0
    raises(cairn.FormatError, cairn.Map.from_array, letters)

    cells = array.array("H", [node % 999 for node in range(side * side)])
    rows = ["." * side] * side
    hill, most = most_memory(cairn.Map.from_rows, rows,
                             heights=cairn.Heights(side, side, cells, 10, 0))
    _, flat = most_memory(cairn.Map.from_rows, rows)
    assert most - flat < 2 * side * side // 10
    cells[5] = 0
    kept, most = most_memory(lambda: hill.heights.cells)
    assert most < 2 * side * side // 10
    del hill
    gc.collect()
    assert kept[5] == 5 and kept[77] == 77 and kept.readonly
    again = cairn.Map.from_rows(rows, heights=cairn.Heights(side, side, kept, 10, 0))
    assert again.heights.cells == kept

    data = grid.build(40).to_bytes(codec=cairn.Codec.RAW)
    table, most = most_memory(cairn.load_bytes, data)
    assert most < len(data) // 10 and table.to_bytes(codec=cairn.Codec.RAW) == data
    assert cairn.load_bytes(bytearray(data)).to_bytes(codec=cairn.Codec.RAW) == data


def ring(count):
    """The arcs of a ring of nodes, as rows of three numbers."""
    flat = array.array("I")
    for node in range(count):
        flat.extend((node, (node + 1) % count, node % 7 + 1))
    return flat, memoryview(flat).cast("B").cast("I", (count, 3))


def test_arcs_and_places_go_in_without_a_copy():
    count = 60000
    flat, rows = ring(count)
    x, y = (array.array("i", [sign * node for node in range(count)]) for sign in (1, -3))
    structs = (cairn.ArcStruct * count).from_buffer(flat)
    graph, most = most_memory(cairn.Map.from_arcs, count, rows, cairn.Columns(x, y))
    assert most < 4 * count // 10
    assert graph.arc_count == count and graph.place(count - 1) == (count - 1, -3 * (count - 1))
    for given in (structs, memoryview(bytes(flat)).cast("I", (count, 3))):
        same, most = most_memory(cairn.Map.from_arcs, count, given)
        assert most < 4 * count // 10 and same.hash == graph.hash
    listed = [tuple(flat[3 * arc:3 * arc + 3]) for arc in range(count)]
    assert cairn.Map.from_arcs(count, listed, list(zip(x, y))).hash == graph.hash
    assert cairn.Map.from_arcs(count, memoryview(structs)[::2]).arc_count == count // 2
    flat[4] = count
    raises(cairn.ArgumentError, cairn.Map.from_arcs, count, rows)
    raises(ValueError, cairn.Map.from_arcs, count, [(0, 1, 2)], cairn.Columns(x[1:], y[1:]))
    raises(ValueError, cairn.Map.from_arcs, count, (cairn.QueryStruct * 3)())


def test_nodes_and_queries_go_in_without_a_copy():
    town = cairn.Map.load(TOWN)
    count = town.node_count
    bound, search = town.bound((3, 3)), town.search()
    every = array.array("I", range(count))
    bounds, most = most_memory(bound.of, every)
    assert bounds == bound.of_all() and most < 1.2 * 4 * count
    open_nodes = array.array("I", filter(town.is_open, every))
    size, goal = 4 * len(open_nodes), town.node((250, 215))
    extra = array.array("I", [5]) * len(open_nodes)
    _, most = most_memory(search.avoid, open_nodes, extra)
    assert most < size // 10
    dearer = search.run((3, 3), goal)
    assert dearer.cost == town.search().run((3, 3), goal).cost + 5 * (len(dearer.nodes) - 1)
    search.avoid([])
    for nodes in (open_nodes, memoryview(open_nodes.tobytes()).cast("I"),
                  memoryview(open_nodes).cast("B").cast("i")):
        path, most = most_memory(search.run_to_any, goal, nodes)
        assert most < size // 10 and path.cost == 0 and nodes[path.which] == goal
        path, most = most_memory(search.run_from_any, nodes, goal)
        assert most < size // 10 and nodes[path.which] == goal
    costs, most = most_memory(town.distances, open_nodes, [goal], threads=1)
    assert most < 1.2 * size and costs[0] == search.run(open_nodes[0], goal).cost

    queries = (cairn.QueryStruct * 2000)()
    pairs = array.array("I")
    for query in queries:
        query.start, query.goal = random.choice(open_nodes), random.choice(open_nodes[:99])
        pairs.extend((query.start, query.goal))
    expected = town.search_all([(query.start, query.goal) for query in queries])
    rows = memoryview(pairs).cast("B").cast("I", (2000, 2))
    backwards = town.search_all(memoryview(queries)[::-1])[::-1]
    for paths in (town.search_all(queries), town.search_all(rows), backwards):
        assert [path.cost for path in paths] == [path.cost for path in expected]
    table, most = most_memory(town.build, 1, pairs=queries)
    assert most < ctypes.sizeof(queries) // 4 and table.map is town


def test_nodes_of_arrays_that_are_not_on_the_map_are_refused():
    grid = open_grid(5, 4)
    bound, search = grid.bound(0), grid.search()
    for wrong in (array.array("I", [1, 20]), array.array("i", [-1, 2]),
                  array.array("I", [1 << 31])):
        raises(IndexError, bound.of, wrong)
        raises(IndexError, search.avoid, wrong)
        raises(IndexError, search.run_to_any, 0, wrong)
        raises(IndexError, search.run_from_any, wrong, 0)
        raises(IndexError, grid.distances, wrong, [1])
        raises(IndexError, grid.distances, [1], wrong)
    signed = [array.array(code, [3, -7]) for code in "iq"]
    as_rows = [memoryview(each).cast("B").cast(each.typecode, (1, 2)) for each in signed]
    for wrong, rows in zip((*signed, [3, -7]), (*as_rows, [(3, -7)])):
        for call in (lambda: search.avoid(wrong), lambda: bound.of(wrong),
                     lambda: search.run_to_any(0, wrong), lambda: grid.distances([1], wrong),
                     lambda: grid.are_open(wrong), lambda: grid.costs_from(wrong),
                     lambda: grid.search_all(rows)):
            assert str(raises(IndexError, call)) == "-7 is not on the map"
    raises(ValueError, search.avoid, array.array("I", [1]), array.array("I", [1 << 31]))
    raises(ValueError, search.avoid, array.array("I", [1]), array.array("I", [1, 2]))
    raises(OverflowError, search.avoid, array.array("I", [1]), array.array("i", [-1]))
    raises(IndexError, grid.search_all, (cairn.QueryStruct * 2)((0, 0, 20, 0)))
    raises(ValueError, grid.search_all, (cairn.ArcStruct * 2)())
    assert bound.of(array.array("I")) == array.array("I")


def test_arrays_and_lists_of_nodes_are_not_taken_one_by_one():
    grid, one_by_one = open_grid(90, 70), []
    luck, count = random.Random(6), 3000
    nodes = [luck.randrange(grid.node_count) for _ in range(count)]
    cells = [grid.cell(node) for node in nodes]
    others = nodes[::-1]
    grid.edit(cairn.block_all(cells[::7]))
    flow, _ = grid.flood().flow_to(grid.search().run(0, 0).outcome or 1)
    bound, search, own = grid.bound(5), grid.search(), cairn.Map.node

    def asked(some, more):
        pairs = array.array("q", [end for pair in zip(some, more) for end in pair])
        rows = memoryview(pairs).cast("B").cast("q", (len(some), 2))
        return [grid.are_open(some).tolist(), grid.are_connected(some, more).tolist(),
                grid.are_in_sight(some, more).tolist(), grid.flow_next_all(flow, some),
                bound.of(some), search.avoid(some), grid.search_all(rows).costs]

    expected = asked(nodes, others)
    assert expected[0] == [grid.is_open(node) for node in nodes]
    assert expected[6] == grid.search_all(list(zip(cells, others))).costs
    assert grid.are_open(nodes[:9]).tolist() == expected[0][:9]
    assert grid.are_open([]).tolist() == []

    def node(self, place):
        one_by_one.append(place)
        return own(self, place)

    try:
        cairn.Map.node = node
        for code in "IiqH":
            assert asked(array.array(code, nodes), array.array(code, others)) == expected
        assert asked(nodes, others) == expected
        for code in "BIq":
            flat = array.array(code, [part for cell in cells for part in cell])
            told = grid.are_open(memoryview(flat).cast("B").cast(code, (count, 2)))
            assert told.tolist() == expected[0]
        assert not one_by_one
        grid.are_open(cells)
        assert one_by_one == cells
    finally:
        cairn.Map.node = own


def test_paths_of_many_queries_lie_where_the_library_wrote_them():
    grid = open_grid(9, 7)
    paths = grid.search_all([(0, node) for node in range(1, 63)])
    again = pickle.loads(pickle.dumps(paths))
    seen = [path.node_array for path in paths], [path.corner_array for path in paths]
    assert all(view.readonly for views in seen for view in views)
    one = paths[40]
    cost, nodes = one.cost, one.nodes
    assert grid.search().run(0, 41).nodes == nodes == again[40].nodes and again[40].cost == cost
    assert grid.pull(one) == grid.pull(again[40])
    del grid, paths, one
    gc.collect()
    for views in seen:
        assert all(view[0] == 0 and view[-1] == goal for goal, view in enumerate(views, 1))
    assert seen[0][40].tolist() == nodes
    [long] = open_grid(60000, 1).search_all([(0, 59999)])
    view, most = most_memory(lambda: long.node_array)
    assert len(view) == 60000 and most < 24000


def test_arrays_that_another_thread_writes_to_do_no_harm():
    side, over = 200, threading.Event()
    room, cells = bytearray(side * side), array.array("H", bytes(2 * side * side))
    letters, heights = memoryview(room).cast("B", (side, side)), memoryview(cells).cast("B")

    def write():
        value = 0
        while not over.is_set():
            value = (value + 37) % 256
            letters.obj[:] = bytes([value]) * len(room)
            heights[:] = bytes([value]) * len(heights)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for _ in range(100):
            try:
                cairn.Map.from_array(letters, heights=cairn.Heights(side, side, cells, 9, 3))
            except cairn.FormatError:
                pass
    finally:
        over.set()
        thread.join()


def test_numbers_that_another_thread_writes_to_do_no_harm():
    """The calls examine a copy of each number, or each once: whatever they find, they refuse it or
    take it, and reach no memory that is not theirs."""
    grid, count, over = open_grid(40, 30), 3000, threading.Event()
    flat, rows = ring(count)
    nodes, extra = array.array("I", bytes(4 * count)), array.array("I", bytes(4 * count))
    queries = (cairn.QueryStruct * 200)()
    places = array.array("i", bytes(4 * count))
    arrays = [memoryview(each).cast("B") for each in (flat, nodes, extra, queries, places)]
    table = grid.build(4)

    def write():
        draw = random.Random(5)
        while not over.is_set():
            low, high = draw.choice([(0, 1199), (0, 2999), (1190, 1210), (0, 2 ** 32 - 1)])
            for each in arrays:
                part = draw.randrange(0, each.nbytes - 400, 4)
                each[part:part + 400] = array.array(
                    "I", [draw.randint(low, high) for _ in range(100)]).tobytes()

    thread = threading.Thread(target=write)
    thread.start()
    search, bounds = table.search(), [grid.bound(5), table.bound(5)]
    calls = [lambda: cairn.Map.from_arcs(count, rows, cairn.Columns(places, places)),
             lambda: [bound.of(nodes) for bound in bounds], lambda: search.avoid(nodes, extra),
             lambda: search.run_to_any(7, nodes), lambda: search.run_from_any(nodes, 7),
             lambda: grid.distances(memoryview(nodes)[:40], memoryview(nodes)[50:400]),
             lambda: table.search_all(queries)]
    try:
        for turn in range(210):
            try:
                calls[turn % len(calls)]()
            except (IndexError, cairn.Error):
                pass
    finally:
        over.set()
        thread.join()
