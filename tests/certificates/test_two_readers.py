"""The verifier and the library read puzzles by one grammar: what both accept is one puzzle."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable
from io import FileIO
from typing import Any

import pytest

from linkoracle import (
    Board,
    FormatError,
    Puzzle,
    Slitherlink,
    certificate,
    read,
    read_file,
    write,
)
from linkoracle.certificates import record_of
from linkoracle.certificates import verify_certificate as checker
from linkoracle.kinds import KINDS, annotation_names
from tests.certificates.damaging import CONTROLS, DIGITS, any_puzzle, text_of

#: What only the library reads, as `docs/reference/file-formats.md` says: how the verifier refuses
#: it, and whether a text and its puzzle are of that sort.
LIBRARY_ALONE: dict[str, Callable[[str, Any], object]] = {
    "expected a kind like": lambda text, puzzle: (
        puzzle.kind not in checker.CELLS or header_of(text) not in checker.CELLS
    ),
    "unknown kind": lambda _, puzzle: puzzle.variant not in checker.VARIANTS.get(puzzle.kind, ()),
    "the URL is of another kind|the character .* is not allowed|fewer cells": lambda text, _: (
        "/" in text or not text.isascii()
    ),
    "boards are for loops on dots": lambda _, puzzle: (
        puzzle.tiling is not None and (puzzle.kind, puzzle.variant) != ("slitherlink", "loop")
    ),
    "the list .* is not read here|lines or holes are fixed|more than a board": lambda _, puzzle: (
        puzzle.tiling is not None or any(annotation_names(puzzle, optional=True))
    ),
    "the first row may be numbers": lambda text, _: re.search(r"(?m)^\s*\d+\s+\d+\s*(#|$)", text),
    "more follows after|Extra data": lambda text, _: re.search(r"(?m)^\s*0\s+0\s*(#|$)", text),
    "expected a clue or null for each face": lambda text, _: re.search(r'"clues":\s*"', text),
    # Of another kind.
    "a variant": lambda text, puzzle: any(
        word in text.lower() for word in checker.WORDS - {*type(puzzle).variants}
    ),
    "an unknown key of the board": lambda text, _: re.search(r'"board":\s*\{\s*"name"', text),
}


def header_of(text: str) -> str:
    """The first word of a text that is no comment."""
    lines = (line.partition("#")[0].split() for line in text.removeprefix("\ufeff").split("\n"))
    return next((words[0].lower() for words in lines if words), "")


def rebuilt(own: checker.Puzzle) -> Puzzle:
    """The library's puzzle with what the verifier has read."""
    if own.model is not None:
        _, _, size, edges, faces, clues = own.essence
        return Slitherlink.on(Board(size, edges, faces), clues)
    rows = range(0, len(own.cells), own.cols)
    beside: dict[str, Any] = {"ends": own.ends} if own.ends else {}
    if own.kind in checker.REGIONS:
        beside["regions"] = [own.regions[at : at + own.cols] for at in rows]
    grid = [own.cells[at : at + own.cols] for at in rows]
    return KINDS[own.kind].from_grid(grid, own.variant, **beside)


def compare(seed: int, number: int, file: FileIO) -> Counter[str]:
    """How many texts both readers accept, by sorts of puzzles, and how many the library alone."""
    rng = random.Random(seed)
    puzzles = [any_puzzle(rng) for _ in range(min(number // 2, 2000))]
    tally: Counter[str] = Counter()
    for _ in range(number):
        text = text_of(rng, rng.choice(puzzles))
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
        except (checker.Refused, ValueError) as error:
            own, refusal = None, str(error)
        if own is None:
            reasons = (fits for what, fits in LIBRARY_ALONE.items() if re.search(what, refusal))
            assert puzzle is None or any(fits(text, puzzle) for fits in reasons), (text, refusal)
            tally["both refuse" if puzzle is None else "library alone"] += 1
            continue
        if own.kind == "model":
            # Of these, the library has only objects, and no text.
            tally["model"] += 1
            continue
        assert puzzle is not None, text
        assert checker.Puzzle(record_of(puzzle)).essence == own.essence, text
        assert record_of(rebuilt(own)) == record_of(puzzle), text
        if own.model is None:
            # What the verifier prints is the puzzle. Rows of numbers may pass for dimensions.
            large = any(isinstance(cell, int) and cell > 9 for cell in own.cells)
            assert large or read(f"{own}\n") == puzzle, text
        tally["both accept"] += 1
        tally[own.kind if puzzle.tiling is None else "board"] += 1
    return tally


def test_hundreds_of_texts(tmp_path):
    with FileIO(tmp_path / "puzzle", "w") as file:
        tally = compare(21, 600, file)
    assert tally["both accept"] > 50
    assert tally["board"] > 5


@pytest.mark.heavy
def test_a_hundred_thousand_texts(tmp_path):
    with FileIO(tmp_path / "puzzle", "w") as file:
        tally = compare(22, 100_000, file)
    print("100000 texts:", ", ".join(f"{what} {number}" for what, number in tally.most_common()))
    assert tally["both accept"] > 10_000
    assert tally["board"] > 1_000
    assert tally.keys() >= {*checker.CELLS}


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


@pytest.mark.parametrize("kind", sorted({*checker.CELLS} - checker.REGIONS))
def test_names_of_variants_do_not_hide_elsewhere(kind, tmp_path, capsys):
    """Also of those that the verifier does not check: it would take the usual rules."""
    assert {word for one in KINDS.values() for word in one.variants} == checker.WORDS
    for word in KINDS[kind].variants:
        text = json.dumps({"kind": kind, "flavor": word, "grid": "..\n.."})
        library, verifier = refusals(text, tmp_path, capsys)
        assert f"expected the variant '{word}' under the name 'variant'" in library
        assert "a variant is not under 'variant', but under 'flavor'" in verifier


@pytest.mark.parametrize("end", ["#", "#page", " # comment", "#?numlin/1/2/11"])
def test_the_fragment_of_a_url_is_no_part_of_the_puzzle(end, tmp_path):
    (tmp_path / "puzzle").write_text(f"https://puzz.link/p?slither/2/1/3g{end}")
    assert read(tmp_path / "puzzle").grid == ((3, None),)
    assert checker.read_puzzle(str(tmp_path / "puzzle")).cells == [3, None]


@pytest.mark.parametrize(
    "text",
    [
        "slitherlink\xa0loop\n\xa03\xa0.\n.\xa02\n",
        '{"kind":\xa0"slitherlink", "grid": "3\xa0.\\n.\xa02"}',
        "\xa0https://puzz.link/p?slither/2/2/3h2\xa0# comment",
    ],
    ids=ascii,
)
def test_no_break_spaces_are_spaces(text, tmp_path):
    (tmp_path / "puzzle").write_text(text, encoding="utf-8")
    assert read(tmp_path / "puzzle").grid == ((3, None), (None, 2))
    assert checker.read_puzzle(str(tmp_path / "puzzle")).cells == [3, None, None, 2]


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
        '{"kind": "slitherlink", "rows": true, "grid": [[3]]}',
        # A cell outside all regions is a hole, whose clue is read nevertheless.
        '{"kind": "doubleback", "grid": [[[], null]], "regions": [[null, 0]]}',
        # What looks like a query is part of the fragment.
        *("https://puzz.link/p#?slither/1/1/4", "https://puzz#link/p?simpleloop/2/2/"),
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


SQUARES = [[[0, 0], [1, 0], [1, 1], [0, 1]], [[1, 0], [2, 0], [2, 1], [1, 1]]]


def on_polygons(polygons: Any) -> str:
    board = {"polygons": polygons}
    return json.dumps({"kind": "slitherlink", "board": board, "clues": [None] * len(polygons)})


@pytest.mark.parametrize(
    ("corner", "same"),
    [
        ([2, 0], True),
        ([2.0000000000000004, 0.0], True),
        # The board is three wide: the bounds are 2.7e-12 and 1.8e-7.
        ([2 + 2.6e-12, -2.6e-12], True),
        ([2 + 2.9e-12, 0], None),
        ([2 + 1e-10, 0], None),
        ([2, 1.7e-7], None),
        ([2 + 1.9e-7, 0], False),
        ([2.01, 0], False),
    ],
)
def test_the_same_corner(corner, same, tmp_path, capsys):
    """Nearly equal corners are an error that names both, in both readers."""
    text = on_polygons([*SQUARES, [corner, [3, 0], [3, 1], [2, 1]]])
    if same is None:
        for said in refusals(text, tmp_path, capsys):
            near = (2.0, 0.0), tuple(map(float, corner))
            assert f"the corners {near[0]} and {near[1]} are nearly the same" in said
        return
    (tmp_path / "puzzle").write_text(text)
    own = checker.read_puzzle(str(tmp_path / "puzzle"))
    puzzle = read(tmp_path / "puzzle")
    assert own.essence[2] == puzzle.tiling.num_vertices == (8 if same else 9)
    # A certificate of the file is one of the file.
    made = certificate(puzzle)
    assert len(made.solutions) == (6 if same else 4)
    assert checker.verify(made.data, own)[1] == len(made.solutions)


def test_the_first_corner_of_a_vertex_decides(tmp_path, capsys):
    """Not each pair of corners: these differ by up to 1.8 bounds from each other."""
    off = 0.9 * 2 * 2.0**-40
    right = [[1 + off, 0], [2, 0], [2, 1], [1 - off, 1]]
    below = [[1, 1], [2, 1], [2, 2], [1 + off, 2]]
    text = on_polygons([SQUARES[0], right, below, [[0, 1], [1 - off, 1 + off], [1, 2], [0, 2]]])
    (tmp_path / "puzzle").write_text(text)
    assert checker.read_puzzle(str(tmp_path / "puzzle")).essence[2] == 9
    assert read(tmp_path / "puzzle").tiling.num_vertices == 9
    text = on_polygons(
        [SQUARES[0], [[1 + off, 0], [2, 0], [1, 1]], [[1 + 2 * off, 0], [2, -1], [2, 0]]]
    )
    for said in refusals(text, tmp_path, capsys):
        assert "are nearly the same" in said


@pytest.mark.parametrize(
    "board",
    [
        {"polygons": []},
        {"polygons": [[]]},
        {"polygons": [[[0, 0], [1, 0]]]},
        {"polygons": [[[0, 0], [1, 0], [0, 0]]]},
        {"polygons": [[[0, 0], [1, 0], [0, 1e100]]]},
        {"polygons": [[[0, 0], [1e-101, 0], [0, 1e-101]]]},
        {"polygons": [[[0, 0], [1, 0], [0, True]]]},
        {"polygons": [[[0, 0], [2, 2], [2, 0], [0, 1]]]},
        {"polygons": [[[0, 0], [1, 0], [2, 0]]]},
        {"polygons": [SQUARES[0], SQUARES[0][::-1]]},
        {"polygons": [SQUARES[0], [[0.5, 0.5], [2, 0.5], [2, 2]]]},
        {"polygons": [SQUARES[0], [[0, 0], [0.5, 0.2], [0.2, 0.5]]]},
        {"polygons": [SQUARES[0], [[1, 0.5], [2, 0.5], [2, 2]]]},
        {"polygons": [SQUARES[0], [[1, 0], [1, 0.5], [2, 0.5]]]},
        {"polygons": [SQUARES[0], [[5, 5], [6, 5], [6, 6]]]},
        {"polygons": SQUARES, "faces": []},
        {"vertices": 3, "faces": []},
        {"vertices": 3, "faces": [[0, 1, 2]], "more": 1},
        {"vertices": 3, "faces": [[0, 1, 2]], "edges": None},
        {"vertices": 3, "faces": [[0, 0, 1]]},
        {"vertices": 3, "faces": [[0, 1, 2]], "edges": [[1, 1]]},
        {"vertices": 3, "faces": [[0, 1, 2]] * 3},
        {"vertices": [[0, 0], [1, 0], "x"], "faces": [[0, 1, 2]]},
    ],
    ids=str,
)
def test_boards_that_neither_takes(board, tmp_path, capsys):
    text = json.dumps({"kind": "slitherlink", "board": board})
    refusals(text, tmp_path, capsys)


def test_a_key_of_a_board_twice(tmp_path, capsys):
    for board in (
        '{"vertices": 3, "vertices": 4, "faces": [[0, 1, 2]]}',
        '{"faces": 1, "faces": 2}',
    ):
        refusals(f'{{"kind": "slitherlink", "board": {board}}}', tmp_path, capsys)
    with pytest.raises(FormatError, match="2:7: expected the key 'name' once, found it twice"):
        read('slitherlink\nboard {"name": "square 2 2", "name": "square 3 3"}\n')
