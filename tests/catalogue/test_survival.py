"""Catalogues whose writers are killed, or write at the same time."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from itertools import islice
from random import Random

import pytest

import linkoracle
from linkoracle.catalogue import Catalogue
from linkoracle.catalogue.record import key_of
from linkoracle.core import CatalogueError
from linkoracle.generate import slitherlinks
from tests.workers import Program, wait_until, worked

#: Adds made puzzles as fast as the disk takes them: a range of them, some of them turned.
WRITER = """
import sys
from linkoracle import read_all
from linkoracle.catalogue import Catalogue
source, target, start, stop, turns = sys.argv[1:]
entries = read_all(__import__("pathlib").Path(source))[int(start):int(stop)]
print("ready", flush=True)
sys.stdin.readline()
with Catalogue(target) as catalogue:
    print(sum(catalogue.add(entry.puzzle.rotate(int(turns))) for entry in entries))
"""


@pytest.fixture(scope="module")
def boards():
    return [made.puzzle for made in islice(slitherlinks(5, 5, seed=2), 150)]


@pytest.fixture
def source(tmp_path, boards):
    path = tmp_path / "puzzles.txt"
    path.write_text("\n".join(linkoracle.write(board, "text") for board in boards))
    return path


def writer(*arguments):
    return Program(
        [sys.executable, "-c", WRITER, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def go(*processes):
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()


def puzzles_in(path):
    """All puzzles of a file in which nothing is wrong."""
    if not path.exists():
        return []
    try:
        Catalogue(path, readonly=True).close()
    except CatalogueError:
        # Killed while it began: what it had written of the tables is taken back.
        assert path.stat().st_size == 0
        return []
    with Catalogue(path, readonly=True) as catalogue:
        assert list(catalogue.faults()) == []
        return [record.puzzle for record in catalogue.find()]


def test_a_writer_that_is_killed(tmp_path, source, boards):
    path = tmp_path / "catalogue.sqlite"
    random = Random(1)
    before, kills = [], 0
    while len(before) < 100 and kills < 20:
        with writer(source, path, 0, len(boards), 0) as process:
            go(process)
            # More work each time: some of it goes into the beginning.
            until = worked(process) + random.uniform(0, 0.05 * (kills + 1))
            wait_until(lambda: process.poll() is not None or worked(process) >= until)  # noqa: B023
            process.send_signal(signal.SIGKILL)
            process.stdout.read()
        # A fast machine may be done before.
        assert process.returncode in (-signal.SIGKILL, 0)
        kills += 1
        after = puzzles_in(path)
        # In order, so that the file has the first of the requested puzzles.
        assert after == boards[: len(after)]
        assert len(after) >= len(before)
        before = after
    assert before
    with writer(source, path, 0, len(boards), 0) as process:
        go(process)
        assert int(process.stdout.read()) == len(boards) - len(before)
    assert puzzles_in(path) == boards
    assert sorted(tmp_path.iterdir()) == [path, source]


def test_two_writers_at_once(tmp_path, source, boards):
    path = tmp_path / "catalogue.sqlite"
    third = len(boards) // 3
    with (
        writer(source, path, 0, 2 * third, 0) as one,
        writer(source, path, third, len(boards), 1) as other,
    ):
        go(one, other)
        new = int(one.stdout.read()), int(other.stdout.read())
    assert (one.returncode, other.returncode) == (0, 0)
    assert sum(new) == len(boards)
    assert min(new) >= third
    found = puzzles_in(path)
    assert sorted(map(key_of, found)) == sorted(map(key_of, boards))


def test_another_program_is_quicker(tmp_path, boards, monkeypatch):
    """The puzzle comes from elsewhere after it was looked for, and before it is written."""
    path = tmp_path / "catalogue.sqlite"
    turned = boards[0].rotate()

    def slow_check(puzzle, _):
        if puzzle == boards[0]:
            with Catalogue(path) as other:
                assert other.add(turned, linkoracle.solve(turned))
        return []

    monkeypatch.setattr("linkoracle.catalogue.catalogue.violations", slow_check)
    with Catalogue(path) as catalogue:
        assert not catalogue.add(boards[0], linkoracle.solve(boards[0]))
    assert puzzles_in(path) == [turned]


def test_a_reader_does_not_stop_a_writer(tmp_path, boards):
    path = tmp_path / "catalogue.sqlite"
    with Catalogue(path) as catalogue:
        catalogue.add(boards[0])
        catalogue.add(boards[1])
        with Catalogue(path, readonly=True) as reader:
            reading = reader.find()
            assert next(reading).puzzle == boards[0]
            assert catalogue.add(boards[2])
            assert [record.puzzle for record in reading] == boards[1:3]


#: Leaves what a killed writer leaves: pages of an unfinished transaction, and the journal.
KILLED = """
import os, signal, sqlite3, sys
path, *statements = sys.argv[1:]
file = sqlite3.connect(path, isolation_level=None)
file.execute("PRAGMA cache_size = 1")
file.execute("BEGIN")
for statement in statements:
    file.execute(statement)
file.executemany("INSERT INTO maker (request) VALUES (?)", ((str(i) * 99,) for i in range(2000)))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_half_a_beginning_is_taken_back(tmp_path, boards):
    path, whole = tmp_path / "catalogue.sqlite", tmp_path / "whole"
    tables = "CREATE TABLE maker (id INTEGER PRIMARY KEY, request TEXT)"
    subprocess.run([sys.executable, "-c", KILLED, str(path), tables])
    assert path.with_name(path.name + "-journal").stat().st_size
    # A beginning writes the first page before all others.
    Catalogue(whole).close()
    with path.open("r+b") as file:
        file.write(whole.read_bytes()[:4096])
    with pytest.raises(CatalogueError, match="it is empty"):
        Catalogue(path, readonly=True)
    with Catalogue(path) as catalogue:
        assert catalogue.add(boards[0])
    assert puzzles_in(path) == boards[:1]
    assert sorted(tmp_path.iterdir()) == [path, whole]


def test_half_a_transaction_is_taken_back(tmp_path, boards):
    path = tmp_path / "catalogue.sqlite"
    with Catalogue(path) as catalogue:
        catalogue.add(boards[0])
    arguments = [str(path), "DELETE FROM puzzle"]
    done = subprocess.run([sys.executable, "-c", KILLED, *arguments])
    assert done.returncode == -signal.SIGKILL
    assert path.with_name(path.name + "-journal").stat().st_size
    assert puzzles_in(path) == boards[:1]
    assert sorted(tmp_path.iterdir()) == [path]


def test_a_lock_that_stays_is_told(tmp_path, boards, monkeypatch):
    monkeypatch.setattr("linkoracle.catalogue.file._LOCK_SECONDS", 0.1)
    path = tmp_path / "catalogue.sqlite"
    with Catalogue(path) as catalogue:
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(CatalogueError, match="in use by another program"):
            catalogue.add(boards[0])
        holder.execute("ROLLBACK")
        holder.close()
        assert catalogue.add(boards[0])
