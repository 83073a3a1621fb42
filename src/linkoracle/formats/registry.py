"""The formats by name: what reads, recognizes and writes each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from linkoracle.formats import dims, json_format, loopy, pzpr, slk, text
from linkoracle.formats.document import Asked, Document, Entry
from linkoracle.puzzles import Puzzle

Sniffer = Callable[[Document, int], bool]
Reader = Callable[[Document, int, Asked], tuple[list[Entry], int]]
Writer = Callable[[Puzzle, str | None], str]


@dataclass(frozen=True)
class Format:
    """One format: its name, a line about it, and what it can do.

    ``sniff(document, index)`` tells whether the puzzle at a line is in this format,
    ``read(document, index, asked)`` returns the entries there and the index of the line after
    them, ``write(puzzle, name)`` returns the text. ``one_line`` formats take a line a puzzle, and
    are written without a line break at the end.
    """

    name: str
    description: str
    sniff: Sniffer
    read: Reader
    write: Writer | None
    one_line: bool = False

    @property
    def writes(self) -> bool:
        """Whether puzzles can be written in this format."""
        return self.write is not None


_ALL = (
    Format(
        "json",
        "JSON: an object a puzzle",
        json_format.sniff,
        json_format.read,
        json_format.write,
        one_line=True,
    ),
    Format(
        "pzpr",
        "a puzz.link / pzpr URL: slither or numlin",
        pzpr.sniff,
        pzpr.read,
        pzpr.write,
        one_line=True,
    ),
    Format(
        "loopy",
        "a game ID of Simon Tatham's Loopy: loops only",
        loopy.sniff,
        loopy.read,
        loopy.write,
        one_line=True,
    ),
    Format(
        "slk",
        "a .slk file: Slitherlink with a partial solution, read only",
        slk.sniff,
        slk.read,
        None,
    ),
    Format(
        "rows-cols",
        "rows under a line 'rows cols'",
        dims.sniff,
        dims.read,
        dims.write_rows_cols,
    ),
    Format(
        "cols-rows",
        "rows under a line 'cols rows'",
        dims.sniff,
        dims.read,
        dims.write_cols_rows,
    ),
    Format(
        "text",
        "the native text: a header and the rows",
        text.sniff,
        text.read,
        text.write,
    ),
)

#: The formats by name, in the order in which they are tried on a text: ``text`` takes what is left.
FORMATS: dict[str, Format] = {one.name: one for one in _ALL}
