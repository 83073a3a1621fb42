"""`CountingDeduction`: deduction for any kind and board, from counts, whole lines and probes.

`DeductionState` knows patterns of Slitherlink and Numberlink. `CountingDeduction` knows only the
constraints of a `LinkModel`: how many of some literals are true, and that the lines form one loop,
or paths between pairs. Its techniques, easiest first: a count that leaves one choice; a line that
would close too early, or join different pairs; a *probe*, which shows that an edge cannot be on, or
off, because a rule is broken a few steps later. The longest probe shows how hard a puzzle is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass

from linkoracle.board.constraints import Count, at_least_one
from linkoracle.board.model import LinkModel
from linkoracle.core.limits import Deadline

#: The techniques, the easiest first.
TECHNIQUES = ("count", "line", "probe")
#: The most literals that a probe may decide before a rule is broken: each limit is used when the
#: limits before it find nothing.
_LIMITS = (4, 10, 25, 1_000_000)


@dataclass(frozen=True)
class Decision:
    """A step: the literals that it decided, its technique, and its rule.

    ``technique`` is ``"count"``, ``"line"``, ``"probe"``, or ``"guess"``, which uses the solution.
    A probe decided ``length`` more literals until rule ``rule`` was broken; ``None`` is the rule
    that the lines form one loop, or paths. ``choices`` counts the equally easy steps available.
    """

    technique: str
    rule: int | None
    length: int
    literals: tuple[int, ...]
    choices: int = 1


class CountingDeduction:
    """The known values of the variables of a model, with the steps that led there.

    Values of auxiliary variables are not steps, since they mean nothing to a player.

    >>> from linkoracle.kinds import KINDS
    >>> puzzle = KINDS["masyu"](["b.w.", "....", "....", "..b."])
    >>> state = CountingDeduction(puzzle.model)
    >>> state.run(), state.solved
    (True, True)
    """

    def __init__(self, model: LinkModel) -> None:
        self.model = model
        board = model.board
        self._num_edges = board.num_edges
        self._shown = board.num_edges + board.num_vertices
        degrees = [
            Count(tuple(edge + 1 for edge in board.edges_at(vertex)), mask)
            for vertex, mask in enumerate(model.degrees)
        ]
        faces = [
            Count(tuple(edge + 1 for edge in board.edges_of(face)), mask)
            for face, (mask, free) in enumerate(zip(model.faces, board.free_masks, strict=True))
            if mask != free
        ]
        #: All rules, those of vertices first.
        self.rules: list[Count] = [*degrees, *faces, *model.all_counts()]
        #: The value of each variable, ``None`` if unknown.
        self.values: list[bool | None] = [None] * (1 + max(model.num_variables, self._shown))
        self._uses: list[list[tuple[int, bool]]] = [[] for _ in self.values]
        #: The rules with each variable, as the bits of a number.
        self._near = [0] * len(self.values)
        for number, rule in enumerate(self.rules):
            for literal in rule.literals:
                self._uses[abs(literal)].append((number, literal > 0))
                self._near[abs(literal)] |= 1 << number
        self._true = [0] * len(self.rules)
        self._open = [len(rule.literals) for rule in self.rules]
        #: Whether a rule requires only one true literal, as most rules do.
        self._is_clause = [rule == at_least_one(rule.literals) for rule in self.rules]
        #: The edges between two vertices, in either order.
        self._between: dict[tuple[int, int], list[int]] = {}
        for edge in range(board.num_edges):
            one, other = board.ends(edge)
            for pair in {(one, other), (other, one)}:
                self._between.setdefault(pair, []).append(edge)
        #: The other end of the path that ends at a vertex; the vertex itself without a line.
        self._other_end = list(range(board.num_vertices))
        #: With several pairs, the mate of each end.
        self._mates: dict[int, int] = {}
        #: A single path counts as a loop that is closed outside the board.
        self._closes = model.loop or len(model.terminals) == 1
        for one, other in model.terminals:
            ends = self._other_end if self._closes else self._mates
            ends[one], ends[other] = other, one
        #: By the end of a path, the numbers of its lines, and of its vertices that must be visited.
        self._size = [0] * board.num_vertices
        self._must = [int(mask & 1 == 0) for mask in model.degrees]
        self._all_must = sum(self._must)
        if self._closes:
            for one, other in model.terminals:
                self._must[one] = self._must[other] = self._must[one] + self._must[other]
        self._trail: list[int] = []
        #: The number of lines on the trail.
        self._drawn = 0
        #: Earlier paths: the number of literals then, an end, its other end, and both its numbers.
        self._undo: list[tuple[int, int, int, int, int]] = []
        #: By literal, the probes that broke no rule: their limit, and the rules that they rest on,
        #: as the bits of a number. See `_rests_on`.
        self._ended: dict[int, tuple[float, int]] = {}
        #: Whether some path was found to have all lines.
        self._is_whole = False
        self.steps: list[Decision] = []
        self._is_broken = False

    @property
    def solved(self) -> bool:
        """Whether all edges are known."""
        return not self.open_edges

    @property
    def is_complete(self) -> bool:
        """Whether all variables in rules are known, so that no rule can be broken."""
        return all(not open_ for open_ in self._open)

    @property
    def open_edges(self) -> int:
        """The number of unknown edges."""
        return self.values[1 : self._num_edges + 1].count(None)

    def run(
        self,
        deadline: Deadline | None = None,
        *,
        enough: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Deduce everything that probes find, or until ``enough()``; False if there is no solution.

        Needs O(edges) probes a step at worst. Raises `SearchTimeout` at the ``deadline``.
        """
        deadline = deadline or Deadline(None)
        literals = [-edge - 1 for edge in self.model.forbidden]
        literals += [edge + 1 for edge in self.model.given]
        literals += [one for end in self._mates for one in self._excluded(end, end)]
        for number in range(len(self.rules)):
            forced = self._forced(number)
            if forced is None:
                return False
            literals += forced
        if self._follow(literals, record=True) is not None:
            return False
        self._ended.clear()
        while not (self.solved or enough()):
            waiting = [one for edge in range(1, self._num_edges + 1) for one in (edge, -edge)]
            if not any(self._probe(waiting, limit, deadline) for limit in _LIMITS):
                break
            if self._is_broken:
                return False
        # A loop has a line.
        return not (self.solved and self.model.loop) or bool(self._drawn)

    @property
    def has_decided(self) -> bool:
        """Whether a step has decided an edge."""
        return any(abs(one) <= self._num_edges for step in self.steps for one in step.literals)

    def _probe(self, waiting: list[int], limit: int, deadline: Deadline) -> bool:
        """Probe open edges, and apply the results, shortest first; return whether there is any.

        Leaves in ``waiting`` the literals that take more than ``limit``. Probes that broke no rule
        are repeated only after a step changes a rule that they rest on.
        """
        ended = self._ended
        found, beyond = [], []
        for literal in waiting:
            deadline.check()
            if self.values[abs(literal)] is not None:
                continue
            known = ended.get(literal, (0, 0))[0]
            if known < limit:
                start, joined = len(self._trail), len(self._undo)
                self._is_whole = False
                rule = self._follow([literal], limit=limit)
                length, known = len(self._trail) - start, limit if rule == _LIMIT else _ALL
                if rule is None or rule == _LIMIT:
                    ended[literal] = known, self._rests_on(start, joined)
                else:
                    found.append((length, -literal, rule))
                    known = _ALL
                self._take_back(start)
            if known < _ALL:
                beyond.append(literal)
        waiting[:] = beyond
        start, joined = len(self._trail), len(self._undo)
        self._is_whole = False
        for choices, (length, literal, rule) in enumerate(sorted(found), start=1):
            if self.values[abs(literal)] is None:
                named = rule if rule >= 0 else None
                self.steps.append(Decision("probe", named, length, (literal,), choices))
                if self._follow([literal], record=True) is not None:
                    self._is_broken = True
                    break
        changed = self._rests_on(start, joined)
        for literal in [one for one, (_, rests_on) in ended.items() if rests_on & changed]:
            del ended[literal]
        return bool(found)

    def _rests_on(self, start: int, joined: int) -> int:
        """Return the rules that a probe rests on, or that a step changes, as bits of a number.

        These are the rules with literals of the trail from ``start`` on, and the rules of the ends
        of paths joined since ``joined``: another line at such an end changes its path.
        """
        if self._is_whole or self._mates:
            # A path between a pair rests on all rules beside its ends.
            return -1
        rests_on = 0
        for literal in self._trail[start:]:
            rests_on |= self._near[abs(literal)]
        # The first rules are those of vertices.
        for _, vertex, *_ in self._undo[joined:]:
            rests_on |= 1 << vertex
        return rests_on

    def guess(self, solution: Collection[int], deadline: Deadline) -> None:
        """Decide the edge that decides most others, with its value in a solution.

        For a player this is a guess, or a long argument: no probe found it.
        """
        best: tuple[int, int] = (-1, 0)
        for edge in range(1, self._num_edges + 1):
            deadline.check()
            if self.values[edge] is None:
                literal, start = edge if edge - 1 in solution else -edge, len(self._trail)
                self._follow([literal])
                best = max(best, (len(self._trail) - start, literal))
                self._take_back(start)
        self.steps.append(Decision("guess", None, 0, (best[1],)))
        self._follow([best[1]], record=True)

    def _follow(
        self, literals: list[int], *, record: bool = False, limit: int = _LIMITS[-1]
    ) -> int | None:
        """Assign literals and all that follows; return a broken rule, or `_LIMIT`, if any."""
        waiting = [(literal, -2) for literal in literals]
        start = len(self._trail)
        for place, (literal, source) in enumerate(waiting):
            variable, value = abs(literal), literal > 0
            if self.values[variable] is not None:
                if self.values[variable] != value:
                    return max(source, _ONE_LOOP)
                continue
            if len(self._trail) - start >= limit:
                return _LIMIT
            self.values[variable] = value
            self._trail.append(literal)
            self._drawn += value and variable <= self._num_edges
            if record and source != -2 and variable <= self._shown:
                technique = "line" if source == _ONE_LOOP else "count"
                rule = None if source == _ONE_LOOP else source
                self.steps.append(Decision(technique, rule, 0, (literal,), len(waiting) - place))
            uses, open_, true = self._uses[variable], self._open, self._true
            for number, positive in uses:
                open_[number] -= 1
                true[number] += positive == value
            for number, _ in uses:
                if self._is_clause[number] and (true[number] or open_[number] > 1):
                    continue
                forced = self._forced(number)
                if forced is None:
                    return number
                waiting += [(one, number) for one in forced]
            if variable <= self._num_edges and value:
                closing = self._join(variable - 1)
                if closing is None:
                    return _ONE_LOOP
                waiting += [(one, _ONE_LOOP) for one in closing]
        return None

    def _forced(self, number: int) -> list[int] | None:
        """Return the literals that a rule forces; ``None`` if it is broken."""
        rule, true, size = self.rules[number], self._true[number], self._open[number]
        allowed = rule.allowed >> true & (2 << size) - 1
        if not allowed:
            return None
        if size == 0 or (allowed != 1 and allowed != 1 << size):
            return []
        on = allowed != 1
        return [one if on else -one for one in rule.literals if self.values[abs(one)] is None]

    def _join(self, edge: int) -> list[int] | None:
        """Join two paths; return edges that can no longer be on, ``None`` if ``edge`` cannot."""
        board, ends = self.model.board, self._other_end
        one, other = board.ends(edge)
        first, last = ends[one], ends[other]
        if first == other and last == one and one != other:
            return [] if self._closes and self._is_all(one, closing=True) else None
        if last in self._mates and self._mates.get(first, last) != last:
            return None
        size, must = self._size, self._must
        for end in (first, last):
            self._undo.append((len(self._trail), end, ends[end], size[end], must[end]))
        ends[first], ends[last] = last, first
        if first != last:
            size[first] = size[last] = size[first] + size[last] + 1
            must[first] = must[last] = must[first] + must[last]
        excluded = self._excluded(first, last) + self._excluded(last, first)
        for beside in self._between.get((first, last), ()):
            if self.values[beside + 1] is None:
                closes = self._closes and self._is_all(first)
                excluded += [] if closes else [-1 - beside]
        return excluded

    def _excluded(self, here: int, start: int) -> list[int]:
        """Return edges by which a path from ``here`` would join ends of different pairs."""
        if start not in self._mates:
            return []
        board, excluded = self.model.board, []
        for edge in board.edges_at(here):
            end = self._other_end[sum(board.ends(edge)) - here]
            if end in self._mates and end not in (start, self._mates[start]):
                excluded.append(-1 - edge)
        return excluded

    def _is_all(self, end: int, *, closing: bool = False) -> bool:
        """Return whether the path with this end has all lines, and all vertices to be visited.

        While the path does not change, false stays false.
        """
        whole = self._size[end] + closing == self._drawn and self._must[end] == self._all_must
        self._is_whole |= whole
        return whole

    def _take_back(self, start: int) -> None:
        """Undo all assignments but the first ``start``."""
        while self._undo and self._undo[-1][0] > start:
            _, end, self._other_end[end], self._size[end], self._must[end] = self._undo.pop()
        while len(self._trail) > start:
            literal = self._trail.pop()
            variable, value = abs(literal), literal > 0
            self.values[variable] = None
            self._drawn -= value and variable <= self._num_edges
            for number, positive in self._uses[variable]:
                self._open[number] += 1
                self._true[number] -= positive == value


#: Results in place of the number of a rule: the rule of one loop or paths; a probe over its limit.
_ONE_LOOP, _LIMIT = -1, -3
#: Any number of literals.
_ALL = math.inf
