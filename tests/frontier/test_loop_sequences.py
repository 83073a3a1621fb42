"""`scripts/loop_sequences.py` and its modules: loops one by one, published terms."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from linkoracle.board import Lattice, LinkModel
from linkoracle.core import LinkOracleError
from linkoracle.frontier import Diagram
from tests.frontier import reference

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
TABLES = ROOT / "docs" / "tables"
#: Files of the sequences that this program writes.
FILES = [
    "b003763.txt",
    "b007764.txt",
    "b140517.txt",
    "b302337.txt",
    "loops_half_turn.txt",
    "loops_up_to_symmetry.txt",
]


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch):
    """The modules, as the programs import them."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import folded_loops
    import loop_sequences

    return folded_loops, loop_sequences


def terms(path: Path) -> dict[int, int]:
    """What a b-file says; its form is checked."""
    text = path.read_text(encoding="ascii")
    assert text.endswith("\n")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"\d+ (0|[1-9]\d*)", line) for line in lines)
    found = [tuple(map(int, line.split())) for line in lines]
    assert all(later[0] == earlier[0] + 1 for earlier, later in pairwise(found))
    return dict(found)


SYMMETRIES = {
    "in_a_straight_mirror": lambda last, row, col: (row, last - col),
    "in_a_diagonal_mirror": lambda _, row, col: (col, row),
    "by_half_turns": lambda last, row, col: (last - row, last - col),
    "by_quarter_turns": lambda last, row, col: (col, last - row),
}


def images(lattice: Lattice, name: str) -> list[int]:
    """For each edge the one that a symmetry turns it into."""
    side = lattice.rows
    turn = SYMMETRIES[name]
    pairs = [
        tuple(turn(side - 1, *divmod(vertex, side)) for vertex in ends)
        for ends in lattice.edge_vertices.tolist()
    ]
    return [lattice.edge(*pair) for pair in pairs]


@pytest.mark.parametrize("side", [2, 3, 4, 5, pytest.param(6, marks=pytest.mark.heavy)])
def test_loops_that_are_left_as_they_are(scripts, side: int) -> None:
    folded_loops, loop_sequences = scripts
    lattice = Lattice(side, side)
    every = Diagram.build(LinkModel.blank_loop(lattice))
    fixed = dict.fromkeys(SYMMETRIES, 0)
    for block in every.masks(1 << 14):
        loops = np.asarray(block)
        for name in SYMMETRIES:
            same = loops[:, images(lattice, name)] == loops
            fixed[name] += int(same.all(axis=1).sum())
    for name, number in fixed.items():
        sides = (side, side) if name in ("in_a_straight_mirror", "by_half_turns") else (side,)
        assert getattr(folded_loops, name)(*sides) == number, name
        if "mirror" in name:
            assert getattr(folded_loops, name)(*sides, turned=True) == number, name
    for other in ({"ranked": False}, {"other_primes": side > 2}):
        assert folded_loops.by_half_turns(side, side, **other) == fixed["by_half_turns"]
    if side < 6:
        assert folded_loops.loops_up_to_symmetry(side) == loop_sequences.classes(every)


@pytest.mark.parametrize("side", range(7, 10))
def test_both_passes_for_half_turns_agree(scripts, side: int) -> None:
    folded_loops, _ = scripts
    number = folded_loops.by_half_turns(side, side)
    assert number == folded_loops.by_half_turns(side, side, ranked=False)
    # What all quarters of the board repeat, both halves repeat.
    assert folded_loops.by_quarter_turns(side) < number


def test_b_files(scripts, tmp_path, monkeypatch, capsys) -> None:
    _, loop_sequences = scripts
    for name, until, file in (
        ("A140517", 9, "b140517.txt"),
        ("A007764", 9, "b007764.txt"),
        ("A003763", 4, "b003763.txt"),
        ("A302337", 5, "b302337.txt"),
        ("half_turn", 6, "loops_half_turn.txt"),
        ("up_to_symmetry", 5, "loops_up_to_symmetry.txt"),
    ):
        options = ["--until", str(until), "--output", str(tmp_path), "--runs", str(tmp_path)]
        monkeypatch.setattr(sys, "argv", ["loop_sequences.py", name, *options])
        loop_sequences.main()
        assert len(capsys.readouterr().out.splitlines()) == until - (name == "A302337")
        found = terms(tmp_path / file)
        # What is published here is longer.
        published = terms(TABLES / file)
        assert {n: published[n] for n in found} == found
        for line in (tmp_path / file).read_text().splitlines()[1:until]:
            assert re.fullmatch(r"# n = \d+: [A-Za-z ,]+", line)


@pytest.mark.parametrize("name", ["A140517", "A302337"])
def test_terms_are_appended(scripts, tmp_path, name: str) -> None:
    _, loop_sequences = scripts
    file = tmp_path / loop_sequences.SEQUENCES[name].file
    loop_sequences.write(name, 6, tmp_path, None)
    whole = file.read_text()
    loop_sequences.write(name, 4, tmp_path, None, append=False)
    short = file.read_text()
    for until, text in ((3, short), (4, short), (6, whole), (6, whole)):
        loop_sequences.write(name, until, tmp_path, None, append=True)
        assert file.read_text() == text
    # What is there is not counted again.
    lines = short.splitlines()
    file.write_text("\n".join([*lines[:-1], lines[-1].split()[0] + " 7"]) + "\n")
    loop_sequences.write(name, 4, tmp_path, None, append=True)
    assert file.read_text().endswith(" 7\n")
    for number, line, reason in (
        (1, "# A1: Loops", f"expected '# {name}:'"),
        (2, "# n = 7: listed", "expected '# n = "),
        (-1, "5 7.5", " and a number"),
        (-1, "", " and a number"),
    ):
        bad = list(lines)
        index = number - 1 if number > 0 else len(lines) - 1
        bad[index] = line
        file.write_text("\n".join(bad) + "\n")
        place = re.escape(f"{file}:{index + 1}: ")
        with pytest.raises(LinkOracleError, match=f"{place}.*{re.escape(reason)}"):
            loop_sequences.write(name, 6, tmp_path, None, append=True)
        assert file.read_text() == "\n".join(bad) + "\n"
    file.write_text(short + "9 9\n")
    with pytest.raises(LinkOracleError, match="expected no more lines"):
        loop_sequences.write(name, 6, tmp_path, None, append=True)


def test_a_wrong_number_by_length_is_noticed(scripts, monkeypatch) -> None:
    _, loop_sequences = scripts
    kept_lengths = loop_sequences.kept_lengths

    def wrong(board, store):
        found = kept_lengths(board, store)
        return {**found, 14: found[14] + 1, 16: found[16] - 1}

    monkeypatch.setattr(loop_sequences, "kept_lengths", wrong)
    with pytest.raises(loop_sequences.Contradiction, match="lengths 5: primes gives"):
        loop_sequences.lengths(5, None)


def test_published_terms() -> None:
    loops = terms(TABLES / "b140517.txt")
    assert {(n, n): number for n, number in loops.items() if n < 13} == {
        sides: number for sides, number in reference.LOOPS.items() if sides[0] == sides[1]
    }
    paths = terms(TABLES / "b007764.txt")
    published = reference.CORNER_PATHS | reference.LONG_CORNER_PATHS
    assert {n: paths[n] for n in published if n in paths} == {n: published[n] for n in range(2, 18)}
    full = terms(TABLES / "b003763.txt")
    assert {2 * n: number for n, number in full.items() if n < 10} == {
        side: reference.HAMILTONIAN_CYCLES[side] for side in range(2, 19, 2)
    }
    assert full[10] == 1020460427390768793543026965678152831571073052662428097106
    flat = list(terms(TABLES / "b302337.txt").values())
    rows = {}
    for side in range(2, len(loops) + 2):
        row, flat = flat[: side * side // 2 - 1], flat[side * side // 2 - 1 :]
        if not row:
            break
        rows[side] = row
        assert sum(row) == loops[side - 1]
        if side % 2 == 0:
            assert row[-1] == full[side // 2]
    assert not flat
    assert {side: rows[side] for side in reference.CYCLES_BY_LENGTH} == reference.CYCLES_BY_LENGTH
    # The census of 5 x 5 cells found as many classes, docs/reference/sequences.md.
    assert terms(TABLES / "loops_up_to_symmetry.txt")[5] == 154_027


def test_a_contradiction_ends_the_program(scripts, tmp_path, monkeypatch) -> None:
    _, loop_sequences = scripts
    monkeypatch.setattr(loop_sequences, "modulo_others", lambda *_: 7)
    with pytest.raises(loop_sequences.Contradiction, match="loops 2: primes gives 7, not 13"):
        loop_sequences.write("A140517", 3, tmp_path, None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("A302337", "--until", "1", "--output", "."), "expected --until to be at least 2"),
        (("A302337", "--until", "3", "--output", "nowhere"), "nowhere is none"),
        (("A003763", "--until", "3", "--output", "bad", "--append"), "b003763.txt:1: expected '# "),
        (("A1", "--until", "3", "--output", "."), "invalid choice"),
    ],
)
def test_bad_calls(arguments, reason, tmp_path) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "b003763.txt").write_text("1 1\n")
    command = [sys.executable, str(SCRIPTS / "loop_sequences.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert reason in done.stderr
