"""`TellingLines`: of a small board all lines that clues on given cells tell from all others."""

from __future__ import annotations

from random import Random

import numpy as np

from linkoracle.board.solution import Solution
from linkoracle.core.limits import Deadline
from linkoracle.core.randomness import below
from linkoracle.generate.slitherlink_request import SlitherlinkRequest
from linkoracle.solving import diagram

#: Larger boards are not looked through: each line is a number of so many digits in base 5.
MOST_CELLS = 27
#: Nor are boards with more lines: 5x5 cells have 1,222,363, which takes half a second.
_MOST_LINES = 2_000_000


class TellingLines:
    """All lines of a board that clues on exactly the cells of ``request.must`` make unique.

    At most half of the clues that may be any are 0; without that, a loop around one cell would do
    for every mask. The diagram of all lines is unrolled, and the clues of each are written as one
    number; a line whose number comes once is unique. ``lines`` is how many there are, 0 when there
    are too many to look through, or ends that are drawn at random. Raises `SearchTimeout`.

    >>> corners = SlitherlinkRequest(3, 3, strategy="mask", must=[(0, 0), (0, 2), (2, 0), (2, 2)])
    >>> found = TellingLines(corners, Deadline(None))
    >>> found.lines, len(found)
    (213, 0)
    """

    def __init__(self, request: SlitherlinkRequest, deadline: Deadline) -> None:
        self.lines = 0
        self._places = np.array([], dtype=np.int64)
        if request.rows * request.cols > MOST_CELLS or request.ends == "random":
            return
        blank = request.blank(request.ends)
        self._diagram = diagram(blank, timeout=deadline.left)
        if (lines := self._diagram.count()) > _MOST_LINES:
            return
        self.lines = lines
        faces = sorted(request.faces(request.must))
        edges = blank.lattice.face_edges[faces]
        digits = {row * request.cols + col: digit for (row, col), digit in request.digits.items()}
        wanted = np.array([digits.get(face, -1) for face in faces], dtype=np.int64)
        weights = 5 ** np.arange(len(faces), dtype=np.int64)
        numbers, fits, zeros = [], [], []
        for chosen in self._diagram.masks(1 << 14):
            deadline.check()
            counts = chosen[:, edges].sum(axis=2, dtype=np.int64)
            numbers.append(counts @ weights)
            fits.append(np.all((counts == wanted) | (wanted < 0), axis=1))
            zeros.append(np.count_nonzero((counts == 0) & (wanted < 0), axis=1))
        deadline.check()
        _, first, times = np.unique(np.concatenate(numbers), return_index=True, return_counts=True)
        alone = np.sort(first[times == 1])
        alone = alone[np.concatenate(fits)[alone]]
        lively = 2 * np.concatenate(zeros)[alone] <= len(faces) - len(digits) + 1
        self._places = alone[lively]

    def __len__(self) -> int:
        """How many are left to choose from."""
        return len(self._places)

    def draw(self, rng: Random) -> Solution:
        """One of them, all alike likely."""
        return self._diagram[int(self._places[below(rng, len(self))])]
