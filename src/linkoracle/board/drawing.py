"""The faces of a straight-line drawing of a graph."""

from __future__ import annotations

from math import atan2

#: Coordinates: x to the right, y down.
Point = tuple[float, float]


def inner_faces(edges: list[tuple[int, int]], points: list[Point]) -> list[list[int]]:
    """Return the inner faces of a straight-line drawing, as walks; none if it is not a plane one.

    A face is walked along with itself on the right hand. A connected drawing is plane if it has as
    many faces as Euler's formula says, and all but one of them, the outer one, lie inside of their
    walks. That finds every crossing that changes the order of edges around a vertex.
    """
    around: list[list[int]] = [[] for _ in points]
    for one, other in edges:
        around[one].append(other)
        around[other].append(one)
    if not edges or not _is_connected(around):
        return []
    after: dict[tuple[int, int], int] = {}
    for here, near in enumerate(around):
        x, y = points[here]
        near.sort(key=lambda v: atan2(points[v][1] - y, points[v][0] - x))
        # Who comes to `here` from one neighbour goes on to the next one counter-clockwise.
        after |= {(there, here): near[place - 1] for place, there in enumerate(near)}
    walks: list[list[int]] = []
    while after:
        one, other = next(iter(after))
        walk = []
        while (one, other) in after:
            walk.append(one)
            one, other = other, after.pop((one, other))
        walks.append(walk)
    inner = [walk for walk in walks if area(walk, points) > 0]
    plane = len(points) - len(edges) + len(walks) == 2 and len(inner) == len(walks) - 1
    return inner if plane else []


def _is_connected(around: list[list[int]]) -> bool:
    seen, waiting = {0}, [0]
    while waiting:
        for there in around[waiting.pop()]:
            if there not in seen:
                seen.add(there)
                waiting.append(there)
    return len(seen) == len(around)


def area(walk: list[int], points: list[Point]) -> float:
    """Return twice the area inside a closed walk: positive if it runs clockwise as drawn."""
    total = 0.0
    for place, vertex in enumerate(walk):
        (x, y), (next_x, next_y) = points[walk[place - 1]], points[vertex]
        total += x * next_y - next_x * y
    return total
