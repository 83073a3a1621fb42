"""`Cluster`, on a scheduler and workers in processes of their own."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner

import linkoracle
from linkoracle.batch import Cluster, finished, ordered
from linkoracle.cli.main import main
from linkoracle.core import WorkersLost
from linkoracle.frontier import count
from linkoracle.generate import slitherlinks
from tests.batch import jobs
from tests.workers import WAIT_SECONDS, Program, program, wait_for, wait_until

ROOT = Path(__file__).resolve().parents[2]


def started(module: str, *arguments: str) -> Program:
    return Program(
        [sys.executable, "-m", f"distributed.cli.{module}", "--host", "127.0.0.1", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # Where `tests.batch.jobs` can be imported.
        cwd=ROOT,
    )


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    """The address of a scheduler, and its process."""
    file = tmp_path_factory.mktemp("scheduler") / "scheduler.json"
    with started(
        "dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)
    ) as process:

        def address() -> str:
            try:
                return json.loads(file.read_text())["address"]
            except (OSError, ValueError):
                return ""

        wait_for(process, address)
        yield address(), process
        process.kill()


@pytest.fixture
def workers(scheduler, running):
    """Two workers; those that a test before has left go on."""
    address, _ = scheduler
    options = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
    running += [started("dask_worker", address, *options) for _ in range(2 - len(running))]
    yield running
    running[:] = [worker for worker in running if worker.poll() is None]


@pytest.fixture(scope="module")
def running():
    workers: list[Program] = []
    yield workers
    for worker in workers:
        worker.kill()
        worker.wait()


def both_there(cluster: Cluster) -> None:
    wait_until(lambda: cluster.workers == 2)


def lines(log: Path) -> list[str]:
    return log.read_text().splitlines()


def caught_at_work(worker: Program, log: Path) -> bool:
    """Stop a worker; let it go on if it is not in the middle of a job."""
    worker.send_signal(signal.SIGSTOP)
    mine = [line for line in lines(log) if line.endswith(f" {worker.pid}")]
    if mine and mine[-1].startswith("begun"):
        return True
    worker.send_signal(signal.SIGCONT)
    return False


def test_a_scheduler_without_workers(scheduler):
    """As it is until a test asks for workers."""
    address, _ = scheduler
    with pytest.raises(WorkersLost, match=f"the Dask scheduler at {address} has no workers"):
        Cluster(address, timeout=0.5)


def test_a_count_goes_on_when_a_worker_is_killed(scheduler, workers, tmp_path):
    """Passes over a blank board: each prime once."""
    address, _ = scheduler
    store = tmp_path / "run.sqlite"
    board = linkoracle.Slitherlink.blank(14, 14)
    messages: list[str] = []

    def killing(line: str, share: float | None) -> None:
        messages.append(line)
        # One pass is finished; both workers are in the middle of another one.
        workers[0].kill()

    with Cluster(address, timeout=WAIT_SECONDS) as cluster:
        both_there(cluster)
        found = count(board, executor=cluster, store=store, progress=killing)
        assert cluster.workers == 1
    assert found == count(board)
    with sqlite3.connect(store) as file:
        units = [number for (number,) in file.execute("SELECT number FROM unit")]
    assert sorted(units) == list(range(len(units)))
    assert messages[-1].startswith(f"{len(units)} of {len(units)} units")
    alone = CliRunner().invoke(main, ["loops", "11", "11", "--dask", address])
    assert (alone.exit_code, alone.output) == (0, "109331355810135629946698361371\n")


def test_a_killed_worker_loses_nothing_and_doubles_nothing(scheduler, workers, tmp_path):
    """The last test of this scheduler, which is killed, too."""
    address, scheduler_process = scheduler
    log = tmp_path / "begun"
    pairs = [(str(log), number) for number in range(60)]
    expected = [number * number for number in range(60)]
    with Cluster(address, timeout=WAIT_SECONDS) as cluster:
        both_there(cluster)
        found = []
        for square in ordered(cluster, jobs.note_and_square, pairs):
            found.append(square)
            if len(found) == 10:
                wait_until(lambda: caught_at_work(workers[0], log))
                workers[0].kill()
        assert found == expected
        assert cluster.workers == 1
        # It was killed in the middle: some jobs were begun again, none was left out.
        begun = Counter(int(line.split()[1]) for line in lines(log) if line.startswith("begun"))
        assert set(begun) == set(range(60))
        assert sum(begun.values()) > 60
        pairs = list(finished(cluster, jobs.square, range(30)))
        assert sorted(pairs) == [(number, number * number) for number in range(30)]
        with pytest.raises(ValueError, match="5 is bad"):
            list(ordered(cluster, jobs.fail_on_multiples_of_5, range(20)))

    for command in ("generate slitherlink 6 6 --count 6 --seed 4", "census board 3 3"):
        alone = CliRunner().invoke(main, command.split())
        together = CliRunner().invoke(main, [*command.split(), "--dask", address])
        assert (together.exit_code, together.output) == (0, alone.output)

    code, errors, boards = ended(tmp_path, address, lambda it: it.send_signal(signal.SIGINT))
    where = tmp_path / "puzzles.txt"
    assert code == 130
    assert errors == f"interrupted: {boards} puzzles of 100000 written to {where}\n"
    code, errors, _ = ended(tmp_path, address, lambda _: scheduler_process.kill())
    assert code == 2
    assert errors == f"error: the Dask scheduler at {address} is gone\n"


def ended(folder: Path, address: str, end: Callable[[Program], None]) -> tuple[int, str, int]:
    """Status, errors and number of puzzles of a program that is ended in the middle."""
    file = folder / "puzzles.txt"
    file.unlink(missing_ok=True)
    command = f"generate slitherlink 7 7 --seed 0 --count 100000 --dask {address} -o"
    with program(command, file) as process:
        wait_for(process, lambda: file.exists() and file.read_text().count("\n\n") > 3)
        end(process)
        _, errors = process.communicate(timeout=WAIT_SECONDS)
    boards = [entry.puzzle for entry in linkoracle.read_all(file)]
    assert boards == [made.puzzle for made in islice(slitherlinks(7, 7, seed=0), len(boards))]
    return process.returncode, errors, len(boards)


@pytest.mark.parametrize("address", ["nowhere", "tcp://127.0.0.1", "what://127.0.0.1:1"])
def test_addresses_that_are_none(address):
    with pytest.raises(WorkersLost, match=f"no Dask scheduler at {address}: "):
        Cluster(address)


def test_nobody_at_the_address():
    with pytest.raises(WorkersLost, match="no Dask scheduler at tcp://"):
        Cluster("tcp://127.0.0.1:1", timeout=0.5)
