"""Grades of published puzzles: what independent sources say of them, and how labels are spread.

The puzzles stand in a folder beside the project, as do the files of `REFERENCE`; without them these
tests are skipped.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pytest

import grade_fit
from grade_corpora import CLASSES, Graded, graded, published
from linkoracle import FormatError, read
from linkoracle.deduce import LABELS
from linkoracle.deduce.grades import scales
from tests.kinds.corpora import CORPUS

REFERENCE = CORPUS.parent / "reference"
#: Ids of 10x10 Yajilins that a program solved by arrows, degrees and closed loops, without trials.
SIMPLE = REFERENCE / "yajilin_simple.json"
#: Links with stars, 1 (easy) to 4 (hard), that the author of a list gave them.
STARS = REFERENCE / "stars.tsv"

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no published puzzles in {CORPUS}")

#: Kinds with published puzzles and a scale of their own.
FITTED = tuple(kind for kind in scales() if (CORPUS / f"{kind}.jsonl").is_file())
#: Puzzles of a kind in a quick run.
SAMPLE = 12


@cache
def grades(kind: str, every: int = 1) -> list[Graded]:
    return [graded(*one, timeout=60) for one in published([kind], CORPUS, 400, every)]


def sample(kind: str) -> list[Graded]:
    with (CORPUS / f"{kind}.jsonl").open(encoding="utf-8") as lines:
        return grades(kind, max(1, sum(1 for _ in lines) // SAMPLE))


def of_file(file: Path) -> str:
    if not file.is_file():
        pytest.skip(f"needs {file}")
    return file.read_text(encoding="utf-8")


def test_simple_yajilins_need_no_trial_and_are_easy_or_normal():
    names = json.loads(of_file(SIMPLE))["solved without any trial"]
    every = {name: puzzle for _, name, puzzle in published(["yajilin"], CORPUS)}
    found = [graded("yajilin", name, every[name], 60) for name in names]
    assert len(found) == 23
    assert {one.hardest for one in found} == {CLASSES[0]}
    assert {one.label for one in found} <= {"easy", "normal"}


def starred() -> dict[str, list[tuple[int, Graded]]]:
    found = defaultdict(list)
    for line in of_file(STARS).splitlines():
        stars, _, url = line.partition("\t")
        if not stars.isdigit():
            continue
        try:
            puzzle = read(url)
        except FormatError:
            # Arrows without a number, and a link that is cut short.
            assert "yajilin" in url
            continue
        found[puzzle.kind].append((int(stars), graded(puzzle.kind, url, puzzle, 60)))
    return found


def test_a_puzzle_with_one_star_is_easy():
    ((stars, found),) = [pair for pair in starred()["yajilin"] if pair[0] == 1]
    assert (stars, found.size, found.label) == (1, "8x8", "easy")


def test_scores_follow_stars():
    stars, found = zip(*starred()["masyu"], strict=True)
    assert len(stars) > 5
    assert grade_fit.spearman(stars, [one.score for one in found]) >= 0.8


@pytest.mark.parametrize("kind", FITTED)
def test_a_sample_is_graded_with_few_guesses(kind):
    check(sample(kind), 3 / SAMPLE)


@pytest.mark.heavy
@pytest.mark.parametrize("kind", FITTED)
def test_all_are_graded_with_few_guesses_and_spread_over_the_labels(kind):
    every = grades(kind)
    check(every, 0.1)
    solved = [one for one in every if not one.guesses]
    labels = Counter(one.label for one in solved)
    assert len(labels) >= 4
    assert max(labels.values()) <= max(10, 0.5 * len(solved))
    # The easiest of the smallest are easy, and all that are large are not.
    smallest = [one for one in every if one.cells == every[0].cells]
    assert min(smallest, key=lambda one: one.score).label == "easy"


def check(some: list[Graded], guesses: float) -> None:
    """Check that all are graded, few with guesses, and that few facts come from long trials."""
    assert {one.status for one in some} == {"solved"}
    assert sum(one.guesses > 0 for one in some) <= guesses * len(some)
    assert sum(one.late for one in some) <= 0.15 * sum(one.facts for one in some)
    for one in some:
        assert (one.guesses > 0) == (LABELS.index(one.label) >= LABELS.index("fiendish"))


@pytest.mark.heavy
def test_the_scales_are_those_that_the_script_fits():
    for kind in FITTED:
        solved = [one for one in grades(kind) if one.score is not None and not one.guesses]
        assert grade_fit.fitted(solved) == pytest.approx(scales()[kind], abs=0.02)
