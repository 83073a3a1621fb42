"""Data sets: triples of records in files, the same bytes for a seed however they are made.

**What is on the disk.** A folder has ``dataset.json``, with the request, and shards such as
``masyu-8x8-00000.jsonl``. A shard that is not full has the suffix ``.part``. The records of a
triple are appended to it by one system call, in the order of the triples; so a run that is killed
leaves whole triples and perhaps a torn one, which the next run cuts off before it goes on.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Any, Literal

from linkoracle import boards, generate
from linkoracle.batch import Serial, ordered
from linkoracle.batch.runs import check_same
from linkoracle.core import (
    Deadline,
    MissingExtra,
    NothingFound,
    Progress,
    RunError,
    SearchTimeout,
    atomic_write,
    cannot_write,
    checked_int,
    checked_word,
    source,
)
from linkoracle.dataset.records import MEANINGS, SCHEMA, json_schema, key_of, triple
from linkoracle.dataset.twins import Differ, find_twins
from linkoracle.formats import file_text, read_all
from linkoracle.generate import Graded

#: Attempts in turn without a new triple after which a part of a data set ends with an error.
_MOST_IN_VAIN = 300
#: Seconds for one triple. Those that take longer are left out: on another machine, it may be
#: others, so the limit is far above what triples take.
_SECONDS = 120.0
FileFormat = Literal["jsonl", "parquet"]
_FORMATS = ("jsonl", "parquet")
#: The name of the file with the request.
_HEADER = "dataset.json"


@dataclass(frozen=True)
class DataSet:
    """What a data set holds: ``count`` triples of each of the ``kinds`` in each of the ``sizes``.

    A size is text such as ``"6x6"``, or the words of a board such as ``"honeycomb 5 5"``, for kinds
    that have puzzles there. ``options`` are those of `linkoracle.generate.request_for`, such as
    ``difficulty`` and ``no_trial``. ``least_steps`` and ``differ`` are those of `find_twins`. Of
    ``test_sizes`` and ``test_kinds`` all triples are in the test of the splits by size and by kind;
    by default, that is the last size, and no kind. Puzzles equal to one of ``avoid``, hashes of
    puzzles, are left out. Raises ``ValueError`` for what cannot be made.

    >>> data = DataSet(["masyu"], ["6x6"], count=1, seed=1)
    >>> [one["part"] for one in next(data.triples("masyu", "6x6"))]
    ['unique', 'none', 'two']
    """

    kinds: Sequence[str]
    sizes: Sequence[str]
    count: int = 100
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    least_steps: int = 3
    differ: Differ = "any"
    test_sizes: Sequence[str] | None = None
    test_kinds: Sequence[str] = ()
    avoid: Collection[str] = frozenset()

    def __post_init__(self) -> None:
        checked_int(self.count, "a number of triples", 1)
        checked_int(self.seed, "a seed")
        checked_int(self.least_steps, "a number of steps", 0)
        checked_word(self.differ, "how two solutions differ", ("any", "few", "many"))
        if not self.kinds or not self.sizes:
            raise ValueError("expected at least one kind and one size")
        for kind in self.kinds:
            for size in self.sizes:
                self.request(kind, size)
        for name, chosen, known in (
            ("size", self.test_sizes or (), self.sizes),
            ("kind", self.test_kinds, self.kinds),
        ):
            for one in chosen:
                if one not in known:
                    raise ValueError(
                        f"expected a test {name} out of {', '.join(known)}, got {one!r}"
                    )

    def request(self, kind: str, size: str) -> Graded:
        """Return the request for the puzzles of a kind and a size."""
        rows, times, cols = size.partition("x")
        if times and rows.isdecimal() and cols.isdecimal():
            return generate.request_for(kind, int(rows), int(cols), **self.options)
        return generate.request_for(kind, board=boards.named(size), **self.options)

    def header(self) -> dict[str, Any]:
        """Return what identifies the data set: the request, and the version of linkoracle."""
        avoided = sha256("".join(sorted(self.avoid)).encode()).hexdigest() if self.avoid else ""
        return {
            "version": version("linkoracle"),
            "kinds": [*self.kinds],
            "sizes": [*self.sizes],
            "count": self.count,
            "seed": self.seed,
            "options": {name: str(value) for name, value in sorted(self.options.items())},
            "least_steps": self.least_steps,
            "differ": self.differ,
            "test_sizes": [*self.tested_sizes],
            "test_kinds": [*self.test_kinds],
            "avoid": avoided,
        }

    @property
    def tested_sizes(self) -> Sequence[str]:
        """The sizes whose puzzles are in the test of the split by size."""
        if self.test_sizes is not None:
            return self.test_sizes
        return self.sizes[-1:] if len(self.sizes) > 1 else ()

    def triple(self, kind: str, size: str, number: int) -> list[dict[str, Any]] | None:
        """Return the records of an attempt: a puzzle and its twins.

        A pure function of the data set and the arguments. ``None`` if the puzzle has no twins, or
        cannot be made. Raises `NothingFound` if the board has no puzzles as requested.
        """
        until = Deadline(_SECONDS)
        try:
            request = self.request(kind, size)
            made = generate.make(request, seed=self.seed, index=number, timeout=until.left)
            rng = source(self.seed, number)
            how = {"least_steps": self.least_steps, "differ": self.differ}
            found = find_twins(made.puzzle, made.solution, rng, timeout=until.left, **how)  # type: ignore[arg-type]
            about = {
                "seed": self.seed,
                "number": number,
                "size": "test" if size in self.tested_sizes else "train",
                "kind": "test" if kind in self.test_kinds else "train",
            }
            group = f"{kind}-{size.replace(' ', '_')}-{self.seed}-{number}"
            return triple(group, made.puzzle, made.solution, found, about, until)
        except SearchTimeout:
            return None

    def triples(
        self,
        kind: str,
        size: str,
        *,
        start: int = 0,
        known: set[str] | None = None,
        executor: Executor | None = None,
    ) -> Iterator[list[dict[str, Any]]]:
        """Yield triples without end, from the attempt ``start`` on, none of them equal to another.

        ``known`` are the hashes of puzzles to leave out; those that are yielded are added. Raises
        `NothingFound` when 300 attempts in turn give no new triple.
        """
        seen = {*self.avoid} if known is None else known
        work = partial(self.triple, kind, size)
        vain = 0
        with closing(ordered(executor or Serial(), work, count(start))) as found:
            for records in found:
                keys = {one["hash"] for one in records or ()}
                if not records or len(keys) < len(records) or not keys.isdisjoint(seen):
                    vain += 1
                    if vain == _MOST_IN_VAIN:
                        raise NothingFound(
                            f"{_MOST_IN_VAIN} attempts in turn gave no new triple of {kind} "
                            f"{size}: ask for fewer, for a larger size, or for less of the path"
                        )
                    continue
                vain = 0
                seen |= keys
                yield records


def write_dataset(
    data: DataSet,
    folder: str | os.PathLike[str],
    *,
    file_format: FileFormat = "jsonl",
    shard: int = 1000,
    resume: bool = False,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> list[Path]:
    """Write a data set into a folder, and return its shards.

    A shard has up to ``shard`` triples. The folder also gets a schema and a data card. The bytes
    depend on the data set and the shard size only, not on the ``executor`` or on interruptions.
    With ``resume``, goes on where an earlier call ended, whatever ended it. With the format
    ``"parquet"``, full shards are tables of Apache Parquet.

    Raises `RunError` for a folder that is not resumed, or was begun with another request;
    `MissingExtra` for Parquet without the extra ``dataset``; ``OSError`` if files cannot be
    written; and what `DataSet.triples` raises. Whatever is raised, what is written stays.
    """
    checked_word(file_format, "a format", _FORMATS)
    checked_int(shard, "triples of a shard", 1)
    if file_format == "parquet":
        _arrow()
    writer = _Writer(data, Path(folder), file_format, shard, resume=resume)
    total = len(data.kinds) * len(data.sizes) * data.count
    done = 0
    known = {*data.avoid}
    cells = [(kind, size) for kind in data.kinds for size in data.sizes]
    for kind, size in cells:
        known |= writer.begin(kind, size)
    for kind, size in cells:
        done += writer.done(kind, size)
        if writer.done(kind, size) < data.count:
            start = writer.next_number(kind, size)
            every = data.triples(kind, size, start=start, known=known, executor=executor)
            with closing(every):  # type: ignore[type-var]
                for records in every:
                    writer.add(kind, size, records)
                    done += 1
                    if progress is not None:
                        progress(f"{kind} {size}, {done:,} of {total:,} triples", done / total)
                    if writer.done(kind, size) == data.count:
                        break
    return writer.finish()


class _Writer:
    """The files of a data set in a folder."""

    def __init__(
        self, data: DataSet, folder: Path, file_format: FileFormat, shard: int, *, resume: bool
    ) -> None:
        self._data, self._folder, self._format, self._shard = data, folder, file_format, shard
        #: By kind and size: the triples in files, and the number of the next attempt.
        self._done: dict[tuple[str, str], int] = {}
        self._next: dict[tuple[str, str], int] = {}
        header = {**data.header(), "format": file_format, "shard": shard}
        path = folder / _HEADER
        try:
            folder.mkdir(exist_ok=True)
            if not path.exists():
                if any(folder.iterdir()):
                    raise RunError(f"{folder}: expected a new or an empty folder for a data set")
                self._write(_HEADER, json.dumps(header, indent=2) + "\n")
                return
            if not resume:
                raise RunError(f"{folder}: holds a data set. Resume it, or choose another folder")
            before = _header_in(path)
        except OSError as error:
            raise cannot_write(error, path) from None
        was, now = ({name: json.dumps(of[name]) for name in of} for of in (before, header))
        check_same(path, now, was)

    def _write(self, name: str, text: str) -> None:
        with atomic_write(self._folder / name) as file:
            file.write(text.encode())

    def _part(self, kind: str, size: str, number: int) -> Path:
        return self._folder / f"{kind}-{size.replace(' ', '_')}-{number:05}.jsonl.part"

    def _whole(self, part: Path) -> Path:
        suffix = "jsonl" if self._format == "jsonl" else "parquet"
        return part.with_name(part.name.removesuffix("jsonl.part") + suffix)

    def begin(self, kind: str, size: str) -> set[str]:
        """Find what is in the files of a kind and a size; return the hashes of these puzzles."""
        hashes: set[str] = set()
        done, following = 0, 0
        for shard in count():
            part = self._part(kind, size, shard)
            whole = self._whole(part)
            if whole.exists():
                # A table that was written before its rows were removed.
                part.unlink(missing_ok=True)
                rows = _rows_of(whole)
            elif part.exists():
                rows = _rows_of_part(part)
            else:
                break
            done += len(rows) // 3
            hashes.update(row["hash"] for row in rows)
            following = max([following, *(row["number"] + 1 for row in rows)])
            if not whole.exists() and self._is_full(done):
                self._close(part)
        self._done[kind, size], self._next[kind, size] = done, following
        return hashes

    def done(self, kind: str, size: str) -> int:
        return self._done[kind, size]

    def next_number(self, kind: str, size: str) -> int:
        return self._next[kind, size]

    def _is_full(self, done: int) -> bool:
        return done > 0 and (done % self._shard == 0 or done == self._data.count)

    def add(self, kind: str, size: str, records: list[dict[str, Any]]) -> None:
        """Append a triple."""
        done = self._done[kind, size]
        part = self._part(kind, size, done // self._shard)
        lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records).encode()
        try:
            with part.open("ab", buffering=0) as file:
                file.write(lines)
        except OSError as error:
            raise cannot_write(error, part) from None
        self._done[kind, size] = done + 1
        if self._is_full(done + 1):
            self._close(part)

    def _close(self, part: Path) -> None:
        """Give a full shard its name."""
        if self._format == "jsonl":
            part.replace(self._whole(part))
            return
        arrow, parquet = _arrow()
        rows = _rows_of(part)
        table = arrow.Table.from_pylist(rows, schema=_arrow_schema(arrow))
        with atomic_write(self._whole(part)) as file:
            parquet.write_table(table, file, compression="zstd")
        part.unlink()

    def finish(self) -> list[Path]:
        """Write the schema, the checksums and the data card; return the shards."""
        shards = sorted(
            path for path in self._folder.iterdir() if path.suffix in (".jsonl", ".parquet")
        )
        sums = "".join(f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in shards)
        self._write("schema.json", json_schema() + "\n")
        self._write("SHA256SUMS", sums)
        self._write("README.md", data_card(self._data, [path.name for path in shards]))
        return shards


def _header_in(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise RunError(f"{path}: not the header of a data set")
    return found


def _rows_of(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        _, parquet = _arrow()
        found: list[dict[str, Any]] = parquet.read_table(
            path, columns=["hash", "number"]
        ).to_pylist()
        return found
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _rows_of_part(path: Path) -> list[dict[str, Any]]:
    """Return the records of whole triples, and cut off what follows them."""
    data = path.read_bytes()
    lines = data.split(b"\n")[:-1]
    kept = lines[: len(lines) // 3 * 3]
    size = sum(len(line) + 1 for line in kept)
    if size < len(data):
        os.truncate(path, size)
    try:
        return [json.loads(line) for line in kept]
    except ValueError:
        raise RunError(f"{path}: changed by another program: expected a record a line") from None


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise MissingExtra("tables of Apache Parquet", "dataset") from None
    return pyarrow, parquet


def _arrow_schema(arrow: Any) -> Any:
    def typed(of: Any) -> Any:
        if isinstance(of, list):
            return arrow.list_(typed(of[0]))
        if isinstance(of, dict):
            return arrow.struct([(name, typed(one)) for name, one in of.items()])
        return arrow.int64() if of == "int" else arrow.string()

    return arrow.schema([(name, typed(of)) for name, of in SCHEMA.items()])


def hashes_in(paths: Sequence[str | os.PathLike[str]]) -> frozenset[str]:
    """Return the hashes of all puzzles in files, and in the files of folders, to avoid them.

    Raises `FormatError` for a file that cannot be read as puzzles.
    """
    found = set[str]()
    for path in map(Path, paths):
        files = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
        for file in files:
            text = file_text(str(file), str(file))
            if file.suffix == ".jsonl" and '"hash"' in text.partition("\n")[0]:
                found.update(json.loads(line)["hash"] for line in text.splitlines())
                continue
            found.update(key_of(entry.puzzle) for entry in read_all(text, name=str(file)))
    return frozenset(found)


def data_card(data: DataSet, names: Sequence[str]) -> str:
    """Return the page that says what a data set holds, how it was made, and what is not claimed."""
    made = data.header()
    rows = "\n".join(f"| `{name}` | {meaning} |" for name, meaning in MEANINGS.items())
    options = ", ".join(f"{name} = {value}" for name, value in made["options"].items()) or "none"
    return f"""---
license: cc0-1.0
configs:
- config_name: default
  data_files: "*.{names[0].rpartition(".")[2] if names else "jsonl"}"
---
# Loop and path puzzles with twins

{data.count:,} triples each of {", ".join(data.kinds)}, in the sizes {", ".join(data.sizes)}.
A triple is a puzzle with one solution and two twins of it, which differ from it in one clue: one
has no solution, the other exactly two. Each status has a proof, the member `proof`, which
`verify_certificate.py` of linkoracle checks without linkoracle.

Made by linkoracle {made["version"]}, seed {made["seed"]}; options of the puzzles: {options}. The
same version, seed and options make the same bytes. `SHA256SUMS` has the checksums.

| member | meaning |
| --- | --- |
{rows}

No two puzzles are equal, also up to turns and mirror images. All records of a triple are in one
split. `splits` answers four questions: `hash` is by chance; `size` and `kind` keep whole sizes or
kinds for the test; `path` keeps puzzles for the test that need more than simple steps.

What is not claimed: labels and scores are those of linkoracle's deduction, not of people; the path
is one of many; a puzzle may occur elsewhere by chance.

The puzzles were made by a program. They are in the public domain (CC0 1.0).
"""
