"""All commands take all kinds, those of others included."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from linkoracle import count, decide
from linkoracle.certificates import verify_certificate as checker
from linkoracle.cli.main import main
from linkoracle.formats import write
from linkoracle.generate import makers, puzzle
from linkoracle.kinds import KINDS
from tests.kinds.test_registry import TEXT, page_source

LOOPS = [name for name in makers() if KINDS[name].maker is None]


def run(*words, status=0):
    """What a command prints."""
    done = CliRunner().invoke(main, [*map(str, words)])
    assert done.exit_code == status, done.output
    return done.stdout if status == 0 else done.stderr


@pytest.mark.parametrize("kind", LOOPS)
def test_commands_take_each_kind(kind, tmp_path):
    made = puzzle(kind, 4, 5, seed=3)
    file = tmp_path / "made.txt"
    file.write_text(write(made.puzzle), encoding="utf-8")
    assert run("count", file) == "1\n"
    assert run("check", file).startswith("unique")
    assert run("solve", file).strip()
    graded = CliRunner().invoke(main, ["grade", "--json", str(file)])
    assert json.loads(graded.stdout)["unique"]
    # Some of these take a guess.
    assert graded.exit_code == (json.loads(graded.stdout)["status"] != "solved")
    assert graded.exit_code or "Solve path: " in run("grade", "--explain", file)
    run("draw", "--solution", file, "-o", tmp_path / "made.svg")
    assert KINDS[kind].title in (tmp_path / "made.svg").read_text(encoding="utf-8")
    message = run("certify", file, "-o", tmp_path / "made.cert")
    assert ("of its model" in message) == (kind not in checker.LOOPS)
    assert "exactly 1 solution" in run("verify", tmp_path / "made.cert")
    again = run("generate", kind, 4, 5, "--seed", 3)
    assert again == write(made.puzzle)
    assert json.loads(run("convert", "--to", "json", file))["kind"] == kind


def test_kinds_are_listed():
    listed = run("kinds").splitlines()
    assert [line.split()[0] for line in listed] == list(KINDS)
    assert (
        "masyu            Masyu              puzz.link: mashu             loop, fill, all" in listed
    )


def test_minimal_puzzles_keep_no_clue_that_can_go():
    some = run("generate", "masyu", 6, 6, "--seed", 2)
    fewer = run("generate", "masyu", 6, 6, "--seed", 2, "--minimal")
    clues = [text.count("w") + text.count("b") for text in (some, fewer)]
    assert clues[0] >= clues[1]
    assert "No such option '--minimal'" in run(
        "generate", "simpleloop", 6, 6, "--minimal", status=2
    )


def test_modules_with_kinds_are_loaded_here_and_in_other_processes(tmp_path):
    (tmp_path / "evenodd.py").write_text(page_source(), encoding="utf-8")
    (tmp_path / "toy.txt").write_text(f"{TEXT}\n{TEXT}", encoding="utf-8")

    def program(*words):
        code = "import sys; from linkoracle.cli.main import main; main(sys.argv[1:])"
        return subprocess.run(
            [sys.executable, "-c", code, *words],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
        )

    done = program("--load", "evenodd", "count", "--jobs", "2", "toy.txt")
    assert [line.split()[-1] for line in done.stdout.splitlines()] == ["1", "1"], done.stderr
    missing = program("--load", "nosuchmodule", "kinds")
    assert missing.returncode == 2
    assert "cannot load nosuchmodule" in missing.stderr


def test_no_solution_is_shown_that_breaks_the_rules(tmp_path, monkeypatch):
    """A kind that forgets rules in its model, and was never registered, is found out here."""
    monkeypatch.setattr(KINDS["masyu"], "constrain", lambda _self, _rules: None)
    file = tmp_path / "wrong.txt"
    file.write_text("masyu\nw...\n....\n...b\n....\n", encoding="utf-8")
    for words in (("solve",), ("count", "--show", "--limit", "1")):
        assert "breaks a rule of masyu: " in run(*words, file, status=70)


def test_clues_that_are_words_change_in_sessions():
    lines = (
        {"op": "open", "session": "a", "kind": "masyu", "grid": ["w..b", "....", ".b.w"]},
        {"op": "ask", "session": "a"},
        {"op": "ask", "session": "a", "clues": [[2, 1, None], [2, 3, None]]},
        {"op": "set", "session": "a", "clues": [[2, 1, None], [0, 1, "w"], [0, 0, None]]},
        {"op": "count", "session": "a"},
        {"op": "set", "session": "a", "clues": [[0, 0, "x"]]},
        {"op": "set", "session": "a", "clues": [[0, 0, 3]]},
    )
    text = "\n".join(map(json.dumps, lines)) + "\n"
    done = CliRunner().invoke(main, ["count", "--jsonl"], input=text)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    for answer, grid in ((found[1], "w..b .... .b.w"), (found[2], "w..b .... ....")):
        known = KINDS["masyu"](grid.split())
        assert answer["status"] == decide(known).status
    assert found[4]["count"] == count(KINDS["masyu"]([".w.b", "....", "...w"]))
    assert "a pearl 'w' (white), 'b' (black) or '?' (either), found 'x'" in found[5]["error"]
    assert "a clue as a string or null in 'clues', found 3" in found[6]["error"]
