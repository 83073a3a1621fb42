"""Make certificates: find the solutions, refute all others, and write the proof.

`verify_certificate` defines the axioms of the puzzle and their order. If probes do not refute all
alternatives, a solver with these axioms and cuts does, and logs its learned clauses. `Refutation`
turns the log into a resolution proof. Without compiled modules, nothing is probed, the plain engine
finds the cuts, and `PlainRefutation` reads the log.

Certificates can also be written in the formats of SAT solvers, DIMACS and DRAT or LRAT, for other
checkers. The clauses are those that the proof uses. These files prove less than the certificate:
only the verifier checks that these clauses follow from the puzzle.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkoracle import solving
from linkoracle.board import END, HOLE, PASS_OR_SKIP, LinkModel, Solution, model_of, rerouted
from linkoracle.certificates import verify_certificate as checker
from linkoracle.certificates.refuting import Derivation, PlainRefutation, derived_by_probes
from linkoracle.certificates.verify_certificate import Clause
from linkoracle.certificates.writing import (
    Cut,
    CutWriter,
    lines_of,
    number,
    packed,
    record_of,
    refuted,
    rising,
)
from linkoracle.core import (
    COMPILED,
    ConflictLimit,
    Deadline,
    NoCertificate,
    SearchTimeout,
    atomic_write,
    checked_int,
    checked_limit,
    counted,
)
from linkoracle.engines import Oracle, PieceSolver, completed, plain
from linkoracle.kinds import Puzzle

if TYPE_CHECKING:
    from linkoracle.certificates.refutation_kernel import Refutation


#: Conflicts of the solver between two checks of the deadline.
_SLICE = 1_000

#: Number of rounds after which cuts are chosen with more care.
_EASY = 10

#: Conflict budget to decide whether a solution is the only one even if cells may stay empty.
_CONFLICT_BUDGET = 100_000


@dataclass(frozen=True)
class Certificate:
    """A proof that a puzzle or model has exactly these ``solutions``, as ``data`` for a file.

    ``clues`` are the cells of a Slitherlink whose clues the proof uses: with these alone, the
    solutions would still be the only ones. For a model they are faces, as named by
    `Board.face_name`. ``of_model`` is true if the proof is about the model of the puzzle, because
    the verifier does not know its rules.
    """

    puzzle: Puzzle | LinkModel
    solutions: tuple[Solution, ...]
    clues: frozenset[Any]
    data: bytes = field(repr=False)
    of_model: bool = False

    def save(self, path: str | Path) -> None:
        """Write the file completely or not at all. Raises ``OSError``."""
        with atomic_write(Path(path)) as file:
            file.write(self.data)

    def dimacs(self) -> str:
        """Return the clauses that the proof uses, axioms and cuts, as a DIMACS file (CNF).

        >>> from linkoracle import Slitherlink
        >>> certificate(Slitherlink([[3, 4]])).dimacs().splitlines()[0]
        'p cnf 7 7'
        """
        clauses, _ = refuted(self.data)
        variables = max((abs(x) for clause in clauses for x in clause), default=0)
        return f"p cnf {variables} {len(clauses)}\n" + lines_of((*clause, 0) for clause in clauses)

    def drat(self) -> str:
        """Return the lemmas as a DRAT proof in text: each follows by unit propagation."""
        _, lemmas = refuted(self.data)
        return lines_of((*clause, 0) for clause, _ in lemmas)

    def lrat(self) -> str:
        """Return the lemmas as an LRAT proof, with hints, so that a checker need not search."""
        clauses, lemmas = refuted(self.data)
        numbered = enumerate(lemmas, start=len(clauses) + 1)
        return lines_of((index, *clause, 0, *hints, 0) for index, (clause, hints) in numbered)


def certificate(
    puzzle: Puzzle | LinkModel,
    *,
    limit: int = 10,
    taut: bool = True,
    timeout: float | None = None,
    memory: int | None = None,
) -> Certificate:
    """Prove which solutions a puzzle or model has, so that anyone can check it.

    The verifier knows the rules of Slitherlink, Numberlink and most kinds of one loop through cells
    (``docs/reference/certificate-format.md`` names them). For a puzzle of another kind, or with
    given or forbidden lines or missing dots, it checks the ``model``.

    If ``taut``, the proof for a Numberlink may use that only taut solutions matter
    (``docs/explanation/taut.md``), which the proved checker does not know.

    Raises `NoCertificate` for boards of more than 40,000 cells (models: 80,000 vertices or 160,000
    edges), for counts of thousands of literals, and for more than ``limit`` solutions. Raises
    `SearchTimeout` after ``timeout`` seconds, and `MemoryLimit` if it needs more than ``memory``
    bytes (None: half of the free memory).

    >>> from linkoracle import Slitherlink
    >>> made = certificate(Slitherlink([[3, None, 3], [None, None, None], [3, None, 3]]))
    >>> len(made.solutions), len(made.data) < 1000
    (2, True)
    """
    checked_int(limit, "a limit of solutions", 0)
    deadline = Deadline(timeout)
    record, board = _as_verified(puzzle)
    model = model_of(puzzle)
    found = _all_solutions(puzzle, limit, deadline, memory)
    deadline.found = len(found)
    edges = [sorted(solution.edges) for solution in found]
    # If cells may stay empty, only taut solutions matter, unless one of several can be rerouted.
    pairs = taut and record.get("variant") in ("free", "fill")
    stated = (pairs and _relaxed(model, found, deadline)) or model
    taut = pairs and stated.is_free and (len(found) < 2 or _are_rigid(model, found))
    if taut and record["variant"] == "fill":
        # On other boards, cells may stay empty anyway.
        board = checker.Board(checker.Puzzle(record), taut)
    axioms = list(board.axioms(edges, taut))
    clauses = [clause for clause, _ in axioms]
    room = checked_limit(memory)
    refuted: Any = None
    if COMPILED and found and board.loop:
        derived = derived_by_probes(model, board, found[0], clauses, deadline, room)
        refuted = derived and _completed(derived, model, deadline)
    refutation, cuts = refuted or _refuted_by_solver(stated, board, clauses, deadline, room)
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
    of_model = record["kind"] == "model"
    faces = model.board if isinstance(puzzle, LinkModel) or of_model else puzzle.faces
    clues = frozenset(faces.face_name(face) for face in cells if face is not None)
    return Certificate(puzzle, tuple(found), clues, packed(text), of_model)


def _as_verified(puzzle: Puzzle | LinkModel) -> tuple[dict[str, Any], checker.Board]:
    """Return the record of a puzzle, or of its model, and the board that the verifier makes of it.

    Raises `NoCertificate` for a board that is too large, or has no numbers.
    """
    record = record_of(puzzle)
    try:
        try:
            return record, checker.Board(checker.Puzzle(record))
        except checker.Refused:
            if record["kind"] not in checker.LOOPS:
                raise
            # Clues of large boards may say too much; the model may have variables for them.
            record = record_of(model_of(puzzle))
            return record, checker.Board(checker.Puzzle(record))
    except checker.Refused as reason:
        raise NoCertificate(f"the verifier would refuse the puzzle: {reason}") from None


def _all_solutions(
    puzzle: Puzzle | LinkModel, limit: int, deadline: Deadline, memory: int | None
) -> list[Solution]:
    """Return all solutions, sorted by edges; raise `NoCertificate` for more than ``limit``."""
    more = f"there are more solutions than the limit of {counted(limit, 'solution')}"
    try:
        found = solving.decide(puzzle, timeout=deadline.left, memory=memory).solutions
        # Far sooner than the engines list as many solutions.
        if len(found) > 1 and _are_more(model_of(puzzle), found[0], limit, deadline):
            raise NoCertificate(more)
        others = _all_taut(model_of(puzzle), found, limit, deadline) if len(found) > 1 else None
        if others is not None:
            found = others
        elif len(found) > 1:
            found = solving.count_result(
                puzzle, limit + 1, keep=True, timeout=deadline.left, memory=memory
            ).solutions
        if len(found) > limit:
            raise NoCertificate(more)
    except SearchTimeout as error:
        deadline.found = error.found
        deadline.check()  # whose message has the whole time limit, not the rest
        raise
    return sorted(found, key=lambda solution: sorted(solution.edges))


def _are_more(model: LinkModel, solution: Solution, limit: int, deadline: Deadline) -> bool:
    """Return whether more solutions than the limit differ from one in a single path, if any.

    Only of models whose vertices may all stay unused; False for others.
    """
    walks = solution.walks() if model.is_free else []
    number = 1
    for walk in walks:
        degrees = bytearray(model.degrees)
        for other in walks:
            for vertex in other:
                degrees[vertex] = HOLE if other is not walk else PASS_OR_SKIP
        degrees[walk[0]] = degrees[walk[-1]] = END
        alone = LinkModel.blank_paths(model.board, [(walk[0], walk[-1])])
        alone = replace(alone, degrees=bytes(degrees))
        left = limit + 2 - number
        number += solving.count_result(alone, left, timeout=deadline.left).count - 1
        if number > limit:
            return True
    return False


def _are_rigid(model: LinkModel, solutions: Iterable[Solution]) -> bool:
    """Return whether no solution has a path that can be rerouted."""
    return all(rerouted(model.lattice, solution) is None for solution in solutions)


def _all_taut(
    model: LinkModel, known: tuple[Solution, ...], limit: int, deadline: Deadline
) -> tuple[Solution, ...] | None:
    """Return all solutions of a free Numberlink, up to one more than ``limit``.

    ``None`` if another engine has to list them: one can be rerouted, or the board is not free. If
    none can, all are taut (``docs/explanation/taut.md``); a search for taut ones finds the rest.
    """
    if not model.is_free:
        return None
    with Oracle(model) as oracle:
        while len(known) <= limit:
            if not _are_rigid(model, known):
                return None
            other = oracle.another_taut(known, deadline)
            if other is None:
                break
            known = (*known, other)
    return known


def _auxiliary(
    model: LinkModel, found: list[Solution], deadline: Deadline
) -> list[list[int]] | None:
    """Return for each solution the true auxiliary variables; ``None`` if the model has none."""
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


def _relaxed(model: LinkModel, found: list[Solution], deadline: Deadline) -> LinkModel | None:
    """Return the relaxation, whose cells may stay empty, if its only solution uses all cells.

    This holds for most published boards, and makes others far easier to refute.
    """
    relaxation = model.relaxed
    if relaxation is None or len(found) != 1:
        return None
    with Oracle(relaxation) as oracle:
        try:
            other = oracle.another(found[0], timeout=deadline.with_conflicts(_CONFLICT_BUDGET))
        except ConflictLimit:
            return None
    return relaxation if other is None else None


def _completed(
    derived: Derivation, model: LinkModel, deadline: Deadline
) -> tuple[Refutation, Callable[[int], Cut]] | None:
    """Refute with a solver what probes left open; ``None`` if that fails, which is rare."""
    refutation, cuts = derived.refutation, derived.cuts
    if not refutation.is_done:
        made, insides, log = _learned(model, refutation.open_clauses(), deadline)
        for cut, inside in zip(made, insides, strict=True):
            cuts.append(derived.writer.cut_of(cut, inside))
            refutation.add(cut, deadline)
        if not refutation.follow(log, True, deadline):
            return None
    return refutation, cuts.__getitem__


def _refuted_by_solver(
    model: LinkModel, board: checker.Board, axioms: list[Clause], deadline: Deadline, memory: int
) -> tuple[Refutation | PlainRefutation, Callable[[int], Cut]]:
    """Return a refutation of the axioms and of cuts, and the cuts by number."""
    cuts, insides, log = _learned(model, axioms, deadline)
    writer = CutWriter(board)
    # The log may use a clause that the solver deleted when it was no longer needed for
    # satisfiability. In that case, replay without deletions.
    for deleting in (True, False):
        refutation = _refutation([*axioms, *cuts], memory)
        if refutation.follow(log, deleting, deadline):
            return refutation, lambda index: writer.cut_of(cuts[index], insides[index])
    raise AssertionError("the solver's log has a clause that does not follow")


def _refutation(clauses: list[Clause], memory: int) -> Refutation | PlainRefutation:
    if not COMPILED:
        return PlainRefutation(clauses)
    from linkoracle.certificates.refutation_kernel import Refutation

    return Refutation(clauses, memory)


def _learned(
    model: LinkModel, axioms: Sequence[Sequence[int]], deadline: Deadline
) -> tuple[list[Clause], list[list[int]], bytes]:
    """Return cuts that contradict the axioms, their vertices, and the log in binary DRAT."""
    cuts: list[Clause] = []
    insides: list[list[int]] = []
    if () in axioms:
        # Not every solver accepts the empty clause.
        return cuts, insides, b""
    find_cuts = _cut_finder(model)
    rounds = 0
    with closing(PieceSolver("cadical195", _SLICE, proof=True)) as solver:
        for clause in axioms:
            solver.add(list(clause))
        while solver.solve([], deadline):
            rounds += 1
            made = find_cuts(solver.model(), rounds > _EASY, insides)
            if not made and model.free_ends:
                # The axioms do not say how many edges a path has.
                raise NoCertificate(
                    "certificates of a path with free ends are for boards on which the other "
                    "constraints exclude a loop through all vertices"
                )
            if not made:
                raise AssertionError("a solution of the clauses does not solve the puzzle")
            for cut in made:
                solver.add(cut)
            cuts += map(tuple, made)
        return cuts, insides, solver.proof()


def _cut_finder(model: LinkModel) -> Callable[[list[int], bool, list[list[int]]], list[list[int]]]:
    """Return a function that finds the cuts for a model of the solver, and adds their vertices.

    Its second argument is whether to choose the cuts with more care.
    """
    if COMPILED:
        from linkoracle.engines.connectivity import CutMaker

        maker = CutMaker(model)
        return lambda values, thorough, insides: maker.check(
            values, {}, thorough=thorough, insides=insides
        )[1]

    def find_cuts(values: list[int], _: bool, insides: list[list[int]]) -> list[list[int]]:
        chosen = [edge for edge in range(model.board.num_edges) if values[edge] > 0]
        cuts = [*plain.cuts_of(model, chosen)]
        insides += (sorted(part) for part, _ in cuts)
        return [cut for _, cut in cuts]

    return find_cuts
