"""Count all loops of n x n cells: with ranks, with a hash table, and by Graphillion.

Graphillion comes with ``pip install 'linkoracle[bench]'``.

Each size runs in a process of its own, so that peak memory is that of one count. Loading the engine
is the "load" column. Graphillion gets its edges in row-major order, ``traversal="as-is"``, the best
of its orders here. "cpu" is processor time of the count alone, "peak" the resident memory of its
process, imports included.

For ranks, the output also has the bytes a second that their steps move, all threads together, and
the bytes that a plain copy of an equal array by one thread moves. For each word with one place
less, a step reads and writes three numbers of eight bytes. It also reads joined words, which are
left out here.

    python scripts/bench_frontier.py --from 8 --to 12 --hash 14 --memory 16GB --time 600
"""

from __future__ import annotations

import argparse
import json
import sys
import time

from linkoracle.core import parse_size
from measuring import in_a_process, peak


def run_linkoracle(side: int, memory: int) -> dict[str, float | str]:
    start = time.perf_counter()
    from linkoracle.board import Lattice, LinkModel
    from linkoracle.core import MemoryLimit
    from linkoracle.frontier import count

    # Boards from 8 x 8 cells on are counted with ranks.
    least = min(side, 8) + 1
    count(LinkModel.blank_loop(Lattice(least, least)))
    load = time.perf_counter() - start
    wall, cpu = time.perf_counter(), time.process_time()
    most = 0

    def progress(line: str, share: float | None) -> None:  # noqa: ARG001
        nonlocal most
        # "step 3 of 121, 17 states"
        most = max(most, int(line.split()[-2]))

    try:
        found = count(
            LinkModel.blank_loop(Lattice(side + 1, side + 1)), memory=memory, progress=progress
        )
    except MemoryLimit as limit:
        return {"error": str(limit)}
    return {
        "load": load,
        "wall": time.perf_counter() - wall,
        "cpu": time.process_time() - cpu,
        "states": most,
        "count": str(found),
    }


def run_hash(side: int, memory: int) -> dict[str, float | str]:
    from linkoracle.board import Lattice, LinkModel
    from linkoracle.core import MemoryLimit
    from linkoracle.frontier.sweep import Sweep

    wall, cpu, most, total = time.perf_counter(), time.process_time(), 0, 0
    sweep = Sweep(LinkModel.blank_loop(Lattice(side + 1, side + 1)), memory=memory)
    work = sweep.count()
    try:
        while True:
            most = max(most, next(work)[2])
    except StopIteration as end:
        total = end.value
    except MemoryLimit as limit:
        return {"error": str(limit)}
    return {
        "load": 0.0,
        "wall": time.perf_counter() - wall,
        "cpu": time.process_time() - cpu,
        "states": most,
        "count": str(total),
    }


def moved(side: int, passes_seconds: float) -> str:
    """Return the bytes a second that the steps of a count with ranks move, and those of a copy."""
    import numpy as np

    from linkoracle.frontier import moduli
    from linkoracle.frontier.blank.board import BlankBoard, count_words

    width = side + 1
    board = BlankBoard(width, width)
    steps = len(moduli(board)) * width * side
    rate = 48 * count_words(width - 1, 0, False) * steps / passes_seconds
    source = np.ones(board.words, dtype=np.uint64)
    target = np.zeros_like(source)
    seconds = []
    for _ in range(7):
        start = time.perf_counter()
        np.copyto(target, source)
        seconds.append(time.perf_counter() - start)
    copied = 2 * source.nbytes / min(seconds)
    return f"moves {rate / 1e9:.1f} GB a second, a plain copy {copied / 1e9:.1f}"


def run_graphillion(side: int, memory: int) -> dict[str, float | str]:  # noqa: ARG001
    start = time.perf_counter()
    from graphillion import GraphSet

    load = time.perf_counter() - start
    width = side + 1
    edges = []
    for vertex in range(width * width):
        if vertex % width < side:
            edges.append((vertex + 1, vertex + 2))
        if vertex < width * side:
            edges.append((vertex + 1, vertex + 1 + width))
    wall, cpu = time.perf_counter(), time.process_time()
    GraphSet.set_universe(edges, traversal="as-is")
    found = GraphSet.cycles().len()
    return {
        "load": load,
        "wall": time.perf_counter() - wall,
        "cpu": time.process_time() - cpu,
        "count": str(found),
    }


RUNNERS = {"linkoracle": run_linkoracle, "hash": run_hash, "graphillion": run_graphillion}


def measure(name: str, side: int, memory: int, seconds: float) -> dict[str, float | str]:
    """Run one size in a process of its own, within limits."""
    found: dict[str, float | str] = in_a_process(
        __file__, [name, str(side), "--memory", str(memory)], seconds
    )
    return found


def row(side: int, name: str, result: dict[str, float | str]) -> str:
    if "error" in result:
        return f"{side:>3}  {name:<11} {result['error']}"
    states = f"{result['states']:>12}" if "states" in result else " " * 12
    return (
        f"{side:>3}  {name:<11} {result['load']:7.2f} {result['wall']:9.3f} {result['cpu']:9.3f} "
        f"{float(result['peak']) / 2**20:8.0f}  {states}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--from", dest="first", type=int, default=8, help="smallest n")
    parser.add_argument("--to", dest="last", type=int, default=12, help="last n for Graphillion")
    parser.add_argument("--hash", type=int, default=12, help="last n with a hash table")
    parser.add_argument("--beyond", type=int, default=20, help="last n for the frontier engine")
    parser.add_argument("--memory", type=parse_size, default=16 << 30, help="limit, as 16GB")
    parser.add_argument("--time", type=float, default=600.0, help="seconds for one count")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        name, side = options.child
        result = RUNNERS[name](int(side), options.memory)
        result["peak"] = peak()
        print(json.dumps(result))
        return

    measure("linkoracle", 2, options.memory, 600.0)
    print("  n  program      load s    wall s     cpu s  peak MB   most states")
    before: dict[str, float | str] = {}
    for side in range(options.first, options.beyond + 1):
        ours = measure("linkoracle", side, options.memory, options.time)
        print(row(side, "linkoracle", ours), flush=True)
        if "error" in ours:
            break
        print(f"     {moved(side, float(ours['wall']))}", flush=True)
        if side <= options.hash:
            twin = measure("hash", side, options.memory, options.time)
            print(row(side, "hash", twin), flush=True)
            if "error" in twin:
                options.hash = side
            elif twin["count"] != ours["count"]:
                sys.exit(f"the counts differ: {ours['count']} and {twin['count']}")
        if side <= options.last:
            theirs = measure("graphillion", side, options.memory, options.time)
            print(row(side, "graphillion", theirs), flush=True)
            if "error" in theirs:
                options.last = side
            else:
                if theirs["count"] != ours["count"]:
                    sys.exit(f"the counts differ: {ours['count']} and {theirs['count']}")
                print(
                    f"     {float(theirs['wall']) / float(ours['wall']):.1f} times faster in wall, "
                    f"{float(theirs['cpu']) / float(ours['cpu']):.1f} in processor time, with "
                    f"{float(ours['peak']) / float(theirs['peak']):.2f} of the memory"
                )
        if before:
            growth = {key: float(ours[key]) / float(before[key]) for key in ("cpu", "states")}
            print(f"     growth: {growth['cpu']:.2f} in time, {growth['states']:.2f} in states")
        before = ours


if __name__ == "__main__":
    main()
