"""`linkoracle check` over folders and patterns, for people and for continuous integration."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from linkoracle.cli.main import main

UNIQUE, MANY, NONE, BAD = "33\n11\n", "3.\n..\n", "44\n", "4x\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """One puzzle of each sort, and what is no puzzle at all."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "below").mkdir()
    for name, rows in (("a", UNIQUE), ("b", MANY), ("below/c", BAD), ("d", NONE), (".e", BAD)):
        (tmp_path / f"{name}.txt").write_text(f"slitherlink\n{rows}")
    (tmp_path / "f.bin").write_bytes(b"\0\1")
    return tmp_path


def checked(*words: str) -> tuple[list[str], list[str], int]:
    done = CliRunner().invoke(main, ["check", *words])
    assert "Traceback" not in done.output
    return done.stdout.splitlines(), done.stderr.splitlines(), done.exit_code


def test_every_file_of_a_folder_gets_its_verdict(folder):
    verdicts, said, status = checked(".")
    assert [line.split(":")[0] for line in verdicts] == ["a.txt", "b.txt", "d.txt"]
    assert [line.split(":")[1] for line in said[:2]] == [" below/c.txt", " f.bin"]
    assert said[2] == "5 puzzles: 1 unique, 1 not unique, 1 without a solution, 2 unreadable"
    assert status == 2


@pytest.mark.parametrize(
    ("files", "status"),
    [
        (["a.txt"], 0),
        (["a.txt", "a.txt"], 0),
        (["*.txt"], 1),
        (["d.txt"], 1),
        (["**/*.txt"], 2),
        (["a.txt", "missing.txt"], 2),
        (["missing*.txt"], 2),
    ],
)
def test_the_exit_status_says_what_is_worst(folder, files, status):
    assert checked(*files)[2] == status


def test_answers_as_json_name_file_and_status(folder):
    lines, _, _ = checked("--json", ".")
    found = [(one["file"], one["status"]) for one in map(json.loads, lines)]
    statuses = ["unique", "many", "error", "none", "error"]
    names = ["a.txt", "b.txt", "below/c.txt", "d.txt", "f.bin"]
    assert found == [*zip(names, statuses, strict=True)]


def test_annotations_are_for_what_is_not_unique(folder):
    lines, _, _ = checked("--annotate", ".")
    found = [line for line in lines if line.startswith("::error")]
    assert [line.split("::")[1] for line in found] == [
        f"error file={name}" for name in ("b.txt", "below/c.txt", "d.txt", "f.bin")
    ]


def test_a_puzzle_that_takes_too_long_leaves_the_others(folder):
    (folder / "g.txt").write_text("slitherlink\n" + ("." * 40 + "\n") * 40)
    verdicts, said, status = checked("--timeout", "1e-6", "g.txt", "g.txt")
    assert (verdicts, status) == (["g.txt: timeout"] * 2, 3)
    assert said[-1] == "2 puzzles: 2 undecided in time"


def test_other_commands_take_folders_and_patterns(folder):
    for name in ("below/c.txt", "f.bin"):
        (folder / name).unlink()
    done = CliRunner().invoke(main, ["count", "."])
    assert done.stdout.split() == ["a.txt:", "1", "b.txt:", "4", "d.txt:", "0"]
    done = CliRunner().invoke(main, ["grade", "a*.txt"])
    assert done.exit_code == 0
