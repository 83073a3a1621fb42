"""Makers for every kind that says on its page how it is made."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

import linkoracle
from linkoracle.board import Lattice, orbits
from linkoracle.cli.main import main
from linkoracle.core import ConflictLimit, NothingFound, PuzzleError, SearchTimeout, source
from linkoracle.deduce import grade
from linkoracle.engines import Oracle
from linkoracle.engines.clauses import PieceSolver
from linkoracle.generate import PuzzleRequest, cell_loop, makers, puzzle, puzzles
from linkoracle.generate.attempts import BoardOracle
from linkoracle.generate.loops import changed_nearby, loop_for, single_cells_left
from linkoracle.generate.loops.cells import alternatives, reduced
from linkoracle.generate.loops.kinds import chooses_places
from linkoracle.generate.loops.regions import regions_for, regions_near
from linkoracle.kinds import KINDS, CellPath, SimpleLoop


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

    def another(made, solution, edges=()):
        with Oracle(made.model) as oracle:
            return oracle.another(solution, edges=edges)

    def is_easy(made):
        met.append(made)
        return len(met) == 3

    made, loop = cell_loop(KINDS[kind], 6, 6, source(2, 0), another, is_easy=is_easy)
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
        (("slitherlink", 0, 5), "expected rows from 1, got 0"),
        (("chess", 5, 5), "expected a kind with a generator, 'balanceloop', .* got 'chess'"),
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


@pytest.mark.parametrize(
    ("kind", "rows", "cols", "symmetry"),
    [
        *((kind, 5, 4, "half-turn") for kind in PLACES),
        ("linesweeper", 5, 6, "left-right"),
        ("linesweeper", 6, 6, "diagonal"),
        *(
            pytest.param(kind, *size, marks=pytest.mark.heavy)
            for kind in PLACES
            for size in ((6, 5, "half-turn"), (5, 6, "left-right"), (6, 6, "diagonal"))
        ),
    ],
)
def test_cells_with_clues_have_the_symmetry(kind, rows, cols, symmetry):
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


def counted_clauses(monkeypatch):
    """Count solvers that are made, and clauses that they take, by a list that grows."""
    solvers = []
    plain = PieceSolver.__init__

    def made(self, *arguments, **options):
        plain(self, *arguments, **options)
        add, number = self.add, len(solvers)
        solvers.append(0)

        def counting(clause):
            solvers[number] += 1
            return add(clause)

        self.add = counting

    monkeypatch.setattr(PieceSolver, "__init__", made)
    return solvers


LOOPS = [
    name for name in makers() if KINDS[name].maker is None and not issubclass(KINDS[name], CellPath)
]


SHARING = [name for name in LOOPS if KINDS[name].every_cell or not KINDS[name].avoids_clues]


@pytest.mark.parametrize("size", [(5, 6), pytest.param((7, 8), marks=pytest.mark.heavy)], ids=str)
@pytest.mark.parametrize("kind", SHARING)
def test_boards_share_a_solver(kind, size, monkeypatch):
    """Solvers are few, however many boards are tried, and so are the clauses of a board."""
    solvers = counted_clauses(monkeypatch)
    rows, cols = size
    made = puzzle(kind, rows, cols, seed=2)
    assert len(solvers) <= 4 + made.tried // 8
    # What one puzzle states on such a board, its numbers and regions included.
    assert sum(solvers) < 40_000 + 200 * made.tried


@pytest.mark.parametrize("kind", LOOPS)
def test_changed_boards_have_one_solution(kind):
    """Also where loops and regions have changed near an alternative, by the plain engine."""
    for seed in range(2):
        made = puzzle(kind, 5, 6, seed=seed)
        assert list(linkoracle.solutions(made.puzzle, engine="plain")) == [made.solution]
        assert not made.puzzle.violations(made.solution)
        again = puzzle(kind, 5, 6, seed=seed)
        assert (again.puzzle, again.tried) == (made.puzzle, made.tried)


@pytest.mark.parametrize("side", [5, pytest.param(6, marks=pytest.mark.heavy)])
def test_a_puzzle_of_a_series_does_not_depend_on_those_before(side):
    """What a solver has learned of a board is not kept for the next puzzle."""
    for kind in ("masyu", "countryroad", "regionalyajilin"):
        series = list(puzzles(kind, side, 6, seed=4, limit=3))
        assert [puzzle(kind, side, 6, seed=4, index=one.index) for one in series] == series


@pytest.mark.parametrize(
    ("number", "side"), [(20, 6), pytest.param(40, 8, marks=pytest.mark.heavy)]
)
def test_the_solver_of_a_board_is_replaced_before_it_grows(number, side):
    """Memory stays in proportion to a puzzle, though every loop states clues of its own."""
    kind, boards, most = KINDS["entryexit"], BoardOracle(), []
    for seed in range(number):
        rng = source(seed, 0)
        loop = loop_for(kind, side, side, rng)
        made = kind.from_solution(loop, **regions_for(kind, loop, rng))
        boards.another(made.model, loop)
        most.append(boards._oracle.variables)
    fresh = BoardOracle()
    fresh.another(made.model, loop)
    assert 1 < boards.solvers < number
    assert max(most) < 8 * fresh._oracle.variables


@pytest.mark.parametrize("kind", ["entryexit", "doubleback", "detour", "regionalyajilin"])
def test_a_loop_changes_near_a_place_only(kind):
    """Where another loop differs; so most of what was made stays."""
    made = KINDS[kind]
    omits = kind == "regionalyajilin"
    blank = single_cells_left(Lattice(12, 12)) if omits else SimpleLoop.blank(12, 12)
    rng = source(5, 0)
    loop = loop_for(made, 12, 12, rng)
    with Oracle(blank) as oracle:
        other = oracle.another(loop)
        found = None
        while found is None:
            found = changed_nearby(rng, oracle, loop, other, omits=omits)
    differing = {v for edge in {*loop} ^ {*other} for v in loop.board.ends(edge)}
    changed = {v for edge in {*loop} ^ {*found} for v in loop.board.ends(edge)}
    assert changed
    assert omits or set(found) != set(other)
    assert len(found.paths()) == 1
    places = [loop.lattice.position(vertex) for vertex in changed]
    assert any(
        all(max(abs(row - at), abs(col - to)) <= 6 for row, col in places)
        for at, to in map(loop.lattice.position, differing)
    )
    if omits:
        visited = {v for edge in found for v in loop.board.ends(edge)}
        assert all(visited & {*ends} for ends in map(loop.board.ends, range(loop.board.num_edges)))


@pytest.mark.parametrize("name", ["entryexit", "doubleback"])
def test_regions_stay_where_a_loop_stays(name):
    kind, rng = KINDS[name], source(6, 0)
    loop = loop_for(kind, 12, 12, rng)
    made = kind.from_solution(loop, **regions_for(kind, loop, rng))
    with Oracle(SimpleLoop.blank(12, 12)) as oracle:
        other = oracle.another(loop)
        new = changed_nearby(rng, oracle, loop, other, omits=False)
    again = kind.from_solution(new, **regions_near(made, loop, new, [other], rng))
    assert not again.violations(new)
    kept = {*map(frozenset, made.cells_by_region())} & {*map(frozenset, again.cells_by_region())}
    assert 2 * len(kept) > len(made.cells_by_region())


def test_alternatives_differ_in_places_apart():
    """Each of them solves the puzzle; the place of none is in that of one known before."""
    kind, rng = KINDS["doubleback"], source(3, 0)
    loop = loop_for(kind, 10, 10, rng)
    made = kind.from_solution(loop, **regions_for(kind, loop, rng))
    with Oracle(made.model) as oracle:

        def another(_, solution, edges=()):
            return oracle.another(solution, edges=edges)

        found = alternatives(made, loop, another)
        more = alternatives(made, loop, another, found[:1])
    assert len(found) > 1
    assert more
    places = [
        {v for edge in {*loop} ^ {*other} for v in loop.board.ends(edge)}
        for other in (*found, *more)
    ]
    for other in (*found, *more):
        assert not made.violations(other)
    for group in (places[: len(found)], [places[0], *places[len(found) :]]):
        assert sum(map(len, group)) == len(set().union(*group)) > 0


def test_a_double_back_needs_fewer_boards_than_loops_drawn_anew():
    """Regions change where a loop stays, and stay where it has changed: no board is lost."""
    made = puzzle("doubleback", 10, 10, seed=5)
    assert list(linkoracle.solutions(made.puzzle)) == [made.solution]
    # Before, loops were drawn anew: 229 boards.
    assert made.tried < 100


@pytest.mark.parametrize("kind", ["masyu", "castlewall", "countryroad", "numbrix"])
def test_runs_of_clues_leave_none_redundant(kind):
    """Clues are removed by runs, which ends where it would one by one."""
    made = puzzle(kind, 5, 6, seed=3, minimal=True)
    for cell, _ in made.puzzle.clue_cells():
        fewer = made.puzzle.with_clues({cell: None})
        assert not linkoracle.is_unique(fewer) or fewer.violations(made.solution)


def test_a_clue_stays_if_the_solver_does_not_decide_without_it():
    made = puzzle("masyu", 5, 5, seed=1)
    full = KINDS["masyu"].from_solution(made.solution)

    def never(puzzle, solution):
        raise ConflictLimit("undecided")

    every = orbits(Lattice(6, 6), "none")
    kept = reduced(full, made.solution, source(1, 0), never, every, minimal=True)
    assert kept == full.renumbered()
