"""Published loop puzzles have the published solution, and no alternative."""

from __future__ import annotations

import pytest

from linkoracle import decide
from tests.kinds.corpora import CORPUS, records

KINDS = (
    *("balanceloop", "castlewall", "countryroad", "detour", "dotchiloop", "doubleback"),
    *("entryexit", "geradeweg", "grandtour", "hidoku", "koburin", "linesweeper", "masyu"),
    *("regionalyajilin", "shingoki", "simpleloop", "yajilin"),
)
#: The number of records of a kind in the default run.
SAMPLE = 12

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no published puzzles in {CORPUS}")


def check(some):
    for record in some:
        verdict = decide(record.puzzle)
        assert verdict.unique, record.name
        assert verdict.solutions == (record.solution,), record.name


@pytest.mark.parametrize("kind", KINDS)
def test_a_sample_of_published_puzzles(kind):
    found = sorted(records(kind), key=lambda one: (one.puzzle.rows * one.puzzle.cols, one.name))
    check(found[:: max(1, len(found) // SAMPLE)])


@pytest.mark.heavy
@pytest.mark.parametrize("kind", KINDS)
def test_all_published_puzzles(kind):
    check(records(kind))
