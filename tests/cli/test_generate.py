from __future__ import annotations

import os
import signal
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import linkoracle
from linkoracle.cli.main import main
from linkoracle.deduce import grade
from linkoracle.generate import numberlinks
from tests.workers import WAIT_SECONDS, program, wait_for

BOARDS = [made.puzzle for made in islice(numberlinks(6, 6, seed=3), 3)]
WRITERS = [name for name, one in linkoracle.FORMATS.items() if one.writes and name != "loopy"]


def run(*arguments: str) -> Result:
    seed = () if "--seed" in arguments else ("--seed", "0")
    return CliRunner().invoke(main, ["generate", "numberlink", *arguments, *seed])


def read(text_or_path: str | Path, variant: str | None = None) -> list[linkoracle.Puzzle]:
    entries = linkoracle.read_all(text_or_path, kind="numberlink", variant=variant)
    return [entry.puzzle for entry in entries]


@pytest.mark.parametrize("target", WRITERS)
def test_streams_are_read_back_in_every_format(target, tmp_path):
    options = ("6", "6", "--seed", "3", "--count", "3", "--format", target)
    result = run(*options)
    assert (result.exit_code, result.stderr) == (0, "")
    assert read(result.stdout) == BOARDS
    file = tmp_path / "puzzles"
    file.write_text("what stood here before\n")
    result = run(*options, "-o", str(file))
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert read(file) == BOARDS
    assert file.stat().st_mode & 0o777 == 0o644


def test_rows_of_two_cells_are_read_back():
    """A block of two columns may look like a line of dimensions."""
    for target in WRITERS:
        result = run("4", "2", "--count", "3", "--min-length", "2", "--format", target)
        assert result.exit_code == 0
        assert len(read(result.stdout)) == 3


def test_a_mask_a_grade_and_turns_reach_the_maker(tmp_path):
    mask = tmp_path / "mask.txt"
    mask.write_text("?.????\n#?????\n" + "??????\n" * 4)
    options = ("6", "6", "--straight-share", "0-0.2", "--min-turns", "1.5", "--max-depth", "1")
    (puzzle,) = read(run(*options, "--mask", str(mask), "--difficulty", "easy..normal").stdout)
    unsized = run(*options[2:], "--mask", str(mask), "--difficulty", "easy..normal").stdout
    assert read(unsized) == [puzzle]
    assert puzzle.numbers[1][0] is not None
    assert puzzle.numbers[0][1] is None
    assert grade(puzzle).label in ("easy", "normal")
    result = run("6", "7", "--mask", str(mask))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "the mask has 6 rows of 6 cells" in result.stderr


def test_the_rule_and_other_options_reach_the_maker():
    result = run(
        *(
            "6",
            "6",
            "--variant",
            "fill",
            "--pairs",
            "5-6",
            "--min-length",
            "4",
            "--max-length",
            "10",
        ),
        *("--symmetry", "half-turn", "--maker", "links", "--seed", "8", "--format", "json"),
        *("--short-share", "0-0.5", "--long-share", "0-.5"),
    )
    (puzzle,) = read(result.stdout)
    assert puzzle.variant == "fill"
    assert len(puzzle.pairs()) == 6
    assert linkoracle.is_unique(puzzle)
    assert run("5", "5", "--maker", "diagram", "--repairs", "1").exit_code == 0


def test_show_draws_board_and_solution(tmp_path):
    pictures = [linkoracle.draw(board, linkoracle.solve(board)) + "\n" for board in BOARDS[:2]]
    options = ("6", "6", "--seed", "3", "--count", "2", "--show")
    assert run(*options).stdout == "\n".join(pictures)
    file = tmp_path / "puzzles"
    assert run(*options, "-o", str(file), "--format", "pzpr").stdout == "\n".join(pictures)
    assert read(file) == BOARDS[:2]
    assert run("6", "6", "--show", "--ascii").stdout.isascii()


@pytest.mark.parametrize(
    "arguments",
    [
        ("1", "1"),
        ("6", "6", "--pairs", "20"),
        ("6", "6", "--min-length", "9", "--max-length", "8"),
        ("7", "6", "--symmetry", "quarter-turn"),
        ("9", "9", "--maker", "diagram"),
        ("6", "6", "--format", "loopy"),
    ],
)
def test_impossible_requests_end_with_one_line(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    # What the system refuses is no bad request.
    assert result.exit_code == (5 if "-o" in arguments else 2)
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("error: ")


@pytest.mark.parametrize(
    "arguments",
    [
        ("6",),
        ("6", "six"),
        ("6", "6", "--pairs", "3-"),
        ("6", "6", "--short-share", "some"),
        ("6", "6", "--count", "0"),
        ("6", "6", "--show", "--format", "json"),
    ],
)
def test_misspelt_options_are_usage_errors(arguments):
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_a_refused_request_leaves_the_file_alone(tmp_path):
    file = tmp_path / "puzzles"
    file.write_text("precious\n")
    assert run("6", "6", "--pairs", "20", "-o", str(file)).exit_code == 2
    assert run("6", "6", "--format", "loopy", "-o", str(file)).exit_code == 2
    assert file.read_text() == "precious\n"


def test_boards_that_run_out_leave_what_was_found():
    result = run("2", "2", "--min-length", "2", "--count", "5")
    assert result.exit_code == 1
    assert len(read(result.stdout)) == 2
    assert "only 2 different boards" in result.stderr


@pytest.fixture
def endless(tmp_path):
    """A process that fills a file, and the file, once that has a few puzzles."""
    file = tmp_path / "puzzles.txt"
    command = "generate numberlink 8 8 --seed 0 --count 1000000 -o"
    with program(command, file, env={**os.environ, "PYTHONUNBUFFERED": "1"}) as process:
        wait_for(process, lambda: file.exists() and file.read_text().count("\n\n") > 3)
        yield process, file
        process.kill()


def test_ctrl_c_keeps_what_is_written(endless):
    process, file = endless
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=WAIT_SECONDS)
    boards = read(file)
    assert process.returncode == 130
    assert errors == f"interrupted: {len(boards)} puzzles of 1000000 written to {file}\n"
    assert len(set(boards)) == len(boards)


def test_a_killed_run_leaves_whole_puzzles(endless):
    process, file = endless
    process.kill()
    process.wait()
    boards = read(file)
    assert len(boards) > 3
    assert all((board.rows, board.cols) == (8, 8) for board in boards)
    assert file.read_text().endswith("\n")


def test_a_full_disk_leaves_whole_puzzles():
    """/dev/full takes nothing; the message is one line."""
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    result = run("5", "5", "-o", "/dev/full")
    assert result.exit_code == 5
    assert result.stderr == "error: /dev/full: cannot write: No space left on device\n"


def test_a_puzzle_whose_path_is_followed_has_the_board(tmp_path):
    """Its rows and columns, or the board that is not square."""
    for first in (["simpleloop", "4", "4"], ["slitherlink", "--board", "honeycomb 3 3"]):
        file = tmp_path / "first.txt"
        made = CliRunner().invoke(main, ["generate", *first, "--seed", "1", "-o", str(file)])
        assert made.exit_code == 0, made.output
        begun = linkoracle.read(file)
        again = CliRunner().invoke(
            main, ["generate", first[0], "--like", str(file), "--seed", "1", "--tries", "200"]
        )
        assert again.exit_code == 0, again.output
        assert linkoracle.read(again.stdout).faces == begun.faces
