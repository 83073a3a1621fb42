"""The protocol `Puzzle` of all kinds of puzzles, and the types that a kind declares.

A kind is a class in a module of its own; `linkoracle.kinds.KINDS` lists all kinds. Readers,
writers, drawings, checks and catalogues take everything about a kind from its class.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol, Self

from linkoracle.board import Board, Lattice, LinkModel, Solution
from linkoracle.core import checked_int

if TYPE_CHECKING:
    from linkoracle.kinds.codings import Coding

#: A cell as ``(row, column)``, counted from 0.
Cell = tuple[int, int]
#: Two vertices: dots between cells, or cells.
Ends = tuple[Cell, Cell]
#: Edges, each as its two vertices in reading order.
Edges = tuple[tuple[Cell, Cell], ...]
#: A clue: a number, or in some kinds a word such as ``"2n"``.
Clue = int | str
#: Rows of cells; ``None`` is an empty cell.
Grid = tuple[tuple[Any, ...], ...]
#: Rows for a constructor; a row may be text such as ``"3.2"``.
Rows = Sequence[Sequence[Clue | None] | str]
#: Clues to change, by cell, or as pairs of a cell and a clue. ``None`` is no clue.
ClueChanges = Mapping[Cell, Clue | None] | Iterable[tuple[Cell, Clue | None]]
#: Clues of a board that is not square: one for each face in order, perhaps as text such as
#: ``"3..2"`` or ``"10 . 2"``; or by face.
Clues = Sequence[Clue | None] | str | Mapping[int, Clue | None]

#: The place of a clue of the whole board.
WHOLE = "all"

#: The appearance of a `Figure`.
Look = Literal[
    "text", "label", "filled", "end", "gap", "given", "cross",
    "white", "black", "either", "grey", "arrow", "shaded", "border", "beside", "dot", "ice",
]  # fmt: skip


class Figure(NamedTuple):
    """Something on a board besides lines: its look, its place, and perhaps its text.

    In a cell: ``"text"``; a ``"label"`` at the end of a line; a ``"filled"``, a ``"shaded"`` or an
    icy (``"ice"``) cell; a circle that is ``"white"``, ``"black"`` or grey (``"either"`` of both
    colours), perhaps with a text; a ``"grey"`` ground, which is white or black if its text is
    ``"white"`` or ``"black"``; an ``"arrow"``, whose text is a number, if any, and the letter of
    its direction
    (`DIRECTIONS`). At a vertex: the ``"end"`` of a line, or a ``"gap"``, where no line passes. From
    a vertex to its neighbour ``to``: a ``"given"`` line or a ``"cross"``. From a cell to its
    neighbour ``to``: a ``"border"``. In the middle of a cell, or between it and its neighbour
    ``to``, also a diagonal one: a ``"dot"``, whose text is the letter of the direction, if any.
    A number ``"beside"`` the grid has -1 as the column of a row, as the row of a column, or as
    both.
    """

    look: Look
    place: Cell
    text: str = ""
    to: Cell | None = None


@dataclass(frozen=True)
class AnnotationList:
    """A list of annotations: its name in messages, and the look of the figure of an item.

    ``length`` is the number of items unless the list is empty; ``None`` is any number. An item is a
    vertex or, with ``edges``, an edge as a pair of vertices. ``instruction`` is for players, if the
    rules of the kind do not mention the list.

    >>> AnnotationList("ends", "end", length=2).expected_items
    "2 places 'row,column'"
    >>> AnnotationList("crosses", "cross", edges=True).expected_items
    "places 'row,column-row,column'"
    """

    what: str
    look: Look
    length: int | None = None
    edges: bool = False
    instruction: str = ""
    #: Whether the list has a row for each row of the grid, and an item for each cell.
    grid: ClassVar[bool] = False
    #: Whether an item is the name of a row, of a column or of the board, with a number.
    of_lines: ClassVar[bool] = False

    @property
    def required(self) -> bool:
        """Whether the rules of the kind need the list."""
        return self.grid or self.length is not None

    @property
    def expected_items(self) -> str:
        """The items of such a list in a file, in words."""
        if self.of_lines:
            return f"numbers such as r1=3, c2=4 or {WHOLE}=5"
        how_many = "" if self.length is None else f"{self.length} "
        return f"{how_many}places 'row,column{'-row,column' * self.edges}'"

    def vertices(self, item: Any) -> tuple[Cell, ...]:
        """Return the vertices of an item: two of an edge."""
        return tuple(item) if self.edges else (item,)

    def text_of(self, item: Any) -> str:
        """Return an item as files write it."""
        if self.of_lines:
            return "{}={}".format(*item)
        return format_edge(item) if self.edges else format_place(item)

    def moved(self, items: Iterable[Any], move: Callable[[Any], Any]) -> list[Any]:
        """Return the list with each vertex where ``move`` takes it."""
        moves = (tuple(map(move, self.vertices(item))) for item in items)
        return list(moves) if self.edges else [vertex for (vertex,) in moves]

    def mirrored(self, items: Iterable[Any], step: Literal[1, -1], last: int) -> list[Any]:
        """Return the list mirrored left to right, after a swap of axes for step -1."""

        def move(place: Cell) -> Cell:
            row, col = place[::step]
            return row, last - col

        return self.moved(items, move)

    def figures(self, items: Iterable[Any], label: Callable[[Any], Any]) -> Iterator[Figure]:
        """Yield the figures of the items, at the labels of their vertices."""
        for item in items:
            first, *others = map(label, self.vertices(item))
            yield Figure(self.look, first, to=others[0] if others else None)


#: The beginning of the instructions for a loop through cells.
LOOP = "Draw one closed loop that runs from cell to neighbouring cell, across or down"


#: Steps of the walks of examples.
_STEPS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}
_STEPS |= {"Q": (-1, -1), "E": (-1, 1), "Z": (1, -1), "C": (1, 1)}


@dataclass(frozen=True)
class Example:
    """A small puzzle and its only solution, which booklets show beside the rules.

    ``rows`` are the cells: ``.``, a digit or a symbol of the kind, with a blank after each row.
    Words are separated by blanks, and rows of words by ``/``. ``walks`` are the lines of the
    solution: the start of each, and its steps up, right, down and left, or diagonally as the keys
    Q, E, Z and C lie around S. ``points`` are its annotations, by name.
    """

    rows: str
    walks: tuple[tuple[Cell, str], ...]
    points: Mapping[str, Any] = field(default_factory=dict)

    def of(self, kind: type[Puzzle], variant: str | None = None) -> tuple[Puzzle, Solution]:
        """Return the puzzle of this kind and variant, and its solution.

        >>> from linkoracle import Numberlink
        >>> shown, solution = Numberlink.examples["fill"].of(Numberlink, "fill")
        >>> shown.rows, shown.variant, len(solution.paths())
        (5, 'fill', 5)
        """

        def onward(cell: Cell, letter: str) -> Cell:
            down, right = _STEPS[letter]
            return cell[0] + down, cell[1] + right

        rows = self.rows.split("/") if "/" in self.rows else self.rows.split()
        shown = kind.from_grid(rows, variant, **self.points)
        paths = [accumulate(steps, onward, initial=start) for start, steps in self.walks]
        return shown, Solution.from_paths(shown.board, paths)


#: Finds an alternative to a solution of a puzzle; ``None`` proves that the solution is unique.
Another = Callable[[Any, Solution], Solution | None]
#: Whether a puzzle is no harder than requested; ``None`` without a limit.
IsEasy = Callable[[Any], bool] | None
#: Makes a puzzle of a number of rows and columns, and its only solution; ``None`` if it fails.
Maker = Callable[[int, int, Random, Another], tuple[Any, Solution] | None]
#: Makes a puzzle on the faces of a board in the same way.
FaceMaker = Callable[[Board, Random, Another], tuple[Any, Solution] | None]


@dataclass(frozen=True)
class Pzpr:
    """The pzpr form of a kind of puzzle: the coding of its cells, and its names.

    ``coding`` is a `linkoracle.kinds.codings.Coding`, or its name in that module. ``names`` maps
    names in URLs, each with its flags in alphabetical order or ``""``, to the variant that they
    imply, if any. The writer uses the first name that implies no other variant. Readers ignore the
    flags ``drawn``, which only change the picture. With ``by_region``, the borders of regions come
    first, and then one code for each region, in the order of their first cells. ``layout`` names
    the parts of a body if these are not the regions, if any, and the cells; ``saved`` those of a
    file, if other ones:

    * ``"regions"``: their borders; ``"walls"``, borders that need not enclose regions;
    * ``"cells"``: the clues, in the ``coding``;
    * ``"holes"``: the cells outside all regions; ``"ice"``: the icy cells;
      ``"ice-cells"``: both these and the clues, in one table;
    * ``"sides"``: the dots of a `SidePuzzle`.
    """

    coding: str | Coding
    names: Mapping[tuple[str, str], str | None]
    drawn: str = ""
    by_region: bool = False
    layout: str = ""
    saved: str = ""

    def parts(self, kind: Any, *, saved: bool = False) -> list[str]:
        """Return the parts of the body of a URL, or of a saved file."""
        usual = "regions cells" if "regions" in kind.annotations else "cells"
        return ((saved and self.saved) or self.layout or usual).split()

    @property
    def name(self) -> str:
        """The name for the writer."""
        return next(iter(self.names))[0]


class Puzzle(Protocol):
    """A puzzle of some kind: immutable, hashable, comparable.

    Register a class with these members as a kind with `linkoracle.kinds.register`. `GridPuzzle`
    defines most of them; members with a value here are those of kinds that do not say otherwise.
    """

    #: The name in files and on the command line, one lower-case word; and in headings.
    kind: ClassVar[str]
    title: ClassVar[str]
    #: The words for each variant in headings, by its name; the default comes first.
    variants: ClassVar[Mapping[str, str]]
    #: The instructions for players, by the name of the variant.
    instructions: ClassVar[Mapping[str, str]] = {}
    #: An example for each variant, or for some.
    examples: ClassVar[Mapping[str, Example]] = {}
    #: Whether lines run through cells, the vertices; else along their sides, between dots.
    through_cells: ClassVar[bool] = False
    #: Whether lines also join cells that touch at a corner.
    diagonal: ClassVar[bool] = False
    #: If lines run between dots: whether clues are numbers of lines around cells, the masks of the
    #: faces of the model; else they are other constraints.
    counts_lines: ClassVar[bool] = True
    #: The unit of ``number_of_clues``.
    unit: ClassVar[str] = "clues"
    #: The name in explanations of a rule that belongs to no single clue.
    general_rule: ClassVar[str] = "A rule for all cells"
    #: What explanations call a place where a line runs, and one where none does.
    cell_words: ClassVar[tuple[str, str]] = ("visited", "not visited")
    #: Symbols for numbers in rows of text; any other number is written in digits.
    symbols: ClassVar[Mapping[int, str]] = {}
    #: Clues that are words: a regular expression of them, or ``None`` where clues are numbers.
    words: ClassVar[str | None] = None
    #: Whether numbers are only names, for which dimension formats may use letters.
    letters: ClassVar[bool] = False
    #: The annotations: lists of vertices or edges, by the name of their attribute and argument.
    annotations: ClassVar[Mapping[str, AnnotationList]] = {}
    #: The form of the kind in pzpr URLs, if any.
    pzpr: ClassVar[Pzpr | None] = None
    #: The formats that express only this kind: ``"loopy"``, ``"slk"``.
    formats: ClassVar[tuple[str, ...]] = ()
    #: Makes puzzles with one solution for `linkoracle.generate.puzzle`; ``None`` if nothing does.
    maker: ClassVar[Maker | None] = None

    #: A clue or ``None`` for each cell, in their order.
    clues: tuple[Any, ...]
    #: The board whose faces are the cells: of rows and columns, the `Lattice` of the dots.
    faces: Board

    @property
    def grid(self) -> Grid:
        """The rows of cells; raises `NotSupported` if there are no rows."""

    @property
    def tiling(self) -> Board | None:
        """The board whose faces are the cells; ``None`` for rows and columns."""

    @property
    def variant(self) -> str: ...
    @property
    def rows(self) -> int: ...
    @property
    def cols(self) -> int: ...
    @property
    def board(self) -> Board:
        """The board on which lines are drawn."""

    @property
    def lattice(self) -> Lattice:
        """The board for rows and columns; raises `NotSupported` for other boards."""

    @property
    def size(self) -> str:
        """The number of cells in words."""

    @property
    @abstractmethod
    def model(self) -> LinkModel:
        """The constraints for the engines."""

    @property
    def number_of_clues(self) -> int:
        """The number of clues, in units of ``unit``."""

    @classmethod
    def clue_of(cls, text: str) -> object:
        """Return the clue for the text of a cell, or ``text`` itself if it is not a clue."""

    @classmethod
    def from_grid(cls, grid: Rows, variant: str | None = None, **annotations: Any) -> Self:
        """Return the puzzle of a file: its grid, its variant if named, and its annotations."""

    @classmethod
    @abstractmethod
    def from_solution(cls, solution: Solution) -> Self:
        """Return the puzzle with all clues that a solution allows."""

    def clue_cells(self) -> Iterator[tuple[Cell, Any]]: ...
    def with_clues(self, clues: ClueChanges) -> Self: ...
    def with_variant(self, variant: str) -> Self:
        """Return the same board as a variant; raise `PuzzleError` if it needs another."""

    def rotate(self, quarter_turns: int = 1) -> Self: ...
    def reflect(self) -> Self: ...
    def renumbered(self) -> Self:
        """Return the same puzzle; if numbers are only names, numbered from 1 in reading order."""

    def figures(self) -> Iterator[Figure]: ...
    def solution_figures(self, solution: Solution) -> Iterator[Figure]:
        """Yield what a solution shows besides its lines."""

    def violations(self, solution: Solution) -> list[str]: ...


def cell_named(name: Any) -> tuple[int, ...]:
    """Return the name of a cell as a tuple: ``(row, column)``, or ``(face,)``.

    >>> cell_named((0, 1)), cell_named(4)
    ((0, 1), (4,))
    """
    return name if isinstance(name, tuple) else (name,)


def place_of(cell: Any) -> str:
    """Return the name of a cell, of a face, of a row or column, or of the board, for people.

    >>> place_of((0, 2)), place_of(7), place_of("c1")
    ('r1c3', 'face 7', 'column 1')
    """
    if isinstance(cell, str):
        kinds = {"r": "row", "c": "column"}
        return "the board" if cell == WHOLE else f"{kinds[cell[0]]} {cell[1:]}"
    return f"r{cell[0] + 1}c{cell[1] + 1}" if isinstance(cell, tuple) else f"face {cell}"


def vertex_of(place: Any) -> Cell:
    """Return a vertex as two whole numbers; raise ``TypeError`` or ``ValueError`` otherwise."""
    row, col = (checked_int(part, "a place") for part in place)
    return row, col


def format_place(place: Any) -> str:
    """Return a vertex as files write it; anything else as Python does.

    >>> format_place((0, 1)), format_place(7), format_place("x")
    ('0,1', '7', "'x'")
    """
    try:
        return "{},{}".format(*vertex_of(place))
    except (TypeError, ValueError):
        return repr(place)


def format_edge(ends: Any) -> str:
    """Return an edge as files write it; anything else as Python does.

    >>> format_edge(((0, 1), (0, 2))), format_edge((3, 7)), format_edge(5)
    ('0,1-0,2', '3-7', '5')
    """
    return "-".join(map(format_place, ends)) if isinstance(ends, tuple | list) else repr(ends)
