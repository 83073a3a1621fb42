"""The plan of a frontier pass, as arrays that are made before it starts.

A `Plan` has the data of the steps at each vertex, in the order of `linkoracle.frontier.steps`, and
the layout of a state in 64-bit words. At the steps of a vertex the pass decides all edges to later
vertices.

**A state** between two steps consists of

* a *field* for each vertex of the frontier: a vertex to come with an edge to one that is done. The
  field says whether the vertex has no chosen edge, two, or one. With one, it names the other end
  of its path: another vertex of the frontier, or a terminal. `pass_kernel.pxd` has the codes.
  Fields are in *slots*; a slot is reused when its vertex is done.
* a *register* for each open local constraint: see `linkoracle.frontier.registers`.
* for a loop, a bit that says whether it is closed. Once it is, no more edges are chosen.

The vertices may come in any order and the board need not be plane, because a field names the slot
of the other end (*mates*: Knuth, The Art of Computer Programming 4A, 7.1.4, exercise 225).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkoracle.board import END, HOLE, PASS
from linkoracle.frontier.pass_kernel import Pass, Tables
from linkoracle.frontier.registers import (
    Registers,
    Sums,
    Table,
    edge_sums,
    grouped,
    tables,
    visit_sums,
)
from linkoracle.frontier.running import SHARED_STATES
from linkoracle.frontier.steps import NONE, Decisions, Steps

#: The smallest field value that is a slot: see `pass_kernel.pxd`.
FIRST_SLOT = 2

#: The record of a step; `pass_kernel.pxd` explains the fields.
STEP = np.dtype(
    [
        *(
            (name, np.int32)
            for name in (
                *("slot", "pair", "outs", "num_outs", "choices", "num_choices"),
                *("touches", "num_touches", "unseen", "children", "heir", "spare"),
            )
        ),
        ("allowed", np.uint64, 3),
        ("idle", np.uint64),
    ]
)


class Plan(Steps):
    """The arrays behind a pass over ``model``. O(vertices) to build. Raises what `Steps` raises.

    >>> from linkoracle.board import Lattice
    >>> from linkoracle.board import LinkModel
    >>> plan = Plan(LinkModel.blank_loop(Lattice(3, 8)).with_faces({(0, 0): 2}))
    >>> plan.layout.field_bits, len(plan.layout.registers), plan.words
    (3, 1, 1)
    """

    def _events(
        self, literals: Sequence[int], weights: Sequence[int]
    ) -> tuple[int, list[tuple[int, Sums]]]:
        """Return the constant part of a total, and the sums by the decisions of each step."""
        certain, events, fixed = 0, [], self.fixed
        num_edges = self.model.board.num_edges
        for literal, weight in zip(literals, weights, strict=True):
            positive, edge = literal > 0, abs(literal) - 1
            if edge >= num_edges:
                vertex = edge - num_edges
                if (value := self._visited(vertex)) > 1:
                    step = self.step_of[vertex]
                    events.append((step, visit_sums(self.decisions[step], weight, positive)))
            elif (value := fixed[edge]) > 1:
                step = self.decided_at[edge]
                place = self.outs[step].index(edge)
                events.append((step, edge_sums(self.decisions[step], place, weight, positive)))
            if value == positive:
                certain += weight
        return certain, events

    def _visited(self, vertex: int) -> int:
        """Return whether solutions visit a vertex: 1, 0, or 2 if that is open."""
        edges = self._at[vertex]
        if not edges:
            return 0
        must = not self.degrees[vertex] & HOLE
        return 1 if must or any(self.fixed[edge] == 1 for edge in edges) else 2

    def _counted(self, literals: Sequence[int], weights: Sequence[int]) -> tuple[int, ...]:
        """Return the free edges that a constraint counts; none if it counts other literals."""
        num_edges = self.model.board.num_edges
        if max(weights) > 1 or not all(0 < literal <= num_edges for literal in literals):
            return ()
        edges = [literal - 1 for literal in literals]
        free = [edge for edge in edges if self.fixed[edge] > 1]
        return tuple(free) if len(set(edges)) == len(edges) else ()

    @cached_property
    def layout(self) -> Layout:
        """The layout of a state."""
        codes = FIRST_SLOT + self.num_slots
        if self.num_pairs:
            codes += self.num_slots + self.num_pairs
        size = (codes - 1).bit_length()
        bits = Registers()
        fields = [bits.keep(size) for _ in range(self.num_slots)]
        closed = bits.keep(1)
        found, solvable = [], self.solvable
        for mask, literals, weights in self._constraints():
            certain, events = self._events(literals, weights)
            steps, allowed = dict(grouped(events)), mask >> certain
            if not steps:
                solvable = solvable and bool(allowed & 1)
            elif (changes := tables(allowed, tuple(steps.values()))) is not None:
                found.append((tuple(steps), changes, self._counted(literals, weights)))
        found.sort(key=_first_step)
        registers = []
        touches: list[list[_Touch]] = [[] for _ in self.order]
        for numbers, changes, counted in found:
            width = (max(table.after for table in changes) - 1).bit_length()
            place = bits.lend(width, numbers[0], numbers[-1]) if width else 0
            registers.append(Register(numbers, changes, counted, place, width))
            for step, table in zip(numbers, changes, strict=True):
                held = width if step > numbers[0] else 0
                touches[step].append(_Touch(place, held, width, table))
        return Layout(size, fields, closed, bits.words, touches, registers, solvable)

    @property
    def num_pairs(self) -> int:
        """The number of ends that a path may have: pairs, steps with named ends, 1 for any end."""
        if self.free_ends:
            return self.num_steps if self.named else 1
        return len(self.model.terminals)

    @cached_property
    def variables(self) -> NDArray[np.int32]:
        """The variable of each edge in a diagram: its index in `edge_order`."""
        return np.argsort(self.edge_order).astype(np.int32)

    @property
    def words(self) -> int:
        """The number of 64-bit words in a state."""
        return self.layout.words

    def begin(self, *, counted: bool, records: int, memory: int, wide: int = SHARED_STATES) -> Pass:
        """Begin a pass over this plan; see `Pass`. Raises `MemoryLimit`."""
        layout, (_, num_slots, behind) = self.layout, self.slots
        order = np.full((self.num_steps, num_slots + 1), NONE, dtype=np.int32)
        for step, slots in enumerate(behind):
            order[step, : len(slots)] = slots
        steps, outs, choices = self._steps()
        touches, masks, entries = _tables(layout.touches)
        given = Tables(
            steps=steps,
            outs=outs,
            choices=choices,
            touches=touches,
            masks=masks,
            entries=entries,
            fields=rows([divmod(bit, 64) for bit in layout.fields], 2),
            order=order,
            plane=self.plane,
            words=layout.words,
            decision_bits=self.decision_bits,
            field_bits=layout.field_bits,
            closed=layout.closed,
            pairs=self.num_pairs,
            loop=self.model.loop and not self.free_ends,
            free_ends=self.free_ends,
        )
        return Pass(given, counted=counted, records=records, memory=memory, wide=wide)

    def _steps(self) -> tuple[NDArray[np.void], NDArray[np.int32], NDArray[np.int32]]:
        """Return a `STEP` row for each vertex, its edges to later vertices, and its decisions."""
        slot_of, pair_of, degrees = self.slots[0], self.pair_of, self.degrees
        steps = []
        found: list[tuple[int, ...]] = []
        choices: list[tuple[int, ...]] = []
        places: dict[Decisions, int] = {}
        unseen, touched = len(pair_of), 0
        for step, (vertex, pairs, decisions, touches) in enumerate(
            zip(self.order, self.ahead, self.decisions, self.layout.touches, strict=True)
        ):
            continues, carries = self.continues[step], self.carries[step]
            pair = pair_of.get(vertex, step * self.named if self.free_ends else NONE)
            unseen -= vertex in pair_of and not continues
            if decisions not in places:
                places[decisions] = len(choices)
                choices.extend((*chosen, NONE, NONE)[:2] for chosen in decisions)
            first = len(found)
            for far, _ in pairs:
                passes = bool(degrees[self.order[far]] & PASS)
                found.append((slot_of[far], pair_of.get(self.order[far], NONE), passes))
            heir = slot_of[step + 1] if continues else NONE
            found.extend([(heir, NONE, True)] * carries)
            carrying = len(pairs) if continues else NONE
            allowed = allowed_by(decisions, degrees[vertex], carrying)
            if not self.layout.solvable:
                allowed = (0, 0, 0)
            steps.append(
                (
                    *(slot_of[step], pair, first, len(found) - first),
                    *(places[decisions], len(decisions), touched, len(touches), unseen),
                    *(max(map(int.bit_count, allowed)), heir, 0),
                    allowed,
                    int(bool(decisions) and not decisions[0]),
                )
            )
            touched += len(touches)
        return np.array(steps, dtype=STEP), rows(found, 3), rows(choices, 2)


@lru_cache(maxsize=1 << 10)
def allowed_by(decisions: Decisions, degrees: int, carrying: int = NONE) -> tuple[int, int, int]:
    """Return masks of the decisions after no edge, after two (or a terminal's), and after one.

    If the vertex has a further step, ``carrying`` is the place that stands for carrying a path on.
    With one chosen edge the path is carried, even if it ends there, except at a terminal.

    >>> from linkoracle.frontier.steps import decisions_of
    >>> allowed_by(decisions_of(2, 0, 2), 0b101)
    (9, 1, 6)
    >>> allowed_by(decisions_of(1, 0, 1), 0b010), allowed_by(decisions_of(1, 0, 1), 0b010, 1)
    ((2, 1, 1), (3, 1, 0))
    """
    numbers = [number for number in range(3) if degrees >> number & 1]
    more = [number - 1 for number in numbers if number]
    if carrying == NONE:
        sets = _by_size(decisions, numbers), _by_size(decisions, more)
    elif degrees == END:
        sets = _by_size(decisions, [0, 1]), 0
    else:
        # Of two, the one that carries is not an edge; nor does it change a vertex with one.
        carried = sum(1 << at for at, chosen in enumerate(decisions) if carrying in chosen)
        on = carried if more else 0
        passing = ~carried if degrees & PASS else 0
        pairs = _by_size(decisions, [2]) & (on | passing)
        sets = _by_size(decisions, [0]) | pairs, _by_size(decisions, [1]) & (on | passing)
    before, one = sets
    return before, _by_size(decisions, [0]) if degrees > HOLE else 0, one


def _by_size(decisions: Decisions, sizes: Sequence[int]) -> int:
    """Return the mask of the decisions of these sizes."""
    return sum(1 << at for at, chosen in enumerate(decisions) if len(chosen) in sizes)


class Register(NamedTuple):
    """The bits of a constraint in a state, between its first step and its last."""

    steps: tuple[int, ...]  # at which it changes
    tables: tuple[Table, ...]  # and how
    edges: tuple[int, ...]  # that it counts, if it counts nothing else
    place: int  # the bit where it begins
    width: int  # bits


class _Touch(NamedTuple):
    """A register that a step changes."""

    place: int  # the bit where it begins
    held: int  # bits that it has before the step
    width: int  # bits that it has afterwards
    table: Table


class Layout(NamedTuple):
    """Where everything is in a state."""

    field_bits: int
    fields: list[int]  # the bit where each slot begins
    closed: int  # the bit that says that a loop is closed
    words: int
    touches: list[list[_Touch]]  # by step
    registers: list[Register]
    solvable: bool  # whether no constraint is violated whatever is chosen


def _first_step(rule: tuple[tuple[int, ...], tuple[Table, ...], tuple[int, ...]]) -> int:
    return rule[0][0]


def _tables(
    touches: list[list[_Touch]],
) -> tuple[NDArray[np.int32], NDArray[np.uint64], NDArray[np.uint16]]:
    """Return the registers of all steps, and their tables."""
    masks: list[int] = []
    entries: list[int] = []
    placed: dict[tuple[int, int], tuple[int, int]] = {}
    found = []
    for touch in (touch for step in touches for touch in step):
        table = touch.table
        key = id(table), touch.held
        if key not in placed:
            placed[key] = len(masks), len(entries)
            # Every value of a register needs a row.
            missing = (1 << touch.held) * table.cases - len(table.rows)
            masks.extend(table.masks + [0] * missing)
            for row in table.rows:
                entries.extend(max(0, to) for to in row)
            entries.extend([0] * missing * len(table.rows[0]))
        word, shift = divmod(touch.place, 64)
        held = (1 << touch.held) - 1
        found.append((word, shift, held, (1 << touch.width) - 1, table.cases, *placed[key]))
    return (
        rows(found, 7),
        np.array(masks, dtype=np.uint64),
        np.array(entries, dtype=np.uint16),
    )


def rows(numbers: Sequence[tuple[int, ...]], width: int) -> NDArray[np.int32]:
    """Return rows of ``width`` numbers, as kernels read them."""
    return np.array(numbers, dtype=np.int32).reshape(len(numbers), width)
