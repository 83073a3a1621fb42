"""The table program: complete files, and numbers that agree with the censuses."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from linkoracle.census import board_census, instances

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    command = [sys.executable, "scripts/census_tables.py", "--output", str(folder / "out")]
    command += ["--seconds", "0.02", "--runs", str(folder / "runs"), "--no-plots"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


def test_csv(folder):
    with (folder / "out" / "slitherlink.csv").open() as file:
        rows = list(csv.DictReader(file))
    census = board_census(3, 3)
    mine = [row for row in rows if (row["rows"], row["cols"]) == ("3", "3")]
    assert [int(row["puzzles"]) for row in mine] == list(census.puzzles)
    assert [int(row["minimal_classes"]) for row in mine] == list(census.minimal_classes)
    with (folder / "out" / "numberlink.csv").open() as file:
        rows = list(csv.DictReader(file))
    expected = instances(2, 3, "unique_free").by_pairs()
    mine = [row for row in rows if [*row.values()][:3] == ["unique_free", "2", "3"]]
    assert {int(row["pairs"]): int(row["instances"]) for row in mine} == expected


def test_boards_and_sequences(folder):
    text = (folder / "out" / "slitherlink_boards.csv").read_text()
    assert "2x2,13,4,61,24,12,5,1,2" in text.splitlines()
    numberlink = (folder / "out" / "numberlink_boards.csv").read_text()
    assert "2x2,2,2,6" in numberlink.splitlines()
    lines = (folder / "out" / "sequences.txt").read_text().splitlines()
    assert lines[0].startswith("%S 1,13,213")
    assert lines[2] == "%O 1,2"
    assert lines[3].startswith("%C In the OEIS: A140517")
    place = next(i for i, line in enumerate(lines) if line.startswith("%S 1,61,39129"))
    assert lines[place + 3].startswith("%C Apparently new")


def test_one_row_is_known(folder):
    """A row of n cells has a Fibonacci number of covering instances, and 2^(n-1) - 1 free ones."""
    text = (folder / "out" / "sequences.txt").read_text()
    for terms, known in (("1,1,2,3,5,8,13,21", "A000045"), ("1,3,7,15,31,63,127", "A000225")):
        places = [part for part in text.split("\n\n") if part.startswith(f"%S {terms},")]
        assert places
        assert all(known in part for part in places)


def test_runs_are_kept(folder):
    assert (folder / "runs" / "3x3.sqlite").exists()


def test_a_number_that_is_known_otherwise_stops_the_program(tmp_path):
    program = (
        "import sys; sys.path.insert(0, 'scripts'); import census_tables as tables\n"
        "tables.A231829[1] = (1, 4)\n"
        "sys.argv = ['tables', '--output', sys.argv[1], '--seconds', '0.0001']\n"
        "tables.main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == "tables: 1x2 has 3 loops, A231829 has 4\n"
