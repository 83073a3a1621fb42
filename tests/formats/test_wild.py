"""Texts as people send them: links in other texts, saved games, letters, blanks of web pages."""

from pathlib import Path

import pytest

from linkoracle import count
from linkoracle.core import FormatError
from linkoracle.formats import read, read_all

from .strategies import fails

URL = "https://puzz.link/p?slither/4/4/dgdh2c7b"
CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "wild_urls.tsv"


@pytest.mark.parametrize(
    "text",
    [
        "http://pzv.jp/p.html?slither/4/4/dgdh2c7b",
        "https://puzz.link/p?type=editor&slither/4/4/dgdh2c7b",
        f"{URL}&type=editor",
        f"{URL}#solved",
        f"{URL}g",
        "https://puzz.link/p?slither%2F4%2F4%2Fdgdh2c7b",
        f"<{URL}>",
        f"({URL})",
        f"[a small one]({URL})",
        f"  [a small one]({URL})  ",
        f"https://swaroopg92.github.io/penpa-edit/?{URL}",
    ],
)
def test_links_in_other_texts(text):
    assert read(text) == read(URL)
    assert [entry.line for entry in read_all(f"\n{text}\n")] == [2]


def test_a_place_in_a_link_is_that_of_the_text():
    fails("[x](https://puzz.link/p?slither/2/1/Z)", "in:1:37", "found 'Z'")
    fails("https://puzz.link/p?slither%2F2%2F1%2FZ", "in:1:39", "found 'Z'")
    fails("https://puzz.link/p?slither/2/1/" + "g" * 9, "in:1:37", "expected 2 cells")
    fails(
        "https://puzz.link/p?v:slither/2/1/g", "in:1:21", "expected a puzzle with the usual rules"
    )


def test_another_name_of_yajilin():
    body = "4/4/a4.k20b"
    assert read(f"https://puzz.link/p?yajirin/{body}") == read(f"yajilin/{body}")


def saved(game, parameters, description):
    lines = [
        *("SAVEFILE:41:Simon Tatham's Portable Puzzle Collection", "VERSION :1:1"),
        *(f"GAME    :{len(game)}:{game}", f"PARAMS  :{len(parameters)}:{parameters}"),
        *(f"CPARAMS :{len(parameters)}:{parameters}", f"DESC    :{len(description)}:{description}"),
        *("NSTATES :1:1", "STATEPOS:1:1"),
    ]
    return "\n".join(lines) + "\n"


def test_pearl_is_masyu():
    puzzle = read("6x6dt:BcWcWaWlBWWaWh")
    assert (puzzle.kind, puzzle.size, count(puzzle)) == ("masyu", "6 x 6 cells", 1)
    assert puzzle.grid[0] == ("b", None, None, None, "w", None)
    assert read(saved("Pearl", "6x6dt", "BcWcWaWlBWWaWh")) == puzzle
    fails("6x6:BcWc", "in:1:9", "expected 36 cells, found 8")


def test_saved_games_of_loopy():
    assert read(saved("Loopy", "4x3t0de", "3b2a1e0")) == read("4x3t0:3b2a1e0")
    fails(
        saved("Loopy", "4x3t0de", "3b2a1f0"), "in:6:18", "expected 12 cells, found '0' after them"
    )
    fails(saved("Loopy", "4x3t99de", "3b2a1e0"), "in:4:16", "found 't99'")
    fails(saved("Bridges", "4x3", "3b2a1e0"), "in:3:12", "found 'Bridges'")
    fails("SAVEFILE:41:Simon\nGAME    :5:Loopy\n", "in:2:12", "found no line PARAMS")


def test_letters_in_pairs_are_a_numberlink():
    puzzle = read("A..\n.B.\nB.A\n")
    assert (puzzle.kind, puzzle.grid) == (
        "numberlink",
        ((1, None, None), (None, 2, None), (2, None, 1)),
    )
    assert read("RG\nRG\n").pairs() == {1: ((0, 0), (1, 0)), 2: ((0, 1), (1, 1))}
    assert read("A . .\n. B .\nB . A\n", variant="fill").variant == "fill"
    for text in ("A..\n.B.\nB.C\n", "A..\n.B\nB.A\n", "A.A\n"):
        with pytest.raises(FormatError):
            read(text)


def test_boards_that_no_blank_line_separates():
    text = "3 3\n3..\n.2.\n...\n2 3\n..3\n2..\n"
    found = [(entry.line, entry.puzzle.size) for entry in read_all(text, kind="slitherlink")]
    assert found == [(1, "3 x 3 cells"), (5, "2 x 3 cells")]


def test_blanks_of_web_pages():
    assert read("slitherlink\n3\xa0.\n.\xa02\n") == read("slitherlink\n3 .\n. 2\n")


def test_urls_from_the_wild():
    """An independent solver gave the verdicts; those that it does not know are not compared."""
    if not CORPUS.exists():
        pytest.skip("needs the collection of URLs beside the project")
    names = {0: "none", 1: "unique", 2: "several"}
    rows = [line.split("\t") for line in CORPUS.read_text().splitlines() if line[0] != "#"]
    compared = [(verdict, url) for verdict, url in rows if verdict != "?"]
    for verdict, url in compared:
        assert names[count(read(url), limit=2)] == verdict, url
    assert len(compared) > 50
