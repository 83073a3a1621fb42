"""Boards and answers of the studio, for tests."""

from __future__ import annotations

from typing import Any

from linkoracle.studio.analysis import BoardAnalysis
from linkoracle.studio.tasks import Limits


def slitherlink(rows: int, cols: int, clues: dict[int, int] | None = None) -> dict[str, Any]:
    """A board with clues by the numbers of their cells."""
    cells = [(clues or {}).get(cell) for cell in range(rows * cols)]
    return {"kind": "slitherlink", "variant": "loop", "rows": rows, "cols": cols, "cells": cells}


def answered(
    board: object, limits: Limits | None = None, analysis: BoardAnalysis | None = None
) -> dict[str, Any]:
    """Return all stages of an answer by their names, with all ``values`` in one."""
    found: dict[str, Any] = {"late": {}}

    def report(stage: dict[str, Any]) -> None:
        name = stage["stage"]
        if name == "late":
            found["late"][stage["of"]] = stage["reason"]
        elif name == "values" and name in found:
            values = {**dict(found[name]["values"]), **dict(stage["values"])}
            found[name] = {**stage, "values": [list(one) for one in sorted(values.items())]}
        else:
            found[name] = stage

    (analysis or BoardAnalysis(limits)).answer(board, report)
    return found
