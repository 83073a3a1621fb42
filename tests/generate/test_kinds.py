"""Makers for every kind that says on its page how it is made."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

import linkoracle
from linkoracle.board import Lattice, orbits
from linkoracle.cli.main import main
from linkoracle.core import NothingFound, PuzzleError, SearchTimeout, source
from linkoracle.deduce import grade
from linkoracle.engines import Oracle
from linkoracle.generate import PuzzleRequest, cell_loop, makers, puzzle, puzzles
from linkoracle.generate.loops.kinds import chooses_places
from linkoracle.kinds import KINDS, SimpleLoop


def test_puzzles_are_unique_and_repeatable():
    some = list(puzzles("simpleloop", 6, 5, seed=3, limit=4))
    assert len({made.puzzle for made in some}) == 4
    for made in some:
        assert list(linkoracle.solutions(made.puzzle)) == [made.solution]
        again = puzzle("simpleloop", 6, 5, seed=made.seed, index=made.index)
        assert (again.puzzle, again.solution, again.tried) == (
            made.puzzle,
            made.solution,
            made.tried,
        )
    fresh = puzzle("simpleloop", 4, 4, seed=None)
    assert puzzle("simpleloop", 4, 4, seed=fresh.seed).puzzle == fresh.puzzle


def test_what_was_tried_is_told():
    messages = []
    made = puzzle("simpleloop", 6, 6, seed=1, progress=lambda line, _: messages.append(line))
    assert messages[-1] == f"{made.tried} tried"


def test_a_maker_without_grades_is_asked_for_other_solutions_only(monkeypatch):
    plain, queries = SimpleLoop.maker, []

    def maker(rows, cols, rng, another):
        def watched(made, solution):
            queries.append((another(made, solution), solution))
            return queries[-1][0]

        return plain(rows, cols, rng, watched)

    monkeypatch.setattr(SimpleLoop, "maker", staticmethod(maker))
    for made in puzzles("simpleloop", 8, 8, seed=2, difficulty="easy", limit=3):
        assert grade(made.puzzle).label == "easy"
    assert {other is None for other, _ in queries} == {True, False}
    assert all(other != solution for other, solution in queries)


@pytest.mark.parametrize("kind", ["detour", "doubleback"])
def test_regions_go_on_from_a_puzzle_that_is_too_hard(kind):
    """To smaller regions, or to others beside them, of the same loop; the third one will do."""
    met = []

    def another(made, solution):
        with Oracle(made.model) as oracle:
            return oracle.another(solution)

    def is_easy(made):
        met.append(made)
        return len(met) == 3

    made, loop = cell_loop(KINDS[kind], 8, 8, source(1, 0), another, is_easy=is_easy)
    assert len({one.regions for one in met}) == 3
    assert made.regions == met[-1].regions
    assert linkoracle.decide(made).solutions == (loop,)
    for one in met:
        assert linkoracle.decide(one).solutions == (loop,)
    numbers = [len(one.cells_by_region()) for one in met]
    assert len(set(numbers)) == {"detour": 3, "doubleback": 1}[kind]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("slitherlink", 5, 5), "expected a kind with a generator, 'balanceloop'"),
        (("chess", 5, 5), "got 'chess'"),
        (("simpleloop", 0, 5), "expected rows from 1, got 0"),
        (("simpleloop", 5, 2.5), "expected columns from 1, got 2.5"),
        (("simpleloop", 1000, 1000), "at most 2500 cells, got 1000x1000"),
        (("simpleloop", 1, 5), "with cells all around a dot, found 1x5 cells"),
    ],
)
def test_invalid_arguments(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        puzzle(*arguments, seed=0)


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 3)], ids=str)
def test_boards_too_small_for_single_shaded_cells(size):
    with pytest.raises(PuzzleError, match=r"no loop leaves out . to . single ones of .x. cells"):
        puzzle("regionalyajilin", *size, seed=1)


def test_small_boards_run_out():
    with pytest.raises(NothingFound, match="only 1 different board: "):
        list(puzzles("simpleloop", 2, 2, limit=2, seed=0))
    with pytest.raises(SearchTimeout):
        puzzle("simpleloop", 30, 30, timeout=0.05, seed=0)
    assert {"simpleloop", "masyu"} <= set(makers())


PLACES = [name for name in makers() if chooses_places(KINDS[name])]


def symmetric(made, rows, cols, symmetry):
    clued = {row * cols + col for (row, col), _ in made.puzzle.clue_cells()}
    return all(
        clued >= {*orbit} or not clued & {*orbit}
        for orbit in orbits(Lattice(rows + 1, cols + 1), symmetry)
    )


@pytest.mark.parametrize("kind", PLACES)
def test_cells_with_clues_have_the_symmetry(kind):
    for rows, cols, symmetry in ((6, 5, "half-turn"), (5, 6, "left-right"), (6, 6, "diagonal")):
        made = puzzle(kind, rows, cols, seed=1, symmetry=symmetry)
        assert symmetric(made, rows, cols, symmetry)
        assert list(linkoracle.solutions(made.puzzle, engine="plain")) == [made.solution]
        assert made.puzzle.number_of_clues
        again = puzzle(PuzzleRequest(kind, rows, cols, symmetry=symmetry), seed=1)
        assert (again.puzzle, again.solution) == (made.puzzle, made.solution)


def test_no_orbit_of_a_minimal_puzzle_can_go():
    made = puzzle("masyu", 6, 6, seed=2, symmetry="half-turn", minimal=True)
    for orbit in orbits(Lattice(7, 7), "half-turn"):
        cells = [divmod(cell, 6) for cell in orbit]
        fewer = made.puzzle.with_clues(dict.fromkeys(cells))
        assert fewer == made.puzzle or not linkoracle.is_unique(fewer)


def test_symmetry_by_every_way_to_ask(tmp_path):
    out = tmp_path / "made.txt"
    command = ["generate", "yajilin", "6", "6", "--symmetry", "half-turn", "--seed", "3"]
    assert CliRunner().invoke(main, [*command, "-o", str(out)]).exit_code == 0
    made = puzzle("yajilin", 6, 6, seed=3, symmetry="half-turn")
    assert linkoracle.read(out) == made.puzzle
    with linkoracle.Session(KINDS["yajilin"].blank(6, 6)) as session:
        assert session.generate(seed=3, symmetry="half-turn").puzzle == made.puzzle
    for kind in ("countryroad", "simpleloop", "entryexit", "detour"):
        with pytest.raises(ValueError, match=f"expected no symmetry for {kind}"):
            PuzzleRequest(kind, 6, 6, symmetry="half-turn")
    with pytest.raises(ValueError, match="expected a symmetry of this board"):
        PuzzleRequest("masyu", 6, 5, symmetry="diagonal")
    with pytest.raises(ValueError, match="symmetr"):
        PuzzleRequest("masyu", 6, 5, symmetry="round")
