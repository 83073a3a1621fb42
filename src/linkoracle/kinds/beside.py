"""`BesideLoop`: the base of kinds with numbers beside rows and columns, or of the whole board."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from linkoracle.core import PuzzleError, checked_int
from linkoracle.kinds.cell_loops import CellLoop
from linkoracle.kinds.fixed import FIXED
from linkoracle.kinds.puzzle import WHOLE, AnnotationList, ClueChanges, Figure, Rows

#: Numbers by their places, as pairs.
Beside = tuple[tuple[str, int], ...]
#: The name of a row or a column.
_LINE = re.compile("([rc])([1-9][0-9]{0,5})")


def line_of(place: str) -> tuple[int | None, int | None]:
    """Return the row or the column with this name, and ``None`` for the other.

    >>> line_of("r3"), line_of("c1"), line_of("all")
    ((2, None), (None, 0), (None, None))
    """
    found = _LINE.fullmatch(place)
    if found is None:
        return None, None
    number = int(found[2]) - 1
    return (number, None) if found[1] == "r" else (None, number)


def _name_of(row: int | None, col: int | None) -> str:
    if row is not None:
        return f"r{row + 1}"
    return WHOLE if col is None else f"c{col + 1}"


class _Beside(AnnotationList):
    """Numbers of rows, columns and the board, as pairs such as ``("r1", 3)``."""

    of_lines = True

    def mirrored(self, items: Iterable[Any], step: Literal[1, -1], last: int) -> list[Any]:
        def move(place: str) -> str:
            row, col = line_of(place)[::step]
            return _name_of(row, None if col is None else last - col)

        return [(move(place), number) for place, number in items]

    def figures(self, items: Iterable[Any], label: Any) -> Iterator[Figure]:  # noqa: ARG002
        for place, number in items:
            row, col = line_of(place)
            yield Figure(
                "beside", (-1 if row is None else row, -1 if col is None else col), str(number)
            )


#: The numbers of a `BesideLoop`, as a list beside its grid.
BESIDE = _Beside("numbers beside the grid", "beside")


@dataclass(frozen=True, repr=False)
class BesideLoop(CellLoop):
    """Base of kinds with numbers ``beside`` rows (``"r1"``), columns (``"c1"``) or of the board.

    ``beside`` maps these names, and ``"all"`` for the whole board, to numbers; it is stored as
    pairs, rows first. `with_clues` changes them like clues in cells, and ``clues_of`` yields them
    like those. A kind says what a number means in ``constrain``, as a rule about ``"beside"`` and
    the name, and in ``clue_faults``. Raises `PuzzleError` for a name that the board does not have,
    and for a number below 0.
    """

    beside: Beside = field(default=(), kw_only=True)

    annotations: ClassVar = {**FIXED, "beside": BESIDE}

    if TYPE_CHECKING:

        def __init__(
            self,
            clues: Rows,
            *,
            beside: Mapping[str, int] | Iterable[tuple[str, int]] = (),
            given: Iterable[Any] = (),
            forbidden: Iterable[Any] = (),
        ) -> None: ...

    def _check_annotations(self) -> None:
        object.__setattr__(self, "beside", self._checked_beside(self.beside))
        super()._check_annotations()

    def _checked_beside(self, found: Any) -> Beside:
        if isinstance(found, Mapping):
            found = found.items()
        try:
            pairs = [(place, number) for place, number in found]
        except (TypeError, ValueError):
            reason = f"expected pairs such as ('r1', 3) beside the grid, found {found!r}"
            raise PuzzleError(reason) from None
        numbers: dict[str, int] = {}
        for index, (place, number) in enumerate(pairs):
            listed = "beside", index
            if not isinstance(place, str) or not self._has_line(place):
                last = f"r1 to r{self.rows}, c1 to c{self.cols} or {WHOLE!r}"
                raise PuzzleError(f"expected a place {last}, found {place!r}", listed=listed)
            if place in numbers:
                reason = f"expected one number at {place}, found a second"
                raise PuzzleError(reason, listed=listed)
            try:
                numbers[place] = checked_int(number, "a number", 0)
            except ValueError:
                reason = f"expected a number from 0 at {place}, found {number!r}"
                raise PuzzleError(reason, listed=listed) from None
        return tuple(sorted(numbers.items(), key=lambda one: _reading_order(one[0])))

    def _has_line(self, place: str) -> bool:
        row, col = line_of(place)
        if (row, col) == (None, None):
            return place == WHOLE
        return (row or 0) < self.rows and (col or 0) < self.cols

    @property
    def number_of_clues(self) -> int:
        """The number of clues in cells and beside the grid."""
        return super().number_of_clues + len(self.beside)

    def every_clue(self) -> Iterator[tuple[Any, Any]]:
        """Yield the clues in cells, then those beside the grid."""
        yield from super().every_clue()
        yield from self.beside

    def with_clues(self, clues: ClueChanges | Any) -> Self:
        """Return the same board with these cells and numbers beside it changed."""
        changes = [*(clues.items() if isinstance(clues, Mapping) else clues)]
        numbers = {}
        cells = []
        for one in changes:
            if isinstance(one, tuple) and len(one) == 2 and isinstance(one[0], str):
                numbers[one[0]] = one[1]
            else:
                cells.append(one)
        changed = super().with_clues(cells)
        if not numbers:
            return changed
        every = {**dict(self.beside), **numbers}
        left = ((place, number) for place, number in every.items() if number is not None)
        return replace(changed, beside=tuple(left))


def _reading_order(place: str) -> tuple[bool, int, int]:
    row, col = line_of(place)
    return row is None, -1 if row is None else row, -1 if col is None else col
