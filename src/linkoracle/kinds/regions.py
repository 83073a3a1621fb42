"""`RegionPuzzle`: the base of kinds whose cells are divided into regions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, product
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from linkoracle.core.errors import PuzzleError, counted
from linkoracle.kinds.cell_loops import CellLoop, LoopRules
from linkoracle.kinds.fixed import FIXED
from linkoracle.kinds.grid import EMPTY, mirrored_rows
from linkoracle.kinds.lines import DIRECTIONS, Lines, reached, step
from linkoracle.kinds.puzzle import AnnotationList, Cell, Ends, Figure, Grid, Rows, place_of


class _Regions(AnnotationList):
    """The regions of a puzzle: a row of names for each row of cells."""

    grid = True

    def mirrored(self, found: Any, step: Literal[1, -1], last: int) -> Any:  # noqa: ARG002
        return normal_regions(mirrored_rows(found, step))

    def figures(self, found: Any) -> Iterator[Figure]:
        return (Figure("border", one, to=other) for one, other in borders(found))


#: The regions of a `RegionPuzzle`, as a list beside its grid.
REGIONS = _Regions("regions", "border")


def normal_regions(rows: Iterable[Iterable[object]]) -> Grid:
    """Return regions numbered from 0 in the order of their first cells.

    >>> normal_regions(["bba", "b.a"])
    ((0, 0, 1), (0, None, 1))
    """
    numbers: dict[object, int] = {}
    return tuple(
        tuple(
            None if name is None or name in EMPTY else numbers.setdefault(name, len(numbers))
            for name in row
        )
        for row in rows
    )


def borders(regions: Grid) -> Iterator[Ends]:
    """Yield the pairs of neighbouring cells in different regions, in reading order."""
    rows, cols = len(regions), len(regions[0]) if regions else 0
    for row, col in product(range(rows), range(cols)):
        for other in (step((row, col), "e"), step((row, col), "s")):
            inside = other[0] < rows and other[1] < cols
            if inside and regions[row][col] != regions[other[0]][other[1]]:
                yield (row, col), other


def regions_within(
    rows: int, cols: int, drawn: Iterable[Ends], outside: Iterable[Cell] = ()
) -> tuple[Grid, list[Ends]]:
    """Return the regions that borders enclose, and the borders inside a region, in reading order.

    ``drawn`` has pairs of neighbouring cells, ``outside`` the cells outside all regions.

    >>> regions_within(1, 3, [((0, 0), (0, 1))])
    (((0, 1, 1),), [])
    >>> regions_within(2, 2, [((0, 0), (0, 1))])
    (((0, 0), (0, 0)), [((0, 0), (0, 1))])
    """
    walls = {frozenset(pair) for pair in drawn}
    found: dict[Cell, int | None] = dict.fromkeys(outside)
    inside = set(product(range(rows), range(cols))) - found.keys()

    def beside(cell: Cell) -> Iterator[Cell]:
        for other in (step(cell, direction) for direction in DIRECTIONS):
            if other in inside and frozenset((cell, other)) not in walls:
                yield other

    for start in sorted(inside):
        if start not in found:
            found |= dict.fromkeys(reached(start, beside), len(found))
    regions = normal_regions([found[row, col] for col in range(cols)] for row in range(rows))
    closed = set(map(frozenset, borders(regions)))
    return regions, sorted((min(pair), max(pair)) for pair in walls - closed)


@dataclass(frozen=True, repr=False)
class RegionPuzzle(CellLoop):
    """Base of kinds whose cells lie in ``regions``.

    ``regions`` has a row of names for each row of cells: text such as ``"aab"``, in which each
    character or each word is a name; or any hashable values. ``None`` or ``.`` is a cell outside
    all regions, where no line runs. Regions are stored as numbers from 0, in the order of their
    first cells. A single region of all cells is stored as ``()``, the default.

    Raises `PuzzleError` for regions that do not have a name for each cell.
    """

    regions: Grid = field(default=(), kw_only=True)

    annotations: ClassVar = {**FIXED, "regions": REGIONS}
    #: How often the loop visits each region; ``None`` for any number of visits.
    visits: ClassVar[int | None] = None
    #: Whether a clue applies to its region, which then has at most one.
    region_clues: ClassVar[bool] = False

    if TYPE_CHECKING:

        def __init__(
            self,
            grid: Rows,
            *,
            regions: Rows = (),
            given: Iterable[Any] = (),
            forbidden: Iterable[Any] = (),
        ) -> None: ...

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.region_clues:
            seen = set()
            for cell, _ in self.clue_cells():
                region = self.region_of(cell)
                if region is None or region in seen:
                    found = "a second one" if region in seen else "one outside all regions"
                    reason = f"expected at most one clue in a region, found {found}"
                    raise PuzzleError(reason, cell)
                seen.add(region)

    def _check_annotations(self) -> None:
        object.__setattr__(self, "regions", self._checked_regions(self.regions))
        super()._check_annotations()

    def _checked_regions(self, found: Iterable[Any]) -> Grid:
        try:
            if isinstance(found, str):
                raise TypeError
            regions = normal_regions(
                (row.split() if " " in row.strip() else row.strip())
                if isinstance(row, str)
                else row
                for row in found
            )
        except TypeError:
            raise PuzzleError(f"expected rows of names of regions, found {found!r}") from None
        for place, row in enumerate(regions[: self.rows]):
            if len(row) != self.cols:
                reason = f"expected {counted(self.cols, 'region')} in a row, found {len(row)}"
                raise PuzzleError(reason, listed=("regions", place))
        if regions and len(regions) != self.rows:
            rows = counted(self.rows, "row")
            reason = f"expected {rows} of regions, found {len(regions)}"
            raise PuzzleError(reason, listed=("regions", len(regions) - 1))
        names = set(chain.from_iterable(regions))
        if names == {None}:
            raise PuzzleError("expected a cell in a region, found none", listed=("regions", 0))
        return regions if names - {0} else ()

    @cached_property
    def avoided(self) -> frozenset[Cell]:
        """The cells outside all regions, and those with clues if lines avoid clues."""
        rows = enumerate(self.regions)
        outside = {(row, col) for row, cells in rows for col, at in enumerate(cells) if at is None}
        return super().avoided | outside

    def region_of(self, cell: Cell) -> int | None:
        """Return the number of the region of a cell; ``None`` for a cell outside all regions."""
        row, col = cell
        region: int | None = self.regions[row][col] if self.regions else 0
        return region

    def cells_by_region(self) -> list[list[Cell]]:
        """Return the cells of each region, in reading order."""
        found: dict[int, list[Cell]] = {}
        for cell in product(range(self.rows), range(self.cols)):
            if (region := self.region_of(cell)) is not None:
                found.setdefault(region, []).append(cell)
        return list(found.values())

    def constrain(self, rules: LoopRules) -> None:
        """Require that the loop visits each region as often as `visits` says.

        A single region has no border to cross.
        """
        crossed: list[list[int]] = [[] for _ in self.cells_by_region()]
        for pair in borders(self.regions):
            for cell in pair:
                if (region := self.region_of(cell)) is not None:
                    crossed[region].append(rules.line_between(*pair))
        if self.visits is not None and len(crossed) > 1:
            for lines in crossed:
                rules.count(lines, [2 * self.visits])

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each region that lines do not visit as often as `visits` says."""
        regions = self.cells_by_region()
        if self.visits is None or len(regions) == 1:
            return
        for cells in regions:
            inside, times = set(cells), 2 * self.visits
            found = sum(len(lines[cell] - inside) for cell in cells)
            if found != times:
                where = f"the region of {place_of(cells[0])}"
                yield f"the border of {where} is crossed {found} times, expected {times}"

    def region_faults(self, count: Callable[[list[Cell]], int], what: str) -> Iterator[str]:
        """Yield a sentence for each clue that differs from ``count`` of the cells of its region."""
        for cells, cell, number in self.clues_by_region():
            if (found := count(cells)) != number:
                yield f"{found} {what} in the region of the {number} at {place_of(cell)}"

    def region_numbers(self, count: Callable[[list[Cell]], int]) -> Iterator[tuple[Cell, int]]:
        """Yield the first cell of each region, and ``count`` of its cells."""
        return ((cells[0], count(cells)) for cells in self.cells_by_region())

    def clues_by_region(self) -> Iterator[tuple[list[Cell], Cell, Any]]:
        """Yield for each clue the cells of its region, its own cell, and the clue."""
        cells = self.cells_by_region()
        for cell, clue in self.clue_cells():
            if (region := self.region_of(cell)) is not None:
                yield cells[region], cell, clue
