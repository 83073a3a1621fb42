"""`UniqueLoops`: all loops of a small board that clues on given cells make unique."""

from __future__ import annotations

from random import Random

import numpy as np

from linkoracle.board.solution import Solution
from linkoracle.core.limits import Deadline
from linkoracle.core.randomness import below
from linkoracle.generate.slitherlink_request import SlitherlinkRequest
from linkoracle.solving import diagram

#: Most cells of a board that is searched: each loop is a number of this many base-5 digits.
MOST_CELLS = 27
#: Most loops of a board that is searched: 5x5 cells have 1,222,363, which takes half a second.
_MOST_LOOPS = 2_000_000


class UniqueLoops:
    """All loops (or paths) that clues on exactly the cells of ``request.must`` make unique.

    At most half of the free clues are 0; otherwise a loop around one cell would do for every mask.
    All loops of the diagram are listed, and the clues of each are written as one number; a loop is
    unique if its number occurs once. ``loops`` is the number of loops, or 0 if they are too many to
    list or endpoints are random. Raises `SearchTimeout`.

    >>> corners = SlitherlinkRequest(3, 3, strategy="mask", must=[(0, 0), (0, 2), (2, 0), (2, 2)])
    >>> found = UniqueLoops(corners, Deadline(None))
    >>> found.loops, len(found)
    (213, 0)
    """

    def __init__(self, request: SlitherlinkRequest, deadline: Deadline) -> None:
        self.loops = 0
        self._places = np.array([], dtype=np.int64)
        if request.rows * request.cols > MOST_CELLS or request.ends == "random":
            return
        blank = request.blank(request.ends)
        self._diagram = diagram(blank, timeout=deadline.left)
        if (loops := self._diagram.count()) > _MOST_LOOPS:
            return
        self.loops = loops
        faces = sorted(request.faces(request.must))
        edges = blank.lattice.face_edges[faces]
        digits = {row * request.cols + col: digit for (row, col), digit in request.digits.items()}
        required = np.array([digits.get(face, -1) for face in faces], dtype=np.int64)
        weights = 5 ** np.arange(len(faces), dtype=np.int64)
        numbers, fits, zeros = [], [], []
        for chosen in self._diagram.masks(1 << 14):
            deadline.check()
            counts = chosen[:, edges].sum(axis=2, dtype=np.int64)
            numbers.append(counts @ weights)
            fits.append(np.all((counts == required) | (required < 0), axis=1))
            zeros.append(np.count_nonzero((counts == 0) & (required < 0), axis=1))
        deadline.check()
        _, first, times = np.unique(np.concatenate(numbers), return_index=True, return_counts=True)
        alone = np.sort(first[times == 1])
        alone = alone[np.concatenate(fits)[alone]]
        few_zeros = 2 * np.concatenate(zeros)[alone] <= len(faces) - len(digits) + 1
        self._places = alone[few_zeros]

    def __len__(self) -> int:
        """The number of loops left to choose from."""
        return len(self._places)

    def draw(self, rng: Random) -> Solution:
        """Draw one of these loops uniformly."""
        return self._diagram[int(self._places[below(rng, len(self))])]
