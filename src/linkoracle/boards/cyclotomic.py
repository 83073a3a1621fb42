"""Exact complex numbers for Penrose tilings: sums of tenth roots of unity.

A number is ``a + b t + c t**2 + d t**3``, with four integers and ``t`` for a turn by 36 degrees.
Every corner of a Penrose tiling with edges of length 1 is such a number, and so are its multiples
by the golden ratio, ``t + 1 / t``.
"""

from __future__ import annotations

from math import cos, pi, sin

Number = tuple[int, int, int, int]

#: The golden ratio.
PHI = (1 + 5**0.5) / 2

ONE: Number = (1, 0, 0, 0)

#: The powers of ``t``, from the first to the third.
_POWERS = tuple(complex(cos(power * pi / 5), sin(power * pi / 5)) for power in (1, 2, 3))


def add(one: Number, other: Number) -> Number:
    """Return the sum."""
    return (one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3])


def negative(number: Number) -> Number:
    """Return the number turned by 180 degrees."""
    a, b, c, d = number
    return (-a, -b, -c, -d)


def turned(number: Number, turns: int) -> Number:
    """Return the number turned by 36 degrees, so many times.

    >>> turned(ONE, 1), turned(ONE, 4), turned(ONE, -2)
    ((0, 1, 0, 0), (-1, 1, -1, 1), (0, 0, 0, -1))
    """
    a, b, c, d = number
    for _ in range(turns % 10):
        a, b, c, d = -d, a + d, b - d, c + d
    return (a, b, c, d)


def grown(number: Number, times: int) -> Number:
    """Return the number multiplied by the golden ratio, so many times; negative: divided.

    >>> grown(ONE, 2) == add(grown(ONE, 1), ONE), grown(grown(ONE, 3), -3)
    (True, (1, 0, 0, 0))
    """
    # PHI is twice the cosine of 36 degrees, and its inverse twice that of 72.
    step = 1 if times > 0 else 2
    for _ in range(abs(times)):
        number = add(turned(number, step), turned(number, -step))
    return number


def value(number: Number) -> complex:
    """Return the complex number itself.

    >>> abs(value(grown(ONE, 2)) - PHI**2) < 1e-12
    True
    """
    a, b, c, d = number
    return a + b * _POWERS[0] + c * _POWERS[1] + d * _POWERS[2]
