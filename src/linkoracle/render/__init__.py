"""Boards to look at: text in box-drawing characters; SVG, PNG and PDF.

Modules for pictures are loaded on first use, as most programs only count.
"""

from linkoracle.core import exports

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "board": "Marks board_picture marked numbered overlay picture shares",
        "document": "pdf",
        "pictures": "Picture available png svg",
        "shapes": "THEMES",
        "text": "draw",
    },
    inner={
        "document": "STAR Document stamp width_of",
        "figures": "inner_faces",
        "pictures": "printable svg_element",
        "places": "MARGIN PlanePlaces places_of",
        "shapes": "ANSWER Point theme_named",
        "text": "BOX Drawn HEAVY_BOX",
    },
)
