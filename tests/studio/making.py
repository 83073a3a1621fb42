"""Tasks for the studio, done in this process, for tests."""

from __future__ import annotations

from typing import Any

from linkoracle.studio.making import Making
from linkoracle.studio.tasks import Limits
from tests.interrupting import Clock


def stages(
    task: object, limits: Limits | None = None, clock: Clock | None = None
) -> list[dict[str, Any]]:
    """Return all events of a task. The time of a ``clock`` is over once some clues are proven."""
    events: list[dict[str, Any]] = []

    def report(stage: dict[str, Any]) -> None:
        events.append(stage)
        if clock is not None:
            clock.run_out_when_told(stage.get("words", ""))

    Making(limits).answer(task, report)
    assert events[-1] == {"stage": "done"}
    return events[:-1]


def made(clock: Clock | None = None, **task: Any) -> dict[str, Any]:
    """Return the result of a task, which must succeed."""
    last = stages(task, clock=clock)[-1]
    assert last["stage"] == "made", last
    return last


def failure(task: object, limits: Limits | None = None) -> str:
    """Return the reason why a task fails, as it must; one line."""
    last = stages(task, limits)[-1]
    assert last["stage"] == "failed", last
    assert last["reason"]
    assert "\n" not in last["reason"]
    return last["reason"]
