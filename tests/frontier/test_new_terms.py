"""Sequences beyond published terms: shapes one by one, published terms, each count another way."""

from __future__ import annotations

import re
from itertools import combinations, islice, pairwise

import networkx as nx
import pytest

from tests.frontier import reference
from tests.frontier.test_loop_sequences import SCRIPTS, TABLES, terms

#: The last term to count again: quickly, and in minutes.
QUICK = {
    "A390122": (6, 10),
    "A394067": (5, 10),
    "A394066": (4, 8),
    "A394065": (3, 8),
    "A288032": (5, 10),
    "A266513": (8, 12),
    "A288148": (4, 9),
    "A112675": (5, 10),
    "A234622": (5, 8),
    "A288033": (4, 7),
    "A158651": (4, 7),
    "A140518": (5, 8),
    "A339098": (4, 8),
    "A307026": (4, 7),
    "A341269": (6, 9),
    "A343962": (7, 13),
    "A333685": (3, 5),
    "A324603": (6, 8),
}
BOARDS = [(rows, cols) for rows in range(1, 4) for cols in range(1, 5)]
#: The place of a vertex of a board after each symmetry.
SYMMETRIES = {
    "in_a_straight_mirror": lambda last, row, col: (row, last[1] - col),
    "by_half_turns": lambda last, row, col: (last[0] - row, last[1] - col),
    "in_a_diagonal_mirror": lambda _, row, col: (col, row),
}


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch):
    """The modules, as the programs import them."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import loop_sequences
    import shift_classes

    return shift_classes, loop_sequences


def every_path(rows: int, cols: int) -> set[frozenset]:
    """All paths of at least one edge, as edges."""
    graph = nx.grid_2d_graph(rows, cols)
    return {
        frozenset(map(frozenset, pairwise(walk)))
        for pair in combinations(graph, 2)
        for walk in nx.all_simple_paths(graph, *pair)
    }


@pytest.mark.parametrize(
    ("rows", "cols"), [*BOARDS, pytest.param(4, 4, marks=pytest.mark.heavy), (4, 1), (4, 2)]
)
def test_paths_that_are_left_as_they_are(scripts, rows: int, cols: int) -> None:
    import folded_paths

    paths, last = every_path(rows, cols), (rows - 1, cols - 1)
    for name, place in SYMMETRIES.items():
        if "diagonal" in name and rows != cols:
            continue
        number = sum(
            path == {frozenset(place(last, *end) for end in edge) for edge in path}
            for path in paths
        )
        sides = (rows, cols) if "diagonal" not in name else (rows,)
        for by_ends in (False, True):
            assert getattr(folded_paths, name)(*sides, by_ends=by_ends) == number, name


@pytest.mark.parametrize("rows", range(2, 8))
def test_loops_on_graphs_of_orbits(scripts, rows: int) -> None:
    import folded_loops
    import folded_paths

    for cols in range(2, 8):
        number = folded_loops.by_half_turns(rows, cols)
        assert number == folded_loops.by_half_turns(cols, rows)
        assert number == folded_paths.orbits_of_loops(rows, cols, 2)
    assert folded_paths.orbits_of_loops(rows, rows, 4) == folded_loops.by_quarter_turns(rows)


@pytest.mark.parametrize("side", [2, 3, pytest.param(4, marks=pytest.mark.heavy)])
def test_classes_under_shifts_one_by_one(scripts, side: int) -> None:
    shift_classes, _ = scripts
    paths = every_path(side, side)
    assert len(shift_classes.listed(side, paths)) == shift_classes.paths_under_shifts(side).classes
    # A list without symmetries, only with shifts.
    shifted = set()
    for path in paths:
        top, left = (min(place[axis] for edge in path for place in edge) for axis in (0, 1))
        shifted.add(frozenset(frozenset((r - top, c - left) for r, c in edge) for edge in path))
    assert len(shifted) == shift_classes.paths_under_shifts(side).every


@pytest.mark.parametrize(
    ("name", "until"),
    [
        *((name, quick) for name, (quick, _) in QUICK.items()),
        *(pytest.param(name, more, marks=pytest.mark.heavy) for name, (_, more) in QUICK.items()),
    ],
)
def test_terms_agree_with_tables(scripts, tmp_path, name: str, until: int) -> None:
    _, loop_sequences = scripts
    sequence = loop_sequences.SEQUENCES[name]
    loop_sequences.write(name, until, tmp_path, None)
    found = terms(tmp_path / sequence.file)
    table = terms(TABLES / sequence.file)
    assert found == dict(islice(table.items(), len(found)))


@pytest.mark.parametrize("name", QUICK)
def test_tables_begin_as_published(scripts, name: str) -> None:
    _, loop_sequences = scripts
    table = terms(TABLES / loop_sequences.SEQUENCES[name].file)
    assert next(iter(table)) == loop_sequences.SEQUENCES[name].offset
    published = reference.PUBLISHED[name]
    assert list(table.values())[: len(published)] == published[: len(table)]


def test_the_page_names_the_last_terms(scripts) -> None:
    _, loop_sequences = scripts
    page = (TABLES.parent / "reference" / "sequences.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| `(\w+\.txt)` \| .* \| (\d+) to (\d+) \| (?:to )?(\d+)", page, re.MULTILINE
    )
    stated = {file: tuple(map(int, numbers)) for file, *numbers in rows}
    for name in QUICK:
        file = loop_sequences.SEQUENCES[name].file
        table, published = terms(TABLES / file), reference.PUBLISHED[name]
        last = min(table) + len(published) - 1
        assert stated[file] == (min(table), max(table), last), file


def test_tables_agree_with_each_other(scripts) -> None:
    _, loop_sequences = scripts
    read = {name: terms(TABLES / loop_sequences.SEQUENCES[name].file) for name in QUICK}
    # With a direction there are at most twice as many classes.
    for directed, undirected in (("A390122", "A394067"), ("A394066", "A394065")):
        for n, number in read[undirected].items():
            assert number <= read[directed][n] <= 2 * number
    # The diagonals of the triangles.
    rows = list(read["A307026"].values())
    for n in range(1, 8):
        assert rows[n * (n + 1) // 2 - 1] == read["A288033"][n]
    lines = list(read["A339098"].values())
    for n in range(2, 7):
        line = 2 * n - 3
        numbers = lines[line * (line - 1) // 2 : line * (line + 1) // 2]
        assert numbers == numbers[::-1]
        assert numbers[n - 2] == read["A234622"][n]


def test_a_wrong_pass_is_noticed(scripts, tmp_path, monkeypatch) -> None:
    import folded_paths
    import graph_sequences

    _, loop_sequences = scripts
    cycles = graph_sequences.cycles
    monkeypatch.setattr(
        graph_sequences, "cycles", lambda *graph: cycles(*graph) + (len(graph[0]) == 9)
    )
    with pytest.raises(loop_sequences.Contradiction, match="3: cut gives 348, not 349"):
        loop_sequences.write("A234622", 3, tmp_path, None)
    monkeypatch.setattr(graph_sequences, "cycles", cycles)
    by_half_turns = folded_paths.by_half_turns
    monkeypatch.setattr(
        folded_paths,
        "by_half_turns",
        lambda rows, cols, by_ends=False: by_half_turns(rows, cols) + by_ends,
    )
    with pytest.raises(loop_sequences.Contradiction, match="paths up to shifts"):
        loop_sequences.write("A394065", 3, tmp_path, None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("until", [11, pytest.param(15, marks=pytest.mark.heavy)])
def test_triangular_cycles_by_ranks(scripts, monkeypatch, tmp_path, until: int) -> None:
    import graph_sequences

    monkeypatch.setattr(graph_sequences, "CUT_SIDE", 1)
    for side in range(2, until + 1):
        numbers, passed = graph_sequences.triangle_cycles(side, None)
        assert numbers == [reference.PUBLISHED["A266513"][side - 1]]
        assert passed == "turned rows"
    store = tmp_path / "run.sqlite"
    for _ in range(2):
        # The second time from the store.
        assert graph_sequences.triangle_cycles(9, store)[0] == [4406952731948]
