"""Tasks on a board: its clues stay, and the solution becomes unique."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import pytest

from linkoracle import Numberlink, SimpleLoop, Slitherlink, Solution, decide, is_unique, solve
from linkoracle.board import Lattice, orbits
from linkoracle.core import counted
from linkoracle.generate import numberlink, slitherlink
from linkoracle.generate import puzzle as made_puzzle
from linkoracle.kinds import KINDS
from linkoracle.studio.boards import board_of, puzzle_of
from linkoracle.studio.making import offers
from tests.studio.asking import slitherlink as board
from tests.studio.making import failure, made, stages


def of_puzzle(puzzle):
    return {"board": board_of(puzzle)}


def result(event):
    puzzle = puzzle_of(event["board"])
    shown = Solution(puzzle.lattice, tuple(event["lines"]))
    assert decide(puzzle).solutions == (shown,)
    return puzzle, shown


def shown_cells(puzzle):
    return {row * puzzle.cols + col for (row, col), _ in puzzle.clue_cells()}


def test_a_mask_with_room_keeps_the_clues_and_obeys_the_marks():
    marks = [None] * 36
    marks[0] = marks[35] = "must"
    marks[10] = marks[20] = "none"
    event = made(
        what="mask", board=board(6, 6, {7: 3, 8: 0}), marks=marks, unmarked="either", seed=1
    )
    puzzle, _ = result(event)
    assert (puzzle.grid[1][1], puzzle.grid[1][2]) == (3, 0)
    assert shown_cells(puzzle) >= {0, 35, 7, 8}
    assert shown_cells(puzzle).isdisjoint({10, 20})


def test_an_exact_mask():
    ring = ["must" if cell // 5 in (0, 4) or cell % 5 in (0, 4) else "none" for cell in range(25)]
    puzzle, _ = result(made(what="mask", board=board(5, 5), marks=ring, seed=1))
    assert shown_cells(puzzle) == {cell for cell, mark in enumerate(ring) if mark == "must"}


def test_unmarked_cells_have_no_clue():
    ring = ["must" if cell // 5 in (0, 4) or cell % 5 in (0, 4) else None for cell in range(25)]
    puzzle, _ = result(made(what="mask", board=board(5, 5), marks=ring, seed=1))
    assert shown_cells(puzzle) == {cell for cell, mark in enumerate(ring) if mark == "must"}
    ring[12] = "either"
    puzzle, _ = result(made(what="mask", board=board(5, 5), marks=ring, seed=1))
    assert shown_cells(puzzle) - {12} == {cell for cell, mark in enumerate(ring) if mark == "must"}


def test_a_mask_that_leaves_other_loops_shows_the_nearest():
    marks = [None] * 36
    event = stages({"what": "mask", "board": board(6, 6), "marks": marks, "seed": 1})[-1]
    assert event["stage"] == "failed"
    near = event["nearest"]
    puzzle, _ = result(near)
    assert shown_cells(puzzle) == {*near["extra"]}
    assert not any(is_unique(puzzle.with_clues({divmod(cell, 6): None})) for cell in near["extra"])
    assert f"has {counted(len(near['extra']), 'more clue')}" in event["reason"]


def test_a_mask_for_numberlinks_keeps_places():
    empty = Numberlink.blank(5, 5).with_clues({(0, 0): 1, (4, 4): 1})
    marks = [None] * 25
    marks[12] = "none"
    event = made(what="mask", board=board_of(empty), marks=marks, unmarked="either", seed=1)
    puzzle, _ = result(event)
    assert shown_cells(puzzle) >= {0, 24}
    assert 12 not in shown_cells(puzzle)


def test_ready_masks():
    event = made(what="marks", board=board(3, 3), pattern="rings")["marks"]
    assert event == ["must"] * 4 + ["none"] + ["must"] * 4
    event = made(what="marks", board=board(7, 5), letters="I")["marks"]
    assert event.count("must") > 5
    assert "expected" in failure({"what": "marks", "board": board(3, 3), "pattern": "hearts"})
    assert failure({"what": "marks", "board": board(3, 3), "letters": "WORDS"})


def test_a_half_is_completed():
    event = made(
        what="complete", symmetry="half-turn", board=board(6, 6, {0: 3, 7: 1, 9: 2, 14: 0}), seed=1,
        more=True,
    )  # fmt: skip
    puzzle, _ = result(event)
    cells = shown_cells(puzzle)
    assert cells >= {0, 7, 9, 14, 35, 28, 26, 21}
    assert puzzle.grid[0][0] == 3
    assert puzzle.grid[2][2] == 0
    assert all(
        len(cells.intersection(orbit)) in (0, 2) for orbit in orbits(Lattice(7, 7), "half-turn")
    )


def test_a_half_is_completed_with_no_other_clue():
    whole = slitherlink(5, 5, seed=2, symmetry="half-turn").puzzle
    half = whole.with_clues({cell: None for cell, _ in whole.clue_cells() if cell > (2, 2)})
    puzzle, _ = result(made(what="complete", symmetry="half-turn", seed=1, **of_puzzle(half)))
    assert shown_cells(puzzle) == shown_cells(whole)
    assert dict(puzzle.clue_cells()).items() >= dict(half.clue_cells()).items()


def test_redundant_clues_are_removed():
    full = Slitherlink.from_solution(slitherlink(6, 6, seed=1).solution)
    event = made(what="thin", keep=[0, 1, 2, 3], **of_puzzle(full))
    puzzle, shown = result(event)
    assert shown_cells(puzzle) >= {0, 1, 2, 3}
    assert shown == solve(full)
    event = made(what="thin", **of_puzzle(full))
    puzzle, _ = result(event)
    left = puzzle.number_of_clues
    assert event["words"] == f"{36 - left} clues removed, {left} left: none is redundant"
    assert not any(is_unique(puzzle.with_clues({cell: None})) for cell, _ in puzzle.clue_cells())
    event = made(what="thin", symmetry="both", **of_puzzle(full))
    cells = shown_cells(result(event)[0])
    assert all(
        cells.isdisjoint(orbit) or cells.issuperset(orbit)
        for orbit in orbits(Lattice(7, 7), "both")
    )


def test_the_fewest_are_added(clock):
    whole = slitherlink(7, 7, seed=1, minimal=True).puzzle
    lacking = whole.with_clues({next(cell for cell, _ in whole.clue_cells()): None})
    event = made(what="add", **of_puzzle(lacking))
    puzzle, _ = result(event)
    assert puzzle.number_of_clues == whole.number_of_clues
    assert dict(puzzle.clue_cells()).items() >= dict(lacking.clue_cells()).items()
    assert event["words"] == "1 clue added, and fewer do not do"
    again = made(what="add", board=event["board"])
    assert (again["board"], again["words"]) == (event["board"], "there is one solution already")
    event = made(what="add", board=board(7, 7, {24: 3}), clock=clock)
    assert re.search("at least \\d+ (is|are) needed", event["words"])


def test_a_loop_gets_clues():
    line = slitherlink(6, 6, seed=1).solution
    event = made(what="line", board=board(6, 6), lines=list(line.edges), minimal=True)
    assert result(event)[1] == line
    path = slitherlink(6, 6, seed=1, ends="random")
    blank = board_of(Slitherlink.blank(6, 6, path.puzzle.ends))
    event = made(what="line", board=blank, lines=list(path.solution.edges), minimal=True)
    puzzle, shown = result(event)
    assert (puzzle.ends, shown) == (path.puzzle.ends, path.solution)
    loop = made_puzzle("simpleloop", 5, 5, seed=1)
    blank = board_of(SimpleLoop.blank(5, 5))
    event = made(what="line", board=blank, lines=list(loop.solution.edges))
    assert result(event) == (loop.puzzle, loop.solution)
    every = board_of(SimpleLoop.blank(4, 4))
    event = made(what="line", board=every, lines=list(solve(puzzle_of(every)).edges))
    assert event["board"] == every
    assert event["lines"] is None
    assert event["words"] == "0 holes, with multiple solutions"


@pytest.mark.parametrize("variant", ["free", "fill"])
def test_a_numberlink_is_drawn(variant):
    found = numberlink(5, 5, seed=1, variant=variant)
    blank = board_of(Numberlink.blank(5, 5).with_variant(variant))
    event = made(what="line", board=blank, lines=list(found.solution.edges))
    assert result(event) == (found.puzzle.renumbered(), found.solution)


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        ({"what": "mask", "board": board(2, 2), "marks": [None]}, "one for each cell"),
        ({"what": "mask", "board": board(1, 2), "marks": [None, "often"]}, "expected marks out of"),
        ({"what": "mask", "board": board(1, 2, {0: 1}), "marks": ["none", None]}, "cannot both"),
        ({"what": "mask", "board": board_of(SimpleLoop.blank(2, 2)), "marks": [None] * 4},
         "generated from masks"),
        ({"what": "mask", "board": board_of(Numberlink.blank(2, 2)),
          "marks": ["must", "none", "none", "none"]}, "numbers come in pairs"),
        ({"what": "complete", "board": board(3, 3), "symmetry": "both"}, "some clues"),
        ({"what": "complete", "board": board(3, 3, {0: 1})}, "a symmetry"),
        ({"what": "complete", "board": board(3, 3, {4: 1}), "symmetry": "both"}, "already"),
        ({"what": "thin", "board": board(3, 3)}, "one solution"),
        ({"what": "thin", "board": board_of(SimpleLoop.blank(2, 2))}, "are never redundant"),
        ({"what": "thin", "board": board_of(slitherlink(4, 4).puzzle), "keep": [16]}, "below 16"),
        ({"what": "add", "board": board(2, 2, {0: 4, 1: 4})}, "no solution"),
        ({"what": "line", "board": board(2, 2), "lines": []}, "expected a drawn loop or path"),
        ({"what": "line", "board": board(2, 2), "lines": [0]}, "a single loop"),
        ({"what": "line", "board": board(2, 2), "lines": [0.5]}, "a list of different numbers"),
        ({"what": "line", "board": board_of(SimpleLoop.blank(2, 2)), "lines": [0]}, "a solution"),
        ({"what": "line", "board": board_of(Slitherlink.blank(2, 2, ((0, 0), (2, 2)))),
          "lines": [0]}, "path between its ends (0, 0) and (2, 2)"),
        ({"what": "line", "board": {}, "lines": [0]}, "expected the kind"),
    ],
)  # fmt: skip
def test_the_reason_of_a_failure_is_one_line(task, reason):
    assert reason in failure(task)


def test_each_kind_offers_what_it_has():
    offered = {kind: set(offers(kind)["tasks"]) for kind in KINDS}
    assert offered["slitherlink"] == {"line", "mask", "complete", "thin", "add"}
    assert offered["numberlink"] == {"line", "mask", "complete"}
    assert offered["simpleloop"] == {"line"}
    assert offered["masyu"] == {"line", "mask", "complete", "thin", "add"}
    assert offered["grandtour"] == {"line", "thin"}
    assert offered["numbrix"] == {"line", "thin", "add"}


FIXED = Slitherlink.blank(4, 4).with_clues({(0, 0): 3})
LINES = {"given": [((0, 0), (0, 1))], "forbidden": [((4, 3), (4, 4))], "holes": [(2, 2)]}


def test_clues_are_added_and_removed_beside_fixed_lines():
    board = replace(FIXED, **LINES)
    puzzle, shown = result(made(what="add", **of_puzzle(board)))
    assert replace(puzzle, clues=board.clues) == board
    full = replace(board, clues=shown.counts())
    fewer, same = result(made(what="thin", **of_puzzle(full), seed=1))
    assert same == shown
    assert replace(fewer, clues=board.clues) == board
    assert not any(is_unique(fewer.with_clues({cell: None})) for cell, _ in fewer.clue_cells())


@pytest.mark.parametrize("names", [*zip(LINES), tuple(LINES)])
def test_masks_and_halves_are_filled_beside_fixed_lines(names):
    board = replace(FIXED, **{name: LINES[name] for name in names})
    marks = ["none" if cell in (5, 11) else "must" for cell in range(16)]
    filled, _ = result(made(what="mask", **of_puzzle(board), marks=marks))
    assert replace(filled, clues=board.clues) == board
    assert filled.grid[0][0] == 3
    assert {4 * row + col for (row, col), _ in filled.clue_cells()} == {
        cell for cell, mark in enumerate(marks) if mark == "must"
    }
    half = board.with_clues({(0, 1): 2, (1, 2): 2})
    options = {"symmetry": "half-turn", "more": True}
    whole, _ = result(made(what="complete", **of_puzzle(half), **options))
    assert replace(whole, clues=half.clues) == half
    assert dict(half.clue_cells()).items() <= dict(whole.clue_cells()).items()
    assert {(3, 3), (3, 2), (2, 1)} <= {cell for cell, _ in whole.clue_cells()}


def test_a_half_of_a_path_is_completed():
    path = slitherlink(5, 5, seed=1, ends="random", symmetry="half-turn").puzzle
    half = path.with_clues({cell: None for cell, _ in path.clue_cells() if cell > (2, 2)})
    whole, _ = result(made(what="complete", **of_puzzle(half), symmetry="half-turn"))
    assert whole.ends == path.ends
    assert {cell for cell, _ in whole.clue_cells()} == {cell for cell, _ in path.clue_cells()}


@pytest.mark.parametrize("make", [slitherlink, numberlink, partial(made_puzzle, "simpleloop")])
def test_a_loop_gets_clues_beside_annotations_that_fit(make):
    found = make(5, 5, seed=1)
    blank = type(found.puzzle).from_grid([[None] * 5] * 5, found.puzzle.variant)
    lattice, drawn = blank.lattice, found.solution
    edges = [tuple(map(lattice.position, lattice.ends(one))) for one in range(lattice.num_edges)]
    lines = [edges[one] for one in drawn.edges]
    passed = {place for ends in lines for place in ends}
    # A given line at a hole would be invalid.
    cross = next(ends for ends in edges if ends not in lines and passed.issuperset(ends))
    line = lines[0]
    board = of_puzzle(replace(blank, given=[line], forbidden=[cross]))
    puzzle, shown = result(made(what="line", **board, lines=list(drawn.edges)))
    assert shown == drawn
    assert (puzzle.given, puzzle.forbidden) == ((line,), (cross,))
    for name, edge in (("given", cross), ("forbidden", line)):
        board = of_puzzle(replace(blank, **{name: [edge]}))
        refused = failure({"what": "line", **board, "lines": list(drawn.edges)})
        assert f"is {name}, and is {'missing' if name == 'given' else 'drawn'}" in refused


@pytest.mark.parametrize("name", ["given", "forbidden"])
def test_masks_of_numberlinks_are_for_boards_without_fixed_lines(name):
    board = replace(Numberlink.blank(4, 4), **{name: LINES["given"]})
    masked = failure({"what": "mask", **of_puzzle(board), "marks": ["must", "must"] + [None] * 14})
    assert masked == f"masks of Numberlinks are for boards without {name} lines"
