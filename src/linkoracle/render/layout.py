"""Where boards stand on the pages of a booklet: how many to a page, in which rows, how large.

Boards keep their order, row by row. All boards of a page grow by the same factor from the cells
that they want, so boards of one size look alike there; only a board that would not fit the page
otherwise has smaller cells. Lengths are in points, the sizes of boards in cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf
from typing import NamedTuple

#: A board as ``(height, width)`` in cells: its rows and columns, if it has such.
Size = tuple[float, float]

#: Boards side by side, at most, and steps of the search for the greatest factor.
_ACROSS, _STEPS = 6, 24
#: The least gap between boards side by side, in cells; how much more boards may grow on the last
#: page than on the one before.
_CLEAR, _LIKE = 1.6, 1.25
#: What is lost by rounding.
_ROUND = 0.999


class Room(NamedTuple):
    """What a page has for boards and the words above them."""

    width: float
    height: float


class Place(NamedTuple):
    """Where a board stands on its page: the top left of its words, and the size of a cell.

    ``width`` is what its words have, and what the board is centred in.
    """

    board: int
    x: float
    y: float
    width: float
    cell: float


class Page(NamedTuple):
    """The boards of a page, which may be ``turned``: then it is wider than high."""

    places: list[Place]
    turned: bool = False


class _Row(NamedTuple):
    """Boards side by side: the first, the one after the last, their cells, the height of all."""

    first: int
    after: int
    cells: tuple[float, ...]
    height: float


@dataclass(frozen=True)
class Spread:
    """How boards are spread over pages.

    ``wanted`` are the cells of boards of up to 5 cells, of 10, and of 15 and more. Several boards
    share a page where each has as much, or ``least`` if ``exact``; ``most`` share it at most.
    Where there is room cells grow: to ``alone`` times as much on a board that has a page of its
    own, else to ``together`` times. ``words`` is the height of what stands above a board,
    ``narrowest`` the width of it; ``gap`` is between boards. Where a page is not full,
    ``above`` is the share of the empty space that is above all boards. A wide board may have a
    page turned for it that makes its cells larger, by ``turn`` times at least.
    """

    wanted: tuple[float, float, float]
    least: float
    alone: float
    together: float
    most: int
    words: float
    narrowest: float
    gap: float
    above: float
    turn: float = 1.15
    exact: bool = False

    def at_most(self, number: int) -> Spread:
        """The same with up to so many boards on every page, if none gets less than ``least``."""
        return replace(self, most=number, exact=True)

    def pages(
        self, sizes: Sequence[Size], first: Room, other: Room, turned: Room | None = None
    ) -> list[Page]:
        """The boards of each page. The first page has another room than all others.

        Without ``turned``, the room of a turned page, none is turned.

        >>> a4 = Room(500, 740)
        >>> [len(page.places) for page in PUZZLES.pages([(10, 10)] * 14, a4, a4)]
        [6, 4, 4]
        >>> [len(page.places) for page in PUZZLES.pages([(30, 30), (5, 5), (40, 40)], a4, a4)]
        [2, 1]
        """
        cuts = [0]
        while cuts[-1] < len(sizes):
            room = other if len(cuts) > 1 else first
            start = end = cuts[-1]
            while end < min(len(sizes), start + self.most) and (
                self._share(sizes[start : end + 1], room, turned)
            ):
                end += 1
            cuts.append(end)
        if len(cuts) > 2 and not self.exact:
            self._even(cuts, sizes, other, turned)
        pages, limit = [], inf
        for start, end in pairwise(cuts):
            room = other if start else first
            factor = min(limit, self._factor(sizes[start:end], room))
            pages.append(self._page(sizes, range(start, end), room, turned, factor))
            # A last page that is not full looks much like the one before.
            several = min(end - start, cuts[-1] - end) > 1
            limit = _LIKE * factor if several and end == cuts[-2] else inf
        return pages

    def _even(
        self, cuts: list[int], sizes: Sequence[Size], room: Room, turned: Room | None
    ) -> None:
        """Rather than a full page and a nearly empty one, have the last two half full."""
        before, last, end = cuts[-3:]
        middle = (before + end + 1) // 2
        if (end - last) * 2 <= last - before and self._share(sizes[middle:end], room, turned):
            cuts[-2] = middle

    def _wanted(self, size: Size) -> float:
        small, middle, large = self.wanted
        side = min(15, max(5, *size))
        if side <= 10:
            return small + (middle - small) * (side - 5) / 5
        return middle + (large - middle) * (side - 10) / 5

    def _alone(self, size: Size, room: Room) -> float:
        """The cells of a board that has a page for itself, as far as the page goes."""
        rows, cols = size
        return min(room.width / cols, (room.height - self.words) / rows)

    def _gap(self, cells: Sequence[float]) -> float:
        """Between boards side by side: enough to tell them apart where they are but dots."""
        return max(self.gap, _CLEAR * max(cells))

    def _turns(self, size: Size, room: Room, turned: Room | None) -> bool:
        """Whether a board has a page of its own, turned."""
        if turned is None or self._alone(size, room) >= self._wanted(size):
            return False
        return self._alone(size, turned) >= self.turn * self._alone(size, room)

    def _share(self, sizes: Sequence[Size], room: Room, turned: Room | None) -> bool:
        """Whether these boards may share a page, or are but one."""
        if len(sizes) == 1:
            return True
        if any(self._turns(size, room, turned) for size in sizes):
            return False
        factor = self._factor(sizes, room) if self.exact else 1.0
        rows = self._rows(sizes, room, factor)
        if rows is None:
            return False
        cells = [cell for row in rows for cell in row.cells]
        return all(
            cell >= _ROUND * min(self.least if self.exact else self._wanted(size), limit)
            for cell, size in zip(cells, sizes, strict=True)
            for limit in [self._alone(size, room)]
        )

    def _factor(self, sizes: Sequence[Size], room: Room) -> float:
        """The greatest factor by which these boards fit the page; 0 if there is none."""
        low, high = 0.0, self.alone if len(sizes) == 1 else self.together
        if self._rows(sizes, room, high) is not None:
            return high
        for _ in range(_STEPS):
            middle = (low + high) / 2
            if self._rows(sizes, room, middle) is None:
                high = middle
            else:
                low = middle
        return low

    def _rows(self, sizes: Sequence[Size], room: Room, factor: float) -> list[_Row] | None:
        """The boards in rows of the least height together; ``None`` if they do not fit the page."""
        best: list[tuple[float, list[_Row]]] = [(0.0, [])]
        for after in range(1, len(sizes) + 1):
            found: tuple[float, list[_Row]] | None = None
            for first in range(max(0, after - _ACROSS), after):
                row = self._row(sizes, first, after, room, factor)
                if row is None:
                    continue
                above, rows = best[first]
                height = above + row.height + (self.gap if rows else 0.0)
                # Of equal heights the fuller rows above.
                if found is None or height <= found[0] + 1e-9:
                    found = height, [*rows, row]
            assert found is not None
            best.append(found)
        height, rows = best[-1]
        return rows if height <= room.height + 1e-6 else None

    def _row(
        self, sizes: Sequence[Size], first: int, after: int, room: Room, factor: float
    ) -> _Row | None:
        if after - first == 1:
            size = sizes[first]
            cell = min(factor * self._wanted(size), self._alone(size, room))
            return _Row(first, after, (cell,), self.words + cell * size[0])
        cells = tuple(factor * self._wanted(sizes[one]) for one in range(first, after))
        boards = list(zip(sizes[first:after], cells, strict=True))
        width = sum(max(self.narrowest, cols * cell) for (_, cols), cell in boards)
        if width + self._gap(cells) * (len(boards) - 1) > room.width:
            return None
        return _Row(
            first, after, cells, self.words + max(rows * cell for (rows, _), cell in boards)
        )

    def _page(
        self,
        sizes: Sequence[Size],
        numbers: range,
        room: Room,
        turned: Room | None,
        factor: float,
    ) -> Page:
        """The boards in their places; what is left of the page is spread between them."""
        chosen = [sizes[number] for number in numbers]
        turns = len(chosen) == 1 and self._turns(chosen[0], room, turned)
        if turns and turned is not None:
            room, factor = turned, self._factor(chosen, turned)
        rows = self._rows(chosen, room, factor)
        assert rows is not None
        spare = room.height - sum(row.height for row in rows) - self.gap * (len(rows) - 1)
        between = min(spare / (len(rows) + 1), 2 * self.gap)
        y = (spare - between * (len(rows) - 1)) * self.above
        places: list[Place] = []
        columns: list[Place] = []
        for row in rows:
            line = self._line(chosen, row, room)
            # A row that is not full stands below the columns of the one above, if boards are alike.
            if len({round(one.width, 3) for one in (*columns, *line)}) > 1:
                columns = []
            if len(line) < len(columns):
                line = [one._replace(x=two.x) for one, two in zip(line, columns, strict=False)]
            else:
                columns = line
            places += (one._replace(board=numbers[one.board], y=y) for one in line)
            y += row.height + self.gap + between
        return Page(places, turns)

    def _line(self, sizes: Sequence[Size], row: _Row, room: Room) -> list[Place]:
        """The boards of a row side by side, each in the middle of its part of the width."""
        boards = range(row.first, row.after)
        widths = [
            max(self.narrowest, sizes[board][1] * cell)
            for board, cell in zip(boards, row.cells, strict=True)
        ]
        gap = self._gap(row.cells)
        spare = (room.width - sum(widths) - gap * (len(widths) - 1)) / len(widths)
        x = spare / 2
        line = []
        for board, cell, width in zip(boards, row.cells, widths, strict=True):
            line.append(Place(board, x, 0.0, width, cell))
            x += width + gap + spare
        return line


#: Puzzles to work on: cells of 6 to 9 mm where boards share a page, of at least 5 mm if need be.
PUZZLES = Spread(
    (25.0, 19.0, 17.0),
    least=14.2,
    alone=2.0,
    together=1.7,
    most=12,
    words=36.0,
    narrowest=124.0,
    gap=30.0,
    above=0.4,
)
#: Solutions to look up.
SOLUTIONS = Spread(
    (13.0, 8.5, 6.5),
    least=5.0,
    alone=1.3,
    together=1.15,
    most=30,
    words=15.0,
    narrowest=64.0,
    gap=16.0,
    above=0.0,
)
