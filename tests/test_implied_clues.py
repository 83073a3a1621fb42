"""Loops that delete every clue that the others imply: the puzzle keeps its only solution.

The clues of some kinds also close cells or end paths, so that fewer clues may have fewer solutions,
or none. All kinds are asked through sessions, JSON lines and the sessions of a browser tab.
"""

from __future__ import annotations

import json
import random

import pytest

from linkoracle import Session, Slitherlink, boards, generate, solutions, write
from linkoracle.cli.jsonl import Server
from linkoracle.cli.work import Settings
from linkoracle.core import source
from linkoracle.kinds import KINDS
from linkoracle.kinds.checking import random_puzzles
from linkoracle.studio.tab import Sessions
from tests.test_session_kinds import answers

#: Kinds with clues that come and go one by one.
KINDS_WITH_CLUES = [name for name in KINDS if name not in ("entryexit", "grandtour")]


def by_session(puzzle, cells):
    with Session(puzzle) as session:
        for cell in cells:
            if cell in session.clues and session.implies(cell):
                session.set(session.without(cell))
        return session.puzzle.clue_cells()


def by_json_lines(puzzle, cells):
    server = Server(Settings())

    def ask(**request):
        answer = json.loads(server.answer(1, json.dumps({"session": "a", **request}).encode()).line)
        assert "error" not in answer, answer
        return answer

    ask(op="open", puzzle=write(puzzle, "json"))
    left = delete_by_requests(ask, cells)
    server.close()
    return left


def by_tab(puzzle, cells):
    sessions = Sessions()
    request = {"op": "open", "puzzle": write(puzzle, "text")}
    number = sessions.answer(json.dumps(request))["session"]
    return delete_by_requests(
        lambda **more: sessions.answer(json.dumps({"session": number, **more})), cells
    )


def delete_by_requests(ask, cells):
    left = {tuple(place): clue for *place, clue in ask(op="reduce", order=[])["clues"]}
    for cell in cells:
        if cell in left and ask(op="implies", cell=[*cell], drop=True)["implied"]:
            del left[cell]
    known = {tuple(place): clue for *place, clue in ask(op="reduce", order=[])["clues"]}
    assert known == left
    return left.items()


DOORS = [by_session, by_json_lines, by_tab]


def unique_puzzles(kind, number, seed):
    """Yield puzzles of a kind with one solution by its rules, with annotations where it has any."""
    found = 0
    # There are too many sets of lines on larger boards for brute force.
    for rows, cols in ((3, 3),) if KINDS[kind].letters else ((3, 4), (3, 3), (2, 4)):
        for puzzle in random_puzzles(KINDS[kind], rows, cols, 40 * number, source(seed, rows)):
            if len(answers_of(puzzle)) == 1 and puzzle.number_of_clues:
                yield puzzle
                found += 1
            if found == number:
                return


def answers_of(puzzle):
    if puzzle.through_cells:
        return answers(puzzle)
    return {frozenset(one.edges) for one in solutions(puzzle)}


def check_loops(kind, number, seed):
    rng = random.Random(seed)
    for puzzle in unique_puzzles(kind, number, seed):
        only = answers_of(puzzle)
        clues = dict(puzzle.clue_cells())
        cells = rng.sample(sorted(clues), len(clues))
        for delete in DOORS:
            left = puzzle.with_clues({**dict.fromkeys(clues), **dict(delete(puzzle, cells))})
            assert answers_of(left) == only, (delete, puzzle, left)
        with Session(puzzle) as session:
            for cell in session.redundant():
                assert answers_of(puzzle.with_clues(session.without(cell))) == only, (puzzle, cell)
            assert session.reduce(cells) == ("unique", True)
            assert answers_of(session.puzzle) == only


@pytest.mark.parametrize("kind", KINDS_WITH_CLUES)
def test_a_clue_is_deleted_if_the_others_imply_it(kind):
    check_loops(kind, 2, 1)


@pytest.mark.heavy
@pytest.mark.parametrize("kind", KINDS_WITH_CLUES)
def test_a_clue_is_deleted_if_the_others_imply_it_in_many_puzzles(kind):
    for seed in range(2, 6):
        check_loops(kind, 10, seed)


@pytest.mark.parametrize("kind", ["yajilin", "koburin", "zip", "castlewall", "regionalyajilin"])
def test_made_puzzles_stay_unique_without_implied_clues(kind):
    for seed in range(2):
        made = generate.puzzle(kind, 6, 6, seed=seed)
        cells = [cell for cell, _ in made.puzzle.clue_cells()]
        for delete in DOORS:
            blank = made.puzzle.with_clues(dict.fromkeys(cells))
            left = blank.with_clues(dict(delete(made.puzzle, cells)))
            assert [*solutions(left)] == [made.solution], (delete, made.puzzle)


def test_nothing_follows_from_a_contradiction():
    for puzzle in (Slitherlink([[4, 3, 1], [0, None, 1]]), Slitherlink.on(boards.honeycomb(2, 2))):
        with Session(puzzle) as session:
            session.set(dict.fromkeys(list(session.clues)[2:] or [(0,), (1,)], 1))
            if puzzle.tiling is not None:
                session.set({(0,): 6, (1,): 6, (2,): 1, 0: True})
            assert session.ask().status == "none"
            assert not any(map(session.implies, [*session.clues, *session.edges]))
            assert session.redundant() == []
