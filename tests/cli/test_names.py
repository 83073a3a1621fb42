"""Names of files, puzzles and nodes in output: nothing in them acts on the terminal."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkoracle import certificate, read
from linkoracle.catalogue import Catalogue
from linkoracle.certificates import verify_certificate
from linkoracle.cli.main import main
from linkoracle.solving import solutions
from tests.cli.commands import all_commands

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
SMALL, SEVERAL = INSTANCES / "slitherlink-4x4.txt", INSTANCES / "slitherlink-10x10-several.txt"

#: Erases its line, begins another one, and turns the direction of writing; and is not UTF-8.
HOSTILE = "\x1b[2K\rgood: verified: all\nok\x07\x85\u202e\u2066\udcff"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="files have such names there")


@pytest.fixture
def names(tmp_path, monkeypatch):
    """Files with such names, by what they hold."""
    monkeypatch.chdir(tmp_path)
    found = {what: what + HOSTILE for what in ("puzzle", "several", "proof", "kept", "graph")}
    Path(found["puzzle"]).write_text(SMALL.read_text())
    Path(found["several"]).write_text("\n".join([SMALL.read_text()] * 2))
    puzzle = read(SMALL)
    certificate(puzzle).save(found["proof"])
    with Catalogue(found["kept"]) as kept:
        kept.add(puzzle, next(solutions(puzzle)), name="of" + HOSTILE[:-1], source={"command": "x"})
    Path(found["graph"]).write_text("a\x07 b\x1b[2K\nb\x1b[2K c\u202e\nc\u202e a\x07\n")
    return found | {"none": "none" + HOSTILE, "new": "new" + HOSTILE}


def check_output(done) -> None:
    shown = done.output + done.stderr
    lines = shown.split("\n")
    assert all(line.isprintable() for line in lines), shown
    assert not any(line.startswith(("ok", "good: ")) for line in lines), shown
    assert done.exit_code in range(6), shown


COMMANDS = [
    *(
        "count {puzzle}",
        "count {puzzle} {several}",
        "count {puzzle} {none}",
        "count --json {puzzle}",
    ),
    *("count --unique {several}", "count --timeout 1 {several}", "solve {puzzle} {several}"),
    *("solve --limit 1 {puzzle}", "check {several}", "check --solution {none} {puzzle}"),
    *(
        "check --solution {puzzle} {puzzle}",
        "certify {puzzle} -o {new}",
        "certify {several} -o {new}",
    ),
    *("certify {puzzle} -o {puzzle}/x", "verify {proof} {puzzle} {none}", "verify {none}"),
    *("verify --puzzle {puzzle} {proof}", "verify --puzzle {none} {proof}"),
    *("verify --puzzle {proof} {proof}", "grade {puzzle} {several}", "grade --json {puzzle}"),
    *(
        "draw {puzzle}",
        "draw {puzzle} -o {new}",
        "draw {puzzle} -o {new}.svg",
        "convert --to json {none}",
    ),
    *("convert --to pzpr {several}", "convert --to text {several} -o {puzzle}/x"),
    *("add-clues {several}", "booklet {several} -o {new}.svg", "booklet {none} -o a.svg"),
    *("catalogue add {several} --into {kept}", "catalogue add {none} --into {kept}"),
    *("catalogue add {puzzle} --into {puzzle}", "catalogue list {kept}", "catalogue list {puzzle}"),
    *("catalogue list --json {kept}", "catalogue stats {kept}", "catalogue check {kept}"),
    *("catalogue export {kept}", "catalogue export {kept} --size 9x9", "catalogue grade {kept}"),
    *("catalogue certify {kept}", "catalogue export {kept} --format pzpr -o {new}"),
    *("generate slitherlink 4 4 --seed 1 --into {kept}", "generate slitherlink 4 4 --mask {none}"),
    *(
        "generate slitherlink 4 4 --seed 1 -o {puzzle}/x",
        "generate slitherlink 4 4 --into {puzzle}",
    ),
    *("loops --puzzle {several}", "loops --graph {graph} --list", "loops --graph {none}"),
    *("loops --graph {puzzle}", "loops 3 3 --checkpoint {puzzle} --resume", "boards {none}"),
    *("loops --graph {graph} --between a{new} b", "census loop {several}", "census loop {none}"),
    *("census board 2 2 --checkpoint {puzzle} --resume", "studio {none}", "jsonl {none}", "{none}"),
    "--load {none} kinds",
]


@pytest.mark.parametrize("line", COMMANDS)
def test_names_are_escaped(names, line):
    words = [word.format(**names) for word in line.split()]
    check_output(CliRunner().invoke(main, words))


def test_every_command_escapes_its_arguments(names):
    """Also those that are no names of files."""
    for name, command in all_commands().items():
        if not hasattr(command, "commands") and name.startswith("linkoracle "):
            check_output(CliRunner().invoke(main, [*name.split()[1:], names["none"]]))


@pytest.mark.parametrize("column", ["kind", "variant", "rows", "name", "seed", "number", "grade"])
def test_a_catalogue_that_somebody_else_wrote(names, column):
    with sqlite3.connect(names["kept"]) as file:
        file.execute(f"UPDATE puzzle SET {column} = ?", ["of" + HOSTILE[:-1]])
    for command in ("list", "stats", "check"):
        check_output(CliRunner().invoke(main, ["catalogue", command, names["kept"]]))


def test_the_lone_verifier(names):
    words = ["--puzzle", names["puzzle"], names["proof"], names["none"], names["puzzle"], "."]
    done = subprocess.run(
        [sys.executable, verify_certificate.__file__, *words],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:surrogateescape"},
    )
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 2)
    for line in (done.stdout + done.stderr).split("\n"):
        assert line.isprintable()
        assert not line.startswith(("ok", "good: "))
    assert done.stdout.count(": exactly 1 solution\n") == 1
    assert done.stdout.count(": refused: not a certificate") == 1
