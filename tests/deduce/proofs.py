"""Whether a sentence is a proof: what a step concludes follows from what it names, and no more.

A step names places, a technique and facts (`Step.cells`, ``technique``, ``premises``). From them:

* the constraints that the clues, regions and circles at the named places state;
* what holds in every cell: how many lines it may have, that it is visited if it has any, and the
  rules of the kind that speak of no clue. All only for cells that the step touches, and for those
  up to two steps away: it touches cells of its facts, its conclusions, of what its clues state,
  and those beside named cells;
* for techniques about whole lines, that these form one loop, or the paths of the kind; and on which
  sides of a loop faces are.

Steps by patterns of Slitherlink and Numberlink name their clues and facts in the same way, but for
those in `EVERYWHERE`, which rest on all that is known, and `BY_UNIQUENESS`, which suppose one
solution.

A SAT solver, with clauses of these only, refutes each conclusion's opposite. For whole lines an
engine does, on the board without clues. Nothing here uses code of the deduction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from pysat.solvers import Solver

import linkoracle
from linkoracle import LinkModel
from linkoracle.deduce import Step
from linkoracle.session.forced import Sides

#: Techniques that argue with whole lines.
WHOLE = ("end", "crossing", "exit")
#: Techniques of one place, or two.
LOCAL = ("count", "cases", "clues")
#: Techniques by patterns of one place, one path or one cut; those about all that is known, by all
#: rules; and those for which there must be one solution.
PLACED = ("clue", "dot", "loop", "parity", "colour", "shade", "window", "wide")
PLACED += ("static", "reach", "cell", "pair", "square", "block")
EVERYWHERE = ("region", "pocket", "passage", "access")
BY_UNIQUENESS = ("unique", "beside", "corner", "empty")
#: Words of a sentence about blocks, where small loops are those that leave out any clue.
_FILLED = ("way to fill", "ways to fill")
#: Words of a sentence that uses the rule for all lines together, or for all numbers.
WHOLE_WORDS = ("loop", "path", "join", "order of the numbers")


def facts_of(model: LinkModel, step: Step) -> list[int]:
    """Return what a step decides, as literals."""
    visited = model.board.visited
    return [
        *(edge + 1 for edge in step.lines),
        *(-edge - 1 for edge in step.crosses),
        *(visited(vertex) for vertex in step.visited),
        *(-visited(vertex) for vertex in step.unvisited),
    ]


def stated(model: LinkModel, which: int) -> Iterator[tuple[object, object]]:
    """Yield each shape (0), count (1) or clause (2) with the place that states it, if one does."""
    every = (model.shapes, model.counts, model.clauses)[which]
    places: list[object] = [None] * len(every)
    ends = [source[which] for source in model.sources[1:]] + [len(every)]
    for source, end in zip(model.sources, ends, strict=bool(model.sources)):
        places[source[which] : end] = [source.place] * max(0, end - source[which])
    yield from zip(every, places, strict=True)


class Clauses:
    """Clauses over the literals of a model, and counters with variables of their own."""

    def __init__(self, model: LinkModel) -> None:
        self.model, self.every = model, []
        self.last = max(model.num_variables, model.board.num_edges + model.board.num_vertices)

    def count(self, literals: Iterable[int], allowed: int) -> None:
        """Require that the number of true literals is one of the bits of ``allowed``."""
        row: list[int | None] = [None]  # variable k: k of the literals so far are true
        for literal in literals:
            after = list(range(self.last + 1, self.last + len(row) + 2))
            self.last = after[-1]
            for number, reached in enumerate(row):
                before = [] if reached is None else [-reached]
                self.every.append([*before, literal, after[number]])
                self.every.append([*before, -literal, after[number + 1]])
            row = after
        for number, reached in enumerate(row):
            if not allowed >> number & 1:
                self.every.append([] if reached is None else [-reached])

    def vertex(self, vertex: int) -> None:
        """Add what holds at a vertex without a clue."""
        board, mask = self.model.board, self.model.degrees[vertex]
        lines = [edge + 1 for edge in board.edges_at(vertex)]
        self.count(lines, mask)
        visited = board.visited(vertex)
        self.every += [[-visited, *lines], *([visited, -line] for line in lines)]


def touched(model: LinkModel, literals: Iterable[int]) -> set[int]:
    """Return the vertices of literals: both ends of an edge."""
    edges, found = model.board.num_edges, set()
    for literal in map(abs, literals):
        if literal <= edges:
            found.update(model.board.ends(literal - 1))
        elif literal <= edges + model.board.num_vertices:
            found.add(literal - 1 - edges)
    return found


def local_clauses(model: LinkModel, step: Step) -> list[list[int]]:
    """Return the clauses of what a step of one place or two names."""
    board, named = model.board, set(step.cells)
    clauses = Clauses(model)
    shapes, counts, plain = ([*stated(model, which)] for which in range(3))
    literals = [*step.premises, *facts_of(model, step)]
    literals += chain.from_iterable(count.literals for count, at in counts if at in named)
    literals += chain.from_iterable(clause for clause, at in plain if at in named)
    literals += [
        edge + 1 for shape, at in shapes if at in named for edge in board.edges_at(shape.vertex)
    ]
    faces = [face for face in range(board.num_faces) if _face_name(model, face) in named]
    if model.has_face_rules:
        literals += [edge + 1 for face in faces for edge in board.edges_of(face)]
    cells = touched(model, literals)
    # A line through a named cell goes on beside it.
    lines = {one for one in range(board.num_vertices) if board.vertex_name(one) in named}
    cells |= {end for cell in lines for one in board.edges_at(cell) for end in board.ends(one)}
    for _ in range(2):
        edges = {edge for cell in cells for edge in board.edges_at(cell)}
        cells.update(end for edge in edges for end in board.ends(edge))
    # The board shows where no line can be, and what is given.
    holes = {edge for vertex in model.holes for edge in board.edges_at(vertex)}
    clauses.every += [[-edge - 1] for edge in holes.union(model.forbidden)]
    clauses.every += [[edge + 1] for edge in model.given]
    for cell in cells:
        clauses.vertex(cell)
    scope = set(map(abs, literals)) | {board.visited(cell) for cell in cells}
    scope |= {edge + 1 for cell in cells for edge in board.edges_at(cell)}
    for shape, at in shapes:
        if at in named or (at is None and shape.vertex in cells):
            clauses.every += map(list, shape.excluded(board, model.degrees[shape.vertex]))
    for (members, allowed), at in counts:
        if at in named or (at is None and scope.issuperset(map(abs, members))):
            clauses.count(members, allowed)
    for clause, at in plain:
        if at in named or (at is None and scope.issuperset(map(abs, clause))):
            clauses.every.append(list(clause))
    if model.has_face_rules:
        for face in faces:
            clauses.count([edge + 1 for edge in board.edges_of(face)], model.faces[face])
    return clauses.every


def _face_name(model: LinkModel, face: int) -> object:
    name = model.board.face_name(face)
    return tuple(name) if isinstance(name, list) else name


def unproven(model: LinkModel, step: Step, before: Sequence[int] = ()) -> list[int]:
    """Return the conclusions of a step that do not follow from what it names; none of guesses.

    Cases may leave out ways that close a loop, and the like, if the sentence says so. ``before`` is
    what was known, for steps that rest on all of it. Sides of faces count on from all literals.
    """
    facts = facts_of(model, step)
    if step.technique in EVERYWHERE or any(word in step.reason for word in _FILLED):
        whole = model.with_constraints(clauses=[(one,) for one in before])
        return [] if _implies(whole, step, facts) else facts
    if step.technique in LOCAL:
        with Solver("cadical153", bootstrap_with=local_clauses(model, step)) as solver:
            left = [one for one in facts if solver.solve([*step.premises, -one])]
        whole_line = any(word in step.reason for word in WHOLE_WORDS)
        return left if not (left and whole_line and follows(model, step, left)) else []
    ours = step.technique in (*WHOLE, *PLACED)
    return [] if not ours or follows(model, step, facts) else facts


def follows(model: LinkModel, step: Step, facts: list[int]) -> bool:
    """Return whether facts follow from what a step names and the rule for all lines together."""
    board, named = model.board, set(step.cells)
    shapes, counts, clauses = (
        [one for one, at in stated(model, which) if at is None or at in named] for which in range(3)
    )
    faces = [
        mask if _face_name(model, face) in named else free
        for face, (mask, free) in enumerate(zip(model.faces, board.free_masks, strict=True))
    ]
    rest = LinkModel(
        board, model.degrees, faces, model.terminals, model.loop, model.given, model.forbidden
    ).with_constraints(
        shapes=shapes,
        counts=counts,
        clauses=[*clauses, *((one,) for one in step.premises)],
    )
    return _implies(rest, step, facts)


def _implies(model: LinkModel, step: Step, facts: Sequence[int]) -> bool:
    """Return whether all solutions of a model have these facts, and the sides of a step."""
    facts = list(facts)
    if step.inside or step.outside:
        sides = Sides(model)
        facts += [sides.side(face, on=True) for face in step.inside]
        facts += [sides.side(face, on=False) for face in step.outside]
        model = sides.model
    return not refuted(model, facts)


def refuted(model: LinkModel, facts: Iterable[int]) -> bool:
    """Return whether some solution of a model contradicts some of the facts."""
    other = model.with_constraints(clauses=[[-one for one in facts]])
    return linkoracle.count_result(other, 1).count > 0
