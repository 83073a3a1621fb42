"""Graders: every form of an answer that is right, wrong ones, and any text."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkoracle import Slitherlink, boards, draw, read, solutions, solve
from linkoracle.board import Solution
from linkoracle.dataset import DataSet, StepGrader, score
from linkoracle.generate import made_kinds

Record = dict[str, Any]


def triple(kind: str) -> list[Record]:
    size = "7x7" if kind == "grandtour" else "6x6"
    data = DataSet([kind], [size], seed=1)
    return next(filter(None, (data.triple(kind, size, number) for number in range(20))))


TRIPLES = {kind: triple(kind) for kind in ("slitherlink", "masyu", "numberlink", "countryroad")}


def forms(record: Record) -> dict[str, Any]:
    """Return the solution of a record in the forms that models write."""
    puzzle = read(record["puzzle"])
    walks = record["solutions"][0]["paths"]
    solution = Solution.from_paths(puzzle.board, [[*map(tuple, walk)] for walk in walks])
    lines = [[[*puzzle.board.vertex_name(v)] for v in puzzle.board.ends(e)] for e in solution]
    named = [[f"r{row + 1}c{col + 1}" for row, col in line] for line in lines]
    steps = {(down - row, right - col) for (row, col), (down, right) in map(sorted, lines)}
    drawing = record["solutions"][0]["drawing"]
    forms = {
        "drawing": drawing,
        "fenced": f"I think so:\n```text\n{drawing}\n```\nThis is the only solution.",
        "ascii": draw(puzzle, solution, ascii_only=True),
        "paths": walks,
        "members": json.dumps({"status": "unique", "paths": walks}),
        "edges": lines,
        "edges in words": ", ".join(map("-".join, named)),
        "named edges": named,
        "tuples": "; ".join(" ".join(str(tuple(place)) for place in walk) for walk in walks),
    }
    if not steps <= {(0, 1), (1, 0)}:
        # Letters and moves have no diagonals; ASCII draws no crossings.
        return {name: form for name, form in forms.items() if name != "ascii"}
    arms = [["" for _ in range(puzzle.lattice.cols)] for _ in range(puzzle.lattice.rows)]
    for (row, col), (down, right) in map(sorted, lines):
        arms[row][col] += "e" if row == down else "s"
        arms[down][right] += "w" if row == down else "n"
    bits = {"n": 1, "w": 2, "e": 4, "s": 8}
    signs = "·╵╴┘╶└─┴╷│┐┤┌├┬┼"
    ways = {(0, 1): "R", (0, -1): "L", (1, 0): "D", (-1, 0): "U"}
    moves = [
        f"r{walk[0][0] + 1}c{walk[0][1] + 1} "
        + "".join(ways[after[0] - at[0], after[1] - at[1]] for at, after in pairwise(walk))
        for walk in walks
    ]
    return {
        **forms,
        "letters": "\n".join(" ".join(cell or "-" for cell in row) for row in arms),
        "signs": "\n".join("".join(signs[sum(map(bits.get, one))] for one in row) for row in arms),
        "moves": "\n".join(moves),
    }


@pytest.mark.parametrize("kind", made_kinds())
def test_all_forms_of_a_right_answer(kind: str) -> None:
    record, none, two = TRIPLES.get(kind) or triple(kind)
    for name, answer in forms(record).items():
        if (kind, name) == ("midloop", "ascii"):
            # Dots hide whether a line passes, and signs of places do not tell.
            continue
        assert score(record, answer).right, name
        assert not score(none, answer).right
        # One drawing does not say that there are two solutions.
        assert not score(two, answer).right
    both = {"solutions": [one["paths"] for one in two["solutions"]]}
    assert score(two, both).right
    assert not score(two, {"solutions": both["solutions"][:1]}).right


@pytest.mark.parametrize("kind", TRIPLES)
def test_wrong_answers_and_their_first_fault(kind: str) -> None:
    record = TRIPLES[kind][0]
    if record["wrong"]["drawing"]:
        wrong = score(record, record["wrong"]["drawing"])
        assert not wrong.right
        assert wrong.understood
        assert 0 < wrong.share < 1
        assert wrong.first_wrong.endswith(("is no line of the solution", "is missing"))
    walk, *others = record["solutions"][0]["paths"]
    short = score(record, [walk[:-1], *others])
    assert short.first_wrong.endswith("is missing")
    assert 0.5 < short.share < 1


CLAIMS = {
    "none": (
        "There is no solution.",
        "None",
        "Answer: unsolvable",
        '{"status": "no solution"}',
        "I tried all ways.\n\nThe puzzle cannot be solved.",
    ),
    "two": ("There are two solutions.", "It has several solutions", '{"answer": "not unique"}'),
    "unique": ("It has exactly one solution.", "unique"),
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_claims(claim: str) -> None:
    parts = dict(zip(("unique", "none", "two"), TRIPLES["slitherlink"], strict=True))
    for text in CLAIMS[claim]:
        for status, record in parts.items():
            found = score(record, text)
            assert found.claim == claim, text
            assert found.claim_right == (claim == status)
            # That a puzzle has one solution is not yet the solution.
            assert found.right == (claim == status != "unique")


def test_thoughts_are_not_claims() -> None:
    """What a model says on its way does not count, nor words that are parts of others."""
    record = TRIPLES["slitherlink"][0]
    drawing = record["solutions"][0]["drawing"]
    text = "So r1c1 is impossible, there is no solution with it." + " More." * 80
    assert score(record, f"{text}\n```\n{drawing}\n```").right
    assert not score(record, text).understood


def test_numbers_and_insides() -> None:
    record = TRIPLES["numberlink"][0]
    puzzle = read(record["puzzle"])
    numbers = [["0"] * puzzle.cols for _ in range(puzzle.rows)]
    for walk in record["solutions"][0]["paths"]:
        number = puzzle.grid[walk[0][0]][walk[0][1]]
        for row, col in walk:
            numbers[row][col] = str(number)
    answer = "\n".join(map(" ".join, numbers))
    assert score(record, answer).share > 0.9
    loop = solve(Slitherlink([[4, None], [None, None]]))
    grader = {"json": '{"kind": "slitherlink", "grid": [[4, null], [null, null]]}'}
    grader |= {"status": "unique", "solutions": [{"paths": loop.paths()}]}
    assert score(grader, "#.\n..").right
    assert not score(grader, "..\n.#").right


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["paths", "grid", "x"]), inner),
)
PIECES = st.lists(
    st.sampled_from(
        [
            "```\n",
            "┌───┐",
            "\n",
            "r1c1",
            "-",
            "(0, 0)",
            " ",
            "RRDL",
            "[[",
            "]]",
            "{",
            "1 2 3",
            "#.",
            "se",
            "no solution",
            "r9999c1",
            "·",
            "│",
            '"paths":',
            "0,0",
            "\0",
            "🙂",
        ]
    )
)


@given(ANY | st.text() | PIECES.map("".join))
def test_no_answer_raises(answer: object) -> None:
    for record in TRIPLES["slitherlink"]:
        found = score(record, answer)
        assert 0 <= found.share <= 1
    assert isinstance(score(TRIPLES["countryroad"][0], answer).right, bool)


def test_endless_and_deep_answers() -> None:
    record = TRIPLES["masyu"][0]
    for answer in ("[" * 300_000, "┌" * 500_000, "r1c1 " * 60_000, "1e999", '{"paths": 1e999}'):
        assert not score(record, answer).right


def test_other_boards() -> None:
    """On a tiling, places are numbers."""
    data = DataSet(["slitherlink"], ["honeycomb 4 4"], seed=1)
    record = data.triple("slitherlink", "honeycomb 4 4", 0)[0]
    assert score(record, {"paths": record["solutions"][0]["paths"]}).right
    assert score(record, [[*one] for one in record["solutions"][0]["paths"]]).right
    assert not score(record, "r1c1-r1c2").understood


def test_steps_are_forced_possible_or_wrong() -> None:
    """Against all solutions: `forced` of every fit, `possible` of some, `wrong` of none."""
    puzzle = Slitherlink.on(boards.honeycomb(2, 2), "..3.")
    every = [{*one} for one in solutions(puzzle)]
    grader = StepGrader(puzzle)
    seen = set()
    for edge in range(puzzle.board.num_edges):
        fits = [one for one in every if edge in one]
        verdict = grader.move(edge).verdict
        expected = "wrong" if not fits else "forced" if len(fits) == len(every) else "possible"
        assert verdict == expected
        seen.add(verdict)
        every = fits or every
    assert seen == {"forced", "possible", "wrong"}
    assert len(every) == 1
    assert grader.solved


def test_hints_of_steps_lead_to_the_solution() -> None:
    """Somebody who takes every hint solves the puzzle, and each move is forced."""
    record = TRIPLES["masyu"][0]
    grader = StepGrader(record)
    for _ in range(500):
        if grader.solved:
            break
        step = grader.hint()
        assert step is not None
        assert step.technique
        moves = [*((e, True) for e in step.lines), *((e, False) for e in step.crosses)]
        new = [move for move in moves if move[0] not in grader.marks]
        verdicts = grader.graded(new)
        for vertices, on in ((step.visited, True), (step.unvisited, False)):
            more = [one for one in vertices if one not in grader.visited]
            verdicts += [grader.visit(one, on, hint=False) for one in more]
        assert {one.verdict for one in verdicts} == {"forced"}
    assert grader.solved


def test_too_many_solutions_for_steps() -> None:
    with pytest.raises(ValueError, match="at most 1,000 solutions"):
        StepGrader(Slitherlink.blank(6, 6))
