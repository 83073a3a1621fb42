"""Puzzles on paper and as cards: booklets in PDF, and pages in HTML.

Modules are loaded on first use, since they need `linkoracle.render`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkoracle.core import loader

if TYPE_CHECKING:
    from linkoracle.booklets.binding import booklet as booklet
    from linkoracle.booklets.binding import check_words as check_words
    from linkoracle.booklets.sheets import Sheet as Sheet
    from linkoracle.booklets.sheets import cards as cards
    from linkoracle.booklets.typesetting import PAPERS as PAPERS

_MODULES = {
    "binding": ("booklet", "check_words"),
    "sheets": ("Sheet", "cards"),
    "typesetting": ("PAPERS",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}
__all__ = sorted(_HOMES)
if not TYPE_CHECKING:
    __getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
