"""Workers: the newest question is answered, whatever happened to those before, or to a worker."""

from __future__ import annotations

import asyncio
import importlib
import os
import signal
import sys
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from linkoracle.studio import workers
from linkoracle.studio.limits import Limits
from linkoracle.studio.questions import Questions
from linkoracle.studio.workers import Worker, Workers
from tests.studio.asking import slitherlink
from tests.workers import PATIENCE

#: A board whose count takes longer than any test.
LONG = slitherlink(20, 20, {0: 3})
LIMITS = Limits(status=PATIENCE, count=10 * PATIENCE)
SHORT = slitherlink(2, 2, {0: 3, 1: 3})


class Heard:
    """A worker and all that it has told."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.told: list[tuple[int, dict[str, Any]]] = []

    def ask(self, number: int, question: object) -> None:
        self.worker.ask(question, lambda stage: self.told.append((number, stage)))

    async def wait(self, number: int, stage: str) -> dict[str, Any]:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            for asked, found in self.told:
                if (asked, found["stage"]) == (number, stage):
                    return found
            await asyncio.sleep(0.005)
        raise AssertionError(f"{stage} of {number} never came: {self.told}")


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """A worker that is slow, as on a busy machine, is not replaced."""
    monkeypatch.setattr(workers, "GRACE", PATIENCE)
    monkeypatch.setattr(workers, "_START", PATIENCE)


@asynccontextmanager
async def heard():
    worker = Worker(LIMITS)
    try:
        yield Heard(worker)
    finally:
        worker.end()


def in_loop(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    def run() -> None:
        # The driver of a browser that other tests have opened has a loop in this thread.
        with ThreadPoolExecutor(1) as other:
            other.submit(asyncio.run, test()).result()

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


class Sleeping:
    """Answers that last until they are interrupted; some hide that, as imports do."""

    def __init__(self, limits: Limits) -> None:
        pass

    def answer(self, question: Any, tell: Callable[[dict[str, Any]], None]) -> None:
        tell({"stage": "begun"})
        try:
            time.sleep(10 * PATIENCE)
        except KeyboardInterrupt as interrupt:
            if question == "hide":
                raise RuntimeError("an error in a class") from interrupt
            raise


@in_loop
async def test_one_interrupt_is_enough_also_right_after_another():
    with pytest.MonkeyPatch.context() as patch:
        # The next one never comes.
        patch.setattr(workers, "_NUDGE", 10 * PATIENCE)
        worker = Worker(answering=Sleeping)
        asked = Heard(worker)
        try:
            asked.ask(0, "hide")
            await asked.wait(0, "begun")
            first = worker.pid
            for number in range(1, 30):
                asked.ask(number, "hide" if number % 3 else "sleep")
                await asked.wait(number, "begun")
            assert worker.pid == first
        finally:
            worker.end()


class Importing(Sleeping):
    """Import the module in a folder, which takes a while, and tell how often that was begun."""

    def answer(self, question: Any, tell: Callable[[dict[str, Any]], None]) -> None:
        tell({"stage": "begun"})
        sys.path.insert(0, question)
        tell({"stage": "imported", "begun": importlib.import_module("slowly_imported").BEGUN})


def test_an_import_is_not_interrupted(tmp_path):
    (tmp_path / "slowly_imported.py").write_text(
        "import sys, time\nBEGUN = sys.begun = getattr(sys, 'begun', 0) + 1\ntime.sleep(0.5)\n"
    )

    @in_loop
    async def asked_twice() -> None:
        worker = Worker(answering=Importing)
        asked = Heard(worker)
        try:
            asked.ask(1, str(tmp_path))
            await asked.wait(1, "begun")
            asked.ask(2, str(tmp_path))
            await asked.wait(2, "imported")
        finally:
            worker.end()
        (told,) = [
            stage for number, stage in asked.told if (number, stage["stage"]) == (2, "imported")
        ]
        assert told["begun"] == 1

    asked_twice()


@in_loop
async def test_a_newer_question_cancels_the_older_at_once():
    async with heard() as asked:
        first = await at_work(asked)
        await asked_and_done(asked, 2)
        assert asked.worker.pid == first
        assert not [
            stage for number, stage in asked.told if (number, stage["stage"]) == (1, "done")
        ]


@in_loop
async def test_a_burst_of_questions_ends_in_the_answer_to_the_last():
    """Interrupts at any moment: between stages, inside of solvers, before the next question."""
    async with heard() as asked:
        await asked_and_done(asked, 0)
        first = asked.worker.pid
        for number in range(1, 150):
            board = slitherlink(12, 12, {0: 3, number % 100 + 1: number % 4})
            asked.ask(number, board)
            await asyncio.sleep(0.001 * (number % 17))
        await asked_and_done(asked, 150)
        assert asked.worker.pid == first
        # Nothing of an older question is told after something of a newer one.
        numbers = [number for number, _ in asked.told]
        assert numbers == sorted(numbers)
        assert [stage for _, stage in asked.told if stage["stage"] == "lost"] == []


async def at_work(asked: Heard, until: str = "counting") -> int:
    """Ask for a count that goes on, and wait for this stage of it; the worker's process."""
    asked.ask(1, LONG)
    await asked.wait(1, until)
    return asked.worker.pid


async def asked_and_done(asked: Heard, number: int) -> None:
    asked.ask(number, SHORT)
    assert (await asked.wait(number, "status"))["status"] == "unique"
    await asked.wait(number, "done")


@in_loop
async def test_a_worker_that_is_killed_is_replaced_and_its_question_asked_again():
    async with heard() as asked:
        first = await at_work(asked)
        os.kill(first, signal.SIGKILL)
        asked.told.clear()
        assert (await asked.wait(1, "status"))["status"] == "many"
        assert asked.worker.pid != first
        os.kill(asked.worker.pid, signal.SIGKILL)
        assert "stopped unexpectedly" in (await asked.wait(1, "lost"))["reason"]
        await asked_and_done(asked, 2)


@in_loop
async def test_a_worker_that_does_not_listen_is_replaced():
    async with heard() as asked:
        await asked_and_done(asked, 1)
        first = asked.worker.pid
        os.kill(first, signal.SIGSTOP)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(workers, "GRACE", 0.1)
            await asked_and_done(asked, 2)
        assert asked.worker.pid != first


@in_loop
async def test_ctrl_c_of_the_terminal_is_not_for_workers():
    async with heard() as asked:
        first = await at_work(asked, until="forced")
        os.kill(first, signal.SIGINT)
        await asked.wait(1, "counting")
        await asked_and_done(asked, 2)
        assert asked.worker.pid == first


@in_loop
async def test_workers_are_lent_up_to_a_number_and_come_back_silent():
    lent = Workers(2, LIMITS)
    try:
        lent.warm_up()
        one, other = lent.borrow(), lent.borrow()
        assert one is not None
        assert other not in (None, one)
        assert lent.borrow() is None
        asked = Heard(one)
        asked.ask(1, LONG)
        await asked.wait(1, "status")
        lent.give_back(one)
        asked.told.clear()
        again = lent.borrow()
        assert again is one
        # The number is one that was asked before: what is still told of that is for nobody.
        newer = Heard(again)
        await asked_and_done(newer, 1)
        assert {number for number, _ in newer.told} == {1}
        assert newer.told[0][1]["status"] == "unique"
        assert asked.told == []
    finally:
        lent.end()


class Broken:
    """Cannot be made, which an error says."""

    def __init__(self, *_: object) -> None:
        raise ImportError("no such kernel")


class Ending:
    """Cannot be made, which only the end of the process says."""

    def __init__(self, *_: object) -> None:
        os._exit(3)


@asynccontextmanager
async def stopped(answering: workers.Factory):
    """A worker that cannot start and was asked question 1, and what the terminal has shown."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "_RESTART_SECONDS", 0.01)
        shown: list[str] = []
        patch.setattr(workers._log, "error", lambda form, *of: shown.append(form % of))
        worker = Worker(answering=answering)
        asked = Heard(worker)
        try:
            asked.ask(1, SHORT)
            await asked.wait(1, "lost")
            yield asked, shown
        finally:
            worker.end()


@pytest.mark.parametrize(
    ("answering", "cause"),
    [
        (Broken, "ImportError: no such kernel"),
        (Ending, "the process ended with exit status 3"),
    ],
)
def test_why_no_worker_can_start_is_said_in_the_page_and_on_the_terminal(answering, cause):
    async def test() -> None:
        async with stopped(answering) as (asked, shown):
            assert shown == [f"the engine could not be started in 3 attempts ({cause})"]
            ((_, told),) = asked.told
            assert told["reason"].startswith(shown[0])

    in_loop(test)()


@in_loop
async def test_a_worker_that_could_not_start_is_started_by_a_later_question():
    async with stopped(Broken) as (asked, _):
        asked.worker._answering = Questions
        await asked_and_done(asked, 2)


class Stillborn:
    """In place of processes: each is dead as soon as the loop looks at it."""

    pid = 0

    def __init__(self, starts: list[object], heard: Callable[[object, None], None]) -> None:
        starts.append(self)
        heard(self, None)

    def ask(self, number: int, question: object) -> None:
        pass

    def end(self) -> None:
        pass

    def fate(self) -> str:
        return "dead"


@pytest.mark.parametrize("idle", [True, False], ids=["idle", "asked"])
def test_workers_that_die_at_start_are_started_a_few_times_more_and_more_slowly(idle, monkeypatch):
    starts: list[object] = []
    pauses: list[float] = []
    monkeypatch.setattr(workers, "_Process", lambda _, __, heard: Stillborn(starts, heard))

    async def test() -> None:
        loop = asyncio.get_running_loop()

        def call_later(seconds: float, what: Callable[..., object], *of: object) -> object:
            # Of the timers for a worker that does not start, none comes to its end.
            if seconds < workers._START:
                pauses.append(seconds)
                loop.call_soon(what, *of)
            return SimpleNamespace(cancel=lambda: None)

        async def all_is_done() -> None:
            for _ in range(100):
                await asyncio.sleep(0)

        monkeypatch.setattr(loop, "call_later", call_later)
        asked = Heard(Worker())
        for number in range(1, 4):
            if number > 1 or not idle:
                asked.ask(number, SHORT)
            await all_is_done()
            assert len(starts) == 3 * number
            assert pauses == [0.5, 1.0] * number
        # Each question has an answer, once; whoever leaves starts nothing.
        expected = range(2 if idle else 1, 4)
        assert [(one, told["stage"]) for one, told in asked.told] == [
            (one, "lost") for one in expected
        ]
        asked.worker.rest()
        await all_is_done()
        assert len(starts) == 9
        asked.worker.end()

    in_loop(test)()


@in_loop
async def test_a_system_that_refuses_processes_is_named():
    async with heard() as asked:
        await asked_and_done(asked, 1)
        with pytest.MonkeyPatch.context() as patch:

            def refuse(*_: object) -> None:
                raise BlockingIOError("Resource temporarily unavailable")

            patch.setattr(workers, "_RESTART_SECONDS", 0.01)
            patch.setattr(workers, "_Process", refuse)
            os.kill(asked.worker.pid, signal.SIGKILL)
            asked.ask(2, SHORT)
            assert "temporarily unavailable" in (await asked.wait(2, "lost"))["reason"]
        await asked_and_done(asked, 3)


@in_loop
async def test_no_process_is_left_behind():
    async with heard() as asked:
        await asked_and_done(asked, 1)
        pid = asked.worker.pid
        asked.ask(2, LONG)
        await asked.wait(2, "counting")
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return
    raise AssertionError("the worker lives")
