"""Encode the parts of a certificate: numbers, cuts, the puzzle, the whole file.

`refuted` reads a proof again, for the formats of SAT solvers.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterable
from itertools import accumulate, combinations, islice
from typing import Any, NamedTuple

from linkoracle.board import Board, LinkModel, Shape, stated_edges
from linkoracle.certificates import verify_certificate as checker
from linkoracle.certificates.verify_certificate import VARIANTS, Clause
from linkoracle.certificates.verify_certificate import Board as CheckedBoard
from linkoracle.core import NoCertificate
from linkoracle.kinds import BUILT_IN, KINDS, Puzzle, annotation_names

#: The best settings for short numbers: no position bits, few literal context bits.
_COMPRESSION = {"id": lzma.FILTER_LZMA2, "lc": 2, "lp": 0, "pb": 0}


#: Most bits of a whole number that Python writes as text (4300 digits).
_MASK_BITS = 14_000


def record_of(puzzle: Puzzle | LinkModel) -> dict[str, Any]:
    """Return the puzzle or model as JSON, without anything else.

    A puzzle whose rules the verifier does not know is stated as its model. Raises `NoCertificate`
    for masks that are too long.
    """
    if isinstance(puzzle, LinkModel):
        return _record_of_model(puzzle)
    # Another class of this name may have other rules.
    own = puzzle.kind in BUILT_IN and type(puzzle) is KINDS[puzzle.kind]
    known = own and puzzle.variant in VARIANTS.get(puzzle.kind, ())
    on_rows = puzzle.tiling is None
    # Of lines through the cells of other boards, it knows the model only.
    known &= on_rows or not puzzle.through_cells
    if not known or any(annotation_names(puzzle, optional=True)):
        return _record_of_model(puzzle.model)
    if not on_rows:
        return _record_on_board(puzzle.faces, puzzle)
    rows = [list(row) for row in puzzle.grid]
    record: dict[str, Any] = {"kind": puzzle.kind, "variant": puzzle.variant, "grid": rows}
    for name in puzzle.annotations:
        if found := getattr(puzzle, name):
            record[name] = [list(item) for item in found]
    return record


def _record_on_board(board: Board, puzzle: Puzzle) -> dict[str, Any]:
    """Return the faces of the board, its edges that they do not say, and the clue of each face."""
    faces: dict[str, Any] = {
        "vertices": board.num_vertices,
        "faces": [list(board.walk(face)) for face in range(board.num_faces)],
    }
    if edges := stated_edges(board):
        faces["edges"] = edges
    clues = [*puzzle.clues]
    return {"kind": puzzle.kind, "variant": puzzle.variant, "board": faces, "clues": clues}


def _record_of_model(model: LinkModel) -> dict[str, Any]:
    """Return the board and all constraints; a face without a constraint has mask -1."""
    board = model.board
    sides = board.sides or bytes([2]) * board.num_vertices
    faces = [
        [-1 if mask == free else mask, *board.edges_of(face)]
        for face, (mask, free) in enumerate(zip(model.faces, board.free_masks, strict=True))
    ]
    counts = [[count.allowed, *count.literals] for count in model.counts]
    for what, masks in (("face", faces), ("count", counts)):
        for index, (mask, *_) in enumerate(masks):
            if mask.bit_length() > _MASK_BITS:
                raise NoCertificate(f"{what} {index} is too long for a certificate")
    return {
        "kind": "model",
        "variant": "loop" if model.loop else "paths",
        "vertices": board.num_vertices,
        "edges": [end for edge in range(board.num_edges) for end in board.ends(edge)],
        "sides": [(1, -1, 0)[side] for side in sides],
        "degrees": list(model.degrees),
        "pairs": [end for pair in model.terminals for end in pair],
        "faces": faces,
        "given": list(model.given),
        "forbidden": list(model.forbidden),
        "shapes": [_record_of_shape(model, shape) for shape in model.shapes],
        "counts": counts,
        "clauses": [list(clause) for clause in model.clauses],
    }


def _record_of_shape(model: LinkModel, shape: Shape) -> list[int]:
    """Return the vertex, and its allowed sets of edges, without those that its degree excludes.

    Each set is two numbers: -1 -1 for no edge, the same edge twice for one.
    """
    place = {edge: 1 << at for at, edge in enumerate(model.board.edges_at(shape.vertex))}
    record = [shape.vertex]
    for size in range(3):
        if model.degrees[shape.vertex] >> size & 1:
            for some in combinations(sorted(place), size):
                if shape.allowed >> sum(place[edge] for edge in some) & 1:
                    record += (*some, *some) if size == 1 else some or (-1, -1)
    return record


def number(value: int) -> bytes:
    """Encode a number in base 128, lowest digit first; 128 is added to all digits but the last."""
    digits = bytearray()
    while value >= 128:
        digits.append(value & 127 | 128)
        value >>= 7
    digits.append(value)
    return bytes(digits)


def rising(values: Iterable[int]) -> bytes:
    """Encode the number of values, and the difference of each from the one before, less 1."""
    steps, last = [], -1
    for value in values:
        steps.append(number(value - last - 1))
        last = value
    return number(len(steps)) + b"".join(steps)


def packed(text: bytes) -> bytes:
    """Compress; a window no larger than the text saves time, and memory in the verifier."""
    window = max(1 << 12, 1 << min(24, len(text).bit_length()))
    filters = [{**_COMPRESSION, "dict_size": window}]
    return lzma.compress(text, check=lzma.CHECK_CRC32, filters=filters)


class Cut(NamedTuple):
    """A cut as written: its vertices, its witnesses, and the cells whose clues it uses."""

    inside: set[int]
    witnesses: list[int]
    cells: set[int | None]

    def __bytes__(self) -> bytes:
        return rising(sorted(self.inside)) + b"".join(map(number, self.witnesses))


class CutWriter:
    """Finds the set of vertices and the witnesses of cuts on one board."""

    def __init__(self, board: CheckedBoard) -> None:
        self._board = board
        #: For each vertex the rules that require lines there, as numbers of witnesses.
        self._requiring: list[list[int]] = [[] for _ in board.around]
        for number, (edges, allowed, _) in enumerate(board.rules, start=len(board.edges) + 1):
            if min(allowed, default=0) > 0:
                for vertex in {vertex for edge in edges for vertex in board.edges[edge]}:
                    self._requiring[vertex].append(number)

    def cut_of(self, clause: Clause, vertices: Iterable[int]) -> Cut:
        """Return the cut with this clause around these vertices.

        For a single line, the complement is used if it is smaller, which makes the file shorter.
        """
        board, inside = self._board, set(vertices)
        if (board.loop or board.free) and 2 * len(inside) > len(board.around):
            inside = set(range(len(board.around))) - inside
        witnesses = self._witnesses(inside, [-literal for literal in clause if literal < 0])
        stated, cells = board.cut(inside, witnesses)
        if {*stated} != {*clause}:
            raise AssertionError("the search made an invalid cut")
        return Cut(inside, witnesses, cells)

    def _witnesses(self, inside: set[int], edges: list[int]) -> list[int]:
        """Return the witnesses of a cut around this set, edges of its clause if possible."""
        board = self._board
        if board.loop or board.free:
            return [self._witness(inside, side, edges) for side in (True, False)]
        if any(board.mate[end] not in inside for end in inside & board.mate.keys()):
            return [0, 0]
        return [self._witness(inside, True, edges), 0]

    def _witness(self, inside: set[int], side: bool, edges: list[int]) -> int:
        """Return the witness that lines reach this side: one of these edges, or a rule."""
        board = self._board
        for number in edges:
            if any((vertex in inside) is side for vertex in board.edges[number - 1]):
                return number
        found = self.requiring(inside, side=side)
        if found is None:
            raise AssertionError("a cut without a witness")
        return found

    def requiring(self, inside: set[int], *, side: bool) -> int | None:
        """Return the number of a rule that requires lines in a set, or outside it, as a witness."""
        board = self._board
        places = inside if side else (v for v in range(len(board.around)) if v not in inside)
        for place in places:
            for number in self._requiring[place]:
                if board.requires(number, inside, side):
                    return number
        return None


class Lemma(NamedTuple):
    """A clause, and the numbers, from 1, of the clauses that imply it, in the order of LRAT."""

    clause: Clause
    hints: tuple[int, ...]


def lines_of(numbers: Iterable[Clause]) -> str:
    """Return a line of text for each row of numbers."""
    return "".join(" ".join(map(str, row)) + "\n" for row in numbers)


def refuted(data: bytes) -> tuple[list[Clause], list[Lemma]]:
    """Return the contradictory clauses of a certificate, and its lemmas, numbered after them.

    Takes as long as its verification.
    """
    header, proof = checker.unpack(data)
    taut = header.get("taut", False)
    board = checker.Board(checker.Puzzle(header["puzzle"]), taut)
    numbers = checker.Numbers(proof)
    axioms = board.axioms(header["solutions"], taut)
    clauses = [next(islice(axioms, step, None))[0] for step in numbers.several()]
    for _ in range(*numbers.take(1)):
        inside = {last - 1 for last in accumulate(step + 1 for step in numbers.several())}
        clauses.append(board.cut(inside, numbers.take(2))[0])
    known = [frozenset(clause) for clause in clauses]
    lemmas = []
    for _ in range(*numbers.take(1)):
        chain = [len(known) - 1 - back for back in numbers.several()]
        lemma = known[chain[0]]
        for index in chain[1:]:
            against = {-x for x in known[index]} & lemma
            lemma = lemma - against | known[index] - {-x for x in against}
        # LRAT assumes a clause to be false. Each hint then implies one more literal, and the last
        # one is a contradiction: resolution in reverse.
        hints = tuple(index + 1 for index in reversed(chain))
        lemmas.append(Lemma(tuple(sorted(lemma, key=abs)), hints))
        known.append(lemma)
    if not lemmas:
        # The last clause is empty already.
        lemmas.append(Lemma((), (len(clauses),)))
    return [tuple(sorted(clause, key=abs)) for clause in clauses], lemmas
