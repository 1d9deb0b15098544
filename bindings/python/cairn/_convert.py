"""What Python hands over, in the form that the library takes it."""
import array
import concurrent.futures
import ctypes
import itertools
import os
import sys
import threading
from ctypes import byref, c_int32, c_uint16, c_uint32, c_void_p

from . import _native
from ._enums import Charge, Rule
from ._errors import check, guarded
from ._native import lib, options

# How the format of a buffer may say that its numbers are in the order of bytes of this machine.
_OWN_ORDER = "@=" + ("<" if sys.byteorder == "little" else ">!")


def path_bytes(path):
    """The name of a file."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError("the name of a file has no zero byte")
    return name


def held_bytes(data):
    """Bytes that nobody changes while the library reads them: those given, without a copy, or a copy
    of anything else that holds some."""
    return data if type(data) is bytes else bytes(memoryview(data))


def text_bytes(text):
    """A text given as str, or as anything that holds bytes."""
    return text.encode("latin-1") if isinstance(text, str) else held_bytes(text)


def in_place(view, kind):
    """Where the numbers of a buffer lie, for calls that copy them before they examine them, so that
    other threads may write there; None where they lie in another order, or, since ctypes asks for
    it, may not be written."""
    if view.readonly or not view.c_contiguous or not view.nbytes:
        return None
    return (kind * (view.nbytes // view.itemsize)).from_buffer(view)


def letter_byte(letter):
    byte = letter.encode("latin-1")
    if len(byte) != 1:
        raise ValueError(f"expected one letter, found {letter!r}")
    return byte


def format_of(view):
    """The letter that says what a buffer holds, in the order of bytes of this machine; of numbers in
    another order the two letters of struct."""
    order, letter = view.format[:1], view.format[1:]
    return letter if order in _OWN_ORDER and letter else view.format


def _listed(view, values):
    try:
        return view.tolist()
    except NotImplementedError:  # numbers in another order of bytes
        return values.tolist() if hasattr(values, "tolist") else list(values)


def numbers(values, code="I"):
    """An array of the whole numbers, a copy of its own: array.array refuses what does not fit."""
    if not isinstance(values, (list, tuple)):
        try:
            view = memoryview(values)
        except TypeError:
            return array.array(code, values)
        if format_of(view) == code and view.c_contiguous:
            return array.array(code, view.tobytes())
        listed = _listed(view, values)
        values = itertools.chain.from_iterable(listed) if view.ndim == 2 else listed
    return array.array(code, values)


def is_of_costs(view, count, bits):
    """Whether a buffer holds so many numbers without a sign, of so many bits."""
    return (view.ndim == 1 and len(view) == count and 8 * view.itemsize == bits
            and format_of(view) in "BHIL")


def address(values, kind=c_uint32):
    """Where an array lies, for the library to read or to fill, while the result lives."""
    if not len(values):
        return (kind * 0)()
    held = (kind * len(values)).from_buffer(values)
    if ctypes.addressof(held) % ctypes.alignment(kind):
        raise ValueError("an array whose numbers are aligned is wanted")
    return held


def new_costs(count):
    """An array for the library to fill, and its address."""
    costs = array.array("I", bytes(4 * count))
    return costs, address(costs)


def pairs_of_numbers(pairs):
    return [(x, y) for x, y in pairs]


def metric_struct(pair):
    straight, diagonal = pair
    return options(_native.Metric, straight=straight, diagonal=diagonal)


def _heights_in_place(cells):
    try:
        view = memoryview(cells)
    except TypeError:
        return None
    return in_place(view, c_uint16) if format_of(view) == "H" else None


def heights_struct(heights):
    """The struct, and what must live as long."""
    held = _heights_in_place(heights.cells)
    if held is None:
        held = address(numbers(heights.cells, "H"), c_uint16)
    if len(held) != heights.width * heights.height:
        raise ValueError(f"{heights.width} x {heights.height} heights are wanted, "
                         f"{len(held)} were given")
    return options(_native.Heights, width=heights.width, height=heights.height,
                   climb=heights.climb, descend=heights.descend,
                   cells=ctypes.cast(held, c_void_p)), held


def map_options(rule=Rule.EIGHT, charge=Charge.ENTERED, metric=None, terrain=None, heights=None):
    made = options(_native.MapOptions, rule=Rule(rule), charge=Charge(charge))
    if metric is not None:
        made.metric = metric_struct(metric)
    if terrain is not None:
        alphabet, error = _native.Alphabet(), _native.Error()
        lib.alphabet_init(byref(alphabet))
        text = text_bytes(terrain)
        check(lib.alphabet_parse(text, len(text), byref(alphabet), byref(error)), "terrain", error)
        made.alphabet = ctypes.pointer(alphabet)
    if heights is not None:
        struct, made.held = heights_struct(heights)
        made.heights = ctypes.pointer(struct)
    return made


def progress_pointer(report):
    """`report(stage, done, total)` stops the work by returning False; None: no reports."""
    if report is None:
        return None
    if not callable(report):
        raise TypeError("progress is called with a stage, what is done and the total")
    call = guarded(lambda stage, done, total: report(stage.decode(), done, total) is not False,
                   False, threading.get_ident())
    return ctypes.pointer(_native.Progress(report=_native.REPORT(call)))


def pool_pointer(pool):
    """An Executor on whose threads the library works; None: on threads of its own. The thread that
    asks works too, so that jobs for which the Executor has no thread are left out, not awaited."""
    if pool is None:
        return None
    if not isinstance(pool, concurrent.futures.Executor):
        raise TypeError("a pool is a concurrent.futures.Executor")

    def run(count, job, argument):
        begun, raised = [], None
        try:
            for _ in range(count - 1):
                begun.append(pool.submit(job, argument))
        except BaseException as problem:
            raised = problem
        try:
            job(argument)
        except BaseException as problem:  # an interrupt, as below
            raised = problem
        while not all(each.done() for each in begun):
            try:
                begun = [each for each in begun if not each.cancel()]
                concurrent.futures.wait(begun)
            except BaseException as problem:  # an interrupt: jobs must end before this returns
                raised = problem
        if raised is not None:
            raise raised

    return ctypes.pointer(_native.Pool(run=_native.RUN(guarded(run, None))))


def node_arrays(arcs):
    """(from, to, cost) triples, or an array of them, as one array of numbers."""
    shape = getattr(arcs, "shape", None) or (3,)
    if len(shape) == 2 and shape[1] != 3:
        raise ValueError(f"an array of shape (arcs, 3) is wanted, not of {shape}")
    flat = numbers(arcs) if not isinstance(arcs, (list, tuple)) else array.array("I")
    if isinstance(arcs, (list, tuple)):
        for start, end, cost in arcs:
            flat.extend((start, end, cost))
    if len(flat) % 3:
        raise ValueError("arcs are triples: from, to, cost")
    return flat


def coordinates(places, node_count):
    """Of every node x and y, as two arrays."""
    pairs = pairs_of_numbers(places.tolist() if hasattr(places, "tolist") else places)
    if len(pairs) != node_count:
        raise ValueError(f"{node_count} places are wanted, {len(pairs)} were given")
    return [address(array.array("i", [pair[axis] for pair in pairs]), c_int32) for axis in (0, 1)]
