from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from itertools import pairwise, product
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import linkoracle
from linkoracle.cli.count_solutions import main
from linkoracle.cli.jsonl import MAX_SESSIONS, OPERATIONS, Server
from linkoracle.cli.work import Settings
from tests.workers import WAIT_SECONDS, Program

COMMAND = [sys.executable, "-m", "linkoracle", "count", "--jsonl"]
SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "bench_sessions.py"
THREE = {"kind": "slitherlink", "grid": ["3..", ".23"]}
FULL = ["23322", "30212", "22321", "11121", "12121"]
BLANK_12 = {"kind": "slitherlink", "grid": ["." * 12] * 12}


def answers(*lines: object, options: tuple[str, ...] = ()) -> tuple[list[dict], int]:
    """What the program answers to requests, or to lines as they are, and its exit status."""
    text = "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in lines)
    result = CliRunner().invoke(main, ["--jsonl", *options], input=text)
    assert "Traceback" not in result.output
    return [json.loads(line) for line in result.stdout.splitlines()], result.exit_code


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


@pytest.mark.parametrize("first", [".", "{"])
def test_a_line_that_is_too_long_is_refused_before_it_ends(first):
    with Program(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(first.encode() + b"." * 4_200_000)
        running.stdin.flush()
        refused = json.loads(running.stdout.readline())
        more = {"id": 7, **THREE}
        running.stdin.write(b"." * 9_000_000 + b"\n\n" + json.dumps(more).encode() + b"\nx\n")
        running.stdin.close()
        answered, bad = map(json.loads, running.stdout)
    assert refused["line"] == 1
    assert "at most 1000000 characters" in refused["error"]
    assert (answered["id"], answered["exact"], bad["line"]) == (7, True, 4)


@pytest.mark.parametrize(
    "text",
    [
        *("7", '"a"', "null", "true", "1.50", "1e999", "-0", "[1, {}]", "1" * 30),
        *('{"a": {"b": [null, 2.0]}, "a": 1}', '"\\ud800"', '"\\u00e9"'),
    ],
)
@pytest.mark.parametrize("rest", ['"grid": ["33", ".."]', '"grid": ["3x"]', '"what": 1', '"op": 5'])
def test_every_answer_carries_the_id_as_it_came(text, rest):
    line = f'{{"kind": "slitherlink", {rest}, "id": {text}}}'
    answer = Server(Settings()).answer(1, line.encode())
    assert answer.line.startswith(f'{{"id": {text}, ')
    assert ("error" in json.loads(answer.line)) == ("33" not in rest)


def test_an_id_need_not_be_ascii():
    answer = Server(Settings()).answer(1, '{"id": "é", "op": "fly"}'.encode())
    assert answer.line.isascii()
    assert json.loads(answer.line)["id"] == "é"


def test_names_come_from_name_or_id_or_the_line():
    found, _ = answers(
        {**THREE, "id": 5, "name": "five"},
        {**THREE, "id": 5},
        {**THREE, "id": [5]},
        {"puzzle": "# name: mine\nslitherlink\n33\n..\n"},
    )
    assert [one["name"] for one in found] == ["five", "5", "<stdin>:3", "mine"]


def test_an_error_does_not_end_the_stream():
    found, status = answers(
        {"id": 1, "kind": "slitherlink", "grid": ["39"]},
        "rubbish",
        '{"id": 2',
        '{"id": NaN}',
        "",
        {**BLANK_12, "id": 3, "engine": "frontier", "memory": 1000},
        {**BLANK_12, "id": 4, "engine": "sat", "timeout": 0.1},
        '{"id": 5, "id": 6, "op": "close"}',
        {**THREE, "id": 7},
        '[{"kind": "slitherlink", "grid": ["33"]}, {"kind": "slitherlink", "grid": ["33"]}]',
    )
    told = [(one.get("id"), one.get("line"), one.get("code")) for one in found]
    assert told == [
        (1, 1, "bad_input"),
        (None, 2, "bad_input"),
        (None, 3, "bad_input"),
        (None, 4, "bad_input"),
        (3, 6, "memory"),
        (4, None, "timeout"),
        (6, 8, "bad_input"),
        (7, None, None),
        (None, 10, "bad_input"),
    ]
    assert all("error" in one for one in found if "code" in one)
    assert found[5]["exact"] is False
    assert found[7]["count"] == 3
    assert status == 2


@pytest.mark.parametrize(
    ("requests", "status"),
    [
        ([THREE], 0),
        ([{**THREE, "limit": 1}], 0),
        ([{**BLANK_12, "engine": "sat", "timeout": 0.05}, THREE], 3),
        ([{**BLANK_12, "engine": "frontier", "memory": 1}, {**BLANK_12, "timeout": 1e-6}], 4),
        ([{}, {**BLANK_12, "engine": "frontier", "memory": 1}], 2),
    ],
)
def test_exit_status_is_that_of_the_worst(requests, status):
    assert answers(*requests)[1] == status


def test_unique_is_an_exit_status():
    assert answers(THREE, options=("--unique",))[1] == 1
    assert answers({"kind": "slitherlink", "grid": ["33", ".."]}, options=("--unique",))[1] == 0


@pytest.mark.parametrize("name", [None, *OPERATIONS])
def test_unknown_keys_are_errors_that_tell_what_is_known(name):
    request = {"limits": 2, **({"op": name, "session": "a"} if name else THREE)}
    (answer,), status = answers(request)
    assert "unknown key 'limits'; known here: op, id, " in answer["error"]
    assert status == 2


def test_files_may_have_other_keys(tmp_path):
    """Published collections have them."""
    file = tmp_path / "puzzles.json"
    file.write_text(json.dumps({**THREE, "author": "x", "limits": 2}))
    assert CliRunner().invoke(main, [str(file)]).stdout == "3\n"


def test_a_request_overrides_the_command_line():
    options = ("--limit", "1", "--timeout", "1e-9", "--engine", "sat", "--variant", "fill")
    pairs = {"kind": "numberlink", "grid": ["1.1", "..."], "timeout": None}
    found, _ = answers(
        pairs,
        {**pairs, "rule": "free"},
        {**pairs, "rule": "free", "limit": 3, "show": True},
        {**pairs, "rule": "free", "limit": None, "engine": "frontier"},
        {"kind": "slitherlink", "grid": ["..", ".."], "rule": "loop"},
        {"kind": "slitherlink", "grid": ["..", ".."], "rule": "loop", "timeout": None},
        options=options,
    )
    assert [one.get("count") for one in found[:4]] == [0, 1, 3, 4]
    assert [one.get("engine") for one in found[:4]] == ["sat", "sat", "sat", "frontier"]
    assert [len(one.get("solutions", ())) for one in found[:4]] == [0, 0, 3, 0]
    assert found[4]["code"] == "timeout"
    assert "error" not in found[5]


def test_a_puzzle_in_any_format():
    url = linkoracle.write(linkoracle.Slitherlink([[3, None, None], [None, 2, 3]]), "pzpr")
    found, _ = answers(
        {"puzzle": url},
        {"puzzle": "3..\n.23\n", "kind": "slitherlink"},
        {"puzzle": "1.1\n...", "kind": "numberlink", "rule": "fill"},
        {"puzzle": url, "grid": ["."]},
        {"puzzle": "slitherlink\n3.\n.9\n", "id": 5},
        {"puzzle": "nowhere.txt"},
    )
    assert [one.get("count") for one in found[:3]] == [3, 3, 0]
    assert "expected 'puzzle' or 'grid', found both" in found[3]["error"]
    assert found[4]["error"] == (
        "<stdin>:5:puzzle:3:2: expected a clue from 0 to 4 or '?', found 9"
    )
    assert found[5]["code"] == "bad_input"


def test_a_puzzle_as_it_is_written_in_json():
    """Also with its metadata, and on a board that is not square."""
    hexagons = linkoracle.Slitherlink.on(linkoracle.boards.honeycomb(2, 2), "6...")
    square = linkoracle.Slitherlink([[4, None]])
    texts = [
        linkoracle.write(puzzle, "json", name="Six", author="Ada", rules="One loop.")
        for puzzle in (hexagons, square)
    ]
    clues = {"kind": "slitherlink", "grid": [[4]], "clues": [4]}
    opened = {"op": "open", "session": "a", **json.loads(texts[0])}
    found, _ = answers(*map(json.loads, texts), clues, opened, {"op": "ask", "session": "a"})
    assert [(one["name"], one["count"]) for one in found[:2]] == [("Six", 1)] * 2
    assert found[0]["board"] == "honeycomb 2 2"
    assert "expected the key 'board' beside the key 'clues', found none" in found[2]["error"]
    assert (found[3]["faces"], found[3]["clue_count"], found[4]["status"]) == (4, 1, "unique")


def test_an_unknown_kind_or_variant_has_a_place():
    text = {"puzzle": "4\n", "kind": "slitherlink"}
    found, _ = answers({**text, "kind": "chess"}, {**text, "rule": "chess"})
    for line, (one, what) in enumerate(zip(found, ("kind", "variant"), strict=True), start=1):
        assert one["error"].startswith(f"<stdin>:{line}:puzzle: expected the {what} ")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *product(["limit"], [0, -1, 1.5, "3", True, [], 10**30]),
        *product(["timeout"], [0, -1, "1", True, {}]),
        *product(["memory"], [0, -5, "much", 1.5, False]),
        *product(["engine", "solver", "rule", "kind", "op"], [3, "x", [], {}]),
        *product(["show"], [0, 1, "yes", None]),
        ("name", 5),
    ],
)
def test_bad_values_are_named(key, value):
    request = {**THREE, key: value}
    (answer, after), status = answers(request, THREE)
    assert answer["code"] == "bad_input"
    assert repr(key) in answer["error"] or key in ("kind", "rule", "name")
    assert "expected" in answer["error"]
    assert (after["count"], status) == (3, 2)


# ---- sessions ----

LOOPS = list(linkoracle.solutions(linkoracle.Slitherlink.blank(3, 3)))
LATTICE = LOOPS[0].lattice
COUNTS = [loop.face_counts() for loop in LOOPS]
ENDS = [[list(LATTICE.position(v)) for v in ends] for ends in LATTICE.edge_vertices.tolist()]

CLUE = st.one_of(st.none(), st.integers(0, 4), st.lists(st.integers(0, 4), min_size=1, max_size=4))
CLUES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), CLUE), max_size=5)
EDGES = st.lists(
    st.tuples(st.integers(0, len(ENDS) - 1), st.sampled_from([True, False, None])), max_size=3
)


class Truth:
    """What holds in a session, and the loops that fit."""

    def __init__(self) -> None:
        self.clues: dict = {}
        self.edges: dict = {}

    def changed(self, clues, edges) -> Truth:
        after = Truth()
        after.clues, after.edges = dict(self.clues), dict(self.edges)
        for changes, what in (
            ([((row, col), clue) for row, col, clue in clues], after.clues),
            (edges, after.edges),
        ):
            for key, value in changes:
                what.pop(key, None)
                if value is not None:
                    what[key] = value
        return after

    def loops(self) -> list[int]:
        return [
            number
            for number, loop in enumerate(LOOPS)
            if all(
                COUNTS[number][cell] in (clue if isinstance(clue, list) else [clue])
                for cell, clue in self.clues.items()
            )
            and all((edge in loop) == on for edge, on in self.edges.items())
        ]

    def status(self) -> str:
        return ["none", "unique", "many"][min(2, len(self.loops()))]


def as_changes(clues, edges) -> dict:
    return {"clues": clues, "edges": [[*ENDS[edge], on] for edge, on in edges]}


def edge_of(change) -> int:
    return LATTICE.edge(tuple(change[0]), tuple(change[1]))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(CLUES, EDGES, CLUES, EDGES), min_size=1, max_size=5))
def test_sessions_know_what_brute_force_knows(steps):
    client, truth = Client(), Truth()
    client.board(["..."] * 3)
    for clues, edges, more_clues, more_edges in steps:
        truth = truth.changed(clues, edges)
        told = client.ask("set", **as_changes(clues, edges))
        assert (told["clue_count"], told["edge_count"]) == (len(truth.clues), len(truth.edges))
        for changes in (((), ()), (more_clues, more_edges)):
            now = truth.changed(*changes)
            asked = as_changes(*changes)
            found = client.ask("ask", show=True, **asked)
            assert found["status"] == now.status()
            shown = [linkoracle.Solution.from_paths(LATTICE, one) for one in found["solutions"]]
            assert set(shown) <= {LOOPS[number] for number in now.loops()}
            assert len(set(shown)) == min(2, len(now.loops()))
            assert client.ask("count", **asked)["count"] == len(now.loops())
            told = client.ask("core", **asked)
            core = told["core"]
            assert told.get("minimal") == (True if now.status() == "none" else None)
            assert (core is None) == (now.status() == "many")
            if core is not None:
                part = Truth().changed(
                    core["clues"], [(edge_of(one), one[2]) for one in core["edges"]]
                )
                assert part.status() == now.status()
                assert part.clues.keys() <= now.clues.keys()
                assert part.edges.items() <= now.edges.items()
                if now.status() == "none":
                    for change in core["clues"]:
                        assert part.changed([(*change[:2], None)], ()).loops()
                    for change in core["edges"]:
                        assert part.changed((), [(edge_of(change), None)]).loops()
            for cell in now.clues:
                without = now.changed([(*cell, None)], ())
                implied = client.ask("implies", cell=cell, **asked)["implied"]
                assert implied == (without.loops() == now.loops())
            for edge in now.edges:
                without = now.changed((), [(edge, None)])
                implied = client.ask("implies", edge=ENDS[edge], **asked)["implied"]
                assert implied == (without.loops() == now.loops())
    client.server.close()


@settings(max_examples=30, deadline=None)
@given(st.integers(0, len(LOOPS) - 1), st.permutations(range(9)), st.booleans())
def test_thin_takes_away_what_can_go_in_the_order_given(number, order, after_other_questions):
    order = [divmod(face, 3) for face in order]
    truth = Truth().changed([(*cell, int(COUNTS[number][cell])) for cell in order], ())
    client = Client()
    client.board(["..."] * 3)
    if after_other_questions:
        for clue in range(4):
            client.ask("ask", clues=[[1, 1, clue]])
    client.ask("set", clues=[[*cell, clue] for cell, clue in truth.clues.items()])
    found = client.ask("thin", order=order)
    assert found["status"] == truth.status()
    if truth.status() == "unique":
        for cell in order:
            without = truth.changed([(*cell, None)], ())
            truth = without if without.status() == "unique" else truth
    assert found["clues"] == [[*cell, truth.clues[cell]] for cell in sorted(truth.clues)]
    assert found["removed"] == 9 - len(truth.clues)
    assert found["minimal"] == (truth.status() == "unique")
    assert client.ask("set")["clue_count"] == len(truth.clues)


def test_thin_by_seed_comes_out_again():
    results = []
    for seed in (1, 1, 2, None):
        client = Client()
        client.board()
        results.append(client.ask("thin", seed=seed))
        assert results[-1]["minimal"]
    assert results[0]["clues"] == results[1]["clues"] != results[2]["clues"]
    assert results[0]["seed"] == 1
    client = Client()
    client.board()
    assert client.ask("thin", seed=results[3]["seed"])["clues"] == results[3]["clues"]


def test_thin_keeps_what_it_is_told_to():
    client = Client()
    client.board()
    found = client.ask("thin", seed=1, keep=[[0, 0], [4, 4]])
    assert {(0, 0), (4, 4)} <= {(row, col) for row, col, _ in found["clues"]}
    assert not found["minimal"]
    again = client.ask("thin", order=[[0, 0], [4, 4]])
    assert not again["minimal"]
    assert client.ask("thin")["minimal"]


def test_thin_of_a_board_that_is_not_unique_takes_nothing():
    client = Client()
    client.board(["3..", ".23"])
    found = client.ask("thin")
    assert (found["status"], found["removed"], found["minimal"]) == ("many", 0, False)
    assert found["clues"] == [[0, 0, 3], [1, 1, 2], [1, 2, 3]]


def test_thin_that_runs_out_of_time_says_what_is_left(clock):
    solution = linkoracle.generate.slitherlink(15, 15, seed=1).solution
    full = linkoracle.Slitherlink.from_solution(solution)
    client = Client()
    client.board([list(row) for row in full.clues])
    clock.tick = 0.05
    found = client.ask("thin", timeout=1e-6)
    assert (found["code"], found["minimal"], found["removed"]) == ("timeout", False, 0)
    found = client.ask("thin", timeout=10)
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
    left = client.ask("thin")
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
        ("set", {"clues": [[0, 5, 2]]}, "a cell out of 5 rows and 5 columns in 'clues', found 0,5"),
        ("set", {"clues": [[-1, 0, 2]]}, "found -1,0"),
        ("set", {"clues": [[0, 0]]}, "changes [row, column, clue]"),
        ("set", {"clues": {"0,0": 1}}, "expected a list in 'clues', found an object"),
        ("set", {"clues": [[1, 1, None], [9, 9, 1]]}, "found 9,9"),
        ("set", {"edges": [[[0, 0], [1, 1], True]]}, "two neighbours"),
        ("set", {"edges": [[[0, 0], [0, 9], True]]}, "a dot out of 6 rows and 6 columns"),
        ("set", {"edges": [[[0, 0], [0, 1], 1]]}, "true, false or null"),
        ("set", {"edges": [[0, 1, True]]}, "[row, column] of a dot"),
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
            "hint",
            {"clues": [[0, 0, [1, 2]]]},
            "expected a clue that is one number, found 1 or 2 in the cell 0,0",
        ),
        ("thin", {"order": [[0, 0]], "seed": 1}, "found both"),
        ("thin", {"order": 3}, "a list in 'order'"),
        ("thin", {"seed": -1}, "a whole number from 0"),
        ("thin", {"keep": [[0, 9]]}, "found 0,9"),
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
        "op": "set", "session": "a", "clue_count": 25, "edge_count": 0, "seconds": 0,
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
        if op != "open":
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
    assert f"at most 10000 cells, found {rows}x100" in found["error"]


def test_sessions_of_kinds_whose_lines_run_through_cells():
    client = Client()
    opened = client(op="open", session="a", kind="numberlink", grid=["1.2", "...", "1.2"])
    assert opened["clue_count"] == 4
    assert client.ask("count")["count"] == 7
    edges = [[[0, 0], [0, 1], True]]
    assert client.ask("count", edges=edges)["count"] < 7
    assert client.ask("thin")["status"] == "many"
    assert client.ask("implies", cell=[0, 0])["implied"] is False
    assert (
        "expected a cell with a clue in 'cell', found 1,1"
        in client.ask("implies", cell=[1, 1])["error"]
    )
    assert client.ask("ask", edges=[[[0, 0], [1, 0], True]])["status"] == "many"
    assert "a cell out of 3 rows" in client.ask("ask", edges=[[[0, 2], [0, 3], True]])["error"]


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
        ([[0, 1, [1, 2]]], "a whole number or null in 'clues', found an array"),
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
    thinned = client.ask("thin", seed=1)
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
        assert client.ask("undo")["clue_count"] == len(stays)
    assert made[0]["clues"] == made[1]["clues"]
    for wrong, told in (
        ({"difficulty": "great"}, "expected one of the labels"),
        ({"tries": 0}, "a whole number from 1 or null in 'tries'"),
        ({"must": [[0, 9]]}, "found 0,9" if kind != "simpleloop" else "the key 'must' is not for"),
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


def lock_step(options: list[str], requests: list[dict]) -> list[dict]:
    """Each answer is waited for before the next request is sent."""
    with Program(
        [*COMMAND, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        found = []
        for request in requests:
            server.stdin.write(json.dumps(request) + "\n")
            server.stdin.flush()
            found.append(json.loads(server.stdout.readline()))
        server.stdin.close()
        assert server.wait(WAIT_SECONDS) in (0, 2)
    return found


@pytest.mark.parametrize("options", [[], ["--jobs", "2"]])
def test_nobody_waits_for_the_next_line(options):
    found = lock_step(options, [{**THREE, "id": number} for number in range(4)])
    assert [(one["id"], one["count"]) for one in found] == [(number, 3) for number in range(4)]


def test_many_processes_keep_the_order():
    lines = [{**THREE, "id": [number], "limit": 1 + number % 3} for number in range(40)]
    lines[7] = {"id": "bad"}
    lines[9] = {"id": "ask", "op": "ask", "session": "a"}
    found, status = answers(*lines, "", THREE, options=("--jobs", "2"))
    assert [one.get("id") for one in found] == [one["id"] for one in lines] + [None]
    assert [one.get("count") for one in found[10:40]] == [line["limit"] for line in lines[10:]]
    assert found[9]["error"] == "<stdin>:10: sessions do not go with --jobs"
    assert status == 2


def test_ctrl_c_leaves_every_answer_whole():
    for options in ([], ["--jobs", "2"]):
        with Program(
            [*COMMAND, *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        ) as server:  # fmt: skip
            for request in (THREE, THREE, {**BLANK_12, "engine": "sat"}):
                server.stdin.write(json.dumps(request) + "\n")
            server.stdin.flush()
            first = [server.stdout.readline() for _ in range(2)]
            server.send_signal(signal.SIGINT)
            rest, errors = server.communicate(timeout=WAIT_SECONDS)
        assert [json.loads(line)["count"] for line in first] == [3, 3]
        assert (rest, errors, server.returncode) == ("", "interrupted\n", 130)


@pytest.mark.parametrize("options", ["", " --jobs 2"])
@pytest.mark.parametrize(
    ("streams", "status", "told"),
    [
        ("<&-", 2, "error: <stdin>: cannot be read: "),
        (">/dev/full", 5, "error: cannot write to standard output: "),
        (">&-", 5, "error: cannot write to standard output: "),
    ],
)
def test_streams_that_fail(tmp_path, streams, status, told, options):
    file = tmp_path / "requests"
    file.write_text(json.dumps(THREE) + "\n")
    command = f"{sys.executable} -m linkoracle count --jsonl{options} <{file} {streams}"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, env=environment, timeout=WAIT_SECONDS
    )
    assert done.returncode == status
    (line,) = done.stderr.splitlines()
    assert line.startswith(told)


def test_lines_without_end():
    for text in ("x" * 5_000_000, '{"id": ' + "[" * 100_000, '{"id": "' + "y" * 2_000_000 + '"}'):
        (bad, good), status = answers(text, THREE)
        assert bad["code"] == "bad_input"
        assert len(bad["error"]) < 300
        assert (good["count"], status) == (3, 2)
    (last,), _ = answers("\n\n\n" + json.dumps(THREE))
    assert last["name"] == "<stdin>:4"


def test_the_benchmark_of_sessions_runs():
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--boards", "1", "--size", "4"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[0] == "1 boards of 4x4, milliseconds a board"
    assert len(done.stdout.splitlines()) == 6


# ---- anything ----

NUMBERS = st.one_of(st.integers(-3, 6), st.integers(-(10**40), 10**40), st.floats(allow_nan=True))
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)
KEYS = (
    *("id", "session", "clues", "edges", "cell", "edge", "drop", "order", "seed", "keep", "limit"),
    *("timeout", "engine", "solver", "memory", "show", "kind", "rule", "rows", "cols", "grid"),
    *("ends", "name", "puzzle", "other", "must", "mask", "pairs", "symmetry", "score", "tries"),
    *("shape_options", "difficulty", "short_share", "max_clue_density", "maker", "strategy"),
)
EDGE = [[0, 0], [0, 1]]
SMALL = st.sampled_from(
    [
        *(0, 1, 2, True, None, "a", "slitherlink", "numberlink", "33\n..", ["33", ".."]),
        *([[3, None]], [0, 0], EDGE, [[0, 0, 1]], [[0, 0, [1, 2]]], [[*EDGE, True]]),
    ]
)
REQUEST = st.fixed_dictionaries(
    {"op": st.sampled_from([*OPERATIONS, "fly"])},
    optional={
        **{key: st.one_of(SMALL, JSON) for key in KEYS},
        "session": st.sampled_from(["a", "a", "a", "b", 1]),
        "timeout": st.sampled_from([0.5, 1]),
    },
)


def check(server: Server, data: bytes) -> None:
    answer = server.answer(1, data)
    if answer is None:
        # A blank line of text: of more characters than of bytes.
        assert not data.decode().strip()
        return
    assert "\n" not in answer.line
    members = json.loads(answer.line)
    assert ("error" in members) == ("code" in members)
    assert (answer.status == 0) == ("error" not in members)


BOARDS = [("slitherlink", ["33", ".."]), ("numberlink", ["1.1", "..."]), ("simpleloop", [".."] * 2)]


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(BOARDS), st.lists(REQUEST, min_size=1, max_size=6))
def test_no_request_breaks_a_session(board, requests):
    server = Server(Settings(limit=2))
    opened = {"op": "open", "session": "a", "kind": board[0], "grid": board[1]}
    server.answer(1, json.dumps(opened).encode())
    assert "a" in server.sessions
    for request in requests:
        check(server, json.dumps(request).encode())
    server.close()


@settings(max_examples=100, deadline=None)
@given(st.one_of(st.binary(max_size=40), JSON.map(lambda value: json.dumps(value).encode())))
def test_no_line_breaks_the_stream(data):
    check(Server(Settings(limit=2)), data.replace(b"\n", b" "))


@settings(max_examples=100, deadline=None)
@given(REQUEST, st.integers(0, 200), st.binary(max_size=3))
def test_no_broken_line_breaks_the_stream(request, place, noise):
    data = json.dumps(request).encode()
    place %= len(data)
    check(Server(Settings(limit=2)), (data[:place] + noise + data[place + 2 :]).replace(b"\n", b""))
