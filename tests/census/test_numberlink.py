"""Numberlink instances: against reference numbers, definition and the engines."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest

from linkoracle import MemoryLimit, Numberlink, count_result, is_unique
from linkoracle.census import VARIANTS, instances
from tests.brute_force import path_systems

#: From the program published with Yoshinaka et al., Algorithms 5(2), 2012, and from brute force.
COVERING = {(2, 2): 2, (2, 3): 10, (3, 3): 86, (3, 4): 807, (4, 4): 16410}
FREE = {(2, 2): 2, (2, 3): 22, (3, 3): 288}
FILL = {(2, 2): 6, (2, 3): 24}


@pytest.mark.parametrize(
    ("variant", "counts"),
    [("unique_and_covering", COVERING), ("unique_free", FREE), ("unique_fill", FILL)],
)
def test_reference_numbers(variant, counts):
    for (rows, cols), number in counts.items():
        assert instances(rows, cols, variant).count() == number
        assert instances(cols, rows, variant).count() == number


def matchings(cells: list) -> list:
    """All sets of disjoint pairs of cells."""
    if not cells:
        return [[]]
    first, *rest = cells
    found = matchings(rest)
    for place, mate in enumerate(rest):
        found += [[(first, mate), *more] for more in matchings(rest[:place] + rest[place + 1 :])]
    return found


@pytest.mark.parametrize("board", [(1, 2), (1, 4), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3)])
def test_instances_by_definition(board):
    rows, cols = board
    free: Counter = Counter()
    fill: Counter = Counter()
    for _, mate, used in path_systems(rows, cols):
        pairs = frozenset(frozenset(pair) for pair in mate.items())
        free[pairs] += bool(mate)
        fill[pairs] += len(used) == rows * cols
    expected = {
        "unique_free": {pairs for pairs, number in free.items() if number == 1},
        "unique_fill": {pairs for pairs, number in fill.items() if number == 1},
        "unique_and_covering": {
            pairs for pairs, number in free.items() if number == 1 == fill[pairs]
        },
    }
    for variant in VARIANTS:
        found = instances(rows, cols, variant)
        listed = [
            frozenset(frozenset(pair) for pair in puzzle.pairs().values()) for puzzle in found
        ]
        assert len(listed) == len(set(listed)) == found.count()
        assert set(listed) == expected[variant]
        assert found.by_pairs() == dict(sorted(Counter(map(len, listed)).items()))


@pytest.mark.parametrize("board", [(2, 2), (2, 3)])
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_pair_set_is_put_to_the_oracle(board, variant):
    found = instances(*board, variant)
    rule = "fill" if variant == "unique_fill" else "free"
    cells = list(product(*map(range, board)))
    for pairs in matchings(cells):
        if not pairs:
            continue
        puzzle = Numberlink.from_pairs(*board, pairs, rule)
        result = count_result(puzzle, 1, keep=True)
        unique = result.count == 1 and result.exact
        if unique and variant == "unique_and_covering":
            used = {cell for path in result.solutions[0].paths() for cell in path}
            unique = len(used) == len(cells)
        assert (puzzle in found) == unique


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_pair_sets_of_a_larger_board(variant):
    """Samples of the instances are unique; random pair sets are when they are instances."""
    found = instances(4, 4, variant)
    rule = "fill" if variant == "unique_fill" else "free"
    assert all(is_unique(puzzle) for puzzle in found.sample(15, seed=2))
    source = random.Random(3)
    cells = list(product(range(4), range(4)))
    others = 0
    for _ in range(40):
        chosen = source.sample(cells, 2 * source.randint(2, 7))
        pairs = list(zip(chosen[::2], chosen[1::2], strict=True))
        puzzle = Numberlink.from_pairs(4, 4, pairs, rule)
        if puzzle not in found:
            others += 1
            result = count_result(puzzle, 1, keep=True)
            covered = {c for one in result.solutions for path in one.paths() for c in path}
            covering = variant != "unique_and_covering" or len(covered) == 16
            assert not (result.count == 1 and result.exact and covering)
    assert others > 20


def test_filters():
    found = instances(4, 4)
    listed = list(found)

    def kept(rule):
        return {puzzle for puzzle in listed if rule(puzzle)}

    def beside(pair):
        (row, col), (row2, col2) = pair
        return abs(row - row2) + abs(col - col2) == 1

    assert set(found.filter(pairs=(3, 3))) == kept(lambda puzzle: len(puzzle.pairs()) == 3)
    assert set(found.filter(pairs=(0, 3))) == kept(lambda puzzle: len(puzzle.pairs()) <= 3)
    assert set(found.filter(adjacent_ends=False)) == kept(
        lambda puzzle: not any(map(beside, puzzle.pairs().values()))
    )
    pair = ((0, 0), (1, 2))
    with_pair = kept(lambda puzzle: pair in puzzle.pairs().values())
    assert with_pair
    assert set(found.filter(required=[pair])) == with_pair
    assert set(found.filter(required=[pair[::-1]])) == with_pair
    border = [cell for cell in product(range(4), range(4)) if {0, 3} & set(cell)]
    ends_on_border = kept(lambda puzzle: all({*p} <= set(border) for p in puzzle.pairs().values()))
    assert ends_on_border
    assert set(found.filter(ends=border)) == ends_on_border
    assert not found.filter(pairs=(9, 99))
    assert found.filter(pairs=(0, 4)) | found.filter(pairs=(5, 8)) == found


def test_members_however_numbered():
    found = instances(2, 2)
    assert Numberlink([[1, 2], [1, 2]]) in found
    assert Numberlink([[7, 3], [7, 3]]) in found
    assert Numberlink([[1, 2], [2, 1]]) not in found
    assert Numberlink([[1, 2], [1, 2]], "fill") not in found
    assert Numberlink([[1, 1]]) not in found
    assert "12/12" not in found


def test_wide_and_tall_boards_mirror_each_other():
    wide = {puzzle.rotate() for puzzle in instances(3, 5)}
    tall = set(instances(5, 3))

    def pairs(puzzles):
        return {frozenset(map(frozenset, puzzle.pairs().values())) for puzzle in puzzles}

    assert len(wide) == len(tall)
    assert pairs(wide) == pairs(tall)


def test_limits():
    with pytest.raises(ValueError, match="expected a variant out of"):
        instances(2, 2, "vanilla")
    with pytest.raises(ValueError, match="1 to 30 cells"):
        instances(4, 8)
    for memory in (0, -1, 1.5, "much", True):
        with pytest.raises(ValueError, match="expected a memory limit in bytes from 1"):
            instances(1, 2, memory=memory)
    for rows in (0, 1.5, "2", True):
        with pytest.raises(ValueError, match="expected rows from 1"):
            instances(rows, 2)
    with pytest.raises(ValueError, match="no cell 2,0"):
        instances(2, 2).filter(required=[((0, 0), (2, 0))])
    with pytest.raises(ValueError, match="two different cells"):
        instances(2, 2).filter(required=[((0, 0), (0, 0))])
    for memory in (1 << 20, 20 << 20):
        with pytest.raises(MemoryLimit):
            instances(4, 5, memory=memory)


@pytest.mark.heavy
def test_five_by_five():
    """Twelve pairs at most; the number is this program's own, checked by samples."""
    found = instances(5, 5)
    assert found.count() == 16_027_290
    for puzzle in found.sample(40, seed=1):
        assert is_unique(puzzle)
