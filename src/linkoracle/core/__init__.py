"""What everything else may use; imports nothing of ours."""

from __future__ import annotations

# Loaded with the package itself: see there for why not from `typing`.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

#: Return the SVG of a puzzle. Drawing is above puzzles, so the package sets this function.
draw_svg: Callable[[Any], str]
