"""Certificates in the formats of SAT solvers, DIMACS and DRAT or LRAT, for other checkers.

The clauses are those that the proof uses. The files prove less than the certificate: only the
verifier checks that these clauses follow from the puzzle.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate, islice
from typing import NamedTuple

from linkoracle.certificates import verify_certificate as checker
from linkoracle.certificates.verify_certificate import Clause


class Lemma(NamedTuple):
    """A clause, and the numbers, from 1, of the clauses that imply it, in the order of LRAT."""

    clause: Clause
    hints: tuple[int, ...]


def lines_of(numbers: Iterable[Clause]) -> str:
    """Return a line of text for each row of numbers."""
    return "".join(" ".join(map(str, row)) + "\n" for row in numbers)


def refuted(data: bytes) -> tuple[list[Clause], list[Lemma]]:
    """Return the contradictory clauses of a certificate, and its lemmas, numbered after them.

    Takes as long as its verification.
    """
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
    return [tuple(sorted(clause, key=abs)) for clause in clauses], lemmas
