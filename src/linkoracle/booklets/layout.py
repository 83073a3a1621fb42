"""The layout of boards on the pages of a booklet: boards per page, their columns and their sizes.

Boards keep their order, row by row, in columns of equal width. In the whole booklet, all boards of
one kind and of similar size have cells of one size. Lengths are in points, and sizes of boards in
cells.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise
from math import ceil, inf
from typing import NamedTuple

#: A board as ``(height, width)`` in cells: its rows and columns, if it has any.
Size = tuple[float, float]

#: The most boards side by side.
_ACROSS = 6
#: Boards belong to one class if their sides lie between the same of these numbers.
_CLASSES = (5, 7, 10, 12, 15, 18, 21, 25, 30, 36, 45, 60)
#: The least gap between boards side by side, in cells: enough to separate boards of dots.
_CLEAR = 1.6
#: Boards are not enlarged if pages without that cost less than this fraction.
_DENSER = 0.7
#: Tolerances for rounding.
_ROUND, _TINY = 0.999, 1e-6
#: Costs in pages: of an empty place in a row; of a board alone in a row, or on a page, with room
#: for several; of few columns, which make a page high; and of an empty page. A half empty page
#: costs a quarter of an empty one.
_MISSING, _ALONE_IN_ROW, _ALONE, _HIGH, _EMPTY = 0.02, 0.15, 0.4, 0.15, 0.3


class Room(NamedTuple):
    """The room of a page for boards and the words above them."""

    width: float
    height: float


class Place(NamedTuple):
    """The place of a board on its page: the top left of its words, and the size of a cell.

    ``width`` is that of its words.
    """

    board: int
    x: float
    y: float
    width: float
    cell: float


class Page(NamedTuple):
    """The boards of a page. A ``turned`` page is wider than high."""

    places: list[Place]
    turned: bool = False


class _Block(NamedTuple):
    """The size of a board with its words, the size of a cell, and the kind.

    ``lonely`` boards have a page of their own, ``turned`` if that enlarges them.
    """

    width: float
    height: float
    cell: float
    kind: Hashable
    lonely: bool
    turned: bool = False


class _Rows(NamedTuple):
    """Rows of blocks in ``across`` columns, the gap between columns, and the cost of the rows."""

    across: int
    gap: float
    rows: list[list[_Block]]
    cost: float


@dataclass(frozen=True)
class Spread:
    """The parameters for spreading boards over pages.

    ``target`` are the cell sizes of boards with sides of up to 5 cells, of 10, and of 15 and more.
    Up to ``most`` boards share a page if all their cells have the target size, or with ``exact``
    the size ``least``. If there is room, cells grow by a factor: ``alone`` for a single board,
    ``together`` if all boards are alike, else ``among``. ``words`` is the height of the words above
    a board, and ``narrowest`` their least width; ``gap`` is the space between boards. ``mixed`` is
    the cost, in pages, of two kinds on a page. A wide board gets a turned page if its cells become
    at least ``turn`` times larger.
    """

    target: tuple[float, float, float]
    least: float
    alone: float
    together: float
    among: float
    most: int
    words: float
    narrowest: float
    gap: float
    mixed: float
    turn: float = 1.15
    exact: bool = False

    def at_most(self, number: int) -> Spread:
        """Return a copy with up to ``number`` boards per page, and cells of at least ``least``."""
        return replace(self, most=number, exact=True)

    def pages(
        self,
        sizes: Sequence[Size],
        room: Room,
        turned: Room | None = None,
        kinds: Sequence[Hashable] = (),
    ) -> list[Page]:
        """Return the boards of each page, on as few pages as look good.

        Without ``turned``, the room of a turned page, none is turned. Without ``kinds``, all boards
        are of one kind.

        >>> a4 = Room(500, 740)
        >>> [len(page.places) for page in PUZZLES.pages([(10, 10)] * 14, a4)]
        [6, 4, 4]
        >>> [len(page.places) for page in PUZZLES.pages([(30, 30), (5, 5), (40, 40)], a4)]
        [2, 1]
        """
        kinds = kinds or [None] * len(sizes)
        # If kinds alternate, pages need not begin with a new kind.
        sections = sum(one != other for one, other in pairwise(kinds)) < 2 * len(set(kinds))
        mixed = self.mixed if sections else 0.0
        # Enlarge cells, unless that takes many more pages.
        (cost, pages), (less, denser) = (
            self._broken(self._blocks(sizes, kinds, room, turned, grown=grown), mixed, room, turned)
            for grown in (True, False)
        )
        return denser if less < _DENSER * cost else pages

    def _broken(
        self, blocks: list[_Block], mixed: float, room: Room, turned: Room | None
    ) -> tuple[float, list[Page]]:
        """Return the cost of the best pages, each of which costs at least 1, and their boards."""
        rows_of = cache(partial(self._rows, room, mixed))
        # For the first n boards: the cost, the start of the last page, and its rows.
        best: list[tuple[float, int, _Rows]] = [(0.0, 0, _Rows(1, 0.0, [], 0.0))]
        for end in range(1, len(blocks) + 1):
            found = (inf, 0, best[0][2])
            for start in range(end - 1, max(-1, end - 1 - self.most), -1):
                rows = rows_of(tuple(blocks[start:end]))
                if rows is None:
                    break
                if best[start][0] + rows.cost < found[0]:
                    found = (best[start][0] + rows.cost, start, rows)
            best.append(found)
        pages: list[Page] = []
        end = len(blocks)
        while end:
            _, start, rows = best[end]
            turns = turned is not None and blocks[start].turned
            here = turned if turned is not None and turns else room
            pages.append(Page(list(self._places(rows, start, here)), turns))
            end = start
        return best[-1][0], pages[::-1]

    def _blocks(
        self,
        sizes: Sequence[Size],
        kinds: Sequence[Hashable],
        room: Room,
        turned: Room | None,
        *,
        grown: bool,
    ) -> list[_Block]:
        """Return the block of each board, with cells of one size for all boards of its class."""
        classes: dict[Hashable, list[int]] = {}
        for number, (size, kind) in enumerate(zip(sizes, kinds, strict=True)):
            classes.setdefault((kind, *map(_class, size)), []).append(number)
        growth = self.among if len(classes) > 1 else self.together if sizes[1:] else self.alone
        growth = growth if grown else 1.0
        sides = [max(sizes[number] for number in numbers) for numbers in classes.values()]
        # Boards of all classes may be side by side.
        clear = _CLEAR * growth * max(map(self._target, sides)) if sides[1:] else 0.0
        found = []
        # By how much the cells of all classes of a kind grow.
        grow: dict[Hashable, float] = {}
        for numbers in classes.values():
            rows, cols = (max(sizes[one][axis] for one in numbers) for axis in (0, 1))
            size = rows, cols
            many = len(sizes) if self.exact else len(numbers)
            cell, lonely = self._cell(size, many, room, growth, clear)
            kind, target = kinds[numbers[0]], self._target(size)
            turns = False
            if turned is not None and lonely and cell < target:
                larger, _ = self._cell(size, 1, turned, growth, 0.0)
                turns = larger >= self.turn * cell
                cell = larger if turns else cell
            grow[kind] = min(grow.get(kind, growth), max(1.0, cell / target))
            found.append((numbers, target, cell, lonely, turns))
        blocks: dict[int, _Block] = {}
        for numbers, target, cell, lonely, turns in found:
            for one in numbers:
                height, width = sizes[one]
                size_of_cell = min(cell, grow[kinds[one]] * target)
                wide = max(self.narrowest, width * size_of_cell)
                high = self.words + height * size_of_cell
                blocks[one] = _Block(wide, high, size_of_cell, kinds[one], lonely, turns)
        return [blocks[number] for number in range(len(sizes))]

    def _cell(
        self, size: Size, many: int, room: Room, growth: float, clear: float
    ) -> tuple[float, bool]:
        """Return the size of cells of ``many`` boards of this size, on as few pages as possible.

        Also return whether each board needs a page of its own. ``clear`` is the least space
        between boards side by side.
        """
        rows, cols = size
        target = self._target(size)
        found: list[tuple[int, float]] = []
        for across in range(1, min(self.most, _ACROSS) + 1):
            gaps = across - 1
            width = min(
                (room.width - max(self.gap, clear) * gaps) / across / cols,
                room.width / (across * cols + _CLEAR * gaps),
            )
            if across > 1 and (room.width - self.gap * gaps) / across < self.narrowest:
                break
            for down in range(1, self.most // across + 1):
                height = ((room.height - self.gap * (down - 1)) / down - self.words) / rows
                found.append((across * down, min(growth * target, width, height)))
        least = _ROUND * (self.least if self.exact else target)
        enough = [(number, cell) for number, cell in found if cell >= least]
        if not enough:
            return found[0][1], True
        most = max(number for number, _ in enough)
        share = min(most, many) if self.exact else ceil(many / ceil(many / most))
        return max(cell for number, cell in enough if number >= share), most == 1

    def _target(self, size: Size) -> float:
        small, middle, large = self.target
        side = min(15, max(5, *size))
        if side <= 10:
            return small + (middle - small) * (side - 5) / 5
        return middle + (large - middle) * (side - 10) / 5

    def _rows(self, room: Room, mixed: float, blocks: tuple[_Block, ...]) -> _Rows | None:
        """Return the best rows of these blocks on a page; ``None`` if they do not fit.

        ``mixed`` is the cost of a kind after another kind.
        """
        if len(blocks) == 1:
            alone = 0.0 if blocks[0].lonely else _ALONE
            return _Rows(1, 0.0, [[*blocks]], 1.0 + alone + _EMPTY * _empty(blocks, room) ** 2)
        if any(block.turned for block in blocks):
            return None
        mixed *= sum(one.kind != other.kind for one, other in pairwise(blocks))
        gap = max(self.gap, _CLEAR * max(block.cell for block in blocks))
        best: _Rows | None = None
        for across in range(1, min(_ACROSS, len(blocks)) + 1):
            column = (room.width - gap * (across - 1)) / across
            rows = _filled(blocks, across, column)
            height = self._height(rows)
            if height > room.height + _TINY:
                continue
            cost = 1.0 + mixed + _EMPTY * _empty(blocks, room) ** 2
            cost += _HIGH * height / room.height
            for row in rows:
                if row[0].width <= column + _TINY:
                    cost += _MISSING * (across - len(row))
                    cost += _ALONE_IN_ROW * (len(row) < min(across, 2))
            if best is None or cost < best.cost:
                best = _Rows(across, gap, rows, cost)
        return best

    def _height(self, rows: list[list[_Block]]) -> float:
        heights = (max(block.height for block in row) for row in rows)
        return sum(heights) + self.gap * (len(rows) - 1)

    def _places(self, found: _Rows, number: int, room: Room) -> Iterator[Place]:
        """Yield the places of the boards; ``number`` is the first board.

        A part of the unused space goes between boards. A board alone in its row is in the middle.
        """
        across, gap, rows, _ = found
        shared = [block.width for row in rows for block in row if len(row) > 1]
        width = max(shared, default=0.0)
        spare = (room.width - across * width - gap * (across - 1)) / (across + 1)
        between = min((room.height - self._height(rows)) / len(rows), 2 * self.gap)
        y = 0.0
        for row in rows:
            for column, block in enumerate(row):
                x = spare + column * (width + gap + spare)
                if len(row) == 1:
                    x = (room.width - block.width) / 2
                yield Place(number, x, y, block.width, block.cell)
                number += 1
            y += max(block.height for block in row) + self.gap + between


def _class(side: float) -> int:
    """Return the class of boards with this side."""
    return sum(side > most + _TINY for most in _CLASSES)


def _empty(blocks: Sequence[_Block], room: Room) -> float:
    """Return the unused fraction of a page."""
    return max(0.0, 1 - sum(one.width * one.height for one in blocks) / (room.width * room.height))


def _filled(blocks: Sequence[_Block], across: int, column: float) -> list[list[_Block]]:
    """Return blocks in rows of columns of this width; a wider block has its own row."""
    rows: list[list[_Block]] = []
    full = True
    for block in blocks:
        wide = block.width > column + _TINY
        if full or wide or len(rows[-1]) == across:
            rows.append([])
        rows[-1].append(block)
        full = wide
    return rows


#: For puzzles to solve: cells of 6 to 9 mm if boards share a page, of at least 5 mm if necessary.
PUZZLES = Spread(
    (25.0, 19.0, 17.0),
    least=14.2,
    alone=2.0,
    together=1.7,
    among=1.3,
    most=12,
    words=36.0,
    narrowest=140.0,
    gap=30.0,
    mixed=0.4,
)
#: For solutions: cells of 3 to 5 mm.
SOLUTIONS = Spread(
    (13.2, 10.2, 9.0),
    least=8.0,
    alone=1.8,
    together=1.5,
    among=1.0,
    most=30,
    words=15.0,
    narrowest=64.0,
    gap=18.0,
    mixed=0.0,
)
