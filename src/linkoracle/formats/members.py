"""`Members`: what a JSON object says, checked where it is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from linkoracle.core.limits import (
    Option,
    checked_int,
    checked_seconds,
    options_of,
    parse_size,
)
from linkoracle.formats.json_values import plain, shown

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Value = TypeVar("Value")
Values = TypeVar("Values", bound="DataclassInstance")


class Members:
    """The members of an object, by their keys.

    Every method that returns one calls `fail` with a reason that names the key, what is expected
    there, and what was found. A key that is absent gives ``default``.
    """

    members: dict[str, Any]

    def fail(self, reason: str) -> NoReturn:
        """Raise the error with this reason."""
        raise NotImplementedError

    def wrong(self, key: str, expected: str, value: object) -> NoReturn:
        """Raise the error that ``value``, found in the member ``key``, is not what is expected."""
        self.fail(f"expected {expected} in {key!r}, found {shown(value)}")

    def word(self, key: str, known: Iterable[str], *default: Any) -> Any:
        """One of the known words; null is the same as absent, which is wrong without a default."""
        value, known = self.members.get(key), list(known)
        if value is None and default:
            return default[0]
        if value not in known:
            self.wrong(key, " or ".join(map(repr, known)), value)
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        """``true`` or ``false``."""
        return self._of(bool, key, "true or false", default)

    def name(self, key: str) -> str:
        """A string, which must be there."""
        return self._of(str, key, "a string")

    def listed(self, key: str) -> list[Any]:
        """A list; none is an empty one."""
        return self._of(list, key, "a list", [])

    def number(
        self, key: str, default: int | None = None, least: int = 1, most: int | None = None
    ) -> int | None:
        """A whole number from ``least`` to ``most``; null is none."""
        expected = f"a whole number from {least}{'' if most is None else f' to {most}'} or null"
        return self._checked(key, default, expected, lambda one: checked_int(one, key, least, most))

    def seconds(self, key: str, default: float | None) -> float | None:
        """A time limit; null is none."""
        expected = "a positive number of seconds or null"
        return self._checked(key, default, expected, lambda one: checked_seconds(plain(one)))

    def size(self, key: str, default: int | None) -> int | None:
        """Bytes, as a number or as text such as ``4GB``; null is the usual."""
        return self._checked(
            key,
            default,
            "a size such as '4GB' or null",
            lambda one: parse_size(one) if isinstance(one, str) else checked_int(one, key, 1),
        )

    def options(self, defaults: Values, names: Iterable[str]) -> Values:
        """A request with what is said of its options of these names."""
        declared = options_of(type(defaults))
        said = {name: self.option(name, declared[name], getattr(defaults, name)) for name in names}
        return replace(defaults, **said)

    def said(self, declared: Mapping[str, Option]) -> dict[str, Any]:
        """What is said of the options that a request declares."""
        return {
            name: self.option(name, one, one.default)
            for name, one in declared.items()
            if name in self.members
        }

    def option(self, name: str, option: Option, default: Any) -> Any:
        """An option of a request, as that declares it."""
        if option.words:
            return self.word(name, option.words, default)
        if isinstance(default, bool):
            return self.flag(name, default)
        if isinstance(option.least, int):
            return self.number(name, default, option.least)
        read = {"SECONDS": self.seconds, "SIZE": self.size}.get(option.form)
        if read is not None:
            return read(name, default)
        # Requests have tuples for lists.
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
