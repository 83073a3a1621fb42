"""Puzzles on paper and as cards: booklets in PDF, and pages in HTML.

Modules are loaded on first use, since they need `linkoracle.render`.
"""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "binding": "booklet",
        "sheets": "Sheet cards",
        "typesetting": "PAPERS",
    },
    inner={"binding": "Blanks check_words", "typesetting": "Paper"},
)
