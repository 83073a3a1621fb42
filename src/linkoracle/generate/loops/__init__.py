"""What puzzles with a loop through cells are made of: random loops and paths."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from random import Random
from typing import TYPE_CHECKING

from linkoracle.board import Board, Lattice, LinkModel, Solution, touching
from linkoracle.core import (
    COMPILED,
    ConflictLimit,
    Deadline,
    PuzzleError,
    below,
    exports,
    pick,
    shuffled,
)
from linkoracle.engines import Oracle
from linkoracle.kinds import DIRECTIONS, Cell, CellLoop, CellPath, ShadingLoop

if not TYPE_CHECKING:
    __all__, __getattr__, __dir__ = exports(
        __name__,
        {},
        own=(
            "SHADED any_loop changed_nearby loop_for path_through_all plain_loop "
            "single_cells_left through_all"
        ),
    )

#: The most percent of faces inside, and the percentage of choices that prefer a longer loop.
_INSIDE, _LONG = 60, 80
#: How far from a place a loop may change, in cells, and the edges one of which changes.
_WINDOWS, _CHANGED = (2, 3, 5), 6
#: Exchanges of two sides of a loop through all cells, for each cell.
_STIRRED = 2
#: Steps of a path through all cells, for each cell.
_BITTEN = 10
#: If all other cells are visited, at first about one in this many is shaded, or two thirds of that.
SHADED = 4
#: Orders in which cells are omitted, and conflicts of a search for a loop.
_ORDERS, _BRIEFLY = 20, 1_000


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


def past_single_cells(rng: Random, board: Lattice) -> Solution:
    """Return a random loop that omits single cells only: about one in `SHADED` cells.

    Random cells are omitted one by one, if there is a loop past them; SAT omits others with them.
    """
    size = board.num_vertices
    most = max(size // SHADED, size % 2)
    least = most - most // 3
    enough = least + below(rng, most - least + 1)
    best: Solution | None = None
    with Oracle(single_cells_left(board)) as oracle:
        for _ in range(_ORDERS):
            unused: dict[int, bool] = {}
            for cell in shuffled(rng, range(size)):
                more = unused | dict.fromkeys(board.edges_at(cell), False)
                try:
                    loop = next(oracle.solutions(edges=more, timeout=_briefly()), None)
                except ConflictLimit:
                    continue
                if loop is None:
                    continue
                unused, best = more, loop if best is None else min(loop, best, key=len)
                if size - len(loop) >= enough:
                    return loop
            if best is not None and size - len(best) >= least:
                return best
    size_in_words = f"{board.rows}x{board.cols} cells"
    raise PuzzleError(f"no loop leaves out {least} to {most} single ones of {size_in_words}")


def _briefly() -> Deadline:
    """Return the limit of a search for a loop that may be another one as well."""
    return Deadline(None).with_conflicts(_BRIEFLY)


def single_cells_left(board: Lattice) -> LinkModel:
    """Return the model of a loop that omits single cells only."""
    ends = map(board.ends, range(board.num_edges))
    clauses = [(board.visited(one), board.visited(other)) for one, other in ends]
    return LinkModel.blank_loop(board).with_constraints(clauses=clauses)


def changed_nearby(
    rng: Random, oracle: Oracle, loop: Solution, other: Solution, *, omits: bool
) -> Solution | None:
    """Return a loop that ``oracle`` allows, changed near a place where ``other`` differs.

    Edges further away stay as they are; the part of the board that may change grows a few times
    until there is such a loop. ``None`` if that fails. With ``omits``, the loop omits a cell that
    it visited, and others that it omitted, if possible; otherwise an edge changes that both loops
    have, or both lack, so that the result is neither.
    """
    board = loop.lattice
    differing = set(loop) ^ set(other)
    used = {vertex for edge in loop for vertex in board.ends(edge)}
    near = sorted({vertex for edge in differing for vertex in board.ends(edge)} & used)
    row, col = board.position(middle := pick(rng, near))
    here = board.edges_at(middle) if omits else ()
    #: Edges at cells that stay omitted.
    beside = {vertex for edge in here for vertex in board.ends(edge)}
    omitted = [v for v in range(board.num_vertices) if omits and v not in used | beside]
    unused = [edge for vertex in omitted for edge in board.edges_at(vertex)]
    for stay, radius in product((True, False) if omits else (False,), _WINDOWS):
        rows = range(max(0, row - radius), min(board.rows, row + radius + 1))
        cols = range(max(0, col - radius), min(board.cols, col + radius + 1))
        inside = {board.vertex(*cell) for cell in product(rows, cols)}
        around = sorted({edge for vertex in inside for edge in board.edges_at(vertex)})
        within = [edge for edge in around if inside.issuperset(board.ends(edge))]
        fixed = dict(enumerate(map(bool, loop.marks())))
        for edge in within:
            del fixed[edge]
        fixed |= dict.fromkeys((*here, *(unused if stay else ())), False)
        wanted = here or shuffled(rng, [edge for edge in within if edge not in differing])
        wanted = wanted[:_CHANGED]
        try:
            if wanted:
                found = oracle.differing(loop, wanted, len(wanted), edges=fixed, timeout=_briefly())
                if found is not None:
                    return found
        except ConflictLimit:
            pass
    return None


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


def path_through_all(rng: Random, board: Lattice, *, diagonal: bool = False) -> Solution:
    """Return a random path through all cells, ``diagonal`` steps included if asked for.

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
    ways = [*DIRECTIONS.values(), *[(1, 1), (1, -1), (-1, 1), (-1, -1)] * diagonal]
    for _ in range(_BITTEN * len(walk)):
        if below(rng, 2):
            walk.reverse()
        last = walk[-1]
        around = ((last[0] + down, last[1] + right) for down, right in ways)
        beside = [one for one in around if one in walk[:-2]]
        if beside:
            bitten = walk.index(pick(rng, beside)) + 1
            walk[bitten:] = walk[bitten:][::-1]
    drawn_on = touching(Lattice(board.rows + 1, board.cols + 1)) if diagonal else board
    return Solution.from_paths(drawn_on, [walk])


def loop_for(kind: type[CellLoop], rows: int, cols: int, rng: Random) -> Solution:
    """Return a random loop or path such as the kind has; raise `PuzzleError` if there is none."""
    dots = 0 if kind.through_cells else 1
    board = Lattice(rows + dots, cols + dots)
    if board.num_faces < 1:
        raise PuzzleError(f"expected a board of at least 2x2 cells, found {rows}x{cols}")
    if issubclass(kind, CellPath):
        return path_through_all(rng, board, diagonal=kind.diagonal)
    if kind.every_cell:
        return through_all(rng, board)
    if issubclass(kind, ShadingLoop) and not kind.avoids_clues:
        return past_single_cells(rng, board)
    return any_loop(rng, board)


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
