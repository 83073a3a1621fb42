"""Refute alternatives without a solver, for loops that propagation and probes decide.

`linkoracle.lines.rules_kernel` decides the edges of most puzzles one by one. In this order, the
edges are lemmas: each follows by unit propagation from the axioms, the earlier lemmas, and cuts
that forbid premature cycles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from linkoracle.board.model import Modelled, model_of
from linkoracle.board.solution import Solution
from linkoracle.certificates.refutation_kernel import Refutation
from linkoracle.certificates.verify_certificate import Board, Clause
from linkoracle.certificates.writing import Cut, CutWriter
from linkoracle.core.limits import Deadline
from linkoracle.lines.rules_kernel import Rules


def refuted_by_probes(
    puzzle: Modelled,
    board: Board,
    solution: Solution,
    axioms: list[Clause],
    deadline: Deadline,
    memory: int,
) -> tuple[Refutation, Callable[[int], Cut]] | None:
    """Return a refutation of the axioms and of cuts, and the cuts; ``None`` if probes fail.

    The ``solution`` must be a loop, and the only solution.
    """
    rules = Rules(model_of(puzzle))
    if not rules.preprocess(deadline):
        return None
    # Auxiliary variables follow from the edges. If not, the solver takes over.
    steps = [step for step in rules.steps() if step[0] < len(board.edges)]
    if len(steps) < len(board.edges):
        return None
    derivation = _Derivation(board, Refutation(axioms, memory), deadline)
    chosen = set(solution.edges)
    for edge, probed in steps:
        # Short derivations do not check the deadline.
        deadline.check()
        literal = edge + 1 if edge in chosen else -edge - 1
        # If the edge follows from both values of another edge, first assume a line there.
        if probed >= 0 and not derivation.follows((literal, -probed - 1)):
            return None
        if not derivation.follows((literal,)):
            return None
    # Now the edges are those of the solution, which an axiom forbids.
    return derivation.refutation, derivation.cuts.__getitem__


class _Derivation:
    """Derives clauses, and the cuts needed for them."""

    def __init__(self, board: Board, refutation: Refutation, deadline: Deadline) -> None:
        self.cuts: list[Cut] = []
        self.refutation = refutation
        self._board = board
        self._deadline = deadline
        self._writer = CutWriter(board)
        #: Whether each known edge is a line.
        self._lines: dict[int, bool] = {}
        #: The number of root literals in ``_lines``; these never change.
        self._known_roots = 0
        refutation.begin(deadline)

    def follows(self, clause: Clause) -> bool:
        """Derive a clause; return whether it follows."""
        while (literals := self.refutation.derive(clause, self._deadline)) is not None:
            roots = self.refutation.root_literals(self._known_roots)
            self._known_roots += len(roots)
            self._lines |= self._lines_of(roots)
            # Paths that consist of root literals were forbidden before.
            fresh = self._lines_of(literals)
            self._lines |= fresh
            starts = [edge for edge, drawn in fresh.items() if drawn]
            forbidden = sum([self._forbid(*path) for path in self._paths(starts)])
            for edge in fresh:
                del self._lines[edge]
            if not forbidden:
                return False
        return True

    def _paths(self, starts: list[int]) -> Iterator[tuple[list[int], list[int]]]:
        """Yield the paths and cycles of lines with one of these edges: vertices and edges.

        At most two lines meet, since the axioms are satisfied.
        """
        seen: set[int] = set()
        for start in starts:
            if start not in seen:
                vertices, edges = [*self._board.edges[start]], [start]
                for _ in range(2):
                    self._extend(vertices, edges)
                    vertices.reverse()
                    edges.reverse()
                seen.update(edges)
                yield vertices, edges

    def _extend(self, vertices: list[int], edges: list[int]) -> None:
        """Follow lines from the end of a path until they end or return to its start."""
        board = self._board
        while (here := vertices[-1]) != vertices[0]:
            onward = (e for e in board.around[here] if e != edges[-1] and self._lines.get(e))
            edge = next(onward, None)
            if edge is None:
                return
            edges.append(edge)
            vertices.append(board.beyond(edge, here))

    def _forbid(self, vertices: list[int], edges: list[int]) -> bool:
        """Forbid a cycle of lines, or of a path and one more edge; return whether it was one."""
        board, start, end = self._board, vertices[0], vertices[-1]
        if start != end:
            beside = (e for e in board.around[start] if board.beyond(e, start) == end)
            closing = next(beside, None)
            if closing is None or closing in self._lines:
                return False
            edges.append(closing)
        inside = set(vertices)
        outside = self._writer.requiring(inside, side=False)
        if outside is None:
            return False
        witnesses = [edges[-1] + 1, outside]
        clause, cells = board.cut(inside, witnesses)
        self.cuts.append(Cut(inside, witnesses, cells))
        self.refutation.add(clause, self._deadline)
        cycle = tuple(-1 - edge for edge in edges)
        return self.refutation.derive(cycle, self._deadline) is None

    def _lines_of(self, literals: list[int]) -> dict[int, bool]:
        """Return for the edge of each literal whether it is a line."""
        edges = len(self._board.edges)
        return {abs(x) - 1: x > 0 for x in literals if -edges <= x <= edges}
