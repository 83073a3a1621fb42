"""Measure the speed of `linkoracle generate` in several processes, with the same puzzles.

    python scripts/bench_jobs.py
    python scripts/bench_jobs.py --size 30 --count 40 --jobs 1,2,4 --runs 5

Each run is a process of its own, from its start to its end, imports and the start of workers
included; the runs alternate, so that another load on the machine meets all. *Speed* is wall time
with the first number of jobs by wall time with this number, the median over the rounds. Processor
time is that of all processes; its growth is the cost of more jobs. *Machine* is the speed of as
many processes that only count, an upper bound. The program checks that the output is the same.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time

import click


def run(command: list[str]) -> tuple[float, float, str]:
    """Return the wall time, processor time and output of a process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return wall, used, done.stdout


def machine_speed(number: int) -> float:
    """Return how much more work ``number`` processes get done at a time than one."""
    walls = []
    for together in (1, number):
        started = time.perf_counter()
        counting = [
            subprocess.Popen([sys.executable, "-c", "for _ in range(10**7): pass"])
            for _ in range(together)
        ]
        for process in counting:
            process.wait()
        walls.append(time.perf_counter() - started)
    return number * walls[0] / walls[1]


@click.command()
@click.option("--kind", type=click.Choice(["slitherlink", "numberlink"]), default="slitherlink")
@click.option("--size", type=int, default=20, show_default=True, help="The side of the boards.")
@click.option("--count", type=int, default=50, show_default=True, help="Puzzles of a run.")
@click.option("--jobs", default="1,2", show_default=True, help="Numbers of processes to compare.")
@click.option("--runs", type=int, default=3, show_default=True, help="Runs of each.")
def main(kind: str, size: int, count: int, jobs: str, runs: int) -> None:
    numbers = [int(number) for number in jobs.split(",")]
    command = [
        sys.executable,
        "-m",
        "linkoracle",
        "generate",
        kind,
        str(size),
        str(size),
        "--seed",
        "0",
    ]
    command += ["--count", str(count)]
    walls: dict[int, list[float]] = {number: [] for number in numbers}
    used: dict[int, list[float]] = {number: [] for number in numbers}
    machine: dict[int, list[float]] = {number: [] for number in numbers}
    outputs = set()
    for _ in range(runs):
        for number in numbers:
            machine[number].append(machine_speed(number))
            wall, processor, output = run([*command, "--jobs", str(number)])
            walls[number].append(wall)
            used[number].append(processor)
            outputs.add(output)
    if len(outputs) != 1:
        raise click.ClickException("the output depends on the number of jobs")
    print(f"{count} {kind}s of {size}x{size} cells, {runs} runs each")
    print(f"{'jobs':>4}{'wall':>9}{'processor':>11}{'speed':>8}{'machine':>9}")
    first = walls[numbers[0]]
    for number in numbers:
        speed = statistics.median(
            one / wall for one, wall in zip(first, walls[number], strict=True)
        )
        middle = statistics.median(walls[number]), statistics.median(used[number])
        print(
            f"{number:>4}{middle[0]:>8.2f}s{middle[1]:>10.2f}s{speed:>8.2f}"
            f"{statistics.median(machine[number]):>9.2f}"
        )


if __name__ == "__main__":
    main()
