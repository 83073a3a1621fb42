"""The front ends of the solver, each behind the same calls: `tests/test_contract.py` asks them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice
from typing import Any, ClassVar

import linkoracle
from linkoracle import LinkModel, Oracle, Puzzle, SearchTimeout, Session, Slitherlink, Solution
from linkoracle.board.statements import statements
from linkoracle.cli.jsonl import Server
from linkoracle.cli.work import Settings
from linkoracle.core import LinkOracleError
from linkoracle.engines import StatementOracle
from linkoracle.studio.boards import board_of
from linkoracle.studio.tab import LIMITS, Sessions, Tab

#: New clues by cell, as a `Session` names cells, and edges that are on or off, by their ids.
Changes = dict[Any, Any]
#: The edges of a solution.
Edges = tuple[int, ...]


class Refused(ValueError):
    """A front end has answered that a request is invalid."""


def edges_of(solutions: Iterable[Solution]) -> list[Edges]:
    return [solution.edges for solution in solutions]


def is_edge(where: Any) -> bool:
    """Return whether this names an edge: by its id, or by its two ends."""
    return not isinstance(where, tuple) or isinstance(where[0], tuple)


def split(changes: Changes) -> tuple[Changes, dict[int, bool]]:
    """Return the clues and the edges of changes."""
    edges = {where: on for where, on in changes.items() if is_edge(where)}
    return {cell: clue for cell, clue in changes.items() if cell not in edges}, edges


def named(cell: tuple[int, ...]) -> Any:
    """Return a cell as puzzles and oracles name it: the face of a board that is not square."""
    return cell if len(cell) == 2 else cell[0]


def changed(puzzle: Puzzle, changes: Changes) -> Puzzle:
    """Return a puzzle with other clues; `PuzzleError` if they make none."""
    clues, _ = split(changes)
    return puzzle.with_clues({named(cell): clue for cell, clue in clues.items()})


def changed_model(puzzle: Puzzle, changes: Changes) -> LinkModel:
    _, edges = split(changes)
    return changed(puzzle, changes).model.with_edges(
        given=[edge for edge, on in edges.items() if on],
        forbidden=[edge for edge, on in edges.items() if not on],
    )


class FrontEnd:
    """A front end that is asked about a puzzle with changes. What it lacks is in ``lacks``."""

    lacks: ClassVar[set[str]] = set()

    #: Whether it knows clues, and not only edges.
    clued = True
    #: Where a count stops, if it does.
    most: int | None = None

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle

    def close(self) -> None:
        """Free what it holds."""

    def ask(self, changes: Changes, timeout: float | None = None) -> tuple[str, list[Edges]]:
        """Return the status, and up to two solutions."""
        raise NotImplementedError

    def count(self, changes: Changes, limit: int | None) -> tuple[int, bool]:
        """Return the number of solutions up to a limit, and whether it is exact."""
        raise NotImplementedError

    def listed(self, changes: Changes, limit: int) -> list[Edges]:
        """Return solutions up to a limit."""
        raise NotImplementedError

    def core(self, changes: Changes) -> Changes | None:
        """Return the clues and edges of a core; ``None`` if there is none."""
        raise NotImplementedError

    def implies(self, place: Any, changes: Changes) -> bool:
        """Return whether the clue of a cell, or an edge, follows from all others."""
        raise NotImplementedError

    def is_ambiguous(self, _place: Any, _changes: Changes) -> bool:
        """Whether a place may be the number of a face with a clue, or of an edge: it is refused."""
        return False

    def reduced(self) -> Changes:
        """Return the clues left when redundant ones are removed."""
        raise NotImplementedError


class Functions(FrontEnd):
    """`linkoracle.decide`, `count_result` and `solutions`, with any engine."""

    lacks: ClassVar = {"core", "implies", "reduced", "sets"}
    engine: Any = "auto"

    def ask(self, changes: Changes, timeout: float | None = None) -> tuple[str, list[Edges]]:
        model = changed_model(self.puzzle, changes)
        verdict = linkoracle.decide(model, engine=self.engine, timeout=timeout)
        return verdict.status, edges_of(verdict.solutions)

    def count(self, changes: Changes, limit: int | None) -> tuple[int, bool]:
        model = changed_model(self.puzzle, changes)
        result = linkoracle.count_result(model, limit, engine=self.engine)
        return result.count, result.exact

    def listed(self, changes: Changes, limit: int) -> list[Edges]:
        every = linkoracle.solutions(changed_model(self.puzzle, changes), engine=self.engine)
        return edges_of(islice(every, limit))


class Sat(Functions):
    engine = "sat"


class Frontier(Functions):
    lacks: ClassVar = {*Functions.lacks, "auxiliary"}
    engine = "frontier"


class Plain(Functions):
    engine = "plain"


class Diagrams(Functions):
    """`linkoracle.diagram`, which knows all solutions at once."""

    lacks: ClassVar = Frontier.lacks

    def ask(self, changes: Changes, timeout: float | None = None) -> tuple[str, list[Edges]]:
        diagram = linkoracle.diagram(changed_model(self.puzzle, changes), timeout=timeout)
        return ("none", "unique", "many")[min(2, diagram.count())], edges_of(islice(diagram, 2))

    def count(self, changes: Changes, limit: int | None) -> tuple[int, bool]:
        number = linkoracle.diagram(changed_model(self.puzzle, changes)).count()
        return min(number, limit or number), number <= (limit or number)

    def listed(self, changes: Changes, limit: int) -> list[Edges]:
        return edges_of(islice(linkoracle.diagram(changed_model(self.puzzle, changes)), limit))


class Oracles(FrontEnd):
    """An `Oracle`: of a Slitherlink without clues, and of each board of another kind anew."""

    lacks: ClassVar = {"count", "reduced"}

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__(puzzle)
        self.clued = isinstance(puzzle, Slitherlink)
        self.clues = {
            cell: clue
            for cell, clue in puzzle.clue_cells()
            if self.clued and clue != getattr(puzzle, "unknown", None)
        }
        self.board = puzzle.with_clues(dict.fromkeys(self.clues))
        self.oracle = Oracle(self.board)

    def close(self) -> None:
        self.oracle.close()

    def _query(self, changes: Changes) -> tuple[Oracle, Any, dict[int, bool]]:
        clues, edges = split(changes)
        if self.clued:
            clues = self.clues | {named(cell): clue for cell, clue in clues.items()}
            return self.oracle, clues, edges
        board = changed(self.puzzle, clues)
        if board != self.board:
            self.oracle.close()
            self.board, self.oracle = board, Oracle(board)
        return self.oracle, {}, edges

    def ask(self, changes: Changes, timeout: float | None = None) -> tuple[str, list[Edges]]:
        oracle, *query = self._query(changes)
        verdict = oracle.ask(*query, timeout=timeout)
        return verdict.status, edges_of(verdict.solutions)

    def listed(self, changes: Changes, limit: int) -> list[Edges]:
        oracle, *query = self._query(changes)
        return edges_of(islice(oracle.solutions(*query), limit))

    def core(self, changes: Changes) -> Changes | None:
        oracle, *query = self._query(changes)
        verdict = oracle.core(*query)
        if verdict.core is None:
            return None
        cells = {
            cell if isinstance(cell, tuple) else (cell,): clue
            for cell, clue in verdict.core.items()
        }
        return {**cells, **(verdict.core_edges or {})}

    def is_ambiguous(self, place: Any, changes: Changes) -> bool:
        _, clues, edges = self._query(changes)
        name = place if is_edge(place) else named(place)
        return name in clues and name in edges

    def implies(self, place: Any, changes: Changes) -> bool:
        oracle, clues, edges = self._query(changes)
        return oracle.implies(clues, place if is_edge(place) else named(place), edges=edges)


class Statements(FrontEnd):
    """A `StatementOracle`, which all puzzles of one loop on a board share."""

    lacks: ClassVar = {"count", "core", "implies", "reduced", "sets", "path", "numberlink"}

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__(puzzle)
        self.oracle = StatementOracle(puzzle.board)

    def close(self) -> None:
        self.oracle.close()

    def ask(self, changes: Changes, timeout: float | None = None) -> tuple[str, list[Edges]]:
        stated = statements(changed(self.puzzle, changes).model)
        verdict = self.oracle.ask(stated, split(changes)[1], timeout=timeout)
        return verdict.status, edges_of(verdict.solutions)

    def listed(self, changes: Changes, limit: int) -> list[Edges]:
        stated = statements(changed(self.puzzle, changes).model)
        return edges_of(islice(self.oracle.solutions(stated, split(changes)[1]), limit))


class Kept(FrontEnd):
    """A `Session`."""

    options: ClassVar[dict[str, Any]] = {}

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__(puzzle)
        self.session = Session(puzzle, **self.options)

    def close(self) -> None:
        self.session.close()

    def ask(self, changes: Changes, timeout: float | None = None) -> tuple[str, list[Edges]]:
        verdict = self.session.ask(changes, timeout=timeout)
        return verdict.status, edges_of(verdict.solutions)

    def count(self, changes: Changes, limit: int | None) -> tuple[int, bool]:
        result = self.session.count(changes, limit)
        return result.count, result.exact

    def listed(self, changes: Changes, limit: int) -> list[Edges]:
        return edges_of(self.session.ask(changes, limit=limit).solutions)

    def core(self, changes: Changes) -> Changes | None:
        verdict = self.session.core(changes)
        return None if verdict.core is None else {**verdict.core, **(verdict.core_edges or {})}

    def implies(self, place: Any, changes: Changes) -> bool:
        return self.session.implies(place, changes)

    def reduced(self) -> Changes:
        self.session.reduce(seed=1)
        left = dict(self.session.clues)
        assert self.session.undo()
        return left


class KeptPlain(Kept):
    options: ClassVar = {"engine": "plain"}


class Interruptible(Kept):
    options: ClassVar = {"prompt": True}


class JsonLines(FrontEnd):
    """A session of `count-solutions --jsonl`."""

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__(puzzle)
        self.board = puzzle.board
        self._open()
        self._say(op="open", puzzle=linkoracle.write(puzzle, "text"))

    def _open(self) -> None:
        self.server = Server(Settings(show=True))

    def close(self) -> None:
        self.server.close()

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        answer = self.server.answer(1, json.dumps({"session": "a", **request}).encode())
        assert answer is not None
        members: dict[str, Any] = json.loads(answer.line)
        return members

    def _say(self, **request: Any) -> dict[str, Any]:
        answer = self._answer(request)
        if answer.get("code") == "timeout":
            raise SearchTimeout(request["timeout"])
        if "error" in answer:
            raise Refused(answer["error"])
        return answer

    def _changes(self, changes: Changes) -> dict[str, Any]:
        clues, edges = split(changes)
        words = {
            cell: sorted(clue) if isinstance(clue, set) else clue for cell, clue in clues.items()
        }
        return {
            "clues": [[*cell, clue] for cell, clue in words.items()],
            "edges": [[*self._ends(edge), on] for edge, on in edges.items()],
        }

    def _ends(self, edge: Any) -> list[Any]:
        ends = edge if isinstance(edge, tuple) else map(self.board.position, self.board.ends(edge))
        return [*ends]

    def _drawn(self, answer: dict[str, Any]) -> list[Edges]:
        return [
            Solution.from_paths(
                self.board, [[self._place(at) for at in path] for path in paths]
            ).edges
            for paths in answer["solutions"]
        ]

    @staticmethod
    def _place(at: Any) -> Any:
        return tuple(at) if isinstance(at, list) else at

    def ask(self, changes: Changes, timeout: float | None = None) -> tuple[str, list[Edges]]:
        limit = {} if timeout is None else {"timeout": timeout}
        answer = self._say(op="ask", **self._changes(changes), **limit)
        return answer["status"], self._drawn(answer)

    def count(self, changes: Changes, limit: int | None) -> tuple[int, bool]:
        limited = {} if limit is None else {"limit": limit}
        answer = self._say(op="count", **self._changes(changes), **limited)
        return answer["count"], answer["exact"]

    def listed(self, changes: Changes, limit: int) -> list[Edges]:
        return self._drawn(self._say(op="ask", limit=limit, **self._changes(changes)))

    def core(self, changes: Changes) -> Changes | None:
        core = self._say(op="core", **self._changes(changes))["core"]
        if core is None:
            return None
        clues = {
            tuple(cell): {*clue} if isinstance(clue, list) else clue
            for *cell, clue in core["clues"]
        }
        ends = {self.board.edge(*map(self._place, ends)): on for *ends, on in core["edges"]}
        return {**clues, **ends}

    def implies(self, place: Any, changes: Changes) -> bool:
        where = {"edge": self._ends(place)} if is_edge(place) else {"cell": place}
        implied: bool = self._say(op="implies", **where, **self._changes(changes))["implied"]
        return implied

    def reduced(self) -> Changes:
        left = self._say(op="reduce", seed=1)["clues"]
        assert self._say(op="undo")["undone"]
        return {tuple(cell): {*clue} if isinstance(clue, list) else clue for *cell, clue in left}


class TabSessions(JsonLines):
    """A session of the browser tab, as other pages open it."""

    lacks: ClassVar = {"honeycomb"}

    def _open(self) -> None:
        self.sessions = Sessions()

    def close(self) -> None:
        self._answer({"op": "close"})

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            answer = self.sessions.answer(json.dumps({"session": 1, **request}))
        except SearchTimeout:
            raise
        except LinkOracleError as error:
            return {"error": str(error)}
        told: dict[str, Any] = json.loads(json.dumps(answer))
        return told


class TabPage(FrontEnd):
    """What the page of a browser tab shows beside its board."""

    lacks: ClassVar = {"core", "implies", "reduced", "sets", "edges", "listed", "timeout"}
    most = LIMITS.solutions

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__(puzzle)
        self.tab = Tab()

    def _stages(self, changes: Changes) -> dict[str, dict[str, Any]]:
        board = board_of(changed(self.puzzle, changes))
        stages: list[dict[str, Any]] = []
        self.tab.answer("live", json.dumps(board), stages.append)
        named = {stage["stage"]: stage for stage in stages}
        if "error" in named["done"]:
            raise Refused(named["done"]["error"])
        return named

    def ask(self, changes: Changes, timeout: Any = None) -> tuple[str, list[Edges]]:
        assert timeout is None, "its stages have limits of their own"
        status = self._stages(changes)["status"]
        return status["status"], [] if status["lines"] is None else [tuple(status["lines"])]

    def count(self, changes: Changes, limit: int | None) -> tuple[int, bool]:
        assert limit is None, "it has a limit of its own"
        stages = self._stages(changes)
        if stages["status"]["status"] == "none":
            return 0, True
        return int(stages["count"]["count"]), stages["count"]["exact"]


FRONT_ENDS = [
    Functions,
    Sat,
    Frontier,
    Plain,
    Diagrams,
    Oracles,
    Statements,
    Kept,
    KeptPlain,
    Interruptible,
    JsonLines,
    TabSessions,
    TabPage,
]
