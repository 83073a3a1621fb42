"""The examples of the format reference give the stated puzzles."""

import re
from pathlib import Path

import pytest

from linkoracle.boards import honeycomb
from linkoracle.formats import FORMATS, read_all
from linkoracle.kinds import Numberlink, SimpleLoop, Slitherlink

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "file-formats.md"
WIDE = Slitherlink([[3, None, 1], [None, 2, 0]])
CORNERS = Slitherlink([[3, None], [None, 2]], ((0, 0), (2, 2)))
EXPECTED = {
    "Native text": [
        (
            "a small one",
            Slitherlink([[3, None, None], [None, 2, None], [None, None, 3]], ((0, 0), (3, 3))),
        ),
        (None, Numberlink([[1, 2, 10], [None] * 3, [1, 2, 10]], "fill")),
        (
            None,
            Slitherlink(
                [[3, None, 2], [None, 1, None], [None] * 3],
                given=[((0, 0), (0, 1)), ((0, 0), (1, 0))],
                forbidden=[((2, 1), (2, 2))],
                holes=[(3, 3)],
            ),
        ),
        (None, Slitherlink.on(honeycomb(3, 3), "5...3...2")),
    ],
    "Dimensions first": [(None, Numberlink([[1, None, 2], [2, 1, None]]))],
    "pzpr and puzz.link URLs": [
        (None, WIDE),
        (None, Numberlink([[16, None, 2], [2, None, 16]])),
        (None, SimpleLoop.from_holes(3, 4, [(2, 1)])),
    ],
    "Loopy game IDs": [
        (None, Slitherlink([[3, None, None, 2], [None, 1, None, None], [None, None, None, 0]]))
    ],
    "JSON": [
        ("a", CORNERS),
        ("b", Numberlink([[1, None, 2], [1, None, 2]])),
        (None, Slitherlink(CORNERS.grid)),
        (None, Numberlink([[1, 1]], "fill")),
    ],
}


@pytest.mark.parametrize("title", EXPECTED)
def test_example(title):
    section = PAGE.read_text().partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    kind, text = re.search(r"```text(?: kind=(\w+))?\n(.*?)```", section, re.DOTALL).groups()
    assert [(entry.name, entry.puzzle) for entry in read_all(text, kind=kind)] == EXPECTED[title]


def test_every_format_is_listed():
    table = PAGE.read_text().partition("\n\n```")[0]
    assert all(f"`{name}`" in table for name in FORMATS)
