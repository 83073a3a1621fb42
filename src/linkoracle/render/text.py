"""Boards in box-drawing characters.

Lines run between dots, with clues in the cells, or through the cells. Every column is as wide as
the widest number needs, so wide boards and long numbers line up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from linkoracle.kinds import Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkoracle.board.lattice import Solution

#: What stands in cells.
Labels = dict[tuple[int, int], str]

#: A vertex by the lines it has: up, left, right, down as bits 1, 2, 4, 8. Both tables also draw
#: branches, so that a wrong solution can be looked at, too.
_BOX = "·╵╴┘╶└─┴╷│┐┤┌├┬┼"
_ASCII = ".|-+-+-+||++++++"


def draw(puzzle: Puzzle, solution: Solution | None = None, *, ascii_only: bool = False) -> str:
    """Draw the board, with a solution's lines if one is given. No line end at the end.

    Raises ``ValueError`` when the solution belongs to a board of another size.

    >>> from linkoracle import Slitherlink, solve
    >>> puzzle = Slitherlink([[3, None, None], [None, 2, 3]])
    >>> print(draw(puzzle, solve(puzzle)))
    ┌───┐   ·   ·
    │ 3 │
    │   └───────┐
    │     2   3 │
    └───────────┘
    """
    if solution is not None and solution.lattice != puzzle.lattice:
        raise ValueError("the solution belongs to a board of another size")
    lattice = puzzle.lattice
    chosen = np.zeros(lattice.num_edges + 1, dtype=np.bool_)  # the last: "no such edge", -1
    if solution is not None:
        chosen[list(solution.edges)] = True
    characters = np.array(list(_ASCII if ascii_only else _BOX))
    bits = chosen[lattice.vertex_edges] @ np.array([1, 2, 4, 8])
    lines = _Lines(
        characters[bits].reshape(lattice.rows, lattice.cols).tolist(),
        np.where(chosen[lattice.right], characters[6], " ").tolist(),
        np.where(chosen[lattice.down], characters[9], " ").tolist(),
    )
    filled = "#" if ascii_only else "█"
    labels = {
        figure.place: filled if figure.look == "filled" else figure.text
        for figure in puzzle.figures()
        if figure.look != "end"
    }
    width = max(map(len, labels.values()), default=1)
    draw_cells = _through_cells if puzzle.through_cells else _between_dots
    *rows, _ = draw_cells(lines, labels, width)  # nothing runs down from the last vertices
    return "\n".join(row.rstrip() for row in rows)


class _Lines(NamedTuple):
    """Characters by row and column of vertices, and of the edges to the right and down of them.

    Where there is no line, and no edge, a space.
    """

    vertices: list[list[str]]
    right: list[list[str]]
    down: list[list[str]]


def _between_dots(lines: _Lines, labels: Labels, width: int) -> Iterator[str]:
    for row, (vertices, right, down) in enumerate(zip(*lines, strict=True)):
        yield "".join(
            vertex + edge * (width + 2) for vertex, edge in zip(vertices, right, strict=True)
        )
        yield "".join(
            f"{edge} {labels.get((row, col), ''):>{width}} " for col, edge in enumerate(down)
        )


def _through_cells(lines: _Lines, labels: Labels, width: int) -> Iterator[str]:
    # Where a cell of one character stands in the width of its column.
    gaps = " " * (width // 2), " " * (width - 1 - width // 2 + 3)
    for row, (vertices, right, down) in enumerate(zip(*lines, strict=True)):
        text = ""
        for col, vertex in enumerate(vertices):
            label = labels.get((row, col)) or vertex
            before = (width - len(label) + 1) // 2
            left = right[col - 1] if col else " "
            text += left * before + label + right[col] * (width - len(label) - before + 3)
        yield text
        yield "".join(edge.join(gaps) for edge in down)
