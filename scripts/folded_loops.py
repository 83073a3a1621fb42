"""Count the loops of a board that each of its symmetries maps to themselves.

A loop that a symmetry maps to itself can be folded. The result is a path, or a loop around the top
of a cone, on a part of the board.

* A mirror keeps two points of the loop, on its axis. On one side, a path runs between these points,
  which meets the axis nowhere else. So the loops are paths between two places, each pair of places
  once.
* A turn keeps no point of the loop, which runs around the centre (Brouwer: some point inside is
  fixed). A sector of the board, with its two sides glued together, is a cone. The loop becomes a
  loop on the cone that crosses the seam an odd number of times. So a pass goes over the sector, and
  the open ends at its sides must join to one loop.

By Burnside's lemma the mean over all eight symmetries of the square is the number of loops up to
symmetry. Loops that are alike up to shifts, too, are counted by their smallest rectangles. Take all
rectangles of up to n x n vertices. The number of loops that touch all four sides of one is a
difference of numbers of loops of smaller rectangles, and so is that of the loops which a symmetry
maps to themselves. In the sum over all rectangles nearly all of these cancel (`shift_classes`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product

from linkoracle.board import Lattice, LinkModel
from linkoracle.core import Deadline
from linkoracle.frontier import LEAST_WIDTH, count
from linkoracle.frontier.blank.board import BlankBoard, most_solutions
from linkoracle.frontier.blank.counting import enough_primes, from_residues, primes
from linkoracle.frontier.blank.passes import BlankPass, Tables
from linkoracle.frontier.running import Threads

#: The values of a plug: nothing, or the left or right end of a path.
Word = tuple[int, ...]


def loops_up_to_symmetry(side: int, *, turned: bool = False) -> int:
    """Count the loops of ``side`` x ``side`` vertices up to turns and mirrors.

    >>> [loops_up_to_symmetry(side) for side in (2, 3, 4)]
    [1, 4, 43]
    """
    every = count(LinkModel.blank_loop(Lattice(side, side)))
    fixed = (
        every
        + 2 * in_a_straight_mirror(side, side, turned=turned)
        + 2 * in_a_diagonal_mirror(side, turned=turned)
        + by_half_turns(side, side)
        + 2 * by_quarter_turns(side)
    )
    number, rest = divmod(fixed, 8)
    if rest:
        raise AssertionError("the loops fixed by all symmetries contradict Burnside's lemma")
    return number


# ---- mirrors ------------------------------------------------------------------------------------


def in_a_straight_mirror(rows: int, cols: int, *, turned: bool = False) -> int:
    """Count the loops fixed by a mirror that exchanges the left and right side.

    With ``turned``, count them on the other side of the axis.
    """
    if min(rows, cols) < 2:
        return 0
    lattice = Lattice(rows, cols // 2)
    column = 0 if turned else lattice.cols - 1
    return _paths(lattice, [lattice.cols * row + column for row in range(rows)], [], [])


def in_a_diagonal_mirror(side: int, *, turned: bool = False) -> int:
    """Count the loops fixed by a mirror between two opposite corners.

    A pass goes from the wide end of the triangle to its corner or, with ``turned``, the other way.
    """
    if side < 2:
        return 0
    lattice, places = Lattice(side, side), range(side)
    if turned:
        beyond = [side * row + col for row in places for col in range(side - 1 - row)]
        diagonal = [side * row + side - 1 - row for row in places]
    else:
        beyond = [side * row + col for row in places for col in range(row)]
        diagonal = [side * row + row for row in places]
    return _paths(lattice, diagonal, beyond, diagonal)


def _paths(
    lattice: Lattice, places: Sequence[int], holes: Sequence[int], closed: Sequence[int]
) -> int:
    """Count the paths between any two places of an axis, which looks the same from its other end.

    Paths meet no hole, and only their ends meet ``closed`` places.
    """
    total = 0
    for one, other in combinations(range(len(places)), 2):
        mirrored = len(places) - 1 - other, len(places) - 1 - one
        if mirrored < (one, other):
            continue
        ends = places[one], places[other]
        model = LinkModel.blank_paths(lattice, [ends]).with_holes(
            [*holes, *(place for place in closed if place not in ends)]
        )
        total += count(model) * (1 if mirrored == (one, other) else 2)
    return total


# ---- turns --------------------------------------------------------------------------------------


def by_quarter_turns(side: int) -> int:
    """Count the loops fixed by a turn by 90 degrees.

    The sector is a quarter of the board: for an odd side, without the centre, which no loop meets.
    Its right side is glued to its bottom, the outermost plugs together.
    """
    if side < 2:
        return 0
    rows, cols = side // 2, side - side // 2
    total = 0
    for word, ways in words_of(rows, cols, open_right=True).items():
        if side % 2 and word[rows]:
            continue
        glued = word[:rows] + word[cols:]
        if is_one_loop(glued, list(zip(range(rows), reversed(range(rows, 2 * rows)), strict=True))):
            total += ways
    return total


def by_half_turns(
    rows: int, cols: int, *, ranked: bool | None = None, other_primes: bool = False
) -> int:
    """Count the loops fixed by a turn by 180 degrees.

    The sector is the upper half of the board, with half of the middle row for an odd number of
    rows. A pass with ranks gives the numbers of words (``ranked``; by default from 3 columns), or
    `words_of`. With ``other_primes``, that pass is modulo primes not used before.

    >>> by_half_turns(5, 6), by_half_turns(6, 5)
    (206, 206)
    """
    if min(rows, cols) < 2:
        return 0
    fitting = list(_half_turn_words(rows, cols))
    if ranked is None:
        ranked = cols >= LEAST_WIDTH
    if not ranked:
        every = words_of(rows // 2, cols, open_right=False)
        return sum(every.get(word, 0) for word in fitting)
    bound = most_solutions(rows, cols)
    number = len(enough_primes(bound)) + 1
    first = number if other_primes else 0
    *taken, check = islice(primes(), first, first + number)
    found = from_residues([_numbers(rows, cols, fitting, prime) for prime in taken], taken)
    if found % check != _numbers(rows, cols, fitting, check):
        raise AssertionError("the residues of a count contradict each other")
    return found


def _numbers(rows: int, cols: int, fitting: list[Word], prime: int) -> int:
    """Return the sum of the numbers of some words after half of the rows, modulo a prime."""
    never = Deadline(None)
    tables = Tables(BlankBoard(rows, cols), 2, 1 << 40, never)
    going = BlankPass(tables, prime)
    with Threads(2) as threads:
        for _ in range(rows // 2):
            going.row(never, threads)
    ranks = tables.ranks(0)
    return sum(int(going.words[ranks.rank(word)]) for word in fitting) % prime


def _half_turn_words(rows: int, cols: int) -> Iterator[Word]:
    """Yield the words under the upper half that close to one loop around the centre.

    The loop does not run through the centre, so a plug in the middle column of an even number of
    rows is empty, and so is the edge in the middle of an odd one.
    """
    half = cols // 2
    opposite = [(place, cols - 1 - place) for place in range(half)]
    if rows % 2 == 0:
        for used in product((0, 1), repeat=half):
            arcs = [arc for arc, is_used in zip(opposite, used, strict=True) if is_used]
            for word in _nested(cols, sorted(place for arc in arcs for place in arc)):
                if is_one_loop(word, arcs):
                    yield word
        return
    # A vertex of the middle row, left of the centre, has two plugs: the one above it, and the
    # opposite one, which comes from below. Chains of edges between such vertices are arcs.
    for links in product((0, 1), repeat=max(half - 1, 0)):
        degrees = [sum(links[max(place - 1, 0) : place + 1]) for place in range(half)]
        choices = [
            {0: [(), opposite[place]], 1: [(end,) for end in opposite[place]], 2: [()]}[degree]
            for place, degree in enumerate(degrees)
        ]
        for plugs in product(*choices):
            arcs = list(_chained(plugs))
            for word in _nested(cols, sorted(place for arc in arcs for place in arc)):
                if is_one_loop(word, arcs):
                    yield word


def _chained(plugs: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, int]]:
    """Return the plugs that the middle row joins: both of a vertex, or those at a chain's ends."""
    begun: int | None = None
    for found in plugs:
        if len(found) == 2:
            yield found[0], found[1]
        elif found and begun is None:
            begun = found[0]
        elif found and begun is not None:
            yield begun, found[0]
            begun = None


def _nested(length: int, places: Sequence[int]) -> Iterator[Word]:
    """Yield all words with ends of paths at these places."""

    def extend(word: list[int], index: int, opened: int) -> Iterator[Word]:
        if index == len(places):
            yield tuple(word)
            return
        if opened < len(places) - index:
            word[places[index]] = 1
            yield from extend(word, index + 1, opened + 1)
        if opened:
            word[places[index]] = 2
            yield from extend(word, index + 1, opened - 1)
        word[places[index]] = 0

    if len(places) % 2 == 0:
        yield from extend([0] * length, 0, 0)


def is_one_loop(word: Word, arcs: Sequence[tuple[int, int]]) -> bool:
    """Return whether the paths of a word and the arcs form one loop, crossing the seam oddly often.

    Arcs whose plugs are both empty are not there. A plug in the right half lies beyond the seam.
    """
    mates: dict[int, int] = {}
    opened = []
    for place, plug in enumerate(word):
        if plug == 1:
            opened.append(place)
        elif plug == 2:
            mate = opened.pop()
            mates[place], mates[mate] = mate, place
    if sum(2 * place >= len(word) for place in mates) % 2 == 0:
        return False
    across: dict[int, int] = {}
    for one, other in arcs:
        if bool(word[one]) != bool(word[other]):
            return False
        across[one], across[other] = other, one
    start = place = next(iter(mates))
    length = 0
    while True:
        place = across[mates[place]]
        length += 2
        if place == start:
            return length == len(mates)


def words_of(rows: int, cols: int, *, open_right: bool) -> dict[Word, int]:
    """Count the words below a board of vertices and, with ``open_right``, at its right side.

    Words run from the left end of the bottom to its right end, then up the right side. Each comes
    with its number of ways. No loop is closed.

    >>> words_of(1, 2, open_right=False)
    {(0, 0): 1, (1, 2): 1}
    """
    layer: dict[Word, int] = {(0,) * cols: 1}
    for _ in range(rows):
        layer = {(0, *word): ways for word, ways in layer.items()}
        for col in range(cols):
            after: dict[Word, int] = {}
            for word, ways in layer.items():
                for child in _children(word, col):
                    after[child] = after.get(child, 0) + ways
            layer = after
        if not open_right:
            layer = {word[:cols]: ways for word, ways in layer.items() if not word[cols]}
    return layer


def _children(word: Word, col: int) -> Iterator[Word]:
    """Yield the words after a vertex whose left and upper plugs are at ``col`` and behind it."""
    left, above = word[col], word[col + 1]
    before, behind = word[:col], word[col + 2 :]
    if not left and not above:
        yield word
        yield (*before, 1, 2, *behind)
    elif not left or not above:
        plug = left or above
        yield (*before, plug, 0, *behind)
        yield (*before, 0, plug, *behind)
    elif (left, above) == (2, 1):
        yield (*before, 0, 0, *behind)
    elif left == above:
        joined = [*before, 0, 0, *behind]
        # The inner path's other end becomes the end of the joined one.
        place, step = (col + 1, 1) if left == 1 else (col, -1)
        depth = 1
        while depth:
            place += step
            depth += (word[place] == left) - (word[place] == 3 - left)
        joined[place] = left
        yield tuple(joined)
