"""The steps of a `Deduction` as sentences, each of which is a proof.

A sentence names a rule, the facts that it uses, and what follows. Facts that it does not need are
left out, one after the other, as long as the technique still finds the step from the others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

from linkoracle.core import Deadline, counted, listing
from linkoracle.deduce.deduction import TECHNIQUES, Decision, Deduction
from linkoracle.deduce.groups import OF_WHOLE, Group
from linkoracle.deduce.sides import Sides
from linkoracle.deduce.words import CASES, Step, Words, capital, face_words, sides_words
from linkoracle.kinds import Puzzle

#: More facts are not left out one by one, and more trials in a guess are not told.
_MOST, _TRIALS = 1000, 3


class Reason(NamedTuple):
    """A reason in words, its premises, what states the rules that it uses, and sides of faces."""

    text: str
    premises: list[int]
    groups: list[Group]
    inside: tuple[int, ...] = ()
    outside: tuple[int, ...] = ()


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
    uniqueness: bool = False,
) -> Step | None:
    """Return the first step after these marks; ``None`` if none is found.

    The options are those of `linkoracle.deduce.hint`.

    >>> from linkoracle.kinds import KINDS
    >>> puzzle = KINDS["masyu"](["b.w.", "....", "....", "..b."])
    >>> print(hint_by_rules(puzzle, {0: True, 1: True}, {}, Deadline(None)).reason)
    The black circle at r4c3 leaves no other choice
    """
    model = puzzle.model.with_drawn(edges)
    board = model.board
    marked = [board.visited(at) if on else -board.visited(at) for at, on in visited.items()]
    state = Deduction(model, techniques, marked, uniqueness=uniqueness)
    state.run(deadline, enough=lambda: bool(state.steps))
    return next(iter(Explained(puzzle, state)), None)


class Explained(Words):
    """The decisions of a state, each explained as a `Step`."""

    def __init__(self, puzzle: Puzzle, state: Deduction) -> None:
        super().__init__(puzzle, state.model, state.rules)
        self.state = state

    def __iter__(self) -> Iterator[Step]:
        before = list(self.state.fixed)
        for decision in self.state.steps:
            yield self.step(decision, before)
            before += decision.facts

    def step(self, decision: Decision, before: Sequence[int]) -> Step:
        """Return a step, ``before`` which these facts were known."""
        given_reason: Reason = getattr(self, f"_{decision.technique}")(decision, before)
        reason, premises, groups, inside, outside = given_reason
        places = [place for one in groups if (place := self.place(one)) is not None]
        if not self.puzzle.through_cells:
            places += map(self.face_name, (*inside, *outside))
        given = self.told(premises)
        reason = f"{reason}, given {given}" if given else reason
        conclusion = self.told(self.news(decision.facts, premises) or decision.facts, new=True)
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
            inside=inside,
            outside=outside,
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
            text = self.way_on(group.place, decision.facts, premises)
            return Reason(text, premises, [group])
        if group.what == "visited":
            place = self.vertex(group.place)
            unvisited = self.board.visited(group.place) not in premises
            reason = f"No line can go through {place}" if unvisited else f"A line goes to {place}"
            return Reason(reason, premises, [group])
        return Reason(f"{self.named(group)} leaves no other choice", premises, [group])

    def _end(self, decision: Decision, _: Sequence[int]) -> Reason:
        premises = self.known(self.state.premises(decision.number))
        # What follows is that there is no such line.
        return Reason(f"A line {self.edge(decision.index)} {self.whole[1]}", premises, [])

    def _cases(self, decision: Decision, before: Sequence[int]) -> Reason:
        premises = self.known(self.state.premises(decision.number))
        numbers, premises, (ends, whole) = self.needed(decision, premises, self.known(before))
        groups = [self.rules.groups[one] for one in numbers]
        names = self.cased(groups[0])
        if groups[0].what == "vertex" and not self.is_visited(groups[0].place, premises):
            names = f"{self.vertex(groups[0].place)} ({min(self.words, key=len)} or not)"
        if groups[1:]:
            names = f"{names} beside {listing(map(self.cased, groups[1:]))}"
        if whole:
            general = self.puzzle.general_rule
            names = f"{names} by {general[0].lower()}{general[1:]}"
        if ends:
            names = f"{names} {self.whole[4 + (decision.ways > 1)]}"
        if decision.ways == 1:
            reason = f"There is one way for {names}"
        else:
            reason = f"In each of the {decision.ways} ways for {names}"
        return Reason(reason, premises, groups)

    _clues = _cases

    def _crossing(self, decision: Decision, before: Sequence[int]) -> Reason:
        edge = abs(decision.facts[0]) - 1
        area = self.area([edge], before)
        own = self.state.premises(decision.number)
        joined = area >= {*self.board.ends(edge)}
        if self.model.loop and (joined or not self.puzzle.through_cells):
            # The sides of the faces say it: clues show them, or faces are cells.
            found = self.by_sides(edge, before, own)
            if found is not None:
                return found
        border = self.border(area, [edge], before)
        premises = self.known(sorted(border.union(own), key=abs))
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
        return Reason(reason, premises, [])

    def by_sides(self, edge: int, before: Sequence[int], own: Sequence[int]) -> Reason | None:
        """Return the reason that the faces beside an edge are on known sides, or related."""
        sides = Sides[int | Group](self.board)
        for one in (*before, *(-1 - one for one in self.closed)):
            if abs(one) <= self.edges:
                sides.learn(abs(one) - 1, one, line=one > 0)
        for here, there, apart, group in self.rules.links:
            sides.relate(here, there, apart=apart, reason=group)
        pair = sides.beside(edge)
        if pair is None or (way := sides.way(*pair)) is None:
            return None
        inside, outside = sides.absolute(pair)
        if inside or outside:
            way = [one for face in pair for one in sides.way(face, sides.outside) or ()]
        groups = [one for one in dict.fromkeys(way) if isinstance(one, Group)]
        between = {one for one in way if not isinstance(one, Group)}
        reason = sides_words(self.puzzle, sides, [pair])
        if groups:
            reason = f"by {listing(map(self.cased, groups))} {reason}"
        premises = self.known(sorted(between.union(own), key=abs))
        return Reason(capital(reason), premises, groups, inside, outside)

    def _exit(self, decision: Decision, before: Sequence[int]) -> Reason:
        if decision.length:
            return self.by_two(decision, before)
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
        return Reason("A line that goes there cannot come back", premises, [])

    def by_two(self, decision: Decision, before: Sequence[int]) -> Reason:
        """Return the reason that one of the ways of two edges, which lead out of an area, fails."""
        first, second = (-one for one in decision.facts[:2])
        edges = [abs(first) - 1, abs(second) - 1]
        area = self.area(edges, before)
        border = self.border(area, edges, before)
        found = self.scratch.refute([*before, second], first, 0)
        # The first alone may show that the second is not so.
        premises, chain = found or self.scratch.refute([*before], first, 0) or ([*before], [])
        used = border.union(premises, self.state.premises(decision.number)) - {second, first}
        groups = [one for kind, index, _ in chain if (one := self.stated(kind, index))]
        both = "both or neither" if (first > 0) == (second > 0) else "just one"
        fault = self.fault(groups[-1] if groups and self.stated(*chain[-1][:2]) else None)
        reason = (
            f"Two edges lead out of {self.listed(sorted(area))}, {self.edge(edges[0])} and "
            f"{self.edge(edges[1])}, and {both} must be a line. Suppose "
            f"{self.told([first, second])}: then {fault}. So it is not"
        )
        return Reason(reason, self.known(sorted(used, key=abs)), groups)

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
            return Reason(f"{self.supposed(tried)} would break a rule", self.known(before), [])
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
        # Known facts follow again where the premises do not need them.
        seen = {*before}
        parts = [[one for one in facts if one not in seen] for facts in parts]
        told = [self.told(self.news(facts, premises)) for facts in parts if facts]
        told = [text for text in told if text]
        so = f", so {', then '.join(told[:6])}{', and so on' * (len(told) > 6)}" if told else ""
        groups = [one for kind, index, _ in chain[::-1] if (one := self.stated(kind, index))]
        for kind, index, _ in chain:
            if kind == CASES[1]:
                groups += [self.rules.groups[one] for one in self.beside(index)]
        last = self.stated(*chain[-1][:2])
        reason = f"Suppose {self.told([tried])}{so}: then {self.fault(last)}. So it is not"
        return Reason(reason, self.known(premises), groups)

    def _unique(self, decision: Decision, before: Sequence[int]) -> Reason:
        tried = -decision.facts[0]
        state = Deduction(self.model, ("count", "end"), before)
        state.run()
        face = state.flippable(tried)
        # The step was found so, from no more facts.
        assert face is not None
        around = self.board.walk(face)
        if self.puzzle.through_cells:
            names = listing(map(self.vertex, around))
        else:
            names = face_words(self.puzzle, face)
        edges = {edge for vertex in around for edge in self.board.edges_at(vertex)}
        used = [one for one in before if abs(one) - 1 in edges]
        reason = (
            f"Suppose {self.told([tried])}: then the line around {names} could as well take the "
            "other sides, and there would be two solutions. So it is not"
        )
        return Reason(reason, self.known(used), [])

    def _guess(self, decision: Decision, before: Sequence[int]) -> Reason:
        tried, deadline = -decision.facts[0], Deadline(None)
        inner = self.state.tried_within(tried, before, deadline)
        if inner is None:
            reason = "Only this leads to a solution, but no trial with other trials in it says so"
            return Reason(reason, [], [])
        steps = [*Explained(self.puzzle, inner)]
        trials = [step.sentence.rstrip(".") for step in steps if step.technique == "trial"]
        reason = (
            f"Suppose {self.told([tried])}: {counted(len(steps), 'step')} later a rule is broken"
        )
        if trials:
            told = "; ".join(trials[:_TRIALS]) + "; and so on" * (len(trials) > _TRIALS)
            reason = f"{reason}, with {counted(len(trials), 'trial')} on the way. {told}"
        return Reason(f"{reason}. So it is not", [], [])

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

        for number in range(2 if OF_WHOLE in self.rules.sorts else 1):
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
            if self.rules.groups[number].what != "vertex"
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

    def area(self, cut: Collection[int], before: Sequence[int]) -> set[int]:
        """Return the smaller part of the board on one side of some edges, between known edges."""
        known = {abs(one) - 1 for one in before if abs(one) <= self.edges}
        sides = []
        for end in self.board.ends(min(cut)):
            part, todo = {end}, [end]
            while todo:
                vertex = todo.pop()
                for one in self.open_at(vertex):
                    if one not in cut and one not in known:
                        far = sum(self.board.ends(one)) - vertex
                        if far not in part:
                            part.add(far)
                            todo.append(far)
            sides.append(part)
        return min(sides, key=lambda part: (len(part), min(part)))

    def border(self, area: set[int], cut: Collection[int], before: Sequence[int]) -> set[int]:
        """Return what is known of the edges that lead out of an area, without those of a cut."""
        known = {abs(one): one for one in before}
        return {
            known[one + 1]
            for vertex in area
            for one in self.open_at(vertex)
            if one not in cut and not area >= {*self.board.ends(one)}
        }
