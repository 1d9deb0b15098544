"""What a user of the Python module does, against an oracle of its own.

    CAIRN_LIBRARY=libcairn.so python3 tests/package/user.py [COMPILER]
"""
import ctypes
import heapq
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tools/python"))
import cairn

STEPS = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]


def oracle(rows, source):
    """Costs from a cell of a uniform grid, in 2378 and 3363."""
    def is_open(x, y):
        return 0 <= y < len(rows) and 0 <= x < len(rows[0]) and rows[y][x] == "."

    costs, queue = {source: 0}, [(0, source)]
    while queue:
        cost, (x, y) = heapq.heappop(queue)
        if cost > costs[x, y]:
            continue
        for dx, dy in STEPS:
            if not (is_open(x + dx, y) and is_open(x, y + dy) and is_open(x + dx, y + dy)):
                continue
            further = cost + (3363 if dx and dy else 2378)
            if further < costs.get((x + dx, y + dy), cairn.UNREACHABLE):
                costs[x + dx, y + dy] = further
                heapq.heappush(queue, (further, (x + dx, y + dy)))
    return costs


def structs_are_those_of_the_header(compiler):
    lines = ['#include <stdio.h>', '#include "cairn/cairn.h"', 'int main(void) {']
    expected = []
    for name, struct in cairn.STRUCTS.items():
        lines.append(f'printf("{name} %zu\\n", sizeof(cairn_{name}));')
        expected.append(f"{name} {ctypes.sizeof(struct)}")
        for field, *_ in struct._fields_:
            lines.append(f'printf("{name}.{field} %zu\\n", offsetof(cairn_{name}, {field}));')
            expected.append(f"{name}.{field} {getattr(struct, field).offset}")
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder) / "layout.c", pathlib.Path(folder) / "layout"
        source.write_text("\n".join(lines + ["return 0; }"]))
        subprocess.run([compiler, f"-I{root}/lib/include", source, "-o", program], check=True)
        said = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    assert said.splitlines() == expected, (said, expected)


def declarations():
    """Of every function in the header its result and arguments, as text."""
    header = (root / "lib/include/cairn/cairn.h").read_text()
    header = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    for words, name, arguments in re.findall(
            r"CAIRN_API\s+([^;()]*?)\bcairn_(\w+)\(([^;]*?)\);", header):
        yield name, [words] + [text for text in arguments.split(",") if text.strip() != "void"]


def size_in_c(text):
    """Of a type: "*" for any pointer, else its bytes; enums have 4."""
    if "*" in text:
        return "*"
    word = text.replace("const ", "").split()[0]
    struct = cairn.STRUCTS.get(word.removeprefix("cairn_"))
    sizes = {"void": 0, "size_t": ctypes.sizeof(ctypes.c_size_t), "char": 1, "double": 8, "bool": 1,
             "uint64_t": 8, "cairn_budget": 8}
    return ctypes.sizeof(struct) if struct else sizes.get(word, 4)


def size_in_python(kind):
    if kind is None:
        return 0
    is_pointer = kind in (ctypes.c_char_p, ctypes.c_void_p) or hasattr(kind, "contents")
    return "*" if is_pointer else ctypes.sizeof(kind)


def functions_are_those_of_the_header():
    declared = dict(declarations())
    assert len(declared) > 90
    for name, types in cairn.FUNCTIONS.items():
        expected = [size_in_c(text) for text in declared[name]]
        assert [size_in_python(kind) for kind in types] == expected, (name, declared[name])


def a_table_is_built_saved_and_loaded():
    town = cairn.Map.load(root / "data/maps/town.map")
    table = town.build(landmarks=16)
    assert len(table) == 16 and table.entry_bits == 32
    start, goal = (3, 3), (250, 215)
    plain, fast = (of.search(space=cairn.Space.CELLS).run(start, goal) for of in (town, table))
    assert (plain.expanded, fast.expanded) == (17676, 679), (plain, fast)
    assert plain.cost == fast.cost and plain.length == fast.length
    assert fast.cells[0] == start and fast.cells[-1] == goal
    assert table.search().run(start, goal).space == cairn.Space.JUMP
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "town.cairn")
        table.save(name, with_map=False)
        assert len(cairn.load(name, map=town)) == 16
        table.save(name, rows=4)
        loaded = cairn.load(name)
    assert len(loaded) == 4 and loaded.map.hash == town.hash
    loaded.verify()
    assert loaded.search().run(start, goal).cost == fast.cost
    for start, goal, length in town.scenario(root / "data/scen/town.map.scen")[::20]:
        assert abs(loaded.search().run(start, goal).length - length) < 1e-6


def costs_and_bounds_are_right(luck):
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
    assert bool(table.search().run(start, goal)) == (start in truth)
    assert table.search().run(start, goal).cost == truth.get(start, cairn.UNREACHABLE)


def edits_are_taken(luck):
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
    table.verify()


def graphs_are_searched():
    arcs = [(0, 1, 4), (1, 2, 4), (0, 2, 9), (2, 0, 1)]
    graph = cairn.Map.from_arcs(4, arcs, places=[(0, 0), (4, 0), (8, 0), (0, 5)])
    assert graph.is_directed
    path = graph.build(2).search().run(0, 2)
    assert path.cost == 8 and path.nodes == [0, 1, 2]
    assert not graph.search().run(0, 3)
    graph.edit(cairn.arc_cost(0, 2, 7))
    assert graph.search().run(0, 2).nodes == [0, 2]


def graphs_of_ones_own_are_searched():
    side = 12
    asked = []

    def arcs_of(node):
        return [(to, 3) for to in (node - side, node + side) if 0 <= to < side * side] + \
               [(node + step, 5) for step in (-1, 1) if (node % side + step) in range(side)]

    def bound(node, goal):
        asked.append(node)
        return 3 * abs(node // side - goal // side) + 5 * abs(node % side - goal % side)

    start, goal = 0, side * side - 1
    for graph in (cairn.Map.from_own(side * side, arcs_of),
                  cairn.Map.from_own(side * side, arcs_of, bound)):
        assert graph.search().run(start, goal).cost == 8 * (side - 1)
        assert graph.build(2).search().run(start, goal).cost == 8 * (side - 1)
    assert asked


def many_are_searched_at_once():
    town = cairn.Map.load(root / "data/maps/town.map")
    table = town.build(landmarks=8)
    queries = town.scenario(root / "data/scen/town.map.scen")
    pairs = [query[:2] for query in queries]
    for paths in (table.search_all(pairs, threads=2), town.search_all(pairs[:5])):
        for (start, goal, length), path in zip(queries, paths):
            assert path and path.nodes[0] == start and path.nodes[-1] == goal
            assert abs(path.length - length) < 1e-6
    assert len(table.search_all(pairs)) == len(queries) and table.search_all([]) == []


def searches_go_step_by_step():
    rows = ["........", ".@@@@@@.", "........"]
    search = cairn.Map.from_rows(rows).build(2).search(resumable=True)
    start, goal = (0, 0), (7, 2)
    path = search.begin(start, goal)
    assert path.outcome == cairn.Outcome.PAUSED
    assert search.look(start).state == cairn.NodeState.OPEN
    assert search.look(goal).state == cairn.NodeState.UNSEEN and search.look(goal).parent is None
    steps = 0
    while path.outcome == cairn.Outcome.PAUSED:
        path = search.resume()
        steps += 1
    truth = oracle(rows, start)[goal]
    assert path.cost == truth == search.look(goal).g and steps >= path.expanded > 3
    assert search.look(start).state == cairn.NodeState.CLOSED
    assert search.look(start).f == search.look(start).h <= truth


def what_is_wrong_is_said():
    def said(kind, call):
        try:
            call()
        except kind as problem:
            return str(problem)
        raise AssertionError("nothing was raised")

    assert "line 6" in said(cairn.Error, lambda: cairn.Map.parse(
        "type octile\nheight 2\nwidth 2\nmap\n..\n.?\n"))
    assert "no-such.map" in said(cairn.Error, lambda: cairn.Map.load("no-such.map"))
    assert "terrain" in said(cairn.Error, lambda: cairn.Map.from_rows(["."], terrain="S=?"))
    grid = cairn.Map.from_rows(["...", "..."])
    said(IndexError, lambda: grid.search().run((0, 0), (3, 0)))
    said(IndexError, lambda: grid.search_all([((0, 0), (3, 0))]))
    said(cairn.Error, lambda: grid.search().resume())
    said(TypeError, lambda: grid.search(waight=2))
    said(IndexError, lambda: grid.build(2).landmarks(2))
    said(ValueError, lambda: cairn.Map.from_rows(["..", "."]))


def the_lines_of_readme_run():
    text = (root / "README.md").read_text()
    _, block, *_ = text.split("```python\n")
    os.chdir(root)
    exec(block.split("```")[0], {})


def main():
    luck = random.Random(1)
    structs_are_those_of_the_header(sys.argv[1] if len(sys.argv) > 1 else "cc")
    functions_are_those_of_the_header()
    a_table_is_built_saved_and_loaded()
    for _ in range(20):
        costs_and_bounds_are_right(luck)
    edits_are_taken(luck)
    graphs_are_searched()
    graphs_of_ones_own_are_searched()
    many_are_searched_at_once()
    searches_go_step_by_step()
    what_is_wrong_is_said()
    the_lines_of_readme_run()
    terrain = cairn.Map.from_rows([".S.", ".S."], terrain="S=3", charge=cairn.Charge.AVERAGE)
    assert terrain.search().run((0, 0), (2, 0)).length == 2
    assert terrain.search(weight=1.5).run((0, 0), (2, 0)).guarantee == 1.5


main()
