"""JSON values with details that Python's decoder loses: places, repeated keys, numbers as written.

`Members` checks the members of an object as they are read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from linkoracle.core import Option, checked_int, checked_seconds, options_of, parse_size, quoted
from linkoracle.formats.reading import MAX_DIGITS

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Value = TypeVar("Value")
Values = TypeVar("Values", bound="DataclassInstance")


def plain(value: Any, listed: Callable[[Iterable[Any]], Any] = list) -> Any:
    """Return a value as Python's own decoder does; ``listed`` makes its lists."""
    if isinstance(value, Pairs):
        return {key: plain(member, listed) for key, member in value}
    if isinstance(value, NoInteger):
        return float(value.text)
    return listed(plain(one, listed) for one in value) if isinstance(value, list) else value


def not_json(error: json.JSONDecodeError) -> str:
    """Return the reason of an error as Python words it, such as "expecting ',' delimiter"."""
    reason = error.msg[:1].lower() + error.msg[1:]
    # The place follows elsewhere.
    return f"not valid JSON: {reason.removesuffix(' at').removesuffix(' starting')}"


#: Keys and indices from a value to one inside it.
JsonPath = tuple[str | int, ...]


@dataclass(frozen=True)
class NoInteger:
    """A number that is not a whole number of reasonable length, as it was written."""

    text: str


class Pairs(list[tuple[str, Any]]):
    """The members of an object in order, so that a key given twice can be seen."""


def _integer(text: str) -> int | NoInteger:
    # int() refuses thousands of digits with an error without a place, so keep them as text.
    return int(text) if len(text) <= MAX_DIGITS else NoInteger(text)


# Python's decoder does not keep places. An error ends the reading, so only then the text is
# scanned again.
DECODER = json.JSONDecoder(
    object_pairs_hook=Pairs, parse_int=_integer, parse_float=NoInteger, parse_constant=NoInteger
)

_SPACE = re.compile(r"[ \t\n]*")
_WALKER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
_ESCAPE = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.|.", re.DOTALL)


def skip_space(text: str, position: int) -> int:
    """Return the position of the next character that is not JSON white space."""
    space = _SPACE.match(text, position)
    return space.end() if space else position


def locate(text: str, position: int, path: JsonPath, characters: int | None = None) -> int:
    """Return the position of the value that ``path`` leads to from the value at ``position``.

    If a key is repeated, the last one counts. With ``characters``, the value is a string, and the
    position is that of its character with this index; an escape counts as one character.

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
    """Return a decoded value as text for a message."""
    if isinstance(value, NoInteger):
        if value.text.lstrip("-").isdigit() and len(value.text) > MAX_DIGITS:
            return f"{quoted(value.text)}, of more than {MAX_DIGITS} digits"
        return quoted(value.text)[1:-1] if len(value.text) <= MAX_DIGITS else quoted(value.text)
    if isinstance(value, Pairs):
        return "an object"
    if isinstance(value, list):
        if len(value) < 4 and {*map(type, value)} == {int}:
            # Such as a place.
            return json.dumps(value)
        return "an array" if value else "an empty array"
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return quoted(value) if isinstance(value, str) else str(value)


def place_named(find: Callable[[Any], int], value: Any) -> int:
    """Return the vertex or the face that JSON names, as ``[row, column]`` or as a number.

    ``find`` is `Board.vertex_of` or `Board.face_of`. Raises ``ValueError`` if there is none.
    """
    parts = value if type(value) is list else [value]
    if {*map(type, parts)} != {int}:
        raise ValueError(f"expected whole numbers, got {value!r}")
    try:
        return find(parts[0] if len(parts) == 1 else tuple(parts))
    except TypeError as error:
        raise ValueError(str(error)) from None


class Members:
    """The members of an object, by their keys.

    Methods that return a member call `fail` if it is invalid, with a reason that names the key,
    the expected value and the value found. If the key is absent, they return ``default``.
    """

    members: dict[str, Any]

    def fail(self, reason: str) -> NoReturn:
        """Raise the error with this reason."""
        raise NotImplementedError

    def wrong(self, key: str, expected: str, value: object) -> NoReturn:
        """Raise the error that the member ``key`` has ``value``, not ``expected``."""
        self.fail(f"expected {expected} in {key!r}, found {shown(value)}")

    def word(self, key: str, known: Iterable[str], *default: Any) -> Any:
        """Return one of the known words; null counts as absent, an error without a default."""
        value, known = self.members.get(key), list(known)
        if value is None and default:
            return default[0]
        if value not in known:
            *first, last = map(repr, known)
            self.wrong(key, " or ".join(filter(None, (", ".join(first), last))), value)
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        """Return ``true`` or ``false``."""
        return self._of(bool, key, "true or false", default)

    def name(self, key: str) -> str:
        """Return a required string."""
        return self._of(str, key, "a string")

    def listed(self, key: str) -> list[Any]:
        """Return a list; an absent list is empty."""
        return self._of(list, key, "a list", [])

    def number(
        self, key: str, default: int | None = None, least: int = 1, most: int | None = None
    ) -> int | None:
        """Return a whole number from ``least`` to ``most``; ``None`` for null."""
        expected = f"a whole number from {least}{'' if most is None else f' to {most}'} or null"
        return self._checked(key, default, expected, lambda one: checked_int(one, key, least, most))

    def seconds(self, key: str, default: float | None) -> float | None:
        """Return a time limit; ``None`` for null."""
        expected = "a positive number of seconds or null"
        return self._checked(key, default, expected, lambda one: checked_seconds(plain(one)))

    def size(self, key: str, default: int | None) -> int | None:
        """Return a size in bytes, from a number or a text such as ``4GB``; null is the default."""
        return self._checked(
            key,
            default,
            "a size such as '4GB' or null",
            lambda one: parse_size(one) if isinstance(one, str) else checked_int(one, key, 1),
        )

    def options(self, defaults: Values, names: Iterable[str]) -> Values:
        """Return a request with the options of these names that the object gives."""
        declared = options_of(type(defaults))
        said = {name: self.option(name, declared[name], getattr(defaults, name)) for name in names}
        return replace(defaults, **said)

    def said(self, declared: Mapping[str, Option]) -> dict[str, Any]:
        """Return the given values of the options that a request declares."""
        return {
            name: self.option(name, one, one.default)
            for name, one in declared.items()
            if name in self.members
        }

    def option(self, name: str, option: Option, default: Any) -> Any:
        """Return an option of a request, checked against its declaration."""
        if option.words:
            return self.word(name, option.words, default)
        if isinstance(default, bool):
            return self.flag(name, default)
        if isinstance(option.least, int):
            return self.number(name, default, option.least)
        read = {"SECONDS": self.seconds, "SIZE": self.size}.get(option.form)
        if read is not None:
            return read(name, default)
        # Requests use tuples for lists.
        return plain(self.members.get(name, default), tuple)

    def _checked(
        self, key: str, default: Value, expected: str, check: Callable[[Any], Value]
    ) -> Value | None:
        value = self.members.get(key)
        if value is None:
            return None if key in self.members else default
        try:
            return check(value)
        except ValueError:
            self.wrong(key, expected, value)

    def _of(
        self, kind: type[Value], key: str, expected: str, default: Value | None = None
    ) -> Value:
        value = self.members.get(key, default)
        if type(value) is not kind:
            self.wrong(key, expected, value)
        return value
