"""`Catalogue`: puzzles in a file, each with its solution, its grade and its maker, none twice."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from functools import lru_cache
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Self

from linkoracle.catalogue.file import opened, told, transaction
from linkoracle.catalogue.filters import GRADES, Filter
from linkoracle.catalogue.records import Record, key_of, number_of_clues, packed
from linkoracle.errors import CatalogueError
from linkoracle.formats import write
from linkoracle.puzzles import Puzzle
from linkoracle.solving import certify
from linkoracle.verify import violations

if TYPE_CHECKING:
    from linkoracle.deduce import Grade
    from linkoracle.model import Solution

#: Records that are read at once, so that a reader never keeps a writer waiting.
_PAGE = 500
_EVERYTHING = Filter()

_INSERT = """
INSERT INTO puzzle (
    kind, rule, rows, cols, clues, puzzle, solution, canonical,
    name, seed, number, maker, added, grade, steps, graded
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (canonical) DO NOTHING
"""
#: Not indexed: read in the order of ids, a page takes up where the last one ended.
_SELECT = """
SELECT puzzle.id, kind, rule, rows, cols, clues, puzzle, solution, canonical,
    name, seed, number, request, added, grade, steps, graded
FROM puzzle NOT INDEXED JOIN maker ON maker.id = puzzle.maker
"""
#: The columns above are the fields of a record, in this order.
_FIELDS = [field.name for field in fields(Record)]


@dataclass(frozen=True)
class Group:
    """The puzzles of a catalogue that share kind, rule, size and grade: how many, of which clues.

    ``grade`` is ``None`` for puzzles without a grade; ``fewest`` and ``most`` are numbers of clues,
    or of pairs.
    """

    kind: str
    rule: str
    rows: int
    cols: int
    grade: str | None
    puzzles: int
    fewest: int
    most: int


class Catalogue:
    """Puzzles in a file (``path`` ``None``: in memory), no two the same up to symmetry.

    Two Slitherlinks are the same when a turn or mirror image takes one to the other, as
    `linkoracle.puzzles.canonical` tells; in a Numberlink the names of numbers do not matter either.

    The file is made if there is none, unless ``readonly``, or not ``create``. Each puzzle is
    written in a transaction of its own: a program that is killed leaves whole puzzles. Several
    programs may write to one file at the same time. Use it as a context manager. Raises
    `CatalogueError` for a file that is no catalogue, and wherever it cannot be read or written.

    >>> from linkoracle import Slitherlink
    >>> with Catalogue(None) as catalogue:
    ...     catalogue.add(Slitherlink([[3, 3], [None, None]]))
    ...     Slitherlink([[None, None], [3, 3]]) in catalogue, len(catalogue)
    True
    (True, 1)
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None,
        *,
        readonly: bool = False,
        create: bool = True,
    ) -> None:
        self.path = None if path is None else Path(path)
        self._file = opened(self.path, writing=not readonly, create=create and not readonly)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Nothing waits to be written."""
        self._file.close()

    def __len__(self) -> int:
        return int(self._rows("SELECT count(*) FROM puzzle")[0][0])

    def __contains__(self, puzzle: object) -> bool:
        """Whether this puzzle is there, perhaps turned, mirrored or with other names."""
        key = key_of(puzzle)  # type: ignore[arg-type]
        return bool(self._rows("SELECT 1 FROM puzzle WHERE canonical = ?", key))

    def add(
        self,
        puzzle: Puzzle,
        solution: Solution | None = None,
        *,
        name: str | None = None,
        maker: Mapping[str, Any] | None = None,
        seed: int | None = None,
        number: int | None = None,
        grade: Grade | None = None,
    ) -> bool:
        """Add a puzzle; false if it is there already, which then stays as it is.

        A ``solution`` is checked, and taken to be the only one, as makers have proven. Without one
        the puzzle is certified first. ``maker`` is anything that JSON holds; the version of
        linkoracle is added. Raises ``ValueError`` for a wrong solution, and for a puzzle that does
        not have exactly one.
        """
        key = key_of(puzzle)
        if self._rows("SELECT 1 FROM puzzle WHERE canonical = ?", key):
            return False
        if solution is None:
            verdict = certify(puzzle)
            if not verdict.unique:
                many = "several solutions" if verdict.solutions else "no solution"
                raise ValueError(f"expected a puzzle with one solution, found {many}")
            solution = verdict.solutions[0]
        elif broken := violations(puzzle, solution):
            raise ValueError(f"the solution is wrong: {broken[0]}")
        request = json.dumps({**(maker or {}), "version": version("linkoracle")}, sort_keys=True)
        with told(self.path), transaction(self._file):
            self._file.execute("INSERT OR IGNORE INTO maker (request) VALUES (?)", (request,))
            (maker_id,) = self._file.execute(
                "SELECT id FROM maker WHERE request = ?", (request,)
            ).fetchone()
            values = (
                *(puzzle.kind, puzzle.rule, puzzle.rows, puzzle.cols, number_of_clues(puzzle)),
                *(write(puzzle, "text"), packed(solution), key),
                # Seeds have any number of digits, which numbers in the file have not.
                *(name, None if seed is None else str(seed), number, maker_id),
                *(datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), *_grading(grade)),
            )
            return self._file.execute(_INSERT, values).rowcount == 1

    def set_grade(self, id: int, grade: Grade) -> None:  # noqa: A002 - its name in `Record`
        """Write down the grade of a puzzle, in place of one that it may have."""
        with told(self.path), transaction(self._file):
            self._file.execute(
                "UPDATE puzzle SET grade = ?, steps = ?, graded = ? WHERE id = ?",
                (*_grading(grade), id),
            )

    def find(
        self,
        wanted: Filter = _EVERYTHING,
        *,
        limit: int | None = None,
        sample: int | None = None,
        seed: int | None = None,
    ) -> Iterator[Record]:
        """The puzzles that fit, in the order in which they came; at most ``limit``.

        ``sample`` is a number of puzzles to choose at random instead, all when there are no more;
        the same ``seed`` chooses the same out of the same file. Puzzles that are added meanwhile
        may be found, too.
        """
        if limit is not None and sample is not None:
            raise ValueError("expected a limit or a sample, got both")
        if sample is None:
            return islice(self._pages(wanted), limit)
        condition, values = wanted.condition(self._makers())
        rows = self._rows(f"SELECT id FROM puzzle WHERE {condition} ORDER BY id", *values)
        chosen = Random(seed).sample(rows, min(sample, len(rows)))
        return self._chosen(sorted(number for (number,) in chosen))

    def _pages(self, wanted: Filter) -> Iterator[Record]:
        last = 0
        while True:
            # Asked anew for each page, since another program may bring new makers.
            condition, values = wanted.condition(self._makers())
            rows = self._rows(
                f"{_SELECT} WHERE {condition} AND puzzle.id > ? ORDER BY puzzle.id LIMIT ?",
                *(*values, last, _PAGE),
            )
            if not rows:
                return
            last = rows[-1][0]
            yield from map(_record, rows)

    def _chosen(self, ids: list[int]) -> Iterator[Record]:
        for start in range(0, len(ids), _PAGE):
            some = ids[start : start + _PAGE]
            places = ", ".join("?" * len(some))
            yield from map(
                _record,
                self._rows(f"{_SELECT} WHERE puzzle.id IN ({places}) ORDER BY puzzle.id", *some),
            )

    def stats(self, wanted: Filter = _EVERYTHING) -> list[Group]:
        """How many puzzles there are of each kind, rule, size and grade, in this order."""
        condition, values = wanted.condition(self._makers())
        rows = self._rows(
            "SELECT kind, rule, rows, cols, grade, count(*), min(clues), max(clues) FROM puzzle "
            f"WHERE {condition} GROUP BY kind, rule, rows, cols, grade",
            *values,
        )
        groups = [Group(*row) for row in rows]
        order = {grade: place for place, grade in enumerate(GRADES)}
        return sorted(
            groups,
            key=lambda group: (
                *(group.kind, group.rule, group.rows, group.cols),
                order.get(group.grade or "", len(order)),
            ),
        )

    def faults(self) -> Iterator[str]:
        """What is wrong in the file, a sentence each: see `Record.faults`. Reads all of it."""
        for (line,) in self._rows("PRAGMA integrity_check"):
            if line != "ok":
                yield f"the file is damaged: {line}"
        for record in self.find():
            for fault in record.faults():
                yield f"puzzle {record.id}: {fault}"

    def _makers(self) -> dict[int, dict[str, Any]]:
        return {place: _parsed(text) for place, text in self._rows("SELECT id, request FROM maker")}

    def _rows(self, question: str, *values: Any) -> list[Any]:
        with told(self.path):
            return self._file.execute(question, values).fetchall()


def _grading(grade: Grade | None) -> tuple[str | None, int | None, str | None]:
    if grade is None:
        return None, None, None
    if grade.status == "no solution":
        raise CatalogueError("expected the grade of a puzzle with a solution")
    told_all = {**asdict(grade), "version": version("linkoracle")}
    return grade.label or grade.status, grade.total, json.dumps(told_all, sort_keys=True)


def _record(row: Any) -> Record:
    values: dict[str, Any] = dict(zip(_FIELDS, row, strict=True))
    if values["seed"] is not None:
        values["seed"] = int(values["seed"])
    values["maker"] = _parsed(values["maker"])
    if values["graded"] is not None:
        values["graded"] = json.loads(values["graded"])
    return Record(**values)


@lru_cache(maxsize=256)
def _parsed(request: str) -> dict[str, Any]:
    """A request; many puzzles come from one."""
    found: dict[str, Any] = json.loads(request)
    return found
