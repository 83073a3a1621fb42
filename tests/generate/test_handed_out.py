"""No maker hands out a puzzle that a fresh engine and the rules of its kind do not confirm."""

from __future__ import annotations

import inspect
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from runpy import run_path

import pytest
from click.testing import CliRunner

import linkoracle
from linkoracle import (
    Numberlink,
    Session,
    SimpleLoop,
    Slitherlink,
    boards,
    generate,
    solving,
    write,
)
from linkoracle.cli.jsonl import Server
from linkoracle.cli.main import main
from linkoracle.cli.work import Settings
from linkoracle.core import CheckFailed, NothingFound
from linkoracle.engines import Verdict
from linkoracle.kinds import KINDS
from linkoracle.studio.boards import board_of
from linkoracle.studio.making import Making
from linkoracle.studio.tab import TASKS, Sessions
from linkoracle.studio.tasks import Limits, Tasks

COMB = boards.honeycomb(3, 3)
LOOP = generate.loop(5, 5, seed=1)
FULL = Slitherlink.from_solution(LOOP)
RECT = ["#.#.#", ".#.#.", "#.#.#", ".#.#.", "#.#.#"]


@pytest.fixture(scope="module")
def kinds_of_an_author():
    """Register a kind of an author once; return the registry with it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(KINDS, "_found", dict(KINDS._found))
        run_path(str(Path(__file__).with_name("every_second_turn.py")))
        yield KINDS


@pytest.mark.usefixtures("kinds_of_an_author")
@pytest.mark.parametrize("minimal", [False, True])
def test_a_kind_whose_clues_depend_on_each_other_is_made(minimal):
    for made in generate.puzzles("everysecondturn", 6, 6, seed=1, limit=24, minimal=minimal):
        assert [*linkoracle.solutions(made.puzzle)] == [made.solution]
        assert linkoracle.check_solution(made.puzzle, made.solution)
        assert made.puzzle.number_of_clues
        # Every clue is needed.
        cell = next(iter(made.puzzle.clue_cells()))[0]
        assert linkoracle.violations(made.puzzle.with_clues({cell: None}), made.solution)


@pytest.mark.usefixtures("kinds_of_an_author")
def test_the_command_makes_a_kind_of_an_author():
    command = ["generate", "everysecondturn", "6", "6", "--minimal", "--seed", "1", "--count", "3"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    found = linkoracle.formats.read_all(done.stdout)
    assert [linkoracle.count(one.puzzle) for one in found] == [1, 1, 1]


@pytest.mark.usefixtures("kinds_of_an_author")
def test_a_kind_of_an_author_gets_its_difficulty():
    made = generate.puzzle("everysecondturn", 6, 6, seed=2, difficulty="easy..fiendish")
    assert linkoracle.decide(made.puzzle).solutions == (made.solution,)


def json_lines(puzzle, **request):
    server = Server(Settings())
    for one in ({"op": "open", "puzzle": write(puzzle, "json")}, request):
        line = server.answer(1, json.dumps({"session": "a", **one}).encode()).line
    server.close()
    raise_error(json.loads(line).get("error", ""))


def tab_session(puzzle, **request):
    sessions = Sessions()
    opening = {"op": "open", "puzzle": write(puzzle, "text")}
    number = sessions.answer(json.dumps(opening))["session"]
    sessions.answer(json.dumps({"session": number, **request}))


def elsewhere(*about, **options):
    with ThreadPoolExecutor(1) as executor:
        return [*generate.puzzles(*about, executor=executor, **options)]


def raise_error(text):
    """Raise the error that another door has turned into text."""
    assert "not handed out" in text
    raise CheckFailed(text)


def command(*words, text=None):
    done = CliRunner().invoke(main, words, input=text)
    assert (done.exit_code, done.stdout) == (2, "")
    raise_error(done.stderr)


def task(tasks, **members):
    events = []
    tasks.answer(members, events.append)
    assert [one["stage"] for one in events if one["stage"] not in ("going", "shown")] == [
        "failed",
        "done",
    ]
    raise_error(events[-2]["reason"])


def studio(**members):
    task(Making(), seed=1, **members)


def tab(**members):
    task(Tasks(Limits(making=60.0), TASKS), seed=1, **members)


def board(puzzle, **more):
    return {"board": board_of(puzzle), **more}


UNKNOWN = Slitherlink(["?3", ".."])
LACKING = Slitherlink(["3..", "...", "..3"])
MASYU = linkoracle.kinds.Masyu.from_solution(generate.loop(5, 5, seed=2))
SIZE = {"rows": 5, "cols": 5}
MARKS = ["must" if mark == "#" else "none" for row in RECT for mark in row]
TOUR = {"kind": "grandtour", "rows": 4, "cols": 5}

LOOP_OF_MASYU = generate.loop(5, 5, seed=2)

#: All that hands out puzzles that it says to be unique.
DOORS = {
    "puzzle": lambda: generate.puzzle("masyu", 5, 5, seed=1),
    "puzzle of its own maker": lambda: generate.puzzle("simpleloop", 4, 4, seed=1),
    "puzzle on faces": lambda: generate.puzzle("simpleloop", COMB, seed=1),
    "puzzle with regions": lambda: generate.puzzle("countryroad", 5, 5, seed=1),
    "puzzle with a difficulty": lambda: generate.puzzle("masyu", 6, 6, seed=1, difficulty="easy"),
    "puzzles": lambda: [*generate.puzzles("yajilin", 5, 5, seed=1, limit=2)],
    "puzzles elsewhere": lambda: elsewhere("zip", 4, 4, seed=1, limit=2),
    "slitherlink": lambda: generate.slitherlink(5, 5, seed=1),
    "slitherlink with a difficulty": lambda: generate.slitherlink(
        6, 6, seed=1, difficulty="tricky"
    ),
    "slitherlink, minimal": lambda: generate.slitherlink(6, 6, seed=1, minimal=True),
    "slitherlink on a mask": lambda: generate.slitherlink(5, 5, seed=1, mask=RECT),
    "slitherlink, fewest": lambda: generate.slitherlink(4, 4, seed=1, strategy="fewest"),
    "slitherlink of a path": lambda: generate.slitherlink(4, 4, seed=1, ends="random"),
    "slitherlink on faces": lambda: generate.slitherlink(COMB, seed=1),
    "slitherlinks": lambda: [*generate.slitherlinks(4, 4, seed=1, limit=2)],
    "numberlink": lambda: generate.numberlink(5, 5, seed=1),
    "numberlink, diagram": lambda: generate.numberlink(4, 4, seed=1, maker="diagram"),
    "numberlink, fill": lambda: generate.numberlink(5, 5, seed=1, variant="fill"),
    "numberlink on faces": lambda: generate.numberlink(COMB, seed=1),
    "numberlinks": lambda: [*generate.numberlinks(4, 4, seed=1, limit=2)],
    "make": lambda: generate.make(generate.request_for("masyu", 4, 4), seed=1),
    "make_all": lambda: [*generate.make_all(generate.request_for("masyu", 4, 4), seed=1, limit=1)],
    "reduce_clues": lambda: generate.reduce_clues(LOOP, seed=1),
    "add_clues": lambda: generate.add_clues(LACKING),
    "add_clues to unknown ones": lambda: generate.add_clues(UNKNOWN),
    "fewest": lambda: generate.fewest(generate.loop(3, 3, seed=1)),
    "Session.generate": lambda: Session(Slitherlink.blank(5, 5)).generate(seed=1),
    "Session.generate, of a kind": lambda: Session(SimpleLoop.blank(4, 4)).generate(seed=1),
    "Session.reduce": lambda: Session(FULL).reduce(seed=1),
    "Session.reduce, of a kind": lambda: Session(MASYU).reduce(seed=1),
    "json generate": lambda: json_lines(Numberlink.blank(5, 5), op="generate", seed=1),
    "json reduce": lambda: json_lines(FULL, op="reduce", seed=1),
    "tab reduce": lambda: tab_session(FULL, op="reduce", seed=1),
    "command generate": lambda: command("generate", "slitherlink", "5", "5", "--seed", "1"),
    "command generate, of a kind": lambda: command("generate", "masyu", "5", "5", "--seed", "1"),
    "command add-clues": lambda: command("add-clues", "-", text=write(LACKING, "text")),
    "studio new": lambda: studio(what="new", kind="masyu", **SIZE),
    "studio mask": lambda: studio(what="mask", marks=MARKS, **board(Slitherlink.blank(5, 5))),
    "studio thin": lambda: studio(what="thin", **board(FULL)),
    "studio thin, of a kind": lambda: studio(what="thin", **board(MASYU)),
    "studio add": lambda: studio(what="add", **board(LACKING)),
    "studio line": lambda: studio(
        what="line", lines=[*LOOP.edges], **board(Slitherlink.blank(5, 5))
    ),
    "tab new": lambda: tab(what="new", kind="slitherlink", **SIZE),
    "tab new, of a kind": lambda: tab(what="new", **TOUR),
    "tab thin": lambda: tab(what="thin", **board(MASYU)),
    "tab add": lambda: tab(what="add", **board(LACKING)),
}
#: The functions of `linkoracle.generate` that return no puzzle.
OTHERS = {
    "adds_clues",
    "estimate",
    "letters",
    "loop",
    "makers",
    "pattern",
    "request_for",
    "witnesses",
}


def test_every_public_function_is_among_the_doors():
    every = {name for name in generate.__all__ if inspect.isfunction(getattr(generate, name))}
    assert every - OTHERS == every & DOORS.keys()


def refuse(monkeypatch, why):
    """Let the check of a made puzzle fail."""
    solving._confirmed.clear()
    if why == "rules":
        monkeypatch.setattr(solving, "violations", lambda *_: ["refused"])
        return

    class Fresh(solving.Query):
        def decide(self):
            return Verdict("none", (), None)

    monkeypatch.setattr(solving, "Query", Fresh)


@pytest.mark.parametrize("why", ["rules", "engine"])
@pytest.mark.parametrize("door", DOORS)
def test_no_door_hands_out_what_fails_its_check(door, why, monkeypatch):
    refuse(monkeypatch, why)
    with pytest.raises(CheckFailed, match="not handed out"):
        DOORS[door]()


@pytest.mark.parametrize("why", ["rules", "engine"])
def test_a_session_keeps_the_clues_whose_removal_fails_its_check(why, monkeypatch):
    with Session(FULL) as session:
        with monkeypatch.context() as patch:
            refuse(patch, why)
            with pytest.raises(CheckFailed):
                session.reduce(seed=1)
        assert session.puzzle == FULL
        assert session.reduce(seed=1)[1]


def test_a_puzzle_near_to_a_mask_is_checked_too(monkeypatch):
    """It leaves with the error that says that there is none for the mask."""

    def make():
        generate.slitherlink(6, 6, seed=1, mask=["." * 6] * 6, tries=4)

    with pytest.raises(NothingFound) as caught:
        make()
    nearest = caught.value.nearest
    assert linkoracle.decide(nearest.puzzle).solutions == (nearest.solution,)
    refuse(monkeypatch, "engine")
    with pytest.raises(CheckFailed, match="not handed out"):
        make()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda full, _: (full, generate.loop(5, 5, seed=9)), "its solution breaks a rule"),
        (
            lambda full, loop: (full.blank(6, 6), loop),
            "the puzzle has other solutions than its own",
        ),
    ],
)
def test_a_generator_that_is_wrong_is_found_out(change, reason, monkeypatch):
    monkeypatch.setattr(type(MASYU), "maker", staticmethod(lambda *_: change(MASYU, LOOP_OF_MASYU)))
    for make in (generate.puzzle, lambda *about, **how: next(generate.puzzles(*about, **how))):
        with pytest.raises(CheckFailed, match=f"not handed out: {reason}"):
            make("masyu", 6, 6, seed=1)


class Lenient(type(MASYU)):
    """A Masyu whose model allows on larger boards what its rules refuse, or the reverse."""

    kind = "lenient"
    title = "Lenient Masyu"
    strict = False

    def constrain(self, rules):
        if self.rows < 6:
            super().constrain(rules)
        elif self.strict:
            rules.clause()


@pytest.mark.parametrize(
    ("strict", "reason"),
    [
        (False, "the solver allows what the rules of its kind refuse: "),
        (True, "the solver finds no solution, although the rules of its kind allow one"),
    ],
)
def test_a_kind_whose_solver_and_rules_differ_is_found_out(strict, reason, monkeypatch):
    """They agree on the small boards that are compared when it is registered."""
    monkeypatch.setattr(KINDS, "_found", dict(KINDS._found))
    monkeypatch.setattr(Lenient, "strict", strict)
    made = Lenient(MASYU.grid)
    monkeypatch.setattr(Lenient, "maker", staticmethod(lambda *_: (made, LOOP_OF_MASYU)))
    linkoracle.register(Lenient)
    with pytest.raises(CheckFailed, match=f"not handed out: {reason}"):
        generate.puzzle("lenient", 6, 6, seed=1)
    if strict:
        # The general generator, which starts with all clues of a loop.
        monkeypatch.setattr(Lenient, "maker", None)
        with pytest.raises(CheckFailed, match=f"not handed out: {reason}"):
            generate.puzzle("lenient", 6, 6, seed=1)
