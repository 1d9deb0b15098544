"""The choices that the library offers, by the values of cairn/cairn.h."""
import enum

UNREACHABLE = 0xffffffff
UNREACHABLE_16 = 0xffff
NO_NODE = 0xffffffff
FLOW_TARGET = 254
FLOW_NONE = 255


class Rule(enum.IntEnum):
    """Which steps a grid has."""
    EIGHT, FOUR, EIGHT_ONE_SIDE, EIGHT_ANY, HEX = range(5)


class Charge(enum.IntEnum):
    """What a step over terrain costs: the factor of the cell entered, or the mean of both."""
    ENTERED, AVERAGE = range(2)


class Anchor(enum.IntEnum):
    """Which cell of a unit stands for it."""
    TOP_LEFT, MIDDLE = range(2)


class EditKind(enum.IntEnum):
    """What an edit changes: a rectangle of cells to one letter, to open and blocked cells by bits,
    to letters of their own; or the cost of an arc."""
    FILL, BITS, LETTERS, ARC = range(4)


class Placement(enum.IntEnum):
    """Where landmarks go. AUTO is FARTHEST on grids and REFINED on graphs."""
    AUTO, FARTHEST, RANDOM, BORDER, AVOID, GREEDY, REFINED, LIST = range(8)


class Resident(enum.IntEnum):
    """Where the rows of a table live in memory: at every cell, or at corners alone."""
    CELLS, CORNERS = range(2)


class Way(enum.IntEnum):
    """Which costs a row holds, where the direction matters: from landmarks or to them."""
    BOTH, FROM, TO = range(3)


class Codec(enum.IntEnum):
    """How rows are packed in a file."""
    BEST, RAW, PREDICTOR, SEEDS = range(4)


class Heuristic(enum.IntEnum):
    """Base heuristics: distances over an empty map."""
    BEST, ZERO, MANHATTAN, CHEBYSHEV, OCTILE, EUCLIDEAN, HEX, SQUARED = range(8)


class Space(enum.IntEnum):
    """What a search moves along."""
    AUTO, CELLS, JUMP = range(3)


class Form(enum.IntEnum):
    """How much of a path is written out: every cell, corners alone, or nothing but the cost."""
    CELLS, CORNERS, NONE = range(3)


class Ties(enum.IntEnum):
    """Which of the nodes with the same f a search expands first."""
    LAST, FIRST, LARGER_G = range(3)


class Outcome(enum.IntEnum):
    """How a search ended."""
    FOUND, NONE, START_BLOCKED, GOAL_BLOCKED, NEAREST, PAUSED = range(6)


class NodeState(enum.IntEnum):
    """What a search has done with a node."""
    UNSEEN, OPEN, CLOSED = range(3)


class RowState(enum.IntEnum):
    """What a row is good for after edits."""
    FRESH, WEAKER, UNSAFE = range(3)
