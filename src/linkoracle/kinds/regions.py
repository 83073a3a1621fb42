"""`RegionPuzzle`: the base of kinds whose cells are divided into regions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, count, product
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from linkoracle.core import PuzzleError, alternatives, counted
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

    def figures(self, found: Any, label: Any) -> Iterator[Figure]:  # noqa: ARG002
        return (Figure("border", one, to=other) for one, other in borders(found))


#: The regions of a `RegionPuzzle`, as a list beside its grid.
REGIONS = _Regions("regions", "border")


def normal_regions(rows: Iterable[Iterable[object]], outside: Iterable[Cell] = ()) -> Grid:
    """Return regions numbered from 0 in the order of their first cells.

    ``rows`` are of equal lengths. Cells with the name ``None``, ``.`` or ``-``, and those
    ``outside``, are in no region. Cells of one name are in one region if they hang together.

    >>> normal_regions(["bba", "b.a"])
    ((0, 0, 1), (0, None, 1))
    >>> normal_regions(["aaab"], outside=[(0, 1)])
    ((0, None, 1, 2),)
    """
    names = tuple(tuple(None if name in EMPTY else name for name in row) for row in rows)
    return _normal(names, frozenset(outside))


# Cached, as puzzles that differ in their clues have the same regions.
@lru_cache(maxsize=64)
def _normal(names: Grid, outside: frozenset[Cell]) -> Grid:
    cells = product(range(len(names)), range(len(names[0]) if names else 0))
    no_region = outside.union((row, col) for row, col in cells if names[row][col] is None)
    size = len(names), len(names[0]) if names else 0
    return regions_within(*size, borders(names), no_region)[0]


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

    ``drawn`` has pairs of neighbouring cells, ``outside`` the cells outside all regions. A border
    between two of these means nothing.

    >>> regions_within(1, 3, [((0, 0), (0, 1))])
    (((0, 1, 1),), [])
    >>> regions_within(2, 2, [((0, 0), (0, 1))])
    (((0, 0), (0, 0)), [((0, 0), (0, 1))])
    """
    walls = {frozenset(pair) for pair in drawn}
    no_region = frozenset(outside)
    found: dict[Cell, int | None] = dict.fromkeys(no_region)
    inside = set(product(range(rows), range(cols))) - no_region

    def beside(cell: Cell) -> Iterator[Cell]:
        for other in (step(cell, direction) for direction in DIRECTIONS):
            if other in inside and frozenset((cell, other)) not in walls:
                yield other

    numbers = count()
    for start in sorted(inside):
        if start not in found:
            found |= dict.fromkeys(reached(start, beside), next(numbers))
    regions = tuple(tuple(found[row, col] for col in range(cols)) for row in range(rows))
    closed = set(map(frozenset, borders(regions)))
    within = (pair for pair in walls - closed if not pair <= no_region)
    return regions, sorted((min(pair), max(pair)) for pair in within)


@dataclass(frozen=True, repr=False)
class RegionPuzzle(CellLoop):
    """Base of kinds whose cells lie in ``regions``.

    ``regions`` has a row of names for each row of cells: text such as ``"aab"``, in which each
    character or each word is a name; or any hashable values. ``None`` or ``.`` is a cell outside
    all regions, where no line runs. Names say where borders are: a region is what borders enclose,
    so cells of one name that do not hang together are several regions. With `clues_are_holes`,
    cells with clues are outside all regions, whatever their names. Regions are stored as numbers
    from 0, in the order of their first cells. A single region of all cells is stored as ``()``, the
    default.

    Raises `PuzzleError` for regions that do not have a name for each cell.

    >>> from linkoracle.kinds import Detour
    >>> Detour.blank(2, 4, regions=["a.ab", "aaab"]).regions
    ((0, None, 0, 1), (0, 0, 0, 1))
    >>> Detour.blank(1, 4, regions=["a.ab"]).regions
    ((0, None, 1, 2),)
    """

    regions: Grid = field(default=(), kw_only=True)

    annotations: ClassVar = {**FIXED, "regions": REGIONS}
    #: How often the loop visits each region; ``None`` for any number of visits.
    visits: ClassVar[int | None] = None
    #: How often the loop visits regions that generators draw, if ``visits`` does not say it:
    #: ``None`` if smaller regions say more of the loop.
    drawn_visits: ClassVar[int | None] = None
    #: Whether a clue applies to its region, which then has at most one. It may have no number.
    region_clues: ClassVar[bool] = False
    #: Whether a cell with a clue is a hole, which belongs to no region and may cut one into parts.
    clues_are_holes: ClassVar[bool] = False

    if TYPE_CHECKING:

        def __init__(
            self,
            clues: Rows,
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
            regions = [
                tuple(
                    (row.split() if " " in row.strip() else row.strip())
                    if isinstance(row, str)
                    else row
                )
                for row in found
            ]
            # Names are hashable.
            hash((*regions,))
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
        normal = normal_regions(regions)
        names = set(chain.from_iterable(normal))
        if names == {None} and not self.clues_are_holes:
            raise PuzzleError("expected a cell in a region, found none", listed=("regions", 0))
        return normal if names - {0} else ()

    @cached_property
    def avoided(self) -> frozenset[Cell]:
        """The cells outside all regions, and those with clues if lines avoid clues."""
        rows = enumerate(self.regions)
        outside = {(row, col) for row, cells in rows for col, at in enumerate(cells) if at is None}
        return super().avoided | outside

    @classmethod
    def holes_in(cls, grid: Grid | Sequence[Sequence[Any]]) -> list[Cell]:
        """Return the cells of a grid that are outside all regions because of their clues."""
        if not cls.clues_are_holes:
            return []
        rows = enumerate(grid)
        return [(row, col) for row, cells in rows for col, at in enumerate(cells) if at is not None]

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

    @property
    def crossings(self) -> Sequence[int]:
        """How many lines may cross the border of a region, if `visits` says it."""
        return [2 * (self.visits or 0)]

    def constrain(self, rules: LoopRules) -> None:
        """Require that the loop visits each region as often as `visits` says.

        A single region has no border to cross: it holds a loop that visits it once.
        """
        crossed: list[list[int]] = [[] for _ in self.cells_by_region()]
        for pair in borders(self.regions):
            for cell in pair:
                if (region := self.region_of(cell)) is not None:
                    crossed[region].append(rules.line_between(*pair))
        if self.visits is not None and (self.visits > 1 or len(crossed) > 1):
            for lines, cells in zip(crossed, self.cells_by_region(), strict=True):
                rules.about("region", cells[0])
                rules.count(lines, self.crossings)

    def clue_faults(self, lines: Lines) -> Iterator[str]:
        """Yield a sentence for each region that lines do not visit as often as `visits` says."""
        regions = self.cells_by_region()
        if self.visits is None or (self.visits == 1 and len(regions) == 1):
            return
        for cells in regions:
            inside = set(cells)
            found = sum(len(lines[cell] - inside) for cell in cells)
            if found not in self.crossings:
                where, times = f"the region of {place_of(cells[0])}", alternatives(self.crossings)
                yield f"the border of {where} is crossed {found} times, expected {times}"

    def region_faults(self, count: Callable[[list[Cell]], int], what: str) -> Iterator[str]:
        """Yield a sentence for each clue that differs from ``count`` of the cells of its region."""
        for cells, cell, number in self.numbers_by_region():
            if (found := count(cells)) != number:
                yield f"{found} {what} in the region of the {number} at {place_of(cell)}"

    def region_numbers(self, count: Callable[[list[Cell]], int]) -> Iterator[tuple[Cell, int]]:
        """Yield the first cell of each region, and ``count`` of its cells."""
        return ((cells[0], count(cells)) for cells in self.cells_by_region())

    def numbers_by_region(self) -> Iterator[tuple[list[Cell], Cell, Any]]:
        """Yield what `clues_by_region` does, but for clues without a number."""
        return (found for found in self.clues_by_region() if found[-1] != self.unknown)

    def clues_by_region(self) -> Iterator[tuple[list[Cell], Cell, Any]]:
        """Yield for each clue the cells of its region, its own cell, and the clue."""
        cells = self.cells_by_region()
        for cell, clue in self.clue_cells():
            if (region := self.region_of(cell)) is not None:
                yield cells[region], cell, clue
