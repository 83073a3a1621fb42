"""Solutions and boards from files: what is read is what is written there, or it is refused."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import linkoracle
from linkoracle import Slitherlink, Solution
from linkoracle.cli.main import main

PUZZLES = {
    "loop.txt": "slitherlink\n4.\n..\n",
    "path.txt": "numberlink fill\n1..1\n2..2\n",
    "ring.txt": "simpleloop\n...\n.0.\n...\n",
}
SQUARE = [[0, 0], [0, 1], [1, 1], [1, 0], [0, 0]]
NO_NUMBERS = [
    "0.75",
    "1.0",
    "1e400",
    "-1e400",
    "NaN",
    "true",
    '"1"',
    "null",
    "[1]",
    "{}",
    "1" * 5000,
]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in PUZZLES.items():
        Path(name).write_text(text)


def check(text: str, *files: str) -> Result:
    return CliRunner().invoke(main, ["check", "--solution", "-", *files], input=text)


def refused(done: Result, *expected: str) -> bool:
    assert (done.exit_code, done.stdout) == (2, ""), (done.output, done.exception)
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ")
    assert len(line) < 400
    assert all(part in line for part in expected), line
    return True


def edges(walks: list[list[list[int]]]) -> list[list[list[int]]]:
    """The edges of walks, in order, each as often as it is walked; nothing else may be in there."""
    for walk in walks:
        assert type(walk) is list
        for place in walk:
            assert type(place) is list
            assert [type(number) for number in place] == [int, int]
    return sorted(sorted(edge) for walk in walks for edge in pairwise(walk))


def turned(walk: list, by: int) -> list:
    """A closed walk from another place on; an open one backwards."""
    return walk[by:-1] + walk[: by + 1] if walk[0] == walk[-1] else walk[::-1]


def mutated(rng: random.Random, walks: list) -> str:
    """Walks as JSON after a change that may leave them right, or may not."""
    walks = json.loads(json.dumps(walks))
    which = rng.randrange(len(walks))
    walk = walks[which]
    at = rng.randrange(len(walk) - 1)
    place = rng.choice(walk)
    changes = [
        lambda: walks.append(list(walk)),
        lambda: walks.append(walk[at : at + 2]),
        lambda: walks.append(rng.choice([[], {}, "", None, [[0, 0]], [walk], 7])),
        lambda: walk.extend(walk[1:]),
        lambda: walk.extend(walk[-2::-1]),
        lambda: walk.insert(at + 1, walk[at]),
        lambda: walk.__setitem__(slice(at, at), walk[at : at + 2]),
        lambda: walk.pop(at),
        lambda: walk.reverse(),
        lambda: walks.__setitem__(which, turned(walk, at)),
        lambda: walks.__setitem__(slice(which, which + 1), [walk[: at + 1], walk[at:]]),
        lambda: walks.reverse(),
        lambda: walks.pop(which),
        lambda: walk.__setitem__(at, "".join(map(str, walk[at]))),
        lambda: walk.__setitem__(at, dict(enumerate(walk[at]))),
        lambda: place.append(0),
        lambda: place.__setitem__(rng.randrange(2), rng.randrange(-1, 4)),
        lambda: place.__setitem__(rng.randrange(2), "?"),
        lambda: [one.__setitem__(0, one[0] + 0.75) for one in walk],
        lambda: [one.__setitem__(slice(None), map(float, one)) for one in walk],
    ]
    for change in rng.choices(changes, k=rng.choice([1, 1, 2])):
        # The second may not fit what the first has left.
        with suppress(IndexError, TypeError, AttributeError, ValueError):
            change()
    return json.dumps(walks).replace('"?"', rng.choice(NO_NUMBERS))


@pytest.mark.parametrize("file", PUZZLES)
def test_what_is_right_is_the_solution_walked_once(file):
    puzzle = linkoracle.read(PUZZLES[file])
    assert linkoracle.decide(puzzle).unique
    walks = linkoracle.solve(puzzle).paths()
    expected = edges(json.loads(json.dumps(walks)))
    rng = random.Random(file)
    endings = [0, 0, 0]
    for _ in range(300):
        text = mutated(rng, walks)
        done = check(f'{{"solutions": [{text}]}}', file)
        endings[done.exit_code] += 1
        if done.exit_code == 0:
            assert done.stdout == "right\n"
            assert edges(json.loads(text)) == expected, text
        elif done.exit_code == 1:
            assert done.stdout.startswith("wrong: ")
            assert edges(json.loads(text)) != expected, text
        else:
            assert refused(done, "<stdin>:1: expected a JSON object with the name"), text
    assert min(endings) > 10


@pytest.mark.parametrize("number", NO_NUMBERS)
def test_only_whole_numbers_are_places(number):
    text = json.dumps(SQUARE).replace("1", number, 1)
    assert refused(check(f'\n{{"solutions": [[{text}]]}}', "loop.txt"), "<stdin>:2: ", "[row, col")
    Path("board.json").write_text(f'{{"lines": [{text}]}}')
    for command in (["grade", "--hint"], ["draw", "--hint", "-o", "a.svg"]):
        done = CliRunner().invoke(main, [*command, "--partial-solution", "board.json", "loop.txt"])
        assert refused(done, "board.json: expected a JSON object with ", "[row, column]")


def test_boards_draw_a_line_once():
    for key in ("lines", "crosses"):
        Path("board.json").write_text(json.dumps({key: [[[0, 0], [0, 1]], [[0, 1], [0, 0]]]}))
        done = CliRunner().invoke(
            main, ["grade", "--hint", "--partial-solution", "board.json", "loop.txt"]
        )
        assert refused(done, "the edge between (0, 1) and (0, 0) is used twice")
    Path("board.json").write_text('{"lines": [], "lines": []}')
    done = CliRunner().invoke(
        main, ["grade", "--hint", "--partial-solution", "board.json", "loop.txt"]
    )
    assert refused(done, "board.json: ", "found a key twice")


def test_every_puzzle_has_solutions_and_none_comes_twice():
    Path("other.txt").write_text(PUZZLES["loop.txt"])
    both = [
        json.dumps({"name": name, "solutions": [[SQUARE]]}) for name in ("loop.txt", "other.txt")
    ]
    files = ("loop.txt", "other.txt")
    assert check("\n".join(both), *files).stdout == "loop.txt: right\nother.txt: right\n"
    assert refused(check(both[0], *files), "<stdin>: ", "one solution of other.txt, found none")
    assert refused(check("\n".join([*both, both[0]]), *files), "<stdin>:3: ", "a second time")
    again = json.dumps({"solutions": [[SQUARE], [SQUARE[::-1]]]})
    assert refused(check(again, "loop.txt"), "<stdin>:1: ", "found a solution a second time")
    assert refused(check(both[0], "loop.txt", "loop.txt"), "expected puzzles of different names")
    for record, name in (
        ('{"name": "x", "solutions": []}', "'x'"),
        ('{"name": []}', "an empty array"),
        ("{}", "null"),
    ):
        assert refused(check(record, *files), "<stdin>:1: ", f"found the name {name}")
    right = f'"solutions": [[{json.dumps(SQUARE)}]]'
    assert refused(check(f'{{"solutions": [], {right}}}', "loop.txt"), "found a key twice")
    assert refused(
        check('{"solutions": {}}', "loop.txt"), "found an object in place of a list of solutions"
    )
    assert refused(check('\n{"solutions"', "loop.txt"), "<stdin>:2:13: ", "not valid JSON")
    assert refused(check("[" * 9999, "loop.txt"), "<stdin>:1: ", "found too deep a nesting")


def test_walks_use_an_edge_once():
    lattice = Slitherlink.blank(1, 2).lattice
    there = [(0, 0), (0, 1), (0, 2)]
    assert Solution.from_paths(lattice, [there]).edges == (0, 2)
    for walks in ([there + there[1::-1]], [there, there], [there[:2], there], [there[:2] * 2]):
        with pytest.raises(ValueError, match=r"the edge between .* is used twice"):
            Solution.from_paths(lattice, walks)
