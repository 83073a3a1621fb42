"""Refute alternatives by probes instead of a solver, or a solver's log without compiled modules.

`PlainRefutation` turns a solver's learned clauses into chains of resolution. It does the same as
`linkoracle.certificates.refutation_kernel` for a whole proof, in about fifty times the time.

`derived_by_probes` needs no solver, for loops that propagation and probes decide:
`linkoracle.lines.rules_kernel` decides the edges of most puzzles one by one. In this order, the
edges are lemmas: each follows by unit propagation from the axioms, the earlier lemmas, and cuts
that forbid premature cycles. What is then left open is for a solver.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

from linkoracle.board import Modelled, Solution, model_of
from linkoracle.certificates.verify_certificate import Board, Clause, Numbers
from linkoracle.certificates.writing import Cut, CutWriter, number
from linkoracle.core import Deadline

if TYPE_CHECKING:
    from linkoracle.certificates.refutation_kernel import Refutation


class PlainRefutation:
    """A refutation of clauses, from what a solver learned, as chains of resolution.

    ``axioms`` are clauses as in DIMACS. Every learned clause must follow by unit propagation: all
    its literals are assumed to be false, and the conflict is resolved back to these assumptions.
    The chain of a clause lists the clauses that were resolved. Each literal that holds without
    assumptions, at the *root*, has a clause of its own, so that chains are short.

    >>> refutation = PlainRefutation([(1, 2), (1, -2), (-1, 2), (-1, -2)])
    >>> refutation.follow(bytes([ord("a"), 2, 0]), True, Deadline(None))
    True
    >>> refutation.chains()
    ([0, 1, 2, 3], b'\\x02\\x02\\x02\\x03\\x03\\x01\\x02\\x00')
    """

    def __init__(self, axioms: list[Clause]) -> None:
        size = 2 * max((abs(literal) for axiom in axioms for literal in axiom), default=0) + 1
        self._clauses = [[*axiom] for axiom in axioms]
        #: For each clause the clauses that it was resolved from; none for axioms.
        self._chains: list[list[int]] = [[] for _ in axioms]
        # By literal, from the negative ones to the positive ones, as Python counts from the end.
        self._values: list[bool | None] = [None] * size
        self._watched: list[list[int]] = [[] for _ in range(size)]
        #: By variable the clause that made its literal true; none for an assumption.
        self._reasons: list[int | None] = [None] * size
        self._trail: list[int] = []
        self._done = self._root = 0
        #: Clauses by the literals that the solver wrote.
        self._named: dict[frozenset[int], list[int]] = {}
        self._empty: int | None = None

    def follow(self, proof: bytes, deleting: bool, deadline: Deadline) -> bool:
        """Derive what a solver learned, in order; return whether the empty clause was reached.

        ``proof`` is binary DRAT; ``deleting`` is whether to delete the clauses that the solver
        deletes. Returns False, too, for a proof that does not follow. Raises `SearchTimeout`.
        """
        axioms = range(len(self._clauses))
        for index in sorted(axioms, key=lambda index: len(self._clauses[index]) == 1):
            self._enter(index)
        for index in axioms:
            self._named.setdefault(frozenset(self._clauses[index]), []).append(index)
        for learned, literals in steps_of(proof):
            if self._empty is not None:
                break
            deadline.check()
            if not learned:
                same = self._named.get(frozenset(literals))
                # Root literals may rest on a clause of one literal.
                if deleting and same and len(self._clauses[same[-1]]) > 1:
                    self._clauses[same.pop()] = []
            elif not self._learn(literals):
                return False
        return self._empty is not None

    def _learn(self, literals: list[int]) -> bool:
        """Derive a clause, or a part of it; return whether it follows."""
        if any(self._values[literal] for literal in literals):
            return True
        for literal in literals:
            if self._values[literal] is None:
                self._set(-literal, None)
        conflict = self._propagate()
        made = None if conflict is None else self._resolve(conflict)
        for literal in self._trail[self._root :]:
            self._values[literal] = self._values[-literal] = None
        del self._trail[self._root :]
        self._done = self._root
        if made is None:
            return False
        self._named.setdefault(frozenset(literals), []).append(made)
        self._enter(made)
        return True

    def _set(self, literal: int, reason: int | None) -> None:
        self._values[literal], self._values[-literal] = True, False
        self._reasons[abs(literal)] = reason
        self._trail.append(literal)

    def _enter(self, index: int) -> None:
        """Watch or propagate a clause. Of several literals, none may be known at the root."""
        literals = self._clauses[index]
        if not literals:
            self._empty = index
        elif len(literals) == 1:
            self._conclude(index, literals[0])
        else:
            for literal in literals[:2]:
                self._watched[literal].append(index)

    def _conclude(self, index: int, literal: int) -> None:
        """Set the literal of a clause of one at the root, and propagate."""
        if self._empty is not None or self._values[literal]:
            return
        conflict: int | None = index
        if self._values[literal] is None:
            self._set(literal, index)
            conflict = self._propagate()
        if conflict is not None:
            self._empty = self._resolve(conflict)
            return
        for literal in self._trail[self._root :]:
            reason = self._reasons[abs(literal)]
            assert reason is not None
            others = [one for one in self._clauses[reason] if one != literal]
            if others:
                units = [self._reasons[abs(one)] for one in others]
                chain = [reason, *(unit for unit in units if unit is not None)]
                self._reasons[abs(literal)] = self._add([literal], chain)
        self._root = len(self._trail)

    def _propagate(self) -> int | None:
        """Propagate units; return the clause that is violated, if any."""
        values, clauses, watched = self._values, self._clauses, self._watched
        while self._done < len(self._trail):
            false = -self._trail[self._done]
            self._done += 1
            watching, kept = watched[false], list[int]()
            for at, index in enumerate(watching):
                clause = clauses[index]
                if not clause:
                    continue
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                other = clause[0]
                if values[other]:
                    kept.append(index)
                    continue
                for place in range(2, len(clause)):
                    if values[clause[place]] is not False:
                        clause[1], clause[place] = clause[place], false
                        watched[clause[1]].append(index)
                        break
                else:
                    kept.append(index)
                    if values[other] is False:
                        watched[false] = kept + watching[at + 1 :]
                        return index
                    self._set(other, index)
            watched[false] = kept
        return None

    def _resolve(self, conflict: int) -> int:
        """Resolve a violated clause back to assumptions; return the clause of their negations.

        The chain goes down the trail: each clause meets the resolvent so far in one variable, since
        all other literals of both are false.
        """
        met, chain, literals = {-one for one in self._clauses[conflict]}, [conflict], list[int]()
        for literal in reversed(self._trail):
            if literal in met:
                reason = self._reasons[abs(literal)]
                if reason is None:
                    literals.append(-literal)
                else:
                    chain.append(reason)
                    met.update(-one for one in self._clauses[reason])
        return self._add(literals, chain)

    def _add(self, literals: list[int], chain: list[int]) -> int:
        self._clauses.append(literals)
        self._chains.append(chain)
        return len(self._clauses) - 1

    def chains(self) -> tuple[list[int], bytes]:
        """Return the axioms that the refutation needs, in order, and its lemmas in bytes.

        The bytes are numbers: how many lemmas there are; for each, how many clauses are resolved,
        and how far back each is from the last one before the lemma. Clauses are numbered with the
        axioms first. Call after `follow` has returned true.
        """
        assert self._empty is not None
        needed = {self._empty}
        for index in range(self._empty, -1, -1):
            if index in needed:
                needed.update(self._chains[index])
        axioms = [index for index in sorted(needed) if not self._chains[index]]
        lemmas = [index for index in sorted(needed) if self._chains[index]]
        names = dict(zip([*axioms, *lemmas], count(), strict=False))
        found = [number(len(lemmas))]
        for index in lemmas:
            chain = self._chains[index]
            found.append(number(len(chain)))
            found += (number(names[index] - 1 - names[used]) for used in chain)
        return axioms, b"".join(found)


def steps_of(proof: bytes) -> Iterator[tuple[bool, list[int]]]:
    """Yield the steps of a proof in binary DRAT: whether a clause is learned, and its literals.

    >>> [*steps_of(bytes([ord("a"), 2, 5, 0, ord("d"), 0x81, 1, 0]))]
    [(True, [1, -2]), (False, [-64])]
    """
    # The letter that begins a step is a number of one byte; a 0 ends the step.
    numbers = Numbers(proof).stream
    for kind in numbers:
        literals = [-(one >> 1) if one & 1 else one >> 1 for one in iter(numbers.__next__, 0)]
        yield kind == ord("a"), literals


def derived_by_probes(
    puzzle: Modelled,
    board: Board,
    solution: Solution,
    axioms: list[Clause],
    deadline: Deadline,
    memory: int,
) -> Derivation | None:
    """Derive the edges that probes decide from the axioms and cuts; ``None`` if probes do nothing.

    The ``solution`` must be a loop, one of all. If it is the only one, this may refute the axioms.
    """
    from linkoracle.certificates.refutation_kernel import Refutation
    from linkoracle.lines.rules_kernel import Rules

    rules = Rules(model_of(puzzle))
    if not rules.preprocess(deadline):
        return None
    derivation = Derivation(board, Refutation(axioms, memory), deadline)
    chosen = set(solution.edges)

    def edges_of(variable: int) -> list[int]:
        """Return an edge, or all of a vertex whose visit is the variable."""
        vertex = variable - len(board.edges)
        return [variable] if vertex < 0 else board.around[vertex]

    # Auxiliary variables have other numbers there.
    known = len(board.edges) + len(board.around)
    for variable, probed in rules.steps():
        # Short derivations do not check the deadline.
        deadline.check()
        if max(variable, probed) >= known or not (edges := edges_of(variable)):
            continue
        if chosen.isdisjoint(edges):
            clauses: list[Clause] = [(-1 - edge,) for edge in edges]
        else:
            clauses = [tuple(edge + 1 for edge in edges)]
        for clause in clauses:
            if probed >= 0:
                # It follows from both values of another variable.
                others = edges_of(probed)
                if len(others) > 1:
                    derivation.follows((*clause, *(e + 1 for e in others if e not in edges)))
                for edge in others:
                    if edge not in edges:
                        derivation.follows((*clause, -1 - edge))
            derivation.follows(clause)
    return derivation


class Derivation:
    """Derives clauses, and the cuts needed for them."""

    def __init__(self, board: Board, refutation: Refutation, deadline: Deadline) -> None:
        self.cuts: list[Cut] = []
        self.refutation = refutation
        self._board = board
        self._deadline = deadline
        self.writer = CutWriter(board)
        #: Whether each known edge is a line.
        self._lines: dict[int, bool] = {}
        #: The number of root literals in ``_lines``; these never change.
        self._known_roots = 0
        refutation.begin(deadline)

    def follows(self, clause: Clause) -> bool:
        """Derive a clause if it follows by unit propagation; return whether it does."""
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
            joining = (e for e in board.around[start] if board.beyond(e, start) == end)
            closing = next(joining, None)
            if closing is None or closing in self._lines:
                return False
            edges.append(closing)
        inside = set(vertices)
        beside: Clause = ()
        outside = self.writer.requiring(inside, side=False)
        if outside is None:
            # Another line, known or assumed.
            others = (edge for edge, drawn in self._lines.items() if drawn)
            away = next((e for e in others if not inside.issuperset(board.edges[e])), None)
            if away is None:
                return False
            outside, beside = away + 1, (-1 - away,)
        witnesses = [edges[-1] + 1, outside]
        clause, cells = board.cut(inside, witnesses)
        self.cuts.append(Cut(inside, witnesses, cells))
        self.refutation.add(clause, self._deadline)
        cycle = (*beside, *(-1 - edge for edge in edges))
        return self.refutation.derive(cycle, self._deadline) is None

    def _lines_of(self, literals: list[int]) -> dict[int, bool]:
        """Return for the edge of each literal whether it is a line."""
        edges = len(self._board.edges)
        return {abs(x) - 1: x > 0 for x in literals if -edges <= x <= edges}
