"""Twins: one clue differs, and the number of solutions is what is claimed."""

from collections.abc import Sequence
from itertools import islice

import pytest

from linkoracle import generate, solutions, violations
from linkoracle.core import source
from linkoracle.dataset import Twins, changes, find_twins
from linkoracle.generate import made_kinds
from linkoracle.kinds import Puzzle


def made(kind: str, index: int = 0) -> generate.Made:
    size = (7, 7) if kind == "grandtour" else (6, 6)
    return generate.make(generate.request_for(kind, *size), seed=1, index=index)


def found(kind: str, index: int, **how: object) -> tuple[generate.Made, Twins]:
    one = made(kind, index)
    return one, find_twins(one.puzzle, one.solution, source(1, index), **how)


def differing(one: Puzzle, other: Puzzle) -> int:
    """Return in how many places two puzzles differ."""
    assert (one.kind, one.variant, one.board) == (other.kind, other.variant, other.board)
    clues = [dict(puzzle.clue_cells()) for puzzle in (one, other)]
    places = sum(clues[0].get(cell) != clues[1].get(cell) for cell in clues[0] | clues[1])
    for name, listed in one.annotations.items():
        values = getattr(one, name) or (), getattr(other, name) or ()
        if listed.grid:
            # Regions may have other numbers: their borders change around one cell.
            borders = [walls(rows) for rows in values]
            touched = [{*pair} for pair in borders[0] ^ borders[1]]
            places += bool(touched)
            assert not touched or set.intersection(*touched)
        else:
            places += len({*values[0]} ^ {*values[1]})
    return places


def walls(regions: Sequence[Sequence[int]]) -> set[frozenset[tuple[int, int]]]:
    """Return the pairs of neighbouring cells in different regions."""
    at = {(row, col): one for row, line in enumerate(regions) for col, one in enumerate(line)}
    pairs = (((row, col), (row + down, col + 1 - down)) for row, col in at for down in (0, 1))
    return {frozenset(pair) for pair in pairs if at[pair[0]] != at.get(pair[1], at[pair[0]])}


@pytest.mark.parametrize("kind", made_kinds())
def test_twins_of_every_kind(kind: str) -> None:
    """The plain engine counts no solution, and two; each wrong drawing breaks a rule."""
    seen = [0, 0, 0]
    for index in range(4):
        one, (none, two, wrong) = found(kind, index)
        for number, twin in enumerate((none, two)):
            if twin is None:
                continue
            seen[number] += 1
            assert 1 <= differing(one.puzzle, twin.change.puzzle) <= 2
            counted = [*islice(solutions(twin.change.puzzle, engine="plain"), 3)]
            assert sorted(counted) == [*twin.solutions]
            assert len(counted) == 2 * number
        if none is not None:
            assert none.steps >= 3
            assert len(none.core) != 1
        if wrong is not None:
            seen[2] += 1
            assert wrong.breaks in violations(one.puzzle, wrong.drawing)
        if all(seen):
            break
    assert all(seen)


def test_solutions_that_differ_much_and_little() -> None:
    """Of all twins with two solutions, the wish picks those at the ends."""
    apart = {}
    for differ in ("few", "many"):
        pairs = [found("slitherlink", index, differ=differ)[1].two for index in range(3)]
        apart[differ] = [len({*twin.solutions[0]} ^ {*twin.solutions[1]}) for twin in pairs if twin]
    assert sum(apart["few"]) < sum(apart["many"])
    assert all(few <= many for few, many in zip(apart["few"], apart["many"], strict=True))


def test_contradictions_take_steps() -> None:
    """More steps are asked for than the first contradiction takes."""
    steps = {least: found("masyu", 0, least_steps=least)[1].none for least in (0, 20)}
    assert steps[20] is None or steps[20].steps >= 20
    assert steps[0] is not None


def test_values_are_raised_as_often_as_lowered() -> None:
    """The first change goes up or down by chance, to a number that is on the board."""
    ways = []
    for index in range(60):
        puzzle = made("slitherlink", index % 6).puzzle
        first = next(changes(puzzle, source(2, index)))
        ways.append(int(first.new) - int(first.old))
        assert int(first.new) in {clue for _, clue in puzzle.clue_cells()}
    # 60 throws of a coin: within four standard deviations.
    assert {*ways} == {-1, 1}
    assert abs(sum(ways)) < 4 * len(ways) ** 0.5


def test_same_seed_same_twins() -> None:
    assert found("yajilin", 2) == found("yajilin", 2)
