"""Reading of puzzle files: the formats by name, and errors with line and column.

A `Document` is a text with a name and numbered lines. With `decide_kind` and `Draft`, every reader
makes a puzzle and reports errors at their places.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from importlib import import_module
from itertools import accumulate, takewhile
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from linkoracle.core import FormatError, PuzzleError, named, quoted
from linkoracle.kinds import KINDS, Puzzle, alternatives, kind_named

#: Bytes of the longest text: a longer one could fill the memory before there is an answer.
MAX_TEXT = 100_000_000

#: A longer line is refused at once: it is not a puzzle, and would only cost time.
MAX_LINE = 1_000_000

#: A larger board is refused: nothing here could solve it, and it would only fill the memory.
MAX_CELLS = 1_000_000

#: A longer number is refused: no board has that many pairs.
MAX_DIGITS = 18

#: A place in a document as ``(line, column)``, both from 1.
Place = tuple[int, int]

_MAX_PATH_SHOWN = 200

#: Characters at which only some programs end a line, or which change the order of the text.
_CONTROL = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


class About(NamedTuple):
    """The metadata of a puzzle: its name, its author, and its rules in the author's words."""

    name: str | None = None
    author: str | None = None
    rules: str | None = None


#: No metadata.
NOTHING = About()


@dataclass(frozen=True)
class Entry:
    """A puzzle, its first line in the source, counted from 1, and its metadata."""

    puzzle: Puzzle
    line: int
    about: About = NOTHING

    @property
    def name(self) -> str | None:
        """The name of the puzzle, if it has one."""
        return self.about.name


#: Returns the place of an item of a list by its index, or of the list for ``None``.
PlaceIn = Callable[[int | None], Place]
Points = Mapping[str, tuple[Sequence[Any], PlaceIn]]


def misplaced(said: object, kind: type[Puzzle], where: str) -> str | None:
    """Return the reason if a text is the name of a variant, in a place that cannot choose one.

    A program that wrote the variant there would otherwise get the count of another one.
    """
    word = said.strip().lower() if isinstance(said, str) else ""
    if word not in kind.variants:
        return None
    return f"expected the variant {quoted(word)} under the name 'variant', found it {where}"


def clean_name(name: str) -> str | None:
    """Return ``name`` on one line without control characters; ``None`` if nothing is left."""
    printable = "".join(char if char.isprintable() else " " for char in name)
    return " ".join(printable.split()) or None


class Document:
    """A text, its name in messages, and the requested ``kind`` and ``variant``, or ``None``.

    The text is read by `plain_text`. Raises `FormatError` for lines too long and for controls.

    >>> document = Document("slitherlink\\n3.\\n.2\\n", "a.txt")
    >>> document.lines[1]
    '3.'
    >>> print(document.error("expected a clue", 2, 1))
    a.txt:2:1: expected a clue
    """

    def __init__(
        self,
        text: str,
        name: str | None = None,
        kind: str | None = None,
        variant: str | None = None,
    ) -> None:
        self.name, self.kind, self.variant = name, kind, variant
        # Texts of web pages have spaces at which lines do not break.
        self.text = plain_text(text, name).replace("\xa0", " ")
        self.lines = [*map(_bare, self.text.split("\n"))]

    def error(self, reason: str, line: int | None = None, column: int | None = None) -> FormatError:
        """Return the error with a reason at a line and a column."""
        return FormatError(reason, source=self.name, line=line, column=column)

    def place(self, offset: int) -> Place:
        """Return the line and column of the character at ``offset`` in ``text``."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    @cached_property
    def starts(self) -> list[int]:
        """The offsets of the lines in ``text``."""
        return list(accumulate((len(line) + 1 for line in self.lines), initial=0))


def text_and_name(source: str | os.PathLike[str], name: str | None) -> tuple[str, str | None]:
    """Return the text of a source, and its name in messages.

    A string is the text itself, whatever it looks like, and is never opened: a service may read
    what its users send. Only a path object names a file. Raises `FormatError` if there is no such
    file or it is not text.
    """
    if isinstance(source, str):
        return source, name
    if not isinstance(source, os.PathLike):
        raise TypeError(f"expected a text or a pathlib.Path, got {type(source).__name__}")
    path = os.fspath(source)
    plain = path.isprintable() and len(path) <= _MAX_PATH_SHOWN
    shown = name or (path if plain else quoted(path))
    return file_text(path, shown), shown


def is_one_line_puzzle(text: str) -> bool:
    """Return whether a text is a URL, a game ID or JSON: a puzzle that a command line can hold."""
    return any(one.sniff(Document(text), 0) for one in FORMATS.values() if one.one_line)


def whole(stream: BinaryIO, name: str) -> bytes:
    """Return all bytes of a stream; raise `FormatError` if they are more than `MAX_TEXT`."""
    data = stream.read(MAX_TEXT + 1)
    if len(data) > MAX_TEXT:
        raise FormatError(f"expected at most {MAX_TEXT} bytes, found more", source=name)
    return data


def decoded(data: bytes, name: str, line: int = 1) -> str:
    """Return bytes, from this line on, as text; raise `FormatError` if they are not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        reason = f"not a text file in UTF-8: found the byte 0x{data[error.start]:02x}"
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            reason = "not a text file in UTF-8, but in UTF-16. Save it as UTF-8"
        *before, last = data[: error.start].decode().removeprefix("\ufeff").split("\n")
        line, column = line + len(before), len(last) + 1
        raise FormatError(reason, source=name, line=line, column=column) from None


def file_text(path: str, shown: str) -> str:
    """Return the text of a file; raise `FormatError` if it is missing, unreadable or binary."""
    try:
        with Path(path).open("rb") as file:
            return decoded(whole(file, shown), shown)
    except FormatError:
        raise
    except (OSError, ValueError) as error:
        # A path may contain a NUL or a lone surrogate.
        reason = getattr(error, "strerror", None) or "not the name of a file"
        missing = isinstance(error, FileNotFoundError)
        message = "no such file" if missing else f"cannot be read: {reason}"
        raise FormatError(message, source=shown) from None


def plain_text(text: str, name: str | None = None, longest: int = MAX_LINE) -> str:
    r"""Return a text that people wrote, in any format, as all readers take it.

    It has no byte order mark at its start, and its lines end at ``\n``, not ``\r\n``. Raises
    `FormatError` for a line of more than ``longest`` characters, and for control characters.

    >>> plain_text("\ufeff3.\r\n.2\r\n")
    '3.\n.2\n'
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if len(text) > longest:
        for number, line in enumerate(text.split("\n"), start=1):
            if len(line) > longest:
                reason = f"expected lines of at most {longest} characters, found {len(line)}"
                raise FormatError(reason, source=name, line=number)
    if odd := _CONTROL.search(text):
        reason = f"expected text with lines that end at \\n or \\r\\n, found {quoted(odd[0])}"
        raise error_at(text, odd.start(), reason, name)
    return text


#: A link as texts hold it: in brackets, or in Markdown, or one that another link leads to.
_WRAPPED = re.compile(
    r"\s*(?:<|\(|\[[^\]]*\]\()(?P<inner>[^\s<>()]*://[^\s<>()]*)[>)]\s*"
    r"|\s*\S*://\S*?(?P<last>https?://\S*\?\S+)"
)


def _bare(line: str) -> str:
    """Return a line with blanks in place of what is around its link, so that columns stay.

    >>> _bare("[mine](https://puzz.link/p?slither/1/1/4)")
    '       https://puzz.link/p?slither/1/1/4 '
    """
    if "://" not in line or (found := _WRAPPED.fullmatch(line)) is None:
        return line
    start, end = found.span(found.lastgroup or 0)
    return " " * start + line[start:end] + " " * (len(line) - end)


def error_at(text: str, offset: int, reason: str, name: str | None) -> FormatError:
    """Return the error with a reason at the character at ``offset`` of a text."""
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return FormatError(reason, source=name, line=line, column=column)


def decide_kind(
    document: Document,
    stated: str | None,
    line: int,
    column: int | None = None,
    *,
    advice: str = "Add a first line such as 'slitherlink', or name",
) -> type[Puzzle]:
    """Return the kind stated by the text or requested by the caller.

    Raises `FormatError` at the given place if the two differ or both are missing; ``advice`` is how
    the text can state the kind. Clues do not decide the kind, as a grid of digits may be a puzzle
    of several kinds.
    """
    name = stated or document.kind
    if name is None:
        reason = f"the text does not say its kind of puzzle. {advice} the kind (--kind)"
        raise document.error(reason, line)
    if document.kind and name != document.kind:
        raise document.error(f"expected the kind {document.kind}, found {name}", line, column)
    kind = kind_named(name)
    if document.variant and document.variant not in kind.variants:
        expected = f"expected the variant {alternatives(kind.variants)} of {name}"
        raise document.error(f"{expected}, found {document.variant!r}", line)
    return kind


def checked_size(document: Document, rows: int, cols: int, line: int, column: int) -> None:
    """Raise `FormatError` at the given place if a board has no cell or too many."""
    if not 0 < rows * cols <= MAX_CELLS:
        reason = f"expected a board of 1 to {MAX_CELLS} cells, found {rows}x{cols}"
        raise document.error(reason, line, column)


@dataclass
class Draft:
    """A puzzle while it is read: its text and first line, its kind, and its annotations."""

    document: Document
    line: int
    kind: type[Puzzle]
    variant: str | None = None
    points: Points = field(default_factory=dict)
    about: About = NOTHING

    def of_grid(self, grid: Sequence[Sequence[Any]], place: Callable[[int, int], Place]) -> Entry:
        """Return the puzzle with this grid; ``place`` maps a cell to the text.

        Turns a `PuzzleError` into a `FormatError` at its place.
        """
        self.only(self.kind.annotations, f"in a puzzle of the kind {self.kind.kind}")
        return self.made(partial(self.kind.from_grid, grid, self.variant), place)

    def only(self, known: Collection[str], where: str) -> None:
        """Raise `FormatError` for annotations that are not ``known``."""
        for name, (_, place_in) in self.points.items():
            if name not in known:
                reason = f"expected no {name} {where}, found some"
                raise self.document.error(reason, *place_in(None))

    def made(self, make: Callable[..., Puzzle], place: Callable[..., Place]) -> Entry:
        """Return the puzzle that ``make`` makes with the annotations; see `of_grid`."""
        document, line, points = self.document, self.line, self.points
        try:
            puzzle = make(**{name: found for name, (found, _) in points.items()})
        except PuzzleError as error:
            at: tuple[int, int | None] = (line, None)
            if error.cell is not None:
                at = place(*error.cell)
            elif points:
                listed, number = error.listed or (next(iter(points)), None)
                at = points[listed][1](number)
            raise document.error(error.reason, *at) from None
        try:
            if document.variant is not None:
                puzzle = puzzle.with_variant(document.variant)
        except PuzzleError as error:
            raise document.error(error.reason, line) from None
        return Entry(puzzle, line, self.about)


#: The start of a line in each format, after leading spaces.
_JSON = re.compile(r"[{\[]")
_LINK = re.compile(r"(?:\S*#(?:play=)?)?lo:[A-Za-z0-9_-]+[ \t]*$")
_PENPA = re.compile(r"(?:\S*[#?&])?m=(?:edit|solve)&p=|\S*penpa\S*[#?&]p=")
_SUDOKUPAD = re.compile(r"\S*(?:/|puzzleid=)(?:scl|ctc)[A-Za-z0-9+/=%_-]{8}")
_PZPR_FILE = re.compile(r"(?:[^\s#]*\?)?(?:\w+=\w*&)*pzprv3(?:\.\d)?(?:\s*$|/|%2[Ff])", re.ASCII)
_PZPR = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*://|[^\s#]*\?(?:\w+=\w*&)*(?:[mp]\+)?(?:v:)?\w+(?:/|%2[Ff])"
    r"|(?:[mp]\+)?[a-z][a-z0-9]*(?:_edit|_play)?/(?:[^/\s]*/)?\d+/\d+(?:/|\s|$)"
)
# A number and a "#" may be a row and a comment: only after an x or t is it a seed.
_LOOPY = re.compile(
    r"\d+(?:x\d+)?(?:t\d+)?(?:d[a-z])?n?:|\d+(?:x\d+(?:t\d+)?|t\d+)(?:d[a-z])?n?#"
    r"|SAVEFILE:\d+:",
    re.ASCII,
)
_DIMENSIONS = re.compile(r"\d+[ \t]+\d+[ \t]*(?:#|$)", re.ASCII)


@dataclass(frozen=True)
class Format:
    """One format: its name, a line about it, and its functions.

    ``one_line`` formats have one line per puzzle, written without a line break at the end. The
    module of a format is loaded if some line of the puzzle ``looks`` like the format, or with
    ``first`` the first line. Then its ``sniffer`` decides, if there is one. A ``writer`` may be in
    another module: ``module:function``.
    """

    name: str
    description: str
    module: str
    looks: re.Pattern[str]
    sniffer: str | None = None
    reader: str = "read"
    writer: str | None = "write"
    first: bool = True
    one_line: bool = False

    @property
    def writes(self) -> bool:
        """Whether puzzles can be written in this format."""
        return self.writer is not None

    def sniff(self, document: Document, index: int) -> bool:
        """Return whether the puzzle at a line is in this format."""
        end = index + 1 if self.first else len(document.lines)
        lines = (document.lines[at].strip(" \t") for at in range(index, end))
        if not any(self.looks.match(line) for line in takewhile(bool, lines)):
            return False
        return self.sniffer is None or bool(self._part(self.sniffer)(document, index))

    def read(self, document: Document, index: int) -> tuple[list[Entry], int]:
        """Return the puzzles at a line, and the index of the line after them."""
        found: tuple[list[Entry], int] = self._part(self.reader)(document, index)
        return found

    def write(self, puzzle: Puzzle, about: About) -> str:
        """Return the puzzle as text; raise `FormatError` if the format cannot express it."""
        assert self.writer is not None
        return str(self._part(self.writer)(puzzle, about))

    def _part(self, name: str) -> Callable[..., Any]:
        module, _, name = name.rpartition(":")
        place = f"linkoracle.formats.{module or self.module}"
        part: Callable[..., Any] = getattr(import_module(place), name)
        return part


_on_one_line = partial(Format, one_line=True)
#: The formats by name, in the order in which they are tried on a text. ``text`` takes the rest.
FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        _on_one_line("json", "JSON: an object a puzzle", "json_format", _JSON),
        _on_one_line("link", "a link of our page, for every kind and board", "link", _LINK),
        _on_one_line("penpa", "a link of Penpa-Edit", "penpa", _PENPA),
        _on_one_line(
            "sudokupad",
            "a link of SudokuPad with its puzzle",
            *("sudokupad", _SUDOKUPAD),
        ),
        Format(
            "pzpr-file",
            "a file that pzpr saves, or a URL that holds one, read only",
            *("pzpr_files", _PZPR_FILE),
            writer=None,
        ),
        _on_one_line("pzpr", "a puzz.link / pzpr URL, such as slither", "pzpr", _PZPR),
        _on_one_line(
            "loopy",
            "a game ID or a saved game of Simon Tatham's Loopy; of Pearl, read only",
            "loopy",
            _LOOPY,
        ),
        Format(
            "slk",
            "a .slk file: Slitherlink with a partial solution, read only",
            *("dims", _DIMENSIONS, "sniff_slk", "read_slk", None),
        ),
        *(
            Format(
                f"{one}-{other}",
                f"rows under a line '{one} {other}'",
                *("dims", _DIMENSIONS, "sniff", "read", f"writing:write_{one}_{other}", False),
            )
            for one, other in (("rows", "cols"), ("cols", "rows"))
        ),
        Format(
            "text",
            "the native text: a header and the rows",
            *("text", re.compile(""), None, "read", "writing:write_text"),
        ),
    )
}

#: A comment that says something about the next puzzle; the last names say nothing yet, so that a
#: variant there is refused.
_ABOUT = re.compile(
    rf"#\s*({'|'.join(About._fields)}|variant|rule|flavour)\s*:(.*)", re.IGNORECASE | re.DOTALL
)


@named
def read(
    source: str | os.PathLike[str], *, kind: str | None = None, variant: str | None = None
) -> Puzzle:
    """Return the only puzzle of a text, or of a file; the arguments are those of `read_all`.

    A string is the text: see `read_file` for files. Raises `FormatError` as `read_all` does, and if
    there are several puzzles.

    >>> read("slitherlink\\n3.\\n.2\\n")
    Slitherlink(((3, None), (None, 2)), ends=None)
    >>> read("https://puzz.link/p?numlin/2/2/1212").variant
    'free'
    """
    document, entries = _read(source, None, kind, variant)
    if len(entries) > 1:
        raise document.error(f"expected one puzzle, found {len(entries)} (read_all reads them all)")
    return entries[0].puzzle


@named
def read_file(
    path: str | os.PathLike[str], *, kind: str | None = None, variant: str | None = None
) -> Puzzle:
    """Return the only puzzle of a file; raises what `read` raises.

    >>> read_file("instances/slitherlink-4x4.txt").rows
    4
    """
    return read(Path(path), kind=kind, variant=variant)


@named
def read_all(
    source: str | os.PathLike[str],
    *,
    kind: str | None = None,
    variant: str | None = None,
    name: str | None = None,
) -> list[Entry]:
    """Return all puzzles of ``source`` in order; their formats may differ.

    ``source`` is a text, or a file as a `pathlib.Path`. A string is never a file name, so that a
    text from elsewhere opens no file.
    ``kind`` names one of `linkoracle.kinds.KINDS`, if the text does not state the kind. ``variant``
    overrides the variant of every puzzle. ``name`` is the name of the source in errors.

    Raises `FormatError`, with line and column, for a text that is not a series of puzzles.

    >>> for entry in read_all("# name: tiny\\nslitherlink\\n4\\n\\nnumberlink\\n11\\n"):
    ...     print(entry.line, entry.name, entry.puzzle.kind)
    2 tiny slitherlink
    5 None numberlink
    """
    return _read(source, name, kind, variant)[1]


def _read(
    source: str | os.PathLike[str], name: str | None, kind: str | None, variant: str | None
) -> tuple[Document, list[Entry]]:
    variants = (variant for found in KINDS.values() for variant in found.variants)
    for thing, value, known in (("kind", kind, iter(KINDS)), ("variant", variant, variants)):
        # Look up names only if needed, as that loads the kinds.
        if value is not None and value not in (names := list(dict.fromkeys(known))):
            reason = f"expected the {thing} {alternatives(names)}, found {quoted(str(value))}"
            raise FormatError(reason, source=name)
    text, shown = text_and_name(source, name)
    document = Document(text, shown, kind, variant)
    try:
        return document, _entries(document)
    except FormatError as error:
        if (
            shown is None
            and document.text.strip()
            and len(document.lines) == 1
            and not error.column
        ):
            error.reason += ". A string is read as text; read_file reads a file"
        raise


def _entries(document: Document) -> list[Entry]:
    """Return the puzzles of a document."""
    entries: list[Entry] = []
    about, words = NOTHING, dict[int, str]()
    index = 0
    while index < len(document.lines):
        line = document.lines[index].lstrip(" \t")
        if not line or line.startswith("#"):
            if comment := _ABOUT.match(line):
                key = comment[1].lower()
                if key in About._fields:
                    about = about._replace(**{key: clean_name(comment[2])})
                if key not in ("name", "author"):
                    words[index + 1] = comment[2]
            index += 1
            continue
        one = next(one for one in FORMATS.values() if one.sniff(document, index))
        found, index = one.read(document, index)
        for entry in found:
            kind = type(entry.puzzle)
            for at, said in words.items():
                where = "in a comment; a header names it after the kind"
                if fault := misplaced(said, kind, where):
                    raise document.error(fault, at)
            if fault := misplaced(entry.about.rules, kind, "in the author's rules"):
                raise document.error(fault, entry.line)
            # Metadata in the puzzle itself comes before comments above it.
            merged = (own or above for own, above in zip(entry.about, about, strict=True))
            entries.append(replace(entry, about=About(*merged)))
        about = NOTHING
        words.clear()
    if not entries:
        raise document.error("expected a puzzle, found none")
    return entries
