"""`GridPuzzle`: the base of kinds, on rows and columns or, if the rules allow it, any board."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from itertools import chain
from math import inf
from types import NoneType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, cast

from linkoracle import core
from linkoracle.board import Board, Lattice, Solution, touching
from linkoracle.core import (
    PuzzleError,
    alternatives,
    checked_int,
    counted,
)
from linkoracle.kinds.puzzle import (
    Clue,
    ClueChanges,
    Clues,
    Example,
    FaceMaker,
    Figure,
    Grid,
    Look,
    Puzzle,
    Rows,
    cell_named,
)

if TYPE_CHECKING:
    from linkoracle.kinds.lines import Lines

#: A cell without a clue in text.
EMPTY = (".", "-")
#: The most characters of a row of clues on a board that is not square.
_ROW_CHARACTERS = 72
#: What a kind with other members on boards that are not square lacks there.
_ON_FACES: dict[str, Any] = {"examples": {}, "pzpr": None, "formats": ()}

#: The types of cells of numbers, which nearly all cells have.
_NUMBERS = {int, NoneType}
#: In place of a board: the clues are rows.
_ROWS = cast("Board", None)

#: Puzzles of one size share a board, and everything computed for the board.
_lattice = lru_cache(maxsize=32)(Lattice)

#: Letters of directions on a board mirrored left to right, and on one turned clockwise.
_MIRRORED, _TURNED = (str.maketrans("nesw", moved) for moved in ("nwse", "eswn"))


@dataclass(frozen=True, repr=False)
class GridPuzzle(Puzzle):
    """Base of kinds; a kind adds its rules, its model and its check.

    ``clues`` are rows of clues (numbers or words) and ``None``. A row may be text as in files:
    ``"3.2"``, or ``"10 . 2"`` with spaces. The puzzle stores the clues of all cells in order, and
    `grid` shows their rows. With ``faces``, a board whose faces are the cells, ``clues`` has a clue
    for each face: see `on`. ``puzzle[row, column]`` is a clue, and ``str(puzzle)`` a text. Raises
    `PuzzleError` for ragged rows, and for a cell with an invalid clue.
    """

    clues: Any
    faces: Board = field(default=_ROWS, kw_only=True)

    #: The only entries of ``instructions`` and ``examples``, for a kind with one variant.
    instruction: ClassVar[str] = ""
    example: ClassVar[Example | None] = None
    #: The look of clues; all looks but ``"filled"`` show the text of the clue.
    look: ClassVar[Look] = "text"
    #: What messages expect in a cell.
    clue: ClassVar[str] = "a whole number"
    #: The least and the greatest number of a clue; ``None`` is any number.
    min_clue: ClassVar[int] = 0
    max_clue: ClassVar[int | None] = None
    #: A further clue, whose value is unknown, if the kind has one.
    unknown: ClassVar[Any] = None
    #: Whether the letters n, e, s and w in words are directions that turn with the board.
    arrows: ClassVar[bool] = False
    #: The members that differ on boards that are not square, such as the ``instructions``; ``None``
    #: for a kind that needs rows and columns.
    on_faces: ClassVar[Mapping[str, Any] | None] = None
    #: Makes puzzles on these boards for `linkoracle.generate.puzzle`; ``None`` if nothing does.
    face_maker: ClassVar[FaceMaker | None] = None

    if TYPE_CHECKING:

        def __init__(self, clues: Rows) -> None: ...

    def __init_subclass__(cls) -> None:
        for name in ("instruction", "example"):
            if name in vars(cls):
                setattr(cls, f"{name}s", dict.fromkeys(cls.variants, getattr(cls, name)))

    def __post_init__(self) -> None:
        if self.faces is _ROWS:
            self._take_rows(self.clues)
        else:
            self._take_board(self.faces)
            vars(self)["clues"] = self._checked_clues(self.clues)
        own, kind = vars(self), type(self)
        for name in self.annotations:
            # Most puzzles have the defaults, which need no check.
            if own[name] is not getattr(kind, name):
                self._check_annotations()
                break

    def _take_rows(self, rows: Iterable[Iterable[object]]) -> None:
        """Take the size and the clues of rows."""
        if isinstance(rows, str):
            raise PuzzleError(f"expected rows of cells, found {rows!r}")
        try:
            grid = tuple(
                [self._cells_of(row) if isinstance(row, str) else tuple(row) for row in rows]
            )
        except TypeError:
            raise PuzzleError(f"expected rows of cells, found {rows!r}") from None
        if not grid or not grid[0]:
            raise PuzzleError("a puzzle needs at least one cell")
        if len({*map(len, grid)}) > 1:
            place, row = next(one for one in enumerate(grid) if len(one[1]) != len(grid[0]))
            raise PuzzleError(
                f"expected {counted(len(grid[0]), 'cell')} in row {place + 1}, as in row 1, "
                f"found {len(row)}",
                (place, min(len(row), len(grid[0])) - 1 if row else 0),
            )
        own = vars(self)
        own["faces"] = _lattice(len(grid) + 1, len(grid[0]) + 1)
        found = tuple(chain.from_iterable(grid))
        own["clues"] = checked = self._checked_cells(found)
        if checked is found:
            own["grid"] = grid

    def _take_board(self, board: Board) -> None:
        """Take the members of the kind on this board."""
        if not isinstance(board, Board) or not board.num_faces:
            raise PuzzleError(f"expected a board with faces, found {board!r}")
        # A square board without rows: nothing differs.
        if self.tiling is None:
            return
        if not self.fits_boards():
            raise PuzzleError(f"{self.title} needs rows and columns")
        vars(self).update(_ON_FACES, **(self.on_faces or {}))
        for name in type(self).annotations.keys() - self.annotations.keys():
            if getattr(self, name):
                raise PuzzleError(f"expected no {name} on this board", listed=(name, 0))
            vars(self)[name] = getattr(type(self), name)

    def _check_annotations(self) -> None:
        """Raise `PuzzleError` for invalid annotations."""

    def _checked_clues(self, clues: Any) -> tuple[Clue | None, ...]:
        """Return the clues of all faces."""
        size = self.faces.num_faces
        if isinstance(clues, Mapping):
            return self._checked_cells(self._changed((None,) * size, clues))
        try:
            found = self.clues_in(clues, size) if isinstance(clues, str) else tuple(clues)
        except TypeError:
            raise PuzzleError(f"expected a clue for each face, found {clues!r}") from None
        if not found:
            found = (None,) * size
        if len(found) != size:
            reason = f"expected {counted(size, 'clue')}, one for each face, found {len(found)}"
            raise PuzzleError(reason, cell_named(self.faces.face_name(min(len(found), size) - 1)))
        return self._checked_cells(found)

    def _checked_cells(self, cells: tuple[object, ...]) -> tuple[Clue | None, ...]:
        """Return the clues; whole numbers of other types, such as NumPy's, become ``int``."""
        if self.words is None and _NUMBERS.issuperset(map(type, cells)):
            least, most = self.min_clue, self.max_clue
            if most is None:
                most = self._sure_clue  # type: ignore[assignment]
            clues: Any = {*cells} - {None, self.unknown}
            if not clues or (least <= min(clues) and max(clues) <= most):
                return cast("tuple[int | None, ...]", cells)
        return tuple(
            None if cell is None else self._checked(cell, face) for face, cell in enumerate(cells)
        )

    @property
    def _sure_clue(self) -> float:
        """The greatest clue that every cell may have, if ``max_clue`` does not say it."""
        return inf

    @classmethod
    def _cells_of(cls, row: str) -> tuple[object, ...]:
        """Return the cells of a row of text: characters, or words if it has spaces inside."""
        words = row.split()
        return tuple(map(cls.clue_of, words if len(words) > 1 else row.strip()))

    @classmethod
    def clues_in(cls, text: str, size: int) -> tuple[object, ...]:
        """Return the clues of a text: its words if there are ``size``, else its characters.

        >>> from linkoracle import Slitherlink
        >>> Slitherlink.clues_in("3..2 1", 5), Slitherlink.clues_in("10 . 2", 3)
        ((3, None, None, 2, 1), (10, None, 2))
        """
        words = text.split()
        return tuple(map(cls.clue_of, words if len(words) == size else "".join(words)))

    @classmethod
    def clue_of(cls, text: str) -> object:
        """Return the clue that a cell of text stands for; ``text`` itself if it is not a clue.

        >>> from linkoracle.kinds import Masyu, SimpleLoop
        >>> SimpleLoop.clue_of("*"), SimpleLoop.clue_of("."), Masyu.clue_of("w")
        (0, None, 'w')
        """
        if text in EMPTY:
            return None
        if cls.words is None:
            for clue, symbol in cls.symbols.items():
                if symbol == text:
                    return clue
            if re.fullmatch("[0-9]{1,18}", text):
                return int(text)
        return text

    def _checked(self, clue: object, face: int) -> Clue:
        """Return a valid clue of this kind; raise `PuzzleError` for anything else."""
        if self.words is None:
            number = self.number_of(clue, self._greatest(face))
            if number is not None:
                return number
        elif isinstance(clue, (str, int)) and re.fullmatch(self.words, word := str(clue)):
            # A single number of a list may be a number.
            return word
        cell = cell_named(self.faces.face_name(face))
        raise PuzzleError(f"expected {self._expected(face)}, found {clue!r}", cell)

    # In Slitherlink, both depend on the face.

    def _greatest(self, face: int) -> int | None:  # noqa: ARG002
        """Return the greatest clue of a cell."""
        return self.max_clue

    def _expected(self, face: int) -> str:  # noqa: ARG002
        """Return what messages expect in a cell."""
        return self.clue

    @classmethod
    def number_of(cls, clue: object, most: int | None) -> int | None:
        """Return a clue as an ``int`` up to ``most``, or the ``unknown`` clue; ``None`` if invalid.

        >>> from linkoracle import Slitherlink
        >>> [Slitherlink.number_of(clue, 4) for clue in (4, -1, 5, "4")]
        [4, -1, None, None]
        """
        try:
            number = clue if type(clue) is int else checked_int(clue, "a clue")
        except ValueError:
            return None
        fits = number == cls.unknown or (
            cls.min_clue <= number and (most is None or number <= most)
        )
        return number if fits else None

    @classmethod
    def _empty(cls, rows: int, cols: int) -> Grid:
        try:
            rows, cols = checked_int(rows, "rows", 1), checked_int(cols, "columns", 1)
        except ValueError as error:
            raise PuzzleError(str(error)) from None
        return ((None,) * cols,) * rows

    @classmethod
    def blank(cls, rows: int, cols: int, **annotations: Any) -> Self:
        """Return a board without clues, with these annotations."""
        return cls(cls._empty(rows, cols), **annotations)

    @classmethod
    def from_grid(cls, grid: Any, variant: str | None = None, **annotations: Any) -> Self:
        made = cls(grid, **annotations)
        return made if variant is None else made.with_variant(variant)

    @classmethod
    def fits_boards(cls) -> bool:
        """Return whether the kind has puzzles on boards that are not square: see `on`."""
        # Derived classes may have other rules.
        return vars(cls).get("on_faces") is not None

    @classmethod
    def on(cls, board: Board, clues: Clues = (), variant: str = "", **annotations: Any) -> Self:
        """Return a puzzle of this kind whose cells are the faces of any board.

        ``clues`` has a clue or ``None`` for each face, in their order, as a sequence or a text such
        as ``"3..2"``; or it maps faces to clues. ``variant`` is the first one by default.
        ``annotations`` are lines that are ``given`` or ``forbidden``, as pairs of vertex numbers:
        dots, or faces. A square board makes a puzzle of rows and columns. On other boards, members
        that need these, such as `grid`, raise `NotSupported`.

        Raises `PuzzleError` for a kind that needs rows and columns, for a board without faces, and
        for clues or lines that do not fit.

        >>> import networkx as nx
        >>> from linkoracle import Board, Slitherlink, count
        >>> board = Board.from_graph(nx.hexagonal_lattice_graph(2, 2))
        >>> puzzle = Slitherlink.on(board, "5..1")
        >>> puzzle, dict(puzzle.clue_cells()), count(puzzle)
        (Slitherlink.on(<Board: 16 vertices, 19 edges, 4 faces>, '5..1'), {0: 5, 3: 1}, 2)
        """
        if not cls.fits_boards():
            raise PuzzleError(f"{cls.title} needs rows and columns")
        if isinstance(board, Board) and cls.annotations.keys() & annotations:
            annotations = cls._named_lines(board, annotations)
        return cls.from_grid(clues, variant or None, faces=board, **annotations)

    @classmethod
    def _named_lines(cls, board: Board, annotations: dict[str, Any]) -> dict[str, Any]:
        """Return annotations in which vertices of lines have their names in place of numbers."""
        named, name_of = dict(annotations), (board.dual if cls.through_cells else board).vertex_name
        for name, listed in cls.annotations.items():
            # The constructor refuses what is not a list of lines.
            with suppress(TypeError):
                if listed.edges and name in annotations:
                    named[name] = [[*map(name_of, line)] for line in annotations[name]]
        return named

    def __repr__(self) -> str:
        # Show only the annotations that a puzzle has, as most puzzles have none.
        own = [one for one in fields(self) if one.name not in ("clues", "faces")]
        default = next(iter(self.variants))
        shown = [
            f"{one.name}={value!r}"
            for one in sorted(own, key=lambda one: bool(one.kw_only))
            if (value := getattr(self, one.name)) not in ((), None, False, default)
            or not one.kw_only
        ]
        name = type(self).__qualname__
        # Each is shown as it is made: from rows, or on a board.
        if self.tiling is None:
            return f"{name}({', '.join([repr(self.grid), *shown])})"
        more = [] if self.variant == default else [f"variant={self.variant!r}"]
        for listed in self.annotations:
            if found := getattr(self, listed):
                more.append(f"{listed}={found!r}")
        return f"{name}.on({', '.join([repr(self.tiling), repr(self.text), *more])})"

    @property
    def text(self) -> str:
        """The clues as one text: a character each, or words if one is longer; ``"."`` for none."""
        symbols: Mapping[Any, str] = {None: ".", **self.symbols}
        texts = [symbols.get(clue) or str(clue) for clue in self.clues]
        return ("" if all(len(one) == 1 for one in texts) else " ").join(texts)

    @property
    def text_rows(self) -> list[str]:
        """The text in rows of limited length; line breaks have no meaning."""
        return textwrap.wrap(self.text, _ROW_CHARACTERS)

    @property
    def tiling(self) -> Board | None:
        """The board whose faces are the cells; ``None`` for rows and columns."""
        # Rows and columns are a view of a lattice: the one place that tells.
        return None if isinstance(self.faces, Lattice) else self.faces

    def _dots(self) -> Lattice:
        """Return the dots of rows and columns; raise `NotSupported` on other boards."""
        board: Lattice = self.faces.squares("a puzzle of rows and columns")
        return board

    @cached_property
    def grid(self) -> Grid:
        """The rows of cells; raises `NotSupported` if there are no rows."""
        cols = self._dots().cols - 1
        return tuple(self.clues[at : at + cols] for at in range(0, len(self.clues), cols))

    @property
    def rows(self) -> int:
        return self._dots().rows - 1

    @property
    def cols(self) -> int:
        return self._dots().cols - 1

    @property
    def size(self) -> str:
        """The numbers of rows and columns in words, or the board.

        >>> from linkoracle import Slitherlink, boards
        >>> Slitherlink.blank(3, 4).size, Slitherlink.on(boards.honeycomb(2, 3)).size
        ('3 x 4 cells', 'honeycomb 2 3')
        """
        return self.faces.cells_in_words

    @property
    def variant(self) -> str:
        """The only variant."""
        return next(iter(self.variants))

    @cached_property
    def board(self) -> Board:
        """Where lines are drawn: the dots, or the cells as vertices."""
        if self.diagonal:
            return touching(self.faces)
        return self.faces.dual if self.through_cells else self.faces

    @property
    def lattice(self) -> Lattice:
        """The board of rows and columns; raises `NotSupported` for other boards."""
        dots = self._dots()
        return dots.dual if self.through_cells else dots

    @property
    def _vertices(self) -> str:
        """The vertices in words, as messages name them."""
        return self.board.vertices_in_words("cell" if self.through_cells else "dot")

    @property
    def number_of_clues(self) -> int:
        """The number of clues, in units of ``unit``."""
        return sum(clue is not None for clue in self.clues)

    #: A puzzle is no sequence, although it has an index.
    __iter__ = None

    def __getitem__(self, cell: Any) -> Any:
        """Return the clue of a cell ``(row, column)``, or of a face; ``None`` if it has none.

        Raises ``IndexError`` off the board.
        """
        try:
            return self.clues[self.faces.face_of(cell)]
        except ValueError as error:
            raise IndexError(str(error)) from None

    def clue_cells(self) -> Iterator[tuple[Any, Any]]:
        """Yield the clues as ``((row, column), clue)``, in reading order; on faces by number."""
        every = zip(self.faces.face_names, self.clues, strict=True)
        return ((cell, clue) for cell, clue in every if clue is not None)

    def with_clues(self, clues: ClueChanges | Any) -> Self:
        """Return the same board with these cells changed; ``None`` removes a clue.

        ``clues`` is a mapping of cells to clues, or pairs such as ``((0, 1), 3)``; faces are
        numbers. Raises `PuzzleError` if a cell is not on the board or a clue is invalid.
        """
        return self._with_cells(self._changed(self.clues, clues))

    def _changed(self, clues: Iterable[Clue | None], changes: Any) -> tuple[Any, ...]:
        changed = list(clues)
        pairs = changes.items() if isinstance(changes, Mapping) else changes
        try:
            pairs = [(cell, clue) for cell, clue in pairs]
        except (TypeError, ValueError):
            raise PuzzleError(f"expected pairs of a cell and a clue, found {changes!r}") from None
        try:
            for cell, clue in pairs:
                changed[self.faces.face_of(cell)] = clue
        except ValueError as error:
            raise PuzzleError(str(error)) from None
        return tuple(changed)

    def _with_cells(self, clues: tuple[Any, ...]) -> Self:
        return replace(self, clues=clues)

    def with_variant(self, variant: str) -> Self:
        self._check_variant(variant)
        if variant != self.variant:
            raise PuzzleError(
                f"expected the variant {variant!r}, found {self.kind} with the variant "
                f"{self.variant!r}"
            )
        return self

    def _check_variant(self, variant: str) -> None:
        """Raise `PuzzleError` for a variant that the kind does not have on this board."""
        if variant not in self.variants:
            expected = alternatives(self.variants)
            raise PuzzleError(f"expected the variant {expected}, found {variant!r}")

    def renumbered(self) -> Self:
        """Return the same puzzle; if numbers are only names, numbered from 1 in reading order."""
        return self

    def rotate(self, quarter_turns: int = 1) -> Self:
        """Turn clockwise by ``quarter_turns`` times 90 degrees."""
        turned = self
        for _ in range(quarter_turns % 4):
            turned = turned._mirrored(-1)
        return turned

    def reflect(self) -> Self:
        """Mirror left to right."""
        return self._mirrored(1)

    def _mirrored(self, step: Literal[1, -1]) -> Self:
        """Mirror left to right, for step -1 after a swap of axes: a quarter turn clockwise."""
        grid = mirrored_rows(self.grid, step)
        if self.arrows:
            moved = _MIRRORED if step == 1 else _TURNED
            grid = tuple(
                tuple(clue.translate(moved) if isinstance(clue, str) else clue for clue in row)
                for row in grid
            )
        cells = len(grid[0]) - 1
        annotations: dict[str, Any] = {}
        for name, found in self._present_annotations():
            listed = self.annotations[name]
            last = cells if self.through_cells or listed.of_lines else cells + 1
            annotations[name] = listed.mirrored(found, step, last)
        return replace(self, clues=grid, faces=_ROWS, **annotations)

    def moved(self, faces: Sequence[int], vertices: Sequence[int]) -> Self:
        """Return the puzzle with the clue of face *f* in face ``faces[f]``, on any other board.

        Lines at the vertex *v* of the tiling move to ``vertices[v]``.
        """
        clues = dict(zip(faces, self.clues, strict=True))
        at = faces if self.through_cells else vertices
        lines: dict[str, Any] = {
            name: self.annotations[name].moved(found, at.__getitem__)
            for name, found in self._present_annotations()
        }
        return replace(self, clues=tuple(clues[face] for face in range(len(clues))), **lines)

    def _present_annotations(self) -> Iterator[tuple[str, Sequence[Any]]]:
        """Yield the annotations that are not empty."""
        for name in self.annotations:
            if found := getattr(self, name):
                yield name, found

    def figures(self) -> Iterator[Figure]:
        """Yield what to draw besides lines: the clues and the annotations."""
        for cell, clue in self.clue_cells():
            yield from self.clue_figures(cell, clue)
        for name, found in self._present_annotations():
            yield from self.annotations[name].figures(found, self._label)

    def _label(self, place: Any) -> Any:
        """Return the label of a vertex, which may be anything."""
        return self.board.position(self.board.vertex_of(place))

    def clue_figures(self, cell: Any, clue: Any) -> Iterator[Figure]:
        """Yield what to draw for a clue: its `look`, with its symbol or itself as text."""
        text = "" if self.look == "filled" else self.symbols.get(clue) or str(clue)
        yield Figure(self.look, cell, text)

    def solution_figures(self, solution: Solution) -> Iterator[Figure]:  # noqa: ARG002 - kinds use it
        """Yield what a solution shows besides its lines: here, nothing."""
        return iter(())

    def violations(self, solution: Solution | Iterable[int]) -> list[str]:
        """Return a sentence for each rule that ``solution``, or edge ids, break. O(cells)."""
        from linkoracle.kinds.lines import Lines

        solution = Solution.of(self.board, solution)
        if solution.board != self.board:
            return [f"the solution is not drawn on {self._vertices}"]
        return list(self.faults(Lines.of(solution)))

    def faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each rule that lines between vertices break."""
        raise NotImplementedError

    # Puzzles must not import the drawing code, so `core` gets its functions.

    def __str__(self) -> str:
        """Return the puzzle as a text that `from_string`, and `linkoracle.read`, read again.

        Of a board that no text has, the board in words; `linkoracle.draw` draws it.
        """
        return core.text_of(self)

    @classmethod
    def from_string(cls, text: str) -> Self:
        """Return the puzzle of a text in any format, such as ``str(puzzle)`` or a link.

        Raises `FormatError` for a text that is no puzzle, and for one of another kind.
        """
        puzzle: Self = core.read_text(text, cls)
        return puzzle

    def _repr_svg_(self) -> str:
        # For notebooks.
        return core.draw_svg(self) or ""


def mirrored_rows(rows: Grid, step: Literal[1, -1]) -> Grid:
    """Return rows mirrored left to right, for step -1 after a swap of rows and columns.

    >>> mirrored_rows(((1, 2), (3, 4)), 1), mirrored_rows(((1, 2), (3, 4)), -1)
    (((2, 1), (4, 3)), ((3, 1), (4, 2)))
    """
    turned = rows if step == 1 else tuple(zip(*rows, strict=True))
    return tuple(row[::-1] for row in turned)
