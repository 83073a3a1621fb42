"""Every command reads text in the same way: byte order marks, line ends, encodings, controls."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from linkoracle.cli.main import main

PUZZLE = "slitherlink\n3 .\n. 2\n"
#: What reads a text, as the file `f` or from standard input, and such a text.
READERS = {
    "count f": PUZZLE,
    "count -": PUZZLE,
    "count --jsonl": '{"kind": "slitherlink", "grid": [[4]]}\n',
    "solve f": PUZZLE,
    "grade f": PUZZLE,
    "convert --to json f": PUZZLE,
    "catalogue add f --into a.sqlite": "slitherlink\n4\n",
    "census loop f": "slitherlink\n4\n",
    "loops --puzzle f": PUZZLE,
    "loops --graph f": "a b\nb c\nc a\n",
    "loops --graph -": "a b\nb c\nc a\n",
    "generate slitherlink --mask f --seed 1": "#.#\n.#.\n#.#\n",
    "generate slitherlink --loop f --seed 1": "##.\n.#.\n",
    "generate slitherlink --board f --seed 1": "slitherlink\n3.\n..\n",
    "generate slitherlink --board f --seed 2": "triangular 2 2\n",
    "board f": "honeycomb 2 2\n",
    "board ./f": '{"polygons": [[[0, 0], [1, 0], [0, 1]]]}\n',
    "check --solution f p": '{"solutions": [[[[0, 0], [0, 1], [1, 1], [1, 0], [0, 0]]]]}\n',
    "grade --partial-solution f p": '{"lines": [],\n "crosses": []}\n',
    "booklet p -o x.html --instructions f": "# slitherlink\nDraw a loop.\n",
    "booklet p -o x.html --foreword f": "Hello\nthere\n",
}


def lines(text: str, end: str) -> bytes:
    return text.replace("\n", end).encode()


#: What changes nothing.
SAME = {
    "mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "crlf": lambda text: lines(text, "\r\n"),
    "both": lambda text: b"\xef\xbb\xbf" + lines(text, "\r\n"),
}
#: What no text may have, and the end of the error.
ENDS = r"expected text with lines that end at \n or \r\n, found "
WRONG = {
    "cr": (lambda text: lines(text[:-1], "\r") + b"\r \n", ENDS + r"'\r'"),
    "vt": (lambda text: lines(text[:-1], "\x0b") + b"\x0b\n", ENDS + r"'\x0b'"),
    "nel": (lambda text: lines(text[:-1], "\x85") + b"\xc2\x85\n", ENDS + r"'\x85'"),
    "ls": (lambda text: lines(text[:-1], "\u2028") + b"\xe2\x80\xa8\n", ENDS + r"'\u2028'"),
    "nul": (lambda text: b"\0" + text.encode(), ENDS + r"'\x00'"),
    "latin-1": (
        lambda text: text[:-1].encode() + b"\xe9\n",
        "not a text file in UTF-8: found the byte 0xe9",
    ),
    "utf-16": (
        lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
        "not a text file in UTF-8, but in UTF-16. Save it as UTF-8",
    ),
}


def answer(command: str, data: bytes) -> tuple[int, str, str]:
    for made in ("a.sqlite", "x.html"):
        Path(made).unlink(missing_ok=True)
    Path("f").write_bytes(data)
    done = CliRunner().invoke(main, shlex.split(command), input=data)
    made = Path("x.html").read_text(encoding="utf-8") if Path("x.html").exists() else ""
    printed = [line for line in done.stdout.split("\n") if not line.startswith(("{", "f:"))]
    return done.exit_code, "\n".join(printed) + made, done.stderr


@pytest.mark.parametrize("command", READERS)
def test_every_text_is_read_the_same_way(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("p").write_text("slitherlink\n4\n")
    text = READERS[command]
    plain = answer(command, text.encode())
    assert plain[0] in (0, 1), plain
    for name, write in SAME.items():
        assert answer(command, write(text)) == plain, name
    if command == "count --jsonl":
        # Errors are answers there, and each line is a text.
        return
    source = next((word for word in command.split() if word in ("f", "./f")), "<stdin>")
    for name, (write, error) in WRONG.items():
        status, printed, said = answer(command, write(text))
        assert (status, printed) == (2, ""), name
        assert said.startswith(f"error: {source}:"), (name, said)
        assert said.endswith(f": {error}\n"), (name, said)


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (
            b'{"kind": "slitherlink", "grid": [["\xe9"]]}\n',
            "<stdin>:1:36: not a text file in UTF-8",
        ),
        (b'\n{"kind": "slitherlink", "grid": [[4]]\x0b}\n', "<stdin>:2:"),
        (b'{"kind": "slitherlink"}\r\r\n', "<stdin>:1"),
    ],
)
def test_lines_of_json_have_the_same_errors(data, error):
    done = CliRunner().invoke(main, ["count", "--jsonl"], input=data)
    assert done.exit_code == 2
    assert f'"error": "{error}' in done.stdout
