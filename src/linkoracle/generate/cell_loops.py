"""`cell_loop`: how puzzles of kinds with one loop through cells are made.

A loop is drawn, and regions that it may visit as the kind demands; all clues that it allows are
written down; and clues are taken away while the solution stays the only one. Where even all clues
allow other loops, the loop is changed beside one of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, pairwise
from random import Random

from linkoracle.board.constraints import Count
from linkoracle.board.lattice import Lattice
from linkoracle.board.model import LinkModel
from linkoracle.board.solution import Solution
from linkoracle.core import COMPILED
from linkoracle.core.errors import PuzzleError
from linkoracle.core.limits import Deadline
from linkoracle.core.randomness import below, pick, shuffled
from linkoracle.generate.cell_regions import may_part, redivided, regions_for, split
from linkoracle.generate.plain_loops import plain_loop
from linkoracle.kinds.cell_loops import CellLoop, ShadingLoop
from linkoracle.kinds.puzzle import Another, Cell
from linkoracle.kinds.regions import RegionPuzzle
from linkoracle.solving import solve

#: Exchanges of two sides of a loop through all cells, for each cell.
_STIRRED = 2
#: How often a loop is changed before another one is drawn.
_CHANGES = 30
#: Of the first so many boards, one that takes a guess with all clues does not do.
_EASY = 10
#: Of so many cells one is shaded at most where all others are visited, and two thirds at least.
_SHADED = 5


def cell_loop(
    kind: type[CellLoop],
    rows: int,
    cols: int,
    rng: Random,
    another: Another,
    *,
    minimal: bool = False,
) -> tuple[CellLoop, Solution] | None:
    """Make a puzzle of this kind and its only solution; ``None`` if this attempt failed.

    ``another`` looks for a second solution. The puzzle takes no guess if possible; with ``minimal``
    no clue can be taken away, even if it takes one. Raises `PuzzleError` for a size that has no
    such loop.
    """
    loop = _loop(kind, rows, cols, rng)
    points = regions_for(kind, loop, rng)
    for drawn in range(max(_CHANGES, rows * cols)):
        try:
            puzzle = kind.from_solution(loop, **points)
        except PuzzleError:
            # The kind allows no such loop, or none with these regions.
            loop = _loop(kind, rows, cols, rng)
            points = regions_for(kind, loop, rng)
            continue
        other = another(puzzle, loop)
        if other is None and drawn < _EASY and not (minimal or _needs_no_guess(puzzle)):
            loop = _loop(kind, rows, cols, rng)
            points = regions_for(kind, loop, rng)
            continue
        if other is None:
            return _reduced(puzzle, loop, rng, another, minimal=minimal), loop
        divided = puzzle if isinstance(puzzle, RegionPuzzle) else None
        if divided is not None and divided.visits == 2:
            redone = redivided(divided, loop, other, rng, another)
            if redone is not None:
                return redone, loop
        if divided is not None and may_part(divided, loop, other):
            points = {"regions": split(divided, loop, other, rng)}
        else:
            loop = _changed(kind, loop, other, rng)
            points = regions_for(kind, loop, rng)
    return None


def _needs_no_guess(puzzle: CellLoop) -> bool:
    """Whether the rules decide all edges by themselves, or with probes of single edges."""
    # Compiled.
    from linkoracle.lines.rules_kernel import Rules

    rules = Rules(puzzle.model)
    return rules.preprocess(Deadline(None)) and 2 not in rules.fixed()


def _reduced(
    puzzle: CellLoop, loop: Solution, rng: Random, another: Another, *, minimal: bool
) -> CellLoop:
    """Take away clues in random order, each for good if the solution stays the only one.

    Where a clue must stay, it may do to know that there is one. Given lines are clues, too. If all
    clues lead to the solution without a guess, so do those that are left, unless ``minimal``.
    """
    simple = not minimal and _needs_no_guess(puzzle)

    def fits(fewer: CellLoop) -> bool:
        if fewer.violations(loop):
            return False
        return _needs_no_guess(fewer) if simple else another(fewer, loop) is None

    for cell, clue in shuffled(rng, list(puzzle.clue_cells())):
        for less in dict.fromkeys((None, puzzle.unknown)):
            if less != clue and fits(fewer := puzzle.with_clues({cell: less})):
                puzzle = fewer
                break
    for line in shuffled(rng, puzzle.given):
        if fits(fewer := replace(puzzle, given=tuple(one for one in puzzle.given if one != line))):
            puzzle = fewer
    return puzzle


def _loop(kind: type[CellLoop], rows: int, cols: int, rng: Random) -> Solution:
    dots = 0 if kind.through_cells else 1
    board = Lattice(rows + dots, cols + dots)
    if board.num_faces < 1:
        raise PuzzleError(f"expected a board of at least 2x2 cells, found {rows}x{cols}")
    if kind.every_cell:
        return through_all(rng, board)
    if issubclass(kind, ShadingLoop) and not kind.avoids_clues:
        return past_single_cells(rng, board)
    return _any_loop(rng, board)


def _any_loop(rng: Random, board: Lattice) -> Solution:
    if not COMPILED:
        return plain_loop(rng, board)
    from linkoracle.generate import shapes

    return shapes.mix(rng, board)


def past_single_cells(rng: Random, board: Lattice, some: Sequence[int] = ()) -> Solution:
    """Return a random loop that leaves out single cells only, one in `_SHADED` of them or fewer.

    These are some of ``some``, or some that are drawn, and others that SAT finds with the loop.
    """
    size = board.num_vertices
    visited = [board.visited(vertex) for vertex in range(size)]
    ends = map(board.ends, range(board.num_edges))
    most = max(size // _SHADED, size % 2)
    model = LinkModel.blank_loop(board).with_constraints(
        counts=[Count.of([-one for one in visited], range(most - most // 3, most + 1))],
        clauses=[(visited[one], visited[other]) for one, other in ends],
    )
    for tried in count(1):
        holes = some or shuffled(rng, range(size))[: 1 + size // (4 * _SHADED)]
        if found := solve(model.with_holes(shuffled(rng, holes)[: len(holes) // tried])):
            return found
    raise AssertionError


def through_all(rng: Random, board: Lattice) -> Solution:
    """Return a random loop through all vertices; `PuzzleError` if there is none.

    Begins as a comb. A step exchanges the two sides of a square that are on the loop for the two
    others, which leaves two loops, and does the same at a square that lies between these, which
    joins them. O(cells) steps of O(cells).

    >>> len(through_all(Random(1), Lattice(6, 5)))
    30
    """
    rows, cols, size = board.rows, board.cols, board.num_vertices
    if size % 2 or min(rows, cols) < 2:
        raise PuzzleError(f"no loop visits each of {rows}x{cols} places: choose an even number")
    chosen = set(_comb(board))
    for _ in range(_STIRRED * size):
        first = below(rng, board.num_faces)
        if not _exchange(board, chosen, first):
            continue
        part = Solution(board, tuple(chosen)).paths()[0]
        one = set(part)
        between = [
            face
            for face in range(board.num_faces)
            if face != first and _is_between(board, chosen, face, one)
        ]
        # To go back is a step, too.
        _exchange(board, chosen, pick(rng, [*between, first]))
    return Solution(board, tuple(chosen))


def _comb(board: Lattice) -> Iterator[int]:
    """The edges of a loop through all vertices: along a side, and to and fro beside it."""
    flip = board.rows % 2 == 1
    height, width = (board.cols, board.rows) if flip else (board.rows, board.cols)
    walk = [(row, 0) for row in reversed(range(height))]
    for row in range(height):
        inner = range(1, width)
        walk += [(row, col) for col in (inner if row % 2 == 0 else reversed(inner))]
    for one, other in pairwise([*walk, walk[0]]):
        yield board.edge(one[::-1], other[::-1]) if flip else board.edge(one, other)


def _exchange(board: Lattice, chosen: set[int], face: int) -> bool:
    """Exchange two opposite sides of a square on the loop for the others, if it has just two."""
    sides = set(board.edges_of(face))
    on = sides & chosen
    if len(on) != 2:
        return False
    one, other = (set(board.ends(edge)) for edge in on)
    if one & other:
        return False
    chosen ^= sides
    return True


def _is_between(board: Lattice, chosen: set[int], face: int, part: set[Cell]) -> bool:
    """Whether two opposite sides of a square are on the loop, one in this part and one not."""
    on = [edge for edge in board.edges_of(face) if edge in chosen]
    if len(on) != 2:
        return False
    inside = {board.position(board.ends(edge)[0]) in part for edge in on}
    return len(inside) == 2


def _changed(kind: type[CellLoop], loop: Solution, other: Solution, rng: Random) -> Solution:
    """Return the loop with a square beside one of the lines of ``other`` flipped, if one can be."""
    board = loop.lattice
    if issubclass(kind, ShadingLoop) and not kind.avoids_clues:
        return past_single_cells(rng, board, _others_shaded(loop, other, rng))
    if kind.every_cell:
        return through_all(rng, board)
    if not COMPILED:
        return plain_loop(rng, board)
    from linkoracle.generate.colouring import coloured

    colouring = coloured(loop)
    near = sorted({face for edge in set(loop) ^ set(other) for face in board.faces_of(edge)})
    flipped = 0
    for face in shuffled(rng, near):
        if colouring.can_flip(face):
            colouring.flip(face)
            flipped += 1
            if flipped == 2:
                break
    return colouring.outline() if flipped else _any_loop(rng, board)


def _others_shaded(loop: Solution, other: Solution, rng: Random) -> list[int]:
    """Return cells that a loop leaves out, but for those near ``other``; and one of its cells."""
    board = loop.lattice
    differing = {vertex for edge in set(loop) ^ set(other) for vertex in board.ends(edge)}
    visited = {vertex for edge in loop for vertex in board.ends(edge)}
    new = pick(rng, sorted(differing))
    near = {end for edge in board.edges_at(new) for end in board.ends(edge)}
    left = set(range(board.num_vertices)) - visited - differing - near
    return [*sorted(left), new]
