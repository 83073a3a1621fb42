"""`Family`: sets of edge sets with set algebra, on the `dd` package's decision diagrams.

If the installed `dd` has `dd.cudd_zdd`, the diagrams are zero-suppressed: an edge that is not
chosen costs no node. Otherwise they are the binary diagrams of `dd.autoref`, in pure Python, which
need a node for every edge. `_Sparse` and `_Dense` know the meaning of a skipped level.

The maximal and minimal sets are computed as in Knuth, *The Art of Computer Programming* 4A, 7.1.4,
exercises 236 and 237.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Self
from weakref import WeakValueDictionary

from linkoracle.board.board import Board, Edge
from linkoracle.board.lattice import Lattice, square_board
from linkoracle.board.model import LinkModel
from linkoracle.board.solution import Solution
from linkoracle.frontier.steps import Steps
from linkoracle.zdd.families import length_of

#: A node of the kind of diagram in use.
Node = Any
#: The order of the vertices of a pass, ``None`` for that of `linkoracle.frontier.order`.
Order = tuple[int, ...] | None


class _Diagrams:
    """The diagrams of `dd` over the edges of one board, in the order of the frontier pass."""

    def __init__(self, board: Board, order: Order, manager: Any) -> None:
        self.board, self.given_order, self.manager = board, order, manager
        self.order = Steps(LinkModel.blank_loop(board), given_order=order).edge_order
        self.levels = len(self.order)
        self.names = [f"e{edge}" for edge in self.order]
        manager.configure(reordering=False)
        manager.declare(*self.names)
        self.empty = manager.false


class _Sparse(_Diagrams):
    """Zero-suppressed: a skipped level is an edge not chosen."""

    def unit(self, level: int) -> Node:  # noqa: ARG002
        """Return the family whose only member has no edge from ``level`` on."""
        return self.manager.true_node

    def node(self, level: int, low: Node, high: Node) -> Node:
        """Return the members of ``low``, and those of ``high`` with the edge at ``level``."""
        if high == self.empty:
            return low
        return self.manager.find_or_add(self.names[level], low, high)

    def split(self, node: Node, level: int) -> tuple[Node, Node]:
        """Return the members without the edge at ``level``, and those with it, less that edge."""
        return (node.low, node.high) if node.level == level else (node, self.empty)

    def skip(self, nodes: Iterable[Node], level: int) -> int:
        """Return the first level from ``level`` on that one of ``nodes`` depends on."""
        return max(level, min([self.levels, *(int(node.level) for node in nodes)]))

    def lifted(self, level: int, node: Node, to: int) -> Node:  # noqa: ARG002
        """Return the node of ``level`` for the level ``to`` above it, with no edge between."""
        return node


class _Dense(_Diagrams):
    """Binary: a skipped level is an edge that may be chosen or not. Otherwise as `_Sparse`."""

    def __init__(self, board: Board, order: Order, manager: Any) -> None:
        super().__init__(board, order, manager)
        units = [manager.true]
        for name in reversed(self.names):
            units.append(manager.find_or_add(name, units[-1], manager.false))
        self._units = units[::-1]

    def unit(self, level: int) -> Node:
        return self._units[level]

    def node(self, level: int, low: Node, high: Node) -> Node:
        return self.manager.find_or_add(self.names[level], low, high)

    def split(self, node: Node, level: int) -> tuple[Node, Node]:
        if node in (self.empty, self.manager.true) or node.level != level:
            return node, node
        # `dd` marks a complement on the node and leaves its successors as they are.
        return (~node.low, ~node.high) if node.negated else (node.low, node.high)

    def skip(self, nodes: Iterable[Node], level: int) -> int:  # noqa: ARG002
        return level

    def lifted(self, level: int, node: Node, to: int) -> Node:
        for between in reversed(range(to, level)):
            node = self.node(between, node, self.empty)
        return node


_Forest = _Sparse | _Dense

#: A forest lives as long as a family on it: only diagrams of one manager can be combined.
_forests: WeakValueDictionary[tuple[Board, Order], _Forest] = WeakValueDictionary()


def _forest(board: Board, order: Order = None) -> _Forest:
    forest: _Forest | None = _forests.get((board, order))
    if forest is None:
        try:
            forest = _Sparse(board, order, import_module("dd.cudd_zdd").ZDD())
        except ImportError:
            forest = _Dense(board, order, import_module("dd.autoref").BDD())
        _forests[board, order] = forest
    return forest


@contextmanager
def _deep(levels: int) -> Iterator[None]:
    """Allow a recursion through all levels, at any depth of the caller."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + 4 * levels)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class Family:
    """A set of edge sets on one board. Immutable; equal to a family with the same members.

    A copy is the family itself. Pickled as its nodes, so a family that is read is equal, too.

    Made by `Diagram.family` or `from_solutions`. ``&``, ``|`` and ``-`` (also as methods) combine
    families on the same board and raise ``ValueError`` for others. Members are `Solution` objects,
    in the order of `Diagram`. Needs the `dd` package.

    >>> from linkoracle.frontier import Diagram
    >>> board = Lattice(3, 3)
    >>> loops = Diagram.build(LinkModel.blank_loop(board)).family()
    >>> paths = Diagram.build(LinkModel.blank_paths(board, [(0, 8)])).family()
    >>> (loops | paths).count(), (loops & paths).count()
    (25, 0)
    >>> (loops | paths).minimal().count()
    22
    """

    def __init__(self, forest: _Forest, node: Node) -> None:
        self._forest, self._node = forest, node

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        forest = self._forest
        return self.from_nodes, (forest.board, *self._nodes(), forest.given_order)

    def _nodes(self) -> tuple[list[tuple[int, int, int]], int]:
        """Return the rows of `from_nodes`, and the row of the root."""
        forest = self._forest
        rows = [(forest.levels, 0, 0)] * 2
        placed: dict[Any, int] = {}

        def place_of(node: Node, level: int) -> int | None:
            if node == forest.empty:
                return 0
            level = forest.skip([node], level)
            return 1 if level == forest.levels else placed.get((node, level))

        stack = [(self._node, 0)]
        while stack:
            node, level = stack[-1]
            if place_of(node, level) is not None:
                stack.pop()
                continue
            level = forest.skip([node], level)
            children = [(child, level + 1) for child in forest.split(node, level)]
            places = [place_of(*child) for child in children]
            if None in places:
                stack += [child for child, at in zip(children, places, strict=True) if at is None]
                continue
            low, high = places
            assert low is not None
            assert high is not None
            if high:
                placed[node, level] = len(rows)
                rows.append((level, low, high))
            else:
                # The edge is in no member, and needs no row.
                placed[node, level] = low
        root = place_of(self._node, 0)
        assert root is not None
        return rows, root

    @classmethod
    def from_nodes(
        cls,
        board: Board,
        nodes: Iterable[tuple[int, int, int]],
        root: int,
        order: tuple[int, ...] | None = None,
    ) -> Self:
        """Return the solutions of a diagram from its `Diagram.nodes`. O(nodes) calls of `dd`.

        ``order`` is that of the vertices, if the diagram was built with one.
        """
        forest = _forest(board, order)
        made = [(forest.levels, forest.empty), (forest.levels, forest.unit(forest.levels))]
        for level, *children in itertools.islice(nodes, 2, None):
            low, high = (forest.lifted(*made[child], level + 1) for child in children)
            made.append((level, forest.node(level, low, high)))
        return cls(forest, forest.lifted(*made[root], 0))

    @classmethod
    def from_solutions(cls, board: Board, solutions: Iterable[Solution]) -> Self:
        """Return the family of these edge sets; ``ValueError`` if one is not on ``board``."""
        forest = _forest(board)
        union = forest.empty
        for solution in solutions:
            if solution.board != board:
                raise ValueError("a solution is on another board")
            chosen = set(solution.edges)
            node = forest.unit(forest.levels)
            for level in reversed(range(forest.levels)):
                taken = forest.order[level] in chosen
                low, high = (forest.empty, node) if taken else (node, forest.empty)
                node = forest.node(level, low, high)
            union = union | node
        return cls(forest, union)

    @property
    def board(self) -> Board:
        return self._forest.board

    @property
    def lattice(self) -> Lattice:
        """The board, if it is square; ``ValueError`` if not."""
        return square_board(self.board)

    def _other(self, other: Family) -> Node:
        if other._forest is not self._forest:
            raise ValueError("the families are on different boards, or have different orders")
        return other._node

    def union(self, other: Family) -> Family:
        """Return the members of either family."""
        return Family(self._forest, self._node | self._other(other))

    def intersection(self, other: Family) -> Family:
        """Return the members of both families."""
        return Family(self._forest, self._node & self._other(other))

    def difference(self, other: Family) -> Family:
        """Return the members of this family that are not in ``other``."""
        return Family(self._forest, self._node & ~self._other(other))

    def __or__(self, other: object) -> Family:
        return self.union(other) if isinstance(other, Family) else NotImplemented

    def __and__(self, other: object) -> Family:
        return self.intersection(other) if isinstance(other, Family) else NotImplemented

    def __sub__(self, other: object) -> Family:
        return self.difference(other) if isinstance(other, Family) else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Family):
            return NotImplemented
        return other._forest is self._forest and bool(other._node == self._node)

    def __hash__(self) -> int:
        return hash((self.board, self._node))

    def __bool__(self) -> bool:
        return bool(self._node != self._forest.empty)

    def maximal(self) -> Family:
        """Return the members that are not a proper subset of another member."""
        with _deep(self._forest.levels):
            return Family(self._forest, _extreme(self._forest, self._node, 0, 0, {}))

    def minimal(self) -> Family:
        """Return the members that have no other member as a proper subset."""
        with _deep(self._forest.levels):
            return Family(self._forest, _extreme(self._forest, self._node, 0, 1, {}))

    def including(self, edges: Iterable[Edge]) -> Family:
        """Return the members that have all of these edges, ids or pairs of positions."""
        node = self._node
        for edge in self._variables(edges):
            node = node & edge
        return Family(self._forest, node)

    def excluding(self, edges: Iterable[Edge]) -> Family:
        """Return the members that have none of these edges, ids or pairs of positions."""
        node = self._node
        for edge in self._variables(edges):
            node = node & ~edge
        return Family(self._forest, node)

    def _variables(self, edges: Iterable[Edge]) -> list[Node]:
        return [self._forest.manager.var(f"e{self.board.edge_of(edge)}") for edge in edges]

    def count(self) -> int:
        """Return the number of members, exactly. O(nodes)."""
        with _deep(self._forest.levels):
            return _count(self._forest, self._node, 0, {})

    def __len__(self) -> int:
        """Return `count`; raises ``OverflowError`` from 2^63 on, where only `count` works."""
        return length_of(self.count(), "members")

    def __iter__(self) -> Iterator[Solution]:
        forest = self._forest
        stack: list[tuple[Node, int, tuple[int, ...]]] = [(self._node, 0, ())]
        while stack:
            node, level, edges = stack.pop()
            if node == forest.empty:
                continue
            level = forest.skip([node], level)
            if level == forest.levels:
                yield Solution(self.board, edges)
                continue
            low, high = forest.split(node, level)
            stack.append((high, level + 1, (*edges, forest.order[level])))
            stack.append((low, level + 1, edges))

    def __contains__(self, solution: object) -> bool:
        """Return whether ``solution`` is a member. O(edges)."""
        if not isinstance(solution, Solution) or solution.board != self.board:
            return False
        node, chosen = self._node, set(solution.edges)
        for level, edge in enumerate(self._forest.order):
            node = self._forest.split(node, level)[edge in chosen]
        return bool(node != self._forest.empty)

    def __repr__(self) -> str:
        return f"<Family of {self.count()} edge sets on {self.board}>"


# The recursions are functions of the module with their memo as an argument. A recursive closure
# would be a reference cycle, which keeps its nodes alive until a later garbage collection.

#: The results of a recursion, by node and level, or by two nodes and level.
Memo = dict[tuple[Any, ...], Any]


def _count(forest: _Forest, node: Node, level: int, memo: Memo) -> int:
    if node == forest.empty:
        return 0
    level = forest.skip([node], level)
    if level == forest.levels:
        return 1
    key = (node, level)
    if key not in memo:
        parts = forest.split(node, level)
        memo[key] = sum(_count(forest, part, level + 1, memo) for part in parts)
    return int(memo[key])


def _extreme(forest: _Forest, node: Node, level: int, side: int, memo: Memo) -> Node:
    """Return the maximal members of a family (``side`` 0), or the minimal ones (1)."""
    if node == forest.empty:
        return node
    level = forest.skip([node], level)
    if level == forest.levels:
        return node
    key = (node, level)
    if key not in memo:
        halves = forest.split(node, level)
        parts = [_extreme(forest, part, level + 1, side, memo) for part in halves]
        # Without the edge, a member may be a subset of one with it; with it, a superset.
        parts[side] = _without(forest, parts[side], parts[1 - side], level + 1, side, memo)
        memo[key] = forest.node(level, *parts)
    return memo[key]


def _without(forest: _Forest, of: Node, other: Node, level: int, side: int, memo: Memo) -> Node:
    """Return the members of ``of`` that are no subset (superset if ``side``) of any ``other``."""
    if forest.empty in (of, other):
        return of
    level = forest.skip([of, other], level)
    if level == forest.levels or of == other:
        return forest.empty
    key = (of, other, level)
    if key not in memo:
        parts, others = list(forest.split(of, level)), forest.split(other, level)
        for part, compared in ((side, 0), (side, 1), (1 - side, 1 - side)):
            parts[part] = _without(forest, parts[part], others[compared], level + 1, side, memo)
        memo[key] = forest.node(level, *parts)
    return memo[key]
