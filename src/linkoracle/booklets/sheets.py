"""`Sheet`: a puzzle of a booklet with the texts beside it; lists of sheets; and `cards` of them.

Cards are one self-contained HTML page. They adapt to the width of a phone or a screen, and words
can be searched and read aloud. Solutions are a click away. Boards are SVG in the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

from linkoracle.board import Solution
from linkoracle.core import LABELS, listing
from linkoracle.formats import clean_name
from linkoracle.kinds import Puzzle
from linkoracle.render import picture, svg_element

#: The most stars of a puzzle, and the stars of each difficulty.
MOST_STARS = 5
_STARS = {label: min(number, MOST_STARS) for number, label in enumerate(LABELS, start=1)}
#: The words of a tiling.
_TILING = re.compile(r"([a-z_]+) (\d+) (\d+)(?: .*)?")
_TIMES = " \N{MULTIPLICATION SIGN} "
#: The most titles that a cover lists.
_TITLES = 8
#: Pixels per cell of a card, if there is room.
_CELL = 28.0
_STYLE = """
:root { color-scheme: light; font-family: system-ui, sans-serif; color: #1a1a1a; }
body { max-width: 72rem; margin: 0 auto; padding: 1.5rem; line-height: 1.5; background: #f2f2f0; }
h1 { margin: 0; line-height: 1.15; font-size: clamp(1.8rem, 5vw, 3rem); }
header, .rules { max-width: 42rem; }
header { margin-bottom: 2rem; }
summary { cursor: pointer; }
.cards { display: grid; gap: 1.25rem; }
.cards { grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); }
.card { display: flex; flex-direction: column; padding: 1rem; break-inside: avoid; }
.card { background: #fff; border-radius: .6rem; box-shadow: 0 1px 4px #0002; }
.card h2 { display: flex; justify-content: space-between; gap: .5rem; }
.card h2 { margin: 0; font-size: 1.05rem; }
.card p { margin: 0; font-size: .9rem; color: #595959; }
.card svg { display: block; margin: auto; }
.card svg { max-width: 100%; height: auto; }
.stars { letter-spacing: .1em; white-space: nowrap; }
@media print {
  body { background: none; padding: 0; }
  .card { box-shadow: none; border: 1px solid #999; }
}
"""


@dataclass(frozen=True)
class Sheet:
    """A puzzle of a booklet, its solution if shown, and the texts beside it.

    ``grade`` is the difficulty, printed as up to five stars, and with a ``score`` also as a word
    and a number. The text mentions that a puzzle is not ``unique``. ``rules`` in the author's
    words replace the usual rules.
    """

    puzzle: Puzzle
    solution: Solution | None = None
    grade: str | None = None
    unique: bool = True
    name: str | None = None
    score: int | None = None
    author: str | None = None
    rules: str | None = None

    @property
    def stars(self) -> int:
        """The stars of the difficulty; 0 without one."""
        return _STARS.get(self.grade or "", 0)

    @property
    def section(self) -> str:
        """The kind, with the variant and the tiling if they are not the usual ones."""
        puzzle = self.puzzle
        tiling = _TILING.fullmatch(puzzle.size)
        called = f"{puzzle.title}, {puzzle.variants[puzzle.variant]}".removesuffix(", ")
        return f"{called} ({_family(tiling[1])})" if tiling else called

    @property
    def heading(self) -> str:
        return clean_name(self.name or "") or self.puzzle.title

    @property
    def described(self) -> str:
        """The text below the heading of the puzzle."""
        puzzle = self.puzzle
        parts = (
            puzzle.title if self.heading != puzzle.title else "",
            self.size,
            puzzle.variants[puzzle.variant],
            "" if self.unique else "several solutions",
            "" if self.score is None else f"{self.grade} {self.score}",
            f"by {author}" if (author := clean_name(self.author or "")) else "",
        )
        return ", ".join(filter(None, parts))

    @property
    def size(self) -> str:
        size = self.puzzle.size
        if tiling := _TILING.fullmatch(size):
            return f"{_family(tiling[1])} {tiling[2]}{_TIMES}{tiling[3]}"
        return size.replace(" x ", _TIMES)


def _family(name: str) -> str:
    return name.replace("_", " ")


@dataclass(frozen=True)
class Imprint:
    """The imprint of a booklet: its title, the author and the date, and a foreword."""

    title: str
    about: tuple[str, ...]
    foreword: tuple[str, ...]

    @classmethod
    def of(
        cls, title: str | None, author: str | None, made: date | None, foreword: str | None
    ) -> Imprint:
        """Return the imprint with each text on one line; blank lines separate paragraphs."""
        day = f"{made.day} {made:%B %Y}" if made else ""
        about = tuple(filter(None, (clean_name(author or ""), day)))
        paragraphs = tuple(filter(None, (foreword or "").split("\n\n")))
        return cls(clean_name(title or "") or "", about, paragraphs)


class Rule(NamedTuple):
    """The rules of a kind, and a board of the kind."""

    name: str
    text: str
    board: Puzzle


def rules_of(sheets: Iterable[Sheet], own: Mapping[str, str]) -> list[Rule]:
    """Return the rules of each kind of puzzle, in order of appearance.

    The rules of a sheet replace those of its kind. So do ``own`` words, by the name of the kind, or
    of kind and variant with a blank between.
    """
    alike: dict[tuple[str, str], list[Puzzle]] = {}
    stated: set[str | None] = set()
    for sheet in sheets:
        puzzle = sheet.puzzle
        stated.add(sheet.rules)
        words = sheet.rules or own.get(f"{puzzle.kind} {puzzle.variant}") or own.get(puzzle.kind)
        if text := words or puzzle.instructions.get(puzzle.variant):
            name = ", ".join(filter(None, (puzzle.title, puzzle.variants[puzzle.variant])))
            name = sheet.heading if sheet.rules else name
            alike.setdefault((name, text), []).append(puzzle)
    names = [name for name, _ in alike]
    rules = []
    for (name, text), (first, *others) in alike.items():
        # Print the instruction for annotations if one of the puzzles has them.
        more = (
            listed.instruction
            for beside, listed in first.annotations.items()
            if any(getattr(puzzle, beside, ()) for puzzle in (first, *others))
        )
        # Of a kind on two boards, one has rules of its own.
        elsewhere = names.count(name) > 1 and first.instructions != type(first).instructions
        added = () if text in own.values() or text in stated else more
        rules.append(
            Rule(
                name + " on other tilings" * elsewhere,
                " ".join(filter(None, (text, *added))),
                first,
            )
        )
    return rules


class Entry(NamedTuple):
    """A line of contents: its text, its first puzzle, and the stars of its puzzles."""

    called: str
    first: int
    stars: tuple[int, ...]


def contents_of(sheets: Sequence[Sheet], most: int) -> list[Entry]:
    """Return at most ``most`` lines of contents (but at least one), as detailed as possible.

    There is a line for each puzzle if most puzzles have names. Else there is a line for each
    section if its puzzles are consecutive, or for each number of stars if the easiest come first.
    """
    if len(sheets) <= min(most, 2 * sum(sheet.name is not None for sheet in sheets)):
        return [
            Entry(f"{number + 1}  {one.heading}", number, (one.stars,) * bool(one.stars))
            for number, one in enumerate(sheets)
        ]
    sections = _runs(sheets, lambda one: one.section)
    if len(sections) <= min(most, 2 * len({one.section for one in sheets})):
        return sections
    levels = _runs(sheets, lambda one: one.stars)
    if len(levels) <= MOST_STARS + 1:
        return levels
    return sections if len(sections) <= most else _runs(sheets, lambda _: None)


def _runs(sheets: Sequence[Sheet], alike: Callable[[Sheet], object]) -> list[Entry]:
    """Return a line of contents for each run of sheets that are ``alike``."""
    found = []
    for called, run in groupby(range(len(sheets)), lambda number: alike(sheets[number])):
        first, *_, last = [*run] * 2
        stars = tuple(sheet.stars for sheet in sheets[first : last + 1])
        # If some puzzles have no stars, these may be harder.
        stars = stars if all(stars) else ()
        numbers = f"{first + 1}\N{EN DASH}{last + 1}" if first < last else str(first + 1)
        name = called if isinstance(called, str) else "Puzzles"
        found.append(Entry(f"{name}  {numbers}", first, stars))
    return found


def title_of(sheets: Sequence[Sheet]) -> str:
    """Return the default title of a booklet."""
    titles = _titles(sheets)
    return titles[0] if len(titles) == 1 else "Loop and Path Puzzles"


def _titles(sheets: Iterable[Sheet]) -> list[str]:
    """Return the kinds of puzzles, in order of appearance."""
    return list(dict.fromkeys(sheet.puzzle.title for sheet in sheets))


def counted_kinds(sheets: Sequence[Sheet]) -> str:
    """Return the number of puzzles of each kind as text.

    >>> from linkoracle import Numberlink, Slitherlink
    >>> counted_kinds([Sheet(Slitherlink([[3]])), Sheet(Numberlink([[1, 1]]))])
    '2 puzzles: Slitherlink and Numberlink'
    """
    titles = _titles(sheets)
    number = f"{len(sheets)} puzzles" if len(sheets) > 1 else "1 puzzle"
    if len(titles) > _TITLES:
        return f"{number} of {len(titles)} kinds"
    return f"{number}: {listing(titles)}"


def cards(
    sheets: Sequence[Sheet],
    *,
    title: str | None = None,
    author: str | None = None,
    made: date | None = None,
    foreword: str | None = None,
    rules: bool = True,
    instructions: Mapping[str, str] | None = None,
) -> str:
    """Return an HTML page with a card for each puzzle, and given solutions to unfold.

    The arguments are those of `booklet`. All cells of a page have one size, unless a card is too
    narrow for its board. The same puzzles give the same text. Raises ``ValueError`` without
    puzzles.

    >>> from linkoracle import Slitherlink
    >>> page = cards([Sheet(Slitherlink([[3]]), name="Small")], title="Ours", author="Ada")
    >>> page.count("<svg"), "<h1>Ours</h1>" in page
    (1, True)
    """
    if not sheets:
        raise ValueError("expected at least one puzzle")
    imprint = Imprint.of(title, author, made, foreword)
    title = imprint.title or title_of(sheets)
    root = Element("html", lang="en")
    head, body = SubElement(root, "head"), SubElement(root, "body")
    SubElement(head, "meta", charset="utf-8")
    SubElement(head, "meta", name="viewport", content="width=device-width, initial-scale=1")
    SubElement(head, "title").text = title
    SubElement(head, "style").text = _STYLE
    top = SubElement(body, "header")
    SubElement(top, "h1").text = title
    SubElement(top, "p").text = ", ".join((*imprint.about, counted_kinds(sheets)))
    for paragraph in imprint.foreword:
        SubElement(top, "p").text = paragraph
    printed = rules_of(sheets, instructions or {}) if rules else []
    if printed:
        folded = SubElement(top, "details", {"class": "rules"})
        SubElement(folded, "summary").text = "Rules"
        for rule in printed:
            SubElement(folded, "h2").text = rule.name
            for paragraph in rule.text.split("\n\n"):
                SubElement(folded, "p").text = paragraph
    listed = SubElement(body, "main", {"class": "cards"})
    for number, sheet in enumerate(sheets, start=1):
        listed.append(_card(number, sheet))
    return f"<!DOCTYPE html>\n{tostring(root, 'unicode', method='html')}\n"


def _card(number: int, sheet: Sheet) -> Element:
    card = Element("article", {"class": "card", "id": f"puzzle-{number}"})
    heading = SubElement(card, "h2")
    SubElement(heading, "span").text = f"{number}  {sheet.heading}"
    if sheet.stars:
        said = {"role": "img", "aria-label": f"{sheet.stars} of {MOST_STARS} stars"}
        stars = SubElement(heading, "span", {"class": "stars", **said})
        filled = "\N{BLACK STAR}" * sheet.stars
        stars.text = filled + "\N{WHITE STAR}" * (MOST_STARS - sheet.stars)
    SubElement(card, "p").text = sheet.described
    card.append(svg_element(picture(sheet.puzzle), "light", _CELL))
    if sheet.solution is not None:
        folded = SubElement(card, "details")
        SubElement(folded, "summary").text = "Solution" if sheet.unique else "One solution"
        folded.append(svg_element(picture(sheet.puzzle, sheet.solution), "light", _CELL))
    return card
