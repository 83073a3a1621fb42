"""`Family`: sets of edge sets on one board, with set algebra."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self
from weakref import WeakValueDictionary

from linkoracle.board import Board, Edge, Lattice, LinkModel, Solution
from linkoracle.frontier.steps import Steps
from linkoracle.zdd import EMPTY, SetFamily, Zdd, nodes_of, zdd_kernel

#: The order of the vertices of a pass, ``None`` for that of `linkoracle.frontier.order`.
Order = tuple[int, ...] | None


class _Space:
    """The nodes of all families on one board; the variables are the edges as a pass decides them.

    Nodes are kept as long as the space.
    """

    def __init__(self, board: Board, order: Order) -> None:
        self.board, self.order = board, order
        self.edge_order = Steps(LinkModel.blank_loop(board), given_order=order).edge_order
        self.variable_of = {edge: variable for variable, edge in enumerate(self.edge_order)}
        self.sets = Zdd(len(self.edge_order))


#: A space lives as long as a family in it: only families of one space can be combined.
_spaces: WeakValueDictionary[tuple[Board, Order], _Space] = WeakValueDictionary()


class Family(SetFamily[Solution]):
    """A set of edge sets on one board. Immutable; equal to a family with the same members.

    A copy is the family itself. Pickled as its nodes, so a family that is read is equal, too.

    Made by `Diagram.family` or `from_solutions`. ``&``, ``|`` and ``-`` (also as methods) combine
    families on the same board and raise ``ValueError`` for others, and on boards of more than 4096
    edges. Members are `Solution` objects, in the order of `Diagram`. The families on one board
    share their nodes, which are freed after the last of them.

    >>> from linkoracle.frontier import Diagram
    >>> board = Lattice(3, 3)
    >>> loops = Diagram.build(LinkModel.blank_loop(board)).family()
    >>> paths = Diagram.build(LinkModel.blank_paths(board, [(0, 8)])).family()
    >>> (loops | paths).count(), (loops & paths).count()
    (25, 0)
    >>> (loops | paths).minimal().count()
    22
    """

    _kind = "member"
    _origin = "have different boards or orders"

    def __init__(self, space: _Space, node: int) -> None:
        super().__init__(space.sets, node)
        self._space = space

    def __reduce__(self) -> tuple[Any, ...]:
        kept = Zdd(self._sets.variables)
        node = self._sets.narrowed(self._node, into=kept)
        return self.from_sets, (self.board, kept, node, self._space.order)

    @classmethod
    def from_sets(cls, board: Board, sets: Zdd, node: int, order: Order = None) -> Self:
        """Return a family of a diagram whose variables are the edges as a pass decides them.

        ``order`` is that of the vertices, if the pass was given one. O(nodes).
        """
        space: _Space | None = _spaces.get((board, order))
        if space is None:
            space = _spaces.setdefault((board, order), _Space(board, order))
        return cls(space, sets.narrowed(node, into=space.sets))

    @classmethod
    def from_solutions(cls, board: Board, solutions: Iterable[Solution]) -> Self:
        """Return the family of these edge sets; ``ValueError`` if one is not on ``board``."""
        empty = cls.from_sets(board, Zdd(board.num_edges), EMPTY)
        sets = []
        for solution in solutions:
            if solution.board != board:
                raise ValueError("a solution is on another board")
            sets.append(sorted(empty._variables(solution.edges)))
        kept, root = nodes_of(sets)
        return empty._like(Zdd(board.num_edges, kept=kept).narrowed(root, into=empty._sets))

    @property
    def board(self) -> Board:
        return self._space.board

    @property
    def lattice(self) -> Lattice:
        """The board, if it is square; ``ValueError`` if not."""
        board: Lattice = self.board.squares()
        return board

    def _like(self, node: int) -> Self:
        return type(self)(self._space, node)

    def _member(self, variables: tuple[int, ...]) -> Solution:
        edges = (self._space.edge_order[variable] for variable in variables)
        return Solution(self.board, tuple(edges))

    def union(self, other: Family) -> Family:
        """Return the members of either family."""
        return self | other

    def intersection(self, other: Family) -> Family:
        """Return the members of both families."""
        return self & other

    def difference(self, other: Family) -> Family:
        """Return the members of this family that are not in ``other``."""
        return self - other

    def maximal(self) -> Family:
        """Return the members that are not a proper subset of another member."""
        return self._like(self._sets.apply(zdd_kernel.MAXIMAL, self._node))

    def minimal(self) -> Family:
        """Return the members that have no other member as a proper subset."""
        return self._like(self._sets.apply(zdd_kernel.MINIMAL, self._node))

    def including(self, edges: Iterable[Edge]) -> Family:
        """Return the members that have all of these edges, ids or pairs of positions."""
        return self._like(self._narrowed(required=self._variables(edges)))

    def excluding(self, edges: Iterable[Edge]) -> Family:
        """Return the members that have none of these edges, ids or pairs of positions."""
        return self._like(self._narrowed(forbidden=self._variables(edges)))

    def _variables(self, edges: Iterable[Edge]) -> list[int]:
        return [self._space.variable_of[self.board.edge_of(edge)] for edge in edges]

    def __contains__(self, solution: object) -> bool:
        """Return whether ``solution`` is a member. O(edges)."""
        if not isinstance(solution, Solution) or solution.board != self.board:
            return False
        return self._sets.has(self._node, self._variables(solution.edges))

    def to_dd(self, manager: Any = None) -> tuple[Any, Any]:
        """Return the members as a function of the package `dd`: see `Diagram.to_dd`."""
        return self._sets.to_dd(self._node, self._space.edge_order, manager)

    def __repr__(self) -> str:
        return f"<Family of {self.count()} edge sets on {self.board}>"
