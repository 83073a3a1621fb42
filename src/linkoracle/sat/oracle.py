"""`Oracle`: one incremental solver per board, for clues and edges that come and go."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import compress
from typing import TYPE_CHECKING, Self

from linkoracle.board.lattice import Lattice
from linkoracle.board.model import LinkModel, Modelled, model_of
from linkoracle.board.solution import Solution
from linkoracle.core.limits import Deadline
from linkoracle.sat.answers import Asked, Cell, Clues, Seen, Verdict
from linkoracle.sat.clauses import count_clauses, other_than
from linkoracle.sat.search import LazySearch

if TYPE_CHECKING:
    from typing import Literal

    from linkoracle.sat.answers import Side
    from linkoracle.sat.cubes import Cubes
    from linkoracle.sat.taut_search import TautSearch

#: A question about the board alone.
_NOTHING = Asked({}, {}, {})

#: Vertices from which on a Numberlink that must use them all is helped by taut solutions.
_LARGE = 200


class Oracle:
    """Answers questions about one board while clues and edges come and go.

    The board is a `LinkModel`, or anything that has one. Its own rules always hold, and every
    question adds to them:

    * ``clues``: for a face the number of chosen edges around it, or a set of such numbers. The
      empty set allows none, so with it there is no solution. A face is named by its cell
      ``(row, column)`` on squares, and by its number on other boards (`Board.face_of`).
    * ``edges``: for an edge id whether the edge is chosen.

    The solver, what it has learned, and all cuts are kept from one question to the next, so a
    series of related questions is much cheaper than the same questions asked of fresh solvers. Use
    it as a context manager, or call `close`, to free the solver early. Not thread-safe. ``solver``
    names a PySAT solver; ``side`` is where down is when a free Numberlink is asked whether it has
    one solution; with ``prompt``, CaDiCaL never stops to simplify its clauses, for whoever waits
    for each of many quick answers. These two make a difference only to the time
    (``docs/taut.md``, ``docs/sat.md``).

    Every question raises ``ValueError`` for a clue that is not a number of edges of its face or a
    set of these, a face or an edge that the board has not; `SearchTimeout` after ``timeout``
    seconds, and can be asked again; `ClosedError` after `close`.

    >>> oracle = Oracle.slitherlink(2, 2)
    >>> verdict = oracle.ask({(0, 0): 4})
    >>> verdict.status, verdict.solutions[0].paths()
    ('unique', [[(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]])
    >>> oracle.ask({(0, 0): 3}).status
    'many'
    >>> oracle.ask({(0, 0): {0, 4}, (1, 1): {0, 4}}, edges={0: True}).status
    'unique'
    >>> oracle.implies({(0, 0): 4, (0, 1): 1}, (0, 1))
    True
    """

    def __init__(
        self,
        board: Modelled,
        *,
        solver: str | None = None,
        side: Side = "bottom",
        prompt: bool = False,
    ) -> None:
        self._open(model_of(board), solver, Deadline(None), side, prompt=prompt)

    @classmethod
    def opened_within(
        cls, deadline: Deadline, model: LinkModel, *, solver: str | None = None
    ) -> Self:
        """The oracle of a board whose rules may take long to state: `SearchTimeout` if they do."""
        oracle = cls.__new__(cls)
        oracle._open(model, solver, deadline)
        return oracle

    def _open(
        self,
        model: LinkModel,
        solver: str | None,
        deadline: Deadline,
        side: Side = "bottom",
        *,
        prompt: bool = False,
    ) -> None:
        self.model = model
        self._taut: TautSearch | None = None
        self._search = LazySearch(model, solver, deadline=deadline, prompt=prompt)
        #: The literal under which a face has a count that its mask allows.
        self._selectors: dict[tuple[int, int], int] = {}
        if len(model.terminals) > 1 or model.is_free:
            colours = self._search.colour(deadline)
            if model.is_free or (model.freed and model.board.num_vertices >= _LARGE):
                # Only Numberlinks need it, so others do not wait for it.
                from linkoracle.sat.taut_search import TautSearch

                self._taut = TautSearch(self._search, colours, self._find, side)
        #: The last solutions seen. One of them often answers the first half of the next question
        #: without a search.
        self._seen: deque[Seen] = deque(maxlen=4)

    @classmethod
    def slitherlink(
        cls,
        rows: int,
        cols: int,
        ends: tuple[tuple[int, int], tuple[int, int]] | None = None,
        *,
        solver: str | None = None,
    ) -> Self:
        """The oracle of a Slitherlink board of ``rows`` x ``cols`` cells, to which clues are added.

        With ``ends``, two dots, the open-path variant.
        """
        lattice = Lattice(rows + 1, cols + 1)
        if ends is None:
            return cls(LinkModel.blank_loop(lattice), solver=solver)
        first, last = (lattice.vertex(*dot) for dot in ends)
        return cls(LinkModel.blank_paths(lattice, [(first, last)]), solver=solver)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver; the oracle cannot be asked afterwards."""
        self._search.close()
        if self._taut is not None:
            self._taut.close()

    @property
    def rounds(self) -> int:
        """Calls of the SAT solver so far."""
        return self._search.rounds

    @property
    def cuts(self) -> int:
        """Cuts added so far."""
        return self._search.cuts_added

    def ask(
        self,
        clues: Clues = (),
        *,
        edges: Mapping[int, bool] | None = None,
        timeout: float | None = None,
    ) -> Verdict:
        """Decide whether the board with these clues and edges has no solution, one, or more."""
        return self.ask_within(Deadline(timeout), clues, edges)

    def ask_within(
        self, deadline: Deadline, clues: Clues = (), edges: Mapping[int, bool] | None = None
    ) -> Verdict:
        """`ask`, for callers that share a deadline among questions."""
        question = self._checked(clues, edges)
        known = [seen.solution for seen in self._seen if question.fits(seen)]
        if len(known) > 1:
            return Verdict("many", (known[0], known[1]), None)
        # Before any search, so that no cut rests on clues of an earlier question.
        assumptions = self._assume(question)
        first = known[0] if known else self._first(assumptions, deadline)
        if first is None:
            return self._verdict("none", (), question)
        deadline.found = max(1, deadline.found)
        second = self._second(first, assumptions, deadline)
        if second is None:
            return self._verdict("unique", (first,), question)
        return Verdict("many", (first, second), None)

    def core(
        self,
        clues: Clues = (),
        *,
        edges: Mapping[int, bool] | None = None,
        timeout: float | None = None,
    ) -> Verdict:
        """`ask`, and of clues and edges that contradict each other find some that are all needed.

        That takes up to ten seconds more, at most half of what is left of ``timeout``. If it takes
        longer, ``core_minimal`` of the verdict is false: some of the core may not be needed.

        >>> verdict = Oracle.slitherlink(2, 2).core({(0, 0): 4, (0, 1): 3, (1, 1): 0, (1, 0): 2})
        >>> len(verdict.core), verdict.core_minimal
        (2, True)
        """
        from linkoracle.sat.cores import core_within

        return core_within(self, Deadline(timeout), clues, edges)

    def contradiction_within(
        self, deadline: Deadline, clues: Clues, edges: Mapping[int, bool]
    ) -> Verdict | None:
        """The verdict that there is no solution; ``None`` if there is one. Cheaper than `ask`."""
        question = self._checked(clues, edges)
        if any(map(question.fits, self._seen)):
            return None
        if self._first(self._assume(question), deadline) is not None:
            return None
        return self._verdict("none", (), question)

    def another(self, solution: Solution, *, timeout: float | None = None) -> Solution | None:
        """A solution of the board alone other than ``solution``, which must be one.

        ``None`` proves that there is no other. Cheaper than `ask` for whoever knows a solution,
        which is not searched for, nor checked.

        >>> oracle = Oracle.slitherlink(2, 2)
        >>> square = Solution(oracle.model.lattice, (0, 1, 3, 5))
        >>> oracle.another(square) is None
        False
        """
        return self.another_within(Deadline(timeout), solution)

    def another_within(self, deadline: Deadline, solution: Solution) -> Solution | None:
        """`another`, for callers that share a deadline among questions."""
        # Before any search, so that no cut rests on clues of an earlier question.
        assumptions = self._assume(self._checked((), None))
        return self._second(solution, assumptions, deadline, like=True)

    def share(self, cubes: Cubes | None, *, on_cells: bool = False) -> None:
        """Decide a free board from now on together with others, or alone again.

        With ``on_cells``, in the way that takes no notice of how paths are led.
        """
        if self._taut is not None:
            self._taut.cubes = cubes
            self._taut.on_cells |= on_cells

    def another_taut_within(self, known: Iterable[Solution], deadline: Deadline) -> Solution | None:
        """A taut solution of a free Numberlink that is not ``known``; ``None`` if all are."""
        taut = self._taut
        assert taut is not None
        with self._beside(known) as differs:
            return self._find([*taut.only(), differs], deadline)

    def implies(
        self,
        clues: Clues,
        what: Cell,
        *,
        edges: Mapping[int, bool] | None = None,
        timeout: float | None = None,
    ) -> bool:
        """Whether ``what``, the clue of a face or the value of an edge, follows from the others.

        True also when the others contradict each other. Far cheaper than asking for uniqueness with
        and without it. Raises ``KeyError`` when ``what`` is not among ``clues`` and ``edges``;
        ``ValueError`` if it is among both, as the number of a face and of an edge may be.
        """
        question = self._checked(clues, edges)
        if what in question.clues and what in question.edges:
            raise ValueError(f"{what!r} is a face with a clue and an edge: ask with one of them")
        if what in question.clues:
            face = self.model.board.face_of(what)
            question.masks[face] ^= self.model.board.free_masks[face]
        else:
            question.edges[what] = not question.edges[what]
        if any(map(question.fits, self._seen)):
            return False
        return self._find(self._assume(question), Deadline(timeout)) is None

    def solutions(
        self,
        clues: Clues = (),
        *,
        edges: Mapping[int, bool] | None = None,
        timeout: float | None = None,
    ) -> Generator[Solution, None, None]:
        """Yield every solution with these clues and edges, once, in the order they are found.

        Lazy: asking for the next one starts the next search. Questions may be asked in between.
        ``timeout`` counts from when the first is asked for.
        """
        return self._list(self._checked(clues, edges), timeout)

    def solutions_within(self, deadline: Deadline) -> Iterator[Solution]:
        """`solutions` of the board alone, for callers that share a deadline among questions."""
        return self._list(self._checked((), None), deadline)

    def _list(
        self, question: Asked, timeout: float | Deadline | None
    ) -> Generator[Solution, None, None]:
        deadline = Deadline.of(timeout)
        self._search.check_open()
        only = None if question.masks or question.edges else self._search.only()
        if only is not None:
            for edges in only:
                deadline.found = max(1, deadline.found)
                yield Solution(self.model.board, edges)
            return
        enumeration = self._search.new_variables(1)
        listed = 0
        try:
            while True:
                # Another question may have been asked since the last solution.
                found = self._find([*self._assume(question), enumeration], deadline)
                if found is None:
                    return
                listed += 1
                deadline.found = max(listed, deadline.found)
                self._search.add([[-enumeration, *other_than(found.edges)]])
                yield found
        finally:
            self._search.add([[-enumeration]])

    def _first(self, assumptions: list[int], deadline: Deadline) -> Solution | None:
        """A solution; of a free model a taut one (see `linkoracle.sat.paths_kernel`)."""
        if not assumptions and (only := self._search.only()) is not None:
            return Solution(self.model.board, only[0]) if only else None
        if assumptions or self._taut is None:
            return self._find(assumptions, deadline)
        return self._taut.first(deadline)

    def _second(
        self, first: Solution, assumptions: list[int], deadline: Deadline, *, like: bool = False
    ) -> Solution | None:
        """Another solution than the ``first``, one that is like it if possible.

        Of a free Numberlink only with ``like``, since to prove that it has no other takes longer
        then.
        """
        if not assumptions and self._search.only() is not None:
            return None
        taut = None if assumptions else self._taut
        if taut is not None and self.model.is_free:
            from linkoracle.board.rerouting import rerouted

            other = rerouted(self.model.lattice, first)
            if other is not None:
                return Solution(self.model.board, other)
            assumptions = taut.only()
        with self._beside([first]) as differs:
            assumed = [*assumptions, differs]
            if taut is not None and not like:
                return taut.second(first, assumed, deadline)
            self._search.prefer(first.edges)
            return self._find(assumed, deadline)

    @contextmanager
    def _beside(self, known: Iterable[Solution]) -> Iterator[int]:
        """A literal that excludes the ``known`` solutions within this block."""
        differs = self._search.new_variables(1)
        self._search.add([[-differs, *other_than(solution.edges)] for solution in known])
        try:
            yield differs
        finally:
            self._search.add([[-differs]])

    def _find(self, assumptions: list[int], deadline: Deadline) -> Solution | None:
        edges = self._search.next_solution(assumptions, deadline)
        if edges is None:
            return None
        solution = Solution(self.model.board, edges)
        if all(solution != seen.solution for seen in self._seen):
            self._seen.append(Seen(solution))
        return solution

    def _verdict(
        self,
        status: Literal["none", "unique"],
        solutions: tuple[Solution, ...],
        question: Asked,
    ) -> Verdict:
        """The verdict on what was asked last, with the core that it rests on."""
        core = self._search.core
        # Cells and masks stand in the same order.
        held = [self._selectors[asked] in core for asked in question.masks.items()]
        clues = dict(compress(question.clues.items(), held))
        edges = {e: on for e, on in question.edges.items() if (e + 1 if on else -1 - e) in core}
        return Verdict(status, solutions, clues, edges)

    def _checked(self, clues: Clues, edges: Mapping[int, bool] | None) -> Asked:
        self._search.check_open()
        if clues == () and not edges:
            return _NOTHING
        return Asked.of(self.model.board, clues, edges)

    def _assume(self, question: Asked) -> list[int]:
        """The literals that put a question in force."""
        selectors = {face: self._selector(face, mask) for face, mask in question.masks.items()}
        self._search.suppose(
            {face: (mask, selectors[face]) for face, mask in question.masks.items()},
            question.edges,
        )
        return [*selectors.values(), *(e + 1 if on else -1 - e for e, on in question.edges.items())]

    def _selector(self, face: int, mask: int) -> int:
        """The literal under which ``face`` has a number of chosen edges that ``mask`` allows."""
        selector = self._selectors.get((face, mask))
        if selector is None:
            selector, new = self._search.new_variables(1), self._search.new_variables
            edges = [edge + 1 for edge in self.model.board.edges_of(face)]
            self._search.add(count_clauses(edges, mask, [-selector], new))
            self._selectors[face, mask] = selector
        return selector
