"""`Twin`: the deduction from counts in the plainest way, for comparison with the kernel.

It counts the literals of a rule again each time, follows paths along their lines, and repeats all
probes after every round of steps.
"""

from __future__ import annotations

from linkoracle.deduce.deduction import Decision, rules_of

#: The reason of what is known from the beginning, and of a broken rule: lines form a loop or paths.
START, LINES = "start", None


class Twin:
    def __init__(self, model):
        self.model, self.rules = model, rules_of(model)
        board = model.board
        self.near = [[] for _ in range(board.num_edges + board.num_vertices + 1)]
        for number, rule in enumerate(self.rules):
            for literal in rule.literals:
                while abs(literal) >= len(self.near):
                    self.near.append([])
                self.near[abs(literal)].append(number)
        self.known = {}
        #: Pairs of vertices: the ends of a single path, then those of each line.
        self.links = [*model.terminals] if len(model.terminals) == 1 else []
        #: By the end of a path, its other end; within a path, as it was when the vertex was an end.
        self.ends = list(range(board.num_vertices))
        for one, other in self.links:
            self.ends[one], self.ends[other] = other, one
        self.loop = model.loop or len(model.terminals) == 1
        self.mates = {}
        for one, other in model.terminals if len(model.terminals) > 1 else ():
            self.mates[one], self.mates[other] = other, one
        self.must = {vertex for vertex, mask in enumerate(model.degrees) if not mask & 1}
        self.steps = []

    def run(self):
        start = [(-edge - 1, START) for edge in self.model.forbidden]
        start += [(edge + 1, START) for edge in self.model.given]
        start += [(one, START) for end in self.mates for one in self.parted(end, end)]
        for number in range(len(self.rules)):
            forced = self.forced(number)
            if forced is None:
                return False
            start += [(literal, START) for literal in forced]
        if self.follow(start, 10**6, records=True) != "fits":
            return False
        while any(edge + 1 not in self.known for edge in range(self.model.board.num_edges)):
            found = next(filter(None, map(self.probed, (4, 10, 25, 10**6))), None)
            if found is None:
                break
            for choices, (length, literal, rule) in enumerate(sorted(found, key=by_length), 1):
                if abs(literal) not in self.known:
                    self.steps.append(Decision("trial", rule, length, literal, choices))
                    if self.follow([(literal, START)], 10**6, records=True) != "fits":
                        return False
        edges = [edge + 1 in self.known for edge in range(self.model.board.num_edges)]
        return not (self.model.loop and all(edges)) or bool(self.links)

    def probed(self, limit):
        """Return the literals that probes show, each with the length of the probe and its rule."""
        found = []
        for edge in range(1, self.model.board.num_edges + 1):
            for literal in (edge, -edge):
                if edge not in self.known:
                    known, links, ends = dict(self.known), [*self.links], [*self.ends]
                    broken = self.follow([(literal, START)], limit)
                    if broken not in ("fits", "too long"):
                        found.append((len(self.known) - len(known), -literal, broken))
                    self.known, self.links, self.ends = known, links, ends
        return found

    def follow(self, queue, limit, *, records=False):
        """Take all turns; return the rule that is broken, "fits" or "too long"."""
        queue, decided = list(queue), 0
        for turn, (literal, rule) in enumerate(queue):
            variable, value = abs(literal), literal > 0
            if variable in self.known:
                assert self.known[variable] == value, "a rule should have been broken before"
                continue
            if decided >= limit:
                return "too long"
            self.known[variable] = value
            decided += 1
            board = self.model.board
            if records and rule != START and variable <= board.num_edges + board.num_vertices:
                technique = "end" if rule == LINES else "count"
                self.steps.append(Decision(technique, rule, 0, literal, len(queue) - turn))
            for number in self.near[variable]:
                forced = self.forced(number)
                if forced is None:
                    return number
                queue += [(one, number) for one in forced]
            if value and variable <= board.num_edges:
                forced = self.joined(variable - 1)
                if forced is None:
                    return LINES
                queue += [(one, LINES) for one in forced]
        return "fits"

    def forced(self, number):
        """Return the literals that a rule forces, ``None`` if it is broken."""
        literals, allowed = self.rules[number]
        values = [self.known.get(abs(one), not one > 0) == (one > 0) for one in literals]
        unknown = [one for one in literals if abs(one) not in self.known]
        on = sum(values)
        fits = [more for more in range(len(unknown) + 1) if allowed >> on + more & 1]
        if not fits:
            return None
        if fits == [0]:
            return [-one for one in unknown]
        return unknown if fits == [len(unknown)] else []

    def path(self, vertex):
        """Return the links of the path that ends at a vertex, and its vertices."""
        links, vertices = [], {vertex}
        while True:
            step = next(
                (k for k, pair in enumerate(self.links) if vertex in pair and k not in links), None
            )
            if step is None:
                return links, vertices
            links.append(step)
            vertex = sum(self.links[step]) - vertex
            vertices.add(vertex)

    def has_all(self, links, vertices):
        return self.loop and len(links) == len(self.links) and self.must <= vertices

    def joined(self, edge):
        """Join two paths; return edges that can no longer be on, ``None`` if ``edge`` cannot."""
        board = self.model.board
        one, other = board.ends(edge)
        first, last = self.ends[one], self.ends[other]
        links, vertices = self.path(one)
        self.links.append((one, other))
        if first == other:
            return [] if self.has_all([*links, edge], vertices) else None
        if first in self.mates and last in self.mates and self.mates[first] != last:
            return None
        self.ends[first], self.ends[last] = last, first
        excluded = self.parted(first, last) + self.parted(last, first)
        for beside in range(board.num_edges):
            if {*board.ends(beside)} == {first, last} and beside + 1 not in self.known:
                excluded += [] if self.has_all(*self.path(first)) else [-1 - beside]
        return excluded

    def parted(self, here, start):
        """Return edges by which a path from ``here`` would join ends of different pairs."""
        if start not in self.mates:
            return []
        board = self.model.board
        ends = [(edge, self.ends[sum(board.ends(edge)) - here]) for edge in board.edges_at(here)]
        own = start, self.mates[start]
        return [-1 - edge for edge, end in ends if end in self.mates and end not in own]


def by_length(found):
    """The order of what probes show: the shortest first, crosses before lines."""
    length, literal, _ = found
    return length, literal
