"""Tables read from files, bytes and streams."""
from __future__ import annotations

import concurrent.futures
import ctypes
import os
import typing
from ctypes import byref
from typing import Any, BinaryIO, Iterable, List, Optional, SupportsIndex, Tuple

from . import _native
from ._convert import held_bytes, path_bytes, progress_pointer
from ._enums import Anchor, Charge, Codec, Resident, Rule
from ._errors import Status, check, guarded
from ._maps import Map, MapRecord
from ._native import lib, options
from ._owned import Guard, pointer_of
from ._pools import pool_pointer
from ._tables import Table, TableRecord
from ._types import PathName, Progress

_FAILED = 2 ** (8 * ctypes.sizeof(ctypes.c_size_t)) - 1


def load(path: PathName, *, rows: SupportsIndex = 0, threads: SupportsIndex = 0,
         memory_limit: SupportsIndex = 0, map: Optional[Map] = None,
         progress: Optional[Progress] = None, resident: Resident = Resident.CELLS,
         pool: Optional[concurrent.futures.Executor] = None) -> Table:
    """Reads a Table and its map, table.map; at most so many rows, in at most so many bytes. A file
    that was saved without its map needs the Map that it is of. Rows live where `resident` says.
    `progress(stage, done, total)` stops it by returning False. With a pool, rows are unpacked on
    its threads, and the map uses it from then on (Map.use_pool)."""
    return _load(lib.load, path, rows, threads, memory_limit, map, progress, resident, pool,
                 path_bytes(path))


def load_bytes(data: Any, *, rows: SupportsIndex = 0, threads: SupportsIndex = 0,
               memory_limit: SupportsIndex = 0, map: Optional[Map] = None,
               progress: Optional[Progress] = None, resident: Resident = Resident.CELLS,
               pool: Optional[concurrent.futures.Executor] = None) -> Table:
    """The same from bytes."""
    held = held_bytes(data)
    return _load(lib.load_bytes, None, rows, threads, memory_limit, map, progress, resident, pool,
                 held, len(held))


def load_from(file: BinaryIO, *, size: SupportsIndex = 0, rows: SupportsIndex = 0,
              threads: SupportsIndex = 0, memory_limit: SupportsIndex = 0,
              map: Optional[Map] = None, progress: Optional[Progress] = None,
              resident: Resident = Resident.CELLS,
              pool: Optional[concurrent.futures.Executor] = None) -> Table:
    """The same from a binary file object, whose read(count) is called; `size` of the whole in
    bytes, when it is known."""
    def read(address, count):
        done = 0
        while done < count:
            part = bytes(file.read(count - done))
            if not part:
                break
            if len(part) > count - done:
                raise ValueError("read gave more bytes than it was asked for")
            ctypes.memmove(address + done, part, len(part))
            done += len(part)
        return done

    stream = options(_native.Stream, read=_native.READ(guarded(read, _FAILED)), size=size)
    return _load(lib.load_from, None, rows, threads, memory_limit, map, progress, resident, pool,
                 byref(stream))


def _load(function, where, rows, threads, memory_limit, map, progress, resident, pool, *source):
    if not isinstance(map, (Map, type(None))):
        raise TypeError("map is a cairn.Map")
    chosen = options(_native.LoadOptions, row_count=rows, thread_count=threads,
                     memory_limit=memory_limit, map=pointer_of(map),
                     progress=progress_pointer(progress), resident=Resident.chosen(resident),
                     pool=pool_pointer(pool))
    made_map, made, error = MapRecord(), TableRecord(), _native.Error()
    made_map.pool = chosen.pool
    guard = Guard() if map is None else map._guard
    status = guard.read(function, *source, byref(chosen),
                        byref(made_map) if map is None else None, byref(made), byref(error))
    _check_load(status, where, error, map)
    return Table._new(made, Map._new(made_map) if map is None else map)


def _check_load(status, where, error, map):
    """Raises what a status says; of a file without its map, with what helps."""
    if status == Status.MISMATCH and map is None:
        error.expected = b"a map, to be given as map=: the file has none"
    check(status, where, error)


def verify(path: PathName, *, threads: SupportsIndex = 0, memory_limit: SupportsIndex = 0,
           map: Optional[Map] = None, progress: Optional[Progress] = None) -> None:
    """Raises InexactError unless every entry of a file is exact. Only a few rows are in memory at a
    time, as many as fit the limit. A file that was saved without its map needs the Map."""
    name = path_bytes(path)
    if not isinstance(map, (Map, type(None))):
        raise TypeError("map is a cairn.Map")
    fault, error = _native.Fault(), _native.Error()
    chosen = options(_native.LoadOptions, thread_count=threads, memory_limit=memory_limit,
                     map=pointer_of(map), progress=progress_pointer(progress),
                     fault=ctypes.pointer(fault))
    guard = Guard() if map is None else map._guard
    status = guard.read(lib.load, name, byref(chosen), None, None, byref(error))
    if status == Status.INEXACT:
        check(status, f"row {fault.row}, node {fault.node}")
    _check_load(status, path, error, map)


class MapOutline(typing.NamedTuple):
    """What decides costs on the map of a file. `terrain` are the factors of letters, None for
    blocked ones; `climb` and `descend` are those of heights, 0 and 0 where there are none."""
    is_graph: bool
    width: int
    height: int
    metric: typing.Tuple[int, int]
    rule: Rule
    charge: Charge
    terrain: typing.Dict[str, typing.Optional[int]]
    climb: int
    descend: int
    is_directed: bool


class Part(typing.NamedTuple):
    """Which part of a table a file is: its number from 1 and how many there are, the table's rows
    from `first_row` on, of `row_count`. `landmarks` is a hash of those of all rows."""
    number: int
    count: int
    first_row: int
    row_count: int
    seed: int
    landmarks: int
    codec: Codec


class Outline(typing.NamedTuple):
    """What a file holds, told without unpacking it. `rows` are (codec, bytes) of every row;
    `map_size` is 0 and `map` None where the map was left out, `stamp` 0 where none was saved,
    `part` None where the file is a whole table, and `unit_size` 1 but for maps of Map.for_units."""
    map_size: int
    map_hash: int
    metric: typing.Tuple[int, int]
    counts_steps: bool
    node_count: int
    entry_bits: int
    is_directed: bool
    landmark_count: int
    table_memory: int
    map: typing.Optional[MapOutline]
    rows: typing.List[typing.Tuple[Codec, int]]
    stamp: int
    part: typing.Optional[Part]
    unit_size: int
    unit_anchor: Anchor


def merge(parts: Iterable[PathName], path: PathName, *,
          progress: Optional[Progress] = None) -> None:
    """Writes the table whose parts these files are (Map.build_file), in any order."""
    names = [path_bytes(part) for part in parts]
    fault = _native.MergeFault()
    code = Guard().read(lib.merge, (ctypes.c_char_p * len(names))(*names), len(names),
                        path_bytes(path), progress_pointer(progress), byref(fault))
    check(code, _merge_place(names, path, fault), fault.error)


def _merge_place(names, path, fault):
    if fault.missing:
        return f"part {fault.missing}, which is missing"
    if fault.error.status == 0 and not fault.what:
        return path
    name = os.fsdecode(names[fault.file])
    if not fault.what:
        return name
    return f"{name} and {os.fsdecode(names[fault.other])}, by their {fault.what.decode()}"


def outline(path: PathName) -> Outline:
    """The Outline of a file."""
    return _outline(lib.outline_load, path, path_bytes(path))


def outline_bytes(data: Any) -> Outline:
    """The Outline of a file's bytes."""
    held = held_bytes(data)
    return _outline(lib.outline_load_bytes, None, held, len(held))


def _map_outline(held):
    terrain = {chr(letter): None if factor == 0xffff else factor
               for letter, factor in enumerate(held.alphabet.cost) if factor}
    return MapOutline(held.kind == 1, held.width, held.height,
                  (held.metric.straight, held.metric.diagonal), Rule(held.rule),
                  Charge(held.charge), terrain, held.climb, held.descend, held.is_directed)


def _part(held):
    return Part(held.number, held.count, held.first_row, held.row_count, held.seed, held.landmarks,
                Codec(held.codec))


def _outline(function, where, *source):
    found, error = _native.Outline(), _native.Error()
    check(function(*source, byref(found), byref(error)), where, error)
    rows = [(Codec(row.codec), row.size) for row in found.rows[:found.row_count]]
    return Outline(found.map_size, found.map_hash, (found.metric.straight, found.metric.diagonal),
                   found.counts_steps, found.node_count, found.entry_bits, found.is_directed,
                   found.landmark_count, found.table_memory,
                   _map_outline(found.map) if found.map_size else None, rows, found.stamp,
                   _part(found.part) if found.part.number else None, found.unit_size,
                   Anchor(found.unit_anchor))
