"""Estimates of the time to make a puzzle, before the attempt.

``times.json`` has the medians of requests at 10x10 cells, by kind and label, as
``scripts/bench_difficulties.py --write`` measures them. Other sizes are scaled.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from linkoracle.core import COMPILED
from linkoracle.core.arguments import LABELS

#: The number of cells of the measured boards, and the power of this number that is proportional to
#: the time.
CELLS, _POWER = 100, 1.6


def estimate(request: Any) -> float | None:
    """Return the seconds of processor time that a puzzle usually takes; ``None`` if unknown.

    ``request`` is a result of `request_for`. In a range of labels, the fastest one counts. Options
    other than the size and the difficulty are ignored, though they may take time. Half of all
    puzzles take longer. Without compiled kernels, times are unknown.

    >>> from linkoracle.generate import request_for
    >>> slow = estimate(request_for("numbrix", 10, 10, difficulty="extreme"))
    >>> fast = estimate(request_for("masyu", 10, 10, difficulty="hard"))
    >>> slow > fast > estimate(request_for("masyu", 6, 6, difficulty="hard"))
    True
    """
    known = _times().get(request.kind, {}) if COMPILED else {}
    low, _, high = str(request.difficulty or "").partition("..")
    labels = LABELS[LABELS.index(low) : LABELS.index(high or low) + 1] if low else [""]
    if not (times := [known[label] for label in labels if label in known]):
        return None
    return float(min(times) * (request.cells / CELLS) ** _POWER)


@cache
def _times() -> dict[str, dict[str, float]]:
    text = (files("linkoracle.generate") / "times.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, float]] = json.loads(text)
    return found
