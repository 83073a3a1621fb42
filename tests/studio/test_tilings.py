"""Boards that are not square, as the server sends them to the page."""

from __future__ import annotations

import json
from itertools import pairwise
from math import dist

import pytest

from linkoracle import Numberlink, SimpleLoop, Slitherlink, boards, count, decide, solutions
from linkoracle.board import Lattice, Solution
from linkoracle.boards import TILINGS
from linkoracle.core import PuzzleError
from linkoracle.formats import words_of_board
from linkoracle.render import inner_faces
from linkoracle.studio.boards import board_of, kinds, puzzle_of, tiling_of
from linkoracle.studio.playing import Playing
from linkoracle.studio.texts import geometry, new_board, tilings
from tests.studio.asking import answered
from tests.studio.making import failure, made

HONEYCOMB = boards.honeycomb(2, 3)
#: A rectangle with a triangle beside it, and one below.
CORNER = boards.from_polygons(
    [[(0, 0), (2, 0), (2, 1), (0, 1)], [(2, 0), (3, 0), (2, 1)], [(0, 1), (2, 1), (1, 2.5)]]
)
PUZZLES = [
    Slitherlink.on(HONEYCOMB, "5....3"),
    Slitherlink.on(HONEYCOMB).with_variant("fill"),
    Slitherlink.on(CORNER, {0: 3}),
    Slitherlink.on(HONEYCOMB, "5....3", given=[(1, 0)], forbidden=[(3, 4), (1, 2)]),
    Numberlink.on(HONEYCOMB, "1.2.12", given=[(1, 4)]),
    Numberlink.on(HONEYCOMB, "1.2.12"),
    SimpleLoop.on(boards.cairo(2, 2), {0: 0}),
]
#: Corners of a cell in the middle.
MIDDLE = {(1, 1), (1, 2), (2, 1), (2, 2)}
NAMES = [name for name in TILINGS if name != "square"]


def honeycomb(*clues: int | None, **more) -> dict:
    """A board of six cells."""
    cells = [*clues, *[None] * (6 - len(clues))]
    about = {"kind": "slitherlink", "variant": "loop", "tiling": "honeycomb 2 3"}
    return {**about, "cells": cells, **more}


def played(what: str, puzzle, **marks: list[int]) -> dict:
    """Return the stages of an answer to a player, by their names."""
    found: list[dict] = []
    Playing().answer({"what": what, "board": board_of(puzzle), **marks}, found.append)
    return {stage["stage"]: stage for stage in found}


@pytest.mark.parametrize("puzzle", PUZZLES, ids=repr)
def test_a_board_is_its_puzzle(puzzle):
    board = json.loads(json.dumps(board_of(puzzle)))
    assert puzzle_of(board) == puzzle
    assert board["tiling"] == words_of_board(puzzle.tiling)


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        (honeycomb(tiling="honey 2 3"), "expected a board out of"),
        (honeycomb(tiling=7), "words of a board as a string"),
        (honeycomb(tiling="square 2 3"), "a board that is not square"),
        (honeycomb(tiling="honeycomb 60 60"), "at most 2500 cells"),
        (honeycomb(tiling='{"vertices": 3, "faces": [[0, 1, 2]]}'), "with coordinates"),
        (honeycomb(tiling="{"), "not valid JSON"),
        (honeycomb(cells=[None]), "a list of 6 cells"),
        (honeycomb(7), "from 0 to 6"),
        (honeycomb(2.5), "a number up to 2500"),
        (honeycomb(variant="path"), "expected the variant"),
        (honeycomb(points={"holes": [[0, 0]]}), "expected no holes on this board"),
        (honeycomb(points={"given": [[0, 9]]}), "neighbours of the 22 dots, found 0-9"),
        (honeycomb(kind="masyu", variant="loop"), "needs rows and columns"),
        (honeycomb(kind="numberlink", variant="free", cells=[1, *[None] * 5]), "twice"),
    ],
)
def test_invalid_boards(board, reason):
    with pytest.raises(PuzzleError, match=reason):
        puzzle_of(board)


def test_faces_with_too_many_sides_are_refused():
    corners = [(k, 0) for k in range(31)]
    polygon = boards.from_polygons([[*corners, (15, 9)]])
    with pytest.raises(PuzzleError, match="at most 29 sides"):
        tiling_of(words_of_board(polygon))


def test_the_kinds_are_described_on_faces():
    found = {kind["name"]: kind["onFaces"] for kind in kinds()}
    assert {name for name, kind in found.items() if kind} == {
        "slitherlink",
        "numberlink",
        "simpleloop",
        "hidoku",
    }
    assert found["slitherlink"]["clues"]["#"]["most"] is None
    assert found["slitherlink"]["clue"] == "a clue up to the number of sides or '?'"
    assert found["numberlink"]["clues"]["#"]["least"] == 1
    assert not any(kind["shades"] for kind in found.values() if kind)
    assert all([*kind["lists"]] == ["given", "forbidden"] for kind in found.values() if kind)


@pytest.mark.parametrize("through_cells", [False, True])
@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 4), (3, 2), (20, 20)])
def test_the_geometry_of_squares_has_the_numbers_of_their_lattice(rows, cols, through_cells):
    found = geometry(f"square {rows} {cols}", through_cells=through_cells)
    board = Lattice(rows, cols) if through_cells else Lattice(rows + 1, cols + 1)
    assert (found["width"], found["height"]) == (cols, rows)
    assert found["edges"] == [board.ends(edge) for edge in range(board.num_edges)]
    faces = found["faces" if through_cells else "cells"]
    assert [{*face} for face in faces] == [{*board.walk(face)} for face in range(board.num_faces)]
    places = found["middles" if through_cells else "corners"]
    assert places == [[x + through_cells / 2, y + through_cells / 2] for x, y in board.points]
    assert {*found["rooms"]} == {1.0}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("through_cells", [False, True])
def test_the_geometry_of_a_board(name, through_cells):
    size = (6, 6) if name in ("hats", "spectres") else (3, 4)
    words = new_board(name, *size)
    tiling = tiling_of(words)
    board = tiling.dual if through_cells else tiling
    found = geometry(words, through_cells=through_cells)
    points = found["middles" if through_cells else "corners"]
    assert (len(points), len(found["edges"])) == (board.num_vertices, board.num_edges)
    assert [tuple(one) for one in found["faces" if through_cells else "cells"]] == [
        board.walk(face) for face in range(board.num_faces)
    ]
    assert ("bends" in found) == through_cells
    for cell, walk in enumerate(found["cells"]):
        # The circle with this diameter lies within the cell.
        corners = [found["corners"][corner] for corner in walk]
        room, middle = found["rooms"][cell], found["middles"][cell]
        assert 0.3 < room <= 1
        sides = zip(corners, [*corners[1:], corners[0]], strict=True)
        assert min(_far(middle, *side) for side in sides) >= room / 2 - 1e-3
        assert len(corners) == len(tiling.edges_of(cell))
    xs, ys = zip(*points, strict=True)
    assert min(xs) >= 0
    assert max(xs) <= found["width"] + 1e-3
    assert max(ys) <= found["height"] + 1e-3


def _far(point, one, other) -> float:
    (x, y), (ax, ay), (bx, by) = point, one, other
    along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / dist(one, other) ** 2
    along = min(max(along, 0.0), 1.0)
    return dist(point, (ax + along * (bx - ax), ay + along * (by - ay)))


def test_boards_to_choose_from():
    assert list(tilings()) == NAMES
    assert new_board("honeycomb", 7, 5) == "honeycomb 7 5"
    # Each time another part of a tiling that does not repeat.
    words = [new_board("penrose_rhombs", 6, 7) for _ in range(6)]
    assert len(set(words)) > 1
    assert all(one.startswith("penrose_rhombs 6 7 ") for one in words)


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        (("square", 3, 3), "expected a board out of"),
        (("hexagons", 3, 3), "expected a board out of"),
        (("honeycomb", 0, 3), "1 to 60 rows"),
        (("honeycomb", 3, 61), "1 to 60 rows"),
        (("great_great_dodecagonal", 60, 60), "at most 2500 cells"),
    ],
)
def test_boards_that_cannot_be_chosen(choice, reason):
    with pytest.raises(PuzzleError, match=reason):
        new_board(*choice)


def test_what_clues_would_leave():
    board = honeycomb(4)
    puzzle, found = puzzle_of(board), answered(board)
    every = [set(solution.edges) for solution in solutions(puzzle)]
    assert found["count"]["count"] == str(len(every))
    uses = {edge: str(sum(edge in one for one in every)) for edge in range(puzzle.board.num_edges)}
    assert dict(found["shares"]["uses"]) == {
        edge: used for edge, used in uses.items() if used not in ("0", str(len(every)))
    }
    values = dict(found["values"]["values"])
    assert list(values) == [1, 2, 3, 4, 5]
    for face, left in values.items():
        assert left == [str(count(puzzle.with_clues({face: clue}))) for clue in range(7)]


def test_conflicting_and_redundant_clues():
    found = answered(honeycomb(6, 6))
    assert found["status"]["status"] == "none"
    assert found["conflict"]["cells"] == [0, 1]
    assert found["conflict"]["minimal"]
    found = answered(honeycomb(6, 1))
    assert found["status"]["status"] == "unique"
    assert found["redundant"]["cells"] == [1]
    assert found["grade"]["label"] == "easy"
    assert found["late"] == {}
    wrong = answered(honeycomb(7))["wrong"]
    assert wrong["cell"] == (0,)


def test_a_numberlink_on_cells():
    puzzle = Numberlink.on(HONEYCOMB, "1....1")
    found = answered(board_of(puzzle))
    assert found["count"]["count"] == str(count(puzzle))
    assert "values" not in found
    assert answered(board_of(Numberlink.on(HONEYCOMB)))["why"]["reason"].startswith("there are no")


@pytest.mark.parametrize("puzzle", [PUZZLES[0], SimpleLoop.on(boards.triangular(2, 3))], ids=repr)
def test_rules_marks_and_hints(puzzle):
    found = played("rules", puzzle)
    model = puzzle.model
    assert found["rules"]["degrees"] == [*model.degrees]
    assert found["rules"]["faces"] == [*model.faces]
    assert found["rules"]["whole"]
    verdict = decide(puzzle)
    assert found["status"]["status"] == verdict.status
    if not verdict.unique:
        return
    (only,) = verdict.solutions
    crossed = [edge for edge in range(puzzle.board.num_edges) if edge not in only.edges]
    within = inner_faces(only)
    right = {"lines": list(only.edges[:3]), "crosses": crossed[:3], "inside": within}
    assert played("check", puzzle, **right)["checked"] == {
        "stage": "checked",
        "edges": [],
        "faces": [],
    }
    wrong = {"lines": crossed[:1], "crosses": [*only.edges[:1]], "outside": within[:1]}
    checked = played("check", puzzle, **wrong)["checked"]
    assert checked["edges"] == sorted([crossed[0], only.edges[0]])
    assert checked["faces"] == within[:1]
    assert played("finished", puzzle, lines=list(only.edges))["finished"]["faults"] == []
    assert played("finished", puzzle, lines=[0])["finished"]["faults"]


def test_the_inside_of_a_loop_around_a_hole():
    cells = [(x, y) for y in range(3) for x in range(3) if (x, y) != (1, 1)]
    ring = boards.from_polygons(
        [[(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)] for x, y in cells]
    )
    outer = [edge for edge in range(ring.num_edges) if len(ring.faces_of(edge)) == 1]
    hole = [edge for edge in outer if {*map(ring.points.__getitem__, ring.ends(edge))} <= MIDDLE]
    assert len(hole) == 4
    around = Solution(ring, tuple({*outer} - {*hole}))
    assert inner_faces(around) == [*range(8)]
    assert inner_faces(Solution(ring, tuple(hole))) == []
    assert inner_faces(Solution(ring, tuple(ring.edges_of(1)))) == [1]


def test_hints_lead_to_the_end():
    puzzle = puzzle_of(made(what="new", kind="slitherlink", tiling="cairo 3 3", seed=4)["board"])
    (only,) = decide(puzzle).solutions
    lines: set[int] = set()
    crosses: set[int] = set()
    while lines != {*only.edges}:
        hint = played("hint", puzzle, lines=sorted(lines), crosses=sorted(crosses))["hint"]
        assert hint["sentence"]
        assert {*hint["lines"]} <= {*only.edges}
        assert {*hint["crosses"]}.isdisjoint(only.edges)
        before = len(lines) + len(crosses)
        lines |= {*hint["lines"]}
        crosses |= {*hint["crosses"]}
        assert len(lines) + len(crosses) > before


@pytest.mark.parametrize(("kind", "variant"), [("numberlink", "fill"), ("simpleloop", "loop")])
def test_lines_through_cells_are_made(kind, variant):
    found = made(what="new", kind=kind, variant=variant, tiling="cairo 3 3", seed=2)
    puzzle = puzzle_of(found["board"])
    assert (puzzle.kind, puzzle.variant, puzzle.tiling.words) == (kind, variant, "cairo 3 3")
    verdict = decide(puzzle)
    assert (verdict.status, [*verdict.solutions[0].edges]) == ("unique", found["lines"])


@pytest.mark.filterwarnings("error::DeprecationWarning")
def test_puzzles_are_made_reduced_and_found_for_a_loop():
    found = made(what="new", kind="slitherlink", variant="loop", tiling="kites 2 3", seed=2)
    puzzle = puzzle_of(found["board"])
    verdict = decide(puzzle)
    assert [*verdict.solutions[0].edges] == found["lines"]
    assert puzzle.tiling.words == "kites 2 3"
    reduced = made(what="thin", board=found["board"], seed=5)
    fewer = puzzle_of(reduced["board"])
    assert "none is redundant" in reduced["words"]
    assert decide(fewer).solutions == verdict.solutions
    for face, _ in fewer.clue_cells():
        assert decide(fewer.with_clues({face: None})).status == "many"
    blank = board_of(Slitherlink.on(puzzle.tiling))
    drawn = made(what="line", board=blank, lines=found["lines"], seed=1)
    assert decide(puzzle_of(drawn["board"])).solutions == verdict.solutions
    added = made(what="add", board=board_of(fewer.with_clues({next(fewer.clue_cells())[0]: None})))
    assert added["words"].startswith("1 clue added")
    assert decide(puzzle_of(added["board"])).status == "unique"
    walked = made(what="steps", board=found["board"])
    assert walked["status"] == "solved"
    assert sorted(edge for step in walked["steps"] for edge in step["lines"]) == found["lines"]
    assert made(what="file", format="certificate", board=found["board"])["data"]


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        ({"what": "new", "kind": "masyu"}, "no puzzles of the kind 'masyu' can be generated here"),
        ({"what": "new", "variant": "fill"}, "'loop'"),
        ({"what": "new", "tiling": "honey"}, "expected a board out of"),
        ({"what": "thin", "board": honeycomb()}, "one solution"),
        ({"what": "line", "board": honeycomb(), "lines": [0, 1]}, "not a solution"),
        ({"what": "complete", "board": honeycomb(3), "symmetry": "half-turn"}, "rows and columns"),
    ],
)
def test_the_reason_of_a_failure_is_one_line(task, reason):
    assert reason in failure({"kind": "slitherlink", "tiling": "honeycomb 2 3", **task})


def test_the_server_describes_boards():
    pytest.importorskip("starlette")
    pytest.importorskip("httpx")
    from starlette.testclient import TestClient

    from linkoracle.studio.access import COOKIE, path_of
    from linkoracle.studio.server import application

    host, page = "127.0.0.1:8642", f"/{path_of('secret')}"
    app, cookie = application("secret", [host]), {"cookie": f"{COOKIE}=secret"}
    with TestClient(app, base_url=f"http://{host}", headers=cookie) as client:

        def post(where: str, content: object) -> dict:
            text = content if isinstance(content, str) else json.dumps(content)
            headers = {"origin": f"http://{host}"}
            return client.post(f"{page}/{where}", content=text, headers=headers).json()

        assert client.get(f"{page}/about").json()["offers"]["tilings"] == {
            name: list(size) for name, size in tilings().items()
        }
        (slitherlink,) = (
            kind
            for kind in client.get(f"{page}/about").json()["kinds"]
            if kind["name"] == "slitherlink"
        )
        assert slitherlink["onFaces"]["making"]["tasks"] == ["line", "thin", "add"]
        found = post("board", {"name": "cairo", "rows": 3, "cols": 4})
        assert found == {"tiling": "cairo 3 4"}
        found = post("geometry", {"board": found["tiling"], "throughCells": False})
        assert found == json.loads(json.dumps(geometry("cairo 3 4", through_cells=False)))
        ends = [{*edge} for edge in found["edges"]]
        for walk in found["cells"]:
            assert all({*step} in ends for step in pairwise([*walk, walk[0]]))
        assert "1 to 60" in post("board", {"name": "cairo", "rows": 99, "cols": 4})["error"]
        assert "whole number" in post("board", {"name": "cairo", "rows": "3", "cols": 4})["error"]
        assert "string" in post("geometry", {"board": 3, "throughCells": False})["error"]
        assert "true or" in post("geometry", {"board": "cairo 3 4", "throughCells": 1})["error"]
        assert "3x3" in post("write", {"board": honeycomb(6), "format": "loopy"})["error"]
        board = board_of(Slitherlink.on(boards.honeycomb(3, 3), {0: 6}))
        loopy = post("write", {"board": board, "format": "loopy"})["text"]
        assert post("read", loopy)["board"] == board
        assert post("write", {"board": board, "format": "svg"})["text"].startswith("<svg")
