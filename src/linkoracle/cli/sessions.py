"""`Board`: a `linkoracle.Session` in the memory of `count-solutions --jsonl`, and its requests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import TYPE_CHECKING, Any

from linkoracle.board.model import HOLE
from linkoracle.cli.messages import count_of
from linkoracle.cli.work import Settings, time_limit
from linkoracle.core.errors import PuzzleError, SearchTimeout
from linkoracle.core.randomness import seed_or_fresh
from linkoracle.session import Session

if TYPE_CHECKING:
    from linkoracle.cli.messages import Place, Request
    from linkoracle.kinds import Puzzle

#: A larger board is refused: its solver alone would fill the memory.
MAX_CELLS = 10_000


class Board:
    """A session that `Request`s change and query.

    A wrong request raises `FormatError` and leaves the session as it was.
    """

    def __init__(self, puzzle: Puzzle, solver: str | None) -> None:
        self.session = Session(puzzle, solver=solver)

    def state(self) -> dict[str, Any]:
        """How many clues and edges are set."""
        return {"clue_count": len(self.session.clues), "edge_count": len(self.session.edges)}

    # ---- the operations: what the answer to a request says ----

    def change(self, request: Request, _: Settings) -> dict[str, Any]:
        """Change clues and edges as ``request`` says, all or nothing."""
        self.session.set(self._changes(request))
        return self.state()

    def ask(self, request: Request, settings: Settings, why: bool = False) -> dict[str, Any]:
        """No solution, one, or more, with the changes of ``request`` for this question only."""
        changes = self._changes(request)
        with time_limit(settings.timeout):
            ask = self.session.core if why else self.session.ask
            verdict = ask(changes, timeout=settings.timeout)
        members: dict[str, Any] = {"status": verdict.status}
        if settings.show:
            members["solutions"] = [solution.paths() for solution in verdict.solutions]
        if why:
            members["core"] = None
        if why and verdict.core is not None:
            lattice = self.session.board.lattice
            held = [
                [*(list(lattice.position(end)) for end in lattice.ends(edge)), on]
                for edge, on in sorted((verdict.core_edges or {}).items())
            ]
            members["core"] = {"clues": _clues_as_json(verdict.core), "edges": held}
        if why and verdict.status == "none":
            members["minimal"] = verdict.core_minimal
        return members

    def core(self, request: Request, settings: Settings) -> dict[str, Any]:
        """The same, and which clues and edges are enough to say so."""
        return self.ask(request, settings, why=True)

    def count(self, request: Request, settings: Settings) -> dict[str, Any]:
        """How many solutions there are, with the changes of ``request``."""
        return count_of(settings, self.session.model(self._changes(request)), {})

    def implies(self, request: Request, settings: Settings) -> dict[str, Any]:
        """Whether the clue or the edge that ``request`` names follows from all others.

        With ``drop``, it is taken away when it does.
        """
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
        with time_limit(settings.timeout):
            implied = self.session.implies(place, changes, timeout=settings.timeout)
            if implied and drop:
                self.session.set({place: None})
        return {"implied": implied}

    def thin(self, request: Request, settings: Settings) -> dict[str, Any]:
        """Take clues away one after the other, as long as there is one solution."""
        if "order" in request.members and "seed" in request.members:
            request.fail("expected one of the keys 'order' and 'seed', found both")
        session, timeout = self.session, settings.timeout
        told: dict[str, Any] = {}
        how: dict[str, Any] = {}
        if "order" in request.members:
            how["order"] = self._cells(request, "order")
        elif not session.puzzle.through_cells:
            how["seed"] = told["seed"] = seed_or_fresh(request.number("seed", None, 0))
        before = len(session.clues)
        try:
            with time_limit(timeout):
                told["status"], told["minimal"] = session.thin(
                    **how, keep=self._cells(request, "keep"), timeout=timeout
                )
        except PuzzleError as error:
            request.fail(error.reason)
        except SearchTimeout:
            assert timeout is not None
            told |= {"code": "timeout", "error": f"not every clue was tried within {timeout:g} s"}
            told["minimal"] = False
        told["removed"] = before - len(session.clues)
        return {**told, "clues": _clues_as_json(session.clues)}

    def _changes(self, request: Request) -> dict[Place | int, Any]:
        """What becomes of clues and edges under the keys ``clues`` and ``edges``."""
        changes: dict[Place | int, Any] = {}
        for place, clue in _listed(request, "clues", "changes [row, column, clue]"):
            cell = self._cell(request, "clues", place)
            counts = clue if type(clue) is list else [clue]
            if clue is not None and not (
                counts and all(type(one) is int and 0 <= one <= 4 for one in counts)
            ):
                request.wrong("clues", "a clue from 0 to 4, a list of such, or null", clue)
            # One count is an exact clue.
            changes[cell] = counts[0] if len({*counts}) == 1 else frozenset(counts)
        for ends, on in _listed(request, "edges", "changes [end, end, true or false or null]"):
            edge = self._edge(request, "edges", ends)
            if on is not None and not isinstance(on, bool):
                request.wrong("edges", "true, false or null", on)
            changes[edge] = on
        return changes

    def _cells(self, request: Request, key: str) -> list[Place]:
        return [self._cell(request, key, one) for one in request.listed(key)]

    def _cell(self, request: Request, key: str, value: object) -> Place:
        puzzle = self.session.puzzle
        if puzzle.through_cells:
            request.fail(f"a {puzzle.kind} has no clues that change; it takes edges only")
        return request.place(key, value, puzzle.rows, puzzle.cols, "cell")

    def _edge(self, request: Request, key: str, value: object) -> int:
        if type(value) is not list or len(value) != 2:
            request.wrong(key, "the two ends of an edge", value)
        lattice = self.session.board.lattice
        dots = "cell" if self.session.puzzle.through_cells else "dot"
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


def _clues_as_json(clues: Mapping[Place, int | Set[int]]) -> list[list[Any]]:
    """Clues as the changes that would set them, in reading order."""
    return [
        [*cell, clue if isinstance(clue, int) else sorted(clue)]
        for cell, clue in sorted(clues.items())
    ]
