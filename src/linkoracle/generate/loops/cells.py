"""`cell_loop`: the generator of kinds with one loop through cells, or one path.

It draws a loop, and regions that the loop visits as the kind requires. It starts with all clues of
the loop, and removes clues while the solution stays the only one. If even all clues allow another
loop, it changes the loop next to a line of the other one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from operator import and_
from random import Random
from typing import Any

from linkoracle.board import HOLE, Count, Lattice, Solution, Symmetry, board_lists, orbits
from linkoracle.core import COMPILED, Deadline, PuzzleError, below, pick, shuffled
from linkoracle.generate.loops import (
    SHADED,
    any_loop,
    connected,
    finer,
    loop_for,
    past_single_cells,
    plain_loop,
    regions_for,
    rows_of,
    single_cells,
    split,
)
from linkoracle.kinds import (
    Another,
    Cell,
    CellLoop,
    IsEasy,
    Lines,
    RegionPuzzle,
    ShadingLoop,
)
from linkoracle.solving import solve

#: How often a loop is changed before another one is drawn.
_CHANGES = 30
#: Number of first boards that are rejected if they need a guess even with all clues.
_EASY = 10
#: If the loop is drawn for its clues, one of this many cells has a clue at first.
_CLOSED = 6
#: Rounds over the faces in which a loop with a symmetry grows.
_GROWN = 3
#: Number of changes after which another loop is drawn.
_KEPT = 12
#: For each cell, moves of cells to another region before a loop is given up.
_MOVES = 400
#: Moves between a puzzle that is too hard and the next puzzle.
_FURTHER = 10


def cell_loop(
    kind: type[CellLoop],
    rows: int,
    cols: int,
    rng: Random,
    another: Another,
    *,
    minimal: bool = False,
    symmetry: Symmetry = "none",
    is_easy: Callable[[CellLoop], bool] | None = None,
) -> tuple[CellLoop, Solution] | None:
    """Make a puzzle of this kind and its only solution; ``None`` if this attempt failed.

    ``another`` searches for a second solution. The puzzle needs no guess if possible; with
    ``minimal`` no clue is redundant, even if the puzzle then needs a guess. The cells with clues
    have the ``symmetry``: clues that it maps to each other are removed together. A loop is changed
    if ``is_easy`` rejects its puzzle with all clues. Raises `PuzzleError` for a size without such a
    loop.
    """
    drawing = _Drawing(kind, rows, cols, rng, symmetry)
    loop, points = drawing.loop()
    parts = issubclass(kind, RegionPuzzle) and kind.visits is None
    #: Alternatives that fitted larger regions.
    met: list[Solution] = []
    for drawn in range(max(_CHANGES, rows * cols)):
        try:
            puzzle = drawing.puzzle_of(loop, points)
        except PuzzleError:
            # The kind allows no such loop, or none with these regions, or clues in such cells.
            (loop, points), met = drawing.loop(), []
            continue
        divided = puzzle if isinstance(puzzle, RegionPuzzle) else None
        other = None
        if parts and not met:
            # Even the smallest regions may leave another loop.
            other = another(kind.from_solution(loop, regions=single_cells(loop)), loop)
        hopeless = other is not None
        other = other or another(puzzle, loop)
        if other is None:
            simple = minimal or drawn >= _EASY or _needs_no_guess(puzzle)
            easy = simple and (is_easy is None or is_easy(puzzle.renumbered()))
            if not easy:
                if simple and divided is not None and (regions := finer(divided, loop, rng)):
                    points = {"regions": regions}
                else:
                    (loop, points), met = drawing.loop(), []
                continue
            every = orbits(Lattice(puzzle.rows + 1, puzzle.cols + 1), symmetry)
            return reduced(puzzle, loop, rng, another, every, minimal=minimal), loop
        if divided is not None and divided.visits == 2:
            redone = redivided(divided, loop, other, rng, another, is_easy)
            if redone is not None:
                return redone, loop
        if divided is not None and parts and not hopeless:
            met.append(other)
            points = {"regions": split(divided, loop, met, rng)}
            continue
        met = []
        if drawing.closes or (drawing.orbits and drawn % _KEPT == _KEPT - 1):
            loop, points = drawing.loop()
        else:
            loop = _changed(kind, loop, other, rng)
            points = regions_for(kind, loop, rng)
    return None


class _Drawing:
    """Draws loops, and makes puzzles of their clues in cells of a symmetry."""

    def __init__(
        self, kind: type[CellLoop], rows: int, cols: int, rng: Random, symmetry: Symmetry
    ) -> None:
        self._kind, self._rows, self._cols, self._rng = kind, rows, cols, rng
        self._symmetry = symmetry
        cells = Lattice(rows + 1, cols + 1)
        self.orbits = None if symmetry == "none" else orbits(cells, symmetry)
        #: Whether cells with clues are drawn before the loop. A loop that omits such a cell seldom
        #: omits all cells of its orbit.
        self.closes = kind.avoids_clues and self.orbits is not None
        self._closed: dict[Cell, Any] = {}
        self._drawn = 0

    def loop(self) -> tuple[Solution, dict[str, Any]]:
        """Draw another loop, and regions."""
        if self.closes:
            return self._past_closed_cells(), {}
        self._drawn += 1
        if self.orbits is None or self._drawn % 2:
            loop = loop_for(self._kind, self._rows, self._cols, self._rng)
        else:
            # In some kinds, a loop without the symmetry has too few symmetric clues.
            loop = self._symmetric_loop()
        return loop, regions_for(self._kind, loop, self._rng)

    def _symmetric_loop(self) -> Solution:
        """Draw a loop that has the symmetry: the outline of faces that grow from the middle."""
        # Compiled.
        from linkoracle.board import Colouring

        board = Lattice(self._rows, self._cols)
        colouring = Colouring(board)
        rows, cols = board.rows - 1, board.cols - 1
        every = orbits(board, self._symmetry)
        for row in {(rows - 1) // 2, rows // 2}:
            for col in {(cols - 1) // 2, cols // 2}:
                colouring.flip(row * cols + col)
        for _ in range(_GROWN):
            for orbit in shuffled(self._rng, every):
                flipped = []
                for face in orbit:
                    if not colouring.can_flip(face) or colouring.count(face) > 2:
                        break
                    colouring.flip(face)
                    flipped.append(face)
                if len(flipped) < len(orbit) or (
                    colouring.is_inside(orbit[0]) and below(self._rng, 3) == 0
                ):
                    for face in reversed(flipped):
                        colouring.flip(face)
        return colouring.outline()

    def puzzle_of(self, loop: Solution, points: dict[str, Any]) -> CellLoop:
        """Return the puzzle with all clues; raise `PuzzleError` if the kind allows no such loop."""
        if self.orbits is None:
            return self._kind.from_solution(loop, **points)
        blank = self._kind.blank(self._rows, self._cols, **points).with_clues(self._closed)
        puzzle = blank.with_clues(blank.clues_of(Lines.of(loop)))
        clued = {cell for cell, _ in puzzle.clue_cells()}
        for orbit in self.orbits:
            cells = [divmod(cell, self._cols) for cell in orbit]
            if not clued.issuperset(cells):
                puzzle = puzzle.with_clues(dict.fromkeys(cells))
        for fault in puzzle.violations(loop):
            raise PuzzleError(fault)
        return puzzle

    def _past_closed_cells(self) -> Solution:
        """Draw cells for clues, cells to shade, and a loop through all other cells, by SAT."""
        assert self.orbits is not None
        blank = self._kind.blank(self._rows, self._cols)
        size, board = self._rows * self._cols, blank.lattice
        for tried in range(1, size + 1):
            cells = [cell for orbit in shuffled(self._rng, self.orbits) for cell in orbit]
            closed = cells[: max(1, size // _CLOSED)]
            closed = [v for orbit in self.orbits if {*orbit} & {*closed} for v in orbit]
            self._closed = {}
            if self._kind.unknown is not None:
                places = (divmod(cell, self._cols) for cell in closed)
                self._closed = dict.fromkeys(places, self._kind.unknown)
            left_out: list[int] = []
            for cell in shuffled(self._rng, cells)[: size // (SHADED * tried)]:
                beside = {end for edge in board.edges_at(cell) for end in board.ends(edge)}
                if cell not in closed and beside.isdisjoint(left_out):
                    left_out.append(cell)
            model = blank.with_clues(self._closed).model.with_holes([*closed, *left_out])
            visited = [board.visited(v) for v, mask in enumerate(model.degrees) if mask != HOLE]
            most = Count.of(visited, range(2 * len(visited) // 3, len(visited) + 1))
            if found := solve(model.with_constraints(counts=[most])):
                return found
        raise PuzzleError(f"found no loop past clues on {self._rows}x{self._cols} cells")


def redivided(
    puzzle: RegionPuzzle,
    loop: Solution,
    other: Solution,
    rng: Random,
    another: Another,
    is_easy: IsEasy,
) -> RegionPuzzle | None:
    """Move cells between regions that a loop visits equally often, until the loop is unique.

    Continues while ``is_easy`` rejects the puzzle; returns the last one if no puzzle is easy.
    ``other`` is an alternative. A cell at the end of a run moves to the region where the loop
    continues, unless more of the known alternatives would fit. Returns ``None`` if that fails. A
    move takes O(known alternatives), as operations on bits.
    """
    board, times = loop.lattice, 2 * (puzzle.visits or 1)
    owners = {cell: puzzle.region_of(cell) or 0 for cell in puzzle.cells()}
    regions = {owners[cells[0]]: set(cells) for cells in puzzle.cells_by_region()}
    place = board.position
    beside = {
        place(vertex): [(edge, place(other)) for edge, other in steps]
        for vertex, steps in enumerate(board_lists(board).around)
    }
    #: By edge, the known alternatives that use it, as bits of a number.
    using = [0] * board.num_edges
    known = 0

    def note(found: Solution) -> None:
        nonlocal known
        for edge in found:
            using[edge] |= 1 << known
        known += 1

    def fitting(region: int) -> int:
        """Return the known alternatives that cross the border of a region as often as required."""
        exactly = [(1 << known) - 1] + [0] * times
        for cell in regions[region]:
            for edge, other in beside[cell]:
                if owners[other] != region and (more := using[edge]):
                    for number in range(times, 0, -1):
                        exactly[number] += (exactly[number - 1] & more) - (exactly[number] & more)
                    exactly[0] &= ~more
        return exactly[times]

    def move(cell: Cell, old: int, new: int) -> None:
        owners[cell] = new
        regions[old].remove(cell)
        regions[new].add(cell)

    note(other)
    fits = {region: fitting(region) for region in regions}
    lines, ends = Lines.of(loop), [board.ends(edge) for edge in loop]
    unique: RegionPuzzle | None = None
    # Number of known alternatives that fit, and of moves before the next puzzle is tested.
    left, waits = 1, 0
    for _ in range(_MOVES * board.num_vertices):
        here, ahead = shuffled(rng, [*map(place, pick(rng, ends))])
        (behind,) = lines[here] - {ahead}
        old, new = owners[here], owners[ahead]
        if old == new or owners[behind] != old:
            continue
        move(here, old, new)
        now = {**fits, old: fitting(old), new: fitting(new)}
        still = reduce(and_, now.values()).bit_count()
        if still > left or connected(behind, regions[old]) != regions[old]:
            move(here, new, old)
            continue
        fits, left, waits = now, still, waits - 1
        if not left and waits <= 0:
            puzzle = type(puzzle).from_solution(loop, regions=rows_of(board, owners))
            found = another(puzzle, loop)
            if found is None:
                if is_easy is None or is_easy(puzzle):
                    return puzzle
                unique, waits = puzzle, _FURTHER
                continue
            note(found)
            fits, left = {region: fitting(region) for region in regions}, 1
    return unique


def _needs_no_guess(puzzle: CellLoop) -> bool:
    """Return whether the rules decide all edges, alone or with probes of single edges."""
    # Compiled.
    from linkoracle.lines.rules_kernel import Rules

    rules = Rules(puzzle.model)
    return rules.preprocess(Deadline(None)) and 2 not in rules.fixed()


def reduced(
    puzzle: CellLoop,
    loop: Solution,
    rng: Random,
    another: Another,
    every: Sequence[Sequence[int]],
    *,
    minimal: bool,
    met: dict[Any, Solution] | None = None,
) -> CellLoop:
    """Remove clues in random order, each if the solution stays the only one.

    The clues of an orbit in ``every`` are removed together. If a clue is needed, its value may
    still be hidden. Given lines count as clues, too. If all clues lead to the solution without a
    guess, so do the remaining ones, unless ``minimal``. ``met`` maps each rejected change to an
    alternative, which is tried first when the same change is tried again.
    """
    simple = not minimal and _needs_no_guess(puzzle)
    met = {} if met is None else met

    def fits(fewer: CellLoop, change: Any = None) -> bool:
        # Without a clue, the loop may break a rule, as in kinds whose clues also close cells.
        if fewer.violations(loop):
            return False
        if simple:
            return _needs_no_guess(fewer)
        if (other := met.get(change)) is None or fewer.violations(other):
            other = another(fewer, loop)
        if other is not None:
            met[change] = other
        return other is None

    clues = dict(puzzle.clue_cells())
    cells_of = ([divmod(cell, puzzle.cols) for cell in orbit] for orbit in every)
    turns = shuffled(rng, [cells for cells in cells_of if cells[0] in clues])
    if puzzle.ends is not None:
        # Most numbers along a path are redundant, so half of them or more are removed at once.
        for kept in (len(turns) // 4, len(turns) // 2):
            gone = [cell for cells in turns[kept:] for cell in cells if cell not in puzzle.ends]
            if fits(fewer := puzzle.with_clues(dict.fromkeys(gone))):
                puzzle, turns = fewer, [cells for cells in turns if cells[0] not in gone]
                break
    for cells in turns:
        if fits(fewer := puzzle.with_clues(dict.fromkeys(cells)), cells[0]):
            puzzle = fewer
            continue
        for cell in cells if puzzle.unknown is not None else ():
            if clues[cell] != puzzle.unknown:
                fewer = puzzle.with_clues({cell: puzzle.unknown})
                puzzle = fewer if fits(fewer, (cell, puzzle.unknown)) else puzzle
    for line in shuffled(rng, puzzle.given):
        fewer = replace(puzzle, given=tuple(one for one in puzzle.given if one != line))
        if fits(fewer, line):
            puzzle = fewer
    return puzzle.renumbered()


def _changed(kind: type[CellLoop], loop: Solution, other: Solution, rng: Random) -> Solution:
    """Return the loop with a square next to a line of ``other`` flipped, if possible."""
    board = loop.lattice
    if issubclass(kind, ShadingLoop) and not kind.avoids_clues:
        return past_single_cells(rng, board, _others_shaded(loop, other, rng))
    if kind.every_cell:
        return loop_for(kind, board.rows, board.cols, rng)
    if not COMPILED:
        return plain_loop(rng, board)
    from linkoracle.generate.loops.colouring import coloured

    colouring = coloured(loop)
    near = sorted({face for edge in set(loop) ^ set(other) for face in board.faces_of(edge)})
    flipped = 0
    for face in shuffled(rng, near):
        if colouring.can_flip(face):
            colouring.flip(face)
            flipped += 1
            if flipped == 2:
                break
    return colouring.outline() if flipped else any_loop(rng, board)


def _others_shaded(loop: Solution, other: Solution, rng: Random) -> list[int]:
    """Return the cells that a loop omits, except near ``other``, and one of the loop's cells."""
    board = loop.lattice
    differing = {vertex for edge in set(loop) ^ set(other) for vertex in board.ends(edge)}
    visited = {vertex for edge in loop for vertex in board.ends(edge)}
    new = pick(rng, sorted(differing))
    near = {end for edge in board.edges_at(new) for end in board.ends(edge)}
    left = set(range(board.num_vertices)) - visited - differing - near
    return [*sorted(left), new]
