"""Certificates taken apart, changed, and put together again; puzzles for which there are some."""

from __future__ import annotations

import json
import lzma
import random
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from linkoracle import Numberlink, Puzzle, SimpleLoop, Slitherlink
from linkoracle.certificates import verify_certificate as checker
from linkoracle.certificates.writing import number, rising
from tests import brute_force


def repacked(text: bytes) -> bytes:
    return lzma.compress(text, preset=0)


@dataclass
class Parts:
    """What a certificate says: header, axioms, cuts as (set, two witnesses), lemmas as chains."""

    header: dict[str, Any]
    axioms: list[int] = field(default_factory=list)
    cuts: list[tuple[list[int], list[int]]] = field(default_factory=list)
    lemmas: list[list[int]] = field(default_factory=list)

    @classmethod
    def of(cls, data: bytes) -> Parts:
        header, proof = checker.unpack(data)
        numbers = checker.Numbers(proof)

        def absolute(steps: list[int]) -> list[int]:
            found: list[int] = []
            for step in steps:
                found.append((found[-1] if found else -1) + step + 1)
            return found

        axioms = absolute(numbers.several())
        cuts = [(absolute(numbers.several()), numbers.take(2)) for _ in range(*numbers.take(1))]
        lemmas = [numbers.several() for _ in range(*numbers.take(1))]
        return cls(header, axioms, cuts, lemmas)

    def proof(self) -> bytes:
        proof = rising(self.axioms) + number(len(self.cuts))
        for inside, witnesses in self.cuts:
            proof += rising(inside) + b"".join(map(number, witnesses))
        proof += number(len(self.lemmas))
        for chain in self.lemmas:
            proof += number(len(chain)) + b"".join(map(number, chain))
        return proof

    def packed(self) -> bytes:
        return repacked(json.dumps(self.header).encode() + b"\n" + self.proof())

    def copy(self) -> Parts:
        return deepcopy(self)


def holds(data: bytes, puzzle: checker.Puzzle | None = None) -> bool:
    """Whether a certificate is verified. What is not `Refused` is a defect."""
    try:
        checker.verify(data, puzzle)
    except checker.Refused:
        return False
    return True


def random_puzzle(rng: random.Random, rows: int, cols: int) -> Puzzle:
    """A puzzle of any kind with few solutions, seldom none."""
    kind = rng.choice(["loop", "path", "numberlink", "numberlink", "simpleloop"])
    if kind == "simpleloop":
        curves = [frozenset(), *brute_force.closed_curves(rows - 1, cols - 1, None)]
        used = {cell for edge in rng.choice(curves) for cell in edge}
        cells = {(row, col) for row in range(rows) for col in range(cols)}
        return SimpleLoop.from_holes(rows, cols, cells - used)
    if kind == "numberlink" and rows * cols > 1:
        systems = [mate for _, mate, _ in brute_force.path_systems(rows, cols) if mate]
        mate = rng.choice(systems)
        cells = [cell for pair in mate.items() if pair[0] < pair[1] for cell in pair]
        if rng.random() < 0.2:
            rng.shuffle(cells)
        pairs = list(zip(cells[::2], cells[1::2], strict=True))
        return Numberlink.from_pairs(rows, cols, pairs, rng.choice(["free", "fill"]))
    ends = None
    if kind == "path":
        dots = [(row, col) for row in range(rows + 1) for col in range(cols + 1)]
        border = [dot for dot in dots if dot[0] in (0, rows) or dot[1] in (0, cols)]
        ends = tuple(sorted(rng.sample(border, 2)))
    curves = brute_force.closed_curves(rows, cols, ends)
    counts = brute_force.face_counts(rng.choice(curves), rows, cols)
    kept = rng.choice([0.5, 0.7, 0.9])
    clues = [count if rng.random() < kept else None for count in counts]
    if rng.random() < 0.2:
        clues[rng.randrange(len(clues))] = rng.randrange(4)
    return Slitherlink([clues[cols * row : cols * row + cols] for row in range(rows)], ends)
