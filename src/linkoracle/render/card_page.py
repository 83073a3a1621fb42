"""Cards for the web: one self-contained HTML page with a card for each puzzle.

In HTML, cards adapt to the width of a phone or a screen, and words can be searched and read aloud.
Solutions are a click away. Boards are SVG in the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from xml.etree.ElementTree import Element, SubElement, tostring

from linkoracle.render.board import picture
from linkoracle.render.pictures import svg_element
from linkoracle.render.sheets import (
    MOST_STARS,
    Imprint,
    Sheet,
    counted_kinds,
    rules_of,
    title_of,
)

#: Pixels per cell, if there is room.
_CELL = 28.0
_STYLE = """
:root { color-scheme: light; font-family: system-ui, sans-serif; color: #1a1a1a; }
body { max-width: 72rem; margin: 0 auto; padding: 1.5rem; line-height: 1.5; background: #f2f2f0; }
h1 { margin: 0; line-height: 1.15; font-size: clamp(1.8rem, 5vw, 3rem); }
header, .rules { max-width: 42rem; }
header { margin-bottom: 2rem; }
summary { cursor: pointer; }
.cards { display: grid; gap: 1.25rem; }
.cards { grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); }
.card { display: flex; flex-direction: column; padding: 1rem; break-inside: avoid; }
.card { background: #fff; border-radius: .6rem; box-shadow: 0 1px 4px #0002; }
.card h2 { display: flex; justify-content: space-between; gap: .5rem; }
.card h2 { margin: 0; font-size: 1.05rem; }
.card p { margin: 0; font-size: .9rem; color: #595959; }
.card svg { display: block; margin: auto; }
.card svg { max-width: 100%; height: auto; }
.stars { letter-spacing: .1em; white-space: nowrap; }
@media print {
  body { background: none; padding: 0; }
  .card { box-shadow: none; border: 1px solid #999; }
}
"""


def cards(
    sheets: Sequence[Sheet],
    *,
    title: str | None = None,
    author: str | None = None,
    made: date | None = None,
    foreword: str | None = None,
    rules: bool = True,
    instructions: Mapping[str, str] | None = None,
) -> str:
    """Return an HTML page with a card for each puzzle, and given solutions to unfold.

    The arguments are those of `booklet`. All cells of a page have one size, unless a card is too
    narrow for its board. The same puzzles give the same text. Raises ``ValueError`` without
    puzzles.

    >>> from linkoracle import Slitherlink
    >>> page = cards([Sheet(Slitherlink([[3]]), name="Small")], title="Ours", author="Ada")
    >>> page.count("<svg"), "<h1>Ours</h1>" in page
    (1, True)
    """
    if not sheets:
        raise ValueError("expected at least one puzzle")
    imprint = Imprint.of(title, author, made, foreword)
    title = imprint.title or title_of(sheets)
    root = Element("html", lang="en")
    head, body = SubElement(root, "head"), SubElement(root, "body")
    SubElement(head, "meta", charset="utf-8")
    SubElement(head, "meta", name="viewport", content="width=device-width, initial-scale=1")
    SubElement(head, "title").text = title
    SubElement(head, "style").text = _STYLE
    top = SubElement(body, "header")
    SubElement(top, "h1").text = title
    SubElement(top, "p").text = ", ".join((*imprint.about, counted_kinds(sheets)))
    for paragraph in imprint.foreword:
        SubElement(top, "p").text = paragraph
    printed = rules_of(sheets, instructions or {}) if rules else []
    if printed:
        folded = SubElement(top, "details", {"class": "rules"})
        SubElement(folded, "summary").text = "Rules"
        for rule in printed:
            SubElement(folded, "h2").text = rule.name
            for paragraph in rule.text.split("\n\n"):
                SubElement(folded, "p").text = paragraph
    listed = SubElement(body, "main", {"class": "cards"})
    for number, sheet in enumerate(sheets, start=1):
        listed.append(_card(number, sheet))
    return f"<!DOCTYPE html>\n{tostring(root, 'unicode', method='html')}\n"


def _card(number: int, sheet: Sheet) -> Element:
    card = Element("article", {"class": "card", "id": f"puzzle-{number}"})
    heading = SubElement(card, "h2")
    SubElement(heading, "span").text = f"{number}  {sheet.heading}"
    if sheet.stars:
        said = {"role": "img", "aria-label": f"{sheet.stars} of {MOST_STARS} stars"}
        stars = SubElement(heading, "span", {"class": "stars", **said})
        filled = "\N{BLACK STAR}" * sheet.stars
        stars.text = filled + "\N{WHITE STAR}" * (MOST_STARS - sheet.stars)
    SubElement(card, "p").text = sheet.described
    card.append(svg_element(picture(sheet.puzzle), "light", _CELL))
    if sheet.solution is not None:
        folded = SubElement(card, "details")
        SubElement(folded, "summary").text = "Solution" if sheet.unique else "One solution"
        folded.append(svg_element(picture(sheet.puzzle, sheet.solution), "light", _CELL))
    return card
