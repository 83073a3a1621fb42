"""Twins of a puzzle: the same board with one clue changed, and no solution or exactly two."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, islice
from random import Random
from typing import Any, Literal, NamedTuple

from linkoracle import deduce
from linkoracle.board import Solution, neighbours
from linkoracle.core import Deadline, NotSupported, PuzzleError, below, shuffled
from linkoracle.kinds import Puzzle, place_of, violations
from linkoracle.session import Session
from linkoracle.solving import solutions

#: In how many lines the two solutions of a twin differ: as they come, in few, or in many.
Differ = Literal["any", "few", "many"]


class Change(NamedTuple):
    """A puzzle in which one clue is changed.

    ``what`` is ``"value"``, a clue with another value; ``"move"``, a clue in another cell;
    ``"region"``, a cell in another region; ``"line"``, a given line in another place; or
    ``"removal"``, a clue taken away. ``place`` is the place in words, such as ``"r1c2"``.
    """

    puzzle: Puzzle
    what: str
    place: str
    old: str
    new: str


class Twin(NamedTuple):
    """A change, and what it leads to: ``solutions``, none or two of them.

    Without a solution, ``steps`` is the number of steps that deduction needs to find the
    contradiction, and ``core`` the places of clues that contradict each other, ``()`` where a core
    of clues cannot be told.
    """

    change: Change
    solutions: tuple[Solution, ...]
    steps: int = 0
    core: tuple[str, ...] = ()


class Wrong(NamedTuple):
    """A drawing that breaks exactly one rule of a puzzle, and the rule in a sentence."""

    drawing: Solution
    breaks: str


class Twins(NamedTuple):
    """The twins of a puzzle; ``None`` where no change leads to one."""

    none: Twin | None
    two: Twin | None
    wrong: Wrong | None


def find_twins(
    puzzle: Puzzle,
    solution: Solution,
    rng: Random,
    *,
    least_steps: int = 3,
    differ: Differ = "any",
    timeout: float | None = None,
) -> Twins:
    """Find twins of a puzzle that has this one solution, and a wrong drawing.

    Tries changes in random order. A twin without a solution needs at least ``least_steps`` steps
    of deduction until the contradiction, and no single clue is the reason. Of twins with exactly
    two solutions, the first is taken, or with ``differ`` that whose solutions differ in the
    fewest, or in the most lines. O(changes) decisions, milliseconds each on small boards. Raises
    `SearchTimeout` after ``timeout`` seconds.

    >>> from linkoracle import generate
    >>> from linkoracle.core import source
    >>> made = generate.slitherlink(6, 6, seed=1)
    >>> found = find_twins(made.puzzle, made.solution, source(1, 0))
    >>> len(found.none.solutions), len(found.two.solutions)
    (0, 2)
    """
    until = Deadline(timeout)
    none: Twin | None = None
    wrong: Wrong | None = None
    twos: list[Twin] = []
    for drawing in shuffled(rng, [*_flipped(solution)]) if below(rng, 2) else ():
        if wrong := _breaking_one(puzzle, drawing):
            break
    for change in changes(puzzle, rng):
        if none and twos and (wrong or change.what == "removal") and differ == "any":
            break
        found = tuple(islice(solutions(change.puzzle, timeout=until.left), 3))
        if not found and none is None and change.what != "removal":
            none = _refuted(change, least_steps, until)
        if len(found) == 2 and (differ != "any" or not twos):
            twos.append(Twin(change, tuple(sorted(found))))
        for other in found:
            if wrong is None and other != solution and other.board == puzzle.board:
                wrong = _breaking_one(puzzle, other)
    furthest = max if differ == "many" else min
    return Twins(none, furthest(twos, key=_lines_apart, default=None), wrong)


def _breaking_one(puzzle: Puzzle, drawing: Solution) -> Wrong | None:
    """Return a drawing that breaks one rule; ``None`` if it breaks several, or none."""
    broken = violations(puzzle, drawing)
    # Both lines that join different numbers are named.
    rules = {re.sub(r"r\d+c\d+", "", sentence) for sentence in broken}
    return Wrong(drawing, broken[0]) if len(rules) == 1 else None


def _lines_apart(twin: Twin) -> int:
    one, other = twin.solutions
    return len({*one.edges} ^ {*other.edges})


def _refuted(change: Change, least_steps: int, until: Deadline) -> Twin | None:
    """Return the twin without a solution, ``None`` if the contradiction is seen at once."""
    deduced = deduce.deduced(change.puzzle, until)
    steps = len(deduced.path())
    if deduced.grade.status != "no solution" or steps < least_steps:
        return None
    core: tuple[str, ...] = ()
    if change.what == "value":
        try:
            with Session(change.puzzle) as session:
                cells = session.core(timeout=until.left).core or {}
        except NotSupported:
            cells = {}
        if len(cells) == 1:
            return None
        core = tuple(place_of(cell if len(cell) > 1 else cell[0]) for cell in cells)
    return Twin(change, (), steps, core)


def changes(puzzle: Puzzle, rng: Random) -> Iterator[Change]:
    """Yield valid puzzles in which one clue is changed, in random order.

    First come other values of clues: either all that are raised or all that are lowered, which is
    drawn, and only to numbers that other clues have, so that values do not tell which of two
    puzzles was changed. Then come all other changes: other values; clues that move by two cells, in
    kinds whose clues have few other values; cells in the region of a neighbour; and given lines
    that turn around an end. Clues that are taken away come last.

    >>> from linkoracle import Slitherlink
    >>> from linkoracle.core import source
    >>> found = [*changes(Slitherlink([[3, None], [None, 0]]), source(1, 0))]
    >>> sorted((one.what, one.place, one.new) for one in found)[:3]
    [('removal', 'r1c1', ''), ('removal', 'r2c2', ''), ('value', 'r1c1', '2')]
    """
    values = [*_values(puzzle, rng)]
    first = [change for change, is_first in values if is_first]
    yield from shuffled(rng, first)
    more = [change for change, is_first in values if not is_first]
    # Numbers of which each occurs once have few other values.
    if 2 * len(values) < puzzle.number_of_clues:
        more += _moves(puzzle)
    yield from shuffled(rng, [*more, *_regions(puzzle), *_given(puzzle)])
    yield from shuffled(rng, [*_removals(puzzle)])


def _flipped(solution: Solution) -> Iterator[Solution]:
    """Yield drawings in which two opposite sides of a square are replaced by the two others.

    All vertices keep their number of lines; one loop often becomes two.
    """
    board, drawn = solution.board, {*solution.edges}
    for face in range(board.num_faces):
        sides = [*board.edges_of(face)]
        kept = [side for side in sides if side in drawn]
        if len(sides) != 4 or len(kept) != 2:
            continue
        if {*board.ends(kept[0])}.isdisjoint(board.ends(kept[1])):
            yield Solution(board, tuple(drawn ^ {*sides}))


def _valid(make: Callable[..., Puzzle], *changed: Any, **lists: Any) -> Puzzle | None:
    """Return a changed puzzle, ``None`` if it would be none of its kind."""
    try:
        return make(*changed, **lists)
    except PuzzleError:
        return None


def _values(puzzle: Any, rng: Random) -> Iterator[tuple[Change, bool]]:
    """Yield changes of values, and whether each is one of the first to try."""
    upwards = bool(below(rng, 2))
    known = {_value(clue) for _, clue in puzzle.clue_cells()}
    for cell, clue in puzzle.clue_cells():
        for other in _near(puzzle, clue):
            if (
                other == puzzle.unknown
                or (made := _valid(puzzle.with_clues, {cell: other})) is None
            ):
                continue
            # Any order of letters will do.
            is_raised = (_value(other), str(other)) > (_value(clue), str(clue))
            is_first = is_raised == upwards and _value(other) in known
            yield Change(made, "value", place_of(cell), str(clue), str(other)), is_first


def _value(clue: Any) -> int:
    """Return the number of a clue; -1 for one without."""
    number = re.search("[0-9]+", str(clue))
    return int(number[0]) if number else -1


def _near(puzzle: Any, clue: Any) -> list[Any]:
    """Return values beside that of a clue: a number more or less, or another letter."""
    if clue == puzzle.unknown or clue in puzzle.symbols:
        return []
    if isinstance(clue, int):
        return [near for near in (clue - 1, clue + 1) if near not in puzzle.symbols]
    number = re.search("[0-9]+", clue)
    if number:
        start, end = number.span()
        near = [int(number[0]) + step for step in (-1, 1)]
        return [f"{clue[:start]}{one}{clue[end:]}" for one in near if one >= 0]
    letters = {*re.findall("[a-z]", puzzle.words or "")} - {clue}
    return sorted(letters)


def _moves(puzzle: Puzzle) -> Iterator[Change]:
    # By one cell, a closed cell of a Simple Loop would change its colour on a chessboard, which is
    # seen at once.
    faces, held = puzzle.faces, dict(puzzle.clue_cells())
    dual, beside = faces.dual, neighbours(faces.dual)
    # In the order of the edges: which moves are drawn depends on it.
    for here in dict.fromkeys(chain.from_iterable(map(dual.ends, range(dual.num_edges)))):
        cell = faces.face_name(here)
        if cell not in held:
            continue
        beyond = {far for near in beside[here] for far in beside[near]} - {here, *beside[here]}
        for there in sorted(beyond):
            to = faces.face_name(there)
            made = None if to in held else _valid(puzzle.with_clues, {cell: None, to: held[cell]})
            if made is not None:
                yield Change(made, "move", place_of(cell), place_of(cell), place_of(to))


def _regions(puzzle: Any) -> Iterator[Change]:
    regions = getattr(puzzle, "regions", None)
    if not regions:
        return
    dual = puzzle.faces.dual
    for edge in range(dual.num_edges):
        for here, there in (dual.ends(edge), dual.ends(edge)[::-1]):
            (row, col), (other_row, other_col) = map(puzzle.faces.face_name, (here, there))
            old, new = regions[row][col], regions[other_row][other_col]
            if old == new:
                continue
            rows = [[*line] for line in regions]
            rows[row][col] = new
            made: Any = _valid(replace, puzzle, regions=tuple(map(tuple, rows)))
            # Otherwise a region ends, or falls into two.
            if made is not None and len({*chain(*made.regions)}) == len({*chain(*regions)}):
                yield Change(made, "region", place_of((row, col)), str(old), str(new))


def _given(puzzle: Any) -> Iterator[Change]:
    """Yield puzzles in which a given line, a wall or the like turns around one of its ends."""
    for name, items in _lists(puzzle):
        if not puzzle.annotations[name].edges:
            continue
        for line in items:
            for turned in _turned(puzzle, line):
                kept = [one for one in items if one != line]
                made = _with_list(puzzle, name, [*kept, turned])
                if made is not None and turned not in items:
                    yield Change(made, "line", _line(line), _line(line), _line(turned))


def _lists(puzzle: Any) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield the lists of lines and cells that a puzzle has, by name."""
    for name, listed in puzzle.annotations.items():
        items = getattr(puzzle, name)
        if items and not listed.grid and not listed.of_lines and listed.length is None:
            yield name, items


def _with_list(puzzle: Any, name: str, items: list[Any]) -> Puzzle | None:
    return _valid(replace, puzzle, **{name: tuple(sorted(items))})


def _turned(puzzle: Any, line: Any) -> Iterator[Any]:
    """Yield the lines that share an end with a line."""
    for here, there in (line, line[::-1]):
        if isinstance(here, tuple):
            row, col = here
            around = [(row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)]
        else:
            ends = map(puzzle.board.ends, puzzle.board.edges_at(puzzle.board.vertex_of(here)))
            around = [puzzle.board.vertex_name(sum(pair) - here) for pair in ends]
        yield from (tuple(sorted((here, other))) for other in around if other != there)


def _line(line: Any) -> str:
    return "-".join(map(place_of, line))


def _removals(puzzle: Puzzle) -> Iterator[Change]:
    for cell, clue in puzzle.clue_cells():
        if (made := _valid(puzzle.with_clues, {cell: None})) is not None:
            yield Change(made, "removal", place_of(cell), str(clue), "")
    for name, items in _lists(puzzle):
        is_line = puzzle.annotations[name].edges
        for item in items:
            made = _with_list(puzzle, name, [one for one in items if one != item])
            if made is not None:
                told = _line(item) if is_line else place_of(item)
                yield Change(made, "removal", told, told, "")
