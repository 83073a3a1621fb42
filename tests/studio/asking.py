"""Boards and answers of the studio, gathered for tests."""

from __future__ import annotations

from typing import Any

from linkoracle.studio.limits import Limits
from linkoracle.studio.questions import Questions


def slitherlink(rows: int, cols: int, clues: dict[int, int] | None = None) -> dict[str, Any]:
    """A board with clues by the numbers of their cells."""
    cells = [(clues or {}).get(cell) for cell in range(rows * cols)]
    return {"kind": "slitherlink", "rule": "loop", "rows": rows, "cols": cols, "cells": cells}


def answered(
    board: object, limits: Limits | None = None, questions: Questions | None = None
) -> dict[str, Any]:
    """All stages of an answer by their names; of several values, all together."""
    told: dict[str, Any] = {"late": {}}

    def tell(stage: dict[str, Any]) -> None:
        name = stage["stage"]
        if name == "late":
            told["late"][stage["of"]] = stage["reason"]
        elif name == "values" and name in told:
            values = {**dict(told[name]["values"]), **dict(stage["values"])}
            told[name] = {**stage, "values": [list(one) for one in sorted(values.items())]}
        else:
            told[name] = stage

    (questions or Questions(limits)).answer(board, tell)
    return told
