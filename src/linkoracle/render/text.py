"""Boards in box-drawing characters.

Lines run between dots, with clues in the cells, or through the cells. Every column is as wide as
the widest number needs, so wide boards and long numbers line up. Lines that are given are heavy,
``=`` and ``!`` in ASCII; where none is allowed there is a cross, and a missing dot is a blank.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from linkoracle.kinds import Puzzle
from linkoracle.kinds.fixed import edges_shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from linkoracle.board.lattice import Solution

#: The looks of figures that stand in cells.
_IN_CELLS = ("text", "label", "filled")
#: What stands in cells.
Labels = dict[tuple[int, int], str]

#: A vertex by the lines it has: up, left, right, down as bits 1, 2, 4, 8. Both tables also draw
#: branches, so that a wrong solution can be looked at, too.
_BOX = "·╵╴┘╶└─┴╷│┐┤┌├┬┼"
_ASCII = ".|-+-+-+||++++++"
#: The same where all lines of a vertex are given; and a cross.
_HEAVY, _CROSS = "·╹╸┛╺┗━┻╻┃┓┫┏┣┳╋", "\N{MULTIPLICATION SIGN}"
_HEAVY_ASCII, _CROSS_ASCII = ".!=+=+=+!!++++++", "x"


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
    figures = list(puzzle.figures())
    chosen = np.zeros((3, lattice.num_edges + 1), dtype=np.bool_)  # the last: "no such edge", -1
    chosen[:2, edges_shown(puzzle, "given")] = True
    chosen[2, edges_shown(puzzle, "cross")] = True
    if solution is not None:
        chosen[0, list(solution.edges)] = True
    light, heavy, cross = (
        (_ASCII, _HEAVY_ASCII, _CROSS_ASCII) if ascii_only else (_BOX, _HEAVY, _CROSS)
    )
    bits = chosen[:2, lattice.vertex_edges] @ np.array([1, 2, 4, 8])
    characters = np.array([list(light), list(heavy)])
    vertices = characters[(bits[0] == bits[1]).astype(np.int64), bits[0]]
    vertices[[lattice.vertex(*one.place) for one in figures if one.look == "gap"]] = " "
    # Of an edge: nothing, a line, a given one, a cross.
    state = np.where(chosen[2] & ~chosen[0], 3, chosen[0] + 1 * chosen[1])
    lines = _Lines(
        vertices.reshape(lattice.rows, lattice.cols).tolist(),
        np.array([" ", light[6], heavy[6], cross])[state[lattice.right]].tolist(),
        np.array([" ", light[9], heavy[9], cross])[state[lattice.down]].tolist(),
        cross,
    )
    filled = "#" if ascii_only else "█"
    labels = {
        figure.place: filled if figure.look == "filled" else figure.text
        for figure in figures
        if figure.look in _IN_CELLS
    }
    width = max(map(len, labels.values()), default=1)
    draw_cells = _through_cells if puzzle.through_cells else _between_dots
    *rows, _ = draw_cells(lines, labels, width)  # nothing runs down from the last vertices
    return "\n".join(row.rstrip() for row in rows)


class _Lines(NamedTuple):
    """Characters by row and column of vertices, and of the edges to the right and down of them.

    Where there is no line, and no edge, a space. A ``cross`` stands in the middle of its edge.
    """

    vertices: list[list[str]]
    right: list[list[str]]
    down: list[list[str]]
    cross: str

    def rows(self) -> Iterator[tuple[list[str], list[str], list[str]]]:
        """The characters of each row of vertices."""
        return zip(self.vertices, self.right, self.down, strict=True)

    def level(self, edge: str, width: int) -> str:
        """An edge to the right of a vertex, so many characters wide."""
        return edge.center(width) if edge == self.cross else edge * width


def _between_dots(lines: _Lines, labels: Labels, width: int) -> Iterator[str]:
    for row, (vertices, right, down) in enumerate(lines.rows()):
        yield "".join(
            vertex + lines.level(edge, width + 2)
            for vertex, edge in zip(vertices, right, strict=True)
        )
        yield "".join(
            f"{edge} {labels.get((row, col), ''):>{width}} " for col, edge in enumerate(down)
        )


def _through_cells(lines: _Lines, labels: Labels, width: int) -> Iterator[str]:
    # Where a cell of one character stands in the width of its column.
    gaps = " " * (width // 2), " " * (width - 1 - width // 2 + 3)
    for row, (vertices, right, down) in enumerate(lines.rows()):
        text = ""
        for col, vertex in enumerate(vertices):
            label = labels.get((row, col)) or vertex
            before = (width - len(label) + 1) // 2
            left = right[col - 1] if col else " "
            text += (" " if left == lines.cross else left) * before + label
            text += lines.level(right[col], width - len(label) - before + 3)
        yield text
        yield "".join(edge.join(gaps) for edge in down)
