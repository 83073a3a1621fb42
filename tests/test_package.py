"""What is shipped: the wheel has all that the package reads, and works where nothing else is."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from runpy import run_path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION = re.search(r"^  version: '(.+)'", (ROOT / "meson.build").read_text(), re.MULTILINE)[1]
release_faults = run_path(str(ROOT / "scripts" / "release_check.py"))["faults"]
SUPPORTED = [one.rpartition(" ")[2] for one in PROJECT["classifiers"] if ":: 3." in one]


def runs(program: str) -> bool:
    """Return whether a program is there; pyenv has some that only say how to choose one."""
    found = shutil.which(program)
    return bool(found) and not subprocess.run([found, "-c", ""], capture_output=True).returncode


#: Every CPython on this machine that a wheel can be made for.
PYTHONS = [f"python{version}" for version in SUPPORTED if runs(f"python{version}")]

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
        for path in (SOURCE / "linkoracle").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.name != "meson.build"
    }
    compiled = {name for name in names if name.endswith((".so", ".pyd"))}
    kernels = {name.removesuffix(".pyx") for name in files if name.endswith(".pyx")}
    # What kernels are compiled from is for nobody who installs the wheel.
    files = {name for name in files if not name.endswith((".pyx", ".pxd"))}
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


@pytest.fixture(scope="module", params=PYTHONS)
def installed(request, shipped, tmp_path_factory) -> Path:
    """The interpreter of an environment with the wheel, pytest and nothing else. It downloads."""
    folder = tmp_path_factory.mktemp(request.param)
    run(request.param, "-m", "venv", "venv", folder=folder)
    python = folder / "venv" / "bin" / "python"
    (wheel,) = shipped.glob("*.whl")
    here = f"python{sys.version_info[0]}.{sys.version_info[1]}" == request.param
    package = wheel if here else next(shipped.glob("*.tar.gz"))
    run(python, "-m", "pip", "install", "-q", package, "pytest", "hypothesis", folder=folder)
    return python


@pytest.mark.heavy
def test_answers_in_a_clean_environment(installed, tmp_path):
    answer = run(installed, ROOT / "scripts" / "check_install.py", folder=tmp_path)
    assert f"answers of linkoracle {VERSION} are right" in answer


@pytest.mark.heavy
def test_types_and_tests_in_a_clean_environment(installed, shipped, tmp_path):
    (tmp_path / "user.py").write_text(TYPED)
    strict = ["--strict", "--python-executable", installed, "user.py"]
    assert "Success" in run(sys.executable, "-m", "mypy", *strict, folder=tmp_path)
    printed = run(installed, "user.py", folder=tmp_path).splitlines()
    assert printed[0].endswith(" 213 False easy")

    (source,) = shipped.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.glob("linkoracle-*")
    tests = ["tests/test_layout.py", "tests/formats", "tests/kinds", "tests/engines/test_oracle.py"]
    quick = ["-m", "not heavy and not browser and not node"]
    assert " passed" in run(installed, "-m", "pytest", "-q", *quick, *tests, folder=unpacked)


def released(folder: Path, *, dated: bool) -> Path:
    """Copy what names the version; with a date in the changelog, or with none."""
    for name in ("meson.build", "CITATION.cff"):
        shutil.copy(ROOT / name, folder)
    heading = f"## {VERSION} (2026-11-30)" if dated else f"## {VERSION} (unreleased)"
    (folder / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n")
    return folder


def test_a_dated_version_may_be_published(tmp_path):
    folder = released(tmp_path, dated=True)
    assert release_faults(f"v{VERSION}", folder) == []
    assert len(release_faults("v9.9.9", folder)) == 3
    assert len(release_faults(VERSION, folder)) == 1


def test_an_undated_version_is_not_published(tmp_path):
    (fault,) = release_faults(f"v{VERSION}", released(tmp_path, dated=False))
    assert fault.startswith("CHANGELOG.md: no line matches")


def test_the_changelog_begins_with_this_version():
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0].split()[0] == VERSION
    assert all(re.fullmatch(r"\S+ \((unreleased|\d{4}-\d\d-\d\d)\)", one) for one in headings)


def test_every_address_of_the_project_is_below_its_home():
    """The long description is shown elsewhere, so its links name the project, too."""
    home = PROJECT["urls"]["Homepage"]
    raw = home.replace("//github.com", "//raw.githubusercontent.com")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)|^\[[^]]+\]: (\S+)$", readme, re.MULTILINE)
    own = [link for pair in links for link in pair if link and "linkoracle/linkoracle" in link]
    assert len(own) >= 10
    for link in own:
        path = link.removeprefix(f"{home}/blob/main/").removeprefix(f"{raw}/main/")
        assert path == home or (ROOT / path.partition("#")[0]).exists(), link
    assert not [link for pair in links for link in pair if link and "://" not in link]
    named = [*PROJECT["urls"].values(), (ROOT / "CITATION.cff").read_text("utf-8")]
    assert all(home in text for text in named)
