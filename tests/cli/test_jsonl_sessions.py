"""JSON lines: sessions, in which a board changes."""

from __future__ import annotations

import json
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import linkoracle
from linkoracle.cli.jsonl import MAX_SESSIONS, OPERATIONS, Server
from linkoracle.cli.work import Settings
from tests.cli.test_jsonl import answers

FULL = ["23322", "30212", "22321", "11121", "12121"]


class Client:
    """A server asked in this process."""

    def __init__(self, **limits: object) -> None:
        self.server = Server(Settings(**limits))
        self.lines = 0

    def __call__(self, **request: object) -> dict:
        self.lines += 1
        answer = self.server.answer(self.lines, json.dumps(request).encode())
        assert answer is not None
        return json.loads(answer.line)

    def board(self, grid: list[str] = FULL, **more: object) -> dict:
        return self(op="open", session="a", kind="slitherlink", grid=grid, **more)

    def ask(self, op: str, **more: object) -> dict:
        return self(op=op, session="a", **more)


# ---- requests ----


LOOPS = list(linkoracle.solutions(linkoracle.Slitherlink.blank(3, 3)))
COUNTS = [loop.face_counts() for loop in LOOPS]


def loops_with(clues: dict) -> list[int]:
    """Return the numbers of the loops that fit clues."""
    return [
        number
        for number, counts in enumerate(COUNTS)
        if all(counts[cell] == clue for cell, clue in clues.items())
    ]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, len(LOOPS) - 1), st.permutations(range(9)), st.booleans())
def test_thin_takes_away_what_can_go_in_the_order_given(number, order, after_other_questions):
    order = [divmod(face, 3) for face in order]
    clues = {cell: int(COUNTS[number][cell]) for cell in order}
    status = "unique" if loops_with(clues) == [number] else "many"
    client = Client()
    client.board(["..."] * 3)
    if after_other_questions:
        for clue in range(4):
            client.ask("ask", clues=[[1, 1, clue]])
    client.ask("set", clues=[[*cell, clue] for cell, clue in clues.items()])
    found = client.ask("reduce", order=order)
    assert found["status"] == status
    if status == "unique":
        for cell in order:
            rest = {place: clue for place, clue in clues.items() if place != cell}
            clues = rest if loops_with(rest) == [number] else clues
    assert found["clues"] == [[*cell, clues[cell]] for cell in sorted(clues)]
    assert found["removed"] == 9 - len(clues)
    assert found["minimal"] == (status == "unique")
    assert client.ask("set")["clue_count"] == len(clues)


def test_thin_by_seed_comes_out_again():
    results = []
    for seed in (1, 1, 2, None):
        client = Client()
        client.board()
        results.append(client.ask("reduce", seed=seed))
        assert results[-1]["minimal"]
    assert results[0]["clues"] == results[1]["clues"] != results[2]["clues"]
    assert results[0]["seed"] == 1
    client = Client()
    client.board()
    assert client.ask("reduce", seed=results[3]["seed"])["clues"] == results[3]["clues"]


def test_thin_keeps_what_it_is_told_to():
    client = Client()
    client.board()
    found = client.ask("reduce", seed=1, keep=[[0, 0], [4, 4]])
    assert {(0, 0), (4, 4)} <= {(row, col) for row, col, _ in found["clues"]}
    assert not found["minimal"]
    again = client.ask("reduce", order=[[0, 0], [4, 4]])
    assert not again["minimal"]
    assert client.ask("reduce")["minimal"]


def test_thin_of_a_board_that_is_not_unique_takes_nothing():
    client = Client()
    client.board(["3..", ".23"])
    found = client.ask("reduce")
    assert (found["status"], found["removed"], found["minimal"]) == ("many", 0, False)
    assert found["clues"] == [[0, 0, 3], [1, 1, 2], [1, 2, 3]]


def test_thin_that_runs_out_of_time_says_what_is_left(clock):
    solution = linkoracle.generate.slitherlink(15, 15, seed=1).solution
    full = linkoracle.Slitherlink.from_solution(solution)
    client = Client()
    client.board([list(row) for row in full.grid])
    clock.tick = 0.05
    found = client.ask("reduce", timeout=1e-6)
    assert (found["code"], found["minimal"], found["removed"]) == ("timeout", False, 0)
    found = client.ask("reduce", timeout=10)
    assert (found["code"], found["minimal"]) == ("timeout", False)
    assert found["clues"]
    assert found["removed"] > 0
    assert client.ask("set")["clue_count"] == len(found["clues"])
    assert client.ask("ask")["status"] == "unique"


def test_implies_may_drop_what_is_implied():
    client = Client()
    client.board()
    for row, col in product(range(5), repeat=2):
        before = client.ask("set")["clue_count"]
        implied = client.ask("implies", cell=[row, col], drop=True)["implied"]
        assert client.ask("set")["clue_count"] == before - implied
    left = client.ask("reduce")
    assert (left["removed"], left["minimal"]) == (0, True)
    client.ask("set", edges=[[[0, 0], [0, 1], True], [[0, 1], [0, 2], True]])
    dropped = [client.ask("implies", edge=[[0, 0], [0, 1]], drop=True)["implied"]]
    assert client.ask("set")["edge_count"] == 2 - sum(dropped)


@pytest.mark.parametrize(
    ("op", "more", "told"),
    [
        ("set", {"clues": [[0, 0, 5]]}, "expected a clue from 0 to 4, a list of such, or null"),
        ("set", {"clues": [[0, 0, []]]}, "a list of such"),
        ("set", {"clues": [[0, 0, True]]}, "found true"),
        ("set", {"clues": [[0, 0, 2.0]]}, "found 2.0"),
        (
            "set",
            {"clues": [[0, 5, 2]]},
            "a cell, [row, column], of 5 x 5 cells in 'clues', found [0, 5]",
        ),
        ("set", {"clues": [[-1, 0, 2]]}, "found [-1, 0]"),
        ("set", {"clues": [[0, 0]]}, "changes [row, column, clue]"),
        ("set", {"clues": {"0,0": 1}}, "expected a list in 'clues', found an object"),
        ("set", {"clues": [[1, 1, None], [9, 9, 1]]}, "found [9, 9]"),
        ("set", {"edges": [[[0, 0], [1, 1], True]]}, "two neighbours"),
        (
            "set",
            {"edges": [[[0, 0], [0, 9], True]]},
            "a dot, [row, column], of 6x6 dots in 'edges', found [0, 9]",
        ),
        ("set", {"edges": [[[0, 0], [0, 1], 1]]}, "true, false or null"),
        ("set", {"edges": [[0, 1, True]]}, "a dot, [row, column], of 6x6 dots in 'edges', found 0"),
        ("implies", {}, "one of the keys 'cell' and 'edge'"),
        ("implies", {"cell": [0, 0], "edge": [[0, 0], [0, 1]]}, "'cell' and 'edge'"),
        (
            "implies",
            {"cell": [0, 0], "clues": [[0, 0, None]]},
            "expected a cell with a clue in 'cell', found 0,0",
        ),
        (
            "implies",
            {"edge": [[0, 0], [0, 1]]},
            "expected an edge that is on or off in 'edge', found an open one",
        ),
        ("implies", {"cell": [0, 0], "drop": 1}, "true or false in 'drop'"),
        (
            "implies",
            {"cell": [0, 0], "drop": True, "clues": [[0, 0, 2]]},
            "expected no 'clues' and 'edges' with 'drop'",
        ),
        (
            "hint",
            {"clues": [[0, 0, [1, 2]]]},
            "expected a clue that is one number, found 1 or 2 in the cell 0,0",
        ),
        ("hint", {"inside": [{}]}, "expected places of the board in 'inside', found an object"),
        ("hint", {"visited": [[[0, 0]]]}, "expected places of the board in 'visited', found an"),
        ("hint", {"visited": [[0, 0], [0, False]]}, "expected places of the board in 'visited'"),
        (
            "hint",
            {"visited": [[0, 0]], "unvisited": [[0, 0]]},
            "expected each place to be marked once, found [0, 0] twice",
        ),
        ("reduce", {"order": [[0, 0]], "seed": 1}, "found both"),
        ("reduce", {"order": 3}, "a list in 'order'"),
        ("reduce", {"seed": -1}, "a whole number from 0"),
        ("reduce", {"keep": [[0, 9]]}, "found [0, 9]"),
        ("ask", {"timeout": 0}, "a positive number of seconds or null in 'timeout'"),
        ("count", {"limit": 0}, "a whole number from 1 or null in 'limit'"),
    ],
)
def test_a_wrong_request_leaves_the_session_as_it_was(op, more, told):
    client = Client()
    client.board()
    found = client.ask(op, id="x", **more)
    assert (found["id"], found["code"]) == ("x", "bad_input")
    assert told in found["error"]
    assert client.ask("set") | {"seconds": 0} == {
        "op": "set", "session": "a", "changed": False, "clue_count": 25, "edge_count": 0,
        "seconds": 0,
    }  # fmt: skip
    assert client.ask("ask")["status"] == "unique"


@pytest.mark.parametrize("on", [True, False, None])
def test_what_the_puzzle_fixes_stays(on):
    client = Client()
    fixed = {"given": [[[0, 0], [0, 1]]], "forbidden": [[[2, 1], [2, 2]]], "holes": [[0, 2]]}
    client(op="open", session="a", kind="slitherlink", grid=[[None] * 2] * 2, **fixed)
    before = client.ask("count")["count"]
    for name in ("given", "forbidden"):
        found = client.ask("set", edges=[[*fixed[name][0], on]])
        assert "expected an edge that the puzzle leaves open in" in found["error"]
    found = client.ask("set", edges=[[[0, 1], [0, 2], on]])
    assert "expected dots that are not holes in 'edges', found 0,2" in found["error"]
    assert client.ask("count")["count"] == before == 2


def test_sessions_are_known_by_name():
    client = Client()
    for op in OPERATIONS:
        if op not in ("open", "cancel"):
            assert "no session 'a' is open" in client.ask(op, id=1)["error"]
    assert client.board()["clue_count"] == 25
    assert "is open already" in client.board()["error"]
    assert "expected a string in 'session'" in client(op="ask")["error"]
    assert "expected a string in 'session'" in client(op="ask", session=3)["error"]
    assert "error" not in client.ask("close")
    assert client.board(["33", ".."])["clue_count"] == 2


def test_there_may_be_so_many_sessions():
    client = Client()
    small = {"op": "open", "kind": "slitherlink", "rows": 1, "cols": 1}
    for number in range(MAX_SESSIONS):
        assert "error" not in client(session=str(number), **small)
    refused = client(session="more", **small)
    assert f"{MAX_SESSIONS} sessions are open" in refused["error"]
    client(op="close", session="7")
    assert "error" not in client(session="more", **small)
    client.server.close()


@pytest.mark.parametrize("rows", [101, 10**9])
def test_a_board_too_large_is_refused_with_its_size(rows):
    found = Client()(op="open", session="a", kind="slitherlink", rows=rows, cols=100)
    assert f"at most 10000 cells, found {rows} x 100 cells" in found["error"]


def test_sessions_of_kinds_whose_lines_run_through_cells():
    client = Client()
    opened = client(op="open", session="a", kind="numberlink", grid=["1.2", "...", "1.2"])
    assert opened["clue_count"] == 4
    assert client.ask("count")["count"] == 7
    edges = [[[0, 0], [0, 1], True]]
    assert client.ask("count", edges=edges)["count"] < 7
    assert client.ask("reduce")["status"] == "many"
    assert client.ask("implies", cell=[0, 0])["implied"] is False
    assert (
        "expected a cell with a clue in 'cell', found 1,1"
        in client.ask("implies", cell=[1, 1])["error"]
    )
    assert client.ask("ask", edges=[[[0, 0], [1, 0], True]])["status"] == "many"
    assert (
        "a cell, [row, column], of 3x3 cells"
        in client.ask("ask", edges=[[[0, 2], [0, 3], True]])["error"]
    )


def count_of(grid, kind="numberlink"):
    return linkoracle.count(linkoracle.read(f"{kind}\n" + "\n".join(grid) + "\n"))


def test_clues_of_every_kind_change():
    client = Client()
    client(op="open", session="a", kind="numberlink", rows=3, cols=3)
    told = client.ask("set", clues=[[0, 0, 1], [2, 0, 1]])
    assert told["clue_count"] == 2
    pair = [[0, 2, 2], [2, 2, 2]]
    assert client.ask("count", clues=pair)["count"] == count_of(["1.2", "...", "1.2"])
    assert client.ask("count")["count"] == count_of(["1..", "...", "1.."])
    crossed = [[0, 0, 1], [2, 2, 1], [0, 2, 2], [2, 0, 2]]
    found = client.ask("core", clues=crossed)
    assert (found["status"], found["minimal"]) == ("none", True)
    assert found["core"] == {"clues": sorted(crossed), "edges": []}
    for clues, told in (
        ([[0, 1, 5]], "expected the number 5 to stand exactly twice"),
        ([[0, 1, [1, 2]]], "a whole number or null in 'clues', found [1, 2]"),
        ([[0, 1, 0], [0, 2, 0]], "found 0"),
    ):
        found = client.ask("ask", clues=clues)
        assert (found["code"], told in found["error"]) == ("bad_input", True), found
    assert client.ask("set", clues=pair)["clue_count"] == 4
    assert client.ask("undo") | {"seconds": 0} == {
        "op": "undo", "session": "a", "undone": True, "clue_count": 2, "edge_count": 0, "seconds": 0
    }  # fmt: skip
    assert client.ask("count")["count"] == count_of(["1..", "...", "1.."])
    client(op="open", session="b", kind="simpleloop", rows=3, cols=4)
    hole = [[1, 1, 0], [1, 2, 0]]
    assert client(op="ask", session="b", clues=hole)["status"] == "unique"
    edge = [[[1, 1], [0, 1], True]]
    found = client(op="ask", session="b", clues=hole, edges=edge)
    assert "expected cells that are not holes in 'edges', found 1,1" in found["error"]
    assert client(op="ask", session="b", edges=edge)["status"] != "none"
    client(op="set", session="b", edges=edge)
    for op in ("ask", "count", "core", "set"):
        found = client(op=op, session="b", clues=hole)
        assert "expected no hole at 1,1, where an edge is on" in found["error"]
    client(op="set", session="b", edges=[[*edge[0][:2], None]])
    assert client(op="count", session="b")["count"] == count_of(["...."] * 3, "simpleloop")


def test_ask_counts_up_to_a_limit():
    client = Client(limit=2)
    client.board(["...", "..."])
    every = linkoracle.count(linkoracle.Slitherlink.blank(2, 3))
    for limit in (1, 5, every, every + 1):
        found = client.ask("ask", limit=limit, show=True)
        assert (found["status"], found["count"]) == ("many", min(limit, every))
        assert found["exact"] == (limit >= every)
        assert len({json.dumps(one) for one in found["solutions"]}) == found["count"]
    one = [[0, 0, 4]]
    assert client.ask("ask", limit=1, clues=one).items() >= {
        "status": "unique", "count": 1, "exact": True}.items()  # fmt: skip
    assert "count" not in client.ask("ask")
    assert "a whole number from 1 or null in 'limit'" in client.ask("ask", limit=0)["error"]


def test_reduce_is_thin():
    client = Client()
    client.board()
    thinned = client.ask("reduce", seed=1)
    assert client.ask("undo")["clue_count"] == 25
    reduced = client.ask("reduce", seed=1)
    assert {**thinned, "op": "reduce", "seconds": 0} == {**reduced, "seconds": 0}
    assert [client.ask("undo")["undone"] for _ in range(2)] == [True, False]


def test_grades():
    client = Client()
    client.board(["33", ".."])
    told = client.ask("grade")
    assert (told["status"], told["label"], told["depth"]) == ("solved", "easy", 0)
    assert client.ask("grade", clues=[[0, 1, None]])["status"] == "not unique"


def test_hints_lead_to_the_solution():
    client = Client()
    client.board(["33", ".."])
    (solution,) = client.ask("ask", show=True)["solutions"]
    lines = {frozenset(map(tuple, edge)) for walk in solution for edge in pairwise(walk)}
    drawn = []
    while (step := client.ask("hint", edges=drawn)["step"]) is not None:
        assert step["text"].strip()
        assert step["lines"] or step["crosses"]
        for key, on in (("lines", True), ("crosses", False)):
            assert all((frozenset(map(tuple, edge)) in lines) == on for edge in step[key])
            drawn += [[*edge, on] for edge in step[key]]
    assert sum(on for *_, on in drawn) == len(lines)


@pytest.mark.parametrize(
    ("kind", "asked", "stays"),
    [
        ("slitherlink", {"symmetry": "half-turn", "max_clue_density": 0.9}, [[0, 0, 3]]),
        ("numberlink", {"pairs": [4, 6], "short_share": [0, 1]}, []),
        ("simpleloop", {"difficulty": "easy..hard"}, []),
    ],
)
def test_puzzles_are_made_on_the_board(kind, asked, stays):
    made = []
    for _ in range(2):
        client = Client()
        client(op="open", session="a", kind=kind, rows=6, cols=6)
        client.ask("set", clues=stays)
        made.append(client.ask("generate", seed=1, show=True, **asked))
        assert client.ask("ask")["status"] == "unique"
        assert client.ask("ask", show=True)["solutions"] == made[-1]["solutions"]
        assert client.ask("set")["clue_count"] == len(made[-1]["clues"])
        assert all(clue in made[-1]["clues"] for clue in stays)
        # First what the last `set` without changes did, and then the puzzle.
        assert client.ask("undo")["clue_count"] == len(made[-1]["clues"])
        assert client.ask("undo")["clue_count"] == len(stays)
    assert made[0]["clues"] == made[1]["clues"]
    for wrong, told in (
        ({"difficulty": "great"}, "expected one of the labels"),
        ({"tries": 0}, "a whole number from 1 or null in 'tries'"),
        (
            {"must": [[0, 9]]},
            "found [0, 9]" if kind != "simpleloop" else "the key 'must' is not for",
        ),
        ({"limits": 1}, "unknown key 'limits'; known here: op, id, session, "),
        ({"pairs" if kind != "numberlink" else "shape": 5}, f"not for puzzles of the kind {kind}"),
    ):
        found = client.ask("generate", **wrong)
        assert (found["code"], told in found["error"]) == ("bad_input", True), found


def test_what_cannot_be_made_is_no_wrong_request():
    found, status = answers(
        {"op": "open", "session": "a", "kind": "slitherlink", "rows": 5, "cols": 5},
        {"op": "generate", "session": "a", "clues": 0, "strategy": "stack", "tries": 1, "seed": 1},
    )
    assert (found[1]["code"], status) == ("not_found", 1)
    assert "no puzzle as requested in 1 attempt" in found[1]["error"]


def test_an_open_path():
    client = Client()
    client(op="open", session="a", kind="slitherlink", rows=2, cols=3, ends=[[0, 0], [2, 3]])
    assert client.ask("count")["count"] == 38
    puzzle = linkoracle.Slitherlink.blank(2, 3, ((0, 0), (2, 3)))
    first = puzzle.lattice.edge((0, 0), (0, 1))
    with_first = sum(first in solution for solution in linkoracle.solutions(puzzle))
    assert client.ask("count", edges=[[[0, 0], [0, 1], True]])["count"] == with_first


# ---- the stream ----


def test_a_clue_of_unknown_value_follows():
    client = Client()
    client(op="open", session="a", kind="slitherlink", grid=["3?", ".."])
    before = client.ask("count")["count"]
    assert client.ask("implies", cell=[0, 1])["implied"] is True
    assert client.ask("implies", cell=[0, 1], clues=[[0, 1, 4]])["implied"] is False
    assert client.ask("implies", cell=[0, 1], drop=True)["implied"] is True
    assert client.ask("count")["count"] == before
    assert "expected a cell with a clue" in client.ask("implies", cell=[1, 1])["error"]
