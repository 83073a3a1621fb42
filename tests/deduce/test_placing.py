"""Rules placed on boards: the same by definition, and what is refused."""

from __future__ import annotations

import random
from contextlib import suppress
from itertools import product

import pytest

from linkoracle.board import Lattice
from linkoracle.core import MemoryLimit
from linkoracle.deduce.deduction_engine import Positions
from linkoracle.deduce.rules import Deck, Rule, all_rules
from tests.deduce.boards import bare

#: A 3 beside a 1, with a line premised, a cross too, and a line that follows.
GOOD = (0, 2, 3, (0, 0, 1, 2), [(0, 0, 1, 1)], [(1, 0, 0, 0), (0, -1, 0, 1)], [(1, 0, 1, 0)])


def patterns(positions, lattice, faces, pairs=()):
    """All that is placed: see `Engine.pattern`."""
    board, found = bare(lattice, positions=positions, faces=faces, pairs=[*pairs]), []
    with suppress(ValueError):
        while True:
            found.append(board.pattern(len(found)))
    return found


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
    pairs = [tuple(rng.sample(range(lattice.num_vertices), 2))] * (seed % 2)
    rules = all_rules()
    instances = patterns(Deck.of(rules).positions, lattice, masks(clues), pairs)
    ends = {lattice.position(end) for pair in pairs for end in pair}
    expected = by_definition(rules, lattice, clues, ends)
    found = [set() for _ in rules]
    order = [rule for rule, *_ in instances]
    assert order == sorted(order)
    for rule, faces, premises, conclusions in instances:
        found[rule].add((tuple(sorted(premises)), tuple(sorted(conclusions)), tuple(faces)))
    assert sum(map(len, found)) > 20
    assert found == expected


def test_no_rules_are_laid_without_any():
    board = bare(Lattice(3, 3))
    for place in (0, -1, "0", None):
        with pytest.raises(ValueError, match="places of patterns"):
            board.pattern(place)


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
    positions, lattice = Positions([GOOD]), Lattice(3, 4)
    faces = masks([[3, 1, None], [None, None, 1]])
    assert len(patterns(positions, lattice, faces)) == 1
    assert len(patterns(positions, lattice, faces, [(5, 11)])) == 0
    for bad in (faces[1:], faces + faces, bytes([32]) * 6, b""):
        with pytest.raises(ValueError, match="masks of counts"):
            bare(lattice, positions=positions, faces=bad)
    refused = 0
    for limit in range(0, 20_000, 97):
        try:
            bare(lattice, positions=positions, faces=faces, limit=limit)
        except MemoryLimit:
            refused += 1
    assert 10 < refused < 200


def test_random_positions_do_no_harm():
    rng = random.Random(3)
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
        pairs = [tuple(rng.sample(range(36), 2))] * rng.randrange(2)
        instances = patterns(positions, Lattice(6, 6), masks(clues), pairs)
        for _, _, premises, conclusions in instances:
            assert conclusions
            assert all(0 <= literal < 120 for literal in premises)
        total += len(instances)
    assert total > 100
