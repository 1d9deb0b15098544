"""Cairn from Python: shortest paths on grids and graphs with landmarks.

    import cairn
    town = cairn.Map.load("town.map")
    table = town.build(landmarks=16)
    table.save("town.cairn")                  # next time: table = cairn.load("town.cairn")
    path = table.search().run((3, 3), (250, 215))
    print(path.length, path.expanded, path.cells[:5])
    paths = table.search_all([((3, 3), (250, 215)), ((9, 9), (250, 215))])   # on all processors

Needs nothing but the shared library (cmake -DBUILD_SHARED_LIBS=ON): the file that the environment
variable CAIRN_LIBRARY names, the one beside this package, or the one that the system finds.

A node is a number, or a column and a row as a tuple (x, y); y * width + x is the same node. Lists
and arrays of numbers are several nodes. Costs are whole numbers in the metric of the map. Arrays of
costs are array.array('I'), which numpy.asarray takes without a copy, with UNREACHABLE where no path
leads. What calls mean is said at length in cairn/cairn.h under the same names.

What goes wrong is a cairn.Error, which is also the exception that Python has for it (OSError with
its errno, MemoryError, ValueError). Numbers that do not fit are OverflowError, nodes and rows that
are not there IndexError.

Threads may search over one map, each with a Search of its own. Nobody waits unless told to: a call
that would change what another one is using, or use what is being changed, raises BusyError, or
waits for so many seconds (`wait`); a World lets threads search while one changes the map. Objects
that were made from a map or a table before it changed raise ChangedError where they can no longer
be used.
"""
from ._convert import Columns
from ._edits import (CellEdits, Dynamic, Edit, Event, Query, arc_cost, block, block_all,
                     load_dynamic, load_edits, open_all, open_cell, parse_dynamic, parse_edits,
                     patch_array, patch_bits, patch_letters, rectangle, terrain, terrain_all)
from ._enums import (FLOW_NONE, FLOW_TARGET, NO_COMPONENT, NO_NODE, UNREACHABLE, UNREACHABLE_16,
                     Anchor, Charge, Codec, Direction, EditKind, Form, Heuristic, NodeState,
                     Outcome, Placement, Resident, RowState, Rule, Space, Ties)
from ._errors import (ArgumentError, BusyError, CancelledError, ChangedError, Error, FileError,
                      FormatError, InexactError, LimitError, MismatchError, OutOfMemory,
                      ResidentError, StaleError, Status)
from ._files import (MapOutline, Outline, Part, load, load_bytes, load_from, merge, outline,
                     outline_bytes, verify)
from ._floods import Flood
from ._maps import BuildSummary, Heights, Map
from ._native import Arc as ArcStruct
from ._native import Query as QueryStruct
from ._native import lib as _lib
from ._searches import Bound, NodeInfo, Path, Paths, Search
from ._tables import RefreshCounts, Table
from ._worlds import View, World

VERSION = __version__ = _lib.version().decode()

__all__ = [
    "Anchor", "ArcStruct", "ArgumentError", "Bound", "BuildSummary", "BusyError",
    "CancelledError", "CellEdits", "ChangedError", "Charge", "Codec", "Columns", "Direction",
    "Dynamic", "Edit", "EditKind", "Error", "Event", "FLOW_NONE", "FLOW_TARGET", "FileError",
    "Flood", "Form", "FormatError", "Heights", "Heuristic", "InexactError", "LimitError", "Map",
    "MapOutline", "MismatchError", "NO_COMPONENT", "NO_NODE", "NodeInfo", "NodeState",
    "OutOfMemory", "Outcome", "Outline", "Part", "Path", "Paths", "Placement", "Query",
    "QueryStruct", "RefreshCounts", "Resident", "ResidentError", "RowState", "Rule", "Search",
    "Space", "StaleError", "Status", "Table", "Ties", "UNREACHABLE", "UNREACHABLE_16",
    "VERSION", "View", "World", "arc_cost", "block", "block_all", "load", "load_bytes",
    "load_dynamic", "load_edits", "load_from", "merge", "open_all", "open_cell", "outline",
    "outline_bytes", "parse_dynamic", "parse_edits", "patch_array", "patch_bits",
    "patch_letters", "rectangle", "terrain", "terrain_all", "verify",
]
