"""The verifier and the library read puzzles by one grammar: what both accept is one puzzle."""

from __future__ import annotations

import json
import random
from io import FileIO

import pytest

from linkoracle import FormatError, Puzzle, certificate, read, read_file, write
from linkoracle.certificates import verify_certificate as checker
from linkoracle.certificates.writing import record_of
from linkoracle.kinds import KINDS
from tests.certificates.forging import random_puzzle

#: What ends a line for some programs, turns the direction of writing, or is a digit for some.
CONTROLS = [
    *("\0", "\x08", "\x0b", "\x0c", "\r", "\x1b", "\x1c", "\x1d", "\x1e", "\x1f", "\x7f"),
    *("\x80", "\x85", "\x9f", "\u2028", "\u2029", "\u202e", "\u2066"),
]
DIGITS = ["\u0663", "\uff13", "\u00b3", "\u06f3", "\U0001d7db"]
TOKENS = [
    *CONTROLS,
    *DIGITS,
    *(
        " ",
        "\t",
        "\n",
        "\r\n",
        "\n\n",
        "\n# ",
        " #",
        "#",
        "# name: x\n",
        "\ufeff",
        "\xa0",
        "\u3000",
    ),
    *(".", "-", "*", "0", "3", "10", "_1", "+1", "a", "g", "z", "f", "/", "?", ":", ",", "\u212a"),
    *("slitherlink", " path", "\nends 0,0 1,1", "\ngiven 0,0-0,1", "\n2 2", "\n0 0\n", "numlin"),
    *('"', "{", "}", "[", "]", "null", '"name": "#",', '"cols": 1,', '"rows": 2,', '"id": 1,'),
    *(
        '"variant": null,',
        '"ends": [],',
        '"given": [],',
        "\\n",
        "\\u0663",
        "1e1",
        "true",
        "https://",
    ),
]


def text_of(rng: random.Random, puzzle: Puzzle) -> str:
    """A puzzle in any form, most of the time with some characters changed, added or taken away."""
    record = record_of(puzzle)
    form = rng.choice(["text", "text", "json", "strings", "string", "pzpr", "loopy", "rows-cols"])
    spaced = rng.choice(["", " ", "\t"])
    rows = [
        spaced.join(
            puzzle.symbols.get(cell, str(cell)) if cell is not None else "." for cell in row
        )
        for row in puzzle.grid
    ]
    if form == "strings":
        text = json.dumps(record | {"grid": rows}, indent=rng.choice([None, 1]))
    elif form == "string":
        text = json.dumps(record | {"grid": "\n".join(rows)})
    else:
        try:
            text = write(puzzle, form)
        except FormatError:
            text = write(puzzle)
        if form == "text" and spaced:
            text = text.removesuffix("\n".join([*write(puzzle).splitlines()[-puzzle.rows :], ""]))
            text += "\n".join([*rows, ""])
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
        start = rng.randint(0, len(text))
        end = start + rng.choice([0, 0, 1, 2])
        text = text[:start] + rng.choice([*TOKENS, text[start : end + 4]]) + text[end:]
    return rng.choice(["", "", "", "# a comment\n", "\n", "\ufeff"]) + text


def rebuilt(own: checker.Puzzle) -> Puzzle:
    """The library's puzzle with what the verifier has read."""
    grid = [own.cells[at : at + own.cols] for at in range(0, len(own.cells), own.cols)]
    points = {"ends": own.ends} if own.ends else {}
    return KINDS[own.kind].from_grid(grid, own.variant, **points)


def compare(seed: int, number: int, file: FileIO) -> tuple[int, int]:
    """How many of these texts both readers accept, and how many the library alone."""
    rng = random.Random(seed)
    boards = [random_puzzle(rng, rng.randint(1, 3), rng.randint(1, 3)) for _ in range(200)]
    both = alone = 0
    for _ in range(number):
        text = text_of(rng, rng.choice(boards))
        # To open a file anew for each text would take most of the time.
        file.seek(0)
        file.truncate()
        file.write(text.encode())
        path = str(file.name)
        try:
            puzzle = read_file(path)
        except FormatError:
            puzzle = None
        try:
            own = checker.read_puzzle(path)
        except (checker.Refused, ValueError):
            alone += puzzle is not None
            continue
        assert puzzle is not None, text
        assert puzzle.model == rebuilt(own).model, text
        # What the verifier prints is the puzzle. Rows of long numbers may pass for dimensions.
        assert any((cell or 0) > 9 for cell in own.cells) or read(f"{own}\n") == puzzle, text
        both += 1
    return both, alone


def test_thousands_of_texts(tmp_path):
    with FileIO(tmp_path / "puzzle", "w") as file:
        both, alone = compare(21, 3000, file)
    assert both > 400
    assert alone < both


@pytest.mark.heavy
def test_a_hundred_thousand_texts(tmp_path):
    with FileIO(tmp_path / "puzzle", "w") as file:
        both, _ = compare(22, 100_000, file)
    assert both > 15_000


#: All its clues make it unique; without the first row it has two solutions.
UNIQUE = "..31\n31..\n..21\n"


def refusals(text: str, folder, capsys) -> tuple[str, str]:
    """What the library and the verifier say of a text that neither may accept."""
    file = folder / "puzzle"
    file.write_bytes(text.encode())
    with pytest.raises(FormatError) as caught:
        read_file(file)
    # The certificate is not looked at.
    assert checker.main(["--puzzle", str(file), str(file)]) == 2
    return str(caught.value).removeprefix(f"{file}:"), capsys.readouterr().err


@pytest.mark.parametrize("control", CONTROLS, ids=ascii)
def test_rows_do_not_hide_in_comments(control, tmp_path, capsys):
    first, *rest = UNIQUE.splitlines(keepends=True)
    forged = f"slitherlink\n# by hand{control}{first}{''.join(rest)}"
    for text in (forged, forged.replace("\n", "\r\n")):
        library, verifier = refusals(text, tmp_path, capsys)
        assert library.startswith("2:10: expected text with lines that end at")
        assert "line 2, column 10: the character" in verifier
    # Before there were two puzzles: one with this certificate, and one with more solutions.
    assert len(certificate(read("slitherlink\n" + UNIQUE)).solutions) == 1
    assert len(certificate(read("slitherlink\n" + "".join(rest)), limit=99).solutions) > 1


@pytest.mark.parametrize("digit", DIGITS, ids=ascii)
def test_digits_of_other_scripts_are_no_numbers(digit, tmp_path, capsys):
    library, verifier = refusals(f"slitherlink\n..\n.{digit}\n", tmp_path, capsys)
    assert library.startswith("3:2: expected a number or '.'")
    assert "line 3, column 2: the character" in verifier
    for text in (
        f"https://puzz.link/p?slither/{digit}/1/g",
        f"https://puzz.link/p?a={digit}&slither/1/1/0",
    ):
        library, verifier = refusals(text, tmp_path, capsys)
        assert library.startswith("1:")
        assert f"line 1, column {text.index(digit) + 1}: the character" in verifier
    # In names and comments they are text.
    assert read(f"# name: {digit}\nslitherlink # {digit}\n{UNIQUE}").rows == 3


def test_number_signs_in_json_are_text(tmp_path, capsys):
    text = '{"kind": "slitherlink", "name": "# 1", "grid": "3#\\n.2"}'
    library, verifier = refusals(text, tmp_path, capsys)
    assert library.startswith("1:50: expected a number or '.', found '#'")
    assert "row 1 of the grid, cell 2: '#' is not a cell" in verifier
    (tmp_path / "puzzle").write_text("# comment\n" + text.replace("3#", "3.") + "\n # end\n")
    assert read(tmp_path / "puzzle").grid == ((3, None), (None, 2))
    assert checker.read_puzzle(str(tmp_path / "puzzle")).cells == [3, None, None, 2]


@pytest.mark.parametrize(
    "text",
    [
        # The library reads dimensions here, which could be taken for a row.
        "slitherlink\n2 2\n..\n..\n",
        "numberlink\n2 1\n12\n12\n",
        '{"kind": "numberlink", "cols": 1, "grid": "12\\n12"}',
        # It reads one puzzle, or several.
        "slitherlink\n3.\n\nslitherlink\n.2\n",
        "https://puzz.link/p?slither/1/1/4\nhttps://puzz.link/p?slither/1/1/3\n",
    ],
    ids=repr,
)
def test_what_the_verifier_would_read_otherwise_it_refuses(text, tmp_path, capsys):
    (tmp_path / "puzzle").write_text(text)
    assert checker.main(["--puzzle", str(tmp_path / "puzzle"), "none"]) == 2
    assert "not a puzzle" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        *("https://puzz.link/p?slither/2/2/f", "https://puzz.link/p?slither/3/3/g0"),
        *("https://puzz.link/p?numlin/2/2/1.1.", "https://puzz.link/p?simpleloop/5/1/w"),
        *("https://puzz.link/p?slither/2/2/zz", "x http://?slither/1/1/4", "slitherlink\n1_0.\n"),
        *("slitherlink\n+3 .\n", "slitherlink\n*.\n", "slitherlink loop more\n..\n"),
        *("numberlink\n1..\n", '{"kind": "slitherlink", "variant": "", "grid": [[3]]}'),
        *('{"kind": "slitherlink", "given": 0, "grid": [[3]]}', "slitherlink\n3.\n\n.2\n"),
        *('{"kind": "slitherlink", "rows": true, "grid": [[3]]}', "slitherlink\n3\xa0.\n.2\n"),
    ],
    ids=repr,
)
def test_what_neither_takes(text, tmp_path, capsys):
    refusals(text, tmp_path, capsys)


def test_the_board_is_printed_as_it_is_read(tmp_path, capsys):
    puzzle = read("slitherlink path\nends 0,0 2,2\n3.\n.2\n")
    certificate(puzzle, limit=99).save(tmp_path / "made")
    (tmp_path / "puzzle").write_text("# 33\n" + write(puzzle))
    assert checker.main(["--puzzle", str(tmp_path / "puzzle"), str(tmp_path / "made")]) == 0
    board = "slitherlink path\nends 0,0 2,2\n3.\n.2"
    message = (
        f"{tmp_path / 'puzzle'}: read as this puzzle:\n\n{board}\n\n{tmp_path / 'made'}: verified:"
    )
    assert capsys.readouterr().out.startswith(message)
