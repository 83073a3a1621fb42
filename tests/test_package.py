"""What is shipped: the wheel has all that the package reads, and works where nothing else is."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"

#: A program as a user writes it, with types. Against the installed package, mypy must find all of
#: them, or "strict" would complain.
TYPED = """
from collections.abc import Iterator, Set

import linkoracle
from linkoracle import Diagram, Numberlink, Oracle, Slitherlink, Solution, Verdict
from linkoracle.deduce import Grade
from linkoracle.generate import MadeSlitherlink, slitherlinks


def loops(rows: int, cols: int) -> Diagram:
    return linkoracle.diagram(Slitherlink.blank(rows, cols))


def shortest(puzzle: Slitherlink | Numberlink) -> int | None:
    found: Solution | None = linkoracle.diagram(puzzle).shortest()
    return None if found is None else len(found)


def minimal(puzzle: Slitherlink) -> dict[tuple[int, int], int | Set[int]]:
    with Oracle.slitherlink(puzzle.rows, puzzle.cols) as oracle:
        verdict: Verdict = oracle.ask(dict(puzzle.clue_cells()))
        return verdict.core or {}


def easy() -> Iterator[MadeSlitherlink]:
    keeps = linkoracle.deduce.within("easy")
    yield from slitherlinks(6, 6, seed=1, keeps=keeps)


made = next(easy())
grade: Grade = linkoracle.grade(made.puzzle)
print(linkoracle.__version__, loops(3, 3).count(), shortest(made.puzzle) is None, grade.label)
print(linkoracle.write(made.puzzle, "pzpr"), len(minimal(made.puzzle)))
"""


def run(*command: object, folder: Path) -> str:
    """What a command prints, in ``folder``, with nothing but the system around it.

    Its folder of programs comes first on the path, as in an environment that was activated.
    """
    programs = [str(Path(sys.executable).parent), os.environ["PATH"]]
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        encoding="utf-8",
        cwd=folder,
        env={
            **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            "PATH": os.pathsep.join(programs),
        },
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def shipped(tmp_path_factory) -> Path:
    """A folder with the source distribution, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    run("make", "-C", ROOT, "dist", f"DIST={folder}", folder=folder)
    return folder


@pytest.mark.heavy
def test_the_wheel_has_every_file_of_the_package(shipped):
    (wheel,) = shipped.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        # A wheel that was repaired lists its folders, too.
        names = {name for name in archive.namelist() if not name.endswith("/")}
        entry_points = next(name for name in names if name.endswith("entry_points.txt"))
        programs = archive.read(entry_points).decode()
    files = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.name != "meson.build"
    }
    compiled = {name for name in names if name.endswith((".so", ".pyd"))}
    kernels = {name.removesuffix(".pyx") for name in files if name.endswith(".pyx")}
    # Whether or not they stand in the folder of the source.
    files |= {f"{kernel}.pyi" for kernel in kernels}
    assert {"linkoracle/py.typed", "linkoracle/deduce/rules.jsonl"} <= files
    assert {name for name in names if ".dist-info/" not in name} - compiled == files
    assert {name.partition(".")[0] for name in compiled} == {*kernels, "linkoracle/memoryviews"}
    assert "count-solutions = " in programs
    assert "linkoracle = " in programs
    if sys.platform == "linux":
        assert "manylinux" in wheel.name


@pytest.mark.heavy
def test_the_source_distribution_has_what_its_tests_need(shipped):
    (source,) = shipped.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    tracked = run("git", "ls-files", folder=ROOT).split() if (ROOT / ".git").exists() else []
    missing = [name for name in tracked if name not in names and not name.startswith(".ci")]
    assert missing in ([], [".gitignore"])
    assert {"pyproject.toml", "README.md", "LICENSE", "Makefile", "scripts/peers.py"} <= names


@pytest.mark.heavy
def test_in_a_clean_environment(shipped, tmp_path):
    """Downloads the dependencies; from the wheel to a certified puzzle and a typed program."""
    (wheel,) = shipped.glob("*.whl")
    (source,) = shipped.glob("*.tar.gz")
    place = tmp_path / "venv"
    venv.create(place, with_pip=True)
    programs = place / "bin"
    run(programs / "pip", "install", "--quiet", wheel, "pytest", "hypothesis", folder=tmp_path)

    linkoracle, count_solutions = programs / "linkoracle", programs / "count-solutions"
    run(linkoracle, "generate", "slitherlink", 7, 7, "--seed", 0, "-o", "mine.txt", folder=tmp_path)
    assert run(count_solutions, "mine.txt", folder=tmp_path) == "1\n"
    assert run(linkoracle, "check", "mine.txt", folder=tmp_path).startswith("unique")
    assert "mine.txt" in run(linkoracle, "grade", "mine.txt", folder=tmp_path)
    assert run(programs / "python", "-m", "linkoracle", "loops", 3, 3, folder=tmp_path) == "213\n"

    (tmp_path / "user.py").write_text(TYPED)
    strict = ["--strict", "--python-executable", programs / "python", "user.py"]
    assert "Success" in run(sys.executable, "-m", "mypy", *strict, folder=tmp_path)
    told = run(programs / "python", "user.py", folder=tmp_path).splitlines()
    assert told[0].endswith(" 213 False easy")

    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.glob("linkoracle-*")
    tests = ["tests/test_layout.py", "tests/formats", "tests/kinds", "tests/sat/test_oracle.py"]
    answer = run(programs / "python", "-m", "pytest", "-q", *tests, folder=unpacked)
    assert " passed" in answer
