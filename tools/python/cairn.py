"""Cairn from Python: shortest paths on grids and graphs with landmarks.

    import cairn
    town = cairn.Map.load("town.map")
    table = town.build(landmarks=16)
    table.save("town.cairn")                  # next time: table = cairn.load("town.cairn")
    path = table.search().run((3, 3), (250, 215))
    print(path.length, path.expanded, path.cells[:5])
    paths = table.search_all([((3, 3), (250, 215)), ((9, 9), (250, 215))])   # on all processors

Needs nothing but the shared library (cmake -DBUILD_SHARED_LIBS=ON): the file that the environment
variable CAIRN_LIBRARY names, or the one that the system finds.

A node is a number, or a column and a row; y * width + x is the same node. Costs are whole numbers
in the metric of the map. Arrays of costs are array.array('I'), which numpy.frombuffer takes without
a copy, with UNREACHABLE where no path leads. What goes wrong is a cairn.Error. What calls mean
is said in cairn/cairn.h under the same name; objects belong to one thread at a time.
"""
import array
import ctypes
import ctypes.util
import enum
import operator
import os
import weakref
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char, c_char_p, c_double, c_int,
                    c_int32, c_size_t, c_uint16, c_uint32, c_uint64, c_uint8, c_void_p, sizeof)

UNREACHABLE = 0xffffffff
NO_NODE = 0xffffffff


class Rule(enum.IntEnum):
    """Which steps a grid has."""
    EIGHT, FOUR, EIGHT_ONE_SIDE, EIGHT_ANY, HEX = range(5)


class Charge(enum.IntEnum):
    """What a step over terrain costs: the factor of the cell entered, or the mean of both."""
    ENTERED, AVERAGE = range(2)


class Placement(enum.IntEnum):
    """Where landmarks go."""
    FARTHEST, RANDOM, BORDER, AVOID, GREEDY, REFINED, LIST = range(7)


class Plain(enum.IntEnum):
    """Distances over an empty map."""
    BEST, ZERO, MANHATTAN, CHEBYSHEV, OCTILE, EUCLIDEAN, HEX, SQUARED = range(8)


class Space(enum.IntEnum):
    """What a search moves along."""
    AUTO, CELLS, CANONICAL, JUMP = range(4)


class Outcome(enum.IntEnum):
    """How a search ended."""
    FOUND, NONE, START_BLOCKED, GOAL_BLOCKED, NEAREST, PAUSED = range(6)


class NodeState(enum.IntEnum):
    """What a search has done with a node."""
    UNSEEN, OPEN, CLOSED = range(3)


class RowState(enum.IntEnum):
    """What a row is good for after edits."""
    FRESH, WEAKER, UNSAFE = range(3)


# ------------------------------------------------------------------- structs of cairn/cairn.h --

class _Error(Structure):
    _fields_ = [("status", c_int), ("line", c_uint64), ("offset", c_uint64),
                ("expected", c_char_p), ("found", c_char * 64)]


class _Metric(Structure):
    _fields_ = [("straight", c_uint32), ("diagonal", c_uint32)]


class _Alphabet(Structure):
    _fields_ = [("cost", c_uint16 * 256)]


class _MapOptions(Structure):
    _fields_ = [("size", c_size_t), ("metric", _Metric), ("allocator", c_void_p), ("rule", c_int),
                ("charge", c_int), ("alphabet", POINTER(_Alphabet)), ("heights", c_void_p)]


class _Arc(Structure):
    _fields_ = [("from", c_uint32), ("to", c_uint32), ("cost", c_uint32)]


_ARCS_OF = CFUNCTYPE(c_uint32, c_void_p, c_uint32, POINTER(_Arc), c_uint32)
_BOUND_OF = CFUNCTYPE(c_uint32, c_void_p, c_uint32, c_uint32)


class _OwnGraph(Structure):
    _fields_ = [("size", c_size_t), ("node_count", c_uint32), ("arcs", _ARCS_OF),
                ("bound", _BOUND_OF), ("context", c_void_p)]


class _Edit(Structure):
    _fields_ = [("kind", c_int), ("x", c_uint32), ("y", c_uint32), ("width", c_uint32),
                ("height", c_uint32), ("letter", c_char), ("data", c_void_p), ("arc", _Arc)]


class _Query(Structure):
    _fields_ = [("bucket", c_uint32), ("start", c_uint32), ("goal", c_uint32), ("length", c_double)]


class _BuildOptions(Structure):
    _fields_ = [("size", c_size_t), ("landmark_count", c_uint32), ("thread_count", c_uint32),
                ("seed", c_uint64), ("placement", c_int), ("metric", c_int), ("progress", c_void_p),
                ("pairs", POINTER(_Query)), ("pair_count", c_size_t), ("candidate_count", c_uint32),
                ("listed", POINTER(c_uint32)), ("listed_count", c_size_t), ("flat_metric", _Metric)]


class _SaveOptions(Structure):
    _fields_ = [("size", c_size_t), ("codec", c_int), ("row_count", c_uint32),
                ("thread_count", c_uint32), ("progress", c_void_p), ("map_part", c_int)]


class _LoadOptions(Structure):
    _fields_ = [("size", c_size_t), ("row_count", c_uint32), ("thread_count", c_uint32),
                ("allocator", c_void_p), ("memory_limit", c_uint64), ("map", c_void_p),
                ("progress", c_void_p)]


class _Fault(Structure):
    _fields_ = [("row", c_uint32), ("node", c_uint32), ("stored", c_uint32), ("possible", c_uint32)]


class _Bound(Structure):
    _fields_ = [("map", c_void_p), ("table", c_void_p), ("goal_row", c_void_p),
                ("rows", CFUNCTYPE(c_uint32, c_void_p, c_void_p, c_void_p, c_uint32)),
                ("goal", c_uint32), ("goal_x", c_uint32), ("goal_y", c_uint32), ("plain", c_uint32),
                ("scale", c_uint32), ("scale_shift", c_uint32), ("apart_from", c_uint32),
                ("map_version", c_uint64), ("table_version", c_uint64)]


class _SearchOptions(Structure):
    _fields_ = [("size", c_size_t), ("bound", c_void_p), ("bound_context", c_void_p),
                ("allocator", c_void_p), ("space", c_int), ("form", c_int), ("stale", c_int),
                ("on_expand", c_void_p), ("expand_context", c_void_p), ("plain", c_int),
                ("weight", c_uint32), ("ties", c_int), ("nearest", c_bool), ("resumable", c_bool),
                ("expansion_limit", c_uint64)]


class _Path(Structure):
    _fields_ = [("outcome", c_int), ("cost", c_uint32), ("length", c_double),
                ("nodes", POINTER(c_uint32)), ("node_count", c_size_t), ("expanded", c_uint64),
                ("generated", c_uint64), ("open_peak", c_uint64), ("corners", POINTER(c_uint32)),
                ("corner_count", c_size_t), ("space", c_int), ("state", c_int),
                ("row_count", c_uint32), ("guarantee", c_uint32), ("reopened", c_uint64),
                ("run", c_uint64)]


class _NodeInfo(Structure):
    _fields_ = [("state", c_int), ("parent", c_uint32), ("g", c_uint32), ("h", c_uint32),
                ("f", c_uint64)]


# Structs by their names in the header, for the test that compares them.
STRUCTS = {"error": _Error, "metric": _Metric, "alphabet": _Alphabet, "map_options": _MapOptions,
           "arc": _Arc, "own_graph": _OwnGraph, "edit": _Edit, "query": _Query,
           "build_options": _BuildOptions, "save_options": _SaveOptions,
           "load_options": _LoadOptions, "fault": _Fault, "bound": _Bound,
           "search_options": _SearchOptions, "path": _Path, "node_info": _NodeInfo}

_OUT = POINTER(c_void_p)
_NODES = POINTER(c_uint32)

# Result and arguments of each function, by its name in the header.
FUNCTIONS = {
    "version": (c_char_p,),
    "status_text": (c_char_p, c_int),
    "alphabet_init": (None, POINTER(_Alphabet)),
    "alphabet_parse": (c_int, c_char_p, c_size_t, POINTER(_Alphabet), POINTER(_Error)),
    "map_load": (c_int, c_char_p, POINTER(_MapOptions), _OUT, POINTER(_Error)),
    "map_parse": (c_int, c_char_p, c_size_t, POINTER(_MapOptions), _OUT, POINTER(_Error)),
    "map_from_letters": (c_int, c_uint32, c_uint32, c_char_p, POINTER(_MapOptions), _OUT,
                         POINTER(_Error)),
    "map_from_arcs": (c_int, c_uint32, POINTER(_Arc), c_size_t, POINTER(c_int32), POINTER(c_int32),
                      POINTER(_MapOptions), _OUT),
    "map_from_own": (c_int, POINTER(_OwnGraph), POINTER(_MapOptions), _OUT),
    "roads_load": (c_int, c_char_p, c_char_p, POINTER(_MapOptions), _OUT, POINTER(_Error)),
    "map_free": (None, c_void_p),
    "map_width": (c_uint32, c_void_p),
    "map_height": (c_uint32, c_void_p),
    "map_node_count": (c_uint32, c_void_p),
    "map_open_count": (c_uint32, c_void_p),
    "map_letter": (c_char, c_void_p, c_uint32),
    "map_is_open": (c_bool, c_void_p, c_uint32),
    "map_is_directed": (c_bool, c_void_p),
    "map_metric": (_Metric, c_void_p),
    "map_hash": (c_uint64, c_void_p),
    "length": (c_double, c_void_p, c_uint32),
    "costs_from": (c_int, c_void_p, _NODES, c_size_t, _NODES),
    "costs_to": (c_int, c_void_p, _NODES, c_size_t, _NODES),
    "block": (_Edit, c_uint32, c_uint32),
    "open": (_Edit, c_uint32, c_uint32),
    "terrain": (_Edit, c_uint32, c_uint32, c_char),
    "rectangle": (_Edit, c_uint32, c_uint32, c_uint32, c_uint32, c_char),
    "arc_cost": (_Edit, c_uint32, c_uint32, c_uint32),
    "map_edit": (c_int, c_void_p, POINTER(_Edit), c_size_t),
    "scenario_load": (c_int, c_char_p, c_void_p, _OUT, POINTER(_Error)),
    "scenario_free": (None, c_void_p),
    "scenario_queries": (POINTER(_Query), c_void_p),
    "scenario_count": (c_size_t, c_void_p),
    "table_build": (c_int, c_void_p, POINTER(_BuildOptions), _OUT),
    "table_free": (None, c_void_p),
    "table_row_count": (c_uint32, c_void_p),
    "table_entry_bits": (c_uint32, c_void_p),
    "table_memory": (c_size_t, c_void_p),
    "table_landmarks": (c_size_t, c_void_p, c_uint32, POINTER(_NODES)),
    "table_cost": (c_uint32, c_void_p, c_uint32, c_uint32),
    "table_row_state": (c_int, c_void_p, c_void_p, c_uint32),
    "table_verify": (c_int, c_void_p, c_void_p, c_uint32, POINTER(_Fault)),
    "save": (c_int, c_void_p, c_void_p, c_char_p, POINTER(_SaveOptions)),
    "load": (c_int, c_char_p, POINTER(_LoadOptions), _OUT, _OUT, POINTER(_Error)),
    "refresh_step": (c_int, c_void_p, c_void_p, c_uint64),
    "bound_with": (c_int, c_void_p, c_void_p, c_uint32, c_int, POINTER(_Bound)),
    "bound_at": (c_uint32, POINTER(_Bound), c_uint32),
    "bounds_at": (None, POINTER(_Bound), _NODES, c_size_t, _NODES),
    "search_new": (c_int, c_void_p, c_void_p, POINTER(_SearchOptions), _OUT),
    "search_free": (None, c_void_p),
    "search_run": (c_int, c_void_p, c_uint32, c_uint32, POINTER(_Path)),
    "search_begin": (c_int, c_void_p, c_uint32, c_uint32, POINTER(_Path)),
    "search_resume": (c_int, c_void_p, c_uint64, POINTER(_Path)),
    "search_look": (c_int, c_void_p, c_uint32, POINTER(_NodeInfo)),
    "search_batch": (c_int, c_void_p, c_void_p, POINTER(_SearchOptions), c_uint32, POINTER(_Query),
                     c_size_t, _OUT),
    "batch_paths": (POINTER(_Path), c_void_p),
    "batch_free": (None, c_void_p),
}


class _Library:
    """The functions of the library, without their prefix."""

    def __init__(self):
        name = os.environ.get("CAIRN_LIBRARY") or ctypes.util.find_library("cairn")
        if not name:
            raise ImportError("libcairn was not found: set CAIRN_LIBRARY to its file")
        shared = ctypes.CDLL(name)
        for name, (result, *arguments) in FUNCTIONS.items():
            function = getattr(shared, "cairn_" + name)
            function.restype = result
            function.argtypes = arguments
            setattr(self, name, function)


_lib = _Library()
VERSION = _lib.version().decode()

_OK, _INEXACT, _MORE = 0, 8, 10
_CELLS, _MICROSECONDS, _UNLIMITED = 0, 1, 2 ** 64 - 1


# ------------------------------------------------------------------------------------ helpers --

class Error(Exception):
    """What the library refuses: `status` is a cairn_status, `line` one of a text or 0."""

    def __init__(self, status, where=None, error=None):
        self.status = status
        self.line = error.line if error else 0
        parts = [where] if where else []
        if self.line:
            parts.append(f"line {self.line}")
        parts.append(_reason(status, error))
        super().__init__(": ".join(parts))


def _reason(status, error):
    if not error or not error.expected:
        return _lib.status_text(status).decode()
    found = error.found.decode(errors="replace")
    return f"expected {error.expected.decode()}" + (f", found {found}" if found else "")


def _check(status, where=None, error=None):
    if status not in (_OK, _MORE):
        raise Error(status, where, error)
    return status


def _options(kind, **fields):
    return kind(size=sizeof(kind), **fields)


def _nodes(numbers):
    return (c_uint32 * len(numbers))(*numbers)


def _new_costs(count):
    """An array for the library to fill, and its address."""
    costs = array.array("I", bytes(4 * count))
    return costs, (c_uint32 * count).from_buffer(costs)


def _map_options(rule, charge, metric, terrain):
    options = _options(_MapOptions, rule=rule, charge=charge)
    if metric:
        options.metric = _Metric(*metric)
    if terrain:
        alphabet, error = _Alphabet(), _Error()
        _lib.alphabet_init(byref(alphabet))
        text = terrain.encode()
        status = _lib.alphabet_parse(text, len(text), byref(alphabet), byref(error))
        _check(status, "terrain", error)
        options.alphabet = ctypes.pointer(alphabet)
    return options


class _Object:
    """Something of the library's, given back when nobody refers to it any more."""

    def __init__(self, pointer, free):
        self._as_parameter_ = pointer
        weakref.finalize(self, free, pointer)


# --------------------------------------------------------------------------------------- edits --

def block(x, y):
    """A cell becomes blocked."""
    return _lib.block(x, y)


def open_cell(x, y):
    """A cell becomes open ground."""
    return _lib.open(x, y)


def terrain(x, y, letter):
    """A cell takes a letter."""
    return _lib.terrain(x, y, letter.encode("latin-1"))


def rectangle(x, y, width, height, letter):
    """Every cell of a rectangle takes a letter."""
    return _lib.rectangle(x, y, width, height, letter.encode("latin-1"))


def arc_cost(start, end, cost):
    """An arc of a graph takes a cost."""
    return _lib.arc_cost(start, end, cost)


# ---------------------------------------------------------------------------------------- maps --

class Map(_Object):
    """A grid or a graph."""

    def __init__(self, pointer):
        super().__init__(pointer, _lib.map_free)

    @classmethod
    def load(cls, path, *, rule=Rule.EIGHT, charge=Charge.ENTERED, metric=None, terrain=None,
             places=None):
        """Reads a .map, or a .gr with its .co in `places`. `metric` is what a straight and a
        diagonal step cost, `terrain` a text such as "S=3,W=blocked"."""
        options, made, error = _map_options(rule, charge, metric, terrain), c_void_p(), _Error()
        name = os.fsencode(path)
        if places is None:
            status = _lib.map_load(name, byref(options), byref(made), byref(error))
        else:
            status = _lib.roads_load(name, os.fsencode(places), byref(options), byref(made),
                                     byref(error))
        _check(status, str(path), error)
        return cls(made)

    @classmethod
    def parse(cls, text, *, rule=Rule.EIGHT, charge=Charge.ENTERED, metric=None, terrain=None):
        """The same from the text of a file."""
        options, made, error = _map_options(rule, charge, metric, terrain), c_void_p(), _Error()
        data = text.encode("latin-1") if isinstance(text, str) else bytes(text)
        _check(_lib.map_parse(data, len(data), byref(options), byref(made), byref(error)), None,
               error)
        return cls(made)

    @classmethod
    def from_rows(cls, rows, *, rule=Rule.EIGHT, charge=Charge.ENTERED, metric=None, terrain=None):
        """A grid from equally long rows of letters: "." is open, "@" blocked."""
        width = len(rows[0]) if rows else 0
        if any(len(row) != width for row in rows):
            raise ValueError("rows of different lengths")
        options, made, error = _map_options(rule, charge, metric, terrain), c_void_p(), _Error()
        letters = "".join(rows).encode("latin-1")
        _check(_lib.map_from_letters(width, len(rows), letters, byref(options), byref(made),
                                     byref(error)), None, error)
        return cls(made)

    @classmethod
    def from_arcs(cls, node_count, arcs, places=None):
        """A graph from (from, to, cost) triples; `places` are (x, y) of every node."""
        made = c_void_p()
        all_arcs = (_Arc * len(arcs))(*arcs)
        x = y = None
        if places is not None:
            if len(places) != node_count:
                raise ValueError("as many places as nodes are wanted")
            x = (c_int32 * node_count)(*(place[0] for place in places))
            y = (c_int32 * node_count)(*(place[1] for place in places))
        _check(_lib.map_from_arcs(node_count, all_arcs, len(arcs), x, y, None, byref(made)))
        return cls(made)

    @classmethod
    def from_own(cls, node_count, arcs_of, bound=None):
        """A graph of your own: arcs_of(node) gives the (to, cost) pairs that leave a node, and is
        asked at once; bound(node, goal), if there is one, a cost that no path undercuts."""
        arcs = [(node, to, cost) for node in range(node_count) for to, cost in arcs_of(node)]
        if bound is None:
            return cls.from_arcs(node_count, arcs)
        leaving = [[] for _ in range(node_count)]
        for arc in arcs:
            leaving[arc[0]].append(_Arc(*arc))

        def write_arcs(_, node, to, room):
            for place, arc in enumerate(leaving[node][:room]):
                to[place] = arc
            return len(leaving[node])

        graph = _options(_OwnGraph, node_count=node_count, arcs=_ARCS_OF(write_arcs),
                         bound=_BOUND_OF(lambda _, node, goal: bound(node, goal)))
        made = c_void_p()
        _check(_lib.map_from_own(byref(graph), None, byref(made)))
        own = cls(made)
        own._graph = graph  # whose bound is called as long as there is the map
        return own

    @property
    def width(self):
        return _lib.map_width(self)

    @property
    def height(self):
        return _lib.map_height(self)

    @property
    def node_count(self):
        return _lib.map_node_count(self)

    @property
    def open_count(self):
        return _lib.map_open_count(self)

    @property
    def metric(self):
        """What a straight and a diagonal step cost."""
        metric = _lib.map_metric(self)
        return metric.straight, metric.diagonal

    @property
    def hash(self):
        return _lib.map_hash(self)

    @property
    def is_directed(self):
        return _lib.map_is_directed(self)

    def node(self, place):
        """The number of a node that is given as a number or as a column and a row."""
        try:
            node = operator.index(place)
        except TypeError:
            x, y = place
            node = y * self.width + x if 0 <= x < self.width and 0 <= y < self.height else -1
        if not 0 <= node < self.node_count:
            raise IndexError(f"{place} is not on the map")
        return node

    def cell(self, node):
        """Column and row of a node."""
        return node % self.width, node // self.width

    def is_open(self, place):
        return _lib.map_is_open(self, self.node(place))

    def letter(self, place):
        return _lib.map_letter(self, self.node(place)).decode("latin-1")

    def length(self, cost):
        """A cost in straight steps."""
        return _lib.length(self, cost)

    def costs_from(self, *sources):
        """From the nearest of the sources to every node."""
        return self._costs(_lib.costs_from, sources)

    def costs_to(self, *targets):
        """From every node to the nearest of the targets."""
        return self._costs(_lib.costs_to, targets)

    def _costs(self, measure, places):
        nodes = _nodes([self.node(place) for place in places])
        costs, address = _new_costs(self.node_count)
        _check(measure(self, nodes, len(nodes), address))
        return costs

    def scenario(self, path):
        """The queries of a .scen file: (start, goal, published length)."""
        made, error = c_void_p(), _Error()
        _check(_lib.scenario_load(os.fsencode(path), self, byref(made), byref(error)), str(path),
               error)
        queries = _lib.scenario_queries(made)
        found = [(queries[i].start, queries[i].goal, queries[i].length)
                 for i in range(_lib.scenario_count(made))]
        _lib.scenario_free(made)
        return found

    def build(self, landmarks=0, *, placement=Placement.FARTHEST, compact=False, seed=0, threads=0,
              at=(), pairs=(), count_steps=None):
        """A table of costs from so many sets of landmarks; 0: 16, or as many as `at` lists.

        `compact` gives the map the finest metric whose costs fit 16 bits. `at` are landmarks of
        your own, `pairs` (start, goal) to place others for. `count_steps` is the metric of a table
        that leaves terrain out, such as (1, 1)."""
        listed = _nodes([self.node(place) for place in at])
        queries = self._queries(pairs)
        options = _options(_BuildOptions, landmark_count=landmarks, thread_count=threads, seed=seed,
                           placement=Placement.LIST if at else placement, metric=int(compact),
                           pairs=queries, pair_count=len(queries), listed=listed,
                           listed_count=len(listed), flat_metric=_Metric(*(count_steps or (0, 0))))
        made = c_void_p()
        _check(_lib.table_build(self, byref(options), byref(made)))
        return Table(made, self)

    def _queries(self, pairs):
        return (_Query * len(pairs))(*((0, self.node(pair[0]), self.node(pair[1]), 0)
                                       for pair in pairs))

    def edit(self, *edits):
        """Applies edits, all or none. Searches are right at once; Table.refresh repairs tables."""
        _check(_lib.map_edit(self, (_Edit * len(edits))(*edits), len(edits)))

    def search(self, **options):
        """A search by plain distance alone; options as Table.search has them."""
        return Search(self, None, **options)

    def search_all(self, pairs, *, threads=0, **options):
        """The paths of many (start, goal) pairs by plain distance alone."""
        return _search_all(self, None, pairs, threads, options)

    def bound(self, goal, plain=Plain.BEST):
        """Plain distance to a goal."""
        return Bound(self, None, goal, plain)


# -------------------------------------------------------------------------------------- tables --

def load(path, *, rows=0, threads=0, memory_limit=0, map=None):
    """Reads a table and its map, table.map; at most so many rows."""
    options = _options(_LoadOptions, row_count=rows, thread_count=threads,
                       memory_limit=memory_limit, map=map and map._as_parameter_.value)
    made_map, made, error = c_void_p(), c_void_p(), _Error()
    status = _lib.load(os.fsencode(path), byref(options), None if map else byref(made_map),
                       byref(made), byref(error))
    _check(status, str(path), error)
    return Table(made, map or Map(made_map))


class Table(_Object):
    """Costs between landmarks and every node of `map`."""

    def __init__(self, pointer, map):
        super().__init__(pointer, _lib.table_free)
        self.map = map

    def __len__(self):
        """How many rows."""
        return _lib.table_row_count(self)

    @property
    def entry_bits(self):
        return _lib.table_entry_bits(self)

    @property
    def memory(self):
        """Bytes."""
        return _lib.table_memory(self)

    def landmarks(self, row):
        """The nodes of a row's landmarks, one in each component."""
        found = _NODES()
        count = _lib.table_landmarks(self, self._row(row), byref(found))
        return found[:count]

    def cost(self, row, place):
        """Between a node and the nearest landmark of a row."""
        return _lib.table_cost(self, self._row(row), self.map.node(place))

    def state(self, row):
        return RowState(_lib.table_row_state(self, self.map, self._row(row)))

    def _row(self, row):
        if not 0 <= row < len(self):
            raise IndexError(f"there is no row {row}")
        return row

    def verify(self, threads=0):
        """Raises Error unless every entry is exact."""
        fault = _Fault()
        status = _lib.table_verify(self, self.map, threads, byref(fault))
        _check(status, f"row {fault.row}, node {fault.node}" if status == _INEXACT else None)

    def save(self, path, *, rows=0, threads=0, with_map=True):
        """Writes table and map into one file, whole or not at all."""
        options = _options(_SaveOptions, row_count=rows, thread_count=threads,
                           map_part=int(not with_map))
        _check(_lib.save(self.map, self, os.fsencode(path), byref(options)), str(path))

    def refresh(self, *, cells=None, microseconds=None):
        """Repairs what edits changed, for at most so many cells or microseconds. Returns whether
        every row is exact again."""
        budget = _UNLIMITED
        if cells is not None:
            budget = cells << 1 | _CELLS
        elif microseconds is not None:
            budget = microseconds << 1 | _MICROSECONDS
        return _check(_lib.refresh_step(self, self.map, budget)) == _OK

    def search(self, **options):
        """A search along the table. Options: space, plain, weight (from 1.0), nearest (True: a path
        to the nearest node where none leads to the goal), resumable (True: for Search.begin)."""
        return Search(self.map, self, **options)

    def search_all(self, pairs, *, threads=0, **options):
        """The paths of many (start, goal) pairs, in their order; 0: as many threads as processors.
        Options as search has them."""
        return _search_all(self.map, self, pairs, threads, options)

    def bound(self, goal, plain=Plain.BEST):
        """The bound on costs to a goal."""
        return Bound(self.map, self, goal, plain)


class Bound:
    """A lower bound on the cost to one goal, while map and table stay as they are."""

    def __init__(self, map, table, goal, plain):
        self.map, self.table = map, table
        self._bound = _Bound()
        _check(_lib.bound_with(map, table, map.node(goal), plain, byref(self._bound)))

    def __call__(self, place):
        """Of one node."""
        return _lib.bound_at(byref(self._bound), self.map.node(place))

    def of_all(self):
        """Of every node of the map; of blocked ones it means nothing."""
        count = self.map.node_count
        nodes = (c_uint32 * count).from_buffer(array.array("I", range(count)))
        bounds, address = _new_costs(count)
        _lib.bounds_at(byref(self._bound), nodes, count, address)
        return bounds


# ------------------------------------------------------------------------------------ searches --

class Path:
    """What a search found: outcome, cost, length, nodes, corners, and what it took."""

    def __init__(self, map, path):
        self._map = map
        self.outcome = Outcome(path.outcome)
        self.cost, self.length = path.cost, path.length
        self.expanded, self.generated, self.reopened = path.expanded, path.generated, path.reopened
        self.open_peak, self.row_count = path.open_peak, path.row_count
        self.space, self.state = Space(path.space), RowState(path.state)
        self.guarantee = path.guarantee / 1000 if path.guarantee else None
        self.nodes = path.nodes[:path.node_count]
        self.corners = path.corners[:path.corner_count]

    def __bool__(self):
        return self.outcome == Outcome.FOUND

    @property
    def cells(self):
        """Columns and rows of the nodes."""
        return [self._map.cell(node) for node in self.nodes]

    def __repr__(self):
        return (f"<cairn.Path {self.outcome.name.lower()}, length {self.length:.2f}, "
                f"{self.expanded} expanded>")


def _search_options(space=Space.AUTO, plain=Plain.BEST, weight=1.0, nearest=False,
                    resumable=False):
    return _options(_SearchOptions, space=space, plain=plain, weight=round(weight * 1000),
                    nearest=nearest, resumable=resumable)


def _search_all(map, table, pairs, threads, options):
    queries, made = map._queries(pairs), c_void_p()
    _check(_lib.search_batch(map, table, byref(_search_options(**options)), threads, queries,
                             len(queries), byref(made)))
    try:
        paths = _lib.batch_paths(made)
        return [Path(map, paths[i]) for i in range(len(queries))]
    finally:
        _lib.batch_free(made)


class Look:
    """What a search knows of a node: its state, parent (None: unseen), g, h and f."""

    def __init__(self, info):
        self.state = NodeState(info.state)
        self.parent = None if info.parent == NO_NODE else info.parent
        self.g, self.h, self.f = info.g, info.h, info.f


class Search(_Object):
    """A* over a map, which keeps its memory from run to run."""

    def __init__(self, map, table, **options):
        made = c_void_p()
        _check(_lib.search_new(map, table, byref(_search_options(**options)), byref(made)))
        super().__init__(made, _lib.search_free)
        self.map, self.table = map, table

    def run(self, start, goal):
        """A shortest path, of its own when the search goes on."""
        path = _Path()
        _check(_lib.search_run(self, self.map.node(start), self.map.node(goal), byref(path)))
        return Path(self.map, path)

    def begin(self, start, goal):
        """Puts the start on the open list of a resumable search. Its outcome is PAUSED while there
        is more to do."""
        path = _Path()
        _check(_lib.search_begin(self, self.map.node(start), self.map.node(goal), byref(path)))
        return Path(self.map, path)

    def resume(self, expansions=1):
        """Expands at most so many nodes more."""
        path = _Path()
        _check(_lib.search_resume(self, expansions, byref(path)))
        return Path(self.map, path)

    def look(self, place):
        """What the search knows of a node, between two steps or after a run."""
        info = _NodeInfo()
        _check(_lib.search_look(self, self.map.node(place), byref(info)))
        return Look(info)
