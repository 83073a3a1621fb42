"""The board for notebooks, without a notebook: its traits, its answers, its module."""

from __future__ import annotations

import re
import sys
import time

import pytest

pytest.importorskip("anywidget")

from linkoracle import Numberlink, Slitherlink, boards, solve, studio
from linkoracle.core import MissingExtra, PuzzleError
from linkoracle.studio import Board
from linkoracle.studio.boards import board_of
from linkoracle.studio.bundle import STATIC, bundle
from linkoracle.studio.tasks import Limits
from linkoracle.studio.texts import geometry
from tests.workers import WAIT_SECONDS

UNIQUE = Slitherlink([[3, 3], [1, 1]])
LIMITS = Limits(status=WAIT_SECONDS, count=10 * WAIT_SECONDS)


@pytest.fixture
def shown():
    board = Board(UNIQUE, LIMITS)
    yield board
    board.close()


def stages(board) -> dict:
    return {stage["stage"]: stage for stage in board.answer["stages"]}


def test_traits_have_the_answer(shown):
    seen = []
    shown.observe(lambda change: seen.append(change["new"]), "status")
    assert shown.wait(WAIT_SECONDS)
    assert (shown.puzzle, shown.status, shown.count) == (UNIQUE, "unique", 1)
    assert shown.solution == solve(UNIQUE)
    assert shown.answer["board"] == board_of(UNIQUE)
    assert stages(shown)["grade"]["label"] == "easy"
    assert seen in (["unique"], [])


def test_a_board_has_a_geometry(shown):
    assert shown.geometry == {
        **geometry("square 20 20", through_cells=False),
        "board": "square 20 20",
        "diagonal": False,
    }
    shown.puzzle = Slitherlink.on(boards.honeycomb(2, 2), {0: 6})
    assert shown.wait(WAIT_SECONDS)
    assert (shown.status, shown.count) == ("unique", 1)
    assert shown.geometry == {
        **geometry("honeycomb 2 2", through_cells=False),
        "board": "honeycomb 2 2",
        "diagonal": False,
    }
    assert shown.solution == solve(shown.puzzle)
    shown.board = {**shown.board, "tiling": "honey"}
    assert shown.wait(WAIT_SECONDS)
    assert (shown.status, shown.geometry) == ("wrong", {})


def test_another_board_gets_another_answer(shown):
    shown.puzzle = Slitherlink.blank(2, 2)
    assert shown.wait(WAIT_SECONDS)
    assert (shown.status, shown.count, shown.solution) == ("many", 13, None)
    shown.board = board_of(Slitherlink([[4, 4]]))
    assert shown.wait(WAIT_SECONDS)
    assert (shown.status, shown.solution) == ("none", None)
    shown.board = {**board_of(UNIQUE), "cells": [9] * 4}
    assert shown.wait(WAIT_SECONDS)
    assert shown.status == "wrong"
    with pytest.raises(PuzzleError, match="from 0 to 4"):
        _ = shown.puzzle


def test_a_change_interrupts_a_long_query(shown):
    shown.puzzle = Slitherlink.blank(20, 20).with_clues({(0, 0): 3})
    assert not shown.wait(0.5)
    shown.puzzle = Numberlink([[1, 1]])
    assert shown.wait(WAIT_SECONDS)
    assert shown.answer["board"] == board_of(Numberlink([[1, 1]]))
    assert shown.status == "unique"


def test_an_observer_may_change_the_board(shown):
    def on(change):
        if change["new"] == "unique" and shown.puzzle == UNIQUE:
            shown.puzzle = Slitherlink.blank(1, 1)

    shown.wait(WAIT_SECONDS)
    shown.observe(on, "status")
    shown.puzzle = UNIQUE.rotate()
    assert shown.wait(WAIT_SECONDS)
    shown.puzzle = UNIQUE
    until = time.monotonic() + WAIT_SECONDS
    while shown.puzzle == UNIQUE or not shown.wait(1):
        assert time.monotonic() < until
        time.sleep(0.01)
    assert shown.puzzle == Slitherlink.blank(1, 1)
    assert shown.count == 1


def test_limits_and_sizes():
    with pytest.raises(PuzzleError, match="60 rows"):
        Board(Slitherlink.blank(61, 1))
    board = Board(Slitherlink.blank(20, 20), Limits(count=0.01, shares=0.01, values=0.01))
    assert board.wait(WAIT_SECONDS)
    assert (board.status, board.count) == ("many", None)
    board.close()
    board.puzzle = UNIQUE
    assert not board.wait(0.5)


def test_synchronised_traits_can_be_written_as_json(shown):
    shown.wait(WAIT_SECONDS)
    state = shown.get_state()
    assert state["board"] == board_of(UNIQUE)
    assert {kind["name"] for kind in state["kinds"]} >= {"slitherlink", "numberlink"}
    assert ":root" not in state["looks"]
    assert "status" not in state


def test_without_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "linkoracle.studio.widget")
    # Where another test has used it, the package has it already.
    monkeypatch.delitem(vars(studio), "Board", raising=False)
    with pytest.raises(MissingExtra, match=r"linkoracle\[notebook\]"):
        _ = studio.Board
    with pytest.raises(AttributeError):
        _ = studio.Bored


@pytest.mark.parametrize("entry", ["studio", "widget", "play", "answers", "hands", "layers"])
def test_the_bundle_has_each_module_once_and_before_it_is_used(entry):
    text = bundle(entry)
    made = [*re.findall(r"^const in_(\w+) = \(\(\) => \{$", text, re.MULTILINE), entry]
    assert len(set(made)) == len(made)
    assert not re.search(r"^import ", text, re.MULTILINE)
    for place, name in enumerate(made):
        used = re.findall(r'from "\./(\w+)\.js"', (STATIC / f"{name}.js").read_text())
        assert set(used) <= set(made[:place])
    exports = re.findall(r"^export .*", text, re.MULTILINE)
    assert exports == re.findall(r"^export .*", (STATIC / f"{entry}.js").read_text(), re.MULTILINE)


def test_what_imports_and_exports_become():
    texts = {
        "one": "export const a = 1;\nexport async function b() {}\n",
        "two": 'import * as all from "./one.js";\nimport {\n  a as c,\n  b,\n} from "./one.js";\n'
        "export class D {}\n",
    }
    assert bundle("two", texts.__getitem__).splitlines() == [
        *("const in_one = (() => {", "const a = 1;", "async function b() {}", "return {a, b};"),
        *("})();", "const all = in_one;", "const {", "  a: c,", "  b,", "} = in_one;"),
        "export class D {}",
    ]
