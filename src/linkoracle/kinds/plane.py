"""`PlanePuzzle`: the base of kinds whose cells may be the faces of any plane board.

A kind that needs no rows and columns has a second class, derived from this one, for
`linkoracle.kinds.GridPuzzle.on`. Clues belong to faces, which have numbers. Members that need rows
and columns, such as the grid, raise `NotSupported`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self

from linkoracle.board.adjacency import dual
from linkoracle.board.board import Board
from linkoracle.board.solution import Solution
from linkoracle.core.errors import NotSupported, PuzzleError, alternatives, counted
from linkoracle.core.limits import checked_int
from linkoracle.kinds.fixed import FixedLines
from linkoracle.kinds.grid import EMPTY, GridPuzzle
from linkoracle.kinds.lines import Lines
from linkoracle.kinds.puzzle import Clue, Clues, FaceMaker, Figure

#: The members that a kind has on all boards.
_SHARED = (
    *("kind", "title", "variants", "through_cells", "unit", "symbols", "words", "letters"),
    *("general_rule", "look"),
)

#: The most characters of a row of clues.
_ROW_CHARACTERS = 72


@dataclass(frozen=True, repr=False)
class PlanePuzzle(FixedLines):
    """A puzzle on the faces of a board. Immutable, hashable, comparable.

    ``tiling`` is the board whose faces are the cells, and ``clues`` has a clue or ``None`` for each
    face, in their order. Lines are drawn on ``board``: the tiling or, for lines that run through
    cells, its `linkoracle.board.adjacency.dual`. ``variant`` is the first one by default.
    ``given`` and ``forbidden`` are lines that every solution has, or lacks, as pairs of vertex
    numbers of ``board``: dots, or faces.

    Raises `PuzzleError` for a board without faces, for an invalid clue, and unless there is a clue
    or ``None`` for each face. Also raises `PuzzleError` for lines off the board, and for a line
    that is both given and forbidden.
    """

    tiling: Board
    clues: tuple[Clue | None, ...] = ()
    variant: str = ""

    #: The class of this kind on rows and columns.
    grid_kind: ClassVar[type[GridPuzzle]]
    #: Makes puzzles of this kind for `linkoracle.generate.puzzle`; ``None`` if nothing does.
    face_maker: ClassVar[FaceMaker | None] = None

    if TYPE_CHECKING:

        def __init__(
            self,
            tiling: Board,
            clues: Clues = (),
            variant: str = "",
            *,
            given: Iterable[Any] = (),
            forbidden: Iterable[Any] = (),
        ) -> None: ...

    def __init_subclass__(cls) -> None:
        for name in _SHARED:
            if name not in vars(cls):
                setattr(cls, name, getattr(cls.grid_kind, name))

    def __post_init__(self) -> None:
        if not isinstance(self.tiling, Board) or not self.tiling.num_faces:
            raise PuzzleError(f"expected a board with faces, found {self.tiling!r}")
        object.__setattr__(self, "clues", self._checked_clues(self.clues))
        object.__setattr__(self, "variant", self.variant or next(iter(self.variants)))
        if self.variant not in self.variants:
            known = alternatives(self.variants)
            raise PuzzleError(f"expected the variant {known} on this board, found {self.variant!r}")
        # A default needs no check.
        if any(getattr(self, name) is not getattr(type(self), name) for name in self.annotations):
            self._check_annotations()

    def _vertex(self, place: Any) -> int:
        return checked_int(place, "a vertex", 0, self.board.num_vertices - 1)

    def _edge(self, one: int, other: int) -> int:
        # The vertices of a board may have any labels.
        return self.board.edge(self.board.position(one), self.board.position(other))

    @property
    def _vertices(self) -> str:
        return counted(self.board.num_vertices, "cell" if self.through_cells else "dot")

    def _checked_clues(self, clues: Any) -> tuple[Clue | None, ...]:
        size = self.tiling.num_faces
        if isinstance(clues, Mapping):
            return self._checked_clues(self._changed((None,) * size, clues))
        try:
            found = self.clues_in(clues, size) if isinstance(clues, str) else tuple(clues)
        except TypeError:
            raise PuzzleError(f"expected a clue for each face, found {clues!r}") from None
        if not found:
            found = (None,) * size
        if len(found) != size:
            reason = f"expected {counted(size, 'clue')}, one for each face, found {len(found)}"
            raise PuzzleError(reason, (min(len(found), size) - 1,))
        return tuple(
            None if clue is None else self._checked(clue, face) for face, clue in enumerate(found)
        )

    @classmethod
    def clues_in(cls, text: str, size: int) -> tuple[object, ...]:
        """Return the clues of a text: its words if there are ``size``, else its characters.

        >>> from linkoracle.kinds.plane_kinds import PlaneSlitherlink
        >>> PlaneSlitherlink.clues_in("3..2 1", 5), PlaneSlitherlink.clues_in("10 . 2", 3)
        ((3, None, None, 2, 1), (10, None, 2))
        """
        words = text.split()
        if len(words) != size:
            words = list("".join(words))
        return tuple(map(cls.clue_of, words))

    def _checked(self, clue: object, face: int) -> Clue:
        """Return a valid clue of this kind; raise `PuzzleError` for anything else."""
        least, most = self.grid_kind.min_clue, self._max_clue(face)
        if type(clue) is int and least <= clue and (most is None or clue <= most):
            return clue
        number = self.grid_kind.number_of(clue, most)
        if number is None:
            raise PuzzleError(f"expected {self._expected_clue(face)}, found {clue!r}", (face,))
        return number

    # In Slitherlink, both depend on the face.

    def _max_clue(self, face: int) -> int | None:  # noqa: ARG002
        """Return the greatest clue of a face."""
        return self.grid_kind.max_clue

    def _expected_clue(self, face: int) -> str:  # noqa: ARG002
        """Return what messages expect in a face."""
        return self.grid_kind.clue

    def __repr__(self) -> str:
        more = "" if self.variant == next(iter(self.variants)) else f", variant={self.variant!r}"
        for name in self.annotations:
            if found := getattr(self, name):
                more += f", {name}={found!r}"
        return f"{self.grid_kind.__name__}.on({self.tiling!r}, {self.text!r}{more})"

    @property
    def size(self) -> str:
        """The board in words, or its number of cells."""
        return self.tiling.words or counted(self.tiling.num_faces, "cell")

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

    @classmethod
    def clue_of(cls, text: str) -> object:
        return None if text in EMPTY else cls.grid_kind.clue_of(text)

    def with_variant(self, variant: str) -> Self:
        """Return the same board as this variant; raise `PuzzleError` for an invalid variant."""
        return replace(self, variant=variant)

    @cached_property
    def board(self) -> Board:
        """The board on which lines are drawn."""
        return dual(self.tiling) if self.through_cells else self.tiling

    @classmethod
    def from_solution(cls, solution: Solution) -> Self:  # noqa: ARG003 - one kind uses it
        """Return the puzzle with all clues of a solution, if lines run along sides of cells."""
        raise NotSupported("lines through cells do not determine the board of the cells")

    def violations(self, solution: Solution | Iterable[int]) -> list[str]:
        """Return a sentence for each rule that ``solution``, or edge ids, break. O(cells)."""
        solution = Solution.of(self.board, solution)
        if solution.board != self.board:
            return ["the solution is not drawn on this board"]
        # Use vertex numbers, as labels may be anything.
        ends: Any = self.board.ends
        return list(self.faults(Lines(map(ends, solution))))

    def clue_cells(self) -> Iterator[tuple[Any, Any]]:
        """Yield the clues as ``(face, clue)``, in the order of the faces."""
        return ((face, clue) for face, clue in enumerate(self.clues) if clue is not None)

    def with_clues(self, clues: Any) -> Self:
        """Return the same board with these faces changed; ``None`` removes a clue.

        ``clues`` is a mapping of faces to clues, or pairs such as ``(0, 3)``. Raises `PuzzleError`
        if a face is not on the board or a clue is invalid.
        """
        return replace(self, clues=self._changed(self.clues, clues))

    def _changed(self, clues: Iterable[Clue | None], changes: Any) -> tuple[Clue | None, ...]:
        changed = list(clues)
        pairs = changes.items() if isinstance(changes, Mapping) else changes
        try:
            for face, clue in pairs:
                changed[self.tiling.face_of(face)] = clue
        except TypeError:
            raise PuzzleError(f"expected pairs of a face and a clue, found {changes!r}") from None
        except ValueError as error:
            raise PuzzleError(str(error)) from None
        return tuple(changed)

    def moved(self, faces: Sequence[int], vertices: Sequence[int]) -> Self:
        """Return the puzzle with the clue of face *f* in face ``faces[f]``.

        Lines at the vertex *v* of the tiling move to ``vertices[v]``.
        """
        clues = dict(zip(faces, self.clues, strict=True))
        at = faces if self.through_cells else vertices
        lines: dict[str, Any] = {
            name: [[at[end] for end in line] for line in getattr(self, name)]
            for name in self.annotations
        }
        return replace(self, clues=tuple(clues[face] for face in range(len(clues))), **lines)

    def annotation_figures(self) -> Iterator[Figure]:
        """Yield what to draw for given and forbidden lines."""
        position = self.board.position
        for name, listed in self.annotations.items():
            lines = getattr(self, name)
            yield from listed.figures((position(one), position(other)) for one, other in lines)

    def _needs_rows(self, *_: Any) -> NoReturn:
        """Raise `NotSupported` for an operation on rows and columns."""
        board = self.tiling.words or f"a board of {counted(self.tiling.num_faces, 'face')}"
        raise NotSupported(f"expected a puzzle of rows and columns, found one on {board}")

    grid = rows = cols = lattice = property(_needs_rows)
    rotate = reflect = _needs_rows  # type: ignore[assignment]

    @classmethod
    def from_grid(cls, grid: Any, variant: str | None = None, **annotations: Any) -> Any:
        return cls.grid_kind.from_grid(grid, variant, **annotations)
