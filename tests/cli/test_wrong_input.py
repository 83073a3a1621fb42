"""Wrong input of every sort, over all commands: one line that says what to do; nothing written."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkoracle.cli.main import main

ROOT = Path(__file__).resolve().parents[2]

#: Commands with what is said of them. The folder has `ok` (a puzzle), `empty`, `binary`, `prose`,
#: `wrong` (a puzzle with a clue 9), `two` (puzzles), `links` (a Numberlink), `ok.json` (half a
#: board), `lone` (no coordinates), `misspelt`, `lists` (wrong names), `broken.py` and `folder`.
BAD_INPUT = {
    "count empty": "empty: expected a puzzle, found none",
    "count binary": "binary:1:1: not a text file in UTF-8: found the byte 0xff",
    "count folder": "folder: cannot be read: Is a directory",
    "count none": "none: no such file",
    "count prose": "prose:1:1: expected a header 'slitherlink', 'numberlink' or one of",
    "count --kind chess ok": "or one of 30 others (see `linkoracle kinds`), found 'chess'",
    "count --jobs 9999 ok": "'--jobs': expected a whole number from 1 to 1024, found '9999'",
    "count --variant some ok": "expected the variant 'loop', 'path' or one of 9 others",
    "count ''": "expected a FILE, or - for standard input",
    "draw ok -o ''": "'-o' / '--output': expected the name of a file, found ''",
    "count --jsonl ok": "--jsonl reads standard input; it takes no FILE",
    "solve --limit 2 --all ok": "expected --limit or --all, not both",
    "solve wrong": "wrong:3:2: expected a clue from 0 to 4 or '?', found 9",
    "check --solution empty ok": "empty: expected at least one solution of ok, found none",
    "verify none": "none: cannot be read: No such file or directory",
    "verify --puzzle folder ok": "folder: not a puzzle: Is a directory",
    "grade --partial-solution prose ok": 'expected a JSON object with "lines" and "crosses"',
    "grade --partial-solution misspelt ok": "misspelt: expected a JSON object with ",
    "draw ok -o a.svg --cell x": "'--cell': expected a number from 4 to 400, found 'x'",
    "draw ok -o ok.gif": "ok.gif: end the name in .svg, .png or .pdf, or pass --format",
    "draw ok -o a.svg --number 7": "ok: there is no puzzle 7, as the file has 1 puzzle",
    "draw ok -o a.svg --overlay 2 --shares": "expected --overlay or --shares, not both",
    "certify binary -o a.certificate": "binary:1:1: not a text file in UTF-8",
    "convert ok": "Missing option '--to'. Choose from: json, link, penpa, ",
    "generate slitherlink 5 x": "'COLS': expected a whole number from 1 to 1000000, found 'x'",
    "generate slitherlink 5 5 --clue-density 0": "expected a number above 0 up to 1, found '0'",
    "generate slitherlink 5 5 --mask empty": "empty: expected rows of a mask, found none",
    "generate slitherlink 5 5 --score 900-100": "the lower first, found '900-100'",
    "generate slitherlink 5 5 --seed 1 --into ok": "ok: not a catalogue of linkoracle",
    "generate slitherlink --board klein 5 5": "expected a board out of square, triangular, ",
    "loops 5": "expected ROWS and COLS, --puzzle, --board or --graph",
    "loops --puzzle two": "two: expected one puzzle, found 2",
    "loops 3 3 --plan": "--plan is for blank boards from 8 to 30 cells across",
    "loops --graph ok": "ok:2:1: expected edges such as 'Station Mill', or a graph in graph6",
    "loops --graph empty": "empty: expected edges such as 'Station Mill', found none",
    "loops --graph binary": "binary:1:1: not a text file in UTF-8: found the byte 0xff",
    "loops --graph folder": "folder: cannot be read: Is a directory",
    "loops 6 6 --resume": "--resume needs --checkpoint FILE",
    "census board 3 3 --checkpoint ok --resume": "ok: not a run of linkoracle: ",
    "census board 6 6": "expected a board of 1 to 30 cells, got 6x6",
    "census loop --random 3 3 --clues 5-2": "or two such as 8-12, the lower first, found '5-2'",
    "census loop ok --random 3 3": "expected a FILE or --random ROWS COLS, found both",
    "census numberlink 3 3 --pair 1,1-1,1": "expected two different cells such as 2,3-4,5, ",
    "census loop empty": "empty: expected a puzzle, found none",
    "catalogue list ok --size 12-8x10": "the lower number first, found '12-8x10'",
    "catalogue list ok --statistics density=2-1": "expected a statistic with a number or a range, ",
    "catalogue list none": "none: no such file",
    "catalogue list empty": "empty: not a catalogue: it is empty",
    "booklet ok -o a.txt": "a.txt: end the name in .pdf or .html, or pass --format",
    "booklet ok -o a.pdf --foreword binary": "binary:1:1: not a text file in UTF-8",
    "booklet ok -o a.pdf --instructions prose": "expected a line such as '# slitherlink' above",
    "board ok.json": "ok.json:2:12: not valid JSON: expecting value",
    "board honeycomb 2 2 --draw a.gif": "a.gif: end the name in .svg, .png or .pdf",
    "board prose": "prose:1:1: expected a board out of square, triangular, ",
    "board klein 4": "expected a board out of square, triangular, ",
    "add-clues wrong": "wrong:3:2: expected a clue from 0 to 4 or '?', found 9",
    "certify two -o -": "expected one puzzle for standard output, found 2",
    "certify ok -o - --lrat -": "expected one output to standard output, found 2",
    "count lists": "lists:2:1: expected a number or '.', or a list 'ends', 'given', 'forbidden' or",
    "draw lone -o a.svg": "lone: a board without coordinates cannot be drawn (1 face)",
    "booklet lone -o a.pdf": "lone: a board without coordinates cannot be drawn (1 face)",
    "add-clues links": "added to Slitherlinks and loops through cells, not to the kind 'numberlink'",
    "completion csh": "'SHELL': 'csh' is not one of 'bash', 'zsh', 'fish'",
    "studio --catalogue ok": "ok: not a catalogue of linkoracle",
    "--load nothing kinds": "cannot load nothing: No module named 'nothing'",
    "--load broken kinds": "cannot load broken: ZeroDivisionError: division by zero",
}

#: Output that cannot be written.
SYSTEM_ERROR = {
    "generate slitherlink 5 5 --seed 1 --into no/a.sqlite": "there is no folder 'no'. Make it",
    "loops 6 6 --checkpoint no/run --resume": "there is no folder 'no'. Make it",
    "census numberlink 3 3 --checkpoint no/a": "no/a: cannot write: there is no folder 'no'.",
    "catalogue add ok --into no/a.sqlite": "no/a.sqlite: cannot write: there is no folder 'no'.",
    "generate slitherlink 4 4 -o no/a": "no/a: cannot write: there is no folder 'no'.",
    "generate slitherlink 4 4 --certificates no/a": "no/a: cannot write: there is no folder 'no'.",
    "add-clues wrong -o no/a": "no/a: cannot write: there is no folder 'no'. Make it first",
    "board honeycomb 2 2 --draw no/a.svg": "no/a.svg: cannot write: there is no folder 'no'.",
    "draw ok -o no/a.svg": "no/a.svg: cannot write: there is no folder 'no'. Make it first",
    "certify ok -o no/a.certificate": "cannot write: there is no folder 'no'. Make it first",
    "certify ok ok -o no/folder": "no/folder: cannot write: there is no folder 'no'. Make it first",
    "certify ok ok -o ok": "ok: expected a folder, found a file",
    "convert --to json ok -o folder": "folder: cannot write: Is a directory",
    "booklet ok -o no/a.pdf": "no/a.pdf: cannot write: there is no folder 'no'. Make it first",
    "generate slitherlink 4 4 --seed 1 -o no/a": "no/a: cannot write: there is no folder 'no'.",
    "generate slitherlink 4 4 --seed 1 --certificates ok": "ok: expected a folder, found a file",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    puzzle = (ROOT / "instances" / "slitherlink-4x4.txt").read_bytes()
    files = {
        "ok": puzzle,
        "empty": b"",
        "binary": b"\xff\x00",
        "prose": b"Dear\n",
        "wrong": b"slitherlink\n3.\n.9\n",
        "two": puzzle + b"\n" + puzzle,
        "links": b"numberlink\n11\n",
        "ok.json": b'{"polygons":\n [[[0, 0], ',
        "lone": b'{"kind": "slitherlink", "board": {"vertices": 3, "faces": [[0, 1, 2]]}}',
        "lists": b"slitherlink\ngivn 0,0-0,1\n3.\n",
        "misspelt": b'{"liens": []}',
        "broken.py": b"1 / 0\n",
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "folder").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("command", "said", "status"),
    [(*one, 2) for one in BAD_INPUT.items()] + [(*one, 5) for one in SYSTEM_ERROR.items()],
)
def test_wrong_input_is_one_line(folder, command, said, status, monkeypatch):
    # Python itself compiles the modules of --load.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    before = {path: path.is_file() and path.read_bytes() for path in folder.rglob("*")}
    done = CliRunner().invoke(main, shlex.split(command))
    assert (done.exit_code, done.stdout) == (status, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ")
    assert said in line
    assert {path: path.is_file() and path.read_bytes() for path in folder.rglob("*")} == before


def test_what_is_no_certificate_is_refused(folder):
    for name in ("ok", "empty", "binary"):
        done = CliRunner().invoke(main, ["verify", name])
        said = "refused: not a certificate (no XZ file), or a damaged one"
        assert (done.exit_code, done.output) == (1, f"{name}: {said}\n")


def test_a_folder_for_certificates_is_made(folder):
    (folder / "two").write_text("slitherlink\n3.\n\nslitherlink\n.2\n33\n", encoding="utf-8")
    assert CliRunner().invoke(main, ["certify", "ok", "two", "-o", "proofs"]).exit_code == 0
    assert len(list((folder / "proofs").iterdir())) == 3
