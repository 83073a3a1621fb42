"""Catalogues that another program changed: no command ends in a traceback, and `check` finds it."""

from __future__ import annotations

import json
import shutil
import sqlite3
from itertools import islice
from random import Random

import pytest
from click.testing import CliRunner

import linkoracle
from linkoracle import Numberlink, Slitherlink, certificate
from linkoracle.catalogue import Catalogue
from linkoracle.cli.main import main
from linkoracle.core import CatalogueError
from linkoracle.deduce import grade
from linkoracle.generate import slitherlinks

BOARDS = [
    Slitherlink([[3, 3], [None, None]]),
    Slitherlink([[3, 2, None], [None, None, 3]], ((0, 0), (2, 3))),
    Numberlink([[1, 2], [1, 2]]),
]
#: The puzzle that is changed, and those that must stay usable.
CHANGED, OTHERS = 2, [1, 3]

COLUMNS = (
    *("id", "kind", "variant", "rows", "cols", "clues", "puzzle", "solution", "canonical", "name"),
    *("seed", "number", "maker", "added", "grade", "steps", "graded", "looks", "certificate"),
)
OTHER_BOARD = "slitherlink\n4\n"
VALUES = {
    "nothing": None,
    "negative": -1,
    "zero": 0,
    "most": 2**63 - 1,
    "real": 1.5,
    "word": "junk",
    "empty": "",
    "blob": b"\x00\xff",
    "not UTF-8": b"\xffA",  # put in as text
    "digits": "9" * 5000,
    "lines": "a\nb\x1b[2J",
    "list": "[]",
    "object": '{"command": [1], "steps": {"a": "b"}}',
    "deep": "[" * 100_000,
    "spaces": " 1_0 ",
    "file": "board.txt",
    "board": OTHER_BOARD,
}
COMMANDS = (
    ("list", "c.sqlite"),
    ("list", "c.sqlite", "--json"),
    ("list", "c.sqlite", "--json", "--sample", "3", "--seed", "1"),
    ("list", "c.sqlite", "--source", "generate", "--source", "rows=2", "--clues", "0-999999"),
    ("list", "c.sqlite", "--statistics", "density=0-1", "--statistics", "run=0-99"),
    ("stats", "c.sqlite", "--statistics", "links=0-99"),
    ("stats", "c.sqlite"),
    ("stats", "c.sqlite", "--json"),
    ("export", "c.sqlite", "--limit", "99"),
    ("export", "c.sqlite", "--format", "json", "-o", "out"),
    ("export", "c.sqlite", "-o", "out", "--certificates", "proofs"),
    ("check", "c.sqlite"),
    ("add", "board.txt", "--into", "c.sqlite"),
    ("grade", "c.sqlite", "--again"),
    ("certify", "c.sqlite", "--again"),
)


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A catalogue that nobody changed, and what `list --json` says of it."""
    path = tmp_path_factory.mktemp("sound") / "c.sqlite"
    with Catalogue(path) as catalogue:
        for number, board in enumerate(BOARDS, start=1):
            maker = {"command": f"generate {board.kind}", "rows": board.rows, "run": number}
            known = {"grade": grade(board), "certificate": certificate(board)}
            assert catalogue.add(board, source=maker, seed=7, number=number, name="a b", **known)
        assert list(catalogue.faults()) == []
        # In a file, as JSON has no tuples.
        return path, json.loads(json.dumps([record.as_json() for record in catalogue.find()]))


@pytest.fixture
def path(sound, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "board.txt").write_text(OTHER_BOARD)
    return shutil.copy(sound[0], tmp_path / "c.sqlite")


def run(*arguments):
    done = CliRunner().invoke(main, ["catalogue", *arguments])
    assert "Traceback" not in done.output
    assert "internal error" not in done.output, (arguments, done.output)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def change(path, statement, *values):
    file = sqlite3.connect(path)
    try:
        file.execute(statement, values)
        file.commit()
    finally:
        file.close()


class AtMost:
    """Counts rows that cannot be read, and fails when they have no end."""

    def __init__(self, most):
        self.left = most

    def __call__(self, _):
        self.left -= 1
        assert self.left, "there are too many"


def put(path, column, value):
    """Write a value into the row; skips what SQLite itself refuses."""
    place = "CAST(? AS TEXT)" if value == "not UTF-8" else "?"
    statement = f"UPDATE puzzle SET {column} = {place} WHERE id = {CHANGED}"
    if column == "request":
        statement = f"UPDATE maker SET request = {place} WHERE id = {CHANGED}"
    try:
        change(path, statement, VALUES[value])
    except sqlite3.Error:
        pytest.skip("SQLite does not take it")
    return VALUES[value] if column == "id" else CHANGED


def is_harmless(column, value):
    """Whether the value is one that a catalogue might have written."""
    return {
        "id": value == "most",
        # SQLite makes text of numbers in these columns.
        "name": value not in ("empty", "blob", "not UTF-8", "lines", "spaces", "board"),
        "seed": value in ("nothing", "negative", "zero", "most"),
        "number": value in ("nothing", "most"),
        "certificate": value == "nothing",
        "request": value == "object",
    }.get(column, False)


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("column", [*COLUMNS, "request"])
def test_a_changed_value_is_found_and_the_others_stay(path, sound, column, value):
    place = put(path, column, value)
    done = run("check", "c.sqlite")
    if is_harmless(column, value):
        assert (done.exit_code, done.stdout) == (0, "all is well with 3 puzzles\n")
        return
    assert done.exit_code == 1
    named = {line.partition(": ")[0] for line in done.stdout.splitlines()}
    assert named <= {f"puzzle {place}", f"maker {place}"}
    assert f"puzzle {place}" in named
    done = run("list", "c.sqlite", "--json")
    found = {record["id"]: record for record in map(json.loads, done.stdout.splitlines())}
    expected = sound[1]
    assert [found[other] for other in OTHERS] == [expected[other - 1] for other in OTHERS]
    # All that is found can be read; the rest is named, and changes the exit status.
    warnings = [] if place in found else [f"warning: c.sqlite: puzzle {place}: "]
    assert done.exit_code == bool(warnings)
    lines = done.stderr.splitlines()
    assert len(lines) == len(warnings)
    assert all(line.startswith(start) for line, start in zip(lines, warnings, strict=True))


@pytest.mark.heavy
@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("column", [*COLUMNS, "request"])
def test_every_command_takes_every_changed_value(path, column, value):
    place = put(path, column, value)
    for command in COMMANDS:
        done = run(*command)
        if (column, value, command[0]) == ("maker", "most", "add"):
            # No number is left for another maker.
            assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
            assert "expected ids of makers below" in done.stderr
            continue
        assert done.exit_code in (0, 1), (command, done.output)
        for line in done.stderr.splitlines():
            starts = (f"warning: c.sqlite: puzzle {place}: ", "warning: c.sqlite: 1 puzzle has no")
            assert line.startswith(starts), (command, line)
        assert done.exit_code == 1 or not done.stderr, command


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("puzzle", "blob"),
        ("puzzle", "file"),
        ("solution", "word"),
        ("seed", "digits"),
        ("grade", "word"),
        ("graded", "deep"),
        ("looks", "deep"),
        ("looks", "object"),
        ("looks", "not UTF-8"),
        ("certificate", "blob"),
        ("certificate", "word"),
        ("certificate", "nothing"),
        ("kind", "word"),
        ("rows", "word"),
        ("maker", "zero"),
        ("id", "negative"),
        ("request", "list"),
        ("name", "not UTF-8"),
    ],
)
def test_no_command_ends_in_a_traceback(path, command, column, value):
    put(path, column, value)
    assert run(*command).exit_code in (0, 1)


def test_the_text_of_a_puzzle_is_never_the_name_of_a_file(path):
    for name in ("board.txt", str(path.parent / "board.txt")):
        change(path, "UPDATE puzzle SET puzzle = ? WHERE id = 2", name)
        done = run("export", "c.sqlite")
        assert done.exit_code == 1
        assert "puzzle 2: " in done.stderr
        assert [one.puzzle for one in linkoracle.read_all(done.stdout)] == [BOARDS[0], BOARDS[2]]


def test_a_row_that_is_left_out_does_not_count_as_one_of_the_first(path):
    change(path, "UPDATE puzzle SET seed = 'x' WHERE id = 1")
    with Catalogue(path, readonly=True) as catalogue:
        errors = []
        assert [one.id for one in catalogue.find(limit=1, skipped=errors.append)] == [2]
        assert [str(error) for error in errors] == [
            f"{path}: puzzle 1: its seed is not a whole number"
        ]
        with pytest.raises(CatalogueError, match=r"puzzle 1: its seed is not a whole number"):
            list(catalogue.find())
        assert sum(group.puzzles for group in catalogue.stats(skipped=errors.append)) == 3


def test_a_rule_with_a_zero_byte_takes_no_others_along(path):
    change(path, "UPDATE puzzle SET variant = variant || char(0) || 'x' WHERE id = 2")
    with Catalogue(path, readonly=True) as catalogue:
        errors = []
        assert sum(group.puzzles for group in catalogue.stats(skipped=errors.append)) == 2
        assert [str(error) for error in errors] == [
            f"{path}: puzzle 2: its kind or variant is unknown"
        ]


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        (
            ["ALTER TABLE puzzle RENAME TO other", "CREATE VIEW puzzle AS SELECT * FROM other"],
            "the table puzzle is not the standard one",
        ),
        (["DROP TABLE maker"], "the table maker is missing"),
        (["ALTER TABLE puzzle DROP COLUMN steps"], "the table puzzle is not the standard one"),
        (["DROP INDEX same"], "the index same is missing"),
        (
            ["CREATE TRIGGER t AFTER UPDATE ON puzzle BEGIN DELETE FROM maker; END"],
            "there is a trigger 't', which no catalogue has",
        ),
        (["CREATE TABLE more (x)"], "there is a table 'more', which no catalogue has"),
    ],
)
def test_changed_tables_are_found(path, statements, said):
    file = sqlite3.connect(path)
    for statement in statements:
        file.execute(statement)
    file.close()
    done = run("check", "c.sqlite")
    assert done.exit_code == 1
    assert said in done.stdout.splitlines()
    usable = not said.startswith(("the table", "there is a trigger"))
    for command in COMMANDS:
        if command[0] == "check":
            continue
        done = run(*command)
        assert done.exit_code in ((0, 2) if usable else (2,)), command
        lines = done.stderr.splitlines()
        assert len(lines) == (done.exit_code == 2)
        assert usable or lines == [f"error: c.sqlite: {said}"]


@pytest.mark.parametrize("name", ["maker", "puzzle"])
def test_a_view_without_an_end_is_not_read(path, name):
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    columns = ", ".join(COLUMNS if name == "puzzle" else ("id", "request"))
    values = ", ".join("i" * len(columns.split()))
    file = sqlite3.connect(path)
    file.execute(f"DROP TABLE {name}")
    file.execute(f"CREATE VIEW {name} ({columns}) AS {endless} SELECT {values} FROM n")
    file.close()
    for command in COMMANDS:
        done = run(*command)
        output = done.stdout if command[0] == "check" else done.stderr
        assert f"the table {name} is not the standard one" in output
        assert done.exit_code == (1 if command[0] == "check" else 2)


@pytest.mark.parametrize(("condition", "lost"), [("1", [1, 2, 3]), (f"id = {CHANGED}", [CHANGED])])
def test_a_maker_that_is_deleted_takes_no_puzzle_along_unseen(path, condition, lost):
    change(path, f"DELETE FROM maker WHERE {condition}")
    said = [f"puzzle {one}: its maker is missing" for one in lost]
    done = run("check", "c.sqlite")
    assert (done.exit_code, done.stdout.splitlines()) == (1, said)
    for command in (["list"], ["list", "--json"], ["list", "--sample", "3", "--seed", "1"]):
        done = run(command[0], "c.sqlite", *command[1:])
        assert done.exit_code == 1
        assert len(done.stdout.splitlines()) == 3 - len(lost)
        assert done.stderr.splitlines() == [f"warning: c.sqlite: {line}" for line in said]


def test_a_new_maker_is_given_no_puzzles_of_another(path):
    """Numbers of makers that were deleted are not given again."""
    change(path, "DELETE FROM maker WHERE id > 1")
    with Catalogue(path) as catalogue:
        board = Slitherlink([[4]])
        assert catalogue.add(board, source={"command": "mine"})
        assert catalogue.add(Slitherlink([[4, None]]), source={"command": "mine"})
        found = list(catalogue.find(skipped=lambda _: None))
        assert [one.source["command"] for one in found] == ["generate slitherlink", "mine", "mine"]
        assert found[1].puzzle == board
    lost = [f"puzzle {one}: its maker is missing" for one in (2, 3)]
    assert run("check", "c.sqlite").stdout.splitlines() == lost


def test_makers_of_odd_numbers(path):
    """What stands in place of a number does not come in the way of the next one."""
    change(path, "UPDATE puzzle SET maker = 'junk' WHERE id = 1")
    change(path, "UPDATE puzzle SET maker = -5 WHERE id = 2")
    change(path, "DELETE FROM maker")
    with Catalogue(path) as catalogue:
        assert catalogue.add(Slitherlink([[4]]), source={"command": "mine"})
    file = sqlite3.connect(path)
    assert file.execute("SELECT id FROM maker").fetchall() == [(4,)]
    file.close()
    change(path, f"UPDATE puzzle SET maker = {2**63 - 1} WHERE id = 2")
    with Catalogue(path) as catalogue:
        assert catalogue.add(Slitherlink([[4, None]]), source={"command": "mine"})
        with pytest.raises(CatalogueError, match="expected ids of makers below"):
            catalogue.add(Slitherlink([[None, None, 4]]), source={"command": "another"})
        assert len(catalogue) == 5


@pytest.mark.parametrize("how", ["DELETE FROM maker", "UPDATE maker SET request = '[' || id"])
def test_puzzles_without_a_maker_are_named_whatever_maker_is_asked_for(path, how):
    change(path, f"{how} WHERE id = {CHANGED}")
    fault = "missing" if "DELETE" in how else "not a JSON object"
    said = f"warning: c.sqlite: puzzle {CHANGED}: its maker is {fault}"
    for words, fitting in (("slitherlink", 1), ("numberlink", 1), ("generate", 2), ("other", 0)):
        for more in ([], ["--sample", "9", "--seed", "1"], ["--limit", "9"]):
            done = run("list", "c.sqlite", "--source", words, *more)
            assert done.exit_code == 1
            assert len(done.stdout.splitlines()) == fitting
            assert done.stderr.splitlines() == [said]
        done = run("stats", "c.sqlite", "--source", words)
        assert (done.exit_code, done.stderr.splitlines()) == (1, [said])
        assert done.stdout.split()[-1] == str(fitting)
    # Filters that exclude this puzzle give no warning of it.
    done = run("list", "c.sqlite", "--source", "generate", "--kind", "numberlink")
    assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize("tries", [150, pytest.param(2000, marks=pytest.mark.heavy)])
def test_bytes_that_are_changed(path, tries):
    """A damaged file is reported in one line, or in one for each puzzle."""
    sound = path.read_bytes()
    for seed in range(tries):
        source, content = Random(seed), bytearray(sound)
        places = [source.randrange(len(content)) for _ in range(8)]
        place = next((place for place in places if content[place]), places[0])
        content[place] = source.choice((content[place] ^ 1 << source.randrange(8), 0, 255))
        path.write_bytes(content)
        for command in (("check", "c.sqlite"), COMMANDS[source.randrange(len(COMMANDS))]):
            done = run(*command)
            assert done.exit_code in (0, 1, 2), (seed, command)
            errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
            assert len(errors) == (done.exit_code == 2), (seed, command, done.stderr)


def test_a_file_that_says_that_none_may_write_it(tmp_path):
    """By the version of its format in byte 18 (https://www.sqlite.org/fileformat.html)."""
    path = tmp_path / "c.sqlite"
    made = next(slitherlinks(5, 5, seed=1))
    with Catalogue(path) as catalogue:
        catalogue.add(made.puzzle, made.solution)
    content = path.read_bytes()
    path.write_bytes(content[:18] + b"\xff" + content[19:])
    readonly = pytest.raises(CatalogueError, match="attempt to write a readonly database")
    with readonly, Catalogue(path) as catalogue:
        catalogue.add(next(slitherlinks(5, 5, seed=2)).puzzle)


def test_a_file_that_is_cut_has_an_end(tmp_path):
    """Where a page is missing SQLite reads zeros: rows with the id 0, with any filter."""
    path, whole, damaged = tmp_path / "c.sqlite", 20, 0
    with Catalogue(path) as catalogue:
        for made in islice(slitherlinks(5, 5, seed=1), whole):
            catalogue.add(made.puzzle, made.solution, name="n" * 400)
    content = path.read_bytes()
    for length in range(4096, len(content), 509):
        path.write_bytes(content[:length])
        seen = []
        for what in ("find", "faults", "stats"):
            try:
                with Catalogue(path, readonly=True) as catalogue:
                    if what == "faults":
                        seen += islice(catalogue.faults(), 10 * whole)
                    elif what == "find":
                        found = catalogue.find(skipped=AtMost(2 * whole))
                        seen += islice(found, 10 * whole)
                    else:
                        catalogue.stats(skipped=lambda _: None)
            except CatalogueError as error:
                damaged += str(error) == f"{path} is damaged: ids are not in order"
            assert len(seen) < 10 * whole, (length, what)
    assert damaged


def test_layout_statistics_of_another_puzzle_are_found(path):
    change(path, "UPDATE puzzle SET looks = (SELECT looks FROM puzzle WHERE id = 2) WHERE id = 1")
    change(path, "UPDATE puzzle SET looks = replace(looks, '0.5', 'NaN') WHERE id = 2")
    change(path, "UPDATE puzzle SET looks = NULL WHERE id = 3")
    with Catalogue(path, readonly=True) as catalogue:
        assert list(catalogue.faults()) == [
            "puzzle 1: its layout statistics are wrong",
            "puzzle 2: its layout statistics are invalid",
            "puzzle 3: its layout statistics are wrong",
        ]


def test_faults_of_puzzles_that_can_be_read(path):
    change(path, "UPDATE puzzle SET puzzle = '# more' || char(10) || puzzle WHERE id = 1")
    change(path, "UPDATE puzzle SET added = 'yesterday', steps = steps + 1 WHERE id = 2")
    change(path, "UPDATE puzzle SET name = ' a' WHERE id = 3")
    with Catalogue(path, readonly=True) as catalogue:
        assert list(catalogue.faults()) == [
            "puzzle 1: its text is not in the standard form",
            "puzzle 2: its time of addition is invalid",
            "puzzle 2: its label, steps and grade contradict each other",
            "puzzle 3: its name is not a line of text",
        ]


def test_lines_that_branch_are_a_fault():
    puzzle = Numberlink([[1, None, 1], [2, None, 2]])
    with Catalogue(None) as catalogue:
        assert catalogue.add(puzzle)
        catalogue._file.execute("UPDATE puzzle SET solution = '7f'")
        faults = list(catalogue.faults())
        assert faults
        assert all(fault.startswith("puzzle 1: ") for fault in faults)
        assert not any("layout" in fault for fault in faults)


def test_numbers_that_no_file_holds():
    with Catalogue(None) as catalogue:
        with pytest.raises(ValueError, match="expected a number from 1, got 0"):
            catalogue.add(BOARDS[0], number=0)
        with pytest.raises(ValueError, match=r"expected a seed, a whole number, got 1\.5"):
            catalogue.add(BOARDS[0], seed=1.5)
        with pytest.raises(ValueError, match="a seed of less than 4300 digits"):
            catalogue.add(BOARDS[0], seed=10**5000)
        with pytest.raises(CatalogueError, match=r"below 2\*\*63"):
            catalogue.set_grade(2**63, grade(BOARDS[0]))
        assert catalogue.add(BOARDS[0], seed=-(10**100))
        wide = linkoracle.catalogue.Filter(clues=(-(10**30), 10**30))
        assert [one.seed for one in catalogue.find(wide, limit=10**30)] == [-(10**100)]
        with pytest.raises(ValueError, match="expected a limit from 0, got -1"):
            catalogue.find(limit=-1)
        with pytest.raises(ValueError, match=r"expected a sample from 0, got 1\.5"):
            catalogue.find(sample=1.5)
