"""Puzzles for what a designer has fixed, for every kind of a loop or a path through cells."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations, product

import pytest
from click.testing import CliRunner

import linkoracle
from linkoracle import NothingFound, is_unique
from linkoracle.cli.main import main
from linkoracle.core import Deadline
from linkoracle.formats import read, read_loop, write
from linkoracle.generate import add_clues, adds_clues, options_for, puzzle, request_on
from linkoracle.generate.clues import adding_loops
from linkoracle.generate.loops.choosing import allowed
from linkoracle.generate.loops.designing import Design
from linkoracle.generate.loops.kinds import designs
from linkoracle.kinds import KINDS, CellPath
from linkoracle.kinds.checking import loops
from linkoracle.render import draw
from linkoracle.studio.boards import board_of, puzzle_of
from linkoracle.studio.making import Making

NAMES = [name for name in KINDS if designs(KINDS[name])]
MASKED = [name for name in NAMES if "mask" in options_for(name)]


#: Kinds of each form: pearls, arrows in closed cells, regions, shading, given lines, a path.
QUICK = ("masyu", "castlewall", "countryroad", "yajilin", "grandtour", "numbrix")


def few(names):
    """The kinds of a quick run, and all others as heavy tests."""
    return [
        name if name in QUICK else pytest.param(name, marks=pytest.mark.heavy) for name in names
    ]


@cache
def some(name):
    """A made puzzle and its solution."""
    rows = 6 if KINDS[name].every_cell and name != "grandtour" else 5
    # Other Yajilins owe their only solution to which of the cells without a line are shaded, which
    # a loop alone does not say.
    made = puzzle(name, rows, rows, seed=1, minimal=name == "yajilin")
    return made.puzzle, made.solution


def bare(board):
    return board.with_clues(dict.fromkeys(dict(board.every_clue())))


def rest(board, cells):
    """The other cells of a board."""
    every = (board.faces.face_name(face) for face in range(board.faces.num_faces))
    return [cell for cell in every if cell not in cells]


@pytest.mark.parametrize("name", few(MASKED))
def test_an_exact_mask_is_filled(name):
    known, _ = some(name)
    shown = [cell for cell, _ in known.clue_cells()]
    made = puzzle(
        name, board=bare(known), must=shown, must_not=rest(known, shown), seed=3, timeout=60
    )
    assert [cell for cell, _ in made.puzzle.clue_cells()] == shown
    assert is_unique(made.puzzle)
    assert getattr(made.puzzle, "regions", ()) == getattr(known, "regions", ())


@pytest.mark.parametrize("name", few(MASKED))
def test_cells_that_must_have_a_clue_have_one(name):
    known, _ = some(name)
    must = [cell for cell, _ in known.clue_cells()][:2]
    made = puzzle(name, board=bare(known), must=must, seed=5, timeout=60)
    assert {*must} <= {cell for cell, _ in made.puzzle.clue_cells()}
    assert is_unique(made.puzzle)


@pytest.mark.parametrize("name", few(NAMES))
def test_clues_and_lines_of_a_half_made_board_stay(name):
    known, solution = some(name)
    clues = dict(known.clue_cells())
    half = known.with_clues(dict.fromkeys([*clues][::2]))
    # A clue without a number may get one.
    kept = {cell: clue for cell, clue in half.clue_cells() if clue != half.unknown}
    board, edge = solution.lattice, solution.edges[0]
    line = tuple(map(board.position, board.ends(edge)))
    half = replace(half, given=tuple(sorted({*half.given, line})))
    made = puzzle(name, board=half, seed=2, timeout=60)
    assert kept.items() <= dict(made.puzzle.clue_cells()).items()
    assert line in made.puzzle.given
    assert edge in made.solution.edges
    assert is_unique(made.puzzle)
    again = linkoracle.generate.make(request_on(half), seed=2)
    assert again.puzzle == made.puzzle


@pytest.mark.parametrize("name", few(NAMES))
def test_a_drawn_loop_is_the_only_solution(name):
    known, solution = some(name)
    made = puzzle(name, board=bare(known), loop=solution, seed=2, minimal=True)
    assert made.solution == solution
    assert is_unique(made.puzzle)
    for place, clue in made.puzzle.every_clue():
        fewer = made.puzzle.with_clues({place: None})
        # A clue may also close its cell.
        assert fewer.violations(solution) or not is_unique(fewer), (place, clue)


def test_a_mask_that_cannot_be_filled_offers_the_nearest_puzzle():
    mask = ["#....#", "......", "......", "......", "......", "#....#"]
    about = {"mask": mask, "seed": 1, "tries": 2}
    with pytest.raises(NothingFound, match=r"nearest puzzle found has \d+ more clues?, at r") as no:
        puzzle("masyu", **about)
    near = no.value.nearest
    clued = {cell for cell, _ in near.puzzle.clue_cells()}
    assert is_unique(near.puzzle)
    assert clued >= {(0, 0), (0, 5), (5, 0), (5, 5)}
    assert clued - {(0, 0), (0, 5), (5, 0), (5, 5)} == {*near.extra}
    # None of them is redundant.
    assert not any(is_unique(near.puzzle.with_clues({cell: None})) for cell in near.extra)
    accepted = puzzle("masyu", **about, extra_clues=len(near.extra))
    assert (accepted.puzzle, accepted.remarks["extra"]) == (near.puzzle, [[*c] for c in near.extra])


def test_a_loop_that_no_clues_decide_offers_one_that_they_do():
    drawn = read_loop("###..\n..#..\n.##..\n.####\n")
    with pytest.raises(NothingFound, match="the drawn loop is not the only solution") as no:
        puzzle("castlewall", loop=drawn, seed=1)
    near = no.value.nearest
    assert is_unique(near.puzzle)
    assert near.solution != drawn
    assert f"differs in {len({*near.solution} ^ {*drawn})} lines" in str(no.value)


CONTRADICTING = [
    ("masyu", ["bb....", "......", "......", "...w..", "......", "......"], {},
     "the clue b at r1c1 and the clue b at r1c2 contradict each other"),
    ("masyu", ["w.....", "......", "......", "...b..", "......", "......"], {},
     "the clue w at r1c1 does not fit any loop"),
    ("masyu", ["......", "......", "..w...", "......", "......", "......"],
     {"given": [((2, 2), (1, 2))], "forbidden": [((2, 2), (3, 2))]},
     "the clue w at r3c3, the line r2c3-r3c3 and the cross r3c3-r4c3 contradict each other"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "rows", "lines", "reason"), CONTRADICTING)
def test_what_contradicts_itself_is_named(name, rows, lines, reason):
    board = KINDS[name](rows, **lines)
    with pytest.raises(NothingFound, match=reason):
        puzzle(name, board=board, seed=1)
    core = Design(board).conflict(Deadline(None))
    for fewer in combinations(core, len(core) - 1):
        assert linkoracle.count(Design(board).only(fewer), limit=1) == 1


def test_a_mark_that_no_loop_allows_is_named():
    board = KINDS["geradeweg"](["....", "....", "....", "...."], forbidden=[((0, 0), (0, 1))])
    with pytest.raises(NothingFound, match=r"the cross r1c1-r1c2 and the mark at r1c1 contra"):
        puzzle("geradeweg", board=board, must=[(0, 0)], seed=1)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"kind": "masyu", "mask": ["3."]}, "expected a mask of #, ., . and _, found 3"),
        ({"kind": "numbrix", "mask": ["#."]}, "a Numbrix takes no mask"),
        ({"kind": "detour", "mask": ["#.", ".."]}, "designed on a board with regions"),
        ({"kind": "simpleloop", "mask": ["#."]}, "not made from masks, boards or loops"),
        ({"kind": "zip", "mask": ["#."]}, "not made from masks, boards or loops"),
        ({"kind": "masyu", "board": 3}, "expected a puzzle of the kind masyu as a board"),
    ],
)
def test_what_is_no_design_is_refused(options, reason):
    with pytest.raises(ValueError, match=reason.replace("., . and", r"., \? and")):
        puzzle(**options, seed=1)


def smallest(board, every):
    """The fewest clues of a solution that exclude all others, by trying all sets."""
    fits = [
        {(place, clue) for place, clues in allowed(board, one).items() for clue in clues}
        for one in every
    ]
    there = dict(board.every_clue())
    domain = sorted({clue for one in fits for clue in one if clue[0] not in there}, key=str)
    for size in range(4):
        for clues in combinations(domain, size):
            if len({place for place, _ in clues}) < size:
                continue
            fuller = board.with_clues(dict(clues))
            if sum(not fuller.violations(one) for one in every) == 1:
                return size
    return None


@pytest.mark.parametrize("name", ["masyu", "geradeweg", "linesweeper", "shingoki", "castlewall"])
@pytest.mark.parametrize("places", [*product((0, 5), (3, 10))])
def test_the_fewest_added_clues_against_brute_force(name, places):
    kind = KINDS[name]
    full = kind.from_solution(loops(4, 4)[40 + sum(places)])
    clues = dict(full.clue_cells())
    kept = [cell for number, cell in enumerate(clues) if number in places]
    board = full.with_clues({cell: None for cell in clues if cell not in kept})
    every = [one for one in loops(4, 4) if not board.violations(one)]
    least = smallest(board, every)
    added = add_clues(board)
    assert is_unique(added.puzzle)
    assert dict(board.clue_cells()).items() <= dict(added.puzzle.clue_cells()).items()
    assert added.lower_bound <= len(added.cells)
    if least is not None and len(every) <= adding_loops._LISTED:
        assert (added.proven, len(added.cells)) == (True, least)


@pytest.mark.parametrize("name", few(n for n in NAMES if adds_clues(KINDS[n])))
def test_clues_are_added_to_every_kind(name):
    known, _ = some(name)
    clues = [place for place, _ in known.every_clue()]
    board = known.with_clues(dict.fromkeys(clues[:2]))
    added = add_clues(board, timeout=60)
    assert is_unique(added.puzzle)
    now = dict(added.puzzle.every_clue())
    assert all(clue in (now.get(place), board.unknown) for place, clue in board.every_clue())


def test_commands_take_masks_boards_and_drawings(tmp_path):
    def run(*words):
        return CliRunner().invoke(main, [*words, "--seed", "1"])

    mask, board, drawn = (tmp_path / name for name in ("mask.txt", "board.txt", "drawn.txt"))
    mask.write_text("#????#\n??????\n??????\n??????\n??????\n#????#\n")
    made = read(run("generate", "masyu", "--mask", str(mask)).output)
    assert {(0, 0), (0, 5), (5, 0), (5, 5)} <= {cell for cell, _ in made.clue_cells()}
    known, solution = some("masyu")
    board.write_text(write(known.with_clues({cell: None for cell, _ in known.clue_cells()})))
    drawn.write_text(draw(bare(known), solution))
    for option, path in (("--board", board), ("--loop", drawn)):
        done = run("generate", "masyu", option, str(path))
        assert done.exit_code == 0, done.output
        assert is_unique(read(done.output))
    assert "No such option" in run("generate", "simpleloop", "--mask", str(mask)).output
    # The kind of a board is that of the command.
    board.write_text("3.\n..\n")
    wrong = run("generate", "masyu", "--board", str(board))
    assert (wrong.exit_code, "expected a pearl" in wrong.stderr) == (2, True)


def outcome(task):
    stages = []
    Making().answer(task, stages.append)
    return next(one for one in stages if one["stage"] in ("made", "failed"))


def test_the_studio_designs_masyus():
    known, solution = some("masyu")
    blank = board_of(bare(known))
    lines = outcome({"what": "line", "board": blank, "lines": [*solution.edges], "seed": 1})
    assert is_unique(puzzle_of(lines["board"]))
    symmetric = puzzle("masyu", 6, 6, seed=1, symmetry="half-turn").puzzle
    half = symmetric.with_clues({cell: None for cell, _ in symmetric.clue_cells() if cell > (2, 2)})
    blank = board_of(KINDS["masyu"].blank(6, 6))
    task = {"what": "complete", "board": board_of(half), "symmetry": "half-turn", "more": True}
    whole = puzzle_of(outcome({**task, "seed": 1})["board"])
    assert dict(half.clue_cells()).items() <= dict(whole.clue_cells()).items()
    shown = {cell for cell, _ in whole.clue_cells()}
    assert {(5 - row, 5 - col) for (row, col), _ in half.clue_cells()} <= shown
    marks = ["must" if cell in (0, 5, 30, 35) else "none" for cell in range(36)]
    failed = outcome({"what": "mask", "board": blank, "marks": marks, "seconds": 5, "seed": 1})
    assert "The nearest puzzle has" in failed["reason"]
    assert is_unique(puzzle_of(failed["nearest"]["board"]))


def test_kinds_of_paths_design_boards_and_paths_only():
    unmasked = {name for name in NAMES if name not in MASKED}
    assert unmasked >= {"entryexit", "grandtour", "numbrix"}
    assert not any(issubclass(KINDS[name], CellPath) for name in MASKED)
