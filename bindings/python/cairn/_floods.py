"""Costs to every node, and flow fields."""
from __future__ import annotations

import array
import threading
import typing
from ctypes import byref, c_uint8, c_void_p
from typing import Tuple

from ._convert import address, new_costs
from ._errors import BusyError, check
from ._native import lib
from ._owned import Owned
from ._types import Place

if typing.TYPE_CHECKING:
    from ._maps import Map


class Flood(Owned):
    """Floods of one map, which keep their memory from one to the next; the map may be edited
    between them. Arrays of costs have one number of 32 bits for every node, UNREACHABLE where no
    path leads."""

    __slots__ = ("_map", "_lock")

    @classmethod
    def _new(cls, map):
        self, made = cls.__new__(cls), c_void_p()
        check(map._guard.read(lib.flood_new, map._pointer, byref(made)))
        self._own(made.value, lib.flood_free, map._record)
        self._map, self._lock = map, threading.Lock()
        return self

    @property
    def map(self) -> Map:
        """The Map that is flooded."""
        return self._map

    def costs_from(self, *sources: Place) -> array.array[int]:
        """From the nearest of the sources to every node."""
        costs, filled = new_costs(self._map._node_count)
        self._run(lib.flood_from, sources, filled)
        return costs

    def costs_to(self, *targets: Place) -> array.array[int]:
        """From every node to the nearest of the targets."""
        costs, filled = new_costs(self._map._node_count)
        self._run(lib.flood_to, targets, filled)
        return costs

    def flow_to(self, *targets: Place) -> Tuple[array.array[int], array.array[int]]:
        """A flow field, which any number of units can follow by Map.flow_next: for every node the
        first step of a cheapest path to the nearest target, as array.array('B'), and the costs that
        costs_to gives. Steps are 0 east, 1 west, 2 south, 3 north, 4 south-east, 5 south-west,
        6 north-east, 7 north-west; of a graph, places in the list that Map.steps gives.
        FLOW_TARGET and FLOW_NONE are no steps."""
        flow = array.array("B", bytes(self._map._node_count))
        costs, filled = new_costs(self._map._node_count)
        self._run(lib.flood_flow, targets, address(flow, c_uint8), filled)
        return flow, costs

    def repair_flow(
        self, flow: array.array[int], costs: array.array[int], hash: int, *targets: Place
    ) -> None:
        """Makes what flow_to gave for the same targets, when Map.hash was `hash`, follow the edits
        since: both arrays become what flow_to gives now."""
        node_count = self._map._node_count
        if len(flow) != node_count or flow.itemsize != 1:
            raise ValueError(f"flow: expected {node_count} bytes")
        if len(costs) != node_count or costs.itemsize != 4:
            raise ValueError(f"costs: expected {node_count} costs of 32 bits")
        self._run(
            lambda pointer, nodes, count, *filled: lib.flow_repair(
                pointer, nodes, count, hash, *filled
            ),
            targets,
            address(flow, c_uint8),
            address(costs),
        )

    def _run(self, function, places, *filled):
        map = self._map
        nodes = array.array("I", [map.node(place) for place in places])
        if not self._lock.acquire(False):
            raise BusyError("the flood is being used")
        try:
            check(map._guard.read(function, self._pointer, address(nodes), len(nodes), *filled))
        finally:
            self._lock.release()

    def __repr__(self):
        return f"<cairn.Flood over {self._map!r}>"
