"""All commands take all kinds, those of others included."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from linkoracle.formats import write
from linkoracle.generate import makers, puzzle
from linkoracle.kinds import KINDS
from tests.cli.commands import run_ok as run
from tests.kinds.test_registry import TEXT, page_source

LOOPS = [name for name in makers() if KINDS[name].maker is None]


@pytest.mark.parametrize("kind", LOOPS)
def test_commands_take_each_kind(kind, tmp_path):
    made = puzzle(kind, 4, 5, seed=3)
    file = tmp_path / "made.txt"
    file.write_text(write(made.puzzle), encoding="utf-8")
    assert run("count", file) == "1\n"
    assert run("check", file).startswith("unique")
    assert run("solve", file).strip()
    graded = json.loads(run("grade", "--json", file))
    assert graded["status"] == "solved"
    assert "line between" in run("grade", "--explain", file)
    run("draw", "--solve", file, "-o", tmp_path / "made.svg")
    assert KINDS[kind].title in (tmp_path / "made.svg").read_text(encoding="utf-8")
    assert "of its model" in run("certify", file, "-o", tmp_path / "made.cert")
    assert "exactly 1 solution" in run("verify", tmp_path / "made.cert")
    again = run("generate", kind, 4, 5, "--seed", 3)
    assert again == write(made.puzzle)
    assert json.loads(run("convert", "--to", "json", file))["kind"] == kind


def test_kinds_are_listed():
    listed = run("kinds").splitlines()
    assert [line.split()[0] for line in listed] == list(KINDS)
    assert "masyu            Masyu              puzz.link: mashu" in listed


def test_minimal_puzzles_keep_no_clue_that_can_go():
    some = run("generate", "masyu", 6, 6, "--seed", 2)
    fewer = run("generate", "masyu", 6, 6, "--seed", 2, "--minimal")
    clues = [text.count("w") + text.count("b") for text in (some, fewer)]
    assert clues[0] >= clues[1]
    assert "minimal anyway" in run_wrong("generate", "simpleloop", 6, 6, "--minimal")


def run_wrong(*words):
    done = program(*words)
    assert done.returncode == 2
    return done.stderr


def program(*words, **how):
    command = [sys.executable, "-m", "linkoracle.cli.main", *map(str, words)]
    code = "import sys; from linkoracle.cli.main import main; main(sys.argv[1:])"
    return subprocess.run([*command[:1], "-c", code, *command[3:]], capture_output=True, text=True, **how)


def test_modules_with_kinds_are_loaded_here_and_in_other_processes(tmp_path):
    (tmp_path / "evenodd.py").write_text(page_source(), encoding="utf-8")
    (tmp_path / "toy.txt").write_text(TEXT + "\n" + TEXT, encoding="utf-8")
    how = {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}}
    done = program("--load", "evenodd", "count", "--jobs", "2", "toy.txt", **how)
    assert (done.stdout.split(), done.stderr) == (["toy.txt:2:", "1", "toy.txt:7:", "1"], "") or (
        done.stdout.count("1") >= 2 and not done.returncode
    )
    missing = program("--load", "nosuchmodule", "kinds", **how)
    assert missing.returncode == 2
    assert "cannot load nosuchmodule" in missing.stderr
