from __future__ import annotations

from random import Random

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import linkoracle
from linkoracle import (
    Lattice,
    LinkModel,
    LinkOracleError,
    Numberlink,
    Oracle,
    SearchTimeout,
    Slitherlink,
    Solution,
)
from linkoracle.cli.main import main
from linkoracle.core import ConflictLimit, Deadline
from linkoracle.core.errors import ClosedError
from linkoracle.engines import SOLVERS, search
from tests import brute_force, strategies

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
    assert linkoracle.count_result(PUZZLE, 3, solver=solver, timeout=60).count == 3


def test_an_unknown_solver_is_refused():
    with pytest.raises(ValueError, match="expected a solver out of cadical153"):
        Oracle.slitherlink(2, 2, solver="abacus")


#: A mistyped puzzle: the solver's own core has more clues than the contradiction needs.
WRONG = linkoracle.read(
    "slitherlink\n.02.21.\n1..1..3\n2.....1\n3.....3\n.0...0.\n..3.1..\n...3...\n"
)


def test_cores_that_are_read_are_minimal():
    quick = Oracle.slitherlink(7, 7).ask(WRONG.clue_cells(), core=True)
    verdict = linkoracle.decide(WRONG, core=True)
    assert (verdict.status, verdict.core_minimal) == ("none", True)
    blank = Slitherlink.blank(7, 7)
    assert linkoracle.count(blank.with_clues(verdict.core)) == 0
    for cell in verdict.core:
        fewer = {other: clue for other, clue in verdict.core.items() if other != cell}
        assert linkoracle.solve(blank.with_clues(fewer)) is not None
    assert len(verdict.core) < len(quick.core)


def test_a_core_says_that_time_ran_out(monkeypatch):
    monkeypatch.setattr("linkoracle.engines.cores.CORE_SECONDS", 1e-9)
    verdict = linkoracle.decide(WRONG, core=True)
    assert (verdict.status, verdict.core_minimal) == ("none", False)
    assert linkoracle.count(Slitherlink.blank(7, 7).with_clues(verdict.core)) == 0
    printed = CliRunner().invoke(main, ["check", "-"], input=linkoracle.write(WRONG)).stdout
    assert printed.startswith("no solution (these clues contradict each other: r1c2")
    assert printed.endswith("; time ran out, so not all may be needed)\n")


def test_cores_are_sufficient_for_unique_and_for_none():
    full = Slitherlink.from_solution(linkoracle.solve(PUZZLE))
    clues = dict(full.clue_cells())
    with Oracle.slitherlink(5, 5) as oracle:
        verdict = oracle.ask(clues, core=True)
        assert verdict.unique
        assert len(verdict.core) < len(clues)
        core = Slitherlink.blank(5, 5).with_clues(verdict.core)
        assert linkoracle.is_unique(core)
        wrong = {**clues, (0, 0): 4}
        verdict = oracle.ask(wrong, core=True)
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
        assert oracle.ask({(0, 1): 4, (2, 2): 2}, core=True).status == "none"
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


@pytest.mark.parametrize(
    ("clues", "said"),
    [
        ({(2, 0): 1}, r"a cell \(row, column\) of 2 x 2 cells, got \(2, 0\)"),
        ({(-1, 0): 1}, r"got \(-1, 0\)"),
        ({(0.5, 0): 1}, r"got \(0\.5, 0\)"),
        ({(True, 0): 1}, r"got \(True, 0\)"),
        ({7: 1}, "got 7"),
        ({(0, 0): 5}, "a clue from 0 to 4, got 5"),
        ({(0, 0): -1}, "a clue from 0 to 4, got -1"),
        ({(0, 0): 2.9}, r"a clue from 0 to 4, got 2\.9"),
        ({(0, 0): True}, "a clue from 0 to 4, got True"),
        ({(0, 0): {1, 7}}, "a clue from 0 to 4, got 7"),
    ],
)
def test_clues_that_make_no_sense_are_refused(clues, said):
    with Oracle.slitherlink(2, 2) as oracle:
        for ask in (oracle.ask, oracle.solutions, lambda clues: oracle.implies(clues, (0, 0))):
            with pytest.raises(ValueError, match=said):
                ask(clues)
        assert oracle.ask({(0, 0): 4}).unique


def test_clues_and_edges_may_be_iterators():
    clues, edges = {(0, 0): 4, (0, 1): 3}, {0: True, 11: False}
    with Oracle.slitherlink(2, 2) as oracle:
        for given in ((clues, edges), (clues, ()), ((), {0: True, 1: False, 2: False})):
            again = [iter(dict(one).items()) for one in given]
            assert oracle.core(*again) == oracle.core(*given)


def test_candidates_are_edges_of_the_board():
    square = Solution(Lattice(3, 3), (0, 1, 3, 5))
    with Oracle.slitherlink(2, 2) as oracle:
        for wrong in (12, -1, 1.0):
            with pytest.raises(ValueError, match=f"an edge from 0 to 11, got {wrong}"):
                oracle.differing(square, [0, wrong], 2)


def test_a_board_is_encoded_within_the_time_limit_of_a_query(monkeypatch):
    """Whatever needs the solver first: a clue, or a clause that excludes the known solution."""
    limits, opened = [], search.LazySearch._open
    monkeypatch.setattr(
        search.LazySearch, "_open", lambda self, end: limits.append(end.left) or opened(self, end)
    )
    # A search without a solver decides such boards.
    monkeypatch.setattr("linkoracle.engines.oracle.at_once", lambda *_: ([], False))
    square = Solution(Lattice(3, 3), (0, 1, 3, 5))
    for ask in (
        lambda oracle: oracle.ask({(0, 0): 3}, timeout=60),
        lambda oracle: oracle.contradiction({(0, 0): 3}, timeout=60),
        lambda oracle: oracle.implies({(0, 0): 3}, (0, 0), timeout=60),
        lambda oracle: oracle.another(square, timeout=60),
        lambda oracle: oracle.differing(square, [0], 1, timeout=60),
        lambda oracle: next(oracle.solutions({(0, 0): 3}, timeout=60)),
    ):
        with Oracle.slitherlink(2, 2) as oracle:
            ask(oracle)
            assert limits[0] is not None
        limits.clear()
    with Oracle.slitherlink(2, 2) as oracle, pytest.raises(SearchTimeout):
        next(oracle.solutions({(0, 0): 3}, timeout=1e-9))
    assert None not in limits


def test_edges_of_numpy_are_edges():
    with Oracle.slitherlink(2, 2) as oracle:
        edges = {np.int64(edge): np.bool_(edge in (0, 1, 3, 5)) for edge in range(12)}
        assert oracle.ask(edges=edges).unique
        with pytest.raises(ValueError, match="True or False for edge 0"):
            oracle.ask(edges={0: np.array([True])})


@pytest.mark.parametrize(
    ("edges", "said"),
    [
        ({12: True}, "an edge from 0 to 11, got 12"),
        ({-1: True}, "an edge from 0 to 11, got -1"),
        ({0.0: True}, r"an edge from 0 to 11, got 0\.0"),
        ({0: 1}, "True or False for edge 0, got 1"),
    ],
)
def test_edges_that_make_no_sense_are_refused(edges, said):
    with Oracle.slitherlink(2, 2) as oracle, pytest.raises(ValueError, match=said):
        oracle.ask(edges=edges)


def test_what_is_not_among_the_others_cannot_follow_from_them():
    with Oracle.slitherlink(2, 2) as oracle:
        with pytest.raises(KeyError):
            oracle.implies({(0, 0): 3}, (1, 1))
        with pytest.raises(KeyError):
            oracle.implies({(0, 0): 3}, 5, edges={4: True})
        # ``None`` is no clue, and no value of an edge.
        with pytest.raises(KeyError, match="expected a face with a clue, or an edge"):
            oracle.implies({(0, 0): 3, (1, 1): None}, (1, 1))
        with pytest.raises(KeyError):
            oracle.implies({(0, 0): 3}, 5, edges={4: True, 5: None})


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), "soon"])
def test_a_time_limit_is_a_positive_number(timeout):
    with Oracle.slitherlink(2, 2) as oracle:
        for ask in (oracle.ask, lambda **limit: list(oracle.solutions(**limit))):
            with pytest.raises(ValueError, match="expected a positive number of seconds"):
                ask(timeout=timeout)


def test_no_value_is_allowed_by_the_empty_set():
    with Oracle.slitherlink(2, 2) as oracle:
        verdict = oracle.ask({(0, 0): set(), (1, 1): 2}, edges={0: True}, core=True)
        assert (verdict.status, verdict.core, verdict.core_edges) == ("none", {(0, 0): set()}, {})
        assert oracle.ask({(0, 0): {0, 1, 2, 3, 4}}).status == "many"


def test_after_close_every_question_raises_one_error():
    oracle = Oracle.slitherlink(2, 2)
    shown = oracle.ask({(0, 0): 3}).solutions
    listed = oracle.solutions()
    next(listed)
    oracle.close()
    oracle.close()
    queries = [
        # The first would need no search: two solutions are known.
        lambda: oracle.ask({(0, 0): 3}),
        lambda: oracle.ask({(0, 0): {1, 2}}),
        lambda: oracle.implies({(0, 0): 3}, (0, 0)),
        lambda: oracle.another(shown[0]),
        lambda: oracle.solutions(),
        lambda: next(listed),
    ]
    for ask in queries:
        with pytest.raises(ClosedError) as caught:
            ask()
        assert isinstance(caught.value, RuntimeError)
        assert isinstance(caught.value, LinkOracleError)
    assert list(listed) == []


def test_anything_with_a_model_has_an_oracle():
    assert Oracle(PUZZLE).ask().status == Oracle(PUZZLE.model).ask().status == "many"
    with pytest.raises(ValueError, match="expected a LinkModel"):
        Oracle(3)


@settings(max_examples=80, deadline=None)
@given(strategies.models(), st.builds(Random, st.integers(0, 2**32)))
def test_random_assumptions_on_random_models_against_brute_force(model, rng):
    """Clues, sets and edges on any model: answers, lists, implications, cores."""
    lattice = model.lattice
    everything = brute_force.model_solutions(model)
    cells = [(row, col) for row in range(lattice.rows - 1) for col in range(lattice.cols - 1)]
    counts = {chosen: Solution(lattice, tuple(chosen)).face_counts() for chosen in everything}
    known = sorted(everything, key=sorted)

    def fitting(clues, edges):
        return {
            chosen
            for chosen in everything
            if all(
                counts[chosen][cell] in (clue if isinstance(clue, set) else {clue})
                for cell, clue in clues.items()
            )
            and all((edge in chosen) == on for edge, on in edges.items())
        }

    with Oracle(model) as oracle:
        for _ in range(6):
            liked = rng.choice(known) if known else frozenset()
            true = Solution(lattice, tuple(liked)).face_counts()
            clues = {}
            for cell in rng.sample(cells, rng.randint(0, len(cells))):
                wrong = rng.random() < 0.1
                value = rng.randrange(5) if wrong else int(true[cell])
                others = set(rng.sample(range(5), rng.randrange(3)))
                clues[cell] = others | {value} if rng.random() < 0.4 else value
            edges = {
                edge: (edge in liked) != (rng.random() < 0.1)
                for edge in rng.sample(
                    range(lattice.num_edges), min(lattice.num_edges, rng.randint(0, 3))
                )
            }
            right = fitting(clues, edges)
            core = rng.random() < 0.4
            verdict = oracle.ask(clues, edges=edges, core=core)
            assert verdict.status == ("none", "unique", "many")[min(2, len(right))]
            assert {frozenset(shown) for shown in verdict.solutions} <= right
            assert len(set(verdict.solutions)) == len(verdict.solutions)
            contradiction = oracle.contradiction(clues, edges)
            assert (contradiction is None) == bool(right)
            if verdict.status == "many" or not core:
                assert verdict.core is None
                assert verdict.core_edges is None
            else:
                assert verdict.core.items() <= clues.items()
                assert verdict.core_edges.items() <= edges.items()
                assert fitting(verdict.core, verdict.core_edges) == right
            less = oracle.core(clues, edges=edges)
            assert (less.status, less.core_minimal) == (verdict.status, verdict.status == "none")
            if verdict.status == "none":
                assert less.core.items() <= clues.items()
                assert less.core_edges.items() <= edges.items()
                assert not fitting(less.core, less.core_edges)
                for spared in less.core:
                    fewer = {cell: clue for cell, clue in less.core.items() if cell != spared}
                    assert fitting(fewer, less.core_edges)
                for spared in less.core_edges:
                    fewer = {edge: on for edge, on in less.core_edges.items() if edge != spared}
                    assert fitting(less.core, fewer)
            if rng.random() < 0.5:
                listed = list(oracle.solutions(clues, edges=edges))
                assert len(listed) == len(right)
                assert {frozenset(one) for one in listed} == right
            for cell in list(clues)[:2]:
                rest = {place: clue for place, clue in clues.items() if place != cell}
                follows = set() < fitting(rest, edges) == right
                assert oracle.implies(clues, cell, edges=edges) == follows
            for edge in edges:
                rest = {other: on for other, on in edges.items() if other != edge}
                follows = set() < fitting(clues, rest) == right
                assert oracle.implies(clues, edge, edges=edges) == follows


def hard_numberlink() -> LinkModel:
    """Few pairs and much room: far beyond what the search decides in a moment."""
    pairs = [(17, 380), (41, 358), (90, 309), (190, 210), (25, 375), (105, 295)]
    return LinkModel.blank_paths(Lattice(20, 20), pairs)


def test_a_time_limit_raises_and_leaves_the_oracle_usable(monkeypatch):
    monkeypatch.setattr(search, "PIECE", 10)
    with Oracle(hard_numberlink()) as oracle:
        with pytest.raises(SearchTimeout) as caught:
            list(oracle.solutions(timeout=0.05))
        assert caught.value.seconds == 0.05
    with Oracle.slitherlink(8, 8) as oracle:
        with pytest.raises(SearchTimeout, match=r"within 0\.05 s"):
            list(oracle.solutions(timeout=0.05))
        assert oracle.ask({(0, 0): 4}).unique
        assert oracle.ask().status == "many"


def test_a_deadline_counts_what_was_found(clock):
    clock.tick = 0.01
    with pytest.raises(SearchTimeout) as caught:
        linkoracle.count_result(Slitherlink.blank(8, 8), engine="sat", timeout=3)
    assert caught.value.found >= 2
    with pytest.raises(ValueError, match="a positive number of seconds, got 0"):
        Deadline(0)
    with pytest.raises(ValueError, match="got 0"):
        Deadline(None, 0)


def test_a_limit_of_conflicts_does_not_depend_on_the_clock(monkeypatch):
    monkeypatch.setattr(search, "PIECE", 10)
    with Oracle(hard_numberlink()) as oracle:
        for _ in range(2):
            with pytest.raises(ConflictLimit, match="after 50 conflicts"):
                list(oracle.solutions(timeout=Deadline(None, 50)))


def test_bad_questions_are_refused():
    with pytest.raises(ValueError, match="a limit from 1, got 0"):
        linkoracle.count_result(PUZZLE, 0)
    with pytest.raises(
        ValueError, match="expected an engine out of auto, sat, frontier, plain; got"
    ):
        linkoracle.count(PUZZLE, engine="abacus")


def test_the_same_question_gets_the_same_answer():
    """Nothing depends on chance or on what came before of another oracle."""
    runs = [[s.edges for s in linkoracle.solutions(PUZZLE)] for _ in range(3)]
    assert runs[0] == runs[1] == runs[2]


@pytest.mark.parametrize("solvers", [False, True])
def test_random_edits_are_answered_as_from_scratch(solvers, monkeypatch):
    """Squares and tilings; where a search without a solver answers, and where it gives up."""
    if solvers:
        monkeypatch.setattr(search, "_AT_ONCE", 0)
    seen = set()
    for number, board in enumerate((Lattice(6, 7), linkoracle.boards.honeycomb(3, 4), None)):
        rng = Random(number)
        board = board or linkoracle.boards.kites(2, 3)
        blank = LinkModel.blank_loop(board)
        loop = next(iter(linkoracle.solutions(blank.with_faces({board.face_name(1): 1}))))
        free, counts = board.free_masks, loop.counts()
        names = [board.face_name(face) for face in range(board.num_faces)]
        shown = dict(zip(names, counts, strict=True))
        clues, edges = {name: shown[name] for name in names if rng.random() < 0.6}, {}
        with Oracle(blank) as oracle:
            for _ in range(30):
                name = rng.choice(names)
                clues[name] = rng.choice([None, shown[name]])
                held = {name: clue for name, clue in clues.items() if clue is not None}
                if rng.random() < 0.2:
                    name = rng.choice(names)
                    held[name] = rng.randrange(free[board.face_of(name)].bit_length())
                edge = rng.randrange(board.num_edges)
                edges[edge] = rng.choice([None, None, edge in loop.edges])
                model = blank.with_faces(held).with_edges(
                    [edge for edge, on in edges.items() if on],
                    [edge for edge, on in edges.items() if on is False],
                )
                verdict = oracle.ask(held, edges)
                assert verdict.status == linkoracle.decide(model).status
                for one in verdict.solutions:
                    assert not linkoracle.board.violations(model, one.edges)
                assert (oracle.contradiction(held, edges) is None) == (verdict.status != "none")
                seen.add(verdict.status)
                name = rng.choice(list(held))
                without = linkoracle.count(
                    model.with_faces({name: range(free[board.face_of(name)].bit_length())}), 50
                )
                follows = 0 < without == linkoracle.count(model, 50)
                # On a tiling, faces and edges may have the same names.
                if without < 50 and edges.get(name) is None:
                    assert oracle.implies(held, name, edges=edges) == follows
    assert seen == {"none", "unique", "many"}
