"""Boards to look at: text in box-drawing characters; SVG, PNG and PDF.

Modules for pictures are loaded on first use, as most programs only count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkoracle.core import loader

if TYPE_CHECKING:
    from linkoracle.render.board import Marks as Marks
    from linkoracle.render.board import board_picture as board_picture
    from linkoracle.render.board import marked as marked
    from linkoracle.render.board import overlay as overlay
    from linkoracle.render.board import picture as picture
    from linkoracle.render.board import shares as shares
    from linkoracle.render.document import pdf as pdf
    from linkoracle.render.pictures import Picture as Picture
    from linkoracle.render.pictures import available as available
    from linkoracle.render.pictures import png as png
    from linkoracle.render.pictures import svg as svg
    from linkoracle.render.shapes import THEMES as THEMES
    from linkoracle.render.text import draw as draw

_MODULES = {
    "board": ("Marks", "board_picture", "marked", "overlay", "picture", "shares"),
    "document": ("pdf",),
    "pictures": ("Picture", "available", "png", "svg"),
    "shapes": ("THEMES",),
    "text": ("draw",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}
__all__ = sorted(_HOMES)
if not TYPE_CHECKING:
    __getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
