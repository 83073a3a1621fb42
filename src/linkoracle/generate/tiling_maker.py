"""Slitherlinks on any board: draw a loop, take its clues, remove them while it stays the only one.

What rows and columns are needed for, such as loops that are changed until they suit a mask, is in
`linkoracle.generate.slitherlink_maker`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from linkoracle.board.board import Board
from linkoracle.board.motions import face_orbits
from linkoracle.board.solution import Solution
from linkoracle.board.symmetry import Symmetry
from linkoracle.core.errors import NothingFound, NotSupported, counted
from linkoracle.core.limits import Deadline, check_options, checked_int, declare, options_of
from linkoracle.core.randomness import shuffled, source
from linkoracle.generate.easing import fewest
from linkoracle.generate.evenness import Choice, Evenness
from linkoracle.generate.face_crowding import FaceCrowding
from linkoracle.generate.hitting import smallest
from linkoracle.generate.making import Attempts, unwanted
from linkoracle.generate.removal import (
    Group,
    Removal,
    redundant,
    showing,
    sweep_order,
    with_all_clues,
)
from linkoracle.generate.request_parts import (
    Masked,
    as_grade,
    board_option,
    checked_board,
    labels_of,
    mask_of,
    refuse_both,
    symmetry_of,
    tries_of,
    words_of,
)
from linkoracle.generate.shapes import SHAPES, SLOW_SHAPES, Shape, shape_parameters
from linkoracle.generate.strategies import in_batches, keep_core
from linkoracle.generate.thinning import DENSITY, SLACK, Reduced
from linkoracle.generate.watching import Watching
from linkoracle.kinds import Slitherlink
from linkoracle.solving import decide

if TYPE_CHECKING:
    from linkoracle.deduce.grading import Within

#: Default number of attempts, and the most faces of a board.
TRIES, MOST_FACES = 100, 10_000
#: Wishes for the clues, which the strategy ``"fewest"`` does not take.
_CLUE_WISHES = ("symmetry", "minimal", "difficulty", "score", "mask")
#: Number of clues that are decided before the crowding is updated.
_BATCH = 8
#: Boards with more faces are swept from one side to the other, and all for minimal puzzles. Clues
#: in the order of their crowding take twice as long on small boards, and on a honeycomb of 900
#: faces a hundred times.
_SWEPT_FACES = 400


@dataclass(frozen=True)
class TilingRequest(Masked):
    """A Slitherlink on any board as it is asked for.

    ``board`` has faces, such as those of `linkoracle.boards`. ``shape``, one of
    `linkoracle.generate.SHAPES` but ``uniform``, makes the loop, with ``shape_options``. Clues are
    removed while the loop stays the only one, the most crowded first; then some come back into the
    largest voids, until there are as many as in puzzles made by hand, unless ``minimal``. For a
    difficulty, more come back until the puzzle is not too hard. Cells that ``symmetry`` (one of
    `linkoracle.board.symmetry.SYMMETRIES`) maps to each other all have clues, or none has. Faces of
    ``must``, by their numbers, carry a clue and those of ``must_not`` none; or a ``mask`` says so
    with a mark for each face in their order. Loops are tried until one suits them. The ``strategy``
    ``"fewest"`` finds as few clues as the loop allows (`linkoracle.generate.fewest`), and takes no
    other wish for the clues.

    Raises ``ValueError`` for a square board, for one without faces or with more than `MOST_FACES`,
    for a symmetry that the board does not have, for digits in a mask, and for options that make no
    sense.

    >>> from linkoracle import boards
    >>> TilingRequest(boards.honeycomb(5, 5)).shape
    'mix'
    """

    board: Board = board_option()
    shape: Shape = declare("mix", "How the line is made.", words=SHAPES, title="Shape")
    shape_options: Mapping[str, Any] = declare(
        dict, "An option of the shape.", form="NAME=VALUE", flag="--shape-option", hash=False
    )
    strategy: Literal["even", "fewest"] = declare(
        "even", "How clues are removed.", words=("even", "fewest"), title="Clues"
    )
    minimal: bool = declare(False, "Remove every redundant clue.", title="No redundant clue")
    symmetry: Symmetry = symmetry_of("clues")
    mask: Sequence[str] | None = mask_of(
        "Faces in their order as # (must have a clue), . (must not), ? (may) and _ (unmarked)."
    )
    tries: int = tries_of("Attempts (loops)", TRIES)

    @property
    def size(self) -> str:
        """The board in words, or how many faces it has."""
        return words_of(self.board)

    def __post_init__(self) -> None:
        checked_board(self, MOST_FACES)
        checked_int(self.tries, "a number of tries", 1)
        face_orbits(self.board, self.symmetry)
        if self.strategy == "fewest":
            for name, one in options_of(type(self)).items():
                if name in _CLUE_WISHES and getattr(self, name) != one.default:
                    raise ValueError(f"the search for the fewest clues takes no {name}")
        if self._take_mask(self.mask, self.board.num_faces):
            raise ValueError("digits in a mask need rows and columns")
        for name in ("must", "must_not"):
            faces = frozenset(map(self.board.face_of, getattr(self, name)))
            if faces and self.strategy == "fewest":
                raise ValueError(f"the search for the fewest clues takes no {name}")
            self._fill(**{name: faces})
        refuse_both(self.must, self.must_not)
        check_options(self)
        if self.shape == "uniform":
            raise ValueError("the shape uniform needs rows and columns")
        known = shape_parameters(self.shape)
        if unknown := [name for name in self.shape_options if name not in known]:
            takes = ", ".join(known) or "no options"
            raise ValueError(f"the shape {self.shape} takes {takes}; got {unknown[0]}")
        self._fill(shape_options=dict(self.shape_options))
        self._check_grade(*labels_of("slitherlink", self.board.num_faces, self.board))
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
            if request.strategy == "fewest":
                found: Reduced = smallest(
                    full, line, attempts.deadline, None, watching=attempts.watching
                )
            else:
                reduction = _Reduction(request, full, line, rng, attempts.deadline)
                found = reduction.run(attempts.watching)
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
        f"{attempts.failures}.",
        "Try more attempts, another seed or shape, or request less.",
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
        settled: set[Any] = {*request.must, *request.must_not}
        every = face_orbits(request.board, request.symmetry)
        self._groups = [group for group in every if settled.isdisjoint(group)]
        crowding = FaceCrowding(request.board, line.counts(), rng)
        self._evenness = Evenness(crowding, self._faces)
        self._judge = as_grade(request.keeps)

    def run(self, watching: Watching) -> Reduced:
        """Return the puzzle left of the clues of the loop."""
        request, full, size = self._request, self._full, len(self._faces)
        filling = not request.minimal and self._judge is None

        def show(left: set[int]) -> None:
            watching.show(lambda: (showing(full, left), self._line))

        sweeping = request.minimal or size > _SWEPT_FACES
        board = request.board
        order = sweep_order(board, self._rng) if sweeping else shuffled(self._rng, self._faces)
        with Removal(full, self._line, lambda _: True, order, self._deadline, show) as removal:
            hidden: list[Any] = sorted(request.must_not)
            if hidden and not removal.remove(hidden):
                raise NothingFound("are not unique without the clues that must not be there")
            undecided = keep_core(removal, list(self._groups), None)
            if sweeping:
                complete = self._sweep(removal, undecided, order)
            else:
                self._evenness.hide(set(self._faces) - removal.kept)
                enough = round((DENSITY - SLACK) * size) if filling else 0
                complete = self._thin(removal, self._evenness.clusters(undecided), enough)
            needed = set(removal.kept)
            cost = removal.questions, removal.alternatives.conflicts
        shown = needed if request.minimal else self._filled(needed)
        if self._judge is not None:
            shown = self._eased(shown, self._judge)
        puzzle = showing(full, shown)
        alone = request.symmetry == "none" and shown == needed and not request.must
        spare = None
        if request.minimal:
            spare = () if alone else redundant(puzzle, self._line, self._deadline)
        return Reduced(puzzle, complete and alone, *cost, redundant=spare)

    def _sweep(self, removal: Removal, groups: list[Group], order: list[int]) -> bool:
        """Try all groups, first those that a core prefers least."""
        place = {face: number for number, face in enumerate(order)}
        groups.sort(key=lambda group: -max(place[face] for face in group))
        if self._request.symmetry == "none":
            removal.decide([face for (face,) in groups])
        else:
            for group in groups:
                removal.remove(group)
        return True

    def _thin(self, removal: Removal, choice: Choice, enough: int) -> bool:
        """Try groups until ``enough`` clues are left; return whether all were tried."""
        if self._request.symmetry == "none":
            return in_batches(removal, choice, _BATCH, enough)
        for group in choice:
            if len(removal.kept) <= enough:
                choice.undo([group])
                return False
            if not removal.remove(group):
                choice.undo([group])
        return True

    def _voids(self, shown: set[int]) -> list[Group]:
        """The groups of faces without a clue, those in the largest void first."""
        self._evenness.only(shown)
        hidden = [group for group in self._groups if shown.isdisjoint(group)]
        return [*self._evenness.voids(hidden)]

    def _filled(self, shown: set[int]) -> set[int]:
        """Add clues in the largest voids, up to the density of puzzles made by hand."""
        goal = round(DENSITY * len(self._faces))
        found = set(shown)
        for group in self._voids(shown):
            if len(found) + len(group) > goal:
                break
            found.update(group)
        return found

    def _eased(self, shown: set[int], judge: Within) -> set[int]:
        """Add as few clues, one void after the other, as make the puzzle easy enough.

        More clues never make it harder. Raises `NothingFound` if all of them do not suffice.
        """
        voids = self._voids(shown)

        def is_easy(number: int) -> bool:
            puzzle = showing(self._full, shown.union(*voids[:number]))
            return judge.judge(puzzle, self._deadline) < 1

        return shown.union(*voids[: fewest(len(voids), is_easy)])
