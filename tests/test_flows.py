"""The files that a call passes are those that `docs/architecture.md` names."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import pytest

from linkoracle import Oracle, Slitherlink, generate
from linkoracle.cli.count_solutions import main

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "linkoracle"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
#: A function, not the body of a module or a class.
OPTIMIZED = 1

Call = Callable[[], object]


def files_passed(call: Call, warm: int = 1) -> set[str]:
    """Return the Python files in which functions run during a call after ``warm`` others."""
    for _ in range(warm):
        call()
    found = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_flags & OPTIMIZED:
            found.add(code.co_filename)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(before)
    names = (Path(name) for name in found)
    return {str(name.relative_to(SOURCE)) for name in names if name.is_relative_to(SOURCE)}


class Flow(NamedTuple):
    """A usual call, and calls with options that the page tells apart."""

    usual: Call
    others: list[Call]


def counted(path: Path, *options: str) -> Call:
    def run() -> None:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
            main([str(path), *options])

    return run


def asked(oracle: Oracle, clues: Callable[[int], dict[tuple[int, int], int]]) -> Call:
    numbers = iter(range(10))
    return lambda: oracle.ask(clues(next(numbers)))


def made(rows: int | None = 10, **options: Any) -> Call:
    return lambda: generate.slitherlink(rows, rows, seed=1, **options)


@pytest.fixture(scope="module")
def flows(tmp_path_factory) -> Iterator[dict[str, Flow]]:
    folder = tmp_path_factory.mktemp("flows")
    files = {
        "blank": "slitherlink\n" + ("." * 9 + "\n") * 9,
        "given": "slitherlink\ngiven 0,0-0,1\n3..\n...\n...\n",
        "url": "https://puzz.link/p?slither/2/2/3c\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    with (
        Oracle(Slitherlink.blank(3, 3)) as oracle,
        Oracle(generate.numberlink(7, 7, variant="free", seed=1).puzzle) as numberlink,
    ):
        yield {
            "From a puzzle text to its count": Flow(
                counted(ROOT / "instances" / "slitherlink-10x10.txt"),
                [counted(folder / name) for name in files],
            ),
            "From a clue to the oracle's answer": Flow(
                asked(oracle, lambda number: {(0, 0): 2 + number % 2}),
                [
                    asked(oracle, lambda number: {(2, 2): number % 4, (1, 2): 1}),
                    asked(numberlink, lambda _: {}),
                ],
            ),
            "From a request to a made puzzle": Flow(
                made(),
                [
                    made(minimal=True),
                    made(8, strategy="core", difficulty="hard..hard"),
                    made(shape="expand"),
                    made(9, fill=True),
                    made(4, strategy="fewest"),
                    made(None, mask=["#.#.#", "..#..", "#.#.#", "..#..", "#.#.#"]),
                ],
            ),
        }


def named(title: str) -> tuple[set[str], set[str]]:
    """Return the Python files that the page names for a flow: in its list, and below the list."""
    section = PAGE.split(f"### {title}\n")[1].split("\n#")[0]
    usual, _, others = section.partition("\nWith ")
    parts = (re.findall(r"`([\w/]+\.(?:py|pyx))`", part) for part in (usual, others))
    listed, below = ({*part} for part in parts)
    for name in listed | below:
        assert (SOURCE / name).exists(), name
    return tuple({name for name in part if name.endswith(".py")} for part in (listed, below))


@pytest.mark.parametrize("title", re.findall(r"### (From .*)", PAGE))
def test_the_page_names_the_files_of_a_flow(title, flows):
    listed, below = named(title)
    usual, others = flows[title]
    # The oracle has then seen solutions that fit either clue.
    assert files_passed(usual, 3) == listed
    assert below <= set().union(*map(files_passed, others))


def test_the_page_has_all_flows(flows):
    assert re.findall(r"### (From .*)", PAGE) == [*flows]
