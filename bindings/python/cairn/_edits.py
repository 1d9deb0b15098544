"""Edits of maps, and the texts that tell edits and queries."""
from __future__ import annotations

import ctypes
import typing
from ctypes import byref, c_void_p
from typing import Any, List, Optional, SupportsIndex, Tuple

from . import _native
from ._convert import held_bytes, letter_byte, path_bytes, text_bytes
from ._enums import EditKind
from ._errors import check
from ._native import lib, options
from ._types import PathName, Place, Text


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


def arc_cost(start: int, end: int, cost: int) -> Edit:
    """An arc of a graph takes a cost; so does its reverse where every arc costs as much as its reverse
    (Map.is_directed is False)."""
    return Edit(EditKind.ARC, arc=(start, end, cost))


def _size_of_data(kind, width, height):
    if kind == EditKind.BITS:
        return (width * height + 7) // 8
    return width * height if kind == EditKind.LETTERS else 0


def edit_structs(edits):
    """An array of structs, which keeps the data that they point to."""
    structs = (_native.Edit * len(edits))()
    structs.held = []
    for struct, edit in zip(structs, edits):
        if not isinstance(edit, Edit):
            raise TypeError(f"expected a cairn.Edit, found {edit!r}")
        kind, data = EditKind(edit.kind), bytes(edit.data)
        start, end, cost = edit.arc
        filled = options(_native.Edit, kind=kind, x=edit.x, y=edit.y, width=edit.width,
                         height=edit.height, letter=letter_byte(edit.letter),
                         arc=options(_native.Arc, to=end, cost=cost, **{"from": start}))
        if len(data) != _size_of_data(kind, filled.width, filled.height):
            raise ValueError(f"{_size_of_data(kind, filled.width, filled.height)} bytes are "
                             f"wanted, {len(data)} were given")
        structs.held.append(ctypes.c_char_p(data))
        filled.data = ctypes.cast(structs.held[-1], c_void_p)
        ctypes.memmove(byref(struct), byref(filled), ctypes.sizeof(filled))
    return structs


def _edit_of(struct, line=0):
    kind = EditKind(struct.kind)
    data = ctypes.string_at(struct.data, _size_of_data(kind, struct.width, struct.height)) \
        if struct.data else b""
    arc = (getattr(struct.arc, "from"), struct.arc.to, struct.arc.cost)
    return Edit(kind, struct.x, struct.y, struct.width, struct.height,
                struct.letter.decode("latin-1"), data, arc, line)


def _made_from(function, where, *arguments):
    """What a reader of texts made."""
    made, error = c_void_p(), _native.Error()
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
    made = _made_from(function, where, *arguments)
    try:
        items = lib.edits_items(made)
        return [_edit_of(items[i], lib.edits_line(made, i)) for i in range(lib.edits_count(made))]
    finally:
        lib.edits_free(made)


# -------------------------------------------------------------------------- queries --

class Query(typing.NamedTuple):
    """A line of a scenario: two nodes, and the published length of the shortest path in steps, -1
    where a changing map has no path, and on graphs, where none is published."""
    start: int
    goal: int
    length: float
    bucket: int


def _query_of(struct):
    return Query(struct.start, struct.goal, struct.length, struct.bucket)


def queries(function, where, *arguments):
    """A list of Query, from a file or a text."""
    made = _made_from(function, where, *arguments)
    try:
        found = lib.scenario_queries(made)
        return [_query_of(found[i]) for i in range(lib.scenario_count(made))]
    finally:
        lib.scenario_free(made)


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
    made = _made_from(function, where, *arguments)
    try:
        items = lib.dynamic_events(made)
        events = [_event_of(items[i]) for i in range(lib.dynamic_count(made))]
        return Dynamic(lib.dynamic_width(made), lib.dynamic_height(made), events)
    finally:
        lib.dynamic_free(made)


def _event_of(struct):
    if struct.kind == 0:
        return Event(struct.time, _edit_of(struct.edit), None)
    return Event(struct.time, None, _query_of(struct.query))
