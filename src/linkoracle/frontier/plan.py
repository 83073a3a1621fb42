"""What a frontier pass has to do, laid out as arrays before it starts.

A `Plan` brings the vertices of a `LinkModel` into an order, and writes down for every vertex what
the step there needs to know; and it decides how a state is packed into 64-bit words. At the step
of a vertex the pass decides all edges to later vertices. Edges that no solution has, as far as
probing finds out, are left out, and so are vertices without others.

**A state** stands between two steps. It has

* a *field* for each vertex of the frontier: a vertex to come with an edge to one that is done. The
  field says whether the vertex has no chosen edge, two, or one, and then where the path ends that
  comes to it: at another vertex of the frontier, or at a terminal. `spec.pxd` has the codes.
  Fields stand in *slots*; a slot is used again when its vertex is done.
* a *register* for each local constraint that is open: see `linkoracle.frontier.registers`.
* for a loop, a bit that says that it is closed. Nothing more is chosen then.

The vertices may come in any order and the board need not be plane, since a field names the slot of
the other end (*mates*: Knuth, The Art of Computer Programming 4A, 7.1.4, exercise 225).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.lattice import Lattice
from linkoracle.board.model import END, PASS, PASS_OR_SKIP, LinkModel
from linkoracle.core.errors import NotSupported
from linkoracle.core.limits import Deadline
from linkoracle.frontier.decisions import (
    Decisions,
    allowed_by,
    decisions_of,
    edge_sums,
    visit_sums,
)
from linkoracle.frontier.order import vertex_order
from linkoracle.frontier.pass_kernel import MAX_DECISIONS, Pass
from linkoracle.frontier.registers import Registers, Sums, Table, grouped, tables
from linkoracle.frontier.sharing import WIDE
from linkoracle.sat.rules_kernel import Rules

#: In place of a slot, an edge or a pair: none.
_NONE = -1
#: The first number in a field that names a slot: see `state.pxd`.
_FIRST_SLOT = 2

#: For what has no time limit; Ctrl-C stops it all the same.
NEVER = Deadline(None)

#: What is told of each vertex, in the order of the pass; `state.pxd` says what the fields mean.
STEP = np.dtype(
    [
        *(
            (name, np.int32)
            for name in (
                *("slot", "pair", "outs", "num_outs", "choices", "num_choices"),
                *("touches", "num_touches", "unseen", "children"),
            )
        ),
        ("allowed", np.uint64, 3),
        ("idle", np.uint64),
    ]
)


@dataclass(frozen=True, eq=False)
class Plan:
    """The arrays behind a pass over ``model``. O(vertices) to build.

    Raises `NotSupported` for a model with auxiliary variables, and for a vertex with very many
    edges to later ones; `SearchTimeout` at the ``deadline``.

    >>> from linkoracle.board.lattice import Lattice
    >>> plan = Plan(LinkModel.blank_loop(Lattice(3, 8)))
    >>> plan.num_steps, plan.num_slots, plan.words, plan.outs[0]
    (24, 3, 1, [1, 0])
    """

    model: LinkModel
    deadline: Deadline = NEVER

    def __post_init__(self) -> None:
        if self.model.has_auxiliary:
            raise NotSupported("the frontier engine does not take auxiliary variables")
        if not self.model.board.num_vertices:
            raise NotSupported("the frontier engine does not take a board without vertices")

    # ---- what is decided when --------------------------------------------------------------------

    @cached_property
    def solvable(self) -> bool:
        """Whether the local constraints alone do not exclude every solution."""
        return self._rules.settle(self.deadline)

    @cached_property
    def _rules(self) -> Rules:
        return Rules(self.model)

    @cached_property
    def fixed(self) -> bytes:
        """For each edge 1 if every solution has it, 0 if none has, else 2."""
        return self._rules.fixed() if self.solvable else bytes(self.model.board.num_edges)

    @cached_property
    def _at(self) -> list[list[int]]:
        """The edges of each vertex that some solution may have."""
        ends, fixed = self.model.board.layout.edge_ends, self.fixed
        found: list[list[int]] = [[] for _ in range(self.model.board.num_vertices)]
        for edge, value in enumerate(fixed):
            if value:
                found[ends[2 * edge]].append(edge)
                found[ends[2 * edge + 1]].append(edge)
        return found

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The vertices that a solution may visit, or must, in the order of the pass."""
        vertices, degrees = vertex_order(self.model.board), self.model.degrees
        kept = (vertex for vertex in vertices if self._at[vertex] or not degrees[vertex] & 1)
        # A pass has a step.
        return tuple(kept) or vertices[:1]

    @property
    def num_steps(self) -> int:
        return len(self.order)

    @cached_property
    def step_of(self) -> list[int]:
        """The step of each vertex, -1 for one without."""
        steps = [_NONE] * self.model.board.num_vertices
        for step, vertex in enumerate(self.order):
            steps[vertex] = step
        return steps

    @cached_property
    def outs(self) -> list[list[int]]:
        """By step the edges to later vertices, in the order of these."""
        ends, step_of = self.model.board.layout.edge_ends, self.step_of
        found = []
        for step, vertex in enumerate(self.order):
            later = []
            for edge in self._at[vertex]:
                far = step_of[ends[2 * edge] + ends[2 * edge + 1] - vertex]
                if far > step:
                    later.append((far, edge))
            later.sort()
            found.append([edge for _, edge in later])
        return found

    @cached_property
    def decided_at(self) -> dict[int, int]:
        """The step at which each edge is decided that is not left out."""
        return {edge: step for step, outs in enumerate(self.outs) for edge in outs}

    @cached_property
    def steps(self) -> list[list[int]]:
        """By vertex of the board, in order, all its edges to later ones, in the order of these."""
        board = self.model.board
        vertices = vertex_order(board)
        place = {vertex: at for at, vertex in enumerate(vertices)}
        found: list[list[tuple[int, int]]] = [[] for _ in vertices]
        for edge in range(board.num_edges):
            one, other = sorted(map(place.__getitem__, board.ends(edge)))
            found[one].append((other, edge))
        return [[edge for _, edge in sorted(later)] for later in found]

    @cached_property
    def edge_order(self) -> tuple[int, ...]:
        """All edge ids, in the order in which a pass over the blank board decides them."""
        return tuple(edge for edges in self.steps for edge in edges)

    @cached_property
    def decision_bits(self) -> int:
        """Bits of a decision in a child that is kept."""
        return max(1, max(map(len, self.decisions)).bit_length())

    @cached_property
    def decisions(self) -> list[Decisions]:
        """By step the sets of places in `outs` that may be chosen."""
        fixed, degrees, found = self.fixed, self.model.degrees, []
        for vertex, outs in zip(self.order, self.outs, strict=True):
            given = 0
            for place, edge in enumerate(outs):
                given |= (fixed[edge] == 1) << place
            decisions = decisions_of(len(outs), given, 1 if degrees[vertex] == END else 2)
            if len(decisions) > MAX_DECISIONS:
                raise NotSupported(
                    f"the frontier engine chooses from up to {MAX_DECISIONS} sets of edges at a "
                    f"vertex, and vertex {vertex} has {len(decisions)}"
                )
            found.append(decisions)
        return found

    # ---- the frontier ----------------------------------------------------------------------------

    @cached_property
    def slots(self) -> tuple[list[int], int, list[list[int]]]:
        """The slot of each vertex, how many there are, and those in use behind each step."""
        ends, along = self.model.board.layout.edge_ends, self._along
        slot_of = [_NONE] * self.model.board.num_vertices
        free: list[int] = []
        number = 0
        # Slots in use, with the place of their vertex along the frontier.
        used: dict[int, int] = {}
        behind = []
        for vertex, outs in zip(self.order, self.outs, strict=True):
            if slot_of[vertex] != _NONE:
                free.append(slot_of[vertex])
                del used[slot_of[vertex]]
            for edge in outs:
                far = ends[2 * edge] + ends[2 * edge + 1] - vertex
                if slot_of[far] == _NONE:
                    if not free:
                        free.append(number)
                        number += 1
                    slot_of[far] = free.pop()
                    used[slot_of[far]] = along[far]
            behind.append(sorted(used, key=used.__getitem__))
        return slot_of, number, behind

    @property
    def num_slots(self) -> int:
        """Vertices on the frontier, at most."""
        return self.slots[1]

    @property
    def plane(self) -> bool:
        """Whether `slots` in use stand along the frontier, from one end to the other."""
        return isinstance(self.model.board, Lattice)

    @cached_property
    def _along(self) -> list[int]:
        """By vertex a number that grows along the frontier of a square board."""
        board = self.model.board
        if not isinstance(board, Lattice):
            return self.step_of
        if board.cols > board.rows:
            return [vertex // board.cols for vertex in range(board.num_vertices)]
        return [vertex % board.cols for vertex in range(board.num_vertices)]

    @cached_property
    def _pair_of(self) -> dict[int, int]:
        """By terminal its pair."""
        return {vertex: pair for pair, ends in enumerate(self.model.terminals) for vertex in ends}

    # ---- rules -----------------------------------------------------------------------------------

    def _constraints(self) -> Iterator[tuple[int, Sequence[int], Sequence[int]]]:
        """Yield every local constraint: a mask of totals, literals, and their weights."""
        model, board = self.model, self.model.board
        for face, (mask, free) in enumerate(zip(model.faces, board.free_masks, strict=True)):
            if mask != free:
                literals = [edge + 1 for edge in board.edges_of(face)]
                yield mask, literals, [1] * len(literals)
        for count in model.counts:
            yield count.allowed, count.literals, [1] * len(count.literals)
        for clause in model.clauses:
            yield (2 << len(clause)) - 2, clause, [1] * len(clause)
        for shape in model.shapes:
            literals = [edge + 1 for edge in board.edges_at(shape.vertex)]
            yield shape.allowed, literals, [1 << at for at in range(len(literals))]

    def _events(
        self, literals: Sequence[int], weights: Sequence[int]
    ) -> tuple[int, list[tuple[int, Sums]]]:
        """What is added to a total whatever is chosen, and by the decisions of which step."""
        certain, events, fixed = 0, [], self.fixed
        num_edges = self.model.board.num_edges
        for literal, weight in zip(literals, weights, strict=True):
            wanted, edge = literal > 0, abs(literal) - 1
            if edge >= num_edges:
                vertex = edge - num_edges
                if (value := self._visited(vertex)) > 1:
                    step = self.step_of[vertex]
                    events.append((step, visit_sums(self.decisions[step], weight, wanted)))
            elif (value := fixed[edge]) > 1:
                step = self.decided_at[edge]
                place = self.outs[step].index(edge)
                events.append((step, edge_sums(self.decisions[step], place, weight, wanted)))
            if value == wanted:
                certain += weight
        return certain, events

    def _visited(self, vertex: int) -> int:
        """Whether a solution visits a vertex: 1, 0, or 2 if some may and others not."""
        edges = self._at[vertex]
        if not edges:
            return 0
        must = self.model.degrees[vertex] in (PASS, END)
        return 1 if must or any(self.fixed[edge] == 1 for edge in edges) else 2

    def _counted(self, literals: Sequence[int], weights: Sequence[int]) -> tuple[int, ...]:
        """The edges that a rule counts, without those that are fixed; none if it counts others."""
        num_edges = self.model.board.num_edges
        if max(weights) > 1 or not all(0 < literal <= num_edges for literal in literals):
            return ()
        edges = [literal - 1 for literal in literals]
        free = [edge for edge in edges if self.fixed[edge] > 1]
        return tuple(free) if len(set(edges)) == len(edges) else ()

    @cached_property
    def layout(self) -> Layout:
        """Where everything is in a state."""
        codes = _FIRST_SLOT + self.num_slots
        if self.model.terminals:
            codes += self.num_slots + len(self.model.terminals)
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
    def words(self) -> int:
        """Words of 64 bits in a state."""
        return self.layout.words

    # ---- for the kernel --------------------------------------------------------------------------

    def begin(self, *, counted: bool, records: int, memory: int, wide: int = WIDE) -> Pass:
        """A pass over this plan; see `Pass`. Raises `MemoryLimit`."""
        layout, (_, num_slots, behind) = self.layout, self.slots
        order = np.full((self.num_steps, num_slots + 1), _NONE, dtype=np.int32)
        for step, slots in enumerate(behind):
            order[step, : len(slots)] = slots
        steps, outs, choices = self._steps()
        touches, masks, entries = _tables(layout.touches)
        return Pass(
            steps,
            outs,
            choices,
            touches,
            masks,
            entries,
            rows([divmod(bit, 64) for bit in layout.fields], 2),
            order,
            plane=self.plane,
            words=layout.words,
            decision_bits=self.decision_bits,
            field_bits=layout.field_bits,
            closed=layout.closed,
            pairs=len(self.model.terminals),
            loop=self.model.loop,
            counted=counted,
            records=records,
            memory=memory,
            wide=wide,
        )

    def _steps(self) -> tuple[NDArray[np.void], NDArray[np.int32], NDArray[np.int32]]:
        """A row of `STEP` for each vertex, of its edges to later ones, and of its decisions."""
        slot_of, pair_of, degrees = self.slots[0], self._pair_of, self.model.degrees
        ends = self.model.board.layout.edge_ends
        steps = []
        found: list[tuple[int, ...]] = []
        choices: list[tuple[int, ...]] = []
        places: dict[Decisions, int] = {}
        unseen, touched = len(pair_of), 0
        for vertex, outs, decisions, touches in zip(
            self.order, self.outs, self.decisions, self.layout.touches, strict=True
        ):
            pair = pair_of.get(vertex, _NONE)
            unseen -= pair >= 0
            if decisions not in places:
                places[decisions] = len(choices)
                choices.extend((*chosen, _NONE, _NONE)[:2] for chosen in decisions)
            allowed = allowed_by(decisions, degrees[vertex]) if self.layout.solvable else (0, 0, 0)
            steps.append(
                (
                    *(slot_of[vertex], pair, len(found), len(outs)),
                    *(places[decisions], len(decisions), touched, len(touches), unseen),
                    max(map(int.bit_count, allowed)),
                    allowed,
                    int(bool(decisions) and not decisions[0]),
                )
            )
            touched += len(touches)
            for edge in outs:
                far = ends[2 * edge] + ends[2 * edge + 1] - vertex
                passes = degrees[far] in (PASS, PASS_OR_SKIP)
                found.append((slot_of[far], pair_of.get(far, _NONE), passes))
        return np.array(steps, dtype=STEP), rows(found, 3), rows(choices, 2)


class Register(NamedTuple):
    """What a state keeps of a rule between its first step and its last."""

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
    """The registers of all steps, and the tables that they share."""
    masks: list[int] = []
    entries: list[int] = []
    placed: dict[tuple[int, int], tuple[int, int]] = {}
    found = []
    for touch in (touch for step in touches for touch in step):
        table = touch.table
        key = id(table), touch.held
        if key not in placed:
            placed[key] = len(masks), len(entries)
            # Every number that a register can hold has a row.
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
    """Rows of so many numbers, as kernels take them."""
    return np.array(numbers, dtype=np.int32).reshape(len(numbers), width)


def offsets(lists: Sequence[Sequence[int]]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Where each list begins, with the end of the last one, and all items."""
    starts = np.cumsum([0, *map(len, lists)], dtype=np.int32)
    return starts, np.array([item for items in lists for item in items], dtype=np.int32)
