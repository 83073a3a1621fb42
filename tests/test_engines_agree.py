"""The two engines on random models: masks of every kind, more than any puzzle here asks for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkoracle import Oracle
from linkoracle.engines import SOLVERS
from linkoracle.frontier import Diagram, count
from tests.strategies import models


@settings(max_examples=500, deadline=None)
@given(models())
def test_both_engines_list_the_same_solutions(model):
    diagram = Diagram.build(model)
    assume(diagram.count() <= 500)
    with Oracle(model) as oracle:
        listed = list(oracle.solutions())
        verdict = oracle.ask()
    assert len(listed) == len(set(listed)) == diagram.count() == count(model)
    assert set(listed) == set(diagram)
    assert verdict.status == ("none", "unique", "many")[min(2, len(listed))]
    assert set(verdict.solutions) <= set(listed)


@settings(max_examples=150, deadline=None)
@given(models(), st.sampled_from(SOLVERS))
def test_both_engines_agree_on_uniqueness(model, solver):
    with Oracle(model, solver=solver) as oracle:
        status = oracle.ask().status
    assert status == ("none", "unique", "many")[min(2, count(model))]


@settings(max_examples=100, deadline=None)
@given(models(), st.data())
def test_clues_on_top_of_a_model_leave_what_the_diagram_leaves(model, data):
    """Clues that come and go on the oracle, against the same masks in a model of its own."""
    lattice = model.lattice
    assume(lattice.num_faces)
    with Oracle(model) as oracle:
        for _ in range(4):
            faces = data.draw(
                st.dictionaries(
                    st.integers(0, lattice.num_faces - 1), st.integers(0, 4), max_size=4
                )
            )
            masks = bytearray(model.faces)
            for face, clue in faces.items():
                masks[face] &= 1 << clue
            clued = replace(model, faces=bytes(masks))
            clues = {divmod(face, lattice.cols - 1): clue for face, clue in faces.items()}
            number = count(clued)
            assert oracle.ask(clues).status == ("none", "unique", "many")[min(2, number)]
            for cell, clue in clues.items():
                rest = {place: value for place, value in clues.items() if place != cell}
                face = lattice.face(*cell)
                masks_without = bytearray(masks)
                masks_without[face] = model.faces[face]
                without = replace(model, faces=bytes(masks_without))
                follows = 0 < count(without) == number
                assert oracle.implies({**rest, cell: clue}, cell) == follows


@pytest.mark.heavy
@settings(max_examples=5_000, deadline=None)
@given(models())
def test_both_engines_agree_on_many_models(model):
    number = count(model)
    with Oracle(model) as oracle:
        assert oracle.ask().status == ("none", "unique", "many")[min(2, number)]
        if number <= 200:
            assert sum(1 for _ in oracle.solutions()) == number
