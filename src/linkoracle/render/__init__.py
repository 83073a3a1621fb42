"""Boards to look at: text in box-drawing characters; SVG, PNG and PDF.

Pictures are loaded when they are first asked for: most programs only count.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from linkoracle.puzzles import Puzzle
from linkoracle.puzzles.notebooks import drawn_by
from linkoracle.render.text import draw

if TYPE_CHECKING:
    from linkoracle.render.board import Marks, marked, overlay, picture, shares
    from linkoracle.render.pdf_format import pdf
    from linkoracle.render.png_format import png
    from linkoracle.render.shapes import Picture
    from linkoracle.render.svg_format import svg
    from linkoracle.render.themes import THEMES

__all__ = [
    "THEMES",
    "Marks",
    "Picture",
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
    "board": ("Marks", "marked", "overlay", "picture", "shares"),
    "pdf_format": ("pdf",),
    "png_format": ("png",),
    "shapes": ("Picture",),
    "svg_format": ("svg",),
    "themes": ("THEMES",),
}


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"linkoracle.render.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _notebook_svg(puzzle: Puzzle) -> str:
    from linkoracle.render.board import picture
    from linkoracle.render.svg_format import svg

    return svg(picture(puzzle))


drawn_by(_notebook_svg)
