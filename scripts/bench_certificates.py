"""What certificates cost: time to decide, time to make one, its size, time to verify, by size.

    python scripts/bench_certificates.py puzzles.jsonl --kind slitherlink --every 10

Times are of the processor, in this process, after everything is loaded; each is the best of two,
but for work that takes more than a second. With ``--processes`` the same is asked of programs, each
started for one puzzle: `count-solutions --limit 2` and `linkoracle certify`. The table has medians
of the puzzles of each size, and in the columns "most" the greatest file and the longest
verification.
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
from linkoracle.certificates import verify_certificate
from linkoracle.certificates.writing import record_of

#: For each size, longer side first: what was measured of each puzzle, by column.
Rows = defaultdict[tuple[int, int], list[dict[str, float]]]
Result = TypeVar("Result")

#: Starts a program of ours as its console script does.
PROGRAM = "from linkoracle.__main__ import {0}; {0}()"


def children_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(
    work: Callable[[], Result], clock: Callable[[], float] = time.process_time
) -> tuple[float, Result]:
    """Seconds of the processor, and the result."""
    best = float("inf")
    for _ in range(2):
        begun = clock()
        found = work()
        best = min(best, clock() - begun)
        if best > 1:
            break
    return best, found


def in_processes(puzzle: Any, limit: int, timeout: float, folder: Path) -> dict[str, float]:
    """What programs take that are started to decide and to certify one puzzle."""
    file = folder / "puzzle.json"
    file.write_text(linkoracle.write(puzzle, "json"))
    asked = str(file), "--timeout", str(timeout), "--limit"
    programs = {
        "program decides ms": ("count_solutions", *asked, "2"),
        "certifies ms": ("main", "certify", *asked, str(limit), "-o", str(folder / "made")),
    }
    found = {}
    for column, (name, *arguments) in programs.items():
        command = [sys.executable, "-c", PROGRAM.format(name), *arguments]
        run = partial(subprocess.run, command, stdout=subprocess.DEVNULL, check=True)
        found[column] = 1000 * timed(run, children_time)[0]
    return found


def measure(asked: argparse.Namespace, rows: Rows, folder: Path) -> None:
    """Add what each puzzle costs, by size; names on standard output those that are not usual."""
    for file in asked.files:
        entries = linkoracle.read_all(Path(file), kind=asked.kind, rule=asked.rule)
        for entry in entries[:: asked.every]:
            puzzle, limits = entry.puzzle, {"timeout": asked.timeout}
            if max(puzzle.rows, puzzle.cols) > asked.largest:
                continue
            own = verify_certificate.Puzzle(record_of(puzzle))
            try:
                decide, _ = timed(lambda: linkoracle.certify(puzzle, **limits))  # noqa: B023
                make, made = timed(
                    lambda: linkoracle.certificate(puzzle, limit=asked.limit, **limits)  # noqa: B023
                )
                programs = {}
                if asked.processes:
                    programs = in_processes(puzzle, asked.limit, asked.timeout, folder)
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
    parser.add_argument("--rule")
    parser.add_argument("--largest", type=int, default=1000, help="longest side of a board")
    parser.add_argument("--every", type=int, default=1, help="take every N-th puzzle only")
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--limit", type=int, default=100, help="most solutions")
    parser.add_argument("--processes", action="store_true", help="measure whole programs, too")
    asked = parser.parse_args()
    rows: Rows = defaultdict(list)
    with TemporaryDirectory() as folder:
        try:
            measure(asked, rows, Path(folder))
        except KeyboardInterrupt:
            print("interrupted; until then:")
    print_table(rows)


if __name__ == "__main__":
    main()
