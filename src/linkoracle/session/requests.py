"""`SessionRequests`: requests about a session as JSON objects, the same for all programs.

Programs add their own operations: `count-solutions --jsonl`, and the worker of a browser tab.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from typing import Any

from linkoracle.board import HOLE, Board, Solution
from linkoracle.core import LinkOracleError, PuzzleError, SearchTimeout, seed_or_fresh
from linkoracle.formats import Members, place_named
from linkoracle.kinds import cell_named
from linkoracle.session import Session
from linkoracle.session.clues import Cell, HeldClues

#: The keys of a player's marks of places, and what they mark: that a line visits vertices, or that
#: faces are inside the loop.
PLACES = {
    "visited": ("visited", True),
    "unvisited": ("visited", False),
    "inside": ("inside", True),
    "outside": ("inside", False),
}
#: Operations that only the time limit can end. The others handle time limits themselves.
_LIMITED = {"ask", "core", "implies", "grade", "hint", "generate"}


class SessionRequests:
    """A session, and the operations that requests name: each is a method.

    Cells are ``[row, column]`` or ``[face]``, dots ``[row, column]`` or numbers. ``clues`` of a
    request are changes ``[*cell, clue]``, ``edges`` are changes ``[end, end, true or false or
    null]``. ``limit(seconds)`` returns a context that raises `SearchTimeout` after that time.
    ``more`` are operations of the program. An invalid request fails, and leaves the session
    unchanged.
    """

    def __init__(
        self,
        session: Session,
        limit: Callable[[float | None], AbstractContextManager[Any]] = nullcontext,
        more: Mapping[str, Operation] | None = None,
    ) -> None:
        self.session, self._limit, self._more = session, limit, more or {}

    def answer(self, name: str, request: Members, how: Any) -> dict[str, Any]:
        """Do the operation of this name, and return the members of the answer.

        ``how`` has a ``timeout``, in seconds or ``None``, and whether to ``show`` solutions.
        """
        try:
            with self._limit(how.timeout if name in _LIMITED else None):
                if name in self._more:
                    return self._more[name](self, request, how)
                members: dict[str, Any] = getattr(self, f"_{name}")(request, how)
                return members
        except PuzzleError as error:
            place = "" if error.cell is None else f" in the cell {','.join(map(str, error.cell))}"
            request.fail(error.reason + place)

    def state(self) -> dict[str, Any]:
        """Return how many clues and edges are set."""
        return {"clue_count": len(self.session.clues), "edge_count": len(self.session.edges)}

    def _set(self, request: Members, _: Any) -> dict[str, Any]:
        return {"changed": self.session.set(self.changes(request)), **self.state()}

    def _undo(self, _request: Members, _: Any) -> dict[str, Any]:
        return {"undone": self.session.undo(), **self.state()}

    def _ask(self, request: Members, how: Any) -> dict[str, Any]:
        limit = request.number("limit")
        # One more shows whether the count is exact.
        most = None if limit is None else limit + 1
        verdict = self.session.ask(self.changes(request), limit=most, timeout=how.timeout)
        shown = verdict.solutions[:limit]
        members: dict[str, Any] = {"status": verdict.status}
        if limit is not None:
            members |= {"count": len(shown), "exact": len(shown) == len(verdict.solutions)}
        return members | shown_solutions(shown, how)

    def _core(self, request: Members, how: Any) -> dict[str, Any]:
        verdict = self.session.core(self.changes(request), timeout=how.timeout)
        shown = shown_solutions(verdict.solutions, how)
        members: dict[str, Any] = {"status": verdict.status, **shown, "core": None}
        if verdict.core is not None:
            held = self._edges_as_json(verdict.core_edges or {})
            members["core"] = {"clues": clues_as_json(verdict.core), "edges": held}
        if verdict.status != "none":
            return members
        return members | {"minimal": verdict.core_minimal, "smallest": verdict.core_smallest}

    def _implies(self, request: Members, how: Any) -> dict[str, Any]:
        changes = self.changes(request)
        query = self.session.board.query(changes)
        drop = request.flag("drop", False)
        if drop and changes:
            request.fail(
                "expected no 'clues' and 'edges' with 'drop': what follows from them may "
                "not follow without them"
            )
        if ("cell" in request.members) == ("edge" in request.members):
            found = "both" if "cell" in request.members else "neither"
            request.fail(f"expected one of the keys 'cell' and 'edge', found {found}")
        if "cell" in request.members:
            cell = self._cell(request, "cell", request.members["cell"])
            place: Cell | int = cell
            if not query.held.has(cell):
                shown = ",".join(map(str, cell))
                request.fail(f"expected a cell with a clue in 'cell', found {shown}")
        else:
            place = self._edge(request, "edge", request.members["edge"], query.held)
            if place not in query.edges:
                request.fail("expected an edge that is on or off in 'edge', found an open one")
        implied = self.session.implies(place, changes, timeout=how.timeout)
        if implied and drop:
            self.session.set(
                {place: None} if isinstance(place, int) else self.session.without(place)
            )
        return {"implied": implied}

    def _reduce(self, request: Members, how: Any) -> dict[str, Any]:
        if "order" in request.members and "seed" in request.members:
            request.fail("expected one of the keys 'order' and 'seed', found both")
        session, members = self.session, dict[str, Any]()
        options: dict[str, Any] = {"keep": self._cells(request, "keep"), "timeout": how.timeout}
        if "order" in request.members:
            options["order"] = self._cells(request, "order")
        else:
            options["seed"] = members["seed"] = seed_or_fresh(request.number("seed", None, 0))
        before = len(session.clues)
        try:
            # A separate time limit, since the answer reports what was removed within it.
            with self._limit(how.timeout):
                members["status"], members["minimal"] = session.reduce(**options)
        except SearchTimeout:
            reason = f"not every clue was tried within {how.timeout:g} s"
            members |= {"code": "timeout", "error": reason}
            members["minimal"] = False
        members["removed"] = before - len(session.clues)
        return {**members, "clues": clues_as_json(session.clues)}

    def _grade(self, request: Members, how: Any) -> dict[str, Any]:
        return asdict(self.session.grade(self.changes(request), timeout=how.timeout))

    def _generate(self, request: Members, how: Any) -> dict[str, Any]:
        from linkoracle.generate import options_for

        kind = self.session.board.kind
        declared = options_for(kind, on_board=not self.session.board.rows)
        # The session has the board.
        declared.pop("board", None)
        cells = ("must", "must_not") if "mask" in declared else ()
        known = {"op", "id", "session", "seed", "timeout", "show", *cells, *declared}
        for key in request.members:
            if key not in known:
                request.fail(f"the key {key!r} is not for puzzles of the kind {kind}")
        options = request.said(declared)
        options |= {key: self._cells(request, key) for key in cells if key in request.members}
        seed = seed_or_fresh(request.number("seed", None, 0))
        try:
            made = self.session.generate(seed=seed, timeout=how.timeout, **options)
        except LinkOracleError:
            raise
        except ValueError as error:
            request.fail(str(error))
        members = {"seed": seed, **self.state(), "clues": clues_as_json(self.session.clues)}
        return members | shown_solutions((made.solution,), how)

    def changes(self, request: Members) -> dict[Cell | int, Any]:
        """Return the changes of clues and edges under the keys ``clues`` and ``edges``."""
        changes: dict[Cell | int, Any] = {}
        rows = self.session.board.rows
        form, size = ("changes [row, column, clue]", 3) if rows else ("changes [face, clue]", 2)
        for place, clue in _listed(request, "clues", form, size):
            cell = self._cell(request, "clues", place)
            try:
                clue = None if clue is None else self.session.board.held.clue_of(cell, clue)
            except ValueError as error:
                request.wrong("clues", str(error), clue)
            changes[cell] = clue
        # Edges are those of the board with these clues.
        held, _ = self.session.board.query(changes)
        for ends, on in _listed(request, "edges", "changes [end, end, true or false or null]"):
            edge = self._edge(request, "edges", ends, held)
            if on is not None and not isinstance(on, bool):
                request.wrong("edges", "true, false or null", on)
            changes[edge] = on
        return changes

    def marks(self, request: Members) -> dict[str, dict[int, bool]]:
        """Return the places under the keys of a player's marks: see `marked_places`."""
        return marked_places(self.session.board.held.graph, request)

    def _cells(self, request: Members, key: str) -> list[Cell]:
        return [self._cell(request, key, one) for one in request.listed(key)]

    def _cell(self, request: Members, key: str, value: object) -> Cell:
        faces = self.session.board.faces
        try:
            return cell_named(faces.face_name(place_named(faces.face_of, value)))
        except ValueError:
            request.wrong(key, f"a cell, {faces.name_form}, of {faces.cells_in_words}", value)

    def _edge(self, request: Members, key: str, value: object, held: HeldClues) -> int:
        if type(value) is not list or len(value) != 2:
            request.wrong(key, "the two ends of an edge", value)
        board, model, dots = held.graph, held.model, held.ends
        ends = [_vertex(request, key, end, board, dots) for end in value]
        for end, given in zip(ends, value, strict=True):
            if model.degrees[end] == HOLE:
                shown = ",".join(map(str, given if type(given) is list else [given]))
                request.fail(f"expected {dots}s that are not holes in {key!r}, found {shown}")
        try:
            edge = board.edge(*map(board.position, ends))
        except ValueError:
            request.fail(f"expected two neighbours in {key!r}, found {value[0]} and {value[1]}")
        if edge in model.given or edge in model.forbidden:
            found = f"{value[0]} and {value[1]}"
            request.fail(f"expected an edge that the puzzle leaves open in {key!r}, found {found}")
        return edge

    def _edges_as_json(self, edges: Mapping[int, bool]) -> list[list[Any]]:
        """Return edges as the changes that would set them."""
        return [[*self._ends(edge), on] for edge, on in sorted(edges.items())]

    def _ends(self, edge: int) -> list[Any]:
        """Return the ends of an edge as requests name them: row and column, or a number."""
        board = self.session.board.held.graph
        names = map(board.vertex_name, board.ends(edge))
        return [[*name] if isinstance(name, tuple) else name for name in names]


#: An operation of a program: it returns the members of the answer, like the methods here.
Operation = Callable[[SessionRequests, Any, Any], dict[str, Any]]


def _listed(
    request: Members, key: str, expected: str, size: int = 3
) -> Iterator[tuple[list[Any], Any]]:
    """Yield each change of a list as its place (all of ``size`` values but the last) and value."""
    for change in request.listed(key):
        if type(change) is not list or len(change) != size:
            request.wrong(key, expected, change)
        yield change[:-1], change[-1]


def _vertex(request: Members, key: str, value: object, board: Board, noun: str) -> int:
    """Return the vertex of this name; a ``noun`` is what messages call it."""
    try:
        return place_named(board.vertex_of, value)
    except ValueError:
        size = board.vertices_in_words(noun)
        request.wrong(key, f"a {noun}, {board.name_form}, of {size}", value)


def marked_places(board: Board, request: Members) -> dict[str, dict[int, bool]]:
    """Return the vertices and faces that a player marked: see `Session.hint`.

    They are the lists under the keys of `PLACES`, with vertices and faces by their names.
    """
    finds = {"visited": board.vertex_of, "inside": board.face_of}
    found: dict[str, dict[int, bool]] = {what: {} for what in finds}
    for key, (what, on) in PLACES.items():
        for place in request.listed(key):
            try:
                at = place_named(finds[what], place)
            except ValueError:
                request.wrong(key, "places of the board", place)
            if found[what].setdefault(at, on) != on:
                request.fail(f"expected each place to be marked once, found {place} twice")
    return found


def shown_solutions(found: Iterable[Solution], how: Any) -> dict[str, Any]:
    """Return solutions as vertex paths if ``how`` says to show them."""
    return {"solutions": [one.paths() for one in found]} if how.show else {}


def clues_as_json(clues: Mapping[Cell, int | str | Set[int]]) -> list[list[Any]]:
    """Return clues as the changes that would set them, in reading order."""
    return [
        [*cell, clue if isinstance(clue, int | str) else sorted(clue)]
        for cell, clue in sorted(clues.items())
    ]
