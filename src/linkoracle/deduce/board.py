"""`Board`: a puzzle while it is solved by deduction.

The arrays of `linkoracle.deduce.kernel`, made from a model: what depends on the size of the board
only is kept from one board to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.model import ANY_COUNT, END, PASS, PASS_OR_SKIP, LinkModel
from linkoracle.board.solution import Solution
from linkoracle.core.limits import Deadline, checked_int
from linkoracle.deduce.geometry import geometry, lasting_fills, rim_between
from linkoracle.deduce.instances import Deck, Laid
from linkoracle.deduce.kernel import run
from linkoracle.deduce.kernel import state as kernel
from linkoracle.deduce.kernel.state import Frame, State
from linkoracle.deduce.rules import (
    COLOUR,
    GIVEN,
    POCKET,
    REGION,
    SHADE,
    TECHNIQUES,
    UNIQUE,
    WIDE,
    WINDOW,
    all_rules,
)

Ints = NDArray[np.int64]

#: The deepest guess.
MAX_DEPTH = 6

#: Seconds between two looks at the clock while the kernel guesses.
_WATCH = 0.02

#: Techniques that are left out while a guess is followed: they are slow for what they find there.
NOT_IN_GUESSES = frozenset({WINDOW, WIDE, UNIQUE})


@cache
def standard_deck() -> Deck:
    """The rules of the rule file, ready to be laid on boards."""
    return Deck.of(all_rules())


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
            left_out.add(int(UNIQUE))
        if hidden and uniqueness:
            raise ValueError("where clues come and go nothing can be said of places without clues")
        self.frame, self.laid = _frame(model, self.deck, left_out)
        self.state = _state(model, self.frame, self.laid, hidden)

    def _run(self, task: int, argument: int = 0, other: int = 0) -> bool:
        return bool(run(self.frame, self.state, task, argument, other))

    def put(self, literals: Iterable[int], technique: int = int(GIVEN)) -> bool:
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
        return self._guess(depth, Deadline(timeout), budget)

    def _guess(self, depth: int, deadline: Deadline, budget: int = -1) -> bool:
        checked_int(depth, "a depth of guesses", 0, MAX_DEPTH)
        self.state.n[kernel.BUDGET] = budget
        if not depth:
            return True
        if deadline.never:
            return self._run(kernel.GUESS, depth)
        deadline.check()
        with self._ended_at(deadline):
            return self._run(kernel.GUESS, depth)

    @contextmanager
    def _ended_at(self, deadline: Deadline) -> Iterator[None]:
        """Take the guesses' budget away when the time is over; then `SearchTimeout`."""

        def stop() -> None:
            # The kernel may count a guess at this very moment; `stop` is called again.
            self.state.n[kernel.BUDGET] = 0

        with deadline.interrupting(stop):
            yield

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
        found: list[int] = np.flatnonzero(self.state.edge == kernel.CROSS).tolist()
        return tuple(found)


def _frame(model: LinkModel, deck: Deck, without: set[int]) -> tuple[Frame, Laid]:
    """The frame, and the rules laid on the board."""
    lattice = model.lattice
    rim = rim_between(lattice, model.terminals[0]) if len(model.terminals) == 1 else None
    coloured = model.loop or rim is not None
    shape = geometry(lattice, rim or ())
    degrees = np.frombuffer(model.degrees, dtype=np.uint8).astype(np.int64)
    terminal = np.zeros(lattice.num_vertices, dtype=np.int64)
    for label, pair in enumerate(model.terminals, start=1):
        terminal[list(pair)] = label
    ends = terminal.reshape(lattice.rows, lattice.cols) > 0
    local = coloured and _is_local(degrees)
    clues = _clues(model)
    rules = deck if local else _no_rules()
    laid = rules.lay(clues, shape.right, shape.down, np.ascontiguousarray(np.argwhere(ends)))
    enabled = np.ones((2, TECHNIQUES), dtype=np.int64)
    enabled[:, list(without)] = 0
    if coloured:
        enabled[1, list(NOT_IN_GUESSES)] = 0
    else:
        enabled[:, [COLOUR, SHADE, REGION]] = 0
    if model.loop:
        enabled[:, POCKET] = 0
    pairs = 1 if model.loop else len(model.terminals)
    frame = Frame(
        ends=shape.ends,
        around=shape.around,
        sides=shape.sides,
        ring=shape.ring,
        degrees=degrees,
        clues=np.frombuffer(model.faces, dtype=np.uint8).astype(np.int64),
        terminal=terminal,
        cut_of=shape.cut_of,
        cut_start=shape.cut_start,
        cut_edges=shape.cut_edges,
        cut_odd=_cut_parities(ends),
        premises=laid.premises,
        conclusions=laid.conclusions,
        watch_start=laid.watch_start,
        watchers=laid.watchers,
        statics=laid.statics,
        asked_start=laid.asked_start,
        asked_by=laid.asked_by,
        techniques=laid.techniques,
        window_first=shape.window_first,
        window_faces=shape.window_faces,
        window_dots=shape.window_dots,
        face_start=shape.face_start,
        windows_at=shape.windows_at,
        cell_edges=shape.cell_edges,
        cell_start=shape.cell_start,
        cells_of=shape.cells_of,
        cell_on=_free_cells(model, ends, local),
        free_fills=lasting_fills(),
        rim=shape.rim,
        site_faces=shape.site_faces,
        site_pairs=shape.site_pairs,
        arithmetic=_arithmetic(),
        enabled=enabled,
        rules=np.array([model.loop, pairs, coloured, model.is_free, lattice.cols], dtype=np.int64),
    )
    return frame, laid


def _is_local(degrees: Ints) -> bool:
    """Whether dots have 0 or 2 lines: there rules and completions of windows hold."""
    return bool(np.all((degrees == PASS_OR_SKIP) | (degrees == END)))


@cache
def _no_rules() -> Deck:
    return Deck.of(())


@cache
def _arithmetic() -> Ints:
    """What lines and crosses around a vertex or face imply: see `kernel.IMPOSSIBLE`."""
    table = np.full((32, 5, 5), kernel.IMPOSSIBLE, dtype=np.int64)
    for mask in range(32):
        for lines in range(5):
            for crosses in range(5 - lines):
                possible = [n for n in range(lines, 5 - crosses) if mask >> n & 1]
                if not possible:
                    continue
                found = kernel.NOTHING
                if lines + crosses < 4:
                    if possible[-1] == lines:
                        found = kernel.ALL_CROSSES
                    elif possible[0] == 4 - crosses:
                        found = kernel.ALL_LINES
                table[mask, lines, crosses] = found
    return table


def _clues(model: LinkModel) -> Ints:
    """The clue of each face, -1 for none: shape ``(rows, cols)`` of the faces."""
    clue_of = np.full(ANY_COUNT + 1, -1, dtype=np.int64)
    clue_of[[1 << value for value in range(5)]] = range(5)
    shape = model.lattice.rows - 1, model.lattice.cols - 1
    return clue_of[np.frombuffer(model.faces, dtype=np.uint8)].reshape(shape)


def _cut_parities(ends: NDArray[np.bool_]) -> Ints:
    """For each straight cut, rows first, whether an odd number of path ends lies before it."""
    rows, cols = ends.sum(axis=1).cumsum()[:-1], ends.sum(axis=0).cumsum()[:-1]
    return (np.concatenate([rows, cols]) % 2).astype(np.int64)


def _free_cells(model: LinkModel, ends: NDArray[np.bool_], local: bool) -> Ints:
    """0 for each cell that has no rule, nor any neighbour, nor an end at its dots; else -1."""
    shape = model.lattice.rows - 1, model.lattice.cols - 1
    clued = np.pad(np.frombuffer(model.faces, dtype=np.uint8).reshape(shape) != ANY_COUNT, 1)
    near = clued[1:-1, 1:-1] | clued[:-2, 1:-1] | clued[2:, 1:-1] | clued[1:-1, :-2]
    off = near | clued[1:-1, 2:] | (_block_sums(ends, 2) > 0) | (not local)
    return np.where(off, -1, 0).ravel()


def _block_sums(marks: NDArray[np.bool_], side: int) -> Ints:
    """How many marks lie in each block of ``side`` x ``side``."""
    rows, cols = marks.shape[0] - side + 1, marks.shape[1] - side + 1
    found = np.zeros((max(rows, 0), max(cols, 0)), dtype=np.int64)
    for row in range(side if found.size else 0):
        for col in range(side):
            found += marks[row : row + rows, col : col + cols]
    return found


def _state(model: LinkModel, frame: Frame, laid: Laid, hidden: bool) -> State:
    lattice = model.lattice
    counts = np.full_like(frame.clues, ANY_COUNT) if hidden else frame.clues.copy()
    shown = (counts != ANY_COUNT).reshape(lattice.rows - 1, lattice.cols - 1)
    windows = np.concatenate([_block_sums(shown, side).ravel() for side in (2, 3)])
    if not (frame.rules[kernel.HAS_COLOURS] and _is_local(frame.degrees)):
        # Never above 0, however many clues come.
        windows -= lattice.num_faces
    edges, vertices, faces = lattice.num_edges, lattice.num_vertices, lattice.num_faces
    items = max(vertices, faces + 2)
    size = np.ones(items, dtype=np.int64)
    if frame.rules[kernel.HAS_COLOURS]:
        # The outside is never the smaller part of a merge: it has no ring of edges to look along.
        size[faces:] = items
    zero_lines = np.concatenate([frame.degrees, counts]) & 1
    n = np.zeros(kernel.NUMBERS, dtype=np.int64)
    n[kernel.UNDECIDED] = edges
    n[kernel.UNMET] = np.count_nonzero(zero_lines == 0)
    n[kernel.LEFT] = frame.rules[kernel.PAIRS]
    n[kernel.BUDGET] = -1
    waiting = vertices + faces
    state = State(
        edge=np.zeros(edges, dtype=np.int64),
        trail=np.zeros(edges + 1, dtype=np.int64),
        why=np.zeros(edges + 1, dtype=np.int64),
        where=np.zeros(edges + 1, dtype=np.int64),
        counts=counts,
        missing=hidden * np.count_nonzero(laid.asks >= 0, axis=1).astype(np.int64),
        window_clues=windows,
        site_mask=np.concatenate(
            [
                np.where(frame.degrees == END, 0, frame.degrees),
                np.where(counts == ANY_COUNT, 0, counts),
            ]
        ).astype(np.int64),
        joined=np.zeros(edges + 1, dtype=np.int64),
        labels_before=np.zeros((edges + 1, 2), dtype=np.int64),
        lines=np.zeros(vertices + faces, dtype=np.int64),
        crosses=np.concatenate(
            [(frame.around < 0).sum(axis=1), np.zeros(faces, dtype=np.int64)]
        ).astype(np.int64),
        cut_open=np.diff(frame.cut_start).astype(np.int64),
        cut_lines=np.zeros(len(frame.cut_start) - 1, dtype=np.int64),
        mate=np.arange(vertices, dtype=np.int64),
        label=frame.terminal.copy(),
        heads=np.zeros(TECHNIQUES, dtype=np.int64),
        parent=np.arange(items, dtype=np.int64),
        odd=np.zeros(items, dtype=np.int64),
        size=size,
        following=np.arange(items, dtype=np.int64),
        merged=np.zeros((items, 6), dtype=np.int64),
        waiting=np.zeros((4, waiting), dtype=np.int64),
        is_waiting=np.zeros((4, waiting), dtype=np.int64),
        ways=np.zeros((len(windows), kernel.WAYS), dtype=np.int64),
        ways_known=np.zeros(len(windows), dtype=np.int64),
        snapshots=np.zeros((MAX_DEPTH + 1, edges), dtype=np.int64),
        agreed=np.zeros((MAX_DEPTH + 1, edges), dtype=np.int64),
        cursors=np.zeros(MAX_DEPTH + 1, dtype=np.int64),
        chosen=np.zeros(faces, dtype=np.int64),
        n=n,
    )
    run(frame, state, kernel.RELATE, 0, 0)
    return state
