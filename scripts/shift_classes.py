"""Count loops and paths of n x n vertices up to shifts, turns and mirrors (Burnside's lemma).

Loops that are shifts of one another have the same smallest rectangle around them, up to its place.
So classes under shifts are the loops that touch all four sides of a rectangle of at most n x n
vertices. The number of these is a difference of numbers of all loops: those of ``rows`` rows, less
twice those of one row less, plus those of two rows less; and the same for columns. Summed over all
rectangles, all but the last terms cancel: what remains is the number of loops of n rows less that
of n - 1 rows, and the same for columns.

A symmetry acts on these classes. It maps a class to itself if it maps a loop in its smallest
rectangle to itself. If it exchanges two sides, such a loop touches both or none of them, so
rectangles lose two rows at a time, and the sum over them is that of n rows *plus* that of n - 1.

A direction does not matter for the number of classes of directed loops or paths but for this: a
symmetry must map the direction to itself, too. Turns do so with loops, mirrors do not; with paths
only mirrors that leave each vertex where it is do so, for which the path is straight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import NamedTuple

import networkx as nx

import folded_loops
import folded_paths
import graph_sequences
from linkoracle.board import Lattice, LinkModel
from linkoracle.frontier import count
from term_checks import agree, board_of, modulo_others

#: Vertices a side up to which loops that half turns fix are also counted on graphs of orbits.
_ORBITS = 15
#: Vertices a side up to which paths are counted for each pair of ends, and classes are listed.
_ENDS, _LISTED = 7, 4

#: The ends of an edge, and a loop or path by its edges.
Edge = tuple[tuple[int, int], ...]
Shape = frozenset[frozenset[tuple[int, int]]]


class Fixed(NamedTuple):
    """Numbers of classes under shifts that each kind of symmetry maps to itself."""

    every: int
    half_turn: int
    quarter_turn: int
    straight: int
    diagonal: int

    @property
    def classes(self) -> int:
        """The number of classes under shifts and all symmetries of the square."""
        mirrors = 2 * self.straight + 2 * self.diagonal
        return _eighth(self.every + self.half_turn + 2 * self.quarter_turn + mirrors)


def _eighth(fixed: int) -> int:
    """Return the number of classes under eight symmetries, by the sum of what each one fixes."""
    number, rest = divmod(fixed, 8)
    if rest:
        raise AssertionError("the numbers fixed by all symmetries contradict Burnside's lemma")
    return number


def under_shifts(side: int, every: Callable[[int, int], int]) -> int:
    """Count classes under shifts from numbers for whole boards of given rows and columns."""
    less = side - 1
    return every(side, side) - 2 * every(side, less) + every(less, less)


def fixed_under_shifts(
    side: int,
    every: Callable[[int, int], int],
    half_turn: Callable[[int, int], int],
    quarter_turn: Callable[[int], int],
    straight: Callable[[int, int], int],
    diagonal: Callable[[int], int],
) -> Fixed:
    """Count classes under shifts, and those that symmetries map to themselves.

    ``straight`` is the mirror that exchanges the left and right side.
    """
    less = side - 1
    return Fixed(
        under_shifts(side, every),
        half_turn(side, side) + 2 * half_turn(side, less) + half_turn(less, less),
        quarter_turn(side) + quarter_turn(less),
        # Such a mirror exchanges the left and right side, not the top and bottom.
        straight(side, side) + straight(side, less) - straight(less, side) - straight(less, less),
        diagonal(side) - diagonal(less),
    )


# ---- loops --------------------------------------------------------------------------------------


def _blank(rows: int, cols: int) -> LinkModel:
    return LinkModel.blank_loop(Lattice(rows, cols))


def _loops(rows: int, cols: int) -> int:
    return count(_blank(rows, cols)) if min(rows, cols) > 1 else 0


@cache
def loops_under_shifts(side: int) -> Fixed:
    """Count classes of loops under shifts.

    >>> [loops_under_shifts(side).classes for side in (1, 2, 3, 4, 5)]
    [0, 1, 4, 33, 1005]
    """
    return fixed_under_shifts(
        side,
        _loops,
        folded_loops.by_half_turns,
        folded_loops.by_quarter_turns,
        folded_loops.in_a_straight_mirror,
        folded_loops.in_a_diagonal_mirror,
    )


@cache
def _loops_again(side: int, store: Path | None) -> tuple[Fixed, str]:
    """Count classes of loops under shifts in other ways, and name them."""

    def every(rows: int, cols: int) -> int:
        if min(rows, cols) < 3:
            return _loops(rows, cols)
        kept = store and store.with_name(f"{store.stem}-{rows}x{cols}{store.suffix}")
        return modulo_others(board_of(_blank(rows, cols)), kept)

    def half_turn(rows: int, cols: int) -> int:
        if min(rows, cols) > 1 and max(rows, cols) <= _ORBITS:
            return folded_paths.orbits_of_loops(rows, cols, 2)
        return folded_loops.by_half_turns(rows, cols, other_primes=True)

    def quarter_turn(side: int) -> int:
        return folded_paths.orbits_of_loops(side, side, 4) if side > 1 else 0

    def straight(rows: int, cols: int) -> int:
        return folded_loops.in_a_straight_mirror(rows, cols, turned=True)

    def diagonal(side: int) -> int:
        return folded_loops.in_a_diagonal_mirror(side, turned=True)

    other = fixed_under_shifts(side, every, half_turn, quarter_turn, straight, diagonal)
    return other, "primes, orbits, turned"


def undirected_loops(side: int, store: Path | None) -> tuple[list[int], str]:
    """Count loops of n x n vertices up to shifts, turns and mirrors."""
    found = loops_under_shifts(side)
    other, passed = _loops_again(side, store)
    passed = agree(f"loops up to shifts {side}", found, other, passed)
    if side <= _LISTED:
        number = len(listed(side, _every_loop(side)))
        passed += ", " + agree(f"loops up to shifts {side}", found.classes, number, "listed")
    return [found.classes], passed


def directed_loops(side: int, store: Path | None) -> tuple[list[int], str]:
    """Count loops of n x n vertices with a direction, up to shifts, turns and mirrors."""
    found = loops_under_shifts(side)
    other, passed = _loops_again(side, store)
    passed = agree(f"directed loops {side}", found, other, passed)
    return [_eighth(2 * found.every + 2 * found.half_turn + 4 * found.quarter_turn)], passed


# ---- paths --------------------------------------------------------------------------------------


@cache
def _paths(rows: int, cols: int) -> int:
    return graph_sequences.paths(nx.grid_2d_graph(rows, cols)) if min(rows, cols) else 0


@cache
def paths_under_shifts(side: int) -> Fixed:
    """Count classes of paths of at least one edge under shifts.

    >>> [paths_under_shifts(side).classes for side in (1, 2, 3, 4)]
    [0, 3, 38, 1465]
    """
    return fixed_under_shifts(
        side,
        _paths,
        folded_paths.by_half_turns,
        lambda _: 0,
        folded_paths.in_a_straight_mirror,
        folded_paths.in_a_diagonal_mirror,
    )


@cache
def _paths_again(rows: int, cols: int) -> int:
    """Count paths of at least one edge in another way."""
    if min(rows, cols) < 1:
        return 0
    graph = nx.grid_2d_graph(rows, cols)
    small = max(rows, cols) <= _ENDS
    return (graph_sequences.paths_by_ends if small else graph_sequences.paths_by_cut)(graph)


def _paths_under_shifts_again(side: int) -> Fixed:
    """Count classes of paths under shifts in other ways."""

    def half_turn(rows: int, cols: int) -> int:
        return folded_paths.by_half_turns(rows, cols, by_ends=True)

    def straight(rows: int, cols: int) -> int:
        return folded_paths.in_a_straight_mirror(rows, cols, by_ends=True)

    def diagonal(side: int) -> int:
        return folded_paths.in_a_diagonal_mirror(side, by_ends=True)

    return fixed_under_shifts(side, _paths_again, half_turn, lambda _: 0, straight, diagonal)


def undirected_paths(side: int, _: Path | None) -> tuple[list[int], str]:
    """Count paths of n x n vertices up to shifts, turns and mirrors, of at least one edge."""
    found = paths_under_shifts(side)
    passed = "ends" if side <= _ENDS else "cut, ends"
    passed = agree(f"paths up to shifts {side}", found, _paths_under_shifts_again(side), passed)
    if side <= _LISTED:
        number = len(listed(side, _every_path(side)))
        passed += ", " + agree(f"paths up to shifts {side}", found.classes, number, "listed")
    return [found.classes], passed


def directed_paths(side: int, _: Path | None) -> tuple[list[int], str]:
    """Count paths of n x n vertices with a direction, up to shifts, turns and mirrors."""
    every, again = under_shifts(side, _paths), under_shifts(side, _paths_again)
    passed = agree(f"directed paths {side}", every, again, "ends" if side <= _ENDS else "cut")
    # Straight paths along an axis: of each length one, in both directions, for two mirrors.
    return [_eighth(2 * every + 2 * 2 * (side - 1))], passed


# ---- lists --------------------------------------------------------------------------------------


def _every_path(side: int) -> set[Shape]:
    """Return all paths of at least one edge, found one by one."""
    graph = nx.grid_2d_graph(side, side)
    pairs = combinations(graph, 2)
    return {_shape(walk) for pair in pairs for walk in nx.all_simple_paths(graph, *pair)}


def _every_loop(side: int) -> set[Shape]:
    """Return all loops, found one by one."""
    return {_shape([*ring, ring[0]]) for ring in nx.simple_cycles(nx.grid_2d_graph(side, side))}


def _shape(walk: list[tuple[int, int]]) -> Shape:
    return frozenset(map(frozenset, pairwise(walk)))


def listed(side: int, shapes: set[Shape]) -> set[tuple[Edge, ...]]:
    """Return one shape of each class under shifts, turns and mirrors."""

    def shifted(edges: Iterable[Edge]) -> tuple[Edge, ...]:
        places = [place for edge in edges for place in edge]
        top, left = (min(place[axis] for place in places) for axis in (0, 1))
        return tuple(
            sorted(tuple(sorted((row - top, col - left) for row, col in edge)) for edge in edges)
        )

    def images(shape: Shape) -> Iterator[tuple[Edge, ...]]:
        edges = [tuple(edge) for edge in shape]
        for _ in range(4):
            edges = [tuple((col, side - 1 - row) for row, col in edge) for edge in edges]
            yield shifted(edges)
            yield shifted([tuple((col, row) for row, col in edge) for edge in edges])

    return {min(images(shape)) for shape in shapes}
