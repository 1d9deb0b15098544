"""Reads a map and a scenario, builds a table and answers 500 queries; then what a query between two
neighbours takes, where hardly anything is left but the call.

    pip install .
    python3 queries.py MAP SCEN
"""
import statistics
import sys
import time

import cairn

QUERIES, ROUNDS, TIMES = 500, 9, 20000

if len(sys.argv) != 3:
    sys.exit("usage: python3 queries.py MAP SCEN")
grid = cairn.Map.load(sys.argv[1])
queries = grid.scenario(sys.argv[2])
search = grid.build().search()
for index in range(QUERIES):
    query = queries[index * len(queries) // QUERIES]
    print(search.run(query.start, query.goal).cost)

step = grid.steps(queries[0].start)[0]
rounds = []
for _ in range(ROUNDS):
    begun = time.process_time()
    for _ in range(TIMES):
        search.run(queries[0].start, step[0])
    rounds.append((time.process_time() - begun) / TIMES * 1e6)
print(f"time {statistics.median(rounds):.3f}")
