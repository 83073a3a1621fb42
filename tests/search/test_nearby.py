"""Oracles with the compiled search around a known solution, against lists of all solutions."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from linkoracle import Lattice, LinkModel, Oracle, Slitherlink, Solution, generate
from linkoracle.board import Count
from linkoracle.board.statements import statements
from linkoracle.engines import StatementOracle
from linkoracle.search import nearby
from linkoracle.search.engine import differing
from tests import constrained
from tests.boards import random_board
from tests.parts import parts


class Asked(Oracle):
    """An oracle that notes which of its queries the search around a solution answered."""

    def __init__(self, *args, **how):
        super().__init__(*args, **how)
        self.answered = Counter()

    def _nearby_verdict(self, query, deadline):
        verdict = super()._nearby_verdict(query, deadline)
        self.answered["ask", verdict is not None] += 1
        return verdict

    def _follows(self, query, face, edge, deadline):
        follows = super()._follows(query, face, edge, deadline)
        self.answered["face" if edge is None else "edge", follows is not None] += 1
        return follows


def check_series(rng: Random, model: LinkModel, answered: Counter, queries: int = 12) -> None:
    """Queries of which each differs a little from the last one."""
    board, every = model.board, sorted(constrained.solutions(model))
    if not every:
        return
    counts = {one: Solution(board, one).counts() for one in every}
    names = [board.face_name(face) for face in range(board.num_faces)]

    def fitting(clues, edges):
        return {
            one
            for one in every
            if all(
                counts[one][board.face_of(name)] in (clue if isinstance(clue, set) else {clue})
                for name, clue in clues.items()
            )
            and all((edge in one) == on for edge, on in edges.items())
        }

    with Asked(model) as oracle:
        liked = rng.choice(every)
        true = dict(zip(names, counts[liked], strict=True))
        clues, edges = dict(true), {}
        for _ in range(queries):
            for name in rng.sample(names, min(len(names), rng.choice([0, 1, 1, 3]))):
                wider = {true[name], rng.randrange(4)}
                clues[name] = rng.choice([None, true[name], true[name], wider])
                clues = {one: clue for one, clue in clues.items() if clue is not None}
            if rng.random() < 0.3:
                edge = rng.randrange(board.num_edges)
                edges[edge] = (edge in liked) != (rng.random() < 0.1)
            if rng.random() < 0.2:
                edges = {}
            if rng.random() < 0.1 and clues:
                # Another puzzle on the same board.
                liked = rng.choice(every)
                true = dict(zip(names, counts[liked], strict=True))
                clues = {name: true[name] for name in clues}
            right = fitting(clues, edges)
            verdict = oracle.ask(dict(clues) if rng.random() < 0.5 else clues, edges)
            assert verdict.status == ("none", "unique", "many")[min(2, len(right))]
            assert {one.edges for one in verdict.solutions} <= right
            assert len({*verdict.solutions}) == len(verdict.solutions)
            for name in rng.sample([*clues], min(2, len(clues))):
                if name in edges:
                    continue
                rest = {one: clue for one, clue in clues.items() if one != name}
                follows = set() < fitting(rest, edges) == right
                assert oracle.implies(clues, name, edges=edges) == follows
                if follows and rng.random() < 0.7:
                    clues = rest
            for edge in [*edges][:1]:
                rest = {one: on for one, on in edges.items() if one != edge}
                follows = set() < fitting(clues, rest) == fitting(clues, edges)
                if edge not in clues:
                    assert oracle.implies(clues, edge, edges=edges) == follows
        answered.update(oracle.answered)


@pytest.mark.parametrize("connectivity", constrained.CONNECTIVITIES)
def test_series_of_queries_on_any_model(connectivity):
    answered = Counter()
    for seed in range(25):
        rng = Random(seed)
        board = random_board(rng)
        if board.num_edges and board.num_edges <= 14:
            check_series(rng, constrained.random_model(rng, board, connectivity), answered)
    assert answered["ask", True] or connectivity == "free ends", answered


@parts(range(6))
@pytest.mark.parametrize("connectivity", constrained.CONNECTIVITIES)
def test_many_series_of_queries_on_any_model(connectivity, part):
    answered = Counter()
    for seed in range(300):
        rng = Random(f"{part} {seed}")
        board = random_board(rng)
        if board.num_edges and board.num_edges <= 16:
            check_series(rng, constrained.random_model(rng, board, connectivity), answered)


def test_a_search_that_gets_lost_leaves_the_answer_to_the_solver(monkeypatch):
    monkeypatch.setattr(nearby, "_BUDGET", 1)
    monkeypatch.setattr(nearby, "_SMALL_BUDGET", 1)
    answered = Counter()
    for seed in range(6):
        rng = Random(seed)
        check_series(rng, LinkModel.blank_loop(Lattice(4, 4)), answered, queries=6)
    assert answered["face", False] > 0 < answered["face", True]


def test_clues_are_removed_without_the_solver():
    """The loop of the README: after the first answer, no query needs more than the search."""
    loop = generate.loop(8, 8, seed=2)
    clues = dict(Slitherlink.from_solution(loop).clue_cells())
    oracle = Asked(LinkModel.blank_loop(Lattice(9, 9)))
    assert oracle.ask(clues).unique
    rounds = oracle.rounds
    for cell in list(clues):
        if oracle.implies(clues, cell):
            del clues[cell]
    assert oracle.ask(clues).unique
    assert (oracle.rounds, oracle.answered["face", False]) == (rounds, 0)
    assert [oracle.implies(clues, cell) for cell in clues] == [False] * len(clues)
    with Oracle(oracle.model, plain=True) as plain:
        assert [plain.implies(clues, cell) for cell in clues] == [False] * len(clues)


def test_a_search_answers_for_statements_that_it_knows():
    """Statements come later, some with variables of their own: none is left out of an answer."""
    board = Lattice(3, 4)
    blank = LinkModel.blank_loop(board)
    own = board.num_variables + 1
    seen = Counter()
    for seed in range(60):
        rng = Random(seed)
        every = sorted(constrained.solutions(blank))
        liked = rng.choice(every)

        def true(literal, liked=liked):
            used = literal > board.num_edges
            at = literal - board.num_edges - 1
            return any(at in board.ends(e) for e in liked) if used else literal - 1 in liked

        pool = []
        for _ in range(8):
            chosen = rng.sample(range(1, board.num_variables + 1), rng.choice([1, 2, 3, 5]))
            literals = tuple(one * rng.choice([1, -1]) for one in chosen)
            number = sum(true(abs(one)) == (one > 0) for one in literals)
            pool.append(blank.with_constraints(counts=[Count.of(literals, {number})]))
        literal = rng.randrange(1, board.num_edges + 1) * rng.choice([1, -1])
        pool.append(blank.with_constraints(clauses=[(literal, own), (literal, -own)]))
        pool.append(blank.with_holes([rng.randrange(board.num_vertices)]))
        stated = [statements(model) for model in pool]
        answers = [{one for one in every if constrained.fits(model, {*one})} for model in pool]
        with StatementOracle(board) as oracle:
            for _ in range(8):
                held = rng.sample(range(len(pool)), rng.choice([2, 4, 6, 8]))
                right = set(every).intersection(*(answers[at] for at in held))
                all_held = {one: True for at in held for one in stated[at]}
                verdict = oracle.ask(all_held)
                assert verdict.status == ("none", "unique", "many")[min(2, len(right))]
                assert {one.edges for one in verdict.solutions} <= right
                more = rng.sample(range(len(pool)), 2)
                follows = set() < right <= answers[more[0]] & answers[more[1]]
                all_more = {one: True for at in more for one in stated[at]}
                assert oracle.implies_all(all_held, all_more) == follows
                edge = rng.randrange(board.num_edges)
                edges = {edge: edge in liked}
                drawn = {one for one in right if (edge in one) == edges[edge]}
                assert oracle.implies(all_held, edge, edges=edges) == (set() < drawn == right)
                near = oracle._nearby
                seen[near is not None and len(near.numbers) > len(all_held)] += 1
    assert seen[True] > 20


@pytest.mark.parametrize("most", [0, 1, 5])
def test_which_keys_differ(most):
    for seed in range(200):
        rng = Random(seed)
        one = {rng.randrange(9): rng.randrange(3) for _ in range(rng.randrange(9))}
        other = {**one, **{rng.randrange(9): rng.randrange(3) for _ in range(rng.randrange(4))}}
        for key in rng.sample([*other], min(len(other), rng.randrange(3))):
            del other[key]
        wrong = {key for key in one | other if one.get(key, -1) != other.get(key, -1)}
        found = differing(one, other, most)
        assert (found is None) == (len(wrong) > most)
        assert found is None or (len(found) == len(wrong) and {*found} == wrong)
