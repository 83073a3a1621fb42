"""Exact complex numbers for tilings that do not repeat: sums of roots of unity.

A number is ``a + b t + c t**2 + d t**3``, with four integers and ``t`` for a turn by 36 degrees
(order 10, for Penrose tilings), or by 30 degrees (order 12, for spectres). Corners are such numbers
if edges have length 1. Order 10 includes multiples by the golden ratio, ``t + 1 / t``.
"""

from __future__ import annotations

from math import cos, pi, sin

Number = tuple[int, int, int, int]

#: The golden ratio.
PHI = (1 + 5**0.5) / 2

ZERO: Number = (0, 0, 0, 0)
ONE: Number = (1, 0, 0, 0)

#: The fourth power of ``t`` as a number, by order.
_FOURTH: dict[int, Number] = {10: (-1, 1, -1, 1), 12: (-1, 0, 1, 0)}
#: The powers of ``t`` as complex numbers, by order.
_POWERS = {
    order: tuple(
        complex(cos(2 * power * pi / order), sin(2 * power * pi / order)) for power in (1, 2, 3)
    )
    for order in _FOURTH
}


def add(one: Number, other: Number) -> Number:
    """Return the sum."""
    return (one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3])


def negative(number: Number) -> Number:
    """Return the number turned by 180 degrees."""
    a, b, c, d = number
    return (-a, -b, -c, -d)


def turned(number: Number, turns: int, order: int = 10) -> Number:
    """Return the number turned by ``turns`` times one ``order``-th of a full turn.

    >>> turned(ONE, 1), turned(ONE, 4), turned(ONE, -2)
    ((0, 1, 0, 0), (-1, 1, -1, 1), (0, 0, 0, -1))
    >>> turned(ONE, 4, 12)
    (-1, 0, 1, 0)
    """
    a, b, c, d = number
    one, first, second, third = _FOURTH[order]
    for _ in range(turns % order):
        a, b, c, d = d * one, a + d * first, b + d * second, c + d * third
    return (a, b, c, d)


def conjugate(number: Number, order: int = 10) -> Number:
    """Return the mirror image in the real axis.

    >>> conjugate(turned(ONE, 3, 12), 12) == turned(ONE, -3, 12)
    True
    """
    found = ZERO
    for power, count in enumerate(number):
        a, b, c, d = turned(ONE, -power, order)
        found = add(found, (count * a, count * b, count * c, count * d))
    return found


def grown(number: Number, times: int) -> Number:
    """Return a number of order 10 times the golden ratio to the power ``times``.

    >>> grown(ONE, 2) == add(grown(ONE, 1), ONE), grown(grown(ONE, 3), -3)
    (True, (1, 0, 0, 0))
    """
    # PHI is twice the cosine of 36 degrees, and its inverse twice that of 72.
    step = 1 if times > 0 else 2
    for _ in range(abs(times)):
        number = add(turned(number, step), turned(number, -step))
    return number


def value(number: Number, order: int = 10) -> complex:
    """Return the complex number itself.

    >>> abs(value(grown(ONE, 2)) - PHI**2) < 1e-12
    True
    """
    a, b, c, d = number
    first, second, third = _POWERS[order]
    return a + b * first + c * second + d * third
