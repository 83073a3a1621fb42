"""The steps of a `Deduction` as sentences, each of which is a proof.

A sentence names a rule, the facts that it uses, and what follows. Facts that it does not need are
left out, one after the other, as long as the technique still finds the step from the others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from linkoracle.core import Deadline
from linkoracle.deduce.deduction import TECHNIQUES, Decision, Deduction
from linkoracle.deduce.explaining import Step
from linkoracle.deduce.groups import DEFINES, OF_WHOLE, Group
from linkoracle.kinds import Puzzle, format_place

#: Kinds of reasons, as the kernel numbers them.
RULE, CASES = 1, (65, 66)
#: More facts are not left out one by one.
_MOST = 1000
#: As many cells in line, or lines that hang together, are told by their ends.
_LONG = 3

#: A reason in words, its premises, and what states the rules that it uses.
Reason = tuple[str, list[int], list[Group]]


def steps_by_rules(puzzle: Puzzle, state: Deduction) -> list[Step]:
    """Return the steps of a deduction as sentences that name the rules.

    >>> from linkoracle.kinds import KINDS
    >>> puzzle = KINDS["masyu"](["b.w.", "....", "....", "..b."])
    >>> state = Deduction(puzzle.model)
    >>> state.run()
    True
    >>> print(steps_by_rules(puzzle, state)[0].sentence)
    There is one way for the line through r1c1: lines r1c1-r1c2 and r1c1-r2c1.
    """
    return list(Explained(puzzle, state))


def hint_by_rules(
    puzzle: Puzzle,
    edges: Mapping[int, bool],
    visited: Mapping[int, bool],
    deadline: Deadline,
    *,
    techniques: Collection[str] = TECHNIQUES,
) -> Step | None:
    """Return the first step after these marks; ``None`` if none is found.

    The options are those of `linkoracle.deduce.hint`.

    >>> from linkoracle.kinds import KINDS
    >>> puzzle = KINDS["masyu"](["b.w.", "....", "....", "..b."])
    >>> print(hint_by_rules(puzzle, {0: True, 1: True}, {}, Deadline(None)).reason)
    The black circle at r4c3 leaves no other choice
    """
    model = puzzle.model.with_edges(
        given=[edge for edge, on in edges.items() if on],
        forbidden=[edge for edge, on in edges.items() if not on],
    )
    board = model.board
    marked = [board.visited(at) if on else -board.visited(at) for at, on in visited.items()]
    state = Deduction(model, techniques, marked)
    state.run(deadline, enough=lambda: bool(state.steps))
    return next(iter(Explained(puzzle, state)), None)


class Explained:
    """The decisions of a state, each explained as a `Step`."""

    def __init__(self, puzzle: Puzzle, state: Deduction) -> None:
        self.puzzle = puzzle
        self.state = state
        self.board = puzzle.board
        self.model = state.model
        self.edges = self.board.num_edges
        self.first = self.board.num_vertices + len(state.rules.faces)

    def __iter__(self) -> Iterator[Step]:
        before = list(self.state.fixed)
        for decision in self.state.steps:
            yield self.step(decision, before)
            before += decision.facts

    def step(self, decision: Decision, before: Sequence[int]) -> Step:
        """Return a step, ``before`` which these facts were known."""
        reason, premises, groups = getattr(self, f"_{decision.technique}")(decision, before)
        places = (place for one in groups if (place := self.place(one)) is not None)
        given = self.told(premises)
        reason = f"{reason}, given {given}" if given else reason
        conclusion = self.told(self.news(decision.facts, premises) or decision.facts)
        lines, crosses, visited, unvisited = self.parts(decision.facts)
        return Step(
            decision.technique,
            None,
            lines,
            crosses,
            reason,
            f"{reason}: {conclusion}.",
            (*dict.fromkeys(places),),
            visited=visited,
            unvisited=unvisited,
            premises=tuple(premises),
            length=decision.length,
            ways=decision.ways,
            cost=decision.cost,
            choices=decision.choices,
        )

    # Each of these returns the reason of a step, its premises, and what states the rules.

    def _count(self, decision: Decision, _: Sequence[int]) -> Reason:
        premises = self.known(self.state.premises(decision.number))
        group = self.owner(decision.index)
        if group.what == "vertex":
            return self.way_on(group.place, decision.facts, premises), premises, [group]
        return f"{self.named(group)} leaves no other choice", premises, [group]

    def _end(self, decision: Decision, _: Sequence[int]) -> Reason:
        premises = self.known(self.state.premises(decision.number))
        return self.whole[1], premises, []

    def _cases(self, decision: Decision, before: Sequence[int]) -> Reason:
        premises = self.known(self.state.premises(decision.number))
        numbers, premises, (ends, whole) = self.needed(decision, premises, self.known(before))
        groups = [self.state.rules.groups[one] for one in numbers]
        names = self.cased(groups[0])
        if groups[1:]:
            names = f"{names} beside {_and(map(self.cased, groups[1:]))}"
        if whole:
            general = self.puzzle.general_rule
            names = f"{names} by {general[0].lower()}{general[1:]}"
        if ends:
            names = f"{names} {self.whole[4]}"
        if decision.ways == 1:
            reason = f"There is one way for {names}"
        else:
            reason = f"In each of the {decision.ways} ways for {names}"
        return reason, premises, groups

    _clues = _cases

    def _crossing(self, decision: Decision, before: Sequence[int]) -> Reason:
        edge = abs(decision.facts[0]) - 1
        area = self.area(edge, before)
        border = [
            one
            for vertex in area
            for one in self.open_at(vertex)
            if one != edge and not area >= {*self.board.ends(one)}
        ]
        known = {abs(one): one for one in before}
        found = {known[one + 1] for one in border}
        premises = self.known(sorted(found.union(self.state.premises(decision.number)), key=abs))
        inside = self.listed(sorted(area))
        reason = (
            f"{self.whole[2]} crosses the border of any area an even number of times, and around "
            f"{inside} one edge is open"
        )
        if not self.model.loop:
            reason = (
                f"As many lines cross the border around {inside} as ends are in it, or some pairs "
                "more, and one edge is open"
            )
        return reason, premises, []

    def _exit(self, decision: Decision, before: Sequence[int]) -> Reason:
        edges = [abs(one) - 1 for one in decision.facts if abs(one) <= self.edges]
        known = {abs(one): one for one in before}
        ends = {vertex for edge in edges for vertex in self.board.ends(edge)}
        crosses = [
            -1 - edge
            for vertex in ends
            for edge in self.board.edges_at(vertex)
            if known.get(edge + 1, 0) < 0
        ]
        lines = [one for one in before if 0 < one <= self.edges]
        outside = [one for one in lines if ends.isdisjoint(self.board.ends(one - 1))]
        found = {*crosses, *(outside or lines)[:1], *self.state.premises(decision.number)}
        premises = self.known(sorted(found, key=abs))
        return "A line that goes there cannot come back", premises, []

    def _trial(self, decision: Decision, before: Sequence[int]) -> Reason:
        tried = -decision.facts[0]
        known = list(before)
        found = self.scratch.refute(known, tried, 0)
        for cases in (1, 2):
            if found is None and (found := self.scratch.refute(known, tried, cases)):
                # In cases, a path may close that comes from far away.
                refute = partial(self.scratch.refute, literal=tried, cases=cases)
                kept = self.fewest(known, refute)
                found = kept, (refute(kept) or found)[1]
        if found is None:
            # Counts of auxiliary variables have shown it.
            return f"{self.supposed(tried)} would break a rule", self.known(before), []
        premises, chain = found
        premises = sorted({*premises, *self.state.premises(decision.number)}, key=abs)
        parts: list[list[int]] = []
        for kind, index, facts in chain:
            group = self.stated(kind, index)
            if parts and group and group.what == "visited":
                # Whether a vertex is visited belongs to what its lines are.
                parts[-1] += facts
            else:
                parts.append(list(facts))
        told = [self.told(self.news(facts, premises)) for facts in parts if facts]
        told = [text for text in told if text]
        so = f", so {', then '.join(told[:6])}{', and so on' * (len(told) > 6)}" if told else ""
        groups = [one for kind, index, _ in chain[::-1] if (one := self.stated(kind, index))]
        for kind, index, _ in chain:
            if kind == CASES[1]:
                groups += [self.state.rules.groups[one] for one in self.beside(index)]
        last = self.stated(*chain[-1][:2])
        reason = f"Suppose {self.told([tried])}{so}: then {self.fault(last)}. So it is not"
        return reason, self.known(premises), groups

    def _guess(self, _: Decision, __: Sequence[int]) -> Reason:
        return "Only this leads to a solution, but no short argument says so", [], []

    # Premises.

    def known(self, literals: Iterable[int]) -> list[int]:
        """Return literals without those that the board itself shows: no line is at a hole."""
        return [
            one
            for one in literals
            if abs(one) > self.edges or one > 0 or -1 - one not in self.closed
        ]

    @cached_property
    def scratch(self) -> Deduction:
        """Another state, in which some facts alone are known."""
        return Deduction(self.model)

    def needed(
        self, decision: Decision, premises: list[int], before: list[int]
    ) -> tuple[list[int], list[int], list[bool]]:
        """Return the groups and the premises without which cases would not show a step.

        Last, whether it takes early ends, and rules of the whole. ``premises`` are known nearby;
        the paths of lines may lead away from there.
        """
        facts = list(decision.facts)
        groups = [decision.index]
        if decision.technique == "clues":
            groups += self.beside(decision.index)

        used = [False, False]

        def show(kept: list[int]) -> bool:
            return self.scratch.cases_yield(kept, groups, facts, *used)

        for number in range(2 if OF_WHOLE in self.state.rules.sorts else 1):
            # Nothing takes part that need not, as far as what is known nearby shows.
            used[number] = not show(premises)
        if all(used):
            used[0] = False
            used[0] = not show(premises)

        known = next((some for some in (premises, before) if show(some)), None)
        if known is None:
            return groups, before, used
        for group in groups[1:]:
            groups.remove(group)
            if not show(known):
                groups.append(group)
        return groups, self.fewest(known, show), used

    def beside(self, group: int) -> list[int]:
        """Return the groups of clues that touch what a group touches."""
        return [
            number
            for number in self.state.beside(group)
            if self.state.rules.groups[number].what != "vertex"
        ]

    def fewest(self, premises: list[int], holds: Any) -> list[int]:
        """Leave out what is not needed: halves first, then one by one."""
        # Cells first: mostly, lines show whether these are visited.
        kept, size = sorted(premises, key=abs, reverse=True), max(1, len(premises) // 2)
        while len(premises) <= _MOST:
            at = 0
            while at < len(kept):
                fewer = kept[:at] + kept[at + size :]
                if holds(fewer):
                    kept = fewer
                else:
                    at += size
            if size == 1:
                break
            size //= 2
        return sorted(kept, key=abs)

    def open_at(self, vertex: int) -> list[int]:
        """Return the edges of a vertex that do not lead to a hole."""
        around = self.board.edges_at(vertex)
        return [one for one in around if one not in self.closed]

    @cached_property
    def closed(self) -> set[int]:
        """The edges that lead to holes."""
        holes = self.model.holes
        return {edge for vertex in holes for edge in self.board.edges_at(vertex)}

    def area(self, edge: int, before: Sequence[int]) -> set[int]:
        """Return the smaller part of the board on one side of an edge, between known edges."""
        known = {abs(one) - 1 for one in before if abs(one) <= self.edges}
        sides = []
        for end in self.board.ends(edge):
            part, todo = {end}, [end]
            while todo:
                vertex = todo.pop()
                for one in self.open_at(vertex):
                    if one != edge and one not in known:
                        far = sum(self.board.ends(one)) - vertex
                        if far not in part:
                            part.add(far)
                            todo.append(far)
            sides.append(part)
        return min(sides, key=lambda part: (len(part), min(part)))

    # Names.

    @cached_property
    def owners(self) -> dict[int, Group]:
        """The group of a clue that states a rule, by rule."""
        rules = self.state.rules
        return {
            number: group
            for group, numbers in zip(rules.groups, rules.members, strict=True)
            for number in numbers
            if number >= self.board.num_vertices
        }

    def owner(self, rule: int) -> Group:
        """Return what states a rule: perhaps a vertex, or all rules of the kind."""
        if rule < self.board.num_vertices:
            return Group("vertex", rule)
        if rule in self.owners:
            return self.owners[rule]
        if self.state.rules.sorts[rule - self.first] != DEFINES:
            return Group("kind", rule)
        highest = max(map(abs, self.state.rules.counts[rule - self.first].literals))
        return Group("visited", highest - self.edges - 1)

    def fault(self, group: Group | None) -> str:
        """Return what a broken rule means."""
        if group is None:
            return self.whole[3]
        if group.what == "vertex":
            return f"the line at {self.vertex(group.place)} cannot go on, or branches"
        if group.what == "visited":
            one, other = self.words
            return f"{self.vertex(group.place)} is {one} and {other}"
        return f"{self.cased(group)} cannot be satisfied"

    def stated(self, kind: int, index: int) -> Group | None:
        """Return what states the rule of a reason; ``None`` for the lines as a whole."""
        if kind == RULE:
            return self.owner(index)
        return self.state.rules.groups[index] if kind in CASES else None

    def place(self, group: Group) -> Any:
        """Return the place of a clue or a cell, the first cell of a region, or ``None``."""
        if group.what == "face":
            return self.face_name(group.place)
        if group.what == "vertex" and self.puzzle.through_cells:
            return self.board.vertex_name(group.place)
        return group.place if group.what in ("clue", "region", "circles") else None

    def face_name(self, face: int) -> Any:
        return self.puzzle.faces.face_name(face)

    def named(self, group: Group) -> str:
        """Return the name of what states rules."""
        match group.what:
            case "clue":
                clue = dict(self.puzzle.clue_cells())[group.place]
                return f"The {self.clue_name(group.place, clue)} at {_short(group.place)}"
            case "face":
                name = self.face_name(group.place)
                return f"The {dict(self.puzzle.clue_cells()).get(name, 'clue')} at {_short(name)}"
            case "region":
                return f"The border of the region of {_short(group.place)}"
            case "circles":
                return f"The rule of white circles in the region of {_short(group.place)}"
            case "vertex" | "shape":
                return f"The line at {self.vertex(group.place)}"
            case "visited":
                return f"Whether {self.vertex(group.place)} is {self.words[0]}"
        return self.puzzle.general_rule

    def cased(self, group: Group) -> str:
        """Return the name of what has cases."""
        name = self.named(group)
        return name[0].lower() + name[1:]

    def clue_name(self, cell: Any, clue: Any) -> str:
        """Return the name of a clue for a player."""
        puzzle: Any = self.puzzle
        figures = [*puzzle.clue_figures(cell, clue)]
        if len(figures) == 1 and figures[0].look in ("white", "black"):
            return f"{figures[0].look} circle {figures[0].text}".rstrip()
        name = self.puzzle.symbols.get(clue) or str(clue)
        return f"arrow {name}" if any(one.look == "arrow" for one in figures) else name

    def way_on(self, vertex: int, facts: Sequence[int], premises: Sequence[int]) -> str:
        """Return the reason of a step by the number of lines at a vertex."""
        around = {edge + 1 for edge in self.board.edges_at(vertex)}
        place = self.vertex(vertex)
        has_line = any(one in around for one in premises)
        if any(one in around for one in facts):
            if has_line:
                return f"The line at {place} has one way to go on"
            return f"There is one way for the line through {place}"
        if sum(one in around for one in premises) == 1 + (self.model.degrees[vertex] >> 2 & 1):
            return f"{_capital(place)} has all its lines"
        return f"A line would end at {place}"

    @cached_property
    def whole(self) -> tuple[str, str, str, str, str]:
        """The rule for all lines together, and words about what it forbids."""
        if self.model.loop:
            early = "a loop would close too early"
            return (
                "The rule of one loop",
                f"Otherwise {early}",
                "A loop",
                "a loop closes too early",
                "that closes no early loop",
            )
        if len(self.model.terminals) > 1:
            return (
                "The rule that lines join equal numbers",
                "Otherwise a loop would close, or a line would join different numbers",
                "A line",
                "a loop closes, or a line joins different numbers",
                "that closes no loop and joins no different numbers",
            )
        return (
            "The rule of one path",
            "Otherwise the path would close or end too early",
            "A path",
            "the path closes or ends too early",
            "that does not close the path",
        )

    @property
    def words(self) -> tuple[str, str]:
        """What a player calls a vertex with lines, and one without."""
        return self.puzzle.cell_words

    def parts(self, literals: Iterable[int]) -> tuple[tuple[int, ...], ...]:
        """Return the lines, crosses, visited and unvisited vertices."""
        found: tuple[list[int], ...] = ([], [], [], [])
        for one in literals:
            at = abs(one) - 1
            cell = at >= self.edges
            found[2 * cell + (one < 0)].append(at - cell * self.edges)
        return tuple(map(tuple, found))

    def news(self, facts: Sequence[int], premises: Sequence[int]) -> list[int]:
        """Return facts without those that others show: crosses and lines at a cell."""
        lines, _, _, unvisited = self.parts(facts)
        seen = {vertex for edge in lines for vertex in self.board.ends(edge)}
        seen |= {v for one in premises if 0 < one <= self.edges for v in self.board.ends(one - 1)}
        left_out = {*unvisited}
        kept = []
        for one in facts:
            if one > self.edges:
                if one - self.edges - 1 in seen:
                    continue
            elif -self.edges <= one < 0 and not left_out.isdisjoint(self.board.ends(-1 - one)):
                continue
            kept.append(one)
        return kept

    def told(self, literals: Iterable[int]) -> str:
        """Return facts in words."""
        lines, crosses, visited, unvisited = self.parts(literals)
        told = []
        if lines:
            told.append(self.drawn(lines))
        if crosses:
            told.append(f"no line {_and(map(self.edge, crosses))}")
        for what, vertices in zip(self.words[::-1], (unvisited, visited), strict=True):
            if vertices:
                are = "is" if len(vertices) == 1 else "are"
                told.append(f"{self.listed(vertices)} {are} {what}")
        return "; ".join(told)

    def supposed(self, literal: int) -> str:
        text = self.told([literal])
        return text[0].upper() + text[1:]

    def listed(self, vertices: Sequence[int]) -> str:
        """Return the names of vertices; neighbours in a row or in a column as from and to."""
        names: list[str] = []
        left = sorted(vertices)
        while left:
            run = max((self.run(left, step) for step in ((0, 1), (1, 0))), key=len)
            if len(run) < _LONG:
                names.append(self.vertex(left.pop(0)))
            else:
                names.append(f"{self.vertex(run[0])} to {self.vertex(run[-1])}")
                left = [one for one in left if one not in run]
        return _and(names)

    def run(self, vertices: Sequence[int], step: tuple[int, int]) -> list[int]:
        """Return the vertices that lie in a row or a column with the first, side by side."""
        by_name = {self.board.vertex_name(one): one for one in vertices}
        place = self.board.vertex_name(vertices[0])
        found = [vertices[0]]
        while isinstance(place, tuple):
            place = place[0] + step[0], place[1] + step[1]
            if place not in by_name:
                break
            found.append(by_name[place])
        return found

    def drawn(self, lines: Sequence[int]) -> str:
        """Return the names of lines; of those that hang together, the ends."""
        at: dict[int, list[int]] = {}
        for edge in lines:
            for vertex in self.board.ends(edge):
                at.setdefault(vertex, []).append(edge)
        left, alone, long = set(lines), [], []
        for start, edges in at.items():
            if len(edges) != 1 or edges[0] not in left:
                continue
            path, vertex = [], start
            while following := [edge for edge in at[vertex] if edge in left]:
                path.append(following[0])
                left.remove(following[0])
                vertex = sum(self.board.ends(following[0])) - vertex
            if len(path) < _LONG:
                alone += path
            else:
                long.append(f"{self.vertex(start)} to {self.vertex(vertex)}")
        alone = sorted([*alone, *left])
        told = [f"the line from {name}" for name in long]
        if alone:
            told.append(f"{'a line' if len(alone) == 1 else 'lines'} {_and(map(self.edge, alone))}")
        return "; ".join(told)

    def edge(self, edge: int) -> str:
        return "-".join(map(self.vertex, self.board.ends(edge)))

    def vertex(self, vertex: int) -> str:
        place = self.board.vertex_name(vertex)
        return _short(place) if self.puzzle.through_cells else f"dot {format_place(place)}"


def _and(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _capital(name: str) -> str:
    return name[0].upper() + name[1:] if name.startswith("dot") else name


def _short(cell: Any) -> str:
    """Return the name of a cell, or of a face, for a player."""
    return f"r{cell[0] + 1}c{cell[1] + 1}" if isinstance(cell, tuple) else f"face {cell}"
