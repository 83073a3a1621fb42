"""Booklets: puzzles in order on pages of paper, and their solutions at the back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from linkoracle.model import Solution
from linkoracle.puzzles import Puzzle
from linkoracle.render.board import picture
from linkoracle.render.layout import described, printable
from linkoracle.render.pdf_format import Document
from linkoracle.render.themes import theme_named

#: Sizes of paper in points.
PAPERS = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}

#: In points: around a page, between boards, above a board for its line of text, the greatest cell.
_MARGIN, _GAP, _LABEL, _GREATEST_CELL = 48.0, 18.0, 18.0, 60.0
#: Heights of letters: the title of the booklet, headings, labels and page numbers.
_TITLE, _HEADING, _SMALL = 22.0, 15.0, 10.0

#: Solutions are looked up rather than worked on: as many times more of them stand on a page.
_DENSER = 3


@dataclass(frozen=True)
class Sheet:
    """A puzzle of a booklet, its solution if that is shown, and its grade if it has one."""

    puzzle: Puzzle
    solution: Solution | None = None
    grade: str | None = None


def booklet(
    sheets: Sequence[Sheet], *, per_page: int = 4, paper: str = "a4", title: str | None = None
) -> bytes:
    """A PDF booklet in black on white: numbered puzzles, then the solutions that are given.

    Raises `MissingExtra` without the extra ``pictures``; `PictureError` for a title in letters
    that the font lacks, ``ValueError`` for no puzzle, less than one a page, or unknown paper.
    """
    if not sheets or per_page < 1:
        raise ValueError("expected at least one puzzle, and one a page")
    if paper not in PAPERS:
        raise ValueError(f"expected one of the papers {', '.join(PAPERS)}, got {paper!r}")
    title = printable(title or "")
    solved = [number for number, sheet in enumerate(sheets) if sheet.solution is not None]
    in_front = _pages(list(range(len(sheets))), per_page)
    at_back = _pages(solved, per_page * _DENSER)
    writer = _Writer(
        Document(title or "Puzzles"), PAPERS[paper], len(in_front) + len(at_back), sheets
    )
    for index, numbers in enumerate(in_front):
        writer.page(numbers, per_page, (title, _TITLE) if index == 0 else ("", 0.0), solved=False)
    for index, numbers in enumerate(at_back):
        # A last page that is not full is filled by larger boards.
        places = per_page * _DENSER if index else len(numbers)
        heading = ("Solutions", _HEADING) if index == 0 else ("", 0.0)
        writer.page(numbers, places, heading, solved=True)
    return writer.document.finished()


def _pages(numbers: list[int], size: int) -> list[list[int]]:
    return [numbers[start : start + size] for start in range(0, len(numbers), size)]


def columns(places: int, width: float, height: float) -> int:
    """In how many columns square boards on a page are largest.

    >>> [columns(places, 500, 700) for places in (1, 2, 4, 6, 12)]
    [1, 1, 2, 2, 3]
    """
    return max(
        range(1, places + 1),
        key=lambda cols: (min(width / cols, height / ceil(places / cols) - _LABEL), -cols),
    )


class _Writer:
    def __init__(
        self, document: Document, size: tuple[float, float], pages: int, sheets: Sequence[Sheet]
    ) -> None:
        self.document = document
        self.width, self.height = size
        self.pages = pages
        self.sheets = sheets
        self.number = 0

    def page(
        self, numbers: list[int], places: int, heading: tuple[str, float], *, solved: bool
    ) -> None:
        """Write one page with these puzzles, which has room for ``places``."""
        self.number += 1
        document = self.document
        document.page(self.width, self.height)
        top = _MARGIN
        text, size = heading
        if text:
            wide = document.width(text, size)
            size *= min(1.0, (self.width - 2 * _MARGIN) / wide)
            document.text(self.width / 2, top + size * 0.8, text, size, middle=True)
            top += size + _GAP
        foot = self.height - _MARGIN / 2
        document.text(self.width / 2, foot, f"{self.number} / {self.pages}", _SMALL, middle=True)
        room = self.width - 2 * _MARGIN, self.height - _MARGIN - top
        across = columns(places, *room)
        down = ceil(places / across)
        width = (room[0] - _GAP * (across - 1)) / across
        height = (room[1] - _GAP * (down - 1)) / down
        for index, number in enumerate(numbers):
            row, col = divmod(index, across)
            x, y = _MARGIN + col * (width + _GAP), top + row * (height + _GAP)
            self.board(number, x, y, width, height, solved=solved)

    def board(
        self, number: int, x: float, y: float, width: float, height: float, *, solved: bool
    ) -> None:
        """Write one puzzle and its label into a rectangle, in the middle of its width."""
        sheet = self.sheets[number]
        drawn = picture(sheet.puzzle, sheet.solution if solved else None)
        scale = min(width / drawn.width, (height - _LABEL) / drawn.height, _GREATEST_CELL)
        label = f"{number + 1}"
        if not solved:
            label = ". ".join([label, described(sheet.puzzle)])
            label += f" ({sheet.grade})" if sheet.grade else ""
        size = min(_SMALL, _SMALL * width / self.document.width(label, _SMALL))
        left = x + (width - drawn.width * scale) / 2
        self.document.text(x + width / 2, y + _SMALL, label, size, middle=True)
        self.document.place(drawn, theme_named("print"), left, y + _LABEL, scale)
