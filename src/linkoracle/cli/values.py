"""The values that options of some commands have: ranges, sizes, days, dots and names with a value.

An import of this module adds them to `FORMS`.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from linkoracle.cli.options import FORMS, ReadParam
from linkoracle.core.arguments import LABELS

#: A number such as 0.1 or 8.
NUMBER = r"(\d*\.?\d{1,9})"
TWO_NUMBERS = f"{NUMBER}-{NUMBER}"
SPAN = r"(\d{1,6})(?:-(\d{1,6}))?"
_DOT = r"(\d{1,6}),(\d{1,6})"
_DOTS = rf"(random)|{_DOT}-{_DOT}"
_LABEL = f"(?:{'|'.join(LABELS)})"


def span(low: str, high: str | None) -> tuple[int, int]:
    """Return the two numbers that `SPAN` matches; ``ValueError`` if the first is larger."""
    return _ordered(int(low), int(high or low))


def _ordered(low: Any, high: Any) -> tuple[Any, Any]:
    if low > high:
        raise ValueError("the first number is larger")
    return low, high


def _dots(random: str | None, *at: str) -> Any:
    return random or tuple(sorted(zip(*[map(int, at)] * 2, strict=True)))


def _number(text: str) -> int | float:
    return int(text) if text.isdecimal() else float(text)


def _value(text: str) -> Any:
    """Return the value of a text: on or off, a number, or a range of numbers."""
    if text in ("on", "off"):
        return text == "on"
    ends = re.fullmatch(TWO_NUMBERS, text, re.ASCII)
    return tuple(map(_number, ends.groups())) if ends else _number(text)


def _floats(low: str, high: str) -> tuple[float, float]:
    return _ordered(float(low), float(high))


#: The types, by `Option.form`.
FORMS.update(
    {
        one.name: one
        for one in (
            ReadParam("DATE", "expected a day such as 2026-03-31, found", date.fromisoformat),
            ReadParam(
                "N|LOW-HIGH",
                "expected a number up to 999999, or two such as 8-12, the lower first, found",
                span,
                SPAN,
            ),
            ReadParam(
                "A-B",
                "expected a range such as 0.1-0.3, the lower number first, found",
                _floats,
                TWO_NUMBERS,
            ),
            ReadParam(
                "random|DOTS", "expected 'random' or two dots such as 0,3-8,5, found", _dots, _DOTS
            ),
            ReadParam(
                "NAME=VALUE",
                "expected NAME=VALUE with on, off, a number or a range, found",
                lambda name, text: (name, _value(text)),
                "([^=]*)=(.*)",
            ),
            ReadParam(
                "ROWSxCOLS",
                "expected a size such as 10x10 or 8-12x10, the lower number first, found",
                lambda *ends: (span(*ends[:2]), span(*ends[2:])),
                f"{SPAN}x{SPAN}",
            ),
            ReadParam(
                "NAME=LOW-HIGH",
                "expected a statistic with a number or a range, such as density=0.4-0.45, found",
                lambda name, low, high: (name, _floats(low, high or low)),
                f"([a-z]+)={NUMBER}(?:-{NUMBER})?",
            ),
            ReadParam(
                "LABEL[..LABEL]",
                f"expected one of {', '.join(LABELS)}, or a range such as normal..hard, found",
                str,
                rf"({_LABEL}(?:\.\.{_LABEL})?)",
            ),
        )
    }
)
#: A number, or a lowest and a highest number.
RANGE = FORMS["N|LOW-HIGH"]
