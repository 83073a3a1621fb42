"""Re-route a board where its two solutions differ.

Let S be the solution that a maker laid and T another. A *take-over* moves one end: the end x of a
link goes on into a neighbour y, and y leaves its own neighbour z, which becomes an end. In T a path
ends at x, which is no end any more; so T is no solution of the new board. Only if the step y-z is
in T as well could the same change be made to T; so steps that T has not are taken out. Where no
such take-over is possible, a link is cut at a step that T has not, and `settle` joins others.
"""

from __future__ import annotations

from random import Random

from linkoracle.generate.links import settle
from linkoracle.generate.path_system import PathSystem, Step
from linkoracle.generate.randomness import shuffled
from linkoracle.generate.request import Request
from linkoracle.model import Solution


def repair(system: PathSystem, other: Solution, request: Request, rng: Random) -> bool:
    """Change ``system`` so that ``other`` is no solution of it; whether that was possible.

    The system still is as requested afterwards, and may have one solution now or many. Where it was
    not possible, the system is of no use any more.
    """
    theirs = {tuple(sorted(step)) for step in _steps(other)}
    only_ours = [
        (cell, before)
        for cell, linked in enumerate(system.linked)
        for before in linked
        if ((cell, before) if cell < before else (before, cell)) not in theirs
    ]
    for y, z in shuffled(rng, only_ours):
        for x in shuffled(rng, system.neighbours[y]):
            if len(system.linked[x]) == 1 and system.label[x] != system.label[y]:
                if not system.change(out=(y, z), into=(x, y)):
                    continue
                if not request.misses(system.size.values()):
                    return True
                system.undo()
    for y, z in shuffled(rng, only_ours):
        if system.change(out=(y, z)):
            return settle(system, request, rng) and z not in system.linked[y]
    return False


def _steps(solution: Solution) -> list[Step]:
    ends = solution.lattice.edge_vertices[list(solution.edges)].tolist()
    return [(first, second) for first, second in ends]
