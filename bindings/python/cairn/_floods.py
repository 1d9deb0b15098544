"""Costs to every node, and flow fields."""
from __future__ import annotations

import array
import typing
from ctypes import byref, c_uint8, c_uint32
from typing import Any, Iterable, Optional, Tuple

from ._convert import address, costs_to_fill, is_of_costs, new_costs
from ._enums import UNREACHABLE
from ._errors import ArgumentError, LimitError, Status, check
from ._native import lib, whole
from ._owned import Claim, Owned, Record, freeing_itself
from ._types import Place, Places

if typing.TYPE_CHECKING:
    from ._maps import Map


_Record = freeing_itself(Record, lib.flood_free)


class Flood(Owned):
    """Floods of one map, which keep their memory from one to the next; the map may be edited
    between them. Arrays of costs have one number of 32 bits for every node, UNREACHABLE where no
    path leads, or one of 16 bits (`bits=16`), UNREACHABLE_16 there: in less time, while no cost
    within the limit is above 65534. `into`, an array.array or another writable buffer of such
    numbers, is filled and returned in place of a new one."""

    __slots__ = ("_map", "_claim", "_lent")

    @classmethod
    def _new(cls, map):
        self, made = cls.__new__(cls), _Record(map._record)
        check(map._guard.read(lib.flood_new, map._pointer, byref(made)))
        self._own(made)
        self._map, self._claim, self._lent = map, Claim("the flood is being used"), None
        return self

    @property
    def map(self) -> Map:
        """The Map that is flooded."""
        return self._map

    def use(self, map: Map) -> None:
        """Floods another map from now on, which differs in its cells or arc costs alone: a copy, or
        that of another state of a World. MismatchError for any other."""
        self._claim.alone(self._switch, map)

    def _switch(self, map):
        self._record.keep(map._record)
        check(map._guard.read(lib.flood_use, self._pointer, map._pointer))
        self._map = map
        self._record.keep_only([map._record])

    def limit(self, most: Optional[int] = None, until: Iterable[Place] = ()) -> None:
        """How far floods and fields go from now on: to nodes that cost at most `most`, and until
        all places of `until` are reached. What costs more is UNREACHABLE, and FLOW_NONE in fields.
        Without arguments they go everywhere again."""
        most = whole(c_uint32, UNREACHABLE if most is None else most, "most")
        nodes = self._map._listed(until)
        self._call(lib.flood_limit, most, address(nodes), len(nodes))

    def lend(self, costs: Any) -> None:
        """Promises that until another array is lent, or None, only calls of this object with
        `into=costs` write to the array: they do not write again what stays unreachable."""
        lent = None if costs is None else \
            self._filled(costs, 16 if memoryview(costs).itemsize == 2 else 32)
        self._call(lib.flood_lend, lent)
        self._lent = lent

    def costs_from(self, *sources: Places, bits: int = 32, into: Any = None) -> Any:
        """From the nearest of the sources (each argument a node, or a list or an array of nodes) to
        every node."""
        return self._costs((lib.flood_from_16, lib.flood_from), sources, bits, into)

    def costs_to(self, *targets: Places, bits: int = 32, into: Any = None) -> Any:
        """From every node to the nearest of the targets, given in the same way."""
        return self._costs((lib.flood_to_16, lib.flood_to), targets, bits, into)

    def flow_to(self, *targets: Places) -> Tuple[array.array[int], array.array[int]]:
        """A flow field, which any number of units can follow by Map.flow_next: for every node the
        first step of a cheapest path to the nearest target, as array.array('B'), and the costs that
        costs_to gives. Steps are 0 east, 1 west, 2 south, 3 north, 4 south-east, 5 south-west,
        6 north-east, 7 north-west; of a graph, places in the list that Map.steps gives.
        FLOW_TARGET and FLOW_NONE are no steps."""
        flow = array.array("B", [0]) * self._map._node_count
        costs, filled = new_costs(self._map._node_count)
        self._flood(lib.flood_flow, self._map._gathered(targets), address(flow, c_uint8), filled)
        return flow, costs

    def repair_flow(self, flow: array.array[int], costs: array.array[int], *targets: Places,
                    hash: int) -> None:
        """Makes what flow_to gave for the same targets, without a limit, when Map.hash was `hash`,
        follow the edits since: both arrays become what flow_to gives now. What was made under a
        limit has to be made again."""
        node_count = self._map._node_count
        if not is_of_costs(memoryview(flow), node_count, 8):
            raise ValueError(f"flow: expected {node_count} bytes")
        if not is_of_costs(memoryview(costs), node_count, 32):
            raise ValueError(f"costs: expected {node_count} costs of 32 bits")
        nodes = self._map._gathered(targets)
        if not nodes:
            raise ArgumentError("targets: expected at least one node, found none", Status.ARGUMENT)
        self._flood(lib.flow_repair, nodes, hash, address(flow, c_uint8), address(costs))

    def _filled(self, costs, bits):
        return costs_to_fill(costs, self._map._node_count, bits)

    def _costs(self, functions, places, bits, into):
        if bits not in (16, 32):
            raise ValueError(f"bits: expected 16 or 32, found {bits}")
        if into is None:
            into = array.array("H" if bits == 16 else "I", [0]) * self._map._node_count
        nodes = self._map._gathered(places)
        try:
            self._flood(functions[bits == 32], nodes, self._filled(into, bits))
        except LimitError:
            if bits == 32:
                raise
            raise LimitError("bits: costs are above 65534, which 16 bits do not hold; expected 32, "
                             "a limit of 65534 or a coarser metric", Status.LIMIT) from None
        return into

    def _flood(self, function, nodes, *arguments):
        status = self._claim.alone(self._read, function, address(nodes), len(nodes), *arguments)
        self._map._check_open(status, nodes)

    def _call(self, function, *arguments):
        check(self._claim.alone(self._read, function, *arguments))

    def _read(self, function, *arguments):
        return self._map._guard.read(function, self._pointer, *arguments)

    def __repr__(self):
        return f"<cairn.Flood over {self._map!r}>"
