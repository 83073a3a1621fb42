"""`Hint`: what a session tells a player: first a wrong mark, else the next step in three levels.

The levels say where to look, then which rule helps there, then what follows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from linkoracle import deduce
from linkoracle.board import LinkModel, Solution
from linkoracle.core import Deadline, SearchTimeout, counted, listing
from linkoracle.engines import Verdict
from linkoracle.kinds import Puzzle, format_place, place_of
from linkoracle.session.forced import Sides

#: Most lines and crosses that are tried for a hint without a technique, and the seconds for each: a
#: page without compiled modules stays alive meanwhile.
_TRIED, CORE_SECONDS = 8, 0.25
#: The levels of a hint, as their names.
LEVELS = ("where", "rule", "all")


@dataclass(frozen=True)
class Marks:
    """The marks of a player, each true or false.

    ``edges`` are lines or crosses, ``visited`` vertices with a line or without one (in kinds that
    shade cells: shaded), ``inside`` faces inside or outside the loop.
    """

    edges: Mapping[int, bool] = field(default_factory=dict)
    visited: Mapping[int, bool] = field(default_factory=dict)
    inside: Mapping[int, bool] = field(default_factory=dict)


class Wrong(NamedTuple):
    """Marks that are wrong: edges, vertices and faces, by their numbers.

    Of a puzzle with several solutions, they are some that no solution has together.
    """

    edges: list[int]
    vertices: list[int]
    faces: list[int]

    def __bool__(self) -> bool:
        return any(map(bool, self))


@dataclass(frozen=True)
class Hint:
    """What a player is told: a ``wrong`` mark, or the next ``step``, in three levels.

    ``where`` says where to look, ``rule`` which technique helps there, ``sentence`` what follows
    and why. `told` joins them up to a level.
    """

    where: str
    rule: str
    sentence: str
    step: deduce.Step | None = None
    wrong: Wrong | None = None

    def told(self, level: int = 3) -> str:
        """Return the hint up to a level from 1 to 3; the last level says it all.

        >>> Hint("Look at r1c1.", "Counting.", "The 0 at r1c1 has all its lines.").told(2)
        'Look at r1c1. Counting.'
        """
        if not 1 <= level <= len(LEVELS):
            raise ValueError(f"expected a level from 1 to {len(LEVELS)}, got {level!r}")
        return self.sentence if level == len(LEVELS) else " ".join((self.where, self.rule)[:level])


def implied_hint(
    puzzle: Puzzle, marks: Marks, only: Solution, core: Callable[[dict[int, bool]], Verdict]
) -> Hint | None:
    """Return the edge that the fewest clues and lines imply, of some near the marks.

    For places where no technique helps, and for programs without compiled modules, which have no
    techniques. ``core`` finds what contradicts edges. ``None`` if it finds nothing in time.
    """
    board, lines = puzzle.board, {*only.edges}
    reached = {end for edge in marks.edges for end in board.ends(edge)}
    holes = {*puzzle.model.holes}
    unknown = [
        edge
        for edge in range(board.num_edges)
        if edge not in marks.edges and holes.isdisjoint(board.ends(edge))
    ]
    unknown.sort(key=lambda edge: reached.isdisjoint(board.ends(edge)))
    best: tuple[int, int, Verdict] | None = None
    for edge in unknown[:_TRIED]:
        try:
            found = core({**marks.edges, edge: edge not in lines})
        except SearchTimeout:
            continue
        if found.status != "none" or found.core is None:
            continue
        size = len(found.core) + len(found.core_edges or {})
        if best is None or size < best[0]:
            best = size, edge, found
        if size <= 2:
            break
    if best is None:
        return None
    _, edge, found = best
    cells = [cell if len(cell) > 1 else cell[0] for cell in sorted(found.core or ())]
    used = [one for one in found.core_edges or {} if one != edge]
    names = [*map(place_of, cells)]
    told = [f"the {counted(len(cells), 'clue')} at {listing(names)}"] if cells else []
    told += [f"what is marked at {listing(names_of(puzzle, one) for one in used)}"] if used else []
    reason = f"{' and '.join(told) or 'The rules'} leave no other choice"
    reason = reason[0].upper() + reason[1:]
    what = "a line" if edge in lines else "no line"
    sentence = f"{reason}: {what} {names_of(puzzle, edge)}."
    drawn, crosses = ((edge,), ()) if edge in lines else ((), (edge,))
    step = deduce.Step("implied", None, drawn, crosses, reason, sentence, tuple(cells))
    where = listing(names[:3]) if cells else edge_place(puzzle, edge)
    return Hint(f"Look at {where}.", f"{reason}.", sentence, step)


def hint_of(puzzle: Puzzle, step: deduce.Step) -> Hint:
    """Return a step as a hint."""
    places = deduce.places_of(puzzle, step)[:2]
    where = " and ".join(map(place_of, places)) or "the whole board"
    title = step.name
    about = deduce.meaning_of(step.technique)
    rule = f"{title[0].upper()}{title[1:]}{f': {about}' if about else ''}."
    return Hint(f"Look at {where}.", rule, step.sentence, step)


def hint_of_wrong(puzzle: Puzzle, wrong: Wrong) -> Hint:
    """Return the hint about wrong marks."""
    board = puzzle.board
    named = [*(edge_place(puzzle, edge) for edge in wrong.edges)]
    vertices = map(board.vertex_name, wrong.vertices)
    named += map(place_of if puzzle.through_cells else dot_name, vertices)
    named += [deduce.face_words(puzzle, face) for face in wrong.faces]
    number = len(named)
    what = "A mark is" if number == 1 else f"{number} marks are"
    where = ", ".join(named)
    sentence = f"{what} wrong: {where}."
    return Hint(f"{what} wrong.", f"Look at {where}.", sentence, wrong=wrong)


def names_of(puzzle: Puzzle, edge: int) -> str:
    """Return the name of an edge: its two cells, or the faces beside it."""
    if puzzle.through_cells:
        return "-".join(place_of(puzzle.board.vertex_name(end)) for end in puzzle.board.ends(edge))
    return deduce.edge_words(puzzle, edge)


def edge_place(puzzle: Puzzle, edge: int) -> str:
    """Return where to look for an edge."""
    name = names_of(puzzle, edge)
    return name if puzzle.through_cells else f"the edge {name}"


def dot_name(name: Any) -> str:
    """Return the name of a dot: its row and column, or its number."""
    return f"dot {format_place(name)}"


def wrong_marks(sides: Sides, marks: Marks, only: Solution) -> Wrong:
    """Return the marks that differ from the only solution."""
    lines, facts = {*only.edges}, sides.facts_of(only)
    return Wrong(
        sorted(edge for edge, on in marks.edges.items() if (edge in lines) != on),
        sorted(at for at, on in marks.visited.items() if -sides.visit(at, on=on) in facts),
        sorted(at for at, on in marks.inside.items() if -sides.side(at, on=on) in facts),
    )


def contradicting_marks(
    sides: Sides, marks: Marks, edges: list[int], find: Callable[[LinkModel], Solution | None]
) -> Wrong:
    """Return marks that no solution has together, of a puzzle with several.

    ``edges`` are those that contradict each other alone, ``find`` looks for a solution.
    """
    if edges:
        return Wrong(edges, [], [])
    facts = {sides.visit(at, on=on): ("visited", at) for at, on in marks.visited.items()}
    if sides.model.loop:
        facts |= {sides.side(at, on=on): ("inside", at) for at, on in marks.inside.items()}
    drawn = sides.model.with_drawn(marks.edges)

    def fits(some: Collection[int]) -> bool:
        return find(drawn.with_constraints(clauses=[(fact,) for fact in some])) is not None

    if not facts or fits(facts):
        return Wrong([], [], [])
    # Each mark without which the others still contradict each other is left out.
    left = list(facts)
    for fact in facts:
        fewer = [one for one in left if one != fact]
        if not fits(fewer):
            left = fewer
    named = [facts[fact] for fact in left]
    vertices, faces = (
        sorted(at for what, at in named if what == name) for name in ("visited", "inside")
    )
    return Wrong([], vertices, faces)


def side_step(puzzle: Puzzle, marks: Marks) -> deduce.Step | None:
    """Return what two faces beside each other, marked inside and outside, say of their edge.

    The outside of the board counts as marked.
    """
    for edge, (one, other) in _between(puzzle):
        if edge in marks.edges or one not in marks.inside:
            continue
        beyond = False if other is None else marks.inside.get(other)
        if beyond is None:
            continue
        apart = marks.inside[one] != beyond
        faces = [one] if other is None else [one, other]
        names = [deduce.face_words(puzzle, face) for face in faces]
        both = f"{names[0]} and {names[1]}" if other is not None else f"{names[0]} and the outside"
        reason = f"{both} are on {'different sides' if apart else 'the same side'} of the loop"
        what = f"{'a line' if apart else 'no line'} {names_of(puzzle, edge)}"
        cells = () if puzzle.through_cells else tuple(map(puzzle.faces.face_name, faces))
        lines, crosses = ((edge,), ()) if apart else ((), (edge,))
        return deduce.Step("colour", None, lines, crosses, reason, f"{reason}: {what}.", cells)
    return None


def _between(puzzle: Puzzle) -> Iterator[tuple[int, tuple[int, int | None]]]:
    board = puzzle.board
    border = {*board.border()[1]}
    for edge in range(board.num_edges):
        faces = board.faces_of(edge)
        if len(faces) == 2:
            yield edge, (faces[0], faces[1])
        # Beyond other edges with one face is a hole of the board.
        elif len(faces) == 1 and edge in border:
            yield edge, (faces[0], None)


def records_visits(puzzle: Puzzle) -> bool:
    """Return whether players mark cells without a line, as in kinds that shade them."""
    return puzzle.cell_words != Puzzle.cell_words


def next_hint(
    puzzle: Puzzle, marks: Marks, *, uniqueness: bool, recorded: bool, deadline: Deadline
) -> Hint | None:
    """Return the next step of a player with these marks, which all fit; ``None`` if none is found.

    Unless a player can record which vertices are visited (``recorded``), a step that says nothing
    else is told together with the first one that does.
    """
    # Without faces, as where lines cross, there are no sides.
    has_sides = puzzle.model.loop and puzzle.board.num_faces
    if has_sides and (step := side_step(puzzle, marks)) is not None:
        return hint_of(puzzle, step)
    visited, before = dict(marks.visited), list[str]()
    while True:
        found = deduce.hint(puzzle, marks.edges, visited, uniqueness=uniqueness, timeout=deadline)
        if found is None:
            return None
        if recorded or found.lines or found.crosses or found.inside or found.outside:
            break
        before.append(found.sentence)
        visited |= dict.fromkeys(found.visited, True) | dict.fromkeys(found.unvisited, False)
    return hint_of(puzzle, replace(found, sentence=" ".join([*before, found.sentence])))
