"""What the rules of a board tell by themselves, and the clauses for the rest."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from itertools import combinations
from types import SimpleNamespace

import networkx as nx
import pytest
from hypothesis import assume, given, settings
from pysat.solvers import Solver

import linkoracle
from linkoracle import Board, Count, Lattice, LinkModel, Slitherlink
from linkoracle.core import Deadline
from linkoracle.engines import LazySearch, Oracle
from linkoracle.lines.rules_kernel import Rules
from tests import boards, brute_force, constrained, strategies
from tests.interrupting import ctrl_c, ends_within

NEVER = Deadline(None)


def stated(rules: Rules) -> list[list[int]]:
    clauses: list[list[int]] = []
    rules.state(clauses.append, NEVER)
    return clauses


def counted(edges: list[int], mask: int) -> Iterator[list[int]]:
    """The clauses for a number of chosen edges that is a bit of the mask, by the book."""
    allowed = [k for k in range(len(edges) + 1) if mask >> k & 1]
    if not allowed:
        yield []
        return
    for some in combinations(edges, allowed[-1] + 1):
        yield [-1 - edge for edge in some]
    if allowed[0]:
        for some in combinations(edges, len(edges) - allowed[0] + 1):
            yield [edge + 1 for edge in some]
    for number in set(range(allowed[0], allowed[-1])) - set(allowed):
        for some in combinations(edges, number):
            yield [-1 - edge if edge in some else edge + 1 for edge in edges]


def by_the_book(model: LinkModel) -> Iterator[list[int]]:
    """Every clause of the local rules, each rule by itself."""
    for around, mask in zip(model.lattice.vertex_edges.tolist(), model.degrees, strict=True):
        yield from counted([edge for edge in around if edge >= 0], mask)
    for around, mask in zip(model.lattice.face_edges.tolist(), model.faces, strict=True):
        yield from counted(around, mask)
    yield from ([edge + 1] for edge in model.given)
    yield from ([-1 - edge] for edge in model.forbidden)
    if model.loop:
        yield [edge + 1 for edge in range(model.lattice.num_edges)]


@settings(max_examples=300, deadline=None)
@given(strategies.models())
def test_what_is_known_holds_in_every_solution(model):
    solutions = brute_force.model_solutions(model)
    rules = Rules(model)
    if not rules.preprocess(NEVER):
        assert not solutions
        return
    for edge, value in enumerate(rules.fixed()):
        assert value == 2 or all((edge in solution) == value for solution in solutions)
    clauses = [set(clause) for clause in stated(rules)]
    for solution in solutions:
        literals = {e + 1 if e in solution else -1 - e for e in range(model.lattice.num_edges)}
        assert all(literals & clause for clause in clauses)


@settings(max_examples=100, deadline=None)
@given(strategies.models())
def test_before_anything_is_known_the_clauses_are_those_of_the_book(model):
    plain = LinkModel(model.lattice, model.degrees, model.faces, model.terminals, model.loop)
    clauses = stated(Rules(plain))
    assert sorted(map(sorted, clauses)) == sorted(map(sorted, by_the_book(plain)))


@settings(max_examples=100, deadline=None)
@given(strategies.models())
def test_the_clauses_say_all_that_the_rules_say(model):
    """The solver refutes that all clauses that are stated hold, and one by the book does not."""
    rules = Rules(model)
    assume(rules.preprocess(NEVER))
    with Solver(name="cadical195", bootstrap_with=stated(rules)) as solver:
        for clause in by_the_book(model):
            assert not solver.solve(assumptions=[-literal for literal in clause])


def test_a_board_with_many_clues_needs_no_solver():
    """Twenty loops, each with all its clues but a few: nothing is left open, nothing is stated."""
    lattice = Lattice(8, 8)
    decided = 0
    for loop in linkoracle.diagram(LinkModel.blank_loop(lattice)).sample(20, seed=1):
        full = Slitherlink.from_solution(loop)
        clues = [clue for number, clue in enumerate(full.clue_cells()) if number % 9]
        with LazySearch(Slitherlink.blank(7, 7).with_clues(dict(clues)).model) as search:
            if search.only() is not None:
                decided += 1
                assert search.only() == (loop.edges,)
                assert search._solver is None
                # It can be asked all the same.
                assert search.next_solution() == loop.edges
                search.add([[-1 - edge for edge in loop.edges]])
                assert search.next_solution() is None
    assert decided > 10


def test_where_the_rules_contradict_each_other_nothing_is_stated():
    """Whatever is added, asked or preferred afterwards; also where paths have colours."""
    faces = bytes([0b10000, 0b10000])
    loops = LinkModel(Lattice(2, 3), bytes([0b101]) * 6, faces, loop=True)
    pairs = LinkModel.blank_paths(Lattice(2, 2), [(0, 3), (1, 2)])
    for model in (loops, pairs):
        with Oracle(model) as oracle:
            search = oracle._search
            assert oracle.ask().status == "none"
            assert oracle.ask(edges={0: True}, core=True).core_edges == {}
            assert not list(oracle.solutions())
            search.prefer([1])
            assert search.next_solution([1]) is None
            assert search._solver is None


@pytest.mark.parametrize(
    ("model", "known"),
    [
        (LinkModel.blank_paths(Lattice(1, 1), [], cover=True), None),
        (LinkModel.blank_loop(Lattice(1, 1)), None),
        (LinkModel.blank_loop(Lattice(1, 4)), [0, 0, 0]),
        (LinkModel.blank_loop(Lattice(2, 2)), [2, 2, 2, 2]),
        (LinkModel.blank_paths(Lattice(1, 3), [(0, 2)]), [1, 1]),
        # The edges of a loop that has no room elsewhere.
        (Slitherlink([[4, None]]).model, [1, 1, 0, 1, 0, 1, 0]),
        # No path may join the ends of different pairs.
        (LinkModel.blank_paths(Lattice(2, 2), [(0, 1), (2, 3)]), [1, 0, 0, 1]),
        (LinkModel.blank_paths(Lattice(2, 2), [(0, 3), (1, 2)]), None),
    ],
)
def test_small_boards(model, known):
    rules = Rules(model)
    assert rules.preprocess(NEVER) == (known is not None)
    if known is not None:
        assert list(rules.fixed()) == known


def clued(side: int) -> LinkModel:
    """A board on which probing is long: clues that tell little."""
    faces = bytes(0b01110 if face % 3 == 0 else 0b11111 for face in range((side - 1) ** 2))
    return LinkModel(Lattice(side, side), bytes([0b101]) * side**2, faces, loop=True)


def test_a_time_limit_and_ctrl_c_stop_it():
    model = clued(900)
    rules = Rules(model)
    with ends_within(0.5), pytest.raises(linkoracle.SearchTimeout):
        rules.preprocess(Deadline(0.005))
    with ctrl_c(after=0.005, within=0.5):
        rules.preprocess(NEVER)
    with pytest.raises(linkoracle.SearchTimeout):
        linkoracle.count(model, limit=2, engine="sat", timeout=0.005)


def test_what_was_stopped_goes_on():
    """In many pieces, with the same result."""
    model = (
        Slitherlink.blank(40, 40)
        .with_clues({(row, col): 3 for row in range(0, 40, 5) for col in range(0, 40, 7)})
        .model
    )
    whole, pieces = Rules(model), Rules(model)
    assert whole.preprocess(NEVER)
    stops = 0
    while True:
        try:
            assert pieces.preprocess(Deadline(1e-4 * (1 + stops)))
            break
        except linkoracle.SearchTimeout:
            stops += 1
    assert pieces.fixed() == whole.fixed()


def test_one_thread_at_a_time():
    """While one is at work, which may call back, another is turned away."""
    rules = Rules(LinkModel.blank_loop(Lattice(2, 2)))
    entered, leave = threading.Event(), threading.Event()

    def add(_: list[int]) -> None:
        entered.set()
        leave.wait()

    thread = threading.Thread(target=rules.state, args=(add, NEVER))
    thread.start()
    entered.wait()
    with pytest.raises(RuntimeError, match="one thread"):
        rules.preprocess(NEVER)
    with pytest.raises(RuntimeError, match="one thread"):
        rules.state(add, NEVER)
    leave.set()
    thread.join()
    assert rules.preprocess(NEVER)


@pytest.mark.parametrize(
    "change",
    [
        {"degrees": bytes(15)},
        {"faces": (31,) * 8},
        {"only_masks": False, "all_counts": lambda: [((25,), 1)]},
        {"only_masks": False, "all_counts": lambda: [((0,), 1)]},
        {"given": (24,)},
        {"given": (-1,)},
        {"given": (1, 1)},
        {"given": (1,), "forbidden": (1,)},
        {"forbidden": (2**40,)},
    ],
)
def test_rules_that_are_none_are_refused(change):
    model = LinkModel.blank_loop(Lattice(4, 4))
    with pytest.raises(ValueError, match="expected"):
        Rules(SimpleNamespace(**vars(model) | {"only_masks": True, "num_variables": 24} | change))


@pytest.mark.parametrize("size", [61, 62, 63, 64, 65, 130])
def test_counts_of_any_length_allow_what_they_say(size):
    """Up to 62 literals their mask is one word; literals are negative, too, and stand twice."""
    graph = nx.cycle_graph(70)
    graph.add_edge(0, 35)
    board, rng = Board.from_graph(graph), random.Random(size)
    blank = LinkModel.blank_loop(board)
    loops = {solution.edges for solution in Oracle(blank).solutions()}
    assert len(loops) == 3
    for _ in range(20):
        literals = [rng.choice((-1, 1)) * rng.randint(1, 71) for _ in range(size)]
        true = {
            loop: sum((abs(literal) - 1 in loop) == (literal > 0) for literal in literals)
            for loop in loops
        }
        numbers = set(rng.sample([*true.values()], 2)) | {0, size}
        if rng.random() < 0.5:
            numbers = set(range(size + 1)) - numbers
        model = blank.with_constraints(counts=[Count.of(literals, numbers)])
        with Oracle(model) as oracle:
            found = {solution.edges for solution in oracle.solutions()}
        assert found == {loop for loop, number in true.items() if number in numbers}


def counted_along(rng: random.Random, model: LinkModel, chosen: frozenset[int]) -> list[Count]:
    """Counts that ``chosen`` fulfils, for the most part: of evenness, and one inside the other."""
    size = model.board.num_edges
    counts = []
    for _ in range(3):
        counted = rng.sample(range(1, size + 1), rng.randint(1, min(9, size)))
        signs = rng.choice([(1,), (1, -1)])
        literals = [rng.choice(signs) * one for one in counted]
        for length in sorted(rng.choices(range(1, len(literals) + 1), k=3)):
            part = literals[-length:] if rng.random() < 0.9 else [*literals[-length:], literals[-1]]
            true = sum((abs(one) - 1 in chosen) == (one > 0) for one in part)
            if rng.random() < 0.5:
                numbers = set(range(true % 2, len(part) + 1, 2))
            else:
                numbers = {true, *rng.choices([true, rng.randint(0, len(part))], weights=[4, 1])}
            counts.append(Count.of(part, numbers))
    return counts


def compare_shorter(seeds: range) -> tuple[int, int]:
    """How many models had variables for faces, and how many had none."""
    sided = plain = 0
    for seed in seeds:
        rng = random.Random(seed)
        blank = constrained.random_model(
            rng, boards.random_board(rng), rng.choice(["loop", "loop", "pair", "pairs"]), ()
        )
        every = constrained.line_sets(blank)
        if not every:
            continue
        model = blank.with_constraints(counts=counted_along(rng, blank, rng.choice(every)))
        if seed % 4 == 0:
            clauses = [rng.choices(range(1, blank.board.num_edges + 1), k=2) for _ in range(2)]
            model = model.with_constraints(clauses=clauses)
        expected = constrained.solutions(model)
        with Oracle(model) as oracle:
            assert {solution.edges for solution in oracle.solutions()} == expected, seed
        rules, alone = Rules(model, shorter=True), Rules(model)
        assert rules.preprocess(NEVER) or not expected
        assert alone.preprocess(NEVER) or not expected
        # What is found holds in every solution.
        for edge, value in enumerate(rules.fixed()):
            assert value == 2 or all((edge in one) == value for one in expected), seed
        sided += rules.num_variables > alone.num_variables
        plain += rules.num_variables == alone.num_variables
    return sided, plain


def test_shorter_counts_say_the_same():
    assert min(compare_shorter(range(300))) > 40


@pytest.mark.heavy
def test_shorter_counts_of_many_models_say_the_same():
    assert min(compare_shorter(range(1_000, 6_000))) > 700


def test_shorter_counts_find_more():
    """A ray that crosses an even number of lines, and counts from one place and from another."""
    board = Lattice(4, 4)
    blank = LinkModel.blank_loop(board)
    # Down a column, and one step to the side: the face between them is outside, too.
    rays = [[board.edge((row, col), (row, col + 1)) + 1 for row in range(3)] for col in (0, 1)]
    model = blank.with_constraints(counts=[Count.of(rays[0], {0, 2}), Count.of(rays[1], {1, 3})])
    between = board.edge((2, 1), (3, 1))
    alone, rules = Rules(model), Rules(model, shorter=True)
    assert alone.preprocess(NEVER)
    assert rules.preprocess(NEVER)
    assert (alone.fixed()[between], rules.fixed()[between]) == (2, 1)
    board = Lattice(4, 8)
    row = [board.edge((1, col), (1, col + 1)) + 1 for col in range(7)]
    counts = [Count.of(row, {3}), Count.of(row[2:], {3})]
    model = LinkModel.blank_loop(board).with_constraints(counts=counts)
    alone, rules = Rules(model), Rules(model, shorter=True)
    assert alone.preprocess(NEVER)
    assert rules.preprocess(NEVER)
    assert (alone.fixed()[row[0] - 1], rules.fixed()[row[0] - 1]) == (2, 0)
