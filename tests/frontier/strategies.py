"""Random models of every kind: degree and face masks that no puzzle here asks for included."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from linkoracle.model import LinkModel
from tests.frontier.brute import random_model

#: Sides in vertices of boards that brute force handles in some hundredths of a second.
SIDES = st.sampled_from(
    [(r, c) for r in range(1, 5) for c in range(1, 5) if r * c > 1]
    + [(2, 6), (6, 2), (3, 5), (5, 3), (1, 7), (7, 1)]
)


@st.composite
def models(draw: st.DrawFn) -> LinkModel:
    rows, cols = draw(SIDES)
    pairs = draw(st.integers(0, min(4, rows * cols // 2)))
    kind = draw(st.sampled_from(["loop", "paths", "paths"]))
    rng = random.Random(draw(st.integers(0, 2**32)))
    return random_model(rng, rows, cols, pairs, kind)
