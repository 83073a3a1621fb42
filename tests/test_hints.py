"""Hints on every board and kind: three levels, all marks, wrong marks first."""

from __future__ import annotations

import re

import pytest

from linkoracle import Numberlink, Session, SimpleLoop, Slitherlink, boards, session
from linkoracle.generate import slitherlink
from linkoracle.kinds import KINDS
from linkoracle.render import inner_faces

#: How cells, faces and dots are named.
PLACE = re.compile(r"r[1-9][0-9]*c[1-9][0-9]*|face [0-9]+|dots? [0-9]+(,[0-9]+)?")


def examples():
    for kind in KINDS.values():
        for variant, example in kind.examples.items():
            puzzle, solution = example.of(kind)
            name = f"{kind.kind}-{variant}"
            yield pytest.param(puzzle.with_variant(variant), solution, id=name)
    for name in ("honeycomb 3 3", "cairo 3 3"):
        made = slitherlink(boards.named(name), seed=1)
        yield pytest.param(made.puzzle, made.solution, id=name)


def follow(puzzle, solution, most: int = 400) -> int:
    """Follow hints from an empty board to the solution; return the number of hints."""
    lines = {*solution.edges}
    edges, visited, inside = {}, {}, {}
    with Session(puzzle) as board:
        for number in range(most + 1):
            if {edge for edge, on in edges.items() if on} == lines or number == most:
                return number
            hint = board.hint(edges, visited=visited, inside=inside)
            if hint is None:
                # No technique helps, and no few clues do.
                left = min(lines - {edge for edge, on in edges.items() if on})
                edges[left] = True
                continue
            assert hint.wrong is None
            step = hint.step
            assert hint.told(1) == hint.where
            assert hint.where.startswith("Look at ")
            assert PLACE.search(hint.where), hint.where
            assert hint.told(2).startswith(hint.where)
            assert hint.told(3) == hint.told() == hint.sentence
            before = len(edges), len(visited), len(inside)
            edges |= dict.fromkeys(step.lines, True) | dict.fromkeys(step.crosses, False)
            visited |= dict.fromkeys(step.visited, True) | dict.fromkeys(step.unvisited, False)
            inside |= dict.fromkeys(step.inside, True) | dict.fromkeys(step.outside, False)
            assert before != (len(edges), len(visited), len(inside)), hint
            assert all((edge in lines) == on for edge, on in edges.items())
    raise AssertionError("too many hints")


@pytest.mark.parametrize(("puzzle", "solution"), examples())
def test_a_wrong_mark_is_told_first_and_by_its_place(puzzle, solution):
    """Of lines, crosses, dots or cells, and sides."""
    board, lines = puzzle.board, {*solution.edges}
    crosses = [one for one in range(board.num_edges) if one not in lines]
    visited = {end for edge in lines for end in board.ends(edge)}
    marks = [
        ({min(lines): False}, {}, {}),
        *(({edge: True}, {}, {}) for edge in crosses[:1]),
        ({}, {min(visited): False}, {}),
        *(({}, {one: True}, {}) for one in range(board.num_vertices) if one not in visited),
    ]
    # A loop that crosses itself has no inside.
    inner = inner_faces(solution) if puzzle.model.loop else []
    marks += [({}, {}, {face: False}) for face in inner[:1]]
    with Session(puzzle) as session:
        for edges, visits, inside in marks[:6]:
            if any(edge in puzzle.model.given for edge in edges):
                continue
            hint = session.hint(edges, visited=visits, inside=inside)
            assert hint.wrong, (edges, visits, inside)
            assert hint.told(1) == "A mark is wrong."
            assert hint.told(2).startswith("A mark is wrong. Look at ")
            assert re.fullmatch(r"A mark is wrong: .*\.", hint.told(3))
            assert PLACE.search(hint.told(3)), hint.told(3)
            assert PLACE.search(hint.told(2))


@pytest.mark.parametrize(("puzzle", "solution"), examples())
def test_hints_lead_to_the_solution(puzzle, solution):
    assert follow(puzzle, solution)


@pytest.mark.parametrize("kind", ["slitherlink", "masyu", "yajilin"])
def test_hints_without_compiled_modules(kind, monkeypatch):
    """They name clues and marks that leave no other choice, from few queries."""
    monkeypatch.setattr(session, "COMPILED", False)
    puzzle, solution = next(iter(KINDS[kind].examples.values())).of(KINDS[kind])
    assert follow(puzzle, solution, most=3)


def test_sides_that_are_marked_say_what_is_between_them():
    puzzle = slitherlink(5, 5, seed=1).puzzle
    with Session(puzzle) as board:
        only = board.solution()
        within = {*inner_faces(only)}
        marks = {face: face in within for face in range(25)}
        hint = board.hint(inside=marks)
        assert "side" in hint.sentence
        (edge,) = [*hint.step.lines, *hint.step.crosses]
        assert (edge in only.edges) == bool(hint.step.lines)
        marks[7] = not marks[7]
        wrong = board.hint(inside=marks)
        assert wrong.wrong.faces == [7]
        assert wrong.told(3) == "A mark is wrong: r2c3."
        assert board.wrong(inside=marks) == wrong.wrong
        with pytest.raises(ValueError, match="a level from 1 to 3"):
            wrong.told(4)


def test_shading_that_is_wrong_is_told_first():
    kind = KINDS["yajilin"]
    puzzle, solution = kind.examples["loop"].of(kind)
    shaded = {puzzle.board.vertex(*place) for _, place, *_ in puzzle.solution_figures(solution)}
    free = next(end for edge in solution.edges for end in puzzle.board.ends(edge))
    with Session(puzzle) as board:
        assert board.hint(visited=dict.fromkeys(shaded, False)).wrong is None
        found = board.hint(visited={free: False, min(shaded): False})
        assert found.wrong.vertices == [free]
        assert found.step is None


def test_marks_that_contradict_each_other_where_there_are_several_solutions():
    with Session(Slitherlink([[3, None], [None, None]])) as board:
        assert board.ask().status == "many"
        assert board.wrong(inside={0: False}).faces == [0]
        assert not board.wrong(inside={0: True})
        assert board.wrong(inside={0: True, 1: True, 2: True}).faces
    with Session(Numberlink([[1, None, 1]])) as board:
        assert board.hint() is not None
    with Session(SimpleLoop.blank(4, 4)) as board:
        assert not board.wrong({0: True})
