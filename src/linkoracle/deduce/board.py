"""`DeductionState`, the state of a puzzle during its deduction; its assumptions; backtracking.

The state is an `Engine` of the kernel, set up from a model.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple, Self

from linkoracle.board import (
    END,
    HOLE,
    PASS,
    PASS_OR_SKIP,
    Lattice,
    LinkModel,
    Modelled,
    Solution,
    model_of,
)
from linkoracle.core import ConflictLimit, Deadline, Timeout, checked_int, limit_for
from linkoracle.deduce import rules
from linkoracle.deduce.deduction_engine import Engine, Positions
from linkoracle.deduce.rules import Deck, standard_deck
from linkoracle.engines import Query, Verdict

#: Conflict budgets of the SAT check of a board: some tenths of a second, and some seconds if the
#: techniques get stuck without the check.
CONFLICT_BUDGET, LARGE_CONFLICT_BUDGET = 10_000, 100_000

#: Techniques that are too slow for what they find while following a guess.
NOT_IN_GUESSES = frozenset({rules.WINDOW, rules.WIDE, rules.UNIQUE})

#: The values in `DeductionState.edges`.
OPEN, LINE, CROSS = range(3)


def has_patterns(model: LinkModel) -> bool:
    """Return whether patterns apply to a model; if not, it is deduced by rules.

    >>> blank = LinkModel.blank_loop(Lattice(3, 3))
    >>> has_patterns(blank), has_patterns(blank.with_faces({(0, 0): 3}))
    (False, True)
    """
    # Patterns are drawn on squares, and of a loop they are about the numbers in faces.
    stated = model.only_masks and (model.has_face_rules or not model.loop)
    return stated and isinstance(model.board, Lattice)


#: A step: its technique, its place (an index whose meaning depends on the technique), its literals.
Move = tuple[int, int, list[int]]


class DeductionState(Engine):
    """The lines and crosses on the board of a puzzle or model, and the reasons for them.

    ``deck`` has the rules to use, by default `standard_deck`; ``without`` are the numbers of
    techniques not to use. The technique `UNIQUE` assumes a unique solution. It is used only with
    ``uniqueness``, and only on boards without fixed edges and holes. ``relaxed`` assumes, on boards
    whose paths use all cells, that the solution is unique even if cells may stay empty, so that
    arguments about empty cells hold; it has no effect on other boards. With ``hidden`` all clues
    are hidden until `show` shows them; then `UNIQUE` cannot be used, as it needs places without
    clues.

    Methods that may take long have a ``timeout`` in seconds, after which they raise
    `SearchTimeout`. Then, and after Ctrl-C, the state is as before the call and can be used again.
    Raises ``RuntimeError`` if two threads use one object at the same time; different objects may be
    used at the same time. A copy, and a state that is pickled, has the same lines and crosses, all
    of them given. Raises `MemoryLimit` if the board needs more than half of the free memory.

    >>> from linkoracle import Slitherlink
    >>> board = DeductionState(Slitherlink([[3, 3], [None, None]]))
    >>> board.begin(), board.solved
    (True, True)
    """

    #: The board, and the rules to use.
    model: LinkModel
    deck: Deck
    #: Whether `UNIQUE` is used.
    uniqueness: bool
    #: Whether the solution is assumed to be unique even if cells may stay empty.
    relaxed: bool
    _how: dict[str, Any]

    def __new__(
        cls,
        model: Modelled,
        *,
        deck: Deck | None = None,
        without: Iterable[int] = (),
        uniqueness: bool = False,
        relaxed: bool | None = False,
        hidden: bool = False,
    ) -> Self:
        model, without = model_of(model), tuple(without)
        lattice = model.squares("deduction")
        how = {"without": without, "uniqueness": uniqueness, "relaxed": relaxed, "hidden": hidden}
        deck = standard_deck() if deck is None else deck
        left_out = {int(technique) for technique in without}
        if hidden and uniqueness:
            raise ValueError("uniqueness cannot be combined with hidden clues")
        uniqueness = uniqueness and not model.has_fixed_edges and HOLE not in model.degrees
        relaxed = bool(relaxed) and model.relaxed is not None
        if not uniqueness:
            # Perhaps only a fixed edge or a hole excludes a second solution.
            left_out.add(rules.UNIQUE)
        if not relaxed and not (uniqueness and model.is_free):
            left_out.update(rules.REROUTING)
        border = border_between(lattice, model.terminals[0]) if len(model.terminals) == 1 else None
        coloured = model.loop or border is not None
        # Pattern rules and windows hold where each dot has 0 or 2 lines, or is an endpoint or hole.
        local = set(model.degrees) <= {PASS_OR_SKIP, END, HOLE}
        positions = deck.positions if coloured and local else Positions([])
        # The stub of the kernel has this as `__init__`.
        state = super().__new__(  # type: ignore[call-arg]
            cls,
            *(lattice, border or (), positions),
            degrees=model.degrees,
            faces=bytes(model.faces),
            pairs=[(min(pair), max(pair)) for pair in model.terminals],
            is_loop=model.loop,
            coloured=coloured,
            is_free=model.is_free,
            local=local,
            enabled=_enabled(model, left_out, coloured),
            hidden=hidden,
            limit=limit_for(lattice.num_edges),
        )
        state._how = how
        state.model, state.deck, state.uniqueness, state.relaxed = model, deck, uniqueness, relaxed
        return state

    def __reduce__(self) -> tuple[Any, ...]:
        if self._how["hidden"]:
            raise TypeError(
                "a state with hidden clues cannot be copied or pickled. Make another of its model"
            )
        literals = [literal for literal, _, _ in self.trail()]
        return _deduced, (type(self), self.model, self.deck, self._how, literals)

    def begin(self, put: Iterable[int] = (), *, timeout: Timeout = None) -> bool:
        """Deduce for the first time, after ``put`` (literals); False if there is no solution."""
        if not self.model.lattice.num_edges:
            # The kernel needs regions between edges.
            return not (self.model.loop or self.model.terminals or PASS in self.model.degrees)
        fixed = [2 * edge for edge in self.model.given]
        fixed += [2 * edge + 1 for edge in self.model.forbidden]
        return super().begin([*fixed, *put], timeout=timeout)

    def moves(self) -> list[Move]:
        """Return the steps in order: technique, place, literals. Given lines are a step, too."""
        return [
            (technique, place, [literal for literal, _, _ in part])
            for (technique, place), part in groupby(self.trail(), key=lambda entry: entry[1:])
        ]

    def lines(self) -> Solution:
        """Return the lines so far."""
        found = (edge for edge, what in enumerate(self.edges()) if what == LINE)
        return Solution(self.model.lattice, tuple(found))

    def crosses(self) -> tuple[int, ...]:
        """Return the edges that are crosses, by id."""
        return tuple(edge for edge, what in enumerate(self.edges()) if what == CROSS)


def _deduced(
    kind: type[DeductionState], model: LinkModel, deck: Deck, how: dict[str, Any], put: list[int]
) -> DeductionState:
    """Return a copied state."""
    state = kind(model, deck=deck, **how)
    if put:
        state.begin(put)
    return state


def _enabled(model: LinkModel, without: set[int], coloured: bool) -> bytes:
    """Return for each technique whether it is used, and then whether it is used in guesses."""
    out = set(without)
    if not coloured:
        out.update((rules.COLOUR, rules.SHADE, rules.REGION, rules.UNIQUE))
    else:
        out.update(rules.REROUTING)
    if coloured or (len(model.terminals) < 2 and not model.is_free):
        # For one path, or none, its sides or pockets show what it must pass.
        out.update(rules.JOINING)
    if model.loop:
        out.add(rules.POCKET)
    out_in_guesses = out | NOT_IN_GUESSES if coloured else out
    return bytes(
        technique not in left_out
        for left_out in (out, out_in_guesses)
        for technique in range(rules.TECHNIQUES)
    )


def border_between(lattice: Lattice, ends: tuple[int, int]) -> tuple[int, ...] | None:
    """Return the border edges from one vertex to the other; ``None`` if one is not on the border.

    >>> border_between(Lattice(2, 3), (0, 5))
    (0, 2, 4)
    """
    vertices, edges = lattice.border() if min(lattice.rows, lattice.cols) > 1 else ([], [])
    if not set(ends) <= set(vertices):
        return None
    first, last = sorted(map(vertices.index, ends))
    return tuple(edges[first:last])


class Assumed(NamedTuple):
    """The assumptions of a `DeductionState`, as its arguments.

    ``relaxed`` is ``None`` if the check was too hard.
    """

    uniqueness: bool
    relaxed: bool | None


def assumed(
    model: LinkModel,
    uniqueness: bool | None,
    deadline: Deadline,
    conflicts: int = CONFLICT_BUDGET,
) -> Assumed:
    """Return the assumptions allowed for ``uniqueness`` true, false or ``None`` (the default).

    If paths may leave cells empty, deduction gets nowhere without uniqueness, so this is the
    default. If paths use all cells, arguments about empty cells are allowed when the relaxation,
    whose cells may stay empty, has one solution by SAT; if undecided, they are not allowed. Raises
    `SearchTimeout` at the deadline.

    >>> from linkoracle.board import Lattice
    >>> free = LinkModel.blank_paths(Lattice(2, 2), [(0, 1)])
    >>> assumed(free, None, Deadline(None))
    Assumed(uniqueness=True, relaxed=False)
    >>> full = LinkModel.blank_paths(Lattice(1, 3), [(0, 2)], cover=True)
    >>> assumed(full, None, Deadline(None)), assumed(full, False, Deadline(None))
    (Assumed(uniqueness=False, relaxed=True), Assumed(uniqueness=False, relaxed=False))
    """
    allowed = uniqueness is None or uniqueness
    uniqueness = model.is_free if uniqueness is None else uniqueness
    if not allowed or model.relaxed is None:
        return Assumed(uniqueness, relaxed=False)
    verdict = decided(model.relaxed, deadline, conflicts)
    return Assumed(uniqueness, relaxed=None if verdict is None else verdict.unique)


def decided(
    model: LinkModel, deadline: Deadline, conflicts: int = CONFLICT_BUDGET
) -> Verdict | None:
    """Decide whether the solution is unique; ``None`` if the conflict budget is exhausted."""
    query = Query(model)
    query.deadline = deadline
    with query.opened() as oracle:
        try:
            return oracle.ask(timeout=query.turn_deadline(conflicts))
        except ConflictLimit:
            return None


@dataclass(frozen=True)
class Backtracking:
    """The result of backtracking.

    ``exact`` is false if it stopped at the limit. ``depth`` is the greatest number of nested
    assumptions, 0 if deduction alone decided everything: a measure of difficulty. ``nodes`` is the
    number of boards on which deduction ran.
    """

    solutions: tuple[Solution, ...]
    exact: bool
    depth: int
    nodes: int


def backtrack(
    board: DeductionState,
    limit: int | None = None,
    guess_depth: int = 0,
    *,
    timeout: Timeout = None,
) -> Backtracking:
    """List up to ``limit`` solutions of a fresh board; guess ``guess_depth`` deep at each node.

    Time grows with the number of solutions; `linkoracle.count` counts without listing. Raises
    `SearchTimeout` after ``timeout`` seconds, and ``ValueError`` for a limit below 1.

    >>> from linkoracle import Slitherlink
    >>> found = backtrack(DeductionState(Slitherlink.blank(2, 2).model))
    >>> len(found.solutions), found.exact
    (13, True)
    """
    if limit is not None:
        checked_int(limit, "a limit of solutions", 1)
    deadline = Deadline.of(timeout)
    solutions: list[Solution] = []
    stack: list[tuple[tuple[int, int], int, int]] = []
    depth = 0
    nodes = 1
    fits = board.begin(timeout=deadline)
    while True:
        deadline.check()
        fits = fits and board.guess(guess_depth, timeout=deadline)
        if fits and board.solved:
            solutions.append(board.lines())
            if limit is not None and len(solutions) >= limit:
                # Only a search of the rest would show whether there are more.
                return Backtracking(tuple(solutions), not stack, depth, nodes)
        elif fits:
            literal = 2 * board.next_edge()
            stack.append((board.mark(), literal, 0))
            depth = max(depth, len(stack))
            nodes += 1
            fits = board.put([literal]) and board.deduce(timeout=deadline)
            continue
        while stack:
            mark, literal, tried = stack.pop()
            board.undo(mark)
            if not tried:
                break
        else:
            return Backtracking(tuple(solutions), True, depth, nodes)
        stack.append((mark, literal, 1))
        nodes += 1
        fits = board.put([literal + 1]) and board.deduce(timeout=deadline)
