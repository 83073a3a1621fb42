"""`CellLoop`: base of kinds of one loop through cells; `LoopRules`: the constraints on such a loop.

A kind states its rules twice: `CellLoop.constrain` adds constraints on lines and visited cells,
which engines solve, and `CellLoop.clue_faults` checks a drawn solution as a person does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any, ClassVar, Self

from linkoracle.board import (
    END,
    HOLE,
    PASS,
    PASS_OR_END,
    PASS_OR_SKIP,
    Board,
    Count,
    Lattice,
    LinkModel,
    Shape,
    Solution,
    Source,
)
from linkoracle.core import PuzzleError
from linkoracle.kinds.fixed import FixedPuzzle
from linkoracle.kinds.lines import DIRECTIONS, Lines, step
from linkoracle.kinds.puzzle import Cell, Figure, Look, format_place, place_of

#: The looks of circles.
_COLOURS: dict[str, Look] = {"w": "white", "b": "black", "?": "either"}

#: Variants in which the loop may visit every cell.
FILL = {"loop": "", "fill": "every cell used"}

#: The literal that is never true: a line, or a visited cell, that the board does not have. The
#: negated literal is always true. No model contains either: `LoopRules` simplifies them away.
FALSE = 1 << 60
TRUE = -FALSE


class LoopRules:
    """The constraints of a puzzle on a loop through the cells of a board.

    Literals are those of `linkoracle.board.constraints`: of a line (`line`), of a visited cell
    (`visited`), of an extra variable (`variable`); ``-literal`` is its negation. `FALSE` stands for
    a missing line or cell. With ``ends`` the solution is a path with these endpoints; with fewer
    than two of them, the path must visit every cell.

    >>> rules = LoopRules(Lattice(2, 3))
    >>> rules.clause(-rules.line((0, 0), "e"), rules.line((0, 1), "e"))
    >>> rules.line((0, 0), "n") == FALSE, rules.model().clauses
    (True, ((-1, 3),))
    """

    def __init__(
        self,
        board: Board,
        *,
        every_cell: bool = False,
        ends: Sequence[Cell] | None = None,
        kind: str | None = None,
    ) -> None:
        #: Methods with directions need rows and columns.
        self.board: Any = board
        self._kind = kind
        self._ends = ends
        self._degrees = bytearray([PASS if every_cell else PASS_OR_SKIP]) * board.num_vertices
        self._shapes: list[Shape] = []
        self._counts: list[Count] = []
        #: Clauses without `TRUE` and `FALSE`, which `clause` takes out.
        self.clauses: list[tuple[int, ...]] = []
        self._sources: list[Source] = []
        self._last = self._auxiliary = board.num_edges + board.num_vertices
        self._inside: dict[Cell, int] = {}
        #: By edge, the literal of travel from its first vertex to its second, once it is stated.
        self._travelled: list[int] = []

    def about(self, what: str | None = None, cell: Cell | str | None = None) -> None:
        """Say what states the constraints that follow, for explanations.

        That is a ``"clue"`` in its cell, or the ``"region"`` of a cell, or the ``"circles"`` of
        that region, or the number ``"beside"`` a row such as ``"r1"``; by default no single one.
        """
        stated = len(self._shapes), len(self._counts), len(self.clauses)
        self._sources.append(Source(*stated, what, cell))

    def has(self, cell: Cell) -> bool:
        """Return whether the board has this cell."""
        return bool(0 <= cell[0] < self.board.rows and 0 <= cell[1] < self.board.cols)

    def line(self, cell: Cell, direction: str) -> int:
        """Return the literal of the line that leaves a cell; `FALSE` where it leaves the board."""
        return _line(self.board.rows, self.board.cols, cell, direction)

    def line_between(self, one: Cell, other: Cell) -> int:
        """Return the literal of the line between two neighbours."""
        edge: int = self.board.edge(one, other)
        return edge + 1

    def lines(self, cell: Cell) -> list[int]:
        """Return the literals of all lines that may leave a cell."""
        return [one for d in DIRECTIONS if (one := self.line(cell, d)) != FALSE]

    def ray(self, cell: Cell, direction: str) -> list[int]:
        """Return the literals of the lines from a cell straight on to the border, nearest first."""
        first, size = self.line(cell, direction), ahead(self.board, cell, direction)
        if size < 2:
            return [first] if size else []
        # Lines in a row or in a column are numbered at equal distances.
        apart = self.line(step(cell, direction), direction) - first
        return [*range(first, first + size * apart, apart)]

    def visited(self, cell: Cell) -> int:
        """Return the literal of a visited cell; `FALSE` for one that the loop must avoid."""
        if not self.has(cell):
            return FALSE
        vertex = self.board.vertex(*cell)
        mask = self._degrees[vertex]
        if mask == PASS_OR_SKIP:
            visited: int = self.board.visited(vertex)
            return visited
        return TRUE if mask == PASS else FALSE

    def inside(self, cell: Cell) -> int:
        """Return the literal of a cell inside the loop, if the loop does not visit the cell.

        It is inside if a ray to the north, a little to the right of it, crosses an odd number of
        lines: those to the east of the cells above. Takes a variable for each of these.
        """
        row, col = cell
        found = FALSE
        for below in range(1, row + 1):
            if (at := (below, col)) not in self._inside:
                line = self.line((below - 1, col), "e")
                self._inside[at] = self.differ(found, line)
            found = self._inside[at]
        return found

    def turning(self, cell: Cell) -> int:
        """Return a variable that is true if the loop turns in a cell.

        It turns if exactly one of the lines east and west is drawn.
        """
        return self.differ(self.line(cell, "e"), self.line(cell, "w"))

    def onward(self, cell: Cell, direction: str) -> int:
        """Return the literal of travel along a line out of a cell; without the line, of anything.

        The line must be on the board. The loop is travelled in one direction, any of both.
        """
        if not self._travelled:
            stated = self._sources[-1] if self._sources else None
            self.about()
            self._travelled = [self.variable() for _ in range(self.board.num_edges)]
            for vertex in range(self.board.num_vertices):
                # Of two lines that meet, one leads into the cell, and one out of it.
                for one, other in combinations(self.board.edges_at(vertex), 2):
                    ways = [self._out_of(vertex, edge) for edge in (one, other)]
                    self.clause(-one - 1, -other - 1, *ways)
                    self.clause(-one - 1, -other - 1, *(-way for way in ways))
            if stated is not None:
                self.about(stated.what, stated.place)
        edge = self.line(cell, direction) - 1
        return self._out_of(self.board.vertex(*cell), edge)

    def _out_of(self, vertex: int, edge: int) -> int:
        way = self._travelled[edge]
        return way if self.board.ends(edge)[0] == vertex else -way

    def every(self, literals: Iterable[int]) -> int:
        """Return a literal that is true if all of these are."""
        some = [one for one in literals if one != TRUE]
        if FALSE in some or len(some) < 2:
            return FALSE if FALSE in some else (some or [TRUE])[0]
        found = self.variable()
        for one in some:
            self.clause(-found, one)
        self.clause(found, *(-one for one in some))
        return found

    def some(self, literals: Iterable[int]) -> int:
        """Return a literal that is true if one of these is."""
        return -self.every(-one for one in literals)

    def same(self, one: int, other: int) -> None:
        """Require that both literals are true, or neither."""
        self.clause(one, -other)
        self.clause(-one, other)

    def balance(self, one: Sequence[int], other: Sequence[int]) -> None:
        """Require as many consecutive lines from the start of one ray as of another."""
        for ray, opposite in ((one, other), (other, one)):
            for length in range(1, min(len(ray), len(opposite) + 1) + 1):
                self.clause(*(-line for line in ray[:length]), *opposite[length - 1 : length])

    def differ(self, one: int, other: int) -> int:
        """Return a literal that is true if exactly one of two literals is true."""
        if FALSE in (one, other):
            return min(one, other)
        found = self.variable()
        self.clause(-found, one, other)
        self.clause(-found, -one, -other)
        self.clause(found, -one, other)
        self.clause(found, one, -other)
        return found

    def variable(self) -> int:
        """Return a new variable. For each loop, clauses must determine it or leave it free."""
        self._last += 1
        return self._last

    def visit(self, cell: Cell) -> None:
        """Require that the loop visits a cell. Call this, and `avoid`, before other methods."""
        if self.visited(cell) == FALSE:
            # No loop visits a cell that it avoids.
            self.clauses.append(())
        else:
            self._degrees[self.board.vertex(*cell)] = PASS

    def avoid(self, cell: Cell) -> None:
        """Require that the loop leaves a cell out."""
        self._degrees[self.board.vertex_of(cell)] = HOLE

    def leave_open(self, *vertices: int) -> None:
        """Allow that the loop leaves vertices out, also where it visits every other one."""
        for vertex in vertices:
            self._degrees[vertex] = PASS_OR_SKIP

    def straight(self, cell: Cell) -> None:
        """Require that the loop, if it visits a cell, goes straight on."""
        self._shapes.append(_shape(self.board.rows, self.board.cols, cell, ("ns", "we")))

    def turn(self, cell: Cell) -> None:
        """Require that the loop, if it visits a cell, turns."""
        allowed = ("ne", "es", "sw", "nw")
        self._shapes.append(_shape(self.board.rows, self.board.cols, cell, allowed))

    def clause(self, *literals: int) -> None:
        """Require that one of these literals is true."""
        if TRUE not in literals:
            may_be = literals if FALSE not in literals else (x for x in literals if x != FALSE)
            self.clauses.append(tuple(may_be))

    def count(self, literals: Iterable[int], numbers: Iterable[int]) -> None:
        """Require that the number of true literals is one of ``numbers``.

        A count of extra variables takes clauses, and further variables.
        """
        known = list(literals)
        sure = known.count(TRUE)
        open_ = [one for one in known if abs(one) != FALSE]
        allowed = {number - sure for number in numbers if sure <= number <= sure + len(open_)}
        if not allowed:
            self.clauses.append(())
        elif any(abs(one) > self._auxiliary for one in open_):
            self._count_by_clauses(open_, allowed)
        elif len(allowed) <= len(open_):
            self._counts.append(Count.of(open_, allowed))

    def _count_by_clauses(self, literals: Sequence[int], allowed: Collection[int]) -> None:
        # Variable k of a row: k of the literals so far are true.
        row, most = [TRUE], max(allowed)
        for literal in literals:
            after = [self.variable() for _ in range(min(len(row), most) + 1)]
            for number, reached in enumerate(row):
                self.clause(-reached, literal, after[number])
                self.clause(-reached, -literal, *after[number + 1 : number + 2])
            row = after
        for number, reached in enumerate(row):
            if number not in allowed:
                self.clause(-reached)

    def model(self) -> LinkModel:
        """Return the model of one loop, or path, under these rules."""
        board = self.board
        ends = [board.vertex_of(cell) for cell in self._ends or ()]
        for vertex in ends:
            self._degrees[vertex] = END
        degrees = bytes(self._degrees)
        if self._ends is not None and len(ends) < 2:
            degrees = degrees.replace(bytes([PASS]), bytes([PASS_OR_END]))
        pairs = [(ends[0], ends[1])] if len(ends) == 2 else []
        # What somebody adds to the model is of no clue.
        self.about()
        model = LinkModel(
            board,
            degrees,
            board.free_masks,
            tuple(pairs),
            self._ends is None,
            sources=tuple(self._sources),
            kind=self._kind,
        )
        return model.with_constraints(
            shapes=self._shapes, counts=self._counts, clauses=self.clauses
        )


# Puzzles of which clues come and go ask for the same lines again and again.
@lru_cache(1 << 16)
def _line(rows: int, cols: int, cell: Cell, direction: str) -> int:
    """Return the literal of the line that leaves a cell; `FALSE` where it leaves the board."""
    row, col = other = step(cell, direction)
    if not (0 <= row < rows and 0 <= col < cols and 0 <= cell[0] < rows and 0 <= cell[1] < cols):
        return FALSE
    return Lattice(rows, cols).edge(cell, other) + 1


@lru_cache(1 << 14)
def _shape(rows: int, cols: int, cell: Cell, allowed: tuple[str, ...]) -> Shape:
    """Return the shape of a cell that the loop leaves out, or leaves in an allowed pair of ways."""
    pairs = [[_line(rows, cols, cell, d) for d in pair] for pair in allowed]
    sets = [[line - 1 for line in pair] for pair in pairs if FALSE not in pair]
    board = Lattice(rows, cols)
    return Shape.of(board, board.vertex(*cell), [[], *sets])


@dataclass(frozen=True, repr=False)
class CellLoop(FixedPuzzle):
    """Base of kinds whose solution is one loop through cells, or dots.

    A kind defines `constrain`, `clue_faults` and `clues_of`. It sets ``every_cell`` if the loop
    visits every cell, and ``avoids_clues`` if the loop leaves out the cells with clues. ``variant``
    is one of its ``variants``, the first by default. In a variant ``"fill"`` the loop visits every
    cell, too.
    """

    variant: str = field(default="", kw_only=True)

    variants: ClassVar[Mapping[str, str]] = {"loop": ""}
    through_cells = True
    counts_lines = False
    every_cell: ClassVar[bool] = False
    avoids_clues: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not self.variant:
            vars(self)["variant"] = next(iter(self.variants))
        self._check_variant(self.variant)
        super().__post_init__()

    def with_variant(self, variant: str) -> Self:
        """Return the same board as this variant; raise `PuzzleError` for an unknown variant."""
        return self if variant == self.variant else replace(self, variant=variant)

    @property
    def covers(self) -> bool:
        """Whether the loop visits every cell that it need not avoid."""
        return self.every_cell or self.variant == "fill"

    def constrain(self, rules: LoopRules) -> None:
        """Add the constraints of the kind. Those of `avoided` cells and fixed lines are there."""
        raise NotImplementedError

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each rule that lines break, which are known to be one loop."""
        raise NotImplementedError

    def clues_of(self, lines: Lines) -> Iterator[tuple[Cell, Any]]:
        """Yield all clues that a loop allows on this board, as cells and clues.

        A cell may come several times, with different clues: generators choose one of them.
        """
        raise NotImplementedError

    def every_clue(self) -> Iterator[tuple[Any, Any]]:
        """Yield all clues of the puzzle, as `clues_of` has them."""
        return self.clue_cells()

    @property
    def ends(self) -> tuple[Cell, ...] | None:
        """The known endpoints of a path; ``None`` for a loop."""
        return None

    @cached_property
    def avoided(self) -> frozenset[Cell]:
        """The cells through which no line runs."""
        return frozenset(cell for cell, _ in self.clue_cells() if self.avoids_clues)

    def _check_annotations(self) -> None:
        super()._check_annotations()
        self._check_avoids(self.avoided)

    @cached_property
    def model(self) -> LinkModel:
        """What the engines solve: the cells as vertices, and what `constrain` states."""
        rules = LoopRules(self.board, every_cell=self.covers, ends=self.ends, kind=self.kind)
        for cell in self.avoided:
            rules.avoid(cell)
        self.constrain(rules)
        return self.with_fixed(rules.model())

    @classmethod
    def from_solution(cls, solution: Solution, **annotations: Any) -> Self:
        """Return the board with all clues that ``solution`` allows, and with these annotations.

        Raises `PuzzleError` if ``solution`` does not solve this puzzle.
        """
        rows, cols = solution.board.shape
        # On squares, the solution is on a board of the cells, or of the dots.
        more = cls.through_cells and not cls.diagonal
        blank = cls.blank(rows + more, cols + more, **annotations)
        puzzle = blank.with_clues(blank.clues_of(Lines.of(solution)))
        for fault in puzzle.violations(solution):
            raise PuzzleError(f"{cls.title} allows no such loop: {fault}")
        return puzzle

    def has(self, cell: Cell) -> bool:
        """Return whether the board, of rows and columns, has this cell."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.cols

    def cells(self) -> list[Cell]:
        """Return all cells, or dots, that a loop may visit, in reading order."""
        return list(self.board.vertex_names)

    def faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each rule that lines break: those of one loop, and of clues."""
        yield from lines.fixed_faults(self.given, self.forbidden)
        broken = [*lines.faults(what="cell" if self.through_cells else "dot")]
        yield from broken
        for cell in self.cells():
            if cell in self.avoided:
                if cell in lines:
                    yield f"a line runs through the closed cell at {place_of(cell)}"
            elif self.covers and cell not in lines:
                where = f"at {place_of(cell)}" if self.through_cells else format_place(cell)
                yield f"the {'cell' if self.through_cells else 'dot'} {where} is not used"
        # The rules of a kind need not make sense of lines that are not one loop.
        if not broken:
            yield from self.clue_faults(lines)


def ahead(board: Lattice, cell: Cell, direction: str) -> int:
    """Return how many steps lead from a cell to the border.

    >>> [ahead(Lattice(3, 5), (0, 1), direction) for direction in "nesw"]
    [0, 3, 2, 1]
    """
    row, col = cell
    return {"n": row, "e": board.cols - 1 - col, "s": board.rows - 1 - row, "w": col}[direction]


def circle_figure(cell: Cell, clue: str) -> Figure:
    """Return the figure of a circle for a word: its colour, ``w``, ``b`` or ``?``, and its text.

    >>> circle_figure((0, 0), "b12")
    Figure(look='black', place=(0, 0), text='12', to=None)
    """
    return Figure(_COLOURS[clue[0]], cell, clue[1:])
