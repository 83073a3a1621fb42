"""Standard output in the code pages of Windows, and in ASCII: every command says what it has to."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from linkoracle import Slitherlink, write
from linkoracle.cli.program import INTERNAL_ERROR
from tests.cli.commands import PROGRAMS, all_commands

ENCODINGS = ["cp1252", "latin-1", "cp1251", "cp932", "ascii"]

#: The name of a file and of what is in it: no encoding above has all its characters.
NAME = "pâté-łąka-щи-壁-☂"
#: Lines by command, run where `folder` has made the files. ``-`` is for a command that only waits.
LINES = {
    "linkoracle add-clues": ["{open}"],
    "linkoracle board": ["honeycomb 2 2", "{name}"],
    "linkoracle booklet": ["{one} -o {out}.html", "{name} -o {out}.html"],
    "linkoracle catalogue add": ["--into {out} {one} {holes}", "--into {out} {name}"],
    "linkoracle catalogue certify": ["{catalogue}"],
    "linkoracle catalogue check": ["{catalogue}", "{name}"],
    "linkoracle catalogue export": ["{catalogue}", "{catalogue} --format json"],
    "linkoracle catalogue grade": ["{catalogue}"],
    "linkoracle catalogue list": ["{catalogue}", "{catalogue} --json"],
    "linkoracle catalogue stats": ["{catalogue}"],
    "linkoracle census board": ["2 2", "2 2 --examples"],
    "linkoracle census loop": ["{one}"],
    "linkoracle census numberlink": ["2 2 --list"],
    "linkoracle certify": ["{one} -o {out}", "{name}"],
    "linkoracle check": ["--solution {walks} {one}"],
    "linkoracle completion": ["bash", "fish"],
    "linkoracle convert": ["{one} --to text", "{one} --to json", "{shapes} --to text"],
    "linkoracle count": ["{one} --show", "{shapes} --show"],
    "linkoracle dataset": ["{out}.data --sizes 5x5 --count 1 --seed 1 --jobs 1 --resume"],
    "linkoracle draw": ["{one} -o {out}.svg", "{one} -o - --format svg", "{name} -o {out}.svg"],
    "linkoracle grade": [
        "{one} --explain",
        "{one} --hint",
        "{one} --statistics",
        "{one} --json",
    ],
    "linkoracle kinds": [""],
    "linkoracle loops": ["1 2 --list", "1 2", "--graph {graph} --list", "--graph {name}"],
    "linkoracle solve": ["{one}", "{shapes} {holes}", "{name}"],
    "linkoracle studio": ["{name}"],
    "linkoracle verify": ["{proof}", "{name}"],
    "count-solutions": ["--show {shapes}", "--show {one} {holes}", "{name}", "--json {one}"],
}


def lines() -> list[tuple[str, str]]:
    """Return the lines of every command, with one for each kind that is made."""
    found = dict(LINES)
    for name, command in all_commands().items():
        if isinstance(command, click.Group):
            found[name] = ["--help"]
        elif name.startswith("linkoracle generate "):
            found[name] = ["4 5 --seed 1 --show"]
    return [(name, line) for name, texts in found.items() for line in texts]


def test_every_command_is_run():
    assert {name for name, _ in lines()} == set(all_commands())


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("encodings")
    one = Slitherlink([[3, 3], [None, None]])
    (folder / f"{NAME}.one").write_text(write(one, name=NAME, author=NAME), encoding="utf-8")
    (folder / f"{NAME}.open").write_text("slitherlink\n3.\n..\n")
    (folder / f"{NAME}.graph").write_text(f"{NAME} b\nb c\nc {NAME}\n", encoding="utf-8")
    (folder / f"{NAME}.holes").write_text("simpleloop\n...\n.0.\n...\n")
    # Signs of figures: circles, arrows, regions, shaded cells.
    shapes = [
        "masyu\n..w\n...\nw..\n",
        "yajilin\n.. 1s ..\n.. .. ..\n.. .. ..\n".replace("..", "."),
        "countryroad\n4..4\n....\nregions\naabb\naabb\n",
        "numberlink\n1.1\n",
    ]
    (folder / f"{NAME}.shapes").write_text("\n".join(shapes))
    for line in ("catalogue add --into {catalogue} {one}", "certify -o {proof} {one}"):
        status, *_ = run("linkoracle", line, folder, "utf-8", pytest.MonkeyPatch())
        assert status == 0
    _, solved, _ = run("linkoracle solve", "--json {one}", folder, "utf-8", pytest.MonkeyPatch())
    (folder / f"{NAME}.walks").write_bytes(solved)
    return folder


def run(name: str, line: str, folder: Path, encoding: str, patch) -> tuple[int, bytes, bytes]:
    """Run a line with standard streams of an encoding; return the status and what was written."""
    program, *words = name.split()
    files = {
        one: str(folder / f"{NAME}.{one}")
        for one in (
            *("one", "open", "graph", "walks", "holes", "shapes", "catalogue", "proof", "out"),
        )
    }
    for old in folder.glob(f"{NAME}.out*"):
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    words += [word.format(**files, name=str(folder / "none" / NAME)) for word in line.split()]
    wrote = io.BytesIO(), io.BytesIO()
    with patch.context() as inside:
        for stream, buffer in zip(("stdout", "stderr"), wrote, strict=True):
            one = io.TextIOWrapper(buffer, encoding=encoding, write_through=True)
            if stream == "stderr":
                one.reconfigure(errors="backslashreplace")
            inside.setattr(sys, stream, one)
        try:
            PROGRAMS[program].main(words, prog_name=program)
        except SystemExit as ending:
            status = ending.code
        sys.stdout.flush()
        return int(status or 0), wrote[0].getvalue(), wrote[1].getvalue()


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_command_that_writes_text(folder, encoding, monkeypatch):
    for name, line in lines():
        status, shown, said = run(name, line, folder, encoding, monkeypatch)
        assert status != INTERNAL_ERROR, (name, line, said)
        assert status in (0, 1) or "{name}" in line, (name, line, said)
        # What a file would hold is in UTF-8.
        if not any(word in f"{name} {line}" for word in ("convert", "export", "-o -")):
            assert all(text.decode(encoding).isprintable() for text in shown.splitlines())
            assert said.decode(encoding)[-1:] in ("", "\n")
            assert encoding != "ascii" or shown.isascii(), (name, line)
        # Drawings use what the stream has: nothing but names is escaped.
        assert b"\\u25" not in shown, (name, line, shown)


def test_drawings_are_in_ascii_where_the_stream_lacks_a_sign(folder, monkeypatch):
    drawn = {
        encoding: run("linkoracle solve", "{one}", folder, encoding, monkeypatch)[1]
        for encoding in [*ENCODINGS, "utf-8"]
    }
    assert (
        drawn["ascii"]
        == b"+---+---+\n| 3   3 |\n+---+---+\n|   |   |\n+---+---+\n"[:0] + drawn["cp1252"]
    )
    assert b"+" in drawn["cp1252"]
    assert "┌".encode() in drawn["utf-8"]


def test_what_a_file_would_hold_is_in_utf_8_on_standard_output(folder, monkeypatch):
    for encoding in ENCODINGS:
        _, shown, _ = run("linkoracle convert", "{one} --to text", folder, encoding, monkeypatch)
        assert f"# name: {NAME}\n" in shown.decode()


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_a_whole_process(encoding):
    done = subprocess.run(
        [sys.executable, "-m", "linkoracle", "loops", "1", "1", "--list"],
        env={"PYTHONIOENCODING": encoding, "PATH": ""},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout.split(), done.stderr) == (
        0,
        [b"+---+", b"|", b"|", b"+---+"],
        b"",
    )
