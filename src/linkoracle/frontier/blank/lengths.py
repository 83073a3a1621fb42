"""How many solutions of each length a blank board has, from passes with several weights.

A pass with the weight x gives the value at x of a polynomial: the sum, over all solutions, of x to
the power of how many vertices they leave out. All have an even number of them, or all an odd one,
because the lattice is bipartite. So values at some x**2 determine the polynomial.

Short solutions are few (`bounds.most_of_length`), and few primes give their numbers. They are
subtracted from the values modulo the other primes, so that fewer of these are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from linkoracle.frontier.blank.board import BlankBoard
from linkoracle.frontier.blank.bounds import most_of_length, most_solutions
from linkoracle.frontier.blank.counting import Question, Residue, check
from linkoracle.frontier.blank.primes import (
    enough_primes,
    polynomial_through,
    primes,
    with_residue,
)

#: The weight of the pass that checks the others.
_CHECK = 2


def lengths(board: BlankBoard) -> Question[dict[int, int]]:
    """How many solutions there are of each length, in edges, that there is.

    >>> from linkoracle.frontier.blank.counting import Runner
    >>> from linkoracle.frontier.running import finished
    >>> board = BlankBoard(4, 4)
    >>> finished(Runner(board).answer(lengths(board)))
    {4: 9, 6: 12, 8: 26, 10: 52, 12: 76, 14: 32, 16: 6}
    """
    work = _Lengths(board)
    return Question(board, "lengths", work.passes(), work.answer)


class _Lengths:
    """Which passes there are, and what follows from their residues."""

    def __init__(self, board: BlankBoard) -> None:
        self._board = board
        # A loop has as many vertices as edges, a path one more.
        every = board.height * board.width - bool(board.ends)
        if board.cover:
            shortest = longest = every
        else:
            shortest = (
                sum(abs(a - b) for a, b in zip(*board.ends, strict=True)) if board.ends else 4
            )
            longest = every - (every - shortest) % 2
        #: The longest first: the number of each is the coefficient of the next power of x**2.
        self._lengths = range(longest, shortest - 1, -2)
        #: All values have this power of x as a factor.
        self._odd = every - longest
        bounds = self._bounds()
        taken = enough_primes(max(bounds))
        #: Modulo each prime so many coefficients are not known from those before.
        self._rounds: list[tuple[int, int]] = []
        product = 1
        for prime in taken:
            terms = 1 + max(k for k, bound in enumerate(bounds) if bound >= product)
            self._rounds.append((prime, terms))
            product *= prime
        self._check_prime = next(islice(primes(), len(taken), None))

    def _bounds(self) -> list[int]:
        """A number for each length that its solutions do not exceed."""
        board = self._board
        sides = board.height, board.width
        every = most_solutions(*sides, cover=board.cover, ends=board.ends)
        loop = not board.ends
        return [min(every, most_of_length(*sides, length, loop=loop)) for length in self._lengths]

    def _weights(self, terms: int) -> Sequence[int]:
        return (0,) if self._board.cover else range(1, terms + 1)

    @property
    def _check_weight(self) -> int:
        return 0 if self._board.cover else _CHECK

    def passes(self) -> list[Residue]:
        jobs = [
            Residue(self._board, prime, weight)
            for prime, terms in self._rounds
            for weight in self._weights(terms)
        ]
        return [*jobs, Residue(self._board, self._check_prime, self._check_weight)]

    def answer(self, residues: list[int]) -> dict[int, int]:
        numbers, product = [0] * len(self._lengths), 1
        values = iter(residues)
        for prime, terms in self._rounds:
            weights = self._weights(terms)
            open_values = [
                (next(values) - self._value(numbers, weight, from_=terms))
                * pow(weight, -self._odd, prime)
                % prime
                for weight in weights
            ]
            places = [weight * weight for weight in weights]
            for power, residue in enumerate(polynomial_through(places, open_values, prime)):
                numbers[power] = with_residue(numbers[power], product, residue, prime)
            product *= prime
        value = self._value(numbers, self._check_weight)
        check(value % self._check_prime == next(values))
        found = zip(self._lengths, numbers, strict=True)
        return {length: number for length, number in sorted(found) if number}

    def _value(self, numbers: list[int], weight: int, *, from_: int = 0) -> int:
        """What solutions of some lengths add to the value at a weight."""
        left_out = (self._odd + 2 * power for power in range(len(numbers)))
        terms = zip(numbers[from_:], islice(left_out, from_, None), strict=True)
        total: int = sum(number * weight**vertices for number, vertices in terms)
        return total
