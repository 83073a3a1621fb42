"""What pages tell a newcomer: what `make demo` installs, and which clues are redundant."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
import venv
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from linkoracle import is_unique, read
from linkoracle.generate import slitherlink
from linkoracle.kinds import Puzzle
from tests.workers import WAIT_SECONDS, Program

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
GENERATE = (ROOT / "docs" / "how-to" / "generate.md").read_text(encoding="utf-8")
#: A recipe of the Makefile that prints requirements, one a line.
REQUIRES = re.compile(r'bin/python -c ("[^"]+") > ')


def required_by_demo() -> list[str]:
    """Return the requirements that `make demo` installs in a new environment."""
    steps = subprocess.run(
        ["make", "--dry-run", "--always-make", "demo"],
        capture_output=True, text=True, check=True, cwd=ROOT,
    ).stdout.replace("\\\n", "")  # fmt: skip
    found = []
    for program in REQUIRES.findall(steps):
        command = f"{sys.executable} -c {program}"
        found += subprocess.check_output(command, shell=True, text=True, cwd=ROOT).splitlines()
    return found


def with_dependencies(requirements: list[str]) -> set[str]:
    """Return the names of these distributions and of all that they depend on."""
    names: set[str] = set()
    waiting = [Requirement(line) for line in requirements]
    while waiting:
        one = waiting.pop()
        name = canonicalize_name(one.name)
        if name not in names:
            names.add(name)
            waiting += [
                needed
                for line in distribution(name).requires or ()
                if (needed := Requirement(line)).marker is None
                or any(needed.marker.evaluate({"extra": extra}) for extra in one.extras or {""})
            ]
    return names


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> Path:
    """The interpreter of an environment with linkoracle and what `make demo` installs beside it."""
    place = tmp_path_factory.mktemp("demo")
    venv.create(place, symlinks=True)
    programs = place / "bin"
    (packages,) = place.glob("lib/python*/site-packages")
    for name in with_dependencies(["linkoracle", *required_by_demo()]):
        found = distribution(name)
        for top in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
            (packages / top).symlink_to(Path(str(found.locate_file(top))))
    return programs / "python"


def test_what_make_demo_installs_is_not_all(python):
    """Or the tests below would prove nothing."""
    done = subprocess.run([python, "-c", "import pytest"], capture_output=True, text=True)
    assert "ModuleNotFoundError: No module named 'pytest'" in done.stderr


@pytest.mark.parametrize(
    "command",
    ["booklet mine.txt -o book.pdf", "draw mine.txt -o mine.png", "draw mine.txt -o mine.pdf"],
)
def test_printing_works_after_make_demo(python, tmp_path, command):
    assert f"`linkoracle {command.split()[0]}` " in README
    (tmp_path / "mine.txt").write_text("slitherlink\n33\n11\n")
    done = subprocess.run(
        [python, "-m", "linkoracle", *command.split()], capture_output=True, text=True, cwd=tmp_path
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / command.split()[-1]).stat().st_size > 1000


def test_the_studio_works_after_make_demo(python, tmp_path):
    assert "`linkoracle studio` " in README
    with Program(
        [python, "-m", "linkoracle", "studio", "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"XDG_STATE_HOME": str(tmp_path)},
    ) as process:
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), process.stderr.read()
        jar = urllib.request.HTTPCookieProcessor()
        with urllib.request.build_opener(jar).open(address) as page:
            assert b"linkoracle studio" in page.read()
        assert process.stdout.readline().startswith("another browser: http://127.0.0.1:")
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=WAIT_SECONDS) == ("", "interrupted\n")


def redundant(puzzle: Puzzle) -> int:
    """Return how many clues follow from all others, each by itself."""
    return sum(is_unique(puzzle.with_clues({cell: None})) for cell, _ in puzzle.clue_cells())


def test_redundant_clues_are_as_the_page_says():
    said = re.search(r"Of the board above, (\d+) of the (\d+) clues\s+are redundant", GENERATE)
    command = r"^\$ linkoracle generate slitherlink .*\n(slitherlink\n[^$`]+)"
    shown = re.search(command, GENERATE, re.MULTILINE)
    puzzle = read(shown[1])
    assert (redundant(puzzle), puzzle.number_of_clues) == tuple(map(int, said.groups()))
    assert redundant(slitherlink(puzzle.rows, puzzle.cols, seed=1, minimal=True).puzzle) == 0
