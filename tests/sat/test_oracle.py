from __future__ import annotations

import pytest

import linkoracle
from linkoracle import Lattice, LinkModel, Numberlink, Oracle, SearchTimeout, Slitherlink
from linkoracle.errors import ConflictLimit
from linkoracle.sat import search
from linkoracle.sat.search import SOLVERS, Deadline

PUZZLE = Slitherlink(
    [
        [None, 3, None, None, 2],
        [None, None, None, 3, None],
        [2, 1, None, 2, None],
        [None, None, 2, None, 3],
        [3, None, None, None, None],
    ]
)


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_gives_the_same_answers(solver):
    clues = dict(PUZZLE.clue_cells())
    everything = set(linkoracle.solutions(PUZZLE))
    assert set(linkoracle.solutions(PUZZLE, solver=solver)) == everything
    with Oracle.slitherlink(5, 5, solver=solver) as oracle:
        for cell in list(clues):
            rest = {place: clue for place, clue in clues.items() if place != cell}
            assert oracle.ask(clues).status == "many"
            assert oracle.implies(clues, cell) == linkoracle.Oracle.slitherlink(5, 5).implies(
                clues, cell
            )
            assert set(oracle.solutions(rest)) >= everything
    assert linkoracle.count(Numberlink([[1, None, 2], [2, None, 1]]), solver=solver) == 0
    assert linkoracle.tally(PUZZLE, 3, solver=solver, timeout=60).count == 3


def test_an_unknown_solver_is_refused():
    with pytest.raises(ValueError, match="expected a solver out of cadical153"):
        Oracle.slitherlink(2, 2, solver="abacus")


def test_cores_are_sufficient_for_unique_and_for_none():
    full = Slitherlink.from_solution(linkoracle.solve(PUZZLE))
    clues = dict(full.clue_cells())
    with Oracle.slitherlink(5, 5) as oracle:
        verdict = oracle.ask(clues)
        assert verdict.unique
        assert len(verdict.core) < len(clues)
        core = Slitherlink.blank(5, 5).with_clues(verdict.core)
        assert linkoracle.is_unique(core)
        wrong = {**clues, (0, 0): 4}
        verdict = oracle.ask(wrong)
        assert verdict.status == "none"
        assert (0, 0) in verdict.core
        assert linkoracle.count(Slitherlink.blank(5, 5).with_clues(verdict.core)) == 0
        assert oracle.ask(clues).unique


def test_a_withdrawn_clue_leaves_no_trace():
    """The cuts found under strong clues must not exclude loops of the blank board."""
    with Oracle.slitherlink(3, 3) as oracle:
        for row in range(3):
            for col in range(3):
                for clue in range(4, -1, -1):
                    oracle.ask({(row, col): clue, (2 - row, 2 - col): 3})
                    oracle.implies({(row, col): clue, (0, 0): 2, (1, 1): 2}, (1, 1))
        assert sum(1 for _ in oracle.solutions()) == 213


def test_a_free_question_leans_on_no_earlier_clue():
    """A cut that carries the selector of a clue no longer in force would exclude nothing."""
    with Oracle(LinkModel.blank_paths(Lattice(5, 5), [(0, 24)])) as oracle:
        assert oracle.ask({(0, 1): 4, (2, 2): 2}).status == "none"
        assert any(oracle._search._demanding.values())
        assert oracle.ask().status == "many"
        assert not any(oracle._search._demanding.values())


def test_questions_may_be_asked_while_solutions_are_listed():
    with Oracle.slitherlink(3, 3) as oracle:
        listed = set()
        for solution in oracle.solutions({(1, 1): 2}):
            listed.add(solution)
            assert oracle.ask({(0, 0): 4}).unique
            assert oracle.ask({(0, 0): 4, (0, 1): 4}).status == "none"
        assert len(listed) == linkoracle.count(Slitherlink.blank(3, 3).with_clues({(1, 1): 2}))


def test_a_model_with_rules_of_its_own_takes_more_clues():
    model = Slitherlink([[3, None, None], [None, None, None], [3, None, 3]]).model
    with Oracle(model) as oracle:
        assert oracle.ask().status == "many"
        verdict = oracle.ask({(0, 2): 0, (1, 1): 2})
        brute = Slitherlink([[3, None, 0], [None, 2, None], [3, None, 3]])
        assert len(verdict.solutions) == min(2, linkoracle.count(brute))


def test_clues_off_the_board_are_refused():
    with Oracle.slitherlink(2, 2) as oracle:
        with pytest.raises(ValueError, match="no cell 2,0"):
            oracle.ask({(2, 0): 1})
        with pytest.raises(ValueError, match="from 0 to 4 at 0,0, found 5"):
            oracle.ask({(0, 0): 5})
        with pytest.raises(KeyError):
            oracle.implies({(0, 0): 3}, (1, 1))


def test_a_closed_oracle_does_not_answer():
    oracle = Oracle.slitherlink(2, 2)
    oracle.close()
    with pytest.raises(RuntimeError, match="closed"):
        oracle.ask({(0, 0): 3})


def hard_numberlink() -> LinkModel:
    """Few pairs and much room: far beyond what the search decides in a moment."""
    pairs = [(17, 380), (41, 358), (90, 309), (190, 210), (25, 375), (105, 295)]
    return LinkModel.blank_paths(Lattice(20, 20), pairs)


def test_a_time_limit_raises_and_leaves_the_oracle_usable(monkeypatch):
    monkeypatch.setattr(search, "_SLICE", 10)
    with Oracle(hard_numberlink()) as oracle:
        with pytest.raises(SearchTimeout) as caught:
            list(oracle.solutions(timeout=0.05))
        assert caught.value.seconds == 0.05
    with Oracle.slitherlink(8, 8) as oracle:
        with pytest.raises(SearchTimeout, match=r"within 0\.05 s"):
            list(oracle.solutions(timeout=0.05))
        assert oracle.ask({(0, 0): 4}).unique
        assert oracle.ask().status == "many"


def test_a_deadline_counts_what_was_found():
    with pytest.raises(SearchTimeout) as caught:
        linkoracle.tally(Slitherlink.blank(8, 8), engine="sat", timeout=0.2)
    assert caught.value.found >= 2
    with pytest.raises(ValueError, match="must be positive"):
        Deadline(0)
    with pytest.raises(ValueError, match="must be positive"):
        Deadline(None, 0)


def test_a_limit_of_conflicts_does_not_depend_on_the_clock(monkeypatch):
    monkeypatch.setattr(search, "_SLICE", 10)
    with Oracle(hard_numberlink()) as oracle:
        for _ in range(2):
            with pytest.raises(ConflictLimit, match="after 50 conflicts"):
                list(oracle.solutions(timeout=Deadline(None, 50)))


def test_bad_questions_are_refused():
    with pytest.raises(ValueError, match="at least 1"):
        linkoracle.tally(PUZZLE, 0)
    with pytest.raises(ValueError, match="expected one of the engines"):
        linkoracle.count(PUZZLE, engine="abacus")


def test_the_same_question_gets_the_same_answer():
    """Nothing depends on chance or on what was asked before of another oracle."""
    runs = [[s.edges for s in linkoracle.solutions(PUZZLE)] for _ in range(3)]
    assert runs[0] == runs[1] == runs[2]
