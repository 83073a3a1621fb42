"""Kinds of one loop through cells that the verifier knows: its rules against those of the library.

The verifier derives constraints from the puzzle alone. Here they are compared, on all loops of
small boards, with `faults`, which checks a drawn solution as a person does; and no certificate of
one puzzle passes for one of another.
"""

from __future__ import annotations

import json
import random
import time
from itertools import islice

import pytest

from linkoracle import FormatError, certificate, is_unique, read, write
from linkoracle.certificates import record_of
from linkoracle.certificates import verify_certificate as checker
from linkoracle.core import source
from linkoracle.kinds import KINDS
from linkoracle.kinds.checking import loops, random_puzzles
from linkoracle.kinds.masyu import Masyu
from tests.certificates.forging import Parts, holds
from tests.kinds import corpora

KNOWN = list(checker.LOOPS)


def some_puzzles(kind, rows, cols, number, seed=3):
    """Random puzzles of a kind in the variants that the verifier knows, and its example."""
    for puzzle in random_puzzles(KINDS[kind], rows, cols, number, source(seed, 0)):
        if puzzle.variant in checker.VARIANTS[kind]:
            yield puzzle
    yield KINDS[kind].examples["loop"].of(KINDS[kind])[0]


def answers(puzzle):
    lattice = puzzle.lattice
    every = loops(lattice.rows, lattice.cols)
    return sorted(sorted(one.edges) for one in every if not puzzle.violations(one))


def accepts(board, loop):
    try:
        board.check_solution(sorted(loop.edges), "it")
    except checker.Refused:
        return False
    return True


@pytest.mark.parametrize("kind", KNOWN)
def test_the_verifier_says_what_the_rules_say(kind):
    accepted = 0
    for rows, cols, number in ((3, 4, 12), (4, 4, 4)):
        for puzzle in some_puzzles(kind, rows, cols, number):
            board = checker.Board(checker.Puzzle(record_of(puzzle)))
            lattice = puzzle.lattice
            if lattice.num_vertices > 16:
                # The example.
                own = KINDS[kind].examples["loop"].of(KINDS[kind])[1]
                assert accepts(board, own)
                continue
            for loop in loops(lattice.rows, lattice.cols):
                accepted += accepts(board, loop)
                assert accepts(board, loop) == (not puzzle.violations(loop)), (puzzle, loop.paths())
    assert accepted


@pytest.mark.parametrize("kind", KNOWN)
def test_certificates_are_of_the_puzzle_itself(kind, tmp_path, capsys):
    for number, puzzle in enumerate(some_puzzles(kind, 3, 4, 5)):
        made = certificate(puzzle, limit=99)
        assert not made.of_model
        assert Parts.of(made.data).header["puzzle"]["kind"] == kind
        made.save(tmp_path / "made")
        for form in ("text", "json"):
            file = tmp_path / f"{number}.{form}"
            file.write_text(write(puzzle, form))
            assert (
                checker.read_puzzle(str(file)).essence == checker.Puzzle(record_of(puzzle)).essence
            )
            assert checker.main(["--puzzle", str(file), str(tmp_path / "made")]) == 0
            output = capsys.readouterr().out
            size = f"{puzzle.rows}x{puzzle.cols} cells"
            assert f"verified: {kind} ({puzzle.variant}) of {size}" in output
            # What it prints is the puzzle, for the library, too.
            shown = output.split("read as this puzzle:\n\n")[1].split("\n\n")[0]
            assert read(shown) == puzzle


@pytest.mark.parametrize("kind", ["yajilin", "koburin", "regionalyajilin"])
def test_variants_that_the_verifier_does_not_know_are_certified_by_their_models(kind):
    found = set()
    for puzzle in random_puzzles(KINDS[kind], 3, 4, 20, source(5, 0)):
        made = certificate(puzzle, limit=99)
        assert made.of_model == (puzzle.variant not in checker.VARIANTS[kind])
        assert checker.verify(made.data)[1] == len(made.solutions) == len(answers(puzzle))
        found.add(made.of_model)
    assert found == {True, False}


@pytest.mark.parametrize("kind", KNOWN)
def test_no_certificate_passes_for_one_of_another_puzzle(kind):
    rng = random.Random(kind)
    every = [*some_puzzles(kind, 3, 4, 12, seed=4)][:-1]
    words = [clue for puzzle in every for _, clue in puzzle.clue_cells()]
    tried = refused = 0
    for puzzle in every:
        if len(answers(puzzle)) > 20:
            continue
        parts = Parts.of(certificate(puzzle, limit=20).data)
        for _ in range(6):
            cell = rng.randrange(3), rng.randrange(4)
            try:
                other = puzzle.with_clues({cell: rng.choice([None, *words])})
            except ValueError:
                continue
            forged = parts.copy()
            forged.header["puzzle"] = record_of(other)
            if other == puzzle:
                continue
            tried += 1
            assert not holds(forged.packed(), checker.Puzzle(record_of(puzzle)))
            if holds(forged.packed()):
                assert answers(other) == parts.header["solutions"], (puzzle, other)
            else:
                refused += 1
    assert refused or not words
    assert tried or not words


@pytest.mark.parametrize("kind", KNOWN)
def test_the_kind_and_the_regions_are_part_of_the_claim(kind):
    puzzle, solution = KINDS[kind].examples["loop"].of(KINDS[kind])
    parts = Parts.of(certificate(puzzle).data)
    assert parts.header["solutions"] == [sorted(solution.edges)]
    for other in {*KNOWN, "slitherlink", "numberlink", "chess"} - {kind}:
        forged = parts.copy()
        forged.header["puzzle"]["kind"] = other
        if holds(forged.packed()):
            # A circle says as much in both, on this board.
            known = KINDS[other].from_grid(puzzle.grid, **points_of(puzzle))
            assert is_unique(known)
            assert not known.violations(solution)
        assert not holds(forged.packed(), checker.Puzzle(record_of(puzzle)))
    if "regions" in parts.header["puzzle"]:
        rows = parts.header["puzzle"]["regions"]
        for changed in ([], rows[::-1], [[0] * len(row) for row in rows], rows[1:], [[[]]], "aab"):
            forged = parts.copy()
            forged.header["puzzle"]["regions"] = changed
            assert not holds(forged.packed(), checker.Puzzle(record_of(puzzle)))
            if changed in ([], rows[::-1]) and holds(forged.packed()):
                points = {"regions": changed}
                assert is_unique(KINDS[kind].from_grid(puzzle.grid, **points))


def points_of(puzzle):
    return {"regions": puzzle.regions} if "regions" in puzzle.annotations else {}


@pytest.mark.parametrize("kind", KNOWN)
def test_a_clue_that_is_needed_is_needed(kind):
    puzzle, _ = KINDS[kind].examples["loop"].of(KINDS[kind])
    parts = Parts.of(certificate(puzzle).data)
    needed = 0
    for cell, _ in puzzle.clue_cells():
        fewer = puzzle.with_clues({cell: None})
        forged = parts.copy()
        forged.header["puzzle"] = record_of(fewer)
        if not is_unique(fewer):
            needed += 1
            assert not holds(forged.packed())
    assert needed or not any(puzzle.clue_cells())


@pytest.mark.parametrize("kind", KNOWN)
def test_dropped_axioms_and_lemmas_are_missed(kind):
    puzzle, _ = KINDS[kind].examples["loop"].of(KINDS[kind])
    parts = Parts.of(certificate(puzzle).data)
    for name in ("axioms", "lemmas"):
        less = parts.copy()
        del getattr(less, name)[len(getattr(less, name)) // 2]
        assert not holds(less.packed())


@pytest.mark.parametrize("least", [1, pytest.param(4, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("kind", KNOWN)
def test_published_puzzles_have_certificates(kind, least):
    if not (corpora.CORPUS / f"{kind}.jsonl").is_file():
        pytest.skip("needs the corpus of published puzzles in shared/corpus")
    records = [one for one in corpora.records(kind) if one.puzzle.rows * one.puzzle.cols <= 150]
    for record in islice(records, 0, None, max(1, len(records) // least)):
        made = certificate(record.puzzle)
        own, number, _ = checker.verify(made.data, checker.Puzzle(record_of(record.puzzle)))
        assert (own.kind, number) == (kind, 1)
        assert record.solution in (None, *made.solutions)


def test_other_kinds_are_certified_by_their_models():
    class Pearls(Masyu):
        """The same rules, but the verifier cannot know that."""

    rows = ["..w.", "..b.", "....", "...."]
    assert certificate(Pearls(rows)).of_model
    assert not certificate(Masyu(rows)).of_model
    assert certificate(Masyu(rows, given=[((0, 1), (0, 2))])).of_model


TOKENS = [" ", "\n", ".", "-", "?", "*", "w", "b", "1", "0e", "x", "regions\n", "a", "\n\n", "#"]


@pytest.mark.parametrize("kind", KNOWN)
def test_what_both_read_is_one_puzzle(kind, tmp_path):
    rng = random.Random(kind)
    both = 0
    for puzzle in some_puzzles(kind, 3, 4, 25, seed=8):
        for _ in range(8):
            text = write(puzzle, rng.choice(["text", "json"]))
            for _ in range(rng.choice([1, 1, 2])):
                start = rng.randint(0, len(text))
                end = start + rng.choice([0, 1, 2])
                text = text[:start] + rng.choice([*TOKENS, text[start : end + 4]]) + text[end:]
            file = tmp_path / "puzzle"
            file.write_text(text)
            try:
                essence = checker.read_puzzle(str(file)).essence
            except (checker.Refused, ValueError, TypeError, LookupError):
                continue
            try:
                known = read(file)
            except FormatError:
                continue
            both += 1
            if known.kind in checker.CELLS:
                assert checker.Puzzle(record_of(known)).essence == essence, text
    assert both


@pytest.mark.parametrize(
    ("side", "kind", "cell"),
    [
        (100, "yajilin", "9n"),
        (100, "geradeweg", 50),
        *(
            pytest.param(*one, marks=pytest.mark.heavy)
            for one in (
                *((100, "balanceloop", "b"), (100, "castlewall", "9eo"), (200, "yajilin", "9n")),
                *((200, "balanceloop", "b"), (200, "geradeweg", 50), (200, "castlewall", "9eo")),
            )
        ),
    ],
)
def test_boards_that_say_too_much_are_refused(side, kind, cell):
    begun = time.process_time()
    grid = [[cell if (row + col) % 2 else None for col in range(side)] for row in range(side)]
    with pytest.raises(checker.Refused):
        checker.Board(checker.Puzzle({"kind": kind, "variant": "loop", "grid": grid}))
    assert time.process_time() - begun < 30


@pytest.mark.parametrize("side", [80, pytest.param(200, marks=pytest.mark.heavy)])
def test_many_regions_take_no_longer_than_one(side):
    begun = time.process_time()
    regions = [[side * row + col for col in range(side)] for row in range(side)]
    record = {"kind": "countryroad", "variant": "loop", "grid": [[None] * side] * side}
    text = json.dumps(record | {"regions": regions})
    number = len(checker.Board(checker.puzzle_of_json(text)).counts)
    assert number == side * side + 2 * (side - 1) * side
    assert time.process_time() - begun < 30


@pytest.mark.parametrize(("kind", "clue"), [("shingoki", "w9"), ("geradeweg", 9)])
def test_arms_take_as_many_clauses_as_their_number_says(kind, clue):
    """And not as many as the board has cells: a published board of 41x41 had 130,000."""
    number = []
    for side in (21, 41):
        grid = [[None] * side for _ in range(side)]
        grid[side // 2][side // 2] = clue
        record = {"kind": kind, "variant": "loop", "grid": grid}
        number.append(len(checker.Board(checker.Puzzle(record)).counts))
    assert number[0] == number[1] < 200
