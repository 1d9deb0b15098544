"""Maps and tables that one thread changes while others search."""
from __future__ import annotations

import functools
from ctypes import byref
from typing import Any, Callable, Optional, SupportsIndex

from . import _native
from ._edits import Edits, make_edits
from ._enums import Form, Heuristic, Space, Ties
from ._errors import Status, check
from ._maps import Map
from ._native import lib
from ._owned import Guard, Owned, Record, freeing_itself, pointer_of
from ._searches import Bound, Search, search_options
from ._tables import Table, budget
from ._types import Place


_RELEASED = "the view was released"

_WorldRecord = freeing_itself(Record, lib.world_free)


class View:
    """A state of a world: a `map` and a `table` (or None) that stay as they are, and its `version`,
    how often the world had been published. Released at the end of a `with` block, or by release:
    what was made from it is refused with ChangedError then."""

    __slots__ = ("_map", "_table", "_version", "_guard", "_world", "_record", "__weakref__")

    def __init__(self, *_):
        raise TypeError("views are made by World.view and World.draft")

    @classmethod
    def _new(cls, world, struct):
        self = cls.__new__(cls)
        self._guard, self._version = Guard(), struct.version
        struct.world = self._world = world._record  # which outlives the struct
        self._record = record = Record(struct)
        self._map = Map.__new__(Map)
        self._map._borrow(struct.map, record)
        self._map._calls_back = world._calls_back
        self._map._measure(self._guard, may_change=False)
        self._table = None
        if struct.table:
            self._table = Table.__new__(Table)
            self._table._borrow(struct.table, record)
            self._table._map = self._map
        return self

    @property
    def map(self) -> Map:
        """The Map of this state."""
        return self._map

    @property
    def table(self) -> Optional[Table]:
        """The Table of this state, or None."""
        return self._table

    @property
    def version(self) -> int:
        """How often the world had been published: 0 for the first state."""
        return self._version

    def search(self, *, space: Space = Space.AUTO, heuristic: Heuristic = Heuristic.BEST,
               weight: float = 1.0, nearest: bool = False, expansion_limit: SupportsIndex = 0,
               cancel: Optional[Callable[[], Any]] = None, form: Form = Form.CELLS,
               ties: Ties = Ties.LAST, bound: Optional[Callable[[int], SupportsIndex]] = None,
               on_expand: Optional[Callable[[int], Any]] = None,
               never_reopen: bool = False) -> Search:
        """A Search over this state, with options as Table.search explains them; Search.use leads it
        to another one."""
        chosen = search_options(
            space=space, heuristic=heuristic, weight=weight, nearest=nearest,
            expansion_limit=expansion_limit, cancel=cancel, form=form, ties=ties, bound=bound,
            on_expand=on_expand, never_reopen=never_reopen)
        return Search._new(self._map, self._table, chosen)

    def bound(self, goal: Place, heuristic: Heuristic = Heuristic.BEST) -> Bound:
        """The Bound on costs to a goal."""
        return Bound._new(self._map, self._table, goal, heuristic)

    def release(self) -> None:
        """Lets go of the state, so that its memory can be written again. BusyError while another
        thread uses it; to release again does nothing."""
        if not self._guard.closed:
            self._guard.close(_RELEASED)
        self._record.keep_only([self._world])  # the struct of the state releases itself

    def __enter__(self) -> View:
        return self

    def __exit__(self, *_):
        self.release()

    def __repr__(self):
        state = "released" if self._guard.closed else repr(self._map)
        return f"<cairn.View {self._version}: {state}>"


class World(Owned):
    """A map and its table for any number of threads that search beside one that changes them. What
    is edited and refreshed is a draft; readers find what was published last, and never wait.

    Map and table become the world's: all that was made from them is refused with ChangedError. A
    map for units goes with the map whose edits it follows (so make it of a clone), and the world
    takes edits of cells."""

    __slots__ = ("_guard", "_draft", "_calls_back", "_acquire")

    def __init__(self, map: Map, table: Optional[Table] = None) -> None:
        if not isinstance(map, Map) or not isinstance(table, (Table, type(None))):
            raise TypeError("a world is made of a cairn.Map and a cairn.Table, or None")
        if table is not None:
            table._check_is_of(map)
        made = _WorldRecord()
        map._change(self._take, map, table, made)
        self._guard, self._draft, self._calls_back = Guard(), None, map._calls_back
        self._own(made)
        state = freeing_itself(_native.View, functools.partial(lib.world_release, self._pointer))
        self._acquire = _native.with_result(lib.world_acquire, state)

    def _take(self, map, table, made):
        """Nobody else frees or uses what is given to the world, which keeps the memory that arrays
        refer to; that is so before the call, after which an interrupt may strike."""
        made.pool, given = map._record.pool, [of._record for of in (map, table) if of is not None]
        map._guard.closed = "the map and the table belong to a world"
        for record in given:
            record.value = None
            record.keep(made)
        status = lib.world_new(map._pointer, pointer_of(table), byref(made))
        if status != Status.OK:
            for record, of in zip(given, (map, table)):
                record.value = of._pointer
            map._guard.closed = None
        check(status)

    def view(self) -> View:
        """The state that was published last, a View, for any thread."""
        return View._new(self, self._acquire(self._pointer))

    def draft(self, *, wait: Optional[float] = 0) -> View:
        """The draft as it is, a View for the thread that writes; it is released by the next edit,
        refresh or publication."""
        struct = _native.View()
        self._write(lib.world_draft, byref(struct), wait=wait)
        view = View._new(self, struct)
        self._draft = view._guard  # what was made of the view may outlive it
        return view

    def edit(self, *edits: Edits, wait: Optional[float] = 0) -> None:
        """Applies edits to the draft, as Map.edit does; the `line` of an error is the number of the
        first edit that was refused. BusyError while readers hold the state before the published
        one, or another thread writes, and has done so for `wait` seconds; None waits as long as
        that takes, for ever if the thread holds such a View itself."""
        make_edits(edits, lambda *made: self._write(lib.world_edit, *made, wait=wait),
                   self._check_edits)

    def _check_edits(self, structs):
        with self.view() as view:
            view._map._check_edits(structs)

    def refresh(self, *, cells: Optional[SupportsIndex] = None,
                microseconds: Optional[SupportsIndex] = None,
                wait: Optional[float] = 0) -> bool:
        """Repairs the draft's table, for at most so many cells or microseconds. Returns whether
        every row is exact again. BusyError as edit."""
        return self._write(lib.world_refresh_step, budget(cells, microseconds), wait=wait)

    def publish(self, *, wait: Optional[float] = 0) -> None:
        """Readers that come from now on find the draft. It waits as edit does."""
        self._write(lib.world_publish, wait=wait)

    def _write(self, function, *arguments, wait):
        return self._guard.write(self._write_alone, function, *arguments, wait=wait)

    def _write_alone(self, function, *arguments):
        if self._draft is not None and not self._draft.closed:
            self._draft.close(_RELEASED)
        self._draft = None
        return check(function(self._pointer, *arguments))

    def __repr__(self):
        return f"<cairn.World at {self._pointer:#x}>"
