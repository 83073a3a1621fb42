"""Pictures of puzzles: alone, solved, with several solutions, with shares, with a step marked.

Each function returns a `Picture`, which notebooks show; `linkoracle.render.svg`, `png` and `pdf`
make files of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from linkoracle.board.lattice import Lattice
from linkoracle.board.solution import Solution
from linkoracle.kinds import Puzzle
from linkoracle.render.figures import above, below
from linkoracle.render.figures import regions as filled_regions
from linkoracle.render.layout import Key, laid_out
from linkoracle.render.pictures import Picture
from linkoracle.render.shapes import SERIES, Area, Disc, Line, Point, Shape

#: How far solutions are apart where they differ, half the size of a cross, and the least weight of
#: the line of a share that is not 0.
_APART, _CROSS, _LEAST = 0.11, 0.13, 0.12

#: What keeps a cross apart from numbers at both sides of it.
_GROUND = 0.2

#: What lies even on numbers.
_ON_TOP = ("ground", "known cross", "new cross")


@dataclass(frozen=True)
class Marks:
    """What is marked on a board: edge ids, and cells as ``(row, column)``.

    ``lines`` and ``crosses`` are known, ``new_lines`` and ``new_crosses`` follow from them by what
    is seen at the ``cells``. ``caption`` tells how.
    """

    lines: Iterable[int] = ()
    crosses: Iterable[int] = ()
    new_lines: Iterable[int] = ()
    new_crosses: Iterable[int] = ()
    cells: Iterable[tuple[int, int]] = ()
    caption: str | None = None


def picture(
    puzzle: Puzzle,
    solution: Solution | None = None,
    *,
    regions: bool = False,
    title: str | None = None,
    note: str = "",
) -> Picture:
    """The puzzle, with a solution's lines if one is given. ``note`` goes under the board.

    With ``regions`` what is inside lines between dots is filled, and each path through cells has
    a band of its own. Raises ``ValueError`` for regions without a solution, or a solution of
    another board.

    >>> from linkoracle import Slitherlink
    >>> drawn = picture(Slitherlink([[4, None]]), title="A small one")
    >>> drawn.title
    'A small one: Slitherlink, 1 x 2 cells'
    """
    if solution is None:
        if regions:
            raise ValueError("regions need a solution")
        return _on_board(puzzle, [], what="", title=title, caption=note)
    _check(puzzle, solution.lattice)
    shapes = filled_regions(puzzle, solution) if regions else []
    if not (regions and puzzle.through_cells):  # bands have lines of their own
        shapes += strokes(puzzle, "line", solution.edges)
    return _on_board(puzzle, shapes, what=", solved", title=title, caption=note)


def overlay(
    puzzle: Puzzle, solutions: Sequence[Solution], *, title: str | None = None, note: str = ""
) -> Picture:
    """Up to four solutions over each other: one line where they agree, else each its own.

    ``note`` goes under the board: that there are more solutions, for one.

    Raises ``ValueError`` for none or more than four, or solutions of another board.
    """
    if not 1 <= len(solutions) <= SERIES:
        raise ValueError(f"expected 1 to {SERIES} solutions, got {len(solutions)}")
    for solution in solutions:
        _check(puzzle, solution.lattice)
    agreed = set(solutions[0].edges).intersection(*(one.edges for one in solutions))
    shapes: list[Shape] = [*strokes(puzzle, "line", agreed)]
    for number, solution in enumerate(solutions):
        # Moved diagonally, lines in both directions come apart and corners still meet.
        by = (number - (len(solutions) - 1) / 2) * _APART
        own = strokes(puzzle, f"series {number}", set(solution.edges) - agreed)
        shapes += [line.moved(by, by) for line in own]
    legend = [Key(f"series {n}", f"solution {n + 1}") for n in range(len(solutions))]
    if len(solutions) == 1:
        legend = []
    elif agreed:
        legend.insert(0, Key("line", f"in all {len(solutions)} drawn"))
    what = f", {len(solutions)} solutions" if len(solutions) > 1 else ", solved"
    return _on_board(puzzle, shapes, what=what, title=title, legend=legend, caption=note)


def shares(
    puzzle: Puzzle,
    by_edge: Mapping[int, Fraction | float],
    *,
    title: str | None = None,
    note: str = "",
) -> Picture:
    """Every edge as wide as the share of solutions that use it.

    ``by_edge`` has a share from 0 to 1 for each edge id, as `linkoracle.frontier.Diagram` computes
    them with `edge_shares`; an edge that is left out has 0. ``note`` goes under the board.
    """
    _check(puzzle, puzzle.lattice, max(by_edge, default=0))
    if any(not 0 <= share <= 1 for share in by_edge.values()):
        raise ValueError("a share is from 0 to 1")
    certain = [edge for edge, share in by_edge.items() if share == 1]
    shapes: list[Shape] = []
    for edge, share in sorted(by_edge.items()):
        if 0 < share < 1:
            weight = max(_LEAST, float(share))
            shapes.append(Line("share", _ends(puzzle, edge), weight=weight))
    shapes += strokes(puzzle, "certain", certain)
    legend = [Key("share", f"{percent}%", percent / 100) for percent in (10, 50, 90)]
    legend.append(Key("certain", "all"))
    return _on_board(
        puzzle,
        shapes,
        what=", share of the solutions for each edge",
        title=title,
        legend=legend,
        caption=note,
    )


def marked(puzzle: Puzzle, marks: Marks, *, title: str | None = None) -> Picture:
    """The board while it is solved: what is known, what is new, and where to look.

    >>> from linkoracle import Slitherlink
    >>> marks = Marks(new_lines=[0, 1, 2, 3], cells=[(0, 0)], caption="All around a 4")
    >>> marked(Slitherlink([[4]]), marks).title
    'Slitherlink, 1 x 1 cells, a step: All around a 4'
    """
    everything = [*marks.lines, *marks.crosses, *marks.new_lines, *marks.new_crosses]
    _check(puzzle, puzzle.lattice, max(everything, default=0))
    shapes: list[Shape] = []
    for row, col in marks.cells:
        shapes.append(Area("face", (col, row), (col + 1, row + 1)))
        a, b = 0.06, 0.94
        around = ((col + a, row + a), (col + b, row + a), (col + b, row + b), (col + a, row + b))
        shapes.append(Line("face outline", around, closed=True))
    shapes += strokes(puzzle, "known", marks.lines)
    shapes += _crosses(puzzle, "known cross", marks.crosses)
    shapes += strokes(puzzle, "new", marks.new_lines)
    shapes += _crosses(puzzle, "new cross", marks.new_crosses)
    return _on_board(puzzle, shapes, what=", a step", title=title, caption=marks.caption)


def strokes(puzzle: Puzzle, role: str, edges: Iterable[int]) -> list[Line]:
    """Edges as few long lines; where they branch, as one line each."""
    chosen = Solution(puzzle.lattice, tuple(edges))
    try:
        walks = chosen.paths()
    except ValueError:
        return [Line(role, _ends(puzzle, edge)) for edge in chosen]
    lines = []
    for walk in walks:
        closed = walk[0] == walk[-1]
        points = tuple(_point(puzzle, *place) for place in (walk[:-1] if closed else walk))
        lines.append(Line(role, points, closed))
    return lines


def _crosses(puzzle: Puzzle, role: str, edges: Iterable[int]) -> list[Shape]:
    shapes: list[Shape] = []
    for edge in sorted(edges):
        (x, y), (x2, y2) = _ends(puzzle, edge)
        x, y = (x + x2) / 2, (y + y2) / 2
        if puzzle.through_cells:
            shapes.append(Disc("ground", (x, y), _GROUND))
        for way in (1, -1):
            start, end = (x - _CROSS, y - way * _CROSS), (x + _CROSS, y + way * _CROSS)
            shapes.append(Line(role, (start, end)))
    return shapes


def _ends(puzzle: Puzzle, edge: int) -> tuple[Point, Point]:
    lattice = puzzle.lattice
    first, last = (lattice.position(int(end)) for end in lattice.edge_vertices[edge])
    return _point(puzzle, *first), _point(puzzle, *last)


def _point(puzzle: Puzzle, row: int, col: int) -> Point:
    """A vertex: a dot, or the middle of a cell."""
    middle = 0.5 if puzzle.through_cells else 0.0
    return col + middle, row + middle


def _on_board(
    puzzle: Puzzle,
    shapes: Sequence[Shape],
    *,
    what: str,
    title: str | None,
    legend: Sequence[Key] = (),
    caption: str | None = None,
) -> Picture:
    """The shapes between what lies below them and what lies above."""
    # Areas lie under the board; crosses on it, as between two numbers there is little room.
    areas = [shape for shape in shapes if isinstance(shape, Area)]
    crosses = [shape for shape in shapes if shape.role in _ON_TOP]
    others = [
        shape for shape in shapes if not isinstance(shape, Area) and shape.role not in _ON_TOP
    ]
    board = [*areas, *below(puzzle), *others, *above(puzzle), *crosses]
    return laid_out(puzzle, board, what=what, title=title, legend=legend, caption=caption)


def _check(puzzle: Puzzle, lattice: Lattice, edge: int = 0) -> None:
    if lattice != puzzle.lattice:
        raise ValueError("the solution belongs to a board of another size")
    if not 0 <= edge < max(1, lattice.num_edges):
        raise ValueError(f"no edge {edge} on this board")
