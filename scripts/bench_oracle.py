"""Measure how fast uniqueness is decided, over a file of puzzles, beside other ways.

    python scripts/bench_oracle.py --kind slitherlink puzzles.jsonl
    python scripts/bench_oracle.py --kind slitherlink --solvers cadical195,glucose4 puzzles.jsonl
    python scripts/bench_oracle.py --kind slitherlink --peers --least-cells 600 puzzles.jsonl
    python scripts/bench_oracle.py --kind numberlink --variant fill --timeout 10 puzzles.jsonl

Reports, for every requested solver: puzzles per second, the share of the time outside the SAT
solver's own search, the answers, the slowest ten. With --peers it decides a sample of the same
puzzles in the same run by OR-Tools' AddCircuit (extra `bench`) and by textbook lazy cuts, and
prints the ratios of the times.
"""

from __future__ import annotations

import statistics
import time
from collections import Counter
from dataclasses import dataclass, field

import click

import linkoracle
import peers
from linkoracle.engines import LazySearch
from linkoracle.engines.answers import DEFAULT_SOLVER
from linkoracle.formats import Entry
from linkoracle.kinds import Puzzle
from measuring import named_entries


@dataclass
class Run:
    """Measurements of one pass over the puzzles; times in seconds."""

    solver: str
    seconds: dict[str, float] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    searching: float = 0.0
    rounds: int = 0
    cuts: int = 0


def decide(entries: list[Entry], solver: str, timeout: float | None) -> Run:
    run = Run(solver)
    plain_solve = LazySearch._solve

    def timed_solve(self: LazySearch, *arguments: object) -> bool:
        started = time.perf_counter()
        try:
            return plain_solve(self, *arguments)  # type: ignore[arg-type]
        finally:
            run.searching += time.perf_counter() - started

    LazySearch._solve = timed_solve  # type: ignore[method-assign]
    try:
        for entry in entries:
            started = time.perf_counter()
            # A copy without the model that an earlier pass may have left on the puzzle.
            puzzle: Puzzle = entry.puzzle.rotate(0).reflect().reflect()
            with linkoracle.Oracle(puzzle.model, solver=solver) as oracle:
                try:
                    answer = oracle.ask(timeout=timeout).status
                except linkoracle.SearchTimeout:
                    answer = "timeout"
                run.rounds += oracle.rounds
                run.cuts += oracle.cuts
            run.seconds[str(entry.name)] = time.perf_counter() - started
            run.answers[str(entry.name)] = answer
    finally:
        LazySearch._solve = plain_solve  # type: ignore[method-assign]
    return run


def report(run: Run) -> None:
    times = sorted(run.seconds.values())
    total = sum(times)
    number = len(times)
    print(f"\n{run.solver}: {number} puzzles in {total:.2f} s, {number / total:.1f} per second")
    print(
        f"  mean {total / number * 1e3:.2f} ms, median {statistics.median(times) * 1e3:.2f} ms, "
        f"95 % {times[int(number * 0.95)] * 1e3:.2f} ms"
    )
    print(f"  outside the solver's search: {1 - run.searching / total:.0%}")
    print(f"  per puzzle: {run.rounds / number:.1f} rounds, {run.cuts / number:.1f} cuts")
    print(
        "  answers:", ", ".join(f"{n} {name}" for name, n in Counter(run.answers.values()).items())
    )
    odd = [name for name, answer in run.answers.items() if answer not in ("unique", "timeout")]
    print("  not unique:", ", ".join(odd[:20]) or "none")
    slowest = sorted(run.seconds.items(), key=lambda item: -item[1])[:10]
    print("  slowest:", ", ".join(f"{name} {seconds * 1e3:.0f} ms" for name, seconds in slowest))


def compare(entries: list[Entry], ours: Run, limit: float) -> None:
    ratios: dict[str, list[float]] = {"AddCircuit": [], "textbook": []}
    print(f"\n{'puzzle':<20}{'size':>8}{'ours':>10}{'textbook':>11}{'AddCircuit':>12}")
    names = {0: "none", 1: "unique", 2: "many"}
    for entry in entries:
        name = str(entry.name)
        mine = ours.seconds[name]
        started = time.perf_counter()
        counted = peers.textbook(entry.puzzle)
        plain = time.perf_counter() - started
        assert names[counted] == ours.answers[name], f"textbook disagrees on {name}"
        started = time.perf_counter()
        circuit_count = peers.add_circuit(entry.puzzle, limit)
        circuit = time.perf_counter() - started
        if circuit_count is not None:
            assert names[circuit_count] == ours.answers[name], f"AddCircuit disagrees on {name}"
        ratios["textbook"].append(plain / mine)
        ratios["AddCircuit"].append(circuit / mine)
        size = f"{entry.puzzle.rows}x{entry.puzzle.cols}"
        stopped = ">" if circuit_count is None else ""
        print(
            f"{name:<20}{size:>8}{mine * 1e3:>8.1f}ms{plain * 1e3:>9.1f}ms"
            f"{stopped:>2}{circuit:>9.2f}s",
            flush=True,
        )
    for peer, values in ratios.items():
        print(
            f"{peer}: {statistics.median(values):.1f} times our time in the median, "
            f"{min(values):.1f} to {max(values):.1f}"
        )


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--kind", type=click.Choice(["slitherlink", "numberlink"]))
@click.option("--variant", type=click.Choice(["free", "fill"]))
@click.option("--solvers", default=DEFAULT_SOLVER, help="PySAT solvers, separated by commas.")
@click.option("--timeout", type=float, help="Seconds a puzzle.")
@click.option("--least-cells", type=int, default=0, help="Leave out smaller boards.")
@click.option("--most-cells", type=int, default=10**9, help="Leave out larger boards.")
@click.option("--sample", type=int, help="Take every N-th puzzle only.")
@click.option("--peers", "with_peers", is_flag=True, help="Run the peers on the same puzzles.")
@click.option("--peer-timeout", type=float, default=60, help="Seconds a puzzle for AddCircuit.")
@click.option("--repeat", type=int, default=1, help="Passes over the puzzles, to see the noise.")
def main(
    files: tuple[str, ...],
    kind: str | None,
    variant: str | None,
    solvers: str,
    timeout: float | None,
    least_cells: int,
    most_cells: int,
    sample: int | None,
    with_peers: bool,
    peer_timeout: float,
    repeat: int,
) -> None:
    entries = [
        entry
        for entry in named_entries(files, kind, variant)
        if least_cells <= entry.puzzle.rows * entry.puzzle.cols <= most_cells
    ][::sample]
    runs = []
    for _ in range(repeat):
        for solver in solvers.split(","):
            run = decide(entries, solver, timeout)
            report(run)
            runs.append(run)
    if with_peers:
        compare(entries, runs[0], peer_timeout)


if __name__ == "__main__":
    main()
