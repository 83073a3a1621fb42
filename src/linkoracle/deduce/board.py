"""`Board`: a puzzle while it is solved by deduction.

The kernel's `Engine`, set up from a model: what depends on the size of the board only is kept from
one board to the next.
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
from linkoracle.core import loader, old_member
from linkoracle.core.limits import Deadline, Timeout, checked_int, limit_for
from linkoracle.deduce import rules
from linkoracle.deduce.deck import Deck
from linkoracle.deduce.kernel import Engine, Grid

#: The deepest guess.
MAX_DEPTH = 6

#: Techniques that are left out while a guess is followed: they are slow for what they find there.
NOT_IN_GUESSES = frozenset({rules.WINDOW, rules.WIDE, rules.UNIQUE})

#: What `Board.edges` says of an edge.
OPEN, LINE, CROSS = range(3)

#: A step: its technique, its place, and the literals that it decided.
Move = tuple[int, int, list[int]]


@cache
def standard_deck() -> Deck:
    """The rules of the rule file, ready to be laid on boards."""
    return Deck.of(rules.all_rules())


class DeductionState:
    """One board: which edges are lines, which crosses, and why.

    ``deck`` are the rules to use, `standard_deck` by default; ``without`` are techniques by number
    that are not used at all. `UNIQUE` takes for granted that there is one solution only; it is off
    unless ``uniqueness`` is given, and on boards with fixed edges or holes. ``freed`` takes for
    granted that where paths use all cells there is one solution even when cells may stay empty, so
    that arguments about empty cells hold; it says nothing about other boards. With ``hidden`` no
    clue is there until `show` shows it; then `UNIQUE`, which looks for places without clues, cannot
    be used.

    What may take long has a ``timeout`` in seconds, and raises `SearchTimeout` after it. Then, and
    after Ctrl-C, the board is as it was before that call, and can be used on. ``RuntimeError``
    when two threads use a board at the same time; different boards may be used at the same time.
    `MemoryLimit` for a board that needs more than half of the memory that is free.

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
        #: Whether there is one solution even when cells may stay empty, which must be used here.
        self.freed = bool(freed) and model.freed is not None
        if not self.uniqueness:
            # What speaks against a second solution here may be an edge that is given there, a hole.
            left_out.add(rules.UNIQUE)
        if not self.freed and not (self.uniqueness and model.is_free):
            left_out.update(rules.REROUTING)
        if hidden and uniqueness:
            raise ValueError("where clues come and go nothing can be said of places without clues")
        lattice = model.lattice
        rim = rim_between(lattice, model.terminals[0]) if len(model.terminals) == 1 else None
        limit = limit_for(lattice.num_edges)
        #: What boards of this size share: where the edges are, and the faces beside them.
        self.grid = _grid(lattice, rim or (), limit)
        coloured = model.loop or rim is not None
        # Where dots have 0 or 2 lines, or 0, rules and completions of windows hold.
        local = set(model.degrees) <= {PASS_OR_SKIP, END, HOLE}
        ends = [end for pair in model.terminals for end in pair]
        #: The rules, wherever they stand on this board.
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
        __getattr__ = old_member

    def put(self, literals: Iterable[int], technique: int = rules.GIVEN) -> bool:
        """Decide edges: literal ``2 * edge`` is a line, ``2 * edge + 1`` a cross.

        False when one contradicts what is known; those after it are not put then.
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
        """Guess up to ``depth`` deep; at most ``budget`` guesses. False: no solution.

        Raises ``ValueError`` for a depth outside 0 to `MAX_DEPTH`.
        """
        checked_int(depth, "a depth of guesses", 0, MAX_DEPTH)
        return not depth or self._engine.guess(depth, budget, Deadline.of(timeout))

    def assume(self, literal: int, *, timeout: Timeout = None) -> bool:
        """Follow one guess, as `guess` does, and stay there; False: a contradiction."""
        return self._engine.assume(literal, Deadline.of(timeout))

    def show(self, faces: Iterable[int], *, timeout: Timeout = None) -> bool:
        """Show the clues of these faces and deduce; False when there is no solution.

        ``ValueError`` for a face whose clue is shown already.
        """
        return self._engine.show(faces, Deadline.of(timeout))

    def hide(self, faces: Iterable[int], mark: tuple[int, int]) -> None:
        """Go back to the mark, which was made before these clues were shown."""
        self._engine.hide(faces, *mark)

    @property
    def fault(self) -> tuple[int, int]:
        """The technique and the place of the last contradiction."""
        return self._engine.fault

    def trail(self) -> list[tuple[int, int, int]]:
        """What was decided, in order: literal, technique, place."""
        return self._engine.trail()

    def moves(self) -> list[Move]:
        """The steps that were made, in order: technique, place, literals. What was given is one,
        too.
        """
        return [
            (technique, place, [literal for literal, _, _ in part])
            for (technique, place), part in groupby(self.trail(), key=lambda entry: entry[1:])
        ]

    def mark(self) -> tuple[int, int]:
        """A mark to which `undo` goes back."""
        return self._engine.mark()

    def undo(self, mark: tuple[int, int]) -> None:
        """Forget all that was decided since the mark was made."""
        self._engine.undo(*mark)

    @property
    def open_edges(self) -> int:
        """How many edges are neither line nor cross."""
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
        """The number of guesses that were followed."""
        return self._engine.trials

    def edges(self) -> bytes:
        """What each edge is, by id: ``OPEN``, ``LINE`` or ``CROSS``."""
        return self._engine.edges()

    def lines(self) -> Solution:
        """The lines so far."""
        found = (edge for edge, what in enumerate(self.edges()) if what == LINE)
        return Solution(self.model.lattice, tuple(found))

    def crosses(self) -> tuple[int, ...]:
        """The edges that are crosses, by id."""
        return tuple(edge for edge, what in enumerate(self.edges()) if what == CROSS)

    def next_edge(self) -> int:
        """An open edge where a path ends, else the first open one."""
        return self._engine.next_edge()

    def face_counts(self) -> tuple[bytes, bytes]:
        """How many edges of each face are lines, and how many crosses."""
        return self._engine.face_lines(), self._engine.face_crosses()


@cache
def _no_rules() -> Deck:
    return Deck.of(())


@lru_cache(maxsize=32)
def _grid(lattice: Lattice, rim: tuple[int, ...], limit: int) -> Grid:
    return Grid(lattice.rows, lattice.cols, rim, limit)


def _enabled(model: LinkModel, without: set[int], coloured: bool) -> bytes:
    """For each technique whether it is used, then whether it is within guesses."""
    out = set(without)
    if not coloured:
        out.update((rules.COLOUR, rules.SHADE, rules.REGION, rules.UNIQUE))
    else:
        out.update(rules.REROUTING)
    if coloured or (len(model.terminals) < 2 and not model.is_free):
        # One path, or none: what it must pass is told by its sides, or by pockets.
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
    """The edges of the rim from one vertex to the other; ``None`` if one is not on the rim.

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
