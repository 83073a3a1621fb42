"""Compare this tree with a commit: exit status 1 if a task takes 15 % more processor time.

    make bench-gate COMMIT=v0.1.0
    python scripts/bench_gate.py COMMIT [--rounds 7] [--most 1.15]

The commit and the working tree are installed as releases are, into environments under build/gate.
The commands below then run as whole processes, the two environments in turns, so that another load
on the machine meets both. A line a command: median processor time of each, and their ratio.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import sysconfig
import tarfile
import venv
from pathlib import Path
from shutil import rmtree
from statistics import median
from tempfile import TemporaryDirectory

import click

ROOT = Path(__file__).resolve().parents[1]
INSTANCES = sorted(str(path) for path in (ROOT / "instances").glob("*.txt"))
BOARD = str(ROOT / "instances" / "slitherlink-10x10.txt")
TOWN = str(ROOT / "instances" / "town.edges")
MADE = ["generate", "slitherlink", "--seed", "1"]
NUMBERLINKS = ["generate", "numberlink", "--seed", "1"]
#: The loops of two boards as families, and what sets can be asked.
FAMILIES = """
import linkoracle

blank = linkoracle.Slitherlink.blank(9, 9)
every, cornered = (
    linkoracle.diagram(puzzle).family() for puzzle in (blank, blank.with_clues({(0, 0): 3}))
)
for family in (every.union(cornered), every.intersection(cornered), every.difference(cornered)):
    print(family.count(), family.including([0]).count(), family.excluding([0]).count())
"""
#: Our own Numberlinks and Castle Walls, as they are at puzz.link after ``?``: makers may change.
LINKS = {
    "free": """
numlin/15/15/n1j23q4j5i45q6q7n8t9jah28zobi1q7j9zq6iczhchbi3rag
numlin/15/15/1o2zv3h45i67r53r8o9yahbq7uavbl6u48m1i9j2cdidqcj""",
    "fill-apart": """
numlin/20/20/1i2n34m5m6j7h8s348h7q9oalbh5hcdageo9kfi-10g-11s-12l-10v-13-14-15fzu-11y-15z-13j2zkbn-14id\
sei-16m-17g6k-16n-17zzj1g-12mczg
numlin/30/30/g1h2l3l4565h7l2j84x9g9k8hasblchdg3eiagbjfifm-10k-11h-11i6p-12kc-13i-14en-15p-16s-14g-15-12\
t-10g-17w-16z-18j-19r-17x1g-1ah-1bn-19j-1c-1dh-1el-1ag-1bj-1f-20t-21i-22-1el-1fo-13j-1ch-23i-18x-24i-1d\
-25zm-26j-27v-27m-28h-25g-29-2ag-2bh7q-2c-2dk-2eh-2fh-30zt-31-2dh-32-33-2bh-34h-2cg-35k-28q-31w-2el-2ap\
-36g-36n-37j-29p-33-34i-38i-32g-24o-21o-30o-39i-26g-3ay-22m-3bg-2fdj-3czj-3b-23p-35j-3d-3en-37k-3a-3fh-\
38h-40k-41h-3ds-3ci-42m-40-3ezq-41l-43k-42zh-43-3fg-44x-44-20i-39h""",
    "castle wall": """
castle/20/20/i22a00.g23af125l236h00.j238b00.14ad00.zt00.c238i126b115127a00.226b235a24700.c146b00.f00.u1\
37i244h137c00.h215215f137b216a00.b145b00.d216d00.a24at216214a217e00.b00.215g245k00.a118n117f136b00.145m\
00.117c11714611611900.e117d00.b217a14ad11a00.p24co
castle/20/20/j228236b00.a00.i227d236l248h126g12a129a225d12500.b00.124124a126125e247a00.a128v244h00.b00.\
c00.l248n236k00.c243b224234d247f245g235f00.246i00.w139i246c00.e137f244d114b217235d116a247b00.j235c00.a2\
47h00.217c234g00.b11be235g21cr23ca248b218b00.247o249p""",
}
#: Decides these some times, as another variant or as they are.
DECIDED = """
import linkoracle

for link in {links!r}.split():
    puzzle = linkoracle.read("https://puzz.link/p?" + link)
    for _ in range({times}):
        asked = {asked}
        assert linkoracle.is_unique(asked)
"""
#: The cycles of graphs, plane and not, and the paths between two nodes.
GRAPHS = """
import networkx as nx

from linkoracle import graphs

path = nx.path_graph(6)
some = [nx.strong_product(path, path), nx.complete_graph(11), nx.grid_2d_graph(11, 11)]
some += [nx.hexagonal_lattice_graph(10, 10), nx.random_regular_graph(3, 60, seed=1)]
for graph in some:
    nodes = sorted(graph)
    print(graphs.count(graph), graphs.count(graph, nodes[0], nodes[-1]))
"""


def decided(links: str, times: int, variant: str | None = None) -> list[str]:
    """Return the program that decides puzzles."""
    again = f"linkoracle.Numberlink(puzzle.grid, variant={variant!r})"
    # Without its model, which a puzzle keeps.
    asked = "puzzle.rotate(0).reflect().reflect()" if variant is None else again
    return ["python", "-c", DECIDED.format(links=LINKS[links], times=times, asked=asked)]


#: The measured programs with their arguments, most of half a second to a second.
TASKS = {
    "start": ["count-solutions", BOARD],
    "count": ["count-solutions", *INSTANCES],
    "certify": ["linkoracle", "certify", *INSTANCES, "-o"],
    "grade": ["linkoracle", "grade", *INSTANCES],
    "draw": ["linkoracle", "draw", BOARD, "-o"],
    "all loops": ["linkoracle", "loops", "15", "15"],
    "a sample of loops": ["linkoracle", "loops", "10", "11", "--sample", "9", "--seed", "1"],
    "census": ["linkoracle", "census", "board", "4", "4"],
    "families": ["python", "-c", FAMILIES],
    "numberlinks free": decided("free", 1, "free"),
    "numberlinks fill": decided("free", 1, "fill"),
    "numberlinks fill-apart": decided("fill-apart", 10, "fill-apart"),
    "castle walls": decided("castle wall", 1),
    "a small graph": ["linkoracle", "loops", "--graph", TOWN],
    "graphs": ["python", "-c", GRAPHS],
    "make slitherlinks": ["linkoracle", *MADE, "12", "12", "--count", "60"],
    "make easy ones": ["linkoracle", *MADE, "10", "10", "--count", "40", "--difficulty", "easy"],
    "make numberlinks": ["linkoracle", *NUMBERLINKS, "8", "8", "--count", "25"],
}


def installed(name: str, tree: Path) -> Path:
    """Install a source tree into an environment of its own; return its folder of programs."""
    home = ROOT / "build" / "gate" / name
    rmtree(home, ignore_errors=True)
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    # The dependencies of the package come from the environment that runs this program.
    [packages] = (home / "lib").glob("python*/site-packages")
    (packages / "all.pth").write_text(sysconfig.get_path("purelib") + "\n")
    options = ["--quiet", "--disable-pip-version-check", "--python", str(python)]
    install = ["install", "--no-deps", "--no-build-isolation", str(tree)]
    subprocess.run([sys.executable, "-m", "pip", *options, *install], check=True)
    return python.parent


def seconds(programs: Path, task: list[str], folder: Path) -> float:
    """Return the processor time of a task as a whole process."""
    program, *arguments = task
    if arguments[-1] == "-o":
        arguments.append(str(folder / ("board.svg" if "draw" in task else "certificates")))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([programs / program, *arguments], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Status 1 is an answer: some of the boards have no solution, or several.
    if done.returncode not in (0, 1):
        raise click.ClickException(f"{' '.join(task)}: {done.stderr.strip()}")
    return sum(getattr(after, part) - getattr(before, part) for part in ("ru_utime", "ru_stime"))


@click.command()
@click.argument("commit")
@click.option("--rounds", type=click.IntRange(1), default=7, help="Runs of each command.")
@click.option("--most", type=float, default=1.15, help="The ratio above which a command fails.")
def main(commit: str, rounds: int, most: float) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        archive = folder / "commit.tar"
        subprocess.run(["git", "archive", "-o", archive, commit], cwd=ROOT, check=True)
        with tarfile.open(archive) as packed:
            packed.extractall(folder / "commit", filter="data")
        programs = installed("before", folder / "commit"), installed("now", ROOT)
        slower = []
        for task, arguments in TASKS.items():
            times: tuple[list[float], list[float]] = [], []
            for _ in range(rounds):
                for of_one, found in zip(programs, times, strict=True):
                    found.append(seconds(of_one, arguments, folder))
            before, now = map(median, times)
            slower += [task] * (now > most * before)
            click.echo(f"{task:20} {before:7.3f} {now:7.3f} s   {now / before:5.2f}")
    if slower:
        raise click.ClickException(
            f"more than {most} times as slow as {commit}: {', '.join(slower)}"
        )


if __name__ == "__main__":
    main()
