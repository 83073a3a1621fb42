"""`bounded_diagram`: all cycles or paths up to a length, by listing if these are few."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import closing

from linkoracle.board import END, PASS, LinkModel
from linkoracle.core import Deadline, MemoryLimit, NotSupported
from linkoracle.engines import Turns
from linkoracle.frontier import Diagram, building, listed
from linkoracle.graphs.disjoint_paths import RATE, Near, near_of

#: Vertices that a search visits before a pass begins, in turns with it.
FIRST_EFFORT = 200_000
#: States of a pass that take as long as a visited vertex.
_STATES = 8


def passing(
    model: LinkModel,
    order: tuple[int, ...] | None,
    memory: int | None,
    deadline: Deadline,
    part: Callable[[Diagram], Diagram],
) -> Generator[float, None, Diagram]:
    """Build ``part`` of a diagram by a pass, as work in steps; yield efforts, as `bounded`."""
    work = building(model, memory, deadline, order=order)
    # The garbage collector might close the pass while a thread starts or ends: a deadlock.
    with closing(work):
        while True:
            try:
                _, _, states = next(work)
            except StopIteration as end:
                return part(end.value)
            yield states / _STATES


def bounded_diagram(
    model: LinkModel,
    length: int,
    order: tuple[int, ...] | None,
    memory: int | None,
    timeout: float | None,
    part: Callable[[Diagram], Diagram],
    heads: Sequence[int] | None = None,
) -> Diagram:
    """Build the diagram of the solutions of up to ``length`` edges.

    They are listed, or are ``part`` of a diagram of all solutions by a pass; both work in turns
    until one has finished. ``heads`` has the vertex to which each edge leads if the graph is
    directed. Raises what a pass raises if the list is long.
    """
    deadline = Deadline(timeout)
    effort: float = FIRST_EFFORT
    with (
        closing(bounded(model, length, heads)) as lists,
        closing(passing(model, order, memory, deadline, part)) as passes,
    ):
        listing, other = Turns(lists), Turns(passes)
        lost = False
        while not listing.go_on(effort):
            deadline.check()
            try:
                if not lost and other.go_on(effort):
                    assert other.answer is not None
                    return other.answer
            except (MemoryLimit, NotSupported):
                lost = True
            effort *= 2
    assert listing.answer is not None
    return listed(model, listing.answer, memory, order)


def bounded(
    model: LinkModel, length: int, heads: Sequence[int] | None = None
) -> Generator[int, None, list[list[int]]]:
    """List the edges of all solutions of up to ``length`` edges, as work in steps.

    The model is as for `Backtracking`, but may have any vertices that must be visited, and the
    counts by which edges follow their ``heads``. Yields the vertices visited since it yielded last.

    >>> from linkoracle.board import Lattice
    >>> work = bounded(LinkModel.blank_loop(Lattice(2, 3)), 4)
    >>> try:
    ...     while True:
    ...         effort = next(work)
    ... except StopIteration as end:
    ...     end.value
    [[0, 1, 5, 3], [2, 3, 6, 4]]
    """
    near = back = near_of(model)
    if heads is not None:
        back = [[step for step in found if heads[step[1]] == at] for at, found in enumerate(near)]
        near = [[step for step in found if heads[step[1]] != at] for at, found in enumerate(near)]
    found: list[list[int]] = []
    required = frozenset(model.given)
    if model.terminals:
        yield from _walks(near, back, *model.terminals[0], length, required, [], found)
    else:
        # Each edge in turn begins the cycles that have none of the edges before it.
        first = sorted(required)[:1] or range(model.board.num_edges)
        for edge in first:
            goal, start = model.board.ends(edge)[::-1]
            if heads is not None and heads[edge] != start:
                goal, start = start, goal
            if (start, edge) in near[goal]:
                near[goal].remove((start, edge))
                back[start].remove((goal, edge))
                rest = required - {edge}
                yield from _walks(near, back, start, goal, length - 1, rest, [edge], found)
    must = {vertex for vertex, mask in enumerate(model.degrees) if mask in (PASS, END)}
    if not must:
        return found
    ends = model.board.ends
    return [
        edges for edges in found if must.issubset(vertex for edge in edges for vertex in ends(edge))
    ]


def _walks(
    near: Near,
    back: Near,
    start: int,
    goal: int,
    most: int,
    required: Collection[int],
    before: list[int],
    found: list[list[int]],
) -> Generator[int, None, None]:
    """Append to ``found`` each path of up to ``most`` edges, after the edges ``before``.

    ``near`` has the steps from each vertex, ``back`` those to it.
    """
    distance, queue = {goal: 0}, deque([goal])
    while queue:
        vertex = queue.popleft()
        if distance[vertex] < most:
            for far, _ in back[vertex]:
                if far not in distance:
                    distance[far] = distance[vertex] + 1
                    queue.append(far)
    effort = len(distance)
    if distance.get(start, most + 1) > most:
        yield effort
        return
    missing = len(required)
    path: list[int] = []
    visited = {start}
    stack = [(start, iter(near[start]))]
    while stack:
        left = most - len(path) - 1
        for far, edge in stack[-1][1]:
            if far == goal:
                if missing == (edge in required):
                    found.append([*before, *path, edge])
            elif distance.get(far, most) <= left and far not in visited:
                missing -= edge in required
                if missing <= left:
                    path.append(edge)
                    visited.add(far)
                    stack.append((far, iter(near[far])))
                    break
                missing += edge in required
        else:
            visited.discard(stack.pop()[0])
            if path:
                missing += path.pop() in required
            effort += 1
            if effort >= RATE:
                yield effort
                effort = 0
    yield effort
