"""SQLite files of runs that another program changed: refused in one line, or the totals stay."""

from __future__ import annotations

import json
import sqlite3
from random import Random

import pytest
from click.testing import CliRunner

from linkoracle.batch.runs import Run
from linkoracle.census import BoardRun, board_census
from linkoracle.census.board import PartialCensus
from linkoracle.cli.main import main
from linkoracle.core import RunError

BOARD = 3, 3
UNITS = 6


@pytest.fixture(scope="module")
def whole():
    return board_census(*BOARD)


@pytest.fixture(autouse=True)
def small_units(monkeypatch):
    """So that a small board has `UNITS` of them."""
    monkeypatch.setattr("linkoracle.census.board._UNIT_SECONDS", 3e-6)


@pytest.fixture(scope="module", params=[3, UNITS], ids=["half", "whole"])
def sound(request, tmp_path_factory):
    """The bytes of a run with so many units finished."""
    path = tmp_path_factory.mktemp("sound") / "run.sqlite"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("linkoracle.census.board._UNIT_SECONDS", 3e-6)
        with BoardRun(*BOARD, path=path) as run:
            run.work(most=request.param)
            assert len(run._run.results()) == request.param
            assert len(run._run.missing()) == UNITS - request.param
    return path.read_bytes()


@pytest.fixture
def path(sound, tmp_path):
    path = tmp_path / "run.sqlite"
    path.write_bytes(sound)
    return path


def change(path, *statements):
    file = sqlite3.connect(path, isolation_level=None)
    try:
        for statement in statements:
            file.execute(statement)
    finally:
        file.close()


def refusal(path, whole):
    """What is said of a file that is refused, which stays as it is; ``None`` if the run goes on.

    Then it has to give the totals.
    """
    before = path.read_bytes()
    try:
        with BoardRun(*BOARD, path=path, resume=True) as run:
            assert run.work()
            assert run.census() == whole
    except RunError as error:
        said = str(error)
    else:
        return None
    assert str(path) in said
    assert "\n" not in said
    assert path.read_bytes() == before
    return said


def test_what_nobody_changed_goes_on(path, whole):
    assert refusal(path, whole) is None
    assert refusal(path, whole) is None


CHANGES = {
    "result": "UPDATE unit SET result = replace(result, '1', '2') WHERE number = 1",
    "one digit": "UPDATE unit SET result = replace(result, '\"barren\": ', '\"barren\": 1') "
    "WHERE number = 2",
    "spaces": "UPDATE unit SET result = result || ' ' WHERE number = 1",
    "no text": "UPDATE unit SET result = x'ff' WHERE number = 1",
    "not UTF-8": "UPDATE unit SET result = CAST(x'ff41' AS TEXT) WHERE number = 1",
    "seconds": "UPDATE unit SET seconds = seconds + 1 WHERE number = 1",
    "seconds in words": "UPDATE unit SET seconds = 'long' WHERE number = 1",
    "number": "UPDATE unit SET number = 4 + (SELECT max(number) FROM unit) WHERE number = 1",
    "negative": "UPDATE unit SET number = -1 WHERE number = 1",
    "copied": "UPDATE unit SET result = (SELECT result FROM unit WHERE number = 0) "
    "WHERE number = 1",
    "copied with its checksum": "UPDATE unit SET (result, seconds, checksum) = "
    "(SELECT result, seconds, checksum FROM unit WHERE number = 0) WHERE number = 1",
    "once more": "INSERT INTO unit SELECT 77, seconds, result, checksum FROM unit WHERE number = 0",
    "swapped": "UPDATE unit SET number = -1 - number",
    "checksum": "UPDATE unit SET checksum = replace(checksum, 'a', 'b')",
    "no checksum": "UPDATE unit SET checksum = ''",
    "rows": "UPDATE parameter SET value = '4' WHERE name = 'rows'",
    "more": "INSERT INTO parameter VALUES ('more', '1')",
    "less": "DELETE FROM parameter WHERE name = 'cols'",
    "fours": "UPDATE parameter SET value = 'true' WHERE name = 'fours'",
    "size": "UPDATE parameter SET value = '64' WHERE name = 'classes_a_unit'",
    "lines": "UPDATE parameter SET value = 'a' || char(10) || char(27) WHERE name = 'rows'",
    "blob": "UPDATE parameter SET value = x'00' WHERE name = 'rows'",
    "old": "DELETE FROM parameter WHERE name = 'format'",
    "no parameters": "DROP TABLE parameter",
    "no units": "DROP TABLE unit",
    "another table": "CREATE TABLE more (x)",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON unit BEGIN DELETE FROM unit; END",
    "an index": "CREATE INDEX i ON unit (result)",
}


ADVICE = ". Use the same options, or choose another file."


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_refused(path, whole, name):
    change(path, CHANGES[name])
    assert refusal(path, whole) is not None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("result", "unit 1 was changed by another program: its checksum does not match"),
        ("negative", "unit -1 was changed by another program: there are 6 units, from 0 on"),
        ("once more", "unit 77 was changed by another program: there are 6 units, from 0 on"),
        ("rows", "was begun with rows = 4, which is now 3" + ADVICE),
        ("lines", r"was begun with rows = 'a\\n\\x1b', which is now 3" + ADVICE),
        ("old", "was begun with format = nothing, which is now 2" + ADVICE),
        ("another table", ": not a run of linkoracle: it has other tables"),
    ],
)
def test_what_is_said(path, whole, name, said):
    change(path, CHANGES[name])
    assert refusal(path, whole).endswith(said.replace("\\\\", "\\"))


@pytest.mark.parametrize("which", ["number = 0", "number = 2", "number > 0", "1"])
def test_units_that_are_deleted_are_done_again(path, whole, which):
    change(path, f"DELETE FROM unit WHERE {which}")
    assert refusal(path, whole) is None


def test_two_units_that_change_places(path, whole):
    both = "UPDATE unit SET number = CASE number WHEN {} THEN {} ELSE number END"
    change(path, both.format(0, -5), both.format(1, 0), both.format(-5, 1))
    assert "unit 0 was changed" in refusal(path, whole)


def test_units_of_another_run(path, tmp_path, whole):
    """Of a board with the clue 4, whose units have the same numbers."""
    other = tmp_path / "other.sqlite"
    with BoardRun(*BOARD, fours=True, path=other) as run:
        run.work()
    change(
        path,
        f"ATTACH '{other}' AS other",
        "DELETE FROM unit",
        "INSERT INTO unit SELECT * FROM other.unit",
    )
    assert "unit 0 was changed" in refusal(path, whole)


def test_a_unit_twice_in_a_table_without_a_key(path, whole):
    """Each copy has a checksum that fits."""
    change(
        path,
        "ALTER TABLE unit RENAME TO old",
        "CREATE TABLE unit (number INTEGER, seconds REAL, result TEXT, checksum TEXT)",
        *["INSERT INTO unit SELECT * FROM old"] * 2,
        "DROP TABLE old",
    )
    assert "other tables" in refusal(path, whole)


def test_a_view_without_an_end_is_not_read(path, whole):
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, i FROM n"
    change(path, "DROP TABLE parameter", f"CREATE VIEW parameter (name, value) AS {endless}")
    assert "other tables" in refusal(path, whole)


def test_a_file_of_the_first_format(tmp_path, whole):
    path = tmp_path / "old.sqlite"
    with Run(path, {"census": "board"}, 1):
        pass
    change(
        path,
        "DELETE FROM parameter WHERE name = 'format'",
        "DROP TABLE unit",
        "CREATE TABLE unit (number INTEGER PRIMARY KEY, seconds REAL NOT NULL, "
        "result TEXT NOT NULL)",
        "INSERT INTO unit VALUES (0, 0.5, '{}')",
    )
    assert "begun with format = nothing, which is now 2" in refusal(path, whole)


@pytest.mark.parametrize("tries", [200, pytest.param(3000, marks=pytest.mark.heavy)])
def test_bytes_that_are_changed(path, sound, whole, tries):
    refused = 0
    for seed in range(tries):
        source, content = Random(seed), bytearray(sound)
        for _ in range(source.choice((1, 1, 1, 4))):
            # Pages are mostly empty; what is not zero says something.
            places = [source.randrange(len(content)) for _ in range(8)]
            place = next((place for place in places if content[place]), places[0])
            content[place] = source.choice((content[place] ^ 1 << source.randrange(8), 0, 255))
        path.write_bytes(content)
        refused += refusal(path, whole) is not None
    assert refused > tries / 3


def test_a_file_that_says_that_none_may_write_it(path, whole):
    """By the version of its format in byte 18 (https://www.sqlite.org/fileformat.html)."""
    change(path, "DELETE FROM unit WHERE number = 0")
    content = path.read_bytes()
    path.write_bytes(content[:18] + b"\xff" + content[19:])
    assert "not a run of linkoracle: attempt to write a readonly database" in refusal(path, whole)


def test_files_that_are_cut(path, sound, whole):
    for length in range(1, len(sound), 509):
        path.write_bytes(sound[:length])
        assert refusal(path, whole) is not None, length
    path.write_bytes(b"")
    assert refusal(path, whole) is None


def test_a_database_without_tables_is_no_beginning(path, whole):
    change(path, "DROP TABLE unit", "DROP TABLE parameter")
    assert "other tables" in refusal(path, whole)


def with_result(path, result):
    """Write this result in place of the first one, with a checksum that fits."""
    change(path, "DELETE FROM unit WHERE number = 0")
    with BoardRun(*BOARD, path=path, resume=True) as run:
        run._run.finish(0, 0.5, result)


def results():
    part = PartialCensus.nothing(9).as_json()
    some = {"fewest": [3, 0, 7], "largest": [-3, 0, 7], "richest": [-5, 0], "poorest": [5, 0]}
    yield from (None, [], 7, "a", {}, {**part, "more": 1}, [part])
    yield from ({key: value for key, value in part.items() if key != name} for name in part)
    for name in ("puzzles", "minimal", "puzzle_classes", "minimal_classes"):
        for wrong in (None, [], [0] * 9, [0] * 11, [-1] * 10, [0.5] * 10, ["a"] * 10, [True] * 10):
            yield {**part, name: wrong}
    yield from ({**part, "barren": wrong} for wrong in (None, -1, 0.5, "a", [], True))
    yield from ({**part, "records": wrong} for wrong in (None, [], 7, {"most": [1, 2]}))
    for name, record in some.items():
        for wrong in (None, [], record[:-1], [*record, 0], ["a", *record[1:]], [0.5, *record[1:]]):
            yield {**part, "records": {name: wrong}}
        for loop in (-1, 213, 10**30, None, 0.0):
            yield {**part, "records": {name: [record[0], loop, *record[2:]]}}
    for name in ("fewest", "largest"):
        for mask in (-1, 512, 10**30, None, 0.0):
            yield {**part, "records": {name: [3, 0, mask]}}


def test_results_that_can_be_none_are_refused(path):
    for result in results():
        with_result(path, result)
        with BoardRun(*BOARD, path=path, resume=True) as run:
            run.work()
            with pytest.raises(RunError, match=r": unit 0 was changed by another program: \w+"):
                run.census()


def test_what_is_no_json_is_refused(tmp_path):
    path = tmp_path / "run.sqlite"
    for text in ("", "{", "[" * 100_000):
        path.unlink(missing_ok=True)
        with Run(path, {}, 1) as run:
            values = 0, 0.5, text
            row = *values, run._sum(*values)
            run._file.execute("INSERT INTO unit VALUES (?, ?, ?, ?)", row)
            with pytest.raises(RunError, match=r"unit 0 was changed .* cannot be read"):
                run.results()


def test_the_command_ends_in_one_line(path):
    change(path, CHANGES["result"])
    before = path.read_bytes()
    for more in ([], ["--units", "0"], ["--json"], ["--jobs", "2"]):
        arguments = ["census", "board", "3", "3", "--resume", "--checkpoint", str(path), *more]
        done = CliRunner().invoke(main, arguments)
        assert (done.exit_code, done.stdout) == (2, "")
        (line,) = done.stderr.splitlines()
        assert line == (
            f"error: {path}: unit 1 was changed by another program: its checksum does not match"
        )
        assert path.read_bytes() == before


def test_the_command_takes_what_is_left(path, whole):
    change(path, "DELETE FROM unit WHERE number = 1")
    arguments = ["census", "board", "3", "3", "--resume", "--checkpoint", str(path), "--json"]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0
    assert json.loads(done.stdout)["puzzles"] == list(whole.puzzles)


def test_a_file_with_an_odd_name_is_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in (":memory:", "a?b#c%20d", "file:x"):
        done = CliRunner().invoke(main, ["census", "board", "2", "2", "--checkpoint", name])
        assert done.exit_code == 0
        assert (tmp_path / name).stat().st_size
