"""What a user of the Python module does, against an oracle of its own."""
import array
import concurrent.futures
import io
import math
import os
import random
import tempfile

from support import ROOT, blocks_of, cairn, open_grid, oracle, raises

TOWN, TOWN_SCENARIO = ROOT / "data/maps/town.map", ROOT / "data/scen/town.map.scen"
FIELD, FIELD_SCENARIO = ROOT / "data/maps/field.map", ROOT / "data/scen/field.map.scen"


def test_whoever_follows_a_flow_field_pays_what_the_costs_say():
    grid = cairn.Map.load(TOWN)
    targets = [(250, 215), (3, 3)]
    flood = grid.flood()
    flow, costs = flood.flow_to(*targets)
    assert costs == grid.costs_to(*targets) == flood.costs_to(*targets)
    assert costs == flood.costs_from(*targets)
    assert flow[grid.node((3, 3))] == cairn.FLOW_TARGET
    for place in [(9, 9), (200, 40), (128, 128)]:
        node, paid = grid.node(place), 0
        assert (flow[node] == cairn.FLOW_NONE) == (costs[node] == cairn.UNREACHABLE)
        expected = costs[node] if flow[node] != cairn.FLOW_NONE else 0
        following = grid.flow_next(flow, node)
        while following is not None:
            paid += dict(grid.steps(node))[following]
            node, following = following, grid.flow_next(flow, following)
        assert paid == expected
    for same in (bytes(flow), memoryview(flow), bytearray(flow)):
        assert grid.flow_next(same, (9, 9)) == grid.flow_next(flow, (9, 9))
    for wrong in (bytes(4), array.array("B", [0]), array.array("I", [0]), None,
                  memoryview(bytes(2 * len(flow)))[::2]):
        raises(ValueError, grid.flow_next, wrong, 0)


def test_floods_go_from_copy_to_copy():
    grid = cairn.Map.load(TOWN, metric=(10, 14))
    flood, copy = grid.flood(), grid.clone()
    copy.edit(cairn.rectangle(4, 3, 1, 1, "@"))
    before, after = grid.costs_from((3, 3)), copy.costs_from((3, 3))
    flood.use(copy)
    assert flood.map is copy and flood.costs_from((3, 3)) == after != before
    raises(cairn.MismatchError, flood.use, cairn.Map.load(TOWN))
    assert flood.map is copy
    flood.use(grid)
    assert flood.costs_from((3, 3)) == before
    flood.use(copy)
    del grid
    assert flood.costs_from((3, 3)) == after


def test_floods_end_at_a_cost_or_a_place_in_either_width():
    grid = cairn.Map.load(TOWN, metric=(10, 14))
    flood, whole = grid.flood(), grid.costs_from((3, 3))
    lent = array.array("H", bytes(2 * len(whole)))
    flood.lend(lent)
    for most, until in [(None, ()), (400, ()), (None, [(9, 9)]), (50, [(9, 9)]), (200, [(9, 9)])]:
        flood.limit(most, until)
        ends = min([cairn.UNREACHABLE if most is None else most]
                   + [whole[grid.node(place)] for place in until])
        expected = [cost if cost <= ends else cairn.UNREACHABLE for cost in whole]
        assert flood.costs_from((3, 3)).tolist() == expected
        assert flood.costs_from((3, 3), bits=16, into=lent) is lent
        narrow = [min(cost, cairn.UNREACHABLE_16) for cost in expected]
        assert lent.tolist() == narrow == flood.costs_to((3, 3), bits=16).tolist()
        flow, costs = flood.flow_to((3, 3))
        assert costs.tolist() == expected
        assert all((step == cairn.FLOW_NONE) == (cost == cairn.UNREACHABLE)
                   for step, cost in zip(flow, costs))
    flood.lend(None)
    fine = cairn.Map.load(TOWN).flood()
    raises(cairn.Error, fine.costs_from, (3, 3), bits=16)
    for wrong in ({"bits": 8}, {"into": lent}, {"bits": 16, "into": lent[:-1]}):
        raises(ValueError, flood.costs_from, (3, 3), **wrong)
    raises(OverflowError, flood.limit, -1)
    raises(ValueError, flood.lend, lent[:-1])


def test_a_flow_field_follows_edits():
    grid = cairn.Map.load(TOWN)
    flood, target = grid.flood(), (250, 215)
    flow, costs = flood.flow_to(target)
    for x in range(100, 120):
        before = grid.hash
        grid.edit(cairn.block(x, 120))
        flood.repair_flow(flow, costs, target, hash=before)
        assert (flow, costs) == flood.flow_to(target)
    raises(ValueError, flood.repair_flow, flow[:-1], costs, target, hash=grid.hash)
    raises(ValueError, flood.repair_flow, flow, flow, target, hash=grid.hash)
    raises(TypeError, flood.repair_flow, flow, costs, target)
    assert "targets: expected" in str(raises(cairn.ArgumentError, flood.repair_flow, flow, costs,
                                              hash=grid.hash))


def test_steps_tell_what_leaves_and_what_ends_in_a_node():
    pond = cairn.Map.from_rows(["...", ".S.", "@.."], terrain="S=3")
    straight, diagonal = pond.metric
    middle = pond.node((1, 1))
    assert sorted(pond.steps((0, 0))) == [(1, straight), (3, straight), (middle, 3 * diagonal)]
    assert dict(pond.steps_to((0, 0))) == {1: straight, 3: straight, middle: diagonal}
    assert pond.steps((0, 2)) == []
    star = cairn.Map.from_arcs(40, [(0, end, end) for end in range(1, 40)])
    assert star.steps(0) == [(end, end) for end in range(1, 40)]
    assert star.steps_to(7) == [(0, 7)]


def test_what_is_out_of_range_is_named():
    grid = open_grid()
    slope = cairn.Map.from_rows(["..", ".."], terrain="S=3",
                                heights=cairn.Heights(2, 2, [1, 2, 3, 4], 1000, 0))
    for kind, landmarks in [(cairn.ArgumentError, 0), (cairn.LimitError, 257)]:
        for build in (grid.build, grid.place_landmarks):
            said = str(raises(kind, build, landmarks=landmarks))
            assert said == f"landmarks: expected 1 to 256, found {landmarks}"
    assert "1 to 128" in str(raises(cairn.LimitError, slope.build, 129))
    raises(OverflowError, grid.build, -1)
    for weight in (0.5, 1001):
        assert "weight: expected a factor" in str(raises(ValueError, grid.search, weight=weight))
    assert len(grid.build()) == 16 and len(grid.build(at=[(1, 1)])) == 1
    for rows in ([], [""]):
        assert "rows" in str(raises(ValueError, cairn.Map.from_rows, rows))


def test_edits_of_a_cell_take_a_column_and_a_row_or_a_pair():
    assert cairn.block((3, 4)) == cairn.block(3, 4) and cairn.block([3, 4]) == cairn.block(3, 4)
    assert cairn.open_cell((3, 4)) == cairn.open_cell(3, 4) != cairn.block(3, 4)
    for wrong in (4, (4,), (1, 2, 3), None):
        raises(TypeError, cairn.block, wrong)


def test_what_is_called_in_the_wrong_way_names_the_right_one():
    assert "Map.load, parse, from_rows" in str(raises(TypeError, cairn.Map, 20, 30))
    assert "Map.build" in str(raises(TypeError, cairn.Table))
    for call, name in ((cairn.block, "block_all"), (cairn.open_cell, "open_all")):
        assert name in str(raises(TypeError, call, (5, 5), (6, 6)))


def test_a_map_and_a_table_tell_their_size():
    grid = open_grid(7, 4)
    assert grid.size == (7, 4) and grid.shape == (4, 7)
    table = grid.build(2)
    assert table.row_count == len(table) == 2


def test_a_table_is_built_saved_and_loaded():
    town = cairn.Map.load(TOWN)
    table = town.build(landmarks=16)
    assert len(table) == 16 and table.entry_bits == 32
    start, goal = (3, 3), (250, 215)
    base, fast = (of.search(space=cairn.Space.CELLS).run(start, goal) for of in (town, table))
    assert (base.expanded, fast.expanded) == (17676, 679), (base, fast)
    assert base.cost == fast.cost and base.length == fast.length
    assert fast.cells[0] == start and fast.cells[-1] == goal
    assert fast.corner_cells == [town.cell(node) for node in fast.corners]
    assert table.search().run(start, goal).space == cairn.Space.JUMP
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "town.cairn")
        table.save(name, with_map=False)
        assert len(cairn.load(name, map=town)) == 16
        for read in (cairn.load, cairn.verify):
            assert "map=" in str(raises(cairn.MismatchError, read, name))
        table.save(name, rows=4)
        loaded = cairn.load(name)
        held = cairn.outline(name)
    assert len(loaded) == 4 and loaded.map.hash == town.hash == held.map_hash
    assert len(held.rows) == 4 and held.node_count == town.node_count
    assert held.table_memory == loaded.memory and held.landmark_count >= 4
    assert held.map.terrain["."] == 1 and held.map.terrain["@"] is None
    assert (held.map.width, held.map.height) == (town.width, town.height)
    loaded.verify()
    assert loaded.search().run(start, goal).cost == fast.cost
    for query in town.scenario(TOWN_SCENARIO)[::20]:
        assert abs(loaded.search().run(query.start, query.goal).length - query.length) < 1e-6


def test_rows_at_corners_give_the_same_paths():
    town = cairn.Map.load(TOWN)
    start, goal = (3, 3), (250, 215)
    full = town.build(4)
    small = town.build(4, resident=cairn.Resident.CORNERS)
    loaded = cairn.load_bytes(full.to_bytes(), resident=cairn.Resident.CORNERS)
    for table in (small, loaded):
        assert table.resident == cairn.Resident.CORNERS and table.memory * 4 < full.memory
        search = table.search()
        assert search.run(start, goal).cost == full.search().run(start, goal).cost
        assert search.memory * 2 < full.search(space=cairn.Space.JUMP).memory
        assert table.bound(goal)(start) == full.bound(goal)(start)
        table.verify()
        assert table.to_bytes() == full.to_bytes()
        table.refresh()
    assert sum(small.holds(node) for node in range(town.node_count)) * 4 < town.node_count
    town.edit(cairn.block(*small.search().run(start, goal).cells[5]))
    small.refresh()
    small.verify()
    assert small.search().run(start, goal).cost == town.search().run(start, goal).cost


def test_a_table_behind_its_map_is_saved_and_verified_once_it_is_fresh():
    grid = open_grid(6, 4)
    table = grid.build(2)
    grid.edit(cairn.block(2, 1))
    raises(cairn.StaleError, table.to_bytes)
    raises(cairn.StaleError, table.verify)
    table.refresh()
    table.verify()
    assert len(cairn.load_bytes(table.to_bytes())) == 2


def test_a_refresh_with_a_limit_waits_while_the_map_changes():
    grid = open_grid(20, 15)
    table = grid.build(3)
    version = table.version
    for x in range(1, 6):
        grid.edit(cairn.block(x, 7))
        assert not table.refresh(cells=1) and table.version == version
    while not table.refresh(cells=5):
        pass
    assert table.version > version
    table.verify()


def test_tables_go_through_bytes_and_streams():
    grid = open_grid(20, 10)
    data = grid.build(3).to_bytes(codec=cairn.Codec.RAW, stamp=2**64 - 5)
    for loaded in (cairn.load_bytes(data), cairn.load_from(io.BytesIO(data), size=len(data)),
                   cairn.load_bytes(bytearray(data)), cairn.load_from(io.BytesIO(data))):
        assert loaded.map.hash == grid.hash and len(loaded) == 3
        loaded.verify()
    assert cairn.outline_bytes(data).rows[0][0] == cairn.Codec.RAW
    assert cairn.outline_bytes(data).stamp == 2**64 - 5
    assert cairn.outline_bytes(grid.build(3).to_bytes()).stamp == 0
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "grid.cairn")
        summary = grid.build_file(name, 3, codec=cairn.Codec.RAW, stamp=2**64 - 5)
        assert summary.row_count == 3
        with open(name, "rb") as file:
            assert file.read() == data


def test_files_are_verified_without_their_table():
    grid = open_grid(20, 10)
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "grid.cairn")
        table = grid.build(30)
        table.save(name)
        cairn.verify(name)
        cairn.verify(name, threads=2, memory_limit=20_000)
        raises(cairn.LimitError, cairn.verify, name, memory_limit=20)
        table.save(name, with_map=False)
        cairn.verify(name, map=grid)
        raises(cairn.MismatchError, cairn.verify, name)
        raises(cairn.MismatchError, cairn.verify, name, map=open_grid(20, 11))
        table.set_cost(17, 33, table.cost(17, 33) + 1)
        table.save(name)
        error = raises(cairn.InexactError, cairn.verify, name)
        assert "row 17, node 33" in str(error)


def test_a_build_keeps_to_a_limit_of_memory():
    town = cairn.Map.load(TOWN)
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "town.cairn")
        raises(cairn.LimitError, town.build_file, name, 4, memory_limit=100_000)
        assert not os.path.exists(name)
        assert 0 < town.build_file(name, 4, memory_limit=50_000_000).memory < 50_000_000
        assert town.build_file(name, 4).memory == 0


def test_landmarks_may_be_placed_before_rows_are_computed():
    grid = open_grid(20, 10)
    nodes = grid.place_landmarks(3, seed=5)
    assert len(nodes) == 3
    assert grid.build(3, at=nodes).to_bytes() == grid.build(3, seed=5).to_bytes()


def test_tables_may_be_built_in_parts():
    grid = open_grid(20, 10)
    with tempfile.TemporaryDirectory() as folder:
        def name(number):
            return os.path.join(folder, f"{number}.cairn")

        nodes = grid.place_landmarks(5)
        for number in (1, 2, 3):
            grid.build_file(name(number), 5, at=nodes, part=(number, 3))
        assert cairn.outline(name(2)).part[:4] == (2, 3, 1, 5)
        cairn.merge([name(3), name(1), name(2)], name(0))
        assert cairn.outline(name(0)).part is None
        with open(name(0), "rb") as file:
            assert file.read() == grid.build(5).to_bytes()
        refused = raises(cairn.MismatchError, cairn.merge, [name(3), name(1)], name(4))
        assert "part 2" in str(refused)
        grid.build_file(name(4), 5, at=nodes, part=(2, 3), seed=9)
        refused = raises(cairn.MismatchError, cairn.merge, [name(1), name(4), name(3)], name(5))
        assert "seed" in str(refused)
        assert not os.path.exists(name(5))


def test_a_bound_is_told_of_every_node():
    for width in (1, 4095, 4096, 9000):
        grid = open_grid(width, 1)
        bound = grid.bound(0)
        assert bound.of_all().tolist() == [bound(node) for node in range(width)]


def test_costs_and_bounds_are_right():
    luck = random.Random(1)
    for _ in range(20):
        rows = ["".join(luck.choice("...@") for _ in range(23)) for _ in range(17)]
        grid = cairn.Map.from_rows(rows)
        places = [(x, y) for y in range(17) for x in range(23) if rows[y][x] == "."]
        start, goal = luck.choice(places), luck.choice(places)
        truth = oracle(rows, goal)
        costs = grid.costs_to(goal)
        table = grid.build(3, at=[start])
        bound = table.bound(goal)
        all_bounds = bound.of_all()
        assert grid.node(start) in table.landmarks(0)
        for place in places:
            expected = truth.get(place, cairn.UNREACHABLE)
            node = grid.node(place)
            assert costs[node] == expected
            assert bound(place) == all_bounds[node] <= expected
        assert list(bound.of(array.array("I", [grid.node(goal)]))) == [0]
        assert bool(table.search().run(start, goal)) == (start in truth)
        assert table.search().run(start, goal).cost == truth.get(start, cairn.UNREACHABLE)


def test_a_row_is_what_its_entries_are():
    town = cairn.Map.load(TOWN)
    table, into = town.build(3), array.array("I", bytes(4 * town.node_count))
    row = table.row(2)
    assert row == town.costs_to(table.landmarks(2)) and table.row(2, into=into) is into == row
    for node in range(0, town.node_count, 99):
        assert row[node] == (table.cost(2, node) if town.is_open(node) else cairn.UNREACHABLE)
    for wrong in (3, -1):
        raises(IndexError, table.row, wrong)
    raises(ValueError, table.row, 0, into[:-1])
    raises(TypeError, table.row, 0, memoryview(bytes(into)).cast("I"))
    raises(cairn.ResidentError, town.build(2, resident=cairn.Resident.CORNERS).row, 0)


def test_edits_are_taken():
    luck = random.Random(2)
    rows = [list("." * 19) for _ in range(13)]
    grid = cairn.Map.from_rows(["".join(row) for row in rows])
    table = grid.build(4)
    search = table.search()
    for _ in range(40):
        x, y = luck.randrange(1, 19), luck.randrange(13)
        is_wall = luck.random() < 0.7
        rows[y][x] = "@" if is_wall else "."
        grid.edit(cairn.block(x, y) if is_wall else cairn.open_cell(x, y))
        table.refresh(cells=luck.randrange(30))
        cost = search.run((0, 0), (18, 12)).cost
        assert cost == oracle(rows, (0, 0)).get((18, 12), cairn.UNREACHABLE) or rows[12][18] == "@"
    while not table.refresh(microseconds=100):
        pass
    assert all(table.state(row) == cairn.RowState.FRESH for row in range(4))
    assert table.refresh_counts.cells > 0
    table.verify()
    before = [table.cost(0, node) for node in range(grid.node_count) if grid.is_open(node)]
    table.rebuild()
    assert before == [table.cost(0, node) for node in range(grid.node_count) if grid.is_open(node)]


def test_many_cells_are_edited_at_once():
    grid, other, luck = open_grid(30, 20), open_grid(30, 20), random.Random(3)
    cells = [(luck.randrange(30), luck.randrange(20)) for _ in range(90)]
    pairs = memoryview(array.array("I", [part for cell in cells for part in cell])).cast("B")
    other.edit(*(cairn.block(*cell) for cell in cells))
    for edits in (cairn.block_all(cells), cairn.block_all(iter(cells)),
                  cairn.block_all(pairs.cast("I", [90, 2])), cairn.terrain_all(cells, "@"),
                  cairn.block_all([grid.node(cell) for cell in cells], width=30),
                  cairn.block_all(array.array("q", map(grid.node, cells)), width=30)):
        assert len(edits) == 90
        grid.edit(cairn.rectangle(0, 0, 30, 20, "."), edits)
        assert grid.rows() == other.rows()
    grid.edit(cairn.open_all(cells), cairn.terrain(1, 1, "S"), cairn.terrain_all([(2, 2)], "T"),
              cairn.block_all([]))
    assert grid.letter((1, 1)) == "S" and grid.letter((2, 2)) == "T" and grid.open_count == 599
    world = cairn.World(other)
    world.edit(cairn.open_all(cells))
    world.publish()
    assert world.view().map.open_count == 600
    refused = raises(cairn.ArgumentError, grid.edit, cairn.block(0, 0),
                     cairn.block_all([(0, 1), (30, 1)]))
    assert refused.line == 3 and grid.is_open((0, 0))
    for wrong in ([1, 2], 7, None, array.array("I", [1, 2])):
        assert "width" in str(raises(TypeError, cairn.block_all, wrong))
    raises(ValueError, cairn.block_all, [(1, 2, 3)])
    raises(ValueError, cairn.block_all, [1], width=0)
    raises(ValueError, cairn.terrain_all, [(1, 2)], "SS")
    raises(TypeError, cairn.CellEdits)


def test_rectangles_come_from_arrays():
    grid = open_grid(13, 7)
    flags = bytes(random.Random(4).randrange(2) for _ in range(11 * 5))
    grid.edit(cairn.patch_array(1, 1, memoryview(flags).cast("?", [5, 11])))
    mask = grid.open_mask()
    assert mask.format == "?" and mask.shape == (7, 13)
    assert [list(map(int, row[1:12])) for row in mask.tolist()[1:6]] == \
        [list(flags[first:first + 11]) for first in range(0, 55, 11)]
    assert sum(map(sum, mask.tolist())) == grid.open_count == 36 + sum(flags)
    assert cairn.Map.from_array(mask).hash == grid.hash
    grid.edit(cairn.patch_array(2, 3, memoryview(b"S@T.").cast("B", [2, 2])))
    assert grid.letters() == "".join(grid.rows()).encode() and grid.rows()[3][2:4] == "S@"
    raises(ValueError, cairn.patch_array, 0, 0, b"....")
    raises(ValueError, cairn.patch_array, 0, 0, memoryview(bytes(16)).cast("I", [2, 2]))


def test_masks_tell_what_may_be_entered_on_every_map():
    pond = cairn.Map.from_rows(["..S@", ".T.W", "...."], terrain="S=3,T=blocked,W=blocked")
    graph = cairn.Map.from_arcs(3, [(0, 1, 4)])
    for each in (pond, pond.for_units(2), graph):
        nodes = range(each.node_count)
        told = [each.is_open(node) for node in nodes]
        assert [flag for row in each.open_mask().tolist() for flag in row] == told
        assert each.are_open(nodes).tolist() == told
    assert pond.for_units(2).open_mask().tolist()[1] == [False, False, False, False]
    hall = open_grid(300, 300).for_units(2)  # with units of 256 cells and more that would fit
    assert sum(map(sum, hall.open_mask().tolist())) == hall.open_count


def test_components_are_numbered_by_size():
    grid = cairn.Map.from_rows(["..@..", "..@.>", "..@.."], terrain="one-way")
    none = cairn.NO_COMPONENT
    numbers, count = grid.components()
    assert count == 2 and numbers.tolist() == [0, 0, none, 1, 1] * 3
    numbers, count = grid.components(strongly=True)
    assert count == 3 and numbers.tolist() == [0, 0, none, 1, 1, 0, 0, none, 1, 2,
                                               0, 0, none, 1, 1]
    assert [numbers[node] == numbers[0] for node in range(3)] == [True, True, False]
    roads = cairn.Map.from_arcs(3, [(0, 1, 5), (1, 2, 5), (2, 1, 5)])
    assert roads.components()[1] == 1
    assert roads.components(strongly=True)[0].tolist() == [1, 0, 0]


def test_many_nodes_are_asked_at_once():
    grid = cairn.Map.from_rows(["..@..", "..@..", "..@.."])
    every = list(range(15))
    assert grid.are_connected(every, (0, 0)).tolist() == \
        grid.are_connected((0, 0), every).tolist() == [grid.connected(0, node) for node in every]
    assert grid.are_in_sight(every, every[::-1]).tolist() == \
        [grid.sight(a, b) for a, b in zip(every, every[::-1])]
    flow, _ = grid.flood().flow_to((0, 1))
    following = grid.flow_next_all(flow, every)
    assert following.tolist() == [cairn.NO_NODE if node is None else node for node in
                                  (grid.flow_next(flow, node) for node in every)]
    assert cairn.NO_NODE in following and following[1] in (0, 5)
    assert grid.are_connected([], 1).tolist() == grid.are_open([]).tolist() == []
    raises(ValueError, grid.are_connected, [1, 2, 3], [1, 2])
    raises(IndexError, grid.are_open, [15])
    raises(ValueError, grid.flow_next_all, bytes(3), [1])


def test_scenarios_are_arrays():
    town = cairn.Map.load(TOWN)
    queries = town.scenario_array(TOWN_SCENARIO)
    assert [tuple(query) for query in town.scenario(TOWN_SCENARIO)] == \
        [(each.start, each.goal, each.length, each.bucket) for each in queries]
    again = town.parse_scenario_array(TOWN_SCENARIO.read_text())
    assert [each.goal for each in again] == [each.goal for each in queries]
    for paths in (town.search_all(queries), town.build(2).search_all(queries)):
        assert all(abs(length - query.length) < 1e-6
                   for length, query in zip(paths.lengths, queries))


def test_choices_are_printed_by_their_names():
    path = open_grid().search().run(0, 1)
    assert str(path.outcome) == f"{path.outcome}" == "Outcome.FOUND" == "%s" % path.outcome
    assert f"{path.outcome:>14}" == " Outcome.FOUND" and f"{cairn.Outcome.PAUSED:03d}" == "005"
    assert str(cairn.Status.BUSY) == f"{cairn.Status.BUSY}" == "Status.BUSY"


def test_options_of_searches_are_named():
    grid = open_grid()
    with cairn.World(grid.clone(), None).view() as view:
        for call in (grid.search, grid.build(1).search, view.search):
            assert "search() got an unexpected" in str(raises(TypeError, call, weights=2))
            assert call(weight=1.5, space=cairn.Space.CELLS).run(0, 63).guarantee == 1.5
    for call in (grid.search_all, grid.build(1).search_all):
        assert call([(0, 63)], weight=1.5, form=cairn.Form.NONE)[0].nodes == []
        assert "search_all() got" in str(raises(TypeError, call, [], weights=2))


def test_patches_are_taken_as_they_are_told():
    grid = open_grid(8, 2)
    grid.edit(cairn.patch_bits(0, 0, 8, 1, bytes([0b10100101])),
              cairn.patch_letters(0, 1, 4, 1, "@.@."))
    assert [grid.is_open(node) for node in range(12)] == [True, False, True, False, False, True,
                                                          False, True, False, True, False, True]


def test_edits_come_from_texts():
    edits = cairn.parse_edits("# doors\nblock 1 0\n\nrect 2 0 2 2 S\n")
    assert [edit.line for edit in edits] == [2, 4]
    assert edits[0]._replace(line=0) == cairn.block(1, 0)
    grid = open_grid(4, 2)
    grid.edit(*edits)
    refused = raises(cairn.ArgumentError, grid.edit, cairn.open_cell(1, 0), cairn.block(1, 99))
    assert refused.line == 2 and "edits:2: expected cells of the map" in str(refused)
    assert not grid.is_open((1, 0)) and grid.letter((3, 1)) == "S"
    assert grid.rows() == [".@SS", "..SS"]
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "edited.map")
        grid.save(name)
        assert cairn.Map.load(name).rows() == grid.rows()
        raises(OSError, grid.save, os.path.join(folder, "missing", "edited.map"))
        name = os.path.join(folder, "edits.txt")
        with open(name, "w") as file:
            file.write("block 1 0\n")
        assert cairn.load_edits(name)[0].x == 1
    assert "edits:1: expected" in str(raises(cairn.FormatError, cairn.parse_edits, "blok 1 0\n"))


def test_terrain_is_a_text_or_a_dict():
    def of(terrain):
        return cairn.Map.from_rows(["S.", "WG"], terrain=terrain)

    assert of({"S": 3, "W": None, "G": 2}).hash == of("S=3,W=blocked,G=2").hash
    assert of({}).hash == of(None).hash and of({"W": 2}).is_open((0, 1))
    grid = of({";": 4, "S": 7})
    told = cairn.outline_bytes(grid.build(1).to_bytes()).map.terrain
    assert told["S"] == 7 and told["W"] is None and of(told).hash == grid.hash
    for factor in (0, -1, 2.5, 65535, "x"):
        refused = raises(cairn.FormatError, of, {"S": factor})
        assert f"S={factor}" in str(refused) and "1 to 65534" in str(refused)
    for letter in ("", "SS", 5, b"S"):
        assert repr(letter) in str(raises(ValueError, of, {letter: 3}))


def test_a_world_says_which_edit_it_refuses_as_a_map_does():
    grid, graph = open_grid(4, 2), cairn.Map.from_arcs(3, [(0, 1, 5), (1, 2, 5)])
    for map, first, second in ((grid, cairn.block(1, 1), cairn.terrain(1, 1, "?")),
                               (grid, cairn.block(1, 1), cairn.block(9, 1)),
                               (graph, cairn.arc_cost(0, 1, 6), cairn.arc_cost(0, 1, 2 ** 30)),
                               (graph, cairn.arc_cost(0, 1, 6), cairn.arc_cost(2, 1, 6))):
        refused = raises(cairn.Error, map.edit, first, second)
        again = raises(type(refused), cairn.World(map.clone()).edit, first, second)
        assert refused.line == again.line == 2 and str(refused) == str(again)
    assert "follows" in str(raises(cairn.ArgumentError, grid.for_units(2).edit, cairn.block(0, 0)))
    again = raises(cairn.ArgumentError, grid.for_units(2).edit, cairn.block(9, 0))
    assert again.line == 1


def test_edits_are_one_by_one_or_in_lists():
    walls = cairn.parse_edits("block 1 0\nblock 2 0\n")
    for edits in (lambda: walls, lambda: [walls], lambda: [tuple(walls)], lambda: [iter(walls)],
                  lambda: [walls[:1], walls[1]], lambda: [walls, []],
                  lambda: [cairn.block_all([(1, 0)]), [cairn.block_all([(2, 0)])]]):
        grid = open_grid(4, 2)
        grid.edit(*edits())
        assert grid.rows() == [".@@.", "...."]
        world = cairn.World(open_grid(4, 2), None)
        world.edit(*edits())
        world.publish()
        assert world.view().map.rows() == [".@@.", "...."]
    refused = raises(cairn.ArgumentError, grid.edit, [cairn.block(0, 0), cairn.block(9, 9)])
    assert refused.line == 2 and grid.is_open((0, 0))
    for wrong in ((0, 0), [[walls]], None, 5, "block 1 0"):
        assert "expected a cairn.Edit" in str(raises(TypeError, grid.edit, wrong))
    assert "parse_edits" in str(raises(TypeError, grid.edit, "block 1 0"))


def test_graphs_are_searched():
    arcs = [(0, 1, 4), (1, 2, 4), (0, 2, 9), (2, 0, 1)]
    for given in (arcs, array.array("I", [number for arc in arcs for number in arc])):
        graph = cairn.Map.from_arcs(4, given, places=[(0, 0), (4, 0), (8, 0), (0, 5)])
        assert graph.is_directed and graph.is_graph and graph.arc_count == 4
        assert graph.place(3) == (0, 5)
        path = graph.build(2).search().run(0, 2)
        assert path.cost == 8 and path.nodes == [0, 1, 2]
        assert not graph.search().run(0, 3)
        graph.edit(cairn.arc_cost(0, 2, 7))
        assert graph.search().run(0, 2).nodes == [0, 2]
    roads = cairn.Map.parse("p sp 3 2\na 1 2 5\na 2 3 5\n", places="p aux sp co 3\nv 1 0 0\n"
                            "v 2 4 0\nv 3 8 0\n")
    assert roads.search().run(0, 2).cost == 10 and roads.place(2) == (8, 0)


def test_places_of_all_nodes_are_two_arrays():
    given = [(0, -7), (2 ** 31 - 1, 0), (-2 ** 31, 5)]
    graph = cairn.Map.from_arcs(3, [(0, 1, 4)], given)
    places = graph.places()
    assert isinstance(places, cairn.Columns) and list(zip(*places)) == given
    assert cairn.Map.from_arcs(3, [(0, 1, 4)], places).hash == graph.hash
    assert cairn.Map.from_arcs(3, [(0, 1, 4)]).places() is None and open_grid().places() is None


def test_graphs_by_callbacks_are_searched():
    side = 12
    asked = []

    def arcs_of(node):
        return [(to, 3) for to in (node - side, node + side) if 0 <= to < side * side] + \
               [(node + step, 5) for step in (-1, 1) if (node % side + step) in range(side)]

    def bound(node, goal):
        asked.append(node)
        return 3 * abs(node // side - goal // side) + 5 * abs(node % side - goal % side)

    start, goal = 0, side * side - 1
    for graph in (cairn.Map.from_callbacks(side * side, arcs_of),
                  cairn.Map.from_callbacks(side * side, arcs_of, bound)):
        assert graph.search().run(start, goal).cost == 8 * (side - 1)
        assert graph.build(2).search().run(start, goal).cost == 8 * (side - 1)
        assert graph.search_all([(start, goal)] * 40)[-1].cost == 8 * (side - 1)
    assert asked


def test_many_are_searched_at_once():
    town = cairn.Map.load(TOWN)
    table = town.build(landmarks=8)
    queries = town.scenario(TOWN_SCENARIO)
    assert town.parse_scenario(TOWN_SCENARIO.read_text()) == queries
    for paths in (table.search_all(queries, threads=2), town.search_all(queries[:5])):
        for query, path in zip(queries, paths):
            assert path and path.nodes[0] == query.start and path.nodes[-1] == query.goal
            assert abs(path.length - query.length) < 1e-6
    assert len(table.search_all(queries)) == len(queries) and not table.search_all([])


def test_columns_tell_what_the_paths_tell():
    grid = open_grid(9, 7)
    grid.edit(cairn.rectangle(4, 0, 1, 7, "@"))
    paths = grid.search_all([(node, node // 2) for node in range(63) if node % 9 != 4])
    for column, code, told in (
            (paths.costs, "I", [path.cost for path in paths]),
            (paths.lengths, "d", [path.length for path in paths]),
            (paths.expanded, "Q", [path.expanded for path in paths]),
            (paths.outcomes, "I", [path.outcome for path in paths])):
        assert column.typecode == code and column.tolist() == told
    assert cairn.UNREACHABLE in paths.costs and cairn.Outcome.NONE in paths.outcomes
    assert paths[-1].cost == paths.costs[-1] and [path.cost for path in paths[5:1:-2]] == \
        paths.costs[5:1:-2].tolist()
    none = grid.search_all([])
    assert len(none.costs) == len(none.lengths) == 0 and none[:] == []
    for wrong in (len(paths), -1 - len(paths)):
        raises(IndexError, lambda: paths[wrong])
    raises(TypeError, lambda: paths["a"])


def test_roads_have_queries_without_lengths():
    roads = cairn.Map.parse("p sp 3 2\na 1 2 5\na 2 3 4\n")
    queries = roads.parse_scenario("c one\np aux sp p2p 2\nq 1 3\nq 3 1\n")
    assert queries == [cairn.Query(0, 2, -1, 0), cairn.Query(2, 0, -1, 0)]
    assert [path.cost if path else None for path in roads.search_all(queries)] == [9, None]
    problem = raises(cairn.Error, roads.parse_scenario, "p aux sp p2p 1\nq 1 4\n")
    assert str(problem) == 'scenario:2: expected nodes from 1 to their number, found "q 1 4"'


def test_searches_go_step_by_step():
    rows = ["........", ".@@@@@@.", "........"]
    search = cairn.Map.from_rows(rows).build(2).search(space=cairn.Space.CELLS)
    start, goal = (0, 0), (7, 2)
    path = search.begin(start, goal)
    assert path.outcome == cairn.Outcome.PAUSED
    assert search.node_info(start).state == cairn.NodeState.OPEN
    unseen = search.node_info(goal)
    assert unseen.state == cairn.NodeState.UNSEEN and unseen.parent is None
    steps = 0
    while path.outcome == cairn.Outcome.PAUSED:
        path = search.resume()
        steps += 1
    truth = oracle(rows, start)[goal]
    assert path.cost == truth == search.node_info(goal).g and steps >= path.expanded > 3
    assert search.node_info(start).state == cairn.NodeState.CLOSED
    assert search.node_info(start).f == search.node_info(start).h <= truth


def test_searches_along_jump_points_pause_by_expansions_and_by_time():
    town = cairn.Map.load(TOWN)
    search, whole = town.build(landmarks=4).search(), town.search()
    for number, query in enumerate(town.scenario(TOWN_SCENARIO)[-20:]):
        path = search.begin(query.start, query.goal)
        while path.outcome == cairn.Outcome.PAUSED:
            path = search.resume(8) if number % 2 else search.resume(microseconds=5)
        assert path.space == cairn.Space.JUMP
        assert path.cost == whole.run(query.start, query.goal).cost
    raises(OverflowError, search.resume, microseconds=-1)


def test_a_search_ends_when_its_caller_cancels_it():
    asked = []
    search = cairn.Map.load(TOWN).search(cancel=lambda: asked.append(0) or len(asked) > 3)
    raises(cairn.CancelledError, search.run, (3, 3), (250, 215))
    assert len(asked) == 4
    raises(TypeError, open_grid().search, cancel=True)
    cells = open_grid().search(space=cairn.Space.CELLS, cancel=lambda: 1 // 0)
    raises(ZeroDivisionError, cells.run, (0, 4), (7, 7))


def test_nodes_are_avoided_without_an_edit():
    grid = open_grid(9, 5)
    search, straight = grid.build(2).search(), 8 * 2378
    start, goal = (0, 2), (8, 2)
    wall = [(4, y) for y in range(5)]
    assert search.run(start, goal).cost == straight
    search.avoid(wall)
    assert not search.run(start, goal)
    search.avoid(wall, [5] * 4 + [3])
    assert straight + 3 <= search.run(start, goal).cost <= straight + 5
    search.avoid(wall[:4])
    path = search.run(start, goal)
    assert (4, 4) in path.cells and path.cost > straight
    search.avoid([])
    assert search.run(start, goal).cost == straight
    raises(ValueError, search.avoid, wall, [1])
    raises(IndexError, search.avoid, [(9, 0)])


def test_the_nearest_of_several_is_found():
    rows = ["...@....", "...@....", "........"]
    search = cairn.Map.from_rows(rows).build(2).search()
    goals = [(4, 0), (7, 2), (0, 2)]
    costs = oracle(rows, (2, 0))
    path = search.run_to_any((2, 0), goals)
    assert path.which == 2 and path.cost == min(costs[goal] for goal in goals)
    assert path.cells[0] == (2, 0) and path.cells[-1] == (0, 2)
    back = search.run_from_any(goals, (2, 0))
    assert back.which == 2 and back.cost == path.cost and back.cells[0] == (0, 2)
    behind = [(4, 0), (7, 0)]
    whole = search.run_to_any((2, 0), behind)
    for begin in (lambda: search.begin_to_any((2, 0), behind),
                  lambda: search.begin_from_any(behind, (2, 0))):
        path = begin()
        assert path.outcome == cairn.Outcome.PAUSED and not path
        while path.outcome == cairn.Outcome.PAUSED:
            path = search.resume(1)
        assert path.which == whole.which == 0 and path.cost == whole.cost
    assert raises(cairn.ArgumentError, search.begin_to_any, (0, 0), [])
    assert raises(cairn.ArgumentError, search.run_to_any, (0, 0), [])
    assert raises(IndexError, search.run_to_any, (0, 0), [(0, 3)])
    assert raises(IndexError, search.run_from_any, [(0, 0)], (8, 0))


def test_a_path_that_is_kept_costs_what_its_steps_do_now():
    grid = cairn.Map.from_rows([".....", ".@.@.", "....."])
    path = grid.search().run((0, 0), (4, 2))
    assert grid.path_cost(path.nodes) == grid.path_cost(path.corners) == (path.cost, None)
    x, y = path.cells[2]
    grid.edit(cairn.block(x, y))
    assert grid.path_cost(path.nodes) == (None, 2)
    assert grid.path_cost([]) == (0, None)
    raises(cairn.ArgumentError, grid.path_cost, [(0, 0), (2, 1)])
    raises(IndexError, grid.path_cost, [15])


def test_work_runs_on_the_threads_of_a_pool():
    field, other = cairn.Map.load(FIELD), cairn.Map.load(FIELD)
    queries, begun = field.scenario(FIELD_SCENARIO)[:60], []

    class Pool(concurrent.futures.ThreadPoolExecutor):
        def submit(self, *job):
            begun.append(job)
            return super().submit(*job)

    def work(map, pool):
        table = map.build(8, threads=3, placement=cairn.Placement.GREEDY)
        table.verify(threads=3)
        loaded = cairn.load_bytes(table.to_bytes(threads=3), threads=3, pool=pool)
        costs = [path.cost for path in loaded.search_all(queries, threads=3)]
        return table.to_bytes(threads=3), loaded.to_bytes(), costs

    with Pool(2) as pool:
        other.use_pool(pool)
        assert work(other, pool) == work(field, None) and len(begun) >= 15
        other.use_pool(None)
        before = len(begun)
        other.build(8, threads=3)
        assert len(begun) == before
        other.use_pool(pool)
        raises(ZeroDivisionError, other.build, 8, threads=3, progress=lambda *_: 1 // 0)
        world = cairn.World(other)
        del other
        assert world.view().map.search_all(queries, threads=2)
    raises(RuntimeError, work, field, pool)  # which was shut down
    raises(TypeError, field.use_pool, map)


def test_searches_take_every_option():
    grid = open_grid(9, 9)
    table = grid.build(2)
    start, goal = (0, 4), (8, 4)
    seen = []
    path = table.search(on_expand=seen.append).run(start, goal)
    assert seen[0] == grid.node(start) and len(seen) == path.expanded
    towards = grid.costs_to(goal)
    assert grid.search(bound=lambda node: towards[node]).run(start, goal).expanded <= 9
    corners = table.search(form=cairn.Form.CORNERS)
    assert corners.run(start, goal).nodes == [] and len(corners.cells().nodes) == 9
    limited = table.search(space=cairn.Space.CELLS, expansion_limit=2)
    assert limited.run(start, goal).outcome == cairn.Outcome.PAUSED
    assert limited.resume(100)
    assert table.search(weight=1.5, ties=cairn.Ties.LARGER_G).run(start, goal).guarantee == 1.5
    assert table.search(weight=1.5, never_reopen=True).run(start, goal).reopened == 0
    grid.edit(cairn.rectangle(7, 0, 1, 9, "@"))
    near = table.search(nearest=True).run(start, goal)
    assert near.outcome == cairn.Outcome.NEAREST and near.cells[-1] == (6, 4)


def test_arrays_are_taken_and_given_without_lists():
    grid = cairn.Map.from_array(memoryview(bytes([1, 1, 0, 1, 1, 1])).cast("?", [2, 3]))
    assert (grid.width, grid.height, grid.is_open((2, 0))) == (3, 2, False)
    assert cairn.Map.from_array(memoryview(b"..@...").cast("B", [2, 3])).hash == grid.hash
    path = grid.search().run((0, 0), (2, 1))
    assert path.node_array.format == "I" and path.node_array.tolist() == path.nodes
    assert memoryview(grid.costs_from(0)).format == "I"
    raises(ValueError, cairn.Map.from_array, b"..@...")


def test_terrain_and_heights_cost_what_they_say():
    terrain = cairn.Map.from_rows([".S.", ".S."], terrain="S=3", charge=cairn.Charge.AVERAGE)
    assert terrain.search().run((0, 0), (2, 0)).length == 2
    assert terrain.search().run((0, 0), (2, 0)).cost == 4 * 2378 * terrain.unit
    heights = cairn.Heights(3, 1, [0, 2, 0], 1000, 500)
    hill = cairn.Map.from_rows(["..."], heights=heights, metric=(10, 14))
    assert hill.search().run((0, 0), (2, 0)).cost == 10 + 20 + 10 + 10
    assert hill.heights == heights._replace(cells=array.array("H", [0, 2, 0]))
    assert terrain.heights is None
    hexes = cairn.Map.from_rows(["....", "...."], rule=cairn.Rule.HEX)
    assert hexes.axial(hexes.node_at_axial(1, 1)) == (1, 1)
    raises(IndexError, hexes.node_at_axial, -5, 0)


def test_units_of_several_cells_follow_the_map():
    grid = open_grid(6, 5)
    carts = grid.for_units(2)
    assert (carts.unit_size, grid.unit_size, carts.open_count) == (2, 1, 20)
    assert carts.unit_cells((1, 1)) == [7, 8, 13, 14] and carts.unit_cells((5, 0)) == []
    assert carts.unit_anchors(grid, (1, 1)) == [0, 1, 6, 7]
    assert grid.unit_anchors(carts, (1, 1)) == carts.unit_cells((1, 1))
    raises(TypeError, carts.unit_anchors, None, (1, 1))
    table = carts.build(2)
    held = cairn.outline_bytes(table.to_bytes())
    assert (held.unit_size, held.unit_anchor) == (2, cairn.Anchor.TOP_LEFT)
    assert cairn.load_bytes(table.to_bytes()).map.unit_size == 2
    assert cairn.outline_bytes(grid.build(1).to_bytes()).unit_size == 1
    grid.edit(cairn.rectangle(2, 0, 1, 4, "@"))
    assert not carts.is_open((1, 0)) and not carts.connected((0, 0), (4, 0))
    assert not table.search().run((0, 0), (4, 0)) and grid.search().run((0, 0), (4, 0))
    table.refresh()
    assert table.verify() is None
    raises(ValueError, carts.edit, cairn.block(0, 0))
    raises(ValueError, carts.for_units, 2)
    raises(ValueError, cairn.World, grid)
    assert list(grid.clearance())[:3] == [2, 1, 0]
    assert list(grid.clearance(cairn.Anchor.MIDDLE))[6:9] == [2, 1, 0]
    middle = grid.for_units(3, cairn.Anchor.MIDDLE)
    del grid
    assert middle.is_open((4, 1)) and not middle.is_open((5, 1))
    middle.edit(cairn.block(4, 1))


def test_distances_are_those_of_searches():
    grid = open_grid(9, 5)
    grid.edit(cairn.rectangle(4, 0, 1, 5, "@"))
    table, sources, targets = grid.build(2), [0, 3, (4, 1)], [(1, 1), 8]
    search = table.search(form=cairn.Form.NONE)
    costs = [search.run(a, b).cost for a in sources for b in targets]
    assert list(grid.distances(sources, targets)) == costs and costs[1] == cairn.UNREACHABLE
    assert list(grid.distances(sources, targets, table=table, threads=2)) == costs
    assert list(grid.distances([], targets)) == [] and search.run(0, 1).nodes == []
    assert grid.nearest_open((4, 1), 1) == 12 and grid.nearest_open((4, 1), 1, (8, 0)) == 14
    assert grid.nearest_open((4, 1), 0) is None and grid.nearest_open(0, 0) == 0


def test_paths_are_pulled_straight():
    grid = open_grid(9, 5)
    path = grid.search().run((0, 0), (8, 3))
    assert len(path.corners) == 3 and grid.sight((0, 0), (8, 3))
    nodes, length = grid.pull(path)
    assert nodes == [0, 35] and abs(length - math.hypot(8, 3)) < 1e-9
    grid.edit(cairn.rectangle(4, 0, 1, 4, "@"))
    assert not grid.sight((0, 0), (8, 3)) and not grid.sight(4, 4)
    path = grid.search().run((0, 0), (8, 0))
    nodes, length = grid.pull(path)
    assert (nodes[0], nodes[-1]) == (0, 8) and 2 < len(nodes) <= len(path.corners)
    assert 8 < length <= path.length
    search = grid.search()
    search.avoid([(6, 2)])
    path = search.run((5, 0), (8, 4))
    assert grid.pull(path)[0] == [5, 44] and len(search.pull(path)[0]) > 2
    grid.edit(cairn.rectangle(4, 0, 1, 5, "@"))
    assert grid.pull(grid.search().run(0, 8)) == ([], 0.0)


def test_maps_tell_what_they_are():
    grid = open_grid(5, 4)
    assert (grid.width, grid.height, grid.node_count, grid.open_count) == (5, 4, 20, 20)
    assert (grid.rule, grid.metric, grid.unit) == (cairn.Rule.EIGHT, (2378, 3363), 1)
    version, copy = grid.version, grid.clone()
    grid.metric = 10, 14
    assert grid.version > version and copy.metric == (2378, 3363)
    assert grid.length(25) == 2.5 and grid.cell(7) == (2, 1) and grid.node((2, 1)) == 7
    assert grid.is_admissible(cairn.Heuristic.OCTILE)
    assert not grid.is_consistent(cairn.Heuristic.SQUARED)
    assert grid.connected((0, 0), 19)
    grid.edit(cairn.rectangle(2, 0, 1, 4, "@"))
    assert not grid.connected((0, 0), 19) and not grid.connected(2, 2)
    grid.edit(cairn.rectangle(2, 0, 1, 4, "."))
    table = grid.build(2, count_steps=(1, 1))
    assert table.counts_steps and table.metric == (1, 1)
    assert table.direction(0) == cairn.Direction.BOTH
    twin = table.clone()
    twin.set_cost(0, 3, 7)
    assert twin.cost(0, 3) == 7 != table.cost(0, 3) and twin.version > 0
    assert table.map_hash == twin.map_hash and table.memory > 0
    raises(cairn.InexactError, twin.verify)
    assert "5 x 4" in repr(grid) and "2 rows" in repr(table)


def test_a_search_is_led_to_a_copy_of_map_and_table():
    grid = open_grid(9, 9)
    table = grid.build(2)
    search = table.search()
    copy = grid.clone()
    copy.edit(cairn.rectangle(4, 0, 1, 8, "@"))
    copied = table.clone(copy)
    before = search.run((0, 0), (8, 0)).cost
    raises(cairn.MismatchError, search.use, copy, table)
    for _ in range(2):
        search.use(copy, copied)
        assert search.run((0, 0), (8, 0)).cost > before
        copied.refresh()
    copied.verify()
    search.use(grid, table)
    assert search.run((0, 0), (8, 0)).cost == before
    stranger = open_grid(7, 7)
    raises(cairn.MismatchError, table.clone, stranger)


def test_refreshes_that_are_worth_it_are_made():
    grid = open_grid(30, 30)
    table = grid.build(4)
    search = table.search(space=cairn.Space.CELLS)
    grid.edit(cairn.rectangle(10, 0, 1, 29, "@"))
    for _ in range(200):
        if table.refresh_as_it_pays(search.run((0, 0), (29, 0))):
            break
    assert all(table.state(row) == cairn.RowState.FRESH for row in range(4))


def test_maps_that_change_are_read():
    scenario = ("version 2\nx.patch\n")
    problem = raises(cairn.Error, cairn.parse_dynamic, scenario, "")
    assert "expected" in str(problem)


def test_a_world_of_units_takes_edits_of_cells():
    grid = open_grid(6, 5)
    cells = grid.clone()
    carts = cells.for_units(2)
    world = cairn.World(carts, carts.build(2))
    world.edit(cairn.rectangle(2, 0, 1, 5, "@"))
    assert world.refresh()
    world.publish()
    with world.view() as view:
        assert view.map.unit_size == 2 and not view.map.is_open((1, 1)) and view.map.is_open((3, 1))
        assert not view.search().run((0, 0), (4, 0))
    raises(cairn.ChangedError, cells.is_open, (0, 0))
    assert grid.is_open((2, 0)) and grid.for_units(2).is_open((1, 1))


def test_a_world_is_read_while_it_changes():
    grid = open_grid(9, 9)
    world = cairn.World(grid, grid.build(3))
    with world.view() as view:
        search = view.search()
        before = search.run((0, 4), (8, 4)).cost
        world.edit(cairn.rectangle(4, 1, 1, 8, "@"))
        while not world.refresh(cells=10):
            pass
        assert search.run((0, 4), (8, 4)).cost == before and view.bound((8, 4))((0, 4)) == before
        assert not world.draft().map.is_open((4, 4)) and view.map.is_open((4, 4))
        world.publish()
        raises(cairn.BusyError, world.edit, cairn.open_cell(4, 4))
    with world.view() as view:
        search.use(view.map, view.table)
        assert view.version == 1 and search.run((0, 4), (8, 4)).cost > before
    world.edit(cairn.open_cell(4, 4))


def test_progress_is_told_and_stops_the_work():
    town = cairn.Map.load(TOWN)
    told = []
    table = town.build(2, progress=lambda *words: told.append(words))
    assert told and all(done <= total for _, done, total in told)
    raises(cairn.CancelledError, town.build, 2, threads=1, progress=lambda *_: False)
    raises(cairn.CancelledError, table.to_bytes, threads=1, progress=lambda *_: False)
    raises(cairn.CancelledError, cairn.load_bytes, table.to_bytes(), threads=1,
           progress=lambda *_: False)


def test_what_is_wrong_is_said():
    assert "line 6" in str(raises(cairn.FormatError, cairn.Map.parse,
                                  "type octile\nheight 2\nwidth 2\nmap\n..\n.?\n"))
    assert "terrain" in str(raises(cairn.Error, cairn.Map.from_rows, ["."], terrain="S=?"))
    grid = cairn.Map.from_rows(["...", "..."])
    raises(IndexError, grid.search().run, (0, 0), (3, 0))
    raises(IndexError, grid.search_all, [((0, 0), (3, 0))])
    raises(cairn.Error, grid.search().resume)
    raises(TypeError, grid.search, waight=2)
    for other in (17, 1, True, "jump", cairn.Form.CORNERS):
        refused = str(raises(ValueError, grid.search, space=other))
        assert "cairn.Space.AUTO, cairn.Space.CELLS" in refused and repr(other) in refused
    assert "Rule.HEX" in str(raises(ValueError, cairn.Map.from_rows, ["."], rule="hex"))
    for call in (lambda: grid.build(2, placement=7), lambda: grid.build(2, resident=1),
                 lambda: grid.build(2).to_bytes(codec=1), lambda: grid.bound(0, 4),
                 lambda: grid.is_admissible(4), lambda: grid.for_units(2, 1),
                 lambda: grid.edit(cairn.Edit(0, 1, 1, 1, 1, "@"))):
        raises(ValueError, call)
    raises(IndexError, grid.build(2).landmarks, 2)
    raises(ValueError, cairn.Map.from_rows, ["..", "."])


def test_the_lines_of_readme_run():
    exec(blocks_of("README.md")[0], {})


def test_the_lines_on_edits_and_worlds_run():
    first, *_, waiting, worlds = blocks_of("docs/PYTHON.md")
    names = {}
    for lines in (first, waiting, worlds):
        exec(lines, names)
    with names["world"].view() as view:
        assert view.version == 1 and not view.map.is_open((100, 100))
        expected = view.search().run((3, 3), (250, 215))
    assert names["ask"]((3, 3), (250, 215)).cost == expected.cost
