"""The operations of sessions in `count-solutions --jsonl`: each is a method of a `Session`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import asdict
from typing import Any

from linkoracle.board.board import Board as AnyBoard
from linkoracle.board.lattice import Lattice
from linkoracle.board.model import HOLE
from linkoracle.board.solution import Solution
from linkoracle.cli.messages import Place, Request, count_of
from linkoracle.cli.options import Searching
from linkoracle.cli.work import Settings, time_limit
from linkoracle.core.errors import LinkOracleError, PuzzleError, SearchTimeout
from linkoracle.core.limits import options_of
from linkoracle.core.randomness import seed_or_fresh
from linkoracle.kinds import Puzzle
from linkoracle.session import Session

#: A larger board is refused: its solver alone would fill the memory.
MAX_CELLS = 10_000
#: A face with more sides than this has no clue for them all.
_MOST_SIDES = 1_000
#: Operations that nothing but the time limit may end. Others see to it themselves.
_LIMITED = {"ask", "core", "implies", "grade", "hint", "generate"}


class Board:
    """A session, and what `Request`s ask of it.

    A wrong request raises `FormatError` and leaves the session as it was.
    """

    def __init__(self, puzzle: Puzzle, solver: str | None) -> None:
        self.session = Session(puzzle, solver=solver)

    def answer(self, name: str, request: Request, settings: Settings) -> dict[str, Any]:
        """What the answer to the operation of this name says."""
        try:
            with time_limit(settings.timeout if name in _LIMITED else None):
                found: dict[str, Any] = getattr(self, f"_{name}")(request, settings)
                return found
        except PuzzleError as error:
            request.fail(error.reason)

    def state(self) -> dict[str, Any]:
        """How many clues and edges are set."""
        return {"clue_count": len(self.session.clues), "edge_count": len(self.session.edges)}

    def _set(self, request: Request, _: Settings) -> dict[str, Any]:
        self.session.set(self._changes(request))
        return self.state()

    def _undo(self, _request: Request, _: Settings) -> dict[str, Any]:
        return {"undone": self.session.undo(), **self.state()}

    def _ask(self, request: Request, settings: Settings) -> dict[str, Any]:
        limit = request.number("limit")
        # One more tells whether there are more.
        most = None if limit is None else limit + 1
        verdict = self.session.ask(self._changes(request), limit=most, timeout=settings.timeout)
        shown = verdict.solutions[:limit]
        members: dict[str, Any] = {"status": verdict.status}
        if limit is not None:
            members |= {"count": len(shown), "exact": len(shown) == len(verdict.solutions)}
        return members | self._solutions(shown, settings)

    def _core(self, request: Request, settings: Settings) -> dict[str, Any]:
        verdict = self.session.core(self._changes(request), timeout=settings.timeout)
        shown = self._solutions(verdict.solutions, settings)
        members: dict[str, Any] = {"status": verdict.status, **shown, "core": None}
        if verdict.core is not None:
            board = self.session.board.board
            held = [
                [*(_place_as_json(board, end) for end in board.ends(edge)), on]
                for edge, on in sorted((verdict.core_edges or {}).items())
            ]
            members["core"] = {"clues": _clues_as_json(verdict.core), "edges": held}
        if verdict.status != "none":
            return members
        return members | {"minimal": verdict.core_minimal, "smallest": verdict.core_smallest}

    def _count(self, request: Request, settings: Settings) -> dict[str, Any]:
        changes = self._changes(request)
        how = {name: getattr(settings, name) for name in options_of(Searching)}
        limit, keep = settings.limit, settings.show
        return count_of(settings, lambda: self.session.count(changes, limit, keep=keep, **how), {})

    def _implies(self, request: Request, settings: Settings) -> dict[str, Any]:
        changes = self._changes(request)
        clues, edges = self.session.changed(changes)
        drop = request.flag("drop", False)
        if ("cell" in request.members) == ("edge" in request.members):
            request.fail("expected one of the keys 'cell' and 'edge'")
        if "cell" in request.members:
            cell = self._cell(request, "cell", request.members["cell"])
            place: Place | int = cell
            if place not in clues:
                shown = ",".join(map(str, cell))
                request.fail(f"expected in 'cell' one that has a clue, found {shown}")
        else:
            place = self._edge(request, "edge", request.members["edge"])
            if place not in edges:
                request.fail("expected in 'edge' one that is on or off, found one that is neither")
        implied = self.session.implies(place, changes, timeout=settings.timeout)
        if implied and drop:
            self.session.set(
                {place: None} if isinstance(place, int) else self.session.without(place)
            )
        return {"implied": implied}

    def _reduce(self, request: Request, settings: Settings) -> dict[str, Any]:
        if "order" in request.members and "seed" in request.members:
            request.fail("expected one of the keys 'order' and 'seed', found both")
        session, timeout = self.session, settings.timeout
        told: dict[str, Any] = {}
        how: dict[str, Any] = {"keep": self._cells(request, "keep"), "timeout": timeout}
        if "order" in request.members:
            how["order"] = self._cells(request, "order")
        else:
            how["seed"] = told["seed"] = seed_or_fresh(request.number("seed", None, 0))
        before = len(session.clues)
        try:
            # A time limit of its own, since what is reduced until then is told.
            with time_limit(timeout):
                told["status"], told["minimal"] = session.reduce(**how)
        except SearchTimeout:
            assert timeout is not None
            told |= {"code": "timeout", "error": f"not every clue was tried within {timeout:g} s"}
            told["minimal"] = False
        told["removed"] = before - len(session.clues)
        return {**told, "clues": _clues_as_json(session.clues)}

    _thin = _reduce

    def _grade(self, request: Request, settings: Settings) -> dict[str, Any]:
        return asdict(self.session.grade(self._changes(request), timeout=settings.timeout))

    def _hint(self, request: Request, settings: Settings) -> dict[str, Any]:
        from linkoracle.cli.grade import as_json

        step = self.session.hint(self._changes(request), timeout=settings.timeout)
        return {"step": None if step is None else as_json(self.session.board.board, step)}

    def _generate(self, request: Request, settings: Settings) -> dict[str, Any]:
        from linkoracle.generate.requests import options_for

        kind = self.session.kind
        declared = options_for(kind, on_board=not self.session.rows)
        # The board is that of the session.
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
            made = self.session.generate(seed=seed, timeout=settings.timeout, **options)
        except LinkOracleError:
            raise
        except ValueError as error:
            request.fail(str(error))
        told = {"seed": seed, **self.state(), "clues": _clues_as_json(self.session.clues)}
        return told | self._solutions((made.solution,), settings)

    def _solutions(self, found: Iterable[Solution], settings: Settings) -> dict[str, Any]:
        """Solutions as walks, if they are to be shown."""
        return {"solutions": [one.paths() for one in found]} if settings.show else {}

    def _changes(self, request: Request) -> dict[Place | int, Any]:
        """What becomes of clues and edges under the keys ``clues`` and ``edges``."""
        changes: dict[Place | int, Any] = {}
        told = "changes [row, column, clue]" if self.session.rows else "changes [face, clue]"
        size = 3 if self.session.rows else 2
        for place, clue in _listed(request, "clues", told, size):
            cell = self._cell(request, "clues", place)
            changes[cell] = self._clue(request, clue)
        # Edges are those of the board with these clues.
        self.session.pose(changes)
        for ends, on in _listed(request, "edges", "changes [end, end, true or false or null]"):
            edge = self._edge(request, "edges", ends)
            if on is not None and not isinstance(on, bool):
                request.wrong("edges", "true, false or null", on)
            changes[edge] = on
        return changes

    def _clue(self, request: Request, clue: Any) -> Any:
        if self.session.through_cells:
            # The range is for the kind to say.
            words = self.session.puzzle.words is not None
            if clue is not None and type(clue) is not (str if words else int):
                told = "a clue as a string" if words else "a whole number"
                request.wrong("clues", f"{told} or null", clue)
            return clue
        counts = clue if type(clue) is list else [clue]
        most = 4 if self.session.rows else _MOST_SIDES
        if clue is not None and not (
            counts and all(type(one) is int and 0 <= one <= most for one in counts)
        ):
            request.wrong("clues", f"a clue from 0 to {most}, a list of such, or null", clue)
        # One count is an exact clue.
        return counts[0] if len({*counts}) == 1 else frozenset(counts)

    def _cells(self, request: Request, key: str) -> list[Place]:
        return [self._cell(request, key, one) for one in request.listed(key)]

    def _cell(self, request: Request, key: str, value: object) -> Place:
        if self.session.rows:
            return request.place(key, value, self.session.rows, self.session.cols, "cell")
        return (self._number(request, key, value, self.session.cols, "face"),)

    def _number(self, request: Request, key: str, value: Any, size: int, what: str) -> int:
        """A face or a vertex of a board that is not square, by its number, perhaps in a list."""
        number = value[0] if type(value) is list and len(value) == 1 else value
        if type(number) is not int or not 0 <= number < size:
            request.wrong(key, f"a {what} from 0 to {size - 1}", value)
        return int(number)

    def _edge(self, request: Request, key: str, value: object) -> int:
        if type(value) is not list or len(value) != 2:
            request.wrong(key, "the two ends of an edge", value)
        board = self.session.board.board
        dots = "cell" if self.session.through_cells else "dot"
        if isinstance(board, Lattice):
            places = [request.place(key, end, board.rows, board.cols, dots) for end in value]
            ends = [board.vertex(*place) for place in places]
        else:
            ends = [self._number(request, key, end, board.num_vertices, dots) for end in value]
        for end, given in zip(ends, value, strict=True):
            if self.session.board.degrees[end] == HOLE:
                shown = ",".join(map(str, given if type(given) is list else [given]))
                request.fail(f"expected in {key!r} a {dots} that is no hole, found {shown}")
        try:
            edge = board.edge(*map(board.position, ends))
        except ValueError:
            request.fail(f"expected in {key!r} two neighbours, found {value[0]} and {value[1]}")
        if edge in self.session.board.given or edge in self.session.board.forbidden:
            found = f"{value[0]} and {value[1]}"
            request.fail(f"expected in {key!r} an edge that the puzzle leaves open, found {found}")
        return edge


def _listed(
    request: Request, key: str, expected: str, size: int = 3
) -> Iterator[tuple[list[Any], Any]]:
    """Where something changes, as all values but the last of ``size``, and what it becomes."""
    for change in request.listed(key):
        if type(change) is not list or len(change) != size:
            request.wrong(key, expected, change)
        yield change[:-1], change[-1]


def _place_as_json(board: AnyBoard, vertex: int) -> Any:
    """A vertex as requests name it: row and column, or its number."""
    return list(board.position(vertex)) if isinstance(board, Lattice) else vertex


def _clues_as_json(clues: Mapping[Place, int | str | Set[int]]) -> list[list[Any]]:
    """Clues as the changes that would set them, in reading order."""
    return [
        [*cell, clue if isinstance(clue, int | str) else sorted(clue)]
        for cell, clue in sorted(clues.items())
    ]
