"""Measure what a command costs beyond its work: first call after installation, and later ones.

Give the Python of one or more environments in which the package is installed; the others are
compared with the first. To measure first calls as users have them, install again before.

For each command: wall time of the first call; median wall and processor time of later calls, in
turns over the environments; the processor time of its work alone, a second call in one process; and
the later calls as a multiple of ``import numpy`` plus that work.

    python scripts/bench_start.py /tmp/old/bin/python /tmp/new/bin/python --times 11
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
BOARD = str(ROOT / "instances" / "slitherlink-10x10.txt")
#: Arguments of ``linkoracle``; the first word alone for a program of its own.
COMMANDS = {
    "count-solutions": ["count-solutions", BOARD],
    "grade": ["grade", BOARD],
    "loops 8 8": ["loops", "8", "8"],
    "generate slitherlink": ["generate", "slitherlink", "10", "10", "--seed", "1"],
    "... --difficulty easy": [
        *("generate", "slitherlink", "10", "10", "--seed", "1", "--difficulty", "easy"),
    ],
    "generate numberlink": ["generate", "numberlink", "8", "8", "--seed", "1"],
    "census board 3 3": ["census", "board", "3", "3"],
}
#: Runs a command twice in one process and prints the processor time of the second.
WORK = """
import contextlib, io, sys, time
from linkoracle.__main__ import count_solutions, main

def run():
    sys.argv = {arguments!r}
    entry = count_solutions if sys.argv[0] == "count-solutions" else main
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        entry()

run()
start = time.process_time()
run()
print(time.process_time() - start)
"""


def timed(command: list[str]) -> tuple[float, float]:
    """Return the wall and processor seconds of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, used


def command_of(python: str, words: list[str]) -> list[str]:
    programs = Path(python).parent
    if words[0] == "count-solutions":
        return [str(programs / words[0]), *words[1:]]
    return [str(programs / "linkoracle"), *words]


def work_of(python: str, words: list[str]) -> float:
    arguments = words if words[0] == "count-solutions" else ["linkoracle", *words]
    code = WORK.format(arguments=arguments)
    done = subprocess.run([python, "-c", code], check=True, capture_output=True, text=True)
    return float(done.stdout.split()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pythons", nargs="+", metavar="PYTHON")
    parser.add_argument("--times", type=int, default=11, help="later calls of each command")
    options = parser.parse_args()
    pythons: list[str] = options.pythons

    print(f"{'':24} {'first':>8} {'wall':>8} {'cpu':>8} {'work':>8} {'of numpy + work':>16}")
    first = {(p, n): timed(command_of(p, w))[0] for n, w in COMMANDS.items() for p in pythons}
    imports = {"import numpy": "import numpy", "import linkoracle": "import linkoracle"}
    plain = {
        name: {p: [timed([p, "-c", code]) for _ in range(options.times)] for p in pythons}
        for name, code in imports.items()
    }
    base = {p: median(wall for wall, _ in plain["import numpy"][p]) for p in pythons}
    for name, measured in plain.items():
        for python in pythons:
            wall, cpu = (median(column) for column in zip(*measured[python], strict=True))
            print(f"{name:24} {'':8} {wall:8.3f} {cpu:8.3f} {'':25} {python}")
    for name, words in COMMANDS.items():
        runs: dict[str, list[tuple[float, float]]] = {python: [] for python in pythons}
        for _ in range(options.times):
            for python in pythons:
                runs[python].append(timed(command_of(python, words)))
        for python in pythons:
            wall, cpu = (median(column) for column in zip(*runs[python], strict=True))
            work = median(work_of(python, words) for _ in range(3))
            share = wall / (base[python] + work)
            row = f"{name:24} {first[python, name]:8.3f} {wall:8.3f} {cpu:8.3f} {work:8.3f}"
            print(f"{row} {share:16.2f} {python}")


if __name__ == "__main__":
    main()
