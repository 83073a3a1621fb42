"""Counts with ranks: brute force, the other engine, published counts, every way a board can lie."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkoracle import boards
from linkoracle.board import ANY_COUNT, PASS, Board, Lattice, LinkModel
from linkoracle.core import Deadline, MemoryLimit, SearchTimeout
from linkoracle.frontier import Diagram, blank_board, count, finished, lengths, ranked_board
from linkoracle.frontier.blank import board as blank_module
from linkoracle.frontier.blank import counting, passes
from linkoracle.frontier.blank.board import (
    BlankBoard,
    count_words,
    most_of_length,
    most_solutions,
    orientations,
)
from linkoracle.frontier.blank.counting import (
    Runner,
    enough_primes,
    from_residues,
    is_prime,
    primes,
)
from linkoracle.frontier.blank.passes import BlankPass, Tables, in_folder
from linkoracle.frontier.blank.weights import value_at
from linkoracle.frontier.running import Threads
from linkoracle.frontier.sweep import Sweep
from tests import brute_force
from tests.frontier import reference
from tests.interrupting import ctrl_c

NEVER = Deadline(None)
PRIME = (1 << 61) - 1


def blank(rows: int, cols: int, ends: list[int], cover: bool) -> LinkModel:
    """A blank model: loops without ends, else paths between the two."""
    lattice = Lattice(rows, cols)
    if ends:
        return LinkModel.blank_paths(lattice, [ends], cover=cover)
    faces = bytes([ANY_COUNT]) * lattice.num_faces
    if cover:
        return LinkModel(lattice, bytes([PASS]) * lattice.num_vertices, faces, loop=True)
    return LinkModel.blank_loop(lattice)


def residue(board: BlankBoard, prime: int = PRIME, weight: int = 1, threads: int = 1) -> int:
    tables = Tables(board, threads, 1 << 30, NEVER)
    going = BlankPass(tables, prime, weight)
    with Threads(threads) as shared:
        for _ in range(board.height):
            going.row(NEVER, shared)
    return going.answer


def counted(board: BlankBoard, **limits) -> int:
    return finished(Runner(board, **limits).answer(counting.solutions(board)))


def by_length(board: BlankBoard) -> dict[int, int]:
    return finished(Runner(board).answer(lengths(board)))


def by_hash(model: LinkModel) -> int:
    """The twin: a pass with a hash table."""
    return finished(Sweep(model).count())


@st.composite
def blank_models(draw, largest: int):
    rows, cols = draw(st.integers(3, largest)), draw(st.integers(3, largest))
    vertices = st.integers(0, rows * cols - 1)
    ends = draw(st.one_of(st.just([]), st.lists(vertices, min_size=2, max_size=2, unique=True)))
    return blank(rows, cols, ends, draw(st.booleans()))


# ---- against brute force and the twin ------------------------------------------------------------


@pytest.mark.parametrize("cover", [False, True])
@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (3, 4)])
def test_every_pair_of_dots(rows: int, cols: int, cover: bool) -> None:
    """However the board lies."""
    for ends in [[], *map(list, combinations(range(rows * cols), 2))]:
        model = blank(rows, cols, ends, cover)
        number = len(brute_force.model_solutions(model))
        places = [divmod(vertex, cols) for vertex in ends]
        for board in orientations(rows, cols, cover, places):
            assert residue(board, weight=int(not cover)) == number, board
        assert number <= most_solutions(rows, cols, cover=cover, ends=places)


@given(blank_models(7), st.data())
@settings(max_examples=150, deadline=None)
def test_agrees_with_the_hash_table(model: LinkModel, data: st.DataObject) -> None:
    lattice = model.lattice
    board = blank_board(model)
    assert board is not None
    number = by_hash(model)
    assert counted(board) == number
    places = [divmod(vertex, lattice.cols) for pair in model.terminals for vertex in pair]
    assert number <= most_solutions(lattice.rows, lattice.cols, cover=board.cover, ends=places)
    cut = data.draw(st.integers(1, board.width - 2), "cut")
    block = data.draw(st.sampled_from([1, 7, 1 << 20]), "block")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BlankBoard, "cut", cut)
        patch.setattr(passes, "_BLOCK_WORDS", block)
        assert residue(board, weight=int(not board.cover)) == number % PRIME


@pytest.mark.parametrize("ends", [[], [0, 89], [14, 22], [13, 76]])
@pytest.mark.parametrize("cover", [False, True])
def test_a_wide_board_agrees_with_the_hash_table(ends: list[int], cover: bool) -> None:
    model = blank(10, 9, ends, cover)
    assert ranked_board(model) is not None
    assert count(model) == by_hash(model)


def test_threads_count_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "_BLOCK_WORDS", 1 << 8)
    for ends in ((), ((0, 0), (11, 11)), ((3, 4), (8, 8))):
        board = BlankBoard(12, 12, ends=ends)
        assert residue(board, threads=3) == residue(board)


def test_files_are_gone_through_in_few_blocks(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setattr(passes, "_BLOCK_WORDS", 1 << 8)
    board = BlankBoard(12, 12)
    in_files = Tables(board, 1, 1 << 30, NEVER, partial(in_folder, tmp_path))
    for ends in (False, True):
        assert len(in_files.blocks(0, ends)) == 1
        assert len(Tables(board, 1, 1 << 30, NEVER).blocks(0, ends)) > 9


# ---- published numbers ---------------------------------------------------------------------------


@pytest.mark.parametrize("sides", [sides for sides in reference.LOOPS if min(sides) > 1])
def test_loops(sides: tuple[int, int]) -> None:
    rows, cols = sides
    assert residue(BlankBoard(cols + 1, rows + 1)) == reference.LOOPS[sides] % PRIME
    # As wide as it is long is best, and the other way is right, too.
    assert residue(BlankBoard(rows + 1, cols + 1)) == reference.LOOPS[sides] % PRIME


@pytest.mark.parametrize("side", range(3, 9))
def test_hamiltonian_cycles(side: int) -> None:
    board = BlankBoard(side, side, cover=True)
    assert residue(board, weight=0) == reference.HAMILTONIAN_CYCLES.get(side, 0)


@pytest.mark.parametrize("side", [side for side in reference.CORNER_PATHS if side > 2])
def test_corner_paths(side: int) -> None:
    board = blank_board(LinkModel.blank_paths(Lattice(side, side), [(0, side * side - 1)]))
    assert board is not None
    assert counted(board) == reference.CORNER_PATHS[side]


# ---- by length -----------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [side for side in reference.CYCLES_BY_LENGTH if side > 2])
def test_cycles_by_length(side: int) -> None:
    """OEIS A302337."""
    found = by_length(BlankBoard(side, side))
    assert found == dict(enumerate_even(reference.CYCLES_BY_LENGTH[side]))


def enumerate_even(numbers: list[int]) -> list[tuple[int, int]]:
    return [(4 + 2 * k, number) for k, number in enumerate(numbers)]


@given(blank_models(5))
@settings(max_examples=60, deadline=None)
def test_lengths_are_those_of_the_diagram(model: LinkModel) -> None:
    board = blank_board(model)
    assert board is not None
    found = by_length(board)
    assert found == Diagram.build(model).by_length()
    assert list(found) == sorted(found)


def test_lengths_by_brute_force() -> None:
    for ends in ([0, 11], [0, 1], [5, 6], [1, 8]):
        model = blank(3, 4, ends, False)
        board = blank_board(model)
        assert board is not None
        lengths = Counter(len(edges) for edges in brute_force.model_solutions(model))
        assert by_length(board) == dict(lengths)


@given(blank_models(6))
@settings(max_examples=60, deadline=None)
def test_few_solutions_are_short(model: LinkModel) -> None:
    """Walks of one to three steps are counted, longer ones are pieces of these."""
    sides = model.lattice.rows, model.lattice.cols
    found = Diagram.build(model).by_length()
    for known in (3, len(blank_module._WALKS)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(blank_module, "_WALKS", blank_module._WALKS[:known])
            for length, number in found.items():
                assert number <= most_of_length(*sides, length, loop=model.loop)


def test_walks_are_counted() -> None:
    """OEIS A001411, by brute force; and bounds from shorter ones."""
    steps = ((0, 1), (1, 0), (0, -1), (-1, 0))
    walks = [((0, 0),)]
    for length in range(1, 9):
        walks = [
            (*walk, place)
            for walk in walks
            for down, across in steps
            if (place := (walk[-1][0] + down, walk[-1][1] + across)) not in walk
        ]
        assert blank_module._WALKS[length - 1] == blank_module._most_walks(length) == len(walks)
        for known in range(1, length):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(blank_module, "_WALKS", blank_module._WALKS[:known])
                assert len(walks) <= blank_module._most_walks(length) <= 4 * 3 ** (length - 1)
    # A walk can be cut into two, and the second part has three steps to begin with.
    for one, two in combinations(range(len(blank_module._WALKS)), 2):
        both = one + two + 1
        if both < len(blank_module._WALKS):
            assert (
                blank_module._WALKS[both]
                <= blank_module._WALKS[one] * blank_module._WALKS[two] // 4 * 3
            )


def test_short_lengths_need_fewer_primes() -> None:
    board = BlankBoard(12, 12)
    plan = lengths(board)
    passes_of = Counter(job.prime for job in plan.passes)
    assert [*passes_of.values()] == [71, 51, 1]
    found = finished(Runner(board).answer(plan))
    assert sum(found.values()) == reference.LOOPS[11, 11]
    for length, number in found.items():
        assert number <= most_of_length(12, 12, length, loop=True)


@given(blank_models(5), st.sets(st.integers(1, 4), max_size=3))
@settings(max_examples=60, deadline=None)
def test_lengths_from_known_values(model: LinkModel, weights: set[int]) -> None:
    board = blank_board(model)
    assert board is not None
    every = board.height * board.width
    numbers = by_length(board)
    values = {}
    for weight in sorted(weights):
        values[weight] = finished(Runner(board).answer(value_at(board, weight)))
        assert values[weight] == sum(
            number * weight ** (every - length - bool(board.ends))
            for length, number in numbers.items()
        )
    plan = lengths(board, values)
    assert finished(Runner(board).answer(plan)) == numbers
    assert len(plan.passes) <= len(lengths(board).passes)
    assert board.cover or values.keys().isdisjoint(job.weight for job in plan.passes)


def test_known_values_take_the_place_of_passes() -> None:
    board = BlankBoard(13, 13)
    values = {k: finished(Runner(board).answer(value_at(board, k))) for k in (1, 2)}
    assert values[1] == reference.LOOPS[12, 12]
    plan = lengths(board, values)
    # Two fewer for each prime, and of the third prime none, than without these values.
    assert [*Counter(job.prime for job in plan.passes).values()] == [81, 58, 1]
    residues = finished(Runner(board).residues(plan.passes))
    assert sum(plan.answer(residues).values()) == values[1]
    wrong = lengths(board, {**values, 2: values[2] + 4})
    with pytest.raises(AssertionError, match="contradict each other"):
        wrong.answer(residues)


# ---- what is blank -------------------------------------------------------------------------------


def test_other_models_are_not_blank() -> None:
    lattice = Lattice(10, 10)
    model = LinkModel.blank_loop(lattice)
    pairs = LinkModel.blank_paths(lattice, [(0, 1), (2, 3)])
    faces = (0b01000, *model.faces[1:])
    ruled = LinkModel(lattice, model.degrees, faces, loop=True)
    mixed = LinkModel(lattice, bytes([PASS]) + model.degrees[1:], model.faces, loop=True)
    for other in (
        model.with_edges(given=[3]),
        model.with_edges(forbidden=[3]),
        model.with_holes([0]),
        pairs,
        LinkModel.blank_paths(lattice, []),
        ruled,
        mixed,
        # One more constraint, and other boards.
        model.with_constraints(counts=[model.count_of_edges()]),
        LinkModel.blank_loop(boards.kagome(12, 12)),
        LinkModel.blank_loop(Board(3, [(0, 1), (1, 2), (0, 2)], [(0, 1, 2)])),
    ):
        assert blank_board(other) is None
        assert ranked_board(other) is None
    assert ranked_board(model) == BlankBoard(10, 10)
    assert blank_board(LinkModel.blank_loop(Lattice(40, 40))) is None
    assert blank_board(LinkModel.blank_loop(Lattice(2, 40))) is None


def test_a_board_lies_so_that_it_takes_little() -> None:
    corners = blank_board(LinkModel.blank_paths(Lattice(9, 12), [(8 * 12, 11)]))
    assert corners == BlankBoard(12, 9, ends=((0, 0), (11, 8)))
    assert corners.phases == [(1, 107)]
    row = blank_board(LinkModel.blank_paths(Lattice(9, 9), [(2, 5)]))
    assert row is not None
    assert [labels for labels, _ in row.phases] == [0, 1, 2]
    assert row.phases[0][1] > 70


@pytest.mark.parametrize("outside", [False, True])
def test_numbers_of_words(outside: bool) -> None:
    for width in (3, 4, 7):
        for labels in range(3):
            ranks = passes.Ranks(width, 1, labels, outside, 1 << 24, NEVER)
            assert ranks.words == count_words(width, labels, outside)
            assert ranks.corners == count_words(width - 1, labels, outside)


@given(st.integers(3, 7), st.data())
@settings(max_examples=40, deadline=None)
def test_ranks_have_no_gap(width: int, data: st.DataObject) -> None:
    """Every word has a rank of its own, and what is no word has none."""
    cut = data.draw(st.integers(1, width - 2), "cut")
    labels = data.draw(st.integers(0, 2), "labels")
    outside = data.draw(st.booleans(), "outside")
    ranks = passes.Ranks(width, cut, labels, outside, 1 << 24, NEVER)
    found = []
    for code in np.ndindex(*[4] * width):
        depth, fits = 0, code.count(3) == labels
        for symbol in code:
            depth += (symbol == 1) - (symbol == 2)
            fits = fits and depth >= 0 and not (outside and symbol == 3 and depth)
        rank = ranks.rank(code)
        if fits and depth == 0:
            found.append(rank)
        else:
            assert rank == -1
    assert sorted(found) == list(range(ranks.words))


# ---- primes --------------------------------------------------------------------------------------


def test_primes() -> None:
    small = [number for number in range(3, 2000, 2) if is_prime(number)]
    assert small == [
        number
        for number in range(3, 2000, 2)
        if all(number % other for other in range(3, int(number**0.5) + 1, 2))
    ]
    # Strong pseudoprimes to several bases.
    assert not any(map(is_prime, (3215031751, 3474749660383, 341550071728321)))
    assert next(primes()) == (1 << 62) - 57


@given(st.integers(0, 1 << 300))
def test_residues_give_the_number_back(number: int) -> None:
    taken = enough_primes(number)
    assert from_residues([number % prime for prime in taken], taken) == number


@pytest.mark.parametrize("make_plan", [counting.solutions, lengths])
@pytest.mark.parametrize("cover", [False, True])
@pytest.mark.parametrize("side", [9, 10])
def test_a_residue_that_is_wrong_is_noticed(make_plan, cover: bool, side: int) -> None:
    plan = make_plan(BlankBoard(side, side, cover=cover))
    right = finished(Runner(plan.board).residues(plan.passes))
    plan.answer(right)
    for wrong in range(len(right)):
        changed = list(right)
        changed[wrong] ^= 1
        with pytest.raises(AssertionError, match="contradict"):
            plan.answer(changed)


# ---- limits --------------------------------------------------------------------------------------


def test_memory_is_known_before_it_is_taken() -> None:
    board = BlankBoard(12, 12)
    assert board.bytes == 8 * (count_words(12, 0, False) + count_words(11, 0, False))
    with pytest.raises(MemoryLimit, match=r"11x11 cells needs 170 kB of memory \(limit: 100 kB\)"):
        Runner(board, memory=100_000)
    with pytest.raises(MemoryLimit, match="the tables of a pass"):
        counted(board, memory=board.bytes + 1000)
    assert counted(board, memory=2_000_000) == reference.LOOPS[11, 11]


@pytest.mark.parametrize("ends", [(), ((4, 4), (9, 9))])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_time_limit_ends_every_part(ends, threads: int) -> None:
    """The tables of wide boards, and the steps of all threads."""
    for seconds in (0.05, 0.4):
        board = BlankBoard(19 if not ends else 16, 19 if not ends else 16, ends=ends)
        deadline = Deadline(seconds)
        with pytest.raises(SearchTimeout):
            counted(board, threads=threads, deadline=deadline)


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_all_threads(threads: int) -> None:
    with ctrl_c(after=0.7, within=0.5):
        counted(BlankBoard(18, 18), threads=threads)


def test_arguments_are_checked() -> None:
    for bad in [(2, 1, 0), (32, 9, 0), (5, 0, 0), (5, 4, 0), (5, 2, 3), (5, 2, -1)]:
        with pytest.raises(ValueError, match="expected"):
            passes.Ranks(*bad, False, 1 << 24, NEVER)
    ranks = passes.Ranks(5, 2, 0, False, 1 << 24, NEVER)
    zeros = [np.zeros(size, dtype=np.uint64) for size in (ranks.words, ranks.corners, 1)]
    good = {
        "ends": False,
        "first": 0,
        "last": 4,
        "column": 0,
        "until": 5,
        "loop": True,
        "depth": 1,
        "deadline": NEVER,
    }
    numbers = passes.PassNumbers(*zeros, PRIME, 1)
    ranks.step(numbers, **good)
    for wrong in (
        {"first": 4},
        {"last": 5},
        {"column": 6},
        {"until": 6},
        {"column": -1},
    ):
        with pytest.raises(ValueError, match="expected"):
            ranks.step(numbers, **(good | wrong))
    for wrong in ({"prime": 1 << 62}, {"prime": 1}, {"weight": PRIME}):
        with pytest.raises(ValueError, match="expected"):
            ranks.step(numbers._replace(**wrong), **good)
    for index in range(3):
        short = list(zeros)
        short[index] = np.zeros(zeros[index].size + 1, dtype=np.uint64)
        with pytest.raises(ValueError, match="expected"):
            ranks.step(passes.PassNumbers(*short, PRIME, 1), **good)
    for codes in ([0] * 4, [0, 0, 4, 0, 0], [0, 0, -1, 0, 0]):
        with pytest.raises(ValueError, match="each place"):
            ranks.rank(codes)
    after = passes.Ranks(5, 2, 2, False, 1 << 24, NEVER)
    with pytest.raises(ValueError, match="one more label"):
        ranks.meet(numbers, after, zeros[0], column=0, deadline=NEVER)
    after = passes.Ranks(5, 2, 1, False, 1 << 24, NEVER)
    with pytest.raises(ValueError, match="for each word"):
        ranks.meet(numbers, after, zeros[0], column=0, deadline=NEVER)
    with pytest.raises(ValueError, match="column"):
        ranks.meet(numbers, None, None, column=5, deadline=NEVER)


def test_a_stopped_pass_ends_early() -> None:
    tables = Tables(BlankBoard(9, 9), 1, 1 << 24, NEVER)
    tables.ranks(0).stop(True)
    going = BlankPass(tables, PRIME)
    before = going.words.tolist()
    going.row(NEVER)
    assert going.words.tolist() == before


@pytest.mark.parametrize(("seconds", "error"), [(None, KeyboardInterrupt), (1e-9, SearchTimeout)])
def test_a_pass_that_is_not_run_to_its_end_is_closed(seconds, error):
    """While the error is looked at, too, which holds on to the pass."""
    closed = []

    def steps():
        try:
            for done in range(3):
                yield done, 3, 1
        finally:
            closed.append(True)

    def progress(words, share):
        raise KeyboardInterrupt

    work = steps()
    deadline = Deadline(seconds)
    with pytest.raises(error):
        finished(work, deadline, progress)
    assert closed
