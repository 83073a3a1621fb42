"""Measure certificates by size: time to decide, time to certify, bytes, time to verify.

    python scripts/bench_certificates.py puzzles.jsonl --kind slitherlink --every 10

Times are processor time, in this process, after everything is loaded; each is the best of two, but
for work that takes more than a second. ``--processes`` also measures programs, started for each
puzzle: `count-solutions --limit 2` and `linkoracle certify`. The table has medians of the
puzzles of each size, and in the columns "most" the largest file and the longest verification.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import linkoracle
from linkoracle.certificates import record_of, verify_certificate

#: For each size, longer side first: the measurements of each puzzle, by column.
Rows = defaultdict[tuple[int, int], list[dict[str, float]]]
Result = TypeVar("Result")

#: Starts one of our programs like its console script.
PROGRAM = "from linkoracle.__main__ import {0}; {0}()"


def children_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(
    work: Callable[[], Result], clock: Callable[[], float] = time.process_time
) -> tuple[float, Result]:
    """Return the seconds of processor time, and the result."""
    best = float("inf")
    for _ in range(2):
        begun = clock()
        found = work()
        best = min(best, clock() - begun)
        if best > 1:
            break
    return best, found


def in_processes(puzzle: Any, limit: int, timeout: float, folder: Path) -> dict[str, float]:
    """Return the times of programs that decide and certify one puzzle."""
    file = folder / "puzzle.json"
    file.write_text(linkoracle.write(puzzle, "json"))
    given = str(file), "--timeout", str(timeout), "--limit"
    programs = {
        "program decides ms": ("count_solutions", *given, "2"),
        "certifies ms": ("main", "certify", *given, str(limit), "-o", str(folder / "made")),
    }
    found = {}
    for column, (name, *arguments) in programs.items():
        command = [sys.executable, "-c", PROGRAM.format(name), *arguments]
        run = partial(subprocess.run, command, stdout=subprocess.DEVNULL, check=True)
        found[column] = 1000 * timed(run, children_time)[0]
    return found


def measure(options: argparse.Namespace, rows: Rows, folder: Path) -> None:
    """Add the times of each puzzle, by size; print the names of failures and ambiguous puzzles."""
    for file in options.files:
        entries = linkoracle.read_all(Path(file), kind=options.kind, variant=options.variant)
        for entry in entries[:: options.every]:
            puzzle, limits = entry.puzzle, {"timeout": options.timeout}
            if max(puzzle.rows, puzzle.cols) > options.largest:
                continue
            own = verify_certificate.Puzzle(record_of(puzzle))
            try:
                decide, _ = timed(lambda: linkoracle.decide(puzzle, **limits))  # noqa: B023
                make, made = timed(
                    lambda: linkoracle.certificate(puzzle, limit=options.limit, **limits)  # noqa: B023
                )
                programs = {}
                if options.processes:
                    programs = in_processes(puzzle, options.limit, options.timeout, folder)
            except (
                linkoracle.SearchTimeout,
                linkoracle.NoCertificate,
                subprocess.CalledProcessError,
            ) as error:
                print(f"{entry.name}: {type(error).__name__}: {error}", flush=True)
                continue
            verify, (_, number, _) = timed(lambda: verify_certificate.verify(made.data, own))  # noqa: B023
            if number != len(made.solutions):
                raise SystemExit(f"{entry.name}: {number} solutions are verified")
            if number != 1:
                print(f"{entry.name}: {number} solutions", flush=True)
            size = sorted((puzzle.rows, puzzle.cols))
            found: dict[str, float] = {
                "decide ms": 1000 * decide,
                "make ms": 1000 * make,
                "ratio": make / decide,
                "bytes": len(made.data),
                "verify ms": 1000 * verify,
            }
            rows[size[1], size[0]].append(found | programs)


def print_table(rows: Rows) -> None:
    print(f"{sum(map(len, rows.values()))} puzzles are certified and verified")
    columns = list(next(iter(rows.values()))[0]) if rows else []
    print("| size | puzzles |", *(f"{name} |" for name in [*columns, "most bytes", "ms"]))
    print("| --- " * (len(columns) + 4) + "|")
    for (longer, shorter), found in sorted(rows.items()):
        middle = [statistics.median(one[name] for one in found) for name in columns]
        most = [max(one[name] for one in found) for name in ("bytes", "verify ms")]
        numbers = (f"{one:.0f} |" if one >= 100 else f"{one:.1f} |" for one in [*middle, *most])
        print(f"| {shorter}x{longer} | {len(found)} |", *numbers)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--kind")
    parser.add_argument("--variant")
    parser.add_argument("--largest", type=int, default=1000, help="longest side of a board")
    parser.add_argument("--every", type=int, default=1, help="take every N-th puzzle only")
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--limit", type=int, default=100, help="most solutions")
    parser.add_argument("--processes", action="store_true", help="measure whole programs, too")
    options = parser.parse_args()
    rows: Rows = defaultdict(list)
    with TemporaryDirectory() as folder:
        try:
            measure(options, rows, Path(folder))
        except KeyboardInterrupt:
            print("interrupted; until then:")
    print_table(rows)


if __name__ == "__main__":
    main()
