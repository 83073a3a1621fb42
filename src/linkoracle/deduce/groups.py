"""The rules of a model as a deduction takes them: what states each, and which belong together.

A *group* has the rules of one clue, one region, or one vertex: cases are all ways to satisfy them.

`Flips` knows which rules touch a face. Where a line runs along some sides of a face, on and on, it
may as well take the other sides, unless a rule says no: the loop or path stays one, because it only
makes a detour around the face. So if the solution is unique, no face can be flipped so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from linkoracle.board import HOLE, PASS_OR_SKIP, Count, LinkModel
from linkoracle.board.constraints import at_least_one

#: What states a rule, as the kernel numbers it: a vertex, the definition of a visited one, the
#: kind, a clue, or a rule of the kind that has auxiliary variables.
AT_VERTEX, DEFINES, OF_KIND, OF_CLUE, OF_WHOLE = range(5)


class Group(NamedTuple):
    """What states the rules of a group, and its place.

    ``what`` is that of a `linkoracle.board.Source`, or ``"face"`` or ``"vertex"`` with its number,
    or ``"rule"`` with the number of a count that nobody states.
    """

    what: str
    place: Any


class Rules(NamedTuple):
    """All rules of a model: those of vertices, of faces that have one, and the other ``counts``.

    ``sorts`` has for each of these counts what states it. ``groups`` has the names of groups, and
    ``members`` the numbers of their rules; those of vertices are the last. ``links`` are pairs of
    faces, of which the number behind the last is the outside, with whether they are on different
    sides of the loop, and the group that says so: by a way between them, whose edges it counts, and
    of which it allows all even numbers, or all odd ones.
    """

    faces: list[int]
    counts: list[Count]
    sorts: bytes
    groups: list[Group]
    members: list[list[int]]
    links: list[tuple[int, int, bool, Group]]


def rules_of(model: LinkModel) -> Rules:
    """Return the rules of a model. O(their literals)."""
    board = model.board
    free = board.free_masks
    faces = [face for face, mask in enumerate(model.faces) if mask != free[face]]
    first = board.num_vertices + len(faces)
    counts: list[Count] = []
    sorts = bytearray()
    members = {Group("face", face): [board.num_vertices + k] for k, face in enumerate(faces)}
    for count, sort, group in _counts(model, bool(faces)):
        if group is not None:
            members.setdefault(group, []).append(first + len(counts))
        counts.append(count)
        sorts.append(sort)
    for group, numbers in members.items():
        if group.what == "clue" and (at := _vertex(model, group.place)) is not None:
            lines = {edge + 1 for edge in board.edges_at(at)}
            if any(not lines.isdisjoint(map(abs, counts[one - first][0])) for one in numbers):
                # How the line leaves the clue says most.
                numbers.insert(0, at)
    for vertex, mask in enumerate(model.degrees):
        if mask != HOLE:
            members[Group("vertex", vertex)] = [vertex]
    links = [*_links(model)] if model.loop else []
    return Rules(faces, counts, bytes(sorts), [*members], [*members.values()], links)


def _links(model: LinkModel) -> Iterator[tuple[int, int, bool, Group]]:
    """Yield what clues say of two faces."""
    board = model.board
    outside = board.num_faces
    places = _sources(model, 1, len(model.counts))
    for (literals, allowed), group in zip(model.counts, places, strict=True):
        every = (2 << len(literals)) - 1
        odd = sum(1 << number for number in range(1, len(literals) + 1, 2))
        if group is None or allowed not in (odd, every - odd):
            continue
        if not all(0 < one <= board.num_edges for one in literals):
            continue
        sides = [(*board.faces_of(one - 1), outside)[:2] for one in literals]
        # Begin at the face that the second edge is not beside.
        here, there = sides[0]
        start = there if len(sides) > 1 and here in sides[1] else here
        end = start
        for pair in sides:
            end = sum(pair) - end if end in pair else -1
        if end >= 0:
            yield start, end, allowed == odd, group


def _vertex(model: LinkModel, cell: tuple[int, int]) -> int | None:
    # Sources have cells, which kinds of lines through cells name like their vertices.
    vertex = model.board.vertex_of(cell)
    return None if model.degrees[vertex] == HOLE else vertex


def _counts(model: LinkModel, has_faces: bool) -> Iterator[tuple[Count, int, Group | None]]:
    """Yield all rules but those of masks, with what states each, and its group."""
    board = model.board
    needed: set[int] = set()
    places = _sources(model, 1, len(model.counts))
    for number, (count, group) in enumerate(zip(model.counts, places, strict=True)):
        needed.update(map(abs, count.literals))
        yield count, OF_CLUE, group or Group("rule", number)
    if model.free_ends:
        yield model.count_of_edges(), OF_KIND, None
    for shape, group in zip(model.shapes, _sources(model, 0, len(model.shapes)), strict=True):
        for clause in shape.excluded(board, model.degrees[shape.vertex]):
            yield at_least_one(clause), OF_CLUE, group or Group("shape", shape.vertex)
    for clause, group in zip(model.clauses, _sources(model, 2, len(model.clauses)), strict=True):
        needed.update(map(abs, clause))
        auxiliary = max(map(abs, clause), default=0) > board.num_edges + board.num_vertices
        sort = OF_CLUE if group else OF_WHOLE if auxiliary else OF_KIND
        yield at_least_one(clause), sort, group
    for vertex, mask in enumerate(model.degrees):
        visited = board.visited(vertex)
        # A player marks which cells are visited, but seldom dots.
        if visited in needed or (mask == PASS_OR_SKIP and not has_faces):
            lines = [edge + 1 for edge in board.edges_at(vertex)]
            yield at_least_one((-visited, *lines)), DEFINES, None
            for line in lines:
                yield at_least_one((visited, -line)), DEFINES, None


def _sources(model: LinkModel, which: int, number: int) -> list[Group | None]:
    """Return what states each shape (0), count (1) or clause (2)."""
    found: list[Group | None] = [None] * number
    starts = [(one.shapes, one.counts, one.clauses)[which] for one in model.sources]
    for source, start, end in zip(model.sources, starts, [*starts[1:], number], strict=False):
        if source.what is not None:
            group = Group(source.what, source.place)
            found[start:end] = [group] * (min(end, number) - start)
    return found


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
