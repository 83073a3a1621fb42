"""How pzpr codes the cells of a board in its URLs: https://github.com/sabo2/pzprjs, ``Encode.js``.

A coding reads code by code, so that an error can be told at its place, and writes exactly what pzpr
writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, NamedTuple

from linkoracle.core.errors import FormatError

_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"

#: Codings of numbers by their prefixes: how many digits, what they count from, and the first number
#: that is written in another way.
_NUMBERS = {
    "": (1, 0, 16),
    "-": (2, 0, 256),
    "+": (3, 0, 4096),
    "=": (3, 4096, 8192),
    "%": (3, 8192, 12240),
    "*": (4, 12240, 77776),
    "$": (5, 77776, 77776 + 16**5),
}


class Code(NamedTuple):
    """One code of a body: the cells that it stands for, and how many characters it takes.

    ``padded`` is set when cells at its end may overhang the board: pzpr writes its last code so.
    """

    cells: tuple[int | str | None, ...]
    length: int = 1
    padded: bool = False


@dataclass(frozen=True)
class Coding:
    """A coding of cells: ``read`` the code at a position, or ``write`` all cells.

    ``read`` raises ``ValueError`` for what is no code. With ``may_lack`` a body may be missing
    altogether: then all cells are empty.
    """

    read: Callable[[str, int], Code]
    write: Callable[[Sequence[Any]], str]
    may_lack: bool = False


def _run(char: str) -> Code | None:
    """The code of a run of empty cells, ``g`` to ``z`` for 1 to 20, if it is one."""
    length = _LETTERS.find(char) - 15
    return Code((None,) * length) if length > 0 else None


def _with_runs(codes: str) -> str:
    """Codes with a dot for each empty cell, which become runs of up to 20."""
    return re.sub(r"\.{1,20}", lambda run: _LETTERS[15 + len(run[0])], codes)


def _read_four(body: str, position: int) -> Code:
    """A clue 0-4 with none, one or two empty cells after it; ``.`` is a clue yet to be chosen."""
    char = body[position]
    value = _LETTERS.find(char)
    if 0 <= value < 15:
        return Code((value % 5, *(None,) * (value // 5)), padded=True)
    if char == ".":
        return Code((None,))
    if run := _run(char):
        return run
    raise ValueError(f"expected a clue 0-9 or a-e, '.', or a run g-z, found {char!r}")


def _write_four(cells: Sequence[Any]) -> str:
    text = "".join("." if clue is None else str(clue) for clue in cells)

    def code(found: re.Match[str]) -> str:
        # The last clue takes two empty cells along, whether they are there or not.
        blanks = 2 if found.end() == len(text) else len(found[2])
        return _LETTERS[int(found[1]) + 5 * blanks]

    return _with_runs(re.sub(r"(\d)(\.{0,2})", code, text))


def _read_hex(body: str, position: int) -> Code:
    """A hexadecimal digit, or a prefix and more of them."""
    char = body[position]
    value = _LETTERS.find(char)
    if 0 <= value < 16:
        return Code((value,))
    if char == ".":
        raise ValueError("expected a number in every marked cell, found '.', which stands for '?'")
    if char in _NUMBERS:
        length, base, _ = _NUMBERS[char]
        digits = body[position + 1 : position + 1 + length]
        if not re.fullmatch(f"[0-9a-f]{{{length}}}", digits):
            raise ValueError(
                f"expected {length} hexadecimal digits after {char!r}, found {digits!r}"
            )
        return Code((int(digits, 16) + base,), 1 + length)
    if run := _run(char):
        return run
    raise ValueError(f"expected a number or a run g-z of empty cells, found {char!r}")


def _write_hex(cells: Sequence[Any]) -> str:
    return _with_runs("".join("." if number is None else _hex_code(number) for number in cells))


def _hex_code(number: int) -> str:
    for prefix, (length, base, end) in _NUMBERS.items():
        if number < end:
            return f"{prefix}{number - base:0{length}x}"
    raise FormatError(f"a pzpr URL cannot say a number as large as {number}")


def _packed(clues: Sequence[int | str | None], length: int, *, may_lack: bool = False) -> Coding:
    """The coding of ``length`` cells a digit, the first in the highest place.

    ``clues`` are what the values 0, 1, ... of a cell stand for.
    """
    base = len(clues)
    values = {clue: value for value, clue in enumerate(clues)}

    def read(body: str, position: int) -> Code:
        value = _LETTERS.find(body[position])
        if not 0 <= value < base**length:
            last = _LETTERS[base**length - 1]
            raise ValueError(
                f"expected a digit 0-9 or a-{last} of {length} cells, found {body[position]!r}"
            )
        digits = (value // base**place % base for place in reversed(range(length)))
        return Code(tuple(clues[digit] for digit in digits), padded=True)

    def write(cells: Sequence[Any]) -> str:
        if may_lack and not any(map(values.__getitem__, cells)):
            return ""
        padded = [*map(values.__getitem__, cells), *[0] * (-len(cells) % length)]
        groups = zip(*[iter(padded)] * length, strict=True)
        return "".join(
            _LETTERS[reduce(lambda value, one: value * base + one, group)] for group in groups
        )

    return Coding(read, write, may_lack=may_lack)


#: Clues from 0 to 4; numbers; cells that are marked (with a 0) or not; walls, 0 where there is one;
#: pearls. `linkoracle.kinds.puzzle.Pzpr` names these in lower case.
FOUR = Coding(_read_four, _write_four)
HEX = Coding(_read_hex, _write_hex)
BITS = _packed((None, 0), 5, may_lack=True)
WALLS = _packed((None, 0), 5)
PEARLS = _packed((None, "w", "b"), 3)


def coding_of(coding: str | Coding) -> Coding:
    """Return a coding by its name in this module, in lower case, or itself.

    >>> coding_of("pearls") is PEARLS
    True
    """
    found: Coding = globals()[coding.upper()] if isinstance(coding, str) else coding
    return found
