"""How many solutions of each length a blank board has, from passes with several weights.

A pass with the weight x gives the value at x of a polynomial: the sum, over all solutions, of x to
the power of how many vertices they leave out. All have an even number of them, or all an odd one,
because the lattice is bipartite. So values at some x**2 determine the polynomial.

Short solutions are few (`bounds.most_of_length`), and few primes give their numbers. They are
subtracted from the values modulo the other primes, so that fewer of these are needed.

Where the value at some x is known as a number, each term of the sum is at most that: a bound for
each length, and no pass has to give it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import chain, count, islice

from linkoracle.frontier.blank.board import BlankBoard
from linkoracle.frontier.blank.bounds import most_of_length, most_solutions
from linkoracle.frontier.blank.counting import Question, Residue, check, checked_number
from linkoracle.frontier.blank.primes import (
    enough_primes,
    polynomial_through,
    primes,
    with_residue,
)


def lengths(board: BlankBoard, values: Mapping[int, int] | None = None) -> Question[dict[int, int]]:
    """How many solutions there are of each length, in edges, that there is.

    ``values`` are answers of `value_at`, by their weights, that are known already.

    >>> from linkoracle.frontier.blank.counting import Runner
    >>> from linkoracle.frontier.running import finished
    >>> board = BlankBoard(4, 4)
    >>> finished(Runner(board).answer(lengths(board)))
    {4: 9, 6: 12, 8: 26, 10: 52, 12: 76, 14: 32, 16: 6}
    """
    work = _Lengths(board, values or {})
    return Question(board, "lengths", work.passes(), work.answer)


def value_at(board: BlankBoard, weight: int) -> Question[int]:
    """The sum, over all solutions, of a weight to the power of how many vertices they leave out.

    The weight is a whole number from 1.

    >>> from linkoracle.frontier.blank.counting import Runner
    >>> from linkoracle.frontier.running import finished
    >>> board = BlankBoard(3, 3)                # 4, 4 and 5 loops of 4, 6 and 8 of 9 vertices
    >>> finished(Runner(board).answer(value_at(board, 2)))
    170
    """
    terms = zip(_left_out(board), _bounds(board), strict=True)
    taken = enough_primes(sum(bound * weight**vertices for vertices, bound in terms))
    taken.append(next(islice(primes(), len(taken), None)))
    jobs = [Residue(board, prime, 0 if board.cover else weight) for prime in taken]
    return Question(board, f"value at {weight}", jobs, partial(checked_number, taken))


def _left_out(board: BlankBoard) -> range:
    """How many vertices solutions may leave out."""
    every = board.height * board.width
    if board.cover:
        return range(1)
    # A loop has as many vertices as edges, a path one more.
    shortest = 4
    if board.ends:
        shortest = 1 + sum(abs(a - b) for a, b in zip(*board.ends, strict=True))
    return range((every - shortest) % 2, every - shortest + 1, 2)


def _length(board: BlankBoard, left_out: int) -> int:
    """The edges of a solution that leaves out so many vertices."""
    return board.height * board.width - left_out - bool(board.ends)


def _bounds(board: BlankBoard) -> list[int]:
    """A number for each of `_left_out` that its solutions do not exceed."""
    sides, loop = (board.height, board.width), not board.ends
    every = most_solutions(*sides, cover=board.cover, ends=board.ends)
    return [
        min(every, most_of_length(*sides, _length(board, vertices), loop=loop))
        for vertices in _left_out(board)
    ]


class _Lengths:
    """Which passes there are, and what follows from their residues."""

    def __init__(self, board: BlankBoard, values: Mapping[int, int]) -> None:
        self._board, self._values = board, values
        #: The fewest first: the number of each is the coefficient of the next power of x**2.
        self._left_out = _left_out(board)
        bounds = [
            min([bound, *(value // weight**vertices for weight, value in values.items())])
            for vertices, bound in zip(self._left_out, _bounds(board), strict=True)
        ]
        taken = enough_primes(max(bounds))
        #: Modulo each prime so many coefficients are not known from those before.
        self._rounds: list[tuple[int, int]] = []
        product = 1
        for prime in taken:
            terms = 1 + max((k for k, bound in enumerate(bounds) if bound >= product), default=0)
            self._rounds.append((prime, terms))
            product *= prime
        self._check_prime = next(islice(primes(), len(taken), None))

    def _weights(self, terms: int) -> list[int]:
        """At which weights so many coefficients need values: first those that are known."""
        if self._board.cover:
            return [0]
        others = (weight for weight in count(1) if weight not in self._values)
        return list(islice(chain(self._values, others), terms))

    @property
    def _check_weight(self) -> int:
        """A weight other than 1, whose value is not known."""
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
            places = [weight * weight for weight in weights]
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
        """What solutions of some lengths add to the value at a weight."""
        terms = zip(numbers[from_:], self._left_out[from_:], strict=True)
        total: int = sum(number * weight**vertices for number, vertices in terms)
        return total
