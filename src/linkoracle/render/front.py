"""The pages before the puzzles of a booklet: the cover, a foreword, the contents, the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from linkoracle.kinds import Puzzle
from linkoracle.render.board import picture
from linkoracle.render.document import Document
from linkoracle.render.layout import Page
from linkoracle.render.papers import COVER, HEADING, NAME, TEXT, TITLE, Sides
from linkoracle.render.pictures import Picture
from linkoracle.render.shapes import theme_named
from linkoracle.render.sheets import Imprint, Rule, Sheet, contents_of, counted_kinds
from linkoracle.render.words import Words

#: The most lines of contents.
_CONTENTS = 32
#: The size of cells of examples, the space between examples, and the most of a page's width.
_EXAMPLE_CELL, _BETWEEN, _EXAMPLES = 13.0, 10.0, 0.55
#: The most pictures on a cover, and the space between them in their widths.
_PICTURES, _APART = 9, 0.08
#: Thick lines of a cover, in points on A4, and the space between pictures and words.
_BAR, _SPACE = 6.0, 24.0


@dataclass(frozen=True)
class Front:
    """The pages before the puzzles."""

    sides: Sides
    imprint: Imprint
    sheets: Sequence[Sheet]
    rules: Sequence[Rule]
    cover: bool

    def pages(self, puzzles: Sequence[Page], before: int = 0) -> list[tuple[Words, float, float]]:
        """Return the pages between cover and puzzles: words, and their top and foot on the page.

        ``before`` is the number of pages before those of ``puzzles``. Rules begin a page of their
        own unless everything fits on one page.
        """
        first, height = Words(self.sides.room.width), self.sides.room.height
        self._begin(first, puzzles, before)
        rules = Words(first.width)
        words = [first, rules] if self.rules else [first]
        self._rules(rules)
        if first.height + HEADING * self.sides.scale + rules.height <= height:
            self._rules(first)
            words = [first]
        return [(one, *ends) for one in words for ends in one.pages(height)]

    def _begin(self, words: Words, puzzles: Sequence[Page], before: int) -> None:
        """Add the foreword and the contents."""
        scale = self.sides.scale
        if not self.cover:
            headline(words, self.imprint, TITLE * scale)
        if self.imprint.foreword:
            words.heading("Foreword", HEADING * scale)
            for paragraph in self.imprint.foreword:
                words.paragraph(paragraph, TEXT)
            words.may_end()
        words.heading("Contents", HEADING * scale)
        page_of = {
            place.board: number
            for number, page in enumerate(puzzles, start=before + 1)
            for place in page.places
        }
        for called, first, stars in contents_of(self.sheets, _CONTENTS):
            words.entry(called, str(page_of[first]), TEXT, stars)
        if any(sheet.solution is not None for sheet in self.sheets):
            words.entry("Solutions", str(before + len(puzzles) + 1), TEXT)

    def _rules(self, words: Words) -> None:
        for number, rule in enumerate(self.rules):
            if number:
                words.may_end()
            else:
                words.heading("Rules", HEADING * self.sides.scale)
            self._rule(words, rule)

    def _rule(self, words: Words, rule: Rule) -> None:
        """Add a rule, with a puzzle and its solution at the right."""
        drawn = _examples(rule.board)
        top = words.height
        width = sum((one.width - 1) * _EXAMPLE_CELL + _BETWEEN for one in drawn)
        cell = _EXAMPLE_CELL * min(1.0, _EXAMPLES * words.width / width) if drawn else 0.0
        beside = width * cell / _EXAMPLE_CELL
        words.definition(rule.name, rule.text, TEXT, beside=beside and beside + _BETWEEN)
        below = words.height
        x = words.width
        for one in reversed(drawn):
            x -= (one.width - 0.5) * cell
            words.picture(one, x, top - 0.5 * cell + 0.3 * NAME, cell)
            x -= _BETWEEN - 0.5 * cell
        words.height = max(below, words.height)

    def write_cover(self, document: Document) -> None:
        """Write the cover: title, solved examples, kinds of puzzles, and author."""
        sides, scale = self.sides, self.sides.scale
        document.page(sides.width, sides.height)
        room, left = sides.room, sides.side
        head, foot = Words(room.width), Words(room.width)
        head.title(self.imprint.title, COVER * scale)
        head.space(0.3 * COVER * scale)
        head.paragraph(counted_kinds(self.sheets), 1.25 * TEXT * scale)
        for line in self.imprint.about:
            foot.line(line, 1.25 * TEXT * scale, heavy=line == self.imprint.about[0])
        bar, space = _BAR * scale, _SPACE * scale
        document.rule(left, sides.top + bar, room.width, bar)
        top = sides.top + bar + space
        head.write(document, left, top)
        bottom = sides.foot - foot.height
        foot.write(document, left, bottom)
        document.rule(left, bottom - space / 2, room.width, bar / 3)
        self._art(document, top + head.height + space / 2, bottom - 1.5 * space)

    def _art(self, document: Document, top: float, bottom: float) -> None:
        """Draw pictures in rows between two heights, as large as possible."""
        firsts: dict[str, Puzzle] = {}
        for sheet in self.sheets:
            firsts.setdefault(sheet.section, sheet.puzzle)
        drawn = [[picture(one), *_examples(one)][-1] for one in [*firsts.values()][:_PICTURES]]
        width, height = self.sides.room.width, bottom - top
        side, across = max(
            (min(width / (n + _APART * (n - 1)), height / (down + _APART * (down - 1))), n)
            for n in range(1, len(drawn) + 1)
            for down in [-(-len(drawn) // n)]
        )
        step = side * (1 + _APART)
        rows = [drawn[start : start + across] for start in range(0, len(drawn), across)]
        y = top + (height - step * len(rows) + _APART * side) / 2
        for row in rows:
            x = self.sides.side + (width - step * len(row) + _APART * side) / 2
            for one in row:
                cell = side / max(one.width, one.height)
                middle = (side - one.width * cell) / 2, (side - one.height * cell) / 2
                document.place(one, theme_named("print"), x + middle[0], y + middle[1], cell)
                x += step
            y += step


def headline(words: Words, imprint: Imprint, size: float) -> None:
    """Add title, author and date, above a line."""
    if imprint.title:
        words.title(imprint.title, size)
    if imprint.about:
        words.line(", ".join(imprint.about), TEXT)
    if words.height:
        words.rule()


def _examples(board: Puzzle) -> list[Picture]:
    """Return pictures of the example of a kind and its solution; none if there is no example."""
    example = board.examples.get(board.variant)
    if example is None:
        return []
    shown, solution = example.of(type(board), board.variant)
    return [picture(shown), picture(shown, solution)]
