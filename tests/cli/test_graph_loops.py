"""`linkoracle loops --graph`."""

from __future__ import annotations

import json
import subprocess
import sys

import networkx as nx
import pytest
from click.testing import CliRunner, Result

from linkoracle import graphs
from linkoracle.cli.main import main


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["loops", "--graph", *map(str, arguments)])


@pytest.fixture
def petersen(tmp_path):
    file = tmp_path / "petersen.g6"
    nx.write_graph6(nx.petersen_graph(), file)
    return file


def test_counts(petersen):
    assert run(petersen).stdout == "57\n"
    assert run(petersen, "--hamiltonian").stdout == "0\n"
    paths = sum(1 for _ in nx.all_simple_paths(nx.petersen_graph(), 0, 7))
    assert run(petersen, "--between", 0, 7).stdout == f"{paths}\n"


@pytest.mark.parametrize("text", ["a b\nb c\nc a\n", "Bw\n", "Bw"])
def test_standard_input(text):
    result = CliRunner().invoke(main, ["loops", "--graph", "-"], input=text)
    assert (result.stdout, result.exit_code) == ("1\n", 0)
    wrong = CliRunner().invoke(main, ["loops", "--graph", "-"], input="a b\nb\n")
    assert "<stdin>:2:1: expected the two nodes of an edge" in wrong.stderr


def test_lists_are_nodes(petersen):
    lines = run(petersen, "--list").stdout.splitlines()
    assert len(set(lines)) == 57
    assert [line.split() for line in lines] == [
        list(map(str, json.loads(line)))
        for line in run(petersen, "--list", "--json").stdout.splitlines()
    ]


def test_lengths(petersen):
    assert run(petersen, "--by-length").stdout == "5 12\n6 10\n8 15\n9 20\n"
    assert len(run(petersen, "--longest").stdout.split()) == 9
    assert len(run(petersen, "--shortest").stdout.split()) == 5


def test_a_bound_of_lengths(petersen, tmp_path):
    assert run(petersen, "--length-bound", 6, "--by-length").stdout == "5 12\n6 10\n"
    assert run(petersen, "--length-bound", 4, "--list").stdout == ""
    short = len([*nx.all_simple_paths(nx.petersen_graph(), 0, 7, cutoff=5)])
    assert run(petersen, "--length-bound", 5, "--between", 0, 7).stdout == f"{short}\n"
    grid = tmp_path / "grid.g6"
    nx.write_graph6(nx.convert_node_labels_to_integers(nx.grid_2d_graph(30, 30)), grid)
    assert run(grid, "--length-bound", 8).stdout == "7951\n"
    assert len(run(grid, "--between", 0, 899, "--shortest").stdout.split()) == 59
    result = CliRunner().invoke(main, ["loops", "3", "3", "--length-bound", "8"])
    assert (result.exit_code, result.stdout) == (2, "")


def test_samples_follow_the_seed(petersen):
    one = run(petersen, "--sample", 3, "--seed", 4)
    assert len(one.stdout.splitlines()) == 3
    assert one.stdout == run(petersen, "--sample", 3, "--seed", 4).stdout
    drawn = run(petersen, "--sample", 3)
    assert drawn.stderr.startswith("seed: ")


def test_nothing_to_choose_from(tmp_path):
    file = tmp_path / "tree.edges"
    file.write_text("a b\nb c\n")
    for option in ("--list", "--longest", "--sample=3", "--by-length"):
        result = run(file, option)
        assert (result.exit_code, result.stdout) == (0, "")
    assert run(file).stdout == "0\n"


def test_plan(petersen):
    lines = run(petersen, "--plan").stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "most nodes on the frontier",
        "states at most",
        "memory at most",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--between", "0", "99"), "expected a node of"),
        (("--between", "0", "0"), "expected paths between two nodes, got 0 twice"),
        (("--ascii",), "--graph takes no options of boards"),
        (("3", "3"), "--graph takes no options of boards"),
        (("--jobs", "2"), "to count in other processes or with files: any other graph takes one"),
        (
            ("--checkpoint", "no.sqlite"),
            "expected a grid of 3 or more rows and columns to count in",
        ),
        (("--spill", "."), "expected a grid of 3 or more rows and columns to count in other proc"),
        (("--between", "0", "1", "--spill", "."), "expected a grid of 3 or more rows and columns"),
        (("--list", "--jobs", "2"), "--jobs, --dask, --checkpoint and --spill are for counts"),
        (("--plan", "--spill", "."), "--jobs, --dask, --checkpoint and --spill are for counts"),
    ],
)
def test_wrong_arguments(petersen, arguments, message):
    result = run(petersen, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "ends", [(), ((0, 0), (4, 5)), pytest.param(((1, 1), (2, 3)), marks=pytest.mark.heavy)]
)
def test_counts_of_grids_are_spread_and_kept(tmp_path, ends):
    grid = nx.grid_2d_graph(5, 6)
    file, store = tmp_path / "grid.edges", tmp_path / "run.sqlite"
    nx.write_edgelist(grid, file)
    between = ("--between", *ends) if ends else ()
    expected = run(file, *between).stdout
    assert expected == f"{graphs.count(grid, *ends)}\n"
    assert run(file, *between, "--checkpoint", store, "--jobs", 2).stdout == expected
    assert run(file, *between, "--checkpoint", store, "--resume").stdout == expected
    again = run(file, *between, "--checkpoint", store)
    assert (again.exit_code, again.stdout) == (2, "")
    assert run(file, *between, "--spill", tmp_path).stdout == expected
    lengths = run(file, *between, "--by-length").stdout
    assert run(file, *between, "--by-length", "--spill", tmp_path, "--jobs", 2).stdout == lengths
    assert {path.name for path in tmp_path.iterdir()} == {"grid.edges", "run.sqlite"}
    other = tmp_path / "other.edges"
    nx.write_edgelist(nx.grid_2d_graph(5, 7), other)
    refused = run(other, "--checkpoint", store, "--resume")
    assert (refused.exit_code, refused.stdout) == (2, "")


def test_filtered_grids_and_own_orders_take_one_pass(tmp_path):
    grid = nx.grid_2d_graph(4, 4)
    every = graphs.simple_cycles(grid)
    assert every.count(spill=tmp_path) == every.count() == 213
    for found in (
        every.including([((0, 0), (0, 1))]),
        every.excluding([((0, 0), (0, 1))]),
        graphs.simple_cycles(grid, order=list(grid)),
        graphs.simple_cycles(nx.grid_2d_graph(2, 9)),
        graphs.simple_cycles(nx.disjoint_union(grid, grid)),
        graphs.simple_cycles(nx.path_graph(3)),
    ):
        for query in (found.count, found.by_length):
            with pytest.raises(ValueError, match="expected a grid of 3 or more rows and columns"):
                query(spill=tmp_path)


def test_wrong_files(tmp_path):
    file = tmp_path / "wrong.edges"
    file.write_text("a b\nb\n")
    result = run(file)
    assert result.exit_code == 2
    assert f"{file}:2:1: expected the two nodes of an edge, found 'b' alone" in result.stderr
    assert run(tmp_path / "none.edges").exit_code == 2


def test_options_of_graphs_alone():
    result = CliRunner().invoke(main, ["loops", "3", "3", "--hamiltonian", "--to", "a"])
    assert result.exit_code == 2
    assert "expected --graph with --to, --hamiltonian" in result.stderr


STREETS = """\
Mill Church 2
Church Mill 2.5
Church Park 1
Park Mill 0.3
Mill Park 4
Park Gate 1
Gate Mill 1
"""


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("--directed --list", 5 * [None]),
        ("--directed --lightest", ["Mill Church Park"]),
        ("--directed --heaviest", ["Mill Park Gate"]),
        ("--directed --budget 3.3 --list", ["Mill Church Park"]),
        ("--directed --budget 3.2", ["0"]),
        ("--directed --through Gate --avoid Church --list", ["Mill Park Gate"]),
        ("--directed --from Mill --from Gate --to Park --by-length", ["1 1", "2 2", "3 1"]),
        (
            "--directed --from Gate --to Church --to Park --hamiltonian --list",
            ["Gate Mill Church Park"],
        ),
        ("--parallel --count", ["10"]),
        ("--parallel --between Gate Church --shortest", ["Gate -0- Park -0- Church"]),
        ("--parallel --length-bound 2 --json --list", [None, None]),
        ("--directed --sample 2 --seed 1 --by-weight", [None, None]),
    ],
)
def test_directed_and_parallel_edges(options, expected):
    result = CliRunner().invoke(main, ["loops", "--graph", "-", *options.split()], input=STREETS)
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert len(lines) == len(expected)
    assert all(right in (None, line) for line, right in zip(lines, expected, strict=True))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", "<stdin>:2:1: expected one edge between 'Church' and 'Mill', found a second one"),
        ("--directed --through Gote", "expected a node of <stdin> after --through, found 'Gote'"),
        ("--directed --budget x", "<stdin>: expected a number as a weight, got 'x'"),
        ("--directed --from Mill", "expected --from with --to"),
        ("--directed --from Mill --to Mill", "expected paths between two nodes, got 'Mill' twice"),
        ("--parallel --between Mill Gate --to Park", "expected --between, or --from and --to"),
        ("--directed --lightest --list", "expected one question: --lightest"),
        ("--directed --by-weight", "--by-weight is for --sample"),
        ("--directed --jobs 2", "expected a grid of 3 or more rows and columns"),
    ],
)
def test_wrong_requests_of_directed_graphs(options, expected):
    result = CliRunner().invoke(main, ["loops", "--graph", "-", *options.split()], input=STREETS)
    assert result.exit_code == 2
    assert expected in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_list_of_edges_is_counted_without_networkx():
    code = (
        "import sys; from linkoracle.cli.main import main\n"
        "try: main(['loops', '--graph', 'instances/town.edges', '--between', 'Mill', 'Church'])\n"
        "except SystemExit: pass\n"
        "print([name for name in ('networkx', 'rich') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["126", "[]"]
