"""The structs and functions of cairn/cairn.h as ctypes declares them, and the library itself.

Numbers that do not fit the type of an argument or of a member are refused here, by OverflowError:
ctypes alone would cut them off.
"""
import ctypes
import ctypes.util
import functools
import operator
import os
import pathlib
import struct
from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int,
                    c_int32, c_size_t, c_uint16, c_uint32, c_uint64, c_uint8, c_void_p)


# The minor version of the library whose structs these are.
WRITTEN_FOR = "0.2"


class Error(Structure):
    _fields_ = [("status", c_int), ("line", c_uint64), ("offset", c_uint64),
                ("expected", c_char_p), ("found", c_char * 64)]


class Metric(Structure):
    _fields_ = [("straight", c_uint32), ("diagonal", c_uint32)]


class Alphabet(Structure):
    _fields_ = [("cost", c_uint16 * 256)]


class Heights(Structure):
    _fields_ = [("width", c_uint32), ("height", c_uint32), ("cells", c_void_p),
                ("climb", c_uint32), ("descend", c_uint32)]


class MapOptions(Structure):
    _fields_ = [("size", c_size_t), ("metric", Metric), ("allocator", c_void_p), ("rule", c_int),
                ("charge", c_int), ("alphabet", POINTER(Alphabet)), ("heights", POINTER(Heights))]


class Arc(Structure):
    _fields_ = [("from", c_uint32), ("to", c_uint32), ("cost", c_uint32)]


ARCS_OF = CFUNCTYPE(c_uint32, c_void_p, c_uint32, c_void_p, c_uint32)
BOUND_OF = CFUNCTYPE(c_uint32, c_void_p, c_uint32, c_uint32)
BOUND_TO_GOAL = CFUNCTYPE(c_uint32, c_void_p, c_uint32)
ON_EXPAND = CFUNCTYPE(None, c_void_p, c_uint32)
CANCEL = CFUNCTYPE(c_bool, c_void_p)
REPORT = CFUNCTYPE(c_bool, c_void_p, c_char_p, c_uint64, c_uint64)
JOB = CFUNCTYPE(None, c_void_p)
RUN = CFUNCTYPE(None, c_void_p, c_uint32, JOB, c_void_p)
READ = CFUNCTYPE(c_size_t, c_void_p, c_void_p, c_size_t)


class CallbackGraph(Structure):
    _fields_ = [("size", c_size_t), ("node_count", c_uint32), ("arcs", ARCS_OF),
                ("bound", BOUND_OF), ("context", c_void_p)]


class Progress(Structure):
    _fields_ = [("report", REPORT), ("context", c_void_p)]


class Stream(Structure):
    _fields_ = [("read", READ), ("context", c_void_p), ("size", c_uint64)]


class Edit(Structure):
    _fields_ = [("kind", c_int), ("x", c_uint32), ("y", c_uint32), ("width", c_uint32),
                ("height", c_uint32), ("letter", c_char), ("data", c_void_p), ("arc", Arc)]


class Query(Structure):
    # Where C leaves a space before `length`, it is a member: older versions of ctypes tell numpy of
    # no space, which warns of that.
    _fields_ = [("bucket", c_uint32), ("start", c_uint32), ("goal", c_uint32),
                *[("padding", c_uint32)] * (ctypes.alignment(c_double) > 4),
                ("length", c_double)]

    def __init__(self, bucket=0, start=0, goal=0, length=0):
        super().__init__(bucket, start, goal, length=length)


class Event(Structure):
    _fields_ = [("kind", c_int), ("time", c_uint32), ("edit", Edit), ("query", Query)]


class Team(Structure):
    _fields_ = [("processes", c_uint32), ("rank", c_uint32), ("agree", c_void_p),
                ("share", c_void_p), ("collect", c_void_p), ("context", c_void_p)]


class BuildOptions(Structure):
    _fields_ = [("size", c_size_t), ("landmark_count", c_uint32), ("thread_count", c_uint32),
                ("seed", c_uint64), ("placement", c_int), ("metric", c_int),
                ("progress", POINTER(Progress)), ("pairs", POINTER(Query)),
                ("pair_count", c_size_t), ("candidate_count", c_uint32),
                ("listed", POINTER(c_uint32)), ("listed_count", c_size_t), ("step_metric", Metric),
                ("resident", c_int), ("part", c_uint32), ("part_count", c_uint32),
                ("team", POINTER(Team)),
                ("memory_limit", c_uint64)]


class BuildSummary(Structure):
    _fields_ = [("row_count", c_uint32), ("entry_bits", c_uint32), ("table_memory", c_size_t),
                ("memory", c_uint64), ("counts_steps", c_bool)]


class Pool(Structure):
    _fields_ = [("run", RUN), ("context", c_void_p)]


class SaveOptions(Structure):
    _fields_ = [("size", c_size_t), ("codec", c_int), ("row_count", c_uint32),
                ("thread_count", c_uint32), ("progress", POINTER(Progress)), ("map_part", c_int),
                ("stamp", c_uint64)]


class Fault(Structure):
    _fields_ = [("row", c_uint32), ("node", c_uint32), ("stored", c_uint32),
                ("possible", c_uint32)]


class LoadOptions(Structure):
    _fields_ = [("size", c_size_t), ("row_count", c_uint32), ("thread_count", c_uint32),
                ("allocator", c_void_p), ("pool", POINTER(Pool)), ("memory_limit", c_uint64),
                ("map", c_void_p), ("progress", POINTER(Progress)), ("resident", c_int),
                ("fault", POINTER(Fault))]


class _OutlineRow(Structure):
    _fields_ = [("codec", c_int), ("size", c_uint64)]


class MapOutline(Structure):
    _fields_ = [("kind", c_int), ("width", c_uint32), ("height", c_uint32), ("metric", Metric),
                ("rule", c_int), ("charge", c_int), ("alphabet", Alphabet), ("climb", c_uint32),
                ("descend", c_uint32), ("is_directed", c_bool)]


class Part(Structure):
    _fields_ = [("number", c_uint32), ("count", c_uint32), ("first_row", c_uint32),
                ("row_count", c_uint32), ("seed", c_uint64), ("landmarks", c_uint64),
                ("codec", c_int)]


class MergeFault(Structure):
    _fields_ = [("file", c_size_t), ("other", c_size_t), ("what", c_char_p),
                ("missing", c_uint32), ("error", Error)]


class Outline(Structure):
    _fields_ = [("stamp", c_uint64), ("map_size", c_uint64), ("map_hash", c_uint64),
                ("metric", Metric), ("counts_steps", c_bool), ("node_count", c_uint32),
                ("entry_bits", c_uint32), ("row_count", c_uint32), ("is_directed", c_bool),
                ("landmark_count", c_uint64),
                ("table_memory", c_uint64), ("map", MapOutline), ("part", Part),
                ("unit_size", c_uint32), ("unit_anchor", c_int),
                ("rows", _OutlineRow * 256)]


class RefreshCounts(Structure):
    _fields_ = [(name, c_uint64) for name in
                ("cells", "rows_repaired", "rows_rebuilt", "landmarks_moved", "landmarks_added",
                 "landmarks_dropped")]


class Bound(Structure):
    _fields_ = [("map", c_void_p), ("table", c_void_p), ("goal_row", c_void_p), ("rows", c_void_p),
                ("goal", c_uint32), ("goal_x", c_uint32), ("goal_y", c_uint32),
                ("heuristic", c_uint32), ("scale", c_uint32), ("scale_shift", c_uint32),
                ("apart_from", c_uint32), ("map_version", c_uint64), ("table_version", c_uint64),
                ("gates", c_void_p), ("goal_entries", c_uint32 * 256), ("gate_aim", c_uint32 * 112)]


class SearchOptions(Structure):
    _fields_ = [("size", c_size_t), ("bound", BOUND_TO_GOAL), ("bound_context", c_void_p),
                ("allocator", c_void_p), ("space", c_int), ("form", c_int),
                ("on_expand", ON_EXPAND), ("expand_context", c_void_p),
                ("expansion_limit", c_uint64), ("cancel", CANCEL), ("cancel_context", c_void_p),
                ("heuristic", c_int),
                ("weight", c_uint32), ("ties", c_int), ("nearest", c_bool),
                ("never_reopen", c_bool)]


class Path(Structure):
    _fields_ = [("outcome", c_int), ("cost", c_uint32), ("length", c_double),
                ("nodes", c_void_p), ("node_count", c_size_t), ("expanded", c_uint64),
                ("generated", c_uint64), ("open_peak", c_uint64), ("corners", c_void_p),
                ("corner_count", c_size_t), ("space", c_int), ("state", c_int),
                ("row_count", c_uint32), ("guarantee", c_uint32), ("reopened", c_uint64),
                ("run", c_uint64), ("which", c_size_t)]


class NodeInfo(Structure):
    _fields_ = [("state", c_int), ("parent", c_uint32), ("g", c_uint32), ("h", c_uint32),
                ("f", c_uint64)]


class View(Structure):
    _fields_ = [("map", c_void_p), ("table", c_void_p), ("version", c_uint64), ("side", c_uint32)]


# Structs by their names in the header, for the test that compares them.
STRUCTS = {"error": Error, "metric": Metric, "alphabet": Alphabet, "heights": Heights,
           "map_options": MapOptions, "arc": Arc, "callback_graph": CallbackGraph,
           "progress": Progress, "stream": Stream, "edit": Edit, "query": Query, "event": Event,
           "team": Team, "build_options": BuildOptions, "build_summary": BuildSummary,
           "save_options": SaveOptions, "load_options": LoadOptions, "outline": Outline,
           "map_outline": MapOutline, "part": Part, "merge_fault": MergeFault,
           "fault": Fault, "refresh_counts": RefreshCounts, "bound": Bound,
           "search_options": SearchOptions, "path": Path, "node_info": NodeInfo, "view": View}

_MAP = _TABLE = _SEARCH = _WORLD = c_void_p
_OUT = POINTER(c_void_p)
_NODES = POINTER(c_uint32)
_ERROR = POINTER(Error)

# Result and arguments of each function, by its name in the header.
FUNCTIONS = {
    "version": (c_char_p,),
    "status_text": (c_char_p, c_int),
    "error_text": (c_size_t, _ERROR, c_char_p, c_char_p, c_size_t),
    "alphabet_init": (None, POINTER(Alphabet)),
    "alphabet_parse": (c_int, c_char_p, c_size_t, POINTER(Alphabet), _ERROR),
    "map_load": (c_int, c_char_p, POINTER(MapOptions), _OUT, _ERROR),
    "map_parse": (c_int, c_char_p, c_size_t, POINTER(MapOptions), _OUT, _ERROR),
    "map_from_letters": (c_int, c_uint32, c_uint32, c_char_p, POINTER(MapOptions), _OUT, _ERROR),
    "map_from_arcs": (c_int, c_uint32, POINTER(Arc), c_size_t, POINTER(c_int32), POINTER(c_int32),
                      POINTER(MapOptions), _OUT, _ERROR),
    "map_from_callbacks": (c_int, POINTER(CallbackGraph), POINTER(MapOptions), _OUT),
    "roads_load": (c_int, c_char_p, c_char_p, POINTER(MapOptions), _OUT, _ERROR),
    "roads_parse": (c_int, c_char_p, c_size_t, c_char_p, c_size_t, POINTER(MapOptions), _OUT,
                    _ERROR),
    "map_use_pool": (None, _MAP, POINTER(Pool)),
    "map_clone": (c_int, _MAP, _OUT),
    "map_free": (None, _MAP),
    "map_kind_of": (c_int, _MAP),
    "map_arc_count": (c_uint32, _MAP),
    "node_place": (c_bool, _MAP, c_uint32, c_void_p, c_void_p),
    "map_width": (c_uint32, _MAP),
    "map_height": (c_uint32, _MAP),
    "map_node_count": (c_uint32, _MAP),
    "map_open_count": (c_uint32, _MAP),
    "map_letter": (c_char, _MAP, c_uint32),
    "map_is_open": (c_bool, _MAP, c_uint32),
    "map_metric": (Metric, _MAP),
    "map_rule": (c_int, _MAP),
    "map_unit": (c_uint32, _MAP),
    "map_heights": (c_bool, _MAP, POINTER(Heights)),
    "map_is_directed": (c_bool, _MAP),
    "connected": (c_bool, _MAP, c_uint32, c_uint32),
    "steps": (c_uint32, _MAP, c_uint32, POINTER(Arc), c_uint32),
    "steps_to": (c_uint32, _MAP, c_uint32, POINTER(Arc), c_uint32),
    "node_at_axial": (c_uint32, _MAP, c_int32, c_int32),
    "node_axial": (c_bool, _MAP, c_uint32, POINTER(c_int32), POINTER(c_int32)),
    "map_set_metric": (c_int, _MAP, Metric),
    "map_hash": (c_uint64, _MAP),
    "map_version": (c_uint64, _MAP),
    "map_memory": (c_size_t, _MAP),
    "length": (c_double, _MAP, c_uint32),
    "costs_from": (c_int, _MAP, _NODES, c_size_t, _NODES),
    "costs_to": (c_int, _MAP, _NODES, c_size_t, _NODES),
    "flood_new": (c_int, _MAP, _OUT),
    "flood_free": (None, c_void_p),
    "flood_use": (c_int, c_void_p, _MAP),
    "flood_from": (c_int, c_void_p, _NODES, c_size_t, _NODES),
    "flood_to": (c_int, c_void_p, _NODES, c_size_t, _NODES),
    "flood_from_16": (c_int, c_void_p, _NODES, c_size_t, c_void_p),
    "flood_to_16": (c_int, c_void_p, _NODES, c_size_t, c_void_p),
    "flood_limit": (c_int, c_void_p, c_uint32, _NODES, c_size_t),
    "flood_lend": (c_int, c_void_p, c_void_p),
    "flood_flow": (c_int, c_void_p, _NODES, c_size_t, c_void_p, _NODES),
    "flow_repair": (c_int, c_void_p, _NODES, c_size_t, c_uint64, c_void_p, _NODES),
    "flow_next": (c_uint32, _MAP, c_void_p, c_uint32),
    "map_edit": (c_int, _MAP, POINTER(Edit), c_size_t),
    "map_check_edits": (c_int, _MAP, POINTER(Edit), c_size_t, _ERROR),
    "scenario_load": (c_int, c_char_p, _MAP, _OUT, _ERROR),
    "scenario_parse": (c_int, c_char_p, c_size_t, _MAP, _OUT, _ERROR),
    "scenario_free": (None, c_void_p),
    "scenario_queries": (POINTER(Query), c_void_p),
    "scenario_count": (c_size_t, c_void_p),
    "edits_load": (c_int, c_char_p, _OUT, _ERROR),
    "edits_parse": (c_int, c_char_p, c_size_t, _OUT, _ERROR),
    "edits_free": (None, c_void_p),
    "edits_items": (POINTER(Edit), c_void_p),
    "edits_count": (c_size_t, c_void_p),
    "edits_line": (c_uint64, c_void_p, c_size_t),
    "dynamic_load": (c_int, c_char_p, _OUT, _ERROR),
    "dynamic_parse": (c_int, c_char_p, c_size_t, c_char_p, c_size_t, _OUT, _ERROR),
    "dynamic_free": (None, c_void_p),
    "dynamic_width": (c_uint32, c_void_p),
    "dynamic_height": (c_uint32, c_void_p),
    "dynamic_events": (POINTER(Event), c_void_p),
    "dynamic_count": (c_size_t, c_void_p),
    "table_build": (c_int, _MAP, POINTER(BuildOptions), _OUT),
    "table_free": (None, _TABLE),
    "landmarks_place": (c_int, _MAP, POINTER(BuildOptions), _OUT, POINTER(c_size_t)),
    "nodes_free": (None, _MAP, c_void_p),
    "table_row_count": (c_uint32, _TABLE),
    "table_entry_bits": (c_uint32, _TABLE),
    "table_resident": (c_int, _TABLE),
    "table_holds": (c_bool, _TABLE, c_uint32),
    "table_metric": (Metric, _TABLE),
    "table_counts_steps": (c_bool, _TABLE),
    "table_map_hash": (c_uint64, _TABLE),
    "table_memory": (c_size_t, _TABLE),
    "table_version": (c_uint64, _TABLE),
    "table_direction": (c_int, _TABLE, c_uint32),
    "table_landmarks": (c_size_t, _TABLE, c_uint32, POINTER(c_void_p)),
    "table_cost": (c_uint32, _TABLE, c_uint32, c_uint32),
    "table_row": (c_int, _TABLE, _MAP, c_uint32, _NODES),
    "table_set_cost": (c_int, _TABLE, c_uint32, c_uint32, c_uint32),
    "table_row_state": (c_int, _TABLE, _MAP, c_uint32),
    "table_clone": (c_int, _TABLE, _OUT),
    "table_verify": (c_int, _TABLE, _MAP, c_uint32, POINTER(Fault)),
    "save": (c_int, _MAP, _TABLE, c_char_p, POINTER(SaveOptions)),
    "build_file": (c_int, _MAP, c_char_p, POINTER(BuildOptions), POINTER(SaveOptions),
                   POINTER(BuildSummary)),
    "save_bytes": (c_int, _MAP, _TABLE, POINTER(SaveOptions), POINTER(c_void_p),
                   POINTER(c_size_t)),
    "bytes_free": (None, _MAP, c_void_p),
    "load": (c_int, c_char_p, POINTER(LoadOptions), _OUT, _OUT, _ERROR),
    "load_bytes": (c_int, c_char_p, c_size_t, POINTER(LoadOptions), _OUT, _OUT, _ERROR),
    "load_from": (c_int, POINTER(Stream), POINTER(LoadOptions), _OUT, _OUT, _ERROR),
    "merge": (c_int, POINTER(c_char_p), c_size_t, c_char_p, POINTER(Progress),
              POINTER(MergeFault)),
    "outline_load": (c_int, c_char_p, POINTER(Outline), _ERROR),
    "outline_load_bytes": (c_int, c_char_p, c_size_t, POINTER(Outline), _ERROR),
    "refresh_step": (c_int, _TABLE, _MAP, c_uint64),
    "refresh_as_it_pays": (c_int, _TABLE, _MAP, POINTER(Path)),
    "table_rebuild": (c_int, _TABLE, _MAP),
    "table_refresh_counts": (RefreshCounts, _TABLE),
    "bound_is_admissible": (c_bool, _MAP, c_int),
    "bound_is_consistent": (c_bool, _MAP, c_int),
    "bound_with": (c_int, _MAP, _TABLE, c_uint32, c_int, POINTER(Bound)),
    "bound_is_current": (c_bool, POINTER(Bound)),
    "bound_at": (c_uint32, POINTER(Bound), c_uint32),
    "bounds_at": (c_int, POINTER(Bound), _NODES, c_size_t, _NODES),
    "search_new": (c_int, _MAP, _TABLE, POINTER(SearchOptions), _OUT),
    "search_free": (None, _SEARCH),
    "search_memory": (c_size_t, _SEARCH),
    "search_use": (c_int, _SEARCH, _MAP, _TABLE),
    "search_run": (c_int, _SEARCH, c_uint32, c_uint32, POINTER(Path)),
    "search_avoid": (c_int, _SEARCH, _NODES, _NODES, c_size_t),
    "search_run_to_any": (c_int, _SEARCH, c_uint32, _NODES, c_size_t, POINTER(Path)),
    "search_run_from_any": (c_int, _SEARCH, _NODES, c_size_t, c_uint32, POINTER(Path)),
    "search_begin": (c_int, _SEARCH, c_uint32, c_uint32, POINTER(Path)),
    "search_begin_to_any": (c_int, _SEARCH, c_uint32, _NODES, c_size_t, POINTER(Path)),
    "search_begin_from_any": (c_int, _SEARCH, _NODES, c_size_t, c_uint32, POINTER(Path)),
    "search_resume": (c_int, _SEARCH, c_uint64, POINTER(Path)),
    "search_resume_for": (c_int, _SEARCH, c_uint64, POINTER(Path)),
    "search_node_info": (c_int, _SEARCH, c_uint32, POINTER(NodeInfo)),
    "search_cells": (c_int, _SEARCH, POINTER(Path)),
    "search_batch": (c_int, _MAP, _TABLE, POINTER(Query), c_size_t, POINTER(SearchOptions),
                     c_uint32, _OUT),
    "batch_count": (c_size_t, c_void_p),
    "batch_paths": (POINTER(Path), c_void_p),
    "batch_free": (None, c_void_p),
    "map_for_units": (c_int, _MAP, c_uint32, c_int, _OUT),
    "map_unit_size": (c_uint32, _MAP),
    "unit_cells": (c_uint32, _MAP, c_uint32, _NODES, c_uint32),
    "unit_anchors": (c_uint32, _MAP, _MAP, c_uint32, _NODES, c_uint32),
    "map_components": (c_int, _MAP, c_int, _NODES, POINTER(c_uint32)),
    "clearance": (c_int, _MAP, c_int, POINTER(c_uint16)),
    "map_letters": (c_int, _MAP, c_char_p),
    "map_save": (c_int, _MAP, c_char_p, POINTER(Progress)),
    "sight": (c_bool, _MAP, c_uint32, c_uint32),
    "distances": (c_int, _MAP, _TABLE, _NODES, c_size_t, _NODES, c_size_t, c_uint32, _NODES),
    "nearest_open": (c_uint32, _MAP, c_uint32, c_uint32, c_uint32),
    "path_cost": (c_int, _MAP, _NODES, c_size_t, POINTER(c_uint32), POINTER(c_size_t)),
    "path_pull": (c_int, _MAP, POINTER(Path), _NODES, POINTER(c_size_t), POINTER(c_double)),
    "search_pull": (c_int, _SEARCH, POINTER(Path), _NODES, POINTER(c_size_t), POINTER(c_double)),
    "world_new": (c_int, _MAP, _TABLE, _OUT),
    "world_free": (None, _WORLD),
    "world_acquire": (View, _WORLD),
    "world_release": (None, _WORLD, POINTER(View)),
    "world_edit": (c_int, _WORLD, POINTER(Edit), c_size_t),
    "world_refresh_step": (c_int, _WORLD, c_uint64),
    "world_publish": (c_int, _WORLD),
    "world_draft": (c_int, _WORLD, POINTER(View)),
}

# Those called so often that their callers check the numbers themselves.
_CHECKED_BY_CALLERS = {"search_run", "bound_at", "map_is_open", "map_letter", "connected", "sight",
                       "flow_next", "node_place"}

# Whose callers pass objects of ctypes, and numbers that fit 31 bits: converting takes longer than a
# short search.
_TYPED_BY_CALLERS = {"search_run"}

# Those that tell by errno why a file was not read or written.
_FILES = {"map_load", "roads_load", "scenario_load", "edits_load", "dynamic_load", "save",
          "map_save", "build_file", "merge", "load", "load_from", "outline_load"}

BUDGET = "budget"  # whose two uppermost bits say what it counts

_RANGES = {c_int: (-2 ** 31, 2 ** 31), c_int32: (-2 ** 31, 2 ** 31), c_uint8: (0, 2 ** 8),
           c_uint16: (0, 2 ** 16), c_uint32: (0, 2 ** 32), c_uint64: (0, 2 ** 64),
           c_size_t: (0, 2 ** (8 * ctypes.sizeof(c_size_t))), BUDGET: (0, 2 ** 62)}


def index(value):
    """A whole number as an int, and not as one of a class that compares in its own way."""
    return int.__index__(operator.index(value))


def whole(kind, value, name="a number"):
    """The number as an int that the type holds."""
    number = index(value)
    low, end = _RANGES[kind]
    if not low <= number < end:
        raise OverflowError(f"{name} is {number}, not from {low} to {end - 1}")
    return number


def _checking(function, kinds):
    """The function, after its numbers are checked."""
    places = [(place, kind) for place, kind in enumerate(kinds) if kind in _RANGES]

    def call(*arguments):
        checked = list(arguments)
        for place, kind in places:
            checked[place] = whole(kind, arguments[place])
        return function(*checked)
    return call if places else function


def with_result(function, kind):
    """The function, whose results are made of another type of ctypes."""
    made = type(function)(ctypes.cast(function, c_void_p).value)
    made.restype, made.argtypes = kind, function.argtypes
    return made


FORMATS = {c_int: "i", c_uint32: "I", c_double: "d", c_void_p: "P", c_size_t: "N", c_uint64: "Q"}


def unpacker(kind):
    """A struct.Struct that takes all members of a struct of numbers at once."""
    return struct.Struct("".join(FORMATS[type_of] for _, type_of in kind._fields_) + "0Q")


@functools.lru_cache(None)
def _types_of(struct):
    return dict(struct._fields_)


def options(struct, /, **fields):
    """A struct with these members, every number checked; its `size`, if it has one, is set."""
    types, made = _types_of(struct), struct()
    if "size" in types and "size" not in fields:
        made.size = ctypes.sizeof(struct)
    for name, value in fields.items():
        if types[name] in _RANGES:
            value = whole(types[name], value, name)
        setattr(made, name, value)
    return made


class _Library:
    """The functions of the library, without their prefix."""

    def __init__(self):
        name = _library_name()
        shared, telling = ctypes.CDLL(name), ctypes.CDLL(name, use_errno=True)
        for name, (result, *arguments) in FUNCTIONS.items():
            function = getattr(telling if name in _FILES else shared, "cairn_" + name)
            function.restype = result
            if name not in _TYPED_BY_CALLERS:
                function.argtypes = arguments
            if name not in _CHECKED_BY_CALLERS:
                function = _checking(function, arguments)
            setattr(self, name, function)


def _library_name():
    """The file that CAIRN_LIBRARY names, the one beside this module, or the system's."""
    here = pathlib.Path(__file__).parent
    beside = [str(here / name) for name in ("libcairn.so", "libcairn.dylib", "cairn.dll")
              if (here / name).exists()]
    name = os.environ.get("CAIRN_LIBRARY") or (beside or [ctypes.util.find_library("cairn")])[0]
    if not name:
        raise ImportError("libcairn was not found: set CAIRN_LIBRARY to its file")
    return name


lib = _Library()
if lib.version().decode().split(".")[:2] != WRITTEN_FOR.split("."):
    raise ImportError(f"libcairn is of version {lib.version().decode()}, not {WRITTEN_FOR}")
