"""What every kind of puzzle is: the protocol `Puzzle`, and what a kind declares.

A kind is a class on a page of its own; `linkoracle.kinds.KINDS` lists them. Whoever needs to
know something about a kind asks the class: readers, writers, drawings, checks, catalogues.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol, Self

from linkoracle import core
from linkoracle.board.board import Board
from linkoracle.board.lattice import Lattice
from linkoracle.board.model import LinkModel
from linkoracle.board.solution import Solution
from linkoracle.core.errors import FormatError, PuzzleError
from linkoracle.core.limits import LABELS, MANY

if TYPE_CHECKING:
    from linkoracle.kinds.codings import Coding
    from linkoracle.kinds.lines import Lines

#: A cell as ``(row, column)``, counted from 0.
Cell = tuple[int, int]
#: Two of the dots between cells, or of whatever else the vertices of a kind are.
Ends = tuple[Cell, Cell]
#: Edges, each as its two vertices in reading order.
Edges = tuple[tuple[Cell, Cell], ...]
#: A clue: a number, or a word such as ``"2n"`` in kinds whose clues say more.
Clue = int | str
#: Rows of cells; ``None`` is an empty cell.
Grid = tuple[tuple[Any, ...], ...]
#: The same as constructors take it; a row may be text such as ``"3.2"``.
Rows = Sequence[Sequence[Clue | None] | str]
#: Clues to change, by cell; pairs of a cell and a clue do as well. ``None`` is no clue.
ClueChanges = Mapping[Cell, Clue | None] | Iterable[tuple[Cell, Clue | None]]
#: Clues of a board that is not square: one for each face, in their order, also as text such as
#: ``"3..2"`` or ``"10 . 2"``; or by face.
Clues = Sequence[Clue | None] | str | Mapping[int, Clue | None]
#: What a `Figure` looks like.
Look = Literal[
    "text", "label", "filled", "end", "gap", "given", "cross",
    "white", "black", "grey", "arrow", "shaded", "border",
]  # fmt: skip


class Figure(NamedTuple):
    """Something on a board that is no line: what it looks like, where, and its text if it has one.

    In a cell: ``"text"``; a ``"label"`` at which a line ends; a ``"filled"`` or a ``"shaded"``
    cell; a circle that is ``"white"`` or ``"black"``, perhaps with a text; a ``"grey"`` ground, or
    one of the colour that is its text, ``"white"`` or ``"black"``; an ``"arrow"``, whose text is a
    number, if any, and the letter of its direction (`DIRECTIONS`). At a vertex: the ``"end"`` of a
    line, or a ``"gap"``, where no line passes. Between neighbouring vertices, the second of which
    is ``to``: a ``"given"`` line or a ``"cross"``. Between neighbouring cells: a ``"border"``.
    """

    look: Look
    place: Cell
    text: str = ""
    to: Cell | None = None


@dataclass(frozen=True)
class Listed:
    """A list beside the grid: what messages call it, and the look of a figure for each of it.

    ``length`` is how many there must be, if there are any; ``None`` is any number. With ``edges``
    each is an edge, as a pair of vertices; else a vertex. ``instruction`` is for players,
    unless the rules of the kind say it.

    >>> Listed("ends", "end", length=2).wanted, Listed("crosses", "cross", edges=True).wanted
    ("2 places 'row,column'", "places 'row,column-row,column'")
    """

    what: str
    look: Look
    length: int | None = None
    edges: bool = False
    instruction: str = ""
    #: Whether it has a row for each row of the grid, and something for each cell.
    grid: ClassVar[bool] = False

    @property
    def needed(self) -> bool:
        """Whether the rules of the kind need it."""
        return self.grid or self.length is not None

    @property
    def wanted(self) -> str:
        """What a list in a file is, in words."""
        how_many = "" if self.length is None else f"{self.length} "
        return f"{how_many}places 'row,column{'-row,column' * self.edges}'"

    def vertices(self, one: Any) -> tuple[Cell, ...]:
        """The vertices of one of the list: two of an edge."""
        return tuple(one) if self.edges else (one,)

    def mirrored(self, found: Iterable[Any], step: Literal[1, -1], last: int) -> list[Any]:
        """The list mirrored left to right, after a swap of axes for step -1."""

        def moved(place: Cell) -> Cell:
            row, col = place[::step]
            return row, last - col

        moves = (tuple(map(moved, self.vertices(one))) for one in found)
        return list(moves) if self.edges else [one for (one,) in moves]

    def figures(self, found: Iterable[Any]) -> Iterator[Figure]:
        """What to draw of a list."""
        for one in found:
            first, *others = self.vertices(one)
            yield Figure(self.look, first, to=others[0] if others else None)


#: How the instructions for a loop through cells begin.
LOOP = "Draw one closed loop that runs from cell to neighbouring cell, across or down"


@dataclass(frozen=True)
class Example:
    """A small puzzle and its only solution, which booklets show beside the rules.

    ``rows`` are its cells, with a blank after each row: ``.``, a digit or a symbol of the kind.
    Rows of words, with blanks between these, have a ``/`` between rows.
    ``walks`` are the lines of the solution: where each begins, and its steps up, right, down and
    left. ``points`` are the lists beside the grid.
    """

    rows: str
    walks: tuple[tuple[Cell, str], ...]
    points: Mapping[str, Any] = field(default_factory=dict)

    def of(self, kind: type[Puzzle], rule: str | None = None) -> tuple[Puzzle, Solution]:
        """Return the puzzle, of this kind and under this rule, and its solution.

        >>> from linkoracle import Numberlink
        >>> shown, solution = Numberlink.examples["fill"].of(Numberlink, "fill")
        >>> shown.rows, shown.rule, len(solution.paths())
        (5, 'fill', 5)
        """
        from linkoracle.kinds.lines import step

        def onward(cell: Cell, letter: str) -> Cell:
            return step(cell, "nesw"["URDL".index(letter)])

        rows = self.rows.split("/") if "/" in self.rows else self.rows.split()
        shown = kind.from_grid(rows, rule, **self.points)
        paths = [accumulate(steps, onward, initial=start) for start, steps in self.walks]
        return shown, Solution.from_paths(shown.lattice, paths)


#: Another solution of a puzzle than the given one; ``None`` is a proof that there is no other.
Another = Callable[[Any, Solution], Solution | None]
#: Whether a puzzle is no harder than requested; ``None`` where any is.
IsEasy = Callable[[Any], bool] | None
#: Makes a puzzle of a number of rows and columns, and its only solution; ``None`` if it fails.
Maker = Callable[[int, int, Random, Another], tuple[Any, Solution] | None]
#: The same on the faces of a board.
FaceMaker = Callable[[Board, Random, Another], tuple[Any, Solution] | None]


@dataclass(frozen=True)
class Pzpr:
    """How pzpr has a kind of puzzle: the coding of its cells, and its names.

    ``coding`` is a `linkoracle.kinds.codings.Coding`, or the name of one in that module. ``names``
    maps names in URLs, each with a flag or ``""``, to the rule that they state, if any. The first
    that states no other rule is written. With ``by_region`` there is one code for each region, in
    the order of their first cells, instead of one for each cell. The borders of regions come first.
    """

    coding: str | Coding
    names: Mapping[tuple[str, str], str | None]
    by_region: bool = False

    @property
    def name(self) -> str:
        """The name that is written."""
        return next(iter(self.names))[0]


class Puzzle(Protocol):
    """A puzzle of some kind: immutable, hashable, comparable.

    A class with these members is a kind once it is registered with `linkoracle.kinds.register`.
    `GridPuzzle` has most of them.
    """

    #: The name in files and on the command line, one lower-case word; and in headings.
    kind: ClassVar[str]
    title: ClassVar[str]
    #: The rules by name, the default first, with what headings say of each (nothing of the usual).
    rules: ClassVar[Mapping[str, str]]
    #: The instructions for players, by the name of the rule.
    instructions: ClassVar[Mapping[str, str]]
    #: An example for each rule, or for some.
    examples: ClassVar[Mapping[str, Example]]
    #: Whether lines run through cells, the vertices; else along their sides, between dots.
    through_cells: ClassVar[bool]
    #: What ``number_of_clues`` counts.
    unit: ClassVar[str]
    #: What explanations call a rule that belongs to no single clue.
    general_rule: ClassVar[str]
    #: Symbols for numbers in rows of text; any other number is written in digits.
    symbols: ClassVar[Mapping[int, str]]
    #: Clues that are words: a regular expression of them, or ``None`` where clues are numbers.
    words: ClassVar[str | None]
    #: Whether numbers are but names, for which dimension formats may use letters.
    letters: ClassVar[bool]
    #: Lists of vertices, or of edges, beside the grid, by the name of attribute and argument.
    points: ClassVar[Mapping[str, Listed]]
    #: How pzpr URLs have it, if they do.
    pzpr: ClassVar[Pzpr | None]
    #: The formats that have no other kind: ``"loopy"``, ``"slk"``.
    formats: ClassVar[tuple[str, ...]]
    #: Makes puzzles with one solution, if there is a way: see `linkoracle.generate.puzzle`.
    maker: ClassVar[Maker | None]
    #: The labels that made puzzles can have, each with the fewest and the most cells of boards that
    #: have been made to it; ``scripts/bench_difficulties.py`` measures them.
    difficulties: ClassVar[Mapping[str, tuple[int, int]]]

    #: The cells, in rows; `NotSupported` where there are none.
    grid: Grid
    #: The board whose faces are the cells; ``None`` where these are rows and columns.
    tiling: Board | None

    @property
    def rule(self) -> str: ...
    @property
    def rows(self) -> int: ...
    @property
    def cols(self) -> int: ...
    @property
    def board(self) -> Board:
        """Where lines are drawn."""

    @property
    def lattice(self) -> Lattice:
        """The same, where cells are rows and columns; `NotSupported` elsewhere."""

    @property
    def size(self) -> str:
        """How many cells there are, in words."""

    @property
    @abstractmethod
    def model(self) -> LinkModel:
        """What the engines solve."""

    @property
    def number_of_clues(self) -> int:
        """How many clues there are, in units of ``unit``."""

    @classmethod
    def clue_of(cls, text: str) -> object:
        """The clue that a cell of text stands for; ``text`` itself if it is not a clue."""

    @classmethod
    def from_grid(cls, grid: Rows, rule: str | None = None, **points: Any) -> Self:
        """Return what a file holds: a grid, the rule if named, and the lists of ``points``."""

    @classmethod
    @abstractmethod
    def from_solution(cls, solution: Solution) -> Self:
        """The puzzle that tells all about this solution."""

    def clue_cells(self) -> Iterator[tuple[Cell, Any]]: ...
    def with_clues(self, clues: ClueChanges) -> Self: ...
    def with_rule(self, rule: str) -> Self:
        """The same board under another rule; `PuzzleError` if that would be another board."""

    def rotate(self, quarter_turns: int = 1) -> Self: ...
    def reflect(self) -> Self: ...
    def renumbered(self) -> Self:
        """The same puzzle with the names that numbers have by default, if they are but names."""

    def figures(self) -> Iterator[Figure]: ...
    def solution_figures(self, solution: Solution) -> Iterator[Figure]:
        """What a solution shows besides its lines."""

    def violations(self, solution: Solution) -> list[str]: ...


class DrawnPuzzle(Puzzle):
    """What puzzles on all boards share."""

    instructions: ClassVar[Mapping[str, str]] = {}
    examples: ClassVar[Mapping[str, Example]] = {}
    through_cells = False
    unit = "clues"
    general_rule: ClassVar[str] = "A rule for all cells"
    symbols: ClassVar[Mapping[int, str]] = {}
    words: ClassVar[str | None] = None
    letters = False
    points: ClassVar[Mapping[str, Listed]] = {}
    pzpr: ClassVar[Pzpr | None] = None
    formats: ClassVar[tuple[str, ...]] = ()
    maker: ClassVar[Maker | None] = None
    difficulties: ClassVar[Mapping[str, tuple[int, int]]] = dict.fromkeys(LABELS, (1, MANY))
    #: What a clue looks like; all but one that is ``"filled"`` show their text.
    look: ClassVar[Look] = "text"

    @abstractmethod
    def faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each rule that lines between vertices break."""

    @property
    @abstractmethod
    def _vertices(self) -> str:
        """The vertices in words."""

    @property
    def number_of_clues(self) -> int:
        """How many clues there are, in units of ``unit``."""
        return sum(1 for _ in self.clue_cells())

    def renumbered(self) -> Self:
        """The same puzzle with the names that numbers have by default, if they are but names."""
        return self

    def figures(self) -> Iterator[Figure]:
        """What to draw beside lines: every clue, and what is listed beside the grid."""
        for cell, clue in self.clue_cells():
            yield from self.clue_figures(cell, clue)
        yield from self.listed_figures()

    def clue_figures(self, cell: Any, clue: Any) -> Iterator[Figure]:
        """What to draw of a clue: here its `look`, with its symbol or itself as text."""
        text = "" if self.look == "filled" else self.symbols.get(clue) or str(clue)
        yield Figure(self.look, cell, text)

    @abstractmethod
    def listed_figures(self) -> Iterator[Figure]:
        """What to draw of the lists beside the grid."""

    def solution_figures(self, solution: Solution) -> Iterator[Figure]:  # noqa: ARG002 - kinds use it
        """What a solution shows besides its lines: here, nothing."""
        return iter(())

    # Drawing is above puzzles, so the package says how.

    def __str__(self) -> str:
        """The board in box-drawing characters, or in words, as `linkoracle.draw` shows it."""
        return core.draw_text(self)

    def _repr_svg_(self) -> str:
        # For notebooks.
        return core.draw_svg(self)


#: The largest number of alternatives listed in a message, less one.
_MOST = 5


def alternatives(names: Any) -> str:
    """Names in quotes, the last after an "or"; of many, the first two.

    >>> alternatives(["one", "two", "three"])
    "'one', 'two' or 'three'"
    """
    *others, last = map(repr, names)
    if len(others) > _MOST:
        others, last = others[:2], f"one of {len(others) - 1} others"
    return f"{', '.join(others)} or {last}" if others else last


def place_of(cell: Cell | int) -> str:
    """Return a cell as messages name it, or a face by its number.

    >>> place_of((0, 2)), place_of(7)
    ('row 1, column 3', 'face 7')
    """
    if isinstance(cell, int):
        return f"face {cell}"
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


def empty_cells(puzzle: Any) -> list[Any]:
    """Return the cells without a clue, in reading order, or the faces by their numbers.

    >>> from linkoracle import Slitherlink
    >>> empty_cells(Slitherlink([[3, None], [None, 2]]))
    [(0, 1), (1, 0)]
    """
    if puzzle.tiling is not None:
        return [face for face, clue in enumerate(puzzle.clues) if clue is None]
    rows = enumerate(puzzle.grid)
    return [(row, col) for row, cells in rows for col, clue in enumerate(cells) if clue is None]


def annotation_names(puzzle: Puzzle, *, optional: bool = False) -> Iterator[str]:
    """What messages call the lists beside the grid in which there is something.

    With ``optional`` only those that no rule needs.

    >>> from linkoracle import Slitherlink
    >>> puzzle = Slitherlink.blank(2, 2, ends=((0, 0), (2, 2)))
    >>> list(annotation_names(puzzle)), list(annotation_names(puzzle, optional=True))
    (['ends'], [])
    """
    for name, listed in puzzle.points.items():
        if getattr(puzzle, name) and not (optional and listed.needed):
            yield listed.what


def refuse(puzzle: Puzzle, where: str) -> None:
    """`FormatError` for a puzzle with something beside its grid, of which there is none ``where``.

    >>> from linkoracle import SimpleLoop
    >>> refuse(SimpleLoop([[None, None]], given=[((0, 0), (0, 1))]), "a pzpr URL")
    Traceback (most recent call last):
        ...
    linkoracle.core.errors.FormatError: a pzpr URL has no place for given lines
    """
    for what in annotation_names(puzzle):
        raise FormatError(f"{where} has no place for {what}")


def require_no_annotations(puzzle: Puzzle, asked: str) -> None:
    """`PuzzleError` for a puzzle that has more beside its grid than what its rule needs.

    >>> from linkoracle import Slitherlink
    >>> require_no_annotations(Slitherlink([[3]], holes=[(0, 0)]), "masks")
    Traceback (most recent call last):
        ...
    linkoracle.core.errors.PuzzleError: masks are for boards without holes
    """
    for what in annotation_names(puzzle, optional=True):
        raise PuzzleError(f"{asked} are for boards without {what}")


def edges_shown(puzzle: Puzzle, look: Look) -> list[int]:
    """The edges that a puzzle shows in this way, whatever else it shows.

    >>> from linkoracle import SimpleLoop
    >>> edges_shown(SimpleLoop([[None, None]], given=[((0, 0), (0, 1))]), "given")
    [0]
    """
    edge = puzzle.board.edge
    return [edge(one.place, one.to) for one in puzzle.figures() if one.look == look and one.to]


def line_faults(lines: Lines, ends: Sequence[Cell] = (), what: str = "dot") -> Iterator[str]:
    """Why lines are no single loop, nor a single line between two ``ends`` if these are given."""
    for place in [*ends, *(place for place in lines if place not in ends)]:
        degree = lines.degree(place)
        if degree != (1 if place in ends else 2):
            shown = "{},{}".format(*place) if isinstance(place, tuple) else place
            yield f"{degree} lines meet at {what} {shown}"
    if not len(lines):
        yield "there is no line at all"
    elif (parts := len(lines.parts())) > 1:
        yield f"the lines fall into {parts} parts"
