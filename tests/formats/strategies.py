"""Random puzzles for the tests of formats. They may have no solution."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import strategies as st

from linkoracle.core import FormatError
from linkoracle.formats import read_all
from linkoracle.kinds import KINDS, Numberlink, Puzzle, SimpleLoop, Slitherlink

#: The number of kinds that messages do not name.
OTHERS = len(KINDS) - 2


def beside(draw: st.DrawFn, puzzle: Puzzle) -> Puzzle:
    """Add random annotations of any length to a puzzle."""
    lattice = puzzle.lattice
    every = [tuple(map(lattice.position, lattice.ends(edge))) for edge in range(lattice.num_edges)]
    edges = st.lists(st.sampled_from(every), max_size=4, unique=True) if every else st.just([])
    no_dots = set(getattr(puzzle, "ends", None) or ())
    found = {"forbidden": draw(edges)}
    if "holes" in puzzle.annotations:
        dots = map(lattice.position, range(lattice.num_vertices))
        free = [dot for dot in dots if dot not in no_dots]
        found["holes"] = draw(st.lists(st.sampled_from(free), max_size=3, unique=True))
    holes = set(found.get("holes", getattr(puzzle, "holes", ())))
    found["given"] = [
        edge for edge in draw(edges) if edge not in found["forbidden"] and holes.isdisjoint(edge)
    ]
    return replace(puzzle, **found)


@st.composite
def slitherlinks(draw: st.DrawFn, *, smallest: int = 1, paths: bool = True) -> Slitherlink:
    rows = draw(st.integers(smallest, 8))
    cols = draw(st.integers(smallest, 8))
    cell = st.one_of(st.none(), st.integers(0, 4))
    row = st.lists(cell, min_size=cols, max_size=cols)
    clues = draw(st.lists(row, min_size=rows, max_size=rows))
    ends = None
    if paths and draw(st.booleans()):
        border = [
            (row, col)
            for row in range(rows + 1)
            for col in range(cols + 1)
            if row in (0, rows) or col in (0, cols)
        ]
        first, last = draw(st.lists(st.sampled_from(border), min_size=2, max_size=2, unique=True))
        ends = first, last
    return Slitherlink(tuple(map(tuple, clues)), ends)


@st.composite
def numberlinks(draw: st.DrawFn, *, highest: int = 30) -> Numberlink:
    pairs = draw(st.integers(1, 20))
    # Include narrow and full boards, on which text formats are closest to ambiguous.
    rows = draw(st.integers(1, 10))
    cols = draw(st.integers(-(-2 * pairs // rows), max(8, -(-2 * pairs // rows))))
    if draw(st.booleans()):
        rows, cols = cols, rows
    labels = draw(st.lists(st.integers(1, highest), min_size=pairs, max_size=pairs, unique=True))
    cells = [label for label in labels for _ in range(2)]
    cells += [None] * (rows * cols - len(cells))
    order = draw(st.permutations(cells))
    grid = [order[row * cols : (row + 1) * cols] for row in range(rows)]
    return Numberlink(tuple(map(tuple, grid)), draw(st.sampled_from(["free", "fill"])))


@st.composite
def simpleloops(draw: st.DrawFn) -> SimpleLoop:
    rows, cols = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    cell = st.sampled_from([None, None, 0])
    row = st.lists(cell, min_size=cols, max_size=cols)
    return SimpleLoop(draw(st.lists(row, min_size=rows, max_size=rows)))


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    """Draw puzzles of all kinds, half of them with annotations."""
    puzzle = draw(st.one_of(slitherlinks(), numberlinks(), simpleloops()))
    return beside(draw, puzzle) if draw(st.booleans()) else puzzle


def fails(
    source: str | Path,
    place: str,
    reason: str,
    *,
    kind: str | None = None,
    variant: str | None = None,
    name: str | None = "in",
) -> FormatError:
    """Check that reading fails once, on one line, at ``place``, with ``reason`` in the message."""
    with pytest.raises(FormatError, match=re.escape(reason)) as caught:
        read_all(source, kind=kind, variant=variant, name=name)
    message = str(caught.value)
    assert message.startswith(f"{place}: "), message
    assert message.isprintable(), message
    return caught.value
