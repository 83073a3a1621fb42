"""`disagreement`: whether the model of a kind agrees with its rules on small boards.

A kind states its rules twice: its model, which engines solve, and ``faults``, which checks a drawn
solution. A model that omits a rule gives wrong counts without an error. So both are compared on
every loop, path or set of lines of small boards, under many random clues.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise, product
from random import Random
from typing import Any

from linkoracle.board import Board, Lattice, Solution, neighbours, touching, violations
from linkoracle.core import PuzzleError, below, pick, seed_or_fresh, shuffled, source
from linkoracle.kinds.cell_paths import CellPath
from linkoracle.kinds.lines import DIRECTIONS, step
from linkoracle.kinds.puzzle import Cell, Clue, Puzzle

#: Sizes of boards in vertices, the number of puzzles on each, and whether all sets of lines are
#: compared, or only loops or paths.
_BOARDS = (((2, 3), 12, True), ((3, 3), 2, True), ((3, 4), 16, False), ((4, 4), 8, False))

#: The most cells with diagonal steps.
_MOST_TOUCHING = 9

#: How many random solutions are tried before a puzzle is made without one.
_MOST_ATTEMPTS = 20

#: How many loops are cut in search of regions that one of them enters twice.
_MOST_CUTS = 100


def _board(rows: int, cols: int, diagonal: bool) -> Board:
    """Return the board of cells, perhaps with diagonal steps."""
    return touching(Lattice(rows + 1, cols + 1)) if diagonal else Lattice(rows, cols)


@lru_cache(maxsize=8)
def line_systems(rows: int, cols: int, *, diagonal: bool = False) -> tuple[Solution, ...]:
    """Return all sets of edges with at most two at each vertex.

    >>> len(line_systems(2, 2))
    16
    """
    return _line_systems(_board(rows, cols, diagonal))


def _line_systems(board: Board) -> tuple[Solution, ...]:
    found: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((), (0,) * board.num_vertices)]
    for edge in range(board.num_edges):
        one, other = board.ends(edge)
        for edges, degrees in list(found):
            if degrees[one] < 2 and degrees[other] < 2:
                more = list(degrees)
                more[one] += 1
                more[other] += 1
                found.append(((*edges, edge), tuple(more)))
    return tuple(Solution(board, edges) for edges, _ in found)


@lru_cache(maxsize=8)
def loops(rows: int, cols: int) -> tuple[Solution, ...]:
    """Return all loops of a board.

    >>> len(loops(3, 3)), len(loops(4, 4))
    (13, 213)
    """
    return loops_on(Lattice(rows, cols))


@lru_cache(maxsize=8)
def loops_on(board: Board) -> tuple[Solution, ...]:
    """Return all loops of any board."""
    beside = neighbours(board)

    def onward(walk: list[int]) -> Iterator[list[int]]:
        for vertex in beside[walk[-1]]:
            # Count each loop once: from its first vertex, towards the smaller neighbour.
            if vertex == walk[0] and len(walk) > 2 and walk[1] < walk[-1]:
                yield [*walk, vertex]
            if vertex > walk[0] and vertex not in walk:
                yield from onward([*walk, vertex])

    walks = (walk for start in range(board.num_vertices) for walk in onward([start]))
    return tuple(Solution.from_paths(board, [map(board.position, walk)]) for walk in walks)


@lru_cache(maxsize=8)
def long_paths(rows: int, cols: int, *, diagonal: bool = False) -> tuple[Solution, ...]:
    """Return all paths of a board that leave out at most one vertex.

    >>> len(long_paths(2, 3)), len(long_paths(4, 4))
    (18, 892)
    """
    board = _board(rows, cols, diagonal)
    found = []
    waiting = [[start] for start in range(board.num_vertices)]
    while waiting:
        walk = waiting.pop()
        # Each path is found from both ends.
        if len(walk) >= board.num_vertices - 1 and walk[0] < walk[-1]:
            found.append(Solution.from_paths(board, [map(board.position, walk)]))
        for edge in board.edges_at(walk[-1]):
            onward = sum(board.ends(edge)) - walk[-1]
            if onward not in walk:
                waiting.append([*walk, onward])
    return tuple(found)


def _lines_of(kind: type[Puzzle], rows: int, cols: int) -> tuple[Solution, ...]:
    """Return the solutions that puzzles of a kind may have on ``rows`` x ``cols`` vertices."""
    if kind.letters:
        return line_systems(rows, cols)
    if issubclass(kind, CellPath):
        return long_paths(rows, cols, diagonal=kind.diagonal)
    return loops(rows, cols)


def random_puzzles(
    kind: type[Puzzle], rows: int, cols: int, number: int, rng: Random
) -> Iterator[Puzzle]:
    """Yield puzzles with clues of a loop, some of which are replaced by those of another loop.

    One puzzle in four has a clue in a random cell that perhaps fits no loop. ``rows`` and ``cols``
    count cells.
    """
    dots = 0 if kind.through_cells else 1
    known = _lines_of(kind, rows + dots, cols + dots)
    for _ in range(number):
        annotations = _random_annotations(kind, rows, cols, known, rng)
        if "ice" in annotations:
            known = loops_on(kind.from_grid([[None] * cols] * rows, **annotations).board)
        drawn = []
        for _ in range(_MOST_ATTEMPTS if known else 0):
            solution = known[below(rng, len(known))]
            # The kind may not allow this loop.
            with suppress(PuzzleError):
                drawn.append(kind.from_solution(solution, **annotations))
            if len(drawn) == 2:
                break
        if not drawn and annotations:
            # These regions, or this ice, may have no solution at all.
            drawn.append(kind.from_grid([[None] * cols] * rows, **annotations))
        if not drawn:
            continue
        puzzle = drawn[0]
        beside = [place for place, _ in getattr(puzzle, "beside", ())]
        cells = shuffled(rng, [*product(range(rows), range(cols)), *beside])
        kept = below(rng, len(cells) + 1)
        changes: dict[Any, Any] = dict.fromkeys(cells[kept:])
        if below(rng, 2):
            last: Any = drawn[-1]
            clues_there = dict(last.every_clue() if beside else last.clue_cells())
            changes |= {cell: clues_there.get(cell) for cell in cells[: below(rng, 1 + kept)]}
        unknown = getattr(kind, "unknown", None)
        if unknown is not None and below(rng, 2):
            changes[cells[0]] = unknown
        clues = list(puzzle.clue_cells())
        if clues and not below(rng, 4):
            changes[cells[-1]] = _odd(pick(rng, clues)[1], rng)
        # Some sets of clues are no puzzle, and some variants lack the annotations that they need.
        with suppress(PuzzleError):
            puzzle = puzzle.with_clues(changes)
            yield puzzle.with_variant(list(puzzle.variants)[below(rng, len(puzzle.variants))])


def _odd(clue: Clue, rng: Random) -> Clue:
    """Return a clue of the same form with a random number and arrow."""
    number = below(rng, 10)
    if isinstance(clue, int):
        return number
    arrow = pick(rng, list(DIRECTIONS))
    return re.sub(f"[{''.join(DIRECTIONS)}]", arrow, re.sub("[0-9]+", str(number), clue))


def _random_annotations(
    kind: type[Puzzle], rows: int, cols: int, known: Sequence[Solution], rng: Random
) -> dict[str, Any]:
    """Return random regions, or walls, where a kind has them; ``known`` are possible solutions."""
    found: dict[str, Any] = {}
    if "ice" in kind.annotations:
        cells = shuffled(rng, list(product(range(rows), range(cols))))
        found["ice"] = cells[: below(rng, 1 + len(cells) // 2)]
    if "walls" in kind.annotations and below(rng, 2):
        lattice = Lattice(rows, cols)
        drawn = [below(rng, lattice.num_edges) for _ in range(1 + below(rng, 3))]
        ends = (map(lattice.position, lattice.ends(edge)) for edge in set(drawn))
        found["walls"] = [tuple(pair) for pair in ends]
    if "regions" not in kind.annotations:
        return found
    names = [[row * cols + col for col in range(cols)] for row in range(rows)]
    for _ in range(below(rng, 3 * rows * cols)):
        row, col = below(rng, rows), below(rng, cols)
        other = (row + 1, col) if below(rng, 2) else (row, col + 1)
        if other[0] < rows and other[1] < cols:
            old, new = names[other[0]][other[1]], names[row][col]
            names = [[new if name == old else name for name in line] for line in names]
    regions: list[list[int | None]] = [list(line) for line in names]
    if not below(rng, 3):
        # A cell outside all regions.
        regions[below(rng, rows)][below(rng, cols)] = None
    if getattr(kind, "visits", None) == 2 and below(rng, 4):
        # Few loops enter a random region twice.
        regions = _entered_twice(rows, cols, known, rng) or regions
    return {"regions": regions}


def _entered_twice(
    rows: int, cols: int, known: Sequence[Solution], rng: Random
) -> list[list[int | None]]:
    """Return two regions that a loop enters twice, without other cells; ``[]`` if none is found."""
    for _ in range(_MOST_CUTS):
        walk = known[below(rng, len(known))].paths()[0][1:]
        ends = sorted(shuffled(rng, range(len(walk)))[:4])
        if len(ends) < 4:
            continue
        start = ends[0]
        runs = [walk[one:other] for one, other in pairwise([*ends, len(walk)])]
        runs[3] += walk[:start]
        if all(_touch(runs[number], runs[number + 2]) for number in (0, 1)):
            names = {cell: number % 2 for number, run in enumerate(runs) for cell in run}
            return [[names.get((row, col)) for col in range(cols)] for row in range(rows)]
    return []


def _touch(one: Iterable[Cell], other: Collection[Cell]) -> bool:
    """Return whether a cell has a neighbour among other cells."""
    return any(step(cell, direction) in other for cell in one for direction in DIRECTIONS)


def disagreement(kind: type[Puzzle], seed: int | None = None) -> str | None:
    """Return how model and ``faults`` of a kind differ on a small board; ``None`` if they agree.

    Makes some thousand checks in at most a second. Without a ``seed``, draws a fresh one.

    >>> from linkoracle import Slitherlink
    >>> print(disagreement(Slitherlink))
    None
    """
    rng = source(seed_or_fresh(seed), 0)
    dots = 0 if kind.through_cells else 1
    for (rows, cols), number, every in _BOARDS:
        if kind.letters and not every:
            # Numbers that are only names mark endpoints of paths, and a loop has none.
            continue
        if kind.diagonal and rows * cols > _MOST_TOUCHING:
            # Too many paths.
            continue
        every &= not kind.diagonal or rows * cols < _MOST_TOUCHING
        candidates = (
            line_systems(rows, cols, diagonal=kind.diagonal)
            if every
            else _lines_of(kind, rows, cols)
        )
        for puzzle in random_puzzles(kind, rows - dots, cols - dots, number, rng):
            if "ice" in kind.annotations:
                # Its own board.
                every_one = _line_systems if every else loops_on
                candidates = every_one(puzzle.board)
            for solution in candidates:
                faults = puzzle.violations(solution)
                broken = violations(puzzle.model, solution)
                if bool(faults) != bool(broken):
                    said = (
                        f"the model allows what its faults refuse ({faults[0]})"
                        if faults
                        else f"the model refuses what its faults allow ({broken[0]})"
                    )
                    return f"{said}: {puzzle!r} with the lines {solution.paths()}"
    return None
