"""`Processes`: begin late, end at once, leave nobody behind."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from concurrent.futures import Future, ProcessPoolExecutor

import pytest

from linkoracle.batch import MAX_WORKERS, Processes, ordered
from tests.batch import jobs
from tests.workers import WAIT_SECONDS


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_workers_are_gone_afterwards_though_they_were_busy(tmp_path):
    with Processes(2) as executor:
        workers = set(ordered(executor, jobs.meet, [(str(tmp_path), 2)] * 8))
        assert os.getpid() not in workers
        assert len(workers) == 2
        busy = [executor.submit(jobs.sleep, 10 * WAIT_SECONDS) for _ in range(5)]
        left = time.monotonic()
    assert time.monotonic() - left < WAIT_SECONDS
    assert not any(alive(worker) for worker in workers)
    assert all(future.cancelled() or future.exception() for future in busy if future.done())
    assert multiprocessing.active_children() == []


def test_serial_seconds_save_the_start_of_workers():
    with Processes(2, serial_seconds=60) as executor:
        assert set(ordered(executor, jobs.own_pid, range(4))) == {os.getpid()}
    with Processes(2, serial_seconds=0.04) as executor:
        first, *others = ordered(executor, jobs.own_pid, range(4))
    assert first == os.getpid()
    assert os.getpid() not in others


def test_a_daemonic_process_does_all_work_itself():
    """As a task of Celery: such a process may start no others."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        own = pool.apply(jobs.own_pid, (0,))
        assert pool.apply(jobs.squares_by_workers, (4,)) == [(n * n, own) for n in range(4)]


def test_submitted_work_is_done_when_shutdown_waits():
    executor = Processes(1)
    futures = [executor.submit(jobs.square, number) for number in range(3)]
    executor.shutdown()
    assert [future.result() for future in futures] == [0, 1, 4]
    with pytest.raises(RuntimeError, match="after shutdown"):
        executor.submit(jobs.square, 3)


def test_ctrl_c_waits_until_a_worker_has_started(monkeypatch):
    submit = ProcessPoolExecutor.submit

    def interrupted(self, *arguments):
        os.kill(os.getpid(), signal.SIGINT)
        future = submit(self, *arguments)
        seen.append(future)
        return future

    seen: list[Future] = []
    monkeypatch.setattr(ProcessPoolExecutor, "submit", interrupted)
    with Processes(1) as executor:
        with pytest.raises(KeyboardInterrupt):
            executor.submit(jobs.square, 3)
        assert seen[0].result() == 9
        monkeypatch.undo()
        assert executor.submit(jobs.square, 4).result() == 16
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("workers", [0, -1, 1.5, MAX_WORKERS + 1, 10**20])
def test_numbers_of_workers_that_make_no_sense_are_refused_at_the_door(workers):
    with pytest.raises(ValueError, match=f"workers from 1 to {MAX_WORKERS}, got {workers}"):
        Processes(workers)
