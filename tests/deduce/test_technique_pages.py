"""Techniques in pictures: the page shows an example of each, with a picture of its step."""

from __future__ import annotations

from pathlib import Path

import draw_techniques
from linkoracle.deduce import CATALOGUE, TECHNIQUES

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "explanation" / "solving.md"


def test_each_technique_has_an_example_and_its_picture(monkeypatch):
    monkeypatch.chdir(ROOT)
    examples = list(draw_techniques.examples(PAGE))
    # A guess has no argument, and what is given needs none.
    names = {*TECHNIQUES, *(one.name for one in CATALOGUE)} - {"guess", "given"}
    assert sorted(name for name, *_ in examples) == sorted(names)
    for name, source, unique in examples:
        picture = ROOT / "docs" / "pictures" / f"technique-{name}.svg"
        assert picture.read_text(encoding="utf-8") == draw_techniques.drawn(name, source, unique)
        assert f"(../pictures/{picture.name})" in PAGE.read_text(encoding="utf-8")
