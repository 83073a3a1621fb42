"""Measure the work in which other programs are strong, beside them, in one run and in turns.

    python scripts/bench_peers.py CORPUS --peers FOLDER --write docs/tables/peers.csv
    python scripts/bench_peers.py CORPUS --peers FOLDER --rows fill,oracle --rounds 1

CORPUS is a folder of published puzzles, a file of JSON records for each kind, as
`tests/kinds/corpora.py` reads them. FOLDER has the other programs, built as
`docs/explanation/benchmarks.md` says; a row whose program is not there is measured for linkoracle
alone. The 26x26 Numberlink is read from the examples of noqx.

Each side of a row is a process with all that it starts: its processor time, and the largest memory
of one of its processes (at least that of this program, which starts them). The two sides run in
turns, --rounds times, with the number of the round as the seed of what is random; rows of more than
--once seconds run once. The table has medians. A side that takes more than --limit seconds of
processor time is ended, and the table says so. Answers of both sides must agree.
"""

from __future__ import annotations

import _thread
import csv
import json
import os
import re
import resource
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import click

ROOT = Path(__file__).resolve().parents[1]
#: Seconds of processor time for one puzzle of a collection.
EACH = 20.0
#: Primes below 2^63 for FastGridPathCounter, as in its `run.rb`.
PRIMES = (9223372036854775783, 9223372036854775643, 9223372036854775549, 9223372036854775507)
#: What a name at puzz.link means there, for kinds that cspuz_core knows.
KNOWN = ("slitherlink", "masyu", "yajilin", "countryroad", "castlewall")
#: The 26x26 Numberlink among the examples of noqx.
LINK = re.compile(r"https://puzz\.link/p\?numlin/26/26/[0-9a-z-]+")


@dataclass(frozen=True)
class Place:
    """Where a row finds its input and the other programs; ``seed`` is the number of the round."""

    corpus: Path
    peers: Path
    inputs: Path
    seed: int


@dataclass(frozen=True)
class Side:
    """A command with its input, and what its output means; ``needs`` are files that must exist."""

    command: list[str]
    answer: Callable[[str], Any]
    input: Path | None = None
    needs: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Row:
    """Some work: our side, the name of the other one, and that side."""

    work: str
    ours: Callable[[Place], Side]
    peer: str = ""
    theirs: Callable[[Place], Side] | None = None
    #: The unit of times that a side measures itself, in place of its whole process.
    unit: str = "s"
    #: The most seconds of a side, where not even many help.
    limit: float = 150.0


@dataclass(frozen=True)
class Used:
    """What a side took; ``failure`` says why there is no answer."""

    seconds: float
    bytes: int
    answer: Any = None
    failure: str = ""


def child(*words: object) -> Callable[[Place], Side]:
    """Return our side as a function of this program; it prints its answer as JSON."""

    def side(place: Place) -> Side:
        command = [sys.executable, __file__, str(place.corpus), "--peers", str(place.peers)]
        more = [str(place.inputs), str(place.seed), *map(str, words)]
        return Side([*command, "--child", json.dumps(more)], json.loads)

    return side


def program(*words: str, answer: Callable[[str], Any] = str.strip) -> Callable[[Place], Side]:
    """Return our side as a command; SEED and INPUTS in its words are those of the round."""

    def side(place: Place) -> Side:
        of_round = {"SEED": str(place.seed), "INPUTS": str(place.inputs)}
        given = [re.sub("SEED|INPUTS", lambda found: of_round[found[0]], word) for word in words]
        return Side([sys.executable, "-m", "linkoracle", *given], answer)

    return side


def made(_: str) -> None:
    """Made puzzles are not compared."""


# The other programs.


def numberlinks(name: str, *options: str, file: str) -> Callable[[Place], Side]:
    """thomasahle/numberlink, as it is or made to count."""

    def side(place: Place) -> Side:
        built = place.peers / "numberlink" / "build" / name

        def answer(text: str) -> Any:
            return dict(Counter(text.split())) if options else None

        return Side([str(built), *options], answer, place.inputs / file, (built,))

    return side


def numberlink_generator(side: int, number: int) -> Callable[[Place], Side]:
    """Its generator; it has no seed of its own."""
    seeded = "import random, runpy; random.seed({}); runpy.run_path('{}', run_name='__main__')"

    def of_round(place: Place) -> Side:
        script = place.peers / "numberlink" / "gen" / "gen.py"
        code = f"import sys; sys.path.insert(0, '{script.parent}'); " + seeded.format(
            place.seed, script
        )
        words = [str(side), str(side), str(number), "--terminal-only", "--no-colors"]
        return Side([sys.executable, "-c", code, *words], made, None, (script,))

    return of_round


def cspuz(kind: str) -> Callable[[Place], Side]:
    """cspuz_core's `run_solver`, started for each URL."""

    def side(place: Place) -> Side:
        built = place.peers / "cspuz_core" / "target" / "release" / "run_solver"
        loop = f"while read -r url; do {built} --json $url | grep -c '\"isUnique\":true'; done"

        def answer(text: str) -> Any:
            return text.split().count("1")

        return Side(["sh", "-c", loop], answer, place.inputs / f"{kind}.urls", (built,))

    return side


def grid_counter(cells: int) -> Callable[[Place], Side]:
    """FastGridPathCounter: a run for each prime, until one more changes nothing."""

    def side(place: Place) -> Side:
        built = place.peers / "FastGridPathCounter" / f"cycles-{cells + 1}"
        primes = " ".join(map(str, PRIMES[: {14: 3, 16: 4}[cells]]))

        def answer(text: str) -> Any:
            return re.findall(r"solution = (\d+) mod", text)

        loop = f"for prime in {primes}; do {built} $prime; done"
        return Side(["sh", "-c", loop], answer, None, (built,))

    return side


def graphillion(code: str) -> Callable[[Place], Side]:
    """Graphillion, on one thread; others wait in loops, which would count as its time."""

    def side(place: Place) -> Side:
        python = place.peers / "venv" / "bin" / "python"
        start = "from graphillion import GraphSet\n"
        alone = ["env", "OMP_NUM_THREADS=1", str(python), "-c", start + code]
        return Side(alone, str.strip, None, (python,))

    return side


def grid_edges(side: int) -> list[tuple[int, int]]:
    """Return the edges of a grid with so many vertices a side, numbered from 1, row by row."""
    found = []
    for vertex in range(side * side):
        if vertex % side < side - 1:
            found.append((vertex + 1, vertex + 2))
        if vertex < side * (side - 1):
            found.append((vertex + 1, vertex + 1 + side))
    return found


def complete_edges(number: int) -> list[tuple[int, int]]:
    return [(u, v) for v in range(1, number + 1) for u in range(1, v)]


def corner_paths(side: int) -> Row:
    edges, last = grid_edges(side), side * side
    code = (
        f"GraphSet.set_universe({edges}, traversal='as-is')\nprint(GraphSet.paths(1, {last}).len())"
    )
    asked = ("loops", "--graph", f"INPUTS/grid{side}.txt", "--between", "1", str(last))
    work = f"corner-to-corner paths of {side}x{side} vertices"
    return Row(work, program(*asked), "Graphillion", graphillion(code))


def sgt(name: str, *words: str) -> Callable[[Place], Side]:
    """A program of Simon Tatham's puzzles, Debian's `sgt-puzzles`; it draws its own seeds."""

    def side(_: Place) -> Side:
        built = Path("/usr/games") / f"sgt-{name}"
        return Side([str(built), "--generate", *words], made, None, (built,))

    return side


def noqx(place: Place) -> Side:
    """The rules of noqx for its 26x26 Numberlink, to clingo, for two solutions."""
    folder = place.peers / "noqx"
    python = place.peers / "venv" / "bin" / "python"
    code = f"""
import json, sys
sys.path.insert(0, {str(folder)!r})
import clingo
from noqx.puzzle import Direction, Point, Puzzle
from solver.numlin import NumlinSolver
puzzle = Puzzle("numlin", "", {{"visit_all": False, "no_2x2": False}})
grid = json.load(open({str(place.inputs / "numberlink26.json")!r}))
puzzle.row, puzzle.col, puzzle.text, puzzle.line = len(grid), len(grid[0]), {{}}, {{}}
for row, cells in enumerate(grid):
    for col, number in enumerate(cells):
        if number is not None:
            puzzle.text[Point(row, col, Direction.CENTER, "normal")] = number
control = clingo.Control(["--models=2"])
control.add("base", [], NumlinSolver().solve(puzzle))
control.ground([("base", [])])
print(sum(1 for _ in control.solve(yield_=True)))
"""
    return Side([str(python), "-c", code], made, None, (python, folder / "solver" / "numlin.py"))


#: What is measured, by name.
ROWS: dict[str, Row] = {
    "slitherlinks": Row(
        "published Slitherlinks, unique?",
        child("decided", "slitherlink"),
        "cspuz_core",
        cspuz("slitherlink"),
    ),
    "masyus": Row(
        "published Masyus, unique?", child("decided", "masyu"), "cspuz_core", cspuz("masyu")
    ),
    "fill-apart": Row(
        "Numberlink fill-apart, published, all solutions",
        child("numberlinks", "fill-apart"),
        "thomasahle/numberlink",
        numberlinks("numberlink-count", "-solutions", file="numberlink.txt"),
    ),
    "fill": Row("the same under fill, unique?", child("numberlinks", "fill")),
    "free": Row("Numberlink free, above 15x15, unique?", child("numberlinks", "free", 10**6, 226)),
    "free-one": Row(
        "one solution under free, up to 15x15 (theirs: all, filling ones)",
        child("one", "free", 225),
        "thomasahle/numberlink",
        numberlinks("numberlink", file="numberlink.txt"),
    ),
    "26x26": Row(
        "the 26x26 of noqx under free, unique?", child("largest26"), "noqx", noqx, limit=60.0
    ),
    "make-fill-apart": Row(
        "3 Numberlinks fill-apart 20x20 made",
        program(
            *("generate", "numberlink", "20", "20", "--variant", "fill-apart", "--count", "3"),
            *("--jobs", "1", "--seed", "SEED"),
            answer=made,
        ),
        "gen.py",
        numberlink_generator(20, 3),
    ),
    "make-numberlink": Row(
        "a Numberlink 20x20 made",
        program("generate", "numberlink", "20", "20", "--seed", "SEED", answer=made),
    ),
    "make-masyu": Row(
        "5 Masyus 10x10 made",
        program(
            *("generate", "masyu", "10", "10", "--count", "5", "--jobs", "1", "--seed", "SEED"),
            answer=made,
        ),
        "sgt-pearl",
        sgt("pearl", "5", "10x10dt"),
    ),
    **{
        f"make-slitherlink-{side}": Row(
            f"20 Slitherlinks {side}x{side} made",
            program(
                *("generate", "slitherlink", str(side), str(side), "--count", "20"),
                *("--jobs", "1", "--seed", "SEED"),
                answer=made,
            ),
            "sgt-loopy, hard",
            sgt("loopy", "20", f"{side}x{side}t0dh"),
        )
        for side in (7, 10)
    },
    "loops-12": Row(
        "all loops of 12x12 cells",
        program("loops", "12", "12"),
        "Graphillion",
        graphillion(
            f"GraphSet.set_universe({grid_edges(13)}, traversal='as-is')\n"
            "print(GraphSet.cycles().len())"
        ),
    ),
    **{
        f"loops-{side}": Row(
            f"all loops of {side}x{side} cells",
            program(
                *("loops", str(side), str(side)),
                answer=lambda text, some=some: [  # type: ignore[misc]
                    str(int(text) % one) for one in PRIMES[:some]
                ],
            ),
            f"FastGridPathCounter, {some} primes",
            grid_counter(side),
        )
        for side, some in ((14, 3), (16, 4))
    },
    **{
        f"honeycomb-{side}": Row(
            f"all loops of a honeycomb {side}x{side}",
            program("loops", "--board", "honeycomb", str(side), str(side)),
        )
        for side in (12, 16)
    },
    **{
        f"oracle-{side}": Row(
            f"an oracle asked after one clue went, {side}x{side} (theirs: is_unique from scratch)",
            child("oracle", side),
            "our is_unique",
            child("scratch", side),
            "ms",
        )
        for side in (20, 30)
    },
    "reduce": Row(
        "8 minimal Slitherlinks 10x10 by the public oracle (theirs: our own maker)",
        child("reduced", "oracle"),
        "our maker",
        child("reduced", "maker"),
        "ms",
    ),
    "certificates": Row(
        "certificates of published Yajilins, Castle Walls, Double Backs",
        child("certified", "yajilin", "castlewall", "doubleback"),
    ),
    "castle-walls": Row(
        "published Castle Walls, unique?",
        child("decided", "castlewall"),
        "cspuz_core",
        cspuz("castlewall"),
    ),
    "castle-wall": Row(
        "the largest of these",
        child("decided", "castlewall.largest"),
        "cspuz_core",
        cspuz("castlewall.largest"),
    ),
    "balance-loop": Row(
        "Balance Loop, median of published ones (theirs: Masyu)",
        child("median", "balanceloop"),
        "our Masyu",
        child("median", "masyu"),
        "ms",
    ),
    **{f"paths-{side}": corner_paths(side) for side in (8, 9, 10)},
    "k12": Row(
        "all cycles of the complete graph K12",
        program("loops", "--graph", "INPUTS/k12.txt"),
        "Graphillion",
        graphillion(f"GraphSet.set_universe({complete_edges(12)})\nprint(GraphSet.cycles().len())"),
    ),
}


# Our side, in processes of its own.


class within:  # noqa: N801 - used like a function
    """End a block after so many seconds of processor time, as Ctrl-C would."""

    def __init__(self, seconds: float) -> None:
        self.answer = "undecided"
        self._end = time.process_time() + seconds
        self._over = threading.Event()
        self._watch = threading.Thread(target=self._interrupt, daemon=True)

    def _interrupt(self) -> None:
        while not self._over.wait(0.05):
            if time.process_time() > self._end:
                _thread.interrupt_main()
                return

    def __enter__(self) -> Self:
        self._watch.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        self._over.set()
        self._watch.join()
        return kind is KeyboardInterrupt


def prepare(corpus: Path, peers: Path, inputs: Path) -> None:
    """Write what the two sides read."""
    from linkoracle import FormatError, read, write

    for kind in KNOWN:
        if not (corpus / f"{kind}.jsonl").is_file():
            continue
        urls, largest = [], (0, "")
        for puzzle in published(corpus, kind):
            try:
                urls.append(write(puzzle, "pzpr").strip())
            except FormatError:
                continue
            largest = max(largest, (puzzle.rows * puzzle.cols, urls[-1]))
        (inputs / f"{kind}.urls").write_text("".join(f"{url}\n" for url in urls))
        (inputs / f"{kind}.largest.urls").write_text(f"{largest[1]}\n")
    # A character for each number, none that has a meaning in the files.
    letters = [chr(code) for code in (*range(48, 58), *range(65, 91), *range(97, 123))]
    letters += [chr(256 + code) for code in range(200)]
    boards = []
    for puzzle in published(corpus, "numberlink"):
        names: dict[Any, str] = {}
        for _, number in puzzle.clue_cells():
            names.setdefault(number, letters[len(names)])
        rows = ["".join("." if one is None else names[one] for one in row) for row in puzzle.grid]
        boards.append("\n".join([f"{puzzle.cols} {puzzle.rows}", *rows]) + "\n")
    (inputs / "numberlink.txt").write_text("".join(boards), encoding="utf-8")
    for side in (8, 9, 10):
        write_edges(inputs / f"grid{side}.txt", grid_edges(side))
    write_edges(inputs / "k12.txt", complete_edges(12))
    rules = peers / "noqx" / "solver" / "numlin.py"
    if rules.is_file() and (link := LINK.search(rules.read_text(encoding="utf-8"))):
        grid = read(link[0]).grid
        (inputs / "numberlink26.json").write_text(json.dumps(grid))


def write_edges(file: Path, edges: Iterable[tuple[int, int]]) -> None:
    file.write_text("".join(f"{u} {v}\n" for u, v in edges))


def published(corpus: Path, kind: str) -> Iterable[Any]:
    """Yield the published puzzles of a kind."""
    sys.path.insert(0, str(ROOT))
    from tests.kinds import corpora

    corpora.CORPUS = corpus
    for record in corpora.records(kind):
        yield record.puzzle


def ours(corpus: Path, inputs: Path, seed: int, task: str, *words: str) -> Any:
    """Do our side of a row; return its answer, or a mapping with ``seconds`` and ``note``."""
    import linkoracle

    if task == "decided":
        urls = (inputs / f"{words[0]}.urls").read_text().split()
        return sum(linkoracle.is_unique(linkoracle.read(url)) for url in urls)
    if task == "median":
        times = []
        for puzzle in published(corpus, words[0]):
            start = time.process_time()
            linkoracle.decide(puzzle)
            times.append(time.process_time() - start)
        return {"seconds": statistics.median(times)}
    if task in ("numberlinks", "one", "largest26"):
        return numberlinks_decided(corpus, inputs, task, *words)
    if task in ("oracle", "scratch"):
        return after_a_clue(int(words[0]), seed, task == "oracle")
    if task == "reduced":
        return reduced(words[0] == "oracle")
    return certified(corpus, words)


def numberlinks_decided(
    corpus: Path,
    inputs: Path,
    task: str,
    variant: str = "free",
    most: str = "1000000",
    least: str = "0",
) -> Any:
    """Decide Numberlinks, or look for one solution, each within its time."""
    import linkoracle

    if task == "largest26":
        puzzles = [linkoracle.Numberlink(json.loads((inputs / "numberlink26.json").read_text()))]
    else:
        puzzles = list(published(corpus, "numberlink"))
    found: Counter[str] = Counter()
    times = []
    for puzzle in puzzles:
        if not int(least) <= puzzle.rows * puzzle.cols <= int(most):
            continue
        asked = linkoracle.Numberlink(puzzle.grid, variant=variant)
        start = time.process_time()
        with within(EACH) as limit:
            if task == "one":
                limit.answer = str(int(linkoracle.solve(asked) is not None))
            else:
                limit.answer = str(linkoracle.count(asked, limit=2))
        answer = limit.answer
        found[answer] += 1
        times.append(time.process_time() - start)
    note = f"{found.total()} boards, median {1000 * statistics.median(times):.3g} ms"
    note += f", slowest {max(times):.3g} s"
    if found["undecided"]:
        note += f", {found['undecided']} undecided in {EACH:g} s"
    # All boards of that variant are compared, with the exact numbers of solutions.
    return {"answer": dict(found) if variant == "fill-apart" else None, "note": note}


def after_a_clue(side: int, seed: int, kept: bool) -> dict[str, float]:
    """Return the median time of an answer after a clue went: of a kept oracle, or from scratch."""
    import linkoracle
    from linkoracle.generate import slitherlink

    puzzle = slitherlink(side, side, seed=seed).puzzle
    clues, times = dict(puzzle.clue_cells()), []
    with linkoracle.Oracle.slitherlink(side, side) as oracle:
        oracle.ask(clues)
        for cell in [*clues][::3]:
            left = {one: clue for one, clue in clues.items() if one != cell}
            changed = puzzle.with_clues({cell: None})
            start = time.process_time()
            if kept:
                oracle.ask(left)
            else:
                linkoracle.is_unique(changed)
            times.append(time.process_time() - start)
    return {"seconds": statistics.median(times)}


def reduced(by_oracle: bool) -> dict[str, float]:
    """Return the mean time to remove all redundant clues of a 10x10 board."""
    from random import Random

    import linkoracle
    from linkoracle.core import source, swept
    from linkoracle.generate import reduce_clues
    from linkoracle.generate.loops.shapes import two_colour

    times = []
    seed = -1
    while len(times) < 8:
        seed += 1
        solution = two_colour(Random(seed), 10, 10)
        puzzle = linkoracle.Slitherlink.from_solution(solution)
        if not linkoracle.is_unique(puzzle):
            continue
        left = dict(puzzle.clue_cells())
        order = [divmod(face, 10) for face in swept(source(seed, 0), 10, 10)]
        start = time.process_time()
        if by_oracle:
            with linkoracle.Oracle.slitherlink(10, 10) as oracle:
                for cell in order:
                    if oracle.implies(left, cell):
                        del left[cell]
        else:
            reduce_clues(solution, Random(seed), strategy="core")
        times.append(time.process_time() - start)
    return {"seconds": statistics.mean(times)}


def certified(corpus: Path, kinds: Iterable[str]) -> dict[str, str]:
    """Certify all published puzzles of some kinds."""
    import linkoracle

    found: Counter[str] = Counter()
    for kind in kinds:
        for puzzle in published(corpus, kind):
            with within(EACH) as limit:
                try:
                    linkoracle.certificate(puzzle)
                    limit.answer = "certified"
                except linkoracle.NoCertificate:
                    limit.answer = "refused"
            found[limit.answer] += 1
    return {"note": ", ".join(f"{number} {what}" for what, number in found.items())}


# Measuring.


def measured(side: Side, limit: float) -> Used:
    """Run a side as a whole process, with the processes that it starts."""

    given = subprocess.DEVNULL if side.input is None else side.input.open("rb")
    with TemporaryDirectory() as folder:
        output, errors = Path(folder) / "output", Path(folder) / "errors"
        with output.open("wb") as out, errors.open("wb") as err:
            started = subprocess.Popen(
                side.command,
                stdin=given,
                stdout=out,
                stderr=err,
                start_new_session=True,
                cwd=folder,
            )
        # A limit set in the process would make its own clock of processor time as coarse as ticks.
        status, used = 0, resource.getrusage(resource.RUSAGE_SELF)
        begun = time.monotonic()
        while True:
            pid, status, used = os.wait4(started.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() - begun > 20 * limit or spent(started.pid) > limit:
                os.killpg(started.pid, signal.SIGKILL)
            time.sleep(0.01)
        started.returncode = os.waitstatus_to_exitcode(status)
        seconds, peak = used.ru_utime + used.ru_stime, used.ru_maxrss * 1024
        if started.returncode < 0 or seconds > limit:
            return Used(seconds, peak, None, f"not in {limit:g} s")
        if started.returncode:
            said = errors.read_text(errors="replace").strip().splitlines()
            return Used(seconds, peak, None, said[-1] if said else f"status {started.returncode}")
        return Used(seconds, peak, side.answer(output.read_text(errors="replace")))


def spent(process: int) -> float:
    """Return the processor time of a process and of those that it has waited for."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def taken(used: Used) -> float:
    """Return the seconds of a side: those that it measured itself, or those of its process."""
    own = used.answer.get("seconds") if isinstance(used.answer, dict) else None
    return used.seconds if own is None else float(own)


def answer_of(used: Used) -> Any:
    if isinstance(used.answer, dict) and {"answer", "note", "seconds"} & used.answer.keys():
        return used.answer.get("answer")
    return used.answer


def compared(
    name: str, row: Row, place: Place, limit: float, rounds: int, once: float
) -> list[str]:
    """Return the cells of a row."""
    sides = {"": row.ours}
    if row.theirs is not None:
        if all(file.exists() for file in row.theirs(place).needs):
            sides = {row.peer: row.theirs, **sides}
        else:
            click.echo(f"{name}: {row.peer} is not there", err=True)
    uses: dict[str, list[Used]] = {of: [] for of in sides}
    for number in range(1, rounds + 1):
        of_round = Place(place.corpus, place.peers, place.inputs, number)
        for of, side in sides.items():
            uses[of].append(measured(side(of_round), min(limit, row.limit)))
        if any(some[-1].failure or some[-1].seconds > once for some in uses.values()):
            break
    answers = [answer_of(some[0]) for some in uses.values() if not some[0].failure]
    if None not in answers and any(one != answers[0] for one in answers):
        raise click.ClickException(f"{name}: answers differ: {answers}")

    def cells(some: list[Used]) -> list[str]:
        failed = [one.failure for one in some if one.failure]
        peak = f"{max(one.bytes for one in some) / 2**20:.0f}"
        if failed:
            return [failed[0], peak]
        factor = 1000 if row.unit == "ms" else 1
        return [f"{factor * statistics.median(map(taken, some)):.3g} {row.unit}", peak]

    first = uses[""][0].answer
    note = first.get("note", "") if isinstance(first, dict) else ""
    theirs = cells(uses[row.peer]) if row.peer in uses and row.peer else ["", ""]
    shown = row.peer if row.peer in uses else f"({row.peer} not there)" if row.peer else ""
    return [row.work, shown, *theirs, *cells(uses[""]), note]


@click.command()
@click.argument("corpus", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--peers", type=click.Path(path_type=Path), required=True, help="Built programs.")
@click.option("--rows", help=f"Only these: {', '.join(ROWS)}.")
@click.option("--rounds", default=3, show_default=True, help="Runs of each side.")
@click.option("--once", default=10.0, show_default=True, help="Seconds from which a row runs once.")
@click.option("--limit", default=150.0, show_default=True, help="Most seconds of a side.")
@click.option("--write", type=click.Path(dir_okay=False, path_type=Path), help="A CSV file.")
@click.option("--child", hidden=True)
def main(
    corpus: Path,
    peers: Path,
    rows: str | None,
    rounds: int,
    once: float,
    limit: float,
    write: Path | None,
    child: str | None,
) -> None:
    """Print the table as CSV."""
    corpus, peers = corpus.resolve(), peers.resolve()
    if child is not None:
        inputs, seed, *words = json.loads(child)
        if words:
            click.echo(json.dumps(ours(corpus, Path(inputs), int(seed), *words)))
        else:
            prepare(corpus, peers, Path(inputs))
        return
    names = rows.split(",") if rows else [*ROWS]
    if unknown := set(names) - set(ROWS):
        raise click.UsageError(f"no such rows: {', '.join(sorted(unknown))}")
    head = ["work", "peer", "its time", "its MB", "time", "MB", "remarks"]
    table = [head]
    with TemporaryDirectory() as folder:
        place = Place(corpus, peers, Path(folder), 0)
        own = [sys.executable, __file__, str(corpus), "--peers", str(peers)]
        subprocess.run([*own, "--child", json.dumps([folder, "0"])], check=True)
        for name in names:
            table.append(compared(name, ROWS[name], place, limit, rounds, once))
            click.echo(f"{name}: {' | '.join(table[-1][1:])}")
            if write is not None:
                with write.open("w", encoding="utf-8", newline="") as file:
                    csv.writer(file, lineterminator="\n").writerows(table)


if __name__ == "__main__":
    main()
