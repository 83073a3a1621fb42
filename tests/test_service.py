"""Answers that a web server awaits, within limits for boards of strangers."""

from __future__ import annotations

import asyncio

import pytest

from linkoracle import Limits, PuzzleError, SearchTimeout, Service, Slitherlink
from linkoracle.core.errors import FormatError

TEXT = "slitherlink\n33\n11\n"


def test_answers_are_awaited_within_limits():
    """One service: each process takes a second to start."""

    async def answers():
        async with Service(1, Limits(seconds=60, cells=400)) as service:
            verdict, count, grade = await asyncio.gather(
                service.decide(TEXT),
                service.count(Slitherlink.blank(3, 3), limit=5),
                service.grade(TEXT),
            )
            assert (verdict.status, count.count, grade.status) == ("unique", 5, "solved")
            with pytest.raises(PuzzleError, match="at most 400 cells, found 21 x 21 cells"):
                await service.decide(Slitherlink.blank(21, 21))
            with pytest.raises(FormatError, match="found 'x'"):
                await service.decide("slitherlink\n4x\n")
            service.limits = Limits(seconds=0.2, cells=None)
            with pytest.raises(SearchTimeout):
                await service.count(Slitherlink.blank(18, 18))
            # A process that was too slow does not end the service.
            service.limits = Limits(seconds=60)
            assert (await service.decide(TEXT)).unique

    asyncio.run(answers())


@pytest.mark.parametrize("wrong", [{"seconds": 0}, {"memory": -1}, {"cells": 0}, {"cells": 2.5}])
def test_limits_are_positive(wrong):
    with pytest.raises(ValueError, match="expected"):
        Limits(**wrong)
