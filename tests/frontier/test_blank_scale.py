"""Counts with ranks in other processes and in files: the same numbers, and nothing done twice."""

from __future__ import annotations

import re
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import Slitherlink, boards
from linkoracle.batch import Processes, Serial
from linkoracle.board import Lattice, LinkModel
from linkoracle.core import MemoryLimit, RunError, SearchTimeout, shown_size
from linkoracle.frontier import blank_board, by_length, count, moduli
from linkoracle.frontier.blank import units as units_module
from linkoracle.frontier.blank.board import BlankBoard
from linkoracle.frontier.blank.passes import BlankPass, Row, Tables, in_folder
from tests.frontier import reference
from tests.frontier.test_blank_counts import NEVER, PRIME, blank_models, residue
from tests.workers import WAIT_SECONDS, Program

LOOPS = LinkModel.blank_loop(Lattice(11, 11))


def units(store: Path) -> list[int]:
    """The numbers of the finished units."""
    with sqlite3.connect(store) as file:
        return [number for (number,) in file.execute("SELECT number FROM unit ORDER BY number")]


# ---- rows ----------------------------------------------------------------------------------------


@given(blank_models(6), st.data())
@settings(max_examples=80, deadline=None)
def test_a_pass_goes_on_after_any_row(model: LinkModel, data: st.DataObject) -> None:
    board = blank_board(model)
    assert board is not None
    weight = data.draw(st.integers(0, 3), "weight")
    whole = residue(board, weight=weight)
    going = BlankPass(Tables(board, 1, 1 << 30, NEVER), PRIME, weight)
    for _ in range(data.draw(st.integers(0, board.height), "rows")):
        going.row(NEVER)
    reached = going.reached
    words = memoryview(bytearray(reached.words)).cast("Q")
    copied = Row(reached.rows, reached.labels, reached.answer, words)
    again = BlankPass(Tables(board, 1, 1 << 30, NEVER), PRIME, weight, copied)
    while again.rows < board.height:
        again.row(NEVER)
    assert again.answer == whole


class Stopped(Exception):
    pass


@pytest.fixture
def every_row(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Each row is kept; what is returned gets an entry for each row that is done."""
    monkeypatch.setattr(units_module, "_EVERY_SECONDS", 0.0)
    monkeypatch.setattr(units_module, "_RATIO", 0)
    done: list[int] = []
    row = BlankPass.row

    def noted(going: BlankPass, *arguments) -> None:
        row(going, *arguments)
        done.append(going.prime)

    monkeypatch.setattr(BlankPass, "row", noted)
    return done


@pytest.mark.parametrize("ends", [[], [0, 120], [13, 76]])
@pytest.mark.parametrize("stop", [0.1, 0.55, 0.95])
def test_nothing_is_done_twice(tmp_path, every_row, ends, stop) -> None:
    lattice = Lattice(11, 11)
    model = LinkModel.blank_paths(lattice, [ends]) if ends else LOOPS
    expected = count(model)
    whole = len(every_row)
    every_row.clear()

    def stopping(line: str, share: float | None) -> None:
        if share is not None and share >= stop:
            raise Stopped

    store = tmp_path / "run.sqlite"
    with pytest.raises(Stopped):
        count(model, store=store, progress=stopping)
    before = len(every_row)
    assert 0 < before < whole
    assert [path.name for path in tmp_path.iterdir() if path != store] in (
        [f"run.sqlite.pass{len(units(store))}"],
        [],
    )
    assert count(model, store=store, resume=True) == expected
    assert len(every_row) == whole
    assert units(store) == list(range(len(moduli(blank_board(model)))))
    assert list(tmp_path.iterdir()) == [store]
    # It is all there.
    assert count(model, store=store, resume=True) == expected
    assert len(every_row) == whole


def test_a_changed_row_is_refused(tmp_path, every_row) -> None:
    store = tmp_path / "run.sqlite"

    def third(line: str, share: float | None) -> None:
        if "step 3" in line:
            raise Stopped

    with pytest.raises(Stopped):
        count(LOOPS, store=store, progress=third)
    file = tmp_path / "run.sqlite.pass0"
    sound = file.read_bytes()
    # In the numbers, and cut off.
    for place in (len(sound) // 3, len(sound) // 2, None):
        changed = sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1 :] if place else b""
        file.write_bytes(changed or sound[:-1000])
        with pytest.raises(RunError, match=r"run.sqlite.pass0: (not a run|.*was changed)"):
            count(LOOPS, store=store, resume=True)
    file.write_bytes(sound)
    assert count(LOOPS, store=store, resume=True) == reference.LOOPS[10, 10]


# ---- executors -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["serial", "threads", "processes", "pool"])
def test_any_executor_gives_the_same(tmp_path, name: str) -> None:
    executors: dict[str, AbstractContextManager[Executor]] = {
        "serial": nullcontext(Serial()),
        "threads": ThreadPoolExecutor(3),
        "processes": Processes(2),
        "pool": ProcessPoolExecutor(2, get_context("spawn")),
    }
    reported: list[float] = []
    with executors[name] as executor:
        store = tmp_path / "run.sqlite"
        found = count(
            LOOPS,
            executor=executor,
            store=store,
            timeout=WAIT_SECONDS,
            progress=lambda _, share: reported.append(share or 0),
        )
        assert found == reference.LOOPS[10, 10]
        assert units(store) == list(range(len(moduli(BlankBoard(11, 11)))))
        assert reported == sorted(reported)
        assert reported[-1] == 1
        small = LinkModel.blank_loop(Lattice(5, 5))
        lengths = dict(zip(range(4, 26, 2), reference.CYCLES_BY_LENGTH[5], strict=True))
        assert by_length(small, executor=executor) == lengths


def test_lengths_are_kept(tmp_path) -> None:
    store = tmp_path / "run.sqlite"
    expected = by_length(LOOPS)

    def stopping(line: str, share: float | None) -> None:
        if len(line) and share and share > 0.5:
            raise Stopped

    with pytest.raises(Stopped):
        by_length(LOOPS, store=store, progress=stopping)
    before = units(store)
    assert 20 < len(before) < 64
    assert by_length(LOOPS, store=store, resume=True) == expected
    assert len(units(store)) >= 64


def test_limits_hold_in_workers() -> None:
    wide = LinkModel.blank_loop(Lattice(19, 19))
    with Processes(2) as executor:
        with pytest.raises(MemoryLimit, match="18x18 cells needs"):
            count(wide, executor=executor, memory=100_000_000)
        started = time.monotonic()
        with pytest.raises(SearchTimeout):
            count(wide, executor=executor, timeout=0.3)
        # All of it takes an hour.
        assert time.monotonic() - started < WAIT_SECONDS


COUNTING = """
import sys
from contextlib import nullcontext
from pathlib import Path
from linkoracle import Slitherlink
from linkoracle.batch import Processes
from linkoracle.frontier import count

def reported(line, _):
    print(line, flush=True)
    if line.startswith("2 of "):
        # Until the program is ended, or at once if nobody is there.
        sys.stdin.read()

if __name__ == "__main__":
    jobs = int(sys.argv[2])
    with Processes(jobs) if jobs > 1 else nullcontext() as executor:
        options = {"executor": executor, "store": Path(sys.argv[1]), "resume": True}
        board = Slitherlink.blank(14, 14)
        print("=", count(board, progress=reported, **options))
"""


@cache
def loops_of_14() -> int:
    return count(Slitherlink.blank(14, 14))


@pytest.mark.parametrize(
    ("number", "jobs"),
    [
        (signal.SIGKILL, 1),
        (signal.SIGINT, 2),
        pytest.param(signal.SIGINT, 1, marks=pytest.mark.heavy),
        pytest.param(signal.SIGKILL, 2, marks=pytest.mark.heavy),
    ],
)
def test_an_ended_program_leaves_a_good_store(tmp_path, number, jobs) -> None:
    store, program = tmp_path / "run.sqlite", tmp_path / "program.py"
    program.write_text(COUNTING)
    command = [sys.executable, str(program), str(store), str(jobs)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with Program(command, text=True, **pipes) as running:
        assert running.stdout is not None
        for line in running.stdout:
            if line.startswith("2 of "):
                break
        running.send_signal(number)
        running.stdout.read()
    assert running.returncode == -number
    before = units(store)
    whole = len(moduli(BlankBoard(15, 15)))
    assert 2 <= len(before) < whole
    alone = {"stdin": subprocess.DEVNULL, "capture_output": True}
    done = subprocess.run(command, text=True, check=True, **alone)
    assert f"= {loops_of_14()}" in done.stdout
    assert units(store) == list(range(whole))


# ---- stores that are refused ---------------------------------------------------------------------


def test_another_store_is_refused(tmp_path, monkeypatch) -> None:
    store = tmp_path / "run.sqlite"
    count(LOOPS, store=store)
    with pytest.raises(RunError, match=r"exists\. Resume that run"):
        count(LOOPS, store=store)
    lattice = LOOPS.lattice
    for other, reason in (
        (LinkModel.blank_loop(Lattice(11, 12)), "vertices = '.*', which is now"),
        (LinkModel.blank_paths(lattice, [(0, 120)]), "ends = '.*', which is now"),
        (LinkModel.blank_paths(lattice, [(0, 120)], cover=True), "cover = false, which is now"),
    ):
        with pytest.raises(RunError, match=reason):
            count(other, store=store, resume=True)
    with pytest.raises(RunError, match=r"asked = \S+solutions\S+, which is now \S+lengths"):
        by_length(LOOPS, store=store, resume=True)
    with monkeypatch.context() as patch:
        patch.setattr("linkoracle.batch.runs.version", lambda _: "99")
        with pytest.raises(RunError, match="version"):
            count(LOOPS, store=store, resume=True)
    (tmp_path / "other").write_text("no run")
    with pytest.raises(RunError, match=": not a run"):
        count(LOOPS, store=tmp_path / "other", resume=True)


def test_only_blank_boards_have_passes_to_share(tmp_path) -> None:
    clued = Slitherlink([[3, None], [None, None]])
    stars = LinkModel.blank_loop(boards.kagome(3, 3))
    for narrow in (clued, LinkModel.blank_loop(Lattice(2, 5)), stars):
        for options in ({"store": tmp_path / "x"}, {"spill": tmp_path}, {"executor": Serial()}):
            for function in (count, by_length):
                with pytest.raises(ValueError, match="expected a blank board of 3 to 31 vertices"):
                    function(narrow, **options)
    with pytest.raises(ValueError, match="a store to resume from"):
        count(LOOPS, resume=True)


# ---- numbers in files ----------------------------------------------------------------------------


@pytest.mark.parametrize("ends", [[], [0, 120], [13, 76]])
def test_numbers_in_files_are_the_same(tmp_path, ends, every_row) -> None:
    model = LinkModel.blank_paths(LOOPS.lattice, [ends]) if ends else LOOPS
    spill = tmp_path / "spill"
    spill.mkdir()
    store = tmp_path / "run.sqlite"
    expected = count(model)
    board = blank_board(model)
    assert board is not None
    room = board.bytes // 2 if not ends else board.bytes - 1
    with pytest.raises(MemoryLimit, match=rf"\(limit: {re.escape(shown_size(room))}\)"):
        count(model, memory=room)

    def stopping(line: str, share: float | None) -> None:
        if share and share > 0.6:
            raise Stopped

    with pytest.raises(Stopped):
        count(model, memory=4_000_000, spill=spill, store=store, progress=stopping)
    assert count(model, memory=4_000_000, spill=spill, store=store, resume=True) == expected
    assert list(spill.iterdir()) == []


LIMITED = """
import resource, sys
from pathlib import Path
from linkoracle.core.limits import Deadline
from linkoracle.frontier.blank.board import BlankBoard
from linkoracle.frontier.blank.counting import Residue, Runner
from linkoracle.frontier.running import finished

status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
used = int(status["VmData"].split()[0]) << 10
resource.setrlimit(resource.RLIMIT_DATA, (used + (6 << 20),) * 2)
board = BlankBoard(16, 16)
assert board.bytes > 8 << 20
spill = Path(sys.argv[2]) if len(sys.argv) > 2 else None
runner = Runner(board, threads=1, spill=spill)
print(*finished(runner.residues([Residue(board, int(sys.argv[1]))])))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_a_board_larger_than_the_memory(tmp_path) -> None:
    """The system itself refuses more memory than the numbers would take."""
    command = [sys.executable, "-c", LIMITED, str(PRIME)]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "MemoryError" in refused.stderr
    done = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True, check=True)
    assert int(done.stdout) == residue(BlankBoard(16, 16))


def test_a_folder_without_room(tmp_path) -> None:
    with pytest.raises(OSError, match=rf"cannot keep 80 bytes: No .*{tmp_path}/none"):
        in_folder(tmp_path / "none", 10)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, before[1]))
        with pytest.raises(OSError, match="cannot keep 8388608 bytes"):
            in_folder(tmp_path, 1 << 20)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert list(tmp_path.iterdir()) == []
