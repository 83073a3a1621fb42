"""Verify certificates by the checker that is proved correct (`verified/`).

The checker reads the puzzle, as native text, and steps, which are made here of a certificate. These
need not be trusted: its theorem holds for any steps.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice, pairwise
from pathlib import Path

from linkoracle.board import model_of
from linkoracle.certificates import verify_certificate as checker
from linkoracle.certificates.verify_certificate import Clause
from linkoracle.certificates.writing import record_of
from linkoracle.core import NoCertificate
from linkoracle.kinds import Puzzle

#: Where `make verified` writes the checker.
BUILT = Path(__file__).resolve().parents[3] / "verified" / "build"


def checker_command() -> list[str]:
    """Return the command that runs the proved checker: a native program, or JavaScript by Node.

    The environment variable ``LINKORACLE_CHECKER`` names another file. Raises `NoCertificate` if
    there is none.
    """
    named = os.environ.get("LINKORACLE_CHECKER")
    for path in [Path(named)] if named else [BUILT / "checker", BUILT / "checker.js"]:
        if path.suffix != ".js" and os.access(path, os.X_OK) and path.is_file():
            return [str(path)]
        if path.suffix == ".js" and path.is_file() and (node := shutil.which("node")):
            return [node, "--stack-size=7000", str(path)]
    raise NoCertificate(
        "the proved checker is not built: run `make verified`, which needs Coq and OCaml "
        "(verified/README.md), or set LINKORACLE_CHECKER to the program"
    )


def verify_proved(
    data: bytes, puzzle: Puzzle | None = None, texts: Sequence[str] = ()
) -> tuple[bool, str]:
    """Return whether the proved checker accepts a certificate, and what it says.

    The claim is about the first of ``texts``, native texts of ``puzzle``, that the checker reads;
    without them, about the puzzle in the certificate. The answer shows it. Raises `NoCertificate`
    if the checker is not built, or does not know the puzzle or an argument of the certificate, and
    ``Refused`` for a file that is no certificate, or of another puzzle.
    """
    command = checker_command()
    header, _ = checker.unpack(data)
    own = checker.Puzzle(header.get("puzzle"))
    if puzzle is not None:
        same = own.essence == checker.Puzzle(record_of(puzzle)).essence
        checker.need(same, "it is of another puzzle")
    if own.model is None:
        texts = [*texts, f"{own}\n"]
    elif own.kind == "slitherlink":
        texts = [text_of_faces(own)]
    stated = [*texts]
    if not stated:
        raise NoCertificate("the certificate holds a model: name its puzzle by --puzzle")
    steps = explicit_steps(data, puzzle)
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, "puzzle"), Path(folder, "steps")]
        files[1].write_text(steps, encoding="ascii")
        answers = []
        for text in stated:
            files[0].write_text(text, encoding="utf-8", newline="")
            done = subprocess.run(
                [*command, *map(str, files)], capture_output=True, text=True, check=False
            )
            if done.returncode == 0:
                return True, done.stdout.rstrip()
            answers.append((done.returncode, (done.stdout or done.stderr).strip()))
    status, answer = min(answers)
    if status != 1:
        raise NoCertificate(answer or "the proved checker failed")
    return False, answer


def text_of_faces(puzzle: checker.Puzzle) -> str:
    """Return a Slitherlink on any board as text: a line for each face, its clue and its vertices.

    Raises `NoCertificate` if an edge is on no face.
    """
    _, _, _, edges, faces, clues = puzzle.essence
    sides = {(*sorted(side),) for walk in faces for side in pairwise([*walk, walk[0]])}
    if len(sides) < len(edges):
        raise NoCertificate("the proved checker knows boards all of whose edges are on faces")
    signs = {None: ".", -1: "?"}
    lines = (
        " ".join(map(str, [signs.get(clue, clue), *walk]))
        for clue, walk in zip(clues, faces, strict=True)
    )
    return "slitherlink faces\n" + "".join(f"{line}\n" for line in lines)


def explicit_steps(data: bytes, puzzle: Puzzle | None = None) -> str:
    """Return the proof of a certificate as steps, a line each.

    Steps are: `r` and literals that follow from a rule; `o`, some line is drawn; `n` and the number
    of a solution, from 1; `c`, two witnesses and places; `l` and the numbers of steps to resolve.
    A witness is the number of a line, or less than 0 that of a step. `s` is a solution, the lines
    of a loop or of a path: 0 for one to the right or 1 for one down, row and column of its first
    place, and so on; `p` is another path of it. `f` is a loop on a board that is given by faces, by
    the two ends of each line. `q` is a question, whose answer is a new variable: how many literals,
    these, and the numbers of true ones for which it is yes. `t` and the number of a question say
    that a rule answers it with yes; `d`, a question and literals are a clause about it and
    questions without its first literal.

    ``puzzle`` is needed if the certificate holds a model. Raises `NoCertificate` for what the
    proved checker does not know.
    """
    header, proof = checker.unpack(data)
    own = checker.Puzzle(header["puzzle"])
    if header.get("taut", False):
        raise NoCertificate("the proved checker does not know taut solutions")
    board = checker.Board(own)
    if own.kind == "slitherlink" and own.model is not None:
        text_of_faces(own)
        steps: _Steps = _StepsOnFaces(board, header["solutions"], 0)
        return "".join(f"{line}\n" for line in steps.all(proof))
    if own.model is None:
        cols = board.cols
    elif puzzle is not None:
        cols = getattr(model_of(puzzle).board, "cols", 0)
    else:
        raise NoCertificate("the proved checker knows puzzles on squares, and no models")
    if any(w not in (v + 1, v + cols) for v, w in board.edges):
        raise NoCertificate("the proved checker knows puzzles on squares only")
    steps = _Steps(board, header["solutions"], cols)
    return "".join(f"{line}\n" for line in steps.all(proof))


class _Steps:
    """Writes the steps of one board."""

    letter = "s"

    def __init__(self, board: checker.Board, solutions: list[list[int]], cols: int) -> None:
        self._board, self._solutions, self._cols = board, solutions, cols
        self._edges, self._places = len(board.edges), len(board.around)
        self._written = 0
        #: What each variable of a long count asks: literals, and for which numbers of true ones.
        self._asked = dict(self._questions())
        #: The numbers of questions that are written.
        self._numbered: dict[int, int] = {}
        self._digits = max(1, (len(board.pairs) - 1).bit_length())
        #: The first variable for a digit of a colour; the last one of a place, or beyond.
        self._colours = max(self._edges, *board.named, *self._asked, 0) + 1

    def _questions(self) -> Iterator[tuple[int, tuple[list[int], list[int]]]]:
        board = self._board
        rules = [([e + 1 for e in edges], allowed) for edges, allowed, _ in board.rules]
        name = max(self._edges, *board.named, 0)
        for literals, allowed in rules + board.counts:
            if checker.is_long(literals, allowed, board.long):
                for start, layer in enumerate(checker.layers(len(literals), allowed)):
                    for mask in layer:
                        name += 1
                        numbers = [k for k in range(mask.bit_length()) if mask >> k & 1]
                        yield name, (literals[start:], numbers)

    def all(self, proof: bytes) -> Iterator[str]:
        for solution in self._solutions:
            for at, walk in enumerate(self._walks(set(solution))):
                yield " ".join(["p" if at else self.letter, *map(self._line, walk)])
        numbers = checker.Numbers(proof)
        axioms = self._board.axioms(self._solutions, taut=False)
        # Axioms that say that it is not a solution; the numbers of clauses of the certificate.
        forbidden = {
            tuple(-1 - edge for edge in solution): number
            for number, solution in enumerate(self._solutions, start=1)
        }
        known: list[int] = []
        for skipped in numbers.several():
            ((clause, _),) = islice(axioms, skipped, skipped + 1)
            if not (clause or self._impossible()):
                raise NoCertificate("the proved checker does not know the checkerboard argument")
            if clause in forbidden:
                yield self._step(f"n {forbidden[clause]}")
            elif len(clause) == self._edges and min(clause) > 0 and self._board.loop:
                yield self._step("o")
            elif new := [abs(x) for x in clause if abs(x) in self._asked]:
                yield from self._about(clause, new)
            else:
                yield self._rule(clause)
            known.append(self._written)
        for _ in range(*numbers.take(1)):
            inside = {last - 1 for last in accumulate(gap + 1 for gap in numbers.several())}
            witnesses = []
            for side, number in zip((True, False), numbers.take(2), strict=True):
                if number > self._edges:
                    rule, _, _ = self._board.rules[number - self._edges - 1]
                    yield self._rule(tuple(e + 1 for e in rule if self._touches(e, inside, side)))
                    witnesses.append(-self._written)
                else:
                    witnesses.append(self._variable(number) if number else 0)
            yield self._step(" ".join(map(str, ["c", *witnesses, *map(self._node, inside)])))
            known.append(self._written)
        for _ in range(*numbers.take(1)):
            backs = numbers.several()
            yield self._step("l " + " ".join(str(known[-1 - back]) for back in backs))
            known.append(self._written)

    def _impossible(self) -> bool:
        """Return whether some rule cannot hold by itself."""
        rules = [*((edges, allowed) for edges, allowed, _ in self._board.rules)]
        return any(
            all(number > len(literals) for number in allowed)
            for literals, allowed in rules + self._board.counts
        )

    def _step(self, line: str) -> str:
        self._written += 1
        return line

    def _rule(self, clause: Clause) -> str:
        return self._step(" ".join(["r", *self._signed(clause)]))

    def _signed(self, clause: Iterable[int]) -> list[str]:
        return [str(self._variable(abs(x)) * (1 if x > 0 else -1)) for x in clause]

    def _about(self, clause: Clause, new: list[int]) -> Iterator[str]:
        """Yield new questions, and a clause that follows from what they mean, or from a count."""
        for name in new:
            if name not in self._numbered:
                literals, allowed = self._asked[name]
                self._numbered[name] = len(self._numbered) + 1
                words = [len(literals), *self._signed(literals), *allowed]
                yield " ".join(["q", *map(str, words)])
        first = max(new, key=lambda name: len(self._asked[name][0]))
        if len(clause) == 1:
            yield self._step(f"t {self._numbered[first]}")
        else:
            yield self._step(" ".join(["d", str(self._numbered[first]), *self._signed(clause)]))

    def _touches(self, edge: int, inside: set[int], side: bool) -> bool:
        return any((vertex in inside) is side for vertex in self._board.edges[edge])

    def _variable(self, variable: int) -> int:
        """Return the checker's number for a line, a visited place, a question or a digit."""
        if variable in self._asked:
            return 2 * self._numbered[variable] + 1
        if variable <= self._edges:
            down, place = self._way(variable - 1)
            return 4 * (3 * place + down + 1)
        if variable >= self._colours and len(self._board.pairs) > 1:
            place, digit = divmod(variable - self._colours, self._digits)
            return 4 * (2 * (place + 1) + 1 << digit) + 2
        place = variable - self._edges - 1
        if place >= self._places:
            raise NoCertificate("the proved checker does not know variables of models")
        return 4 * (3 * place + 3)

    def _node(self, place: int) -> int:
        return place + 1

    def _way(self, edge: int) -> tuple[bool, int]:
        """Return whether an edge runs down, and its first place."""
        v, w = self._board.edges[edge]
        return w == v + self._cols, v

    def _line(self, edge: int) -> str:
        down, place = self._way(edge)
        return "{} {} {}".format(int(down), *divmod(place, self._cols))

    def _walks(self, chosen: set[int]) -> Iterator[list[int]]:
        """Yield the lines of a loop in order, or those of each path, by their first places."""
        board = self._board
        first = min(chosen, default=0)
        for start, end in sorted(board.pairs) or [(board.edges[first][0],) * 2]:
            walk: list[int] = []
            here = start
            while here != end or not walk:
                onward = [e for e in board.around[here] if e in chosen and e not in walk[-1:]]
                walk.append(onward[0])
                here = board.beyond(onward[0], here)
            yield walk


class _StepsOnFaces(_Steps):
    """Writes the steps of a Slitherlink on any board, where a solution is `f` and pairs of ends."""

    letter = "f"

    def _variable(self, variable: int) -> int:
        if variable in self._asked:
            return 2 * self._numbered[variable] + 1
        v, w = self._board.edges[variable - 1]
        size = max(map(max, self._board.edges)) + 1
        return 4 * (2 * (v * size + w) + 1)

    def _node(self, place: int) -> int:
        return 2 * place or 1

    def _line(self, edge: int) -> str:
        return "{} {}".format(*self._board.edges[edge])
