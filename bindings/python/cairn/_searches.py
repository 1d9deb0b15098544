"""Searches, their paths, and the bound that they follow."""
from __future__ import annotations

import array
import bisect
import ctypes
import itertools
import typing
from ctypes import POINTER, byref, c_double, c_size_t, c_uint32, c_void_p
from typing import Any, Iterable, List, Optional, SupportsIndex, Tuple

from . import _native
from ._convert import (COSTS, address, check_are_below, check_nodes, first_numbers, have_signs,
                       new_costs, numbers, numbers_in_place)
from ._enums import NO_NODE, Form, Heuristic, NodeState, Outcome, RowState, Space, Ties
from ._errors import ArgumentError, ChangedError, Status, check, guarded
from ._native import index, lib, options, whole
from ._owned import Claim, Owned, Record, check_kind, freeing_itself, pointer_of
from ._slices import queries_in_parts
from ._types import Numbers, Place

if typing.TYPE_CHECKING:
    from ._maps import Map
    from ._tables import Table


# The members of a path at once, and their places among them.
_MEMBERS = _native.unpacker(_native.Path)
(_OUTCOME, _COST, _LENGTH, _NODES, _NODE_COUNT, _EXPANDED, _GENERATED, _OPEN_PEAK, _CORNERS,
 _CORNER_COUNT, _SPACE, _STATE, _ROW_COUNT, _GUARANTEE, _REOPENED, _RUN,
 _WHICH) = range(len(_native.Path._fields_))
_ADDRESSES_KEPT = 16
_QUERIES = POINTER(_native.Query)

_new = object.__new__


class Path:
    """What a search found, and what it took: numbers of its own, whatever the search does next.

    Costs are whole numbers in the metric of the map, `length` is in straight steps."""

    __slots__ = ("_values", "_width", "_nodes", "_corners", "_batch")

    def __init__(self, *_):
        raise TypeError("paths are made by searches")

    @staticmethod
    def _of(values, width, nodes, corners):
        """Of its own numbers."""
        path = _new(Path)
        path._values, path._width, path._batch = values, width, None
        path._nodes, path._corners = nodes, corners
        return path

    @staticmethod
    def _among(batch, values, width):
        """Of the numbers in the memory of a batch, which lives as long."""
        path = _new(Path)
        path._values, path._width, path._batch = values, width, batch
        return path

    def _struct(self):
        """As the library takes it; its addresses are not to be read."""
        return _native.Path.from_buffer_copy(_MEMBERS.pack(*self._values))

    @property
    def outcome(self) -> Outcome:
        """How the search ended, an Outcome."""
        return Outcome(self._values[_OUTCOME])

    @property
    def cost(self) -> int:
        """In the metric of the map; UNREACHABLE when there is no path."""
        return self._values[_COST]

    @property
    def length(self) -> float:
        """Straight steps + sqrt(2) * diagonal steps; 0 where there is no path."""
        return self._values[_LENGTH]

    @property
    def expanded(self) -> int:
        """How many nodes were taken from the open list and expanded."""
        return self._values[_EXPANDED]

    @property
    def generated(self) -> int:
        """How many nodes were put on the open list."""
        return self._values[_GENERATED]

    @property
    def reopened(self) -> int:
        """How many closed nodes were opened again."""
        return self._values[_REOPENED]

    @property
    def open_peak(self) -> int:
        """The most entries on the open list at once."""
        return self._values[_OPEN_PEAK]

    @property
    def row_count(self) -> int:
        """How many rows of the table were used."""
        return self._values[_ROW_COUNT]

    @property
    def space(self) -> Space:
        """What the search moved along, a Space."""
        return Space(self._values[_SPACE])

    @property
    def state(self) -> RowState:
        """The worst state of the rows that were used, a RowState."""
        return RowState(self._values[_STATE])

    @property
    def guarantee(self) -> Optional[float]:
        """The cost is at most so many times the least; None: not known."""
        return self._values[_GUARANTEE] / 1000 if self._values[_GUARANTEE] else None

    @property
    def which(self) -> int:
        """Of several goals or starts the one of this path, by its place in their list."""
        return self._values[_WHICH]

    @property
    def nodes(self) -> List[int]:
        """The nodes from start to goal, a list of numbers; empty where only corners are wanted."""
        return self.node_array.tolist()

    @property
    def corners(self) -> List[int]:
        """Start, every node where the direction changes, and goal: a list of numbers."""
        return self.corner_array.tolist()

    @property
    def node_array(self) -> memoryview:
        """The nodes as a memoryview of 32-bit numbers, which numpy.asarray takes as it is."""
        if self._batch is not None:
            return self._batch.numbers(self._values[_NODES], self._values[_NODE_COUNT])
        return memoryview(self._nodes).cast("I")

    @property
    def corner_array(self) -> memoryview:
        """The corners as a memoryview of 32-bit numbers, which numpy.asarray takes as it is."""
        if self._batch is not None:
            return self._batch.numbers(self._values[_CORNERS], self._values[_CORNER_COUNT])
        return memoryview(self._corners).cast("I")

    @property
    def cells(self) -> List[Tuple[int, int]]:
        """Columns and rows of the nodes, a list of pairs."""
        return [(node % self._width, node // self._width) for node in self.node_array]

    @property
    def corner_cells(self) -> List[Tuple[int, int]]:
        """Columns and rows of the corners, a list of pairs."""
        return [(node % self._width, node // self._width) for node in self.corner_array]

    def _pulled(self, pull):
        struct, count = self._struct(), c_size_t()
        corners = array.array("I", self.corner_array.tobytes())
        struct.corners, struct.nodes = ctypes.cast(address(corners), c_void_p), None
        waypoints, length = array.array("I", [0]) * len(corners), c_double()
        check(pull(byref(struct), address(waypoints), byref(count), byref(length)))
        return waypoints[:count.value].tolist(), length.value

    def __reduce__(self):
        numbers = self.node_array.tobytes(), self.corner_array.tobytes()
        return Path._of, (self._values, self._width, *numbers)

    def __bool__(self) -> bool:
        """Whether the outcome is FOUND: False also for NEAREST, where `nodes` lead to the node
        nearest to the goal, and for PAUSED."""
        return self._values[_OUTCOME] == Outcome.FOUND

    def __repr__(self):
        return (f"<cairn.Path {self.outcome.name.lower()}, length {self.length:.2f}, "
                f"{self.expanded} expanded>")


def check_path(path):
    """TypeError for what is no path."""
    if not isinstance(path, Path):
        raise TypeError(f"expected the cairn.Path of a search, found {type(path).__name__}")


class NodeInfo:
    """What a search knows of a node: its `state`, a NodeState, `parent` (None: unseen), and the
    costs `g`, `h` and `f`."""

    __slots__ = ("state", "parent", "g", "h", "f")

    def __init__(self, info):
        self.state = NodeState(info.state)
        self.parent = None if info.parent == NO_NODE else info.parent
        self.g, self.h, self.f = info.g, info.h, info.f

    def __repr__(self):
        return f"<cairn.NodeInfo {self.state.name.lower()}, g {self.g}, h {self.h}, f {self.f}>"


def _thousandths(weight):
    """As the library takes a weight, which stands for 1 where it is 0."""
    wrong = f"weight: expected a factor from 1.0 to 1000.0, found {weight!r}"
    try:
        thousandths = whole(c_uint32, round(weight * 1000))
        if weight == 0 or 1 <= weight <= 1000:
            return thousandths
    except (TypeError, OverflowError) as refusal:
        raise type(refusal)(wrong) from None
    except ValueError:  # of NaN
        pass
    raise ArgumentError(wrong, Status.ARGUMENT)


def search_options(*, space, heuristic, weight, nearest, expansion_limit, cancel, form, ties, bound,
                   on_expand, never_reopen):
    """The struct that these options of Table.search are."""
    made = options(_native.SearchOptions, space=Space.chosen(space),
                   heuristic=Heuristic.chosen(heuristic), weight=_thousandths(weight),
                   nearest=bool(nearest), form=Form.chosen(form), expansion_limit=expansion_limit,
                   ties=Ties.chosen(ties), never_reopen=bool(never_reopen))
    for call in (bound, on_expand):
        if call is not None and not callable(call):
            raise TypeError("bound and on_expand are functions of a node")
    if cancel is not None and not callable(cancel):
        raise TypeError("cancel is a function without arguments")
    if cancel is not None:
        made.cancel = _native.CANCEL(guarded(lambda: bool(cancel()), True))
    elif bound is not None or on_expand is not None:  # ends a search when one of these has raised
        made.cancel = _native.CANCEL(guarded(lambda: False, True))
    if bound is not None:
        made.bound = _native.BOUND_TO_GOAL(
            guarded(lambda node: whole(c_uint32, bound(node), "a bound"), 0))
    if on_expand is not None:
        made.on_expand = _native.ON_EXPAND(guarded(lambda node: on_expand(node) and None, None))
    return made


_BatchRecord = freeing_itself(Record, lib.batch_free)
_SearchRecord = freeing_itself(Record, lib.search_free)


class _Batch(Owned):
    """The paths of many queries, as the library keeps them."""

    __slots__ = ("_count",)

    @classmethod
    def _new(cls, record):
        self = cls.__new__(cls)
        self._own(record)
        self._count = lib.batch_count(self._pointer)
        return self

    def _memory(self, address, size):
        """Bytes in its memory, which lives as long as the view."""
        held = (ctypes.c_char * size).from_address(address)
        held.batch = self
        return memoryview(held).cast("B").toreadonly()

    def numbers(self, address, count):
        """Numbers of 32 bits in its memory."""
        return self._memory(address, 4 * count).cast("I") if count else memoryview(b"").cast("I")

    def structs(self):
        """The structs of all paths, as bytes."""
        first = ctypes.cast(lib.batch_paths(self._pointer), c_void_p).value
        return self._memory(first, _MEMBERS.size * self._count) if self._count else memoryview(b"")


class Paths(typing.Sequence[Path]):
    """The paths of search_all in the order of the queries. A Path is made when it is asked for;
    `costs`, `lengths`, `expanded` and `outcomes` are arrays that tell one thing of all of them,
    which numpy.asarray takes without a copy."""

    __slots__ = ("_batches", "_starts", "_structs", "_width", "_count")

    def __init__(self, *_):
        raise TypeError("paths are made by searches")

    @classmethod
    def _new(cls, batches, width):
        self = cls.__new__(cls)
        self._batches, self._width = batches, width
        self._starts = list(itertools.accumulate((batch._count for batch in batches), initial=0))
        self._count = self._starts.pop()
        parts = [batch.structs() for batch in batches]
        self._structs = parts[0] if len(parts) == 1 else memoryview(b"".join(parts))
        return self

    def __len__(self) -> int:
        return self._count

    @typing.overload
    def __getitem__(self, place: SupportsIndex) -> Path: ...

    @typing.overload
    def __getitem__(self, place: slice) -> List[Path]: ...

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(self._count))]
        number = index(place)
        number += self._count if number < 0 else 0
        if not 0 <= number < self._count:
            raise IndexError(f"there is no path {place} of {self._count}")
        batch = self._batches[bisect.bisect_right(self._starts, number) - 1]
        values = _MEMBERS.unpack_from(self._structs, number * _MEMBERS.size)
        return Path._among(batch, values, self._width)

    def __reduce__(self):
        return list, (list(self),)

    def __repr__(self):
        return f"<cairn.Paths, {self._count} of them>"

    @property
    def costs(self) -> array.array[int]:
        """In the metric of the map, numbers of 32 bits; UNREACHABLE where there is no path."""
        return self._column("cost", "I")

    @property
    def lengths(self) -> array.array[float]:
        """In straight steps, numbers of 64 bits; 0 where there is no path."""
        return self._column("length", "d")

    @property
    def expanded(self) -> array.array[int]:
        """How many nodes each search has expanded, numbers of 64 bits."""
        return self._column("expanded", "Q")

    @property
    def outcomes(self) -> array.array[int]:
        """The numbers of their Outcome, of 32 bits."""
        return self._column("outcome", "I")

    def _column(self, name, code):
        column = array.array(code)
        members, size = self._structs.cast(code), column.itemsize
        first = getattr(_native.Path, name).offset // size
        column.frombytes(members[first::_MEMBERS.size // size].tobytes())
        return column


def search_all(map, table, pairs, threads, chosen):
    """Paths. On the main thread in parts, unless there are callbacks, in which signals are seen."""
    queries, batches = map._queries(pairs), []
    calls_back = bool(chosen.cancel or map._calls_back)
    threads = 1 if calls_back else threads  # what is raised is raised in the thread of the caller

    def search_some(first, end):
        batches.append(_batch(map, table, chosen, threads, queries, first, end))

    if calls_back:
        map._guard.read(search_some, 0, len(queries))
    else:
        map._guard.read(queries_in_parts, search_some, len(queries))
    return Paths._new(batches, map._width)


def _batch(map, table, chosen, threads, queries, first, end):
    made, count = _BatchRecord(map._record), end - first
    some = byref(queries, first * ctypes.sizeof(_native.Query))
    status = lib.search_batch(map._pointer, pointer_of(table), ctypes.cast(some, _QUERIES), count,
                              byref(chosen), threads, byref(made))
    if status == Status.ARGUMENT:
        check_are_below(map._node_count, (node for query in queries[first:end]
                                          for node in (query.start, query.goal)),
                        have_signs(queries))
    check(status)
    return _Batch._new(made)


class Search(Owned):
    """A* over a map, which keeps its memory from run to run."""

    __slots__ = ("_map", "_table", "_options", "_claim", "_path", "_itself", "_answer", "_views")

    @classmethod
    def _new(cls, map, table, chosen):
        self, made = cls.__new__(cls), _SearchRecord(*Search._parents(map, table))
        self._options = chosen
        check(map._guard.read(lib.search_new, map._pointer, pointer_of(table),
                              byref(self._options), byref(made)))
        self._own(made)
        self._map, self._table = map, table
        self._claim, self._path = Claim("the search is being used"), _native.Path()
        # Made once, since making them takes longer than a short search.
        self._itself, self._answer, self._views = made, byref(self._path), {}
        return self

    @staticmethod
    def _parents(map, table):
        return [of._record for of in (map, table) if of is not None]

    @property
    def map(self) -> Map:
        """The Map that is searched."""
        return self._map

    @property
    def table(self) -> Optional[Table]:
        """The Table that is followed, or None."""
        return self._table

    @property
    def memory(self) -> int:
        """Bytes that the search has taken so far, beside those of its map and table."""
        return self._claim.alone(self._map._guard.read, lib.search_memory, self._pointer)

    def run(self, start: Place, goal: Place) -> Path:
        """A shortest path, a Path. Nodes are numbers, or a column and a row."""
        map = self._map
        count = map._node_count
        if type(start) is not int or not 0 <= start < count:
            start = map.node(start)
        if type(goal) is not int or not 0 <= goal < count:
            goal = map.node(goal)
        return self._claim.alone(self._take, lib.search_run, start, goal)

    def avoid(self, places: Iterable[Place], extra: Optional[Numbers] = None) -> None:
        """Makes the next runs avoid nodes, without an edit of the map: entering each of them costs
        so much more, and where that is UNREACHABLE, or `extra` is None, it may not be entered. An
        empty list ends that."""
        self._claim.alone(self._avoid, places, extra)

    def run_to_any(self, start: Place, goals: Iterable[Place]) -> Path:
        """A shortest path to the nearest of several goals; its `which` is the place of that goal in
        the list."""
        return self._claim.alone(self._to_any, lib.search_run_to_any, start, goals)

    def run_from_any(self, starts: Iterable[Place], goal: Place) -> Path:
        """A shortest path from the nearest of several starts; its `which` is the place of that
        start in the list."""
        return self._claim.alone(self._from_any, lib.search_run_from_any, starts, goal)

    def begin(self, start: Place, goal: Place) -> Path:
        """Begins a search in slices. Its outcome is PAUSED while there is more to do."""
        return self._claim.alone(self._begin, lib.search_begin, start, goal)

    def begin_to_any(self, start: Place, goals: Iterable[Place]) -> Path:
        """run_to_any in slices."""
        return self._claim.alone(self._to_any, lib.search_begin_to_any, start, goals)

    def begin_from_any(self, starts: Iterable[Place], goal: Place) -> Path:
        """run_from_any in slices."""
        return self._claim.alone(self._from_any, lib.search_begin_from_any, starts, goal)

    def resume(self, expansions: SupportsIndex = 1, *,
               microseconds: Optional[SupportsIndex] = None) -> Path:
        """Expands at most so many nodes more of a search that paused, or goes on for about so many
        microseconds. ChangedError after the map changed, or a table of corners: it is then to begin
        again."""
        if microseconds is not None:
            return self._claim.alone(self._resume, lib.search_resume_for, microseconds)
        return self._claim.alone(self._resume, lib.search_resume, expansions)

    def cells(self) -> Path:
        """The path of the last run again, with every cell, where only corners were wanted."""
        return self._claim.alone(self._take, lib.search_cells)

    def pull(self, path: Path) -> Tuple[List[int], float]:
        """Map.pull with lines that keep off the nodes that the search avoids."""
        check_path(path)
        return self._claim.alone(path._pulled, self._pull)

    def node_info(self, place: Place) -> NodeInfo:
        """What the search knows of a node, a NodeInfo, between two steps or after a run."""
        info = _native.NodeInfo()
        self._claim.alone(self._look, self._map.node(place), byref(info))
        return NodeInfo(info)

    def use(self, map: Map, table: Optional[Table] = None) -> None:
        """Lets the runs to come go over another map, which differs in its cells or arc costs alone,
        and along its table."""
        check_kind(map, "Map")
        if table is not None:
            check_kind(table, "Table")
            table._check_is_of(map)
        self._claim.alone(self._switch, map, table)

    def _resume(self, function, budget):
        try:
            return self._take(function, budget)
        except ArgumentError:
            raise ArgumentError("no search is paused: expected begin, or a run that met its "
                                "expansion_limit, before", Status.ARGUMENT) from None

    def _begin(self, function, start, goal):
        map = self._map
        return self._take(function, map.node(start), map.node(goal))

    def _avoid(self, places, extra):
        nodes, costs = self._map._nodes(places), None
        if extra is not None:
            costs = numbers_in_place(extra, COSTS)
            costs = address(numbers(extra)) if costs is None else costs
            if len(costs) != len(nodes):
                raise ValueError(f"{len(nodes)} nodes have {len(costs)} extras")
        check_nodes(self._map._guard.read(lib.search_avoid, self._pointer, nodes, costs,
                                          len(nodes)),
                    self._map._node_count, nodes)

    def _pull(self, *arguments):
        return self._map._guard.read(lib.search_pull, self._pointer, *arguments)

    def _some(self, places, name):
        nodes = self._map._nodes(places)
        if not len(nodes):
            raise ArgumentError(f"{name}: expected at least one node, found none", Status.ARGUMENT)
        return nodes

    def _to_any(self, function, start, goals):
        nodes = self._some(goals, "goals")
        return self._take_of(nodes, function, self._map.node(start), nodes, len(nodes))

    def _from_any(self, function, starts, goal):
        nodes = self._some(starts, "starts")
        return self._take_of(nodes, function, nodes, len(nodes), self._map.node(goal))

    def _take(self, function, *arguments):
        """The path that a function gives."""
        map = self._map
        status = map._guard.read(function, self._itself, *arguments, self._answer)
        if status:
            check(status)
        return self._found(map._width)

    def _take_of(self, nodes, function, *arguments):
        """The same of a function that is given nodes to check."""
        map = self._map
        check_nodes(map._guard.read(function, self._pointer, *arguments, self._answer),
                    map._node_count, nodes)
        return self._found(map._width)

    def _found(self, width):
        """The path of the last call, copied out of the search."""
        path, values = _new(Path), _MEMBERS.unpack(self._path)
        path._values, path._width, path._batch = values, width, None
        path._nodes = self._copy(values[_NODES], values[_NODE_COUNT])
        path._corners = self._copy(values[_CORNERS], values[_CORNER_COUNT])
        return path

    def _copy(self, address, count):
        """Numbers of 32 bits as bytes. The library writes paths to the same few addresses, whose
        views are kept; what a view covers beyond the count is never read."""
        if not count:
            return b""
        view = self._views.get(address)
        if view is None or 4 * count > len(view):
            if len(self._views) >= _ADDRESSES_KEPT:
                self._views.clear()
            room = ctypes.c_char * (4 * max(count, self._map._node_count))
            view = self._views[address] = memoryview(room.from_address(address)).cast("B")
        return bytes(view[:4 * count])

    def _look(self, node, info):
        check(self._map._guard.read(lib.search_node_info, self._pointer, node, info))

    def _switch(self, map, table):
        parents = Search._parents(map, table)
        for parent in parents:
            self._record.keep(parent)
        check(map._guard.read(lib.search_use, self._pointer, map._pointer, pointer_of(table)))
        self._map, self._table = map, table
        self._record.keep_only(parents)

    def __repr__(self):
        return f"<cairn.Search over {self._map!r} along {self._table!r}>"


class Bound:
    """A lower bound on the cost from any node to one goal, while map and table stay as they are:
    ChangedError once they changed."""

    __slots__ = ("_map", "_table", "_bound", "_goal")

    def __init__(self, *_):
        raise TypeError("bounds are made by Map.bound and Table.bound")

    @classmethod
    def _new(cls, map, table, goal, heuristic):
        self = cls.__new__(cls)
        self._map, self._table, self._bound = map, table, _native.Bound()
        self._goal = map.node(goal)
        check(map._guard.read(lib.bound_with, map._pointer, pointer_of(table), self._goal,
                              Heuristic.chosen(heuristic), byref(self._bound)))
        return self

    @property
    def goal(self) -> int:
        """The node that costs are bounded to."""
        return self._goal

    def __call__(self, place: Place) -> int:
        """What no path from a node to the goal undercuts; UNREACHABLE: there is none."""
        node = self._map.node(place)
        return self._map._guard.read(self._current, lib.bound_at, node)

    def of(self, nodes: Iterable[Place]) -> array.array[int]:
        """Of several nodes (places, or an array of numbers, which is not copied where these have 32
        bits and lie in order): an array of as many costs."""
        asked = self._map._nodes(nodes)
        bounds, filled = new_costs(len(asked))
        check_nodes(self._map._guard.read(self._current, lib.bounds_at, asked, len(asked), filled),
                    self._map._node_count, asked)
        return bounds

    def of_all(self) -> array.array[int]:
        """Of every node of the map, an array; of blocked nodes it means nothing."""
        return self.of(first_numbers(self._map.node_count))

    def _current(self, function, *arguments):
        if not lib.bound_is_current(byref(self._bound)):
            raise ChangedError("the map or the table changed since the bound was made")
        return function(byref(self._bound), *arguments)

    def __reduce_ex__(self, _):
        raise TypeError("bounds are neither copied nor pickled")

    def __repr__(self):
        return f"<cairn.Bound to node {self._goal} of {self._map!r}>"
