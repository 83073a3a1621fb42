"""The solve path of a puzzle: each step of the deduction as a sentence.

Cells are called ``r1c1`` from the top left, dots by row and column from 0, as in an ``ends`` line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby, product

from linkoracle.board import HOLE
from linkoracle.core import Timeout, listing
from linkoracle.deduce.board import DeductionState
from linkoracle.deduce.rules import CATALOGUE, CLUE, DOT, GIVEN, JOINING, PATTERNS, REROUTING
from linkoracle.deduce.sides import Related, Shown, union
from linkoracle.deduce.words import (
    TITLES,
    Step,
    capital,
    edge_words,
    face_words,
    sides_words,
    vertex_words,
)
from linkoracle.kinds import Puzzle, place_of

#: Techniques that show on which sides of a loop some faces are.
_BY_SIDES = ("colour", "shade", "region", "window", "wide")
#: How a guess fails, by the technique that finds it.
_FAULTS = {
    "clue": "a clue cannot be right",
    "dot": "a line cannot go on",
    "loop": "a loop closes too early",
}


def solve_path(puzzle: Puzzle, board: DeductionState) -> list[Step]:
    """Return the steps that led to a state of this puzzle.

    >>> from linkoracle import Slitherlink
    >>> puzzle = Slitherlink([[4, None]])
    >>> board = DeductionState(puzzle.model)
    >>> board.begin()
    True
    >>> print(solve_path(puzzle, board)[0].reason)
    The 4 at r1c1 needs every edge that is left
    """
    return list(_steps(puzzle, board))


def next_step(
    puzzle: Puzzle, edges: Mapping[int, bool], *, uniqueness: bool, timeout: Timeout
) -> Step | None:
    """Return the next step of a player who has drawn these edges; ``None`` if none is found.

    If no technique applies, the step is a guess. With ``uniqueness``, the player knows that there
    is one solution.

    >>> from linkoracle import Slitherlink
    >>> next_step(Slitherlink([[0, None, 0]]), {}, uniqueness=False, timeout=None).reason
    'The 0 at r1c1 has all its lines'
    """
    board = DeductionState(puzzle.model, uniqueness=uniqueness)
    fits = board.begin([2 * edge + (not on) for edge, on in edges.items()], timeout=timeout)
    if fits and not any(_steps(puzzle, board)):
        board.guess(1, timeout=timeout)
    return next(_steps(puzzle, board), None)


def _steps(puzzle: Puzzle, board: DeductionState) -> Iterator[Step]:
    explainer = _Explainer(puzzle, board)
    before: list[int] = []
    for technique, place, literals in board.moves():
        if technique != GIVEN:
            yield explainer.step(technique, place, literals, before)
        before += literals


def technique_runs(board: DeductionState) -> list[tuple[str, int]]:
    """Return the techniques in the order of their use, each with its number of steps in a row.

    ``clue`` and ``dot`` alternate often, so they count as one technique, ``clue/dot``.

    >>> from linkoracle import Slitherlink
    >>> board = DeductionState(Slitherlink([[3, 3], [None, None]]).model)
    >>> board.begin(), technique_runs(board)
    (True, [('static', 1), ('clue/dot', 9)])
    """
    names = (
        "clue/dot" if technique in (CLUE, DOT) else CATALOGUE[technique].name
        for technique, _, _ in board.moves()
        if technique != GIVEN
    )
    return [(name, sum(1 for _ in run)) for name, run in groupby(names)]


class _Explainer:
    def __init__(self, puzzle: Puzzle, board: DeductionState) -> None:
        self.puzzle = puzzle
        self.board = board
        self.lattice = puzzle.lattice
        self.through_cells = puzzle.through_cells

    def step(self, technique: int, place: int, literals: list[int], before: list[int]) -> Step:
        name = CATALOGUE[technique].name
        lines, crosses = _split(literals)
        rule = None
        sides: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
        premises = self.premises(name, place, before)
        if technique in REROUTING or technique in JOINING:
            reason, cells = self.link(name, place, lines, before)
        elif technique in PATTERNS:
            number, clues, needed, _ = self.board.pattern(place)
            rule, cells = self.board.deck.rules[number].name, tuple(map(self.corner, clues))
            parts = self.parts(*_split(needed))
            given = f", given {' and '.join(parts)}" if parts else ""
            reason = f'Pattern "{rule}" at {place_of(cells[0])}{given}'
        elif name in _BY_SIDES:
            reason, cells, shown, sides = self.shown(name, place, literals, len(before))
            premises = {*before} if shown.everywhere else {*shown.literals}
        else:
            reason = self.reason(name, place, literals, before)
            cells = self.cells(name, place)
            if name == "loop" and place >= 0 and self.puzzle.model.loop:
                clue = self.unmet(place, before)
                cells = () if clue is None else self.around([clue])
        sentence = f"{reason}: {'; '.join(self.parts(lines, crosses))}."
        return Step(
            *(name, rule, lines, crosses, reason, sentence, cells),
            inside=sides[0],
            outside=sides[1],
            premises=tuple(sorted((one // 2 + 1) * (-1 if one & 1 else 1) for one in premises)),
        )

    def shown(
        self, name: str, place: int, literals: list[int], known: int
    ) -> tuple[str, tuple[tuple[int, int], ...], Shown, tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return a reason about sides, its cells, what shows it, and faces inside and outside."""
        related, is_loop = self.related, self.puzzle.model.loop
        pairs = [self.board.sides(literal >> 1) for literal in literals]
        around = sorted({face for pair in pairs for face in pair})
        # Only a loop has an inside.
        faces = around if is_loop else []
        related.go_to(known)
        before = {face for some in related.sides.absolute(faces) for face in some}
        related.go_to(known + len(literals))
        # That faces are inside or outside is a conclusion, too.
        outside = related.sides.outside
        told_faces = [face for some in related.sides.absolute(faces) for face in some]
        every = [*pairs, *((face, outside) for face in told_faces)]
        shown = union(related.between(*pair) for pair in every)
        told = sides_words(self.puzzle, related.sides, pairs)
        cells = self.around(around) if name == "colour" else self.cells(name, place)
        also = [self.site(one) for one in sorted(shown.sites) if name != "shade" or one != place]
        also += [f"the ways to fill {self.block(*one)}" for one in sorted(shown.windows)]
        if name == "colour":
            show = listing(["the lines around", *also])
            reason = f"{capital(told)}, as {show} show"
        elif name == "shade":
            fits = "only this fits what is known to be inside and outside"
            reason = f"Around {listing([self.site(place), *also])}, {fits}, so {told}"
        elif name == "region":
            what = "corners" if self.through_cells else "cells"
            one_piece = f"The {what} inside are in one piece, and so are those outside"
            where = "inside the loop" if related.sides.inside(place) else "outside the loop"
            if not is_loop:
                one_piece = f"The {what} on each side of the path are in one piece"
                where = "on this side of it"
            reason = f"{one_piece}, so {face_words(self.puzzle, place)} is {where}"
            faces = [face for face in faces if face not in before]
        else:
            reason = f"Every way to fill {self.block(name, place)} without a small loop has this"
        if shown.everywhere and name != "region":
            first = f"{reason[0].lower()}{reason[1:]}"
            reason = f"All inside is in one piece, and so is all outside; so {first}"
        named: list[tuple[int, int]] = []
        if name in ("colour", "shade"):
            named += [cell for one in sorted(shown.sites) for cell in self.cells("shade", one)]
            named += [cell for one in sorted(shown.windows) for cell in self.cells(*one)]
        return reason, (*dict.fromkeys((*cells, *named)),), shown, related.sides.absolute(faces)

    @cached_property
    def related(self) -> Related:
        """The relations between faces, as far as they were found before a step."""
        return Related(self.board, [technique.name for technique in CATALOGUE])

    def site(self, site: int) -> str:
        """Return the name of a vertex, or of the clue of a face, which counts on from these."""
        face = site - self.lattice.num_vertices
        return self.dot(site) if face < 0 else f"the {self.clue(face)}"

    def block(self, name: str, place: int) -> str:
        cells = self.cells(name, place)
        return f"{place_of(cells[0])} to {place_of(cells[-1])}"

    def premises(self, name: str, place: int, before: list[int]) -> set[int]:
        """Return the known literals that a step of one place, of a path or of a cut rests on."""
        lattice, lines = self.lattice, [one >> 1 for one in before if not one & 1]
        edges: Iterable[int] = ()
        match name:
            case "clue":
                edges = lattice.edges_of(place)
            case "dot":
                edges = lattice.edges_at(place)
            case "loop" if place < 0:
                edges = lines
            case "loop":
                path = self.path_lines(place, lines)
                # One line elsewhere shows that the path is not all.
                edges = [*path, *[line for line in lines if line not in path][:1]]
            case "parity":
                at, ways = (place, 0) if place < lattice.rows - 1 else (place - lattice.rows + 1, 1)
                edges = [
                    one
                    for one in range(lattice.num_edges)
                    if [lattice.position(end)[ways] for end in lattice.ends(one)] == [at, at + 1]
                ]
            case _ if name in ("static", "reach", "cell", "pair", "square", "block"):
                return {*self.board.pattern(place)[2]}
        return {one for one in before if one >> 1 in {*edges}}

    def path_lines(self, edge: int, lines: list[int]) -> set[int]:
        """Return the lines of the paths from both ends of an edge on."""
        at: dict[int, list[int]] = {}
        for line in lines:
            for end in self.lattice.ends(line):
                at.setdefault(end, []).append(line)
        found = set[int]()
        todo = [*self.lattice.ends(edge)]
        while todo:
            end = todo.pop()
            for line in at.get(end, ()):
                if line not in found:
                    found.add(line)
                    todo += self.lattice.ends(line)
        return found

    def unmet(self, edge: int, before: Sequence[int]) -> int | None:
        """Return the face of a clue that lacks lines if a loop closes; ``None``: of other lines."""
        lines = [one >> 1 for one in before if not one & 1]
        if not self.path_lines(edge, lines).issuperset(lines):
            return None
        drawn = {*lines, edge}
        return next(
            face
            for face, mask in enumerate(self.puzzle.model.faces)
            if not mask >> len(drawn.intersection(self.lattice.edges_of(face))) & 1
        )

    def around(self, faces: Iterable[int]) -> tuple[tuple[int, int], ...]:
        """Return the cells that some faces are, or that meet in them."""
        # If lines run through cells, a face is a corner where four cells meet.
        side = 2 if self.through_cells else 1
        found = [self.corner(face) for face in faces if 0 <= face < self.lattice.num_faces]
        return tuple(dict.fromkeys(cell for corner in found for cell in _block(corner, side)))

    def cells(self, name: str, place: int) -> tuple[tuple[int, int], ...]:
        """Return the cells of an argument."""
        faces: list[int] = []
        match name:
            case "window" | "wide":
                side = 2 if name == "window" else 3
                return _block(divmod(place, self.lattice.cols - side), side)
            case "clue" | "region":
                faces = [place]
            case "dot" | "pocket":
                if self.through_cells:
                    return (self.lattice.position(place),)
                faces = self.faces_around(place)
            case "parity":
                rows = self.puzzle.rows - self.through_cells
                every = product(range(self.puzzle.rows), range(self.puzzle.cols))
                at, way = (place, 0) if place < rows else (place - rows, 1)
                return tuple(cell for cell in every if 0 <= cell[way] - at <= self.through_cells)
            case "either":
                faces = [*self.board.sides(place)]
            case "shade":
                faces = [place - self.lattice.num_vertices]
        return self.around(faces)

    def faces_around(self, vertex: int) -> list[int]:
        """Return the cells that meet at a dot."""
        edges = self.lattice.edges_at(vertex)
        around = (self.board.sides(edge) for edge in edges)
        return sorted({face for sides in around for face in sides})

    def reason(self, name: str, place: int, literals: list[int], before: list[int]) -> str:
        match name:
            case "clue":
                done = literals[0] & 1
                what = "has all its lines" if done else "needs every edge that is left"
                return f"The {self.clue(place)} {what}"
            case "dot":
                return self.dot_reason(place, literals, before)
            case "loop" if place < 0:
                return "The loop is complete" if self.puzzle.model.loop else "All is joined"
            case "loop" if self.puzzle.model.loop:
                clue = self.unmet(place, before)
                then = "before all is done" if clue is None else f"without the {self.clue(clue)}"
                return f"A line there would close a loop {then}"
            case "loop":
                return "A line there would join different ends or close a loop"
            case "parity":
                return f"A loop has an even number of lines {self.cut(place)}, and one edge is open"
            case "pocket":
                return f"What lies behind {self.dot(place)} can be reached through it only"
            case "unique":
                return (
                    "Otherwise a part could be drawn differently, and there would be two solutions"
                )
            case "either":
                return f"Whether there is a line {self.edges([place])} or not, this follows"
        return self.refutation(literals[0] ^ 1, before)

    def link(
        self, name: str, place: int, lines: tuple[int, ...], before: list[int]
    ) -> tuple[str, tuple[tuple[int, int], ...]]:
        """Return a reason about several paths, and its cells."""
        at = place - self.lattice.num_vertices
        spots = [place] if at < 0 else [*self.lattice.ends(at)]
        turn = self.turn_around(place, before) if name == "corner" and at < 0 else None
        if turn is not None:
            spots.append(turn)
        cells = tuple(self.lattice.position(spot) for spot in spots)
        one, *others = map(place_of, cells)
        if turn is not None:
            return (
                f"The path of {one} turns as that of {others[0]} does, inside whose turn it is",
                cells,
            )
        if at < 0:
            return self.link_at(name, one, place), cells
        between = f"between {one} and {others[0]}"
        match name:
            case "beside" if lines:
                reason = f"One path comes to both {one} and {others[0]}: they are joined"
            case "beside":
                reason = f"A path that came to both {one} and {others[0]} could take the short cut"
            case "passage" if lines:
                reason = f"Every way for the {self.number(spots[0])} leads {between}"
            case "passage":
                reason = f"No number could go {between}, since another must pass there"
            case "corner":
                reason = f"No path could go {between} and turn around another"
            case _:
                reason = f"No number could go {between}"
        return reason, cells

    def link_at(self, name: str, cell: str, vertex: int) -> str:
        """Return a reason about the ways through one cell."""
        match name:
            case "beside":
                return f"In any other way the path of {cell} would run beside itself"
            case "corner":
                return f"A path can turn at {cell} only around a number, or around another turn"
            case "empty":
                return f"If {cell} stayed empty, a path beside it could go round through it"
            case "passage":
                return f"Every way for the {self.number(vertex)} leads through {cell}"
        return f"No number could go through {cell} in another way"

    def turn_around(self, vertex: int, before: list[int]) -> int | None:
        """Return the vertex where a path is known to turn around this one, if any."""
        lattice = self.lattice
        lines = {literal >> 1 for literal in before if not literal & 1}
        row, col = lattice.position(vertex)
        for down, right in product((-1, 1), repeat=2):
            turn = row + down, col + right
            arms = (turn, (row, turn[1])), (turn, (turn[0], col))
            inside = 0 <= turn[0] < lattice.rows and 0 <= turn[1] < lattice.cols
            if inside and all(lattice.edge(*arm) in lines for arm in arms):
                return lattice.vertex(*turn)
        return None

    def number(self, vertex: int) -> int | str:
        """Return the number whose path uses a vertex in the final state."""
        for path in self.board.lines().paths():
            ends = {path[0], path[-1]} & self.clues.keys()
            if ends and self.lattice.position(vertex) in path:
                return self.clues[ends.pop()]
        return "same number"

    @cached_property
    def clues(self) -> dict[tuple[int, int], int]:
        """The number of each cell that has one."""
        return dict(self.puzzle.clue_cells())

    def dot_reason(self, place: int, literals: list[int], before: list[int]) -> str:
        dot = self.dot(place)
        if self.puzzle.model.degrees[place] == HOLE:
            return f"No line goes to {dot}"
        around = set(self.lattice.edges_at(place))
        has_line = any(not literal & 1 and literal >> 1 in around for literal in before)
        if literals[0] & 1:
            return f"{capital(dot)} has all its lines" if has_line else f"A line would end at {dot}"
        if has_line:
            return f"The line at {dot} has one way to go on"
        return f"There is one way to use {dot}"

    def refutation(self, guess: int, before: list[int]) -> str:
        shown = "; ".join(self.parts(*_split([guess])))
        board = self.board
        state = DeductionState(
            self.puzzle.model, uniqueness=board.uniqueness, relaxed=board.relaxed
        )
        fits = state.put(before) and state.deduce()
        mark, _ = state.mark()
        if not fits or state.assume(guess):
            return f"Suppose {shown}: deeper guesses show that this cannot be"
        technique, _ = state.fault
        steps = state.mark()[0] - mark
        name = CATALOGUE[technique].name
        fault = _FAULTS.get(name, f'it fails by "{TITLES.get(name, name)}"')
        return f"Suppose {shown}: {steps} edges later {fault}, so it is the other way"

    def parts(self, lines: Iterable[int], crosses: Iterable[int]) -> list[str]:
        parts = ("a line", self.edges(lines)), ("no line", self.edges(crosses))
        return [f"{what} {edges}" for what, edges in parts if edges]

    def edges(self, edges: Iterable[int]) -> str:
        return ", ".join(self.edge(edge) for edge in edges)

    def edge(self, edge: int) -> str:
        return edge_words(self.puzzle, edge)

    def corner(self, face: int) -> tuple[int, int]:
        return divmod(face, self.lattice.cols - 1)

    def clue(self, face: int) -> str:
        row, col = cell = self.corner(face)
        return f"{self.puzzle.grid[row][col]} at {place_of(cell)}"

    def dot(self, vertex: int) -> str:
        return vertex_words(self.puzzle, vertex)

    def cut(self, cut: int) -> str:
        rows = self.lattice.rows - 1
        what, at = ("row", cut + 1) if cut < rows else ("column", cut - rows + 1)
        return f"between {what}s {at} and {at + 1}" if self.through_cells else f"across {what} {at}"


def _split(literals: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the edges that are lines, and the edges that are crosses."""
    lines, crosses = (tuple(one >> 1 for one in literals if one & 1 == sign) for sign in (0, 1))
    return lines, crosses


def _block(corner: tuple[int, int], side: int) -> tuple[tuple[int, int], ...]:
    """Return the cells of a block."""
    row, col = corner
    return tuple((row + down, col + right) for down, right in product(range(side), repeat=2))
