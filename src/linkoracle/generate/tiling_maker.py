"""Slitherlinks on any board: draw a loop, take its clues, remove them while it stays the only one.

What rows and columns are needed for, such as masks and symmetry, is in
`linkoracle.generate.slitherlink_request`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

from linkoracle.board.board import Board
from linkoracle.board.dual import middle
from linkoracle.board.lattice import Lattice
from linkoracle.board.solution import Solution
from linkoracle.core.errors import NothingFound, NotSupported, counted
from linkoracle.core.limits import LABELS, Deadline, check_options, checked_int, declare
from linkoracle.core.randomness import pick, shuffled, source
from linkoracle.generate.easing import fewest
from linkoracle.generate.evenness import Evenness
from linkoracle.generate.face_crowding import FaceCrowding
from linkoracle.generate.making import Attempts, unwanted
from linkoracle.generate.removal import Removal, redundant, showing, with_all_clues
from linkoracle.generate.request_parts import Graded, as_grade, tries_of
from linkoracle.generate.shapes import SHAPES, SLOW_SHAPES, Shape, shape_parameters
from linkoracle.generate.strategies import in_batches, keep_core
from linkoracle.generate.thinning import DENSITY, Reduced
from linkoracle.generate.watching import Watching
from linkoracle.kinds import Slitherlink
from linkoracle.solving import decide

if TYPE_CHECKING:
    from linkoracle.deduce.grading import Within

#: Default number of attempts, and the most faces of a board.
TRIES, MOST_FACES = 100, 10_000
#: Number of clues that are decided before the crowding is updated.
_BATCH = 8
#: Boards with more faces are swept from one side to the other: on a honeycomb of 900 faces, clues
#: in the order of their crowding take a hundred times as long.
_SWEPT_FACES = 400


@dataclass(frozen=True)
class TilingRequest(Graded):
    """A Slitherlink on any board as it is asked for.

    ``board`` has faces, such as those of `linkoracle.boards`. ``shape``, one of
    `linkoracle.generate.SHAPES` but ``uniform``, makes the loop, with ``shape_options``. Clues are
    removed while the loop stays the only one, the most crowded first; then some come back into the
    largest voids, until there are as many as in puzzles made by hand, unless ``minimal``. For a
    difficulty, more come back until the puzzle is not too hard.

    Raises ``ValueError`` for a square board, for one without faces or with more than `MOST_FACES`,
    and for options that make no sense.

    >>> from linkoracle import boards
    >>> TilingRequest(boards.honeycomb(5, 5)).shape
    'mix'
    """

    board: Board
    shape: Shape = declare("mix", "How the line is made.", words=SHAPES, title="Shape")
    shape_options: Mapping[str, Any] = declare(
        dict, "An option of the shape.", form="NAME=VALUE", flag="--shape-option", hash=False
    )
    minimal: bool = declare(False, "Remove every redundant clue.", title="No redundant clue")
    tries: int = tries_of("Attempts (loops)", TRIES)

    @property
    def size(self) -> str:
        """The board in words, or how many faces it has."""
        return self.board.words or counted(self.board.num_faces, "face")

    def __post_init__(self) -> None:
        if not isinstance(self.board, Board) or isinstance(self.board, Lattice):
            raise ValueError(f"expected a board that is not square, got {self.board!r}")
        if not 0 < self.board.num_faces <= MOST_FACES:
            raise ValueError(f"expected a board of 1 to {MOST_FACES} faces, got {self.board!r}")
        checked_int(self.tries, "a number of tries", 1)
        check_options(self)
        if self.shape == "uniform":
            raise ValueError("the shape uniform needs rows and columns")
        known = shape_parameters(self.shape)
        if unknown := [name for name in self.shape_options if name not in known]:
            takes = ", ".join(known) or "no options"
            raise ValueError(f"the shape {self.shape} takes {takes}; got {unknown[0]}")
        object.__setattr__(self, "shape_options", dict(self.shape_options))
        self._check_grade(LABELS[:-1], f"Slitherlinks on {self.size}")
        if self.techniques is not None or self.max_depth is not None:
            raise ValueError("techniques and guesses are for boards of rows and columns")


def made_on_board(
    request: TilingRequest, seed: int, index: int, attempts: Attempts
) -> dict[str, Any]:
    """Make the puzzle of a seed and an index: the members of a `MadeSlitherlink`."""
    rng, board = source(seed, index), request.board
    blank = Slitherlink.on(board)
    attempts.begin()
    for tried in range(1, request.tries + 1):
        attempts.deadline.check()
        attempts.add()
        try:
            line = _line(request, rng, attempts.deadline)
            full = with_all_clues(blank, line)
            _show(attempts.watching, full, line)
            found = _Reduction(request, full, line, rng, attempts.deadline).run(attempts.watching)
        except NothingFound as error:
            attempts.fail(str(error))
            continue
        if why := unwanted(request.keeps, found.puzzle, attempts.deadline):
            attempts.fail(why)
            continue
        if decide(found.puzzle).solutions != (line,):
            raise AssertionError("a generated puzzle failed its independent check")
        return {**vars(found), "solution": line, "tried": tried, "seed": seed, "index": index}
    default = ", the default" if request.tries == TRIES else ""
    raise NothingFound(
        f"no puzzle as requested in {counted(request.tries, 'attempt')}{default}: "
        f"{attempts.failures}. Try more tries, another seed or shape, or request less."
    )


def _show(watching: Watching, full: Any, line: Solution) -> None:
    """Show a loop with all its clues."""
    watching.show(lambda: (full, line))


def _line(request: TilingRequest, rng: Random, deadline: Deadline) -> Solution:
    options = dict(request.shape_options)
    if request.shape in SLOW_SHAPES:
        options["timeout"] = deadline.left
    try:
        return SHAPES[request.shape](rng, request.board, **options)
    except TypeError:
        raise NotSupported(f"the shape {request.shape} cannot use {options}") from None


class _Reduction:
    """The reduction of the clues of one loop."""

    def __init__(
        self, request: TilingRequest, full: Any, line: Solution, rng: Random, deadline: Deadline
    ) -> None:
        self._request, self._full, self._line = request, full, line
        self._rng, self._deadline = rng, deadline
        self._faces = range(request.board.num_faces)
        crowding = FaceCrowding(request.board, line.counts(), rng)
        self._evenness = Evenness(crowding, self._faces)
        self._judge = as_grade(request.keeps)

    def run(self, watching: Watching) -> Reduced:
        """Return the puzzle left of the clues of the loop."""
        full, size = self._full, len(self._faces)

        def show(left: set[int]) -> None:
            watching.show(lambda: (showing(full, left), self._line))

        sweeping = size > _SWEPT_FACES
        order = self._swept() if sweeping else shuffled(self._rng, self._faces)
        with Removal(full, self._line, lambda _: True, order, self._deadline, show) as removal:
            undecided = keep_core(removal, [(face,) for face in self._faces], None)
            if sweeping:
                # First those that a core prefers least.
                removal.decide([face for face in reversed(order) if face in removal.kept])
            else:
                self._evenness.hide(set(self._faces) - removal.kept)
                in_batches(removal, self._evenness.clusters(undecided), _BATCH, 0)
            needed = set(removal.kept)
            cost = removal.questions, removal.alternatives.conflicts
        shown = needed if self._request.minimal else self._filled(needed)
        if self._judge is not None:
            shown = self._eased(shown, self._judge)
        puzzle = showing(full, shown)
        spare = None
        if self._request.minimal:
            spare = redundant(puzzle, self._line, self._deadline) if shown != needed else ()
        return Reduced(puzzle, shown == needed, *cost, redundant=spare)

    def _swept(self) -> list[int]:
        """The faces in order from a random corner of the board to the opposite one."""
        board = self._request.board
        if board.points is None:
            return list(self._faces)
        right, down = (pick(self._rng, (1, -1)) for _ in range(2))
        walks = [[board.points[vertex] for vertex in board.walk(face)] for face in self._faces]
        places = [middle(walk) for walk in walks]
        return sorted(self._faces, key=lambda f: right * places[f][0] + down * places[f][1])

    def _voids(self, shown: set[int]) -> list[int]:
        """The faces without a clue, those in the largest void first."""
        self._evenness.only(shown)
        hidden = [(face,) for face in self._faces if face not in shown]
        return [face for (face,) in self._evenness.voids(hidden)]

    def _filled(self, shown: set[int]) -> set[int]:
        """Add clues in the largest voids, up to the density of puzzles made by hand."""
        missing = round(DENSITY * len(self._faces)) - len(shown)
        return shown.union(islice(self._voids(shown), max(0, missing)))

    def _eased(self, shown: set[int], judge: Within) -> set[int]:
        """Add as few clues, one void after the other, as make the puzzle easy enough.

        More clues never make it harder. Raises `NothingFound` if all of them do not suffice.
        """
        voids = self._voids(shown)

        def is_easy(number: int) -> bool:
            puzzle = showing(self._full, shown.union(voids[:number]))
            return judge.judge(puzzle, self._deadline) < 1

        return shown.union(voids[: fewest(len(voids), is_easy)])
