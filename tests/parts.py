"""Long series of random cases, in parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


def parts(every: Sequence[int], few: int = 3) -> pytest.MarkDecorator:
    """`make test-heavy` runs a few of these parts, and `make test-lengthy` all others."""
    heavy, lengthy = [pytest.mark.heavy], [pytest.mark.heavy, pytest.mark.lengthy]
    given: list[Any] = [
        pytest.param(part, marks=heavy if index < few else lengthy)
        for index, part in enumerate(every)
    ]
    return pytest.mark.parametrize("part", given)
