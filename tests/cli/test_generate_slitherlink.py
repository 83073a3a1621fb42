"""`linkoracle generate slitherlink`."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import replace

import pytest
from click.testing import CliRunner

import linkoracle
from linkoracle.catalogue import Catalogue, Filter
from linkoracle.cli.main import main
from linkoracle.deduce import grade
from tests.workers import WAIT_SECONDS, program, wait_for


def run(*arguments, status=0):
    if "--seed" not in arguments:
        arguments += ("--seed", 0)
    done = CliRunner().invoke(main, ["generate", "slitherlink", *map(str, arguments)])
    assert done.exit_code == status, done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done


def puzzles(text):
    return [entry.puzzle for entry in linkoracle.read_all(text + "\n")]


def test_puzzles_in_a_file(tmp_path):
    target = tmp_path / "puzzles.txt"
    run(
        6, 7, "--count", 8, "--seed", 1, "--symmetry", "half-turn", "--format", "pzpr", "-o", target
    )
    made = puzzles(target.read_text())
    assert len(set(made)) == 8
    for puzzle in made:
        assert (puzzle.rows, puzzle.cols) == (6, 7)
        assert linkoracle.is_unique(puzzle)
        cells = {cell for cell, _ in puzzle.clue_cells()}
        assert {(5 - row, 6 - col) for row, col in cells} == cells


def test_the_same_seed_gives_the_same_puzzles():
    three = run(5, 5, "--count", 3, "--format", "json").stdout.splitlines()
    assert run(5, 5, "--count", 2, "--format", "json").stdout.splitlines() == three[:2]
    assert run(5, 5, "--seed", 1, "--format", "json").stdout.splitlines() != three[:1]


@pytest.mark.parametrize("shape", ["mix", "two_colour", "crumple", "expand", "uniform", "long"])
def test_shapes(shape):
    (puzzle,) = puzzles(run(5, 5, "--shape", shape, "--format", "json").stdout)
    assert linkoracle.is_unique(puzzle)


def test_shape_options():
    text = run(
        5, 5, "--shape", "uniform", "--shape-option", "length=20-24", "--format", "json"
    ).stdout
    assert 20 <= len(linkoracle.solve(puzzles(text)[0])) <= 24
    run(
        5,
        5,
        "--shape",
        "two_colour",
        "--shape-option",
        "recursive=off",
        "--shape-option",
        "diagonal_ties=on",
    )
    run(5, 5, "--shape", "expand", "--shape-option", "thickness=0.5")


def test_open_paths():
    text = run(5, 5, "--ends", "0,2-5,3", "--format", "json").stdout
    assert puzzles(text)[0].ends == ((0, 2), (5, 3))
    assert puzzles(run(5, 5, "--ends", "random", "--format", "json").stdout)[0].variant == "path"


def test_fewest_and_what_it_says_when_stopped(clock, monkeypatch):
    small = run(5, 5, "--fewest", "--format", "json")
    assert small.stderr == ""
    clock.run_out_after(3, monkeypatch)
    large = run(14, 14, "--fewest", "--timeout", "600", "--format", "json")
    assert "clues; at least" in large.stderr
    assert linkoracle.is_unique(puzzles(large.stdout)[0])


def test_processes_make_the_same():
    one, two = (run(8, 8, "--seed", 2, "--jobs", jobs).stdout for jobs in (1, 2))
    assert one == two
    done = run(8, 8, "--engine", "cdcl", status=2)
    assert "No such option '--engine'" in done.stderr


def test_masks(tmp_path):
    exact = tmp_path / "ring.txt"
    exact.write_text("#####\n#...#\n#...#\n#...#\n#####\n")
    (puzzle,) = puzzles(run(5, 5, "--mask", exact, "--format", "json").stdout)
    assert sum(1 for _ in puzzle.clue_cells()) == 16
    (path,) = puzzles(run(5, 5, "--mask", exact, "--ends", "random", "--format", "json").stdout)
    assert {cell for cell, _ in path.clue_cells()} == {cell for cell, _ in puzzle.clue_cells()}
    assert path.ends is not None
    assert linkoracle.is_unique(path)
    done = run(5, 5, "--mask", exact, "--shape", "long", status=2)
    assert "takes no shape, got 'long'" in done.stderr
    done = run(5, 5, "--mask", exact, "--difficulty", "easy", status=2)
    assert "takes no difficulty, got 'easy'" in done.stderr
    partial = tmp_path / "partial.txt"
    partial.write_text("#????\n????.\n?????\n?????\n????#\n")
    (puzzle,) = puzzles(run(5, 5, "--mask", partial, "--format", "json").stdout)
    cells = {cell for cell, _ in puzzle.clue_cells()}
    assert {(0, 0), (4, 4)} <= cells
    assert (1, 4) not in cells


def test_a_half_made_puzzle_is_completed(tmp_path):
    half = tmp_path / "half.txt"
    half.write_text("3????\n?.#??\n??2??\n?????\n????0\n")
    (puzzle,) = puzzles(run(5, 5, "--mask", half, "--format", "json").stdout)
    clues = dict(puzzle.clue_cells())
    assert (clues[0, 0], clues[2, 2], clues[4, 4]) == (3, 2, 0)
    assert (1, 2) in clues
    assert (1, 1) not in clues
    half.write_text("4??\n???\n??4\n")
    assert "no loop has the digits given" in run(3, 3, "--mask", half, status=1).stderr


def test_a_loop_drawn_by_hand(tmp_path):
    drawing, catalogue = tmp_path / "loop.txt", tmp_path / "some.catalogue"
    drawing.write_text(".##.\n####\n.##.\n", encoding="utf-8")
    shown = run(3, 4, "--loop", drawing, "--show").stdout
    again = tmp_path / "again.txt"
    again.write_text(shown, encoding="utf-8")
    (one,) = puzzles(run(3, 4, "--loop", drawing, "--format", "json").stdout)
    (other,) = puzzles(run(3, 4, "--loop", again, "--format", "json").stdout)
    assert one == other
    run(3, 4, "--loop", drawing, "--into", catalogue, "--difficulty", "easy")
    drawing.write_text("##..\n..##\n....\n")
    done = run(3, 4, "--loop", drawing, status=2)
    assert f"{drawing}:2:2: expected a loop that does not touch itself at a corner" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "the loop has 3 rows of 4 cells" in run(4, 4, "--loop", again, status=2).stderr
    assert "takes no shape" in run(3, 4, "--loop", again, "--shape", "long", status=2).stderr


def test_a_board_with_given_lines_and_holes_gets_clues(tmp_path):
    board, mask = tmp_path / "board.txt", tmp_path / "mask.txt"
    catalogue = tmp_path / "some.catalogue"
    half = replace(
        linkoracle.Slitherlink.blank(4, 5, ((0, 0), (4, 5))),
        given=[((0, 0), (0, 1))], forbidden=[((4, 4), (4, 5))], holes=[(2, 2)],
    ).with_clues({(0, 0): 3})  # fmt: skip
    board.write_text(linkoracle.write(half), encoding="utf-8")
    mask.write_text("#.#.#\n" * 4)
    loop = tmp_path / "loop.txt"
    run("--board", board, "--difficulty", "easy", "--into", catalogue)
    for more in ([], ["--mask", mask]):
        found = puzzles(run("--board", board, *more, "--format", "json").stdout)
        for one in found:
            assert replace(one, clues=half.clues) == half
            assert one.grid[0][0] == 3
            assert linkoracle.is_unique(one)
    with Catalogue(catalogue, readonly=True) as file:
        (record,) = file.find()
    assert linkoracle.read(record.source["board"]) == half
    url = "https://puzz.link/p?slither/3/3/3n"
    (one,) = puzzles(run("--board", url, "--format", "json").stdout)
    assert one.grid[0][0] == 3
    done = run(5, 5, "--board", board, status=2)
    assert "ROWS and COLS say 5 rows of 5 cells, the board has 4 rows of 5 cells" in done.stderr
    loop.write_text(".....\n.##..\n.....\n.....\n")
    assert (
        "expected a single path between its ends"
        in run("--board", board, "--loop", loop, status=2).stderr
    )
    board.write_text("numberlink\n1.1\n")
    done = run("--board", board, status=2)
    assert done.stderr == f"error: {board}:1: expected the kind slitherlink, found numberlink\n"
    board.write_text("slitherlink\n3\n\nslitherlink\n2\n")
    done = run("--board", board, status=2)
    assert done.stderr == f"error: {board}: expected one puzzle, found 2\n"


def test_the_size_comes_from_a_file(tmp_path):
    mask, loop, catalogue = tmp_path / "mask.txt", tmp_path / "loop.txt", tmp_path / "one.catalogue"
    mask.write_text("????\n?..?\n????\n")
    loop.write_text(".##.\n####\n.##.\n")
    for file in (["--mask", mask], ["--loop", loop], ["--mask", mask, "--loop", loop]):
        (sized,) = puzzles(run(3, 4, *file, "--format", "json").stdout)
        assert puzzles(run(*file, "--format", "json").stdout) == [sized]
    run("--loop", loop, "--into", catalogue)
    with Catalogue(catalogue, readonly=True) as file:
        (record,) = file.find()
    assert (record.source["rows"], record.source["cols"]) == (3, 4)
    loop.write_text("##\n#.\n")
    done = run("--mask", mask, "--loop", loop, status=2)
    assert "the mask has 3 rows of 4 cells, the loop has 2 rows of 2 cells" in done.stderr
    assert "Missing argument 'COLS'" in run(3, "--mask", mask, status=2).stderr
    for none in ([], ["--letters", "2026"]):
        done = run(*none, status=2)
        assert "expected ROWS and COLS, or a file that has a size" in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_numbers_of_clues():
    (puzzle,) = puzzles(run(6, 6, "--clues", 18, "--strategy", "stack", "--format", "json").stdout)
    assert sum(1 for _ in puzzle.clue_cells()) == 18


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (
            [3, 4, "--symmetry", "quarter-turn"],
            2,
            "expected a symmetry of this board (none, half-turn, left-right, top-bottom, both), "
            "got 'quarter-turn'",
        ),
        ([3, 3, "--ends", "0,0"], 2, "expected 'random' or two dots"),
        ([3, 3, "--ends", "1,1-0,0"], 2, "border"),
        ([3, 3, "--shape", "expand", "--ends", "random"], 2, "makes loops only"),
        (
            [3, 3, "--shape-option", "colour=3"],
            2,
            "mix has no option colour, only zeros, threes, variety",
        ),
        ([3, 3, "--shape-option", "recursive"], 2, "expected NAME=VALUE"),
        ([3, 3, "--shape", "crumple", "--shape-option", "ratio=9"], 2, "ratio"),
        ([3, 3, "--shape", "expand", "--shape-option", "thickness=1-2"], 2, "cannot use"),
        (
            [3, 3, "--shape", "uniform", "--shape-option", "length=7"],
            1,
            "no loop or path on 3x3 cells",
        ),
        ([3, 3, "--clues", 10], 2, "expected 0 to 9 clues"),
        ([3, 3, "--strategy", "stack"], 2, "number of clues to reach"),
        ([3, 3, "--fewest", "--symmetry", "half-turn"], 2, "fewest clues"),
        ([3, 3, "--mask", "/nowhere"], 2, "/nowhere: no such file"),
        ([3, 3, "--max-clue-density", "0.01", "--tries", 2], 1, "in 2 attempts"),
        ([1, 1, "--count", 2], 1, "found only"),
        ([60, 60, "--timeout", "0.05"], 3, "no answer within 0.05 s"),
        ([60, 60, "--timeout", "0.05"], 3, "another seed, or asking for less may help"),
        ([0, 3], 2, "'ROWS': expected a whole number from 1 to 1000000, found '0'"),
    ],
)
def test_one_line_and_a_status_for_what_cannot_be(arguments, status, message):
    done = run(*arguments, status=status)
    assert message in done.stderr
    assert "Traceback" not in done.output


def test_a_bad_mask_is_pointed_at(tmp_path):
    mask = tmp_path / "mask.txt"
    mask.write_text("##\n#x\n")
    assert f"{mask}:2:2: expected # (a clue)" in run(2, 2, "--mask", mask, status=2).stderr
    mask.write_text("##\n\n#5\n")
    assert f"{mask}:3:2: expected # (a clue)" in run(2, 2, "--mask", mask, status=2).stderr
    mask.write_text("##\n#\n")
    done = run(2, 2, "--mask", mask, status=2)
    assert f"{mask}:2:2: expected 2 cells as in the first row, found 1" in done.stderr
    mask.write_text("##\n#?\n")
    done = run(3, 2, "--mask", mask, status=2)
    assert "ROWS and COLS say 3 rows of 2 cells, the mask has 2 rows of 2 cells" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    mask.write_text("\n\n")
    assert f"{mask}: expected rows of a mask, found none" in run("--mask", mask, status=2).stderr


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_keeps_what_is_written(tmp_path):
    target = tmp_path / "many.txt"
    command = "generate slitherlink 9 9 --seed 0 --count 100000 --format pzpr -o"
    with program(command, target) as process:
        wait_for(process, lambda: target.exists() and target.stat().st_size > 500)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=WAIT_SECONDS)
    assert process.returncode == 130
    assert "interrupted" in errors
    assert "Traceback" not in errors
    text = target.read_text()
    assert text.endswith("\n")
    assert len(puzzles(text)) == len(text.splitlines()) > 5


def test_difficulty_is_just_that():
    made = puzzles(run(6, 6, "--difficulty", "easy", "--count", 4, "--format", "json").stdout)
    assert len(made) == 4
    assert {grade(puzzle).label for puzzle in made} == {"easy"}
    some = run(7, 7, "--difficulty", "hard", "--count", 3, "--format", "json").stdout
    assert {grade(puzzle).label for puzzle in puzzles(some)} == {"hard"}
    some = run(7, 7, "--difficulty", "normal..tricky", "--count", 4, "--format", "json").stdout
    assert {grade(puzzle).label for puzzle in puzzles(some)} <= {"normal", "tricky"}
    (one,) = puzzles(run(7, 7, "--score", "150-300", "--format", "json").stdout)
    assert 150 <= grade(one).score <= 300
    (deep,) = puzzles(
        run(5, 5, "--max-depth", 1, "--techniques", "hard", "--format", "json").stdout
    )
    assert linkoracle.is_unique(deep)
    assert grade(deep, max_depth=1, subset="hard").status == "solved"


def test_a_catalogue_records_the_requested_grade(tmp_path):
    file = tmp_path / "made.sqlite"
    run(6, 6, "--difficulty", "normal..hard", "--score", "50-900", "--into", file)
    with Catalogue(file, readonly=True) as catalogue:
        (record,) = catalogue.find(Filter(sources=("difficulty=normal..hard",)))
    assert record.source["score"] == [50, 900]


def test_wrong_difficulties():
    done = run(6, 6, "--difficulty", "hard..easy", status=2)
    assert "expected the easier label first, got hard and easy" in done.stderr
    done = run(6, 6, "--difficulty", "murderous", status=2)
    assert "expected one of easy, normal, " in done.stderr
    done = run(6, 6, "--score", "300-200", status=2)
    assert "the lower first, found '300-200'" in done.stderr


def test_masks_by_name():
    (puzzle,) = puzzles(run(7, 8, "--pattern", "rings", "--format", "json").stdout)
    assert [clue is not None for clue in puzzle.grid[1]] == [True, *[False] * 6, True]
    (puzzle,) = puzzles(run(9, 11, "--letters", "26", "--format", "json").stdout)
    assert [clue is not None for clue in puzzle.grid[3][1:10]] == [
        *(False, False, False, True, False, True, False, False, False)
    ]
    wrong = run(9, 9, "--pattern", "rings", "--letters", "1", status=2).stderr
    assert "expected one of mask, pattern and letters" in wrong
    assert "at least for '2026', got 9x9" in run(9, 9, "--letters", "2026", status=2).stderr
    wrong = run(9, 9, "--pattern", "rings", "--minimal", status=2).stderr
    assert "an exact mask takes no minimal" in wrong
    assert ". Mark some cells ? to leave a choice" in wrong


def test_a_minimal_board():
    (board,) = puzzles(run(7, 7, "--minimal", "--format", "json").stdout)
    options = ("--symmetry", "none", "--clue-density", 0.6)
    (more,) = puzzles(run(7, 7, *options, "--format", "json").stdout)
    assert board.number_of_clues < round(0.6 * 49) <= more.number_of_clues


def test_redundant_clues_of_a_minimal_board_are_reported(tmp_path):
    options = (6, 6, "--minimal", "--symmetry", "quarter-turn", "--seed", 3)
    done = run(*options, "--format", "json")
    record = json.loads(done.stdout)
    (board,) = puzzles(done.stdout)
    redundant = [
        [*cell]
        for cell, _ in board.clue_cells()
        if linkoracle.is_unique(board.with_clues({cell: None}))
    ]
    assert record["redundant"] == redundant != []
    message = f"{len(redundant)} of the {board.number_of_clues} clues are redundant"
    assert f"not minimal: {message}" in done.stderr

    catalogue = tmp_path / "c.sqlite"
    run(*options, "--into", catalogue)
    with Catalogue(catalogue) as kept:
        assert [one.source["redundant"] for one in kept.find()] == [redundant]

    alone = run(6, 6, "--minimal", "--seed", 3, "--format", "json")
    assert "redundant" not in alone.stdout + alone.stderr
