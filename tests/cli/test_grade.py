"""`linkoracle grade`."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from click.testing import CliRunner

import linkoracle
from linkoracle import deduce
from linkoracle.cli.main import main
from linkoracle.core import SearchTimeout
from linkoracle.deduce import deduced

SMALL = "instances/slitherlink-4x4.txt"


def run(*arguments, **more):
    return CliRunner().invoke(main, ["grade", *arguments], **more)


def test_table():
    done = run(SMALL, "instances/slitherlink-7x7.txt")
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert lines[0].split() == ["puzzle", "grade", "score", "steps", "hardest", "depth"]
    assert lines[1].split()[1:] == ["easy", "47", "32", "cell", "0"]
    assert len(lines) == 3


def test_json_has_the_grade():
    done = run("--json", "--backtracking", SMALL)
    record = json.loads(done.output)
    assert (record["status"], record["label"], record["backtracking"]) == ("solved", "easy", 0)
    assert sum(record["steps"].values()) == 32
    assert record["score"] == 47


def test_the_solve_path_is_printed():
    runs = json.loads(run("--json", SMALL).output)["course"]
    assert sum(steps for _, steps in runs) == 32
    names = [name for name, _ in runs]
    assert all(one != other for one, other in pairwise(names))
    assert set(names) == {"clue/dot", "loop", "cell"}
    told = ", ".join(f"{name} {steps}" for name, steps in runs)
    assert run(SMALL).output.splitlines()[-2] == f"solve path: {told}"
    assert run("--explain", SMALL).output.splitlines()[-3] == f"Solve path: {told}."
    blank = run("--json", "instances/slitherlink-none.txt")
    assert json.loads(blank.output)["score"] is None


def test_explanation_ends_with_the_grade():
    done = run("--explain", SMALL)
    lines = done.output.splitlines()
    assert lines[0].startswith("1. [clue] The 0 at r1c2 has all its lines: ")
    assert lines[-1] == "Solved: easy, score 47, 32 steps."


def test_hints_lead_to_the_solution(tmp_path):
    board = tmp_path / "board.json"
    state = {"lines": [], "crosses": []}
    seen = 0
    while True:
        board.write_text(json.dumps(state))
        done = run("--hint", "--json", "--partial-solution", str(board), SMALL)
        step = json.loads(done.output)["hint"]["step"]
        if step is None:
            break
        seen += 1
        assert seen < 50
        for key in state:
            state[key] += step[key]
    assert len(state["lines"]) + len(state["crosses"]) == 40
    done = run("--hint", "--partial-solution", str(board), SMALL)
    assert done.output == "nothing is left to do\n"


def test_hints_in_three_levels_and_wrong_marks_first(tmp_path):
    levels = [run("--hint", "--level", level, SMALL).output for level in (1, 2, 3)]
    assert levels[0] == "Look at r1c2.\n"
    assert levels[1].startswith("Look at r1c2. Counting a clue: ")
    assert levels[2].startswith("The 0 at r1c2 has all its lines: ")
    board = tmp_path / "board.json"
    board.write_text(json.dumps({"lines": [[[0, 1], [0, 2]]], "outside": [[0, 1]]}))
    shown = run("--hint", "--partial-solution", str(board), SMALL).output
    assert shown == "A mark is wrong: the edge above r1c2.\n"
    wrong = json.loads(run("--hint", "--json", "--partial-solution", str(board), SMALL).output)
    assert wrong["hint"]["wrong"] == {"edges": [[[0, 1], [0, 2]]], "vertices": [], "faces": []}
    assert wrong["hint"]["step"] is None
    board.write_text(json.dumps({"inside": [[9, 9]]}))
    done = run("--hint", "--partial-solution", str(board), SMALL)
    assert (done.exit_code, "found [9, 9] under 'inside'" in done.stderr) == (2, True)


def test_the_path_is_printed_and_drawn(tmp_path):
    drawn = tmp_path / "path.svg"
    lines = run(SMALL, "--picture", str(drawn), "--labels").output.splitlines()
    assert lines[-2].startswith("solve path: clue/dot ")
    numbers, _, ends = lines[-1].removeprefix("open steps: ").partition(" (")
    opened = [*map(int, numbers.split())]
    record = json.loads(run("--json", SMALL).output)
    assert [step[2] for step in record["path"]] == opened
    assert len(opened) == sum(record["steps"].values())
    assert ends == f"narrowest {min(opened[:-4])}, widest {max(opened)})"
    text = drawn.read_text()
    assert all(f">{name}<" in text for name in ("r1", "c4", "1", str(len(opened))))
    assert run(SMALL, "--labels").exit_code == 2
    assert run(SMALL, SMALL, "--picture", str(drawn)).exit_code == 2
    assert "did you mean 'clue'" in run("--techniques", "cleu", SMALL).stderr
    some = run("--techniques", "clue,dot", "--json", SMALL).output
    assert {*json.loads(some)["steps"]} <= {"clue", "dot"}


def test_marks_from_standard_input_and_wrong_places(tmp_path):
    """Standard input is read once, for the edges and for the places."""
    board = tmp_path / "board.json"
    marks = json.dumps({"crosses": [[[0, 1], [0, 2]]], "outside": [[0, 1]]})
    board.write_text(marks)
    shown = run("--hint", "--partial-solution", str(board), SMALL).output
    assert shown.startswith("The 0 at r1c2 has all its lines: ")
    assert run("--hint", "--partial-solution", "-", SMALL, input=marks).output == shown
    for record, told in (
        ({"inside": 5}, "expected a list, found 5 under 'inside'"),
        ({"inside": [{}]}, "expected places of the board, found {} under 'inside'"),
        ({"inside": [[[0, 0]]]}, "expected places of the board, found [[0, 0]] under 'inside'"),
        ({"visited": [[True, 0]]}, "expected places of the board, found [true, 0] under 'visited'"),
        (
            {"inside": [[0, 0]], "outside": [[0, 0]]},
            "expected each place to be marked once, found [0, 0] twice",
        ),
    ):
        board.write_text(json.dumps(record))
        done = run("--hint", "--partial-solution", str(board), SMALL)
        assert (done.exit_code, done.stderr) == (2, f"error: {board}: {told}\n")


def test_a_wrong_board_has_no_solution(tmp_path):
    board = tmp_path / "board.json"
    board.write_text('{"lines": [[[0, 0], [0, 1]]]}')
    done = run("--explain", "--partial-solution", str(board), SMALL)
    assert done.exit_code == 1
    assert done.output.splitlines()[-1] == "There is no solution."


def test_bad_boards_are_one_line(tmp_path):
    board = tmp_path / "board.json"
    for text, place, reason in (
        ("\n[", ":2:2", "not valid JSON: expecting value"),
        ("[]", "", "found an empty array"),
        ('{"liens": []}', "", "found neither"),
        (
            '{"lines": [[[0, 0], [5, 5]]]}',
            "",
            "in place of [row, column], of 5x5 places",
        ),
        ('{"lines": [[[0, 0]]]}', "", "in place of a path over two places or more"),
        ('{"lines": 3}', "", "found 3 in place of a list of paths"),
        (
            '{"lines": [[[0, 0], [0, 1]]], "crosses": [[[0, 0], [0, 1]]]}',
            "",
            "found 0,0-0,1 as a line and as a cross",
        ),
    ):
        board.write_text(text)
        done = run("--partial-solution", str(board), SMALL)
        assert done.exit_code == 2
        (line,) = done.stderr.splitlines()
        assert line.startswith(f"error: {board}{place}: expected a JSON object")
        assert line.endswith(reason)
    assert run("--partial-solution", str(tmp_path / "none"), SMALL).exit_code == 2
    assert run("--partial-solution", str(board), SMALL, SMALL).exit_code == 2


def test_unsolved_is_status_1():
    assert run("--max-depth", "0", "instances/slitherlink-20x20.txt").exit_code == 1
    done = run("instances/slitherlink-none.txt")
    assert (done.exit_code, done.output.splitlines()[1].split()[1:3]) == (1, ["no", "solution"])


def test_what_deduction_cannot_see_is_decided(tmp_path):
    several = "instances/slitherlink-10x10-several.txt"
    done = run(several, "instances/slitherlink-none.txt", SMALL)
    assert done.exit_code == 1
    assert "gave up" not in done.output
    lines = done.output.splitlines()
    assert lines[1].split()[1:3] == ["not", "unique"]
    assert lines[2].split()[1:3] == ["no", "solution"]
    done = run("--explain", several)
    assert done.output.splitlines()[-1].startswith("Not unique: there are several solutions")
    for file, status, unique in (
        (several, "not unique", False),
        ("instances/slitherlink-none.txt", "no solution", False),
        (SMALL, "solved", True),
    ):
        record = json.loads(run("--json", file).output)
        assert (record["status"], record["unique"]) == (status, unique)
    # It has one, and deduction without guesses gives up.
    record = json.loads(run("--json", "--max-depth", "0", "instances/slitherlink-20x20.txt").output)
    assert (record["status"], record["unique"]) == ("gave up", True)


def test_arguments_from_uniqueness_do_not_make_a_puzzle_unique(tmp_path):
    board = tmp_path / "blank.txt"
    board.write_text("slitherlink\n..\n..\n")
    record = json.loads(run("--json", "--uniqueness", str(board)).output)
    assert (record["status"], record["label"], record["unique"]) == ("not unique", None, False)


def test_without_the_time_to_decide_it_gave_up(monkeypatch):
    def slow(*_, timeout, **__):
        raise SearchTimeout(timeout)

    monkeypatch.setattr("linkoracle.cli.grade.decide", slow)
    monkeypatch.setattr("linkoracle.deduce.grading.decided", lambda *_: None)
    file = "instances/slitherlink-10x10-several.txt"
    record = json.loads(run("--json", "--timeout", "100", file).output)
    assert (record["status"], record["unique"]) == ("gave up", None)


def test_layout_statistics_are_optional():
    files = (SMALL, "instances/numberlink-5x5.txt")
    lines = run("--statistics", *files).output.splitlines()
    assert lines[0].split()[-1] == "layout"
    assert "density 0.44, blocks 0.000, " in lines[1]
    assert "paths " in lines[2]
    told = json.loads(run("--statistics", "--json", SMALL).output)["looks"]
    assert told["density"] == 7 / 16
    assert len(told["shares"]) == 4
    assert (
        run("--statistics", "--explain", SMALL)
        .output.splitlines()[-1]
        .startswith("Layout: density")
    )
    assert "looks" not in json.loads(run("--json", SMALL).output)


def test_puzzles_on_boards_have_layout_statistics(tmp_path):
    board = tmp_path / "kagome.txt"
    board.write_text("""slitherlink
board kagome 5 5
2.13.....2..3.2.0..22.31.2.0.2..2..3.03..2..1....2..3..211.41.32.3..3..4
2
""")
    line = run("--statistics", str(board)).output.splitlines()[1]
    assert "  trial  " in line
    assert "  density 0.45, blocks 0.074, clues together 19, blanks together 5, 0/1/2/3/4 " in line


def test_loops_have_layout_statistics(tmp_path):
    board = tmp_path / "loop.txt"
    board.write_text("simpleloop\n...\n.*.\n...\n")
    line = run("--statistics", str(board)).output.splitlines()[1]
    assert "  clues 1, visited 89%, turns 50%, straight 3, symmetry quarter-turn" in line
    assert "steps 4, trials 0" in line
    told = json.loads(run("--statistics", "--json", str(board)).output)["looks"]
    assert (told["visited"], told["turns"], told["trials"]) == (8 / 9, 0.5, 0)


def test_loops_across_other_boards_have_no_layout_statistics(tmp_path):
    board = tmp_path / "loop.txt"
    board.write_text("simpleloop\nboard honeycomb 3 3\n.........\n")
    assert run("--statistics", str(board)).output.splitlines()[0].split()[-1] == "depth"
    assert "looks" not in json.loads(run("--statistics", "--json", str(board)).output)


def test_a_picture_needs_no_second_deduction(tmp_path, monkeypatch):
    found = []

    def counted(*puzzle, **options):
        found.append(deduced(*puzzle, **options))
        return found[-1]

    monkeypatch.setattr(deduce, "deduced", counted)
    drawn = tmp_path / "path.svg"
    done = run("--explain", "--picture", str(drawn), SMALL)
    assert (done.exit_code, len(found)) == (0, 1)
    steps = [line for line in done.output.splitlines() if line.split(".")[0].isdigit()]
    assert f">{len(steps)}<" in drawn.read_text()


def test_all_ways_to_name_techniques_check_them_alike():
    puzzle = linkoracle.read_file(SMALL)
    for use in (
        lambda: deduced(puzzle, None, techniques=["cleu"]),
        lambda: deduce.hint(puzzle, techniques=["cleu"]),
        lambda: deduce.techniques_in("cleu"),
        lambda: deduce.PathWish(uses=(("cleu", 1, None),)),
    ):
        with pytest.raises(ValueError, match="did you mean 'clue'"):
            use()
