"""A tour of Cairn from Python, cell by cell: run it as a script, or in an editor that knows "# %%".

    python3 examples/python/tour.py [MAP [SCENARIO]]
"""
# %% A map, and a path by octile distance alone
import os
import pathlib
import sys
import tempfile
import time

import cairn

data = pathlib.Path(__file__).resolve().parents[2] / "data"
map_name = sys.argv[1] if len(sys.argv) > 1 else data / "maps/town.map"
scenario_name = sys.argv[2] if len(sys.argv) > 2 else data / "scen/town.map.scen"

grid = cairn.Map.load(map_name)
queries = grid.scenario(scenario_name)
print(grid)
query = max(queries, key=lambda query: query.length)
base = grid.search(space=cairn.Space.CELLS).run(query.start, query.goal)
print(f"from {grid.cell(query.start)} to {grid.cell(query.goal)}: {base}")

# %% The same path along landmarks: fewer nodes are expanded, and it costs the same
table = grid.build(landmarks=16)
fast = table.search(space=cairn.Space.CELLS).run(query.start, query.goal)
print(f"along {table}: {fast}")
assert fast.cost == base.cost

# %% All queries of the scenario, on all processors; lengths are those published, which are rounded
start = time.perf_counter()
paths = table.search_all(queries)
print(f"{len(paths)} queries in {1000 * (time.perf_counter() - start):.1f} ms")
assert all(abs(path.length - query.length) < 0.006 for path, query in zip(paths, queries))

# %% Costs to every cell, as an array that numpy takes without a copy
costs = grid.costs_from(query.start)
reached = [cost for cost in costs if cost != cairn.UNREACHABLE]
print(f"{len(reached)} cells are reached, the farthest at {grid.length(max(reached)):.1f} steps")

# %% The map changes: searches stay exact at once, and the table is repaired in steps
middle = fast.cells[len(fast.cells) // 2]
grid.edit(cairn.block(*middle))
print(f"with {middle} blocked: {table.search().run(query.start, query.goal)}")
steps = 1
while not table.refresh(microseconds=200):
    steps += 1
print(f"repaired in {steps} steps: {table.refresh_counts}")
table.verify()

# %% One file holds the map and the table
with tempfile.TemporaryDirectory() as folder:
    name = os.path.join(folder, "grid.cairn")
    table.save(name)
    print(f"{os.path.getsize(name)} bytes: {cairn.load(name)}")

# %% Threads that search while one edits: each reads the state that was published last
world = cairn.World(grid, table)
with world.view() as view:
    search = view.search()
    print(f"before: {search.run(query.start, query.goal)}")
    world.edit(cairn.open_cell(*middle))
    world.refresh()
    world.publish()
with world.view() as view:
    search.use(view.map, view.table)
    print(f"after:  {search.run(query.start, query.goal)}")
