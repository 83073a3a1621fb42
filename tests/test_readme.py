"""What the README shows is what the program prints."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```console\n(\$ .*?)^```$", re.MULTILINE | re.DOTALL)


def shown_commands(page: Path) -> list[tuple[str, str]]:
    found = []
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def test_there_are_commands_to_run():
    assert len(shown_commands(ROOT / "README.md")) >= 8


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_shown_commands(page, tmp_path):
    """The commands of a page, one after the other, in a folder that looks like this one."""
    for entry in ROOT.iterdir():
        (tmp_path / entry.name).symlink_to(entry)
    beside = str(Path(sys.executable).parent)
    for command, output in shown_commands(page):
        done = subprocess.run(
            command,
            shell=True,
            capture_output=True,
            encoding="utf-8",
            cwd=tmp_path,
            env={**os.environ, "PATH": beside + os.pathsep + os.environ["PATH"]},
        )
        assert (done.stderr, done.stdout) == ("", output), command


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_shown_python(page):
    failed, _ = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert failed == 0
