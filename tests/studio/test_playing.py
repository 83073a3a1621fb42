"""Answers to a player, against brute force: rules, wrong marks, hints that lead to the end."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import Numberlink, Session, SimpleLoop, Slitherlink, read_file
from linkoracle.render import inner_faces
from linkoracle.studio.boards import board_of
from linkoracle.studio.playing import Playing
from linkoracle.studio.tasks import Limits
from tests import brute_force
from tests.strategies import puzzles

UNIQUE = Slitherlink([[3, 3], [1, 1]])
PUBLISHED = ["slitherlink-7x7.txt", "numberlink-8x8.txt"]


def answered(what: str, puzzle, **marks: list[int]) -> dict[str, Any]:
    """Return the stages of an answer by their names."""
    events: list[dict[str, Any]] = []
    Playing().answer({"what": what, "board": board_of(puzzle), **marks}, events.append)
    assert events[-1] == {"stage": "done"}
    return {stage["stage"]: stage for stage in events}


def solutions(puzzle) -> list[frozenset[int]]:
    lattice = puzzle.lattice
    return [
        frozenset(lattice.edge(*edge) for edge in lines) for lines in brute_force.solutions(puzzle)
    ]


@given(puzzle=puzzles())
def test_the_rules_and_how_many_solutions(puzzle):
    stages = answered("rules", puzzle)
    found = solutions(puzzle)
    assert stages["status"]["status"] == ("none", "unique", "many")[min(len(found), 2)]
    assert ("grade" in stages) == (len(found) == 1)
    rules = stages["rules"]
    degrees = [0] * puzzle.lattice.num_vertices
    for solution in found:
        ends = [v for edge in solution for v in puzzle.lattice.edge_vertices[edge].tolist()]
        degrees = [1 << ends.count(vertex) for vertex in range(len(degrees))]
        assert all(one & mask for one, mask in zip(degrees, rules["degrees"], strict=True))
        faces = [sum(edge in solution for edge in around) for around in puzzle.lattice.face_edges]
        assert all(mask >> one & 1 for one, mask in zip(faces, rules["faces"], strict=True))


@given(puzzle=puzzles(), data=st.data())
@settings(max_examples=200)
def test_wrong_marks(puzzle, data):
    found = solutions(puzzle)
    edges = range(puzzle.lattice.num_edges)
    marks = data.draw(
        st.dictionaries(st.sampled_from(edges), st.booleans(), max_size=8) if edges else st.just({})
    )
    lines, crosses = ([edge for edge, on in marks.items() if on is one] for one in (True, False))
    stages = answered("check", puzzle, lines=lines, crosses=crosses)
    if not found:
        assert stages["wrong"]["reason"] == "the puzzle has no solution"
        return

    def fits(solution: frozenset[int], some) -> bool:
        return all((edge in solution) is marks[edge] for edge in some)

    wrong = stages["checked"]["edges"]
    if len(found) == 1:
        assert wrong == sorted(edge for edge in marks if not fits(found[0], [edge]))
        return
    assert bool(wrong) == (not any(fits(solution, marks) for solution in found))
    # No solution has all wrong marks together, and none of these marks is redundant.
    if wrong:
        assert not any(fits(solution, wrong) for solution in found)
        for spare in wrong:
            others = [edge for edge in wrong if edge != spare]
            assert any(fits(solution, others) for solution in found)


def test_colours_are_checked_where_there_is_an_inside():
    stages = answered("check", UNIQUE, inside=[0, 2], outside=[1, 3])
    inside = {*inner_faces(next(iter_solution(UNIQUE)))}
    wrong = sorted({0, 2} - inside | {1, 3} & inside)
    assert wrong
    assert stages["checked"] == {"stage": "checked", "edges": [], "faces": wrong}


def iter_solution(puzzle):
    from linkoracle import solutions as listed

    return listed(puzzle)


@pytest.mark.parametrize(
    "puzzle",
    [
        UNIQUE,
        SimpleLoop.from_holes(4, 4, [(0, 0), (1, 2), (3, 0)]),
        Numberlink([[1, None, 2], [None, None, None], [2, None, 1]], "fill"),
        *(read_file(f"instances/{name}") for name in PUBLISHED),
    ],
    ids=lambda puzzle: f"{puzzle.kind} {puzzle.rows}x{puzzle.cols}",
)
def test_hints_lead_from_nothing_to_the_solution(puzzle):
    lines: set[int] = set()
    crosses: set[int] = set()
    areas: dict[str, set[int]] = {"inside": set(), "outside": set()}
    status = answered("rules", puzzle)["status"]["status"]
    if status == "none":
        assert "reason" in answered("hint", puzzle)["wrong"]
        return
    only = next(iter_solution(puzzle))
    for _ in range(2 * puzzle.lattice.num_edges):
        marked = {name: sorted(area) for name, area in areas.items()}
        hint = answered("hint", puzzle, lines=sorted(lines), crosses=sorted(crosses), **marked)[
            "hint"
        ]
        fresh = {*hint["lines"], *hint["crosses"]}
        if not fresh and not (hint["inside"] or hint["outside"]):
            break
        assert hint["where"].startswith("Look at ") or hint["name"] is None
        assert hint["rule"].endswith(".")
        for name, area in areas.items():
            area |= {*hint[name]}
        assert hint["sentence"].endswith(".")
        assert not fresh & (lines | crosses)
        lines |= {*hint["lines"]}
        crosses |= {*hint["crosses"]}
        if status == "unique":
            assert lines <= {*only.edges}
            assert not crosses & {*only.edges}
    if status == "unique":
        assert lines == {*only.edges}


def test_a_hint_reports_wrong_marks_first():
    wrong = next(edge for edge in range(12) if edge not in next(iter_solution(UNIQUE)).edges)
    stages = answered("hint", UNIQUE, lines=[wrong])
    assert stages["checked"]["edges"] == [wrong]
    assert "hint" not in stages


def test_a_hint_for_several_solutions_gives_the_forced_edges_and_then_a_choice():
    puzzle = Slitherlink([[3, None], [None, None]])
    hint = answered("hint", puzzle)["hint"]
    assert hint["lines"] or hint["crosses"]
    for _ in range(12):
        with Session(puzzle) as session:
            drawn = dict.fromkeys(hint["lines"], True) | dict.fromkeys(hint["crosses"], False)
            found = session.hint(drawn)
        if found is None:
            break
        step = found.step
        hint["lines"] += step.lines
        hint["crosses"] += step.crosses
    hint = answered("hint", puzzle, lines=hint["lines"], crosses=hint["crosses"])["hint"]
    assert hint["sentence"].startswith("Nothing more follows")


@pytest.mark.parametrize(
    "marks",
    [
        {"lines": 3},
        {"lines": [12]},
        {"lines": [-1]},
        {"lines": [True]},
        {"lines": [1, 1]},
        {"lines": [1], "crosses": [1]},
        {"inside": [4]},
        {"inside": [0], "outside": [0]},
        {"crosses": [None]},
    ],
)
def test_invalid_marks(marks):
    for what in ("check", "hint"):
        assert "expected" in answered(what, UNIQUE, **marks)["wrong"]["reason"]


@pytest.mark.parametrize("query", [None, [], {}, {"what": "why"}, {"what": ["hint"]}])
def test_invalid_queries(query):
    events: list[dict[str, Any]] = []
    Playing().answer(query, events.append)
    assert [stage["stage"] for stage in events] == ["wrong", "done"]


def test_an_answer_that_takes_too_long_is_reported():
    events: list[dict[str, Any]] = []
    board = board_of(Slitherlink.blank(25, 25))
    Playing(Limits(status=1e-9)).answer({"what": "check", "board": board}, events.append)
    assert [stage["stage"] for stage in events] == ["late", "done"]
