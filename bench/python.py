"""What a call through Python costs: processor time of the shortest queries, so that hardly anything
is left but the call.

    CAIRN_LIBRARY=libcairn.so PYTHONPATH=bindings/python python3 bench/python.py
"""
import statistics
import time

import cairn


def microseconds(call, times=20000, rounds=9):
    """Median over rounds of the processor time of a call."""
    found = []
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(times):
            call()
        found.append((time.process_time() - start) / times * 1e6)
    return statistics.median(found)


grid = cairn.Map.from_rows(["." * 32] * 32)
table = grid.build(4)
search, bound = table.search(), table.bound(33)
pairs = [(0, 1)] * 1000
print(f"a query      {microseconds(lambda: search.run(0, 1)):6.2f} us")
print(f"of a batch   {microseconds(lambda: table.search_all(pairs, threads=1), 20) / 1000:6.2f} us")
print(f"a bound      {microseconds(lambda: bound(0)):6.2f} us")
print(f"of an array  {microseconds(bound.of_all, 200) / grid.node_count:6.3f} us")
