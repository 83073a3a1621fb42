"""Uniqueness, for any kind and board: a face whose lines could be drawn on its other sides.

Where a line runs along some sides of a face, on and on, it may as well take the other sides, unless
a rule says no: the loop or path stays one, because it only makes a detour around the face. So if
the solution is unique, no face can be flipped so. What would make one possible is not so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from linkoracle.board import LinkModel
from linkoracle.deduce.groups import DEFINES, Rules


class Flips:
    """The faces of a model that might be flipped."""

    def __init__(self, model: LinkModel, rules: Rules) -> None:
        self.model, self.board = model, model.board
        shown = self.board.num_edges + self.board.num_vertices
        #: By variable: the rules that count it, but those that say what a visited vertex is.
        self._rules: dict[int, list[tuple[tuple[int, ...], int]]] = {}
        for sort, (literals, allowed) in zip(rules.sorts, rules.counts, strict=True):
            if sort != DEFINES:
                for variable in {*map(abs, literals)}:
                    self._rules.setdefault(variable, []).append((tuple(literals), allowed))
        fixed = {*model.given, *model.forbidden}
        #: By edge: the faces beside it that a rule does not fix, each with its walk.
        self._beside: dict[int, list[tuple[int, list[int]]]] = {}
        for face in range(self.board.num_faces):
            walk, edges = self.board.walk(face), self.board.edges_of(face)
            if len({*walk}) == len(walk) == len(edges) and fixed.isdisjoint(edges):
                touched = [edge + 1 for edge in edges] + [*map(self.board.visited, walk)]
                counted = [rule for one in touched for rule in self._rules.get(one, ())]
                # What auxiliary variables mean is not known here.
                if all(abs(one) <= shown for literals, _ in counted for one in literals):
                    for edge in edges:
                        self._beside.setdefault(edge, []).append((face, [*walk]))

    def flippable(self, edge: int, known: Mapping[int, bool]) -> int | None:
        """Return a face beside an edge that can be flipped if these variables are known."""
        for face, walk in self._beside.get(edge, ()):
            if self._fits(walk, known):
                return face
        return None

    def _fits(self, walk: list[int], known: Mapping[int, bool]) -> bool:
        sides = [self._edge(*ends) for ends in pairwise([*walk, walk[0]])]
        if any(side + 1 not in known for side in sides):
            return False
        lines = [known[side + 1] for side in sides]
        if sum(one != other for one, other in zip(lines, [*lines[1:], lines[0]], strict=True)) != 2:
            return False
        new = {side + 1: not line for side, line in zip(sides, lines, strict=True)}
        for place, vertex in enumerate(walk):
            before, after = lines[place - 1], lines[place]
            if before != after:
                continue
            # The line leaves this vertex, or comes to it, where no other line may be.
            others = [one + 1 for one in self.board.edges_at(vertex) if one not in sides]
            if not before and any(known.get(one) is not False for one in others):
                return False
            if not self.model.degrees[vertex] >> (0 if before else 2) & 1:
                return False
            new[self.board.visited(vertex)] = not before
        return all(self._allows(*rule, known, new) for rule in self._counted(sides, new))

    def _counted(
        self, sides: list[int], new: Mapping[int, bool]
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield the rules that count what is new, those of faces first."""
        for face in {face for side in sides for face in self.board.faces_of(side)}:
            if self.model.faces[face] != self.board.free_masks[face]:
                edges = tuple(edge + 1 for edge in self.board.edges_of(face))
                yield edges, self.model.faces[face]
        for variable in new:
            yield from self._rules.get(variable, ())

    def _allows(
        self,
        literals: tuple[int, ...],
        allowed: int,
        known: Mapping[int, bool],
        new: Mapping[int, bool],
    ) -> bool:
        """Return whether a rule holds after the flip: at least if it counts as many as before."""
        change, on = 0, 0
        for literal in literals:
            variable = abs(literal)
            if variable in new:
                true = new[variable] == (literal > 0)
                # Whether a vertex was visited follows from its lines.
                change += 1 if true else -1
                on += true
            elif variable in known:
                on += known[variable] == (literal > 0)
            else:
                on = -len(literals)
        return change == 0 or (on >= 0 and bool(allowed >> on & 1))

    def _edge(self, one: int, other: int) -> int:
        return next(
            edge for edge in self.board.edges_at(one) if sum(self.board.ends(edge)) - one == other
        )
