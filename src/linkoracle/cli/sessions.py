"""`Session`: a board in the memory of `count-solutions --jsonl`, with clues and edges that change.

What `linkoracle.Oracle` gives to Python, for programs in other languages: one solver a session,
which keeps what it has learned from one question to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from linkoracle.board.model import ANY_COUNT, HOLE, LinkModel
from linkoracle.cli.messages import count_of
from linkoracle.cli.work import Settings, time_limit
from linkoracle.core.errors import SearchTimeout
from linkoracle.core.limits import Deadline
from linkoracle.core.randomness import seed_or_fresh, shuffled, source, swept
from linkoracle.sat.oracle import Oracle

if TYPE_CHECKING:
    from linkoracle.cli.messages import Place, Request
    from linkoracle.kinds import Puzzle

#: A clue: the number of chosen edges around a cell, or the numbers that are allowed.
Clue = int | frozenset[int]

#: A larger board is refused: its solver alone would fill the memory.
MAX_CELLS = 10_000

#: Boards of so many cells lose clues diagonal by diagonal, which is faster than in any order.
_SWEPT_CELLS = 64


@dataclass
class Session:
    """A board and what holds on it now: ``clues`` by cell, ``edges`` on or off by their ids.

    ``board`` is the model without clues on faces. `Request`s change and ask it; one that is wrong
    raises `FormatError`, and leaves the session as it was.
    """

    puzzle: Puzzle
    board: LinkModel
    oracle: Oracle
    clues: dict[Place, Clue]
    edges: dict[int, bool] = field(default_factory=dict)

    @classmethod
    def of(cls, puzzle: Puzzle, solver: str | None) -> Self:
        """A session of the puzzle's board that begins with the clues of the puzzle."""
        board, clues = puzzle.model, {}
        if not puzzle.through_cells:
            clues = {
                divmod(face, puzzle.cols): _clue(count for count in range(5) if mask >> count & 1)
                for face, mask in enumerate(board.faces)
                if mask != ANY_COUNT
            }
            board = replace(board, faces=bytes([ANY_COUNT]) * len(board.faces))
        return cls(puzzle, board, Oracle(board, solver=solver), clues)

    def state(self) -> dict[str, Any]:
        """How many clues and edges are set."""
        return {"clue_count": len(self.clues), "edge_count": len(self.edges)}

    # ---- the operations: what the answer to a request says ----

    def change(self, request: Request, _: Settings) -> dict[str, Any]:
        """Change clues and edges as ``request`` says, all or nothing."""
        self.clues, self.edges = self._changed(request)
        return self.state()

    def ask(self, request: Request, settings: Settings, why: bool = False) -> dict[str, Any]:
        """No solution, one, or more, with the changes of ``request`` for this question only."""
        clues, edges = self._changed(request)
        with time_limit(settings.timeout):
            ask = self.oracle.core if why else self.oracle.ask
            verdict = ask(clues, edges=edges, timeout=settings.timeout)
        members: dict[str, Any] = {"status": verdict.status}
        if settings.show:
            members["solutions"] = [solution.paths() for solution in verdict.solutions]
        if why:
            members["core"] = None
        if why and verdict.core is not None:
            lattice = self.board.lattice
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
        clues, edges = self._changed(request)
        faces = bytearray(self.board.faces)
        for cell, clue in clues.items():
            counts = (clue,) if isinstance(clue, int) else clue
            faces[self.board.lattice.face(*cell)] = sum(1 << count for count in counts)
        model = replace(self.board, faces=bytes(faces)).with_edges(
            given=[edge for edge, on in edges.items() if on],
            forbidden=[edge for edge, on in edges.items() if not on],
        )
        return count_of(settings, model, {})

    def implies(self, request: Request, settings: Settings) -> dict[str, Any]:
        """Whether the clue or the edge that ``request`` names follows from all others.

        With ``drop``, it is taken away when it does.
        """
        clues, edges = self._changed(request)
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
            implied = self.oracle.implies(clues, place, edges=edges, timeout=settings.timeout)
            if implied and drop:
                held: dict[Any, Any] = self.clues if isinstance(place, tuple) else self.edges
                held.pop(place, None)
        return {"implied": implied}

    def thin(self, request: Request, settings: Settings) -> dict[str, Any]:
        """Take clues away one after the other, as long as there is one solution.

        A clue that its turn finds needed stays needed, since fewer clues have more solutions; so
        what is left depends on the order only, and is minimal when every clue had its turn. On a
        timeout, what is gone until then stays gone.
        """
        if "order" in request.members and "seed" in request.members:
            request.fail("expected one of the keys 'order' and 'seed', found both")
        if self.puzzle.through_cells:
            request.fail(f"a {self.puzzle.kind} has no clues that can be taken away")
        told: dict[str, Any] = {}
        if "order" in request.members:
            order = [self._cell(request, "order", one) for one in request.listed("order")]
        else:
            told["seed"] = seed_or_fresh(request.number("seed", None, 0))
            order = self._order(told["seed"])
        keep = {self._cell(request, "keep", one) for one in request.listed("keep")}
        before, timeout = len(self.clues), settings.timeout
        deadline = Deadline(timeout)
        tried: set[Place] = set()
        try:
            with time_limit(timeout):
                status = self.oracle.ask(self.clues, edges=self.edges, timeout=timeout).status
                for cell in order if status == "unique" else ():
                    if cell in keep or cell in tried or cell not in self.clues:
                        continue
                    left = deadline.left
                    if self.oracle.implies(self.clues, cell, edges=self.edges, timeout=left):
                        del self.clues[cell]
                    tried.add(cell)
            told["status"] = status
        except SearchTimeout:
            assert timeout is not None
            told |= {"code": "timeout", "error": f"not every clue was tried within {timeout:g} s"}
        told["minimal"] = told.get("status") == "unique" and self.clues.keys() <= tried
        told["removed"] = before - len(self.clues)
        return {**told, "clues": _clues_as_json(self.clues)}

    def _order(self, seed: int) -> list[Place]:
        """The cells of the board in an order that depends on ``seed`` only."""
        rows, cols = self.board.lattice.rows - 1, self.board.lattice.cols - 1
        rng = source(seed, 0)
        many = rows * cols >= _SWEPT_CELLS
        faces = swept(rng, rows, cols) if many else shuffled(rng, range(rows * cols))
        return [divmod(face, cols) for face in faces]

    def _changed(self, request: Request) -> tuple[dict[Place, Clue], dict[int, bool]]:
        """Clues and edges after the changes under the keys ``clues`` and ``edges``."""
        clues, edges = dict(self.clues), dict(self.edges)
        for place, clue in _changes(request, "clues", "changes [row, column, clue]"):
            cell = self._cell(request, "clues", place)
            if clue is None:
                clues.pop(cell, None)
                continue
            counts = clue if type(clue) is list else [clue]
            if not counts or not all(type(one) is int and 0 <= one <= 4 for one in counts):
                request.wrong("clues", "a clue from 0 to 4, a list of such, or null", clue)
            clues[cell] = _clue(counts)
        for ends, on in _changes(request, "edges", "changes [end, end, true or false or null]"):
            edge = self._edge(request, "edges", ends)
            if on is None:
                edges.pop(edge, None)
            elif isinstance(on, bool):
                edges[edge] = on
            else:
                request.wrong("edges", "true, false or null", on)
        return clues, edges

    def _cell(self, request: Request, key: str, value: object) -> Place:
        if self.puzzle.through_cells:
            request.fail(f"a {self.puzzle.kind} has no clues that change; it takes edges only")
        return request.place(key, value, self.puzzle.rows, self.puzzle.cols, "cell")

    def _edge(self, request: Request, key: str, value: object) -> int:
        if type(value) is not list or len(value) != 2:
            request.wrong(key, "the two ends of an edge", value)
        lattice = self.board.lattice
        dots = "cell" if self.puzzle.through_cells else "dot"
        ends = [request.place(key, end, lattice.rows, lattice.cols, dots) for end in value]
        for row, col in ends:
            if self.board.degrees[lattice.vertex(row, col)] == HOLE:
                request.fail(f"expected in {key!r} a {dots} that is no hole, found {row},{col}")
        try:
            edge = lattice.edge(*ends)
        except ValueError:
            request.fail(f"expected in {key!r} two neighbours, found {value[0]} and {value[1]}")
        if edge in self.board.given or edge in self.board.forbidden:
            found = f"{value[0]} and {value[1]}"
            request.fail(f"expected in {key!r} an edge that the puzzle leaves open, found {found}")
        return edge


def _changes(request: Request, key: str, expected: str) -> Iterator[tuple[list[Any], Any]]:
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


def _clue(counts: Iterable[int]) -> Clue:
    """One count is an exact clue."""
    allowed = frozenset(counts)
    return next(iter(allowed)) if len(allowed) == 1 else allowed
