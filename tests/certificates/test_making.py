"""Certificates exist, and hold, for the true number of solutions; and for no other."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest

from linkoracle import (
    MemoryLimit,
    NoCertificate,
    Numberlink,
    SearchTimeout,
    SimpleLoop,
    Slitherlink,
    certificate,
    count,
    write,
)
from linkoracle.board import Solution
from linkoracle.certificates import making, record_of
from linkoracle.certificates import verify_certificate as checker
from linkoracle.core import ConflictLimit, Deadline
from linkoracle.kinds import KINDS, register
from tests import brute_force
from tests.certificates.forging import Parts, holds, random_puzzle
from tests.strategies import HARD_PAIRS


@pytest.mark.parametrize(("rows", "cols"), [*product(range(1, 4), range(1, 4)), (2, 4), (3, 4)])
def test_the_true_number_is_certified_and_no_other(rows, cols):
    rng = random.Random(100 * rows + cols)
    numbers = set()
    for _ in range(40):
        puzzle = random_puzzle(rng, rows, cols)
        true = len(brute_force.solutions(puzzle))
        if true > 20:
            with pytest.raises(NoCertificate, match="more solutions than the limit of 20"):
                certificate(puzzle, limit=20)
            continue
        numbers.add(true)
        made = certificate(puzzle, limit=20)
        own, found, clues = checker.verify(made.data)
        assert found == len(made.solutions) == true, puzzle
        assert {divmod(cell, cols) for cell in clues} == made.clues
        assert own.kind == puzzle.kind
        parts = Parts.of(made.data)
        for index in range(true):
            fewer = parts.copy()
            del fewer.header["solutions"][index]
            assert not holds(fewer.packed()), puzzle
            twice = parts.copy()
            twice.header["solutions"].insert(index, twice.header["solutions"][index])
            assert not holds(twice.packed()), puzzle
    assert rows * cols == 1 or 1 in numbers


def test_clues_that_are_needed_suffice():
    rng = random.Random(5)
    fewer = 0
    for _ in range(30):
        puzzle = random_puzzle(rng, 3, 3)
        if not isinstance(puzzle, Slitherlink):
            continue
        made = certificate(puzzle, limit=50)
        kept = puzzle.with_clues({c: None for c, _ in puzzle.clue_cells() if c not in made.clues})
        assert len(brute_force.solutions(kept)) == len(made.solutions)
        fewer += kept.number_of_clues < puzzle.number_of_clues
    assert fewer


@pytest.mark.parametrize("seed", [1, 2])
def test_the_same_puzzle_gets_the_same_certificate(seed):
    puzzle = random_puzzle(random.Random(seed), 3, 4)
    assert certificate(puzzle, limit=999).data == certificate(puzzle, limit=999).data


def test_a_limit_is_a_number_of_solutions():
    puzzle = Slitherlink([[3, None, 3], [None, None, None], [3, None, 3]])
    assert len(certificate(puzzle, limit=2).solutions) == 2
    with pytest.raises(NoCertificate, match="the limit of 1 solution"):
        certificate(puzzle, limit=1)
    with pytest.raises(NoCertificate, match="the limit of 0 solutions"):
        certificate(Slitherlink([[4]]), limit=0)
    assert certificate(Slitherlink([[3, 4]]), limit=0).solutions == ()
    for limit in (-1, True, 2.5):
        with pytest.raises(ValueError, match="limit"):
            certificate(puzzle, limit=limit)


def test_puzzles_that_the_verifier_does_not_know_get_one_of_their_model(monkeypatch):
    monkeypatch.setattr(KINDS, "_found", dict(KINDS._found))

    class Strange(Slitherlink):
        kind = "strange"

    register(Strange)
    for puzzle, clues in (
        (Strange([[4]]), {(0, 0)}),
        (KINDS["detour"].examples["loop"].of(KINDS["detour"])[0], set()),
        (Slitherlink([[3, 3], [None, None]], given=[((0, 0), (0, 1))]), {(0, 0), (0, 1)}),
    ):
        made = certificate(puzzle)
        assert made.of_model
        _, number, _ = checker.verify(made.data, checker.Puzzle(record_of(puzzle.model)))
        assert number == len(made.solutions) == count(puzzle)
        assert made.clues <= clues or made.clues == clues
    assert not certificate(Slitherlink([[4]])).of_model


@pytest.mark.parametrize(
    "puzzle", [Numberlink([[None]]), Slitherlink.blank(1, 40_001)], ids=["no numbers", "too large"]
)
def test_boards_that_the_verifier_refuses_get_none(puzzle):
    with pytest.raises(NoCertificate, match="the verifier would refuse the puzzle"):
        certificate(puzzle)


def test_limits_of_time_and_memory():
    hard = Numberlink.from_pairs(40, 40, HARD_PAIRS, "fill")
    with pytest.raises(SearchTimeout, match=r"within 0\.3 s"):
        certificate(hard, timeout=0.3)
    # Nothing is left for the solver once the board is read.
    with pytest.raises(SearchTimeout, match=r"within 0\.001 s"):
        certificate(Slitherlink.blank(60, 60), timeout=0.001)
    with pytest.raises(MemoryLimit):
        certificate(Slitherlink([[4]]), memory=1000)


def test_a_certificate_is_saved_whole(tmp_path):
    made = certificate(SimpleLoop.from_holes(2, 2, []))
    made.save(tmp_path / "one.certificate")
    assert (tmp_path / "one.certificate").read_bytes() == made.data
    with pytest.raises(OSError, match="No such file"):
        made.save(tmp_path / "no" / "one.certificate")


FULL = Numberlink([[1, 2, 3], [None, None, None], [1, 2, 3]], variant="fill")


def test_a_full_board_is_certified_as_if_cells_could_stay_empty():
    """Where that leaves no other solution, which it often does, and only there."""
    rng = random.Random(7)
    taut = several = 0
    for number in range(600):
        puzzle = random_puzzle(rng, *((2, 4), (3, 3))[number % 2])
        if not isinstance(puzzle, Numberlink):
            continue
        filled = replace(puzzle, variant="fill")
        solutions = brute_force.solutions(filled)
        made = certificate(filled, limit=999)
        assert checker.verify(made.data)[1] == len(solutions)
        if len(solutions) == 1:
            alone = len(brute_force.solutions(replace(puzzle, variant="free"))) == 1
            assert Parts.of(made.data).header.get("taut", False) == alone
            taut += alone
            several += not alone
    assert taut > 5
    assert several > 5


def test_a_board_that_is_not_full_is_not_certified_as_if_it_were():
    free = Numberlink([[1, 1, None]])
    made = Parts.of(certificate(free).data)
    assert made.header["taut"] is True
    made.header["puzzle"]["variant"] = "fill"
    with pytest.raises(checker.Refused, match="cells are left out"):
        checker.verify(made.packed())
    full = Parts.of(certificate(FULL).data)
    assert full.header["taut"] is True
    assert len(brute_force.solutions(FULL)) == checker.verify(full.packed())[1] == 1
    full.header["taut"] = "yes"
    with pytest.raises(checker.Refused, match="taut is for Numberlinks"):
        checker.verify(full.packed())


def test_where_that_is_not_known_in_time_the_rule_is_refuted_as_it_is(monkeypatch):
    def another(*_, **__):
        raise ConflictLimit("no more")

    monkeypatch.setattr("linkoracle.certificates.making.Oracle.another", another)
    made = certificate(FULL)
    assert "taut" not in Parts.of(made.data).header
    assert checker.verify(made.data)[1] == 1


#: Two solutions, neither of which can be rerouted.
TWINS = Numberlink([[1, None, None, 2], [None, 2, 1, None], [None, 3, 3, None], [None] * 4])


def test_several_solutions_are_all_if_no_other_is_taut():
    made = certificate(TWINS)
    assert len(brute_force.solutions(TWINS)) == len(made.solutions) == 2
    parts = Parts.of(made.data)
    assert parts.header["taut"] is True
    assert checker.verify(made.data)[1] == 2
    for index in range(2):
        fewer = parts.copy()
        del fewer.header["solutions"][index]
        assert not holds(fewer.packed())
    with pytest.raises(NoCertificate, match="more solutions than the limit of 1 solution"):
        certificate(TWINS, limit=1)


def test_solutions_that_can_be_rerouted_need_all_others():
    puzzle = Numberlink([[1, None, 1], [None, None, None]])
    parts = Parts.of(certificate(puzzle).data)
    assert "taut" not in parts.header
    parts.header["taut"] = True
    with pytest.raises(checker.Refused, match=r"a chord|a detour"):
        checker.verify(parts.packed())


FIXED = {
    "given lines": Slitherlink([[3, 3], [None, None]], given=[((0, 0), (0, 1))]),
    "forbidden lines": Numberlink([[1, 1, None]], forbidden=[((0, 1), (0, 2))]),
    "holes": Slitherlink([[3, 3], [None, None]], holes=[(2, 2)]),
}


@pytest.mark.parametrize("what", FIXED)
def test_fixed_lines_and_holes_are_not_known_to_the_verifier(what, tmp_path, capsys):
    """A certificate of the same clues is none of the puzzle: its solutions may be others."""
    puzzle = FIXED[what]
    plain = type(puzzle)(puzzle.grid)
    certificate(plain).save(tmp_path / "plain")
    for name, form in (("json", "json"), ("text", "text")):
        (tmp_path / name).write_text(write(puzzle, form), encoding="utf-8")
        arguments = ["--puzzle", str(tmp_path / name), str(tmp_path / "plain")]
        assert checker.main(arguments) == 2
        assert "not a puzzle" in capsys.readouterr().err
        (tmp_path / name).write_text(write(plain, form), encoding="utf-8")
        assert checker.main(arguments) == 0


def test_other_ways_of_one_path_exceed_a_limit(monkeypatch):
    """Then nothing is listed: the last solution of many would take the engines minutes."""
    ends = Numberlink([[1, *[None] * 5], *[[None] * 6] * 4, [2, *[None] * 4, 1], [2, *[None] * 5]])
    monkeypatch.setattr(making, "_all_taut", None)
    with pytest.raises(NoCertificate, match="more solutions than the limit of 10"):
        certificate(Numberlink(ends.grid, variant="free"))


def test_other_ways_of_one_path_are_solutions():
    rng, seen = random.Random(5), set()
    while len(seen) < 6:
        grid = [1, 1, 2, 2, *[None] * 8]
        rng.shuffle(grid)
        puzzle = Numberlink([grid[:4], grid[4:8], grid[8:]], variant="free")
        model = puzzle.model
        every = [Solution(model.board, tuple(one)) for one in brute_force.model_solutions(model)]
        if not every:
            continue
        known = rng.choice(every)
        ways = {min(walk, walk[::-1]) for walk in map(tuple, known.walks())}
        same = ({min(w, w[::-1]) for w in map(tuple, one.walks())} & ways for one in every)
        near = sum(len(ways) - len(kept) < 2 for kept in same)
        for limit in (1, 2, 5):
            more = making._are_more(model, known, limit, Deadline(None))
            assert more == (near > limit)
            seen.add((limit, more))
