"""Certificates are made here: find the solutions, refute all others, and write down how.

The SAT engine finds the solutions and, on the way, cuts. With these as clauses, a second solver
refutes the board alone and logs what it learns; `Refutation` turns that into resolution.
What is stated of the puzzle, and in which order, is `verify_certificate`'s to say.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from linkoracle.board.lattice import Solution
from linkoracle.board.rerouting import rerouted
from linkoracle.certificates import verify_certificate as checker
from linkoracle.certificates.refutation_kernel import Refutation
from linkoracle.certificates.verify_certificate import Clause
from linkoracle.certificates.writing import CutWriter, number, packed, record_of, rising
from linkoracle.core.atomic_write import atomic_write
from linkoracle.core.errors import NoCertificate, counted
from linkoracle.core.limits import Deadline, checked_int, default_limit
from linkoracle.kinds import Puzzle
from linkoracle.sat.clauses import colour_clauses
from linkoracle.sat.search import LazySearch
from linkoracle.sat.taut_clauses import taut_clauses

#: Conflicts of the solver between two looks at the clock.
_SLICE = 10_000


@dataclass(frozen=True)
class Certificate:
    """A proof that a puzzle has exactly these ``solutions``, as ``data`` for a file.

    ``clues`` are the cells of the clues that exclude all other edge sets: with these alone, the
    solutions would still be the only ones.
    """

    puzzle: Puzzle
    solutions: tuple[Solution, ...]
    clues: frozenset[tuple[int, int]]
    data: bytes = field(repr=False)

    def save(self, path: str | Path) -> None:
        """Write the file, whole or not at all. Raises ``OSError``."""
        with atomic_write(Path(path)) as file:
            file.write(self.data)


def certificate(
    puzzle: Puzzle, *, limit: int = 10, timeout: float | None = None, memory: int | None = None
) -> Certificate:
    """Prove how many solutions a puzzle has, and which, for anybody to check.

    For Slitherlink, Simple Loop and Numberlink. Raises `NoCertificate` for other kinds, and for
    more than ``limit`` solutions; `SearchTimeout` after ``timeout`` seconds; `MemoryLimit` if the
    proof needs more than ``memory`` bytes (None: half of what is free).

    >>> from linkoracle import Slitherlink
    >>> made = certificate(Slitherlink([[3, None, 3], [None, None, None], [3, None, 3]]))
    >>> len(made.solutions), len(made.data) < 1000
    (1, True)
    """
    checked_int(limit, "a limit of solutions", 0)
    deadline = Deadline(timeout)
    record = record_of(puzzle)
    board = checker.Board(checker.Puzzle(record))
    # If paths may leave out cells, only the taut solutions matter, unless there are several.
    for taut in (True, False) if record["rule"] == "free" else (False,):
        most = 1 if taut else limit
        with LazySearch(puzzle.model, deadline=deadline, logged=True) as search:
            search.add(list(board.encoding(taut)))
            found = _solutions(search, most + 1, deadline)
            if taut and (len(found) > 1 or any(rerouted(puzzle.lattice, one) for one in found)):
                continue
            if len(found) > limit:
                what = counted(limit, "solution")
                raise NoCertificate(f"there are more solutions than the limit of {what}")
            axioms = list(board.axioms(found, taut))
            proof, cells = _proof(board, axioms, search, deadline, memory)
        header = {"format": checker.FORMAT, "version": checker.VERSION, "puzzle": record}
        header |= {"solutions": found} | ({"taut": True} if taut else {})
        text = json.dumps(header, separators=(",", ":")).encode() + b"\n" + proof
        return Certificate(
            puzzle,
            tuple(Solution(puzzle.lattice, edges) for edges in found),
            frozenset(divmod(cell, puzzle.cols) for cell in cells if cell is not None),
            packed(text),
        )
    raise AssertionError("the last try has an end of its own")


def _solutions(search: LazySearch, most: int, deadline: Deadline) -> list[list[int]]:
    """The edges of so many solutions, or of all if there are fewer, in order."""
    found: list[list[int]] = []
    while len(found) < most and (edges := search.next_solution((), deadline)) is not None:
        found.append(sorted(edges))
        deadline.found = len(found)
        # No solution contains another.
        search.add([[-1 - edge for edge in edges]])
    return sorted(found)


def _proof(
    board: checker.Board,
    axioms: list[tuple[Clause, int | None]],
    search: LazySearch,
    deadline: Deadline,
    memory: int | None,
) -> tuple[bytes, set[int | None]]:
    """The proof of a certificate, and the cells of the clues that it rests on."""
    clauses = [clause for clause, _ in axioms]
    clauses += map(tuple, search.cuts or ())
    used, lemmas = _refutation(clauses, search.proof(), deadline, memory)
    known = [index for index in used if index < len(axioms)]
    cells = {axioms[index][1] for index in known}
    chosen = [clauses[index] for index in used[len(known) :]]
    proof = rising(known) + number(len(chosen))
    writer = CutWriter(board)
    for clause in chosen:
        deadline.check()
        inside, witnesses = writer.set_of(clause)
        stated, rests_on = board.cut(inside, witnesses)
        if {*stated} != {*clause}:
            raise AssertionError("a cut of the search is none")
        cells |= rests_on
        proof += rising(sorted(inside)) + b"".join(map(number, witnesses))
    return proof + lemmas, cells


def _refutation(
    clauses: list[Clause], proof: bytes, deadline: Deadline, memory: int | None
) -> tuple[list[int], bytes]:
    """The clauses that a refutation of them needs, and its lemmas."""
    # A clause that the solver forgot may come back, once it is not needed for satisfiability any
    # more: then nothing is forgotten.
    for deleting in (True, False):
        refutation = Refutation(clauses, memory or default_limit())
        if refutation.follow(proof, deleting, deadline):
            return refutation.chains()
    raise AssertionError("the solver's proof has a clause that does not follow")
