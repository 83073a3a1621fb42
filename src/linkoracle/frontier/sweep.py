"""`Sweep`: run a pass, with memory limits, lookahead and progress.

Within a step the kernel itself checks the deadline and Ctrl-C.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkoracle.board import END, LinkModel, flat
from linkoracle.core import (
    Deadline,
    MemoryLimit,
    checked_memory,
    counted,
    default_limit,
    processors,
    shown_size,
)
from linkoracle.frontier.blank.board import count_words
from linkoracle.frontier.pass_kernel import Prospects
from linkoracle.frontier.plan import Plan, Register, rows
from linkoracle.frontier.running import SHARED_STATES, Step, Threads
from linkoracle.frontier.steps import NEVER, NONE

#: The initial capacity of a pass in states, enough for small puzzles.
FIRST_STATES = 1 << 12
#: The bytes of a plan per vertex, including the arrays of its lattice.
_PLAN_BYTES = 1000
#: The most bytes that a pass takes without a check of the free memory.
_UNCHECKED_BYTES = 1 << 26


#: The widest board in `least_kept`: wider ones keep more than any machine has.
_MOST_WIDTH = 40


def least_kept(model: LinkModel) -> int:
    """Return a lower bound in bytes for the kept layers of a blank board, 0 for other boards.

    At the start of a row, a state of a loop is a string with an end or a gap for each column. Ends
    are nested at most as deep as there are rows above. Before each later vertex of the row, there
    are further states: that vertex has two edges, and the others are such a string. The first and
    the last row are ignored. From 9x9 vertices on, the bound is nine tenths of what one thread
    keeps.

    A path between two ends has as many states on most boards. On all tested boards of up to 13x11
    vertices it has at least 0.96 times as many. The bound assumes half as many.

    >>> from linkoracle.board import Lattice
    >>> least_kept(LinkModel.blank_loop(Lattice(13, 13)))
    54796576
    """
    board, pairs = model.board, model.terminals
    across, down = sorted(board.vertex_shape)
    if across < 2 or len(pairs) > 1:
        return 0
    blank = LinkModel.blank_paths(board, pairs) if pairs else LinkModel.blank_loop(board)
    if model != blank:
        return 0
    width = min(across, _MOST_WIDTH)
    rows = down - 2
    depths = range(1, min(width // 2, rows + 1))
    states = 0
    for size, steps in ((width, width), (width - 1, max(0, width - 2))):
        words = sum(count_words(size, 0, False, depth) for depth in depths)
        words += max(0, rows - len(depths)) * count_words(size, 0, False)
        states += steps * words
    return 8 * states // (2 if pairs else 1)


def _check_kept(model: LinkModel, memory: int | None) -> None:
    """Raise `MemoryLimit` if a blank board keeps more layers than there is memory for."""
    least = least_kept(model)
    if least <= (memory or _UNCHECKED_BYTES):
        return
    allowed = memory or 2 * default_limit()
    if least > allowed:
        rows, cols = model.lattice.rows - 1, model.lattice.cols - 1
        lines = "paths between two ends" if model.terminals else "loops"
        raise MemoryLimit(
            f"keeping all {lines} on {rows}x{cols} cells needs at least {shown_size(least)} of "
            f"memory (limit: {shown_size(allowed)}). Choose a smaller board or a higher limit. "
            "Counting needs far less"
        )


class Sweep:
    """One pass over ``model``. With ``keep`` the records have no counts, and `layers` keeps them.

    ``threads`` (by default one for each processor) share layers of at least ``wide`` states; the
    result does not depend on their number. ``order`` is that of all vertices (`Steps`). With
    ``by_step`` the pass yields after each vertex. ``memory`` bounds the bytes of all arrays of the
    pass, including kept layers: `MemoryLimit` is raised before an array would exceed it. The
    constructor raises `MemoryLimit` if the plan alone, or the `least_kept` layers, would exceed
    ``memory`` or the free memory. Raises `SearchTimeout` at the ``deadline``.
    """

    def __init__(
        self,
        model: LinkModel,
        *,
        keep: bool = False,
        memory: int | None = None,
        by_step: bool = True,
        deadline: Deadline | None = None,
        threads: int | None = None,
        wide: int = SHARED_STATES,
        free_ends: bool = False,
        order: Sequence[int] | None = None,
    ) -> None:
        memory, board, deadline = checked_memory(memory), model.board, deadline or NEVER
        plan_bytes = _PLAN_BYTES * board.num_vertices
        if plan_bytes > _UNCHECKED_BYTES and plan_bytes > (memory or 2 * default_limit()):
            raise MemoryLimit(
                f"a frontier pass over {board.num_vertices} vertices needs "
                f"{shown_size(plan_bytes)} for its plan alone "
                f"(limit: {shown_size(memory or 2 * default_limit())}). Choose a smaller board"
            )
        if keep:
            _check_kept(model, memory)
        self.plan = Plan(
            model,
            deadline,
            by_clues=not keep,
            free_ends=free_ends,
            given_order=None if order is None else tuple(order),
        )
        self._memory, self._keep, self._kept = memory, keep, 0
        self._by_step, self._deadline = by_step, deadline
        self._threads = Threads(threads or processors())
        self._pass = self.plan.begin(
            counted=not keep,
            records=FIRST_STATES,
            memory=min(memory or sys.maxsize, sys.maxsize),
            wide=wide,
        )

    def _explained(self) -> MemoryLimit:
        """Return the error for insufficient memory."""
        step, states = self._pass.step + 1, self._pass.states
        limit = "free memory" if self._memory is None else f"{shown_size(self._memory)} allowed"
        kept = f" and {shown_size(self._kept)} of kept layers. Counting alone needs less"
        return MemoryLimit(
            f"the frontier pass needs more than the {limit}: it reached vertex {step} of "
            f"{self.plan.num_steps} with {counted(states, 'state')}{kept if self._keep else ''}. "
            "Allow more memory, or use the SAT engine, which suits puzzles with few solutions"
        )

    def _advance(self, children: NDArray[np.uint32] | None = None) -> None:
        """Take a step; without ``by_step``, all of them."""
        one_step = self._by_step or children is not None
        share = self._threads.shares
        try:
            while not self._pass.advance(self._deadline, one_step, children, share):
                # Layers have outgrown the initial capacity: with constraints, lookahead pays off.
                if self.plan.model != LinkModel.blank_loop(self.plan.model.board):
                    self._pass.foresee(Windows(self.plan).prospects())
        except MemoryLimit:
            raise self._explained() from None

    def _at(self) -> Step:
        return self._pass.step, self.plan.num_steps, self._pass.states

    def count(self) -> Generator[Step, None, int]:
        """Run the pass and return the number of solutions."""
        with self._threads:
            while self._pass.step < self.plan.num_steps and self._pass.states:
                self._advance()
                yield self._at()
        return self._pass.answer

    def layers(self) -> Generator[Step, None, list[NDArray[np.uint32]]]:
        """Run the pass and return the children of each layer: a row for each state."""
        found: list[NDArray[np.uint32]] = []
        with self._threads:
            for _ in range(self.plan.num_steps):
                rows = self._pass.rows
                if rows + 2 >> 32 - self.plan.decision_bits:
                    raise MemoryLimit(f"a layer of {rows} states is more than a diagram can number")
                width = self._pass.most_children
                try:
                    self._pass.take(4 * width * rows)
                except MemoryLimit:
                    raise self._explained() from None
                children = np.zeros((rows, width), dtype=np.uint32)
                self._kept += children.nbytes
                if rows:
                    self._advance(children)
                    yield self._at()
                found.append(children)
        return found


#: The most bits of a pattern: a step has two to the power of its bits masks, of eight bytes each.
_PATTERN_BITS = 10
#: The largest distance of a rule in a window from the decided edges, in rules.
_MOST_RULES_AWAY = 2
#: The most edges of a rule: the numbers from 0 to this are bits of one word.
_MOST_EDGES = 62
#: The bits of a mask of such numbers.
_WORD_MASK = (1 << 63) - 1


class Item(NamedTuple):
    """A part of a state in a window; `pass_kernel.pyx` explains the fields."""

    word: int
    shift: int
    mask: int
    bits: int
    rule: int
    residuals: int


@dataclass(frozen=True, eq=False)
class Windows:
    """The windows of a plan, and the rules that count free edges: of vertices, then registers.

    A window is what surrounds a vertex, for the lookahead of a pass: see `pass_kernel.pyx`. The
    tables cost more than a small pass, so `Sweep` makes them when layers have grown large enough.
    """

    plan: Plan

    @cached_property
    def step_of(self) -> list[int]:
        """The step that decides each edge, -1 for fixed ones."""
        steps = [-1] * self.plan.model.board.num_edges
        for edge, step in self.plan.decided_at.items():
            if self.plan.fixed[edge] > 1:
                steps[edge] = step
        return steps

    @cached_property
    def registers(self) -> list[Register]:
        """The registers of rules that count only edges."""
        return [one for one in self.plan.layout.registers if 0 < len(one.edges) <= _MOST_EDGES]

    @cached_property
    def rules(self) -> list[list[int]]:
        """The free edges of each rule, in the order of decision.

        None if there are too many, or if the rule is of a vertex with several steps, whose slot
        changes between these.
        """
        board, step_of = self.plan.model.board, self.step_of
        steps = Counter(self.plan.order)
        counted: list[Iterable[int]] = [
            board.edges_at(vertex) if steps[vertex] < 2 else ()
            for vertex in range(board.num_vertices)
        ]
        counted.extend(register.edges for register in self.registers)
        free = ([edge for edge in edges if step_of[edge] >= 0] for edges in counted)
        return [
            sorted(edges, key=step_of.__getitem__) if len(edges) <= _MOST_EDGES else []
            for edges in free
        ]

    @cached_property
    def rules_of(self) -> list[list[int]]:
        """The rules that count each edge."""
        found: list[list[int]] = [[] for _ in self.step_of]
        for rule, edges in enumerate(self.rules):
            for edge in edges:
                found[edge].append(rule)
        return found

    @cached_property
    def _given_at(self) -> list[list[int]]:
        """The steps that decide given edges of each vertex."""
        plan = self.plan
        found: list[list[int]] = [[] for _ in range(plan.model.board.num_vertices)]
        for edge, step in plan.decided_at.items():
            if plan.fixed[edge] == 1:
                for vertex in plan.model.board.ends(edge):
                    found[vertex].append(step)
        return list(map(sorted, found))

    def _allowed(self) -> list[int]:
        """Return for each rule the allowed numbers of its free edges, as a mask."""
        degrees, given = self.plan.degrees, self._given_at
        masks = [mask >> len(given[vertex]) for vertex, mask in enumerate(degrees)]
        masks.extend(register.tables[0].residuals[0] for register in self.registers)
        return masks

    def _residuals(self, rule: int, step: int) -> list[int]:
        """Return the meaning of each value of a field or register for the edges of a rule."""
        plan, number = self.plan, self.plan.model.board.num_vertices
        if rule < number:
            mask = plan.degrees[rule]
            full = 1 if mask == END else 2
            given = self._given_at[rule]
            ahead = len(given) - bisect_left(given, step)
            return [mask >> degree + ahead for degree in (0, full, 1, 1)]
        register = self.registers[rule - number]
        at = bisect_left(register.steps, step)
        held = [mask & _WORD_MASK for mask in register.tables[at].residuals]
        return held + [0] * ((1 << register.width) - len(held))

    def _window(self, step: int) -> list[int]:
        """Return the open rules before a step, nearest first, as many as fit."""
        plan, number = self.plan, self.plan.model.board.num_vertices
        near = [edge for edge in plan.outs[step] if self.step_of[edge] >= 0]
        seen_edges, seen, window, bits = set(near), {plan.order[step]}, [], 0
        for _ in range(_MOST_RULES_AWAY):
            found = []
            for edge in near:
                for rule in self.rules_of[edge]:
                    if rule not in seen:
                        seen.add(rule)
                        found.append(rule)
            near = []
            for rule in found:
                edges = self.rules[rule]
                if self.step_of[edges[0]] < step:
                    size = 2 if rule < number else self.registers[rule - number].width
                    if size and bits + size <= _PATTERN_BITS:
                        bits += size
                        window.append(rule)
                for edge in edges:
                    if self.step_of[edge] >= step and edge not in seen_edges:
                        seen_edges.add(edge)
                        near.append(edge)
        return window

    def prospects(self) -> Prospects:
        """Return the tables for `linkoracle.frontier.pass_kernel.Pass.foresee`."""
        plan, step_of, number = self.plan, self.step_of, self.plan.model.board.num_vertices
        slots, fields = plan.slots[0], plan.layout.fields
        items: list[Item] = []
        residuals: list[int] = []
        places: dict[tuple[int, ...], int] = {}
        item_starts, sizes = [0], []
        for step in range(plan.num_steps):
            total = 0
            for rule in self._window(step):
                held = tuple(self._residuals(rule, step))
                if held not in places:
                    places[held] = len(residuals)
                    residuals.extend(held)
                if rule < number:
                    place = fields[slots[plan.step_of[rule]]]
                    bits, width = 2, plan.layout.field_bits
                else:
                    register = self.registers[rule - number]
                    place, bits = register.place, register.width
                    width = bits
                total += bits
                items.append(Item(*divmod(place, 64), (1 << width) - 1, bits, rule, places[held]))
            item_starts.append(len(items))
            sizes.append(1 << total)
        firsts = [step_of[edges[0]] if edges else plan.num_steps for edges in self.rules]
        starts, edges = map(np.asarray, flat(self.rules))
        outs = []
        for edges_ahead, decides in zip(plan.outs, plan.carries, strict=True):
            outs.extend(edges_ahead)
            outs.extend([NONE] * decides)
        return Prospects(
            starts=starts,
            edges=edges,
            allowed=np.array(self._allowed(), dtype=np.uint64),
            first=np.array(firsts, dtype=np.int32),
            step_of=np.array(step_of, dtype=np.int32),
            outs=np.array(outs, dtype=np.int32),
            item_starts=np.array(item_starts, dtype=np.int32),
            items=rows(items, 6),
            residuals=np.array(residuals, dtype=np.uint64),
            sizes=np.array(sizes, dtype=np.int64),
        )
