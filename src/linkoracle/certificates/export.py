"""Certificates in the formats of SAT solvers, DIMACS and DRAT or LRAT, for other checkers.

The clauses are those that the proof uses. The files prove less than the certificate: only the
verifier checks that these clauses follow from the puzzle.
"""

from __future__ import annotations

from itertools import accumulate, islice
from typing import NamedTuple

from linkoracle.certificates import verify_certificate as checker
from linkoracle.certificates.verify_certificate import Clause


class Lemma(NamedTuple):
    """A clause, and the numbers, from 1, of the clauses that imply it, in the order of LRAT."""

    clause: Clause
    hints: tuple[int, ...]


class Refuted(NamedTuple):
    """Contradictory clauses, and the lemmas of the proof, numbered after them."""

    clauses: list[Clause]
    lemmas: list[Lemma]

    @property
    def dimacs(self) -> str:
        variables = max((abs(x) for clause in self.clauses for x in clause), default=0)
        lines = [f"p cnf {variables} {len(self.clauses)}"]
        lines += [" ".join(map(str, (*clause, 0))) for clause in self.clauses]
        return "\n".join(lines) + "\n"

    @property
    def drat(self) -> str:
        return "".join(" ".join(map(str, (*lemma.clause, 0))) + "\n" for lemma in self.lemmas)

    @property
    def lrat(self) -> str:
        lines = []
        for index, (clause, hints) in enumerate(self.lemmas, start=len(self.clauses) + 1):
            lines.append(" ".join(map(str, (index, *clause, 0, *hints, 0))))
        return "\n".join(lines) + "\n"


def refuted(data: bytes) -> Refuted:
    """Return the clauses and lemmas of a certificate. Takes as long as its verification."""
    header, proof = checker.unpack(data)
    taut = header.get("taut", False)
    board = checker.Board(checker.Puzzle(header["puzzle"]), taut)
    numbers = checker.Numbers(proof)
    axioms = board.axioms(header["solutions"], taut)
    clauses = [next(islice(axioms, step, None))[0] for step in numbers.several()]
    for _ in range(*numbers.take(1)):
        inside = {last - 1 for last in accumulate(step + 1 for step in numbers.several())}
        clauses.append(board.cut(inside, numbers.take(2))[0])
    known = [frozenset(clause) for clause in clauses]
    lemmas = []
    for _ in range(*numbers.take(1)):
        chain = [len(known) - 1 - back for back in numbers.several()]
        lemma = known[chain[0]]
        for index in chain[1:]:
            against = {-x for x in known[index]} & lemma
            lemma = lemma - against | known[index] - {-x for x in against}
        # LRAT assumes a clause to be false. Each hint then implies one more literal, and the last
        # one is a contradiction: resolution in reverse.
        hints = tuple(index + 1 for index in reversed(chain))
        lemmas.append(Lemma(tuple(sorted(lemma, key=abs)), hints))
        known.append(lemma)
    if not lemmas:
        # The last clause is empty already.
        lemmas.append(Lemma((), (len(clauses),)))
    return Refuted([tuple(sorted(clause, key=abs)) for clause in clauses], lemmas)
