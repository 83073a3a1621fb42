"""Reconstruct numbers from residues modulo primes, and polynomials from values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import prod

#: Sums of residues fit into 64 bits, and a product with a weight leaves two bits.
_PRIME_LIMIT = 1 << 62
#: Bases that make the Miller-Rabin test exact for all numbers below 2^64 (J. Sinclair,
#: 2011, https://miller-rabin.appspot.com).
_BASES = (2, 325, 9375, 28178, 450775, 9780504, 1795265022)


def is_prime(number: int) -> bool:
    """Return whether an odd number below 2^64 is prime.

    >>> [number for number in range(3, 30, 2) if is_prime(number)]
    [3, 5, 7, 11, 13, 17, 19, 23, 29]
    """
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in _BASES:
        power = pow(base, odd, number)
        if base % number == 0 or power in (1, number - 1):
            continue
        if all((power := power * power % number) != number - 1 for _ in range(twos - 1)):
            return False
    return True


def primes() -> Iterator[int]:
    """Yield the primes below 2^62, the largest first.

    >>> from itertools import islice
    >>> [(1 << 62) - prime for prime in islice(primes(), 3)]
    [57, 87, 117]
    """
    for number in range(_PRIME_LIMIT - 1, 2, -2):
        if is_prime(number):
            yield number


def enough_primes(bound: int) -> list[int]:
    """Return the largest primes whose product exceeds a bound.

    >>> len(enough_primes(2**62)), len(enough_primes(0))
    (2, 1)
    """
    found: list[int] = []
    for prime in primes():
        found.append(prime)
        if prod(found) > bound:
            break
    return found


def checked_primes(bound: int) -> list[int]:
    """Return `enough_primes`, and one more, whose residue checks a number."""
    return list(islice(primes(), len(enough_primes(bound)) + 1))


def from_residues(residues: Sequence[int], moduli: Sequence[int]) -> int:
    """Return the number below the product of the primes with these residues (Garner, 1959).

    >>> from_residues([2, 3, 2], [3, 5, 7])
    23
    """
    number, product = 0, 1
    for residue, prime in zip(residues, moduli, strict=True):
        number = with_residue(number, product, residue, prime)
        product *= prime
    return number


def with_residue(number: int, product: int, residue: int, prime: int) -> int:
    """Return the number below ``product * prime`` with given residues modulo both.

    The residue modulo ``product`` is ``number``. The prime must not divide ``product``.

    >>> with_residue(8, 15, 2, 7)
    23
    """
    return number + product * ((residue - number) * pow(product, -1, prime) % prime)


def polynomial_through(places: Sequence[int], values: Sequence[int], prime: int) -> list[int]:
    """Return the coefficients, lowest first, of the polynomial with these values modulo a prime.

    Newton's divided differences, O(n^2). The places must differ modulo the prime.

    >>> polynomial_through([1, 2, 3], [6, 11, 18], 101)
    [3, 2, 1]
    """
    differences = list(values)
    for order in range(1, len(places)):
        for k in range(len(places) - 1, order - 1, -1):
            change = differences[k] - differences[k - 1]
            differences[k] = change * pow(places[k] - places[k - order], -1, prime) % prime
    found = [0] * len(places)
    for k in range(len(places) - 1, -1, -1):
        # found * (x - place) + difference
        carried = differences[k]
        for power in range(len(places)):
            carried, found[power] = found[power], (carried - found[power] * places[k]) % prime
    return found
