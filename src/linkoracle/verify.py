"""An independent checker: does this solution solve this puzzle?

Works from the puzzle's rules as a person reads them, on coordinates and graphs, and shares no code
with the engines, nor the `LinkModel` that they solve.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linkoracle.puzzles import Numberlink, Puzzle, Slitherlink

if TYPE_CHECKING:
    from linkoracle.model import Solution


def verify(puzzle: Puzzle, solution: Solution) -> bool:
    """Whether ``solution`` obeys every rule of ``puzzle``. O(cells).

    >>> from linkoracle import solve
    >>> puzzle = Slitherlink([[3, 3], [None, None]])
    >>> verify(puzzle, solve(puzzle))
    True
    """
    return not violations(puzzle, solution)


def violations(puzzle: Puzzle, solution: Solution) -> list[str]:
    """The rules that ``solution`` breaks, a sentence each; empty when it is right.

    >>> from linkoracle import Lattice, Solution
    >>> violations(Slitherlink([[2]]), Solution(Lattice(2, 2), (0, 1, 2, 3)))
    ['the clue 2 at row 1, column 1 has 4 lines around it']
    """
    if isinstance(puzzle, Slitherlink):
        dots = (puzzle.rows + 1, puzzle.cols + 1)
        if (solution.lattice.rows, solution.lattice.cols) != dots:
            return [f"the solution is not drawn on {dots[0]}x{dots[1]} dots"]
        return _slitherlink(puzzle, solution)
    if (solution.lattice.rows, solution.lattice.cols) != (puzzle.rows, puzzle.cols):
        return [f"the solution is not drawn on {puzzle.rows}x{puzzle.cols} cells"]
    return _numberlink(puzzle, solution)


def _slitherlink(puzzle: Slitherlink, solution: Solution) -> list[str]:
    import networkx as nx

    lines = solution.graph()
    broken = []
    for (row, col), clue in puzzle.clue_cells():
        corners = [(row, col), (row, col + 1), (row + 1, col + 1), (row + 1, col)]
        around = sum(lines.has_edge(corners[i - 1], corners[i]) for i in range(4))
        if around != clue:
            plural = "s" if around != 1 else ""
            broken.append(
                f"the clue {clue} at row {row + 1}, column {col + 1} has {around} line{plural} "
                "around it"
            )
    ends = puzzle.ends or ()
    for dot in [*ends, *(dot for dot in lines if dot not in ends)]:
        degree = lines.degree(dot) if dot in lines else 0
        if degree != (1 if dot in ends else 2):
            broken.append(f"{degree} lines meet at dot {dot[0]},{dot[1]}")
    if not len(lines):
        broken.append("there is no line at all")
    elif not nx.is_connected(lines):
        broken.append(f"the lines fall into {nx.number_connected_components(lines)} parts")
    return broken


def _numberlink(puzzle: Numberlink, solution: Solution) -> list[str]:
    import networkx as nx

    cells: nx.Graph[Any] = nx.Graph()
    cells.add_nodes_from((row, col) for row in range(puzzle.rows) for col in range(puzzle.cols))
    cells.add_edges_from(solution.graph().edges)
    numbers = {cell: n for n, pair in puzzle.pairs().items() for cell in pair}
    broken = []
    for part in nx.connected_components(cells):
        row, col = min(part)
        held = sorted(numbers[cell] for cell in part if cell in numbers)
        if len(part) == 1 and not held:
            if puzzle.rule == "fill":
                broken.append(f"the cell at row {row + 1}, column {col + 1} is not used")
        elif len(held) != 2 or held[0] != held[1]:
            what = " and ".join(map(str, held)) if held else "no number"
            broken.append(f"the line through row {row + 1}, column {col + 1} joins {what}")
        else:
            tips = sorted(cell for cell in part if cells.degree(cell) == 1)
            if cells.subgraph(part).number_of_edges() != len(part) - 1 or len(tips) != 2:
                broken.append(f"the line of the number {held[0]} branches or closes")
            elif any(cell not in numbers for cell in tips):
                broken.append(f"the line of the number {held[0]} goes on beyond it")
    return broken
