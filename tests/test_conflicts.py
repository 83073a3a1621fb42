"""The smallest contradiction with the last edit, against brute force over all sets of clues."""

from __future__ import annotations

import random
from itertools import combinations, islice

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linkoracle import Lattice, LinkModel, Numberlink, Session, Slitherlink, solve
from linkoracle.board.statements import statements
from linkoracle.boards import honeycomb
from linkoracle.core import source
from linkoracle.engines import StatementOracle
from linkoracle.kinds import KINDS
from linkoracle.kinds.checking import loops, random_puzzles
from tests import brute_force
from tests.strategies import numberlinks
from tests.test_session_kinds import LOOPS, lines

ROWS, COLS = 3, 3
#: Clues of every loop, and its edges.
CURVES = [(one.counts(), {*one.edges}) for one in loops(ROWS + 1, COLS + 1)]
CELLS = [(row, col) for row in range(ROWS) for col in range(COLS)]


def fits(held):
    """Whether a loop has these clues, and these edges on or off."""
    return any(
        all(
            counts[COLS * what[0] + what[1]] == value
            if isinstance(what, tuple)
            else (what in edges) == value
            for what, value in held.items()
        )
        for counts, edges in CURVES
    )


def far(what, cells):
    """How far a clue is from these cells, or its face; edges come after all clues."""
    if isinstance(what, int):
        return 1, what
    if len(what) == 1:
        return 0, what
    away = [(what[0] - row) ** 2 + (what[1] - col) ** 2 for row, col in cells]
    return 0, min(away, default=0), what


def smallest(held, fit, last, cells):
    """The smallest contradictory set with one of these, all of it needed, and the nearest."""
    order = sorted(held, key=lambda what: far(what, cells))
    found = None
    for size in range(len(order) + 1):
        for some in map(set, combinations(order, size)):
            if fit(some) or not all(fit(some - {one}) for one in some):
                continue
            if some & {*last}:
                return some
            found = some if found is None else found
    return found


@given(
    st.dictionaries(st.sampled_from(CELLS), st.integers(0, 4), min_size=2),
    st.dictionaries(st.integers(0, 23), st.booleans(), max_size=2),
    st.randoms(use_true_random=False),
)
@settings(max_examples=30, deadline=None)
def test_of_a_slitherlink(clues, edges, rng):
    held = {**clues, **edges}
    assume(not fits(held))
    last = [rng.choice(sorted(clues))]
    expected = smallest(held, lambda some: fits({one: held[one] for one in some}), last, last)
    found = set()
    for _ in range(2):
        # However the board came about, and whatever came before.
        order = rng.sample([*held], len(held))
        with Session(Slitherlink.blank(ROWS, COLS)) as session:
            for what in order:
                session.set({what: held[what]})
                if rng.random() < 0.5:
                    session.core()
            previews = []
            verdict = session.core(containing=last, preview=previews.append)
            assert verdict.core_minimal
            assert verdict.core_smallest
            assert {**verdict.core, **verdict.core_edges} == {one: held[one] for one in expected}
            assert [one for one in held if one in verdict.core] == [
                one for one in held if one in expected and one in clues
            ]
            (first,) = previews
            assert first.core_minimal
            assert not first.core_smallest
            assert not fits({**first.core, **first.core_edges})
            found.add(tuple(sorted(first.core)))
    assert len(found) == 1


def test_the_last_change_is_meant_unless_a_query_has_changes():
    with Session(Slitherlink([[3, 0, None], [None, None, None], [0, 0, None]])) as session:
        assert session.core().core == {(0, 0): 3, (0, 1): 0}
        session.set({(2, 2): 3})
        assert session.core().core == {(2, 1): 0, (2, 2): 3}
        assert session.core({(0, 2): 3}).core == {(0, 1): 0, (0, 2): 3}
        assert session.core(containing=[(0, 0)]).core == {(0, 0): 3, (0, 1): 0}
        session.set({(2, 0): None})
        # What is gone contradicts nothing: the smallest of all.
        assert session.core().core == {(0, 0): 3, (0, 1): 0}
        session.undo()
        assert session.core().core == {(2, 1): 0, (2, 2): 3}


def test_of_a_board_that_is_not_square():
    board = honeycomb(3, 3)
    clues = {0: 6, 1: 6, 3: 2, 7: 0, 8: 5}

    def fit(some):
        given = {face: clue for face, clue in clues.items() if (face,) in some}
        return solve(Slitherlink.on(board, given), engine="plain") is not None

    held = {(face,): clue for face, clue in clues.items()}
    with Session(Slitherlink.on(board, clues)) as session:
        for last in held:
            expected = smallest(held, fit, [last], [last])
            assert {*session.core(containing=[last]).core} == expected


@pytest.mark.parametrize("kind", LOOPS)
def test_of_one_loop_through_cells(kind):
    """What clues state together, of which some contradict each other whatever other cells hold."""
    rng = random.Random(kind)
    checked = 0
    for puzzle in islice(random_puzzles(KINDS[kind], 3, 3, 400, source(7, 0)), 60):
        clues = dict(puzzle.clue_cells())
        if not 2 <= len(clues) <= 7:
            continue
        every = statements(puzzle.model)
        with StatementOracle(puzzle.board) as oracle, Session(puzzle) as session:
            if oracle.contradiction(every) is None:
                continue

            def fit(some, puzzle=puzzle, clues=clues, every=every, oracle=oracle):
                gone = dict.fromkeys(clues.keys() - some)
                stated = statements(puzzle.with_clues(gone).model)
                both = {one: True for one in stated if one in every}
                return oracle.contradiction(both) is None

            last = [rng.choice(sorted(clues))]
            expected = smallest(clues, fit, last, last)
            found = session.core(containing=last)
            assert found.core_smallest
            assert {*found.core} == expected, (puzzle, last)
            checked += 1
        if checked == 6:
            return
    assert checked or KINDS[kind].every_cell or kind in ("simpleloop", "grandtour")


@given(numberlinks(), st.randoms(use_true_random=False))
@settings(max_examples=10, deadline=None)
def test_of_pairs(puzzle, rng):
    puzzle = puzzle.with_variant("free")
    clues = dict(puzzle.clue_cells())
    assume(len(clues) > 3 and not brute_force.solutions(puzzle))

    def fit(numbers):
        gone = {cell: None for cell, number in clues.items() if number not in numbers}
        return bool(brute_force.solutions(puzzle.with_clues(gone)))

    cell = rng.choice(sorted(clues))
    # In the order of the numbers' first cells.
    order = dict.fromkeys(clues.values())
    sizes = [size for size in range(1, 1 + len(order)) for some in combinations(order, size)
             if clues[cell] in some and not fit({*some})
             and all(fit({*some} - {one}) for one in some)]  # fmt: skip
    with Session(puzzle) as session:
        found = session.core(containing=[cell])
    assert found.core_smallest
    numbers = {*found.core.values()}
    assert not fit(numbers)
    assert all(fit(numbers - {one}) for one in numbers)
    if sizes:
        assert clues[cell] in numbers
        assert len(numbers) == sizes[0]


def test_json_lines_say_whether_it_is_the_smallest():
    answer = lines(
        {"op": "open", "session": "a", "kind": "slitherlink", "grid": ["30.", "...", "00."]},
        {"op": "set", "session": "a", "clues": [[2, 2, 3]]},
        {"op": "core", "session": "a"},
    )[2]
    assert answer["core"] == {"clues": [[2, 1, 0], [2, 2, 3]], "edges": []}
    assert answer["minimal"]
    assert answer["smallest"]


def test_pairs_as_numbers_come():
    with Session(Numberlink([[1, 2, 3], [2, 1, 3]])) as session:
        assert session.core(containing=[(0, 2)]).core == {
            (0, 0): 1,
            (0, 1): 2,
            (1, 0): 2,
            (1, 1): 1,
        }


def test_statements_are_those_of_one_loop():
    model = LinkModel.blank_paths(Lattice(2, 2), [(0, 3)])
    with pytest.raises(ValueError, match="a model of one loop"):
        statements(model)
