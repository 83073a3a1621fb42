"""Scores: against a score that looks at every board on the way, and what they rise with."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import assume, given, settings

import linkoracle
from linkoracle import Slitherlink
from linkoracle.board import END
from linkoracle.deduce import CATALOGUE, DeductionState, grade, technique_runs
from linkoracle.deduce.grades import NESTED, PATTERN_SCALE, score_of_steps
from linkoracle.deduce.rules import GIVEN, JOINING, PATTERNS, POCKET, REROUTING
from linkoracle.generate import slitherlink
from tests.strategies import slitherlinks

#: Techniques of several paths that may leave cells empty.
OF_PATHS = {CATALOGUE[one].name for one in (*REROUTING, *JOINING, POCKET)}


def test_weights_rise_in_the_order_in_which_techniques_of_loops_are_tried():
    every = [one for one in CATALOGUE if one.name not in ("given", "unique")]
    weights = [one.weight for one in every if one.name not in OF_PATHS]
    assert weights == sorted(weights)
    assert min(one.weight for one in every) > 0


def could_be_made(board, move, known):
    """Return whether a step could be made with only these literals known; ``None``: not checked."""
    technique, place, literals = move
    lattice = board.model.lattice
    name = CATALOGUE[technique].name
    if technique in PATTERNS:
        return set(board.pattern(place)[2]) <= known
    if name in ("clue", "dot"):
        ring = (lattice.face_edges if name == "clue" else lattice.vertex_edges)[place].tolist()
        ring = [edge for edge in ring if edge >= 0]
        lines = sum(2 * edge in known for edge in ring)
        crosses = sum(2 * edge + 1 in known for edge in ring)
        if name == "clue":
            clue = board.model.faces[place].bit_length() - 1
            return lines == clue if literals[0] & 1 else crosses == len(ring) - clue
        needed = 1 if board.model.degrees[place] == END else 2
        if literals[0] & 1:
            return lines == needed or (lines == 0 and crosses == len(ring) - 1)
        return lines == needed - 1 and crosses == len(ring) - needed
    graph = nx.Graph()
    if name == "loop" and place >= 0:
        ends = lattice.edge_vertices.tolist()
        graph.add_edges_from(ends[one >> 1] for one in known if not one & 1)
        pair = ends[place]
    elif name == "colour":
        graph.add_edges_from(board.sides(one >> 1) for one in known)
        pair = board.sides(place)
    else:
        return None
    return all(end in graph for end in pair) and nx.has_path(graph, *pair)


def looked_up(board):
    """The score, by looking at every step on every board before it."""
    made = board.moves()
    known = [set()]
    for _, _, literals in made:
        known.append(known[-1] | set(literals))
    weights = [0 if why == GIVEN else CATALOGUE[why].weight for why, _, _ in made]
    total = 0.0
    for now, weight in enumerate(weights):
        if weight:
            others = [
                later
                for later in range(now + 1, len(made))
                if 0 < weights[later] <= weight and could_be_made(board, made[later], known[now])
            ]
            total += weight**2 / (1 + len(others))
    total += (NESTED * max(0, board.depth - 1)) ** 2
    effort = PATTERN_SCALE.effort_of(total, board.model.lattice.num_edges)
    # What takes a guess is above all that does not.
    return PATTERN_SCALE.score(effort, guessed=board.depth > 0)


# Seed 4 makes a puzzle so easy that its score is 0.
@pytest.mark.parametrize("seed", [0, 1, 2, 3, 5, 6])
def test_open_steps_are_those_that_could_be_made(seed):
    puzzle = slitherlink(6, 6, seed=seed).puzzle
    board = DeductionState(puzzle.model)
    assert board.begin()
    assert board.guess(1)
    assert score_of_steps(board) == looked_up(board) > 0
    assert score_of_steps(board) == grade(puzzle).score


@given(slitherlinks())
@settings(max_examples=30, deadline=None)
def test_open_steps_of_any_puzzle_are_those_that_could_be_made(puzzle):
    # Open paths too, and puzzles that have several solutions.
    board = DeductionState(puzzle.model)
    assume(board.begin())
    assert score_of_steps(board) == looked_up(board)


def test_what_is_given_weighs_nothing():
    puzzle = linkoracle.read_file("instances/slitherlink-4x4.txt")
    board = DeductionState(puzzle.model.with_edges(linkoracle.solve(puzzle).edges))
    assert board.begin()
    assert score_of_steps(board) < grade(puzzle).score
    given = [technique for technique, _, _ in board.moves()].count(GIVEN)
    assert given > 0
    assert sum(steps for _, steps in technique_runs(board)) == len(board.moves()) - given


def test_the_same_puzzle_has_the_same_score():
    puzzle = linkoracle.read_file("instances/slitherlink-10x10.txt")
    assert grade(puzzle).score == grade(puzzle, backtracking=True).score


def test_harder_puzzles_have_higher_scores():
    scores = {}
    for size in ("4x4", "7x7", "10x10"):
        scores[size] = grade(linkoracle.read_file(f"instances/slitherlink-{size}.txt")).score
    assert scores["4x4"] < scores["7x7"] < scores["10x10"]


def test_other_kinds_have_scores():
    puzzle = linkoracle.read_file("instances/numberlink-fill-6x6.txt")
    found = grade(puzzle)
    assert found.status == "solved"
    assert found.score > 0


def test_what_is_not_solved_has_none():
    assert grade(Slitherlink.blank(3, 3)).score is None
