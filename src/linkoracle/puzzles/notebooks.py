"""Puzzles show their boards in notebooks, and yet know nothing of drawing.

Whoever can draw says so, once, with `drawn_by`: `linkoracle.render` does when it is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_drawers: list[Callable[[Any], str]] = []


def drawn_by(drawer: Callable[[Any], str]) -> None:
    """Let ``drawer`` make the SVG of every puzzle from now on."""
    _drawers[:] = [drawer]


class Shown:
    """A puzzle that notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        return _drawers[0](self) if _drawers else None
