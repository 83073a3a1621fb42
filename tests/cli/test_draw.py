from __future__ import annotations

import html
import os
import subprocess
import sys
from pathlib import Path

import pypdf
import pytest
from click.testing import CliRunner, Result

import linkoracle
from linkoracle.cli.main import main
from linkoracle.render import picture, svg

ROOT = Path(__file__).resolve().parents[2]
THREE = "slitherlink\n3..\n.23\n"
TWO = "slitherlink\n3..\n.23\n\nnumberlink\n1.1\n...\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("three.txt").write_text(THREE)
    Path("two.txt").write_text(TWO)
    Path("one.txt").write_text("slitherlink\n33\n..\n")
    Path("none.txt").write_text("numberlink\n1.2\n2.1\n")
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def refused(*arguments: str) -> str:
    """The one line that a command with nothing to write ends with."""
    before = set(Path().iterdir())
    result = run(*arguments)
    assert result.exit_code in (1, 2, 5)
    assert result.stdout == ""
    assert set(Path().iterdir()) == before
    lines = [line for line in result.stderr.splitlines() if line.lower().startswith("error: ")]
    assert len(lines) == 1
    return f"{result.exit_code} {lines[0][7:]}"


def test_the_suffix_chooses_the_format(folder):
    for name, start in (("a.svg", b"<svg"), ("a.png", b"\x89PNG"), ("a.PDF", b"%PDF")):
        result = run("draw", "three.txt", "-o", name, "--solution")
        assert (result.exit_code, result.output) == (0, "")
        assert Path(name).read_bytes().startswith(start)
    puzzle = linkoracle.read(THREE)
    drawn = picture(puzzle, linkoracle.solve(puzzle), note="One of several solutions")
    assert Path("a.svg").read_text() == svg(drawn)
    shown = run("draw", "three.txt", "-o", "-", "--format", "svg", "--title", "<T>", "--cell", "9")
    assert shown.stdout == svg(picture(puzzle, title="<T>"), cell=9)
    assert run("draw", "three.txt", "-o", "-", "--format", "pdf").stdout_bytes[:4] == b"%PDF"


def test_one_puzzle_of_several(folder):
    assert refused("draw", "two.txt", "-o", "a.svg") == (
        "2 two.txt: expected one puzzle, found 2: choose with --number, or draw a PDF"
    )
    assert "there is no puzzle 3, as the file has 2 puzzles" in refused(
        "draw", "two.txt", "-o", "a.pdf", "--number", "3"
    )
    assert run("draw", "two.txt", "-o", "a.svg", "--number", "2").exit_code == 0
    assert "Numberlink, 2 x 3 cells" in Path("a.svg").read_text()
    assert run("draw", "two.txt", "-o", "a.pdf").exit_code == 0
    assert len(pypdf.PdfReader("a.pdf").pages) == 2


def test_what_cannot_be_drawn(folder):
    assert refused("draw", "none.txt", "-o", "a.svg", "--solution") == "1 none.txt: no solution"
    assert refused("draw", "none.txt", "-o", "a.svg", "--overlay", "2") == "1 none.txt: no solution"
    assert refused("draw", "none.txt", "-o", "a.svg", "--shares") == "1 none.txt: no solution"
    assert "found no" not in refused("draw", "none.txt", "-o", "a.gif")
    assert "a.gif: end the name in .svg, .png or .pdf" in refused(
        "draw", "three.txt", "-o", "a.gif"
    )
    expected = "expected --format with 'svg', 'png' or 'pdf' for standard output"
    assert expected in refused("draw", "three.txt", "-o", "-")
    assert "cannot write" in refused("draw", "three.txt", "-o", "no/where.svg")
    assert "no such file" in refused("draw", "missing.txt", "-o", "a.svg")
    assert "not both" in refused("draw", "three.txt", "-o", "a.svg", "--shares", "--overlay", "2")
    assert "one solution" in refused("draw", "three.txt", "-o", "a.svg", "--shares", "--regions")
    assert "--partial-solution is for" in refused(
        "draw", "three.txt", "-o", "a.svg", "--partial-solution", "b.json"
    )
    assert "lacks '数'" in refused("draw", "three.txt", "-o", "a.pdf", "--title", "数")


@pytest.mark.parametrize(
    "command",
    [
        ("draw", "missing.txt", "-o", "a.png"),
        ("draw", "missing.txt", "-o", "a.pdf", "--shares"),
        ("booklet", "missing.txt", "-o", "a.pdf"),
    ],
)
def test_a_missing_extra_is_reported_first(folder, monkeypatch, command):
    monkeypatch.setattr("linkoracle.render.pictures.find_spec", lambda _: None)
    assert "pip install 'linkoracle[pictures]'" in refused(*command)
    assert run("draw", "three.txt", "-o", "a.svg").exit_code == 0


def test_hints_and_boards(folder):
    Path("board.json").write_text('{"lines": [[[0, 0], [0, 1]]], "crosses": []}')
    assert run("draw", "one.txt", "-o", "a.svg", "--hint", "--labels").exit_code == 0
    sentence = run("grade", "--hint", "one.txt").stdout.strip()
    first = html.unescape(Path("a.svg").read_text())
    assert f"a step: {sentence}</title>" in first
    assert 'class="face"' in first
    assert ">r1<" in first
    assert 'class="known"' not in first
    assert (
        run(
            "draw", "one.txt", "-o", "b.svg", "--hint", "--partial-solution", "board.json"
        ).exit_code
        == 0
    )
    assert 'class="known"' in Path("b.svg").read_text()
    Path("board.json").write_text('{"lines": 1}')
    assert "board.json: expected a JSON object" in refused(
        "draw", "one.txt", "-o", "c.svg", "--hint", "--partial-solution", "board.json"
    )
    assert "there is no solution, or" in refused("draw", "none.txt", "-o", "c.svg", "--hint")


def test_svg_needs_no_heavy_library():
    code = (
        "import sys\nfrom linkoracle.cli.main import main\n"
        "try:\n    main(['draw', 'instances/slitherlink-10x10.txt', '-o', '-', '--format', 'svg',"
        " '--regions'])\nexcept SystemExit as status:\n    assert not status.code\n"
        "print([m for m in ('reportlab', 'resvg_py', 'rich', 'dd') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        encoding="utf-8",
        check=True,
        cwd=ROOT,
        env=dict(os.environ),
    )
    assert done.stdout.startswith("<svg")
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "command",
    [
        ("solve", "three.txt"),
        ("count", "--show", "three.txt"),
        ("loops", "2", "2", "--list"),
        ("generate", "slitherlink", "4", "4", "--seed", "1", "--show"),
        ("generate", "numberlink", "4", "4", "--seed", "1", "--show"),
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_every_command_that_draws_text_can_do_so_in_ascii(folder, command):
    boxes, plain = run(*command).stdout, run(*command, "--ascii").stdout
    assert not boxes.isascii()
    assert plain.isascii()
    assert [len(line) for line in boxes.splitlines()] == [len(line) for line in plain.splitlines()]


def test_captions_say_when_there_are_more_solutions(folder):
    Path("several.txt").write_text("slitherlink\n...\n...\n")
    draw = ("draw", "several.txt", "-o", "a.svg")
    for what in ("--solution", "--regions"):
        assert run(*draw, what).output == ""
        assert ">One of several solutions</text>" in Path("a.svg").read_text()
    assert run(*draw, "--overlay", "3").output == ""
    text = Path("a.svg").read_text()
    assert ">3 of more than 3 solutions</text>" in text
    assert "all of them" not in text
    assert run("draw", "several.txt", "-o", "a.svg").output == ""
    assert "solutions" not in Path("a.svg").read_text()
    Path("unique.txt").write_text("slitherlink\n33\n..\n")
    assert run("draw", "unique.txt", "-o", "a.svg", "--solution").output == ""
    assert "solutions" not in Path("a.svg").read_text()
    board = "slitherlink\n3.\n.3\n"
    Path("few.txt").write_text(board)
    total = linkoracle.count(linkoracle.read(board))
    assert 2 <= total <= 4
    assert run("draw", "few.txt", "-o", "a.svg", "--overlay", str(total)).output == ""
    text = Path("a.svg").read_text()
    assert "of more than" not in text
    assert f"{total} solutions" in text


def test_time_limits_of_pictures(folder):
    for what in ("--solution", "--shares", "--regions"):
        result = run(
            "draw",
            str(ROOT / "instances/slitherlink-30x30.txt"),
            "-o",
            "a.svg",
            what,
            "--timeout",
            "1e-9",
        )
        assert result.exit_code == 3
        assert result.stderr.startswith("error: no answer within 1e-09 s")
