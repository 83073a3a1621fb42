"""Certificates are made here: find the solutions, refute all others, and write down how.

What is stated of the puzzle, and in which order, is `verify_certificate`'s to say. Where tries of
single edges do not refute that there is another solution, a solver that is given just that, and
cuts, does, and logs what it learns; `Refutation` turns the log into resolution.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from linkoracle import solving
from linkoracle.board.model import LinkModel, model_of
from linkoracle.board.solution import Solution
from linkoracle.certificates import verify_certificate as checker
from linkoracle.certificates.export import refuted
from linkoracle.certificates.refutation_kernel import Refutation
from linkoracle.certificates.tries import refuted_by_tries
from linkoracle.certificates.verify_certificate import Clause
from linkoracle.certificates.writing import Cut, CutWriter, number, packed, record_of, rising
from linkoracle.core.atomic_write import atomic_write
from linkoracle.core.errors import ConflictLimit, NoCertificate, counted
from linkoracle.core.limits import Deadline, checked_int, default_limit
from linkoracle.kinds import Puzzle
from linkoracle.sat.clauses import CutMaker, PieceSolver, completed
from linkoracle.sat.oracle import Oracle

#: Conflicts of the solver between two looks at the clock.
_SLICE = 1_000

#: Rounds after which cuts are made with more care.
_EASY = 10

#: Conflicts after which nobody knows whether a solution that fills the board is the only one.
_EFFORT = 100_000


@dataclass(frozen=True)
class Certificate:
    """A proof that a puzzle or model has exactly these ``solutions``, as ``data`` for a file.

    ``clues`` are the cells of the clues that exclude all other edge sets: with these alone, the
    solutions would still be the only ones. Of a model they are faces, as `Board.face_name` names
    them.
    """

    puzzle: Puzzle | LinkModel
    solutions: tuple[Solution, ...]
    clues: frozenset[Any]
    data: bytes = field(repr=False)

    def save(self, path: str | Path) -> None:
        """Write the file, whole or not at all. Raises ``OSError``."""
        with atomic_write(Path(path)) as file:
            file.write(self.data)

    def dimacs(self) -> str:
        """The clauses that the proof uses, axioms and cuts, as a DIMACS file (CNF).

        >>> from linkoracle import Slitherlink
        >>> certificate(Slitherlink([[3, 4]])).dimacs().splitlines()[0]
        'p cnf 7 7'
        """
        return refuted(self.data).dimacs

    def drat(self) -> str:
        """The lemmas, as a DRAT proof in text: each follows by unit propagation."""
        return refuted(self.data).drat

    def lrat(self) -> str:
        """The lemmas, as an LRAT proof: with hints, so that checking takes no search."""
        return refuted(self.data).lrat


def certificate(
    puzzle: Puzzle | LinkModel,
    *,
    limit: int = 10,
    timeout: float | None = None,
    memory: int | None = None,
) -> Certificate:
    """Prove how many solutions a puzzle or model has, and which, for anybody to check.

    For Slitherlink, Simple Loop and Numberlink, and for every `LinkModel`: of a puzzle of another
    kind, or with lines given or forbidden or with missing dots, certify its ``model``.

    Raises `NoCertificate` for such puzzles, for boards of more than 40,000 cells (of a model,
    80,000 vertices or 160,000 edges), for models whose counts take too many clauses, and for more
    than ``limit`` solutions; `SearchTimeout` after ``timeout`` seconds; `MemoryLimit` if that takes
    more than ``memory`` bytes (None: half of what is free).

    >>> from linkoracle import Slitherlink
    >>> made = certificate(Slitherlink([[3, None, 3], [None, None, None], [3, None, 3]]))
    >>> len(made.solutions), len(made.data) < 1000
    (2, True)
    """
    checked_int(limit, "a limit of solutions", 0)
    deadline = Deadline(timeout)
    record, model = record_of(puzzle), model_of(puzzle)
    try:
        board = checker.Board(checker.Puzzle(record))
    except checker.Refused as reason:
        # A board is too large, or has no numbers to join.
        raise NoCertificate(f"the verifier would refuse the puzzle: {reason}") from None
    verdict = solving.decide(puzzle, timeout=timeout, memory=memory)
    found = list(verdict.solutions)
    if len(found) > 1 or len(found) > limit:
        few = solving.count_result(
            puzzle, limit + 1, keep=True, timeout=deadline.left, memory=memory
        )
        if few.count > limit:
            what = counted(limit, "solution")
            raise NoCertificate(f"there are more solutions than the limit of {what}")
        found = list(few.solutions)
    found.sort(key=lambda solution: sorted(solution.edges))
    deadline.found = len(found)
    edges = [sorted(solution.edges) for solution in found]
    # If paths may leave out cells, only the taut solutions matter, unless there are several.
    pairs = record.get("rule") in ("free", "fill")
    stated = (pairs and _freed(model, found, deadline)) or model
    taut = pairs and stated.is_free and len(found) < 2
    if taut and record["rule"] == "fill":
        # In other boards, cells may stay empty anyway.
        board = checker.Board(checker.Puzzle(record), taut)
    axioms = list(board.axioms(edges, taut))
    clauses = [clause for clause, _ in axioms]
    room = default_limit() if memory is None else memory
    tried = None
    if len(found) == 1 and board.loop:
        tried = refuted_by_tries(model, board, found[0], clauses, deadline, room)
    refutation, cuts = tried or _refuted_by_solver(stated, board, clauses, deadline, room)
    used, lemmas = refutation.chains()
    known = [index for index in used if index < len(axioms)]
    chosen: list[Cut] = []
    for index in used[len(known) :]:
        deadline.check()
        chosen.append(cuts(index - len(axioms)))
    cells = {axioms[index][1] for index in known}.union(*(cut.cells for cut in chosen))
    proof = b"".join([rising(known), number(len(chosen)), *map(bytes, chosen), lemmas])
    header = {"format": checker.FORMAT, "version": checker.VERSION, "puzzle": record}
    header |= {"solutions": edges} | ({"taut": True} if taut else {})
    if (values := _auxiliary(model, found, deadline)) is not None:
        header["auxiliary"] = values
    text = json.dumps(header, separators=(",", ":")).encode() + b"\n" + proof
    if isinstance(puzzle, LinkModel):
        clues = frozenset(model.board.face_name(face) for face in cells if face is not None)
    else:
        clues = frozenset(divmod(cell, puzzle.cols) for cell in cells if cell is not None)
    return Certificate(puzzle, tuple(found), clues, packed(text))


def _auxiliary(
    model: LinkModel, found: list[Solution], deadline: Deadline
) -> list[list[int]] | None:
    """For each solution auxiliary variables which, if they are true, fulfil all clauses."""
    known = model.board.num_edges + model.board.num_vertices
    if model.num_variables <= known:
        return None
    values = []
    for solution in found:
        true = completed(model, solution.edges, deadline)
        if true is None:
            raise AssertionError("a solution breaks the clauses")
        values.append([variable for variable in true if variable > known])
    return values


def _freed(model: LinkModel, found: list[Solution], deadline: Deadline) -> LinkModel | None:
    """The board where cells may stay empty, if its only solution there is one that fills it.

    Of published boards that is so of most, and then others are far easier to refute.
    """
    freed = model.freed
    if freed is None or len(found) != 1:
        return None
    with Oracle(freed) as oracle:
        try:
            other = oracle.another(found[0], timeout=deadline.with_conflicts(_EFFORT))
        except ConflictLimit:
            return None
    return freed if other is None else None


def _refuted_by_solver(
    model: LinkModel, board: checker.Board, axioms: list[Clause], deadline: Deadline, memory: int
) -> tuple[Refutation, Callable[[int], Cut]]:
    """A refutation of the axioms and of cuts, and the cuts by number."""
    cuts, insides, log = _learned(model, axioms, deadline)
    writer = CutWriter(board)
    # A clause that the solver forgot may come back, once it is not needed for satisfiability any
    # more: then nothing is forgotten.
    for deleting in (True, False):
        refutation = Refutation([*axioms, *cuts], memory)
        if refutation.follow(log, deleting, deadline):
            return refutation, lambda index: writer.cut_of(cuts[index], insides[index])
    raise AssertionError("the solver's log has a clause that does not follow")


def _learned(
    model: LinkModel, axioms: list[Clause], deadline: Deadline
) -> tuple[list[Clause], list[list[int]], bytes]:
    """Cuts that contradict the axioms, and all that a solver learned from both, as binary DRAT.

    With the vertices of each cut.
    """
    cuts: list[Clause] = []
    insides: list[list[int]] = []
    if () in axioms:
        # Not every solver takes the empty clause well.
        return cuts, insides, b""
    maker = CutMaker(model)
    rounds = 0
    with closing(PieceSolver("cadical195", _SLICE, proof=True)) as solver:
        for clause in axioms:
            solver.add(list(clause))
        while solver.solve([], deadline):
            rounds += 1
            thorough = rounds > _EASY
            _, made = maker.judge(solver.model(), {}, thorough=thorough, insides=insides)
            if not made:
                raise AssertionError("the clauses have a solution that is none of the puzzle")
            for cut in made:
                solver.add(cut)
            cuts += map(tuple, made)
        return cuts, insides, solver.proof()
