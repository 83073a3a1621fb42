"""`cell_loop`: the generator of kinds with one loop through cells, or one path.

It draws a loop, and regions that the loop visits as the kind requires. It starts with all clues of
the loop, and removes clues while the solution stays the only one. If even all clues allow another
loop, it changes the loop next to a line of the other one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial, reduce
from operator import and_
from random import Random
from typing import Any

from linkoracle.board import HOLE, Count, Lattice, Solution, Symmetry, board_lists, orbits
from linkoracle.core import (
    COMPILED,
    ConflictLimit,
    Deadline,
    PuzzleError,
    below,
    pick,
    shuffled,
)
from linkoracle.engines import Oracle
from linkoracle.generate.loops import (
    SHADED,
    changed_nearby,
    loop_for,
    plain_loop,
    single_cells_left,
)
from linkoracle.generate.loops.aims import Wanted
from linkoracle.generate.loops.choosing import chosen
from linkoracle.generate.loops.drawing import Aim, Drawn, changed_to
from linkoracle.generate.loops.regions import (
    connected,
    finer,
    regions_for,
    regions_near,
    rows_of,
    single_cells,
    split,
)
from linkoracle.kinds import (
    WHOLE,
    Another,
    Cell,
    CellLoop,
    CellPath,
    IsEasy,
    Lines,
    RegionPuzzle,
    ShadingLoop,
    SimpleLoop,
)

#: How often a loop is changed before another one is drawn.
_CHANGES = 30
#: The most alternatives, in places apart, that moves of cells exclude before the next query.
_PLACES = 12
#: Number of first boards that are rejected if they need a guess even with all clues.
_EASY = 10
#: If the loop is drawn for its clues, one of this many cells has a clue at first.
_CLOSED = 6
#: Rounds over the faces in which a loop with a symmetry grows.
_GROWN = 3
#: Every so many changes, a region is split where an alternative differs.
_SPLIT = 2
#: Least side of a board whose loop aims at a shape.
_LEAST = 3
#: Number of changes after which another loop is drawn.
_KEPT = 12
#: For each cell, moves of cells to another region before a loop is given up.
_MOVES = 400
#: Moves without success before an alternative is left for a change of the loop.
_IDLE = 1_000
#: Moves among the same regions.
_FOCUS = 50
#: Moves between a puzzle that is too hard and the next puzzle.
_FURTHER = 10


def cell_loop(
    kind: type[CellLoop],
    rows: int,
    cols: int,
    rng: Random,
    another: Another,
    *,
    minimal: bool = False,
    symmetry: Symmetry = "none",
    is_easy: Callable[[CellLoop], bool] | None = None,
    looks: Wanted | None = None,
) -> tuple[CellLoop, Solution] | None:
    """Make a puzzle of this kind and its only solution; ``None`` if this attempt failed.

    ``another`` searches for a second solution. The puzzle needs no guess if possible; with
    ``minimal`` no clue is redundant, even if the puzzle then needs a guess. The cells with clues
    have the ``symmetry``: clues that it maps to each other are removed together. A loop is changed
    if ``is_easy`` rejects its puzzle with all clues. The loop, the regions and the clues aim at
    ``looks``. Raises `PuzzleError` for a size without such a loop.
    """
    drawing = _Drawing(kind, rows, cols, rng, symmetry, looks)
    anyhow = issubclass(kind, RegionPuzzle) and not (kind.visits or kind.drawn_visits)
    # Regions that aim at looks stay, and the loop changes. Others are split until they suffice.
    parts = anyhow and looks is None
    loop, points = drawing.loop(), None
    #: Alternatives that fitted larger regions of this loop.
    met: list[Solution] = []
    for drawn in range(max(_CHANGES, rows * cols)):
        try:
            if parts and points is None:
                finest = kind.from_solution(loop, regions=single_cells(loop))
                if others := alternatives(finest, loop, another):
                    # No regions would do.
                    loop = drawing.changed(loop, others) or drawing.loop()
                    continue
            points = points or regions_for(kind, loop, rng, looks)
            puzzle = drawing.puzzle_of(loop, points)
        except PuzzleError:
            # The kind allows no such loop, or none with these regions, or clues in such cells.
            loop, points, met = drawing.loop(), None, []
            continue
        puzzle, others = chosen(
            puzzle, loop, partial(alternatives, loop=loop, another=another), rng, looks
        )
        divided = puzzle if isinstance(puzzle, RegionPuzzle) else None
        if not others:
            # With a path that is asked for, `is_easy` says what is simple enough.
            asked = looks is not None and is_easy is not None
            simple = minimal or asked or drawn >= _EASY or _needs_no_guess(puzzle)
            easy = simple and (is_easy is None or is_easy(puzzle.renumbered()))
            if not easy:
                if simple and parts and divided and (regions := finer(divided, loop, rng)):
                    points = {"regions": regions}
                else:
                    loop, points, met = drawing.loop(), None, []
                continue
            every = orbits(Lattice(puzzle.rows + 1, puzzle.cols + 1), symmetry)
            return reduced(puzzle, loop, rng, another, every, minimal=minimal, looks=looks), loop
        if divided is not None and divided.visits == 2:
            divided, others = redivided(divided, loop, others, rng, another, is_easy)
            if not others:
                return divided, loop
        if anyhow and divided and drawn % _SPLIT == _SPLIT - 1 and divided.region_clues:
            points = {"regions": split(divided, loop, others, rng, 1)}
            continue
        if divided is not None and parts:
            met += others
            points = {"regions": split(divided, loop, met, rng)}
            continue
        changed = None
        if not (drawing.closes or (drawing.orbits and drawn % _KEPT == _KEPT - 1)):
            changed = drawing.changed(loop, others)
        points = points if anyhow and changed is not None else None
        if changed is not None and divided is not None and not anyhow:
            # Regions of two visits have been changed already where alternatives differ.
            differing = others if divided.visits == 1 else []
            points = regions_near(divided, loop, changed, differing, rng, looks)
        loop = changed or drawing.loop()
    return None


def alternatives(
    puzzle: CellLoop,
    loop: Solution,
    another: Callable[..., Solution | None],
    known: Sequence[Solution] = (),
) -> list[Solution]:
    """Return alternatives that differ in places apart, also from those ``known``.

    None of either if the loop is the only solution. More than one are worth their time only where
    cells then move between regions; a loop that changes in several places at once gets no better.
    """
    board, used = loop.board, {*loop}
    found = [*known]
    edges: dict[int, bool] = {}
    places = _PLACES if isinstance(puzzle, RegionPuzzle) and puzzle.visits == 2 else 1
    for place in range(len(known) + places):
        if place >= len(known):
            try:
                other = another(puzzle, loop, edges) if found else another(puzzle, loop)
            except ConflictLimit:
                if not found:
                    raise
                break
            if other is None:
                break
            found.append(other)
        there = {vertex for edge in used ^ {*found[place]} for vertex in board.ends(edge)}
        beside = {end for v in there for edge in board.edges_at(v) for end in board.ends(edge)}
        edges |= {edge: edge in used for v in sorted(beside) for edge in board.edges_at(v)}
    return found[len(known) :]


class _Drawing:
    """Draws loops, and makes puzzles of their clues in cells of a symmetry."""

    def __init__(
        self,
        kind: type[CellLoop],
        rows: int,
        cols: int,
        rng: Random,
        symmetry: Symmetry,
        looks: Wanted | None = None,
    ) -> None:
        self._looks = looks
        self._kind, self._rows, self._cols, self._rng = kind, rows, cols, rng
        self._symmetry = symmetry
        cells = Lattice(rows + 1, cols + 1)
        self.orbits = None if symmetry == "none" else orbits(cells, symmetry)
        #: Whether cells with clues are drawn before the loop. A loop that omits such a cell seldom
        #: omits all cells of its orbit.
        drawn = looks is None or issubclass(kind, ShadingLoop)
        self.closes = kind.avoids_clues and self.orbits is not None and drawn
        self._closed: dict[Cell, Any] = {}
        self._drawn = 0
        #: One solver for all changes of loops.
        self._oracle: Oracle | None = None

    def loop(self) -> Solution:
        """Draw another loop."""
        if self.closes:
            return self._past_closed_cells()
        self._drawn += 1
        if self.aim is not None and (self.orbits is None or self._avoids or self._drawn % 2):
            drawn = Drawn(self._rows, self._cols, self.aim, self._rng, self._lacking)
            drawn.anneal()
            return drawn.solution()
        if self.orbits is None or self._drawn % 2:
            return loop_for(self._kind, self._rows, self._cols, self._rng)
        # In some kinds, a loop without the symmetry has too few symmetric clues.
        return self._symmetric_loop()

    @property
    def aim(self) -> Aim | None:
        """The shape of loops to aim at, for kinds whose loop may leave out any cells."""
        free = not (self._kind.every_cell or issubclass(self._kind, ShadingLoop))
        if self._looks is None or not free or min(self._rows, self._cols) < _LEAST:
            return None
        looks = self._looks
        return Aim(looks.visited, looks.turns, looks.straight, lone=looks.lone)

    @property
    def _avoids(self) -> bool:
        return self._kind.avoids_clues

    def _lacking(self, left_out: int) -> float:
        """Return how many cells are in no orbit, if clues are where the loop is not."""
        if self.orbits is None or not self._avoids or self._looks is None:
            return 0.0
        whole = sum(len(orbit) for orbit in self.orbits if all(left_out >> v & 1 for v in orbit))
        return 2.0 * max(0, 2 * self._looks.clues - whole)

    def changed(self, loop: Solution, others: Sequence[Solution]) -> Solution | None:
        """Change a loop near places where ``others`` differ; ``None`` if that fails."""
        board = loop.lattice
        omits = issubclass(self._kind, ShadingLoop) and not self._kind.avoids_clues
        if issubclass(self._kind, CellPath):
            return None
        if self.aim is not None:
            return changed_to(loop, others, self.aim, self._rng, self._lacking)
        if not (omits or self._kind.every_cell):
            return _flipped(loop, others, self._rng)
        if self._oracle is None:
            every = SimpleLoop.blank(board.rows, board.cols)
            self._oracle = Oracle(single_cells_left(board) if omits else every)
        found = None
        for other in others:
            new = changed_nearby(self._rng, self._oracle, found or loop, other, omits=omits)
            found = new or found
        return found

    def _symmetric_loop(self) -> Solution:
        """Draw a loop that has the symmetry: the outline of faces that grow from the middle."""
        # Compiled.
        from linkoracle.board import Colouring

        board = Lattice(self._rows, self._cols)
        colouring = Colouring(board)
        rows, cols = board.rows - 1, board.cols - 1
        every = orbits(board, self._symmetry)
        for row in {(rows - 1) // 2, rows // 2}:
            for col in {(cols - 1) // 2, cols // 2}:
                colouring.flip(row * cols + col)
        for _ in range(_GROWN):
            for orbit in shuffled(self._rng, every):
                flipped = []
                for face in orbit:
                    if not colouring.can_flip(face) or colouring.count(face) > 2:
                        break
                    colouring.flip(face)
                    flipped.append(face)
                if len(flipped) < len(orbit) or (
                    colouring.is_inside(orbit[0]) and below(self._rng, 3) == 0
                ):
                    for face in reversed(flipped):
                        colouring.flip(face)
        return colouring.outline()

    def puzzle_of(self, loop: Solution, points: dict[str, Any]) -> CellLoop:
        """Return the puzzle with all clues; raise `PuzzleError` if the kind allows no such loop."""
        if self.orbits is None:
            return self._kind.from_solution(loop, **points)
        blank = self._kind.blank(self._rows, self._cols, **points).with_clues(self._closed)
        puzzle = blank.with_clues(blank.clues_of(Lines.of(loop)))
        clued: set[Any] = {cell for cell, _ in puzzle.clue_cells()}
        for orbit in self.orbits:
            cells = [divmod(cell, self._cols) for cell in orbit]
            if not clued.issuperset(cells):
                puzzle = puzzle.with_clues(dict.fromkeys(cells))
        for fault in puzzle.violations(loop):
            raise PuzzleError(fault)
        return puzzle

    def _past_closed_cells(self) -> Solution:
        """Draw cells for clues, cells to shade, and a loop through all other cells, by SAT."""
        assert self.orbits is not None
        blank = self._kind.blank(self._rows, self._cols)
        size, board = self._rows * self._cols, blank.lattice
        for tried in range(1, size + 1):
            cells = [cell for orbit in shuffled(self._rng, self.orbits) for cell in orbit]
            closed = cells[: max(1, size // _CLOSED)]
            closed = [v for orbit in self.orbits if {*orbit} & {*closed} for v in orbit]
            self._closed = {}
            if self._kind.unknown is not None:
                places = (divmod(cell, self._cols) for cell in closed)
                self._closed = dict.fromkeys(places, self._kind.unknown)
            left_out: list[int] = []
            for cell in shuffled(self._rng, cells)[: size // (SHADED * tried)]:
                beside = {end for edge in board.edges_at(cell) for end in board.ends(edge)}
                if cell not in closed and beside.isdisjoint(left_out):
                    left_out.append(cell)
            model = blank.with_clues(self._closed).model.with_holes([*closed, *left_out])
            visited = [board.visited(v) for v, mask in enumerate(model.degrees) if mask != HOLE]
            most = Count.of(visited, range(2 * len(visited) // 3, len(visited) + 1))
            with Oracle(model.with_constraints(counts=[most])) as oracle:
                if found := next(oracle.solutions(), None):
                    return found
        raise PuzzleError(f"found no loop past clues on {self._rows}x{self._cols} cells")


def redivided(
    puzzle: RegionPuzzle,
    loop: Solution,
    others: Sequence[Solution],
    rng: Random,
    another: Another,
    is_easy: IsEasy,
) -> tuple[RegionPuzzle, list[Solution]]:
    """Move cells between regions that a loop visits equally often, until the loop is unique.

    Continues while ``is_easy`` rejects the puzzle; returns the last one if no puzzle is easy.
    ``others`` are alternatives. A cell at the end of a run moves to the region where the loop
    continues, unless more of the known alternatives would fit. Returns the puzzle, and the
    alternatives that fit to the end, if any. A move takes O(known alternatives), as operations on
    bits.
    """
    board, times = loop.lattice, 2 * (puzzle.visits or 1)
    owners = {cell: puzzle.region_of(cell) or 0 for cell in puzzle.cells()}
    regions = {owners[cells[0]]: set(cells) for cells in puzzle.cells_by_region()}
    place = board.position
    beside = {
        place(vertex): [(edge, place(other)) for edge, other in steps]
        for vertex, steps in enumerate(board_lists(board).around)
    }
    #: By edge, the known alternatives that use it, as bits of a number.
    using = [0] * board.num_edges
    #: The known alternatives, and the cells where each of them differs.
    every: list[Solution] = []
    differing: list[set[Cell]] = []
    known = 0

    def note(found: Solution) -> None:
        nonlocal known
        there = {end for edge in {*found} ^ {*loop} for end in board.ends(edge)}
        differing.append({*map(place, there)})
        every.append(found)
        for edge in found:
            using[edge] |= 1 << known
        known += 1

    def fitting(region: int) -> int:
        """Return the known alternatives that cross the border of a region as often as required."""
        exactly = [(1 << known) - 1] + [0] * times
        for cell in regions[region]:
            for edge, other in beside[cell]:
                if owners[other] != region and (more := using[edge]):
                    for number in range(times, 0, -1):
                        exactly[number] += (exactly[number - 1] & more) - (exactly[number] & more)
                    exactly[0] &= ~more
        return exactly[times]

    def move(cell: Cell, old: int, new: int) -> None:
        owners[cell] = new
        regions[old].remove(cell)
        regions[new].add(cell)

    def fit_all() -> int:
        """Return the known alternatives that fit."""
        return reduce(and_, fits.values())

    def last() -> int:
        """Return the number of the last one that fits, and that no move excluded in vain."""
        return (fit_all() & ~stuck).bit_length() - 1

    def chosen() -> list[tuple[Cell, ...]]:
        """Return the lines on borders of the regions where an alternative that fits differs."""
        near = {owners[cell] for cell in differing[last()]}
        pairs = [(one, two) for one, two in ends if owners[one] != owners[two]]
        return [pair for pair in pairs if not near.isdisjoint(map(owners.__getitem__, pair))]

    lines, ends = Lines.of(loop), [(*map(place, board.ends(edge)),) for edge in loop]
    for other in others:
        note(other)
    fits = {region: fitting(region) for region in regions}
    unique: RegionPuzzle | None = None
    # Number of known alternatives that fit, and of moves before the next puzzle is tested.
    left, waits, idle, stuck = known, 0, 0, 0
    some: list[tuple[Cell, ...]] = []
    for moved in range(_MOVES * board.num_vertices):
        if not moved % _FOCUS:
            some = chosen() if left else ends
        here, ahead = shuffled(rng, pick(rng, some or ends))
        (behind,) = lines[here] - {ahead}
        old, new = owners[here], owners[ahead]
        idle += 1
        if idle > _IDLE:
            if not left:
                break
            stuck |= 1 << last()
            left, idle = left - 1, 0
            some = chosen() if left else ends
        if old == new or owners[behind] != old:
            continue
        move(here, old, new)
        now = {**fits, old: fitting(old), new: fitting(new)}
        still = (reduce(and_, now.values()) & ~stuck).bit_count()
        if still > left or connected(behind, regions[old]) != regions[old]:
            move(here, new, old)
            continue
        idle = idle if still == left else 0
        fits, left, waits = now, still, waits - 1
        if not left and waits <= 0:
            puzzle = type(puzzle).from_solution(loop, regions=rows_of(board, owners))
            rest = [one for number, one in enumerate(every) if fit_all() >> number & 1]
            found = alternatives(puzzle, loop, another, rest)
            if rest and not found:
                return puzzle, rest
            if not found:
                if is_easy is None or is_easy(puzzle):
                    return puzzle, []
                unique, waits = puzzle, _FURTHER
                continue
            for other in found:
                note(other)
            fits, left = {region: fitting(region) for region in regions}, len(found)
            some = chosen()
    if unique is not None:
        return unique, []
    rest = [one for number, one in enumerate(every) if fit_all() >> number & 1]
    return type(puzzle).from_solution(loop, regions=rows_of(board, owners)), rest


def _needs_no_guess(puzzle: CellLoop) -> bool:
    """Return whether the rules decide all edges, alone or with probes of single edges."""
    # Compiled.
    from linkoracle.lines.rules_kernel import Rules

    rules = Rules(puzzle.model)
    return rules.preprocess(Deadline(None)) and 2 not in rules.fixed()


def reduced(
    puzzle: CellLoop,
    loop: Solution,
    rng: Random,
    another: Another,
    every: Sequence[Sequence[int]],
    *,
    minimal: bool,
    met: dict[Any, Solution] | None = None,
    looks: Wanted | None = None,
    kept: Collection[Any] = (),
) -> CellLoop:
    """Remove clues in random order, each if the solution stays the only one.

    The clues of an orbit in ``every`` are removed together. If a clue is needed, or whether it is
    stays undecided, its value may still be hidden. Given lines count as clues, too. If all clues
    lead to the solution without a guess, so do the remaining ones, unless ``minimal``. ``met`` maps
    each rejected change to an alternative, which is tried first when the change is tried again.
    Places and lines of ``kept`` stay, and with a place its orbit.
    """
    simple = not minimal and _needs_no_guess(puzzle)
    met = {} if met is None else met

    def fits(fewer: CellLoop, *changes: Any) -> bool:
        # Without a clue, the loop may break a rule, as in kinds whose clues also close cells.
        if fewer.violations(loop):
            return False
        if simple:
            return _needs_no_guess(fewer)
        known = (met[one] for one in changes if one in met)
        other = next((one for one in known if not fewer.violations(one)), None)
        try:
            other = another(fewer, loop) if other is None else other
        except ConflictLimit:
            return False
        if other is not None and len(changes) == 1:
            met[changes[0]] = other
        return other is None

    clues: dict[Any, Any] = dict(puzzle.every_clue())
    cells_of = ([divmod(cell, puzzle.cols) for cell in orbit] for orbit in every)
    stays = frozenset(kept)
    free = [
        [cell for cell in cells if cell in clues] for cells in cells_of if stays.isdisjoint(cells)
    ]
    turns: list[list[Any]] = shuffled(rng, [cells for cells in free if cells])
    if looks is not None:
        turns = looks.removed(turns, clues, type(puzzle))
    # Numbers beside the grid go last. Players expect that of the whole board.
    beside = [one for one in clues if isinstance(one, str) and (minimal or one != WHOLE)]
    turns += [[place] for place in shuffled(rng, beside) if place not in stays]
    # The other numbers of a path have little to say without its ends.
    turns.sort(key=lambda cells: cells[0] in (puzzle.ends or ()))
    # Remove runs of clues, twice as many each time. If a run has a clue that is needed, find the
    # first such by halves: without the clues up to ``high``, there is another solution.
    at, high, size = 0, None, 1
    while at < len(turns):
        to = min(at + size, len(turns)) if high is None else (at + high) // 2
        if to > at:
            run = turns[at:to]
            fewer = puzzle.with_clues({cell: None for cells in run for cell in cells})
            if fits(fewer, *(cells[0] for cells in run)):
                puzzle, at = fewer, to
                # Clues that also close cells come one by one: without several of them, a loop may
                # break a rule that it keeps without each of them.
                size = 1 if puzzle.avoids_clues else 2 * size
            else:
                high = to
            if high is None or high > at + 1:
                continue
        # A number may go where its cell stays closed.
        weakens = looks is None and puzzle.avoids_clues and puzzle.unknown is not None
        for cell in turns[at] if weakens else ():
            if clues.get(cell, puzzle.unknown) != puzzle.unknown:
                fewer = puzzle.with_clues({cell: puzzle.unknown})
                puzzle = fewer if fits(fewer, (cell, puzzle.unknown)) else puzzle
        at, high, size = at + 1, None, 1
    if looks is not None:
        # More than are needed, where people have more.
        rest = [cells for cells in turns if cells[0] not in dict(puzzle.every_clue())]
        for cells in looks.added(rest, dict(puzzle.every_clue()), clues, type(puzzle)):
            puzzle = puzzle.with_clues({cell: clues[cell] for cell in cells})
    for line in shuffled(rng, [one for one in puzzle.given if one not in stays]):
        fewer = replace(puzzle, given=tuple(one for one in puzzle.given if one != line))
        if fits(fewer, line):
            puzzle = fewer
    return puzzle.renumbered()


def _flipped(loop: Solution, others: Sequence[Solution], rng: Random) -> Solution | None:
    """Return the loop with squares next to a line of each of ``others`` flipped, if possible."""
    board = loop.lattice
    if not COMPILED:
        return plain_loop(rng, board)
    from linkoracle.generate.loops.colouring import coloured

    colouring = coloured(loop)
    changed = False
    for other in others:
        near = sorted({face for edge in set(loop) ^ set(other) for face in board.faces_of(edge)})
        flipped = 0
        for face in shuffled(rng, near):
            if colouring.can_flip(face):
                colouring.flip(face)
                flipped += 1
                if flipped == 2:
                    break
        changed |= flipped > 0
    return colouring.outline() if changed else None
