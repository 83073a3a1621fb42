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
