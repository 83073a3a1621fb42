"""The window around each vertex, for the lookahead of a pass: see `pass_kernel.pyx`.

The tables cost more than a small pass, so `Sweep` makes them when layers have grown large enough.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkoracle.board.board import flat
from linkoracle.board.model import END
from linkoracle.frontier.plan import Plan, Register, rows
from linkoracle.frontier.steps import NONE

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
    """The windows of a plan, and the rules that count free edges: of vertices, then registers."""

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

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """Return all arrays for `linkoracle.frontier.pass_kernel.Pass.foresee`."""
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
        return (
            *(starts, edges, np.array(self._allowed(), dtype=np.uint64)),
            *(np.array(firsts, dtype=np.int32), np.array(step_of, dtype=np.int32)),
            np.array(outs, dtype=np.int32),
            *(np.array(item_starts, dtype=np.int32), rows(items, 6)),
            *(np.array(residuals, dtype=np.uint64), np.array(sizes, dtype=np.int64)),
        )
