"""Names for what the public calls take, for readers and for checkers of types."""
import os
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, SupportsIndex, Tuple, Union

# A node: its number, or its column and row.
Place = Union[SupportsIndex, Tuple[SupportsIndex, SupportsIndex]]

# One node, or several.
Places = Union[Place, Iterable[Place]]

# Two nodes of each query, or a cairn.Query.
Pairs = Iterable[Sequence[Any]]

# What a straight and a diagonal step cost, or a node and the cost of the arc to it.
Pair = Tuple[SupportsIndex, SupportsIndex]

# Whole numbers, or an array of them.
Numbers = Union[Iterable[SupportsIndex], Any]

# Called with a stage, what is done and the total; False stops the work.
Progress = Callable[[str, int, int], Any]

PathName = Union[str, bytes, "os.PathLike[str]"]
Text = Union[str, bytes, bytearray, memoryview]

# What letters mean: "S=3,W=blocked", or factors by letters, None where they are blocked.
Terrain = Union[Text, Mapping[str, Optional[SupportsIndex]]]
