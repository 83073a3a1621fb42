from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import linkoracle
from linkoracle import Slitherlink
from linkoracle.catalogue import Catalogue
from linkoracle.cli.count_solutions import main as count_solutions
from linkoracle.cli.main import main
from linkoracle.core import SearchTimeout

THREE = "slitherlink\n3..\n.23\n"
FILL = "numberlink fill\n1..1\n....\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("three.txt").write_text(THREE)
    Path("fill.txt").write_text(FILL)
    Path("none.txt").write_text("numberlink\n1.2\n2.1\n")
    return tmp_path


def run(*arguments: str, given: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=given)


def test_solve_draws(folder):
    puzzle = linkoracle.read(FILL)
    result = run("solve", "fill.txt")
    assert (result.exit_code, result.stdout) == (
        0,
        linkoracle.draw(puzzle, linkoracle.solve(puzzle)) + "\n",
    )
    assert run("solve", "--limit", "2", "three.txt").stdout.count("┌───") >= 2
    assert run("solve", "--all", "--ascii", "three.txt").stdout.count("\n\n") == 2


def test_solve_says_when_there_is_none(folder):
    result = run("solve", "none.txt", "fill.txt")
    assert result.exit_code == 1
    assert result.stdout.startswith("none.txt:\nno solution\nfill.txt:\n1")
    assert json.loads(run("solve", "--json", "none.txt").stdout) == {
        "name": "none.txt",
        "solutions": [],
        "exact": True,
    }


def test_solve_says_when_there_are_more(folder):
    Path("several.txt").write_text("slitherlink\n...\n...\n")
    total = linkoracle.count(Slitherlink.blank(2, 3))
    result = run("solve", "several.txt")
    assert (result.exit_code, result.stderr) == (0, "note: several.txt: one of several solutions\n")
    result = run("solve", "several.txt", "--limit", "3")
    assert result.stderr == "note: several.txt: 3 of more than 3 solutions\n"
    for limit, exact in ((1, False), (total - 1, False), (total, True), (total + 1, True)):
        found = json.loads(run("solve", "--json", "several.txt", "--limit", str(limit)).stdout)
        assert (len(found["solutions"]), found["exact"]) == (min(limit, total), exact)
    assert run("solve", "several.txt", "--all").stderr == ""
    Path("unique.txt").write_text("slitherlink\n33\n..\n")
    assert run("solve", "unique.txt").stderr == ""
    assert json.loads(run("solve", "--json", "unique.txt").stdout)["exact"] is True


def test_solve_says_when_the_time_was_too_short_to_know(folder, monkeypatch):
    def slow(*_, timeout, **__):
        yield from linkoracle.solutions(puzzle, engine="sat")
        raise SearchTimeout(timeout, 1)

    puzzle = Slitherlink([[3, 3], [None, None]])
    Path("unique.txt").write_text("slitherlink\n33\n..\n")
    monkeypatch.setattr("linkoracle.cli.solve.solutions", slow)
    result = run("solve", "unique.txt", "--timeout", "5")
    drawn = linkoracle.draw(puzzle, linkoracle.solve(puzzle))
    assert (result.exit_code, result.stdout) == (0, drawn + "\n")
    assert result.stderr == ("note: unique.txt: it is not known whether there are more solutions\n")
    found = run("solve", "unique.txt", "--timeout", "5", "--json")
    assert json.loads(found.stdout)["exact"] is None


@pytest.mark.parametrize("target", [n for n, one in linkoracle.FORMATS.items() if one.writes])
def test_convert_to_every_format_and_back(folder, target):
    if target == "loopy":
        Path("three.txt").write_text("slitherlink\n3..\n.23\n...\n")
    before = linkoracle.read(Path("three.txt"))
    result = run("convert", "--to", target, "three.txt", "-o", "out")
    assert (result.exit_code, result.output) == (0, "")
    assert [path.name for path in folder.glob("*out*")] == ["out"]
    assert linkoracle.read(Path("out"), kind="slitherlink") == before
    assert Path("out").read_text() == run("convert", "--to", target, "three.txt").stdout


def test_convert_keeps_several_puzzles_and_their_names(folder):
    result = run("convert", "--to", "json", "three.txt", "fill.txt")
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert [record["name"] for record in records] == ["three.txt", "fill.txt"]
    result = run("convert", "--to", "text", "three.txt", "fill.txt")
    entries = linkoracle.read_all(result.stdout)
    assert [entry.puzzle for entry in entries] == [linkoracle.read(THREE), linkoracle.read(FILL)]


def test_convert_leaves_no_file_when_a_format_cannot_hold_a_puzzle(folder):
    result = run("convert", "--to", "loopy", "fill.txt", "-o", "out")
    assert result.exit_code == 2
    assert "fill.txt: " in result.stderr
    assert not Path("out").exists()
    assert run("convert", "--to", "text", "fill.txt", "-o", "no/such/out").exit_code == 5


def test_check_certifies(folder):
    Path("full.txt").write_text("slitherlink\n4..\n...\n...\n")
    assert run("check", "full.txt").stdout == "unique (1 of the 1 clues suffice)\n"
    assert run("check", "full.txt").exit_code == 0
    assert (run("check", "three.txt").stdout, run("check", "three.txt").exit_code) == (
        "not unique\n",
        1,
    )
    assert (
        run("check", "none.txt", "fill.txt").stdout == "none.txt: no solution\nfill.txt: unique\n"
    )
    Path("wrong.txt").write_text("slitherlink\n44\n..\n")
    assert run("check", "wrong.txt").stdout == (
        "no solution (these clues contradict each other: r1c1, r1c2)\n"
    )
    # No loop visits each of nine dots.
    Path("odd.txt").write_text("slitherlink fill\n3.\n..\n")
    assert run("check", "odd.txt").stdout == "no solution, even without clues\n"
    assert run("check", "odd.txt").exit_code == 1


@pytest.mark.parametrize("variant", ["free", "fill"])
def test_a_numberlink_without_numbers_has_no_solution(folder, variant):
    """Every command says so, and so does Python; a line is part of every solution."""
    Path("empty.txt").write_text(f"numberlink {variant}\n...\n...\n")
    assert [
        run(*command.split()).stdout.splitlines()[0]
        for command in (
            "count empty.txt",
            "count --engine frontier empty.txt",
            "loops --puzzle empty.txt",
            "solve empty.txt",
            "check empty.txt",
        )
    ] == ["0", "0", "0", "no solution", "no solution"]
    given = json.dumps({"solutions": [[]]})
    result = run("check", "--solution", "-", "empty.txt", given=given).stdout
    assert result.startswith("wrong: there are no numbers to join")
    assert "no solution" in run("grade", "empty.txt").stdout
    assert run("certify", "empty.txt", "-o", "empty.certificate").exit_code == 1
    assert not Path("empty.certificate").exists()
    assert run("catalogue", "add", "empty.txt", "--into", "new.sqlite").exit_code != 0

    request = {"kind": "numberlink", "variant": variant, "grid": ["...", "..."]}
    lines = [request, {**request, "op": "open", "session": "a"}, {"op": "ask", "session": "a"}]
    answers = CliRunner().invoke(
        count_solutions, ["--jsonl"], input="".join(f"{json.dumps(line)}\n" for line in lines)
    )
    first, _, third = map(json.loads, answers.stdout.splitlines())
    assert (first["count"], third["status"]) == (0, "none")

    puzzle = linkoracle.Numberlink.blank(2, 3, variant)
    assert linkoracle.count(puzzle) == linkoracle.diagram(puzzle).count() == 0
    assert linkoracle.decide(puzzle).status == "none"
    assert not linkoracle.check_solution(puzzle, linkoracle.Solution(puzzle.lattice, ()))
    with Catalogue("new.sqlite") as catalogue, pytest.raises(ValueError, match="no solution"):
        catalogue.add(puzzle)


def test_check_judges_given_solutions(folder):
    counted = run("count", "--json", "--show", "three.txt", "fill.txt").stdout
    Path("solutions.jsonl").write_text(counted)
    result = run("check", "--solution", "solutions.jsonl", "three.txt", "fill.txt")
    assert result.exit_code == 0
    assert result.stdout == "three.txt: right\n" * 3 + "fill.txt: right\n"
    wrong = {"solutions": [[[[0, 0], [0, 1], [1, 1], [1, 0], [0, 0]]]]}
    result = run("check", "--solution", "-", "three.txt", given=json.dumps(wrong))
    assert result.exit_code == 1
    assert result.stdout.startswith("wrong: the clue 3 at r1c1 has 4 lines around it")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "rubbish",
        '{"solutions": 3}',
        '{"solutions": [[[[0, 0], [5, 5]]]]}',
        "[" * 9999,
    ],
)
def test_bad_solutions(folder, text):
    result = run("check", "--solution", "-", "three.txt", given=text)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: <stdin>")
    assert len(result.stderr.splitlines()) == 1


def test_help_and_version():
    for arguments in (
        ["--help"],
        ["count", "-h"],
        ["solve", "-h"],
        ["convert", "-h"],
        ["check", "-h"],
    ):
        assert run(*arguments).exit_code == 0
    done = subprocess.run(
        [sys.executable, "-m", "linkoracle", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("linkoracle, version 0.")
