"""Counts on large blank boards: passes on any executor, stored in a file when finished.

Beside it, files keep the last row of long passes. `linkoracle.frontier.count` loads this module for
its options ``executor``, ``store`` and ``spill`` only.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkoracle.batch import Processes
from linkoracle.batch.runs import Checkpoint, Run
from linkoracle.core import Deadline, Progress, RunError, default_limit, processors
from linkoracle.frontier.blank.board import NUMBER_BYTES
from linkoracle.frontier.blank.counting import Answer, CountPlan, Residue, Runner
from linkoracle.frontier.blank.passes import Allocate, Row
from linkoracle.frontier.running import finished

#: Short passes are grouped into units, because each unit rebuilds the tables. A unit has at most
#: this many words, which takes a few seconds, and there are at least this many units.
_MOST_UNIT_WORDS, _LEAST_UNITS = 1 << 32, 64


def answer_in_units(
    plan: CountPlan[Answer],
    *,
    executor: Executor | None = None,
    store: Path | None = None,
    resume: bool = False,
    spill: Path | None = None,
    memory: int | None = None,
    deadline: Deadline | None = None,
    progress: Progress | None = None,
) -> Answer:
    """Answer a count; `linkoracle.frontier.count` explains the arguments."""
    board, jobs = plan.board, plan.passes
    size = max(1, min(_MOST_UNIT_WORDS // board.work, len(jobs) // _LEAST_UNITS))
    parameters = {
        "asked": plan.name,
        "shape": board.form,
        "vertices": [board.height, board.width],
        "cover": board.cover,
        "ends": board.ends,
        "passes": len(jobs),
        "passes_a_unit": size,
        "least_prime": jobs[-1].prime,
    }
    deadline = deadline or Deadline(None)
    # Processes of this machine share its memory and processors; remote workers have their own.
    here = executor.workers if isinstance(executor, Processes) else 1
    if here > 1:
        memory = (memory if memory is not None else 2 * default_limit()) // here
    threads = processors() // here if executor is None or here > 1 else 1
    units = [jobs[first : first + size] for first in range(0, len(jobs), size)]
    with Run(store, parameters, len(units), resume=resume) as run:
        kept = None if store is None else _Kept(store.absolute(), parameters)
        work = _Units(units, deadline.left, max(1, threads), memory, spill, kept)

        def report(line: str, share: float | None) -> None:
            if kept is not None:
                kept.tidy(set(range(run.units)) - set(run.missing()))
            if progress is not None:
                progress(line, share)

        def row_progress(line: str, share: float | None) -> None:
            if progress is not None:
                done = run.units - len(run.missing())
                progress(f"{run.estimate()}, {line}", (done + (share or 0)) / run.units)

        if executor is None:
            work.progress = row_progress
        report("", None)
        run.work(work, executor=executor, progress=report)
        residues = _residues(run, units)
    return plan.answer(residues)


def _residues(run: Run, units: list[list[Residue]]) -> list[int]:
    """Return the residues of a finished run, in order."""
    found: list[int] = []
    for number, (unit, result) in enumerate(zip(units, run.results(), strict=True)):
        if not isinstance(result, list) or [*map(type, result)] != [int] * len(unit):
            raise run.damaged(number, "expected a residue for each pass")
        found += result
    return found


@dataclass(frozen=True)
class _Kept:
    """Files beside the store with the last rows of unfinished passes."""

    store: Path
    parameters: dict[str, Any]

    def _path(self, unit: int) -> Path:
        return self.store.with_name(f"{self.store.name}.pass{unit}")

    def row(self, unit: int) -> RowCheckpoint | None:
        """Return the file of a pass; ``None`` on a machine without the store."""
        if not self.store.is_file():
            return None
        return RowCheckpoint(self._path(unit), {**self.parameters, "unit": unit})

    def tidy(self, finished: set[int]) -> None:
        """Remove the files of finished passes."""
        for unit in finished:
            self._path(unit).unlink(missing_ok=True)


@dataclass
class _Units:
    """Computes a unit: some passes, or a long one with a checkpoint."""

    units: list[list[Residue]]
    #: Seconds left when a process receives this.
    timeout: float | None
    threads: int
    memory: int | None
    spill: Path | None
    kept: _Kept | None
    #: Set in this process only.
    progress: Progress | None = None

    def __post_init__(self) -> None:
        self._deadline = Deadline(self.timeout)

    def __reduce__(self) -> tuple[Any, ...]:
        # Clocks differ from machine to machine.
        left = self._deadline.left
        return _Units, (self.units, left, self.threads, self.memory, self.spill, self.kept)

    def __call__(self, number: int) -> list[int]:
        jobs = self.units[number]
        board = jobs[0].board
        runner = Runner(
            board,
            memory=self.memory,
            threads=self.threads,
            deadline=self._deadline,
            spill=self.spill,
        )
        kept = self.kept.row(number) if self.kept is not None and len(jobs) == 1 else None
        return finished(runner.residues(jobs, kept), progress=self.progress)


#: Seconds of work between two checkpoints.
_EVERY_SECONDS = 60.0
#: The least ratio of that time to the time that the last checkpoint took.
_RATIO = 20


class RowCheckpoint:
    """The file with the last row of one pass; ``parameters`` identify the pass.

    Raises what `linkoracle.batch.runs.Checkpoint` does.
    """

    def __init__(self, path: Path, parameters: Mapping[str, Any]) -> None:
        self._file = Checkpoint(path, parameters, resume=True)
        self._next = time.monotonic() + _EVERY_SECONDS

    def load(self, allocate: Allocate) -> Row | None:
        """Return the last saved row, or ``None``."""
        arrays = self._file.load(partial(_array, allocate))
        if arrays is None:
            return None
        try:
            rows, labels, answer = arrays["reached"].tolist()
            return Row(rows, labels, answer, arrays["words"].data)
        except (KeyError, ValueError):
            raise RunError(f"{self._file.path}: not a row of a pass") from None

    def save(self, row: Row) -> None:
        """Replace the last saved row if that is old enough."""
        started = time.monotonic()
        if started < self._next:
            return
        reached = np.array([row.rows, row.labels, row.answer], dtype=np.uint64)
        self._file.save({"reached": reached, "words": np.asarray(row.words)})
        ended = time.monotonic()
        self._next = ended + max(_EVERY_SECONDS, _RATIO * (ended - started))


def _array(allocate: Allocate, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return an array in the memory of allocated numbers."""
    size = prod(shape) * dtype.itemsize
    room = allocate(-(-size // NUMBER_BYTES)).cast("B")
    return np.frombuffer(room, np.uint8, size).view(dtype).reshape(shape)
