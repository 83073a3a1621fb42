"""Boards to look at: text in box-drawing characters; SVG, PNG and PDF.

Pictures are loaded when they are first asked for: most programs only count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkoracle.core import loader
from linkoracle.render.text import draw

if TYPE_CHECKING:
    from linkoracle.render.board import Marks, board_picture, marked, overlay, picture, shares
    from linkoracle.render.booklets import booklet
    from linkoracle.render.card_page import cards
    from linkoracle.render.document import pdf
    from linkoracle.render.papers import PAPERS
    from linkoracle.render.pictures import Picture, available, png, svg
    from linkoracle.render.shapes import THEMES
    from linkoracle.render.sheets import Sheet

__all__ = [
    "PAPERS",
    "THEMES",
    "Marks",
    "Picture",
    "Sheet",
    "available",
    "board_picture",
    "booklet",
    "cards",
    "draw",
    "marked",
    "overlay",
    "pdf",
    "picture",
    "png",
    "shares",
    "svg",
]

_MODULES = {
    "board": ("Marks", "board_picture", "marked", "overlay", "picture", "shares"),
    "booklets": ("booklet",),
    "card_page": ("cards",),
    "document": ("pdf",),
    "papers": ("PAPERS",),
    "pictures": ("Picture", "available", "png", "svg"),
    "shapes": ("THEMES",),
    "sheets": ("Sheet",),
}
if not TYPE_CHECKING:
    __getattr__ = loader(
        __name__, {name: module for module, names in _MODULES.items() for name in names}
    )


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
