"""What the verifier must not believe: changed bytes, other puzzles, forged cuts and claims."""

from __future__ import annotations

import lzma
import random

import pytest

from linkoracle import Numberlink, SimpleLoop, Slitherlink, certificate
from linkoracle.certificates import record_of
from linkoracle.certificates import verify_certificate as checker
from tests import brute_force
from tests.certificates.forging import Parts, holds, random_puzzle, repacked


def certified(rng: random.Random, most: int = 9):
    """A random puzzle with at most so many solutions, and its certificate."""
    while True:
        rows, cols = rng.choice([(2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 3)])
        puzzle = random_puzzle(rng, rows, cols)
        if len(brute_force.solutions(puzzle)) <= most:
            return puzzle, certificate(puzzle, limit=most)


def accepts(data: bytes) -> bool:
    """Whether a changed certificate is accepted; what is accepted must be true all the same."""
    try:
        own, number, _ = checker.verify(data)
    except checker.Refused:
        return False
    header, _ = checker.unpack(data)
    record = header["puzzle"]
    kinds = {"slitherlink": Slitherlink, "numberlink": Numberlink, "simpleloop": SimpleLoop}
    options = {"ends": record["ends"]} if "ends" in record else {}
    if own.kind == "numberlink":
        options["variant"] = own.variant
    puzzle = kinds[own.kind](record["grid"], **options)
    assert len(brute_force.solutions(puzzle)) == number
    return True


def changes(rng: random.Random, number: int, every: int) -> tuple[int, int]:
    """Changed certificates, one byte of each: how many there are, and how many are accepted."""
    tried = accepted = 0
    for _ in range(number):
        _, made = certified(rng)
        text = bytearray(lzma.decompress(made.data))
        for place in range(rng.randrange(every), len(text), every):
            before = text[place]
            text[place] = rng.choice([before ^ 1 << rng.randrange(8), rng.randrange(256)])
            if text[place] != before:
                tried += 1
                accepted += accepts(repacked(bytes(text)))
            text[place] = before
    return tried, accepted


def test_changed_bytes_are_refused_or_do_no_harm():
    tried, accepted = changes(random.Random(7), 20, 5)
    assert tried > 800
    # What is accepted makes the same claim, in another way, or a true one about another puzzle.
    assert accepted < tried // 10


@pytest.mark.heavy
def test_changed_bytes_of_two_hundred_certificates():
    tried, accepted = changes(random.Random(8), 200, 1)
    assert tried > 40_000
    assert accepted < tried // 10


def test_packed_bytes_that_change_are_refused():
    rng = random.Random(9)
    _, made = certified(rng)
    for place in range(len(made.data)):
        changed = bytearray(made.data)
        changed[place] ^= 1 << rng.randrange(8)
        try:
            proven = checker.verify(bytes(changed))
        except checker.Refused:
            continue
        # Of a stream of XZ nothing is spare, but for what says the same.
        assert proven[1:] == checker.verify(made.data)[1:]


def test_a_certificate_of_another_puzzle_is_refused():
    rng = random.Random(10)
    made = [certified(rng) for _ in range(15)]
    for puzzle, _ in made:
        essence = checker.Puzzle(record_of(puzzle))
        for other, one in made:
            same = essence.essence == checker.Puzzle(record_of(other)).essence
            assert holds(one.data, essence) == same


def test_numbers_of_a_numberlink_are_names():
    one = Numberlink([[1, None, 2], [1, None, 2]])
    renamed = Numberlink([[7, None, 3], [7, None, 3]])
    turned = Numberlink([[1, None, 1], [2, None, 2]])
    data = certificate(one).data
    assert holds(data, checker.Puzzle(record_of(renamed)))
    assert not holds(data, checker.Puzzle(record_of(turned)))


def forged(rng: random.Random, parts: Parts, vertices: int) -> Parts:
    """The same with one solution less, or more, and some attempt to hide it."""
    forgery = parts.copy()
    solutions = forgery.header["solutions"]
    del solutions[rng.randrange(len(solutions))]
    for _ in range(rng.randrange(1, 4)):
        what = rng.randrange(7)
        if what == 0 and forgery.cuts:
            inside, _ = rng.choice(forgery.cuts)
            inside[:] = sorted({*inside} ^ {rng.randrange(vertices)})
        elif what == 1 and forgery.cuts:
            _, witnesses = rng.choice(forgery.cuts)
            witnesses[rng.randrange(2)] = rng.randrange(4 * vertices)
        elif what == 2:
            size = rng.randrange(1, vertices)
            inside = sorted(rng.sample(range(vertices), size))
            witnesses = [rng.randrange(4 * vertices), rng.choice([0, rng.randrange(4 * vertices)])]
            forgery.cuts.insert(rng.randrange(len(forgery.cuts) + 1), (inside, witnesses))
        elif what == 3 and forgery.axioms:
            forgery.axioms.pop(rng.randrange(len(forgery.axioms)))
        elif what == 4 and forgery.axioms:
            place = rng.randrange(len(forgery.axioms))
            forgery.axioms[place:] = [index - 1 for index in forgery.axioms[place:]]
            forgery.axioms = sorted({max(index, 0) for index in forgery.axioms})
        elif what == 5 and forgery.lemmas:
            chain = rng.choice(forgery.lemmas)
            chain[:] = rng.sample(chain, max(len(chain) - 1, 0))
        elif forgery.lemmas:
            del forgery.lemmas[rng.randrange(len(forgery.lemmas))]
    if rng.random() < 0.3:
        forgery.header["taut"] = not forgery.header.get("taut", False)
    return forgery


def attempts(rng: random.Random, number: int) -> None:
    done = 0
    while done < number:
        puzzle, made = certified(rng)
        if not made.solutions:
            continue
        parts = Parts.of(made.data)
        for _ in range(25):
            done += 1
            assert not holds(forged(rng, parts, puzzle.lattice.num_vertices).packed()), puzzle


def test_no_forgery_hides_a_solution():
    attempts(random.Random(11), 600)


@pytest.mark.heavy
def test_no_forgery_of_ten_thousand_hides_a_solution():
    attempts(random.Random(12), 10_000)


def test_a_clause_that_always_holds_proves_nothing():
    """Resolution that drops both a literal and its negation would derive anything from it."""
    # All lines through the middle of this board may be there or not.
    board = checker.Board(checker.Puzzle(record_of(Slitherlink.blank(1, 2))))
    for number in range(1, len(board.edges) + 1):
        # The witness crosses the border of the set, so the clause has it and its negation.
        inside = {board.edges[number - 1][0]}
        clause, _ = board.cut(inside, [number, number])
        assert {number, -number} <= {*clause}
    for puzzle in (Slitherlink.blank(1, 1), Slitherlink.blank(1, 2)):
        made = Parts(
            {
                "format": checker.FORMAT,
                "version": checker.VERSION,
                "puzzle": record_of(puzzle),
                "solutions": [],
            }
        )
        edges = len(checker.Board(checker.Puzzle(record_of(puzzle))).edges)
        rng = random.Random(13)
        for _ in range(300):
            attempt = made.copy()
            attempt.axioms = sorted(rng.sample(range(12), rng.randrange(1, 6)))
            attempt.cuts = [([0], [rng.randint(1, edges), rng.randint(1, edges)])]
            count = len(attempt.axioms) + 1
            attempt.lemmas = [
                [rng.randrange(count + index) for _ in range(rng.randrange(1, 4))]
                for index in range(4)
            ]
            assert not holds(attempt.packed())


@pytest.mark.parametrize("side", [0, 1])
def test_witnesses_on_the_wrong_side_are_refused(side):
    """Each edge, clue and vertex as a witness of each side of a cut, where it is and is not."""
    puzzle = Slitherlink([[3, 2, None, 1], [None, 0, 2, None], [3, None, None, 3]])
    board = checker.Board(checker.Puzzle(record_of(puzzle)))
    everything = range(1, len(board.edges) + len(board.rules) + 1)
    good = [min(board.around[0]) + 1, max(board.around[-1]) + 1]
    refused = 0
    for seed in range(40):
        rng = random.Random(seed)
        inside = {0, *rng.sample(range(1, len(board.around) - 2), rng.randrange(1, 8))}
        if {0, board.beyond(good[0] - 1, 0)} - inside == set():
            continue
        for number in everything:
            witnesses = [*good]
            witnesses[side] = number
            there = number <= len(board.edges) and any(
                (vertex in inside) is (side == 0) for vertex in board.edges[number - 1]
            )
            if number > len(board.edges):
                edges, allowed, _ = board.rules[number - len(board.edges) - 1]
                away = [e for e in edges if all((v in inside) == side for v in board.edges[e])]
                there = len(away) < min(allowed)
            try:
                clause, _ = board.cut(inside, witnesses)
            except checker.Refused:
                refused += 1
                assert not there
            else:
                assert there
                assert number > len(board.edges) or -number in clause
    assert refused
    with pytest.raises(checker.Refused, match="no such witness"):
        board.cut({0}, [0, 1])
    with pytest.raises(checker.Refused, match="no such witness"):
        board.cut({0}, [1, len(everything) + 1])
