"""`Step`, a step in words; and `Words`: what explanations call facts, clues and places.

No compiled module is needed here: a session has steps of its own where there are none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from linkoracle.board import HOLE, LinkModel
from linkoracle.core import listing
from linkoracle.deduce.groups import DEFINES, Group, Rules
from linkoracle.deduce.sides import Sides
from linkoracle.kinds import Puzzle, format_place, place_of

#: Kinds of reasons, as the kernel numbers them.
RULE, CASES = 1, (65, 66)
#: As many cells in line, or lines that hang together, are told by their ends.
_LONG = 3


#: Names for players, of techniques other than patterns, which have their own names.
TITLES = {
    "clue": "counting a clue",
    "dot": "one way on",
    "loop": "no early loop",
    "beside": "short cut",
    "parity": "even crossings",
    "pocket": "dead end",
    "corner": "turn around a turn",
    "empty": "cell left empty",
    "passage": "only passage",
    "colour": "inside or outside",
    "shade": "sides around a place",
    "access": "numbers that can get there",
    "region": "all in one piece",
    "window": "2x2 block",
    "wide": "3x3 block",
    "unique": "one solution only",
    "refuted": "what if",
    "either": "either way",
    "count": "counting",
    "end": "no early end",
    "cases": "all cases of a clue",
    "crossing": "even crossings",
    "exit": "only way out",
    "clues": "two clues together",
    "trial": "what if",
    "guess": "guess",
    "implied": "no other choice",
}


@dataclass(frozen=True)
class Step:
    """One step: the identifier of the technique, the rule of a pattern, and what it decides.

    ``lines`` and ``crosses`` are edges, ``visited`` and ``unvisited`` vertices (the kind may call
    them shaded, or unshaded), ``inside`` and ``outside`` faces. ``name`` is the name for players.
    ``reason`` is the argument, ``sentence`` the argument with its conclusion. ``cells`` are the
    places of the argument, if any, as `Puzzle.clue_cells` names them: ``(row, column)`` from 0, or
    a face; the place of the clue, if one is named, comes first.

    ``premises`` are the facts that the sentence uses, as literals of
    `linkoracle.board.constraints`: with the rule that the sentence names, they imply what it
    decides. ``length`` is the number of steps of a trial until its contradiction, ``ways`` the
    number of cases; both are 0 for other techniques. ``cost`` is how hard the step is;
    ``choices`` counts the steps that were open, this one among them, and are no harder.
    """

    technique: str
    rule: str | None
    lines: tuple[int, ...]
    crosses: tuple[int, ...]
    reason: str
    sentence: str
    cells: tuple[Any, ...] = ()
    visited: tuple[int, ...] = ()
    unvisited: tuple[int, ...] = ()
    inside: tuple[int, ...] = ()
    outside: tuple[int, ...] = ()
    premises: tuple[int, ...] = ()
    length: int = 0
    ways: int = 0
    cost: float = 1
    choices: int = 1

    @property
    def name(self) -> str:
        return self.rule or TITLES.get(self.technique, self.technique)


def edge_words(puzzle: Puzzle, edge: int) -> str:
    """Return where an edge is: from a cell to another, between two faces, or beside one."""
    board = puzzle.board
    ends = [board.vertex_name(end) for end in board.ends(edge)]
    if puzzle.through_cells:
        return "from " + " to ".join(map(place_of, ends))
    faces = [puzzle.faces.face_name(face) for face in board.faces_of(edge)]
    names = [*map(place_of, faces)]
    if len(names) == 2:
        return f"between {names[0]} and {names[1]}"
    if not isinstance(faces[0], tuple):
        return f"at the border of {names[0]}"
    (row, col), ((top, left), (bottom, _)) = faces[0], ends
    if top == bottom:
        return f"{'above' if top == row else 'below'} {names[0]}"
    return f"{'left of' if left == col else 'right of'} {names[0]}"


def vertex_words(puzzle: Puzzle, vertex: int) -> str:
    """Return the name of a vertex: a cell, or a dot."""
    place = puzzle.board.vertex_name(vertex)
    return place_of(place) if puzzle.through_cells else f"dot {format_place(place)}"


def face_words(puzzle: Puzzle, face: int) -> str:
    """Return the name of a face: a cell, the corner where cells meet, or the outside."""
    board = puzzle.board
    if face >= board.num_faces:
        return "the outside" if face == board.num_faces else "the other part of the outside"
    if not puzzle.through_cells:
        return place_of(puzzle.faces.face_name(face))
    around = sorted({end for edge in board.edges_of(face) for end in board.ends(edge)})
    first, *_, last = (place_of(board.vertex_name(vertex)) for vertex in around)
    return f"the corner of {first} and {last}"


def sides_words(puzzle: Puzzle, sides: Sides[Any], pairs: Sequence[tuple[int, int]]) -> str:
    """Return on which sides of the loop pairs of faces are, or how those of a pair are related."""
    whole = "loop" if puzzle.model.loop else "path"
    faces = sorted({face for pair in pairs for face in pair if face < sides.outside})
    inside, outside = sides.absolute(faces)
    told: list[str] = []
    if puzzle.model.loop and len(inside) + len(outside) == len(faces):
        for some, what in ((inside, "inside"), (outside, "outside")):
            if some:
                names = listing(face_words(puzzle, face) for face in some)
                of = "it" if told else "the loop"
                told.append(f"{names} {'is' if len(some) == 1 else 'are'} {what} {of}")
        return " and ".join(told)
    for one, other in pairs:
        where = "on different sides" if sides.apart(one, other) else "on the same side"
        names = f"{face_words(puzzle, one)} and {face_words(puzzle, other)}"
        told.append(f"{names} are {where} of the {whole}")
    return ", and ".join(told)


def capital(text: str) -> str:
    """Return the beginning of a sentence, with a capital unless it is the name of a cell."""
    return text if re.match(r"r\d", text) else text[0].upper() + text[1:]


class Words:
    """The words for the facts, rules and places of a puzzle, whose model has these rules."""

    def __init__(self, puzzle: Puzzle, model: LinkModel, rules: Rules) -> None:
        self.puzzle = puzzle
        self.model = model
        self.rules = rules
        self.board = model.board
        self.edges = self.board.num_edges
        self.first = self.board.num_vertices + len(rules.faces)

    @cached_property
    def owners(self) -> dict[int, Group]:
        """The group of a clue that states a rule, by rule."""
        rules = self.rules
        return {
            number: group
            for group, numbers in zip(rules.groups, rules.members, strict=True)
            for number in numbers
            if number >= self.board.num_vertices
        }

    def owner(self, rule: int) -> Group:
        """Return what states a rule: perhaps a vertex, or all rules of the kind."""
        if rule < self.board.num_vertices:
            return Group("vertex", rule)
        if rule in self.owners:
            return self.owners[rule]
        if self.rules.sorts[rule - self.first] != DEFINES:
            return Group("kind", rule)
        highest = max(map(abs, self.rules.counts[rule - self.first].literals))
        return Group("visited", highest - self.edges - 1)

    def fault(self, group: Group | None) -> str:
        """Return what a broken rule means."""
        if group is None:
            return self.whole[3]
        if group.what == "vertex":
            return f"the line at {self.vertex(group.place)} cannot go on, or branches"
        if group.what == "visited":
            one, other = self.words
            return f"{self.vertex(group.place)} is {one} and {other}"
        return f"{self.cased(group)} cannot be satisfied"

    def stated(self, kind: int, index: int) -> Group | None:
        """Return what states the rule of a reason; ``None`` for the lines as a whole."""
        if kind == RULE:
            return self.owner(index)
        return self.rules.groups[index] if kind in CASES else None

    def place(self, group: Group) -> Any:
        """Return the place of a clue or a cell, the first cell of a region, or ``None``."""
        if group.what == "face":
            return self.face_name(group.place)
        if group.what == "vertex" and self.puzzle.through_cells:
            return self.board.vertex_name(group.place)
        return group.place if group.what in ("clue", "region", "circles") else None

    def face_name(self, face: int) -> Any:
        return self.puzzle.faces.face_name(face)

    def named(self, group: Group) -> str:
        """Return the name of what states rules."""
        match group.what:
            case "clue":
                clue = dict(self.puzzle.clue_cells())[group.place]
                return f"The {self.clue_name(group.place, clue)} at {place_of(group.place)}"
            case "face":
                name = self.face_name(group.place)
                return f"The {dict(self.puzzle.clue_cells()).get(name, 'clue')} at {place_of(name)}"
            case "beside":
                return f"The number of {place_of(group.place)}"
            case "region":
                return f"The border of the region of {place_of(group.place)}"
            case "circles":
                return f"The rule of white circles in the region of {place_of(group.place)}"
            case "vertex" | "shape":
                return f"The line at {self.vertex(group.place)}"
            case "visited":
                return f"Whether {self.vertex(group.place)} is {self.words[0]}"
        return self.puzzle.general_rule

    def cased(self, group: Group) -> str:
        """Return the name of what has cases."""
        name = self.named(group)
        return name[0].lower() + name[1:]

    def clue_name(self, cell: Any, clue: Any) -> str:
        """Return the name of a clue for a player."""
        puzzle: Any = self.puzzle
        figures = [*puzzle.clue_figures(cell, clue)]
        if len(figures) == 1 and figures[0].look in ("white", "black"):
            return f"{figures[0].look} circle {figures[0].text}".rstrip()
        name = self.puzzle.symbols.get(clue) or str(clue)
        return f"arrow {name}" if any(one.look == "arrow" for one in figures) else name

    def way_on(self, vertex: int, facts: Sequence[int], premises: Sequence[int]) -> str:
        """Return the reason of a step by the number of lines at a vertex."""
        around = {edge + 1 for edge in self.board.edges_at(vertex)}
        place = self.vertex(vertex)
        has_line = any(one in around for one in premises)
        if any(one in around for one in facts):
            if has_line:
                return f"The line at {place} has one way to go on"
            return f"There is one way for the line through {place}"
        if sum(one in around for one in premises) == 1 + (self.model.degrees[vertex] >> 2 & 1):
            return f"{capital(place)} has all its lines"
        return f"A line would end at {place}"

    @cached_property
    def whole(self) -> tuple[str, str, str, str, str, str]:
        """The rule for all lines together, and words about what it forbids."""
        if self.model.loop:
            return (
                "The rule of one loop",
                "would close a loop too early",
                "A loop",
                "a loop closes too early",
                "that closes no early loop",
                "that close no early loop",
            )
        if len(self.model.terminals) > 1:
            return (
                "The rule that lines join equal numbers",
                "would close a loop, or join different numbers",
                "A line",
                "a loop closes, or a line joins different numbers",
                "that closes no loop and joins no different numbers",
                "that close no loop and join no different numbers",
            )
        return (
            "The rule of one path",
            "would close or end the path too early",
            "A path",
            "the path closes or ends too early",
            "that does not close the path",
            "that do not close the path",
        )

    @property
    def words(self) -> tuple[str, str]:
        """What a player calls a vertex with lines, and one without."""
        return self.puzzle.cell_words

    def parts(self, literals: Iterable[int]) -> tuple[tuple[int, ...], ...]:
        """Return the lines, crosses, visited and unvisited vertices."""
        found: tuple[list[int], ...] = ([], [], [], [])
        for one in literals:
            at = abs(one) - 1
            cell = at >= self.edges
            found[2 * cell + (one < 0)].append(at - cell * self.edges)
        return tuple(map(tuple, found))

    def news(self, facts: Sequence[int], premises: Sequence[int]) -> list[int]:
        """Return facts without those that others show: crosses and lines at a cell.

        Where a cell has all its lines, by the facts and premises, it has no others.
        """
        _, _, _, unvisited = self.parts(facts)
        lines = Counter(
            end
            for one in {*facts, *premises}
            if 0 < one <= self.edges
            for end in self.board.ends(one - 1)
        )
        closed = {*unvisited}
        closed |= {end for end, on in lines.items() if self.model.degrees[end] >> on + 1 == 0}
        kept = []
        for one in facts:
            if one > self.edges:
                if one - self.edges - 1 in lines:
                    continue
            elif -self.edges <= one < 0 and not closed.isdisjoint(self.board.ends(-1 - one)):
                continue
            kept.append(one)
        return kept

    def is_visited(self, vertex: int, premises: Sequence[int]) -> bool:
        """Return whether a vertex is known to be visited, by itself or from these facts."""
        lines = {edge + 1 for edge in self.board.edges_at(vertex)}
        sure = not self.model.degrees[vertex] & HOLE or self.board.visited(vertex) in premises
        return sure or not lines.isdisjoint(premises)

    def told(self, literals: Iterable[int], *, new: bool = False) -> str:
        """Return facts in words; of ``new`` lines, the whole way."""
        lines, crosses, visited, unvisited = self.parts(literals)
        told = []
        if lines:
            told.append(self.drawn(lines, new=new))
        if crosses:
            told.append(f"no line {listing(map(self.edge, crosses))}")
        for what, vertices in zip(self.words[::-1], (unvisited, visited), strict=True):
            if vertices:
                are = "is" if len(vertices) == 1 else "are"
                told.append(f"{self.listed(vertices)} {are} {what}")
        return "; ".join(told)

    def supposed(self, literal: int) -> str:
        return capital(self.told([literal]))

    def listed(self, vertices: Sequence[int]) -> str:
        """Return the names of vertices; neighbours in a row or in a column as from and to."""
        names: list[str] = []
        left = sorted(vertices)
        while left:
            run = max((self.run(left, step) for step in ((0, 1), (1, 0))), key=len)
            if len(run) < _LONG:
                names.append(self.vertex(left.pop(0)))
            else:
                names.append(f"{self.vertex(run[0])} to {self.vertex(run[-1])}")
                left = [one for one in left if one not in run]
        return listing(names)

    def run(self, vertices: Sequence[int], step: tuple[int, int]) -> list[int]:
        """Return the vertices that lie in a row or a column with the first, side by side."""
        by_name = {self.board.vertex_name(one): one for one in vertices}
        place = self.board.vertex_name(vertices[0])
        found = [vertices[0]]
        while isinstance(place, tuple):
            place = place[0] + step[0], place[1] + step[1]
            if place not in by_name:
                break
            found.append(by_name[place])
        return found

    def drawn(self, lines: Sequence[int], *, new: bool) -> str:
        """Return the names of lines; of those that hang together, the ends, and turns if new."""
        at: dict[int, list[int]] = {}
        for edge in lines:
            for vertex in self.board.ends(edge):
                at.setdefault(vertex, []).append(edge)
        left, alone, long = set(lines), [], []
        for start, edges in at.items():
            if len(edges) != 1 or edges[0] not in left:
                continue
            path, vertex, turns = [], start, [start]
            while following := [edge for edge in at[vertex] if edge in left]:
                path.append(following[0])
                left.remove(following[0])
                before, vertex = vertex, sum(self.board.ends(following[0])) - vertex
                if turns[-1] != before and not self.is_straight(turns[-1], before, vertex):
                    turns.append(before)
            if len(path) < _LONG:
                alone += path
            else:
                ends = f"from {self.vertex(start)} to {self.vertex(vertex)}"
                if any(start in self.board.ends(one) for one in self.board.edges_at(vertex)):
                    # Neighbours: the line is not the one between them.
                    middle = self.board.ends(path[len(path) // 2])[0]
                    ends = f"from {self.vertex(start)} by {self.vertex(middle)}"
                    ends = f"{ends} to {self.vertex(vertex)}"
                long.append("-".join(map(self.vertex, [*turns, vertex])) if new else ends)
        alone = sorted([*alone, *left])
        told = [f"the line {name}" for name in long]
        if alone:
            told.append(
                f"{'a line' if len(alone) == 1 else 'lines'} {listing(map(self.edge, alone))}"
            )
        return "; ".join(told)

    def is_straight(self, *vertices: int) -> bool:
        """Return whether vertices lie in a row or in a column, where the board has these."""
        places = [self.board.vertex_name(vertex) for vertex in vertices]
        if not all(isinstance(place, tuple) for place in places):
            return False
        return any(len(set(axis)) == 1 for axis in zip(*places, strict=True))

    def edge(self, edge: int) -> str:
        return "-".join(map(self.vertex, self.board.ends(edge)))

    def vertex(self, vertex: int) -> str:
        return vertex_words(self.puzzle, vertex)
