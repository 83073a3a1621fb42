"""`ordered` and `finished`: the same on every executor, whatever happens to workers."""

from __future__ import annotations

from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import count, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle.batch import RETRIES, Processes, Serial, finished, ordered
from linkoracle.core import WorkersLost
from tests.batch import jobs


class Shuffled(Executor):
    """Answers when it is waited for, out of order, and loses some jobs first."""

    def __init__(self, losses: set[int] = frozenset(), *, answered: int = -1) -> None:
        self.losses = losses
        self.answered = answered
        self.submitted = 0
        self.done = 0
        self.waiting: list[tuple[Future, object, object]] = []

    def submit(self, fn, /, *args):
        future: Future = Future()
        self.waiting.append((future, fn, args))
        self.submitted += 1
        return future

    def check(self):
        """Called while somebody waits: the latest job, or another one, is answered."""
        future, fn, args = self.waiting.pop(self.answered)
        self.done += 1
        if future.cancelled():
            return
        if self.done in self.losses:
            future.cancel()
            future.set_running_or_notify_cancel()
        else:
            future.set_result(fn(*args))


@pytest.fixture(scope="module")
def processes():
    with Processes(2) as executor:
        yield executor


@pytest.fixture(autouse=True)
def quick_ticks(monkeypatch):
    monkeypatch.setattr("linkoracle.batch._TICK", 0.0005)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 30), st.integers(1, 40), st.sets(st.integers(1, 40), max_size=3))
def test_any_window_gives_the_order_of_the_jobs(number, window, losses):
    executor = Shuffled(losses)
    assert list(ordered(executor, jobs.square, range(number), window=window)) == [
        n * n for n in range(number)
    ]
    assert number <= executor.submitted <= number + len(losses)
    executor = Shuffled(losses)
    found = list(finished(executor, jobs.square, range(number), window=window))
    assert sorted(found) == [(n, n * n) for n in range(number)]


@pytest.mark.parametrize("window", [1, 2, 3, 50, None])
def test_executors_agree(processes, window):
    expected = [n * n for n in range(20)]
    with ThreadPoolExecutor(3) as threads:
        for executor in (Serial(), threads, processes):
            assert list(ordered(executor, jobs.late_square, range(20), window=window)) == expected


def test_at_most_a_window_is_in_flight():
    drawn = []

    def numbers():
        for number in count():
            drawn.append(number)
            yield number

    executor = Shuffled(answered=0)
    squares = ordered(executor, jobs.square, numbers(), window=5)
    for number, square in enumerate(islice(squares, 50)):
        assert square == number * number
        assert len(drawn) <= number + 5
    squares.close()
    assert len(executor.waiting) == 4
    assert all(future.cancelled() for future, _, _ in executor.waiting)


def test_in_this_process_nothing_is_done_ahead():
    begun = []
    squares = ordered(Serial(), begun.append, count(), window=10)
    for number in range(5):
        next(squares)
        assert begun == list(range(number + 1))


def test_errors_come_in_their_turn(processes):
    for executor in (Serial(), processes):
        results = ordered(executor, jobs.fail_on_multiples_of_5, range(20))
        assert list(islice(results, 5)) == [0, 1, 2, 3, 4]
        with pytest.raises(ValueError, match="5 is bad"):
            next(results)
        assert list(results) == []


def test_a_killed_worker_loses_nothing(tmp_path):
    with Processes(2) as executor:
        numbered = [(str(tmp_path / "first"), n) for n in range(30)]
        assert list(ordered(executor, jobs.kill_the_worker_once, numbered)) == [
            n * n for n in range(30)
        ]
        assert (tmp_path / "first").exists()
        numbered = [(str(tmp_path / "second"), n) for n in range(30)]
        found = list(finished(executor, jobs.kill_the_worker_once, numbered, window=4))
        assert sorted(found) == [(job, job[1] ** 2) for job in numbered]


def test_a_job_that_kills_every_worker_is_given_up():
    with Processes(2) as executor:
        results = ordered(executor, jobs.kill_the_worker, range(9), window=2)
        assert list(islice(results, 3)) == [0, 1, 2]
        with pytest.raises(WorkersLost, match=f"lost {RETRIES + 1} times"):
            next(results)


def test_a_pool_that_stays_broken_is_no_endless_loop():
    with ProcessPoolExecutor(1) as pool, pytest.raises(Exception, match=r"(?i)process"):
        list(ordered(pool, jobs.kill_the_worker, range(9)))


def test_waiting_is_called(processes):
    ticks = []
    found = ordered(processes, jobs.sleep, [0.2], waiting=lambda: ticks.append(1))
    assert list(found) == [0.2]
    assert ticks


def test_windows_are_checked_at_once():
    with pytest.raises(ValueError, match="a window of jobs from 1, got 0"):
        ordered(Serial(), jobs.square, [], window=0)
    with pytest.raises(ValueError, match="a window of jobs from 1, got -1"):
        finished(Serial(), jobs.square, [], window=-1)
