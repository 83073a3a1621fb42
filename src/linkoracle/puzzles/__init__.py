"""The puzzles: their rules, and how each becomes a `LinkModel`."""

from linkoracle.puzzles.canonical import canonical, images
from linkoracle.puzzles.numberlink import Numberlink
from linkoracle.puzzles.slitherlink import Slitherlink

#: Any puzzle this package knows.
Puzzle = Slitherlink | Numberlink

#: The kinds by name, as the command line and the formats spell them.
KINDS: dict[str, type[Slitherlink] | type[Numberlink]] = {
    Slitherlink.kind: Slitherlink,
    Numberlink.kind: Numberlink,
}

__all__ = ["KINDS", "Numberlink", "Puzzle", "Slitherlink", "canonical", "images"]
