"""Edits of maps, and the texts that tell edits and queries."""
from __future__ import annotations

import array
import ctypes
import itertools
import typing
from ctypes import byref, c_uint32, c_void_p
from struct import Struct
from struct import error as UnfitNumber
from typing import Any, Iterable, List, Optional, SupportsIndex, Union

from . import _native
from ._convert import (bits_of, cells_view, check_letters, held_bytes, letter_byte, numbers,
                       path_bytes, text_bytes, view_of)
from ._enums import EditKind
from ._errors import ArgumentError, FormatError, LimitError, check
from ._native import index, lib, options, whole
from ._owned import freeing_itself
from ._types import PathName, Place, Text


_SIZE = ctypes.sizeof(_native.Edit)
_MEMBERS = Struct("i4IcP3I")  # of the struct of an edit
_NUMBERS = "x", "y", "width", "height", "from", "to", "cost"


class Edit(typing.NamedTuple):
    """A change of the cells of a rectangle, or of the cost of an arc. `line` is that of the text
    which it comes from, else 0."""
    kind: EditKind
    x: int = 0
    y: int = 0
    width: int = 0
    height: int = 0
    letter: str = "\0"
    data: bytes = b""
    arc: typing.Tuple[int, int, int] = (0, 0, 0)
    line: int = 0


class CellEdits:
    """The same letter for many cells: what block_all, open_all and terrain_all return, and what
    takes its place among the edits of a call as one for each cell. Its length is their number."""

    __slots__ = ("_x", "_y", "_letter")

    def __init__(self, *_):
        raise TypeError("made by block_all, open_all and terrain_all")

    @classmethod
    def _new(cls, cells, width, letter):
        self = cls.__new__(cls)
        self._letter = letter_byte(letter)
        if width is None:
            self._x, self._y = _columns_and_rows(cells)
        else:
            nodes, width = numbers(cells), whole(c_uint32, width, "width")
            if width == 0:
                raise ValueError("width: expected that of the map, found 0")
            self._x = array.array("I", [node % width for node in nodes])
            self._y = array.array("I", [node // width for node in nodes])
        return self

    def __len__(self) -> int:
        return len(self._x)

    def __repr__(self):
        return f"<cairn.CellEdits of {len(self)} cells to {self._letter.decode('latin-1')!r}>"

    def _write(self, structs):
        """Into so many structs, column by column."""
        one = options(_native.Edit, kind=EditKind.FILL, width=1, height=1, letter=self._letter)
        members = memoryview(structs).cast("B")
        members[:] = bytes(one) * len(self)
        every = ctypes.sizeof(_native.Edit) // 4
        for member, values in ((_native.Edit.x, self._x), (_native.Edit.y, self._y)):
            members.cast("I")[member.offset // 4::every] = values


def _columns_and_rows(cells):
    view = view_of(cells)
    if view is not None and (view.ndim != 2 or view.shape[1] != 2):
        raise TypeError("expected cells, as pairs (x, y) or an array of shape (cells, 2), or nodes "
                        "and the width of their map, width=")
    try:
        flat = numbers(itertools.chain.from_iterable(cells) if view is None else cells)
    except TypeError:
        raise TypeError("expected cells, as pairs (x, y), or nodes and the width of their map, "
                        "width=") from None
    if len(flat) % 2:
        raise ValueError("cells are pairs (x, y)")
    return flat[0::2], flat[1::2]


def block_all(cells: Any, *, width: Optional[SupportsIndex] = None) -> CellEdits:
    """Every one of many cells becomes blocked: pairs (x, y), or an array of shape (cells, 2). With
    `width`, cells are nodes of a map as wide as that."""
    return CellEdits._new(cells, width, "@")


def open_all(cells: Any, *, width: Optional[SupportsIndex] = None) -> CellEdits:
    """Every one of many cells becomes open ground, given as in block_all."""
    return CellEdits._new(cells, width, ".")


def terrain_all(cells: Any, letter: str, *, width: Optional[SupportsIndex] = None) -> CellEdits:
    """Every one of many cells takes a letter, given as in block_all."""
    return CellEdits._new(cells, width, letter)


def block(x: Place, y: Optional[SupportsIndex] = None) -> Edit:
    """The cell in column x and row y becomes blocked; block((x, y)) is the same."""
    return _fill_cell(x, y, "@")


def open_cell(x: Place, y: Optional[SupportsIndex] = None) -> Edit:
    """The cell in column x and row y becomes open ground; open_cell((x, y)) is the same."""
    return _fill_cell(x, y, ".")


def _fill_cell(x, y, letter):
    if y is None:
        try:
            x, y = x
        except (TypeError, ValueError):
            raise TypeError("expected a column and a row, or a pair of them; "
                            f"found {x!r}") from None
    elif isinstance(x, (tuple, list)) or isinstance(y, (tuple, list)):
        name = "block_all" if letter == "@" else "open_all"
        raise TypeError("expected one cell, as a column and a row or as a pair of them; "
                        f"cairn.{name}([(3, 3), (4, 3)]) takes many")
    return rectangle(x, y, 1, 1, letter)


def terrain(x: int, y: int, letter: str) -> Edit:
    """The cell in column x and row y takes a letter."""
    return rectangle(x, y, 1, 1, letter)


def rectangle(x: int, y: int, width: int, height: int, letter: str) -> Edit:
    """Every cell of a rectangle, whose first cell is in column x and row y, takes a letter."""
    return Edit(EditKind.FILL, x, y, width, height, letter)


def patch_bits(x: int, y: int, width: int, height: int, bits: Any) -> Edit:
    """Every cell of a rectangle becomes open or blocked: bit i of `bits` (its byte i // 8, from the
    lowest bit) tells whether cell i of the rectangle, in row order, is open."""
    return Edit(EditKind.BITS, x, y, width, height, data=held_bytes(bits))


def patch_letters(x: int, y: int, width: int, height: int, letters: Text) -> Edit:
    """Every cell of a rectangle takes its letter of `letters`, in row order."""
    return Edit(EditKind.LETTERS, x, y, width, height, data=text_bytes(letters))


def patch_array(x: int, y: int, cells: Any) -> Edit:
    """Every cell of a rectangle becomes what an array of shape (height, width) says: of bool, where
    True is open, as patch_bits; or of letters as 8-bit numbers, as patch_letters."""
    view = cells_view(cells)
    height, width = view.shape
    if view.format == "?":
        return patch_bits(x, y, width, height, bits_of(view.tobytes()))
    return patch_letters(x, y, width, height, check_letters(view.tobytes()))


def arc_cost(start: int, end: int, cost: int) -> Edit:
    """An arc of a graph takes a cost; so does its reverse where every arc costs as much as its
    reverse (Map.is_directed is False)."""
    return Edit(EditKind.ARC, arc=(start, end, cost))


def _size_of_data(kind, width, height):
    if kind == EditKind.BITS:
        return (width * height + 7) // 8
    return width * height if kind == EditKind.LETTERS else 0


# What Map.edit and World.edit take: one after another, or several as a list.
Edits = Union[Edit, CellEdits, Iterable[Union[Edit, CellEdits]]]


def _one_by_one(edits):
    """Each of them, of arguments that are one or hold several."""
    for edit in edits:
        if isinstance(edit, (Edit, CellEdits, str, bytes)) or not hasattr(edit, "__iter__"):
            yield edit
        else:
            yield from edit


def edit_structs(edits):
    """An array of structs, which keeps the data that they point to."""
    edits = list(_one_by_one(edits))
    counts = [len(edit) if isinstance(edit, CellEdits) else 1 for edit in edits]
    structs, first = (_native.Edit * sum(counts))(), 0
    structs.held = []
    for edit, count in zip(edits, counts):
        if isinstance(edit, CellEdits):
            edit._write((_native.Edit * count).from_buffer(structs, first * _SIZE))
        else:
            _write_edit(edit, structs, first * _SIZE)
        first += count
    return structs


def make_edits(edits, make, check_edits):
    """Calls `make` with an array of structs and their number. What the library refuses raises
    `check_edits`, with the number of the edit."""
    structs = edit_structs(edits)
    try:
        make(structs, len(structs))
    except (ArgumentError, FormatError, LimitError):
        check_edits(structs)
        raise


def _write_edit(edit, structs, at):
    if not isinstance(edit, Edit):
        is_text = isinstance(edit, (str, bytes))
        remedy = ": write cairn.parse_edits(...) for a text" if is_text else ""
        raise TypeError("expected a cairn.Edit, such as cairn.block(x, y), or a list of them; "
                        f"found {edit!r}{remedy}")
    kind, *rectangle, letter, data, arc, _ = edit
    kind, data, (start, end, cost) = EditKind.chosen(kind), bytes(data), arc
    held = ctypes.c_char_p(data)
    try:
        _MEMBERS.pack_into(structs, at, kind, *rectangle, letter_byte(letter),
                           ctypes.cast(held, c_void_p).value, start, end, cost)
    except UnfitNumber:
        for name, number in zip(_NUMBERS, (*rectangle, start, end, cost)):
            whole(c_uint32, number, name)
        raise
    size = _size_of_data(kind, *map(index, rectangle[2:]))
    if len(data) != size:
        raise ValueError(f"{size} bytes are wanted, {len(data)} were given")
    structs.held.append(held)


def _edit_of(struct, line=0):
    kind = EditKind(struct.kind)
    data = ctypes.string_at(struct.data, _size_of_data(kind, struct.width, struct.height)) \
        if struct.data else b""
    arc = (getattr(struct.arc, "from"), struct.arc.to, struct.arc.cost)
    return Edit(kind, struct.x, struct.y, struct.width, struct.height,
                struct.letter.decode("latin-1"), data, arc, line)


_MadeEdits = freeing_itself(c_void_p, lib.edits_free)
_MadeScenario = freeing_itself(c_void_p, lib.scenario_free)
_MadeDynamic = freeing_itself(c_void_p, lib.dynamic_free)


def _made_from(kind, function, where, *arguments):
    """What a reader of texts made."""
    made, error = kind(), _native.Error()
    check(function(*arguments, byref(made), byref(error)), where, error)
    return made


# -------------------------------------------------------------------------------- edits --

def load_edits(path: PathName) -> List[Edit]:
    """The edits of a file, a list of Edit: `block X Y`, `open X Y`, `terrain X Y LETTER`,
    `rect X Y WIDTH HEIGHT LETTER` or, for graphs, `cost FROM TO COST`, one to a line."""
    return _edits(lib.edits_load, path, path_bytes(path))


def parse_edits(text: Text) -> List[Edit]:
    """The same from the text of a file."""
    data = text_bytes(text)
    return _edits(lib.edits_parse, "edits", data, len(data))


def _edits(function, where, *arguments):
    made = _made_from(_MadeEdits, function, where, *arguments)
    items = lib.edits_items(made)
    return [_edit_of(items[i], lib.edits_line(made, i)) for i in range(lib.edits_count(made))]


# -------------------------------------------------------------------------- queries --

class Query(typing.NamedTuple):
    """A line of a scenario: two nodes, and the published length of the shortest path in steps, -1
    where a changing map has no path, and on graphs, where none is published."""
    start: int
    goal: int
    length: float
    bucket: int


def query_of(struct):
    return Query(struct.start, struct.goal, struct.length, struct.bucket)


def queries(function, where, *arguments):
    """An array of QueryStruct, from a file or a text."""
    made = _made_from(_MadeScenario, function, where, *arguments)
    structs = (_native.Query * lib.scenario_count(made))()
    ctypes.memmove(structs, lib.scenario_queries(made), ctypes.sizeof(structs))
    return structs


# --------------------------------------------------------------- maps that change --

class Event(typing.NamedTuple):
    """What happens at a time to a map that changes: an edit or a query, the other is None."""
    time: int
    edit: typing.Optional[Edit]
    query: typing.Optional[Query]


class Dynamic(typing.NamedTuple):
    """A map that changes between queries: a grid whose cells are all open first, and the events."""
    width: int
    height: int
    events: typing.List[Event]


def load_dynamic(path: PathName) -> Dynamic:
    """Reads a .scen file of version 2 and the patch file that it names, beside it."""
    return _dynamic(lib.dynamic_load, path, path_bytes(path))


def parse_dynamic(text: Text, patches: Text) -> Dynamic:
    """The same from the texts of both files."""
    scenario, changes = text_bytes(text), text_bytes(patches)
    return _dynamic(lib.dynamic_parse, "scenario", scenario, len(scenario), changes, len(changes))


def _dynamic(function, where, *arguments):
    made = _made_from(_MadeDynamic, function, where, *arguments)
    items = lib.dynamic_events(made)
    events = [_event_of(items[i]) for i in range(lib.dynamic_count(made))]
    return Dynamic(lib.dynamic_width(made), lib.dynamic_height(made), events)


def _event_of(struct):
    if struct.kind == 0:
        return Event(struct.time, _edit_of(struct.edit), None)
    return Event(struct.time, None, query_of(struct.query))
