"""`Twin`: counts and early ends in the plainest way, for comparison with the kernel.

It counts the literals of a rule again each time, and follows paths along their lines.
"""

from __future__ import annotations

from linkoracle.board import Count


def rules_of(model):
    """All rules, those of vertices first."""
    board = model.board
    degrees = [
        Count(tuple(edge + 1 for edge in board.edges_at(vertex)), mask)
        for vertex, mask in enumerate(model.degrees)
    ]
    faces = [
        Count(tuple(edge + 1 for edge in board.edges_of(face)), mask)
        for face, (mask, free) in enumerate(zip(model.faces, board.free_masks, strict=True))
        if mask != free
    ]
    return [*degrees, *faces, *model.all_counts()]


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

    def run(self):
        start = [-edge - 1 for edge in self.model.forbidden]
        start += [edge + 1 for edge in self.model.given]
        start += [one for end in self.mates for one in self.parted(end, end)]
        for number in range(len(self.rules)):
            forced = self.forced(number)
            if forced is None:
                return False
            start += forced
        if not self.follow(start):
            return False
        edges = [edge + 1 in self.known for edge in range(self.model.board.num_edges)]
        return not (self.model.loop and all(edges)) or bool(self.links)

    def follow(self, queue):
        """Take all turns; return whether no rule is broken."""
        for literal in queue:
            variable, value = abs(literal), literal > 0
            if variable in self.known:
                assert self.known[variable] == value, "a rule should have been broken before"
                continue
            self.known[variable] = value
            for number in self.near[variable]:
                forced = self.forced(number)
                if forced is None:
                    return False
                queue += forced
            if value and variable <= self.model.board.num_edges:
                forced = self.joined(variable - 1)
                if forced is None:
                    return False
                queue += forced
        return True

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
