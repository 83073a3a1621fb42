"""Which edges of a triangulation the paths of a solution cross, by their geometry alone."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from linkoracle.board import Solution, Triangulation

#: All cells of a path but its ends are moved by this much, so that it passes through no corner of a
#: triangle, and along no edge. No terminal is passed on the way.
ASIDE = (Fraction(1, 1009), Fraction(1, 100_003))


def side(one, other, point):
    turned = (other[0] - one[0]) * (point[1] - one[1]) - (other[1] - one[1]) * (point[0] - one[0])
    return (turned > 0) - (turned < 0)


def meeting(one, other, start, end):
    """Where a step from ``one`` to ``other`` crosses a segment: shares of both, or ``None``."""
    if {one, other} & {start, end}:
        return None
    first, second = side(one, other, start), side(one, other, end)
    if first == second or side(start, end, one) == side(start, end, other):
        return None
    # Or the path would pass through a corner.
    assert first
    assert second
    down, right = other[0] - one[0], other[1] - one[1]
    below, beside = end[0] - start[0], end[1] - start[1]
    whole = down * beside - right * below
    far = ((start[0] - one[0]) * beside - (start[1] - one[1]) * below) / whole
    along = ((start[0] - one[0]) * right - (start[1] - one[1]) * down) / whole
    return far, along


def reduced(word, ends):
    """Crossings that are left where a path is drawn tight.

    Two of one edge, one right after the other, enclose nothing; nor does the first of a path, of an
    edge that begins where the path does.
    """
    left = []
    for edge, along in word:
        if left and left[-1][0] == edge:
            left.pop()
        else:
            left.append((edge, along))
    while left and ends[0] in left[0][0]:
        left.pop(0)
    while left and ends[1] in left[-1][0]:
        left.pop()
    return left


def crossings(board: Triangulation, solution: Solution) -> list[list[int]]:
    """For each edge the pairs whose paths cross it, in order from its first end on."""
    by_edge = {edge: [] for edge in board.edges}
    number = {point: index for index, point in enumerate(board.points)}
    for path in solution.paths():
        moved = [(Fraction(row), Fraction(col)) for row, col in path]
        moved[1:-1] = [(row + ASIDE[0], col + ASIDE[1]) for row, col in moved[1:-1]]
        word = []
        for one, other in pairwise(moved):
            met = []
            for edge in board.edges:
                segment = [board.points[end] for end in edge]
                if any(
                    max(one[axis], other[axis]) < min(at[axis] for at in segment)
                    or min(one[axis], other[axis]) > max(at[axis] for at in segment)
                    for axis in (0, 1)
                ):
                    continue
                there = meeting(one, other, *segment)
                if there is not None:
                    met.append((there[0], edge, there[1]))
            word += [(edge, along) for _, edge, along in sorted(met)]
        ends = [number[path[0]], number[path[-1]]]
        assert ends[0] // 2 == ends[1] // 2
        for edge, along in reduced(word, ends):
            by_edge[edge].append((along, ends[0] // 2))
    return [[pair for _, pair in sorted(by_edge[edge])] for edge in board.edges]
