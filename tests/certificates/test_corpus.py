"""Published puzzles get certificates that hold, where the folder that holds them is there."""

from __future__ import annotations

from pathlib import Path

import pytest

import linkoracle
from linkoracle.certificates import record_of
from linkoracle.certificates import verify_certificate as checker
from tests.kinds import corpora
from tests.kinds.test_corpora import KINDS

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus"
#: Solutions up to which a certificate is made.
MOST = 100
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no published puzzles at {CORPUS}")


def solutions_of(puzzle: linkoracle.Puzzle) -> int:
    """How many solutions are certified, and verified."""
    made = linkoracle.certificate(puzzle, limit=MOST, timeout=300)
    own, number, _ = checker.verify(made.data, checker.Puzzle(record_of(puzzle)))
    assert number == len(made.solutions)
    assert (own.rows, own.cols) == (puzzle.rows, puzzle.cols)
    assert len(made.data) < (50_000 if puzzle.kind == "slitherlink" else 10**7)
    return number


def test_some_slitherlinks():
    entries = linkoracle.read_all(CORPUS / "slitherlink.jsonl", kind="slitherlink")
    for entry in entries[::40]:
        assert solutions_of(entry.puzzle) == 1, entry.name


@pytest.mark.heavy
def test_every_slitherlink():
    entries = linkoracle.read_all(CORPUS / "slitherlink.jsonl", kind="slitherlink")
    numbers = {entry.name: solutions_of(entry.puzzle) for entry in entries}
    assert {name: n for name, n in numbers.items() if n != 1} == {"random_15x15": 28}


@pytest.mark.heavy
@pytest.mark.parametrize("kind", KINDS)
def test_every_puzzle_of_other_kinds(kind):
    """None is refused for its counts, and each is stated by its own rules where these are known."""
    as_models = []
    for record in corpora.records(kind):
        made = linkoracle.certificate(record.puzzle, timeout=300)
        header, _ = checker.unpack(made.data)
        assert checker.verify(made.data, checker.Puzzle(header["puzzle"]))[1] == 1, record.name
        assert record.solution in (None, *made.solutions), record.name
        as_models += [record.name] * made.of_model
    if kind in checker.LOOPS:
        # Its clues say too much, if they are stated one by one.
        assert as_models in ([], ["pzshingoki0126_41x41"])


@pytest.mark.heavy
@pytest.mark.parametrize("variant", ["free", "fill"])
def test_every_numberlink_up_to_15x15(variant):
    """All but those with more solutions than a certificate may list."""
    entries = linkoracle.read_all(CORPUS / "numberlink.jsonl", kind="numberlink", variant=variant)
    certified, too_many, too_hard = 0, [], []
    for entry in entries:
        puzzle = entry.puzzle
        if max(puzzle.rows, puzzle.cols) > 15:
            continue
        try:
            number = solutions_of(puzzle)
        except linkoracle.NoCertificate:
            assert not linkoracle.count_result(puzzle, MOST).exact, entry.name
            too_many.append(entry.name)
            continue
        except linkoracle.SearchTimeout:
            too_hard.append(entry.name)
            continue
        status = linkoracle.decide(puzzle).status
        assert status == (("none", "unique")[number] if number < 2 else "many"), entry.name
        certified += 1
    assert len(too_many) <= 2, too_many
    # SAT finds two of its solutions at once, and then no third in 20 minutes.
    assert too_hard in ([], ["531_15x15"]), variant
    assert certified >= 255
