"""Catalogues that an earlier version wrote: they are read as they are, and brought up to date."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from click.testing import CliRunner

from linkoracle import Slitherlink, certificate, solve
from linkoracle.catalogue import Catalogue, Filter
from linkoracle.catalogue.file import APPLICATION, SCHEMA
from linkoracle.cli.main import main
from linkoracle.core import CatalogueError
from linkoracle.generate import layout_statistics

#: The tables as version 1 made them, which stays as it is whatever comes later.
FIRST = (
    """CREATE TABLE maker (
    id INTEGER PRIMARY KEY,
    request TEXT NOT NULL UNIQUE
)""",
    """CREATE TABLE puzzle (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    rule TEXT NOT NULL,
    rows INTEGER NOT NULL,
    cols INTEGER NOT NULL,
    clues INTEGER NOT NULL,
    puzzle TEXT NOT NULL,
    solution TEXT NOT NULL,
    canonical TEXT NOT NULL,
    name TEXT,
    seed TEXT,
    number INTEGER,
    maker INTEGER NOT NULL REFERENCES maker (id),
    added TEXT NOT NULL,
    grade TEXT,
    steps INTEGER,
    graded TEXT
)""",
    "CREATE UNIQUE INDEX same ON puzzle (canonical)",
    "CREATE INDEX described ON puzzle (kind, rule, rows, cols, grade, clues)",
    f"PRAGMA application_id = {APPLICATION}",
    "PRAGMA user_version = 1",
    """INSERT INTO maker VALUES (1, '{"command": "mine", "version": "0"}')""",
    """INSERT INTO puzzle VALUES (1, 'slitherlink', 'loop', 2, 2, 2, 'slitherlink
33
..
', 'b7', 'slitherlink
..
33
', NULL, '5', 1, 1, '2026-01-01T00:00:00Z', NULL, NULL, NULL)""",
)
BOARD = Slitherlink([[3, 3], [None, None]])


#: What version 2 added.
SECOND = ("ALTER TABLE puzzle ADD COLUMN certificate BLOB", "PRAGMA user_version = 2")


def written(path, statements):
    file = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        file.execute(statement)
    file.close()
    return path


@pytest.fixture(params=[1, 2])
def version(request):
    return request.param


@pytest.fixture
def path(tmp_path, version):
    return written(tmp_path / "old.sqlite", FIRST + SECOND if version > 1 else FIRST)


def version_of(path):
    file = sqlite3.connect(path)
    ((version,),) = file.execute("PRAGMA user_version")
    file.close()
    return version


def run(*words):
    done = CliRunner().invoke(main, ["catalogue", *map(str, words)])
    assert "Traceback" not in done.output
    return done


def test_the_old_file_is_sound(path):
    """What is written above is what version 1 wrote."""
    with Catalogue(path, readonly=True) as catalogue:
        assert list(catalogue.faults()) == []
        (record,) = catalogue.find()
        assert (record.puzzle, record.solution, record.seed) == (BOARD, solve(BOARD), 5)


def test_readers_leave_an_old_file_as_it_is(path, version):
    before = path.read_bytes(), path.stat().st_mtime_ns
    path.chmod(0o444)
    for words in (["list"], ["list", "--json"], ["stats"], ["check"], ["export"]):
        assert run(words[0], path, *words[1:]).exit_code == 0
    done = run("export", path, "--certificates", path.parent / "proofs")
    assert (done.exit_code, done.stderr) == (1, f"warning: {path}: 1 puzzle has no certificate\n")
    with Catalogue(path, readonly=True) as catalogue:
        (record,) = catalogue.find(sample=1)
        assert not record.certified
        assert catalogue.certificate(record) is None
        assert record.layout == layout_statistics(BOARD)
        assert len(catalogue.stats(Filter(layout={"density": (0.5, 0.5), "threes": (1, 1)}))) == 1
        assert not catalogue.stats(Filter(layout={"zeros": (0.1, 1)}))
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert version_of(path) == version


@pytest.mark.parametrize("create", [True, False])
def test_writers_bring_it_up_to_date(path, create):
    with Catalogue(path, readonly=True) as early:
        Catalogue(path, create=create).close()
        # Somebody who reads it meanwhile can go on.
        assert [record.certified for record in early.find()] == [False]
    assert version_of(path) == SCHEMA
    with Catalogue(path) as catalogue:
        assert list(catalogue.faults()) == []
        (record,) = catalogue.find(Filter(layout={"density": (0.5, 0.5)}))
        assert (record.layout, record.seed, record.added) == (
            layout_statistics(BOARD),
            5,
            "2026-01-01T00:00:00Z",
        )
        assert not catalogue.add(BOARD)
        catalogue.set_certificate(1, certificate(BOARD))
        assert catalogue.add(Slitherlink([[4]]))
        assert [record.certified for record in catalogue.find()] == [True, False]
    done = run("certify", path)
    assert (done.exit_code, done.stdout) == (0, "1 certified\n")


#: Brings a file up to date, and is killed before the end, with pages of it on the disk.
KILLED = """
import os, signal, sys
from contextlib import contextmanager
from linkoracle.catalogue import Catalogue, file

@contextmanager
def transaction(connection):
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN IMMEDIATE")
    yield
    many = ((str(i) * 99,) for i in range(2000))
    connection.executemany("INSERT INTO maker (request) VALUES (?)", many)
    os.kill(os.getpid(), signal.SIGKILL)

file.transaction = transaction
Catalogue(sys.argv[1])
"""


def test_half_of_the_way_is_taken_back(path, version):
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)])
    assert done.returncode == -signal.SIGKILL
    assert path.with_name(path.name + "-journal").stat().st_size
    # The file is larger already.
    assert path.stat().st_size > 100_000
    with Catalogue(path, readonly=True) as catalogue:
        assert [record.puzzle for record in catalogue.find()] == [BOARD]
        assert list(catalogue.faults()) == []
    assert version_of(path) == version
    Catalogue(path).close()
    assert version_of(path) == SCHEMA


def test_several_at_once(path):
    def opened(_):
        with Catalogue(path) as catalogue:
            return len(catalogue)

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(opened, range(24))) == {1}
    with Catalogue(path) as catalogue:
        assert list(catalogue.faults()) == []


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("ALTER TABLE puzzle RENAME TO other", "no such table: puzzle"),
        ("PRAGMA user_version = -1", "later version of linkoracle (schema -1"),
    ],
)
def test_old_files_that_somebody_changed_are_refused(path, statement, said):
    file = sqlite3.connect(path)
    file.execute(statement)
    file.close()
    before = path.read_bytes()
    with pytest.raises(CatalogueError) as error:
        Catalogue(path)
    assert said in str(error.value)
    assert path.read_bytes() == before
    done = run("list", path)
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ("ALTER TABLE puzzle ADD COLUMN certificate BLOB", "duplicate column name: certificate"),
        ("CREATE TABLE before (x)", "another table or index with this name: before"),
    ],
)
def test_what_comes_in_the_way_stops_it(tmp_path, added, said):
    path = written(tmp_path / "old.sqlite", (*FIRST, added))
    with pytest.raises(CatalogueError, match=said):
        Catalogue(path)
    assert version_of(path) == 1


def test_certificates_move_along(tmp_path):
    proof = certificate(BOARD).data
    path = written(tmp_path / "old.sqlite", FIRST + SECOND)
    file = sqlite3.connect(path, isolation_level=None)
    file.execute("UPDATE puzzle SET certificate = ?", (proof,))
    file.close()
    with Catalogue(path) as catalogue:
        (record,) = catalogue.find()
        assert catalogue.certificate(record) == proof


@pytest.mark.parametrize("text", ["'no puzzle'", "x'ff00'", "CAST(x'ff' AS TEXT)", "''", "'g'"])
@pytest.mark.parametrize("column", ["puzzle", "solution"])
def test_puzzles_that_cannot_be_read_are_kept_as_they_are(path, column, text):
    """They get no layout statistics; `check` names them as before."""
    file = sqlite3.connect(path, isolation_level=None)
    file.execute(f"UPDATE puzzle SET {column} = {text}")
    file.close()
    early = run("check", path)
    assert early.exit_code == 1
    with Catalogue(path) as catalogue:
        assert len(catalogue) == 1
        assert catalogue.stats(Filter(layout={"density": (0, 1)})) == []
    assert version_of(path) == SCHEMA
    assert run("check", path).stdout == early.stdout
