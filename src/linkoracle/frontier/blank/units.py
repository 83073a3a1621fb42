"""Counts on large blank boards: passes on any executor, stored in a file when finished."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linkoracle.batch import Processes
from linkoracle.batch.runs import Run
from linkoracle.core.limits import Deadline, Progress
from linkoracle.core.machine import default_limit, processors
from linkoracle.frontier.blank.counting import Answer, CountPlan, Residue, Runner
from linkoracle.frontier.blank.row_checkpoint import RowCheckpoint
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
