from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import linkoracle
from linkoracle.cli.count_solutions import main
from tests.strategies import HARD_PAIRS
from tests.workers import WAIT_SECONDS, Program, has_worked

THREE = "slitherlink\n3..\n.23\n"
UNIQUE = "slitherlink\n33\n..\n"
NONE = "numberlink\n1.2\n2.1\n"
INSTANCES = Path(__file__).resolve().parents[2] / "instances"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("three.txt").write_text(THREE)
    Path("unique.txt").write_text(UNIQUE)
    Path("none.txt").write_text(NONE)
    return tmp_path


def run(*arguments: str, given: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=given)


def test_one_puzzle_prints_one_number(folder):
    result = run("three.txt")
    assert (result.stdout, result.exit_code) == ("3\n", 0)


def test_several_files_print_their_names(folder):
    result = run("three.txt", "unique.txt", "none.txt")
    assert result.stdout == "three.txt: 3\nunique.txt: 1\nnone.txt: 0\n"
    assert result.exit_code == 0


def test_several_puzzles_in_one_file_print_names_or_lines(folder):
    Path("book.txt").write_text(f"# name: first\n{UNIQUE}\n{THREE}")
    assert run("book.txt").stdout == "first: 1\nbook.txt:6: 3\n"


def test_standard_input():
    assert run("-", given=THREE).stdout == "3\n"
    assert run("-", given=linkoracle.write(linkoracle.read(THREE), "pzpr")).stdout == "3\n"


@pytest.mark.parametrize(("limit", "printed"), [(1, "1+"), (2, "2+"), (3, "3"), (4, "3")])
def test_a_limit_that_stops_early_says_so(folder, limit, printed):
    assert run("--limit", str(limit), "three.txt").stdout == f"{printed}\n"


def test_unique_is_an_exit_status(folder):
    assert run("--unique", "unique.txt").exit_code == 0
    assert run("--unique", "three.txt").exit_code == 1
    assert run("--unique", "none.txt").exit_code == 1
    assert run("--unique", "unique.txt", "three.txt", "unique.txt").exit_code == 1


def test_show_draws_every_solution_counted(folder):
    puzzle = linkoracle.read(THREE)
    solutions = linkoracle.count_result(puzzle, keep=True).solutions
    shown = run("--show", "three.txt").stdout
    assert shown == "3\n" + "".join(f"\n{linkoracle.draw(puzzle, one)}\n" for one in solutions)
    assert run("--show", "--ascii", "three.txt").stdout.isascii()
    assert run("--show", "none.txt").stdout == "0\n"


def test_json_has_every_field(folder):
    (line,) = run("--json", "--show", "--limit", "2", "three.txt").stdout.splitlines()
    record = json.loads(line)
    assert record.pop("seconds") >= 0
    walks = record.pop("solutions")
    assert record == {
        "name": "three.txt",
        "kind": "slitherlink",
        "variant": "loop",
        "rows": 2,
        "cols": 3,
        "count": 2,
        "exact": False,
        "engine": "sat",
    }
    puzzle = linkoracle.read(THREE)
    for paths in walks:
        assert linkoracle.check_solution(
            puzzle, linkoracle.Solution.from_paths(puzzle.lattice, paths)
        )
    assert "solutions" not in json.loads(run("--json", "three.txt").stdout)


def test_kind_and_rule():
    assert run("--kind", "numberlink", "-", given="1.1\n...\n").stdout == "4\n"
    assert run("--kind", "slitherlink", "-", given="1.1\n...\n").stdout == "3\n"
    assert run("--variant", "fill", "-", given="numberlink\n1.1\n...\n").stdout == "0\n"
    assert run("--variant", "fill", "-", given="numberlink\n1..1\n....\n").stdout == "1\n"


def test_engine_and_solver(folder):
    assert run("--engine", "sat", "--solver", "minisat22", "three.txt").stdout == "3\n"
    assert run("--solver", "abacus", "three.txt").exit_code == 2
    assert run("--engine", "frontier", "three.txt").stdout == "3\n"
    assert (
        json.loads(run("--engine", "frontier", "--json", "three.txt").stdout)["engine"]
        == "frontier"
    )


def test_counts_with_many_digits_are_exact():
    """OEIS A140517, 9x9 cells."""
    board = ("." * 9 + "\n") * 9
    assert run("--kind", "slitherlink", "-", given=board).stdout == "27359264067916806101\n"


def test_too_little_memory_is_reported():
    board = ("." * 20 + "\n") * 20
    result = run("--memory", "10MB", "--kind", "slitherlink", "-", given=board)
    assert result.exit_code == 4
    assert "(limit: 10 MB)" in result.stderr


def test_a_timeout_is_reported_and_the_rest_is_answered(folder, clock):
    clock.tick = 0.01
    Path("huge.txt").write_text("slitherlink\n" + "." * 12 + "\n" + ("." * 12 + "\n") * 11)
    result = run("--timeout", "3", "--engine", "sat", "huge.txt", "unique.txt")
    assert result.exit_code == 3
    assert result.stdout == "huge.txt: timeout\nunique.txt: 1\n"
    assert result.stderr.startswith("error: huge.txt: no answer within 3 s (")
    record = json.loads(run("--json", "--engine", "sat", "--timeout", "3", "huge.txt").stdout)
    assert record["exact"] is False
    assert record["count"] >= 2
    assert "no answer within 3 s" in record["error"]


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("slitherlink\n3..\n.2\n", ":3:3", "expected 3 cells"),
        ("numberlink\n1.2\n1..\n", ":2:3", "the number 2 to stand exactly twice, found it once"),
        ("numberlink\n1.1\n1..\n", ":3:1", "found it 3 times"),
        ("slitherlink\n3.\n.5\n", ":3:2", "expected a clue from 0 to 4 or '?', found 5"),
        ("", "", "expected a puzzle"),
        ("slitherlink\n5 5\n. .\n. .\n", ":2", "5"),
        ("https://puzz.link/p?nurikabe/5/5/g5k2o1k3g\n", ":1", "nurikabe"),
        ("3.\n.2\n", ":1", "--kind"),
        ("slitherlink\n" + "." * 10_000_000 + "\n", ":2", "at most 1000000 characters"),
        ("slitherlink path\n..\n", ":1", "ends"),
    ],
)
def test_bad_input_is_one_line_and_status_2(folder, text, place, reason):
    Path("bad.txt").write_text(text)
    result = run("unique.txt", "bad.txt", "--json")
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"error: bad.txt{place}")
    assert reason in line
    assert len(line) < 300
    assert "Traceback" not in result.output


@pytest.mark.parametrize("data", [b"\x00\x01\x02\xff\xfe", b"\xff" * 100, bytes(range(256))])
def test_binary_rubbish(folder, data):
    Path("bad.txt").write_bytes(data)
    for result in (run("bad.txt"), run("-", given=data)):
        assert result.exit_code == 2
        (line,) = result.stderr.splitlines()
        assert "text" in line
        assert line.isprintable()


def test_missing_files_are_all_named(folder):
    Path("empty").mkdir()
    # A folder stands for its files, so only one without any is named.
    result = run("nowhere.txt", "three.txt", "empty", ".", "gone.txt")
    assert result.exit_code == 2
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert [line.split(":")[1].strip() for line in lines] == ["nowhere.txt", "empty", "gone.txt"]


def test_no_file_at_all():
    result = run()
    assert result.exit_code == 2
    assert "expected a FILE" in result.stderr


def test_jsonl_answers_each_line_at_once():
    """A generator in another language writes a line and waits for the answer."""
    lines = [
        (linkoracle.write(linkoracle.read(THREE), "pzpr"), {"count": 3, "exact": True}),
        ('{"kind": "numberlink", "id": "a", "grid": ["1.1", "..."]}', {"name": "a", "count": 4}),
        ("rubbish", {"line": 3}),
        ('{"kind": "slitherlink", "name": "b", "grid": ["33", ".."]}', {"name": "b", "count": 1}),
    ]
    with Program(
        [sys.executable, "-m", "linkoracle", "count", "--jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as oracle:
        for line, expected in lines:
            oracle.stdin.write(line + "\n")
            oracle.stdin.flush()
            answer = json.loads(oracle.stdout.readline())
            assert answer.items() >= expected.items()
            assert ("error" in answer) == (line == "rubbish")
        oracle.stdin.close()
        assert oracle.wait(WAIT_SECONDS) == 2


def test_jsonl_names_the_line_of_the_stream_in_errors():
    text = '\n\n{"kind": "slitherlink", "grid": ["3x"]}\n'
    answer = json.loads(run("--jsonl", given=text).stdout)
    assert answer["line"] == 3
    assert answer["error"].startswith("<stdin>:3:")


def test_jsonl_takes_limits_and_uniqueness():
    url = linkoracle.write(linkoracle.read(THREE), "pzpr") + "\n"
    result = run("--jsonl", "--unique", given=url)
    assert result.exit_code == 1
    assert json.loads(result.stdout)["count"] == 1
    assert json.loads(result.stdout)["exact"] is False
    assert run("--jsonl", "file.txt").exit_code == 2


def test_ctrl_c_ends_a_long_count_without_a_traceback():
    """On a pseudo-terminal: shows that the count so far is displayed, and that Ctrl-C is clean."""
    leader, follower = pty.openpty()
    with Program(
        [sys.executable, "-m", "linkoracle", "count", "--engine=sat", "--kind=slitherlink", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=follower,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
    ) as counting:
        os.close(follower)
        counting.stdin.write(("." * 9 + "\n").encode() * 9)
        counting.stdin.close()
        seen = b""
        while b"solutions so far" not in seen:
            assert select.select([leader], [], [], WAIT_SECONDS)[0]
            seen += os.read(leader, 4096)
        counting.send_signal(signal.SIGINT)
        assert counting.wait(WAIT_SECONDS) == 130
        assert counting.stdout.read() == b""
        try:
            while chunk := os.read(leader, 4096):
                seen += chunk
        except OSError:
            pass  # Linux reports the end of a pseudo-terminal like this.
        os.close(leader)
        assert b"interrupted" in seen
        assert b"Traceback" not in seen


def test_ctrl_c_in_the_middle_of_a_search(tmp_path):
    """One long call of the SAT solver, which the interpreter cannot interrupt by itself."""
    puzzle = linkoracle.Numberlink.from_pairs(40, 40, HARD_PAIRS, "fill")
    file = tmp_path / "hard.txt"
    file.write_text(linkoracle.write(puzzle, "text"))
    command = [sys.executable, "-m", "linkoracle", "count", "--engine=sat", "--limit=2", str(file)]
    for options in ([], ["--timeout=600"]):
        with Program(
            command + options, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as searching:
            has_worked(searching, 1)
            searching.send_signal(signal.SIGINT)
            output, errors = searching.communicate(timeout=WAIT_SECONDS)
        assert (output, errors, searching.returncode) == ("", "interrupted\n", 130)


def test_every_instance_by_one_command():
    files = sorted(str(path) for path in INSTANCES.glob("*.txt"))
    result = run(*files)
    assert result.exit_code == 0
    assert [line.rsplit(": ", 1)[0] for line in result.stdout.splitlines()] == files
