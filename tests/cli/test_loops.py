from __future__ import annotations

import json
import re
from pathlib import Path

import networkx as nx
import pytest
from click.testing import CliRunner, Result

import linkoracle
from linkoracle import Slitherlink, boards
from linkoracle.cli.main import main

BOARD = Slitherlink.blank(3, 4)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["loops", *arguments])


def walks(result: Result) -> list[linkoracle.Solution]:
    assert result.exit_code == 0
    lattice = BOARD.lattice
    lines = map(json.loads, result.stdout.splitlines())
    return [linkoracle.Solution.from_paths(lattice, paths) for paths in lines]


def test_counts():
    """OEIS A231829."""
    assert run("3", "4").stdout == "1049\n"
    assert run("10", "10").stdout == "988808811046283595068099\n"


def test_other_boards():
    """As many loops as networkx finds cycles of the same graph."""
    board = boards.honeycomb(2, 3)
    graph = nx.Graph(map(board.ends, range(board.num_edges)))
    cycles = sum(1 for _ in nx.simple_cycles(graph))
    assert run("--board", "honeycomb", "2", "3").stdout == f"{cycles}\n"
    assert run("--board", "square", "3", "4").stdout == "1049\n"
    listed = run("--board", "honeycomb", "2", "3", "--list", "--json").stdout.splitlines()
    assert len(set(listed)) == cycles
    (longest,) = json.loads(run("--board", "honeycomb", "2", "3", "--longest", "--json").stdout)
    assert longest[0] == longest[-1]
    assert len(longest) == max(map(len, nx.simple_cycles(graph))) + 1


@pytest.mark.parametrize("arguments", [("--board", "moon", "3", "3"), ("--board", "honeycomb")])
def test_boards_that_are_none(arguments):
    result = run(*arguments)
    assert result.exit_code == 2
    assert "expected" in result.stderr


def test_a_list_has_every_loop_once():
    listed = walks(run("3", "4", "--list", "--json"))
    assert len(listed) == len(set(listed)) == 1049
    assert all(linkoracle.check_solution(BOARD, loop) for loop in listed)
    assert run("1", "2", "--list", "--ascii").stdout.split("\n\n")[0].isascii()


def test_large_boards_need_no_diagram(tmp_path, monkeypatch):
    def refused(*_, **__):
        raise AssertionError("a diagram was built")

    monkeypatch.setattr("linkoracle.cli.loops.diagram", refused)
    assert run("2", "2", "--list").exit_code == 70
    assert sum(map(len, json.loads(run("30", "30", "--shortest", "--json").stdout))) == 5
    file = tmp_path / "path.txt"
    file.write_text("slitherlink path\nends 0,0 24,24\n" + ("." * 24 + "\n") * 24)
    result = run("--puzzle", str(file), "--shortest", "--json")
    assert [len(path) for path in json.loads(result.stdout)] == [49]
    monkeypatch.undo()
    loops = linkoracle.diagram(Slitherlink.blank(40, 1))
    assert (
        run("40", "1", "--shortest", "--json").stdout == f"{json.dumps(loops.shortest().paths())}\n"
    )


def test_samples_follow_the_seed():
    one = run("3", "4", "--sample", "5", "--seed", "7", "--json")
    assert len(walks(one)) == 5
    assert one.stdout == run("3", "4", "--sample", "5", "--seed", "7", "--json").stdout
    assert one.stdout != run("3", "4", "--sample", "5", "--seed", "8", "--json").stdout


def test_lengths():
    table = [
        tuple(map(int, line.split())) for line in run("3", "4", "--by-length").stdout.splitlines()
    ]
    assert table[0] == (4, 12)
    assert sum(number for _, number in table) == 1049
    (longest,) = walks(run("3", "4", "--longest", "--json"))
    (shortest,) = walks(run("3", "4", "--shortest", "--json"))
    assert (len(longest), len(shortest)) == (table[-1][0], 4)


def test_clues_of_a_puzzle(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("p.txt").write_text("slitherlink\n3..\n.23\n")
    assert run("--puzzle", "p.txt").stdout == "3\n"
    puzzle = linkoracle.read("slitherlink\n3..\n.23\n")
    drawn = run("--puzzle", "p.txt", "--list").stdout.strip("\n").split("\n\n")
    assert sorted(drawn) == sorted(
        linkoracle.draw(puzzle, one) for one in linkoracle.solutions(puzzle)
    )
    Path("none.txt").write_text("numberlink\n1.2\n2.1\n")
    assert run("--puzzle", "none.txt").stdout == "0\n"
    for what in ("--list", "--longest", "--by-length", "--sample=3"):
        assert (
            run("--puzzle", "none.txt", what).stdout,
            run("--puzzle", "none.txt", what).exit_code,
        ) == ("", 0)


def test_what_a_count_needs_is_shown_without_counting():
    plan = dict(line.split(": ") for line in run("26", "26", "--plan").stdout.splitlines())
    assert plan["states at most"] == "7.3e+10"
    assert plan["memory for a pass at most"] == "790 GB"
    assert plan["passes"] == "11"
    assert plan["passes by length"] == "2686"
    assert re.fullmatch("about [0-9,]+ s", plan["processor time"])


def test_a_count_is_kept_and_spread(tmp_path):
    store = str(tmp_path / "run.sqlite")
    expected = "109331355810135629946698361371\n"
    assert run("11", "11", "--checkpoint", store, "--jobs", "2").stdout == expected
    assert run("11", "11", "--checkpoint", store, "--resume").stdout == expected
    again = run("11", "11", "--checkpoint", store)
    assert (again.exit_code, again.stderr) == (
        2,
        f"error: {store}: the file exists. Resume that run, or choose another file.\n",
    )
    other = run("11", "12", "--checkpoint", store, "--resume")
    assert (other.exit_code, other.stdout) == (2, "")
    assert other.stderr.startswith(f"error: {store}: the run was begun with vertices = ")
    lengths = run("4", "5", "--by-length").stdout
    assert run("4", "5", "--by-length", "--spill", str(tmp_path), "--jobs", "2").stdout == lengths
    assert [path.name for path in tmp_path.iterdir()] == ["run.sqlite"]


@pytest.mark.parametrize(
    ("arguments", "status", "reason"),
    [
        ((), 2, "expected ROWS and COLS, --puzzle, --board or --graph"),
        (("3",), 2, "expected ROWS and COLS"),
        (("3", "3", "--puzzle", "x"), 2, "expected --puzzle without ROWS, COLS and --board"),
        (("0", "3"), 2, "'ROWS': expected a whole number from 1 to 1000000, found '0'"),
        (("--puzzle", "nowhere.txt"), 2, "nowhere.txt: no such file"),
        (("3", "3", "--memory", "lots"), 2, "expected a size such as 4GB"),
        (("25", "25", "--memory", "20MB"), 4, "of memory (limit: 20 MB)"),
        (("3", "3", "--plan"), 2, "from 8 to 30 cells across"),
        (("8", "200", "--plan"), 2, "from 8 to 30 cells across"),
        (("3", "3", "--resume"), 2, "--resume needs --checkpoint FILE"),
        (("3", "3", "--list", "--checkpoint", "x"), 2, "--checkpoint and --spill are for counts"),
        (("3", "3", "--sample", "2", "--jobs", "2"), 2, "--checkpoint and --spill are for counts"),
        (("1", "3", "--spill", "."), 2, "are for blank boards from 2 to 30 cells across"),
        (
            ("--board", "kagome 3 3", "--jobs", "2"),
            2,
            "are for blank boards from 2 to 30 cells",
        ),
        (("3", "3", "--spill", "nowhere"), 5, "nowhere: cannot keep "),
        (
            ("3", "3", "--checkpoint", "nowhere/run"),
            5,
            "nowhere/run: cannot write: there is no folder",
        ),
        (("3", "3", "--jobs", "2", "--dask", "tcp://127.0.0.1:1"), 2, "does not go with --dask"),
    ],
)
def test_bad_calls(arguments, status, reason):
    result = run(*arguments)
    assert result.exit_code == status
    assert reason in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.parametrize("what", [["--sample", "1"], ["--list"], ["--longest"]])
def test_what_cannot_be_kept_is_refused_at_once(what):
    ended = run("20", "20", *what, "--memory", "1GB")
    assert (ended.exit_code, ended.stdout) == (4, "")
    (line,) = ended.stderr.splitlines()
    assert line.startswith(
        "error: keeping all loops on 20x20 cells needs at least 530 GB of memory"
    )
