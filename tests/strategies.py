"""Random puzzles that mostly have solutions: clues and numbers are taken from real ones."""

from __future__ import annotations

from hypothesis import strategies as st

from linkoracle import Numberlink, Puzzle, Slitherlink
from tests import brute_force

#: Sides of the boards on which brute force is quick.
SIDES = st.sampled_from(
    [(r, c) for r in range(1, 4) for c in range(1, 5)] + [(4, 2), (4, 3), (4, 1)]
)


@st.composite
def slitherlinks(draw: st.DrawFn) -> Slitherlink:
    rows, cols = draw(SIDES)
    ends = None
    if draw(st.booleans()):
        rim = [
            (row, col)
            for row in range(rows + 1)
            for col in range(cols + 1)
            if row in (0, rows) or col in (0, cols)
        ]
        ends = tuple(sorted(draw(st.permutations(rim))[:2]))
    curves = brute_force.closed_curves(rows, cols, ends)
    curve = curves[draw(st.integers(0, len(curves) - 1))]
    clues = []
    for row in range(rows):
        clues.append([])
        for col in range(cols):
            true = len(brute_force.square(row, col) & curve)
            # Mostly the true clue or none, so that boards have few solutions but rarely none.
            clues[-1].append(draw(st.sampled_from([true] * 8 + [None] * 10 + [0, 1, 2, 3, 4])))
    return Slitherlink(clues, ends)


@st.composite
def numberlinks(draw: st.DrawFn) -> Numberlink:
    rows, cols = draw(SIDES)
    systems = brute_force.path_systems(rows, cols)
    _, mate, _ = systems[draw(st.integers(0, len(systems) - 1))]
    cells = [cell for pair in mate.items() if pair[0] < pair[1] for cell in pair]
    if draw(st.integers(0, 4)) == 0:
        cells = draw(st.permutations(cells))
    pairs = list(zip(cells[::2], cells[1::2], strict=True))
    return Numberlink.from_pairs(rows, cols, pairs, draw(st.sampled_from(["free", "fill"])))


def puzzles() -> st.SearchStrategy[Puzzle]:
    return st.one_of(slitherlinks(), numberlinks())
