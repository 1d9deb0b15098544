"""What Python hands over, in the form that the library takes it."""
import array
import collections.abc
import ctypes
import itertools
import os
import re
import sys
import threading
import typing
from ctypes import byref, c_int32, c_uint16, c_uint32, c_void_p

from . import _native
from ._enums import Charge, Rule
from ._errors import (ArgumentError, LimitError, Status, check, guarded,
                      sees_signals)
from ._native import lib, options

# How the format of a buffer may say that its numbers are in the order of bytes of this machine.
_OWN_ORDER = "@=" + ("<" if sys.byteorder == "little" else ">!")

# Formats of whole numbers. Where the library wants none below zero, it refuses them as too large.
_WHOLE, _WITH_SIGNS = "IiLl", "il"
COSTS, NODES = "IL", _WHOLE

_CODES = list("bBhHiIlLqQ")  # of array.array, for whole numbers

_METRIC_MAX = 1 << 24


class Columns(typing.NamedTuple):
    """Coordinates of nodes as two arrays of 32-bit numbers with a sign, as the library takes
    them."""
    x: typing.Any
    y: typing.Any


def path_bytes(path):
    """The name of a file."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError("the name of a file has no zero byte")
    return name


def held_bytes(data):
    """Bytes that nobody changes while the library reads them: those given, without a copy, or a
    copy of anything else that holds some."""
    return data if type(data) is bytes else bytes(memoryview(data))


def text_bytes(text):
    """A text given as str, or as anything that holds bytes."""
    return text.encode("latin-1") if isinstance(text, str) else held_bytes(text)


class _Held(ctypes.Structure):
    """The memory of an object, which stays where it is until this is gone: a Py_buffer. ctypes
    itself gives the addresses of buffers that may be written, and of no others."""
    _fields_ = [("address", c_void_p), ("object", ctypes.py_object), ("size", ctypes.c_ssize_t),
                ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int), ("ndim", ctypes.c_int),
                ("format", ctypes.c_char_p), ("shape", c_void_p), ("strides", c_void_p),
                ("suboffsets", c_void_p), ("internal", c_void_p)]

    def __init__(self, view):
        super().__init__()
        ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(view), byref(self), 0)

    def __del__(self):
        ctypes.pythonapi.PyBuffer_Release(byref(self))


def in_place(view, kind):
    """Where the items of a buffer lie, for calls that examine each when they have copied it, so
    that other threads may write there; None where they lie in another order, or not as C wants
    them."""
    if not view.c_contiguous or not view.nbytes or view.nbytes % ctypes.sizeof(kind):
        return None
    held = _Held(view)
    if held.address % ctypes.alignment(kind):
        return None
    items = (kind * (view.nbytes // ctypes.sizeof(kind))).from_address(held.address)
    items.held = held
    return items


def view_of(values):
    """The buffer of an object; None where it has none."""
    try:
        return memoryview(values)
    except TypeError:
        return None


def numbers_in_place(values, formats):
    """Where the 32-bit numbers of an array of one dimension lie; None for anything else."""
    view = view_of(values)
    if view is None or view.ndim != 1 or view.itemsize != 4 or format_of(view) not in formats:
        return None
    return _nodes_in_place(view)


def _nodes_in_place(view):
    held = in_place(view, c_uint32)
    if held is not None:
        held.have_signs = format_of(view) in _WITH_SIGNS
    return held


def _layout(format):
    """The format of a buffer of structs, as numpy and as ctypes write it, in one way of writing."""
    spelled = re.sub(r"(\d+)x", lambda count: "x" * int(count[1]), format)
    if ctypes.sizeof(ctypes.c_long) == 4:
        spelled = spelled.replace("L:", "I:")
    return "".join(letter for letter in spelled if letter not in _OWN_ORDER)


def _layouts(kind):
    """Of a struct with what lies between its members, as numpy tells it of a type of its own, and
    as ctypes does."""
    told, at = "", 0
    for name, member in kind._fields_:
        if name == "padding":
            continue
        offset = getattr(kind, name).offset
        told += "x" * (offset - at) + f"{_native.FORMATS[member]}:{name}:"
        at = offset + ctypes.sizeof(member)
    return f"T{{{told}}}", _layout(memoryview(kind()).format)


def structs(values, kind):
    """Where the structs of an array lie, or a copy if they do not lie in order; None for anything
    but an array of structs."""
    view = view_of(values)
    if view is None or not view.format.startswith("T{"):
        return None
    if view.ndim != 1 or view.itemsize != ctypes.sizeof(kind) or \
            _layout(view.format) not in _layouts(kind):
        raise ValueError(f"an array of cairn.{kind.__name__}Struct is wanted")
    held = in_place(view, kind)
    return (kind * len(view)).from_buffer_copy(view.tobytes()) if held is None else held


def is_cell(place):
    """Whether a tuple is a column and a row, and not one of cells or of nodes."""
    return isinstance(place, tuple) and len(place) == 2 and \
        not any(isinstance(part, (tuple, list)) for part in place)


def places_of(values):
    """One place after another of what is to hold several. TypeError where that may mean two
    things."""
    view = view_of(values)
    if view is not None:
        return _places_of_array(view, values)
    if is_cell(values):
        raise TypeError(f"expected several nodes, found {values!r}, which is one cell or two "
                        f"nodes: write [{values!r}] for the cell, {list(values)!r} for the nodes")
    try:
        return iter(values)
    except TypeError:
        raise TypeError(f"expected several nodes, as a list or an array; found {values!r}: write "
                        f"[{values!r}] for one") from None


def _places_of_array(view, values):
    if format_of(view) == "?":
        raise TypeError("expected nodes, found an array of bool: write numpy.flatnonzero(array) "
                        "for the nodes where it is True")
    if view.ndim == 1:
        return listed(view, values)
    if view.ndim != 2 or view.shape[1] != 2:
        raise TypeError("expected an array of nodes, or one of shape (cells, 2) of columns and "
                        f"rows; found one of shape {view.shape}")
    return map(tuple, listed(view, values))


def rows_in_place(values, columns):
    """Where the numbers of an array of so many columns of 32 bits lie; None for anything else."""
    view = view_of(values)
    if view is None or view.ndim != 2 or view.shape[1] != columns or view.itemsize != 4 or \
            format_of(view) not in _WHOLE:
        return None
    return _nodes_in_place(view)


def have_signs(nodes):
    """Whether these numbers of 32 bits were given as such with a sign."""
    return getattr(nodes, "have_signs", False)


def check_nodes(status, node_count, *arrays):
    """Raises what a status says; IndexError where one of these nodes is not on the map."""
    if status == Status.ARGUMENT:
        for nodes in arrays:
            check_are_below(node_count, nodes, have_signs(nodes))
    check(status)


def check_are_below(node_count, nodes, signs):
    for node in nodes:
        if node >= node_count:
            given = c_int32(node).value if signs else node
            raise IndexError(f"{given} is not on the map")


def letter_byte(letter):
    byte = letter.encode("latin-1")
    if len(byte) != 1:
        raise ValueError(f"expected one letter, found {letter!r}")
    return byte


def format_of(view):
    """The letter that says what a buffer holds, in the order of bytes of this machine; of numbers
    in another order the two letters of struct."""
    order, letter = view.format[:1], view.format[1:]
    return letter if order in _OWN_ORDER and letter else view.format


def cells_view(cells):
    """The buffer of an array of cells: bool, or letters as 8-bit numbers."""
    view = view_of(cells)
    wanted = "an array of shape (height, width) is wanted, of bool or of letters"
    if view is None:
        raise TypeError(f"{wanted}; found {type(cells).__name__}: write numpy.array(cells, bool) "
                        "where 0 is blocked")
    if view.ndim != 2 or view.itemsize != 1 or 0 in view.shape:
        remedy = "" if view.ndim != 2 or view.itemsize == 1 else \
            ": write array.astype(bool) where 0 is blocked, array.astype('uint8') for letters"
        raise ValueError(f"{wanted}; found one of shape {view.shape} and format "
                         f"{view.format!r}{remedy}")
    return view


def check_letters(letters):
    """ValueError for numbers that stand for bool: no letter is 0 or 1."""
    if letters[:1] in (b"\0", b"\1"):
        raise ValueError("expected letters or bool, found numbers: write array.astype(bool) where "
                         "0 is blocked")
    return letters


def listed(view, values):
    """The items of a buffer, row by row, as Python has them."""
    try:
        return view.tolist()
    except NotImplementedError:  # numbers in another order of bytes
        return values.tolist() if hasattr(values, "tolist") else list(values)


def whole_numbers(view):
    """A copy of the whole numbers of a buffer of one or two dimensions, as it has them, row by row;
    None for anything else."""
    code = format_of(view)
    if view.ndim not in (1, 2) or code not in _CODES or \
            array.array(code).itemsize != view.itemsize:
        return None
    return array.array(code, view.tobytes())


def all_below(numbers, end):
    """An array of numbers, each from 0 to below `end`; None where one is not."""
    try:
        held = array.array("I", numbers)
    except (OverflowError, TypeError):
        return None
    return held if not held or max(held) < end else None


def numbers(values, code="I"):
    """An array of the whole numbers, a copy of its own: array.array refuses what does not fit."""
    if not isinstance(values, (list, tuple)):
        view = view_of(values)
        if view is None:
            return array.array(code, values)
        if format_of(view) == code and view.c_contiguous:
            return array.array(code, view.tobytes())
        held = whole_numbers(view)
        if held is not None:
            return array.array(code, held)
        values = listed(view, values)
        if view.ndim == 2:
            values = itertools.chain.from_iterable(values)
    return array.array(code, values)


_BLOCK = 4096
_FIRST = sum(number << 32 * number for number in range(_BLOCK))
_FURTHER = sum(_BLOCK << 32 * number for number in range(_BLOCK))


def first_numbers(count):
    """An array of the numbers from 0 on. A block of them counts as one large number, to which the
    same is added for the next block."""
    made, block, further = array.array("I"), _FIRST, _FURTHER
    while len(made) < count:
        made.frombytes(block.to_bytes(4 * _BLOCK, "little"))
        block += further
    if sys.byteorder == "big":
        made.byteswap()
    return made[:count]


def are_not_zero(sizes):
    """Of each number of 16 bits a byte, 1 or 0."""
    halves = int.from_bytes(sizes.tobytes(), "little")
    either = (halves | halves >> 8).to_bytes(2 * len(sizes), "little")[::2]
    return either.translate(b"\0" + b"\1" * 255)


def bits_of(flags):
    """Bytes of 0 and others as bits, eight to a byte from the lowest on."""
    digits = flags.translate(b"0" + b"1" * 255)[::-1]
    return int(digits or b"0", 2).to_bytes((len(flags) + 7) // 8, "little")


def is_of_costs(view, count, bits):
    """Whether a buffer holds so many numbers without a sign, of so many bits, in any shape."""
    return (view.nbytes == count * view.itemsize and 8 * view.itemsize == bits
            and format_of(view) in "BHIL")


def address(values, kind=c_uint32):
    """Where an array lies, for the library to read or to fill, while the result lives."""
    if not len(values):
        return (kind * 0)()
    held = (kind * (memoryview(values).nbytes // ctypes.sizeof(kind))).from_buffer(values)
    if ctypes.addressof(held) % ctypes.alignment(kind):
        raise ValueError("an array whose numbers are aligned is wanted")
    return held


def costs_to_fill(costs, count, bits):
    """Where a buffer of so many numbers lies, for the library to fill it."""
    if not is_of_costs(memoryview(costs), count, bits):
        raise ValueError(f"costs: expected {count} numbers of {bits} bits, without a sign and in "
                         "the order of bytes of this machine")
    return address(costs, c_uint16 if bits == 16 else c_uint32)


def new_costs(count):
    """An array for the library to fill, and its address."""
    costs = array.array("I", [0]) * count
    return costs, address(costs)


def pairs_of_numbers(pairs):
    return [(x, y) for x, y in pairs]


def metric_struct(pair, name="metric"):
    try:
        straight, diagonal = pair
    except (TypeError, ValueError):
        remedy = ": write build(compact=True) for that" if pair == "compact" else ""
        raise TypeError(f"{name}: expected what a straight and a diagonal step cost, such as "
                        f"(10, 14); found {pair!r}{remedy}") from None
    made = options(_native.Metric, straight=straight, diagonal=diagonal)
    if not 0 < made.straight <= made.diagonal <= min(2 * made.straight, _METRIC_MAX):
        raise ArgumentError(f"{name}: expected what a straight and a diagonal step cost, the first "
                            "from 1, the second at least as much and at most twice as much, up to "
                            f"{_METRIC_MAX}; found {made.straight} and {made.diagonal}",
                            Status.ARGUMENT)
    return made


def _heights_in_place(cells):
    view = view_of(cells)
    return None if view is None or format_of(view) != "H" else in_place(view, c_uint16)


def heights_struct(heights):
    """The struct, and what must live as long."""
    if not all(hasattr(heights, name) for name in ("width", "height", "cells", "climb", "descend")):
        raise TypeError("heights: expected a cairn.Heights(width, height, cells, climb, descend), "
                        f"found {type(heights).__name__}")
    held = _heights_in_place(heights.cells)
    if held is None:
        try:
            held = address(numbers(heights.cells, "H"), c_uint16)
        except (TypeError, OverflowError) as refusal:
            raise type(refusal)("heights: expected cells of whole numbers from 0 to 65535: "
                                f"{refusal}") from None
    struct = options(_native.Heights, width=heights.width, height=heights.height,
                     climb=heights.climb, descend=heights.descend,
                     cells=ctypes.cast(held, c_void_p))
    if len(held) != struct.width * struct.height:
        raise ValueError(f"{struct.width} x {struct.height} heights are wanted, "
                         f"{len(held)} were given")
    return struct, held


def _terrain_text(terrain):
    if isinstance(terrain, collections.abc.Mapping):
        for letter in terrain:
            if not isinstance(letter, str) or len(letter) != 1:
                raise ValueError(f"terrain: expected letters and their factors, found {letter!r}")
        terrain = ",".join(f"{letter}={'blocked' if factor is None else factor}"
                           for letter, factor in terrain.items())
    try:
        return text_bytes(terrain)
    except TypeError:
        raise TypeError("terrain: expected a text such as 'S=3,W=blocked', or a dict such as "
                        f"{{'S': 3, 'W': None}}; found {terrain!r}") from None


def map_options(rule=Rule.EIGHT, charge=Charge.ENTERED, metric=None, terrain=None, heights=None):
    made = options(_native.MapOptions, rule=Rule.chosen(rule), charge=Charge.chosen(charge))
    if metric is not None:
        made.metric = metric_struct(metric)
    if terrain is not None:
        alphabet, error = _native.Alphabet(), _native.Error()
        lib.alphabet_init(byref(alphabet))
        text = _terrain_text(terrain)
        check(lib.alphabet_parse(text, len(text), byref(alphabet), byref(error)), "terrain", error)
        made.alphabet = ctypes.pointer(alphabet)
    if heights is not None:
        struct, made.held = heights_struct(heights)
        made.heights = ctypes.pointer(struct)
    return made


def _go_on(*_):
    return True


def progress_pointer(report):
    """`report(stage, done, total)` stops the work by returning False; None: no reports, but where
    signals are handled a function all the same: when Python enters one, it runs their handlers."""
    if report is None:
        if not sees_signals():
            return None
        report = _go_on
    if not callable(report):
        raise TypeError("progress is called with a stage, what is done and the total")
    call = guarded(lambda stage, done, total: report(stage.decode(), done, total) is not False,
                   False, threading.get_ident())
    return ctypes.pointer(_native.Progress(report=_native.REPORT(call)))


def arc_structs(arcs):
    """Arcs as the library takes them: where an array of them lies, or a copy."""
    held = structs(arcs, _native.Arc)
    if held is None:
        held = rows_in_place(arcs, 3)
    return address(node_arrays(arcs)) if held is None else held


def node_arrays(arcs):
    """(from, to, cost) triples, or an array of them, as one array of numbers."""
    shape = getattr(arcs, "shape", None) or (3,)
    if len(shape) == 2 and shape[1] != 3:
        raise ValueError(f"an array of shape (arcs, 3) is wanted, not of {shape}")
    if view_of(arcs) is not None:
        flat = numbers(arcs)
        if len(flat) % 3:
            raise ValueError("arcs are triples: from, to, cost")
        return flat
    flat = array.array("I")
    for start, end, cost in arcs:
        flat.extend((start, end, cost))
    return flat


def _column(values):
    held = numbers_in_place(values, "il")
    if held is None:
        held = address(numbers(values, "i"))
    return held


def coordinates(places, node_count):
    """Of every node x and y, as two addresses."""
    if not isinstance(places, Columns):
        pairs = pairs_of_numbers(places.tolist() if hasattr(places, "tolist") else places)
        places = Columns(*([pair[axis] for pair in pairs] for axis in (0, 1)))
    columns = [_column(values) for values in places]
    for column in columns:
        if len(column) != node_count:
            raise ValueError(f"{node_count} places are wanted, {len(column)} were given")
    return [ctypes.cast(column, ctypes.POINTER(c_int32)) for column in columns]
