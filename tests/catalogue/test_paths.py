"""A catalogue finds puzzles by their path."""

from __future__ import annotations

import pytest

from linkoracle.catalogue import Catalogue, Filter
from linkoracle.deduce import grade
from linkoracle.generate import puzzles, slitherlinks


def test_puzzles_are_found_by_their_path(tmp_path):
    made = [*puzzles("masyu", 6, 6, seed=1, limit=6), *slitherlinks(6, 6, seed=1, limit=6)]
    grades = [grade(one.puzzle) for one in made]
    with Catalogue(tmp_path / "some.sqlite") as catalogue:
        for one, graded in zip(made, grades, strict=True):
            catalogue.add(one.puzzle, one.solution, source={}, grade=graded)
        bare = next(puzzles("masyu", 5, 5, seed=1))
        catalogue.add(bare.puzzle, bare.solution, source={})
        trials = {"trial", "refuted", "either", "guess"}
        middle = sorted(graded.total for graded in grades)[6]
        allowed = {"clue", "dot", "static", "loop", "count", "cases"}
        wide = max(graded.widest for graded in grades)
        for chosen, fits in {
            Filter(steps=(1, middle)): lambda one: one.total <= middle,
            Filter(no_trial=True): lambda one: trials.isdisjoint(one.steps),
            Filter(uses="cases"): lambda one: "cases" in one.steps,
            Filter(uses="loop=1-2,cell"): lambda one: (
                1 <= one.steps.get("loop", 0) <= 2 and "cell" in one.steps
            ),
            Filter(techniques=",".join(allowed)): lambda one: {*one.steps} <= allowed,
            Filter(widest=(wide, wide)): lambda one: one.widest == wide,
            Filter(narrowest=(1, 1)): lambda one: one.narrowest == 1,
        }.items():
            found = {record.text for record in catalogue.find(chosen)}
            expected = [graded for graded in grades if fits(graded)]
            assert len(found) == len(expected), chosen


def test_unknown_techniques_are_refused():
    for options in ({"techniques": "cuont"}, {"uses": "cuont=2"}):
        with pytest.raises(ValueError, match="did you mean 'count'"):
            Filter(**options)
