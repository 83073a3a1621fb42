"""Links of Penpa-Edit and SudokuPad: drawings are read as puzzles, or refused; and our own."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode, urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle import boards
from linkoracle.core import FormatError, source
from linkoracle.formats import About, read, read_all, write
from linkoracle.formats.penpa import _SHORT
from linkoracle.formats.reading import NOTHING
from linkoracle.formats.sudokupad import packed, unpacked
from linkoracle.kinds import KINDS, Masyu, Numberlink, Slitherlink
from linkoracle.kinds.checking import random_puzzles


def penpa(parts, rows, cols, tags=(), spaces=(0, 0, 0, 0), about=NOTHING, grid="square"):
    """Return a link as Penpa-Edit makes it for a drawing."""
    return link_of(penpa_text(parts, rows, cols, tags, spaces, about, grid))


def link_of(text):
    """Return a link with this text, with some words abbreviated."""
    for word, short in _SHORT:
        text = text.replace(word, short)
    packer = zlib.compressobj(wbits=-15)
    data = b64encode(packer.compress(text.encode()) + packer.flush()).decode()
    return f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={data}"


def penpa_text(parts, rows, cols, tags, spaces, about, grid):
    size = [cols + sum(spaces[2:]), rows + sum(spaces[:2])]
    said = [f"Title: {about.name or ''}", f"Author: {about.author or ''}", "", about.rules or ""]
    said = [one.replace(",", "%2C").replace("=", "%2F") for one in said]
    head = [grid, *size, 38, 0, 1, 1, 266, 266, 50, 50, 0, 0, 0, 0, *said, "ON", "false", ""]
    lines = [
        ",".join(map(str, head)),
        json.dumps(spaces),
        json.dumps({"qa": "pu_q", "grid": ["1"]}),
    ]
    drawn = {"command_redo": {"__a": []}, "number": {}, "symbol": {}, "thermo": [], **parts}
    lines += [json.dumps(drawn), "{}", *["[]"] * 12, json.dumps(list(tags))]
    return "\n".join(lines)


def number(row, col, cols, spaces=(0, 0, 0, 0)):
    """Return the number of a cell in Penpa-Edit."""
    width = cols + 4 + sum(spaces[2:])
    return str((row + 2 + spaces[0]) * width + col + 2 + spaces[2])


def drawn(puzzle, spaces=(0, 0, 0, 0)):
    """Return the parts of a link with the numbers and circles of a puzzle."""
    parts = {"number": {}, "symbol": {}}
    for (row, col), clue in puzzle.clue_cells():
        at = number(row, col, puzzle.cols, spaces)
        word = puzzle.symbols.get(clue) or str(clue)
        circled = puzzle.words is not None and word[0] in "wb?"
        if circled:
            parts["symbol"][at] = [1 + "wb?".index(word[0]), "circle_L", 1]
        if text := word.strip("wb?") if circled else word:
            parts["number"][at] = [text, 1, "1"]
    return parts


grids = st.integers(1, 5).flatmap(
    lambda cols: st.lists(
        st.lists(st.sampled_from([None, -1, 0, 1, 2, 3, 4]), min_size=cols, max_size=cols),
        min_size=1,
        max_size=5,
    )
)


@given(grids, st.tuples(*[st.integers(0, 2)] * 4), st.text("az=,é &", max_size=9))
def test_slitherlinks_of_penpa(grid, spaces, name):
    puzzle = Slitherlink(grid)
    about = About(" ".join(name.split()) or None, "Z. Zz", None)
    link = penpa(drawn(puzzle, spaces), puzzle.rows, puzzle.cols, ["slitherlink"], spaces, about)
    (entry,) = read_all(link + "\n")
    assert (entry.puzzle, entry.about) == (puzzle, about)


def test_other_kinds_of_penpa():
    for puzzle in (Masyu(["w.b", ".w."]), Numberlink([[12, None, 3], [3, None, 12]])):
        assert read(penpa(drawn(puzzle), 2, 3, [puzzle.kind])) == puzzle
        assert read(penpa(drawn(puzzle), 2, 3), kind=puzzle.kind) == puzzle
    pearls = Masyu(["?.w", "...", "b.?"])
    assert read(penpa(drawn(pearls), 3, 3, ["masyu"])) == pearls
    grey = KINDS["shingoki"].from_grid([["?3", None], [None, "?"]])
    assert read(penpa(drawn(grey), 2, 2, ["shingoki"])) == grey
    tags = {
        "simple loop": "simpleloop",
        "Country Road": "countryroad",
        "detour": "detour",
        "regional yajilin": "regionalyajilin",
        "dotchi-loop": "dotchiloop",
        "double back": "doubleback",
        "yajilin-regions": "regionalyajilin",
    }
    for tag, kind in tags.items():
        assert read(penpa({}, 3, 3, [tag])).kind == kind
    circles = KINDS["balanceloop"].from_grid([["w3", None], [None, "b"]])
    assert read(penpa(drawn(circles), 2, 2, ["balanceloop"])) == circles
    arrows = {"number": {number(1, 0, 3): ["2_0", 1, "2"], number(0, 2, 3): ["1_3", 1, "2"]}}
    assert read(penpa(arrows, 2, 3, ["yajilin"])).grid == ((None, None, "1s"), ("2n", None, None))
    holes = {"surface": {number(0, 1, 2): 4}}
    assert read(penpa(holes, 2, 2, ["simpleloop"])).grid == ((None, 0), (None, None))


def test_regions_of_penpa():
    corner = 6 * 7
    edges = {(0, 1, 1, 1), (1, 1, 2, 1), (1, 1, 1, 2), (1, 2, 1, 3)}
    walls = {
        ",".join(str(corner + (row + 1) * 7 + col + 1) for row, col in ((a, b), (c, d))): 2
        for a, b, c, d in edges
    }
    puzzle = read(penpa({"lineE": walls}, 2, 3, ["country"]))
    assert puzzle.regions == ((0, 1, 1), (0, 2, 2))
    with pytest.raises(FormatError, match="no drawn lines or edges"):
        read(penpa({"lineE": walls}, 2, 3, ["masyu"]))
    given = read(penpa({"lineE": walls}, 2, 3, ["slitherlink"])).given
    assert given == tuple(sorted(((a, b), (c, d)) for a, b, c, d in edges))


@pytest.mark.parametrize("number", [8, pytest.param(400, marks=pytest.mark.heavy)])
@pytest.mark.parametrize("kind", list(KINDS))
def test_puzzles_survive_a_link_of_penpa(kind, number):
    """All that a drawing of the site has a place for."""
    page, kept = KINDS[kind], 0
    some = [example.of(page, variant)[0] for variant, example in page.examples.items()]
    # Numbers that are only names come in pairs, and diagonal paths are many.
    if not (page.letters or page.diagonal):
        some += random_puzzles(page, 4, 5, number, source(3, 0))
    for puzzle in some:
        try:
            link = write(puzzle, "penpa", name="A, b & c = d", author="E")
        except FormatError:
            # Cells outside all regions, or the ends of a path.
            assert "regions" in page.annotations or puzzle.variant == "path"
            continue
        (entry,) = read_all(link)
        assert entry.puzzle == puzzle
        assert entry.about == About("A, b & c = d", "E")
        kept += 1
    assert kept


def test_lines_and_crosses_survive_a_link_of_penpa():
    given, forbidden = [((0, 0), (0, 1))], [((1, 0), (1, 1)), ((0, 2), (1, 2))]
    for kind in ("masyu", "slitherlink", "numberlink", "simpleloop"):
        puzzle = KINDS[kind].blank(3, 3, given=given, forbidden=forbidden)
        assert read(write(puzzle, "penpa")) == puzzle
    walled = KINDS["zip"]([[1, None], [None, 2]], walls=[((0, 0), (0, 1)), ((0, 1), (1, 1))])
    assert read(write(walled, "penpa")) == walled
    with pytest.raises(FormatError, match="no place for"):
        write(Slitherlink.blank(2, 2, ends=[(0, 0), (2, 2)]), "penpa")
    with pytest.raises(FormatError, match="no place for cells outside all regions"):
        write(KINDS["countryroad"].blank(2, 2, regions=["a.", "aa"]), "penpa")


def test_an_answer_of_penpa_is_checked():
    puzzle, solution = KINDS["masyu"].examples["loop"].of(KINDS["masyu"], "loop")
    link = write(puzzle, "penpa")

    def checked(edges):
        ends = (map(puzzle.board.position, puzzle.board.ends(edge)) for edge in edges)
        lines = [",".join(number(*cell, puzzle.cols) for cell in pair) + ",1" for pair in ends]
        answer = link_of(json.dumps([[], lines, [], [], [], []])).split("p=")[1]
        return read(f"{link}&a={answer}")

    assert checked(solution) == puzzle
    assert read(f"{link}&a=damaged") == puzzle
    with pytest.raises(FormatError, match="the answer that the link checks is wrong: a line ends"):
        checked([*solution][1:])


def test_borders_of_penpa_end_at_holes():
    corner = 6 * 7
    ends = (corner + 7 + 2, corner + 2 * 7 + 2)
    parts = {
        "lineE": {",".join(map(str, ends)): 2},
        "surface": {number(1, 0, 3): 4, number(1, 1, 3): 4},
    }
    puzzle = read(penpa(parts, 2, 3, ["doubleback"]))
    assert puzzle.grid == ((None, None, None), (0, 0, None))
    assert puzzle.regions == ((0, 1, 1), (None, None, 1))


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        (penpa({"thermo": [["1", "2"]]}, 2, 2, ["masyu"]), "found 'thermo'"),
        (penpa({"symbol": {number(0, 0, 2): [3, "star", 1]}}, 2, 2, ["masyu"]), "found 'star'"),
        (penpa({"number": {"3": ["2", 1, "1"]}}, 2, 2, ["slitherlink"]), "found '2' elsewhere"),
        (penpa({"number": {number(0, 0, 2): ["7", 1, "1"]}}, 2, 2, ["slitherlink"]), "found 7"),
        (penpa({}, 2, 2), "does not say its kind of puzzle. Name the kind"),
        (penpa({}, 2, 2, grid="hex"), "square cells in a link, found 'hex'"),
        (penpa({}, 2, 2)[:-20], "cannot be read"),
        ("m=edit&p=!!!!", "cannot be read"),
        (link_of("square\n[0, 0, 0, 0]\n\n{}"), "cannot be read"),
        (link_of("square,2,2\n7\n\n{}"), "cannot be read"),
        (link_of("square,2,2\n[0, 0, 0, null]\n\n{}"), "cannot be read"),
        (penpa({"lineE": {"a,b": 2}}, 2, 2, ["countryroad"]), "cannot be read"),
        (penpa({"number": {"a": ["2", 1, "1"]}}, 2, 2, ["slitherlink"]), "cannot be read"),
        ("https://sudokupad.app/sclAAAAAAAAAA", "cannot be read"),
    ],
)
def test_what_is_refused(link, reason):
    with pytest.raises(FormatError, match=reason) as caught:
        read_all(link + "\n")
    assert caught.value.line == 1


@given(st.text(max_size=300).filter(bool))
def test_lz_string(text):
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore").replace("\0", "0")
    text = "".join(letter for letter in text if ord(letter) < 0x10000) or "a"
    assert unpacked(packed(text)) == text


def test_lz_string_as_it_packs_itself():
    data = (
        "N4YwpgXA2lA0wDcIGYC+BdWd2YPbVABdoBGAOgFZZLNDIByAfntgHcISNYBbMQgQwAm/ARGDF6AZQA2AS0IALMAC"
        "c5AOwDWAAgCXgWjl6qVEA==="
    )
    text = "{ce:[[,{v:3}],[,]],o:[{ct:[1.5,.5],te:'?',w:1}],metadata:{t:'Slitherlink é中'}}"
    assert unpacked(data) == text
    assert packed(text).rstrip("=") == data.rstrip("=")
    (entry,) = read_all(f"https://sudokupad.app/scl{data}\n")
    assert entry.puzzle == Slitherlink([[None, 3], [-1, None]])
    assert entry.name == "Slitherlink é中"


#: Kinds all of whose clues are numbers, or white and black circles.
PLAIN = ["slitherlink", "balanceloop", "geradeweg", "linesweeper", "nuriloop", "turnaround"]


@pytest.mark.parametrize("kind", [*PLAIN, "vertexslitherlink"])
def test_puzzles_survive_a_link_of_sudokupad(kind):
    kept = 0
    for puzzle in random_puzzles(KINDS[kind], 4, 5, 12, source(3, 0)):
        if puzzle.variant == next(iter(puzzle.variants)):
            (entry,) = read_all(write(puzzle, "sudokupad", name="First", author="E"))
            title = f"First ({puzzle.title})"
            assert (entry.puzzle, entry.about) == (puzzle, About(title, "E"))
            kept += 1
    assert kept > 2


def test_what_a_link_of_sudokupad_has_no_place_for():
    regions = KINDS["countryroad"].blank(2, 2, regions=["aa", "ab"])
    for puzzle in (regions, Masyu([["?"]]), KINDS["yajilin"]([["2n"]])):
        with pytest.raises(FormatError, match=r"has no place for (the figure|regions)"):
            write(puzzle, "sudokupad")
    with pytest.raises(FormatError, match="cannot say the variant 'fill'"):
        write(Masyu([["w"]], variant="fill"), "sudokupad")


def sudokupad(data):
    return f"https://sudokupad.app/scl{packed(data)}"


def test_slitherlinks_of_sudokupad():
    data = {
        "cells": [[{}, {"value": "3"}], [{}, {}]],
        "overlays": [{"center": [1.5, 0.5], "text": "?", "width": 1}],
        "underlays": [],
        "metadata": {"title": "A Slitherlink", "author": "Ada", "rules": 'It\'s a "loop".'},
    }
    (entry,) = read_all(sudokupad(json.dumps(data)) + "\n")
    assert entry.puzzle == Slitherlink([[None, 3], [-1, None]])
    assert entry.about == About("A Slitherlink", "Ada", 'It\'s a "loop".')
    short = r"{ce:[[,{v:3}],[,]],o:[{ct:[1.5,.5],te:'?',w:1}],metadata:{t:'x',rules:'It\'s'}}"
    assert read(sudokupad(short), kind="slitherlink") == entry.puzzle
    with pytest.raises(FormatError, match="does not say its kind"):
        read_all(sudokupad(short) + "\n")


def test_circles_of_sudokupad():
    data = (
        "{ce:[[,,],[,,]],u:[{ct:[.5,.5],r:t,c2:#F},{ct:[1.5,2.5],r:t,c2:#0},"
        "{ct:[.5,2.5],r:t,c2:333333}],metadata:{title:'Masyu'}}"
    )
    assert read(sudokupad(data)) == Masyu(["w.b", "..b"])
    with pytest.raises(FormatError, match="found lines"):
        read(sudokupad(data[:-1] + ",l:[{wp:[]}]}"))


@pytest.mark.parametrize("kind", KINDS)
def test_own_links_hold_everything(kind: str) -> None:
    """Every kind with its annotations, name, author and rules, behind any address."""
    for example in KINDS[kind].examples.values():
        puzzle, _ = example.of(KINDS[kind])
        link = write(puzzle, "link", name="A, b & c = d", author="É", rules="Draw. A loop.")
        for text in (link, f"http://127.0.0.1:80/#{link}", f"https://a.b/c/#play={link} "):
            (entry,) = read_all(text)
            assert entry.puzzle == puzzle
            assert entry.about == ("A, b & c = d", "É", "Draw. A loop.")


def test_own_links_of_other_boards() -> None:
    puzzle = Slitherlink.on(boards.honeycomb(3, 3), "1........")
    link = write(puzzle, "link")
    assert read(link) == puzzle
    assert read_all(f"{link}\n{link}\n")[1].line == 2


def test_damaged_own_links() -> None:
    link = write(Slitherlink([[3, None], [None, 2]]), "link")
    packed = zlib.compress(b"{}", wbits=-15), zlib.compress(b"[1", wbits=-15)
    forged = ["lo:" + urlsafe_b64encode(one).decode().rstrip("=") for one in packed]
    for text in (link[:20], link[:-4], "lo:AAAA", *forged):
        with pytest.raises(FormatError, match=r"^1:1: .*link"):
            read(text)
