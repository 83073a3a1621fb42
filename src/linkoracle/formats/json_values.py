"""Values of JSON with what Python's decoder loses: places, keys given twice, numbers as written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from linkoracle.core.errors import quoted
from linkoracle.formats.reading import MAX_DIGITS


def plain(value: Any, listed: Callable[[Iterable[Any]], Any] = list) -> Any:
    """Return a decoded value as Python's own decoder does, with ``listed`` for its lists."""
    if isinstance(value, Pairs):
        return {key: plain(member, listed) for key, member in value}
    if isinstance(value, NoInteger):
        return float(value.text)
    return listed(plain(one, listed) for one in value) if isinstance(value, list) else value


def not_json(error: json.JSONDecodeError) -> str:
    """Return what is wrong in Python's own words, such as "expecting ',' delimiter"."""
    return f"not valid JSON: {error.msg[:1].lower()}{error.msg[1:]}"


#: Keys and indices that lead from a value to one inside it.
JsonPath = tuple[str | int, ...]


@dataclass(frozen=True)
class NoInteger:
    """A number in JSON that is no whole number of a reasonable length, as it was written."""

    text: str


class Pairs(list[tuple[str, Any]]):
    """The members of an object in order, so that a key given twice can be seen."""


def _integer(text: str) -> int | NoInteger:
    # int() refuses thousands of digits with an error that names no place, so they stay text.
    return int(text) if len(text) <= MAX_DIGITS else NoInteger(text)


# Python's decoder does not keep places. Errors are rare and end the reading, so the text is walked
# a second time, and only then.
DECODER = json.JSONDecoder(
    object_pairs_hook=Pairs, parse_int=_integer, parse_float=NoInteger, parse_constant=NoInteger
)

_SPACE = re.compile(r"[ \t\n]*")
_WALKER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
_ESCAPE = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.|.", re.DOTALL)


def skip_space(text: str, position: int) -> int:
    """Return the position of the next character that is no white space of JSON."""
    space = _SPACE.match(text, position)
    return space.end() if space else position


def locate(text: str, position: int, path: JsonPath, characters: int | None = None) -> int:
    """Return the position of the value that ``path`` leads to from the value at ``position``.

    Of a key given several times, the last. With ``characters``, the value is a string, and the
    position is that of its character with that index, escapes counted as one.

    >>> text = '{"a": 1, "grid": [[3, null], "x\\\\ny"]}'
    >>> text[locate(text, 0, ("grid", 0, 1)):][:4]
    'null'
    >>> text[locate(text, 0, ("grid", 1), 2):][:1]
    'y'
    """
    for step in path:
        position = _member(text, position, step)
    if characters is None:
        return position
    position += 1
    for _ in range(characters):
        if text[position] == '"':  # one past the last character: where the string ends
            break
        escape = _ESCAPE.match(text, position)
        position = escape.end() if escape else position + 1
    return position


def _member(text: str, position: int, step: str | int) -> int:
    found = position
    index = 0
    position = skip_space(text, position + 1)
    while text[position] not in "]}":
        key: str | int = index
        if isinstance(step, str):
            key, position = _WALKER.raw_decode(text, position)
            position = skip_space(text, skip_space(text, position) + 1)
        if key == step:
            found = position
            if isinstance(step, int):
                break
        position = skip_space(text, _WALKER.raw_decode(text, position)[1])
        if text[position] == ",":
            position = skip_space(text, position + 1)
        index += 1
    return found


def shown(value: object) -> str:
    """Return a decoded value fit for a message."""
    if isinstance(value, NoInteger):
        return quoted(value.text)[1:-1] if len(value.text) <= MAX_DIGITS else quoted(value.text)
    if isinstance(value, Pairs):
        return "an object"
    if isinstance(value, list):
        return "an array" if value else "an empty array"
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return quoted(value) if isinstance(value, str) else str(value)
