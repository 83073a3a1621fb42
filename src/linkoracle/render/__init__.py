"""Boards to look at: text now, in box-drawing characters."""

from linkoracle.render.text import draw

__all__ = ["draw"]
