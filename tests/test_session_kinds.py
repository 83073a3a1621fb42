"""Sessions about one loop through cells, and about pairs: random edits, against brute force."""

from __future__ import annotations

import json
import random
from functools import cache, partial
from itertools import islice

import pytest

from linkoracle import Numberlink, Session, decide, solutions
from linkoracle.board.statements import statements
from linkoracle.cli.jsonl import Server
from linkoracle.cli.work import Settings
from linkoracle.core import PuzzleError, source
from linkoracle.kinds import KINDS, CellPath
from linkoracle.kinds.checking import line_systems, long_paths, loops, loops_on, random_puzzles
from linkoracle.kinds.shading import Yajilin
from tests.kinds import corpora

PATHS = [name for name, kind in KINDS.items() if issubclass(kind, CellPath)]
LOOPS = [
    name for name, kind in KINDS.items() if kind.through_cells and {*kind.variants} == {"loop"}
]


@cache
def every_answer(puzzle):
    """Return the solutions by the rules as printed for players."""
    lattice = puzzle.lattice
    every = line_systems if puzzle.letters else loops
    if isinstance(puzzle, CellPath):
        every = partial(long_paths, diagonal=puzzle.diagonal)
    known = every(lattice.rows, lattice.cols)
    if not puzzle.board.num_faces and puzzle.model.loop:
        # Where lines cross, the board is another one.
        known = loops_on(puzzle.board)
    return [frozenset(one.edges) for one in known if not puzzle.violations(one)]


def answers(puzzle, edges=()):
    """Return the solutions with these edges on or off."""
    held = dict(edges).items()
    found = every_answer(puzzle)
    return {one for one in found if all((edge in one) == on for edge, on in held)}


def status_of(found):
    return ("none", "unique", "many")[min(len(found), 2)]


def some_puzzles(kind, rows, cols, number, seed):
    return islice(random_puzzles(KINDS[kind], rows, cols, 8 * number, source(seed, 0)), number)


def an_edit(rng, puzzle, session):
    """Return a change of one clue or edge, to its value in the puzzle or to another one."""
    if rng.random() < 0.25:
        return {rng.randrange(puzzle.lattice.num_edges): rng.choice([True, False, None, None])}
    every = dict(puzzle.clue_cells())
    others = dict(session.puzzle.clue_cells())
    cells = sorted({*every, *others})
    if not cells:
        return {}
    cell = rng.choice(cells)
    words = [*every.values(), None, None]
    return {cell: rng.choice([None, every.get(cell), rng.choice(words)])}


def check_clues(session, puzzle, edges):
    """Check which clues follow from the others, which are redundant, and which contradict."""
    every = answers(puzzle, edges)
    redundant = []
    for cell in session.clues:
        without = answers(puzzle.with_clues(session.without(cell)), edges)
        assert session.implies(cell) == (set() < without <= every), (puzzle, cell, edges)
        redundant += [cell] if set() < without == every else []
    assert session.redundant() == redundant
    core = session.core()
    assert core.status == status_of(every)
    if core.status == "none" and core.core is not None:
        gone = dict.fromkeys(session.clues.keys() - core.core.keys())
        assert not answers(puzzle.with_clues(gone), core.core_edges)
        return True
    return False


@pytest.mark.parametrize("kind", LOOPS)
def test_clues_and_edges_come_and_go(kind):
    rng = random.Random(kind)
    statuses = set()
    contradictions = 0
    for (rows, cols), number in {(2, 4): 5, (3, 4): 5, (4, 4): 1}.items():
        for puzzle in some_puzzles(kind, rows, cols, number, rows * cols):
            blank = puzzle.with_clues(dict.fromkeys(dict(puzzle.clue_cells())))
            with Session(blank if rng.random() < 0.5 else puzzle) as session:
                for _ in range(14):
                    try:
                        session.set(an_edit(rng, puzzle, session))
                    except PuzzleError:
                        # Two clues in a region, or an edge at a hole.
                        continue
                    edges = dict(session.edges)
                    found = answers(session.puzzle, edges)
                    verdict = session.ask()
                    assert verdict.status == status_of(found), (session.puzzle, edges)
                    assert {frozenset(one.edges) for one in verdict.solutions} <= found
                    statuses.add(verdict.status)
                    if rng.random() < 0.3:
                        contradictions += check_clues(session, session.puzzle, edges)
                    if found and rng.random() < 0.2:
                        forced = session.forced()
                        assert forced.lines == sorted(frozenset.intersection(*found))
                        unused = {*range(puzzle.lattice.num_edges)}.difference(*found)
                        assert forced.crosses == sorted(unused)
    # Few of the 37 loops of the larger boards visit every cell.
    assert statuses == {"none", "unique", "many"} or KINDS[kind].every_cell
    assert contradictions or KINDS[kind].every_cell


def test_numbers_of_pairs_come_and_go_together():
    rng = random.Random(5)
    statuses = set()
    for puzzle in some_puzzles("numberlink", 3, 3, 12, 7):
        with Session(puzzle) as session:
            check_clues(session, puzzle, {})
            statuses.add(session.ask().status)
            for cell in rng.sample(sorted(session.clues), min(2, len(session.clues))):
                if cell in session.clues:
                    session.set(session.without(cell))
                    check_clues(session, session.puzzle, {})
            while session.clues != dict(puzzle.clue_cells()):
                assert session.undo()
            before = dict(session.clues)
            assert session.reduce(seed=1)[1] == session.ask().unique
            # No solution joins fewer pairs.
            assert session.clues == before
    assert statuses >= {"none", "many"}
    with Session(Numberlink([[1, 2], [2, 1]])) as session:
        assert session.core().core == {(0, 0): 1, (0, 1): 2, (1, 0): 2, (1, 1): 1}
        assert session.redundant() == []


@pytest.mark.parametrize("kind", PATHS)
def test_numbers_of_paths_come_and_go(kind):
    rng = random.Random(6)
    for puzzle in some_puzzles(kind, 3, 3, 6, 7):
        with Session(puzzle) as session:
            check_clues(session, puzzle, {})
            for cell in rng.sample(sorted(session.clues), min(2, len(session.clues))):
                try:
                    session.set({cell: None})
                except PuzzleError:
                    continue
                check_clues(session, session.puzzle, {})


@pytest.mark.parametrize("number", [30, pytest.param(60, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("kind", LOOPS)
def test_reduced_puzzles_are_minimal(kind, number):
    rng = random.Random(3)
    reduced = 0
    for puzzle in random_puzzles(KINDS[kind], 3, 4, number, source(5, 0)):
        known = answers(puzzle)
        if len(known) != 1 and rng.random() < 0.8:
            continue
        with Session(puzzle) as session:
            status, minimal = session.reduce(seed=rng.randrange(99))
            assert (status, minimal) == (status_of(known), len(known) == 1)
            left = session.puzzle
            assert answers(left) == known
            if status != "unique":
                assert left == puzzle
                continue
            reduced += left != puzzle
            for cell in session.clues:
                assert answers(left.with_clues({cell: None})) != known
            assert session.undo()
            assert session.puzzle == puzzle
            assert not session.undo()
    # On small boards, these kinds have no redundant clues, or no clues at all.
    few = ("simpleloop", "doubleback", "entryexit", "yajilin", "koburin", "nuriloop", "barns")
    assert reduced or kind in few


def test_clues_that_contradict_do_so_whatever_other_cells_hold():
    puzzle = Yajilin([". . . . .", ". 1e . . .", ". . . . .", ". 0e . . 3w", ". . . . ."])
    with Session(puzzle) as session:
        found = session.core()
        assert (found.core, found.core_minimal) == ({(3, 1): "0e", (3, 4): "3w"}, True)
        # Without any one of the clues there is a solution, or no statement about its cell.
        for cell in found.core:
            session.set({cell: None})
            assert session.core().core != found.core
            session.undo()


def test_the_names_of_variables_do_not_change_a_group_of_clauses():
    kind = KINDS["detour"]
    regions = ["aab", "ccb", "ddb", "ddb"]
    one = kind(["2..", "1..", "...", "..."], regions=regions)
    other = kind(["...", "1..", "...", "..."], regions=regions)
    assert len(statements(one.model).keys() - statements(other.model).keys()) == 1
    assert statements(other.model).keys() <= statements(one.model).keys()


@pytest.mark.parametrize("number", [1, pytest.param(12, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("kind", LOOPS)
def test_published_puzzles_change(kind, number):
    if not (corpora.CORPUS / f"{kind}.jsonl").is_file():
        pytest.skip("needs the corpus of published puzzles in shared/corpus")
    rng = random.Random(1)
    small = (record.puzzle for record in corpora.records(kind))
    for puzzle in islice((one for one in small if one.rows * one.cols <= 100), number):
        with Session(puzzle) as session:
            assert session.ask().status == "unique"
            cells = sorted(session.clues)
            for cell in rng.sample(cells, min(4, len(cells))):
                session.set({cell: None})
                assert session.ask().status == decide(session.puzzle).status
            if session.ask().status == "many":
                assert len(session.ask(limit=3).solutions) == len(
                    [*islice(solutions(session.puzzle), 3)]
                )
            session.begin(puzzle)
            assert session.reduce(seed=2) == ("unique", True)
            known = solutions(session.puzzle)
            assert [*known] == [*solutions(puzzle)]
            for cell in session.clues:
                fewer = session.puzzle.with_clues({cell: None})
                assert [*islice(solutions(fewer), 2)] != [*solutions(puzzle)]


def lines(*requests):
    server = Server(Settings())
    answers = [server.answer(at, json.dumps(one).encode()) for at, one in enumerate(requests, 1)]
    return [json.loads(one.line) for one in answers]


def test_json_lines_know_clues_of_every_kind():
    answers = lines(
        {"op": "open", "session": "a", "kind": "masyu", "grid": ["w.b", "...", "..."]},
        {"op": "core", "session": "a"},
        {"op": "set", "session": "a", "clues": [[0, 0, None], [0, 1, "w"]]},
        {"op": "implies", "session": "a", "cell": [0, 1], "drop": True},
        {"op": "reduce", "session": "a", "seed": 1},
        {"op": "open", "session": "b", "kind": "numberlink", "grid": ["12", "21"]},
        {"op": "core", "session": "b"},
        {"op": "implies", "session": "b", "cell": [0, 0], "drop": True},
        {"op": "ask", "session": "b", "clues": [[0, 0, None], [1, 1, None]]},
    )
    assert answers[1]["core"] == {"clues": [[0, 0, "w"]], "edges": []}
    assert answers[1]["minimal"]
    # Where the loop turns at the black pearl, it goes straight through the next cells.
    assert (answers[2]["clue_count"], answers[3]["implied"]) == (2, True)
    assert answers[4] | {"seconds": 0} == {
        "op": "reduce",
        "session": "a",
        "seed": 1,
        "status": "many",
        "minimal": False,
        "removed": 0,
        "clues": [[0, 2, "b"]],
        "seconds": 0,
    }
    assert len(answers[6]["core"]["clues"]) == 4
    # Without the ones, there is a path between the twos.
    assert answers[7]["implied"] is False
    assert answers[8]["status"] == "many"


def test_the_last_pair_does_not_follow_from_an_edge():
    with Session(Numberlink([[1, 1, None], [None] * 3, [None] * 3], "apart")) as session:
        assert not session.implies((0, 0), {6: True})
