"""Jobs of the tests, which other processes must be able to import."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from linkoracle.batch import Processes, ordered


def square(number: int) -> int:
    return number * number


def slow_square(number: int) -> int:
    time.sleep(0.02)
    return number * number


def late_square(number: int) -> int:
    """The first ones take longest."""
    time.sleep(0.05 if number % 4 == 0 else 0.0)
    return number * number


def fail_on_multiples_of_5(number: int) -> int:
    if number % 5 == 0 and number:
        raise ValueError(f"{number} is bad")
    # The error of 10 is there before that of 5.
    time.sleep(0.1 if number < 5 else 0.0)
    return number


def kill_the_worker_once(job: tuple[str, int]) -> int:
    marker, number = job
    if number == 7 and not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def kill_the_worker(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def note_and_square(job: tuple[str, int]) -> int:
    """Leave a line when a job is begun and when it has ended; appending one is atomic."""
    log, number = job
    for what in ("begun", "ended"):
        with open(log, "a") as file:  # noqa: PTH123
            file.write(f"{what} {number} {os.getpid()}\n")
        time.sleep(0.05 if what == "begun" else 0)
    return number * number


def meet(job: tuple[str, int]) -> int:
    """Wait in a folder until so many processes are there."""
    folder, most = Path(job[0]), job[1]
    (folder / str(os.getpid())).touch()
    while len(list(folder.iterdir())) < most:
        time.sleep(0.01)
    return os.getpid()


def own_pid(_: int) -> int:
    time.sleep(0.05)
    return os.getpid()


def sleep(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def squares_by_workers(number: int) -> list[tuple[int, int]]:
    """Squares, each with the process that computed it, by workers of this process."""
    with Processes(2) as executor:
        return list(ordered(executor, square_here, range(number)))


def square_here(number: int) -> tuple[int, int]:
    return number * number, os.getpid()
