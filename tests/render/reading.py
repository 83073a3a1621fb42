"""Readers of pictures: the edges of a board that the lines of an SVG cover."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from linkoracle import Solution
from linkoracle.kinds import Puzzle, Slitherlink

SVG = "{http://www.w3.org/2000/svg}"


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def by_class(text: str, name: str) -> list[ElementTree.Element]:
    return [one for one in parsed(text).iter() if one.get("class") == name]


def segments(path: str) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Return the straight segments of path data made of M, H, V, L and Z."""
    found, here, start = [], (0.0, 0.0), (0.0, 0.0)
    for command, numbers in re.findall(r"([MHVLZ])([^MHVLZ]*)", path):
        values = [float(number) for number in numbers.split(",") if number]
        if command == "M":
            here = start = (values[0], values[1])
            continue
        there = start
        if command == "H":
            there = values[0], here[1]
        elif command == "V":
            there = here[0], values[0]
        elif command == "L":
            there = values[0], values[1]
        found.append((here, there))
        here = there
    return found


def edges(text: str, role: str, puzzle: Puzzle, cell: float, shift: float = 0.0) -> list[int]:
    """Return the edges that lines of this role cover, with repetition, in an untitled picture.

    ``shift`` is the shift of the lines in cells.
    """
    # Without texts, the board begins after the margin of half a cell.
    origin = 0.5 + shift + (0.0 if isinstance(puzzle, Slitherlink) else 0.5)
    found = []
    for element in by_class(text, role):
        for ends in segments(element.get("d")):
            (x, y), (x2, y2) = sorted(
                tuple(round(part / cell - origin) for part in end) for end in ends
            )
            count = abs(x2 - x) + abs(y2 - y)
            dx, dy = (x2 - x) // max(1, count), (y2 - y) // max(1, count)
            found += [
                puzzle.lattice.edge((y + i * dy, x + i * dx), (y + (i + 1) * dy, x + (i + 1) * dx))
                for i in range(count)
            ]
    return found


def is_solution(found: list[int], solution: Solution) -> bool:
    return sorted(found) == list(solution.edges)
