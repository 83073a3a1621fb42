"""JSON lines: requests, answers, streams that fail, and random requests."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import linkoracle
from linkoracle.cli.count_solutions import main
from linkoracle.cli.jsonl import OPERATIONS, Server
from linkoracle.cli.messages import lines
from linkoracle.cli.work import Settings
from tests.workers import WAIT_SECONDS, Program

COMMAND = [sys.executable, "-m", "linkoracle", "count", "--jsonl"]
SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "bench_loops.py"
THREE = {"kind": "slitherlink", "grid": ["3..", ".23"]}
BLANK_12 = {"kind": "slitherlink", "grid": ["." * 12] * 12}


def answers(*lines: object, options: tuple[str, ...] = ()) -> tuple[list[dict], int]:
    """What the program answers to requests, or to lines as they are, and its exit status."""
    text = "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in lines)
    result = CliRunner().invoke(main, ["--jsonl", *options], input=text)
    assert "Traceback" not in result.output
    return [json.loads(line) for line in result.stdout.splitlines()], result.exit_code


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
    assert "unknown key 'limits'; known here: op, id" in answer["error"]
    assert status == 2


def test_files_may_have_other_keys(tmp_path):
    """Published collections have them."""
    file = tmp_path / "puzzles.json"
    file.write_text(json.dumps({**THREE, "author": "x", "limits": 2}))
    assert CliRunner().invoke(main, [str(file)]).stdout == "3\n"


def test_a_request_is_what_the_format_writes():
    puzzle = linkoracle.Slitherlink.on(linkoracle.boards.honeycomb(3, 3), {0: 5, 4: 3, 8: 2})
    about = {"name": "comb", "author": "A. Maker", "rules": "One loop."}
    written = json.loads(linkoracle.write(puzzle, "json", **about))
    counted, opened = answers(written, {**written, "op": "open", "session": "a"})[0]
    assert (counted["name"], counted["board"], counted["count"]) == ("comb", "honeycomb 3 3", 7)
    assert (opened["board"], opened["clue_count"]) == ("honeycomb 3 3", 3)
    both = {"puzzle": "slither/1/1/0", "board": written["board"]}
    alone = {"kind": "slitherlink", "grid": [[4]], "clues": [4]}
    errors = [one["error"] for one in answers(both, alone)[0]]
    assert "expected 'puzzle' or 'board', found both" in errors[0]
    assert "expected the key 'board' beside the key 'clues', found none" in errors[1]


def test_a_request_overrides_the_command_line():
    options = ("--limit", "1", "--timeout", "1e-9", "--engine", "sat", "--variant", "fill")
    pairs = {"kind": "numberlink", "grid": ["1.1", "..."], "timeout": None}
    found, _ = answers(
        pairs,
        {**pairs, "variant": "free"},
        {**pairs, "variant": "free", "limit": 3, "show": True},
        {**pairs, "variant": "free", "limit": None, "engine": "frontier"},
        {"kind": "slitherlink", "grid": ["..", ".."], "variant": "loop"},
        {"kind": "slitherlink", "grid": ["..", ".."], "variant": "loop", "timeout": None},
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
        {"puzzle": "1.1\n...", "kind": "numberlink", "variant": "fill"},
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


def test_an_unknown_kind_or_variant_has_a_place():
    text = {"puzzle": "4\n", "kind": "slitherlink"}
    found, _ = answers({**text, "kind": "chess"}, {**text, "variant": "chess"})
    for line, (one, what) in enumerate(zip(found, ("kind", "variant"), strict=True), start=1):
        assert one["error"].startswith(f"<stdin>:{line}:puzzle: expected the {what} ")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *product(["limit"], [0, -1, 1.5, "3", True, [], 10**30]),
        *product(["timeout"], [0, -1, "1", True, {}]),
        *product(["memory"], [0, -5, "much", 1.5, False]),
        *product(["engine", "solver", "variant", "kind", "op"], [3, "x", [], {}]),
        *product(["show"], [0, 1, "yes", None]),
        ("name", 5),
    ],
)
def test_bad_values_are_named(key, value):
    request = {**THREE, key: value}
    (answer, after), status = answers(request, THREE)
    assert answer["code"] == "bad_input"
    assert repr(key) in answer["error"] or key in ("kind", "variant", "name")
    assert "expected" in answer["error"]
    assert (after["count"], status) == (3, 2)


# ---- sessions ----


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
    # Sessions are answered meanwhile.
    (asked,) = [one for one in found if one.get("id") == "ask"]
    found.remove(asked)
    del lines[9]
    assert [one.get("id") for one in found] == [one["id"] for one in lines] + [None]
    assert [one.get("count") for one in found[9:39]] == [line["limit"] for line in lines[9:]]
    assert asked["error"] == "<stdin>:10: no session 'a' is open"
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


@pytest.mark.parametrize("character", ["x", "é", "☂", "\N{BABY}"])
@pytest.mark.parametrize("length", [1_000_001, 5_000_000, 10_000_008])
def test_a_line_that_is_too_long_is_told_the_same_at_every_length(character, length):
    """No number of characters of the part that was read, and no error of half a character."""
    sent = ("y" + character * (length - 1)).encode() + b"\n"
    found = [Server(Settings()).answer(number, data) for number, data in lines(io.BytesIO(sent))]
    assert [json.loads(one.line)["error"] for one in found] == [
        "<stdin>:1: expected a line of at most 1000000 characters, found a longer one"
    ]


def test_a_number_of_many_digits_is_not_called_something_else():
    huge = 10**25
    for more in ({"limit": huge}, {"limit": -huge}, {"memory": huge}, {"grid": [[huge]]}):
        (found,), _ = answers({**THREE, **more})
        assert ", of more than 18 digits" in found["error"], found
    (found,), _ = answers({**THREE, "limit": 1.5})
    assert found["error"].endswith("in 'limit', found 1.5")


@pytest.mark.parametrize("name", ["a\nb", " a", "\t\x1b[31m", "a\u2028b", "a" * 500])
def test_a_name_is_sent_back_as_it_came(name):
    (found, other), _ = answers({**THREE, "name": name}, {**THREE, "id": name})
    assert (found["name"], other["name"], other["id"]) == (name, name, name)


def test_the_benchmark_of_loops_runs():
    """All loops leave as many clues, whoever answers."""
    options = ["--boards", "1", "--sizes", "4", "--kinds", "slitherlink,masyu"]
    for more in ([], ["--solver-alone"]):
        done = subprocess.run(
            [sys.executable, str(SCRIPT), *options, *more],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        _, _, slitherlink, masyu = done.stdout.splitlines()
        left = [re.findall(r"\((\d+)\)", row) for row in (slitherlink, masyu)]
        readme, _, implied, reduced, *_ = left[0]
        assert readme == implied == reduced == left[0][-1]
        assert left[1][1] == left[1][2] == left[1][-1]


SLOW = {"op": "open", "session": "a", "kind": "slitherlink", "rows": 18, "cols": 18}
QUICK = {"op": "open", "session": "b", "kind": "slitherlink", "grid": ["33", "11"]}


@contextmanager
def talking(*options: str):
    """Yield what sends requests, and what reads answers, as they come."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with Program([*COMMAND, *options], text=True, **pipes) as running:

        def send(*requests: dict) -> None:
            running.stdin.writelines(json.dumps(one) + "\n" for one in requests)
            running.stdin.flush()

        yield send, lambda number: [json.loads(running.stdout.readline()) for _ in range(number)]
        running.stdin.close()


@pytest.mark.parametrize("options", [[], ["--jobs", "2"]])
def test_a_request_is_cancelled_and_its_session_goes_on(options):
    with talking(*options) as (send, read):
        send({**SLOW, "id": 1}, {"id": [2], "op": "count", "session": "a"})
        assert read(1)[0]["id"] == 1
        waiting = {"id": 4, "op": "count", "session": "a"}
        cancels = [{"id": 4, "op": "cancel"}, {"id": [2], "op": "cancel"}]
        send(waiting, *cancels, {"id": 3, "op": "ask", "session": "a"})
        found = read(5)
    known = [(one["id"], one.get("op"), one.get("code")) for one in found]
    expected = [
        ([2], None, "cancelled"),
        (4, None, "cancelled"),
        (4, "cancel", None),
        ([2], "cancel", None),
        (3, "ask", None),
    ]
    assert sorted(known, key=str) == sorted(expected, key=str)
    assert options or known == expected
    assert [one["id"] for one in found if "status" in one] == [3]


def test_a_slow_session_does_not_block_others():
    with talking("--jobs", "2") as (send, read):
        slow = {"id": "slow", "op": "count", "session": "a"}
        asks = [{"id": at, "op": "ask", "session": "b"} for at in range(3)]
        send({**SLOW, "id": "a"}, slow, {**QUICK, "id": "b"}, *asks, {**THREE, "id": "count"})
        found = [one["id"] for one in read(6)]
        assert [one for one in found if one in range(3)] == [0, 1, 2]
        assert {*found} == {"a", "b", "count", 0, 1, 2}
        send({"id": "slow", "op": "cancel"})
        ends = read(2)
    assert {one.get("code") for one in ends} == {"cancelled", None}


def test_only_requests_with_an_id_are_cancelled():
    found, _ = answers({"op": "cancel"}, {"op": "cancel", "id": 7}, {**THREE, "id": 7})
    assert "expected the 'id' of the request to cancel" in found[0]["error"]
    assert (found[1]["cancelled"], found[2]["count"]) == (False, 3)


@pytest.mark.parametrize(
    ("request_", "code", "status"),
    [
        ({"op": "ask", "session": "x"}, "no_session", 2),
        ({**THREE, "kind": "abacus"}, "bad_input", 2),
        ({**BLANK_12, "timeout": 1e-9}, "timeout", 3),
    ],
)
def test_each_cause_has_a_code(request_, code, status):
    (found,), ended = answers(request_)
    assert (found["code"], ended) == (code, status)


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
    *("timeout", "engine", "solver", "memory", "show", "kind", "variant", "rows", "cols", "grid"),
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
