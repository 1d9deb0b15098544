"""What the tests of the Python module share: the module, an oracle, small maps."""
import heapq
import os
import pathlib
import sys
import tracemalloc

ROOT = pathlib.Path(__file__).resolve().parents[2]
if "CAIRN_LIBRARY" in os.environ:  # otherwise the module that is installed
    sys.path.insert(0, str(ROOT / "bindings/python"))
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


def raises(kind, call, *arguments, **named):
    """The exception of that kind which a call raises."""
    try:
        call(*arguments, **named)
    except kind as problem:
        return problem
    raise AssertionError(f"{kind.__name__} was not raised")


def blocks_of(page):
    """The lines of a document that are in Python, block by block."""
    os.chdir(ROOT)
    return [block.split("```")[0] for block in (ROOT / page).read_text().split("```python\n")[1:]]


def lines_of(page, words):
    """The block of these that has certain words."""
    return next(block for block in blocks_of(page) if words in block)


def open_grid(width=8, height=8):
    return cairn.Map.from_rows(["." * width] * height)


def most_memory(work, *arguments, **named):
    """What is made, and the bytes that Python itself allocates at most for it; those of the library
    do not count."""
    tracemalloc.start()
    try:
        made = work(*arguments, **named)
        return made, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
