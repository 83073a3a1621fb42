"""Measure how time and memory grow with the size of the board: each engine, and each generator.

    python scripts/bench_scaling.py CORPUS docs/tables/scaling.csv docs/pictures
    python scripts/bench_scaling.py CORPUS /tmp/new.csv /tmp --only "make masyu"

CORPUS is a folder of published puzzles, a file of JSON records for each kind, as
`tests/kinds/corpora.py` reads them. Each point is a process of its own: the median processor time
of some puzzles of about that many cells, without loading, and the peak memory of the process. A
curve ends after the first point of more than --seconds. Plots are drawn by matplotlib
(``pip install 'linkoracle[plots]'``).

The CSV file has a line for each point, and the program prints one for each curve: the exponent of
its first half and of its second (time grows as the number of cells to this power), and the last
size within the limit.
"""

from __future__ import annotations

import csv
import json
import math
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from measuring import in_a_process, peak

ROOT = Path(__file__).resolve().parents[1]
#: Cells at which published puzzles are taken: those within a quarter of each number.
PUBLISHED = (25, 49, 81, 121, 196, 324, 484, 900)
#: Most puzzles of a point, and most seconds before the point is complete.
PUZZLES, ENOUGH = 11, 6.0
#: From a size and the folder of published puzzles to times.
Work = Callable[[int, Path], "Iterable[float]"]


@dataclass(frozen=True)
class Curve:
    """A curve: its picture, its sizes, what a size means in cells, and the times at a size."""

    picture: str
    sizes: Sequence[int]
    work: Work
    cells: Callable[[int], int] = lambda side: side * side


def timed(work: Callable[[], object]) -> float:
    """Return the processor time of some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def every_published(kind: str, corpus: Path) -> list[Any]:
    """Return the published puzzles of a kind."""
    sys.path.insert(0, str(ROOT))
    from tests.kinds import corpora

    corpora.CORPUS = corpus
    return [one.puzzle for one in corpora.records(kind)]


def each(kind: str, do: Callable[[Any], object], variant: str | None = None) -> Work:
    """Return the work of doing something with published puzzles, the median of which counts."""

    def work(cells: int, corpus: Path) -> Iterable[float]:
        import linkoracle

        def asked(puzzle: Any) -> Any:
            return (
                puzzle if variant is None else linkoracle.Numberlink(puzzle.grid, variant=variant)
            )

        every = every_published(kind, corpus)
        # Loads what the work needs.
        do(asked(min(every, key=lambda puzzle: puzzle.rows * puzzle.cols)))
        found = [one for one in every if 0.8 < one.rows * one.cols / cells < 1.25]
        for puzzle in found[:: max(1, len(found) // PUZZLES)][:PUZZLES]:
            yield timed(partial(do, asked(puzzle)))

    return work


def decided(puzzle: Any) -> None:
    import linkoracle

    linkoracle.decide(puzzle)


def certified(puzzle: Any) -> None:
    import linkoracle

    linkoracle.certificate(puzzle)


def graded(puzzle: Any) -> None:
    import linkoracle

    linkoracle.grade(puzzle)


def edited(side: int, _: Path) -> Iterable[float]:
    """Ask an oracle after each of some clues of a made Slitherlink went."""
    from linkoracle import Oracle
    from linkoracle.generate import slitherlink

    clues = dict(slitherlink(side, side, seed=1).puzzle.clue_cells())
    with Oracle.slitherlink(side, side) as oracle:
        oracle.ask(clues)
        for gone in [*clues][:: max(1, len(clues) // 25)]:
            left = {cell: clue for cell, clue in clues.items() if cell != gone}
            yield timed(partial(oracle.ask, left))


def by_ranks(side: int, _: Path) -> Iterable[float]:
    """Count all loops of square cells with ranks, which boards from 8x8 cells on have."""
    from linkoracle.board import Lattice, LinkModel
    from linkoracle.frontier import count

    count(LinkModel.blank_loop(Lattice(9, 9)))
    model = LinkModel.blank_loop(Lattice(side + 1, side + 1))
    yield timed(lambda: count(model, memory=4 * 2**30))


def by_table(side: int, _: Path) -> Iterable[float]:
    """Count all loops of square cells with the hash table of states."""
    from linkoracle.board import Lattice, LinkModel
    from linkoracle.frontier.sweep import Sweep

    model = LinkModel.blank_loop(Lattice(side + 1, side + 1))
    yield timed(lambda: [*Sweep(model, memory=4 * 2**30).count()])


def honeycombs(side: int, _: Path) -> Iterable[float]:
    """Count all loops of a honeycomb."""
    from linkoracle import boards
    from linkoracle.board import LinkModel
    from linkoracle.frontier import count

    model = LinkModel.blank_loop(boards.honeycomb(side, side))
    yield timed(lambda: count(model, memory=4 * 2**30))


def making(kind: str, **options: Any) -> Work:
    """Return the work of making puzzles, as many as time permits."""

    def work(side: int, _: Path) -> Iterable[float]:
        from linkoracle import generate

        request = generate.request_for(kind, side, side, **options)
        generate.make(generate.request_for(kind, 6, 6, **options), seed=1)
        for seed in range(1, 6):
            yield timed(partial(generate.make, request, seed=seed))

    return work


def published(kind: str, do: Callable[[Any], object], variant: str | None = None) -> Curve:
    return Curve("engines", PUBLISHED, each(kind, do, variant), cells=lambda cells: cells)


CURVES: dict[str, Curve] = {
    "decide Slitherlink": published("slitherlink", decided),
    "decide Masyu": published("masyu", decided),
    "decide Yajilin": published("yajilin", decided),
    "decide Numberlink free": published("numberlink", decided, "free"),
    "decide Numberlink fill": published("numberlink", decided, "fill"),
    "decide Numberlink fill-apart": published("numberlink", decided, "fill-apart"),
    "certify Slitherlink": published("slitherlink", certified),
    "certify Numberlink free": published("numberlink", certified, "free"),
    "grade Slitherlink": published("slitherlink", graded),
    "grade Numberlink free": published("numberlink", graded, "free"),
    "oracle after an edit": Curve("engines", (6, 8, 12, 16, 24, 32, 48, 64), edited),
    "count loops by ranks": Curve("engines", (8, 10, 12, 13, 14, 15, 16, 17, 18), by_ranks),
    "count loops by table": Curve("engines", (4, 6, 8, 9, 10, 11, 12, 13, 14, 15), by_table),
    "count honeycomb loops": Curve("engines", (3, 4, 6, 8, 9, 10, 11, 12, 13, 14, 15), honeycombs),
    "make Slitherlink": Curve("generators", (6, 8, 12, 16, 24, 32, 48, 64), making("slitherlink")),
    "make minimal Slitherlink": Curve(
        "generators", (6, 8, 12, 16, 20, 24, 32, 40), making("slitherlink", minimal=True)
    ),
    "make Numberlink": Curve("generators", (6, 7, 8, 10, 12, 15, 20, 25), making("numberlink")),
    "make Numberlink fill-apart": Curve(
        "generators", (6, 8, 10, 12, 16, 20, 30, 40), making("numberlink", variant="fill-apart")
    ),
    **{
        f"make {title}": Curve("generators", (6, 8, 10, 12, 14, 16, 20, 24), making(kind))
        for kind, title in (
            ("simpleloop", "Simple Loop"),
            ("masyu", "Masyu"),
            ("yajilin", "Yajilin"),
            ("castlewall", "Castle Wall"),
            ("countryroad", "Country Road"),
            ("balanceloop", "Balance Loop"),
        )
    },
}

#: Measured points of a curve: cells, seconds, bytes.
Points = list[tuple[int, float, int]]


def point(curve: Curve, size: int, corpus: Path) -> dict[str, float]:
    """Measure a point in this process."""
    times = list[float]()
    for seconds in curve.work(size, corpus):
        times.append(seconds)
        if sum(times) > ENOUGH:
            break
    return {"seconds": statistics.median(times) if times else math.nan, "bytes": peak()}


def exponent(points: Points) -> float:
    """Return the slope of a straight line through points on two logarithmic axes."""
    if len(points) < 2:
        return math.nan
    xs = [math.log(cells) for cells, _, _ in points]
    ys = [math.log(seconds) for _, seconds, _ in points]
    return statistics.linear_regression(xs, ys).slope


def summary(points: Points, limit: float) -> str:
    half = len(points) // 2
    reached = max((cells for cells, seconds, _ in points if seconds <= limit), default=0)
    seconds, size = points[-1][1:]
    last = f"{points[-1][0]} cells: {seconds:.3g} s, {size / 2**20:.0f} MB"
    slopes = " | ".join(f"{exponent(part):.1f}" for part in (points[: half + 1], points[half:]))
    return f"{slopes} | {reached} | {last}"


def drawn(measured: dict[str, Points], folder: Path) -> None:
    """Draw a picture of time and memory for the engines, and for the generators."""
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    # The same points give the same file, and text stays text.
    mpl.rcParams.update({"svg.hashsalt": "scaling", "svg.fonttype": "none", "font.size": 9})
    for picture in ("engines", "generators"):
        shown = [name for name in measured if CURVES[name].picture == picture]
        if not shown:
            continue
        figure, axes = plt.subplots(1, 2, figsize=(10, 5.2), sharex=True)
        for number, name in enumerate(shown):
            points = measured[name]
            style = {"marker": "os^v"[number % 4], "markersize": 3.5, "linewidth": 1.2}
            style |= {"color": f"C{number % 10}", "linestyle": ("-", "--")[number // 10]}
            cells = [one for one, _, _ in points]
            axes[0].plot(cells, [seconds for _, seconds, _ in points], label=name, **style)
            axes[1].plot(cells, [size / 2**20 for *_, size in points], **style)
        for axis, what in zip(
            axes, ("seconds of processor time", "MB of the process"), strict=True
        ):
            axis.set(xscale="log", yscale="log", xlabel="cells", ylabel=what)
            axis.grid(visible=True, which="major", linewidth=0.4)
        axes[0].axhline(60, color="grey", linewidth=0.8, linestyle=":")
        axes[1].axhline(4096, color="grey", linewidth=0.8, linestyle=":")
        figure.legend(loc="lower center", ncols=4, frameon=False)
        figure.tight_layout(rect=(0, 0.17, 1, 1))
        figure.savefig(folder / f"scaling-{picture}.svg", metadata={"Date": None})
        plt.close(figure)


def kept(table: Path) -> dict[str, Points]:
    """Return the points of a table."""
    found = defaultdict[str, Points](list)
    if table.is_file():
        with table.open(encoding="utf-8", newline="") as file:
            for name, cells, seconds, megabytes in list(csv.reader(file))[1:]:
                found[name].append((int(cells), float(seconds), int(float(megabytes) * 2**20)))
    return found


@click.command()
@click.argument("corpus", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("table", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("pictures", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--only",
    default="",
    help="Curves whose names begin so, with commas between; others stay as they are.",
)
@click.option("--seconds", "limit", default=60.0, show_default=True, help="Limit of a point.")
@click.option("--child", nargs=2, hidden=True)
def main(
    corpus: Path,
    table: Path,
    pictures: Path,
    only: str,
    limit: float,
    child: tuple[str, str] | None,
) -> None:
    """Measure the curves, and write the table and the pictures."""
    if child is not None:
        click.echo(json.dumps(point(CURVES[child[0]], int(child[1]), corpus)))
        return
    measured = kept(table)
    for name, curve in CURVES.items():
        if not name.startswith(tuple(only.split(","))):
            continue
        measured[name] = []
        for size in curve.sizes:
            places = [str(size), str(corpus), str(table), str(pictures)]
            # By the clock, as another load may take half of the processor.
            found = in_a_process(__file__, [name, *places], 4 * limit)
            if "error" in found:
                click.echo(f"{name}, {size}: {found['error']}", err=True)
                break
            if not math.isnan(found["seconds"]):
                measured[name].append((curve.cells(size), found["seconds"], found["bytes"]))
            if found["seconds"] > limit:
                break
        if not measured[name]:
            continue
        click.echo(f"{name} | {summary(measured[name], limit)}")
        rows = [(one, *of) for one in CURVES for of in measured.get(one, ())]
        with table.open("w", encoding="utf-8", newline="") as file:
            lines = csv.writer(file, lineterminator="\n")
            lines.writerow(["curve", "cells", "seconds", "MB"])
            for one, cells, seconds, size in rows:
                lines.writerow([one, cells, f"{seconds:.3g}", f"{size / 2**20:.1f}"])
    drawn({name: measured[name] for name in CURVES if measured.get(name)}, pictures)


if __name__ == "__main__":
    main()
