"""Calls everything that the Python module offers with arguments of any type and size, in processes
of their own: none may end otherwise than by its own will.

    CAIRN_LIBRARY=libcairn.so python3 tests/python/storm.py [CALLS [SEED]]

What a call returns or raises does not matter here, as long as it is an exception of Python.
"""
import array
import copy
import faulthandler
import gc
import inspect
import io
import os
import pathlib
import pickle
import random
import resource
import subprocess
import sys
import tempfile
import threading

if "CAIRN_LIBRARY" in os.environ:  # otherwise the module that is installed
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bindings/python"))
import cairn

MEMORY = 1 << 30
NUMBERS = [0, 1, 2, 3, 5, 8, 15, 16, 17, 63, 64, 65, 100, 255, 256, 257, 1000, -1, -2, 65535, 65536,
           2 ** 28, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 5, 2 ** 63, 2 ** 64 - 1,
           2 ** 64, -2 ** 31, -2 ** 63, 10 ** 30]
LETTERS = ".@TSGOW^v<>x?\0\n\xff"
GRID = ["........", ".@@.@@@.", "..@.@...", ".@@.@.@@", "........"]
MAP = "type octile\nheight 5\nwidth 8\nmap\n" + "\n".join(GRID) + "\n"
SCENARIO = "version 1\n0\tx\t8\t5\t0\t0\t7\t0\t7\n"
ROADS = "p sp 3 3\na 1 2 5\na 2 3 5\na 3 1 2\n"
PLACES = "p aux sp co 3\nv 1 0 0\nv 2 4 0\nv 3 0 4\n"
EDITS = "block 1 0\nopen 1 1\nterrain 2 2 S\nrect 3 0 2 2 open\n"
DYNAMIC = "version 2\nx.patch\n"
TEXTS = {"a.map": MAP, "a.scen": SCENARIO, "a.gr": ROADS, "a.co": PLACES, "a.txt": EDITS,
         "d.scen": DYNAMIC}


class Hostile:
    """Numbers, sequences and buffers that are not what they say."""

    def __init__(self, luck):
        self.luck = luck

    def __index__(self):
        return self.luck.choice(NUMBERS)

    def __len__(self):
        return self.luck.choice([0, 1, 3, 10 ** 6])

    def __getitem__(self, index):
        if self.luck.random() < 0.2:
            raise IndexError(index)
        return self.luck.choice(NUMBERS)

    def __fspath__(self):
        return "no-such\0file"


class Storm:
    """Objects of every kind, and calls with them."""

    def __init__(self, seed, folder):
        self.luck, self.folder = random.Random(seed), folder
        self.depth, self.calls = 0, 0
        self.pool = [None]
        for name, text in TEXTS.items():
            pathlib.Path(folder, name).write_text(text)
        self.add(cairn.Map.from_rows(GRID))
        functions = [value for name, value in vars(cairn).items()
                     if name in cairn.__all__ and callable(value)]
        self.functions = functions + [
            getattr(kind, name) for kind in functions if isinstance(kind, type)
            and issubclass(kind, cairn.Map) for name in dir(kind)
            if inspect.ismethod(getattr(kind, name)) and not name.startswith("_")] * 4

    def add(self, thing):
        kept = (cairn.Map, cairn.Table, cairn.Search, cairn.Flood, cairn.Bound, cairn.World,
                cairn.View, cairn.Path, cairn.Paths, cairn.Edit, cairn.CellEdits, array.array,
                memoryview, bytes)
        if isinstance(thing, kept):
            if len(self.pool) < 60:
                self.pool.append(thing)
            else:
                self.pool[self.luck.randrange(1, 60)] = thing
        elif isinstance(thing, (list, cairn.Paths)) and thing and isinstance(thing[0], kept):
            self.pool.append(thing[0])

    def of(self, *kinds):
        """Something of a kind, if the pool has any."""
        found = [thing for thing in self.pool if isinstance(thing, kinds)]
        return self.luck.choice(found) if found else None

    # ----------------------------------------------------------------------------- arguments --

    def anything(self):
        luck = self.luck
        return luck.choice([
            lambda: luck.choice(NUMBERS), lambda: luck.choice(NUMBERS), self.small, self.cell,
            lambda: luck.choice([None, True, False, 0.5, -1.5, 1e300, float("nan"), float("inf")]),
            lambda: "".join(luck.choices(LETTERS, k=luck.randrange(9))),
            lambda: luck.randbytes(luck.choice([0, 1, 7, 40, 1000])),
            lambda: [self.anything() for _ in range(luck.randrange(4))],
            lambda: tuple(self.anything() for _ in range(luck.randrange(4))),
            lambda: {self.small(): self.small()},
            lambda: array.array(luck.choice("bBhHiIlLqQfd"), range(luck.randrange(40))),
            lambda: memoryview(bytes(24)).cast("B", luck.choice([[24], [4, 6], [2, 3, 4]])),
            self.numbers,
            lambda: luck.choice(self.pool), lambda: luck.choice(self.pool),
            lambda: Hostile(luck), lambda: self.function, lambda: object(), self.plausible])()

    def numbers(self):
        """An array as the library takes it, with numbers that may not fit, or nearly such one."""
        luck = self.luck
        count = luck.choice([0, 1, 5, 40, 1000])
        most = luck.choice([11, 39, 39, 63, 2 ** 28, 2 ** 32 - 1])
        flat = array.array("I", luck.choices(range(most + 1), k=6 * count))
        return luck.choice([
            lambda: flat, lambda: memoryview(flat), lambda: memoryview(flat)[::2],
            lambda: memoryview(flat.tobytes()).cast(luck.choice("iIfB")),
            lambda: memoryview(flat).cast("B").cast("I", [2 * count, 3]) if count else flat,
            lambda: memoryview(flat).cast("B").cast("I", [3 * count, 2]) if count else flat,
            lambda: (cairn.QueryStruct * count).from_buffer(flat),
            lambda: memoryview((cairn.QueryStruct * count).from_buffer(flat))[::-1],
            lambda: (cairn.ArcStruct * count).from_buffer(flat),
            lambda: cairn.Columns(memoryview(flat)[:12],
                                  memoryview(flat).cast("B").cast("i")[-12:]),
            lambda: cairn.Columns(flat[:12], array.array("i", range(12)))])()

    def small(self):
        return self.luck.randrange(-1, 41)

    def cell(self):
        return self.luck.randrange(9), self.luck.randrange(6)

    def plausible(self):
        """Something that some call wants."""
        luck = self.luck
        return luck.choice([
            self.small, self.cell, self.rows, self.edit, self.name, self.arcs, self.file,
            lambda: [(self.cell(), self.cell()) for _ in range(luck.randrange(20))],
            lambda: luck.choice([cairn.Space, cairn.Rule, cairn.Placement, cairn.Heuristic,
                                 cairn.Form, cairn.Ties, cairn.Codec])(luck.randrange(4)),
            lambda: luck.choice([(1, 1), (10, 14), (5, 7), (2378, 3363), (1, 2)]),
            lambda: luck.choice(["S=3", "one-way", "T=2,S=blocked", "W=65534"]),
            lambda: {luck.choice(LETTERS): luck.choice([None, 1, 3, self.anything()])
                     for _ in range(luck.randrange(3))},
            lambda: [self.edit() for _ in range(luck.randrange(4))],
            lambda: cairn.Heights(8, 5, array.array("H", luck.choices(range(50), k=40)), 900, 100),
            lambda: self.function])()

    def rows(self):
        width, height = self.luck.choice([(8, 5), (1, 1), (9, 7), (24, 17), (70, 3)])
        letters = self.luck.choice([".@", "....@", ".ST@", ".^v<>@"])
        return ["".join(self.luck.choices(letters, k=width)) for _ in range(height)]

    def edit(self):
        luck, (x, y) = self.luck, self.cell()
        return luck.choice([
            lambda: cairn.block(x, y), lambda: cairn.open_cell(x, y),
            lambda: cairn.terrain(x, y, luck.choice(LETTERS)),
            lambda: cairn.rectangle(x, y, self.small(), self.small(), luck.choice(".@")),
            lambda: cairn.patch_bits(x, y, 3, 3, luck.randbytes(2)),
            lambda: cairn.patch_letters(x, y, 2, 2, "".join(luck.choices(LETTERS, k=4))),
            lambda: cairn.arc_cost(self.small(), self.small(), luck.choice(NUMBERS)),
            lambda: cairn.Edit(*(self.anything() for _ in range(luck.randrange(1, 9))))])()

    def arcs(self):
        luck = self.luck
        return [(luck.randrange(12), luck.randrange(12), luck.choice([1, 2, 9, 100, 2 ** 27]))
                for _ in range(luck.randrange(40))]

    def name(self):
        return os.path.join(self.folder, 
                            self.luck.choice(["a", "a", "b", "none", "no/where", "", *TEXTS]))

    def file(self):
        """What a table's file holds, whole or not; as bytes or as a stream."""
        luck, table = self.luck, self.of(cairn.Table)
        data = bytearray(table.to_bytes() if table else b"CAIRN")
        for _ in range(luck.choice([0, 0, 1, 3])):
            data[luck.randrange(len(data))] = luck.randrange(256)
        data = bytes(data[:luck.choice([len(data), luck.randrange(len(data) + 1)])])
        return luck.choice([data, io.BytesIO(data)])

    def function(self, *arguments):
        """For callbacks: answers, raises, or calls the module again."""
        luck = self.luck
        chance = luck.random()
        if chance < 0.02 and self.depth < 3:
            self.call()
        if chance > 0.99:
            raise ValueError("raised by a callback")
        if chance > 0.98:
            return self.anything()
        return luck.choice([0, 1, 5, [], [(luck.randrange(12), 3)]]) if chance > 0.9 else 0

    def neighbours(self, node):
        """For graphs by callbacks."""
        if self.luck.random() < 0.01:
            return self.function(node)
        return [(self.luck.randrange(12), self.luck.randrange(1, 9)) for _ in range(3)]

    # --------------------------------------------------------------------------------- calls --

    def call(self):
        """One call of something with something."""
        self.calls += 1
        self.depth += 1
        try:
            self.add(self.luck.choices([self.build_up, self.method, self.any_function, self.odd],
                                       [4, 10, 3, 1])[0]())
        except Exception:
            pass
        finally:
            self.depth -= 1

    def arguments(self, function):
        """As many as it may take, mostly, by the names it has."""
        luck = self.luck
        try:
            parameters = inspect.signature(function).parameters.values()
        except (TypeError, ValueError):
            parameters = ()
        positional, named = [], {}
        for parameter in parameters:
            if parameter.kind == parameter.VAR_KEYWORD:
                for name in luck.sample(["space", "weight", "nearest", "cancel", "form", "bound",
                                         "expansion_limit", "ties", "on_expand"], 2):
                    named[name] = self.argument(name)
            elif parameter.kind == parameter.KEYWORD_ONLY:
                if luck.random() < 0.3:
                    named[parameter.name] = self.argument(parameter.name)
            elif parameter.kind == parameter.VAR_POSITIONAL:
                positional += [self.argument(parameter.name) for _ in range(luck.randrange(4))]
            elif parameter.default is parameter.empty or luck.random() < 0.4:
                positional.append(self.argument(parameter.name))
        if luck.random() < 0.02:
            positional.append(self.anything())
        return positional, named

    def argument(self, name):
        luck = self.luck
        if name == "node_count":  # a function is called for each
            return luck.choice([0, 1, 12, -1, 2 ** 29, 2 ** 32, "x"])
        if name == "wait":  # the pool holds views that nobody releases
            return luck.choice([0, 0, .001, .02, -1, "x"])
        if luck.random() < 0.15:
            return self.anything()
        if name in ("pairs", "goals", "starts", "nodes", "places", "arcs") and luck.random() < 0.3:
            return self.numbers()
        fitting = {"edits": self.edit, "start": self.cell, "goal": self.cell, "place": self.cell,
                   "rows": self.rows,
                   "path": lambda: luck.choice([self.name(), self.name(), self.of(cairn.Path)]),
                   "arcs": self.arcs, "data": self.file,
                   "file": self.file, "weight": lambda: luck.uniform(1, 3),
                   "map": lambda: self.of(cairn.Map), "table": lambda: self.of(cairn.Table),
                   "sources": self.cell, "targets": self.cell,
                   "landmarks": lambda: luck.randrange(9),
                   "pairs": lambda: [(self.cell(), self.cell()) for _ in range(5)],
                   "arcs_of": lambda: self.neighbours, "bound": lambda: self.function,
                   "on_expand": lambda: self.function, "progress": lambda: self.function,
                   "flow": lambda: array.array("B", [luck.randrange(256)] * luck.choice([12, 64])),
                   "text": lambda: luck.choice(list(TEXTS.values())),
                   "terrain": lambda: luck.choice(["S=3", "one-way", "T=2,S=blocked", None]),
                   "metric": lambda: luck.choice([(1, 1), (10, 14), (5, 7), None]),
                   "pair": lambda: luck.choice([(1, 1), (10, 14), (5, 7)]),
                   "count_steps": lambda: luck.choice([(1, 1), None]), "row": lambda: 0,
                   "cost": lambda: luck.randrange(99), "nodes": lambda: range(luck.randrange(40)),
                   "heights": lambda: None, "rule": lambda: luck.choice(list(cairn.Rule)),
                   "charge": lambda: luck.choice(list(cairn.Charge)),
                   "placement": lambda: luck.choice(list(cairn.Placement)),
                   "heuristic": lambda: luck.choice(list(cairn.Heuristic)),
                   "space": lambda: luck.choice(list(cairn.Space)), "node": self.cell,
                   "places": lambda: None, "threads": lambda: luck.randrange(3),
                   "memory_limit": lambda: luck.choice([0, 1, 10 ** 6]),
                   "node_count": lambda: 12, "q": self.small, "r": self.small,
                   "cancel": lambda: lambda: False, "at": lambda: [self.cell()]}
        return fitting.get(name, self.plausible)()

    def apply(self, function):
        positional, named = self.arguments(function)
        return function(*positional, **named)

    def any_function(self):
        return self.apply(self.luck.choice(self.functions))

    def build_up(self):
        """What is likely to succeed, so that there is something to call."""
        map, table = self.of(cairn.Map), self.of(cairn.Table)
        search, world = self.of(cairn.Search), self.of(cairn.World)
        choice = self.luck.randrange(20)
        if choice <= 1 or map is None:
            return self.apply(self.luck.choice([
                cairn.Map.from_rows, cairn.Map.from_rows, cairn.Map.from_arcs, cairn.Map.parse,
                cairn.Map.load, cairn.Map.from_callbacks]))
        if choice <= 2 or table is None:
            return map.build(self.luck.randrange(1, 6), threads=1)
        if choice <= 4:
            return self.luck.choice([map, table]).search()
        if choice <= 6 or search is None:
            return self.luck.choice([map, table]).bound(self.cell())
        if choice <= 8:
            return search.begin(self.cell(), self.cell())
        if choice <= 10:
            return search.resume(self.luck.randrange(9))
        if choice <= 12:
            return map.edit(self.edit())
        if choice == 13:
            return table.refresh(cells=self.luck.randrange(40))
        if choice == 14 or world is None:
            return cairn.World(map.clone(), None)
        if choice == 15:
            return world.view()
        if choice == 16:
            return world.edit(self.edit())
        if choice == 17:
            return self.luck.choice([world.publish, world.draft])()
        return search.run(self.cell(), self.cell())

    def method(self):
        """Any method or property of any object."""
        kinds = sorted({type(thing).__name__ for thing in self.pool
                        if type(thing).__module__.startswith("cairn")})
        kind = self.luck.choice(kinds)
        thing = self.luck.choice([each for each in self.pool if type(each).__name__ == kind])
        name = self.luck.choice([name for name in dir(thing) if not name.startswith("_")])
        if self.luck.random() < 0.02:
            setattr(thing, name, self.anything())
        found = getattr(thing, name)
        return self.apply(found) if callable(found) else found

    def odd(self):
        """What Python does with objects beside calling their methods."""
        luck, place = self.luck, self.luck.randrange(len(self.pool))
        thing = self.pool[place]
        return luck.choice([
            lambda: copy.copy(thing), lambda: copy.deepcopy(thing),
            lambda: pickle.loads(pickle.dumps(thing)), lambda: repr(thing), lambda: str(thing),
            lambda: len(thing), lambda: bool(thing), lambda: hash(thing), 
            lambda: thing == self.pool[0],
            lambda: thing(self.anything()), lambda: list(thing)[:3], lambda: type(thing)(),
            lambda: type(thing)(*[self.anything() for _ in range(luck.randrange(1, 5))]),
            lambda: object.__new__(type(thing)), lambda: thing.__init__(self.anything()),
            lambda: thing.__enter__(), lambda: thing.__exit__(None, None, None),
            lambda: memoryview(thing), lambda: self.pool.__setitem__(place, None), gc.collect,
            lambda: thing.extend(range(9)),
            lambda: self.pool.append([thing, self.pool])])()  # a circle, for the collector


def blow(calls, seed):
    """The storm itself, in a process of its own: two thirds of the calls one after the other, the
    rest by three threads at once."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    faulthandler.enable()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        storm = Storm(seed, folder)
        while storm.calls < calls * 2 // 3:
            storm.call()
        threads = [threading.Thread(target=blow_beside, args=(storm, calls)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print(f"{storm.calls} calls")


def blow_beside(storm, calls):
    while storm.calls < calls:
        storm.call()


def main():
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 100000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    each = 10000
    for part in range(0, calls, each):
        wanted = min(each, calls - part)
        ended = subprocess.run([sys.executable, __file__, "blow", str(wanted), str(seed + part)],
                               capture_output=True, text=True)
        if ended.returncode != 0 or "calls" not in ended.stdout:
            sys.exit(f"the storm of seed {seed + part} ended with status {ended.returncode}\n"
                     f"{ended.stdout}{ended.stderr}")
    print(f"{calls} calls, seed {seed}: no process ended by itself")


if len(sys.argv) > 1 and sys.argv[1] == "blow":
    blow(int(sys.argv[2]), int(sys.argv[3]))
else:
    main()
