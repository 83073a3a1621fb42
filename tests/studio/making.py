"""Tasks for the studio, done in this process, for tests."""

from __future__ import annotations

from typing import Any

from linkoracle.studio.limits import Limits
from linkoracle.studio.making import Making


def stages(task: object, limits: Limits | None = None) -> list[dict[str, Any]]:
    """All that a task tells."""
    told: list[dict[str, Any]] = []
    Making(limits).answer(task, told.append)
    assert told[-1] == {"stage": "done"}
    return told[:-1]


def made(**task: Any) -> dict[str, Any]:
    """What comes of a task, which must succeed."""
    last = stages(task)[-1]
    assert last["stage"] == "made", last
    return last


def failure(task: object, limits: Limits | None = None) -> str:
    """Why nothing comes of a task, which must fail; one line."""
    last = stages(task, limits)[-1]
    assert last["stage"] == "failed", last
    assert last["reason"]
    assert "\n" not in last["reason"]
    return last["reason"]
