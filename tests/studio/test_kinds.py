"""Every kind in the studio, by the messages of the page: answered, graded, played and made.

A kind that is added later is tested here, too: nothing names one.
"""

from __future__ import annotations

import json
import re
from itertools import product
from typing import Any

import pytest

from linkoracle import Solution, is_unique
from linkoracle.core import PuzzleError
from linkoracle.kinds import KINDS, CellLoop, Puzzle
from linkoracle.studio.boards import board_of, puzzle_of
from linkoracle.studio.clues import _samples, forms
from linkoracle.studio.making import Making, offers
from linkoracle.studio.playing import Playing
from linkoracle.studio.texts import read_text, write_board
from tests.studio.asking import answered

EXAMPLES = [(kind, variant) for kind in KINDS for variant in KINDS[kind].examples]


@pytest.fixture(params=EXAMPLES, ids="-".join)
def example(request) -> tuple[Puzzle, Solution]:
    kind, variant = request.param
    return KINDS[kind].examples[variant].of(KINDS[kind], variant)


def stages_of(answering: Any, query: dict[str, Any]) -> dict[str, dict[str, Any]]:
    stages: list[dict[str, Any]] = []
    answering.answer(query, stages.append)
    return {stage["stage"]: stage for stage in stages}


def test_an_example_has_one_solution_and_a_grade(example):
    puzzle, solution = example
    answer = answered(board_of(puzzle))
    assert answer["status"]["lines"] == sorted(solution.edges)
    assert answer["forced"]["lines"] == sorted(solution.edges)
    # Paths have grades where patterns are known of them.
    assert set(answer["late"]) <= (set() if puzzle.model.loop else {"grade"})
    assert "done" in answer
    shaded = {
        place[0] * puzzle.cols + place[1] for _, place, *_ in puzzle.solution_figures(solution)
    }
    assert set(answer["status"]["shaded"]) == shaded


def test_redundant_clues_are_found(example):
    puzzle, solution = example
    answer = answered(board_of(type(puzzle).from_solution(solution, **divided(puzzle))))
    if answer["status"]["status"] != "unique" or "redundant" not in answer:
        return
    full = type(puzzle).from_solution(solution, **divided(puzzle))
    for (row, col), _ in full.clue_cells():
        fewer = full.with_clues({(row, col): None})
        goes = not fewer.violations(solution) and is_unique(fewer)
        assert (row * puzzle.cols + col in answer["redundant"]["cells"]) == goes


def divided(puzzle: Puzzle) -> dict[str, Any]:
    lists = puzzle.annotations.items()
    found = {name: getattr(puzzle, name) for name, listed in lists if listed.grid}
    return found | ({"variant": puzzle.variant} if isinstance(puzzle, CellLoop) else {})


def test_a_solution_is_accepted_and_another_one_refused_with_a_reason(example):
    puzzle, solution = example
    playing, board = Playing(), board_of(puzzle)
    finished = {"what": "finished", "board": board}
    lines = [*solution.edges]
    assert stages_of(playing, finished | {"lines": lines})["finished"]["faults"] == []
    assert stages_of(playing, finished | {"lines": lines[1:]})["finished"]["faults"]
    rules = stages_of(playing, {"what": "rules", "board": board})
    assert rules["status"]["status"] == "unique"
    assert rules["rules"]["whole"] == puzzle.model.only_masks


def test_hints_lead_to_the_solution(example):
    puzzle, solution = example
    playing, board = Playing(), board_of(puzzle)
    lines, crosses = set(), set()
    areas = {"inside": set(), "outside": set()}
    for _ in range(2 * puzzle.lattice.num_edges):
        marked = {name: [*area] for name, area in areas.items()}
        edges = {"lines": [*lines], "crosses": [*crosses]}
        hint = stages_of(playing, {"what": "hint", "board": board, **edges, **marked})["hint"]
        assert hint["sentence"]
        new = set(hint["lines"]) - lines, set(hint["crosses"]) - crosses
        fresh = [set(hint[name]) - area for name, area in areas.items()]
        assert new[0] or new[1] or any(fresh), hint
        for name, area in areas.items():
            area |= set(hint[name])
        lines |= new[0]
        crosses |= new[1]
        assert lines <= set(solution.edges)
        assert crosses.isdisjoint(solution.edges)
        if lines == set(solution.edges):
            return
    raise AssertionError(lines)


def test_shaded_cells_are_checked(example):
    puzzle, solution = example
    shaded = [row * puzzle.cols + col for _, (row, col), *_ in puzzle.solution_figures(solution)]
    if not shaded:
        return
    query = {"what": "check", "board": board_of(puzzle), "inside": shaded}
    assert stages_of(Playing(), query)["checked"]["faces"] == []
    visited = next(cell for cell in range(puzzle.rows * puzzle.cols) if cell not in shaded)
    query = {"what": "check", "board": board_of(puzzle)}
    wrong = query | {"inside": [visited], "outside": shaded[:1]}
    assert set(stages_of(Playing(), wrong)["checked"]["faces"]) == {visited, shaded[0]}


def test_clues_of_a_loop_and_fewer_of_them(example):
    puzzle, solution = example
    if not puzzle.model.loop or "line" not in offers(puzzle.kind)["tasks"]:
        return
    making, lines = Making(), list(solution.edges)
    made = stages_of(making, {"what": "line", "board": board_of(puzzle), "lines": lines, "seed": 1})
    full = puzzle_of(made["made"]["board"])
    assert not full.violations(solution)
    if "thin" not in offers(puzzle.kind)["tasks"] or made["made"]["lines"] is None:
        return
    answer = stages_of(making, {"what": "thin", "board": made["made"]["board"], "seed": 1})
    if "failed" in answer:
        assert "no given lines" in answer["failed"]["reason"]
        return
    fewer = puzzle_of(answer["made"]["board"])
    assert is_unique(fewer)
    assert fewer.number_of_clues <= full.number_of_clues
    assert not fewer.violations(solution)


def test_the_steps_of_an_example_are_sentences(example):
    puzzle, solution = example
    answer = stages_of(Making(), {"what": "steps", "board": board_of(puzzle)})
    if "failed" in answer:
        assert not puzzle.model.loop, answer
        return
    for step in answer["made"]["steps"]:
        assert step["sentence"].endswith(".")
        assert set(step["lines"]) <= set(solution.edges)


@pytest.mark.parametrize("name", ["text", "json", "pzpr"])
def test_a_puzzle_survives_writing_and_reading(example, name):
    puzzle, _ = example
    # A URL has no place for annotations, nor for every rule.
    beside = [getattr(puzzle, at) for at, listed in puzzle.annotations.items() if not listed.grid]
    known = puzzle.pzpr and {None, puzzle.variant}.intersection(puzzle.pzpr.names.values())
    if name == "pzpr" and (not known or any(beside)):
        return
    board = board_of(puzzle)
    read = read_text(write_board(json.dumps({"board": board, "format": name}))["text"])["board"]
    assert read == (board if name != "pzpr" else board | {"variant": read["variant"]})


def test_it_is_drawn(example):
    members = {"board": board_of(example[0]), "format": "svg"}
    assert write_board(json.dumps(members))["text"].startswith("<")


@pytest.mark.parametrize("kind", list(KINDS))
def test_forms_are_the_clues_of_a_kind(kind):
    found = KINDS[kind]
    blank = found.from_grid([[None] * 3] * 3)

    def takes(clue: Any) -> bool:
        try:
            # Every kind accepts the same clue twice, also where numbers come in pairs, or once.
            for places in ({(0, 0): clue, (2, 2): clue}, {(0, 0): clue}):
                try:
                    blank.with_clues(places)
                except PuzzleError as error:
                    reason = error
                    continue
                return True
            raise reason
        except PuzzleError:
            return False

    for text, form in forms(found).items():
        numbers = [form["least"], form["most"] or 9] if "#" in text else [0]
        for number in numbers:
            written = text.replace("#", str(number))
            clue = form.get("clue", int(written) if text == "#" else written)
            assert takes(clue), written
            drawn = [[look, words.replace("#", str(number))] for look, words in form["figures"]]
            assert drawn == [[one.look, one.text] for one in blank.clue_figures((0, 0), clue)]
    if found.words is None:
        return
    # Every word that matches the expression has a form.
    letters = sorted({*"019", *re.findall(r"\w", "".join(forms(found)))})
    for length in (1, 2, 3):
        for word in map("".join, product(letters, repeat=length)):
            if re.fullmatch(found.words, word):
                assert re.sub("[0-9]+", "#", word) in forms(found)


@pytest.mark.parametrize(
    ("words", "some", "none"),
    [
        ("[a-z]+", ["a", "z", "aa"], ["A", "1"]),
        ("(ab|c)[0-9]{2}[.]?", ["ab11", "c11."], ["ab", "c1"]),
        ("(?P<one>x|y)(?P=one)|z", ["z"], ["x"]),
        ("(?!)", [], ["a"]),
        (r"[^a-y0-9A-Z]", ["z", "*"], ["a", "Z"]),
    ],
)
def test_words_of_an_expression(words, some, none):
    found = list(_samples(words))
    assert set(some) <= set(found)
    assert set(none).isdisjoint(found)
    assert all(re.fullmatch(words, word) for word in found)
    assert len(found) < 2000


@pytest.mark.parametrize("kind", [kind for kind in KINDS if KINDS[kind].words])
def test_clues_that_contradict_each_other(kind):
    found = KINDS[kind]
    words = [text.replace("#", "9") for text in forms(found)]
    if not words:
        return
    board = {"kind": kind, "variant": next(iter(found.variants)), "rows": 4, "cols": 4}
    for word in reversed(words):
        answer = answered({**board, "cells": [word] * 16})
        if answer.get("status", {}).get("status") == "none":
            break
    else:
        # No word contradicts itself in all cells, or some cells do not take it.
        assert kind in ("midloop", "moonorsun", "railpool")
        return
    core = answer["conflict"]
    assert core["minimal"]
    cells = [divmod(cell, 4) for cell in core["cells"]]
    held = found.from_grid([[None] * 4] * 4).with_clues(dict.fromkeys(cells, word))
    assert held.violations(Solution(held.lattice, ())) or not cells
    for cell in cells:
        assert not is_none(held.with_clues({cell: None}))
    assert is_none(held)


def is_none(puzzle: Puzzle) -> bool:
    return answered(board_of(puzzle))["status"]["status"] == "none"
