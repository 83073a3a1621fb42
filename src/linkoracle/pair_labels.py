"""Models of paths whose vertices know their pair: where nothing is compiled, far less is searched.

The plain engine finds only afterwards that a path joins the wrong terminals, hundreds of times on a
Numberlink of 10x10. With a number at each vertex, equal along each path, the SAT solver knows.
"""

from __future__ import annotations

from linkoracle.board.model import LinkModel


def with_pair_labels(model: LinkModel) -> LinkModel:
    """Return a model with the same solutions, in which vertices have the numbers of their pairs.

    The number of a vertex is binary, in auxiliary variables. Both terminals of a pair have that of
    the pair, and the ends of a chosen edge have the same. Models without several pairs stay as they
    are.

    >>> from linkoracle import Numberlink, plain
    >>> model = Numberlink([[1, None, 1], [2, None, 2]]).model
    >>> [*plain.solutions(with_pair_labels(model))] == [*plain.solutions(model)]
    True
    """
    if len(model.terminals) < 2 or model.loop or model.free_ends:
        return model
    board = model.board
    first = max(model.num_variables, board.num_edges + board.num_vertices) + 1
    bits = range((len(model.terminals) - 1).bit_length())

    def label(vertex: int) -> list[int]:
        return [first + vertex * len(bits) + bit for bit in bits]

    clauses: list[list[int]] = []
    for number, pair in enumerate(model.terminals):
        for vertex in pair:
            clauses += (
                [one if number >> bit & 1 else -one] for bit, one in enumerate(label(vertex))
            )
    for edge in range(board.num_edges):
        for one, other in zip(*map(label, board.ends(edge)), strict=True):
            clauses += [[-1 - edge, -one, other], [-1 - edge, one, -other]]
    return model.with_constraints(clauses=clauses)
