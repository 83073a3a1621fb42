"""The codings of cells in pzpr URLs: https://github.com/sabo2/pzprjs, ``Encode.js``.

A coding reads code by code, so that an error names its place, and writes exactly what pzpr
writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any, NamedTuple

from linkoracle.core import FormatError

_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"

#: Directions in the order of their digits, 0 for none.
_ARROWS = " nswe"

#: Codings of numbers by prefix: the number of digits, the least number, and the first number that
#: needs another prefix.
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
    """One code of a body: its cells, and its length in characters.

    ``padded`` is set if its last cells may lie beyond the board, as in the last code that pzpr
    writes.
    """

    cells: tuple[int | str | None, ...]
    length: int = 1
    padded: bool = False


@dataclass(frozen=True)
class Coding:
    """A coding of cells: ``read`` reads the code at a position, ``write`` writes all cells.

    ``read`` raises ``ValueError`` for an invalid code. With ``may_lack`` the body may be missing;
    then all cells are empty.
    """

    read: Callable[[str, int], Code]
    write: Callable[[Sequence[Any]], str]
    may_lack: bool = False


def _coding(
    read: Callable[[str, int], Code], write: Callable[[list[Any]], str], first: str = "g"
) -> Coding:
    """Return a coding in which the letters ``first`` to ``z`` are runs of 1, 2, ... empty cells.

    ``write`` returns a blank for each empty cell.
    """
    letters = _LETTERS[_LETTERS.find(first) :]

    def read_or_run(body: str, position: int) -> Code:
        length = letters.find(body[position]) + 1
        return Code((None,) * length) if length else read(body, position)

    def write_runs(cells: Sequence[Any]) -> str:
        longest = f" {{1,{len(letters)}}}"
        return re.sub(longest, lambda run: letters[len(run[0]) - 1], write([*cells]))

    return Coding(read_or_run, write_runs)


def _each(code: Callable[[Any], str]) -> Callable[[list[Any]], str]:
    """Return a function that writes cells one by one with ``code``."""
    return lambda cells: "".join(" " if cell is None else code(cell) for cell in cells)


def _read_four(body: str, position: int, unknown: int | str | None = None) -> Code:
    """Read a clue 0-4 and up to two empty cells after it; ``.`` stands for ``unknown``."""
    char = body[position]
    value = _LETTERS.find(char)
    if 0 <= value < 15:
        return Code((value % 5, *(None,) * (value // 5)), padded=True)
    if char == ".":
        return Code((unknown,))
    raise ValueError(f"expected a clue 0-9 or a-e, '.', or a run g-z, found {char!r}")


def _write_four(cells: list[Any]) -> str:
    text = _each(lambda clue: "." if clue == -1 else str(clue))(cells)

    def code(found: re.Match[str]) -> str:
        # The last clue takes two empty cells, even beyond the board.
        blanks = 2 if found.end() == len(text) else len(found[2])
        return _LETTERS[int(found[1]) + 5 * blanks]

    return re.sub(r"(\d)( {0,2})", code, text)


def _read_hex(body: str, position: int, unknown: int | str | None = None) -> Code:
    """Read a hexadecimal digit, or a prefix and several; ``.`` stands for ``unknown``, if any."""
    char = body[position]
    value = _LETTERS.find(char)
    if 0 <= value < 16:
        return Code((value,))
    if char == "." and unknown is not None:
        return Code((unknown,))
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
    raise ValueError(f"expected a number or a run g-z of empty cells, found {char!r}")


def _hex_code(number: int) -> str:
    if number == -1:
        return "."
    for prefix, (length, base, end) in _NUMBERS.items():
        if number < end:
            return f"{prefix}{number - base:0{length}x}"
    raise _too_large(number)


def _too_large(number: int) -> FormatError:
    return FormatError(f"a pzpr URL cannot say a number as large as {number}")


def _read_circle(body: str, position: int) -> Code:
    """Read a circle: twice its number, or 0 for no number, plus 1 if the circle is black."""
    (number,), length, _ = _read_hex(body, position)
    return Code((f"{'wb'[int(number) % 2]}{int(number) // 2 or ''}",), length)  # type: ignore[arg-type]


def _circle_code(circle: str) -> str:
    return _hex_code(2 * int(circle[1:] or 0) + (circle[0] == "b"))


def _read_arrow(body: str, position: int) -> Code:
    """Read an arrow, with a number or without, or ``x`` for a closed cell without both."""
    found = re.match(r"0\.|([1-4])([0-9a-f.])|([6-9])([0-9a-f]{2})", body[position:])
    if not found:
        raise ValueError(
            "expected an arrow 1-4 and a number or '.', '0.' for a closed cell, or a run a-z of "
            f"empty cells, found {body[position : position + 2]!r}"
        )
    way, number = found[1] or found[3] or 0, found[2] or found[4] or "."
    word = arrow_word(int(way) % 5, None if number == "." else int(number, 16))
    return Code((word,), len(found[0]))


def arrow_word(way: int, number: int | None) -> str:
    """Return the word of a closed cell with an arrow by its digit, 0 for none, and a number.

    >>> arrow_word(4, 2), arrow_word(1, None), arrow_word(0, None)
    ('2e', 'n', 'x')
    """
    return ("" if number is None else str(number)) + _ARROWS[way].strip() or "x"


def _arrow_code(word: str) -> str:
    if word == "x":
        return "0."
    arrow = _ARROWS.index(word[-1])
    if word[:-1] == "":
        return f"{arrow}."
    number = int(word[:-1])
    if number > 255:
        raise _too_large(number)
    return f"{arrow + 5 * (number > 15)}{number:x}"


def _read_wall(body: str, position: int) -> Code:
    """Read a colour, and an arrow or a closed cell as `_read_arrow` does."""
    if body[position] not in "012" or position + 1 == len(body):
        found = body[position : position + 2]
        raise ValueError(f"expected a colour 0-2 and an arrow, or a run a-z, found {found!r}")
    if body[position + 1] in _LETTERS[10:]:
        raise ValueError(f"expected an arrow after a colour, found {body[position + 1]!r}")
    (word,), length, _ = _read_arrow(body, position + 1)
    return Code((wall_word(str(word), int(body[position])),), 1 + length)


def wall_word(word: str, colour: int) -> str:
    """Return the word of a cell of a Castle Wall from that of an arrow, and a colour by its digit.

    >>> wall_word("2e", 1), wall_word("x", 2), wall_word("x", 0)
    ('2eo', 'x', '?')
    """
    return word.replace("x", "") + ("", "o", "x")[colour] or "?"


def _wall_code(word: str) -> str:
    arrow = word.rstrip("ox?")
    return f"{max(0, '?ox'.find(word[-1]))}{_arrow_code(arrow or 'x')}"


def _packed(clues: Sequence[int | str | None], length: int, *, may_lack: bool = False) -> Coding:
    """Return the coding with ``length`` cells per digit, the first in the highest place.

    ``clues`` are the meanings of the values 0, 1, ... of a cell.
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
        if unsaid := {*cells} - {*clues}:
            raise FormatError(f"a pzpr URL cannot say the clue {min(map(str, unsaid))!r}")
        if may_lack and not any(map(values.__getitem__, cells)):
            return ""
        padded = [*map(values.__getitem__, cells), *[0] * (-len(cells) % length)]
        groups = zip(*[iter(padded)] * length, strict=True)
        return "".join(
            _LETTERS[reduce(lambda value, one: value * base + one, group)] for group in groups
        )

    return Coding(read, write, may_lack=may_lack)


def _in_base(value: int, bases: Sequence[int]) -> list[int]:
    """Return the digits of a number; the first may be larger than its base says."""
    digits: list[int] = []
    for base in reversed(bases[1:]):
        value, digit = divmod(value, base)
        digits.insert(0, digit)
    return [value, *digits]


#: Lists of numbers, by how many there are: the prefix, the value of no numbers, and the base.
_LISTS = {2: ("", 360, 8), 3: ("+", 36, 7), 4: ("-", 36, 6)}


def _read_sections(body: str, position: int) -> Code:
    """Read up to four numbers, of which 0 stands for ``?``, or a single one."""
    char = body[position]
    if char in "012345678":
        return Code((char,))
    if char == ".":
        return Code(("?",))
    long = char in "+-"
    digits = body[position + long : position + long + 2]
    if not re.fullmatch(r"[0-9a-z]{2}", digits) or not (long or char in "abcdef"):
        raise ValueError(f"expected numbers of cells or a run g-z, found {body[position:][:3]!r}")
    length = {"+": 3, "-": 4}.get(char, 2)
    _, first, base = _LISTS[length]
    found = _in_base(int(digits, 36) - first, [base] * length)
    return Code((",".join(str(number or "?") for number in found),), 2 + long)


def _sections_code(word: str) -> str:
    numbers = [0 if one == "?" else int(one) for one in word.split(",")]
    if len(numbers) == 1:
        return "." if word == "?" else word
    prefix, value, base = _LISTS[len(numbers)]
    if max(numbers[1:]) >= base or numbers[0] > 8:
        raise _too_large(max(numbers))
    value += reduce(lambda all_, one: all_ * base + one, numbers)
    return f"{prefix}{_LETTERS[value // 36]}{_LETTERS[value % 36]}"


def _read_lengths(body: str, position: int) -> Code:
    """Read lengths, each with its last digit as one and others as letters, or a run.

    A run after numbers has a cell less than its letter says, to keep numbers apart.
    """
    if found := re.match(r"(?:[a-j]*\d)+", body[position:], re.ASCII):
        numbers = re.findall(r"[a-j]*\d", found[0], re.ASCII)
        words = ("".join(str(_LETTERS.index(one) % 10) for one in number) for number in numbers)
        return Code((",".join("?" if word == "0" else word for word in words),), len(found[0]))
    if body[position] == "/":
        # The end, one cell too early.
        return Code((None,))
    length = _LETTERS.find(body[position]) - 19
    if length < 1:
        raise ValueError(f"expected lengths or a run k-z, found {body[position]!r}")
    return Code((None,) * (length - (position > 0 and body[position - 1].isdigit())))


def _write_lengths(cells: Sequence[Any]) -> str:
    text, run = "", 0
    for cell in cells:
        if cell is None:
            run += 1
            if run < 16:
                continue
        if run:
            text += _LETTERS[19 + run]
        run = 0 if cell is None else 1
        for number in () if cell is None else cell.split(","):
            # The site reads longer numbers as several.
            if len(number) > 1:
                raise _too_large(int(number))
            text += number.replace("?", "0")
    return text + (_LETTERS[19 + run] if run > 1 else "/")


def _read_dot(body: str, position: int) -> Code:
    """Read a dot and up to seven empty places after it."""
    value = _LETTERS.find(body[position])
    if not 0 <= value < 16 or value % 2 == 0:
        raise ValueError(f"expected a dot 1, 3 ... f, or a run g-z, found {body[position]!r}")
    return Code((0, *(None,) * (value // 2)), padded=True)


def _write_dots(cells: list[Any]) -> str:
    text = _each(lambda _: "*")(cells)

    def code(found: re.Match[str]) -> str:
        # No dot follows the last one.
        blanks = len(found[1]) if len(found[1]) < 7 and found.end() < len(text) else 7
        return _LETTERS[2 * blanks + 1] + " " * (len(found[1]) - blanks)

    return re.sub(r"\*( {0,7})", code, text)


def _read_wind(body: str, position: int) -> Code:
    """Read an arrow, 5 for a closed cell, or 5 more for one with an arrow."""
    value = _LETTERS.find(body[position])
    if not 0 < value < 10:
        raise ValueError(f"expected an arrow 1-9 or a run a-z, found {body[position]!r}")
    return Code(("x" * (value // 5) + _ARROWS[value % 5].strip(),))


def _wind_code(word: str) -> str:
    return str(5 * (word[0] == "x") + max(0, _ARROWS.find(word.removeprefix("x") or " ")))


#: Clues from 0 to 4, without and with -1 for ``?``; numbers, without and with -1; arrows with
#: numbers, without and with a colour; circles; marked cells, as 0; borders of regions, as 0;
#: pearls; lists of numbers of cells, and of lengths; dots; and winds.
#: `linkoracle.kinds.puzzle.Pzpr` names these codings in lower case.
FOUR = _coding(_read_four, _write_four)
FOUR_OR_UNKNOWN = _coding(partial(_read_four, unknown=-1), _write_four)
HEX = _coding(_read_hex, _each(_hex_code))
HEX_OR_UNKNOWN = _coding(partial(_read_hex, unknown=-1), _each(_hex_code))
ARROWS = _coding(_read_arrow, _each(_arrow_code), "a")
WALLS = _coding(_read_wall, _each(_wall_code), "a")
CIRCLES = _coding(_read_circle, _each(_circle_code))
BITS = _packed((None, 0), 5, may_lack=True)
BORDERS = _packed((None, 0), 5)
PEARLS = _packed((None, "w", "b"), 3)
SECTIONS = _coding(_read_sections, _each(_sections_code))
LENGTHS = Coding(_read_lengths, _write_lengths)
DOTS = _coding(_read_dot, _write_dots)
WINDS = _coding(_read_wind, _each(_wind_code), "a")


def coding_of(coding: str | Coding) -> Coding:
    """Return a coding by its lower-case name in this module; return a `Coding` unchanged.

    >>> coding_of("pearls") is PEARLS
    True
    """
    found: Coding = globals()[coding.upper()] if isinstance(coding, str) else coding
    return found
