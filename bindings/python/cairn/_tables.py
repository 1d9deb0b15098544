"""Tables of costs between landmarks and nodes."""
from __future__ import annotations

import array
import ctypes
import typing
from ctypes import byref, c_size_t, c_void_p
from typing import Any, Callable, List, Optional, SupportsIndex, Tuple

from . import _native
from ._convert import costs_to_fill, path_bytes, progress_pointer
from ._enums import Codec, Direction, Form, Heuristic, Resident, RowState, Space, Ties
from ._errors import Error, MismatchError, Status, check
from ._native import BUDGET, index, lib, options, whole
from ._owned import Owned, Record, check_kind, freeing_itself
from ._searches import (Bound, Path, Paths, Search, check_path, search_all,
                        search_options)
from ._types import Pairs, PathName, Place, Progress

if typing.TYPE_CHECKING:
    from ._maps import Map

UNLIMITED = 2 ** 64 - 1


def budget(cells, microseconds):
    """How much a refresh may do, as the library wants it told."""
    if cells is not None and microseconds is not None:
        raise ValueError("a budget is either cells or microseconds")
    chosen = cells if microseconds is None else microseconds
    if chosen is None:
        return UNLIMITED
    kind, name = (1, "cells") if microseconds is None else (2, "microseconds")
    return kind << 62 | whole(BUDGET, chosen, name)


def check_fits(table, map, words):
    """MismatchError with these words unless the table is one of the map, however old."""
    bound = _native.Bound()
    status = map._guard.read(lib.bound_with, map._pointer, table._pointer, 0, Heuristic.BEST,
                             byref(bound))
    if status == Status.MISMATCH:
        raise MismatchError(words, Status.MISMATCH)
    check(status)


def save_options(rows, threads, with_map, codec, progress, stamp):
    return options(_native.SaveOptions, row_count=rows, thread_count=threads,
                   codec=Codec.chosen(codec), map_part=int(not with_map),
                   progress=progress_pointer(progress), stamp=stamp)


class RefreshCounts(typing.NamedTuple):
    """What refreshing has done over the life of a table."""
    cells: int
    rows_repaired: int
    rows_rebuilt: int
    landmarks_moved: int
    landmarks_added: int
    landmarks_dropped: int


TableRecord = freeing_itself(Record, lib.table_free)


class Table(Owned):
    """Costs between landmarks and every node of `map`, in rows."""

    __slots__ = ("_map",)
    _kind = "Table"
    _made_by = "Map.build, cairn.load, load_bytes and load_from"

    @classmethod
    def _new(cls, record, map):
        self = cls.__new__(cls)
        self._own(record)
        self._map = map
        return self

    def _check_is_of(self, map):
        if self._map is not map:
            raise MismatchError("a table of that map is wanted")

    @property
    def map(self) -> Map:
        """The Map that the table is of."""
        return self._map

    def _read(self, function, *arguments):
        return self._map._guard.read(function, self._pointer, *arguments)

    def __len__(self) -> int:
        """How many rows."""
        return self._read(lib.table_row_count)

    @property
    def row_count(self) -> int:
        """How many rows, as len(table)."""
        return len(self)

    @property
    def entry_bits(self) -> int:
        """16 or 32."""
        return self._read(lib.table_entry_bits)

    @property
    def resident(self) -> Resident:
        """Where the rows live, a Resident."""
        return Resident(self._read(lib.table_resident))

    def holds(self, place: Place) -> bool:
        """Whether the table has entries of a node: of every node, also of blocked cells, or of
        corners."""
        return self._read(lib.table_holds, self._map.node(place))

    @property
    def memory(self) -> int:
        """Bytes."""
        return self._read(lib.table_memory)

    @property
    def metric(self) -> Tuple[int, int]:
        """What a straight and a diagonal step count in the rows."""
        metric = self._read(lib.table_metric)
        return metric.straight, metric.diagonal

    @property
    def counts_steps(self) -> bool:
        """Whether the table counts steps, and leaves out what terrain costs."""
        return self._read(lib.table_counts_steps)

    @property
    def map_hash(self) -> int:
        """The hash of the map that the rows are right for."""
        return self._read(lib.table_map_hash)

    @property
    def version(self) -> int:
        """A number that grows whenever anything in the table changes."""
        return self._read(lib.table_version)

    @property
    def refresh_counts(self) -> RefreshCounts:
        """What refreshing has done so far, RefreshCounts."""
        counts = self._read(lib.table_refresh_counts)
        return RefreshCounts(*(getattr(counts, name) for name in RefreshCounts._fields))

    def landmarks(self, row: SupportsIndex) -> List[int]:
        """The nodes of a row's landmarks, one in each component: a list of numbers."""
        return self._read(self._landmarks, self._row(row))

    @staticmethod
    def _landmarks(pointer, row):
        found = c_void_p()
        count = lib.table_landmarks(pointer, row, byref(found))
        return memoryview(ctypes.string_at(found, 4 * count) if count else b"").cast("I").tolist()

    def cost(self, row: SupportsIndex, place: Place) -> int:
        """Between a node and the nearest landmark of a row."""
        return self._read(lib.table_cost, self._row(row), self._map.node(place))

    def row(self, row: SupportsIndex, into: Any = None) -> Any:
        """The costs between every node and the nearest landmark of a row: array.array('I') of
        node_count costs, UNREACHABLE where no path leads and for blocked cells; or `into`, a
        writable buffer of so many numbers of 32 bits, which is filled. ResidentError for rows at
        corners: Map.costs_from the landmarks of the row gives the costs of all cells."""
        number, count = self._row(row), self._map._node_count
        into = array.array("I", [0]) * count if into is None else into
        check(self._read(lib.table_row, self._map._pointer, number, costs_to_fill(into, count, 32)))
        return into

    def set_cost(self, row: SupportsIndex, place: Place, cost: SupportsIndex) -> None:
        """Overwrites an entry, for tests and experiments."""
        check(self._map._change(lib.table_set_cost, self._pointer, self._row(row),
                                     self._map.node(place), cost))

    def state(self, row: SupportsIndex) -> RowState:
        """What a row is good for on the map as it is, a RowState."""
        return RowState(self._read(lib.table_row_state, self._map._pointer, self._row(row)))

    def direction(self, row: SupportsIndex) -> Direction:
        """Which costs a row holds, a Direction."""
        return Direction(self._read(lib.table_direction, self._row(row)))

    def _row(self, row):
        number = index(row)
        if not 0 <= number < len(self):
            raise IndexError(f"there is no row {number}")
        return number

    def clone(self, map: Optional[Map] = None) -> Table:
        """A copy of its own, of the same map or of a copy of that."""
        made = TableRecord()
        if map is not None:
            check_kind(map, "Map")
        check(self._read(lib.table_clone, byref(made)))
        copy = Table._new(made, self._map if map is None else map)
        if map is not None:
            check_fits(copy, map, "the map is not a copy of that of the table")
        return copy

    def verify(self, threads: SupportsIndex = 0) -> None:
        """Raises InexactError unless every entry is exact, and StaleError after edits of the map
        that were not refreshed."""
        fault = _native.Fault()
        status = self._read(lib.table_verify, self._map._pointer, threads, byref(fault))
        check(status, f"row {fault.row}, node {fault.node}" if status == Status.INEXACT else None)

    def save(self, path: PathName, *, rows: SupportsIndex = 0, threads: SupportsIndex = 0,
             with_map: bool = True, codec: Codec = Codec.BEST,
             progress: Optional[Progress] = None, stamp: SupportsIndex = 0) -> None:
        """Writes table and map into one file, whole or not at all; `rows`: only the first ones.
        `progress(stage, done, total)` stops it by returning False. `stamp` is a number of 64 bits
        of your own, such as a hash of what the table was built from: see Outline."""
        name = path_bytes(path)
        chosen = save_options(rows, threads, with_map, codec, progress, stamp)
        check(self._map._guard.read(lib.save, self._map._pointer, self._pointer, name,
                                    byref(chosen)), path)

    def to_bytes(self, *, rows: SupportsIndex = 0, threads: SupportsIndex = 0,
                 with_map: bool = True, codec: Codec = Codec.BEST,
                 progress: Optional[Progress] = None, stamp: SupportsIndex = 0) -> bytes:
        """The same as bytes, for cairn.load_bytes."""
        chosen = save_options(rows, threads, with_map, codec, progress, stamp)
        made, size = c_void_p(), c_size_t()
        check(self._map._guard.read(lib.save_bytes, self._map._pointer, self._pointer,
                                    byref(chosen), byref(made), byref(size)))
        try:
            return ctypes.string_at(made, size.value)
        finally:
            lib.bytes_free(self._map._pointer, made)

    def refresh(self, *, cells: Optional[SupportsIndex] = None,
                microseconds: Optional[SupportsIndex] = None,
                wait: Optional[float] = 0) -> bool:
        """Repairs what edits changed, for at most so many cells or microseconds. Returns whether
        every row is exact again. With such a limit it waits while the map changes from one call
        to the next. While other threads use the table, `wait` seconds at most, as Map.edit."""
        return self._renew(lib.refresh_step, budget(cells, microseconds), wait=wait)

    def refresh_as_it_pays(self, path: Path, *, wait: Optional[float] = 0) -> bool:
        """Repairs as far as it is worth it, where the time of refreshing and of searching count
        together: to be called with the Path of every search along the table. It waits as Map.edit
        does."""
        check_path(path)
        return self._renew(lib.refresh_as_it_pays, byref(path._struct()), wait=wait)

    def rebuild(self, *, wait: Optional[float] = 0) -> None:
        """Measures every row again. It waits as Map.edit does."""
        self._renew(lib.table_rebuild, wait=wait)

    def _renew(self, function, *arguments, wait):
        map = self._map
        return check(map._change(function, self._pointer, map._pointer, *arguments, wait=wait))

    def search(self, *, space: Space = Space.AUTO, heuristic: Heuristic = Heuristic.BEST,
               weight: float = 1.0, nearest: bool = False, expansion_limit: SupportsIndex = 0,
               cancel: Optional[Callable[[], Any]] = None, form: Form = Form.CELLS,
               ties: Ties = Ties.LAST, bound: Optional[Callable[[int], SupportsIndex]] = None,
               on_expand: Optional[Callable[[int], Any]] = None,
               never_reopen: bool = False) -> Search:
        """A Search along the table. Options:

        space, what it moves along; heuristic, the base heuristic beside the rows; weight, a factor
        of the bound from 1.0 (the default, as 0 is) to 1000.0, such as 1.5; nearest=True, a path to
        the nearest node where none leads to the goal; expansion_limit, pause after so many nodes;
        cancel, a function without arguments that ends a run with CancelledError by returning True;
        form, Form.CELLS, Form.CORNERS or, for costs alone, Form.NONE; ties, which of the nodes with
        the same bound comes first; bound, a function of a node instead of the table's bound;
        on_expand, a function called with each node as it is expanded; never_reopen=True, closed
        nodes stay closed, so that with a weight fewer are expanded and paths may be longer."""
        chosen = search_options(
            space=space, heuristic=heuristic, weight=weight, nearest=nearest,
            expansion_limit=expansion_limit, cancel=cancel, form=form, ties=ties, bound=bound,
            on_expand=on_expand, never_reopen=never_reopen)
        return Search._new(self._map, self, chosen)

    def search_all(self, pairs: Pairs, *, threads: SupportsIndex = 0,
                   space: Space = Space.AUTO, heuristic: Heuristic = Heuristic.BEST,
                   weight: float = 1.0, nearest: bool = False, expansion_limit: SupportsIndex = 0,
                   cancel: Optional[Callable[[], Any]] = None, form: Form = Form.CELLS,
                   ties: Ties = Ties.LAST, bound: Optional[Callable[[int], SupportsIndex]] = None,
                   on_expand: Optional[Callable[[int], Any]] = None,
                   never_reopen: bool = False) -> Paths:
        """The Paths of many (start, goal) pairs, in their order; 0: as many threads as processors.
        An array of QueryStruct is not copied where it lies in order. Options as search has them:
        with `cancel`, `bound` or `on_expand` all run on one thread, that of the caller. Ctrl-C ends
        the call without these, too."""
        chosen = search_options(
            space=space, heuristic=heuristic, weight=weight, nearest=nearest,
            expansion_limit=expansion_limit, cancel=cancel, form=form, ties=ties, bound=bound,
            on_expand=on_expand, never_reopen=never_reopen)
        return search_all(self._map, self, pairs, threads, chosen)

    def bound(self, goal: Place, heuristic: Heuristic = Heuristic.BEST) -> Bound:
        """The Bound on costs to a goal."""
        return Bound._new(self._map, self, goal, heuristic)

    def __repr__(self):
        try:
            return f"<cairn.Table of {len(self)} rows, {self.entry_bits} bits>"
        except Error as problem:
            return f"<cairn.Table: {problem}>"
