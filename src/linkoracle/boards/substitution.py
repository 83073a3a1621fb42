"""Random parts of tilings whose tiles are grouped into ever larger ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from linkoracle.board.board import Board


class PatchTooShort(ValueError):
    """The largest tile that a patch names does not cover the board."""

    def __init__(self) -> None:
        super().__init__("the patch is too short for a board of this size")


def _shares(kinds: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Return the limit frequencies of the kinds of tiles, given the parts of each kind.

    >>> {kind: round(share, 3) for kind, share in _shares({"a": "ab", "b": "a"}).items()}
    {'a': 0.618, 'b': 0.382}
    """
    shares = dict.fromkeys(kinds, 1.0)
    for _ in range(100):
        counts = dict.fromkeys(kinds, 0.0)
        for kind, share in shares.items():
            for part in kinds[kind]:
                counts[part] += share
        total = sum(counts.values())
        shares = {kind: count / total for kind, count in counts.items()}
    return shares


def random_patch(
    rng: Random,
    kinds: Mapping[str, Sequence[str]],
    starts: Sequence[tuple[int, str]],
    made: Callable[[int, Sequence[tuple[str, int]], str], Board],
) -> Board:
    """Return a board around a random tile, in tiles as large as the board needs.

    ``kinds`` has the parts of each kind. ``starts`` are the smallest tiles: a number, and the kind
    of the tile around it. ``made`` makes the board from that number, the kinds and places of the
    tiles around it, smallest first, and the kind of the largest tile. ``made`` raises
    `PatchTooShort` if the largest tile does not cover the board. All parts of the tiling are
    equally likely.
    """
    shares = _shares(kinds)

    def drawn(choices: Sequence[tuple[int, str]]) -> tuple[int, str]:
        mark = rng.random() * sum(shares[kind] for _, kind in choices)
        for choice in choices:
            mark -= shares[choice[1]]
            if mark < 0:
                return choice
        return choices[-1]

    start, kind = drawn(starts)
    places: list[tuple[str, int]] = []
    while True:
        try:
            return made(start, places, kind)
        except PatchTooShort:
            place, kind = drawn(
                [
                    (place, parent)
                    for parent, parts in kinds.items()
                    for place, part in enumerate(parts)
                    if part == kind
                ]
            )
            places.append((kind, place))
