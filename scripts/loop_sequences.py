"""Write numbers of loops and paths as b-files of the OEIS, each term with its checks.

    python scripts/loop_sequences.py A302337 --until 14 --output docs/tables --runs runs

A b-file has a line ``n a(n)`` for each term, and comments that begin with ``#``: here the checks
that each term has passed. A term that fails a check ends the program. An existing file is replaced
when all terms are done; with ``--append`` its terms stay, only later terms are counted, and each is
written at once. With ``--runs`` counts on blank boards are kept in that folder, and resumed.

* A140517: loops of n x n cells.
* A007764: paths from corner to corner of n x n vertices.
* A003763: loops through all of 2n x 2n vertices.
* A302337: loops of n x n vertices by length, row by row.
* half_turn: loops of n x n cells that a turn by 180 degrees leaves as they are.
* up_to_symmetry: loops of n x n cells up to turns and mirrors.
* A394067, A390122: loops of n x n vertices up to shifts, turns and mirrors; with a direction.
* A394065, A394066: paths of n x n vertices up to shifts, turns and mirrors; with a direction.
* A288032: paths of n x n vertices, of at least one edge.
* A266513, A288148, A112675: cycles, paths and full paths of triangular grids.
* A341269: walks from a corner of n x n vertices that stop where all neighbours were visited.
* A343962: walks from a corner of n x n vertices that end with a step over the border.
* A333685: corner paths of (2n + 1) x (2k + 1) vertices through the centre, row by row.
* A324603: loops through one vertex of a torus with steps to the right and down.
* A234622, A288033, A158651, A140518: cycles, paths, full paths and corner-to-corner paths of a king
  on n x n cells; A339098, A307026: cycles and paths on rectangles.

Checks, each where it applies:

* *check prime*: one more prime agrees, as in every count with ranks.
* *hash*: the pass with a hash table gives the same number.
* *primes*: passes modulo other primes, none of them used before, give the same number; for
  lengths, with other weights, the same value of the polynomial modulo each of them.
* *formula*: lengths 4 to 12 have the published formulas of A302337.
* *all loops*: the lengths add up to all loops, counted modulo other primes.
* *longest*: the longest ones of an even board are those of a pass that leaves no vertex out.
* *words*: a pass over words kept in a dictionary, written for turns, gives the same number.
* *Burnside*: the fixed loops of all eight symmetries add up to a multiple of eight.
* *turned*: passes in the other direction count as many paths beside mirrors.
* *orbits*: loops that turns leave as they are, on graphs of orbits, are as many; from 16 vertices a
  side on, for half turns, a pass modulo other primes.
* *turned rows*: passes modulo other primes over the rows in the other order give the same number.
* *cut*: the cycles without an edge, and the paths between its ends in the rest, are as many.
* *ends*: counts for each pair of ends add up to the same.
* *joined*: with an edge between both ends, as many cycles are new.
* *exclusion*: by inclusion and exclusion of vertices left out, walks are as many.
* *hub*: the paths to one more vertex, to which all steps over the border lead, are as many.
* *required*: paths that must use the vertex are all paths but those that may not.
* *steps*: the loops of each step from the vertex are the paths back.
* *listed*: a list of the solutions, or of their classes, is as long.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import folded_loops
import graph_sequences
import shift_classes
from linkoracle.board import ANY_COUNT, PASS, Lattice, LinkModel
from linkoracle.core import LinkOracleError, atomic_write
from linkoracle.frontier import Diagram, blank_board, by_length, count, finished, ranked_board
from linkoracle.frontier import lengths as by_lengths
from linkoracle.frontier.blank.board import BlankBoard
from linkoracle.frontier.blank.counting import Residue
from linkoracle.frontier.blank.weights import value_at
from linkoracle.frontier.sweep import Sweep
from measuring import peak
from term_checks import (
    Contradiction,
    agree,
    board_of,
    kept_answer,
    kept_residues,
    modulo_others,
    others,
)

#: Vertices a side of the largest boards also counted with a hash table, in seconds.
_HASHED = 14
#: Vertices a side of the largest boards also counted modulo other primes.
_SECOND = 21
#: Vertices or cells a side up to which words are in a dictionary, and solutions are listed.
_WORDS, _LISTED = 11, 4
#: Cells a side up to which loops in mirrors are counted again in the other direction.
_TURNED = 14
#: The numbers of lengths 4 to 12, as OEIS A302337 has them: from which side on, and coefficients of
#: a polynomial in the side, the lowest first.
FORMULAS = {
    4: (2, 1, -2, 1),
    6: (3, 4, -6, 2),
    8: (3, 26, -28, 7),
    10: (4, 164, -140, 28),
    12: (5, 1046, -740, 124),
}
#: The number of the first term of A302337.
OFFSET = 2


def square(side: int) -> Lattice:
    return Lattice(side, side)


def checked_count(what: str, model: LinkModel, store: Path | None) -> tuple[int, str]:
    """Return the number of solutions, and the checks that it passed."""
    side = max(model.lattice.rows, model.lattice.cols)
    ranked = blank_board(model) is not None
    kept: dict[str, Any] = {"store": store, "resume": True} if ranked and store else {}
    number, passed = count(model, **kept), []
    if side <= _HASHED and ranked_board(model) is not None:
        passed.append(agree(what, number, finished(Sweep(model).count()), "hash"))
    if side <= _LISTED:
        passed.append(agree(what, number, sum(1 for _ in Diagram.build(model)), "listed"))
    if ranked and side <= _SECOND:
        passed.append(agree(what, number, modulo_others(board_of(model), store), "primes"))
    return number, ", ".join(passed) or "check prime"


def loops(side: int, store: Path | None) -> tuple[list[int], str]:
    """Count loops of n x n cells."""
    number, passed = checked_count(f"loops {side}", LinkModel.blank_loop(square(side + 1)), store)
    return [number], passed


def corner_paths(side: int, store: Path | None) -> tuple[list[int], str]:
    """Count paths from corner to corner of n x n vertices."""
    if side == 1:
        return [1], "one vertex"
    model = LinkModel.blank_paths(square(side), [(0, side * side - 1)])
    number, passed = checked_count(f"paths {side}", model, store)
    return [number], passed


def hamiltonian(side: int) -> LinkModel:
    """Return the model of the loops through all vertices."""
    lattice = square(side)
    faces = bytes([ANY_COUNT]) * lattice.num_faces
    return LinkModel(lattice, bytes([PASS]) * lattice.num_vertices, faces, loop=True)


def hamiltonian_loops(half: int, store: Path | None) -> tuple[list[int], str]:
    """Count loops through all of 2n x 2n vertices."""
    number, passed = checked_count(f"full loops {half}", hamiltonian(2 * half), store)
    return [number], passed


def lengths(side: int, store: Path | None) -> tuple[list[int], str]:
    """Count loops of n x n vertices by length, 4, 6, 8, ..., row after row."""
    model, what = LinkModel.blank_loop(square(side)), f"lengths {side}"
    found = kept_lengths(board_of(model), store) if side > 2 else by_length(model)
    row = [found.get(length, 0) for length in range(4, side * side + 1, 2)]
    passed = []
    for length, (least, *parts) in FORMULAS.items():
        if side >= least:
            value = sum(part * side**power for power, part in enumerate(parts))
            passed = [agree(what, found[length], value, "formula")]
    if side > 2:
        passed.append(agree(what, sum(row), modulo_others(board_of(model), store), "all loops"))
    if side % 2 == 0:
        passed.append(agree(what, row[-1], count(hamiltonian(side)), "longest"))
    if side > 2:
        jobs, values = elsewhere(model, store)
        passed.append(agree(what, values_of(found, jobs), values, "primes"))
    return row, ", ".join(passed)


def kept_lengths(board: BlankBoard, store: Path | None) -> dict[int, int]:
    """Count loops by length. Values at two weights bound the numbers: fewer primes are enough."""
    values = {
        weight: kept_answer(value_at(board, weight), store, f"value{weight}") for weight in (1, 2)
    }
    return kept_answer(by_lengths(board, values), store)


def elsewhere(model: LinkModel, store: Path | None) -> tuple[list[Residue], list[int]]:
    """Return passes with new weights and primes, which `by_length` does not use, and their values.

    One for each of these primes.
    """
    board = board_of(model)
    every = board.height * board.width
    jobs = [Residue(board, prime, every + k) for k, prime in enumerate(others(board))]
    return jobs, kept_residues(jobs, store, "weights")


def values_of(found: dict[int, int], jobs: list[Residue]) -> list[int]:
    """Return the values that passes must have for these numbers of loops of each length."""
    every = jobs[0].board.height * jobs[0].board.width
    return [
        sum(number * pow(job.weight, every - length, job.prime) for length, number in found.items())
        % job.prime
        for job in jobs
    ]


def half_turn(side: int, _: Path | None) -> tuple[list[int], str]:
    """Count loops of n x n cells that a turn by 180 degrees maps to themselves."""
    number, passed = folded_loops.by_half_turns(side + 1, side + 1), ["check prime"]
    if side < _WORDS:
        other = folded_loops.by_half_turns(side + 1, side + 1, ranked=False)
        passed = [agree(f"turns {side}", number, other, "words")]
    return [number], ", ".join(passed)


def up_to_symmetry(side: int, _: Path | None) -> tuple[list[int], str]:
    """Count loops of n x n cells up to turns and mirrors."""
    number, passed = folded_loops.loops_up_to_symmetry(side + 1), ["Burnside"]
    if side <= _TURNED:
        other = folded_loops.loops_up_to_symmetry(side + 1, turned=True)
        passed.append(agree(f"classes {side}", number, other, "turned"))
    if side <= _LISTED:
        every = Diagram.build(LinkModel.blank_loop(square(side + 1)))
        passed.append(agree(f"classes {side}", number, classes(every), "listed"))
    return [number], ", ".join(passed)


def classes(every: Diagram) -> int:
    """Count loops up to symmetry, one by one."""
    side = every.model.lattice.rows
    places = np.arange(side * side).reshape(side, side)
    turned = [np.rot90(one, k).ravel() for one in (places, places.T) for k in range(4)]
    ends = every.model.lattice.edge_vertices
    number = {tuple(sorted(pair)): edge for edge, pair in enumerate(ends.tolist())}
    images = [
        [number[tuple(sorted((int(turn[a]), int(turn[b]))))] for a, b in ends] for turn in turned
    ]
    found = set()
    for block in every.masks(1 << 12):
        loops = np.asarray(block)
        packed = [np.packbits(loops[:, image], axis=1) for image in images]
        found |= {min(map(bytes, same)) for same in zip(*packed, strict=True)}
    return len(found)


@dataclass(frozen=True)
class Sequence:
    """How to count terms: the first ``n``, the start of the b-file, and the meaning of a term."""

    first: int
    offset: int
    terms: Callable[[int, Path | None], tuple[list[int], str]]
    file: str
    #: The number of numbers in the term ``n``.
    numbers: Callable[[int], int] = lambda _: 1


SEQUENCES = {
    "A140517": Sequence(1, 1, loops, "b140517.txt"),
    "A007764": Sequence(1, 1, corner_paths, "b007764.txt"),
    "A003763": Sequence(1, 1, hamiltonian_loops, "b003763.txt"),
    "A302337": Sequence(2, OFFSET, lengths, "b302337.txt", lambda n: n * n // 2 - 1),
    "half_turn": Sequence(1, 1, half_turn, "loops_half_turn.txt"),
    "up_to_symmetry": Sequence(1, 1, up_to_symmetry, "loops_up_to_symmetry.txt"),
    "A390122": Sequence(1, 1, shift_classes.directed_loops, "b390122.txt"),
    "A394067": Sequence(1, 1, shift_classes.undirected_loops, "b394067.txt"),
    "A394066": Sequence(1, 1, shift_classes.directed_paths, "b394066.txt"),
    "A394065": Sequence(1, 1, shift_classes.undirected_paths, "b394065.txt"),
    "A288032": Sequence(1, 1, graph_sequences.grid_paths, "b288032.txt"),
    "A266513": Sequence(1, 1, graph_sequences.triangle_cycles, "b266513.txt"),
    "A288148": Sequence(0, 0, graph_sequences.triangle_paths, "b288148.txt"),
    "A112675": Sequence(1, 1, graph_sequences.triangle_full_paths, "b112675.txt"),
    "A234622": Sequence(2, 2, graph_sequences.king_cycles, "b234622.txt"),
    "A288033": Sequence(1, 1, graph_sequences.king_paths, "b288033.txt"),
    "A158651": Sequence(1, 1, graph_sequences.king_full_paths, "b158651.txt"),
    "A140518": Sequence(1, 1, graph_sequences.king_corner_paths, "b140518.txt"),
    "A339098": Sequence(1, 2, graph_sequences.king_cycles_table, "b339098.txt", lambda n: n),
    "A307026": Sequence(1, 1, graph_sequences.king_paths_table, "b307026.txt", lambda n: n),
    "A341269": Sequence(1, 1, graph_sequences.blocked_walks, "b341269.txt"),
    "A343962": Sequence(1, 1, graph_sequences.escapes, "b343962.txt"),
    "A333685": Sequence(0, 0, graph_sequences.centre_paths, "b333685.txt", lambda n: n + 1),
    "A324603": Sequence(1, 1, graph_sequences.torus_walks, "b324603.txt"),
}


@dataclass
class Terms:
    """The content of a b-file: comments, each of a term but the first, and numbers."""

    comments: list[str]
    numbers: list[int]


def written(name: str, path: Path) -> Terms:
    """Read the terms of a file that `write` has written. Raises `LinkOracleError`."""
    sequence, found = SEQUENCES[name], Terms([], [])
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeError) as error:
        raise LinkOracleError(f"cannot read {path}: {error}") from None
    # The comments come first: one for the whole, and one for each term.
    comments = sum(line.startswith("#") for line in lines)
    terms = range(sequence.first, sequence.first + comments - 1)
    numbers = range(sequence.offset, sequence.offset + sum(map(sequence.numbers, terms)))
    expected = [f"# {name}: ", *(f"# n = {n}: " for n in terms), *(f"{n} " for n in numbers)]
    for number, start in enumerate(expected):
        line = lines[number] if number < len(lines) else ""
        rest = line.removeprefix(start)
        if rest == line or not (start.startswith("#") or re.fullmatch("0|[1-9][0-9]*", rest)):
            what = "" if start.startswith("#") else " and a number"
            raise LinkOracleError(f"{path}:{number + 1}: expected {start.strip()!r}{what}")
        if start.startswith("#"):
            found.comments.append(line.removeprefix("# "))
        else:
            found.numbers.append(int(rest))
    if len(lines) > len(expected):
        raise LinkOracleError(f"{path}:{len(expected) + 1}: expected no more lines")
    return found


def write(name: str, until: int, output: Path, runs: Path | None, *, append: bool = False) -> None:
    """Count all terms up to ``until`` that are not there yet, and write the file."""
    sequence = SEQUENCES[name]
    path = output / sequence.file
    terms = Terms([f"{name}: {sequence.terms.__doc__}"], [])
    if append and path.exists():
        terms = written(name, path)
    for n in range(sequence.first + len(terms.comments) - 1, until + 1):
        started = time.process_time()
        store = None if runs is None else runs / f"{name}-{n}.sqlite"
        found, passed = sequence.terms(n, store)
        terms.numbers += found
        terms.comments.append(f"n = {n}: {passed}")
        seconds = time.process_time() - started
        print(
            f"{name} n = {n}: {passed}; {seconds:.1f} s of processor time, "
            f"peak of the process {peak() / 1e6:.0f} MB",
            flush=True,
        )
        if append:
            save(terms, sequence.offset, path)
    save(terms, sequence.offset, path)


def save(terms: Terms, offset: int, path: Path) -> None:
    """Replace a file by these terms."""
    lines = [f"# {comment}" for comment in terms.comments]
    lines += [f"{n} {number}" for n, number in enumerate(terms.numbers, offset)]
    with atomic_write(path) as file:
        file.write("".join(f"{line}\n" for line in lines).encode())


def main() -> None:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n", 1)[0], formatter_class=argparse.HelpFormatter
    )
    parser.add_argument("sequence", choices=sorted(SEQUENCES), nargs="+")
    parser.add_argument("--until", type=int, required=True, help="the last n")
    parser.add_argument("--output", type=Path, required=True, help="the folder of the b-file")
    parser.add_argument("--append", action="store_true", help="keep the terms of the b-file")
    parser.add_argument("--runs", type=Path, help="a folder for counts that go on")
    options = parser.parse_args()
    first = max(SEQUENCES[name].first for name in options.sequence)
    if options.until < first:
        parser.error(f"expected --until to be at least {first}")
    for folder in (options.output, options.runs):
        if folder is not None and not folder.is_dir():
            parser.error(f"expected a folder, and {folder} is none")
    try:
        for name in options.sequence:
            write(name, options.until, options.output, options.runs, append=options.append)
    except Contradiction as error:
        sys.exit(f"error: {error}")
    except LinkOracleError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
