"""Shapes: ways to make the line that a Slitherlink shall have, each a function with a seed.

A shape is called as ``shape(rng, rows, cols, **options)`` and returns a `Solution` on
``(rows + 1) x (cols + 1)`` dots. The same state of ``rng`` gives the same line.

>>> from random import Random
>>> loop = SHAPES["two_colour"](Random(1), 10, 10)
>>> len(loop.paths())
1
"""

from collections.abc import Callable

from linkoracle.generate.shapes.colouring import Ends, rim_dots
from linkoracle.generate.shapes.crumple import crumple
from linkoracle.generate.shapes.expand import expand
from linkoracle.generate.shapes.long import long
from linkoracle.generate.shapes.two_colour import two_colour
from linkoracle.generate.shapes.uniform import uniform
from linkoracle.model import Solution

#: The shapes by name.
SHAPES: dict[str, Callable[..., Solution]] = {
    "two_colour": two_colour,
    "crumple": crumple,
    "expand": expand,
    "uniform": uniform,
    "long": long,
}

#: The shapes that take ``ends``, for an open path.
OPEN_SHAPES = ("two_colour", "uniform", "long")

__all__ = [
    "OPEN_SHAPES",
    "SHAPES",
    "Ends",
    "crumple",
    "expand",
    "long",
    "rim_dots",
    "two_colour",
    "uniform",
]
