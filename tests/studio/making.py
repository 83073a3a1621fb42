"""Tasks for the studio, done in this process, for tests."""

from __future__ import annotations

from typing import Any

from linkoracle.studio.limits import Limits
from linkoracle.studio.making import Making
from tests.interrupting import Clock


def stages(
    task: object, limits: Limits | None = None, clock: Clock | None = None
) -> list[dict[str, Any]]:
    """All that a task tells. The time of a ``clock`` is over once some clues are proven."""
    told: list[dict[str, Any]] = []

    def tell(stage: dict[str, Any]) -> None:
        told.append(stage)
        if clock is not None:
            clock.run_out_when_told(stage.get("words", ""))

    Making(limits).answer(task, tell)
    assert told[-1] == {"stage": "done"}
    return told[:-1]


def made(clock: Clock | None = None, **task: Any) -> dict[str, Any]:
    """What comes of a task, which must succeed."""
    last = stages(task, clock=clock)[-1]
    assert last["stage"] == "made", last
    return last


def failure(task: object, limits: Limits | None = None) -> str:
    """Why nothing comes of a task, which must fail; one line."""
    last = stages(task, limits)[-1]
    assert last["stage"] == "failed", last
    assert last["reason"]
    assert "\n" not in last["reason"]
    return last["reason"]
