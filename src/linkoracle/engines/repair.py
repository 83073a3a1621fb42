"""Repairs: change edges that satisfy local constraints until they form one loop, or the paths.

On a board with few constraints, almost every model of the solver consists of many small cycles, in
so many ways that cuts alone never end. But such a board also has room to join the cycles without a
search:

* **Drop** a cycle that no constraint needs.
* **Join** two components. Let R be a set of faces whose boundary is one cycle, and which meets the
  chosen edges in two runs, one of each component, and in no other vertex. The symmetric difference
  of the chosen edges and the boundary of R is one component in place of the two. R is a face, two
  neighbouring faces, or a *corridor*: a path of faces with unused corners, between one edge of each
  component, found by a breadth-first search from all components at once.

A repair is only a proposal: the solver tests its edges under all clauses and assumptions. So it may
ignore rare cases and some constraints.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Collection, Mapping, Sequence, Set

from linkoracle.board import PASS, LinkModel, board_lists
from linkoracle.engines.connectivity import Component

#: Multiples of this fraction of a list are well spread over it.
_GOLDEN = (math.sqrt(5) - 1) / 2

#: Number of rejected proposals after which repairs of a query become rare.
_MOST_REFUSED = 10


class Repairer:
    """Drops and joins components of edge sets of one model, for one query.

    ``due`` is the first round in which to repair; it is delayed more after each failure.
    """

    def __init__(self, model: LinkModel) -> None:
        self.due = 0
        #: Number of proposals that the solver rejected.
        self.refused = 0
        self._least = math.inf
        self._pause = 0
        self._model = model

    def repaired(
        self,
        components: Sequence[Component],
        masks: Mapping[int, int],
        fixed: Set[int],
        attempt: int = 0,
    ) -> tuple[list[int], int]:
        """Return the edges after all repairs found, and their number of components.

        ``masks`` are the count masks of faces with clues; ``fixed`` edges are not changed. Another
        ``attempt`` may give other edges. O(edges) for each corridor found, times a small constant.
        """
        work = _Edges(self._model, components, masks, fixed, attempt)
        if attempt % 2 == 0:
            work.drop_all()
        while work.number > 1 and (work.join_beside() or work.join_far()):
            pass
        return work.chosen(), work.number

    def note(self, number: int, rounds: int) -> None:
        """Record a failed repair that left ``number`` components."""
        self.refused += number == 1
        useful = number < self._least or (number == 1 and self.refused < _MOST_REFUSED)
        self._pause = 0 if useful else 2 * self._pause + 1
        self._least = min(number, self._least)
        self.due = rounds + 1 + self._pause


class _Edges:
    """An edge set during its repair."""

    def __init__(
        self,
        model: LinkModel,
        components: Sequence[Component],
        masks: Mapping[int, int],
        fixed: Set[int],
        attempt: int,
    ) -> None:
        self._board = board = board_lists(model.board)
        self._degrees, self._loop = model.degrees, model.loop
        self._masks, self._fixed, self._attempt = masks, fixed, attempt
        self._components = list(components)
        self.number = len(self._components)
        #: The component of each chosen edge, -1 for the others; `_parent` links joined components.
        self._of = [-1] * len(board.ends)
        self._parent = list(range(self.number))
        self._open = [not component.closed for component in components]
        self._degree = [0] * len(board.around)
        self._counts = dict.fromkeys(masks, 0)
        for label, component in enumerate(components):
            for edge in component.edges:
                self._set(edge, label)

    def chosen(self) -> list[int]:
        return [edge for edge, label in enumerate(self._of) if label >= 0]

    def _set(self, edge: int, label: int) -> None:
        step = (label >= 0) - (self._of[edge] >= 0)
        self._of[edge] = label
        for vertex in self._board.ends[edge]:
            self._degree[vertex] += step
        for face in self._board.faces_of_edge[edge]:
            if face in self._counts:
                self._counts[face] += step

    def _root(self, label: int) -> int:
        parent = self._parent
        while parent[label] != label:
            parent[label] = label = parent[parent[label]]
        return label

    def drop_all(self) -> None:
        """Drop every cycle that no constraint needs; keep one if there are only cycles."""
        cycles = [c for c in self._components if c.closed]
        for cycle in sorted(cycles, key=lambda component: len(component.edges)):
            if self._loop and self.number == 1:
                return
            needless = all(self._degrees[vertex] & 1 for vertex in cycle.vertices)
            if needless and self._fits(cycle.edges):
                for edge in cycle.edges:
                    self._set(edge, -1)
                self.number -= 1

    def _fits(self, flipped: Collection[int]) -> bool:
        """Return whether faces and fixed edges allow these changes."""
        if not self._fixed.isdisjoint(flipped):
            return False
        change: dict[int, int] = {}
        for edge in flipped:
            step = -1 if self._of[edge] >= 0 else 1
            for face in self._board.faces_of_edge[edge]:
                if face in self._counts:
                    change[face] = change.get(face, 0) + step
        masks, counts = self._masks, self._counts
        return all(masks[face] >> (counts[face] + by) & 1 for face, by in change.items())

    def _apart(self) -> set[int]:
        """Return all components but the largest; every pair that can be joined has one of them."""
        sizes = Counter(self._root(label) for label in self._of if label >= 0)
        return sizes.keys() - {max(sizes, key=sizes.__getitem__)}

    def join_beside(self) -> int:
        """Join by one face, or by two neighbours; return the number of joins."""
        board, of, before, apart = self._board, self._of, self.number, self._apart()
        edges = [edge for edge, label in enumerate(of) if label >= 0 and self._root(label) in apart]
        start = int(len(edges) * _GOLDEN * self._attempt) % max(1, len(edges))
        for edge in edges[start:] + edges[:start]:
            for face in board.faces_of_edge[edge]:
                if of[edge] < 0 or self.number < 2:
                    break
                own = self._root(of[edge])
                near = self._meets(face, own)
                if not (near and self._join([face])):
                    any(
                        self._join([face, other])
                        for between in board.face_edges[face]
                        if of[between] < 0
                        for other in board.faces_of_edge[between]
                        if other != face and (near or self._meets(other, own))
                    )
        return before - self.number

    def _meets(self, face: int, own: int) -> bool:
        """Return whether a face has an edge of another component than ``own``."""
        of = self._of
        for edge in self._board.face_edges[face]:
            if of[edge] >= 0 and self._root(of[edge]) != own:
                return True
        return False

    def join_far(self) -> int:
        """Join by corridors; return the number of joins."""
        board, of, before, apart = self._board, self._of, self.number, self._apart()
        blocked = set(self._masks)
        for face in self._masks:
            for edge in board.face_edges[face]:
                blocked.update(board.faces_of_edge[edge])
        # The predecessor of each face on the way from a component, and the component.
        came: dict[int, tuple[int, int]] = {}
        waiting: deque[int] = deque()
        for face, edges in enumerate(board.face_edges):
            on = [edge for edge in edges if of[edge] >= 0]
            if len(on) == 1 and face not in blocked:
                came[face] = -1, of[on[0]]
                if self._root(of[on[0]]) in apart:
                    waiting.append(face)
        degree, degrees, fixed = self._degree, self._degrees, self._fixed
        while waiting and self.number > 1:
            face = waiting.popleft()
            label = came[face][1]
            for edge in board.face_edges[face]:
                u, v = board.ends[edge]
                if degree[u] or degree[v] or edge in fixed:
                    continue
                for other in board.faces_of_edge[edge]:
                    if other in came:
                        if self._root(came[other][1]) != self._root(label):
                            self._join([*_way(came, face), *_way(came, other)])
                    elif other not in blocked and not any(
                        degree[vertex] or not degrees[vertex] & PASS
                        for vertex in board.corners[other]
                    ):
                        came[other] = face, label
                        waiting.append(other)
        return before - self.number

    def _join(self, faces: list[int]) -> bool:
        """Join two components by these faces if possible; return whether it was."""
        board, of = self._board, self._of
        boundary: set[int] = set()
        for face in faces:
            boundary.symmetric_difference_update(board.face_edges[face])
        labels = {self._root(of[edge]) for edge in boundary if of[edge] >= 0}
        if len(labels) != 2:
            return False
        # For each vertex the number of edges of the boundary, and of those that are chosen.
        sides = Counter(vertex for edge in boundary for vertex in board.ends[edge])
        chosen = Counter(v for edge in boundary if of[edge] >= 0 for v in board.ends[edge])
        ends = 0
        for vertex, number in sides.items():
            met = chosen[vertex]
            if number != 2 or (met == 0 and self._degree[vertex]):
                return False
            if not self._degrees[vertex] >> (self._degree[vertex] + 2 - 2 * met) & 1:
                return False
            ends += met == 1
        one, other = labels
        if ends != 4 or (self._open[one] and self._open[other]):
            return False
        if not self._fits(boundary):
            return False
        self._parent[other] = one
        self._open[one] = self._open[one] or self._open[other]
        self.number -= 1
        for edge in boundary:
            self._set(edge, -1 if of[edge] >= 0 else one)
        return True


def _way(came: dict[int, tuple[int, int]], face: int) -> list[int]:
    way = []
    while face >= 0:
        way.append(face)
        face = came[face][0]
    return way


def routes(model: LinkModel) -> tuple[list[int], bool]:
    """Return the edges of short paths for the pairs of terminals, and if each pair has a path.

    Each pair in turn gets a shortest path that avoids earlier ones, holes and forbidden edges.
    O(pairs * vertices).
    """
    board = board_lists(model.board)
    forbidden = set(model.forbidden)
    taken = {vertex for pair in model.terminals for vertex in pair} | set(model.holes)
    found: list[int] = []
    complete = True
    for start, goal in model.terminals:
        came: dict[int, tuple[int, int]] = {start: (-1, -1)}
        waiting = deque([start])
        while waiting and goal not in came:
            vertex = waiting.popleft()
            for edge, beyond in board.around[vertex]:
                open_ = beyond == goal or beyond not in taken
                if open_ and beyond not in came and edge not in forbidden:
                    came[beyond] = edge, vertex
                    waiting.append(beyond)
        complete = complete and goal in came
        vertex = goal if goal in came else start
        while vertex != start:
            edge, vertex = came[vertex]
            found.append(edge)
            taken.add(vertex)
    return found, complete
