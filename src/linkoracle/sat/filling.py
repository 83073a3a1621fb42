"""`Filling`: solutions that use all vertices, near taut ones that do not.

See `docs/explanation/taut.md`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from linkoracle.board.solution import Solution
from linkoracle.sat.clauses import on_path, other_than
from linkoracle.sat.search import LazySearch

if TYPE_CHECKING:
    from random import Random

    from linkoracle.board.model import LinkModel
    from linkoracle.core.limits import Deadline


def fills(model: LinkModel, solution: Solution) -> bool:
    """Return whether a solution of the relaxation uses all vertices."""
    return len(solution) == model.lattice.num_vertices - len(model.terminals)


class Filling:
    """Solutions of a ``model`` of paths between pairs that must use all vertices.

    Use as a context manager. Encoding a huge board may raise `SearchTimeout`.

    >>> from linkoracle.board.lattice import Lattice
    >>> from linkoracle.board.model import LinkModel
    >>> from linkoracle.core.limits import Deadline
    >>> from linkoracle.core.randomness import source
    >>> model = LinkModel.blank_paths(Lattice(4, 4), [(0, 3), (12, 15)], cover=True)
    >>> straight = Solution(model.lattice, (0, 2, 4, 21, 22, 23))
    >>> with Filling(model, None, Deadline(None)) as filling:
    ...     fills(model, straight), filling.near(straight, 0.5, source(1, 0), Deadline(None))
    ...     [len(solution) for solution in filling.solutions]
    (False, True)
    [14]
    """

    def __init__(self, model: LinkModel, solver: str | None, deadline: Deadline) -> None:
        self.model = model
        self._search = LazySearch(model, solver, deadline=deadline)
        self._colours = self._search.colour(deadline)
        #: The number of the path that ends at a vertex.
        self._number = {end: path for path, pair in enumerate(model.terminals) for end in pair}
        #: The solutions found or given, each once.
        self.solutions: list[Solution] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._search.close()

    def add(self, solution: Solution) -> None:
        """Add a solution unless it is known, and exclude it from the search."""
        if solution not in self.solutions:
            self._search.add([other_than(solution.edges)])
            self.solutions.append(solution)

    def near(self, other: Solution, share: float, rng: Random, deadline: Deadline) -> bool:
        """Add a solution similar to ``other``; return whether one was found.

        Each vertex that ``other`` uses is assumed to be on the same path, with probability
        ``share``. Raises `SearchTimeout` and `ConflictLimit`.
        """
        lattice = self.model.lattice
        assumed = []
        for path in other.paths():
            vertices = [lattice.vertex(*place) for place in path]
            number = self._number[vertices[0]]
            for vertex in vertices:
                if rng.random() < share:
                    assumed += on_path(self._colours.of(vertex), number)
        edges = self._search.next_solution(assumed, deadline)
        if edges is not None:
            self.add(Solution(lattice, edges))
        return edges is not None
