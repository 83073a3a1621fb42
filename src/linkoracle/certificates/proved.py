"""Verify certificates by the checker that is proved correct (`verified/`).

The checker reads the puzzle, as native text, and steps, which are made here of a certificate. These
need not be trusted: its theorem holds for any steps.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from itertools import accumulate, islice
from pathlib import Path

from linkoracle.certificates import verify_certificate as checker
from linkoracle.certificates.verify_certificate import Clause
from linkoracle.core import NoCertificate

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
            return [node, "--stack-size=50000", str(path)]
    raise NoCertificate(
        "the proved checker is not built: run `make verified`, which needs Coq and OCaml "
        "(verified/README.md), or set LINKORACLE_CHECKER to the program"
    )


def verify_proved(data: bytes, file: str | None = None) -> tuple[bool, str]:
    """Return whether the proved checker accepts a certificate, and what it says.

    The claim is about the puzzle in ``file``, or in the certificate; the answer shows it.
    Raises `NoCertificate` if the checker is not built or does not know the puzzle or an argument of
    the certificate, ``Refused`` for a file that is no certificate, or of another puzzle, and
    ``OSError``.
    """
    command = checker_command()
    own, texts = puzzle_of(data), []
    if file is not None:
        checker.need(checker.read_puzzle(file).essence == own.essence, "it is of another puzzle")
        texts = [file.encode() if "://" in file else Path(file).read_bytes()]
    # Text that the checker does not read, such as JSON, is written anew.
    texts.append(f"{own}\n".encode())
    with tempfile.TemporaryDirectory() as folder:
        stated, proof = Path(folder, "puzzle"), Path(folder, "steps")
        proof.write_text(explicit_steps(data), encoding="ascii")
        for text in texts:
            stated.write_bytes(text)
            done = subprocess.run(
                [*command, str(stated), str(proof)], capture_output=True, text=True, check=False
            )
            if done.returncode in (0, 1):
                return done.returncode == 0, done.stdout.rstrip()
    raise NoCertificate((done.stdout or done.stderr).strip() or "the proved checker failed")


def puzzle_of(data: bytes) -> checker.Puzzle:
    """Return the puzzle of a certificate; raise `NoCertificate` if it is a model."""
    header, _ = checker.unpack(data)
    own = checker.Puzzle(header.get("puzzle"))
    if own.model is not None:
        raise NoCertificate("the proved checker knows puzzles on squares, and no models")
    return own


def explicit_steps(data: bytes) -> str:
    """Return the proof of a certificate as steps, a line each.

    Steps are: `r` and literals that follow from a rule; `o`, some line is drawn; `n` and the number
    of a solution, from 1; `c`, two witnesses and places; `l` and the numbers of steps to resolve.
    A witness is the number of a line, or less than 0 that of a step. `s` is a solution: 0 for a
    line to the right or 1 for one down, row and column of its first place, and so on. `q` is a
    question, whose answer is a new variable: how many literals, these, and the numbers of true ones
    for which it is yes. `t` and the number of a question say that a rule answers it with yes; `d`,
    a question and literals are a clause about it and questions without its first literal.

    Raises `NoCertificate` for what the proved checker does not know.
    """
    header, proof = checker.unpack(data)
    own, taut = puzzle_of(data), header.get("taut", False)
    if taut or (own.kind == "numberlink") or own.variant == "path":
        raise NoCertificate("the proved checker knows loops only")
    steps = _Steps(checker.Board(own), header["solutions"])
    return "".join(f"{line}\n" for line in steps.all(proof))


class _Steps:
    """Writes the steps of one board."""

    def __init__(self, board: checker.Board, solutions: list[list[int]]) -> None:
        self._board, self._solutions = board, solutions
        self._edges, self._places = len(board.edges), len(board.around)
        self._written = 0
        #: What each variable of a long count asks: literals, and for which numbers of true ones.
        self._asked = dict(self._questions())
        #: The numbers of questions that are written.
        self._numbered: dict[int, int] = {}

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
        yield from ("s " + " ".join(map(self._line, self._in_order(s))) for s in self._solutions)
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
            yield self._step(" ".join(map(str, ["c", *witnesses, *(v + 1 for v in inside)])))
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
        """Return the checker's number for a line, a visited place, or a question."""
        if variable in self._asked:
            return 2 * self._numbered[variable] + 1
        if variable <= self._edges:
            v, w = self._board.edges[variable - 1]
            return 2 * (3 * v + (w > v + 1 or self._board.cols == 1) + 1)
        place = variable - self._edges - 1
        return 2 * (3 * place + 3)

    def _line(self, edge: int) -> str:
        v, w = self._board.edges[edge]
        down = w > v + 1 or self._board.cols == 1
        return "{} {} {}".format(int(down), *divmod(v, self._board.cols))

    def _in_order(self, solution: list[int]) -> list[int]:
        """Return the lines of a loop in order."""
        chosen = set(solution)
        order = [solution[0]]
        here = self._board.edges[order[0]][1]
        while True:
            onward = [e for e in self._board.around[here] if e in chosen and e != order[-1]]
            if onward[0] == order[0]:
                return order
            order.append(onward[0])
            here = self._board.beyond(onward[0], here)
