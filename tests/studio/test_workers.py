"""Workers: the newest query is answered, whatever happened to earlier queries or to a worker."""

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
from linkoracle.studio.analysis import BoardAnalysis
from linkoracle.studio.tasks import Limits
from linkoracle.studio.workers import Worker, Workers
from tests.studio.asking import slitherlink
from tests.workers import WAIT_SECONDS

#: A board whose count takes longer than any test.
LONG = slitherlink(20, 20, {0: 3})
LIMITS = Limits(status=WAIT_SECONDS, count=10 * WAIT_SECONDS)
SHORT = slitherlink(2, 2, {0: 3, 1: 3})


class Client:
    """A worker and all events of its answers."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.events: list[tuple[int, dict[str, Any]]] = []

    def ask(self, number: int, query: object) -> None:
        self.worker.ask(query, lambda stage: self.events.append((number, stage)))

    async def wait(self, number: int, stage: str) -> dict[str, Any]:
        until = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < until:
            for query, event in self.events:
                if (query, event["stage"]) == (number, stage):
                    return event
            await asyncio.sleep(0.005)
        raise AssertionError(f"{stage} of {number} never came: {self.events}")


@pytest.fixture(autouse=True)
def long_limits(monkeypatch):
    """Do not replace a worker that is slow, as on a busy machine."""
    monkeypatch.setattr(workers, "GRACE", WAIT_SECONDS)
    monkeypatch.setattr(workers, "_START_SECONDS", WAIT_SECONDS)


@asynccontextmanager
async def working():
    worker = Worker(LIMITS)
    try:
        yield Client(worker)
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
    """Answer until interrupted; some queries hide the interrupt, as imports do."""

    def __init__(self, limits: Limits) -> None:
        pass

    def answer(self, query: Any, report: Callable[[dict[str, Any]], None]) -> None:
        report({"stage": "begun"})
        try:
            time.sleep(10 * WAIT_SECONDS)
        except KeyboardInterrupt as interrupt:
            if query == "hide":
                raise RuntimeError("an error in a class") from interrupt
            raise


@in_loop
async def test_one_interrupt_is_enough_also_right_after_another():
    with pytest.MonkeyPatch.context() as patch:
        # The next one never comes.
        patch.setattr(workers, "_NUDGE_SECONDS", 10 * WAIT_SECONDS)
        worker = Worker(answering=Sleeping)
        client = Client(worker)
        try:
            client.ask(0, "hide")
            await client.wait(0, "begun")
            first = worker.pid
            for number in range(1, 30):
                client.ask(number, "hide" if number % 3 else "sleep")
                await client.wait(number, "begun")
            assert worker.pid == first
        finally:
            worker.end()


class Importing(Sleeping):
    """Import the module in a folder, which takes a while, and report how often that began."""

    def answer(self, query: Any, report: Callable[[dict[str, Any]], None]) -> None:
        report({"stage": "begun"})
        sys.path.insert(0, query)
        report({"stage": "imported", "begun": importlib.import_module("slowly_imported").BEGUN})


def test_an_import_is_not_interrupted(tmp_path):
    (tmp_path / "slowly_imported.py").write_text(
        "import sys, time\nBEGUN = sys.begun = getattr(sys, 'begun', 0) + 1\ntime.sleep(0.5)\n"
    )

    @in_loop
    async def two_queries() -> None:
        worker = Worker(answering=Importing)
        client = Client(worker)
        try:
            client.ask(1, str(tmp_path))
            await client.wait(1, "begun")
            client.ask(2, str(tmp_path))
            await client.wait(2, "imported")
        finally:
            worker.end()
        (imported,) = [
            stage for number, stage in client.events if (number, stage["stage"]) == (2, "imported")
        ]
        assert imported["begun"] == 1

    two_queries()


@in_loop
async def test_a_newer_query_cancels_the_older_at_once():
    async with working() as client:
        first = await at_work(client)
        await done_with(client, 2)
        assert client.worker.pid == first
        assert not [
            stage for number, stage in client.events if (number, stage["stage"]) == (1, "done")
        ]


@in_loop
async def test_a_burst_of_queries_ends_in_the_answer_to_the_last():
    """Interrupt at any moment: between stages, inside of solvers, before the next query."""
    async with working() as client:
        await done_with(client, 0)
        first = client.worker.pid
        for number in range(1, 150):
            board = slitherlink(12, 12, {0: 3, number % 100 + 1: number % 4})
            client.ask(number, board)
            await asyncio.sleep(0.001 * (number % 17))
        await done_with(client, 150)
        assert client.worker.pid == first
        # No event of an older query comes after one of a newer query.
        numbers = [number for number, _ in client.events]
        assert numbers == sorted(numbers)
        assert [stage for _, stage in client.events if stage["stage"] == "lost"] == []


async def at_work(client: Client, until: str = "counting") -> int:
    """Start a long count, wait for this stage of it, and return the process of the worker."""
    client.ask(1, LONG)
    await client.wait(1, until)
    return client.worker.pid


async def done_with(client: Client, number: int) -> None:
    client.ask(number, SHORT)
    assert (await client.wait(number, "status"))["status"] == "unique"
    await client.wait(number, "done")


@in_loop
async def test_a_worker_that_is_killed_is_replaced_and_its_query_sent_again():
    async with working() as client:
        first = await at_work(client)
        os.kill(first, signal.SIGKILL)
        client.events.clear()
        assert (await client.wait(1, "status"))["status"] == "many"
        assert client.worker.pid != first
        os.kill(client.worker.pid, signal.SIGKILL)
        assert "stopped unexpectedly" in (await client.wait(1, "lost"))["reason"]
        await done_with(client, 2)


@in_loop
async def test_a_worker_that_does_not_listen_is_replaced():
    async with working() as client:
        await done_with(client, 1)
        first = client.worker.pid
        os.kill(first, signal.SIGSTOP)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(workers, "GRACE", 0.1)
            await done_with(client, 2)
        assert client.worker.pid != first


@in_loop
async def test_ctrl_c_of_the_terminal_is_not_for_workers():
    async with working() as client:
        first = await at_work(client, until="forced")
        os.kill(first, signal.SIGINT)
        await client.wait(1, "counting")
        await done_with(client, 2)
        assert client.worker.pid == first


@in_loop
async def test_workers_are_lent_up_to_a_number_and_come_back_silent():
    lent = Workers(2, LIMITS)
    try:
        lent.warm_up()
        one, other = lent.borrow(), lent.borrow()
        assert one is not None
        assert other not in (None, one)
        assert lent.borrow() is None
        client = Client(one)
        client.ask(1, LONG)
        await client.wait(1, "status")
        lent.give_back(one)
        client.events.clear()
        again = lent.borrow()
        assert again is one
        # An earlier query had the same number: its late events are dropped.
        newer = Client(again)
        await done_with(newer, 1)
        assert {number for number, _ in newer.events} == {1}
        assert newer.events[0][1]["status"] == "unique"
        assert client.events == []
    finally:
        lent.end()


class Broken:
    """Fail to start, with an error."""

    def __init__(self, *_: object) -> None:
        raise ImportError("no such kernel")


class Ending:
    """Fail to start, by the end of the process alone."""

    def __init__(self, *_: object) -> None:
        os._exit(3)


@asynccontextmanager
async def stopped(answering: workers.Factory):
    """Yield a worker that cannot start and has query 1, and the messages on the terminal."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "_RESTART_SECONDS", 0.01)
        shown: list[str] = []
        patch.setattr(workers._log, "error", lambda form, *of: shown.append(form % of))
        worker = Worker(answering=answering)
        client = Client(worker)
        try:
            client.ask(1, SHORT)
            await client.wait(1, "lost")
            yield client, shown
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
        async with stopped(answering) as (client, shown):
            assert shown == [f"the engine could not be started in 3 attempts ({cause})"]
            ((_, event),) = client.events
            assert event["reason"].startswith(shown[0])

    in_loop(test)()


@in_loop
async def test_a_worker_that_could_not_start_is_started_by_a_later_query():
    async with stopped(Broken) as (client, _):
        client.worker._answering = BoardAnalysis
        await done_with(client, 2)


class Stillborn:
    """A process that is dead as soon as the loop looks at it."""

    pid = 0

    def __init__(self, starts: list[object], heard: Callable[[object, None], None]) -> None:
        starts.append(self)
        heard(self, None)

    def ask(self, number: int, query: object) -> None:
        pass

    def end(self) -> None:
        pass

    def fate(self) -> str:
        return "dead"


@pytest.mark.parametrize("idle", [True, False], ids=["idle", "querying"])
def test_workers_that_die_at_start_are_started_a_few_times_more_and_more_slowly(idle, monkeypatch):
    starts: list[object] = []
    pauses: list[float] = []
    monkeypatch.setattr(workers, "_Process", lambda _, __, heard: Stillborn(starts, heard))

    async def test() -> None:
        loop = asyncio.get_running_loop()

        def call_later(seconds: float, what: Callable[..., object], *of: object) -> object:
            # No timer for a worker that does not start runs out.
            if seconds < workers._START_SECONDS:
                pauses.append(seconds)
                loop.call_soon(what, *of)
            return SimpleNamespace(cancel=lambda: None)

        async def all_is_done() -> None:
            for _ in range(100):
                await asyncio.sleep(0)

        monkeypatch.setattr(loop, "call_later", call_later)
        client = Client(Worker())
        for number in range(1, 4):
            if number > 1 or not idle:
                client.ask(number, SHORT)
            await all_is_done()
            assert len(starts) == 3 * number
            assert pauses == [0.5, 1.0] * number
        # Each query has one answer; a client that leaves starts nothing.
        expected = range(2 if idle else 1, 4)
        assert [(one, event["stage"]) for one, event in client.events] == [
            (one, "lost") for one in expected
        ]
        client.worker.rest()
        await all_is_done()
        assert len(starts) == 9
        client.worker.end()

    in_loop(test)()


@in_loop
async def test_a_system_that_refuses_processes_is_named():
    async with working() as client:
        await done_with(client, 1)
        with pytest.MonkeyPatch.context() as patch:

            def refuse(*_: object) -> None:
                raise BlockingIOError("Resource temporarily unavailable")

            patch.setattr(workers, "_RESTART_SECONDS", 0.01)
            patch.setattr(workers, "_Process", refuse)
            os.kill(client.worker.pid, signal.SIGKILL)
            client.ask(2, SHORT)
            assert "temporarily unavailable" in (await client.wait(2, "lost"))["reason"]
        await done_with(client, 3)


@in_loop
async def test_no_process_is_left_behind():
    async with working() as client:
        await done_with(client, 1)
        pid = client.worker.pid
        client.ask(2, LONG)
        await client.wait(2, "counting")
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return
    raise AssertionError("the worker lives")
