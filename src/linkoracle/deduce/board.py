"""`DeductionState`: the state of a puzzle during its deduction.

Sets up the kernel's `Engine` from a model. Data that depends only on the size of the board is kept
for later boards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from linkoracle.board.lattice import Lattice
from linkoracle.board.model import (
    END,
    HOLE,
    PASS,
    PASS_OR_SKIP,
    LinkModel,
    square_model,
)
from linkoracle.board.solution import Solution
from linkoracle.core import OldMethod, loader
from linkoracle.core.limits import Deadline, Timeout, checked_int, limit_for
from linkoracle.deduce import rules
from linkoracle.deduce.deck import Deck
from linkoracle.deduce.kernel import Engine, Grid

#: The deepest guess.
MAX_DEPTH = 6

#: Techniques that are too slow for what they find while following a guess.
NOT_IN_GUESSES = frozenset({rules.WINDOW, rules.WIDE, rules.UNIQUE})

#: The values in `DeductionState.edges`.
OPEN, LINE, CROSS = range(3)

#: A step: its technique, its place (an index whose meaning depends on that), and its literals.
Move = tuple[int, int, list[int]]


@cache
def standard_deck() -> Deck:
    """Return the rules of the rule file, ready to be placed on boards."""
    return Deck.of(rules.all_rules())


class DeductionState:
    """The lines and crosses on a board, and the reasons for them.

    ``deck`` has the rules to use, by default `standard_deck`; ``without`` are the numbers of
    techniques not to use. The technique `UNIQUE` assumes a unique solution. It is used only with
    ``uniqueness``, and only on boards without fixed edges and holes. ``freed`` assumes, on boards
    whose paths use all cells, that the solution is unique even if cells may stay empty, so that
    arguments about empty cells hold; it has no effect on other boards. With ``hidden`` all clues
    are hidden until `show` shows them; then `UNIQUE` cannot be used, as it needs places without
    clues.

    Methods that may take long have a ``timeout`` in seconds, after which they raise
    `SearchTimeout`. Then, and after Ctrl-C, the state is as before the call and can be used again.
    Raises ``RuntimeError`` if two threads use one object at the same time; different objects may be
    used at the same time. Raises `MemoryLimit` if the board needs more than half of the free
    memory.

    >>> from linkoracle import Slitherlink
    >>> board = DeductionState(Slitherlink([[3, 3], [None, None]]).model)
    >>> board.begin(), board.solved
    (True, True)
    """

    def __init__(
        self,
        model: LinkModel,
        *,
        deck: Deck | None = None,
        without: Iterable[int] = (),
        uniqueness: bool = False,
        freed: bool | None = False,
        hidden: bool = False,
    ) -> None:
        self.model = square_model(model, "deduction")
        self.deck = standard_deck() if deck is None else deck
        left_out = {int(technique) for technique in without}
        #: Whether `UNIQUE` is used.
        self.uniqueness = uniqueness and not model.has_fixed_edges and HOLE not in model.degrees
        #: Whether the solution is assumed to be unique even if cells may stay empty.
        self.freed = bool(freed) and model.freed is not None
        if not self.uniqueness:
            # Here a fixed edge or a hole may be what excludes a second solution.
            left_out.add(rules.UNIQUE)
        if not self.freed and not (self.uniqueness and model.is_free):
            left_out.update(rules.REROUTING)
        if hidden and uniqueness:
            raise ValueError("uniqueness cannot be combined with hidden clues")
        lattice = model.lattice
        rim = rim_between(lattice, model.terminals[0]) if len(model.terminals) == 1 else None
        limit = limit_for(lattice.num_edges)
        #: The edges and faces of the board, shared by all boards of this size.
        self.grid = _grid(lattice, rim or (), limit)
        coloured = model.loop or rim is not None
        # Pattern rules and windows hold where each dot has 0 or 2 lines, or is an endpoint or hole.
        local = set(model.degrees) <= {PASS_OR_SKIP, END, HOLE}
        ends = [end for pair in model.terminals for end in pair]
        #: The rules in all their positions on this board.
        self.laid = (self.deck if coloured and local else _no_rules()).lay(
            self.grid, bytes(model.faces), ends, limit
        )
        self._engine = Engine(
            self.grid,
            self.laid,
            degrees=model.degrees,
            faces=bytes(model.faces),
            pairs=[(min(pair), max(pair)) for pair in model.terminals],
            is_loop=model.loop,
            coloured=coloured,
            is_free=model.is_free,
            local=local,
            enabled=_enabled(model, left_out, coloured),
            hidden=hidden,
            limit=limit,
        )

    if TYPE_CHECKING:
        begin_within: Callable[..., bool]
        deduce_within: Callable[..., bool]
        guess_within: Callable[..., bool]
        show_within: Callable[..., bool]
    else:
        begin_within = OldMethod()
        deduce_within = OldMethod()
        guess_within = OldMethod()
        show_within = OldMethod()

    def put(self, literals: Iterable[int], technique: int = rules.GIVEN) -> bool:
        """Decide edges: literal ``2 * edge`` is a line, ``2 * edge + 1`` a cross.

        Returns false if one contradicts the state; later ones are not put then.
        """
        return self._engine.put(literals, technique)

    def begin(self, put: Iterable[int] = (), *, timeout: Timeout = None) -> bool:
        """Deduce for the first time, after ``put`` (literals); False if there is no solution."""
        if not self.model.lattice.num_edges:
            # The kernel looks for regions between edges.
            return not (self.model.loop or self.model.terminals or PASS in self.model.degrees)
        fixed = [2 * edge for edge in self.model.given]
        fixed += [2 * edge + 1 for edge in self.model.forbidden]
        return self._engine.begin([*fixed, *put], rules.GIVEN, Deadline.of(timeout))

    def deduce(self, *, timeout: Timeout = None) -> bool:
        """Deduce from the literals put since the last call; False if there is no solution."""
        return self._engine.deduce(Deadline.of(timeout))

    def guess(self, depth: int, budget: int = -1, *, timeout: Timeout = None) -> bool:
        """Make guesses up to ``depth`` deep, at most ``budget``; false if there is no solution.

        Raises ``ValueError`` for a depth outside 0 to `MAX_DEPTH`.
        """
        checked_int(depth, "a depth of guesses", 0, MAX_DEPTH)
        return not depth or self._engine.guess(depth, budget, Deadline.of(timeout))

    def assume(self, literal: int, *, timeout: Timeout = None) -> bool:
        """Follow one guess, as `guess` does, and keep it; false for a contradiction."""
        return self._engine.assume(literal, Deadline.of(timeout))

    def show(self, faces: Iterable[int], *, timeout: Timeout = None) -> bool:
        """Show the clues of these faces and deduce; false if there is no solution.

        Raises ``ValueError`` for a face whose clue is shown already.
        """
        return self._engine.show(faces, Deadline.of(timeout))

    def hide(self, faces: Iterable[int], mark: tuple[int, int]) -> None:
        """Return to a mark that was made before these clues were shown."""
        self._engine.hide(faces, *mark)

    @property
    def fault(self) -> tuple[int, int]:
        """The technique and the place of the last contradiction."""
        return self._engine.fault

    def trail(self) -> list[tuple[int, int, int]]:
        """Return the decided literals in order, each with its technique and place."""
        return self._engine.trail()

    def moves(self) -> list[Move]:
        """Return the steps in order: technique, place, literals. Given lines are a step, too."""
        return [
            (technique, place, [literal for literal, _, _ in part])
            for (technique, place), part in groupby(self.trail(), key=lambda entry: entry[1:])
        ]

    def mark(self) -> tuple[int, int]:
        """Return a mark for `undo`."""
        return self._engine.mark()

    def undo(self, mark: tuple[int, int]) -> None:
        """Undo all decisions since the mark was made."""
        self._engine.undo(*mark)

    @property
    def open_edges(self) -> int:
        """The number of edges that are neither lines nor crosses."""
        return self._engine.open_edges

    @property
    def solved(self) -> bool:
        """Whether every edge is decided, and the lines are a solution."""
        return self._engine.open_edges == 0 and self._engine.left == 0

    @property
    def depth(self) -> int:
        """The greatest depth of a guess that decided something."""
        return self._engine.depth

    @property
    def trials(self) -> int:
        """The number of guesses made."""
        return self._engine.trials

    def edges(self) -> bytes:
        """Return the value of each edge, by id: ``OPEN``, ``LINE`` or ``CROSS``."""
        return self._engine.edges()

    def lines(self) -> Solution:
        """Return the lines so far."""
        found = (edge for edge, what in enumerate(self.edges()) if what == LINE)
        return Solution(self.model.lattice, tuple(found))

    def crosses(self) -> tuple[int, ...]:
        """Return the edges that are crosses, by id."""
        return tuple(edge for edge, what in enumerate(self.edges()) if what == CROSS)

    def next_edge(self) -> int:
        """Return an open edge where a path ends, else the first open one."""
        return self._engine.next_edge()

    def face_counts(self) -> tuple[bytes, bytes]:
        """Return the number of lines around each face, and that of crosses."""
        return self._engine.face_lines(), self._engine.face_crosses()


@cache
def _no_rules() -> Deck:
    return Deck.of(())


@lru_cache(maxsize=32)
def _grid(lattice: Lattice, rim: tuple[int, ...], limit: int) -> Grid:
    return Grid(lattice.rows, lattice.cols, rim, limit)


def _enabled(model: LinkModel, without: set[int], coloured: bool) -> bytes:
    """Return for each technique whether it is used, and then whether it is used in guesses."""
    out = set(without)
    if not coloured:
        out.update((rules.COLOUR, rules.SHADE, rules.REGION, rules.UNIQUE))
    else:
        out.update(rules.REROUTING)
    if coloured or (len(model.terminals) < 2 and not model.is_free):
        # For one path, or none, its sides or pockets tell what it must pass.
        out.update(rules.JOINING)
    if model.loop:
        out.add(rules.POCKET)
    out_in_guesses = out | NOT_IN_GUESSES if coloured else out
    return bytes(
        technique not in left_out
        for left_out in (out, out_in_guesses)
        for technique in range(rules.TECHNIQUES)
    )


def rim_between(lattice: Lattice, ends: tuple[int, int]) -> tuple[int, ...] | None:
    """Return the border edges from one vertex to the other; ``None`` if one is not on the border.

    >>> rim_between(Lattice(2, 3), (0, 5))
    (0, 2, 4)
    """
    vertices, edges = lattice.border() if min(lattice.rows, lattice.cols) > 1 else ([], [])
    if not set(ends) <= set(vertices):
        return None
    first, last = sorted(map(vertices.index, ends))
    return tuple(edges[first:last])


if TYPE_CHECKING:
    Board = DeductionState
else:
    __getattr__ = loader(__name__)
