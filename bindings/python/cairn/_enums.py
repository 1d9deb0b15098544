"""The choices that the library offers, by the values of cairn/cairn.h."""
import enum

UNREACHABLE = 0xffffffff
UNREACHABLE_16 = 0xffff
NO_NODE = 0xffffffff
NO_COMPONENT = 0xffffffff
FLOW_TARGET = 254
FLOW_NONE = 255


_FORMS_OF_NUMBERS = tuple("bcdoxXneEfFgG%")


class Choice(enum.IntEnum):
    """An enumeration that says what it has when it is asked for anything else."""

    def __str__(self):
        return f"{type(self).__name__}.{self.name}"

    def __format__(self, form):
        """As a text, unless a form of numbers is asked for: the same in all versions of Python."""
        return format(int(self) if form[-1:] in _FORMS_OF_NUMBERS else str(self), form)

    @classmethod
    def _missing_(cls, value):
        known = ", ".join(f"cairn.{cls.__name__}.{item.name}" for item in cls)
        raise ValueError(f"expected {known}; found {value!r}")

    @classmethod
    def chosen(cls, value):
        """A member that a caller has given: words and bare numbers are none."""
        return value if isinstance(value, cls) else cls._missing_(value)


class Rule(Choice):
    """Which steps a grid has."""
    EIGHT, FOUR, EIGHT_ONE_SIDE, EIGHT_ANY, HEX = range(5)


class Charge(Choice):
    """What a step over terrain costs: the factor of the cell entered, or the mean of both."""
    ENTERED, AVERAGE = range(2)


class Anchor(Choice):
    """Which cell of a unit stands for it."""
    TOP_LEFT, MIDDLE = range(2)


class EditKind(Choice):
    """What an edit changes: a rectangle of cells to one letter, to open and blocked cells by bits,
    to letters of their own; or the cost of an arc."""
    FILL, BITS, LETTERS, ARC = range(4)


class Placement(Choice):
    """Where landmarks go. AUTO is FARTHEST on grids and REFINED on graphs."""
    AUTO, FARTHEST, RANDOM, BORDER, AVOID, GREEDY, REFINED, LIST = range(8)


class Resident(Choice):
    """Where the rows of a table live in memory: at every cell, or at corners alone."""
    CELLS, CORNERS = range(2)


class Direction(Choice):
    """Which costs a row holds, where the direction matters: from landmarks or to them."""
    BOTH, FROM, TO = range(3)


class Codec(Choice):
    """How rows are packed in a file."""
    BEST, RAW, PREDICTOR, SEEDS = range(4)


class Heuristic(Choice):
    """Base heuristics: distances over an empty map."""
    BEST, ZERO, MANHATTAN, CHEBYSHEV, OCTILE, EUCLIDEAN, HEX, SQUARED = range(8)


class Space(Choice):
    """What a search moves along."""
    AUTO, CELLS, JUMP = range(3)


class Form(Choice):
    """How much of a path is written out: every cell, corners alone, or nothing but the cost."""
    CELLS, CORNERS, NONE = range(3)


class Ties(Choice):
    """Which of the nodes with the same f a search expands first."""
    LAST, FIRST, LARGER_G = range(3)


class Outcome(Choice):
    """How a search ended."""
    FOUND, NONE, START_BLOCKED, GOAL_BLOCKED, NEAREST, PAUSED = range(6)


class NodeState(Choice):
    """What a search has done with a node."""
    UNSEEN, OPEN, CLOSED = range(3)


class RowState(Choice):
    """What a row is good for after edits."""
    FRESH, WEAKER, UNSAFE = range(3)
