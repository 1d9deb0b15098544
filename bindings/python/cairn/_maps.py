"""Maps: grids and graphs."""
from __future__ import annotations

import array
import concurrent.futures
import ctypes
import itertools
import operator
import os
import typing
from ctypes import (POINTER, byref, c_char, c_int32, c_size_t, c_uint8, c_uint16, c_uint32,
                    c_uint64, c_void_p, cast)
from typing import Any, Callable, Iterable, List, Optional, SupportsIndex, Tuple

from . import _native
from ._convert import (NODES, Columns, address, all_below, arc_structs, are_not_zero, cells_view,
                       check_letters, check_nodes, coordinates, have_signs, in_place, is_cell,
                       is_of_costs, listed, map_options, metric_struct, new_costs, node_arrays,
                       numbers_in_place, path_bytes, places_of, progress_pointer, rows_in_place,
                       structs, text_bytes, view_of, whole_numbers)
from ._edits import Edits, Query, make_edits, queries, query_of
from ._enums import (NO_NODE, Anchor, Charge, Codec, Form, Heuristic, Placement, Resident, Rule,
                     Space, Ties)
from ._errors import (ArgumentError, ChangedError, Error, LimitError, Status, check,
                      guarded)
from ._floods import Flood
from ._native import index, lib, options, whole
from ._owned import Guard, Owned, Record, check_kind, freeing_itself, pointer_of
from ._pools import pool_pointer
from ._slices import floods_in_parts
from ._searches import Bound, Path, Paths, Search, check_path, search_all, search_options
from ._tables import Table, TableRecord, save_options
from ._types import Pair, Pairs, PathName, Place, Places, Progress, Terrain, Text

_STEPS_AT_FIRST = 8  # all of a grid

_CELLS_AS_ONE_CALL = 32  # so many are told all at once in less time than one of them alone

NODES_MAX = 1 << 28
ROWS_MAX = 256
UNITS_MAX = 64


class Heights(typing.NamedTuple):
    """Heights of the cells of a grid: `cells` are width * height numbers of 16 bits in row order
    (array.array('H'), an array of numpy, a list). A step up costs `climb` thousandths of a straight
    step more for each unit, a step down `descend`."""
    width: int
    height: int
    cells: typing.Any
    climb: int
    descend: int


def _queries_of_rows(pairs):
    """Structs of the numbers of starts and goals, row by row."""
    if not len(pairs):
        return (_native.Query * 0)()
    found = (_native.Query * (len(pairs) // 2))()
    found.have_signs = have_signs(pairs)
    every = ctypes.sizeof(_native.Query) // 4
    members, given = (memoryview(part).cast("B").cast("I") for part in (found, pairs))
    for column, member in enumerate((_native.Query.start, _native.Query.goal)):
        members[member.offset // 4::every] = given[column::2]
    return found


def _part(numbers, first, end=None):
    """Some of an array of ctypes, in the same memory."""
    some = (c_uint32 * ((len(numbers) if end is None else end) - first)).from_buffer(
        numbers, 4 * first)
    some.held, some.have_signs = numbers, have_signs(numbers)
    return some


def _ends(pair):
    """Start and goal of what is a query, or two places."""
    if isinstance(pair, (Query, _native.Query)):
        return pair.start, pair.goal
    try:
        start, goal = pair
    except (TypeError, ValueError) as refusal:
        kind = TypeError if isinstance(refusal, TypeError) else ValueError
        raise kind(f"expected a start and a goal, or a cairn.Query; found {pair!r}") from None
    return start, goal


def _column_and_row(place):
    """Of a tuple that has not two."""
    raise ValueError(f"expected a node, as its number or as its column and row; found {place!r}")


def _number(place):
    """Of what is no tuple."""
    try:
        return index(place)
    except TypeError:
        remedy = ": write tuple(...) for a cell, since lists and arrays hold several nodes" \
            if hasattr(place, "__len__") and not isinstance(place, (str, bytes, dict)) else ""
        raise TypeError("expected a node, as its number or as its column and row; "
                        f"found {place!r}{remedy}") from None


class BuildSummary(typing.NamedTuple):
    """What Map.build_file wrote: rows, bits of an entry, bytes that the table takes when loaded,
    those that were counted for the build where it had a memory_limit, and whether its rows count
    steps."""
    row_count: int
    entry_bits: int
    table_memory: int
    memory: int
    counts_steps: bool


MapRecord = freeing_itself(Record, lib.map_free)


class Map(Owned):
    """A grid or a graph.

    A node is a number, or a column and a row as a tuple; y * width + x is the same. Options of
    grids: `rule`, which steps there are; `charge`, what they cost over terrain; `metric`, what a
    straight and a diagonal step cost, such as (10, 14); `terrain`, what letters mean, such as
    "S=3,W=blocked" or {"S": 3, "W": None}; `heights`, a Heights."""

    __slots__ = ("_guard", "_width", "_height", "_node_count", "_may_change", "_calls_back")
    _kind = "Map"
    _made_by = "Map.load, parse, from_rows, from_array, from_arcs and from_callbacks"

    @classmethod
    def _new(cls, record, calls_back=None):
        self = cls.__new__(cls)
        self._own(record)
        self._calls_back = calls_back
        self._measure(Guard(), may_change=True)
        return self

    def _measure(self, guard, may_change):
        """What never changes, and whether the rest may."""
        self._guard, self._may_change = guard, may_change
        self._width, self._height = lib.map_width(self._pointer), lib.map_height(self._pointer)
        self._node_count = lib.map_node_count(self._pointer)

    @classmethod
    def _made(cls, function, where, *arguments):
        made, error = MapRecord(), _native.Error()
        check(function(*arguments, byref(made), byref(error)), where, error)
        return cls._new(made)

    # ------------------------------------------------------------------------- made from --

    @classmethod
    def load(cls, path: PathName, *, rule: Rule = Rule.EIGHT, charge: Charge = Charge.ENTERED,
             metric: Optional[Pair] = None, terrain: Optional[Terrain] = None,
             heights: Optional[Heights] = None, places: Optional[PathName] = None) -> Map:
        """Reads a grid from a .map file, or a graph from a .gr file with the .co file `places`."""
        chosen, name = map_options(rule, charge, metric, terrain, heights), path_bytes(path)
        if places is None:
            return cls._made(lib.map_load, path, name, byref(chosen))
        made, error = MapRecord(), _native.Error()
        status = lib.roads_load(name, path_bytes(places), byref(chosen), byref(made), byref(error))
        is_aside = b"the file of places" in (error.expected or b"")
        check(status, places if is_aside else path, error)
        return cls._new(made)

    @classmethod
    def parse(cls, text: Text, *, rule: Rule = Rule.EIGHT, charge: Charge = Charge.ENTERED,
              metric: Optional[Pair] = None, terrain: Optional[Terrain] = None,
              heights: Optional[Heights] = None, places: Optional[Text] = None) -> Map:
        """The same from the text of a file, a str or bytes."""
        chosen, data = map_options(rule, charge, metric, terrain, heights), text_bytes(text)
        if places is None:
            return cls._made(lib.map_parse, None, data, len(data), byref(chosen))
        aside = text_bytes(places)
        return cls._made(lib.roads_parse, None, data, len(data), aside, len(aside), byref(chosen))

    @classmethod
    def from_rows(cls, rows: Iterable[Text], *, rule: Rule = Rule.EIGHT,
                  charge: Charge = Charge.ENTERED, metric: Optional[Pair] = None,
                  terrain: Optional[Terrain] = None, heights: Optional[Heights] = None) -> Map:
        """A grid from equally long rows of letters: "." is open, "@" blocked."""
        lines = [text_bytes(row) for row in rows]
        width = len(lines[0]) if lines else 0
        if any(len(line) != width for line in lines):
            raise ValueError("rows of different lengths")
        if not width:
            raise ArgumentError("rows: expected at least one row of at least one letter, found "
                                "none", Status.ARGUMENT)
        chosen = map_options(rule, charge, metric, terrain, heights)
        return cls._made(lib.map_from_letters, None, width, len(lines), b"".join(lines),
                         byref(chosen))

    @classmethod
    def from_array(cls, cells: Any, *, rule: Rule = Rule.EIGHT, charge: Charge = Charge.ENTERED,
                   metric: Optional[Pair] = None, terrain: Optional[Terrain] = None,
                   heights: Optional[Heights] = None) -> Map:
        """A grid from an array of shape (height, width), of numpy or anything else with a buffer:
        of bool, where True is open, or of letters as 8-bit numbers, which are not copied where they
        lie in order."""
        view = cells_view(cells)
        if view.format == "?":
            letters = view.tobytes().translate(b"@" + b"." * 255)
        else:
            letters = in_place(view, c_char)
            letters = check_letters(view.tobytes() if letters is None else letters)
        chosen = map_options(rule, charge, metric, terrain, heights)
        height, width = view.shape
        return cls._made(lib.map_from_letters, None, width, height, letters, byref(chosen))

    @classmethod
    def from_arcs(cls, node_count: SupportsIndex, arcs: Any, places: Any = None) -> Map:
        """A graph from (from, to, cost) triples, or an array of shape (arcs, 3) of 32-bit numbers
        or of ArcStruct, which is not copied where it lies in order; `places` are (x, y) of every
        node, or Columns, which are not copied."""
        held, made, node_count = arc_structs(arcs), MapRecord(), index(node_count)
        x, y = coordinates(places, node_count) if places is not None else (None, None)
        error = _native.Error()
        count = ctypes.sizeof(held) // ctypes.sizeof(_native.Arc)
        status = lib.map_from_arcs(node_count, cast(held, POINTER(_native.Arc)), count, x, y, None,
                                   byref(made), byref(error))
        check(status, "arcs", error)
        return cls._new(made)

    @classmethod
    def from_callbacks(cls, node_count: SupportsIndex,
                       arcs_of: Callable[[int], Iterable[Pair]],
                       bound: Optional[Callable[[int, int], SupportsIndex]] = None) -> Map:
        """A graph told by functions: arcs_of(node) gives the (to, cost) pairs that leave a node,
        and is asked at once; bound(node, goal), if there is one, a cost that no path undercuts."""
        node_count = index(node_count)
        if not 0 <= node_count <= NODES_MAX:
            raise OverflowError(f"there are {node_count} nodes, not from 0 to {NODES_MAX}")
        leaving = [[(node, to, cost) for to, cost in arcs_of(node)] for node in range(node_count)]
        if bound is None:
            return cls.from_arcs(node_count, [arc for arcs in leaving for arc in arcs])
        packed = [node_arrays(arcs).tobytes() for arcs in leaving]

        def write_arcs(node, to, room):
            count = len(packed[node]) // 12
            ctypes.memmove(to, packed[node], 12 * min(count, room))
            return count

        own_bound = guarded(lambda node, goal: whole(c_uint32, bound(node, goal), "a bound"), 0)
        own_arcs = guarded(write_arcs, 0)
        graph = options(_native.CallbackGraph, node_count=node_count,
                        arcs=_native.ARCS_OF(own_arcs), bound=_native.BOUND_OF(own_bound))
        made = MapRecord()
        check(Guard().read(lib.map_from_callbacks, byref(graph), None, byref(made)))
        return cls._new(made, graph)

    def clone(self) -> Map:
        """A copy of its own."""
        made = MapRecord()
        check(self._read(lib.map_clone, byref(made)))
        copy = Map._new(made, self._calls_back)
        copy._record.pool = self._record.pool
        return copy

    def for_units(self, size: SupportsIndex, anchor: Anchor = Anchor.TOP_LEFT, *,
                  wait: Optional[float] = 0) -> Map:
        """The map for units of size x size cells: its nodes are the anchors of units, open where
        all their cells are. It follows the edits of this map, cannot be edited by itself, and is
        kept as long as this map. It waits as edit does."""
        made, size = MapRecord(), index(size)
        if not 1 <= size <= UNITS_MAX:
            kind, status = ((ArgumentError, Status.ARGUMENT) if size < 1 else
                            (LimitError, Status.LIMIT))
            raise kind(f"size: expected 1 to {UNITS_MAX}, found {size}", status)
        check(self._write(lib.map_for_units, size, Anchor.chosen(anchor), byref(made), wait=wait))
        units = Map.__new__(Map)
        units._own(made)
        units._calls_back = None
        units._measure(self._guard, may_change=True)
        units._record.pool = self._record.pool
        self._record.keep(units._record)
        return units

    @property
    def unit_size(self) -> int:
        """The size of the units that the map is for; 1 for other maps."""
        return self._read(lib.map_unit_size)

    def unit_cells(self, anchor: Place) -> List[int]:
        """The cells of the unit that stands at a node; empty where it would reach beyond the
        map."""
        node, room = self.node(anchor), self.unit_size ** 2
        cells = array.array("I", [0]) * room
        return cells[:self._read(lib.unit_cells, node, address(cells), room)].tolist()

    def unit_anchors(self, others: Map, at: Place) -> List[int]:
        """The nodes at which a unit would share a cell with the one that stands at node `at` of
        `others`, a map of the same cells for units of any size: what a search has to avoid for that
        unit."""
        check_kind(others, "Map")
        node, room = self.node(at), (self.unit_size + others.unit_size - 1) ** 2
        anchors = array.array("I", [0]) * room
        count = self._guard.read(others._guard.read, lib.unit_anchors, self._pointer,
                                 others._pointer, node, address(anchors), room)
        return anchors[:count].tolist()

    def clearance(self, anchor: Anchor = Anchor.TOP_LEFT) -> array.array[int]:
        """For every cell the size of the largest unit that can stand there, 0 for a blocked cell:
        numbers of 16 bits."""
        sizes = array.array("H", [0]) * self._node_count
        check(self._read(lib.clearance, Anchor.chosen(anchor), address(sizes, c_uint16)))
        return sizes

    # ---------------------------------------------------------------------------- numbers --

    def _read(self, function, *arguments):
        return self._guard.read(function, self._pointer, *arguments)

    def _write(self, function, *arguments, wait=0):
        return self._change(function, self._pointer, *arguments, wait=wait)

    def _change(self, function, *arguments, wait=0):
        """Calls a function that changes the map or a table of it."""
        if not self._may_change:
            raise ChangedError("the map and the table of a world are changed by the world alone")
        return self._guard.write(function, *arguments, wait=wait)

    @property
    def width(self) -> int:
        """In cells; of a graph, its nodes."""
        return self._width

    @property
    def height(self) -> int:
        """In cells; of a graph, 1."""
        return self._height

    @property
    def size(self) -> Tuple[int, int]:
        """Width and height."""
        return self._width, self._height

    @property
    def shape(self) -> Tuple[int, int]:
        """Height and width, as arrays of numpy have them."""
        return self._height, self._width

    @property
    def node_count(self) -> int:
        """Blocked cells included: every node is below it."""
        return self._node_count

    @property
    def open_count(self) -> int:
        """How many cells are open."""
        return self._read(lib.map_open_count)

    @property
    def is_graph(self) -> bool:
        """Whether nodes and arcs make the steps, instead of cells and rules."""
        return self._read(lib.map_kind_of) == 1

    @property
    def arc_count(self) -> int:
        """How many arcs of a graph count."""
        return self._read(lib.map_arc_count)

    @property
    def rule(self) -> Rule:
        """Which steps a grid has, a Rule."""
        return Rule(self._read(lib.map_rule))

    @property
    def metric(self) -> Tuple[int, int]:
        """What a straight and a diagonal step cost."""
        metric = self._read(lib.map_metric)
        return metric.straight, metric.diagonal

    @metric.setter
    def metric(self, pair: Pair) -> None:
        check(self._write(lib.map_set_metric, metric_struct(pair)))

    @property
    def unit(self) -> int:
        """How many units of cost make one of the metric."""
        return self._read(lib.map_unit)

    @property
    def heights(self) -> Optional[Heights]:
        """The Heights of a grid, or None where they change no cost. Its cells are the map's own,
        which cannot be written."""
        return self._read(self._heights)

    def _heights(self, pointer):
        found = _native.Heights()
        if not lib.map_heights(pointer, byref(found)):
            return None
        cells = (c_uint16 * (found.width * found.height)).from_address(found.cells)
        cells.held = self._record
        return Heights(found.width, found.height,
                       memoryview(cells).cast("B").cast("H").toreadonly(),
                       found.climb, found.descend)

    @property
    def hash(self) -> int:
        """Of everything that decides costs."""
        return self._read(lib.map_hash)

    @property
    def memory(self) -> int:
        """Bytes, with what searches and tables had the map find out."""
        return self._read(lib.map_memory)

    @property
    def version(self) -> int:
        """A number that grows whenever the cost of a step changes."""
        return self._read(lib.map_version)

    @property
    def is_directed(self) -> bool:
        """Whether a step and the step back may cost differently."""
        return self._read(lib.map_is_directed)

    # ------------------------------------------------------------------------------ nodes --

    def node(self, place: Place) -> int:
        """The number of a node that is given as a number or as a column and a row, a tuple.
        IndexError for one that is not on the map."""
        if isinstance(place, tuple):
            x, y = place if len(place) == 2 else _column_and_row(place)
            x, y = index(x), index(y)
            if 0 <= x < self._width and 0 <= y < self._height:
                return y * self._width + x
        else:
            node = _number(place)
            if 0 <= node < self._node_count:
                return node
        raise IndexError(f"{place} is not on the map")

    def _nodes(self, places):
        """Nodes for the library, which is to check them: where an array of numbers of 32 bits lies,
        or a copy."""
        held = numbers_in_place(places, NODES)
        return address(self._listed(places)) if held is None else held

    def _listed(self, places):
        """An array of the nodes of what holds several."""
        nodes = self._listed_at_once(places)
        return array.array("I", map(self.node, places_of(places))) if nodes is None else nodes

    def _listed_at_once(self, places):
        """The same of an array of whole numbers or a list of int; None where one is not on the map,
        and for anything else."""
        view = view_of(places)
        if view is None:
            is_plain = type(places) in (list, range) and set(map(type, places)) <= {int}
            return all_below(places, self._node_count) if is_plain else None
        held = whole_numbers(view)
        if held is None or view.ndim == 2 and view.shape[1] != 2:
            return None
        if view.ndim == 1:
            return all_below(held, self._node_count)
        x, y = all_below(held[0::2], self._width), all_below(held[1::2], self._height)
        if x is None or y is None:
            return None
        return array.array("I", map(operator.add, x, map(self._width.__mul__, y)))

    def _gathered(self, places):
        """The same of arguments of which each is one or several."""
        nodes = array.array("I")
        for place in places:
            if is_cell(place) or \
                    hasattr(type(place), "__index__") and not getattr(place, "ndim", 0):
                nodes.append(self.node(place))
            elif hasattr(place, "__iter__") or view_of(place) is not None:
                nodes.extend(self._listed(place))
            else:
                nodes.append(_number(place))
        return nodes

    def cell(self, node: Place) -> Tuple[int, int]:
        """Column and row of a node. IndexError for one that is not on the map."""
        node = self.node(node)
        return node % self._width, node // self._width

    def axial(self, place: Place) -> Tuple[int, int]:
        """The axial coordinates (q, r) of a hexagon."""
        q, r = c_int32(), c_int32()
        self._read(lib.node_axial, self.node(place), byref(q), byref(r))
        return q.value, r.value

    def node_at_axial(self, q: SupportsIndex, r: SupportsIndex) -> int:
        """The node of a hexagon. IndexError for one that is not on the map."""
        node = self._read(lib.node_at_axial, q, r)
        if node == NO_NODE:
            raise IndexError(f"hexagon {q}, {r} is not on the map")
        return node

    def place(self, node: Place) -> Optional[Tuple[int, int]]:
        """The coordinates (x, y) of a node of a graph as they were given, or None."""
        x, y = c_int32(), c_int32()
        if not self._read(lib.node_place, self.node(node), byref(x), byref(y)):
            return None
        return x.value, y.value

    def places(self) -> Optional[Columns]:
        """The coordinates of all nodes of a graph, Columns of array.array('i'), which numpy.asarray
        takes as they are, and Map.from_arcs as `places`; None where there are none."""
        return self._read(self._places)

    def _places(self, pointer):
        count = self._node_count
        columns = Columns(*(array.array("i", [0]) * count for _ in range(2)))
        into = (range(first, first + 4 * count, 4) for first, _ in
                (column.buffer_info() for column in columns))
        told = map(lib.node_place, itertools.repeat(pointer), range(count), *into)
        return columns if all(told) else None

    def is_open(self, place: Place) -> bool:
        """Whether a cell may be entered."""
        return self._read(lib.map_is_open, self.node(place))

    def are_open(self, places: Places) -> memoryview:
        """Whether cells may be entered, an array of bool with one for each place."""
        nodes = self._gathered([places])
        if len(nodes) < self._node_count // _CELLS_AS_ONE_CALL:
            return self._told(lib.map_is_open, nodes)
        return memoryview(bytes(map(self._read(self._open_bytes).__getitem__, nodes))).cast("?")

    def are_connected(self, a: Places, b: Places) -> memoryview:
        """Map.connected of many pairs, an array of bool: two lists or arrays of places of the same
        length, or one place and many."""
        return self._told(lib.connected, self._gathered([a]), self._gathered([b]))

    def are_in_sight(self, a: Places, b: Places) -> memoryview:
        """Map.sight of many pairs, as are_connected."""
        return self._told(lib.sight, self._gathered([a]), self._gathered([b]))

    def _told(self, ask, *columns):
        count = max(map(len, columns)) if all(columns) else 0
        for column in columns:
            if len(column) not in (1, count) and count:
                raise ValueError(f"{len(column)} places for {count}")
        each = [column * count if len(column) == 1 else column for column in columns]
        return memoryview(self._read(lambda pointer: bytes(
            map(ask, itertools.repeat(pointer, count), *each)))).cast("?")

    def connected(self, a: Place, b: Place) -> bool:
        """Whether steps or arcs join two nodes, whatever their direction: False proves that no path
        leads from one to the other. Takes constant time."""
        return self._read(lib.connected, self.node(a), self.node(b))

    def components(self, strongly: bool = False) -> Tuple[array.array[int], int]:
        """For every node the number of its component, NO_COMPONENT for a blocked cell, and how many
        components there are. Number 0 is the largest one; strongly connected ones differ on maps
        with one-way cells or arcs."""
        numbers, count = array.array("I", [0]) * self._node_count, c_uint32()
        check(self._read(lib.map_components, bool(strongly), address(numbers), byref(count)))
        return numbers, count.value

    def sight(self, a: Place, b: Place) -> bool:
        """Whether the straight line between two cells is free, by the rule's own notion of passing
        corners."""
        return self._read(lib.sight, self.node(a), self.node(b))

    def path_cost(self, places: Places) -> Tuple[Optional[int], Optional[int]]:
        """What a path costs on the map as it is now, by its nodes or its corners, and None; where a
        step is no longer legal, None and the place in the list of the first node that is not
        reached."""
        nodes = self._nodes(places)
        cost, broken = c_uint32(), c_size_t()
        check_nodes(self._read(lib.path_cost, nodes, len(nodes), byref(cost), byref(broken)),
                    self._node_count, nodes)
        return (None, broken.value) if broken.value < len(nodes) else (cost.value, None)

    def pull(self, path: Path) -> Tuple[List[int], float]:
        """A path of this map pulled straight: the nodes that straight lines join, which are free
        and stay on one terrain, and their length. It is never longer than the path, and not the
        shortest at any angle."""
        check_path(path)
        return path._pulled(lambda *arguments: self._read(lib.path_pull, *arguments))

    def nearest_open(self, place: Place, steps: SupportsIndex,
                     connected_with: Optional[Place] = None) -> Optional[int]:
        """The open cell nearest to a place, at most so many steps away, and connected with another:
        the place itself if it is such a cell; None where there is none."""
        other = NO_NODE if connected_with is None else self.node(connected_with)
        node = self._read(lib.nearest_open, self.node(place), steps, other)
        return None if node == NO_NODE else node

    def distances(self, sources: Iterable[Place], targets: Iterable[Place], *,
                  table: Optional[Table] = None, threads: SupportsIndex = 0) -> array.array[int]:
        """The costs from every source to every target, row after row, a row for each source: that
        from sources[i] to targets[j] is at i * len(targets) + j; UNREACHABLE where no path leads.
        Where searches are faster than floods, they use `table`; costs are the same."""
        if table is not None:
            check_kind(table, "Table")
            table._check_is_of(self)
        rows, columns = self._nodes(sources), self._nodes(targets)
        threads = 1 if self._calls_back else index(threads)
        costs, filled = new_costs(len(rows) * len(columns))
        fewer = min(len(rows), len(columns))

        def measure(first, end):
            """By what is fewer, since floods go from or to each of these."""
            if end - first == fewer:
                self._distances(table, threads, rows, columns, filled)
            elif len(rows) == fewer:
                self._distances(table, threads, _part(rows, first, end), columns,
                                _part(filled, first * len(columns)))
            else:
                part, into = new_costs(len(rows) * (end - first))
                self._distances(table, threads, rows, _part(columns, first, end), into)
                for column in range(first, end):
                    memoryview(costs)[column::fewer] = memoryview(part)[column - first::end - first]

        self._guard.read(floods_in_parts, measure, fewer, threads)
        return costs

    def _distances(self, table, threads, rows, columns, filled):
        check_nodes(lib.distances(self._pointer, pointer_of(table), rows, len(rows), columns,
                                  len(columns), threads, filled), self._node_count, rows, columns)

    def letter(self, place: Place) -> str:
        """The terrain letter of a cell."""
        return self._read(lib.map_letter, self.node(place)).decode("latin-1")

    def letters(self) -> bytes:
        """The terrain letters of all cells, in row order: numpy.frombuffer(map.letters(), "u1")."""
        letters = ctypes.create_string_buffer(self._node_count)
        check(self._read(lib.map_letters, letters))
        return letters.raw

    def open_mask(self) -> memoryview:
        """Whether cells may be entered, of shape (height, width), as Map.from_array takes it and
        numpy.asarray as it is: an array of bool."""
        return memoryview(self._read(self._open_bytes)).cast("?", [self._height, self._width])

    def _open_bytes(self, pointer):
        """Of each cell a byte, 1 or 0: by its letter, of maps for larger units by its node."""
        if lib.map_unit_size(pointer) != 1:
            sizes = array.array("H", [0]) * self._node_count
            check(lib.clearance(pointer, Anchor.TOP_LEFT, address(sizes, c_uint16)))
            return are_not_zero(sizes)
        letters = ctypes.create_string_buffer(self._node_count)
        check(lib.map_letters(pointer, letters))
        found, told = letters.raw, bytearray(256)
        for letter in set(found):
            told[letter] = lib.map_is_open(pointer, found.index(letter))
        return found.translate(told)

    def rows(self) -> List[str]:
        """The terrain letters of all cells, as Map.from_rows takes them."""
        text, width = self.letters().decode("latin-1"), self._width
        return [text[first:first + width] for first in range(0, len(text), width)]

    def save(self, path: PathName, *, progress: Optional[Progress] = None) -> None:
        """Writes the map as text, as Map.load reads it, whole or not at all: a .map file of a grid,
        a .gr file of a graph. Rules, costs of letters, heights and coordinates are not in it."""
        check(self._read(lib.map_save, path_bytes(path), progress_pointer(progress)), path)

    def length(self, cost: SupportsIndex) -> float:
        """A cost in straight steps."""
        return self._read(lib.length, cost)

    # ------------------------------------------------------------------- costs and queries --

    def steps(self, place: Place) -> List[Tuple[int, int]]:
        """The steps that leave a node, under every rule, terrain, heights and direction: pairs of
        the node where a step ends and its cost. Empty for a blocked cell."""
        return [(arc.to, arc.cost) for arc in self._steps(lib.steps, place)]

    def steps_to(self, place: Place) -> List[Tuple[int, int]]:
        """The steps that end in a node: pairs of the node that a step leaves and its cost."""
        return [(getattr(arc, "from"), arc.cost) for arc in self._steps(lib.steps_to, place)]

    def _steps(self, ask, place):
        node, room = self.node(place), _STEPS_AT_FIRST
        while True:
            arcs = (_native.Arc * room)()
            count = self._read(ask, node, arcs, room)
            if count <= room:
                return arcs[:count]
            room = count

    def costs_from(self, *sources: Places) -> array.array[int]:
        """From the nearest of the sources (each argument a node, or a list or an array of nodes) to
        every node: array.array('I') of node_count costs in
        the metric of the map, UNREACHABLE where no path leads. numpy.asarray takes it as it is."""
        return self._costs(lib.costs_from, sources)

    def costs_to(self, *targets: Places) -> array.array[int]:
        """From every node to the nearest of the targets: the same in the other direction."""
        return self._costs(lib.costs_to, targets)

    def _costs(self, measure, places):
        nodes = self._gathered(places)
        costs, filled = new_costs(self._node_count)
        self._check_open(self._read(measure, address(nodes), len(nodes), filled), nodes)
        return costs

    def _check_open(self, status, nodes, name=""):
        """Raises what a status says of a call that wants these nodes to be open."""
        for node in nodes if status == Status.ARGUMENT else ():
            if not self._read(lib.map_is_open, node):
                raise ArgumentError(f"{name}expected open cells, found {node}, which is blocked",
                                    Status.ARGUMENT)
        check(status)

    def flood(self) -> Flood:
        """An object for many floods and for flow fields."""
        return Flood._new(self)

    def flow_next(self, flow: Any, place: Place) -> Optional[int]:
        """The node to which a flow field of this map leads from a node; None where it leads nowhere
        and where an edit has taken the step away."""
        if type(flow) is array.array and flow.typecode == "B" and len(flow) == self._node_count:
            held = address(flow, c_uint8)  # in half the time
        else:
            held = self._field(flow)
        node = self._read(lib.flow_next, held, self.node(place))
        return None if node == NO_NODE else node

    def flow_next_all(self, flow: Any, places: Places) -> array.array[int]:
        """Map.flow_next of many places, for a crowd: an array of nodes, NO_NODE where it is
        None."""
        held, nodes = self._field(flow), self._gathered([places])
        return self._read(lambda pointer: array.array("I", map(
            lib.flow_next, itertools.repeat(pointer), itertools.repeat(held), nodes)))

    def _field(self, flow):
        view = view_of(flow)
        held = in_place(view, c_uint8) if view and is_of_costs(view, self._node_count, 8) else None
        if held is None:
            raise ValueError("a flow field is an array of bytes, one for every node")
        return held

    def scenario(self, path: PathName) -> List[Query]:
        """The queries of a .scen file, or of a .p2p file for a graph: a list of Query."""
        return list(map(query_of, self.scenario_array(path)))

    def scenario_array(self, path: PathName) -> Any:
        """The same as an array of QueryStruct, which search_all takes without a copy and
        numpy.asarray as an array with the fields bucket, start, goal and length. Parts of it do as
        well."""
        return self._guard.read(queries, lib.scenario_load, path, path_bytes(path), self._pointer)

    def parse_scenario(self, text: Text) -> List[Query]:
        """The same as scenario from the text of a file."""
        return list(map(query_of, self.parse_scenario_array(text)))

    def parse_scenario_array(self, text: Text) -> Any:
        """The same as scenario_array from the text of a file."""
        data = text_bytes(text)
        return self._guard.read(queries, lib.scenario_parse, "scenario", data, len(data),
                                self._pointer)

    # ------------------------------------------------------------------------------ tables --

    def build(self, landmarks: Optional[SupportsIndex] = None, *,
              placement: Placement = Placement.AUTO, compact: bool = False,
              seed: SupportsIndex = 0, threads: SupportsIndex = 0,
              at: Iterable[Place] = (), pairs: Pairs = (), count_steps: Optional[Pair] = None,
              candidates: SupportsIndex = 0, progress: Optional[Progress] = None,
              resident: Resident = Resident.CELLS) -> Table:
        """A Table of costs from so many sets of landmarks, 1 to 256 (to 128 where costs depend on
        the direction); None: 16, or as many as `at` lists. Its rows live at every cell or, on
        uniform grids, at corners.

        `compact` gives the map the finest metric whose costs fit 16 bits. `at` are landmarks of
        your own, `pairs` (start, goal) to place others for, `candidates` how many GREEDY and
        REFINED try. `count_steps` is the metric of a table that leaves terrain out, such as (1, 1).
        `progress(stage, done, total)` stops the build by returning False."""
        chosen = self._build_options(landmarks, placement, compact, seed, threads, at, pairs,
                                     count_steps, candidates, progress)
        chosen.resident = Resident.chosen(resident)
        made = TableRecord()
        use = self._write if compact else self._read
        self._check_open(use(lib.table_build, byref(chosen), byref(made)), chosen.at, "at: ")
        return Table._new(made, self)

    def build_file(self, path: PathName, landmarks: Optional[SupportsIndex] = None, *,
                   placement: Placement = Placement.AUTO, compact: bool = False,
                   seed: SupportsIndex = 0, threads: SupportsIndex = 0, at: Iterable[Place] = (),
                   pairs: Pairs = (), count_steps: Optional[Pair] = None,
                   candidates: SupportsIndex = 0, progress: Optional[Progress] = None,
                   with_map: bool = True, codec: Codec = Codec.BEST,
                   stamp: SupportsIndex = 0, part: Pair = (0, 0),
                   memory_limit: SupportsIndex = 0) -> BuildSummary:
        """Builds and saves in one go; the table is never in memory as a whole. Returns a
        BuildSummary. For `stamp` see Table.save. `part` (2, 5) is the second part of five, for
        cairn.merge; `at` is then best what place_landmarks gives. LimitError, before any work,
        where map and build would take more bytes than memory_limit."""
        chosen = self._build_options(landmarks, placement, compact, seed, threads, at, pairs,
                                     count_steps, candidates, progress)
        saved = save_options(0, threads, with_map, codec, None, stamp)
        summary = _native.BuildSummary()
        chosen.part, chosen.part_count = (whole(c_uint32, number, "part") for number in part)
        chosen.memory_limit = whole(c_uint64, memory_limit, "memory_limit")
        name, use = path_bytes(path), self._write if compact else self._read
        status = use(lib.build_file, name, byref(chosen), byref(saved), byref(summary))
        if status == Status.LIMIT and memory_limit and summary.memory > memory_limit:
            raise LimitError(f"{os.fsdecode(path)}: map and build take {summary.memory} bytes, "
                             f"more than memory_limit, {memory_limit}", Status.LIMIT)
        if status == Status.ARGUMENT:
            self._check_open(status, chosen.at, "at: ")
        check(status, path)
        return BuildSummary(summary.row_count, summary.entry_bits, summary.table_memory,
                            summary.memory, summary.counts_steps)

    def place_landmarks(self, landmarks: Optional[SupportsIndex] = None, *,
                        placement: Placement = Placement.AUTO, compact: bool = False,
                        seed: SupportsIndex = 0, threads: SupportsIndex = 0,
                        at: Iterable[Place] = (), pairs: Pairs = (),
                        count_steps: Optional[Pair] = None, candidates: SupportsIndex = 0,
                        progress: Optional[Progress] = None) -> List[int]:
        """The landmarks that build would choose, as a list of nodes: with it as `at`, and the same
        number of rows, build gives the same table."""
        chosen = self._build_options(landmarks, placement, compact, seed, threads, at, pairs,
                                     count_steps, candidates, progress)
        made, count = c_void_p(), c_size_t()
        use = self._write if compact else self._read
        status = use(lib.landmarks_place, byref(chosen), byref(made), byref(count))
        self._check_open(status, chosen.at, "at: ")
        try:
            return memoryview(ctypes.string_at(made, 4 * count.value)).cast("I").tolist()
        finally:
            lib.nodes_free(self._pointer, made)

    def _build_options(self, landmarks, placement, compact, seed, threads, at, pairs, count_steps,
                       candidates, progress):
        listed, placement = self._listed(at), Placement.chosen(placement)
        if placement is Placement.LIST and not listed:
            raise ArgumentError("placement: expected landmarks as at=, found none", Status.ARGUMENT)
        asked = self._queries(pairs)
        count = self._landmark_count(landmarks, count_steps)
        steps = metric_struct(count_steps, "count_steps") if count_steps else _native.Metric()
        made = options(_native.BuildOptions, landmark_count=count,
                       thread_count=1 if self._calls_back else threads, seed=seed,
                       placement=Placement.LIST if listed else placement,
                       metric=int(bool(compact)), progress=progress_pointer(progress), pairs=asked,
                       pair_count=len(asked), candidate_count=candidates,
                       listed=address(listed), listed_count=len(listed),
                       step_metric=steps)
        made.at = listed
        return made

    def _landmark_count(self, landmarks, count_steps):
        """For the library, which chooses for 0 itself."""
        if landmarks is None:
            return 0
        count = whole(c_uint32, landmarks, "landmarks")
        most = ROWS_MAX // 2 if self.is_directed and not count_steps else ROWS_MAX
        if count > most:
            raise LimitError(f"landmarks: expected 1 to {most}, found {count}", Status.LIMIT)
        if count == 0:
            raise ArgumentError(f"landmarks: expected 1 to {most}, found 0", Status.ARGUMENT)
        return count

    def _queries(self, pairs):
        """Queries for the library, which is to check their nodes: where an array of QueryStruct
        lies, or a copy."""
        held = structs(pairs, _native.Query)
        if held is not None:
            return held
        held = rows_in_place(pairs, 2)
        if held is None:
            held = self._ends_at_once(pairs)
        if held is not None:
            return _queries_of_rows(held)
        ends, view = array.array("I"), view_of(pairs)
        for start, goal in map(_ends, pairs if view is None else listed(view, pairs)):
            ends.extend((self.node(start), self.node(goal)))
        return _queries_of_rows(ends)

    def _ends_at_once(self, pairs):
        """Starts and goals, row by row, of an array of whole numbers; None where one is not on the
        map, and for anything else."""
        view = view_of(pairs)
        if view is None or view.ndim != 2 or view.shape[1] != 2:
            return None
        held = whole_numbers(view)
        return None if held is None else all_below(held, self._node_count)

    # ------------------------------------------------------------------- edits and searches --

    def edit(self, *edits: Edits, wait: Optional[float] = 0) -> None:
        """Applies edits, each an argument or several in a list, all or none; the `line` of an error
        is the number of the first edit that was refused. Searches are right at once; Table.refresh
        repairs tables.

        While other threads use the map, it waits at most so many seconds, None: as long as that
        takes, and calls that come later let it go first. BusyError then; in a function that the
        library calls at once."""
        make_edits(edits, lambda *made: check(self._write(lib.map_edit, *made, wait=wait), "edits"),
                   self._check_edits)

    def _check_edits(self, structs):
        """Raises what the map has against edits, with the number of the first one that it
        refuses."""
        error = _native.Error()
        check(self._read(lib.map_check_edits, structs, len(structs), byref(error)), "edits", error)
        if self.unit_size > 1:
            raise ArgumentError("edits: a map for units follows the edits of its map, and takes "
                                "none itself", Status.ARGUMENT)

    def use_pool(self, pool: Optional[concurrent.futures.Executor], *,
                 wait: Optional[float] = 0) -> None:
        """Lets builds, saves, checks and search_all of the map run on the threads of an Executor
        beside the one that calls, as many jobs as their `threads` say; None: on threads of the
        library. Results are the same. Copies that are made later use it too. It waits as edit
        does."""
        made = pool_pointer(pool)
        self._write(lib.map_use_pool, made, wait=wait)
        self._record.pool = made

    def search(self, *, space: Space = Space.AUTO, heuristic: Heuristic = Heuristic.BEST,
               weight: float = 1.0, nearest: bool = False, expansion_limit: SupportsIndex = 0,
               cancel: Optional[Callable[[], Any]] = None, form: Form = Form.CELLS,
               ties: Ties = Ties.LAST, bound: Optional[Callable[[int], SupportsIndex]] = None,
               on_expand: Optional[Callable[[int], Any]] = None,
               never_reopen: bool = False) -> Search:
        """A Search by base heuristics alone, with options as Table.search explains them."""
        chosen = search_options(
            space=space, heuristic=heuristic, weight=weight, nearest=nearest,
            expansion_limit=expansion_limit, cancel=cancel, form=form, ties=ties, bound=bound,
            on_expand=on_expand, never_reopen=never_reopen)
        return Search._new(self, None, chosen)

    def search_all(self, pairs: Pairs, *, threads: SupportsIndex = 0,
                   space: Space = Space.AUTO, heuristic: Heuristic = Heuristic.BEST,
                   weight: float = 1.0, nearest: bool = False, expansion_limit: SupportsIndex = 0,
                   cancel: Optional[Callable[[], Any]] = None, form: Form = Form.CELLS,
                   ties: Ties = Ties.LAST, bound: Optional[Callable[[int], SupportsIndex]] = None,
                   on_expand: Optional[Callable[[int], Any]] = None,
                   never_reopen: bool = False) -> Paths:
        """The paths of many (start, goal) pairs by base heuristics alone, as Table.search_all."""
        chosen = search_options(
            space=space, heuristic=heuristic, weight=weight, nearest=nearest,
            expansion_limit=expansion_limit, cancel=cancel, form=form, ties=ties, bound=bound,
            on_expand=on_expand, never_reopen=never_reopen)
        return search_all(self, None, pairs, threads, chosen)

    def bound(self, goal: Place, heuristic: Heuristic = Heuristic.BEST) -> Bound:
        """The Bound that a base heuristic is."""
        return Bound._new(self, None, goal, heuristic)

    def is_admissible(self, heuristic: Heuristic) -> bool:
        """Whether a base heuristic never exceeds the cost of a path."""
        return self._read(lib.bound_is_admissible, Heuristic.chosen(heuristic))

    def is_consistent(self, heuristic: Heuristic) -> bool:
        """Whether a base heuristic differs between neighbours by no more than the step costs."""
        return self._read(lib.bound_is_consistent, Heuristic.chosen(heuristic))

    def __repr__(self):
        try:
            if self.is_graph:
                return f"<cairn.Map of {self.node_count} nodes and {self.arc_count} arcs>"
            return f"<cairn.Map of {self.width} x {self.height} cells, {self.open_count} open>"
        except Error as problem:
            return f"<cairn.Map: {problem}>"
