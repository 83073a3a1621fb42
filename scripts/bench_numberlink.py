"""Measure decisions of Numberlinks: both engines, and others, on the same puzzles in one run.

    python scripts/bench_numberlink.py puzzles.jsonl
    python scripts/bench_numberlink.py --methods auto,frontier,one_hot,graphillion --sample 20 \\
        puzzles.jsonl

Every decision has a process of its own, which is stopped after --timeout seconds and may use
--memory; imports and the compilation of kernels are not timed. The other methods are compared with
the first: "ratio" is the median, over the puzzles that both decided, of a method's time over that
of the first. Other methods are the functions of `numberlink_peers`; `one_hot` and
`graphillion` need the extra `bench`.
"""

from __future__ import annotations

import multiprocessing
import random
import resource
import statistics
import time
from collections import Counter
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path

import click

import linkoracle
import numberlink_peers
from linkoracle.core import parse_size
from linkoracle.kinds import Numberlink

STATUS = ("none", "unique", "many")

#: By the name of the puzzle: the answer, and its seconds.
Answers = dict[str, tuple[str, float]]


def decide(puzzle: Numberlink, method: str) -> str:
    if method in linkoracle.ENGINES:
        return linkoracle.decide(puzzle, engine=method).status
    return STATUS[getattr(numberlink_peers, method)(puzzle)]


def warm_up(method: str) -> None:
    """Import, load and compile what the method needs."""
    decide(Numberlink([[1, None, 1], [2, None, 2]]), method)


def child(puzzle: Numberlink, method: str, memory: int, to: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    warm_up(method)
    started = time.perf_counter()
    try:
        answer = decide(puzzle, method)
    except (MemoryError, linkoracle.MemoryLimit):
        answer = "memory"
    to.send((answer, time.perf_counter() - started))


def timed(puzzle: Numberlink, method: str, timeout: float, memory: int) -> tuple[str, float]:
    """Return the answer and the seconds it took, or why there is none."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=child, args=(puzzle, method, memory, sender))
    process.start()
    sender.close()
    try:
        # The time limit does not include loading.
        if receiver.poll(timeout + 10):
            answer, seconds = receiver.recv()
            return (answer, seconds) if seconds <= timeout else ("timeout", timeout)
        return "timeout", timeout
    except EOFError:
        return "memory", timeout
    finally:
        process.kill()
        process.join()


def report(
    method: str, answers: dict[str, tuple[str, float]], base: dict[str, tuple[str, float]]
) -> None:
    decided = {name: seconds for name, (status, seconds) in answers.items() if status in STATUS}
    times = sorted(decided.values()) or [0.0]
    shared = [decided[name] / base[name][1] for name in decided if base[name][0] in STATUS]
    counts = ", ".join(f"{n} {s}" for s, n in Counter(s for s, _ in answers.values()).items())
    print(
        f"{method:<12}{len(decided):>5} of {len(answers)} decided ({counts}); "
        f"median {statistics.median(times):.3f} s, 95 % {times[int(len(times) * 0.95)]:.2f} s, "
        f"most {times[-1]:.2f} s; ratio {statistics.median(shared or [0.0]):.1f}"
    )
    odd = [f"{name} {status}" for name, (status, _) in answers.items() if status != "unique"]
    print("            not unique or not decided:", ", ".join(odd) or "none")
    slow = sorted(decided.items(), key=lambda item: -item[1])[:8]
    print("            slowest:", ", ".join(f"{name} {seconds:.2f} s" for name, seconds in slow))


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--variant", type=click.Choice(["free", "fill"]), default="free", show_default=True)
@click.option("--methods", default="auto", show_default=True, help="Comma-separated, ours first.")
@click.option("--timeout", type=float, default=60.0, show_default=True, help="Seconds a puzzle.")
@click.option("--memory", default="8GB", show_default=True, help="Address space of a decision.")
@click.option("--least-cells", type=int, default=0, help="Skip smaller boards.")
@click.option("--most-cells", type=int, default=10**6, help="Skip larger boards.")
@click.option("--sample", type=int, help="Take this many, evenly over the sizes.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--each", is_flag=True, help="Print every answer as it comes.")
def main(
    file: str,
    variant: str,
    methods: str,
    timeout: float,
    memory: str,
    least_cells: int,
    most_cells: int,
    sample: int | None,
    seed: int,
    each: bool,
) -> None:
    entries = linkoracle.read_all(Path(file), kind="numberlink", variant=variant)
    chosen = [
        (entry.name or f"line {entry.line}", entry.puzzle)
        for entry in entries
        if isinstance(entry.puzzle, Numberlink)
        and least_cells <= entry.puzzle.rows * entry.puzzle.cols <= most_cells
    ]
    if sample is not None and sample < len(chosen):
        chosen.sort(key=lambda named: named[1].rows * named[1].cols)
        shares = [len(chosen) * k // sample for k in range(sample + 1)]
        pick = random.Random(seed).randrange
        chosen = [chosen[pick(a, b)] for a, b in pairwise(shares)]
    names = methods.split(",")
    for method in names:
        warm_up(method)
    answers: dict[str, Answers] = {method: {} for method in names}
    for name, puzzle in chosen:
        for method in names:
            answers[method][name] = timed(puzzle, method, timeout, parse_size(memory))
        if each:
            row = (f"{m} {a[name][0]} {a[name][1]:.3f} s" for m, a in answers.items())
            print(f"{name} {len(puzzle.pairs())} pairs:", ", ".join(row), flush=True)
        statuses = {a[name][0] for a in answers.values()} & set(STATUS)
        assert len(statuses) <= 1, f"the methods disagree on {name}"
    print(f"variant {variant}, {len(chosen)} puzzles, at most {timeout:g} s and {memory} each")
    for method in names:
        report(method, answers[method], answers[names[0]])


if __name__ == "__main__":
    main()
