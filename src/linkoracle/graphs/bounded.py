"""`bounded_diagram`: all cycles or paths up to a length, by listing if these are few."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Generator
from contextlib import closing

from linkoracle.board import LinkModel
from linkoracle.core import Deadline, MemoryLimit, NotSupported
from linkoracle.engines import Turns
from linkoracle.frontier import Diagram, building, listed
from linkoracle.graphs.backtracking import edges_needed
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
    fixed: LinkModel,
    length: int,
    order: tuple[int, ...] | None,
    memory: int | None,
    timeout: float | None,
    part: Callable[[Diagram], Diagram],
) -> Diagram:
    """Build the diagram of the solutions of up to ``length`` edges.

    Those of ``fixed`` are listed, or are ``part`` of a diagram of ``model`` by a pass; both work in
    turns until one has finished. Raises what a pass raises if the list is long.
    """
    deadline = Deadline(timeout)
    effort: float = FIRST_EFFORT
    with (
        closing(bounded(fixed, length)) as lists,
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


def bounded(model: LinkModel, length: int) -> Generator[int, None, list[list[int]]]:
    """List the edges of all solutions of up to ``length`` edges, as work in steps.

    The model is as for `Backtracking`. Yields the vertices visited since it yielded last.

    >>> from linkoracle.board import Lattice
    >>> work = bounded(LinkModel.blank_loop(Lattice(2, 3)), 4)
    >>> try:
    ...     while True:
    ...         effort = next(work)
    ... except StopIteration as end:
    ...     end.value
    [[0, 1, 5, 3], [2, 3, 6, 4]]
    """
    near, needed = near_of(model), edges_needed(model)
    found: list[list[int]] = []
    required = frozenset(model.given)
    if model.terminals:
        yield from _walks(near, *model.terminals[0], length, required, [], found)
    else:
        # Each edge in turn begins the cycles that have none of the edges before it.
        first = sorted(required)[:1] or range(model.board.num_edges)
        for edge in first:
            one, other = model.board.ends(edge)
            if (other, edge) in near[one]:
                near[one].remove((other, edge))
                near[other].remove((one, edge))
                yield from _walks(near, one, other, length - 1, required - {edge}, [edge], found)
    return [edges for edges in found if len(edges) >= needed]


def _walks(
    near: Near,
    start: int,
    goal: int,
    most: int,
    required: Collection[int],
    before: list[int],
    found: list[list[int]],
) -> Generator[int, None, None]:
    """Append to ``found`` each path of up to ``most`` edges, after the edges ``before``."""
    distance, queue = {goal: 0}, deque([goal])
    while queue:
        vertex = queue.popleft()
        if distance[vertex] < most:
            for far, _ in near[vertex]:
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
