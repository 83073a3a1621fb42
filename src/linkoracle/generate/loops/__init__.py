"""Random loops through the cells of a board, and paths: any, past single cells, or through all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, pairwise
from random import Random
from typing import TYPE_CHECKING

from linkoracle.board import Board, Count, Lattice, LinkModel, Solution
from linkoracle.core import COMPILED, PuzzleError, below, exports, pick, shuffled
from linkoracle.kinds import DIRECTIONS, Cell, step
from linkoracle.solving import solve

if not TYPE_CHECKING:
    __all__, __getattr__, __dir__ = exports(
        __name__,
        {},
        own="SHADED any_loop past_single_cells path_through_all plain_loop through_all",
    )

#: The most percent of faces inside, and the percentage of choices that prefer a longer loop.
_INSIDE, _LONG = 60, 80
#: Exchanges of two sides of a loop through all cells, for each cell.
_STIRRED = 2
#: Steps of a path through all cells, for each cell.
_BITTEN = 10
#: If all other cells are visited, at most one in this many is shaded, at least two thirds of that.
SHADED = 4


def plain_loop(rng: Random, board: Board) -> Solution:
    """Return a random loop: the outline of faces that are added one by one.

    Faces that share one side with the faces inside make the loop longer, and are often preferred.
    The outline stays one loop if the sides and corners that it shares with a face are one path: a
    path has one more vertex than edges, several paths have more, and the whole boundary has none.

    >>> from linkoracle.board import Lattice
    >>> loop = plain_loop(Random(1), Lattice(11, 11))
    >>> len(loop.paths()), len(loop) > 60
    (1, True)
    """
    sides = [{*board.edges_of(face)} for face in range(board.num_faces)]
    corners = [{*board.walk(face)} for face in range(board.num_faces)]
    first = below(rng, board.num_faces)
    inside, outline = {first}, {*sides[first]}
    while 100 * len(inside) < _INSIDE * board.num_faces:
        reached = {vertex for edge in outline for vertex in board.ends(edge)}
        beside = {face for edge in outline for face in board.faces_of(edge)} - inside
        shared = {face: len(sides[face] & outline) for face in sorted(beside)}
        free = [face for face in shared if len(corners[face] & reached) == shared[face] + 1]
        if not free:
            break
        longer = [face for face in free if shared[face] == 1]
        face = pick(rng, longer if longer and below(rng, 100) < _LONG else free)
        inside.add(face)
        outline ^= sides[face]
    return Solution(board, tuple(sorted(outline)))


def any_loop(rng: Random, board: Lattice) -> Solution:
    """Return a random loop, of a random shape where that is compiled."""
    if not COMPILED:
        return plain_loop(rng, board)
    from linkoracle.generate.loops.colouring import mix

    return mix(rng, board)


def past_single_cells(rng: Random, board: Lattice, some: Sequence[int] = ()) -> Solution:
    """Return a random loop that omits single cells only: at most one in `SHADED` cells.

    Omits some cells of ``some``, or random ones, and others that SAT finds with the loop.
    """
    size = board.num_vertices
    visited = [board.visited(vertex) for vertex in range(size)]
    ends = map(board.ends, range(board.num_edges))
    most = max(size // SHADED, size % 2)
    least = most - most // 3
    model = LinkModel.blank_loop(board).with_constraints(
        counts=[Count.of([-one for one in visited], range(least, most + 1))],
        clauses=[(visited[one], visited[other]) for one, other in ends],
    )
    for tried in count(1):
        holes = some or shuffled(rng, range(size))[: 1 + size // (4 * SHADED)]
        holes = shuffled(rng, holes)[: len(holes) // tried]
        if found := solve(model.with_holes(holes)):
            return found
        if not holes:
            break
    size_in_words = f"{board.rows}x{board.cols} cells"
    raise PuzzleError(f"no loop leaves out {least} to {most} single ones of {size_in_words}")


def through_all(rng: Random, board: Lattice) -> Solution:
    """Return a random loop through all vertices; raise `PuzzleError` if there is none.

    Begins as a comb. A step exchanges the two sides of a square on the loop for the two others,
    which makes two loops. Then it does the same at a square between the two loops, which joins
    them. O(cells) steps of O(cells).

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
        # Undoing the first exchange is allowed, too.
        _exchange(board, chosen, pick(rng, [*between, first]))
    return Solution(board, tuple(chosen))


def path_through_all(rng: Random, board: Lattice) -> Solution:
    """Return a random path through all vertices.

    Begins row by row, in alternating directions. A step joins an end to one of its neighbours on
    the path and removes the next edge from there towards the end, so that the path ends elsewhere
    (Mansfield, "Monte Carlo studies of polymer chain dimensions in the melt", 1982). O(cells) steps
    of O(cells).

    >>> len(path_through_all(Random(1), Lattice(5, 5)))
    24
    """
    walk = [
        (row, col)
        for row in range(board.rows)
        for col in (range(board.cols) if row % 2 == 0 else reversed(range(board.cols)))
    ]
    for _ in range(_BITTEN * len(walk)):
        if below(rng, 2):
            walk.reverse()
        last = walk[-1]
        beside = [one for d in DIRECTIONS if (one := step(last, d)) in walk[:-2]]
        if beside:
            bitten = walk.index(pick(rng, beside)) + 1
            walk[bitten:] = walk[bitten:][::-1]
    return Solution.from_paths(board, [walk])


def _comb(board: Lattice) -> Iterator[int]:
    """Yield the edges of a loop through all vertices: along a side, then in alternating rows."""
    flip = board.rows % 2 == 1
    height, width = (board.cols, board.rows) if flip else (board.rows, board.cols)
    walk = [(row, 0) for row in reversed(range(height))]
    for row in range(height):
        inner = range(1, width)
        walk += [(row, col) for col in (inner if row % 2 == 0 else reversed(inner))]
    for one, other in pairwise([*walk, walk[0]]):
        yield board.edge(one[::-1], other[::-1]) if flip else board.edge(one, other)


def _exchange(board: Lattice, chosen: set[int], face: int) -> bool:
    """Exchange two opposite sides of a square on the loop for the others; return if possible."""
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
    """Return whether the loop has two opposite sides of a square, just one in this part."""
    on = [edge for edge in board.edges_of(face) if edge in chosen]
    if len(on) != 2:
        return False
    inside = {board.position(board.ends(edge)[0]) in part for edge in on}
    return len(inside) == 2
