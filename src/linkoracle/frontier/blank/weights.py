"""The number of solutions of each length on a blank board, from passes with several weights.

A pass with weight x gives the value at x of a polynomial: the sum, over all solutions, of x to the
power of their number of unused vertices. These numbers are all even or all odd if the board is
bipartite, as all are but cylinders with an odd number of vertices around. So values at some x**2
determine the polynomial; on these cylinders, values at some x.

There are few short solutions (`bounds.most_of_length`), so few primes suffice for their numbers.
They are subtracted from the values modulo the other primes, so that fewer values are needed.

If the value at some x is known as a number, each term of the sum is at most that: a bound for each
length, and a value that needs no pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import chain, count, islice

from linkoracle.frontier.blank.counting import (
    CountPlan,
    Residue,
    check,
    checked_number,
    checked_primes,
    polynomial_through,
    with_residue,
)
from linkoracle.frontier.blank.tracks import AnyBoard


def lengths(board: AnyBoard, values: Mapping[int, int] | None = None) -> CountPlan[dict[int, int]]:
    """Return the plan to count the solutions of each length in edges.

    ``values`` are known answers of `value_at`, by weight.

    >>> from linkoracle.frontier.blank.counting import Runner
    >>> from linkoracle.frontier.running import finished
    >>> from linkoracle.frontier.blank.board import BlankBoard
    >>> board = BlankBoard(4, 4)
    >>> finished(Runner(board).answer(lengths(board)))
    {4: 9, 6: 12, 8: 26, 10: 52, 12: 76, 14: 32, 16: 6}
    """
    work = _Lengths(board, values or {})
    return CountPlan(board, "lengths", work.passes(), work.answer)


def value_at(board: AnyBoard, weight: int) -> CountPlan[int]:
    """Return the plan for the sum over solutions of the weight to the power of unused vertices.

    The weight is a whole number from 1.

    >>> from linkoracle.frontier.blank.counting import Runner
    >>> from linkoracle.frontier.running import finished
    >>> from linkoracle.frontier.blank.board import BlankBoard
    >>> board = BlankBoard(3, 3)                # 4, 4 and 5 loops of 4, 6 and 8 of 9 vertices
    >>> finished(Runner(board).answer(value_at(board, 2)))
    170
    """
    terms = zip(_left_out(board), _bounds(board), strict=True)
    taken = checked_primes(sum(bound * weight**vertices for vertices, bound in terms))
    jobs = [Residue(board, prime, 0 if board.cover else weight) for prime in taken]
    return CountPlan(board, f"value at {weight}", jobs, partial(checked_number, taken))


def _left_out(board: AnyBoard) -> range:
    """Return the possible numbers of unused vertices of solutions."""
    if board.cover:
        return range(1)
    most, step = board.vertices - board.shortest, board.period
    return range(most % step, most + 1, step)


def _length(board: AnyBoard, left_out: int) -> int:
    """Return the number of edges of a solution with this number of unused vertices."""
    # A loop has as many vertices as edges, a path one more.
    return board.vertices - left_out - bool(board.ends)


def _bounds(board: AnyBoard) -> list[int]:
    """Return an upper bound for the number of solutions for each of `_left_out`."""
    every = board.most_solutions
    return [
        min(every, board.most_of_length(_length(board, vertices))) for vertices in _left_out(board)
    ]


class _Lengths:
    """The passes, and the coefficients from their residues."""

    def __init__(self, board: AnyBoard, values: Mapping[int, int]) -> None:
        self._board, self._values = board, values
        #: In increasing order: the count of each is the coefficient of the next power of x**2
        #: (or x).
        self._left_out = _left_out(board)
        bounds = [
            min([bound, *(value // weight**vertices for weight, value in values.items())])
            for vertices, bound in zip(self._left_out, _bounds(board), strict=True)
        ]
        *taken, self._check_prime = checked_primes(max(bounds))
        #: For each prime, the number of coefficients that earlier primes do not determine.
        self._rounds: list[tuple[int, int]] = []
        product = 1
        for prime in taken:
            terms = 1 + max((k for k, bound in enumerate(bounds) if bound >= product), default=0)
            self._rounds.append((prime, terms))
            product *= prime

    def _weights(self, terms: int) -> list[int]:
        """Return the weights needed for ``terms`` coefficients, known ones first."""
        if self._board.cover:
            return [0]
        others = (weight for weight in count(1) if weight not in self._values)
        return list(islice(chain(self._values, others), terms))

    @property
    def _check_weight(self) -> int:
        """Return a weight other than 1 whose value is not known."""
        return 0 if self._board.cover else next(k for k in count(2) if k not in self._values)

    def passes(self) -> list[Residue]:
        jobs = [
            Residue(self._board, prime, weight)
            for prime, terms in self._rounds
            for weight in self._weights(terms)
            if weight not in self._values
        ]
        return [*jobs, Residue(self._board, self._check_prime, self._check_weight)]

    def answer(self, residues: list[int]) -> dict[int, int]:
        numbers, product = [0] * len(self._left_out), 1
        found = iter(residues)
        odd = self._left_out[0]
        for prime, terms in self._rounds:
            weights = self._weights(terms)
            open_values = []
            for weight in weights:
                value = self._values[weight] if weight in self._values else next(found)
                # All values have this power of x as a factor.
                rest = (value - self._value(numbers, weight, from_=terms)) * pow(
                    weight, -odd, prime
                )
                open_values.append(rest % prime)
            places = [weight**self._board.period for weight in weights]
            for power, residue in enumerate(polynomial_through(places, open_values, prime)):
                numbers[power] = with_residue(numbers[power], product, residue, prime)
            product *= prime
        value = self._value(numbers, self._check_weight)
        check(value % self._check_prime == next(found))
        pairs = zip(self._left_out, numbers, strict=True)
        return {
            _length(self._board, vertices): number
            for vertices, number in reversed([*pairs])
            if number
        }

    def _value(self, numbers: list[int], weight: int, *, from_: int = 0) -> int:
        """Return the contribution of some lengths to the value at a weight."""
        terms = zip(numbers[from_:], self._left_out[from_:], strict=True)
        total: int = sum(number * weight**vertices for number, vertices in terms)
        return total
