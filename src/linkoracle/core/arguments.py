"""What several packages take as arguments: options of requests, labels of grades, progress."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any

from linkoracle.core.limits import checked_int, checked_word

#: The labels of grades, the easiest first. `linkoracle.deduce` says what they mean.
LABELS = ("easy", "normal", "tricky", "hard", "extreme", "fiendish", "brutal")
#: More cells than any board has.
MANY = 10**9
#: The version of scores and labels; grades of the first, which do not compare, have no number.
SCALE = 2

#: Called with a line of text about the work, and the fraction of it that is done, if known.
Progress = Callable[[str, float | None], None]


@dataclass(frozen=True)
class Option:
    """The description of an option of a request, apart from its type and its default.

    ``words`` are the allowed values. A number is allowed from ``least``, or above ``above``, to
    ``most``. ``form`` is the notation of other values on the command line, and ``flag`` the name
    there if it differs. The studio offers an option that has a ``title``, with the values in
    ``offered`` or else all ``words``.
    """

    help: str
    default: Any = None
    words: Collection[str] = ()
    least: float | None = None
    above: float | None = None
    most: float | None = None
    form: str = ""
    flag: str = ""
    title: str = ""
    offered: Collection[str] = ()

    def check(self, name: str, value: object) -> None:
        """Raise ``ValueError`` unless the value is one of the words, in the range, or a bool."""
        if self.words:
            checked_word(value, name, self.words)
        if isinstance(self.least, int):
            checked_int(value, name.replace("_", " "), self.least)
        if isinstance(self.default, bool) and not isinstance(value, bool):
            raise ValueError(f"expected True or False for {name}, got {value!r}")


def declare(default: Any, help: str, *, hash: bool | None = None, **more: Any) -> Any:  # noqa: A002
    """Declare an option of a request: a field of a dataclass; ``more`` is as in `Option`.

    >>> @dataclass(frozen=True)
    ... class Request:
    ...     limit: int | None = declare(None, "Stop at N solutions.", least=1)
    >>> options_of(Request)["limit"].least
    1
    """
    made = {"default_factory": default} if default is dict else {"default": default}
    return field(
        **made, hash=hash, metadata={"option": Option(help, made.get("default", {}), **more)}
    )


def options_of(request: type[Any]) -> dict[str, Option]:
    """Return the options of a dataclass by field name."""
    return {one.name: one.metadata["option"] for one in fields(request) if "option" in one.metadata}


_declared = cache(options_of)


def check_options(request: Any) -> None:
    """Raise ``ValueError`` for an option of a request that is not as declared, nor the default."""
    for name, one in _declared(type(request)).items():  # type: ignore[arg-type]
        if (value := getattr(request, name)) is not None or one.default is not None:
            one.check(name, value)
