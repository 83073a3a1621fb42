"""What certificates cost: time to decide, time to make one, its size, time to verify, by size.

    python scripts/bench_certificates.py puzzles.jsonl --kind slitherlink --every 10

Times are of this process, after everything is loaded; each is the best of two. The table has
medians of the puzzles of each size, and in the last columns the greatest file and the longest
verification.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import linkoracle
from linkoracle.certificates import verify_certificate
from linkoracle.certificates.writing import record_of

#: For each size, longer side first: seconds to decide and to make, bytes, seconds to verify.
Rows = defaultdict[tuple[int, int], list[tuple[float, float, int, float]]]


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of the processor, and the result."""
    best = float("inf")
    for _ in range(2):
        begun = time.process_time()
        found = work()
        best = min(best, time.process_time() - begun)
    return best, found


def measure(asked: argparse.Namespace, rows: Rows) -> None:
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
            except (linkoracle.SearchTimeout, linkoracle.NoCertificate) as error:
                print(f"{entry.name}: {type(error).__name__}: {error}", flush=True)
                continue
            verify, (_, number, _) = timed(lambda: verify_certificate.verify(made.data, own))  # noqa: B023
            if number != len(made.solutions):
                raise SystemExit(f"{entry.name}: {number} solutions are verified")
            if number != 1:
                print(f"{entry.name}: {number} solutions", flush=True)
            size = sorted((puzzle.rows, puzzle.cols))
            rows[size[1], size[0]].append((decide, make, len(made.data), verify))


def print_table(rows: Rows) -> None:
    print(f"{sum(map(len, rows.values()))} puzzles are certified and verified")
    print("| size | puzzles | decide ms | make ms | ratio | bytes | verify ms | most bytes | ms |")
    print("| --- " * 9 + "|")
    for (longer, shorter), found in sorted(rows.items()):
        decide, make, size, verify = (statistics.median(one) for one in zip(*found, strict=True))
        ratio = statistics.median(one[1] / one[0] for one in found)
        most, slowest = max(one[2] for one in found), max(one[3] for one in found)
        print(
            f"| {shorter}x{longer} | {len(found)} | {1000 * decide:.1f} | {1000 * make:.1f} "
            f"| {ratio:.1f} | {size:.0f} | {1000 * verify:.1f} | {most} | {1000 * slowest:.0f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--kind")
    parser.add_argument("--rule")
    parser.add_argument("--largest", type=int, default=1000, help="longest side of a board")
    parser.add_argument("--every", type=int, default=1, help="take every N-th puzzle only")
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--limit", type=int, default=100, help="most solutions")
    asked = parser.parse_args()
    rows: Rows = defaultdict(list)
    try:
        measure(asked, rows)
    except KeyboardInterrupt:
        print("interrupted; until then:")
    print_table(rows)


if __name__ == "__main__":
    main()
