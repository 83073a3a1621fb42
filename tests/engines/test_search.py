from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections import Counter
from itertools import pairwise

import pytest

import linkoracle
from linkoracle.core import Deadline
from linkoracle.engines import SOLVERS, LazySearch, Oracle, at_once, search
from tests import constrained
from tests.boards import FAMILIES, small_board
from tests.interrupting import ctrl_c
from tests.strategies import HARD_PAIRS

PAIRS = [((0, 17), (19, 0)), ((2, 1), (17, 18)), ((4, 10), (15, 9)), ((1, 5), (18, 15))]
#: A board that takes a SAT solver very long.
HARD = linkoracle.Numberlink.from_pairs(40, 40, HARD_PAIRS, "fill")


def test_a_search_can_be_used_after_ctrl_c():
    """Ctrl-C leaves the solver whole: it goes on with all it has learned, and can be freed."""
    with LazySearch(HARD.model) as search:
        search.colour(Deadline(None))
        for _ in range(2):
            with ctrl_c(after=0.4, within=5):
                search.next_solution()
        search.add([[]])
        assert search.next_solution() is None


@pytest.mark.parametrize("solver", [None, *SOLVERS])
def test_a_prompt_search_has_the_same_solutions(solver):
    """With any solver; those that cannot be configured are as they are."""
    board = linkoracle.Slitherlink.blank(3, 3)
    with (
        LazySearch(board.model, solver) as plain,
        LazySearch(board.model, solver, prompt=True) as prompt,
    ):
        listed = []
        for search in (plain, prompt):
            found = set()
            while (edges := search.next_solution()) is not None:
                assert edges not in found
                found.add(edges)
                search.add([[-1 - edge for edge in edges]])
            listed.append(found)
    assert listed[0] == listed[1]
    assert len(listed[0]) == 213  # OEIS A140517


def test_a_prompt_search_switches_off_simplification(monkeypatch):
    from pysat.solvers import Solver

    seen = []
    configure = Solver.configure
    monkeypatch.setattr(
        Solver, "configure", lambda self, options: (seen.append(options), configure(self, options))
    )
    for prompt in (False, True):
        with LazySearch(linkoracle.Slitherlink.blank(3, 3).model, prompt=prompt) as search:
            assert search.next_solution() is not None
        assert len(seen) == prompt
    assert seen[0]["inprocessing"] == 0


def test_to_state_the_rules_of_a_large_board_ends_in_time(monkeypatch):
    """Stating clauses checks the clock at intervals, and a timeout frees the solver."""
    from pysat.solvers import Cadical195

    stated, looks, freed = [], [], []
    add, delete = Cadical195.add_clause, Cadical195.delete
    monkeypatch.setattr(
        Cadical195, "add_clause", lambda self, clause: (stated.append(1), add(self, clause))
    )
    monkeypatch.setattr(
        Cadical195, "delete", lambda self: (freed.append(self.cadical), delete(self))
    )

    class Ticking(Deadline):
        def check(self):
            looks.append(len(stated))
            if len(looks) == last:
                raise linkoracle.SearchTimeout(1)

    board = linkoracle.Numberlink.from_pairs(90, 90, PAIRS).model
    last = None
    with Oracle(board, timeout=Ticking(None)):
        whole = [*looks, len(stated)]
    assert len(whole) > 7
    assert max(after - before for before, after in pairwise(whole)) < whole[-1] / 5
    for last in range(1, len(whole)):
        stated.clear()
        looks.clear()
        freed.clear()
        with pytest.raises(linkoracle.SearchTimeout):
            Oracle(board, timeout=Ticking(None))
        assert len(stated) < whole[-1]
        # Twice before there is a solver.
        assert any(freed) == (last > 2)
    for engine in ("sat", "auto"):
        stated.clear()
        with pytest.raises(linkoracle.SearchTimeout):
            linkoracle.count(board, engine=engine, timeout=1e-9)
        assert not stated


def test_other_users_of_pysat_notice_nothing():
    from pysat.solvers import MainThread, Solver

    assert linkoracle.is_unique(linkoracle.Slitherlink([[4]]))
    assert MainThread.check()
    with Solver(name="cadical195", bootstrap_with=[[1, 2], [-1]]) as solver:
        assert solver.solve()
        assert MainThread.check()


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_search_in_many_pieces_finds_the_same(solver, monkeypatch):
    """Every solver goes on where it was after a piece of work, and loses nothing."""
    from linkoracle.engines import search

    monkeypatch.setattr(search, "PIECE", 1)
    puzzle = linkoracle.Slitherlink([[None, 3, None], [2, None, None], [None, None, 3]])
    expected = linkoracle.count(puzzle, engine="frontier")
    assert linkoracle.count(puzzle, engine="sat", solver=solver) == expected


def test_ctrl_c_while_the_solver_is_freed():
    """PySAT notes only afterwards that a solver is freed; it must not be freed twice."""
    search = LazySearch(linkoracle.Slitherlink.blank(2, 2).model)
    search.prefer([])
    solver, freed = search._solver, []
    owner = solver._owner

    class Owner:
        def delete(self) -> None:
            freed.append(owner)
            signal.raise_signal(signal.SIGINT)
            owner.delete()

    solver._owner = Owner()
    with pytest.raises(KeyboardInterrupt):
        search.close()
    search.close()
    assert freed == [owner]
    assert owner.solver is None


def test_ctrl_c_while_a_solver_is_freed_that_nobody_closed(monkeypatch):
    """Without a finaliser of ours, those of PySAT's two classes would both free the solver."""
    from pysat import solvers

    free, freed, unraisable = solvers.pysolvers.cadical195_del, [], []

    def interrupted(*solver: object) -> None:
        freed.append(solver)
        if len(freed) == 1:
            free(*solver)
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(solvers.pysolvers, "cadical195_del", interrupted)
    monkeypatch.setattr("sys.unraisablehook", lambda one: unraisable.append(one.exc_type))
    oracle = Oracle(linkoracle.Slitherlink.blank(3, 3).model)
    assert oracle.ask({}).status == "many"
    del oracle
    assert len(freed) == 1
    # Python has no place to raise it.
    assert unraisable == [KeyboardInterrupt]


def test_what_could_not_be_made_is_dropped_in_silence(monkeypatch):
    unraisable = []
    monkeypatch.setattr("sys.unraisablehook", unraisable.append)
    with pytest.raises(ValueError, match="expected a solver"):
        LazySearch(linkoracle.Slitherlink.blank(3, 3).model, "none")
    with pytest.raises(linkoracle.SearchTimeout):
        Oracle(linkoracle.Slitherlink.blank(3, 3), timeout=1e-9)
    assert not unraisable


def test_an_oracle_may_live_as_long_as_its_process():
    script = (
        "import linkoracle\n"
        "oracle = linkoracle.Oracle(linkoracle.Slitherlink.blank(3, 3).model)\n"
        "print(oracle.ask({}).status)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "many\n", "")


def test_a_list_may_outlive_its_search():
    oracle = Oracle(linkoracle.Slitherlink.blank(2, 2).model)
    solutions = oracle.solutions()
    next(solutions)
    oracle.close()
    solutions.close()
    with pytest.raises(RuntimeError, match="closed"):
        next(oracle.solutions())


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("effort", [0, 3, 12])
def test_a_search_without_a_solver_finds_what_brute_force_does(family, effort, monkeypatch):
    """Any board and connectivity; with counts and edges besides, and with little effort."""
    monkeypatch.setattr(search, "_AT_ONCE", effort)
    rng = random.Random(f"{family} {effort}")
    seen = Counter()
    for _ in range(60):
        model = constrained.random_model(rng, small_board(rng, family))
        every = sorted(constrained.solutions(model))
        known = rng.choice(every) if every and rng.random() < 0.5 else None
        masks, edges = {}, {}
        if rng.random() < 0.5:
            # Some hold of the known solution, if there is one.
            like = set(known or (rng.choice(every) if every else ()))
            for face in rng.sample(range(model.board.num_faces), model.board.num_faces // 3):
                around = model.board.edges_of(face)
                masks[face] = 1 << len(like.intersection(around)) | rng.choice([0, 2, 5])
            edges = {edge: edge in like for edge in rng.sample(range(model.board.num_edges), 2)}
        fitting = {
            one
            for one in every
            if all((edge in one) == on for edge, on in edges.items())
            and all(
                mask >> len({*one}.intersection(model.board.edges_of(face))) & 1
                for face, mask in masks.items()
            )
        }
        others = fitting - {known}
        most = rng.randint(1, 3)
        implied = {}
        found, complete = at_once(model, Deadline(None), masks, edges, known, most, implied)
        assert all((edge in one) == on for one in fitting for edge, on in implied.items())
        seen["implied"] += len(fitting) * len(implied)
        assert len(found) == len(set(found)) <= most
        assert set(found) <= others
        if complete:
            assert set(found) == others
        seen[complete, min(len(fitting), 2)] += 1
    assert seen["implied"]
    assert seen[True, 0]
    assert seen[True, 1]
    assert not effort or seen[False, 2]
