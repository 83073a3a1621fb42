"""Rules laid on boards: the same by definition, and what is refused."""

from __future__ import annotations

import random
from itertools import product

import pytest

from linkoracle.board.lattice import Lattice
from linkoracle.core.errors import MemoryLimit
from linkoracle.deduce.deck import Deck
from linkoracle.deduce.kernel import Grid, PlacedPatterns, Positions
from linkoracle.deduce.rules import Rule, all_rules

ROOMY = 1 << 30
#: A 3 beside a 1, with a line premised, a cross too, and a line that follows.
GOOD = (0, 2, 3, (0, 0, 1, 2), [(0, 0, 1, 1)], [(1, 0, 0, 0), (0, -1, 0, 1)], [(1, 0, 1, 0)])


def masks(clues: list[list[int | None]]) -> bytes:
    return bytes(31 if clue is None else 1 << clue for row in clues for clue in row)


def placed(rule: Rule, lattice: Lattice, row: int, col: int) -> tuple[list[int], list[int]] | None:
    """Literals of premises and conclusions with the window there; ``None`` if it does not fit."""
    parts = []
    for lines, crosses in ((rule.lines, rule.crosses), (rule.then_lines, rule.then_crosses)):
        part = []
        for cross, edges in enumerate((lines, crosses)):
            for kind, r, c in edges:
                first = row + r, col + c
                other = (first[0] + 1, first[1]) if kind == "v" else (first[0], first[1] + 1)
                try:
                    part.append(2 * lattice.edge(first, other) + cross)
                except ValueError:
                    if not cross:
                        return None
        parts.append(sorted(part))
    return (parts[0], parts[1]) if parts[1] else None


def by_definition(rules, lattice, clues, ends):
    """For each rule all that it says on a board, as sets."""
    found = []
    rows, cols = lattice.rows - 1, lattice.cols - 1
    for rule in rules:
        said = set()
        for turned in rule.turned():
            window = turned.window
            for row, col in product(range(-3, rows), range(-3, cols)):
                stands = all(
                    0 <= row + r < rows and 0 <= col + c < cols and clues[row + r][col + c] == clue
                    for (r, c), clue in zip(window.cells(), turned.clues, strict=True)
                    if clue is not None
                )
                dots = {
                    (row + r, col + c)
                    for r, c in product(range(window.rows + 1), range(window.cols + 1))
                }
                literals = placed(turned, lattice, row, col)
                if stands and literals is not None and dots.isdisjoint(ends):
                    shown = zip(window.cells(), turned.clues, strict=True)
                    cells = (
                        (row + r) * cols + col + c for (r, c), clue in shown if clue is not None
                    )
                    said.add((tuple(literals[0]), tuple(literals[1]), tuple(cells)))
        found.append(said)
    return found


@pytest.mark.parametrize("seed", range(6))
def test_rules_stand_wherever_their_clues_do(seed):
    rng = random.Random(seed)
    rows, cols = rng.randint(2, 5), rng.randint(2, 5)
    lattice = Lattice(rows + 1, cols + 1)
    clues = [[rng.choice([None, 0, 1, 2, 3, 3]) for _ in range(cols)] for _ in range(rows)]
    ends = rng.sample(range(lattice.num_vertices), 2 * (seed % 2))
    rules = all_rules()
    grid = Grid(rows + 1, cols + 1, (), ROOMY)
    laid = PlacedPatterns(Deck.of(rules).positions, grid, masks(clues), ends, ROOMY)
    wanted = by_definition(rules, lattice, clues, {lattice.position(end) for end in ends})
    found = [set() for _ in rules]
    order = [laid.rule(instance) for instance in range(len(laid))]
    assert order == sorted(order)
    for instance, rule in enumerate(order):
        premises, conclusions = laid.premises(instance), laid.conclusions(instance)
        asked = tuple(laid.clues(instance))
        found[rule].add((tuple(sorted(premises)), tuple(sorted(conclusions)), asked))
    assert sum(map(len, found)) > 20
    assert found == wanted


def test_no_rules_are_laid_without_any():
    laid = PlacedPatterns(Positions([]), Grid(3, 3, (), ROOMY), bytes([31] * 4), [], ROOMY)
    assert len(laid) == 0
    for ask in (laid.rule, laid.clues, laid.premises, laid.conclusions):
        with pytest.raises(ValueError, match="expected an instance"):
            ask(0)


@pytest.mark.parametrize(
    ("place", "bad"),
    [
        *((0, bad) for bad in (-1, 1, "0", None)),
        *((1, bad) for bad in (-1, 5, 1.5)),
        *((2, bad) for bad in (-1, 5)),
        *((3, bad) for bad in ((0, 0, 1), (0, 0, 1, 9), (-9, 0, 1, 2))),
        *((4, bad) for bad in ([(0, 9, 0, 1)], [(0, 0, -9, 1)], [(0, 0, 0, 5)], [(0, 0, 1)])),
        (4, [(0, 0, 1, 1)] * 64),
        *((5, bad) for bad in ([(2, 0, 0, 0)], [(0, 0, 0, 2)], [(0, 9, 0, 0)], [(0, 0, 0)])),
        *((6, bad) for bad in ([(-1, 0, 0, 0)], [(0, 0, -9, 0)], [(0, 0, 0, 0)] * 64)),
    ],
)
def test_what_is_no_position(place, bad):
    Positions([GOOD])
    with pytest.raises((ValueError, TypeError)):
        Positions([(*GOOD[:place], bad, *GOOD[place + 1 :])])


def test_rules_without_gaps():
    Positions([GOOD, GOOD, (1, *GOOD[1:]), (2, *GOOD[1:])])
    for numbers in ((1,), (0, 2), (0, 1, 0)):
        with pytest.raises(ValueError, match="expected the next rule"):
            Positions([(number, *GOOD[1:]) for number in numbers])


def test_boards_that_do_not_fit():
    positions, grid = Positions([GOOD]), Grid(3, 4, (), ROOMY)
    faces = masks([[3, 1, None], [None, None, 1]])
    assert len(PlacedPatterns(positions, grid, faces, [], ROOMY)) == 1
    assert len(PlacedPatterns(positions, grid, faces, [5], ROOMY)) == 0
    for bad in (faces[1:], faces + faces, bytes([32]) * 6, b""):
        with pytest.raises(ValueError, match="masks of counts"):
            PlacedPatterns(positions, grid, bad, [], ROOMY)
    for ends in ([-1], [12], [10**6], ["0"]):
        with pytest.raises(ValueError, match="expected a vertex"):
            PlacedPatterns(positions, grid, faces, ends, ROOMY)
    refused = 0
    for limit in range(0, 20_000, 97):
        try:
            PlacedPatterns(positions, grid, faces, [], limit)
        except MemoryLimit:
            refused += 1
    assert 10 < refused < 200


def test_random_positions_do_no_harm():
    rng = random.Random(3)
    grid = Grid(6, 6, (), ROOMY)
    clues = [[rng.choice([None, 0, 1, 2, 3]) for _ in range(5)] for _ in range(5)]

    def near() -> int:
        return rng.randint(-3, 3)

    total = 0
    for _ in range(300):
        positions = Positions(
            [
                (
                    rule,
                    rng.randrange(5),
                    rng.randrange(4),
                    (near(), near(), near(), near()),
                    [(0, near(), near(), rng.randrange(4)) for _ in range(rng.randrange(2))],
                    [(rng.randrange(2), near(), near(), 1) for _ in range(rng.randrange(4))],
                    [(rng.randrange(2), near(), near(), 1) for _ in range(rng.randrange(4))],
                )
                for rule in range(rng.randrange(4))
            ]
        )
        laid = PlacedPatterns(
            positions, grid, masks(clues), rng.sample(range(36), rng.randrange(3)), ROOMY
        )
        for instance in range(len(laid)):
            assert laid.conclusions(instance)
            assert all(0 <= literal < 120 for literal in laid.premises(instance))
        total += len(laid)
    assert total > 100
