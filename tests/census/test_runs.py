"""Runs: units are done once, whatever happens to the program."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from linkoracle.batch import Processes
from linkoracle.batch.runs import Run
from linkoracle.census import BoardRun, board_census
from linkoracle.core import RunError
from tests.batch.jobs import kill_the_worker
from tests.workers import Program, alive, children, wait_until

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys, time
from contextlib import nullcontext
from pathlib import Path
import linkoracle.census.board as board
from linkoracle.batch import Processes

jobs, most = map(int, sys.argv[2:])
reports = 0

def progress(line, share):
    global reports
    reports += 1
    print(line, flush=True)
    # So many at most, however late it is killed.
    time.sleep(600 if reports == most else 0.01)

# Small units, so that there is always one to be killed in.
board._UNIT_SECONDS = 0.002
if __name__ == "__main__":
    with (
        Processes(jobs) if jobs > 1 else nullcontext() as executor,
        board.BoardRun(4, 4, path=Path(sys.argv[1]), resume=True, executor=executor) as run,
    ):
        run.work(progress=progress)
        print(sum(run.census().puzzles))
"""


def finished_units(path: Path) -> list[tuple]:
    if not path.exists():
        return []
    try:
        with sqlite3.connect(path, timeout=0) as file:
            return file.execute("SELECT number, result FROM unit ORDER BY number").fetchall()
    except sqlite3.OperationalError:  # The run holds its file: it is at work.
        return []


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs Linux")
@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_twice_and_resumed(tmp_path, jobs):
    whole = board_census(4, 4)
    path, program = tmp_path / "run.sqlite", tmp_path / "program.py"
    program.write_text(PROGRAM)
    command = [sys.executable, str(program), str(path), str(jobs)]
    before: list[tuple] = []
    for _ in range(2):
        with Program([*command, "7"], cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
            lines = [running.stdout.readline() for _ in range(3)]
            assert all(" units" in line for line in lines), lines
            workers = children(running.pid)
            assert len(workers) >= (jobs if jobs > 1 else 0)
            running.send_signal(signal.SIGKILL)
        wait_until(lambda: not any(map(alive, workers)))  # noqa: B023
        after = finished_units(path)
        assert len(after) > len(before)
        assert set(before) <= set(after)
        before = after
    done = subprocess.run([*command, "0"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(done.stdout.splitlines()[-1]) == sum(whole.puzzles)
    units = finished_units(path)
    assert [number for number, _ in units] == list(range(len(units)))
    assert set(before) <= set(units)


def test_a_run_in_parts_is_the_whole(tmp_path):
    path = tmp_path / "run.sqlite"
    with BoardRun(3, 3, path=path) as run:
        assert run.estimate() == "0 of 1 units"
        with pytest.raises(ValueError, match="not finished"):
            run.census()
        assert run.work(most=1)
        first = run.census()
    with BoardRun(3, 3, path=path, resume=True) as run:
        assert run.work(progress=lambda *_: pytest.fail("there is nothing left to do"))
        assert run.census() == first == board_census(3, 3)


def test_processes_give_the_same(tmp_path):
    with (
        Processes(2) as executor,
        BoardRun(3, 4, path=tmp_path / "run.sqlite", executor=executor) as run,
    ):
        assert run.work()
        assert run.census() == board_census(3, 4)


@pytest.mark.parametrize(
    ("other", "reason"),
    [((3, 4, False), "cols = 3, which is now 4"), ((3, 3, True), "fours = false, which is now tr")],
)
def test_other_parameters_are_refused(tmp_path, other, reason):
    path = tmp_path / "run.sqlite"
    with BoardRun(3, 3, path=path):
        pass
    with pytest.raises(RunError, match=reason):
        BoardRun(*other[:2], fours=other[2], path=path, resume=True)


def test_another_version_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "run.sqlite"
    with Run(path, {}, 1):
        pass
    monkeypatch.setattr("linkoracle.batch.runs.version", lambda _: "99")
    with pytest.raises(RunError, match=r'begun with version = ".*", which is now "99"'):
        Run(path, {}, 1, resume=True)


def test_files_that_are_no_run(tmp_path):
    text, database = tmp_path / "notes.txt", tmp_path / "other.sqlite"
    text.write_text("these are notes, and more than a few of them " * 20)
    with sqlite3.connect(database) as file:
        file.execute("CREATE TABLE cheese (name TEXT)")
    file.close()
    for path in (text, database):
        with pytest.raises(RunError, match=": not a run of linkoracle"):
            Run(path, {}, 1, resume=True)
    assert text.read_text().startswith("these are notes")
    with pytest.raises(RunError, match="Resume that run"):
        Run(text, {}, 1)
    with pytest.raises(OSError, match="cannot write: there is no folder"):
        Run(tmp_path / "absent" / "run.sqlite", {}, 1)


def test_a_run_in_use_is_refused(tmp_path):
    path = tmp_path / "run.sqlite"
    with Run(path, {}, 1), pytest.raises(RunError, match="in use"):
        Run(path, {}, 1, resume=True)


def test_a_process_that_dies_is_reported(tmp_path):
    with Run(tmp_path / "run.sqlite", {}, 4) as run:
        with Processes(2) as executor, pytest.raises(RunError, match="resume the run"):
            run.work(kill_the_worker, executor=executor)
        assert set(run.results()) <= {0, 1, 2}


def test_a_unit_is_written_once():
    with Run(None, {}, 2) as run:
        run.finish(0, 1.0, {"count": 10**30})
        with pytest.raises(RunError, match="unit 0 is stored already"):
            run.finish(0, 1.0, {"count": 1})
        assert run.results() == [{"count": 10**30}]
        assert run.estimate() == "1 of 2 units, about 1 s left"
        assert run.estimate(workers=2) == "1 of 2 units, about 0 s left"


def test_estimates_in_readable_units():
    with Run(None, {}, 10_001) as run:
        run.finish(0, 0.5, 0)
        assert run.estimate().endswith("about 83 min left")
        run.finish(1, 9.5, 0)
        assert run.estimate().endswith("about 13.9 h left")
