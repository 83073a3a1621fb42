"""Slitherlink: one closed loop through dots, or one path between two given dots.

Rules: join neighbouring dots by lines along the sides of cells. The lines form a single loop that
neither crosses itself nor branches, and every clue is the number of lines around its cell. In one
variant the loop passes through every dot. Some lines may be given or forbidden. On rows and
columns, some dots may be missing, and the lines may form an open path between two dots on the
border instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from linkoracle.board import PASS, PASS_OR_SKIP, LinkModel, Solution
from linkoracle.core import PuzzleError, counted
from linkoracle.kinds.fixed import FIXED, FixedPuzzle, listed_items
from linkoracle.kinds.puzzle import (
    AnnotationList,
    Cell,
    Ends,
    Example,
    Pzpr,
    Rows,
    format_place,
    place_of,
    vertex_of,
)

if TYPE_CHECKING:
    from linkoracle.kinds.lines import Lines

#: A clue with an unknown number, ``?``, which does not restrict the loop.
UNKNOWN = -1


@dataclass(frozen=True, repr=False)
class Slitherlink(FixedPuzzle):
    """A Slitherlink of ``rows`` x ``cols`` cells. Immutable, hashable, comparable.

    ``grid`` has rows of 0 to 4, of -1 (``?``) for a clue with an unknown number, or ``None``. With
    `on`, the cells are the faces of any board, and a clue is at most the number of their sides.
    ``ends``, if given, are the two dots on the border that an open path joins, in dot coordinates:
    ``0..rows`` by ``0..cols``. With ``fill`` the loop passes through every dot that is not missing.
    ``given`` and ``forbidden`` are lines that every solution has, or lacks, as pairs of neighbours.
    ``holes`` are missing dots, where no line passes. All lists are stored in reading order.

    Raises `PuzzleError` for ragged rows, a clue outside -1 to 4, ends that are equal or off the
    border, and ends with ``fill``. Also raises `PuzzleError` for lines or holes that are off the
    board, contradict each other or contradict the ends.

    >>> puzzle = Slitherlink([[3, None], [None, 2]])
    >>> puzzle.rows, puzzle.cols, puzzle.variant
    (2, 2, 'loop')
    >>> dict(puzzle.clue_cells())
    {(0, 0): 3, (1, 1): 2}
    >>> puzzle == Slitherlink(["3.", ".2"])
    True
    >>> print(puzzle)
    slitherlink
    3.
    .2
    >>> puzzle[0, 0], Slitherlink.from_string(str(puzzle)) == puzzle
    (3, True)
    >>> Slitherlink([[None, 3]], given=[((1, 0), (0, 0))]).given
    (((0, 0), (1, 0)),)
    """

    ends: Ends | None = None
    holes: tuple[Cell, ...] = field(default=(), kw_only=True)
    fill: bool = field(default=False, kw_only=True)

    kind = "slitherlink"
    title = "Slitherlink"
    variants: ClassVar = {"loop": "", "path": "open path", "fill": "every dot used"}
    instructions: ClassVar = {
        "loop": "Join neighbouring dots by lines, across or down, so that they form one closed "
        "loop that neither crosses itself nor branches. A number shows how many of the four sides "
        "of its cell belong to the loop.",
        "path": "Join neighbouring dots by lines, across or down, so that they form one line from "
        "one thick dot to the other that neither crosses itself nor branches. A number shows how "
        "many of the four sides of its cell belong to the line.",
        "fill": "Join neighbouring dots by lines, across or down, so that they form one closed "
        "loop through every dot that neither crosses itself nor branches. A number shows how many "
        "of the four sides of its cell belong to the loop.",
    }
    examples: ClassVar = {
        "loop": Example(
            ".132. 3.... .0... 3..2. ..3.3",
            (((0, 0), "RRRDLDRRUURDDDDDLUULLDRDLLLURULURULU"),),
        ),
        "path": Example(
            "22.3. ..0.. 2..3. 11... .2...",
            (((0, 1), "LDDDDDRRURRUULDLLUURURDRURDDDDDL"),),
            {"ends": ((0, 1), (5, 4))},
        ),
        "fill": Example(
            "..... 3...1 ..3.. ..... .....",
            (((0, 0), "RRRDRURDDDDDLLLLLUURDRRRUULDLUULDLUU"),),
        ),
    }
    annotations: ClassVar = {
        "ends": AnnotationList("ends", "end", length=2),
        **FIXED,
        "holes": AnnotationList(
            "holes", "gap", instruction="Where a dot is missing, no line runs."
        ),
    }
    clue = "a clue from 0 to 4 or '?'"
    max_clue: ClassVar[int | None] = 4
    symbols: ClassVar = {UNKNOWN: "?"}
    unknown = UNKNOWN
    formats = ("loopy", "slk")
    pzpr = Pzpr(
        "four_or_unknown",
        {("slither", ""): "loop", ("slither", "f"): "fill", ("slitherlink", ""): "loop"},
    )

    on_faces: ClassVar = {
        "variants": {"loop": "", "fill": "every dot used"},
        "instructions": {
            variant: "Join neighbouring dots by lines along the sides of the cells, so that they "
            f"form one closed loop{more} that neither crosses itself nor branches. A number shows "
            "how many sides of its cell belong to the loop."
            for variant, more in (("loop", ""), ("fill", " through every dot"))
        },
        "annotations": FIXED,
        "formats": ("loopy",),
        # The greatest depends on the face.
        "max_clue": None,
        "clue": "a clue up to the number of sides or '?'",
    }

    if TYPE_CHECKING:

        def __init__(
            self,
            clues: Rows,
            ends: Iterable[Iterable[int]] | None = None,
            *,
            given: Iterable[Any] = (),
            forbidden: Iterable[Any] = (),
            holes: Iterable[Any] = (),
            fill: bool = False,
        ) -> None: ...

    @property
    def _sure_clue(self) -> int:
        return min(self.faces.free_masks).bit_length() - 1

    def _greatest(self, face: int) -> int:
        return self.faces.free_masks[face].bit_length() - 1

    def _expected(self, face: int) -> str:
        return f"a clue from 0 to {self._greatest(face)} or '?'"

    def _check_annotations(self) -> None:
        super()._check_annotations()
        if self.ends is not None:
            object.__setattr__(self, "ends", self._checked_ends(self.ends))
            if self.fill:
                raise PuzzleError("expected a loop through every dot, found ends of a path")
        if "holes" in self.annotations:
            object.__setattr__(self, "holes", self._checked_holes(self.holes))

    def _checked_holes(self, found: Iterable[Any]) -> tuple[Cell, ...]:
        holes = set()
        for place, one in enumerate(listed_items(self.annotations["holes"], found)):
            try:
                row, col = vertex_of(one)
            except (TypeError, ValueError):
                row = col = -1
            reason = None
            if not (0 <= row <= self.rows and 0 <= col <= self.cols):
                reason = f"expected holes among the {self._vertices}, found {format_place(one)}"
            elif (row, col) in holes:
                reason = f"expected the hole {row},{col} once, found it twice"
            elif (row, col) in (self.ends or ()):
                reason = f"expected an end that is not a hole, found {row},{col}"
            if reason is not None:
                raise PuzzleError(reason, listed=("holes", place))
            holes.add((row, col))
        self._check_avoids(holes)
        return tuple(sorted(holes))

    def _checked_ends(self, ends: Iterable[Iterable[int]]) -> Ends:
        try:
            dots = [vertex_of(dot) for dot in ends]
        except (TypeError, ValueError):
            dots = []
        if len(dots) != 2:
            raise PuzzleError(f"expected two ends, each as row and column of a dot, found {ends!r}")
        if dots[0] == dots[1]:
            raise PuzzleError("expected two different ends")
        for row, col in dots:
            inside = 0 <= row <= self.rows and 0 <= col <= self.cols
            if not (inside and (row in (0, self.rows) or col in (0, self.cols))):
                reason = f"expected an end on the border of the {self._vertices}, found {row},{col}"
                raise PuzzleError(reason)
        (row, col), (row2, col2) = sorted(dots)
        return (row, col), (row2, col2)

    @classmethod
    def blank(cls, rows: int, cols: int, ends: Ends | None = None, **annotations: Any) -> Self:
        """Return a board without clues, with these annotations."""
        return cls(cls._empty(rows, cols), ends, **annotations)

    @classmethod
    def from_solution(cls, solution: Solution, ends: Ends | None = None) -> Self:
        """Return the board with the clue of ``solution`` in every cell."""
        return cls.from_grid(solution.counts(), faces=solution.board, ends=ends)

    @classmethod
    def from_grid(cls, grid: Any, variant: str | None = None, **annotations: Any) -> Self:
        """Return the puzzle of a file: its clues, its variant if named, and its annotations."""
        made = cls(grid, **annotations)
        if variant in made.variants and (variant == "path") != (made.ends is not None):
            raise PuzzleError(
                "expected 'slitherlink path' for a puzzle with ends"
                if made.ends
                else "expected two ends for the variant 'path', found none"
            )
        return made if variant is None else made.with_variant(variant)

    def with_variant(self, variant: str) -> Self:
        """Return the same board as a variant; raise `PuzzleError` unless only paths have ends."""
        if self.ends is not None or variant not in ("loop", "fill"):
            return super().with_variant(variant)
        return replace(self, fill=variant == "fill")

    @property
    def variant(self) -> str:
        """``"loop"``, ``"path"`` for the open-path variant, or ``"fill"``: through every dot."""
        if self.fill:
            return "fill"
        return "loop" if self.ends is None else "path"

    @cached_property
    def model(self) -> LinkModel:
        """The constraints for the engines: dots as vertices, cells as faces."""
        board, free = self.board, self.board.free_masks
        faces = [
            any_count if clue is None or clue == UNKNOWN else 1 << clue
            for clue, any_count in zip(self.clues, free, strict=True)
        ]
        if self.ends is None:
            degrees = bytes([PASS if self.fill else PASS_OR_SKIP]) * board.num_vertices
            model = LinkModel(board, degrees, faces, loop=True)
        else:
            first, last = map(board.vertex_of, self.ends)
            model = replace(LinkModel.blank_paths(board, [(first, last)]), faces=faces)
        if self.holes:
            model = model.with_holes(map(board.vertex_of, self.holes))
        return self.with_fixed(model) if self.given or self.forbidden else model

    def faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each clue, each annotation and each other rule that lines break."""
        for face, clue in enumerate(self.clues):
            if clue is None or clue == UNKNOWN:
                continue
            around = sum([lines.has_edge(*side) for side in self.board.face_sides[face]])
            if around != clue:
                where = place_of(self.faces.face_name(face))
                yield f"the clue {clue} at {where} has {counted(around, 'line')} around it"
        yield from lines.fixed_faults(self.given, self.forbidden)
        for hole in self.holes:
            if hole in lines:
                yield f"a line passes the hole {format_place(hole)}"
        for dot in self.board.vertex_names if self.fill else ():
            if dot not in lines and dot not in self.holes:
                yield f"no line passes the dot {format_place(dot)}"
        yield from lines.faults(self.ends or ())


def unknown_clues(puzzle: Any) -> dict[Any, int]:
    """Return the clues without a number of a Slitherlink on any board, by cell or face.

    >>> unknown_clues(Slitherlink(["3?", ".."]))
    {(0, 1): -1}
    """
    return {cell: clue for cell, clue in puzzle.clue_cells() if clue == UNKNOWN}
