"""Sessions about puzzles on boards that are not square: cells are ``(face,)``."""

import json

import pytest
from click.testing import CliRunner

from linkoracle import Numberlink, Session, Slitherlink, boards, count, generate
from linkoracle.cli.count_solutions import main as count_solutions

BOARD = boards.honeycomb(4, 4)


def test_clues_and_edges_change_and_come_back():
    made = generate.slitherlink(BOARD, seed=1)
    with Session(made.puzzle) as session:
        assert session.puzzle == made.puzzle
        assert session.ask().solutions == (made.solution,)
        assert session.forced().lines == sorted(made.solution.edges)
        cell = next(iter(session.clues))
        session.set({cell: None, 0: False})
        (face,) = cell
        fewer = made.puzzle.with_clues({face: None})
        assert session.puzzle == fewer
        assert session.count().count == count(fewer.model.with_edges(forbidden=[0]))
        assert session.undo()
        assert session.puzzle == made.puzzle


def test_a_core_names_faces_and_reduction_leaves_a_minimal_puzzle():
    with Session(Slitherlink.on(BOARD, {0: 6, 1: 6, 9: 1})) as session:
        assert session.core().core == {(0,): 6, (1,): 6}
    made = generate.slitherlink(BOARD, seed=2)
    with Session(made.puzzle) as session:
        redundant = session.redundant()
        status, minimal = session.reduce(seed=1)
        assert (status, minimal) == ("unique", True)
        assert set(made.puzzle.clue_cells()) >= set(session.puzzle.clue_cells())
        for (face,) in session.clues:
            assert count(session.puzzle.with_clues({face: None}), limit=2) == 2
        assert bool(redundant) == (len(session.clues) < made.puzzle.number_of_clues)


def test_a_new_puzzle_is_made_on_the_same_board():
    with Session(Slitherlink.on(BOARD)) as session:
        made = session.generate(seed=3, minimal=True)
        assert session.puzzle == made.puzzle
        assert session.ask().unique
    with Session(Numberlink.on(BOARD)) as session:
        session.set({(0,): 1, (15,): 1})
        assert session.count().count == count(Numberlink.on(BOARD, {0: 1, 15: 1}))
        made = session.generate(seed=1)
        assert session.puzzle == made.puzzle
        assert made.puzzle.tiling == BOARD
        assert session.ask().unique


def answers(*requests: dict[str, object]) -> list[dict[str, object]]:
    text = "".join(json.dumps(one) + "\n" for one in requests)
    done = CliRunner().invoke(count_solutions, ["--jsonl"], input=text)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_no_face_has_more_lines_than_sides():
    opened = {"op": "open", "session": "a", "puzzle": "slitherlink\nboard honeycomb 4 4\n"}
    wrong = [{"op": op, "session": "a", "clues": [[1, 7]]} for op in ("set", "ask")]
    _, *refused, after = answers(opened, *wrong, {"op": "set", "session": "a"})
    assert all("expected a clue from 0 to 6" in str(answer["error"]) for answer in refused)
    assert after["clue_count"] == 0
    with Session(Slitherlink.on(BOARD)) as session:
        with pytest.raises(ValueError, match="a clue from 0 to 6, got 7"):
            session.set({(1,): 7})
        assert not session.clues


def test_json_lines_name_faces_and_dots_by_their_numbers():
    puzzle = "slitherlink\nboard honeycomb 3 3\n5...3...2\n"
    about, decided, core, hint, far, off = answers(
        {"op": "open", "session": "a", "puzzle": puzzle},
        {"op": "ask", "session": "a", "clues": [[1, 4]], "edges": [[0, 1, True]], "show": True},
        {"op": "core", "session": "a", "clues": [[0, 6], [1, 6]]},
        {"op": "hint", "session": "a"},
        {"op": "ask", "session": "a", "clues": [[9, 4]]},
        {"op": "ask", "session": "a", "edges": [[0, 9, True]]},
    )
    assert (about["board"], about["faces"]) == ("honeycomb 3 3", 9)
    assert decided["status"] == "many"
    assert all(isinstance(dot, int) for walk in decided["solutions"][0] for dot in walk)
    assert core["core"] == {"clues": [[0, 6], [1, 6]], "edges": []}
    assert "face" in hint["step"]["text"]
    assert (
        "expected a cell, a number from 0, of honeycomb 3 3 in 'clues', found [9]" in far["error"]
    )
    assert "expected two neighbours in 'edges', found 0 and 9" in off["error"]
