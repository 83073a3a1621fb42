"""`Board`: a puzzle while it is solved by deduction.

The arrays of `linkoracle.deduce.kernel`, made from a model: what depends on the size of the board
only is kept from one board to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.lattice import Solution
from linkoracle.board.model import ANY_COUNT, END, PASS, PASS_OR_SKIP, LinkModel
from linkoracle.core.limits import Deadline, checked_int
from linkoracle.deduce import rules
from linkoracle.deduce.geometry import Ints, blocks, geometry, lasting_fills, rim_between
from linkoracle.deduce.instances import Deck, Laid
from linkoracle.deduce.kernel import run
from linkoracle.deduce.kernel import state as kernel

#: Edges up to which single guesses take some hundredths of a second: not worth a thread of its own.
_QUICK = 400

#: The deepest guess.
MAX_DEPTH = 6

#: Techniques that are left out while a guess is followed: they are slow for what they find there.
NOT_IN_GUESSES = frozenset({rules.WINDOW, rules.WIDE, rules.UNIQUE})


@cache
def standard_deck() -> Deck:
    """The rules of the rule file, ready to be laid on boards."""
    return Deck.of(rules.all_rules())


class Board:
    """One board: which edges are lines, which crosses, and why.

    ``deck`` are the rules to use, `standard_deck` by default; ``without`` are techniques by number
    that are not used at all. `UNIQUE` takes for granted that there is one solution only; it is off
    unless ``uniqueness`` is given, and where edges are given or forbidden. With ``hidden`` no clue
    is there until `show` shows it; then `UNIQUE`, which looks for places without clues, cannot be
    used.

    >>> from linkoracle import Slitherlink
    >>> board = Board(Slitherlink([[3, 3], [None, None]]).model)
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
        hidden: bool = False,
    ) -> None:
        self.model = model
        self.deck = standard_deck() if deck is None else deck
        left_out = {int(technique) for technique in without}
        if not uniqueness or model.has_fixed_edges:
            # What speaks against a second solution here may be an edge that is given there.
            left_out.add(int(rules.UNIQUE))
        if hidden and uniqueness:
            raise ValueError("where clues come and go nothing can be said of places without clues")
        self.frame, self.laid = _frame(model, self.deck, left_out)
        self.state = _state(model, self.frame, self.laid, hidden)

    def _run(self, task: int, argument: int = 0, other: int = 0) -> bool:
        return bool(run(self.frame, self.state, task, argument, other))

    def put(self, literals: Iterable[int], technique: int = int(rules.GIVEN)) -> bool:
        """Decide edges: literal ``2 * edge`` is a line, ``2 * edge + 1`` a cross."""
        return all(self._run(kernel.PUT, literal, technique) for literal in literals)

    def begin(self) -> bool:
        """Deduce for the first time; False when there is no solution."""
        if not self.model.lattice.num_edges:
            # The kernel looks for regions between edges.
            return not (self.model.loop or self.model.terminals or PASS in self.model.degrees)
        fixed = [2 * edge for edge in self.model.given]
        fixed += [2 * edge + 1 for edge in self.model.forbidden]
        return self.put(fixed) and self._run(kernel.BEGIN)

    def deduce(self) -> bool:
        """Deduce from what was put since; False when there is no solution."""
        return self._run(kernel.DEDUCE)

    def guess(self, depth: int, budget: int = -1, *, timeout: float | None = None) -> bool:
        """Guess up to ``depth`` deep; at most ``budget`` guesses. False: no solution.

        Raises ``ValueError`` for a depth outside 0 to `MAX_DEPTH`, `SearchTimeout` after
        ``timeout`` seconds.
        """
        return self.guess_within(Deadline(timeout), depth, budget)

    def guess_within(self, deadline: Deadline, depth: int, budget: int = -1) -> bool:
        """`guess` with a deadline."""
        checked_int(depth, "a depth of guesses", 0, MAX_DEPTH)
        n = self.state.n
        n[kernel.BUDGET] = budget
        if not depth:
            return True
        deadline.check()
        if depth == 1 and self.model.lattice.num_edges <= _QUICK:
            return self._run(kernel.GUESS, depth)
        # The kernel may count a guess when its budget is taken away; that is done again and again.
        return deadline.run(lambda: self._run(kernel.GUESS, depth), lambda: n.put(kernel.BUDGET, 0))

    def assume(self, literal: int) -> bool:
        """Follow one guess, as `guess` does, and stay there; False: a contradiction."""
        return self._run(kernel.ASSUME, literal)

    def show(self, faces: Sequence[int]) -> bool:
        """Show the clues of these faces and deduce; False when there is no solution."""
        self.state.chosen[: len(faces)] = faces
        return self._run(kernel.SHOW, len(faces))

    def hide(self, faces: Sequence[int], mark: tuple[int, int]) -> None:
        """Go back to the mark, which was made before these clues were shown."""
        self.undo(mark)
        self.state.chosen[: len(faces)] = faces
        self._run(kernel.HIDE, len(faces))

    @property
    def fault(self) -> tuple[int, int]:
        """The technique and the place of the last contradiction."""
        return int(self.state.n[kernel.FAULT]), int(self.state.n[kernel.FAULT_AT])

    def trail(self) -> list[tuple[int, int, int]]:
        """What was decided, in order: literal, technique, place."""
        size = int(self.state.n[kernel.TRAIL])
        parts = self.state.trail[:size], self.state.why[:size], self.state.where[:size]
        return list(zip(*(part.tolist() for part in parts), strict=True))

    def mark(self) -> tuple[int, int]:
        """A mark to which `undo` goes back."""
        return int(self.state.n[kernel.TRAIL]), int(self.state.n[kernel.MERGES])

    def undo(self, mark: tuple[int, int]) -> None:
        """Forget all that was decided since the mark was made."""
        self._run(kernel.UNDO, *mark)

    @property
    def open_edges(self) -> int:
        """How many edges are neither line nor cross."""
        return int(self.state.n[kernel.UNDECIDED])

    @property
    def solved(self) -> bool:
        """Whether every edge is decided, and the lines are a solution."""
        return self.open_edges == 0 and int(self.state.n[kernel.LEFT]) == 0

    @property
    def depth(self) -> int:
        """The greatest depth of a guess that decided something."""
        return int(self.state.n[kernel.DEPTH])

    @property
    def trials(self) -> int:
        """The number of guesses that were followed."""
        return int(self.state.n[kernel.TRIALS])

    def lines(self) -> Solution:
        """The lines so far."""
        found = np.flatnonzero(self.state.edge == kernel.LINE)
        return Solution(self.model.lattice, tuple(found.tolist()))

    def crosses(self) -> tuple[int, ...]:
        """The edges that are crosses, by id."""
        return tuple(map(int, np.flatnonzero(self.state.edge == kernel.CROSS)))


def _frame(model: LinkModel, deck: Deck, without: set[int]) -> tuple[kernel.Frame, Laid]:
    """The frame, and the rules laid on the board."""
    lattice = model.lattice
    rim = rim_between(lattice, model.terminals[0]) if len(model.terminals) == 1 else None
    coloured = model.loop or rim is not None
    degrees = np.frombuffer(model.degrees, dtype=np.uint8).astype(np.int64)
    faces = np.frombuffer(model.faces, dtype=np.uint8).astype(np.int64)
    terminal = np.zeros(lattice.num_vertices, dtype=np.int64)
    for label, pair in enumerate(model.terminals, start=1):
        terminal[list(pair)] = label
    ends = terminal.reshape(lattice.rows, lattice.cols) > 0
    local = coloured and _is_local(degrees)
    # For each straight cut, rows first, whether an odd number of path ends lies before it.
    before = np.concatenate([ends.sum(axis=1).cumsum()[:-1], ends.sum(axis=0).cumsum()[:-1]])
    # The clue of each face, -1 for none.
    clue_of = np.full(ANY_COUNT + 1, -1, dtype=np.int64)
    clue_of[[1 << value for value in range(5)]] = range(5)
    clues = clue_of[faces].reshape(lattice.rows - 1, lattice.cols - 1)
    laid = (deck if local else Deck.of(())).lay(lattice, clues, ends)
    enabled = np.ones((2, rules.TECHNIQUES), dtype=np.int64)
    enabled[:, list(without)] = 0
    if coloured:
        enabled[1, list(NOT_IN_GUESSES)] = 0
    else:
        enabled[:, [rules.COLOUR, rules.SHADE, rules.REGION]] = 0
    if model.loop:
        enabled[:, rules.POCKET] = 0
    pairs = 1 if model.loop else len(model.terminals)
    frame = kernel.Frame(
        **geometry(lattice, rim or ()),
        **laid.arrays,
        degrees=degrees,
        clues=faces,
        terminal=terminal,
        cut_odd=(before % 2).astype(np.int64),
        cell_on=_free_cells(faces.reshape(clues.shape) != ANY_COUNT, ends, local),
        free_fills=lasting_fills(),
        arithmetic=_arithmetic(),
        enabled=enabled,
        rules=np.array([model.loop, pairs, coloured, model.is_free, lattice.cols], dtype=np.int64),
    )
    return frame, laid


def _is_local(degrees: Ints) -> bool:
    """Whether dots have 0 or 2 lines: there rules and completions of windows hold."""
    return bool(np.all((degrees == PASS_OR_SKIP) | (degrees == END)))


@cache
def _arithmetic() -> Ints:
    """What lines and crosses around a vertex or face imply: see `kernel.IMPOSSIBLE`."""
    table = np.full((32, 5, 5), kernel.IMPOSSIBLE, dtype=np.int64)
    for mask, lines, crosses in product(range(32), range(5), range(5)):
        possible = [n for n in range(lines, 5 - crosses) if mask >> n & 1]
        if possible:
            found = kernel.NOTHING
            if lines + crosses < 4 and possible == [lines]:
                found = kernel.ALL_CROSSES
            elif lines + crosses < 4 and possible == [4 - crosses]:
                found = kernel.ALL_LINES
            table[mask, lines, crosses] = found
    return table


def _free_cells(clued: NDArray[np.bool_], ends: NDArray[np.bool_], local: bool) -> Ints:
    """0 for each cell that has no rule, nor any neighbour, nor an end at its dots; else -1."""
    clued = np.pad(clued, 1)
    near = clued[1:-1, 1:-1] | clued[:-2, 1:-1] | clued[2:, 1:-1] | clued[1:-1, :-2]
    dots = ends[:-1, :-1] | ends[:-1, 1:] | ends[1:, :-1] | ends[1:, 1:]
    return np.where(near | clued[1:-1, 2:] | dots | (not local), -1, 0).ravel()


def _zeros(*shape: int) -> Ints:
    return np.zeros(shape, dtype=np.int64)


def _state(model: LinkModel, frame: kernel.Frame, laid: Laid, hidden: bool) -> kernel.State:
    lattice = model.lattice
    counts = np.full_like(frame.clues, ANY_COUNT) if hidden else frame.clues.copy()
    shown = (counts != ANY_COUNT).reshape(lattice.rows - 1, lattice.cols - 1)
    windows = np.concatenate([blocks(shown, side).sum(axis=1) for side in (2, 3)])
    if not (frame.rules[kernel.HAS_COLOURS] and _is_local(frame.degrees)):
        # Never above 0, however many clues come.
        windows -= lattice.num_faces
    edges, vertices, faces = lattice.num_edges, lattice.num_vertices, lattice.num_faces
    items = max(vertices, faces + 2)
    size = np.ones(items, dtype=np.int64)
    if frame.rules[kernel.HAS_COLOURS]:
        # The outside is never the smaller part of a merge: it has no ring of edges to look along.
        size[faces:] = items
    masks = np.concatenate([frame.degrees, counts])
    absent = np.concatenate([(frame.around < 0).sum(axis=1), np.zeros(faces, dtype=np.int64)])
    # An end asks for no look at its sides, nor does a face without a clue.
    sites = masks * np.concatenate([frame.degrees != END, counts != ANY_COUNT])
    n = _zeros(kernel.NUMBERS)
    n[kernel.UNDECIDED] = edges
    n[kernel.UNMET] = np.count_nonzero(masks & 1 == 0)
    n[kernel.LEFT] = frame.rules[kernel.PAIRS]
    n[kernel.BUDGET] = -1
    state = kernel.State(
        edge=_zeros(edges),
        trail=_zeros(edges + 1),
        why=_zeros(edges + 1),
        where=_zeros(edges + 1),
        counts=counts,
        missing=hidden * laid.clues,
        window_clues=windows,
        site_mask=sites,
        joined=_zeros(edges + 1),
        labels_before=_zeros(edges + 1, 2),
        lines=_zeros(vertices + faces),
        crosses=absent.astype(np.int64),
        cut_open=np.diff(frame.cut_start),
        cut_lines=_zeros(len(frame.cut_start) - 1),
        mate=np.arange(vertices, dtype=np.int64),
        label=frame.terminal.copy(),
        heads=_zeros(rules.TECHNIQUES),
        parent=np.arange(items, dtype=np.int64),
        odd=_zeros(items),
        size=size,
        following=np.arange(items, dtype=np.int64),
        merged=_zeros(items),
        waiting=_zeros(4, vertices + faces),
        is_waiting=_zeros(4, vertices + faces),
        ways=_zeros(len(windows), kernel.WAYS),
        ways_known=_zeros(len(windows)),
        snapshots=_zeros(MAX_DEPTH + 1, edges),
        agreed=_zeros(MAX_DEPTH + 1, edges),
        cursors=_zeros(MAX_DEPTH + 1),
        chosen=_zeros(faces),
        n=n,
    )
    run(frame, state, kernel.RELATE, 0, 0)
    return state
