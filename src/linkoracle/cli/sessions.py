"""The operations of sessions in `count-solutions --jsonl`: each is a method of a `Session`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from linkoracle.board.model import HOLE
from linkoracle.cli.messages import count_of
from linkoracle.cli.options import Searching
from linkoracle.cli.work import Settings, time_limit
from linkoracle.core.errors import LinkOracleError, PuzzleError, SearchTimeout
from linkoracle.core.limits import options_of
from linkoracle.core.randomness import seed_or_fresh
from linkoracle.session import Session

if TYPE_CHECKING:
    from linkoracle.board.solution import Solution
    from linkoracle.cli.messages import Place, Request
    from linkoracle.kinds import Puzzle

#: A larger board is refused: its solver alone would fill the memory.
MAX_CELLS = 10_000
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
            lattice = self.session.board.lattice
            held = [
                [*(list(lattice.position(end)) for end in lattice.ends(edge)), on]
                for edge, on in sorted((verdict.core_edges or {}).items())
            ]
            members["core"] = {"clues": _clues_as_json(verdict.core), "edges": held}
        return members | ({"minimal": verdict.core_minimal} if verdict.status == "none" else {})

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
            place: Place | int = self._cell(request, "cell", request.members["cell"])
            if place not in clues:
                row, col = request.members["cell"]
                request.fail(f"expected in 'cell' one that has a clue, found {row},{col}")
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
        return {"step": None if step is None else as_json(self.session.board.lattice, step)}

    def _generate(self, request: Request, settings: Settings) -> dict[str, Any]:
        from linkoracle.generate.requests import options_for

        kind, declared = self.session.kind, options_for(self.session.kind)
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
        for place, clue in _listed(request, "clues", "changes [row, column, clue]"):
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
        if clue is not None and not (
            counts and all(type(one) is int and 0 <= one <= 4 for one in counts)
        ):
            request.wrong("clues", "a clue from 0 to 4, a list of such, or null", clue)
        # One count is an exact clue.
        return counts[0] if len({*counts}) == 1 else frozenset(counts)

    def _cells(self, request: Request, key: str) -> list[Place]:
        return [self._cell(request, key, one) for one in request.listed(key)]

    def _cell(self, request: Request, key: str, value: object) -> Place:
        return request.place(key, value, self.session.rows, self.session.cols, "cell")

    def _edge(self, request: Request, key: str, value: object) -> int:
        if type(value) is not list or len(value) != 2:
            request.wrong(key, "the two ends of an edge", value)
        lattice = self.session.board.lattice
        dots = "cell" if self.session.through_cells else "dot"
        ends = [request.place(key, end, lattice.rows, lattice.cols, dots) for end in value]
        for row, col in ends:
            if self.session.board.degrees[lattice.vertex(row, col)] == HOLE:
                request.fail(f"expected in {key!r} a {dots} that is no hole, found {row},{col}")
        try:
            edge = lattice.edge(*ends)
        except ValueError:
            request.fail(f"expected in {key!r} two neighbours, found {value[0]} and {value[1]}")
        if edge in self.session.board.given or edge in self.session.board.forbidden:
            found = f"{value[0]} and {value[1]}"
            request.fail(f"expected in {key!r} an edge that the puzzle leaves open, found {found}")
        return edge


def _listed(request: Request, key: str, expected: str) -> Iterator[tuple[list[Any], Any]]:
    """Where something changes, as two values, and what it becomes."""
    for change in request.listed(key):
        if type(change) is not list or len(change) != 3:
            request.wrong(key, expected, change)
        yield change[:2], change[2]


def _clues_as_json(clues: Mapping[Place, int | str | Set[int]]) -> list[list[Any]]:
    """Clues as the changes that would set them, in reading order."""
    return [
        [*cell, clue if isinstance(clue, int | str) else sorted(clue)]
        for cell, clue in sorted(clues.items())
    ]
