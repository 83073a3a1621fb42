"""`linkoracle census`: what is printed, what is refused, and how runs end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner

import linkoracle
from linkoracle.census import board_census, instances, puzzles_of
from linkoracle.cli.main import main
from tests.workers import WAIT_SECONDS, Program, wait_for

ROOT = Path(__file__).resolve().parents[2]
PUZZLE = str(ROOT / "instances" / "slitherlink-4x4.txt")


def run(*arguments: object, status: int = 0) -> str:
    result = CliRunner().invoke(main, ["census", *map(str, arguments)])
    assert result.exit_code == status, result.output
    return result.output


def test_board_table():
    lines = run("board", 2, 2).splitlines()
    assert lines[0] == "13 loops, 4 of them without a puzzle"
    assert lines[-1].split() == ["all", "61", "24", "12", "5"]
    assert lines[3].split() == ["1", "4", "4", "1", "1"]


def test_board_examples_are_puzzles():
    parts = run("board", 3, 3, "--examples").split("\n\n")
    assert len(parts) == 6
    for part in parts[2:]:
        assert linkoracle.is_unique(linkoracle.read(part))


def test_board_json_is_stamped():
    answer = json.loads(run("board", 2, 3, "--fours", "--json"))
    assert (answer["rows"], answer["cols"], answer["fours"]) == (2, 3, True)
    assert answer["version"] == version("linkoracle")
    assert tuple(answer["minimal_classes"]) == board_census(2, 3, fours=True).minimal_classes


def test_board_in_parts(tmp_path):
    store = tmp_path / "census.sqlite"
    assert run("board", 3, 3, "--checkpoint", store, "--units", 0) == "unfinished: 0 of 1 units\n"
    assert "the file exists. Resume that run" in run("board", 3, 3, "--checkpoint", store, status=2)
    other = run("board", 3, 3, "--checkpoint", store, "--resume", "--fours", status=2)
    assert "fours = false, which is now true" in other
    assert "39129" in run("board", 3, 3, "--checkpoint", store, "--resume")
    assert run("board", 3, 3, "--checkpoint", store, "--resume") == run("board", 3, 3)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("board", 6, 6), "expected a board of 1 to 30 cells"),
        (("board", 0, 3), "expected a whole number from 1 to 1000000, found '0'"),
        (("board", 2, 2, "--resume"), "needs --checkpoint"),
        (("loop",), "expected a FILE or --random ROWS COLS, found "),
        (("loop", PUZZLE, "--random", 3, 3), "expected a FILE or --random ROWS COLS, found "),
        (("loop", PUZZLE, "--with", "5,1"), "the 4x4 board has no cell 5,1"),
        (("loop", PUZZLE, "--with", "0,1"), "counted from 1"),
        (("loop", PUZZLE, "--clues", "many"), "expected a number"),
        (("loop", PUZZLE, "--symmetry", "spiral"), "is not one of 'none', 'half-turn'"),
        (("loop", ROOT / "instances" / "slitherlink-none.txt"), "one solution, found none"),
        (("loop", ROOT / "instances" / "numberlink-5x5.txt"), "expected the kind slitherlink"),
        (("loop", "--random", 9, 9), "at most 62 cells"),
        (("numberlink", 6, 6), "1 to 30 cells"),
        (("numberlink", 2, 2, "--pair", "1,1-1,1"), "two different cells"),
        (("numberlink", 2, 2, "--pair", "1,1"), "counted from 1"),
        (("numberlink", 2, 2, "--end", "3,1"), "the 2x2 board has no cell 3,1"),
    ],
)
def test_bad_input(arguments, reason):
    output = run(*arguments, status=2)
    assert reason in output
    assert "Traceback" not in output


def test_memory_limit():
    assert "over the limit" in run("board", 4, 6, "--memory", "2MB", status=4)
    assert "kB allowed" in run("numberlink", 4, 4, "--memory", "1MB", status=4)


def test_loop_table():
    lines = run("loop", PUZZLE).splitlines()
    puzzles = puzzles_of(linkoracle.solve(linkoracle.read(Path(PUZZLE))))
    assert lines[-1].split() == ["all", str(puzzles.count()), str(puzzles.minimal().count())]
    answer = json.loads(run("loop", PUZZLE, "--json"))
    assert {int(clues): number for clues, number in answer["puzzles"].items()} == (
        puzzles.by_clues()
    )


def test_loop_lists_what_the_filters_leave():
    smallest = run("loop", PUZZLE, "--smallest", "--list", "--json").splitlines()
    assert len(smallest) == 96
    arguments = ("--minimal", "--with", "1,1", "--without", "4,4", "--clues", "7-8")
    listed = run("loop", PUZZLE, *arguments, "--list", "--json").splitlines()
    assert listed
    for line in listed:
        puzzle = linkoracle.read(line)
        clues = dict(puzzle.clue_cells())
        assert (0, 0) in clues
        assert (3, 3) not in clues
        assert 7 <= len(clues) <= 8
        assert linkoracle.is_unique(puzzle)
    for line in run("loop", PUZZLE, "--no-value", "3", "--list", "--json").splitlines():
        assert all(clue != 3 for _, clue in linkoracle.read(line).clue_cells())


def test_samples_repeat_with_their_seed():
    first = run("loop", "--random", 4, 4, "--seed", 8, "--sample", 2)
    assert first == run("loop", "--random", 4, 4, "--seed", 8, "--sample", 2)
    assert first.count("slitherlink\n") == 2
    assert run("loop", PUZZLE, "--no-value", 2, "--no-value", 0, "--clues", 1, "--sample", 3) == ""


def test_fewest(clock, monkeypatch):
    text = run("loop", PUZZLE, "--fewest")
    assert text.startswith("# 6 clues, the fewest\n")
    assert linkoracle.is_unique(linkoracle.read(text))
    answer = json.loads(run("loop", PUZZLE, "--fewest", "--json"))
    assert (answer["clues"], answer["at_least"]) == (6, 6)
    clock.run_out_after(3, monkeypatch)
    text = run("loop", "instances/slitherlink-10x10.txt", "--fewest", "--timeout", 600, status=3)
    assert "are needed" in text
    assert linkoracle.is_unique(linkoracle.read(text))


def test_numberlink_table_and_list():
    assert run("numberlink", 3, 3).splitlines() == [
        "pairs  puzzles",
        "    2       12",
        "    3       54",
        "    4       20",
        "  all       86",
    ]
    answer = json.loads(run("numberlink", 3, 3, "--variant", "unique_free", "--json"))
    assert sum(answer["puzzles"].values()) == 288
    listed = run("numberlink", 3, 3, "--pairs", 2, "--apart", "--list", "--json").splitlines()
    family = instances(3, 3).filter(pairs=(2, 2), adjacent_ends=False)
    assert [linkoracle.read(line) for line in listed] == list(family)
    one = run("numberlink", 3, 3, "--pair", "1,1-1,3", "--sample", 1, "--seed", 1, "--json")
    assert ((0, 0), (0, 2)) in linkoracle.read(one).pairs().values()
    corners = ("--end", "1,1", "--end", "1,3", "--end", "3,1", "--end", "3,3")
    assert run("numberlink", 3, 3, *corners, "--json").endswith("}\n")


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_interrupt_keeps_what_is_done(tmp_path):
    store = tmp_path / "census.sqlite"
    command = [sys.executable, "-m", "linkoracle", "census", "board", "4", "5"]
    command += ["--checkpoint", str(store)]
    with Program(command, stderr=subprocess.PIPE, text=True) as running:
        wait_for(running, lambda: store.exists() and store.stat().st_size >= 8192)
        running.send_signal(signal.SIGINT)
        assert running.wait(WAIT_SECONDS) == 130
        assert running.stderr.read() == "interrupted\n"
    assert run("board", 4, 5, "--checkpoint", store, "--resume", "--units", 0).startswith(
        "unfinished"
    )


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_interrupt_of_several_processes_is_quiet(tmp_path):
    store = tmp_path / "census.sqlite"
    command = [sys.executable, "-m", "linkoracle", "census", "board", "5", "5", "--jobs", "2"]
    command += ["--checkpoint", str(store)]
    with Program(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as running:
        wait_for(running, store.exists)
        # Somewhere while the processes start or work; all of it takes half an hour.
        time.sleep(1.5)
        # As a terminal does: to all processes of the group.
        os.killpg(running.pid, signal.SIGINT)
        assert running.wait(WAIT_SECONDS) == 130
        assert running.stderr.read() == "interrupted\n"


def test_numberlink_run_is_kept_and_asked_again(tmp_path):
    store = tmp_path / "run.npz"
    whole = run("numberlink", 3, 4, "--checkpoint", store)
    assert run("numberlink", 3, 4, "--checkpoint", store, "--resume") == whole
    three = json.loads(
        run("numberlink", 3, 4, "--checkpoint", store, "--resume", "--pairs", 3, "--json")
    )
    assert three["puzzles"] == {"3": 202}
    assert "exists" in run("numberlink", 3, 4, "--checkpoint", store, status=2)
    assert "variant" in run(
        "numberlink", 3, 4, "--variant", "unique_free", "--checkpoint", store, "--resume", status=2
    )
    assert "needs --checkpoint" in run("numberlink", 3, 4, "--resume", status=2)
