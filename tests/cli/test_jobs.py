"""`--jobs` and `--dask`: the same output, whoever does the work."""

from __future__ import annotations

import json
import os
import pickle
import pty
import signal
import sys
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner

import linkoracle
from linkoracle.cli.count_solutions import _Counting
from linkoracle.cli.main import main
from linkoracle.cli.work import Settings
from linkoracle.generate import numberlinks, slitherlinks
from tests.workers import WAIT_SECONDS, Program, alive, children, program, wait_until

heavy = pytest.mark.heavy
INSTANCES = Path(__file__).resolve().parents[2] / "instances"
NAMES = ["slitherlink-4x4", "slitherlink-none", "slitherlink-10x10-several", "numberlink-5x5"]
FILES = [str(INSTANCES / f"{name}.txt") for name in NAMES]

COMMANDS = {
    name: tuple(command.split())
    for name, command in {
        "slitherlink": "generate slitherlink 6 6 --count 7 --seed 5",
        "easy": "generate slitherlink 5 5 --seed 0 --count 4 --difficulty easy --format json",
        "fewest": "generate slitherlink 4 4 --seed 0 --count 3 --fewest",
        "repeats": "generate slitherlink 2 2 --seed 0 --count 9",
        "numberlink": "generate numberlink 6 6 --seed 0 --count 5 --format pzpr",
        "runs out": "generate numberlink 2 2 --seed 0 --min-length 2 --count 5",
        "no mercy": "generate slitherlink 5 5 --seed 0 --count 3 --clues 1 --tries 3",
    }.items()
} | {
    "count": ("count", "--limit", "5", "--show", *FILES),
    "unique": ("count", "--unique", *FILES),
    "grade": ("grade", *FILES[:2]),
}


def run(*arguments: str):
    return CliRunner().invoke(main, arguments)


def test_without_jobs_the_output_is_the_same():
    for name in ("slitherlink", "count"):
        assert run(*COMMANDS[name]).stdout == run(*COMMANDS[name], "--jobs", "1").stdout


@pytest.mark.parametrize(
    ("name", "processes"),
    [
        pytest.param(name, 2, marks=[heavy] * (name in ("easy", "fewest", "no mercy", "unique")))
        for name in COMMANDS
    ]
    + [pytest.param(name, 3, marks=heavy) for name in ("slitherlink", "count")],
)
def test_the_output_does_not_depend_on_the_jobs(name, processes):
    command = COMMANDS[name]
    expected = run(*command, "--jobs", "1")
    assert expected.output
    found = run(*command, "--jobs", str(processes))
    assert (found.stdout, found.stderr) == (expected.stdout, expected.stderr)
    assert found.exit_code == expected.exit_code


def test_a_mask_in_processes(tmp_path):
    mask = tmp_path / "mask.txt"
    mask.write_text("#####\n#...#\n#...#\n#...#\n#####\n")
    command = (
        *["generate", "slitherlink", "5", "5", "--seed", "0", "--count", "3", "--mask"],
        str(mask),
    )
    alone, together = run(*command, "--jobs", "1"), run(*command, "--jobs", "2")
    assert alone.exit_code == 0
    assert (together.exit_code, together.stdout) == (0, alone.stdout)


def test_limits_are_for_each_puzzle():
    hard = "numberlink 10 10\n" + "\n".join([".........."] * 10) + "\n"
    hard = hard.replace("numberlink 10 10\n..", "numberlink\n1.").replace("..\n", ".1\n", 1)
    for jobs in ("1", "2"):
        asked = ("count", "--engine", "sat", "--timeout", "2", "--jobs", jobs)
        found = CliRunner().invoke(main, [*asked, FILES[0], "-", FILES[3]], input=hard)
        assert found.stdout == f"{FILES[0]}: 1\n<stdin>: timeout\n{FILES[3]}: 1\n"
        assert found.stderr.startswith("error: <stdin>: no answer within 2 s (")
        assert found.exit_code == 3


def test_bad_input_is_found_before_anything_starts(tmp_path):
    bad = tmp_path / "bad.txt"
    bad.write_text("slitherlink\n7\n")
    found = run("count", "--jobs", "2", FILES[0], str(bad))
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr == f"error: {bad}:2:1: expected a clue from 0 to 4 or '?', found 7\n"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--jobs", "0"), "expected a whole number from 1 to 1024, found '0'"),
        (("--jobs", "9" * 20), "expected a whole number from 1 to 1024"),
        (("--jobs", "2", "--dask", "tcp://127.0.0.1:1"), "does not go with --dask"),
        (("--dask", "nowhere"), "error: no Dask scheduler at nowhere: "),
    ],
)
@pytest.mark.parametrize(
    "command",
    [("count", FILES[0]), ("grade", FILES[0]), ("generate", "numberlink", "5", "5", "--seed", "0")],
)
def test_wrong_options_are_one_line(command, arguments, reason):
    found = run(*command, *arguments)
    assert found.exit_code == 2
    assert reason in found.stderr
    assert found.stdout == ""
    assert "Traceback" not in found.output
    assert len(found.stderr.splitlines()) == 1


def test_without_the_extra_dask(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    found = run("grade", "--dask", "tcp://127.0.0.1:1", *FILES)
    assert found.exit_code == 2
    said = "workers of a Dask cluster need more packages: pip install 'linkoracle[dask]'"
    assert found.stderr == f"error: {said}\n"


def test_any_executor_makes_the_same_puzzles():
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(3) as threads:
        for run_of in (slitherlinks, numberlinks):
            alone = list(islice(run_of(5, 5, seed=9), 6))
            reports = []
            together = run_of(
                5,
                5,
                seed=9,
                limit=6,
                executor=threads,
                progress=lambda *how, reports=reports: reports.append(how),
            )
            assert list(together) == alone
            line, share = reports[-1]
            assert int(line.split()[0]) >= sum(made.tried for made in alone)
            assert share == 5 / 6


def test_processes_share_what_is_free(monkeypatch):
    monkeypatch.setattr("linkoracle.cli.work.default_limit", lambda: 900)
    for asked, processes, memory in ((None, 3, 300), (700, 3, 700), (None, None, None)):
        sent = pickle.loads(pickle.dumps(_Counting(Settings(memory=asked), processes)))
        assert sent.settings == Settings(memory=memory)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs Linux")
@pytest.mark.parametrize("signal_sent", [signal.SIGINT, signal.SIGKILL])
def test_an_end_from_outside_leaves_whole_puzzles_and_no_workers(tmp_path, signal_sent):
    file = tmp_path / "puzzles.txt"
    command = "generate slitherlink 8 8 --seed 0 --count 100000 --jobs 2 -o"
    # A group of its own, to which a terminal would send Ctrl-C.
    with program(command, file, start_new_session=True) as process:
        wait_until(lambda: file.exists() and file.read_text().count("\n\n") > 3)
        workers = children(process.pid)
        assert len(workers) >= 2
        if signal_sent == signal.SIGINT:
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.kill()
        _, errors = process.communicate(timeout=WAIT_SECONDS)
    wait_until(lambda: not any(alive(worker) for worker in workers))
    boards = [entry.puzzle for entry in linkoracle.read_all(file)]
    assert boards == [made.puzzle for made in islice(slitherlinks(8, 8, seed=0), len(boards))]
    if signal_sent == signal.SIGINT:
        reports = f"interrupted: {len(boards)} puzzles of 100000 written to {file}\n"
        assert (process.returncode, errors) == (130, reports)


def test_a_bar_over_many_puzzles(tmp_path):
    """On a terminal for standard error, with standard output in a file."""
    ours, theirs = pty.openpty()
    slow = tmp_path / "slow.txt"
    slow.write_text("slitherlink\n" + "\n".join(["." * 25] * 24 + ["." * 24 + "1"]) + "\n")
    command = ["grade", "--max-depth", "3", *[str(slow)] * 2, "--jobs", "2", "--timeout", "2"]
    with (
        (tmp_path / "out").open("w") as out,
        Program(
            [sys.executable, "-m", "linkoracle", *command],
            stdout=out,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
        ) as process,
    ):
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 4096):
                shown += part
        except OSError:  # The other end is closed.
            pass
    os.close(ours)
    assert process.returncode == 3
    assert b"2 puzzles: 0 answered" in shown
    assert (tmp_path / "out").read_text().count("slow.txt") == 2


def test_grades_that_take_too_long_say_so():
    hard = "slitherlink\n" + "\n".join(["." * 25] * 24 + ["." * 24 + "1"]) + "\n"
    for more in (["--jobs", "1"], ["--jobs", "2", "--json"]):
        asked = ["grade", "--max-depth", "3", "--timeout", "2", *more, FILES[0], "-"]
        found = CliRunner().invoke(main, asked, input=hard)
        assert found.exit_code == 3
        assert found.stderr == "error: <stdin>: no answer within 2 s (no solution found so far)\n"
        if "--json" in more:
            every = [json.loads(line) for line in found.stdout.splitlines()]
            assert [one["status"] for one in every] == ["solved", "timeout"]
            assert every[0]["label"] == "easy"
        else:
            assert [line.split()[:2] for line in found.stdout.splitlines()] == [
                ["puzzle", "grade"],
                [FILES[0], "easy"],
                ["<stdin>", "timeout"],
            ]
